//! The formulas, one per function, and the tables that find them by the op's name without `math.`.
//!
//! Polynomials are Chebyshev fits on the interval named at each, made with 60 digits and rounded; range reductions are
//! the textbook ones (J.-M. Muller, "Elementary Functions", chapters 9 to 11).

mod double;
mod exponential;
mod hyperbolic;
mod inverse;
mod logarithm;
mod power;
mod special;
mod trigonometric;

use crate::expand::emit::{Binary, Cast, Emit, FloatCompare};

/// Functions of one f32.
pub const F32_UNARY: &[&str] = &[
    "acos", "asin", "atan", "cbrt", "cos", "cosh", "erf", "exp", "exp2", "expm1", "log", "log10",
    "log1p", "log2", "sin", "sinh", "tan", "tanh",
];

/// Functions of two f32.
pub const F32_BINARY: &[&str] = &["atan2", "powf"];

/// Functions of one f64.
pub const F64_UNARY: &[&str] = &["cos", "exp", "exp2", "log", "log10", "log2", "sin", "tanh"];

/// Functions of two f64.
pub const F64_BINARY: &[&str] = &["powf"];

/// The function of that name of an f32; `None` where there is no formula.
pub fn f32_unary<E: Emit>(e: &E, name: &str, x: E::V) -> Option<E::V> {
    Some(match name {
        "acos" => inverse::acos(e, x),
        "asin" => inverse::asin(e, x),
        "atan" => inverse::atan(e, x),
        "cbrt" => power::cbrt(e, x),
        "cos" => trigonometric::cos(e, x),
        "cosh" => hyperbolic::cosh(e, x),
        "erf" => special::erf(e, x),
        "exp" => exponential::exp(e, x),
        "exp2" => exponential::exp2(e, x),
        "expm1" => exponential::expm1(e, x),
        "log" => logarithm::log(e, x),
        "log10" => logarithm::log10(e, x),
        "log1p" => logarithm::log1p(e, x),
        "log2" => logarithm::log2(e, x),
        "sin" => trigonometric::sin(e, x),
        "sinh" => hyperbolic::sinh(e, x),
        "tan" => trigonometric::tan(e, x),
        "tanh" => hyperbolic::tanh(e, x),
        _ => return None,
    })
}

/// The function of that name of two f32; `None` where there is no formula.
pub fn f32_binary<E: Emit>(e: &E, name: &str, x: E::V, y: E::V) -> Option<E::V> {
    Some(match name {
        "atan2" => inverse::atan2(e, x, y),
        "powf" => power::powf(e, x, y),
        _ => return None,
    })
}

/// The function of that name of an f64; `None` where there is no formula.
pub fn f64_unary<E: Emit>(e: &E, name: &str, x: E::V) -> Option<E::V> {
    Some(match name {
        "cos" => double::cos(e, x),
        "exp" => exponential::exp_d(e, x),
        "exp2" => exponential::exp2_d(e, x),
        "log" => logarithm::log_d(e, x),
        "log10" => logarithm::log10_d(e, x),
        "log2" => logarithm::log2_d(e, x),
        "sin" => double::sin(e, x),
        "tanh" => double::tanh(e, x),
        _ => return None,
    })
}

/// The function of that name of two f64; `None` where there is no formula.
pub fn f64_binary<E: Emit>(e: &E, name: &str, x: E::V, y: E::V) -> Option<E::V> {
    Some(match name {
        "powf" => double::powf(e, x, y),
        _ => return None,
    })
}

/// `x` moved into `[low, high]`; NaN stays.
fn clamp<E: Emit>(e: &E, x: E::V, low: E::V, high: E::V) -> E::V {
    let x = e.select(e.cmpf(FloatCompare::Ogt, x, high), high, x);
    e.select(e.cmpf(FloatCompare::Olt, x, low), low, x)
}

/// 2^k as f32 for an i32 `k` from -126 to 127.
fn power_of_two<E: Emit>(e: &E, k: E::V) -> E::V {
    let biased = e.binary(Binary::AddI, k, e.i(127));
    e.cast(Cast::FromBits, e.binary(Binary::Shl, biased, e.i(23)))
}

/// 2^k as f64 for an i64 `k` from -1022 to 1023.
fn power_of_two_d<E: Emit>(e: &E, k: E::V) -> E::V {
    let biased = e.binary(Binary::AddI, k, e.l(1023));
    e.cast(Cast::FromBits, e.binary(Binary::Shl, biased, e.l(52)))
}

/// The integer nearest to a product, as a float and as bits: adding 1.5 * 2^23 pushes the fraction out of the
/// significand and leaves the integer in its low bits. No conversion, so NaN makes no undefined integer.
fn nearest<E: Emit>(e: &E, x: E::V, factor: f32) -> (E::V, E::V) {
    const SHIFTER: f32 = 12_582_912.0;
    let shifted = e.fma(x, e.f(factor), e.f(SHIFTER));
    let float = e.sub(shifted, e.f(SHIFTER));
    let bits = e.cast(Cast::ToBits, shifted);
    (
        float,
        e.binary(Binary::SubI, bits, e.i(SHIFTER.to_bits() as i32)),
    )
}

/// The same in f64, with 1.5 * 2^52.
fn nearest_d<E: Emit>(e: &E, x: E::V, factor: f64) -> (E::V, E::V) {
    const SHIFTER: f64 = 6_755_399_441_055_744.0;
    let shifted = e.fma(x, e.d(factor), e.d(SHIFTER));
    let float = e.sub(shifted, e.d(SHIFTER));
    let bits = e.cast(Cast::ToBits, shifted);
    (
        float,
        e.binary(Binary::SubI, bits, e.l(SHIFTER.to_bits() as i64)),
    )
}
