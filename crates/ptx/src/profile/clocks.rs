//! Clocks of the warps that a multiprocessor holds: how long each has waited for its own instructions and requests.
//!
//! ```text
//! block of 8 warps, of which one has a point:   0 |==load==add==add==load==store==|    the block takes as long as warp 0:
//!                                               1 |=exit                               warps that have ended hide nothing
//! ```
//!
//! A warp's clock goes on by the arithmetic latency with each instruction and by the latency of the level that served it with
//! each request: every request is waited for at once, asynchronous copies of a warp too. Loads of a round that pass the L1 caches
//! share the time of those that go to memory: of multiprocessors that ask for the same sectors at once, the simulator lets the
//! first one wait for memory and the others find them, an order that is its own. At a barrier the clocks of all who waited are
//! set to the latest, that of a warp that only arrived among them. A block ends with its last warp, and the next block in its
//! place begins then. So the latest clock is the longest chain of waiting from the first block to the last.
//!
//! Deliberately absent: `mbarrier` (warps that wait there are not set to the latest), and blocks that wait for one another in memory
//! but for the requests that they make while they do.

use super::machine::Latency;
use crate::warp::BARRIERS;

/// The clocks of a multiprocessor, in cycles.
pub(crate) struct Clocks {
    latency: Latency,
    warps_per_block: usize,
    /// The first warp of the block that runs.
    first: usize,
    /// By resident block, then warp.
    warps: Vec<f64>,
    /// Warps that wait for loads from the L2 cache, or memory.
    loading: Vec<u32>,
    /// By resident block: the latest clock of those that arrived at each barrier without waiting.
    arrived: Vec<[f64; BARRIERS]>,
}

impl Clocks {
    pub(crate) fn new(latency: Latency, blocks: usize, warps_per_block: usize) -> Clocks {
        Clocks {
            latency,
            warps_per_block,
            first: 0,
            warps: vec![0.0; blocks * warps_per_block],
            loading: Vec::new(),
            arrived: vec![[0.0; BARRIERS]; blocks],
        }
    }

    /// The resident block at this place has its turn; `begins` where it is a new one.
    pub(crate) fn turn_of(&mut self, place: usize, begins: bool) {
        self.first = place * self.warps_per_block;
        if begins {
            let last = self.first + self.warps_per_block;
            let cycles = latest(&self.warps[self.first..last]);
            self.warps[self.first..last].fill(cycles);
            self.arrived[place] = [0.0; BARRIERS];
        }
    }

    /// Number of the warp whose first thread in the block that runs is given.
    pub(crate) fn number(&self, first_thread: u64) -> u32 {
        self.first as u32 + first_thread as u32 / 32
    }

    /// A warp executed so many instructions.
    pub(crate) fn executed(&mut self, warp: u32, instructions: u64) {
        self.warps[warp as usize] += instructions as f64 * self.latency.arithmetic;
    }

    /// A warp made a request of shared memory.
    pub(crate) fn shared(&mut self, warp: u32) {
        self.warps[warp as usize] += self.latency.shared;
    }

    /// A warp made a request that the L1 cache served.
    pub(crate) fn near(&mut self, warp: u32) {
        self.warps[warp as usize] += self.latency.l1;
    }

    /// A warp made a request of the L2 cache; where it loads, [`Self::loaded`] tells the rest.
    pub(crate) fn far(&mut self, warp: u32, loads: bool) {
        self.warps[warp as usize] += self.latency.l2;
        if loads {
            self.loading.push(warp);
        }
    }

    /// This part of what all multiprocessors loaded in the round came from memory.
    pub(crate) fn loaded(&mut self, from_memory: f64) {
        let more = from_memory * (self.latency.memory - self.latency.l2);
        for warp in self.loading.drain(..) {
            self.warps[warp as usize] += more;
        }
    }

    /// A warp arrived at a barrier and goes on.
    pub(crate) fn arrived(&mut self, id: u8, warp: u32) {
        let cycles = self.warps[warp as usize];
        let place = warp as usize / self.warps_per_block;
        let latest = &mut self.arrived[place][usize::from(id)];
        *latest = latest.max(cycles);
    }

    /// A barrier at which these warps of the block that runs have waited is complete.
    pub(crate) fn met(&mut self, id: u8, waited: impl Iterator<Item = u32> + Clone) {
        let place = self.first / self.warps_per_block;
        let arrived = core::mem::take(&mut self.arrived[place][usize::from(id)]);
        let clocks = waited.clone().map(|warp| self.warps[warp as usize]);
        let latest = clocks.fold(arrived, f64::max);
        for warp in waited {
            self.warps[warp as usize] = latest;
        }
    }

    /// The latest clock.
    pub(crate) fn latest(&self) -> f64 {
        latest(&self.warps)
    }
}

fn latest(warps: &[f64]) -> f64 {
    warps.iter().copied().fold(0.0, f64::max)
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
        (0..8).for_each(|warp| clocks.executed(warp, 2));
        clocks.far(0, false);
        clocks.executed(0, 10);
        assert_eq!(clocks.latest(), 200.0 + 12.0 * 4.0);
    }

    #[test]
    fn warps_go_on_from_a_barrier_together() {
        let mut clocks = clocks(1, 3);
        clocks.turn_of(0, true);
        clocks.executed(0, 100);
        clocks.executed(2, 7);
        // Warp 2 only arrives, at 28; 0 and 1 wait.
        clocks.arrived(1, 2);
        clocks.met(1, 0..2);
        clocks.executed(1, 1);
        clocks.executed(2, 1);
        assert_eq!(clocks.latest(), 404.0);
        // An arrival counts for one barrier only.
        clocks.executed(2, 200);
        clocks.arrived(1, 2);
        clocks.met(1, 0..1);
        clocks.executed(0, 1);
        assert_eq!(clocks.latest(), 832.0 + 4.0);
        clocks.met(1, 1..2);
        clocks.executed(1, 100);
        assert_eq!(clocks.latest(), 836.0);
    }

    #[test]
    fn the_next_block_begins_where_the_one_before_it_ended() {
        let mut clocks = clocks(2, 2);
        clocks.turn_of(0, true);
        clocks.executed(clocks.number(32), 10);
        clocks.turn_of(1, true);
        clocks.executed(clocks.number(0), 5);
        clocks.turn_of(1, false);
        clocks.executed(clocks.number(0), 1);
        clocks.turn_of(0, true);
        clocks.executed(clocks.number(0), 3);
        assert_eq!(clocks.latest(), 4.0 * 13.0);
    }

    #[test]
    fn loads_of_a_round_share_what_came_from_memory() {
        let mut clocks = clocks(1, 2);
        clocks.turn_of(0, true);
        clocks.far(0, true);
        clocks.loaded(1.0);
        assert_eq!(clocks.latest(), 470.0);
        clocks.far(0, true);
        clocks.far(1, true);
        clocks.loaded(0.5);
        assert_eq!(clocks.latest(), 470.0 + 335.0);
        // A store waits for the L2 cache only; L1 and shared memory have their own latencies.
        clocks.far(0, false);
        clocks.loaded(1.0);
        clocks.near(0);
        clocks.shared(0);
        assert_eq!(clocks.latest(), 805.0 + 200.0 + 33.0 + 23.0);
    }
}
