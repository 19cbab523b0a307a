//! Checks of the program in nests: where each is made, and that none is lost.
//!
//! * A check of values that are the same for all points is made once, on the host: unless there is no point, where the
//!   program would never have come to it ([`Flattener::hoist_check`]).
//! * Ops with parallelism inside that are the same for all points, and cannot stop the program, are made once, too
//!   ([`Flattener::hoist_nest`]); unless they read where such a check has found no point: its value fits no array then
//!   ([`Flattener::reads_unchecked`]).
//! * Every other check is code of the points. Ops that need its value come with it; an op that nothing needs is made by the segmap
//!   that ends the body it stands in, or by one of its own ([`Flattener::left_over`]).
//!
//! Ops inside a branch or loop of the body go with that. Several points or checks of one kernel may fail: any one of them
//! is reported.

use crate::cost::has_parallelism;
use crate::function::{Flattener, Outcome};
use crate::point::{Dependence, compare, index_constant};
use crate::view::Lifted;
use rustc_hash::FxHashSet;
use segra_array::layout::{PadOp, ReshapeOp, SliceOp};
use segra_array::shape::{IotaOp, ReplicateOp};
use segra_ir::interfaces::{EffectKind, constant_of, is_pure, is_speculatable, visit_effects};
use segra_ir::{Block, Ir, Op, OpView, Value, ValueDef};
use segra_kernel::level::Level as MachineLevel;
use segra_std::arith::{self, CmpIPredicate};
use segra_std::check::RequireOp;
use segra_std::func::FuncOp;
use segra_std::scf;

/// Whether `op`, or an op inside of it, is a check.
pub(crate) fn may_stop(ir: &Ir, op: Op) -> bool {
    let mut stops = false;
    visit_effects(ir, op, &mut |(_, effect)| {
        stops = effect.kind == EffectKind::Stop;
        !stops
    });
    stops
}

/// Whether the value of a check is used for nothing but sizes and divisors, or by other checks.
fn guards_sizes(ir: &Ir, value: Value) -> bool {
    ir.users(value).all(|user| {
        if let Some(part) = ir.cast::<SliceOp>(user) {
            return !part.offsets(ir).contains(&value) && !part.strides(ir).contains(&value);
        }
        ir.isa::<IotaOp>(user)
            || ir.isa::<ReplicateOp>(user)
            || ir.isa::<PadOp>(user)
            || ir.isa::<ReshapeOp>(user)
            || ir.isa::<arith::CmpIOp>(user)
            || ir.isa::<RequireOp>(user)
            || arith::integer_divisor(ir, user) == Some(value)
    })
}

/// Where a check was made.
#[derive(Clone)]
pub(crate) struct MadeCheck {
    /// The extents of all levels around it.
    sizes: Vec<Value>,
    /// The innermost loop or branch of a nest that it stands in.
    body: Option<Block>,
}

impl Flattener<'_> {
    /// Whether all operands of an op are at hand, the same for all points.
    fn is_invariant(&self, op: Op) -> bool {
        self.ir.regions(op).is_empty()
            && self
                .ir
                .operands(op)
                .all(|value| matches!(self.env.get(value), Some(Lifted::Host(_))))
    }

    /// Scalar code that is the same for all points is done once, outside of the nest; so are checks.
    pub(crate) fn hoist(&mut self, op: Op) -> Outcome<bool> {
        if !self.is_invariant(op) {
            return Ok(false);
        }
        if let Some(check) = self.ir.cast::<RequireOp>(op) {
            if self.is_asked(op) {
                return Ok(false);
            }
            self.hoist_check(check)?;
            return Ok(true);
        }
        if !is_pure(self.ir, op) || !is_speculatable(self.ir, op) {
            return Ok(false);
        }
        self.copy_op(op)?;
        Ok(true)
    }

    /// An op with parallelism inside that is the same for all points is done once, outside of the nest, where it cannot stop
    /// the program and ends for certain: there may be no point. Tells whether it was.
    pub(crate) fn hoist_nest(&mut self, op: Op) -> Outcome<bool> {
        if self.at_point() || !has_parallelism(self.ir, op) || !self.runs_anywhere(op) {
            return Ok(false);
        }
        let roots = self.ir.free_values(op);
        let mut known = true;
        self.trace(
            &roots,
            &mut |_, _| {
                known = false;
                false
            },
            &mut |_| {},
        );
        known &= roots.iter().all(|&root| self.env.get(root).is_some());
        if !known || self.depends_on_point(&roots) || self.reads_unchecked(&roots) {
            return Ok(false);
        }
        let own = self.levels.split_off(self.fixed.len());
        let done = self.wherever_points_go(op, |this| this.emit_op(op));
        self.levels.extend(own);
        done.map(|()| true)
    }

    /// Whether values come from an index that nothing has checked where a nest has no points. Checks that guard sizes
    /// give 0 there, and nothing is read.
    fn reads_unchecked(&self, roots: &[Value]) -> bool {
        if self.skipped.is_empty() {
            return false;
        }
        let mut seen: FxHashSet<Op> = FxHashSet::default();
        let mut pending = roots.to_vec();
        while let Some(value) = pending.pop() {
            let Some(op) = self.ir.defining_op(value).filter(|&op| seen.insert(op)) else {
                continue;
            };
            if self.skipped.contains(&op) && !guards_sizes(self.ir, value) {
                return true;
            }
            // A check of a nest stands in a body of it.
            let nested = self
                .ir
                .parent_op(op)
                .is_some_and(|parent| !self.ir.isa::<FuncOp>(parent));
            if nested {
                pending.extend(self.ir.free_values(op));
            }
        }
        false
    }

    /// Whether an op does nothing but give its results, and ends.
    fn runs_anywhere(&self, op: Op) -> bool {
        let only_reads = visit_effects(self.ir, op, &mut |(_, effect)| {
            effect.kind == EffectKind::Read
        });
        let ends = !self
            .ir
            .walk(op)
            .into_iter()
            .any(|inner| self.ir.isa::<scf::WhileOp>(inner));
        only_reads && ends
    }

    /// Makes the ops of a map's body that have parallelism inside and are the same for all points, with what they need,
    /// before the versions of the map part.
    pub(crate) fn hoist_invariants(&mut self, body: Block) -> Outcome<()> {
        let ops: Vec<Op> = self.ir.ops(body).collect();
        let mut wanted: FxHashSet<Op> = FxHashSet::default();
        let same = self.same_for_all(&ops, body);
        // From the last op on: what an op needs stands before it.
        for &op in ops.iter().rev().filter(|&op| same.contains(op)) {
            let asked =
                wanted.contains(&op) || has_parallelism(self.ir, op) && self.runs_anywhere(op);
            if !asked {
                continue;
            }
            wanted.insert(op);
            for value in self.ir.free_values(op) {
                if let ValueDef::Result { op: needed, .. } = self.ir.value_def(value)
                    && self.ir.value_block(value) == Some(body)
                {
                    wanted.insert(needed);
                }
            }
        }
        for op in ops.into_iter().filter(|op| wanted.contains(op)) {
            let _ = self.is_bound(op)
                || self.hoist_nest(op)?
                || !has_parallelism(self.ir, op) && (self.view_op(op)? || self.hoist(op)?);
        }
        Ok(())
    }

    /// The ops of a body that use nothing that differs between points: not its arguments, and no op that does.
    fn same_for_all(&self, ops: &[Op], body: Block) -> FxHashSet<Op> {
        let mut same: FxHashSet<Op> = FxHashSet::default();
        let mut dependence = Dependence::default();
        for &op in ops {
            let differs =
                self.ir
                    .free_values(op)
                    .into_iter()
                    .any(|value| match self.ir.value_def(value) {
                        _ if self.ir.value_block(value) != Some(body) => {
                            self.depends(value, &mut dependence)
                        }
                        ValueDef::Result { op, .. } => !same.contains(&op),
                        ValueDef::Argument { .. } => true,
                    });
            if !differs {
                same.insert(op);
            }
        }
        same
    }

    /// `condition`, or that the nest has no points: what a nest checks outside of itself.
    pub(crate) fn unless_empty(&mut self, condition: Value, op: Op) -> Value {
        let loc = self.ir.loc(op);
        let mut condition = condition;
        for size in self.own_sizes() {
            let known = constant_of(self.ir, size).and_then(|attr| attr.as_i64(&self.ctx));
            if known.is_some_and(|size| size > 0) {
                continue;
            }
            let mut b = self.builder(loc);
            let zero = index_constant(&mut b, 0);
            let none = compare(&mut b, CmpIPredicate::Eq, size, zero);
            condition = arith::OrIOp::build(&mut b, condition, none).result(b.ir);
        }
        condition
    }

    /// A check of host values, made before the nest: where there are no points its value is the one that harms nothing.
    fn hoist_check(&mut self, check: RequireOp) -> Outcome<()> {
        let op = check.op();
        let loc = self.ir.loc(op);
        let condition = self.value_of(check.condition(self.ir), op)?;
        let value = self.value_of(check.value(self.ir), op)?;
        let otherwise = self.value_of(check.otherwise(self.ir), op)?;
        let mut numbers = Vec::new();
        for number in check.numbers(self.ir) {
            numbers.push(self.value_of(number, op)?);
        }
        let message = check
            .message_attr(self.ir)
            .unwrap_or_else(|| self.ctx.str_attr(""));
        let checked = self.unless_empty(condition, op);
        if checked != condition {
            self.skipped.insert(op);
        }
        let mut b = self.builder(loc);
        let given = match checked == condition {
            true => value,
            false => arith::SelectOp::build(&mut b, condition, value, otherwise).result(b.ir),
        };
        let new = RequireOp::builder()
            .condition(checked)
            .value(given)
            .otherwise(otherwise)
            .numbers(&numbers)
            .message(message)
            .build(&mut b)
            .result(b.ir);
        self.env.bind(check.result(self.ir), Lifted::Host(new));
        Ok(())
    }

    /// Makes the checks of a map's body that are the same for all points, with what they need, before the versions of
    /// the map part: sizes they check are then known outside of all of them.
    pub(crate) fn hoist_checks(&mut self, body: Block) -> Outcome<()> {
        let wanted = self.check_slices(body);
        let ops: Vec<Op> = self.ir.ops(body).filter(|op| wanted.contains(op)).collect();
        for op in ops {
            let _ = self.view_op(op)? || self.hoist(op)?;
        }
        Ok(())
    }

    /// The checks of a block and the ops without regions they need, themselves included.
    fn check_slices(&self, body: Block) -> FxHashSet<Op> {
        let mut wanted: FxHashSet<Op> = FxHashSet::default();
        let mut pending: Vec<Op> = self
            .ir
            .ops(body)
            .filter(|&op| self.ir.isa::<RequireOp>(op))
            .collect();
        while let Some(op) = pending.pop() {
            if !wanted.insert(op) {
                continue;
            }
            for value in self.ir.operands(op) {
                if let ValueDef::Result { op: inner, .. } = self.ir.value_def(value)
                    && self.ir.block_of(inner) == Some(body)
                    && self.ir.regions(inner).is_empty()
                {
                    pending.push(inner);
                }
            }
        }
        wanted
    }

    /// Whether all results of an op are bound already.
    pub(crate) fn is_bound(&self, op: Op) -> bool {
        self.ir.num_results(op) > 0
            && self
                .ir
                .results(op)
                .all(|result| self.env.get(result).is_some())
    }

    /// The ops of a block, and of branches in it that all points hold, that may stop the program and are code of the points,
    /// not made yet.
    pub(crate) fn left_over(&self, block: Block) -> Vec<Op> {
        let (mut left, mut pending) = (Vec::new(), self.ops_backwards(block));
        while let Some(op) = pending.pop() {
            if self.env.held(op).is_some() && self.ir.isa::<scf::IfOp>(op) {
                let regions = self.ir.regions(op).iter().rev();
                let blocks = regions.flat_map(|&region| self.ir.blocks(region));
                pending.extend(blocks.flat_map(|block| self.ops_backwards(block)));
            } else if !self.is_bound(op) && may_stop(self.ir, op) {
                left.push(op);
            }
        }
        left
    }

    fn ops_backwards(&self, block: Block) -> Vec<Op> {
        let mut ops: Vec<Op> = self.ir.ops(block).collect();
        ops.reverse();
        ops
    }

    /// Notes that a check was made at a point of the nest as it is. One that was made where more is run stays noted as that.
    pub(crate) fn note_check(&mut self, op: Op) {
        if self.fixed.is_empty() || !self.ir.isa::<RequireOp>(op) {
            return;
        }
        let body = self.maybe_run.last().copied();
        let before = self.checked.get(&op);
        if before.is_none_or(|made| made.body == body || !self.is_run(made)) {
            let sizes = self.levels.iter().map(|level| level.size).collect();
            self.checked.insert(op, MadeCheck { sizes, body });
        }
    }

    /// Whether a check is made wherever the code at hand is run.
    fn is_run(&self, made: &MadeCheck) -> bool {
        made.body.is_none_or(|body| self.maybe_run.contains(&body))
    }

    /// Forgets which checks of a block other versions of it made.
    pub(crate) fn forget_checks(&mut self, block: Block) {
        let ir = &*self.ir;
        self.checked.retain(|&op, _| ir.block_of(op) != Some(block));
    }

    /// Makes what is left over of a body by a segmap over the context. Checks that deeper nests make, too, are only left
    /// over where one of those has no points; what nests in loops and branches make counts for nothing, as those may not be run.
    pub(crate) fn make_left_over(&mut self, user: Op, left: &[Op]) -> Outcome<()> {
        let depth = self.levels.len();
        let (mut wanted, mut deeper) = (false, Vec::new());
        for op in left {
            match self.checked.get(op).filter(|made| self.is_run(made)) {
                None => wanted = true,
                Some(made) => {
                    deeper.extend(made.sizes.get(depth..).unwrap_or_default().iter().copied());
                }
            }
        }
        if !wanted && deeper.is_empty() {
            return Ok(());
        }
        let make = |this: &mut Self| {
            this.segmap_of(user, MachineLevel::Thread, |this| {
                this.emit_ops(left).map(|()| Vec::new())
            })
        };
        if wanted {
            return make(self).map(drop);
        }
        let loc = self.ir.loc(user);
        let mut b = self.builder(loc);
        let zero = index_constant(&mut b, 0);
        let mut none: Option<Value> = None;
        for size in deeper {
            let here = compare(&mut b, CmpIPredicate::Eq, size, zero);
            none = Some(none.map_or(here, |before| {
                arith::OrIOp::build(&mut b, before, here).result(b.ir)
            }));
        }
        let Some(none) = none else { return Ok(()) };
        let branch = scf::IfOp::builder().condition(none).build(&mut b);
        let region = branch.then_region(self.ir);
        let block = self.ir.add_block(region, &[]);
        self.scope(block, |this| -> Outcome<()> {
            make(this)?;
            scf::YieldOp::build(&mut this.builder(loc), &[]);
            Ok(())
        })
    }

    /// Emits ops of the old program and what they need, where they are not there yet.
    pub(crate) fn emit_ops(&mut self, ops: &[Op]) -> Outcome<()> {
        for &op in ops {
            if self.is_bound(op) {
                continue;
            }
            let results: Vec<Value> = self.ir.results(op).collect();
            if results.is_empty() {
                let roots = self.ir.free_values(op);
                self.emit_needed(&roots)?;
                self.emit_op(op)?;
            } else {
                self.emit_needed(&results)?;
            }
        }
        Ok(())
    }
}
