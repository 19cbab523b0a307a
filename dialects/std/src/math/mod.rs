//! `math`: elementary functions, on scalars and element by element on vectors.
//!
//! Rounding to whole numbers, square root and fused multiply-add are exact or correctly rounded. The other functions are
//! computed in double precision by a library in portable Rust, the same on every machine, and rounded to the operand's
//! format. All fold; the others as upstream only in `f32` and `f64`, where upstream asks the C library of its machine: the
//! last place may differ from it, and from what a target computes.

mod classify;
mod fold;
mod provided;
mod real;

use crate::arith::attrs::FastMathAttr;
use crate::arith::rules::{
    FloatIdentity, FloatRule, NotANumber, float_binary_ops, float_unary_ops,
};
use crate::wide_float::Exact;
use segra_interp::{Cx, Datum, Elem, Eval, EvalResult, Fault, Inst, Lanes};
use segra_ir::constraint::{FloatLike, IntegerLike};
use segra_ir::def::Origin;
use segra_ir::interfaces::{Fold, FoldResult, Folded};
use segra_ir::{Attr, BigInt, Dialect, Ir, Op, OpDef, OpView, op};

const OPS: &[&OpDef] = &[
    AbsFOp::DEF,
    AbsIOp::DEF,
    CeilOp::DEF,
    CopySignOp::DEF,
    CountLeadingZerosOp::DEF,
    CountTrailingZerosOp::DEF,
    CtPopOp::DEF,
    FloorOp::DEF,
    FmaOp::DEF,
    RoundEvenOp::DEF,
    RoundOp::DEF,
    SqrtOp::DEF,
    TruncOp::DEF,
];

pub use provided::{Provided, Provider};

pub use classify::{
    ClampFOp, FPowIOp, IPowIOp, IsFiniteOp, IsInfOp, IsNaNOp, IsNormalOp, SinCosOp,
};
pub use real::{
    AcosOp, AcoshOp, AsinOp, AsinhOp, Atan2Op, AtanOp, AtanhOp, CbrtOp, CosOp, CoshOp, ErfOp,
    ErfcOp, Exp2Op, ExpM1Op, ExpOp, Log1pOp, Log2Op, Log10Op, LogOp, PowFOp, RsqrtOp, SinOp,
    SinhOp, TanOp, TanhOp,
};

/// The dialect.
pub fn dialect() -> Dialect {
    Dialect {
        name: "math",
        origin: Origin::Upstream,
        doc: "Elementary functions. None stops the program; where a function is not defined, it is NaN. Any NaN is any other, \
              as in `arith`.",
        ops: [OPS, classify::OPS, real::OF_ONE, real::OF_TWO].concat(),
        materialize_constant: Some(crate::arith::materialize_constant),
        ..Dialect::default()
    }
}

/// `a * b + c`, rounded once.
#[op(
    "math.fma",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval),
    format = "$a `,` $b `,` $c (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct FmaOp {
    a: Operand<FloatLike>,
    b: Operand<FloatLike>,
    c: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

float_unary_ops! {
    /// The magnitude: the sign becomes plus, also that of NaN.
    AbsFOp, "math.absf", [Provided] |x| x.abs(), Some(Exact::Magnitude);
    /// The smallest whole number that is not below.
    CeilOp, "math.ceil", [Provided] |x| x.ceil(), None;
    /// The largest whole number that is not above.
    FloorOp, "math.floor", [Provided] |x| x.floor(), None;
    /// The nearest whole number; halfway cases away from zero.
    RoundOp, "math.round", [Provided] |x| x.round(), None;
    /// The nearest whole number; halfway cases to the even one.
    RoundEvenOp, "math.roundeven", [Provided] |x| x.round_ties_even(), None;
    /// The whole part.
    TruncOp, "math.trunc", [Provided] |x| x.trunc(), None;
    /// The square root, correctly rounded; NaN below zero.
    SqrtOp, "math.sqrt", [Provided] |x| x.sqrt(), None;
}

float_binary_ops! {
    NotANumber::AsComputed;
    /// The magnitude of `lhs` with the sign of `rhs`. The sign of a NaN counts as plus (upstream: its sign bit), since nothing
    /// says which sign the NaN that arithmetic makes has.
    CopySignOp, "math.copysign", [] [Provided] |a, b| FloatRule::with_sign_of(a, b), None, FloatIdentity::NONE;
}

/// Functions of one integer: the rule for integers of up to 64 bits, and for wider ones by their value and their bits.
macro_rules! int_unary_ops {
    ($($(#[$doc:meta])* $op:ident, $text:literal, |$w:ident, $x:ident| $rule:expr, |$width:ident, $value:ident, $bits:ident| $wide:expr;)*) => {$(
        $(#[$doc])*
        #[op(
            $text,
            traits(Pure, SameOperandsAndResultType, Elementwise),
            interfaces(Provided, Fold, Eval),
            format = "$operand attr-dict `:` type($result)"
        )]
        pub struct $op {
            operand: Operand<IntegerLike>,
            result: OpResult<IntegerLike>,
        }
        impl Eval for $op {
            fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
                cx.unary_int(inst, lanes, |$w, $x| $rule)
            }
        }
        impl Fold for $op {
            fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
                let ty = ir.value_type(ir.result(op, 0));
                let Some($w) = Elem::of_element(ir.ctx(), ty).and_then(Elem::int_width) else {
                    let wide = |$width: u32, $value: BigInt, $bits: BigInt| -> BigInt { $wide };
                    let folded = crate::wide::fold_int_unary(ir.ctx(), operands, ty, wide)?;
                    return Some(smallvec::smallvec![FoldResult::Attr(folded)]);
                };
                let folded = crate::constants::fold_scalars(ir.ctx(), operands, ty, |values| {
                    let $x = values[0].as_int()?;
                    Some(Datum::Int($w.wrap($rule)))
                })?;
                Some(smallvec::smallvec![FoldResult::Attr(folded)])
            }
        }
    )*};
}

int_unary_ops! {
    /// The magnitude of a signed integer; the smallest one stays itself.
    AbsIOp, "math.absi", |w, x| w.signed(x).wrapping_abs(), |_w, x, _bits| BigInt::from(x.magnitude().clone());
    /// The number of zeros above the highest one.
    CountLeadingZerosOp, "math.ctlz", |w, x| i64::from(w.unsigned(x).leading_zeros()) - i64::from(64 - w.bits()), |w, _x, bits| (u64::from(w) - bits.bits()).into();
    /// The number of zeros below the lowest one; the width for 0.
    CountTrailingZerosOp, "math.cttz", |w, x| w.unsigned(x).trailing_zeros().min(w.bits()).into(), |w, _x, bits| bits.trailing_zeros().unwrap_or(w.into()).into();
    /// The number of ones.
    CtPopOp, "math.ctpop", |w, x| w.unsigned(x).count_ones().into(), |_w, _x, bits| bits.magnitude().count_ones().into();
}

impl Eval for FmaOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        cx.map3(inst, lanes, fused_multiply_add)
    }
}

impl Fold for FmaOp {
    fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
        let ty = ir.value_type(ir.result(op, 0));
        let folded = crate::constants::fold_scalars(ir.ctx(), operands, ty, |v| {
            fused_multiply_add(&v[0], &v[1], &v[2]).ok()
        })?;
        Some(smallvec::smallvec![FoldResult::Attr(folded)])
    }
}

/// `a * b + c` of three floats of one format. In the shorter formats the product is exact in `f64` and the sum is rounded
/// there before it is rounded to the format.
#[inline]
pub fn fused_multiply_add(a: &Datum, b: &Datum, c: &Datum) -> Result<Datum, Fault> {
    match (a, b, c) {
        (Datum::F32(a), Datum::F32(b), Datum::F32(c)) => Ok(Datum::F32(a.mul_add(*b, *c))),
        (Datum::F64(a), Datum::F64(b), Datum::F64(c)) => Ok(Datum::F64(a.mul_add(*b, *c))),
        (Datum::F16(_), Datum::F16(_), Datum::F16(_)) => wide_fma(a, b, c, Elem::F16),
        (Datum::BF16(_), Datum::BF16(_), Datum::BF16(_)) => wide_fma(a, b, c, Elem::BF16),
        (Datum::TF32(_), Datum::TF32(_), Datum::TF32(_)) => wide_fma(a, b, c, Elem::TF32),
        _ => Err(Fault::new("needs three floats of one format")),
    }
}

fn wide_fma(a: &Datum, b: &Datum, c: &Datum, elem: Elem) -> Result<Datum, Fault> {
    let value = |datum: &Datum| datum.as_f64().unwrap_or(f64::NAN);
    Ok(Datum::from_f64(value(a).mul_add(value(b), value(c)), elem))
}
