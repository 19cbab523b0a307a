//! Execution of scatter and hist: the body as one batch with a lane per element, then one change after another.

use super::{HistOp, ScatterOp};
use crate::eval::{inputs, run_rows};
use segra_interp::{
    ArrayBuilder, ArrayUpdate, Cx, Datum, Elem, Eval, EvalError, EvalResult, Fault, Flow, Inst,
    Lanes, Prepare, Prepared, RegionKind,
};
use segra_ir::{Ir, Op};

/// Numbers of input arrays and of destinations.
struct Counts {
    arrays: usize,
    destinations: usize,
}

fn prepare_counts(p: &Prepare<'_>) -> Prepared {
    let count = |group| p.ir.operand_group(p.op, group).len();
    Prepared::other(Counts {
        arrays: count(0),
        destinations: count(1),
    })
}

/// The values the body yields for every element: a column per yielded value, and the number of elements.
fn run_body(
    cx: &mut Cx<'_>,
    inst: &Inst,
    lane: usize,
    counts: &Counts,
) -> Result<(Vec<segra_interp::ArrayValue>, usize), EvalError> {
    let (arrays, count) = inputs(cx, inst, counts.arrays, lane)?;
    let ir = cx.ir();
    let block = ir.entry_block(ir.region(inst.op, 0));
    let yields = block
        .and_then(|block| ir.last_op(block))
        .map(|last| ir.operands(last).collect::<Vec<_>>());
    let mut builders = Vec::new();
    for value in yields.unwrap_or_default() {
        let (_, element) = crate::types::sizes_and_element(ir.ctx(), ir.value_type(value));
        let elem = Elem::of(ir.ctx(), element);
        let elem = elem.ok_or_else(|| cx.error(inst, "has values the interpreter cannot hold"))?;
        builders.push(ArrayBuilder::new(elem, count));
    }
    run_rows(cx, inst, lane, (&arrays, count), |index, _, column| {
        column
            .iter()
            .try_for_each(|value| builders[index].push(value))
    })?;
    Ok((
        builders.into_iter().map(ArrayBuilder::finish).collect(),
        count,
    ))
}

/// Runs the body, and `change` for every element whose indices are in range: copies of the destinations, position,
/// values. The copies become the results.
fn update(
    cx: &mut Cx<'_>,
    inst: &Inst,
    lanes: &Lanes,
    mut change: impl FnMut(
        &mut Cx<'_>,
        usize,
        &mut [ArrayUpdate],
        usize,
        Vec<Datum>,
    ) -> Result<(), EvalError>,
) -> EvalResult {
    let counts = inst
        .data::<Counts>()
        .ok_or_else(|| cx.error(inst, "was not prepared"))?;
    for lane in lanes.iter() {
        let (columns, count) = run_body(cx, inst, lane, counts)?;
        let outer = columns.len() - counts.destinations;
        let mut copies = Vec::new();
        for index in 0..counts.destinations {
            let array = cx.array(inst, counts.arrays + index, lane)?;
            let copy = ArrayUpdate::new(array, outer);
            copies.push(
                copy.ok_or_else(|| cx.error(inst, "has too many indices for a destination"))?,
            );
        }
        for at in 0..count {
            let row: Option<Vec<Datum>> = columns.iter().map(|column| column.row(at)).collect();
            let mut row = row.ok_or_else(|| cx.error(inst, "has too few values"))?;
            let values = row.split_off(outer);
            let indices: Vec<i64> = row.iter().filter_map(Datum::as_int).collect();
            if let Some(position) = copies.first().and_then(|copy| copy.position(&indices)) {
                change(cx, lane, &mut copies, position, values)?;
            }
        }
        ArrayUpdate::finish_all(copies, cx, inst, lane)?;
    }
    Ok(Flow::Next)
}

impl Eval for ScatterOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        update(cx, inst, lanes, |cx, _, copies, position, values| {
            ArrayUpdate::set_all(copies, cx, inst, position, &values)
        })
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        Ok(prepare_counts(p))
    }
    fn region_kind(&self, _: &Ir, _: Op, _: usize) -> RegionKind {
        RegionKind::Batch
    }
}

impl Eval for HistOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        update(cx, inst, lanes, |cx, lane, copies, position, values| {
            ArrayUpdate::combine_all(copies, cx, inst, lane, position, values)
        })
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        Ok(prepare_counts(p))
    }
    fn region_kind(&self, _: &Ir, _: Op, index: usize) -> RegionKind {
        if index == 0 {
            RegionKind::Batch
        } else {
            RegionKind::Inline
        }
    }
}
