//! Folding in the float formats that the interpreter does not compute with, and what folding says of NaN.
//!
//! Formats of 8 bits and less are computed in `f64`, which holds sums, products and quotients of them exactly enough that
//! the one rounding at the end is the right one; of `f80`, `f128` and `tf32`, whose width no integer has, numbers are
//! computed exactly and rounded once, to nearest, ties to even. Bits of `f80` that no processor makes (a leading bit that
//! does not fit the exponent) stand for nothing and fold to nothing.
//! Deliberately absent: arithmetic (`segra-float`), directed rounding, elementary functions of the wide formats.

use crate::elements::{Elements, bits, float_bytes, fold};
use crate::wide::{Sign, computed_bits, unsigned};
use segra_float::{BigUint, Number, Round, Significand};
use segra_ir::integer::{element_bytes, signed_element};
use segra_ir::{Attr, BigInt, Context, FloatKind, Type};
use std::cmp::Ordering;

/// A number that is computed with.
type Wide = Number<BigUint>;

/// The number that these bits stand for; `None`: nothing.
fn number<S: Significand>(kind: FloatKind, bits: u128) -> Option<Number<S>> {
    kind.is_canonical(bits).then(|| kind.unpack(bits))
}

/// The bits of the nearest number, ties to even.
fn nearest<S: Significand>(kind: FloatKind, number: &Number<S>) -> u128 {
    kind.pack(number, Round::NearestEven)
}

/// The format of a type's elements, if it is one this module computes in exactly.
pub(crate) fn exact_float(ctx: &Context, ty: Type) -> Option<FloatKind> {
    let wide = [FloatKind::TF32, FloatKind::F80, FloatKind::F128];
    ty.element_or_self(ctx)
        .float_kind(ctx)
        .filter(|kind| wide.contains(kind))
}

/// A rule of one or two floats that this module computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exact {
    /// The opposite.
    Negation,
    /// Without the sign.
    Magnitude,
    /// `a + b`
    Sum,
    /// `a - b`
    Difference,
    /// `a * b`
    Product,
    /// `a / b`
    Quotient,
    /// The remainder of the quotient rounded towards zero.
    Remainder,
    /// The larger one; not a number if either is none.
    Maximum,
    /// The smaller one; not a number if either is none.
    Minimum,
    /// The larger one; the number where one is none.
    MaximumNumber,
    /// The smaller one; the number where one is none.
    MinimumNumber,
}

/// The larger number, or the smaller one; 0.0 is larger than -0.0.
fn chosen(a: Wide, b: Wide, wanted: Ordering) -> Wide {
    let order = match a.compare(&b) {
        None => return if a.is_nan() { a } else { b }.made_quiet(),
        // Only zeros are equal and yet differ.
        Some(Ordering::Equal) => b.is_negative().cmp(&a.is_negative()),
        Some(order) => order,
    };
    if order == wanted.reverse() { b } else { a }
}

/// The result of a rule.
fn computed(rule: Exact, row: Vec<Wide>) -> Option<Wide> {
    let mut row = row.into_iter();
    let a = row.next()?;
    let b = match rule {
        Exact::Negation => return Some(a.negated()),
        Exact::Magnitude => return Some(a.with_sign(false)),
        _ => row.next()?,
    };
    Some(match rule {
        Exact::Negation | Exact::Magnitude => return None,
        Exact::Sum => a.add(b, Round::NearestEven),
        Exact::Difference => a.subtract(b, Round::NearestEven),
        Exact::Product => a.multiply(b),
        Exact::Quotient => a.divide(b),
        Exact::Remainder => a.remainder(b),
        Exact::MaximumNumber | Exact::MinimumNumber if a.is_nan() => b,
        Exact::MaximumNumber | Exact::MinimumNumber if b.is_nan() => a,
        Exact::Maximum | Exact::MaximumNumber => chosen(a, b, Ordering::Greater),
        Exact::Minimum | Exact::MinimumNumber => chosen(a, b, Ordering::Less),
    })
}

/// Folds a float op in a format that is computed in exactly.
pub(crate) fn fold_exact(
    ctx: &Context,
    rule: Exact,
    operands: &[Option<Attr>],
    ty: Type,
) -> Option<Attr> {
    let kind = exact_float(ctx, ty)?;
    fold(ctx, operands, ty, |row| {
        let row = row.iter().map(|element| number(kind, bits(element)));
        let result = computed(rule, row.collect::<Option<_>>()?)?;
        Some(float_bytes(kind, nearest(kind, &result)))
    })
}

/// Whether a constant of a format that is computed in exactly is this `f64` in every element; not-a-number stands for every
/// one.
pub(crate) fn is_uniformly(ctx: &Context, attr: Attr, value: f64) -> bool {
    let uniform = || {
        let kind = exact_float(ctx, attr.ty(ctx)?)?;
        Some((kind, bits(Elements::of(ctx, attr)?.uniform()?)))
    };
    uniform().is_some_and(|(kind, bits)| match value.is_nan() {
        true => number::<u128>(kind, bits).is_some_and(|number| number.is_nan()),
        false => kind.encode(value) == bits,
    })
}

/// The format of a type's elements, if it is one this module computes in `f64`.
pub(crate) fn small_float(ctx: &Context, ty: Type) -> Option<FloatKind> {
    ty.element_or_self(ctx)
        .float_kind(ctx)
        .filter(|kind| kind.width() <= 8)
}

/// Folds a float op in a small format.
pub(crate) fn fold_small(
    ctx: &Context,
    operands: &[Option<Attr>],
    ty: Type,
    rule: impl Fn(&[f64]) -> f64,
) -> Option<Attr> {
    let kind = small_float(ctx, ty)?;
    fold(ctx, operands, ty, |row| {
        let values: Vec<f64> = row
            .iter()
            .map(|element| kind.decode(bits(element)))
            .collect();
        // Not-a-numbers of these formats differ too much for one rule.
        let value = rule(&values);
        (!value.is_nan()).then(|| float_bytes(kind, kind.encode(value)))
    })
}

/// Folds a comparison; `holds` gets two numbers that compare as the operands do.
pub(crate) fn fold_comparison(
    ctx: &Context,
    operands: &[Option<Attr>],
    (ty, result): (Type, Type),
    holds: impl Fn(f64, f64) -> bool,
) -> Option<Attr> {
    let kind = ty.element_or_self(ctx).float_kind(ctx)?;
    fold(ctx, operands, result, |row| {
        let a: Number = number(kind, bits(row[0]))?;
        let b = number(kind, bits(row[1]))?;
        let difference = a
            .compare(&b)
            .map_or(f64::NAN, |order| f64::from(order as i8));
        Some(vec![holds(difference, 0.0).into()])
    })
}

/// Folds a conversion from a float to an integer, rounded towards zero; where it does not fit, the op stays.
pub(crate) fn fold_to_integer(
    ctx: &Context,
    operands: &[Option<Attr>],
    (from, to): (Type, Type),
    sign: Sign,
) -> Option<Attr> {
    let kind = from.element_or_self(ctx).float_kind(ctx)?;
    let width = computed_bits(ctx, to)?;
    let end = BigInt::from(1) << (width - u32::from(sign == Sign::Signed));
    let first = match sign {
        Sign::Signed => -end.clone(),
        Sign::Unsigned => BigInt::ZERO,
    };
    fold(ctx, operands, to, |row| {
        let value = truncated(number(kind, bits(row[0]))?)?;
        (first <= value && value < end).then(|| element_bytes(&value, width))
    })
}

/// The integer part of a number.
fn truncated(number: Wide) -> Option<BigInt> {
    let negative = number.is_negative();
    let magnitude = BigInt::from(number.to_integer(Round::Zero)?);
    Some(if negative { -magnitude } else { magnitude })
}

/// Folds a conversion from an integer to the nearest float.
pub(crate) fn fold_from_integer(
    ctx: &Context,
    operands: &[Option<Attr>],
    (from, to): (Type, Type),
    sign: Sign,
) -> Option<Attr> {
    let kind = to.element_or_self(ctx).float_kind(ctx)?;
    let width = computed_bits(ctx, from)?;
    fold(ctx, operands, to, |row| {
        let value = signed_element(row[0], width);
        let value = match sign {
            Sign::Signed => value,
            Sign::Unsigned => unsigned(&value, width),
        };
        let number = Number::integer(value < BigInt::ZERO, value.magnitude().clone());
        Some(float_bytes(kind, nearest(kind, &number)))
    })
}

/// Folds a conversion between float formats where nothing is lost.
pub(crate) fn fold_float_cast(
    ctx: &Context,
    operands: &[Option<Attr>],
    (from, to): (Type, Type),
) -> Option<Attr> {
    let [from, kind] = [from, to].map(|ty| ty.element_or_self(ctx).float_kind(ctx));
    let (from, kind) = (from?, kind?);
    fold(ctx, operands, to, |row| {
        Some(float_bytes(kind, converted(from, kind, bits(row[0]))?))
    })
}

/// The bits that stand in one format for what these stand for in another, where nothing is lost.
fn converted(from: FloatKind, to: FloatKind, given: u128) -> Option<u128> {
    let number: Number = number(from, given)?;
    let bits = nearest(to, &number);
    let back = to.unpack(bits);
    let same = match number.compare(&back) {
        Some(order) => order == Ordering::Equal && number.is_negative() == back.is_negative(),
        None => {
            let alike = [from, to].into_iter().all(has_quiet_nans);
            alike && !number.is_signalling() && number == back
        }
    };
    same.then_some(bits)
}

/// Whether the quiet not-a-numbers of a format are those of the IEEE formats, with fewer bits or more.
fn has_quiet_nans(kind: FloatKind) -> bool {
    kind.is_ieee() && (kind.width() > 8 || kind == FloatKind::F8E5M2)
}

/// The result of IEEE arithmetic where it is not a number: the first operand that is none, made quiet; else the
/// positive quiet one. In bits of a 16-, 32- or 64-bit format.
pub(crate) fn nan_result(kind: FloatKind, operands: &[u64]) -> u64 {
    let mut numbers = operands
        .iter()
        .map(|&bits| kind.unpack::<u128>(bits.into()));
    let result = match numbers.find(Number::is_nan) {
        Some(nan) => kind.pack(&nan.made_quiet(), Round::NearestEven),
        None => kind.encode(f64::NAN),
    };
    result as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_rounded_once() {
        let one = || BigUint::from(1u32);
        let of = |kind, negative, value: BigUint| nearest(kind, &Number::integer(negative, value));
        // Half way between two 24-bit numbers but for the last of 201 bits.
        let value: BigUint = (one() << 200) + (one() << 176) + 1u32;
        assert_eq!(
            of(FloatKind::F32, false, value.clone()),
            f32::INFINITY.to_bits().into()
        );
        let wanted = (2f64.powi(200) + 2f64.powi(176)).to_bits();
        assert_eq!(of(FloatKind::F64, false, value), wanted.into());
        let tie: BigUint = (one() << 100) + (one() << 76);
        let below = 2f32.powi(100).to_bits();
        assert_eq!(of(FloatKind::F32, false, tie.clone()), below.into());
        assert_eq!(of(FloatKind::F32, false, &tie + 1u32), (below + 1).into());
        assert_eq!(
            of(FloatKind::F32, true, tie + 1u32),
            ((below + 1) | (1 << 31)).into()
        );
        assert_eq!(
            of(FloatKind::F64, false, one() << 2000),
            f64::INFINITY.to_bits().into()
        );
        let up = (2f64.powi(90) + 2f64.powi(38)).to_bits();
        assert_eq!(
            of(FloatKind::F64, false, (one() << 90) + (one() << 37) + 1u32),
            up.into()
        );
    }

    #[test]
    fn floats_are_truncated_to_integers_of_any_size() {
        let of = |value: f64| truncated(FloatKind::F64.unpack(value.to_bits().into()));
        assert_eq!(of(-2.5), Some(BigInt::from(-2)));
        assert_eq!(of(2f64.powi(300)), Some(BigInt::from(1) << 300));
        assert_eq!(of(f64::NAN), None);
        assert_eq!(of(-0.75), Some(BigInt::ZERO));
    }

    #[test]
    fn not_a_numbers_are_made_quiet_and_keep_their_sign() {
        assert_eq!(
            nan_result(FloatKind::F32, &[0x3F80_0000, 0xFFA0_0000]),
            0xFFE0_0000
        );
        assert_eq!(nan_result(FloatKind::F64, &[0, 0]), 0x7FF8_0000_0000_0000);
    }

    #[test]
    fn what_a_format_has_not_is_not_converted_to_it() {
        let to = |to, bits| converted(FloatKind::F32, to, bits);
        assert_eq!(to(FloatKind::F16, 0x7FC0_0000), Some(0x7E00));
        assert_eq!(
            to(FloatKind::F16, 0x7FC0_0001),
            None,
            "its payload is too long"
        );
        assert_eq!(to(FloatKind::F128, 0x7FA0_0000), None, "it is no quiet one");
        assert_eq!(to(FloatKind::F8E4M3, 0x7FC0_0000), None);
        assert_eq!(
            to(FloatKind::F8E5M2FNUZ, 0x8000_0000),
            None,
            "there is no negative zero"
        );
        assert_eq!(
            to(FloatKind::F8E4M3FN, 0x7F80_0000),
            None,
            "there is no infinity"
        );
        assert_eq!(
            to(FloatKind::F80, 0xFF80_0000),
            Some(0xFFFF_8000_0000_0000_0000)
        );
        assert_eq!(
            converted(FloatKind::F80, FloatKind::F128, 1 << 64),
            None,
            "no processor makes it"
        );
    }

    #[test]
    fn the_larger_of_two_zeros_is_the_positive_one_and_numbers_beat_nan_where_asked_to() {
        let kind = FloatKind::F128;
        let of = |rule, a, b| {
            let row = [a, b].map(|value| kind.unpack(kind.encode(value))).to_vec();
            computed(rule, row).map(|number| kind.decode(nearest(kind, &number)).to_bits())
        };
        let zero = |value: f64| Some(value.to_bits());
        assert_eq!(of(Exact::Maximum, -0.0, 0.0), zero(0.0));
        assert_eq!(of(Exact::Minimum, 0.0, -0.0), zero(-0.0));
        assert_eq!(of(Exact::MaximumNumber, f64::NAN, -1.0), zero(-1.0));
        assert_eq!(of(Exact::Maximum, 1.0, f64::NAN), zero(f64::NAN));
        assert_eq!(of(Exact::Magnitude, -f64::NAN, 0.0), zero(f64::NAN));
    }
}
