//! Profiles: what a GPU's profiler would count of a launch, on a machine of one's choice.
//!
//! A launch with [`ProfileOptions`] runs its blocks as the machine would share them out (`grid`), counts requests,
//! sectors and bank wavefronts per instruction (`multiprocessor`, `banks`), passes them through a model of the L1 and
//! L2 caches (`segra_locality`), keeps a clock for each warp
//! (`clocks`), and ends with a [`Profile`]: totals, counts by PTX line, and an estimate of time (`estimate`).
//! The same launch gives the same profile on every machine and with any number of host threads. Caches start empty
//! and are written back at the end, so launches do not influence one another.
//!
//! Deliberately absent: instruction caches, TLBs, prefetching, the order of events in time. Clocks decide nothing but the estimate.

mod banks;
mod clocks;
mod counted;
mod estimate;
mod grid;
mod machine;
mod multiprocessor;
mod options;
mod report;
mod trace;

pub use estimate::TimeEstimate;
pub(crate) use grid::run;
pub use machine::{Latency, Machine, Throughput, Tlb};
pub use options::{ProfileOptions, Sample};
pub(crate) use report::assemble;
pub use report::{LineProfile, Profile, Totals};
pub use segra_locality::{CacheShape, Replacement};
pub use trace::{Level, ThreadAccess, Touched, Trace, TraceOptions, TracedThreads};
