//! Execution of the combinators: a map runs its body as one batch with a lane per element; reductions and scans go
//! element by element in order, all active lanes together.

use super::result_type;
use super::sizes::{Extent, at_run_time, row_extents};
use crate::combinator::Soac;
use crate::soac::{MapOp, RedomapOp, ReduceOp, ScanOp, ScanomapOp, YieldOp};
use crate::types::sizes_and_element;
use segra_interp::code::{RegionCode, yield_operands};
use segra_interp::{
    ArrayBuilder, ArrayValue, Column, Cx, Datum, Elem, Eval, EvalError, EvalResult, Fault, Flow,
    Inst, Lanes, Parents, Prepare, Prepared, RegionKind, Slot,
};
use segra_ir::{Ir, Op, OpView, Type, Value};
use std::ops::Range;
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
            let message = crate::stops::other_outer_size(index);
            Err(super::stopped(
                cx,
                inst,
                &message,
                &[count as i64, other as i64],
            ))
        }
    }
}

/// The facts about a combinator before it runs.
struct Shape {
    /// How many of the operands are input arrays.
    arrays: usize,
    /// How many of the operands behind them are start values.
    start: usize,
    /// Extents of the rows of each result.
    rows: Vec<Vec<Extent>>,
}

/// The same with the values whose dimensions the extents are, beside the inputs.
fn extents_of(ir: &Ir, op: Op) -> (Shape, Vec<Value>) {
    let inputs: Vec<Value> = ir
        .operand_group(op, 0)
        .map(|index| ir.operand(op, index))
        .collect();
    let types: Vec<Type> = ir.results(op).map(|value| ir.value_type(value)).collect();
    let (rows, uses) = row_extents(ir, op, &inputs, &types);
    let start = Soac::of(ir, op).map_or(0, |soac| soac.start.len());
    (
        Shape {
            arrays: inputs.len(),
            start,
            rows,
        },
        uses,
    )
}

/// Runs a combinator's body over the rows of its inputs, a lane for each of `count`; `store` takes what it yields.
pub(crate) fn run_rows(
    cx: &mut Cx<'_>,
    inst: &Inst,
    lane: usize,
    (arrays, count): (&[Rc<ArrayValue>], usize),
    store: impl FnMut(usize, Range<usize>, Column<'_>) -> Result<(), Fault>,
) -> Result<(), EvalError> {
    let load = |arg: usize, range: Range<usize>, values: &mut [Datum]| {
        for (value, at) in values.iter_mut().zip(range) {
            *value = arrays[arg]
                .row(at)
                .ok_or_else(|| Fault::new("an input ends early"))?;
        }
        Ok(())
    };
    cx.run_batch(
        inst,
        &inst.regions[0],
        count,
        Parents::One(lane),
        load,
        store,
    )
}

fn shape<'i>(cx: &Cx<'_>, inst: &'i Inst) -> Result<&'i Shape, EvalError> {
    inst.data::<Shape>()
        .ok_or_else(|| cx.error(inst, "was not prepared"))
}

/// Builders of the results from the `first`-th on in one lane.
fn builders(
    cx: &Cx<'_>,
    inst: &Inst,
    first: usize,
    (arrays, count): (&[Rc<ArrayValue>], usize),
    lane: usize,
) -> Result<Vec<ArrayBuilder>, EvalError> {
    let (ir, shape) = (cx.ir(), shape(cx, inst)?);
    let mut builders = Vec::new();
    for index in first..inst.results.len() {
        let (_, element) = sizes_and_element(ir.ctx(), result_type(ir, inst.op, index));
        let elem = Elem::of(ir.ctx(), element);
        let elem =
            elem.ok_or_else(|| cx.error(inst, "has elements the interpreter cannot hold"))?;
        let new = ArrayBuilder::new(elem, count);
        // Rows that do come say their shape themselves.
        builders.push(match count {
            0 => new.with_row_shape(at_run_time(cx, inst, &shape.rows[index], arrays, lane)),
            _ => new,
        });
    }
    Ok(builders)
}

impl Eval for MapOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let count = shape(cx, inst)?.arrays;
        let mut all = Vec::new();
        for lane in lanes.iter() {
            let (arrays, count) = inputs(cx, inst, count, lane)?;
            let mut builders = builders(cx, inst, 0, (&arrays, count), lane)?;
            run_rows(cx, inst, lane, (&arrays, count), |index, _, column| {
                column
                    .iter()
                    .try_for_each(|value| builders[index].push(value))
            })?;
            all.push((lane, builders));
        }
        finish(cx, inst, all, 0);
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        Ok(Prepared::other(extents_of(p.ir, p.op).0))
    }
    fn uses(&self, ir: &Ir, op: Op) -> Vec<Value> {
        extents_of(ir, op).1
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

/// The elements of a reduction or scan, by lane.
struct Traversal {
    lanes: Vec<(usize, Vec<Rc<ArrayValue>>, usize)>,
    longest: usize,
}

fn traversal(cx: &Cx<'_>, inst: &Inst, lanes: &Lanes) -> Result<Traversal, EvalError> {
    let count = shape(cx, inst)?.arrays;
    let mut rows = Vec::new();
    for lane in lanes.iter() {
        let (arrays, count) = inputs(cx, inst, count, lane)?;
        rows.push((lane, arrays, count));
    }
    let longest = rows.iter().map(|row| row.2).max().unwrap_or(0);
    Ok(Traversal {
        lanes: rows,
        longest,
    })
}

impl Traversal {
    /// Sets region arguments from number `first` on to the elements at `at`; the lanes that have one.
    fn load(
        &self,
        cx: &mut Cx<'_>,
        inst: &Inst,
        region: &RegionCode,
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
                let element = array
                    .row(at)
                    .ok_or_else(|| cx.error(inst, "an input ends early"))?;
                cx.set_arg(region, first + index, *lane, element);
            }
        }
        Ok(Lanes::Some(active))
    }
}

/// Slots of the start values.
fn start<'i>(cx: &Cx<'_>, inst: &'i Inst) -> Result<&'i [Slot], EvalError> {
    let shape = shape(cx, inst)?;
    Ok(&inst.operands[shape.arrays..][..shape.start])
}

/// Appends what `slots` hold to each lane's builders, in the lanes that have an element at `at`.
fn push_rows<'s>(
    cx: &Cx<'_>,
    inst: &Inst,
    slots: impl Iterator<Item = &'s Slot> + Clone,
    builders: &mut [(usize, Vec<ArrayBuilder>)],
    traversal: &Traversal,
    at: usize,
) -> Result<(), EvalError> {
    for ((lane, builders), (_, _, count)) in builders.iter_mut().zip(&traversal.lanes) {
        if at < *count {
            for (builder, &slot) in builders.iter_mut().zip(slots.clone()) {
                let pushed = builder.push(cx.get(slot, *lane));
                cx.check(inst, pushed)?;
            }
        }
    }
    Ok(())
}

/// The results of a combination.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    /// The combination of all elements.
    Whole,
    /// After every element what was combined so far.
    Prefixes,
    /// Before every element what was combined so far.
    PrefixesBefore,
}

/// A reduction or scan of what `body` gives for each element (without one: of the elements); what the body gives beyond
/// that becomes arrays.
fn combine(cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes, keep: Keep) -> EvalResult {
    let traversal = traversal(cx, inst, lanes)?;
    let (body, combine) = match inst.regions.as_slice() {
        [combine] => (None, combine),
        [body, combine] => (Some(body), combine),
        _ => return Err(cx.error(inst, "has no operator")),
    };
    let start = start(cx, inst)?;
    let count = start.len();
    let first = if keep == Keep::Whole { count } else { 0 };
    let mut stored = Vec::new();
    for (lane, arrays, length) in &traversal.lanes {
        stored.push((*lane, builders(cx, inst, first, (arrays, *length), *lane)?));
    }
    // The accumulators live in the result slots until the arrays take their place.
    let accumulators = &inst.results[..count];
    cx.copy(start, accumulators, lanes);
    for at in 0..traversal.longest {
        let active = match body {
            None => traversal.load(cx, inst, combine, count, at)?,
            Some(body) => {
                let active = traversal.load(cx, inst, body, 0, at)?;
                cx.run_region(body, &active)?;
                cx.copy(&body.yields[..count], &combine.args()[count..], &active);
                active
            }
        };
        let beside = body.map_or(&[][..], |body| &body.yields[count..]);
        match keep {
            Keep::Whole => push_rows(cx, inst, beside.iter(), &mut stored, &traversal, at)?,
            Keep::PrefixesBefore => push_rows(
                cx,
                inst,
                accumulators.iter().chain(beside),
                &mut stored,
                &traversal,
                at,
            )?,
            Keep::Prefixes => {}
        }
        cx.copy(accumulators, &combine.args()[..count], &active);
        cx.run_region(combine, &active)?;
        cx.copy(&combine.yields, accumulators, &active);
        if keep == Keep::Prefixes {
            push_rows(
                cx,
                inst,
                accumulators.iter().chain(beside),
                &mut stored,
                &traversal,
                at,
            )?;
        }
    }
    finish(cx, inst, stored, first);
    Ok(Flow::Next)
}

macro_rules! combinations {
    ($($op:ty => $keep:expr),*) => {$(
        impl Eval for $op {
            fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
                let keep: fn(&Ir, Op) -> Keep = $keep;
                combine(cx, inst, lanes, keep(cx.ir(), inst.op))
            }
            fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
                Ok(Prepared::other(extents_of(p.ir, p.op).0))
            }
            fn uses(&self, ir: &Ir, op: Op) -> Vec<Value> {
                extents_of(ir, op).1
            }
        }
    )*};
}
combinations!(
    ReduceOp => |_, _| Keep::Whole,
    RedomapOp => |_, _| Keep::Whole,
    ScanOp => |ir, op| prefixes(ScanOp::from_op(op).exclusive_attr(ir).is_some()),
    ScanomapOp => |ir, op| prefixes(ScanomapOp::from_op(op).exclusive_attr(ir).is_some())
);

fn prefixes(exclusive: bool) -> Keep {
    if exclusive {
        Keep::PrefixesBefore
    } else {
        Keep::Prefixes
    }
}
