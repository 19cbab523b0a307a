//! The typed builder: every op of the array dialect, loops and branches, ranks beyond two; errors wait for the end.

use segra::builder::{
    Arr, Index, Space, Val, branch, build, count, filter, fold, genarray, hist, map, map_reduce,
    map_scan, modarray, reduce, repeat, scan, scan_before, scatter, with_neutral,
};
use segra::{Array, ElemType, Program, Scalar, Value, context, interpret};
use std::collections::BTreeSet;

fn vector(values: &[f32]) -> Value {
    Value::Array(Array::vector(values))
}

fn matrix(shape: [usize; 2], values: &[f32]) -> Value {
    Value::Array(Array::new(&shape, values).expect("fits"))
}

fn run(program: &Program, inputs: &[Value]) -> Vec<Value> {
    interpret(program.ir(), "main", inputs).unwrap_or_else(|failure| panic!("{failure}"))
}

fn built(body: impl FnOnce(&segra::ProgramBuilder)) -> Program {
    build(body).unwrap_or_else(|failure| panic!("{failure}"))
}

/// Other arrays of the same elements.
fn layouts() -> Program {
    built(|p| {
        p.function("main", |f| {
            let x = f.array::<f32>("x", ["n"]);
            let (zero, one, two) = (
                f.constant(Index(0)),
                f.constant(Index(1)),
                f.constant(Index(2)),
            );
            let column: Val<'_, Arr<Arr<f32>>> = x.reshape(&[x.len(), one], &["n", "1"]);
            let even = x.slice(&[zero], &[two], &[two], &["2"]);
            let padded = x.pad(x.at(zero), &[one], &[zero], &["?"]);
            let twice = x.concat(&[x.reverse(0)], "?");
            let picked = x.gather(f.iota::<Index>(two, "2").reverse(0));
            (
                column.transpose().rearrange(&[1, 0]),
                even,
                padded,
                twice.claim(&["m"]),
                picked,
                x.update([one], f.constant(9.0f32)),
            )
        });
    })
}

/// The combinators, and arrays made of numbers.
fn combinators() -> Program {
    built(|p| {
        p.function("main", |f| {
            let x = f.array::<f32>("x", ["n"]);
            let is = f.iota::<Index>(x.len(), "n");
            let large = filter(x, "k", |x| x.gt(x.constant(1.5)));
            let bins = f.literal(&[0i32, 0, 100]);
            let counted = hist(
                is,
                (bins, 0),
                |i| ([i % i.constant(Index(2))], i.cast::<i64>().cast::<i32>()),
                |a, b| a + b,
            );
            let reversed = scatter((is, x), x, |(i, x)| ([i.constant(Index(3)) - i], x));
            let sums = map_scan(large, |x| x * x, 0.0, |a, b| a + b);
            let total = map_reduce(x, |x| x, 0.0, |a, b| a + b);
            let least = reduce(x, with_neutral(f32::INFINITY, f32::INFINITY), |a, b| {
                a.min(b)
            });
            (
                counted,
                reversed,
                sums,
                scan(x, 0.0, |a, b| a + b),
                scan_before(x, 1.0, |a, b| a + b),
                map(total.replicate(f.constant(Index(2)), "2"), move |t| {
                    t + least
                }),
            )
        });
    })
}

fn with_loops() -> Program {
    built(|p| {
        p.function("main", |f| {
            let x = f.array::<f32>("x", ["n"]);
            let (n, one, two) = (x.len(), f.constant(Index(1)), f.constant(Index(2)));
            let odd = Space {
                lower: vec![one],
                step: vec![two],
                ..Space::below(&[n])
            };
            let zero = f.constant(0.0f32);
            let made: Val<'_, Arr<f32>> = genarray((&[n], &["n"]), zero, &odd, |i| x.at(i[0]));
            let changed = modarray(x, &odd, |i| x.at(i[0]) * 10.0);
            let sum = fold(zero, None, &odd, |i| x.at(i[0]), |a, b| a + b);
            (made, changed, sum)
        });
    })
}

#[test]
fn every_op_of_the_array_dialect_is_reachable() {
    let ctx = context();
    let mut missing: BTreeSet<&str> = ctx
        .dialect("array")
        .expect("is registered")
        .ops
        .iter()
        .map(|def| def.name)
        .collect();
    for program in [layouts(), combinators(), with_loops()] {
        let ir = program.ir();
        for op in ir.walk(ir.root()) {
            missing.remove(ir.op_name_str(op));
        }
    }
    assert_eq!(missing, BTreeSet::new(), "ops that no method makes");
}

#[test]
fn arrays_are_rearranged_as_they_say() {
    let results = run(&layouts(), &[vector(&[1.0, 2.0, 3.0, 4.0])]);
    let wanted = [
        matrix([4, 1], &[1.0, 2.0, 3.0, 4.0]),
        vector(&[1.0, 3.0]),
        vector(&[1.0, 1.0, 2.0, 3.0, 4.0]),
        vector(&[1.0, 2.0, 3.0, 4.0, 4.0, 3.0, 2.0, 1.0]),
        vector(&[2.0, 1.0]),
        vector(&[1.0, 9.0, 3.0, 4.0]),
    ];
    assert_eq!(results, wanted);
}

#[test]
fn combinators_compute_what_they_say() {
    let results = run(&combinators(), &[vector(&[1.0, 2.0, 3.0, 4.0])]);
    let wanted = [
        Value::Array(Array::vector(&[2i32, 4, 100])),
        vector(&[4.0, 3.0, 2.0, 1.0]),
        vector(&[4.0, 13.0, 29.0]),
        vector(&[1.0, 3.0, 6.0, 10.0]),
        vector(&[1.0, 2.0, 4.0, 7.0]),
        vector(&[11.0, 11.0]),
    ];
    assert_eq!(results, wanted);
}

#[test]
fn with_loops_take_the_indices_of_their_space() {
    let results = run(&with_loops(), &[vector(&[1.0, 2.0, 3.0, 4.0])]);
    let wanted = [
        vector(&[0.0, 2.0, 0.0, 4.0]),
        vector(&[1.0, 20.0, 3.0, 40.0]),
        Value::Scalar(Scalar::f32(6.0)),
    ];
    assert_eq!(results, wanted);
}

#[test]
fn loops_and_branches_carry_tuples() {
    let program = built(|p| {
        p.function("main", |f| {
            let (x, n) = (f.array::<f32>("x", ["n"]), f.scalar::<i64>("rounds"));
            let (zero, one) = (f.constant(0i64), f.constant(1i64));
            let (doubled, sum) = count((zero, n, one), (x, zero), |i, (x, sum)| {
                (map(x, |x| x + x), sum + i)
            });
            let halved = repeat(
                (n, zero),
                |(n, _)| n.gt(one),
                |(n, steps)| (n / 2, steps + 1),
            );
            let picked = branch(n.gt(one), || (doubled, sum), || (x, zero));
            (picked.0, picked.1, halved.1)
        });
    });
    let number = |value| Value::Scalar(Scalar::from_i64(ElemType::I64, value));
    let results = run(&program, &[vector(&[1.0, 2.0]), number(5)]);
    assert_eq!(results, [vector(&[32.0, 64.0]), number(10), number(2)]);
    let results = run(&program, &[vector(&[1.0, 2.0]), number(0)]);
    assert_eq!(results, [vector(&[1.0, 2.0]), number(0), number(0)]);
}

#[test]
fn arrays_of_any_rank_nest() {
    let program = built(|p| {
        p.function("main", |f| {
            let a = f.parameter::<Arr<Arr<Arr<f32>>>>("a", &["i", "j", "2"]);
            let sums = map(a, |rows| map(rows, |row| reduce(row, 0.0, |s, t| s + t)));
            (sums, a.rearrange(&[2, 0, 1]).dim(0))
        });
    });
    let values: Vec<f32> = (0..12).map(|value| value as f32).collect();
    let a = Value::Array(Array::new(&[2, 3, 2], &values).expect("fits"));
    let results = run(&program, &[a]);
    assert_eq!(
        results[0],
        matrix([2, 3], &[1.0, 5.0, 9.0, 13.0, 17.0, 21.0])
    );
    assert_eq!(
        results[1],
        Value::Scalar(Scalar::from_i64(ElemType::I64, 2))
    );
}

/// A poison stands where an error was: both errors are reported, and no third one.
#[test]
fn several_errors_are_reported_at_their_lines() {
    let failure = build(|p| {
        p.function("main", |f| {
            let (x, y) = (f.array::<f32>("x", ["n"]), f.array::<f32>("y", ["m"]));
            let sum = map((x, y), |(x, y)| x + y);
            let flat: Val<'_, Arr<f32>> = x.reshape(&[x.len(), x.len()], &["n", "n"]);
            (map(sum, |s| s * 2.0), reduce(flat, 0.0, |a, b| a + b))
        });
    });
    let failure = failure.expect_err("n is not m, and a vector has one size");
    let lines: Vec<String> = failure
        .diagnostics
        .iter()
        .map(|diagnostic| diagnostic.message.clone())
        .collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(
        lines[0].contains("`m`") && lines[1].contains("rank 1"),
        "{lines:?}"
    );
    assert!(failure.to_string().contains("builder.rs:"), "{failure}");
    let failure = build(|p| {
        p.function("a b", |f| f.array::<f32>("x", ["1 2"]));
    });
    let failure = failure.expect_err("names have no blanks").to_string();
    assert!(
        failure.contains("cannot be called `a b`") && failure.contains("cannot be called `1 2`"),
        "{failure}"
    );
}
