//! The greedy driver: rewrites until nothing matches.
//!
//! Every op is looked at once, in order; after that only ops that a change may have made rewritable: users of replaced
//! values, definers of values that lost a use, new ops, modified ops. For each op, in this order: erase it if it is
//! dead, share it if it is a constant, sort its operands if it commutes, fold it, canonicalize it, apply patterns by
//! falling benefit. A round that changed something is followed by another, for patterns that look far away.
//! Termination is the patterns' duty; a limit on rounds and one on rewrites end the driver where they fail at it.

use super::build_at;
use super::constants::{Adopted, ConstantPool};
use super::fold::{fold_op, move_constants_right};
use super::pattern::{PatternFilter, PatternSet};
use super::regions::{
    RegionChanges, RegionSimplification, erase_unreachable_blocks, simplify_regions,
};
use super::structured::{self, simplify_structured};
use super::worklist::Worklist;
use crate::pass::Changed;
use segra_ir::interfaces::{FoldResult, Rewriter, is_trivially_dead};
use segra_ir::{Block, Builder, InsertPoint, Ir, Loc, Op, Trait, Value};
use smallvec::SmallVec;

/// In which order ops are looked at first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As they stand in the text.
    #[default]
    TopDown,
    /// The other way round.
    BottomUp,
}

/// Whether ops' own `Canonicalize` interface is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Canonicalization {
    /// It is.
    #[default]
    Use,
    /// Only the given patterns are.
    Skip,
}

/// Which ops are folded, their constants shared and moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Folds {
    /// All.
    #[default]
    All,
    /// Those whose name the filter allows.
    Allowed,
}

/// How the driver works.
#[derive(Clone, Debug)]
pub struct GreedyConfig {
    /// In which order ops are looked at first.
    pub order: Order,
    /// Whether ops' own canonicalization is used.
    pub canonicalization: Canonicalization,
    /// Which ops are folded.
    pub folds: Folds,
    /// How regions are simplified between rounds.
    pub regions: RegionSimplification,
    /// Which patterns and canonicalizations are used.
    pub filter: PatternFilter,
    /// At most so many rounds; `None`: any number.
    pub max_rounds: Option<u32>,
    /// At most so many rewrites; `None`: 100 for every op there is at the start, and 10,000 more.
    pub max_rewrites: Option<u64>,
}

impl Default for GreedyConfig {
    fn default() -> Self {
        GreedyConfig {
            order: Order::TopDown,
            canonicalization: Canonicalization::Use,
            folds: Folds::All,
            regions: RegionSimplification::Normal,
            filter: PatternFilter::default(),
            max_rounds: Some(10),
            max_rewrites: None,
        }
    }
}

/// Which limit ended the driver before nothing matched any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The limit on rounds.
    Rounds(u32),
    /// The limit on rewrites, with the rewrite that would have been next to the last.
    Rewrites(u64, String),
}

/// The work of the driver.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GreedyOutcome {
    /// Ops folded.
    pub folded: u64,
    /// Dead ops erased.
    pub erased_dead: u64,
    /// Rewrites by canonicalization and patterns.
    pub rewritten: u64,
    /// Constants shared or moved, operands sorted.
    pub normalized: u64,
    /// Changes of regions between rounds.
    pub regions: RegionChanges,
    /// Rounds over all ops.
    pub rounds: u32,
    /// The limit that ended it early, if one did.
    pub stopped_by: Option<Limit>,
}

impl GreedyOutcome {
    /// Whether anything changed.
    pub fn changed(&self) -> Changed {
        Changed::when(self.changes() > 0)
    }
    fn changes(&self) -> u64 {
        self.folded + self.erased_dead + self.rewritten + self.normalized + self.regions.total()
    }
    /// The description of a limit, for a remark.
    pub fn limit_message(&self) -> Option<String> {
        match self.stopped_by.as_ref()? {
            Limit::Rounds(rounds) => Some(format!(
                "still changed in round {rounds}, the last one allowed"
            )),
            Limit::Rewrites(count, last) => Some(format!(
                "rewriting stopped at the limit of {count} rewrites; the last one was {last}"
            )),
        }
    }
}

/// Rewrites everything inside `root` (not `root` itself) until nothing matches or a limit is reached.
pub fn greedy(
    ir: &mut Ir,
    root: Op,
    patterns: &PatternSet,
    config: &GreedyConfig,
) -> GreedyOutcome {
    let mut driver = Driver {
        worklist: Worklist::new(ir),
        ir,
        patterns,
        config,
        constants: ConstantPool::new(),
        outcome: GreedyOutcome::default(),
        limit: 0,
    };
    driver.run(root);
    driver.outcome
}

struct Driver<'a> {
    ir: &'a mut Ir,
    patterns: &'a PatternSet,
    config: &'a GreedyConfig,
    worklist: Worklist,
    constants: ConstantPool,
    outcome: GreedyOutcome,
    limit: u64,
}

impl Driver<'_> {
    fn run(&mut self, root: Op) {
        if self.config.regions != RegionSimplification::Disabled {
            // In code that is never reached a value may be its own operand: rewriting it would not end.
            self.outcome.regions.unreachable = erase_unreachable_blocks(self.ir, root) as u64;
        }
        loop {
            let before = self.outcome.changes();
            self.outcome.rounds += 1;
            self.fill(root);
            self.drain();
            if self.outcome.stopped_by.is_some() {
                return;
            }
            self.outcome
                .regions
                .add(simplify_regions(self.ir, root, self.config.regions));
            if self.outcome.changes() == before {
                return;
            }
            if self.config.max_rounds == Some(self.outcome.rounds) {
                self.outcome.stopped_by = Some(Limit::Rounds(self.outcome.rounds));
                return;
            }
        }
    }

    fn fill(&mut self, root: Op) {
        let mut count = 0u64;
        // Constants are known by op; region simplification may have erased some.
        self.constants = ConstantPool::new();
        let worklist = &mut self.worklist;
        self.ir.walk_with(root, &mut |op| {
            if op != root {
                count += 1;
                worklist.push(op);
            }
        });
        if self.config.order == Order::TopDown {
            self.worklist.reverse();
        }
        if self.limit == 0 {
            self.limit = self.config.max_rewrites.unwrap_or(100 * count + 10_000);
        }
    }

    fn drain(&mut self) {
        while let Some(op) = self.worklist.pop(self.ir) {
            let name = self.ir.op_name(op);
            let Some(rewrite) = self.visit(op) else {
                continue;
            };
            if self.outcome.folded + self.outcome.rewritten >= self.limit {
                let op = self.ir.ctx().op_name_str(name);
                self.outcome.stopped_by =
                    Some(Limit::Rewrites(self.limit, format!("{rewrite} of `{op}`")));
                self.worklist.clear();
            }
        }
    }

    /// One look at one op. The work that counts against the limit.
    fn visit(&mut self, op: Op) -> Option<String> {
        if is_trivially_dead(self.ir, op) {
            self.outcome.erased_dead += 1;
            self.erase_op(op);
            return None;
        }
        let folds =
            self.config.folds == Folds::All || self.config.filter.allows(self.ir.op_name_str(op));
        match self.ir.has_trait(op, Trait::ConstantLike) {
            _ if !folds => {}
            true if self.share_constant(op) => return None,
            true => {}
            false => {
                if move_constants_right(self.ir, op) {
                    self.outcome.normalized += 1;
                }
                if self.fold(op) {
                    self.outcome.folded += 1;
                    return Some("folding".to_owned());
                }
            }
        }
        if self.config.canonicalization == Canonicalization::Use && self.canonicalize(op) {
            self.outcome.rewritten += 1;
            return Some("canonicalization".to_owned());
        }
        let patterns = self.patterns;
        for pattern in patterns.matching(self.ir.op_name(op)) {
            if self.config.filter.allows(pattern.name()) && pattern.rewrite(self, op) {
                self.outcome.rewritten += 1;
                return Some(format!("pattern `{}`", pattern.name()));
            }
        }
        None
    }

    fn canonicalize(&mut self, op: Op) -> bool {
        let own = self.ir.info(op).and_then(|info| info.canonicalize);
        let own = own.filter(|_| self.config.filter.allows(self.ir.op_name_str(op)));
        own.is_some_and(|own| own.canonicalize(self, op))
            || !self.ir.regions(op).is_empty()
                && self.config.filter.allows(structured::REGION_BRANCH)
                && simplify_structured(self, op)
    }

    /// Replaces a constant by an equal one that is already known. Whether it did.
    fn share_constant(&mut self, op: Op) -> bool {
        match self.constants.adopt(self.ir, op) {
            Adopted::Kept => false,
            Adopted::Moved => {
                self.outcome.normalized += 1;
                false
            }
            Adopted::Duplicate(known) => {
                self.outcome.normalized += 1;
                let value = self.ir.result(known, 0);
                self.replace_op(op, &[value]);
                true
            }
        }
    }

    fn fold(&mut self, op: Op) -> bool {
        // Nobody asks for its results: it was kept for its effects, maybe after it was folded.
        if self.ir.results(op).all(|result| !self.ir.has_uses(result)) {
            return false;
        }
        let Some(found) = fold_op(self.ir, op) else {
            return false;
        };
        let mut values: SmallVec<[Value; 4]> = SmallVec::new();
        for (index, found) in found.into_iter().enumerate() {
            let result = self.ir.result(op, index);
            match found {
                FoldResult::Value(value) => values.push(value),
                // Nobody asks for this constant: the result stays as it is.
                FoldResult::Attr(_) if !self.ir.has_uses(result) => values.push(result),
                FoldResult::Attr(attr) => {
                    let ty = self.ir.value_type(result);
                    let Some((made, new)) = self.constants.get(self.ir, op, attr, ty) else {
                        return false;
                    };
                    if new {
                        self.worklist.push(made);
                    }
                    values.push(self.ir.result(made, 0));
                }
            }
        }
        let results: SmallVec<[Value; 4]> = self.ir.results(op).collect();
        if results == values {
            return false;
        }
        for (result, value) in results.into_iter().zip(values) {
            self.replace_value(result, value);
        }
        // Its results are unused now; effects, if it has any, keep it.
        if is_trivially_dead(self.ir, op) {
            self.erase_op(op);
        }
        true
    }

    fn push_users(&mut self, value: Value) {
        for user in self.ir.users(value) {
            self.worklist.push(user);
        }
    }

    /// The ops that define what `op` and the ops inside it use: they lose a use.
    fn push_definers(&mut self, op: Op) {
        let mut push = |nested: Op| {
            for value in self.ir.operands(nested) {
                if let Some(definer) = self.ir.defining_op(value) {
                    self.worklist.push(definer);
                }
            }
        };
        if self.ir.regions(op).is_empty() {
            push(op);
        } else {
            self.ir.walk_with(op, &mut push);
        }
    }

    fn push_all(&mut self, first: Option<Op>, end: Option<Op>) {
        let mut at = first;
        while let Some(op) = at
            && at != end
        {
            let worklist = &mut self.worklist;
            self.ir.walk_with(op, &mut |nested| worklist.push(nested));
            at = self.ir.next_op(op);
        }
    }
}

impl Rewriter for Driver<'_> {
    fn ir(&self) -> &Ir {
        self.ir
    }
    fn build_at(&mut self, point: InsertPoint, loc: Loc, build: &mut dyn FnMut(&mut Builder<'_>)) {
        let (first, end) = build_at(self.ir, point, loc, build);
        self.push_all(first, end);
    }
    fn replace_op(&mut self, op: Op, values: &[Value]) {
        let results: SmallVec<[Value; 4]> = self.ir.results(op).collect();
        assert_eq!(values.len(), results.len(), "one replacement per result");
        for (&result, &value) in results.iter().zip(values) {
            self.replace_value(result, value);
        }
        self.erase_op(op);
    }
    fn replace_value(&mut self, from: Value, to: Value) {
        if from == to {
            return;
        }
        self.push_users(from);
        self.ir.replace_all_uses(from, to);
        if let Some(definer) = self.ir.defining_op(from) {
            self.worklist.push(definer);
        }
    }
    fn erase_op(&mut self, op: Op) {
        self.push_definers(op);
        self.constants.forget(self.ir, op);
        self.ir.erase_op(op);
    }
    fn modify(&mut self, op: Op, change: &mut dyn FnMut(&mut Ir)) {
        // Values used before the change may be dead after it.
        self.push_definers(op);
        change(self.ir);
        self.worklist.push(op);
        let results: SmallVec<[Value; 4]> = self.ir.results(op).collect();
        results
            .into_iter()
            .for_each(|result| self.push_users(result));
    }
    fn inline_block_before(&mut self, from: Block, before: Op, args: &[Value]) {
        let first = self.ir.first_op(from);
        self.ir.inline_block_before(from, before, args);
        self.push_all(first, first.and(Some(before)));
    }
}
