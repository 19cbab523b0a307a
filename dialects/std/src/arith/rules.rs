//! From a rule on scalars to an op's evaluation and folding: the tables of this dialect and of `math` are read here.

use crate::arith::ints::{IntOutcome, Ints};
use crate::constants::{fold_scalars, splat_of};
use crate::wide_float::{self, Exact};
use half::{bf16, f16};
use segra_interp::{Cx, Datum, Elem, EvalResult, Fault, Inst, Lanes, Tf32};
use segra_ir::interfaces::{FoldResult, Folded};
use segra_ir::{Attr, BigInt, FloatKind, Ir, Op, Value};
use smallvec::{SmallVec, smallvec};

/// The one result is a value that is there.
pub(crate) fn folded_value(value: Value) -> Folded {
    Some(smallvec![FoldResult::Value(value)])
}

/// The one result is a constant.
pub(crate) fn folded_attr(attr: Attr) -> Folded {
    Some(smallvec![FoldResult::Attr(attr)])
}

/// The property that holds for any left operand.
#[derive(Clone, Copy)]
pub(crate) enum Identity {
    /// `x op c = x`
    RightNeutral(i64),
    /// `x op c = c`
    RightAbsorbs(i64),
    /// `x op least = x`, by the signed order
    RightNeutralLeast,
    /// `x op greatest = x`, by the signed order
    RightNeutralGreatest,
    /// `x op least = least`, by the signed order
    RightAbsorbsLeast,
    /// `x op greatest = greatest`, by the signed order
    RightAbsorbsGreatest,
    /// `x op x = c`
    SameGives(i64),
    /// `x op x = x`
    SameGivesSame,
    /// `x op 1 = 0`
    OneGivesZero,
}

/// Evaluates an integer op with two operands.
#[inline(always)]
pub(crate) fn eval_int_binary(
    cx: &mut Cx<'_>,
    inst: &Inst,
    lanes: &Lanes,
    rule: impl Fn(Ints<i128>) -> IntOutcome<i128>,
) -> EvalResult {
    use IntOutcome::*;
    cx.try_binary_int(inst, lanes, |w, a, b| match rule(Ints::narrow(w, a, b)) {
        Is(value) | Unspecified(value) | TooFar(value) => Ok(value as i64),
        DivisionByZero => Err(Fault::new("divides by zero")),
    })
}

/// Folds an integer op with two operands, by its rule for integers of up to 64 bits and for wider ones.
pub(crate) fn fold_int_binary(
    ir: &Ir,
    op: Op,
    operands: &[Option<Attr>],
    identities: &[Identity],
    rule: impl Fn(Ints<i128>) -> IntOutcome<i128>,
    wide: impl Fn(Ints<BigInt>) -> IntOutcome<BigInt>,
) -> Folded {
    let ctx = ir.ctx();
    let ty = ir.value_type(ir.operand(op, 0));
    if let Some(folded) = fold_identity(ir, op, operands, identities) {
        return Some(smallvec![folded]);
    }
    if let Some(poison) = poison_among(ctx, operands) {
        return Some(smallvec![FoldResult::Attr(poison)]);
    }
    let Some(width) = Elem::of_element(ctx, ty).and_then(Elem::int_width) else {
        let folded = crate::wide::fold_int_binary(ctx, operands, ty, wide)?;
        return Some(smallvec![FoldResult::Attr(folded)]);
    };
    let last_too_far = std::cell::Cell::new(false);
    let folded = fold_scalars(ctx, operands, ty, |values| {
        let outcome = rule(Ints::narrow(
            width,
            values[0].as_int()?,
            values[1].as_int()?,
        ));
        last_too_far.set(matches!(outcome, IntOutcome::TooFar(_)));
        match outcome {
            IntOutcome::Is(value) | IntOutcome::TooFar(value) => {
                Some(Datum::Int(width.wrap(value as i64)))
            }
            IntOutcome::Unspecified(_) | IntOutcome::DivisionByZero => None,
        }
    })?;
    (!last_too_far.get()).then(|| smallvec![FoldResult::Attr(folded)])
}

/// The value of an op for any left operand, or because its operands are equal.
fn fold_identity(
    ir: &Ir,
    op: Op,
    operands: &[Option<Attr>],
    identities: &[Identity],
) -> Option<FoldResult> {
    let ctx = ir.ctx();
    let [lhs, rhs] = [ir.operand(op, 0), ir.operand(op, 1)];
    if identities.is_empty() || (lhs != rhs && operands[1].is_none()) {
        return None;
    }
    let ty = ir.value_type(lhs);
    let bits = crate::wide::integer_bits(ctx, ty)?;
    let right = operands[1].and_then(|attr| crate::wide::uniform_integer(ctx, attr));
    // Beyond 128 bits they are no `i128`.
    let is_least = || match bits {
        1..=128 => right == Some(i128::MIN >> (128 - bits)),
        _ => operands[1].is_some_and(|attr| crate::wide::is_least(ctx, attr)),
    };
    let is_greatest = || match bits {
        1..=128 => right == Some(!(i128::MIN >> (128 - bits))),
        _ => operands[1].is_some_and(|attr| crate::wide::is_greatest(ctx, attr)),
    };
    // All bits set is -1 in every width, 1 in the width of one bit.
    let is = |c: i64| {
        right
            == Some(if bits == 1 {
                -i128::from(c & 1)
            } else {
                c.into()
            })
    };
    let constant = |c| crate::wide::uniform_attr(ctx, ty, c).map(FoldResult::Attr);
    identities.iter().find_map(|identity| match *identity {
        Identity::RightNeutral(c) if is(c) => Some(FoldResult::Value(lhs)),
        Identity::RightAbsorbs(c) if is(c) => Some(FoldResult::Value(rhs)),
        Identity::RightNeutralLeast if is_least() => Some(FoldResult::Value(lhs)),
        Identity::RightNeutralGreatest if is_greatest() => Some(FoldResult::Value(lhs)),
        Identity::RightAbsorbsLeast if is_least() => Some(FoldResult::Value(rhs)),
        Identity::RightAbsorbsGreatest if is_greatest() => Some(FoldResult::Value(rhs)),
        Identity::SameGives(c) if lhs == rhs => constant(c),
        Identity::OneGivesZero if is(1) => constant(0),
        Identity::SameGivesSame if lhs == rhs => Some(FoldResult::Value(lhs)),
        _ => None,
    })
}

/// The poison among constants: what is computed from it is poison.
pub(crate) fn poison_among(ctx: &segra_ir::Context, operands: &[Option<Attr>]) -> Option<Attr> {
    operands
        .iter()
        .flatten()
        .copied()
        .find(|&attr| crate::ub::is_poison(ctx, attr))
}

/// Operations of floating-point rules beyond the standard library.
pub(crate) trait FloatRule: Copy + PartialOrd {
    /// The larger; NaN if either is NaN; 0.0 over -0.0.
    fn maximum(self, other: Self) -> Self;
    /// The smaller; NaN if either is NaN; -0.0 below 0.0.
    fn minimum(self, other: Self) -> Self;
    /// The larger; of a NaN and a number the number; 0.0 over -0.0, which the standard library leaves open.
    fn maximum_number(self, other: Self) -> Self;
    /// The smaller; of a NaN and a number the number; -0.0 below 0.0.
    fn minimum_number(self, other: Self) -> Self;
    /// This magnitude with the other's sign; plus if the other is NaN.
    fn with_sign_of(self, other: Self) -> Self;
}

macro_rules! float_rules {
    ($($ty:ident),*) => {$(
        impl FloatRule for $ty {
            fn maximum(self, other: Self) -> Self {
                if self.is_nan() || other.is_nan() {
                    $ty::NAN
                } else if self == other {
                    // Only zeros are equal and yet differ.
                    if self.is_sign_negative() { other } else { self }
                } else if self > other {
                    self
                } else {
                    other
                }
            }
            fn minimum(self, other: Self) -> Self {
                -FloatRule::maximum(-self, -other)
            }
            fn maximum_number(self, other: Self) -> Self {
                if self.is_nan() || other.is_nan() { self.max(other) } else { FloatRule::maximum(self, other) }
            }
            fn minimum_number(self, other: Self) -> Self {
                if self.is_nan() || other.is_nan() { self.min(other) } else { FloatRule::minimum(self, other) }
            }
            fn with_sign_of(self, other: Self) -> Self {
                if other.is_nan() { self.abs() } else { self.copysign(other) }
            }
        }
    )*};
}
float_rules!(f32, f64);

/// The property that holds for any left operand.
#[derive(Clone, Copy, Default)]
pub(crate) struct FloatIdentity {
    /// The right operand that gives the left one; not-a-number stands for every one.
    pub(crate) neutral: Option<f64>,
    /// Whether `x op x = x`.
    pub(crate) idempotent: bool,
}

impl FloatIdentity {
    /// Nothing.
    pub(crate) const NONE: FloatIdentity = FloatIdentity {
        neutral: None,
        idempotent: false,
    };
    /// `x op neutral = x`
    pub(crate) const fn neutral(neutral: f64) -> FloatIdentity {
        FloatIdentity {
            neutral: Some(neutral),
            idempotent: false,
        }
    }
    /// `x op neutral = x` and `x op x = x`
    pub(crate) const fn lattice(neutral: f64) -> FloatIdentity {
        FloatIdentity {
            neutral: Some(neutral),
            idempotent: true,
        }
    }
}

/// Which not-a-number an op gives.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotANumber {
    /// The first operand that is none, made quiet; else the positive quiet one: IEEE arithmetic.
    OfOperands,
    /// As computed: ops on signs.
    AsComputed,
}

fn with_nan_of_operands(computed: Datum, operands: &[Datum]) -> Option<Datum> {
    let (kind, elem) = match computed {
        Datum::F16(x) if x.is_nan() => (FloatKind::F16, Elem::F16),
        Datum::BF16(x) if x.is_nan() => (FloatKind::BF16, Elem::BF16),
        Datum::F32(x) if x.is_nan() => (FloatKind::F32, Elem::F32),
        Datum::F64(x) if x.is_nan() => (FloatKind::F64, Elem::F64),
        _ => return Some(computed),
    };
    let bits: SmallVec<[u64; 3]> = operands.iter().map(Datum::to_bits).collect::<Option<_>>()?;
    Some(Datum::from_bits(wide_float::nan_result(kind, &bits), elem))
}

/// Folds a float op whose rule is exact or correctly rounded in each format; formats that the machine has not need the
/// exact one.
pub(crate) fn fold_float(
    ir: &Ir,
    op: Op,
    operands: &[Option<Attr>],
    (identity, nan): (FloatIdentity, NotANumber),
    exact: Option<Exact>,
    single: impl Fn(&[f32]) -> f32,
    double: impl Fn(&[f64]) -> f64,
) -> Folded {
    let ctx = ir.ctx();
    if identity.idempotent && ir.operand(op, 0) == ir.operand(op, 1) {
        return Some(smallvec![FoldResult::Value(ir.operand(op, 0))]);
    }
    if let (Some(neutral), [_, Some(right)]) = (identity.neutral, operands)
        && (wide_float::is_uniformly(ctx, *right, neutral)
            || splat_of(ctx, *right)
                .and_then(|value| value.as_f64())
                .is_some_and(|value| {
                    value.to_bits() == neutral.to_bits() || (value.is_nan() && neutral.is_nan())
                }))
    {
        return Some(smallvec![FoldResult::Value(ir.operand(op, 0))]);
    }
    if let Some(poison) = poison_among(ctx, operands) {
        return Some(smallvec![FoldResult::Attr(poison)]);
    }
    let ty = ir.value_type(ir.result(op, 0));
    if wide_float::small_float(ctx, ty).is_some() {
        let folded = wide_float::fold_small(ctx, operands, ty, double)?;
        return Some(smallvec![FoldResult::Attr(folded)]);
    }
    if wide_float::exact_float(ctx, ty).is_some() {
        let folded = wide_float::fold_exact(ctx, exact?, operands, ty)?;
        return Some(smallvec![FoldResult::Attr(folded)]);
    }
    let folded = fold_scalars(ctx, operands, ty, |values| {
        let computed = computed_scalar(values, &single, &double)?;
        match nan {
            NotANumber::OfOperands => with_nan_of_operands(computed, values),
            NotANumber::AsComputed => Some(computed),
        }
    })?;
    Some(smallvec![FoldResult::Attr(folded)])
}

/// The result of a rule in the format of its operands.
fn computed_scalar(
    values: &[Datum],
    single: impl Fn(&[f32]) -> f32,
    double: impl Fn(&[f64]) -> f64,
) -> Option<Datum> {
    let narrow = || -> Option<f32> {
        let values: SmallVec<[f32; 3]> = values
            .iter()
            .map(|value| match value {
                // Not by way of `f64`, which would make a signalling not-a-number quiet.
                Datum::F32(value) => Some(*value),
                _ => value.as_f64().map(|value| value as f32),
            })
            .collect::<Option<_>>()?;
        Some(single(&values))
    };
    Some(match values.first()? {
        Datum::F16(_) => Datum::F16(f16::from_f32(narrow()?)),
        Datum::BF16(_) => Datum::BF16(bf16::from_f32(narrow()?)),
        Datum::TF32(_) => Datum::TF32(Tf32::from_f32(narrow()?)),
        Datum::F32(_) => Datum::F32(narrow()?),
        _ => {
            let values: SmallVec<[f64; 3]> =
                values.iter().map(Datum::as_f64).collect::<Option<_>>()?;
            Datum::F64(double(&values))
        }
    })
}

/// Float ops with two operands, by rules that hold in every format: the traits and interfaces of each beyond the common ones.
macro_rules! float_binary_ops {
    ($nan:expr; $($(#[$doc:meta])* $op:ident, $text:literal, $traits:tt $interfaces:tt |$a:ident, $b:ident| $rule:expr, $exact:expr, $identity:expr;)*) => {$(
        $crate::arith::rules::float_binary_ops!(@struct $traits $interfaces $(#[$doc])* $op, $text);
        $crate::arith::rules::float_binary_ops!(@rule $op: $nan, |$a, $b| $rule, $exact, $identity);
    )*};
    (@struct [$($trait:ident)*] [$($interface:ident)*] $(#[$doc:meta])* $op:ident, $text:literal) => {
        $(#[$doc])*
        #[op(
            $text,
            traits(Pure, $($trait,)* SameOperandsAndResultType, Elementwise),
            interfaces($($interface,)* Fold, Eval),
            format = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
        )]
        pub struct $op {
            lhs: Operand<FloatLike>,
            rhs: Operand<FloatLike>,
            fastmath: OptionalAttr<FastMathAttr>,
            result: OpResult<FloatLike>,
        }
    };
    (@rule $op:ident: $nan:expr, |$a:ident, $b:ident| $rule:expr, $exact:expr, $identity:expr) => {
        impl Eval for $op {
            fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
                cx.binary_float(inst, lanes, |$a, $b| $rule, |$a, $b| $rule)
            }
        }
        impl Fold for $op {
            fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
                let single = |v: &[f32]| { let ($a, $b) = (v[0], v[1]); $rule };
                let double = |v: &[f64]| { let ($a, $b) = (v[0], v[1]); $rule };
                $crate::arith::rules::fold_float(ir, op, operands, ($identity, $nan), $exact, single, double)
            }
        }
    };
}

/// Float ops with one operand, by rules that hold in every format: the interfaces of each beyond the common ones.
macro_rules! float_unary_ops {
    ($($(#[$doc:meta])* $op:ident, $text:literal, [$($interface:ident)*] |$x:ident| $rule:expr, $exact:expr;)*) => {$(
        $(#[$doc])*
        #[op(
            $text,
            traits(Pure, SameOperandsAndResultType, Elementwise),
            interfaces($($interface,)* Fold, Eval),
            format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
        )]
        pub struct $op {
            operand: Operand<FloatLike>,
            fastmath: OptionalAttr<FastMathAttr>,
            result: OpResult<FloatLike>,
        }
        impl Eval for $op {
            fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
                cx.unary_float(inst, lanes, |$x| $rule, |$x| $rule)
            }
        }
        impl Fold for $op {
            fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
                use $crate::arith::rules::{FloatIdentity, NotANumber, fold_float};
                let single = |v: &[f32]| { let $x = v[0]; $rule };
                let double = |v: &[f64]| { let $x = v[0]; $rule };
                fold_float(ir, op, operands, (FloatIdentity::NONE, NotANumber::AsComputed), $exact, single, double)
            }
        }
    )*};
}

pub(crate) use {float_binary_ops, float_unary_ops};
