//! Ordinary stores whose values the asynchronous proxy reads (PTX ISA, "Memory Consistency Model", "Proxies"): a
//! `fence.proxy.async` must stand between, of a thread that knows of the store.
//!
//! A fence takes in all that its thread knows then; a store is fenced where any fence has taken it in.
//! Deliberately absent: whether that fence is ordered before the reader, writes of the proxy to what threads have read, and
//! global memory.

use super::clocks::Joined;
use super::watch::Watch;
use crate::exec::observe::{Scene, Touch};
use crate::isa::{Code, Op, WarpOp};
use crate::race::RaceCause;
use crate::regs::lanes;

/// Stores of the running block that fences have taken in.
#[derive(Default)]
pub(super) struct Fenced {
    /// All of the epochs before.
    before: u32,
    /// Those of the epoch of the last fence.
    now: Joined,
}

/// Whether an instruction reads shared memory by the asynchronous proxy.
fn reads_by_proxy(op: &Op) -> bool {
    match op {
        Op::Bulk(_) => true,
        Op::Warp { op, .. } => matches!(**op, WarpOp::Wgmma(_)),
        _ => false,
    }
}

/// Whether any instruction does.
pub(super) fn any_reads_by_proxy(code: &Code) -> bool {
    code.insts.iter().any(|inst| reads_by_proxy(&inst.op))
}

impl Watch {
    pub(super) fn proxies_begin(&mut self) {
        self.fenced = Fenced {
            before: self.first_epoch,
            now: Joined::default(),
        };
    }

    /// Lanes execute `fence.proxy.async`.
    pub(super) fn fence_proxies(&mut self, first_thread: u64, mask: u32) {
        self.fenced.before = self.clocks.epoch();
        let threads = lanes(mask).map(|lane| first_thread as u32 + lane as u32);
        self.fenced.now.add_lanes(&mut self.clocks, threads);
    }

    /// Reports stores that a read by the asynchronous proxy is ordered behind, but by no fence of proxies.
    pub(super) fn read_by_proxy(&mut self, scene: &Scene<'_>, touch: &Touch<'_>) {
        let view = scene.launch;
        if !reads_by_proxy(&view.code.insts[touch.pc as usize].op) {
            return;
        }
        let bits = self.launch.granule_bits;
        for lane in lanes(touch.mask) {
            let thread = touch.first_thread as u32 + lane as u32;
            let address = touch.addresses[lane];
            let end = (address + u64::from(touch.bytes)).div_ceil(1 << bits) as usize;
            let start = (address >> bits) as usize;
            let cells = self.cells.get(start..end.min(self.cells.len()));
            let unfenced = cells.unwrap_or(&[]).iter().position(|cell| {
                let (epoch, by, clock) =
                    (cell.write.epoch(), cell.write.thread(), cell.write.clock());
                let stored = |pc: u32| {
                    let inst = view.code.insts.get(pc as usize);
                    inst.is_some_and(|inst| matches!(inst.op, Op::Store(_) | Op::Atomic(_)))
                };
                epoch >= self.fenced.before
                    && self.clocks.ordered(thread, epoch, by, clock)
                    && !self.fenced.now.covers(epoch, by, clock)
                    && stored(self.pc_of(cell.write.site()))
            });
            let Some(at) = unfenced else { continue };
            let write = self.cells[start + at].write;
            let by = self.past_actor(view, write.site(), self.block, write.thread(), true);
            let granule = ((start + at) as u64) << bits;
            let address = granule.max(address);
            self.race(touch, lane, address, RaceCause::NoProxyFence, Some(by));
        }
    }
}
