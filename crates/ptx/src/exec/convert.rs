//! `cvt` (PTX ISA, "Data Movement and Conversion Instructions: cvt").
//!
//! A conversion reads the source as an exact number and rounds it once. Between integers it is an extension to 64
//! bits followed by a cut or clamp; the pairs compilers emit all day have their own loops.

use super::float::{FTZ, Float, RELU, SAT, SATFINITE, canonical, round_flags, round_of};
use super::lanes::{Pair, un};
use crate::floats;
use crate::isa::{Alu, AluFn};
use crate::regs::{Regs, lanes};
use crate::types::{Bank, Type};
use segra_float::{FloatKind, Number, Round};

const FROM_SHIFT: u32 = 16;
const TO_SHIFT: u32 = 24;

const CODES: [Type; 15] = [
    Type::U8,
    Type::U16,
    Type::U32,
    Type::U64,
    Type::S8,
    Type::S16,
    Type::S32,
    Type::S64,
    Type::F16,
    Type::Bf16,
    Type::F32,
    Type::F64,
    Type::Tf32,
    Type::E4m3x2,
    Type::E5m2x2,
];

/// Flag: round to an integral value of the same float type first.
const INTEGRAL: u32 = 1 << 5;

fn code(ty: Type) -> Option<u32> {
    CODES
        .iter()
        .position(|&known| known == ty)
        .map(|at| at as u32)
}

fn coded(code: u32) -> Type {
    CODES
        .get((code & 0xff) as usize)
        .copied()
        .unwrap_or(Type::U32)
}

/// How a conversion rounds: to the nearest representable value of the type, or to an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    Value(Round),
    Integral(Round),
}

/// The function and flags of `cvt.to.from`.
pub(crate) fn select(
    to: Type,
    from: Type,
    rounding: Option<Rounding>,
    mods: u32,
) -> Option<(AluFn, u32)> {
    let plain = mods == 0;
    let value_nearest = matches!(rounding, None | Some(Rounding::Value(Round::NearestEven)));
    let fast: Option<AluFn> = match (to, from) {
        (Type::U64 | Type::S64, Type::U32) if plain => Some(un!(u32 => u64, u64::from)),
        (Type::U64 | Type::S64, Type::S32) if plain => Some(un!(i32 => i64, i64::from)),
        (Type::U32 | Type::S32, Type::U64 | Type::S64) if plain => {
            Some(un!(u64 => u32, |a| a as u32))
        }
        (Type::U32 | Type::S32, Type::U16) if plain => Some(un!(u16 => u32, u32::from)),
        (Type::U32 | Type::S32, Type::S16) if plain => Some(un!(i16 => i32, i32::from)),
        (Type::U32 | Type::S32, Type::U8) if plain => Some(un!(u8 => u32, u32::from)),
        (Type::U16 | Type::S16, Type::U32 | Type::S32) if plain => {
            Some(un!(u32 => u16, |a| a as u16))
        }
        (Type::F32, Type::S32) if plain && value_nearest => Some(un!(i32 => f32, |a| a as f32)),
        (Type::F32, Type::U32) if plain && value_nearest => Some(un!(u32 => f32, |a| a as f32)),
        (Type::F64, Type::S32) if plain => Some(un!(i32 => f64, f64::from)),
        (Type::F64, Type::U32) if plain => Some(un!(u32 => f64, f64::from)),
        (Type::F64, Type::F32) if plain && rounding.is_none() => Some(un!(f32 => f64, f64::from)),
        (Type::F32, Type::F64) if plain && value_nearest => {
            Some(un!(f64 => f32, |a| canonical(a as f32)))
        }
        (Type::F32, Type::Bf16) if plain && rounding.is_none() => {
            Some(un!(u16 => u32, |a| u32::from(a) << 16))
        }
        (Type::S32, Type::F32) if plain && rounding == Some(Rounding::Integral(Round::Zero)) => {
            Some(un!(f32 => i32, |a| a as i32))
        }
        _ => None,
    };
    if let Some(run) = fast {
        return Some((run, 0));
    }
    let (round, integral) = match rounding {
        None => (Round::NearestEven, 0),
        Some(Rounding::Value(round)) => (round, 0),
        Some(Rounding::Integral(round)) => (round, INTEGRAL),
    };
    let flags =
        mods | round_flags(round) | integral | code(from)? << FROM_SHIFT | code(to)? << TO_SHIFT;
    Some((run, flags))
}

/// Reads a lane as the raw bits of its type.
fn raw(regs: &Regs, ty: Type, slot: u32, lane: usize) -> u64 {
    match ty.bank() {
        Some(Bank::Double) => regs.doubles[slot as usize][lane],
        _ => u64::from(regs.words[slot as usize][lane]),
    }
}

fn run(regs: &mut Regs, i: &Alu, mask: u32) {
    let (from, to) = (coded(i.flags >> FROM_SHIFT), coded(i.flags >> TO_SHIFT));
    for lane in lanes(mask) {
        let out = convert(raw(regs, from, i.a, lane), from, to, i.flags);
        match to.bank() {
            Some(Bank::Double) => regs.doubles[i.d as usize][lane] = out,
            _ => regs.words[i.d as usize][lane] = out as u32,
        }
    }
}

fn format(ty: Type) -> Option<FloatKind> {
    Some(match ty {
        Type::F16 => FloatKind::F16,
        Type::Bf16 => FloatKind::BF16,
        Type::F32 => FloatKind::F32,
        Type::F64 => FloatKind::F64,
        Type::Tf32 => FloatKind::TF32,
        // One half of the pair.
        Type::E4m3x2 => FloatKind::F8E4M3FN,
        Type::E5m2x2 => FloatKind::F8E5M2,
        _ => return None,
    })
}

/// Sign- or zero-extends the low bits of an integer type.
pub(crate) fn extend(bits: u64, ty: Type) -> i128 {
    let width = 8 * ty.bytes();
    let shift = 64 - width;
    if ty.is_signed() {
        i128::from((bits << shift) as i64 >> shift)
    } else {
        i128::from(bits << shift >> shift)
    }
}

/// Smallest and largest value of an integer type.
fn range(ty: Type) -> (i128, i128) {
    let width = 8 * ty.bytes();
    if ty.is_signed() {
        (-(1 << (width - 1)), (1 << (width - 1)) - 1)
    } else {
        (0, (1 << width) - 1)
    }
}

fn flush(bits: u64, ty: Type) -> u64 {
    if ty == Type::F32 {
        u64::from(f32::from_bits(bits as u32).flush().to_bits())
    } else {
        bits
    }
}

/// Converts one value; `flags` as [`select`] makes them.
fn convert(bits: u64, from: Type, to: Type, flags: u32) -> u64 {
    let ftz = flags & FTZ != 0;
    let round = round_of(flags);
    match (format(from), format(to)) {
        (None, None) => {
            let value = extend(bits, from);
            let (low, high) = range(to);
            let value = if flags & SAT != 0 {
                value.clamp(low, high)
            } else {
                value
            };
            cut(value as u64, to)
        }
        (None, Some(format)) => pack_float(Number::from(extend(bits, from)), to, format, flags),
        (Some(format), None) => {
            let bits = if ftz { flush(bits, from) } else { bits };
            cut(
                to_integer(floats::unpack(bits, format), from, to, round),
                to,
            )
        }
        (Some(source), Some(target)) => {
            let bits = if ftz { flush(bits, from) } else { bits };
            let mut number = floats::unpack(bits, source);
            if flags & INTEGRAL != 0
                && let Number::Finite { exponent: ..0, .. } = number
                && let Some(magnitude) = number.to_integer(round)
            {
                number = Number::integer(number.is_negative(), magnitude);
            }
            pack_float(number, to, target, flags)
        }
    }
}

fn cut(bits: u64, ty: Type) -> u64 {
    let width = 8 * ty.bytes();
    // Narrow results are sign-extended to the register, which is at least 16 bits wide and kept zero-extended
    // above that: bytes occupy 16 bits.
    match width {
        64 => bits,
        8 if ty.is_signed() => u64::from(bits as i8 as i16 as u16),
        _ => bits & ((1 << width) - 1),
    }
}

fn pack_float(number: Number, to: Type, format: FloatKind, flags: u32) -> u64 {
    let mut bits = if flags & SATFINITE != 0 {
        floats::pack_saturating(number, format, round_of(flags))
    } else {
        floats::pack(number, format, round_of(flags))
    };
    if flags & RELU != 0 && !number.is_nan() && bits > format.sign_mask() as u64 {
        bits = 0;
    }
    if to == Type::Tf32 {
        // The lowest bits of the register are not part of the number; of a NaN they are ones too.
        bits = if number.is_nan() {
            floats::nan(FloatKind::F32)
        } else {
            bits << 13
        };
    }
    if flags & FTZ != 0 {
        bits = flush(bits, to);
    }
    if flags & SAT != 0 {
        let value = floats::to_f64(bits, format);
        bits = floats::from_f64(value.saturate(), format, Round::NearestEven);
    }
    bits
}

fn to_integer(number: Number, from: Type, to: Type, round: Round) -> u64 {
    let (low, high) = range(to);
    match number {
        // The ISA's table of NaN results.
        Number::Nan { .. } if from == Type::F64 || to.bytes() == 8 => 1 << (8 * to.bytes() - 1),
        Number::Nan { .. } => 0,
        Number::Infinite { negative } => (if negative { low } else { high }) as u64,
        Number::Finite { negative, .. } => {
            // One too large for `i128` is beyond every range.
            let magnitude = number
                .to_integer(round)
                .and_then(|m| i128::try_from(m).ok());
            let magnitude = magnitude.unwrap_or(i128::MAX);
            let value = if negative { -magnitude } else { magnitude };
            value.clamp(low, high) as u64
        }
    }
}

/// `cvt.rn.f16x2.f32 d, a, b` and its kin: `a` goes to the high half.
pub(crate) fn pack_pair(to: Type, round: Round, mods: u32) -> Option<(AluFn, u32)> {
    fn pair(regs: &mut Regs, i: &Alu, mask: u32) {
        let to = coded(i.flags >> TO_SHIFT);
        super::lanes::each2::<u32, u32, Pair<u16>>(regs, i, mask, |a, b| {
            let one = |v: u32| convert(u64::from(v), Type::F32, to, i.flags) as u16;
            Pair(one(b), one(a))
        });
    }
    fn bytes(regs: &mut Regs, i: &Alu, mask: u32) {
        let to = coded(i.flags >> TO_SHIFT);
        super::lanes::each2::<u32, u32, u16>(regs, i, mask, |a, b| {
            let one = |v: u32| convert(u64::from(v), Type::F32, to, i.flags) as u16;
            one(b) | one(a) << 8
        });
    }
    let (run, to): (AluFn, Type) = match to {
        Type::F16x2 => (pair, Type::F16),
        Type::Bf16x2 => (pair, Type::Bf16),
        Type::E4m3x2 | Type::E5m2x2 => (bytes, to),
        _ => return None,
    };
    Some((run, mods | round_flags(round) | code(to)? << TO_SHIFT))
}

/// `cvt` between a pair of halves and a pair of 8-bit floats.
pub(crate) fn repack(to: Type, from: Type, round: Round, mods: u32) -> Option<(AluFn, u32)> {
    fn narrow(regs: &mut Regs, i: &Alu, mask: u32) {
        let to = coded(i.flags >> TO_SHIFT);
        super::lanes::each1::<Pair<u16>, u16>(regs, i, mask, |a| {
            let one = |v: u16| convert(u64::from(v), Type::F16, to, i.flags) as u16;
            one(a.0) | one(a.1) << 8
        });
    }
    fn widen(regs: &mut Regs, i: &Alu, mask: u32) {
        let from = coded(i.flags >> FROM_SHIFT);
        super::lanes::each1::<u16, Pair<u16>>(regs, i, mask, |a| {
            let one = |v: u16| convert(u64::from(v & 0xff), from, Type::F16, i.flags) as u16;
            Pair(one(a), one(a >> 8))
        });
    }
    let flags = mods | round_flags(round);
    match (to, from) {
        (Type::E4m3x2 | Type::E5m2x2, Type::F16x2) => Some((narrow, flags | code(to)? << TO_SHIFT)),
        (Type::F16x2, Type::E4m3x2 | Type::E5m2x2) => {
            Some((widen, flags | code(from)? << FROM_SHIFT))
        }
        _ => None,
    }
}

/// `cvt.pack.sat`: two integers clamped to `to`, `a` above `b`, below the low bits of `c` where they leave space.
pub(crate) fn pack_integers(to: Type) -> Option<(AluFn, u32)> {
    fn run(regs: &mut Regs, i: &Alu, mask: u32) {
        let to = coded(i.flags >> TO_SHIFT);
        let (low, high) = range(to);
        let width = 8 * to.bytes();
        super::lanes::each3::<i32, i32, u32, u32>(regs, i, mask, |a, b, c| {
            let one = |v: i32| (i128::from(v).clamp(low, high) as u32) & ((1 << width) - 1);
            let pair = one(b) | one(a) << width;
            if width == 16 { pair } else { pair | c << 16 }
        });
    }
    matches!(to, Type::U8 | Type::S8 | Type::U16 | Type::S16).then_some(())?;
    Some((run, code(to)? << TO_SHIFT))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cvt(bits: u64, from: Type, to: Type, rounding: Rounding, mods: u32) -> u64 {
        let (round, integral) = match rounding {
            Rounding::Value(round) => (round, 0),
            Rounding::Integral(round) => (round, INTEGRAL),
        };
        convert(bits, from, to, mods | round_flags(round) | integral)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]
        #[test]
        fn float_to_integer_agrees_with_the_host(bits in prop_oneof![any::<u32>(), (0u32..400).prop_map(|v| (v as f32 / 3.0 - 60.0).to_bits())]) {
            let value = f32::from_bits(bits);
            prop_assume!(!value.is_nan());
            let bits = u64::from(bits);
            let to = |ty, round| cvt(bits, Type::F32, ty, Rounding::Integral(round), 0);
            prop_assert_eq!(to(Type::S32, Round::Zero) as u32, value as i32 as u32);
            prop_assert_eq!(to(Type::U32, Round::Zero) as u32, value as u32);
            prop_assert_eq!(to(Type::S64, Round::Zero), value as i64 as u64);
            prop_assert_eq!(to(Type::U64, Round::Zero), value as u64);
            prop_assert_eq!(to(Type::S32, Round::NearestEven) as u32, value.round_ties_even() as i32 as u32);
            prop_assert_eq!(to(Type::S32, Round::Down) as u32, value.floor() as i32 as u32);
            prop_assert_eq!(to(Type::S32, Round::Up) as u32, value.ceil() as i32 as u32);
        }

        #[test]
        fn rounding_to_an_integral_float_agrees_with_the_host(bits in prop_oneof![any::<u32>(), (0u32..400).prop_map(|v| (v as f32 / 4.0 - 50.0).to_bits())]) {
            let value = f32::from_bits(bits);
            prop_assume!(!value.is_nan());
            for (round, expected) in [
                (Round::NearestEven, value.round_ties_even()),
                (Round::Zero, value.trunc()),
                (Round::Down, value.floor()),
                (Round::Up, value.ceil()),
            ] {
                let got = cvt(u64::from(bits), Type::F32, Type::F32, Rounding::Integral(round), 0);
                prop_assert_eq!(got as u32, expected.to_bits(), "{} {:?}", value, round);
            }
        }

        #[test]
        fn integer_to_float_agrees_with_the_host(value in any::<u64>(), shift in 0u32..64) {
            let value = value >> shift;
            let rn = Rounding::Value(Round::NearestEven);
            prop_assert_eq!(cvt(value, Type::U64, Type::F32, rn, 0) as u32, (value as f32).to_bits());
            prop_assert_eq!(cvt(value, Type::S64, Type::F32, rn, 0) as u32, (value as i64 as f32).to_bits());
            prop_assert_eq!(cvt(value, Type::U64, Type::F64, rn, 0), (value as f64).to_bits());
        }
    }
}
