//! Integer arithmetic (PTX ISA, "Integer Arithmetic Instructions" and "Extended-Precision Integer Arithmetic").
//!
//! Division by zero gives all ones and its remainder gives the dividend, as NVIDIA hardware does for unsigned
//! operands; PTX leaves the value open. The most negative number divided by -1 wraps.

use super::lanes::{Lane, bin, by_int, each, map3, test2, tri, un};
use super::predicate::{Target, write_set, write_setp};
use crate::isa::{Alu, AluFn, CARRY};
use crate::regs::{Regs, lanes, set_predicate};
use crate::types::Type;

/// The integer operations that differ between signed and unsigned lanes.
pub(crate) trait Int: Lane + Ord {
    fn divide(self, by: Self) -> Self;
    fn remainder(self, by: Self) -> Self;
    fn high(self, other: Self) -> Self;
    fn distance(self, other: Self) -> Self;
    fn shift_right(self, by: u32) -> Self;
    fn shift_left(self, by: u32) -> Self;
}

macro_rules! int {
    ($($t:ident $wide:ident $signed:expr),*) => {$(
        impl Int for $t {
            #[inline(always)]
            fn divide(self, by: Self) -> Self {
                if by == 0 { !0 } else { self.wrapping_div(by) }
            }
            #[inline(always)]
            fn remainder(self, by: Self) -> Self {
                if by == 0 { self } else { self.wrapping_rem(by) }
            }
            #[inline(always)]
            fn high(self, other: Self) -> Self {
                ((self as $wide).wrapping_mul(other as $wide) >> $t::BITS) as $t
            }
            #[inline(always)]
            fn distance(self, other: Self) -> Self {
                if self < other { other.wrapping_sub(self) } else { self.wrapping_sub(other) }
            }
            #[inline(always)]
            fn shift_right(self, by: u32) -> Self {
                if by < $t::BITS {
                    self >> by
                } else if $signed && (self as i128) < 0 {
                    !0
                } else {
                    0
                }
            }
            #[inline(always)]
            fn shift_left(self, by: u32) -> Self {
                if by < $t::BITS { self << by } else { 0 }
            }
        }
    )*};
}
int!(u16 u32 false, i16 i32 true, u32 u64 false, i32 i64 true, u64 u128 false, i64 i128 true);

/// Binary instructions whose operands and result have the instruction's type.
pub(crate) fn binary(name: &str, ty: Type) -> Option<AluFn> {
    match name {
        "add" => by_int!(ty, T => bin!(T, |a, b| a.wrapping_add(b))),
        "sub" => by_int!(ty, T => bin!(T, |a, b| a.wrapping_sub(b))),
        "mul.lo" => by_int!(ty, T => bin!(T, |a, b| a.wrapping_mul(b))),
        "mul.hi" => by_int!(ty, T => bin!(T, |a, b| a.high(b))),
        "div" => by_int!(ty, T => each!(T, T => T, |a, b| a.divide(b))),
        "rem" => by_int!(ty, T => each!(T, T => T, |a, b| a.remainder(b))),
        "min" => packed_min_max(ty, false).or(by_int!(ty, T => bin!(T, |a, b| a.min(b)))),
        "max" => packed_min_max(ty, true).or(by_int!(ty, T => bin!(T, |a, b| a.max(b)))),
        "min.relu" | "max.relu" => relu(name == "max.relu", ty),
        "add.sat" if ty == Type::S32 => Some(bin!(i32, i32::saturating_add)),
        "sub.sat" if ty == Type::S32 => Some(bin!(i32, i32::saturating_sub)),
        "mul24.lo" => match ty {
            Type::U32 => Some(bin!(u32, |a, b| (wide24u(a) * wide24u(b)) as u32)),
            Type::S32 => Some(bin!(i32, |a, b| (wide24s(a) * wide24s(b)) as i32)),
            _ => None,
        },
        "mul24.hi" => match ty {
            Type::U32 => Some(bin!(u32, |a, b| ((wide24u(a) * wide24u(b)) >> 16) as u32)),
            Type::S32 => Some(bin!(i32, |a, b| ((wide24s(a) * wide24s(b)) >> 16) as i32)),
            _ => None,
        },
        _ => None,
    }
}

/// `min.relu` and `max.relu`: negative results become zero.
fn relu(max: bool, ty: Type) -> Option<AluFn> {
    type P = super::lanes::Pair<u16>;
    fn pairs(a: P, b: P, f: fn(i16, i16) -> i16) -> P {
        let one = |a: u16, b: u16| f(a as i16, b as i16).max(0) as u16;
        super::lanes::Pair(one(a.0, b.0), one(a.1, b.1))
    }
    Some(match (ty, max) {
        (Type::S32, false) => bin!(i32, |a, b| a.min(b).max(0)),
        (Type::S32, true) => bin!(i32, |a, b| a.max(b).max(0)),
        (Type::S16x2, false) => bin!(P, |a, b| pairs(a, b, Ord::min)),
        (Type::S16x2, true) => bin!(P, |a, b| pairs(a, b, Ord::max)),
        _ => return None,
    })
}

fn packed_min_max(ty: Type, max: bool) -> Option<AluFn> {
    type P = super::lanes::Pair<u16>;
    Some(match (ty, max) {
        (Type::U16x2, false) => bin!(P, |a, b| super::lanes::Pair(a.0.min(b.0), a.1.min(b.1))),
        (Type::U16x2, true) => bin!(P, |a, b| super::lanes::Pair(a.0.max(b.0), a.1.max(b.1))),
        (Type::S16x2, false) => bin!(P, |a, b| super::lanes::Pair(
            (a.0 as i16).min(b.0 as i16) as u16,
            (a.1 as i16).min(b.1 as i16) as u16
        )),
        (Type::S16x2, true) => bin!(P, |a, b| super::lanes::Pair(
            (a.0 as i16).max(b.0 as i16) as u16,
            (a.1 as i16).max(b.1 as i16) as u16
        )),
        _ => return None,
    })
}

/// `add.u16x2` and `add.s16x2`.
pub(crate) fn packed_add(ty: Type) -> Option<AluFn> {
    type P = super::lanes::Pair<u16>;
    matches!(ty, Type::U16x2 | Type::S16x2).then(|| {
        bin!(P, |a, b| super::lanes::Pair(
            a.0.wrapping_add(b.0),
            a.1.wrapping_add(b.1)
        ))
    })
}

fn wide24u(value: u32) -> u64 {
    u64::from(value & 0xff_ffff)
}

fn wide24s(value: i32) -> i64 {
    i64::from(value << 8 >> 8)
}

/// `mul.wide`: the result has twice the width.
pub(crate) fn mul_wide(ty: Type) -> Option<AluFn> {
    Some(match ty {
        Type::U16 => bin!(u16, u16 => u32, |a, b| u32::from(a) * u32::from(b)),
        Type::S16 => bin!(i16, i16 => i32, |a, b| i32::from(a) * i32::from(b)),
        Type::U32 => bin!(u32, u32 => u64, |a, b| u64::from(a) * u64::from(b)),
        Type::S32 => bin!(i32, i32 => i64, |a, b| i64::from(a) * i64::from(b)),
        _ => return None,
    })
}

/// `mad.wide`.
pub(crate) fn mad_wide(ty: Type) -> Option<AluFn> {
    Some(match ty {
        Type::U16 => {
            tri!(u16, u16, u32 => u32, |a, b, c| (u32::from(a) * u32::from(b)).wrapping_add(c))
        }
        Type::S16 => {
            tri!(i16, i16, i32 => i32, |a, b, c| (i32::from(a) * i32::from(b)).wrapping_add(c))
        }
        Type::U32 => {
            tri!(u32, u32, u64 => u64, |a, b, c| (u64::from(a) * u64::from(b)).wrapping_add(c))
        }
        Type::S32 => {
            tri!(i32, i32, i64 => i64, |a, b, c| (i64::from(a) * i64::from(b)).wrapping_add(c))
        }
        _ => return None,
    })
}

/// Ternary instructions over one type.
pub(crate) fn ternary(name: &str, ty: Type) -> Option<AluFn> {
    match name {
        "mad.lo" => {
            by_int!(ty, T => tri!(T, T, T => T, |a, b, c| a.wrapping_mul(b).wrapping_add(c)))
        }
        "mad.hi" => by_int!(ty, T => tri!(T, T, T => T, |a, b, c| a.high(b).wrapping_add(c))),
        "mad.hi.sat" if ty == Type::S32 => {
            Some(tri!(i32, i32, i32 => i32, |a, b, c| i32::saturating_add(a.high(b), c)))
        }
        "mad24.lo" => match ty {
            Type::U32 => Some(
                tri!(u32, u32, u32 => u32, |a, b, c| ((wide24u(a) * wide24u(b)) as u32).wrapping_add(c)),
            ),
            Type::S32 => Some(
                tri!(i32, i32, i32 => i32, |a, b, c| ((wide24s(a) * wide24s(b)) as i32).wrapping_add(c)),
            ),
            _ => None,
        },
        "mad24.hi" => match ty {
            Type::U32 => Some(
                tri!(u32, u32, u32 => u32, |a, b, c| (((wide24u(a) * wide24u(b)) >> 16) as u32).wrapping_add(c)),
            ),
            Type::S32 => Some(
                tri!(i32, i32, i32 => i32, |a, b, c| (((wide24s(a) * wide24s(b)) >> 16) as i32).wrapping_add(c)),
            ),
            _ => None,
        },
        "mad24.hi.sat" if ty == Type::S32 => Some(
            tri!(i32, i32, i32 => i32, |a, b, c| (((wide24s(a) * wide24s(b)) >> 16) as i32).saturating_add(c)),
        ),
        "sad" => by_int!(ty, T => tri!(T, T, T => T, |a, b, c| a.distance(b).wrapping_add(c))),
        _ => None,
    }
}

/// Unary instructions over one type.
pub(crate) fn unary(name: &str, ty: Type) -> Option<AluFn> {
    match (name, ty) {
        ("abs", Type::S16) => Some(un!(i16 => i16, i16::wrapping_abs)),
        ("abs", Type::S32) => Some(un!(i32 => i32, i32::wrapping_abs)),
        ("abs", Type::S64) => Some(un!(i64 => i64, i64::wrapping_abs)),
        ("neg", _) => by_int!(ty, T => un!(T => T, |a| a.wrapping_neg())),
        _ => None,
    }
}

/// `shl` and `shr`; shifts by the width or more give zero or the sign.
pub(crate) fn shift(name: &str, ty: Type) -> Option<AluFn> {
    match name {
        "shl" => by_int!(ty, T => bin!(T, u32 => T, |a, by| a.shift_left(by))),
        "shr" => by_int!(ty, T => bin!(T, u32 => T, |a, by| a.shift_right(by))),
        _ => None,
    }
}

/// Flags of dot products: signedness of each source, and the first byte of `b` for `dp2a`.
const A_SIGNED: u32 = 1;
const B_SIGNED: u32 = 2;
const FIRST_SHIFT: u32 = 8;

fn byte(value: u32, at: u32, signed: bool) -> i32 {
    let byte = (value >> (8 * at)) as u8;
    if signed {
        i32::from(byte as i8)
    } else {
        i32::from(byte)
    }
}

fn dot_flags(a_signed: bool, b_signed: bool) -> u32 {
    (u32::from(a_signed) * A_SIGNED) | (u32::from(b_signed) * B_SIGNED)
}

/// `dp4a`: four byte products summed. Signedness of each source comes with the name.
pub(crate) fn dot4(a_signed: bool, b_signed: bool) -> (AluFn, u32) {
    fn run(regs: &mut Regs, i: &Alu, mask: u32) {
        let (a_signed, b_signed) = (i.flags & A_SIGNED != 0, i.flags & B_SIGNED != 0);
        map3::<u32, u32, u32, u32>(regs, i, mask, |a, b, c| {
            let product = |at| (byte(a, at, a_signed) * byte(b, at, b_signed)) as u32;
            (0..4).fold(c, |sum: u32, at| sum.wrapping_add(product(at)))
        });
    }
    (run, dot_flags(a_signed, b_signed))
}

/// `dp2a`: two products of 16-bit halves of `a` and bytes of `b` from byte `first` on.
pub(crate) fn dot2(a_signed: bool, b_signed: bool, first: u32) -> (AluFn, u32) {
    fn run(regs: &mut Regs, i: &Alu, mask: u32) {
        let (a_signed, b_signed) = (i.flags & A_SIGNED != 0, i.flags & B_SIGNED != 0);
        let first = i.flags >> FIRST_SHIFT;
        map3::<u32, u32, u32, u32>(regs, i, mask, |a, b, c| {
            let half = |at: u32| {
                let half = (a >> (16 * at)) as u16;
                if a_signed {
                    i32::from(half as i16)
                } else {
                    i32::from(half)
                }
            };
            let product = |at| half(at).wrapping_mul(byte(b, first + at, b_signed)) as u32;
            (0..2).fold(c, |sum: u32, at| sum.wrapping_add(product(at)))
        });
    }
    (run, dot_flags(a_signed, b_signed) | first << FIRST_SHIFT)
}

/// Carry arithmetic, one step wider than the lane.
trait Carry: Lane {
    fn add_carry(self, other: Self, carry: bool) -> (Self, bool);
    fn sub_borrow(self, other: Self, borrow: bool) -> (Self, bool);
    fn product(self, other: Self, high: bool) -> Self;
}

macro_rules! carry {
    ($($t:ident $wide:ident),*) => {$(
        impl Carry for $t {
            fn add_carry(self, other: Self, carry: bool) -> (Self, bool) {
                let sum = $wide::from(self) + $wide::from(other) + $wide::from(carry);
                (sum as $t, sum >> $t::BITS != 0)
            }
            fn sub_borrow(self, other: Self, borrow: bool) -> (Self, bool) {
                let (first, b1) = self.overflowing_sub(other);
                let (second, b2) = first.overflowing_sub($t::from(borrow));
                (second, b1 | b2)
            }
            fn product(self, other: Self, high: bool) -> Self {
                let product = $wide::from(self) * $wide::from(other);
                if high { (product >> $t::BITS) as $t } else { product as $t }
            }
        }
    )*};
}
carry!(u32 u64, u64 u128);

/// The instruction reads the carry flag.
pub(crate) const CARRY_IN: u32 = 1;
/// The instruction writes the carry flag.
pub(crate) const CARRY_OUT: u32 = 2;
/// The instruction subtracts.
pub(crate) const SUBTRACT: u32 = 4;
/// The instruction multiplies `a` and `b` first and adds `c`.
pub(crate) const MULTIPLY: u32 = 8;
/// The multiplication keeps the high half.
pub(crate) const HIGH: u32 = 16;
/// The high half of a signed multiplication.
pub(crate) const SIGNED: u32 = 32;

fn extended<T: Carry>(regs: &mut Regs, i: &Alu, mask: u32, signed_high: fn(T, T) -> T) {
    let flag = regs.predicates[CARRY as usize];
    let mut out = 0;
    for lane in lanes(mask) {
        let mut a = T::from_raw(T::slot(regs, i.a)[lane]);
        let mut b = T::from_raw(T::slot(regs, i.b)[lane]);
        if i.flags & MULTIPLY != 0 {
            let signed = i.flags & (SIGNED | HIGH) == SIGNED | HIGH;
            a = if signed {
                signed_high(a, b)
            } else {
                a.product(b, i.flags & HIGH != 0)
            };
            b = T::from_raw(T::slot(regs, i.c)[lane]);
        }
        let carry = i.flags & CARRY_IN != 0 && flag >> lane & 1 != 0;
        let (value, carry) = if i.flags & SUBTRACT != 0 {
            a.sub_borrow(b, carry)
        } else {
            a.add_carry(b, carry)
        };
        T::slot_mut(regs, i.d)[lane] = value.raw();
        out |= u32::from(carry) << lane;
    }
    if i.flags & CARRY_OUT != 0 {
        set_predicate(regs, CARRY, mask, out);
    }
}

/// `add.cc`, `addc`, `sub.cc`, `subc`, `mad.cc`, `madc`, told apart by the flags above.
pub(crate) fn carry(ty: Type) -> Option<AluFn> {
    fn run32(regs: &mut Regs, i: &Alu, mask: u32) {
        extended::<u32>(regs, i, mask, |a, b| (a as i32).high(b as i32) as u32);
    }
    fn run64(regs: &mut Regs, i: &Alu, mask: u32) {
        extended::<u64>(regs, i, mask, |a, b| (a as i64).high(b as i64) as u64);
    }
    match ty {
        Type::U32 | Type::S32 | Type::B32 => Some(run32),
        Type::U64 | Type::S64 | Type::B64 => Some(run64),
        _ => None,
    }
}

/// Integer comparisons. The unsigned names (`lo`, `ls`, `hi`, `hs`) come with unsigned types only.
pub(crate) fn compare(name: &str, ty: Type, target: Target) -> Option<AluFn> {
    macro_rules! cmp {
        ($f:expr) => {
            by_int!(ty, T => {
                fn setp(regs: &mut Regs, i: &Alu, mask: u32) {
                    let bits = test2::<T>(regs, i.a, i.b, $f);
                    write_setp(regs, i, mask, bits);
                }
                fn set(regs: &mut Regs, i: &Alu, mask: u32) {
                    let bits = test2::<T>(regs, i.a, i.b, $f);
                    write_set(regs, i, mask, bits);
                }
                if target == Target::Predicates { setp as AluFn } else { set as AluFn }
            })
        };
    }
    match name {
        "eq" => cmp!(|a, b| a == b),
        "ne" => cmp!(|a, b| a != b),
        "lt" | "lo" => cmp!(|a, b| a < b),
        "le" | "ls" => cmp!(|a, b| a <= b),
        "gt" | "hi" => cmp!(|a, b| a > b),
        "ge" | "hs" => cmp!(|a, b| a >= b),
        _ => None,
    }
}
