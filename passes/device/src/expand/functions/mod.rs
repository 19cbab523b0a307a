//! The formulas, one per function, and the tables that tell which op each computes.
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
use segra_ir::{OpDef, OpView};
use segra_std::math;

/// A formula of one number.
pub type OfOne<E> = fn(&E, <E as Emit>::V) -> <E as Emit>::V;
/// A formula of two numbers.
pub type OfTwo<E> = fn(&E, <E as Emit>::V, <E as Emit>::V) -> <E as Emit>::V;
/// Which op each formula computes.
pub type Table<F> = Vec<(&'static OpDef, F)>;

/// The formula of an op, by its name; `None` where there is none.
pub fn formula<F: Copy>(table: &[(&OpDef, F)], op: &str) -> Option<F> {
    let row = table.iter().find(|row| row.0.name == op);
    row.map(|row| row.1)
}

/// Functions of one f32.
pub fn f32_unary<E: Emit>() -> Table<OfOne<E>> {
    vec![
        (math::AcosOp::DEF, inverse::acos),
        (math::AsinOp::DEF, inverse::asin),
        (math::AtanOp::DEF, inverse::atan),
        (math::CbrtOp::DEF, power::cbrt),
        (math::CosOp::DEF, trigonometric::cos),
        (math::CoshOp::DEF, hyperbolic::cosh),
        (math::ErfOp::DEF, special::erf),
        (math::ExpOp::DEF, exponential::exp),
        (math::Exp2Op::DEF, exponential::exp2),
        (math::ExpM1Op::DEF, exponential::expm1),
        (math::LogOp::DEF, logarithm::log),
        (math::Log10Op::DEF, logarithm::log10),
        (math::Log1pOp::DEF, logarithm::log1p),
        (math::Log2Op::DEF, logarithm::log2),
        (math::SinOp::DEF, trigonometric::sin),
        (math::SinhOp::DEF, hyperbolic::sinh),
        (math::TanOp::DEF, trigonometric::tan),
        (math::TanhOp::DEF, hyperbolic::tanh),
    ]
}

/// Functions of two f32.
pub fn f32_binary<E: Emit>() -> Table<OfTwo<E>> {
    vec![
        (math::Atan2Op::DEF, inverse::atan2),
        (math::PowFOp::DEF, power::powf),
    ]
}

/// Functions of one f64.
pub fn f64_unary<E: Emit>() -> Table<OfOne<E>> {
    vec![
        (math::CosOp::DEF, double::cos),
        (math::ExpOp::DEF, exponential::exp_d),
        (math::Exp2Op::DEF, exponential::exp2_d),
        (math::LogOp::DEF, logarithm::log_d),
        (math::Log10Op::DEF, logarithm::log10_d),
        (math::Log2Op::DEF, logarithm::log2_d),
        (math::SinOp::DEF, double::sin),
        (math::TanhOp::DEF, double::tanh),
    ]
}

/// Functions of two f64.
pub fn f64_binary<E: Emit>() -> Table<OfTwo<E>> {
    vec![(math::PowFOp::DEF, double::powf)]
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
