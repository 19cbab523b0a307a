//! Layer 1: links, terminators, successors, and that every use sees its definition. Here is also the walk itself: what is
//! around the current op is what it needs, and nothing else.
//!
//! The walk keeps which blocks are open (the block being walked and those around it), each with the op being walked
//! in it, so a use is checked without walking up the nesting; most are by a look at [`Scopes`] alone.

use super::scopes::{BlockScopes, Scopes};
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

/// An op around the current one, and how far its regions are walked.
#[derive(Debug)]
struct Level<'a> {
    /// The region being walked; one after the other, since they do not see each other.
    region: Region,
    /// Those that come after it.
    rest: &'a [Region],
    parent: Option<Op>,
    /// The parent's name.
    around: Option<OpName>,
    /// The block being walked.
    block: Block,
    /// Its next op.
    next: Option<Op>,
    /// The op being walked in it, where that has regions or is being looked at.
    at: Option<Op>,
    /// The depth of the outermost level that may be looked into.
    visible: u32,
    /// The scope of the block being walked.
    scope: u32,
    /// The first scope that is seen around the op.
    floor: u32,
}

/// The buffers a walk leaves to the next one, so that many small walks cost no more than a large one.
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
    /// Ops around the current one, outermost first.
    path: Vec<Level<'a>>,
    dominance: Dominance,
}

/// Whether an op may use what is defined around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Isolation {
    FromAbove,
    None,
}

impl Isolation {
    pub(super) fn of(info: Option<&OpInfo>) -> Isolation {
        match info {
            Some(info) if info.has(Trait::IsolatedFromAbove) => Isolation::FromAbove,
            _ => Isolation::None,
        }
    }
}

/// The problem with a use.
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
        let mut structure = Structure {
            ir,
            scratch,
            path: Vec::new(),
            dominance: Dominance::new(),
        };
        let around: Vec<Op> = ir.ancestors(root).collect();
        for &op in around.iter().rev() {
            let Some(block) = ir.block_of(op) else {
                continue;
            };
            let Some(region) = ir.block_region(block) else {
                continue;
            };
            let parent = ir.region_parent(region);
            let isolation = Isolation::of(parent.and_then(|parent| ir.info(parent)));
            structure.open((parent, isolation), (region, &[]), block);
            structure.set_current(op);
        }
        structure
    }

    /// Closes what is open around the root.
    pub(super) fn end(mut self) {
        while !self.path.is_empty() {
            self.leave_regions();
        }
    }

    /// How many ops are around the block being walked.
    pub(super) fn depth(&self) -> usize {
        self.path.len()
    }

    /// The name of the op around the block being walked.
    #[inline]
    pub(super) fn parent_name(&self) -> Option<OpName> {
        self.path.last().and_then(|level| level.around)
    }

    // ---- the walk ----

    /// The op that comes next in the block being walked.
    #[inline]
    pub(super) fn next_op(&self) -> Option<Op> {
        self.path.last().and_then(|level| level.next)
    }
    /// Goes on in the block being walked after an op; after the last one where there is none.
    #[inline]
    pub(super) fn go_on_after(&mut self, op: Option<Op>) {
        if let Some(level) = self.path.last_mut() {
            level.next = op.and_then(|op| self.ir.next_op(op));
        }
    }

    /// Goes to the first block inside an op that was entered. Whether there is one.
    pub(super) fn enter_regions(
        &mut self,
        op: Op,
        isolation: Isolation,
        found: &mut Findings,
    ) -> bool {
        let mut rest = self.ir.regions(op);
        while let Some((&region, after)) = rest.split_first() {
            if let Some(block) = self.ir.entry_block(region) {
                self.open((Some(op), isolation), (region, after), block);
                self.enter_block(block, found);
                return true;
            }
            rest = after;
        }
        false
    }

    /// Goes to the next block of the op around. Whether there is one.
    pub(super) fn next_block(&mut self, found: &mut Findings) -> bool {
        let (ir, depth) = (self.ir, self.path.len() as u32);
        let Some(level) = self.path.last_mut() else {
            return false;
        };
        let mut next = ir.next_block(level.block);
        while next.is_none() {
            let Some((&region, after)) = level.rest.split_first() else {
                return false;
            };
            self.scratch.open[level.region] = 0;
            self.scratch.open[region] = depth;
            (level.region, level.rest) = (region, after);
            next = ir.entry_block(region);
        }
        let Some(block) = next else { return false };
        self.scratch.scopes.close(level.scope);
        level.scope = self.scratch.scopes.open();
        (level.block, level.next, level.at) = (block, ir.first_op(block), None);
        self.enter_block(block, found);
        true
    }

    /// Closes the op around, whose regions are done.
    pub(super) fn leave_regions(&mut self) -> Option<Op> {
        let last = self.path.pop()?;
        self.scratch.open[last.region] = 0;
        self.scratch.scopes.close(last.scope);
        self.scratch.scopes.set_floor(last.floor);
        self.scratch
            .scopes
            .resume(self.path.last().map(|level| level.scope));
        last.parent
    }

    fn enter_block(&mut self, block: Block, found: &mut Findings) {
        let ir = self.ir;
        for (index, &arg) in ir.block_args(block).iter().enumerate() {
            self.scratch.scopes.define(arg);
            if ir.value_def(arg)
                != (ValueDef::Argument {
                    block,
                    index: index as u32,
                })
                && let Some(parent) = ir.block_parent(block)
            {
                found.broken(
                    ir,
                    parent,
                    format!("has a block whose argument {index} belongs elsewhere"),
                );
            }
        }
    }

    fn open(
        &mut self,
        (parent, isolation): (Option<Op>, Isolation),
        (region, rest): (Region, &'a [Region]),
        block: Block,
    ) {
        let ir = self.ir;
        let depth = self.path.len() as u32;
        let around = parent.map(|parent| ir.op_name(parent));
        self.scratch.open[region] = depth + 1;
        let floor = self.scratch.scopes.floor();
        let scope = self.scratch.scopes.open();
        let visible = match isolation {
            Isolation::FromAbove => {
                self.scratch.scopes.set_floor(scope);
                depth
            }
            Isolation::None => self.path.last().map_or(0, |level| level.visible),
        };
        let next = ir.first_op(block);
        self.path.push(Level {
            region,
            rest,
            parent,
            around,
            block,
            next,
            at: None,
            visible,
            scope,
            floor,
        });
    }

    /// Remembers the op that is being walked in the innermost block.
    fn set_current(&mut self, op: Op) {
        if let Some(level) = self.path.last_mut() {
            level.at = Some(op);
        }
    }

    // ---- ops ----

    /// Looks at where an op stands and what it uses.
    pub(super) fn enter_op(&mut self, op: Op, info: Option<&OpInfo>, found: &mut Findings) {
        let ir = self.ir;
        let row = ir.row(op);
        if let Some(block) = row.block {
            self.set_current(op);
            self.check_position(op, info, block, found);
        }
        let scopes = self.scratch.scopes.of_block();
        if !ir.row_operands(row).all(|value| scopes.sees(value)) {
            self.check_uses(op, found);
        }
        for &region in ir.row_regions(row) {
            if ir.region_parent(region) != Some(op) {
                found.broken(ir, op, "has a region that belongs to another op");
            }
        }
    }

    fn check_position(
        &mut self,
        op: Op,
        info: Option<&OpInfo>,
        block: Block,
        found: &mut Findings,
    ) {
        let ir = self.ir;
        let row = ir.row(op);
        let in_order = row.prev.is_none_or(|prev| ir.order(prev) < row.order);
        let is_free = row.next.is_none() || info.is_some_and(|info| !info.has(Trait::Terminator));
        if in_order && is_free && (row.is_plain() || ir.successors(op).is_empty()) {
            return;
        }
        let is_last = row.next.is_none();
        if !is_last && info.is_some_and(|info| info.has(Trait::Terminator)) {
            found.broken(
                ir,
                op,
                "ends a block and so must be the last op of its block",
            );
        } else if !is_last && !ir.successors(op).is_empty() {
            found.broken(
                ir,
                op,
                "has successors and so must be the last op of its block",
            );
        }
        if !in_order {
            found.broken(
                ir,
                op,
                "has a position number that does not follow that of the op before it",
            );
        }
        let successors = ir.successors(op);
        if successors.is_empty() {
            return;
        }
        let region = ir.block_region(block);
        if successors
            .iter()
            .any(|&successor| ir.block_region(successor) != region)
        {
            found.broken(ir, op, "has a successor in another region");
        }
    }

    // ---- uses ----

    #[cold]
    fn check_uses(&mut self, op: Op, found: &mut Findings) {
        for (index, value) in self.ir.operands(op).enumerate() {
            if self.scratch.scopes.sees(value) {
                continue;
            }
            if let Some(fault) = self.fault(value) {
                report_use(self.ir, (op, index), value, fault, found);
            }
        }
    }

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

    /// The values visible at once to the ops of the block being walked.
    #[inline]
    pub(super) fn scopes(&mut self) -> BlockScopes<'_> {
        self.scratch.scopes.of_block()
    }
    /// The ops that follow see the results of one.
    #[inline]
    pub(super) fn define_results(&mut self, op: Op) {
        let row = self.ir.row(op);
        self.scopes().define_run(row.first_result, row.num_results);
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
        let Some(block) = block else {
            return Some(Fault::NotInScope);
        };
        let Some(region) = ir.block_region(block) else {
            return Some(Fault::NotInScope);
        };
        let Some(depth) = self.scratch.open[region].checked_sub(1) else {
            return Some(Fault::NotInScope);
        };
        let Some(open) = self.path.get(depth as usize) else {
            return Some(Fault::NotInScope);
        };
        if let Some(&Level { visible, .. }) = self.path.last()
            && depth < visible
        {
            let barrier = self
                .path
                .get(visible as usize)
                .and_then(|level| ir.region_parent(level.region));
            return barrier.map(Fault::AcrossIsolation);
        }
        if open.block != block {
            let sees = self.dominance.block_dominates(ir, block, open.block);
            return (!sees && self.order(region) == Order::Matters).then_some(Fault::TooEarly);
        }
        let (Some(def), Some(at)) = (def, open.at) else {
            return None;
        };
        if (def != at && ir.is_before(def, at)) || self.order(region) == Order::Free {
            return None;
        }
        // Unreachable code is not ordered either.
        if !self.dominance.tree(ir, region).is_reachable(block) {
            return None;
        }
        Some(if def == at {
            Fault::OwnResult
        } else {
            Fault::TooEarly
        })
    }

    /// An op that is not registered may mean its region to be a graph.
    fn order(&self, region: Region) -> Order {
        let Some(parent) = self.ir.region_parent(region) else {
            return Order::Matters;
        };
        match self.ir.info(parent) {
            Some(info) if !info.has(Trait::GraphRegion) => Order::Matters,
            _ => Order::Free,
        }
    }
}

/// The rules for the blocks of an op's regions, whatever their ops are.
pub(super) fn check_regions(ir: &Ir, op: Op, found: &mut Findings) {
    let mut entered_again = false;
    for (index, &region) in ir.regions(op).iter().enumerate() {
        let Some(entry) = ir.entry_block(region) else {
            continue;
        };
        let free = |info: &OpInfo| info.has(Trait::NoTerminator) || info.has(Trait::GraphRegion);
        let may_lack_terminator = ir.next_block(entry).is_none() && ir.info(op).is_none_or(free);
        for block in ir.blocks(region) {
            if !may_lack_terminator {
                check_terminator(ir, (op, index), block, found);
            }
            entered_again |= ir
                .last_op(block)
                .is_some_and(|last| ir.successors(last).contains(&entry));
        }
    }
    if entered_again {
        found.broken(
            ir,
            op,
            "has a region whose entry block is a successor of another block",
        );
    }
}

fn check_terminator(ir: &Ir, (parent, region): (Op, usize), block: Block, found: &mut Findings) {
    match ir.last_op(block) {
        None => {
            let name = naming::region(ir, parent, region);
            found.broken(
                ir,
                parent,
                format!("{name} has an empty block: it needs a terminator"),
            );
        }
        Some(last)
            if ir
                .info(last)
                .is_some_and(|info| !info.has(Trait::Terminator)) =>
        {
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
                .broken(
                    ir,
                    op,
                    format!("{name} is used inside the op that defines it"),
                )
                .note(defined, "defined here");
        }
        Fault::TooEarly => {
            found
                .broken(ir, op, format!("{name} is used before it is defined"))
                .note(
                    defined,
                    "defined here, which does not come before the use on every path",
                );
        }
        Fault::NotInScope => {
            found
                .broken(ir, op, format!("{name} is not visible here"))
                .note(
                    defined,
                    "defined here, in a region that does not enclose the use",
                );
        }
        Fault::AcrossIsolation(barrier) => {
            let around = ir.op_name_str(barrier);
            found
                .broken(
                    ir,
                    op,
                    format!(
                        "{name} is defined outside of '{around}', which must not use outer values"
                    ),
                )
                .note(defined, "defined here")
                .note(ir.loc(barrier), "isolated from above by this op");
        }
    }
}
