//! Which accesses of a thread block's threads are ordered: epochs and vector clocks.
//!
//! A barrier of the whole block starts a new epoch; everything of an earlier epoch happened before everything of a
//! later one, so most questions are one comparison. Within an epoch each thread counts its releases (its clock) and
//! knows a vector of other threads' clocks, shared between threads that know the same. The vectors change at
//! `bar.warp.sync`, at barriers of a part of the block, and where a thread acquires what another released.
//!
//! Shuffles and votes bring lanes together but order no memory (PTX ISA, `shfl.sync`), so they change nothing here.

use crate::regs::{LANES, lanes};
use std::sync::Arc;

/// Clock value of the first release of a thread in an epoch.
const FIRST: u32 = 1;

/// A thread's knowledge of the others: for each thread of the block the last clock that happened before.
pub(crate) type Known = Arc<[u32]>;

/// A thread's actions and knowledge at one moment, for another to acquire.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub(crate) epoch: u32,
    pub(crate) thread: u32,
    pub(crate) clock: u32,
    pub(crate) known: Known,
}

impl Moment {
    /// Whether an access with this stamp happened before the moment.
    pub(crate) fn covers(&self, epoch: u32, thread: u32, clock: u32) -> bool {
        epoch < self.epoch
            || epoch == self.epoch
                && (thread == self.thread && clock <= self.clock
                    || self
                        .known
                        .get(thread as usize)
                        .is_some_and(|&known| known >= clock))
    }
}

/// The union of the clocks that several releases of one epoch published.
#[derive(Clone, Debug, Default)]
pub(crate) struct Joined {
    epoch: u32,
    known: Option<Known>,
}

impl Joined {
    /// Adds a moment; what is of an earlier epoch than now need not be remembered.
    pub(crate) fn add(&mut self, clocks: &Clocks, moment: &Moment) {
        if self.epoch != clocks.epoch {
            *self = Joined {
                epoch: clocks.epoch,
                known: None,
            };
        }
        if moment.epoch == clocks.epoch {
            let known = self.known.get_or_insert_with(|| clocks.nothing.clone());
            join(Arc::make_mut(known), moment);
        }
    }

    /// Adds the moments of lanes that release together; most often all of them know the same.
    pub(crate) fn add_lanes(&mut self, clocks: &mut Clocks, threads: impl Iterator<Item = u32>) {
        let mut last: Option<Known> = None;
        for thread in threads {
            let moment = clocks.release(thread);
            let same = last
                .as_ref()
                .is_some_and(|last| Arc::ptr_eq(last, &moment.known));
            match self.known.as_mut().filter(|_| same) {
                Some(known) => {
                    let known = Arc::make_mut(known);
                    known[thread as usize] = known[thread as usize].max(moment.clock);
                }
                None => self.add(clocks, &moment),
            }
            last = Some(moment.known);
        }
    }

    /// Whether an access with this stamp is part of it.
    pub(crate) fn covers(&self, epoch: u32, thread: u32, clock: u32) -> bool {
        let known = self.known.as_ref().filter(|_| self.epoch == epoch);
        let known = known.and_then(|known| known.get(thread as usize));
        known.is_some_and(|&known| known >= clock)
    }
}

/// The clocks of one block.
pub(crate) struct Clocks {
    epoch: u32,
    clock: Vec<u32>,
    known: Vec<Known>,
    nothing: Known,
}

impl Clocks {
    pub(crate) fn new(threads: u32) -> Clocks {
        let nothing: Known = vec![0; threads as usize].into();
        let known = vec![nothing.clone(); threads as usize];
        Clocks {
            epoch: 0,
            clock: vec![FIRST; threads as usize],
            known,
            nothing,
        }
    }

    /// The current epoch. It grows from block to block too, so stamps of an earlier block are old.
    #[inline]
    pub(crate) fn epoch(&self) -> u32 {
        self.epoch
    }

    /// How often a thread has released in this epoch.
    #[inline]
    pub(crate) fn clock(&self, thread: u32) -> u32 {
        self.clock[thread as usize]
    }

    /// Whether an access with this stamp happened before what `thread` does now.
    #[inline]
    pub(crate) fn ordered(&self, thread: u32, epoch: u32, other: u32, clock: u32) -> bool {
        epoch < self.epoch
            || other == thread
            || self.known[thread as usize]
                .get(other as usize)
                .is_some_and(|&known| known >= clock)
    }

    /// All threads met: a barrier of the whole block, or the start of one.
    pub(crate) fn everyone_met(&mut self) {
        self.epoch += 1;
        self.clock.fill(FIRST);
        for known in &mut self.known {
            if !Arc::ptr_eq(known, &self.nothing) {
                known.clone_from(&self.nothing);
            }
        }
    }

    /// A thread's actions and knowledge; its later accesses are not part of it.
    pub(crate) fn release(&mut self, thread: u32) -> Moment {
        let at = thread as usize;
        let moment = Moment {
            epoch: self.epoch,
            thread,
            clock: self.clock[at],
            known: self.known[at].clone(),
        };
        self.clock[at] += 1;
        moment
    }

    /// From now on a thread knows what was released at a moment.
    pub(crate) fn acquire(&mut self, thread: u32, moment: &Moment) {
        if moment.epoch != self.epoch
            || self.ordered(thread, moment.epoch, moment.thread, moment.clock)
        {
            return;
        }
        let known = Arc::make_mut(&mut self.known[thread as usize]);
        join(known, moment);
    }

    /// From now on a thread knows what several moments released.
    pub(crate) fn acquire_union(&mut self, thread: u32, union: &Joined) {
        let Some(theirs) = union.known.as_ref().filter(|_| union.epoch == self.epoch) else {
            return;
        };
        let known = &mut self.known[thread as usize];
        if !Arc::ptr_eq(known, theirs) {
            let known = Arc::make_mut(known);
            known
                .iter_mut()
                .zip(theirs.iter())
                .for_each(|(mine, &theirs)| *mine = (*mine).max(theirs));
        }
    }

    /// Lanes of one warp met at `bar.warp.sync`.
    pub(crate) fn warp_met(&mut self, first_thread: u64, mask: u32) {
        let first = first_thread as usize;
        self.met(|clocks| {
            lanes(mask)
                .map(|lane| first + lane)
                .filter(|&t| t < clocks)
                .collect()
        });
    }

    /// Some threads met at a barrier that others only arrived at: `arrived` is what those released.
    pub(crate) fn part_met(&mut self, groups: &[(u64, u32)], arrived: &[Moment]) {
        let threads: Vec<usize> = groups
            .iter()
            .flat_map(|&(first, mask)| lanes(mask).map(move |lane| first as usize + lane))
            .filter(|&thread| thread < self.clock.len())
            .collect();
        self.met(|_| threads.iter().copied().collect());
        let Some(&first) = threads.first() else {
            return;
        };
        for moment in arrived {
            self.acquire(first as u32, moment);
        }
        let known = self.known[first].clone();
        for &thread in &threads {
            self.known[thread] = known.clone();
        }
    }

    /// Threads that met know everything any of them did.
    fn met(&mut self, members: impl FnOnce(usize) -> smallvec::SmallVec<[usize; LANES]>) {
        let members = members(self.clock.len());
        let Some((&first, rest)) = members.split_first() else {
            return;
        };
        let mut union = core::mem::replace(&mut self.known[first], self.nothing.clone());
        for &thread in rest {
            let known = core::mem::replace(&mut self.known[thread], self.nothing.clone());
            // Most often all of them know the same, and then dropping theirs leaves `union` the only owner.
            if !Arc::ptr_eq(&known, &union) {
                let union = Arc::make_mut(&mut union);
                union
                    .iter_mut()
                    .zip(known.iter())
                    .for_each(|(mine, &theirs)| *mine = (*mine).max(theirs));
            }
        }
        let vector = Arc::make_mut(&mut union);
        for &thread in &members {
            vector[thread] = vector[thread].max(self.clock[thread]);
            self.clock[thread] += 1;
        }
        for &thread in &members {
            self.known[thread] = union.clone();
        }
    }
}

fn join(known: &mut [u32], moment: &Moment) {
    known
        .iter_mut()
        .zip(moment.known.iter())
        .for_each(|(mine, &theirs)| *mine = (*mine).max(theirs));
    if let Some(own) = known.get_mut(moment.thread as usize) {
        *own = (*own).max(moment.clock);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_barrier_of_all_orders_everything_before_it() {
        let mut clocks = Clocks::new(64);
        clocks.everyone_met();
        let (epoch, clock) = (clocks.epoch(), clocks.clock(40));
        assert!(!clocks.ordered(3, epoch, 40, clock));
        clocks.everyone_met();
        assert!(clocks.ordered(3, epoch, 40, clock));
    }

    #[test]
    fn lanes_that_meet_know_each_other_and_nobody_else() {
        let mut clocks = Clocks::new(64);
        clocks.everyone_met();
        let epoch = clocks.epoch();
        let (of_1, of_8) = (clocks.clock(1), clocks.clock(8));
        clocks.warp_met(0, 0b1111);
        assert!(clocks.ordered(0, epoch, 1, of_1));
        assert!(!clocks.ordered(0, epoch, 8, of_8));
        // The accesses of lane 1 behind the barrier are not ordered with lane 0.
        assert!(!clocks.ordered(0, epoch, 1, clocks.clock(1)));
    }

    #[test]
    fn knowledge_travels_through_releases() {
        let mut clocks = Clocks::new(96);
        clocks.everyone_met();
        let (epoch, of_33) = (clocks.epoch(), clocks.clock(33));
        clocks.warp_met(32, u32::MAX);
        let moment = clocks.release(32);
        let later = clocks.clock(32);
        clocks.acquire(70, &moment);
        assert!(clocks.ordered(70, epoch, 33, of_33), "through lane 32");
        assert!(!clocks.ordered(70, epoch, 32, later));
        assert!(!clocks.ordered(71, epoch, 33, of_33));
    }

    #[test]
    fn a_partial_barrier_hands_over_what_arrivals_released() {
        let mut clocks = Clocks::new(128);
        clocks.everyone_met();
        let (epoch, of_0) = (clocks.epoch(), clocks.clock(0));
        let arrived = [clocks.release(0)];
        let own = clocks.clock(64);
        clocks.part_met(&[(64, u32::MAX)], &arrived);
        assert!(clocks.ordered(70, epoch, 0, of_0));
        assert!(clocks.ordered(70, epoch, 64, own));
        assert!(!clocks.ordered(1, epoch, 64, own));
    }
}
