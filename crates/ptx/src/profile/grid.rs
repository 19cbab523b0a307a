//! Runs a grid the way a GPU shares it out, so that caches see requests in the order a GPU might make them.
//!
//! Block `b` belongs to multiprocessor `b mod n`; each runs its blocks in ascending order, as many at a time as fit.
//! All go in rounds: in a round every warp runs up to and with its next request of global or local memory. After a
//! round the L2 cache takes the requests of all multiprocessors, one of each in turn. So the counts depend on nothing
//! but the launch, on however many host threads the multiprocessors are simulated. Kernels whose blocks wait for each
//! other (they load atomically, or use what atomics return) run their multiprocessors one after the other.

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
struct Unit<'a, C> {
    counts: Multiprocessor,
    slots: Vec<Slot<'a, C>>,
    next: u64,
    stride: u64,
}

struct Slot<'a, C> {
    runner: BlockRunner<'a, C>,
    block: Option<u64>,
}

impl<C: Observer> Unit<'_, C> {
    /// One round of the first `blocks` blocks; says whether anything is left, or which block failed.
    fn round(&mut self, shape: &Shape, blocks: u64) -> Result<bool, (u64, BlockFault)> {
        let mut working = false;
        for slot in &mut self.slots {
            if slot.block.is_none() && self.next < blocks {
                slot.runner
                    .start(self.next, Shape::coordinates(shape.grid, self.next));
                slot.block = Some(self.next);
                self.next += self.stride;
            }
            let Some(block) = slot.block else { continue };
            working = true;
            let ended = slot.runner.round(block, Some(&mut self.counts));
            if !matches!(ended, Ok(false)) {
                slot.runner.counters.end_page(block);
            }
            if ended.map_err(|fault| (block, fault))? {
                slot.block = None;
            }
        }
        Ok(working)
    }
}

/// The L2 cache and the memory behind it.
struct Below {
    l2: Cache,
    counts: Vec<Counts>,
    read: u64,
    written: u64,
}

impl Below {
    /// Takes what the multiprocessors asked for, one request of each in turn.
    fn take<C>(&mut self, units: &mut [Unit<'_, C>]) {
        let longest = units
            .iter()
            .map(|unit| unit.counts.queue.len())
            .max()
            .unwrap_or(0);
        for at in 0..longest {
            for unit in units.iter_mut() {
                let Some(&request) = unit.counts.queue.get(at) else {
                    continue;
                };
                let outcome = self
                    .l2
                    .access(request.address, request.access != AccessKind::Load);
                self.written += u64::from(outcome.written_back);
                // A store needs nothing from memory: the L2 cache keeps which bytes it was given.
                let missing = !outcome.hit && request.access != AccessKind::Store;
                self.read += u64::from(missing);
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
        units.iter_mut().for_each(|unit| unit.counts.queue.clear());
    }
}

/// The counts so far.
struct Counted {
    counters: Counters,
    counts: Vec<Counts>,
    read: u64,
    written: u64,
}

impl Counted {
    fn of<C>(units: &[Unit<'_, C>], below: &Below, instructions: usize) -> Counted {
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
            read: below.read,
            written: below.written + below.l2.dirty_sectors(),
        }
    }

    fn warp_instructions(&self) -> u64 {
        self.counters.executed.iter().map(|row| row.0).sum()
    }

    /// The counts if everything since `earlier` came `rate` times.
    fn extrapolated(mut self, earlier: &Counted, rate: f64) -> Counted {
        let scale =
            |now: u64, then: u64| then + (now.saturating_sub(then) as f64 * rate).round() as u64;
        self.counters.combine(&earlier.counters, scale);
        for (now, then) in self.counts.iter_mut().zip(&earlier.counts) {
            now.combine(then, scale);
        }
        self.read = scale(self.read, earlier.read);
        self.written = scale(self.written, earlier.written);
        self
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
    let mut units: Vec<Unit<'_, C>> = (0..count)
        .map(|index| {
            let slots = u64::from(resident).min((blocks - index).div_ceil(count));
            let slot = |_| Slot {
                runner: BlockRunner::new(launch, shape, options, checker()),
                block: None,
            };
            let mut counts = Multiprocessor::new(Cache::new(l1), l1, instructions);
            counts.recorder = wanted.trace.map(|options| {
                let at_once = (count * u64::from(resident)).min(blocks);
                Recorder::new(options, (index, count), shape.threads(), at_once)
            });
            Unit {
                counts,
                slots: (0..slots).map(slot).collect(),
                next: index,
                stride: count,
            }
        })
        .collect();
    let mut below = Below {
        l2: Cache::new(machine.l2),
        counts: vec![Counts::default(); instructions],
        read: 0,
        written: 0,
    };
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
    let rate = (blocks - from as u64 * wave) as f64 / (sampled - from as u64 * wave).max(1) as f64;
    let all = taken
        .pop()
        .unwrap_or_else(|| Counted::of(&units, &below, instructions));
    let Counted {
        counters,
        counts,
        read,
        written,
    } = match from.checked_sub(1) {
        Some(base) if sampled < blocks && fault.is_none() => all.extrapolated(&taken[base], rate),
        _ => all,
    };
    let trace = wanted.trace.map(|_| joined_trace(&mut units, launch));
    let slots = units.into_iter().flat_map(|unit| unit.slots);
    let checkers = slots.filter_map(|slot| slot.runner.results().1).collect();
    let profile = GridProfile {
        counters,
        fault,
        counts,
        memory_read_sectors: read,
        memory_written_sectors: written,
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
