//! Views with other dimensions, and in other memory spaces.

use super::verify_same_space_and_element;
use segra_interp::{
    Cx, Datum, Eval, EvalResult, Fault, Flow, Inst, Lanes, MemRefValue, Prepare, Prepared,
};
use segra_ir::attrs::{AffineExpr, AffineMap};
use segra_ir::constraint::{
    AffineMapAttr, AnyMemRef, ByteMemRef, DenseI64Attr, I64ArraysAttr, Index,
    RankedOrUnrankedMemRef, ShapeMemRef, StridedMemRef,
};
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{Canonicalize, Fold, Verify, ViewLike};
use segra_ir::layout::{has_identity_layout, saturating_mul, strides_and_offset};
use segra_ir::types::DYNAMIC;
use segra_ir::{AttrKind, Context, Ir, Op, OpView, Type, TypeKind, op};
use segra_text::Syntax;

/// A view with fewer dimensions: neighbours that lie one after the other become one.
#[op(
    "memref.collapse_shape",
    traits(Pure),
    interfaces(ViewLike, Fold, Canonicalize, Verify, Eval),
    format = "$src $reassociation attr-dict `:` type($src) `into` type($result)"
)]
pub struct CollapseShapeOp {
    src: Operand<StridedMemRef>,
    /// For each dimension of the result, those of the source it is made of.
    reassociation: Attr<I64ArraysAttr>,
    result: OpResult<StridedMemRef>,
}

/// A view with more dimensions: each dimension is split.
#[op(
    "memref.expand_shape",
    traits(Pure),
    interfaces(ViewLike, Fold, Canonicalize, Verify),
    format = "$src $reassociation `output_shape` custom<DynamicIndexList>($output_shape, $static_output_shape)
               attr-dict `:` type($src) `into` type($result)"
)]
pub struct ExpandShapeOp {
    src: Operand<StridedMemRef>,
    /// For each dimension of the source, those of the result it is split into.
    reassociation: Attr<I64ArraysAttr>,
    output_shape: VariadicOperand<Index>,
    static_output_shape: Attr<DenseI64Attr>,
    result: OpResult<StridedMemRef>,
}

/// A view of memory without gaps by extents that are themselves in memory.
#[op(
    "memref.reshape",
    traits(Pure),
    interfaces(Verify),
    format = "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)"
)]
pub struct ReshapeOp {
    source: Operand<RankedOrUnrankedMemRef>,
    shape: Operand<ShapeMemRef>,
    result: OpResult<RankedOrUnrankedMemRef>,
}

/// A view with the dimensions in another order.
#[op(
    "memref.transpose",
    traits(Pure),
    interfaces(Fold, Canonicalize, Verify, Syntax, Eval)
)]
pub struct TransposeOp {
    r#in: Operand<StridedMemRef>,
    /// Dimension of the source for each dimension of the result.
    permutation: Attr<AffineMapAttr>,
    result: OpResult<StridedMemRef>,
}

/// Bytes of a buffer from some place on, as elements of any type.
#[op(
    "memref.view",
    traits(Pure),
    interfaces(Canonicalize, Verify),
    format = "$source `[` $byte_shift `]` `` `[` $sizes `]` attr-dict `:` type($source) `to` type(results)"
)]
pub struct ViewOp {
    source: Operand<ByteMemRef>,
    byte_shift: Operand<Index>,
    sizes: VariadicOperand<Index>,
    result: OpResult<AnyMemRef>,
}

/// The same memory as a memref of another memory space.
#[op(
    "memref.memory_space_cast",
    traits(Pure, SameOperandsAndResultElementType, SameOperandsAndResultShape),
    interfaces(Fold, Canonicalize, Verify, Eval),
    format = "$source attr-dict `:` type($source) `to` type($dest)"
)]
pub struct MemorySpaceCastOp {
    source: Operand<RankedOrUnrankedMemRef>,
    dest: OpResult<RankedOrUnrankedMemRef>,
}

/// The problem with a grouping of `expanded` dimensions into `collapsed` ones.
fn check_groups(collapsed: &[i64], expanded: &[i64], groups: &[Vec<i64>]) -> Result<(), String> {
    if collapsed.len() != groups.len() {
        return Err(format!(
            "needs {} groups in `reassociation`, not {}",
            collapsed.len(),
            groups.len()
        ));
    }
    let mut next = 0;
    for (group, &whole) in groups.iter().zip(collapsed) {
        let mut product = 1i64;
        for &dim in group {
            if dim != next {
                return Err(
                    "attribute `reassociation` must name each dimension once, in order".to_owned(),
                );
            }
            next += 1;
            let extent = usize::try_from(dim)
                .ok()
                .and_then(|dim| expanded.get(dim).copied());
            let extent =
                extent.ok_or("attribute `reassociation` names a dimension there is not")?;
            product = saturating_mul(product, extent);
        }
        if product != whole {
            return Err(
                "each group of dimensions must have as many elements as the dimension it stands for, \
                        and be open just where that is"
                    .to_owned(),
            );
        }
    }
    if collapsed.is_empty() && expanded.iter().any(|&extent| extent != 1) {
        return Err("rank 0 stands for extents of 1 only".to_owned());
    }
    if !collapsed.is_empty() && next != expanded.len() as i64 {
        return Err("attribute `reassociation` must name every dimension".to_owned());
    }
    Ok(())
}

/// A memref type like `source` with other extents and a strided layout (`None`: no layout).
fn with_shape(
    ctx: &Context,
    source: Type,
    shape: &[i64],
    layout: Option<(Vec<i64>, i64)>,
) -> Option<Type> {
    let TypeKind::MemRef { element, space, .. } = ctx.type_kind(source) else {
        return None;
    };
    let layout = layout.map(|(strides, offset)| ctx.attr(AttrKind::Strided { strides, offset }));
    Some(ctx.ty(TypeKind::MemRef {
        shape: shape.to_vec(),
        element: *element,
        layout,
        space: *space,
    }))
}

fn shape(ctx: &Context, ty: Type) -> &[i64] {
    ty.shaped(ctx).map_or(&[], |row| row.0)
}

/// Strides of the collapsed dimensions; `None` if a group certainly has gaps.
fn collapsed_strides(extents: &[i64], strides: &[i64], groups: &[Vec<i64>]) -> Option<Vec<i64>> {
    let at = |list: &[i64], dim: i64| {
        usize::try_from(dim)
            .ok()
            .and_then(|dim| list.get(dim).copied())
    };
    let mut result = Vec::with_capacity(groups.len());
    for group in groups {
        // An extent of 1 has a stride that says nothing.
        let mut last = group.len().checked_sub(1)?;
        while last > 0 && at(extents, group[last])? == 1 {
            last -= 1;
        }
        let known = at(extents, group[last])? != DYNAMIC || last == 0;
        result.push(if known {
            at(strides, group[last])?
        } else {
            DYNAMIC
        });
    }
    for (group, &stride) in groups.iter().zip(&result) {
        let mut stride = stride;
        for &dim in group[1..].iter().rev() {
            stride = saturating_mul(stride, at(extents, dim)?);
            if at(extents, dim - 1)? == 1 {
                continue;
            }
            let found = at(strides, dim - 1)?;
            if stride != DYNAMIC && found != DYNAMIC && stride != found {
                return None;
            }
        }
    }
    Some(result)
}

/// The type of `from` collapsed to these extents; `None` if a group certainly has gaps.
fn with_collapsed(
    ctx: &Context,
    from: Type,
    collapsed: &[i64],
    groups: &[Vec<i64>],
) -> Option<Type> {
    if has_identity_layout(ctx, from) {
        return with_shape(ctx, from, collapsed, None);
    }
    let (strides, offset) = strides_and_offset(ctx, from)?;
    let strides = collapsed_strides(shape(ctx, from), &strides, groups)?;
    with_shape(ctx, from, collapsed, Some((strides, offset)))
}

/// The type of `from` collapsed by these groups.
pub(super) fn collapsed_type(ctx: &Context, from: Type, groups: &[Vec<i64>]) -> Option<Type> {
    let extents = shape(ctx, from);
    let extent = |dim: &i64| {
        usize::try_from(*dim)
            .ok()
            .and_then(|dim| extents.get(dim).copied())
    };
    let whole = |group: &Vec<i64>| {
        group
            .iter()
            .try_fold(1, |all, dim| Some(saturating_mul(all, extent(dim)?)))
    };
    let collapsed: Vec<i64> = groups.iter().map(whole).collect::<Option<_>>()?;
    with_collapsed(ctx, from, &collapsed, groups)
}

impl Verify for CollapseShapeOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let view = CollapseShapeOp::from_op(op);
        let (from, to) = (ir.value_type(view.src(ir)), ir.value_type(view.result(ir)));
        let groups = view.reassociation(ir);
        let (expanded, collapsed) = (shape(ctx, from), shape(ctx, to));
        if expanded.len() < collapsed.len() {
            diags.error("the result must not have a higher rank than operand `src`");
            return;
        }
        if let Err(message) = check_groups(collapsed, expanded, &groups) {
            diags.error(message);
            return;
        }
        match with_collapsed(ctx, from, collapsed, &groups) {
            None => {
                diags.error("each group of dimensions must lie in memory without gaps");
            }
            Some(wanted) if wanted != to => {
                let wanted = segra_text::print_type(ctx, wanted);
                diags.error(format!("the result must be `{wanted}`"));
            }
            Some(_) => {}
        }
    }
}

impl Eval for CollapseShapeOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        Ok(Prepared::other(
            CollapseShapeOp::from_op(p.op).reassociation(p.ir),
        ))
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let Some(groups) = inst.data::<Vec<Vec<i64>>>() else {
            return Err(cx.error(inst, "is not prepared"));
        };
        for lane in lanes.iter() {
            let source = cx.memref(inst, 0, lane)?;
            let sizes = groups.iter().map(|group| {
                group
                    .iter()
                    .map(|&dim| source.sizes[dim as usize])
                    .product()
            });
            let view = collapsed_strides(&source.sizes, &source.strides, groups).map(|strides| {
                MemRefValue {
                    buffer: source.buffer.clone(),
                    offset: source.offset,
                    sizes: sizes.collect(),
                    strides,
                }
            });
            let view =
                view.ok_or_else(|| cx.error(inst, "collapses dimensions with gaps between them"))?;
            cx.set_result(inst, 0, lane, Datum::memref(view));
        }
        Ok(Flow::Next)
    }
}

/// Strides of the split dimensions.
fn expanded_strides(extents: &[i64], strides: &[i64], groups: &[Vec<i64>]) -> Vec<i64> {
    let mut result = vec![1; extents.len()];
    let mut next = extents.len();
    for (group, &stride) in groups.iter().zip(strides).rev() {
        let mut stride = stride;
        for _ in group {
            next -= 1;
            result[next] = stride;
            stride = saturating_mul(stride, extents[next]);
        }
    }
    result
}

/// The type of `from` expanded to these extents.
pub(super) fn expanded_type(
    ctx: &Context,
    from: Type,
    expanded: &[i64],
    groups: &[Vec<i64>],
) -> Option<Type> {
    let layout = if has_identity_layout(ctx, from) {
        None
    } else {
        strides_and_offset(ctx, from)
    };
    let layout =
        layout.map(|(strides, offset)| (expanded_strides(expanded, &strides, groups), offset));
    with_shape(ctx, from, expanded, layout)
}

impl Verify for ExpandShapeOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let view = ExpandShapeOp::from_op(op);
        let (from, to) = (ir.value_type(view.src(ir)), ir.value_type(view.result(ir)));
        let groups = view.reassociation(ir);
        let (collapsed, expanded) = (shape(ctx, from), shape(ctx, to));
        if collapsed.len() > expanded.len() {
            diags.error("the result must not have a lower rank than operand `src`");
            return;
        }
        if let Err(message) = check_groups(collapsed, expanded, &groups) {
            diags.error(message);
            return;
        }
        if expanded_type(ctx, from, expanded, &groups) != Some(to) {
            diags.error("the result must have the layout that splitting the dimensions gives");
        }
        let listed = view.static_output_shape(ir);
        let open = listed.iter().filter(|&&extent| extent == DYNAMIC).count();
        let fits = |(&ty, &listed): (&i64, &i64)| ty == DYNAMIC || ty == listed;
        if listed.len() != expanded.len()
            || open != view.output_shape(ir).len()
            || !expanded.iter().zip(&listed).all(fits)
        {
            diags.error("`static_output_shape` and `output_shape` must give the result's extents");
        }
    }
}

impl Verify for ReshapeOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let view = ReshapeOp::from_op(op);
        let (from, to) = (
            ir.value_type(view.source(ir)),
            ir.value_type(view.result(ir)),
        );
        if from.element_or_self(ctx) != to.element_or_self(ctx) {
            diags.error("operand `source` and the result must have one element type");
        }
        let is_ranked = |ty: Type| matches!(ctx.type_kind(ty), TypeKind::MemRef { .. });
        for ty in [from, to] {
            if is_ranked(ty) && !has_identity_layout(ctx, ty) {
                diags.error("operand `source` and the result must have no layout");
            }
        }
        let count = shape(ctx, ir.value_type(view.shape(ir))).first().copied();
        if is_ranked(to) && count != Some(shape(ctx, to).len() as i64) {
            diags.error("operand `shape` must have one extent per dimension of the result");
        }
    }
}

/// The dimension each result of a permutation is; `None` if the map is none.
fn permutation(map: &AffineMap) -> Option<Vec<usize>> {
    let mut seen = vec![false; map.dims as usize];
    let dims: Vec<usize> = map
        .results
        .iter()
        .map(|result| match result {
            AffineExpr::Dim(dim) => {
                let seen = seen.get_mut(*dim as usize)?;
                (!std::mem::replace(seen, true)).then_some(*dim as usize)
            }
            _ => None,
        })
        .collect::<Option<_>>()?;
    (dims.len() == map.dims as usize).then_some(dims)
}

impl Verify for TransposeOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let view = TransposeOp::from_op(op);
        let (from, to) = (ir.value_type(view.r#in(ir)), ir.value_type(view.result(ir)));
        let extents = shape(ctx, from);
        let Some(dims) =
            permutation(view.permutation(ir)).filter(|dims| dims.len() == extents.len())
        else {
            diags.error("attribute `permutation` must name each dimension of the source once");
            return;
        };
        verify_same_space_and_element(ir, from, to, diags);
        let wanted: Vec<i64> = dims.iter().map(|&dim| extents[dim]).collect();
        let layouts = strides_and_offset(ctx, from).zip(strides_and_offset(ctx, to));
        let fits = layouts.is_some_and(|((strides, offset), (found, other))| {
            offset == other && dims.iter().map(|&dim| strides[dim]).eq(found)
        });
        if shape(ctx, to) != wanted || !fits {
            diags.error("the result must have the source's extents and strides in the new order");
        }
    }
}

impl Eval for TransposeOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        let dims = permutation(TransposeOp::from_op(p.op).permutation(p.ir));
        dims.map(Prepared::other)
            .ok_or_else(|| Fault::new("has no permutation"))
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let Some(dims) = inst.data::<Vec<usize>>() else {
            return Err(cx.error(inst, "is not prepared"));
        };
        for lane in lanes.iter() {
            let source = cx.memref(inst, 0, lane)?;
            let view = MemRefValue {
                buffer: source.buffer.clone(),
                offset: source.offset,
                sizes: dims.iter().map(|&dim| source.sizes[dim]).collect(),
                strides: dims.iter().map(|&dim| source.strides[dim]).collect(),
            };
            cx.set_result(inst, 0, lane, Datum::memref(view));
        }
        Ok(Flow::Next)
    }
}

impl Verify for ViewOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let view = ViewOp::from_op(op);
        let (from, to) = (
            ir.value_type(view.source(ir)),
            ir.value_type(view.result(ir)),
        );
        if !has_identity_layout(ctx, from) || !has_identity_layout(ctx, to) {
            diags.error("operand `source` and the result must have no layout");
        }
        super::verify_same_space(ir, from, to, diags);
        let open = shape(ctx, to)
            .iter()
            .filter(|&&extent| extent == DYNAMIC)
            .count();
        if open != view.sizes(ir).len() {
            diags.error(format!("needs {open} `sizes` by its type"));
        }
    }
}

impl Verify for MemorySpaceCastOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let view = MemorySpaceCastOp::from_op(op);
        let kinds =
            [view.source(ir), view.dest(ir)].map(|value| ctx.type_kind(ir.value_type(value)));
        let fits = match kinds {
            [
                TypeKind::MemRef { shape, layout, .. },
                TypeKind::MemRef {
                    shape: other,
                    layout: second,
                    ..
                },
            ] => shape == other && layout == second,
            [
                TypeKind::UnrankedMemRef { .. },
                TypeKind::UnrankedMemRef { .. },
            ] => true,
            _ => false,
        };
        if !fits {
            diags.error("may only change the memory space");
        }
    }
}

impl Eval for MemorySpaceCastOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        cx.copy(&inst.operands, &inst.results, lanes);
        Ok(Flow::Next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use segra_ir::layout::row_major_strides;

    #[test]
    fn splitting_and_joining_dimensions_are_inverse() {
        let groups = [vec![0], vec![1, 2]];
        let strides = row_major_strides(&[2, 3, 4]);
        let joined = collapsed_strides(&[2, 3, 4], &strides, &groups).expect("it has no gaps");
        assert_eq!(joined, [12, 1]);
        assert_eq!(expanded_strides(&[2, 3, 4], &joined, &groups), strides);
        assert_eq!(collapsed_strides(&[2, 3, 4], &[12, 5, 1], &groups), None);
    }
}
