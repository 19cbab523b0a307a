//! `fixed-to-arith`: fixed-point numbers become 64-bit integers.
//!
//! ```text
//! %c = fixed.mul %a, %b #fixed.rounding<down> : !fixed.number<8>
//! ->
//! %0 = arith.muli %a, %b : i64
//! %c8 = arith.constant 8 : i64
//! %c = arith.shrsi %0, %c8 : i64
//! ```
//! Limits: numbers are made and used by ops of the dialect only; a block argument or another op that has one is an error.

use crate::ops::{AddOp, FromIntOp, MulOp};
use crate::types::{NumberType, Rounding};
use segra_ir::{Builder, Ir, Op, OpView, Value};
use segra_pass::{Anchors, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options};
use segra_std::arith;

pass_options! {
    /// The pass `fixed-to-arith`.
    pub struct FixedToArith {}
}

const INFO: PassInfo = PassInfo {
    name: "fixed-to-arith",
    summary: "turn fixed-point numbers into integers",
    reads: &["fixed"],
    writes: &["arith"],
    anchors: Anchors::Any,
};

impl Pass for FixedToArith {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let ops: Vec<Op> = ir.walk(op).into_iter().filter(|&op| is_fixed(ir, op)).collect();
        for &op in &ops {
            let foreign = |value: Value| ir.defining_op(value).is_none_or(|def| !is_fixed(ir, def));
            if !ir.isa::<FromIntOp>(op) && ir.operands(op).any(foreign) {
                return Err(cx.fail(ir, op, "has an operand that no op of the dialect makes"));
            }
        }
        // Which numbers there are is read before the first of them becomes an integer.
        let fractions: Vec<i64> = ops.iter().map(|&op| fraction(ir, op)).collect();
        for (&op, fraction) in ops.iter().zip(fractions) {
            let value = lower(&mut Builder::before(ir, op), op, fraction);
            ir.replace_op(op, &[value]);
        }
        cx.count("ops lowered", ops.len() as u64);
        Ok(if ops.is_empty() { Outcome::unchanged() } else { Outcome::changed() })
    }
}

fn is_fixed(ir: &Ir, op: Op) -> bool {
    ir.op_name_str(op).starts_with("fixed.")
}

/// Bits behind the point of the number an op takes or makes.
fn fraction(ir: &Ir, op: Op) -> i64 {
    let number = ir.operands(op).chain(ir.results(op)).find_map(|value| {
        let ty = ir.value_type(value);
        ty.dialect::<NumberType>(ir.ctx()).map(|number| number.fraction)
    });
    number.map_or(0, i64::from)
}

/// Builds what stands for the op's result.
fn lower(b: &mut Builder<'_>, op: Op, fraction: i64) -> Value {
    let operands: Vec<Value> = b.ir.operands(op).collect();
    if b.ir.isa::<AddOp>(op) {
        return arith::AddIOp::build(b, operands[0], operands[1]).result(b.ir);
    }
    if b.ir.isa::<FromIntOp>(op) {
        let bits = constant(b, fraction);
        return arith::ShLIOp::build(b, operands[0], bits).result(b.ir);
    }
    let mut value = operands[0];
    if b.ir.isa::<MulOp>(op) {
        value = arith::MulIOp::build(b, operands[0], operands[1]).result(b.ir);
        if fraction > 0 && MulOp::from_op(op).rounding(b.ir) == Rounding::Nearest {
            let half = constant(b, 1 << (fraction - 1));
            value = arith::AddIOp::build(b, value, half).result(b.ir);
        }
    }
    let bits = constant(b, fraction);
    arith::ShRSIOp::build(b, value, bits).result(b.ir)
}

fn constant(b: &mut Builder<'_>, value: i64) -> Value {
    let ctx = b.ir.context();
    arith::ConstantOp::build(b, ctx.i64_attr(value)).result(b.ir)
}
