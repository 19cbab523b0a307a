//! Sums, distances and extremes of words, halves and bytes (PTX ISA, "Video Instructions").

use super::lanes::map3;
use crate::isa::{Alu, AluFn};
use crate::regs::Regs;

/// Signedness of the first source, the second one, and the result.
pub(crate) const SIGNED: [u32; 3] = [1, 2, 4];
pub(crate) const SATURATES: u32 = 8;
/// The second operation is a sum with the third source, or the smaller or the larger one.
const SECOND_SHIFT: u32 = 4;
/// Bits of a part of a word.
const BITS_SHIFT: u32 = 8;

/// The function of an instruction, and flags for its parts and its second operation.
pub(crate) fn select(name: &str, second: Option<&str>) -> Option<(AluFn, u32)> {
    let (op, bits) = match (name.strip_suffix('2'), name.strip_suffix('4')) {
        (Some(op), _) => (op, 16),
        (_, Some(op)) => (op, 8),
        _ => (name, 32),
    };
    let run: AluFn = match op {
        "vadd" => |regs, i, mask| parts(regs, i, mask, |a, b| a + b),
        "vsub" => |regs, i, mask| parts(regs, i, mask, |a, b| a - b),
        "vabsdiff" => |regs, i, mask| parts(regs, i, mask, |a, b| (a - b).abs()),
        "vmin" => |regs, i, mask| parts(regs, i, mask, i64::min),
        "vmax" => |regs, i, mask| parts(regs, i, mask, i64::max),
        _ => return None,
    };
    let second = match second {
        None => 0,
        Some("add") => 1,
        Some("min") => 2,
        Some("max") => 3,
        Some(_) => return None,
    };
    Some((run, bits << BITS_SHIFT | second << SECOND_SHIFT))
}

/// A part of a word.
fn part(word: u32, at: u32, bits: u32, signed: bool) -> i64 {
    let high = word << (32 - bits - at);
    if signed {
        i64::from(high as i32 >> (32 - bits))
    } else {
        i64::from(high >> (32 - bits))
    }
}

fn parts(regs: &mut Regs, i: &Alu, mask: u32, op: impl Fn(i64, i64) -> i64) {
    let [a_signed, b_signed, signed] = SIGNED.map(|flag| i.flags & flag != 0);
    let bits = i.flags >> BITS_SHIFT;
    let (second, saturates) = (i.flags >> SECOND_SHIFT & 3, i.flags & SATURATES != 0);
    let (least, most) = match signed {
        true => (-1 << (bits - 1), (1 << (bits - 1)) - 1),
        false => (0, (1i64 << bits) - 1),
    };
    map3::<u32, u32, u32, u32>(regs, i, mask, |a, b, c| {
        let (mut joined, mut sum) = (0u32, c);
        for at in (0..32).step_by(bits as usize) {
            let found = op(part(a, at, bits, a_signed), part(b, at, bits, b_signed));
            let found = match saturates {
                true => found.clamp(least, most),
                false => found,
            };
            joined |= (found as u32 & most_of(bits)) << at;
            sum = sum.wrapping_add(found as u32);
        }
        match (second, signed) {
            (0, _) => joined,
            (1, _) => sum,
            (2, true) => (joined as i32).min(c as i32) as u32,
            (2, false) => joined.min(c),
            (_, true) => (joined as i32).max(c as i32) as u32,
            (_, false) => joined.max(c),
        }
    });
}

/// So many bits of ones.
fn most_of(bits: u32) -> u32 {
    u32::MAX >> (32 - bits)
}
