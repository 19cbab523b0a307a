//! Numbers taken apart, and arithmetic on them.

use crate::significand::{Lost, Significand};
use std::cmp::Ordering;

/// Rounding directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// To the nearest number, ties to the even one.
    NearestEven,
    /// To the nearest number, ties away from zero.
    NearestAway,
    /// Towards zero.
    Zero,
    /// Towards minus infinity.
    Down,
    /// Towards infinity.
    Up,
}

impl Round {
    /// Every direction.
    pub const ALL: [Round; 5] = [
        Round::NearestEven,
        Round::NearestAway,
        Round::Zero,
        Round::Down,
        Round::Up,
    ];
    /// Whether the magnitude that is kept of a number grows by one unit.
    #[inline]
    pub(crate) fn increments(self, negative: bool, odd: bool, lost: Lost) -> bool {
        match self {
            Round::NearestEven => lost == Lost::AboveHalf || lost == Lost::Half && odd,
            Round::NearestAway => matches!(lost, Lost::Half | Lost::AboveHalf),
            Round::Zero => false,
            Round::Down => negative && lost != Lost::Nothing,
            Round::Up => !negative && lost != Lost::Nothing,
        }
    }
    /// Whether a result beyond the largest number becomes the largest number.
    #[inline]
    pub(crate) fn stops_at_largest(self, negative: bool) -> bool {
        match self {
            Round::NearestEven | Round::NearestAway => false,
            Round::Zero => true,
            Round::Down => !negative,
            Round::Up => negative,
        }
    }
}

/// A number of any format. Equality is of what is written here: use [`Number::compare`] for that of numbers.
///
/// Operations take numbers that were unpacked, or a product as a summand; others may have more bits than
/// [`Significand::BITS`] leaves space for.
///
/// ```
/// use segra_float::{FloatKind, Number, Round};
///
/// // A fused multiply-add: the sum is rounded, the product is not.
/// let [a, b, c]: [Number; 3] = [3.0f64, 1.0 / 3.0, -1.0].map(|v| FloatKind::F64.unpack(v.to_bits().into()));
/// let sum = a.multiply(b).add(c, Round::NearestEven);
/// let bits = FloatKind::F64.pack(&sum, Round::NearestEven) as u64;
/// assert_eq!(f64::from_bits(bits), 3f64.mul_add(1.0 / 3.0, -1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number<S = u128> {
    /// Not a number.
    Nan {
        /// Its sign bit.
        negative: bool,
        /// Its bits behind the exponent, the first of them highest: the one that says that operations stay silent.
        payload: u128,
    },
    /// Infinite.
    Infinite {
        /// Its sign.
        negative: bool,
    },
    /// `significand` times two to the power of `exponent`.
    Finite {
        /// Its sign, also that of zero.
        negative: bool,
        /// 0 is zero.
        significand: S,
        /// Of the last bit.
        exponent: i32,
    },
}
use Number::{Finite, Infinite, Nan};

/// The bit of a payload that makes a NaN quiet.
pub(crate) const QUIET: u128 = 1 << 127;

fn invalid<S>() -> Number<S> {
    Nan {
        negative: false,
        payload: QUIET,
    }
}

impl<S: Significand> Number<S> {
    /// An integer.
    #[inline]
    pub fn integer(negative: bool, magnitude: S) -> Number<S> {
        Finite {
            negative,
            significand: magnitude,
            exponent: 0,
        }
    }
    #[inline]
    fn zero(negative: bool) -> Number<S> {
        Number::integer(negative, S::from(0))
    }
    /// Its sign: that of zero, infinity and NaN too.
    #[inline]
    pub fn is_negative(&self) -> bool {
        match *self {
            Nan { negative, .. } | Infinite { negative } | Finite { negative, .. } => negative,
        }
    }
    /// Whether it is NaN.
    #[inline]
    pub fn is_nan(&self) -> bool {
        matches!(self, Nan { .. })
    }
    /// Whether it is zero, of either sign.
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self, Finite { significand, .. } if significand.bits() == 0)
    }
    /// Whether it is a NaN that no operation would leave as it is.
    pub fn is_signalling(&self) -> bool {
        matches!(self, Nan { payload, .. } if payload & QUIET == 0)
    }
    /// The same number with this sign.
    #[must_use]
    pub fn with_sign(mut self, sign: bool) -> Number<S> {
        match &mut self {
            Nan { negative, .. } | Infinite { negative } | Finite { negative, .. } => {
                *negative = sign;
            }
        }
        self
    }
    /// The opposite, also of zero and NaN.
    #[must_use]
    pub fn negated(self) -> Number<S> {
        let sign = !self.is_negative();
        self.with_sign(sign)
    }
    /// The same number, quiet where it is NaN.
    #[must_use]
    pub fn made_quiet(mut self) -> Number<S> {
        if let Nan { payload, .. } = &mut self {
            *payload |= QUIET;
        }
        self
    }

    /// The result of an operation: of two finite numbers, given as sign, significand and exponent, what `finite` says; else the
    /// first NaN, made quiet, or what `other` says.
    #[inline]
    fn binary(
        self,
        second: Number<S>,
        finite: impl FnOnce((bool, S, i32), (bool, S, i32)) -> Number<S>,
        other: impl FnOnce(&Number<S>, &Number<S>) -> Number<S>,
    ) -> Number<S> {
        match (self, second) {
            (
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
            ) => finite((na, sa, ea), (nb, sb, eb)),
            (a, _) if a.is_nan() => a.made_quiet(),
            (_, b) if b.is_nan() => b.made_quiet(),
            (a, b) => other(&a, &b),
        }
    }

    /// The sum, exact up to a sticky bit; `round` decides the sign of an exact zero.
    #[must_use]
    pub fn add(self, other: Number<S>, round: Round) -> Number<S> {
        self.binary(
            other,
            |a, b| sum(a, b, round),
            |a, b| match (a, b) {
                (&Infinite { negative: x }, &Infinite { negative: y }) if x != y => invalid(),
                (&Infinite { negative }, _) | (_, &Infinite { negative }) => Infinite { negative },
                _ => invalid(),
            },
        )
    }

    /// The difference, as [`Number::add`] of the opposite; a NaN keeps its sign.
    #[inline]
    #[must_use]
    pub fn subtract(self, other: Number<S>, round: Round) -> Number<S> {
        match other.is_nan() {
            true => self.add(other, round),
            false => self.add(other.negated(), round),
        }
    }

    /// The product, exact.
    #[must_use]
    pub fn multiply(self, other: Number<S>) -> Number<S> {
        let negative = self.is_negative() != other.is_negative();
        self.binary(
            other,
            |(_, sa, ea), (_, sb, eb)| Finite {
                negative,
                significand: sa * sb,
                exponent: ea + eb,
            },
            |a, b| match a.is_zero() || b.is_zero() {
                true => invalid(),
                false => Infinite { negative },
            },
        )
    }

    /// The quotient, exact up to a sticky bit.
    #[must_use]
    pub fn divide(self, other: Number<S>) -> Number<S> {
        let negative = self.is_negative() != other.is_negative();
        self.binary(
            other,
            |(_, sa, ea), (_, sb, eb)| match (sa.bits(), sb.bits()) {
                (0, 0) => invalid(),
                (_, 0) => Infinite { negative },
                (0, _) => Number::zero(negative),
                _ => quotient(negative, (sa, ea), (sb, eb)),
            },
            |a, b| match (a, b) {
                (Infinite { .. }, Infinite { .. }) => invalid(),
                (Infinite { .. }, _) => Infinite { negative },
                _ => Number::zero(negative),
            },
        )
    }

    /// The rest of this number when the quotient is rounded towards zero, exact; it has the sign of this number.
    #[must_use]
    pub fn remainder(self, other: Number<S>) -> Number<S> {
        self.binary(
            other,
            |(negative, sa, ea), (_, sb, eb)| match sb.bits() {
                0 => invalid(),
                _ => rest(negative, (sa, ea), (sb, eb)),
            },
            |a, _| match a {
                Finite { .. } => a.clone(),
                _ => invalid(),
            },
        )
    }

    /// The square root, exact up to a sticky bit.
    #[must_use]
    pub fn square_root(self) -> Number<S> {
        match self {
            Nan { .. } => self.made_quiet(),
            _ if self.is_zero() || matches!(self, Infinite { negative: false }) => self,
            Finite {
                negative: false,
                significand,
                exponent,
            } => {
                let mut shift = space_above(&significand) - 2;
                if (exponent - shift) % 2 != 0 {
                    shift += 1;
                }
                let scaled = moved(significand, shift);
                let root = scaled.root();
                // One more bit of space below the root holds the sticky bit.
                let exact = root.clone() * root.clone() == scaled;
                Finite {
                    negative: false,
                    significand: root << 1 | S::from(u128::from(!exact)),
                    exponent: (exponent - shift) / 2 - 1,
                }
            }
            _ => invalid(),
        }
    }

    /// The order of two numbers; zeros are equal. `None`: one is NaN.
    pub fn compare(&self, other: &Number<S>) -> Option<Ordering> {
        let sign = |number: &Number<S>| match number {
            _ if number.is_zero() => 0,
            _ if number.is_negative() => -1,
            _ => 1,
        };
        if self.is_nan() || other.is_nan() {
            return None;
        }
        let (own, others) = (sign(self), sign(other));
        let order = own.cmp(&others);
        if order != Ordering::Equal || own == 0 {
            return Some(order);
        }
        let magnitudes = match (self, other) {
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
            ) => {
                let tops = (ea + sa.bits() as i32).cmp(&(eb + sb.bits() as i32));
                tops.then_with(|| {
                    let raised = |s: &S, by: i32| moved(s.clone(), by.max(0));
                    raised(sa, ea - eb).cmp(&raised(sb, eb - ea))
                })
            }
            _ => matches!(self, Infinite { .. }).cmp(&matches!(other, Infinite { .. })),
        };
        Some(if own < 0 {
            magnitudes.reverse()
        } else {
            magnitudes
        })
    }

    /// The magnitude of the integer that is nearest in this direction; `None`: it is not finite, or `S` has not so many
    /// bits.
    pub fn to_integer(self, round: Round) -> Option<S> {
        let Finite {
            negative,
            significand,
            exponent,
        } = self
        else {
            return None;
        };
        match u32::try_from(exponent) {
            Ok(_) if significand.bits() == 0 => Some(significand),
            Ok(up) => significand.raised(up),
            Err(_) => {
                let (kept, lost) = significand.cut(exponent.unsigned_abs());
                let up = round.increments(negative, kept.bit(0), lost);
                Some(kept + S::from(up.into()))
            }
        }
    }
}

impl From<i128> for Number {
    fn from(value: i128) -> Number {
        Number::integer(value < 0, value.unsigned_abs())
    }
}

/// Free bits above a significand.
#[inline]
fn space_above<S: Significand>(significand: &S) -> i32 {
    S::BITS as i32 - significand.bits() as i32
}

/// Times two to the power of `by`, for which callers see to it that there is space.
#[inline]
fn moved<S: Significand>(significand: S, by: i32) -> S {
    match u32::try_from(by) {
        Ok(up) => significand << up,
        Err(_) => significand.cut(by.unsigned_abs()).0,
    }
}

/// Divided by two to the power of `by`, the last bit one where ones were lost.
#[inline]
fn cut_sticky<S: Significand>(significand: S, by: u32) -> S {
    match significand.cut(by) {
        (kept, Lost::Nothing) => kept,
        (kept, _) => kept | S::from(1),
    }
}

#[inline]
fn sum<S: Significand>(
    (na, sa, ea): (bool, S, i32),
    (nb, sb, eb): (bool, S, i32),
    round: Round,
) -> Number<S> {
    let finite = |negative, significand, exponent| Finite {
        negative,
        significand,
        exponent,
    };
    match (sa.bits(), sb.bits()) {
        (0, 0) => {
            return Number::zero(if na == nb { na } else { round == Round::Down });
        }
        (0, _) => return finite(nb, sb, eb),
        (_, 0) => return finite(na, sa, ea),
        _ => {}
    }
    let (up_a, up_b) = ((ea - eb).max(0), (eb - ea).max(0));
    let (ma, mb, exponent) = if up_a + 2 <= space_above(&sa) && up_b + 2 <= space_above(&sb) {
        (moved(sa, up_a), moved(sb, up_b), ea.min(eb))
    } else {
        // Two bits stay free above. Products have many fewer bits than there are, so an alignment shift of one loses
        // nothing, and after a longer one at most one leading bit can cancel.
        let (la, lb) = (space_above(&sa) - 2, space_above(&sb) - 2);
        let (xa, xb) = (ea - la, eb - lb);
        let exponent = xa.max(xb);
        let ma = cut_sticky(moved(sa, la), (exponent - xa).unsigned_abs());
        let mb = cut_sticky(moved(sb, lb), (exponent - xb).unsigned_abs());
        (ma, mb, exponent)
    };
    if na == nb {
        return finite(na, ma + mb, exponent);
    }
    match ma.cmp(&mb) {
        Ordering::Equal => Number::zero(round == Round::Down),
        Ordering::Greater => finite(na, ma - mb, exponent),
        Ordering::Less => finite(nb, mb - ma, exponent),
    }
}

fn quotient<S: Significand>(negative: bool, (sa, ea): (S, i32), (sb, eb): (S, i32)) -> Number<S> {
    let shift = space_above(&sa) - 1;
    let scaled = moved(sa, shift);
    let whole = scaled.clone() / sb.clone();
    let significand = match whole.clone() * sb == scaled {
        true => whole,
        false => whole | S::from(1),
    };
    Finite {
        negative,
        significand,
        exponent: ea - shift - eb,
    }
}

fn rest<S: Significand>(negative: bool, (sa, ea): (S, i32), (sb, eb): (S, i32)) -> Number<S> {
    let finite = |significand, exponent| Finite {
        negative,
        significand,
        exponent,
    };
    if ea < eb {
        // A divisor that has no space in units of the dividend's last bit is larger.
        let larger = sb.bits() as i32 + (eb - ea) > S::BITS as i32;
        let left = if larger { sa } else { sa % moved(sb, eb - ea) };
        return finite(left, ea);
    }
    let most = space_above(&sb);
    let (mut left, mut more) = (sa % sb.clone(), ea - eb);
    while more > 0 && left.bits() != 0 {
        let by = more.min(most);
        left = moved(left, by) % sb.clone();
        more -= by;
    }
    finite(left, eb)
}
