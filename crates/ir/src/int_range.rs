//! The possible values of an integer: between bounds, read as unsigned and as signed number, and a multiple of something.
//!
//! Widths up to 64 bits; `index` counts as 64. Vectors and tensors: what holds of every element.

use crate::context::Context;
use crate::store::{Ir, Op};
use crate::types::{Type, TypeKind};

/// A set of integers of one width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntRange {
    /// Width in bits, 1 to 64.
    pub width: u32,
    /// Smallest value, read as an unsigned number.
    pub umin: u64,
    /// Largest value, read as an unsigned number.
    pub umax: u64,
    /// Smallest value, read as a signed number.
    pub smin: i64,
    /// Largest value, read as a signed number.
    pub smax: i64,
    /// All values, read as signed numbers, are multiples of this; 0: all are 0.
    pub divisor: u64,
}

/// The op knows what its results may be.
pub trait InferIntRanges: Sync {
    /// The possible values of the only result, if the operands are these. `None` among the operands: no integer, or one wider than
    /// 64 bits. `None`: nothing is known.
    fn infer_int_range(&self, ir: &Ir, op: Op, operands: &[Option<IntRange>]) -> Option<IntRange>;
}

/// The remainder of a division, by its first operand and its second.
pub trait Remainder: Sync {
    /// Whether it is the first operand itself, if the operands are among these.
    fn is_value(&self, value: IntRange, divisor: IntRange) -> bool;
}

/// Greatest common divisor; 0 is a multiple of everything.
pub fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn largest_unsigned(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}
fn largest_signed(width: u32) -> i64 {
    (largest_unsigned(width) >> 1) as i64
}

impl IntRange {
    /// Width of integers of a type, or of its elements; `None`: no integers, or wider than 64 bits.
    pub fn width_of(ctx: &Context, ty: Type) -> Option<u32> {
        match *ctx.type_kind(ty.element_or_self(ctx)) {
            TypeKind::Integer { width, .. } if (1..=64).contains(&width) => Some(width),
            TypeKind::Index => Some(64),
            _ => None,
        }
    }
    /// Every integer of that width.
    pub fn full(width: u32) -> IntRange {
        let smax = largest_signed(width);
        IntRange {
            width,
            umin: 0,
            umax: largest_unsigned(width),
            smin: -smax - 1,
            smax,
            divisor: 1,
        }
    }
    /// One integer; its low `width` bits count.
    pub fn constant(width: u32, value: i64) -> IntRange {
        let unused = 64 - width;
        let signed = value << unused >> unused;
        let unsigned = (value as u64) << unused >> unused;
        IntRange {
            width,
            umin: unsigned,
            umax: unsigned,
            smin: signed,
            smax: signed,
            divisor: signed.unsigned_abs(),
        }
    }
    /// The integers between these, read as unsigned numbers; all of them where the bounds do not fit the width.
    pub fn unsigned(width: u32, low: i128, high: i128) -> IntRange {
        let full = IntRange::full(width);
        if low < 0 || high > full.umax.into() || low > high {
            return full;
        }
        IntRange {
            umin: low as u64,
            umax: high as u64,
            ..full
        }
        .tightened()
    }
    /// The integers between these, read as signed numbers; all of them where the bounds do not fit the width.
    pub fn signed(width: u32, low: i128, high: i128) -> IntRange {
        let full = IntRange::full(width);
        if low < full.smin.into() || high > full.smax.into() || low > high {
            return full;
        }
        IntRange {
            smin: low as i64,
            smax: high as i64,
            ..full
        }
        .tightened()
    }
    /// The integers that are multiples of `divisor` besides; only a power of two stays one where values wrap.
    pub fn with_divisor(mut self, divisor: u64) -> IntRange {
        self.divisor = if self.umin == self.umax {
            self.smin.unsigned_abs()
        } else {
            divisor.max(1)
        };
        self
    }
    /// Those that are in both.
    pub fn intersected(self, other: IntRange) -> IntRange {
        let divisor = match (self.divisor, other.divisor) {
            (0, _) | (_, 0) => 0,
            (a, b) => (a / gcd(a, b)).checked_mul(b).unwrap_or(a.max(b)),
        };
        let both = IntRange {
            width: self.width,
            umin: self.umin.max(other.umin),
            umax: self.umax.min(other.umax),
            smin: self.smin.max(other.smin),
            smax: self.smax.min(other.smax),
            divisor,
        };
        // Nothing is in both only where no control comes; then anything holds.
        if both.umin > both.umax || both.smin > both.smax {
            self
        } else {
            both.tightened()
        }
    }
    /// Those that are in either.
    pub fn joined(self, other: IntRange) -> IntRange {
        IntRange {
            width: self.width,
            umin: self.umin.min(other.umin),
            umax: self.umax.max(other.umax),
            smin: self.smin.min(other.smin),
            smax: self.smax.max(other.smax),
            divisor: gcd(self.divisor, other.divisor),
        }
    }
    /// Bounds of one reading that follow from those of the other.
    fn tightened(mut self) -> IntRange {
        let largest = largest_signed(self.width);
        let mask = largest_unsigned(self.width);
        // Where all values have one sign, both readings order them alike.
        if self.umax <= largest as u64 || self.umin > largest as u64 {
            let unused = 64 - self.width;
            let sign = |value: u64| ((value << unused) as i64) >> unused;
            self.smin = self.smin.max(sign(self.umin));
            self.smax = self.smax.min(sign(self.umax));
        }
        if self.smin >= 0 || self.smax < 0 {
            self.umin = self.umin.max(self.smin as u64 & mask);
            self.umax = self.umax.min(self.smax as u64 & mask);
        }
        if self.umin == self.umax {
            return IntRange::constant(self.width, self.umin as i64);
        }
        self
    }
    /// The only integer there is, read as a signed number.
    pub fn single(self) -> Option<i64> {
        (self.umin == self.umax).then_some(self.smin)
    }
    /// Whether the bounds say something.
    pub fn is_bounded(self) -> bool {
        IntRange { divisor: 1, ..self } != IntRange::full(self.width)
    }
    /// Whether an integer, read as a signed number, may be one of them.
    pub fn contains(self, value: i64) -> bool {
        let other = IntRange::constant(self.width, value);
        let multiple = if self.divisor == 0 {
            other.smin == 0
        } else {
            other.smin.unsigned_abs().is_multiple_of(self.divisor)
        };
        (self.umin..=self.umax).contains(&other.umin)
            && (self.smin..=self.smax).contains(&other.smin)
            && multiple
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every set of up to three integers of four bits is in the range joined of them, and little else is.
    #[test]
    fn joins_hold_what_was_joined() {
        for a in -8..8i64 {
            for b in -8..8i64 {
                let joined = IntRange::constant(4, a).joined(IntRange::constant(4, b));
                assert!(
                    joined.contains(a) && joined.contains(b),
                    "{a} {b} {joined:?}"
                );
                let both = IntRange::full(4).intersected(joined);
                assert!(both.contains(a) && both.contains(b), "{a} {b} {both:?}");
            }
        }
    }

    #[test]
    fn one_reading_tells_about_the_other() {
        let small = IntRange::unsigned(8, 3, 100);
        assert_eq!((small.smin, small.smax), (3, 100));
        let negative = IntRange::signed(8, -4, -1);
        assert_eq!((negative.umin, negative.umax), (252, 255));
        let around_zero = IntRange::signed(8, -1, 1);
        assert_eq!((around_zero.umin, around_zero.umax), (0, 255));
        assert_eq!(IntRange::unsigned(8, 7, 7).single(), Some(7));
    }
}
