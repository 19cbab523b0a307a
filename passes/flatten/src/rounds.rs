//! Rule for loops that the points of a nest leave at different times: rounds on the host until the last point is done.
//!
//! ```text
//! map (\xs -> loop xs while p xs do f xs) xss
//!   => loop xss while or (map p xss) do map (\xs -> if p xs then f xs else xs) xss
//! ```
//!
//! A thread for each point would leave its loop when it is done, but do the combinators in it one element after another. Here
//! each round makes them for all points; points that are done keep what they carry, so that what the loop forwards stays as
//! it was when they were.
//!
//! Legality: as for branches ([`crate::either`]), nothing in the loop can stop the program, run for ever or has an effect,
//! and what it carries and forwards has the same extents at all points, in all rounds. Only of nests on the host. Otherwise the
//! loop stays in the code of the points. There are as many rounds as the slowest point has.

use crate::function::{Flattener, Outcome};
use crate::point::{multiply, unflatten};
use crate::view::{Base, Choice, Lifted, Scalar, View};
use segra_array::types::sizes_and_element;
use segra_ir::{Block, Op, OpView, Value};
use segra_kernel::access::ReadOp;
use segra_kernel::level::Level as MachineLevel;
use segra_kernel::segop::{ReturnOp, SegRedOp};
use segra_std::arith;
use segra_std::scf;

impl Flattener<'_> {
    /// Flattens a loop in rounds; tells whether it did.
    pub(crate) fn flatten_rounds(&mut self, looped: scf::WhileOp) -> Outcome<bool> {
        let op = looped.op();
        let loc = self.ir.loc(op);
        let (before, after) = (looped.before_block(self.ir), looped.after_block(self.ir));
        if !self.fixed.is_empty() || !self.may_run_both(&[before, after]) {
            return self.stays(op, "its points leave it at different times");
        }
        let results = looped.results(self.ir);
        let [carried, forwarded] = [before, after].map(|block| self.ir.block_args(block).to_vec());
        let (Some(inside), Some(passed), Some(outside)) = (
            self.carried(op, &carried),
            self.carried(op, &forwarded),
            self.carried(op, &results),
        ) else {
            return self.stays(
                op,
                "it carries an array whose extent differs between the points of the nest",
            );
        };
        let Some(go) = self
            .ir
            .last_op(before)
            .and_then(|last| self.ir.operands(last).next())
        else {
            return self.fail(op, "has no condition");
        };
        if !self.store_expensive(op)? {
            return self.stays(
                op,
                "it needs an array whose extent differs between the points of the nest",
            );
        }
        let inits = self.tensors(op, &looped.inits(self.ir))?;
        let of_rounds: Vec<_> = carried.iter().map(|&old| self.type_over(old)).collect();
        let mut of_points: Vec<_> = forwarded.iter().map(|&old| self.type_over(old)).collect();
        of_points.push(self.type_over(go));
        of_points.extend(&of_rounds);
        let new = scf::WhileOp::builder()
            .inits(&inits)
            .results_types(&of_points)
            .build(&mut self.builder(loc));
        self.remark(
            op,
            "the nest moves into the loop, until the last point leaves it",
        );
        let (region, body) = (new.before(self.ir), new.after(self.ir));
        let block = self.ir.add_block(region, &of_rounds);
        self.scope(block, |this| -> Outcome<()> {
            let params = this.ir.block_args(block).to_vec();
            for (carried, &param) in inside.iter().zip(&params) {
                this.bind_over(carried, param, loc);
            }
            this.forget_checks(before);
            let yields = this.nest_block(op, before)?;
            let mut all = this.tensors(op, &yields)?;
            let flags = all.remove(0);
            let any = this.any(op, flags);
            all.push(flags);
            all.extend(params);
            scf::ConditionOp::build(&mut this.builder(loc), any, &all);
            Ok(())
        })?;
        let block = self.ir.add_block(body, &of_points);
        self.scope(block, |this| -> Outcome<()> {
            let params = this.ir.block_args(block).to_vec();
            let (own, rest) = params.split_at(passed.len());
            for (carried, &param) in passed.iter().zip(own) {
                this.bind_over(carried, param, loc);
            }
            let flag = this.row_of(rest[0], Vec::new());
            this.bind_view(go, flag);
            for (carried, &param) in inside.iter().zip(&rest[1..]) {
                this.bind_over(carried, param, loc);
            }
            this.next_round(op, after, go, &carried)
        })?;
        for (carried, tensor) in outside.iter().zip(self.ir.results(new.op())) {
            self.bind_over(carried, tensor, loc);
        }
        Ok(true)
    }

    /// Yields what the points carry on: those that go on what the body makes, the others what they had.
    fn next_round(&mut self, op: Op, body: Block, go: Value, had: &[Value]) -> Outcome<()> {
        self.forget_checks(body);
        let yields = self.nest_block(op, body)?;
        let mut tensors = Vec::new();
        for (&old, &new) in had.iter().zip(&yields) {
            let made = self.made_or_stored(op, new)?;
            let kept = self.made_or_stored(op, old)?;
            let (_, element) = sizes_and_element(&self.ctx, self.ir.value_type(old));
            let sizes = self.view(old).map(|view| view.sizes).unwrap_or_default();
            let choice = Choice::Either {
                condition: Scalar::Old(go),
                sides: Box::new([made, kept]),
            };
            let next = View::derived(Base::Chosen { choice, element }, sizes);
            tensors.push(self.over_context(op, &next)?);
        }
        let loc = self.ir.loc(op);
        scf::YieldOp::build(&mut self.builder(loc), &tensors);
        Ok(())
    }

    /// The new value for one of the old program; an array that only the code of a point has is stored.
    fn made_or_stored(&mut self, op: Op, value: Value) -> Outcome<Lifted> {
        if let Some(made) = self.lifted(value) {
            return Ok(made);
        }
        match self.rows(op, &[value])?.pop() {
            Some(stored) => Ok(Lifted::Array(stored)),
            None => self.fail(op, "makes an array that could not be stored"),
        }
    }

    /// Whether a flag of any point is set.
    fn any(&mut self, op: Op, flags: Value) -> Value {
        let (loc, sizes) = (self.ir.loc(op), self.own_sizes());
        let (i1, index) = (self.ctx.i1(), self.ctx.index());
        let level = MachineLevel::Thread.attr(&self.ctx);
        let mut b = self.builder(loc);
        let none = arith::ConstantOp::int(&mut b, 0, i1);
        let points = sizes
            .iter()
            .copied()
            .reduce(|product, size| multiply(&mut b, product, size));
        let segred = SegRedOp::builder()
            .level(level)
            .sizes(points.as_slice())
            .neutral(&[none])
            .results_types(&[i1])
            .build(&mut b);
        let (body, combine) = (segred.body(b.ir), segred.combine(b.ir));
        b.build_block(body, &[index], |b, args| {
            let at = unflatten(b, args[0], &sizes);
            let flag = ReadOp::build(b, flags, &at).result(b.ir);
            ReturnOp::build(b, &[flag]);
        });
        b.build_block(combine, &[i1, i1], |b, args| {
            let either = arith::OrIOp::build(b, args[0], args[1]).result(b.ir);
            ReturnOp::build(b, &[either]);
        });
        self.explain(op, "segred", 1);
        self.ir.result(segred.op(), 0)
    }
}
