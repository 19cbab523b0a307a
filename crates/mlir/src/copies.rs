//! Copies to shared memory that threads do not wait for, on chips that have none: they are made where they are issued.
//!
//! From sm_80 on, upstream's `convert-nvgpu-to-nvvm` makes `cp.async` of the ops of `nvgpu`; below, LLVM ends the process on
//! that instruction, so there
//!
//! ```text
//! %t = nvgpu.device_async_copy %x[%i], %s[%j], 4      ==>  %v = llvm.load %p {alignment = 16} : vector<4xf32>
//! %g = nvgpu.device_async_create_group %t                  llvm.store %v, %q {alignment = 16}
//! nvgpu.device_async_wait %g
//! ```
//! which is one of the moments at which the copy may be made: nobody may look at either place before the wait.
//!
//! Legality: what `pointer` asks for, and no number of source elements ([`refusal`]).

use melior::Context;
use melior::IrRewriter;
use melior::ir::attribute::IntegerAttribute;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::r#type::IntegerType;
use melior::ir::{Type, Value, ValueLike};

use crate::fragments;
use crate::pointer::{element_pointer, emit};
use crate::session::{error_at, op_name};
use segra_worker::{ErrorCode, MlirError, Target};

/// The first compute capability with the instruction.
const SINCE: u16 = 80;

const COPY: &str = "nvgpu.device_async_copy";
const GROUP: &str = "nvgpu.device_async_create_group";
const WAIT: &str = "nvgpu.device_async_wait";

/// Whether the target has asynchronous copies.
pub(crate) fn are_native(target: &Target) -> bool {
    target.chip.compute_capability() >= SINCE
}

/// Why an op of `nvgpu` cannot be lowered for `target`, if so.
pub(crate) fn refusal(op: OperationRef<'_, '_>, dialect: &str, target: &Target) -> Option<String> {
    let name = &*op_name(op);
    if dialect != "nvgpu" {
        return None;
    }
    if fragments::is_one(name) {
        return fragments::refusal(op, target);
    }
    if ![COPY, GROUP, WAIT].contains(&name) {
        return Some(format!(
            "`{name}` has no lowering to PTX here; of `nvgpu`, asynchronous copies and matrix fragments have"
        ));
    }
    (name == COPY && op.operand_count() != 4 && !are_native(target)).then(|| {
        format!(
            "`{name}` in this form needs sm_{SINCE}, the target is {}: below it takes arrays of one dimension and no \
             number of source elements",
            target.chip
        )
    })
}

/// Rewrites an op of these for a target without them; others stay.
pub(crate) fn rewrite<'c>(
    context: &'c Context,
    op: OperationRef<'c, '_>,
    target: &Target,
) -> Result<(), MlirError> {
    let name = &*op_name(op);
    if are_native(target) || ![COPY, GROUP, WAIT].contains(&name) {
        return Ok(());
    }
    replace(context, op, name).map_err(|error| {
        let message = format!("`{name}` cannot become a load and a store: {error}");
        MlirError::new(ErrorCode::KernelContract, "a copy cannot be lowered")
            .with_diagnostics(vec![error_at(op, message)])
    })
}

fn replace<'c>(
    context: &'c Context,
    op: OperationRef<'c, '_>,
    name: &str,
) -> Result<(), melior::Error> {
    let rewriter = IrRewriter::new(context);
    let rewriter = rewriter.as_rewriter_base();
    if name == COPY {
        copy(context, op)?;
    }
    if name == WAIT {
        rewriter.erase_op(op);
        return Ok(());
    }
    // Tokens go with the ops that take them.
    let word: Type<'c> = IntegerType::new(context, 32).into();
    let zero = ("value", IntegerAttribute::new(word, 0).into());
    let zero = emit(context, op, "llvm.mlir.constant", &[], Some(word), &[zero])?;
    let token = emit(
        context,
        op,
        "builtin.unrealized_conversion_cast",
        &[zero.result(0)?.into()],
        Some(op.result(0)?.r#type()),
        &[],
    )?;
    rewriter.replace_op_with_values(op, &[token.result(0)?.into()]);
    Ok(())
}

/// The load and the store.
fn copy<'c>(context: &'c Context, op: OperationRef<'c, '_>) -> Result<(), melior::Error> {
    let to = element_pointer(context, op, op.operand(0)?, op.operand(1)?)?;
    let from = element_pointer(context, op, op.operand(2)?, op.operand(3)?)?;
    let count = IntegerAttribute::try_from(op.attribute("dstElements")?)?.value();
    let element = from.r#type;
    let vector = format!("vector<{count}x{element}>");
    let r#type = match count {
        1 => element,
        _ => Type::parse(context, &vector).ok_or(melior::Error::TypeExpected("vector", vector))?,
    };
    let bytes = count * bits(element).ok_or(melior::Error::OperationBuild)? / 8;
    let word = IntegerType::new(context, 64).into();
    let aligned = [("alignment", IntegerAttribute::new(word, bytes).into())];
    let loaded = emit(
        context,
        op,
        "llvm.load",
        &[from.pointer],
        Some(r#type),
        &aligned,
    )?;
    let loaded: Value<'c, '_> = loaded.result(0)?.into();
    emit(
        context,
        op,
        "llvm.store",
        &[loaded, to.pointer],
        None,
        &aligned,
    )?;
    Ok(())
}

/// Bits of a number, by its type's name: `f32`, `bf16`, `i8`.
fn bits(element: Type<'_>) -> Option<i64> {
    let text = element.to_string();
    text.trim_start_matches(|character: char| character.is_ascii_alphabetic())
        .parse()
        .ok()
}
