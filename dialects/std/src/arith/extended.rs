//! Integer arithmetic with two results, and conversions of floats that come with a scale.

use crate::arith::attrs::FastMathAttr;
use crate::arith::cast::RoundingModeAttr;
use segra_interp::{Cx, Datum, Eval, EvalResult, Flow, Inst, IntWidth, Lanes};
use segra_ir::constraint::{BoolLike, FloatLike, IntegerLike};
use segra_ir::diag::Diagnostics;
use segra_ir::interfaces::Verify;
use segra_ir::{FloatKind, Ir, Op, OpDef, OpView, Type, op};

/// The ops of this file.
pub(crate) const OPS: &[&OpDef] = &[
    AddUIExtendedOp::DEF,
    MulSIExtendedOp::DEF,
    MulUIExtendedOp::DEF,
    ScalingExtFOp::DEF,
    ScalingTruncFOp::DEF,
];

/// The sum of two unsigned integers modulo 2^width, and whether it did not fit.
#[op("arith.addui_extended", traits(Pure, Commutative, Elementwise), interfaces(Verify, Eval))]
pub struct AddUIExtendedOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    sum: OpResult<IntegerLike>,
    overflow: OpResult<BoolLike>,
}

/// The low and the high half of the product of two signed integers.
#[op("arith.mulsi_extended", traits(Pure, Commutative, Elementwise), interfaces(Verify, Eval))]
pub struct MulSIExtendedOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    low: OpResult<IntegerLike>,
    high: OpResult<IntegerLike>,
}

/// The low and the high half of the product of two unsigned integers.
#[op("arith.mului_extended", traits(Pure, Commutative, Elementwise), interfaces(Verify, Eval))]
pub struct MulUIExtendedOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    low: OpResult<IntegerLike>,
    high: OpResult<IntegerLike>,
}

/// A wider float with the value multiplied by a scale, a power of two.
#[op("arith.scaling_extf", traits(Pure, Elementwise), interfaces(Verify))]
pub struct ScalingExtFOp {
    r#in: Operand<FloatLike>,
    scale: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    out: OpResult<FloatLike>,
}

/// A narrower float with the value divided by a scale, a power of two.
#[op("arith.scaling_truncf", traits(Pure, Elementwise), interfaces(Verify))]
pub struct ScalingTruncFOp {
    r#in: Operand<FloatLike>,
    scale: Operand<FloatLike>,
    roundingmode: OptionalAttr<RoundingModeAttr>,
    fastmath: OptionalAttr<FastMathAttr>,
    out: OpResult<FloatLike>,
}

fn verify_same(ir: &Ir, op: Op, types: &[Type], names: &str, diags: &mut Diagnostics) {
    if types.windows(2).any(|pair| pair[0] != pair[1]) {
        diags.op_error(ir, op, format!("{names} must have the same type"));
    }
}

impl Verify for AddUIExtendedOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut Diagnostics) {
        let view = AddUIExtendedOp::from_op(op);
        let types = [view.lhs(ir), view.rhs(ir), view.sum(ir)].map(|value| ir.value_type(value));
        verify_same(ir, op, &types, "`lhs`, `rhs` and `sum`", diags);
    }
}

fn verify_product(ir: &Ir, op: Op, diags: &mut Diagnostics) {
    let types: Vec<Type> = ir.operands(op).chain(ir.results(op)).map(|value| ir.value_type(value)).collect();
    verify_same(ir, op, &types, "`lhs`, `rhs`, `low` and `high`", diags);
}

impl Verify for MulSIExtendedOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut Diagnostics) {
        verify_product(ir, op, diags);
    }
}
impl Verify for MulUIExtendedOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut Diagnostics) {
        verify_product(ir, op, diags);
    }
}

impl Verify for ScalingExtFOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut Diagnostics) {
        super::cast::verify_tensor_extents(ir, op, diags);
        let [from, to] = widths(ir, op);
        if from >= to {
            diags.op_error(ir, op, "the result must be wider than operand `in`");
        }
    }
}
impl Verify for ScalingTruncFOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut Diagnostics) {
        super::cast::verify_tensor_extents(ir, op, diags);
        let [from, to] = widths(ir, op);
        if from <= to {
            diags.op_error(ir, op, "the result must be narrower than operand `in`");
        }
    }
}

/// Widths of the elements of the first operand and the result.
fn widths(ir: &Ir, op: Op) -> [u32; 2] {
    [ir.operand(op, 0), ir.result(op, 0)].map(|value| {
        let element = ir.value_type(value).element_or_self(ir.ctx());
        element.float_kind(ir.ctx()).map_or(0, FloatKind::width)
    })
}

/// Evaluates an op with two integer operands and two results, scalar or element by element.
fn eval_pair(
    cx: &mut Cx<'_>,
    inst: &Inst,
    lanes: &Lanes,
    rule: impl Fn(IntWidth, i64, i64) -> [i64; 2],
) -> EvalResult {
    let width = inst.operand_elem.and_then(|elem| elem.int_width()).unwrap_or(IntWidth::INDEX);
    for lane in lanes.iter() {
        let (a, b) = (cx.operand(inst, 0, lane).clone(), cx.operand(inst, 1, lane).clone());
        let (first, second) = match (a, b) {
            (Datum::Int(a), Datum::Int(b)) => {
                let [first, second] = rule(width, a, b);
                (Datum::Int(width.wrap(first)), Datum::Int(second))
            }
            _ => return Err(cx.error(inst, "is only computed on scalars")),
        };
        cx.set_result(inst, 0, lane, first);
        cx.set_result(inst, 1, lane, second);
    }
    Ok(Flow::Next)
}

impl Eval for AddUIExtendedOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        eval_pair(cx, inst, lanes, |w, a, b| {
            let sum = u128::from(w.unsigned(a)) + u128::from(w.unsigned(b));
            [sum as i64, i64::from(sum >> w.bits() != 0)]
        })
    }
}
impl Eval for MulSIExtendedOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        eval_pair(cx, inst, lanes, |w, a, b| {
            let product = i128::from(w.signed(a)) * i128::from(w.signed(b));
            [product as i64, w.wrap((product >> w.bits()) as i64)]
        })
    }
}
impl Eval for MulUIExtendedOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        eval_pair(cx, inst, lanes, |w, a, b| {
            let product = u128::from(w.unsigned(a)) * u128::from(w.unsigned(b));
            [product as i64, w.wrap((product >> w.bits()) as i64)]
        })
    }
}
