//! sin, cos, tan.
//!
//! `x = n pi/2 + r` with |r| <= pi/4: in three steps of fma for |x| up to 2^15, by the bits of 2/pi above (Payne and
//! Hanek's method: only those bits of 2/pi that decide the fraction are multiplied).

use super::nearest;
use crate::expand::emit::{Binary, Cast, Emit, FloatCompare, IntCompare, Unary};

/// pi/2 in three parts.
const HALF_PI: (f32, f32, f32) = (std::f32::consts::FRAC_PI_2, -4.371_139e-8, -1.715_124_5e-15);
/// Below this the three-part reduction is exact enough.
const SMALL: f32 = 32_768.0;
/// 32 zero bits, then the first bits of 2/pi.
const TWO_OVER_PI: [u64; 4] = [
    0x0000_0000_A2F9_836E,
    0x4E44_1529_FC27_57D1,
    0xF534_DDC0_DB62_9599,
    0x3C43_9041_FE60_0000,
];
/// (sin r - r) / r^3 in r^2, error 3e-11.
const SIN: [f32; 4] = [
    -0.166_666_67,
    0.008_333_332,
    -0.000_198_400_39,
    2.724_378_2e-6,
];
/// (cos r - 1 + r^2/2) / r^4 in r^2, error 2.1e-9.
const COS: [f32; 3] = [0.041_666_664, -0.001_388_828, 2.454_287_1e-5];

/// The remainder and the number of quarter turns (i32; only its low two bits count).
fn reduce<E: Emit>(e: &E, x: E::V) -> (E::V, E::V) {
    let small = e.cmpf(FloatCompare::Olt, e.abs(x), e.f(SMALL));
    // One value leaves each branch: both parts in one i64, the remainder's bits above.
    let packed = e.branch(
        small,
        |e| pack(e, reduce_small(e, x)),
        |e| pack(e, reduce_large(e, x)),
    );
    let quarter = e.cast(Cast::Truncate, packed);
    let bits = e.cast(Cast::Truncate, e.binary(Binary::ShrU, packed, e.l(32)));
    (e.cast(Cast::FromBits, bits), quarter)
}

fn pack<E: Emit>(e: &E, (r, quarter): (E::V, E::V)) -> E::V {
    let high = e.cast(Cast::ZeroExtend, e.cast(Cast::ToBits, r));
    e.binary(
        Binary::Or,
        e.binary(Binary::Shl, high, e.l(32)),
        e.cast(Cast::ZeroExtend, quarter),
    )
}

fn reduce_small<E: Emit>(e: &E, x: E::V) -> (E::V, E::V) {
    let (n, quarter) = nearest(e, x, std::f32::consts::FRAC_2_PI);
    let r = e.fma(n, e.f(-HALF_PI.0), x);
    let r = e.fma(n, e.f(-HALF_PI.1), r);
    (e.fma(n, e.f(-HALF_PI.2), r), quarter)
}

/// Word `index` of [`TWO_OVER_PI`] for an i32 `index` from 0 to 3, starting `ahead` words later.
fn word<E: Emit>(e: &E, index: E::V, ahead: usize) -> E::V {
    let at = |i: usize| e.l(TWO_OVER_PI.get(i + ahead).copied().unwrap_or(0) as i64);
    let mut word = at(2);
    for i in [1, 0] {
        word = e.select(e.cmpi(IntCompare::Eq, index, e.i(i as i32)), at(i), word);
    }
    word
}

fn reduce_large<E: Emit>(e: &E, x: E::V) -> (E::V, E::V) {
    let bits = e.cast(Cast::ToBits, x);
    let exponent = e.binary(
        Binary::And,
        e.binary(Binary::ShrU, bits, e.i(23)),
        e.i(0xFF),
    );
    // |x| = m 2^(exponent - 150); 2^(exponent - 152) m 2/pi is |x| in whole turns of four quarters. The window of
    // 2/pi starts 32 bits early because of its leading zeros.
    let start = e.binary(Binary::SubI, exponent, e.i(152 - 32));
    let m = e.binary(
        Binary::Or,
        e.binary(Binary::And, bits, e.i(0x7F_FFFF)),
        e.i(0x80_0000),
    );
    let m = e.cast(Cast::ZeroExtend, m);
    let index = e.binary(Binary::ShrS, start, e.i(6));
    let shift = e.cast(Cast::ZeroExtend, e.binary(Binary::And, start, e.i(63)));
    let (w0, w1, w2) = (word(e, index, 0), word(e, index, 1), word(e, index, 2));
    // Two shifts below 64 make one of up to 64.
    let back = e.binary(Binary::SubI, e.l(63), shift);
    let join = |high: E::V, low: E::V| {
        let low = e.binary(Binary::ShrU, e.binary(Binary::ShrU, low, e.l(1)), back);
        e.binary(Binary::Or, e.binary(Binary::Shl, high, shift), low)
    };
    let (first, second) = (join(w0, w1), e.binary(Binary::ShrU, join(w1, w2), e.l(32)));
    let low = e.binary(Binary::ShrU, e.binary(Binary::MulI, m, second), e.l(32));
    let turns = e.binary(Binary::AddI, e.binary(Binary::MulI, m, first), low);
    let quarter = e.binary(
        Binary::ShrU,
        e.binary(Binary::AddI, turns, e.l(1 << 61)),
        e.l(62),
    );
    let fraction = e.binary(Binary::SubI, turns, e.binary(Binary::Shl, quarter, e.l(62)));
    // In f64: three roundings to f32 would show, and few threads come here.
    let scale = e.d(std::f64::consts::FRAC_PI_2 / 4_611_686_018_427_387_904.0);
    let r = e.cast(Cast::Narrow, e.mul(e.cast(Cast::IntToF64, fraction), scale));
    // The sign of x turns both; infinities and NaN have no remainder.
    let negative = e.cmpi(IntCompare::Slt, bits, e.i(0));
    let quarter = e.cast(Cast::Truncate, quarter);
    let quarter = e.select(negative, e.binary(Binary::SubI, e.i(0), quarter), quarter);
    let finite = e.cmpi(IntCompare::Ne, exponent, e.i(0xFF));
    (
        e.select(finite, e.select(negative, e.neg(r), r), e.f(f32::NAN)),
        quarter,
    )
}

fn sin_reduced<E: Emit>(e: &E, r: E::V, z: E::V) -> E::V {
    e.fma(e.mul(e.poly(z, &SIN), z), r, r)
}

fn cos_reduced<E: Emit>(e: &E, z: E::V) -> E::V {
    let tail = e.fma(e.poly(z, &COS), z, e.f(-0.5));
    e.fma(tail, z, e.f(1.0))
}

/// Whether a bit of an i32 is set.
fn bit<E: Emit>(e: &E, value: E::V, mask: i32) -> E::V {
    e.cmpi(
        IntCompare::Ne,
        e.binary(Binary::And, value, e.i(mask)),
        e.i(0),
    )
}

/// sin of `r` plus `quarter` quarter turns.
fn sin_of<E: Emit>(e: &E, r: E::V, quarter: E::V) -> E::V {
    let z = e.mul(r, r);
    let value = e.select(bit(e, quarter, 1), cos_reduced(e, z), sin_reduced(e, r, z));
    e.select(bit(e, quarter, 2), e.unary(Unary::Neg, value), value)
}

/// sin x
pub(super) fn sin<E: Emit>(e: &E, x: E::V) -> E::V {
    let (r, quarter) = reduce(e, x);
    // Keeps the sign of a zero, which the reduction's sums lose.
    e.select(
        e.cmpf(FloatCompare::Oeq, x, e.f(0.0)),
        x,
        sin_of(e, r, quarter),
    )
}

/// cos x
pub(super) fn cos<E: Emit>(e: &E, x: E::V) -> E::V {
    let (r, quarter) = reduce(e, x);
    sin_of(e, r, e.binary(Binary::AddI, quarter, e.i(1)))
}

/// tan x
pub(super) fn tan<E: Emit>(e: &E, x: E::V) -> E::V {
    let (r, quarter) = reduce(e, x);
    let z = e.mul(r, r);
    let (sin, cos) = (sin_reduced(e, r, z), cos_reduced(e, z));
    let odd = bit(e, quarter, 1);
    let value = e.div(e.select(odd, e.neg(cos), sin), e.select(odd, sin, cos));
    e.select(e.cmpf(FloatCompare::Oeq, x, e.f(0.0)), x, value)
}
