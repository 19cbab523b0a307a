//! PTX reader and SIMT simulator. No IR, no LLVM, no CUDA.
//!
//! [`Module::parse`] reads PTX text, [`Memory`] is the device's global memory, [`launch`] runs a kernel over a grid
//! and counts what it did ([`LaunchStats`]) or says what went wrong and where ([`Fault`]).

mod ast;
mod block;
mod cells;
mod decode;
mod exec;
mod fault;
mod isa;
mod launch;
mod lexer;
mod memory;
mod module;
mod parse;
mod soft;
mod stats;
mod types;
mod warp;

pub use fault::{Fault, FaultReason, FaultReport, SourceLocation};
pub use launch::{LaunchConfig, Options, launch};
pub use memory::{Allocation, GUARD_BYTES, Memory, MemoryError, Nearest};
pub use module::{Kernel, Module, Param};
pub use parse::{ParseError, ParseErrorKind};
pub use stats::{InstructionCounts, LaunchStats, LineCount, SECTOR_BYTES};
