//! log, log2, log10, log1p.

use super::exponential::LN2;
use super::power_of_two;
use crate::expand::emit::{Binary, Cast, Emit, FloatCompare, IntCompare};
use std::f32::consts::{LOG2_E, LOG10_2, LOG10_E};

/// (ln(1 + f) - f) / f^2 for |f| <= 1/3, error 5e-9.
const LOG1P: [f32; 10] = [
    -0.5,
    0.333_333_34,
    -0.249_998_42,
    0.199_998_53,
    -0.166_779_74,
    0.142_961_79,
    -0.122_213_595,
    0.108_532_876,
    -0.127_262_89,
    0.116_121_65,
];
/// (2 atanh(s) - 2 s) / s^3 in s^2 for |s| <= 0.1717, error 1.5e-20.
const ATANH_D: [f64; 9] = [
    0.666_666_666_666_666_6,
    0.399_999_999_999_999_9,
    0.285_714_285_714_354_3,
    0.222_222_222_198_372_07,
    0.181_818_185_967_912_2,
    0.153_845_748_862_552_48,
    0.133_356_493_074_407_92,
    0.116_878_854_327_612_46,
    0.118_841_544_877_846_33,
];

/// A positive finite number as `m 2^k` with `m` from 2/3 to 4/3.
pub(super) struct Split<V> {
    pub(super) m: V,
    /// As f32 (f64 in [`split_d`]).
    pub(super) k: V,
    /// As an integer of the same width.
    k_int: V,
}

/// Splits a positive normal number whose exponent is `less` too large.
fn split<E: Emit>(e: &E, x: E::V, less: E::V) -> Split<E::V> {
    const TWO_THIRDS: i32 = 0x3F2A_AAAB;
    let bits = e.cast(Cast::ToBits, x);
    let above = e.binary(Binary::SubI, bits, e.i(TWO_THIRDS));
    let k = e.binary(Binary::ShrS, above, e.i(23));
    let m = e.cast(
        Cast::FromBits,
        e.binary(Binary::SubI, bits, e.binary(Binary::Shl, k, e.i(23))),
    );
    let k_int = e.binary(Binary::SubI, k, less);
    Split {
        m,
        k: e.cast(Cast::IntToF32, k_int),
        k_int,
    }
}

/// Makes subnormal numbers normal: the number, and how much too large its exponent is now.
fn normalize<E: Emit>(e: &E, x: E::V) -> (E::V, E::V) {
    let small = e.cmpf(FloatCompare::Olt, x, e.f(f32::MIN_POSITIVE));
    let scaled = e.select(small, e.mul(x, e.f(8_388_608.0)), x);
    (scaled, e.select(small, e.i(23), e.i(0)))
}

/// Zero, negative, infinite and NaN inputs of a logarithm.
fn special_cases<E: Emit>(e: &E, x: E::V, result: E::V) -> E::V {
    let infinite = e.cmpf(FloatCompare::Oeq, x, e.f(f32::INFINITY));
    let result = e.select(infinite, x, result);
    let zero = e.cmpf(FloatCompare::Oeq, x, e.f(0.0));
    let result = e.select(zero, e.f(f32::NEG_INFINITY), result);
    let negative = e.cmpf(FloatCompare::Olt, x, e.f(0.0));
    let result = e.select(negative, e.f(f32::NAN), result);
    e.select(e.cmpf(FloatCompare::Uno, x, x), x, result)
}

/// `f`, and ln(1 + f) - f, and the exponent `k`, for `x = (1 + f) 2^k`.
fn reduced<E: Emit>(e: &E, x: E::V) -> (E::V, E::V, E::V) {
    let (normal, less) = normalize(e, x);
    let parts = split(e, normal, less);
    let f = e.sub(parts.m, e.f(1.0));
    (f, e.mul(e.poly(f, &LOG1P), e.mul(f, f)), parts.k)
}

/// ln x
pub(super) fn log<E: Emit>(e: &E, x: E::V) -> E::V {
    let (f, rest, k) = reduced(e, x);
    let rest = e.fma(k, e.f(LN2.1), rest);
    special_cases(e, x, with_exponent(e, k, LN2.0, f, rest))
}

/// `k * unit + f + rest`, with one rounding that counts where `k` is 0.
fn with_exponent<E: Emit>(e: &E, k: E::V, unit: f32, f: E::V, rest: E::V) -> E::V {
    // Two-term sum of k * unit and f, whichever is larger; then the small terms.
    let high = e.fma(k, e.f(unit), f);
    let error = e.add(e.fma(k, e.f(unit), e.neg(high)), f);
    e.add(high, e.add(error, rest))
}

/// Logarithm to another base: `scale` (in two parts) is 1 / ln(base), `unit` (in two parts) the logarithm of 2.
fn log_base<E: Emit>(e: &E, x: E::V, scale: (f32, f32), unit: (f32, f32)) -> E::V {
    let (f, rest, k) = reduced(e, x);
    let high = e.mul(f, e.f(scale.0));
    let low = e.fma(f, e.f(scale.0), e.neg(high));
    let low = e.fma(f, e.f(scale.1), low);
    let low = e.fma(rest, e.f(scale.0), low);
    let low = e.fma(k, e.f(unit.1), low);
    special_cases(e, x, with_exponent(e, k, unit.0, high, low))
}

/// log2 x
pub(super) fn log2<E: Emit>(e: &E, x: E::V) -> E::V {
    log_base(e, x, (LOG2_E, 1.925_963e-8), (1.0, 0.0))
}

/// log10 x
pub(super) fn log10<E: Emit>(e: &E, x: E::V) -> E::V {
    log_base(e, x, (LOG10_E, -1.010_305e-8), (LOG10_2, -1.432_098_9e-8))
}

/// ln(1 + x): the sum is kept in two parts, so nothing of a small `x` is lost.
pub(super) fn log1p<E: Emit>(e: &E, x: E::V) -> E::V {
    let one = e.f(1.0);
    let u = e.add(one, x);
    let x_part = e.sub(u, one);
    let low = e.add(e.sub(one, e.sub(u, x_part)), e.sub(x, x_part));
    let parts = split(e, u, e.i(0));
    let scale = power_of_two(e, e.binary(Binary::SubI, e.i(0), parts.k_int));
    // For a huge u, 2^-k has no normal form; nothing of `low` counts there.
    let huge = e.cmpi(IntCompare::Slt, e.i(126), parts.k_int);
    let low = e.select(huge, e.f(0.0), e.mul(low, scale));
    let f = e.add(e.sub(parts.m, one), low);
    let f_low = e.add(e.sub(e.sub(parts.m, one), f), low);
    let rest = e.fma(e.poly(f, &LOG1P), e.mul(f, f), f_low);
    let rest = e.fma(parts.k, e.f(LN2.1), rest);
    let result = special_cases(e, u, with_exponent(e, parts.k, LN2.0, f, rest));
    e.select(e.cmpf(FloatCompare::Oeq, x, e.f(0.0)), x, result)
}

/// `x = m 2^k` in f64 with `m` from 1/sqrt(2) to sqrt(2).
pub(super) fn split_d<E: Emit>(e: &E, x: E::V) -> Split<E::V> {
    const SQRT_HALF: i64 = 0x3FE6_A09E_667F_3BCD;
    let small = e.cmpf(FloatCompare::Olt, x, e.d(f64::MIN_POSITIVE));
    let normal = e.select(small, e.mul(x, e.d(18_014_398_509_481_984.0)), x);
    let bits = e.cast(Cast::ToBits, normal);
    let above = e.binary(Binary::SubI, bits, e.l(SQRT_HALF));
    let k = e.binary(Binary::ShrS, above, e.l(52));
    let m = e.cast(
        Cast::FromBits,
        e.binary(Binary::SubI, bits, e.binary(Binary::Shl, k, e.l(52))),
    );
    let k_int = e.binary(Binary::SubI, k, e.select(small, e.l(54), e.l(0)));
    Split {
        m,
        k: e.cast(Cast::IntToF64, k_int),
        k_int,
    }
}

fn special_cases_d<E: Emit>(e: &E, x: E::V, result: E::V) -> E::V {
    let infinite = e.cmpf(FloatCompare::Oeq, x, e.d(f64::INFINITY));
    let result = e.select(infinite, x, result);
    let zero = e.cmpf(FloatCompare::Oeq, x, e.d(0.0));
    let result = e.select(zero, e.d(f64::NEG_INFINITY), result);
    let negative = e.cmpf(FloatCompare::Olt, x, e.d(0.0));
    let result = e.select(negative, e.d(f64::NAN), result);
    e.select(e.cmpf(FloatCompare::Uno, x, x), x, result)
}

/// `f` and ln(1 + f) - f and `k`: with s = f / (2 + f), ln(1 + f) = f - f^2/2 + s (f^2/2 + R(s^2)).
fn reduced_d<E: Emit>(e: &E, x: E::V) -> (E::V, E::V, E::V) {
    let parts = split_d(e, x);
    let f = e.sub(parts.m, e.d(1.0));
    let s = e.div(f, e.add(f, e.d(2.0)));
    let z = e.mul(s, s);
    let tail = e.mul(e.poly_d(z, &ATANH_D), z);
    let half_square = e.mul(e.mul(f, f), e.d(0.5));
    let rest = e.sub(e.mul(s, e.add(half_square, tail)), half_square);
    (f, rest, parts.k)
}

fn with_exponent_d<E: Emit>(e: &E, k: E::V, unit: f64, f: E::V, rest: E::V) -> E::V {
    let high = e.fma(k, e.d(unit), f);
    let error = e.add(e.fma(k, e.d(unit), e.neg(high)), f);
    e.add(high, e.add(error, rest))
}

/// ln x in f64
pub(super) fn log_d<E: Emit>(e: &E, x: E::V) -> E::V {
    let (f, rest, k) = reduced_d(e, x);
    let rest = e.fma(k, e.d(2.319_046_813_846_299_6e-17), rest);
    special_cases_d(e, x, with_exponent_d(e, k, std::f64::consts::LN_2, f, rest))
}

fn log_base_d<E: Emit>(e: &E, x: E::V, scale: (f64, f64), unit: (f64, f64)) -> E::V {
    let (f, rest, k) = reduced_d(e, x);
    let high = e.mul(f, e.d(scale.0));
    let low = e.fma(f, e.d(scale.0), e.neg(high));
    let low = e.fma(f, e.d(scale.1), low);
    let low = e.fma(rest, e.d(scale.0), low);
    let low = e.fma(k, e.d(unit.1), low);
    special_cases_d(e, x, with_exponent_d(e, k, unit.0, high, low))
}

/// log2 x in f64
pub(super) fn log2_d<E: Emit>(e: &E, x: E::V) -> E::V {
    log_base_d(
        e,
        x,
        (std::f64::consts::LOG2_E, 2.035_527_374_093_103_3e-17),
        (1.0, 0.0),
    )
}

/// log10 x in f64
pub(super) fn log10_d<E: Emit>(e: &E, x: E::V) -> E::V {
    let unit = (std::f64::consts::LOG10_2, -2.803_728_127_785_170_4e-18);
    log_base_d(
        e,
        x,
        (std::f64::consts::LOG10_E, 1.098_319_650_216_765e-17),
        unit,
    )
}
