//! Checks of with-loops: their extents, steps, widths and bounds, in the order in which the interpreter looks at them.
//!
//! A bound that fails becomes one with which nothing is written outside: a lower bound 0, an upper bound 0, a step and
//! width of 1.

use crate::conditions::Checker;
use crate::emit::{compare, extent, index, product, require};
use crate::prove;
use segra_array::stops::{negative_size, other_rows, too_many_elements};
use segra_array::types::sizes_and_element;
use segra_array::with_loop::{Bound, Kind, Loop, Range, WithLoopOp, stops};
use segra_ir::{Ir, Op, OpView, Type, Value, ValueDef};
use segra_std::arith::CmpIPredicate;

impl Checker<'_> {
    /// Makes what may stop a with-loop checks of its own; the op is another one then.
    pub(crate) fn with_loop(&mut self, with: WithLoopOp) {
        let op = with.op();
        let Some(old) = Loop::of(self.ir, op) else {
            return;
        };
        let mut new = old.clone();
        if new.kind == Kind::Genarray {
            self.shape(op, &mut new);
        }
        let extents = self.with_loop_extents(op, &new);
        for (at, partition) in new.partitions.iter_mut().enumerate() {
            for (dim, range) in partition.space.iter_mut().enumerate() {
                self.range(op, (at, dim), range, extents.get(dim).copied());
            }
        }
        let types: Vec<Type> = self
            .ir
            .results(op)
            .map(|value| self.ir.value_type(value))
            .collect();
        old.detach(self.ir);
        let made = new.build(&mut self.builder(op), &types);
        let results = made.results(self.ir).to_vec();
        self.ir.replace_op(op, &results);
        if new.kind == Kind::Modarray {
            self.same_shapes(made.op(), &new);
        }
    }

    /// The extents of the arrays that are made; of a fold none.
    fn with_loop_extents(&mut self, op: Op, with: &Loop) -> Vec<Bound> {
        match (with.kind, with.init.first()) {
            (Kind::Modarray, Some(&array)) => (0..with.rank)
                .map(|dim| match prove::extent_of(self.ir, array, dim) {
                    prove::Extent::Constant(constant) => Bound::Constant(constant),
                    _ => Bound::Value(extent(&mut self.builder(op), array, dim)),
                })
                .collect(),
            _ => with.shape.clone(),
        }
    }

    /// Extents that are not negative, are what the result's type calls them, and have a product that can be counted.
    fn shape(&mut self, op: Op, with: &mut Loop) {
        for bound in &mut with.shape {
            if let Bound::Value(value) = *bound
                && !prove::not_negative(self.ir, value)
            {
                let zero = index(&mut self.builder(op), 0);
                let holds = compare(&mut self.builder(op), CmpIPredicate::Sge, value, zero);
                let checked = self.demand(op, holds, value, 0, negative_size(), &[value]);
                *bound = Bound::Value(checked);
            }
        }
        for (dim, bound) in with.shape.iter_mut().enumerate() {
            let is = match *bound {
                Bound::Constant(constant) => prove::Extent::Constant(constant),
                Bound::Value(value) => prove::extent(self.ir, value),
            };
            if let Some((wanted, text)) = self.claimed(op, dim, is) {
                let value = bound.value(&mut self.builder(op));
                let same = compare(&mut self.builder(op), CmpIPredicate::Eq, value, wanted);
                let message = segra_array::stops::size_of_another_name(&text, dim);
                let checked = self.demand(op, same, value, 0, &message, &[value, wanted]);
                *bound = Bound::Value(checked);
            }
        }
        self.countable(op, with);
    }

    fn countable(&mut self, op: Op, with: &mut Loop) {
        let known: Option<Vec<i64>> = with.shape.iter().map(|bound| bound.constant()).collect();
        let fits = |known: Vec<i64>| {
            known
                .iter()
                .try_fold(1i64, |all, &one| all.checked_mul(one))
        };
        let inner = with.init.iter().map(|&value| {
            let ty = self.ir.value_type(value);
            (value, sizes_and_element(self.ir.ctx(), ty).0.len())
        });
        let largest = inner.max_by_key(|pair| pair.1).filter(|pair| pair.1 > 0);
        if largest.is_none() && (with.rank < 2 || known.and_then(fits).is_some()) {
            return;
        }
        let mut b = self.builder(op);
        let mut factors: Vec<Value> = with.shape.iter().map(|bound| bound.value(&mut b)).collect();
        if let Some((value, rank)) = largest {
            let row: Vec<Value> = (0..rank).map(|dim| extent(&mut b, value, dim)).collect();
            factors.push(product(&mut b, &row).0);
        }
        if let (_, Some(counted)) = product(&mut b, &factors) {
            let checked = self.demand(op, counted, factors[0], 0, too_many_elements(), &[]);
            with.shape[0] = Bound::Value(checked);
        }
    }

    /// A value under a condition; the message is the one the interpreter has for the op.
    fn demand(
        &mut self,
        op: Op,
        condition: Value,
        value: Value,
        otherwise: i64,
        message: &str,
        numbers: &[Value],
    ) -> Value {
        let mut b = self.builder(op);
        let otherwise = index(&mut b, otherwise);
        let message = format!("'{}' op {message}", b.ir.op_name_str(op));
        self.made += 1;
        require(
            &mut self.builder(op),
            condition,
            (value, otherwise),
            &message,
            numbers,
        )
    }

    /// Checks that `x` and `y` compare so; then `bound` is what it is, else `otherwise`.
    fn bound(
        &mut self,
        op: Op,
        (partition, dim): (usize, usize),
        (predicate, x, y): (CmpIPredicate, Bound, Bound),
        (bound, otherwise): (&mut Bound, i64),
        (message, both): (&str, bool),
    ) {
        if x.constant().is_some() && y.constant().is_some() {
            return; // The verifier has looked at it.
        }
        let mut b = self.builder(op);
        let (x, y) = (x.value(&mut b), y.value(&mut b));
        let value = bound.value(&mut b);
        let holds = compare(&mut b, predicate, x, y);
        let message = stops::at(partition, dim, message);
        let numbers = [x, y];
        let numbers = if both { &numbers[..] } else { &numbers[..1] };
        *bound = Bound::Value(self.demand(op, holds, value, otherwise, &message, numbers));
    }

    fn range(&mut self, op: Op, at: (usize, usize), range: &mut Range, extent: Option<Bound>) {
        let one = Bound::Constant(1);
        let step = (CmpIPredicate::Sge, range.step, one);
        let message = stops::step_below_one("{0}");
        self.bound(op, at, step, (&mut range.step, 1), (&message, false));
        let width = (CmpIPredicate::Sge, range.width, one);
        let message = stops::width_below_one("{0}");
        self.bound(op, at, width, (&mut range.width, 1), (&message, false));
        if range.width != one && range.width != range.step {
            let width = (CmpIPredicate::Sle, range.width, range.step);
            let message = stops::width_above_step("{0}", "{1}");
            self.bound(op, at, width, (&mut range.width, 1), (&message, true));
        }
        let Some(extent) = extent else {
            return;
        };
        let is_negative = match range.lower {
            Bound::Constant(_) => false,
            Bound::Value(value) => !prove::not_negative(self.ir, value),
        };
        if is_negative {
            let lower = (CmpIPredicate::Sge, range.lower, Bound::Constant(0));
            let message = stops::lower_below_zero("{0}");
            self.bound(op, at, lower, (&mut range.lower, 0), (&message, false));
        }
        if !self.is_at_most(range.upper, extent) {
            let upper = (CmpIPredicate::Sle, range.upper, extent);
            let message = stops::upper_above_extent("{0}", "{1}");
            self.bound(op, at, upper, (&mut range.upper, 0), (&message, true));
        }
    }

    fn is_at_most(&self, upper: Bound, most: Bound) -> bool {
        let named = |bound: Bound| match bound {
            Bound::Constant(constant) => prove::Extent::Constant(constant),
            Bound::Value(value) => prove::extent(self.ir, value),
        };
        upper == most || prove::same(self.ir, named(upper), named(most))
    }

    /// Arrays that are changed together have the same indexed extents.
    fn same_shapes(&mut self, op: Op, with: &Loop) {
        let first = self.ir.num_operands(op) - with.init.len();
        for at in 1..with.init.len() {
            for dim in 0..with.rank {
                let message = other_rows(at, dim);
                self.same_extent(op, (first, dim), Ok((first + at, dim)), &message);
            }
        }
    }
}

/// The range of a with-loop whose index a value is, the extent of that dimension of its arrays, if it makes some.
fn range_of(ir: &Ir, value: Value) -> Option<(Range, Option<prove::Extent>)> {
    let ValueDef::Argument { block, index } = ir.value_def(value) else {
        return None;
    };
    let with = Loop::of(ir, ir.block_parent(block)?)?;
    let dim = index as usize;
    let own = with
        .partitions
        .iter()
        .find(|partition| partition.body == block)?;
    let extent = match (with.kind, with.shape.get(dim), with.init.first()) {
        (Kind::Genarray, Some(Bound::Constant(extent)), _) => {
            Some(prove::Extent::Constant(*extent))
        }
        (Kind::Genarray, Some(Bound::Value(value)), _) => Some(prove::extent(ir, *value)),
        (Kind::Modarray, _, Some(&array)) => Some(prove::extent_of(ir, array, dim)),
        _ => None,
    };
    Some((*own.space.get(dim)?, extent))
}

/// Whether an index of a with-loop's body is not negative; `None`: it is no such index.
pub(crate) fn is_not_negative(ir: &Ir, value: Value) -> Option<bool> {
    let (range, extent) = range_of(ir, value)?;
    Some(match range.lower {
        Bound::Constant(lower) => lower >= 0,
        Bound::Value(lower) => extent.is_some() || prove::not_negative(ir, lower),
    })
}

/// Whether an index of a with-loop's body is below an extent; `None`: it is no such index.
pub(crate) fn is_below(ir: &Ir, value: Value, most: prove::Extent) -> Option<bool> {
    let (range, extent) = range_of(ir, value)?;
    let upper = match range.upper {
        Bound::Constant(upper) => prove::Extent::Constant(upper),
        Bound::Value(upper) => prove::extent(ir, upper),
    };
    let at_most = |upper: prove::Extent| match (upper, most) {
        (prove::Extent::Constant(upper), prove::Extent::Constant(most)) => upper <= most,
        _ => prove::same(ir, upper, most),
    };
    Some(at_most(upper) || extent.is_some_and(at_most))
}
