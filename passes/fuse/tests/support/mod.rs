//! What the tests of fusion share: reading, fusing, running, counting.

#![allow(dead_code, reason = "each test binary uses a part")]

use segra_fuse::Fuse;
use segra_interp::{ArrayValue, Datum};
use segra_ir::text::{ParseOptions, PrintOptions, parse_module, print};
use segra_ir::{Context, Diagnostics, Ir};
use segra_pass::{Analyses, Pass, PassContext, Statistics};
use std::sync::Arc;

pub(crate) fn context() -> Arc<Context> {
    let ctx = Context::new();
    segra_std::register(&ctx);
    ctx.register(segra_array::dialect());
    Arc::new(ctx)
}

pub(crate) fn rendered(ctx: &Context, diags: &Diagnostics) -> String {
    diags.iter().map(|d| segra_ir::diag::render(ctx, d, segra_ir::diag::Style::Plain)).collect()
}

pub(crate) fn parse(ctx: &Arc<Context>, text: &str) -> Ir {
    let ir = parse_module(ctx, "program", text, &ParseOptions::default())
        .unwrap_or_else(|diags| panic!("{}\n{text}", rendered(ctx, &diags)));
    verify(&ir);
    ir
}

pub(crate) fn verify(ir: &Ir) {
    let mut diags = Diagnostics::new();
    segra_ir::verify::verify(ir, &mut diags);
    assert!(!diags.has_errors(), "{}\n{}", rendered(ir.ctx(), &diags), text_of(ir));
}

pub(crate) fn text_of(ir: &Ir) -> String {
    print(ir, ir.root(), &PrintOptions::default())
}

/// Runs the pass.
pub(crate) fn fuse(ir: &mut Ir) {
    fuse_with(ir, Fuse::default());
}

pub(crate) fn fuse_with(ir: &mut Ir, pass: Fuse) {
    let (mut diags, mut analyses, mut statistics) =
        (Diagnostics::new(), Analyses::default(), Statistics::default());
    let root = ir.root();
    let mut cx = PassContext::new("fuse", &mut diags, &mut analyses, &mut statistics);
    pass.run(ir, root, &mut cx).expect("fusion does not fail");
}

/// How many combinators a program has.
pub(crate) fn counted(ir: &Ir) -> usize {
    let combinator =
        |op: &segra_ir::Op| ir.op_name_str(*op).starts_with("array.") && !ir.regions(*op).is_empty();
    ir.walk(ir.root()).iter().filter(|op| combinator(op)).count()
}

pub(crate) fn ints(shape: &[usize], seed: i32) -> Datum {
    let count: usize = shape.iter().product();
    let values: Vec<i32> = (0..count as i32).map(|at| (at * 7 + seed * 13 + at * at * 3) % 31 - 11).collect();
    Datum::array(ArrayValue::i32s(&values).reshaped(shape.to_vec()).expect("as many as the shape says"))
}

/// Results as text; arrays without elements as such, since their rows were never made.
pub(crate) struct Printed;

impl Printed {
    pub(crate) fn int(value: i64) -> Datum {
        Datum::Int(value)
    }
    pub(crate) fn all(values: &[Datum]) -> Vec<String> {
        let one = |value: &Datum| match value.as_array() {
            Some(array) if array.is_empty() => "empty".to_owned(),
            _ => format!("{value:?}"),
        };
        values.iter().map(one).collect()
    }
}

/// Time this thread has run, which other programs on the machine do not lengthen; where the system does not tell, time.
pub(crate) fn thread_time() -> std::time::Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|first| first.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), std::time::Duration::from_nanos)
}
