//! Integers that significands are made of: of 128 bits, or of as many as it takes.

use num_bigint::BigUint;
use std::cmp::Ordering;
use std::ops::{Add, BitOr, Div, Mul, Rem, Shl, Shr, Sub};

/// The part of a number that rounding drops, compared with half of a unit of the last bit that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// Nothing: the result is exact.
    Nothing,
    /// Less than half of a unit.
    BelowHalf,
    /// A tie.
    Half,
    /// More than half of a unit.
    AboveHalf,
}

/// A natural number as significand: `u128`, or [`BigUint`]. Both hold the significands of every format. Products in `u128`
/// are for formats of at most 64 bits; in others they may overflow.
pub trait Significand:
    Clone
    + Ord
    + From<u128>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + BitOr<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// Bits that operations work with, four more than two significands have together.
    const BITS: u32;
    /// The position of the highest one, from 1; 0 of zero.
    fn bits(&self) -> u32;
    /// How many zeros are below the lowest one.
    fn zeros(&self) -> u32;
    /// Whether this bit is a one.
    fn bit(&self, at: u32) -> bool;
    /// Times two to the power of `by`; `None`: there is no space.
    fn raised(self, by: u32) -> Option<Self>;
    /// Times five to the power of `power`; `None`: there is no space.
    fn times_five_to(self, power: u32) -> Option<Self>;
    /// The square root, rounded down.
    fn root(&self) -> Self;
    /// The low 128 bits.
    fn low(&self) -> u128;
    /// Divided by two to the power of `by`, and the rest.
    #[inline]
    fn cut(self, by: u32) -> (Self, Lost) {
        if by == 0 || self.bits() == 0 {
            return (self, Lost::Nothing);
        }
        let zeros = self.zeros();
        let lost = match self.bit(by - 1) {
            _ if zeros >= by => Lost::Nothing,
            false => Lost::BelowHalf,
            true if zeros == by - 1 => Lost::Half,
            true => Lost::AboveHalf,
        };
        let kept = if by < self.bits() {
            self >> by
        } else {
            Self::from(0)
        };
        (kept, lost)
    }
}

impl Significand for u128 {
    const BITS: u32 = u128::BITS;
    #[inline]
    fn bits(&self) -> u32 {
        u128::BITS - self.leading_zeros()
    }
    #[inline]
    fn zeros(&self) -> u32 {
        self.trailing_zeros()
    }
    #[inline]
    fn bit(&self, at: u32) -> bool {
        at < u128::BITS && self >> at & 1 == 1
    }
    #[inline]
    fn raised(self, by: u32) -> Option<u128> {
        (by < u128::BITS && by <= self.leading_zeros()).then(|| self << by)
    }
    fn times_five_to(self, power: u32) -> Option<u128> {
        self.checked_mul(5u128.checked_pow(power)?)
    }
    #[inline]
    fn root(&self) -> u128 {
        self.isqrt()
    }
    #[inline]
    fn low(&self) -> u128 {
        *self
    }
    #[inline]
    fn cut(self, by: u32) -> (u128, Lost) {
        let (kept, rest) = match by {
            0 => return (self, Lost::Nothing),
            1..128 => (self >> by, self << (u128::BITS - by)),
            128 => (0, self),
            _ => (0, self.min(1)),
        };
        let lost = match rest.cmp(&(1 << 127)) {
            _ if rest == 0 => Lost::Nothing,
            Ordering::Less => Lost::BelowHalf,
            Ordering::Equal => Lost::Half,
            Ordering::Greater => Lost::AboveHalf,
        };
        (kept, lost)
    }
}

impl Significand for BigUint {
    const BITS: u32 = 512;
    fn bits(&self) -> u32 {
        u32::try_from(BigUint::bits(self)).unwrap_or(u32::MAX)
    }
    fn zeros(&self) -> u32 {
        let zeros = self.trailing_zeros().unwrap_or(0);
        u32::try_from(zeros).unwrap_or(u32::MAX)
    }
    fn bit(&self, at: u32) -> bool {
        BigUint::bit(self, at.into())
    }
    fn raised(self, by: u32) -> Option<BigUint> {
        Some(self << by)
    }
    fn times_five_to(mut self, power: u32) -> Option<BigUint> {
        // The largest power of five that is a digit: multiplied in place.
        for _ in 0..power / 27 {
            self *= 5u64.pow(27);
        }
        Some(self * 5u64.pow(power % 27))
    }
    fn root(&self) -> BigUint {
        self.sqrt()
    }
    fn low(&self) -> u128 {
        let mut digits = self.iter_u64_digits();
        let [low, high] = [(); 2].map(|()| u128::from(digits.next().unwrap_or(0)));
        high << 64 | low
    }
}
