//! Classification of numbers, clamping, integer powers, and sine with cosine.

use crate::arith::attrs::FastMathAttr;
use crate::math::provided::Provided;
use segra_interp::{Cx, Datum, Elem, Eval, EvalResult, Fault, Flow, Inst, Lanes};
use segra_ir::build::OpState;
use segra_ir::constraint::{BoolLike, FloatLike, IntegerLike};
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{Fold, FoldResult, Folded, InferTypes, Verify};
use segra_ir::{Attr, Ir, Op, OpDef, OpView, Type, op};
use smallvec::smallvec;

/// The ops of this file.
pub(super) const OPS: &[&OpDef] = &[
    ClampFOp::DEF,
    FPowIOp::DEF,
    IPowIOp::DEF,
    IsFiniteOp::DEF,
    IsInfOp::DEF,
    IsNaNOp::DEF,
    IsNormalOp::DEF,
    SinCosOp::DEF,
];

macro_rules! classifications {
    ($($(#[$doc:meta])* $name:ident, $text:literal, |$x:ident| $rule:expr;)*) => {$(
        $(#[$doc])*
        #[op(
            $text,
            traits(Pure, Elementwise),
            interfaces(Provided, InferTypes, Fold, Eval),
            format = "$operand attr-dict `:` type($operand)"
        )]
        pub struct $name {
            operand: Operand<FloatLike>,
            fastmath: OptionalAttr<FastMathAttr>,
            result: OpResult<BoolLike>,
        }
        impl InferTypes for $name {
            fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
                let operand = *state.operands.first().ok_or("operand `operand` is missing")?;
                Ok(vec![crate::arith::cmp::bool_like(ir.ctx(), ir.value_type(operand))])
            }
        }
        impl Eval for $name {
            fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
                let fault = |value: &Datum| Fault::new(format!("cannot classify {}", value.describe()));
                cx.map1(inst, lanes, |value| $name::class(value).ok_or_else(|| fault(value)))
            }
        }
        impl Fold for $name {
            fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
                let ty = ir.value_type(ir.result(op, 0));
                let rule = |values: &[Datum]| $name::class(values.first()?);
                let folded = crate::constants::fold_scalars(ir.ctx(), operands, ty, rule)?;
                Some(smallvec![FoldResult::Attr(folded)])
            }
        }
        impl $name {
            fn class(value: &Datum) -> Option<Datum> {
                let class = match value {
                    Datum::F16($x) => $rule,
                    Datum::BF16($x) => $rule,
                    Datum::TF32($x) => $rule,
                    Datum::F32($x) => $rule,
                    Datum::F64($x) => $rule,
                    _ => return None,
                };
                Some(Datum::bool(class))
            }
        }
    )*};
}

classifications! {
    /// Whether it is neither infinite nor NaN.
    IsFiniteOp, "math.isfinite", |x| x.is_finite();
    /// Whether it is infinite.
    IsInfOp, "math.isinf", |x| x.is_infinite();
    /// Whether it is NaN.
    IsNaNOp, "math.isnan", |x| x.is_nan();
    /// Whether it is neither zero, subnormal, infinite nor NaN.
    IsNormalOp, "math.isnormal", |x| x.is_normal();
}

/// The value, but at least `min` and at most `max`.
#[op(
    "math.clampf",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Eval),
    format = "$value `to` ` ` `[` $min `,` $max `]` (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct ClampFOp {
    value: Operand<FloatLike>,
    min: Operand<FloatLike>,
    max: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

impl Eval for ClampFOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        cx.map3(inst, lanes, |value, min, max| {
            let (Some(x), Some(low), Some(high)) = (value.as_f64(), min.as_f64(), max.as_f64())
            else {
                return Err(Fault::new("needs three floats"));
            };
            Ok(if x < low {
                min.clone()
            } else if x > high {
                max.clone()
            } else {
                value.clone()
            })
        })
    }
}

/// `lhs` to the power of an integer.
#[op(
    "math.fpowi",
    traits(Pure, SameOperandsAndResultShape, Elementwise),
    interfaces(Provided, Verify, Eval),
    format = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs) `,` type($rhs) same-type($lhs,
               $result)"
)]
pub struct FPowIOp {
    lhs: Operand<FloatLike>,
    rhs: Operand<IntegerLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

impl Verify for FPowIOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = FPowIOp::from_op(op);
        if ir.value_type(view.lhs(ir)) != ir.value_type(view.result(ir)) {
            diags.error("operand `lhs` and the result must have the same type");
        }
    }
}

impl Eval for FPowIOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let elem = inst.result_elem;
        cx.map2(inst, lanes, |base, exponent| {
            let (Some(x), Some(n), Some(elem)) = (base.as_f64(), exponent.as_int(), elem) else {
                return Err(Fault::new("needs a float and an integer"));
            };
            Ok(Datum::from_f64(libm::pow(x, n as f64), elem))
        })
    }
}

/// A signed integer to the power of a signed integer, modulo 2^width. Negative powers are rounded towards zero: 0 but
/// for 1 and -1, and 0 (upstream: undefined) for the base 0.
#[op(
    "math.ipowi",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Fold, Eval),
    format = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct IPowIOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    result: OpResult<IntegerLike>,
}

impl Eval for IPowIOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        cx.binary_int(inst, lanes, |w, a, b| power(w.signed(a), w.signed(b)))
    }
}

impl Fold for IPowIOp {
    fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
        let ty = ir.value_type(ir.result(op, 0));
        let Some(width) = Elem::of_element(ir.ctx(), ty).and_then(Elem::int_width) else {
            let folded = crate::wide::fold_power(ir.ctx(), operands, ty)?;
            return Some(smallvec![FoldResult::Attr(folded)]);
        };
        let folded = crate::constants::fold_scalars(ir.ctx(), operands, ty, |values| {
            let (base, exponent) = (
                width.signed(values[0].as_int()?),
                width.signed(values[1].as_int()?),
            );
            (base != 0 || exponent >= 0).then(|| Datum::Int(width.wrap(power(base, exponent))))
        })?;
        Some(smallvec![FoldResult::Attr(folded)])
    }
}

fn power(base: i64, exponent: i64) -> i64 {
    match (base, exponent) {
        (_, 0) | (1, _) => 1,
        (-1, n) => 1 - 2 * (n & 1),
        (_, n) if n < 0 => 0,
        (mut base, mut n) => {
            let mut result = 1i64;
            while n > 0 {
                if n & 1 == 1 {
                    result = result.wrapping_mul(base);
                }
                base = base.wrapping_mul(base);
                n >>= 1;
            }
            result
        }
    }
}

/// The sine and the cosine of an angle in radians.
#[op(
    "math.sincos",
    traits(Pure, SameOperandsAndResultShape, Elementwise),
    interfaces(Verify, Eval),
    format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($operand) same-type($operand, $sin, $cos)"
)]
pub struct SinCosOp {
    operand: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    sin: OpResult<FloatLike>,
    cos: OpResult<FloatLike>,
}

impl Verify for SinCosOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let wanted = ir.value_type(ir.operand(op, 0));
        if ir.results(op).any(|result| ir.value_type(result) != wanted) {
            diags.error("both results must have the type of the operand");
        }
    }
}

impl Eval for SinCosOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let (Some(angle), Some(elem)) = (cx.operand(inst, 0, lane).as_f64(), inst.result_elem)
            else {
                return Err(cx.error(inst, "is only computed on scalars"));
            };
            cx.set_result(inst, 0, lane, Datum::from_f64(libm::sin(angle), elem));
            cx.set_result(inst, 1, lane, Datum::from_f64(libm::cos(angle), elem));
        }
        Ok(Flow::Next)
    }
}
