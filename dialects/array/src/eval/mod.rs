//! Execution of the array dialect by the reference interpreter.
//!
//! * [`soac`]: combinators; * [`sizes`]: what symbolic sizes are when the program runs; here: shapes.

pub(crate) mod sizes;
pub(crate) mod soac;

use crate::shape::{CastOp, DimOp, IndexOp, IotaOp, RearrangeOp, ReplicateOp};
use crate::types::sizes_and_element;
use segra_interp::array::element_count;
use segra_interp::{
    ArrayValue, Cx, Datum, Elem, Elements, Eval, EvalError, EvalResult, Fault, Flow, Inst, Lanes,
    Prepare, Prepared,
};
use segra_ir::{Ir, Op, Type, Value};

pub(crate) use soac::{inputs, run_rows};

pub(crate) fn result_type(ir: &Ir, op: Op, index: usize) -> Type {
    ir.value_type(ir.result(op, index))
}

/// Element format of the op's first result.
pub(crate) fn prepare_element(p: &Prepare<'_>) -> Result<Elem, Fault> {
    let (_, element) = sizes_and_element(p.ir.ctx(), result_type(p.ir, p.op, 0));
    Elem::of(p.ir.ctx(), element)
        .ok_or_else(|| Fault::new("has elements the interpreter cannot hold"))
}

/// Facts about ops that make arrays of given sizes, known before they run.
struct Made {
    elem: Elem,
    claims: Vec<sizes::Extent>,
}

impl Made {
    fn prepare(p: &Prepare<'_>) -> Result<Made, Fault> {
        let elem = prepare_element(p)?;
        let claims = sizes::claims(p.ir, p.op).0;
        Ok(Made { elem, claims })
    }
}

/// The error of an op that stops the program.
pub(crate) fn stopped(cx: &Cx<'_>, inst: &Inst, message: &str, numbers: &[i64]) -> EvalError {
    cx.error(inst, segra_std::check::with_numbers(message, numbers))
}

/// The first of some indices that is not within the extents of an array, as an error; `first` is the operand before
/// which the array stands.
pub(crate) fn index_error(
    cx: &Cx<'_>,
    inst: &Inst,
    array: usize,
    shape: &[usize],
    indices: &[i64],
) -> EvalError {
    let outside = |(&index, &extent): (&i64, &usize)| {
        !usize::try_from(index).is_ok_and(|index| index < extent)
    };
    let dim = indices.iter().zip(shape).position(outside).unwrap_or(0);
    let value = cx.ir().operand(inst.op, array);
    let message = crate::stops::index_out_of_range(cx.ir(), value, dim);
    stopped(cx, inst, &message, &[indices[dim], shape[dim] as i64])
}

pub(crate) fn extent(
    cx: &Cx<'_>,
    inst: &Inst,
    index: usize,
    lane: usize,
) -> Result<usize, EvalError> {
    let extent = cx.int(inst, index, lane)?;
    usize::try_from(extent).map_err(|_| stopped(cx, inst, crate::stops::negative_size(), &[extent]))
}

impl Eval for IotaOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let Made { elem, claims } = inst
            .data::<Made>()
            .ok_or_else(|| cx.error(inst, "was not prepared"))?;
        let elem = *elem;
        for lane in lanes.iter() {
            let count = extent(cx, inst, 0, lane)?;
            sizes::check_claims(cx, inst, claims, &[count], lane)?;
            let count = cx.check(inst, cx.check_allocation(Some(count)))?;
            let mut elements = Elements::with_capacity(elem, count);
            for at in 0..count {
                let value = elem
                    .int_width()
                    .map_or(at as i64, |width| width.wrap(at as i64));
                elements.push(&Datum::Int(value));
            }
            let array = ArrayValue::new(elem, vec![count], elements);
            let array = array.ok_or_else(|| cx.error(inst, "made an array of the wrong size"))?;
            cx.set_result(inst, 0, lane, Datum::array(array));
        }
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        Made::prepare(p).map(Prepared::other)
    }
    fn uses(&self, ir: &Ir, op: Op) -> Vec<Value> {
        sizes::claims(ir, op).1
    }
}

impl Eval for ReplicateOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let Made { elem, claims } = inst
            .data::<Made>()
            .ok_or_else(|| cx.error(inst, "was not prepared"))?;
        let elem = *elem;
        for lane in lanes.iter() {
            let mut shape = Vec::new();
            for index in 1..inst.operands.len() {
                shape.push(extent(cx, inst, index, lane)?);
            }
            sizes::check_claims(cx, inst, claims, &shape, lane)?;
            let value = cx.operand(inst, 0, lane).clone();
            let outer = element_count(&shape);
            let row = value.as_array().map_or(1, |row| row.len());
            let counted = outer.and_then(|outer| i64::try_from(outer.checked_mul(row)?).ok());
            if counted.is_none() {
                return Err(stopped(cx, inst, crate::stops::too_many_elements(), &[]));
            }
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
        Made::prepare(p).map(Prepared::other)
    }
    fn uses(&self, ir: &Ir, op: Op) -> Vec<Value> {
        sizes::claims(ir, op).1
    }
}

impl Eval for RearrangeOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let permutation = inst
            .data::<Vec<usize>>()
            .ok_or_else(|| cx.error(inst, "was not prepared"))?;
        for lane in lanes.iter() {
            let array = cx.array(inst, 0, lane)?;
            let moved = permuted(array, permutation)
                .ok_or_else(|| cx.error(inst, "does not fit its array"))?;
            cx.set_result(inst, 0, lane, Datum::array(moved));
        }
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        let dims = p
            .attr("permutation")
            .and_then(|attr| attr.as_dense_i64(p.ir.ctx()));
        let dims = dims.ok_or_else(|| Fault::new("needs the attribute `permutation`"))?;
        let dims: Result<Vec<usize>, _> = dims.into_iter().map(usize::try_from).collect();
        dims.map(Prepared::other)
            .map_err(|_| Fault::new("`permutation` names dimensions from 0 on"))
    }
}

/// The array with dimension `k` of the result being dimension `permutation[k]` of it.
fn permuted(array: &ArrayValue, permutation: &[usize]) -> Option<ArrayValue> {
    let from = array.shape();
    let mut strides = vec![1usize; from.len()];
    for dim in (0..from.len().saturating_sub(1)).rev() {
        strides[dim] = strides[dim + 1] * from[dim + 1];
    }
    let shape: Vec<usize> = permutation
        .iter()
        .map(|&dim| from.get(dim).copied())
        .collect::<Option<_>>()?;
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
            let extent = cx
                .array(inst, 0, lane)?
                .shape()
                .get(inst.word() as usize)
                .copied();
            let extent = extent
                .ok_or_else(|| cx.error(inst, "names a dimension its array does not have"))?;
            cx.set_result(inst, 0, lane, Datum::Int(extent as i64));
        }
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        let dim = p.attr("dim").and_then(|attr| attr.as_i64(p.ir.ctx()));
        dim.map(Prepared::Word)
            .ok_or_else(|| Fault::new("needs the attribute `dim`"))
    }
}

impl Eval for IndexOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let indices = cx.ints(inst, 1..inst.operands.len(), lane)?;
            let array = cx.array(inst, 0, lane)?;
            let element = array.at(&indices);
            let element =
                element.ok_or_else(|| index_error(cx, inst, 0, array.shape(), &indices))?;
            cx.set_result(inst, 0, lane, element);
        }
        Ok(Flow::Next)
    }
}

impl Eval for CastOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let claimed = inst
            .data::<Vec<sizes::Extent>>()
            .ok_or_else(|| cx.error(inst, "was not prepared"))?;
        for lane in lanes.iter() {
            let array = cx.array(inst, 0, lane)?.clone();
            for (dim, (&found, claimed)) in array.shape().iter().zip(claimed).enumerate() {
                if let Some(claimed) = sizes::claimed_at_run_time(cx, inst, *claimed, lane)
                    && claimed != found
                {
                    let message = crate::stops::size_claimed(dim);
                    return Err(stopped(cx, inst, &message, &[claimed as i64, found as i64]));
                }
            }
            cx.set_result(inst, 0, lane, Datum::Array(array));
        }
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        Ok(Prepared::other(sizes::claims(p.ir, p.op).0))
    }
    fn uses(&self, ir: &Ir, op: Op) -> Vec<Value> {
        sizes::claims(ir, op).1
    }
}
