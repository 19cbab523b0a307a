//! Software pipelining by itself: what it makes, that it keeps results, what it refuses.

mod support;

use segra_interp::Datum;
use segra_ir::{Ir, OpView};
use segra_schedule::tile::pipeline;
use segra_space::Target;
use segra_std::scf::ForOp;
use support::{count, floats, keeps, parse, text};

/// Sums of windows: a block adds up tiles of 8 elements, each of which its threads copy.
const WINDOWS: &str = "func.func @main(%xs: tensor<?x?xf32>) -> tensor<?x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n = tensor.dim %xs, %c0 : tensor<?x?xf32>
  %m = tensor.dim %xs, %c1 : tensor<?x?xf32>
  %tiles = arith.divui %m, %c8 : index
  %r = kernel.segmap block (%i < %n) -> (tensor<?x8xf32>) {
    %zeros = kernel.segmap thread (%p < %c8) -> (tensor<8xf32>) {
      kernel.return %zero : f32
    }
    %s = scf.for %t = %c0 to %tiles step %c1 iter_args(%accs = %zeros) -> (tensor<8xf32>) {
      %first = arith.muli %t, %c8 : index
      %tile = kernel.segmap thread (%e < %c8) -> (tensor<8xf32>) {
        %at = arith.addi %first, %e : index
        %x = tensor.extract %xs[%i, %at] : tensor<?x?xf32>
        kernel.return %x : f32
      }
      %next = kernel.segmap thread (%p < %c8) -> (tensor<8xf32>) {
        %acc = tensor.extract %accs[%p] : tensor<8xf32>
        %x = tensor.extract %tile[%p] : tensor<8xf32>
        %y = arith.addf %acc, %x : f32
        kernel.return %y : f32
      }
      scf.yield %next : tensor<8xf32>
    }
    kernel.return %s : tensor<8xf32>
  }
  func.return %r : tensor<?x8xf32>
}";

fn inputs() -> Vec<Vec<Datum>> {
    [[1, 0], [1, 8], [2, 16], [3, 24], [1, 40], [0, 16]]
        .iter()
        .map(|shape| vec![floats(shape, shape[1])])
        .collect()
}

fn looped(ir: &Ir) -> ForOp {
    let mut ops = ir.walk(ir.root()).into_iter();
    ops.find_map(|op| ir.cast(op)).expect("there is a loop")
}

#[test]
fn copies_are_carried_from_the_steps_before() {
    for stages in [2, 3, 5] {
        keeps(WINDOWS, &inputs(), |ir| {
            assert_eq!(
                pipeline(ir, looped(ir), stages, Target::CUDA.shared_bytes),
                Ok(1)
            );
            let carried = looped(ir).init_args(ir).len();
            assert_eq!(
                carried as i64, stages,
                "the sums, and a tile per step ahead"
            );
            assert_eq!(count(ir, "scf.if") as i64, stages);
        });
    }
}

#[test]
fn what_a_copy_needs_of_the_step_is_computed_for_the_next_one() {
    let mut ir = parse(WINDOWS);
    let windows = looped(&ir);
    pipeline(&mut ir, windows, 2, Target::CUDA.shared_bytes).expect("it copies");
    let products = ir.walk(looped(&ir).op()).into_iter();
    let products = products.filter(|&op| ir.op_name_str(op) == "arith.muli");
    assert_eq!(products.count(), 2, "this step's, and the next one's");
}

#[test]
fn what_is_not_known_before_a_step_stays() {
    let refused = |from: &str, to: &str| {
        let program = WINDOWS.replace(from, to);
        assert_ne!(program, WINDOWS);
        let mut ir = parse(&program);
        let before = text(&ir);
        let windows = looped(&ir);
        let refusal = pipeline(&mut ir, windows, 2, Target::CUDA.shared_bytes).expect_err(to);
        assert_eq!(before, text(&ir), "nothing was changed");
        refusal.reason
    };
    let nothing = "has a loop that copies nothing that is known before its steps";
    // Not a copy.
    let doubled =
        "%y = arith.addf %x, %x : f32\n        kernel.return %y : f32\n      }\n      %next";
    assert_eq!(
        refused("kernel.return %x : f32\n      }\n      %next", doubled),
        nothing
    );
    // The place depends on what the loop carries.
    let carried = "%old = tensor.extract %accs[%c0] : tensor<8xf32>\n\
                   %far = arith.cmpf ogt, %old, %zero : f32\n\
                   %first = arith.select %far, %c0, %c8 : index";
    assert_eq!(
        refused("%first = arith.muli %t, %c8 : index", carried),
        nothing
    );
    // A read that may be out of range is reported by its own step.
    assert_eq!(
        refused("%xs[%i, %at] :", "%xs[%i, %at] {kernel.checked} :"),
        nothing
    );
    // Tiles of 32 KiB, twice.
    let many = "has a loop that copies more than shared memory holds so often";
    let large = WINDOWS
        .replace("%c8", "%big")
        .replace("constant 8 ", "constant 8192 ");
    let large = large.replace("tensor<8xf32>", "tensor<8192xf32>");
    let mut ir = parse(&large.replace("tensor<?x8xf32>", "tensor<?x8192xf32>"));
    let windows = looped(&ir);
    let refusal = pipeline(&mut ir, windows, 2, Target::CUDA.shared_bytes).expect_err("64 KiB");
    assert_eq!(refusal.reason, many);
    let counts = "has no loop that counts from 0 by ones in a point of a thread block";
    assert_eq!(refused("%t = %c0 to", "%t = %c1 to"), counts);
}

#[test]
fn one_stage_is_no_pipeline() {
    let mut ir = parse(WINDOWS);
    let windows = looped(&ir);
    assert!(pipeline(&mut ir, windows, 1, Target::CUDA.shared_bytes).is_err());
}
