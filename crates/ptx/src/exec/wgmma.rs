//! `wgmma.mma_async` (PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate").
//!
//! The four warps of a warpgroup share the product, but each computes sixteen rows from its own registers and from
//! shared memory, so each does so when it gets there. The accumulators are written at once, which a program that
//! waits for its group must allow.
//!
//! A matrix descriptor gives, in units of 16 bytes, the start (bits 0 to 13), the leading (16 to 29) and the stride
//! (32 to 45) offset, and in bits 62 and 63 the swizzle. With rows of `w` bytes (16 unswizzled, else the swizzle's
//! width), element `(row, depth)` of an operand stored along the depth lies at
//! `(row / 8) · stride + (row % 8) · w + depth bytes % w + (depth bytes / w) · leading`; stored across it
//! (`.trans`), rows and depth change places and so do the offsets. The swizzle permutes the bits of the address.
//! Observers are told of each 16 bytes of A and of B once: of B, each warp reads a quarter of the columns.
//! Deliberately absent: sparse products.

use super::mma::{a_place, dot, float_bits, integer_bits, whole_warp};
use super::observe::AccessKind;
use super::view::{LaneResult, View};
use crate::fault::FaultReason;
use crate::isa::element::Element;
use crate::isa::tensor::{Left, Major, Wgmma};
use crate::regs::{LANES, Regs, read_slot, write_slot};
use crate::tensor_map::Swizzle;
use crate::types::Space;

/// A matrix in shared memory.
struct Descriptor {
    start: u64,
    leading: u64,
    stride: u64,
    swizzle: Swizzle,
    major: Major,
}

impl Descriptor {
    fn new(bits: u64, major: Major) -> Descriptor {
        let field = |at: u32| (bits >> at & 0x3fff) << 4;
        let swizzle = match bits >> 62 {
            0 => Swizzle::None,
            1 => Swizzle::Bytes128,
            2 => Swizzle::Bytes64,
            _ => Swizzle::Bytes32,
        };
        Descriptor {
            start: field(0),
            leading: field(16),
            stride: field(32),
            swizzle,
            major,
        }
    }

    /// Offset in shared memory of an element of `size` bytes.
    fn at(&self, row: u64, depth: u64, size: u64) -> u64 {
        let width = u64::from(self.swizzle.row_bytes());
        let plain = match self.major {
            Major::Depth => {
                let along = depth * size;
                row / 8 * self.stride
                    + row % 8 * width
                    + along % width
                    + along / width * self.leading
            }
            Major::Across => {
                let along = row * size;
                let (outer, inner) = (along / width, along % width);
                // Unswizzled, the offset along the rows is the stride; swizzled, it is the leading one.
                let (across, down) = if self.swizzle == Swizzle::None {
                    (self.stride, self.leading)
                } else {
                    (self.leading, self.stride)
                };
                outer * across + inner + depth % 8 * width + depth / 8 * down
            }
        };
        self.swizzle.apply(self.start + plain)
    }
}

fn element(view: &View<'_>, kind: Element, at: u64) -> Result<f64, FaultReason> {
    let size = (kind.bits() / 8) as usize;
    let inside = at as usize + size <= view.shared.len();
    if !inside {
        let (access, space, bytes) = ("load", "shared", size as u32);
        return Err(FaultReason::OutOfBounds {
            access,
            space,
            address: at,
            bytes,
            nearest: None,
        });
    }
    let bits = super::memory::read_sized(view.shared, at as usize, size);
    Ok(if kind.is_integer() {
        f64::from(kind.integer(bits))
    } else {
        kind.float(bits)
    })
}

/// A whole operand as lines along the depth.
fn matrix(
    view: &View<'_>,
    descriptor: &Descriptor,
    rows: core::ops::Range<u32>,
    depth: u32,
    kind: Element,
) -> Result<Vec<f64>, FaultReason> {
    let size = u64::from(kind.bits() / 8);
    let mut out = Vec::with_capacity((rows.len() as u32 * depth) as usize);
    for row in rows {
        for at in 0..depth {
            out.push(element(
                view,
                kind,
                descriptor.at(u64::from(row), u64::from(at), size),
            )?);
        }
    }
    Ok(out)
}

/// Bytes that lie together, whatever the order of places.
const PART: u64 = 16;

/// Tells that parts of a matrix are read: those of some rows, each once.
fn touch(
    view: &mut View<'_>,
    descriptor: &Descriptor,
    rows: core::ops::Range<u32>,
    depth: u32,
    kind: Element,
) -> LaneResult<()> {
    let size = u64::from(kind.bits() / 8);
    let each = (PART / size) as usize;
    let (rows, depth) = (
        u64::from(rows.start)..u64::from(rows.end),
        0..u64::from(depth),
    );
    let at = |row: u64, depth: u64| descriptor.at(row, depth, size);
    // Part by part, as a core matrix is 16 bytes of 8 lines.
    let parts: Vec<u64> = match descriptor.major {
        Major::Depth => depth
            .step_by(each)
            .flat_map(|depth| rows.clone().map(move |row| at(row, depth)))
            .collect(),
        Major::Across => rows
            .step_by(each)
            .flat_map(|row| depth.clone().map(move |depth| at(row, depth)))
            .collect(),
    };
    for chunk in parts.chunks(LANES) {
        let mut addresses = [0; LANES];
        addresses[..chunk.len()].copy_from_slice(chunk);
        let mask = u32::MAX >> (LANES - chunk.len());
        let bytes = PART as u32;
        view.check(Space::Shared, &addresses, mask, bytes, "load")?;
        view.touch(
            AccessKind::Load,
            Space::Shared,
            &addresses,
            mask,
            bytes,
            None,
        );
    }
    Ok(())
}

/// The sixteen rows of A of this warp.
fn left(view: &mut View<'_>, regs: &Regs, wgmma: &Wgmma, quarter: u32) -> LaneResult<Vec<f64>> {
    let depth = wgmma.shape.k;
    match &wgmma.a {
        Left::Shared(slot, major) => {
            let descriptor = Descriptor::new(regs.doubles[*slot as usize][0], *major);
            let rows = 16 * quarter..16 * quarter + 16;
            touch(view, &descriptor, rows.clone(), depth, wgmma.a_type)?;
            matrix(view, &descriptor, rows, depth, wgmma.a_type).map_err(|reason| (0, reason))
        }
        Left::Registers(fragment) => {
            let (kind, p) = (wgmma.a_type, wgmma.a_type.per_register());
            let mut out = vec![0.0; (16 * depth) as usize];
            for lane in 0..32 {
                for (r, &slot) in fragment.iter().enumerate() {
                    let raw = read_slot(regs, slot, lane as usize);
                    for e in 0..p {
                        let (row, column) = a_place(16, p, lane, r as u32, e);
                        let bits = raw >> (e * kind.bits());
                        out[(row * depth + column) as usize] = if kind.is_integer() {
                            f64::from(kind.integer(bits))
                        } else {
                            kind.float(bits)
                        };
                    }
                }
            }
            Ok(out)
        }
    }
}

/// Executes this warp's part of the product.
pub(crate) fn execute(
    view: &mut View<'_>,
    regs: &mut Regs,
    wgmma: &Wgmma,
    mask: u32,
) -> LaneResult<()> {
    whole_warp(mask, "wgmma")?;
    let quarter = (view.first_thread / 32 % 4) as u32;
    let depth = wgmma.shape.k as usize;
    let a = left(view, regs, wgmma, quarter)?;
    let descriptor = Descriptor::new(regs.doubles[wgmma.b as usize][0], wgmma.b_major);
    // The warps share B: each is said to read a quarter of its columns, in eights.
    let eights = wgmma.shape.n / 8;
    let [from, to] = [quarter, quarter + 1].map(|quarter| 8 * (eights * quarter / 4));
    touch(view, &descriptor, from..to, wgmma.shape.k, wgmma.b_type)?;
    let b = matrix(
        view,
        &descriptor,
        0..wgmma.shape.n,
        wgmma.shape.k,
        wgmma.b_type,
    )
    .map_err(|reason| (0, reason))?;
    let (slot, negated) = wgmma.accumulate;
    let accumulate = (regs.predicates[slot as usize] & 1 != 0) != negated;
    let sign = if wgmma.negate { -1.0 } else { 1.0 };
    let (p, kind) = (wgmma.d_type.per_register(), wgmma.d_type);
    for lane in 0..32usize {
        for (r, &slot) in wgmma.d.iter().enumerate() {
            let old = read_slot(regs, slot, lane);
            let mut raw = 0;
            for e in 0..p {
                let (row, column) = d_place(p, lane as u32, r as u32, e);
                let bits = old >> (e * kind.bits());
                let start = match (accumulate, kind.is_integer()) {
                    (false, _) => 0.0,
                    (true, true) => f64::from(kind.integer(bits)),
                    (true, false) => kind.float(bits),
                };
                let (row, column) = (row as usize * depth, column as usize * depth);
                let sum = start
                    + sign * dot(&a[row..row + depth], &b[column..column + depth], 0.0, false);
                let out = if kind.is_integer() {
                    u64::from(integer_bits(sum as i64, wgmma.overflow))
                } else {
                    float_bits(kind, sum)
                };
                raw |= out << (e * kind.bits());
            }
            write_slot(regs, slot, lane, raw);
        }
    }
    view.counters.shared_load += 1;
    Ok(())
}

/// Row in the warp's sixteen and column of an accumulator element.
fn d_place(p: u32, lane: u32, r: u32, e: u32) -> (u32, u32) {
    let (g, t) = (lane / 4, lane % 4);
    // Packed halves hold two columns in one register, so half as many registers make a group of eight columns.
    let (group, down, along) = if p == 2 {
        (r / 2, r % 2, e)
    } else {
        (r / 4, r / 2 % 2, r % 2)
    };
    (g + 8 * down, 8 * group + 2 * t + along)
}
