//! Dead values: what nothing observable depends on, also where dead values only use one another around a loop.
//!
//! An op is live if its own effects can be observed (it writes, frees, orders, or they are unknown), if it is a symbol,
//! if a live op uses one of its results, if a live op is inside it, or if it ends a block of a live op. A block argument
//! is live if a live op uses it; what branches hand to an argument is live if the argument is. Everything else goes.
//! Deliberately absent: results and region arguments of structured ops (see the pass `remove-dead-values`).

use segra_ir::entity::NearMap;
use segra_ir::interfaces::{BranchLike, effect_is_removable, own_effects};
use segra_ir::{Block, Ir, Op, SecondaryMap, Trait, Value, ValueDef};

/// Which ops and block arguments are live.
#[derive(Clone, Debug, Default)]
pub struct LiveValues {
    ops: SecondaryMap<Op, bool>,
    /// Arguments of blocks other than entry blocks.
    args: SecondaryMap<Value, bool>,
    /// Blocks whose arguments may go: every branch to them says what it hands on.
    branches: NearMap<Block, Vec<(Op, usize)>>,
}

/// What was erased.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Ops (what was inside them not counted).
    pub ops: u64,
    /// Block arguments.
    pub args: u64,
}

impl LiveValues {
    /// What is live inside `root`, which is live itself.
    pub fn of(ir: &Ir, root: Op) -> LiveValues {
        let mut live = LiveValues::default();
        let mut pending = vec![root];
        live.ops[root] = true;
        let mut opaque = Vec::new();
        ir.walk_with(root, &mut |op| {
            if op != root && has_observable_effect(ir, op) && !std::mem::replace(&mut live.ops[op], true) {
                pending.push(op);
            }
            let model = ir.interface::<dyn BranchLike>(op);
            for (index, &block) in ir.successors(op).iter().enumerate() {
                match model {
                    Some(_) => live.branches.entry(block).or_default().push((op, index)),
                    None => opaque.push(block),
                }
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
    /// Whether an op is live.
    pub fn is_live(&self, op: Op) -> bool {
        self.ops[op]
    }

    fn mark(&mut self, op: Op, pending: &mut Vec<Op>) {
        if !std::mem::replace(&mut self.ops[op], true) {
            pending.push(op);
        }
    }
    /// Marks what a live op uses, but for what it hands to arguments that may be dead.
    fn mark_used(&mut self, ir: &Ir, op: Op, pending: &mut Vec<Op>) {
        let mut handed: Vec<std::ops::Range<usize>> = Vec::new();
        if let Some(model) = ir.interface::<dyn BranchLike>(op) {
            for (index, &block) in ir.successors(op).iter().enumerate() {
                if self.may_drop_args(ir, block) {
                    let range = model.forwarded(ir, op, index);
                    // Arguments found live before this branch was.
                    for (&arg, position) in ir.block_args(block).iter().zip(range.clone()) {
                        if self.args[arg] {
                            self.mark_value(ir, ir.operand(op, position), pending);
                        }
                    }
                    handed.push(range);
                }
            }
        }
        for (position, value) in ir.operands(op).enumerate() {
            if !handed.iter().any(|range| range.contains(&position)) {
                self.mark_value(ir, value, pending);
            }
        }
    }
    fn mark_value(&mut self, ir: &Ir, value: Value, pending: &mut Vec<Op>) {
        let mut values = vec![value];
        while let Some(value) = values.pop() {
            match ir.value_def(value) {
                ValueDef::Result { op, .. } => self.mark(op, pending),
                ValueDef::Argument { block, index } => {
                    if !self.may_drop_args(ir, block) || std::mem::replace(&mut self.args[value], true) {
                        continue;
                    }
                    for &(branch, successor) in self.branches.get(&block).map_or(&[][..], Vec::as_slice) {
                        let Some(model) = ir.interface::<dyn BranchLike>(branch) else { continue };
                        let range = model.forwarded(ir, branch, successor);
                        // A branch that is itself dead hands nothing on; it marks its operands when it turns live.
                        if self.ops[branch] && (index as usize) < range.len() {
                            values.push(ir.operand(branch, range.start + index as usize));
                        }
                    }
                }
            }
        }
    }
    /// Whether arguments of the block may go: it is no entry block, and all branches to it can hand on less.
    fn may_drop_args(&self, ir: &Ir, block: Block) -> bool {
        let entry = ir.block_region(block).and_then(|region| ir.entry_block(region));
        entry != Some(block) && self.branches.contains_key(&block)
    }

    /// Erases everything inside `root` that is not live.
    pub fn sweep(&self, ir: &mut Ir, root: Op) -> Swept {
        // The outermost dead ops; what is inside them goes along.
        let mut dead: Vec<Op> = Vec::new();
        let mut dead_args: Vec<Block> = Vec::new();
        let mut pending = vec![root];
        while let Some(op) = pending.pop() {
            for &region in ir.regions(op) {
                for block in ir.blocks(region) {
                    if self.may_drop_args(ir, block)
                        && ir.block_args(block).iter().any(|&arg| !self.args[arg])
                    {
                        dead_args.push(block);
                    }
                    for nested in ir.ops(block) {
                        if self.ops[nested] { pending.push(nested) } else { dead.push(nested) }
                    }
                }
            }
        }
        let mut swept = Swept { ops: dead.len() as u64, args: 0 };
        // They may use one another in any order: first all uses go.
        let inside: Vec<Op> = dead.iter().flat_map(|&op| ir.walk(op)).collect();
        for op in inside {
            ir.set_operands(op, &[]);
        }
        // Dead arguments may be handed to dead arguments: first nothing is handed on.
        for &block in &dead_args {
            let keep = self.kept_args(ir, block);
            for &(branch, successor) in self.branches.get(&block).map_or(&[][..], Vec::as_slice) {
                drop_forwarded(ir, branch, successor, &keep);
            }
        }
        for &block in &dead_args {
            let keep = self.kept_args(ir, block);
            swept.args += ir.retain_block_args(block, |index| keep[index]) as u64;
        }
        for op in dead {
            ir.erase_op(op);
        }
        swept
    }
    fn kept_args(&self, ir: &Ir, block: Block) -> Vec<bool> {
        ir.block_args(block).iter().map(|&arg| self.args[arg]).collect()
    }
}

/// Leaves away what a branch hands to the `successor`-th block for arguments that are not kept.
pub(crate) fn drop_forwarded(ir: &mut Ir, branch: Op, successor: usize, keep: &[bool]) {
    let Some(model) = ir.interface::<dyn BranchLike>(branch) else { return };
    let handed = model.successor_operands(ir, branch, successor);
    let kept: Vec<Value> = handed.into_iter().zip(keep).filter(|row| *row.1).map(|row| row.0).collect();
    model.set_forwarded(ir, branch, successor, &kept);
}

/// Whether the op itself, not what is inside it, does something that can be observed.
pub(crate) fn has_observable_effect(ir: &Ir, op: Op) -> bool {
    let Some(info) = ir.info(op) else { return true };
    if info.has(Trait::Symbol) {
        return true;
    }
    // A terminator matters as much as the op it is in.
    let Some(effects) = own_effects(ir, op) else { return !info.has(Trait::Terminator) };
    !effects.into_iter().all(|effect| effect_is_removable(ir, op, effect))
}
