//! Clocks of the warps that a multiprocessor holds: how long each has waited for its own instructions and requests.
//!
//! ```text
//! block of 8 warps, of which one has a point:   0 |==load==add==add==load==store==|    the block takes as long as warp 0:
//!                                               1 |=exit                               warps that have ended hide nothing
//! ```
//!
//! A warp's clock goes on as its instructions are issued ([`crate::overlap`]), and by the latency of the level that served it with
//! each load: of those that are on their way together, by the longest. Asynchronous copies are waited for with their group;
//! nobody waits for a store. Loads of a round that pass the L1 caches
//! share the time of those that go to memory: of multiprocessors that ask for the same sectors at once, the simulator lets the
//! first one wait for memory and the others find them, an order that is its own. At a barrier the clocks of all who waited are
//! set to the latest, that of a warp that only arrived among them. A block ends with its last warp, and the next block begins in the
//! place of the one that ended first, by these clocks. So the latest clock is the longest chain of waiting from the first block to
//! the last. Two more go on as if the L2 or the L1 cache held all data: what is left of the chain when the caches have filled.
//!
//! A warp that sees a phase of an `mbarrier` end goes on no earlier than the latest of those that arrived in it, and than the bulk
//! copies that signal it are there; who issues those goes on at once.
//!
//! Deliberately absent: blocks that wait for one another in memory but for the requests that they make while they do; and what
//! memory adds to copies of which a thread sees the end in the round in which they were issued.

use super::machine::Latency;
use crate::overlap::LATENCY;
use crate::warp::BARRIERS;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// The time that a clock shows, in cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Cycles {
    /// All that was waited for.
    pub(crate) all: f64,
    /// The same, if the L2 cache held everything.
    pub(crate) by_l2: f64,
    /// The same, if the L1 cache did.
    pub(crate) by_l1: f64,
}

/// Requests of a warp that it does not wait for yet.
#[derive(Clone, Debug, Default)]
struct OnTheWay {
    /// The longest latency of loads that are waited for with the next one, but for what memory adds to it.
    loads: Cycles,
    from_memory: f64,
    /// When the asynchronous copies are there that belong to no group yet.
    copies: Cycles,
    /// The same of groups, first the one that was committed first.
    groups: VecDeque<Cycles>,
    /// When those are there that the warp waits for in its turn.
    awaited: Cycles,
}

/// An mbarrier.
#[derive(Clone, Copy, Debug, Default)]
struct Phases {
    /// How many have ended.
    number: u64,
    /// When all are there that have arrived in the present one, and what they have sent.
    present: Cycles,
    /// When the one before it ended.
    before: Cycles,
}

impl Phases {
    /// In this phase, something comes that late.
    fn comes(&mut self, number: u64, there: Cycles) {
        if number == self.number {
            self.present = self.present.later(there);
        } else if number + 1 == self.number {
            self.before = self.before.later(there);
        }
    }
}

/// A bulk copy that signals an mbarrier.
#[derive(Clone, Copy, Debug)]
struct Sent {
    place: usize,
    at: u64,
    phase: u64,
    there: Cycles,
}

/// How a warp goes on behind a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    /// When it is served.
    Now,
    /// When the next load is.
    Together,
    /// At once; what it asked for is there when it waits for the group of the copy.
    WithGroup,
    /// At once.
    Never,
}

impl Cycles {
    /// The same by all clocks.
    fn of(cycles: f64) -> Cycles {
        Cycles {
            all: cycles,
            by_l2: cycles,
            by_l1: cycles,
        }
    }

    /// So much later.
    fn behind(self, other: Cycles) -> Cycles {
        Cycles {
            all: self.all + other.all,
            by_l2: self.by_l2 + other.by_l2,
            by_l1: self.by_l1 + other.by_l1,
        }
    }

    fn add(&mut self, cycles: f64) {
        self.all += cycles;
        self.by_l2 += cycles;
        self.by_l1 += cycles;
    }

    /// The later of both, by each part.
    fn later(self, other: Cycles) -> Cycles {
        Cycles {
            all: self.all.max(other.all),
            by_l2: self.by_l2.max(other.by_l2),
            by_l1: self.by_l1.max(other.by_l1),
        }
    }
}

/// Most groups of copies that are told apart: of more, the first two are one.
const MOST_GROUPS: usize = 64;

/// The clocks of a multiprocessor.
pub(crate) struct Clocks {
    latency: Latency,
    warps_per_block: usize,
    /// The first warp of the block that runs.
    first: usize,
    /// By resident block, then warp.
    warps: Vec<Cycles>,
    /// By the same.
    on_the_way: Vec<OnTheWay>,
    /// Of the places without a block: when their last ones ended.
    free: Vec<Cycles>,
    /// Warps that wait for loads from the L2 cache, or memory.
    loading: Vec<(u32, Wait, Cycles)>,
    /// By resident block: the latest clock of those that arrived at each barrier without waiting.
    arrived: Vec<[Cycles; BARRIERS]>,
    /// By resident block: mbarriers, by their offset in shared memory.
    phases: Vec<FxHashMap<u64, Phases>>,
    /// Bulk copies of the round.
    sent: Vec<Sent>,
}

impl Clocks {
    pub(crate) fn new(latency: Latency, blocks: usize, warps_per_block: usize) -> Clocks {
        Clocks {
            latency,
            warps_per_block,
            first: 0,
            warps: vec![Cycles::default(); blocks * warps_per_block],
            on_the_way: vec![OnTheWay::default(); blocks * warps_per_block],
            free: vec![Cycles::default(); blocks],
            loading: Vec::new(),
            arrived: vec![[Cycles::default(); BARRIERS]; blocks],
            phases: vec![FxHashMap::default(); blocks],
            sent: Vec::new(),
        }
    }

    /// The resident block at this place has its turn; `begins` where it is a new one.
    pub(crate) fn turn_of(&mut self, place: usize, begins: bool) {
        self.first = place * self.warps_per_block;
        if begins {
            let order = |(_, one): &(usize, &Cycles), (_, other): &(usize, &Cycles)| {
                one.all.total_cmp(&other.all)
            };
            let earliest = self.free.iter().enumerate().min_by(order);
            let cycles = match earliest.map(|(at, _)| at) {
                Some(at) => self.free.swap_remove(at),
                None => self.latest(),
            };
            self.warps[self.first..][..self.warps_per_block].fill(cycles);
            self.on_the_way[self.first..][..self.warps_per_block].fill(OnTheWay::default());
            self.arrived[place] = [Cycles::default(); BARRIERS];
            self.phases[place].clear();
        }
    }

    /// The resident block at this place has ended.
    pub(crate) fn ended(&mut self, place: usize) {
        for warp in 0..self.warps_per_block {
            self.settle(place * self.warps_per_block + warp);
        }
        let warps = &self.warps[place * self.warps_per_block..][..self.warps_per_block];
        self.free.push(latest(warps));
    }

    /// Number of the warp whose first thread in the block that runs is given.
    pub(crate) fn number(&self, first_thread: u64) -> u32 {
        self.first as u32 + first_thread as u32 / 32
    }

    /// Instructions of a warp were issued in so many cycles, of which a result is there after [`LATENCY`].
    pub(crate) fn executed(&mut self, warp: u32, cycles: u64) {
        let cycles = cycles as f64 * self.latency.arithmetic / f64::from(LATENCY);
        let clock = &mut self.warps[warp as usize];
        clock.add(cycles);
        // A warp waits at the end of its turn, as a barrier follows.
        let awaited = core::mem::take(&mut self.on_the_way[warp as usize].awaited);
        *clock = clock.later(awaited);
    }

    /// A warp made a group of its asynchronous copies.
    pub(crate) fn committed(&mut self, warp: u32) {
        let before = &mut self.on_the_way[warp as usize];
        let copies = core::mem::take(&mut before.copies);
        before.groups.push_back(copies);
        if before.groups.len() > MOST_GROUPS
            && let Some(first) = before.groups.pop_front()
        {
            before.groups[0] = before.groups[0].later(first);
        }
    }

    /// A warp waits until so many groups are on their way at most; none: for all copies.
    pub(crate) fn awaited(&mut self, warp: u32, most: Option<u32>) {
        let before = &mut self.on_the_way[warp as usize];
        if most.is_none() {
            before.awaited = before.awaited.later(core::mem::take(&mut before.copies));
        }
        while before.groups.len() > most.unwrap_or(0) as usize
            && let Some(there) = before.groups.pop_front()
        {
            before.awaited = before.awaited.later(there);
        }
    }

    /// A warp made a request of shared memory.
    pub(crate) fn shared(&mut self, warp: u32, wait: Wait) {
        if wait == Wait::Now {
            self.warps[warp as usize].add(self.latency.shared);
        }
    }

    /// A warp made a request that the L1 cache served.
    pub(crate) fn near(&mut self, warp: u32, wait: Wait) {
        let latency = Cycles::of(self.latency.l1);
        self.served(warp, wait, (latency, 0.0));
    }

    /// A warp made a request of the L2 cache; of what it loads, [`Self::loaded`] tells the rest. The L1 cache will serve its like
    /// when it holds all data, where one `looked` there first.
    pub(crate) fn far(&mut self, warp: u32, wait: Wait, looked: bool) {
        let mut latency = Cycles::of(self.latency.l2);
        if looked {
            latency.by_l1 = self.latency.l1;
        }
        if wait != Wait::Never {
            self.loading.push((warp, wait, latency));
        }
    }

    /// This part of what all multiprocessors loaded in the round came from memory.
    pub(crate) fn loaded(&mut self, from_memory: f64) {
        let more = from_memory * (self.latency.memory - self.latency.l2);
        let mut loading = core::mem::take(&mut self.loading);
        for (warp, wait, latency) in loading.drain(..) {
            self.served(warp, wait, (latency, more));
        }
        self.loading = loading;
        for sent in self.sent.drain(..) {
            let mut there = sent.there;
            there.all += more;
            if let Some(phases) = self.phases[sent.place].get_mut(&sent.at) {
                phases.comes(sent.phase, there);
            }
        }
    }

    /// The mbarrier at this offset of the block that runs begins anew.
    pub(crate) fn set_up(&mut self, at: u64) {
        let place = self.first / self.warps_per_block;
        self.phases[place].insert(at, Phases::default());
    }

    fn phases(&mut self, at: u64) -> &mut Phases {
        let place = self.first / self.warps_per_block;
        self.phases[place].entry(at).or_default()
    }

    /// A warp arrived at an mbarrier.
    pub(crate) fn arrived_in_memory(&mut self, warp: u32, at: u64) {
        self.settle(warp as usize);
        let now = self.warps[warp as usize];
        let phases = self.phases(at);
        phases.comes(phases.number, now);
    }

    /// A warp issued a copy from the L2 cache that signals an mbarrier; of what it loads, [`Self::loaded`] tells the rest.
    pub(crate) fn sent(&mut self, warp: u32, at: u64) {
        let there = self.warps[warp as usize].behind(Cycles::of(self.latency.l2));
        let place = self.first / self.warps_per_block;
        let phases = self.phases(at);
        let phase = phases.number;
        phases.comes(phase, there);
        self.sent.push(Sent {
            place,
            at,
            phase,
            there,
        });
    }

    /// A phase of an mbarrier ended.
    pub(crate) fn phase_ended(&mut self, at: u64) {
        let phases = self.phases(at);
        phases.number += 1;
        phases.before = core::mem::take(&mut phases.present);
    }

    /// A warp saw a phase of an mbarrier end.
    pub(crate) fn passed(&mut self, warp: u32, at: u64) {
        self.settle(warp as usize);
        let phases = *self.phases(at);
        let clock = &mut self.warps[warp as usize];
        // Who asks for the phase before the first one waits for nothing.
        *clock = clock.later(phases.before);
    }

    /// A request of a warp is served after so many cycles, and so many more by the clock of all that there is.
    fn served(&mut self, warp: u32, wait: Wait, (latency, more): (Cycles, f64)) {
        let clock = &mut self.warps[warp as usize];
        let before = &mut self.on_the_way[warp as usize];
        match wait {
            Wait::Now => {
                *clock = clock.behind(before.loads.later(latency));
                clock.all += before.from_memory.max(more);
                (before.loads, before.from_memory) = (Cycles::default(), 0.0);
            }
            Wait::Together => {
                before.loads = before.loads.later(latency);
                before.from_memory = before.from_memory.max(more);
            }
            Wait::WithGroup => {
                let mut there = clock.behind(latency);
                there.all += more;
                before.copies = before.copies.later(there);
            }
            Wait::Never => {}
        }
    }

    /// A warp waits for the loads that are on their way: the next one, which it would have waited for with them, was not its own.
    fn settle(&mut self, warp: usize) {
        let before = &mut self.on_the_way[warp];
        let clock = &mut self.warps[warp];
        *clock = clock.behind(core::mem::take(&mut before.loads));
        clock.all += core::mem::take(&mut before.from_memory);
    }

    /// A warp arrived at a barrier and goes on.
    pub(crate) fn arrived(&mut self, id: u8, warp: u32) {
        self.settle(warp as usize);
        let cycles = self.warps[warp as usize];
        let place = warp as usize / self.warps_per_block;
        let latest = &mut self.arrived[place][usize::from(id)];
        *latest = latest.later(cycles);
    }

    /// A barrier at which these warps of the block that runs have waited is complete.
    pub(crate) fn met(&mut self, id: u8, waited: impl Iterator<Item = u32> + Clone) {
        let place = self.first / self.warps_per_block;
        waited.clone().for_each(|warp| self.settle(warp as usize));
        let arrived = core::mem::take(&mut self.arrived[place][usize::from(id)]);
        let clocks = waited.clone().map(|warp| self.warps[warp as usize]);
        let latest = clocks.fold(arrived, Cycles::later);
        for warp in waited {
            self.warps[warp as usize] = latest;
        }
    }

    /// The mean of the clocks of places without a block; of no interest where some have one.
    pub(crate) fn mean(&self) -> Cycles {
        let places = self.free.len().max(1) as f64;
        let part = |part: fn(&Cycles) -> f64| self.free.iter().map(part).sum::<f64>() / places;
        Cycles {
            all: part(|cycles| cycles.all),
            by_l2: part(|cycles| cycles.by_l2),
            by_l1: part(|cycles| cycles.by_l1),
        }
    }

    /// The latest clock.
    pub(crate) fn latest(&self) -> Cycles {
        latest(&self.warps)
    }
}

fn latest(warps: &[Cycles]) -> Cycles {
    warps.iter().copied().fold(Cycles::default(), Cycles::later)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Machine;

    /// Cycles are 4 for an instruction, 23, 33, 200 and 470 for requests.
    fn clocks(blocks: usize, warps: usize) -> Clocks {
        Clocks::new(Machine::A100.latency, blocks, warps)
    }

    #[test]
    fn a_warp_that_has_ended_hides_nothing() {
        let mut clocks = clocks(1, 8);
        clocks.turn_of(0, true);
        (0..8).for_each(|warp| clocks.executed(warp, 2 * 4));
        clocks.far(0, Wait::Now, false);
        clocks.loaded(0.0);
        clocks.executed(0, 10 * 4);
        assert_eq!(clocks.latest().all, 200.0 + 12.0 * 4.0);
    }

    #[test]
    fn a_phase_of_an_mbarrier_ends_with_its_copies_and_its_last_warp() {
        let mut clocks = clocks(1, 3);
        clocks.turn_of(0, true);
        clocks.set_up(64);
        clocks.executed(0, 10 * 4);
        // Two rows of a box are on their way together, half of what the round loads comes from memory.
        clocks.sent(0, 64);
        clocks.sent(0, 64);
        clocks.arrived_in_memory(0, 64);
        clocks.loaded(0.5);
        assert_eq!(clocks.latest().all, 40.0, "who copies does not wait");
        clocks.phase_ended(64);
        clocks.passed(1, 64);
        assert_eq!(clocks.latest().all, 40.0 + 200.0 + 135.0);
        assert_eq!(clocks.latest().by_l2, 40.0 + 200.0);
        // The next phase ends with warp 1, which is late; nobody is earlier than that.
        clocks.arrived_in_memory(1, 64);
        clocks.phase_ended(64);
        clocks.passed(2, 64);
        clocks.passed(0, 64);
        assert_eq!(clocks.warps[0], clocks.warps[1]);
        assert_eq!(clocks.warps[2], clocks.warps[1]);
    }

    #[test]
    fn warps_go_on_from_a_barrier_together() {
        let mut clocks = clocks(1, 3);
        clocks.turn_of(0, true);
        clocks.executed(0, 100 * 4);
        clocks.executed(2, 7 * 4);
        // Warp 2 only arrives, at 28; 0 and 1 wait.
        clocks.arrived(1, 2);
        clocks.met(1, 0..2);
        clocks.executed(1, 4);
        clocks.executed(2, 4);
        assert_eq!(clocks.latest().all, 404.0);
        // An arrival counts for one barrier only.
        clocks.executed(2, 200 * 4);
        clocks.arrived(1, 2);
        clocks.met(1, 0..1);
        clocks.executed(0, 4);
        assert_eq!(clocks.latest().all, 832.0 + 4.0);
        clocks.met(1, 1..2);
        clocks.executed(1, 100 * 4);
        assert_eq!(clocks.latest().all, 836.0);
    }

    #[test]
    fn the_next_block_begins_where_the_first_has_ended() {
        let mut clocks = clocks(2, 2);
        clocks.turn_of(0, true);
        clocks.executed(clocks.number(32), 10 * 4);
        clocks.ended(0);
        clocks.turn_of(1, true);
        clocks.executed(clocks.number(0), 5 * 4);
        clocks.turn_of(1, false);
        clocks.executed(clocks.number(0), 4);
        clocks.ended(1);
        // Behind the 6 instructions of the second block, and the next one behind the 10 of the first.
        clocks.turn_of(0, true);
        clocks.executed(clocks.number(0), 3 * 4);
        assert_eq!(clocks.warps[0].all, 4.0 * 9.0);
        clocks.ended(0);
        clocks.turn_of(1, true);
        clocks.executed(clocks.number(0), 7 * 4);
        clocks.ended(1);
        assert_eq!(clocks.latest().all, 4.0 * 16.0);
        clocks.turn_of(0, true);
        clocks.turn_of(1, true);
        assert_eq!(clocks.warps[2].all, 4.0 * 16.0);
    }

    #[test]
    fn other_clocks_go_on_as_if_caches_were_full() {
        let mut clocks = clocks(1, 2);
        clocks.turn_of(0, true);
        clocks.far(0, Wait::Now, true);
        clocks.executed(1, 60 * 4);
        clocks.loaded(1.0);
        let [all, by_l2, by_l1] = [470.0, 200.0, 33.0];
        assert_eq!(clocks.warps[0], Cycles { all, by_l2, by_l1 });
        clocks.met(0, 0..2);
        clocks.far(1, Wait::Now, false);
        clocks.loaded(0.0);
        let [all, by_l2, by_l1] = [670.0, 440.0, 440.0];
        assert_eq!(clocks.latest(), Cycles { all, by_l2, by_l1 });
        assert_eq!(clocks.mean(), Cycles::default());
        clocks.ended(0);
        assert_eq!(clocks.mean(), clocks.latest());
    }

    #[test]
    fn loads_of_a_round_share_what_came_from_memory() {
        let mut clocks = clocks(1, 2);
        clocks.turn_of(0, true);
        clocks.far(0, Wait::Now, false);
        clocks.loaded(1.0);
        assert_eq!(clocks.latest().all, 470.0);
        clocks.far(0, Wait::Now, false);
        clocks.far(1, Wait::Now, false);
        clocks.loaded(0.5);
        assert_eq!(clocks.latest().all, 470.0 + 335.0);
        // Nobody waits for a store; L1 and shared memory have their own latencies.
        clocks.far(0, Wait::Never, false);
        clocks.loaded(1.0);
        clocks.near(0, Wait::Now);
        clocks.shared(0, Wait::Now);
        clocks.shared(0, Wait::Together);
        assert_eq!(clocks.latest().all, 805.0 + 33.0 + 23.0);
    }

    #[test]
    fn loads_on_their_way_together_wait_for_the_longest() {
        let mut clocks = clocks(1, 1);
        clocks.turn_of(0, true);
        clocks.far(0, Wait::Together, true);
        clocks.loaded(1.0);
        clocks.near(0, Wait::Together);
        assert_eq!(clocks.latest().all, 0.0);
        clocks.near(0, Wait::Now);
        let [all, by_l2, by_l1] = [470.0, 200.0, 33.0];
        assert_eq!(clocks.latest(), Cycles { all, by_l2, by_l1 });
        // The next ones are others; nobody waits with the last one.
        clocks.near(0, Wait::Now);
        assert_eq!(clocks.latest().all, 503.0);
        clocks.near(0, Wait::Together);
        clocks.ended(0);
        assert_eq!(clocks.latest().all, 536.0);
    }

    #[test]
    fn copies_are_waited_for_with_their_group() {
        let mut clocks = clocks(1, 2);
        clocks.turn_of(0, true);
        clocks.far(0, Wait::WithGroup, false);
        clocks.loaded(1.0);
        clocks.committed(0);
        clocks.executed(0, 100);
        clocks.far(0, Wait::WithGroup, false);
        clocks.loaded(1.0);
        clocks.met(0, 0..2);
        // Nobody has waited for them yet; then for the first group, not for the copy behind it.
        assert_eq!(clocks.latest().all, 100.0);
        clocks.awaited(0, Some(0));
        clocks.executed(0, 100);
        clocks.met(0, 0..2);
        assert_eq!(clocks.latest().all, 470.0);
        clocks.committed(0);
        clocks.awaited(0, Some(1));
        clocks.executed(0, 10);
        assert_eq!(clocks.latest().all, 480.0);
        clocks.awaited(0, None);
        clocks.executed(0, 10);
        assert_eq!(clocks.latest().all, 570.0);
        // They are there: what was done in the time costs none.
        clocks.awaited(0, None);
        clocks.executed(0, 1000);
        assert_eq!(clocks.latest().all, 1570.0);
    }
}
