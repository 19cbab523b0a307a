//! Places in shared memory that loops move: what a loop changes of an index becomes the start of an array of its own.
//!
//! ```text
//! scf.for %t {                                          scf.for %t {
//!   %slot = (%t mod 2) * 4096                             %slot = (%t mod 2) * 4096
//!   %at = %slot + %lane + 64                  ==>         %s = memref.reinterpret_cast %x to offset: [%slot], ...
//!   nvgpu.ldmatrix %x[%at] }                              nvgpu.ldmatrix %s[%lane + 64] }
//! ```
//! An address is then a sum of two pointers' parts, of which `%lane` is known in bytes before the loop, and 64 is part of the
//! instruction. Else LLVM makes one number of all bits of the index, since no two summands have a bit in common, and each access of
//! a step scales its own: of the 150 instructions of a step of 32 of a product of bf16 in tiles of 128 by 128, 10 (`benches/README.md`).
//!
//! Legality: an index is a sum in which some summands depend on the innermost loop around, and others do not; arrays of
//! one dimension without an offset. Sums of indices wrap, so their order is free; what is computed is pure already.

use melior::Context;
use melior::ir::attribute::{DenseI32ArrayAttribute, DenseI64ArrayAttribute};
use melior::ir::block::BlockArgument;
use melior::ir::operation::{OperationLike, OperationMutLike, OperationRef};
use melior::ir::r#type::MemRefType;
use melior::ir::{BlockLike, ShapedTypeLike, Type, Value, ValueLike};

use crate::pointer::{emit, parsed, parsed_type};
use crate::session::{error_at, made_by, op_name};
use segra_worker::{ErrorCode, MlirError};

/// The ops whose array and index are their first two operands.
const OPS: [&str; 2] = ["nvgpu.ldmatrix", "nvgpu.device_async_copy"];

/// Most ops that an index is followed through: beyond, it counts as depending on the loop.
const MOST: usize = 256;

/// Whether an op has such a place.
pub(crate) fn has_one(name: &str) -> bool {
    OPS.contains(&name)
}

/// Rewrites the place of an op, where its loop moves it.
pub(crate) fn rewrite<'c>(context: &'c Context, op: OperationRef<'c, '_>) -> Result<(), MlirError> {
    replace(context, op).map_err(|error| {
        let message = format!(
            "the place of `{}` cannot be written apart: {error}",
            op_name(op)
        );
        MlirError::new(
            ErrorCode::KernelContract,
            "a place in shared memory cannot be lowered",
        )
        .with_diagnostics(vec![error_at(op, message)])
    })
}

fn replace<'c>(context: &'c Context, op: OperationRef<'c, '_>) -> Result<(), melior::Error> {
    let Some(looped) = loop_around(op) else {
        return Ok(());
    };
    let (array, index) = (op.operand(0)?, op.operand(1)?);
    let shaped = MemRefType::try_from(array.r#type())?;
    if shaped.rank() != 1 || shaped.strides_and_offset() != (vec![1], 0) {
        return Ok(());
    }
    let mut budget = MOST;
    let (moved, fixed): (Vec<Value<'c, '_>>, Vec<_>) = summands(index)
        .into_iter()
        .partition(|&value| depends(value, looped, &mut budget));
    if moved.is_empty() || fixed.iter().all(|&value| is_constant(value)) {
        return Ok(());
    }
    let space = shaped.memory_space().map(|space| format!(", {space}"));
    let ty = parsed_type(
        context,
        &format!(
            "memref<?x{}, strided<[1], offset: ?>{}>",
            shaped.element(),
            space.unwrap_or_default()
        ),
    )?;
    let ty_of_index = index.r#type();
    let moved = sum(context, op, &moved, ty_of_index)?;
    let fixed = sum(context, op, &fixed, ty_of_index)?;
    let zero = ("value", parsed(context, "0 : index")?);
    let zero = emit(
        context,
        op,
        "arith.constant",
        &[],
        Some(ty_of_index),
        &[zero],
    )?;
    let operands = [array, zero.result(0)?.into()];
    let count = emit(context, op, "memref.dim", &operands, Some(ty_of_index), &[])?;
    let one_number = |value: i64| DenseI64ArrayAttribute::new(context, &[value]).into();
    let attributes = [
        ("static_offsets", one_number(i64::MIN)),
        ("static_sizes", one_number(i64::MIN)),
        ("static_strides", one_number(1)),
        (
            "operandSegmentSizes",
            DenseI32ArrayAttribute::new(context, &[1, 1, 1, 0]).into(),
        ),
    ];
    let operands = [array, moved, count.result(0)?.into()];
    let name = "memref.reinterpret_cast";
    let part = emit(context, op, name, &operands, Some(ty), &attributes)?;
    // The op stands right behind it.
    let mut op = part
        .next_in_block_mut()
        .ok_or(melior::Error::OperationBuild)?;
    op.set_operand(0, part.result(0)?.into());
    op.set_operand(1, fixed);
    Ok(())
}

/// The loop around an op.
fn loop_around<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let mut around = op.parent_operation();
    while let Some(found) = around {
        match &*op_name(found) {
            "scf.for" => return Some(found),
            "gpu.func" => return None,
            _ => around = found.parent_operation(),
        }
    }
    None
}

/// The values that an index is the sum of.
fn summands<'c: 'a, 'a>(index: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let (mut open, mut found) = (vec![index], Vec::new());
    while let Some(value) = open.pop() {
        let sum = made_by(value).filter(|&owner| &*op_name(owner) == "arith.addi");
        match sum.and_then(|sum| sum.operand(0).ok().zip(sum.operand(1).ok())) {
            Some((left, right)) if found.len() + open.len() < MOST => open.extend([right, left]),
            _ => found.push(value),
        }
    }
    found
}

/// Whether a value depends on what a loop carries, or on something in the loop that is no arithmetic.
fn depends<'c>(value: Value<'c, '_>, looped: OperationRef<'c, '_>, budget: &mut usize) -> bool {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        let Some(owner) = made_by(value) else {
            let Ok(argument) = BlockArgument::try_from(value) else {
                return true;
            };
            let around = argument.owner().parent_operation();
            if around.is_some_and(|around| is_inside(around, looped)) {
                return true;
            }
            continue;
        };
        if !is_inside(owner, looped) {
            continue;
        }
        if *budget == 0 || !op_name(owner).starts_with("arith.") {
            return true;
        }
        *budget -= 1;
        open.extend(owner.operands());
    }
    false
}

/// Whether an op is a loop, or in it.
fn is_inside(op: OperationRef<'_, '_>, looped: OperationRef<'_, '_>) -> bool {
    let mut around = Some(op);
    while let Some(found) = around {
        if found == looped {
            return true;
        }
        around = found.parent_operation();
    }
    false
}

fn is_constant(value: Value<'_, '_>) -> bool {
    made_by(value).is_some_and(|made| &*op_name(made) == "arith.constant")
}

fn sum<'c, 'a>(
    context: &'c Context,
    op: OperationRef<'c, 'a>,
    summands: &[Value<'c, 'a>],
    ty: Type<'c>,
) -> Result<Value<'c, 'a>, melior::Error> {
    // Constants last, where the instruction takes them.
    let mut ordered = summands.to_vec();
    ordered.sort_by_key(|&value| is_constant(value));
    let (&first, rest) = ordered.split_first().ok_or(melior::Error::OperationBuild)?;
    let mut all = first;
    for &summand in rest {
        let made = emit(context, op, "arith.addi", &[all, summand], Some(ty), &[])?;
        all = made.result(0)?.into();
    }
    Ok(all)
}
