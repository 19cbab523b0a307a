//! Folding in formats the interpreter does not compute with: integers of 65 to 128 bits, floats of 8 bits and less.
//!
//! Elements are their bits, in the low end of a `u128`. Floats are computed in `f64`, which holds sums, products and
//! quotients of such small formats exactly enough that the one rounding at the end is the right one.

use segra_ir::attrs::Splat;
use segra_ir::{Attr, AttrKind, Context, FloatKind, Type};

/// Constant elements as bits.
struct Bits {
    elements: Vec<u128>,
    splat: Splat,
    is_scalar: bool,
}

fn width(ctx: &Context, element: Type) -> Option<u32> {
    if element.is_index(ctx) {
        return Some(64);
    }
    element.integer_width(ctx).or_else(|| element.float_kind(ctx).map(FloatKind::width))
}

fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

fn storage(ctx: &Context, element: Type) -> Option<usize> {
    match element.float_kind(ctx) {
        Some(kind) => Some(kind.storage_bytes()),
        None => Some((width(ctx, element)? as usize).div_ceil(8).max(1)),
    }
}

impl Bits {
    fn of(ctx: &Context, attr: Attr) -> Option<Bits> {
        let scalar = |bits| Some(Bits { elements: vec![bits], splat: Splat::Yes, is_scalar: true });
        match ctx.attr_kind(attr) {
            AttrKind::Integer { value, ty } => {
                let width = width(ctx, *ty).filter(|&width| width <= 128)?;
                scalar(*value as u128 & mask(width))
            }
            AttrKind::Float { bits, .. } => scalar(*bits),
            AttrKind::DenseElements { ty, data, splat } => {
                let element = ty.element_or_self(ctx);
                let width = width(ctx, element).filter(|&width| width <= 128)?;
                let bits = |chunk: &[u8]| {
                    let mut word = [0; 16];
                    word[..chunk.len()].copy_from_slice(chunk);
                    u128::from_le_bytes(word) & mask(width)
                };
                let elements = data.chunks(storage(ctx, element)?).map(bits).collect();
                Some(Bits { elements, splat: *splat, is_scalar: false })
            }
            _ => None,
        }
    }
    fn get(&self, index: usize) -> Option<u128> {
        self.elements.get(if self.splat == Splat::Yes { 0 } else { index }).copied()
    }
}

/// The width of a type's elements, where they are integers of at most 128 bits.
pub(crate) fn integer_bits(ctx: &Context, ty: Type) -> Option<u32> {
    let element = ty.element_or_self(ctx);
    let bits = if element.is_index(ctx) { 64 } else { element.integer_width(ctx)? };
    (1..=128).contains(&bits).then_some(bits)
}

/// The signed integer a constant is in every element.
pub(crate) fn uniform_integer(ctx: &Context, attr: Attr) -> Option<i128> {
    let bits = Bits::of(ctx, attr)?;
    let width = integer_bits(ctx, attr.ty(ctx)?)?;
    let first = *bits.elements.first()?;
    bits.elements.iter().all(|&element| element == first).then(|| signed(width, first))
}

/// The constant of an integer type, or of a vector or tensor of known shape, that is `value` in every element.
pub(crate) fn uniform_attr(ctx: &Context, ty: Type, value: i64) -> Option<Attr> {
    let element = ty.element_or_self(ctx);
    let bits = integer_bits(ctx, ty)?;
    if element == ty {
        return Some(ctx.int_attr(value.into(), ty));
    }
    if ty.shaped(ctx)?.0.contains(&segra_ir::types::DYNAMIC) {
        return None;
    }
    let kept = if bits == 1 { value & 1 } else { value };
    let data = i128::from(kept).to_le_bytes()[..storage(ctx, element)?].to_vec();
    Some(ctx.attr(AttrKind::DenseElements { ty, data, splat: Splat::Yes }))
}

/// Applies a rule on bits to constants, element by element.
fn fold(
    ctx: &Context,
    operands: &[Option<Attr>],
    result: Type,
    rule: impl Fn(&[u128]) -> Option<u128>,
) -> Option<Attr> {
    let operands: Vec<Bits> = operands.iter().map(|attr| Bits::of(ctx, (*attr)?)).collect::<Option<_>>()?;
    let count = operands.iter().filter(|bits| bits.splat == Splat::No).map(|bits| bits.elements.len()).max();
    let row = |index: usize| -> Option<u128> {
        let row: Vec<u128> = operands.iter().map(|bits| bits.get(index)).collect::<Option<_>>()?;
        rule(&row)
    };
    let elements: Vec<u128> = (0..count.unwrap_or(1)).map(row).collect::<Option<_>>()?;
    let first = *elements.first()?;
    let element = result.element_or_self(ctx);
    if operands.iter().all(|bits| bits.is_scalar) {
        return Some(match element.is_float(ctx) {
            true => ctx.float_bits_attr(first, element),
            false => ctx.int_attr(signed(width(ctx, element)?, first), element),
        });
    }
    let all_same = elements.iter().all(|&bits| bits == first);
    let (elements, splat) = if all_same { (vec![first], Splat::Yes) } else { (elements, Splat::No) };
    let bytes = storage(ctx, element)?;
    // Integers are stored sign-extended to whole bytes, `i1` as 0 or 1.
    let stored = |bits: u128| match (element.is_float(ctx), width(ctx, element)) {
        (false, Some(width)) if width > 1 => signed(width, bits) as u128,
        _ => bits,
    };
    let data = elements.iter().flat_map(|&bits| stored(bits).to_le_bytes()[..bytes].to_vec()).collect();
    Some(ctx.attr(AttrKind::DenseElements { ty: result, data, splat }))
}

fn signed(width: u32, bits: u128) -> i128 {
    let shift = 128 - width.clamp(1, 128);
    ((bits << shift) as i128) >> shift
}

/// Folds an integer op with two operands; `op` is its name.
pub(crate) fn fold_int_binary(ctx: &Context, op: &str, operands: &[Option<Attr>], ty: Type) -> Option<Attr> {
    let width = width(ctx, ty.element_or_self(ctx)).filter(|width| (1..=128).contains(width))?;
    fold(ctx, operands, ty, |row| Some(int_rule(op, width, row[0], row[1])? & mask(width)))
}

fn int_rule(op: &str, width: u32, a: u128, b: u128) -> Option<u128> {
    let (x, y) = (signed(width, a), signed(width, b));
    let least = signed(width, 1 << (width - 1));
    let divisible = y != 0 && !(x == least && y == -1);
    let in_range = b < width.into();
    Some(match op {
        "arith.addi" => a.wrapping_add(b),
        "arith.subi" => a.wrapping_sub(b),
        "arith.muli" => a.wrapping_mul(b),
        "arith.andi" => a & b,
        "arith.ori" => a | b,
        "arith.xori" => a ^ b,
        "arith.divui" if b != 0 => a / b,
        "arith.remui" if b != 0 => a % b,
        "arith.ceildivui" if b != 0 => a.div_ceil(b),
        "arith.divsi" if divisible => (x / y) as u128,
        "arith.remsi" if y != 0 => x.wrapping_rem(y) as u128,
        "arith.floordivsi" if divisible => {
            let quotient = x / y;
            (if x % y != 0 && (x < 0) != (y < 0) { quotient - 1 } else { quotient }) as u128
        }
        "arith.ceildivsi" if divisible => {
            let quotient = x / y;
            (if x % y != 0 && (x < 0) == (y < 0) { quotient + 1 } else { quotient }) as u128
        }
        "arith.shli" if in_range => a << b,
        "arith.shrui" if in_range => a >> b,
        "arith.shrsi" if in_range => (x >> b) as u128,
        "arith.maxsi" => x.max(y) as u128,
        "arith.minsi" => x.min(y) as u128,
        "arith.maxui" => a.max(b),
        "arith.minui" => a.min(b),
        _ => return None,
    })
}

/// Folds a comparison of integers; `holds` gets -1, 0 or 1 for the signed and for the unsigned order.
pub(crate) fn fold_int_comparison(
    ctx: &Context,
    operands: &[Option<Attr>],
    (ty, result): (Type, Type),
    holds: impl Fn(i64, i64) -> bool,
) -> Option<Attr> {
    let width = width(ctx, ty.element_or_self(ctx)).filter(|width| (1..=128).contains(width))?;
    fold(ctx, operands, result, |row| {
        let order = signed(width, row[0]).cmp(&signed(width, row[1])) as i64;
        Some(holds(order, row[0].cmp(&row[1]) as i64).into())
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
    let from = width(ctx, from.element_or_self(ctx)).filter(|width| (1..=128).contains(width))?;
    let target = width(ctx, to.element_or_self(ctx)).filter(|width| (1..=128).contains(width))?;
    fold(ctx, operands, to, |row| {
        let bits = if how == Resize::Signed { signed(from, row[0]) as u128 } else { row[0] };
        Some(bits & mask(target))
    })
}

/// The format of a type's elements, if it is one this module computes in `f64`.
pub(crate) fn small_float(ctx: &Context, ty: Type) -> Option<FloatKind> {
    ty.element_or_self(ctx).float_kind(ctx).filter(|kind| kind.width() <= 8)
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
        let values: Vec<f64> = row.iter().map(|&bits| kind.decode(bits)).collect();
        // Not-a-numbers of these formats differ too much for one rule.
        let value = rule(&values);
        (!value.is_nan()).then(|| kind.encode(value))
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
    fold(ctx, operands, result, |row| Some(holds(kind.decode(row[0]), kind.decode(row[1])).into()))
}

/// Folds a conversion from a small float format to an integer.
pub(crate) fn fold_to_integer(
    ctx: &Context,
    operands: &[Option<Attr>],
    (from, to): (Type, Type),
    rule: impl Fn(f64) -> Option<i64>,
) -> Option<Attr> {
    let kind = small_float(ctx, from)?;
    let width = width(ctx, to.element_or_self(ctx))?;
    fold(ctx, operands, to, |row| Some(rule(kind.decode(row[0]))? as u128 & mask(width)))
}

/// Folds a conversion from an integer to a small float format; `rule` gets the value and rounds it to odd in `f64`.
pub(crate) fn fold_from_integer(
    ctx: &Context,
    operands: &[Option<Attr>],
    (from, to): (Type, Type),
    rule: impl Fn(u128) -> f64,
) -> Option<Attr> {
    let kind = small_float(ctx, to)?;
    width(ctx, from.element_or_self(ctx)).filter(|&width| width <= 64)?;
    fold(ctx, operands, to, |row| Some(kind.encode(rule(row[0]))))
}

/// Folds a conversion between float formats where nothing is lost.
pub(crate) fn fold_float_cast(
    ctx: &Context,
    operands: &[Option<Attr>],
    (from, to): (Type, Type),
) -> Option<Attr> {
    let [from, kind] = [from, to].map(|ty| ty.element_or_self(ctx).float_kind(ctx));
    let (from, kind) = (from?, kind?);
    if from.width() > 64 || kind.width() > 64 {
        return None;
    }
    fold(ctx, operands, to, |row| {
        let value = from.decode(row[0]);
        let bits = kind.encode(value);
        if value.is_nan() {
            return quiet_nan(from, row[0]).and_then(|payload| from_payload(kind, payload));
        }
        (kind.decode(bits) == value
            && (value != 0.0 || kind.decode(bits).is_sign_negative() == value.is_sign_negative()))
        .then_some(bits)
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

/// What IEEE arithmetic gives where the result is not a number: the first operand that is none, made quiet; else the
/// positive quiet one. In bits of a 16-, 32- or 64-bit format.
pub(crate) fn nan_result(kind: FloatKind, operands: &[u64]) -> Option<u64> {
    let (exponent, mantissa) = ieee(kind)?;
    let quiet = 1u64 << (mantissa - 1);
    let top = ((1u64 << exponent) - 1) << mantissa;
    let is_nan = |bits: &&u64| **bits & top == top && **bits & ((1 << mantissa) - 1) != 0;
    Some(operands.iter().find(is_nan).map_or(top | quiet, |bits| bits | quiet))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_integers_wrap_and_keep_their_sign() {
        assert_eq!(int_rule("arith.muli", 65, 1 << 64, 3).map(|bits| bits & mask(65)), Some(1 << 64));
        assert_eq!(int_rule("arith.divsi", 65, mask(65), 1).map(|bits| bits & mask(65)), Some(mask(65)));
        assert_eq!(int_rule("arith.divsi", 65, 1 << 64, mask(65)), None);
        assert_eq!(int_rule("arith.shli", 65, 1, 65), None);
    }

    #[test]
    fn not_a_numbers_are_made_quiet_and_keep_their_sign() {
        assert_eq!(nan_result(FloatKind::F32, &[0x3F80_0000, 0xFFA0_0000]), Some(0xFFE0_0000));
        assert_eq!(nan_result(FloatKind::F64, &[0, 0]), Some(0x7FF8_0000_0000_0000));
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
