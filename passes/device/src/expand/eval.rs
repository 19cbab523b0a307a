//! Formulas computed on the host: what a device would compute, bit for bit.

use crate::expand::emit::{Binary, Cast, Emit, FloatCompare, IntCompare, Unary};

/// A number of one of the types formulas use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// f32
    F32(f32),
    /// f64
    F64(f64),
    /// i1
    Bool(bool),
    /// i32
    I32(i32),
    /// i64
    I64(i64),
}

/// Computes formulas. A formula that mixes types (a mistake in it) yields NaN or 0, which the accuracy tests notice.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evaluator;

impl Number {
    /// The f32, NaN if it is none.
    pub fn f32(self) -> f32 {
        if let Number::F32(value) = self {
            value
        } else {
            f32::NAN
        }
    }
    /// The f64, NaN if it is none.
    pub fn f64(self) -> f64 {
        if let Number::F64(value) = self {
            value
        } else {
            f64::NAN
        }
    }
    fn is_true(self) -> bool {
        self == Number::Bool(true)
    }
}

const MIXED: Number = Number::F32(f32::NAN);

macro_rules! float_rule {
    ($op:expr, $a:expr, $b:expr, $make:path) => {
        match $op {
            Binary::AddF => $make($a + $b),
            Binary::SubF => $make($a - $b),
            Binary::MulF => $make($a * $b),
            Binary::DivF => $make($a / $b),
            Binary::CopySign => $make($a.copysign($b)),
            _ => MIXED,
        }
    };
}

macro_rules! int_rule {
    ($op:expr, $a:expr, $b:expr, $unsigned:ty, $signed:ty, $make:path) => {
        match $op {
            Binary::AddI => $make($a.wrapping_add($b)),
            Binary::SubI => $make($a.wrapping_sub($b)),
            Binary::MulI => $make($a.wrapping_mul($b)),
            Binary::DivU => {
                $make(($a as $unsigned).checked_div($b as $unsigned).unwrap_or(0) as $signed)
            }
            Binary::And => $make($a & $b),
            Binary::Or => $make($a | $b),
            Binary::Xor => $make($a ^ $b),
            Binary::Shl => $make($a.wrapping_shl($b as u32)),
            Binary::ShrS => $make($a.wrapping_shr($b as u32)),
            Binary::ShrU => $make(($a as $unsigned).wrapping_shr($b as u32) as $signed),
            _ => MIXED,
        }
    };
}

macro_rules! float_unary {
    ($op:expr, $a:expr) => {
        match $op {
            Unary::Neg => -$a,
            Unary::Abs => $a.abs(),
            Unary::Sqrt => $a.sqrt(),
            Unary::RoundEven => $a.round_ties_even(),
            Unary::Trunc => $a.trunc(),
        }
    };
}

impl Emit for Evaluator {
    type V = Number;

    fn f(&self, value: f32) -> Number {
        Number::F32(value)
    }
    fn d(&self, value: f64) -> Number {
        Number::F64(value)
    }
    fn i(&self, value: i32) -> Number {
        Number::I32(value)
    }
    fn l(&self, value: i64) -> Number {
        Number::I64(value)
    }
    fn unary(&self, op: Unary, a: Number) -> Number {
        match a {
            Number::F32(a) => Number::F32(float_unary!(op, a)),
            Number::F64(a) => Number::F64(float_unary!(op, a)),
            _ => MIXED,
        }
    }
    fn binary(&self, op: Binary, a: Number, b: Number) -> Number {
        match (a, b) {
            (Number::F32(a), Number::F32(b)) => float_rule!(op, a, b, Number::F32),
            (Number::F64(a), Number::F64(b)) => float_rule!(op, a, b, Number::F64),
            (Number::I32(a), Number::I32(b)) => int_rule!(op, a, b, u32, i32, Number::I32),
            (Number::I64(a), Number::I64(b)) => int_rule!(op, a, b, u64, i64, Number::I64),
            (Number::Bool(a), Number::Bool(b)) => Number::Bool(match op {
                Binary::And => a & b,
                Binary::Or => a | b,
                _ => a ^ b,
            }),
            _ => MIXED,
        }
    }
    fn fma(&self, a: Number, b: Number, c: Number) -> Number {
        match (a, b, c) {
            (Number::F32(a), Number::F32(b), Number::F32(c)) => Number::F32(a.mul_add(b, c)),
            (Number::F64(a), Number::F64(b), Number::F64(c)) => Number::F64(a.mul_add(b, c)),
            _ => MIXED,
        }
    }
    fn cmpf(&self, compare: FloatCompare, a: Number, b: Number) -> Number {
        let order = match (a, b) {
            (Number::F32(a), Number::F32(b)) => a.partial_cmp(&b),
            (Number::F64(a), Number::F64(b)) => a.partial_cmp(&b),
            _ => None,
        };
        Number::Bool(match compare {
            FloatCompare::Oeq => order.is_some_and(|order| order.is_eq()),
            FloatCompare::Ogt => order.is_some_and(|order| order.is_gt()),
            FloatCompare::Oge => order.is_some_and(|order| order.is_ge()),
            FloatCompare::Olt => order.is_some_and(|order| order.is_lt()),
            FloatCompare::Uno => order.is_none(),
        })
    }
    fn cmpi(&self, compare: IntCompare, a: Number, b: Number) -> Number {
        let order = match (a, b) {
            (Number::I32(a), Number::I32(b)) => a.cmp(&b),
            (Number::I64(a), Number::I64(b)) => a.cmp(&b),
            _ => return MIXED,
        };
        Number::Bool(match compare {
            IntCompare::Eq => order.is_eq(),
            IntCompare::Ne => order.is_ne(),
            IntCompare::Slt => order.is_lt(),
        })
    }
    fn select(&self, condition: Number, a: Number, b: Number) -> Number {
        if condition.is_true() { a } else { b }
    }
    fn cast(&self, cast: Cast, a: Number) -> Number {
        match (cast, a) {
            (Cast::ToBits, Number::F32(a)) => Number::I32(a.to_bits() as i32),
            (Cast::ToBits, Number::F64(a)) => Number::I64(a.to_bits() as i64),
            (Cast::FromBits, Number::I32(a)) => Number::F32(f32::from_bits(a as u32)),
            (Cast::FromBits, Number::I64(a)) => Number::F64(f64::from_bits(a as u64)),
            (Cast::Widen, Number::F32(a)) => Number::F64(a.into()),
            (Cast::Narrow, Number::F64(a)) => Number::F32(a as f32),
            (Cast::IntToF32, Number::I32(a)) => Number::F32(a as f32),
            (Cast::IntToF32, Number::I64(a)) => Number::F32(a as f32),
            (Cast::IntToF64, Number::I32(a)) => Number::F64(a.into()),
            (Cast::IntToF64, Number::I64(a)) => Number::F64(a as f64),
            (Cast::SignExtend, Number::I32(a)) => Number::I64(a.into()),
            (Cast::ZeroExtend, Number::I32(a)) => Number::I64((a as u32).into()),
            (Cast::Truncate, Number::I64(a)) => Number::I32(a as i32),
            _ => MIXED,
        }
    }
    fn branch(
        &self,
        condition: Number,
        then: impl FnOnce(&Self) -> Number,
        otherwise: impl FnOnce(&Self) -> Number,
    ) -> Number {
        if condition.is_true() {
            then(self)
        } else {
            otherwise(self)
        }
    }
}
