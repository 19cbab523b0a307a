//! How large numbers become that loops carry: lengths of lists that grow, and what loops over those lists count to.
//!
//! ```text
//! loop m = 1 for i < n do m + k      =>   at most 1 + n * k behind the loop, 1 + n * k / 2 on average in it
//! ```
//! Legality: what a step adds is known outside of the choice, and so is how often it is done. Ways of branches count with both
//! of what they add. A number that is multiplied has no bound here.

use crate::estimate::{Bound, Estimator};
use crate::point::{add, index_constant, multiply};
use segra_ir::interfaces::LoopLike;
use segra_ir::{Builder, Ir, Op, OpView, Value, ValueDef};
use segra_kernel::access::Read;
use segra_kernel::extent::{extent_of, is_resized, resolved};
use segra_std::tensor::ReshapeOp;
use segra_std::{arith, scf};

/// Most ops between what a loop carries and what it yields for it.
const DEEPEST: usize = 8;

/// Whether an array is one that a point makes, and not a row of an array from outside.
fn is_made_here(ir: &Ir, array: Value) -> bool {
    Read::defining(ir, array).is_none() && extent_of(ir, array, 0).is_some()
}

impl Estimator<'_> {
    /// A bound of a number that a counted loop carries, as its result, or its average as the argument.
    pub(crate) fn carried(&mut self, value: Value) -> Option<Bound> {
        let (looped, index) = self.carrier(value)?;
        let init = looped.init_args(self.ir).get(index).copied()?;
        let init = self.bound(init)?;
        let all = self.added_by(looped, index, DEEPEST)?;
        let inside = matches!(self.ir.value_def(value), ValueDef::Argument { .. });
        let all = match all {
            all if !inside => all,
            Bound::Constant(all) => Bound::Constant(all / 2),
            Bound::Value(all) => {
                let mut b = Builder::before(self.ir, self.before);
                let two = index_constant(&mut b, 2);
                Bound::Value(arith::DivUIOp::build(&mut b, all, two).result(b.ir))
            }
        };
        Some(self.sum(init, all))
    }

    /// Whether an op accesses an array that a loop of a point resizes, or one that becomes such: it was just written, and threads
    /// have its elements side by side.
    pub(crate) fn is_resized(&self, op: Op, array: Value) -> bool {
        let ir = &*self.ir;
        let resizes = |looped: Op| ir.results(looped).any(|result| is_resized(ir, result));
        let told = ir.def_as::<ReshapeOp>(array).map(|told| told.source(ir));
        told.is_some_and(|array| is_resized(ir, array))
            || is_made_here(ir, array) && ir.ancestors(op).skip(1).any(resizes)
    }

    /// The loop that carries a value, and at which position.
    fn carrier(&self, value: Value) -> Option<(scf::ForOp, usize)> {
        match self.ir.value_def(value) {
            ValueDef::Result { op, index } => {
                Some((self.ir.cast::<scf::ForOp>(op)?, index as usize))
            }
            ValueDef::Argument { block, index } => {
                let looped = self.ir.cast::<scf::ForOp>(self.ir.block_parent(block)?)?;
                Some((looped, (index as usize).checked_sub(1)?))
            }
        }
    }

    /// The sum of what the steps of a loop add to a number that it carries.
    fn added_by(&mut self, looped: scf::ForOp, index: usize, deepest: usize) -> Option<Bound> {
        let carried = *looped.iter_args(self.ir).get(index)?;
        let last = self.ir.last_op(looped.region_block(self.ir))?;
        let yielded = self.ir.operands(last).nth(index)?;
        let each = self.added(yielded, carried, deepest)?;
        if matches!(each, Bound::Constant(0)) {
            return Some(each);
        }
        let trips = self.trips_of(looped.op())?;
        Some(match (each, trips) {
            (Bound::Constant(x), Bound::Constant(y)) => Bound::Constant(x.saturating_mul(y)),
            (each, trips) => {
                let mut b = Builder::before(self.ir, self.before);
                let (each, trips) = (each.emit(&mut b), trips.emit(&mut b));
                Bound::Value(multiply(&mut b, each, trips))
            }
        })
    }

    /// How often a loop is executed at most.
    fn trips_of(&mut self, op: Op) -> Option<Bound> {
        let model = self.ir.interface::<dyn LoopLike>(op)?;
        if let Some(trips) = model.trip_count(self.ir, op) {
            return Some(Bound::Constant(i64::try_from(trips).unwrap_or(i64::MAX)));
        }
        let bounds = *model.bounds(self.ir, op).first()?;
        match self.bound(bounds.upper)? {
            Bound::Value(upper) => Some(Bound::Value(self.trips(bounds, upper))),
            constant => Some(constant),
        }
    }

    /// By how much a value exceeds the number `from` at most.
    fn added(&mut self, value: Value, from: Value, deepest: usize) -> Option<Bound> {
        let value = resolved(self.ir, value);
        if value == from {
            return Some(Bound::Constant(0));
        }
        let op = self.ir.defining_op(value).filter(|_| deepest > 0)?;
        let deepest = deepest - 1;
        if let Some(sum) = self.ir.cast::<arith::AddIOp>(op) {
            let (x, y) = (sum.lhs(self.ir), sum.rhs(self.ir));
            let (grown, other) = match self.added(x, from, deepest) {
                Some(grown) => (grown, y),
                None => (self.added(y, from, deepest)?, x),
            };
            let other = self.bound(other)?;
            return Some(self.sum(grown, other));
        }
        if let Some((looped, index)) = self.carrier(value) {
            let init = looped.init_args(self.ir).get(index).copied()?;
            let before = self.added(init, from, deepest)?;
            let all = self.added_by(looped, index, deepest)?;
            return Some(self.sum(before, all));
        }
        let ways = if let Some(branch) = self.ir.cast::<scf::IfOp>(op) {
            let at = self.ir.results(op).position(|result| result == value)?;
            let mut ways = Vec::new();
            for region in [branch.then_region(self.ir), branch.else_region(self.ir)] {
                let last = self.ir.last_op(self.ir.entry_block(region)?)?;
                ways.push(self.ir.operands(last).nth(at)?);
            }
            ways
        } else if let Some(select) = self.ir.cast::<arith::SelectOp>(op) {
            vec![select.true_value(self.ir), select.false_value(self.ir)]
        } else {
            vec![self.not_below(op)?]
        };
        let mut all = Bound::Constant(0);
        for way in ways {
            let added = self.added(way, from, deepest)?;
            all = self.sum(all, added);
        }
        Some(all)
    }

    fn sum(&mut self, x: Bound, y: Bound) -> Bound {
        match (x, y) {
            (Bound::Constant(x), Bound::Constant(y)) => Bound::Constant(x.saturating_add(y)),
            (Bound::Constant(0), other) | (other, Bound::Constant(0)) => other,
            (x, y) => {
                let mut b = Builder::before(self.ir, self.before);
                let (x, y) = (x.emit(&mut b), y.emit(&mut b));
                Bound::Value(add(&mut b, x, y))
            }
        }
    }
}
