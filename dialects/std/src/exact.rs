//! Folding of floats that `f64` does not hold: `f80` and `f128`; and of `tf32`, whose width no integer has.
//!
//! A number is a whole one times a power of two, of any size; what is computed with it is exact, and rounded once, to
//! nearest, ties to even. Bits of `f80` that no processor makes (a leading bit that does not fit the exponent) stand for
//! nothing and fold to nothing.
//! Deliberately absent: directed rounding, elementary functions.

use crate::elements::{Elements, bits, float_bytes, fold};
use segra_ir::{Attr, BigInt, Context, FloatKind, Type};
use std::cmp::Ordering;

/// The number that the bits of a format stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    /// Not a number; the first of its bits behind the exponent is the highest one here.
    Nan { negative: bool, payload: u128 },
    /// Infinite.
    Infinite { negative: bool },
    /// Zero.
    Zero { negative: bool },
    /// This times two to the power of `exponent`; not zero.
    Finite { significand: BigInt, exponent: i64 },
}
use Number::{Finite, Infinite, Nan, Zero};

/// How the bits of a format in IEEE 754's manner are divided.
#[derive(Clone, Copy)]
struct Layout {
    width: u32,
    /// Bits behind the exponent.
    stored: u32,
    /// The same without a leading one that is stored.
    fraction: u32,
    bias: i64,
}

impl Layout {
    fn of(kind: FloatKind) -> Option<Layout> {
        let ieee = [
            FloatKind::BF16,
            FloatKind::F16,
            FloatKind::TF32,
            FloatKind::F32,
            FloatKind::F64,
        ];
        let wide = [FloatKind::F80, FloatKind::F128];
        if !ieee.contains(&kind) && !wide.contains(&kind) {
            return None;
        }
        let fraction = kind.precision() - 1;
        let stored = fraction + u32::from(kind == FloatKind::F80);
        Some(Layout {
            width: kind.width(),
            stored,
            fraction,
            bias: kind.largest_exponent().into(),
        })
    }
    fn ones(self) -> u128 {
        (1 << (self.width - 1 - self.stored)) - 1
    }
    fn assembled(self, negative: bool, power: u128, stored: u128) -> u128 {
        u128::from(negative) << (self.width - 1) | power << self.stored | stored
    }
    /// The stored bit that stands for one times the power of two, where there is one.
    fn leading(self) -> u128 {
        if self.stored == self.fraction {
            0
        } else {
            1 << self.fraction
        }
    }
}

/// The format of a type's elements, if it is one this module computes in.
pub(crate) fn exact_float(ctx: &Context, ty: Type) -> Option<FloatKind> {
    ty.element_or_self(ctx)
        .float_kind(ctx)
        .filter(|kind| is_exact(*kind))
}

/// Whether this module computes in a format.
pub(crate) fn is_exact(kind: FloatKind) -> bool {
    matches!(kind, FloatKind::TF32 | FloatKind::F80 | FloatKind::F128)
}

/// The number that these bits stand for; `None`: nothing, or the format is not in IEEE 754's manner.
pub(crate) fn decode(kind: FloatKind, bits: u128) -> Option<Number> {
    let layout = Layout::of(kind)?;
    let negative = bits >> (layout.width - 1) & 1 == 1;
    let power = bits >> layout.stored & layout.ones();
    let fraction = bits & ((1 << layout.fraction) - 1);
    let leading = layout.leading();
    if leading != 0 && (bits & leading != 0) != (power != 0) {
        return None;
    }
    Some(match power {
        _ if power == layout.ones() && fraction == 0 => Infinite { negative },
        _ if power == layout.ones() => Nan {
            negative,
            payload: fraction << (u128::BITS - layout.fraction),
        },
        0 if fraction == 0 => Zero { negative },
        _ => {
            let magnitude = BigInt::from(fraction | u128::from(power != 0) << layout.fraction);
            let significand = if negative { -magnitude } else { magnitude };
            Finite {
                significand,
                exponent: (power.max(1) as i64) - layout.bias - i64::from(layout.fraction),
            }
        }
    })
}

/// The bits of the nearest number of a format, ties to even; `None`: the format is not in IEEE 754's manner, or has not
/// this not-a-number.
pub(crate) fn encode(kind: FloatKind, number: &Number) -> Option<u128> {
    let layout = Layout::of(kind)?;
    let infinite = |negative| layout.assembled(negative, layout.ones(), layout.leading());
    Some(match number {
        Nan { negative, payload } => {
            let fraction = payload >> (u128::BITS - layout.fraction);
            if fraction << (u128::BITS - layout.fraction) != *payload || fraction == 0 {
                return None;
            }
            layout.assembled(*negative, layout.ones(), layout.leading() | fraction)
        }
        Infinite { negative } => infinite(*negative),
        Zero { negative } => layout.assembled(*negative, 0, 0),
        Finite {
            significand,
            exponent,
        } => {
            let negative = *significand < BigInt::ZERO;
            let (power, count) = rounded(layout, significand, *exponent)?;
            match power >= layout.ones() {
                true => infinite(negative),
                false => layout.assembled(
                    negative,
                    power,
                    count & !(1 << layout.fraction) | stored_one(layout, power),
                ),
            }
        }
    })
}

fn stored_one(layout: Layout, power: u128) -> u128 {
    if power == 0 { 0 } else { layout.leading() }
}

/// The exponent's bits of the nearest number, and its magnitude in units of the last bit.
fn rounded(layout: Layout, significand: &BigInt, exponent: i64) -> Option<(u128, u128)> {
    let least = 1 - layout.bias;
    let top = exponent + i64::try_from(significand.bits()).ok()? - 1;
    let unit = top.max(least) - i64::from(layout.fraction);
    let magnitude = BigInt::from(significand.magnitude().clone());
    let count = match u64::try_from(exponent - unit) {
        Ok(up) => magnitude << up,
        Err(_) => {
            let down = u64::try_from(unit - exponent).ok()?;
            let kept: BigInt = &magnitude >> down;
            let rest = magnitude - (&kept << down);
            let half = BigInt::from(1) << (down - 1);
            let up = match rest.cmp(&half) {
                Ordering::Greater => true,
                Ordering::Equal => kept.bit(0),
                Ordering::Less => false,
            };
            kept + u32::from(up)
        }
    };
    // Rounding may carry into the next power of two.
    let carried = count.bits() > u64::from(layout.fraction) + 1;
    let (count, unit) = if carried {
        (count >> 1, unit + 1)
    } else {
        (count, unit)
    };
    let count = u128::try_from(count).ok()?;
    let is_normal = count >> layout.fraction != 0;
    let power = if is_normal {
        unit + i64::from(layout.fraction) + layout.bias
    } else {
        0
    };
    Some((u128::try_from(power).ok()?, count))
}

impl Number {
    fn is_negative(&self) -> bool {
        match self {
            Nan { negative, .. } | Infinite { negative } | Zero { negative } => *negative,
            Finite { significand, .. } => *significand < BigInt::ZERO,
        }
    }
    fn is_nan(&self) -> bool {
        matches!(self, Nan { .. })
    }
    /// Whether the two are one number, written alike or not.
    fn is_same(&self, other: &Number) -> bool {
        match compared(self, other) {
            Some(order) => order == Ordering::Equal && self.is_negative() == other.is_negative(),
            None => self == other,
        }
    }
    fn made_quiet(&self) -> Number {
        match *self {
            Nan { negative, payload } => Nan {
                negative,
                payload: payload | QUIET,
            },
            ref number => number.clone(),
        }
    }
    /// The integer part; `None`: there is none.
    pub(crate) fn truncated(&self) -> Option<BigInt> {
        match self {
            Nan { .. } | Infinite { .. } => None,
            Zero { .. } => Some(BigInt::ZERO),
            Finite {
                significand,
                exponent,
            } => Some(match u64::try_from(*exponent) {
                Ok(up) => significand << up,
                Err(_) => {
                    let magnitude = significand.magnitude() >> exponent.unsigned_abs();
                    let magnitude = BigInt::from(magnitude);
                    if self.is_negative() {
                        -magnitude
                    } else {
                        magnitude
                    }
                }
            }),
        }
    }
    /// An integer.
    pub(crate) fn of_integer(value: BigInt) -> Number {
        made(value, 0, false)
    }
}

/// The bit of a payload that makes an operation go on silently.
const QUIET: u128 = 1 << 127;
const INVALID: Number = Nan {
    negative: false,
    payload: QUIET,
};

/// This number, or a zero of that sign.
fn made(significand: BigInt, exponent: i64, negative_zero: bool) -> Number {
    match significand == BigInt::ZERO {
        true => Zero {
            negative: negative_zero,
        },
        false => Finite {
            significand,
            exponent,
        },
    }
}

/// Two numbers in units of the smaller one's last bit.
fn aligned(a: &BigInt, ea: i64, b: &BigInt, eb: i64) -> (BigInt, BigInt, i64) {
    let exponent = ea.min(eb);
    (
        a << (ea - exponent).unsigned_abs(),
        b << (eb - exponent).unsigned_abs(),
        exponent,
    )
}

fn negated(number: &Number) -> Number {
    match number.clone() {
        Nan { negative, payload } => Nan {
            negative: !negative,
            payload,
        },
        Infinite { negative } => Infinite {
            negative: !negative,
        },
        Zero { negative } => Zero {
            negative: !negative,
        },
        Finite {
            significand,
            exponent,
        } => Finite {
            significand: -significand,
            exponent,
        },
    }
}

fn sum(a: &Number, b: &Number) -> Number {
    match (a, b) {
        (Infinite { negative: x }, Infinite { negative: y }) if x != y => INVALID,
        (Infinite { .. }, _) => a.clone(),
        (_, Infinite { .. }) => b.clone(),
        (Zero { negative: x }, Zero { negative: y }) => Zero { negative: *x && *y },
        (Zero { .. }, _) => b.clone(),
        (_, Zero { .. }) => a.clone(),
        (
            Finite {
                significand: x,
                exponent: ex,
            },
            Finite {
                significand: y,
                exponent: ey,
            },
        ) => {
            let (x, y, exponent) = aligned(x, *ex, y, *ey);
            made(x + y, exponent, false)
        }
        _ => INVALID,
    }
}

fn product(a: &Number, b: &Number) -> Number {
    let negative = a.is_negative() != b.is_negative();
    match (a, b) {
        (Infinite { .. }, Zero { .. }) | (Zero { .. }, Infinite { .. }) => INVALID,
        (Infinite { .. }, _) | (_, Infinite { .. }) => Infinite { negative },
        (
            Finite {
                significand: x,
                exponent: ex,
            },
            Finite {
                significand: y,
                exponent: ey,
            },
        ) => made(x * y, ex + ey, negative),
        _ => Zero { negative },
    }
}

/// The quotient, with so many bits more than any format has that rounding it is rounding the exact one.
fn quotient(a: &Number, b: &Number) -> Number {
    let negative = a.is_negative() != b.is_negative();
    match (a, b) {
        (Infinite { .. }, Infinite { .. }) | (Zero { .. }, Zero { .. }) => INVALID,
        (Infinite { .. }, _) | (_, Zero { .. }) => Infinite { negative },
        (
            Finite {
                significand: x,
                exponent: ex,
            },
            Finite {
                significand: y,
                exponent: ey,
            },
        ) => {
            const MORE: u64 = 256;
            let (x, y) = (
                BigInt::from(x.magnitude().clone()),
                BigInt::from(y.magnitude().clone()),
            );
            let scaled: BigInt = x << MORE;
            let whole: BigInt = &scaled / &y;
            // The last bit tells that something is left.
            let rest = u32::from(&whole * &y != scaled);
            let magnitude: BigInt = (whole << 1u32) + rest;
            made(
                if negative { -magnitude } else { magnitude },
                ex - ey - MORE as i64 - 1,
                negative,
            )
        }
        _ => Zero { negative },
    }
}

fn remainder(a: &Number, b: &Number) -> Number {
    match (a, b) {
        (Infinite { .. }, _) | (_, Zero { .. }) => INVALID,
        (
            Finite {
                significand: x,
                exponent: ex,
            },
            Finite {
                significand: y,
                exponent: ey,
            },
        ) => {
            let (x, y, exponent) = aligned(x, *ex, y, *ey);
            made(x % y, exponent, a.is_negative())
        }
        _ => a.clone(),
    }
}

/// The order of two numbers, the zeros being equal; `None`: one is no number.
fn compared(a: &Number, b: &Number) -> Option<Ordering> {
    let rank = |number: &Number| match number {
        Infinite { negative } => {
            if *negative {
                -2
            } else {
                2
            }
        }
        Zero { .. } | Nan { .. } => 0,
        Finite { .. } => {
            if number.is_negative() {
                -1
            } else {
                1
            }
        }
    };
    if a.is_nan() || b.is_nan() {
        return None;
    }
    Some(match (a, b) {
        (
            Finite {
                significand: x,
                exponent: ex,
            },
            Finite {
                significand: y,
                exponent: ey,
            },
        ) => {
            let (x, y, _) = aligned(x, *ex, y, *ey);
            x.cmp(&y)
        }
        _ => rank(a).cmp(&rank(b)),
    })
}

/// The larger number, or the smaller one; 0.0 is larger than -0.0.
fn chosen(a: &Number, b: &Number, wanted: Ordering) -> Number {
    let order = match compared(a, b) {
        // Only zeros are equal and yet differ.
        Some(Ordering::Equal) => b.is_negative().cmp(&a.is_negative()),
        order => order.unwrap_or(wanted),
    };
    if order == wanted.reverse() {
        b.clone()
    } else {
        a.clone()
    }
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

/// The result of a rule.
fn computed(rule: Exact, row: &[Number]) -> Option<Number> {
    let a = row.first()?;
    match rule {
        Exact::Negation => return Some(negated(a)),
        Exact::Magnitude if a.is_negative() => return Some(negated(a)),
        Exact::Magnitude => return Some(a.clone()),
        _ => {}
    }
    let b = row.get(1)?;
    if matches!(rule, Exact::MaximumNumber | Exact::MinimumNumber) && (a.is_nan() || b.is_nan()) {
        return Some(if a.is_nan() { b } else { a }.clone());
    }
    if let Some(nan) = row.iter().find(|number| number.is_nan()) {
        return Some(nan.made_quiet());
    }
    Some(match rule {
        Exact::Negation | Exact::Magnitude => return None,
        Exact::Sum => sum(a, b),
        Exact::Difference => sum(a, &negated(b)),
        Exact::Product => product(a, b),
        Exact::Quotient => quotient(a, b),
        Exact::Remainder => remainder(a, b),
        Exact::Maximum | Exact::MaximumNumber => chosen(a, b, Ordering::Greater),
        Exact::Minimum | Exact::MinimumNumber => chosen(a, b, Ordering::Less),
    })
}

/// Folds a float op in a format of this module.
pub(crate) fn fold_float(
    ctx: &Context,
    rule: Exact,
    operands: &[Option<Attr>],
    ty: Type,
) -> Option<Attr> {
    let kind = exact_float(ctx, ty)?;
    fold(ctx, operands, ty, |row| {
        let row: Vec<Number> = row
            .iter()
            .map(|element| decode(kind, bits(element)))
            .collect::<Option<_>>()?;
        Some(float_bytes(kind, encode(kind, &computed(rule, &row)?)?))
    })
}

/// The number a constant of a format of this module is in every element.
pub(crate) fn uniform(ctx: &Context, attr: Attr) -> Option<(FloatKind, u128)> {
    let kind = exact_float(ctx, attr.ty(ctx)?)?;
    Some((kind, bits(Elements::of(ctx, attr)?.uniform()?)))
}

/// Whether a constant of a format of this module is this `f64` in every element; not-a-number stands for every one.
pub(crate) fn is_uniformly(ctx: &Context, attr: Attr, value: f64) -> bool {
    uniform(ctx, attr).is_some_and(|(kind, bits)| match value.is_nan() {
        true => decode(kind, bits).is_some_and(|number| number.is_nan()),
        false => kind.encode(value) == bits,
    })
}

/// Folds a comparison; `holds` gets two numbers that compare as the operands do.
pub(crate) fn fold_comparison(
    ctx: &Context,
    operands: &[Option<Attr>],
    (ty, result): (Type, Type),
    holds: impl Fn(f64, f64) -> bool,
) -> Option<Attr> {
    let kind = exact_float(ctx, ty)?;
    fold(ctx, operands, result, |row| {
        let [a, b] = [decode(kind, bits(row[0]))?, decode(kind, bits(row[1]))?];
        let difference = match compared(&a, &b) {
            Some(order) => f64::from(order as i8),
            None => f64::NAN,
        };
        Some(vec![holds(difference, 0.0).into()])
    })
}

/// The bits that stand in one format for what these stand for in another, where nothing is lost.
pub(crate) fn converted(from: FloatKind, to: FloatKind, given: u128) -> Option<u128> {
    // By way of `f64` from and to formats that are not in IEEE 754's manner.
    let Some(number) = decode(from, given) else {
        let middle = from.decode(given);
        let exact = Layout::of(from).is_none() && middle.is_finite();
        return exact.then(|| converted(FloatKind::F64, to, middle.to_bits().into()))?;
    };
    if number.made_quiet() != number {
        return None;
    }
    if Layout::of(to).is_some() {
        let bits = encode(to, &number)?;
        return decode(to, bits)?.is_same(&number).then_some(bits);
    }
    let middle = f64::from_bits(converted(from, FloatKind::F64, given)? as u64);
    let bits = to.encode(middle);
    let same = to.decode(bits) == middle
        && to.decode(bits).is_sign_negative() == middle.is_sign_negative();
    same.then_some(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMATS: [FloatKind; 4] = [
        FloatKind::F64,
        FloatKind::TF32,
        FloatKind::F80,
        FloatKind::F128,
    ];

    #[test]
    fn bits_that_stand_for_something_come_back() {
        let powers = [0u128, 1, 2, 1022, 0x3FFE, 0x3FFF, 0x4000, 0x7FFE, 0x7FFF];
        for kind in FORMATS {
            let layout = Layout::of(kind).expect("it is in IEEE 754's manner");
            let fractions = [
                0u128,
                1,
                1 << (layout.fraction - 1),
                (1 << layout.fraction) - 1,
            ];
            for power in powers.map(|power| power.min(layout.ones())) {
                for fraction in fractions {
                    let leading = if power == 0 { 0 } else { layout.leading() };
                    let bits = layout.assembled(true, power, leading | fraction);
                    let number = decode(kind, bits).expect("it stands for something");
                    assert_eq!(encode(kind, &number), Some(bits), "{kind:?} {bits:x}");
                    assert_eq!(
                        converted(kind, FloatKind::F128, bits).is_none(),
                        number.made_quiet() != number
                    );
                }
            }
        }
        assert_eq!(
            decode(FloatKind::F80, 1 << 64),
            None,
            "an exponent without its leading bit"
        );
    }

    #[test]
    fn what_cancels_is_a_positive_zero_and_zeros_keep_their_signs() {
        let [one, minus_one] = [1, -1].map(|value| Number::of_integer(BigInt::from(value)));
        let [plus, minus] = [false, true].map(|negative| Zero { negative });
        assert_eq!(sum(&one, &minus_one), plus);
        assert_eq!(sum(&minus, &minus), minus);
        assert_eq!(sum(&minus, &plus), plus);
        assert_eq!(product(&minus_one, &plus), minus);
        assert_eq!(quotient(&plus, &minus_one), minus);
        assert_eq!(remainder(&minus_one, &one), minus, "as the dividend has it");
    }

    #[test]
    fn what_is_half_way_goes_to_the_even_neighbour_and_may_carry() {
        let of = |value: u128| encode(FloatKind::F80, &Number::of_integer(BigInt::from(value)));
        let two_to_64 = of(1 << 64);
        assert_eq!(
            of((1 << 64) - 1),
            Some(0x403E_FFFF_FFFF_FFFF_FFFF),
            "it has as many bits"
        );
        assert_eq!(
            of((1 << 64) + 1),
            two_to_64,
            "a tie, and the last bit of 2^64 is even"
        );
        assert_eq!(of((1 << 64) + 3), two_to_64.map(|bits| bits + 2));
        assert_eq!(
            of(u128::MAX),
            of(1 << 127).map(|bits| bits + (1 << 64)),
            "2^128 comes next"
        );
    }
}
