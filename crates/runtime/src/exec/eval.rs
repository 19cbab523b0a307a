//! Evaluation of the scalar operations of a host plan.
//!
//! The definitions are those of `segra_artifact::plan`; this file carries them out. f16 and bf16 are computed in f32
//! and rounded once, which is exact rounding for + - * / and square roots (f32 has more than twice their digits).

use segra_artifact::{BinaryOp, Compare, Convert, ElemType, Scalar, UnaryOp};

/// An integer division by zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DivisionByZero;

/// The integer with its sign; a true `i1` is -1, as in MLIR.
fn signed(value: Scalar) -> i64 {
    let shift = 64 - value.elem().bits();
    ((value.bits() << shift) as i64) >> shift
}

pub(crate) fn unary(op: UnaryOp, value: Scalar) -> Scalar {
    match value.elem() {
        ElemType::F64 => Scalar::f64(float_unary_f64(op, value.to_f64())),
        elem if elem.is_float() => round_to(elem, float_unary_f32(op, value.to_f64() as f32)),
        elem => {
            let (bits, width) = (value.bits(), elem.bits());
            let result = match op {
                UnaryOp::Neg => signed(value).wrapping_neg() as u64,
                UnaryOp::Abs => signed(value).wrapping_abs() as u64,
                UnaryOp::Not => !bits,
                UnaryOp::PopCount => u64::from(bits.count_ones()),
                UnaryOp::LeadingZeros => u64::from(bits.leading_zeros() + width - 64),
                UnaryOp::TrailingZeros => u64::from(bits.trailing_zeros().min(width)),
                // Validation lets only the above reach integers.
                _ => bits,
            };
            Scalar::from_bits(elem, result)
        }
    }
}

/// The f32 rounded to the (narrower or same) float type.
fn round_to(elem: ElemType, value: f32) -> Scalar {
    if elem == ElemType::F32 {
        Scalar::f32(value)
    } else {
        Scalar::from_f64(elem, f64::from(value))
    }
}

macro_rules! float_operations {
    ($ty:ty, $unary:ident, $binary:ident) => {
        fn $unary(op: UnaryOp, x: $ty) -> $ty {
            match op {
                UnaryOp::Neg => -x,
                UnaryOp::Abs => x.abs(),
                UnaryOp::Sqrt => x.sqrt(),
                UnaryOp::Rsqrt => x.sqrt().recip(),
                UnaryOp::Exp => x.exp(),
                UnaryOp::Exp2 => x.exp2(),
                UnaryOp::ExpM1 => x.exp_m1(),
                UnaryOp::Log => x.ln(),
                UnaryOp::Log2 => x.log2(),
                UnaryOp::Log10 => x.log10(),
                UnaryOp::Log1P => x.ln_1p(),
                UnaryOp::Sin => x.sin(),
                UnaryOp::Cos => x.cos(),
                UnaryOp::Tan => x.tan(),
                UnaryOp::Asin => x.asin(),
                UnaryOp::Acos => x.acos(),
                UnaryOp::Atan => x.atan(),
                UnaryOp::Sinh => x.sinh(),
                UnaryOp::Cosh => x.cosh(),
                UnaryOp::Tanh => x.tanh(),
                UnaryOp::Floor => x.floor(),
                UnaryOp::Ceil => x.ceil(),
                UnaryOp::Trunc => x.trunc(),
                UnaryOp::Round => x.round(),
                UnaryOp::RoundEven => x.round_ties_even(),
                // Integer operations, which validation keeps away.
                UnaryOp::Not
                | UnaryOp::PopCount
                | UnaryOp::LeadingZeros
                | UnaryOp::TrailingZeros => x,
            }
        }

        fn $binary(op: BinaryOp, x: $ty, y: $ty) -> $ty {
            // IEEE 754-2019 minimum and maximum order -0 below +0; a sum of two NaNs or of a NaN and a number is NaN.
            let lesser = |x: $ty, y: $ty| {
                if x.is_nan() || y.is_nan() {
                    x + y
                } else if x < y || (x == y && x.is_sign_negative()) {
                    x
                } else {
                    y
                }
            };
            match op {
                BinaryOp::Add => x + y,
                BinaryOp::Sub => x - y,
                BinaryOp::Mul => x * y,
                BinaryOp::Div => x / y,
                BinaryOp::Rem => x % y,
                BinaryOp::Min => lesser(x, y),
                BinaryOp::Max => -lesser(-x, -y),
                BinaryOp::MinNum if x.is_nan() => y,
                BinaryOp::MaxNum if x.is_nan() => y,
                BinaryOp::MinNum | BinaryOp::MaxNum if y.is_nan() => x,
                BinaryOp::MinNum => lesser(x, y),
                BinaryOp::MaxNum => -lesser(-x, -y),
                BinaryOp::Pow => x.powf(y),
                BinaryOp::Atan2 => x.atan2(y),
                BinaryOp::CopySign if y.is_nan() => x.abs(),
                BinaryOp::CopySign => x.copysign(y),
                // Integer operations, which validation keeps away.
                _ => x,
            }
        }
    };
}

float_operations!(f32, float_unary_f32, float_binary_f32);
float_operations!(f64, float_unary_f64, float_binary_f64);

pub(crate) fn binary(op: BinaryOp, lhs: Scalar, rhs: Scalar) -> Result<Scalar, DivisionByZero> {
    match lhs.elem() {
        ElemType::F64 => Ok(Scalar::f64(float_binary_f64(
            op,
            lhs.to_f64(),
            rhs.to_f64(),
        ))),
        elem if elem.is_float() => Ok(round_to(
            elem,
            float_binary_f32(op, lhs.to_f64() as f32, rhs.to_f64() as f32),
        )),
        elem => Ok(Scalar::from_bits(elem, integer_binary(op, lhs, rhs)?)),
    }
}

fn integer_binary(op: BinaryOp, lhs: Scalar, rhs: Scalar) -> Result<u64, DivisionByZero> {
    use BinaryOp::*;
    let (x, y) = (signed(lhs), signed(rhs));
    let (ux, uy) = (lhs.bits(), rhs.bits());
    let width = u64::from(lhs.elem().bits());
    if matches!(op, Div | DivU | Rem | RemU | FloorDiv | CeilDiv | CeilDivU) && uy == 0 {
        return Err(DivisionByZero);
    }
    // Rounding away from zero is needed when the division is inexact and the quotient has the other sign.
    let inexact = |below: bool| x.wrapping_rem(y) != 0 && ((x < 0) != (y < 0)) == below;
    Ok(match op {
        Add => ux.wrapping_add(uy),
        Sub => ux.wrapping_sub(uy),
        Mul => ux.wrapping_mul(uy),
        Div => x.wrapping_div(y) as u64,
        Rem => x.wrapping_rem(y) as u64,
        FloorDiv => x.wrapping_div(y).wrapping_sub(i64::from(inexact(true))) as u64,
        CeilDiv => x.wrapping_div(y).wrapping_add(i64::from(inexact(false))) as u64,
        DivU => ux / uy,
        RemU => ux % uy,
        CeilDivU => ux.div_ceil(uy),
        And => ux & uy,
        Or => ux | uy,
        Xor => ux ^ uy,
        Shl => {
            if uy < width {
                ux << uy
            } else {
                0
            }
        }
        ShrU => {
            if uy < width {
                ux >> uy
            } else {
                0
            }
        }
        Shr => (x >> uy.min(63)) as u64,
        Min => x.min(y) as u64,
        Max => x.max(y) as u64,
        MinU => ux.min(uy),
        MaxU => ux.max(uy),
        // Float operations, which validation keeps away.
        MinNum | MaxNum | Pow | Atan2 | CopySign => ux,
    })
}

pub(crate) fn compare(op: Compare, lhs: Scalar, rhs: Scalar) -> bool {
    if lhs.elem().is_float() {
        let (x, y) = (lhs.to_f64(), rhs.to_f64());
        return match op {
            Compare::Eq => x == y,
            Compare::Ne => x != y,
            Compare::Lt | Compare::LtU => x < y,
            Compare::Le | Compare::LeU => x <= y,
            Compare::Gt | Compare::GtU => x > y,
            Compare::Ge | Compare::GeU => x >= y,
            Compare::Ordered => !x.is_nan() && !y.is_nan(),
            Compare::Unordered => x.is_nan() || y.is_nan(),
        };
    }
    let (x, y) = (signed(lhs), signed(rhs));
    let (ux, uy) = (lhs.bits(), rhs.bits());
    match op {
        Compare::Eq | Compare::Ordered => ux == uy,
        Compare::Ne | Compare::Unordered => ux != uy,
        Compare::Lt => x < y,
        Compare::Le => x <= y,
        Compare::Gt => x > y,
        Compare::Ge => x >= y,
        Compare::LtU => ux < uy,
        Compare::LeU => ux <= uy,
        Compare::GtU => ux > uy,
        Compare::GeU => ux >= uy,
    }
}

pub(crate) fn convert(op: Convert, value: Scalar, to: ElemType) -> Scalar {
    let from = value.elem();
    match (op, from.is_float(), to.is_float()) {
        (Convert::Bitcast, ..) => Scalar::from_bits(to, value.bits()),
        (_, true, true) => Scalar::from_f64(to, value.to_f64()),
        (Convert::Signed, false, false) => Scalar::from_bits(to, signed(value) as u64),
        (Convert::Unsigned, false, false) => Scalar::from_bits(to, value.bits()),
        (Convert::Signed, false, true) => Scalar::from_i64(to, signed(value)),
        (Convert::Unsigned, false, true) => Scalar::from_u64(to, value.bits()),
        (Convert::Signed, true, false) => {
            let limit = 1i128 << (to.bits() - 1);
            Scalar::from_bits(to, (value.to_f64() as i128).clamp(-limit, limit - 1) as u64)
        }
        (Convert::Unsigned, true, false) => {
            let limit = 1i128 << to.bits();
            Scalar::from_bits(to, (value.to_f64() as i128).clamp(0, limit - 1) as u64)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(op: BinaryOp, elem: ElemType, x: i64, y: i64) -> Option<i64> {
        binary(op, Scalar::from_i64(elem, x), Scalar::from_i64(elem, y))
            .ok()?
            .as_i64()
    }

    #[test]
    fn divisions_round_as_named_for_all_signs_and_wrap() {
        use BinaryOp::*;
        for x in -20i64..=20 {
            for y in (-7i64..=7).filter(|y| *y != 0) {
                let exact = x as f64 / y as f64;
                for (op, expected) in [
                    (Div, exact.trunc()),
                    (FloorDiv, exact.floor()),
                    (CeilDiv, exact.ceil()),
                ] {
                    assert_eq!(
                        int(op, ElemType::I32, x, y),
                        Some(expected as i64),
                        "{op:?} {x} {y}"
                    );
                }
                assert_eq!(int(Rem, ElemType::I64, x, y), Some(x % y));
            }
        }
        assert_eq!(
            int(Div, ElemType::I32, i64::from(i32::MIN), -1),
            Some(i64::from(i32::MIN))
        );
        assert_eq!(int(FloorDiv, ElemType::I64, i64::MIN, -1), Some(i64::MIN));
        assert_eq!(int(DivU, ElemType::I8, -1, 2), Some(127));
        assert_eq!(int(CeilDivU, ElemType::I64, -1, 1), Some(-1));
        assert_eq!(int(Rem, ElemType::I16, 5, 0), None);
        assert_eq!(int(Add, ElemType::I8, 127, 1), Some(-128));
        assert_eq!(int(Mul, ElemType::I64, i64::MAX, 2), Some(-2));
    }

    #[test]
    fn shifts_beyond_the_width_empty_or_fill() {
        use BinaryOp::*;
        assert_eq!(int(Shl, ElemType::I32, 1, 31), Some(i64::from(i32::MIN)));
        assert_eq!(int(Shl, ElemType::I32, 1, 32), Some(0));
        assert_eq!(int(Shr, ElemType::I8, -128, 100), Some(-1));
        assert_eq!(int(ShrU, ElemType::I8, -128, 7), Some(1));
        assert_eq!(int(ShrU, ElemType::I64, -1, -1), Some(0));
    }

    #[test]
    fn float_minimum_orders_zeros_and_keeps_nan() {
        let min = |op, x: f32, y: f32| {
            binary(op, Scalar::f32(x), Scalar::f32(y)).map(|v| v.to_f64() as f32)
        };
        for (x, y) in [(0.0, -0.0), (-0.0, 0.0)] {
            assert!(min(BinaryOp::Min, x, y).is_ok_and(f32::is_sign_negative));
            assert!(min(BinaryOp::Max, x, y).is_ok_and(f32::is_sign_positive));
        }
        assert!(min(BinaryOp::Min, f32::NAN, 1.0).is_ok_and(f32::is_nan));
        assert!(min(BinaryOp::Max, 1.0, f32::NAN).is_ok_and(f32::is_nan));
        assert_eq!(min(BinaryOp::MinNum, f32::NAN, 1.0), Ok(1.0));
        assert_eq!(min(BinaryOp::MaxNum, 2.0, 1.0), Ok(2.0));
    }

    #[test]
    fn conversions_saturate_extend_and_keep_bits() {
        let to = |op, value: Scalar, elem| convert(op, value, elem);
        assert_eq!(
            to(Convert::Signed, Scalar::f64(1e30), ElemType::I32),
            Scalar::i32(i32::MAX)
        );
        assert_eq!(
            to(Convert::Signed, Scalar::f64(f64::NAN), ElemType::I64),
            Scalar::i64(0)
        );
        assert_eq!(
            to(Convert::Unsigned, Scalar::f32(300.0), ElemType::I8).bits(),
            255
        );
        assert_eq!(
            to(Convert::Unsigned, Scalar::f32(-3.0), ElemType::I8).bits(),
            0
        );
        assert_eq!(
            to(Convert::Signed, Scalar::bool(true), ElemType::I32),
            Scalar::i32(-1)
        );
        assert_eq!(
            to(Convert::Unsigned, Scalar::bool(true), ElemType::I32),
            Scalar::i32(1)
        );
        assert_eq!(
            to(Convert::Unsigned, Scalar::i64(-1), ElemType::F64),
            Scalar::f64(u64::MAX as f64)
        );
        assert_eq!(
            to(Convert::Bitcast, Scalar::f32(1.0), ElemType::I32),
            Scalar::i32(0x3f80_0000)
        );
        assert_eq!(
            to(Convert::Signed, Scalar::i32(-7), ElemType::F16).to_f64(),
            -7.0
        );
    }

    #[test]
    fn bit_counts_respect_the_width() {
        let count = |op, elem, value| unary(op, Scalar::from_i64(elem, value)).bits();
        assert_eq!(count(UnaryOp::LeadingZeros, ElemType::I8, 1), 7);
        assert_eq!(count(UnaryOp::TrailingZeros, ElemType::I16, 0), 16);
        assert_eq!(count(UnaryOp::PopCount, ElemType::I32, -1), 32);
        assert_eq!(unary(UnaryOp::Not, Scalar::bool(true)), Scalar::bool(false));
        assert_eq!(
            unary(UnaryOp::Abs, Scalar::i32(i32::MIN)),
            Scalar::i32(i32::MIN)
        );
    }

    #[test]
    fn narrow_floats_round_once() {
        let third = binary(
            BinaryOp::Div,
            Scalar::from_f64(ElemType::F16, 1.0),
            Scalar::from_f64(ElemType::F16, 3.0),
        );
        assert_eq!(third.map(|value| value.bits()), Ok(0x3555));
    }
}
