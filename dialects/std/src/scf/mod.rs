//! `scf`: structured loops and conditionals.

mod canonical;
mod canonical_forall;
mod canonical_while;
mod for_loop;
mod forall;
mod if_else;
mod parallel;
mod switch;
mod while_loop;
mod written_out;

use segra_interp::{Cx, Eval, EvalResult, Flow, Inst, Lanes};
use segra_ir::constraint::{AnyType, Bool};
use segra_ir::def::Origin;
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{RuleScope, Verify};
use segra_ir::{Dialect, Ir, Op, OpDef, OpView, Region, Type, Value, op};
use smallvec::SmallVec;

pub use for_loop::{Bounds, ForOp};
pub use forall::{ForallOp, InParallelOp};
pub use if_else::IfOp;
pub use parallel::{ParallelOp, ReduceOp, ReduceReturnOp};
pub use switch::{ExecuteRegionOp, IndexSwitchOp};
pub use while_loop::WhileOp;
pub use written_out::{iteration, multiple};

const OPS: &[&OpDef] = &[
    ConditionOp::DEF,
    ExecuteRegionOp::DEF,
    ForOp::DEF,
    ForallOp::DEF,
    InParallelOp::DEF,
    IndexSwitchOp::DEF,
    IfOp::DEF,
    ParallelOp::DEF,
    ReduceOp::DEF,
    ReduceReturnOp::DEF,
    WhileOp::DEF,
    YieldOp::DEF,
];

/// The dialect.
pub fn dialect() -> Dialect {
    Dialect {
        name: "scf",
        origin: Origin::Upstream,
        doc: "Structured loops and conditionals.",
        ops: OPS.to_vec(),
        ..Dialect::default()
    }
}

/// Ends a region and hands values to the op around it.
#[op(
    "scf.yield",
    traits(Pure, Terminator, ReturnLike),
    interfaces(Verify, Eval),
    format = "attr-dict ($results^ `:` type($results))?"
)]
pub struct YieldOp {
    results: VariadicOperand<AnyType>,
}

impl Verify for YieldOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let parent = ir.parent_op(op);
        let expected = parent.is_some_and(|parent| {
            ir.isa::<ForOp>(parent)
                || ir.isa::<IfOp>(parent)
                || ir.isa::<WhileOp>(parent)
                || ir.isa::<IndexSwitchOp>(parent)
                || ir.isa::<ExecuteRegionOp>(parent)
        });
        if !expected {
            diags.error("must end a region of scf.for, scf.if, scf.while, scf.index_switch or scf.execute_region",
            );
        }
    }
    fn scope(&self) -> RuleScope {
        RuleScope::Parent
    }
}

impl Eval for YieldOp {
    fn eval(&self, _cx: &mut Cx<'_>, _inst: &Inst, _lanes: &Lanes) -> EvalResult {
        Ok(Flow::Yield)
    }
}

/// Ends the first region of `scf.while`: whether to go on, and with what.
#[op(
    "scf.condition",
    traits(Pure, Terminator, ReturnLike),
    interfaces(Verify, Eval),
    format = "`(` $condition `)` attr-dict ($args^ `:` type($args))?"
)]
pub struct ConditionOp {
    condition: Operand<Bool>,
    args: VariadicOperand<AnyType>,
}

impl Verify for ConditionOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        if !ir
            .parent_op(op)
            .is_some_and(|parent| ir.isa::<WhileOp>(parent))
        {
            diags.error("must end the first region of scf.while");
        }
    }
    fn scope(&self) -> RuleScope {
        RuleScope::Parent
    }
}

impl Eval for ConditionOp {
    fn eval(&self, _cx: &mut Cx<'_>, _inst: &Inst, _lanes: &Lanes) -> EvalResult {
        Ok(Flow::Yield)
    }
}

/// Types of values.
fn types(ir: &Ir, values: impl IntoIterator<Item = Value>) -> SmallVec<[Type; 6]> {
    values
        .into_iter()
        .map(|value| ir.value_type(value))
        .collect()
}

/// The values the terminator of a region must forward.
struct Yields<'a> {
    region: Region,
    /// First operand of the terminator that counts.
    first: usize,
    types: &'a [Type],
    /// Who gets the values, for messages.
    receiver: &'a str,
}

impl Yields<'_> {
    /// Checks that the region ends with a `T`, and what that forwards.
    fn verify_end<T: OpView>(&self, ir: &Ir, diags: &mut OpDiagnostics<'_>) {
        let last = ir
            .blocks(self.region)
            .last()
            .and_then(|block| ir.last_op(block));
        match last {
            // A terminator with a rule of its own says itself that it is out of place.
            Some(last)
                if !ir.isa::<T>(last)
                    && ir.info(last).is_some_and(|info| info.verify.is_some()) => {}
            Some(last) if !ir.isa::<T>(last) => {
                let message = format!("each region must end with {}", T::DEF.name);
                diags
                    .error(message)
                    .note(ir.loc(last), "this one ends here");
            }
            _ => self.verify(ir, diags),
        }
    }
    fn verify(&self, ir: &Ir, diags: &mut OpDiagnostics<'_>) {
        let last = ir
            .blocks(self.region)
            .last()
            .and_then(|block| ir.last_op(block));
        let Some(last) = last else { return };
        let given = ir
            .operands(last)
            .skip(self.first)
            .map(|value| ir.value_type(value));
        if !given.eq(self.types.iter().copied()) {
            let message = format!(
                "must hand {} values of their types at the end of the region",
                self.receiver
            );
            diags
                .error(message)
                .note(ir.loc(last), "the region ends here");
        }
    }
}
