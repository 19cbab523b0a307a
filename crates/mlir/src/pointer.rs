//! Addresses of elements, for accesses that upstream's memref dialect does not have.
//!
//! ```text
//! (element %i of %m : memref<?xi32, #gpu.address_space<global>>)
//!   ==>
//! %d = builtin.unrealized_conversion_cast %m : … to !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)>
//! %b = llvm.extractvalue %d[1];  %w = arith.index_cast %i : index to i64
//! %p = llvm.getelementptr %b[%w] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
//! ```
//!
//! The conversion to the LLVM dialect makes the same descriptor of the memref, and the casts dissolve.
//!
//! Legality: one dimension, identity layout, in global memory (spelt out, or not: an array without a space is a kernel's
//! parameter) or in shared memory.

use melior::Context;
use melior::ir::attribute::{DenseI32ArrayAttribute, DenseI64ArrayAttribute, TypeAttribute};
use melior::ir::operation::{OperationBuilder, OperationLike, OperationRef};
use melior::ir::r#type::{IntegerType, MemRefType};
use melior::ir::{
    Attribute, BlockLike, Identifier, Location, Operation, ShapedTypeLike, Type, Value, ValueLike,
};

/// Where an element lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    Global,
    Shared,
}

/// An element of an array.
pub(crate) struct Element<'c, 'a> {
    pub(crate) pointer: Value<'c, 'a>,
    pub(crate) r#type: Type<'c>,
    pub(crate) space: Space,
}

/// Emits before `op` what computes the address of `memref[index]`.
pub(crate) fn element_pointer<'c, 'a>(
    context: &'c Context,
    op: OperationRef<'c, 'a>,
    memref: Value<'c, 'a>,
    index: Value<'c, 'a>,
) -> Result<Element<'c, 'a>, melior::Error> {
    let array = MemRefType::try_from(memref.r#type())?;
    let element = array.element();
    if array.rank() != 1 || array.strides_and_offset() != (vec![1], 0) {
        return Err(melior::Error::OperationBuild);
    }
    // In LLVM's numbering; memory without a space is generic in descriptors, and global by the kernels' contract.
    let (number, space) = match array
        .memory_space()
        .map(|space| space.to_string())
        .as_deref()
    {
        None => (0, Space::Global),
        Some("1 : i64" | "#gpu.address_space<global>") => (1, Space::Global),
        Some("3 : i64" | "#gpu.address_space<workgroup>") => (3, Space::Shared),
        Some(_) => return Err(melior::Error::OperationBuild),
    };
    let own = melior::dialect::llvm::r#type::pointer(context, number);
    let sized = format!("!llvm.struct<({own}, {own}, i64, array<1 x i64>, array<1 x i64>)>");
    let descriptor =
        Type::parse(context, &sized).ok_or(melior::Error::TypeExpected("LLVM struct", sized))?;
    let cast = emit(
        context,
        op,
        "builtin.unrealized_conversion_cast",
        &[memref],
        Some(descriptor),
        &[],
    )?;
    let position = (
        "position",
        DenseI64ArrayAttribute::new(context, &[1]).into(),
    );
    let base = emit(
        context,
        op,
        "llvm.extractvalue",
        &[cast.result(0)?.into()],
        Some(own),
        &[position],
    )?;
    let mut base: Value<'c, 'a> = base.result(0)?.into();
    let pointer = melior::dialect::llvm::r#type::pointer(context, number.max(1));
    if number == 0 {
        base = emit(
            context,
            op,
            "llvm.addrspacecast",
            &[base],
            Some(pointer),
            &[],
        )?
        .result(0)?
        .into();
    }
    let word = IntegerType::new(context, 64).into();
    let index = emit(context, op, "arith.index_cast", &[index], Some(word), &[])?
        .result(0)?
        .into();
    let attributes = [
        ("elem_type", TypeAttribute::new(element).into()),
        // Upstream's mark of an index that is an operand.
        (
            "rawConstantIndices",
            DenseI32ArrayAttribute::new(context, &[i32::MIN]).into(),
        ),
    ];
    let address = emit(
        context,
        op,
        "llvm.getelementptr",
        &[base, index],
        Some(pointer),
        &attributes,
    )?;
    Ok(Element {
        pointer: address.result(0)?.into(),
        r#type: element,
        space,
    })
}

/// Emits an op before `op`, with its location.
pub(crate) fn emit<'c, 'a>(
    context: &'c Context,
    op: OperationRef<'c, 'a>,
    name: &str,
    operands: &[Value<'c, 'a>],
    result: Option<Type<'c>>,
    attributes: &[(&str, Attribute<'c>)],
) -> Result<OperationRef<'c, 'a>, melior::Error> {
    let built = build(context, op.location(), name, operands, result, attributes)?;
    let block = op.block().ok_or(melior::Error::OperationBuild)?;
    Ok(block.insert_operation_before(op, built))
}

/// The attribute, and the type, that a text stands for.
pub(crate) fn parsed<'c>(context: &'c Context, text: &str) -> Result<Attribute<'c>, melior::Error> {
    Attribute::parse(context, text).ok_or(melior::Error::OperationBuild)
}

pub(crate) fn parsed_type<'c>(context: &'c Context, text: &str) -> Result<Type<'c>, melior::Error> {
    Type::parse(context, text).ok_or_else(|| melior::Error::TypeExpected("a type", text.to_owned()))
}

/// An op without regions.
pub(crate) fn build<'c>(
    context: &'c Context,
    location: Location<'c>,
    name: &str,
    operands: &[Value<'c, '_>],
    result: Option<Type<'c>>,
    attributes: &[(&str, Attribute<'c>)],
) -> Result<Operation<'c>, melior::Error> {
    let attributes: Vec<_> = attributes
        .iter()
        .map(|(name, value)| (Identifier::new(context, name), *value))
        .collect();
    OperationBuilder::new(name, location)
        .add_operands(operands)
        .add_results(result.as_slice())
        .add_attributes(&attributes)
        .build()
}
