//! The split of a reduction by itself: what it makes, that it keeps results, what it refuses.

mod support;

use segra_interp::{Datum, Elem};
use segra_ir::{Builder, Ir, OpView};
use segra_kernel::segop::SegMapOp;
use segra_schedule::tile::{Refusal, split};
use segra_std::arith;
use support::{count, factors, keeps, loops, numbers, parse, segmaps, text};

/// Sums of products that start with an element, with code after them.
const PRODUCT: &str =
    "func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %u = tensor.dim %a, %c1 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %start = arith.constant 3.0 : f32
  %r = kernel.segmap thread (%i < %m, %j < %n) -> (tensor<?x?xf32>) {
    %s = scf.for %k = %c0 to %u step %c1 iter_args(%acc = %start) -> (f32) {
      %x = tensor.extract %a[%i, %k] : tensor<?x?xf32>
      %y = tensor.extract %b[%k, %j] : tensor<?x?xf32>
      %p = arith.mulf %x, %y : f32
      %next = arith.addf %acc, %p : f32
      scf.yield %next : f32
    } {kernel.reduction}
    kernel.return %s : f32
  }
  func.return %r : tensor<?x?xf32>
}";

fn products() -> Vec<Vec<Datum>> {
    factors(&[
        (0, 3, 2),
        (3, 0, 2),
        (1, 1, 1),
        (2, 8, 3),
        (2, 61, 3),
        (3, 64, 1),
    ])
}

/// Splits the only loop into so many parts of multiples of four steps.
fn in_parts(ir: &mut Ir, parts: i64) -> Result<SegMapOp, Refusal> {
    let segmap = segmaps(ir)[0];
    let looped = loops(ir, segmap)[0];
    let mut b = Builder::before(ir, segmap.op());
    let parts = arith::ConstantOp::index(&mut b, parts);
    split(ir, segmap, looped, (parts, 4))
}

#[test]
fn parts_of_a_loop_are_combined_by_a_second_nest() {
    for parts in [1, 2, 3, 7, 64] {
        keeps(PRODUCT, &products(), |ir| {
            let made = in_parts(ir, parts).expect("it is a sum");
            assert_eq!(made.sizes(ir).len(), 3, "parts, rows, columns");
            assert_eq!(segmaps(ir).len(), 2, "the parts, and all together");
            assert_eq!(count(ir, "tensor.reshape"), 1, "one part needs no second");
        });
    }
}

#[test]
fn code_after_the_loop_is_run_once_it_is_whole() {
    let program = PRODUCT.replace(
        "    kernel.return %s : f32",
        "    %w = arith.mulf %s, %s : f32
    kernel.return %w : f32",
    );
    for parts in [1, 3] {
        keeps(&program, &products(), |ir| {
            in_parts(ir, parts).expect("it is a sum");
            assert_eq!(count(ir, "tensor.reshape"), 0);
        });
    }
}

#[test]
fn operators_with_a_neutral_element_are_split_and_no_others() {
    let with = |op: &str| PRODUCT.replace("arith.addf %acc, %p", &format!("arith.{op} %acc, %p"));
    for op in ["addf", "mulf", "maximumf", "minimumf"] {
        // Products of more are rounded.
        let all = products();
        let inputs = if op == "mulf" { &all[..3] } else { &all[..] };
        for parts in [2, 5] {
            keeps(&with(op), inputs, |ir| {
                in_parts(ir, parts).unwrap_or_else(|refusal| panic!("{op}: {refusal}"));
            });
        }
    }
    let words = |op: &str| {
        let words = PRODUCT.replace("f32", "i32").replace("3.0", "3");
        let words = words
            .replace("arith.mulf", "arith.muli")
            .replace(" {kernel.reduction}", "");
        words.replace("arith.addf", &format!("arith.{op}"))
    };
    let words_of = |shape: [usize; 2]| numbers(Elem::I32, &shape, shape[1]);
    let inputs = vec![words_of([2, 61]), words_of([61, 3])];
    for op in [
        "addi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui",
    ] {
        keeps(&words(op), std::slice::from_ref(&inputs), |ir| {
            in_parts(ir, 3).unwrap_or_else(|refusal| panic!("{op}: {refusal}"));
        });
    }
    // The largest float is found in any order, sums are only where the program says so.
    let plain = |op: &str| with(op).replace(" {kernel.reduction}", "");
    keeps(&plain("maximumf"), &products(), |ir| {
        in_parts(ir, 2).expect("its order does not matter");
    });
    let stays = |program: &str| {
        let mut ir = parse(program);
        let before = text(&ir);
        let segmap = segmaps(&ir)[0];
        let looped = loops(&ir, segmap)[0];
        let parts = looped.upper_bound(&ir);
        let refusal = split(&mut ir, segmap, looped, (parts, 4)).expect_err("it cannot be split");
        assert!(refusal.reason.contains("not combined"), "{refusal}");
        assert_eq!(before, text(&ir), "nothing was changed");
    };
    stays(&plain("addf"));
    stays(&with("subf"));
    // Each step needs what the one before has made.
    stays(&PRODUCT.replace("arith.mulf %x, %y", "arith.mulf %x, %acc"));
}
