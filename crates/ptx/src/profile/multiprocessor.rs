//! What one multiprocessor counts while its blocks run: requests, sectors, bank wavefronts, and its L1 cache.
//!
//! Loads look sectors up in the L1 cache and ask the L2 cache for those that are missing. Stores go through to the L2
//! cache and do not fill the L1; atomics and loads that bypass the L1 go to the L2. Local memory lies interleaved, so
//! that the same variable of a warp's lanes fills whole sectors.

use super::banks::{SameWord, wavefronts};
use super::cache::Cache;
use crate::check::Access;
use crate::exec::lanes::{LANES, lanes};
use crate::types::Space;

/// Where local memory seems to lie: behind everything else.
const LOCAL_BASE: u64 = 1 << 48;

/// Counts of one instruction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) requests: u64,
    pub(crate) bytes: u64,
    pub(crate) sectors: u64,
    pub(crate) lines: u64,
    pub(crate) l1_lookups: u64,
    pub(crate) l1_hits: u64,
    /// Requests that asked the L2 cache for something.
    pub(crate) l2_requests: u64,
    pub(crate) l2_read_sectors: u64,
    pub(crate) l2_written_sectors: u64,
    pub(crate) l2_atomic_sectors: u64,
    pub(crate) l2_hits: u64,
    pub(crate) shared_requests: u64,
    pub(crate) shared_wavefronts: u64,
}

impl Counts {
    pub(crate) fn add(&mut self, other: &Counts) {
        self.combine(other, |mine, theirs| mine + theirs);
    }

    /// Every count becomes what `combined` makes of it and the other's.
    pub(crate) fn combine(&mut self, other: &Counts, combined: impl Fn(u64, u64) -> u64) {
        self.requests = combined(self.requests, other.requests);
        self.bytes = combined(self.bytes, other.bytes);
        self.sectors = combined(self.sectors, other.sectors);
        self.lines = combined(self.lines, other.lines);
        self.l1_lookups = combined(self.l1_lookups, other.l1_lookups);
        self.l1_hits = combined(self.l1_hits, other.l1_hits);
        self.l2_requests = combined(self.l2_requests, other.l2_requests);
        self.l2_read_sectors = combined(self.l2_read_sectors, other.l2_read_sectors);
        self.l2_written_sectors = combined(self.l2_written_sectors, other.l2_written_sectors);
        self.l2_atomic_sectors = combined(self.l2_atomic_sectors, other.l2_atomic_sectors);
        self.l2_hits = combined(self.l2_hits, other.l2_hits);
        self.shared_requests = combined(self.shared_requests, other.shared_requests);
        self.shared_wavefronts = combined(self.shared_wavefronts, other.shared_wavefronts);
    }
}

/// A sector the L2 cache is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct L2Request {
    pub(crate) pc: u32,
    pub(crate) address: u64,
    pub(crate) access: Access,
}

/// The counters of one multiprocessor.
pub(crate) struct Multiprocessor {
    l1: Cache,
    sector_bytes: u64,
    line_bytes: u64,
    pub(crate) counts: Vec<Counts>,
    /// In order, until the L2 cache takes them.
    pub(crate) queue: Vec<L2Request>,
    /// The running warp has made a request of global or local memory and gives way.
    pub(crate) requested: bool,
}

impl Multiprocessor {
    pub(crate) fn new(l1: Cache, shape: super::CacheShape, instructions: usize) -> Multiprocessor {
        Multiprocessor {
            l1,
            sector_bytes: u64::from(shape.sector_bytes),
            line_bytes: u64::from(shape.line_bytes),
            counts: vec![Counts::default(); instructions],
            queue: Vec::new(),
            requested: false,
        }
    }

    /// A request of shared memory.
    pub(crate) fn shared(
        &mut self,
        pc: u32,
        access: Access,
        addresses: &[u64; LANES],
        mask: u32,
        bytes: u32,
    ) {
        let same = if access == Access::Atomic {
            SameWord::InTurn
        } else {
            SameWord::Together
        };
        let counts = &mut self.counts[pc as usize];
        counts.shared_requests += 1;
        counts.shared_wavefronts += u64::from(wavefronts(addresses, mask, bytes, same));
    }

    /// A request of local memory by the warp whose first thread (of all threads of the launch) is given.
    pub(crate) fn local(
        &mut self,
        pc: u32,
        access: Access,
        (first_thread, local_bytes): (u64, u64),
        addresses: &[u64; LANES],
        mask: u32,
        bytes: u32,
    ) {
        let base = LOCAL_BASE + first_thread * local_bytes;
        // Words of a lane lie 128 bytes apart, so an element wider than a word is as many requests' worth of sectors.
        for word in 0..bytes.div_ceil(4) {
            let interleaved: [u64; LANES] = core::array::from_fn(|lane| {
                let at = addresses[lane] + u64::from(word) * 4;
                base + at / 4 * 128 + lane as u64 * 4 + at % 4
            });
            self.global(pc, access, &interleaved, mask, bytes.min(4), L1::Used);
        }
    }

    /// A request of global memory.
    pub(crate) fn global(
        &mut self,
        pc: u32,
        access: Access,
        addresses: &[u64; LANES],
        mask: u32,
        bytes: u32,
        l1: L1,
    ) {
        self.requested = true;
        let mut sectors = [0u64; 2 * LANES];
        let mut count = 0;
        for lane in lanes(mask) {
            let (first, last) = (
                addresses[lane] / self.sector_bytes,
                (addresses[lane] + u64::from(bytes.max(1)) - 1) / self.sector_bytes,
            );
            for sector in [first, last] {
                if count == 0 || sectors[count - 1] != sector {
                    sectors[count] = sector;
                    count += 1;
                }
            }
        }
        let sectors = &mut sectors[..count];
        sectors.sort_unstable();
        let counts = &mut self.counts[pc as usize];
        counts.requests += 1;
        counts.bytes += u64::from(mask.count_ones()) * u64::from(bytes);
        let (mut last, mut last_line, mut below) = (u64::MAX, u64::MAX, false);
        for &sector in sectors
            .iter()
            .filter(|&&sector| core::mem::replace(&mut last, sector) != sector)
        {
            let address = sector * self.sector_bytes;
            counts.sectors += 1;
            counts.lines += u64::from(
                core::mem::replace(&mut last_line, address / self.line_bytes)
                    != address / self.line_bytes,
            );
            if access == Access::Load && l1 == L1::Used {
                counts.l1_lookups += 1;
                if self.l1.access(address, false).hit {
                    counts.l1_hits += 1;
                    continue;
                }
            }
            below = true;
            match access {
                Access::Load => counts.l2_read_sectors += 1,
                Access::Store | Access::Copy => counts.l2_written_sectors += 1,
                Access::Atomic => counts.l2_atomic_sectors += 1,
            }
            self.queue.push(L2Request {
                pc,
                address,
                access,
            });
        }
        counts.l2_requests += u64::from(below);
    }

    /// Routes a request by its space.
    pub(crate) fn access(
        &mut self,
        touch: &crate::check::Touch<'_>,
        bypasses_l1: bool,
        first_thread: u64,
        local_bytes: u64,
    ) {
        let (pc, access, mask, bytes) = (touch.pc, touch.access, touch.mask, touch.bytes);
        match touch.space {
            Space::Shared => self.shared(pc, access, touch.addresses, mask, bytes),
            Space::Local => self.local(
                pc,
                access,
                (first_thread, local_bytes),
                touch.addresses,
                mask,
                bytes,
            ),
            Space::Global | Space::Generic => {
                let l1 = if bypasses_l1 { L1::Bypassed } else { L1::Used };
                self.global(pc, access, touch.addresses, mask, bytes, l1);
            }
            Space::Const | Space::Param => {}
        }
    }
}

/// Whether a load looks into the L1 cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum L1 {
    Used,
    Bypassed,
}
