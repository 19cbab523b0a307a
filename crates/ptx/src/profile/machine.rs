//! The machines a profile can be made for.
//!
//! Sizes, counts and bandwidths are those of the vendors' data sheets and programming guides; latencies of Turing are
//! Jia et al., "Dissecting the NVidia Turing T4 GPU via Microbenchmarking" (2019), those of later chips are of the
//! same order. The cost of a launch, alone and as part of a graph, is assumed: a few microseconds and a third of that.
//! Associativity and replacement are not published: the L1 is modelled with 4 ways, the L2 with 16, both LRU; every field
//! can be changed.

use segra_locality::{CacheShape, Replacement};
use serde::Serialize;

/// Lanes per clock and multiprocessor, by kind of instruction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Throughput {
    /// Warp instructions issued.
    pub issue: f64,
    /// Single precision.
    pub float32: f64,
    /// Double precision.
    pub float64: f64,
    /// Half precision (instructions on pairs count once).
    pub half: f64,
    /// 32-bit integers, comparisons, moves.
    pub integer: f64,
    /// Approximate functions and conversions.
    pub special: f64,
}

/// Cycles until a result is there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Latency {
    /// Of arithmetic.
    pub arithmetic: f64,
    /// Of shared memory.
    pub shared: f64,
    /// Of a load that hits the L1 cache.
    pub l1: f64,
    /// Of one that hits the L2 cache.
    pub l2: f64,
    /// Of one that goes to memory.
    pub memory: f64,
}

/// A GPU as the profile sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Machine {
    /// Name.
    pub name: &'static str,
    /// Streaming multiprocessors (SMs).
    pub multiprocessors: u32,
    /// Clock in MHz.
    pub clock_mhz: f64,
    /// Most warps on an SM.
    pub warps: u32,
    /// Most thread blocks on an SM.
    pub blocks: u32,
    /// Registers of an SM.
    pub registers: u32,
    /// KiB that the L1 cache and shared memory of an SM divide.
    pub unified_kib: u32,
    /// KiB of shared memory an SM can be configured for, ascending.
    pub shared_kib: &'static [u32],
    /// Bytes of shared memory the system takes of each block.
    pub shared_reserved: u32,
    /// The L1 cache; its size is what shared memory leaves of the unified memory.
    pub l1: CacheShape,
    /// The L2 cache.
    pub l2: CacheShape,
    /// Bytes per clock between the L2 cache and all SMs.
    pub l2_bytes_per_clock: f64,
    /// GB/s of device memory.
    pub memory_gb_per_s: f64,
    /// Lanes per clock and SM.
    pub throughput: Throughput,
    /// Latencies in cycles.
    pub latency: Latency,
    /// Microseconds a launch takes at least.
    pub launch_us: f64,
    /// The same of a launch that is part of a graph, which the host hands over as a whole.
    pub graph_launch_us: f64,
}

const fn cache(bytes: u64, ways: u32) -> CacheShape {
    CacheShape {
        bytes,
        line_bytes: 128,
        sector_bytes: 32,
        ways,
        replacement: Replacement::Lru,
    }
}

const TURING: Throughput = Throughput {
    issue: 4.0,
    float32: 64.0,
    float64: 2.0,
    half: 64.0,
    integer: 64.0,
    special: 16.0,
};
const AMPERE: Throughput = Throughput {
    issue: 4.0,
    float32: 64.0,
    float64: 32.0,
    half: 128.0,
    integer: 64.0,
    special: 16.0,
};
const HOPPER: Throughput = Throughput {
    issue: 4.0,
    float32: 128.0,
    float64: 64.0,
    half: 128.0,
    integer: 64.0,
    special: 16.0,
};

impl Machine {
    /// T4 (Turing, sm_75).
    pub const T4: Machine = Machine {
        name: "T4",
        multiprocessors: 40,
        clock_mhz: 1590.0,
        warps: 32,
        blocks: 16,
        registers: 65_536,
        unified_kib: 96,
        shared_kib: &[32, 64],
        shared_reserved: 0,
        l1: cache(64 << 10, 4),
        l2: cache(4 << 20, 16),
        l2_bytes_per_clock: 800.0,
        memory_gb_per_s: 320.0,
        throughput: TURING,
        latency: Latency {
            arithmetic: 4.0,
            shared: 19.0,
            l1: 32.0,
            l2: 188.0,
            memory: 296.0,
        },
        launch_us: 3.0,
        graph_launch_us: 1.0,
    };
    /// RTX 2080 Super (Turing, sm_75).
    pub const RTX_2080_SUPER: Machine = Machine {
        name: "RTX 2080 Super",
        multiprocessors: 48,
        clock_mhz: 1815.0,
        l2_bytes_per_clock: 1024.0,
        memory_gb_per_s: 496.0,
        ..Machine::T4
    };
    /// A100 with 40 GB (Ampere, sm_80).
    pub const A100: Machine = Machine {
        name: "A100",
        multiprocessors: 108,
        clock_mhz: 1410.0,
        warps: 64,
        blocks: 32,
        unified_kib: 192,
        shared_kib: &[0, 8, 16, 32, 64, 100, 132, 164],
        shared_reserved: 1024,
        l1: cache(192 << 10, 4),
        l2: cache(40 << 20, 16),
        l2_bytes_per_clock: 5120.0,
        memory_gb_per_s: 1555.0,
        throughput: AMPERE,
        latency: Latency {
            arithmetic: 4.0,
            shared: 23.0,
            l1: 33.0,
            l2: 200.0,
            memory: 470.0,
        },
        ..Machine::T4
    };
    /// H100 SXM (Hopper, sm_90).
    pub const H100: Machine = Machine {
        name: "H100",
        multiprocessors: 132,
        clock_mhz: 1830.0,
        unified_kib: 256,
        shared_kib: &[0, 8, 16, 32, 64, 100, 132, 164, 196, 228],
        l1: cache(256 << 10, 4),
        l2: cache(50 << 20, 16),
        memory_gb_per_s: 3350.0,
        throughput: HOPPER,
        latency: Latency {
            arithmetic: 4.0,
            shared: 23.0,
            l1: 33.0,
            l2: 260.0,
            memory: 560.0,
        },
        ..Machine::A100
    };
    /// H200 SXM (Hopper, sm_90).
    pub const H200: Machine = Machine {
        name: "H200",
        memory_gb_per_s: 4800.0,
        ..Machine::H100
    };

    /// All presets.
    pub const PRESETS: [Machine; 5] = [
        Machine::T4,
        Machine::RTX_2080_SUPER,
        Machine::A100,
        Machine::H100,
        Machine::H200,
    ];

    /// The preset of a name, however it is capitalised or spaced.
    pub fn named(name: &str) -> Option<Machine> {
        let plain = |text: &str| -> String {
            text.chars()
                .filter(|c| c.is_ascii_alphanumeric())
                .map(|c| c.to_ascii_lowercase())
                .collect()
        };
        Machine::PRESETS
            .into_iter()
            .find(|machine| plain(machine.name) == plain(name))
    }

    /// Blocks of a kernel that fit on an SM at once, and the bytes of L1 cache they leave.
    pub(crate) fn resident(
        &self,
        threads: u32,
        shared_bytes: u32,
        registers: Option<u32>,
    ) -> (u32, u64) {
        let warps = threads.div_ceil(32).max(1);
        let mut blocks = self.blocks.min(self.warps / warps);
        if let Some(registers) = registers.filter(|&registers| registers > 0) {
            // Registers are given to warps in units of 256.
            let per_warp = (registers * 32).next_multiple_of(256);
            blocks = blocks.min(self.registers / (per_warp * warps));
        }
        let shared = if shared_bytes == 0 {
            0
        } else {
            shared_bytes + self.shared_reserved
        };
        let most = self.shared_kib.last().copied().unwrap_or(0) * 1024;
        if let Some(fit) = most.checked_div(shared) {
            blocks = blocks.min(fit);
        }
        let blocks = blocks.max(1);
        let needed = u64::from(blocks) * u64::from(shared);
        let carved = self
            .shared_kib
            .iter()
            .map(|&kib| u64::from(kib) << 10)
            .find(|&bytes| bytes >= needed);
        let unified = u64::from(self.unified_kib) << 10;
        (
            blocks,
            unified - carved.unwrap_or(u64::from(most)).min(unified),
        )
    }
}
