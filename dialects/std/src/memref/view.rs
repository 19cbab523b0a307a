//! Other views of the same memory.

use super::{check_extents, check_view, strides_and_offset};
use crate::mixed::{self, drops_only_ones, filled, verify_lists, verify_signs};
use segra_interp::{
    Cx, Datum, Eval, EvalResult, Fault, Flow, Inst, Lanes, MemRefValue, Prepare, Prepared,
};
use segra_ir::constraint::{AnyMemRef, DenseI64Attr, Index, RankedOrUnrankedMemRef, StridedMemRef};
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{Canonicalize, Fold, Verify, ViewLike};
use segra_ir::layout::{saturating_add, saturating_mul};
use segra_ir::types::DYNAMIC;
use segra_ir::{Ir, Op, OpView, Type, TypeKind, op};

/// The same view as a type that says more or less about extents, strides and offset; checked at run time.
#[op(
    "memref.cast",
    traits(Pure, SameOperandsAndResultShape),
    interfaces(Fold, Canonicalize, Verify, ViewLike, Eval),
    format = "$source attr-dict `:` type($source) `to` type($dest)"
)]
pub struct CastOp {
    source: Operand<RankedOrUnrankedMemRef>,
    dest: OpResult<RankedOrUnrankedMemRef>,
}

/// A view of the whole buffer by explicit offset, sizes and strides.
#[op(
    "memref.reinterpret_cast",
    traits(Pure),
    interfaces(Canonicalize, Verify, ViewLike, Eval),
    format = "$source `to` `offset` `` `:` custom<DynamicIndexList>($offsets, $static_offsets) `` `,` `sizes` ``
               `:` custom<DynamicIndexList>($sizes, $static_sizes) `` `,` `strides` `` `:`
               custom<DynamicIndexList>($strides, $static_strides) attr-dict `:` type($source) `to`
               type($result)"
)]
pub struct ReinterpretCastOp {
    source: Operand<RankedOrUnrankedMemRef>,
    offsets: VariadicOperand<Index>,
    sizes: VariadicOperand<Index>,
    strides: VariadicOperand<Index>,
    static_offsets: Attr<DenseI64Attr>,
    static_sizes: Attr<DenseI64Attr>,
    static_strides: Attr<DenseI64Attr>,
    result: OpResult<StridedMemRef>,
}

/// A window: in each dimension an offset, a size and a stride, all in elements of the source.
#[op(
    "memref.subview",
    traits(Pure),
    interfaces(Fold, Canonicalize, Verify, ViewLike, Eval),
    format = "$source `` custom<DynamicIndexList>($offsets, $static_offsets) custom<DynamicIndexList>($sizes,
               $static_sizes) custom<DynamicIndexList>($strides, $static_strides) attr-dict `:`
               type($source) `to` type($result)"
)]
pub struct SubViewOp {
    source: Operand<AnyMemRef>,
    offsets: VariadicOperand<Index>,
    sizes: VariadicOperand<Index>,
    strides: VariadicOperand<Index>,
    static_offsets: Attr<DenseI64Attr>,
    static_sizes: Attr<DenseI64Attr>,
    static_strides: Attr<DenseI64Attr>,
    result: OpResult<AnyMemRef>,
}

impl Verify for CastOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let view = CastOp::from_op(op);
        let (from, to) = (ir.value_type(view.source(ir)), ir.value_type(view.dest(ir)));
        super::verify_same_space_and_element(ir, from, to, diags);
        if from.shaped(ctx).is_none() && to.shaped(ctx).is_none() {
            diags.error("operand `source` or the result must be ranked");
            return;
        }
        let (TypeKind::MemRef { layout: a, .. }, TypeKind::MemRef { layout: b, .. }) =
            (ctx.type_kind(from), ctx.type_kind(to))
        else {
            return;
        };
        let agree = |a: &[i64], b: &[i64]| {
            a.len() == b.len()
                && a.iter()
                    .zip(b)
                    .all(|(&a, &b)| a == b || a == DYNAMIC || b == DYNAMIC)
        };
        let layouts = a == b
            || match (strides_and_offset(ctx, from), strides_and_offset(ctx, to)) {
                (Some((s, o)), Some((t, p))) => agree(&s, &t) && agree(&[o], &[p]),
                _ => false,
            };
        if !layouts {
            let message =
                "operand `source` and the result must agree where both layouts say something";
            diags.error(message);
        }
    }
}

impl Verify for ReinterpretCastOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let view = ReinterpretCastOp::from_op(op);
        let (from, to) = (
            ir.value_type(view.source(ir)),
            ir.value_type(view.result(ir)),
        );
        let (shape, _) = to.shaped(ctx).unwrap_or((&[], to));
        verify_lists(ir, op, [1, shape.len(), shape.len()], 1, diags);
        let lists = [
            view.static_offsets(ir),
            view.static_sizes(ir),
            view.static_strides(ir),
        ];
        verify_signs([&lists[0], &lists[1]], diags);
        super::verify_same_space_and_element(ir, from, to, diags);
        let Some((strides, offset)) = strides_and_offset(ctx, to) else {
            return;
        };
        // The type must agree with the lists.
        let follows = |types: &[i64], list: &[i64]| {
            types
                .iter()
                .zip(list)
                .all(|(&ty, &value)| ty == DYNAMIC || ty == value)
        };
        if !follows(&[offset], &lists[0])
            || !follows(shape, &lists[1])
            || !follows(&strides, &lists[2])
        {
            diags.error("the result must have the offset, sizes and strides of the op");
        }
    }
}
impl Verify for SubViewOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = SubViewOp::from_op(op);
        let (from, to) = (
            ir.value_type(view.source(ir)),
            ir.value_type(view.result(ir)),
        );
        let before = diags.error_count();
        verify_lists(ir, op, [super::rank(ir.ctx(), from); 3], 1, diags);
        let window = Window {
            offsets: view.static_offsets(ir),
            sizes: view.static_sizes(ir),
            strides: view.static_strides(ir),
        };
        verify_signs([&window.offsets, &window.sizes], diags);
        super::verify_same_space_and_element(ir, from, to, diags);
        if diags.error_count() == before
            && let Err(message) = window.check(ir, from, to)
        {
            diags.error(message);
        }
    }
}

/// The numbers of a `memref.subview`, [`DYNAMIC`] for operands; one per dimension of the source.
pub(super) struct Window {
    pub(super) offsets: Vec<i64>,
    pub(super) sizes: Vec<i64>,
    pub(super) strides: Vec<i64>,
}

impl Window {
    /// Whether the window of `from` may have the type `to`, which may leave out dimensions of extent 1.
    fn check(&self, ir: &Ir, from: Type, to: Type) -> Result<(), &'static str> {
        let ctx = ir.ctx();
        let Some((strides, offset)) = strides_and_offset(ctx, from) else {
            return Err("operand `source` must have a strided layout");
        };
        let Some((found, found_offset)) = strides_and_offset(ctx, to) else {
            return Err("the result must have a strided layout");
        };
        let shape = to.shaped(ctx).map_or(&[][..], |row| row.0);
        if !drops_only_ones(&self.sizes, shape) {
            return Err("the result must have the extents of `sizes`, some of extent 1 left out");
        }
        let steps = self
            .offsets
            .iter()
            .zip(&strides)
            .map(|(&a, &b)| saturating_mul(a, b));
        if steps.fold(offset, saturating_add) != found_offset {
            return Err("the result must have the offset of the window");
        }
        let wanted: Vec<i64> = strides
            .iter()
            .zip(&self.strides)
            .map(|(&a, &b)| saturating_mul(a, b))
            .collect();
        let kept = dropped_dims(&self.sizes, &wanted, &found);
        let fits = kept.is_some_and(|dropped| {
            let kept = wanted.iter().zip(&dropped).filter(|row| !row.1);
            kept.map(|row| *row.0).eq(found)
        });
        if !fits {
            return Err("the result must have the strides of the window");
        }
        let extents = from.shaped(ctx).map_or(&[][..], |row| row.0);
        if self.leaves(extents) {
            Err("the window must lie inside of operand `source`")
        } else {
            Ok(())
        }
    }
    /// Whether the window certainly leaves a source of these extents.
    pub(super) fn leaves(&self, extents: &[i64]) -> bool {
        mixed::leaves(&self.offsets, &self.sizes, &self.strides, extents)
    }
}

/// Which dimensions were left out; with several of extent 1, their strides tell. `None`: nothing fits.
pub(super) fn dropped_dims(sizes: &[i64], strides: &[i64], found: &[i64]) -> Option<Vec<bool>> {
    if sizes.len() == found.len() {
        return Some(vec![false; sizes.len()]);
    }
    let mut dropped: Vec<bool> = sizes.iter().map(|&size| size == 1).collect();
    let surplus = |dropped: &[bool]| {
        dropped.iter().filter(|&&gone| gone).count() + found.len() != sizes.len()
    };
    if !surplus(&dropped) {
        return Some(dropped);
    }
    let mut count: std::collections::BTreeMap<i64, i64> = std::collections::BTreeMap::new();
    for &stride in strides {
        *count.entry(stride).or_default() += 1;
    }
    for &stride in found {
        *count.entry(stride).or_default() -= 1;
    }
    for dim in 0..sizes.len() {
        if !dropped[dim] {
            continue;
        }
        let more = count.entry(strides[dim]).or_default();
        match *more {
            0 => dropped[dim] = false,
            1.. => *more -= 1,
            _ => return None,
        }
    }
    (!surplus(&dropped)).then_some(dropped)
}

/// The static parts of a view op: three lists with holes, and its result type.
struct Plan {
    lists: [Vec<i64>; 3],
    shape: Vec<i64>,
    layout: Option<(Vec<i64>, i64)>,
}

fn plan(p: &Prepare<'_>) -> Result<Prepared, Fault> {
    let ctx = p.ir.ctx();
    let list = |name| {
        p.attr(name)
            .and_then(|attr| attr.as_dense_i64(ctx))
            .unwrap_or_default()
    };
    let ty = p.ir.value_type(p.ir.result(p.op, 0));
    let (shape, _) = ty
        .shaped(ctx)
        .ok_or_else(|| Fault::new("has no ranked memref as result"))?;
    Ok(Prepared::other(Plan {
        lists: ["static_offsets", "static_sizes", "static_strides"].map(list),
        shape: shape.to_vec(),
        layout: strides_and_offset(ctx, ty),
    }))
}

/// Checks a view against its type and its buffer.
fn checked(view: MemRefValue, plan: &Plan) -> Result<Datum, Fault> {
    check_extents(&view.sizes, &plan.shape)?;
    if let Some((strides, offset)) = &plan.layout {
        let known = |types: &[i64], found: &[i64]| {
            types
                .iter()
                .zip(found)
                .all(|(&ty, &found)| ty == DYNAMIC || ty == found)
        };
        if !known(strides, &view.strides) || !known(&[*offset], &[view.offset]) {
            return Err(Fault::new(format!(
                "has strides {:?} and offset {}, which its type does not allow",
                view.strides, view.offset
            )));
        }
    }
    check_view(&view)?;
    Ok(Datum::memref(view))
}

fn eval_view(
    cx: &mut Cx<'_>,
    inst: &Inst,
    lanes: &Lanes,
    make: impl Fn(&MemRefValue, &Plan, [Vec<i64>; 3]) -> Result<MemRefValue, Fault>,
) -> EvalResult {
    let Some(plan) = inst.data::<Plan>() else {
        return Err(cx.error(inst, "is not prepared"));
    };
    for lane in lanes.iter() {
        let lists = filled(cx, inst, &plan.lists, 1, lane)?;
        let view =
            make(cx.memref(inst, 0, lane)?, plan, lists).and_then(|view| checked(view, plan));
        let view = cx.check(inst, view)?;
        cx.set_result(inst, 0, lane, view);
    }
    Ok(Flow::Next)
}

impl Eval for CastOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        plan(p)
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        eval_view(cx, inst, lanes, |source, _, _| Ok(source.clone()))
    }
}

impl Eval for ReinterpretCastOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        plan(p)
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        eval_view(cx, inst, lanes, |source, _, [offsets, sizes, strides]| {
            let offset = offsets
                .first()
                .copied()
                .ok_or_else(|| Fault::new("has no offset"))?;
            Ok(MemRefValue {
                buffer: source.buffer.clone(),
                offset,
                sizes,
                strides,
            })
        })
    }
}

impl Eval for SubViewOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        plan(p)
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        eval_view(cx, inst, lanes, window)
    }
}

fn window(source: &MemRefValue, plan: &Plan, lists: [Vec<i64>; 3]) -> Result<MemRefValue, Fault> {
    let [offsets, sizes, strides] = lists;
    let mut view = MemRefValue {
        buffer: source.buffer.clone(),
        offset: source.offset,
        sizes: Vec::new(),
        strides: Vec::new(),
    };
    // A result of lower rank leaves dimensions of extent 1 out, from the front where there is a choice.
    let mut surplus = source.sizes.len().saturating_sub(plan.shape.len());
    for dim in 0..source.sizes.len() {
        let (Some(&offset), Some(&size), Some(&stride)) =
            (offsets.get(dim), sizes.get(dim), strides.get(dim))
        else {
            return Err(Fault::new("has too few offsets, sizes or strides"));
        };
        view.offset = view
            .offset
            .wrapping_add(offset.wrapping_mul(source.strides[dim]));
        let wanted = plan.shape.get(view.sizes.len()).copied();
        if surplus > 0 && plan.lists[1][dim] == 1 && wanted != Some(1) {
            surplus -= 1;
            continue;
        }
        view.sizes.push(size);
        view.strides.push(source.strides[dim].wrapping_mul(stride));
    }
    Ok(view)
}
