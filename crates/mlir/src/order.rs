//! Accesses that thread blocks synchronise by: loads with acquire, stores with release, at the scope of the device.
//!
//! Upstream's memref dialect has no ordered loads and stores. A kernel marks a `memref.load` or `memref.store` with the
//! discardable attribute `segra.memory_order`, and it becomes an atomic access of the LLVM dialect:
//!
//! ```text
//! %x = memref.load %m[%i] {segra.memory_order = "acquire"} : memref<?xi32, #gpu.address_space<global>>
//!   ==>
//! %p = (the element's address, see `pointer`)
//! %x = llvm.load %p atomic syncscope("device") acquire {alignment = 4} : !llvm.ptr<1> -> i32
//! ```
//!
//! Legality: elements of type i32 or i64 in global memory, and what `pointer` asks for.

use melior::Context;
use melior::IrRewriter;
use melior::ir::attribute::{IntegerAttribute, StringAttribute};
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::r#type::IntegerType;
use melior::ir::{Attribute, Value, ValueLike};

use crate::pointer::{Space, element_pointer, emit};
use crate::session::{error_at, op_name};
use segra_worker::{ErrorCode, MlirError};

/// The discardable attribute.
const ATTRIBUTE: &str = "segra.memory_order";

/// Which memory other thread blocks see an access in.
const SCOPE: &str = "device";

/// Rewrites one op if it is marked; others stay.
pub(crate) fn rewrite<'c>(context: &'c Context, op: OperationRef<'c, '_>) -> Result<(), MlirError> {
    let Ok(attribute) = op.attribute(ATTRIBUTE) else {
        return Ok(());
    };
    let order = StringAttribute::try_from(attribute)
        .map(|order| order.value().to_owned())
        .unwrap_or_default();
    let done = match (&*op_name(op), &*order) {
        ("memref.load", "acquire") => load(context, op),
        ("memref.store", "release") => store(context, op),
        _ => Err(melior::Error::OperationBuild),
    };
    done.map_err(|error| {
        let message = format!(
            "`{}` cannot have {ATTRIBUTE} \"{order}\": {error}",
            op_name(op)
        );
        MlirError::new(
            ErrorCode::KernelContract,
            "an ordered access cannot be lowered",
        )
        .with_diagnostics(vec![error_at(op, message)])
    })
}

/// The address of an element in global memory, and its size.
fn address<'c, 'a>(
    context: &'c Context,
    op: OperationRef<'c, 'a>,
    memref: Value<'c, 'a>,
    index: Value<'c, 'a>,
) -> Result<(Value<'c, 'a>, i64), melior::Error> {
    let element = element_pointer(context, op, memref, index)?;
    let bytes = match element.r#type.to_string().as_str() {
        "i32" => 4,
        "i64" => 8,
        _ => return Err(melior::Error::OperationBuild),
    };
    if element.space == Space::Shared {
        Err(melior::Error::OperationBuild)
    } else {
        Ok((element.pointer, bytes))
    }
}

fn load<'c>(context: &'c Context, op: OperationRef<'c, '_>) -> Result<(), melior::Error> {
    let element = op.result(0)?.r#type();
    let (pointer, bytes) = address(context, op, op.operand(0)?, op.operand(1)?)?;
    // 4 is `acquire`.
    let attributes = access(context, bytes, 4);
    let loaded = emit(
        context,
        op,
        "llvm.load",
        &[pointer],
        Some(element),
        &attributes,
    )?
    .result(0)?;
    IrRewriter::new(context)
        .as_rewriter_base()
        .replace_op_with_values(op, &[loaded.into()]);
    Ok(())
}

fn store<'c>(context: &'c Context, op: OperationRef<'c, '_>) -> Result<(), melior::Error> {
    let value = op.operand(0)?;
    let (pointer, bytes) = address(context, op, op.operand(1)?, op.operand(2)?)?;
    // 5 is `release`.
    let attributes = access(context, bytes, 5);
    emit(
        context,
        op,
        "llvm.store",
        &[value, pointer],
        None,
        &attributes,
    )?;
    IrRewriter::new(context).as_rewriter_base().erase_op(op);
    Ok(())
}

fn access(context: &Context, bytes: i64, ordering: i64) -> Vec<(&'static str, Attribute<'_>)> {
    let i64_type = IntegerType::new(context, 64).into();
    vec![
        ("alignment", IntegerAttribute::new(i64_type, bytes).into()),
        ("ordering", IntegerAttribute::new(i64_type, ordering).into()),
        ("syncscope", StringAttribute::new(context, SCOPE).into()),
    ]
}
