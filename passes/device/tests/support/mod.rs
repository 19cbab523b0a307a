//! Support of the tests of passes on device programs: a pass on a program as text, and what is in the result.
#![allow(dead_code, reason = "shared by several test binaries")]

use segra_interp::{ArrayValue, Datum};
use segra_ir::{Context, Diagnostics, Ir};
use segra_pass::analysis::Analyses;
use segra_pass::{Pass, PassContext, Statistics};
use segra_text::{ParseOptions, PrintOptions, parse_module, print};
use std::sync::Arc;

/// Diagnostics as text.
pub(crate) fn rendered(ctx: &Context, diags: &Diagnostics) -> String {
    diags
        .iter()
        .map(|d| segra_ir::diag::render::render(ctx, d, segra_ir::diag::render::Style::Plain))
        .collect()
}

/// A program; the test ends where it is wrong.
pub(crate) fn parse(text: &str) -> Ir {
    let ctx = context();
    let ir = parse_module(&ctx, "program", text, &ParseOptions::default())
        .unwrap_or_else(|diags| panic!("{}", rendered(&ctx, &diags)));
    verify(&ir);
    ir
}

/// The test ends where a program does not verify.
pub(crate) fn verify(ir: &Ir) {
    let mut diags = Diagnostics::new();
    segra_ir::verify::verify(ir, &mut diags);
    assert!(
        !diags.has_errors(),
        "{}\n{}",
        rendered(ir.ctx(), &diags),
        text(ir)
    );
}

fn text(ir: &Ir) -> String {
    print(ir, ir.root(), &PrintOptions::default())
}

/// Runs a pass, after which the program must verify.
pub(crate) fn apply(pass: &dyn Pass, ir: &mut Ir) {
    let (root, name) = (ir.root(), pass.info().name);
    let (mut diags, mut analyses, mut statistics) =
        (Diagnostics::new(), Analyses::new(), Statistics::default());
    let result = pass.run(
        ir,
        root,
        &mut PassContext::new(name, &mut diags, &mut analyses, &mut statistics),
    );
    assert!(result.is_ok(), "{}", rendered(ir.ctx(), &diags));
    verify(ir);
}

/// The program after a pass.
pub(crate) fn after(pass: &dyn Pass, program: &str) -> String {
    let mut ir = parse(program);
    apply(pass, &mut ir);
    text(&ir)
}

/// How often a program has an op.
#[track_caller]
pub(crate) fn has(program: &str, op: &str, times: usize) {
    let found = program.matches(&format!("{op} ")).count();
    assert_eq!(found, times, "{op} in\n{program}");
}

/// A context with the dialects of programs before and after.
pub(crate) fn context() -> Arc<Context> {
    let ctx = Context::new();
    segra_std::register(&ctx);
    ctx.register(segra_gpu::dialect());
    ctx.register(segra_gpu::nvgpu::dialect());
    ctx.register(segra_kernel::dialect());
    Arc::new(ctx)
}

/// Small numbers, some negative.
pub(crate) fn ints(shape: &[usize], seed: usize) -> ArrayValue {
    let count: usize = shape.iter().product();
    let values: Vec<i32> = (0..count)
        .map(|at| ((at * 7 + seed * 13 + at * at * 3) % 31) as i32 - 11)
        .collect();
    ArrayValue::i32s(&values)
        .reshaped(shape.to_vec())
        .expect("as many elements as the shape says")
}

/// Memory as arrays.
pub(crate) fn from_device(value: &Datum) -> Datum {
    match value.as_memref() {
        Some(memref) => Datum::array(memref.to_array().expect("results are in range")),
        None => value.clone(),
    }
}
