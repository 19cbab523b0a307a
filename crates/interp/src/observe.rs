//! Watching a run: an [`Observer`] is told what chosen ops were given and what they computed.
//!
//! An observed op is wrapped when its function is decoded, so ops that nobody watches cost nothing. Only evaluations
//! in a single lane are reported: host code, not the body of a parallel op.
//!
//! Deliberately absent: changing what an op computes.

use crate::code::{Inst, Slot};
use crate::cx::Cx;
use crate::datum::Datum;
use crate::error::Fault;
use crate::eval::{Eval, EvalResult, Lanes};
use segra_ir::{Ir, Op};

/// One evaluation of an op.
#[derive(Clone, Debug)]
pub struct Observation {
    /// The op.
    pub op: Op,
    /// The values it could read: its operands and the values its regions use from outside, each once, as
    /// [`Ir::free_values`] lists them. Memrefs are shared with the run.
    pub inputs: Vec<Datum>,
    /// The computed values.
    pub results: Vec<Datum>,
}

/// Is told of evaluations.
pub trait Observer {
    /// Whether evaluations of this op are to be reported; asked once, when its function is decoded.
    fn wants(&self, ir: &Ir, op: Op) -> bool;
    /// Takes note of an evaluation.
    ///
    /// # Errors
    /// A fault ends the run at this op.
    fn observe(&self, observation: Observation) -> Result<(), Fault>;
}

/// The op under the wrapping, and where its inputs are.
struct Watched {
    inst: Inst,
    inputs: Vec<Slot>,
}

struct WatchedRule;

/// Wraps an instruction.
pub(crate) fn watched(inst: Inst, inputs: Vec<Slot>) -> Inst {
    let mut outer = Inst::bare(&WatchedRule, inst.op);
    outer.prepared = crate::eval::Prepared::other(Watched { inst, inputs });
    outer
}

impl Eval for WatchedRule {
    fn eval(&self, cx: &mut Cx<'_>, outer: &Inst, lanes: &Lanes) -> EvalResult {
        let Some(Watched { inst, inputs }) = outer.data::<Watched>() else {
            return Err(cx.error(outer, "is watched without being there"));
        };
        let Some((lane, observer)) = lanes.single().zip(cx.interp.observer()) else {
            return inst.eval.eval(cx, inst, lanes);
        };
        let inputs = inputs
            .iter()
            .map(|&slot| cx.get(slot, lane).clone())
            .collect();
        let flow = inst.eval.eval(cx, inst, lanes)?;
        let results = inst
            .results
            .iter()
            .map(|&slot| cx.get(slot, lane).clone())
            .collect();
        let noted = observer.observe(Observation {
            op: inst.op,
            inputs,
            results,
        });
        cx.check(inst, noted)?;
        Ok(flow)
    }
}
