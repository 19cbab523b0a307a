//! Small pieces of device code on memory: loads, stores and atomics, positions in flat buffers, extents and shapes of
//! memrefs, and the types of their elements. Nothing here knows kernels.

use crate::launch::{constant, mul};
use segra_gpu::host::AllocOp;
use segra_ir::types::DYNAMIC;
use segra_ir::{Builder, Context, Ir, OpView, Type, TypeKind, Value};
pub(crate) use segra_std::memref::{dim_of, extent_of};
use segra_std::{arith, memref};

/// The number 0 of a type.
pub(crate) fn zero(b: &mut Builder<'_>, ty: Type) -> Value {
    let ctx = b.ir.context();
    let attr = match ty.is_float(&ctx) {
        true => ctx.float_bits_attr(0, ty),
        false => ctx.int_attr(0, ty),
    };
    arith::ConstantOp::build(b, attr).result(b.ir)
}

/// One element of a memref.
pub(crate) fn load(b: &mut Builder<'_>, memref: Value, indices: &[Value]) -> Value {
    memref::LoadOp::build(b, memref, indices).result(b.ir)
}

/// Sets one element of a memref.
pub(crate) fn store(b: &mut Builder<'_>, value: Value, memref: Value, at: Value) {
    memref::StoreOp::build(b, value, memref, &[at]);
}

/// Combines an element with a value in one step; the element before.
pub(crate) fn atomic(
    b: &mut Builder<'_>,
    kind: memref::AtomicRmwKind,
    value: Value,
    memref: Value,
    at: Value,
) -> Value {
    let kind = kind.attr(b.ctx());
    memref::AtomicRmwOp::builder()
        .kind(kind)
        .value(value)
        .memref(memref)
        .indices(&[at])
        .build(b)
        .result(b.ir)
}

/// Adds to an integer element in one step; the element before.
pub(crate) fn atomic_add(b: &mut Builder<'_>, value: Value, memref: Value, at: Value) -> Value {
    atomic(b, memref::AtomicRmwKind::Addi, value, memref, at)
}

/// Loads an element that another thread block stores with [`store_release`]: what that block wrote before is seen after.
pub(crate) fn load_acquire(b: &mut Builder<'_>, memref: Value, at: Value) -> Value {
    let loaded = memref::LoadOp::build(b, memref, &[at]);
    let order = b.ctx().str_attr("acquire");
    b.ir.set_attr_named(loaded.op(), memref::MEMORY_ORDER, Some(order));
    loaded.result(b.ir)
}

/// Stores an element for [`load_acquire`].
pub(crate) fn store_release(b: &mut Builder<'_>, value: Value, memref: Value, at: Value) {
    let stored = memref::StoreOp::build(b, value, memref, &[at]);
    let order = b.ctx().str_attr("release");
    b.ir.set_attr_named(stored.op(), memref::MEMORY_ORDER, Some(order));
}

/// A host memref seen flat: `memref<?xT>` over the same memory.
pub(crate) fn flat(b: &mut Builder<'_>, memref: Value) -> Value {
    let ctx = b.ir.context();
    let Some((shape, element)) = b
        .type_of(memref)
        .shaped(&ctx)
        .map(|(shape, element)| (shape.to_vec(), element))
    else {
        return memref;
    };
    if shape == [DYNAMIC] {
        return memref;
    }
    // [`shaped`] made it of an allocation; of others the extents that are said last are known best.
    let ty = ctx.memref(&[DYNAMIC], element, None);
    let view = b.ir.def_as::<memref::ReinterpretCastOp>(memref);
    if let Some(before) = view.map(|view| view.source(b.ir))
        && b.type_of(before) == ty
        && b.ir.def_as::<AllocOp>(before).is_some()
    {
        return before;
    }
    let mut count = constant(b, 1);
    for dim in 0..shape.len() {
        let extent = extent_of(b, memref, dim);
        count = mul(b, count, extent);
    }
    reinterpret(b, memref, &[count], &[], ty)
}

/// A flat host memref seen with extents `sizes`.
pub(crate) fn shaped(b: &mut Builder<'_>, flat: Value, sizes: &[Value], ty: Type) -> Value {
    if b.type_of(flat) == ty {
        return flat;
    }
    let mut strides = Vec::new();
    let mut stride = constant(b, 1);
    for &size in sizes.iter().skip(1).rev() {
        stride = mul(b, stride, size);
        strides.insert(0, stride);
    }
    reinterpret(b, flat, sizes, &strides, ty)
}

/// `memref.reinterpret_cast` with offset 0, the given sizes and outer strides, innermost stride 1.
fn reinterpret(
    b: &mut Builder<'_>,
    source: Value,
    sizes: &[Value],
    outer_strides: &[Value],
    ty: Type,
) -> Value {
    let ctx = b.ir.context();
    let shape = ty
        .shaped(&ctx)
        .map(|shaped| shaped.0.to_vec())
        .unwrap_or_default();
    let dynamic_sizes: Vec<Value> = sizes
        .iter()
        .zip(&shape)
        .filter(|row| *row.1 == DYNAMIC)
        .map(|row| *row.0)
        .collect();
    // A row-major type has static strides where the inner extents are static.
    let mut static_strides = vec![1i64; shape.len()];
    for dim in (0..shape.len().saturating_sub(1)).rev() {
        let (inner, extent) = (static_strides[dim + 1], shape[dim + 1]);
        static_strides[dim] = if inner == DYNAMIC || extent == DYNAMIC {
            DYNAMIC
        } else {
            inner * extent
        };
    }
    let dynamic_strides: Vec<Value> = outer_strides
        .iter()
        .zip(&static_strides)
        .filter(|row| *row.1 == DYNAMIC)
        .map(|row| *row.0)
        .collect();
    let (offsets, static_sizes, static_strides) = (
        ctx.dense_i64_attr(&[0]),
        ctx.dense_i64_attr(&shape),
        ctx.dense_i64_attr(&static_strides),
    );
    memref::ReinterpretCastOp::builder()
        .source(source)
        .sizes(&dynamic_sizes)
        .strides(&dynamic_strides)
        .static_offsets(offsets)
        .static_sizes(static_sizes)
        .static_strides(static_strides)
        .result_type(ty)
        .build(b)
        .result(b.ir)
}

/// The element type of a tensor or memref type, or the type itself.
pub(crate) fn element_type(ir: &Ir, ty: Type) -> Type {
    match ir.ctx().type_kind(ty) {
        TypeKind::Tensor { element, .. } | TypeKind::MemRef { element, .. } => *element,
        _ => ty,
    }
}

/// Bits of a number; `None` for types without a width of their own (`index`).
pub(crate) fn bit_width(ctx: &Context, ty: Type) -> Option<u32> {
    match ctx.type_kind(ty) {
        TypeKind::Integer { width, .. } => Some(*width),
        TypeKind::Float(kind) => Some(kind.width()),
        _ => None,
    }
}

/// Bytes a number takes in memory.
pub(crate) fn byte_width(ir: &Ir, value: Value) -> i64 {
    i64::from(
        bit_width(ir.ctx(), ir.value_type(value))
            .unwrap_or(64)
            .max(8),
    ) / 8
}
