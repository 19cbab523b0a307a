//! Floating-point formats: conversion between `f64` and the bits of every format of [`FloatKind`].
//!
//! Rounding is to nearest, ties to even, as IEEE 754 asks; what happens beyond the largest finite number and which
//! bits are NaN follows each format's definition (OCP 8-bit and microscaling formats, the FNUZ variants, x87).
//! Deliberately absent: arithmetic.

use crate::types::FloatKind;

/// The meaning of a format's largest exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Special {
    /// Infinities and NaNs, as IEEE 754.
    Ieee,
    /// No infinities; all ones is NaN.
    OnesNan,
    /// No infinities, no negative zero: its bits are NaN.
    NegativeZeroNan,
    /// Numbers only.
    Finite,
    /// Powers of two without sign or zero; all ones is NaN.
    PowersOfTwo,
    /// IEEE 754 with the leading one of the significand stored (x87).
    ExplicitOne,
}

struct Layout {
    exponent: u32,
    mantissa: u32,
    bias: i32,
    special: Special,
}

impl FloatKind {
    fn layout(self) -> Layout {
        use Special::*;
        let (exponent, mantissa, bias, special) = match self {
            FloatKind::BF16 => (8, 7, 127, Ieee),
            FloatKind::F16 => (5, 10, 15, Ieee),
            FloatKind::TF32 => (8, 10, 127, Ieee),
            FloatKind::F32 => (8, 23, 127, Ieee),
            FloatKind::F64 => (11, 52, 1023, Ieee),
            FloatKind::F80 => (15, 63, 16383, ExplicitOne),
            FloatKind::F128 => (15, 112, 16383, Ieee),
            FloatKind::F8E5M2 => (5, 2, 15, Ieee),
            FloatKind::F8E4M3 => (4, 3, 7, Ieee),
            FloatKind::F8E4M3FN => (4, 3, 7, OnesNan),
            FloatKind::F8E5M2FNUZ => (5, 2, 16, NegativeZeroNan),
            FloatKind::F8E4M3FNUZ => (4, 3, 8, NegativeZeroNan),
            FloatKind::F8E4M3B11FNUZ => (4, 3, 11, NegativeZeroNan),
            FloatKind::F8E3M4 => (3, 4, 3, Ieee),
            FloatKind::F8E8M0FNU => (8, 0, 127, PowersOfTwo),
            FloatKind::F4E2M1FN => (2, 1, 1, Finite),
            FloatKind::F6E2M3FN => (2, 3, 1, Finite),
            FloatKind::F6E3M2FN => (3, 2, 3, Finite),
        };
        Layout {
            exponent,
            mantissa,
            bias,
            special,
        }
    }

    /// Bytes an element of this format takes in dense data.
    pub fn storage_bytes(self) -> usize {
        (self.width() as usize).div_ceil(8)
    }

    /// The bits of the number of this format nearest to `value`.
    pub fn encode(self, value: f64) -> u128 {
        let layout = self.layout();
        match layout.special {
            Special::PowersOfTwo => encode_power(value),
            Special::ExplicitOne => encode_explicit(value, &layout),
            _ => encode(value, &layout),
        }
    }

    /// The number these bits stand for: exact for every format but `f80` and `f128`, which are rounded.
    pub fn decode(self, bits: u128) -> f64 {
        let layout = self.layout();
        match layout.special {
            Special::PowersOfTwo if bits == 0xFF => f64::NAN,
            Special::PowersOfTwo => power_of_two(bits as i32 - layout.bias),
            _ => decode(bits, &layout),
        }
    }
}

/// The magnitude of some bits, exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Magnitude {
    /// NaN or infinite.
    Special,
    /// Zero.
    Zero,
    /// `significand` times two to the power of `exponent`.
    Finite {
        /// Below two to the power of the precision.
        significand: u128,
        /// Of the last bit.
        exponent: i32,
        /// Whether the next smaller number is only half as far away as the next larger one.
        half_gap_below: bool,
    },
}

impl FloatKind {
    /// Bits of precision, the leading one included.
    pub fn precision(self) -> u32 {
        self.layout().mantissa + 1
    }
    /// The largest number lies between two to the power of this and its double.
    pub fn largest_exponent(self) -> i32 {
        let layout = self.layout();
        let reserved = i32::from(matches!(
            layout.special,
            Special::Ieee | Special::ExplicitOne
        ));
        (1i32 << layout.exponent) - 1 - reserved - layout.bias
    }
    /// Whether `other` has every number of this format.
    pub fn fits_in(self, other: FloatKind) -> bool {
        let (own, other_layout) = (self.layout(), other.layout());
        if own.special == Special::PowersOfTwo || other_layout.special == Special::PowersOfTwo {
            return self == other;
        }
        own.mantissa <= other_layout.mantissa
            && self.largest_exponent() <= other.largest_exponent()
            && own.bias <= other_layout.bias
    }
    /// Whether these bits are negative, and what their magnitude is.
    pub fn exact(self, bits: u128) -> (bool, Magnitude) {
        let layout = self.layout();
        let stored = layout.mantissa + u32::from(layout.special == Special::ExplicitOne);
        let fraction = bits & ((1 << stored) - 1);
        let ones = (1u32 << layout.exponent) - 1;
        let power = (bits >> stored) as u32 & ones;
        if layout.special == Special::PowersOfTwo {
            let exponent = power as i32 - layout.bias;
            let finite = Magnitude::Finite {
                significand: 1,
                exponent,
                half_gap_below: true,
            };
            return (
                false,
                if power == ones {
                    Magnitude::Special
                } else {
                    finite
                },
            );
        }
        let negative = bits >> layout.sign_bit() & 1 == 1;
        let special = match layout.special {
            Special::Ieee | Special::ExplicitOne => power == ones,
            Special::OnesNan => power == ones && fraction == (1 << stored) - 1,
            Special::NegativeZeroNan => negative && power == 0 && fraction == 0,
            Special::Finite | Special::PowersOfTwo => false,
        };
        if special {
            return (negative, Magnitude::Special);
        }
        if power == 0 && fraction == 0 {
            return (negative, Magnitude::Zero);
        }
        let hidden = power != 0 && layout.special != Special::ExplicitOne;
        let significand = fraction | u128::from(hidden) << stored;
        let exponent = power.max(1) as i32 - layout.bias - layout.mantissa as i32;
        let half_gap_below = power > 1 && significand.is_power_of_two();
        (
            negative,
            Magnitude::Finite {
                significand,
                exponent,
                half_gap_below,
            },
        )
    }
}

impl Layout {
    fn sign_bit(&self) -> u32 {
        let explicit = u32::from(self.special == Special::ExplicitOne);
        self.exponent + self.mantissa + explicit
    }
    /// Bits of the largest finite number.
    fn max_finite(&self) -> u128 {
        let ones = (1u128 << (self.exponent + self.mantissa)) - 1;
        match self.special {
            Special::OnesNan => ones - 1,
            Special::NegativeZeroNan | Special::Finite => ones,
            _ => (((1u128 << self.exponent) - 1) << self.mantissa) - 1,
        }
    }
    fn nan(&self, sign: u128) -> u128 {
        match self.special {
            Special::OnesNan => sign | ((1u128 << (self.exponent + self.mantissa)) - 1),
            Special::NegativeZeroNan => 1u128 << self.sign_bit(),
            // There is none: zero is as wrong as anything.
            Special::Finite => 0,
            _ => {
                sign | (((1u128 << self.exponent) - 1) << self.mantissa)
                    | 1u128 << (self.mantissa - 1)
            }
        }
    }
    fn overflow(&self, sign: u128) -> u128 {
        match self.special {
            Special::OnesNan | Special::NegativeZeroNan => self.nan(sign),
            Special::Finite => sign | self.max_finite(),
            _ => sign | ((1u128 << self.exponent) - 1) << self.mantissa,
        }
    }
}

/// A finite positive number as significand (53 bits, the highest set) and exponent of its highest bit.
fn split(magnitude: f64) -> (u64, i32) {
    let bits = magnitude.to_bits();
    let (raw, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    if raw == 0 {
        let shift = fraction.leading_zeros() - 11;
        return (fraction << shift, -1022 - shift as i32);
    }
    (fraction | 1 << 52, raw - 1023)
}

/// `significand` / 2^`shift`, to nearest, ties to even.
fn round_shift(significand: u64, shift: u32) -> u128 {
    if shift == 0 {
        return significand.into();
    }
    if shift > 54 {
        return 0;
    }
    let kept = significand >> shift;
    let rest = significand & ((1 << shift) - 1);
    let half = 1u64 << (shift - 1);
    let up = rest > half || (rest == half && kept & 1 == 1);
    u128::from(kept) + u128::from(up)
}

fn encode(value: f64, layout: &Layout) -> u128 {
    let sign = u128::from(value.is_sign_negative()) << layout.sign_bit();
    if value.is_nan() {
        return layout.nan(sign);
    }
    if value.is_infinite() {
        return layout.overflow(sign);
    }
    let unsigned_zero = layout.special == Special::NegativeZeroNan;
    let zero = if unsigned_zero { 0 } else { sign };
    if value == 0.0 {
        return zero;
    }
    let (significand, exponent) = split(value.abs());
    let least = 1 - layout.bias;
    // The exponent of the last stored bit.
    let quantum = exponent.max(least) - layout.mantissa as i32;
    let scale = exponent - 52 - quantum;
    let count = if scale >= 0 {
        u128::from(significand) << scale
    } else {
        round_shift(significand, scale.unsigned_abs())
    };
    // A carry out of the mantissa moves into the exponent by itself.
    let bits = if exponent >= least {
        (((exponent - least + 1) as u128) << layout.mantissa) + count - (1u128 << layout.mantissa)
    } else {
        count
    };
    if bits > layout.max_finite() {
        return layout.overflow(sign);
    }
    if bits == 0 { zero } else { sign | bits }
}

fn encode_explicit(value: f64, layout: &Layout) -> u128 {
    let sign = u128::from(value.is_sign_negative()) << layout.sign_bit();
    const SPECIAL: u128 = 0x7FFF << 64 | 1 << 63;
    if value.is_nan() {
        return sign | SPECIAL | 1 << 62;
    }
    if value.is_infinite() {
        return sign | SPECIAL;
    }
    if value == 0.0 {
        return sign;
    }
    // Every f64, subnormal ones too, is a normal number here.
    let (significand, exponent) = split(value.abs());
    sign | ((exponent + layout.bias) as u128) << 64 | u128::from(significand) << 11
}

fn encode_power(value: f64) -> u128 {
    if value.is_nan() || value.is_infinite() || value.is_sign_negative() {
        return 0xFF;
    }
    if value == 0.0 {
        return 0;
    }
    let (significand, exponent) = split(value);
    let half = 3u64 << 51;
    let up = significand > half || (significand == half && exponent & 1 == 1);
    let exponent = exponent + i32::from(up) + 127;
    if exponent > 0xFE {
        0xFF
    } else {
        exponent.max(0) as u128
    }
}

fn decode(bits: u128, layout: &Layout) -> f64 {
    let negative = bits >> layout.sign_bit() & 1 == 1;
    let explicit = layout.special == Special::ExplicitOne;
    let stored = if explicit { 64 } else { layout.mantissa };
    let fraction = bits & ((1u128 << stored) - 1);
    let raw = (bits >> stored) as u32 & ((1 << layout.exponent) - 1);
    let sign = if negative { -1.0 } else { 1.0 };
    let ieee = matches!(layout.special, Special::Ieee | Special::ExplicitOne);
    if ieee && raw == (1 << layout.exponent) - 1 {
        let tail = if explicit {
            fraction & !(1u128 << 63)
        } else {
            fraction
        };
        return if tail == 0 {
            sign * f64::INFINITY
        } else {
            f64::NAN.copysign(sign)
        };
    }
    let ones = (1u128 << (layout.exponent + layout.mantissa)) - 1;
    if layout.special == Special::OnesNan && bits & ones == ones {
        return f64::NAN.copysign(sign);
    }
    if layout.special == Special::NegativeZeroNan && negative && raw == 0 && fraction == 0 {
        return f64::NAN;
    }
    let least = 1 - layout.bias;
    let (exponent, significand) = match raw {
        0 => (least, fraction),
        _ if explicit => (raw as i32 - layout.bias, fraction),
        _ => (raw as i32 - layout.bias, fraction | 1u128 << stored),
    };
    sign * scaled(significand, exponent - layout.mantissa as i32)
}

/// `significand` * 2^`exponent`, to nearest.
fn scaled(significand: u128, exponent: i32) -> f64 {
    if significand == 0 {
        return 0.0;
    }
    // Keep 64 bits, the lowest standing for all that were dropped, so that the one rounding that follows is right.
    let drop = 64u32.saturating_sub(significand.leading_zeros());
    let kept = (significand >> drop) as u64 | u64::from(significand & ((1u128 << drop) - 1) != 0);
    let exponent = exponent + drop as i32;
    let top = exponent + 63 - kept.leading_zeros() as i32;
    let quantum = top.max(-1022) - 52;
    if exponent >= quantum {
        return kept as f64 * power_of_two(exponent);
    }
    let count = {
        let shift = (quantum - exponent).unsigned_abs();
        if shift > 64 {
            0.0
        } else {
            round_wide(kept, shift) as f64
        }
    };
    count * power_of_two(quantum)
}

fn round_wide(kept: u64, shift: u32) -> u64 {
    let kept = u128::from(kept);
    let (whole, rest, half) = (
        kept >> shift,
        kept & ((1 << shift) - 1),
        1u128 << (shift - 1),
    );
    (whole + u128::from(rest > half || (rest == half && whole & 1 == 1))) as u64
}

/// 2^`exponent`; 0 or infinity outside of `f64`.
fn power_of_two(exponent: i32) -> f64 {
    match exponent {
        1024.. => f64::INFINITY,
        -1022..=1023 => f64::from_bits(((exponent + 1023) as u64) << 52),
        -1074..=-1023 => f64::from_bits(1u64 << (exponent + 1074)),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoding_finds_the_nearest_number_ties_to_even() {
        let mut seed = 1u64;
        for step in 0..100_000u64 {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            // Anywhere, around the ranges of the small formats, and there with many ties.
            let near = seed >> 12 | (1023 - 30 + seed % 60) << 52;
            let bits = [seed, near, near & !((1 << 44) - 1)][(step % 3) as usize];
            let value = f64::from_bits(bits);
            if value.is_nan() {
                continue;
            }
            assert_eq!(
                FloatKind::F32.encode(value),
                u128::from((value as f32).to_bits()),
                "{value:e}"
            );
            assert_eq!(FloatKind::F64.encode(value), u128::from(value.to_bits()));
            assert_eq!(FloatKind::F80.decode(FloatKind::F80.encode(value)), value);
            assert_eq!(FloatKind::F128.decode(FloatKind::F128.encode(value)), value);
            for kind in [
                FloatKind::F16,
                FloatKind::BF16,
                FloatKind::TF32,
                FloatKind::F8E5M2,
                FloatKind::F8E4M3FN,
            ] {
                let code = kind.encode(value);
                let error = |code: u128| (kind.decode(code) - value).abs();
                if !kind.decode(code).is_finite() {
                    continue;
                }
                for other in [code.wrapping_sub(1), code + 1] {
                    let finite = kind.decode(other).is_finite() && other >> kind.width() == 0;
                    let nearer = error(other) < error(code);
                    let even_tie = error(other) == error(code) && code & 1 == 1;
                    assert!(
                        !finite || !(nearer || even_tie),
                        "{kind:?} {value:e}: {code:#x} or {other:#x}"
                    );
                }
            }
        }
    }

    #[test]
    fn every_number_of_a_small_format_survives() {
        for (kind, _, width) in FloatKind::ALL {
            if width > 19 {
                continue;
            }
            for bits in 0..1u128 << width {
                let value = kind.decode(bits);
                if !value.is_nan() {
                    assert_eq!(kind.encode(value), bits, "{kind:?} {bits:#x} = {value:e}");
                }
            }
        }
    }

    #[test]
    fn formats_without_infinity_overflow_as_defined() {
        assert_eq!(FloatKind::F8E4M3FN.encode(1e9), 0x7F);
        assert_eq!(FloatKind::F8E5M2FNUZ.encode(-1e9), 0x80);
        assert_eq!(
            FloatKind::F4E2M1FN.decode(FloatKind::F4E2M1FN.encode(100.0)),
            6.0
        );
        assert_eq!(FloatKind::F8E8M0FNU.decode(127), 1.0);
        assert_eq!(FloatKind::F80.encode(1.0), 0x3FFF_8000_0000_0000_0000);
    }
}
