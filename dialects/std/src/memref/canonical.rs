//! Folding and canonical forms: views that change nothing vanish, accesses look through casts, extents are those the
//! memory was allocated with, memory that is only written goes. Refinement of types: see `static_types`.

use super::expand_collapse::{collapse_of_expansion, expansion_of_collapse};
use super::static_types::{
    collapse_before_cast, expand_before_cast, fix_extents, fix_view, may_look_through,
    simplify_reinterpretation,
};
use super::{
    AllocOp, AllocaOp, AssumeAlignmentOp, AtomicRmwOp, CastOp, CollapseShapeOp, CopyOp, DeallocOp,
    DimOp, ExpandShapeOp, LoadOp, MemorySpaceCastOp, ReallocOp, ReinterpretCastOp, ReshapeOp,
    StoreOp, SubViewOp, TransposeOp, ViewOp,
};
use crate::arith::IndexCastOp;
use crate::arith::rules::folded_value;
use segra_ir::attrs::{AffineExpr, AffineMap};
use segra_ir::interfaces::{Canonicalize, Fold, Folded, Rewriter, ShapeOf};
use segra_ir::types::DYNAMIC;
use segra_ir::{Attr, AttrKind, Context, InsertPoint, Ir, Op, OpView, Type, TypeKind, Value};

fn result_type(ir: &Ir, op: Op) -> Type {
    ir.value_type(ir.result(op, 0))
}

/// The source of a view that changes nothing.
fn unchanged(ir: &Ir, op: Op) -> Folded {
    let source = ir.operand(op, 0);
    if ir.value_type(source) == result_type(ir, op) {
        folded_value(source)
    } else {
        None
    }
}

/// The value that a view of type `V` restores: its source's source, where that has the result's type.
fn undone<V: OpView>(ir: &Ir, op: Op) -> Folded {
    let def = ir
        .defining_op(ir.operand(op, 0))
        .filter(|&def| ir.isa::<V>(def))?;
    let source = ir.operand(def, 0);
    if ir.value_type(source) == result_type(ir, op) {
        folded_value(source)
    } else {
        None
    }
}

impl Fold for CastOp {
    fn fold(&self, ir: &Ir, op: Op, _operands: &[Option<Attr>]) -> Folded {
        unchanged(ir, op).or_else(|| undone::<CastOp>(ir, op))
    }
}
impl Fold for MemorySpaceCastOp {
    fn fold(&self, ir: &Ir, op: Op, _operands: &[Option<Attr>]) -> Folded {
        unchanged(ir, op).or_else(|| undone::<MemorySpaceCastOp>(ir, op))
    }
}
impl Fold for CollapseShapeOp {
    fn fold(&self, ir: &Ir, op: Op, _operands: &[Option<Attr>]) -> Folded {
        unchanged(ir, op).or_else(|| undone::<ExpandShapeOp>(ir, op))
    }
}
impl Fold for ExpandShapeOp {
    fn fold(&self, ir: &Ir, op: Op, _operands: &[Option<Attr>]) -> Folded {
        let fixed = result_type(ir, op)
            .shaped(ir.ctx())
            .is_some_and(|(shape, _)| !shape.contains(&DYNAMIC));
        unchanged(ir, op).or_else(|| undone::<CollapseShapeOp>(ir, op).filter(|_| fixed))
    }
}
impl Fold for TransposeOp {
    fn fold(&self, ir: &Ir, op: Op, _operands: &[Option<Attr>]) -> Folded {
        let permutation = TransposeOp::from_op(op).permutation(ir);
        if permutation.is_identity() {
            unchanged(ir, op)
        } else {
            None
        }
    }
}
impl Fold for SubViewOp {
    fn fold(&self, ir: &Ir, op: Op, _operands: &[Option<Attr>]) -> Folded {
        let fixed = result_type(ir, op)
            .shaped(ir.ctx())
            .is_some_and(|(shape, _)| !shape.contains(&DYNAMIC));
        let view = SubViewOp::from_op(op);
        let all = |list: Vec<i64>, number: i64| list.iter().all(|&entry| entry == number);
        let whole = fixed && all(view.static_offsets(ir), 0) && all(view.static_strides(ir), 1);
        if whole { unchanged(ir, op) } else { None }
    }
}

/// The source of the ranked cast that defines an operand.
fn before_cast(ir: &Ir, value: Value) -> Option<Value> {
    let cast = ir.cast::<CastOp>(ir.defining_op(value)?)?;
    let source = cast.source(ir);
    matches!(
        ir.ctx().type_kind(ir.value_type(source)),
        TypeKind::MemRef { .. }
    )
    .then_some(source)
}

/// Lets an op use what is behind casts. Whether one of its operands is a cast.
pub fn look_through_casts(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let behind: Vec<(usize, Value)> = ir
        .operands(op)
        .enumerate()
        .filter_map(|(index, value)| before_cast(ir, value).map(|source| (index, source)))
        .collect();
    if behind.is_empty() {
        return false;
    }
    rewriter.modify(op, &mut |ir| {
        for &(index, source) in &behind {
            ir.set_operand(op, index, source);
        }
    });
    true
}

impl Canonicalize for LoadOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        look_through_casts(rewriter, op)
    }
}
impl Canonicalize for StoreOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        // Of the operands only the memory: the value stored keeps its type.
        let ir = rewriter.ir();
        let Some(source) = before_cast(ir, StoreOp::from_op(op).memref(ir)) else {
            return false;
        };
        rewriter.modify(op, &mut |ir| ir.set_operand(op, 1, source));
        true
    }
}
impl Canonicalize for DimOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        look_through_casts(rewriter, op) || read_extent(rewriter, op)
    }
}

/// An extent of memory reshaped by extents that lie in memory is read from there, right after the reshape.
fn read_extent(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let view = DimOp::from_op(op);
    let Some(reshape) = ir.def_as::<ReshapeOp>(view.source(ir)) else {
        return false;
    };
    let (index, shape) = (view.index(ir), reshape.shape(ir));
    let (here, place) = (ir.block_of(reshape.op()), ir.value_block(index));
    let known = if place == here {
        ir.defining_op(index)
            .is_none_or(|def| ir.is_before(def, reshape.op()))
    } else {
        let around = place.and_then(|block| ir.block_parent(block));
        ir.block_of(op) == here || around.is_some_and(|around| ir.is_inside(reshape.op(), around))
    };
    let Some(next) = ir.next_op(reshape.op()).filter(|_| known) else {
        return false;
    };
    let (loc, ty, plain) = (
        ir.loc(op),
        ir.value_type(ir.result(op, 0)),
        ir.ctx().bool_attr(false),
    );
    let mut loaded = None;
    rewriter.build_at(InsertPoint::Before(next), loc, &mut |b| {
        let element = b.type_of(shape).element_or_self(b.ctx());
        let value = LoadOp::builder()
            .memref(shape)
            .indices(&[index])
            .nontemporal(plain)
            .build(b)
            .result(b.ir);
        loaded = Some(if element == ty {
            value
        } else {
            IndexCastOp::build(b, value, ty).out(b.ir)
        });
    });
    if let Some(value) = loaded {
        rewriter.replace_op(op, &[value]);
    }
    loaded.is_some()
}
impl Canonicalize for DeallocOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        look_through_casts(rewriter, op)
    }
}
impl Canonicalize for CopyOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = CopyOp::from_op(op);
        let empty = |value: Value| {
            ir.value_type(value)
                .shaped(ir.ctx())
                .is_some_and(|(shape, _)| shape.contains(&0))
        };
        if view.source(ir) == view.target(ir) || empty(view.source(ir)) || empty(view.target(ir)) {
            rewriter.erase_op(op);
            return true;
        }
        look_through_casts(rewriter, op)
    }
}
impl Canonicalize for CastOp {
    /// A cast of a cast that adds nothing is one.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        // The inner cast must not say more than its source does: it is a check then.
        let inner = ir
            .def_as::<CastOp>(ir.operand(op, 0))
            .filter(|&inner| may_look_through(ir, inner));
        let Some(source) = inner.map(|inner| inner.source(ir)) else {
            return false;
        };
        rewriter.modify(op, &mut |ir| ir.set_operand(op, 0, source));
        true
    }
}

/// Lets a view look at what the view it looks at looks at, where that is of type `V`.
fn look_further<V: OpView>(
    rewriter: &mut dyn Rewriter,
    op: Op,
    may: impl Fn(&Ir, Op) -> bool,
) -> bool {
    let ir = rewriter.ir();
    let Some(inner) = ir
        .defining_op(ir.operand(op, 0))
        .filter(|&def| ir.isa::<V>(def) && may(ir, def))
    else {
        return false;
    };
    let source = ir.operand(inner, 0);
    rewriter.modify(op, &mut |ir| ir.set_operand(op, 0, source));
    true
}

impl Canonicalize for MemorySpaceCastOp {
    /// A cast of a cast is one.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        look_further::<MemorySpaceCastOp>(rewriter, op, |_, _| true)
    }
}

impl Canonicalize for ReinterpretCastOp {
    /// Only where the memory starts matters of what is looked at, so views that start there are looked through.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let starts_alike = |ir: &Ir, view: Op| {
            SubViewOp::from_op(view)
                .static_offsets(ir)
                .iter()
                .all(|&offset| offset == 0)
        };
        look_further::<CastOp>(rewriter, op, |_, _| true)
            || look_further::<ReinterpretCastOp>(rewriter, op, |_, _| true)
            || look_further::<SubViewOp>(rewriter, op, starts_alike)
            || simplify_reinterpretation(rewriter, op)
    }
}

impl Canonicalize for TransposeOp {
    /// A transposition of a transposition is one.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let ctx = ir.context();
        let view = TransposeOp::from_op(op);
        let Some(inner) = ir.def_as::<TransposeOp>(view.r#in(ir)) else {
            return false;
        };
        let first = &inner.permutation(ir).results;
        let both: Option<Vec<AffineExpr>> = view
            .permutation(ir)
            .results
            .iter()
            .map(|expr| match expr {
                AffineExpr::Dim(dim) => first.get(*dim as usize).cloned(),
                _ => None,
            })
            .collect();
        let Some(results) = both else { return false };
        let source = inner.r#in(ir);
        let map = AffineMap {
            dims: results.len() as u32,
            symbols: 0,
            results,
        };
        let permutation = ctx.attr(AttrKind::AffineMap(map));
        rewriter.modify(op, &mut |ir| {
            ir.set_operand(op, 0, source);
            ir.set_attr_named(op, "permutation", Some(permutation));
        });
        true
    }
}

impl Canonicalize for AssumeAlignmentOp {
    /// An assumption that was made already need not be repeated.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = AssumeAlignmentOp::from_op(op);
        let source = view.memref(ir);
        let known = ir
            .def_as::<AssumeAlignmentOp>(source)
            .is_some_and(|inner| inner.alignment_attr(ir) == view.alignment_attr(ir));
        if known {
            rewriter.replace_op(op, &[source]);
        }
        known
    }
}

impl Canonicalize for ViewOp {
    /// A view of all bytes as they are is what it looks at; casts do not matter to it; constant extents are part of its
    /// type.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = ViewOp::from_op(op);
        let source = view.source(ir);
        let at_start = ir.constant_int(view.byte_shift(ir)) == Some(0);
        if at_start && view.sizes(ir).is_empty() && ir.value_type(source) == result_type(ir, op) {
            rewriter.replace_op(op, &[source]);
            return true;
        }
        let Some(behind) = before_cast(ir, source) else {
            return fix_view(rewriter, op);
        };
        rewriter.modify(op, &mut |ir| ir.set_operand(op, 0, behind));
        true
    }
}

/// Whether elements lie row by row without gaps.
pub(super) fn is_plain(ir: &Ir, value: Value) -> bool {
    matches!(
        ir.ctx().type_kind(ir.value_type(value)),
        TypeKind::MemRef { layout: None, .. }
    )
}

/// Groups of groups.
fn joined(outer: &[Vec<i64>], inner: &[Vec<i64>]) -> Option<Vec<Vec<i64>>> {
    let group = |dims: &Vec<i64>| -> Option<Vec<i64>> {
        let parts: Option<Vec<&Vec<i64>>> = dims
            .iter()
            .map(|&dim| inner.get(usize::try_from(dim).ok()?))
            .collect();
        Some(parts?.into_iter().flatten().copied().collect())
    };
    outer.iter().map(group).collect()
}

pub(super) fn groups_attr(ctx: &Context, groups: &[Vec<i64>]) -> Attr {
    let group = |dims: &Vec<i64>| {
        let dims: Vec<Attr> = dims.iter().map(|&dim| ctx.i64_attr(dim)).collect();
        ctx.array_attr(&dims)
    };
    ctx.array_attr(&groups.iter().map(group).collect::<Vec<Attr>>())
}

impl Canonicalize for CollapseShapeOp {
    /// Collapsed twice is collapsed once; see also `expand_collapse`.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = CollapseShapeOp::from_op(op);
        let Some(inner) = ir.def_as::<CollapseShapeOp>(view.src(ir)) else {
            return collapse_of_expansion(rewriter, op) || collapse_before_cast(rewriter, op);
        };
        let groups = joined(&view.reassociation(ir), &inner.reassociation(ir));
        let source = inner.src(ir);
        regroup(rewriter, op, source, groups)
    }
}

impl Canonicalize for ExpandShapeOp {
    /// Expanded twice is expanded once; see also `expand_collapse`.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = ExpandShapeOp::from_op(op);
        let Some(inner) = ir.def_as::<ExpandShapeOp>(view.src(ir)) else {
            return expansion_of_collapse(rewriter, op) || expand_before_cast(rewriter, op);
        };
        let groups = joined(&inner.reassociation(ir), &view.reassociation(ir));
        let source = inner.src(ir);
        regroup(rewriter, op, source, groups)
    }
}

/// A change of shape becomes one of `source`, with these groups of dimensions; all memory between must be plain.
fn regroup(
    rewriter: &mut dyn Rewriter,
    op: Op,
    source: Value,
    groups: Option<Vec<Vec<i64>>>,
) -> bool {
    let ir = rewriter.ir();
    let Some(groups) = groups else { return false };
    if ![source, ir.operand(op, 0), ir.result(op, 0)]
        .into_iter()
        .all(|value| is_plain(ir, value))
    {
        return false;
    }
    let groups = groups_attr(ir.ctx(), &groups);
    rewriter.modify(op, &mut |ir| {
        ir.set_operand(op, 0, source);
        ir.set_attr_named(op, "reassociation", Some(groups));
    });
    true
}

/// The operand that is the extent of a dimension the type leaves open.
pub(super) fn dynamic_extent(ir: &Ir, op: Op, sizes: &[Value], dim: usize) -> Option<Value> {
    let (shape, _) = ir.value_type(ir.result(op, 0)).shaped(ir.ctx())?;
    if *shape.get(dim)? != DYNAMIC {
        return None;
    }
    let before = shape[..dim]
        .iter()
        .filter(|&&extent| extent == DYNAMIC)
        .count();
    sizes.get(before).copied()
}

impl ShapeOf for AllocOp {
    fn extent(&self, ir: &Ir, op: Op, _result: usize, dim: usize) -> Option<Value> {
        dynamic_extent(ir, op, &AllocOp::from_op(op).dynamic_sizes(ir), dim)
    }
}
impl ShapeOf for AllocaOp {
    fn extent(&self, ir: &Ir, op: Op, _result: usize, dim: usize) -> Option<Value> {
        dynamic_extent(ir, op, &AllocaOp::from_op(op).dynamic_sizes(ir), dim)
    }
}

/// Erases memory that is only written and given back, with what does it.
fn drop_write_only(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let memory = ir.result(op, 0);
    let only_written = ir.users(memory).all(|user| match ir.cast::<StoreOp>(user) {
        Some(store) => store.value(ir) != memory,
        None => ir.isa::<DeallocOp>(user),
    });
    if !only_written {
        return false;
    }
    let users: Vec<Op> = ir.users(memory).collect();
    for user in users {
        rewriter.erase_op(user);
    }
    rewriter.erase_op(op);
    true
}

impl Canonicalize for AllocOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        drop_write_only(rewriter, op) || fix_extents(rewriter, op)
    }
}
impl Canonicalize for AllocaOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        drop_write_only(rewriter, op) || fix_extents(rewriter, op)
    }
}
impl Canonicalize for ReallocOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        drop_write_only(rewriter, op)
    }
}
impl Canonicalize for AtomicRmwOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        look_through_casts(rewriter, op)
    }
}
