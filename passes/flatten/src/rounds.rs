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
//! A counted loop whose bounds differ between points has as many rounds as the point with the most iterations; what a point counts
//! is stored for each round, and stays at the last number of a point that is done.
//!
//! Legality: as for branches ([`crate::either`]), code of points that are done asks whether it is ([`crate::active`]), and what the
//! loop carries and forwards has the same extents at all points, in all rounds. Only of nests on the host. Otherwise the loop
//! stays in the code of the points. There are as many rounds as the slowest point has.

use crate::active::Active;
use crate::function::{Flattener, Outcome};
use crate::point::{index_constant, multiply};
use crate::view::{Base, Choice, Lifted, View};
use segra_array::types::sizes_and_element;
use segra_ir::{Block, Builder, Op, OpView, Type, Value};
use segra_kernel::access::Read;
use segra_kernel::level::Level as MachineLevel;
use segra_kernel::segop::{ReturnOp, SegRedOp};
use segra_std::arith::expr::unfold;
use segra_std::arith::{self, CmpIPredicate, index};
use segra_std::scf;

const IN_ROUNDS: &str = "the nest moves into the loop, until the last point leaves it";

impl Flattener<'_> {
    /// Flattens a loop in rounds where some parallelism in it can be made for all points; tells whether it did.
    pub(crate) fn flatten_rounds(&mut self, looped: scf::WhileOp) -> Outcome<bool> {
        self.attempt(|this| this.rounds(looped))
    }

    fn rounds(&mut self, looped: scf::WhileOp) -> Outcome<bool> {
        let op = looped.op();
        let loc = self.ir.loc(op);
        let (before, after) = (looped.before_block(self.ir), looped.after_block(self.ir));
        if !self.may_be_held(&[before, after]) {
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
        let (region, body) = (new.before(self.ir), new.after(self.ir));
        let block = self.ir.add_block(region, &of_rounds);
        let mut gains = self.scope_of_flow(block, |this| -> Outcome<bool> {
            let params = this.ir.block_args(block).to_vec();
            for (carried, &param) in inside.iter().zip(&params) {
                this.bind_over(carried, param, loc);
            }
            this.forget_checks(before);
            let yields = this.nest_block(op, before)?;
            let gains = this.is_any_made(&[before]);
            let left = this.left_over(before);
            let flags = this.going_on(op, go)?;
            let mut all = this.tensors_and(op, &yields[1..], &left)?;
            let any = this.any(op, flags);
            all.push(flags);
            all.extend(params);
            scf::ConditionOp::build(&mut this.builder(loc), any, &all);
            Ok(gains)
        })?;
        let block = self.ir.add_block(body, &of_points);
        gains |= self.scope_of_flow(block, |this| {
            let params = this.ir.block_args(block).to_vec();
            let (own, rest) = params.split_at(passed.len());
            for (carried, &param) in passed.iter().zip(own) {
                this.bind_over(carried, param, loc);
            }
            let flag = Lifted::Array(this.row_of(rest[0], Vec::new()));
            for (carried, &param) in inside.iter().zip(&rest[1..]) {
                this.bind_over(carried, param, loc);
            }
            this.hold(op, after, &flag);
            this.next_round(op, after, &flag, &carried)
        })?;
        if !gains {
            return self.stays(op, "its points leave it at different times");
        }
        self.remark_result(op, IN_ROUNDS);
        for (carried, tensor) in outside.iter().zip(self.ir.results(new.op())) {
            self.bind_over(carried, tensor, loc);
        }
        Ok(true)
    }

    /// The same for a loop that counts: rounds up to the most iterations that a point has. Tells whether it did.
    pub(crate) fn flatten_counted_rounds(&mut self, looped: scf::ForOp) -> Outcome<bool> {
        self.attempt(|this| this.counted_rounds(looped))
    }

    fn counted_rounds(&mut self, looped: scf::ForOp) -> Outcome<bool> {
        let op = looped.op();
        let loc = self.ir.loc(op);
        let body = looped.region_block(self.ir);
        let unsigned = looped.unsigned_cmp_attr(self.ir).is_some();
        if !self.may_be_held(&[body]) {
            return Ok(false);
        }
        let args = self.ir.block_args(body).to_vec();
        let results = looped.results(self.ir);
        let (Some(inside), Some(outside)) =
            (self.carried(op, &args[1..]), self.carried(op, &results))
        else {
            return Ok(false);
        };
        if !self.store_expensive(op)? {
            return Ok(false);
        }
        let inits = self.tensors(op, &looped.init_args(self.ir))?;
        let bounds = [looped.lower_bound(self.ir), looped.upper_bound(self.ir)];
        let step = looped.step(self.ir);
        let starts = self.segmap_of(op, MachineLevel::Thread, |this| {
            let values = this.values_at(&[bounds[0], bounds[1], step], op)?;
            let mut b = this.builder(loc);
            let bounds = [values[0], values[1], values[2]];
            let count = iterations(&mut b, bounds, unsigned);
            let none = index_constant(&mut b, 0);
            let count = this.if_active(op, count, none)?;
            Ok(vec![count, values[0], values[2]])
        })?;
        let most = self.most(op, starts[0]);
        let mut b = self.builder(loc);
        let (zero, one) = (index_constant(&mut b, 0), index_constant(&mut b, 1));
        let types: Vec<_> = inits.iter().map(|&init| b.ir.value_type(init)).collect();
        let new = scf::ForOp::builder()
            .lower_bound(zero)
            .upper_bound(most)
            .step(one)
            .init_args(&inits)
            .results_types(&types)
            .build(&mut b);
        let mut params = vec![self.ctx.index()];
        params.extend(&types);
        let region = new.region(self.ir);
        let block = self.ir.add_block(region, &params);
        let gains = self.scope_of_flow(block, |this| {
            let params = this.ir.block_args(block).to_vec();
            let now = this.iteration(op, params[0], &starts)?;
            let number = this.row_of(now[0], Vec::new());
            this.bind_view(args[0], number);
            for (carried, &param) in inside.iter().zip(&params[1..]) {
                this.bind_over(carried, param, loc);
            }
            let flag = Lifted::Array(this.row_of(now[1], Vec::new()));
            this.hold(op, body, &flag);
            this.next_round(op, body, &flag, &args[1..])
        })?;
        if !gains {
            return Ok(false);
        }
        self.remark_result(op, IN_ROUNDS);
        for (carried, tensor) in outside.iter().zip(self.ir.results(new.op())) {
            self.bind_over(carried, tensor, loc);
        }
        Ok(true)
    }

    /// Over the context, whether points go on: where the loop's condition says so, at points that come to it.
    fn going_on(&mut self, op: Op, go: Value) -> Outcome<Value> {
        if !self.is_asked(op) {
            return Ok(self.tensors(op, &[go])?[0]);
        }
        let flags = self.segmap_of(op, MachineLevel::Thread, |this| {
            let go = this.values_at(&[go], op)?[0];
            let mut b = this.builder(this.ir.loc(op));
            let ty = b.ctx().i1();
            let none = arith::ConstantOp::int(&mut b, 0, ty);
            Ok(vec![this.if_active(op, go, none)?])
        })?;
        Ok(flags[0])
    }

    /// Over the context, what a counted loop counts in a round, and whether the point has that iteration: a point that is
    /// done stays at its last one. `starts`: how many iterations there are, what the first counts, and the step.
    fn iteration(&mut self, op: Op, round: Value, starts: &[Value]) -> Outcome<Vec<Value>> {
        let loc = self.ir.loc(op);
        let rows: Vec<View> = starts
            .iter()
            .map(|&tensor| self.row_of(tensor, Vec::new()))
            .collect();
        self.segmap_of(op, MachineLevel::Thread, |this| {
            let (count, first) = (this.read(&rows[0], op)?, this.read(&rows[1], op)?);
            let step = this.read(&rows[2], op)?;
            let mut b = this.builder(loc);
            let (zero, one) = (index_constant(&mut b, 0), index_constant(&mut b, 1));
            let has = index::cmp(&mut b, CmpIPredicate::Slt, round, count);
            let last = index::sub(&mut b, count, one);
            let last = index::max(&mut b, last, zero);
            let number = index::min(&mut b, round, last);
            let ty = b.type_of(first);
            let number = match ty.is_index(&b.ir.context()) {
                true => number,
                false => arith::IndexCastOp::build(&mut b, number, ty).out(b.ir),
            };
            let far = index::mul(&mut b, number, step);
            Ok(vec![index::add(&mut b, first, far), has])
        })
    }

    /// Points whose flag is not set have no part in a round.
    fn hold(&mut self, op: Op, body: Block, flag: &Lifted) {
        if let Some(region) = self.ir.block_region(body) {
            let condition = flag.clone();
            self.env.hold(op, Active { condition, region });
        }
    }

    /// Yields what the points carry on: those that go on what the body makes, the others what they had. Tells whether some
    /// parallelism in the body is made for all points.
    fn next_round(&mut self, op: Op, body: Block, go: &Lifted, had: &[Value]) -> Outcome<bool> {
        self.forget_checks(body);
        let yields = self.nest_block(op, body)?;
        let gains = self.is_any_made(&[body]);
        let left = self.left_over(body);
        self.make_left_over(op, &left)?;
        let mut tensors = Vec::new();
        for (&old, &new) in had.iter().zip(&yields) {
            let made = self.made_or_stored(op, new)?;
            let kept = self.made_or_stored(op, old)?;
            let (_, element) = sizes_and_element(&self.ctx, self.ir.value_type(old));
            let sizes = self.view(old).map(|view| view.sizes).unwrap_or_default();
            let choice = Choice::Either {
                condition: Box::new(go.clone()),
                sides: Box::new([made, kept]),
            };
            let next = View::derived(Base::Chosen { choice, element }, sizes);
            tensors.push(self.over_context(op, &next)?);
        }
        let loc = self.ir.loc(op);
        scf::YieldOp::build(&mut self.builder(loc), &tensors);
        Ok(gains)
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
        let ty = self.ctx.i1();
        self.of_all_points(op, flags, ty, |b, x, y| {
            arith::OrIOp::build(b, x, y).result(b.ir)
        })
    }

    /// The largest number of any point, and no less than 0.
    fn most(&mut self, op: Op, numbers: Value) -> Value {
        let ty = self.ctx.index();
        self.of_all_points(op, numbers, ty, |b, x, y| {
            arith::MaxSIOp::build(b, x, y).result(b.ir)
        })
    }

    /// The values of all points, combined by an operator that 0 is neutral for.
    fn of_all_points(
        &mut self,
        op: Op,
        values: Value,
        ty: Type,
        combine: impl FnOnce(&mut Builder<'_>, Value, Value) -> Value,
    ) -> Value {
        let (loc, sizes) = (self.ir.loc(op), self.own_sizes());
        let index = self.ctx.index();
        let level = MachineLevel::Thread.attr(&self.ctx);
        let mut b = self.builder(loc);
        let zero = arith::ConstantOp::int(&mut b, 0, ty);
        let points = sizes
            .iter()
            .copied()
            .reduce(|product, size| multiply(&mut b, product, size));
        let segred = SegRedOp::builder()
            .level(level)
            .sizes(points.as_slice())
            .neutral(&[zero])
            .results_types(&[ty])
            .build(&mut b);
        let (body, operator) = (segred.body(b.ir), segred.combine(b.ir));
        b.build_block(body, &[index], |b, args| {
            let at = unfold(b, &sizes, args[0]);
            let value = Read::build(b, values, &at).result(b.ir);
            ReturnOp::build(b, &[value]);
        });
        b.build_block(operator, &[ty, ty], |b, args| {
            let both = combine(b, args[0], args[1]);
            ReturnOp::build(b, &[both]);
        });
        self.explain(op, "segred", 1);
        self.ir.result(segred.op(), 0)
    }
}

/// How many iterations a loop with these bounds and step has, as an index. A step of 0 is one of a point that comes to no loop.
fn iterations(b: &mut Builder<'_>, [lower, upper, step]: [Value; 3], unsigned: bool) -> Value {
    let ty = b.type_of(lower);
    let (zero, one) = (
        arith::ConstantOp::int(b, 0, ty),
        arith::ConstantOp::int(b, 1, ty),
    );
    let predicate = match unsigned {
        true => CmpIPredicate::Ult,
        false => CmpIPredicate::Slt,
    };
    let any = index::cmp(b, predicate, lower, upper);
    // Below the width of the type as an unsigned number.
    let far = index::sub(b, upper, lower);
    let far = index::sub(b, far, one);
    let divides = arith::MaxUIOp::build(b, step, one).result(b.ir);
    let whole = arith::DivUIOp::build(b, far, divides).result(b.ir);
    let count = index::add(b, whole, one);
    let count = arith::SelectOp::build(b, any, count, zero).result(b.ir);
    match ty.is_index(&b.ir.context()) {
        true => count,
        false => {
            let index = b.ctx().index();
            arith::IndexCastUIOp::build(b, count, index).out(b.ir)
        }
    }
}
