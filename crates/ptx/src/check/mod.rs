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
//! - Products of warpgroups: what one reads is in flight until a warp of its warpgroup waits for its group; who writes there
//!   meanwhile races (`tiles`), as does who reads the accumulators before its own wait (`products`).
//! - Warps: barriers and `.sync` operations of a part of a warp where PTX wants more (`exec::warp`, `block`).
//!
//! A race is found when the schedule at hand leaves two accesses unordered, in whatever order they happened to run;
//! of a granule two readers are remembered, and the last plain write behind which atomics came. Nothing is reported that is
//! ordered.
//! Deliberately absent: bounds, alignment and barriers, which every launch checks as a GPU would fault.

mod clocks;
mod copies;
mod describe;
mod findings;
mod order;
mod products;
mod proxies;
mod races;
mod registers;
mod shadow;
mod stores;
mod tiles;
mod watch;

pub(crate) use describe::describe;
pub(crate) use findings::Findings;
pub(crate) use registers::Tracking;
pub(crate) use watch::{LaunchWatch, Watch};
