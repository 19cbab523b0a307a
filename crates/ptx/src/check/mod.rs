//! Checkers that watch a kernel run: reads of what was never written, and data races.
//!
//! - Registers: proved initialised where possible, tracked per lane where not (`registers`).
//! - Memory: one bit per byte says whether it was written; global memory keeps the bits from launch to launch.
//! - Races on shared memory, and on global memory within and between thread blocks: shadow memory holds who accessed
//!   a granule last (`shadow`), vector clocks (`clocks`) and the logs of releases (`order`) say what happened before.
//!   Accesses conflict unless both read, both are atomic (strong) to each other, or a write repeats the value that is
//!   there. Between blocks, what ran first does not matter: without synchronisation there is no order.
//!
//! - Asynchronous copies: what one writes (or, on its way to global memory, reads) is in flight from its issue until
//!   its thread waits for it or the phase of its mbarrier ends; who accesses it meanwhile races, whatever barriers
//!   come between (`copies`). From then on it is an access like others, done by whoever waited.
//! - Warps: barriers and `.sync` operations of a part of a warp where PTX wants more (`exec::warp`, `block`).
//!
//! A race is found when the schedule at hand leaves two accesses unordered, in whatever order they happened to run;
//! of a granule of global memory one reader is remembered, of shared memory two. Nothing is reported that is ordered.
//! Deliberately absent: bounds, alignment and barriers, which every launch checks as a GPU would fault.

mod clocks;
mod copies;
mod describe;
mod findings;
mod order;
mod races;
mod registers;
mod shadow;
mod watch;

pub(crate) use copies::{Copying, Side};
pub(crate) use describe::describe;
pub(crate) use findings::{Actor, Findings, Kind, PartOfWarp};
pub(crate) use registers::Tracking;
pub(crate) use watch::{LaunchWatch, Touch, Values, Watch};

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

    /// Whether anything watches single accesses.
    pub(crate) fn watches(self) -> bool {
        self.uninitialised || self.shared_races || self.global_races
    }
}

/// How memory is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Load,
    Store,
    Atomic,
    /// An asynchronous copy, on the side that it writes or, of a bulk store, reads.
    Copy,
}

impl Access {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Access::Load => "load",
            Access::Store => "store",
            Access::Atomic => "atomic",
            Access::Copy => "asynchronous copy",
        }
    }

    pub(crate) fn writes(self) -> bool {
        self != Access::Load
    }

    /// Whether it needs what was there before.
    pub(crate) fn reads(self) -> bool {
        matches!(self, Access::Load | Access::Atomic)
    }
}
