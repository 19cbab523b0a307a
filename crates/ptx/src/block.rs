//! One thread block: its warps take turns until all have ended; barriers complete when no warp can run.

use crate::counters::Counters;
use crate::exec::observe::{Observer, PartOfWarp};
use crate::exec::pipeline::{self, Pipeline};
use crate::exec::view::{Shared, View};
use crate::fault::FaultReason;
use crate::isa::{Code, Op, Special};
use crate::options::{Cancel, Options, Shape};
use crate::warp::{BARRIERS, Split, Stop, Wait, Warp};

/// Fill of shared and local memory before a block starts: NaN as a float, so that forgotten initialisation shows.
const UNINITIALISED: u8 = 0xff;

/// Rounds in which threads only look at mbarriers or wait for products, after which none will ever arrive. Loops that give up
/// look less often.
const VAIN_ROUNDS: u32 = 1 << 18;

/// A fault inside a block: instruction, linear thread index, reason.
#[derive(Debug)]
pub(crate) struct BlockFault {
    pub(crate) pc: u32,
    pub(crate) thread: u64,
    pub(crate) reason: FaultReason,
}

/// A barrier and the warps that meet there, one bit each.
#[derive(Clone, Copy)]
struct Meeting {
    id: u8,
    warps: u32,
}

impl Meeting {
    fn of_all(id: u8) -> Meeting {
        Meeting {
            id,
            warps: u32::MAX,
        }
    }

    fn has(self, warp: usize) -> bool {
        self.warps >> (warp & 31) & 1 != 0
    }
}

/// Runs blocks one after another on one host thread, reusing their memory.
pub(crate) struct BlockRunner<'a, C> {
    code: &'a Code,
    launch: &'a Shared<'a>,
    shape: Shape,
    warps: Vec<Warp>,
    shared: Vec<u8>,
    local: Vec<u8>,
    pipeline: Pipeline,
    /// Groups of products that each warp has committed.
    committed: Vec<u32>,
    options: &'a Options,
    /// Warp instructions of the block so far.
    steps: u64,
    /// Rounds in which threads looked at mbarriers or waited for products, and nobody did anything else.
    waited: u32,
    pub(crate) counters: Counters,
    checker: Option<C>,
    /// By instruction: whether the checker follows it; empty without one.
    followed: Vec<bool>,
}

impl<'a, C: Observer> BlockRunner<'a, C> {
    /// `checker` is told what the blocks do.
    pub(crate) fn new(
        launch: &'a Shared<'a>,
        shape: Shape,
        options: &'a Options,
        checker: Option<C>,
    ) -> BlockRunner<'a, C> {
        let code = launch.code;
        let threads = shape.threads();
        let followed = checker.as_ref().map_or_else(Vec::new, |checker| {
            let pcs = 0..code.insts.len() as u32;
            pcs.map(|pc| checker.follows(pc)).collect()
        });
        let mut runner = BlockRunner {
            code,
            launch,
            shape,
            warps: (0..threads.div_ceil(32))
                .map(|warp| Warp::new(code, u64::from(warp) * 32))
                .collect(),
            shared: vec![UNINITIALISED; shape.shared_bytes as usize],
            local: vec![UNINITIALISED; shape.local_bytes(code.local_bytes)],
            pipeline: Pipeline::default(),
            committed: vec![0; threads.div_ceil(32) as usize],
            options,
            steps: 0,
            waited: 0,
            counters: Counters::new(code.insts.len()),
            checker,
            followed,
        };
        runner.fill_constants();
        runner
    }

    /// The counters, and the observers.
    pub(crate) fn results(self) -> (Counters, Option<C>) {
        (self.counters, self.checker)
    }

    fn fill_constants(&mut self) {
        let (code, shape) = (self.code, self.shape);
        let count = self.warps.len() as u32;
        for (index, warp) in self.warps.iter_mut().enumerate() {
            for &(slot, value) in &code.word_constants {
                warp.regs.words[slot as usize] = [value; 32];
            }
            for &(slot, value) in &code.double_constants {
                warp.regs.doubles[slot as usize] = [value; 32];
            }
            for &(slot, special) in &code.specials {
                let lane_value = |lane: u32| {
                    let thread =
                        Shape::coordinates(shape.block, index as u64 * 32 + u64::from(lane));
                    special_value(special, lane, index as u32, count, thread, &shape)
                };
                warp.regs.words[slot as usize] =
                    core::array::from_fn(|lane| lane_value(lane as u32));
            }
        }
    }

    /// Memory of this runner, about.
    pub(crate) fn bytes(&self) -> u64 {
        let code = self.code;
        let registers = 4 * (code.predicates / 32 + code.words + 2 * code.doubles) + 4;
        let threads = 32 * self.warps.len() as u64;
        // The checkers keep three stamps for a granule of shared memory.
        let shared = self.shared.len() as u64 * if self.checker.is_some() { 25 } else { 1 };
        shared + self.local.len() as u64 + threads * u64::from(registers)
    }

    /// Runs the block that was started for about so many warp instructions; says whether it has ended.
    pub(crate) fn turn(&mut self, index: u64, instructions: u64) -> Result<bool, BlockFault> {
        let end = self.steps.saturating_add(instructions);
        while self.steps < end {
            if self.round(index, None)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Starts a block; [`Self::round`] runs it.
    pub(crate) fn start(&mut self, index: u64, block: [u32; 3]) {
        self.begin(block);
        (self.steps, self.waited) = (0, 0);
        if let Some(checker) = &mut self.checker {
            checker.block_starts(index);
        }
    }

    /// Gives each warp of the block one turn; says whether the block has ended. `profiler` is told what they do beside
    /// the checker, and may end a turn at a request of memory.
    pub(crate) fn round(
        &mut self,
        index: u64,
        mut profiler: Option<&mut dyn Observer>,
    ) -> Result<bool, BlockFault> {
        let (mut running, mut done) = (false, true);
        let (mut progress, mut in_vain) = (false, None);
        let most = self.options.instruction_limit.unwrap_or(u64::MAX);
        for warp in &mut self.warps {
            if warp.splits.is_empty() {
                continue;
            }
            let first_thread = warp.first_thread;
            let mut view = View {
                launch: self.launch,
                shared: &mut self.shared,
                local: &mut self.local,
                local_bytes: u64::from(self.code.local_bytes),
                first_thread,
                pipeline: &mut self.pipeline,
                committed: &mut self.committed,
                counters: &mut self.counters,
                observers: [
                    self.checker
                        .as_mut()
                        .map(|checker| checker as &mut dyn Observer),
                    match &mut profiler {
                        Some(profiler) => Some(&mut **profiler),
                        None => None,
                    },
                ],
                followed: &self.followed,
                yields: false,
                block: index,
                pc: 0,
                issued: 0,
                progress: false,
                in_vain: None,
            };
            let ran = warp.run(self.code, &mut view, &mut self.steps, most);
            let issued = view.issued;
            progress |= view.progress;
            in_vain = in_vain.or(view.in_vain);
            if let Some(checker) = &mut self.checker {
                checker.turn_ended(first_thread, issued);
            }
            if let Some(profiler) = &mut profiler {
                profiler.turn_ended(first_thread, issued);
            }
            let stop = ran.map_err(|fault| BlockFault {
                pc: fault.pc,
                thread: first_thread + fault.lane as u64,
                reason: fault.reason,
            })?;
            running |= stop == Stop::Yield;
            done &= stop == Stop::Done;
            if stop == Stop::Done {
                self.committed[first_thread as usize / 32] = u32::MAX;
            }
        }
        if done {
            self.finish_stores();
            return Ok(true);
        }
        let released = self.complete_barriers(profiler)?;
        if !released && !running {
            return Err(self.deadlock());
        }
        self.waited = match in_vain {
            Some(_) if !progress && !released => self.waited + 1,
            _ => 0,
        };
        if let Some((pc, thread)) = in_vain.filter(|_| self.waited > VAIN_ROUNDS) {
            let text = match self.code.insts[pc as usize].op {
                Op::ProductGroup(_) => {
                    "a warp waits for products that others of its warpgroup never commit"
                }
                _ => "threads wait for an mbarrier at which nobody arrives any more",
            };
            let reason = FaultReason::Deadlock(text.to_owned());
            return Err(BlockFault { pc, thread, reason });
        }
        if self.steps > most {
            return Err(self.stuck(FaultReason::InstructionLimit { limit: most }));
        }
        if self.options.cancel.as_ref().is_some_and(Cancel::is_set) {
            return Err(self.stuck(FaultReason::Cancelled));
        }
        Ok(false)
    }

    /// Bulk stores nobody waited for still reach global memory, here: elsewhere the block's shared memory may be
    /// another's by the time they read it.
    fn finish_stores(&mut self) {
        if !self.pipeline.has_stores() {
            return;
        }
        let stores = self.pipeline.all_stores();
        if let Some(checker) = &mut self.checker {
            let unread = stores.iter().filter_map(|store| store.unread());
            unread.for_each(|copy| checker.copy_outlives(copy));
        }
        let mut view = View {
            launch: self.launch,
            shared: &mut self.shared,
            local: &mut self.local,
            local_bytes: u64::from(self.code.local_bytes),
            first_thread: 0,
            pipeline: &mut self.pipeline,
            committed: &mut self.committed,
            counters: &mut self.counters,
            observers: [None, None],
            followed: &[],
            yields: false,
            block: 0,
            pc: 0,
            issued: 0,
            progress: false,
            in_vain: None,
        };
        pipeline::write_stores(&mut view, &stores);
    }

    fn begin(&mut self, block: [u32; 3]) {
        self.shared.fill(UNINITIALISED);
        self.local.fill(UNINITIALISED);
        self.pipeline.clear();
        self.committed.fill(0);
        let threads = self.shape.threads();
        for (index, warp) in self.warps.iter_mut().enumerate() {
            let lanes = (threads - index as u32 * 32).min(32);
            warp.start(if lanes == 32 {
                u32::MAX
            } else {
                (1 << lanes) - 1
            });
            for &(slot, special) in &self.code.specials {
                if let Special::Ctaid(axis) = special {
                    warp.regs.words[slot as usize] = [block[usize::from(axis % 3)]; 32];
                }
            }
        }
    }

    /// Releases every barrier all of whose threads have arrived; says whether there was one.
    fn complete_barriers(
        &mut self,
        mut profiler: Option<&mut dyn Observer>,
    ) -> Result<bool, BlockFault> {
        let mut released = false;
        for id in 0..BARRIERS as u8 {
            while let Some(meeting) = self.meeting(id) {
                if self.options.checks.barrier_divergence {
                    self.check_alignment(meeting)?;
                }
                match &mut profiler {
                    Some(profiler) => self.observe_barrier(meeting, Some(&mut **profiler)),
                    None => self.observe_barrier(meeting, None),
                }
                let votes = self.votes(meeting);
                for (index, warp) in self.warps.iter_mut().enumerate() {
                    if meeting.has(index) {
                        warp.release_barrier(self.code, id, votes);
                    }
                }
                self.counters.barriers += 1;
                released = true;
            }
        }
        Ok(released)
    }

    /// Tells the observers who met: all live threads, or those that wait (others may have arrived and gone on).
    fn observe_barrier(&mut self, meeting: Meeting, profiler: Option<&mut dyn Observer>) {
        let mut checker = self.checker.take();
        if checker.is_none() && profiler.is_none() {
            return;
        }
        if let Some(checker) = &mut checker {
            self.observe_exited(meeting, checker);
        }
        let waiting: Vec<(u64, u32)> = self
            .waiting(meeting)
            .map(|(warp, split)| (self.warps[warp].first_thread, split.mask))
            .collect();
        let present: u32 = waiting.iter().map(|(_, mask)| mask.count_ones()).sum();
        let live: u32 = self.warps.iter().map(|warp| warp.live.count_ones()).sum();
        if let Some(checker) = &mut checker {
            checker.barrier_completed(meeting.id, present == live, &waiting);
        }
        if let Some(profiler) = profiler {
            profiler.barrier_completed(meeting.id, present == live, &waiting);
        }
        self.checker = checker;
    }

    /// Aligned barriers demand that no thread of the warp has exited.
    fn observe_exited(&self, meeting: Meeting, checker: &mut C) {
        for (warp, split) in self.waiting(meeting) {
            let warp = &self.warps[warp];
            let lanes = (warp.started & !warp.live).count_ones();
            let aligned = matches!(&self.code.insts[split.pc as usize].op, Op::Barrier(barrier) if barrier.aligned);
            if lanes != 0 && aligned {
                let thread = warp.first_thread + u64::from(split.mask.trailing_zeros());
                checker.part_of_warp(
                    split.pc,
                    thread,
                    PartOfWarp::Exited {
                        barrier: meeting.id,
                        lanes,
                    },
                );
            }
        }
    }

    /// The warps that meet at a barrier now: all, or as many as have the number of threads that it names. Exited threads
    /// count as arrived. Where more have arrived, the first warps meet and the others wait on.
    fn meeting(&self, id: u8) -> Option<Meeting> {
        let arrived = |warp: &Warp| warp.arrived[usize::from(id)];
        if self.warps.iter().all(|warp| arrived(warp) == 0) {
            return None;
        }
        let Some(threads) = self.expected(id) else {
            let mut warps = self.warps.iter();
            return warps
                .all(|warp| arrived(warp) & warp.live == warp.live)
                .then_some(Meeting::of_all(id));
        };
        let (mut count, mut warps) = (0, 0);
        for (index, warp) in self.warps.iter().enumerate() {
            // A warp of which every live thread has arrived counts as a whole one.
            count += match arrived(warp) {
                0 => continue,
                mask if mask & warp.live == warp.live => 32,
                mask => mask.count_ones(),
            };
            warps |= 1 << index;
            if count >= threads {
                return Some(Meeting { id, warps });
            }
        }
        None
    }

    /// Number of threads a waiting instruction names for the barrier.
    fn expected(&self, id: u8) -> Option<u32> {
        self.waiting(Meeting::of_all(id)).find_map(|(warp, split)| {
            match &self.code.insts[split.pc as usize].op {
                Op::Barrier(barrier) => {
                    let lane = split.mask.trailing_zeros() as usize & 31;
                    barrier
                        .threads
                        .map(|slot| self.warps[warp].regs.words[slot as usize][lane])
                }
                _ => None,
            }
        })
    }

    fn waiting(&self, meeting: Meeting) -> impl Iterator<Item = (usize, &Split)> {
        self.warps
            .iter()
            .enumerate()
            .filter(move |&(index, _)| meeting.has(index))
            .flat_map(move |(index, warp)| {
                warp.splits
                    .iter()
                    .filter(move |split| split.wait == Wait::Barrier(meeting.id))
                    .map(move |split| (index, split))
            })
    }

    /// Aligned barriers demand that all threads of a warp execute the same instruction.
    fn check_alignment(&self, meeting: Meeting) -> Result<(), BlockFault> {
        let mut first: Option<(usize, &Split)> = None;
        for (warp, split) in self.waiting(meeting) {
            let aligned = matches!(&self.code.insts[split.pc as usize].op, Op::Barrier(barrier) if barrier.aligned);
            if let Some((_, other)) =
                first.filter(|&(index, other)| index == warp && other.pc != split.pc)
                && aligned
            {
                let line = |pc: u32| self.code.origins[pc as usize].line;
                return Err(BlockFault {
                    pc: split.pc,
                    thread: self.warps[warp].first_thread + u64::from(split.mask.trailing_zeros()),
                    reason: FaultReason::BarrierDivergence {
                        barrier: u32::from(meeting.id),
                        first_line: line(other.pc),
                        second_line: line(split.pc),
                    },
                });
            }
            first = Some((warp, split));
        }
        Ok(())
    }

    /// How many waiting threads vote yes in a reducing barrier, of how many.
    fn votes(&self, meeting: Meeting) -> (u32, u32) {
        let mut votes = (0, 0);
        for (warp, split) in self.waiting(meeting) {
            if let Op::Barrier(barrier) = &self.code.insts[split.pc as usize].op {
                let yes = self.warps[warp].regs.predicates[barrier.source as usize];
                let yes = if barrier.negated { !yes } else { yes };
                votes.0 += (yes & split.mask).count_ones();
                votes.1 += split.mask.count_ones();
            }
        }
        votes
    }

    fn deadlock(&self) -> BlockFault {
        let count = |wanted: fn(&Wait) -> bool| -> u32 {
            let splits = self.warps.iter().flat_map(|warp| &warp.splits);
            splits
                .filter(|split| wanted(&split.wait))
                .map(|split| split.mask.count_ones())
                .sum()
        };
        let at_barriers = count(|wait| matches!(wait, Wait::Barrier(_)));
        let at_lanes = count(|wait| *wait == Wait::Lanes);
        let live: u32 = self.warps.iter().map(|warp| warp.live.count_ones()).sum();
        self.stuck(FaultReason::Deadlock(format!(
            "of {live} live threads {at_barriers} wait at barriers and {at_lanes} for other lanes of their warp"
        )))
    }

    /// A fault at the first thread that is still there.
    fn stuck(&self, reason: FaultReason) -> BlockFault {
        let mut places = self
            .warps
            .iter()
            .filter_map(|warp| warp.splits.first().map(|split| (warp, split)));
        match places.next() {
            Some((warp, split)) => {
                let thread = warp.first_thread + u64::from(split.mask.trailing_zeros());
                BlockFault {
                    pc: split.pc,
                    thread,
                    reason,
                }
            }
            None => BlockFault {
                pc: 0,
                thread: 0,
                reason,
            },
        }
    }
}

fn special_value(
    special: Special,
    lane: u32,
    warp: u32,
    warps: u32,
    thread: [u32; 3],
    shape: &Shape,
) -> u32 {
    let axis_of = |values: [u32; 3], axis: u8| values[usize::from(axis % 3)];
    let below = (1u32 << lane) - 1;
    match special {
        Special::Tid(axis) => axis_of(thread, axis),
        Special::Ntid(axis) => axis_of(shape.block, axis),
        Special::Nctaid(axis) => axis_of(shape.grid, axis),
        Special::LaneId => lane,
        Special::WarpId => warp,
        Special::WarpCount => warps,
        Special::LaneMaskEq => 1 << lane,
        Special::LaneMaskLt => below,
        Special::LaneMaskLe => below | 1 << lane,
        Special::LaneMaskGt => !(below | 1 << lane),
        Special::LaneMaskGe => !below,
        Special::DynamicSharedBytes => shape.dynamic_shared,
        Special::TotalSharedBytes => shape.shared_bytes,
        Special::One => 1,
        // The block's coordinates change from block to block and are written when one starts.
        Special::Ctaid(_) | Special::Zero => 0,
    }
}
