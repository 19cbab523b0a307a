//! powf, cbrt.

use super::exponential::exp2_of_f64;
use crate::expand::emit::{Binary, Cast, Emit, FloatCompare, IntCompare, Unary};

/// log2((1 + s) / (1 - s)) / s in s^2 for |s| <= 0.1717, error 5e-16.
const LOG2: [f64; 7] = [
    2.885_390_081_777_927,
    0.961_796_693_924_319_7,
    0.577_078_017_253_071_8,
    0.412_198_400_948_334_26,
    0.320_616_468_212_379_16,
    0.261_441_589_495_901_6,
    0.242_948_937_785_987_45,
];

/// log2 of a positive finite f32 as f64, to about 50 bits: y log2 x must be right to 2^-26 where it is up to 2^7.
fn log2_wide<E: Emit>(e: &E, a: E::V) -> E::V {
    const SQRT_HALF: i64 = 0x3FE6_A09E_667F_3BCD;
    let bits = e.cast(Cast::ToBits, e.cast(Cast::Widen, a));
    let k = e.binary(
        Binary::ShrS,
        e.binary(Binary::SubI, bits, e.l(SQRT_HALF)),
        e.l(52),
    );
    let m = e.cast(
        Cast::FromBits,
        e.binary(Binary::SubI, bits, e.binary(Binary::Shl, k, e.l(52))),
    );
    let s = e.div(e.sub(m, e.d(1.0)), e.add(m, e.d(1.0)));
    e.fma(e.poly_d(e.mul(s, s), &LOG2), s, e.cast(Cast::IntToF64, k))
}

/// x^y
pub(super) fn powf<E: Emit>(e: &E, x: E::V, y: E::V) -> E::V {
    let (zero, one) = (e.f(0.0), e.f(1.0));
    let a = e.abs(x);
    let log = log2_wide(e, a);
    let is_zero = e.cmpf(FloatCompare::Oeq, a, zero);
    let log = e.select(is_zero, e.d(f64::NEG_INFINITY), log);
    let infinite = e.cmpf(FloatCompare::Oeq, a, e.f(f32::INFINITY));
    let log = e.select(infinite, e.d(f64::INFINITY), log);
    let magnitude = exp2_of_f64(e, e.mul(e.cast(Cast::Widen, y), log));
    let magnitude = e.select(e.cmpf(FloatCompare::Oeq, a, one), one, magnitude);

    // Negative bases: odd exponents give the sign, exponents that are not integers have no result.
    let half = e.mul(y, e.f(0.5));
    let integral = e.cmpf(FloatCompare::Oeq, e.unary(Unary::Trunc, y), y);
    let even = e.cmpf(FloatCompare::Oeq, e.unary(Unary::Trunc, half), half);
    let odd = e.binary(
        Binary::And,
        integral,
        e.cmpf(FloatCompare::Oeq, e.select(even, one, zero), zero),
    );
    let negative = e.cmpi(IntCompare::Slt, e.cast(Cast::ToBits, x), e.i(0));
    let signed = e.select(
        e.binary(Binary::And, negative, odd),
        e.neg(magnitude),
        magnitude,
    );
    let below = e.binary(
        Binary::And,
        e.cmpf(FloatCompare::Olt, x, zero),
        e.cmpf(FloatCompare::Ogt, x, e.f(f32::NEG_INFINITY)),
    );
    let fractional = e.cmpf(FloatCompare::Oeq, e.select(integral, one, zero), zero);
    let value = e.select(
        e.binary(Binary::And, below, fractional),
        e.f(f32::NAN),
        signed,
    );

    let value = e.select(e.cmpf(FloatCompare::Uno, x, y), e.add(x, y), value);
    let always = e.cmpf(FloatCompare::Oeq, x, one);
    let value = e.select(always, one, value);
    e.select(e.cmpf(FloatCompare::Oeq, y, zero), one, value)
}

/// The cube root: a guess from a third of the exponent, then Halley's iteration twice, then a corrected Newton step.
pub(super) fn cbrt<E: Emit>(e: &E, x: E::V) -> E::V {
    let a = e.abs(x);
    // Away from both ends, where cubes would overflow and subnormals lack digits: by 2^24 and 2^-24.
    let small = e.cmpf(FloatCompare::Olt, a, e.f(1e-30));
    let large = e.cmpf(FloatCompare::Ogt, a, e.f(1e30));
    let choose =
        |low: f32, high: f32| e.select(small, e.f(low), e.select(large, e.f(high), e.f(1.0)));
    let scaled = e.mul(a, choose(16_777_216.0, 5.960_464_5e-8));
    let third = e.binary(Binary::DivU, e.cast(Cast::ToBits, scaled), e.i(3));
    // Two thirds of the bias, less what makes the guess's error even on both sides.
    let mut y = e.cast(
        Cast::FromBits,
        e.binary(Binary::AddI, third, e.i(0x2A51_2CE3)),
    );
    let twice = e.add(scaled, scaled);
    for _ in 0..2 {
        let cube = e.mul(e.mul(y, y), y);
        let ratio = e.div(e.add(cube, twice), e.add(e.add(cube, cube), scaled));
        y = e.mul(y, ratio);
    }
    let square = e.mul(y, y);
    let square_low = e.fma(y, y, e.neg(square));
    let residual = e.fma(square, e.neg(y), scaled);
    let residual = e.fma(square_low, e.neg(y), residual);
    y = e.add(y, e.div(residual, e.mul(square, e.f(3.0))));
    let y = e.mul(y, choose(0.003_906_25, 256.0));
    let usual = e.binary(
        Binary::And,
        e.cmpf(FloatCompare::Ogt, a, e.f(0.0)),
        e.cmpf(FloatCompare::Olt, a, e.f(f32::INFINITY)),
    );
    e.select(usual, e.binary(Binary::CopySign, y, x), x)
}
