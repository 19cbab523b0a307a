//! `atom` and `red` (PTX ISA, "Parallel Synchronization and Communication Instructions").
//!
//! Lanes of one warp update in lane order. Global memory is updated with compare-and-swap on the host, so blocks on
//! other threads see each update whole; shared memory belongs to one host thread. Orderings and scopes are accepted
//! and always satisfied.

use super::float::{Float, canonical, min_max};
use super::half::{from_value, value_of};
use super::memory::{read_sized, write_sized};
use super::observe::AccessKind;
use super::view::{LaneResult, View, addresses, by_space};
use crate::cells::Cells;
use crate::fault::FaultReason;
use crate::isa::{Atomic, AtomicOp};
use crate::regs::{LANES, Regs, lanes, read_slot, write_slot};
use crate::types::{Space, Type};
use core::sync::atomic::Ordering;

/// Executes `atom` or `red`.
pub(crate) fn execute(
    view: &mut View<'_>,
    regs: &mut Regs,
    atomic: &Atomic,
    mask: u32,
) -> LaneResult<()> {
    let addresses = addresses(regs, &atomic.address);
    each_space(atomic.space, &addresses, mask, |space, plain, group| {
        in_space(view, regs, atomic, space, plain, group)
    })
}

/// Runs an access once for each space its addresses are in: several where they are generic.
pub(super) fn each_space(
    space: Space,
    addresses: &[u64; LANES],
    mask: u32,
    mut access: impl FnMut(Space, &[u64; LANES], u32) -> LaneResult<()>,
) -> LaneResult<()> {
    if space == Space::Generic {
        by_space(addresses, mask, access)
    } else {
        access(space, addresses, mask)
    }
}

/// Checks and counts an atomic access of so many bytes a lane; only global and shared memory have them.
pub(super) fn request(
    view: &mut View<'_>,
    space: Space,
    addresses: &[u64; LANES],
    mask: u32,
    bytes: u32,
) -> LaneResult<()> {
    view.check(space, addresses, mask, bytes, "atomic")?;
    match space {
        Space::Global => view.counters.global_atomic(addresses, mask, bytes),
        Space::Shared => view.counters.shared_atomic += 1,
        _ => {
            let lane = mask.trailing_zeros() as usize & 31;
            return Err((
                lane,
                FaultReason::ReadOnly {
                    space: space.name(),
                    address: addresses[lane],
                },
            ));
        }
    }
    view.touch(AccessKind::Atomic, space, addresses, mask, bytes, None);
    Ok(())
}

fn in_space(
    view: &mut View<'_>,
    regs: &mut Regs,
    atomic: &Atomic,
    space: Space,
    addresses: &[u64; LANES],
    mask: u32,
) -> LaneResult<()> {
    let size = atomic.ty.bytes();
    let parts = atomic.source.len();
    let bytes = size * parts as u32;
    request(view, space, addresses, mask, bytes)?;
    for lane in lanes(mask) {
        for part in 0..parts {
            let at = addresses[lane] + part as u64 * u64::from(size);
            let source = read_slot(regs, atomic.source[part], lane);
            let swap = atomic.swap.map_or(0, |slot| read_slot(regs, slot, lane));
            let update = |old| apply(atomic.op, atomic.ty, old, source, swap);
            let old = if space == Space::Global {
                let (cells, base) = view.cells_of(at);
                update_cells(cells, at - base, size, update)
            } else {
                let old = read_sized(view.shared, at as usize, size as usize);
                write_sized(view.shared, at as usize, size as usize, update(old));
                old
            };
            if let Some(&slot) = atomic.dest.get(part) {
                write_slot(regs, slot, lane, old);
            }
        }
    }
    view.observed(AccessKind::Atomic, space, addresses, mask, bytes);
    Ok(())
}

/// Updates one cell and returns its old value; the address was checked before.
fn update_cells(cells: &Cells, at: u64, size: u32, update: impl Fn(u64) -> u64) -> u64 {
    macro_rules! exchange {
        ($cell:expr, $t:ty) => {
            $cell.map_or(0, |cell| {
                let result = cell.fetch_update(Ordering::AcqRel, Ordering::Acquire, |old| {
                    Some(update(u64::from(old)) as $t)
                });
                match result {
                    Ok(old) | Err(old) => u64::from(old),
                }
            })
        };
    }
    match size {
        2 => exchange!(cells.atomic16(at), u16),
        4 => exchange!(cells.atomic32(at), u32),
        _ => exchange!(cells.atomic64(at), u64),
    }
}

/// The new value for an old one.
fn apply(op: AtomicOp, ty: Type, old: u64, source: u64, swap: u64) -> u64 {
    match op {
        AtomicOp::And => old & source,
        AtomicOp::Or => old | source,
        AtomicOp::Xor => old ^ source,
        AtomicOp::Exchange => source,
        AtomicOp::CompareExchange => {
            let width = 8 * ty.bytes();
            let low = if width == 64 {
                u64::MAX
            } else {
                (1 << width) - 1
            };
            if old == source & low { swap } else { old }
        }
        AtomicOp::Inc => u64::from(if old as u32 >= source as u32 {
            0
        } else {
            old as u32 + 1
        }),
        AtomicOp::Dec => {
            let (old, limit) = (old as u32, source as u32);
            u64::from(if old == 0 || old > limit {
                limit
            } else {
                old - 1
            })
        }
        AtomicOp::Add => add(ty, old, source),
        AtomicOp::Min => extreme(ty, old, source, false),
        AtomicOp::Max => extreme(ty, old, source, true),
    }
}

fn add(ty: Type, a: u64, b: u64) -> u64 {
    let half = |a: u64, b: u64, bfloat: bool| {
        u64::from(from_value(
            value_of(a as u16, bfloat) + value_of(b as u16, bfloat),
            bfloat,
        ))
    };
    match ty {
        Type::F32 => u64::from(canonical(f32::of_bits(a) + f32::of_bits(b)).to_bits()),
        Type::F64 => (f64::from_bits(a) + f64::from_bits(b)).to_bits(),
        Type::F16 => half(a, b, false),
        Type::Bf16 => half(a, b, true),
        Type::F16x2 => half(a, b, false) | half(a >> 16, b >> 16, false) << 16,
        Type::Bf16x2 => half(a, b, true) | half(a >> 16, b >> 16, true) << 16,
        _ => a.wrapping_add(b),
    }
}

fn extreme(ty: Type, a: u64, b: u64, max: bool) -> u64 {
    let half = |a: u64, b: u64, bfloat: bool| {
        u64::from(from_value(
            min_max(
                max,
                0,
                value_of(a as u16, bfloat),
                value_of(b as u16, bfloat),
            ),
            bfloat,
        ))
    };
    match ty {
        Type::F16 | Type::Bf16 => half(a, b, ty == Type::Bf16),
        Type::F16x2 | Type::Bf16x2 => {
            let bfloat = ty == Type::Bf16x2;
            half(a, b, bfloat) | half(a >> 16, b >> 16, bfloat) << 16
        }
        Type::F32 => u64::from(min_max(max, 0, f32::of_bits(a), f32::of_bits(b)).to_bits()),
        Type::F64 => min_max(max, 0, f64::from_bits(a), f64::from_bits(b)).to_bits(),
        _ => {
            let (x, y) = (super::convert::extend(a, ty), super::convert::extend(b, ty));
            if (x < y) == max { b } else { a }
        }
    }
}
