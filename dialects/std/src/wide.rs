//! Folding of integers that the interpreter does not compute with: of more than 64 bits (floats: [`crate::wide_float`]).

use crate::arith::ints::{IntOutcome, Ints};
use crate::elements::{self, Elements, fold, width};
use segra_ir::integer::{element_bytes, signed_element, wrapped};
use segra_ir::types::Signedness;
use segra_ir::{Attr, BigInt, Context, Type};
use std::cell::Cell;

/// How the bits of an integer are read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    /// In two's complement.
    Signed,
    /// As they are.
    Unsigned,
}

/// An integer of two's complement, read without a sign.
pub(crate) fn unsigned(value: &BigInt, width: u32) -> BigInt {
    wrapped(value, width, Signedness::Unsigned)
}

/// The width of a type's elements, where they are integers of some bits.
pub(crate) fn integer_bits(ctx: &Context, ty: Type) -> Option<u32> {
    let element = ty.element_or_self(ctx);
    width(ctx, element).filter(|&width| width > 0 && !element.is_float(ctx))
}

/// The same, where they are not so wide that computing with them would take long: division is quadratic.
pub(crate) fn computed_bits(ctx: &Context, ty: Type) -> Option<u32> {
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
