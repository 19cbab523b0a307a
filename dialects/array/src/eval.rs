//! Execution of the array dialect by the reference interpreter.
//!
//! A map runs its body as one batch with a lane per element. Reductions and scans go element by element in order, all
//! active lanes together.

use crate::shape::{CastOp, DimOp, IndexOp, IotaOp, RearrangeOp, ReplicateOp};
use crate::soac::{MapOp, RedomapOp, ReduceOp, ScanOp, YieldOp};
use crate::types::{ArrayType, Size, sizes_and_element};
use segra_interp::array::element_count;
use segra_interp::code::yield_operands;
use segra_interp::{
    ArrayBuilder, ArrayValue, Cx, Datum, Elem, Elements, Eval, EvalError, EvalResult, Fault, Flow, Inst,
    Lanes, Parents, Prepare, Prepared, RegionKind, Slot,
};
use segra_ir::{Ir, Op, OpView, Type};
use std::rc::Rc;

impl Eval for YieldOp {
    fn eval(&self, _: &mut Cx<'_>, _: &Inst, _: &Lanes) -> EvalResult {
        yield_operands()
    }
}

/// The inputs of a combinator in one lane, and their common outer size.
pub(crate) fn inputs(
    cx: &Cx<'_>,
    inst: &Inst,
    arrays_count: usize,
    lane: usize,
) -> Result<(Vec<Rc<ArrayValue>>, usize), EvalError> {
    let mut arrays = Vec::new();
    for index in 0..arrays_count {
        arrays.push(cx.array(inst, index, lane)?.clone());
    }
    let outer = |array: &Rc<ArrayValue>| array.shape().first().copied().unwrap_or(0);
    let count = arrays.first().map_or(0, outer);
    match arrays.iter().position(|array| outer(array) != count) {
        None => Ok((arrays, count)),
        Some(index) => {
            let other = outer(&arrays[index]);
            Err(cx.error(inst, format!("input #0 has outer size {count}, but input #{index} has {other}")))
        }
    }
}

/// How many of the operands are input arrays.
fn prepare_inputs(p: &Prepare<'_>) -> Prepared {
    Prepared::Word(p.ir.operand_group(p.op, 0).len() as i64)
}

/// A builder for a result of type `ty`; symbolic row sizes are those the inputs have under the same names.
fn builder(
    cx: &Cx<'_>,
    inst: &Inst,
    ty: Type,
    arrays: &[Rc<ArrayValue>],
    count: usize,
) -> Result<ArrayBuilder, EvalError> {
    let ir = cx.ir();
    let ctx = ir.ctx();
    let (sizes, element) = sizes_and_element(ctx, ty);
    let elem =
        Elem::of(ctx, element).ok_or_else(|| cx.error(inst, "has elements the interpreter cannot hold"))?;
    let find = |size: &Size| match size {
        Size::Constant(extent) => usize::try_from(*extent).unwrap_or(0),
        Size::Unknown => 0,
        Size::Symbol(_) => {
            let named = arrays.iter().enumerate().find_map(|(index, array)| {
                let input = ir.value_type(ir.operand(inst.op, index)).dialect::<ArrayType>(ctx)?;
                let dim = input.sizes.iter().position(|other| other == size)?;
                array.shape().get(dim).copied()
            });
            named.unwrap_or(0)
        }
    };
    let rows = sizes.iter().skip(1).map(find).collect();
    let new = ArrayBuilder::new(elem, count);
    // Rows that do come say their shape themselves.
    Ok(if count == 0 { new.with_row_shape(rows) } else { new })
}

fn result_type(ir: &Ir, op: Op, index: usize) -> Type {
    ir.value_type(ir.result(op, index))
}

impl Eval for MapOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let mut all = Vec::new();
        for lane in lanes.iter() {
            let (arrays, count) = inputs(cx, inst, inst.word() as usize, lane)?;
            let mut builders = Vec::new();
            for index in 0..inst.results.len() {
                builders.push(builder(cx, inst, result_type(cx.ir(), inst.op, index), &arrays, count)?);
            }
            cx.run_batch(
                inst,
                &inst.regions[0],
                count,
                Parents::One(lane),
                |arg, range, values| {
                    for (value, at) in values.iter_mut().zip(range) {
                        *value = arrays[arg].row(at).ok_or_else(|| Fault::new("an input ends early"))?;
                    }
                    Ok(())
                },
                |index, _, column| column.iter().try_for_each(|value| builders[index].push(value)),
            )?;
            all.push((lane, builders));
        }
        finish(cx, inst, all, 0);
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        Ok(prepare_inputs(p))
    }
    fn region_kind(&self, _: &Ir, _: Op, _: usize) -> RegionKind {
        RegionKind::Batch
    }
}

fn finish(cx: &mut Cx<'_>, inst: &Inst, all: Vec<(usize, Vec<ArrayBuilder>)>, first: usize) {
    for (lane, builders) in all {
        for (index, builder) in builders.into_iter().enumerate() {
            cx.set_result(inst, first + index, lane, Datum::array(builder.finish()));
        }
    }
}

/// What a reduction or scan goes through, by lane.
struct Traversal {
    lanes: Vec<(usize, Vec<Rc<ArrayValue>>, usize)>,
    longest: usize,
}

fn traversal(cx: &Cx<'_>, inst: &Inst, lanes: &Lanes) -> Result<Traversal, EvalError> {
    let mut rows = Vec::new();
    for lane in lanes.iter() {
        let (arrays, count) = inputs(cx, inst, inst.word() as usize, lane)?;
        rows.push((lane, arrays, count));
    }
    let longest = rows.iter().map(|row| row.2).max().unwrap_or(0);
    Ok(Traversal { lanes: rows, longest })
}

impl Traversal {
    /// Sets region arguments from number `first` on to the elements at `at`; the lanes that have one.
    fn load(
        &self,
        cx: &mut Cx<'_>,
        inst: &Inst,
        region: usize,
        first: usize,
        at: usize,
    ) -> Result<Lanes, EvalError> {
        let mut active = Vec::new();
        for (lane, arrays, count) in &self.lanes {
            if at >= *count {
                continue;
            }
            active.push(*lane as u32);
            for (index, array) in arrays.iter().enumerate() {
                let element = array.row(at).ok_or_else(|| cx.error(inst, "an input ends early"))?;
                cx.set_arg(&inst.regions[region], first + index, *lane, element);
            }
        }
        Ok(Lanes::Some(active))
    }
}

/// Slots of the neutral elements.
fn neutral(inst: &Inst) -> &[Slot] {
    &inst.operands[inst.word() as usize..]
}

impl Eval for ReduceOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let traversal = traversal(cx, inst, lanes)?;
        let combine = &inst.regions[0];
        let accumulators = neutral(inst).len();
        cx.copy(neutral(inst), &inst.results, lanes);
        for at in 0..traversal.longest {
            let active = traversal.load(cx, inst, 0, accumulators, at)?;
            cx.copy(&inst.results, &combine.args()[..accumulators], &active);
            cx.run_region(combine, &active)?;
            cx.copy(&combine.yields, &inst.results, &active);
        }
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        Ok(prepare_inputs(p))
    }
}

impl Eval for RedomapOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let traversal = traversal(cx, inst, lanes)?;
        let (body, combine) = (&inst.regions[0], &inst.regions[1]);
        let reduced = neutral(inst).len();
        let mut stored = Vec::new();
        for (lane, arrays, count) in &traversal.lanes {
            let mut builders = Vec::new();
            for index in reduced..inst.results.len() {
                builders.push(builder(cx, inst, result_type(cx.ir(), inst.op, index), arrays, *count)?);
            }
            stored.push((*lane, builders));
        }
        cx.copy(neutral(inst), &inst.results[..reduced], lanes);
        for at in 0..traversal.longest {
            let active = traversal.load(cx, inst, 0, 0, at)?;
            cx.run_region(body, &active)?;
            push_rows(cx, inst, &body.yields[reduced..], &mut stored, &traversal, at)?;
            let args = combine.args();
            cx.copy(&body.yields[..reduced], &args[reduced..], &active);
            cx.copy(&inst.results[..reduced], &args[..reduced], &active);
            cx.run_region(combine, &active)?;
            cx.copy(&combine.yields, &inst.results[..reduced], &active);
        }
        finish(cx, inst, stored, reduced);
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        Ok(prepare_inputs(p))
    }
}

/// Appends what `slots` hold to each lane's builders, in the lanes that have an element at `at`.
fn push_rows(
    cx: &Cx<'_>,
    inst: &Inst,
    slots: &[Slot],
    builders: &mut [(usize, Vec<ArrayBuilder>)],
    traversal: &Traversal,
    at: usize,
) -> Result<(), EvalError> {
    for ((lane, builders), (_, _, count)) in builders.iter_mut().zip(&traversal.lanes) {
        if at < *count {
            for (builder, &slot) in builders.iter_mut().zip(slots) {
                let pushed = builder.push(cx.get(slot, *lane));
                cx.check(inst, pushed)?;
            }
        }
    }
    Ok(())
}

impl Eval for ScanOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let traversal = traversal(cx, inst, lanes)?;
        let combine = &inst.regions[0];
        let count = neutral(inst).len();
        let mut stored = Vec::new();
        for (lane, arrays, length) in &traversal.lanes {
            let mut builders = Vec::new();
            for index in 0..count {
                builders.push(builder(cx, inst, result_type(cx.ir(), inst.op, index), arrays, *length)?);
            }
            stored.push((*lane, builders));
        }
        // The accumulators live in the result slots until the arrays take their place.
        cx.copy(neutral(inst), &inst.results, lanes);
        let exclusive = ScanOp::from_op(inst.op).exclusive_attr(cx.ir()).is_some();
        for at in 0..traversal.longest {
            let active = traversal.load(cx, inst, 0, count, at)?;
            if exclusive {
                push_rows(cx, inst, &inst.results, &mut stored, &traversal, at)?;
            }
            cx.copy(&inst.results, &combine.args()[..count], &active);
            cx.run_region(combine, &active)?;
            cx.copy(&combine.yields, &inst.results, &active);
            if !exclusive {
                push_rows(cx, inst, &combine.yields, &mut stored, &traversal, at)?;
            }
        }
        finish(cx, inst, stored, 0);
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        Ok(prepare_inputs(p))
    }
}

// ---- shapes ----

/// Element format of the op's first result.
pub(crate) fn prepare_element(p: &Prepare<'_>) -> Result<Elem, Fault> {
    let (_, element) = sizes_and_element(p.ir.ctx(), result_type(p.ir, p.op, 0));
    Elem::of(p.ir.ctx(), element).ok_or_else(|| Fault::new("has elements the interpreter cannot hold"))
}

pub(crate) fn extent(cx: &Cx<'_>, inst: &Inst, index: usize, lane: usize) -> Result<usize, EvalError> {
    let extent = cx.int(inst, index, lane)?;
    usize::try_from(extent).map_err(|_| cx.error(inst, format!("a size cannot be {extent}")))
}

impl Eval for IotaOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let elem = *inst.data::<Elem>().ok_or_else(|| cx.error(inst, "was not prepared"))?;
        for lane in lanes.iter() {
            let count = extent(cx, inst, 0, lane)?;
            let count = cx.check(inst, cx.check_allocation(Some(count)))?;
            let mut elements = Elements::with_capacity(elem, count);
            for at in 0..count {
                let value = elem.int_width().map_or(at as i64, |width| width.wrap(at as i64));
                elements.push(&Datum::Int(value));
            }
            let array = ArrayValue::new(elem, vec![count], elements);
            let array = array.ok_or_else(|| cx.error(inst, "made an array of the wrong size"))?;
            cx.set_result(inst, 0, lane, Datum::array(array));
        }
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        prepare_element(p).map(Prepared::other)
    }
}

impl Eval for ReplicateOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let elem = *inst.data::<Elem>().ok_or_else(|| cx.error(inst, "was not prepared"))?;
        for lane in lanes.iter() {
            let mut shape = Vec::new();
            for index in 1..inst.operands.len() {
                shape.push(extent(cx, inst, index, lane)?);
            }
            let value = cx.operand(inst, 0, lane).clone();
            let outer = element_count(&shape);
            let array = match value.as_array() {
                None => {
                    cx.check(inst, cx.check_allocation(outer))?;
                    ArrayValue::splat(elem, shape, &value)
                }
                Some(row) => {
                    let total = outer.and_then(|outer| outer.checked_mul(row.len()));
                    let total = cx.check(inst, cx.check_allocation(total))?;
                    let (source, offset) = row.storage();
                    let mut elements = Elements::with_capacity(elem, total);
                    for _ in 0..outer.unwrap_or(0) {
                        elements.extend(source, offset..offset + row.len());
                    }
                    shape.extend(row.shape());
                    ArrayValue::new(elem, shape, elements)
                }
            };
            let array = array.ok_or_else(|| cx.error(inst, "cannot hold this value"))?;
            cx.set_result(inst, 0, lane, Datum::array(array));
        }
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        prepare_element(p).map(Prepared::other)
    }
}

impl Eval for RearrangeOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let permutation = inst.data::<Vec<usize>>().ok_or_else(|| cx.error(inst, "was not prepared"))?;
        for lane in lanes.iter() {
            let array = cx.array(inst, 0, lane)?;
            let moved =
                permuted(array, permutation).ok_or_else(|| cx.error(inst, "does not fit its array"))?;
            cx.set_result(inst, 0, lane, Datum::array(moved));
        }
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        let dims = p.attr("permutation").and_then(|attr| attr.as_dense_i64(p.ir.ctx()));
        let dims = dims.ok_or_else(|| Fault::new("needs the attribute `permutation`"))?;
        let dims: Result<Vec<usize>, _> = dims.into_iter().map(usize::try_from).collect();
        dims.map(Prepared::other).map_err(|_| Fault::new("`permutation` names dimensions from 0 on"))
    }
}

/// The array with dimension `k` of the result being dimension `permutation[k]` of it.
fn permuted(array: &ArrayValue, permutation: &[usize]) -> Option<ArrayValue> {
    let from = array.shape();
    let mut strides = vec![1usize; from.len()];
    for dim in (0..from.len().saturating_sub(1)).rev() {
        strides[dim] = strides[dim + 1] * from[dim + 1];
    }
    let shape: Vec<usize> = permutation.iter().map(|&dim| from.get(dim).copied()).collect::<Option<_>>()?;
    let steps: Vec<usize> = permutation.iter().map(|&dim| strides[dim]).collect();
    let mut elements = Elements::with_capacity(array.elem(), array.len());
    let mut index = vec![0usize; shape.len()];
    let mut position = 0;
    for _ in 0..array.len() {
        elements.push(&array.get(position)?)?;
        for dim in (0..shape.len()).rev() {
            index[dim] += 1;
            position += steps[dim];
            if index[dim] < shape[dim] {
                break;
            }
            position -= steps[dim] * shape[dim];
            index[dim] = 0;
        }
    }
    ArrayValue::new(array.elem(), shape, elements)
}

impl Eval for DimOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let extent = cx.array(inst, 0, lane)?.shape().get(inst.word() as usize).copied();
            let extent = extent.ok_or_else(|| cx.error(inst, "names a dimension its array does not have"))?;
            cx.set_result(inst, 0, lane, Datum::Int(extent as i64));
        }
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        let dim = p.attr("dim").and_then(|attr| attr.as_i64(p.ir.ctx()));
        dim.map(Prepared::Word).ok_or_else(|| Fault::new("needs the attribute `dim`"))
    }
}

impl Eval for IndexOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let indices = cx.ints(inst, 1..inst.operands.len(), lane)?;
            let array = cx.array(inst, 0, lane)?;
            let element = array.at(&indices).ok_or_else(|| {
                cx.error(
                    inst,
                    format!("index {:?} is out of range for shape {:?}", &indices[..], array.shape()),
                )
            })?;
            cx.set_result(inst, 0, lane, element);
        }
        Ok(Flow::Next)
    }
}

impl Eval for CastOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let claimed = inst.data::<Vec<Option<usize>>>().ok_or_else(|| cx.error(inst, "was not prepared"))?;
        for lane in lanes.iter() {
            let array = cx.array(inst, 0, lane)?.clone();
            for (dim, (found, claimed)) in array.shape().iter().zip(claimed).enumerate() {
                if claimed.is_some_and(|claimed| claimed != *found) {
                    let claimed = claimed.unwrap_or(0);
                    return Err(cx.error(
                        inst,
                        format!("claims size {claimed} for dimension {dim}, but it is {found}"),
                    ));
                }
            }
            cx.set_result(inst, 0, lane, Datum::Array(array));
        }
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        let (sizes, _) = sizes_and_element(p.ir.ctx(), result_type(p.ir, p.op, 0));
        let claimed = sizes.into_iter().map(|size| match size {
            Size::Constant(extent) => usize::try_from(extent).ok(),
            Size::Symbol(_) | Size::Unknown => None,
        });
        Ok(Prepared::other(claimed.collect::<Vec<Option<usize>>>()))
    }
}
