//! Accesses that thread blocks synchronise by: loads with acquire, stores with release, at the scope of the device.
//!
//! Upstream's memref dialect has no ordered loads and stores. A kernel marks a `memref.load` or `memref.store` with the
//! discardable attribute `segra.memory_order`, and it becomes an atomic access of the LLVM dialect:
//!
//! ```text
//! %x = memref.load %m[%i] {segra.memory_order = "acquire"} : memref<?xi32, #gpu.address_space<global>>
//!   ==>
//! %a = memref.extract_aligned_pointer_as_index %m;  %p = llvm.inttoptr (%a + 4 * %i) : i64 to !llvm.ptr<1>
//! %x = llvm.load %p atomic syncscope("device") acquire {alignment = 4} : !llvm.ptr<1> -> i32
//! ```
//!
//! Legality: one index, elements of type i32 or i64, global memory.

use melior::Context;
use melior::IrRewriter;
use melior::ir::attribute::{IntegerAttribute, StringAttribute};
use melior::ir::operation::{OperationBuilder, OperationLike, OperationRef};
use melior::ir::r#type::IntegerType;
use melior::ir::{Attribute, BlockLike, Identifier, Type, Value, ValueLike};

use crate::error::{ErrorCode, MlirError};
use crate::session::{error_at, op_name};

/// The discardable attribute.
const ATTRIBUTE: &str = "segra.memory_order";

/// Which memory other thread blocks see an access in.
const SCOPE: &str = "device";

/// Rewrites one op if it is marked; others stay.
pub(crate) fn rewrite<'c>(context: &'c Context, op: OperationRef<'c, '_>) -> Result<(), MlirError> {
    let Ok(attribute) = op.attribute(ATTRIBUTE) else { return Ok(()) };
    let order =
        StringAttribute::try_from(attribute).map(|order| order.value().to_owned()).unwrap_or_default();
    let done = match (&*op_name(op), &*order) {
        ("memref.load", "acquire") => load(context, op),
        ("memref.store", "release") => store(context, op),
        _ => Err(melior::Error::OperationBuild),
    };
    done.map_err(|error| {
        let message = format!("`{}` cannot have {ATTRIBUTE} \"{order}\": {error}", op_name(op));
        MlirError::new(ErrorCode::KernelContract, "an ordered access cannot be lowered")
            .with_diagnostics(vec![error_at(op, message)])
    })
}

fn load<'c>(context: &'c Context, op: OperationRef<'c, '_>) -> Result<(), melior::Error> {
    let element = op.result(0)?.r#type();
    let (pointer, bytes) = address(context, op, op.operand(0)?, op.operand(1)?, element)?;
    // 4 is `acquire`.
    let attributes = access(context, bytes, 4);
    let loaded = emit(context, op, "llvm.load", &[pointer], Some(element), &attributes)?.result(0)?;
    IrRewriter::new(context).as_rewriter_base().replace_op_with_values(op, &[loaded.into()]);
    Ok(())
}

fn store<'c>(context: &'c Context, op: OperationRef<'c, '_>) -> Result<(), melior::Error> {
    let value = op.operand(0)?;
    let (pointer, bytes) = address(context, op, op.operand(1)?, op.operand(2)?, value.r#type())?;
    // 5 is `release`.
    let attributes = access(context, bytes, 5);
    emit(context, op, "llvm.store", &[value, pointer], None, &attributes)?;
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

/// The address of an element, and its size.
fn address<'c, 'a>(
    context: &'c Context,
    op: OperationRef<'c, 'a>,
    memref: Value<'c, 'a>,
    index: Value<'c, 'a>,
    element: Type<'c>,
) -> Result<(Value<'c, 'a>, i64), melior::Error> {
    let bytes = match element.to_string().as_str() {
        "i32" => 4,
        "i64" => 8,
        _ => return Err(melior::Error::OperationBuild),
    };
    let (word, index_type) = (IntegerType::new(context, 64).into(), Type::index(context));
    let base = "memref.extract_aligned_pointer_as_index";
    let base: Value = emit(context, op, base, &[memref], Some(index_type), &[])?.result(0)?.into();
    let size = IntegerAttribute::new(index_type, bytes).into();
    let size = emit(context, op, "arith.constant", &[], Some(index_type), &[("value", size)])?;
    let offset = emit(context, op, "arith.muli", &[index, size.result(0)?.into()], Some(index_type), &[])?;
    let sum = emit(context, op, "arith.addi", &[base, offset.result(0)?.into()], Some(index_type), &[])?;
    let sum = emit(context, op, "arith.index_cast", &[sum.result(0)?.into()], Some(word), &[])?;
    let pointer = melior::dialect::llvm::r#type::pointer(context, 1);
    let pointer = emit(context, op, "llvm.inttoptr", &[sum.result(0)?.into()], Some(pointer), &[])?;
    Ok((pointer.result(0)?.into(), bytes))
}

/// Emits an op before `op`, with its location.
fn emit<'c, 'a>(
    context: &'c Context,
    op: OperationRef<'c, 'a>,
    name: &str,
    operands: &[Value<'c, 'a>],
    result: Option<Type<'c>>,
    attributes: &[(&str, Attribute<'c>)],
) -> Result<OperationRef<'c, 'a>, melior::Error> {
    let attributes: Vec<_> =
        attributes.iter().map(|(name, value)| (Identifier::new(context, name), *value)).collect();
    let built = OperationBuilder::new(name, op.location())
        .add_operands(operands)
        .add_results(result.as_slice())
        .add_attributes(&attributes)
        .build()?;
    let block = op.block().ok_or(melior::Error::OperationBuild)?;
    Ok(block.insert_operation_before(op, built))
}
