//! Canonical forms that make types say more: constant extents, offsets and strides become part of the type of an
//! allocation or view, whose old type comes back by a cast; views look through casts that only say less.
//!
//! Deliberately absent: an expansion of what was collapsed, and a collapse of what was expanded, unless one undoes the
//! other.

use super::reshape::{collapsed_type, expanded_type};
use super::view::{Window, dropped_dims};
use super::{
    AllocOp, AllocaOp, CastOp, CollapseShapeOp, ExpandShapeOp, ExtractStridedMetadataOp,
    ReinterpretCastOp, SubViewOp, ViewOp, strides_and_offset,
};
use crate::arith::ConstantOp;
use crate::mixed::{self, Entry};
use segra_ir::interfaces::{Canonicalize, Rewriter};
use segra_ir::layout::{saturating_add, saturating_mul};
use segra_ir::types::DYNAMIC;
use segra_ir::{AttrKind, Builder, Context, Ir, Op, OpView, Type, TypeKind, Value};

/// Replaces `op` by what `build` builds, cast to the type `op` had.
fn replace_cast(
    rewriter: &mut dyn Rewriter,
    op: Op,
    build: impl FnOnce(&mut Builder<'_>) -> Value,
) {
    let ty = rewriter.ir().value_type(rewriter.ir().result(op, 0));
    rewriter.replace_with(op, |b| {
        let value = build(b);
        [if b.type_of(value) == ty {
            value
        } else {
            CastOp::build(b, value, ty).dest(b.ir)
        }]
    });
}

fn strided(
    ctx: &Context,
    like: Type,
    shape: Vec<i64>,
    strides: Vec<i64>,
    offset: i64,
) -> Option<Type> {
    let TypeKind::MemRef { element, space, .. } = ctx.type_kind(like) else {
        return None;
    };
    let layout = Some(ctx.attr(AttrKind::Strided { strides, offset }));
    Some(ctx.ty(TypeKind::MemRef {
        shape,
        element: *element,
        layout,
        space: *space,
    }))
}

/// The extents of a shape, dynamic ones by their operands, where some of these are constants: then they are fixed.
fn fixed_extents(ir: &Ir, shape: &[i64], sizes: &[Value]) -> Option<Vec<Entry>> {
    let mut given = sizes.iter().copied();
    let entries = shape.iter().map(|&extent| match extent {
        DYNAMIC => given.next().map(Entry::Open),
        _ => Some(Entry::Fixed(extent)),
    });
    let mut list = entries.collect::<Option<Vec<Entry>>>()?;
    mixed::fix(ir, &mut list, |extent| extent >= 0).then_some(list)
}

/// Constant extents of an allocation become part of its type.
pub(super) fn fix_extents(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let ctx = ir.context();
    let ty = ir.value_type(ir.result(op, 0));
    let TypeKind::MemRef {
        shape,
        element,
        layout,
        space,
    } = ctx.type_kind(ty)
    else {
        return false;
    };
    let group = |index: usize| -> Vec<Value> {
        ir.operand_group(op, index)
            .map(|position| ir.operand(op, position))
            .collect()
    };
    let (sizes, symbols) = (group(0), group(1));
    let Some(list) = fixed_extents(ir, shape, &sizes) else {
        return false;
    };
    let ty = TypeKind::MemRef {
        shape: mixed::fixed(&list),
        element: *element,
        layout: *layout,
        space: *space,
    };
    let (ty, sizes) = (ctx.ty(ty), mixed::open(&list));
    let alignment = ir.attr_named(op, "alignment");
    let on_stack = ir.isa::<AllocaOp>(op);
    replace_cast(rewriter, op, |b| match on_stack {
        true => AllocaOp::builder()
            .dynamic_sizes(&sizes)
            .symbol_operands(&symbols)
            .alignment(alignment)
            .memref_type(ty)
            .build(b)
            .memref(b.ir),
        false => AllocOp::builder()
            .dynamic_sizes(&sizes)
            .symbol_operands(&symbols)
            .alignment(alignment)
            .memref_type(ty)
            .build(b)
            .memref(b.ir),
    });
    true
}

/// Constant extents of a view of bytes become part of its type.
pub(super) fn fix_view(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let ctx = ir.context();
    let view = ViewOp::from_op(op);
    let (source, shift) = (view.source(ir), view.byte_shift(ir));
    let TypeKind::MemRef {
        shape,
        element,
        layout,
        space,
    } = ctx.type_kind(ir.value_type(view.result(ir)))
    else {
        return false;
    };
    let sizes: Vec<Value> = view.sizes(ir).into_iter().collect();
    let Some(list) = fixed_extents(ir, shape, &sizes) else {
        return false;
    };
    let ty = TypeKind::MemRef {
        shape: mixed::fixed(&list),
        element: *element,
        layout: *layout,
        space: *space,
    };
    let (ty, sizes) = (ctx.ty(ty), mixed::open(&list));
    replace_cast(rewriter, op, |b| {
        ViewOp::builder()
            .source(source)
            .byte_shift(shift)
            .sizes(&sizes)
            .result_type(ty)
            .build(b)
            .result(b.ir)
    });
    true
}

/// The lists of a view by offset, sizes and strides.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Lists([Vec<Entry>; 3]);

const LISTS: [&str; 3] = ["static_offsets", "static_sizes", "static_strides"];

impl Lists {
    fn of(ir: &Ir, op: Op) -> Lists {
        let at = |index: usize| mixed::entries(ir, op, LISTS[index], index + 1);
        Lists([at(0), at(1), at(2)])
    }
    fn fixed(&self) -> [Vec<i64>; 3] {
        self.0.each_ref().map(|list| mixed::fixed(list))
    }
    fn open(&self) -> [Vec<Value>; 3] {
        self.0.each_ref().map(|list| mixed::open(list))
    }
    /// Fixes what is constant: offsets and sizes that are not negative, strides other than 0.
    fn fix(&mut self, ir: &Ir) -> bool {
        let [offsets, sizes, strides] = &mut self.0;
        let offsets = mixed::fix(ir, offsets, |value| value >= 0);
        let sizes = mixed::fix(ir, sizes, |value| value >= 0);
        mixed::fix(ir, strides, |value| value != 0) || offsets || sizes
    }
}

/// Which dimensions of the source a subview leaves out.
fn left_out(ir: &Ir, view: SubViewOp) -> Option<Vec<bool>> {
    let ctx = ir.ctx();
    let (strides, _) = strides_and_offset(ctx, ir.value_type(view.source(ir)))?;
    let wanted: Vec<i64> = strides
        .iter()
        .zip(view.static_strides(ir))
        .map(|(&a, b)| saturating_mul(a, b))
        .collect();
    let (found, _) = strides_and_offset(ctx, ir.value_type(view.result(ir)))?;
    dropped_dims(&view.static_sizes(ir), &wanted, &found)
}

/// The type of a subview of `source` by these lists, dimensions left out.
fn window_type(ctx: &Context, source: Type, lists: &Lists, out: &[bool]) -> Option<Type> {
    let (strides, offset) = strides_and_offset(ctx, source)?;
    let [offsets, sizes, steps] = lists.fixed();
    let start = offsets
        .iter()
        .zip(&strides)
        .map(|(&a, &b)| saturating_mul(a, b))
        .fold(offset, saturating_add);
    let kept = |list: Vec<i64>| {
        list.into_iter()
            .zip(out)
            .filter(|row| !row.1)
            .map(|row| row.0)
            .collect()
    };
    let strides: Vec<i64> = strides
        .iter()
        .zip(&steps)
        .map(|(&a, &b)| saturating_mul(a, b))
        .collect();
    strided(ctx, source, kept(sizes), kept(strides), start)
}

/// Whether an op that looks at the result of a cast may as well look at its source: the source says all the result says.
pub(super) fn may_look_through(ir: &Ir, cast: CastOp) -> bool {
    let ctx = ir.ctx();
    let (from, to) = (ir.value_type(cast.source(ir)), ir.value_type(cast.dest(ir)));
    let (Some((a, p)), Some((b, q))) = (strides_and_offset(ctx, from), strides_and_offset(ctx, to))
    else {
        return false;
    };
    let (Some((shape, _)), Some((other, _))) = (from.shaped(ctx), to.shaped(ctx)) else {
        return false;
    };
    let says = |from: i64, to: i64| from != DYNAMIC || to == DYNAMIC;
    shape.len() == other.len()
        && says(p, q)
        && shape
            .iter()
            .zip(other)
            .chain(a.iter().zip(&b))
            .all(|(&from, &to)| says(from, to))
}

fn build_window(b: &mut Builder<'_>, source: Value, lists: &Lists, ty: Type) -> Value {
    let ctx = b.ir.context();
    let ([offsets, sizes, strides], fixed) = (lists.open(), lists.fixed());
    let [o, s, t] = fixed.map(|list| ctx.dense_i64_attr(&list));
    SubViewOp::builder()
        .source(source)
        .offsets(&offsets)
        .sizes(&sizes)
        .strides(&strides)
        .static_offsets(o)
        .static_sizes(s)
        .static_strides(t)
        .result_type(ty)
        .build(b)
        .result(b.ir)
}

/// The type of a window that does not certainly leave its source: such a one would not verify.
fn window_inside(ctx: &Context, from: Type, lists: &Lists, out: &[bool]) -> Option<Type> {
    let [offsets, sizes, strides] = lists.fixed();
    let window = Window {
        offsets,
        sizes,
        strides,
    };
    let inside = !window.leaves(from.shaped(ctx)?.0);
    window_type(ctx, from, lists, out).filter(|_| inside)
}

impl Canonicalize for SubViewOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let ctx = ir.context();
        let view = SubViewOp::from_op(op);
        let source = view.source(ir);
        let (from, to) = (ir.value_type(source), ir.value_type(view.result(ir)));
        let mut lists = Lists::of(ir, op);
        let Some(out) = left_out(ir, view) else {
            return false;
        };
        if lists.fix(ir) {
            let Some(ty) = window_inside(&ctx, from, &lists, &out) else {
                return false;
            };
            replace_cast(rewriter, op, |b| build_window(b, source, &lists, ty));
            return true;
        }
        let [offsets, sizes, strides] = &lists.0;
        let all =
            |list: &[Entry], number: i64| list.iter().all(|&entry| entry == Entry::Fixed(number));
        let at_start = all(offsets, 0) && all(strides, 1);
        // All of the source.
        if let (Some((shape, _)), true) = (from.shaped(&ctx), at_start && !out.contains(&true))
            && sizes
                .iter()
                .zip(shape)
                .all(|(&size, &extent)| size == Entry::Fixed(extent))
        {
            replace_cast(rewriter, op, |_| source);
            return true;
        }
        // All of another subview.
        if let Some(inner) = ir.def_as::<SubViewOp>(source)
            && at_start
            && from == to
            && &Lists::of(ir, inner.op()).0[1] == sizes
        {
            rewriter.replace_op(op, &[source]);
            return true;
        }
        let Some(cast) = ir
            .def_as::<CastOp>(source)
            .filter(|&cast| may_look_through(ir, cast))
        else {
            return false;
        };
        let behind = cast.source(ir);
        let Some(ty) = window_type(&ctx, ir.value_type(behind), &lists, &out) else {
            return false;
        };
        replace_cast(rewriter, op, |b| build_window(b, behind, &lists, ty));
        true
    }
}

/// Where elements lie: the lists of a view, fixed where `ty` or a constant says so.
fn known_lists(ir: &Ir, ty: Type, lists: &Lists) -> Option<Lists> {
    let (strides, offset) = strides_and_offset(ir.ctx(), ty)?;
    let (shape, _) = ty.shaped(ir.ctx())?;
    let known = |list: &[Entry], said: &[i64], may: fn(i64) -> bool| -> Vec<Entry> {
        let one = |(&entry, &said): (&Entry, &i64)| {
            if said == DYNAMIC {
                entry
            } else {
                Entry::Fixed(said)
            }
        };
        let mut list: Vec<Entry> = list.iter().zip(said).map(one).collect();
        mixed::fix(ir, &mut list, may);
        list
    };
    let [offsets, sizes, steps] = &lists.0;
    // Only operands may be negative: what then happens when the program runs is not defined.
    let not_negative = |value| value >= 0;
    Some(Lists([
        known(offsets, &[offset], not_negative),
        known(sizes, shape, not_negative),
        known(steps, &strides, |_| true),
    ]))
}

/// Where the elements of the source of `memref.extract_strided_metadata` lie: its results, fixed where the type says so.
fn metadata_lists(ir: &Ir, metadata: ExtractStridedMetadataOp) -> Option<Lists> {
    let ty = ir.value_type(metadata.source(ir));
    let rank = ty.shaped(ir.ctx())?.0.len();
    let results: Vec<Entry> = ir.results(metadata.op()).skip(1).map(Entry::Open).collect();
    let (offset, rest) = results.split_at_checked(1)?;
    let (sizes, strides) = rest.split_at_checked(rank)?;
    known_lists(
        ir,
        ty,
        &Lists([offset.to_vec(), sizes.to_vec(), strides.to_vec()]),
    )
}

/// `memref.reinterpret_cast` of what `memref.extract_strided_metadata` took apart is a cast, else one of its source;
/// constants in its lists become part of its type.
pub(super) fn simplify_reinterpretation(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let ctx = ir.context();
    let view = ReinterpretCastOp::from_op(op);
    let (source, to) = (view.source(ir), ir.value_type(view.result(ir)));
    let lists = Lists::of(ir, op);
    let Some(known) = known_lists(ir, to, &lists) else {
        return false;
    };
    if let Some(metadata) = ir.def_as::<ExtractStridedMetadataOp>(source) {
        let behind = metadata.source(ir);
        if metadata_lists(ir, metadata).as_ref() == Some(&known) {
            replace_cast(rewriter, op, |_| behind);
        } else {
            rewriter.modify(op, &mut |ir| ir.set_operand(op, 0, behind));
        }
        return true;
    }
    let fixed = to
        .shaped(&ctx)
        .is_some_and(|(shape, _)| !shape.contains(&DYNAMIC));
    if ir.value_type(source) == to && fixed && lists.0[0] == [Entry::Fixed(0)] {
        rewriter.replace_op(op, &[source]);
        return true;
    }
    let count = |lists: &Lists| lists.open().iter().map(Vec::len).sum::<usize>();
    if count(&known) == count(&lists) {
        return false;
    }
    let [offsets, sizes, strides] = known.fixed();
    let offset = offsets.first().copied().unwrap_or(0);
    let Some(ty) = strided(&ctx, to, sizes.clone(), strides.clone(), offset) else {
        return false;
    };
    replace_cast(rewriter, op, |b| {
        let [o, s, t] = [offsets, sizes, strides].map(|list| b.ctx().dense_i64_attr(&list));
        let [open_o, open_s, open_t] = known.open();
        ReinterpretCastOp::builder()
            .source(source)
            .offsets(&open_o)
            .sizes(&open_s)
            .strides(&open_t)
            .static_offsets(o)
            .static_sizes(s)
            .static_strides(t)
            .result_type(ty)
            .build(b)
            .result(b.ir)
    });
    true
}

impl Canonicalize for ExtractStridedMetadataOp {
    /// Extents that the type states need not be asked for; casts do not matter.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let Some(lists) = metadata_lists(ir, ExtractStridedMetadataOp::from_op(op)) else {
            return false;
        };
        let known: Vec<(Value, i64)> = ir
            .results(op)
            .skip(1)
            .zip(lists.0.concat())
            .filter(|&(result, _)| ir.has_uses(result))
            .filter_map(|(result, entry)| match entry {
                Entry::Fixed(value) => Some((result, value)),
                Entry::Open(_) => None,
            })
            .collect();
        for &(result, value) in &known {
            let constant = rewriter.build(op, |b| ConstantOp::index(b, value));
            rewriter.replace_value(result, constant);
        }
        super::canonical::look_through_casts(rewriter, op) || !known.is_empty()
    }
}

/// A collapse of a cast is a cast of a collapse.
pub(super) fn collapse_before_cast(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let view = CollapseShapeOp::from_op(op);
    let cast = ir
        .def_as::<CastOp>(view.src(ir))
        .filter(|&cast| may_look_through(ir, cast));
    let (Some(cast), Some(groups)) = (cast, view.reassociation_attr(ir)) else {
        return false;
    };
    let source = cast.source(ir);
    let Some(ty) = collapsed_type(ir.ctx(), ir.value_type(source), &view.reassociation(ir)) else {
        return false;
    };
    replace_cast(rewriter, op, |b| {
        CollapseShapeOp::build(b, source, groups, ty).result(b.ir)
    });
    true
}

/// An expansion of a cast is a cast of an expansion, where the same dimensions stay open.
pub(super) fn expand_before_cast(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let ctx = ir.context();
    let view = ExpandShapeOp::from_op(op);
    let cast = ir
        .def_as::<CastOp>(view.src(ir))
        .filter(|&cast| may_look_through(ir, cast));
    let (Some(cast), Some(groups_attr)) = (cast, view.reassociation_attr(ir)) else {
        return false;
    };
    let (source, groups) = (cast.source(ir), view.reassociation(ir));
    let mut shape = mixed::entries(ir, op, "static_output_shape", 1);
    for entry in &mut shape {
        if let Entry::Open(value) = *entry
            && let Some(extent) = ir.constant_int(value)
        {
            *entry = Entry::Fixed(extent);
        }
    }
    let extents = mixed::fixed(&shape);
    let from = ir.value_type(source);
    let Some((collapsed, _)) = from.shaped(&ctx) else {
        return false;
    };
    let is_open =
        |dim: &i64| usize::try_from(*dim).ok().and_then(|dim| extents.get(dim)) == Some(&DYNAMIC);
    let same = groups.len() == collapsed.len()
        && groups
            .iter()
            .zip(collapsed)
            .all(|(group, &whole)| group.iter().any(is_open) == (whole == DYNAMIC));
    let Some(ty) = expanded_type(&ctx, from, &extents, &groups).filter(|_| same) else {
        return false;
    };
    replace_cast(rewriter, op, |b| {
        let fixed = b.ctx().dense_i64_attr(&extents);
        ExpandShapeOp::builder()
            .src(source)
            .reassociation(groups_attr)
            .output_shape(&mixed::open(&shape))
            .static_output_shape(fixed)
            .result_type(ty)
            .build(b)
            .result(b.ir)
    });
    true
}
