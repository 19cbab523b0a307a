//! Execution of with-loops: which partition has an index is found first, then each body runs as one batch with a lane per
//! index of its own; a fold combines what all bodies give, in order.

use super::{Bound, Kind, Loop, Range, WithLoopOp, stops};
use crate::eval::sizes::{Extent, at_run_time, check_claims, claims, row_extents};
use crate::eval::{extent, stopped};
use crate::types::{Size, array_of, array_or_scalar, sizes_and_element};
use segra_interp::array::element_count;
use segra_interp::{
    ArrayBuilder, ArrayUpdate, Cx, Datum, Elem, Eval, EvalError, EvalResult, Fault, Flow, Inst,
    Lanes, Parents, Prepare, Prepared, RegionKind,
};
use segra_ir::{Ir, Op, OpView, Type, Value};

/// A number that is known, or an operand.
#[derive(Clone, Copy)]
enum Number {
    Known(i64),
    Operand(usize),
}

/// Facts about a with-loop before it runs.
struct Plan {
    kind: Kind,
    explicit: bool,
    rank: usize,
    /// Lower bounds, upper bounds, steps and widths by partition and dimension.
    spaces: Vec<Vec<[Number; 4]>>,
    shape: Vec<Number>,
    /// The first operand that is a default value, an array or a start value.
    init: usize,
    elems: Vec<Elem>,
    /// Sizes that the type of the first result names.
    claims: Vec<Extent>,
    /// Extents of the values at one index, by result.
    rows: Vec<Vec<Extent>>,
}

/// The elements of a with-loop's results, and the types of arrays of their values at one index each.
fn results(ir: &Ir, op: Op, rank: usize) -> Option<(Vec<Elem>, Vec<Type>)> {
    let ctx = ir.ctx();
    let mut elems = Vec::new();
    let mut rows: Vec<Type> = Vec::new();
    for result in ir.results(op) {
        let (sizes, element) = sizes_and_element(ctx, ir.value_type(result));
        elems.push(Elem::of(ctx, element)?);
        let row = sizes.get(rank..).unwrap_or_default();
        rows.push(array_of(
            ctx,
            Size::Unknown,
            array_or_scalar(ctx, row, element),
        ));
    }
    Some((elems, rows))
}

/// The same, and the values whose dimensions extents are.
fn plan(ir: &Ir, op: Op) -> Option<(Plan, Vec<Value>)> {
    let (with, parts) = (WithLoopOp::from_op(op), Loop::of(ir, op)?);
    let (mut dynamic, mut extents) = (0, with.dynamic(ir).len());
    let number = |bound: Bound, next: &mut usize| match bound {
        Bound::Constant(constant) => Number::Known(constant),
        Bound::Value(_) => {
            *next += 1;
            Number::Operand(*next - 1)
        }
    };
    let mut spaces = Vec::new();
    for partition in &parts.partitions {
        let mut space = vec![[Number::Known(0); 4]; parts.rank];
        // Operands are in the order of the parts, not of the dimensions.
        for part in 0..4 {
            for (range, numbers) in partition.space.iter().zip(&mut space) {
                numbers[part] = number(Range::bounds(range)[part], &mut dynamic);
            }
        }
        spaces.push(space);
    }
    let shape = parts.shape.iter().map(|&bound| number(bound, &mut extents));
    let shape = shape.collect();
    let (elems, rows) = results(ir, op, parts.rank)?;
    let init = with.dynamic(ir).len() + with.extents(ir).len();
    let (rows, mut uses) = row_extents(ir, op, &[], &rows);
    let claimed = match parts.kind {
        Kind::Genarray => claims(ir, op),
        Kind::Modarray | Kind::Fold => (Vec::new(), Vec::new()),
    };
    let first = uses.len();
    let moved = claimed
        .0
        .into_iter()
        .take(parts.rank)
        .map(|claim| match claim {
            Extent::Use(at, dim) => Extent::Use(first + at, dim),
            claim => claim,
        });
    uses.extend(claimed.1);
    let plan = Plan {
        kind: parts.kind,
        explicit: parts.explicit,
        rank: parts.rank,
        spaces,
        shape,
        init,
        elems,
        claims: moved.collect(),
        rows,
    };
    Some((plan, uses))
}

/// A range of the run.
type Numbers = [i64; 4];

/// The indices of a range: those that `at` counts are `index`.
fn indices(&[lower, upper, step, width]: &Numbers) -> Vec<i64> {
    let mut all = Vec::new();
    let mut first = lower;
    while first < upper {
        let end = first.saturating_add(width).min(upper);
        all.extend(first..end);
        first = first.saturating_add(step);
    }
    all
}

/// Calls `f` with the indices of a space, in row-major order.
fn each(space: &[Numbers], mut f: impl FnMut(&[i64])) {
    let dims: Vec<Vec<i64>> = space.iter().map(indices).collect();
    if dims.iter().any(Vec::is_empty) {
        return;
    }
    let mut at = vec![0; dims.len()];
    loop {
        let index: Vec<i64> = dims.iter().zip(&at).map(|(dim, &at)| dim[at]).collect();
        f(&index);
        let Some(dim) = (0..at.len())
            .rev()
            .find(|&dim| at[dim] + 1 < dims[dim].len())
        else {
            return;
        };
        at[dim] += 1;
        at[dim + 1..].fill(0);
    }
}

/// A with-loop in one lane.
struct Run<'c, 'a, 'i> {
    cx: &'c mut Cx<'a>,
    inst: &'i Inst,
    plan: &'i Plan,
    lane: usize,
}

impl Run<'_, '_, '_> {
    fn number(&self, number: Number) -> Result<i64, EvalError> {
        match number {
            Number::Known(number) => Ok(number),
            Number::Operand(at) => self.cx.int(self.inst, at, self.lane),
        }
    }

    fn shape(&self) -> Result<Vec<usize>, EvalError> {
        if self.plan.kind == Kind::Modarray {
            return self.old_shape();
        }
        let shape = self.plan.shape.iter().map(|&number| match number {
            Number::Known(known) => usize::try_from(known)
                .map_err(|_| stopped(self.cx, self.inst, crate::stops::negative_size(), &[known])),
            Number::Operand(at) => extent(self.cx, self.inst, at, self.lane),
        });
        shape.collect()
    }

    /// The indexed extents of the arrays that are changed.
    fn old_shape(&self) -> Result<Vec<usize>, EvalError> {
        let mut shape: Vec<usize> = Vec::new();
        for at in 0..self.inst.results.len() {
            let array = self.cx.array(self.inst, self.plan.init + at, self.lane)?;
            let own = &array.shape()[..self.plan.rank];
            if at == 0 {
                shape = own.to_vec();
            }
            if let Some(dim) = (0..own.len()).find(|&dim| own[dim] != shape[dim]) {
                let message = crate::stops::other_rows(at, dim);
                let numbers = [shape[dim] as i64, own[dim] as i64];
                return Err(stopped(self.cx, self.inst, &message, &numbers));
            }
        }
        Ok(shape)
    }

    /// Stops where elements cannot be counted.
    fn countable(&self, shape: &[usize]) -> Result<(), EvalError> {
        let values = self.inst.operands.len() - self.plan.init;
        let rows = (0..values).map(|at| {
            let value = self.cx.operand(self.inst, self.plan.init + at, self.lane);
            value.as_array().map_or(1, |row| row.len())
        });
        let row = rows.max().unwrap_or(1);
        let count =
            element_count(shape).and_then(|outer| i64::try_from(outer.checked_mul(row)?).ok());
        match count {
            Some(_) => Ok(()),
            None => Err(stopped(
                self.cx,
                self.inst,
                crate::stops::too_many_elements(),
                &[],
            )),
        }
    }

    /// The index spaces; `shape`: extents of the arrays, none for a fold.
    fn spaces(&self, shape: &[usize]) -> Result<Vec<Vec<Numbers>>, EvalError> {
        let mut spaces = Vec::new();
        for (partition, space) in self.plan.spaces.iter().enumerate() {
            let mut ranges = Vec::new();
            for (dim, numbers) in space.iter().enumerate() {
                let mut range = [0; 4];
                for (at, &number) in range.iter_mut().zip(numbers) {
                    *at = self.number(number)?;
                }
                let extent = shape.get(dim).map(|&extent| extent as i64);
                if let Some((message, numbers)) = wrong(range, extent) {
                    let message = stops::at(partition, dim, &message);
                    return Err(stopped(self.cx, self.inst, &message, &numbers));
                }
                ranges.push(range);
            }
            spaces.push(ranges);
        }
        Ok(spaces)
    }

    /// Runs the body of a partition at some indices; `store` takes the number of the value, that of the index, the value.
    fn body(
        &mut self,
        partition: usize,
        at: &[Vec<i64>],
        mut store: impl FnMut(usize, usize, &Datum),
    ) -> Result<(), EvalError> {
        let load = |arg: usize, range: std::ops::Range<usize>, values: &mut [Datum]| {
            for (value, index) in values.iter_mut().zip(&at[range]) {
                *value = Datum::Int(index[arg]);
            }
            Ok(())
        };
        let inst = self.inst;
        self.cx.run_batch(
            inst,
            &inst.regions[1 + partition],
            at.len(),
            Parents::One(self.lane),
            load,
            |value, range, column| {
                for (at, datum) in range.zip(column.iter()) {
                    store(value, at, datum);
                }
                Ok(())
            },
        )
    }

    /// The partition that has each position, counted from 1; 0: none.
    fn owners(&self, spaces: &[Vec<Numbers>], shape: &[usize]) -> Result<Vec<u32>, EvalError> {
        let count = self.cx.check_allocation(element_count(shape));
        let mut owners = vec![0u32; self.cx.check(self.inst, count)?];
        let mut twice = None;
        for (partition, space) in spaces.iter().enumerate() {
            each(space, |index| {
                let owner = &mut owners[position(index, shape)];
                if *owner != 0 && self.plan.explicit {
                    twice = Some(index.to_vec());
                }
                *owner = partition as u32 + 1;
            });
        }
        if let Some(index) = twice {
            let message = format!("is explicit, but two partitions have index {index:?}");
            return Err(self.cx.error(self.inst, message));
        }
        let complete = self.plan.explicit && self.plan.kind == Kind::Genarray;
        if complete && owners.contains(&0) {
            let message = "is explicit, but its partitions do not have all indices";
            return Err(self.cx.error(self.inst, message));
        }
        Ok(owners)
    }

    fn arrays(&mut self) -> Result<(), EvalError> {
        let shape = self.shape()?;
        if self.plan.kind == Kind::Genarray {
            check_claims(self.cx, self.inst, &self.plan.claims, &shape, self.lane)?;
            self.countable(&shape)?;
        }
        let spaces = self.spaces(&shape)?;
        let owners = self.owners(&spaces, &shape)?;
        let results = self.inst.results.len();
        let mut values: Vec<Vec<Datum>> = Vec::new();
        for result in 0..results {
            values.push(self.initial(result, owners.len())?);
        }
        for (partition, space) in spaces.iter().enumerate() {
            let mut own = Vec::new();
            each(space, |index| {
                if owners[position(index, &shape)] == partition as u32 + 1 {
                    own.push(index.to_vec());
                }
            });
            self.body(partition, &own, |value, at, datum| {
                values[value][position(&own[at], &shape)] = datum.clone();
            })?;
        }
        for (result, values) in values.into_iter().enumerate() {
            self.finish(result, &shape, &values)?;
        }
        Ok(())
    }

    /// The elements of a result before any body runs.
    fn initial(&self, result: usize, count: usize) -> Result<Vec<Datum>, EvalError> {
        let at = self.plan.init + result;
        match self.plan.kind {
            Kind::Modarray => {
                let array = self.cx.array(self.inst, at, self.lane)?;
                let old = ArrayUpdate::new(array, self.plan.rank);
                let old = old.ok_or_else(|| self.cx.error(self.inst, "has too small an array"))?;
                (0..count)
                    .map(|position| self.cx.check(self.inst, old.get(position)))
                    .collect()
            }
            // Every element is made by a body.
            _ if self.plan.explicit => Ok(vec![Datum::Int(0); count]),
            _ => Ok(vec![
                self.cx.operand(self.inst, at, self.lane).clone();
                count
            ]),
        }
    }

    fn finish(
        &mut self,
        result: usize,
        shape: &[usize],
        values: &[Datum],
    ) -> Result<(), EvalError> {
        let (plan, inst) = (self.plan, self.inst);
        let row = at_run_time(self.cx, inst, &plan.rows[result], &[], self.lane);
        let mut builder = ArrayBuilder::new(plan.elems[result], values.len());
        if values.is_empty() {
            builder = builder.with_row_shape(row);
        }
        for value in values {
            self.cx.check(inst, builder.push(value))?;
        }
        let made = builder.finish();
        let whole: Vec<usize> = shape.iter().chain(&made.shape()[1..]).copied().collect();
        let made = made.reshaped(whole);
        let made = made.ok_or_else(|| self.cx.error(inst, "made an array of the wrong size"))?;
        self.cx
            .set_result(inst, result, self.lane, Datum::array(made));
        Ok(())
    }

    fn fold(&mut self) -> Result<(), EvalError> {
        let (inst, lane) = (self.inst, self.lane);
        let spaces = self.spaces(&[])?;
        let width = inst.results.len();
        let mut sums: Vec<Datum> = (0..width)
            .map(|at| self.cx.operand(inst, self.plan.init + at, lane).clone())
            .collect();
        let combine = &inst.regions[0];
        for (partition, space) in spaces.iter().enumerate() {
            let mut own = Vec::new();
            each(space, |index| own.push(index.to_vec()));
            let mut values = vec![vec![Datum::Int(0); width]; own.len()];
            self.body(partition, &own, |value, at, datum| {
                values[at][value] = datum.clone();
            })?;
            for row in values {
                for (at, value) in sums.drain(..).chain(row).enumerate() {
                    self.cx.set_arg(combine, at, lane, value);
                }
                self.cx
                    .run_region(combine, &Lanes::Some(vec![lane as u32]))?;
                let yields = combine.yields.iter();
                sums.extend(yields.map(|&slot| self.cx.get(slot, lane).clone()));
            }
        }
        for (at, value) in sums.into_iter().enumerate() {
            self.cx.set_result(inst, at, lane, value);
        }
        Ok(())
    }
}

/// Why a range stops the program, and the numbers of the message.
fn wrong([lower, upper, step, width]: Numbers, extent: Option<i64>) -> Option<(String, Vec<i64>)> {
    if step < 1 {
        return Some((stops::step_below_one("{0}"), vec![step]));
    }
    if width < 1 {
        return Some((stops::width_below_one("{0}"), vec![width]));
    }
    if width > step {
        return Some((stops::width_above_step("{0}", "{1}"), vec![width, step]));
    }
    let extent = extent?;
    if lower < 0 {
        return Some((stops::lower_below_zero("{0}"), vec![lower]));
    }
    let beyond = upper > extent;
    beyond.then(|| (stops::upper_above_extent("{0}", "{1}"), vec![upper, extent]))
}

/// The row-major position of an index that is in range.
fn position(index: &[i64], shape: &[usize]) -> usize {
    let row_major = |at: usize, (&index, &extent): (&i64, &usize)| at * extent + index as usize;
    index.iter().zip(shape).fold(0, row_major)
}

impl Eval for WithLoopOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let plan = inst
            .data::<Plan>()
            .ok_or_else(|| cx.error(inst, "was not prepared"))?;
        for lane in lanes.iter() {
            let mut run = Run {
                cx,
                inst,
                plan,
                lane,
            };
            match plan.kind {
                Kind::Fold => run.fold()?,
                Kind::Genarray | Kind::Modarray => run.arrays()?,
            }
        }
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        plan(p.ir, p.op)
            .map(|(plan, _)| Prepared::other(plan))
            .ok_or_else(|| Fault::new("is no with-loop the interpreter can run"))
    }
    fn uses(&self, ir: &Ir, op: Op) -> Vec<Value> {
        plan(ir, op).map(|(_, uses)| uses).unwrap_or_default()
    }
    fn region_kind(&self, _: &Ir, _: Op, index: usize) -> RegionKind {
        if index == 0 {
            RegionKind::Inline
        } else {
            RegionKind::Batch
        }
    }
}
