//! Floating-point arithmetic with any of PTX's rounding modes and formats, done on integers.
//!
//! The host computes round-to-nearest `f32` and `f64` itself; everything else (directed rounding, half formats,
//! conversions between formats) goes through here: operands are unpacked to exact integers, combined exactly up
//! to a sticky bit, and rounded once. IEEE 754-2019, sections 4.3 and 5.4.

/// Rounding direction attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Round {
    NearestEven,
    NearestAway,
    Zero,
    Down,
    Up,
}

/// A binary interchange format: explicit significand bits and exponent bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    mantissa: u32,
    exponent: u32,
    /// Without infinities the largest exponent holds numbers too, and only the pattern of all ones is NaN.
    infinities: bool,
}

const fn ieee(mantissa: u32, exponent: u32) -> Format {
    Format {
        mantissa,
        exponent,
        infinities: true,
    }
}

pub(crate) const F16: Format = ieee(10, 5);
pub(crate) const BF16: Format = ieee(7, 8);
/// TensorFloat-32 seen as the top 19 bits of an `f32`.
pub(crate) const TF32: Format = ieee(10, 8);
pub(crate) const F32: Format = ieee(23, 8);
pub(crate) const F64: Format = ieee(52, 11);
/// The 8-bit floats of "FP8 formats for deep learning" (Micikevicius et al., 2022).
pub(crate) const E5M2: Format = ieee(2, 5);
/// See [`E5M2`].
pub(crate) const E4M3: Format = Format {
    mantissa: 3,
    exponent: 4,
    infinities: false,
};

impl Format {
    fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    pub(crate) fn sign_bit(self) -> u64 {
        1 << (self.mantissa + self.exponent)
    }

    pub(crate) fn infinity(self) -> u64 {
        ((1 << self.exponent) - 1) << self.mantissa
    }

    /// Pattern of the largest finite number.
    pub(crate) fn largest(self) -> u64 {
        if self.infinities {
            self.infinity() - 1
        } else {
            self.nan() - 1
        }
    }

    /// The replacement of a result beyond the largest number.
    fn overflow(self) -> u64 {
        if self.infinities {
            self.infinity()
        } else {
            self.nan()
        }
    }

    /// The NaN that PTX instructions produce: all bits but the sign.
    pub(crate) fn nan(self) -> u64 {
        self.sign_bit() - 1
    }
}

/// A number taken apart: `significand · 2^exponent`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Nan,
    Infinite {
        negative: bool,
    },
    Finite {
        negative: bool,
        significand: u128,
        exponent: i32,
    },
}

use Number::{Finite, Infinite, Nan};

/// Takes a bit pattern apart.
pub(crate) fn unpack(bits: u64, format: Format) -> Number {
    let negative = bits & format.sign_bit() != 0;
    let field = (bits >> format.mantissa) & ((1 << format.exponent) - 1);
    let fraction = bits & ((1 << format.mantissa) - 1);
    let lowest = 1 - format.bias() - format.mantissa as i32;
    if !format.infinities && bits & format.nan() == format.nan() {
        return Nan;
    }
    if format.infinities && field == (1 << format.exponent) - 1 {
        return if fraction == 0 {
            Infinite { negative }
        } else {
            Nan
        };
    }
    if field == 0 {
        return Finite {
            negative,
            significand: u128::from(fraction),
            exponent: lowest,
        };
    }
    let significand = u128::from(fraction | 1 << format.mantissa);
    Finite {
        negative,
        significand,
        exponent: lowest + field as i32 - 1,
    }
}

/// Rounds once to `format`. The lowest bit of a significand wider than the format may be sticky.
pub(crate) fn pack(number: Number, format: Format, round: Round) -> u64 {
    match number {
        Nan => format.nan(),
        Infinite { negative } => format.overflow() | sign(negative, format),
        Finite {
            negative,
            significand: 0,
            ..
        } => sign(negative, format),
        Finite {
            negative,
            significand,
            exponent,
        } => {
            let magnitude = round_finite(negative, significand, exponent, format, round);
            magnitude | sign(negative, format)
        }
    }
}

/// As [`pack`], but numbers beyond the largest, infinities included, become the largest.
pub(crate) fn pack_saturating(number: Number, format: Format, round: Round) -> u64 {
    let bits = pack(number, format, round);
    let magnitude = bits & (format.sign_bit() - 1);
    if number != Nan && magnitude > format.largest() {
        bits - magnitude + format.largest()
    } else {
        bits
    }
}

fn sign(negative: bool, format: Format) -> u64 {
    if negative { format.sign_bit() } else { 0 }
}

fn round_finite(
    negative: bool,
    significand: u128,
    exponent: i32,
    format: Format,
    round: Round,
) -> u64 {
    let top = 127 - significand.leading_zeros() as i32;
    let magnitude = exponent + top;
    let lowest = 1 - format.bias();
    let quantum = magnitude.max(lowest) - format.mantissa as i32;
    let shift = quantum - exponent;
    let (kept, increment) = if shift <= 0 {
        (significand << -shift, false)
    } else if shift >= 128 {
        (
            0,
            matches!((round, negative), (Round::Down, true) | (Round::Up, false)),
        )
    } else {
        let kept = significand >> shift;
        let rest = significand & ((1 << shift) - 1);
        let half = 1u128 << (shift - 1);
        let increment = match round {
            Round::NearestEven => rest > half || rest == half && kept & 1 == 1,
            Round::NearestAway => rest >= half,
            Round::Zero => false,
            Round::Down => negative && rest != 0,
            Round::Up => !negative && rest != 0,
        };
        (kept, increment)
    };
    let kept = (kept + u128::from(increment)) as u64;
    // A carry out of the significand raises the exponent field by itself, also from subnormal to normal.
    let bits = if magnitude < lowest {
        kept
    } else {
        let field = (magnitude + format.bias()) as u64;
        (field << format.mantissa)
            .wrapping_add(kept)
            .wrapping_sub(1 << format.mantissa)
    };
    let highest = format.bias() + i32::from(!format.infinities);
    if magnitude > highest || bits > format.largest() {
        let toward_zero = matches!(
            (round, negative),
            (Round::Zero, _) | (Round::Down, false) | (Round::Up, true)
        );
        return if toward_zero {
            format.largest()
        } else {
            format.overflow()
        };
    }
    bits
}

/// Shifts right, keeping a one at the bottom when ones were lost.
fn shift_sticky(value: u128, by: u32) -> u128 {
    if by == 0 {
        value
    } else if by >= 128 {
        u128::from(value != 0)
    } else {
        value >> by | u128::from(value & ((1 << by) - 1) != 0)
    }
}

/// Sum, exact up to a sticky bit. `round` decides the sign of an exact zero.
pub(crate) fn add(a: Number, b: Number, round: Round) -> Number {
    let (
        Finite {
            negative: na,
            significand: sa,
            exponent: ea,
        },
        Finite {
            negative: nb,
            significand: sb,
            exponent: eb,
        },
    ) = (a, b)
    else {
        return match (a, b) {
            (Nan, _) | (_, Nan) => Nan,
            (Infinite { negative: x }, Infinite { negative: y }) if x != y => Nan,
            (Infinite { .. }, _) => a,
            _ => b,
        };
    };
    if sa == 0 && sb == 0 {
        let negative = if na == nb { na } else { round == Round::Down };
        return Finite {
            negative,
            significand: 0,
            exponent: 0,
        };
    }
    if sa == 0 {
        return b;
    }
    if sb == 0 {
        return a;
    }
    // The top bit goes to 125: products have at most 106 bits, so an alignment shift of one loses nothing, and
    // after a longer one at most one leading bit can cancel.
    let (la, lb) = (sa.leading_zeros() as i32 - 2, sb.leading_zeros() as i32 - 2);
    let (mut ma, mut mb) = (sa << la, sb << lb);
    let (xa, xb) = (ea - la, eb - lb);
    let exponent = xa.max(xb);
    ma = shift_sticky(ma, (exponent - xa) as u32);
    mb = shift_sticky(mb, (exponent - xb) as u32);
    let total =
        if na { -(ma as i128) } else { ma as i128 } + if nb { -(mb as i128) } else { mb as i128 };
    let negative = if total == 0 {
        round == Round::Down
    } else {
        total < 0
    };
    Finite {
        negative,
        significand: total.unsigned_abs(),
        exponent,
    }
}

/// Exact product.
pub(crate) fn multiply(a: Number, b: Number) -> Number {
    let negative_of = |n: Number| match n {
        Finite { negative, .. } | Infinite { negative } => negative,
        Nan => false,
    };
    let negative = negative_of(a) != negative_of(b);
    match (a, b) {
        (Nan, _) | (_, Nan) => Nan,
        (Infinite { .. }, Finite { significand: 0, .. })
        | (Finite { significand: 0, .. }, Infinite { .. }) => Nan,
        (Infinite { .. }, _) | (_, Infinite { .. }) => Infinite { negative },
        (
            Finite {
                significand: sa,
                exponent: ea,
                ..
            },
            Finite {
                significand: sb,
                exponent: eb,
                ..
            },
        ) => Finite {
            negative,
            significand: sa * sb,
            exponent: ea + eb,
        },
    }
}

/// Quotient, exact up to a sticky bit.
pub(crate) fn divide(a: Number, b: Number) -> Number {
    match (a, b) {
        (Nan, _) | (_, Nan) | (Infinite { .. }, Infinite { .. }) => Nan,
        (Finite { significand: 0, .. }, Finite { significand: 0, .. }) => Nan,
        (Infinite { negative: x }, Finite { negative: y, .. }) => Infinite { negative: x != y },
        (Finite { negative: x, .. }, Infinite { negative: y }) => Finite {
            negative: x != y,
            significand: 0,
            exponent: 0,
        },
        (
            Finite { negative: x, .. },
            Finite {
                negative: y,
                significand: 0,
                ..
            },
        ) => Infinite { negative: x != y },
        (
            Finite {
                negative: x,
                significand: sa,
                exponent: ea,
            },
            Finite {
                negative: y,
                significand: sb,
                exponent: eb,
            },
        ) => {
            let negative = x != y;
            if sa == 0 {
                return Finite {
                    negative,
                    significand: 0,
                    exponent: 0,
                };
            }
            let shift = sa.leading_zeros() as i32 - 1;
            let scaled = sa << shift;
            let significand = (scaled / sb) | u128::from(!scaled.is_multiple_of(sb));
            Finite {
                negative,
                significand,
                exponent: ea - shift - eb,
            }
        }
    }
}

/// Square root, exact up to a sticky bit.
pub(crate) fn square_root(a: Number) -> Number {
    match a {
        Finite { significand: 0, .. } | Infinite { negative: false } => a,
        Nan | Infinite { .. } | Finite { negative: true, .. } => Nan,
        Finite {
            significand,
            exponent,
            ..
        } => {
            let mut shift = significand.leading_zeros() as i32 - 2;
            if (exponent - shift) % 2 != 0 {
                shift += 1;
            }
            let scaled = significand << shift;
            let root = scaled.isqrt();
            // One more bit of space below the root holds the sticky bit.
            let significand = root << 1 | u128::from(root * root != scaled);
            Finite {
                negative: false,
                significand,
                exponent: (exponent - shift) / 2 - 1,
            }
        }
    }
}

/// An integer as an exact number.
pub(crate) fn integer(value: i128) -> Number {
    Finite {
        negative: value < 0,
        significand: value.unsigned_abs(),
        exponent: 0,
    }
}

/// Rounds an `f64` to another format.
pub(crate) fn from_f64(value: f64, format: Format, round: Round) -> u64 {
    pack(unpack(value.to_bits(), F64), format, round)
}

/// The `f64` with the value of a pattern of a narrower format: always exact.
pub(crate) fn to_f64(bits: u64, format: Format) -> f64 {
    f64::from_bits(pack(unpack(bits, format), F64, Round::NearestEven))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn f32s() -> impl Strategy<Value = f32> {
        prop_oneof![
            any::<u32>().prop_map(f32::from_bits),
            (-100i32..100).prop_map(|v| v as f32 / 8.0),
            Just(0.0f32),
            Just(-0.0f32),
            Just(f32::INFINITY),
            Just(f32::MIN_POSITIVE),
            Just(f32::from_bits(1)),
            Just(f32::MAX),
        ]
    }

    fn f64s() -> impl Strategy<Value = f64> {
        prop_oneof![
            any::<u64>().prop_map(f64::from_bits),
            (-100i32..100).prop_map(|v| f64::from(v) / 8.0)
        ]
    }

    fn same32(a: u64, b: f32) -> bool {
        f32::from_bits(a as u32).to_bits() == b.to_bits()
            || b.is_nan() && f32::from_bits(a as u32).is_nan()
    }

    fn same64(a: u64, b: f64) -> bool {
        a == b.to_bits() || b.is_nan() && f64::from_bits(a).is_nan()
    }

    fn n32(v: f32) -> Number {
        unpack(u64::from(v.to_bits()), F32)
    }

    fn n64(v: f64) -> Number {
        unpack(v.to_bits(), F64)
    }

    const RN: Round = Round::NearestEven;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn nearest_f32_agrees_with_the_host(a in f32s(), b in f32s(), c in f32s()) {
            prop_assert!(same32(pack(add(n32(a), n32(b), RN), F32, RN), a + b));
            prop_assert!(same32(pack(multiply(n32(a), n32(b)), F32, RN), a * b));
            prop_assert!(same32(pack(divide(n32(a), n32(b)), F32, RN), a / b));
            prop_assert!(same32(pack(square_root(n32(a)), F32, RN), a.sqrt()));
            prop_assert!(same32(pack(add(multiply(n32(a), n32(b)), n32(c), RN), F32, RN), a.mul_add(b, c)));
        }

        #[test]
        fn nearest_f64_agrees_with_the_host(a in f64s(), b in f64s(), c in f64s()) {
            prop_assert!(same64(pack(add(n64(a), n64(b), RN), F64, RN), a + b));
            prop_assert!(same64(pack(multiply(n64(a), n64(b)), F64, RN), a * b));
            prop_assert!(same64(pack(divide(n64(a), n64(b)), F64, RN), a / b));
            prop_assert!(same64(pack(square_root(n64(a)), F64, RN), a.sqrt()));
            prop_assert!(same64(pack(add(multiply(n64(a), n64(b)), n64(c), RN), F64, RN), a.mul_add(b, c)));
        }

        #[test]
        fn directed_rounding_brackets_the_exact_value(a in any::<u64>().prop_map(f64::from_bits)) {
            prop_assume!(a.is_finite());
            let down = f32::from_bits(from_f64(a, F32, Round::Down) as u32);
            let up = f32::from_bits(from_f64(a, F32, Round::Up) as u32);
            let zero = f32::from_bits(from_f64(a, F32, Round::Zero) as u32);
            prop_assert!(f64::from(down) <= a && a <= f64::from(up));
            prop_assert!(down.to_bits() == up.to_bits() || down.next_up() == up);
            prop_assert_eq!(zero, if a < 0.0 { up } else { down });
            prop_assert!(same32(from_f64(a, F32, RN), a as f32));
        }
    }

    #[test]
    fn every_half_value_survives_the_way_through_f64() {
        for bits in 0..=u16::MAX {
            let value = to_f64(u64::from(bits), F16);
            let expected = half::f16::from_bits(bits).to_f64();
            assert!(value == expected || value.is_nan() && expected.is_nan());
            if !value.is_nan() {
                assert_eq!(from_f64(value, F16, RN), u64::from(bits));
            }
        }
    }

    #[test]
    fn bfloat_ties_see_every_lost_bit() {
        // Halfway between two bf16 values plus one unit in the last place of the f64.
        let tie = 1.0 + 1.0 / 256.0;
        assert_eq!(from_f64(tie, BF16, RN), 0x3f80);
        assert_eq!(from_f64(f64::next_up(tie), BF16, RN), 0x3f81);
    }
}
