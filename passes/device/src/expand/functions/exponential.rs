//! exp, exp2, expm1.

use super::{clamp, nearest, nearest_d, power_of_two, power_of_two_d};
use crate::expand::emit::{Binary, Cast, Emit, FloatCompare};

/// ln 2 in two parts.
pub(super) const LN2: (f32, f32) = (std::f32::consts::LN_2, -1.904_654_2e-9);
/// ln 2 in two parts, the first of 32 bits.
pub(super) const LN2_D: (f64, f64) = (0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10);

/// (e^r - 1 - r) / r^2 for |r| <= ln(2) / 2, error 1.4e-9.
const EXP: [f32; 6] = [
    0.5,
    0.166_666_67,
    0.041_666_463,
    0.008_333_31,
    0.001_393_373_1,
    0.000_198_910_8,
];
/// (2^r - 1) / r for |r| <= 1/2, error 1.7e-10.
const EXP2: [f32; 7] = [
    std::f32::consts::LN_2,
    0.240_226_5,
    0.055_504_11,
    0.009_618_056,
    0.001_333_350_2,
    0.000_154_615_61,
    0.000_015_297_413,
];
/// (e^r - 1 - r) / r^2 for |r| <= ln(2) / 2, error 1.8e-20.
pub(super) const EXP_D: [f64; 12] = [
    0.5,
    0.166_666_666_666_666_66,
    0.041_666_666_666_666_68,
    0.008_333_333_333_333_333,
    0.001_388_888_888_887_907_3,
    0.000_198_412_698_412_632_98,
    2.480_158_733_644_223_6e-5,
    2.755_731_924_721_873e-6,
    2.755_726_327_908_85e-7,
    2.505_207_109_429_355e-8,
    2.091_813_773_764_273_6e-9,
    1.608_662_795_678_037e-10,
];

/// `x = n ln 2 + r` with |r| <= ln(2) / 2: `n` as i32, and `r`.
fn reduce<E: Emit>(e: &E, x: E::V) -> (E::V, E::V) {
    let (n, k) = nearest(e, x, std::f32::consts::LOG2_E);
    let r = e.fma(n, e.f(-LN2.0), x);
    (k, e.fma(n, e.f(-LN2.1), r))
}

/// `m * 2^k` in two steps, so that it is right down to subnormals: `k` from -252 to 254.
pub(super) fn scale<E: Emit>(e: &E, m: E::V, k: E::V) -> E::V {
    let half = e.binary(Binary::ShrS, k, e.i(1));
    let rest = e.binary(Binary::SubI, k, half);
    e.mul(e.mul(m, power_of_two(e, half)), power_of_two(e, rest))
}

/// e^x
pub(super) fn exp<E: Emit>(e: &E, x: E::V) -> E::V {
    let x = clamp(e, x, e.f(-104.0), e.f(89.0));
    let (k, r) = reduce(e, x);
    let q = e.fma(e.poly(r, &EXP), e.mul(r, r), r);
    scale(e, e.add(q, e.f(1.0)), k)
}

/// 2^x
pub(super) fn exp2<E: Emit>(e: &E, x: E::V) -> E::V {
    let x = clamp(e, x, e.f(-151.0), e.f(129.0));
    let (n, k) = nearest(e, x, 1.0);
    let r = e.sub(x, n);
    scale(e, e.fma(e.poly(r, &EXP2), r, e.f(1.0)), k)
}

/// e^x - 1: `2 (2^(k-1) (e^r - 1) + 2^(k-1) - 1/2)`, which neither cancels near 0 nor overflows early.
pub(super) fn expm1<E: Emit>(e: &E, x: E::V) -> E::V {
    let clamped = clamp(e, x, e.f(-25.0), e.f(89.0));
    let (k, r) = reduce(e, clamped);
    let em1 = e.fma(e.poly(r, &EXP), e.mul(r, r), r);
    let s = power_of_two(e, e.binary(Binary::SubI, k, e.i(1)));
    let half = e.fma(s, em1, e.sub(s, e.f(0.5)));
    let zero = e.cmpf(FloatCompare::Oeq, x, e.f(0.0));
    e.select(zero, x, e.add(half, half))
}

/// `m * 2^k` in two steps: `k` from -2044 to 2046.
pub(super) fn scale_d<E: Emit>(e: &E, m: E::V, k: E::V) -> E::V {
    let half = e.binary(Binary::ShrS, k, e.l(1));
    let rest = e.binary(Binary::SubI, k, half);
    e.mul(e.mul(m, power_of_two_d(e, half)), power_of_two_d(e, rest))
}

/// e^(r + low) for |r| <= ln(2) / 2 and a tiny `low`.
pub(super) fn exp_reduced_d<E: Emit>(e: &E, r: E::V, low: E::V) -> E::V {
    let tail = e.fma(e.poly_d(r, &EXP_D), e.mul(r, r), low);
    e.add(e.add(r, tail), e.d(1.0))
}

/// e^x in f64
pub(super) fn exp_d<E: Emit>(e: &E, x: E::V) -> E::V {
    let x = clamp(e, x, e.d(-746.0), e.d(710.0));
    let (n, k) = nearest_d(e, x, std::f64::consts::LOG2_E);
    // n * LN2_D.0 is exact: its significand has 32 bits.
    let high = e.fma(n, e.d(-LN2_D.0), x);
    let r = e.fma(n, e.d(-LN2_D.1), high);
    let low = e.fma(n, e.d(-LN2_D.1), e.sub(high, r));
    scale_d(e, exp_reduced_d(e, r, low), k)
}

/// 2^x in f64
pub(super) fn exp2_d<E: Emit>(e: &E, x: E::V) -> E::V {
    const LN2_LOW: f64 = 2.319_046_813_846_299_6e-17;
    let x = clamp(e, x, e.d(-1076.0), e.d(1025.0));
    let (n, k) = nearest_d(e, x, 1.0);
    let f = e.sub(x, n);
    let r = e.mul(f, e.d(std::f64::consts::LN_2));
    let low = e.fma(
        f,
        e.d(LN2_LOW),
        e.fma(f, e.d(std::f64::consts::LN_2), e.neg(r)),
    );
    scale_d(e, exp_reduced_d(e, r, low), k)
}

/// 2^p for an f64 `p` with an f32 result: the last step of powf.
pub(super) fn exp2_of_f64<E: Emit>(e: &E, p: E::V) -> E::V {
    let p = clamp(e, p, e.d(-151.0), e.d(129.0));
    let (n, k) = nearest_d(e, p, 1.0);
    let r = e.cast(Cast::Narrow, e.sub(p, n));
    let k = e.cast(Cast::Truncate, k);
    scale(e, e.fma(e.poly(r, &EXP2), r, e.f(1.0)), k)
}
