//! Flattening keeps results: programs run in the reference interpreter before and after, on random inputs.

use segra_flatten::{Flatten, InnerReduce};
use segra_interp::{ArrayValue, Datum, Elem, Elements, Interpreter};
use segra_ir::text::{ParseOptions, PrintOptions, parse_module, print};
use segra_ir::{Context, Diagnostics, Ir};
use segra_pass::{Analyses, Pass, PassContext, Statistics};
use std::sync::Arc;

fn context() -> Arc<Context> {
    let ctx = Context::new();
    segra_std::register(&ctx);
    ctx.register(segra_array::dialect());
    ctx.register(segra_kernel::dialect());
    Arc::new(ctx)
}

fn parse(ctx: &Arc<Context>, name: &str, text: &str) -> Ir {
    parse_module(ctx, name, text, &ParseOptions::default())
        .unwrap_or_else(|diags| panic!("{name}: {}", rendered(ctx, &diags)))
}

fn rendered(ctx: &Context, diags: &Diagnostics) -> String {
    diags.iter().map(|d| segra_ir::diag::render(ctx, d, segra_ir::diag::Style::Plain)).collect()
}

fn verify(ir: &Ir, what: &str) {
    let mut diags = Diagnostics::new();
    segra_ir::verify::verify(ir, &mut diags);
    let text = print(ir, ir.root(), &PrintOptions::default());
    assert!(!diags.has_errors(), "{what}: {}\n{text}", rendered(ir.ctx(), &diags));
}

fn flatten(ir: &mut Ir, pass: &Flatten) -> Result<String, String> {
    let (mut diags, mut analyses, mut statistics) =
        (Diagnostics::new(), Analyses::default(), Statistics::default());
    let root = ir.root();
    let done =
        pass.run(ir, root, &mut PassContext::new("flatten", &mut diags, &mut analyses, &mut statistics));
    let text = rendered(ir.ctx(), &diags);
    done.map(|_| text.clone()).map_err(|_| text)
}

/// Numbers that differ and are exact in every format.
fn numbers(count: usize, seed: usize) -> impl Iterator<Item = i64> {
    (0..count).map(move |at| ((at * 7 + seed * 13 + at * at * 3) % 31) as i64 - 11)
}

fn floats(shape: &[usize], seed: usize) -> Datum {
    let mut elements = Elements::with_capacity(Elem::F32, 0);
    for value in numbers(shape.iter().product(), seed) {
        elements.push(&Datum::F32(value as f32 * 0.25));
    }
    Datum::array(
        ArrayValue::new(Elem::F32, shape.to_vec(), elements).expect("as many elements as the shape says"),
    )
}

fn ints(shape: &[usize], seed: usize) -> Datum {
    let values: Vec<i32> = numbers(shape.iter().product(), seed).map(|value| value as i32).collect();
    Datum::array(
        ArrayValue::i32s(&values).reshaped(shape.to_vec()).expect("as many elements as the shape says"),
    )
}

fn same(name: &str, program: &str, inputs: &[Datum]) {
    let ctx = context();
    let before = parse(&ctx, name, program);
    verify(&before, name);
    let wanted = Interpreter::new(&before).call("main", inputs).expect("the program runs");
    for inner_reduce in [InnerReduce::Auto, InnerReduce::Parallel, InnerReduce::Sequential] {
        let mut ir = parse(&ctx, name, program);
        flatten(&mut ir, &Flatten { inner_reduce }).unwrap_or_else(|error| panic!("{name}: {error}"));
        verify(&ir, name);
        let text = print(&ir, ir.root(), &PrintOptions::default());
        let found =
            Interpreter::new(&ir).call("main", inputs).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
        assert_eq!(format!("{wanted:?}"), format!("{found:?}"), "{name}\n{text}");
    }
}

const AXPY: &str = include_str!("../../../examples/axpy.mlir");
const DOT: &str = include_str!("../../../examples/dot.mlir");
const MATVEC: &str = include_str!("../../../examples/matvec.mlir");
const MATVEC_TRANSPOSED: &str = include_str!("../../../examples/matvec_transposed.mlir");
const MATMUL: &str = include_str!("../../../examples/matmul.mlir");
const SOFTMAX: &str = include_str!("../../../examples/softmax.mlir");
const PREFIX_SUM: &str = include_str!("../../../examples/prefix_sum.mlir");
const MANDELBROT: &str = include_str!("../../../examples/mandelbrot.mlir");
const NEAREST: &str = include_str!("../../../examples/nearest_neighbour.mlir");

#[test]
fn maps_and_reductions_keep_their_results() {
    for n in [0, 1, 2, 7, 33] {
        same("axpy", AXPY, &[Datum::F32(1.5), floats(&[n], 1), floats(&[n], 2)]);
        same("dot", DOT, &[floats(&[n], 1), floats(&[n], 2)]);
        same("prefix_sum", PREFIX_SUM, &[ints(&[n], 3)]);
    }
}

#[test]
fn nests_keep_their_results() {
    for (n, m) in [(1, 1), (3, 5), (7, 2), (5, 0)] {
        same("matvec", MATVEC, &[floats(&[n, m], 1), floats(&[m], 2)]);
        same("matvec_transposed", MATVEC_TRANSPOSED, &[floats(&[n, m], 1), floats(&[n], 2)]);
        same("softmax", SOFTMAX, &[floats(&[n, m], 4)]);
        same("matmul", MATMUL, &[floats(&[n, m], 1), floats(&[m, 4], 2)]);
    }
}

#[test]
fn loops_and_pairs_keep_their_results() {
    same("mandelbrot", MANDELBROT, &[Datum::Int(5), Datum::Int(7), Datum::Int(20)]);
    let inputs = [floats(&[4], 1), floats(&[4], 2), floats(&[9], 3), floats(&[9], 5)];
    same("nearest", NEAREST, &inputs);
}

fn flattened(program: &str, pass: &Flatten) -> String {
    let ctx = context();
    let mut ir = parse(&ctx, "program", program);
    flatten(&mut ir, pass).expect("it can be flattened");
    print(&ir, ir.root(), &PrintOptions::default())
}

fn count(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

#[test]
fn softmax_becomes_two_reductions_and_two_maps() {
    let text = flattened(SOFTMAX, &Flatten::default());
    assert_eq!((count(&text, "kernel.segred"), count(&text, "kernel.segmap")), (2, 2), "{text}");
}

#[test]
fn a_matrix_product_reduces_in_each_thread_unless_asked_otherwise() {
    let text = flattened(MATMUL, &Flatten::default());
    assert_eq!((count(&text, "kernel.segred"), count(&text, "kernel.segmap")), (0, 1), "{text}");
    let text = flattened(MATMUL, &Flatten { inner_reduce: InnerReduce::Parallel });
    assert_eq!((count(&text, "kernel.segred"), count(&text, "kernel.segmap")), (1, 0), "{text}");
}

#[test]
fn sizes_that_must_agree_are_checked_on_entry() {
    let ctx = context();
    let mut ir = parse(&ctx, "dot", DOT);
    flatten(&mut ir, &Flatten::default()).expect("it can be flattened");
    let error = Interpreter::new(&ir).call("main", &[floats(&[3], 1), floats(&[4], 1)]);
    let error = error.expect_err("the sizes differ").to_string();
    assert!(error.contains("size `n`: dimension 0 of parameter #1 differs"), "{error}");
}

#[test]
fn an_effect_inside_a_map_is_refused() {
    let ctx = context();
    let text = "func.func private @unknown(f32)
      func.func @main(%xs: !array.array<[n]f32>) {
        %ys = array.map (%x in %xs : [n]f32) {
          func.call @unknown(%x) : (f32) -> ()
          array.yield %x : f32
        }
        func.return
      }";
    let mut ir = parse(&ctx, "effect", text);
    let error = flatten(&mut ir, &Flatten::default()).expect_err("it cannot be flattened");
    assert!(error.contains("has an effect, which the body of a map must not have"), "{error}");
}
