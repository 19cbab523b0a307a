//! Rule for branches whose condition differs between the points of a nest: both sides, and a choice of elements.
//!
//! ```text
//! map (\xs x -> if p x then scan (+) 0 xs else map (* 2) xs) xss
//!   => yss = map (scan (+) 0) xss
//!      map (\xs ys x -> map (\a b -> if p x then a else b * 2) ys xs) xss yss
//! ```
//!
//! A thread for each point would run its side alone, but one after another what the other rules distribute. Here the
//! combinators of both sides are made for all points; elements are read from the point's own side, and what is computed where
//! it is read is computed for that side alone.
//!
//! A `scf.index_switch` with combinators inside is branches that ask for one case each.
//!
//! Legality: points hold what they would not have come to, so loops and checks in the sides ask whether their side is the point's
//! ([`crate::active`]); and what the branch yields has the same extents at all points. Only of nests on the host: inside a thread
//! block a thread for each point is the least there is. And only where versions are chosen from, or all inner parallelism is
//! asked for (`inner-reduce=parallel`): the work is that of both sides. Otherwise the branch stays in the code of the points.

use crate::active::Active;
use crate::cost::{has_parallelism, region_has_parallelism};
use crate::function::{Flattener, Outcome};
use crate::resized::is_resized;
use crate::view::{Base, Choice, Lifted, Scalar, View};
use crate::{InnerReduce, Versions};
use segra_array::combinator::is_combinator;
use segra_array::types::sizes_and_element;
use segra_ir::interfaces::{is_pure, is_speculatable};
use segra_ir::{Block, Ir, Loc, Op, OpView, Value};
use segra_std::scf;

/// A switch with more cases stays one: branches would nest as deep as it has cases.
const MOST_CASES: usize = 32;

/// Replaces switches with parallelism inside, and those whose cases give arrays of different extents, by branches.
pub(crate) fn branches_for_switches(ir: &mut Ir, func: Op) {
    for op in ir.walk(func) {
        let resizes = |ir: &Ir| ir.results(op).any(|result| is_resized(ir, result));
        if let Some(switch) = ir.cast::<scf::IndexSwitchOp>(op)
            && switch.cases(ir).len() <= MOST_CASES
            && (has_parallelism(ir, op) || resizes(ir))
        {
            switch.to_branches(ir);
        }
    }
}

impl Flattener<'_> {
    /// Flattens both sides of a branch where some parallelism in them can be made for all points; tells whether it did.
    pub(crate) fn flatten_both_sides(&mut self, branch: scf::IfOp) -> Outcome<bool> {
        self.attempt(|this| this.both_sides(branch))
    }

    /// The extents that the types of results say, where they say all.
    fn extents_of_all(&mut self, results: &[Value], loc: Loc) -> Option<Vec<Vec<Scalar>>> {
        let mut extents: Vec<Vec<Scalar>> = Vec::new();
        for &result in results {
            let ty = self.ir.value_type(result);
            let told = self.extents(ty, loc)?;
            extents.push(told.into_iter().map(Scalar::New).collect());
        }
        Some(extents)
    }

    fn both_sides(&mut self, branch: scf::IfOp) -> Outcome<bool> {
        let op = branch.op();
        let loc = self.ir.loc(op);
        let regions = [branch.then_region(self.ir), branch.else_region(self.ir)];
        let blocks: Vec<Block> = regions
            .iter()
            .filter_map(|&region| self.ir.entry_block(region))
            .collect();
        let &[then, otherwise] = blocks.as_slice() else {
            return Ok(false);
        };
        let parallel = regions
            .iter()
            .any(|&region| region_has_parallelism(self.ir, region));
        let results = branch.results(self.ir);
        if results.is_empty() || !parallel || !self.may_be_held(&blocks) {
            return Ok(false);
        }
        let Some(extents) = self.extents_of_all(&results, loc) else {
            return Ok(false);
        };
        if !self.store_expensive(op)? {
            return Ok(false);
        }
        let mut sides: Vec<Vec<Value>> = Vec::new();
        let condition = Lifted::Later(branch.condition(self.ir));
        let active = Active {
            condition: condition.clone(),
            region: regions[0],
        };
        self.env.hold(op, active);
        for block in [then, otherwise] {
            self.forget_checks(block);
            sides.push(self.nest_block(op, block)?);
        }
        if !self.is_any_made(&blocks) {
            return Ok(false);
        }
        let lifted: Option<Vec<[Lifted; 2]>> = (0..results.len())
            .map(|at| Some([self.lifted(sides[0][at])?, self.lifted(sides[1][at])?]))
            .collect();
        let Some(lifted) = lifted else {
            return Ok(false);
        };
        let condition = Box::new(condition);
        for ((&result, sizes), sides) in results.iter().zip(extents).zip(lifted) {
            let (_, element) = sizes_and_element(&self.ctx, self.ir.value_type(result));
            let choice = Choice::Either {
                condition: condition.clone(),
                sides: Box::new(sides),
            };
            self.bind_view(
                result,
                View::derived(Base::Chosen { choice, element }, sizes),
            );
        }
        self.remark_result(op, "both sides are made for all points of the nest");
        Ok(true)
    }

    /// Combinators in the sides of a branch that stays in the code of points are made before it, for all points, where all that
    /// they need is there.
    pub(crate) fn make_before(&mut self, branch: scf::IfOp) -> Outcome<()> {
        let op = branch.op();
        for region in [branch.then_region(self.ir), branch.else_region(self.ir)] {
            let Some(block) = self.ir.entry_block(region) else {
                continue;
            };
            for inner in self.ir.ops(block).collect::<Vec<_>>() {
                let there = |&value: &Value| !self.ir.is_defined_inside(value, op);
                let ready = self.ir.free_values(inner).iter().all(there);
                if ready && is_combinator(self.ir, inner) && self.may_run(inner) {
                    self.nest_op(inner)?;
                }
            }
        }
        Ok(())
    }

    /// Whether some combinator in these blocks is made for all points: not all stay in the code of a point.
    pub(crate) fn is_any_made(&self, blocks: &[Block]) -> bool {
        let mut ops = blocks.iter().flat_map(|&block| self.ir.ops(block));
        ops.any(|op| {
            let mut results = self.ir.results(op);
            has_parallelism(self.ir, op) && results.any(|result| self.env.get(result).is_some())
        })
    }

    /// Whether points may run what they would not have come to, and are to: all parallelism of nests on the host is wanted.
    pub(crate) fn may_run_both(&self, blocks: &[Block]) -> bool {
        let mut ops = blocks.iter().flat_map(|&block| self.ir.ops(block));
        ops.all(|op| self.may_run(op))
    }

    /// The same of an op.
    fn may_run(&self, op: Op) -> bool {
        self.wants_all() && is_pure(self.ir, op) && is_speculatable(self.ir, op)
    }

    /// Whether all parallelism of a nest on the host is wanted.
    pub(crate) fn wants_all(&self) -> bool {
        let wanted = self.options.versions == Versions::Incremental
            || self.options.inner_reduce == InnerReduce::Parallel;
        wanted && self.fixed.is_empty()
    }

    /// The new value for one that a side yields; `None`: an array that only the code of a point has.
    pub(crate) fn lifted(&self, value: Value) -> Option<Lifted> {
        match self.env.get(value) {
            Some(lifted) => Some(lifted.clone()),
            None => {
                let (sizes, _) = sizes_and_element(&self.ctx, self.ir.value_type(value));
                sizes.is_empty().then_some(Lifted::Later(value))
            }
        }
    }
}
