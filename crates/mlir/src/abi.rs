//! The kernel ABI: rewrites array parameters of kernels from memrefs to global pointers.
//!
//! Upstream offers two calling conventions for memrefs. Descriptors cost five parameters per array and lose
//! `llvm.noalias`, without which loads are not `ld.global.nc`; bare pointers require static shapes. So, before
//! the pipeline runs, every memref parameter of a kernel becomes one `!llvm.ptr<1>` whose descriptor is put
//! together inside the kernel:
//!
//! ```text
//! gpu.func @k(%x: memref<?xf32, #gpu.address_space<global>> {llvm.noalias}) kernel { use %x }
//!   ==>
//! gpu.func @k(%x: !llvm.ptr<1> {llvm.noalias}) kernel {
//!   %u = llvm.mlir.poison            : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)>
//!   … llvm.insertvalue: [1] = %x, [2] = offset 0, [3, 0] = size, [4, 0] = stride 1
//!   %m = builtin.unrealized_conversion_cast %d : !llvm.struct<…> to memref<?xf32, …>
//!   use %m }
//! ```
//!
//! The pipeline dissolves cast and struct; what stays is the pointer. A memref without a memory space is
//! taken as global memory too; an `llvm.addrspacecast`, which LLVM's address space inference removes, adapts it.
//!
//! Legality: identity layout, dynamic in the first dimension at most. The leading size is not known, so
//! nothing may ask for it: the gate refuses `memref.dim` beforehand.

use melior::Context;
use melior::IrRewriter;
use melior::ir::attribute::{DenseI64ArrayAttribute, IntegerAttribute, TypeAttribute};
use melior::ir::operation::{OperationBuilder, OperationLike, OperationMutLike, OperationRef};
use melior::ir::r#type::{DimSize, FunctionType, IntegerType, MemRefType};
use melior::ir::{
    Attribute, BlockLike, BlockRef, Identifier, Location, Operation, RegionLike, ShapedTypeLike,
    Type, Value, ValueLike,
};

use crate::session::{error_at, function_type, mutable, symbol_name};
use segra_worker::{Diagnostic, ErrorCode, MlirError};

/// The leading size put into the descriptor of an array whose size is dynamic. Nothing reads it.
const UNKNOWN_SIZE: i64 = i64::MAX;

/// Rewrites the array parameters of one kernel in place.
pub(crate) fn rewrite_kernel<'c>(
    context: &'c Context,
    kernel: OperationRef<'c, '_>,
) -> Result<(), MlirError> {
    let broken = |what: &str| MlirError::new(ErrorCode::Internal, format!("`gpu.func` {what}"));
    let signature = function_type(kernel).ok_or_else(|| broken("has no function type"))?;
    let entry = kernel
        .first_region()
        .and_then(|region| region.first_block())
        .ok_or_else(|| broken("has no entry block"))?;

    let mut inputs = Vec::with_capacity(signature.input_count());
    for index in 0..signature.input_count() {
        let declared = signature
            .input(index)
            .map_err(|error| broken(&error.to_string()))?;
        let Ok(array) = MemRefType::try_from(declared) else {
            inputs.push(declared);
            continue;
        };
        let shape = Shape::of(array).map_err(|reason| {
            let name = symbol_name(kernel).unwrap_or_default();
            let message =
                format!("parameter {index} of kernel `{name}` has type `{declared}`: {reason}");
            refused(error_at(kernel, message))
        })?;
        rewrite_parameter(context, entry, index, array, &shape)
            .map_err(|error| broken(&error.to_string()))?;
        inputs.push(global_pointer(context));
    }

    let rewritten = TypeAttribute::new(FunctionType::new(context, &inputs, &[]).into());
    let mut handle = mutable(kernel).ok_or_else(|| broken("is not inside a module"))?;
    handle.set_attribute("function_type", rewritten.into());
    Ok(())
}

fn refused(diagnostic: Diagnostic) -> MlirError {
    MlirError::new(
        ErrorCode::KernelContract,
        "a kernel's signature cannot be lowered",
    )
    .with_diagnostics(vec![diagnostic])
}

/// The requirements on a parameter's descriptor.
struct Shape {
    sizes: Vec<i64>,
    strides: Vec<i64>,
    space: Space,
}

/// Where the memref type says the array lies; the parameter itself is always a global pointer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Space {
    Global,
    Generic,
}

impl Shape {
    fn of(array: MemRefType<'_>) -> Result<Self, &'static str> {
        let space = match array
            .memory_space()
            .map(|space| space.to_string())
            .as_deref()
        {
            None => Space::Generic,
            Some("1 : i64" | "#gpu.address_space<global>") => Space::Global,
            Some(_) => return Err("array parameters of kernels must lie in global memory"),
        };
        let rank = array.rank();
        let mut sizes = Vec::with_capacity(rank);
        for dimension in 0..rank {
            let size = array
                .dim_size(dimension)
                .map_err(|_| "its shape cannot be read")?;
            sizes.push(match size {
                DimSize::Static(size) => {
                    i64::try_from(size).map_err(|_| "a dimension is too large")?
                }
                DimSize::Dynamic if dimension == 0 => UNKNOWN_SIZE,
                DimSize::Dynamic => {
                    return Err("only the first dimension of an array parameter may be dynamic");
                }
            });
        }
        let mut strides = vec![1_i64; rank];
        for dimension in (1..rank).rev() {
            strides[dimension - 1] = strides[dimension]
                .checked_mul(sizes[dimension])
                .ok_or("its size overflows 64 bits")?;
        }
        if array.strides_and_offset() != (strides.clone(), 0) {
            return Err("array parameters of kernels must have the identity layout");
        }
        Ok(Self {
            sizes,
            strides,
            space,
        })
    }
}

fn global_pointer(context: &Context) -> Type<'_> {
    melior::dialect::llvm::r#type::pointer(context, 1)
}

/// Turns block argument `index` into a pointer and gives its users a memref made of it.
fn rewrite_parameter<'c>(
    context: &'c Context,
    entry: BlockRef<'c, '_>,
    index: usize,
    array: MemRefType<'c>,
    shape: &Shape,
) -> Result<(), melior::Error> {
    let argument = entry.argument(index)?;
    let pointer = global_pointer(context);
    argument.set_type(pointer);
    let parameter: Value<'c, '_> = argument.into();

    let mut builder = Builder {
        context,
        entry,
        location: ValueLike::location(&parameter),
        position: 0,
    };
    // The first op that takes the parameter is the only one that keeps it when its users are moved over.
    let (base, mut reads_parameter) = match shape.space {
        Space::Global => (parameter, None),
        Space::Generic => {
            let generic = melior::dialect::llvm::r#type::pointer(context, 0);
            let cast = builder.emit("llvm.addrspacecast", &[parameter], Some(generic), &[])?;
            (cast.result(0)?.into(), Some(cast))
        }
    };

    let rank = shape.sizes.len();
    let space = if shape.space == Space::Global {
        "<1>"
    } else {
        ""
    };
    let arrays = if rank == 0 {
        String::new()
    } else {
        format!(", array<{rank} x i64>, array<{rank} x i64>")
    };
    let text = format!("!llvm.struct<(ptr{space}, ptr{space}, i64{arrays})>");
    let descriptor_type =
        Type::parse(context, &text).ok_or(melior::Error::TypeExpected("LLVM struct", text))?;

    let mut descriptor: Value<'c, '_> = builder
        .emit("llvm.mlir.poison", &[], Some(descriptor_type), &[])?
        .result(0)?
        .into();
    let with_pointer = builder.insert(descriptor, base, &[1])?;
    reads_parameter.get_or_insert(with_pointer);
    descriptor = with_pointer.result(0)?.into();
    descriptor = builder.insert_constant(descriptor, 0, &[2])?;
    for (dimension, (size, stride)) in shape.sizes.iter().zip(&shape.strides).enumerate() {
        let dimension = i64::try_from(dimension).unwrap_or(i64::MAX);
        descriptor = builder.insert_constant(descriptor, *size, &[3, dimension])?;
        descriptor = builder.insert_constant(descriptor, *stride, &[4, dimension])?;
    }
    let memref = builder
        .emit(
            "builtin.unrealized_conversion_cast",
            &[descriptor],
            Some(array.into()),
            &[],
        )?
        .result(0)?
        .into();

    if let Some(reader) = reads_parameter {
        IrRewriter::new(context)
            .as_rewriter_base()
            .replace_all_uses_except(parameter, memref, reader);
    }
    Ok(())
}

/// Emits ops at the top of an entry block, in order.
struct Builder<'c, 'a> {
    context: &'c Context,
    entry: BlockRef<'c, 'a>,
    location: Location<'c>,
    position: usize,
}

impl<'c, 'a> Builder<'c, 'a> {
    fn emit(
        &mut self,
        name: &str,
        operands: &[Value<'c, 'a>],
        result: Option<Type<'c>>,
        attributes: &[(&str, Attribute<'c>)],
    ) -> Result<OperationRef<'c, 'a>, melior::Error> {
        let attributes: Vec<_> = attributes
            .iter()
            .map(|(name, value)| (Identifier::new(self.context, name), *value))
            .collect();
        let op: Operation<'c> = OperationBuilder::new(name, self.location)
            .add_operands(operands)
            .add_results(result.as_slice())
            .add_attributes(&attributes)
            .build()?;
        let inserted = self.entry.insert_operation(self.position, op);
        self.position += 1;
        Ok(inserted)
    }

    fn insert(
        &mut self,
        into: Value<'c, 'a>,
        value: Value<'c, 'a>,
        field: &[i64],
    ) -> Result<OperationRef<'c, 'a>, melior::Error> {
        let position = DenseI64ArrayAttribute::new(self.context, field);
        self.emit(
            "llvm.insertvalue",
            &[into, value],
            Some(into.r#type()),
            &[("position", position.into())],
        )
    }

    fn insert_constant(
        &mut self,
        into: Value<'c, 'a>,
        value: i64,
        field: &[i64],
    ) -> Result<Value<'c, 'a>, melior::Error> {
        let i64_type = IntegerType::new(self.context, 64).into();
        let constant = IntegerAttribute::new(i64_type, value);
        let value = self.emit(
            "llvm.mlir.constant",
            &[],
            Some(i64_type),
            &[("value", constant.into())],
        )?;
        Ok(self
            .insert(into, value.result(0)?.into(), field)?
            .result(0)?
            .into())
    }
}
