//! `check-operators` finds operators that are not associative and neutral elements that are not neutral, and only those.

use segra_checks::CheckOperators;
use segra_ir::{Context, Diagnostics, Ir};
use segra_pass::{Analyses, Pass, PassContext, Statistics};
use segra_text::{ParseOptions, parse_module};
use std::sync::Arc;

fn context() -> Arc<Context> {
    let ctx = Context::new();
    segra_std::register(&ctx);
    ctx.register(segra_array::dialect());
    Arc::new(ctx)
}

fn parse(ctx: &Arc<Context>, name: &str, text: &str) -> Ir {
    parse_module(ctx, name, text, &ParseOptions::default())
        .unwrap_or_else(|diags| panic!("{name}: {}", rendered(ctx, &diags)))
}

fn rendered(ctx: &Context, diags: &Diagnostics) -> String {
    diags
        .iter()
        .map(|d| segra_ir::diag::render::render(ctx, d, segra_ir::diag::render::Style::Plain))
        .collect()
}

/// The remark of the check about a reduction over `ty` with this operator on `%a` and `%b`.
fn checked(ty: &str, unit: &str, operator: &str) -> Result<(), String> {
    let text = format!(
        "func.func @main(%xs: !array.array<[n]{ty}>) -> {ty} {{
          %unit = arith.constant {unit} : {ty}
          %three = arith.constant {} : {ty}
          %r = array.reduce (%xs : [n]{ty}) init (%unit : {ty}) neutral (%unit : {ty}) combine (%a, %b) {{ {operator}
            array.yield %r : {ty} }}
          func.return %r : {ty} }}",
        if ty.starts_with('f') { "3.0" } else { "3" }
    );
    let ctx = context();
    let mut ir = parse(&ctx, "operator", &text);
    let (mut diags, mut analyses, mut statistics) = (
        Diagnostics::new(),
        Analyses::default(),
        Statistics::default(),
    );
    let root = ir.root();
    let mut cx = PassContext::new(
        "check-operators",
        &mut diags,
        &mut analyses,
        &mut statistics,
    );
    let done = CheckOperators::default().run(&mut ir, root, &mut cx);
    done.map(|_| ()).map_err(|_| rendered(&ctx, &diags))
}

#[test]
fn associative_operators_pass() {
    checked("i32", "0", "%r = arith.addi %a, %b : i32").expect("addition");
    checked("i8", "1", "%r = arith.muli %a, %b : i8").expect("multiplication that wraps");
    checked("f32", "0.0", "%r = arith.addf %a, %b : f32").expect("addition of floats");
    checked("f16", "0.0", "%r = arith.addf %a, %b : f16").expect("addition of short floats");
    checked(
        "i64",
        "-9223372036854775808",
        "%r = arith.maxsi %a, %b : i64",
    )
    .expect("maximum");
}

/// Reductions keep the order of their elements: only histograms ask for more.
#[test]
fn operators_of_reductions_need_not_commute() {
    let later = "%none = arith.cmpi eq, %b, %unit : i32\n%r = arith.select %none, %a, %b : i32";
    checked("i32", "0", later).expect("the later one that is there");
}

#[test]
fn other_operators_are_found() {
    for (ty, unit, operator) in [
        ("i32", "0", "%r = arith.subi %a, %b : i32"),
        ("f64", "0.0", "%r = arith.subf %a, %b : f64"),
        (
            "i32",
            "0",
            "%t = arith.muli %b, %three : i32\n %r = arith.addi %a, %t : i32",
        ),
    ] {
        let error = checked(ty, unit, operator).expect_err(operator);
        assert!(error.contains("not associative"), "{error}");
    }
}

#[test]
fn neutral_elements_that_are_not_neutral_are_found() {
    let error = checked("i32", "1", "%r = arith.addi %a, %b : i32").expect_err("1 + x is not x");
    assert!(error.contains("not neutral"), "{error}");
}

#[test]
fn an_operator_that_writes_memory_is_refused() {
    let ctx = context();
    let text = "func.func @main(%xs: !array.array<[n]f32>, %m: memref<f32>) {
      %zero = arith.constant 0.0 : f32
      %r = array.reduce (%xs : [n]f32) init (%zero : f32) combine (%acc, %x) {
        memref.store %x, %m[] : memref<f32>
        array.yield %x : f32
      }
      func.return }";
    let ir = parse(&ctx, "effects", text);
    let mut diags = Diagnostics::new();
    segra_ir::verify::verify(&ir, &mut diags);
    let found = rendered(&ctx, &diags);
    assert!(
        found.contains("has an operator that writes memory"),
        "{found}"
    );
}
