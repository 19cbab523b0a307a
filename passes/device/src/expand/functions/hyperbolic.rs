//! sinh, cosh, tanh.

use super::exponential::{exp, expm1};
use crate::expand::emit::{Binary, Emit, FloatCompare};

/// (tanh x - x) / x^3 in x^2 for |x| <= 0.6, error 1e-9.
const TANH: [f32; 6] = [
    -0.333_333_34,
    0.133_333_13,
    -0.053_961_553,
    0.021_788_321,
    -0.008_410_07,
    0.002_370_765_7,
];

/// tanh x: a polynomial near 0, else `1 - 2 / (e^2|x| + 1)`.
pub(super) fn tanh<E: Emit>(e: &E, x: E::V) -> E::V {
    let a = e.abs(x);
    let z = e.mul(x, x);
    let near = e.fma(e.mul(e.poly(z, &TANH), z), x, x);
    let grown = exp(e, e.add(a, a));
    let quotient = e.div(e.f(2.0), e.add(grown, e.f(1.0)));
    let far = e.sub(e.f(1.0), quotient);
    // The polynomial's sum loses the sign of a zero.
    e.binary(
        Binary::CopySign,
        e.select(e.cmpf(FloatCompare::Olt, a, e.f(0.6)), near, far),
        x,
    )
}

/// `e^a / 2`, without overflow where the half does not.
fn half_exp<E: Emit>(e: &E, a: E::V) -> E::V {
    // e^a / 2 = (e^(a/2) / 2) e^(a/2); only where e^a itself is too large, for two roundings cost accuracy.
    let root = exp(e, e.mul(a, e.f(0.5)));
    let split = e.mul(e.mul(root, e.f(0.5)), root);
    e.select(
        e.cmpf(FloatCompare::Ogt, a, e.f(88.0)),
        split,
        e.mul(exp(e, a), e.f(0.5)),
    )
}

/// sinh x: `(d + d / (d + 1)) / 2` with d = e^|x| - 1.
pub(super) fn sinh<E: Emit>(e: &E, x: E::V) -> E::V {
    let a = e.abs(x);
    let d = expm1(e, a);
    let near = e.mul(e.add(d, e.div(d, e.add(d, e.f(1.0)))), e.f(0.5));
    let value = e.select(
        e.cmpf(FloatCompare::Ogt, a, e.f(10.0)),
        half_exp(e, a),
        near,
    );
    e.binary(Binary::CopySign, value, x)
}

/// cosh x: `(g + 1 / g) / 2` with g = e^|x|.
pub(super) fn cosh<E: Emit>(e: &E, x: E::V) -> E::V {
    let a = e.abs(x);
    let half = half_exp(e, a);
    e.add(half, e.div(e.f(0.25), half))
}
