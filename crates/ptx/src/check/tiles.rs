//! Tiles of shared memory that products of warpgroups read, from the issue of a product to the wait for its group.
//!
//! A product may read its operands until a warp has waited for the group: whoever writes there before races, whatever
//! barriers come between. Each warp of the warpgroup reads a part of the tiles, as `exec::wgmma` shares them out. At the wait
//! the reads become accesses like others, done by an agent of each warp, a thread beyond those of the block. All lanes that
//! waited acquire from the agent of their warp: each of them may tell others that its part is free. Arrivals at mbarriers
//! release what the agents of all four warps have read: a group is one of the warpgroup (PTX ISA, `wgmma.commit_group`), and
//! CUTLASS frees a stage of its pipeline by one thread of each warpgroup.

use super::clocks::Moment;
use super::findings::Actor;
use super::shadow::SharedStamp;
use super::watch::Watch;
use crate::exec::observe::{AccessKind, Touch};
use crate::isa::{Code, Op, WarpOp};
use crate::race::RaceCause;
use crate::regs::{LANES, lanes};
use crate::warp::warpgroup_of;
use smallvec::SmallVec;
use std::collections::VecDeque;

/// Bytes of a part: products read in pieces of 16 that are aligned.
const PART_BITS: u32 = 4;

/// The last product of a warp that reads a part and is in flight.
#[derive(Clone, Copy)]
struct Reader {
    pc: u32,
    warp: u32,
    group: u32,
}

/// The tiles of the running block that are being read.
#[derive(Default)]
pub(super) struct Tiles {
    /// By part of shared memory; empty where the kernel has no products.
    readers: Vec<SmallVec<[Reader; 2]>>,
    /// By warp: the parts that its products in flight read, with the number of the group.
    reading: Vec<Vec<(u32, u32)>>,
    /// By warp: the moments at which its agent had read all groups before one, the last ones.
    read: Vec<VecDeque<(u32, Moment)>>,
    /// By warp: the groups it has waited for, all before this one.
    awaited: Vec<u32>,
}

/// Moments kept: `wgmma.wait_group` leaves seven groups on their way at most.
const MOST_MOMENTS: usize = 8;

/// Whether an instruction is a product of a warpgroup.
pub(super) fn is_product(code: &Code, pc: u32) -> bool {
    let op = code.insts.get(pc as usize).map(|inst| &inst.op);
    matches!(op, Some(Op::Warp { op, .. }) if matches!(**op, WarpOp::Wgmma(_)))
}

impl Tiles {
    /// For so much shared memory, and so many warps.
    pub(super) fn new(bytes: usize, warps: usize) -> Tiles {
        Tiles {
            readers: vec![SmallVec::new(); bytes.div_ceil(1 << PART_BITS)],
            reading: vec![Vec::new(); warps],
            read: vec![VecDeque::new(); warps],
            awaited: vec![0; warps],
        }
    }

    /// Forgets everything; a new block starts.
    pub(super) fn clear(&mut self) {
        for (part, _) in self.reading.iter_mut().flat_map(|parts| parts.drain(..)) {
            self.readers[part as usize].clear();
        }
        self.read.iter_mut().for_each(VecDeque::clear);
        self.awaited.fill(0);
    }

    /// When the agent of a warp had read what comes before a group.
    fn read_by(&self, warp: usize, group: u32) -> Option<&Moment> {
        let moments = self.read.get(warp)?.iter().rev();
        let mut before = moments.skip_while(|(done, _)| *done > group);
        before.next().map(|(_, moment)| moment)
    }

    /// When the agents of a thread's warpgroup had read what the thread's warp has waited for.
    pub(super) fn read_before(&self, thread: u32) -> impl Iterator<Item = &Moment> {
        let warp = thread as usize / LANES;
        let group = self.awaited.get(warp).copied().unwrap_or(0);
        warpgroup_of(warp, self.read.len()).filter_map(move |warp| self.read_by(warp, group))
    }

    /// The first product that may be reading any of some bytes, and where.
    #[inline]
    fn reader_of(&self, address: u64, bytes: u32) -> Option<(u64, Reader)> {
        if self.reading.iter().all(Vec::is_empty) {
            return None;
        }
        let parts = address >> PART_BITS..=(address + u64::from(bytes) - 1) >> PART_BITS;
        parts.into_iter().find_map(|part| {
            let reader = self.readers.get(part as usize)?.first()?;
            Some(((part << PART_BITS).max(address), *reader))
        })
    }

    /// Takes the parts of a warp whose groups are done, all before one, with the products that read them.
    fn retire(&mut self, warp: u32, done: u32) -> Vec<(u32, u32)> {
        let mut retired = Vec::new();
        let Some(reading) = self.reading.get_mut(warp as usize) else {
            return retired;
        };
        reading.retain(|&(part, group)| {
            let readers = &mut self.readers[part as usize];
            let over = |reader: &Reader| reader.warp == warp && reader.group < done;
            if let Some(at) = readers.iter().position(over) {
                retired.push((part, readers.remove(at).pc));
            }
            group >= done
        });
        retired
    }
}

impl Watch {
    /// A product reads its operands from now on.
    pub(super) fn tile_read(&mut self, touch: &Touch<'_>) {
        let warp = touch.first_thread as u32 / LANES as u32;
        let group = self.products[warp as usize].open_group();
        let reader = Reader {
            pc: touch.pc,
            warp,
            group,
        };
        for lane in lanes(touch.mask) {
            let part = touch.addresses[lane] >> PART_BITS;
            let Some(readers) = self.tiles.readers.get_mut(part as usize) else {
                continue;
            };
            match readers.iter_mut().find(|known| known.warp == warp) {
                Some(known) if known.group == group => {
                    *known = reader;
                    continue;
                }
                Some(known) => *known = reader,
                None => readers.push(reader),
            }
            self.tiles.reading[warp as usize].push((part as u32, group));
        }
    }

    /// Lanes of a warp have waited until so many groups of the products of their warpgroup are on their way at most.
    pub(super) fn tiles_read(&mut self, first_thread: u64, mask: u32, most: u32) {
        let warp = first_thread as usize / LANES;
        let done = self.products[warp].open_group().saturating_sub(most);
        for member in warpgroup_of(warp, self.products.len()) {
            self.tile_was_read(member as u32, done);
        }
        let Some(awaited) = self.tiles.awaited.get_mut(warp) else {
            return;
        };
        *awaited = done;
        if let Some(moment) = self.tiles.read_by(warp, done) {
            for lane in lanes(mask) {
                self.clocks
                    .acquire(first_thread as u32 + lane as u32, moment);
            }
        }
    }

    /// The agent of a warp reads what its products before a group read.
    fn tile_was_read(&mut self, warp: u32, done: u32) {
        let retired = self.tiles.retire(warp, done);
        if retired.is_empty() {
            return;
        }
        let agent = self.agent + 1 + warp;
        let bits = self.launch.granule_bits;
        for (part, pc) in retired {
            let stamp: SharedStamp = self.shared_stamp(agent, pc);
            let start = (part << PART_BITS >> bits) as usize;
            let end = start + (1 << PART_BITS >> bits);
            let cells = start.min(self.cells.len())..end.min(self.cells.len());
            self.cells[cells]
                .iter_mut()
                .for_each(|cell| cell.read_by(stamp));
        }
        let moment = self.clocks.release(agent);
        let moments = &mut self.tiles.read[warp as usize];
        if moments.len() == MOST_MOMENTS {
            moments.pop_front();
        }
        moments.push_back((done, moment));
    }

    /// A lane is about to write: reports a product that may still be reading there.
    pub(super) fn written_while_read(&mut self, touch: &Touch<'_>, lane: usize) -> bool {
        let found = self.tiles.reader_of(touch.addresses[lane], touch.bytes);
        let Some((address, reader)) = found else {
            return false;
        };
        let product = Actor {
            access: AccessKind::Load,
            pc: reader.pc,
            block: self.block,
            thread: u64::from(reader.warp) * LANES as u64,
        };
        self.race(
            touch,
            lane,
            address,
            RaceCause::ProductInFlight,
            Some(product),
        );
        true
    }
}
