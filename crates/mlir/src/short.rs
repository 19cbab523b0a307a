//! Loops of few iterations, such as the rest of a vector: LLVM is told not to unroll them.
//!
//! ```text
//! %end = arith.minsi (%start + 4), %n
//! scf.for %i = %start to %end step 1 { ... }    ==>    the same with {loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
//! ```
//! It would make four copies of the body, behind a test that holds once, and a loop for the others.
//!
//! Legality: a hint, which changes no result. A loop whose bounds are constants is left to LLVM, which writes it out.

use melior::Context;
use melior::ir::Value;
use melior::ir::operation::{OperationLike, OperationMutLike, OperationRef};

use crate::pointer::parsed;
use crate::session::{constant, made_by, mutable, op_name};
use segra_worker::{ErrorCode, MlirError};

/// The op.
pub(crate) const OP: &str = "scf.for";

/// Most iterations of such a loop: as many copies as LLVM makes where it does not know their number.
const FEW: i64 = 4;

/// Marks a loop of few iterations; others stay.
pub(crate) fn mark<'c>(context: &'c Context, op: OperationRef<'c, '_>) -> Result<(), MlirError> {
    if most_iterations(op).is_none_or(|most| most > FEW) {
        return Ok(());
    }
    let hint = parsed(context, "#llvm.loop_annotation<unroll = <disable = true>>");
    match (hint, mutable(op)) {
        (Ok(hint), Some(mut op)) => {
            op.set_attribute("loop_annotation", hint);
            Ok(())
        }
        _ => Err(MlirError::new(
            ErrorCode::Internal,
            "a loop cannot be marked as short",
        )),
    }
}

/// The most iterations of a loop to the lesser of something and its start plus a constant.
fn most_iterations(op: OperationRef<'_, '_>) -> Option<i64> {
    let (start, end, step) = (
        op.operand(0).ok()?,
        op.operand(1).ok()?,
        op.operand(2).ok()?,
    );
    let step = constant(step).filter(|&step| step > 0)?;
    let end = made_by(end).filter(|&end| op_name(end) == "arith.minsi")?;
    let near = |bound: Value<'_, '_>| {
        let sum = made_by(bound).filter(|&sum| op_name(sum) == "arith.addi")?;
        let (left, right) = (sum.operand(0).ok()?, sum.operand(1).ok()?);
        (left == start).then(|| constant(right)).flatten()
    };
    let distance = near(end.operand(0).ok()?).or_else(|| near(end.operand(1).ok()?))?;
    (distance > 0).then(|| 1 + (distance - 1) / step)
}
