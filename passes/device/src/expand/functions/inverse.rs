//! asin, acos, atan, atan2.

use crate::expand::emit::{Binary, Cast, Emit, FloatCompare, IntCompare, Unary};
use std::f32::consts::{FRAC_PI_2, PI};

/// (atan x - x) / x^3 in x^2 for |x| <= 1, error 2.5e-9.
const ATAN: [f32; 10] = [
    -0.333_333_34,
    0.199_999_5,
    -0.142_840_04,
    0.110_882_62,
    -0.089_318_27,
    0.070_319_146,
    -0.048_960_514,
    0.026_305_001,
    -0.009_144_63,
    0.001_488_691_9,
];
/// (asin x - x) / x^3 in x^2 for |x| <= 1/2, error 4.2e-9.
const ASIN: [f32; 6] = [
    0.166_666_67,
    0.075_000_95,
    0.044_599_32,
    0.031_101_728,
    0.017_143_717,
    0.033_700_727,
];
/// The difference of pi/2 and the f32 nearest to it.
const HALF_PI_LOW: f32 = -4.371_139e-8;

fn atan_reduced<E: Emit>(e: &E, x: E::V) -> E::V {
    let z = e.mul(x, x);
    e.fma(e.mul(e.poly(z, &ATAN), z), x, x)
}

/// atan of `y / x` for non-negative `x` and `y`, from 0 to pi/2.
fn first_quadrant<E: Emit>(e: &E, y: E::V, x: E::V) -> E::V {
    let steep = e.cmpf(FloatCompare::Ogt, y, x);
    let (small, large) = (e.select(steep, x, y), e.select(steep, y, x));
    let quotient = e.div(small, large);
    // 0/0 and inf/inf: the diagonal for infinities, 0 for zeros.
    let equal = e.cmpf(FloatCompare::Oeq, small, large);
    let zero = e.cmpf(FloatCompare::Oeq, large, e.f(0.0));
    let quotient = e.select(equal, e.select(zero, e.f(0.0), e.f(1.0)), quotient);
    let angle = atan_reduced(e, quotient);
    let rest = e.add(e.sub(e.f(FRAC_PI_2), angle), e.f(HALF_PI_LOW));
    e.select(steep, rest, angle)
}

/// atan x
pub(super) fn atan<E: Emit>(e: &E, x: E::V) -> E::V {
    e.binary(Binary::CopySign, first_quadrant(e, e.abs(x), e.f(1.0)), x)
}

/// The angle of the point (x, y), from -pi to pi.
pub(super) fn atan2<E: Emit>(e: &E, y: E::V, x: E::V) -> E::V {
    let angle = first_quadrant(e, e.abs(y), e.abs(x));
    let left = e.cmpi(IntCompare::Slt, e.cast(Cast::ToBits, x), e.i(0));
    let mirrored = e.add(e.sub(e.f(PI), angle), e.f(2.0 * HALF_PI_LOW));
    let angle = e.binary(Binary::CopySign, e.select(left, mirrored, angle), y);
    // Operands that compare with nothing: one of them is NaN.
    let nan = e.cmpf(FloatCompare::Uno, x, y);
    e.select(nan, e.add(x, y), angle)
}

/// asin of `a` from 0 to 1/2, given `a` and its square.
fn asin_reduced<E: Emit>(e: &E, a: E::V, z: E::V) -> E::V {
    e.fma(e.mul(e.poly(z, &ASIN), z), a, a)
}

/// For `a` from 1/2 to 1: asin a = pi/2 - 2 asin(sqrt((1 - a) / 2)); this is the second term.
fn twice_complement<E: Emit>(e: &E, a: E::V) -> E::V {
    let z = e.mul(e.sub(e.f(1.0), a), e.f(0.5));
    let s = e.unary(Unary::Sqrt, z);
    let half = asin_reduced(e, s, z);
    e.add(half, half)
}

/// asin x
pub(super) fn asin<E: Emit>(e: &E, x: E::V) -> E::V {
    let a = e.abs(x);
    let near = asin_reduced(e, a, e.mul(a, a));
    let far = e.add(
        e.sub(e.f(FRAC_PI_2), twice_complement(e, a)),
        e.f(HALF_PI_LOW),
    );
    let value = e.select(e.cmpf(FloatCompare::Ogt, a, e.f(0.5)), far, near);
    e.binary(Binary::CopySign, value, x)
}

/// acos x
pub(super) fn acos<E: Emit>(e: &E, x: E::V) -> E::V {
    let a = e.abs(x);
    let asin = asin_reduced(e, x, e.mul(x, x));
    let near = e.add(e.sub(e.f(FRAC_PI_2), asin), e.f(HALF_PI_LOW));
    let twice = twice_complement(e, a);
    let mirrored = e.add(e.sub(e.f(PI), twice), e.f(2.0 * HALF_PI_LOW));
    let far = e.select(e.cmpf(FloatCompare::Olt, x, e.f(0.0)), mirrored, twice);
    e.select(e.cmpf(FloatCompare::Ogt, a, e.f(0.5)), far, near)
}
