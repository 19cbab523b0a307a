//! Execution of stencil and near: the body as one batch with a lane per index, after the functions of what is outside.

use super::{NearOp, Neighbours, StencilOp};
use crate::eval::sizes::{self, Extent};
use crate::eval::{extent, index_error, prepare_element, stopped};
use crate::types::sizes_and_element;
use segra_interp::array::element_count;
use segra_interp::{
    ArrayBuilder, ArrayValue, Cx, Datum, Elem, Eval, EvalError, EvalResult, Fault, Flow, Inst,
    Lanes, Parents, Prepare, Prepared, RegionKind,
};
use segra_ir::{Ir, Op, OpView, Value};
use segra_std::boundary::Boundary;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// The facts about a stencil before it runs.
struct Facts {
    inputs: Vec<Neighbours>,
    results: Vec<Elem>,
    rank: usize,
    /// Whether the results have extents of their own.
    sized: bool,
    claims: Vec<Extent>,
}

/// One lane's arrays.
struct Frame<'f> {
    facts: &'f Facts,
    arrays: Vec<Rc<ArrayValue>>,
    /// Extents of the results.
    space: Vec<usize>,
    /// Elements outside, by number of the body's argument and of the index.
    outside: BTreeMap<(usize, usize), Datum>,
}

impl Facts {
    fn of(ir: &Ir, op: Op) -> Result<Facts, Fault> {
        let stencil = StencilOp::from_op(op);
        let results: Option<Vec<Elem>> = ir
            .results(op)
            .map(|result| {
                let (_, element) = sizes_and_element(ir.ctx(), ir.value_type(result));
                Elem::of(ir.ctx(), element)
            })
            .collect();
        let sized = !stencil.sizes(ir).is_empty();
        let claimed = sized && ir.num_results(op) > 0;
        Ok(Facts {
            inputs: stencil.inputs(ir),
            results: results
                .ok_or_else(|| Fault::new("has elements the interpreter cannot hold"))?,
            rank: stencil.rank(ir),
            sized,
            claims: match claimed {
                true => sizes::claims(ir, op).0,
                false => Vec::new(),
            },
        })
    }

    /// The inputs' neighbours in the order of the body's arguments: number of the input, offset.
    fn neighbours(&self) -> impl Iterator<Item = (usize, &Vec<i64>)> {
        let inputs = self.inputs.iter().enumerate();
        inputs.flat_map(|(input, neighbours)| neighbours.offsets.iter().map(move |at| (input, at)))
    }
}

impl Frame<'_> {
    /// The indices of point number `number`, row-major.
    fn point(&self, number: usize) -> Vec<i64> {
        let mut rest = number;
        let mut index = vec![0; self.space.len()];
        for (at, &extent) in index.iter_mut().zip(&self.space).rev() {
            *at = (rest % extent) as i64;
            rest /= extent;
        }
        index
    }

    /// The element that stands for a neighbour of a point; else its indices.
    fn element(&self, input: usize, offset: &[i64], number: usize) -> Result<Datum, Vec<i64>> {
        let array = &self.arrays[input];
        let boundary = self.facts.inputs[input].boundary;
        let moved = self.point(number).into_iter().zip(offset);
        let index: Vec<i64> = moved.map(|(at, offset)| at + offset).collect();
        let places = index.iter().zip(array.shape());
        let found: Option<Vec<i64>> = places
            .map(|(&at, &extent)| boundary.resolve(at, extent as i64))
            .collect();
        found.and_then(|found| array.at(&found)).ok_or(index)
    }
}

/// The extents of the results in one lane; stops where inputs do not fit.
fn space(
    cx: &Cx<'_>,
    inst: &Inst,
    facts: &Facts,
    arrays: &[Rc<ArrayValue>],
    lane: usize,
) -> Result<Vec<usize>, EvalError> {
    let shape = |at: usize| arrays.get(at).map_or(&[][..], |array| array.shape());
    if !facts.sized {
        for at in 1..arrays.len() {
            for (dim, (&first, &other)) in shape(0).iter().zip(shape(at)).enumerate() {
                if first != other {
                    let message = crate::stops::other_extent(at, dim);
                    return Err(stopped(cx, inst, &message, &[first as i64, other as i64]));
                }
            }
        }
        return Ok(shape(0).to_vec());
    }
    let mut sizes = Vec::new();
    for dim in 0..facts.rank {
        sizes.push(extent(cx, inst, arrays.len() + dim, lane)?);
    }
    if !facts.claims.is_empty() {
        sizes::check_claims(cx, inst, &facts.claims, &sizes, lane)?;
    }
    if sizes.contains(&0) {
        return Ok(sizes);
    }
    for (at, input) in facts.inputs.iter().enumerate() {
        for dim in 0..facts.rank {
            let far = input
                .offsets
                .iter()
                .map(|offset| offset[dim])
                .max()
                .unwrap_or(0);
            let (size, extent) = (sizes[dim] as i64, shape(at)[dim] as i64);
            if far > extent || size > extent - far {
                let message = crate::stops::neighbours_outside(at, dim, far);
                return Err(stopped(cx, inst, &message, &[size, extent]));
            }
        }
    }
    Ok(sizes)
}

/// Computes the elements outside of inputs that have a function for them.
fn run_outside(
    cx: &mut Cx<'_>,
    inst: &Inst,
    lane: usize,
    frame: &mut Frame<'_>,
    count: usize,
) -> Result<(), EvalError> {
    let mut region = 0;
    for (input, neighbours) in frame.facts.inputs.iter().enumerate() {
        if neighbours.boundary != Boundary::Outside {
            continue;
        }
        region += 1;
        let mut places = Vec::new();
        for (argument, (of, offset)) in frame.facts.neighbours().enumerate() {
            if of != input {
                continue;
            }
            let far = (0..count).filter_map(|number| {
                let index = frame.element(input, offset, number).err()?;
                Some(((argument, number), index))
            });
            places.extend(far);
        }
        let mut values = Vec::with_capacity(places.len());
        cx.run_batch(
            inst,
            &inst.regions[region],
            places.len(),
            Parents::One(lane),
            |dim, range: Range<usize>, values: &mut [Datum]| {
                for (value, (_, index)) in values.iter_mut().zip(&places[range]) {
                    *value = Datum::Int(index[dim]);
                }
                Ok(())
            },
            |_, _, column| {
                values.extend(column.iter().cloned());
                Ok(())
            },
        )?;
        let keys = places.into_iter().map(|(key, _)| key);
        frame.outside.extend(keys.zip(values));
    }
    Ok(())
}

impl Eval for StencilOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let facts = inst
            .data::<Facts>()
            .ok_or_else(|| cx.error(inst, "was not prepared"))?;
        for lane in lanes.iter() {
            let mut arrays = Vec::new();
            for at in 0..facts.inputs.len() {
                arrays.push(cx.array(inst, at, lane)?.clone());
            }
            let space = space(cx, inst, facts, &arrays, lane)?;
            let count = cx.check(inst, cx.check_allocation(element_count(&space)))?;
            let mut frame = Frame {
                facts,
                arrays,
                space,
                outside: BTreeMap::new(),
            };
            run_outside(cx, inst, lane, &mut frame, count)?;
            let places: Vec<(usize, &Vec<i64>)> = facts.neighbours().collect();
            let mut builders: Vec<ArrayBuilder> = facts
                .results
                .iter()
                .map(|&elem| ArrayBuilder::new(elem, count))
                .collect();
            cx.run_batch(
                inst,
                &inst.regions[0],
                count,
                Parents::One(lane),
                |argument, range: Range<usize>, values: &mut [Datum]| {
                    let (input, offset) = places[argument];
                    for (value, number) in values.iter_mut().zip(range) {
                        *value = match frame.element(input, offset, number) {
                            Ok(element) => element,
                            Err(_) => frame
                                .outside
                                .get(&(argument, number))
                                .cloned()
                                .ok_or_else(|| Fault::new("an input ends early"))?,
                        };
                    }
                    Ok(())
                },
                |index, _, column| {
                    column
                        .iter()
                        .try_for_each(|value| builders[index].push(value))
                },
            )?;
            for (index, builder) in builders.into_iter().enumerate() {
                let elements = builder.with_row_shape(Vec::new()).finish();
                let shaped = elements.reshaped(frame.space.clone());
                let shaped = shaped.ok_or_else(|| cx.error(inst, "made too few elements"))?;
                cx.set_result(inst, index, lane, Datum::array(shaped));
            }
        }
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        Facts::of(p.ir, p.op).map(Prepared::other)
    }
    fn uses(&self, ir: &Ir, op: Op) -> Vec<Value> {
        let claimed = !StencilOp::from_op(op).sizes(ir).is_empty() && ir.num_results(op) > 0;
        match claimed {
            true => sizes::claims(ir, op).1,
            false => Vec::new(),
        }
    }
    fn region_kind(&self, _: &Ir, _: Op, _: usize) -> RegionKind {
        RegionKind::Batch
    }
}

/// Offsets and rule of a read.
struct Offset {
    offsets: Vec<i64>,
    boundary: Boundary,
}

impl Eval for NearOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let Offset { offsets, boundary } = inst
            .data::<Offset>()
            .ok_or_else(|| cx.error(inst, "was not prepared"))?;
        for lane in lanes.iter() {
            let rank = offsets.len();
            let indices = cx.ints(inst, 1..1 + rank, lane)?;
            let array = cx.array(inst, 0, lane)?;
            let shape = array.shape();
            let within = |(&at, &extent): (&i64, &usize)| (0..extent as i64).contains(&at);
            let named: Vec<i64> = match boundary {
                Boundary::Inside => indices
                    .iter()
                    .zip(offsets)
                    .map(|(at, by)| at.wrapping_add(*by))
                    .collect(),
                _ => indices.to_vec(),
            };
            if !named.iter().zip(shape).all(within) {
                return Err(index_error(cx, inst, 0, shape, &named));
            }
            let places = indices.iter().zip(offsets).zip(shape);
            let found: Option<Vec<i64>> = places
                .map(|((&at, &offset), &extent)| {
                    boundary.resolve(at.wrapping_add(offset), extent as i64)
                })
                .collect();
            let element = found.and_then(|found| array.at(&found));
            let element = element.unwrap_or_else(|| cx.operand(inst, 1 + rank, lane).clone());
            cx.set_result(inst, 0, lane, element);
        }
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        prepare_element(p)?;
        let near = NearOp::from_op(p.op);
        Ok(Prepared::other(Offset {
            offsets: near.offsets(p.ir),
            boundary: near.boundary(p.ir),
        }))
    }
}
