//! The counts of a profile after a wave of thread blocks, and how they go on for blocks that do not run.
//!
//! ```text
//! wave      1      2      3      4  |  5 ... 512
//! counts    |-- earlier --|-- rate -|  each later block adds what those of the rate's waves did
//! misses    64     64     64     64 |  the same, until all memory that the launch has is in the cache
//! ```
//!
//! - Counts go on at the rate of the later half of the waves: the first ones find the caches empty.
//! - A cache misses nothing more where it has all of the allocations that it was asked for, if it can hold them.
//! - The latest clock goes on as the clocks of all places do on average: blocks that take longer than others fall to all of them.
//!   Waiting with full caches goes on by waves: the last one, a part of a wave perhaps, takes as long as a whole one. Misses add to
//!   it as they did, for as long as there are any.
//!
//! Not here: which waves run (`grid`).

use super::clocks::Cycles;
use super::grid::{Below, Unit};
use super::multiprocessor::Counts;
use crate::counters::Counters;
use crate::exec::observe::Observer;

/// The counts so far.
pub(super) struct Counted {
    pub(super) counters: Counters,
    pub(super) counts: Vec<Counts>,
    /// Sectors read from memory, by allocation, and last those of no allocation.
    read: Vec<u64>,
    pub(super) written: u64,
    pub(super) atomics_in_turn: u64,
    /// By multiprocessor.
    waited: Vec<Waited>,
}

/// The memory that a launch may read.
pub(super) struct Footprint {
    /// Sectors of each allocation.
    pub(super) sectors: Vec<u64>,
    /// Sectors that the L2 cache and an L1 cache hold.
    pub(super) l2: u64,
    pub(super) l1: u64,
}

impl Footprint {
    /// Misses of a cache of `size` sectors, by allocation, after `now` if those since `then` come `rate` times; and by what share
    /// fewer come than would of memory without an end.
    fn misses(&self, size: u64, (now, then): (&[u64], &[u64]), rate: f64) -> (Vec<u64>, f64) {
        let asked = (self.sectors.iter().zip(now)).filter(|(_, now)| **now > 0);
        let fits = asked.map(|(sectors, _)| sectors).sum::<u64>() <= size;
        let (mut to_come, mut without_end) = (0, 0);
        let ends = self.sectors.iter().map(|&sectors| fits.then_some(sectors));
        let misses = (now.iter().zip(then).zip(ends.chain([None])))
            .map(|((&now, &then), end)| {
                let all = times(now, then, rate);
                let until = all.min(end.unwrap_or(u64::MAX)).max(now);
                without_end += all - now;
                to_come += until - now;
                until
            })
            .collect();
        (misses, to_come as f64 / without_end.max(1) as f64)
    }
}

/// One multiprocessor.
struct Waited {
    /// Sectors that its L1 cache missed, by allocation.
    missed: Vec<u64>,
    latest: Cycles,
    /// Of the places that it has for blocks.
    mean: Cycles,
}

/// The numbers of blocks and waves from one wave to another, of a whole launch and of its part that ran.
pub(super) struct Rates {
    blocks: f64,
    waves: f64,
}

impl Rates {
    /// After `from` waves of `wave` blocks, for each that came until `sampled` blocks, of `blocks` in all.
    pub(super) fn new(blocks: u64, sampled: u64, wave: u64, from: u64) -> Rates {
        let times = |whole: u64, part: u64, from: u64| {
            (whole - from) as f64 / part.saturating_sub(from).max(1) as f64
        };
        Rates {
            blocks: times(blocks, sampled, from * wave),
            waves: times(blocks.div_ceil(wave), sampled.div_ceil(wave), from),
        }
    }
}

/// A count that was `then` and is `now`, if what was added comes `rate` times.
fn times(now: u64, then: u64, rate: f64) -> u64 {
    then + (now.saturating_sub(then) as f64 * rate).round() as u64
}

impl Counted {
    pub(super) fn of<C: Observer>(
        units: &[Unit<'_, C>],
        below: &Below,
        instructions: usize,
    ) -> Counted {
        let mut counters = Counters::new(instructions);
        let mut counts = below.counts.clone();
        for unit in units {
            for (total, mine) in counts.iter_mut().zip(&unit.counts.counts) {
                total.add(mine);
            }
            unit.slots
                .iter()
                .for_each(|slot| counters.merge(&slot.runner.counters));
        }
        // The dirty sectors the L2 cache still holds are written some time, and count for this launch.
        Counted {
            counters,
            counts,
            read: below.read.clone(),
            written: below.written + below.l2.dirty_sectors(),
            atomics_in_turn: below.atomics_in_turn(),
            waited: (units.iter())
                .map(|unit| Waited {
                    missed: unit.missed.clone(),
                    latest: unit.counts.clocks.latest(),
                    mean: unit.counts.clocks.mean(),
                })
                .collect(),
        }
    }

    /// Sectors read from memory.
    pub(super) fn read(&self) -> u64 {
        self.read.iter().sum()
    }

    /// Cycles by the latest clock.
    pub(super) fn waited(&self) -> u64 {
        let clocks = self.waited.iter().map(|waited| waited.latest.all);
        clocks.fold(0.0, f64::max).round() as u64
    }

    pub(super) fn warp_instructions(&self) -> u64 {
        self.counters.executed.iter().map(|row| row.0).sum()
    }

    /// The counts if everything since `earlier` came as often as the rates say, as far as there is memory for it.
    pub(super) fn extrapolated(
        mut self,
        earlier: &Counted,
        rates: &Rates,
        memory: &Footprint,
    ) -> Counted {
        let scale = |now, then| times(now, then, rates.blocks);
        self.counters.combine(&earlier.counters, scale);
        for (now, then) in self.counts.iter_mut().zip(&earlier.counts) {
            now.combine(then, scale);
        }
        self.written = scale(self.written, earlier.written);
        self.atomics_in_turn = scale(self.atomics_in_turn, earlier.atomics_in_turn);
        let read = (&self.read[..], &earlier.read[..]);
        let (read, from_memory) = memory.misses(memory.l2, read, rates.blocks);
        self.read = read;
        for (now, then) in self.waited.iter_mut().zip(&earlier.waited) {
            let missed = (&now.missed[..], &then.missed[..]);
            let (_, from_l2) = memory.misses(memory.l1, missed, rates.blocks);
            let by = |clock: fn(Cycles) -> f64| clock(now.mean) - clock(then.mean);
            let cycles = by(|clock| clock.by_l1)
                + from_l2 * by(|clock| clock.by_l2 - clock.by_l1).max(0.0)
                + from_memory * by(|clock| clock.all - clock.by_l2).max(0.0);
            now.latest.all += cycles * (rates.waves - 1.0);
        }
        self
    }
}
