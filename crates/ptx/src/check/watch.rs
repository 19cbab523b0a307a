//! One host thread's watch over the blocks it runs: every access of memory comes by here before it is done.

use super::clocks::{Clocks, Joined, Moment};
use super::findings::{Actor, Findings, Kind, UNKNOWN_PC};
use super::order::{BlockOrder, Chain, Logs};
use super::products::{InFlight, Products};
use super::proxies::{Fenced, any_reads_by_proxy};
use super::registers::{self, Moved, Tracking};
use super::shadow::{GlobalShadow, SharedCell, SharedStamp, WrittenBytes, short_block};
use super::stores::{InHand, Stores};
use super::tiles::Tiles;
use crate::exec::observe::{
    AccessKind, BarrierUse, BulkRange, Copying, Observer, PartOfWarp, Scene, Side, Touch, Turn,
};
use crate::isa::{Code, Op, WarpOp};
use crate::memory::Memory;
use crate::notes::Order;
use crate::options::{Checks, Shape};
use crate::regs::lanes;
use crate::types::{MODULE_WINDOW, Space};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::sync::Arc;

/// Instructions beyond this many that access memory share one number in stamps; races with them name no line.
const LAST_SITE: u32 = (1 << 12) - 1;

/// The state shared by the watches of a launch.
pub(crate) struct LaunchWatch {
    pub(super) checks: Checks,
    tracking: Arc<Tracking>,
    /// Number of each instruction in stamps, from 1; and back.
    pub(super) site_of: Vec<u16>,
    pub(super) pcs: Vec<u32>,
    pub(super) granule_bits: u32,
    /// Device memory, and the module's variables.
    global: [GlobalShadow; 2],
    logs: Logs,
    pub(super) stores: Stores,
    /// The kernel has fences, acquires or releases.
    pub(super) synchronises: bool,
    products: Products,
    /// The kernel has products of warpgroups, whose reads of shared memory are followed.
    pub(super) multiplies: bool,
    /// The kernel has instructions that read shared memory by the asynchronous proxy.
    pub(super) reads_by_proxy: bool,
}

/// The bytes of a cell of a shadow: the narrowest access of the kernel's, four at most.
fn granule_of(code: &Code) -> u32 {
    let narrowest = code.insts.iter().filter_map(|inst| match &inst.op {
        Op::Load(access) | Op::Store(access) => Some(access.ty.bytes()),
        Op::Atomic(atomic) => Some(atomic.ty.bytes()),
        Op::Warp { op, .. } => match &**op {
            WarpOp::LoadFragment(moved) | WarpOp::StoreFragment(moved) => {
                Some(moved.element.bits().div_ceil(8))
            }
            _ => None,
        },
        _ => None,
    });
    narrowest.min().unwrap_or(4).clamp(1, 4)
}

impl LaunchWatch {
    pub(crate) fn new(
        code: &Code,
        tracking: Arc<Tracking>,
        checks: Checks,
        memory: &Memory,
        globals: u64,
    ) -> LaunchWatch {
        let mut pcs = vec![UNKNOWN_PC];
        let mut site_of = vec![0; code.insts.len()];
        for (pc, inst) in code.insts.iter().enumerate() {
            if !matches!(inst.op, Op::Alu(_) | Op::Branch { .. } | Op::Nothing) {
                site_of[pc] = (pcs.len() as u32).min(LAST_SITE) as u16;
                if (pcs.len() as u32) < LAST_SITE {
                    pcs.push(pc as u32);
                }
            }
        }
        let granule = granule_of(code);
        let (start, end) = memory.used_range();
        let range = |base: u64, bytes: u64| {
            GlobalShadow::new(base, if checks.global_races { bytes } else { 0 }, granule)
        };
        let synchronises = code
            .notes
            .iter()
            .any(|note| note.order.acquire || note.order.release)
            || code
                .insts
                .iter()
                .any(|inst| matches!(inst.op, Op::Mbarrier(_)));
        let products = if checks.shared_races {
            Products::of(code)
        } else {
            Products::default()
        };
        LaunchWatch {
            checks,
            tracking,
            site_of,
            pcs,
            granule_bits: granule.trailing_zeros(),
            global: [range(start, end - start), range(MODULE_WINDOW, globals)],
            logs: Logs::default(),
            stores: Stores::default(),
            synchronises,
            multiplies: products.any(),
            products,
            reads_by_proxy: checks.shared_races && any_reads_by_proxy(code),
        }
    }

    /// The shadow that an address of global memory lies in.
    pub(super) fn global_shadow(&self, address: u64) -> &GlobalShadow {
        &self.global[usize::from(address >= MODULE_WINDOW)]
    }
}

/// Releases of the threads that arrived at an mbarrier. Who sees a phase end may find arrivals of the next phase there,
/// and knows nothing of those.
#[derive(Default)]
struct Phases {
    arrived: Joined,
    /// Of `arrived`, what there was when the last phase ended.
    ended: Joined,
}

/// The checkers' state for the block that is running.
pub(crate) struct Watch {
    pub(super) launch: Arc<LaunchWatch>,
    pub(super) block: u64,
    pub(super) first_epoch: u32,
    pub(super) clocks: Clocks,
    pub(super) order: BlockOrder,
    /// Releases through shared memory.
    shared_logs: Logs,
    /// Releases at the mbarriers of shared memory, by offset.
    mbarriers: FxHashMap<u64, Phases>,
    pub(super) cells: Vec<SharedCell>,
    shared_written: WrittenBytes,
    local_written: WrittenBytes,
    /// Bytes that hold what was in a register that nobody had written.
    local_undefined: WrittenBytes,
    /// Lanes that have written each tracked register, warp by warp.
    registers: Vec<u32>,
    /// Accumulators in flight, by warp.
    pub(super) products: Vec<InFlight>,
    /// Shared memory that products in flight read.
    pub(super) tiles: Tiles,
    /// The clocks released by threads that arrived at a barrier without waiting.
    arrived: Vec<(u8, Moment)>,
    pub(super) fenced: Fenced,
    pub(crate) findings: Findings,
    pub(super) in_hand: InHand,
    /// The thread that stands for copies which an mbarrier reports, one beyond those of the block. Where there are products
    /// of warpgroups, one for each warp follows, which stands for what those read.
    pub(super) agent: u32,
    /// The last thread that issued an asynchronous copy, by the copy's number in stamps. Not empty: there may be
    /// stamps of copies in flight.
    pub(super) copiers: FxHashMap<u32, u32>,
}

impl Watch {
    pub(crate) fn new(launch: Arc<LaunchWatch>, shape: &Shape, local_bytes: u32) -> Watch {
        let threads = shape.threads().next_multiple_of(32);
        let (shared_bytes, local_bytes) = (shape.shared_bytes, shape.local_bytes(local_bytes));
        let checks = launch.checks;
        let cells = if checks.shared_races {
            (shared_bytes as usize >> launch.granule_bits) + 1
        } else {
            0
        };
        let warps = threads.div_ceil(32);
        let tracked = launch.tracking.registers() * warps as usize;
        let (agents, tiles) = if launch.multiplies {
            let tiles = Tiles::new(shared_bytes as usize, warps as usize);
            (1 + warps, tiles)
        } else {
            (1, Tiles::default())
        };
        Watch {
            block: 0,
            first_epoch: 0,
            clocks: Clocks::new(threads + agents),
            order: BlockOrder::default(),
            shared_logs: Logs::default(),
            mbarriers: FxHashMap::default(),
            cells: vec![SharedCell::EMPTY; cells],
            shared_written: WrittenBytes::new(if checks.uninitialised {
                shared_bytes as usize
            } else {
                0
            }),
            local_written: WrittenBytes::new(if checks.uninitialised { local_bytes } else { 0 }),
            local_undefined: WrittenBytes::new(if checks.uninitialised { local_bytes } else { 0 }),
            registers: vec![0; tracked],
            products: vec![InFlight::default(); warps as usize],
            tiles,
            arrived: Vec::new(),
            fenced: Fenced::default(),
            findings: Findings::default(),
            in_hand: launch.stores.join(),
            agent: threads,
            copiers: FxHashMap::default(),
            launch,
        }
    }

    pub(super) fn actor(&self, touch: &Touch<'_>, lane: usize) -> Actor {
        self.actor_of(touch.pc, touch.access, touch.first_thread + lane as u64)
    }

    fn actor_of(&self, pc: u32, access: AccessKind, thread: u64) -> Actor {
        Actor {
            access,
            pc,
            block: self.block,
            thread,
        }
    }

    fn uninitialised(&mut self, touch: &Touch<'_>, lane: usize) {
        let (space, address, bytes) = (touch.space, touch.addresses[lane], touch.bytes);
        self.findings.add(
            self.actor(touch, lane),
            Kind::Uninitialised {
                space,
                address,
                bytes,
            },
        );
    }

    /// The parts that an access moves to or from tracked registers, and the bits of those in the warp.
    fn moved(&mut self, touch: &Touch<'_>) -> Option<(SmallVec<[Moved; 4]>, &mut [u32])> {
        let tracking = &self.launch.tracking;
        let tracked = tracking.at.get(touch.pc as usize)?.as_ref()?;
        if tracked.moved.is_empty() {
            return None;
        }
        let count = tracking.registers();
        let start = touch.first_thread as usize / 32 * count;
        let written = self.registers.get_mut(start..start + count)?;
        Some((tracked.moved.clone(), written))
    }

    /// A store keeps what nobody has written in local memory, and a load gets it back: nobody has used it.
    fn move_undefined(&mut self, touch: &Touch<'_>, local_bytes: u64) {
        let address =
            |lane: usize| (touch.first_thread + lane as u64) * local_bytes + touch.addresses[lane];
        if touch.access.writes() {
            for lane in lanes(touch.mask) {
                self.local_undefined.unmark(address(lane), touch.bytes);
            }
        }
        let mut undefined = core::mem::take(&mut self.local_undefined);
        if let Some((moved, written)) = self.moved(touch) {
            for part in moved {
                let at = |lane: usize| address(lane) + u64::from(part.offset);
                if touch.access.writes() {
                    for lane in lanes(registers::missing(part, written, touch.mask)) {
                        undefined.mark(at(lane), part.bytes);
                    }
                } else {
                    let none =
                        lanes(touch.mask).filter(|&lane| undefined.all(at(lane), part.bytes));
                    let none = none.fold(0, |mask, lane| mask | 1 << lane);
                    registers::set(part, written, none, false);
                }
            }
        }
        self.local_undefined = undefined;
    }

    /// A store to memory that others see uses what it stores.
    fn undefined_leaves(&mut self, touch: &Touch<'_>) {
        if !touch.access.writes() || !self.launch.checks.uninitialised {
            return;
        }
        let Some((moved, written)) = self.moved(touch) else {
            return;
        };
        let mut all = 0;
        for part in moved {
            let missing = registers::missing(part, written, touch.mask);
            registers::set(part, written, missing, true);
            all |= missing;
        }
        if all != 0 {
            let at = self.actor_of(
                touch.pc,
                AccessKind::Load,
                touch.first_thread + u64::from(all.trailing_zeros()),
            );
            self.findings.add(at, Kind::Register);
        }
    }

    fn shared_initialised(&mut self, touch: &Touch<'_>) {
        if !self.launch.checks.uninitialised {
            return;
        }
        for lane in lanes(touch.mask) {
            let at = touch.addresses[lane];
            if touch.access.reads() {
                if self.shared_written.all(at, touch.bytes) || self.needs_none(touch, at) {
                    continue;
                }
                self.uninitialised(touch, lane);
            }
            self.shared_written.mark(at, touch.bytes);
        }
    }

    /// Whether a load takes none of the bytes that nobody has written.
    fn needs_none(&self, touch: &Touch<'_>, at: u64) -> bool {
        let untaken = match touch.access {
            AccessKind::Load => self.launch.tracking.untaken(touch.pc),
            _ => 0,
        };
        untaken != 0
            && (0..touch.bytes)
                .filter(|byte| untaken >> byte & 1 == 0)
                .all(|byte| self.shared_written.all(at + u64::from(byte), 1))
    }

    fn local_initialised(&mut self, touch: &Touch<'_>, local_bytes: u64) {
        if !self.launch.checks.uninitialised {
            return;
        }
        self.move_undefined(touch, local_bytes);
        for lane in lanes(touch.mask) {
            let at = (touch.first_thread + lane as u64) * local_bytes + touch.addresses[lane];
            // Compilers copy structures with their padding, so one written byte is enough here.
            if touch.access.reads() && !self.local_written.any(at, touch.bytes) {
                self.uninitialised(touch, lane);
            }
            self.local_written.mark(at, touch.bytes);
        }
    }

    /// An asynchronous copy of 4, 8 or a multiple of 16 bytes fills shared memory.
    pub(super) fn written_by_copy(&mut self, at: u64, bytes: u64) {
        for at in (at..at + bytes).step_by(16) {
            self.shared_written.mark(at, bytes.min(16) as u32);
        }
    }

    /// An asynchronous copy reads shared memory.
    pub(super) fn check_written(&mut self, copy: Copying) {
        let missing = (copy.at..copy.at + copy.bytes)
            .step_by(16)
            .find(|&at| !self.shared_written.all(at, 16));
        if let Some(address) = missing.filter(|_| self.launch.checks.uninitialised) {
            let at = self.actor_of(copy.pc, AccessKind::Copy, u64::from(copy.thread));
            self.findings.add(
                at,
                Kind::Uninitialised {
                    space: Space::Shared,
                    address,
                    bytes: 16,
                },
            );
            self.written_by_copy(copy.at, copy.bytes);
        }
    }

    pub(super) fn watches_shared(&self) -> bool {
        self.launch.checks.shared_races
    }

    /// The number of an instruction in stamps.
    pub(super) fn site(&self, pc: u32) -> u32 {
        u32::from(self.launch.site_of[pc as usize])
    }

    /// The stamp of what a thread does now.
    pub(super) fn shared_stamp(&self, thread: u32, pc: u32) -> SharedStamp {
        SharedStamp::new(
            self.clocks.epoch(),
            thread,
            self.clocks.clock(thread),
            self.site(pc),
        )
    }

    pub(super) fn agent(&self) -> u32 {
        self.agent
    }

    pub(super) fn note_copier(&mut self, copy: Copying) {
        self.copiers.insert(self.site(copy.pc), copy.thread);
    }

    /// The shadow of the shared memory that a copy writes or reads; none where races are not looked for.
    pub(super) fn cells_of(&mut self, copy: Copying) -> &mut [SharedCell] {
        let bits = self.launch.granule_bits;
        let (start, end) = (copy.at >> bits, (copy.at + copy.bytes).div_ceil(1 << bits));
        let end = (end as usize).min(self.cells.len());
        &mut self.cells[(start as usize).min(end)..end]
    }

    /// A thread releases what it did at an mbarrier.
    pub(super) fn arrive(&mut self, thread: u32, mbarrier: u64) {
        let moment = self.clocks.release(thread);
        let phases = self.mbarriers.entry(mbarrier).or_default();
        phases.arrived.add(&self.clocks, &moment);
        for read in self.tiles.read_before(thread) {
            phases.arrived.add(&self.clocks, read);
        }
    }

    /// A strong write of shared or global memory, of each lane at its address: what it releases is kept there.
    #[inline]
    fn note_strong_write(&mut self, touch: &Touch<'_>, order: Order) {
        let chain = if touch.access == AccessKind::Atomic {
            Chain::Continues
        } else {
            Chain::Begins
        };
        let launch = self.launch.clone();
        for lane in lanes(touch.mask) {
            let thread = touch.first_thread as u32 + lane as u32;
            let logs = if touch.space == Space::Shared {
                &self.shared_logs
            } else {
                &launch.logs
            };
            let release = (order.release, order.scope);
            self.order.write(
                &mut self.clocks,
                logs,
                thread,
                touch.addresses[lane],
                release,
                chain,
            );
        }
    }

    fn global_initialised(&mut self, memory: &Memory, touch: &Touch<'_>) {
        if !self.launch.checks.uninitialised || !memory.knows_written() {
            return;
        }
        for lane in lanes(touch.mask) {
            let at = touch.addresses[lane];
            if at >= MODULE_WINDOW {
                continue;
            }
            if touch.access.reads() && !memory.is_written(at, touch.bytes) {
                self.uninitialised(touch, lane);
            }
            if touch.access.writes() || !memory.is_written(at, touch.bytes) {
                // A finding that was reported once is not reported again.
                memory.mark_store(at, touch.bytes);
            }
        }
    }
}

impl Observer for Watch {
    fn follows(&self, pc: u32) -> bool {
        let tracked = self.launch.tracking.at.get(pc as usize);
        self.launch.products.follows(pc)
            || self.launch.checks.uninitialised && tracked.is_some_and(Option::is_some)
    }

    fn block_starts(&mut self, block: u64) {
        self.block = block;
        self.clocks.everyone_met();
        self.first_epoch = self.clocks.epoch();
        if self.launch.synchronises {
            self.order
                .begin(short_block(block), self.first_epoch, self.agent);
            self.shared_logs.clear();
        }
        self.mbarriers.clear();
        self.proxies_begin();
        self.shared_written.clear();
        self.local_written.clear();
        self.local_undefined.clear();
        self.registers.fill(0);
        self.products.fill(InFlight::default());
        self.tiles.clear();
        self.arrived.clear();
        if !self.copiers.is_empty() {
            // No epoch makes the stamps of copies in flight old.
            self.cells.fill(SharedCell::EMPTY);
            self.copiers.clear();
        }
    }

    #[inline]
    fn instruction(&mut self, pc: u32, first_thread: u64, mask: u32, active: u32) {
        if self.launch.products.follows(pc) && active != 0 {
            let warp = self.products.get_mut(first_thread as usize / 32);
            if warp.is_some_and(|warp| warp.step(&self.launch.products, pc)) {
                let thread = first_thread + u64::from(active.trailing_zeros());
                let at = self.actor_of(pc, AccessKind::Load, thread);
                self.findings.add(at, Kind::Product);
            }
        }
        let tracking = &self.launch.tracking;
        let Some(Some(tracked)) = tracking.at.get(pc as usize) else {
            return;
        };
        if !self.launch.checks.uninitialised {
            return;
        }
        let count = tracking.registers();
        let start = first_thread as usize / 32 * count;
        let Some(written) = self.registers.get_mut(start..start + count) else {
            return;
        };
        let missing = registers::step(tracked, written, mask, active);
        if missing != 0 {
            let thread = first_thread + u64::from(missing.trailing_zeros());
            let at = Actor {
                access: AccessKind::Load,
                pc,
                block: self.block,
                thread,
            };
            self.findings.add(at, Kind::Register);
        }
    }

    fn turn_ended(&mut self, _first_thread: u64, _cycles: u64) {
        self.in_hand.end();
    }

    fn access(&mut self, scene: &Scene<'_>, touch: &Touch<'_>) -> Turn {
        self.in_hand.end();
        if touch.access == AccessKind::Copy {
            // Copies have events of their own.
            return Turn::Goes;
        }
        let view = scene.launch;
        let order = view.code.notes[touch.pc as usize].order;
        match touch.space {
            Space::Shared => {
                self.undefined_leaves(touch);
                self.shared_initialised(touch);
                if self.launch.reads_by_proxy && touch.access == AccessKind::Load {
                    self.read_by_proxy(scene, touch);
                }
                if self.launch.checks.shared_races {
                    self.shared_races(scene, touch, order);
                }
            }
            Space::Local => self.local_initialised(touch, scene.local_bytes),
            Space::Global | Space::Generic => {
                self.undefined_leaves(touch);
                self.global_initialised(view.memory, touch);
                if self.launch.checks.global_races {
                    if touch.access.writes() {
                        self.in_hand.begin(self.block);
                    }
                    self.global_races(view, touch, order);
                }
                if self.launch.synchronises && touch.access == AccessKind::Store && !order.strong {
                    let threads =
                        lanes(touch.mask).map(|lane| touch.first_thread as u32 + lane as u32);
                    threads.for_each(|thread| self.order.stored(thread));
                }
            }
            Space::Const | Space::Param => return Turn::Goes,
        }
        if order.strong
            && self.launch.synchronises
            && touch.access.writes()
            && touch.space != Space::Local
        {
            self.note_strong_write(touch, order);
        }
        Turn::Goes
    }

    fn accessed(&mut self, scene: &Scene<'_>, touch: &Touch<'_>) {
        let order = scene.launch.code.notes[touch.pc as usize].order;
        if !order.strong || !self.launch.synchronises || touch.access == AccessKind::Store {
            return;
        }
        let launch = self.launch.clone();
        for lane in lanes(touch.mask) {
            let thread = touch.first_thread as u32 + lane as u32;
            let logs = if touch.space == Space::Shared {
                &self.shared_logs
            } else {
                &launch.logs
            };
            let acquire = (order.acquire, order.scope);
            self.order.read(
                &mut self.clocks,
                logs,
                thread,
                touch.addresses[lane],
                acquire,
            );
        }
    }

    fn bulk_issued(&mut self, scene: &Scene<'_>, range: &BulkRange) -> Turn {
        self.issue_bulk(scene, range);
        Turn::Goes
    }

    fn bulk_written(&mut self, _scene: &Scene<'_>, range: &BulkRange) {
        self.wait_bulk(range);
    }

    fn fence(&mut self, first_thread: u64, mask: u32, order: Order) {
        if self.launch.synchronises {
            for lane in lanes(mask) {
                self.order.fence(
                    &mut self.clocks,
                    first_thread as u32 + lane as u32,
                    order.scope,
                );
            }
        }
    }

    fn proxy_fence(&mut self, first_thread: u64, mask: u32) {
        if self.launch.reads_by_proxy {
            self.fence_proxies(first_thread, mask);
        }
    }

    fn warp_met(&mut self, first_thread: u64, mask: u32) {
        self.clocks.warp_met(first_thread, mask);
    }

    fn part_of_warp(&mut self, pc: u32, thread: u64, part: PartOfWarp) {
        if self.launch.checks.warp_sync {
            let at = self.actor_of(pc, AccessKind::Load, thread);
            self.findings.add(at, Kind::Warp(part));
        }
    }

    fn barrier_arrived(&mut self, id: u8, first_thread: u64, mask: u32) {
        for lane in lanes(mask) {
            let moment = self.clocks.release(first_thread as u32 + lane as u32);
            self.arrived.push((id, moment));
        }
    }

    fn barrier_completed(&mut self, id: u8, everyone: bool, waiting: &[(u64, u32)]) {
        // Who arrived twice has done so for this phase once; the others are only behind its first arrival.
        let (mut moments, mut seen) = (Vec::new(), FxHashSet::default());
        self.arrived.retain(|(at, moment)| {
            let first = *at == id && seen.insert(moment.thread);
            if first {
                moments.push(moment.clone());
            }
            !first
        });
        if everyone {
            self.clocks.everyone_met();
            if self.launch.synchronises {
                self.order.met(&mut self.clocks);
            }
        } else {
            self.clocks.part_met(waiting, &moments);
        }
    }

    fn copy_issued(&mut self, scene: &Scene<'_>, copy: Copying, side: Side) {
        self.issue(scene, copy, side);
    }

    fn copy_waited(&mut self, copy: Copying, side: Side) {
        self.wait(copy, side);
    }

    fn copy_outlives(&mut self, copy: Copying) {
        if self.launch.checks.shared_races {
            let at = self.actor_of(copy.pc, AccessKind::Copy, u64::from(copy.thread));
            self.findings.add(at, Kind::Outlived);
        }
    }

    fn copies_delivered(&mut self, mbarrier: u64, copies: &[Copying]) {
        self.deliver(mbarrier, copies);
    }

    fn mbarrier(&mut self, scene: &Scene<'_>, touch: &Touch<'_>) {
        for lane in lanes(touch.mask) {
            self.shared_written.mark(touch.addresses[lane], touch.bytes);
        }
        if self.launch.checks.shared_races {
            self.shared_races(scene, touch, Order::default());
        }
    }

    fn mbarrier_arrived(&mut self, thread: u32, at: u64, operation: BarrierUse) {
        if operation == BarrierUse::Initialises {
            self.mbarriers.remove(&at);
        }
        self.arrive(thread, at);
    }

    fn products_awaited(&mut self, first_thread: u64, mask: u32, most: u32) {
        self.tiles_read(first_thread, mask, most);
    }

    fn mbarrier_ended(&mut self, at: u64) {
        if let Some(phases) = self.mbarriers.get_mut(&at) {
            phases.ended = phases.arrived.clone();
        }
    }

    fn mbarrier_passed(&mut self, thread: u32, at: u64) {
        if let Some(phases) = self.mbarriers.get(&at) {
            self.clocks.acquire_union(thread, &phases.ended);
        }
    }

    fn local_copied(&mut self, from: u64, to: u64, bytes: u32) {
        for at in 0..u64::from(bytes) {
            self.local_written.mark(to + at, 1);
            if self.local_undefined.any(from + at, 1) {
                self.local_undefined.mark(to + at, 1);
            } else {
                self.local_undefined.unmark(to + at, 1);
            }
        }
    }
}
