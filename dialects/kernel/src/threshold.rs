//! Comparisons with named numbers, which choose between versions of a program when it runs.
//!
//! A program with versions compares the parallelism of a version, a product of extents, with a threshold (lecture
//! "Regular flattening", incremental flattening). Thresholds belong to the machine and the data, not to the program: a
//! tuner sets them without compiling again. The comparison is one op, so that what a threshold is compared with stays
//! known on the way down, where the tuner looks.

use segra_interp::{Cx, Datum, Eval, EvalResult, Fault, Flow, Inst, Lanes, Prepare, Prepared};
use segra_ir::constraint::{Bool, I64Attr, Index, StrAttr};
use segra_ir::interfaces::{Threshold, Verify};
use segra_ir::{Attr, Builder, Ir, Op, OpDiagnostics, OpView, Value, op};

/// Whether a size is at least a tunable threshold.
///
/// The threshold is what it is set to when the program runs, else its default. Two of one name are one threshold.
///
/// ```mlir
/// %large = kernel.at_least %n, "main.top.0" default 32768
/// ```
#[op(
    "kernel.at_least",
    traits(Pure),
    interfaces(Threshold, Verify, Eval),
    format = "$value `,` $name `default` $default attr-dict"
)]
pub struct AtLeastOp {
    /// The size.
    value: Operand<Index>,
    /// The threshold's name in tuning files.
    #[name("name")]
    name: Attr<StrAttr>,
    /// Its default; not negative.
    #[name("default")]
    default: Attr<I64Attr>,
    result: OpResult<Bool>,
}

impl AtLeastOp {
    /// `value >= threshold`, by the threshold's name.
    pub fn ask(b: &mut Builder<'_>, value: Value, name: &str, default: i64) -> Value {
        let ctx = b.ir.context();
        let asked = AtLeastOp::builder()
            .value(value)
            .name(ctx.str_attr(name))
            .default(ctx.i64_attr(default))
            .result_type(ctx.i1())
            .build(b);
        asked.result(b.ir)
    }
}

impl Threshold for AtLeastOp {
    fn size(&self, ir: &Ir, op: Op) -> Value {
        AtLeastOp::from_op(op).value(ir)
    }
    fn name(&self, ir: &Ir, op: Op) -> Attr {
        AtLeastOp::from_op(op).name(ir)
    }
    fn default(&self, ir: &Ir, op: Op) -> i64 {
        AtLeastOp::from_op(op).default(ir)
    }
}

impl Verify for AtLeastOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        if AtLeastOp::from_op(op).default(ir) < 0 {
            diags.error("attribute `default` must not be negative");
        }
    }
}

impl Eval for AtLeastOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let value = cx.int(inst, 0, lane)?;
            cx.set_result(inst, 0, lane, Datum::bool(value >= inst.word()));
        }
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        let default = p.attr("default").and_then(|attr| attr.as_i64(p.ir.ctx()));
        default
            .map(Prepared::Word)
            .ok_or_else(|| Fault::new("needs the attribute `default`"))
    }
}
