//! Decimal digits, as many of them and cut off where MLIR does.
//!
//! All arithmetic is exact: in 128 bits where they suffice, which is near 1, else on big integers. Deliberately absent:
//! signs, points and exponents of a text, and reading.

use crate::format::{FloatKind, Special};
use crate::significand::Significand;
use num_bigint::BigUint;
use std::cmp::Ordering;

/// An integer, which no ten divides, times a power of ten.
///
/// ```
/// use segra_float::{Decimal, FloatKind, Number};
///
/// let Number::Finite { significand, exponent, .. } = FloatKind::F64.unpack(0.1f64.to_bits().into()) else {
///     panic!("0.1 is finite");
/// };
/// let short = Decimal::of(significand, exponent, 6);
/// assert_eq!((short.digits(), short.exponent()), (1, -1));
/// assert!(short.reads_back(FloatKind::F64, significand, exponent));
/// assert_eq!(Decimal::of(significand, exponent, 20).digits(), 10_000_000_000_000_000_555);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    digits: u128,
    exponent: i32,
}

impl Decimal {
    /// At most `count` significant digits (36 suffice for every format) of `significand` times two to the power of
    /// `exponent`, rounded half up. As MLIR does, digits far beyond the last one are cut off before rounding, which now and
    /// then rounds down what lies just below a half. Zero has no digits.
    pub fn of(significand: u128, exponent: i32, count: u32) -> Decimal {
        if significand == 0 {
            return Decimal {
                digits: 0,
                exponent: 0,
            };
        }
        let zeros = significand.trailing_zeros();
        let odd = (significand >> zeros, exponent + zeros as i32);
        let needed = (count * 196).div_ceil(59);
        let (digits, exponent) = scaled::<u128>(odd, needed)
            .or_else(|| scaled::<BigUint>(odd, needed))
            .unwrap_or_default();
        let mut decimal = Decimal { digits, exponent };
        decimal.strip();
        decimal.round(count);
        decimal
    }
    /// The digits, as an integer.
    pub fn digits(&self) -> u128 {
        self.digits
    }
    /// Of ten.
    pub fn exponent(&self) -> i32 {
        self.exponent
    }

    fn strip(&mut self) {
        while self.digits != 0 && self.digits.is_multiple_of(10) {
            self.digits /= 10;
            self.exponent += 1;
        }
    }
    fn round(&mut self, count: u32) {
        let length = self.digits.checked_ilog10().map_or(0, |log| log + 1);
        if length > count {
            let unit = 10u128.pow(length - count);
            let up = self.digits % unit >= unit / 2;
            self.digits = self.digits / unit + u128::from(up);
            self.exponent += (length - count) as i32;
            self.strip();
        }
    }

    /// Whether the number of a format nearest to this one, ties to even, is `significand` times two to the power of
    /// `exponent`, as [`FloatKind::unpack`] gives it.
    pub fn reads_back(&self, kind: FloatKind, significand: u128, exponent: i32) -> bool {
        self.is_nearest::<u128>(kind, significand, exponent)
            .or_else(|| self.is_nearest::<BigUint>(kind, significand, exponent))
            .unwrap_or(false)
    }
    fn is_nearest<S: Significand>(
        &self,
        kind: FloatKind,
        significand: u128,
        exponent: i32,
    ) -> Option<bool> {
        // In quarters of the distance to the next number: half-way points are whole.
        let below = if kind.half_gap_below(significand, exponent) {
            1
        } else {
            2
        };
        let (mut low, mut high) = (
            S::from(significand * 4 - below),
            S::from(significand * 4 + 2),
        );
        let mut own = S::from(self.digits);
        let tens = self.exponent.unsigned_abs();
        // All are brought to integers: multiplied by the powers that are negative.
        if self.exponent >= 0 {
            own = own.times_five_to(tens)?.raised(tens)?;
        } else {
            low = low.times_five_to(tens)?.raised(tens)?;
            high = high.times_five_to(tens)?.raised(tens)?;
        }
        let twos = (exponent - 2).unsigned_abs();
        if exponent >= 2 {
            low = low.raised(twos)?;
            high = high.raised(twos)?;
        } else {
            own = own.raised(twos)?;
        }
        let even = significand & 1 == 0;
        let fits = |order: Ordering, wanted| order == wanted || even && order == Ordering::Equal;
        Some(fits(own.cmp(&low), Ordering::Greater) && fits(own.cmp(&high), Ordering::Less))
    }
}

impl FloatKind {
    /// Whether the next smaller number is only half as far away as the next larger one.
    fn half_gap_below(self, significand: u128, exponent: i32) -> bool {
        let layout = self.layout();
        layout.special == Special::PowersOfTwo
            || significand == 1 << layout.mantissa
                && exponent > layout.least - layout.mantissa as i32
    }
}

/// How many digits are cut off of an integer of so many bits, by MLIR's estimate of the logarithm.
fn removable(bits: u32, needed: u32) -> u32 {
    bits.saturating_sub(needed) * 59 / 196
}

/// An odd integer times a power of two as an integer times a power of ten: exactly, but digits that do not matter for
/// `needed` bits are cut off, as many as MLIR cuts, which leaves less than 128 bits. `None`: `S` has no space for it.
fn scaled<S: Significand>((odd, exponent): (u128, i32), needed: u32) -> Option<(u128, i32)> {
    let integer = S::from(odd);
    let power = exponent.unsigned_abs();
    let five_to = |power| S::from(1).times_five_to(power);
    let ten_to = |power| five_to(power)?.raised(power);
    if exponent >= 0 {
        let cut = removable(integer.bits() + power, needed);
        // N * 2^s / 10^r = N * 2^(s - r) / 5^r
        let quotient = match power.checked_sub(cut) {
            Some(rest) => integer.raised(rest)? / five_to(cut)?,
            None => integer.raised(power)? / ten_to(cut)?,
        };
        return Some((quotient.low(), cut as i32));
    }
    // N * 2^-e = (N * 5^e) * 10^-e
    let estimate = bits_with_power_of_five(odd, power).map(|bits| removable(bits, needed));
    if let Some(cut) = estimate
        && let Some(rest) = power.checked_sub(cut)
    {
        // N * 5^e / 10^r = N * 5^(e - r) / 2^r: no division of long numbers.
        let (quotient, _) = integer.times_five_to(rest)?.cut(cut);
        return Some((quotient.low(), exponent + cut as i32));
    }
    let integer = integer.times_five_to(power)?;
    let cut = removable(integer.bits(), needed);
    Some(((integer / ten_to(cut)?).low(), exponent + cut as i32))
}

/// Bits of `significand * 5^power`, where an estimate is beyond doubt.
fn bits_with_power_of_five(significand: u128, power: u32) -> Option<u32> {
    const DOUBT: f64 = 1e-6;
    const LOG_OF_5: f64 = 2.321_928_094_887_362;
    let log = (significand as f64).log2() + f64::from(power) * LOG_OF_5;
    let (below, above) = ((log - DOUBT).floor(), (log + DOUBT).floor());
    (below == above).then_some(below as u32 + 1)
}
