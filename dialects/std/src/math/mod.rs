//! `math`: elementary functions, on scalars and element by element on vectors.
//!
//! Rounding to whole numbers, square root and fused multiply-add are exact or correctly rounded. The other functions are
//! computed in double precision by a library in portable Rust, the same on every machine, and rounded to the operand's
//! format. All fold; the others as upstream only in `f32` and `f64`, where upstream asks the C library of its machine: the
//! last place may differ from it, and from what a target computes.

mod fold;
mod more;
mod provided;

use crate::arith::attrs::FastMathAttr;
use crate::arith::rules::{
    FloatIdentity, FloatRule, NotANumber, float_binary_ops, float_unary_ops,
};
use segra_interp::{Cx, Datum, Elem, Eval, EvalResult, Fault, Inst, Lanes};
use segra_ir::constraint::{FloatLike, IntegerLike};
use segra_ir::def::Origin;
use segra_ir::interfaces::{Fold, FoldResult};
use segra_ir::{Attr, Dialect, Ir, Op, OpDef, OpView, op};
use smallvec::SmallVec;

const OPS: &[&OpDef] = &[
    AbsFOp::DEF,
    AbsIOp::DEF,
    Atan2Op::DEF,
    AtanOp::DEF,
    CeilOp::DEF,
    CopySignOp::DEF,
    CosOp::DEF,
    CountLeadingZerosOp::DEF,
    CountTrailingZerosOp::DEF,
    CtPopOp::DEF,
    ErfOp::DEF,
    Exp2Op::DEF,
    ExpM1Op::DEF,
    ExpOp::DEF,
    FloorOp::DEF,
    FmaOp::DEF,
    Log10Op::DEF,
    Log1pOp::DEF,
    Log2Op::DEF,
    LogOp::DEF,
    PowFOp::DEF,
    RoundEvenOp::DEF,
    RoundOp::DEF,
    RsqrtOp::DEF,
    SinOp::DEF,
    SqrtOp::DEF,
    TanOp::DEF,
    TanhOp::DEF,
    TruncOp::DEF,
];

pub use provided::{Provided, Provider};

pub use more::{
    AcosOp, AcoshOp, AsinOp, AsinhOp, AtanhOp, CbrtOp, ClampFOp, CoshOp, ErfcOp, FPowIOp, IPowIOp,
    IsFiniteOp, IsInfOp, IsNaNOp, IsNormalOp, SinCosOp, SinhOp,
};

/// The dialect.
pub fn dialect() -> Dialect {
    Dialect {
        name: "math",
        origin: Origin::Upstream,
        doc: "Elementary functions. None stops the program; where a function is not defined, it is NaN. Any NaN is any other, \
              as in `arith`.",
        ops: [OPS, more::OPS].concat(),
        materialize_constant: Some(crate::arith::materialize_constant),
        ..Dialect::default()
    }
}

/// The magnitude: the sign becomes plus, also that of NaN.
#[op(
    "math.absf",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval),
    format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct AbsFOp {
    operand: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The smallest whole number that is not below.
#[op(
    "math.ceil",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval),
    format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct CeilOp {
    operand: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The largest whole number that is not above.
#[op(
    "math.floor",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval),
    format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct FloorOp {
    operand: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The nearest whole number; halfway cases away from zero.
#[op(
    "math.round",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval),
    format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct RoundOp {
    operand: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The nearest whole number; halfway cases to the even one.
#[op(
    "math.roundeven",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval),
    format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct RoundEvenOp {
    operand: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The whole part.
#[op(
    "math.trunc",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval),
    format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct TruncOp {
    operand: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The square root, correctly rounded; NaN below zero.
#[op(
    "math.sqrt",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval),
    format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct SqrtOp {
    operand: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The arc tangent.
#[op(
    "math.atan",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval, segra_ir::interfaces::Work),
    format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct AtanOp {
    operand: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The cosine of an angle in radians.
#[op(
    "math.cos",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval, segra_ir::interfaces::Work),
    format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct CosOp {
    operand: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The error function.
#[op(
    "math.erf",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval, segra_ir::interfaces::Work),
    format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct ErfOp {
    operand: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// e to that power.
#[op(
    "math.exp",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval, segra_ir::interfaces::Work),
    format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct ExpOp {
    operand: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// 2 to that power.
#[op(
    "math.exp2",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval, segra_ir::interfaces::Work),
    format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct Exp2Op {
    operand: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// e to that power, minus 1.
#[op(
    "math.expm1",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval, segra_ir::interfaces::Work),
    format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct ExpM1Op {
    operand: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The natural logarithm.
#[op(
    "math.log",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval, segra_ir::interfaces::Work),
    format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct LogOp {
    operand: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The logarithm to base 10.
#[op(
    "math.log10",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval, segra_ir::interfaces::Work),
    format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct Log10Op {
    operand: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The natural logarithm of 1 plus that.
#[op(
    "math.log1p",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval, segra_ir::interfaces::Work),
    format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct Log1pOp {
    operand: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The logarithm to base 2.
#[op(
    "math.log2",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval, segra_ir::interfaces::Work),
    format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct Log2Op {
    operand: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// One over the square root.
#[op(
    "math.rsqrt",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval, segra_ir::interfaces::Work),
    format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct RsqrtOp {
    operand: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The sine of an angle in radians.
#[op(
    "math.sin",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval, segra_ir::interfaces::Work),
    format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct SinOp {
    operand: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The tangent of an angle in radians.
#[op(
    "math.tan",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval, segra_ir::interfaces::Work),
    format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct TanOp {
    operand: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The hyperbolic tangent.
#[op(
    "math.tanh",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval, segra_ir::interfaces::Work),
    format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct TanhOp {
    operand: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The angle of the point with abscissa `rhs` and ordinate `lhs`, in radians.
#[op(
    "math.atan2",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval, segra_ir::interfaces::Work),
    format = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct Atan2Op {
    lhs: Operand<FloatLike>,
    rhs: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// `lhs` to the power `rhs`.
#[op(
    "math.powf",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval, segra_ir::interfaces::Work),
    format = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct PowFOp {
    lhs: Operand<FloatLike>,
    rhs: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The magnitude of `lhs` with the sign of `rhs`. The sign of a NaN counts as plus (upstream: its sign bit), since nothing
/// says which sign the NaN that arithmetic makes has.
#[op(
    "math.copysign",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval),
    format = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
)]
pub struct CopySignOp {
    lhs: Operand<FloatLike>,
    rhs: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<FloatLike>,
}

/// The magnitude of a signed integer; the smallest one stays itself.
#[op(
    "math.absi",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval),
    format = "$operand attr-dict `:` type($result)"
)]
pub struct AbsIOp {
    operand: Operand<IntegerLike>,
    result: OpResult<IntegerLike>,
}

/// The number of zeros above the highest one.
#[op(
    "math.ctlz",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval),
    format = "$operand attr-dict `:` type($result)"
)]
pub struct CountLeadingZerosOp {
    operand: Operand<IntegerLike>,
    result: OpResult<IntegerLike>,
}

/// The number of zeros below the lowest one; the width for 0.
#[op(
    "math.cttz",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval),
    format = "$operand attr-dict `:` type($result)"
)]
pub struct CountTrailingZerosOp {
    operand: Operand<IntegerLike>,
    result: OpResult<IntegerLike>,
}

/// The number of ones.
#[op(
    "math.ctpop",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Provided, Fold, Eval),
    format = "$operand attr-dict `:` type($result)"
)]
pub struct CtPopOp {
    operand: Operand<IntegerLike>,
    result: OpResult<IntegerLike>,
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
    AbsFOp: |x| x.abs();
    CeilOp: |x| x.ceil();
    FloorOp: |x| x.floor();
    RoundOp: |x| x.round();
    RoundEvenOp: |x| x.round_ties_even();
    TruncOp: |x| x.trunc();
    SqrtOp: |x| x.sqrt();
}

float_binary_ops! {
    NotANumber::AsComputed;
    CopySignOp: |a, b| FloatRule::with_sign_of(a, b), FloatIdentity::NONE;
}

/// Evaluation of functions given in double precision.
/// About what a polynomial and its argument reduction cost, in additions.
const TRANSCENDENTAL_WORK: u64 = 24;

macro_rules! transcendental {
    ($op:ident) => {
        impl segra_ir::interfaces::Work for $op {
            fn work(&self, _: &Ir, _: Op) -> u64 {
                TRANSCENDENTAL_WORK
            }
        }
    };
}
transcendental!(Atan2Op);
transcendental!(PowFOp);

macro_rules! real_ops {
    ($($op:ident: |$x:ident| $rule:expr $(, folds if $defined:expr)?;)*) => {$(
        impl Eval for $op {
            fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
                cx.unary_real(inst, lanes, |$x| $rule)
            }
        }
        impl Fold for $op {
            fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Option<SmallVec<[FoldResult; 1]>> {
                fold::fold_real(ir, op, operands, |v| {
                    let $x = v[0];
                    (true $(&& $defined)?).then(|| $rule)
                })
            }
        }
        transcendental!($op);
    )*};
}

real_ops! {
    AtanOp: |x| libm::atan(x);
    CosOp: |x| libm::cos(x);
    ErfOp: |x| libm::erf(x);
    ExpOp: |x| libm::exp(x);
    Exp2Op: |x| libm::exp2(x);
    ExpM1Op: |x| libm::expm1(x);
    LogOp: |x| libm::log(x), folds if !x.is_sign_negative();
    Log10Op: |x| libm::log10(x), folds if !x.is_sign_negative();
    Log1pOp: |x| libm::log1p(x), folds if !(x + 1.0).is_sign_negative();
    Log2Op: |x| libm::log2(x), folds if !x.is_sign_negative();
    RsqrtOp: |x| 1.0 / x.sqrt(), folds if x > 0.0;
    SinOp: |x| libm::sin(x);
    TanOp: |x| libm::tan(x);
    TanhOp: |x| libm::tanh(x);
}

impl Eval for Atan2Op {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        cx.binary_float(
            inst,
            lanes,
            |a, b| libm::atan2(a.into(), b.into()) as f32,
            libm::atan2,
        )
    }
}
impl Fold for Atan2Op {
    fn fold(
        &self,
        ir: &Ir,
        op: Op,
        operands: &[Option<Attr>],
    ) -> Option<SmallVec<[FoldResult; 1]>> {
        fold::fold_real(ir, op, operands, |v| Some(libm::atan2(v[0], v[1])))
    }
}
impl Fold for PowFOp {
    fn fold(
        &self,
        ir: &Ir,
        op: Op,
        operands: &[Option<Attr>],
    ) -> Option<SmallVec<[FoldResult; 1]>> {
        fold::fold_real(ir, op, operands, |v| Some(libm::pow(v[0], v[1])))
    }
}
impl Eval for PowFOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        cx.binary_float(
            inst,
            lanes,
            |a, b| libm::pow(a.into(), b.into()) as f32,
            libm::pow,
        )
    }
}

/// Evaluation and folding of integer functions.
macro_rules! int_unary_ops {
    ($($op:ident: |$w:ident, $x:ident| $rule:expr;)*) => {$(
        impl Eval for $op {
            fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
                cx.unary_int(inst, lanes, |$w, $x| $rule)
            }
        }
        impl Fold for $op {
            fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Option<SmallVec<[FoldResult; 1]>> {
                let ty = ir.value_type(ir.result(op, 0));
                let Some($w) = Elem::of_element(ir.ctx(), ty).and_then(Elem::int_width) else {
                    let folded = crate::wide::fold_int_unary(ir.ctx(), ir.op_name_str(op), operands, ty)?;
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
    AbsIOp: |w, x| w.signed(x).wrapping_abs();
    CountLeadingZerosOp: |w, x| i64::from(w.unsigned(x).leading_zeros()) - i64::from(64 - w.bits());
    CountTrailingZerosOp: |w, x| w.unsigned(x).trailing_zeros().min(w.bits()).into();
    CtPopOp: |w, x| w.unsigned(x).count_ones().into();
}

impl Eval for FmaOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        cx.map3(inst, lanes, fused_multiply_add)
    }
}

impl Fold for FmaOp {
    fn fold(
        &self,
        ir: &Ir,
        op: Op,
        operands: &[Option<Attr>],
    ) -> Option<SmallVec<[FoldResult; 1]>> {
        let ty = ir.value_type(ir.result(op, 0));
        let folded = crate::constants::fold_scalars(ir.ctx(), operands, ty, |v| {
            fused_multiply_add(&v[0], &v[1], &v[2]).ok()
        })?;
        Some(smallvec::smallvec![FoldResult::Attr(folded)])
    }
}

/// `a * b + c` of three floats of one format. In the 16-bit formats the product is exact in `f64` and the sum is rounded
/// there before it is rounded to the format.
#[inline]
pub fn fused_multiply_add(a: &Datum, b: &Datum, c: &Datum) -> Result<Datum, Fault> {
    match (a, b, c) {
        (Datum::F32(a), Datum::F32(b), Datum::F32(c)) => Ok(Datum::F32(a.mul_add(*b, *c))),
        (Datum::F64(a), Datum::F64(b), Datum::F64(c)) => Ok(Datum::F64(a.mul_add(*b, *c))),
        (Datum::F16(_), Datum::F16(_), Datum::F16(_)) => wide_fma(a, b, c, Elem::F16),
        (Datum::BF16(_), Datum::BF16(_), Datum::BF16(_)) => wide_fma(a, b, c, Elem::BF16),
        _ => Err(Fault::new("needs three floats of one format")),
    }
}

fn wide_fma(a: &Datum, b: &Datum, c: &Datum, elem: Elem) -> Result<Datum, Fault> {
    let value = |datum: &Datum| datum.as_f64().unwrap_or(f64::NAN);
    Ok(Datum::from_f64(value(a).mul_add(value(b), value(c)), elem))
}
