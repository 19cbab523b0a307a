//! The part of a point's code that tells how large its arrays are.
//!
//! Sizes come from scalars, and those from loops, branches and elements of other arrays. A value is known before the point
//! runs, or at most as large as one that is, or not at all: elements of arrays whose extents differ themselves.
//!
//! ```text
//! if last a > 0 then a ++ [x] else a     has at most the larger extent of both ways
//! ```
//! Legality of "at most": sums, products with what is not negative, quotients (without sign those of what is not negative),
//! differences to what is known, minima and maxima, and both ways of a branch, which are then computed one after the other:
//! only where all of them may be.
//!
//! ```text
//! while c a { a = filter p a }           has at most the extent of the first a
//! ```
//! Loops with arrays inside may run how often nobody knows where the numbers that they carry do not grow: the next one is made
//! of those of this round and of what all rounds have by minima, maxima, quotients, and differences. The largest of each is
//! found in as many rounds as there are numbers ([`Needed::rounds`]). Otherwise the op is the error.

use super::facts::{is_not_negative, least};
use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::interfaces::{all_handed_on, constant_of, is_speculatable};
use segra_ir::{Ir, Op, Region, Value, ValueDef};
use segra_kernel::extent::{resolved, sizes_of};
use segra_kernel::segop::SegmentedOp;
use segra_std::check::RequireOp;
use segra_std::tensor::DimOp;
use segra_std::{arith, scf};

/// How much of a value is known before the point runs; more first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    /// The value.
    #[default]
    Exactly,
    /// A number that it does not exceed.
    AtMost,
    Nothing,
}

/// The part of a point's code that extents need.
#[derive(Default)]
pub(super) struct Needed {
    /// Ops that say how large an array is.
    pub(super) irregular: FxHashSet<Op>,
    /// Ops around those.
    pub(super) around: FxHashSet<Op>,
    pub(super) values: FxHashSet<Value>,
    root: Option<Op>,
    known: FxHashMap<Value, Known>,
    /// Of `around`, loops of which nobody knows how often they run.
    endless: FxHashSet<Op>,
}

impl Needed {
    /// An op that extents cannot be computed without is the error.
    pub(super) fn of(ir: &Ir, root: Op, irregular: &[Op]) -> Result<Needed, Op> {
        let mut needed = Needed {
            irregular: irregular.iter().copied().collect(),
            root: Some(root),
            ..Needed::default()
        };
        let mut sizes = Vec::new();
        for &array in irregular {
            sizes.extend(sizes_of(ir, array));
            let around = ir.ancestors(array).skip(1);
            needed.around.extend(around.take_while(|&op| op != root));
        }
        let mut around: Vec<Op> = needed.around.iter().copied().collect();
        around.sort_by_key(|&op| ir.ancestors(op).count());
        let mut controls = Vec::new();
        for &op in &around {
            controls.push((op, needed.controls(ir, op)?));
        }
        let roots = controls
            .iter()
            .flat_map(|(_, values)| values.iter().copied())
            .chain(sizes.iter().copied());
        let roots: Vec<Value> = roots.collect();
        let is_known = |needed: &Needed, values: &[Value]| {
            let mut values = values.iter();
            values.all(|&value| needed.known(ir, value) == Known::Exactly)
        };
        loop {
            needed.settle(ir, roots.clone());
            let unknown = controls.iter().filter(|(op, values)| {
                !is_known(&needed, values)
                    && ir.cast::<scf::IfOp>(*op).is_none()
                    && !needed.endless.contains(op)
            });
            let unknown: Vec<Op> = unknown.map(|&(op, _)| op).collect();
            if unknown.is_empty() {
                break;
            }
            for op in unknown {
                if !is_loop(ir, op) {
                    return Err(op);
                }
                needed.endless.insert(op);
            }
            needed.known.clear();
        }
        for (_, values) in controls {
            if is_known(&needed, &values) {
                needed.take(ir, values);
            }
        }
        for (&array, size) in irregular.iter().flat_map(|array| {
            sizes_of(ir, *array)
                .into_iter()
                .map(move |size| (array, size))
        }) {
            if needed.known(ir, size) == Known::Nothing {
                return Err(array);
            }
        }
        needed.take(ir, sizes);
        needed.may_run(ir)?;
        match around.iter().find(|&&op| needed.grows(ir, op)) {
            Some(&op) => Err(op),
            None => Ok(needed),
        }
    }

    /// The values that decide how often what is in `op` runs.
    fn controls(&self, ir: &Ir, op: Op) -> Result<Vec<Value>, Op> {
        if let Some(looped) = ir.cast::<scf::ForOp>(op) {
            return Ok(vec![
                looped.lower_bound(ir),
                looped.upper_bound(ir),
                looped.step(ir),
            ]);
        }
        if let Some(branch) = ir.cast::<scf::IfOp>(op) {
            return Ok(vec![branch.condition(ir)]);
        }
        if let Some(looped) = ir.cast::<scf::WhileOp>(op) {
            let condition = ir.last_op(looped.before_block(ir)).ok_or(op)?;
            return Ok(ir.operands(condition).take(1).collect());
        }
        let model = ir.interface::<dyn SegmentedOp>(op).ok_or(op)?;
        Ok(model.sizes(ir, op))
    }

    fn is_inside(&self, ir: &Ir, value: Value) -> bool {
        self.root
            .is_some_and(|root| ir.is_defined_inside(value, root))
    }

    fn known(&self, ir: &Ir, value: Value) -> Known {
        match self.is_inside(ir, value) {
            true => self.known.get(&value).copied().unwrap_or_default(),
            false => Known::Exactly,
        }
    }

    /// How much is known of all values that `roots` come from: as much as possible, then less until nothing changes.
    fn settle(&mut self, ir: &Ir, roots: Vec<Value>) {
        let mut order = Vec::new();
        let mut pending = roots;
        let mut users: FxHashMap<Value, Vec<Value>> = FxHashMap::default();
        while let Some(value) = pending.pop() {
            if !self.is_inside(ir, value) || self.known.contains_key(&value) {
                continue;
            }
            self.known.insert(value, Known::Exactly);
            order.push(value);
            for source in self.sources(ir, value) {
                users.entry(source).or_default().push(value);
                pending.push(source);
            }
        }
        while let Some(value) = order.pop() {
            let found = self.transfer(ir, value).max(self.known(ir, value));
            if self.known.insert(value, found) != Some(found) {
                order.extend(users.get(&value).into_iter().flatten());
            }
        }
    }

    /// The values that a value comes from.
    fn sources(&self, ir: &Ir, value: Value) -> Vec<Value> {
        let op = match ir.value_def(value) {
            ValueDef::Argument { .. } => return all_handed_on(ir, value),
            ValueDef::Result { op, .. } => op,
        };
        if ir.isa::<DimOp>(op) {
            let origin = resolved(ir, value);
            if origin != value {
                return vec![origin];
            }
        }
        if self.around.contains(&op) {
            let mut sources = all_handed_on(ir, value);
            sources.extend(ir.cast::<scf::IfOp>(op).map(|branch| branch.condition(ir)));
            return sources;
        }
        let mut sources = least(ir, op).unwrap_or_default();
        for inner in ir.walk(op) {
            let outside = |operand: &Value| !ir.is_defined_inside(*operand, op);
            sources.extend(ir.operands(inner).filter(outside));
        }
        sources
    }

    fn transfer(&self, ir: &Ir, value: Value) -> Known {
        let known = |value: Value| self.known(ir, value);
        let sources = self.sources(ir, value);
        let most = sources
            .iter()
            .map(|&value| known(value))
            .max()
            .unwrap_or_default();
        let op = match ir.value_def(value) {
            ValueDef::Argument { block, .. } => ir.block_parent(block),
            ValueDef::Result { op, .. } => Some(op),
        };
        if op.is_some_and(|op| self.endless.contains(&op)) {
            // No number counts the rounds.
            return match sources.is_empty() {
                true => Known::Nothing,
                false => self.of_number(ir, value, most.max(Known::AtMost)),
            };
        }
        let ValueDef::Result { op, .. } = ir.value_def(value) else {
            return self.of_number(ir, value, most);
        };
        let parallel = ir.interface::<dyn SegmentedOp>(op).is_some();
        let mut inside = ir.walk(op).into_iter();
        if (parallel || !self.around.contains(&op))
            && inside.any(|inner| self.irregular.contains(&inner))
        {
            return Known::Nothing;
        }
        if most == Known::Exactly || ir.isa::<DimOp>(op) {
            return most;
        }
        if self.around.contains(&op) {
            let ways = all_handed_on(ir, value).into_iter().map(known).max();
            return self.of_number(ir, value, ways.unwrap_or_default().max(Known::AtMost));
        }
        if let Some(select) = ir.cast::<arith::SelectOp>(op) {
            let ways = known(select.true_value(ir)).max(known(select.false_value(ir)));
            return self.of_number(ir, value, ways.max(Known::AtMost));
        }
        if let Some(check) = ir.cast::<RequireOp>(op)
            && known(check.value(ir)) != Known::Nothing
        {
            return known(check.value(ir));
        }
        if let Some(least) = least(ir, op) {
            let least = least.into_iter().map(known).min();
            return self.of_number(ir, value, least.unwrap_or_default().max(Known::AtMost));
        }
        match self.grows_with_operands(ir, op) {
            true => self.of_number(ir, value, most),
            false => Known::Nothing,
        }
    }

    /// Only of numbers it means something that they are at most another one.
    fn of_number(&self, ir: &Ir, value: Value, known: Known) -> Known {
        let ty = ir.value_type(value);
        let number =
            ty == ir.ctx().index() || ty.integer_width(ir.ctx()).is_some_and(|width| width > 1);
        match known {
            Known::AtMost if !number => Known::Nothing,
            known => known,
        }
    }

    /// Whether the result of an op does not become less where an operand that is not known becomes larger.
    fn grows_with_operands(&self, ir: &Ir, op: Op) -> bool {
        let operands: Vec<Value> = ir.operands(op).collect();
        let exact = |at: usize| {
            operands
                .get(at)
                .is_some_and(|&value| self.known(ir, value) == Known::Exactly)
        };
        let constant = |at: usize| {
            operands
                .get(at)
                .and_then(|&value| constant_of(ir, value)?.as_i64(ir.ctx()))
        };
        match ir.op_name_str(op) {
            "arith.addi" | "arith.maxsi" | "arith.index_cast" => true,
            "arith.subi" => exact(1),
            "arith.muli" => [0, 1].into_iter().any(|at| {
                let extent = operands
                    .get(at)
                    .is_some_and(|&value| ir.def_as::<DimOp>(value).is_some());
                exact(at) && (extent || constant(at).is_some_and(|number| number >= 0))
            }),
            "arith.divsi" | "arith.ceildivsi" | "arith.floordivsi" => {
                constant(1).is_some_and(|number| number > 0)
            }
            "arith.divui" | "arith.ceildivui" | "arith.shrui" => {
                let positive = constant(1).is_some_and(|number| number > 0);
                positive
                    && operands
                        .first()
                        .is_some_and(|&value| is_not_negative(ir, value, op))
            }
            _ => false,
        }
    }

    /// Whether both ways of a branch count: what it asks is not known.
    pub(super) fn takes_both(&self, ir: &Ir, op: Op) -> bool {
        let condition = ir.cast::<scf::IfOp>(op).map(|branch| branch.condition(ir));
        let condition = condition.or_else(|| Some(ir.cast::<arith::SelectOp>(op)?.condition(ir)));
        condition.is_some_and(|condition| self.known(ir, condition) != Known::Exactly)
    }

    /// Whether what extents are computed from is itself computed by segmented ops.
    pub(super) fn needs_parallel_ops(&self, ir: &Ir) -> bool {
        let ops = self
            .values
            .iter()
            .filter_map(|&value| ir.defining_op(value));
        let mut ops = ops.filter(|op| !self.around.contains(op));
        ops.any(|op| {
            let inside = ir.walk(op);
            let mut inside = inside.iter();
            inside.any(|&inner| ir.interface::<dyn SegmentedOp>(inner).is_some())
        })
    }

    /// The operand that an op is put in the place of: a check's value where the check is not known to hold or not, and of
    /// several numbers whose least is taken one that is known best.
    pub(super) fn stands_for(&self, ir: &Ir, op: Op) -> Option<Value> {
        let known = |value: Value| self.known(ir, value);
        if ir.operands(op).all(|value| known(value) == Known::Exactly) {
            return None;
        }
        match ir.cast::<RequireOp>(op).map(|check| check.value(ir)) {
            Some(value) if known(value) != Known::Nothing => Some(value),
            _ => least(ir, op)?.into_iter().min_by_key(|&value| known(value)),
        }
    }

    /// Takes the values that `roots` are computed from.
    fn take(&mut self, ir: &Ir, roots: Vec<Value>) {
        let mut pending = roots;
        while let Some(value) = pending.pop() {
            if !self.is_inside(ir, value) || !self.values.insert(value) {
                continue;
            }
            pending.extend(self.taken(ir, value));
        }
    }

    /// The values that a needed one is computed from.
    fn taken(&self, ir: &Ir, value: Value) -> Vec<Value> {
        let op = match ir.value_def(value) {
            ValueDef::Result { op, .. } => op,
            ValueDef::Argument { .. } => return all_handed_on(ir, value),
        };
        if self.around.contains(&op) {
            all_handed_on(ir, value)
        } else if let Some(operand) = self.stands_for(ir, op) {
            vec![operand]
        } else if self.takes_both(ir, op) && ir.isa::<arith::SelectOp>(op) {
            ir.operands(op).skip(1).collect()
        } else {
            self.sources(ir, value)
        }
    }

    /// Of a loop of which nobody knows how often it runs, how many rounds show the largest arrays, where each number that it
    /// carries is the larger of those of both rounds: a number grows by others that have grown, never by what it has been
    /// itself, so all have grown after as many rounds as there are numbers. One more has arrays as large as then.
    pub(super) fn rounds(&self, ir: &Ir, op: Op) -> Option<usize> {
        let first = *ir
            .regions(op)
            .first()
            .filter(|_| self.endless.contains(&op))?;
        let needed = begins(ir, first).into_iter();
        let needed = needed.filter(|&value| self.is_needed_number(ir, value));
        Some(1 + needed.count())
    }

    pub(super) fn is_needed_number(&self, ir: &Ir, value: Value) -> bool {
        self.values.contains(&value) && ir.value_type(value).shaped(ir.ctx()).is_none()
    }

    /// Whether a number that such a loop carries may become larger in every round: something else than the larger or smaller of
    /// what a round begins with and what all rounds have, or a part of it.
    fn grows(&self, ir: &Ir, looped: Op) -> bool {
        if !self.endless.contains(&looped) {
            return false;
        }
        let regions = ir.regions(looped).iter();
        let mut pending: Vec<Value> = regions
            .flat_map(|&region| begins(ir, region))
            .filter(|&value| self.is_needed_number(ir, value))
            .flat_map(|value| all_handed_on(ir, value))
            .collect();
        let (mut seen, mut of_round) = (FxHashSet::default(), Vec::new());
        let mut users: FxHashMap<Value, Vec<Value>> = FxHashMap::default();
        while let Some(value) = pending.pop() {
            if !ir.is_defined_inside(value, looped) || !seen.insert(value) {
                continue;
            }
            match ir.value_def(value) {
                ValueDef::Argument { block, .. } if ir.block_parent(block) == Some(looped) => {
                    of_round.push(value);
                }
                _ => {
                    for from in self.taken(ir, value) {
                        users.entry(from).or_default().push(value);
                        pending.push(from);
                    }
                }
            }
        }
        while let Some(value) = of_round.pop() {
            for user in users.remove(&value).into_iter().flatten() {
                if !self.keeps_small(ir, user) {
                    return true;
                }
                of_round.push(user);
            }
        }
        false
    }

    /// Whether a number is not larger than the largest of those it is computed from, or 0.
    fn keeps_small(&self, ir: &Ir, number: Value) -> bool {
        let ValueDef::Result { op, .. } = ir.value_def(number) else {
            return true;
        };
        let less = |from: Value| constant_of(ir, from).and_then(|attr| attr.as_i64(ir.ctx()));
        match ir.op_name_str(op) {
            "arith.divsi" | "arith.ceildivsi" | "arith.floordivsi" | "arith.divui"
            | "arith.ceildivui" | "arith.shrui" | "arith.maxsi" | "arith.index_cast" => true,
            "arith.subi" => less(ir.operand(op, 1)).is_some_and(|less| less >= 0),
            _ => {
                self.around.contains(&op)
                    || ir.isa::<DimOp>(op)
                    || ir.isa::<RequireOp>(op)
                    || ir.isa::<arith::SelectOp>(op)
                    || self.stands_for(ir, op).is_some()
            }
        }
    }

    /// Both ways of a branch may be computed where that is done.
    fn may_run(&self, ir: &Ir) -> Result<(), Op> {
        let both: Vec<Op> = self
            .around
            .iter()
            .copied()
            .filter(|&op| self.takes_both(ir, op) || self.endless.contains(&op))
            .collect();
        for op in both.into_iter().flat_map(|op| ir.walk(op)) {
            let repeats = ir.isa::<scf::WhileOp>(op) && !self.endless.contains(&op);
            let emitted = self.around.contains(&op) && repeats
                || !self.around.contains(&op)
                    && ir.results(op).any(|result| self.values.contains(&result));
            if emitted && self.stands_for(ir, op).is_none() && !is_speculatable(ir, op) {
                return Err(op);
            }
        }
        Ok(())
    }
}

/// Whether an op may run its code again and again, by numbers of its own.
pub(super) fn is_loop(ir: &Ir, op: Op) -> bool {
    ir.isa::<scf::ForOp>(op) || ir.isa::<scf::WhileOp>(op)
}

/// The values that a region begins with.
fn begins(ir: &Ir, region: Region) -> Vec<Value> {
    let block = ir.entry_block(region);
    block.map_or(Vec::new(), |block| ir.block_args(block).to_vec())
}
