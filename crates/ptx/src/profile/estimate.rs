//! How long a launch might take: an estimate from its counts, not a simulation of time. [`TimeEstimate`] has the formula.

use super::machine::Machine;
use super::report::Totals;
use crate::stats::InstructionCounts;
use serde::Serialize;

/// Cycles by resource, and the time the largest gives: an estimate from counts, not a simulation of time.
///
/// Each resource of the machine gives the cycles it needs at least; the slowest decides. With `n` multiprocessors
/// busy (of blocks, or all of the machine's):
///
/// | term | cycles |
/// |---|---|
/// | issue | warp instructions / (issue width · n) |
/// | arithmetic | the largest over classes of 32 · instructions of the class / (lanes per clock · n) |
/// | shared memory and L1 | (bank wavefronts + lines looked up) / n |
/// | L2 | 32 · sectors between L1 and L2 / bytes per clock |
/// | atomics | 2 · atomics in turn of the busiest slice of L2: all / slices, or those on one sector |
/// | memory | bytes / bandwidth, in cycles |
/// | latency | the longest chain of waiting of any multiprocessor |
///
/// The last is taken from clocks of the warps (`profile/clocks.rs`): a warp waits for what its instructions read by the arithmetic
/// latency, for loads by that of the level that served them, those on their way together at once (`overlap.rs`), for copies and
/// for the others of its block at barriers; blocks follow
/// one another in the places that a multiprocessor has. It is not what all warps wait for divided by the warps that are resident
/// (Little's law): that holds where all of them have as much to do, and a warp that has ended, or only waits at a barrier, hides
/// nothing. Terms of multiprocessors before it are extended by the tail: the last wave of blocks takes as long as a full one. A
/// launch adds its fixed time, which is less for one that is part of a graph ([`TimeEstimate::in_graph`]).
///
/// A slice of the L2 cache gives 64 bytes a clock. Two clocks for an atomic on a sector are of one measurement, 2^26 sums into
/// 65,536 bins on an H100 (`tests/gpu/RESULTS.md`): 36 of them a clock, of 40.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct TimeEstimate {
    /// Microseconds, the launch itself included. An estimate.
    pub microseconds: f64,
    /// How much of that is the launch itself, in microseconds.
    pub launch: f64,
    /// The time of the launch itself as part of a graph, in microseconds.
    pub launch_in_graph: f64,
    /// The bottleneck: the name of the largest term below.
    pub bound: &'static str,
    /// Issue slots, in cycles.
    pub issue: f64,
    /// The busiest kind of arithmetic, in cycles.
    pub arithmetic: f64,
    /// Shared memory and L1 cache, in cycles.
    pub l1: f64,
    /// L2 cache, in cycles.
    pub l2: f64,
    /// Atomics in the L2 cache, in cycles.
    pub atomics: f64,
    /// Device memory, in cycles.
    pub memory: f64,
    /// The longest chain of waiting, in cycles.
    pub latency: f64,
}

impl TimeEstimate {
    /// The same launch as part of a graph: the host hands all of the graph's launches over at once.
    #[must_use]
    pub fn in_graph(self) -> TimeEstimate {
        let microseconds = self.microseconds - self.launch + self.launch_in_graph;
        TimeEstimate {
            microseconds,
            launch: self.launch_in_graph,
            ..self
        }
    }
}

/// Bytes per clock of a slice of the L2 cache.
const SLICE_BYTES: f64 = 64.0;
/// Cycles of a slice for an atomic on a sector.
const ATOMIC: f64 = 2.0;

/// The name and the cycles of the largest term.
fn bottleneck(estimate: &TimeEstimate) -> (&'static str, f64) {
    let terms = [
        ("issue", estimate.issue),
        ("arithmetic", estimate.arithmetic),
        ("L1 and shared memory", estimate.l1),
        ("L2", estimate.l2),
        ("atomics", estimate.atomics),
        ("memory", estimate.memory),
        ("latency", estimate.latency),
    ];
    terms.into_iter().fold(
        ("issue", 0.0),
        |most, term| if term.1 > most.1 { term } else { most },
    )
}

/// Estimates a launch of `blocks` thread blocks, `resident` of them on a multiprocessor, whose latest clock showed `waited`;
/// of its atomics, `in_turn` are on one sector.
pub(crate) fn estimate(
    machine: &Machine,
    instructions: &InstructionCounts,
    totals: &Totals,
    (blocks, resident): (u64, u32),
    waited: u64,
    in_turn: u64,
) -> TimeEstimate {
    let busy = f64::from(machine.multiprocessors)
        .min(blocks as f64)
        .max(1.0);
    let waves = blocks as f64 / (busy * f64::from(resident));
    let tail = if waves > 0.0 {
        waves.max(1.0).ceil() / waves.max(1.0)
    } else {
        1.0
    };
    let on_each = |work: f64| work / busy * tail;
    let lanes = |count: u64, per_clock: f64| 32.0 * count as f64 / per_clock;
    let t = machine.throughput;
    let classes = [
        lanes(instructions.float32, t.float32),
        lanes(instructions.float64, t.float64),
        lanes(instructions.half, t.half),
        lanes(
            instructions.integer + instructions.predicate + instructions.moves,
            t.integer,
        ),
        lanes(instructions.special + instructions.convert, t.special),
    ];
    let issued = instructions.total() as f64;
    let sectors = totals.l2_read_sectors + totals.l2_written_sectors + totals.l2_atomic_sectors;
    let memory_bytes = (totals.memory_read_bytes + totals.memory_written_bytes) as f64;
    let bytes_per_clock = machine.memory_gb_per_s * 1000.0 / machine.clock_mhz;
    let slices = machine.l2_bytes_per_clock / SLICE_BYTES;
    let mut estimate = TimeEstimate {
        issue: on_each(issued / t.issue),
        arithmetic: on_each(classes.into_iter().fold(0.0, f64::max)),
        l1: on_each((totals.shared_wavefronts + totals.lines) as f64),
        l2: sectors as f64 * f64::from(machine.l2.sector_bytes) / machine.l2_bytes_per_clock,
        atomics: ATOMIC * (totals.l2_atomic_turns as f64 / slices).max(in_turn as f64),
        memory: memory_bytes / bytes_per_clock,
        latency: waited as f64,
        ..TimeEstimate::default()
    };
    let (bound, cycles) = bottleneck(&estimate);
    estimate.bound = bound;
    (estimate.launch, estimate.launch_in_graph) = (machine.launch_us, machine.graph_launch_us);
    estimate.microseconds = estimate.launch + cycles / machine.clock_mhz;
    estimate
}
