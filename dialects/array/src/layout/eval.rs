//! Execution of the layout ops: elements are read at computed positions.

use super::{ConcatOp, FromTensorOp, GatherOp, PadOp, ReshapeOp, ReverseOp, SliceOp, UpdateOp};
use crate::eval::sizes::{self, Extent, check_claims};
use crate::eval::{index_error, stopped};
use segra_interp::array::element_count;
use segra_interp::{
    ArrayValue, Cx, Datum, Elements, Eval, EvalError, EvalResult, Fault, Flow, Inst, Lanes,
    Prepare, Prepared,
};
use segra_ir::{Ir, Op, Value};
use std::rc::Rc;

/// Operands of a range as sizes.
fn sizes_of(
    cx: &Cx<'_>,
    inst: &Inst,
    range: std::ops::Range<usize>,
    lane: usize,
) -> Result<Vec<usize>, EvalError> {
    let values = cx.ints(inst, range, lane)?;
    let size = |&size: &i64| {
        usize::try_from(size).map_err(|_| stopped(cx, inst, crate::stops::negative_size(), &[size]))
    };
    values.iter().map(size).collect()
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
    cx.error(
        inst,
        format!("reaches outside an array of shape {:?}", array.shape()),
    )
}

/// The statement of an op's result type about its sizes.
fn claims(inst: &Inst) -> &[Extent] {
    inst.data::<Vec<Extent>>().map_or(&[], Vec::as_slice)
}

impl Eval for ReshapeOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        each(cx, inst, lanes, |cx, lane| {
            let shape = sizes_of(cx, inst, 1..inst.operands.len(), lane)?;
            let array = cx.array(inst, 0, lane)?;
            let reshaped = array.reshaped(shape).ok_or_else(|| {
                let message = crate::stops::other_count(cx.ir(), cx.ir().operand(inst.op, 0));
                stopped(cx, inst, &message, &[array.len() as i64])
            })?;
            check_claims(cx, inst, claims(inst), reshaped.shape(), lane)?;
            Ok(reshaped)
        })
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        Ok(Prepared::other(sizes::claims(p.ir, p.op).0))
    }
    fn uses(&self, ir: &Ir, op: Op) -> Vec<Value> {
        sizes::claims(ir, op).1
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
        dim.map(Prepared::Word)
            .ok_or_else(|| Fault::new("needs the attribute `dim`"))
    }
}

/// Whether a part of a dimension has its first and last element in it, or none.
fn fits((offset, size, stride): (i64, usize, i64), extent: usize) -> bool {
    let inside = |at: i64| usize::try_from(at).is_ok_and(|at| at < extent);
    let steps = i64::try_from(size)
        .ok()
        .and_then(|size| size.checked_sub(1));
    let last = steps.and_then(|steps| steps.checked_mul(stride)?.checked_add(offset));
    size == 0 || inside(offset) && last.is_some_and(inside)
}

impl Eval for SliceOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let rank = (inst.operands.len() - 1) / 3;
        each(cx, inst, lanes, |cx, lane| {
            let offsets = cx.ints(inst, 1..1 + rank, lane)?;
            let sizes = sizes_of(cx, inst, 1 + rank..1 + 2 * rank, lane)?;
            let strides = cx.ints(inst, 1 + 2 * rank..1 + 3 * rank, lane)?;
            let array = cx.array(inst, 0, lane)?;
            for dim in 0..rank {
                let part = (offsets[dim], sizes[dim], strides[dim]);
                if !fits(part, array.shape()[dim]) {
                    let message =
                        crate::stops::part_outside(cx.ir(), cx.ir().operand(inst.op, 0), dim);
                    let numbers = [offsets[dim], sizes[dim] as i64, array.shape()[dim] as i64];
                    return Err(stopped(cx, inst, &message, &numbers));
                }
            }
            check_claims(cx, inst, claims(inst), &sizes, lane)?;
            cx.check(inst, cx.check_allocation(element_count(&sizes)))?;
            let part = made(array, sizes, |index| {
                let at: Option<Vec<i64>> = (0..rank)
                    .map(|dim| {
                        strides[dim]
                            .checked_mul(index[dim] as i64)?
                            .checked_add(offsets[dim])
                    })
                    .collect();
                array.at(&at?)
            });
            part.ok_or_else(|| out_of_range(cx, inst, array))
        })
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        Ok(Prepared::other(sizes::claims(p.ir, p.op).0))
    }
    fn uses(&self, ir: &Ir, op: Op) -> Vec<Value> {
        sizes::claims(ir, op).1
    }
}

/// All arrays one after the other, their rows being of one shape.
fn joined(arrays: &[Rc<ArrayValue>]) -> Option<ArrayValue> {
    let first = arrays.first()?;
    let rows = first.shape().get(1..)?;
    let mut elements =
        Elements::with_capacity(first.elem(), arrays.iter().map(|array| array.len()).sum());
    let mut outer = 0;
    for array in arrays {
        let (source, offset) = array.storage();
        elements.extend(source, offset..offset + array.len())?;
        outer += array.shape().first()?;
    }
    let shape = std::iter::once(outer).chain(rows.iter().copied()).collect();
    ArrayValue::new(first.elem(), shape, elements)
}

/// The number of an array whose rows are of another shape than the first one's, and the dimension in which they are.
fn other_rows(arrays: &[Rc<ArrayValue>]) -> Option<(usize, usize)> {
    let first = arrays.first()?.shape();
    arrays.iter().enumerate().find_map(|(index, array)| {
        let differs = |&dim: &usize| array.shape().get(dim) != first.get(dim);
        Some((index, (1..first.len()).find(differs)?))
    })
}

impl Eval for ConcatOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        each(cx, inst, lanes, |cx, lane| {
            let mut arrays = Vec::new();
            for index in 0..inst.operands.len() {
                arrays.push(cx.array(inst, index, lane)?.clone());
            }
            if let Some((index, dim)) = other_rows(&arrays) {
                let message = crate::stops::other_rows(index, dim);
                let extents = [0, index].map(|array| arrays[array].shape()[dim] as i64);
                return Err(stopped(cx, inst, &message, &extents));
            }
            joined(&arrays).ok_or_else(|| cx.error(inst, "joins arrays of different ranks"))
        })
    }
}

impl Eval for PadOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let rank = (inst.operands.len() - 2) / 2;
        each(cx, inst, lanes, |cx, lane| {
            let low = sizes_of(cx, inst, 2..2 + rank, lane)?;
            let high = sizes_of(cx, inst, 2 + rank..2 + 2 * rank, lane)?;
            let array = cx.array(inst, 0, lane)?;
            let value = cx.operand(inst, 1, lane);
            let mut shape = Vec::new();
            for (dim, &extent) in array.shape().iter().enumerate() {
                let whole = extent
                    .checked_add(low[dim])
                    .and_then(|before| before.checked_add(high[dim]));
                shape.push(
                    whole
                        .filter(|&whole| i64::try_from(whole).is_ok())
                        .ok_or_else(|| {
                            let message = crate::stops::padded_too_far(
                                cx.ir(),
                                cx.ir().operand(inst.op, 0),
                                dim,
                            );
                            stopped(cx, inst, &message, &[low[dim] as i64, high[dim] as i64])
                        })?,
                );
            }
            cx.check(inst, cx.check_allocation(element_count(&shape)))?;
            let padded = made(array, shape, |index| {
                let at: Vec<i64> = index
                    .iter()
                    .zip(&low)
                    .map(|(&i, &l)| i as i64 - l as i64)
                    .collect();
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
            let (shape, value) = (array.shape(), cx.operand(inst, 0, lane));
            let rows = shape.get(indices.len()..).unwrap_or_default();
            let found = value.as_array().map_or(&[][..], |value| value.shape());
            let differs = found.iter().zip(rows).position(|(found, row)| found != row);
            if let Some(dim) = differs.filter(|_| array.at(&indices).is_some()) {
                let message = crate::stops::other_value(dim, indices.len() + dim);
                let extents = [found[dim] as i64, rows[dim] as i64];
                return Err(stopped(cx, inst, &message, &extents));
            }
            array
                .replaced(&indices, value)
                .ok_or_else(|| index_error(cx, inst, 1, shape, &indices))
        })
    }
}

impl Eval for GatherOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        each(cx, inst, lanes, |cx, lane| {
            let (array, indices) = (cx.array(inst, 0, lane)?, cx.array(inst, 1, lane)?);
            let mut shape = array.shape().to_vec();
            shape[0] = indices.len();
            // Also where rows have no elements.
            let rows: Option<Vec<i64>> = (0..indices.len())
                .map(|at| indices.get(at)?.as_int())
                .collect();
            let rows = rows.ok_or_else(|| cx.error(inst, "has indices that are no numbers"))?;
            let extent = array.shape()[0];
            let inside = |&index: &i64| usize::try_from(index).is_ok_and(|index| index < extent);
            if let Some(&outside) = rows.iter().find(|index| !inside(index)) {
                return Err(index_error(cx, inst, 0, array.shape(), &[outside]));
            }
            let gathered = made(array, shape, |index| {
                let mut at: Vec<i64> = index.iter().map(|&index| index as i64).collect();
                at[0] = *rows.get(index[0])?;
                array.at(&at)
            });
            gathered.ok_or_else(|| out_of_range(cx, inst, array))
        })
    }
}

impl Eval for FromTensorOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        each(cx, inst, lanes, |cx, lane| {
            Ok((**cx.array(inst, 0, lane)?).clone())
        })
    }
}
