//! The counters of one multiprocessor while its blocks run: requests, sectors, bank wavefronts, and its L1 cache.
//!
//! Loads look sectors up in the L1 cache and ask the L2 cache for those that are missing. Stores go through to the L2
//! cache and do not fill the L1; atomics and loads that bypass the L1 go to the L2, which does the atomics on a sector at once but
//! those on one address in turn. Lines of loads that say how long they are
//! needed leave a cache first, or do not fill it. Local memory lies interleaved, so
//! that the same variable of a warp's lanes fills whole sectors.

use super::banks::{SameWord, wavefronts};
use super::clocks::{Clocks, Wait};
use super::trace::{Level, Recorder, ThreadAccess};
use crate::exec::observe::{AccessKind, BarrierUse, BulkRange, Observer, Scene, Touch, Turn};
use crate::isa::Op;
use crate::notes::Note;
use crate::regs::{LANES, lanes};
use crate::types::Space;
use segra_locality::{Cache, Stay};

/// Where local memory seems to lie: behind everything else.
const LOCAL_BASE: u64 = 1 << 48;
/// Threads of a block at most: keeps local memories of different blocks apart.
const LARGEST_BLOCK: u64 = 1024;

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
    /// Atomics on a sector that are done one after another: as many as there are on the address that has most.
    pub(crate) l2_atomic_turns: u64,
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
        self.l2_atomic_turns = combined(self.l2_atomic_turns, other.l2_atomic_turns);
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
    pub(crate) access: AccessKind,
    /// Of an atomic.
    pub(crate) turns: u32,
    /// Whether the L1 cache would have had it, if it held all data.
    pub(crate) missed: bool,
    pub(crate) stay: Stay,
    /// Its number in the trace.
    pub(crate) traced: Option<u32>,
}

/// The counters of one multiprocessor.
pub(crate) struct Multiprocessor {
    l1: Cache,
    sector_bytes: u64,
    line_bytes: u64,
    pub(crate) counts: Vec<Counts>,
    /// In order, until the L2 cache takes them.
    pub(crate) queue: Vec<L2Request>,
    pub(crate) recorder: Option<Recorder>,
    pub(crate) clocks: Clocks,
}

impl Multiprocessor {
    pub(crate) fn new(
        l1: Cache,
        shape: super::CacheShape,
        instructions: usize,
        clocks: Clocks,
    ) -> Multiprocessor {
        Multiprocessor {
            l1,
            sector_bytes: u64::from(shape.sector_bytes),
            line_bytes: u64::from(shape.line_bytes),
            counts: vec![Counts::default(); instructions],
            queue: Vec::new(),
            recorder: None,
            clocks,
        }
    }

    /// Records what each lane accesses of global memory.
    fn record(&mut self, block: u64, touch: &Touch<'_>) {
        let Some(recorder) = &mut self.recorder else {
            return;
        };
        for lane in lanes(touch.mask) {
            let access = ThreadAccess {
                thread: touch.first_thread + lane as u64,
                address: touch.addresses[lane],
                bytes: touch.bytes,
                writes: touch.access.writes(),
            };
            recorder.thread(block, access);
        }
    }

    /// A request of shared memory.
    fn shared(
        &mut self,
        pc: u32,
        access: AccessKind,
        addresses: &[u64; LANES],
        mask: u32,
        bytes: u32,
    ) {
        let same = if access == AccessKind::Atomic {
            SameWord::InTurn
        } else {
            SameWord::Together
        };
        let counts = &mut self.counts[pc as usize];
        counts.shared_requests += 1;
        counts.shared_wavefronts += u64::from(wavefronts(addresses, mask, bytes, same));
    }

    /// A request of local memory by the warp whose first thread (of all threads of the launch) is given; says what `global` says.
    fn local(
        &mut self,
        pc: u32,
        access: AccessKind,
        (first_thread, local_bytes): (u64, u64),
        addresses: &[u64; LANES],
        mask: u32,
        bytes: u32,
    ) -> bool {
        let base = LOCAL_BASE + first_thread * local_bytes;
        // Words of a lane lie 128 bytes apart, so an element wider than a word is as many requests' worth of sectors.
        let mut below = false;
        for word in 0..bytes.div_ceil(4) {
            let interleaved: [u64; LANES] = core::array::from_fn(|lane| {
                let at = addresses[lane] + u64::from(word) * 4;
                base + at / 4 * 128 + lane as u64 * 4 + at % 4
            });
            below |= self.global(pc, access, &interleaved, mask, bytes.min(4), Caches::NORMAL);
        }
        below
    }

    /// A request of global memory; says whether the L2 cache is asked.
    fn global(
        &mut self,
        pc: u32,
        access: AccessKind,
        addresses: &[u64; LANES],
        mask: u32,
        bytes: u32,
        caches: Caches,
    ) -> bool {
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
        if let Some(recorder) = &mut self.recorder {
            recorder.request();
        }
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
            if let (AccessKind::Load, Some(stay)) = (access, caches.l1) {
                counts.l1_lookups += 1;
                if self.l1.access_for(address, false, stay).hit {
                    counts.l1_hits += 1;
                    traced(&mut self.recorder, address, access, Level::L1);
                    continue;
                }
            }
            below = true;
            match access {
                AccessKind::Load => counts.l2_read_sectors += 1,
                AccessKind::Store | AccessKind::Copy => counts.l2_written_sectors += 1,
                AccessKind::Atomic => counts.l2_atomic_sectors += 1,
            }
            let turns = match access {
                AccessKind::Atomic => turns(addresses, mask, (sector, self.sector_bytes)),
                _ => 0,
            };
            counts.l2_atomic_turns += u64::from(turns);
            let traced = traced(&mut self.recorder, address, access, Level::L2);
            self.queue.push(L2Request {
                pc,
                address,
                access,
                turns,
                missed: caches.keep(access),
                stay: caches.l2,
                traced,
            });
        }
        counts.l2_requests += u64::from(below);
        below
    }

    /// A warp made a request of global or local memory.
    fn wait(&mut self, warp: u32, wait: Wait, (looked, below): (bool, bool)) {
        match below {
            true => self.clocks.far(warp, wait, looked),
            false => self.clocks.near(warp, wait),
        }
    }
}

/// The lanes on that address of a sector that most lanes have.
fn turns(addresses: &[u64; LANES], mask: u32, (sector, sector_bytes): (u64, u64)) -> u32 {
    let inside = |lane: &usize| addresses[*lane] / sector_bytes == sector;
    let same = |lane: usize| {
        let on_it = lanes(mask).filter(|&other| addresses[other] == addresses[lane]);
        on_it.count() as u32
    };
    lanes(mask).filter(inside).map(same).max().unwrap_or(1)
}

/// How a warp goes on behind an access. An asynchronous copy is two: what it loads is waited for as what it stores.
fn waiting(op: &Op, note: &Note, access: AccessKind) -> Wait {
    match (access, op) {
        (AccessKind::Copy, _) | (_, Op::CopyAsync(_)) => Wait::WithGroup,
        (AccessKind::Load, _) if note.together => Wait::Together,
        (AccessKind::Load | AccessKind::Atomic, _) => Wait::Now,
        (AccessKind::Store, _) => Wait::Never,
    }
}

/// Records a sector of global memory, where there is a recorder; gives its number in the trace.
fn traced(
    recorder: &mut Option<Recorder>,
    address: u64,
    access: AccessKind,
    level: Level,
) -> Option<u32> {
    let recorder = recorder.as_mut().filter(|_| address < LOCAL_BASE)?;
    recorder.sector(address, access.writes(), level)
}

impl Observer for Multiprocessor {
    fn turn_ended(&mut self, first_thread: u64, cycles: u64) {
        let warp = self.clocks.number(first_thread);
        self.clocks.executed(warp, cycles);
    }

    fn group_committed(&mut self, first_thread: u64) {
        let warp = self.clocks.number(first_thread);
        self.clocks.committed(warp);
    }

    fn groups_awaited(&mut self, first_thread: u64, most: Option<u32>) {
        let warp = self.clocks.number(first_thread);
        self.clocks.awaited(warp, most);
    }

    fn barrier_arrived(&mut self, id: u8, first_thread: u64, _mask: u32) {
        let warp = self.clocks.number(first_thread);
        self.clocks.arrived(id, warp);
    }

    fn barrier_completed(&mut self, id: u8, _everyone: bool, waiting: &[(u64, u32)]) {
        let first = self.clocks.number(0);
        let warps = waiting
            .iter()
            .map(|(thread, _)| first + *thread as u32 / 32);
        self.clocks.met(id, warps);
    }

    /// A warp gives way behind a request of global or local memory.
    fn access(&mut self, scene: &Scene<'_>, touch: &Touch<'_>) -> Turn {
        let (pc, access, mask, bytes) = (touch.pc, touch.access, touch.mask, touch.bytes);
        let warp = self.clocks.number(touch.first_thread);
        let code = scene.launch.code;
        let note = &code.notes[pc as usize];
        let wait = waiting(&code.insts[pc as usize].op, note, access);
        let (caches, below) = match touch.space {
            Space::Shared => {
                self.shared(pc, access, touch.addresses, mask, bytes);
                self.clocks.shared(warp, wait);
                return Turn::Goes;
            }
            Space::Local => {
                let first_thread = scene.block * LARGEST_BLOCK + touch.first_thread;
                let of = (first_thread, scene.local_bytes);
                let below = self.local(pc, access, of, touch.addresses, mask, bytes);
                (Caches::NORMAL, below)
            }
            Space::Global | Space::Generic => {
                let [l1, l2] = note.order.stay;
                let caches = Caches {
                    l1: (!note.order.bypasses_l1).then_some(l1),
                    l2,
                };
                self.record(scene.block, touch);
                let below = self.global(pc, access, touch.addresses, mask, bytes, caches);
                (caches, below)
            }
            Space::Const | Space::Param => return Turn::Goes,
        };
        self.wait(warp, wait, (caches.keep(access), below));
        Turn::Yields
    }

    /// 32 bytes of each lane at a time. Nobody waits for them here: what is read is there when a phase of its mbarrier ends.
    fn bulk_issued(&mut self, _scene: &Scene<'_>, range: &BulkRange) -> Turn {
        let mut done = 0;
        while done < range.bytes {
            let part = (range.bytes - done).min(32 * LANES as u64);
            let start = range.at + done;
            let addresses = core::array::from_fn(|lane| start + 32 * lane as u64);
            let mask = ((1u64 << part.div_ceil(32)) - 1) as u32;
            let bytes = part.min(32) as u32;
            self.global(
                range.pc,
                range.access,
                &addresses,
                mask,
                bytes,
                Caches::BELOW,
            );
            done += part;
        }
        let warp = self.clocks.number(u64::from(range.thread));
        match range.mbarrier {
            Some(at) => self.clocks.sent(warp, at),
            None => self.clocks.far(warp, Wait::Never, false),
        }
        Turn::Yields
    }

    fn mbarrier_arrived(&mut self, thread: u32, at: u64, operation: BarrierUse) {
        let warp = self.clocks.number(u64::from(thread));
        match operation {
            BarrierUse::Initialises => self.clocks.set_up(at),
            _ => self.clocks.arrived_in_memory(warp, at),
        }
    }

    fn mbarrier_ended(&mut self, at: u64) {
        self.clocks.phase_ended(at);
    }

    fn mbarrier_passed(&mut self, thread: u32, at: u64) {
        let warp = self.clocks.number(u64::from(thread));
        self.clocks.passed(warp, at);
    }
}

/// How long what an access fills stays in the caches; a load without an L1 cache does not look into it.
#[derive(Clone, Copy, Debug)]
struct Caches {
    l1: Option<Stay>,
    l2: Stay,
}

impl Caches {
    const NORMAL: Caches = Caches {
        l1: Some(Stay::Normal),
        l2: Stay::Normal,
    };
    /// The L2 cache alone.
    const BELOW: Caches = Caches {
        l1: None,
        ..Caches::NORMAL
    };

    /// Whether the L1 cache has what an access was given the next time, if it holds all data.
    fn keep(self, access: AccessKind) -> bool {
        let stays = self.l1.is_some_and(|stay| stay != Stay::Not);
        access == AccessKind::Load && stays
    }
}
