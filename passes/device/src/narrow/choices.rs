//! Which launches need no kernel with indices of 64 bits, because a choice around them has another side for such sizes.
//!
//! ```mlir
//! %c = kernel.at_least %k, "warp" default 17               %d = arith.ori %c, %large
//! scf.if %c { launch @warp }                        ==>    scf.if %d { if %fits { launch @warp } else { @warp_64 } }
//! else { if %small { launch @lanes } else { @lanes_64 } }  else { launch @lanes }
//! ```
//! A side can take over where
//!
//! * thresholds alone lead to it, whatever the sizes: so it computes the same, for all of them. A side that a comparison of
//!   sizes guards cannot. Thresholds that also decide elsewhere do not count;
//! * the sizes are computed before the choice;
//! * nothing of it goes to the launch's side in turn;
//! * it is meant for such sizes: by [`reach`](super::reach) and the defaults of the thresholds, sizes that need 64 bits are
//!   above thresholds that lead to it, or do not lead to the launch at all. Sizes that lead to the side whatever the
//!   thresholds are (`or` of a comparison) do not count.
//!
//! A threshold that is set so that too large sizes lead to the launch is not followed for those.

use super::reach::{Facts, asked, conjunction, disjunction, negated};
use rustc_hash::{FxHashMap, FxHashSet};
use segra_gpu::host::LaunchFuncOp;
use segra_ir::clone::Mapping;
use segra_ir::interfaces::{Threshold, is_pure, is_speculatable};
use segra_ir::stack::deep;
use segra_ir::{Attr, Builder, Ir, Op, OpView, Value};
use segra_std::arith::{self, CmpIPredicate, index};
use segra_std::scf;
use std::collections::BTreeMap;

/// Combinations of thresholds that lead to a side; more are not tried.
const MOST: usize = 8;
/// Ops that compute a size; more are not repeated before a choice.
const LONGEST: usize = 400;

/// A side of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Then,
    Otherwise,
}

impl Side {
    fn other(self) -> Side {
        match self {
            Side::Then => Side::Otherwise,
            Side::Otherwise => Side::Then,
        }
    }
}

/// A launch whose kernel computes in 32 bits, and the largest index of it.
#[derive(Clone, Copy)]
pub(super) struct Narrowed {
    pub(super) launch: LaunchFuncOp,
    pub(super) largest: Value,
}

/// The largest index of a launch, and choices inside of another one that decide whether it is reached.
struct Reached {
    largest: Value,
    conditions: Vec<Choice>,
}

/// Whether thresholds are always met, or never.
type Forced = BTreeMap<Attr, bool>;

/// A choice around a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Choice {
    op: Op,
    condition: Value,
    /// The side that the launch is on.
    side: Side,
}

/// The choices of a module by thresholds.
pub(super) struct Choices {
    /// The thresholds that conditions ask, by branch.
    asked: FxHashMap<Op, FxHashSet<Attr>>,
    /// Thresholds whose comparisons are more than conditions of branches.
    elsewhere: FxHashSet<Attr>,
}

impl Choices {
    pub(super) fn of(ir: &Ir, module: Op) -> Choices {
        let mut choices = Choices {
            asked: FxHashMap::default(),
            elsewhere: FxHashSet::default(),
        };
        for op in ir.walk(module) {
            if let Some(asked) = ir.interface::<dyn Threshold>(op) {
                choices.follow(ir, ir.result(op, 0), asked.name(ir, op));
            }
        }
        choices
    }

    /// Finds the branches that a condition decides.
    fn follow(&mut self, ir: &Ir, condition: Value, name: Attr) {
        for user in ir.users(condition) {
            let combined = ir.isa::<arith::AndIOp>(user)
                || ir.isa::<arith::OrIOp>(user)
                || ir.isa::<arith::XOrIOp>(user);
            if combined {
                deep(|| self.follow(ir, ir.result(user, 0), name));
            } else if ir.isa::<scf::IfOp>(user) {
                self.asked.entry(user).or_default().insert(name);
            } else {
                self.elsewhere.insert(name);
            }
        }
    }

    /// The launches that leave sizes of more than `limit` to another side of a choice, which is done here.
    pub(super) fn leave(
        &self,
        ir: &mut Ir,
        launches: &[Narrowed],
        limit: i64,
    ) -> FxHashSet<LaunchFuncOp> {
        let mut open: Vec<(LaunchFuncOp, Vec<(Choice, Reached)>)> = launches
            .iter()
            .map(|&narrowed| (narrowed.launch, self.possible(ir, narrowed)))
            .collect();
        // Those that have the least to choose from come first; of equal ones the last of the program, which are innermost.
        open.reverse();
        open.sort_by_key(|(_, choices)| choices.len());
        let mut taken = Vec::<(Choice, Vec<Reached>)>::new();
        let mut left = FxHashSet::default();
        while !open.is_empty() {
            let free = |choice: &Choice| taken.iter().all(|(other, _)| other.op != choice.op);
            let Some(choice) = best_of_first(&open, free) else {
                open.remove(0);
                continue;
            };
            let mut sizes = Vec::new();
            open.retain_mut(|(launch, choices)| {
                let at = choices.iter().position(|(other, _)| *other == choice);
                if let Some(at) = at {
                    left.insert(*launch);
                    sizes.push(choices.swap_remove(at).1);
                }
                at.is_none()
            });
            taken.push((choice, sizes));
        }
        for (choice, sizes) in taken {
            guard(ir, choice, &sizes, limit);
        }
        left
    }

    /// The choices whose other side can take over, innermost first.
    fn possible(&self, ir: &Ir, narrowed: Narrowed) -> Vec<(Choice, Reached)> {
        let around = choices_around(ir, narrowed.launch.op());
        let before = |value, choice| can_stand_before(ir, value, choice, &mut FxHashSet::default());
        let usable = |at: usize| {
            let (inner, outer) = around.split_at(at);
            let (&choice, outer) = outer.split_first()?;
            let usable =
                before(narrowed.largest, choice.op) && self.always_right(ir, &around[at..]);
            if !usable {
                return None;
            }
            let largest = narrowed.largest;
            let mut conditions = Vec::new();
            if !is_meant(ir, choice, [&conditions, outer], largest) {
                // Sizes for which the launch is not reached do not count, if they are known before.
                let asked = inner.iter().copied();
                let asked = asked.filter(|inner| {
                    !asks_thresholds(ir, inner.condition) && before(inner.condition, choice.op)
                });
                conditions = asked.collect();
                if conditions.is_empty() || !is_meant(ir, choice, [&conditions, outer], largest) {
                    return None;
                }
            }
            Some((
                choice,
                Reached {
                    largest,
                    conditions,
                },
            ))
        };
        (0..around.len()).filter_map(usable).collect()
    }

    /// Whether thresholds alone lead to the other side of the first choice, whatever the sizes; the others are around it.
    fn always_right(&self, ir: &Ir, around: &[Choice]) -> bool {
        let Some((&choice, outer)) = around.split_first() else {
            return false;
        };
        let wanted = choice.side.other();
        force(ir, choice.condition, wanted == Side::Then)
            .into_iter()
            .any(|mut forced| {
                self.is_free(ir, &forced, (choice.op, wanted))
                    && outer
                        .iter()
                        .all(|outer| self.still_leads(ir, *outer, &mut forced))
                    && self.decides_only(&forced, around)
            })
    }

    /// Whether nothing on a side of a choice asks thresholds.
    fn is_free(&self, ir: &Ir, forced: &Forced, (choice, side): (Op, Side)) -> bool {
        let region = ir.region(choice, usize::from(side == Side::Otherwise));
        let inside = |branch: Op| {
            ir.ancestors(branch)
                .any(|op| ir.block_of(op).and_then(|block| ir.block_region(block)) == Some(region))
        };
        self.asked.iter().all(|(&branch, names)| {
            !names.iter().any(|name| forced.contains_key(name)) || !inside(branch)
        })
    }

    /// Whether an outer choice leads to what is inside still; maybe by thresholds of its own, which are added.
    fn still_leads(&self, ir: &Ir, outer: Choice, forced: &mut Forced) -> bool {
        let asked = self.asked.get(&outer.op);
        if !asked.is_some_and(|names| names.iter().any(|name| forced.contains_key(name))) {
            return true;
        }
        let own = force(ir, outer.condition, outer.side == Side::Then)
            .into_iter()
            .find(|own| self.is_free(ir, own, (outer.op, outer.side)));
        own.is_some_and(|own| {
            forced.extend(own);
            true
        })
    }

    /// Whether thresholds decide none but some choices.
    fn decides_only(&self, forced: &Forced, choices: &[Choice]) -> bool {
        !forced.keys().any(|name| self.elsewhere.contains(name))
            && self.asked.iter().all(|(branch, names)| {
                choices.iter().any(|choice| choice.op == *branch)
                    || !names.iter().any(|name| forced.contains_key(name))
            })
    }
}

/// The choice of the first launch that most others have as well, so that few choices ask for widths; the innermost of those.
fn best_of_first(
    open: &[(LaunchFuncOp, Vec<(Choice, Reached)>)],
    free: impl Fn(&Choice) -> bool,
) -> Option<Choice> {
    let (_, choices) = open.first()?;
    let choices = choices.iter().map(|&(choice, _)| choice).filter(free);
    // Of equal ones `max_by_key` takes the last.
    let mut outermost_first: Vec<Choice> = choices.collect();
    outermost_first.reverse();
    let shared = |choice: &Choice| {
        let has = |choices: &[(Choice, Reached)]| choices.iter().any(|(other, _)| other == choice);
        open.iter().filter(|(_, choices)| has(choices)).count()
    };
    outermost_first.into_iter().max_by_key(shared)
}

/// The choices that a launch is in, innermost first.
fn choices_around(ir: &Ir, launch: Op) -> Vec<Choice> {
    let mut found = Vec::new();
    let mut inner = launch;
    for op in ir.ancestors(launch).skip(1) {
        if let Some(branch) = ir.cast::<scf::IfOp>(op) {
            let region = ir.block_of(inner).and_then(|block| ir.block_region(block));
            let side = match region == Some(ir.region(op, 0)) {
                true => Side::Then,
                false => Side::Otherwise,
            };
            // A branch of one side has no version for other sizes.
            let two = (0..2).all(|index| ir.entry_block(ir.region(op, index)).is_some());
            let condition = branch.condition(ir);
            if two {
                found.push(Choice {
                    op,
                    condition,
                    side,
                });
            }
        }
        inner = op;
    }
    found
}

/// The sets of thresholds that decide a condition, whatever the sizes.
fn force(ir: &Ir, condition: Value, holds: bool) -> Vec<Forced> {
    if let Some(inner) = negated(ir, condition) {
        return deep(|| force(ir, inner, !holds));
    }
    if let Some((op, asked)) = asked(ir, condition) {
        return vec![Forced::from([(asked.name(ir, op), holds)])];
    }
    let (either, both) = match holds {
        true => (disjunction(ir, condition), conjunction(ir, condition)),
        false => (conjunction(ir, condition), disjunction(ir, condition)),
    };
    let mut found = Vec::new();
    if let Some((x, y)) = either {
        found.extend(deep(|| force(ir, x, holds)));
        found.extend(deep(|| force(ir, y, holds)));
    } else if let Some((x, y)) = both {
        let second = deep(|| force(ir, y, holds));
        for x in deep(|| force(ir, x, holds)) {
            for y in &second {
                let agree = y
                    .iter()
                    .all(|(name, met)| x.get(name).is_none_or(|other| other == met));
                if agree {
                    found.push(x.iter().chain(y).map(|(&name, &met)| (name, met)).collect());
                }
            }
        }
    }
    found.truncate(MOST);
    found
}

/// Whether a condition is thresholds, combined with others.
fn asks_thresholds(ir: &Ir, condition: Value) -> bool {
    let inner = negated(ir, condition).map(|inner| (inner, inner));
    let both = inner.or_else(|| conjunction(ir, condition).or_else(|| disjunction(ir, condition)));
    asked(ir, condition).is_some()
        || both.is_some_and(|(x, y)| {
            deep(|| asks_thresholds(ir, x)) || deep(|| asks_thresholds(ir, y))
        })
}

/// Whether sizes that are too large for a launch are those that the other side of a choice is for; by the conditions of
/// other choices, those inside of it and those around it.
fn is_meant(ir: &Ir, choice: Choice, [inner, outer]: [&[Choice]; 2], largest: Value) -> bool {
    let fits = |condition: Value, holds: bool, others: &[Value]| {
        let mut facts = Facts::new(ir);
        // Bounds of a dividend come first, so that the quotient's divisor is bounded by them.
        for other in inner.iter().chain(outer).rev() {
            facts.assume(other.condition, other.side == Side::Then);
        }
        facts.assume(condition, holds);
        for &other in others {
            facts.assume(other, false);
        }
        let limit = i128::from(i32::MAX);
        let mut fits = |size| facts.upper(size).is_some_and(|size| size <= limit);
        largest_of(ir, largest).into_iter().all(&mut fits)
    };
    match choice.side {
        Side::Then => fits(choice.condition, true, &[]),
        Side::Otherwise => {
            let sizes = sizes_asked(ir, choice.condition);
            let fits = |asked| fits(asked, false, &sizes);
            is_met_above(ir, choice.condition, true, &fits) == Some(true)
        }
    }
}

/// The numbers of which a value is the largest.
fn largest_of(ir: &Ir, mut largest: Value) -> Vec<Value> {
    let mut found = Vec::new();
    while let Some(of) = ir.def_as::<arith::MaxUIOp>(largest) {
        found.push(of.rhs(ir));
        largest = of.lhs(ir);
    }
    found.push(largest);
    found
}

/// Whether sizes that are too large for a launch make a condition hold by thresholds that are met, where all below one of
/// those fit: either part of a disjunction is enough, a conjunction takes all parts; none where no threshold is met.
fn is_met_above(
    ir: &Ir,
    condition: Value,
    holds: bool,
    fits: &dyn Fn(Value) -> bool,
) -> Option<bool> {
    if let Some(inner) = negated(ir, condition) {
        return deep(|| is_met_above(ir, inner, !holds, fits));
    }
    if asked(ir, condition).is_some() {
        return holds.then(|| fits(condition));
    }
    let (either, both) = match holds {
        true => (disjunction(ir, condition), conjunction(ir, condition)),
        false => (conjunction(ir, condition), disjunction(ir, condition)),
    };
    let parts = |(x, y): (Value, Value)| {
        let told = [x, y].map(|part| deep(|| is_met_above(ir, part, holds, fits)));
        told.into_iter().flatten()
    };
    match (either, both) {
        (Some(either), _) => parts(either).reduce(|x, y| x || y),
        (None, Some(both)) => parts(both).reduce(|x, y| x && y),
        (None, None) => None,
    }
}

/// The parts of a disjunction that ask no thresholds: where one holds, the condition does, whatever these are set to.
fn sizes_asked(ir: &Ir, condition: Value) -> Vec<Value> {
    match disjunction(ir, condition) {
        Some((x, y)) => [x, y]
            .into_iter()
            .flat_map(|part| deep(|| sizes_asked(ir, part)))
            .collect(),
        None if asks_thresholds(ir, condition) => Vec::new(),
        None => vec![condition],
    }
}

/// Whether a value that is computed inside of `choice` can be computed before it.
fn can_stand_before(ir: &Ir, value: Value, choice: Op, seen: &mut FxHashSet<Op>) -> bool {
    let Some(op) = ir.defining_op(value) else {
        let owner = ir
            .value_block(value)
            .and_then(|block| ir.block_parent(block));
        return owner.is_some_and(|owner| !ir.is_inside(owner, choice));
    };
    if !ir.is_inside(op, choice) || seen.contains(&op) {
        return true;
    }
    let moves = op != choice
        && ir.regions(op).is_empty()
        && is_pure(ir, op)
        && (is_speculatable(ir, op) || divisor(ir, op).is_some())
        && seen.len() < LONGEST;
    seen.insert(op);
    moves
        && ir
            .operands(op)
            .all(|operand| deep(|| can_stand_before(ir, operand, choice, seen)))
}

/// The divisor of a quotient of indices.
fn divisor(ir: &Ir, op: Op) -> Option<Value> {
    arith::integer_divisor(ir, op).filter(|&by| ir.value_type(by).is_index(ir.ctx()))
}

/// A copy before `choice` of a value that is computed inside of it.
fn before(ir: &mut Ir, value: Value, choice: Op, copies: &mut Mapping) -> Value {
    let Some(op) = ir.defining_op(value) else {
        return value;
    };
    if !ir.is_inside(op, choice) || copies.get(value) != value {
        return copies.get(value);
    }
    for operand in ir.operands(op).collect::<Vec<_>>() {
        deep(|| before(ir, operand, choice, copies));
    }
    let copy = Builder::before(ir, choice).clone_op(op, copies);
    if !is_speculatable(ir, copy) {
        // A divisor that is not 0 where the launch is reached.
        let mut operands: Vec<Value> = ir.operands(copy).collect();
        let mut b = Builder::before(ir, copy);
        let one = index::constant(&mut b, 1);
        operands[1] = index::max(&mut b, operands[1], one);
        ir.set_operands(copy, &operands);
    }
    copies.get(value)
}

/// Sizes of more than `limit` go to the other side of a choice.
fn guard(ir: &mut Ir, choice: Choice, sizes: &[Reached], limit: i64) {
    let mut copies = Mapping::new();
    let mut all = None;
    for size in sizes {
        let mut largest = before(ir, size.largest, choice.op, &mut copies);
        for inner in &size.conditions {
            let condition = before(ir, inner.condition, choice.op, &mut copies);
            let mut b = Builder::before(ir, choice.op);
            let none = index::constant(&mut b, 0);
            let (then, otherwise) = match inner.side {
                Side::Then => (largest, none),
                Side::Otherwise => (none, largest),
            };
            largest = arith::SelectOp::build(&mut b, condition, then, otherwise).result(b.ir);
        }
        all = Some(match all {
            None => largest,
            Some(others) => {
                let mut b = Builder::before(ir, choice.op);
                arith::MaxUIOp::build(&mut b, others, largest).result(b.ir)
            }
        });
    }
    let Some(largest) = all else { return };
    let mut b = Builder::before(ir, choice.op);
    let limit = index::constant(&mut b, limit);
    let condition = match choice.side {
        Side::Then => {
            let fits = index::cmp(&mut b, CmpIPredicate::Ule, largest, limit);
            arith::AndIOp::build(&mut b, choice.condition, fits).result(b.ir)
        }
        Side::Otherwise => {
            let large = index::cmp(&mut b, CmpIPredicate::Ugt, largest, limit);
            arith::OrIOp::build(&mut b, choice.condition, large).result(b.ir)
        }
    };
    ir.set_operands(choice.op, &[condition]);
}
