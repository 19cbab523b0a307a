//! Counts of what a launch did.

use crate::counters::Counters;
use crate::fault::Finding;
use crate::isa::{CLASSES, Class, Code};
use crate::profile::Profile;

/// Warp instructions by class: each counts once however many of its lanes are active.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct InstructionCounts {
    /// Integer arithmetic, logic and shifts.
    pub integer: u64,
    /// Single-precision arithmetic.
    pub float32: u64,
    /// Double-precision arithmetic.
    pub float64: u64,
    /// Half-precision arithmetic.
    pub half: u64,
    /// Approximate functions, division and square root.
    pub special: u64,
    /// Conversions.
    pub convert: u64,
    /// Moves, selections and address conversions.
    pub moves: u64,
    /// Comparisons and predicate logic.
    pub predicate: u64,
    /// Loads from any space.
    pub load: u64,
    /// Stores to any space.
    pub store: u64,
    /// Atomics and reductions in memory.
    pub atomic: u64,
    /// Branches, calls, returns and exits.
    pub control: u64,
    /// Block barriers.
    pub barrier: u64,
    /// Shuffles, votes and other operations across a warp.
    pub warp: u64,
    /// Matrix products and the loads and stores of their fragments.
    pub tensor: u64,
    /// Everything else.
    pub other: u64,
}

impl InstructionCounts {
    /// All classes together.
    pub fn total(&self) -> u64 {
        self.integer
            + self.float32
            + self.float64
            + self.half
            + self.special
            + self.convert
            + self.moves
            + self.predicate
            + self.load
            + self.store
            + self.atomic
            + self.control
            + self.barrier
            + self.warp
            + self.tensor
            + self.other
    }

    fn from_classes(counts: &[u64; CLASSES]) -> InstructionCounts {
        let of = |class: Class| counts[class as usize];
        InstructionCounts {
            integer: of(Class::Integer),
            float32: of(Class::Float32),
            float64: of(Class::Float64),
            half: of(Class::Half),
            special: of(Class::Special),
            convert: of(Class::Convert),
            moves: of(Class::Move),
            predicate: of(Class::Predicate),
            load: of(Class::Load),
            store: of(Class::Store),
            atomic: of(Class::Atomic),
            control: of(Class::Control),
            barrier: of(Class::Barrier),
            warp: of(Class::Warp),
            tensor: of(Class::Tensor),
            other: of(Class::Other),
        }
    }
}

/// The counters of a launch, summed over its thread blocks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LaunchStats {
    /// Thread blocks.
    pub blocks: u64,
    /// Threads.
    pub threads: u64,
    /// Warp instructions by class.
    pub warp_instructions: InstructionCounts,
    /// Instructions summed over the lanes that executed them.
    pub thread_instructions: u64,
    /// Bytes of global memory the lanes asked to read, atomics not included.
    pub global_bytes_read: u64,
    /// Bytes of global memory the lanes asked to write, atomics not included.
    pub global_bytes_written: u64,
    /// 32-byte sectors the read requests of warps touch: each request counts its distinct sectors.
    pub global_sectors_read: u64,
    /// 32-byte sectors the write requests of warps touch.
    pub global_sectors_written: u64,
    /// Warp requests to global memory: loads, stores, atomics.
    pub global_requests: u64,
    /// Those that load; a bulk copy counts its pieces.
    pub global_loads: u64,
    /// Those that store.
    pub global_stores: u64,
    /// Atomics and reductions.
    pub global_atomics: u64,
    /// Sectors touched by atomics on global memory.
    pub global_sectors_atomic: u64,
    /// Warp instructions that load from shared memory.
    pub shared_loads: u64,
    /// Warp instructions that store to shared memory, asynchronous copies included.
    pub shared_stores: u64,
    /// Warp instructions with atomics on shared memory.
    pub shared_atomics: u64,
    /// Branch instructions executed by a warp (or a diverged part of one).
    pub branches: u64,
    /// Those whose lanes went different ways.
    pub divergent_branches: u64,
    /// Block barriers completed.
    pub barriers: u64,
    /// The text the program printed (`vprintf`), block by block in linear order.
    pub printed: String,
    /// Executions of each kernel line, by ascending PTX line: (line, warp instructions, thread instructions).
    pub lines: Vec<LineCount>,
    /// Executions of each opcode of the text, modifiers included, in the order of its first line.
    pub opcodes: Vec<OpcodeCount>,
    /// The findings of the checkers, by location in the code; empty for a clean launch.
    pub findings: Vec<Finding>,
    /// A profiler's counters, when the options ask for it.
    pub profile: Option<Box<Profile>>,
}

impl LaunchStats {
    /// The public form of counters, for the code that was run.
    pub(crate) fn of(counters: &Counters, blocks: u64, threads: u64, code: &Code) -> LaunchStats {
        let mut classes = [0; CLASSES];
        let mut lines: Vec<LineCount> = Vec::new();
        let mut thread_instructions = 0;
        for ((origin, inst), &(warps, threads)) in
            code.origins.iter().zip(&code.insts).zip(&counters.executed)
        {
            classes[inst.class as usize] += warps;
            thread_instructions += threads;
            let line = origin.line;
            lines.push(LineCount {
                line,
                warp_instructions: warps,
                thread_instructions: threads,
            });
        }
        lines.sort_by_key(|count| count.line);
        lines.dedup_by(|next, kept| {
            let same = next.line == kept.line;
            if same {
                kept.warp_instructions += next.warp_instructions;
                kept.thread_instructions += next.thread_instructions;
            }
            same
        });
        LaunchStats {
            blocks,
            threads,
            warp_instructions: InstructionCounts::from_classes(&classes),
            thread_instructions,
            global_bytes_read: counters.bytes_read,
            global_bytes_written: counters.bytes_written,
            global_sectors_read: counters.sectors_read,
            global_sectors_written: counters.sectors_written,
            global_sectors_atomic: counters.sectors_atomic,
            global_requests: counters.global_loads
                + counters.global_stores
                + counters.global_atomics,
            global_loads: counters.global_loads,
            global_stores: counters.global_stores,
            global_atomics: counters.global_atomics,
            shared_loads: counters.shared_load,
            shared_stores: counters.shared_store,
            shared_atomics: counters.shared_atomic,
            branches: counters.branches,
            divergent_branches: counters.divergent,
            barriers: counters.barriers,
            printed: counters.printed_text(),
            lines,
            opcodes: opcodes(counters, code),
            findings: Vec::new(),
            profile: None,
        }
    }
}

fn opcodes(counters: &Counters, code: &Code) -> Vec<OpcodeCount> {
    let name = |opcode: &String| OpcodeCount {
        opcode: opcode.clone(),
        warp_instructions: 0,
        thread_instructions: 0,
    };
    let mut counts: Vec<OpcodeCount> = code.opcode_names.iter().map(name).collect();
    for (&opcode, &(warps, threads)) in code.opcodes.iter().zip(&counters.executed) {
        if let Some(count) = counts.get_mut(opcode as usize) {
            count.warp_instructions += warps;
            count.thread_instructions += threads;
        }
    }
    counts
}

/// How often the instructions on one PTX line ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineCount {
    /// PTX line, from 1.
    pub line: u32,
    /// Warp instructions.
    pub warp_instructions: u64,
    /// Summed over active lanes.
    pub thread_instructions: u64,
}

/// How often instructions with one opcode ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpcodeCount {
    /// The opcode with its modifiers, such as `ld.global.v4.f32`.
    pub opcode: String,
    /// Warp instructions.
    pub warp_instructions: u64,
    /// Summed over active lanes.
    pub thread_instructions: u64,
}
