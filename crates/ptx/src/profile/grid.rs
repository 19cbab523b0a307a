//! Runs a grid the way a GPU shares it out, so that caches see requests in the order a GPU might make them.
//!
//! Block `b` belongs to multiprocessor `b mod n`; each runs its blocks in ascending order, as many at a time as fit.
//! All go in rounds: in a round every warp runs up to and with its next request of global or local memory. After a
//! round the L2 cache takes the requests of all multiprocessors, one of each in turn. So the counts depend on nothing
//! but the launch, on however many host threads the multiprocessors are simulated. Kernels whose blocks wait for each
//! other (they load atomically, or use what atomics return) run their multiprocessors one after the other.

use super::clocks::Clocks;
use super::counted::{Counted, Footprint, Rates};
use super::multiprocessor::{Counts, Multiprocessor};
use super::options::{ProfileOptions, Sample};
use super::trace::{self, Level, Recorder, Trace};
use crate::block::{BlockFault, BlockRunner};
use crate::counters::Counters;
use crate::exec::observe::{AccessKind, Observer};
use crate::exec::view::Shared;
use crate::isa::Op;
use crate::options::{Options, Shape};
use rayon::prelude::*;
use segra_locality::{Cache, CacheShape};

/// The result of a profiled run.
pub(crate) struct GridProfile {
    pub(crate) counters: Counters,
    /// The fault that ended it early, and the block that had it.
    pub(crate) fault: Option<(u64, BlockFault)>,
    pub(crate) counts: Vec<Counts>,
    pub(crate) memory_read_sectors: u64,
    pub(crate) memory_written_sectors: u64,
    /// Atomics on the sector that has most.
    pub(crate) atomics_in_turn: u64,
    /// Cycles of the longest chain of waiting on any multiprocessor.
    pub(crate) waited: u64,
    /// Blocks that ran.
    pub(crate) blocks_run: u64,
    /// Blocks that fit on a multiprocessor at once.
    pub(crate) resident: u32,
    /// Bytes of L1 cache beside their shared memory.
    pub(crate) l1: CacheShape,
    /// The accesses, where they are recorded.
    pub(crate) trace: Option<Trace>,
}

/// A multiprocessor with the blocks it runs.
pub(super) struct Unit<'a, C> {
    pub(super) counts: Multiprocessor,
    pub(super) slots: Vec<Slot<'a, C>>,
    /// Sectors that its L1 cache did not have, by allocation.
    pub(super) missed: Vec<u64>,
    next: u64,
    stride: u64,
}

pub(super) struct Slot<'a, C> {
    pub(super) runner: BlockRunner<'a, C>,
    block: Option<u64>,
}

impl<C: Observer> Unit<'_, C> {
    /// One round of the first `blocks` blocks; says whether anything is left, or which block failed.
    fn round(&mut self, shape: &Shape, blocks: u64) -> Result<bool, (u64, BlockFault)> {
        let mut working = false;
        for (place, slot) in self.slots.iter_mut().enumerate() {
            let begins = slot.block.is_none();
            if begins && self.next < blocks {
                slot.runner
                    .start(self.next, Shape::coordinates(shape.grid, self.next));
                slot.block = Some(self.next);
                self.next += self.stride;
            }
            let Some(block) = slot.block else { continue };
            working = true;
            self.counts.clocks.turn_of(place, begins);
            let ended = slot.runner.round(block, Some(&mut self.counts));
            if !matches!(ended, Ok(false)) {
                slot.runner.counters.end_page(block);
            }
            if ended.map_err(|fault| (block, fault))? {
                slot.block = None;
                self.counts.clocks.ended(place);
            }
        }
        Ok(working)
    }
}

/// The L2 cache and the memory behind it.
pub(super) struct Below {
    pub(super) l2: Cache,
    sector_bytes: u64,
    pub(super) counts: Vec<Counts>,
    /// Start and end of each allocation.
    allocations: Vec<(u64, u64)>,
    /// Sectors read, by allocation, and last those of none.
    pub(super) read: Vec<u64>,
    pub(super) written: u64,
    /// Atomics in turn, by sector; sectors of one number are counted together.
    atomics: Vec<u64>,
}

/// Numbers of sectors with atomics. Those that fall together are as many as [`Below`] can tell apart from one that has all
/// atomics: far more than the L2 cache has slices, which bound those of many sectors.
const NUMBERS: usize = 1 << 13;

impl Below {
    fn new(shape: CacheShape, launch: &Shared<'_>, instructions: usize) -> Below {
        let live = launch.memory.live_allocations();
        Below {
            l2: Cache::new(shape),
            sector_bytes: u64::from(shape.sector_bytes),
            counts: vec![Counts::default(); instructions],
            allocations: (live.iter())
                .map(|live| (live.address, live.address + live.bytes))
                .collect(),
            read: vec![0; live.len() + 1],
            written: 0,
            atomics: vec![0; NUMBERS],
        }
    }

    /// Atomics in turn on the sector that has most.
    pub(super) fn atomics_in_turn(&self) -> u64 {
        self.atomics.iter().copied().max().unwrap_or(0)
    }

    /// Number of the allocation that a sector is of.
    fn allocation(&self, address: u64) -> usize {
        let after = |(start, _): &(u64, u64)| *start <= address;
        match self.allocations.partition_point(after).checked_sub(1) {
            Some(at) if address < self.allocations[at].1 => at,
            _ => self.allocations.len(),
        }
    }

    /// The sectors of each allocation.
    fn sectors(&self, sector_bytes: u32) -> Vec<u64> {
        let of = |&(start, end): &(u64, u64)| (end - start).div_ceil(u64::from(sector_bytes));
        self.allocations.iter().map(of).collect()
    }

    /// Takes what the multiprocessors asked for, one request of each in turn.
    fn take<C>(&mut self, units: &mut [Unit<'_, C>]) {
        let longest = units
            .iter()
            .map(|unit| unit.counts.queue.len())
            .max()
            .unwrap_or(0);
        let sector_bytes = self.sector_bytes;
        let (mut missed, mut loaded) = (0u64, 0u64);
        for at in 0..longest {
            for unit in units.iter_mut() {
                let Some(&request) = unit.counts.queue.get(at) else {
                    continue;
                };
                let writes = request.access != AccessKind::Load;
                if request.turns > 0 {
                    let number = request.address / sector_bytes % NUMBERS as u64;
                    self.atomics[number as usize] += u64::from(request.turns);
                }
                let outcome = self.l2.access_for(request.address, writes, request.stay);
                self.written += u64::from(outcome.written_back);
                // A store needs nothing from memory: the L2 cache keeps which bytes it was given.
                let missing = !outcome.hit && request.access != AccessKind::Store;
                if missing || request.missed {
                    let of = self.allocation(request.address);
                    self.read[of] += u64::from(missing);
                    unit.missed[of] += u64::from(request.missed);
                }
                missed += u64::from(missing);
                loaded += u64::from(request.access != AccessKind::Store);
                if let (true, Some(number)) = (missing, request.traced)
                    && let Some(recorder) = &mut unit.counts.recorder
                {
                    recorder.served(number, Level::Memory);
                }
                if outcome.hit && request.access != AccessKind::Store {
                    self.counts[request.pc as usize].l2_hits += 1;
                }
            }
        }
        let from_memory = missed as f64 / loaded.max(1) as f64;
        for unit in units {
            unit.counts.queue.clear();
            unit.counts.clocks.loaded(from_memory);
        }
    }
}

/// Runs the blocks of a launch on a machine, each block runner with a checker; gives those back.
pub(crate) fn run<C: Observer + Send>(
    wanted: &ProfileOptions,
    launch: &Shared<'_>,
    shape: Shape,
    options: &Options,
    checker: impl Fn() -> Option<C>,
) -> (GridProfile, Vec<C>) {
    let machine = &wanted.machine;
    let blocks: u64 = shape.grid.iter().map(|&extent| u64::from(extent)).product();
    let (resident, l1_bytes) =
        machine.resident(shape.threads(), shape.shared_bytes, wanted.registers);
    let l1 = CacheShape {
        bytes: l1_bytes,
        ..machine.l1
    };
    let count = u64::from(machine.multiprocessors.max(1)).min(blocks);
    let instructions = launch.code.insts.len();
    let mut below = Below::new(machine.l2, launch, instructions);
    let mut units: Vec<Unit<'_, C>> = (0..count)
        .map(|index| {
            let slots = u64::from(resident).min((blocks - index).div_ceil(count));
            let slot = |_| Slot {
                runner: BlockRunner::new(launch, shape, options, checker()),
                block: None,
            };
            let warps = shape.threads().div_ceil(32) as usize;
            let clocks = Clocks::new(machine.latency, slots as usize, warps);
            let mut counts = Multiprocessor::new(Cache::new(l1), l1, instructions, clocks);
            counts.recorder = wanted.trace.map(|options| {
                let at_once = (count * u64::from(resident)).min(blocks);
                Recorder::new(options, (index, count), shape.threads(), at_once)
            });
            Unit {
                counts,
                slots: (0..slots).map(slot).collect(),
                missed: below.read.clone(),
                next: index,
                stride: count,
            }
        })
        .collect();
    let alone = options.threads == Some(1) || blocks_communicate(launch);
    let wave = count * u64::from(resident);
    let (waves, least) = least_of(wanted.sample);
    let mut sampled = if waves.saturating_mul(wave) >= blocks {
        blocks
    } else {
        wave
    };
    // After each wave.
    let mut taken: Vec<Counted> = Vec::new();
    let mut fault = None;
    loop {
        fault = run_blocks(&mut units, &mut below, &shape, sampled, alone)
            .err()
            .or(fault);
        taken.push(Counted::of(&units, &below, instructions));
        let ran = taken.last().map_or(0, Counted::warp_instructions);
        if fault.is_some() || sampled == blocks || taken.len() as u64 >= waves && ran >= least {
            break;
        }
        sampled = (sampled + wave).min(blocks);
    }
    // By the later half: the first waves find the caches empty.
    let from = taken.len() / 2;
    let all = taken
        .pop()
        .unwrap_or_else(|| Counted::of(&units, &below, instructions));
    let counted = match from.checked_sub(1) {
        Some(base) if sampled < blocks && fault.is_none() => {
            let rates = Rates::new(blocks, sampled, wave, from as u64);
            let memory = Footprint {
                sectors: below.sectors(machine.l2.sector_bytes),
                l2: machine.l2.bytes / u64::from(machine.l2.sector_bytes),
                l1: l1.bytes / u64::from(l1.sector_bytes),
            };
            all.extrapolated(&taken[base], &rates, &memory)
        }
        _ => all,
    };
    let trace = wanted.trace.map(|_| joined_trace(&mut units, launch));
    let slots = units.into_iter().flat_map(|unit| unit.slots);
    let checkers = slots.filter_map(|slot| slot.runner.results().1).collect();
    let profile = GridProfile {
        memory_read_sectors: counted.read(),
        memory_written_sectors: counted.written,
        atomics_in_turn: counted.atomics_in_turn,
        waited: counted.waited(),
        counters: counted.counters,
        counts: counted.counts,
        fault,
        blocks_run: sampled,
        resident,
        l1,
        trace,
    };
    (profile, checkers)
}

/// The fewest waves and warp instructions that are run.
fn least_of(sample: Sample) -> (u64, u64) {
    match sample {
        Sample::Part {
            waves,
            instructions,
        } => (u64::from(waves.max(2)), instructions),
        Sample::All => (u64::MAX, 0),
    }
}

/// The accesses that all units recorded.
fn joined_trace<C: Observer>(units: &mut [Unit<'_, C>], launch: &Shared<'_>) -> Trace {
    let recorders = units
        .iter_mut()
        .filter_map(|unit| unit.counts.recorder.take());
    trace::join(
        recorders.map(|recorder| recorder.trace),
        launch.memory.live_allocations(),
    )
}

/// Runs what is left of the first `blocks` blocks.
fn run_blocks<C: Observer + Send>(
    units: &mut [Unit<'_, C>],
    below: &mut Below,
    shape: &Shape,
    blocks: u64,
    alone: bool,
) -> Result<(), (u64, BlockFault)> {
    loop {
        let results: Vec<Result<bool, (u64, BlockFault)>> = if alone {
            units
                .iter_mut()
                .map(|unit| unit.round(shape, blocks))
                .collect()
        } else {
            units
                .par_iter_mut()
                .map(|unit| unit.round(shape, blocks))
                .collect()
        };
        let mut working = false;
        let mut fault: Option<(u64, BlockFault)> = None;
        for result in results {
            match result {
                Ok(more) => working |= more,
                Err(found) if fault.as_ref().is_none_or(|(block, _)| found.0 < *block) => {
                    fault = Some(found)
                }
                Err(_) => {}
            }
        }
        if let Some(fault) = fault {
            return Err(fault);
        }
        below.take(units);
        if !working {
            return Ok(());
        }
    }
}

/// Whether what a block does may depend on how far others are.
fn blocks_communicate(launch: &Shared<'_>) -> bool {
    launch
        .code
        .insts
        .iter()
        .zip(&launch.code.notes)
        .any(|(inst, note)| match &inst.op {
            Op::Load(_) => note.order.strong,
            Op::Atomic(atomic) => !atomic.dest.is_empty(),
            _ => false,
        })
}
