//! What instructions tell the checkers and the profile: every access before it is done, strong reads after, fences.
//!
//! An instruction family that accesses memory calls [`View::touch`] once per space, for lanes whose addresses are
//! already checked, and [`View::observed`] after it has read.

use super::lanes::LANES;
use super::memory::View;
use crate::check::{Access, Actor, Copying, Kind, PartOfWarp, Side, Touch, Values};
use crate::profile::L1;
use crate::types::{MODULE_WINDOW, Space};

/// Threads of a block at most.
const LARGEST_BLOCK: u64 = 1024;

impl View<'_> {
    /// Lanes are about to access `bytes` each. `values` are what a store writes, where registers hold it.
    #[inline]
    pub(crate) fn touch(
        &mut self,
        access: Access,
        space: Space,
        addresses: &[u64; LANES],
        mask: u32,
        bytes: u32,
        values: Option<Values<'_>>,
    ) {
        let (pc, first_thread) = (self.pc, self.first_thread);
        let touch = Touch {
            pc,
            first_thread,
            access,
            space,
            addresses,
            mask,
            bytes,
            values,
        };
        if let Some(watch) = &mut self.watch {
            watch.touch(self.launch, self.shared, self.local_bytes, &touch);
        }
        if let Some(profile) = &mut self.profile {
            let bypasses_l1 = self.launch.code.notes[pc as usize].order.bypasses_l1;
            // The largest block keeps local memories of different blocks apart.
            let thread = self.block * LARGEST_BLOCK + first_thread;
            profile.access(&touch, bypasses_l1, thread, self.local_bytes);
        }
    }

    /// Lanes copy to shared memory: a request for the profile; the checkers are told of each copy.
    pub(crate) fn shared_copied(&mut self, addresses: &[u64; LANES], mask: u32, bytes: u32) {
        let (pc, first_thread) = (self.pc, self.first_thread);
        if let Some(profile) = &mut self.profile {
            let (access, space) = (Access::Store, Space::Shared);
            let touch = Touch {
                pc,
                first_thread,
                access,
                space,
                addresses,
                mask,
                bytes,
                values: None,
            };
            profile.access(&touch, false, first_thread, self.local_bytes);
        }
    }

    /// Lanes have read.
    #[inline]
    pub(crate) fn observed(
        &mut self,
        access: Access,
        space: Space,
        addresses: &[u64; LANES],
        mask: u32,
        bytes: u32,
    ) {
        if let Some(watch) = &mut self.watch {
            let (pc, first_thread) = (self.pc, self.first_thread);
            let touch = Touch {
                pc,
                first_thread,
                access,
                space,
                addresses,
                mask,
                bytes,
                values: None,
            };
            watch.observed(self.launch, &touch);
        }
    }

    /// The instruction orders memory, if it is a fence.
    pub(crate) fn fence(&mut self, mask: u32) {
        let order = self.launch.code.notes[self.pc as usize].order;
        if let Some(watch) = self.watch.as_mut().filter(|_| order.fence) {
            watch.fence(self.first_thread, mask, order);
        }
    }

    /// An asynchronous copy is issued: what it writes or reads of shared memory is in flight.
    pub(crate) fn copy_issued(&mut self, copy: Copying, side: Side) {
        if let Some(watch) = &mut self.watch {
            watch.copy_issued(self.launch, self.shared, copy, side);
        }
    }

    /// The thread that issued a copy has waited for it.
    pub(crate) fn copy_waited(&mut self, copy: Copying, side: Side) {
        if let Some(watch) = &mut self.watch {
            watch.copy_waited(copy, side);
        }
    }

    /// Copies that signal an mbarrier have arrived.
    pub(crate) fn copies_delivered(&mut self, mbarrier: u64, copies: &[Copying]) {
        if let Some(watch) = &mut self.watch {
            watch.copies_delivered(mbarrier, copies);
        }
    }

    /// The instruction wants more of its warp than executes it; a lane that does.
    #[cold]
    pub(crate) fn part_of_warp(&mut self, lane: u32, part: PartOfWarp) {
        if let Some(findings) = &mut self.findings {
            let thread = self.first_thread + u64::from(lane);
            let at = Actor {
                access: Access::Load,
                pc: self.pc,
                block: self.block,
                thread,
            };
            findings.add(at, Kind::Warp(part));
        }
    }

    /// An asynchronous bulk copy fills global memory.
    pub(crate) fn copied_to_global(&mut self, at: u64, bytes: u64) {
        if self.watch.is_some() && at < MODULE_WINDOW {
            self.launch.memory.mark_written(at, bytes);
        }
    }

    /// A lane operates on an mbarrier: whatever it does there releases what it did before.
    pub(crate) fn mbarrier_reached(&mut self, lane: usize, at: u64) {
        if let Some(watch) = &mut self.watch {
            watch.mbarrier_reached(self.first_thread as u32 + lane as u32, at);
        }
    }

    /// A lane saw a phase of an mbarrier end: it knows what was released there.
    pub(crate) fn mbarrier_passed(&mut self, lane: usize, at: u64) {
        if let Some(watch) = &mut self.watch {
            watch.mbarrier_passed(self.first_thread as u32 + lane as u32, at);
        }
    }

    /// A piece of a bulk copy reads or writes global memory, 32 bytes of each lane at a time.
    pub(crate) fn bulk_request(&mut self, access: Access, at: u64, bytes: u64) {
        let Some(profile) = &mut self.profile else {
            return;
        };
        let mut done = 0;
        while done < bytes {
            let part = (bytes - done).min(32 * LANES as u64);
            let start = at + done;
            let addresses = core::array::from_fn(|lane| start + 32 * lane as u64);
            let mask = (1u64 << part.div_ceil(32)) - 1;
            profile.global(
                self.pc,
                access,
                &addresses,
                mask as u32,
                part.min(32) as u32,
                L1::Bypassed,
            );
            done += part;
        }
    }
}
