//! Execution of the kernel dialect by the reference interpreter: bodies run as batches with a lane per point,
//! operators in the order of the elements.

use crate::segop::{ReturnOp, SegMapOp, SegRedOp, SegScanOp};
use crate::update::{ScatterOp, SegHistOp, segment_dims};
use segra_interp::array::element_count;
use segra_interp::code::yield_operands;
use segra_interp::{
    ArrayBuilder, ArrayUpdate, ArrayValue, Cx, Datum, Elem, Eval, EvalError, EvalResult, Fault,
    Flow, Inst, Lanes, Parents, Prepare, Prepared, RegionKind, Slot,
};
use segra_ir::types::DYNAMIC;
use segra_ir::{Ir, Op, OpView};
use std::collections::HashSet;

impl Eval for ReturnOp {
    fn eval(&self, _: &mut Cx<'_>, _: &Inst, _: &Lanes) -> EvalResult {
        yield_operands()
    }
}

/// Number of extents among the operands.
fn prepare_sizes(p: &Prepare<'_>) -> Prepared {
    Prepared::Word(p.ir.operand_group(p.op, 0).len() as i64)
}

/// The extents of the space in one lane.
fn space(cx: &Cx<'_>, inst: &Inst, count: usize, lane: usize) -> Result<Vec<usize>, EvalError> {
    let mut sizes = Vec::new();
    for index in 0..count {
        let extent = cx.int(inst, index, lane)?;
        sizes.push(
            usize::try_from(extent)
                .map_err(|_| cx.error(inst, format!("a size cannot be {extent}")))?,
        );
    }
    let points = element_count(&sizes);
    cx.check(inst, cx.check_allocation(points))?;
    Ok(sizes)
}

/// The values the body returns at every point of the space, one array of shape `[points] ++ row` per value.
fn run_body(
    cx: &mut Cx<'_>,
    inst: &Inst,
    sizes: &[usize],
    lane: usize,
) -> Result<Vec<ArrayValue>, EvalError> {
    let points = element_count(sizes).unwrap_or(0);
    let body = &inst.regions[0];
    let mut builders = Vec::new();
    for (elem, row) in returned(cx, inst)? {
        let new = ArrayBuilder::new(elem, points);
        builders.push(if points == 0 {
            new.with_row_shape(row)
        } else {
            new
        });
    }
    cx.run_batch(
        inst,
        body,
        points,
        Parents::One(lane),
        |arg, range, values| {
            let inner: usize = sizes[arg + 1..].iter().product();
            for (value, at) in values.iter_mut().zip(range) {
                *value = Datum::Int((at / inner % sizes[arg]) as i64);
            }
            Ok(())
        },
        |index, _, column| {
            column
                .iter()
                .try_for_each(|value| builders[index].push(value))
        },
    )?;
    Ok(builders.into_iter().map(ArrayBuilder::finish).collect())
}

/// Element format and row shape (0 where only run time tells) of each value the body returns.
fn returned(cx: &Cx<'_>, inst: &Inst) -> Result<Vec<(Elem, Vec<usize>)>, EvalError> {
    let ir = cx.ir();
    let ctx = ir.ctx();
    let block = ir.entry_block(ir.region(inst.op, 0));
    let Some(last) = block.and_then(|block| ir.last_op(block)) else {
        return Ok(Vec::new());
    };
    let mut formats = Vec::new();
    for value in ir.operands(last) {
        let ty = ir.value_type(value);
        let (shape, element) = ty.shaped(ctx).unwrap_or((&[], ty));
        let elem = Elem::of(ctx, element)
            .ok_or_else(|| cx.error(inst, "has values the interpreter cannot hold"))?;
        let extent = |&extent: &i64| {
            if extent == DYNAMIC {
                0
            } else {
                usize::try_from(extent).unwrap_or(0)
            }
        };
        formats.push((elem, shape.iter().map(extent).collect()));
    }
    Ok(formats)
}

/// An array over points seen over the space.
fn over(
    cx: &Cx<'_>,
    inst: &Inst,
    points: &ArrayValue,
    sizes: &[usize],
) -> Result<Datum, EvalError> {
    let mut shape = sizes.to_vec();
    shape.extend(points.shape().iter().skip(1));
    if shape.is_empty() {
        return points.get(0).ok_or_else(|| cx.error(inst, "has no point"));
    }
    let array = points
        .reshaped(shape)
        .ok_or_else(|| cx.error(inst, "made arrays of the wrong size"))?;
    Ok(Datum::array(array))
}

impl Eval for SegMapOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let sizes = space(cx, inst, inst.word() as usize, lane)?;
            let values = run_body(cx, inst, &sizes, lane)?;
            for (index, points) in values.iter().enumerate() {
                let value = over(cx, inst, points, &sizes)?;
                cx.set_result(inst, index, lane, value);
            }
        }
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        Ok(prepare_sizes(p))
    }
    fn region_kind(&self, _: &Ir, _: Op, _: usize) -> RegionKind {
        RegionKind::Batch
    }
}

/// Slots of the neutral elements.
fn neutral(inst: &Inst) -> &[Slot] {
    &inst.operands[inst.word() as usize..]
}

/// Combines the points of each segment in order; `store` sees the accumulators before and after every
/// element and at the end.
fn combine_segments(
    cx: &mut Cx<'_>,
    inst: &Inst,
    lane: usize,
    (segments, length): (usize, usize),
    values: &[ArrayValue],
    mut store: impl FnMut(&Cx<'_>, Step) -> Result<(), EvalError>,
) -> Result<(), EvalError> {
    let combine = &inst.regions[1];
    let count = neutral(inst).len();
    let one = Lanes::Some(vec![lane as u32]);
    // The accumulators live in the result slots until the results take their place.
    let accumulators = &inst.results[..count];
    for segment in 0..segments {
        cx.copy(neutral(inst), accumulators, &one);
        for at in 0..length {
            store(cx, Step::Before)?;
            for (index, points) in values.iter().take(count).enumerate() {
                let value = points
                    .row(segment * length + at)
                    .ok_or_else(|| cx.error(inst, "has too few points"))?;
                cx.set_arg(combine, count + index, lane, value);
            }
            cx.copy(accumulators, &combine.args()[..count], &one);
            cx.run_region(combine, &one)?;
            cx.copy(&combine.yields, accumulators, &one);
            store(cx, Step::Element)?;
        }
        store(cx, Step::Segment)?;
    }
    Ok(())
}

/// Where a combination stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Before each element.
    Before,
    Element,
    Segment,
}

/// Body, then operator; `keep` says whether every prefix is a result or only the whole segment.
fn combine(cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes, keep: Step) -> EvalResult {
    let count = neutral(inst).len();
    for lane in lanes.iter() {
        let sizes = space(cx, inst, inst.word() as usize, lane)?;
        let values = run_body(cx, inst, &sizes, lane)?;
        let Some((&length, outer)) = sizes.split_last() else {
            return Err(cx.error(inst, "has no dimension to combine along"));
        };
        let segments = element_count(outer).unwrap_or(0);
        let mut builders: Vec<ArrayBuilder> = values[..count]
            .iter()
            .map(|points| ArrayBuilder::new(points.elem(), segments))
            .collect();
        combine_segments(cx, inst, lane, (segments, length), &values, |cx, step| {
            if step == keep {
                for (builder, &slot) in builders.iter_mut().zip(&inst.results) {
                    let pushed = builder.push(cx.get(slot, lane));
                    cx.check(inst, pushed)?;
                }
            }
            Ok(())
        })?;
        let shape = if keep == Step::Segment {
            outer
        } else {
            &sizes[..]
        };
        for (index, builder) in builders.into_iter().enumerate() {
            let value = over(cx, inst, &builder.finish(), shape)?;
            cx.set_result(inst, index, lane, value);
        }
        for (index, points) in values.iter().enumerate().skip(count) {
            let value = over(cx, inst, points, &sizes)?;
            cx.set_result(inst, index, lane, value);
        }
    }
    Ok(Flow::Next)
}

fn body_is_batch(index: usize) -> RegionKind {
    if index == 0 {
        RegionKind::Batch
    } else {
        RegionKind::Inline
    }
}

impl Eval for SegRedOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        combine(cx, inst, lanes, Step::Segment)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        Ok(prepare_sizes(p))
    }
    fn region_kind(&self, _: &Ir, _: Op, index: usize) -> RegionKind {
        body_is_batch(index)
    }
}

impl Eval for SegScanOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let exclusive = SegScanOp::from_op(inst.op)
            .exclusive_attr(cx.ir())
            .is_some();
        combine(
            cx,
            inst,
            lanes,
            if exclusive {
                Step::Before
            } else {
                Step::Element
            },
        )
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        Ok(prepare_sizes(p))
    }
    fn region_kind(&self, _: &Ir, _: Op, index: usize) -> RegionKind {
        body_is_batch(index)
    }
}

/// Numbers of extents and of destinations.
struct Counts {
    sizes: usize,
    /// Dimensions of the space that are segments.
    segments: usize,
    /// Whether no point gives an index out of range, or one of another point.
    distinct: bool,
    destinations: usize,
}

fn prepare_update(p: &Prepare<'_>) -> Prepared {
    let count = |group| p.ir.operand_group(p.op, group).len();
    Prepared::other(Counts {
        sizes: count(0),
        segments: segment_dims(p.ir, p.op),
        distinct: p.attr("distinct").is_some(),
        destinations: count(1),
    })
}

/// Runs the body, and `change` for every point whose indices are in range, in order: copies of the destinations,
/// position, values. The copies become the results.
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
        let sizes = space(cx, inst, counts.sizes, lane)?;
        let columns = run_body(cx, inst, &sizes, lane)?;
        let (Some((outer, points)), Some(inner)) = (
            sizes.split_at_checked(counts.segments),
            columns.len().checked_sub(counts.destinations),
        ) else {
            return Err(cx.error(inst, "needs a dimension and indices"));
        };
        let length = element_count(points).unwrap_or(0);
        let mut taken = HashSet::new();
        let mut copies = Vec::new();
        for index in 0..counts.destinations {
            let array = cx.array(inst, counts.sizes + index, lane)?;
            let fits = array.shape().starts_with(outer);
            let copy = ArrayUpdate::new(array, outer.len() + inner).filter(|_| fits);
            copies.push(copy.ok_or_else(|| cx.error(inst, "has a destination of another shape"))?);
        }
        for at in 0..element_count(&sizes).unwrap_or(0) {
            let row: Option<Vec<Datum>> = columns.iter().map(|column| column.row(at)).collect();
            let mut row = row.ok_or_else(|| cx.error(inst, "has too few values"))?;
            let values = row.split_off(inner);
            let mut indices = Vec::new();
            let mut segment = at / length;
            for &extent in outer.iter().rev() {
                indices.insert(0, (segment % extent) as i64);
                segment /= extent;
            }
            indices.extend(row.iter().filter_map(Datum::as_int));
            let position = copies.first().and_then(|copy| copy.position(&indices));
            if counts.distinct && !position.is_some_and(|position| taken.insert(position)) {
                let message =
                    format!("is distinct, but index {indices:?} is out of range or taken");
                return Err(cx.error(inst, message));
            }
            if let Some(position) = position {
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
        Ok(prepare_update(p))
    }
    fn region_kind(&self, _: &Ir, _: Op, _: usize) -> RegionKind {
        RegionKind::Batch
    }
}

impl Eval for SegHistOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        update(cx, inst, lanes, |cx, lane, copies, position, values| {
            ArrayUpdate::combine_all(copies, cx, inst, lane, position, values)
        })
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        Ok(prepare_update(p))
    }
    fn region_kind(&self, _: &Ir, _: Op, index: usize) -> RegionKind {
        body_is_batch(index)
    }
}
