//! Choices that are made once for each target, when a kernel is compiled for it.
//!
//! One program is compiled for several targets, which share its host code and their kernels' launches. Where a kernel has
//! instructions that older targets lack, it has both versions of a piece of code, of which each target's code keeps one.

use segra_interp::{Cx, Datum, Eval, EvalResult, Flow, Inst, Lanes};
use segra_ir::constraint::{Bool, I64Attr};
use segra_ir::interfaces::Verify;
use segra_ir::{Ir, Op, OpDiagnostics, OpView, op};

/// Whether the target that a kernel is compiled for has at least a compute capability, times ten. The interpreter has all of
/// them.
///
/// ```mlir
/// %has = kernel.target_since 80
/// ```
#[op(
    "kernel.target_since",
    traits(Pure),
    interfaces(Verify, Eval),
    format = "$capability attr-dict"
)]
pub struct TargetSinceOp {
    /// The compute capability, times ten.
    capability: Attr<I64Attr>,
    result: OpResult<Bool>,
}

impl Verify for TargetSinceOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        if TargetSinceOp::from_op(op).capability(ir) < 0 {
            diags.error("attribute `capability` must not be negative");
        }
    }
}

impl Eval for TargetSinceOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            cx.set_result(inst, 0, lane, Datum::bool(true));
        }
        Ok(Flow::Next)
    }
}
