//! `cf`: branches between blocks, and run-time checks.
//!
//! Segra's own programs are structured; this is for programs that come from elsewhere.

use crate::arith::SelectOp;
use segra_interp::{Cx, Eval, EvalResult, Flow, Inst, Lanes, Prepare, Prepared};
use segra_ir::constraint::{AnyType, Bool, StrAttr};
use segra_ir::interfaces::{BranchLike, Canonicalize, Effect, EffectKind, Effects, Rewriter, constant_of};
use segra_ir::{Attr, Builder, Dialect, Ir, Op, OpDef, OpView, Value, op};
use std::ops::Range;

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
    fn forwarded(&self, ir: &Ir, op: Op, _index: usize) -> Range<usize> {
        0..ir.num_operands(op)
    }
    fn set_forwarded(&self, ir: &mut Ir, op: Op, _index: usize, values: &[Value]) {
        ir.set_operands(op, values);
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
    interfaces(BranchLike, Canonicalize, Eval),
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
    fn forwarded(&self, ir: &Ir, op: Op, index: usize) -> Range<usize> {
        ir.operand_group(op, index + 1)
    }
    fn set_forwarded(&self, ir: &mut Ir, op: Op, index: usize, values: &[Value]) {
        ir.set_operand_group(op, index + 1, values);
    }
    fn known_successor(&self, ir: &Ir, _op: Op, operands: &[Option<Attr>]) -> Option<usize> {
        let condition = operands.first().copied().flatten()?.as_integer(ir.ctx())?;
        Some(usize::from(condition == 0))
    }
    fn build_joined(&self, b: &mut Builder<'_>, op: Op) -> bool {
        let dest = b.ir.successors(op)[0];
        let condition = b.ir.operand(op, 0);
        let passed = [self.successor_operands(b.ir, op, 0), self.successor_operands(b.ir, op, 1)];
        let mut values = Vec::new();
        for (&yes, &no) in passed[0].iter().zip(&passed[1]) {
            values.push(if yes == no { yes } else { SelectOp::build(b, condition, yes, no).result(b.ir) });
        }
        BranchOp::build(b, &values, dest);
        true
    }
}

impl Canonicalize for CondBranchOp {
    /// A branch whose condition is known, or whose two ways are one, needs no condition.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let known = self.known_successor(ir, op, &[constant_of(ir, ir.operand(op, 0))]);
        let blocks = [ir.successors(op)[0], ir.successors(op)[1]];
        let passed = [self.successor_operands(ir, op, 0), self.successor_operands(ir, op, 1)];
        let same = blocks[0] == blocks[1] && passed[0] == passed[1];
        let Some(chosen) = known.or_else(|| same.then_some(0)) else { return false };
        rewriter.replace_with(op, |b| {
            BranchOp::build(b, &passed[chosen], blocks[chosen]);
            []
        });
        true
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
