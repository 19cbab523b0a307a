//! How large arrays of points may be whose extents differ between points.
//!
//! A thread's arrays lie in memory that is allocated before the launch, the same for each point. Where an extent is known at a
//! point only, the pass `bound-arrays` finds the largest number of elements before the op runs, and this op says it.

use crate::segop::SegmentedOp;
use segra_interp::{Cx, Eval, EvalResult, Flow, Inst, Lanes};
use segra_ir::constraint::Index;
use segra_ir::interfaces::Verify;
use segra_ir::{Ir, Op, OpDiagnostics, OpView, op};

/// The most elements of an array that a point of the segmented op around makes, where its extents are known at the point only.
///
/// ```mlir
/// kernel.segmap thread (%p < %n) {
///   kernel.bound_arrays %most
///   %k = ...
///   %list = tensor.empty(%k) : tensor<?xf32>
/// ```
/// The number is one of the host. It changes no result; the interpreter ignores it. It is a promise that nothing checks: a larger
/// array does not fit its memory on the device.
#[op(
    "kernel.bound_arrays",
    interfaces(Verify, Eval),
    format = "$most attr-dict"
)]
pub struct BoundArraysOp {
    /// Elements of the largest array, of all points.
    most: Operand<Index>,
}

impl BoundArraysOp {
    /// The bound of the points of a segmented op.
    pub fn of(ir: &Ir, segmented: Op) -> Option<BoundArraysOp> {
        let body = ir
            .interface::<dyn SegmentedOp>(segmented)?
            .body(ir, segmented);
        let block = ir.entry_block(body)?;
        ir.ops(block).find_map(|op| ir.cast::<BoundArraysOp>(op))
    }
}

impl Verify for BoundArraysOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let bound = BoundArraysOp::from_op(op);
        let around = ir.block_of(op).and_then(|block| ir.block_parent(block));
        let segmented = around.filter(|&around| ir.interface::<dyn SegmentedOp>(around).is_some());
        let Some(segmented) = segmented else {
            diags.error("must stand in the body of a segmented op");
            return;
        };
        if ir.is_defined_inside(bound.most(ir), segmented) {
            diags.error("must have a number that is known before the segmented op runs");
        }
        if BoundArraysOp::of(ir, segmented).is_none_or(|first| first.op() != op) {
            diags.error("must be the only one, in the body of the segmented op");
        }
    }
}

impl Eval for BoundArraysOp {
    fn eval(&self, _: &mut Cx<'_>, _: &Inst, _: &Lanes) -> EvalResult {
        Ok(Flow::Next)
    }
}
