//! sin, cos, tanh and powf of f64.
//!
//! Sums and products of two parts are Dekker's and Knuth's, with fma for the product's error (Muller et al., "Handbook
//! of Floating-Point Arithmetic", chapter 4). Reductions of large angles multiply the bits of 2/pi that decide the
//! fraction (Payne and Hanek), 192 of them.

use super::exponential::{EXP_D, LN2_D, exp_reduced_d, scale_d};
use super::logarithm::split_d;
use super::{clamp, nearest_d, power_of_two_d};
use crate::expand::emit::{Binary, Cast, Emit, FloatCompare, IntCompare, Unary};

/// pi/2 in three parts.
const HALF_PI: (f64, f64, f64) = (
    std::f64::consts::FRAC_PI_2,
    6.123_233_995_736_766e-17,
    -1.497_384_904_859_169_8e-33,
);
/// Below this the three-part reduction is exact enough.
const SMALL: f64 = 67_108_864.0;
/// 64 zero bits, then the first bits of 2/pi.
const TWO_OVER_PI: [u64; 20] = [
    0,
    0xA2F9_836E_4E44_1529,
    0xFC27_57D1_F534_DDC0,
    0xDB62_9599_3C43_9041,
    0xFE51_63AB_DEBB_C561,
    0xB724_6E3A_424D_D2E0,
    0x0649_2EEA_09D1_921C,
    0xFE1D_EB1C_B129_A73E,
    0xE882_35F5_2EBB_4484,
    0xE99C_7026_B45F_7E41,
    0x3991_D639_8353_39F4,
    0x9C84_5F8B_BDF9_283B,
    0x1FF8_97FF_DE05_980F,
    0xEF2F_118B_5A0A_6D1F,
    0x6D36_7ECF_27CB_09B7,
    0x4F46_3F66_9E5F_EA2D,
    0x7527_BAC7_EBE5_F17B,
    0x3D07_39F7_8A52_92EA,
    0x6BFB_5FB1_1F8D_5D08,
    0x5603_3046_FC7B_6BAB,
];
/// (sin r - r) / r^3 in r^2 for |r| <= pi/4, error 1e-17.
const SIN: [f64; 7] = [
    -0.166_666_666_666_666_66,
    0.008_333_333_333_333_331,
    -0.000_198_412_698_412_650_65,
    2.755_731_921_933_916_7e-6,
    -2.505_210_623_244_757_8e-8,
    1.605_853_161_898_614_7e-10,
    -7.586_697_117_706_918e-13,
];
/// (cos r - 1 + r^2/2) / r^4 in r^2 for |r| <= pi/4, error 3e-18.
const COS: [f64; 7] = [
    0.041_666_666_666_666_664,
    -0.001_388_888_888_888_888_7,
    2.480_158_730_158_464_5e-5,
    -2.755_731_922_140_282_4e-7,
    2.087_675_579_108_042e-9,
    -1.147_046_088_760_995_9e-11,
    4.745_871_902_043_291_5e-14,
];
/// (2 atanh(s) - 2 s - 2/3 s^3) / s^5 in s^2 for |s| <= 0.1716, error 3e-17.
const ATANH: [f64; 8] = [
    0.4,
    0.285_714_285_714_293_7,
    0.222_222_222_216_547_33,
    0.181_818_183_356_541_6,
    0.153_845_949_345_979_17,
    0.133_348_062_121_006_03,
    0.117_061_956_898_813_64,
    0.117_236_036_229_054_11,
];
/// 2/3 in two parts.
const TWO_THIRDS: (f64, f64) = (0.666_666_666_666_666_6, 3.700_743_415_417_188e-17);

/// The remainder and the number of quarter turns (i64; only its low two bits count) of a small angle.
fn reduce_small<E: Emit>(e: &E, x: E::V) -> (E::V, E::V) {
    let (n, quarter) = nearest_d(e, x, std::f64::consts::FRAC_2_PI);
    let r = e.fma(n, e.d(-HALF_PI.0), x);
    let r = e.fma(n, e.d(-HALF_PI.1), r);
    (e.fma(n, e.d(-HALF_PI.2), r), quarter)
}

/// Four neighbouring words of [`TWO_OVER_PI`] from an i64 `index` on.
fn words<E: Emit>(e: &E, index: E::V) -> [E::V; 4] {
    let at = |i: usize| e.l(TWO_OVER_PI[i.min(TWO_OVER_PI.len() - 1)] as i64);
    let mut found = [0, 1, 2, 3].map(at);
    for i in 1..TWO_OVER_PI.len() - 3 {
        let here = e.cmpi(IntCompare::Eq, index, e.l(i as i64));
        for (ahead, word) in found.iter_mut().enumerate() {
            *word = e.select(here, at(i + ahead), *word);
        }
    }
    found
}

/// The upper half of the product of two unsigned i64.
fn product_high<E: Emit>(e: &E, a: E::V, b: E::V) -> E::V {
    let low = |v: E::V| e.binary(Binary::And, v, e.l(0xFFFF_FFFF));
    let high = |v: E::V| e.binary(Binary::ShrU, v, e.l(32));
    let times = |x: E::V, y: E::V| e.binary(Binary::MulI, x, y);
    let plus = |x: E::V, y: E::V| e.binary(Binary::AddI, x, y);
    let (lh, hl) = (times(low(a), high(b)), times(high(a), low(b)));
    let middle = plus(plus(low(lh), low(hl)), high(times(low(a), low(b))));
    plus(
        plus(times(high(a), high(b)), high(middle)),
        plus(high(lh), high(hl)),
    )
}

/// The same of a large angle, infinities and NaN: their remainder is NaN.
fn reduce_large<E: Emit>(e: &E, x: E::V) -> (E::V, E::V) {
    let bits = e.cast(Cast::ToBits, x);
    let exponent = e.binary(
        Binary::And,
        e.binary(Binary::ShrU, bits, e.l(52)),
        e.l(0x7FF),
    );
    let m = e.binary(
        Binary::Or,
        e.binary(Binary::And, bits, e.l((1 << 52) - 1)),
        e.l(1 << 52),
    );
    // |x| = m 2^(exponent - 1075). Bits of 2/pi that give whole turns are left out; the table starts 64 bits early.
    let start = e.binary(Binary::SubI, exponent, e.l(1013));
    let shift = e.binary(Binary::And, start, e.l(63));
    // Two shifts below 64 make one of up to 64.
    let back = e.binary(Binary::SubI, e.l(63), shift);
    let table = words(e, e.binary(Binary::ShrS, start, e.l(6)));
    let window = |at: usize| {
        let low = e.binary(
            Binary::ShrU,
            e.binary(Binary::ShrU, table[at + 1], e.l(1)),
            back,
        );
        e.binary(Binary::Or, e.binary(Binary::Shl, table[at], shift), low)
    };
    let (w0, w1, w2) = (window(0), window(1), window(2));
    // The product in quarter turns: two bits before the point, 126 behind it.
    let low_part = e.binary(Binary::MulI, m, w1);
    let low = e.binary(Binary::AddI, low_part, product_high(e, m, w2));
    let flip = |v: E::V| e.binary(Binary::Xor, v, e.l(i64::MIN));
    let carries = e.cmpi(IntCompare::Slt, flip(low), flip(low_part));
    let high = e.binary(
        Binary::AddI,
        e.binary(Binary::MulI, m, w0),
        product_high(e, m, w1),
    );
    let high = e.binary(Binary::AddI, high, e.select(carries, e.l(1), e.l(0)));
    let quarter = e.binary(
        Binary::ShrU,
        e.binary(Binary::AddI, high, e.l(1 << 61)),
        e.l(62),
    );
    let fraction = e.binary(Binary::SubI, high, e.binary(Binary::Shl, quarter, e.l(62)));
    let rest = e.cast(Cast::IntToF64, e.binary(Binary::ShrU, low, e.l(1)));
    let sum = e.fma(rest, e.d(2f64.powi(-63)), e.cast(Cast::IntToF64, fraction));
    let r = e.mul(sum, e.d(std::f64::consts::FRAC_PI_2 / 2f64.powi(62)));
    let negative = e.cmpi(IntCompare::Slt, bits, e.l(0));
    let quarter = e.select(negative, e.binary(Binary::SubI, e.l(0), quarter), quarter);
    let finite = e.cmpi(IntCompare::Ne, exponent, e.l(0x7FF));
    (
        e.select(finite, e.select(negative, e.neg(r), r), e.d(f64::NAN)),
        quarter,
    )
}

/// Whether a bit of an i64 is set.
fn bit<E: Emit>(e: &E, value: E::V, mask: i64) -> E::V {
    e.cmpi(
        IntCompare::Ne,
        e.binary(Binary::And, value, e.l(mask)),
        e.l(0),
    )
}

/// sin of `r` plus `quarter` quarter turns.
fn sin_of<E: Emit>(e: &E, (r, quarter): (E::V, E::V)) -> E::V {
    let z = e.mul(r, r);
    let sin = e.fma(e.mul(e.poly_d(z, &SIN), z), r, r);
    let half = e.mul(z, e.d(0.5));
    let w = e.sub(e.d(1.0), half);
    let lost = e.sub(e.sub(e.d(1.0), w), half);
    let cos = e.add(w, e.fma(e.mul(z, z), e.poly_d(z, &COS), lost));
    let value = e.select(bit(e, quarter, 1), cos, sin);
    e.select(bit(e, quarter, 2), e.neg(value), value)
}

/// sin of x and `turns` quarter turns.
fn sin_ahead<E: Emit>(e: &E, x: E::V, turns: i64) -> E::V {
    let small = e.cmpf(FloatCompare::Olt, e.abs(x), e.d(SMALL));
    let ahead = |e: &E, (r, quarter): (E::V, E::V)| {
        sin_of(e, (r, e.binary(Binary::AddI, quarter, e.l(turns))))
    };
    e.branch(
        small,
        |e| ahead(e, reduce_small(e, x)),
        |e| ahead(e, reduce_large(e, x)),
    )
}

/// sin x in f64
pub(super) fn sin<E: Emit>(e: &E, x: E::V) -> E::V {
    // Keeps the sign of a zero, which the reduction's sums lose.
    e.select(
        e.cmpf(FloatCompare::Oeq, x, e.d(0.0)),
        x,
        sin_ahead(e, x, 0),
    )
}

/// cos x in f64
pub(super) fn cos<E: Emit>(e: &E, x: E::V) -> E::V {
    sin_ahead(e, x, 1)
}

/// tanh x in f64: `d / (d + 2)` with d = e^2|x| - 1.
pub(super) fn tanh<E: Emit>(e: &E, x: E::V) -> E::V {
    let a = e.abs(x);
    let doubled = clamp(e, e.add(a, a), e.d(0.0), e.d(44.0));
    let (n, k) = nearest_d(e, doubled, std::f64::consts::LOG2_E);
    let high = e.fma(n, e.d(-LN2_D.0), doubled);
    let r = e.fma(n, e.d(-LN2_D.1), high);
    let low = e.fma(n, e.d(-LN2_D.1), e.sub(high, r));
    let s = power_of_two_d(e, k);
    // e^r - 1 without the sum with 1, which would lose digits.
    let less_one = e.add(r, e.fma(e.poly_d(r, &EXP_D), e.mul(r, r), low));
    let grown = e.fma(s, less_one, e.sub(s, e.d(1.0)));
    let value = e.div(grown, e.add(grown, e.d(2.0)));
    e.binary(Binary::CopySign, value, x)
}

/// The sum of two numbers and its rounding error, where the first is not smaller.
fn quick_sum<E: Emit>(e: &E, a: E::V, b: E::V) -> (E::V, E::V) {
    let sum = e.add(a, b);
    (sum, e.sub(b, e.sub(sum, a)))
}

/// The sum of two numbers and its rounding error.
fn two_sum<E: Emit>(e: &E, a: E::V, b: E::V) -> (E::V, E::V) {
    let sum = e.add(a, b);
    let of_b = e.sub(sum, a);
    (sum, e.add(e.sub(a, e.sub(sum, of_b)), e.sub(b, of_b)))
}

/// ln of a positive finite number in two parts, to about 65 bits.
fn log_parts<E: Emit>(e: &E, x: E::V) -> (E::V, E::V) {
    let parts = split_d(e, x);
    let f = e.sub(parts.m, e.d(1.0));
    let d = e.add(parts.m, e.d(1.0));
    let d_low = e.sub(parts.m, e.sub(d, e.d(1.0)));
    // s = f / (m + 1), ln m = 2 atanh s.
    let s = e.div(f, d);
    let s_low = e.div(e.fma(e.neg(s), d_low, e.fma(e.neg(s), d, f)), d);
    let z = e.mul(s, s);
    let z_low = e.fma(e.add(s, s), s_low, e.fma(s, s, e.neg(z)));
    let cube = e.mul(z, s);
    let cube_low = e.fma(z, s_low, e.fma(z_low, s, e.fma(z, s, e.neg(cube))));
    let third = e.mul(cube, e.d(TWO_THIRDS.0));
    let third_low = e.fma(cube, e.d(TWO_THIRDS.0), e.neg(third));
    let third_low = e.fma(
        cube_low,
        e.d(TWO_THIRDS.0),
        e.fma(cube, e.d(TWO_THIRDS.1), third_low),
    );
    let tail = e.mul(e.mul(e.poly_d(z, &ATANH), cube), z);
    let (high, low) = quick_sum(e, e.add(s, s), third);
    let low = e.add(low, e.add(e.add(e.add(s_low, s_low), third_low), tail));
    // k ln 2's first part is exact: 32 bits times 11.
    let (high, error) = two_sum(e, e.mul(parts.k, e.d(LN2_D.0)), high);
    let low = e.fma(parts.k, e.d(LN2_D.1), e.add(error, low));
    quick_sum(e, high, low)
}

/// e^(high + low) for a tiny `low`.
fn exp_of_parts<E: Emit>(e: &E, high: E::V, low: E::V) -> E::V {
    let clamped = clamp(e, high, e.d(-746.0), e.d(710.0));
    // Where the first part overflows, the second is none.
    let inside = e.cmpf(FloatCompare::Oeq, clamped, high);
    let low = e.select(inside, low, e.d(0.0));
    let (n, k) = nearest_d(e, clamped, std::f64::consts::LOG2_E);
    let most = e.fma(n, e.d(-LN2_D.0), clamped);
    let r = e.fma(n, e.d(-LN2_D.1), most);
    let rest = e.fma(n, e.d(-LN2_D.1), e.sub(most, r));
    // e^(r + low) is e^r + e^r low; the rounding of the second term does not count.
    let rest = e.fma(exp_reduced_d(e, r, rest), low, rest);
    scale_d(e, exp_reduced_d(e, r, rest), k)
}

/// x^y in f64
pub(super) fn powf<E: Emit>(e: &E, x: E::V, y: E::V) -> E::V {
    let (zero, one, infinity) = (e.d(0.0), e.d(1.0), e.d(f64::INFINITY));
    let a = e.abs(x);
    let (log, log_low) = log_parts(e, a);
    let product = e.mul(y, log);
    let low = e.fma(y, log_low, e.fma(y, log, e.neg(product)));
    let magnitude = exp_of_parts(e, product, low);
    // Bases 0 and infinity: the sign of the exponent alone decides.
    let grows = e.select(e.cmpf(FloatCompare::Ogt, y, zero), infinity, zero);
    let shrinks = e.select(e.cmpf(FloatCompare::Ogt, y, zero), zero, infinity);
    let magnitude = e.select(e.cmpf(FloatCompare::Oeq, a, infinity), grows, magnitude);
    let magnitude = e.select(e.cmpf(FloatCompare::Oeq, a, zero), shrinks, magnitude);
    let magnitude = e.select(e.cmpf(FloatCompare::Oeq, a, one), one, magnitude);

    // Negative bases: odd exponents give the sign, exponents that are not integers have no result.
    let half = e.mul(y, e.d(0.5));
    let integral = e.cmpf(FloatCompare::Oeq, e.unary(Unary::Trunc, y), y);
    let even = e.cmpf(FloatCompare::Oeq, e.unary(Unary::Trunc, half), half);
    let not = |condition: E::V| e.cmpf(FloatCompare::Oeq, e.select(condition, one, zero), zero);
    let odd = e.binary(Binary::And, integral, not(even));
    let negative = e.cmpi(IntCompare::Slt, e.cast(Cast::ToBits, x), e.l(0));
    let signed = e.select(
        e.binary(Binary::And, negative, odd),
        e.neg(magnitude),
        magnitude,
    );
    let below = e.binary(
        Binary::And,
        e.cmpf(FloatCompare::Olt, x, zero),
        e.cmpf(FloatCompare::Ogt, x, e.d(f64::NEG_INFINITY)),
    );
    let value = e.select(
        e.binary(Binary::And, below, not(integral)),
        e.d(f64::NAN),
        signed,
    );

    let value = e.select(e.cmpf(FloatCompare::Uno, x, y), e.add(x, y), value);
    let value = e.select(e.cmpf(FloatCompare::Oeq, x, one), one, value);
    e.select(e.cmpf(FloatCompare::Oeq, y, zero), one, value)
}
