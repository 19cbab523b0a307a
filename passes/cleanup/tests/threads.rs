//! Canonicalization and common subexpression elimination leave the same bytes on any number of threads.

mod support;

use segra_cleanup::{Canonicalize, Cse};
use segra_ir::{Context, Diagnostics};
use segra_pass::pipeline::{Pipeline, PipelineItem};
use segra_pass::{PassManager, Threads};
use segra_text::{ParseOptions, PrintOptions, parse_module, print};
use std::sync::Arc;

/// Functions with something to fold, to share and to drop, that call each other.
fn program() -> String {
    let mut text = String::new();
    for number in 0..400 {
        let before = if number == 0 { 0 } else { number - 1 };
        text += &format!(
            "func.func @f{number}(%m: memref<?xf32>, %n: index, %x: f32) -> f32 {{
  %c0 = arith.constant 0 : index
  %k = arith.constant {number} : index
  %sum = arith.addi %c0, %k : index
  %dead = arith.muli %sum, %sum : index
  %r = scf.for %i = %c0 to %n step %k iter_args(%a = %x) -> (f32) {{
    %p = memref.load %m[%i] : memref<?xf32>
    %q = arith.mulf %p, %x : f32
    %s = arith.mulf %p, %x : f32
    %t = arith.addf %q, %s : f32
    %u = arith.addf %a, %t : f32
    scf.yield %u : f32
  }}
  %y = func.call @f{before}(%m, %sum, %r) : (memref<?xf32>, index, f32) -> f32
  func.return %y : f32
}}
"
        );
    }
    text
}

fn run(threads: usize) -> (String, Vec<String>) {
    let ctx = Arc::new(Context::new());
    segra_std::register(&ctx);
    let parsed = parse_module(&ctx, "test.mlir", &program(), &ParseOptions::default());
    let mut ir = parsed.unwrap_or_else(|diags| panic!("{diags:?}"));
    let mut functions = Pipeline::on("func.func");
    functions.add(Box::new(Canonicalize::default()));
    functions.add(Box::new(Cse::default()));
    let mut pipeline = Pipeline::on("builtin.module");
    pipeline.items.push(PipelineItem::Nested(functions));
    let mut diags = Diagnostics::new();
    let done = PassManager::new(&pipeline)
        .threads(Threads::Exactly(threads))
        .run(&mut ir, &mut diags);
    let counts = done.unwrap_or_else(|_| panic!("{diags:?}"));
    let counts = counts
        .iter()
        .map(|(pass, what, count)| format!("{pass} {what} {count}"))
        .collect();
    (print(&ir, ir.root(), &PrintOptions::default()), counts)
}

#[test]
fn the_text_and_the_counts_are_those_of_one_thread() {
    let alone = run(1);
    assert!(
        !alone.0.contains("%dead") && alone.0.matches("arith.mulf").count() == 400,
        "passes did their work"
    );
    for threads in [2, 4] {
        assert!(run(threads) == alone, "{threads} threads");
    }
}
