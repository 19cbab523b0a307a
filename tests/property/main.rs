//! Properties of random programs: text forms agree, passes keep results, damaged text never panics the reader.
//!
//! Programs come from `segra_tests::random_ir`; a failure names the seed, and the same seed gives the same program.
//! `SEGRA_SEEDS=100000 tools/test -p segra-tests --test property` looks longer.

mod flow;

use segra_interp::{ArrayValue, Datum, Interpreter, Tolerance, compare};
use segra_ir::text::printer::Form;
use segra_ir::text::{ParseOptions, PrintOptions, parse_module, parse_source, print};
use segra_ir::verify::verify;
use segra_ir::{Context, Diagnostics, Ir};
use segra_pass::{PassManager, Pipeline};
use segra_tests::random_ir::{Choices, program};
use segra_tests::{random_chain, random_nested};
use std::sync::Arc;

/// How many programs each property is tried on.
fn seeds() -> std::ops::Range<u64> {
    let count = std::env::var("SEGRA_SEEDS").ok().and_then(|text| text.parse().ok());
    0..count.unwrap_or(150)
}

fn context() -> Arc<Context> {
    let ctx = Arc::new(Context::new());
    segra_pipeline::register_all_dialects(&ctx);
    ctx
}

fn rendered(ctx: &Context, diags: &Diagnostics) -> String {
    diags
        .iter()
        .map(|diagnostic| segra_ir::diag::render(ctx, diagnostic, segra_ir::diag::Style::Plain))
        .collect()
}

/// Reads and verifies; what a failure shows is the seed and the text.
fn read(seed: u64, text: &str) -> Ir {
    let ctx = context();
    let ir = parse_module(&ctx, "random", text, &ParseOptions::default())
        .unwrap_or_else(|diags| panic!("seed {seed}:\n{}\n{text}", rendered(&ctx, &diags)));
    let mut diags = Diagnostics::new();
    verify(&ir, &mut diags);
    assert!(!diags.has_errors(), "seed {seed}:\n{}\n{text}", rendered(&ctx, &diags));
    ir
}

fn text(ir: &Ir, form: Form) -> String {
    print(ir, ir.root(), &PrintOptions { form, ..PrintOptions::default() })
}

#[test]
fn both_text_forms_are_read_back_as_they_were() {
    for seed in seeds() {
        let ir = read(seed, &program(seed, 8));
        for form in [Form::Custom, Form::Generic] {
            let printed = text(&ir, form);
            let again = read(seed, &printed);
            assert_eq!(printed, text(&again, form), "seed {seed}");
            assert_eq!(text(&ir, Form::Custom), text(&again, Form::Custom), "seed {seed}");
        }
    }
}

/// Runs `@main` on arrays of `extent` elements.
fn run(ir: &Ir, seed: u64, extent: usize) -> Vec<Datum> {
    let mut choices = Choices::new(seed);
    let mut array = || {
        let values: Vec<i32> = (0..extent).map(|_| choices.below(2001) as i32 - 1000).collect();
        Datum::array(ArrayValue::i32s(&values))
    };
    let arguments = [array(), array(), Datum::Int(seed as i64 % 100)];
    let results = Interpreter::new(ir).call("main", &arguments);
    results.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", text(ir, Form::Custom)))
}

#[test]
fn passes_keep_what_programs_compute() {
    let registry = segra_pipeline::registry();
    for seed in seeds() {
        let source = program(seed, 6);
        let before = read(seed, &source);
        for steps in
            ["canonicalize", "cse", "dce", "flatten", "flatten{inner-reduce=parallel}", "array-to-kernel"]
        {
            let mut after = read(seed, &source);
            let pipeline =
                Pipeline::parse(&format!("builtin.module({steps})"), &registry).expect("it is right");
            let mut diags = Diagnostics::new();
            let outcome = PassManager::new(&pipeline).run(&mut after, &mut diags);
            assert!(outcome.is_ok(), "seed {seed}, {steps}:\n{}\n{source}", rendered(after.ctx(), &diags));
            for extent in [0, 1, 5] {
                let (wanted, found) = (run(&before, seed, extent), run(&after, seed, extent));
                let difference = compare(&wanted, &found, Tolerance::EXACT);
                assert!(
                    difference.is_none(),
                    "seed {seed}, {steps}, {extent} elements: {difference:?}\n{source}"
                );
            }
        }
    }
}

/// Every way through the array level: one version and three, with each forced, and fused before.
const NESTED_STEPS: &[&str] = &[
    "algebra",
    "fuse",
    "array-to-kernel",
    "flatten",
    "flatten{inner-reduce=parallel}",
    "flatten{versions=incremental threshold-top=0}",
    "flatten{versions=incremental threshold-top=1000000 threshold-intra=0}",
    "flatten{versions=incremental threshold-top=1000000 threshold-intra=1000000}",
    "fuse,flatten{versions=incremental threshold-top=4 threshold-intra=12}",
];

/// Each of these stands inside a map of many of the programs.
const NESTED_OPS: &[&str] = &[
    "array.concat",
    "array.gather",
    "array.hist",
    "array.map",
    "array.pad",
    "array.redomap",
    "array.reduce",
    "array.reshape",
    "array.reverse",
    "array.scan",
    "array.scanomap",
    "array.scatter",
    "array.slice",
    "array.update",
    "scf.for",
    "scf.if",
    "scf.while",
];

#[test]
fn nested_programs_have_every_op_inside_maps() {
    let mut found = vec![0; NESTED_OPS.len()];
    for seed in 0..300 {
        let ir = read(seed, &random_nested::program(seed, 3, 3));
        for op in ir.walk(ir.root()) {
            let in_map = ir.ancestors(op).skip(1).any(|around| ir.op_name_str(around) == "array.map");
            if let (true, Some(at)) = (in_map, NESTED_OPS.iter().position(|&name| name == ir.op_name_str(op)))
            {
                found[at] += 1;
            }
        }
    }
    let rare: Vec<_> = NESTED_OPS.iter().zip(&found).filter(|&(_, &count)| count < 10).collect();
    assert!(rare.is_empty(), "{rare:?}");
}

/// 300 programs; 10,000 where `SEGRA_LONG=1`.
#[test]
fn nested_programs_keep_their_results_in_every_version() {
    let registry = segra_pipeline::registry();
    for seed in 0..nested_count() {
        let source = random_nested::program(seed, 3, 3);
        let before = read(seed, &source);
        for steps in NESTED_STEPS {
            let mut after = read(seed, &source);
            let pipeline =
                Pipeline::parse(&format!("builtin.module({steps})"), &registry).expect("it is right");
            let mut diags = Diagnostics::new();
            let outcome = PassManager::new(&pipeline).run(&mut after, &mut diags);
            assert!(outcome.is_ok(), "seed {seed}, {steps}:\n{}\n{source}", rendered(after.ctx(), &diags));
            for extents in [[1, 1], [3, 2], [2, 0], [0, 2]] {
                let (wanted, found) = (run_nested(&before, seed, extents), run_nested(&after, seed, extents));
                let difference = compare(&wanted, &found, Tolerance::EXACT);
                assert!(
                    difference.is_none(),
                    "seed {seed}, {steps}, {extents:?}: {difference:?}\n{source}\n{}",
                    text(&after, Form::Custom)
                );
            }
        }
    }
}

/// Runs `@main` on arrays of `n` and `m` elements.
fn run_nested(ir: &Ir, seed: u64, [n, m]: [usize; 2]) -> Vec<Datum> {
    let mut choices = Choices::new(seed);
    let mut array = |shape: Vec<usize>| {
        let count = shape.iter().product();
        let values: Vec<i32> = (0..count).map(|_| choices.below(21) as i32 - 10).collect();
        Datum::array(ArrayValue::i32s(&values).reshaped(shape).expect("as many as the shape says"))
    };
    let arguments =
        [array(vec![n, m]), array(vec![n]), array(vec![m]), Datum::Int(seed as i64 % 7 - 3), Datum::Int(2)];
    let results = Interpreter::new(ir).call("main", &arguments);
    results.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", text(ir, Form::Custom)))
}

/// How many nested programs: 300, or 10,000 where `SEGRA_LONG=1`.
fn nested_count() -> u64 {
    if std::env::var_os("SEGRA_LONG").is_some() { 10_000 } else { 300 }
}

/// What `--validate-passes` does: the interpreter runs the program after every pass to the kernel level.
#[test]
fn nested_programs_keep_their_results_after_every_pass() {
    for seed in 0..nested_count() {
        let source = random_nested::program(seed, 3, 3);
        let program = segra::Program::from_text("random", &source);
        let program = program.unwrap_or_else(|failure| panic!("seed {seed}: {failure}\n{source}"));
        let entry = program.signatures().get("main").expect("it is the program").entry.clone();
        let rows = ["random:3x2", "random:3", "random:2", "1", "2"].iter().zip(&entry.params).enumerate();
        let args = rows.map(|(index, (text, param))| {
            let input = segra::Input::parse(text).expect("it is an input");
            input.materialise(&param.ty, seed, index).expect("it fits the parameter")
        });
        let args = args.collect();
        let validator = segra::validate::Validator::new("main", args, segra::Tolerance::EXACT);
        let lowered = segra::Compiler::default().lower(program, "array-to-kernel", Some(Box::new(validator)));
        if let Err(failure) = lowered {
            panic!("seed {seed}: {}\n{source}", failure.render(segra_ir::diag::Style::Plain));
        }
    }
}

/// Chains of all combinators, views and control flow between them, at sizes where there is nothing to do, too.
#[test]
fn chains_keep_their_results_down_to_kernels() {
    let registry = segra_pipeline::registry();
    for seed in seeds() {
        let source = random_chain::program(seed, 10);
        let before = read(seed, &source);
        for steps in ["algebra", "fuse", "array-to-kernel"] {
            let mut after = read(seed, &source);
            let pipeline =
                Pipeline::parse(&format!("builtin.module({steps})"), &registry).expect("it is right");
            let mut diags = Diagnostics::new();
            let outcome = PassManager::new(&pipeline).run(&mut after, &mut diags);
            assert!(outcome.is_ok(), "seed {seed}, {steps}:\n{}\n{source}", rendered(after.ctx(), &diags));
            for [n, m] in [[0, 2], [1, 1], [7, 5]] {
                let (wanted, found) = (run_chain(&before, seed, n, m), run_chain(&after, seed, n, m));
                let difference = compare(&wanted, &found, Tolerance::EXACT);
                assert!(
                    difference.is_none(),
                    "seed {seed}, {steps}, n = {n}, m = {m}: {difference:?}\n{source}\n{}",
                    text(&after, Form::Custom)
                );
            }
        }
    }
}

fn run_chain(ir: &Ir, seed: u64, n: usize, m: usize) -> Vec<Datum> {
    let mut choices = Choices::new(seed);
    let mut array = |shape: Vec<usize>| {
        let count = shape.iter().product();
        let values: Vec<i32> = (0..count).map(|_| choices.below(21) as i32 - 10).collect();
        Datum::array(ArrayValue::i32s(&values).reshaped(shape).expect("as many as the shape says"))
    };
    let arguments =
        [array(vec![n]), array(vec![n]), array(vec![m]), array(vec![n, m]), Datum::Int(seed as i64 % 7 - 3)];
    let results = Interpreter::new(ir).call("main", &arguments);
    results.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", text(ir, Form::Custom)))
}

#[test]
fn damaged_text_is_refused_or_read_but_never_panics() {
    for seed in seeds() {
        let mut bytes = program(seed, 5).into_bytes();
        let mut choices = Choices::new(seed);
        for _ in 0..1 + choices.below(4) {
            let at = choices.below(bytes.len());
            match choices.below(3) {
                0 => drop(bytes.remove(at)),
                1 => bytes[at] = b"%^@#!{}()[]<>=:,\"0az \n"[choices.below(22)],
                _ => {
                    let end = (at + choices.below(40)).min(bytes.len());
                    let copy = bytes[at..end].to_vec();
                    bytes.splice(at..at, copy);
                }
            }
        }
        let damaged = String::from_utf8_lossy(&bytes).into_owned();
        let ctx = context();
        let parsed = parse_source(&ctx, "damaged", &damaged, &ParseOptions::default());
        let mut diags = parsed.diags;
        verify(&parsed.ir, &mut diags);
        let _ = (rendered(&ctx, &diags), text(&parsed.ir, Form::Custom), text(&parsed.ir, Form::Generic));
    }
}
