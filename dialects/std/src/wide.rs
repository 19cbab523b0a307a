//! Folding in formats the interpreter does not compute with: integers of more than 64 bits, floats of 8 bits and less
//! (of those that `f64` does not hold: [`crate::exact`]).
//!
//! Floats are computed in `f64`, which holds sums, products and quotients of such small formats exactly enough that the
//! one rounding at the end is the right one.

use crate::arith::ints::{IntOutcome, Ints};
use crate::elements::{self, Elements, bits, float_bytes, fold, width};
use crate::exact::{self, exact_float};
use segra_ir::integer::{element_bytes, signed_element, wrapped};
use segra_ir::types::Signedness;
use segra_ir::{Attr, BigInt, Context, FloatKind, Type};
use std::cell::Cell;

/// How the bits of an integer are read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    /// In two's complement.
    Signed,
    /// As they are.
    Unsigned,
}

fn unsigned(value: &BigInt, width: u32) -> BigInt {
    wrapped(value, width, Signedness::Unsigned)
}

/// The width of a type's elements, where they are integers of some bits.
pub(crate) fn integer_bits(ctx: &Context, ty: Type) -> Option<u32> {
    let element = ty.element_or_self(ctx);
    width(ctx, element).filter(|&width| width > 0 && !element.is_float(ctx))
}

/// The same, where they are not so wide that computing with them would take long: division is quadratic.
fn computed_bits(ctx: &Context, ty: Type) -> Option<u32> {
    integer_bits(ctx, ty).filter(|&width| width <= 1 << 16)
}

/// The signed integer a constant is in every element, if it fits.
pub(crate) fn uniform_integer(ctx: &Context, attr: Attr) -> Option<i128> {
    let width = integer_bits(ctx, attr.ty(ctx)?)?;
    if let (Some(value), false) = (attr.as_integer(ctx), width == 1) {
        return Some(value);
    }
    i128::try_from(signed_element(Elements::of(ctx, attr)?.uniform()?, width)).ok()
}

/// The constant of an integer type, or of a vector or tensor of known shape, that is `value` in every element.
pub(crate) fn uniform_attr(ctx: &Context, ty: Type, value: impl Into<BigInt>) -> Option<Attr> {
    let element = ty.element_or_self(ctx);
    let bits = integer_bits(ctx, ty)?;
    let value = value.into();
    if element == ty {
        return Some(ctx.big_int_attr(&value, ty));
    }
    if ty.shaped(ctx)?.0.contains(&segra_ir::types::DYNAMIC) {
        return None;
    }
    elements::dense(ctx, ty, &[element_bytes(&value, bits)])
}

/// Whether a constant is the least integer of its type in every element, by the signed order.
pub(crate) fn is_least(ctx: &Context, attr: Attr) -> bool {
    is_uniform(ctx, attr, |bits| -(BigInt::from(1) << (bits - 1)))
}
/// Whether a constant is the greatest integer of its type in every element, by the signed order.
pub(crate) fn is_greatest(ctx: &Context, attr: Attr) -> bool {
    is_uniform(ctx, attr, |bits| (BigInt::from(1) << (bits - 1)) - 1)
}
fn is_uniform(ctx: &Context, attr: Attr, value: impl Fn(u32) -> BigInt) -> bool {
    let wanted = attr
        .ty(ctx)
        .and_then(|ty| uniform_attr(ctx, ty, value(integer_bits(ctx, ty)?)));
    wanted == Some(attr)
}

/// Folds an integer op with two operands.
pub(crate) fn fold_int_binary(
    ctx: &Context,
    operands: &[Option<Attr>],
    ty: Type,
    rule: impl Fn(Ints<BigInt>) -> IntOutcome<BigInt>,
) -> Option<Attr> {
    let width = computed_bits(ctx, ty)?;
    // Upstream folds vectors of shifts unless the last one goes too far.
    let last_too_far = Cell::new(false);
    let folded = fold(ctx, operands, ty, |row| {
        let outcome = rule(Ints::wide(width, row));
        last_too_far.set(matches!(outcome, IntOutcome::TooFar(_)));
        match outcome {
            IntOutcome::Is(value) | IntOutcome::TooFar(value) => Some(element_bytes(&value, width)),
            IntOutcome::Unspecified(_) | IntOutcome::DivisionByZero => None,
        }
    })?;
    (!last_too_far.get()).then_some(folded)
}

/// Folds an integer op with two operands and two results: the lower bits and the upper ones of what the rule gives.
pub(crate) fn fold_int_pair(
    ctx: &Context,
    operands: &[Option<Attr>],
    (ty, second): (Type, Type),
    rule: impl Fn(Ints<BigInt>) -> BigInt,
) -> Option<[Attr; 2]> {
    let (width, bits_of_second) = (computed_bits(ctx, ty)?, integer_bits(ctx, second)?);
    let whole = |row: &[&[u8]]| rule(Ints::wide(width, row));
    let low = fold(ctx, operands, ty, |row| {
        Some(element_bytes(&whole(row), width))
    })?;
    let high = fold(ctx, operands, second, |row| {
        Some(element_bytes(&(whole(row) >> width), bits_of_second))
    })?;
    Some([low, high])
}

/// Folds an integer op with one operand, whose rule gets the signed and the unsigned integer.
pub(crate) fn fold_int_unary(
    ctx: &Context,
    operands: &[Option<Attr>],
    ty: Type,
    rule: impl Fn(u32, BigInt, BigInt) -> BigInt,
) -> Option<Attr> {
    let width = computed_bits(ctx, ty)?;
    fold(ctx, operands, ty, |row| {
        let x = signed_element(row[0], width);
        let bits = unsigned(&x, width);
        Some(element_bytes(&rule(width, x, bits), width))
    })
}

/// Folds a power of integers.
pub(crate) fn fold_power(ctx: &Context, operands: &[Option<Attr>], ty: Type) -> Option<Attr> {
    // As many squarings as there are bits.
    let width = computed_bits(ctx, ty).filter(|&width| width <= 1 << 12)?;
    fold(ctx, operands, ty, |row| {
        let [base, exponent] = [row[0], row[1]].map(|element| signed_element(element, width));
        Some(element_bytes(&power(width, base, exponent)?, width))
    })
}

fn power(width: u32, base: BigInt, exponent: BigInt) -> Option<BigInt> {
    let [zero, one] = [0, 1].map(BigInt::from);
    if exponent < zero {
        let minus_one = -one.clone();
        return match base {
            base if base == zero => None,
            base if base == one => Some(one),
            base if base == minus_one => Some(if exponent.bit(0) { minus_one } else { one }),
            _ => Some(zero),
        };
    }
    Some(unsigned(&base, width).modpow(&exponent, &(one << width)))
}

/// Folds a comparison of integers; `holds` gets -1, 0 or 1 for the signed and for the unsigned order.
pub(crate) fn fold_int_comparison(
    ctx: &Context,
    operands: &[Option<Attr>],
    (ty, result): (Type, Type),
    holds: impl Fn(i64, i64) -> bool,
) -> Option<Attr> {
    let width = computed_bits(ctx, ty)?;
    fold(ctx, operands, result, |row| {
        let [x, y] = [row[0], row[1]].map(|element| signed_element(element, width));
        let unsigned_order = unsigned(&x, width).cmp(&unsigned(&y, width));
        Some(vec![holds(x.cmp(&y) as i64, unsigned_order as i64).into()])
    })
}

/// How an integer becomes one of another width.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Resize {
    /// By its sign.
    Signed,
    /// By zeros.
    Unsigned,
    /// Only the low bits stay.
    Truncate,
}

/// Folds a change of width.
pub(crate) fn fold_resize(
    ctx: &Context,
    operands: &[Option<Attr>],
    (from, to): (Type, Type),
    how: Resize,
) -> Option<Attr> {
    let (from, target) = (integer_bits(ctx, from)?, integer_bits(ctx, to)?);
    fold(ctx, operands, to, |row| {
        let value = signed_element(row[0], from);
        let value = if how == Resize::Unsigned {
            unsigned(&value, from)
        } else {
            value
        };
        Some(element_bytes(&value, target))
    })
}

/// Folds a change of format that keeps the bits.
pub(crate) fn fold_bitcast(ctx: &Context, operands: &[Option<Attr>], to: Type) -> Option<Attr> {
    fold(ctx, operands, to, |row| Some(row[0].to_vec()))
}

/// The format of a type's elements, if it is one this module computes in `f64`.
pub(crate) fn small_float(ctx: &Context, ty: Type) -> Option<FloatKind> {
    ty.element_or_self(ctx)
        .float_kind(ctx)
        .filter(|kind| kind.width() <= 8)
}

/// Folds a float op in a small format.
pub(crate) fn fold_float(
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

/// Folds a comparison of floats in a small format.
pub(crate) fn fold_float_comparison(
    ctx: &Context,
    operands: &[Option<Attr>],
    (ty, result): (Type, Type),
    holds: impl Fn(f64, f64) -> bool,
) -> Option<Attr> {
    let kind = small_float(ctx, ty)?;
    fold(ctx, operands, result, |row| {
        let [a, b] = [row[0], row[1]].map(|element| kind.decode(bits(element)));
        Some(vec![holds(a, b).into()])
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
    let end = BigInt::from(1)
        << if sign == Sign::Signed {
            width - 1
        } else {
            width
        };
    let first = if sign == Sign::Signed {
        -end.clone()
    } else {
        BigInt::ZERO
    };
    fold(ctx, operands, to, |row| {
        let value = match exact_float(ctx, from) {
            Some(_) => exact::decode(kind, bits(row[0]))?.truncated()?,
            None => truncated(kind.decode(bits(row[0])))?,
        };
        (first <= value && value < end).then(|| element_bytes(&value, width))
    })
}

/// The integer part of a number.
fn truncated(value: f64) -> Option<BigInt> {
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7FF) as i32 - 1075;
    if !value.is_finite() {
        return None;
    }
    if value.abs() < 1.0 {
        return Some(BigInt::ZERO);
    }
    // At least 1, so normal: the leading bit is not stored.
    let significand = BigInt::from(bits & ((1 << 52) - 1) | 1 << 52);
    let magnitude = if exponent < 0 {
        significand >> -exponent
    } else {
        significand << exponent
    };
    Some(if value < 0.0 { -magnitude } else { magnitude })
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
        let value = if sign == Sign::Unsigned {
            unsigned(&value, width)
        } else {
            value
        };
        let bits = match exact_float(ctx, to) {
            Some(_) => exact::encode(kind, &exact::Number::of_integer(value))?,
            None if kind == FloatKind::F64 => kind.encode(nearest(&value)),
            None => kind.encode(rounded_to_odd(&value)),
        };
        Some(float_bytes(kind, bits))
    })
}

/// The leading 64 bits of a magnitude, the last of them set if any bit after them is, and how many those are.
fn leading(value: &BigInt) -> (u64, u64) {
    let after = value.bits().saturating_sub(64);
    let top = value.magnitude() >> after;
    let lost = value.trailing_zeros().is_some_and(|zeros| zeros < after);
    (
        top.iter_u64_digits().next().unwrap_or(0) | u64::from(lost),
        after,
    )
}
fn scaled(value: &BigInt, leading: f64, after: u64) -> f64 {
    // Beyond what `f64` has, it is infinite.
    let magnitude = leading * 2f64.powi(after.min(2000) as i32);
    if *value < BigInt::ZERO {
        -magnitude
    } else {
        magnitude
    }
}

/// The nearest `f64`, ties to even.
fn nearest(value: &BigInt) -> f64 {
    let (top, after) = leading(value);
    scaled(value, top as f64, after)
}

/// The value in `f64`, so that rounding it to a narrower format is one rounding, not two: what `f64` cannot hold still
/// counts as inexact there.
pub(crate) fn rounded_to_odd(value: &BigInt) -> f64 {
    let (top, after) = leading(value);
    let kept = top & !0x7FF;
    let odd = if top >> 53 != 0 && kept != top {
        kept | 0x800
    } else {
        top
    };
    scaled(value, odd as f64, after)
}

/// Folds a conversion between float formats where nothing is lost.
pub(crate) fn fold_float_cast(
    ctx: &Context,
    operands: &[Option<Attr>],
    (from, to): (Type, Type),
) -> Option<Attr> {
    let [from, kind] = [from, to].map(|ty| ty.element_or_self(ctx).float_kind(ctx));
    let (from, kind) = (from?, kind?);
    if [from, kind].into_iter().any(exact::is_exact) {
        return fold(ctx, operands, to, |row| {
            Some(float_bytes(
                kind,
                exact::converted(from, kind, bits(row[0]))?,
            ))
        });
    }
    let converted = |given: u128| {
        let value = from.decode(given);
        let bits = kind.encode(value);
        if value.is_nan() {
            return quiet_nan(from, given).and_then(|payload| from_payload(kind, payload));
        }
        (kind.decode(bits) == value
            && (value != 0.0 || kind.decode(bits).is_sign_negative() == value.is_sign_negative()))
        .then_some(bits)
    };
    fold(ctx, operands, to, |row| {
        Some(float_bytes(kind, converted(bits(row[0]))?))
    })
}

/// Exponent and mantissa widths of the IEEE formats, whose quiet not-a-numbers are alike.
fn ieee(kind: FloatKind) -> Option<(u32, u32)> {
    match kind {
        FloatKind::BF16 => Some((8, 7)),
        FloatKind::F16 => Some((5, 10)),
        FloatKind::F32 => Some((8, 23)),
        FloatKind::F64 => Some((11, 52)),
        FloatKind::F8E5M2 => Some((5, 2)),
        _ => None,
    }
}

/// Sign and payload (at the top of 64 bits) of a quiet not-a-number.
fn quiet_nan(kind: FloatKind, bits: u128) -> Option<(bool, u64)> {
    let (exponent, mantissa) = ieee(kind)?;
    let payload = (bits as u64) << (64 - mantissa);
    (payload >> 63 == 1).then_some((bits >> (exponent + mantissa) & 1 == 1, payload))
}

fn from_payload(kind: FloatKind, (negative, payload): (bool, u64)) -> Option<u128> {
    let (exponent, mantissa) = ieee(kind)?;
    if payload & (u64::MAX >> mantissa) != 0 {
        return None;
    }
    let body = u128::from(payload >> (64 - mantissa)) | ((1u128 << exponent) - 1) << mantissa;
    Some(body | u128::from(negative) << (exponent + mantissa))
}

/// The result of IEEE arithmetic where it is not a number: the first operand that is none, made quiet; else the
/// positive quiet one. In bits of a 16-, 32- or 64-bit format.
pub(crate) fn nan_result(kind: FloatKind, operands: &[u64]) -> Option<u64> {
    let (exponent, mantissa) = ieee(kind)?;
    let quiet = 1u64 << (mantissa - 1);
    let top = ((1u64 << exponent) - 1) << mantissa;
    let is_nan = |bits: &&u64| **bits & top == top && **bits & ((1 << mantissa) - 1) != 0;
    Some(
        operands
            .iter()
            .find(is_nan)
            .map_or(top | quiet, |bits| bits | quiet),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_rounded_once() {
        let one = || BigInt::from(1);
        // Half way between two 24-bit numbers but for the last of 201 bits.
        let value: BigInt = (one() << 200) + (one() << 176) + 1;
        assert_eq!(
            FloatKind::F32.encode(rounded_to_odd(&value)),
            f32::INFINITY.to_bits().into()
        );
        assert_eq!(nearest(&value), 2f64.powi(200) + 2f64.powi(176));
        let tie: BigInt = (one() << 100) + (one() << 76);
        assert_eq!(
            FloatKind::F32.encode(rounded_to_odd(&tie)),
            2f32.powi(100).to_bits().into()
        );
        let above = f32::from_bits(2f32.powi(100).to_bits() + 1).to_bits();
        assert_eq!(
            FloatKind::F32.encode(rounded_to_odd(&(&tie + 1))),
            above.into()
        );
        let negative: BigInt = -(tie + one());
        assert_eq!(
            FloatKind::F32.encode(rounded_to_odd(&negative)),
            (above | 1 << 31).into()
        );
        assert_eq!(nearest(&(one() << 2000)), f64::INFINITY);
        assert_eq!(
            nearest(&((one() << 90) + (one() << 37) + 1)),
            2f64.powi(90) + 2f64.powi(38)
        );
    }

    #[test]
    fn floats_are_truncated_to_integers_of_any_size() {
        assert_eq!(truncated(-2.5), Some(BigInt::from(-2)));
        assert_eq!(truncated(2f64.powi(300)), Some(BigInt::from(1) << 300));
        assert_eq!(truncated(f64::NAN), None);
        assert_eq!(truncated(-0.75), Some(BigInt::ZERO));
    }

    #[test]
    fn not_a_numbers_are_made_quiet_and_keep_their_sign() {
        assert_eq!(
            nan_result(FloatKind::F32, &[0x3F80_0000, 0xFFA0_0000]),
            Some(0xFFE0_0000)
        );
        assert_eq!(
            nan_result(FloatKind::F64, &[0, 0]),
            Some(0x7FF8_0000_0000_0000)
        );
        assert_eq!(
            quiet_nan(FloatKind::F32, 0x7FC0_0000).and_then(|p| from_payload(FloatKind::F16, p)),
            Some(0x7E00)
        );
        assert_eq!(
            quiet_nan(FloatKind::F32, 0x7FC0_0001).and_then(|p| from_payload(FloatKind::F16, p)),
            None
        );
    }
}
