//! Layer 1: links, terminators, successors, and that every use sees its definition.
//!
//! The walk keeps which blocks are open (the block being walked and those around it), each with the op being walked
//! in it, so a use in the same or an enclosing block is judged without walking up the nesting.

use super::{Findings, naming};
use crate::def::{OpInfo, Trait};
use crate::dominance::Dominance;
use crate::entity::SecondaryMap;
use crate::store::{Block, Ir, Op, Region, Value, ValueDef};

/// A region that is being walked.
#[derive(Clone, Copy, Debug)]
struct OpenRegion {
    /// Number of regions around it.
    depth: u32,
    /// The block being walked.
    block: Block,
    /// The op being walked in it.
    at: Option<Op>,
}

/// Whether definitions need not come before uses in a region.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Matters,
    Free,
}

/// The state of the walk.
pub(super) struct Structure<'a> {
    ir: &'a Ir,
    open: SecondaryMap<Region, Option<OpenRegion>>,
    /// Regions around the current op, outermost first, and the depth of the outermost region that may be looked into.
    path: Vec<(Region, u32)>,
    dominance: Dominance,
}

/// What is wrong with a use.
#[derive(Clone, Copy)]
enum Fault {
    Erased,
    OwnResult,
    TooEarly,
    NotInScope,
    AcrossIsolation(Op),
}

impl<'a> Structure<'a> {
    /// The state right before `root`: everything around it is open.
    pub(super) fn around(ir: &'a Ir, root: Op) -> Structure<'a> {
        let mut structure =
            Structure { ir, open: SecondaryMap::default(), path: Vec::new(), dominance: Dominance::new() };
        let around: Vec<Op> = ir.ancestors(root).collect();
        for &op in around.iter().rev() {
            let Some(block) = ir.block_of(op) else { continue };
            structure.open_block(block);
            if op != root {
                structure.set_current(block, op);
            }
        }
        structure
    }

    // ---- blocks ----

    pub(super) fn enter_block(&mut self, block: Block, found: &mut Findings) {
        self.open_block(block);
        self.check_block(block, found);
    }

    fn open_block(&mut self, block: Block) {
        let ir = self.ir;
        let Some(region) = ir.block_region(block) else { return };
        if let Some(open) = &mut self.open[region] {
            // The next block of the same region.
            open.block = block;
            open.at = None;
            return;
        }
        self.close_siblings(region);
        let depth = self.path.len() as u32;
        let isolated = ir.region_parent(region).is_some_and(|op| ir.has_trait(op, Trait::IsolatedFromAbove));
        let visible = if isolated { depth } else { self.path.last().map_or(0, |row| row.1) };
        self.open[region] = Some(OpenRegion { depth, block, at: None });
        self.path.push((region, visible));
    }

    /// Regions of one op do not see each other.
    fn close_siblings(&mut self, region: Region) {
        let ir = self.ir;
        while let Some(&(last, _)) = self.path.last()
            && ir.region_parent(last) == ir.region_parent(region)
        {
            self.open[last] = None;
            self.path.pop();
        }
    }

    pub(super) fn set_current(&mut self, block: Block, op: Op) {
        if let Some(region) = self.ir.block_region(block)
            && let Some(open) = &mut self.open[region]
        {
            open.at = Some(op);
        }
    }

    /// What blocks must be like, whatever their ops are.
    fn check_block(&mut self, block: Block, found: &mut Findings) {
        let ir = self.ir;
        let Some(region) = ir.block_region(block) else { return };
        let Some(parent) = ir.region_parent(region) else { return };
        for (index, &arg) in ir.block_args(block).iter().enumerate() {
            if ir.value_def(arg) != (ValueDef::Argument { block, index: index as u32 }) {
                found.broken(ir, parent, format!("has a block whose argument {index} belongs elsewhere"));
            }
        }
        let name = || {
            let index = ir.regions(parent).iter().position(|&other| other == region).unwrap_or(0);
            naming::region(ir, parent, index)
        };
        if self.may_lack_terminator(parent, region) {
            return;
        }
        match ir.last_op(block) {
            None => {
                found.broken(ir, parent, format!("{} has an empty block: it needs a terminator", name()));
            }
            Some(last) if ir.info(last).is_some_and(|info| !info.has(Trait::Terminator)) => {
                let message = format!("{} has a block without a terminator", name());
                let text = format!("the block ends with '{}'", ir.op_name_str(last));
                found.broken(ir, parent, message).note(ir.loc(last), text);
            }
            Some(_) => {}
        }
    }

    fn may_lack_terminator(&self, parent: Op, region: Region) -> bool {
        let ir = self.ir;
        let several = ir.entry_block(region).is_some_and(|entry| ir.next_block(entry).is_some());
        let free = |info: &OpInfo| info.has(Trait::NoTerminator) || info.has(Trait::GraphRegion);
        !several && ir.info(parent).is_none_or(free)
    }

    // ---- ops ----

    pub(super) fn enter_op(&mut self, op: Op, info: Option<&OpInfo>, found: &mut Findings) {
        let ir = self.ir;
        let block = ir.block_of(op);
        if let Some(block) = block {
            self.set_current(block, op);
            self.check_position(op, info, block, found);
        }
        for (index, value) in ir.operands(op).enumerate() {
            // Most operands are made a few ops before.
            if block.is_some_and(|block| is_earlier_in_block(ir, value, op, block)) {
                continue;
            }
            if let Some(fault) = self.fault(value) {
                report_use(ir, (op, index), value, fault, found);
            }
        }
        for &region in ir.regions(op) {
            if ir.region_parent(region) != Some(op) {
                found.broken(ir, op, "has a region that belongs to another op");
            }
        }
    }

    pub(super) fn leave_op(&mut self, op: Op, found: &mut Findings) {
        let ir = self.ir;
        if let Some(&region) = ir.regions(op).first() {
            self.close_siblings(region);
        }
        // Only now are all successors of blocks inside known to be checked.
        if ir.regions(op).iter().any(|&region| self.entry_has_predecessors(region)) {
            found.broken(ir, op, "has a region whose entry block is a successor of another block");
        }
    }

    fn entry_has_predecessors(&self, region: Region) -> bool {
        let ir = self.ir;
        let Some(entry) = ir.entry_block(region) else { return false };
        ir.blocks(region)
            .filter_map(|block| ir.last_op(block))
            .any(|last| ir.successors(last).contains(&entry))
    }

    fn check_position(&mut self, op: Op, info: Option<&OpInfo>, block: Block, found: &mut Findings) {
        let ir = self.ir;
        let is_last = ir.next_op(op).is_none();
        if !is_last && info.is_some_and(|info| info.has(Trait::Terminator)) {
            found.broken(ir, op, "ends a block and so must be the last op of its block");
        } else if !is_last && !ir.successors(op).is_empty() {
            found.broken(ir, op, "has successors and so must be the last op of its block");
        }
        if ir.prev_op(op).is_some_and(|prev| !ir.is_before(prev, op)) {
            found.broken(ir, op, "has a position number that does not follow that of the op before it");
        }
        let successors = ir.successors(op);
        if successors.is_empty() {
            return;
        }
        let region = ir.block_region(block);
        if successors.iter().any(|&successor| ir.block_region(successor) != region) {
            found.broken(ir, op, "has a successor in another region");
        }
    }

    // ---- uses ----

    /// Whether the op being walked may use a value.
    pub(super) fn sees(&mut self, value: Value) -> bool {
        self.fault(value).is_none()
    }

    fn fault(&mut self, value: Value) -> Option<Fault> {
        let ir = self.ir;
        let (block, def) = match ir.value_def(value) {
            ValueDef::Result { op, index } => {
                let index = index as usize;
                if index >= ir.num_results(op) || ir.result(op, index) != value {
                    return Some(Fault::Erased);
                }
                (ir.block_of(op), Some(op))
            }
            ValueDef::Argument { block, index } => {
                if ir.block_args(block).get(index as usize) != Some(&value) {
                    return Some(Fault::Erased);
                }
                (Some(block), None)
            }
        };
        let Some(block) = block else { return Some(Fault::NotInScope) };
        let Some(region) = ir.block_region(block) else { return Some(Fault::NotInScope) };
        let Some(open) = self.open[region] else { return Some(Fault::NotInScope) };
        if let Some(&(_, visible)) = self.path.last()
            && open.depth < visible
        {
            let barrier = self.path.get(visible as usize).and_then(|row| ir.region_parent(row.0));
            return barrier.map(Fault::AcrossIsolation);
        }
        if open.block != block {
            let sees = self.dominance.block_dominates(ir, block, open.block);
            return (!sees && self.order(region) == Order::Matters).then_some(Fault::TooEarly);
        }
        let (Some(def), Some(at)) = (def, open.at) else { return None };
        if (def != at && ir.is_before(def, at)) || self.order(region) == Order::Free {
            return None;
        }
        // What is never run is not ordered either.
        if !self.dominance.tree(ir, region).is_reachable(block) {
            return None;
        }
        Some(if def == at { Fault::OwnResult } else { Fault::TooEarly })
    }

    /// An op that is not registered may mean its region to be a graph.
    fn order(&self, region: Region) -> Order {
        let Some(parent) = self.ir.region_parent(region) else { return Order::Matters };
        match self.ir.info(parent) {
            Some(info) if !info.has(Trait::GraphRegion) => Order::Matters,
            _ => Order::Free,
        }
    }
}

/// Whether a value is an argument of the block, or a result of an op before `user` in it.
#[inline]
pub(super) fn is_earlier_in_block(ir: &Ir, value: Value, user: Op, block: Block) -> bool {
    match ir.value_def(value) {
        ValueDef::Result { op, index } => {
            let index = index as usize;
            ir.block_of(op) == Some(block)
                && ir.is_before(op, user)
                && index < ir.num_results(op)
                && ir.result(op, index) == value
        }
        ValueDef::Argument { block: home, index } => {
            home == block && ir.block_args(home).get(index as usize) == Some(&value)
        }
    }
}

fn report_use(ir: &Ir, (op, index): (Op, usize), value: Value, fault: Fault, found: &mut Findings) {
    let name = naming::operand(ir, op, index);
    let defined = ir.value_loc(value);
    match fault {
        Fault::Erased => {
            found.broken(ir, op, format!("{name} is a value that was erased"));
        }
        Fault::OwnResult => {
            found
                .broken(ir, op, format!("{name} is used inside the op that defines it"))
                .note(defined, "defined here");
        }
        Fault::TooEarly => {
            found
                .broken(ir, op, format!("{name} is used before it is defined"))
                .note(defined, "defined here, which does not come before the use on every path");
        }
        Fault::NotInScope => {
            found
                .broken(ir, op, format!("{name} is not visible here"))
                .note(defined, "defined here, in a region that does not enclose the use");
        }
        Fault::AcrossIsolation(barrier) => {
            let around = ir.op_name_str(barrier);
            found
                .broken(
                    ir,
                    op,
                    format!("{name} is defined outside of '{around}', which must not use outer values"),
                )
                .note(defined, "defined here")
                .note(ir.loc(barrier), "isolated from above by this op");
        }
    }
}
