//! Flattening keeps results: programs run in the reference interpreter before and after, on random inputs.

mod support;

use segra_flatten::{Flatten, InnerReduce};
use segra_interp::{Datum, Interpreter};
use support::{context, count, flatten, flattened, floats, ints, parse, same};

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
        same(
            "axpy",
            AXPY,
            &[Datum::F32(1.5), floats(&[n], 1), floats(&[n], 2)],
        );
        same("dot", DOT, &[floats(&[n], 1), floats(&[n], 2)]);
        same("prefix_sum", PREFIX_SUM, &[ints(&[n], 3)]);
    }
}

#[test]
fn nests_keep_their_results() {
    for (n, m) in [(1, 1), (3, 5), (7, 2), (5, 0)] {
        same("matvec", MATVEC, &[floats(&[n, m], 1), floats(&[m], 2)]);
        same(
            "matvec_transposed",
            MATVEC_TRANSPOSED,
            &[floats(&[n, m], 1), floats(&[n], 2)],
        );
        same("softmax", SOFTMAX, &[floats(&[n, m], 4)]);
        same("matmul", MATMUL, &[floats(&[n, m], 1), floats(&[m, 4], 2)]);
    }
}

#[test]
fn loops_and_pairs_keep_their_results() {
    same(
        "mandelbrot",
        MANDELBROT,
        &[Datum::Int(5), Datum::Int(7), Datum::Int(20)],
    );
    let inputs = [
        floats(&[4], 1),
        floats(&[4], 2),
        floats(&[9], 3),
        floats(&[9], 5),
    ];
    same("nearest", NEAREST, &inputs);
}

#[test]
fn softmax_becomes_two_reductions_and_two_maps() {
    let text = flattened(SOFTMAX, &Flatten::default());
    assert_eq!(
        (count(&text, "kernel.segred"), count(&text, "kernel.segmap")),
        (2, 2),
        "{text}"
    );
}

#[test]
fn a_matrix_product_reduces_in_each_thread_unless_asked_otherwise() {
    let text = flattened(MATMUL, &Flatten::default());
    assert_eq!(
        (count(&text, "kernel.segred"), count(&text, "kernel.segmap")),
        (0, 1),
        "{text}"
    );
    let text = flattened(
        MATMUL,
        &Flatten {
            inner_reduce: InnerReduce::Parallel,
            ..Flatten::default()
        },
    );
    assert_eq!(
        (count(&text, "kernel.segred"), count(&text, "kernel.segmap")),
        (1, 0),
        "{text}"
    );
}

#[test]
fn sizes_that_must_agree_are_checked_on_entry() {
    let ctx = context();
    let mut ir = parse(&ctx, "dot", DOT);
    flatten(&mut ir, &Flatten::default()).expect("it can be flattened");
    let error = Interpreter::new(&ir).call("main", &[floats(&[3], 1), floats(&[4], 1)]);
    let error = error.expect_err("the sizes differ").to_string();
    assert!(
        error.contains("size `n`: dimension 0 of parameter #1 differs"),
        "{error}"
    );
}

#[test]
fn recursion_in_bodies_and_operators_is_named() {
    let recursive = "func.func @g(%a: f32, %b: f32) -> f32 {
        %0 = func.call @h(%a, %b) : (f32, f32) -> f32
        func.return %0 : f32
      }
      func.func @h(%a: f32, %b: f32) -> f32 {
        %0 = func.call @g(%a, %b) : (f32, f32) -> f32
        func.return %0 : f32
      }";
    let map = "func.func @main(%xs: !array.array<[n]f32>) {
        %ys = array.map (%x in %xs : [n]f32) {
          %y = func.call @g(%x, %x) : (f32, f32) -> f32
          array.yield %y : f32
        }
        func.return
      }";
    let reduce = "func.func @main(%xs: !array.array<[n]f32>, %z: f32) {
        %y = array.reduce (%xs : [n]f32) init (%z : f32) neutral (%z : f32) combine (%a, %b) {
          %c = func.call @g(%a, %b) : (f32, f32) -> f32
          array.yield %c : f32
        }
        func.return
      }";
    for main in [map, reduce] {
        let ctx = context();
        let mut ir = parse(&ctx, "recursion", &format!("{recursive}\n{main}"));
        let error = flatten(&mut ir, &Flatten::default()).expect_err("kernels do not recurse");
        assert!(
            error.contains("calls @g, which calls itself: a kernel has no recursion"),
            "{error}"
        );
    }
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
    assert!(
        error.contains("has an effect, which the body of a map must not have"),
        "{error}"
    );
}
