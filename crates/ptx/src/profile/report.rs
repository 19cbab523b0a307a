//! The contents of a profile: totals, lines, time.

use super::estimate::{TimeEstimate, estimate};
use super::grid::GridProfile;
use super::multiprocessor::Counts;
use super::options::ProfileOptions;
use super::trace::Trace;
use crate::module::{Kernel, Module};
use crate::options::LaunchConfig;
use crate::place::Place;
use crate::stats::{InstructionCounts, LaunchStats};
use serde::Serialize;
use std::collections::BTreeMap;

/// Memory traffic, of a kernel or of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Totals {
    /// Warp requests of global and local memory.
    pub requests: u64,
    /// Bytes the lanes asked for.
    pub bytes: u64,
    /// Sectors the requests touched.
    pub sectors: u64,
    /// Cache lines the requests touched.
    pub lines: u64,
    /// Sectors looked up in the L1 cache.
    pub l1_lookups: u64,
    /// Those found there.
    pub l1_hits: u64,
    /// Requests that went on to the L2 cache.
    pub l2_requests: u64,
    /// Sectors loaded from the L2 cache.
    pub l2_read_sectors: u64,
    /// Sectors written to the L2 cache.
    pub l2_written_sectors: u64,
    /// Sectors updated by atomics in the L2 cache.
    pub l2_atomic_sectors: u64,
    /// Atomics that the L2 cache does one after another on a sector: those of a warp on one address.
    pub l2_atomic_turns: u64,
    /// Loaded and updated sectors found in the L2 cache.
    pub l2_hits: u64,
    /// Bytes read from device memory; 0 for a line.
    pub memory_read_bytes: u64,
    /// Bytes written to device memory, what the L2 cache holds at the end included; 0 for a line.
    pub memory_written_bytes: u64,
    /// Warp requests of shared memory.
    pub shared_requests: u64,
    /// Times the banks were asked for them: one per request without conflicts, two or four for 8 or 16 bytes a lane.
    pub shared_wavefronts: u64,
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

impl Totals {
    /// Sectors per request of global or local memory: 4 for a coalesced access of 4 bytes a lane.
    pub fn sectors_per_request(&self) -> f64 {
        ratio(self.sectors, self.requests)
    }

    /// Share of sectors found in the L1 cache.
    pub fn l1_hit_rate(&self) -> f64 {
        ratio(self.l1_hits, self.l1_lookups)
    }

    /// Share of loaded and updated sectors found in the L2 cache.
    pub fn l2_hit_rate(&self) -> f64 {
        ratio(self.l2_hits, self.l2_read_sectors + self.l2_atomic_sectors)
    }

    /// Bank wavefronts per request of shared memory.
    pub fn wavefronts_per_request(&self) -> f64 {
        ratio(self.shared_wavefronts, self.shared_requests)
    }

    fn add(&mut self, counts: &Counts) {
        self.requests += counts.requests;
        self.bytes += counts.bytes;
        self.sectors += counts.sectors;
        self.lines += counts.lines;
        self.l1_lookups += counts.l1_lookups;
        self.l1_hits += counts.l1_hits;
        self.l2_requests += counts.l2_requests;
        self.l2_read_sectors += counts.l2_read_sectors;
        self.l2_written_sectors += counts.l2_written_sectors;
        self.l2_atomic_sectors += counts.l2_atomic_sectors;
        self.l2_atomic_turns += counts.l2_atomic_turns;
        self.l2_hits += counts.l2_hits;
        self.shared_requests += counts.shared_requests;
        self.shared_wavefronts += counts.shared_wavefronts;
    }
}

/// Counts of one PTX line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineProfile {
    /// PTX line, from 1.
    pub line: u32,
    /// Its text, trimmed.
    pub text: String,
    /// `file:line:column` of the source, where the PTX has it.
    pub source: Option<String>,
    /// Warp instructions.
    pub warp_instructions: u64,
    /// Summed over active lanes.
    pub thread_instructions: u64,
    /// Its memory traffic.
    pub traffic: Totals,
}

/// The counters of a launch, as a profiler tells them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Profile {
    /// Kernel.
    pub kernel: String,
    /// The machine's name.
    pub machine: &'static str,
    /// Thread blocks.
    pub grid: [u32; 3],
    /// Blocks that ran; fewer than the grid has where counts are extrapolated (see [`Sample`](crate::Sample)).
    pub blocks_run: u64,
    /// Threads per block.
    pub block: [u32; 3],
    /// Warp instructions by class.
    pub instructions: InstructionCounts,
    /// Instructions summed over active lanes.
    pub thread_instructions: u64,
    /// Branches, and those whose lanes went different ways.
    pub branches: u64,
    /// Branches whose lanes went different ways.
    pub divergent_branches: u64,
    /// Blocks on a multiprocessor at once.
    pub resident_blocks: u32,
    /// Warps on a multiprocessor at once, as a share of the most it holds.
    pub occupancy: f64,
    /// Bytes of L1 cache beside the resident blocks' shared memory.
    pub l1_bytes: u64,
    /// Memory traffic.
    pub traffic: Totals,
    /// Estimated time.
    pub estimate: TimeEstimate,
    /// By ascending PTX line.
    pub lines: Vec<LineProfile>,
    /// The accesses, where they were asked for ([`super::TraceOptions`]).
    #[serde(skip)]
    pub trace: Option<Trace>,
}

impl Profile {
    /// Active lanes per warp instruction: 32 without divergence.
    pub fn lanes_per_instruction(&self) -> f64 {
        ratio(self.thread_instructions, self.instructions.total())
    }

    /// The lines by their part of the time: wavefronts, cache lines and issue slots they take.
    pub fn hottest(&self) -> Vec<&LineProfile> {
        let cost = |line: &LineProfile| {
            line.traffic.shared_wavefronts
                + line.traffic.lines
                + 4 * (line.traffic.l2_read_sectors + line.traffic.l2_written_sectors)
                + line.warp_instructions
        };
        let mut lines: Vec<&LineProfile> = self
            .lines
            .iter()
            .filter(|line| line.warp_instructions > 0)
            .collect();
        lines.sort_by_key(|line| (core::cmp::Reverse(cost(line)), line.line));
        lines
    }
}

/// The traffic of all instructions together, and what each line of the text has of it.
fn by_line(
    module: &Module,
    kernel: &Kernel,
    run: &GridProfile,
) -> (Totals, BTreeMap<u32, LineProfile>) {
    let mut traffic = Totals::default();
    let mut lines: BTreeMap<u32, LineProfile> = BTreeMap::new();
    for (pc, (counts, &(warps, threads))) in
        run.counts.iter().zip(&run.counters.executed).enumerate()
    {
        traffic.add(counts);
        let Place {
            line,
            text,
            source_location,
        } = Place::of(module, kernel, pc as u32);
        let entry = lines.entry(line).or_insert_with(|| LineProfile {
            line,
            text,
            source: source_location.map(|at| at.to_string()),
            warp_instructions: 0,
            thread_instructions: 0,
            traffic: Totals::default(),
        });
        entry.warp_instructions += warps;
        entry.thread_instructions += threads;
        entry.traffic.add(counts);
    }
    (traffic, lines)
}

/// Puts the pieces together.
pub(crate) fn assemble(
    module: &Module,
    kernel: &Kernel,
    config: &LaunchConfig,
    options: &ProfileOptions,
    stats: &LaunchStats,
    run: &mut GridProfile,
) -> Profile {
    let machine = &options.machine;
    let (mut traffic, lines) = by_line(module, kernel, run);
    let sector = u64::from(machine.l2.sector_bytes);
    traffic.memory_read_bytes = run.memory_read_sectors * sector;
    traffic.memory_written_bytes = run.memory_written_sectors * sector;
    let instructions = stats.warp_instructions;
    let estimate = estimate(
        machine,
        &instructions,
        &traffic,
        (stats.blocks, run.resident),
        run.waited,
        run.atomics_in_turn,
    );
    let warps_per_block = config.block.iter().product::<u32>().div_ceil(32);
    Profile {
        kernel: kernel.name().into(),
        machine: machine.name,
        grid: config.grid,
        blocks_run: run.blocks_run,
        block: config.block,
        instructions,
        thread_instructions: stats.thread_instructions,
        branches: stats.branches,
        divergent_branches: stats.divergent_branches,
        resident_blocks: run.resident,
        occupancy: f64::from(run.resident * warps_per_block) / f64::from(machine.warps),
        l1_bytes: run.l1.bytes,
        traffic,
        estimate,
        lines: lines.into_values().collect(),
        trace: run.trace.take(),
    }
}
