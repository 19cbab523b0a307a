//! `f32` and `f64` arithmetic (PTX ISA, "Floating Point Instructions").
//!
//! Round-to-nearest without modifiers is the host's own arithmetic in vector loops; `.ftz` adds a flush of operands
//! and result; directed rounding and `.sat` take the slow road through `segra-float`.

use super::lanes::{Lane, bin, each2, each3, map2, test1, test2, tri, un};
use super::predicate::{Target, write_set, write_setp};
use super::vector;
use crate::floats;
use crate::isa::{Alu, AluFn};
use crate::regs::{Regs, set_predicate};
use crate::types::Type;
use half::{bf16, f16};
use segra_float::{FloatKind, Number, Round};

/// Subnormal operands and results become zero of the same sign.
pub(crate) const FTZ: u32 = 1;
/// The result is clamped to [0, 1], NaN to 0.
pub(crate) const SAT: u32 = 2;
/// Negative results become zero.
pub(crate) const RELU: u32 = 4;
/// `.NaN`: a NaN operand gives NaN.
pub(crate) const NAN: u32 = 8;
/// Results beyond the largest finite number become that number.
pub(crate) const SATFINITE: u32 = 64;
/// `.xorsign.abs`: minimum or maximum of magnitudes with the product's sign.
pub(crate) const XORSIGN: u32 = 16;
const ROUND_SHIFT: u32 = 8;

/// Rounding mode as flag bits.
pub(crate) fn round_flags(round: Round) -> u32 {
    (match round {
        Round::NearestEven => 0,
        Round::Zero => 1,
        Round::Down => 2,
        Round::Up => 3,
        Round::NearestAway => 4,
    }) << ROUND_SHIFT
}

/// Rounding mode out of flag bits.
pub(crate) fn round_of(flags: u32) -> Round {
    match flags >> ROUND_SHIFT & 7 {
        0 => Round::NearestEven,
        1 => Round::Zero,
        2 => Round::Down,
        3 => Round::Up,
        _ => Round::NearestAway,
    }
}

/// The two formats the host computes in.
pub(crate) trait Float: Lane + PartialOrd {
    const FORMAT: FloatKind;
    fn flush(self) -> Self;
    fn saturate(self) -> Self;
    fn bits(self) -> u64;
    fn of_bits(bits: u64) -> Self;
    fn number(self) -> Number {
        floats::unpack(self.bits(), Self::FORMAT)
    }
    fn negated(self) -> Self;
    fn magnitude(self) -> Self;
    fn is_negative(self) -> bool;
    fn is_not_a_number(self) -> bool;
    fn canonical_nan() -> Self {
        Self::of_bits(floats::nan(Self::FORMAT))
    }
}

macro_rules! float {
    ($t:ident, $bits:ident, $format:expr) => {
        impl Float for $t {
            const FORMAT: FloatKind = $format;
            #[inline(always)]
            fn flush(self) -> Self {
                if self.abs() < $t::MIN_POSITIVE {
                    (0.0 as $t).copysign(self)
                } else {
                    self
                }
            }
            #[inline(always)]
            fn saturate(self) -> Self {
                // A NaN fails the first comparison, so it becomes zero.
                if self > 0.0 {
                    if self < 1.0 { self } else { 1.0 }
                } else {
                    0.0
                }
            }
            #[inline(always)]
            fn bits(self) -> u64 {
                u64::from(self.to_bits())
            }
            #[inline(always)]
            fn of_bits(bits: u64) -> Self {
                $t::from_bits(bits as $bits)
            }
            #[inline(always)]
            fn negated(self) -> Self {
                -self
            }
            #[inline(always)]
            fn magnitude(self) -> Self {
                self.abs()
            }
            #[inline(always)]
            fn is_negative(self) -> bool {
                self.is_sign_negative()
            }
            #[inline(always)]
            fn is_not_a_number(self) -> bool {
                self.is_nan()
            }
        }
    };
}
float!(f32, u32, FloatKind::F32);
float!(f64, u64, FloatKind::F64);

/// Single-precision instructions return one NaN, whatever their operands'.
#[inline(always)]
pub(crate) fn canonical(value: f32) -> f32 {
    // Asked and chosen as integers: the optimiser may take any NaN for any other where it sees a choice of floats,
    // and did for square roots.
    let bits = value.to_bits();
    f32::from_bits(if bits & 0x7fff_ffff > 0x7f80_0000 {
        0x7fff_ffff
    } else {
        bits
    })
}

#[derive(Clone, Copy)]
enum Slow {
    Add,
    Sub,
    Mul,
    Div,
}

fn prepare<T: Float>(value: T, flags: u32) -> T {
    if flags & FTZ != 0 {
        value.flush()
    } else {
        value
    }
}

fn finish<T: Float>(number: Number, flags: u32) -> T {
    let value = T::of_bits(floats::pack(number, T::FORMAT, round_of(flags)));
    let value = prepare(value, flags);
    if flags & SAT != 0 {
        value.saturate()
    } else {
        value
    }
}

fn slow2<T: Float>(op: Slow, flags: u32, a: T, b: T) -> T {
    let (a, b) = (prepare(a, flags), prepare(b, flags));
    let round = round_of(flags);
    let exact = match op {
        Slow::Add => a.number().add(b.number(), round),
        Slow::Sub => a.number().subtract(b.number(), round),
        Slow::Mul => a.number().multiply(b.number()),
        Slow::Div => a.number().divide(b.number()),
    };
    finish(exact, flags)
}

macro_rules! slow2 {
    ($t:ty, $op:expr) => {{
        fn run(regs: &mut Regs, i: &Alu, mask: u32) {
            each2::<$t, $t, $t>(regs, i, mask, |a, b| slow2($op, i.flags, a, b));
        }
        run as AluFn
    }};
}

/// `add`, `sub`, `mul`, `div`.
pub(crate) fn binary(name: &str, ty: Type, flags: u32) -> Option<AluFn> {
    let fast = flags == 0;
    let flushed = flags == FTZ;
    Some(match (name, ty) {
        ("add", Type::F32) if fast => bin!(f32, |a, b| canonical(a + b)),
        ("sub", Type::F32) if fast => bin!(f32, |a, b| canonical(a - b)),
        ("mul", Type::F32) if fast => bin!(f32, |a, b| canonical(a * b)),
        ("div", Type::F32) if fast => bin!(f32, |a, b| canonical(a / b)),
        ("add", Type::F32) if flushed => {
            bin!(f32, |a, b| canonical((a.flush() + b.flush()).flush()))
        }
        ("sub", Type::F32) if flushed => {
            bin!(f32, |a, b| canonical((a.flush() - b.flush()).flush()))
        }
        ("mul", Type::F32) if flushed => {
            bin!(f32, |a, b| canonical((a.flush() * b.flush()).flush()))
        }
        ("div", Type::F32) if flushed => {
            bin!(f32, |a, b| canonical((a.flush() / b.flush()).flush()))
        }
        ("add", Type::F64) if fast => bin!(f64, |a, b| a + b),
        ("sub", Type::F64) if fast => bin!(f64, |a, b| a - b),
        ("mul", Type::F64) if fast => bin!(f64, |a, b| a * b),
        ("div", Type::F64) if fast => bin!(f64, |a, b| a / b),
        ("add", Type::F32) => slow2!(f32, Slow::Add),
        ("sub", Type::F32) => slow2!(f32, Slow::Sub),
        ("mul", Type::F32) => slow2!(f32, Slow::Mul),
        ("div", Type::F32) => slow2!(f32, Slow::Div),
        ("add", Type::F64) => slow2!(f64, Slow::Add),
        ("sub", Type::F64) => slow2!(f64, Slow::Sub),
        ("mul", Type::F64) => slow2!(f64, Slow::Mul),
        ("div", Type::F64) => slow2!(f64, Slow::Div),
        _ => return None,
    })
}

/// `fma` and `mad` of floats, rounded once.
pub(crate) fn fma(ty: Type, flags: u32) -> Option<AluFn> {
    fn slow<T: Float>(regs: &mut Regs, i: &Alu, mask: u32) {
        each3::<T, T, T, T>(regs, i, mask, |a, b, c| {
            let [a, b, c] = [a, b, c].map(|v| prepare(v, i.flags).number());
            finish(a.multiply(b).add(c, round_of(i.flags)), i.flags)
        });
    }
    Some(match ty {
        Type::F32 if flags == 0 => vector::fma_f32(),
        Type::F64 if flags == 0 => vector::fma_f64(),
        Type::F32 if flags == FTZ => {
            tri!(f32, f32, f32 => f32, |a, b, c| {
                canonical(a.flush().mul_add(b.flush(), c.flush()).flush())
            })
        }
        Type::F32 => slow::<f32>,
        Type::F64 => slow::<f64>,
        _ => return None,
    })
}

/// `add`, `sub` and `fma` of `f32` whose sources but for the last one are of a narrow type, rounded once.
pub(crate) fn mixed(name: &str, narrow: Type) -> Option<AluFn> {
    fn sum(values: [f32; 3], flags: u32) -> f32 {
        let [a, b, c] = values.map(|v| prepare(v, flags).number());
        finish(a.multiply(b).add(c, round_of(flags)), flags)
    }
    macro_rules! of {
        ($narrow:ty) => {
            match name {
                "add" => |regs, i, mask| {
                    each3::<$narrow, f32, f32, f32>(regs, i, mask, |a, c, _| {
                        sum([a.into(), 1.0, c], i.flags)
                    });
                },
                "sub" => |regs, i, mask| {
                    each3::<$narrow, f32, f32, f32>(regs, i, mask, |a, c, _| {
                        sum([a.into(), 1.0, -c], i.flags)
                    });
                },
                "fma" => |regs, i, mask| {
                    each3::<$narrow, $narrow, f32, f32>(regs, i, mask, |a, b, c| {
                        sum([a.into(), b.into(), c], i.flags)
                    });
                },
                _ => return None,
            }
        };
    }
    Some(match narrow {
        Type::F16 => of!(f16),
        Type::Bf16 => of!(bf16),
        _ => return None,
    })
}

/// `neg`, `abs`, `sqrt` and `rcp`; the latter two correctly rounded.
pub(crate) fn unary(name: &str, ty: Type, flags: u32) -> Option<AluFn> {
    fn slow_sqrt<T: Float>(regs: &mut Regs, i: &Alu, mask: u32) {
        super::lanes::each1::<T, T>(regs, i, mask, |a| {
            finish(prepare(a, i.flags).number().square_root(), i.flags)
        });
    }
    fn slow_rcp<T: Float>(regs: &mut Regs, i: &Alu, mask: u32) {
        super::lanes::each1::<T, T>(regs, i, mask, |a| {
            finish(
                Number::from(1).divide(prepare(a, i.flags).number()),
                i.flags,
            )
        });
    }
    Some(match (name, ty) {
        ("neg", Type::F32) if flags == FTZ => un!(f32 => f32, |a| -a.flush()),
        ("neg", Type::F32) => un!(f32 => f32, |a| -a),
        ("neg", Type::F64) => un!(f64 => f64, |a| -a),
        ("abs", Type::F32) if flags == FTZ => un!(f32 => f32, |a| a.flush().abs()),
        ("abs", Type::F32) => un!(f32 => f32, f32::abs),
        ("abs", Type::F64) => un!(f64 => f64, f64::abs),
        ("sqrt", Type::F32) if flags == 0 => un!(f32 => f32, |a| canonical(a.sqrt())),
        ("sqrt", Type::F64) if flags == 0 => un!(f64 => f64, f64::sqrt),
        ("sqrt", Type::F32) => slow_sqrt::<f32>,
        ("sqrt", Type::F64) => slow_sqrt::<f64>,
        ("rcp", Type::F32) if flags == 0 => un!(f32 => f32, |a| canonical(1.0 / a)),
        ("rcp", Type::F64) if flags == 0 => un!(f64 => f64, |a| 1.0 / a),
        ("rcp", Type::F32) => slow_rcp::<f32>,
        ("rcp", Type::F64) => slow_rcp::<f64>,
        _ => return None,
    })
}

/// Minimum or maximum by PTX's rules: one NaN is ignored (or wins with `.NaN`), -0 is below +0.
#[inline(always)]
pub(crate) fn min_max<T: Float>(max: bool, flags: u32, a: T, b: T) -> T {
    let (mut a, mut b) = (prepare(a, flags), prepare(b, flags));
    let negative = a.is_negative() != b.is_negative();
    if flags & XORSIGN != 0 {
        (a, b) = (a.magnitude(), b.magnitude());
    }
    let (a_nan, b_nan) = (a.is_not_a_number(), b.is_not_a_number());
    if a_nan && b_nan || flags & NAN != 0 && (a_nan || b_nan) {
        return T::canonical_nan();
    }
    let a_wins = if a_nan || b_nan {
        b_nan
    } else if a == b {
        a.is_negative() != max
    } else {
        (a > b) == max
    };
    let winner = if a_wins { a } else { b };
    if flags & XORSIGN != 0 && negative {
        winner.negated()
    } else {
        winner
    }
}

/// `min` and `max`.
pub(crate) fn extreme(max: bool, ty: Type, flags: u32) -> Option<AluFn> {
    fn general<T: Float, const MAX: bool>(regs: &mut Regs, i: &Alu, mask: u32) {
        map2::<T, T, T>(regs, i, mask, |a, b| min_max(MAX, i.flags, a, b));
    }
    fn plain<T: Float, const MAX: bool>(regs: &mut Regs, i: &Alu, mask: u32) {
        map2::<T, T, T>(regs, i, mask, |a, b| min_max(MAX, 0, a, b));
    }
    fn with_nan<T: Float, const MAX: bool>(regs: &mut Regs, i: &Alu, mask: u32) {
        map2::<T, T, T>(regs, i, mask, |a, b| min_max(MAX, NAN, a, b));
    }
    Some(match (ty, max, flags) {
        (Type::F32, false, 0) => plain::<f32, false>,
        (Type::F32, true, 0) => plain::<f32, true>,
        (Type::F32, false, NAN) => with_nan::<f32, false>,
        (Type::F32, true, NAN) => with_nan::<f32, true>,
        (Type::F32, false, _) => general::<f32, false>,
        (Type::F32, true, _) => general::<f32, true>,
        (Type::F64, false, _) => plain::<f64, false>,
        (Type::F64, true, _) => plain::<f64, true>,
        _ => return None,
    })
}

/// `copysign d, a, b`: the magnitude of `b` with the sign of `a`.
pub(crate) fn copysign(ty: Type) -> Option<AluFn> {
    match ty {
        Type::F32 => Some(bin!(f32, |a, b| b.copysign(a))),
        Type::F64 => Some(bin!(f64, |a, b| b.copysign(a))),
        _ => None,
    }
}

/// `testp`: classes of floats.
pub(crate) fn testp(name: &str, ty: Type) -> Option<AluFn> {
    macro_rules! test {
        ($f32:expr, $f64:expr) => {
            match ty {
                Type::F32 => {
                    (|r: &mut Regs, i: &Alu, m: u32| {
                        let bits = test1::<f32>(r, i.a, $f32);
                        set_predicate(r, i.d, m, bits);
                    }) as AluFn
                }
                Type::F64 => |r, i, m| {
                    let bits = test1::<f64>(r, i.a, $f64);
                    set_predicate(r, i.d, m, bits);
                },
                _ => return None,
            }
        };
    }
    Some(match name {
        "finite" => test!(f32::is_finite, f64::is_finite),
        "infinite" => test!(f32::is_infinite, f64::is_infinite),
        "number" => test!(|a| !a.is_nan(), |a| !a.is_nan()),
        "notanumber" => test!(f32::is_nan, f64::is_nan),
        "normal" => test!(f32::is_normal, f64::is_normal),
        "subnormal" => test!(f32::is_subnormal, f64::is_subnormal),
        _ => return None,
    })
}

/// Float comparisons. The `u` names are also true for NaN operands.
pub(crate) fn compare(name: &str, ty: Type, flags: u32, target: Target) -> Option<AluFn> {
    macro_rules! run {
        ($t:ty, $f:expr, $prepare:expr) => {{
            fn bits(regs: &Regs, i: &Alu) -> u32 {
                let prepare: fn($t) -> $t = $prepare;
                let f: fn(&$t, &$t) -> bool = $f;
                test2::<$t>(regs, i.a, i.b, |a, b| f(&prepare(a), &prepare(b)))
            }
            fn setp(regs: &mut Regs, i: &Alu, mask: u32) {
                let bits = bits(regs, i);
                write_setp(regs, i, mask, bits);
            }
            fn set(regs: &mut Regs, i: &Alu, mask: u32) {
                let bits = bits(regs, i);
                write_set(regs, i, mask, bits);
            }
            if target == Target::Predicates {
                setp as AluFn
            } else {
                set as AluFn
            }
        }};
    }
    macro_rules! cmp {
        ($f:expr) => {
            match ty {
                Type::F32 if flags & FTZ != 0 => run!(f32, $f, Float::flush),
                Type::F32 => run!(f32, $f, |v| v),
                Type::F64 => run!(f64, $f, |v| v),
                Type::F16 if flags & FTZ != 0 => {
                    run!(half::f16, $f, |v| half::f16::from_bits(super::half::flush(
                        v.to_bits(),
                        false
                    )))
                }
                Type::F16 => run!(half::f16, $f, |v| v),
                Type::Bf16 => run!(half::bf16, $f, |v| v),
                _ => return None,
            }
        };
    }
    Some(match name {
        "eq" => cmp!(|a, b| a == b),
        "ne" => cmp!(|a, b| a.lt(b) || a.gt(b)),
        "lt" => cmp!(|a, b| a < b),
        "le" => cmp!(|a, b| a <= b),
        "gt" => cmp!(|a, b| a > b),
        "ge" => cmp!(|a, b| a >= b),
        "equ" => cmp!(|a, b| !a.lt(b) && !a.gt(b)),
        "neu" => cmp!(|a, b| a != b),
        "ltu" => cmp!(|a, b| !a.ge(b)),
        "leu" => cmp!(|a, b| !a.gt(b)),
        "gtu" => cmp!(|a, b| !a.le(b)),
        "geu" => cmp!(|a, b| !a.lt(b)),
        "num" => cmp!(|a, b| a.partial_cmp(b).is_some()),
        "nan" => cmp!(|a, b| a.partial_cmp(b).is_none()),
        _ => return None,
    })
}
