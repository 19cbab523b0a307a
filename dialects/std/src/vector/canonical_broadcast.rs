//! Canonical forms of changes of shape: broadcasts, casts and transpositions that say the same are one op, and what is
//! taken out of their results is taken out of what they were given.
//!
//! Deliberately absent: transpositions between insertions and extractions.

use super::{
    BroadcastOp, CreateMaskOp, ExtractOp, ExtractStridedSliceOp, FromElementsOp, ShapeCastOp,
    ShuffleOp, TransposeOp, VectorShape,
};
use crate::arith::ConstantOp;
use crate::mixed::{self, Entry};
use segra_ir::attrs::Splat;
use segra_ir::interfaces::Rewriter;
use segra_ir::layout::row_major_strides;
use segra_ir::types::DYNAMIC;
use segra_ir::{AttrKind, Context, Ir, Op, OpView, Type, TypeKind, Value};

fn is_vector(ctx: &Context, ty: Type) -> bool {
    matches!(ctx.type_kind(ty), TypeKind::Vector { .. })
}

/// Whether one position of a vector of type `ty` is unlike any other along a dimension: it has an extent other than 1.
fn counts(shape: &VectorShape<'_>, dim: usize) -> bool {
    shape.shape.get(dim) != Some(&1) || shape.scalable.get(dim) == Some(&true)
}

/// Whether a transposition leaves elements in their order: only dimensions of one element change places.
pub(super) fn keeps_order(ir: &Ir, transpose: TransposeOp) -> bool {
    let shape = VectorShape::of(ir.ctx(), ir.value_type(transpose.vector(ir)));
    let order = transpose.permutation(ir);
    let moved = order
        .iter()
        .filter(|&&dim| usize::try_from(dim).is_ok_and(|dim| counts(&shape, dim)));
    moved.is_sorted()
}

/// A broadcast of a cast that only adds or drops leading dimensions of one element is one of the cast's source.
pub(super) fn broadcast_before_cast(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let ctx = ir.ctx();
    let view = BroadcastOp::from_op(op);
    let Some(cast) = ir.def_as::<ShapeCastOp>(view.source(ir)) else {
        return false;
    };
    let source = cast.source(ir);
    let (from, middle) = (ir.value_type(source), ir.value_type(cast.result(ir)));
    let (own, other) = (
        VectorShape::of(ctx, from).shape,
        VectorShape::of(ctx, middle).shape,
    );
    let common = own.len().min(other.len());
    let same_end = own[own.len() - common..] == other[other.len() - common..];
    if !same_end || !super::stretches_to(ctx, from, ir.value_type(view.vector(ir))) {
        return false;
    }
    rewriter.modify(op, &mut |ir| ir.set_operand(op, 0, source));
    true
}

/// A cast of a transposition that keeps the order, or of a broadcast, is a cast or a broadcast of its source.
pub(super) fn cast_of_reshaped(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let ctx = ir.context();
    let (source, ty) = (ir.operand(op, 0), ir.value_type(ir.result(op, 0)));
    if let Some(transpose) = ir.def_as::<TransposeOp>(source) {
        let kept = keeps_order(ir, transpose);
        let from = transpose.vector(ir);
        if kept {
            rewriter.modify(op, &mut |ir| ir.set_operand(op, 0, from));
        }
        return kept;
    }
    let Some(broadcast) = ir.def_as::<BroadcastOp>(source) else {
        return false;
    };
    let from = broadcast.source(ir);
    let own = ir.value_type(from);
    if own == ty {
        rewriter.replace_op(op, &[from]);
        return true;
    }
    let count = |ty: Type| VectorShape::of(&ctx, ty).count();
    if is_vector(&ctx, own) && count(own) == count(ty) {
        rewriter.modify(op, &mut |ir| ir.set_operand(op, 0, from));
        return true;
    }
    if !super::stretches_to(&ctx, own, ty) {
        return false;
    }
    rewriter.replace_with(op, |b| [BroadcastOp::build(b, from, ty).vector(b.ir)]);
    true
}

/// A transposition that keeps the order is nothing, or a cast; one of a broadcast that only moves what is repeated is a
/// broadcast.
pub(super) fn transpose_of_reshaped(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let ctx = ir.context();
    let view = TransposeOp::from_op(op);
    let (source, ty) = (view.vector(ir), ir.value_type(view.result(ir)));
    let kept = keeps_order(ir, view);
    if kept && ir.value_type(source) == ty {
        rewriter.replace_op(op, &[source]);
        return true;
    }
    if let Some(cast) = ir.def_as::<ShapeCastOp>(source).filter(|_| kept) {
        let from = cast.source(ir);
        rewriter.replace_with(op, |b| [ShapeCastOp::build(b, from, ty).result(b.ir)]);
        return true;
    }
    let Some(broadcast) = ir.def_as::<BroadcastOp>(source) else {
        return false;
    };
    let from = broadcast.source(ir);
    let own = VectorShape::of(&ctx, ir.value_type(from)).shape;
    if is_vector(&ctx, ir.value_type(from)) && !stays_in_groups(own, &view.permutation(ir)) {
        return false;
    }
    rewriter.replace_with(op, |b| [BroadcastOp::build(b, from, ty).vector(b.ir)]);
    true
}

/// Whether a permutation of a broadcast of a vector of this shape moves dimensions only among those that are repeated.
/// Each dimension of more than one element, and what is repeated before it, is a group of its own.
fn stays_in_groups(own: &[i64], order: &[i64]) -> bool {
    let behind = order.len() - own.len();
    let mut low = 0;
    for dim in 0..own.len() {
        if own[dim] == 1 && (dim == 0 || own[dim - 1] == 1) {
            continue;
        }
        let high = dim + behind;
        let here = low as i64..high as i64;
        if order
            .get(low..high)
            .is_none_or(|group| group.iter().any(|to| !here.contains(to)))
        {
            return false;
        }
        low = high;
    }
    true
}

/// The value an op repeats: a broadcast, or a cast that only adds leading dimensions of one element.
fn repeated_by(ir: &Ir, op: Op) -> Option<Value> {
    if let Some(broadcast) = ir.cast::<BroadcastOp>(op) {
        return Some(broadcast.source(ir));
    }
    let source = ir.cast::<ShapeCastOp>(op)?.source(ir);
    let own = VectorShape::of(ir.ctx(), ir.value_type(source)).shape;
    VectorShape::of(ir.ctx(), ir.value_type(ir.result(op, 0)))
        .shape
        .ends_with(own)
        .then_some(source)
}

/// Takes from what a change of shape was given.
pub(super) fn extract_from_reshaped(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let Some(def) = ir.defining_op(ir.operand(op, 0)) else {
        return false;
    };
    let repeated = repeated_by(ir, def);
    repeated.is_some_and(|source| extract_from_repeated(rewriter, op, source))
        || extract_from_shuffle(rewriter, op, def)
        || extract_from_cast(rewriter, op, def)
        || repeated.is_some_and(|source| repeat_instead(rewriter, op, source))
        || extract_from_mask(rewriter, op, def)
        || cast_instead(rewriter, op, def)
        || extract_from_elements(rewriter, op, def)
}

fn extract_from_repeated(rewriter: &mut dyn Rewriter, op: Op, source: Value) -> bool {
    let ir = rewriter.ir();
    let ctx = ir.context();
    let (from, ty) = (ir.value_type(source), ir.value_type(ir.result(op, 0)));
    if from == ty {
        rewriter.replace_op(op, &[source]);
        return true;
    }
    let (own, part) = (
        VectorShape::of(&ctx, from).shape,
        VectorShape::of(&ctx, ty).shape,
    );
    let whole = VectorShape::of(&ctx, ir.value_type(ir.operand(op, 0))).shape;
    if !is_vector(&ctx, from) || !own.ends_with(part) {
        return false;
    }
    let position = mixed::entries(ir, op, "static_position", 1);
    let behind = whole.len() - own.len();
    let kept: Option<Vec<Entry>> = (0..own.len() - part.len())
        .map(|dim| {
            if own[dim] == 1 {
                Some(Entry::Fixed(0))
            } else {
                position.get(dim + behind).copied()
            }
        })
        .collect();
    let Some(kept) = kept else { return false };
    rewriter.replace_with(op, |b| {
        let fixed = b.ctx().dense_i64_attr(&mixed::fixed(&kept));
        [ExtractOp::builder()
            .source(source)
            .dynamic_position(&mixed::open(&kept))
            .static_position(fixed)
            .result_type(ty)
            .build(b)
            .result(b.ir)]
    });
    true
}

fn repeat_instead(rewriter: &mut dyn Rewriter, op: Op, source: Value) -> bool {
    let ir = rewriter.ir();
    let ty = ir.value_type(ir.result(op, 0));
    if !is_vector(ir.ctx(), ty) || !super::stretches_to(ir.ctx(), ir.value_type(source), ty) {
        return false;
    }
    rewriter.replace_with(op, |b| [BroadcastOp::build(b, source, ty).vector(b.ir)]);
    true
}

/// A position that is known, for an op that takes something out of a vector.
fn fixed_position(ir: &Ir, op: Op) -> Option<Vec<i64>> {
    let position = ExtractOp::from_op(op).static_position(ir);
    position
        .iter()
        .all(|&index| index >= 0 && index != DYNAMIC)
        .then_some(position)
}

fn set_place(rewriter: &mut dyn Rewriter, op: Op, source: Value, position: &[i64]) {
    rewriter.modify(op, &mut |ir| {
        let fixed = ir.ctx().dense_i64_attr(position);
        ir.set_operands(op, &[source]);
        ir.set_attr_named(op, "static_position", Some(fixed));
    });
}

fn extract_from_shuffle(rewriter: &mut dyn Rewriter, op: Op, def: Op) -> bool {
    let ir = rewriter.ir();
    let Some(shuffle) = ir.cast::<ShuffleOp>(def) else {
        return false;
    };
    let rank = |value: Value| VectorShape::of(ir.ctx(), ir.value_type(value)).shape;
    let (first, mask) = (shuffle.v1(ir), shuffle.mask(ir));
    let ([count], [_]) = (rank(first), rank(ir.operand(op, 0))) else {
        return false;
    };
    let Some(&[index]) = fixed_position(ir, op).as_deref() else {
        return false;
    };
    let Some(&at) = usize::try_from(index)
        .ok()
        .and_then(|index| mask.get(index))
    else {
        return false;
    };
    let (source, place) = if at < *count {
        (first, at)
    } else {
        (shuffle.v2(ir), at - count)
    };
    if place < 0 {
        return false;
    }
    set_place(rewriter, op, source, &[place]);
    true
}

fn extract_from_cast(rewriter: &mut dyn Rewriter, op: Op, def: Op) -> bool {
    let ir = rewriter.ir();
    let ctx = ir.ctx();
    let Some(cast) = ir.cast::<ShapeCastOp>(def) else {
        return false;
    };
    let Some(position) = fixed_position(ir, op) else {
        return false;
    };
    let source = cast.source(ir);
    let shape = |ty: Type| VectorShape::of(ctx, ty).shape;
    let (own, whole) = (
        shape(ir.value_type(source)),
        shape(ir.value_type(cast.result(ir))),
    );
    let part = shape(ir.value_type(ir.result(op, 0)));
    if !own.ends_with(part) {
        return false;
    }
    // Counted in parts.
    let (outer, inner) = (&whole[..position.len()], &own[..own.len() - part.len()]);
    let mut at: i64 = position
        .iter()
        .zip(row_major_strides(outer))
        .map(|(&index, step)| index * step)
        .sum();
    let mut place = vec![0; inner.len()];
    for (dim, &extent) in inner.iter().enumerate().rev() {
        place[dim] = if extent > 0 { at % extent } else { 0 };
        at = if extent > 0 { at / extent } else { 0 };
    }
    set_place(rewriter, op, source, &place);
    true
}

fn cast_instead(rewriter: &mut dyn Rewriter, op: Op, def: Op) -> bool {
    let ir = rewriter.ir();
    let ctx = ir.ctx();
    let Some(cast) = ir.cast::<ShapeCastOp>(def) else {
        return false;
    };
    let (source, ty) = (cast.source(ir), ir.value_type(ir.result(op, 0)));
    let count = |ty: Type| VectorShape::of(ctx, ty).count();
    if !is_vector(ctx, ty) || count(ir.value_type(source)) != count(ty) {
        return false;
    }
    rewriter.replace_with(op, |b| [ShapeCastOp::build(b, source, ty).result(b.ir)]);
    true
}

/// Part of a mask is a mask, where the part lies in what the outer extents let through; else it lets nothing through.
fn extract_from_mask(rewriter: &mut dyn Rewriter, op: Op, def: Op) -> bool {
    let ir = rewriter.ir();
    let ctx = ir.context();
    let Some(mask) = ir.cast::<CreateMaskOp>(def) else {
        return false;
    };
    let ty = ir.value_type(ir.result(op, 0));
    if !is_vector(&ctx, ty) {
        return false;
    }
    let extents: Vec<Value> = mask.operands(ir).into_iter().collect();
    let constant = |value: Value| ir.constant_int(value);
    let shape = VectorShape::of(&ctx, ir.value_type(mask.result(ir))).shape;
    let position = ExtractOp::from_op(op).static_position(ir);
    let mut nothing = extents
        .iter()
        .any(|&extent| constant(extent).is_some_and(|extent| extent <= 0));
    let mut open = false;
    for (dim, &index) in position.iter().enumerate() {
        match extents.get(dim).and_then(|&extent| constant(extent)) {
            None => open = true,
            Some(extent) if index != DYNAMIC => nothing |= index >= extent,
            Some(extent) => open |= shape.get(dim).is_none_or(|&whole| extent < whole),
        }
    }
    if nothing {
        let kind = AttrKind::DenseElements {
            ty,
            data: vec![0],
            splat: Splat::Yes,
        };
        rewriter.replace_with(op, |b| [ConstantOp::build(b, ctx.attr(kind)).result(b.ir)]);
        return true;
    }
    let Some(rest) = extents.get(position.len()..).filter(|_| !open) else {
        return false;
    };
    rewriter.replace_with(op, |b| [CreateMaskOp::build(b, rest, ty).result(b.ir)]);
    true
}

fn extract_from_elements(rewriter: &mut dyn Rewriter, op: Op, def: Op) -> bool {
    let ir = rewriter.ir();
    let ctx = ir.context();
    let Some(parts) = ir.cast::<FromElementsOp>(def) else {
        return false;
    };
    let ty = ir.value_type(ir.result(op, 0));
    let Some(position) = fixed_position(ir, op).filter(|_| is_vector(&ctx, ty)) else {
        return false;
    };
    let strides = row_major_strides(VectorShape::of(&ctx, ir.value_type(parts.dest(ir))).shape);
    let start: i64 = position
        .iter()
        .zip(&strides)
        .map(|(&index, &step)| index * step)
        .sum();
    let count = VectorShape::of(&ctx, ty).count();
    let elements = parts.elements(ir);
    let range = usize::try_from(start)
        .ok()
        .zip(usize::try_from(start + count).ok());
    let Some(taken) = range.and_then(|(start, end)| elements.get(start..end)) else {
        return false;
    };
    let taken = taken.to_vec();
    rewriter.replace_with(op, |b| [FromElementsOp::build(b, &taken, ty).dest(b.ir)]);
    true
}

/// Elements taken out of one vector one after the other, from where its last dimensions begin, are a part of it.
pub(super) fn elements_of_one(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let ctx = ir.context();
    let view = FromElementsOp::from_op(op);
    let (elements, ty) = (view.elements(ir), ir.value_type(view.dest(ir)));
    let taken = |value: Value| ir.def_as::<ExtractOp>(value);
    let Some(first) = elements.first().and_then(|&first| taken(first)) else {
        return false;
    };
    let source = first.source(ir);
    let shape = VectorShape::of(&ctx, ir.value_type(source));
    if elements.len() < 2 || shape.scalable.contains(&true) {
        return false;
    }
    let start = first.static_position(ir);
    let (mut inner, mut depth) = (1i64, start.len());
    while depth > 0 && start[depth - 1] == 0 && inner < elements.len() as i64 {
        inner *= shape.shape[depth - 1];
        depth -= 1;
    }
    let strides = row_major_strides(shape.shape);
    let place = |value: Value| -> Option<i64> {
        let extract = taken(value).filter(|extract| extract.source(ir) == source)?;
        let position = fixed_position(ir, extract.op())?;
        let steps = position.iter().zip(&strides);
        Some(steps.map(|(&index, &step)| index * step).sum())
    };
    let Some(base) = elements.first().and_then(|&first| place(first)) else {
        return false;
    };
    let mut places = (base..).zip(&elements);
    let in_order = places.all(|(at, &element)| place(element) == Some(at));
    if inner != elements.len() as i64 || !in_order {
        return false;
    }
    let part = ctx.ty(TypeKind::Vector {
        shape: shape.shape[depth..].to_vec(),
        scalable: shape.scalable[depth..].to_vec(),
        element: ty.element_or_self(&ctx),
    });
    rewriter.replace_with(op, |b| {
        let position = b.ctx().dense_i64_attr(&start[..depth]);
        let extract = ExtractOp::builder()
            .source(source)
            .static_position(position);
        let whole = match depth {
            0 => source,
            _ => extract.result_type(part).build(b).result(b.ir),
        };
        let same = b.type_of(whole) == ty;
        [if same {
            whole
        } else {
            ShapeCastOp::build(b, whole, ty).result(b.ir)
        }]
    });
    true
}

/// A block that takes its last dimensions whole, and one element along the others, is a part of the vector.
pub(super) fn block_as_part(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let ctx = ir.context();
    let view = ExtractStridedSliceOp::from_op(op);
    let (source, ty) = (view.source(ir), ir.value_type(view.result(ir)));
    let whole = VectorShape::of(&ctx, ir.value_type(source));
    let (sizes, offsets) = (view.sizes(ir), view.offsets(ir));
    if view.strides(ir).iter().any(|&stride| stride != 1) || whole.scalable.contains(&true) {
        return false;
    }
    let is_whole = |dim: &usize| sizes.get(*dim) == whole.shape.get(*dim);
    let mut depth = sizes.len();
    while depth > 0 && is_whole(&(depth - 1)) {
        depth -= 1;
    }
    if depth == 0 || depth == whole.shape.len() || sizes[..depth].iter().any(|&size| size != 1) {
        return false;
    }
    while depth + 1 < sizes.len() && sizes[depth] == 1 {
        depth += 1;
    }
    let Some(start) = offsets.get(..depth).map(<[i64]>::to_vec) else {
        return false;
    };
    let kind = TypeKind::Vector {
        shape: whole.shape[depth..].to_vec(),
        scalable: whole.scalable[depth..].to_vec(),
        element: whole.element,
    };
    let part = ctx.ty(kind);
    rewriter.replace_with(op, |b| {
        let position = b.ctx().dense_i64_attr(&start);
        let taken = ExtractOp::builder()
            .source(source)
            .static_position(position)
            .result_type(part)
            .build(b)
            .result(b.ir);
        [ShapeCastOp::build(b, taken, ty).result(b.ir)]
    });
    true
}
