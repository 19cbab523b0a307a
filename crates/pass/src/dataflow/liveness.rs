//! Which values anything observable depends on, across blocks, regions and calls.

use super::backward::BackwardAnalysis;
use super::forward::Lattice;
use crate::rewrite::has_observable_effect;
use segra_ir::interfaces::CallLike;
use segra_ir::{Ir, Op, Trait, Value};
use smallvec::SmallVec;

/// Whether a value is live.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LiveFact {
    /// Nothing observable depends on it.
    #[default]
    Dead,
    /// Something may.
    Live,
}

impl Lattice for LiveFact {
    fn join(&mut self, other: &Self) -> bool {
        let changed = *self == LiveFact::Dead && *other == LiveFact::Live;
        if changed {
            *self = LiveFact::Live;
        }
        changed
    }
}

/// The analysis: an operand is live if its op does something that can be observed, or one of its results is live.
#[derive(Clone, Copy, Debug, Default)]
pub struct LiveValuesAnalysis;

impl BackwardAnalysis for LiveValuesAnalysis {
    type Fact = LiveFact;
    fn unknown(&self, _ir: &Ir, _value: Value) -> LiveFact {
        LiveFact::Live
    }
    fn transfer(&self, ir: &Ir, op: Op, results: &[LiveFact]) -> SmallVec<[LiveFact; 4]> {
        let live = results.contains(&LiveFact::Live) || matters(ir, op);
        let fact = if live { LiveFact::Live } else { LiveFact::Dead };
        SmallVec::from_elem(fact, ir.num_operands(op))
    }
    fn decides(&self, ir: &Ir, op: Op, results: &[LiveFact]) -> LiveFact {
        // How often dead code runs is not observed, nor whether it comes to an end.
        let live = results.contains(&LiveFact::Live) || matters(ir, op);
        if live { LiveFact::Live } else { LiveFact::Dead }
    }
}

/// Whether the op, or one inside it, does something that can be observed, or decides where control goes.
fn matters(ir: &Ir, op: Op) -> bool {
    if ir.has_trait(op, Trait::Terminator) {
        // Its forwarded values are asked for elsewhere; the rest decides.
        return true;
    }
    if ir.interface::<dyn CallLike>(op).is_some() {
        return true;
    }
    let mut found = has_observable_effect(ir, op);
    if !found && !ir.regions(op).is_empty() {
        ir.walk_with(op, &mut |inner| {
            found |= inner != op && has_observable_effect(ir, inner)
        });
    }
    found
}
