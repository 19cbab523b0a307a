//! Counts of what a launch did.

use crate::exec::lanes::{LANES, lanes};
use crate::fault::Finding;
use crate::isa::{CLASSES, Class, Code};
use crate::profile::Profile;

/// Bytes of a sector, the unit of traffic between the L2 cache and memory.
pub const SECTOR_BYTES: u64 = 32;

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

/// What a launch did, summed over its thread blocks.
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
    /// What the program printed (`vprintf`), block by block in linear order.
    pub printed: String,
    /// Executions of each kernel line, by ascending PTX line: (line, warp instructions, thread instructions).
    pub lines: Vec<LineCount>,
    /// Executions of each opcode of the text, modifiers included, in the order of its first line.
    pub opcodes: Vec<OpcodeCount>,
    /// What the checkers found, by place in the code; empty for a clean launch.
    pub findings: Vec<Finding>,
    /// What a profiler would count, when the options ask for it.
    pub profile: Option<Box<Profile>>,
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

/// Counters of one host thread; merged at the end of a launch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counters {
    /// Warp and thread executions of each instruction.
    pub(crate) executed: Vec<(u64, u64)>,
    pub(crate) bytes_read: u64,
    pub(crate) bytes_written: u64,
    pub(crate) sectors_read: u64,
    pub(crate) sectors_written: u64,
    pub(crate) sectors_atomic: u64,
    pub(crate) global_loads: u64,
    pub(crate) global_stores: u64,
    pub(crate) global_atomics: u64,
    pub(crate) shared_load: u64,
    pub(crate) shared_store: u64,
    pub(crate) shared_atomic: u64,
    pub(crate) branches: u64,
    pub(crate) divergent: u64,
    pub(crate) barriers: u64,
    /// Text printed by the block that runs.
    pub(crate) printed: String,
    /// Text printed by earlier blocks, with their linear index.
    pub(crate) pages: Vec<(u64, String)>,
}

impl Counters {
    pub(crate) fn new(instructions: usize) -> Counters {
        Counters {
            executed: vec![(0, 0); instructions],
            ..Counters::default()
        }
    }

    pub(crate) fn global_read(&mut self, addresses: &[u64; LANES], mask: u32, bytes: u32) {
        self.global_loads += 1;
        self.bytes_read += u64::from(mask.count_ones() * bytes);
        self.sectors_read += sectors(addresses, mask, bytes);
    }

    pub(crate) fn global_write(&mut self, addresses: &[u64; LANES], mask: u32, bytes: u32) {
        self.global_stores += 1;
        self.bytes_written += u64::from(mask.count_ones() * bytes);
        self.sectors_written += sectors(addresses, mask, bytes);
    }

    pub(crate) fn global_atomic(&mut self, addresses: &[u64; LANES], mask: u32, bytes: u32) {
        self.global_atomics += 1;
        self.sectors_atomic += sectors(addresses, mask, bytes);
    }

    /// A piece of a bulk copy from global memory, in whole sectors.
    pub(crate) fn global_bulk_read(&mut self, address: u64, bytes: u64) {
        self.global_loads += 1;
        self.bytes_read += bytes;
        self.sectors_read += sectors_of_range(address, bytes);
    }

    /// A piece of a bulk copy to global memory.
    pub(crate) fn global_bulk_write(&mut self, address: u64, bytes: u64) {
        self.global_stores += 1;
        self.bytes_written += bytes;
        self.sectors_written += sectors_of_range(address, bytes);
    }

    pub(crate) fn merge(&mut self, other: &Counters) {
        self.combine(other, |mine, theirs| mine + theirs);
        self.pages.extend(other.pages.iter().cloned());
    }

    /// Every count becomes what `combined` makes of it and the other's; what was printed stays.
    pub(crate) fn combine(&mut self, other: &Counters, combined: impl Fn(u64, u64) -> u64) {
        for (mine, theirs) in self.executed.iter_mut().zip(&other.executed) {
            *mine = (combined(mine.0, theirs.0), combined(mine.1, theirs.1));
        }
        self.bytes_read = combined(self.bytes_read, other.bytes_read);
        self.bytes_written = combined(self.bytes_written, other.bytes_written);
        self.sectors_read = combined(self.sectors_read, other.sectors_read);
        self.sectors_written = combined(self.sectors_written, other.sectors_written);
        self.sectors_atomic = combined(self.sectors_atomic, other.sectors_atomic);
        self.global_loads = combined(self.global_loads, other.global_loads);
        self.global_stores = combined(self.global_stores, other.global_stores);
        self.global_atomics = combined(self.global_atomics, other.global_atomics);
        self.shared_load = combined(self.shared_load, other.shared_load);
        self.shared_store = combined(self.shared_store, other.shared_store);
        self.shared_atomic = combined(self.shared_atomic, other.shared_atomic);
        self.branches = combined(self.branches, other.branches);
        self.divergent = combined(self.divergent, other.divergent);
        self.barriers = combined(self.barriers, other.barriers);
    }

    /// Puts away what block `index` printed.
    pub(crate) fn end_page(&mut self, index: u64) {
        if !self.printed.is_empty() {
            self.pages.push((index, core::mem::take(&mut self.printed)));
        }
    }

    fn opcodes(&self, code: &Code) -> Vec<OpcodeCount> {
        let name = |opcode: &String| OpcodeCount {
            opcode: opcode.clone(),
            warp_instructions: 0,
            thread_instructions: 0,
        };
        let mut counts: Vec<OpcodeCount> = code.opcode_names.iter().map(name).collect();
        for (&opcode, &(warps, threads)) in code.opcodes.iter().zip(&self.executed) {
            if let Some(count) = counts.get_mut(opcode as usize) {
                count.warp_instructions += warps;
                count.thread_instructions += threads;
            }
        }
        counts
    }

    fn printed_text(&self) -> String {
        let mut pages: Vec<_> = self.pages.iter().collect();
        pages.sort_by_key(|(index, _)| *index);
        pages.into_iter().map(|(_, text)| text.as_str()).collect()
    }

    /// The public form, for the code that was run.
    pub(crate) fn finish(&self, blocks: u64, threads: u64, code: &Code) -> LaunchStats {
        let mut classes = [0; CLASSES];
        let mut lines: Vec<LineCount> = Vec::new();
        let mut thread_instructions = 0;
        for ((origin, inst), &(warps, threads)) in
            code.origins.iter().zip(&code.insts).zip(&self.executed)
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
            global_bytes_read: self.bytes_read,
            global_bytes_written: self.bytes_written,
            global_sectors_read: self.sectors_read,
            global_sectors_written: self.sectors_written,
            global_sectors_atomic: self.sectors_atomic,
            global_requests: self.global_loads + self.global_stores + self.global_atomics,
            global_loads: self.global_loads,
            global_stores: self.global_stores,
            global_atomics: self.global_atomics,
            shared_loads: self.shared_load,
            shared_stores: self.shared_store,
            shared_atomics: self.shared_atomic,
            branches: self.branches,
            divergent_branches: self.divergent,
            barriers: self.barriers,
            printed: self.printed_text(),
            lines,
            opcodes: self.opcodes(code),
            findings: Vec::new(),
            profile: None,
        }
    }
}

fn sectors_of_range(address: u64, bytes: u64) -> u64 {
    if bytes == 0 {
        0
    } else {
        (address + bytes - 1) / SECTOR_BYTES - address / SECTOR_BYTES + 1
    }
}

/// The distance of each lane's address from the one before, where it is the same for all and not negative.
fn stride(addresses: &[u64; LANES]) -> Option<u64> {
    let stride = addresses[1].checked_sub(addresses[0])?;
    let other = addresses.windows(2).fold(0, |other, pair| {
        other | (pair[1].wrapping_sub(pair[0]) ^ stride)
    });
    (other == 0).then_some(stride)
}

/// Distinct sectors a warp's request touches. An element never crosses a sector: it is aligned to its size.
fn sectors(addresses: &[u64; LANES], mask: u32, bytes: u32) -> u64 {
    let per_lane = u64::from(bytes).div_ceil(SECTOR_BYTES).max(1);
    // Most requests are of all lanes at one stride: with none or small ones, no sector between the ends is left out.
    if mask == u32::MAX
        && let Some(stride) = stride(addresses)
    {
        let distinct = match stride {
            0..=SECTOR_BYTES => {
                addresses[LANES - 1] / SECTOR_BYTES - addresses[0] / SECTOR_BYTES + 1
            }
            _ => LANES as u64,
        };
        return distinct * per_lane;
    }
    let mut seen = [0u64; LANES];
    let (mut count, mut sorted) = (0usize, true);
    for lane in lanes(mask) {
        let sector = addresses[lane] / SECTOR_BYTES;
        if count > 0 {
            if seen[count - 1] == sector {
                continue;
            }
            sorted &= seen[count - 1] < sector;
        }
        seen[count] = sector;
        count += 1;
    }
    if !sorted {
        seen[..count].sort_unstable();
        let mut distinct = 1;
        for at in 1..count {
            distinct += usize::from(seen[at] != seen[at - 1]);
        }
        count = distinct;
    }
    count as u64 * per_lane
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strided(stride: u64) -> [u64; LANES] {
        core::array::from_fn(|lane| 4096 + lane as u64 * stride)
    }

    #[test]
    fn sectors_per_request_of_strided_accesses() {
        let of = |stride, bytes| sectors(&strided(stride), u32::MAX, bytes);
        assert_eq!(of(4, 4), 4);
        assert_eq!(of(8, 4), 8);
        assert_eq!(of(16, 4), 16);
        assert_eq!(of(32, 4), 32);
        assert_eq!(of(16, 16), 16);
        assert_eq!(of(0, 4), 1);
    }

    #[test]
    fn requests_at_a_stride_count_as_any_others() {
        for stride in [0, 1, 2, 4, 8, 12, 16, 20, 32, 36, 64, 4096] {
            for start in [0, 4, 20, 28] {
                let addresses: [u64; LANES] =
                    core::array::from_fn(|lane| 4096 + start + lane as u64 * stride);
                let mut others = addresses;
                others.swap(0, 31);
                let (one, other) = (
                    sectors(&addresses, u32::MAX, 4),
                    sectors(&others, u32::MAX, 4),
                );
                assert_eq!(one, other, "stride {stride} from {start}");
            }
        }
    }

    #[test]
    fn unordered_addresses_count_each_sector_once() {
        let mut addresses = strided(4);
        addresses.reverse();
        assert_eq!(sectors(&addresses, u32::MAX, 4), 4);
        addresses.swap(0, 31);
        assert_eq!(sectors(&addresses, u32::MAX, 4), 4);
    }
}
