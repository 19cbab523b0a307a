//! The forward solver.
//!
//! Starts where control starts; an op is looked at when its block can be reached and all its operands have a fact, and
//! again whenever one of them changes. Private functions only called in known ways get what their callers pass.
//! Cost: every op is looked at once per change of an operand's fact, and a fact changes as often as its lattice is high
//! (it is widened after [`PATIENCE`] changes).

use crate::analysis::call_graph::CallGraph;
use rustc_hash::FxHashMap;
use segra_ir::interfaces::{BranchLike, CallLike, RegionBranch, RegionSuccessor, constant_of};
use segra_ir::{Attr, Block, Ir, Op, Region, SecondaryMap, Trait, Value};
use smallvec::SmallVec;

/// Changes of one value's fact before it is widened.
pub const PATIENCE: u8 = 16;

/// An element of a lattice: what may hold of a value.
pub trait Lattice: Clone + PartialEq + std::fmt::Debug {
    /// Makes this hold whenever this or `other` does. Whether it changed.
    fn join(&mut self, other: &Self) -> bool;
}

/// A forward analysis: how facts follow from facts.
pub trait ForwardAnalysis {
    /// The fact about one value.
    type Fact: Lattice;
    /// The fact about a value nothing else is known about.
    fn unknown(&self, ir: &Ir, value: Value) -> Self::Fact;
    /// The facts about the results of `op`, an op without control flow, from those about its operands: one fact per
    /// result. `fact_of` tells what is known of other values now.
    fn transfer(
        &self,
        ir: &Ir,
        op: Op,
        operands: &[Self::Fact],
        fact_of: &dyn Fn(Value) -> Option<Self::Fact>,
    ) -> SmallVec<[Self::Fact; 1]>;
    /// The fact about a region argument that `op` makes itself (an induction variable).
    fn own_argument(
        &self,
        ir: &Ir,
        _op: Op,
        argument: Value,
        _fact_of: &dyn Fn(Value) -> Option<Self::Fact>,
    ) -> Self::Fact {
        self.unknown(ir, argument)
    }
    /// The constant a fact says a value is: decides branches.
    fn constant(&self, ir: &Ir, value: Value, fact: &Self::Fact) -> Option<Attr>;
    /// Something that holds whenever `fact` does and that joins soon leave as it is; for lattices that are high.
    fn widen(&self, ir: &Ir, value: Value, fact: Self::Fact) -> Self::Fact {
        let _ = fact;
        self.unknown(ir, value)
    }
}

/// The facts found.
#[derive(Clone, Debug)]
pub struct Facts<F> {
    facts: SecondaryMap<Value, Option<F>>,
    executable: SecondaryMap<Block, bool>,
}

impl<F: Clone> Facts<F> {
    /// The fact about a value; `None`: no control reaches it.
    pub fn of(&self, value: Value) -> Option<&F> {
        self.facts[value].as_ref()
    }
    /// Whether control may reach a block.
    pub fn is_executable(&self, block: Block) -> bool {
        self.executable[block]
    }
}

/// Solves a forward analysis for everything inside `root`.
pub fn solve<A: ForwardAnalysis>(ir: &Ir, root: Op, analysis: &A) -> Facts<A::Fact> {
    let mut solver = Solver {
        ir,
        analysis,
        calls: CallGraph::of(ir, root),
        facts: SecondaryMap::default(),
        changes: SecondaryMap::default(),
        executable: SecondaryMap::default(),
        returned: FxHashMap::default(),
        queue: Vec::new(),
        waiting: SecondaryMap::default(),
    };
    for &region in ir.regions(root) {
        solver.enter_unknown(region);
    }
    while let Some(op) = solver.queue.pop() {
        solver.waiting[op] = false;
        solver.visit(op);
    }
    Facts {
        facts: solver.facts,
        executable: solver.executable,
    }
}

struct Solver<'a, A: ForwardAnalysis> {
    ir: &'a Ir,
    analysis: &'a A,
    calls: CallGraph,
    facts: SecondaryMap<Value, Option<A::Fact>>,
    changes: SecondaryMap<Value, u8>,
    executable: SecondaryMap<Block, bool>,
    /// The values callables return, as far as known.
    returned: FxHashMap<Op, Vec<A::Fact>>,
    queue: Vec<Op>,
    waiting: SecondaryMap<Op, bool>,
}

impl<A: ForwardAnalysis> Solver<'_, A> {
    fn push(&mut self, op: Op) {
        if !std::mem::replace(&mut self.waiting[op], true) {
            self.queue.push(op);
        }
    }
    fn run_block(&mut self, block: Block) {
        if std::mem::replace(&mut self.executable[block], true) {
            return;
        }
        let ir = self.ir;
        // The queue is a stack: the first op is to come first.
        for op in ir.ops_reversed(block) {
            self.push(op);
        }
    }
    fn join(&mut self, value: Value, fact: A::Fact) {
        let ir = self.ir;
        let slot = &mut self.facts[value];
        let changed = match slot {
            Some(known) => known.join(&fact),
            None => {
                *slot = Some(fact);
                true
            }
        };
        if !changed {
            return;
        }
        let count = self.changes[value].saturating_add(1);
        self.changes[value] = count;
        if count > PATIENCE
            && let Some(fact) = self.facts[value].take()
        {
            self.facts[value] = Some(self.analysis.widen(ir, value, fact));
        }
        for user in ir.users(value) {
            if ir
                .block_of(user)
                .is_some_and(|block| self.executable[block])
            {
                self.push(user);
            }
        }
    }
    fn join_unknown(&mut self, value: Value) {
        self.join(value, self.analysis.unknown(self.ir, value));
    }
    fn operands(&self, op: Op) -> Option<SmallVec<[A::Fact; 4]>> {
        self.ir
            .operands(op)
            .map(|value| self.facts[value].clone())
            .collect()
    }
    fn constants(&self, op: Op, facts: &[A::Fact]) -> SmallVec<[Option<Attr>; 4]> {
        let ir = self.ir;
        ir.operands(op)
            .zip(facts)
            .map(|(value, fact)| {
                constant_of(ir, value).or_else(|| self.analysis.constant(ir, value, fact))
            })
            .collect()
    }
    /// Control enters a region in ways nothing is known about.
    fn enter_unknown(&mut self, region: Region) {
        let ir = self.ir;
        if let Some(entry) = ir.entry_block(region) {
            for &arg in ir.block_args(entry) {
                self.join_unknown(arg);
            }
            self.run_block(entry);
        }
    }

    fn visit(&mut self, op: Op) {
        let ir = self.ir;
        // Operands without a fact: it is looked at again when they have one.
        let Some(facts) = self.operands(op) else {
            return;
        };
        if !ir.successors(op).is_empty() {
            return self.branch(op, &facts);
        }
        if self.is_exit(op) {
            return self.leave(op, &facts);
        }
        if let Some(model) = ir.interface::<dyn RegionBranch>(op) {
            return self.enter(op, model, &facts);
        }
        if let Some(callee) = self.calls.callee(op) {
            return self.call(op, callee, &facts);
        }
        let regions = ir.regions(op);
        if regions.is_empty() {
            if ir.num_results(op) > 0 {
                let known = &self.facts;
                let results = self
                    .analysis
                    .transfer(ir, op, &facts, &|value| known[value].clone());
                for (result, fact) in ir.results(op).zip(results) {
                    self.join(result, fact);
                }
            }
            return;
        }
        // The body of a callable runs when it is called, and then in known ways only.
        if self.calls.node(op).is_none_or(|node| node.escapes) {
            for &region in regions {
                self.enter_unknown(region);
            }
        }
        for result in ir.results(op) {
            self.join_unknown(result);
        }
    }

    fn branch(&mut self, op: Op, facts: &[A::Fact]) {
        let ir = self.ir;
        let model = ir.interface::<dyn BranchLike>(op);
        let constants = self.constants(op, facts);
        let known = model.and_then(|model| model.known_successor(ir, op, &constants));
        let handed = model
            .map(|model| model.forwarded(ir, op))
            .unwrap_or_default();
        for (index, &block) in ir.successors(op).iter().enumerate() {
            if known.is_some_and(|known| known != index) {
                continue;
            }
            let range = handed.get(index).cloned().unwrap_or_default();
            for (position, &arg) in ir.block_args(block).iter().enumerate() {
                match facts
                    .get(range.start + position)
                    .filter(|_| position < range.len())
                {
                    Some(fact) => self.join(arg, fact.clone()),
                    None => self.join_unknown(arg),
                }
            }
            self.run_block(block);
        }
    }

    /// Whether control leaves the op's region here.
    fn is_exit(&self, op: Op) -> bool {
        let ir = self.ir;
        ir.next_op(op).is_none()
            && ir.info(op).is_none_or(|info| info.has(Trait::Terminator))
            && ir.parent_op(op).is_some_and(|parent| {
                ir.interface::<dyn RegionBranch>(parent).is_some()
                    || self.calls.node(parent).is_some()
            })
    }
    fn leave(&mut self, op: Op, facts: &[A::Fact]) {
        let ir = self.ir;
        // The terminator's own regions (reductions) run in ways of their own.
        for &region in ir.regions(op) {
            self.enter_unknown(region);
        }
        let Some(parent) = ir.parent_op(op) else {
            return;
        };
        if let Some(model) = ir.interface::<dyn RegionBranch>(parent) {
            let Some(from) = ir.block_of(op).and_then(|block| ir.block_region(block)) else {
                return;
            };
            let constants = self.constants(op, facts);
            for to in model.exit_successors(ir, parent, from, op, &constants) {
                let range = model.exit_forwarded(ir, parent, op, to);
                self.hand(parent, model, to, facts.get(range).unwrap_or_default());
            }
            return;
        }
        let changed = match self.returned.get_mut(&parent) {
            None => {
                self.returned.insert(parent, facts.to_vec());
                true
            }
            Some(known) => known
                .iter_mut()
                .zip(facts)
                .fold(false, |all, (known, fact)| known.join(fact) | all),
        };
        if changed {
            let callers = self
                .calls
                .node(parent)
                .map(|node| node.callers.clone())
                .unwrap_or_default();
            for call in callers {
                if ir
                    .block_of(call)
                    .is_some_and(|block| self.executable[block])
                {
                    self.push(call);
                }
            }
        }
    }
    fn enter(&mut self, op: Op, model: &dyn RegionBranch, facts: &[A::Fact]) {
        let ir = self.ir;
        let constants = self.constants(op, facts);
        for to in model.entry_successors(ir, op, &constants) {
            let range = model.entry_forwarded(ir, op, to);
            self.hand(op, model, to, facts.get(range).unwrap_or_default());
        }
    }
    /// Control goes to `to` with these facts about its inputs.
    fn hand(&mut self, op: Op, model: &dyn RegionBranch, to: RegionSuccessor, facts: &[A::Fact]) {
        let ir = self.ir;
        let inputs = model.inputs(ir, op, to);
        for (&input, fact) in inputs.iter().zip(facts) {
            self.join(input, fact.clone());
        }
        match to {
            RegionSuccessor::Parent => {
                for result in ir.results(op).filter(|result| !inputs.contains(result)) {
                    self.join_unknown(result);
                }
            }
            RegionSuccessor::Region(region) => {
                let Some(entry) = ir.entry_block(region) else {
                    return;
                };
                for &arg in ir
                    .block_args(entry)
                    .iter()
                    .filter(|arg| !inputs.contains(arg))
                {
                    let known = &self.facts;
                    let fact = self
                        .analysis
                        .own_argument(ir, op, arg, &|value| known[value].clone());
                    self.join(arg, fact);
                }
                self.run_block(entry);
            }
        }
    }

    fn call(&mut self, op: Op, callee: Op, facts: &[A::Fact]) {
        let ir = self.ir;
        let entry =
            crate::analysis::call_graph::body(ir, callee).and_then(|region| ir.entry_block(region));
        let arguments = ir
            .interface::<dyn CallLike>(op)
            .map(|call| call.arguments(ir, op))
            .unwrap_or_default();
        let escapes = self.calls.node(callee).is_none_or(|node| node.escapes);
        if let Some(entry) = entry.filter(|_| !escapes) {
            for (&arg, &value) in ir.block_args(entry).iter().zip(&arguments) {
                let position = ir.operands(op).position(|operand| operand == value);
                match position.and_then(|position| facts.get(position)) {
                    Some(fact) => self.join(arg, fact.clone()),
                    None => self.join_unknown(arg),
                }
            }
            self.run_block(entry);
        }
        // Until the callee has returned once, nothing comes after the call.
        let returned = self.returned.get(&callee).cloned().unwrap_or_default();
        for (result, fact) in ir.results(op).zip(returned) {
            self.join(result, fact);
        }
    }
}
