//! Functions that are computed in double precision: an op is a row with its definition, its rule and where it folds.

use crate::arith::attrs::FastMathAttr;
use crate::math::fold::fold_real;
use crate::math::provided::Provided;
use segra_interp::{Cx, Eval, EvalResult, Inst, Lanes};
use segra_ir::constraint::FloatLike;
use segra_ir::interfaces::{Fold, Folded, Work};
use segra_ir::{Attr, Ir, Op, OpDef, OpView, op};

/// About what a polynomial and its argument reduction cost, in additions.
const TRANSCENDENTAL_WORK: u64 = 24;

/// Functions of numbers: `$list` has their definitions, a row the operands of an op.
macro_rules! functions {
    ($list:ident, $format:literal, $($(#[$doc:meta])* $op:ident, $text:literal, $($operand:ident)*;)*) => {
        pub(super) const $list: &[&OpDef] = &[$($op::DEF),*];
        $(
            $(#[$doc])*
            #[op(
                $text,
                traits(Pure, SameOperandsAndResultType, Elementwise),
                interfaces(Provided, Fold, Eval, Work),
                format = $format
            )]
            pub struct $op {
                $($operand: Operand<FloatLike>,)*
                fastmath: OptionalAttr<FastMathAttr>,
                result: OpResult<FloatLike>,
            }
            impl Work for $op {
                fn work(&self, _: &Ir, _: Op) -> u64 {
                    TRANSCENDENTAL_WORK
                }
            }
        )*
    };
}

/// Functions of one number: the rule, and where it folds.
macro_rules! real_functions {
    ($($(#[$doc:meta])* $op:ident, $text:literal, |$x:ident| $rule:expr $(, folds if $defined:expr)?;)*) => {
        functions!(
            OF_ONE,
            "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
            $($(#[$doc])* $op, $text, operand;)*
        );
        $(
            impl Eval for $op {
                fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
                    cx.unary_real(inst, lanes, |$x| $rule)
                }
            }
            impl Fold for $op {
                fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
                    fold_real(ir, op, operands, |v| {
                        let $x = v[0];
                        (true $(&& $defined)?).then(|| $rule)
                    })
                }
            }
        )*
    };
}

/// Functions of two numbers.
macro_rules! real_pairs {
    ($($(#[$doc:meta])* $op:ident, $text:literal, $rule:path;)*) => {
        functions!(
            OF_TWO,
            "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
            $($(#[$doc])* $op, $text, lhs rhs;)*
        );
        $(
            impl Eval for $op {
                fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
                    cx.binary_float(inst, lanes, |a, b| $rule(a.into(), b.into()) as f32, $rule)
                }
            }
            impl Fold for $op {
                fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
                    fold_real(ir, op, operands, |v| Some($rule(v[0], v[1])))
                }
            }
        )*
    };
}

real_functions! {
    /// The arc cosine.
    AcosOp, "math.acos", |x| libm::acos(x);
    /// The inverse of the hyperbolic cosine.
    AcoshOp, "math.acosh", |x| libm::acosh(x);
    /// The arc sine.
    AsinOp, "math.asin", |x| libm::asin(x);
    /// The inverse of the hyperbolic sine.
    AsinhOp, "math.asinh", |x| libm::asinh(x);
    /// The arc tangent.
    AtanOp, "math.atan", |x| libm::atan(x);
    /// The inverse of the hyperbolic tangent.
    AtanhOp, "math.atanh", |x| libm::atanh(x);
    /// The cube root.
    CbrtOp, "math.cbrt", |x| libm::cbrt(x);
    /// The cosine of an angle in radians.
    CosOp, "math.cos", |x| libm::cos(x);
    /// The hyperbolic cosine.
    CoshOp, "math.cosh", |x| libm::cosh(x);
    /// The error function.
    ErfOp, "math.erf", |x| libm::erf(x);
    /// 1 minus the error function.
    ErfcOp, "math.erfc", |x| libm::erfc(x);
    /// e to that power.
    ExpOp, "math.exp", |x| libm::exp(x);
    /// 2 to that power.
    Exp2Op, "math.exp2", |x| libm::exp2(x);
    /// e to that power, minus 1.
    ExpM1Op, "math.expm1", |x| libm::expm1(x);
    /// The natural logarithm.
    LogOp, "math.log", |x| libm::log(x), folds if !x.is_sign_negative();
    /// The logarithm to base 10.
    Log10Op, "math.log10", |x| libm::log10(x), folds if !x.is_sign_negative();
    /// The natural logarithm of 1 plus that.
    Log1pOp, "math.log1p", |x| libm::log1p(x), folds if !(x + 1.0).is_sign_negative();
    /// The logarithm to base 2.
    Log2Op, "math.log2", |x| libm::log2(x), folds if !x.is_sign_negative();
    /// One over the square root.
    RsqrtOp, "math.rsqrt", |x| 1.0 / x.sqrt(), folds if x > 0.0;
    /// The sine of an angle in radians.
    SinOp, "math.sin", |x| libm::sin(x);
    /// The hyperbolic sine.
    SinhOp, "math.sinh", |x| libm::sinh(x);
    /// The tangent of an angle in radians.
    TanOp, "math.tan", |x| libm::tan(x);
    /// The hyperbolic tangent.
    TanhOp, "math.tanh", |x| libm::tanh(x);
}

real_pairs! {
    /// The angle of the point with abscissa `rhs` and ordinate `lhs`, in radians.
    Atan2Op, "math.atan2", libm::atan2;
    /// `lhs` to the power `rhs`.
    PowFOp, "math.powf", libm::pow;
}
