//! Asynchronous copies between shared and global memory, from their issue to the moment they are known to be done.
//!
//! A copy in flight has a stamp of the epoch [`IN_FLIGHT`], which no barrier makes old. The wait of the thread that
//! issued a `cp.async` gives it that thread's stamp at the wait. A copy that signals an mbarrier is delivered when the
//! end of the phase is seen; it is then done by an agent, a thread beyond those of the block, which releases to
//! whoever waits on the mbarrier. The global memory that a bulk store writes is in flight until its thread waits
//! without `.read`; if nobody does, until the launch ends. The shared memory that it reads must be read before the block ends.
//! Deliberately absent: what bulk copies read of global memory.

use super::shadow::{IN_FLIGHT, SharedStamp, load, store};
use super::watch::Watch;
use crate::exec::observe::{AccessKind, BulkRange, Copying, Scene, Side, Touch};
use crate::notes::Order;
use crate::regs::LANES;
use crate::types::{MODULE_WINDOW, Space};

impl Watch {
    /// A copy is issued: it must be ordered behind earlier accesses to the same bytes, and is in flight from now on.
    pub(super) fn issue(&mut self, scene: &Scene<'_>, copy: Copying, side: Side) {
        if side == Side::Written {
            self.written_by_copy(copy.at, copy.bytes);
        } else {
            self.check_written(copy);
        }
        if !self.watches_shared() {
            return;
        }
        let lane = copy.thread as usize % LANES;
        let addresses = [copy.at; LANES];
        let touch = Touch {
            pc: copy.pc,
            first_thread: u64::from(copy.thread) - lane as u64,
            access: if side == Side::Written {
                AccessKind::Copy
            } else {
                AccessKind::Load
            },
            space: Space::Shared,
            addresses: &addresses,
            mask: 1 << lane,
            bytes: copy.bytes as u32,
            values: None,
        };
        if side == Side::Read && self.launch.reads_by_proxy {
            self.read_by_proxy(scene, &touch);
        }
        self.shared_races(scene, &touch, Order::default());
        self.note_copier(copy);
        let stamp = SharedStamp::new(IN_FLIGHT, copy.thread, 0, self.site(copy.pc));
        for cell in self.cells_of(copy) {
            match side {
                Side::Written => cell.write = stamp,
                Side::Read => cell.reads[0] = stamp,
            }
        }
    }

    /// The thread that issued a copy has waited for it.
    pub(super) fn wait(&mut self, copy: Copying, side: Side) {
        let stamp = self.shared_stamp(copy.thread, copy.pc);
        self.landed(copy, side, stamp);
    }

    /// Copies that signal the mbarrier at an offset have arrived; whoever sees the phase end knows of them.
    pub(super) fn deliver(&mut self, mbarrier: u64, copies: &[Copying]) {
        if copies.is_empty() {
            return;
        }
        let agent = self.agent();
        for &copy in copies {
            let stamp = self.shared_stamp(agent, copy.pc);
            self.landed(copy, Side::Written, stamp);
        }
        self.arrive(agent, mbarrier);
    }

    /// A bulk copy reads or writes global memory, where it must be ordered behind earlier accesses; what it writes is
    /// in flight from now on.
    pub(super) fn issue_bulk(&mut self, scene: &Scene<'_>, range: &BulkRange) {
        let memory = scene.launch.memory;
        let writes = range.access == AccessKind::Store;
        if writes && range.at < MODULE_WINDOW {
            memory.mark_written(range.at, range.bytes);
        }
        if !writes || !self.launch.checks.global_races {
            return;
        }
        let lane = range.thread as usize % LANES;
        let addresses = [range.at; LANES];
        let touch = Touch {
            pc: range.pc,
            first_thread: u64::from(range.thread) - lane as u64,
            access: AccessKind::Copy,
            space: Space::Global,
            addresses: &addresses,
            mask: 1 << lane,
            bytes: u32::try_from(range.bytes).unwrap_or(u32::MAX),
            values: None,
        };
        self.global_races(scene.launch, &touch, Order::default());
    }

    /// The thread that issued a bulk copy to global memory has waited until it is written: it wrote there now.
    pub(super) fn wait_bulk(&mut self, range: &BulkRange) {
        if !self.launch.checks.global_races {
            return;
        }
        let (thread, site) = (range.thread, self.site(range.pc));
        let stamp = self.global_stamp(thread, self.clocks.clock(thread), site);
        let launch = self.launch.clone();
        let shadow = launch.global_shadow(range.at);
        let step = 1 << shadow.granule_bits();
        let mut at = range.at;
        while at < range.at + range.bytes {
            if let Some([write, ..]) = shadow.cell(at) {
                let old = load(write);
                if old.in_flight() && (old.block(), old.thread()) == (stamp.block(), stamp.thread())
                {
                    store(write, stamp);
                }
            }
            at += step;
        }
    }

    fn landed(&mut self, copy: Copying, side: Side, stamp: SharedStamp) {
        let flying = |old: SharedStamp| old.epoch() == IN_FLIGHT && old.thread() == copy.thread;
        for cell in self.cells_of(copy) {
            let old = if side == Side::Written {
                &mut cell.write
            } else {
                &mut cell.reads[0]
            };
            if flying(*old) {
                *old = stamp;
            }
        }
    }
}
