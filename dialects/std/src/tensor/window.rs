//! Parts of tensors: windows with an offset, a size and a stride in each dimension.
//!
//! Results and inserted parts may leave out dimensions of extent 1.

use super::rank;
use crate::arith::index;
use crate::mixed::{self, Entry, drops_only_ones};
use segra_interp::array::element_count;
use segra_interp::{
    ArrayUpdate, ArrayValue, Cx, Datum, Elements, Eval, EvalResult, Fault, Flow, Inst, Lanes,
    Prepare, Prepared,
};
use segra_ir::constraint::{DenseI64Attr, Index, RankedTensor};
use segra_ir::interfaces::{
    Effect, EffectKind, Effects, InferTypes, ShapeOf, Verify, known_extent,
};
use segra_ir::types::DYNAMIC;
use segra_ir::{Builder, Ir, Op, OpDiagnostics, OpState, OpView, Type, TypeKind, Value, op};

/// A part of a tensor.
///
/// ```mlir
/// %row = tensor.extract_slice %t[%i, 0] [1, %m] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
/// ```
#[op(
    "tensor.extract_slice",
    interfaces(Effects, ShapeOf, Verify, Eval),
    format = "$source `` custom<DynamicIndexList>($offsets, $static_offsets) custom<DynamicIndexList>($sizes,
               $static_sizes) custom<DynamicIndexList>($strides, $static_strides) attr-dict `:`
               type($source) `to` type($result)"
)]
pub struct ExtractSliceOp {
    source: Operand<RankedTensor>,
    offsets: VariadicOperand<Index>,
    sizes: VariadicOperand<Index>,
    strides: VariadicOperand<Index>,
    static_offsets: Attr<DenseI64Attr>,
    static_sizes: Attr<DenseI64Attr>,
    static_strides: Attr<DenseI64Attr>,
    result: OpResult<RankedTensor>,
}

/// The tensor with a part of it replaced.
///
/// ```mlir
/// %u = tensor.insert_slice %row into %t[%i, 0] [1, %m] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
/// ```
#[op(
    "tensor.insert_slice",
    interfaces(Effects, InferTypes, ShapeOf, Verify, Eval),
    format = "$source `into` $dest `` custom<DynamicIndexList>($offsets, $static_offsets)
               custom<DynamicIndexList>($sizes, $static_sizes) custom<DynamicIndexList>($strides, $static_strides)
               attr-dict `:` type($source) `into` type($dest)"
)]
pub struct InsertSliceOp {
    source: Operand<RankedTensor>,
    dest: Operand<RankedTensor>,
    offsets: VariadicOperand<Index>,
    sizes: VariadicOperand<Index>,
    strides: VariadicOperand<Index>,
    static_offsets: Attr<DenseI64Attr>,
    static_sizes: Attr<DenseI64Attr>,
    static_strides: Attr<DenseI64Attr>,
    /// Of the type of `dest`.
    result: OpResult<RankedTensor>,
}

/// A window at leading indices of a tensor: one index each, then all of the other dimensions from their start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leading {
    /// The indices, outermost first.
    pub indices: Vec<Value>,
    /// The extents of the other dimensions: a number, or a value. They may be less than the tensor's.
    pub sizes: Vec<Result<i64, Value>>,
}

/// Any window, as values.
#[derive(Clone, Debug)]
pub struct Window {
    /// Where it starts in each dimension of the tensor.
    pub offsets: Vec<Value>,
    /// Size and stride in each of them; none where the part leaves the dimension out.
    pub kept: Vec<Option<(Value, Value)>>,
}

impl Window {
    /// The extents of the part, outermost first.
    pub fn extents(&self) -> Vec<Value> {
        self.kept.iter().flatten().map(|&(size, _)| size).collect()
    }
    /// Of an op whose lists are in the groups of operands from `first` on.
    fn of(b: &mut Builder<'_>, op: Op, part: Value, first: usize) -> Window {
        let list = |name, group| mixed::entries(b.ir, op, name, first + group);
        let offsets = list("static_offsets", 0);
        let (sizes, strides) = (list("static_sizes", 1), list("static_strides", 2));
        let shape = b.type_of(part).shaped(b.ctx());
        let shape = shape.map_or(Vec::new(), |(shape, _)| shape.to_vec());
        let fixed: Vec<i64> = sizes.iter().map(|size| size.fixed()).collect();
        let left_out = left_out(&fixed, &shape);
        let mut value = |entry: Entry| match entry {
            Entry::Open(value) => value,
            Entry::Fixed(number) => index::constant(b, number),
        };
        let offsets = offsets.into_iter().map(&mut value).collect();
        let kept = sizes.into_iter().zip(strides).zip(left_out);
        let kept = kept.map(|((size, stride), out)| (!out).then(|| (value(size), value(stride))));
        Window {
            offsets,
            kept: kept.collect(),
        }
    }
}

/// The dimensions that a part of a shape leaves out, by the sizes of its window: from the front where there is a choice, since
/// the elements are the same.
fn left_out(sizes: &[i64], part: &[i64]) -> Vec<bool> {
    let mut surplus = sizes.len().saturating_sub(part.len());
    let mut kept = 0;
    let of = |&size: &i64| {
        let out = surplus > 0 && size == 1 && part.get(kept) != Some(&1);
        surplus -= usize::from(out);
        kept += usize::from(!out);
        out
    };
    sizes.iter().map(of).collect()
}

/// The lists of a window at leading indices of a tensor with these extents: static ones, and operands for the others.
struct Lists {
    fixed: [Vec<i64>; 3],
    open: [Vec<Value>; 2],
}

fn lists_at(indices: &[Value], sizes: &[Result<i64, Value>]) -> Lists {
    let (count, rank) = (indices.len(), indices.len() + sizes.len());
    let fixed = |size: &Result<i64, Value>| size.unwrap_or(DYNAMIC);
    let list = |leading: i64, others: Vec<i64>| [vec![leading; count], others].concat();
    Lists {
        fixed: [
            list(DYNAMIC, vec![0; sizes.len()]),
            list(1, sizes.iter().map(fixed).collect()),
            vec![1; rank],
        ],
        open: [
            indices.to_vec(),
            sizes.iter().filter_map(|size| size.err()).collect(),
        ],
    }
}

/// The window of an op at leading indices, if it is one and leaves just those dimensions out.
fn leading(ir: &Ir, op: Op, part: Value, first: usize) -> Option<Leading> {
    let list = |name, group| mixed::entries(ir, op, name, first + group);
    let offsets = list("static_offsets", 0);
    let (sizes, strides) = (list("static_sizes", 1), list("static_strides", 2));
    let count = offsets.len().checked_sub(rank(ir, part))?;
    let index = |at: &Entry| match *at {
        Entry::Open(value) => Some(value),
        Entry::Fixed(_) => None,
    };
    // A window that does not verify may lack numbers.
    let plain = sizes.len() == offsets.len()
        && strides.iter().all(|&stride| stride == Entry::Fixed(1))
        && sizes[..count].iter().all(|&size| size == Entry::Fixed(1))
        && offsets[count..].iter().all(|&at| at == Entry::Fixed(0));
    if !plain {
        return None;
    }
    let size = |size: &Entry| match *size {
        Entry::Fixed(size) => Ok(size),
        Entry::Open(size) => Err(size),
    };
    Some(Leading {
        indices: offsets[..count].iter().map(index).collect::<Option<_>>()?,
        sizes: sizes[count..].iter().map(size).collect(),
    })
}

impl ExtractSliceOp {
    /// The part at leading indices of a tensor; `sizes` are the extents of the dimensions behind them.
    pub fn at(
        b: &mut Builder<'_>,
        tensor: Value,
        indices: &[Value],
        sizes: &[Result<i64, Value>],
    ) -> Self {
        let ctx = b.ir.context();
        let Lists {
            fixed,
            open: [offsets, open],
        } = lists_at(indices, sizes);
        let ty = ctx.ty(TypeKind::Tensor {
            shape: fixed[1][indices.len()..].to_vec(),
            element: b.type_of(tensor).element_or_self(&ctx),
            encoding: None,
        });
        let [o, s, t] = fixed.map(|list| ctx.dense_i64_attr(&list));
        ExtractSliceOp::builder()
            .source(tensor)
            .offsets(&offsets)
            .sizes(&open)
            .strides(&[])
            .static_offsets(o)
            .static_sizes(s)
            .static_strides(t)
            .result_type(ty)
            .build(b)
    }
    /// The window, where it is one at leading indices.
    pub fn leading(self, ir: &Ir) -> Option<Leading> {
        leading(ir, self.op(), self.result(ir), 1)
    }
    /// The window, whatever it is.
    pub fn window(self, b: &mut Builder<'_>) -> Window {
        let part = self.result(b.ir);
        Window::of(b, self.op(), part, 1)
    }
}

impl InsertSliceOp {
    /// A tensor with the part at leading indices replaced; `sizes` are the extents of the dimensions behind them.
    pub fn at(
        b: &mut Builder<'_>,
        part: Value,
        tensor: Value,
        indices: &[Value],
        sizes: &[Result<i64, Value>],
    ) -> Self {
        let ctx = b.ir.context();
        let Lists {
            fixed,
            open: [offsets, open],
        } = lists_at(indices, sizes);
        let [o, s, t] = fixed.map(|list| ctx.dense_i64_attr(&list));
        InsertSliceOp::builder()
            .source(part)
            .dest(tensor)
            .offsets(&offsets)
            .sizes(&open)
            .strides(&[])
            .static_offsets(o)
            .static_sizes(s)
            .static_strides(t)
            .build(b)
    }
    /// The window, where it is one at leading indices.
    pub fn leading(self, ir: &Ir) -> Option<Leading> {
        leading(ir, self.op(), self.source(ir), 2)
    }
    /// The window, whatever it is.
    pub fn window(self, b: &mut Builder<'_>) -> Window {
        let part = self.source(b.ir);
        Window::of(b, self.op(), part, 2)
    }
}

impl Effects for ExtractSliceOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        // Tensors are values, so nothing can come between; but it must not run where the window leaves the tensor.
        effects.push(Effect::of(EffectKind::Read));
    }
}
impl Effects for InsertSliceOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        // As of an extraction.
        effects.push(Effect::of(EffectKind::Read));
    }
}

impl InferTypes for InsertSliceOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        let dest = *state.operands.get(1).ok_or("needs a tensor")?;
        Ok(vec![ir.value_type(dest)])
    }
}

impl ShapeOf for ExtractSliceOp {
    fn extent(&self, ir: &Ir, op: Op, _: usize, dim: usize) -> Option<Value> {
        let window = ExtractSliceOp::from_op(op).leading(ir)?;
        window.sizes.get(dim)?.err()
    }
}
impl ShapeOf for InsertSliceOp {
    fn extent(&self, ir: &Ir, op: Op, _: usize, dim: usize) -> Option<Value> {
        known_extent(ir, InsertSliceOp::from_op(op).dest(ir), dim)
    }
}

/// A window of `whole` has the type of `part`.
fn verify(ir: &Ir, op: Op, [whole, part]: [Value; 2], first: usize, diags: &mut OpDiagnostics<'_>) {
    let before = diags.error_count();
    mixed::verify_lists(ir, op, [rank(ir, whole); 3], first, diags);
    let list = |name| {
        let attr = ir.attr_named(op, name);
        attr.and_then(|attr| attr.as_dense_i64(ir.ctx()))
            .unwrap_or_default()
    };
    let [offsets, sizes, strides] = ["static_offsets", "static_sizes", "static_strides"].map(list);
    mixed::verify_signs([&offsets, &sizes], diags);
    let [whole, part] = [whole, part].map(|value| ir.value_type(value));
    if whole.element_or_self(ir.ctx()) != part.element_or_self(ir.ctx()) {
        diags.error("the part must have the element type of the whole");
    }
    let shape = |ty: Type| ty.shaped(ir.ctx()).map_or(&[][..], |(shape, _)| shape);
    if diags.error_count() > before {
        return;
    }
    if !drops_only_ones(&sizes, shape(part)) {
        diags.error("the part must have the extents of `sizes`, some of extent 1 left out");
    } else if mixed::leaves(&offsets, &sizes, &strides, shape(whole)) {
        diags.error("the window must lie inside of the tensor");
    }
}

impl Verify for ExtractSliceOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let slice = ExtractSliceOp::from_op(op);
        verify(ir, op, [slice.source(ir), slice.result(ir)], 1, diags);
    }
}
impl Verify for InsertSliceOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let slice = InsertSliceOp::from_op(op);
        verify(ir, op, [slice.dest(ir), slice.source(ir)], 2, diags);
    }
}

/// The static parts of a window, and the dimensions of the whole that the part leaves out.
struct Plan {
    lists: [Vec<i64>; 3],
    left_out: Vec<bool>,
}

fn plan(p: &Prepare<'_>, part: Value) -> Result<Prepared, Fault> {
    let ctx = p.ir.ctx();
    let list = |name| {
        let attr = p.attr(name);
        attr.and_then(|attr| attr.as_dense_i64(ctx))
            .unwrap_or_default()
    };
    let lists = ["static_offsets", "static_sizes", "static_strides"].map(list);
    let shape = p.ir.value_type(part).shaped(ctx);
    let (shape, _) = shape.ok_or_else(|| Fault::new("has no ranked type"))?;
    let left_out = left_out(&lists[1], shape);
    Ok(Prepared::other(Plan { lists, left_out }))
}

/// The positions of a window's elements in row-major order, by rows along the innermost dimension, and its extents; none where
/// it leaves the array.
fn positions(
    shape: &[usize],
    [offsets, sizes, strides]: &[Vec<i64>; 3],
) -> Option<(Vec<usize>, Vec<usize>)> {
    let sizes: Option<Vec<usize>> = sizes
        .iter()
        .map(|&size| usize::try_from(size).ok())
        .collect();
    let sizes = sizes?;
    let empty = sizes.contains(&0);
    let mut found = vec![0usize];
    for (dim, &extent) in shape.iter().enumerate() {
        let (offset, stride) = (*offsets.get(dim)?, *strides.get(dim)?);
        let place = |at: usize| {
            let place = stride
                .checked_mul(i64::try_from(at).ok()?)?
                .checked_add(offset)?;
            usize::try_from(place).ok().filter(|&place| place < extent)
        };
        // Of a window without elements, the other sizes may be any.
        let size = if empty { 0 } else { *sizes.get(dim)? };
        let places: Vec<usize> = (0..size).map(place).collect::<Option<_>>()?;
        found = found
            .iter()
            .flat_map(|&row| places.iter().map(move |&place| row * extent + place))
            .collect();
    }
    Some((found, sizes))
}

impl Eval for ExtractSliceOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        plan(p, p.ir.result(p.op, 0))
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let Plan { lists, left_out } = inst
            .data::<Plan>()
            .ok_or_else(|| cx.error(inst, "is not prepared"))?;
        for lane in lanes.iter() {
            let lists = mixed::filled(cx, inst, lists, 1, lane)?;
            let sizes = lists[1]
                .iter()
                .map(|&size| usize::try_from(size).unwrap_or(0));
            let sizes: Vec<usize> = sizes.collect();
            cx.check(inst, cx.check_allocation(element_count(&sizes)))?;
            let array = cx.array(inst, 0, lane)?;
            let part = part_of(array, &lists, left_out).ok_or_else(|| {
                let (shape, [offsets, sizes, strides]) = (array.shape(), &lists);
                cx.error(
                    inst,
                    format!(
                        "has a window at {offsets:?} of sizes {sizes:?} and strides {strides:?}, which leaves shape {shape:?}"
                    ),
                )
            })?;
            cx.set_result(inst, 0, lane, part);
        }
        Ok(Flow::Next)
    }
}

fn part_of(array: &ArrayValue, lists: &[Vec<i64>; 3], left_out: &[bool]) -> Option<Datum> {
    // A part at leading indices costs no copy.
    let leading = left_out.iter().take_while(|&&out| out).count();
    let whole = array
        .shape()
        .get(leading..)?
        .iter()
        .zip(lists[1].get(leading..)?);
    let whole = whole
        .into_iter()
        .all(|(&extent, &size)| i64::try_from(extent) == Ok(size))
        && lists[0][leading..].iter().all(|&offset| offset == 0)
        && lists[2].iter().all(|&stride| stride == 1)
        && left_out[leading..].iter().all(|&out| !out);
    if whole && leading < array.rank() {
        return array.at(&lists[0][..leading]);
    }
    let (positions, sizes) = positions(array.shape(), lists)?;
    let mut elements = Elements::with_capacity(array.elem(), positions.len());
    for position in positions {
        elements.push(&array.get(position)?)?;
    }
    let kept = sizes.into_iter().zip(left_out).filter(|row| !row.1);
    let shape = kept.map(|(size, _)| size).collect();
    ArrayValue::new(array.elem(), shape, elements).map(Datum::array)
}

impl Eval for InsertSliceOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        plan(p, InsertSliceOp::from_op(p.op).source(p.ir))
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let Plan { lists, .. } = inst
            .data::<Plan>()
            .ok_or_else(|| cx.error(inst, "is not prepared"))?;
        for lane in lanes.iter() {
            let lists = mixed::filled(cx, inst, lists, 2, lane)?;
            let (part, array) = (cx.array(inst, 0, lane)?, cx.array(inst, 1, lane)?);
            let new = with_part(array, part, &lists).ok_or_else(|| {
                let (shape, part) = (array.shape(), part.shape());
                let [offsets, sizes, strides] = &lists;
                cx.error(
                    inst,
                    format!(
                        "cannot put shape {part:?} into a window at {offsets:?} of sizes {sizes:?} and strides {strides:?} of shape {shape:?}"
                    ),
                )
            })?;
            cx.set_result(inst, 0, lane, Datum::array(new));
        }
        Ok(Flow::Next)
    }
}

fn with_part(array: &ArrayValue, part: &ArrayValue, lists: &[Vec<i64>; 3]) -> Option<ArrayValue> {
    let apart = |(&size, &stride): (&i64, &i64)| stride != 0 || size < 2;
    if !lists[1].iter().zip(&lists[2]).all(apart) {
        return None;
    }
    let (positions, sizes) = positions(array.shape(), lists)?;
    let ones = |shape: &[usize]| {
        shape
            .iter()
            .copied()
            .filter(|&size| size != 1)
            .collect::<Vec<_>>()
    };
    if ones(&sizes) != ones(part.shape()) {
        return None;
    }
    let flat = array.reshaped(vec![array.len()])?;
    let mut update = ArrayUpdate::new(&flat, 1)?;
    for (position, element) in positions.into_iter().zip(part.iter()) {
        update.set(position, &element).ok()?;
    }
    update.finish()?.reshaped(array.shape().to_vec())
}
