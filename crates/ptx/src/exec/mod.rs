//! Effects of instructions on a warp: one file per family. Each `select` maps an opcode to the function that runs it.

pub(crate) mod approx;
pub(crate) mod atomics;
pub(crate) mod builtin;
pub(crate) mod bulk;
pub(crate) mod convert;
pub(crate) mod float;
pub(crate) mod half;
pub(crate) mod int;
pub(crate) mod lanes;
pub(crate) mod logic;
pub(crate) mod matrix;
pub(crate) mod mbarrier;
pub(crate) mod memory;
pub(crate) mod mma;
pub(crate) mod observe;
pub(crate) mod pipeline;
pub(crate) mod predicate;
pub(crate) mod vector;
pub(crate) mod video;
pub(crate) mod view;
pub(crate) mod warp;
pub(crate) mod wgmma;
pub(crate) mod wide_atomics;
mod wmma;
