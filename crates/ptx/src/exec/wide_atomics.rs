//! `atom.exch.b128` and `atom.cas.b128` (PTX ISA, "Parallel Synchronization and Communication Instructions: atom").
//!
//! No host instruction updates sixteen bytes at once everywhere, so these take turns under one lock. Against each
//! other they are atomic; a plain access of another thread may see one half of an update.

use super::atomics::{each_space, request};
use super::memory::{read_sized, write_sized};
use super::observe::AccessKind;
use super::view::{LaneResult, View, addresses};
use crate::isa::WideAtomic;
use crate::regs::{LANES, Regs, lanes};
use crate::types::Space;
use std::sync::{Mutex, PoisonError};

static TURN: Mutex<()> = Mutex::new(());

/// Executes the instruction lane by lane.
pub(crate) fn execute(
    view: &mut View<'_>,
    regs: &mut Regs,
    atomic: &WideAtomic,
    mask: u32,
) -> LaneResult<()> {
    let addresses = addresses(regs, &atomic.address);
    each_space(atomic.space, &addresses, mask, |space, plain, group| {
        in_space(view, regs, atomic, space, plain, group)
    })
}

fn in_space(
    view: &mut View<'_>,
    regs: &mut Regs,
    atomic: &WideAtomic,
    space: Space,
    addresses: &[u64; LANES],
    mask: u32,
) -> LaneResult<()> {
    request(view, space, addresses, mask, 16)?;
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    for lane in lanes(mask) {
        let read = |slots: [u32; 2]| slots.map(|slot| regs.doubles[slot as usize][lane]);
        let (source, swap) = (read(atomic.source), atomic.swap.map(read));
        let old = load(view, space, addresses[lane]);
        let new = match swap {
            Some(swap) if old == source => swap,
            Some(_) => old,
            None => source,
        };
        store(view, space, addresses[lane], new);
        for (slot, half) in atomic.dest.into_iter().zip(old) {
            regs.doubles[slot as usize][lane] = half;
        }
    }
    view.observed(AccessKind::Atomic, space, addresses, mask, 16);
    Ok(())
}

fn load(view: &View<'_>, space: Space, at: u64) -> [u64; 2] {
    [0, 8].map(|half| match space {
        Space::Shared => read_sized(view.shared, (at + half) as usize, 8),
        _ => {
            let (cells, base) = view.cells_of(at);
            cells.load64(at - base + half).unwrap_or(0)
        }
    })
}

fn store(view: &mut View<'_>, space: Space, at: u64, value: [u64; 2]) {
    for (half, value) in [0, 8].into_iter().zip(value) {
        if space == Space::Shared {
            write_sized(view.shared, (at + half) as usize, 8, value);
        } else {
            let (cells, base) = view.cells_of(at);
            let _ = cells.store64(at - base + half, value);
        }
    }
}
