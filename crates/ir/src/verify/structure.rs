//! Layer 1: links, terminators, successors, and that every use sees its definition.
//!
//! The walk keeps which blocks are open (the block being walked and those around it), each with the op being walked
//! in it, so a use is judged without walking up the nesting; most are by a look at [`Scopes`] alone.

use super::scopes::Scopes;
use super::{Findings, naming};
use crate::context::OpName;
use crate::def::{OpInfo, Trait};
use crate::dominance::Dominance;
use crate::entity::SecondaryMap;
use crate::store::{Block, Ir, Op, Region, Value, ValueDef};

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
    parent: Option<Op>,
    /// The parent's name.
    around: Option<OpName>,
    /// The block being walked.
    block: Block,
    /// The op being walked in it, where that has regions or is being looked at.
    at: Option<Op>,
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
    /// The depths of the regions that are being walked, plus one; empty of regions between walks.
    open: SecondaryMap<Region, u32>,
    scopes: Scopes,
}

/// The state of the walk.
pub(super) struct Structure<'a> {
    ir: &'a Ir,
    scratch: &'a mut StructureScratch,
    /// Regions around the current op, outermost first.
    path: Vec<Level>,
    /// The op that was entered last, and whether it is isolated from above.
    entered: Option<(Op, bool)>,
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
        let mut structure =
            Structure { ir, scratch, path: Vec::new(), entered: None, dominance: Dominance::new() };
        let around: Vec<Op> = ir.ancestors(root).collect();
        for &op in around.iter().rev() {
            let Some(block) = ir.block_of(op) else { continue };
            structure.open_block(block);
            if op != root {
                structure.set_current(op);
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

    /// The name of the op around the block being walked.
    #[inline]
    pub(super) fn parent_name(&self) -> Option<OpName> {
        self.path.last().and_then(|level| level.around)
    }

    // ---- blocks ----

    pub(super) fn enter_block(&mut self, block: Block, found: &mut Findings) {
        self.open_block(block);
        let ir = self.ir;
        for (index, &arg) in ir.block_args(block).iter().enumerate() {
            self.scratch.scopes.define(arg);
            if ir.value_def(arg) != (ValueDef::Argument { block, index: index as u32 })
                && let Some(parent) = ir.block_parent(block)
            {
                found.broken(ir, parent, format!("has a block whose argument {index} belongs elsewhere"));
            }
        }
    }

    fn open_block(&mut self, block: Block) {
        let ir = self.ir;
        let Some(region) = ir.block_region(block) else { return };
        if let Some(level) = self.path.last_mut()
            && level.region == region
        {
            // The next block of the same region.
            (level.block, level.at) = (block, None);
            self.scratch.scopes.close(level.scope);
            level.scope = self.scratch.scopes.open();
            return;
        }
        let parent = ir.region_parent(region);
        self.close_regions_of(parent);
        let depth = self.path.len() as u32;
        let around = parent.map(|parent| ir.op_name(parent));
        let isolated = match self.entered {
            Some((entered, isolated)) if Some(entered) == parent => isolated,
            _ => parent.is_some_and(|parent| ir.has_trait(parent, Trait::IsolatedFromAbove)),
        };
        let visible = if isolated { depth } else { self.path.last().map_or(0, |level| level.visible) };
        self.scratch.open[region] = depth + 1;
        let floor = self.scratch.scopes.floor();
        let scope = self.scratch.scopes.open();
        if isolated {
            self.scratch.scopes.set_floor(scope);
        }
        self.path.push(Level { region, parent, around, block, at: None, visible, scope, floor });
    }

    /// Regions of one op do not see each other.
    fn close_regions_of(&mut self, parent: Option<Op>) {
        while self.path.last().is_some_and(|last| last.parent == parent) {
            self.close_last();
        }
    }

    fn close_last(&mut self) {
        let Some(last) = self.path.pop() else { return };
        self.scratch.open[last.region] = 0;
        self.scratch.scopes.close(last.scope);
        self.scratch.scopes.set_floor(last.floor);
        self.scratch.scopes.resume(self.path.last().map(|level| level.scope));
    }

    /// Remembers the op that is being walked in the innermost block.
    fn set_current(&mut self, op: Op) {
        if let Some(level) = self.path.last_mut() {
            level.at = Some(op);
        }
    }

    // ---- ops ----

    pub(super) fn enter_op(&mut self, op: Op, info: Option<&OpInfo>, found: &mut Findings) {
        let ir = self.ir;
        self.entered = Some((op, info.is_some_and(|info| info.has(Trait::IsolatedFromAbove))));
        if let Some(block) = ir.block_of(op) {
            self.set_current(op);
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

    pub(super) fn leave_op(&mut self, op: Op) {
        if !self.ir.regions(op).is_empty() {
            self.close_regions_of(Some(op));
        }
        self.define_results(op);
    }

    fn check_position(&mut self, op: Op, info: Option<&OpInfo>, block: Block, found: &mut Findings) {
        let ir = self.ir;
        let row = ir.row(op);
        let in_order = row.prev.is_none_or(|prev| ir.order(prev) < row.order);
        let is_free = row.next.is_none() || info.is_some_and(|info| !info.has(Trait::Terminator));
        if in_order && is_free && (row.is_plain || ir.successors(op).is_empty()) {
            return;
        }
        let is_last = row.next.is_none();
        if !is_last && info.is_some_and(|info| info.has(Trait::Terminator)) {
            found.broken(ir, op, "ends a block and so must be the last op of its block");
        } else if !is_last && !ir.successors(op).is_empty() {
            found.broken(ir, op, "has successors and so must be the last op of its block");
        }
        if !in_order {
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
        self.set_current(op);
        self.fault(value).is_none()
    }

    /// The ops that follow see so many values from the `first` on.
    #[inline]
    pub(super) fn define_run(&mut self, first: u32, count: usize) {
        self.scratch.scopes.define_run(first as usize, count);
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
        let Some(depth) = self.scratch.open[region].checked_sub(1) else { return Some(Fault::NotInScope) };
        let Some(open) = self.path.get(depth as usize) else { return Some(Fault::NotInScope) };
        if let Some(&Level { visible, .. }) = self.path.last()
            && depth < visible
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

/// What the blocks of an op's regions must be like, whatever their ops are.
pub(super) fn check_regions(ir: &Ir, op: Op, found: &mut Findings) {
    let mut entered_again = false;
    for (index, &region) in ir.regions(op).iter().enumerate() {
        let Some(entry) = ir.entry_block(region) else { continue };
        let free = |info: &OpInfo| info.has(Trait::NoTerminator) || info.has(Trait::GraphRegion);
        let may_lack_terminator = ir.next_block(entry).is_none() && ir.info(op).is_none_or(free);
        for block in ir.blocks(region) {
            if !may_lack_terminator {
                check_terminator(ir, (op, index), block, found);
            }
            entered_again |= ir.last_op(block).is_some_and(|last| ir.successors(last).contains(&entry));
        }
    }
    if entered_again {
        found.broken(ir, op, "has a region whose entry block is a successor of another block");
    }
}

fn check_terminator(ir: &Ir, (parent, region): (Op, usize), block: Block, found: &mut Findings) {
    match ir.last_op(block) {
        None => {
            let name = naming::region(ir, parent, region);
            found.broken(ir, parent, format!("{name} has an empty block: it needs a terminator"));
        }
        Some(last) if ir.info(last).is_some_and(|info| !info.has(Trait::Terminator)) => {
            let name = naming::region(ir, parent, region);
            let text = format!("the block ends with '{}'", ir.op_name_str(last));
            let message = format!("{name} has a block without a terminator");
            found.broken(ir, parent, message).note(ir.loc(last), text);
        }
        Some(_) => {}
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
