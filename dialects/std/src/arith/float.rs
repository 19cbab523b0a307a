//! Floating-point arithmetic, rounded to nearest even in the operands' own format: an op is a row with its definition, its
//! rule in each format, the exact one for formats that the machine has not, and what holds whatever the left operand is.

use crate::arith::attrs::{FastMath, FastMathAttr};
use crate::arith::rules::{
    FloatIdentity, FloatRule, NotANumber, float_binary_ops, float_unary_ops,
};
use crate::wide_float::Exact;
use segra_interp::{Cx, Eval, EvalResult, Inst, Lanes};
use segra_ir::constraint::FloatLike;
use segra_ir::interfaces::{Canonicalize, Fold, Folded, Rewriter, constant_of};
use segra_ir::{Attr, Ir, Op, OpDef, OpView, op};

/// The ops of this file.
pub(crate) const OPS: &[&OpDef] = &[
    NegFOp::DEF,
    AddFOp::DEF,
    SubFOp::DEF,
    MulFOp::DEF,
    DivFOp::DEF,
    RemFOp::DEF,
    MaximumFOp::DEF,
    MaxNumFOp::DEF,
    MinimumFOp::DEF,
    MinNumFOp::DEF,
];

float_unary_ops! {
    /// The negation: the sign flips, also that of zeros and NaN.
    NegFOp, "arith.negf", [] |x| -x, Some(Exact::Negation);
}

float_binary_ops! {
    NotANumber::OfOperands;
    /// The sum.
    AddFOp, "arith.addf", [Commutative] [] |a, b| a + b, Some(Exact::Sum), FloatIdentity::neutral(-0.0);
    /// The difference.
    SubFOp, "arith.subf", [] [] |a, b| a - b, Some(Exact::Difference), FloatIdentity::neutral(0.0);
    /// The product.
    MulFOp, "arith.mulf", [Commutative] [Canonicalize] |a, b| a * b, Some(Exact::Product), FloatIdentity::neutral(1.0);
    /// The quotient.
    DivFOp, "arith.divf", [] [] |a, b| a / b, Some(Exact::Quotient), FloatIdentity::neutral(1.0);
    /// The remainder of division rounded towards zero; it has the sign of the dividend (C: `fmod`).
    RemFOp, "arith.remf", [] [] |a, b| a % b, Some(Exact::Remainder), FloatIdentity::NONE;
    /// The larger number; NaN if either is NaN; 0.0 is larger than -0.0.
    MaximumFOp, "arith.maximumf", [Commutative Idempotent] [] |a, b| FloatRule::maximum(a, b), Some(Exact::Maximum), FloatIdentity::lattice(f64::NEG_INFINITY);
    /// The larger number; the other one if one is NaN.
    MaxNumFOp, "arith.maxnumf", [Commutative Idempotent] [] |a, b| FloatRule::maximum_number(a, b), Some(Exact::MaximumNumber), FloatIdentity::lattice(f64::NAN);
    /// The smaller number; NaN if either is NaN; -0.0 is smaller than 0.0.
    MinimumFOp, "arith.minimumf", [Commutative Idempotent] [] |a, b| FloatRule::minimum(a, b), Some(Exact::Minimum), FloatIdentity::lattice(f64::INFINITY);
    /// The smaller number; the other one if one is NaN.
    MinNumFOp, "arith.minnumf", [Commutative Idempotent] [] |a, b| FloatRule::minimum_number(a, b), Some(Exact::MinimumNumber), FloatIdentity::lattice(f64::NAN);
}

impl Canonicalize for MulFOp {
    /// Zero times a number is zero where neither NaN nor the sign of zero matters.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = MulFOp::from_op(op);
        let rhs = view.rhs(ir);
        let neglects = view
            .fastmath(ir)
            .is_some_and(|flags| flags.contains(FastMath::NNAN.union(FastMath::NSZ)));
        let is_zero = constant_of(ir, rhs)
            .and_then(|attr| crate::constants::splat_of(ir.ctx(), attr))
            .and_then(|value| value.as_f64())
            .is_some_and(|value| value == 0.0);
        if neglects && is_zero {
            rewriter.replace_op(op, &[rhs]);
        }
        neglects && is_zero
    }
}
