//! `mma.sync` (PTX ISA, "Matrix multiply-accumulate operation using mma instruction").
//!
//! Fragment layouts of all shapes follow one rule. With `g = lane / 4`, `t = lane % 4` and `p` elements to a
//! register, element `e` of register `r` is
//! - of A (16 rows): row `g + 8 (r % 2)`, column `4p (r / 2) + pt + e`; with 8 rows: row `g`, column `4p r + pt + e`,
//! - of B: row `4p r + pt + e`, column `g`,
//! - of C and D: row `g + 8 (r / 2)`, column `2t + r % 2`; packed halves: row `g + 8 r`, column `2t + e`.
//!
//! Products are exact and summed with the accumulator in `f64`, then rounded once: at least as exact as PTX asks
//! ("at least single precision, order unspecified"). `f64` products are fused multiply-adds in the order of `k`.
//! Deliberately absent: sparse and block-scaled products, the quad-pair layout of Volta's `m8n8k4` halves.

use super::half::from_value;
use super::view::LaneResult;
use crate::fault::FaultReason;
use crate::isa::element::Element;
use crate::isa::tensor::{BitOp, Fragment, Mma, Overflow};
use crate::regs::{Regs, read_slot, write_slot};

/// Largest depth in values: halves of a depth of 64, or 256 bits as eight words.
const DEEPEST: usize = 64;
const ROWS: usize = 16;
const COLUMNS: usize = 8;

/// Operands as plain matrices: A by rows, B by columns, so both run along the depth.
struct Operands<T> {
    a: [[T; DEEPEST]; ROWS],
    b: [[T; DEEPEST]; COLUMNS],
    depth: usize,
}

/// A fault if lanes of the warp are missing from `mask`.
pub(crate) fn whole_warp(mask: u32, instruction: &'static str) -> LaneResult<()> {
    if mask == u32::MAX {
        return Ok(());
    }
    let lane = mask.trailing_zeros() as usize & 31;
    Err((
        lane,
        FaultReason::PartialWarp {
            instruction,
            lanes: mask.count_ones(),
        },
    ))
}

/// Row and column of element `e` of register `r` of an A fragment with `p` elements to a register.
pub(crate) fn a_place(rows: u32, p: u32, lane: u32, r: u32, e: u32) -> (u32, u32) {
    let (g, t) = (lane / 4, lane % 4);
    if rows == 16 {
        (g + 8 * (r % 2), 4 * p * (r / 2) + p * t + e)
    } else {
        (g, 4 * p * r + p * t + e)
    }
}

/// Row (along the depth) and column of an element of a B fragment.
pub(crate) fn b_place(p: u32, lane: u32, r: u32, e: u32) -> (u32, u32) {
    (4 * p * r + p * (lane % 4) + e, lane / 4)
}

/// Row and column of an element of an accumulator fragment.
pub(crate) fn c_place(p: u32, lane: u32, r: u32, e: u32) -> (u32, u32) {
    let (g, t) = (lane / 4, lane % 4);
    if p == 2 {
        (g + 8 * r, 2 * t + e)
    } else {
        (g + 8 * (r / 2), 2 * t + r % 2)
    }
}

/// Executes the product for a whole warp.
pub(crate) fn execute(regs: &mut Regs, mma: &Mma, mask: u32) -> LaneResult<()> {
    whole_warp(mask, "mma")?;
    if mma.a_type.is_integer() {
        integer(regs, mma);
    } else {
        float(regs, mma);
    }
    Ok(())
}

/// Reads both operands. Single bits stay together as words, so their depth is that of words.
fn gather<T: Copy + Default>(
    regs: &Regs,
    mma: &Mma,
    value: impl Fn(Element, u64) -> T,
) -> Operands<T> {
    let packed = |element: Element| {
        if element == Element::B1 {
            1
        } else {
            element.per_register()
        }
    };
    let (pa, pb) = (packed(mma.a_type), packed(mma.b_type));
    let depth = if mma.a_type == Element::B1 {
        mma.shape.k / 32
    } else {
        mma.shape.k
    };
    let mut out = Operands {
        a: [[T::default(); DEEPEST]; ROWS],
        b: [[T::default(); DEEPEST]; COLUMNS],
        depth: depth as usize,
    };
    for lane in 0..32u32 {
        for (r, &slot) in mma.a.iter().enumerate() {
            let raw = read_slot(regs, slot, lane as usize);
            for e in 0..pa {
                let (row, column) = a_place(mma.shape.m, pa, lane, r as u32, e);
                out.a[row as usize][column as usize] =
                    value(mma.a_type, raw >> (e * mma.a_type.bits() % 64));
            }
        }
        for (r, &slot) in mma.b.iter().enumerate() {
            let raw = read_slot(regs, slot, lane as usize);
            for e in 0..pb {
                let (row, column) = b_place(pb, lane, r as u32, e);
                out.b[column as usize][row as usize] =
                    value(mma.b_type, raw >> (e * mma.b_type.bits() % 64));
            }
        }
    }
    out
}

/// Reads the accumulator fragment as a matrix.
fn accumulator<T: Copy + Default>(
    regs: &Regs,
    c: &Fragment,
    element: Element,
    value: impl Fn(u64) -> T,
) -> [[T; COLUMNS]; ROWS] {
    let mut out = [[T::default(); COLUMNS]; ROWS];
    let p = element.per_register();
    for lane in 0..32u32 {
        for (r, &slot) in c.iter().enumerate() {
            let raw = read_slot(regs, slot, lane as usize);
            for e in 0..p {
                let (row, column) = c_place(p, lane, r as u32, e);
                out[row as usize][column as usize] = value(raw >> (e * element.bits() % 64));
            }
        }
    }
    out
}

/// Writes the result matrix to the destination fragment.
fn scatter<T: Copy>(
    regs: &mut Regs,
    d: &Fragment,
    element: Element,
    sums: &[[T; COLUMNS]; ROWS],
    bits: impl Fn(T) -> u64,
) {
    let p = element.per_register();
    for lane in 0..32u32 {
        for (r, &slot) in d.iter().enumerate() {
            let mut raw = 0;
            for e in 0..p {
                let (row, column) = c_place(p, lane, r as u32, e);
                raw |= bits(sums[row as usize][column as usize]) << (e * element.bits() % 64);
            }
            write_slot(regs, slot, lane as usize, raw);
        }
    }
}

fn float(regs: &mut Regs, mma: &Mma) {
    let Operands { a, b, depth } = gather(regs, mma, |element, bits| element.float(bits));
    let mut sums = accumulator(regs, &mma.c, mma.c_type, |bits| mma.c_type.float(bits));
    let fused = mma.a_type == Element::F64;
    for (row, line) in sums.iter_mut().enumerate().take(mma.shape.m as usize) {
        for (column, sum) in line.iter_mut().enumerate() {
            *sum = dot(&a[row][..depth], &b[column][..depth], *sum, fused);
        }
    }
    scatter(regs, &mma.d, mma.d_type, &sums, |sum| {
        float_bits(mma.d_type, sum)
    });
}

/// The sum of products on top of `start`.
#[inline]
pub(crate) fn dot(a: &[f64], b: &[f64], start: f64, fused: bool) -> f64 {
    if fused {
        return a
            .iter()
            .zip(b)
            .fold(start, |sum, (a, b)| a.mul_add(*b, sum));
    }
    // Independent partial sums let the host use vector instructions; the order of summation is free.
    let mut parts = [0.0; 4];
    for (a, b) in a.chunks(4).zip(b.chunks(4)) {
        for ((part, a), b) in parts.iter_mut().zip(a).zip(b) {
            *part += a * b;
        }
    }
    start + ((parts[0] + parts[1]) + (parts[2] + parts[3]))
}

/// The accumulator pattern of a sum.
pub(crate) fn float_bits(element: Element, sum: f64) -> u64 {
    match element {
        Element::F64 => sum.to_bits(),
        Element::F16 => u64::from(from_value(sum, false)),
        _ if sum.is_nan() => 0x7fff_ffff,
        _ => u64::from((sum as f32).to_bits()),
    }
}

fn integer(regs: &mut Regs, mma: &Mma) {
    let Operands { a, b, depth } = gather(regs, mma, |element, bits| element.integer(bits));
    let mut sums = accumulator(regs, &mma.c, Element::S32, |bits| i64::from(bits as i32));
    let multiply = |a: i32, b: i32| match (mma.a_type, mma.bit_op) {
        (Element::B1, BitOp::Xor) => i64::from((a ^ b).count_ones()),
        (Element::B1, BitOp::And) => i64::from((a & b).count_ones()),
        _ => i64::from(a) * i64::from(b),
    };
    for (row, line) in sums.iter_mut().enumerate().take(mma.shape.m as usize) {
        for (column, sum) in line.iter_mut().enumerate() {
            *sum += (0..depth)
                .map(|at| multiply(a[row][at], b[column][at]))
                .sum::<i64>();
        }
    }
    scatter(regs, &mma.d, Element::S32, &sums, |sum| {
        u64::from(integer_bits(sum, mma.overflow))
    });
}

/// The accumulator pattern of an integer sum.
pub(crate) fn integer_bits(sum: i64, overflow: Overflow) -> u32 {
    match overflow {
        Overflow::Wrap => sum as u32,
        Overflow::Saturate => sum.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as u32,
    }
}
