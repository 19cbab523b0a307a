//! Code that all points of a nest hold, though some of them would not come to it: what must not run for those asks first.
//!
//! ```text
//! map (\xs x -> if p x then (let y = loop y = x while q y do f y in map (* y) xs) else xs) xss
//!   => ys = map (\x -> loop y = x while q y && p x do f y)
//!      map (\xs x y -> map (\a -> if p x then a * y else a) xs) xss ys
//! ```
//!
//! Both sides of a branch are made for all points ([`crate::either`]), and so is each round of a loop ([`crate::rounds`]). There,
//! values are at hand that the program never computes; with them a loop might not end and a check fail. A point that takes no
//! part leaves a `scf.while` before its first iteration, has no iteration of a `scf.for`, passes every check, divides by 1 and
//! reads no element whose index is to be checked.
//!
//! Legality: all other ops have no effect and cannot stop the program. Operators of reductions and scans combine values of many
//! points, so that none can be asked: in them, nothing may stop the program or run for ever.

use crate::function::{Flattener, Outcome};
use crate::view::{Axis, Lifted, View};
use segra_array::combinator::Soac;
use segra_array::shape::IndexOp;
use segra_array::types::sizes_and_element;
use segra_ir::interfaces::{is_speculatable_itself, own_effects};
use segra_ir::{Block, Op, Region, Value};
use segra_std::arith;
use segra_std::check::RequireOp;
use segra_std::func::FuncOp;
use segra_std::scf;

/// Which points take part in a branch or loop that all points hold: those that meet the condition in one region, the others
/// in the other.
#[derive(Clone, Debug)]
pub(crate) struct Active {
    pub(crate) condition: Lifted,
    pub(crate) region: Region,
}

impl Flattener<'_> {
    /// Whether points may hold all ops of some blocks that they would not come to.
    pub(crate) fn may_be_held(&self, blocks: &[Block]) -> bool {
        let held = |top| {
            let mut inside = self.ir.walk(top).into_iter();
            inside.all(|op| self.can_ask(top, op) || self.is_harmless(op))
        };
        let mut ops = blocks.iter().flat_map(|&block| self.ir.ops(block));
        self.wants_all() && ops.all(held)
    }

    /// Whether an op, without those inside of it, gives its results and does nothing else.
    fn is_harmless(&self, op: Op) -> bool {
        let effects = own_effects(self.ir, op);
        effects.is_some_and(|effects| effects.is_empty()) && is_speculatable_itself(self.ir, op)
    }

    /// Whether an op inside of `top` is one that asks whether the point takes part, and can.
    fn can_ask(&self, top: Op, op: Op) -> bool {
        let asks = self.ir.isa::<scf::WhileOp>(op)
            || self.ir.isa::<scf::ForOp>(op)
            || self.ir.isa::<RequireOp>(op)
            || self.divides(op)
            || self.ir.isa::<IndexOp>(op) && {
                let (_, element) =
                    sizes_and_element(&self.ctx, self.ir.value_type(self.ir.result(op, 0)));
                arith::zero(&self.ctx, element).is_some()
            };
        asks && !self.is_in_operator(top, op)
    }

    /// Whether an op is a division of integers.
    fn divides(&self, op: Op) -> bool {
        let divisor = arith::integer_divisor(self.ir, op);
        divisor.is_some_and(|divisor| self.ir.value_type(divisor).is_scalar(&self.ctx))
    }

    /// Whether an op inside of `top` belongs to the operator of a combinator there.
    fn is_in_operator(&self, top: Op, op: Op) -> bool {
        let mut inside = self.ir.ancestors(op).take_while(|&around| around != top);
        inside.any(|inner| self.is_of_operator(inner))
    }

    /// Whether an op stands in the operator of the combinator around it.
    fn is_of_operator(&self, op: Op) -> bool {
        let combine = |around| Soac::of(self.ir, around)?.combine;
        let operator = self.ir.parent_op(op).and_then(combine);
        operator.is_some() && operator == self.ir.block_of(op)
    }

    /// Whether the point at hand comes to `op`; none: all points do.
    pub(crate) fn takes_part(&mut self, op: Op) -> Outcome<Option<Value>> {
        let mut all: Option<Value> = None;
        for (_, condition, is) in self.around(op) {
            if let Lifted::Later(condition) = condition {
                self.emit_needed(&[condition])?;
            }
            let mut met = self.read_lifted(&condition, &[], op)?;
            let mut b = self.builder(self.ir.loc(op));
            if !is {
                met = arith::XOrIOp::not(&mut b, met);
            }
            all = Some(match all {
                Some(before) => arith::AndIOp::build(&mut b, before, met).result(b.ir),
                None => met,
            });
        }
        Ok(all)
    }

    /// The branches and loops around an op, outermost first, that points hold which do not come to it: the condition of each,
    /// and its value at points that do.
    fn around(&self, op: Op) -> Vec<(Op, Lifted, bool)> {
        let mut found = Vec::new();
        if !self.env.holds_any() {
            return found;
        }
        let mut inner = op;
        while let Some(around) = self.ir.parent_op(inner) {
            if self.is_of_operator(inner) {
                return Vec::new();
            }
            let region = self
                .ir
                .block_of(inner)
                .and_then(|block| self.ir.block_region(block));
            if let Some(active) = self.env.held(around)
                && !self.met.contains(&around)
            {
                found.push((
                    around,
                    active.condition.clone(),
                    region == Some(active.region),
                ));
            }
            inner = around;
        }
        found.reverse();
        found
    }

    /// Runs `f`, which asks nothing of the branches and loops around `op`: all points that run it have met those, or it does
    /// no harm where none has.
    pub(crate) fn wherever_points_go<T>(&mut self, op: Op, f: impl FnOnce(&mut Self) -> T) -> T {
        let outside = self.met.len();
        let around = self.around(op);
        self.met.extend(around.into_iter().map(|(op, ..)| op));
        let result = f(self);
        self.met.truncate(outside);
        result
    }

    /// Whether not all points come to an op.
    pub(crate) fn is_asked(&self, op: Op) -> bool {
        !self.around(op).is_empty()
    }

    /// `value` at points that come to `op`, else `otherwise`.
    pub(crate) fn if_active(&mut self, op: Op, value: Value, otherwise: Value) -> Outcome<Value> {
        let Some(active) = self.takes_part(op)? else {
            return Ok(value);
        };
        let mut b = self.builder(self.ir.loc(op));
        Ok(arith::SelectOp::build(&mut b, active, value, otherwise).result(b.ir))
    }

    /// The operands of an op in the code of a point, so that it ends and passes at points that do not come to it.
    pub(crate) fn ask(&mut self, op: Op, operands: &mut [Value]) -> Outcome<()> {
        if !self.env.holds_any() {
            return Ok(());
        }
        if self.ir.isa::<scf::WhileOp>(op) {
            // Its condition asks, in each iteration.
            match self.takes_part(op)? {
                Some(active) => self.asked.insert(op, active),
                None => self.asked.remove(&op),
            };
        } else if self.ir.isa::<scf::ForOp>(op) {
            let bounds = [0, 1].map(|bound| self.ir.operand(op, bound));
            if !bounds.iter().all(|&bound| self.is_of_function(bound)) {
                operands[1] = self.if_active(op, operands[1], operands[0])?;
            }
            if !is_speculatable_itself(self.ir, op) {
                operands[2] = self.one_unless_active(op, operands[2])?;
            }
        } else if self.ir.isa::<RequireOp>(op) {
            if let Some(active) = self.takes_part(op)? {
                let mut b = self.builder(self.ir.loc(op));
                let out = arith::XOrIOp::not(&mut b, active);
                operands[0] = arith::OrIOp::build(&mut b, operands[0], out).result(b.ir);
                operands[1] =
                    arith::SelectOp::build(&mut b, active, operands[1], operands[2]).result(b.ir);
            }
        } else if self.divides(op) && !self.is_harmless(op) {
            operands[1] = self.one_unless_active(op, operands[1])?;
        } else if let Some(&active) = self.ir.parent_op(op).and_then(|op| self.asked.get(&op))
            && self.ir.isa::<scf::ConditionOp>(op)
        {
            let mut b = self.builder(self.ir.loc(op));
            operands[0] = arith::AndIOp::build(&mut b, operands[0], active).result(b.ir);
        }
        Ok(())
    }

    /// `value` at points that come to `op`, else 1.
    fn one_unless_active(&mut self, op: Op, value: Value) -> Outcome<Value> {
        if !self.is_asked(op) {
            return Ok(value);
        }
        let mut b = self.builder(self.ir.loc(op));
        let ty = b.type_of(value);
        let one = arith::ConstantOp::int(&mut b, 1, ty);
        self.if_active(op, value, one)
    }

    /// Whether a value is one for the whole function.
    fn is_of_function(&self, value: Value) -> bool {
        let block = self.ir.value_block(value);
        let around = block.and_then(|block| self.ir.block_parent(block));
        around.is_some_and(|around| self.ir.isa::<FuncOp>(around))
    }

    /// The op that an index of a view is checked for, where not all points come to it.
    pub(crate) fn asks_by(&self, view: &View) -> Option<Op> {
        view.axes.iter().find_map(|axis| match axis {
            Axis::Indexed(_, op) if self.is_asked(*op) => Some(*op),
            _ => None,
        })
    }

    /// An element of a view whose index is to be checked: read by points that come to that, 0 at others. None: all do.
    pub(crate) fn read_active(&mut self, view: &View, user: Op) -> Outcome<Option<Value>> {
        if !self.env.holds_any() {
            return Ok(None);
        }
        let Some(by) = self.asks_by(view) else {
            return Ok(None);
        };
        let (Some(element), Some(active)) = (self.element_of(view), self.takes_part(by)?) else {
            return Ok(None);
        };
        let Some(zero) = arith::zero(&self.ctx, element) else {
            return Ok(None);
        };
        let loc = self.ir.loc(by);
        // Inside of the branch, all points have met what `by` stands under.
        let read = self.wherever_points_go(by, |this| {
            this.branch(
                active,
                element,
                loc,
                [&mut |this| this.read(view, user), &mut |this| {
                    let mut b = this.builder(loc);
                    Ok(arith::ConstantOp::build(&mut b, zero).result(b.ir))
                }],
            )
        });
        read.map(Some)
    }
}
