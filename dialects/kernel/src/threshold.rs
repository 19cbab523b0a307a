//! Named numbers that choose between versions of a program when it runs.
//!
//! A program with versions compares the parallelism of a version, a product of extents, with a threshold. Thresholds
//! belong to the machine and the data, not to the program: a tuner sets them without compiling again.

use segra_interp::{Cx, Datum, Eval, EvalResult, Fault, Flow, Inst, Lanes, Prepare, Prepared};
use segra_ir::constraint::{I64Attr, Index, StrAttr};
use segra_ir::interfaces::Verify;
use segra_ir::{Diagnostics, Ir, Op, OpView, op};

/// The value of a tunable threshold.
///
/// What it is set to when the program runs, else its default. Two thresholds of one name are one threshold.
///
/// ```mlir
/// %t = kernel.threshold "main.top.0" default 32768
/// ```
#[op(
    "kernel.threshold",
    traits(Pure),
    interfaces(Verify, Eval),
    format = "$name `default` $default attr-dict"
)]
pub struct ThresholdOp {
    /// What a tuning file calls it.
    #[name("name")]
    name: Attr<StrAttr>,
    /// What it is where nobody says otherwise; not negative.
    #[name("default")]
    default: Attr<I64Attr>,
    result: OpResult<Index>,
}

impl Verify for ThresholdOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut Diagnostics) {
        if ThresholdOp::from_op(op).default(ir) < 0 {
            diags.op_error(ir, op, "attribute `default` must not be negative");
        }
    }
}

impl Eval for ThresholdOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            cx.set_result(inst, 0, lane, Datum::Int(inst.word()));
        }
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        let default = p.attr("default").and_then(|attr| attr.as_i64(p.ir.ctx()));
        default.map(Prepared::Word).ok_or_else(|| Fault::new("needs the attribute `default`"))
    }
}
