//! `f16` and `bf16` arithmetic, scalar and packed (PTX ISA, "Half Precision Floating-Point Instructions").
//!
//! The exact sum or product is rounded once, by `segra-float`.

use super::float::{FTZ, Float, NAN, RELU, SAT, XORSIGN, min_max, round_of};
use super::lanes::{Pair, each1, each2, each3, test2};
use super::predicate::{Target, write_pair, write_set_pair};
use crate::floats;
use crate::isa::{Alu, AluFn};
use crate::regs::Regs;
use crate::types::Type;
use segra_float::{FloatKind, Number, Round};

/// The format is bfloat16, not IEEE half.
const BFLOAT: u32 = 1 << 16;
const OP_SHIFT: u32 = 17;

#[derive(Clone, Copy)]
enum HalfOp {
    Add,
    Sub,
    Mul,
    Min,
    Max,
    Neg,
    Abs,
}

const OPS: [HalfOp; 7] = [
    HalfOp::Add,
    HalfOp::Sub,
    HalfOp::Mul,
    HalfOp::Min,
    HalfOp::Max,
    HalfOp::Neg,
    HalfOp::Abs,
];

fn format(bfloat: bool) -> FloatKind {
    if bfloat {
        FloatKind::BF16
    } else {
        FloatKind::F16
    }
}

/// The value of a half pattern.
pub(crate) fn value_of(bits: u16, bfloat: bool) -> f64 {
    if bfloat {
        f64::from(f32::from_bits(u32::from(bits) << 16))
    } else {
        f64::from(half::f16::from_bits(bits).to_f32())
    }
}

/// Rounds to nearest even.
pub(crate) fn from_value(value: f64, bfloat: bool) -> u16 {
    floats::from_f64(value, format(bfloat), Round::NearestEven) as u16
}

/// Subnormal numbers become zero of the same sign.
pub(crate) fn flush(bits: u16, bfloat: bool) -> u16 {
    let exponent = if bfloat { 0x7f80 } else { 0x7c00 };
    if bits & exponent == 0 {
        bits & 0x8000
    } else {
        bits
    }
}

fn prepare(bits: u16, flags: u32) -> Number {
    let bfloat = flags & BFLOAT != 0;
    let bits = if flags & FTZ != 0 {
        flush(bits, bfloat)
    } else {
        bits
    };
    floats::unpack(u64::from(bits), format(bfloat))
}

fn finish(number: Number, flags: u32) -> u16 {
    let bfloat = flags & BFLOAT != 0;
    let mut bits = floats::pack(number, format(bfloat), round_of(flags)) as u16;
    if flags & FTZ != 0 {
        bits = flush(bits, bfloat);
    }
    let value = value_of(bits, bfloat);
    if flags & SAT != 0 {
        bits = from_value(value.saturate(), bfloat);
    }
    if flags & RELU != 0 && value < 0.0 {
        bits = 0;
    }
    bits
}

fn op2(flags: u32, a: u16, b: u16) -> u16 {
    let bfloat = flags & BFLOAT != 0;
    let op = OPS[(flags >> OP_SHIFT) as usize % OPS.len()];
    match op {
        HalfOp::Add => finish(
            prepare(a, flags).add(prepare(b, flags), Round::NearestEven),
            flags,
        ),
        HalfOp::Sub => finish(
            prepare(a, flags).subtract(prepare(b, flags), Round::NearestEven),
            flags,
        ),
        HalfOp::Mul => finish(prepare(a, flags).multiply(prepare(b, flags)), flags),
        HalfOp::Min | HalfOp::Max => {
            let widen = |bits| {
                value_of(
                    if flags & FTZ != 0 {
                        flush(bits, bfloat)
                    } else {
                        bits
                    },
                    bfloat,
                )
            };
            let max = matches!(op, HalfOp::Max);
            from_value(
                min_max(max, flags & (NAN | XORSIGN), widen(a), widen(b)),
                bfloat,
            )
        }
        HalfOp::Neg => {
            (if flags & FTZ != 0 {
                flush(a, bfloat)
            } else {
                a
            }) ^ 0x8000
        }
        HalfOp::Abs => {
            (if flags & FTZ != 0 {
                flush(a, bfloat)
            } else {
                a
            }) & 0x7fff
        }
    }
}

fn op3(flags: u32, a: u16, b: u16, c: u16) -> u16 {
    let product = prepare(a, flags).multiply(prepare(b, flags));
    finish(product.add(prepare(c, flags), round_of(flags)), flags)
}

/// Whether the type is bfloat16 and whether it is packed; `None` for other types.
fn shape(ty: Type) -> Option<(bool, bool)> {
    match ty {
        Type::F16 => Some((false, false)),
        Type::F16x2 => Some((false, true)),
        Type::Bf16 => Some((true, false)),
        Type::Bf16x2 => Some((true, true)),
        _ => None,
    }
}

/// `add`, `sub`, `mul`, `min`, `max`, `neg`, `abs`, `fma`: the function and its complete flags.
pub(crate) fn select(name: &str, ty: Type, flags: u32) -> Option<(AluFn, u32)> {
    let (bfloat, packed) = shape(ty)?;
    let flags = flags | if bfloat { BFLOAT } else { 0 };
    let op = match name {
        "add" => HalfOp::Add,
        "sub" => HalfOp::Sub,
        "mul" => HalfOp::Mul,
        "min" => HalfOp::Min,
        "max" => HalfOp::Max,
        "neg" => HalfOp::Neg,
        "abs" => HalfOp::Abs,
        "fma" => return Some((if packed { fma_packed } else { fma_scalar }, flags)),
        _ => return None,
    };
    let run: AluFn = match (packed, matches!(op, HalfOp::Neg | HalfOp::Abs)) {
        (false, true) => |r, i, m| each1::<u16, u16>(r, i, m, |a| op2(i.flags, a, 0)),
        (true, true) => |r, i, m| {
            each1::<Pair<u16>, Pair<u16>>(r, i, m, |a| {
                Pair(op2(i.flags, a.0, 0), op2(i.flags, a.1, 0))
            });
        },
        (false, false) => |r, i, m| each2::<u16, u16, u16>(r, i, m, |a, b| op2(i.flags, a, b)),
        (true, false) => |r, i, m| {
            each2::<Pair<u16>, Pair<u16>, Pair<u16>>(r, i, m, |a, b| {
                Pair(op2(i.flags, a.0, b.0), op2(i.flags, a.1, b.1))
            });
        },
    };
    Some((run, flags | (op as u32) << OP_SHIFT))
}

fn fma_scalar(regs: &mut Regs, i: &Alu, mask: u32) {
    each3::<u16, u16, u16, u16>(regs, i, mask, |a, b, c| op3(i.flags, a, b, c));
}

fn fma_packed(regs: &mut Regs, i: &Alu, mask: u32) {
    each3::<Pair<u16>, Pair<u16>, Pair<u16>, Pair<u16>>(regs, i, mask, |a, b, c| {
        Pair(op3(i.flags, a.0, b.0, c.0), op3(i.flags, a.1, b.1, c.1))
    });
}

/// Comparisons of packed halves, each half by itself: `setp` writes the low half's to `d` and the high half's to `e`,
/// `set` both to the halves of `d`.
pub(crate) fn compare_packed(name: &str, ty: Type, flags: u32, target: Target) -> Option<AluFn> {
    macro_rules! cmp {
        ($f:expr) => {{
            fn run<const BFLOAT: bool, const FLUSH: bool>(regs: &Regs, i: &Alu) -> (u32, u32) {
                let widen = |bits| value_of(if FLUSH { flush(bits, BFLOAT) } else { bits }, BFLOAT);
                let f: fn(f64, f64) -> bool = $f;
                (
                    test2::<Pair<u16>>(regs, i.a, i.b, |a, b| f(widen(a.0), widen(b.0))),
                    test2::<Pair<u16>>(regs, i.a, i.b, |a, b| f(widen(a.1), widen(b.1))),
                )
            }
            fn setp<const BFLOAT: bool, const FLUSH: bool>(regs: &mut Regs, i: &Alu, mask: u32) {
                let bits = run::<BFLOAT, FLUSH>(regs, i);
                write_pair(regs, i, mask, bits);
            }
            fn set<const BFLOAT: bool, const FLUSH: bool>(regs: &mut Regs, i: &Alu, mask: u32) {
                let bits = run::<BFLOAT, FLUSH>(regs, i);
                write_set_pair(regs, i, mask, bits);
            }
            match (target, ty == Type::Bf16x2, flags & FTZ != 0) {
                (Target::Predicates, false, false) => setp::<false, false> as AluFn,
                (Target::Predicates, false, true) => setp::<false, true>,
                (Target::Predicates, true, false) => setp::<true, false>,
                (Target::Mask, false, false) => set::<false, false>,
                (Target::Mask, false, true) => set::<false, true>,
                (Target::Mask, true, false) => set::<true, false>,
                (_, true, true) => return None,
            }
        }};
    }
    Some(match name {
        "eq" => cmp!(|a, b| a == b),
        "ne" => cmp!(|a, b| a.lt(&b) || a.gt(&b)),
        "lt" => cmp!(|a, b| a < b),
        "le" => cmp!(|a, b| a <= b),
        "gt" => cmp!(|a, b| a > b),
        "ge" => cmp!(|a, b| a >= b),
        "equ" => cmp!(|a, b| !a.lt(&b) && !a.gt(&b)),
        "neu" => cmp!(|a, b| a != b),
        "ltu" => cmp!(|a, b| !a.ge(&b)),
        "leu" => cmp!(|a, b| !a.gt(&b)),
        "gtu" => cmp!(|a, b| !a.le(&b)),
        "geu" => cmp!(|a, b| !a.lt(&b)),
        "num" => cmp!(|a, b| !a.is_nan() && !b.is_nan()),
        "nan" => cmp!(|a, b| a.is_nan() || b.is_nan()),
        _ => return None,
    })
}
