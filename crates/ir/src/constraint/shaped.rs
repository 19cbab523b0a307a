//! Constraints on vectors, tensors and memrefs, and on mixtures of them with scalars, as upstream's dialects have them.

use super::{TypeConstraint, elementwise, elementwise_or_memref, is_signless};
use crate::context::Context;
use crate::layout::strides_and_offset;
use crate::types::{DYNAMIC, Type, TypeKind};

type_constraints! {
    /// A signless integer of a fixed width, or a vector or tensor of it.
    FixedIntegerLike, "a signless integer, or a vector or tensor of it", |ctx, ty| {
        is_signless(ctx, elementwise(ctx, ty))
    };
    /// Signless integer or index, or a vector, tensor or ranked memref of it.
    IntegerLikeOrMemRef, "a signless integer or index, or a vector, tensor or ranked memref of it", |ctx, ty| {
        let element = elementwise_or_memref(ctx, ty);
        is_signless(ctx, element) || element.is_index(ctx)
    };
    /// Signless integer or float, or a vector, tensor or ranked memref of it.
    NumberLikeOrMemRef, "a signless integer or float, or a vector, tensor or ranked memref of it", |ctx, ty| {
        let element = elementwise_or_memref(ctx, ty);
        is_signless(ctx, element) || element.is_float(ctx)
    };
    /// A signless integer or a float.
    SignlessIntegerOrFloat, "a signless integer or a float", |ctx, ty| is_signless(ctx, ty) || ty.is_float(ctx);
    /// `index`, `i32` or `i64`.
    IndexOrI32OrI64, "index, i32 or i64", |ctx, ty| ty.is_index(ctx) || ty == ctx.i32() || ty == ctx.i64();
    /// A vector without scalable extents.
    FixedVector, "a vector of fixed length", |ctx, ty| match ctx.type_kind(ty) {
        TypeKind::Vector { scalable, .. } => !scalable.contains(&true),
        _ => false,
    };
    /// A vector of `i1`.
    BoolVector, "a vector of i1", |ctx, ty| is_vector(ctx, ty) && ty.element_or_self(ctx) == ctx.i1();
    /// A vector of `i1` without scalable extents.
    FixedBoolVector, "a vector of i1 of fixed length", |ctx, ty| {
        FixedVector.accepts(ctx, ty) && ty.element_or_self(ctx) == ctx.i1()
    };
    /// A vector of floats.
    FloatVector, "a vector of floats", |ctx, ty| is_vector(ctx, ty) && ty.element_or_self(ctx).is_float(ctx);
    /// A vector of integers of any signedness, or of index.
    IntegerOrIndexVector, "a vector of integers or index", |ctx, ty| {
        is_vector(ctx, ty) && ty.element_or_self(ctx).is_integer_or_index(ctx)
    };
    /// A vector of one dimension.
    VectorOfRank1, "a vector of one dimension", |ctx, ty| vector_rank(ctx, ty) == Some(1);
    /// A vector of index of one dimension.
    IndexVectorOfRank1, "a vector of index of one dimension", |ctx, ty| {
        vector_rank(ctx, ty) == Some(1) && ty.element_or_self(ctx).is_index(ctx)
    };
    /// A vector that has at least one dimension.
    VectorOfRankAtLeast1, "a vector of at least one dimension", |ctx, ty| vector_rank(ctx, ty) >= Some(1);
    /// A signless integer or float, or a vector of one dimension and fixed length of it.
    NumberOrVectorOfRank1, "a signless integer or float, or a vector of one dimension and fixed length of it", |ctx, ty| {
        let vector = FixedVector.accepts(ctx, ty) && vector_rank(ctx, ty) == Some(1);
        SignlessIntegerOrFloat.accepts(ctx, if vector { ty.element_or_self(ctx) } else { ty })
    };
    /// A tensor of known rank.
    RankedTensor, "a tensor of known rank", |ctx, ty| matches!(ctx.type_kind(ty), TypeKind::Tensor { .. });
    /// A tensor, its rank known or not.
    RankedOrUnrankedTensor, "a tensor", |ctx, ty| {
        matches!(ctx.type_kind(ty), TypeKind::Tensor { .. } | TypeKind::UnrankedTensor(_))
    };
    /// A tensor of at least one dimension.
    TensorWithDimensions, "a tensor of at least one dimension", |ctx, ty| {
        matches!(ctx.type_kind(ty), TypeKind::Tensor { shape, .. } if !shape.is_empty())
    };
    /// A vector, tensor or memref.
    AnyShaped, "a vector, tensor or memref", |ctx, ty| {
        is_memref(ctx, ty) || is_vector(ctx, ty)
            || matches!(ctx.type_kind(ty), TypeKind::Tensor { .. } | TypeKind::UnrankedTensor(_))
    };
    /// A memref, its rank known or not.
    RankedOrUnrankedMemRef, "a memref", |ctx, ty| is_memref(ctx, ty);
    /// A memref of unknown rank.
    UnrankedMemRef, "a memref of unknown rank", |ctx, ty| {
        matches!(ctx.type_kind(ty), TypeKind::UnrankedMemRef { .. })
    };
    /// A ranked memref whose layout has strides.
    StridedMemRef, "a ranked memref with a strided layout", |ctx, ty| strides_and_offset(ctx, ty).is_some();
    /// A ranked memref of at least one dimension, or an unranked one.
    MemRefWithDimensions, "a memref of unknown rank or of at least one dimension", |ctx, ty| match ctx.type_kind(ty) {
        TypeKind::MemRef { shape, .. } => !shape.is_empty(),
        TypeKind::UnrankedMemRef { .. } => true,
        _ => false,
    };
    /// A ranked memref of one dimension.
    MemRefOfRank1, "a ranked memref of one dimension", |ctx, ty| match ctx.type_kind(ty) {
        TypeKind::MemRef { shape, .. } => shape.len() == 1,
        _ => false,
    };
    /// A ranked memref with one dimension of `i8`.
    ByteMemRef, "a ranked memref of i8 of one dimension", |ctx, ty| match ctx.type_kind(ty) {
        TypeKind::MemRef { shape, element, .. } => shape.len() == 1 && *element == ctx.integer(8),
        _ => false,
    };
    /// A ranked memref of one dimension of signless integers or index.
    ShapeMemRef, "a ranked memref of one dimension of signless integers or index", |ctx, ty| match ctx.type_kind(ty) {
        TypeKind::MemRef { shape, element, .. } => {
            shape.len() == 1 && (is_signless(ctx, *element) || element.is_index(ctx))
        }
        _ => false,
    };
    /// A ranked memref of signless integers or floats.
    NumberMemRef, "a ranked memref of signless integers or floats", |ctx, ty| match ctx.type_kind(ty) {
        TypeKind::MemRef { element, .. } => is_signless(ctx, *element) || element.is_float(ctx),
        _ => false,
    };
    /// A ranked memref whose extents are all known.
    StaticMemRef, "a ranked memref with known extents", |ctx, ty| match ctx.type_kind(ty) {
        TypeKind::MemRef { shape, .. } => !shape.contains(&DYNAMIC),
        _ => false,
    };
}

fn is_vector(ctx: &Context, ty: Type) -> bool {
    matches!(ctx.type_kind(ty), TypeKind::Vector { .. })
}

fn is_memref(ctx: &Context, ty: Type) -> bool {
    matches!(
        ctx.type_kind(ty),
        TypeKind::MemRef { .. } | TypeKind::UnrankedMemRef { .. }
    )
}

fn vector_rank(ctx: &Context, ty: Type) -> Option<usize> {
    match ctx.type_kind(ty) {
        TypeKind::Vector { shape, .. } => Some(shape.len()),
        _ => None,
    }
}
