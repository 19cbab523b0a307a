//! Rules as data: what is refused, and that every shipped rule holds on random values.

mod support;

use segra_cleanup::ApplyRules;
use segra_cleanup::apply_rules::standard_rules;
use segra_interp::{Datum, Elem, Interpreter, Tolerance, compare};
use segra_ir::build::OpState;
use segra_ir::def::infer_result_types;
use segra_ir::verify::verify;
use segra_ir::{
    Attr, Builder, Context, Diagnostics, InsertPoint, Ir, Loc, Op, OpView, Type, Value,
};
use segra_pass::rewrite::rules::{Class, Condition, Node, Rule, RulePattern, read_rules};
use segra_pass::rewrite::{Canonicalization, GreedyConfig, PatternSet, greedy};
use segra_std::{builtin::ModuleOp, func};
use std::sync::Arc;
use support::becomes;

fn context() -> Arc<Context> {
    let ctx = Arc::new(Context::new());
    segra_std::register(&ctx);
    ctx
}

#[test]
fn what_cannot_work_is_refused_with_its_place() {
    let ctx = context();
    for (text, expected) in [
        (
            "a: arith.addi(x, 0) => y",
            "1:24: `y` is not bound by the pattern",
        ),
        (
            "\n# fine\na: arith.plus(x, 0) => x",
            "3:4: `arith.plus` is no op of a registered dialect",
        ),
        (
            "a: arith.addi(x) => x",
            "1:4: `arith.addi` has 2 operands, not 1",
        ),
        (
            "a: arith.addi(x, y) => arith.negf(x, y)",
            "1:24: `arith.negf` has 1 operands, not 2",
        ),
        (
            "a: arith.addi(x, y) => arith.cmpi(x, y)",
            "1:24: `arith.cmpi` needs attribute `predicate`",
        ),
        (
            "a: arith.cmpi{mode = eq}(x, y) => x",
            "1:15: `arith.cmpi` has no attribute `mode`",
        ),
        (
            "a: arith.cmpi{predicate = odd}(x, y) => x",
            "1:27: `odd` is not a predicate on integers",
        ),
        (
            "a: arith.addi(x, y) => x where two-uses(x)",
            "1:32: `two-uses` is no condition; there are one-use, constant, not-constant, uniform, scalar, \
             same-type, wider, not-narrower",
        ),
        (
            "a: arith.addi(x, y) => x where one-use(z)",
            "1:40: `z` is not bound by the pattern",
        ),
        (
            "a: arith.addi(x, y) => x where wider(x, z)",
            "1:41: `z` is not bound by the pattern",
        ),
        (
            "a: arith.addf(x, y) => arith.addf{fastmath = of(z)}(x, y)",
            "1:49: `z` is not bound by the pattern",
        ),
        (
            "a: arith.addf(x, y) => arith.addf{fastmath = both(x)}(x, y)",
            "1:52: expected `,`",
        ),
        (
            "a: arith.addi(x, y) => x\na: arith.muli(x, y) => x",
            "2:1: rule `a` stands in line 1 already",
        ),
        ("a: x => x", "1:4: a pattern starts with an op"),
        ("a arith.addi(x, y) => x", "1:3: expected `:`"),
        ("a: arith.addi(x, y) x", "1:21: expected `=>`"),
        (
            "a: arith.addi(x, y) => x y",
            "1:26: expected the end of the rule",
        ),
        (
            "a: arith.addi(x: i33.3, y) => x",
            "1:18: `i33.3` is no type of numbers",
        ),
        (
            "a: scf.if(x) => x",
            "1:4: `scf.if` is not an op with one result and no region",
        ),
        (
            "a: arith.addi(d = arith.addi(x, y), d = arith.muli(x, y)) => x",
            "1:37: `d` is bound twice",
        ),
    ] {
        let errors = read_rules(&ctx, text).expect_err(text);
        let shown: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(shown, [expected], "{text}");
    }
}

/// The function `@main` of one rule's pattern: its parameters are the rule's names, but for those that are to be
/// constants.
struct Example<'a> {
    ctx: &'a Arc<Context>,
    ty: Type,
    names: Vec<Option<Value>>,
    params: Vec<(usize, Type)>,
    constants: Vec<usize>,
    /// Results of conversions, one after the other.
    casts: std::slice::Iter<'a, Type>,
}

impl Example<'_> {
    fn params(&mut self, node: &Node) {
        match node {
            Node::Name(name, class) => {
                let ty = match class {
                    Class::Type(ty) => *ty,
                    _ => self.ty,
                };
                if !self.constants.contains(name) && !self.params.iter().any(|row| row.0 == *name) {
                    self.params.push((*name, ty));
                }
            }
            Node::Op(op) => op.operands.iter().for_each(|operand| self.params(operand)),
            _ => {}
        }
    }
    fn build(&mut self, b: &mut Builder<'_>, node: &Node, ty: Type) -> Value {
        match node {
            Node::Name(name, _) if self.constants.contains(name) => {
                segra_std::arith::ConstantOp::int(b, 3 + 4 * *name as i64, ty)
            }
            Node::Name(name, _) => self.names[*name].expect("a parameter or bound before"),
            Node::Int(value, _) => segra_std::arith::ConstantOp::int(b, *value, ty),
            Node::Float(..) => panic!("no shipped rule has a float"),
            Node::Op(op) => {
                // Constants have the type of the operand beside them.
                let mut types = vec![None; op.operands.len()];
                let mut values: Vec<Option<Value>> = vec![None; op.operands.len()];
                for (index, operand) in op.operands.iter().enumerate() {
                    let constant =
                        matches!(operand, Node::Name(name, _) if self.constants.contains(name));
                    if !constant && !matches!(operand, Node::Int(..)) {
                        let value = self.build(b, operand, self.ty);
                        types[index] = Some(b.type_of(value));
                        values[index] = Some(value);
                    }
                }
                let beside = types
                    .iter()
                    .flatten()
                    .next_back()
                    .copied()
                    .unwrap_or(self.ty);
                // Beside a condition any value may stand.
                let selects = self.ctx.op_name_str(op.name) == "arith.select";
                let beside = if selects { self.ty } else { beside };
                for (index, operand) in op.operands.iter().enumerate() {
                    if values[index].is_none() {
                        values[index] = Some(self.build(b, operand, beside));
                    }
                }
                let mut state = OpState::new(op.name, Loc::UNKNOWN);
                state.operands = values.into_iter().flatten().collect();
                state.properties = op.attrs.iter().copied().collect();
                let def = self
                    .ctx
                    .op_info(op.name)
                    .expect("known when it was read")
                    .def;
                state.result_types = match infer_result_types(b.ir, &state, def) {
                    Ok(types) => types,
                    Err(_) => [*self.casts.next().unwrap_or(&self.ty)]
                        .into_iter()
                        .collect(),
                };
                let made = b.insert(state);
                let value = b.ir.result(made, 0);
                if let Some(bound) = op.bound {
                    self.names.resize(self.names.len().max(bound + 1), None);
                    self.names[bound] = Some(value);
                }
                value
            }
        }
    }
}

/// A program that computes a rule's pattern on parameters of a type, if the pattern fits that type; conversions in it
/// give `casts`.
fn example(ctx: &Arc<Context>, rule: &Rule, ty: Type, casts: &[Type]) -> Option<(Ir, Vec<Type>)> {
    let constants = rule
        .conditions
        .iter()
        .filter_map(|condition| match condition {
            Condition::Constant(name) | Condition::Uniform(name) => Some(*name),
            _ => None,
        });
    let constants = constants.collect();
    let mut ir = Ir::new(ctx.clone());
    let state = OpState {
        regions: 1,
        ..OpState::new(ctx.op_name(ModuleOp::DEF.name), Loc::UNKNOWN)
    };
    let module = ir.create_op(state);
    ir.set_root(module);
    let region = ir.region(module, 0);
    let block = ir.add_block(region, &[]);
    let mut example = Example {
        ctx,
        ty,
        names: Vec::new(),
        params: Vec::new(),
        constants,
        casts: casts.iter(),
    };
    example.params(&rule.pattern);
    let types: Vec<Type> = example.params.iter().map(|row| row.1).collect();
    // The result's type is only known once the body is built: first with a type that is set right afterwards.
    let mut result = ty;
    let mut b = Builder::new(&mut ir, InsertPoint::End(block), Loc::UNKNOWN);
    let function = func::FuncOp::define(&mut b, "main", &types, &[ty], |b, args| {
        let most = example
            .params
            .iter()
            .map(|row| row.0 + 1)
            .max()
            .unwrap_or(0);
        example.names = vec![None; most];
        for (&(name, _), &arg) in example.params.iter().zip(args) {
            example.names[name] = Some(arg);
        }
        let params = example.params.clone();
        let value = example.build(b, &rule.pattern, params.first().map_or(ty, |row| row.1));
        result = b.type_of(value);
        func::ReturnOp::build(b, &[value]);
    });
    let signature: Attr = ctx.type_attr(ctx.function(&types, &[result]));
    ir.set_attr_named(function.op(), "function_type", Some(signature));
    let mut diags = Diagnostics::new();
    verify(&ir, &mut diags);
    (!diags.has_errors()).then_some((ir, types))
}

fn apply(ir: &mut Ir, rule: &Rule) -> u64 {
    let ctx = ir.context();
    let mut patterns = PatternSet::new();
    patterns.add(&ctx, RulePattern::new(&ctx, rule.clone()));
    let config = GreedyConfig {
        canonicalization: Canonicalization::Skip,
        ..GreedyConfig::default()
    };
    let root: Op = ir.root();
    greedy(ir, root, &patterns, &config).rewritten
}

/// Types that two conversions may give.
fn cast_types(ctx: &Context, rule: &Rule) -> Vec<Vec<Type>> {
    let types = [
        ctx.i1(),
        ctx.integer(8),
        ctx.i32(),
        ctx.i64(),
        ctx.index(),
        ctx.f32(),
    ];
    let needs = |node: &Node| conversions(ctx, node);
    match needs(&rule.pattern) {
        0 => vec![Vec::new()],
        1 => types.iter().map(|&ty| vec![ty]).collect(),
        2 => types
            .iter()
            .flat_map(|&a| types.map(|b| vec![a, b]))
            .collect(),
        _ => types
            .iter()
            .flat_map(|&a| {
                types
                    .iter()
                    .flat_map(move |&b| types.map(|c| vec![a, b, c]))
            })
            .collect(),
    }
}

/// How many ops of a pattern convert.
fn conversions(ctx: &Context, node: &Node) -> usize {
    let Node::Op(op) = node else { return 0 };
    let name = ctx.op_name_str(op.name);
    let converts = ["ext", "trunc", "index_cast", "bitcast"]
        .iter()
        .any(|part| name.contains(part));
    usize::from(converts)
        + op.operands
            .iter()
            .map(|operand| conversions(ctx, operand))
            .sum::<usize>()
}

fn values(ctx: &Context, ty: Type, choice: u64) -> Datum {
    const INTS: [i64; 8] = [0, 1, -1, 7, -128, 127, i32::MIN as i64, i32::MAX as i64];
    const FLOATS: [f32; 8] = [
        0.0,
        -0.0,
        1.5,
        -3.25,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        1e-42,
    ];
    let at = (choice % 8) as usize;
    match Elem::of(ctx, ty).and_then(Elem::int_width) {
        Some(width) if width.bits() == 1 => Datum::Int((choice % 2) as i64),
        Some(width) => Datum::Int(width.wrap(INTS[at].wrapping_mul(1 + (choice / 8 % 3) as i64))),
        None => Datum::F32(FLOATS[at]),
    }
}

#[test]
fn every_shipped_rule_applies_and_keeps_what_is_computed() {
    let ctx = context();
    let rules = standard_rules(&ctx).expect("they can be read");
    assert!(rules.len() > 40);
    // Every rule's own names: constants folded away would hide what a rule does.
    for rule in &rules {
        let parameters = [ctx.i32(), ctx.f32(), ctx.i1(), ctx.integer(8), ctx.index()];
        let all = parameters.iter().flat_map(|&ty| {
            cast_types(&ctx, rule)
                .into_iter()
                .map(move |casts| (ty, casts))
        });
        let mut applied = 0;
        for (ty, casts) in all {
            let Some((before, types)) = example(&ctx, rule, ty, &casts) else {
                continue;
            };
            let (mut after, _) = example(&ctx, rule, ty, &casts).expect("it was built before");
            if apply(&mut after, rule) == 0 {
                continue;
            }
            applied += 1;
            let mut diags = Diagnostics::new();
            verify(&after, &mut diags);
            assert!(
                !diags.has_errors(),
                "rule `{}` leaves what does not verify",
                rule.name
            );
            for seed in 0..512u64 {
                let arguments: Vec<Datum> = types
                    .iter()
                    .enumerate()
                    .map(|(index, &ty)| values(&ctx, ty, seed >> (3 * index) ^ (seed / 7)))
                    .collect();
                let run = |ir: &Ir| Interpreter::new(ir).call("main", &arguments);
                // Where the pattern divides by zero or promises what does not hold, nothing is promised.
                let Ok(wanted) = run(&before) else { continue };
                if keeps_promises(rule) {
                    continue;
                }
                let found = run(&after).expect("it fails where the pattern does not");
                let difference = compare(&wanted, &found, Tolerance::EXACT);
                assert!(
                    difference.is_none(),
                    "rule `{}` on {arguments:?}: {wanted:?} became {found:?}",
                    rule.name
                );
            }
        }
        assert!(
            applied > 0,
            "rule `{}` does not apply to its own pattern",
            rule.name
        );
    }
}

/// Whether the rule relies on flags that random values do not obey.
fn keeps_promises(rule: &Rule) -> bool {
    matches!(rule.name.as_str(), "divui-of-mul" | "divsi-of-mul")
}

#[test]
fn a_wrong_rule_would_be_found() {
    let ctx = context();
    let rules =
        read_rules(&ctx, "wrong: arith.subi(x, y) => arith.addi(x, y)").expect("it can be read");
    let (before, _) = example(&ctx, &rules[0], ctx.i32(), &[]).expect("it fits");
    let (mut after, _) = example(&ctx, &rules[0], ctx.i32(), &[]).expect("it fits");
    apply(&mut after, &rules[0]);
    let run = |ir: &Ir| {
        Interpreter::new(ir)
            .call("main", &[Datum::Int(5), Datum::Int(3)])
            .expect("it runs")
    };
    assert!(compare(&run(&before), &run(&after), Tolerance::EXACT).is_some());
}

#[test]
fn rules_apply_in_any_order_of_commuting_operands_and_to_vectors() {
    becomes(
        ApplyRules::default(),
        "func.func @f(%x: vector<4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
           %m = arith.constant dense<-1> : vector<4xi32>
           %n = arith.xori %m, %x : vector<4xi32>
           %p = arith.xori %y, %n : vector<4xi32>
           %q = arith.xori %n, %p : vector<4xi32>
           return %q : vector<4xi32>
         }",
        "func.func @f(%x: vector<4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
           func.return %y : vector<4xi32>
         }",
    );
}
