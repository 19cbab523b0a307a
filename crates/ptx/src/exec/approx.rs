//! The approximate functions (PTX ISA: `rcp`, `sqrt`, `rsqrt`, `sin`, `cos`, `lg2`, `ex2`, `tanh` with `.approx`,
//! and `div.approx`, `div.full`).
//!
//! Each is computed in `f64` and rounded to the result type, so it is at least as exact as PTX demands; it is not
//! bit-identical to any GPU. `.approx` single-precision instructions without `.ftz` support subnormals as PTX says.

use super::float::{FTZ, Float, canonical};
use super::half::{from_value, value_of};
use super::lanes::{Pair, each1, each2};
use crate::isa::{Alu, AluFn};
use crate::regs::Regs;
use crate::types::Type;

fn run32(regs: &mut Regs, i: &Alu, mask: u32, f: impl Fn(f64) -> f64) {
    if i.flags & FTZ != 0 {
        each1::<f32, f32>(regs, i, mask, |a| {
            canonical((f(f64::from(a.flush())) as f32).flush())
        });
    } else {
        each1::<f32, f32>(regs, i, mask, |a| canonical(f(f64::from(a)) as f32));
    }
}

fn rsqrt(a: f64) -> f64 {
    1.0 / a.sqrt()
}

/// The unary functions of one `f32` or `f64`.
pub(crate) fn unary(name: &str, ty: Type) -> Option<AluFn> {
    macro_rules! f32_of {
        ($f:expr) => {{
            fn run(regs: &mut Regs, i: &Alu, mask: u32) {
                run32(regs, i, mask, $f);
            }
            run as AluFn
        }};
    }
    Some(match (name, ty) {
        ("rcp", Type::F32) => f32_of!(f64::recip),
        ("sqrt", Type::F32) => f32_of!(f64::sqrt),
        ("rsqrt", Type::F32) => f32_of!(rsqrt),
        ("sin", Type::F32) => f32_of!(f64::sin),
        ("cos", Type::F32) => f32_of!(f64::cos),
        ("lg2", Type::F32) => f32_of!(f64::log2),
        ("ex2", Type::F32) => f32_of!(f64::exp2),
        ("tanh", Type::F32) => f32_of!(f64::tanh),
        ("rcp", Type::F64) => |regs, i, mask| each1::<f64, f64>(regs, i, mask, f64::recip),
        ("rsqrt", Type::F64) => |regs, i, mask| each1::<f64, f64>(regs, i, mask, rsqrt),
        ("ex2" | "tanh", _) => return half_unary(name, ty),
        _ => return None,
    })
}

fn half_unary(name: &str, ty: Type) -> Option<AluFn> {
    fn one(f: fn(f64) -> f64, bfloat: bool, bits: u16) -> u16 {
        from_value(f(value_of(bits, bfloat)), bfloat)
    }
    fn run(regs: &mut Regs, i: &Alu, mask: u32, f: fn(f64) -> f64, bfloat: bool, packed: bool) {
        if packed {
            each1::<Pair<u16>, Pair<u16>>(regs, i, mask, |a| {
                Pair(one(f, bfloat, a.0), one(f, bfloat, a.1))
            });
        } else {
            each1::<u16, u16>(regs, i, mask, |a| one(f, bfloat, a));
        }
    }
    let exp = name == "ex2";
    Some(match (ty, exp) {
        (Type::F16, true) => |r, i, m| run(r, i, m, f64::exp2, false, false),
        (Type::F16x2, true) => |r, i, m| run(r, i, m, f64::exp2, false, true),
        (Type::Bf16, true) => |r, i, m| run(r, i, m, f64::exp2, true, false),
        (Type::Bf16x2, true) => |r, i, m| run(r, i, m, f64::exp2, true, true),
        (Type::F16, false) => |r, i, m| run(r, i, m, f64::tanh, false, false),
        (Type::F16x2, false) => |r, i, m| run(r, i, m, f64::tanh, false, true),
        (Type::Bf16, false) => |r, i, m| run(r, i, m, f64::tanh, true, false),
        (Type::Bf16x2, false) => |r, i, m| run(r, i, m, f64::tanh, true, true),
        _ => return None,
    })
}

/// `div.approx.f32` and `div.full.f32`: correctly rounded division is within their bounds.
pub(crate) fn divide(ty: Type) -> Option<AluFn> {
    fn run(regs: &mut Regs, i: &Alu, mask: u32) {
        if i.flags & FTZ != 0 {
            each2::<f32, f32, f32>(regs, i, mask, |a, b| {
                canonical((a.flush() / b.flush()).flush())
            });
        } else {
            each2::<f32, f32, f32>(regs, i, mask, |a, b| canonical(a / b));
        }
    }
    (ty == Type::F32).then_some(run as AluFn)
}
