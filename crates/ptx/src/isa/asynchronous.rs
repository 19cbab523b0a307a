//! Asynchronous copies and the barriers that count them.

use super::Address;
use crate::regs::Slot;
use crate::types::Space;
use smallvec::SmallVec;

/// `cp.async`: global to shared; the bytes arrive when the copy is waited for.
#[derive(Clone, Debug)]
pub(crate) struct CopyAsync {
    pub(crate) to: Address,
    pub(crate) from: Address,
    pub(crate) bytes: u32,
    /// Bytes really read; the rest is filled with zeros.
    pub(crate) source_bytes: Option<u32>,
    /// Predicate (negated where the flag says) that makes the copy write zeros only.
    pub(crate) ignore: Option<(u32, bool)>,
}

/// Bookkeeping of asynchronous copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AsyncGroup {
    /// `cp.async.commit_group`.
    Commit,
    /// `cp.async.wait_group N`, or `wait_all`.
    Wait { most: Option<u32> },
    /// `cp.async.bulk.commit_group`.
    CommitBulk,
    /// `cp.async.bulk.wait_group N`; with `.read`, only for the sources to be read.
    WaitBulk { most: u32, read: bool },
}

/// Where the data of a bulk copy lies in global memory.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// Bytes from an address on; the slot of their number.
    Bytes { address: Address, bytes: u32 },
    /// A box of a tensor: generic address of the map, and slots of the coordinates, innermost first.
    Tensor {
        map: Address,
        map_space: Space,
        coordinates: SmallVec<[u32; 5]>,
    },
}

/// Direction of a copy.
#[derive(Clone, Debug)]
pub(crate) enum Direction {
    /// To shared memory, signalling the barrier.
    ToShared {
        barrier: Address,
        barrier_space: Space,
    },
    /// To global memory.
    ToGlobal,
    /// From shared memory (the source's address) to shared memory, signalling the barrier.
    Within { barrier: Address },
}

/// A bulk copy.
#[derive(Clone, Debug)]
pub(crate) struct Bulk {
    pub(crate) source: Source,
    pub(crate) shared: Address,
    pub(crate) direction: Direction,
}

/// The effect of an instruction on a barrier object.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MbarrierOp {
    /// Word slot of the number of arrivals.
    Init {
        count: u32,
    },
    Invalidate,
    /// Word slot of the bytes.
    Expect {
        bytes: u32,
    },
    Complete {
        bytes: u32,
    },
    /// Arrival, with transaction bytes announced before it where given.
    Arrive {
        count: u32,
        bytes: Option<u32>,
        state: Option<Slot>,
        drop: bool,
    },
    /// Has the phase of a state token ended?
    TestState {
        dest: u32,
        state: Slot,
    },
    /// Has the phase of a parity ended?
    TestParity {
        dest: u32,
        parity: u32,
    },
    /// Arrives once the `cp.async` copies of the thread so far are there. `.noinc` leaves the pending count as it is.
    CopyArrive {
        increment: bool,
    },
}

/// One `mbarrier` instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mbarrier {
    pub(crate) op: MbarrierOp,
    pub(crate) space: Space,
    pub(crate) address: Address,
}
