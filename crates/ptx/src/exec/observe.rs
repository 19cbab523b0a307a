//! What instructions tell the checkers: every access before it is done, strong reads after, fences.
//!
//! An instruction family that accesses memory calls [`View::touch`] once per space, for lanes whose addresses are
//! already checked, and [`View::observed`] after it has read.

use super::lanes::LANES;
use super::memory::View;
use crate::check::{Access, Touch, Values};
use crate::types::{MODULE_WINDOW, Space};

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
        if let Some(watch) = &mut self.watch {
            let (pc, first_thread) = (self.pc, self.first_thread);
            let touch = Touch { pc, first_thread, access, space, addresses, mask, bytes, values };
            watch.touch(self.launch, self.shared, self.local_bytes, &touch);
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
            let touch = Touch { pc, first_thread, access, space, addresses, mask, bytes, values: None };
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

    /// An asynchronous bulk copy fills shared memory; its race with readers is not followed.
    pub(crate) fn copied_to_shared(&mut self, at: u64, bytes: u64) {
        if let Some(watch) = &mut self.watch {
            watch.copied_to_shared(at, bytes);
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
}
