//! Dead values: what nothing observable depends on, also where dead values only use one another around a loop.
//!
//! An op is live if its own effects can be observed (it writes, frees, orders, or they are unknown), if it is a symbol,
//! if a live op uses one of its results, if a live op is inside it, or if it ends a block of a live op. A block argument
//! is live if a live op uses it; what branches hand to an argument is live if the argument is. Everything else goes.
//! Deliberately absent: results and region arguments of structured ops (see the pass `remove-dead-values`).

use super::blocks::drop_args;
use super::branches::{Branches, add_branches};
use super::worklist::MOST_AT_ONCE;
use segra_ir::interfaces::{BranchLike, effect_is_removable, own_effects};
use segra_ir::{Block, Ir, Op, SecondaryMap, Trait, Value, ValueDef};
use smallvec::{SmallVec, smallvec};

/// Which ops and block arguments are live.
#[derive(Clone, Debug, Default)]
pub struct LiveValues {
    ops: SecondaryMap<Op, bool>,
    /// Arguments of blocks other than entry blocks.
    args: SecondaryMap<Value, bool>,
    /// Blocks whose arguments may go: every branch to them says what it forwards.
    branches: Branches,
}

/// The counts of erased ops and arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Ops (what was inside them not counted).
    pub ops: u64,
    /// Block arguments.
    pub args: u64,
}

impl LiveValues {
    /// The live values inside `root`, which is live itself.
    pub fn of(ir: &Ir, root: Op) -> LiveValues {
        let mut live = LiveValues::default();
        live.ops.reserve(ir.op_capacity().min(MOST_AT_ONCE));
        let mut pending = Vec::with_capacity(64);
        pending.push(root);
        live.ops[root] = true;
        let mut opaque = Vec::new();
        ir.walk_with(root, &mut |op| {
            if op != root
                && has_observable_effect(ir, op)
                && !std::mem::replace(&mut live.ops[op], true)
            {
                pending.push(op);
            }
            if !add_branches(ir, op, &mut live.branches) {
                opaque.extend_from_slice(ir.successors(op));
            }
        });
        for block in opaque {
            live.branches.remove(&block);
        }
        while let Some(op) = pending.pop() {
            live.mark_used(ir, op, &mut pending);
            if op != root
                && let Some(parent) = ir.parent_op(op)
            {
                live.mark(parent, &mut pending);
            }
            for &region in ir.regions(op) {
                for last in ir.blocks(region).filter_map(|block| ir.last_op(block)) {
                    if ir.info(last).is_none_or(|info| info.has(Trait::Terminator)) {
                        live.mark(last, &mut pending);
                    }
                }
            }
        }
        live
    }

    fn mark(&mut self, op: Op, pending: &mut Vec<Op>) {
        if !std::mem::replace(&mut self.ops[op], true) {
            pending.push(op);
        }
    }
    /// Marks what a live op uses, but for what it hands to arguments that may be dead.
    fn mark_used(&mut self, ir: &Ir, op: Op, pending: &mut Vec<Op>) {
        let Some(model) = ir.interface::<dyn BranchLike>(op) else {
            ir.operands(op)
                .for_each(|value| self.mark_value(ir, value, pending));
            return;
        };
        let mut handed = vec![false; ir.num_operands(op)];
        for (range, &block) in model.forwarded(ir, op).into_iter().zip(ir.successors(op)) {
            if self.may_drop_args(ir, block) {
                handed[range.clone()].fill(true);
                // Arguments found live before this branch was.
                for (&arg, position) in ir.block_args(block).iter().zip(range) {
                    if self.args[arg] {
                        self.mark_value(ir, ir.operand(op, position), pending);
                    }
                }
            }
        }
        for (value, _) in ir.operands(op).zip(handed).filter(|row| !row.1) {
            self.mark_value(ir, value, pending);
        }
    }
    fn mark_value(&mut self, ir: &Ir, value: Value, pending: &mut Vec<Op>) {
        // Most values are forwarded by no branch.
        let mut values: SmallVec<[Value; 4]> = smallvec![value];
        while let Some(value) = values.pop() {
            match ir.value_def(value) {
                ValueDef::Result { op, .. } => self.mark(op, pending),
                ValueDef::Argument { block, index } => {
                    if !self.may_drop_args(ir, block)
                        || std::mem::replace(&mut self.args[value], true)
                    {
                        continue;
                    }
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

    /// Erases everything inside `root` that is not live.
    pub fn sweep(&self, ir: &mut Ir, root: Op) -> Swept {
        // The outermost dead ops; what is inside them is erased with them.
        let mut dead: Vec<Op> = Vec::new();
        let mut dead_args: Vec<(Block, Vec<bool>)> = Vec::new();
        let mut pending = Vec::with_capacity(64);
        pending.push(root);
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
                        } else if !ir.regions(nested).is_empty() {
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
