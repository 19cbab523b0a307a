//! `canonicalize` of modules of many functions takes as much work as the functions take, one by one: counted in steps
//! (see [`segra_ir::steps`]) and in bytes of memory asked for, called on the module and function by function.

use allocation_counter::measure;
use segra_ir::{Context, Diagnostics, Ir, steps};
use segra_pass::{PassManager, Pipeline, Threads, VerifyEach};
use segra_text::{ParseOptions, parse_module};
use std::fmt::Write;
use std::sync::Arc;

const WAYS: [&str; 2] = ["canonicalize", "func.func(canonicalize)"];
/// Functions of the smaller module; the larger one has ten times as many.
const FUNCTIONS: usize = 200;
/// Ten times the work, and a tenth for what does not repeat: tables grow in steps.
const GROWTH: f64 = 11.0;
/// More rounds than most functions take, fewer than the limit of the pass.
const DECISIONS: usize = 7;

/// Steps and bytes of canonicalizing a module of these functions.
fn work(functions: &str, way: &str) -> [u64; 2] {
    let ctx = Arc::new(Context::new());
    segra_pipeline::register_all_dialects(&ctx);
    let read = parse_module(&ctx, "functions", functions, &ParseOptions::default());
    let mut ir: Ir = read.expect("it is a module");
    let pipeline = format!("builtin.module({way})");
    let pipeline = Pipeline::parse(&pipeline, &segra_pipeline::registry()).expect("a pipeline");
    // Verifying is not asked about, and other threads are not counted.
    let manager = PassManager::new(&pipeline)
        .verify_each(VerifyEach::No)
        .threads(Threads::Exactly(1));
    let before = steps::taken();
    let asked = measure(|| {
        let mut diags = Diagnostics::new();
        manager.run(&mut ir, &mut diags).expect("the pass succeeds");
        assert!(diags.is_empty(), "a limit ended it");
    });
    [steps::taken() - before, asked.bytes_total]
}

/// Functions of which half folds away in two rounds: a branch on a known condition, a load nobody uses.
fn functions(count: usize) -> String {
    let mut out = String::new();
    for number in 0..count {
        let _ = writeln!(
            out,
            "func.func @f{number}(%m: memref<?xf32>, %i: index, %x: f32) -> f32 {{
               %one = arith.constant 1 : index
               %more = arith.constant {} : index
               %sum = arith.addi %one, %more : index
               %less = arith.cmpi slt, %sum, %one : index
               %unused = memref.load %m[%i] : memref<?xf32>
               cf.cond_br %less, ^yes, ^no
             ^yes:
               %square = arith.mulf %x, %x : f32
               cf.br ^end(%square : f32)
             ^no:
               %read = memref.load %m[%sum] : memref<?xf32>
               %double = arith.addf %x, %read : f32
               cf.br ^end(%double : f32)
             ^end(%result: f32):
               func.return %result : f32
             }}",
            number % 7 + 2
        );
    }
    out
}

/// A function in which each decision is known once the one before it is made and blocks are merged: a round each.
fn many_rounds() -> String {
    let mut out = "func.func @rounds() -> index {
                     %c0 = arith.constant 0 : index
                     %c1 = arith.constant 1 : index
                     cf.br ^d0(%c1 : index)\n"
        .to_owned();
    for number in 0..DECISIONS {
        let next = number + 1;
        let _ = writeln!(
            out,
            "^d{number}(%a{number}: index):
               %t{number} = arith.cmpi eq, %a{number}, %c1 : index
               cf.cond_br %t{number}, ^l{number}, ^r{number}
             ^l{number}:
               cf.br ^d{next}(%c1 : index)
             ^r{number}:
               cf.br ^d{next}(%c0 : index)"
        );
    }
    let _ = writeln!(
        out,
        "^d{DECISIONS}(%end: index):\nfunc.return %end : index\n}}"
    );
    out
}

#[test]
fn ten_times_as_many_functions_take_ten_times_the_work() {
    for way in WAYS {
        let [few, many] = [FUNCTIONS, 10 * FUNCTIONS].map(|count| work(&functions(count), way));
        for (what, few, many) in [("steps", few[0], many[0]), ("bytes", few[1], many[1])] {
            assert!(
                many as f64 <= GROWTH * few as f64,
                "{way}: {few} {what} grow to {many}"
            );
        }
        assert!(!cfg!(debug_assertions) || few[0] > 0, "steps are counted");
    }
}

#[test]
fn a_function_that_takes_many_rounds_costs_the_others_nothing() {
    for way in WAYS {
        let (one, others) = (many_rounds(), functions(FUNCTIONS));
        let apart = work(&one, way)[0] + work(&others, way)[0];
        let together = work(&format!("{one}{others}"), way)[0];
        assert!(
            together as f64 <= 1.05 * apart as f64,
            "{way}: {together} steps, {apart} in modules of their own"
        );
    }
}
