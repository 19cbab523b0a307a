//! Folding and canonical forms of shuffles, blocks of vectors, reductions of single elements, and masks.
//!
//! Deliberately absent: a reduction over no dimension stays (upstream drops its accumulator), and chains of insertions
//! that fill a vector.

use super::canonical::{count, expanded};
use super::canonical_broadcast::block_as_part;
use super::canonical_transfer::{Lets, what_mask_lets};
use super::insert_chains::block_of_insertions;
use super::{
    BitCastOp, BroadcastOp, CombiningKind, ConstantMaskOp, ContractionOp, CreateMaskOp, ExtractOp,
    ExtractStridedSliceOp, InsertStridedSliceOp, InterleaveOp, MaskOp, MultiReductionOp,
    ReductionOp, ShapeCastOp, ShuffleOp, StepOp, ToElementsOp, VectorShape,
};
use crate::arith::rules::{folded_attr, folded_value, poison_among};
use crate::arith::{self, CmpIOp, CmpIPredicate, ConstantOp, SelectOp};
use crate::elements::dense;
use segra_interp::IntWidth;
use segra_ir::attrs::Splat;
use segra_ir::interfaces::{Canonicalize, Fold, Folded, Rewriter, constant_of};
use segra_ir::layout::row_major_strides;
use segra_ir::types::FloatKind;
use segra_ir::{Attr, AttrKind, Builder, Context, Ir, Op, OpView, Type, TypeKind, Value};

/// The scalar that stands in every place of a vector.
fn repeated(ir: &Ir, vector: Value) -> Option<Value> {
    let source = ir.def_as::<BroadcastOp>(vector)?.source(ir);
    (!matches!(
        ir.ctx().type_kind(ir.value_type(source)),
        TypeKind::Vector { .. }
    ))
    .then_some(source)
}

pub(super) fn numbers(ctx: &Context, values: &[i64]) -> Attr {
    let items: Vec<Attr> = values.iter().map(|&value| ctx.i64_attr(value)).collect();
    ctx.array_attr(&items)
}

impl Fold for ShuffleOp {
    fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
        let ctx = ir.ctx();
        let view = ShuffleOp::from_op(op);
        let (mask, ty) = (view.mask(ir), ir.value_type(view.vector(ir)));
        let rows = |ty: Type| VectorShape::of(ctx, ty).shape.first().copied().unwrap_or(1);
        let mut start = 0;
        for source in [view.v1(ir), view.v2(ir)] {
            let own = ir.value_type(source);
            if own == ty && mask.iter().copied().eq(start..start + rows(own)) {
                return folded_value(source);
            }
            start += rows(own);
        }
        let poison = poison_among(ctx, operands);
        let given: Vec<Attr> = operands.iter().copied().collect::<Option<_>>()?;
        let parts: Vec<Option<Vec<u8>>> = given.iter().map(|&attr| expanded(ctx, attr)).collect();
        if parts.iter().all(Option::is_none) {
            return poison.and_then(folded_attr);
        }
        let first = ir.value_type(view.v1(ir));
        if VectorShape::of(ctx, ty).shape.len() != 1 || VectorShape::of(ctx, first).shape.len() != 1
        {
            return None;
        }
        // An unknown start is the first element of a known value.
        let known = parts.iter().flatten().next()?;
        let position = parts.iter().position(Option::is_some)?;
        let source = ir.value_type(ir.operand(op, position));
        let bytes = known.len() / count(ctx, source)?.max(1);
        let any = known.get(..bytes)?;
        let split = usize::try_from(rows(first)).ok()?;
        let pick = |&index: &i64| -> Option<&[u8]> {
            let Ok(index) = usize::try_from(index) else {
                return Some(any);
            };
            let (part, at) = if index < split {
                (&parts[0], index)
            } else {
                (&parts[1], index - split)
            };
            part.as_ref()
                .map_or(Some(any), |part| part.get(at * bytes..(at + 1) * bytes))
        };
        let pieces: Vec<&[u8]> = mask.iter().map(pick).collect::<Option<_>>()?;
        dense(ctx, ty, &pieces).and_then(folded_attr)
    }
}

impl Canonicalize for ShuffleOp {
    /// Of single elements, of one scalar everywhere, of two vectors in turn.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let ctx = ir.context();
        let view = ShuffleOp::from_op(op);
        let (mask, ty) = (view.mask(ir), ir.value_type(view.vector(ir)));
        let (v1, v2) = (view.v1(ir), view.v2(ir));
        let own = ir.value_type(v1);
        let rank = VectorShape::of(&ctx, own).shape.len();
        let source = match (repeated(ir, v1), &mask[..]) {
            (Some(source), _) if repeated(ir, v2) == Some(source) => Some(source),
            (_, [0]) if rank == 0 => Some(v1),
            (_, [1]) if rank == 0 => Some(v2),
            _ => None,
        };
        if let Some(source) = source {
            rewriter.replace_with(op, |b| [BroadcastOp::build(b, source, ty).vector(b.ir)]);
            return true;
        }
        let half = mask.len() as i64 / 2;
        let in_turn = mask.len() % 2 == 0
            && (0..half)
                .flat_map(|row| [row, half + row])
                .eq(mask.iter().copied());
        let rows = VectorShape::of(&ctx, own)
            .shape
            .first()
            .copied()
            .unwrap_or(1);
        if rank > 1 || half == 0 || !in_turn || rows != half || ir.value_type(v2) != own {
            return false;
        }
        rewriter.replace_with(op, |b| [InterleaveOp::build(b, v1, v2).result(b.ir)]);
        true
    }
}

impl Canonicalize for ExtractStridedSliceOp {
    /// A block of what repeats repeats; of a constant mask it is one.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let ctx = ir.context();
        let view = ExtractStridedSliceOp::from_op(op);
        let (source, ty) = (view.source(ir), ir.value_type(view.result(ir)));
        if let Some(scalar) = repeated(ir, source) {
            rewriter.replace_with(op, |b| [BroadcastOp::build(b, scalar, ty).vector(b.ir)]);
            return true;
        }
        if view.strides(ir).iter().any(|&stride| stride != 1) {
            return false;
        }
        if let Some(mask) = ir.def_as::<ConstantMaskOp>(source) {
            let mut extents = mask.mask_dim_sizes(ir);
            let blocks = view.offsets(ir).into_iter().zip(view.sizes(ir));
            for (extent, (offset, size)) in extents.iter_mut().zip(blocks) {
                *extent = ((offset + size).min(*extent) - offset).max(0);
            }
            if extents.contains(&0) {
                extents.fill(0);
            }
            let extents = ctx.dense_i64_attr(&extents);
            rewriter.replace_with(op, |b| [ConstantMaskOp::build(b, extents, ty).result(b.ir)]);
            return true;
        }
        if let Some(mask) = ir.def_as::<CreateMaskOp>(source) {
            return block_of_mask(rewriter, view, mask);
        }
        slice_of_broadcast(rewriter, view, ty)
            || block_of_insertions(rewriter, view)
            || block_as_part(rewriter, op)
    }
}

/// A block of a mask is a mask of what is left of each extent.
fn block_of_mask(
    rewriter: &mut dyn Rewriter,
    view: ExtractStridedSliceOp,
    mask: CreateMaskOp,
) -> bool {
    let ir = rewriter.ir();
    let (offsets, extents) = (view.offsets(ir), mask.operands(ir));
    let ty = ir.value_type(view.result(ir));
    rewriter.replace_with(view.op(), |b| {
        let mut left = Vec::new();
        for (dim, &extent) in extents.iter().enumerate() {
            left.push(match offsets.get(dim).copied() {
                None => extent,
                Some(offset) => {
                    let offset = ConstantOp::index(b, offset);
                    arith::SubIOp::build(b, extent, offset).result(b.ir)
                }
            });
        }
        [CreateMaskOp::build(b, &left, ty).result(b.ir)]
    });
    true
}

/// A block of a repeated vector is that vector, or a block of it, repeated.
fn slice_of_broadcast(rewriter: &mut dyn Rewriter, view: ExtractStridedSliceOp, ty: Type) -> bool {
    let ir = rewriter.ir();
    let ctx = ir.context();
    let Some(broadcast) = ir.def_as::<BroadcastOp>(view.source(ir)) else {
        return false;
    };
    let source = broadcast.source(ir);
    let from = ir.value_type(source);
    let (own, whole, part) = (
        VectorShape::of(&ctx, from),
        VectorShape::of(&ctx, ir.value_type(view.source(ir))),
        VectorShape::of(&ctx, ty),
    );
    if own.scalable.contains(&true) || part.scalable.contains(&true) {
        return false;
    }
    let behind = whole.shape.len() - own.shape.len();
    let cut = |dim: usize| own.shape[dim] != 1 && own.shape[dim] != part.shape[behind + dim];
    let needs_slice = (0..own.shape.len()).any(cut);
    let (offsets, sizes) = (view.offsets(ir), view.sizes(ir));
    let mut blocks: Vec<(i64, i64)> = offsets.into_iter().zip(sizes).skip(behind).collect();
    for (block, &extent) in blocks.iter_mut().zip(own.shape) {
        if extent == 1 {
            *block = (0, 1);
        }
    }
    let mut shape = own.shape.to_vec();
    for (extent, block) in shape.iter_mut().zip(&blocks) {
        *extent = block.1;
    }
    let column =
        |of: fn(&(i64, i64)) -> i64| numbers(&ctx, &blocks.iter().map(of).collect::<Vec<i64>>());
    let (offsets, sizes, strides) = (
        column(|block| block.0),
        column(|block| block.1),
        column(|_| 1),
    );
    let sliced = ctx.vector(&shape, own.element);
    rewriter.replace_with(view.op(), |b| {
        let source = if needs_slice {
            ExtractStridedSliceOp::builder()
                .source(source)
                .offsets(offsets)
                .sizes(sizes)
                .strides(strides)
                .result_type(sliced)
                .build(b)
                .result(b.ir)
        } else {
            source
        };
        [BroadcastOp::build(b, source, ty).vector(b.ir)]
    });
    true
}

impl Canonicalize for InsertStridedSliceOp {
    /// Putting back what was taken, or what stands there anyway, changes nothing.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = InsertStridedSliceOp::from_op(op);
        let (part, dest) = (view.value_to_store(ir), view.dest(ir));
        let same = repeated(ir, part).is_some() && repeated(ir, part) == repeated(ir, dest);
        let taken = ir
            .def_as::<ExtractStridedSliceOp>(part)
            .is_some_and(|taken| {
                taken.source(ir) == dest
                    && taken.offsets(ir) == view.offsets(ir)
                    && taken.strides(ir) == view.strides(ir)
            });
        if same || taken {
            rewriter.replace_op(op, &[dest]);
        }
        same || taken
    }
}

/// The constant with a block of another one in it.
pub(super) fn inserted_block(
    ir: &Ir,
    view: InsertStridedSliceOp,
    operands: &[Option<Attr>],
) -> Option<Attr> {
    let ctx = ir.ctx();
    let ty = ir.value_type(view.result(ir));
    let (whole, part) = (
        VectorShape::of(ctx, ty),
        VectorShape::of(ctx, ir.value_type(view.value_to_store(ir))),
    );
    if view.strides(ir).iter().any(|&stride| stride != 1) {
        return None;
    }
    let own = expanded(ctx, operands.first().copied().flatten()?)?;
    let mut all = expanded(ctx, operands.get(1).copied().flatten()?)?;
    let bytes = all.len() / count(ctx, ty)?.max(1);
    let strides = row_major_strides(whole.shape);
    let behind = whole.shape.len() - part.shape.len();
    let base: i64 = view
        .offsets(ir)
        .iter()
        .zip(&strides)
        .map(|(&offset, &stride)| offset * stride)
        .sum();
    for (index, piece) in own.chunks(bytes.max(1)).enumerate() {
        let (mut rest, mut at) = (index as i64, base);
        for dim in (0..part.shape.len()).rev() {
            at += rest % part.shape[dim] * strides[behind + dim];
            rest /= part.shape[dim];
        }
        let at = usize::try_from(at).ok()? * bytes;
        all.get_mut(at..at + bytes)?.copy_from_slice(piece);
    }
    let pieces: Vec<&[u8]> = all.chunks(bytes.max(1)).collect();
    dense(ctx, ty, &pieces)
}

impl Fold for BitCastOp {
    fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
        let view = BitCastOp::from_op(op);
        let source = view.source(ir);
        if ir.value_type(source) == ir.value_type(view.result(ir)) {
            return folded_value(source);
        }
        if let Some(poison) = poison_among(ir.ctx(), operands) {
            return folded_attr(poison);
        }
        folded_attr(widened(
            ir.ctx(),
            operands[0]?,
            ir.value_type(view.result(ir)),
        )?)
    }
}

/// A constant that is one number everywhere, read as wider numbers: the number over and over.
fn widened(ctx: &Context, from: Attr, to: Type) -> Option<Attr> {
    let AttrKind::DenseElements {
        ty,
        data,
        splat: Splat::Yes,
    } = ctx.attr_kind(from)
    else {
        return None;
    };
    let (own, wide) = (ty.element_or_self(ctx), to.element_or_self(ctx));
    let bits = match (own.integer_width(ctx), wide.integer_width(ctx)) {
        (Some(own), Some(wide)) if own % 8 == 0 && wide % own == 0 => wide,
        _ if own == ctx.ty(TypeKind::Float(FloatKind::F16)) && wide == ctx.f32() => 32,
        _ => return None,
    };
    let data = data.repeat(bits as usize / 8 / data.len().max(1));
    Some(ctx.attr(AttrKind::DenseElements {
        ty: to,
        data,
        splat: Splat::Yes,
    }))
}

impl Canonicalize for ContractionOp {
    /// A value added to products that are summed from 0 on is the start of the sum.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = ContractionOp::from_op(op);
        let is_zero =
            constant_of(ir, view.acc(ir)).is_some_and(|attr| match ir.ctx().attr_kind(attr) {
                AttrKind::DenseElements { data, .. } => data.iter().all(|&byte| byte == 0),
                AttrKind::Integer { value, .. } => *value == 0,
                AttrKind::Float { bits, .. } => *bits == 0,
                _ => false,
            });
        let sums = view.kind(ir).is_none_or(|kind| kind == CombiningKind::Add);
        let result = view.result(ir);
        let added = ir.users(result).find_map(|user| {
            let adds = ir.isa::<arith::AddFOp>(user) || ir.isa::<arith::AddIOp>(user);
            let (lhs, rhs) = adds.then(|| (ir.operand(user, 0), ir.operand(user, 1)))?;
            Some((user, if lhs == result { rhs } else { lhs }))
        });
        let Some((add, start)) = added.filter(|_| is_zero && sums) else {
            return false;
        };
        let (lhs, rhs, ty) = (view.lhs(ir), view.rhs(ir), ir.value_type(result));
        let (maps, kinds) = (view.indexing_maps_attr(ir), view.iterator_types_attr(ir));
        let (Some(maps), Some(kinds)) = (maps, kinds) else {
            return false;
        };
        let (kind, others) = (view.kind_attr(ir), ir.discardable_attrs(op));
        rewriter.replace_with(add, |b| {
            let new = ContractionOp::builder()
                .lhs(lhs)
                .rhs(rhs)
                .acc(start)
                .indexing_maps(maps)
                .iterator_types(kinds)
                .kind(kind)
                .result_type(ty)
                .build(b);
            b.ir.set_discardable_attrs(new.op(), others);
            [new.result(b.ir)]
        });
        true
    }
}

impl Canonicalize for BitCastOp {
    /// A cast of a cast is one.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let Some(inner) = ir.def_as::<BitCastOp>(ir.operand(op, 0)) else {
            return false;
        };
        let from = inner.source(ir);
        rewriter.modify(op, &mut |ir| ir.set_operand(op, 0, from));
        true
    }
}

impl Canonicalize for ToElementsOp {
    /// The elements of what repeats are those of what is repeated.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let ctx = ir.context();
        let view = ToElementsOp::from_op(op);
        let Some(broadcast) = ir.def_as::<BroadcastOp>(view.source(ir)) else {
            return false;
        };
        let source = broadcast.source(ir);
        let (from, to) = (ir.value_type(source), ir.value_type(view.source(ir)));
        let results = ir.num_results(op);
        let inner = VectorShape::of(&ctx, from);
        if !matches!(ctx.type_kind(from), TypeKind::Vector { .. }) {
            rewriter.replace_op(op, &vec![source; results]);
            return true;
        }
        let (own, whole) = (inner.shape, VectorShape::of(&ctx, to).shape);
        let strides = row_major_strides(own);
        let behind = whole.len() - own.len();
        let place = |index: usize| -> usize {
            let (mut rest, mut at) = (index as i64, 0);
            for dim in (0..whole.len()).rev() {
                let here = rest % whole[dim];
                rest /= whole[dim];
                if dim >= behind && own[dim - behind] != 1 {
                    at += here * strides[dim - behind];
                }
            }
            usize::try_from(at).unwrap_or(0)
        };
        rewriter.replace_with(op, |b| {
            let parts = ToElementsOp::build(b, source).elements(b.ir);
            (0..results)
                .map(|index| parts[place(index)])
                .collect::<Vec<Value>>()
        });
        true
    }
}

/// One step of a reduction.
fn combine(
    b: &mut Builder<'_>,
    kind: CombiningKind,
    lhs: Value,
    rhs: Value,
    fastmath: Option<Attr>,
) -> Value {
    let element = b.ir.value_type(lhs).element_or_self(b.ctx());
    let is_float = element.is_float(b.ctx());
    macro_rules! made {
        ($op:ident, $flags:expr) => {{
            let op = arith::$op::builder().lhs(lhs).rhs(rhs).fastmath($flags);
            op.build(b).result(b.ir)
        }};
        ($op:ident) => {
            arith::$op::build(b, lhs, rhs).result(b.ir)
        };
    }
    match kind {
        CombiningKind::Add if is_float => made!(AddFOp, fastmath),
        CombiningKind::Add => made!(AddIOp),
        CombiningKind::Mul if is_float => made!(MulFOp, fastmath),
        CombiningKind::Mul => made!(MulIOp),
        CombiningKind::MinUi => made!(MinUIOp),
        CombiningKind::MinSi => made!(MinSIOp),
        CombiningKind::MinNumF => made!(MinNumFOp, fastmath),
        CombiningKind::MaxUi => made!(MaxUIOp),
        CombiningKind::MaxSi => made!(MaxSIOp),
        CombiningKind::MaxNumF => made!(MaxNumFOp, fastmath),
        CombiningKind::And => made!(AndIOp),
        CombiningKind::Or => made!(OrIOp),
        CombiningKind::Xor => made!(XOrIOp),
        CombiningKind::MinimumF => made!(MinimumFOp, fastmath),
        CombiningKind::MaximumF => made!(MaximumFOp, fastmath),
    }
}

/// The mask that decides over `op`.
fn masking(ir: &Ir, op: Op) -> Option<MaskOp> {
    ir.parent_op(op)
        .and_then(|parent| ir.cast::<MaskOp>(parent))
}

/// A vector or scalar type with another element type.
fn with_element(ctx: &Context, ty: Type, element: Type) -> Type {
    match ctx.type_kind(ty) {
        TypeKind::Vector {
            shape, scalable, ..
        } => ctx.ty(TypeKind::Vector {
            shape: shape.clone(),
            scalable: scalable.clone(),
            element,
        }),
        _ => element,
    }
}

impl Canonicalize for ReductionOp {
    /// The reduction of one element is that element, combined with the start.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let ctx = ir.context();
        let view = ReductionOp::from_op(op);
        let (vector, acc, ty) = (view.vector(ir), view.acc(ir), ir.value_type(view.dest(ir)));
        let shape = VectorShape::of(&ctx, ir.value_type(vector));
        if !matches!(shape.shape, [] | [1]) || shape.scalable.contains(&true) {
            return false;
        }
        let position = ctx.dense_i64_attr(&vec![0; shape.shape.len()]);
        let (kind, fastmath) = (view.kind(ir), ir.attr_named(op, "fastmath"));
        let mask = masking(ir, op);
        rewriter.replace_with(mask.map_or(op, MaskOp::op), |b| {
            let masks = mask.map(|mask| {
                let whole = mask.mask(b.ir);
                ExtractOp::builder()
                    .source(whole)
                    .static_position(position)
                    .result_type(b.ctx().i1())
                    .build(b)
                    .result(b.ir)
            });
            let only = ExtractOp::builder()
                .source(vector)
                .static_position(position)
                .result_type(ty)
                .build(b)
                .result(b.ir);
            let Some(acc) = acc else { return [only] };
            let combined = combine(b, kind, only, acc, fastmath);
            [masks.map_or(combined, |mask| {
                SelectOp::build(b, mask, combined, acc).result(b.ir)
            })]
        });
        true
    }
}

impl Canonicalize for MultiReductionOp {
    /// A reduction over dimensions of one element only changes the shape.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let ctx = ir.context();
        let view = MultiReductionOp::from_op(op);
        let (source, acc, ty) = (view.source(ir), view.acc(ir), ir.value_type(view.dest(ir)));
        let shape = VectorShape::of(&ctx, ir.value_type(source));
        let dims = view.reduction_dims(ir);
        let is_unit = |&dim: &i64| {
            let dim = usize::try_from(dim).unwrap_or(usize::MAX);
            shape.shape.get(dim) == Some(&1) && shape.scalable.get(dim) == Some(&false)
        };
        if dims.is_empty() || !dims.iter().all(is_unit) {
            return false;
        }
        let mask = masking(ir, op);
        let (kind, rank) = (view.kind(ir), shape.shape.len());
        let is_vector = matches!(ctx.type_kind(ty), TypeKind::Vector { .. });
        let part = |b: &mut Builder<'_>, whole: Value, ty: Type| {
            if is_vector {
                ShapeCastOp::build(b, whole, ty).result(b.ir)
            } else {
                let position = b.ctx().dense_i64_attr(&vec![0; rank]);
                ExtractOp::builder()
                    .source(whole)
                    .static_position(position)
                    .result_type(ty)
                    .build(b)
                    .result(b.ir)
            }
        };
        rewriter.replace_with(mask.map_or(op, MaskOp::op), |b| {
            let mask = mask.map(|mask| {
                let bit = b.ctx().i1();
                let (whole, ty) = (mask.mask(b.ir), with_element(b.ctx(), ty, bit));
                part(b, whole, ty)
            });
            let only = part(b, source, ty);
            let combined = combine(b, kind, acc, only, None);
            [mask.map_or(combined, |mask| {
                SelectOp::build(b, mask, combined, only).result(b.ir)
            })]
        });
        true
    }
}

impl Fold for ConstantMaskOp {
    fn fold(&self, ir: &Ir, op: Op, _operands: &[Option<Attr>]) -> Folded {
        let ctx = ir.ctx();
        let view = ConstantMaskOp::from_op(op);
        let ty = ir.value_type(view.result(ir));
        let (extents, shape) = (view.mask_dim_sizes(ir), VectorShape::of(ctx, ty).shape);
        let all = if shape.is_empty() {
            extents == [1]
        } else {
            extents == shape
        };
        if !all && !extents.contains(&0) {
            return None;
        }
        folded_attr(ctx.attr(AttrKind::DenseElements {
            ty,
            data: vec![u8::from(all)],
            splat: Splat::Yes,
        }))
    }
}

/// Whether two values are vectors of the same shape.
fn have_same_shape(ir: &Ir, a: Value, b: Value) -> bool {
    let shape = |value| match ir.ctx().type_kind(ir.value_type(value)) {
        TypeKind::Vector {
            shape, scalable, ..
        } => Some((shape, scalable)),
        _ => None,
    };
    shape(a).is_some() && shape(a) == shape(b)
}

impl Canonicalize for MaskOp {
    /// A mask over nothing selects; where it is true everywhere, what it masks stands alone.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = MaskOp::from_op(op);
        let Some(block) = ir.entry_block(view.mask_region(ir)) else {
            return false;
        };
        let Some(last) = ir.last_op(block) else {
            return false;
        };
        let yielded: Vec<Value> = ir.operands(last).collect();
        let (mask, passthru) = (view.mask(ir), view.passthru(ir));
        if ir.first_op(block) == Some(last) {
            match (passthru, &yielded[..]) {
                // A mask over lanes selects lanes of a vector of the same shape, never a number.
                (Some(other), &[only]) if have_same_shape(ir, mask, only) => {
                    rewriter
                        .replace_with(op, |b| [SelectOp::build(b, mask, only, other).result(b.ir)]);
                }
                (None, _) => rewriter.replace_op(op, &yielded),
                _ => return false,
            }
            return true;
        }
        if what_mask_lets(ir, mask) != Lets::All {
            return false;
        }
        rewriter.erase_op(last);
        rewriter.inline_block_before(block, op, &[]);
        rewriter.replace_op(op, &yielded);
        true
    }
}

impl Canonicalize for StepOp {
    /// Numbers from 0 on, compared with one number: where all compare the same way, the result is constant.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let ctx = ir.context();
        let step = StepOp::from_op(op).result(ir);
        let Some(length) =
            count(&ctx, ir.value_type(step)).and_then(|length| i64::try_from(length).ok())
        else {
            return false;
        };
        let known = ir.users(step).find_map(|user| {
            let compared = ir.cast::<CmpIOp>(user)?;
            let other = if compared.lhs(ir) == step {
                compared.rhs(ir)
            } else {
                compared.lhs(ir)
            };
            let bound = crate::constants::splat_of(&ctx, constant_of(ir, other)?)?.as_int()?;
            let predicate = compared.predicate(ir);
            let decided = matches!(predicate, CmpIPredicate::Eq | CmpIPredicate::Ne)
                || predicate.is_unsigned();
            let holds = |number: i64| {
                let (a, b) = if compared.lhs(ir) == step {
                    (number, bound)
                } else {
                    (bound, number)
                };
                predicate.holds(IntWidth::INDEX, a, b)
            };
            let first = holds(0);
            (decided && (0..length).all(|number| holds(number) == first)).then_some((user, first))
        });
        let Some((user, holds)) = known else {
            return false;
        };
        let ty = rewriter.ir().value_type(rewriter.ir().result(user, 0));
        let data = vec![u8::from(holds)];
        let attr = ctx.attr(AttrKind::DenseElements {
            ty,
            data,
            splat: Splat::Yes,
        });
        rewriter.replace_with(user, |b| [ConstantOp::build(b, attr).result(b.ir)]);
        true
    }
}
