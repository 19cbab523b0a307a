//! Dataflow analyses: what is known of values, found by following data and control until nothing changes.
//!
//! * [`forward`]: facts about values from what they are computed of, along branches that can be taken, through regions
//!   and calls: sparse and conditional (Wegman and Zadeck: Constant propagation with conditional branches, 1991).
//! * [`constants`]; [`ranges`]: bounds of integers and what they are multiples of.
//!
//! A fact is an element of a lattice; values no control reaches have none. Deliberately absent: any change of programs.

pub mod constants;
pub mod forward;
pub mod ranges;

pub use constants::{ConstantFact, Constants};
pub use forward::{Facts, ForwardAnalysis, Lattice, solve};
pub use ranges::{IntRanges, RangeFact};
