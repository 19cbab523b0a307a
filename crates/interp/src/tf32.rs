//! `tf32`: 8 bits of exponent, as `f32` has, and 10 of significand. A rounding of factors rather than a storage format.

use segra_float::{FloatKind, Round};
use std::fmt;

/// Bits of an `f32`'s significand that it has not.
const DROPPED: u32 = 13;

/// A number of 19 bits.
#[derive(Clone, Copy, Default, PartialEq, PartialOrd)]
pub struct Tf32(f32);

impl Tf32 {
    /// The nearest one, ties to even; beyond the largest one it is infinite.
    ///
    /// ```
    /// use segra_interp::Tf32;
    /// assert_eq!(Tf32::from_f32(1.0 + 1.0 / 2048.0).to_f32(), 1.0);
    /// assert_eq!(Tf32::from_f32(1.0 + 3.0 / 2048.0).to_f32(), 1.0 + 2.0 / 1024.0);
    /// ```
    pub fn from_f32(value: f32) -> Tf32 {
        let number = FloatKind::F32.unpack::<u128>(value.to_bits().into());
        let bits = FloatKind::TF32.pack(&number.made_quiet(), Round::NearestEven);
        Tf32::from_bits(bits as u32)
    }
    /// The one towards zero: bits that it has not are dropped, as tensor cores do.
    pub fn truncated(value: f32) -> Tf32 {
        Tf32::from_bits(value.to_bits() >> DROPPED)
    }
    /// From its low 19 bits.
    pub fn from_bits(bits: u32) -> Tf32 {
        Tf32(f32::from_bits(bits << DROPPED))
    }
    /// Its bits, in the low 19.
    pub fn to_bits(self) -> u32 {
        self.0.to_bits() >> DROPPED
    }
    /// The number it is, exactly.
    pub fn to_f32(self) -> f32 {
        self.0
    }
    /// Whether it is neither infinite nor NaN.
    pub fn is_finite(self) -> bool {
        self.0.is_finite()
    }
    /// Whether it is infinite.
    pub fn is_infinite(self) -> bool {
        self.0.is_infinite()
    }
    /// Whether it is NaN.
    pub fn is_nan(self) -> bool {
        self.0.is_nan()
    }
    /// Whether it is neither zero, subnormal, infinite nor NaN.
    pub fn is_normal(self) -> bool {
        self.0.is_normal()
    }
}

impl fmt::Debug for Tf32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
