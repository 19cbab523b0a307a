//! The dynamic builder as a frontend uses it: every op can be made, bodies nest, and what is wrong is said at the caller's
//! places.

use segra::builder::{Arr, Val, build};
use segra::dialects::array::shape::IotaOp;
use segra::dialects::{arith, func, math};
use segra::graph::{
    Around, Built, Count, Elements, Extent, File, Graph, Node, Outside, Parameter, Partition,
    Prefixes, Results, Slice, Start, With,
};
use segra::ir::{Attr, FloatKind, Loc, OpDef, OpView, Type};
use segra::{Array, Failure, Program, Value, interpret};
use std::collections::BTreeSet;

/// A graph and a file to point into.
struct Bench {
    graph: Graph,
    file: File,
}

impl Bench {
    fn new() -> Bench {
        let graph = Graph::new();
        let file = graph.add_source("calc.txt", "first line\nsecond line\nthird line\n");
        Bench { graph, file }
    }
    fn at(&self, line: u32) -> Loc {
        self.graph.place(self.file, line, 1)
    }
    fn vector(&self, extent: &str, element: Type) -> Type {
        self.graph.array_type(&[Extent::named(extent)], element)
    }
    /// A function of parameters `p0`, `p1`, ...
    fn function(
        &self,
        types: &[Type],
        body: impl FnOnce(&[Node]) -> Built<Vec<Node>>,
    ) -> Built<()> {
        let parameters: Vec<Parameter> = types
            .iter()
            .enumerate()
            .map(|(at, &ty)| Parameter::new(&format!("p{at}"), ty, self.at(1)))
            .collect();
        self.graph
            .function(self.at(1), "main", &parameters, body)
            .map(|_| ())
    }
}

fn message<T>(built: Built<T>) -> String {
    match built {
        Ok(_) => panic!("was built"),
        Err(failure) => failure.to_string(),
    }
}

fn op_names(program: &Program) -> BTreeSet<String> {
    let ir = program.ir();
    ir.walk(ir.root())
        .into_iter()
        .map(|op| ir.op_name_str(op).to_owned())
        .collect()
}

/// Types that operands and results are tried with.
fn candidate_types(graph: &Graph) -> Vec<Type> {
    let ctx = graph.ctx();
    vec![
        ctx.f32(),
        ctx.i32(),
        ctx.index(),
        ctx.f64(),
        ctx.i64(),
        ctx.i1(),
        ctx.float(FloatKind::F8E8M0FNU),
        ctx.float(FloatKind::F8E4M3FN),
    ]
}

fn candidate_attrs(graph: &Graph) -> Vec<Attr> {
    let ctx = graph.ctx();
    vec![
        ctx.i64_attr(0),
        arith::CmpIPredicate::Eq.attr(ctx),
        arith::CmpFPredicate::Oeq.attr(ctx),
    ]
}

/// All tuples of `count` of the candidates, in order.
fn tuples(candidates: &[Type], count: usize) -> Vec<Vec<Type>> {
    (0..count).fold(vec![Vec::new()], |tuples, _| {
        tuples
            .iter()
            .flat_map(|tuple| {
                candidates
                    .iter()
                    .map(move |&ty| [&tuple[..], &[ty]].concat())
            })
            .collect()
    })
}

/// Makes an op without regions of whatever operands fit it; whether any do.
fn reach(bench: &Bench, def: &'static OpDef, values: &dyn Fn(Type) -> Node) -> bool {
    let graph = &bench.graph;
    let types = candidate_types(graph);
    let required: Vec<&str> = def
        .attrs
        .iter()
        .filter(|a| !a.optional)
        .map(|a| a.name)
        .collect();
    let attrs: Vec<Vec<(&str, Attr)>> = match required[..] {
        [] => vec![Vec::new()],
        [one] => candidate_attrs(graph)
            .into_iter()
            .map(|attr| vec![(one, attr)])
            .collect(),
        _ => return false,
    };
    for operands in tuples(&types, def.operands.len()) {
        let operands: Vec<Node> = operands.into_iter().map(values).collect();
        for attrs in &attrs {
            let inferred = With {
                attrs,
                results: None,
            };
            if graph.op(bench.at(1), def, &operands, inferred).is_ok() {
                return true;
            }
            for results in tuples(&types, def.results.len()) {
                let given = With {
                    attrs,
                    results: Some(&results),
                };
                if graph.op(bench.at(1), def, &operands, given).is_ok() {
                    return true;
                }
            }
        }
    }
    false
}

/// A program with every op of a dialect that the generic method can make.
fn generic(dialect: &str) -> Program {
    let bench = Bench::new();
    let defs = bench
        .graph
        .ctx()
        .dialect(dialect)
        .expect("is registered")
        .ops
        .clone();
    let types = candidate_types(&bench.graph);
    bench
        .function(&types, |values| {
            let value = |ty: Type| {
                values[types
                    .iter()
                    .position(|&known| known == ty)
                    .expect("a candidate")]
            };
            for def in defs {
                reach(&bench, def, &value);
            }
            Ok(Vec::new())
        })
        .expect("is right");
    bench.graph.finish().expect("is right")
}

fn add(graph: &Graph, loc: Loc, a: Node, b: Node) -> Built<Vec<Node>> {
    Ok(vec![graph.apply::<arith::AddFOp>(loc, &[a, b])?])
}

/// The combinators on an array of floats.
fn combinators(bench: &Bench, xs: Node) -> Built<Vec<Node>> {
    let (g, at) = (&bench.graph, bench.at(2));
    let zero = g.number(at, 0.0, g.ctx().f32())?;
    let sum = |a: &[Node], b: &[Node]| add(g, at, a[0], b[0]);
    let bin = |x: &[Node]| Ok(vec![g.index(at, 0)?, x[0]]);
    let doubled = g.map(at, &[xs], |x| add(g, at, x[0], x[0]))?;
    let total = g.reduce(at, &[xs], &[zero], sum)?;
    let both = g.map_reduce(at, &[xs], &[zero], |x| Ok(vec![x[0], x[0]]), sum)?;
    let sums = g.scan(at, Prefixes::Inclusive, &[xs], &[zero], sum)?;
    let before = g.map_scan(
        at,
        Prefixes::Exclusive,
        &[xs],
        &[zero],
        |x| Ok(x.to_vec()),
        sum,
    )?;
    let kept = g.filter(at, &Extent::named("k"), &[xs], |x| {
        let predicate = [("predicate", arith::CmpFPredicate::Ogt.attr(g.ctx()))];
        let with = With {
            attrs: &predicate,
            results: None,
        };
        g.apply_with::<arith::CmpFOp>(at, &[x[0], zero], with)
    })?;
    let scattered = g.scatter(at, &[xs], &[xs], bin)?;
    let counted = g.hist(at, &[xs], (&[xs], &[zero]), bin, sum)?;
    let around = [
        Around::boxed(xs, &[1], Outside::Mirror),
        Around {
            array: xs,
            offsets: vec![vec![2]],
            outside: Outside::Function(&|_| Ok(zero)),
        },
    ];
    let blurred = g.stencil(at, &around, Results::OfInputs, |x| add(g, at, x[1], x[3]))?;
    Ok([
        doubled, total, both, sums, before, kept, scattered, counted, blurred,
    ]
    .concat())
}

/// With-loops over every second index.
fn with_loops(bench: &Bench, xs: Node) -> Built<Vec<Node>> {
    let (g, at) = (&bench.graph, bench.at(2));
    let zero = g.number(at, 0.0, g.ctx().f32())?;
    let (n, one, two) = (g.dim(at, xs, 0)?, g.index(at, 1)?, g.index(at, 2)?);
    let (upper, step, lower) = ([n], [two], [one]);
    let odd = || {
        let body = |i: &[Node]| Ok(vec![g.element(at, xs, i)?]);
        let partition = Partition::below(&upper, body).from(&lower);
        vec![
            partition
                .every(&step, &[])
                .mapped("GridBlock(1, SplitLast(32, ShiftLB(Gen)))"),
        ]
    };
    let made = g.genarray(at, (&[n], &[Extent::named("n")]), &[zero], odd())?;
    let changed = g.modarray(at, &made, odd())?;
    let total = g.fold(at, &[zero], odd(), |a, b| add(g, at, a[0], b[0]))?;
    Ok([made, changed, total].concat())
}

/// The ops that make and rearrange arrays, on an array of floats.
fn layouts(bench: &Bench, xs: Node) -> Built<Vec<Node>> {
    let (g, at) = (&bench.graph, bench.at(2));
    let n = g.dim(at, xs, 0)?;
    let (zero, one) = (g.index(at, 0)?, g.index(at, 1)?);
    let extent = g.extent_of(n);
    assert_eq!(extent, Extent::named("n"));
    let is = g.iota(at, n, &extent, g.ctx().index())?;
    let x = g.element(at, xs, &[zero])?;
    let column = g.reshape(at, xs, &[n, one], &[extent.clone(), Extent::Fixed(1)])?;
    let part = Slice {
        offsets: &[zero],
        sizes: &[one],
        strides: &[one],
    };
    Ok(vec![
        is,
        g.replicate(at, x, &[n], std::slice::from_ref(&extent))?,
        g.rearrange(at, column, &[1, 0])?,
        g.claim(at, xs, &[Extent::Unknown])?,
        g.reverse(at, xs, 0)?,
        g.slice(at, xs, part, &[Extent::Fixed(1)])?,
        g.concat(at, &[xs, xs], &Extent::Unknown)?,
        g.pad(at, (xs, x), (&[one], &[zero]), &[Extent::Unknown])?,
        g.update(at, xs, &[zero], x)?,
        g.gather(at, xs, is)?,
        g.near(at, xs, (&[zero], &[1]), Outside::Constant(x))?,
        g.near(at, xs, (&[zero], &[-1]), Outside::Wrap)?,
        g.literal(
            at,
            &[2, 2],
            Elements::Integers(&[1, 2, 3, -4]),
            g.ctx().i32(),
        )?,
    ])
}

fn array_program() -> Program {
    let bench = Bench::new();
    let vector = bench.vector("n", bench.graph.ctx().f32());
    let built = bench.function(&[vector], |args| {
        let (xs, bench) = (args[0], &bench);
        Ok([
            combinators(bench, xs)?,
            layouts(bench, xs)?,
            with_loops(bench, xs)?,
        ]
        .concat())
    });
    built.unwrap_or_else(|failure| panic!("{failure}"));
    bench
        .graph
        .finish()
        .unwrap_or_else(|failure| panic!("{failure}"))
}

#[test]
fn every_registered_op_of_the_levels_a_frontend_writes_can_be_built() {
    let graph = Graph::new();
    let mut missing = Vec::new();
    for (dialect, program) in [
        ("array", array_program()),
        ("arith", generic("arith")),
        ("math", generic("math")),
    ] {
        let made = op_names(&program);
        let registered = &graph.ctx().dialect(dialect).expect("is registered").ops;
        missing.extend(
            registered
                .iter()
                .map(|def| def.name)
                .filter(|name| !made.contains(*name)),
        );
    }
    assert_eq!(missing, [""; 0], "ops that no method makes");
}

/// A program that uses control flow, calls, nested bodies and fixed sizes.
fn nested_program() -> Built<Program> {
    let bench = Bench::new();
    let (g, at) = (&bench.graph, bench.at(2));
    let (f32, index) = (g.ctx().f32(), g.ctx().index());
    let sum = |a: &[Node], b: &[Node]| add(g, at, a[0], b[0]);
    let matrix = g.array_type(&[Extent::named("n"), Extent::named("m")], f32);
    let row = g.array_type(&[Extent::named("k")], f32);
    let total = g.function(at, "total", &[Parameter::new("xs", row, at)], |xs| {
        let zero = g.number(at, 0.0, f32)?;
        g.reduce(at, xs, &[zero], sum)
    })?;
    let four = g.array_type(&[Extent::Fixed(4)], f32);
    let parameters =
        [("a", matrix), ("c", index), ("w", four)].map(|(name, ty)| Parameter::new(name, ty, at));
    g.function(at, "main", &parameters, |args| {
        let (a, count) = (args[0], args[1]);
        let sums = g.map(at, &[a], |row| g.call(at, &total, row))?;
        let (zero, one) = (g.index(at, 0)?, g.index(at, 1)?);
        let count = Count {
            from: zero,
            to: count,
            step: one,
        };
        let doubled = g.count(at, count, &sums, |_, carried| {
            g.map(at, carried, |x| add(g, at, x[0], x[0]))
        })?;
        let predicate = [("predicate", arith::CmpIPredicate::Sgt.attr(g.ctx()))];
        let more = |a, b| {
            g.apply_with::<arith::CmpIOp>(
                at,
                &[a, b],
                With {
                    attrs: &predicate,
                    results: None,
                },
            )
        };
        let picked = g.branch(
            at,
            more(args[1], zero)?,
            || Ok(doubled.clone()),
            || Ok(sums.clone()),
        )?;
        let halved = g.repeat(
            at,
            &[args[1]],
            |n| Ok((more(n[0], one)?, n.to_vec())),
            |n| Ok(vec![g.apply::<arith::ShRUIOp>(at, &[n[0], one])?]),
        )?;
        let four = g.call(at, &total, &[args[2]])?;
        Ok([picked, halved, four].concat())
    })?;
    bench.graph.finish()
}

#[test]
fn loops_branches_calls_and_nested_bodies_compute_what_they_say() {
    let program = nested_program().unwrap_or_else(|failure| panic!("{failure}"));
    let matrix =
        Value::Array(Array::new(&[2, 3], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]).expect("fits"));
    let inputs = [
        matrix,
        Value::Scalar(segra::Scalar::from_i64(segra::ElemType::I64, 3)),
        Value::Array(Array::vector(&[1.0f32, 2.0, 3.0, 4.0])),
    ];
    let results =
        interpret(program.ir(), "main", &inputs).unwrap_or_else(|failure| panic!("{failure}"));
    let wanted = [
        Value::Array(Array::vector(&[48.0f32, 120.0])),
        Value::Scalar(segra::Scalar::from_i64(segra::ElemType::I64, 1)),
        Value::Scalar(segra::Scalar::f32(10.0)),
    ];
    assert_eq!(results, wanted);
}

#[test]
fn errors_are_values_at_the_callers_places_and_leave_the_graph_usable() {
    let bench = Bench::new();
    let (g, f32, i32) = (
        &bench.graph,
        bench.graph.ctx().f32(),
        bench.graph.ctx().i32(),
    );
    let types = [bench.vector("n", f32), bench.vector("m", f32), i32];
    let built = bench.function(&types, |args| {
        let sizes = message(g.map(bench.at(3), &args[..2], |x| add(g, bench.at(3), x[0], x[1])));
        assert!(
            sizes.contains("calc.txt:3:1") && sizes.contains("third line"),
            "{sizes}"
        );
        assert!(
            sizes.contains("outer size `m`, but the others have `n`"),
            "{sizes}"
        );
        let inner = message(g.map(bench.at(1), &args[..1], |x| {
            add(g, bench.at(2), x[0], args[2])
        }));
        assert!(
            inner.contains("calc.txt:2:1") && inner.contains("i32"),
            "{inner}"
        );
        let constant = message(g.apply::<math::SqrtOp>(bench.at(2), &[args[2]]));
        assert!(constant.contains("operand"), "{constant}");
        let count = message(g.apply::<arith::AddFOp>(bench.at(2), &args[..1]));
        assert!(count.contains("takes 2 operands, not 1"), "{count}");
        let ended = message(g.op(bench.at(2), func::ReturnOp::DEF, &[], With::default()));
        assert!(ended.contains("method of its own"), "{ended}");
        let iota = message(g.op(bench.at(2), IotaOp::DEF, &[], With::default()));
        assert!(iota.contains("operands"), "{iota}");
        g.map(bench.at(1), &args[..1], |x| add(g, bench.at(1), x[0], x[0]))
    });
    built.unwrap_or_else(|failure| panic!("{failure}"));
    let program = bench
        .graph
        .finish()
        .unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(
        op_names(&program)
            .iter()
            .filter(|name| name.starts_with("array."))
            .count(),
        2
    );
}

#[test]
fn values_used_where_they_are_not_known_are_errors() {
    let (bench, other) = (Bench::new(), Bench::new());
    let g = &bench.graph;
    let types = [bench.vector("n", g.ctx().f32())];
    let mut leaked = None;
    other
        .function(&[other.graph.ctx().f32()], |args| {
            let foreign = args[0];
            let built = bench.function(&types, |args| {
                let error = message(g.apply::<math::SqrtOp>(bench.at(2), &[foreign]));
                assert!(error.contains("another program"), "{error}");
                g.map(bench.at(1), args, |x| {
                    leaked = Some(x[0]);
                    Ok(x.to_vec())
                })?;
                let _ = g.map(bench.at(1), args, |x| {
                    leaked = Some(g.apply::<math::SqrtOp>(bench.at(1), x)?);
                    Err(g.error(bench.at(1), "no"))
                });
                Ok(vec![g.apply::<math::SqrtOp>(
                    bench.at(3),
                    &[leaked.expect("was set")],
                )?])
            });
            let error = message(built);
            assert!(error.contains("calc.txt:3:1"), "{error}");
            Ok(Vec::new())
        })
        .expect("is right");
    assert!(
        bench.graph.finish().is_ok(),
        "nothing of the wrong function is left"
    );
}

#[test]
fn arguments_that_do_not_fit_a_function_are_named() {
    let bench = Bench::new();
    let (g, f32) = (&bench.graph, bench.graph.ctx().f32());
    let pair = [bench.vector("k", f32), bench.vector("k", f32)];
    let parameters = pair.map(|ty| Parameter::new("x", ty, bench.at(1)));
    let callee = g.function(bench.at(1), "first", &parameters, |args| {
        Ok(args[..1].to_vec())
    });
    let callee = callee.unwrap_or_else(|failure| panic!("{failure}"));
    let types = [bench.vector("n", f32), bench.vector("m", f32), f32];
    let built = bench.function(&types, |args| {
        let sizes = message(g.call(bench.at(2), &callee, &args[..2]));
        assert!(sizes.contains("size `k` is `n`"), "{sizes}");
        let kind = message(g.call(bench.at(2), &callee, &args[1..]));
        assert!(kind.contains("argument 2 of `first` must be"), "{kind}");
        let count = message(g.call(bench.at(2), &callee, &args[..1]));
        assert!(count.contains("takes 2 arguments, not 1"), "{count}");
        g.call(bench.at(2), &callee, &[args[0], args[0]])
    });
    built.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(bench.graph.finish().is_ok());
}

#[test]
fn the_typed_builder_reaches_what_the_graph_can_make() {
    let program = build(|p| {
        p.function("main", |f| {
            let xs = f.array::<f32>("x", ["n"]);
            let (g, at) = (f.graph(), f.graph().here());
            let reversed = g.reverse(at, xs.node(), 0).expect("is right");
            let wrong = Val::<f32>::of_node(g, at, reversed);
            assert!(wrong.is_err_and(|failure: Failure| failure.to_string().contains("rank 0")));
            Val::<Arr<f32>>::of_node(g, at, reversed).expect("is an array")
        });
    });
    let program = program.unwrap_or_else(|failure| panic!("{failure}"));
    let input = Value::Array(Array::vector(&[1.0f32, 2.0]));
    let results = interpret(program.ir(), "main", &[input]).expect("runs");
    assert_eq!(results, [Value::Array(Array::vector(&[2.0f32, 1.0]))]);
}

#[test]
fn a_neutral_element_that_cannot_be_derived_is_given_or_asked_for() {
    let bench = Bench::new();
    let (g, at) = (&bench.graph, bench.at(2));
    let types = [bench.vector("n", g.ctx().f32())];
    let built = bench.function(&types, |args| {
        let zero = g.number(at, 0.0, g.ctx().f32())?;
        let odd = |a: &[Node], b: &[Node]| {
            let larger = g.apply::<arith::MaximumFOp>(at, &[a[0], b[0]])?;
            Ok(vec![g.apply::<math::AbsFOp>(at, &[larger])?])
        };
        let asked = message(g.reduce(at, args, &[zero], odd));
        assert!(asked.contains("neutral"), "{asked}");
        let start = Start {
            values: &[zero],
            neutral: &[zero],
        };
        g.reduce(at, args, start, odd)
    });
    built.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(bench.graph.finish().is_ok());
}

#[test]
fn stencils_compute_what_they_say_and_refuse_what_they_cannot() {
    let bench = Bench::new();
    let (g, at) = (&bench.graph, bench.at(2));
    let types = [bench.vector("n", g.ctx().f32())];
    let built = bench.function(&types, |args| {
        let xs = args[0];
        let nothing = [Around::boxed(xs, &[1], Outside::Nothing)];
        let asked = message(g.stencil(at, &nothing, Results::OfInputs, |x| Ok(x.to_vec())));
        assert!(asked.contains("needs a boundary"), "{asked}");
        let flat = [Around::boxed(xs, &[1, 1], Outside::Clamp)];
        let asked = message(g.stencil(at, &flat, Results::OfInputs, |x| Ok(x.to_vec())));
        assert!(asked.contains("offset"), "{asked}");
        let (two, ahead) = (g.index(at, 2)?, [vec![0], vec![1]]);
        let inside = [Around {
            array: xs,
            offsets: ahead.to_vec(),
            outside: Outside::Nothing,
        }];
        let sized = Results::Sized(&[two], &[Extent::Unknown]);
        let pairs = g.stencil(at, &inside, sized, |x| add(g, at, x[0], x[1]))?;
        let wrapped = [Around::boxed(xs, &[1], Outside::Wrap)];
        let sums = g.stencil(at, &wrapped, Results::OfInputs, |x| add(g, at, x[0], x[2]))?;
        Ok([pairs, sums].concat())
    });
    built.expect("is right");
    let program = bench.graph.finish().expect("is right");
    let input = Value::Array(Array::vector(&[1.0f32, 2.0, 4.0]));
    let results = interpret(program.ir(), "main", &[input]).expect("runs");
    let wanted = [vec![3.0f32, 6.0], vec![6.0, 5.0, 3.0]];
    assert_eq!(results, wanted.map(|row| Value::Array(Array::vector(&row))));
}
