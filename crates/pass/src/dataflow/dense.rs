//! The dense forward solver: facts about places between ops, not about values.
//!
//! A state holds before and after every op. Control joins the states of all ways that lead to a block: branches between
//! blocks, and the ways into, around and out of ops with `RegionBranch`. Regions whose ways are not known start from
//! [`DenseAnalysis::entry`], and so does the body of a callable. Cost: an op is looked at once per change of the state
//! in front of its block.

use segra_ir::interfaces::{RegionBranch, RegionSuccessor};
use segra_ir::{Block, Ir, Op, Region, SecondaryMap, Trait};
use std::collections::VecDeque;

/// A dense forward analysis: how the state after an op follows from the state before it.
pub trait DenseAnalysis {
    /// The state at a program point.
    type State: Clone + PartialEq;
    /// The state where control enters a region along unknown edges.
    fn entry(&self, ir: &Ir, region: Region) -> Self::State;
    /// The state after an op, from the state before it. Of an op with regions whose ways are known only what it does
    /// itself counts.
    fn transfer(&self, ir: &Ir, op: Op, before: &Self::State) -> Self::State;
    /// Makes `state`, which holds at the start of a block, hold on one way more. Whether it changed.
    fn join(&self, ir: &Ir, place: Place, state: &mut Self::State, other: &Self::State) -> bool;
}

/// Where ways meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// At the start of a block.
    Block(Block),
    /// After an op with regions.
    After(Op),
}

/// The result: the states before ops.
#[derive(Clone, Debug)]
pub struct DenseStates<S> {
    before: SecondaryMap<Op, Option<S>>,
}

impl<S: Clone> DenseStates<S> {
    /// The state right before an op; `None`: no control reaches it.
    pub fn before(&self, op: Op) -> Option<&S> {
        self.before[op].as_ref()
    }
}

/// Solves a dense analysis for everything inside `root`.
pub fn solve_dense<A: DenseAnalysis>(ir: &Ir, root: Op, analysis: &A) -> DenseStates<A::State> {
    let mut solver = Solver {
        ir,
        analysis,
        starts: SecondaryMap::default(),
        before: SecondaryMap::default(),
        after: SecondaryMap::default(),
        queue: VecDeque::new(),
        waiting: SecondaryMap::default(),
    };
    for &region in ir.regions(root) {
        solver.enter_unknown(region);
    }
    while let Some(work) = solver.queue.pop_front() {
        match work {
            Work::Block(block) => {
                solver.waiting[block] = false;
                let state = solver.starts[block].clone();
                solver.run(ir.first_op(block), state);
            }
            Work::After(op) => {
                let state = solver.after[op].clone();
                solver.run(ir.next_op(op), state);
            }
        }
    }
    DenseStates {
        before: solver.before,
    }
}

#[derive(Clone, Copy)]
enum Work {
    /// The ops of a block.
    Block(Block),
    /// The ops behind this one, whose regions were left.
    After(Op),
}

struct Solver<'a, A: DenseAnalysis> {
    ir: &'a Ir,
    analysis: &'a A,
    starts: SecondaryMap<Block, Option<A::State>>,
    before: SecondaryMap<Op, Option<A::State>>,
    /// States behind ops that control enters and leaves.
    after: SecondaryMap<Op, Option<A::State>>,
    queue: VecDeque<Work>,
    waiting: SecondaryMap<Block, bool>,
}

impl<A: DenseAnalysis> Solver<'_, A> {
    fn enter_unknown(&mut self, region: Region) {
        if let Some(entry) = self.ir.entry_block(region) {
            let state = self.analysis.entry(self.ir, region);
            self.reach(entry, &state);
        }
    }
    /// Control comes to a block with a state.
    fn reach(&mut self, block: Block, state: &A::State) {
        let changed = match &mut self.starts[block] {
            Some(known) => self
                .analysis
                .join(self.ir, Place::Block(block), known, state),
            slot => {
                *slot = Some(state.clone());
                true
            }
        };
        if changed && !std::mem::replace(&mut self.waiting[block], true) {
            self.queue.push_back(Work::Block(block));
        }
    }
    /// Control leaves an op with regions with a state.
    fn leave(&mut self, op: Op, state: &A::State) {
        let changed = match &mut self.after[op] {
            Some(known) => self.analysis.join(self.ir, Place::After(op), known, state),
            slot => {
                *slot = Some(state.clone());
                true
            }
        };
        if changed {
            self.queue.push_back(Work::After(op));
        }
    }
    /// Runs ops from `at` on, up to the end of the block or an op that control enters.
    fn run(&mut self, mut at: Option<Op>, state: Option<A::State>) {
        let ir = self.ir;
        let Some(mut state) = state else { return };
        while let Some(op) = at {
            self.before[op] = Some(state.clone());
            let after = self.analysis.transfer(ir, op, &state);
            for &block in ir.successors(op) {
                self.reach(block, &after);
            }
            if let Some(model) = ir.interface::<dyn RegionBranch>(op) {
                for to in model.successors(ir, op, None) {
                    self.go(op, to, &after);
                }
                // The code behind it is reached when control leaves the op.
                return;
            }
            for &region in ir.regions(op) {
                self.enter_unknown(region);
            }
            at = ir.next_op(op);
            if at.is_none() && ir.has_trait(op, Trait::Terminator) {
                self.end(op, &after);
            }
            state = after;
        }
    }
    /// A block ends without a branch: control may go on along the ways of the op around it.
    fn end(&mut self, last: Op, state: &A::State) {
        let ir = self.ir;
        let Some(parent) = ir
            .parent_op(last)
            .filter(|_| ir.successors(last).is_empty())
        else {
            return;
        };
        let Some(model) = ir.interface::<dyn RegionBranch>(parent) else {
            return;
        };
        let from = ir.block_of(last).and_then(|block| ir.block_region(block));
        for to in model.successors(ir, parent, from) {
            self.go(parent, to, state);
        }
    }
    fn go(&mut self, op: Op, to: RegionSuccessor, state: &A::State) {
        match to {
            RegionSuccessor::Parent => self.leave(op, state),
            RegionSuccessor::Region(region) => {
                if let Some(entry) = self.ir.entry_block(region) {
                    self.reach(entry, state);
                }
            }
        }
    }
}
