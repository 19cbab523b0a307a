//! Operands and outcomes of integer rules, in `i128` for integers of up to 64 bits and in a number of any size for wider
//! ones: no result that a rule computes overflows, so one rule serves both.

use num_integer::Integer;
use segra_interp::IntWidth;
use segra_ir::BigInt;
use segra_ir::integer::{signed_element, wrapped};
use segra_ir::types::Signedness;

/// The result of an integer rule.
pub(crate) enum IntOutcome<T> {
    /// This.
    Is(T),
    /// This when evaluated; upstream leaves it undefined, so it is not folded.
    Unspecified(T),
    /// This when evaluated: a shift by the width or more. Upstream folds vectors of shifts unless the last one is such.
    TooFar(T),
    /// An error.
    DivisionByZero,
}

/// The operands of an operation.
pub(crate) struct Ints<T> {
    /// How many bits they have.
    pub(crate) width: u32,
    /// The left one as a signed integer.
    pub(crate) x: T,
    /// The right one as a signed integer.
    pub(crate) y: T,
    /// The left one as an unsigned integer.
    pub(crate) a: T,
    /// The right one as an unsigned integer.
    pub(crate) b: T,
    /// The right one as the amount of a shift, if that is less than the width.
    amount: Option<u32>,
}

impl Ints<i128> {
    #[inline(always)]
    pub(crate) fn narrow(width: IntWidth, a: i64, b: i64) -> Ints<i128> {
        let bits = width.bits();
        let amount = u32::try_from(width.unsigned(b)).ok();
        Ints {
            width: bits,
            x: width.signed(a).into(),
            y: width.signed(b).into(),
            a: width.unsigned(a).into(),
            b: width.unsigned(b).into(),
            amount: amount.filter(|&amount| amount < bits),
        }
    }
}

impl Ints<BigInt> {
    /// Of the elements of two constants.
    pub(crate) fn wide(width: u32, row: &[&[u8]]) -> Ints<BigInt> {
        let [x, y] = [row[0], row[1]].map(|element| signed_element(element, width));
        let [a, b] = [&x, &y].map(|value| wrapped(value, width, Signedness::Unsigned));
        let amount = u32::try_from(&b).ok().filter(|&amount| amount < width);
        Ints {
            width,
            x,
            y,
            a,
            b,
            amount,
        }
    }
}

impl<T: Integer> Ints<T> {
    /// The least signed integer is the one whose bits, read as unsigned, are its opposite.
    fn is_least(x: &T, a: &T) -> bool
    where
        T: Clone,
    {
        !x.is_zero() && (x.clone() + a.clone()).is_zero()
    }
    /// A signed quotient; the least integer by -1 does not fit.
    #[inline(always)]
    pub(crate) fn divided(self, rule: impl Fn(T, T) -> T) -> IntOutcome<T>
    where
        T: Clone,
    {
        let overflows = (self.y.clone() + T::one()).is_zero() && Self::is_least(&self.x, &self.a);
        match self.y.is_zero() {
            true => IntOutcome::DivisionByZero,
            false if overflows => IntOutcome::Unspecified(rule(self.x, self.y)),
            false => IntOutcome::Is(rule(self.x, self.y)),
        }
    }
    /// The signed quotient rounded up. As upstream, which folds by way of opposites, nothing is folded where there is none.
    #[inline(always)]
    pub(crate) fn divided_up(self) -> IntOutcome<T>
    where
        T: Clone,
    {
        let has_least = Self::is_least(&self.x, &self.a) || Self::is_least(&self.y, &self.b);
        let is_zero = self.x.is_zero();
        match self.divided(|x, y| Integer::div_ceil(&x, &y)) {
            IntOutcome::Is(value) if has_least && !is_zero => IntOutcome::Unspecified(value),
            outcome => outcome,
        }
    }
    /// The signed remainder: that of the least integer by -1 is specified, unlike the quotient.
    #[inline(always)]
    pub(crate) fn remainder(self) -> IntOutcome<T> {
        match self.y.is_zero() {
            true => IntOutcome::DivisionByZero,
            false => IntOutcome::Is(self.x % self.y),
        }
    }
    /// An unsigned quotient or remainder.
    #[inline(always)]
    pub(crate) fn divided_unsigned(self, rule: impl Fn(T, T) -> T) -> IntOutcome<T> {
        match self.b.is_zero() {
            true => IntOutcome::DivisionByZero,
            false => IntOutcome::Is(rule(self.a, self.b)),
        }
    }
    /// A shift, and what remains where it goes too far.
    #[inline(always)]
    pub(crate) fn shifted(
        self,
        rule: impl Fn(Self, u32) -> T,
        beyond: impl Fn(Self) -> T,
    ) -> IntOutcome<T> {
        match self.amount {
            Some(amount) => IntOutcome::Is(rule(self, amount)),
            None => IntOutcome::TooFar(beyond(self)),
        }
    }
}
