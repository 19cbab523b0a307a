//! The machine that programs are mapped to: the figures that legality, resources and profit are computed from.
//!
//! One description for every pass. Figures are those of the programming guide for compute capability 7.5 and later;
//! rates are ratios, chosen so that estimates hold on the slowest and the fastest device named beside them.
//! Deliberately absent: what a kernel costs (passes know ops, this crate does not).

use crate::limits::HardwareLimits;

/// A device, as far as schedules depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Largest extents of a launch.
    pub launch: HardwareLimits,
    /// Threads of a warp: those a shuffle reaches.
    pub warp: i64,
    /// Threads of a block where nothing speaks for another number.
    pub block_threads: i64,
    /// Thread blocks that keep a large device busy.
    pub busy_blocks: i64,
    /// Thread blocks that a multiprocessor holds.
    pub resident_blocks: i64,
    /// Threads that a multiprocessor holds.
    pub resident_threads: i64,
    /// Bytes of shared memory that a thread block gets without asking.
    pub shared_bytes: i64,
    /// Bytes that one gets anywhere that asks for them.
    pub portable_shared_bytes: i64,
    /// Bytes that one gets that asks for them, where there is the most.
    pub most_shared_bytes: i64,
    /// Bytes that arrays in shared memory start at a multiple of.
    pub shared_alignment: i64,
    /// Banks of shared memory.
    pub banks: i64,
    /// Bytes of a word of a bank.
    pub bank_bytes: i64,
    /// Bytes of the widest access of a thread.
    pub vector_bytes: i64,
    /// Bytes of a sector: the unit in which device memory is moved.
    pub sector_bytes: i64,
    /// Bytes of a line of the L1 cache, which looks up one line a cycle.
    pub line_bytes: i64,
    /// Bytes that device memory moves while one multiprocessor's share of the L1 caches looks up one line.
    pub bytes_per_line_lookup: i64,
    /// Bytes that device memory moves while a kernel is launched and has not filled the machine yet.
    pub bytes_per_launch: i64,
    /// Arrays that one kernel reads and writes, each of which is a parameter of it.
    pub most_arrays: usize,
    /// Bytes of what a thread combines in a reduction, which are registers of it.
    pub most_reduced_bytes: i64,
    /// Bytes of what it combines in a scan, of several elements at once.
    pub most_scanned_bytes: i64,
}

impl Target {
    /// Every CUDA device of compute capability 7.5 and later.
    pub const CUDA: Self = Self {
        launch: HardwareLimits::CUDA,
        warp: 32,
        block_threads: 256,
        // Two for each of about 128 multiprocessors.
        busy_blocks: 256,
        // Of 7.5; later ones have twice as many of both, or 1536 threads.
        resident_blocks: 16,
        resident_threads: 1024,
        shared_bytes: 48 << 10,
        // Of 7.5.
        portable_shared_bytes: 64 << 10,
        // Of 9.0.
        most_shared_bytes: 227 << 10,
        shared_alignment: 16,
        banks: 32,
        bank_bytes: 4,
        vector_bytes: 16,
        sector_bytes: 32,
        line_bytes: 128,
        // 5 on a T4, 10 on an A100, 14 on an H100.
        bytes_per_line_lookup: 8,
        // 10 µs of an H100, whose memory is the fastest; on a T4 it is 8 MiB.
        bytes_per_launch: 32 << 20,
        most_arrays: 40,
        most_reduced_bytes: 64,
        most_scanned_bytes: 16,
    };

    /// Warps of the largest thread block.
    pub const fn most_warps(&self) -> i64 {
        self.launch.block_threads / self.warp
    }

    /// Whether a thread block can have so many threads, all in whole warps.
    pub fn has_block_of(&self, threads: i64) -> bool {
        (1..=self.launch.block_threads).contains(&threads) && threads % self.warp == 0
    }

    /// Elements of a thread's widest access where the widest of them has `bytes` bytes; 1 where there is none wider.
    pub fn vector_elements(&self, bytes: i64) -> i64 {
        (self.vector_bytes / bytes.max(1)).clamp(1, Self::MOST_VECTOR_ELEMENTS)
    }

    /// Most elements of an access: more of one byte would copy a thread's code too often.
    const MOST_VECTOR_ELEMENTS: i64 = 8;
}
