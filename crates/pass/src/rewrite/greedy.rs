//! The greedy driver: rewrites until nothing matches.
//!
//! Every op is looked at once, in order; after that only ops that a change may have made rewritable: users of replaced
//! values, definers of values that lost a use, new ops, modified ops. For each op, in this order: erase it if it is
//! dead, share it if it is a constant, sort its operands if it commutes, fold it, canonicalize it, apply patterns by
//! falling benefit. A round that changed something is followed by another, for patterns that look far away: as far as the
//! isolated symbol they are in (see [`super::units`]). Each of these is rewritten until nothing in it matches, outer ones
//! first; the ops around others are looked at again where something inside those changed.
//! Termination is the patterns' duty; a limit on rounds and one on rewrites end the driver where they fail at it.

use super::build_at;
use super::constants::{Adopted, ConstantPool};
use super::dead_values::LiveValues;
use super::fold::{fold_op, move_constants_right};
use super::pattern::{PatternFilter, PatternSet};
use super::regions::{RegionChanges, RegionSimplification, erase_unreachable_of, simplify_unit};
use super::structured::{self, simplify_structured};
use super::units::{is_unit, walk_unit};
use super::worklist::Worklist;
use crate::pass::Changed;
use segra_ir::interfaces::{FoldResult, Rewriter, is_trivially_dead};
use segra_ir::{Block, Builder, InsertPoint, Ir, Loc, Op, Trait, Value};
use smallvec::SmallVec;
use std::fmt;

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
    /// At most so many rounds over the ops of an isolated symbol; `None`: any number.
    pub max_rounds: Option<u32>,
    /// At most so many rewrites; `None`: in each isolated symbol 100 for every op there is at the start, and 10,000 more.
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
    /// Most rounds over the ops of an isolated symbol.
    pub rounds: u32,
    /// The first limit that ended rewriting early, if one did.
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
        live: LiveValues::new(ir),
        ir,
        patterns,
        config,
        constants: ConstantPool::new(),
        outcome: GreedyOutcome::default(),
        allowed: 0,
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
    live: LiveValues,
    outcome: GreedyOutcome,
    /// The limit on rewrites as it was set, and the count of rewrites at which it is reached.
    allowed: u64,
    limit: u64,
}

/// The kind of a rewrite, for the message of a limit.
enum Rewrite<'a> {
    Folding,
    Canonicalization,
    Pattern(&'a str),
}

impl fmt::Display for Rewrite<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rewrite::Folding => f.write_str("folding"),
            Rewrite::Canonicalization => f.write_str("canonicalization"),
            Rewrite::Pattern(name) => write!(f, "pattern `{name}`"),
        }
    }
}

impl<'a> Driver<'a> {
    fn run(&mut self, root: Op) {
        for sweep in 1.. {
            let before = self.outcome.changes();
            // Units with others inside, outer ones first.
            let mut outer: Vec<Op> = Vec::new();
            let mut pending = vec![root];
            while let Some(unit) = pending.pop() {
                let start = pending.len();
                if unit == root || self.is_there(unit) {
                    self.rewrite_unit(unit, &mut pending);
                }
                if self.used_up() {
                    return;
                }
                if pending.len() > start {
                    outer.push(unit);
                }
                pending[start..].reverse();
            }
            if self.outcome.stopped_by.is_some()
                || outer.is_empty()
                || self.outcome.changes() == before
            {
                return;
            }
            let before = self.outcome.changes();
            for unit in outer.into_iter().rev() {
                if unit == root || self.is_there(unit) {
                    self.rewrite_unit(unit, &mut Vec::new());
                }
            }
            if self.outcome.stopped_by.is_some() || self.outcome.changes() == before {
                return;
            }
            // These changes may have reached into the units inside.
            if self.config.max_rounds == Some(sweep) {
                self.outcome.stopped_by = Some(Limit::Rounds(sweep));
                return;
            }
        }
    }

    /// Whether a unit is still in the program: an op around it may have done away with it.
    fn is_there(&self, unit: Op) -> bool {
        self.ir.block_of(unit).is_some() && is_unit(self.ir, unit)
    }

    /// Whether a limit on all rewrites was reached.
    fn used_up(&self) -> bool {
        self.config.max_rewrites.is_some()
            && matches!(self.outcome.stopped_by, Some(Limit::Rewrites(..)))
    }

    /// Rewrites what is in a unit until nothing matches. Adds the units that stand in it to `nested`, in order.
    fn rewrite_unit(&mut self, unit: Op, nested: &mut Vec<Op>) {
        if self.config.regions != RegionSimplification::Disabled {
            // In code that is never reached a value may be its own operand: rewriting it would not end.
            self.outcome.regions.unreachable += erase_unreachable_of(self.ir, unit);
        }
        let start = nested.len();
        let mut simplified = false;
        for round in 1.. {
            let before = self.outcome.changes();
            self.outcome.rounds = self.outcome.rounds.max(round);
            nested.truncate(start);
            let ops = self.fill(unit, nested);
            if round == 1 {
                self.set_limit(ops);
            }
            if let Some(limit) = self.drain() {
                self.outcome.stopped_by.get_or_insert(limit);
                return;
            }
            // Regions that were simple, and in which nothing changed since, are.
            if !simplified || self.outcome.changes() > before {
                let changes = simplify_unit(self.ir, unit, self.config.regions, &mut self.live);
                simplified = changes.total() == 0;
                self.outcome.regions.add(changes);
            }
            if self.outcome.changes() == before {
                return;
            }
            if self.config.max_rounds == Some(round) {
                let limit = Limit::Rounds(round);
                self.outcome.stopped_by.get_or_insert(limit);
                return;
            }
        }
    }

    fn set_limit(&mut self, ops: u64) {
        let done = self.outcome.folded + self.outcome.rewritten;
        (self.allowed, self.limit) = match self.config.max_rewrites {
            Some(most) => (most, most),
            None => (100 * ops + 10_000, done + 100 * ops + 10_000),
        };
    }

    /// Puts the ops of a unit on the list. How many there are.
    fn fill(&mut self, unit: Op, nested: &mut Vec<Op>) -> u64 {
        let mut count = 0u64;
        // Constants are known by op; region simplification may have erased some.
        self.constants = match self.config.order {
            Order::TopDown => ConstantPool::new(),
            Order::BottomUp => ConstantPool::from_below(),
        };
        let worklist = &mut self.worklist;
        walk_unit(self.ir, unit, &mut |op, inner| {
            if op != unit {
                count += 1;
                worklist.push(op);
            }
            if inner {
                nested.push(op);
            }
        });
        if self.config.order == Order::TopDown {
            self.worklist.reverse();
        }
        count
    }

    /// Looks at the ops on the list until it is empty, or until the limit that is returned.
    fn drain(&mut self) -> Option<Limit> {
        while let Some(op) = self.worklist.pop(self.ir) {
            let name = self.ir.op_name(op);
            let Some(rewrite) = self.visit(op) else {
                continue;
            };
            if self.outcome.folded + self.outcome.rewritten >= self.limit {
                let op = self.ir.ctx().op_name_str(name);
                self.worklist.clear();
                return Some(Limit::Rewrites(
                    self.allowed,
                    format!("{rewrite} of `{op}`"),
                ));
            }
        }
        None
    }

    /// One look at one op. The work that counts against the limit.
    fn visit(&mut self, op: Op) -> Option<Rewrite<'a>> {
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
                    return Some(Rewrite::Folding);
                }
            }
        }
        if self.config.canonicalization == Canonicalization::Use && self.canonicalize(op) {
            self.outcome.rewritten += 1;
            return Some(Rewrite::Canonicalization);
        }
        let patterns = self.patterns;
        for pattern in patterns.matching(self.ir.op_name(op)) {
            if self.config.filter.allows(pattern.name()) && pattern.rewrite(self, op) {
                self.outcome.rewritten += 1;
                return Some(Rewrite::Pattern(pattern.name()));
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
