//! How to run a launch: its shape, its limits, its checkers.

use crate::profile::ProfileOptions;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// Grid and block extents, x first, and the dynamic shared memory of each block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchConfig {
    /// Thread blocks along x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y, z.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
}

/// How to run a launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Host threads; `None` takes one per core. One makes even racing programs repeatable.
    pub threads: Option<usize>,
    /// Stops a thread block that executes more warp instructions than this: an endless loop becomes a fault.
    pub instruction_limit: Option<u64>,
    /// Largest sum of static and dynamic shared memory of a block.
    pub shared_limit: u32,
    /// Which checkers watch.
    pub checks: Checks,
    /// Makes a profile. Blocks then run in the order of the machine it is for, and slower.
    pub profile: Option<ProfileOptions>,
    /// Stops the launch from another thread.
    pub cancel: Option<Cancel>,
}

/// A switch that stops the launches whose options hold it; clones are the same switch.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Stops the launches: each fails with [`FaultReason::Cancelled`](crate::FaultReason::Cancelled) within some thousand instructions.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was set.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl PartialEq for Cancel {
    fn eq(&self, other: &Cancel) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Warp instructions a thread block may execute unless the options say otherwise: minutes of simulation, far beyond
/// any kernel that ends.
pub const DEFAULT_INSTRUCTION_LIMIT: u64 = 1 << 33;

impl Default for Options {
    /// All cores, [`DEFAULT_INSTRUCTION_LIMIT`], the 227 KiB of shared memory of an H100, all checkers.
    fn default() -> Options {
        Options {
            threads: None,
            instruction_limit: Some(DEFAULT_INSTRUCTION_LIMIT),
            shared_limit: 227 * 1024,
            checks: Checks::ALL,
            profile: None,
            cancel: None,
        }
    }
}

/// Which checkers watch a launch. Alignment of accesses is always checked, as hardware does, and that they are to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    /// Accesses to global memory outside of every live allocation. Without it, any address in device memory will do.
    pub bounds: bool,
    /// Reads of registers and of global, shared and local memory that nothing has written.
    pub uninitialised: bool,
    /// Races between the threads of a block on shared memory.
    pub shared_races: bool,
    /// Races on global memory, between thread blocks and inside them.
    pub global_races: bool,
    /// Aligned barriers that the threads of a warp meet at different places.
    pub barrier_divergence: bool,
    /// Parts of a warp where PTX wants more: aligned barriers after some of its lanes have exited, `.sync` operations
    /// of a lane that its member mask leaves out, shuffles from lanes that do not take part.
    pub warp_sync: bool,
    /// Most findings a launch reports; each place in the code counts once.
    pub max_findings: usize,
}

impl Checks {
    /// Everything.
    pub const ALL: Checks = Checks {
        bounds: true,
        uninitialised: true,
        shared_races: true,
        global_races: true,
        barrier_divergence: true,
        warp_sync: true,
        max_findings: 32,
    };

    /// Only what hardware would stop at: bounds, alignment, divergent barriers.
    pub const FAULTS: Checks = Checks {
        bounds: true,
        uninitialised: false,
        shared_races: false,
        global_races: false,
        barrier_divergence: true,
        warp_sync: false,
        max_findings: 32,
    };

    /// Whether anything watches what threads do, beyond faults.
    pub(crate) fn watches(self) -> bool {
        self.uninitialised || self.shared_races || self.global_races || self.warp_sync
    }
}

/// Shape of a launch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) dynamic_shared: u32,
    /// Static and dynamic shared memory.
    pub(crate) shared_bytes: u32,
}

impl Shape {
    pub(crate) fn threads(&self) -> u32 {
        self.block.iter().product()
    }

    /// Bytes of local memory of all threads, whole warps, with so many each.
    pub(crate) fn local_bytes(&self, each: u32) -> usize {
        each as usize * self.threads().next_multiple_of(32) as usize
    }

    /// Coordinates of a linear index, x first.
    pub(crate) fn coordinates(extent: [u32; 3], linear: u64) -> [u32; 3] {
        let (x, y) = (u64::from(extent[0].max(1)), u64::from(extent[1].max(1)));
        [
            (linear % x) as u32,
            (linear / x % y) as u32,
            (linear / x / y) as u32,
        ]
    }
}
