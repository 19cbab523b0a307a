//! A fault that stops a launch, with its location.

use crate::memory::Nearest;
use crate::race::{Race, Within, inside};
use thiserror::Error;

/// Why a kernel was stopped or could not start.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FaultReason {
    /// An access outside every allocation or window.
    #[error(
        "{access} of {bytes} bytes at {space} address {address:#x} is out of bounds{}",
        near(nearest)
    )]
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
    /// A load or atomic of memory that was never written.
    #[error(
        "{access} of {bytes} bytes of uninitialised {space} memory at {address:#x}{}",
        inside(within)
    )]
    Uninitialised {
        /// "load" or "atomic".
        access: &'static str,
        /// State space by its PTX name.
        space: &'static str,
        /// The address.
        address: u64,
        /// Bytes accessed.
        bytes: u32,
        /// Its contents.
        within: Option<Within>,
    },
    /// An instruction uses a register that was not written on the way to it.
    #[error("a register is read that no instruction has written")]
    UninitialisedRegister,
    /// An instruction uses an accumulator of `wgmma` that the product may still be writing.
    #[error(
        "a register is read while `wgmma.mma_async` writes it: no `wgmma.wait_group` has waited for its group"
    )]
    ProductInFlight,
    /// A thread block ends while an asynchronous copy may still read its shared memory.
    #[error(
        "the thread block ends while this copy may still read its shared memory: no `cp.async.bulk.wait_group` has waited for its group"
    )]
    OutlivedByCopy,
    /// Two accesses, at least one of them a write, that nothing orders.
    #[error("{0}")]
    Race(Box<Race>),
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
    /// Some lanes of a warp have exited, and others wait at an aligned barrier, which all must execute.
    #[error(
        "{lanes} threads of the warp exited before the aligned barrier {barrier}, which all of a warp must execute"
    )]
    ExitedBeforeBarrier {
        /// Barrier number.
        barrier: u32,
        /// Threads of the warp that have exited.
        lanes: u32,
    },
    /// A lane executes an operation of several lanes and is not one of them: what happens is undefined.
    #[error(
        "lane {lane} executes `{instruction}` with the member mask {members:#x}, which leaves it out"
    )]
    NotAMember {
        /// The instruction.
        instruction: &'static str,
        /// The lane.
        lane: u32,
        /// Its member mask.
        members: u32,
    },
    /// A lane shuffles from one that does not execute the shuffle: what it gets is undefined.
    #[error(
        "lane {lane} gets its `{instruction}` from lane {source_lane}, which does not take part"
    )]
    InactiveLane {
        /// The instruction.
        instruction: &'static str,
        /// The lane.
        lane: u32,
        /// The lane it reads.
        source_lane: u32,
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
    /// Functions called each other deeper than the simulator has registers and local memory for.
    #[error("recursion deeper than {limit} calls, the most there are here")]
    CallDepth {
        /// The calls that may be open at once.
        limit: u32,
    },
    /// The launch's [`Cancel`](crate::Cancel) was set.
    #[error("the launch was cancelled")]
    Cancelled,
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
    nearest
        .as_ref()
        .map_or_else(String::new, |nearest| format!(" ({nearest})"))
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
    /// The source text there, where the module was told ([`crate::Module::name_sources`]).
    pub what: Option<String>,
}

impl core::fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)?;
        self.what
            .as_ref()
            .map_or(Ok(()), |what| write!(f, " ({what})"))
    }
}

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

impl core::fmt::Display for FaultReport {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let ([x, y, z], [a, b, c]) = (self.block, self.thread);
        if self.line == 0 {
            return write!(f, "kernel `{}`: {}", self.kernel, self.reason);
        }
        write!(
            f,
            "kernel `{}`, block ({x}, {y}, {z}), thread ({a}, {b}, {c}): {}",
            self.kernel, self.reason
        )?;
        write!(f, "\n  PTX line {}: {}", self.line, self.text)?;
        self.source_location
            .as_ref()
            .map_or(Ok(()), |at| write!(f, ", from {at}"))
    }
}

/// Something a checker found without stopping the launch, and how often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The first occurrence, by thread block.
    pub report: FaultReport,
    /// Occurrences of the same kind at the same place, each lane and execution counting.
    pub count: u64,
}

impl core::fmt::Display for Finding {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}", self.report)?;
        if self.count > 1 {
            write!(f, "\n  and {} more times", self.count - 1)
        } else {
            Ok(())
        }
    }
}
