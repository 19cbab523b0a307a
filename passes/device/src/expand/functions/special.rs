//! erf.

use super::clamp;
use super::exponential::exp;
use crate::expand::emit::{Binary, Emit, FloatCompare};

/// erf x / x - 1 in x^2 for |x| <= 0.95, error 6.3e-10.
const NEAR: [f32; 7] = [
    0.128_379_17,
    -0.376_126_32,
    0.112_836_696,
    -0.026_857_96,
    0.005_197_487_3,
    -0.000_810_291_56,
    8.204_17e-5,
];
/// ln(1 - erf t) for t from 0.9 to 4, error 1.9e-8.
const FAR: [f32; 9] = [
    0.000_318_539_65,
    -1.130_231,
    -0.631_823_9,
    -0.110_087_164,
    0.026_427_638,
    -0.004_762_626,
    0.000_597_585_75,
    -4.616_386e-5,
    1.643_063_7e-6,
];

/// erf x: a polynomial near 0, else 1 less the exponential of another.
pub(super) fn erf<E: Emit>(e: &E, x: E::V) -> E::V {
    let a = e.abs(x);
    let z = e.mul(x, x);
    let near = e.fma(e.poly(z, &NEAR), x, x);
    let t = clamp(e, a, e.f(0.0), e.f(4.0));
    let far = e.sub(e.f(1.0), exp(e, e.poly(t, &FAR)));
    let far = e.binary(Binary::CopySign, far, x);
    e.select(e.cmpf(FloatCompare::Olt, a, e.f(0.95)), near, far)
}
