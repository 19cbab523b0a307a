//! Which values are always the same constant.

use super::forward::{ForwardAnalysis, Lattice};
use segra_ir::interfaces::{FoldResult, constant_of};
use segra_ir::{Attr, Ir, Op, Value};
use smallvec::SmallVec;

/// The fact about a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstantFact {
    /// It is this constant wherever control reaches it.
    Constant(Attr),
    /// It may be different things.
    Varies,
}

impl Lattice for ConstantFact {
    fn join(&mut self, other: &Self) -> bool {
        let joined = if self == other {
            *self
        } else {
            ConstantFact::Varies
        };
        std::mem::replace(self, joined) != joined
    }
}

impl ConstantFact {
    /// The constant.
    pub fn attr(self) -> Option<Attr> {
        match self {
            ConstantFact::Constant(attr) => Some(attr),
            ConstantFact::Varies => None,
        }
    }
}

/// The analysis: ops are folded on what their operands are known to be.
#[derive(Clone, Copy, Debug, Default)]
pub struct Constants;

impl ForwardAnalysis for Constants {
    type Fact = ConstantFact;
    fn unknown(&self, _ir: &Ir, _value: Value) -> ConstantFact {
        ConstantFact::Varies
    }
    fn transfer(
        &self,
        ir: &Ir,
        op: Op,
        operands: &[ConstantFact],
        fact_of: &dyn Fn(Value) -> Option<ConstantFact>,
    ) -> SmallVec<[ConstantFact; 1]> {
        let varies = || ir.results(op).map(|_| ConstantFact::Varies).collect();
        if ir.num_results(op) == 1
            && let Some(attr) = constant_of(ir, ir.result(op, 0))
        {
            return SmallVec::from_slice(&[ConstantFact::Constant(attr)]);
        }
        let Some(fold) = ir.info(op).and_then(|info| info.fold) else {
            return varies();
        };
        let constants: SmallVec<[Option<Attr>; 4]> =
            operands.iter().map(|fact| fact.attr()).collect();
        match fold.fold(ir, op, &constants) {
            Some(found) if found.len() == ir.num_results(op) => found
                .into_iter()
                .map(|found| match found {
                    FoldResult::Attr(attr) => ConstantFact::Constant(attr),
                    // Only a change of an operand has the op looked at again.
                    FoldResult::Value(value) if ir.operands(op).any(|operand| operand == value) => {
                        fact_of(value).unwrap_or(ConstantFact::Varies)
                    }
                    FoldResult::Value(_) => ConstantFact::Varies,
                })
                .collect(),
            _ => varies(),
        }
    }
    fn constant(&self, _ir: &Ir, _value: Value, fact: &ConstantFact) -> Option<Attr> {
        fact.attr()
    }
}
