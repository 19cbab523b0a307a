//! Bits: logic, shifts across words, bit fields, permutations, moves (PTX ISA, "Logic and Shift Instructions",
//! `bfe bfi bfind brev clz popc fns szext bmsk prmt shf lop3`, and "Data Movement": `mov`, `selp`, `slct`).

use super::lanes::{Lane, bin, each3, map1, tri, un};
use crate::isa::{Alu, AluFn};
use crate::regs::{LANES, Regs, lanes, set_predicate};
use crate::types::{Bank, Type};

/// `and`, `or`, `xor`, `not`, `cnot` on any bank.
pub(crate) fn select(name: &str, bank: Bank, narrow: bool) -> Option<AluFn> {
    Some(match (name, bank) {
        ("and", Bank::Word) => bin!(u32, |a, b| a & b),
        ("or", Bank::Word) => bin!(u32, |a, b| a | b),
        ("xor", Bank::Word) => bin!(u32, |a, b| a ^ b),
        ("and", Bank::Double) => bin!(u64, |a, b| a & b),
        ("or", Bank::Double) => bin!(u64, |a, b| a | b),
        ("xor", Bank::Double) => bin!(u64, |a, b| a ^ b),
        // Sixteen-bit values live zero-extended, so their complement is cut to width.
        ("not", Bank::Word) if narrow => un!(u16 => u16, |a| !a),
        ("not", Bank::Word) => un!(u32 => u32, |a| !a),
        ("not", Bank::Double) => un!(u64 => u64, |a| !a),
        ("cnot", Bank::Word) => un!(u32 => u32, |a| u32::from(a == 0)),
        ("cnot", Bank::Double) => un!(u64 => u64, |a| u64::from(a == 0)),
        ("and", Bank::Predicate) => |r, i, m| predicate2(r, i, m, |a, b| a & b),
        ("or", Bank::Predicate) => |r, i, m| predicate2(r, i, m, |a, b| a | b),
        ("xor", Bank::Predicate) => |r, i, m| predicate2(r, i, m, |a, b| a ^ b),
        ("not", Bank::Predicate) => {
            |r, i, m| set_predicate(r, i.d, m, !source(r, i.a, i.flags & 1 != 0))
        }
        _ => return None,
    })
}

fn source(regs: &Regs, slot: u32, negated: bool) -> u32 {
    let bits = regs.predicates[slot as usize];
    if negated { !bits } else { bits }
}

/// Flag bits 0 and 1 negate the predicate sources.
fn predicate2(regs: &mut Regs, i: &Alu, mask: u32, f: impl Fn(u32, u32) -> u32) {
    let a = source(regs, i.a, i.flags & 1 != 0);
    let b = source(regs, i.b, i.flags & 2 != 0);
    set_predicate(regs, i.d, mask, f(a, b));
}

/// `mov` within a bank; of predicates, flag bit 0 negates.
pub(crate) fn mov(bank: Bank) -> AluFn {
    match bank {
        Bank::Word => un!(u32 => u32, |a| a),
        Bank::Double => un!(u64 => u64, |a| a),
        Bank::Predicate => |r, i, m| {
            let bits = source(r, i.a, i.flags & 1 != 0);
            set_predicate(r, i.d, m, bits);
        },
    }
}

/// Takes the word of a double word that starts at bit `flags`.
pub(crate) fn unpack_double() -> AluFn {
    |r, i, m| map1::<u64, u32>(r, i, m, |a| (a >> i.flags) as u32)
}

/// Takes `16` or `8` bits (in the high half of the flags) of a word, from the bit in the low half on.
pub(crate) fn unpack_word() -> AluFn {
    |r, i, m| {
        let (from, width) = (i.flags & 0xffff, i.flags >> 16);
        map1::<u32, u32>(r, i, m, |a| (a >> from) & ((1 << width) - 1));
    }
}

/// Takes 16 bits of a double word from bit `flags` on.
pub(crate) fn unpack_double_half() -> AluFn {
    |r, i, m| map1::<u64, u32>(r, i, m, |a| (a >> i.flags) as u16 as u32)
}

/// `mbarrier.pending_count` of a state token.
pub(crate) fn pending_count() -> AluFn {
    un!(u64 => u32, super::mbarrier::pending_count)
}

/// Two words to a double word.
pub(crate) fn pack_double() -> AluFn {
    bin!(u32, u32 => u64, |a, b| u64::from(a) | u64::from(b) << 32)
}

/// Two 16-bit values to a word.
pub(crate) fn pack_word() -> AluFn {
    bin!(u32, |a, b| a & 0xffff | b << 16)
}

/// Adds 16 bits into a double word at bit `flags`; the first part (bit 0) clears the rest.
pub(crate) fn insert_half() -> AluFn {
    |r, i, m| {
        for lane in lanes(m) {
            let part = u64::from(r.words[i.a as usize][lane] as u16) << i.flags;
            let keep = if i.flags == 0 {
                0
            } else {
                r.doubles[i.d as usize][lane] & !(0xffff << i.flags)
            };
            r.doubles[i.d as usize][lane] = keep | part;
        }
    }
}

/// Adds 8 bits into a word at bit `flags`; the first part clears the rest.
pub(crate) fn insert_byte() -> AluFn {
    |r, i, m| {
        for lane in lanes(m) {
            let part = (r.words[i.a as usize][lane] & 0xff) << i.flags;
            let keep = if i.flags == 0 {
                0
            } else {
                r.words[i.d as usize][lane] & !(0xff << i.flags)
            };
            r.words[i.d as usize][lane] = keep | part;
        }
    }
}

/// `lop3.b32` with the lookup table in the flags.
pub(crate) fn lop3() -> AluFn {
    |r, i, m| {
        let table = i.flags;
        super::lanes::map3::<u32, u32, u32, u32>(r, i, m, |a, b, c| {
            let pick = |bit: u32, mask: u32| if table >> bit & 1 != 0 { mask } else { 0 };
            pick(0, !a & !b & !c)
                | pick(1, !a & !b & c)
                | pick(2, !a & b & !c)
                | pick(3, !a & b & c)
                | pick(4, a & !b & !c)
                | pick(5, a & !b & c)
                | pick(6, a & b & !c)
                | pick(7, a & b & c)
        });
    }
}

/// `popc`, `clz`, `brev`, `bfind`; results of the counting ones are words.
pub(crate) fn bits(name: &str, ty: Type) -> Option<AluFn> {
    Some(match (name, ty) {
        ("popc", Type::B32) => un!(u32 => u32, u32::count_ones),
        ("popc", Type::B64) => un!(u64 => u32, u64::count_ones),
        ("clz", Type::B32) => un!(u32 => u32, u32::leading_zeros),
        ("clz", Type::B64) => un!(u64 => u32, u64::leading_zeros),
        ("brev", Type::B32) => un!(u32 => u32, u32::reverse_bits),
        ("brev", Type::B64) => un!(u64 => u64, u64::reverse_bits),
        ("bfind", Type::U32) => un!(u32 => u32, |a| a.checked_ilog2().unwrap_or(u32::MAX)),
        ("bfind", Type::U64) => un!(u64 => u32, |a| a.checked_ilog2().unwrap_or(u32::MAX)),
        ("bfind", Type::S32) => {
            un!(i32 => u32, |a| ((a ^ a >> 31) as u32).checked_ilog2().unwrap_or(u32::MAX))
        }
        ("bfind", Type::S64) => {
            un!(i64 => u32, |a| ((a ^ a >> 63) as u64).checked_ilog2().unwrap_or(u32::MAX))
        }
        ("bfind.shiftamt", Type::U32) => {
            un!(u32 => u32, |a| a.checked_ilog2().map_or(u32::MAX, |p| 31 - p))
        }
        ("bfind.shiftamt", Type::U64) => {
            un!(u64 => u32, |a| a.checked_ilog2().map_or(u32::MAX, |p| 63 - p))
        }
        ("bfind.shiftamt", Type::S32) => {
            un!(i32 => u32, |a| ((a ^ a >> 31) as u32).checked_ilog2().map_or(u32::MAX, |p| 31 - p))
        }
        ("bfind.shiftamt", Type::S64) => {
            un!(i64 => u32, |a| ((a ^ a >> 63) as u64).checked_ilog2().map_or(u32::MAX, |p| 63 - p))
        }
        _ => return None,
    })
}

/// `bfe`: `c` bits of `a` from bit `b` on, sign-extended for signed types.
fn extract(value: u64, width: u32, position: u32, length: u32, signed: bool) -> u64 {
    let (position, length) = (position & 0xff, length & 0xff);
    let top = width - 1;
    let sign = if !signed || length == 0 {
        false
    } else {
        value >> (position + length - 1).min(top) & 1 != 0
    };
    let mut out = 0;
    for bit in 0..width {
        let set = if bit < length && position + bit <= top {
            value >> (position + bit) & 1 != 0
        } else {
            sign
        };
        out |= u64::from(set) << bit;
    }
    out
}

fn insert(field: u64, into: u64, width: u32, position: u32, length: u32) -> u64 {
    let (position, length) = (position & 0xff, length & 0xff);
    let mut out = into;
    for bit in 0..length {
        if position + bit >= width {
            break;
        }
        let at = position + bit;
        out = out & !(1 << at) | (field >> bit & 1) << at;
    }
    out
}

/// `bfe`.
pub(crate) fn bfe(ty: Type) -> Option<AluFn> {
    // The unsigned forms compilers emit all day have a closed form; the general one follows the ISA's pseudocode.
    fn unsigned(value: u64, position: u32, length: u32) -> u64 {
        let (position, length) = (position & 0xff, length & 0xff);
        let shifted = if position < 64 { value >> position } else { 0 };
        if length >= 64 {
            shifted
        } else {
            shifted & ((1 << length) - 1)
        }
    }
    Some(match ty {
        Type::U32 => tri!(u32, u32, u32 => u32, |a, b, c| unsigned(u64::from(a), b, c) as u32),
        Type::U64 => tri!(u64, u32, u32 => u64, unsigned),
        Type::S32 => |r, i, m| {
            each3::<u32, u32, u32, u32>(r, i, m, |a, b, c| {
                extract(u64::from(a), 32, b, c, true) as u32
            })
        },
        Type::S64 => {
            |r, i, m| each3::<u64, u32, u32, u64>(r, i, m, |a, b, c| extract(a, 64, b, c, true))
        }
        _ => return None,
    })
}

/// `bfi f, a, b, c, d` has four sources; the length's slot is in the flags.
pub(crate) fn bfi(ty: Type) -> Option<AluFn> {
    Some(match ty {
        Type::B32 => |r, i, m| {
            for lane in lanes(m) {
                let length = r.words[i.flags as usize][lane];
                let [a, b, c] = [i.a, i.b, i.c].map(|s| r.words[s as usize][lane]);
                r.words[i.d as usize][lane] =
                    insert(u64::from(a), u64::from(b), 32, c, length) as u32;
            }
        },
        Type::B64 => |r, i, m| {
            for lane in lanes(m) {
                let length = r.words[i.flags as usize][lane];
                let [a, b] = [i.a, i.b].map(|s| r.doubles[s as usize][lane]);
                r.doubles[i.d as usize][lane] =
                    insert(a, b, 64, r.words[i.c as usize][lane], length);
            }
        },
        _ => return None,
    })
}

/// Funnel shift direction and what happens to amounts above 31.
pub(crate) fn shf(left: bool, wrap: bool) -> AluFn {
    fn amount(c: u32, wrap: bool) -> u32 {
        if wrap { c & 31 } else { c.min(32) }
    }
    fn join(a: u32, b: u32) -> u64 {
        u64::from(b) << 32 | u64::from(a)
    }
    match (left, wrap) {
        (true, true) => {
            tri!(u32, u32, u32 => u32, |a, b, c| (join(a, b) << amount(c, true) >> 32) as u32)
        }
        (true, false) => {
            tri!(u32, u32, u32 => u32, |a, b, c| (join(a, b) << amount(c, false) >> 32) as u32)
        }
        (false, true) => {
            tri!(u32, u32, u32 => u32, |a, b, c| (join(a, b) >> amount(c, true)) as u32)
        }
        (false, false) => {
            tri!(u32, u32, u32 => u32, |a, b, c| (join(a, b) >> amount(c, false)) as u32)
        }
    }
}

/// `prmt` in its default mode and the six named ones.
pub(crate) fn prmt(mode: &str) -> Option<AluFn> {
    fn byte(value: u64, at: u32) -> u32 {
        (value >> (8 * (at & 7))) as u8 as u32
    }
    fn named(a: u32, b: u32, c: u32, at: impl Fn(u32, u32) -> u32) -> u32 {
        let value = u64::from(b) << 32 | u64::from(a);
        (0..4).fold(0, |out, n| out | byte(value, at(c & 3, n)) << (8 * n))
    }
    Some(match mode {
        "" => tri!(u32, u32, u32 => u32, |a, b, c| {
            let value = u64::from(b) << 32 | u64::from(a);
            (0..4).fold(0, |out, n| {
                let select = c >> (4 * n);
                let picked = byte(value, select);
                let picked = if select & 8 == 0 { picked } else if picked & 0x80 != 0 { 0xff } else { 0 };
                out | picked << (8 * n)
            })
        }),
        "f4e" => tri!(u32, u32, u32 => u32, |a, b, c| named(a, b, c, |s, n| s + n)),
        "b4e" => tri!(u32, u32, u32 => u32, |a, b, c| named(a, b, c, |s, n| s.wrapping_sub(n) & 7)),
        "rc8" => tri!(u32, u32, u32 => u32, |a, b, c| named(a, b, c, |s, _| s)),
        "ecl" => tri!(u32, u32, u32 => u32, |a, b, c| named(a, b, c, u32::max)),
        "ecr" => tri!(u32, u32, u32 => u32, |a, b, c| named(a, b, c, u32::min)),
        "rc16" => {
            tri!(u32, u32, u32 => u32, |a, b, c| named(a, b, c, |s, n| (s & 1) * 2 + (n & 1)))
        }
        _ => return None,
    })
}

/// `fns.b32`: the position of the `offset`-th set bit from `base` on.
pub(crate) fn fns() -> AluFn {
    fn find(mask: u32, base: u32, offset: i32) -> u32 {
        let base = base & 31;
        if offset == 0 {
            return if mask >> base & 1 != 0 {
                base
            } else {
                u32::MAX
            };
        }
        let (step, mut left) = (offset.signum(), offset.unsigned_abs());
        let mut at = base as i32;
        while (0..32).contains(&at) {
            if mask >> at & 1 != 0 {
                left -= 1;
                if left == 0 {
                    return at as u32;
                }
            }
            at += step;
        }
        u32::MAX
    }
    |r, i, m| each3::<u32, u32, i32, u32>(r, i, m, find)
}

/// `bmsk`: a mask of `b` ones from bit `a` on, clamped or wrapped.
pub(crate) fn bmsk(wrap: bool) -> AluFn {
    fn mask(a: u32, b: u32, wrap: bool) -> u32 {
        let (a, b) = if wrap {
            (a & 31, b & 31)
        } else {
            (a.min(32), b.min(32))
        };
        (((1u64 << b) - 1) << a) as u32
    }
    if wrap {
        bin!(u32, |a, b| mask(a, b, true))
    } else {
        bin!(u32, |a, b| mask(a, b, false))
    }
}

/// `szext`: sign- or zero-extends the low `b` bits of `a`.
pub(crate) fn szext(signed: bool, wrap: bool) -> AluFn {
    fn extend(a: u32, b: u32, signed: bool, wrap: bool) -> u32 {
        let length = if wrap { b & 31 } else { b.min(32) };
        extract(u64::from(a), 32, 0, length, signed) as u32
    }
    match (signed, wrap) {
        (true, true) => bin!(u32, |a, b| extend(a, b, true, true)),
        (true, false) => bin!(u32, |a, b| extend(a, b, true, false)),
        (false, true) => bin!(u32, |a, b| extend(a, b, false, true)),
        (false, false) => bin!(u32, |a, b| extend(a, b, false, false)),
    }
}

fn choose<T: Lane>(regs: &mut Regs, i: &Alu, mask: u32, pick_a: u32) {
    let a: [T::Raw; LANES] = *T::slot(regs, i.a);
    let b: [T::Raw; LANES] = *T::slot(regs, i.b);
    let d = T::slot_mut(regs, i.d);
    for lane in 0..LANES {
        let value = if pick_a >> lane & 1 != 0 {
            a[lane]
        } else {
            b[lane]
        };
        if mask >> lane & 1 != 0 {
            d[lane] = value;
        }
    }
}

/// `selp d, a, b, p`; flag bit 0 negates the predicate.
pub(crate) fn selp(bank: Bank) -> Option<AluFn> {
    Some(match bank {
        Bank::Word => |r, i, m| {
            let pick = source(r, i.c, i.flags & 1 != 0);
            choose::<u32>(r, i, m, pick);
        },
        Bank::Double => |r, i, m| {
            let pick = source(r, i.c, i.flags & 1 != 0);
            choose::<u64>(r, i, m, pick);
        },
        Bank::Predicate => return None,
    })
}

/// `slct d, a, b, c`: `a` where `c` is not negative. A NaN selects `b`; -0 counts as zero.
pub(crate) fn slct(bank: Bank, by_float: bool) -> Option<AluFn> {
    fn pick(regs: &Regs, i: &Alu, by_float: bool) -> u32 {
        if by_float {
            super::lanes::test1::<f32>(regs, i.c, |c| c >= 0.0)
        } else {
            super::lanes::test1::<i32>(regs, i.c, |c| c >= 0)
        }
    }
    Some(match (bank, by_float) {
        (Bank::Word, false) => |r, i, m| choose::<u32>(r, i, m, pick(r, i, false)),
        (Bank::Word, true) => |r, i, m| choose::<u32>(r, i, m, pick(r, i, true)),
        (Bank::Double, false) => |r, i, m| choose::<u64>(r, i, m, pick(r, i, false)),
        (Bank::Double, true) => |r, i, m| choose::<u64>(r, i, m, pick(r, i, true)),
        _ => return None,
    })
}

/// Adds the window of a state space to an address, or takes it away: `cvta`. The window is in a double slot.
pub(crate) fn cvta(to_space: bool) -> AluFn {
    if to_space {
        bin!(u64, |a, w| a.wrapping_sub(w))
    } else {
        bin!(u64, |a, w| a.wrapping_add(w))
    }
}

/// `isspacep` on a generic address: window base in `b`, size in `c`; writes predicate `d`.
pub(crate) fn isspacep() -> AluFn {
    |r, i, m| {
        let mut bits = 0;
        for lane in lanes(m) {
            let [a, base, size] = [i.a, i.b, i.c].map(|s| r.doubles[s as usize][lane]);
            bits |= u32::from(a.wrapping_sub(base) < size) << lane;
        }
        // Flag: true outside the window (global memory is everything no window covers).
        set_predicate(r, i.d, m, if i.flags & 1 != 0 { !bits } else { bits });
    }
}
