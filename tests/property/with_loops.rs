//! Random with-loops: the interpreter gives what the definition says, and so does what each pass makes of them.
//!
//! `SEGRA_SEEDS=100000` looks longer, `SEGRA_LONG=1` too.

use crate::{call, read, rendered, text};
use segra_interp::{ArrayValue, Datum};
use segra_ir::{Diagnostics, Ir};
use segra_pass::{PassManager, Pipeline};
use segra_tests::random_with_loop::{Case, Kind, case};
use segra_text::printer::Form;

/// Steps of a pipeline each; the interpreter checks that explicit partitions share no index and have all.
const STEPS: &[&str] = &[
    "explicit-checks",
    "explicit-partitions{kernels=each}",
    "explicit-partitions{kernels=one}",
    "explicit-checks,explicit-partitions{kernels=each},canonicalize,cse",
    "explicit-checks,explicit-partitions{kernels=each},canonicalize,cse,flatten",
    "flatten",
    "array-to-kernel",
];

fn seeds() -> std::ops::Range<u64> {
    let long = std::env::var_os("SEGRA_LONG").is_some();
    segra_tests::array_programs::seeds(if long { 20_000 } else { 150 })
}

fn arguments(case: &Case) -> Vec<Datum> {
    let array = (case.kind == Kind::Modarray).then(|| {
        let array = ArrayValue::i32s(&case.old).reshaped(case.shape.clone());
        Datum::array(array.expect("as many as the shape says"))
    });
    let numbers = case.arguments.iter().map(|&number| Datum::Int(number));
    array.into_iter().chain(numbers).collect()
}

fn check(ir: &Ir, seed: u64, case: &Case, steps: &str) {
    let found = call(ir, seed, &arguments(case));
    let wanted: Vec<Datum> = match case.kind {
        Kind::Fold => case
            .expected
            .iter()
            .map(|&number| Datum::Int(i64::from(number)))
            .collect(),
        Kind::Genarray | Kind::Modarray => {
            let array = ArrayValue::i32s(&case.expected).reshaped(case.shape.clone());
            vec![Datum::array(array.expect("as many as the shape says"))]
        }
    };
    let difference = segra_interp::compare(&wanted, &found, segra_interp::Tolerance::EXACT);
    assert!(
        difference.is_none(),
        "seed {seed}, {steps}: {difference:?}\n{}\nbecame\n{}",
        case.text,
        text(ir, Form::Custom)
    );
}

#[test]
fn with_loops_give_what_their_definition_says_after_every_pass() {
    let registry = segra_pipeline::registry();
    for seed in seeds() {
        let case = case(seed);
        check(&read(seed, &case.text), seed, &case, "as written");
        for steps in STEPS {
            let mut ir = read(seed, &case.text);
            let pipeline = format!("builtin.module({steps})");
            let pipeline = Pipeline::parse(&pipeline, &registry).expect("it is right");
            let mut diags = Diagnostics::new();
            let done = PassManager::new(&pipeline).run(&mut ir, &mut diags);
            assert!(
                done.is_ok(),
                "seed {seed}, {steps}:\n{}\n{}",
                rendered(ir.ctx(), &diags),
                case.text
            );
            check(&ir, seed, &case, steps);
        }
    }
}

#[test]
fn random_with_loops_overlap_are_empty_and_are_cut() {
    // The generator makes what the property is about.
    let (mut overlapping, mut empty, mut kernels) = (0, 0, 0);
    let registry = segra_pipeline::registry();
    for seed in 0..400 {
        let case = case(seed);
        let mut ir = read(seed, &case.text);
        let steps = "builtin.module(explicit-partitions{kernels=each})";
        let pipeline = Pipeline::parse(steps, &registry).expect("it is right");
        let done = PassManager::new(&pipeline).run(&mut ir, &mut Diagnostics::new());
        assert!(done.is_ok(), "seed {seed}");
        let made = text(&ir, Form::Custom);
        let parts = made.matches("partition (").count();
        overlapping += usize::from(parts > 2 + case.text.matches("partition (").count());
        empty += usize::from(case.expected.is_empty());
        kernels += usize::from(made.contains("array.with_loop explicit"));
    }
    assert!(
        overlapping >= 30 && empty >= 30 && kernels >= 100,
        "{overlapping} cut, {empty} empty, {kernels} explicit"
    );
}
