//! The observers of an execution: who is told of accesses, copies, barriers and fences, and how instructions tell them.
//!
//! An instruction family that accesses memory calls [`View::touch`] once per space, for lanes whose addresses are
//! already checked, and [`View::observed`] after it has read. Without observers each event costs one or two tests of
//! a pointer; with them it is a call through a table, so that instructions are compiled once.

use super::view::{Shared, View};
use crate::notes::Order;
use crate::regs::{LANES, Regs, Slot, read_slot};
use crate::types::Space;

/// Somebody who is told what the threads of a block do, in the order in which they do it. All events of a block come
/// from one host thread. The bodies given here ignore their event.
pub(crate) trait Observer {
    /// Whether the observer is told when the instruction at `pc` runs ([`Observer::instruction`]).
    fn follows(&self, _pc: u32) -> bool {
        false
    }

    /// A block starts.
    fn block_starts(&mut self, _block: u64) {}

    /// An instruction is about to run on `active` of the lanes in `mask`.
    fn instruction(&mut self, _pc: u32, _first_thread: u64, _mask: u32, _active: u32) {}

    /// A warp's turn is over, in which its instructions were issued in so many cycles.
    fn turn_ended(&mut self, _first_thread: u64, _cycles: u64) {}

    /// An access is about to be done. All its lanes are in bounds.
    fn access(&mut self, _scene: &Scene<'_>, _touch: &Touch<'_>) -> Turn {
        Turn::Goes
    }

    /// A load or atomic was done.
    fn accessed(&mut self, _scene: &Scene<'_>, _touch: &Touch<'_>) {}

    /// An asynchronous bulk copy that reads or writes a range of global memory is issued.
    fn bulk_issued(&mut self, _scene: &Scene<'_>, _range: &BulkRange) -> Turn {
        Turn::Goes
    }

    /// The thread that issued a bulk copy to global memory has waited until it is written.
    fn bulk_written(&mut self, _scene: &Scene<'_>, _range: &BulkRange) {}

    /// A copy is issued that writes or reads shared memory: from now on it is in flight.
    fn copy_issued(&mut self, _scene: &Scene<'_>, _copy: Copying, _side: Side) {}

    /// The thread that issued a copy has waited for it.
    fn copy_waited(&mut self, _copy: Copying, _side: Side) {}

    /// The block ends, and a copy to global memory may still read its shared memory: its thread has not waited for that.
    fn copy_outlives(&mut self, _copy: Copying) {}

    /// Lanes of a warp made the copies that they issued by `cp.async` a group.
    fn group_committed(&mut self, _first_thread: u64) {}

    /// Lanes of a warp waited until so many groups are on their way at most; none: for all that they issued.
    fn groups_awaited(&mut self, _first_thread: u64, _most: Option<u32>) {}

    /// Lanes of a warp waited until so many groups of products of their warpgroup are on their way at most; its warps have
    /// come to all others.
    fn products_awaited(&mut self, _first_thread: u64, _mask: u32, _most: u32) {}

    /// Copies that signal the mbarrier at an offset have arrived.
    fn copies_delivered(&mut self, _mbarrier: u64, _copies: &[Copying]) {}

    /// Lanes operate on mbarriers, each on the one at its address in shared memory.
    fn mbarrier(&mut self, _scene: &Scene<'_>, _touch: &Touch<'_>) {}

    /// A thread sets up the mbarrier at an offset or arrives there in its current phase, which releases what the thread
    /// did before.
    fn mbarrier_arrived(&mut self, _thread: u32, _at: u64, _operation: BarrierUse) {}

    /// A phase of the mbarrier at an offset ends, with those that arrived by now.
    fn mbarrier_ended(&mut self, _at: u64) {}

    /// A thread saw that a phase of the mbarrier at an offset has ended: it knows what was released there until then.
    fn mbarrier_passed(&mut self, _thread: u32, _at: u64) {}

    /// Lanes execute a fence.
    fn fence(&mut self, _first_thread: u64, _mask: u32, _order: Order) {}

    /// Lanes order what they know of shared memory before what the asynchronous proxy does.
    fn proxy_fence(&mut self, _first_thread: u64, _mask: u32) {}

    /// Lanes of a warp met at `bar.warp.sync`.
    fn warp_met(&mut self, _first_thread: u64, _mask: u32) {}

    /// An instruction wants more of its warp than executes it; a thread that does.
    fn part_of_warp(&mut self, _pc: u32, _thread: u64, _part: PartOfWarp) {}

    /// Lanes arrived at a barrier and go on.
    fn barrier_arrived(&mut self, _id: u8, _first_thread: u64, _mask: u32) {}

    /// A barrier is complete: all threads of the block waited, or the given ones (first thread and lanes).
    fn barrier_completed(&mut self, _id: u8, _everyone: bool, _waiting: &[(u64, u32)]) {}

    /// A parameter variable of a call was copied from one offset in local memory to another.
    fn local_copied(&mut self, _from: u64, _to: u64, _bytes: u32) {}
}

/// The observers of a block: as many as a launch may have.
pub(crate) type Observers<'a> = [Option<&'a mut (dyn Observer + 'a)>; 2];

/// Where an event happens.
pub(crate) struct Scene<'t> {
    pub(crate) launch: &'t Shared<'t>,
    /// The block's shared memory.
    pub(crate) shared: &'t [u8],
    /// Bytes of local memory of a thread.
    pub(crate) local_bytes: u64,
    /// Linear index of the block.
    pub(crate) block: u64,
}

/// Whether the warp goes on behind a request, or the other warps get their turn first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    Goes,
    Yields,
}

/// How an instruction uses an mbarrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BarrierUse {
    /// Writes the object: `mbarrier.init` and `mbarrier.inval`.
    Initialises,
    /// Counts arrivals or bytes.
    Counts,
    /// Asks for the end of a phase.
    Asks,
}

/// A range of global memory that a bulk copy reads or writes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BulkRange {
    pub(crate) pc: u32,
    pub(crate) thread: u32,
    pub(crate) access: AccessKind,
    pub(crate) at: u64,
    pub(crate) bytes: u64,
    /// The mbarrier, an offset in shared memory, at which the bytes arrive that are read.
    pub(crate) mbarrier: Option<u64>,
}

/// How memory is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessKind {
    Load,
    Store,
    Atomic,
    /// An asynchronous copy, on the side that it writes or, of a bulk store, reads.
    Copy,
}

impl AccessKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            AccessKind::Load => "load",
            AccessKind::Store => "store",
            AccessKind::Atomic => "atomic",
            AccessKind::Copy => "asynchronous copy",
        }
    }

    pub(crate) fn writes(self) -> bool {
        self != AccessKind::Load
    }

    /// Whether it needs what was there before.
    pub(crate) fn reads(self) -> bool {
        matches!(self, AccessKind::Load | AccessKind::Atomic)
    }
}

/// The registers a store takes its values from.
#[derive(Clone, Copy)]
pub(crate) struct Values<'t> {
    pub(crate) regs: &'t Regs,
    pub(crate) slots: &'t [Slot],
    /// Bytes of one element.
    pub(crate) size: u32,
}

impl Values<'_> {
    /// The bytes `lane` stores from an offset on.
    pub(crate) fn bytes(&self, lane: usize, offset: u64, out: &mut [u8]) {
        for (at, byte) in out.iter_mut().enumerate() {
            let at = offset as usize + at;
            let element = at / self.size as usize;
            let value = self
                .slots
                .get(element)
                .map_or(0, |&slot| read_slot(self.regs, slot, lane));
            *byte = value.to_le_bytes()[at % self.size as usize % 8];
        }
    }
}

/// An access of a warp, about to be done. All its lanes are in bounds.
#[derive(Clone, Copy)]
pub(crate) struct Touch<'t> {
    pub(crate) pc: u32,
    pub(crate) first_thread: u64,
    pub(crate) access: AccessKind,
    pub(crate) space: Space,
    pub(crate) addresses: &'t [u64; LANES],
    pub(crate) mask: u32,
    pub(crate) bytes: u32,
    pub(crate) values: Option<Values<'t>>,
}

/// An asynchronous copy of one thread: the part of shared memory it writes or reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copying {
    /// The instruction that issued it.
    pub(crate) pc: u32,
    pub(crate) thread: u32,
    pub(crate) at: u64,
    pub(crate) bytes: u64,
}

/// Which side of a copy lies in shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Written,
    Read,
}

/// How an instruction wants more of a warp than executes it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PartOfWarp {
    /// An aligned barrier after so many lanes have exited.
    Exited { barrier: u8, lanes: u32 },
    /// A lane executes a `.sync` operation whose member mask leaves it out.
    NotMember {
        instruction: &'static str,
        members: u32,
        lane: u32,
    },
    /// A lane shuffles from one that does not take part.
    InactiveLane {
        instruction: &'static str,
        lane: u32,
        source: u32,
    },
}

impl View<'_> {
    /// Tells all observers of an event; whether one wants other warps to go first is noted.
    #[inline]
    fn tell(&mut self, mut event: impl FnMut(&mut dyn Observer, &Scene<'_>) -> Turn) {
        let scene = Scene {
            launch: self.launch,
            shared: self.shared,
            local_bytes: self.local_bytes,
            block: self.block,
        };
        for observer in self.observers.iter_mut().flatten() {
            self.yields |= event(&mut **observer, &scene) == Turn::Yields;
        }
    }

    /// Lanes are about to access `bytes` each. `values` are what a store writes, where registers hold it.
    #[inline]
    pub(crate) fn touch(
        &mut self,
        access: AccessKind,
        space: Space,
        addresses: &[u64; LANES],
        mask: u32,
        bytes: u32,
        values: Option<Values<'_>>,
    ) {
        let touch = Touch {
            pc: self.pc,
            first_thread: self.first_thread,
            access,
            space,
            addresses,
            mask,
            bytes,
            values,
        };
        self.tell(|observer, scene| observer.access(scene, &touch));
    }

    /// Lanes have read.
    #[inline]
    pub(crate) fn observed(
        &mut self,
        access: AccessKind,
        space: Space,
        addresses: &[u64; LANES],
        mask: u32,
        bytes: u32,
    ) {
        let touch = Touch {
            pc: self.pc,
            first_thread: self.first_thread,
            access,
            space,
            addresses,
            mask,
            bytes,
            values: None,
        };
        self.tell(|observer, scene| {
            observer.accessed(scene, &touch);
            Turn::Goes
        });
    }

    /// An instruction that an observer follows is about to run on `active` of the lanes in `mask`.
    pub(crate) fn instruction(&mut self, pc: u32, mask: u32, active: u32) {
        let first_thread = self.first_thread;
        for observer in self.observers.iter_mut().flatten() {
            observer.instruction(pc, first_thread, mask, active);
        }
    }

    /// The instruction orders memory, if it is a fence.
    pub(crate) fn fence(&mut self, mask: u32) {
        let order = self.launch.code.notes[self.pc as usize].order;
        if order.fence {
            self.each_observer(|observer, first_thread| observer.fence(first_thread, mask, order));
        }
        if order.proxies {
            self.each_observer(|observer, first_thread| observer.proxy_fence(first_thread, mask));
        }
    }

    /// An asynchronous copy is issued: what it writes or reads of shared memory is in flight.
    pub(crate) fn copy_issued(&mut self, copy: Copying, side: Side) {
        self.tell(|observer, scene| {
            observer.copy_issued(scene, copy, side);
            Turn::Goes
        });
    }

    /// The thread that issued a copy has waited for it.
    pub(crate) fn copy_waited(&mut self, copy: Copying, side: Side) {
        for observer in self.observers.iter_mut().flatten() {
            observer.copy_waited(copy, side);
        }
    }

    /// Copies that signal an mbarrier have arrived.
    pub(crate) fn copies_delivered(&mut self, mbarrier: u64, copies: &[Copying]) {
        for observer in self.observers.iter_mut().flatten() {
            observer.copies_delivered(mbarrier, copies);
        }
    }

    /// The instruction wants more of its warp than executes it; a lane that does.
    #[cold]
    pub(crate) fn part_of_warp(&mut self, lane: u32, part: PartOfWarp) {
        let (pc, thread) = (self.pc, self.first_thread + u64::from(lane));
        for observer in self.observers.iter_mut().flatten() {
            observer.part_of_warp(pc, thread, part);
        }
    }

    /// A bulk copy reads or writes a range of global memory.
    pub(crate) fn bulk_issued(&mut self, range: &BulkRange) {
        self.tell(|observer, scene| observer.bulk_issued(scene, range));
    }

    /// The thread that issued a bulk copy to global memory has waited until it is written.
    pub(crate) fn bulk_written(&mut self, range: &BulkRange) {
        self.tell(|observer, scene| {
            observer.bulk_written(scene, range);
            Turn::Goes
        });
    }

    /// Lanes operate on mbarriers.
    pub(crate) fn mbarrier(&mut self, operation: BarrierUse, at: &[u64; LANES], mask: u32) {
        let touch = Touch {
            pc: self.pc,
            first_thread: self.first_thread,
            access: if operation == BarrierUse::Initialises {
                AccessKind::Store
            } else {
                AccessKind::Load
            },
            space: Space::Shared,
            addresses: at,
            mask,
            bytes: 8,
            values: None,
        };
        self.tell(|observer, scene| {
            observer.mbarrier(scene, &touch);
            Turn::Goes
        });
    }

    /// A lane sets up an mbarrier or arrives there.
    pub(crate) fn mbarrier_arrived(&mut self, lane: usize, at: u64, operation: BarrierUse) {
        let thread = self.first_thread as u32 + lane as u32;
        for observer in self.observers.iter_mut().flatten() {
            observer.mbarrier_arrived(thread, at, operation);
        }
    }

    /// A phase of an mbarrier ends.
    pub(crate) fn mbarrier_ended(&mut self, at: u64) {
        for observer in self.observers.iter_mut().flatten() {
            observer.mbarrier_ended(at);
        }
    }

    /// A lane saw a phase of an mbarrier end: it knows what was released there.
    pub(crate) fn mbarrier_passed(&mut self, lane: usize, at: u64) {
        let thread = self.first_thread as u32 + lane as u32;
        for observer in self.observers.iter_mut().flatten() {
            observer.mbarrier_passed(thread, at);
        }
    }

    /// Tells all who observe, with the warp's first thread.
    pub(crate) fn each_observer(&mut self, mut tell: impl FnMut(&mut dyn Observer, u64)) {
        let first_thread = self.first_thread;
        for observer in self.observers.iter_mut().flatten() {
            tell(&mut **observer, first_thread);
        }
    }

    /// Lanes of the warp met at `bar.warp.sync`.
    pub(crate) fn warp_met(&mut self, mask: u32) {
        self.each_observer(|observer, first_thread| observer.warp_met(first_thread, mask));
    }

    /// Lanes arrived at a barrier and go on.
    pub(crate) fn barrier_arrived(&mut self, id: u8, mask: u32) {
        self.each_observer(|observer, first_thread| {
            observer.barrier_arrived(id, first_thread, mask);
        });
    }

    /// A parameter variable was copied from one offset in the block's local memory to another.
    pub(crate) fn local_copied(&mut self, from: u64, to: u64, bytes: u32) {
        for observer in self.observers.iter_mut().flatten() {
            observer.local_copied(from, to, bytes);
        }
    }
}
