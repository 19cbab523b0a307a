//! PTX reader and SIMT simulator. No IR, no LLVM, no CUDA.
//!
//! [`Module::parse`] reads PTX text, [`Memory`] is the device's global memory, [`launch`] runs a kernel over a grid
//! and counts what it did ([`LaunchStats`]) or says what went wrong and where ([`Fault`]).
//!
//! ```
//! use segra_ptx::{LaunchConfig, Memory, Module, Options, launch};
//!
//! let text = "
//!     .version 7.8 .target sm_80 .address_size 64
//!     .visible .entry square(.param .u64 data) {
//!         .reg .b32 %r<3>; .reg .b64 %rd<4>;
//!         ld.param.u64 %rd1, [data];
//!         mov.u32 %r1, %tid.x;
//!         mul.wide.u32 %rd2, %r1, 4;
//!         add.s64 %rd3, %rd1, %rd2;
//!         mul.lo.u32 %r2, %r1, %r1;
//!         st.global.u32 [%rd3], %r2;
//!         ret;
//!     }";
//! let module = Module::parse(text).map_err(|errors| errors[0].to_string())?;
//! let mut memory = Memory::new(1 << 20);
//! let data = memory.alloc(32 * 4, "data").map_err(|error| error.to_string())?;
//! let config = LaunchConfig { grid: [1, 1, 1], block: [32, 1, 1], dynamic_shared: 0 };
//! let stats = launch(&module, "square", &config, &data.to_le_bytes(), &memory, &Options::default())
//!     .map_err(|fault| fault.to_string())?;
//! let mut seventh = [0; 4];
//! memory.read(data + 7 * 4, &mut seventh).map_err(|error| error.to_string())?;
//! assert_eq!(u32::from_le_bytes(seventh), 49);
//! assert_eq!(stats.global_sectors_written, 4);
//! # Ok::<(), String>(())
//! ```
//!
//! The way of a kernel: text → tokens (`lexer`) → syntax tree (`parse`, `ast`) → register slots and functions to call
//! (`decode`, `isa`) → warps (`warp`, `exec`) in blocks (`block`) in a grid (`launch`). The instructions executed, and how far
//! they agree with hardware, are listed in [`supported`].

mod accesses;
mod arguments;
mod ast;
mod block;
mod calls;
mod cells;
mod check;
mod counters;
mod decode;
mod exec;
mod fault;
mod floats;
mod flow;
mod isa;
mod kinds;
mod launch;
mod lexer;
mod meet;
mod memory;
mod module;
mod notes;
mod options;
mod overlap;
mod parse;
mod place;
mod profile;
mod race;
mod regs;
mod stats;
mod stopped;
pub mod supported;
mod tensor_map;
mod types;
mod warp;

pub use accesses::{BufferUse, buffer_uses};
pub use arguments::{Argument, ArgumentError, ParamKind};
pub use counters::SECTOR_BYTES;
pub use fault::{FaultReason, FaultReport, Finding, SourceLocation};
pub use kinds::FaultKind;
pub use launch::launch;
pub use memory::{Allocation, GUARD_BYTES, Memory, MemoryError, Nearest};
pub use module::{Kernel, Module, Param};
pub use options::{Cancel, Checks, DEFAULT_INSTRUCTION_LIMIT, LaunchConfig, Options};
pub use parse::{ParseError, ParseErrorKind};
pub use profile::{
    CacheShape, Latency, Level, LineProfile, Machine, Profile, ProfileOptions, Replacement, Sample,
    ThreadAccess, Throughput, TimeEstimate, Tlb, Totals, Touched, Trace, TraceOptions,
    TracedThreads,
};
pub use race::{OtherAccess, Race, RaceCause, Within};
pub use stats::{InstructionCounts, LaunchStats, LineCount, OpcodeCount};
pub use stopped::Fault;
pub use tensor_map::{OutOfBoundsFill, Swizzle, TENSOR_MAP_BYTES, TensorMap, TensorMapError};
