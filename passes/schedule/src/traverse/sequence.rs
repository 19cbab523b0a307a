//! The ops that a block of host code runs, each in its flat version.
//!
//! Flattening leaves a nest in several versions, between which thresholds choose when the program runs:
//! `scf.if (kernel.at_least ...)`, nested. All of them compute the same, so a nest may be looked at in any of them: here in
//! the last one, which leaves nothing sequential. A [`Sequence`] lists the ops of a block with those of the last versions
//! in the place of the choices, and says which of them need which. Where a choice gives an array, an op behind it gives that array
//! its extents, as not all versions know those of rows where there are none; the last one does, so such an op is nothing to do
//! ([`Item::is_alias`]).

use crate::choice::is_choice;
use crate::equal::Equal;
use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::clone::Mapping;
use segra_ir::interfaces::known_extent;
use segra_ir::{Block, Ir, Op, Value};
use segra_kernel::segop::SegmentedOp;
use segra_std::tensor::ReshapeOp;

/// An op of a block, or of the last version of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) op: Op,
    /// The op of the block that it is, or is a part of.
    pub(super) top: Op,
    /// Whether its result is an array of the last versions as it is.
    pub(super) is_alias: bool,
}

/// The ops of a block in their flat versions.
pub(super) struct Sequence {
    pub(super) items: Vec<Item>,
    /// The items whose results an item uses, by number.
    needs: Vec<Vec<usize>>,
    /// Results of choices and of aliases, and what they are in the last version.
    aliases: FxHashMap<Value, Value>,
}

/// The block of the last version of a choice.
fn last_version(ir: &Ir, op: Op) -> Option<Block> {
    is_choice(ir, op)
        .then(|| ir.entry_block(ir.region(op, 1)))
        .flatten()
}

/// Puts last versions in the place of those choices in a block whose last version runs several nests: which of them are one
/// kernel is chosen nest by nest. Whether there are any.
pub(super) fn take_apart(ir: &mut Ir, block: Block) -> bool {
    let mut changed = false;
    let mut pending: Vec<Op> = ir.ops(block).collect();
    while let Some(op) = pending.pop() {
        let Some(last) = last_version(ir, op).filter(|&last| nests_in(ir, last) > 1) else {
            continue;
        };
        let mut inside: Vec<Op> = ir.ops(last).collect();
        let Some(end) = inside.pop() else { continue };
        let made: Vec<(Value, Value)> = ir.results(op).zip(ir.operands(end)).collect();
        for &inner in &inside {
            ir.move_before(inner, op);
        }
        for (result, value) in made {
            ir.replace_all_uses(result, value);
        }
        ir.erase_op(op);
        pending.extend(inside);
        changed = true;
    }
    changed
}

/// How many ops of a block, choices in their last versions, are more than code on scalars.
fn nests_in(ir: &Ir, block: Block) -> usize {
    let of = |op: Op| match last_version(ir, op) {
        Some(last) => nests_in(ir, last),
        None => usize::from(!ir.regions(op).is_empty()),
    };
    ir.ops(block).map(of).sum()
}

impl Sequence {
    pub(super) fn of(ir: &Ir, block: Block, equal: &Equal) -> Sequence {
        let mut sequence = Sequence {
            items: Vec::new(),
            needs: Vec::new(),
            aliases: FxHashMap::default(),
        };
        for op in ir.ops(block) {
            match sequence.aliased(ir, op, equal) {
                Some(array) => {
                    sequence.aliases.insert(ir.result(op, 0), array);
                    let (top, is_alias) = (op, true);
                    sequence.items.push(Item { op, top, is_alias });
                }
                None => sequence.add(ir, op, op),
            }
        }
        let mut made: FxHashMap<Value, usize> = FxHashMap::default();
        for (number, item) in sequence.items.iter().enumerate() {
            made.extend(ir.results(item.op).map(|result| (result, number)));
            let uses = sequence.uses(ir, item.op);
            let mut needs: Vec<usize> = uses
                .iter()
                .filter_map(|value| made.get(value).copied())
                .filter(|&needed| needed != number)
                .collect();
            needs.sort_unstable();
            needs.dedup();
            sequence.needs.push(needs);
        }
        sequence
    }

    /// The array that an op of the block gives the extents that it has anyway.
    fn aliased(&self, ir: &Ir, op: Op, equal: &Equal) -> Option<Value> {
        let reshape = ir.cast::<ReshapeOp>(op)?;
        let array = self.resolve(reshape.source(ir));
        ir.interface::<dyn SegmentedOp>(ir.defining_op(array)?)?;
        let sizes = reshape.sizes(ir);
        let is_same = |(dim, &size): (usize, &Value)| {
            known_extent(ir, array, dim).is_some_and(|extent| equal.are(ir, extent, size))
        };
        let types = [array, reshape.result(ir)].map(|value| ir.value_type(value));
        (types[0] == types[1] && sizes.iter().enumerate().all(is_same)).then_some(array)
    }

    fn add(&mut self, ir: &Ir, op: Op, top: Op) {
        let Some(block) = last_version(ir, op) else {
            let is_alias = false;
            self.items.push(Item { op, top, is_alias });
            return;
        };
        for inner in ir.ops(block) {
            if Some(inner) != ir.last_op(block) {
                self.add(ir, inner, top);
            }
        }
        if let Some(last) = ir.last_op(block) {
            self.aliases.extend(ir.results(op).zip(ir.operands(last)));
        }
    }

    /// The value in the last versions that a value is.
    pub(super) fn resolve(&self, mut value: Value) -> Value {
        while let Some(&alias) = self.aliases.get(&value) {
            value = alias;
        }
        value
    }

    /// The values from outside that an op and what is in it use, resolved.
    pub(super) fn uses(&self, ir: &Ir, op: Op) -> Vec<Value> {
        let mut found = Vec::new();
        for inner in ir.walk(op) {
            let outside = ir
                .operands(inner)
                .filter(|&value| !ir.is_defined_inside(value, op));
            found.extend(outside.map(|value| self.resolve(value)));
        }
        found
    }

    /// Adds to a mapping of what last versions make the results of choices that are the same.
    pub(super) fn map_aliases(&self, mapping: &mut Mapping) {
        for &value in self.aliases.keys() {
            let resolved = self.resolve(value);
            let image = mapping.get(resolved);
            if image != resolved {
                mapping.map(value, image);
            }
        }
    }

    /// Whether an op of the block stands for items that are in it.
    pub(super) fn stands_for_others(&self, op: Op) -> bool {
        let mut items = self.items.iter();
        items.any(|item| item.top == op && item.op != op)
    }

    /// The numbers of the items whose results an item uses.
    pub(super) fn needs(&self, item: usize) -> &[usize] {
        &self.needs[item]
    }

    /// Which items need, directly or not, one of some items; those are none of them unless they need each other. Items of one
    /// op of the block run together, so all depend on what one of them does, but for those of the ops that `of` are in.
    pub(super) fn dependents(&self, of: &[usize]) -> Vec<bool> {
        let own: FxHashSet<Op> = of.iter().map(|&number| self.items[number].top).collect();
        let mut found = vec![false; self.items.len()];
        let mut tops: FxHashSet<Op> = FxHashSet::default();
        loop {
            let before = tops.len();
            for item in 0..self.items.len() {
                let top = self.items[item].top;
                let mut needs = self.needs[item].iter();
                found[item] = tops.contains(&top)
                    || needs.any(|needed| of.contains(needed) || found[*needed]);
                if found[item] && !own.contains(&top) {
                    tops.insert(top);
                }
            }
            if tops.len() == before {
                return found;
            }
        }
    }

    /// Notes that a choice stands for some ops of the block: it runs their items, and its results are these values.
    pub(super) fn put_into(
        &mut self,
        choice: Op,
        ops: &[Op],
        values: impl Iterator<Item = (Value, Value)>,
    ) {
        for item in &mut self.items {
            if ops.contains(&item.top) {
                item.top = choice;
            }
        }
        self.aliases.extend(values);
    }
}

/// Whether an op is a segmented op or a choice between versions of one.
pub(super) fn is_nest(ir: &Ir, op: Op) -> bool {
    ir.interface::<dyn SegmentedOp>(op).is_some() || is_choice(ir, op)
}
