//! Properties of random programs: text forms agree, passes keep results, damaged text never panics the reader.
//!
//! Programs come from `segra_tests::random_ir`; a failure names the seed, and the same seed gives the same program.
//! `SEGRA_SEEDS=100000 tools/test -p segra-tests --test property` looks longer.

mod canonical;
mod combinations;
mod examples;
mod flow;
mod scripts;
mod with_loops;

use segra_interp::{ArrayValue, Datum, Interpreter, Limits, Tolerance, compare};
use segra_ir::verify::verify;
use segra_ir::{Context, Diagnostics, Ir};
use segra_pass::{PassManager, Pipeline};
use segra_tests::draft::Choices;
use segra_tests::random_ir::program;
use segra_tests::{array_programs, random_chain, random_nested};
use segra_text::printer::{Form, print_type};
use segra_text::{ParseOptions, PrintOptions, parse_module, parse_source, print};
use std::sync::Arc;

/// How many programs each property is tried on.
fn seeds() -> std::ops::Range<u64> {
    array_programs::seeds(150)
}

fn context() -> Arc<Context> {
    let ctx = Arc::new(Context::new());
    segra_pipeline::register_all_dialects(&ctx);
    ctx
}

fn rendered(ctx: &Context, diags: &Diagnostics) -> String {
    diags
        .iter()
        .map(|diagnostic| {
            segra_ir::diag::render::render(ctx, diagnostic, segra_ir::diag::render::Style::Plain)
        })
        .collect()
}

/// Reads and verifies; what a failure shows is the seed and the text.
fn read(seed: u64, text: &str) -> Ir {
    let ctx = context();
    let ir = parse_module(&ctx, "random", text, &ParseOptions::default())
        .unwrap_or_else(|diags| panic!("seed {seed}:\n{}\n{text}", rendered(&ctx, &diags)));
    let mut diags = Diagnostics::new();
    verify(&ir, &mut diags);
    assert!(
        !diags.has_errors(),
        "seed {seed}:\n{}\n{text}",
        rendered(&ctx, &diags)
    );
    ir
}

/// Results of all runs of a program, each with what the run is called in a failure.
type Runs<'a> = &'a dyn Fn(&Ir) -> Vec<(String, Vec<Datum>)>;

/// Takes a program through each pipeline and compares what it computes with what it computed before.
fn keeps_results(seed: u64, source: &str, pipelines: &[&str], runs: Runs<'_>) {
    let registry = segra_pipeline::registry();
    let before = read(seed, source);
    let wanted = runs(&before);
    for steps in pipelines {
        let mut after = read(seed, source);
        let pipeline =
            Pipeline::parse(&format!("builtin.module({steps})"), &registry).expect("it is right");
        let mut diags = Diagnostics::new();
        let outcome = PassManager::new(&pipeline).run(&mut after, &mut diags);
        assert!(
            outcome.is_ok(),
            "seed {seed}, {steps}:\n{}\n{source}",
            rendered(after.ctx(), &diags)
        );
        for ((name, wanted), (_, found)) in wanted.iter().zip(runs(&after)) {
            let difference = compare(wanted, &found, Tolerance::EXACT);
            assert!(
                difference.is_none(),
                "seed {seed}, {steps}, {name}: {difference:?}\n{source}\nbecame\n{}",
                text(&after, Form::Custom)
            );
        }
    }
}

/// Calls `@main`.
fn call(ir: &Ir, seed: u64, arguments: &[Datum]) -> Vec<Datum> {
    let limits = Limits {
        steps: 10_000_000,
        ..Limits::default()
    };
    let results = Interpreter::new(ir)
        .with_limits(limits)
        .call("main", arguments);
    results.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", text(ir, Form::Custom)))
}

/// An array of random numbers, from `-most` to `most`.
fn numbers(choices: &mut Choices, shape: &[usize], most: i32) -> Datum {
    let count = shape.iter().product();
    let values: Vec<i32> = (0..count)
        .map(|_| choices.below(2 * most as usize + 1) as i32 - most)
        .collect();
    Datum::array(
        ArrayValue::i32s(&values)
            .reshaped(shape.to_vec())
            .expect("as many as the shape says"),
    )
}

fn text(ir: &Ir, form: Form) -> String {
    print(
        ir,
        ir.root(),
        &PrintOptions {
            form,
            ..PrintOptions::default()
        },
    )
}

#[test]
fn both_text_forms_are_read_back_as_they_were() {
    for seed in seeds() {
        let ir = read(seed, &program(seed, 8));
        for form in [Form::Custom, Form::Generic] {
            let printed = text(&ir, form);
            let again = read(seed, &printed);
            assert_eq!(printed, text(&again, form), "seed {seed}");
            assert_eq!(
                text(&ir, Form::Custom),
                text(&again, Form::Custom),
                "seed {seed}"
            );
        }
    }
}

#[test]
fn passes_keep_what_programs_compute() {
    let pipelines = [
        "canonicalize",
        "cse",
        "dce",
        "flatten",
        "flatten{inner-reduce=parallel}",
        "array-to-kernel",
    ];
    for seed in seeds() {
        keeps_results(seed, &program(seed, 6), &pipelines, &|ir| {
            let run = |extent: usize| {
                let mut choices = Choices::new(seed);
                let mut array = || numbers(&mut choices, &[extent], 1000);
                let arguments = [array(), array(), Datum::Int(seed as i64 % 100)];
                (format!("{extent} elements"), call(ir, seed, &arguments))
            };
            [0, 1, 5].map(run).to_vec()
        });
    }
}

/// Every way through the array level: one version and three, with each forced, and fused before.
const NESTED_STEPS: &[&str] = &[
    "algebra",
    "fuse",
    "array-to-kernel",
    "inline,flatten",
    "inline,explicit-checks,flatten{inner-reduce=parallel}",
    "inline,flatten{versions=incremental threshold-top=0}",
    "inline,flatten{versions=incremental threshold-top=1000000 threshold-intra=0}",
    "inline,explicit-checks,flatten{versions=incremental threshold-top=1000000 threshold-intra=1000000}",
    "inline,fuse,explicit-checks,flatten{versions=incremental threshold-top=4 threshold-intra=12}",
];

/// Beside the array dialect's, each of these stands inside a map of many of the programs.
const NESTED_OPS: &[&str] = &[
    "func.call",
    "scf.for",
    "scf.if",
    "scf.index_switch",
    "scf.while",
];

/// Element types of arrays that combinators make.
const NESTED_TYPES: &[&str] = &[
    "bf16", "f16", "f32", "f64", "i1", "i16", "i32", "i64", "i8", "index",
];

#[test]
fn nested_programs_have_every_type_and_inside_maps_every_op() {
    // A new op of the dialect is not covered until the generator makes it.
    let all = segra_array::dialect().ops;
    let names: Vec<&str> = all
        .iter()
        .map(|op| op.name)
        .chain(NESTED_OPS.iter().copied())
        .collect();
    let (mut ops, mut types) = (vec![0; names.len()], vec![0; NESTED_TYPES.len()]);
    let (mut filters, mut four_deep) = (0, 0);
    for seed in 0..1300 {
        let ir = read(seed, &random_nested::any(seed));
        for op in ir.walk(ir.root()) {
            let name = ir.op_name_str(op);
            let maps = ir
                .ancestors(op)
                .skip(1)
                .filter(|&around| ir.op_name_str(around) == "array.map")
                .count();
            filters += usize::from(name == "array.filter");
            four_deep +=
                usize::from(maps >= 3 && name.starts_with("array.") && !ir.regions(op).is_empty());
            // A filter stands in no map.
            if let Some(at) = names
                .iter()
                .position(|&known| known == name && (maps > 0 || name == "array.filter"))
            {
                ops[at] += 1;
            }
            for result in ir.results(op) {
                let ty = print_type(ir.ctx(), ir.value_type(result));
                let element = ty
                    .trim_end_matches('>')
                    .rsplit(']')
                    .next()
                    .unwrap_or_default();
                if let Some(at) = NESTED_TYPES
                    .iter()
                    .position(|&known| ty.contains('[') && known == element)
                {
                    types[at] += 1;
                }
            }
        }
    }
    let counts = names
        .iter()
        .zip(&ops)
        .chain(NESTED_TYPES.iter().zip(&types));
    let rare: Vec<_> = counts.filter(|&(_, &count)| count < 8).collect();
    assert!(rare.is_empty(), "{rare:?}");
    assert!(
        filters >= 30 && four_deep >= 30,
        "{filters} filters, {four_deep} combinators in three maps"
    );
}

/// 300 programs; 10,000 where `SEGRA_LONG=1`, or `SEGRA_SEEDS`. Whole compilations and the simulator are in `tests/run/random.rs`.
#[test]
fn nested_programs_keep_their_results_in_every_version() {
    let usual = match std::env::var_os("SEGRA_LONG") {
        Some(_) => 10_000,
        None => 300,
    };
    nested_keeps_results(usual, random_nested::any);
}

/// A side of a branch is made for all points: with the numbers of those that take the other one it must neither fail nor
/// run on.
#[test]
fn sides_of_branches_harm_no_points_that_take_the_other() {
    nested_keeps_results(120, random_nested::guarded);
}

/// Parts of rows, whose extents points decide, are done for all elements of the rows in the flat version.
#[test]
fn parts_of_rows_keep_their_results_in_every_version() {
    nested_keeps_results(250, random_nested::parts);
}

fn nested_keeps_results(usual: u64, program: impl Fn(u64) -> String) {
    for seed in array_programs::seeds(usual) {
        keeps_results(seed, &program(seed), NESTED_STEPS, &|ir| {
            let run = |[n, m]: [usize; 2]| {
                let mut choices = Choices::new(seed);
                let mut array = |shape: &[usize]| numbers(&mut choices, shape, 10);
                let arrays = [array(&[n, m]), array(&[n]), array(&[m])];
                let scalars = [Datum::Int(seed as i64 % 7 - 3), Datum::Int(2)];
                (
                    format!("n = {n}, m = {m}"),
                    call(ir, seed, &[&arrays[..], &scalars].concat()),
                )
            };
            [[1, 1], [5, 3], [3, 2], [2, 0], [0, 2]].map(run).to_vec()
        });
    }
}

/// Chains of all combinators, views and control flow between them, at sizes where there is nothing to do, too.
#[test]
fn chains_keep_their_results_down_to_kernels() {
    for seed in seeds() {
        let source = random_chain::program(seed, 10);
        keeps_results(
            seed,
            &source,
            &["algebra", "fuse", "array-to-kernel"],
            &|ir| {
                let run = |[n, m]: [usize; 2]| {
                    let mut choices = Choices::new(seed);
                    let mut array = |shape: &[usize]| numbers(&mut choices, shape, 10);
                    let arrays = [array(&[n]), array(&[n]), array(&[m]), array(&[n, m])];
                    let arguments = [&arrays[..], &[Datum::Int(seed as i64 % 7 - 3)]].concat();
                    (format!("n = {n}, m = {m}"), call(ir, seed, &arguments))
                };
                [[0, 2], [1, 1], [7, 5]].map(run).to_vec()
            },
        );
    }
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
        let _ = (
            rendered(&ctx, &diags),
            text(&parsed.ir, Form::Custom),
            text(&parsed.ir, Form::Generic),
        );
    }
}
