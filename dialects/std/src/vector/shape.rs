//! Vectors in other shapes, in another order, taken apart and put together.

use super::{VectorShape, prepared_shape};
use segra_interp::{
    ArrayValue, Cx, Datum, Elements, Eval, EvalResult, Fault, Flow, Inst, Lanes, Prepare, Prepared,
};
use segra_ir::build::OpState;
use segra_ir::constraint::{
    AnyMemRef, AnyType, AnyVector, DenseI64Attr, FixedVector, I64ArrayAttr, StaticMemRef,
    VectorOfRankAtLeast1,
};
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{Canonicalize, Fold, InferTypes, Verify};
use segra_ir::layout::{has_identity_layout, row_major_strides, strides_and_offset};
use segra_ir::{Context, FloatKind, Ir, Op, OpDef, OpView, Type, TypeKind, op};
use segra_text::Syntax;

/// The ops of this file.
pub(super) const OPS: &[&OpDef] = &[
    BitCastOp::DEF,
    DeinterleaveOp::DEF,
    ExtractStridedSliceOp::DEF,
    FromElementsOp::DEF,
    InsertStridedSliceOp::DEF,
    InterleaveOp::DEF,
    ShapeCastOp::DEF,
    ShuffleOp::DEF,
    ToElementsOp::DEF,
    TransposeOp::DEF,
    TypeCastOp::DEF,
];

/// The same bits with elements of another width; only the last extent changes.
#[op(
    "vector.bitcast",
    traits(Pure),
    interfaces(Fold, Canonicalize, Verify),
    format = "$source attr-dict `:` type($source) `to` type($result)"
)]
pub struct BitCastOp {
    source: Operand<AnyVector>,
    result: OpResult<AnyVector>,
}

/// The same elements, row by row, in another shape.
#[op(
    "vector.shape_cast",
    traits(Pure),
    interfaces(Fold, Canonicalize, Verify, Eval),
    format = "$source attr-dict `:` type($source) `to` type($result)"
)]
pub struct ShapeCastOp {
    source: Operand<AnyVector>,
    result: OpResult<AnyVector>,
}

/// The dimensions in another order.
#[op(
    "vector.transpose",
    traits(Pure),
    interfaces(Fold, Canonicalize, Verify, Eval),
    format = "$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)"
)]
pub struct TransposeOp {
    vector: Operand<AnyVector>,
    /// Dimension of the source for each dimension of the result.
    permutation: Attr<DenseI64Attr>,
    result: OpResult<AnyVector>,
}

/// Elements of two vectors in turn, along the last dimension.
#[op(
    "vector.interleave",
    traits(Pure),
    interfaces(InferTypes, Verify),
    format = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result) same-type($lhs, $rhs)"
)]
pub struct InterleaveOp {
    lhs: Operand<AnyVector>,
    rhs: Operand<AnyVector>,
    result: OpResult<AnyVector>,
}

/// The elements at even and those at odd places of the last dimension.
#[op(
    "vector.deinterleave",
    traits(Pure),
    interfaces(Verify),
    format = "$source attr-dict `:` type($source) `->` type($res1) same-type($res1, $res2)"
)]
pub struct DeinterleaveOp {
    source: Operand<VectorOfRankAtLeast1>,
    res1: OpResult<AnyVector>,
    res2: OpResult<AnyVector>,
}

/// A vector of these elements, row by row.
#[op(
    "vector.from_elements",
    traits(Pure),
    interfaces(Fold, Canonicalize, Verify, Syntax, Eval)
)]
pub struct FromElementsOp {
    elements: VariadicOperand<AnyType>,
    dest: OpResult<FixedVector>,
}

/// All elements of a vector, row by row.
#[op(
    "vector.to_elements",
    traits(Pure),
    interfaces(InferTypes, Fold, Canonicalize, Eval),
    format = "$source attr-dict `:` type($source)"
)]
pub struct ToElementsOp {
    source: Operand<AnyVector>,
    elements: VariadicResult<AnyType>,
}

/// Rows of two vectors, one after the other, picked by number; -1 picks any.
#[op(
    "vector.shuffle",
    traits(Pure),
    interfaces(InferTypes, Fold, Canonicalize, Verify),
    format = "operands $mask attr-dict `:` type(operands)"
)]
pub struct ShuffleOp {
    v1: Operand<FixedVector>,
    v2: Operand<FixedVector>,
    mask: Attr<DenseI64Attr>,
    vector: OpResult<AnyVector>,
}

/// A block of a vector; dimensions that are not named are taken whole.
#[op(
    "vector.extract_strided_slice",
    traits(Pure),
    interfaces(Fold, Canonicalize, Verify),
    format = "$source attr-dict `:` type($source) `to` type(results)"
)]
pub struct ExtractStridedSliceOp {
    source: Operand<AnyVector>,
    offsets: Attr<I64ArrayAttr>,
    sizes: Attr<I64ArrayAttr>,
    strides: Attr<I64ArrayAttr>,
    result: OpResult<AnyVector>,
}

/// A vector with a block replaced.
#[op(
    "vector.insert_strided_slice",
    traits(Pure),
    interfaces(Fold, Canonicalize, Verify),
    format = "$value_to_store `,` $dest attr-dict `:` type($value_to_store) `into` type($dest) same-type($dest,
               $result)"
)]
pub struct InsertStridedSliceOp {
    value_to_store: Operand<AnyVector>,
    dest: Operand<AnyVector>,
    offsets: Attr<I64ArrayAttr>,
    strides: Attr<I64ArrayAttr>,
    result: OpResult<AnyVector>,
}

/// The same memory as a memref of vectors.
#[op(
    "vector.type_cast",
    traits(Pure),
    interfaces(Verify),
    format = "$memref attr-dict `:` type($memref) `to` type($result)"
)]
pub struct TypeCastOp {
    memref: Operand<StaticMemRef>,
    result: OpResult<AnyMemRef>,
}

/// Width in bits of a number; `None` for other types.
pub(super) fn bits(ctx: &Context, ty: Type) -> Option<i64> {
    if ty.is_index(ctx) {
        return Some(64);
    }
    ty.integer_width(ctx)
        .or_else(|| ty.float_kind(ctx).map(FloatKind::width))
        .map(i64::from)
}

fn pair(ir: &Ir, op: Op) -> (VectorShape<'_>, VectorShape<'_>) {
    let view = |value| VectorShape::of(ir.ctx(), ir.value_type(value));
    (view(ir.operand(op, 0)), view(ir.result(op, 0)))
}

impl Verify for BitCastOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let (from, to) = pair(ir, op);
        if from.shape.len() != to.shape.len() {
            diags.error("operand `source` and the result must have one rank");
            return;
        }
        let rank = from.shape.len();
        let (Some(narrow), Some(wide)) = (bits(ir.ctx(), from.element), bits(ir.ctx(), to.element))
        else {
            return;
        };
        let row =
            |shape: &[i64], bits: i64| shape.last().copied().unwrap_or(1).saturating_mul(bits);
        if from.shape[..rank.saturating_sub(1)] != to.shape[..rank.saturating_sub(1)] {
            diags.error("only the last extent may change");
        } else if row(from.shape, narrow) != row(to.shape, wide) {
            diags
                .error("the last dimension of operand `source` and result must have the same bits");
        }
    }
}

impl Verify for ShapeCastOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let (from, to) = pair(ir, op);
        let scalable = |flags: &[bool]| flags.iter().filter(|&&flag| flag).count();
        if from.element != to.element {
            diags.error("operand `source` and the result must have one element type");
        } else if from.count() != to.count() || scalable(from.scalable) != scalable(to.scalable) {
            diags.error("operand `source` and the result must have as many elements");
        }
    }
}

impl Eval for ShapeCastOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        prepared_shape(p)
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let Some(shape) = inst.data::<Vec<usize>>() else {
            return Err(cx.error(inst, "is not prepared"));
        };
        rearrange(cx, inst, lanes, shape, |position| position)
    }
}

/// Sets the result to the vector whose element at a position is the operand's at `source(position)`.
fn rearrange(
    cx: &mut Cx<'_>,
    inst: &Inst,
    lanes: &Lanes,
    shape: &[usize],
    source: impl Fn(usize) -> usize,
) -> EvalResult {
    for lane in lanes.iter() {
        let made = cx.operand(inst, 0, lane).as_vector().and_then(|vector| {
            let mut elements = Elements::with_capacity(vector.elem(), vector.len());
            for position in 0..vector.len() {
                elements.push(&vector.get(source(position))?)?;
            }
            ArrayValue::new(vector.elem(), shape.to_vec(), elements)
        });
        let Some(made) = made else {
            return Err(cx.error(inst, "needs a vector of the shape of its type"));
        };
        cx.set_result(inst, 0, lane, Datum::vector(made));
    }
    Ok(Flow::Next)
}

impl Verify for TransposeOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let (from, to) = pair(ir, op);
        let permutation = TransposeOp::from_op(op).permutation(ir);
        let rank = from.shape.len();
        let mut seen = vec![false; rank];
        let each_once = permutation.iter().all(|&dim| {
            let slot = usize::try_from(dim).ok().and_then(|dim| seen.get_mut(dim));
            slot.is_some_and(|seen| !std::mem::replace(seen, true))
        });
        if from.element != to.element {
            diags.error("operand `vector` and the result must have one element type");
        }
        if to.shape.len() != rank || permutation.len() != rank || !each_once {
            diags.error("attribute `permutation` must name each dimension once");
        } else if permutation
            .iter()
            .zip(to.shape)
            .any(|(&dim, &extent)| from.shape[dim as usize] != extent)
        {
            diags.error("the result must have the extents of operand `vector` in the new order");
        }
    }
}

/// Extents of the result, and the step in the operand along each of its dimensions.
struct Steps(Vec<usize>, Vec<usize>);

impl Eval for TransposeOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        let (from, to) = pair(p.ir, p.op);
        let strides = row_major_strides(from.shape);
        let permutation = TransposeOp::from_op(p.op).permutation(p.ir);
        let steps = permutation
            .iter()
            .map(|&dim| strides[dim as usize] as usize)
            .collect();
        Ok(Prepared::other(Steps(
            to.shape.iter().map(|&extent| extent as usize).collect(),
            steps,
        )))
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let Some(Steps(shape, steps)) = inst.data::<Steps>() else {
            return Err(cx.error(inst, "is not prepared"));
        };
        rearrange(cx, inst, lanes, shape, |position| {
            let (mut rest, mut at) = (position, 0);
            for (&extent, &step) in shape.iter().zip(steps).rev() {
                at += rest % extent * step;
                rest /= extent;
            }
            at
        })
    }
}

impl InferTypes for InterleaveOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        let lhs = *state.operands.first().ok_or("operand `lhs` is missing")?;
        let TypeKind::Vector {
            shape,
            scalable,
            element,
        } = ir.ctx().type_kind(ir.value_type(lhs))
        else {
            return Err("operand `lhs` must be a vector".to_owned());
        };
        let (mut shape, mut scalable) = (shape.clone(), scalable.clone());
        match shape.last_mut() {
            Some(last) => *last = last.saturating_mul(2),
            None => {
                shape.push(2);
                scalable.push(false);
            }
        }
        Ok(vec![ir.ctx().ty(TypeKind::Vector {
            shape,
            scalable,
            element: *element,
        })])
    }
}

impl Verify for InterleaveOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        if ir.value_type(ir.operand(op, 0)) != ir.value_type(ir.operand(op, 1)) {
            diags.error("both operands must have one type");
        }
    }
}

impl Verify for DeinterleaveOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let (from, to) = pair(ir, op);
        if ir.value_type(ir.result(op, 0)) != ir.value_type(ir.result(op, 1)) {
            diags.error("both results must have one type");
        }
        let Some((&last, outer)) = from.shape.split_last() else {
            return;
        };
        let halves = last % 2 == 0
            && to
                .shape
                .split_last()
                .is_some_and(|(&half, rest)| half == last / 2 && rest == outer)
            && to.element == from.element
            && to.scalable == from.scalable;
        if !halves {
            diags.error("each result must have half the last extent of operand `source`");
        }
    }
}

impl Verify for FromElementsOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let dest = VectorShape::of(ir.ctx(), ir.value_type(ir.result(op, 0)));
        if dest.count() != ir.num_operands(op) as i64
            || ir
                .operands(op)
                .any(|value| ir.value_type(value) != dest.element)
        {
            diags.error("needs one operand per element of the result, of its element type");
        }
    }
}

impl Eval for FromElementsOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        prepared_shape(p)
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let (Some(shape), Some(elem)) = (inst.data::<Vec<usize>>(), inst.result_elem) else {
            return Err(cx.error(inst, "has a result of a format that is not computed with"));
        };
        for lane in lanes.iter() {
            let mut elements = Elements::with_capacity(elem, inst.operands.len());
            let all = (0..inst.operands.len())
                .all(|at| elements.push(cx.operand(inst, at, lane)).is_some());
            let made = all
                .then(|| ArrayValue::new(elem, shape.clone(), elements))
                .flatten();
            let Some(made) = made else {
                return Err(cx.error(inst, "needs elements of its type"));
            };
            cx.set_result(inst, 0, lane, Datum::vector(made));
        }
        Ok(Flow::Next)
    }
}

impl InferTypes for ToElementsOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        let source = *state
            .operands
            .first()
            .ok_or("operand `source` is missing")?;
        let source = VectorShape::of(ir.ctx(), ir.value_type(source));
        let count = usize::try_from(source.count()).unwrap_or(usize::MAX);
        if count > 1 << 24 {
            return Err("operand `source` has too many elements".to_owned());
        }
        Ok(vec![source.element; count])
    }
}

impl Eval for ToElementsOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let Some(vector) = cx.operand(inst, 0, lane).as_vector().cloned() else {
                return Err(cx.error(inst, "needs a vector"));
            };
            for (index, element) in vector.iter().enumerate() {
                cx.set_result(inst, index, lane, element);
            }
        }
        Ok(Flow::Next)
    }
}

impl InferTypes for ShuffleOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        let ctx = ir.ctx();
        let v1 = *state.operands.first().ok_or("operand `v1` is missing")?;
        let mask = state
            .attr(ctx, "mask")
            .and_then(|attr| attr.as_dense_i64(ctx))
            .ok_or("`mask` is missing")?;
        let v1 = VectorShape::of(ctx, ir.value_type(v1));
        let mut shape = vec![mask.len().max(1) as i64];
        shape.extend(v1.shape.iter().skip(1));
        let scalable = vec![false; shape.len()];
        Ok(vec![ctx.ty(TypeKind::Vector {
            shape,
            scalable,
            element: v1.element,
        })])
    }
}

impl Verify for ShuffleOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let [v1, v2] =
            [0, 1].map(|index| VectorShape::of(ir.ctx(), ir.value_type(ir.operand(op, index))));
        let mask = ShuffleOp::from_op(op).mask(ir);
        if v1.element != v2.element {
            diags.error("operands `v1` and `v2` must have one element type");
        }
        if v1.shape.len() != v2.shape.len()
            || v1.shape.iter().zip(v2.shape).skip(1).any(|(a, b)| a != b)
        {
            diags.error("operands `v1` and `v2` may only differ in their first extent");
            return;
        }
        let rows = |v: &VectorShape<'_>| v.shape.first().copied().unwrap_or(1);
        let count = rows(&v1).saturating_add(rows(&v2));
        if mask.is_empty() || mask.iter().any(|&row| row < -1 || row >= count) {
            diags.error("attribute `mask` must name rows of the operands");
        }
    }
}

/// Whether numbers start at `least` and stay below (with `inclusive`: do not exceed) the extents.
fn within(list: &[i64], extents: &[i64], least: i64, inclusive: i64) -> bool {
    list.iter()
        .zip(extents)
        .all(|(&value, &extent)| value >= least && value < extent.saturating_add(inclusive))
}

impl Verify for ExtractStridedSliceOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let view = ExtractStridedSliceOp::from_op(op);
        let (from, _) = pair(ir, op);
        let (offsets, sizes, strides) = (view.offsets(ir), view.sizes(ir), view.strides(ir));
        let count = offsets.len();
        if sizes.len() != count || strides.len() != count || count > from.shape.len() {
            diags
                .error("needs as many `offsets`, `sizes` and `strides`, at most one per dimension");
            return;
        }
        let ends: Vec<i64> = offsets
            .iter()
            .zip(&sizes)
            .map(|(&a, &b)| a.saturating_add(b))
            .collect();
        if !within(&offsets, from.shape, 0, 0)
            || !within(&sizes, from.shape, 1, 1)
            || !within(&ends, from.shape, 0, 1)
            || strides.iter().any(|&stride| stride != 1)
        {
            diags.error("the slice must lie inside of operand `source`, with strides of 1");
            return;
        }
        let mut shape = from.shape.to_vec();
        shape[..count].copy_from_slice(&sizes);
        if from
            .scalable
            .iter()
            .zip(from.shape)
            .zip(&shape)
            .any(|((&scalable, a), b)| scalable && a != b)
        {
            diags.error("scalable dimensions must be taken whole");
        }
        let kind = TypeKind::Vector {
            shape,
            scalable: from.scalable.to_vec(),
            element: from.element,
        };
        if ctx.ty(kind) != ir.value_type(view.result(ir)) {
            diags.error("the result must have the extents of the slice");
        }
    }
}

impl Verify for InsertStridedSliceOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = InsertStridedSliceOp::from_op(op);
        let [source, dest] = [view.value_to_store(ir), view.dest(ir)];
        if ir.value_type(dest) != ir.value_type(view.result(ir)) {
            diags.error("operand `dest` and the result must have one type");
        }
        let [source, dest] =
            [source, dest].map(|value| VectorShape::of(ir.ctx(), ir.value_type(value)));
        let (offsets, strides) = (view.offsets(ir), view.strides(ir));
        if source.element != dest.element {
            diags.error("both operands must have one element type");
        }
        let Some(outer) = dest.shape.len().checked_sub(source.shape.len()) else {
            diags.error("operand `value_to_store` must not have a higher rank than `dest`");
            return;
        };
        if offsets.len() != dest.shape.len() || strides.len() != source.shape.len() {
            diags
                .error("needs an offset per dimension of `dest` and a stride per dimension stored");
            return;
        }
        let mut ends = offsets.clone();
        for (end, &extent) in ends[outer..].iter_mut().zip(source.shape) {
            *end = end.saturating_add(extent);
        }
        if !within(&offsets, dest.shape, 0, 0)
            || !within(&ends, dest.shape, 0, 1)
            || strides.iter().any(|&stride| stride != 1)
        {
            diags.error("the slice must lie inside of operand `dest`, with strides of 1");
        }
        let inner = dest.scalable[outer..].iter().zip(&dest.shape[outer..]);
        let misfit = source
            .scalable
            .iter()
            .zip(source.shape)
            .zip(inner)
            .any(|((&a, size), (&b, other))| a != b || a && size != other);
        if misfit {
            diags.error("scalable dimensions must be replaced whole");
        }
    }
}

/// Extents of a memref and of the vectors in it.
fn all_extents(ctx: &Context, ty: Type) -> (Vec<i64>, Type) {
    let Some((shape, element)) = ty.shaped(ctx) else {
        return (Vec::new(), ty);
    };
    let (inner, scalar) = element.shaped(ctx).unwrap_or((&[], element));
    ([shape, inner].concat(), scalar)
}

impl Verify for TypeCastOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let view = TypeCastOp::from_op(op);
        let (from, to) = (
            ir.value_type(view.memref(ir)),
            ir.value_type(view.result(ir)),
        );
        let packed = |ty: Type| {
            let shape = ty.shaped(ctx).map_or(&[][..], |row| row.0);
            has_identity_layout(ctx, ty)
                || strides_and_offset(ctx, ty) == Some((row_major_strides(shape), 0))
        };
        if !packed(from) || !has_identity_layout(ctx, to) {
            diags.error("operand `memref` and the result must have no layout");
        }
        if crate::memref::space(ctx, from) != crate::memref::space(ctx, to) {
            diags.error("operand `memref` and the result must be in one memory space");
        }
        if all_extents(ctx, from) != all_extents(ctx, to) {
            diags.error("operand `memref` and the result must have the same extents and numbers");
        }
    }
}
