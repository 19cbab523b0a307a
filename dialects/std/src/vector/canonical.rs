//! Folding and canonical forms of ops that move elements: constants are moved, ops that move nothing vanish, what is
//! taken out of what was put together is what was put in.
//!
//! Positions that nobody knows (-1) give poison, as upstream. Blocks, shuffles, reductions and masks: see `canonical_shuffle`.
//! Changes of shape: see `canonical_broadcast`; transfers and masked accesses: `canonical_transfer`.

use super::canonical_broadcast::{
    broadcast_before_cast, cast_of_reshaped, elements_of_one, extract_from_reshaped,
    transpose_of_reshaped,
};
use super::insert_chains::filled_by_chain;
use super::{
    BroadcastOp, ConstantMaskOp, CreateMaskOp, ExtractOp, ExtractStridedSliceOp, FromElementsOp,
    InsertOp, InsertStridedSliceOp, ShapeCastOp, ToElementsOp, TransposeOp, VectorShape,
};
use crate::arith::rules::{folded_attr, folded_value, poison_among};
use crate::elements::{bytes_of_scalar, dense, scalar_of_bytes};
use segra_ir::attrs::Splat;
use segra_ir::interfaces::{Canonicalize, Fold, FoldResult, Folded, Rewriter};
use segra_ir::layout::row_major_strides;
use segra_ir::types::DYNAMIC;
use segra_ir::{Attr, AttrKind, Context, Ir, Op, OpView, Type, TypeKind, Value};

pub(super) fn count(ctx: &Context, ty: Type) -> Option<usize> {
    let shape = VectorShape::of(ctx, ty);
    let fixed = !shape.scalable.contains(&true);
    usize::try_from(shape.count())
        .ok()
        .filter(|&count| fixed && count <= 1 << 20)
}

/// The constant of type `to` whose elements are those of `from` at these positions, row by row.
fn moved(ctx: &Context, from: Attr, to: Type, source: impl Fn(usize) -> usize) -> Option<Attr> {
    let AttrKind::DenseElements { ty, data, splat } = ctx.attr_kind(from) else {
        return None;
    };
    let is_vector = matches!(ctx.type_kind(to), TypeKind::Vector { .. });
    if *splat == Splat::Yes {
        return if is_vector {
            Some(ctx.attr(AttrKind::DenseElements {
                ty: to,
                data: data.clone(),
                splat: Splat::Yes,
            }))
        } else {
            scalar_of_bytes(ctx, to, data)
        };
    }
    let bytes = data.len() / count(ctx, *ty)?.max(1);
    let piece = |index: usize| data.get(index * bytes..(index + 1) * bytes);
    if !is_vector {
        return scalar_of_bytes(ctx, to, piece(source(0))?);
    }
    let pieces: Vec<&[u8]> = (0..count(ctx, to)?)
        .map(|index| piece(source(index)))
        .collect::<Option<_>>()?;
    dense(ctx, to, &pieces)
}

/// A position all of which is known and a place.
pub(super) fn known_position(fixed: &[i64]) -> bool {
    fixed.iter().all(|&index| index != DYNAMIC && index >= 0)
}

/// Row by row, where the part of a vector at a position starts.
pub(super) fn offset(ctx: &Context, vector: Type, position: &[i64]) -> Option<usize> {
    let shape = VectorShape::of(ctx, vector).shape;
    let strides = row_major_strides(shape);
    let at: i64 = position
        .iter()
        .zip(&strides)
        .map(|(&index, &stride)| index * stride)
        .sum();
    usize::try_from(at).ok()
}

impl Fold for BroadcastOp {
    fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
        let ctx = ir.ctx();
        let view = BroadcastOp::from_op(op);
        let (source, to) = (view.source(ir), ir.value_type(view.vector(ir)));
        if ir.value_type(source) == to {
            return folded_value(source);
        }
        if let Some(poison) = poison_among(ctx, operands) {
            return folded_attr(poison);
        }
        let constant = operands[0]?;
        if let AttrKind::DenseElements {
            splat: Splat::Yes, ..
        } = ctx.attr_kind(constant)
        {
            return folded_attr(moved(ctx, constant, to, |index| index)?);
        }
        let bytes = bytes_of_scalar(ctx, constant)?;
        folded_attr(ctx.attr(AttrKind::DenseElements {
            ty: to,
            data: bytes,
            splat: Splat::Yes,
        }))
    }
}

impl Canonicalize for BroadcastOp {
    /// A broadcast of a broadcast is one.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let source = ir.operand(op, 0);
        let Some(inner) = ir
            .defining_op(source)
            .and_then(|def| ir.cast::<BroadcastOp>(def))
        else {
            return broadcast_before_cast(rewriter, op);
        };
        let from = inner.source(ir);
        rewriter.modify(op, &mut |ir| ir.set_operand(op, 0, from));
        true
    }
}

impl Fold for ShapeCastOp {
    fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
        let ctx = ir.ctx();
        let (source, to) = (ir.operand(op, 0), ir.value_type(ir.result(op, 0)));
        if ir.value_type(source) == to {
            return folded_value(source);
        }
        if let Some(inner) = ir
            .defining_op(source)
            .and_then(|def| ir.cast::<ShapeCastOp>(def))
            && ir.value_type(inner.source(ir)) == to
        {
            return folded_value(inner.source(ir));
        }
        if let Some(poison) = poison_among(ctx, operands) {
            return folded_attr(poison);
        }
        folded_attr(moved(ctx, operands[0]?, to, |index| index)?)
    }
}

impl Canonicalize for ShapeCastOp {
    /// A cast of a cast is one.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let source = ir.operand(op, 0);
        let Some(inner) = ir
            .defining_op(source)
            .and_then(|def| ir.cast::<ShapeCastOp>(def))
        else {
            return drop_unit_dimensions_of_mask(rewriter, op) || cast_of_reshaped(rewriter, op);
        };
        let from = inner.source(ir);
        rewriter.modify(op, &mut |ir| ir.set_operand(op, 0, from));
        true
    }
}

/// A mask without the dimensions of one element at its end.
fn drop_unit_dimensions_of_mask(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let ctx = ir.context();
    let (source, ty) = (ir.operand(op, 0), ir.value_type(ir.result(op, 0)));
    let (from, to) = (
        VectorShape::of(&ctx, ir.value_type(source)),
        VectorShape::of(&ctx, ty),
    );
    let rank = to.shape.len();
    let only_ends = from.shape.len() > rank
        && from.shape.starts_with(to.shape)
        && from.scalable.starts_with(to.scalable)
        && from.shape[rank..].iter().all(|&extent| extent == 1)
        && !from.scalable[rank..].contains(&true);
    let Some(def) = ir.defining_op(source).filter(|_| only_ends) else {
        return false;
    };
    if let Some(mask) = ir.cast::<ConstantMaskOp>(def) {
        let extents = mask.mask_dim_sizes(ir);
        if extents
            .get(rank..)
            .is_none_or(|rest| rest.iter().any(|&extent| extent != 1))
        {
            return false;
        }
        let kept = ctx.dense_i64_attr(&extents[..rank]);
        rewriter.replace_with(op, |b| [ConstantMaskOp::build(b, kept, ty).result(b.ir)]);
        return true;
    }
    let operands: Vec<Value> = ir.operands(def).collect();
    let is_one = |&value: &Value| ir.constant_int(value) == Some(1);
    if !ir.isa::<CreateMaskOp>(def) || !operands[rank..].iter().all(is_one) {
        return false;
    }
    rewriter.replace_with(op, |b| {
        [CreateMaskOp::build(b, &operands[..rank], ty).result(b.ir)]
    });
    true
}

impl Fold for TransposeOp {
    fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
        let ctx = ir.ctx();
        let view = TransposeOp::from_op(op);
        let (source, to) = (view.vector(ir), ir.value_type(view.result(ir)));
        let permutation = view.permutation(ir);
        if permutation
            .iter()
            .enumerate()
            .all(|(index, &dim)| dim == index as i64)
        {
            return folded_value(source);
        }
        if let Some(poison) = poison_among(ctx, operands) {
            return folded_attr(poison);
        }
        match ctx.attr_kind(operands[0]?) {
            AttrKind::DenseElements {
                splat: Splat::Yes, ..
            } => folded_attr(moved(ctx, operands[0]?, to, |index| index)?),
            _ => None,
        }
    }
}

impl Canonicalize for TransposeOp {
    /// A transposition of a transposition is one; of a scalar everywhere it is that.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let ctx = ir.context();
        let view = TransposeOp::from_op(op);
        let Some(def) = ir.defining_op(view.vector(ir)) else {
            return transpose_of_reshaped(rewriter, op);
        };
        let ty = ir.value_type(view.result(ir));
        if let Some(inner) = ir.cast::<TransposeOp>(def) {
            let (first, second) = (inner.permutation(ir), view.permutation(ir));
            let both: Option<Vec<i64>> = second
                .iter()
                .map(|&dim| first.get(usize::try_from(dim).ok()?).copied())
                .collect();
            let Some(both) = both else { return false };
            let source = inner.vector(ir);
            rewriter.replace_with(op, |b| {
                [TransposeOp::build(b, source, ctx.dense_i64_attr(&both), ty).result(b.ir)]
            });
            return true;
        }
        let order: Vec<usize> = view
            .permutation(ir)
            .iter()
            .filter_map(|&dim| usize::try_from(dim).ok())
            .collect();
        if let Some(mask) = ir.cast::<ConstantMaskOp>(def) {
            let extents = mask.mask_dim_sizes(ir);
            let moved: Vec<i64> = order
                .iter()
                .filter_map(|&dim| extents.get(dim).copied())
                .collect();
            let moved = ctx.dense_i64_attr(&moved);
            rewriter.replace_with(op, |b| [ConstantMaskOp::build(b, moved, ty).result(b.ir)]);
            return true;
        }
        if ir.isa::<CreateMaskOp>(def) {
            let moved: Vec<Value> = order.iter().map(|&dim| ir.operand(def, dim)).collect();
            rewriter.replace_with(op, |b| [CreateMaskOp::build(b, &moved, ty).result(b.ir)]);
            return true;
        }
        if let Some(parts) = ir.cast::<FromElementsOp>(def) {
            return transpose_elements(rewriter, op, parts, &order);
        }
        transpose_of_reshaped(rewriter, op)
    }
}

/// A transposition of elements put together puts them together in another order.
fn transpose_elements(
    rewriter: &mut dyn Rewriter,
    op: Op,
    parts: FromElementsOp,
    order: &[usize],
) -> bool {
    let ir = rewriter.ir();
    let ctx = ir.context();
    let ty = ir.value_type(ir.result(op, 0));
    let elements = parts.elements(ir);
    let shape = VectorShape::of(&ctx, ty).shape;
    let strides = row_major_strides(VectorShape::of(&ctx, ir.value_type(parts.dest(ir))).shape);
    let place = |index: usize| -> usize {
        let (mut rest, mut at) = (index as i64, 0);
        for dim in (0..shape.len()).rev() {
            at += rest % shape[dim] * strides[order[dim]];
            rest /= shape[dim];
        }
        usize::try_from(at).unwrap_or(0)
    };
    let moved: Vec<Value> = (0..elements.len())
        .map(|index| elements[place(index)])
        .collect();
    rewriter.replace_with(op, |b| [FromElementsOp::build(b, &moved, ty).dest(b.ir)]);
    true
}

impl Fold for ExtractOp {
    fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
        let ctx = ir.ctx();
        let view = ExtractOp::from_op(op);
        let (source, to) = (view.source(ir), ir.value_type(view.result(ir)));
        let position = view.static_position(ir);
        if position.is_empty() && ir.value_type(source) == to {
            return folded_value(source);
        }
        if let Some(poison) = operands[0].filter(|&attr| crate::ub::is_poison(ctx, attr)) {
            return folded_attr(poison);
        }
        if position.contains(&-1) {
            return folded_attr(crate::ub::poison(ctx));
        }
        if let Some(found) = extracted_from_definer(ir, view, &position, to) {
            return folded_value(found);
        }
        if !known_position(&position) {
            return None;
        }
        let start = offset(ctx, ir.value_type(source), &position)?;
        folded_attr(moved(ctx, operands[0]?, to, |index| start + index)?)
    }
}

/// The value that was put where an element or subvector is taken from.
fn extracted_from_definer(ir: &Ir, view: ExtractOp, position: &[i64], to: Type) -> Option<Value> {
    let def = ir.defining_op(view.source(ir))?;
    if let Some(inserted) = ir.cast::<InsertOp>(def) {
        let same = inserted.static_position(ir) == position
            && inserted.dynamic_position(ir) == view.dynamic_position(ir)
            && ir.value_type(inserted.value_to_store(ir)) == to;
        return same.then(|| inserted.value_to_store(ir));
    }
    if let Some(repeated) = ir.cast::<BroadcastOp>(def) {
        let source = repeated.source(ir);
        return (ir.value_type(source) == to).then_some(source);
    }
    let parts = ir
        .cast::<FromElementsOp>(def)
        .filter(|_| known_position(position))?;
    let index = offset(ir.ctx(), ir.value_type(view.source(ir)), position)?;
    let found = parts.elements(ir).get(index).copied()?;
    (ir.value_type(found) == to).then_some(found)
}

impl Canonicalize for ExtractOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let position = ExtractOp::from_op(op).static_position(rewriter.ir());
        fix_position(rewriter, op, 1, position) || compose_extract(rewriter, op)
    }
}

/// Makes constant indices of a position static; `first` is the first index among the operands.
fn fix_position(rewriter: &mut dyn Rewriter, op: Op, first: usize, mut fixed: Vec<i64>) -> bool {
    let ir = rewriter.ir();
    let ctx = ir.context();
    let mut operands: Vec<Value> = ir.operands(op).collect();
    let open: Vec<usize> = fixed
        .iter()
        .enumerate()
        .filter(|row| *row.1 == DYNAMIC)
        .map(|row| row.0)
        .collect();
    if open.len() + first != operands.len() {
        return false;
    }
    let before = operands.len();
    for (number, &slot) in open.iter().enumerate().rev() {
        let constant = ir.constant_int(operands[first + number]);
        if let Some(index) = constant.filter(|&index| index != DYNAMIC) {
            fixed[slot] = index;
            operands.remove(first + number);
        }
    }
    if operands.len() == before {
        return false;
    }
    // A place outside of the vector stays as it was: as a static one it would not verify.
    let shape = VectorShape::of(&ctx, ir.value_type(operands[first - 1])).shape;
    if fixed
        .iter()
        .zip(shape)
        .any(|(&index, &extent)| index != DYNAMIC && !(-1..extent).contains(&index))
    {
        return false;
    }
    rewriter.modify(op, &mut |ir| {
        ir.set_operands(op, &operands);
        ir.set_attr_named(op, "static_position", Some(ctx.dense_i64_attr(&fixed)));
    });
    true
}

/// Takes from what the source was made of.
fn compose_extract(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let ctx = ir.context();
    let view = ExtractOp::from_op(op);
    let Some(def) = ir.defining_op(view.source(ir)) else {
        return false;
    };
    let (position, ty) = (view.static_position(ir), ir.value_type(view.result(ir)));
    if let Some(inner) = ir.cast::<ExtractOp>(def) {
        // As upstream, only where nothing is known at run time only.
        if !inner.dynamic_position(ir).is_empty() || !view.dynamic_position(ir).is_empty() {
            return false;
        }
        let fixed = [inner.static_position(ir), position].concat();
        let source = inner.source(ir);
        rewriter.replace_with(op, |b| {
            [ExtractOp::builder()
                .source(source)
                .static_position(ctx.dense_i64_attr(&fixed))
                .result_type(ty)
                .build(b)
                .result(b.ir)]
        });
        return true;
    }
    if let Some(inserted) = ir.cast::<InsertOp>(def) {
        let other = inserted.static_position(ir);
        let apart = known_position(&position)
            && known_position(&other)
            && position
                .iter()
                .zip(&other)
                .any(|(here, there)| here != there);
        let (dest, part) = (inserted.dest(ir), inserted.value_to_store(ir));
        if apart {
            rewriter.modify(op, &mut |ir| ir.set_operand(op, 0, dest));
            return true;
        }
        // A slice from within an inserted slice is taken from that slice.
        let within =
            known_position(&position) && known_position(&other) && position.len() > other.len();
        if within {
            let rest = ctx.dense_i64_attr(&position[other.len()..]);
            rewriter.modify(op, &mut |ir| {
                ir.set_operand(op, 0, part);
                ir.set_attr_named(op, "static_position", Some(rest));
            });
        }
        return within;
    }
    if let Some((source, position)) = found_in_block(ir, view, def, &position) {
        rewriter.modify(op, &mut |ir| {
            ir.set_operand(op, 0, source);
            ir.set_attr_named(op, "static_position", Some(ctx.dense_i64_attr(&position)));
        });
        return true;
    }
    extract_from_reshaped(rewriter, op)
}

/// Where an element of a part of a vector is in the whole.
fn found_in_slice(
    ir: &Ir,
    taken: ExtractStridedSliceOp,
    part: Type,
    position: &[i64],
) -> Option<(Value, Vec<i64>)> {
    let source = taken.source(ir);
    let [whole, part] = [ir.value_type(source), part].map(|ty| VectorShape::of(ir.ctx(), ty).shape);
    let mut offsets = taken.offsets(ir);
    // Dimensions that are taken whole do not matter.
    while let Some(&0) = offsets.last()
        && whole.get(offsets.len() - 1) == part.get(offsets.len() - 1)
    {
        offsets.pop();
    }
    if taken.strides(ir).iter().any(|&stride| stride != 1) || position.len() < offsets.len() {
        return None;
    }
    let mut moved = position.to_vec();
    for (index, offset) in moved.iter_mut().zip(&offsets) {
        *index += offset;
    }
    Some((source, moved))
}

/// Where what is taken stood before a block was taken out of a vector, or put into one.
fn found_in_block(
    ir: &Ir,
    view: ExtractOp,
    def: Op,
    position: &[i64],
) -> Option<(Value, Vec<i64>)> {
    let ctx = ir.ctx();
    if !known_position(position) {
        return None;
    }
    if let Some(taken) = ir.cast::<ExtractStridedSliceOp>(def) {
        let part = ir.value_type(view.source(ir));
        return found_in_slice(ir, taken, part, position);
    }
    let put = ir.cast::<InsertStridedSliceOp>(def)?;
    let part = put.value_to_store(ir);
    let (whole, own) = (ir.value_type(put.dest(ir)), ir.value_type(part));
    let (whole, own) = (
        VectorShape::of(ctx, whole).shape,
        VectorShape::of(ctx, own).shape,
    );
    if put.strides(ir).iter().any(|&stride| stride != 1) {
        return None;
    }
    let behind = whole.len() - own.len();
    let extent = |dim: usize| if dim < behind { 1 } else { own[dim - behind] };
    let offsets = put.offsets(ir);
    let beside =
        |(dim, &index): (usize, &i64)| !(offsets[dim]..offsets[dim] + extent(dim)).contains(&index);
    if position.iter().enumerate().any(beside) {
        return Some((put.dest(ir), position.to_vec()));
    }
    // A slice taken whole must lie in the block whole.
    let rest = position.len()..whole.len();
    if position.len() < behind || rest.into_iter().any(|dim| extent(dim) != whole[dim]) {
        return None;
    }
    let moved = (behind..position.len())
        .map(|dim| position[dim] - offsets[dim])
        .collect();
    Some((part, moved))
}

impl Fold for InsertOp {
    fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
        let ctx = ir.ctx();
        let view = InsertOp::from_op(op);
        let (part, dest) = (view.value_to_store(ir), view.dest(ir));
        let (position, ty) = (view.static_position(ir), ir.value_type(view.result(ir)));
        if position.is_empty() && ir.value_type(part) == ty {
            return folded_value(part);
        }
        if position.contains(&-1) {
            return folded_attr(crate::ub::poison(ctx));
        }
        // The value taken from this very position.
        let taken = ir
            .defining_op(part)
            .and_then(|def| ir.cast::<ExtractOp>(def))
            .filter(|taken| {
                taken.source(ir) == dest
                    && taken.static_position(ir) == position
                    && taken.dynamic_position(ir) == view.dynamic_position(ir)
            });
        if taken.is_some() {
            return folded_value(dest);
        }
        let (stored, whole) = (operands[0]?, operands[1]?);
        if !known_position(&position) {
            return None;
        }
        let start = offset(ctx, ty, &position)?;
        let AttrKind::DenseElements { data, splat, .. } = ctx.attr_kind(whole) else {
            return None;
        };
        let total = count(ctx, ty)?;
        let bytes = if *splat == Splat::Yes {
            data.len()
        } else {
            data.len() / total
        };
        let own = match ctx.attr_kind(stored) {
            AttrKind::DenseElements { .. } => expanded(ctx, stored)?,
            _ => bytes_of_scalar(ctx, stored)?,
        };
        let mut all = expanded(ctx, whole)?;
        all.get_mut(start * bytes..start * bytes + own.len())?
            .copy_from_slice(&own);
        let pieces: Vec<&[u8]> = all.chunks(bytes).collect();
        folded_attr(dense(ctx, ty, &pieces)?)
    }
}

/// All elements of a dense constant as bytes.
pub(super) fn expanded(ctx: &Context, attr: Attr) -> Option<Vec<u8>> {
    let AttrKind::DenseElements { ty, data, splat } = ctx.attr_kind(attr) else {
        return None;
    };
    match splat {
        Splat::Yes => Some(data.repeat(count(ctx, *ty)?)),
        Splat::No => Some(data.to_vec()),
    }
}

impl Canonicalize for InsertOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let view = InsertOp::from_op(op);
        let position = view.static_position(rewriter.ir());
        if fix_position(rewriter, op, 2, position) {
            return true;
        }
        let ir = rewriter.ir();
        let ctx = ir.context();
        let dest = view.dest(ir);
        // An overwritten value need not be inserted first.
        if let Some(before) = ir.def_as::<InsertOp>(dest)
            && before.static_position(ir) == view.static_position(ir)
            && before.dynamic_position(ir) == view.dynamic_position(ir)
            && ir.value_type(before.value_to_store(ir)) == ir.value_type(view.value_to_store(ir))
        {
            let dest = before.dest(ir);
            rewriter.modify(op, &mut |ir| ir.set_operand(op, 1, dest));
            return true;
        }
        // The value there already.
        let of = |value: Value| {
            ir.def_as::<BroadcastOp>(value)
                .map(|repeated| repeated.source(ir))
        };
        let scalar = of(dest).filter(|&source| {
            !matches!(
                ctx.type_kind(ir.value_type(source)),
                TypeKind::Vector { .. }
            )
        });
        let part = view.value_to_store(ir);
        if scalar.is_some()
            && (scalar == Some(part) || of(part) == scalar)
            && known_position(&view.static_position(ir))
        {
            rewriter.replace_op(op, &[dest]);
            return true;
        }
        // The value that fills the whole vector is repeated.
        let (part, ty) = (view.value_to_store(ir), ir.value_type(view.result(ir)));
        let counts = [ir.value_type(part), ty].map(|ty| {
            let shape = VectorShape::of(&ctx, ty);
            (!shape.scalable.contains(&true)).then(|| shape.count())
        });
        let fills = counts[0].is_some()
            && counts[0] == counts[1]
            && known_position(&view.static_position(ir));
        if fills {
            rewriter.replace_with(op, |b| [BroadcastOp::build(b, part, ty).vector(b.ir)]);
        }
        fills || filled_by_chain(rewriter, view)
    }
}

impl Fold for ExtractStridedSliceOp {
    fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
        let ctx = ir.ctx();
        let view = ExtractStridedSliceOp::from_op(op);
        let (source, to) = (view.source(ir), ir.value_type(view.result(ir)));
        if ir.value_type(source) == to {
            return folded_value(source);
        }
        if let Some(poison) = poison_among(ctx, operands) {
            return folded_attr(poison);
        }
        let shape = VectorShape::of(ctx, to).shape;
        let strides = row_major_strides(VectorShape::of(ctx, ir.value_type(source)).shape);
        let offsets = view.offsets(ir);
        folded_attr(moved(ctx, operands[0]?, to, |index| {
            let (mut rest, mut at) = (index as i64, 0);
            for dim in (0..shape.len()).rev() {
                let place = rest % shape[dim] + offsets.get(dim).copied().unwrap_or(0);
                at += place * strides[dim];
                rest /= shape[dim];
            }
            usize::try_from(at).unwrap_or(usize::MAX)
        })?)
    }
}

impl Fold for InsertStridedSliceOp {
    fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
        let view = InsertStridedSliceOp::from_op(op);
        let part = view.value_to_store(ir);
        if ir.value_type(part) == ir.value_type(view.result(ir)) {
            return folded_value(part);
        }
        folded_attr(super::canonical_shuffle::inserted_block(
            ir, view, operands,
        )?)
    }
}

impl Fold for FromElementsOp {
    fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
        let ctx = ir.ctx();
        let view = FromElementsOp::from_op(op);
        let ty = ir.value_type(view.dest(ir));
        let elements = view.elements(ir);
        // All elements of one vector, in their order.
        if let Some(parts) = elements.first().and_then(|&first| ir.defining_op(first))
            && let Some(taken) = ir.cast::<ToElementsOp>(parts)
            && ir.value_type(taken.source(ir)) == ty
            && ir.results(parts).eq(elements.iter().copied())
        {
            return folded_value(taken.source(ir));
        }
        let pieces: Vec<Vec<u8>> = operands
            .iter()
            .map(|attr| bytes_of_scalar(ctx, (*attr)?))
            .collect::<Option<_>>()?;
        folded_attr(dense(ctx, ty, &pieces)?)
    }
}

impl Canonicalize for FromElementsOp {
    /// One value in every place is repeated.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = FromElementsOp::from_op(op);
        let (elements, ty) = (view.elements(ir), ir.value_type(view.dest(ir)));
        let Some(&first) = elements.first() else {
            return false;
        };
        if elements.iter().any(|&element| element != first) {
            return elements_of_one(rewriter, op);
        }
        rewriter.replace_with(op, |b| [BroadcastOp::build(b, first, ty).vector(b.ir)]);
        true
    }
}

impl Fold for ToElementsOp {
    fn fold(&self, ir: &Ir, op: Op, _operands: &[Option<Attr>]) -> Folded {
        let source = ToElementsOp::from_op(op).source(ir);
        let parts = ir.cast::<FromElementsOp>(ir.defining_op(source)?)?;
        Some(
            parts
                .elements(ir)
                .into_iter()
                .map(FoldResult::Value)
                .collect(),
        )
    }
}

impl Canonicalize for CreateMaskOp {
    /// With constant extents, cut to the vector's, the mask is constant.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let ctx = ir.context();
        let ty = ir.value_type(ir.result(op, 0));
        let shape = VectorShape::of(&ctx, ty);
        let constant = |value: Value| ir.constant_int(value);
        if shape.scalable.contains(&true) {
            // How many elements there are is not known, but none is masked in where a dimension has none.
            let none = ir
                .operands(op)
                .any(|value| constant(value).is_some_and(|extent| extent <= 0));
            let zeros = ctx.dense_i64_attr(&vec![0; ir.num_operands(op)]);
            if none {
                rewriter.replace_with(op, |b| [ConstantMaskOp::build(b, zeros, ty).result(b.ir)]);
            }
            return none;
        }
        let extents: Option<Vec<i64>> = ir
            .operands(op)
            .map(|value| ir.constant_int(value))
            .collect();
        let Some(extents) = extents else { return false };
        let mut cut: Vec<i64> = extents
            .iter()
            .zip(shape.shape)
            .map(|(&given, &most)| given.clamp(0, most))
            .collect();
        if cut.contains(&0) {
            cut.fill(0);
        }
        rewriter.replace_with(op, |b| {
            [ConstantMaskOp::build(b, ctx.dense_i64_attr(&cut), ty).result(b.ir)]
        });
        true
    }
}
