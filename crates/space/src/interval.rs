//! Integer intervals: what is known about the value of an index expression.
//!
//! An [`Interval`] is a closed range of mathematical integers whose ends may be infinite. Booleans are the
//! integers 0 (false) and 1 (true). Every operation here returns an interval that contains all results of the
//! operation on members of its operands *for which the operation is defined*; a division by zero contributes
//! nothing, because a program that performs one has no result to approximate.
//!
//! Invariant: finite ends lie within `-2^63 ..= 2^63`; what exceeds them is infinite.
//! Absent: symbolic bounds (`b < k` with both unknown); those are assumptions, see [`crate::Facts`].

/// Stands for infinity. Far enough out that dividing it by any `i64` is still recognised as infinite.
const INFINITY: i128 = 1 << 126;
/// The largest finite magnitude.
const FINITE: i128 = 1 << 63;

/// A closed range of integers with possibly infinite ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    lower: i128,
    upper: i128,
}

impl Interval {
    /// Every integer.
    pub const ALL: Self = Self {
        lower: -INFINITY,
        upper: INFINITY,
    };
    /// Zero and above: sizes.
    pub const NON_NEGATIVE: Self = Self {
        lower: 0,
        upper: INFINITY,
    };
    /// One and above: steps, widths, extents that some thread lives in.
    pub const POSITIVE: Self = Self {
        lower: 1,
        upper: INFINITY,
    };
    /// A truth value.
    pub const BOOL: Self = Self { lower: 0, upper: 1 };

    /// The integers from `lower` to `upper`, both included. Ends given in the wrong order yield [`Self::ALL`]:
    /// an impossible fact must not license any rewrite.
    #[must_use]
    pub fn new(lower: i64, upper: i64) -> Self {
        if lower > upper {
            return Self::ALL;
        }
        Self {
            lower: lower.into(),
            upper: upper.into(),
        }
    }

    /// The integers from `lower` on.
    #[must_use]
    pub fn at_least(lower: i64) -> Self {
        Self {
            lower: lower.into(),
            upper: INFINITY,
        }
    }

    /// The integers up to and including `upper`.
    #[must_use]
    pub fn at_most(upper: i64) -> Self {
        Self {
            lower: -INFINITY,
            upper: upper.into(),
        }
    }

    /// Exactly `value`.
    #[must_use]
    pub fn point(value: i64) -> Self {
        Self::new(value, value)
    }

    /// The only member, if there is one and it fits an `i64`.
    #[must_use]
    pub fn single(self) -> Option<i64> {
        if self.lower == self.upper {
            i64::try_from(self.lower).ok()
        } else {
            None
        }
    }

    /// The smallest member; `None` if unbounded below or out of `i64`.
    #[must_use]
    pub fn lower(self) -> Option<i64> {
        i64::try_from(self.lower).ok()
    }

    /// The largest member; `None` if unbounded above or out of `i64`.
    #[must_use]
    pub fn upper(self) -> Option<i64> {
        i64::try_from(self.upper).ok()
    }

    /// Whether `value` is a member.
    #[must_use]
    pub fn contains(self, value: i64) -> bool {
        let value = i128::from(value);
        self.lower <= value && value <= self.upper
    }

    /// All members are zero or above.
    #[must_use]
    pub fn is_non_negative(self) -> bool {
        self.lower >= 0
    }

    /// All members are above zero.
    #[must_use]
    pub fn is_positive(self) -> bool {
        self.lower > 0
    }

    /// No member is zero.
    #[must_use]
    pub fn excludes_zero(self) -> bool {
        self.lower > 0 || self.upper < 0
    }

    /// Every member of `self` is below every member of `other`.
    #[must_use]
    pub fn is_below(self, other: Self) -> bool {
        self.upper < other.lower
    }

    /// No member of `self` is above any member of `other`.
    #[must_use]
    pub fn is_at_most(self, other: Self) -> bool {
        self.upper <= other.lower
    }

    /// The conjunction of both facts. Contradicting operands yield `self`: an impossible fact must not license any rewrite.
    #[must_use]
    pub fn intersect(self, other: Self) -> Self {
        let (lower, upper) = (self.lower.max(other.lower), self.upper.min(other.upper));
        if lower > upper {
            self
        } else {
            Self { lower, upper }
        }
    }

    /// The smallest interval around both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self {
            lower: self.lower.min(other.lower),
            upper: self.upper.max(other.upper),
        }
    }

    /// Brings ends back to the invariant; weakens, never strengthens.
    fn clamped(lower: i128, upper: i128) -> Self {
        let lower = if lower <= -FINITE {
            -INFINITY
        } else {
            lower.min(FINITE)
        };
        let upper = if upper >= FINITE {
            INFINITY
        } else {
            upper.max(-FINITE)
        };
        Self { lower, upper }
    }

    pub(crate) fn add(self, other: Self) -> Self {
        Self::clamped(
            self.lower.saturating_add(other.lower),
            self.upper.saturating_add(other.upper),
        )
    }

    pub(crate) fn sub(self, other: Self) -> Self {
        Self::clamped(
            self.lower.saturating_sub(other.upper),
            self.upper.saturating_sub(other.lower),
        )
    }

    pub(crate) fn mul(self, other: Self) -> Self {
        self.corners(other, i128::saturating_mul)
    }

    pub(crate) fn floor_div(self, other: Self) -> Self {
        self.divide(other, div_floor)
    }

    pub(crate) fn ceil_div(self, other: Self) -> Self {
        self.divide(other, |a, b| -div_floor(-a, b))
    }

    /// Remainder with the sign of the divisor.
    pub(crate) fn modulo(self, other: Self) -> Self {
        if self.lower >= 0 && self.is_below(other) {
            return self;
        }
        let positive = (other.upper > 0).then(|| {
            let below_divisor = other.upper - 1;
            Self::clamped(
                0,
                if self.lower >= 0 {
                    below_divisor.min(self.upper)
                } else {
                    below_divisor
                },
            )
        });
        let negative = (other.lower < 0).then(|| Self::clamped(other.lower + 1, 0));
        match (negative, positive) {
            (Some(n), Some(p)) => n.hull(p),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => Self::ALL,
        }
    }

    pub(crate) fn min(self, other: Self) -> Self {
        Self {
            lower: self.lower.min(other.lower),
            upper: self.upper.min(other.upper),
        }
    }

    pub(crate) fn max(self, other: Self) -> Self {
        Self {
            lower: self.lower.max(other.lower),
            upper: self.upper.max(other.upper),
        }
    }

    pub(crate) fn less(self, other: Self) -> Self {
        Self::decided(self.is_below(other), other.is_at_most(self))
    }

    pub(crate) fn less_equal(self, other: Self) -> Self {
        Self::decided(self.is_at_most(other), other.is_below(self))
    }

    pub(crate) fn equal(self, other: Self) -> Self {
        let same = self.single().is_some() && self.single() == other.single();
        Self::decided(same, self.is_below(other) || other.is_below(self))
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self::decided(
            self.lower > 0 && other.lower > 0,
            self.upper <= 0 || other.upper <= 0,
        )
    }

    /// Logical negation of a truth value.
    pub(crate) fn not(self) -> Self {
        Self::decided(self.upper <= 0, self.lower > 0)
    }

    pub(crate) fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }

    fn decided(is_true: bool, is_false: bool) -> Self {
        match (is_true, is_false) {
            (true, _) => Self::point(1),
            (_, true) => Self::point(0),
            _ => Self::BOOL,
        }
    }

    fn divide(self, other: Self, op: fn(i128, i128) -> i128) -> Self {
        let positive = (other.upper > 0).then(|| {
            self.corners(
                Self {
                    lower: other.lower.max(1),
                    upper: other.upper,
                },
                op,
            )
        });
        let negative = (other.lower < 0).then(|| {
            self.corners(
                Self {
                    lower: other.lower,
                    upper: other.upper.min(-1),
                },
                op,
            )
        });
        match (negative, positive) {
            (Some(n), Some(p)) => n.hull(p),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => Self::ALL,
        }
    }

    /// Bounds of an operation that is monotone in each operand on each side of zero.
    fn corners(self, other: Self, op: fn(i128, i128) -> i128) -> Self {
        let values = [
            op(self.lower, other.lower),
            op(self.lower, other.upper),
            op(self.upper, other.lower),
            op(self.upper, other.upper),
        ];
        let lower = values.iter().copied().min().unwrap_or(-INFINITY);
        let upper = values.iter().copied().max().unwrap_or(INFINITY);
        Self::clamped(lower, upper)
    }
}

/// Quotient rounded towards minus infinity.
fn div_floor(a: i128, b: i128) -> i128 {
    let quotient = a / b;
    if a % b != 0 && (a < 0) != (b < 0) {
        quotient - 1
    } else {
        quotient
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn interval_with_member() -> impl Strategy<Value = (Interval, i64)> {
        (-20i64..20, 0i64..12, any::<(bool, bool)>(), 0i64..12).prop_map(
            |(lower, length, open, at)| {
                let member = lower + at % (length + 1);
                let mut interval = Interval::new(lower, lower + length);
                if open.0 {
                    interval = interval.hull(Interval::at_most(lower));
                }
                if open.1 {
                    interval = interval.hull(Interval::at_least(lower));
                }
                (interval, member)
            },
        )
    }

    proptest! {
        #[test]
        fn results_lie_in_the_interval((x, a) in interval_with_member(), (y, b) in interval_with_member()) {
            prop_assert!(x.add(y).contains(a + b));
            prop_assert!(x.sub(y).contains(a - b));
            prop_assert!(x.mul(y).contains(a * b));
            prop_assert!(x.min(y).contains(a.min(b)));
            prop_assert!(x.max(y).contains(a.max(b)));
            prop_assert!(x.less(y).contains(i64::from(a < b)));
            prop_assert!(x.less_equal(y).contains(i64::from(a <= b)));
            prop_assert!(x.equal(y).contains(i64::from(a == b)));
            if b != 0 {
                let quotient = div_floor(a.into(), b.into()) as i64;
                prop_assert!(x.floor_div(y).contains(quotient));
                prop_assert!(x.modulo(y).contains(a - quotient * b), "{x:?} mod {y:?}");
                prop_assert!(x.ceil_div(y).contains(-(div_floor((-a).into(), b.into()) as i64)));
            }
        }
    }

    #[test]
    fn infinite_ends_stay_infinite() {
        let size = Interval::NON_NEGATIVE;
        assert_eq!(size.floor_div(Interval::point(i64::MAX)).upper(), None);
        assert_eq!(size.mul(Interval::point(3)).lower(), Some(0));
        assert_eq!(
            Interval::point(i64::MAX).add(Interval::point(1)).single(),
            None
        );
    }

    #[test]
    fn contradictions_teach_nothing() {
        assert_eq!(Interval::new(3, 2), Interval::ALL);
        assert_eq!(
            Interval::at_least(5).intersect(Interval::at_most(4)),
            Interval::at_least(5)
        );
    }
}
