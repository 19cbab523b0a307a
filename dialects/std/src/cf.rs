//! `cf`: branches between blocks, and run-time checks.
//!
//! Segra's own programs are structured; this is for programs that come from elsewhere.

use segra_interp::{Cx, Eval, EvalResult, Flow, Inst, Lanes, Prepare, Prepared};
use segra_ir::constraint::{AnyType, Bool, StrAttr};
use segra_ir::interfaces::{BranchLike, Effect, EffectKind, Effects};
use segra_ir::{Dialect, Ir, Op, OpDef, OpView, Value, op};

const OPS: &[&OpDef] = &[AssertOp::DEF, BranchOp::DEF, CondBranchOp::DEF];

/// The dialect.
pub fn dialect() -> Dialect {
    Dialect {
        name: "cf",
        doc: "Branches between blocks, and run-time checks.",
        ops: OPS.to_vec(),
        ..Dialect::default()
    }
}

/// Stops the program with a message if a condition does not hold.
#[op("cf.assert", interfaces(Effects, Eval), format = "$arg `,` $msg attr-dict")]
pub struct AssertOp {
    arg: Operand<Bool>,
    msg: Attr<StrAttr>,
}

impl Effects for AssertOp {
    fn effects(&self, _ir: &Ir, _op: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect { kind: EffectKind::Control, on: None });
    }
}

impl Eval for AssertOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, segra_interp::Fault> {
        let message = p.attr("msg").and_then(|attr| attr.as_str(p.ir.ctx())).unwrap_or_default();
        Ok(Prepared::other(message.to_owned()))
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            if cx.int(inst, 0, lane)? & 1 == 0 {
                let message = inst.data::<String>().map_or("", String::as_str);
                return Err(cx.error(inst, format!("failed: {message}")));
            }
        }
        Ok(Flow::Next)
    }
}

/// Goes to a block.
#[op(
    "cf.br",
    traits(Pure, Terminator),
    interfaces(BranchLike, Eval),
    format = "$dest (`(` $dest_operands^ `:` type($dest_operands) `)`)? attr-dict"
)]
pub struct BranchOp {
    dest_operands: VariadicOperand<AnyType>,
    dest: Successor,
}

impl BranchLike for BranchOp {
    fn successor_operands(&self, ir: &Ir, op: Op, _index: usize) -> Vec<Value> {
        ir.operands(op).collect()
    }
}

impl Eval for BranchOp {
    fn eval(&self, _cx: &mut Cx<'_>, _inst: &Inst, _lanes: &Lanes) -> EvalResult {
        Ok(Flow::Branch(0))
    }
}

/// Goes to one of two blocks, by a condition.
#[op(
    "cf.cond_br",
    traits(Pure, Terminator),
    interfaces(BranchLike, Eval),
    format = "$condition `,` $true_dest (`(` $true_operands^ `:` type($true_operands) `)`)? `,`
               $false_dest (`(` $false_operands^ `:` type($false_operands) `)`)? attr-dict"
)]
pub struct CondBranchOp {
    condition: Operand<Bool>,
    true_operands: VariadicOperand<AnyType>,
    false_operands: VariadicOperand<AnyType>,
    true_dest: Successor,
    false_dest: Successor,
}

impl BranchLike for CondBranchOp {
    fn successor_operands(&self, ir: &Ir, op: Op, index: usize) -> Vec<Value> {
        let view = CondBranchOp::from_op(op);
        if index == 0 { view.true_operands(ir) } else { view.false_operands(ir) }
    }
}

impl Eval for CondBranchOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        // Regions with branches run one lane at a time.
        let Some(lane) = lanes.single() else {
            return Err(cx.error(inst, "cannot branch for several lanes at once"));
        };
        Ok(Flow::Branch(usize::from(cx.int(inst, 0, lane)? & 1 == 0)))
    }
}
