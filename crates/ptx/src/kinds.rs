//! Kinds of faults and findings, for tools that sort and filter them.

use crate::fault::{FaultReason, Finding};
use crate::race::RaceCause;

/// The problem, without its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FaultKind {
    /// An access outside of every allocation or window.
    OutOfBounds,
    /// An access at an address that is no multiple of its size.
    Misaligned,
    /// A store to memory that cannot be written.
    ReadOnly,
    /// A read of memory that nothing has written.
    UninitialisedMemory,
    /// A read of a register that nothing has written.
    UninitialisedRegister,
    /// Two accesses that nothing orders.
    Race,
    /// An access to what an asynchronous copy reads or writes, or a product of a warpgroup, before it is waited for; or the
    /// end of the block before its shared memory is surely read.
    CopyInFlight,
    /// Barriers and operations across a warp used as PTX forbids: divergent, by a part of a warp, with bad operands.
    Synchronisation,
    /// Threads wait for what cannot happen.
    Deadlock,
    /// The program stopped itself: `trap`, a failed assertion.
    Stopped,
    /// More instructions or deeper calls than allowed, or cancelled.
    Limit,
    /// An operand no hardware would take: a branch index, an mbarrier, a tensor map.
    Operand,
    /// The launch does not fit the kernel or the machine.
    Launch,
}

impl FaultKind {
    /// Every kind.
    pub const ALL: [FaultKind; 13] = [
        FaultKind::OutOfBounds,
        FaultKind::Misaligned,
        FaultKind::ReadOnly,
        FaultKind::UninitialisedMemory,
        FaultKind::UninitialisedRegister,
        FaultKind::Race,
        FaultKind::CopyInFlight,
        FaultKind::Synchronisation,
        FaultKind::Deadlock,
        FaultKind::Stopped,
        FaultKind::Limit,
        FaultKind::Operand,
        FaultKind::Launch,
    ];

    /// A name in lower case with hyphens, which stays as it is.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::OutOfBounds => "out-of-bounds",
            FaultKind::Misaligned => "misaligned",
            FaultKind::ReadOnly => "read-only",
            FaultKind::UninitialisedMemory => "uninitialised-memory",
            FaultKind::UninitialisedRegister => "uninitialised-register",
            FaultKind::Race => "race",
            FaultKind::CopyInFlight => "copy-in-flight",
            FaultKind::Synchronisation => "synchronisation",
            FaultKind::Deadlock => "deadlock",
            FaultKind::Stopped => "stopped",
            FaultKind::Limit => "limit",
            FaultKind::Operand => "operand",
            FaultKind::Launch => "launch",
        }
    }
}

impl FaultReason {
    /// Its kind.
    pub fn kind(&self) -> FaultKind {
        match self {
            FaultReason::OutOfBounds { .. } => FaultKind::OutOfBounds,
            FaultReason::Misaligned { .. } => FaultKind::Misaligned,
            FaultReason::ReadOnly { .. } => FaultKind::ReadOnly,
            FaultReason::Uninitialised { .. } => FaultKind::UninitialisedMemory,
            FaultReason::UninitialisedRegister => FaultKind::UninitialisedRegister,
            FaultReason::ProductInFlight | FaultReason::OutlivedByCopy => FaultKind::CopyInFlight,
            FaultReason::Race(race) => match race.cause {
                RaceCause::CopyInFlight | RaceCause::ProductInFlight => FaultKind::CopyInFlight,
                _ => FaultKind::Race,
            },
            FaultReason::BarrierDivergence { .. }
            | FaultReason::ExitedBeforeBarrier { .. }
            | FaultReason::NotAMember { .. }
            | FaultReason::InactiveLane { .. }
            | FaultReason::PartialWarp { .. }
            | FaultReason::BarrierOperand(_) => FaultKind::Synchronisation,
            FaultReason::Deadlock(_) => FaultKind::Deadlock,
            FaultReason::Trap | FaultReason::Assertion { .. } => FaultKind::Stopped,
            FaultReason::InstructionLimit { .. }
            | FaultReason::CallDepth { .. }
            | FaultReason::Cancelled => FaultKind::Limit,
            FaultReason::BranchIndex { .. }
            | FaultReason::Mbarrier(_)
            | FaultReason::TensorMap(_) => FaultKind::Operand,
            FaultReason::Launch(_) => FaultKind::Launch,
        }
    }
}

impl Finding {
    /// Its kind.
    pub fn kind(&self) -> FaultKind {
        self.report.reason.kind()
    }
}
