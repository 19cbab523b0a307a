//! What stops a launch, with the place it happened.

use crate::memory::Nearest;
use thiserror::Error;

/// Why a kernel was stopped or could not start.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FaultReason {
    /// An access outside every allocation or window.
    #[error("{access} of {bytes} bytes at {space} address {address:#x} is out of bounds{}", near(nearest))]
    OutOfBounds {
        /// "load", "store" or "atomic".
        access: &'static str,
        /// State space by its PTX name.
        space: &'static str,
        /// The address.
        address: u64,
        /// Bytes accessed.
        bytes: u32,
        /// The allocation nearest to the address, for global memory.
        nearest: Option<Nearest>,
    },
    /// The address is not a multiple of the access size.
    #[error("{access} of {bytes} bytes at {space} address {address:#x} is misaligned")]
    Misaligned {
        /// "load", "store" or "atomic".
        access: &'static str,
        /// State space by its PTX name.
        space: &'static str,
        /// The address.
        address: u64,
        /// Bytes accessed.
        bytes: u32,
    },
    /// A store or atomic to memory that cannot be written.
    #[error("store to read-only {space} memory at {address:#x}")]
    ReadOnly {
        /// State space by its PTX name.
        space: &'static str,
        /// The address.
        address: u64,
    },
    /// The `trap` instruction was executed.
    #[error("the program executed `trap`")]
    Trap,
    /// Threads of one warp wait at different aligned barrier instructions.
    #[error(
        "barrier {barrier} is divergent: threads of one warp wait at lines {first_line} and {second_line}"
    )]
    BarrierDivergence {
        /// Barrier number.
        barrier: u32,
        /// One of the places.
        first_line: u32,
        /// Another.
        second_line: u32,
    },
    /// A barrier number above 15, or a thread count that is no multiple of 32 or larger than the block.
    #[error("{0}")]
    BarrierOperand(String),
    /// Every live thread of the block waits for something that cannot happen.
    #[error("deadlock: {0}")]
    Deadlock(String),
    /// An index of `brx.idx` beyond its table.
    #[error("branch index {index} is beyond a table of {targets} targets")]
    BranchIndex {
        /// The index.
        index: u32,
        /// Length of the table.
        targets: u32,
    },
    /// A thread block executed more warp instructions than the options allow.
    #[error("the thread block executed more than {limit} warp instructions")]
    InstructionLimit {
        /// The limit.
        limit: u64,
    },
    /// An instruction that all lanes of a warp must execute together was executed by some.
    #[error("`{instruction}` needs all 32 threads of the warp, but {lanes} execute it")]
    PartialWarp {
        /// The instruction.
        instruction: &'static str,
        /// Lanes that execute it.
        lanes: u32,
    },
    /// A barrier object in shared memory is used in a way it does not allow.
    #[error("{0}")]
    Mbarrier(String),
    /// A bulk tensor copy whose tensor map does not fit.
    #[error("{0}")]
    TensorMap(String),
    /// The program's `assert` failed (`__assertfail`).
    #[error("assertion failed: {message} ({file}:{line}, in `{function}`)")]
    Assertion {
        /// The asserted expression.
        message: String,
        /// Source file.
        file: String,
        /// Line in it.
        line: u32,
        /// Function that asserts.
        function: String,
    },
    /// The launch configuration does not fit the kernel or the machine.
    #[error("{0}")]
    Launch(String),
}

fn near(nearest: &Option<Nearest>) -> String {
    nearest.as_ref().map_or_else(String::new, |nearest| format!(" ({nearest})"))
}

/// The source position a `.loc` directive gives an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLocation {
    /// File name of the `.file` directive, or its number where there is none.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 is unknown.
    pub column: u32,
}

/// A stopped launch; reads like the [`FaultReport`] it holds. It is one pointer, so results stay small.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", describe(self))]
pub struct Fault(Box<FaultReport>);

/// Where, who, why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultReport {
    /// Kernel name.
    pub kernel: String,
    /// PTX line, from 1; 0 when the launch did not start.
    pub line: u32,
    /// That line, trimmed.
    pub text: String,
    /// Source position of the instruction, where the PTX has one.
    pub source_location: Option<SourceLocation>,
    /// Thread block.
    pub block: [u32; 3],
    /// Thread in the block: the first of those at fault.
    pub thread: [u32; 3],
    /// Why.
    pub reason: FaultReason,
}

impl From<FaultReport> for Fault {
    fn from(report: FaultReport) -> Fault {
        Fault(Box::new(report))
    }
}

impl core::ops::Deref for Fault {
    type Target = FaultReport;

    fn deref(&self) -> &FaultReport {
        &self.0
    }
}

fn describe(fault: &FaultReport) -> String {
    let [x, y, z] = fault.block;
    let [a, b, c] = fault.thread;
    if fault.line == 0 {
        return format!("kernel `{}`: {}", fault.kernel, fault.reason);
    }
    let source = fault
        .source_location
        .as_ref()
        .map_or_else(String::new, |at| format!(", from {}:{}:{}", at.file, at.line, at.column));
    format!(
        "kernel `{}`, block ({x}, {y}, {z}), thread ({a}, {b}, {c}): {}\n  PTX line {}: {}{source}",
        fault.kernel, fault.reason, fault.line, fault.text
    )
}
