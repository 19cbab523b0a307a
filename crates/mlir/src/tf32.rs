//! Floats that are rounded to `tf32` and widened again by one instruction, from sm_90 on: `cvt.rn.tf32.f32`, `cvt.rz.tf32.f32`.
//!
//! ```text
//! %t = arith.truncf %x to_nearest_even : f32 to tf32        %w = nvvm.convert.float.to.tf32 %x {rnd = rn} : i32
//! %y = arith.extf %t : tf32 to f32                     ==>  %y = arith.bitcast %w : i32 to f32
//! ```
//! Upstream lowers neither op for `tf32`, a type that LLVM has not.
//!
//! Legality: a scalar of `f32` that becomes one again; ties to even, or toward zero. Before sm_90 there is an instruction that
//! rounds ties away from zero alone, which takes as long as arithmetic.

use melior::Context;
use melior::IrRewriter;
use melior::ir::attribute::IntegerAttribute;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{TypeLike, Value, ValueLike};

use crate::pointer::{emit, parsed, parsed_type};
use crate::session::{error_at, made_by, op_name};
use segra_worker::{ErrorCode, MlirError, Target};

/// The compute capability that has the instruction.
const SINCE: u16 = 90;

/// PTX's names of the rounding modes that it has, by the numbers of `arith`.
const MODES: [(i64, &str); 2] = [(0, "rn"), (3, "rz")];

/// Whether an op is one of the two that round a number and widen it again.
pub(crate) fn is_part(op: OperationRef<'_, '_>) -> bool {
    rounding(op).is_some() || rounded(op).is_some()
}

/// Why a target cannot round a number, where an op does.
pub(crate) fn refusal(op: OperationRef<'_, '_>, target: &Target) -> Option<String> {
    let (_, mode) = rounding(op)?;
    if MODES.iter().all(|row| row.0 != mode) {
        let text = "an instruction rounds to `tf32` to nearest, ties to even, or toward zero; other ways are arithmetic";
        return Some(text.to_owned());
    }
    let chip = target.chip;
    (chip.compute_capability() < SINCE).then(|| {
        format!("to round to `tf32` by an instruction needs sm_{SINCE}, the target is {chip}")
    })
}

/// Rewrites an op if it widens a number of `tf32`; others stay.
pub(crate) fn rewrite<'c>(context: &'c Context, op: OperationRef<'c, '_>) -> Result<(), MlirError> {
    let found = rounded(op).and_then(|(number, mode)| {
        let (_, mode) = MODES.into_iter().find(|row| row.0 == mode)?;
        Some((number, mode))
    });
    let Some(found) = found else { return Ok(()) };
    replace(context, op, found).map_err(|error| {
        let text = error.to_string();
        MlirError::new(
            ErrorCode::Unsupported,
            "a number cannot be rounded to `tf32`",
        )
        .with_diagnostics(vec![error_at(op, text)])
    })
}

/// The number of `f32` that an op rounds, and the number of the way.
fn rounding<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<(Value<'c, 'a>, i64)> {
    if &*op_name(op) != "arith.truncf" || op.result(0).ok()?.r#type().to_string() != "tf32" {
        return None;
    }
    let mode = op.attribute("roundingmode").ok();
    let mode = mode.and_then(|mode| IntegerAttribute::try_from(mode).ok());
    let number = op.operand(0).ok()?;
    let is_single = number.r#type().is_f32();
    is_single.then(|| (number, mode.map_or(0, |mode| mode.value())))
}

/// The same, where an op widens it again.
fn rounded<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<(Value<'c, 'a>, i64)> {
    if &*op_name(op) != "arith.extf" || !op.result(0).ok()?.r#type().is_f32() {
        return None;
    }
    rounding(made_by(op.operand(0).ok()?)?)
}

fn replace<'c>(
    context: &'c Context,
    op: OperationRef<'c, '_>,
    (number, mode): (Value<'c, '_>, &str),
) -> Result<(), melior::Error> {
    let mode = parsed(context, &format!("#nvvm.fp_rnd_mode<{mode}>"))?;
    let word = parsed_type(context, "i32")?;
    let name = "nvvm.convert.float.to.tf32";
    let made = emit(context, op, name, &[number], Some(word), &[("rnd", mode)])?;
    let wide = op.result(0)?.r#type();
    let word = made.result(0)?.into();
    let made = emit(context, op, "arith.bitcast", &[word], Some(wide), &[])?;
    // Nothing uses the rounding any more once all that widens it is replaced: it goes as dead code.
    IrRewriter::new(context)
        .as_rewriter_base()
        .replace_op_with_operation(op, made);
    Ok(())
}
