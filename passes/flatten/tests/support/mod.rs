//! Support of the tests of flattening: reading programs, flattening them in every way, comparing what they compute.

#![allow(dead_code, reason = "each test binary uses a part")]

use segra_flatten::{Flatten, InnerReduce, Versions};
use segra_interp::{ArrayValue, Datum, Elem, Elements, Interpreter, Limits};
use segra_ir::{Context, Diagnostics, Ir};
use segra_pass::{Analyses, Pass, PassContext, Statistics};
use segra_text::{ParseOptions, PrintOptions, parse_module, print};
use std::sync::Arc;

/// Every way of flattening: one version with each treatment of inner reductions, and each of three versions forced
/// by its thresholds.
pub(crate) fn ways() -> Vec<Flatten> {
    let one = |inner_reduce| Flatten {
        inner_reduce,
        ..Flatten::default()
    };
    let forced = |threshold_top, threshold_intra| Flatten {
        versions: Versions::Incremental,
        threshold_top,
        threshold_intra,
        ..Flatten::default()
    };
    vec![
        one(InnerReduce::Auto),
        one(InnerReduce::Parallel),
        one(InnerReduce::Sequential),
        forced(0, 0),
        forced(i64::MAX, 0),
        forced(i64::MAX, i64::MAX),
        forced(4, 12),
    ]
}

pub(crate) fn context() -> Arc<Context> {
    let ctx = Context::new();
    segra_std::register(&ctx);
    ctx.register(segra_array::dialect());
    ctx.register(segra_kernel::dialect());
    Arc::new(ctx)
}

pub(crate) fn parse(ctx: &Arc<Context>, name: &str, text: &str) -> Ir {
    parse_module(ctx, name, text, &ParseOptions::default())
        .unwrap_or_else(|diags| panic!("{name}: {}", rendered(ctx, &diags)))
}

pub(crate) fn rendered(ctx: &Context, diags: &Diagnostics) -> String {
    diags
        .iter()
        .map(|d| segra_ir::diag::render::render(ctx, d, segra_ir::diag::render::Style::Plain))
        .collect()
}

pub(crate) fn verify(ir: &Ir, what: &str) {
    let mut diags = Diagnostics::new();
    segra_ir::verify::verify(ir, &mut diags);
    let text = print(ir, ir.root(), &PrintOptions::default());
    assert!(
        !diags.has_errors(),
        "{what}: {}\n{text}",
        rendered(ir.ctx(), &diags)
    );
}

pub(crate) fn flatten(ir: &mut Ir, pass: &Flatten) -> Result<String, String> {
    let (mut diags, mut analyses, mut statistics) = (
        Diagnostics::new(),
        Analyses::default(),
        Statistics::default(),
    );
    let root = ir.root();
    let done = pass.run(
        ir,
        root,
        &mut PassContext::new("flatten", &mut diags, &mut analyses, &mut statistics),
    );
    let text = rendered(ir.ctx(), &diags);
    done.map(|_| text.clone()).map_err(|_| text)
}

/// Numbers that differ and are exact in every format.
pub(crate) fn numbers(count: usize, seed: usize) -> impl Iterator<Item = i64> {
    (0..count).map(move |at| ((at * 7 + seed * 13 + at * at * 3) % 31) as i64 - 11)
}

pub(crate) fn floats(shape: &[usize], seed: usize) -> Datum {
    let mut elements = Elements::with_capacity(Elem::F32, 0);
    for value in numbers(shape.iter().product(), seed) {
        elements.push(&Datum::F32(value as f32 * 0.25));
    }
    Datum::array(
        ArrayValue::new(Elem::F32, shape.to_vec(), elements)
            .expect("as many elements as the shape says"),
    )
}

pub(crate) fn ints(shape: &[usize], seed: usize) -> Datum {
    let values: Vec<i32> = numbers(shape.iter().product(), seed)
        .map(|value| value as i32)
        .collect();
    Datum::array(
        ArrayValue::i32s(&values)
            .reshaped(shape.to_vec())
            .expect("as many elements as the shape says"),
    )
}

pub(crate) fn same(name: &str, program: &str, inputs: &[Datum]) {
    let ctx = context();
    let before = parse(&ctx, name, program);
    verify(&before, name);
    let wanted = Interpreter::new(&before)
        .call("main", inputs)
        .expect("the program runs");
    for pass in ways() {
        let mut ir = parse(&ctx, name, program);
        flatten(&mut ir, &pass).unwrap_or_else(|error| panic!("{name}: {error}"));
        verify(&ir, name);
        let text = print(&ir, ir.root(), &PrintOptions::default());
        let limits = Limits {
            steps: 10_000_000,
            ..Limits::default()
        };
        let found = Interpreter::new(&ir)
            .with_limits(limits)
            .call("main", inputs)
            .unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
        assert_eq!(
            format!("{wanted:?}"),
            format!("{found:?}"),
            "{name}: {pass:?}\n{text}"
        );
    }
}

pub(crate) fn flattened(program: &str, pass: &Flatten) -> String {
    let ctx = context();
    let mut ir = parse(&ctx, "program", program);
    flatten(&mut ir, pass).expect("it can be flattened");
    print(&ir, ir.root(), &PrintOptions::default())
}

pub(crate) fn count(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

/// Numbers from 0 to 5.
pub(crate) fn small(shape: &[usize], seed: usize) -> Datum {
    let values: Vec<i32> = numbers(shape.iter().product(), seed)
        .map(|value| (value + 11) as i32 % 6)
        .collect();
    Datum::array(
        ArrayValue::i32s(&values)
            .reshaped(shape.to_vec())
            .expect("as many elements as the shape says"),
    )
}

/// All inner parallelism is wanted.
pub(crate) fn all_parallel() -> Flatten {
    Flatten {
        inner_reduce: InnerReduce::Parallel,
        ..Flatten::default()
    }
}

/// A program with one map over rows, whose body is given.
pub(crate) fn rows(body: &str, result: &str) -> String {
    format!(
        "func.func @main(%xss: !array.array<[n][m]i32>, %count: index, %flag: i1) -> !array.array<[n]{result}> {{
           %zero = arith.constant 0 : i32
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %r = array.map (%xs in %xss : [n][m]i32) {{
             {body}
           }}
           func.return %r : !array.array<[n]{result}>
         }}"
    )
}

/// The initial value and operator of a sum.
pub(crate) const SUM: &str = "init (%zero : i32) combine (%acc, %x) {
      %s = arith.addi %acc, %x : i32
      array.yield %s : i32
    }";

/// The flattened program, and the remarks.
pub(crate) fn with_remarks(program: &str, pass: &Flatten) -> (String, String) {
    let ctx = context();
    let mut ir = parse(&ctx, "program", program);
    let remarks = flatten(&mut ir, pass).expect("it can be flattened");
    (print(&ir, ir.root(), &Default::default()), remarks)
}
