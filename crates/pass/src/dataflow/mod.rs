//! Dataflow analyses: what is known of values, found by following data and control until nothing changes.
//!
//! * [`forward`]: facts about values from what they are computed of, along branches that can be taken, through regions
//!   and calls: sparse and conditional (Wegman and Zadeck: Constant propagation with conditional branches, 1991).
//! * [`constants`]; [`ranges`]: bounds of integers and what they are multiples of.
//! * [`backward`]: facts about values from what becomes of them; [`liveness`]: whether anything observable does.
//! * [`dense`]: facts about places between ops; [`versions`]: what memory looks like there.
//!
//! A fact is an element of a lattice; values no control reaches have none. Deliberately absent: any change of programs.

pub mod backward;
pub mod constants;
pub mod dense;
pub mod forward;
pub mod liveness;
pub mod ranges;
pub mod versions;

pub use backward::{BackwardAnalysis, BackwardFacts, solve_backward};
pub use constants::{ConstantFact, Constants};
pub use dense::{DenseAnalysis, DenseStates, Place, solve_dense};
pub use forward::{Facts, ForwardAnalysis, Lattice, solve};
pub use liveness::{LiveFact, LiveValuesAnalysis};
pub use ranges::{IntRanges, RangeFact};
pub use versions::{MemoryVersions, Version};
