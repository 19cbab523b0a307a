//! Canonical forms of transfers and masked accesses: what certainly stays in bounds is said to, masks that let all or
//! nothing through go, what was just written to a tensor need not be read.
//!
//! Deliberately absent: slices of tensors around transfers.

use super::masked::{
    CompressStoreOp, ConstantMaskOp, CreateMaskOp, ExpandLoadOp, GatherOp, MaskedLoadOp,
    MaskedStoreOp, ScatterOp,
};
use super::transfer::{TransferReadOp, TransferWriteOp};
use super::{BroadcastOp, LoadOp, StepOp, StoreOp, TransposeOp, VectorShape};
use crate::constants::attr_to_datum;
use crate::memref::look_through_casts;
use segra_interp::Datum;
use segra_ir::attrs::{AffineExpr, AffineMap, Splat};
use segra_ir::interfaces::{Canonicalize, Rewriter, constant_of};
use segra_ir::types::DYNAMIC;
use segra_ir::{AttrKind, Ir, Op, OpView, Type, TypeKind, Value};
use std::ops::Range;

/// The elements a mask lets through, as far as known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lets {
    All,
    Nothing,
    Unknown,
}

/// The elements a mask lets through.
pub(super) fn what_mask_lets(ir: &Ir, mask: Value) -> Lets {
    let ctx = ir.ctx();
    if let Some(attr) = constant_of(ir, mask) {
        let AttrKind::DenseElements { data, .. } = ctx.attr_kind(attr) else {
            return Lets::Unknown;
        };
        return match (data.contains(&0), data.iter().any(|&byte| byte != 0)) {
            (false, true) => Lets::All,
            (true, false) => Lets::Nothing,
            _ => Lets::Unknown,
        };
    }
    if let Some(constant) = ir.def_as::<ConstantMaskOp>(mask) {
        let shape = VectorShape::of(ctx, ir.value_type(mask)).shape;
        let extents = constant.mask_dim_sizes(ir);
        return match () {
            () if extents
                .iter()
                .zip(shape)
                .all(|(extent, whole)| extent >= whole) =>
            {
                Lets::All
            }
            () if extents.iter().all(|&extent| extent <= 0) => Lets::Nothing,
            () => Lets::Unknown,
        };
    }
    let created = ir.def_as::<CreateMaskOp>(mask);
    let is_empty = |value: &Value| ir.constant_int(*value).is_some_and(|extent| extent <= 0);
    match created.is_some_and(|created| created.operands(ir).iter().any(is_empty)) {
        true => Lets::Nothing,
        false => Lets::Unknown,
    }
}

/// The common parts of both kinds of transfer.
struct Transfer<'a> {
    base: Value,
    /// Positions of the indices among the operands.
    indices: Range<usize>,
    vector: Type,
    /// Position of the mask among the operands, and the group it is.
    mask: Option<(Value, usize)>,
    map: &'a AffineMap,
    in_bounds: Vec<bool>,
}

impl<'a> Transfer<'a> {
    fn of(ir: &'a Ir, op: Op) -> Option<Transfer<'a>> {
        if let Some(read) = ir.cast::<TransferReadOp>(op) {
            return Some(Transfer {
                base: read.base(ir),
                indices: ir.operand_group(op, 1),
                vector: ir.value_type(read.vector(ir)),
                mask: read.mask(ir).map(|mask| (mask, 3)),
                map: read.permutation_map(ir),
                in_bounds: read.in_bounds(ir),
            });
        }
        let write = ir.cast::<TransferWriteOp>(op)?;
        Some(Transfer {
            base: write.base(ir),
            indices: ir.operand_group(op, 2),
            vector: ir.value_type(write.value_to_store(ir)),
            mask: write.mask(ir).map(|mask| (mask, 3)),
            map: write.permutation_map(ir),
            in_bounds: write.in_bounds(ir),
        })
    }
    fn indices(&self, ir: &Ir, op: Op) -> Vec<Value> {
        self.indices
            .clone()
            .map(|position| ir.operand(op, position))
            .collect()
    }
    /// Whether the elements of both vectors are the same ones where the bases are: same indices, shape and map.
    fn covers_same(&self, ir: &Ir, op: Op, other: &Transfer<'_>, other_op: Op) -> bool {
        self.vector == other.vector
            && self.map == other.map
            && self.indices(ir, op) == other.indices(ir, other_op)
    }
    fn stays_in_bounds(&self) -> bool {
        self.in_bounds.iter().all(|&inside| inside)
    }
    fn on_tensor(&self, ir: &Ir) -> bool {
        matches!(
            ir.ctx().type_kind(ir.value_type(self.base)),
            TypeKind::Tensor { .. }
        )
    }
}

/// Dimensions that certainly stay in bounds are marked, repeated ones where all others do.
fn mark_in_bounds(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let ctx = ir.context();
    let Some(transfer) = Transfer::of(ir, op) else {
        return false;
    };
    let Some((shape, _)) = ir.value_type(transfer.base).shaped(&ctx) else {
        return false;
    };
    let extents = VectorShape::of(&ctx, transfer.vector).shape;
    let indices = transfer.indices(ir, op);
    let inside = |position: usize, dim: u32| -> Option<bool> {
        let extent = *shape.get(dim as usize)?;
        let start = ir.constant_int(*indices.get(dim as usize)?)?;
        Some(extent != DYNAMIC && start.checked_add(*extents.get(position)?)? <= extent)
    };
    let mut marked = transfer.in_bounds.clone();
    let mut all = true;
    for (position, result) in transfer.map.results.iter().enumerate() {
        let (AffineExpr::Dim(dim), Some(mark)) = (result, marked.get_mut(position)) else {
            continue;
        };
        *mark = *mark || inside(position, *dim) == Some(true);
        all &= *mark;
    }
    for (result, mark) in transfer.map.results.iter().zip(&mut marked) {
        *mark = *mark || all && !matches!(result, AffineExpr::Dim(_));
    }
    if marked == transfer.in_bounds || marked.is_empty() {
        return false;
    }
    let marks: Vec<_> = marked.iter().map(|&mark| ctx.bool_attr(mark)).collect();
    rewriter.modify(op, &mut |ir| {
        ir.set_attr_named(op, "in_bounds", Some(ctx.array_attr(&marks)))
    });
    true
}

/// A mask that lets all through goes.
fn drop_full_mask(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let Some((mask, group)) = Transfer::of(ir, op).and_then(|transfer| transfer.mask) else {
        return false;
    };
    let all = what_mask_lets(ir, mask) == Lets::All;
    if all {
        rewriter.modify(op, &mut |ir| ir.set_operand_group(op, group, &[]));
    }
    all
}

/// Facts about any transfer: its bounds, its mask, the memory behind casts.
fn say_what_is_known(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    mark_in_bounds(rewriter, op) || drop_full_mask(rewriter, op) || look_through_casts(rewriter, op)
}

/// Whether two transfers of vectors of one type certainly touch different elements.
fn is_apart(ir: &Ir, a: Op, b: Op) -> bool {
    let (Some(first), Some(second)) = (Transfer::of(ir, a), Transfer::of(ir, b)) else {
        return false;
    };
    if first.vector != second.vector {
        return false;
    }
    let constant = |value: Value| ir.constant_int(value);
    let extents = VectorShape::of(ir.ctx(), first.vector).shape;
    let (here, there) = (first.indices(ir, a), second.indices(ir, b));
    let leading = here.len().saturating_sub(first.map.results.len());
    here.into_iter()
        .zip(there)
        .enumerate()
        .any(|(dim, (here, there))| {
            let (Some(here), Some(there)) = (constant(here), constant(there)) else {
                return false;
            };
            match dim.checked_sub(leading).and_then(|dim| extents.get(dim)) {
                Some(&extent) => here.abs_diff(there) >= extent.unsigned_abs(),
                None => here != there,
            }
        })
}

/// The value a read finds in a tensor after a write before it.
fn just_written(ir: &Ir, read: Op) -> Option<Value> {
    let transfer = Transfer::of(ir, read)?;
    if !transfer.on_tensor(ir) {
        return None;
    }
    let mut write = ir.def_as::<TransferWriteOp>(transfer.base);
    while let Some(found) = write {
        let other = Transfer::of(ir, found.op())?;
        let same = other.stays_in_bounds()
            && other.covers_same(ir, found.op(), &transfer, read)
            && other.mask.is_none()
            && transfer.mask.is_none();
        if same {
            return Some(found.value_to_store(ir));
        }
        if !is_apart(ir, found.op(), read) {
            return None;
        }
        write = ir.def_as::<TransferWriteOp>(other.base);
    }
    None
}

impl Canonicalize for TransferReadOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        if let Some(written) = just_written(rewriter.ir(), op) {
            rewriter.replace_op(op, &[written]);
            return true;
        }
        say_what_is_known(rewriter, op) || repeat_written(rewriter, op)
    }
}

/// The dimension of a vector for each dimension of `base` that a map names.
fn covered(map: &AffineMap) -> Vec<Option<usize>> {
    let place = |dim: u32| {
        map.results
            .iter()
            .position(|result| *result == AffineExpr::Dim(dim))
    };
    (0..map.dims).map(place).collect()
}

/// The order of dimensions in which repeated ones come first, then the others as they are in the source; its inverse.
fn repeated_first(from: &[Option<usize>]) -> (Vec<i64>, Vec<i64>) {
    let mut order: Vec<i64> = (0..)
        .zip(from)
        .filter(|row| row.1.is_none())
        .map(|row| row.0)
        .collect();
    let repeated = order.len();
    order.resize(from.len(), 0);
    for (dim, place) in (0..).zip(from) {
        if let Some(place) = place {
            order[place + repeated] = dim;
        }
    }
    let mut permutation = vec![0i64; order.len()];
    for (index, &dim) in (0..).zip(&order) {
        permutation[dim as usize] = index;
    }
    (order, permutation)
}

/// A read of just what was written, with dimensions repeated or in another order, repeats and transposes it.
fn repeat_written(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let ctx = ir.context();
    let Some(read) = Transfer::of(ir, op) else {
        return false;
    };
    let written = ir.def_as::<TransferWriteOp>(read.base);
    let write = written.and_then(|written| Transfer::of(ir, written.op()));
    let (Some(written), Some(write)) = (written, write) else {
        return false;
    };
    let plain = read.on_tensor(ir)
        && write.on_tensor(ir)
        && read.mask.is_none()
        && write.mask.is_none()
        && read.stays_in_bounds()
        && write.stays_in_bounds()
        && read.indices(ir, op) == write.indices(ir, written.op());
    let [target, source] = [read.vector, write.vector].map(|ty| VectorShape::of(&ctx, ty));
    // The same chunk: along each dimension of the tensor as many elements (one, where a map does not name it).
    let chunk = |map: &AffineMap, shape: &[i64]| -> Vec<i64> {
        covered(map)
            .into_iter()
            .map(|place| place.map_or(1, |place| shape[place]))
            .collect()
    };
    if !plain || chunk(read.map, target.shape) != chunk(write.map, source.shape) {
        return false;
    }
    // For each dimension of the read vector, the dimension of the written one it is; `None`: it is repeated.
    let places = covered(write.map);
    let from = read.map.results.iter().map(|result| match result {
        AffineExpr::Dim(dim) => places.get(*dim as usize).copied().flatten(),
        _ => None,
    });
    let from: Vec<Option<usize>> = from.collect();
    let used = |dim: usize| from.contains(&Some(dim));
    if !(0..source.shape.len()).all(used) {
        return false;
    }
    let (order, permutation) = repeated_first(&from);
    let dims = order.iter().map(|&dim| dim as usize);
    let (shape, scalable) = dims
        .map(|dim| (target.shape[dim], target.scalable[dim]))
        .unzip();
    let middle = ctx.ty(TypeKind::Vector {
        shape,
        scalable,
        element: target.element,
    });
    let (vector, ty) = (written.value_to_store(ir), read.vector);
    rewriter.replace_with(op, |b| {
        let stretched = BroadcastOp::build(b, vector, middle).vector(b.ir);
        [TransposeOp::build(b, stretched, b.ctx().dense_i64_attr(&permutation), ty).result(b.ir)]
    });
    true
}

/// Whether a map names the last dimensions in their order.
fn is_minor_identity(map: &AffineMap) -> bool {
    let Some(behind) = (map.dims as usize).checked_sub(map.results.len()) else {
        return false;
    };
    let is_own =
        |(index, result): (usize, &AffineExpr)| *result == AffineExpr::Dim((behind + index) as u32);
    map.results.iter().enumerate().all(is_own)
}

/// The tensor a write leaves as it is, or makes equal to another one.
fn written_back(ir: &Ir, op: Op) -> Option<Value> {
    let write = TransferWriteOp::from_op(op);
    let here = Transfer::of(ir, op)?;
    let read = ir
        .def_as::<TransferReadOp>(write.value_to_store(ir))
        .filter(|_| here.on_tensor(ir))?;
    let there = Transfer::of(ir, read.op())?;
    let shape = VectorShape::of(ir.ctx(), here.vector).shape;
    let is_zero = |value: &Value| ir.constant_int(*value) == Some(0);
    let (own, other) = (here.indices(ir, op), there.indices(ir, read.op()));
    let all = !shape.is_empty()
        && is_minor_identity(here.map)
        && is_minor_identity(there.map)
        && here.map.results.len() == there.map.results.len()
        && here.stays_in_bounds()
        && there.stays_in_bounds()
        && ir.value_type(here.base) == ir.value_type(there.base)
        && ir
            .value_type(here.base)
            .shaped(ir.ctx())
            .is_some_and(|(whole, _)| whole == shape)
        && here.mask.is_none()
        && there.mask.is_none()
        && own.iter().chain(&other).all(is_zero);
    let same = here.base == there.base
        && own == other
        && here.map == there.map
        && here.mask.is_none()
        && there.mask.is_none();
    (all || same).then_some(there.base)
}

/// A write that a later one overwrites is not needed, where only disjoint writes stand between.
fn skip_overwritten(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let Some(here) = Transfer::of(ir, op).filter(|here| here.on_tensor(ir)) else {
        return false;
    };
    let (mut changed, mut base) = (op, here.base);
    while let Some(before) = ir.def_as::<TransferWriteOp>(base) {
        let Some(there) = Transfer::of(ir, before.op()) else {
            return false;
        };
        let same = there.covers_same(ir, before.op(), &here, op)
            && there.mask.map(|row| row.0) == here.mask.map(|row| row.0);
        if same {
            let source = there.base;
            rewriter.modify(changed, &mut |ir| ir.set_operand(changed, 1, source));
            return true;
        }
        if !is_apart(ir, before.op(), op) || !ir.has_one_use(base) {
            return false;
        }
        (changed, base) = (before.op(), there.base);
    }
    false
}

impl Canonicalize for TransferWriteOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        if let Some(tensor) = written_back(rewriter.ir(), op) {
            rewriter.replace_op(op, &[tensor]);
            return true;
        }
        say_what_is_known(rewriter, op) || skip_overwritten(rewriter, op)
    }
}

impl Canonicalize for LoadOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        look_through_casts(rewriter, op)
    }
}
impl Canonicalize for StoreOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        look_through_casts(rewriter, op)
    }
}

/// A masked read becomes a plain one, or what stands where the mask is false.
macro_rules! masked_reads {
    ($($op:ident),*) => {$(
        impl Canonicalize for $op {
            fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
                let ir = rewriter.ir();
                let view = $op::from_op(op);
                match what_mask_lets(ir, view.mask(ir)) {
                    Lets::Unknown => return look_through_casts(rewriter, op),
                    Lets::Nothing => {
                        let other = view.pass_thru(ir);
                        rewriter.replace_op(op, &[other]);
                    }
                    Lets::All => {
                        let (base, indices) = (view.base(ir), view.indices(ir));
                        let ty = ir.value_type(view.result(ir));
                        let plain = ir.ctx().bool_attr(false);
                        rewriter.replace_with(op, |b| {
                            [LoadOp::builder().base(base).indices(&indices).nontemporal(plain).result_type(ty).build(b).result(b.ir)]
                        });
                    }
                }
                true
            }
        }
    )*};
}

masked_reads!(MaskedLoadOp, ExpandLoadOp);

/// A masked write becomes a plain one, or none.
macro_rules! masked_writes {
    ($($op:ident),*) => {$(
        impl Canonicalize for $op {
            fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
                let ir = rewriter.ir();
                let view = $op::from_op(op);
                match what_mask_lets(ir, view.mask(ir)) {
                    Lets::Unknown => return look_through_casts(rewriter, op),
                    Lets::Nothing => rewriter.erase_op(op),
                    Lets::All => {
                        let (base, indices) = (view.base(ir), view.indices(ir));
                        let (value, plain) = (view.value_to_store(ir), ir.ctx().bool_attr(false));
                        rewriter.replace_with(op, |b| {
                            StoreOp::builder().value_to_store(value).base(base).indices(&indices).nontemporal(plain).build(b);
                            []
                        });
                    }
                }
                true
            }
        }
    )*};
}

masked_writes!(MaskedStoreOp, CompressStoreOp);

/// Whether a vector holds 0, 1, 2 and so on.
fn counts_up(ir: &Ir, vector: Value) -> bool {
    let ctx = ir.ctx();
    let shape = VectorShape::of(ctx, ir.value_type(vector));
    if shape.shape.len() != 1 || shape.scalable.contains(&true) {
        return false;
    }
    if ir.def_as::<StepOp>(vector).is_some() {
        return true;
    }
    let Some(attr) = constant_of(ir, vector) else {
        return false;
    };
    let is_splat = matches!(
        ctx.attr_kind(attr),
        AttrKind::DenseElements {
            splat: Splat::Yes,
            ..
        }
    );
    let Some(Datum::Vector(numbers)) =
        attr_to_datum(ctx, attr).filter(|_| !is_splat || shape.count() == 1)
    else {
        return false;
    };
    numbers
        .iter()
        .enumerate()
        .all(|(index, number)| number.as_int() == Some(index as i64))
}

fn is_memory(ir: &Ir, base: Value) -> bool {
    matches!(
        ir.ctx().type_kind(ir.value_type(base)),
        TypeKind::MemRef { .. }
    )
}

impl Canonicalize for GatherOp {
    /// Neighbours in their order are a masked load.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = GatherOp::from_op(op);
        let (base, mask, other) = (view.base(ir), view.mask(ir), view.pass_thru(ir));
        if what_mask_lets(ir, mask) == Lets::Nothing {
            rewriter.replace_op(op, &[other]);
            return true;
        }
        if !is_memory(ir, base) || !counts_up(ir, view.indices(ir)) {
            return false;
        }
        let (offsets, ty) = (view.offsets(ir), ir.value_type(view.result(ir)));
        rewriter.replace_with(op, |b| {
            [MaskedLoadOp::builder()
                .base(base)
                .indices(&offsets)
                .mask(mask)
                .pass_thru(other)
                .result_type(ty)
                .build(b)
                .result(b.ir)]
        });
        true
    }
}

impl Canonicalize for ScatterOp {
    /// Neighbours in their order are a masked store.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = ScatterOp::from_op(op);
        let (base, mask) = (view.base(ir), view.mask(ir));
        if what_mask_lets(ir, mask) == Lets::Nothing {
            let kept: Vec<Value> = ir.results(op).map(|_| base).collect();
            rewriter.replace_op(op, &kept);
            return true;
        }
        if !is_memory(ir, base) || !counts_up(ir, view.indices(ir)) {
            return false;
        }
        let (offsets, value) = (view.offsets(ir), view.value_to_store(ir));
        rewriter.replace_with(op, |b| {
            MaskedStoreOp::builder()
                .base(base)
                .indices(&offsets)
                .mask(mask)
                .value_to_store(value)
                .build(b);
            []
        });
        true
    }
}
