//! What the tests of passes on memory share: a pass on a program as text, and what is in the result.
#![allow(dead_code, reason = "shared by several test binaries")]

use segra_interp::{ArrayValue, Datum, Elem, Elements, Interpreter};
use segra_ir::text::{ParseOptions, PrintOptions, parse_module, print};
use segra_ir::{Context, Diagnostics, Ir};
use segra_pass::analysis::Analyses;
use segra_pass::{Pass, PassContext, Statistics};
use std::sync::Arc;

fn rendered(ctx: &Context, diags: &Diagnostics) -> String {
    diags
        .iter()
        .map(|d| segra_ir::diag::render(ctx, d, segra_ir::diag::Style::Plain))
        .collect()
}

/// A program; the test ends where it is wrong.
pub(crate) fn parse(text: &str) -> Ir {
    let ctx = Context::new();
    segra_std::register(&ctx);
    ctx.register(segra_gpu::dialect());
    ctx.register(segra_kernel::dialect());
    let ctx = Arc::new(ctx);
    let ir = parse_module(&ctx, "program", text, &ParseOptions::default())
        .unwrap_or_else(|diags| panic!("{}", rendered(&ctx, &diags)));
    verify(&ir);
    ir
}

fn verify(ir: &Ir) {
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

fn apply(pass: &dyn Pass, ir: &mut Ir) {
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

/// The program after a pass, which keeps what it returns for each of some inputs.
pub(crate) fn keeps(pass: &dyn Pass, program: &str, inputs: &[Vec<Datum>]) -> String {
    let before = parse(program);
    let mut ir = parse(program);
    apply(pass, &mut ir);
    for inputs in inputs {
        assert_eq!(run(&before, inputs), run(&ir, inputs), "{}", text(&ir));
    }
    text(&ir)
}

fn run(ir: &Ir, inputs: &[Datum]) -> String {
    match Interpreter::new(ir).call("main", inputs) {
        Ok(results) => format!("{results:?}"),
        Err(error) => panic!("{error}\n{}", text(ir)),
    }
}

/// A matrix of different numbers.
pub(crate) fn matrix(rows: usize, columns: usize) -> Datum {
    let mut elements = Elements::with_capacity(Elem::F32, rows * columns);
    for at in 0..rows * columns {
        elements
            .push(&Datum::F32(((at * 37) % 101) as f32))
            .expect("the number fits");
    }
    let array = ArrayValue::new(Elem::F32, vec![rows, columns], elements);
    Datum::array(array.expect("as many numbers as elements"))
}
