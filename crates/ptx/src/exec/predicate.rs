//! Results of comparisons (PTX ISA, "Comparison and Selection Instructions": `setp`, `set`, and `testp`).
//!
//! The comparisons themselves live with their types in `int`, `float` and `half`.

use super::{float, half, int};
use crate::isa::{Alu, AluFn};
use crate::regs::{Regs, lanes, set_predicate};
use crate::types::Type;

/// Boolean operation that joins the comparison with predicate `c`; the low two flag bits.
pub(crate) const JOIN_AND: u32 = 1;
/// See [`JOIN_AND`].
pub(crate) const JOIN_OR: u32 = 2;
/// See [`JOIN_AND`].
pub(crate) const JOIN_XOR: u32 = 3;
/// Flag: predicate `c` is negated.
pub(crate) const NEGATED: u32 = 4;
/// Flag: `set` writes 1.0 instead of all ones.
pub(crate) const FLOAT_ONE: u32 = 8;
/// Flag: `set` writes 1.0 as a half.
pub(crate) const HALF_ONE: u32 = 16;
/// Flag: `set` writes 1.0 as a bfloat16.
pub(crate) const BFLOAT_ONE: u32 = 32;
/// Flag: `set` writes sixteen ones.
pub(crate) const SHORT_ONES: u32 = 64;

#[inline(always)]
fn join(regs: &Regs, i: &Alu, bits: u32) -> u32 {
    let other = regs.predicates[i.c as usize];
    let other = if i.flags & NEGATED != 0 {
        !other
    } else {
        other
    };
    match i.flags & 3 {
        JOIN_AND => bits & other,
        JOIN_OR => bits | other,
        JOIN_XOR => bits ^ other,
        _ => bits,
    }
}

/// Writes the comparison to predicate `d` and its complement to predicate `e`, each joined with `c`.
#[inline(always)]
pub(crate) fn write_setp(regs: &mut Regs, i: &Alu, mask: u32, bits: u32) {
    let (first, second) = (join(regs, i, bits), join(regs, i, !bits));
    set_predicate(regs, i.d, mask, first);
    set_predicate(regs, i.e, mask, second);
}

/// Writes the two comparisons of a packed pair to predicates `d` and `e`.
pub(crate) fn write_pair(regs: &mut Regs, i: &Alu, mask: u32, (low, high): (u32, u32)) {
    let (low, high) = (join(regs, i, low), join(regs, i, high));
    set_predicate(regs, i.d, mask, low);
    set_predicate(regs, i.e, mask, high);
}

/// The bits that `set` writes where a comparison holds.
fn one(flags: u32) -> u32 {
    match flags & (FLOAT_ONE | HALF_ONE | BFLOAT_ONE | SHORT_ONES) {
        0 => u32::MAX,
        FLOAT_ONE => 1.0f32.to_bits(),
        HALF_ONE => 0x3c00,
        BFLOAT_ONE => 0x3f80,
        _ => 0xffff,
    }
}

/// Writes all ones, or 1.0, where the joined comparison holds.
pub(crate) fn write_set(regs: &mut Regs, i: &Alu, mask: u32, bits: u32) {
    let bits = join(regs, i, bits);
    let one = one(i.flags);
    for lane in lanes(mask) {
        regs.words[i.d as usize][lane] = if bits >> lane & 1 != 0 { one } else { 0 };
    }
}

/// Writes sixteen ones, or 1.0, to each half of `d` where that half's joined comparison holds.
pub(crate) fn write_set_pair(regs: &mut Regs, i: &Alu, mask: u32, (low, high): (u32, u32)) {
    let (low, high) = (join(regs, i, low), join(regs, i, high));
    let one = one(i.flags);
    for lane in lanes(mask) {
        regs.words[i.d as usize][lane] =
            ((low >> lane & 1) * one) | (((high >> lane & 1) * one) << 16);
    }
}

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Predicates,
    Mask,
}

/// The function of `setp.name.ty` or `set.name.*.ty`.
pub(crate) fn select(name: &str, ty: Type, flags: u32, target: Target) -> Option<AluFn> {
    match ty {
        Type::F16x2 | Type::Bf16x2 => half::compare_packed(name, ty, flags, target),
        _ if ty.is_float() => float::compare(name, ty, flags, target),
        _ => int::compare(name, ty, target),
    }
}
