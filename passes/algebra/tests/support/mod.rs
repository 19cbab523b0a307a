//! What the tests of the algebra share: programs around examples, running, counting.

#![allow(dead_code, reason = "each test binary uses a part")]

use segra_interp::{ArrayValue, Datum, Interpreter};
use segra_ir::text::{ParseOptions, PrintOptions, parse_module, print};
use segra_ir::{Context, Diagnostics, Ir};
use std::sync::Arc;

/// A program that returns `%r` of the statements.
pub(crate) fn example(statements: &str, result: &str) -> String {
    let ty = if result.starts_with('[') { format!("!array.array<{result}>") } else { result.to_owned() };
    format!(
        "func.func @main(%xs: !array.array<[n]i32>, %ys: !array.array<[n]i32>, %xss: !array.array<[n][m]i32>, %k: i32, \
         %f: f32, %fs: !array.array<[n]f32>) -> {ty} {{
         %zero = arith.constant 0 : i32\n%one = arith.constant 1 : i32\n%least = arith.constant -2147483648 : i32
         %fzero = arith.constant 0.0 : f32\n%n = array.dim %xss, 0 : [n][m]i32\n%m = array.dim %xss, 1 : [n][m]i32
         {statements}\nfunc.return %r : {ty}\n}}"
    )
}

pub(crate) fn parse(text: &str) -> Ir {
    let ctx = Context::new();
    segra_std::register(&ctx);
    ctx.register(segra_array::dialect());
    let ctx = Arc::new(ctx);
    let ir = parse_module(&ctx, "program", text, &ParseOptions::default())
        .unwrap_or_else(|diags| panic!("{}\n{text}", rendered(&ctx, &diags)));
    verify(&ir);
    ir
}

fn rendered(ctx: &Context, diags: &Diagnostics) -> String {
    diags.iter().map(|d| segra_ir::diag::render(ctx, d, segra_ir::diag::Style::Plain)).collect()
}

pub(crate) fn verify(ir: &Ir) {
    let mut diags = Diagnostics::new();
    segra_ir::verify::verify(ir, &mut diags);
    assert!(!diags.has_errors(), "{}\n{}", rendered(ir.ctx(), &diags), text_of(ir));
}

pub(crate) fn text_of(ir: &Ir) -> String {
    print(ir, ir.root(), &PrintOptions::default())
}

pub(crate) fn counted(ir: &Ir, what: &str) -> usize {
    text_of(ir).matches(what).count()
}

pub(crate) fn ints(shape: &[usize], seed: i32) -> Datum {
    let count: usize = shape.iter().product();
    let values: Vec<i32> = (0..count as i32).map(|at| (at * 7 + seed * 13 + at * at * 3) % 31 - 11).collect();
    Datum::array(ArrayValue::i32s(&values).reshaped(shape.to_vec()).expect("as many as the shape says"))
}

/// The same of a random chain.
pub(crate) fn chain_results(ir: &Ir, n: usize, m: usize, seed: u64) -> Vec<String> {
    let inputs = [ints(&[n], 1), ints(&[n], 2), ints(&[m], 3), ints(&[n, m], 4), Datum::Int(seed as i64 % 7)];
    printed(ir, &inputs, &format!("seed {seed}"))
}

/// What `@main` returns, as text; arrays without elements as such, since their rows were never made.
pub(crate) fn results(ir: &Ir, n: usize, m: usize, what: &str) -> Vec<String> {
    let floats: Vec<f32> = (0..n).map(|at| at as f32 * 0.5 - 2.0).collect();
    let inputs = [
        ints(&[n], 1),
        ints(&[n], 2),
        ints(&[n, m], 3),
        Datum::Int(3),
        Datum::F32(1.5),
        Datum::array(ArrayValue::f32s(&floats)),
    ];
    printed(ir, &inputs, what)
}

fn printed(ir: &Ir, inputs: &[Datum], what: &str) -> Vec<String> {
    let found = Interpreter::new(ir).call("main", inputs);
    let found = found.unwrap_or_else(|error| panic!("{what}: {error}\n{}", text_of(ir)));
    let one = |value: &Datum| match value.as_array() {
        Some(array) if array.is_empty() => "empty".to_owned(),
        _ => format!("{value:?}"),
    };
    found.iter().map(one).collect()
}

/// Time this thread has run, which other programs on the machine do not lengthen; where the system does not tell, time.
pub(crate) fn thread_time() -> std::time::Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|first| first.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), std::time::Duration::from_nanos)
}
