//! Dead values: what nothing observable depends on, also where dead values only use one another around a loop.
//!
//! An op is live if its own effects can be observed (it writes, frees, orders, or they are unknown), if it is a symbol,
//! if a live op uses one of its results, if a live op is inside it, or if it ends a block of a live op. A block argument
//! is live if a live op uses it; what branches hand to an argument is live if the argument is. Everything else goes.
//! Deliberately absent: results and region arguments of structured ops (see the pass `remove-dead-values`).

use super::blocks::drop_args;
use super::branches::{Branches, add_branches};
use super::units::{for_each_unit, is_unit, walk_unit};
use super::worklist::MOST_AT_ONCE;
use segra_ir::interfaces::{BranchLike, effect_is_removable, own_effects};
use segra_ir::{Block, Ir, Op, SecondaryMap, Trait, Value, ValueDef};
use smallvec::{SmallVec, smallvec};

/// The counts of erased ops and arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Ops (what was inside them not counted).
    pub ops: u64,
    /// Block arguments.
    pub args: u64,
}

/// Erases everything inside `root`, which is live itself, that is not live.
pub fn erase_dead(ir: &mut Ir, root: Op) -> Swept {
    let (mut live, mut swept) = (LiveValues::new(ir), Swept::default());
    for_each_unit(ir, root, &mut |ir, unit| {
        let of_unit = live.sweep(ir, unit);
        swept.ops += of_unit.ops;
        swept.args += of_unit.args;
    });
    swept
}

/// Which ops and block arguments of a unit are live. Empty between units; the tables keep their memory.
#[derive(Debug)]
pub(crate) struct LiveValues {
    ops: SecondaryMap<Op, bool>,
    /// The live ops, in the order they were found; those before `next` have marked what they use.
    found: Vec<Op>,
    next: usize,
    /// Arguments of blocks other than entry blocks.
    args: SecondaryMap<Value, bool>,
    found_args: Vec<Value>,
    /// Blocks whose arguments may go: every branch to them says what it forwards.
    branches: Branches,
}

impl LiveValues {
    /// For units of a program.
    pub(crate) fn new(ir: &Ir) -> LiveValues {
        let mut ops = SecondaryMap::default();
        ops.reserve(ir.op_capacity().min(MOST_AT_ONCE));
        LiveValues {
            ops,
            found: Vec::with_capacity(64),
            next: 0,
            args: SecondaryMap::default(),
            found_args: Vec::new(),
            branches: Branches::default(),
        }
    }
    /// Erases the ops and arguments of a unit that are not live. The unit itself is.
    pub(crate) fn sweep(&mut self, ir: &mut Ir, unit: Op) -> Swept {
        self.find(ir, unit);
        let swept = self.erase_others(ir, unit);
        for op in self.found.drain(..) {
            self.ops.reset(op);
        }
        for arg in self.found_args.drain(..) {
            self.args.reset(arg);
        }
        self.next = 0;
        // Emptying a map takes as long as the largest unit so far had branches.
        self.branches = Branches::default();
        swept
    }

    fn find(&mut self, ir: &Ir, unit: Op) {
        self.mark(unit);
        let mut opaque = Vec::new();
        walk_unit(ir, unit, &mut |op, _| {
            if op != unit && has_observable_effect(ir, op) {
                self.mark(op);
            }
            if !add_branches(ir, op, &mut self.branches) {
                opaque.extend_from_slice(ir.successors(op));
            }
        });
        for block in opaque {
            self.branches.remove(&block);
        }
        while let Some(&op) = self.found.get(self.next) {
            self.next += 1;
            self.mark_used(ir, op);
            if op != unit
                && let Some(parent) = ir.parent_op(op)
            {
                self.mark(parent);
            }
            if op != unit && is_unit(ir, op) {
                continue;
            }
            for &region in ir.regions(op) {
                for last in ir.blocks(region).filter_map(|block| ir.last_op(block)) {
                    if ir.info(last).is_none_or(|info| info.has(Trait::Terminator)) {
                        self.mark(last);
                    }
                }
            }
        }
    }

    fn mark(&mut self, op: Op) {
        if !std::mem::replace(&mut self.ops[op], true) {
            self.found.push(op);
        }
    }
    /// Marks what a live op uses, but for what it hands to arguments that may be dead.
    fn mark_used(&mut self, ir: &Ir, op: Op) {
        let Some(model) = ir.interface::<dyn BranchLike>(op) else {
            ir.operands(op).for_each(|value| self.mark_value(ir, value));
            return;
        };
        let mut handed = vec![false; ir.num_operands(op)];
        for (range, &block) in model.forwarded(ir, op).into_iter().zip(ir.successors(op)) {
            if self.may_drop_args(ir, block) {
                handed[range.clone()].fill(true);
                // Arguments found live before this branch was.
                for (&arg, position) in ir.block_args(block).iter().zip(range) {
                    if self.args[arg] {
                        self.mark_value(ir, ir.operand(op, position));
                    }
                }
            }
        }
        for (value, _) in ir.operands(op).zip(handed).filter(|row| !row.1) {
            self.mark_value(ir, value);
        }
    }
    fn mark_value(&mut self, ir: &Ir, value: Value) {
        // Most values are forwarded by no branch.
        let mut values: SmallVec<[Value; 4]> = smallvec![value];
        while let Some(value) = values.pop() {
            match ir.value_def(value) {
                ValueDef::Result { op, .. } => self.mark(op),
                ValueDef::Argument { block, index } => {
                    if !self.may_drop_args(ir, block)
                        || std::mem::replace(&mut self.args[value], true)
                    {
                        continue;
                    }
                    self.found_args.push(value);
                    for into in self.branches.get(&block).into_iter().flatten() {
                        // A branch that is itself dead hands nothing on; it marks its operands when it turns live.
                        if self.ops[into.branch] && (index as usize) < into.operands.len() {
                            values.push(
                                ir.operand(into.branch, into.operands.start + index as usize),
                            );
                        }
                    }
                }
            }
        }
    }
    /// Whether arguments of the block may go: it is no entry block, and all branches to it can forward less.
    fn may_drop_args(&self, ir: &Ir, block: Block) -> bool {
        let entry = ir
            .block_region(block)
            .and_then(|region| ir.entry_block(region));
        entry != Some(block) && self.branches.contains_key(&block)
    }

    fn erase_others(&self, ir: &mut Ir, unit: Op) -> Swept {
        // The outermost dead ops; what is inside them is erased with them.
        let mut dead: Vec<Op> = Vec::new();
        let mut dead_args: Vec<(Block, Vec<bool>)> = Vec::new();
        let mut pending = Vec::with_capacity(64);
        pending.push(unit);
        while let Some(op) = pending.pop() {
            for &region in ir.regions(op) {
                for block in ir.blocks(region) {
                    let args = ir.block_args(block);
                    if args.iter().any(|&arg| !self.args[arg]) && self.may_drop_args(ir, block) {
                        dead_args.push((block, args.iter().map(|&arg| self.args[arg]).collect()));
                    }
                    for nested in ir.ops(block) {
                        if !self.ops[nested] {
                            dead.push(nested);
                        } else if !ir.regions(nested).is_empty() && !is_unit(ir, nested) {
                            pending.push(nested);
                        }
                    }
                }
            }
        }
        let mut swept = Swept {
            ops: dead.len() as u64,
            args: 0,
        };
        // They may use one another in any order: first all uses go.
        let mut inside: Vec<Op> = Vec::with_capacity(dead.len());
        dead.iter()
            .for_each(|&op| ir.walk_with(op, &mut |op| inside.push(op)));
        for op in inside {
            ir.set_operands(op, &[]);
        }
        swept.args = drop_args(ir, &self.branches, &dead_args);
        for op in dead {
            ir.erase_op(op);
        }
        swept
    }
}

/// Whether the op itself, not what is inside it, does something that can be observed.
pub(crate) fn has_observable_effect(ir: &Ir, op: Op) -> bool {
    let Some(info) = ir.info(op) else { return true };
    if info.has(Trait::Symbol) {
        return true;
    }
    // A terminator matters as much as the op it is in.
    let Some(effects) = own_effects(ir, op) else {
        return !info.has(Trait::Terminator);
    };
    !effects
        .into_iter()
        .all(|effect| effect_is_removable(ir, op, effect))
}
