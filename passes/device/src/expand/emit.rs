//! The language of formulas: the arithmetic every device has.
//!
//! Methods take `&self`, so that calls nest: `e.fma(x, e.f(2.0), y)`. Implementations are [`crate::expand::ir::IrEmitter`]
//! (ops) and [`crate::expand::eval::Evaluator`] (numbers). Integer arithmetic wraps; shift amounts are below the width.

/// Comparisons of floats: ordered ones are false when an operand is NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatCompare {
    /// Equal, ordered.
    Oeq,
    /// Greater, ordered.
    Ogt,
    /// At least, ordered.
    Oge,
    /// Less, ordered.
    Olt,
    /// An operand is NaN.
    Uno,
}

/// Comparisons of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntCompare {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less, signed.
    Slt,
}

/// Operations on two operands of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// Float sum.
    AddF,
    /// Float difference.
    SubF,
    /// Float product.
    MulF,
    /// Float quotient, correctly rounded.
    DivF,
    /// Magnitude of the first, sign of the second.
    CopySign,
    /// Integer sum.
    AddI,
    /// Integer difference.
    SubI,
    /// Integer product.
    MulI,
    /// Unsigned quotient.
    DivU,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Left shift.
    Shl,
    /// Arithmetic right shift.
    ShrS,
    /// Logical right shift.
    ShrU,
}

/// Operations on one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// Sign flipped.
    Neg,
    /// Sign cleared.
    Abs,
    /// Correctly rounded square root.
    Sqrt,
    /// To nearest integral value, halves to even.
    RoundEven,
    /// Towards zero.
    Trunc,
}

/// Conversions, by what they produce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cast {
    /// The bits of an f32 as i32, or of an f64 as i64.
    ToBits,
    /// The f32 or f64 of these bits.
    FromBits,
    /// f32 to f64, exact.
    Widen,
    /// f64 to f32, rounded.
    Narrow,
    /// i32 or i64 to f32 by value, signed, rounded.
    IntToF32,
    /// i32 or i64 to f64 by value, signed, rounded.
    IntToF64,
    /// i32 to i64 with its sign.
    SignExtend,
    /// i32 to i64 with zeros.
    ZeroExtend,
    /// i64 to i32, low bits.
    Truncate,
}

/// The arithmetic.
pub trait Emit {
    /// A value.
    type V: Copy;

    /// An f32 constant.
    fn f(&self, value: f32) -> Self::V;
    /// An f64 constant.
    fn d(&self, value: f64) -> Self::V;
    /// An i32 constant.
    fn i(&self, value: i32) -> Self::V;
    /// An i64 constant.
    fn l(&self, value: i64) -> Self::V;
    /// An operation on one operand.
    fn unary(&self, op: Unary, a: Self::V) -> Self::V;
    /// An operation on two operands.
    fn binary(&self, op: Binary, a: Self::V, b: Self::V) -> Self::V;
    /// `a * b + c`, rounded once.
    fn fma(&self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// A comparison of floats.
    fn cmpf(&self, compare: FloatCompare, a: Self::V, b: Self::V) -> Self::V;
    /// A comparison of integers.
    fn cmpi(&self, compare: IntCompare, a: Self::V, b: Self::V) -> Self::V;
    /// `condition ? a : b`
    fn select(&self, condition: Self::V, a: Self::V, b: Self::V) -> Self::V;
    /// A conversion.
    fn cast(&self, cast: Cast, a: Self::V) -> Self::V;
    /// Runs one of two formulas with one result each of the same type: for parts too expensive to run for nothing.
    fn branch(
        &self,
        condition: Self::V,
        then: impl FnOnce(&Self) -> Self::V,
        otherwise: impl FnOnce(&Self) -> Self::V,
    ) -> Self::V;

    /// Float sum.
    fn add(&self, a: Self::V, b: Self::V) -> Self::V {
        self.binary(Binary::AddF, a, b)
    }
    /// Float difference.
    fn sub(&self, a: Self::V, b: Self::V) -> Self::V {
        self.binary(Binary::SubF, a, b)
    }
    /// Float product.
    fn mul(&self, a: Self::V, b: Self::V) -> Self::V {
        self.binary(Binary::MulF, a, b)
    }
    /// Float quotient.
    fn div(&self, a: Self::V, b: Self::V) -> Self::V {
        self.binary(Binary::DivF, a, b)
    }
    /// Sign cleared.
    fn abs(&self, a: Self::V) -> Self::V {
        self.unary(Unary::Abs, a)
    }
    /// Sign flipped.
    fn neg(&self, a: Self::V) -> Self::V {
        self.unary(Unary::Neg, a)
    }
    /// `c[0] + x * (c[1] + x * (...))` in f32 by Horner's rule.
    fn poly(&self, x: Self::V, coefficients: &[f32]) -> Self::V {
        let mut sum = None;
        for &c in coefficients.iter().rev() {
            let c = self.f(c);
            sum = Some(sum.map_or(c, |sum| self.fma(sum, x, c)));
        }
        sum.unwrap_or_else(|| self.f(0.0))
    }
    /// The same in f64.
    fn poly_d(&self, x: Self::V, coefficients: &[f64]) -> Self::V {
        let mut sum = None;
        for &c in coefficients.iter().rev() {
            let c = self.d(c);
            sum = Some(sum.map_or(c, |sum| self.fma(sum, x, c)));
        }
        sum.unwrap_or_else(|| self.d(0.0))
    }
}
