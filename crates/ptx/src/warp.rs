//! One warp: its registers, its diverged parts, and the loop that executes instructions.
//!
//! Lanes at the same instruction form a *split*. The first split of an order of all basic blocks ([`crate::flow::Blocks::order`])
//! runs first and joins others when it reaches theirs, so splits reconverge at the first common instruction (thread
//! frontiers: Diamos et al., MICRO 2011; theirs is the order in which the compiler lays the blocks out, but LLVM lays
//! the latch of a loop before its body). Nothing depends on reconvergence for correctness:
//! `.sync` operations wait until every live lane of their member mask has arrived, as on hardware with
//! independent thread scheduling. A split that keeps branching backwards is interrupted in favour of the one that
//! has waited longest, so spinning on another lane or warp makes progress.

use crate::exec::mbarrier::Progress;
use crate::exec::view::View;
use crate::exec::warp::{SCRATCH_DOUBLES, SCRATCH_PREDICATES, SCRATCH_WORDS};
use crate::exec::{atomics, builtin, bulk, mbarrier, memory, pipeline, wide_atomics};
use crate::fault::FaultReason;
use crate::isa::asynchronous::AsyncGroup;
use crate::isa::tensor::ProductGroup;
use crate::isa::{Barrier, BarrierKind, Code, Inst, Op};
use crate::regs::{FULL, LANES, Regs, Slot, lanes, set_predicate};
use crate::types::Space;
use smallvec::SmallVec;
use std::ops::Range;

/// Backward branches, and changes from one split to another, that a warp may take before other warps get a turn.
const WARP_QUANTUM: u32 = 4096;
/// Backward branches a split may take before other splits of its warp get a turn. Smaller values would tear apart
/// splits that are about to meet behind a loop.
const SPLIT_QUANTUM: u32 = 1024;
/// Is behind all places of the order.
const LAST: u32 = u32::MAX;
/// Hardware barriers of a thread block.
pub(crate) const BARRIERS: usize = 16;

/// Why a split does not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    Ready,
    /// Waits at a block barrier.
    Barrier(u8),
    /// Waits for other lanes of its warp.
    Lanes,
}

/// Lanes at one instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    pub(crate) pc: u32,
    pub(crate) mask: u32,
    pub(crate) wait: Wait,
    /// When it last ran.
    stamp: u64,
}

/// Why [`Warp::run`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Every lane has exited.
    Done,
    /// Nothing in the warp can run before other warps do.
    Blocked,
    /// It could go on, but has had its turn.
    Yield,
}

/// A fault with the place in the code and the lane.
#[derive(Debug)]
pub(crate) struct WarpFault {
    pub(crate) pc: u32,
    pub(crate) lane: usize,
    pub(crate) reason: FaultReason,
}

/// The state of one warp.
pub(crate) struct Warp {
    pub(crate) regs: Regs,
    pub(crate) splits: SmallVec<[Split; 4]>,
    /// Lanes there are in this block.
    pub(crate) started: u32,
    /// Lanes that have not exited.
    pub(crate) live: u32,
    /// Lanes that have arrived at each block barrier.
    pub(crate) arrived: [u32; BARRIERS],
    /// Lanes that have arrived once more, before the barrier was complete: they count for its next phase.
    again: [u32; BARRIERS],
    pub(crate) first_thread: u64,
    clock: u64,
    /// The split that waited longest is next, whatever its program counter.
    rotate: bool,
}

/// The meaning of the executed instruction for the split that executed it.
pub(crate) enum Next {
    Step,
    Jump(u32),
    /// The split was put away or has ended.
    Gone,
    Yield,
    /// Other warps get a turn, and this one executes the instruction once more.
    Again,
    /// Other warps get a turn; this one goes on where it is.
    Pause,
}

/// The warps of a block of so many that form a warpgroup with one.
pub(crate) fn warpgroup_of(warp: usize, warps: usize) -> Range<usize> {
    let first = warp & !3;
    first..(first + 4).min(warps)
}

impl Warp {
    pub(crate) fn new(code: &Code, first_thread: u64) -> Warp {
        let regs = Regs {
            predicates: vec![0; code.predicates as usize + SCRATCH_PREDICATES],
            words: vec![[0; 32]; code.words as usize + SCRATCH_WORDS],
            doubles: vec![[0; 32]; code.doubles as usize + SCRATCH_DOUBLES],
        };
        Warp {
            regs,
            splits: SmallVec::new(),
            started: 0,
            live: 0,
            arrived: [0; BARRIERS],
            again: [0; BARRIERS],
            first_thread,
            clock: 0,
            rotate: false,
        }
    }

    /// Starts all lanes of `mask` at the first instruction.
    pub(crate) fn start(&mut self, mask: u32) {
        self.splits.clear();
        self.splits.push(Split {
            pc: 0,
            mask,
            wait: Wait::Ready,
            stamp: 0,
        });
        (self.started, self.live) = (mask, mask);
        self.arrived = [0; BARRIERS];
        self.again = [0; BARRIERS];
        self.rotate = false;
        self.regs.predicates[crate::isa::ALWAYS as usize] = FULL;
    }

    /// Runs until the warp ends, blocks, has used its turn, or the block's `steps` are more than `most`. Adds executed
    /// instructions to `steps`.
    pub(crate) fn run(
        &mut self,
        code: &Code,
        view: &mut View<'_>,
        steps: &mut u64,
        most: u64,
    ) -> Result<Stop, WarpFault> {
        let mut fuel = WARP_QUANTUM;
        loop {
            let rotated = self.rotate;
            let Some((mut pc, mut mask)) = self.pick(code, view)? else {
                return Ok(if self.splits.is_empty() {
                    Stop::Done
                } else {
                    Stop::Blocked
                });
            };
            // Calls, returns and branch tables change splits without a branch backwards.
            if fuel == 0 || *steps > most {
                self.put(pc, mask, Wait::Ready);
                return Ok(Stop::Yield);
            }
            fuel -= 1;
            // A split that runs out of order must not give way to those before it at once.
            let mut limit = if rotated { LAST } else { self.next(code) };
            let mut turn = SPLIT_QUANTUM;
            loop {
                if limit != LAST && code.order[pc as usize] >= limit {
                    self.put(pc, mask, Wait::Ready);
                    break;
                }
                let inst = &code.insts[pc as usize];
                let active = mask & (self.regs.predicates[inst.guard as usize] ^ inst.flip);
                *steps += 1;
                view.issued += u64::from(code.issue[pc as usize]);
                let count = &mut view.counters.executed[pc as usize];
                count.0 += 1;
                count.1 += u64::from(active.count_ones());
                if view.followed.get(pc as usize) == Some(&true) {
                    view.instruction(pc, mask, active);
                }
                if let Op::Alu(alu) = &inst.op {
                    (alu.run)(&mut self.regs, alu, active);
                    pc += 1;
                    continue;
                }
                let next = self
                    .step(inst, view, pc, &mut mask, active)
                    .map_err(|(lane, reason)| WarpFault { pc, lane, reason })?;
                match next {
                    Next::Step => pc += 1,
                    Next::Jump(target) => {
                        if target <= pc {
                            (fuel, turn) = (fuel.saturating_sub(1), turn - 1);
                            let ends = fuel == 0 || *steps > most;
                            if ends || turn == 0 && !self.splits.is_empty() {
                                self.put(target, mask, Wait::Ready);
                                self.rotate = self.splits.len() > 1;
                                if ends {
                                    return Ok(Stop::Yield);
                                }
                                break;
                            }
                            turn = turn.max(1);
                        }
                        pc = target;
                        if !rotated {
                            limit = self.next(code);
                        }
                    }
                    Next::Gone => break,
                    Next::Pause => {
                        self.put(pc + 1, mask, Wait::Ready);
                        return Ok(Stop::Yield);
                    }
                    Next::Again => {
                        view.issued -= u64::from(code.issue[pc as usize]);
                        self.put(pc, mask, Wait::Ready);
                        self.rotate = self.splits.len() > 1;
                        return Ok(Stop::Yield);
                    }
                    Next::Yield => {
                        self.put(pc + 1, mask, Wait::Ready);
                        self.rotate = self.splits.len() > 1;
                        return Ok(Stop::Yield);
                    }
                }
            }
        }
    }

    pub(crate) fn put(&mut self, pc: u32, mask: u32, wait: Wait) {
        if mask != 0 {
            self.clock += 1;
            self.splits.push(Split {
                pc,
                mask,
                wait,
                stamp: self.clock,
            });
        }
    }

    /// The place in the order of the next split that should run or be joined; [`LAST`] where there is none.
    fn next(&self, code: &Code) -> u32 {
        let ready = self.splits.iter().filter(|split| split.wait == Wait::Ready);
        ready
            .map(|split| code.order[split.pc as usize])
            .min()
            .unwrap_or(LAST)
    }

    /// Takes the split to run next out of the list, joined with all others at the same instruction.
    fn pick(&mut self, code: &Code, view: &mut View<'_>) -> Result<Option<(u32, u32)>, WarpFault> {
        if self.splits.len() == 1 && self.splits[0].wait == Wait::Ready {
            self.rotate = false;
            return Ok(self.splits.pop().map(|split| (split.pc, split.mask)));
        }
        self.release_lanes(code, view)?;
        let ready = self.splits.iter().filter(|split| split.wait == Wait::Ready);
        let chosen = if core::mem::take(&mut self.rotate) {
            ready.min_by_key(|split| split.stamp).map(|split| split.pc)
        } else {
            ready
                .min_by_key(|split| code.order[split.pc as usize])
                .map(|split| split.pc)
        };
        let Some(chosen) = chosen else {
            return Ok(None);
        };
        let mut mask = 0;
        self.splits.retain(|split| {
            let joins = split.wait == Wait::Ready && split.pc == chosen;
            if joins {
                mask |= split.mask;
            }
            !joins
        });
        Ok(Some((chosen, mask)))
    }

    /// Commits or waits for products of the warpgroup. They are done where its warps have all come to them; who waits before
    /// that comes back.
    fn product_group(
        &mut self,
        view: &mut View<'_>,
        group: ProductGroup,
        mask: &mut u32,
        active: u32,
    ) -> Next {
        let warp = view.first_thread as usize / LANES;
        let most = match group {
            ProductGroup::Commit => {
                view.committed[warp] += 1;
                view.progress = true;
                return Next::Step;
            }
            ProductGroup::Wait { most } => most,
        };
        let done = view.committed[warp].saturating_sub(most);
        let warps = warpgroup_of(warp, view.committed.len());
        if view.committed[warps]
            .iter()
            .any(|&committed| committed < done)
        {
            let pc = view.pc;
            let count = &mut view.counters.executed[pc as usize];
            *count = (count.0 - 1, count.1 - u64::from(active.count_ones()));
            view.in_vain = Some((pc, view.first_thread + u64::from(active.trailing_zeros())));
            self.separate(pc, mask, active);
            return Next::Again;
        }
        view.each_observer(|observer, first| observer.products_awaited(first, active, most));
        Next::Step
    }

    /// Splits off the lanes that do not execute the instruction at `pc`; they go on behind it.
    pub(crate) fn separate(&mut self, pc: u32, mask: &mut u32, active: u32) {
        self.put(pc + 1, *mask & !active, Wait::Ready);
        *mask = active;
    }

    fn step(
        &mut self,
        inst: &Inst,
        view: &mut View<'_>,
        pc: u32,
        mask: &mut u32,
        active: u32,
    ) -> Result<Next, (usize, FaultReason)> {
        if active == 0 {
            if matches!(inst.op, Op::Branch { .. }) {
                view.counters.branches += 1;
            }
            return Ok(Next::Step);
        }
        view.pc = pc;
        view.progress |= others_may_see(&inst.op);
        match &inst.op {
            Op::Alu(_) => {}
            Op::ProductGroup(group) => return Ok(self.product_group(view, *group, mask, active)),
            Op::Nothing => view.fence(active),
            Op::Load(access) => memory::load(view, &mut self.regs, access, active)?,
            Op::Store(access) => memory::store(view, &self.regs, access, active)?,
            Op::Atomic(atomic) => atomics::execute(view, &mut self.regs, atomic, active)?,
            Op::CopyAsync(copy) => pipeline::copy_async(view, &self.regs, copy, active)?,
            Op::WideAtomic(atomic) => wide_atomics::execute(view, &mut self.regs, atomic, active)?,
            Op::AsyncGroup(group) => async_group(view, *group, active),
            Op::Bulk(bulk) => bulk::execute(view, &self.regs, bulk, active)?,
            Op::Mbarrier(barrier) => {
                // Who waits in vain lets other warps work.
                if mbarrier::execute(view, &mut self.regs, barrier, active)? == Progress::Waiting {
                    let thread = view.first_thread + u64::from(active.trailing_zeros());
                    view.in_vain = Some((pc, thread));
                    return Ok(Next::Yield);
                }
                view.progress = true;
            }
            Op::CopyLocal { from, to, bytes } => {
                memory::copy_local(view, *from, *to, *bytes, active)
            }
            Op::Branch { target } => return Ok(self.branch(view, pc, *target, mask, active)),
            Op::BranchTable { index, table } => {
                return self.branch_table(view, pc, *index, table, mask, active);
            }
            Op::Call { link, target } => {
                for lane in lanes(active) {
                    self.regs.words[*link as usize][lane] = pc + 1;
                }
                return Ok(self.branch(view, pc, *target, mask, active));
            }
            Op::Return { link } => return Ok(self.go_back(pc, *link, mask, active)),
            Op::Builtin(call) => builtin::execute(view, call, active)?,
            Op::Exit => {
                self.separate(pc, mask, active);
                self.live &= !active;
                return Ok(Next::Gone);
            }
            Op::Trap => return Err((active.trailing_zeros() as usize, FaultReason::Trap)),
            Op::TooDeep { frames } => {
                let reason = FaultReason::CallDepth { limit: *frames };
                return Err((active.trailing_zeros() as usize, reason));
            }
            Op::Barrier(barrier) => return self.barrier(view, barrier, pc, mask, active),
            Op::Warp { members, op } => return self.together(view, pc, *members, op, mask, active),
            Op::ActiveMask { dest } => {
                for lane in lanes(active) {
                    self.regs.words[*dest as usize][lane] = active;
                }
            }
            Op::Clock { dest } => {
                self.clock += 1;
                for lane in lanes(active) {
                    let now = view.counters.executed[pc as usize].0 + self.clock;
                    match *dest {
                        Slot::Word(slot) => self.regs.words[slot as usize][lane] = now as u32,
                        Slot::Double(slot) => self.regs.doubles[slot as usize][lane] = now,
                    }
                }
            }
            Op::Sleep => return Ok(Next::Yield),
        }
        Ok(if core::mem::take(&mut view.yields) {
            Next::Pause
        } else {
            Next::Step
        })
    }

    fn branch(
        &mut self,
        view: &mut View<'_>,
        pc: u32,
        target: u32,
        mask: &mut u32,
        active: u32,
    ) -> Next {
        view.counters.branches += 1;
        if active == *mask {
            return Next::Jump(target);
        }
        view.counters.divergent += 1;
        self.put(target, active, Wait::Ready);
        self.put(pc + 1, *mask & !active, Wait::Ready);
        *mask = 0;
        Next::Gone
    }

    fn branch_table(
        &mut self,
        view: &mut View<'_>,
        pc: u32,
        index: u32,
        table: &[u32],
        mask: &mut u32,
        active: u32,
    ) -> Result<Next, (usize, FaultReason)> {
        view.counters.branches += 1;
        let indices = self.regs.words[index as usize];
        let before = self.splits.len();
        self.separate(pc, mask, active);
        let mut rest = active;
        while rest != 0 {
            let lane = rest.trailing_zeros() as usize;
            let index = indices[lane];
            let Some(&target) = table.get(index as usize) else {
                let targets = table.len() as u32;
                return Err((lane, FaultReason::BranchIndex { index, targets }));
            };
            let group = lanes(rest)
                .filter(|&lane| indices[lane] == index)
                .fold(0, |m, lane| m | 1 << lane);
            self.put(target, group, Wait::Ready);
            rest &= !group;
        }
        if self.splits.len() > before + 1 {
            view.counters.divergent += 1;
        }
        Ok(Next::Gone)
    }

    fn go_back(&mut self, pc: u32, link: u32, mask: &mut u32, active: u32) -> Next {
        let links = self.regs.words[link as usize];
        self.separate(pc, mask, active);
        let mut rest = active;
        while rest != 0 {
            let target = links[rest.trailing_zeros() as usize];
            let group = lanes(rest)
                .filter(|&lane| links[lane] == target)
                .fold(0, |m, lane| m | 1 << lane);
            self.put(target, group, Wait::Ready);
            rest &= !group;
        }
        Next::Gone
    }

    fn barrier(
        &mut self,
        view: &mut View<'_>,
        barrier: &Barrier,
        pc: u32,
        mask: &mut u32,
        active: u32,
    ) -> Result<Next, (usize, FaultReason)> {
        let lane = active.trailing_zeros() as usize;
        let id = self.regs.words[barrier.id as usize][lane];
        if id as usize >= BARRIERS {
            let text = format!("barrier number {id} is above {}", BARRIERS - 1);
            return Err((lane, FaultReason::BarrierOperand(text)));
        }
        if let Some(threads) = barrier.threads {
            let threads = self.regs.words[threads as usize][lane];
            if threads == 0 || !threads.is_multiple_of(32) || threads > 1024 {
                let text = format!(
                    "{threads} threads at a barrier: not a positive multiple of 32 up to 1024"
                );
                return Err((lane, FaultReason::BarrierOperand(text)));
            }
        }
        let before = self.arrived[id as usize];
        self.arrived[id as usize] |= active;
        if barrier.kind == BarrierKind::Arrive {
            self.again[id as usize] |= before & active;
            view.barrier_arrived(id as u8, active);
            return Ok(Next::Step);
        }
        self.separate(pc, mask, active);
        self.put(pc, active, Wait::Barrier(id as u8));
        Ok(Next::Gone)
    }

    /// Lets the splits that wait at a completed barrier go on, handing each the reduction's result.
    pub(crate) fn release_barrier(&mut self, code: &Code, id: u8, votes: (u32, u32)) {
        self.arrived[id as usize] = core::mem::take(&mut self.again[id as usize]);
        for at in 0..self.splits.len() {
            let split = self.splits[at];
            if split.wait != Wait::Barrier(id) {
                continue;
            }
            if let Op::Barrier(barrier) = &code.insts[split.pc as usize].op {
                self.write_reduction(barrier, split.mask, votes);
            }
            self.splits[at].wait = Wait::Ready;
            self.splits[at].pc += 1;
        }
    }

    fn write_reduction(&mut self, barrier: &Barrier, mask: u32, (yes, all): (u32, u32)) {
        let holds = |holds: bool| if holds { FULL } else { 0 };
        match barrier.kind {
            BarrierKind::ReduceAnd => {
                set_predicate(&mut self.regs, barrier.dest, mask, holds(yes == all))
            }
            BarrierKind::ReduceOr => {
                set_predicate(&mut self.regs, barrier.dest, mask, holds(yes > 0))
            }
            BarrierKind::ReducePopc => {
                for lane in lanes(mask) {
                    self.regs.words[barrier.dest as usize][lane] = yes;
                }
            }
            BarrierKind::Sync | BarrierKind::Arrive => {}
        }
    }
}

/// Whether an operation may change what other threads of the block wait for at an mbarrier.
fn others_may_see(op: &Op) -> bool {
    let own = |space| matches!(space, Space::Local | Space::Param | Space::Const);
    match op {
        Op::Load(access) | Op::Store(access) => !own(access.space),
        Op::Branch { .. } | Op::BranchTable { .. } | Op::Call { .. } | Op::Return { .. } => false,
        Op::Alu(_) | Op::CopyLocal { .. } | Op::ActiveMask { .. } | Op::Clock { .. } => false,
        Op::Mbarrier(_) | Op::Sleep | Op::Nothing | Op::ProductGroup(_) => false,
        _ => true,
    }
}

/// Commits or waits for groups of asynchronous copies.
fn async_group(view: &mut View<'_>, group: AsyncGroup, mask: u32) {
    let warp = view.first_thread as u32 / 32;
    match group {
        AsyncGroup::Commit => {
            view.pipeline.commit(warp, mask);
            view.each_observer(|observer, first| observer.group_committed(first));
        }
        AsyncGroup::Wait { most } => {
            pipeline::wait(view, mask, most);
            view.each_observer(|observer, first| observer.groups_awaited(first, most));
        }
        AsyncGroup::CommitBulk => {
            for lane in lanes(mask) {
                view.pipeline.commit_bulk(view.first_thread + lane as u64);
            }
        }
        AsyncGroup::WaitBulk { most, read } => {
            for lane in lanes(mask) {
                let thread = view.first_thread + lane as u64;
                if read {
                    pipeline::read_sources(view, thread, most);
                } else {
                    let stores = view.pipeline.due_stores(thread, most);
                    pipeline::write_stores(view, &stores);
                }
            }
        }
    }
}
