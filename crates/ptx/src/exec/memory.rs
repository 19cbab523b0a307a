//! Loads, stores and copies of a warp (PTX ISA, "Data Movement and Conversion Instructions": `ld`, `st`, `cp.async`).
//!
//! An access is checked for all its lanes before any of them moves data.

use super::observe::{AccessKind, Values};
use super::view::{LaneResult, View, addresses, by_space, largest, window};
use crate::fault::FaultReason;
use crate::isa::Access;
use crate::regs::{LANES, Regs, Slot, lanes, read_slot, write_slot};
use crate::types::{MODULE_WINDOW, Space, Type};

/// Executes `ld`.
pub(crate) fn load(
    view: &mut View<'_>,
    regs: &mut Regs,
    access: &Access,
    mask: u32,
) -> LaneResult<()> {
    let addresses = addresses(regs, &access.address);
    load_at(view, regs, access, &addresses, mask)
}

/// A load from addresses that are given beside the access.
pub(crate) fn load_at(
    view: &mut View<'_>,
    regs: &mut Regs,
    access: &Access,
    addresses: &[u64; LANES],
    mask: u32,
) -> LaneResult<()> {
    if access.space == Space::Generic {
        return by_space(addresses, mask, |space, plain, group| {
            load_space(view, regs, access, space, plain, group)
        });
    }
    load_space(view, regs, access, access.space, addresses, mask)
}

fn load_space(
    view: &mut View<'_>,
    regs: &mut Regs,
    access: &Access,
    space: Space,
    addresses: &[u64; LANES],
    mask: u32,
) -> LaneResult<()> {
    let size = access.ty.bytes();
    let total = size * access.slots.len() as u32;
    view.check(space, addresses, mask, total, "load")?;
    view.touch(AccessKind::Load, space, addresses, mask, total, None);
    match space {
        Space::Global | Space::Generic => {
            view.counters.global_read(addresses, mask, total);
            load_global(view, regs, access, addresses, mask);
        }
        Space::Shared => {
            view.counters.shared_load += 1;
            load_bytes(regs, access, mask, view.shared, |lane| addresses[lane]);
        }
        Space::Local => {
            let bases: [u64; LANES] = core::array::from_fn(|lane| view.local_base(lane));
            load_bytes(regs, access, mask, view.local, |lane| {
                bases[lane] + addresses[lane]
            });
        }
        Space::Const => load_bytes(regs, access, mask, view.launch.constants, |lane| {
            addresses[lane]
        }),
        Space::Param => load_bytes(regs, access, mask, view.launch.params, |lane| {
            addresses[lane]
        }),
    }
    view.observed(AccessKind::Load, space, addresses, mask, total);
    Ok(())
}

fn load_global(
    view: &View<'_>,
    regs: &mut Regs,
    access: &Access,
    addresses: &[u64; LANES],
    mask: u32,
) {
    let size = u64::from(access.ty.bytes());
    for (part, &slot) in access.slots.iter().enumerate() {
        let offset = part as u64 * size;
        if size == 4
            && let Slot::Word(slot) = slot
        {
            let out = &mut regs.words[slot as usize];
            if mask == u32::MAX && largest(addresses) < MODULE_WINDOW {
                let (cells, base) = view.launch.memory.cells();
                for (out, address) in out.iter_mut().zip(addresses) {
                    *out = cells.load32(address - base + offset).unwrap_or(0);
                }
                continue;
            }
            for lane in lanes(mask) {
                let (cells, base) = view.cells_of(addresses[lane]);
                out[lane] = cells.load32(addresses[lane] - base + offset).unwrap_or(0);
            }
            continue;
        }
        for lane in lanes(mask) {
            let (cells, base) = view.cells_of(addresses[lane]);
            let at = addresses[lane] - base + offset;
            let raw = match size {
                1 => cells.load8(at).map(u64::from),
                2 => cells.load16(at).map(u64::from),
                4 => cells.load32(at).map(u64::from),
                _ => cells.load64(at),
            };
            write_slot(regs, slot, lane, extend(raw.unwrap_or(0), access.ty));
        }
    }
}

fn load_bytes(
    regs: &mut Regs,
    access: &Access,
    mask: u32,
    bytes: &[u8],
    at: impl Fn(usize) -> u64,
) {
    let size = access.ty.bytes() as usize;
    for (part, &slot) in access.slots.iter().enumerate() {
        let offset = part * size;
        if size == 4
            && let Slot::Word(slot) = slot
        {
            let out = &mut regs.words[slot as usize];
            if mask == u32::MAX {
                // A plain loop over all lanes is shorter than one over the bits of a mask.
                for (lane, out) in out.iter_mut().enumerate() {
                    *out = read_bytes::<4>(bytes, at(lane) as usize + offset) as u32;
                }
                continue;
            }
            for lane in lanes(mask) {
                out[lane] = read_bytes::<4>(bytes, at(lane) as usize + offset) as u32;
            }
            continue;
        }
        for lane in lanes(mask) {
            let raw = read_sized(bytes, at(lane) as usize + offset, size);
            write_slot(regs, slot, lane, extend(raw, access.ty));
        }
    }
}

/// Executes `st`.
pub(crate) fn store(
    view: &mut View<'_>,
    regs: &Regs,
    access: &Access,
    mask: u32,
) -> LaneResult<()> {
    let addresses = addresses(regs, &access.address);
    store_at(view, regs, access, &addresses, mask)
}

/// A store to addresses that are given beside the access.
pub(crate) fn store_at(
    view: &mut View<'_>,
    regs: &Regs,
    access: &Access,
    addresses: &[u64; LANES],
    mask: u32,
) -> LaneResult<()> {
    if access.space == Space::Generic {
        return by_space(addresses, mask, |space, plain, group| {
            store_space(view, regs, access, space, plain, group)
        });
    }
    store_space(view, regs, access, access.space, addresses, mask)
}

fn store_space(
    view: &mut View<'_>,
    regs: &Regs,
    access: &Access,
    space: Space,
    addresses: &[u64; LANES],
    mask: u32,
) -> LaneResult<()> {
    let total = access.ty.bytes() * access.slots.len() as u32;
    view.check(space, addresses, mask, total, "store")?;
    let values = Values {
        regs,
        slots: &access.slots,
        size: access.ty.bytes(),
    };
    view.touch(
        AccessKind::Store,
        space,
        addresses,
        mask,
        total,
        Some(values),
    );
    match space {
        Space::Global | Space::Generic => {
            view.counters.global_write(addresses, mask, total);
            store_global(view, regs, access, addresses, mask);
        }
        Space::Shared => {
            view.counters.shared_store += 1;
            store_bytes(regs, access, mask, view.shared, |lane| addresses[lane]);
        }
        Space::Local => {
            let bases: [u64; LANES] = core::array::from_fn(|lane| view.local_base(lane));
            store_bytes(regs, access, mask, view.local, |lane| {
                bases[lane] + addresses[lane]
            });
        }
        Space::Const | Space::Param => {
            let lane = mask.trailing_zeros() as usize;
            return Err((
                lane,
                FaultReason::ReadOnly {
                    space: space.name(),
                    address: addresses[lane & 31],
                },
            ));
        }
    }
    Ok(())
}

fn store_global(
    view: &View<'_>,
    regs: &Regs,
    access: &Access,
    addresses: &[u64; LANES],
    mask: u32,
) {
    let size = u64::from(access.ty.bytes());
    for lane in lanes(mask) {
        let (cells, base) = view.cells_of(addresses[lane]);
        for (part, &slot) in access.slots.iter().enumerate() {
            let at = addresses[lane] - base + part as u64 * size;
            let raw = read_slot(regs, slot, lane);
            let _ = match size {
                1 => cells.store8(at, raw as u8),
                2 => cells.store16(at, raw as u16),
                4 => cells.store32(at, raw as u32),
                _ => cells.store64(at, raw),
            };
        }
    }
}

fn store_bytes(
    regs: &Regs,
    access: &Access,
    mask: u32,
    bytes: &mut [u8],
    at: impl Fn(usize) -> u64,
) {
    let size = access.ty.bytes() as usize;
    for lane in lanes(mask) {
        for (part, &slot) in access.slots.iter().enumerate() {
            write_sized(
                bytes,
                at(lane) as usize + part * size,
                size,
                read_slot(regs, slot, lane),
            );
        }
    }
}

/// Moves bytes between parameter variables, which live in local memory.
pub(crate) fn copy_local(view: &mut View<'_>, from: u32, to: u32, bytes: u32, mask: u32) {
    for lane in lanes(mask) {
        let base = view.local_base(lane) as usize;
        let source = base + from as usize..base + (from + bytes) as usize;
        if source.end <= view.local.len() && base + ((to + bytes) as usize) <= view.local.len() {
            view.local.copy_within(source, base + to as usize);
        }
        view.local_copied(
            base as u64 + u64::from(from),
            base as u64 + u64::from(to),
            bytes,
        );
    }
}

/// One byte at a generic address, as one lane sees it; `None` outside every space.
pub(crate) fn generic_byte(view: &View<'_>, address: u64, lane: usize) -> Option<u8> {
    let (space, base) = window(address);
    let at = (address - base) as usize;
    match space {
        Space::Shared => view.shared.get(at).copied(),
        Space::Local if (at as u64) < view.local_bytes => {
            view.local.get(view.local_base(lane) as usize + at).copied()
        }
        Space::Local => None,
        Space::Const => view.launch.constants.get(at).copied(),
        Space::Param => view.launch.params.get(at).copied(),
        Space::Global | Space::Generic => {
            view.check_range(address, 1, "load", lane).ok()?;
            let (cells, base) = view.cells_of(address);
            cells.load8(address - base)
        }
    }
}

/// A value in a parameter variable of a call, which lies in local memory.
pub(crate) fn local_value(view: &View<'_>, at: u32, size: usize, lane: usize) -> u64 {
    read_sized(
        view.local,
        (view.local_base(lane) + u64::from(at)) as usize,
        size,
    )
}

/// Writes a parameter variable of a call.
pub(crate) fn set_local_value(view: &mut View<'_>, at: u32, size: usize, lane: usize, value: u64) {
    let at = view.local_base(lane) + u64::from(at);
    write_sized(view.local, at as usize, size, value);
}

/// Sign-extends signed elements to 64 bits; others are zero-extended already.
fn extend(raw: u64, ty: Type) -> u64 {
    if ty.is_signed() && ty.bytes() < 8 {
        super::convert::extend(raw, ty) as u64
    } else {
        raw
    }
}

#[inline(always)]
fn read_bytes<const N: usize>(bytes: &[u8], at: usize) -> u64 {
    let mut out = [0; 8];
    if let Some(source) = bytes.get(at..at + N) {
        out[..N].copy_from_slice(source);
    }
    u64::from_le_bytes(out)
}

pub(crate) fn read_sized(bytes: &[u8], at: usize, size: usize) -> u64 {
    match size {
        1 => read_bytes::<1>(bytes, at),
        2 => read_bytes::<2>(bytes, at),
        4 => read_bytes::<4>(bytes, at),
        _ => read_bytes::<8>(bytes, at),
    }
}

pub(crate) fn write_sized(bytes: &mut [u8], at: usize, size: usize, value: u64) {
    if let Some(target) = bytes.get_mut(at..at + size) {
        target.copy_from_slice(&value.to_le_bytes()[..size]);
    }
}
