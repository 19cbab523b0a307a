//! What instructions do to a warp: one file per family. Each `select` maps an opcode to the function that runs it.

pub(crate) mod approx;
pub(crate) mod atomics;
pub(crate) mod convert;
pub(crate) mod float;
pub(crate) mod half;
pub(crate) mod int;
pub(crate) mod lanes;
pub(crate) mod logic;
pub(crate) mod memory;
pub(crate) mod predicate;
pub(crate) mod vector;
pub(crate) mod warp;
