//! Floating-point arithmetic, rounded to nearest even in the operands' own format.

use crate::arith::attrs::{FastMath, FastMathAttr};
use crate::arith::rules::{
    FloatIdentity, FloatRule, NotANumber, float_binary_ops, float_unary_ops,
};
use segra_interp::{Cx, Eval, EvalResult, Inst, Lanes};
use segra_ir::constraint::FloatLike;
use segra_ir::interfaces::{Canonicalize, Fold, FoldResult, Rewriter, constant_of};
use segra_ir::{Attr, Ir, Op, OpDef, OpView, op};
use smallvec::SmallVec;

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

/// The negation: the sign flips, also that of zeros and NaN.
#[op(
    "arith.negf",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Fold, Eval),
    format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct NegFOp {
    operand: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The sum.
#[op(
    "arith.addf",
    traits(Pure, Commutative, SameOperandsAndResultType, Elementwise),
    interfaces(Fold, Eval),
    format = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct AddFOp {
    lhs: Operand<FloatLike>,
    rhs: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The difference.
#[op(
    "arith.subf",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Fold, Eval),
    format = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct SubFOp {
    lhs: Operand<FloatLike>,
    rhs: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The product.
#[op(
    "arith.mulf",
    traits(Pure, Commutative, SameOperandsAndResultType, Elementwise),
    interfaces(Fold, Canonicalize, Eval),
    format = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct MulFOp {
    lhs: Operand<FloatLike>,
    rhs: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The quotient.
#[op(
    "arith.divf",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Fold, Eval),
    format = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct DivFOp {
    lhs: Operand<FloatLike>,
    rhs: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The remainder of division rounded towards zero; it has the sign of the dividend (C: `fmod`).
#[op(
    "arith.remf",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Fold, Eval),
    format = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct RemFOp {
    lhs: Operand<FloatLike>,
    rhs: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The larger number; NaN if either is NaN; 0.0 is larger than -0.0.
#[op(
    "arith.maximumf",
    traits(Pure, Commutative, Idempotent, SameOperandsAndResultType, Elementwise),
    interfaces(Fold, Eval),
    format = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct MaximumFOp {
    lhs: Operand<FloatLike>,
    rhs: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The larger number; the other one if one is NaN.
#[op(
    "arith.maxnumf",
    traits(Pure, Commutative, Idempotent, SameOperandsAndResultType, Elementwise),
    interfaces(Fold, Eval),
    format = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct MaxNumFOp {
    lhs: Operand<FloatLike>,
    rhs: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The smaller number; NaN if either is NaN; -0.0 is smaller than 0.0.
#[op(
    "arith.minimumf",
    traits(Pure, Commutative, Idempotent, SameOperandsAndResultType, Elementwise),
    interfaces(Fold, Eval),
    format = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct MinimumFOp {
    lhs: Operand<FloatLike>,
    rhs: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The smaller number; the other one if one is NaN.
#[op(
    "arith.minnumf",
    traits(Pure, Commutative, Idempotent, SameOperandsAndResultType, Elementwise),
    interfaces(Fold, Eval),
    format = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct MinNumFOp {
    lhs: Operand<FloatLike>,
    rhs: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

float_unary_ops! {
    NegFOp: |x| -x;
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

// The rules, in the operands' format, and what holds whatever the left operand is.
float_binary_ops! {
    NotANumber::OfOperands;
    AddFOp: |a, b| a + b, FloatIdentity::neutral(-0.0);
    SubFOp: |a, b| a - b, FloatIdentity::neutral(0.0);
    MulFOp: |a, b| a * b, FloatIdentity::neutral(1.0);
    DivFOp: |a, b| a / b, FloatIdentity::neutral(1.0);
    RemFOp: |a, b| a % b, FloatIdentity::NONE;
    MaximumFOp: |a, b| FloatRule::maximum(a, b), FloatIdentity::lattice(f64::NEG_INFINITY);
    MaxNumFOp: |a, b| FloatRule::maximum_number(a, b), FloatIdentity::lattice(f64::NAN);
    MinimumFOp: |a, b| FloatRule::minimum(a, b), FloatIdentity::lattice(f64::INFINITY);
    MinNumFOp: |a, b| FloatRule::minimum_number(a, b), FloatIdentity::lattice(f64::NAN);
}
