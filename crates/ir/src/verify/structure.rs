//! Layer 1: links, terminators, successors, and that every use sees its definition.
//!
//! The walk keeps which blocks are open (the block being walked and those around it), each with the op being walked
//! in it, so a use is judged without walking up the nesting; most are by a look at [`Scopes`] alone.

use super::scopes::Scopes;
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

/// A region around the current op.
#[derive(Debug)]
struct Level {
    region: Region,
    /// The depth of the outermost region that may be looked into.
    visible: u32,
    /// The scope of the block being walked.
    scope: u32,
    /// The first scope that is seen around the region.
    floor: u32,
}

/// What a walk leaves to the next one, so that many small walks cost no more than a large one.
#[derive(Debug, Default)]
pub(super) struct StructureScratch {
    /// Empty of regions between walks.
    open: SecondaryMap<Region, Option<OpenRegion>>,
    scopes: Scopes,
}

/// The state of the walk.
pub(super) struct Structure<'a> {
    ir: &'a Ir,
    scratch: &'a mut StructureScratch,
    /// Regions around the current op, outermost first.
    path: Vec<Level>,
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
    pub(super) fn around(ir: &'a Ir, root: Op, scratch: &'a mut StructureScratch) -> Structure<'a> {
        scratch.scopes.begin(ir);
        let mut structure = Structure { ir, scratch, path: Vec::new(), dominance: Dominance::new() };
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

    /// Closes what is open around the root.
    pub(super) fn end(mut self) {
        while !self.path.is_empty() {
            self.close_last();
        }
    }

    // ---- blocks ----

    pub(super) fn enter_block(&mut self, block: Block, found: &mut Findings) {
        self.open_block(block);
        for &arg in self.ir.block_args(block) {
            self.scratch.scopes.define(arg);
        }
        self.check_block(block, found);
    }

    fn open_block(&mut self, block: Block) {
        let ir = self.ir;
        let Some(region) = ir.block_region(block) else { return };
        if let Some(open) = &mut self.scratch.open[region] {
            // The next block of the same region.
            open.block = block;
            open.at = None;
            if let Some(level) = self.path.last_mut() {
                self.scratch.scopes.close(level.scope);
                level.scope = self.scratch.scopes.open();
            }
            return;
        }
        self.close_siblings(region);
        let depth = self.path.len() as u32;
        let isolated = ir.region_parent(region).is_some_and(|op| ir.has_trait(op, Trait::IsolatedFromAbove));
        let around = self.path.last().map_or(0, |level| level.visible);
        self.scratch.open[region] = Some(OpenRegion { depth, block, at: None });
        let floor = self.scratch.scopes.floor();
        let scope = self.scratch.scopes.open();
        if isolated {
            self.scratch.scopes.set_floor(scope);
        }
        self.path.push(Level { region, visible: if isolated { depth } else { around }, scope, floor });
    }

    /// Regions of one op do not see each other.
    fn close_siblings(&mut self, region: Region) {
        let ir = self.ir;
        while let Some(last) = self.path.last()
            && ir.region_parent(last.region) == ir.region_parent(region)
        {
            self.close_last();
        }
    }

    fn close_last(&mut self) {
        let Some(last) = self.path.pop() else { return };
        self.scratch.open[last.region] = None;
        self.scratch.scopes.close(last.scope);
        self.scratch.scopes.set_floor(last.floor);
        self.scratch.scopes.resume(self.path.last().map_or(0, |level| level.scope));
    }

    pub(super) fn set_current(&mut self, block: Block, op: Op) {
        if let Some(region) = self.ir.block_region(block)
            && let Some(open) = &mut self.scratch.open[region]
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
        if let Some(block) = ir.block_of(op) {
            self.set_current(block, op);
            self.check_position(op, info, block, found);
        }
        for (index, value) in ir.operands(op).enumerate() {
            if self.scratch.scopes.sees(value) {
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
        self.define_results(op);
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

    /// Whether the op, the next one of the block being walked, may use a value.
    #[inline]
    pub(super) fn sees(&mut self, op: Op, value: Value) -> bool {
        self.scratch.scopes.sees(value) || self.sees_elsewhere(op, value)
    }

    #[inline(never)]
    fn sees_elsewhere(&mut self, op: Op, value: Value) -> bool {
        if let Some(block) = self.ir.block_of(op) {
            self.set_current(block, op);
        }
        self.fault(value).is_none()
    }

    /// The ops that follow see the results of one.
    #[inline]
    pub(super) fn define_results(&mut self, op: Op) {
        for result in self.ir.results(op) {
            self.scratch.scopes.define(result);
        }
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
        let Some(open) = self.scratch.open[region] else { return Some(Fault::NotInScope) };
        if let Some(&Level { visible, .. }) = self.path.last()
            && open.depth < visible
        {
            let barrier = self.path.get(visible as usize).and_then(|level| ir.region_parent(level.region));
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
