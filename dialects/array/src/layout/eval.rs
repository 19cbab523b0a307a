//! Execution of the layout ops: elements are read at computed positions.

use super::{ConcatOp, FromTensorOp, GatherOp, PadOp, ReshapeOp, ReverseOp, SliceOp, UpdateOp};
use segra_interp::array::element_count;
use segra_interp::{
    ArrayValue, Cx, Datum, Elements, Eval, EvalError, EvalResult, Fault, Flow, Inst, Lanes, Prepare, Prepared,
};
use std::rc::Rc;

/// Operands `from..from + count` as extents.
fn extents(
    cx: &Cx<'_>,
    inst: &Inst,
    range: std::ops::Range<usize>,
    lane: usize,
) -> Result<Vec<usize>, EvalError> {
    let values = cx.ints(inst, range, lane)?;
    let sizes: Result<Vec<usize>, _> = values.iter().map(|&size| usize::try_from(size)).collect();
    let sizes = sizes.map_err(|_| cx.error(inst, format!("a size cannot be negative: {:?}", &values[..])))?;
    cx.check(inst, cx.check_allocation(element_count(&sizes)))?;
    Ok(sizes)
}

/// An array of `shape` whose element at an index vector is what `element` says; `None` where it says so.
fn made(
    like: &ArrayValue,
    shape: Vec<usize>,
    mut element: impl FnMut(&[usize]) -> Option<Datum>,
) -> Option<ArrayValue> {
    let count = element_count(&shape)?;
    let mut elements = Elements::with_capacity(like.elem(), count);
    let mut index = vec![0usize; shape.len()];
    for _ in 0..count {
        elements.push(&element(&index)?)?;
        for dim in (0..shape.len()).rev() {
            index[dim] += 1;
            if index[dim] < shape[dim] {
                break;
            }
            index[dim] = 0;
        }
    }
    ArrayValue::new(like.elem(), shape, elements)
}

/// Computes the one result in every lane.
fn each(
    cx: &mut Cx<'_>,
    inst: &Inst,
    lanes: &Lanes,
    result: impl Fn(&Cx<'_>, usize) -> Result<ArrayValue, EvalError>,
) -> EvalResult {
    for lane in lanes.iter() {
        let array = result(cx, lane)?;
        cx.set_result(inst, 0, lane, Datum::array(array));
    }
    Ok(Flow::Next)
}

fn out_of_range(cx: &Cx<'_>, inst: &Inst, array: &ArrayValue) -> EvalError {
    cx.error(inst, format!("reaches outside an array of shape {:?}", array.shape()))
}

impl Eval for ReshapeOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        each(cx, inst, lanes, |cx, lane| {
            let shape = extents(cx, inst, 1..inst.operands.len(), lane)?;
            let array = cx.array(inst, 0, lane)?;
            array.reshaped(shape.clone()).ok_or_else(|| {
                cx.error(
                    inst,
                    format!("cannot give shape {shape:?} to an array of shape {:?}", array.shape()),
                )
            })
        })
    }
}

impl Eval for ReverseOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let dim = inst.word() as usize;
        each(cx, inst, lanes, |cx, lane| {
            let array = cx.array(inst, 0, lane)?;
            let reversed = made(array, array.shape().to_vec(), |index| {
                let mut at: Vec<i64> = index.iter().map(|&index| index as i64).collect();
                at[dim] = array.shape()[dim] as i64 - 1 - at[dim];
                array.at(&at)
            });
            reversed.ok_or_else(|| out_of_range(cx, inst, array))
        })
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        let dim = p.attr("dim").and_then(|attr| attr.as_i64(p.ir.ctx()));
        dim.map(Prepared::Word).ok_or_else(|| Fault::new("needs the attribute `dim`"))
    }
}

impl Eval for SliceOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let rank = (inst.operands.len() - 1) / 3;
        each(cx, inst, lanes, |cx, lane| {
            let offsets = cx.ints(inst, 1..1 + rank, lane)?;
            let sizes = extents(cx, inst, 1 + rank..1 + 2 * rank, lane)?;
            let strides = cx.ints(inst, 1 + 2 * rank..1 + 3 * rank, lane)?;
            let array = cx.array(inst, 0, lane)?;
            let part = made(array, sizes, |index| {
                let at: Option<Vec<i64>> = (0..rank)
                    .map(|dim| strides[dim].checked_mul(index[dim] as i64)?.checked_add(offsets[dim]))
                    .collect();
                array.at(&at?)
            });
            part.ok_or_else(|| out_of_range(cx, inst, array))
        })
    }
}

/// All arrays one after the other; `None` where their rows differ.
fn joined(arrays: &[Rc<ArrayValue>]) -> Option<ArrayValue> {
    let first = arrays.first()?;
    let rows = first.shape().get(1..)?;
    let mut elements = Elements::with_capacity(first.elem(), arrays.iter().map(|array| array.len()).sum());
    let mut outer = 0;
    for array in arrays {
        if array.shape().get(1..)? != rows {
            return None;
        }
        let (source, offset) = array.storage();
        elements.extend(source, offset..offset + array.len())?;
        outer += array.shape().first()?;
    }
    let shape = std::iter::once(outer).chain(rows.iter().copied()).collect();
    ArrayValue::new(first.elem(), shape, elements)
}

impl Eval for ConcatOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        each(cx, inst, lanes, |cx, lane| {
            let mut arrays = Vec::new();
            for index in 0..inst.operands.len() {
                arrays.push(cx.array(inst, index, lane)?.clone());
            }
            joined(&arrays).ok_or_else(|| cx.error(inst, "joins arrays whose rows have different shapes"))
        })
    }
}

impl Eval for PadOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let rank = (inst.operands.len() - 2) / 2;
        each(cx, inst, lanes, |cx, lane| {
            let low = extents(cx, inst, 2..2 + rank, lane)?;
            let high = extents(cx, inst, 2 + rank..2 + 2 * rank, lane)?;
            let array = cx.array(inst, 0, lane)?;
            let value = cx.operand(inst, 1, lane);
            let shape: Vec<usize> =
                array.shape().iter().zip(low.iter().zip(&high)).map(|(n, (l, h))| n + l + h).collect();
            cx.check(inst, cx.check_allocation(element_count(&shape)))?;
            let padded = made(array, shape, |index| {
                let at: Vec<i64> = index.iter().zip(&low).map(|(&i, &l)| i as i64 - l as i64).collect();
                Some(array.at(&at).unwrap_or_else(|| value.clone()))
            });
            padded.ok_or_else(|| cx.error(inst, "cannot hold the padding"))
        })
    }
}

impl Eval for UpdateOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        each(cx, inst, lanes, |cx, lane| {
            let indices = cx.ints(inst, 2..inst.operands.len(), lane)?;
            let array = cx.array(inst, 1, lane)?;
            array.replaced(&indices, cx.operand(inst, 0, lane)).ok_or_else(|| {
                let shape = array.shape();
                cx.error(inst, format!("cannot update at {:?} an array of shape {shape:?}", &indices[..]))
            })
        })
    }
}

impl Eval for GatherOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        each(cx, inst, lanes, |cx, lane| {
            let (array, indices) = (cx.array(inst, 0, lane)?, cx.array(inst, 1, lane)?);
            let mut shape = array.shape().to_vec();
            shape[0] = indices.len();
            let gathered = made(array, shape, |index| {
                let mut at: Vec<i64> = index.iter().map(|&index| index as i64).collect();
                at[0] = indices.get(index[0])?.as_int()?;
                array.at(&at)
            });
            gathered.ok_or_else(|| out_of_range(cx, inst, array))
        })
    }
}

impl Eval for FromTensorOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        each(cx, inst, lanes, |cx, lane| Ok((**cx.array(inst, 0, lane)?).clone()))
    }
}
