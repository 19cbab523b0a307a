//! The backward solver: facts about values from what becomes of them.
//!
//! The mirror of [`forward`](super::forward): an op is looked at, and again whenever a fact about one of its results
//! changes; what branches, regions and calls forward gets the facts of what receives it. Callables that only known
//! calls reach get what their callers do with the results. Cost: every op once, and once more per change of a result.

use super::forward::Lattice;
use crate::analysis::call_graph::{CallGraph, body};
use crate::rewrite::{Branches, add_branches};
use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::interfaces::{BranchLike, CallLike, RegionBranch, region_edges};
use segra_ir::{Ir, Op, SecondaryMap, Trait, Value, ValueDef};
use smallvec::SmallVec;

/// A backward analysis: how facts about operands follow from facts about results.
pub trait BackwardAnalysis {
    /// The fact about one value; the default holds of unused values.
    type Fact: Lattice + Default;
    /// The fact about a value that is forwarded to an unknown receiver.
    fn unknown(&self, ir: &Ir, value: Value) -> Self::Fact;
    /// The facts about the operands of `op`, from those about its results: one fact per operand. Also asked of ops with
    /// control flow, for operands they hand to nobody (a condition, a bound).
    fn transfer(&self, ir: &Ir, op: Op, results: &[Self::Fact]) -> SmallVec<[Self::Fact; 4]>;
    /// The facts about the values that the terminators inside `op`, an op with `RegionBranch`, decide by (a condition), from those
    /// of the results of `op`.
    fn decides(&self, ir: &Ir, op: Op, results: &[Self::Fact]) -> Self::Fact;
}

/// The facts found.
#[derive(Clone, Debug)]
pub struct BackwardFacts<F> {
    facts: SecondaryMap<Value, Option<F>>,
}

impl<F: Clone + Default> BackwardFacts<F> {
    /// The fact about a value.
    pub fn of(&self, value: Value) -> F {
        self.facts[value].clone().unwrap_or_default()
    }
}

/// Solves a backward analysis for everything inside `root`.
pub fn solve_backward<A: BackwardAnalysis>(
    ir: &Ir,
    root: Op,
    analysis: &A,
) -> BackwardFacts<A::Fact> {
    let mut solver = Solver {
        ir,
        root,
        analysis,
        calls: CallGraph::of(ir, root),
        facts: SecondaryMap::default(),
        handed_on: FxHashMap::default(),
        asked: FxHashSet::default(),
        decided: FxHashMap::default(),
        branches: Branches::default(),
        changed: Vec::new(),
        queue: Vec::new(),
        waiting: SecondaryMap::default(),
    };
    // The queue is a stack: what stands last is looked at first.
    ir.walk_with(root, &mut |op| {
        add_branches(ir, op, &mut solver.branches);
        solver.push(op);
    });
    while let Some(op) = solver.queue.pop() {
        solver.waiting[op] = false;
        solver.visit(op);
        while let Some(value) = solver.changed.pop() {
            solver.look_at_sources(value);
        }
    }
    BackwardFacts {
        facts: solver.facts,
    }
}

struct Solver<'a, A: BackwardAnalysis> {
    ir: &'a Ir,
    root: Op,
    analysis: &'a A,
    calls: CallGraph,
    facts: SecondaryMap<Value, Option<A::Fact>>,
    /// The values that the second op forwards along the edges of the first one, which has `RegionBranch`: position and receiver.
    handed_on: FxHashMap<(Op, Op), Vec<(usize, Value)>>,
    /// Ops whose ways are known.
    asked: FxHashSet<Op>,
    /// The values that an op's terminators decide by, by the facts of its results now.
    decided: FxHashMap<Op, A::Fact>,
    branches: Branches,
    /// Values whose facts changed since their sources were looked at.
    changed: Vec<Value>,
    queue: Vec<Op>,
    waiting: SecondaryMap<Op, bool>,
}

impl<A: BackwardAnalysis> Solver<'_, A> {
    fn push(&mut self, op: Op) {
        if op != self.root && !std::mem::replace(&mut self.waiting[op], true) {
            self.queue.push(op);
        }
    }
    fn fact(&self, value: Value) -> A::Fact {
        self.facts[value].clone().unwrap_or_default()
    }
    fn join(&mut self, value: Value, fact: &A::Fact) {
        let slot = self.facts[value].get_or_insert_with(A::Fact::default);
        if slot.join(fact) {
            self.changed.push(value);
        }
    }
    /// The ops that hand something to a value are to be looked at again. A value that branches forward to an argument gets its fact
    /// at once: they may have many other ways.
    fn look_at_sources(&mut self, value: Value) {
        let ir = self.ir;
        match ir.value_def(value) {
            ValueDef::Result { op, .. } => {
                self.decided.remove(&op);
                self.push(op);
                if let Some(callee) = self.calls.callee(op) {
                    self.push_exits(callee);
                } else if !ir.regions(op).is_empty() {
                    self.push_exits(op);
                }
            }
            ValueDef::Argument { block, index } => {
                let Some(region) = ir.block_region(block) else {
                    return;
                };
                let Some(parent) = ir.region_parent(region) else {
                    return;
                };
                if ir.entry_block(region) == Some(block) {
                    let callers = self
                        .calls
                        .node(parent)
                        .map(|node| node.callers.clone())
                        .unwrap_or_default();
                    callers.into_iter().for_each(|call| self.push(call));
                    self.push(parent);
                    self.push_exits(parent);
                } else {
                    let fact = self.fact(value);
                    let into = self.branches.get(&block).into_iter().flatten();
                    let handed = into.filter_map(|into| {
                        let position = into.operands.clone().nth(index as usize)?;
                        Some(ir.operand(into.branch, position))
                    });
                    let handed: SmallVec<[Value; 2]> = handed.collect();
                    handed.into_iter().for_each(|value| self.join(value, &fact));
                }
            }
        }
    }
    /// The ends of the blocks directly inside `op`.
    fn push_exits(&mut self, op: Op) {
        let ir = self.ir;
        for &region in ir.regions(op) {
            for last in ir.blocks(region).filter_map(|block| ir.last_op(block)) {
                self.push(last);
            }
        }
    }

    fn visit(&mut self, op: Op) {
        let ir = self.ir;
        let own = self.own(op);
        let mut handed: Vec<bool> = vec![false; ir.num_operands(op)];
        self.branch(op, &mut handed);
        self.through_regions(op, op, &mut handed);
        self.leave(op, &mut handed);
        self.call(op, &mut handed);
        for (index, value) in ir.operands(op).enumerate() {
            if !handed[index]
                && let Some(fact) = own.get(index)
            {
                self.join(value, fact);
            }
        }
    }
    /// The fact about operands that are forwarded to nobody.
    fn own(&mut self, op: Op) -> SmallVec<[A::Fact; 4]> {
        let ir = self.ir;
        let facts = &self.facts;
        let results = |op| -> SmallVec<[A::Fact; 2]> {
            ir.results(op)
                .map(|result| facts[result].clone().unwrap_or_default())
                .collect()
        };
        let around = ir.parent_op(op).filter(|&around| {
            ir.has_trait(op, Trait::Terminator)
                && ir.successors(op).is_empty()
                && ir.interface::<dyn RegionBranch>(around).is_some()
        });
        match around {
            Some(around) => {
                let new = || self.analysis.decides(ir, around, &results(around));
                let fact = self.decided.entry(around).or_insert_with(new).clone();
                SmallVec::from_elem(fact, ir.num_operands(op))
            }
            None => self.analysis.transfer(ir, op, &results(op)),
        }
    }
    fn hand(&mut self, op: Op, index: usize, to: Value, handed: &mut [bool]) {
        if let Some(mark) = handed.get_mut(index) {
            *mark = true;
            let fact = self.fact(to);
            self.join(self.ir.operand(op, index), &fact);
        }
    }
    fn branch(&mut self, op: Op, handed: &mut [bool]) {
        let ir = self.ir;
        let Some(model) = ir.interface::<dyn BranchLike>(op) else {
            return;
        };
        for (range, &block) in model.forwarded(ir, op).into_iter().zip(ir.successors(op)) {
            for (position, &arg) in range.zip(ir.block_args(block)) {
                self.hand(op, position, arg, handed);
            }
        }
    }
    /// The values `from` forwards along the edges of `parent`: the op itself, or one that ends a block inside it.
    fn through_regions(&mut self, parent: Op, from: Op, handed: &mut [bool]) {
        if self.asked.insert(parent) {
            for edge in region_edges(self.ir, parent).unwrap_or_default() {
                let pairs = edge.operands.zip(edge.inputs);
                self.handed_on
                    .entry((parent, edge.from))
                    .or_default()
                    .extend(pairs);
            }
        }
        let Some(pairs) = self.handed_on.remove(&(parent, from)) else {
            return;
        };
        for &(position, input) in &pairs {
            self.hand(from, position, input, handed);
        }
        self.handed_on.insert((parent, from), pairs);
    }
    /// The values that the terminator of a region forwards to the op around it, or to the callers of that.
    fn leave(&mut self, op: Op, handed: &mut [bool]) {
        let ir = self.ir;
        let ends =
            ir.next_op(op).is_none() && ir.info(op).is_none_or(|info| info.has(Trait::Terminator));
        let Some(parent) = ir
            .parent_op(op)
            .filter(|_| ends && ir.successors(op).is_empty())
        else {
            return;
        };
        let Some(node) = self.calls.node(parent) else {
            return self.through_regions(parent, op, handed);
        };
        if node.escapes {
            // Its callers may do anything with its results.
            for (index, value) in ir.operands(op).enumerate() {
                handed[index] = true;
                self.join(value, &self.analysis.unknown(ir, value));
            }
            return;
        }
        for call in node.callers.clone() {
            for (index, result) in ir.results(call).enumerate() {
                self.hand(op, index, result, handed);
            }
        }
        handed.fill(true);
    }
    fn call(&mut self, op: Op, handed: &mut [bool]) {
        let ir = self.ir;
        let Some(callee) = self.calls.callee(op) else {
            return;
        };
        let Some(entry) = body(ir, callee).and_then(|region| ir.entry_block(region)) else {
            return;
        };
        let passed = ir
            .interface::<dyn CallLike>(op)
            .map(|call| call.arguments(ir, op))
            .unwrap_or_default();
        // Which operands are the arguments is only known where all are.
        if ir.operands(op).eq(passed) {
            for (index, &arg) in ir.block_args(entry).iter().enumerate() {
                self.hand(op, index, arg, handed);
            }
        }
    }
}
