//! Analyses: facts about an op that passes ask for, kept until a pass changes the program without preserving them.
//!
//! Invalidation is by kind: after a pass that changed something, every analysis of a kind it did not name is dropped,
//! for all ops (facts about an op depend on what is inside it and around it).

pub mod alias;
pub mod call_graph;
pub mod liveness;
pub mod operator;

use rustc_hash::FxHashMap;
use segra_ir::dominance::Dominance;
use segra_ir::symbol::SymbolTables;
use segra_ir::{Ir, Op};
use std::any::{Any, TypeId};

/// A fact about an op and everything inside it.
pub trait Analysis: Any + Send {
    /// Computes it.
    fn compute(ir: &Ir, op: Op) -> Self;
}

impl Analysis for Dominance {
    fn compute(_: &Ir, _: Op) -> Dominance {
        Dominance::new()
    }
}

impl Analysis for SymbolTables {
    fn compute(_: &Ir, _: Op) -> SymbolTables {
        SymbolTables::new()
    }
}

/// Which analyses hold after a pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Preserved {
    /// All.
    All,
    /// Those of these kinds.
    Only(Vec<TypeId>),
}

impl Preserved {
    /// Adds a kind.
    pub fn add<A: Analysis>(&mut self) {
        if let Preserved::Only(kinds) = self {
            kinds.push(TypeId::of::<A>());
        }
    }
    fn holds(&self, kind: TypeId) -> bool {
        match self {
            Preserved::All => true,
            Preserved::Only(kinds) => kinds.contains(&kind),
        }
    }
}

/// The analyses that hold now.
#[derive(Default)]
pub struct Analyses {
    known: FxHashMap<(TypeId, Op), Box<dyn Any + Send>>,
}

impl std::fmt::Debug for Analyses {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Analyses({})", self.known.len())
    }
}

impl Analyses {
    /// None yet.
    pub fn new() -> Analyses {
        Analyses::default()
    }
    /// The analysis `A` of `op`, computed if it is not known.
    pub fn get<A: Analysis>(&mut self, ir: &Ir, op: Op) -> &mut A {
        let key = (TypeId::of::<A>(), op);
        let slot = self
            .known
            .entry(key)
            .or_insert_with(|| Box::new(A::compute(ir, op)));
        slot.downcast_mut().expect("the key names the type")
    }
    /// Whether the analysis `A` of `op` is known.
    pub fn is_known<A: Analysis>(&self, op: Op) -> bool {
        self.known.contains_key(&(TypeId::of::<A>(), op))
    }
    /// Drops what a pass did not preserve.
    pub fn invalidate(&mut self, preserved: &Preserved) {
        if *preserved != Preserved::All {
            self.known.retain(|key, _| preserved.holds(key.0));
        }
    }
}
