//! Order between threads through memory: what releases publish and acquires learn (PTX ISA, "Memory Consistency
//! Model": release and acquire patterns, observation through chains of atomics, causality).
//!
//! A strong write that releases (`st.release`, `atom.acq_rel`, or a strong write behind a fence) appends what its
//! thread has done to the [`Log`] of its address. A strong read that acquires (`ld.acquire`, or one with a fence
//! behind it) learns all of the log up to that moment: atomics continue the chain of releases, a plain strong store
//! begins a new one. Inside a block the knowledge goes into the vector clocks; between blocks it is kept as a list of
//! logs, and a question walks it, through the knowledge of those who released.
//!
//! Both sides stay linear in the number of operations: a log keeps, for each block, the union of what its chain of
//! releases published (for acquires inside the block) and, for each thread, its last releases, of which a later one
//! covers whatever an earlier one does (for questions between blocks).
//!
//! A barrier of the block passes on what its threads have fenced: a fence waits until the stores before it are performed,
//! whoever announces them afterwards. So if no thread has stored to global memory since its last fence that reaches
//! beyond the block, all threads have fenced what happened before the barrier; and the strong reads of one of them are
//! turned into acquires by fences of the others behind it.
//!
//! A walk that gets longer than [`LONGEST_WALK`], or asks for a release older than the [`KEPT`] of its thread,
//! answers "ordered": a race may then be missed, none is invented.

use super::clocks::{Clocks, Joined, Moment};
use crate::notes::Scope;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Releases and acquisitions a question may look at.
const LONGEST_WALK: usize = 256;
/// Releases of one thread that a log keeps at least; it forgets the older half when there are twice as many.
const KEPT: usize = 64;
/// Strong reads since the last barrier that the next one passes on, at most.
const HANDED_ON: usize = 8;
/// Locks the logs are spread over.
const SHARDS: usize = 64;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An access of another block, as its stamp tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Past {
    pub(crate) block: u32,
    pub(crate) epoch: u32,
    pub(crate) thread: u32,
    pub(crate) clock: u32,
}

/// A thread's actions when it released, and the clocks its block had acquired before.
#[derive(Clone, Debug)]
struct Released {
    block: u32,
    scope: Scope,
    /// In epochs of the block itself.
    moment: Moment,
    acquired: Arc<Acquired>,
    acquired_len: usize,
}

/// Everything released at one address.
#[derive(Debug, Default)]
struct Log(Mutex<Releases>);

#[derive(Debug, Default)]
struct Releases {
    /// Releases so far.
    count: usize,
    /// Where the current chain of releases begins.
    chain: usize,
    by_block: FxHashMap<u32, BlockReleases>,
}

/// The clocks that the threads of one block released at an address.
#[derive(Debug, Default)]
struct BlockReleases {
    /// The union over the chain that began at this number; in epochs of the host thread's clocks.
    union: (usize, Joined),
    /// Releases that reach other blocks, by thread.
    by_thread: Vec<ThreadReleases>,
}

/// Releases of one thread, in order, with their numbers in the log. A thread's actions and knowledge only grow, so
/// each covers what the ones before it do.
#[derive(Debug)]
struct ThreadReleases {
    thread: u32,
    kept: Vec<(usize, Arc<Released>)>,
    /// Releases before this number are forgotten.
    forgotten: usize,
}

impl Releases {
    fn push(&mut self, released: Arc<Released>) {
        let at = self.count;
        self.count += 1;
        if released.scope == Scope::Block {
            return;
        }
        let threads = &mut self.by_block.entry(released.block).or_default().by_thread;
        let thread = released.moment.thread;
        let known = threads
            .iter()
            .position(|releases| releases.thread == thread)
            .unwrap_or_else(|| {
                threads.push(ThreadReleases {
                    thread,
                    kept: Vec::new(),
                    forgotten: 0,
                });
                threads.len() - 1
            });
        let releases = &mut threads[known];
        releases.kept.push((at, released));
        if releases.kept.len() > 2 * KEPT {
            releases.kept.drain(..KEPT);
            releases.forgotten = releases.kept[0].0;
        }
    }

    /// The union of what a block's threads released in the current chain.
    fn union(&mut self, block: u32) -> &mut Joined {
        let (chain, union) = &mut self.by_block.entry(block).or_default().union;
        if *chain != self.chain {
            (*chain, *union) = (self.chain, Joined::default());
        }
        union
    }
}

impl ThreadReleases {
    /// The last release in a piece of the log; an error where that is forgotten.
    fn last_in(&self, from: usize, to: usize) -> Result<Option<&Arc<Released>>, Forgotten> {
        let end = self.kept.partition_point(|&(at, _)| at < to);
        match end.checked_sub(1).map(|last| &self.kept[last]) {
            Some((at, released)) => Ok((*at >= from).then_some(released)),
            None if self.forgotten > from => Err(Forgotten),
            None => Ok(None),
        }
    }
}

/// The log no longer holds what a question is about.
struct Forgotten;

/// A piece of a log that a thread learned, and when.
#[derive(Clone, Copy, Debug)]
struct Acquisition {
    /// Number among the block's acquisitions.
    number: usize,
    to: usize,
    epoch: u32,
    clock: u32,
}

/// Acquisitions of one thread from one chain of a log, each of which covers the ones before it.
#[derive(Debug)]
struct Acquisitions {
    log: Arc<Log>,
    from: usize,
    thread: u32,
    list: Vec<Acquisition>,
}

/// The clocks a block has acquired so far; read by others through its releases.
#[derive(Debug, Default)]
struct Acquired(Mutex<AcquiredPieces>);

#[derive(Debug, Default)]
struct AcquiredPieces {
    count: usize,
    pieces: Vec<Acquisitions>,
    /// Where in `pieces` the acquisitions of a thread from a chain are.
    index: FxHashMap<(u32, usize, usize), usize>,
}

impl AcquiredPieces {
    fn push(
        &mut self,
        log: &Arc<Log>,
        (from, to): (usize, usize),
        thread: u32,
        epoch: u32,
        clock: u32,
    ) {
        let key = (thread, Arc::as_ptr(log) as usize, from);
        let at = *self.index.entry(key).or_insert_with(|| {
            self.pieces.push(Acquisitions {
                log: log.clone(),
                from,
                thread,
                list: Vec::new(),
            });
            self.pieces.len() - 1
        });
        let acquisition = Acquisition {
            number: self.count,
            to,
            epoch,
            clock,
        };
        self.count += 1;
        self.pieces[at].list.push(acquisition);
    }

    /// The longest acquisitions for which `visible` holds, the latest chains first, as many as a walk may look at.
    fn visible(&self, visible: impl Fn(u32, &Acquisition) -> bool) -> impl Iterator<Item = Piece> {
        self.pieces
            .iter()
            .rev()
            .take(LONGEST_WALK)
            .filter_map(move |piece| {
                let end = piece
                    .list
                    .partition_point(|acquisition| visible(piece.thread, acquisition));
                let last = piece.list.get(end.checked_sub(1)?)?;
                Some(Piece {
                    log: piece.log.clone(),
                    from: piece.from,
                    to: last.to,
                })
            })
    }
}

/// A piece of a log.
#[derive(Clone)]
struct Piece {
    log: Arc<Log>,
    from: usize,
    to: usize,
}

/// The logs of a launch (or of one block's shared memory), by address.
pub(crate) struct Logs {
    shards: Vec<Mutex<FxHashMap<u64, Arc<Log>>>>,
}

impl Default for Logs {
    fn default() -> Logs {
        Logs {
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
        }
    }
}

impl Logs {
    fn shard(&self, address: u64) -> MutexGuard<'_, FxHashMap<u64, Arc<Log>>> {
        lock(&self.shards[(address >> 2) as usize % SHARDS])
    }

    fn find(&self, address: u64) -> Option<Arc<Log>> {
        self.shard(address).get(&address).cloned()
    }

    fn find_or_make(&self, address: u64) -> Arc<Log> {
        self.shard(address).entry(address).or_default().clone()
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        for shard in &mut self.shards {
            // Logs and what blocks acquired hold each other.
            for (_, log) in shard
                .get_mut()
                .unwrap_or_else(PoisonError::into_inner)
                .drain()
            {
                lock(&log.0).by_block.clear();
            }
        }
    }
}

impl Drop for Logs {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The clocks that one thread has fenced and may still learn.
#[derive(Default)]
struct ThreadOrder {
    fence: Option<Arc<Released>>,
    /// Strong reads that a later fence turns into acquires.
    pending: Vec<Pending>,
}

/// The clocks that a strong read saw at an address.
#[derive(Clone)]
struct Pending {
    seen: Seen,
    scope: Scope,
}

/// The clocks released at an address when it is read.
#[derive(Clone)]
struct Seen {
    piece: Piece,
    /// The clocks that threads of the reader's own block released there.
    union: Joined,
    /// Others did, too.
    others: bool,
}

impl ThreadOrder {
    fn see(&mut self, pending: Pending) {
        let log = &pending.seen.piece.log;
        self.pending
            .retain(|other| !Arc::ptr_eq(&other.seen.piece.log, log));
        self.pending.push(pending);
    }
}

/// How a strong write treats what was released at its address before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chain {
    /// An atomic continues it.
    Continues,
    /// A store begins a new one.
    Begins,
}

/// The order of one block's threads with everyone, through memory.
#[derive(Default)]
pub(crate) struct BlockOrder {
    block: u32,
    first_epoch: u32,
    acquired: Arc<Acquired>,
    threads: FxHashMap<u32, ThreadOrder>,
    /// By thread: it has stored to global memory since its last fence beyond the block.
    unfenced: Vec<bool>,
    /// The narrowest scope of the fences beyond the block since the last barrier.
    fenced: Option<Scope>,
    /// Strong reads since the last barrier, as many as it may pass on and one more.
    seen: Vec<Pending>,
}

impl BlockOrder {
    /// Begins a block whose first epoch is given.
    pub(crate) fn begin(&mut self, block: u32, first_epoch: u32, threads: u32) {
        *self = BlockOrder {
            block,
            first_epoch,
            unfenced: vec![false; threads as usize],
            ..BlockOrder::default()
        };
    }

    /// A plain store to global memory.
    pub(crate) fn stored(&mut self, thread: u32) {
        if let Some(unfenced) = self.unfenced.get_mut(thread as usize) {
            *unfenced = true;
        }
    }

    /// All threads of the block met at a barrier.
    pub(crate) fn met(&mut self, clocks: &mut Clocks) {
        let seen = core::mem::take(&mut self.seen);
        let fenced = self
            .fenced
            .take()
            .filter(|_| !self.unfenced.contains(&true));
        let hands_on = !seen.is_empty() && seen.len() <= HANDED_ON;
        if fenced.is_none() && !hands_on {
            return;
        }
        for thread in 0..self.unfenced.len() as u32 {
            let released = fenced.map(|scope| self.released(clocks, thread, scope));
            let state = self.threads.entry(thread).or_default();
            if released.is_some() {
                state.fence = released;
            }
            if hands_on {
                seen.iter().for_each(|pending| state.see(pending.clone()));
                let old = state.pending.len().saturating_sub(4 * HANDED_ON);
                state.pending.drain(..old);
            }
        }
    }

    fn released(&self, clocks: &mut Clocks, thread: u32, scope: Scope) -> Arc<Released> {
        let mut moment = clocks.release(thread);
        moment.epoch -= self.first_epoch;
        let acquired_len = lock(&self.acquired.0).count;
        Arc::new(Released {
            block: self.block,
            scope,
            moment,
            acquired: self.acquired.clone(),
            acquired_len,
        })
    }

    /// A fence: everything before it is released by later strong writes, and strong reads before it acquire.
    pub(crate) fn fence(&mut self, clocks: &mut Clocks, thread: u32, scope: Scope) {
        let pending = self
            .threads
            .get_mut(&thread)
            .map(|state| core::mem::take(&mut state.pending))
            .unwrap_or_default();
        for Pending {
            seen,
            scope: read_scope,
        } in pending
        {
            self.learn(clocks, thread, &seen, scope.min(read_scope));
        }
        let released = self.released(clocks, thread, scope);
        self.threads.entry(thread).or_default().fence = Some(released);
        if scope > Scope::Block {
            self.fenced = Some(self.fenced.map_or(scope, |other| other.min(scope)));
            if let Some(unfenced) = self.unfenced.get_mut(thread as usize) {
                *unfenced = false;
            }
        }
    }

    /// A strong write, before it is done.
    pub(crate) fn write(
        &mut self,
        clocks: &mut Clocks,
        logs: &Logs,
        thread: u32,
        address: u64,
        (releases, scope): (bool, Scope),
        chain: Chain,
    ) {
        let released = if releases {
            Some(self.released(clocks, thread, scope))
        } else {
            let fence = self
                .threads
                .get(&thread)
                .and_then(|state| state.fence.clone());
            fence.map(|fence| {
                let narrower = scope.min(fence.scope);
                if narrower == fence.scope {
                    fence
                } else {
                    Arc::new(Released {
                        scope: narrower,
                        ..(*fence).clone()
                    })
                }
            })
        };
        match released {
            Some(released) => {
                let log = logs.find_or_make(address);
                let mut releases = lock(&log.0);
                if chain == Chain::Begins {
                    releases.chain = releases.count;
                }
                let mut moment = released.moment.clone();
                moment.epoch += self.first_epoch;
                releases.union(self.block).add(clocks, &moment);
                releases.push(released);
            }
            None if chain == Chain::Begins => {
                if let Some(log) = logs.find(address) {
                    let mut releases = lock(&log.0);
                    releases.chain = releases.count;
                }
            }
            None => {}
        }
    }

    /// A strong read, after it is done.
    pub(crate) fn read(
        &mut self,
        clocks: &mut Clocks,
        logs: &Logs,
        thread: u32,
        address: u64,
        (acquires, scope): (bool, Scope),
    ) {
        let Some(log) = logs.find(address) else {
            return;
        };
        let mut releases = lock(&log.0);
        let (from, to) = (releases.chain, releases.count);
        if from == to {
            return;
        }
        let union = releases.union(self.block).clone();
        let others = releases.by_block.len() > 1;
        drop(releases);
        let seen = Seen {
            piece: Piece { log, from, to },
            union,
            others,
        };
        if acquires {
            self.learn(clocks, thread, &seen, scope);
            return;
        }
        let pending = Pending { seen, scope };
        if self.seen.len() <= HANDED_ON && scope > Scope::Block {
            let log = &pending.seen.piece.log;
            self.seen
                .retain(|other| !Arc::ptr_eq(&other.seen.piece.log, log));
            self.seen.push(pending.clone());
        }
        self.threads.entry(thread).or_default().see(pending);
    }

    fn learn(&mut self, clocks: &mut Clocks, thread: u32, seen: &Seen, scope: Scope) {
        clocks.acquire_union(thread, &seen.union);
        if seen.others && scope > Scope::Block {
            let (epoch, clock) = (clocks.epoch(), clocks.clock(thread));
            let Piece { log, from, to } = &seen.piece;
            lock(&self.acquired.0).push(log, (*from, *to), thread, epoch, clock);
        }
    }

    /// Whether an access of another block happened before what `thread` of this one does now.
    pub(crate) fn ordered(&self, clocks: &Clocks, thread: u32, past: Past) -> bool {
        let known = |other: u32, a: &Acquisition| clocks.ordered(thread, a.epoch, other, a.clock);
        let mut pending: Vec<Piece> = lock(&self.acquired.0).visible(known).collect();
        let mut seen: FxHashSet<(usize, usize)> = FxHashSet::default();
        let mut looked_at = 0;
        while let Some(Piece { log, from, to }) = pending.pop() {
            if !seen.insert((Arc::as_ptr(&log) as usize, to)) {
                continue;
            }
            let releases = lock(&log.0);
            for (&block, of_block) in &releases.by_block {
                for of_thread in &of_block.by_thread {
                    looked_at += 1;
                    if looked_at > LONGEST_WALK {
                        return true;
                    }
                    let Ok(found) = of_thread.last_in(from, to) else {
                        return true;
                    };
                    let Some(released) = found else { continue };
                    if block == past.block
                        && released.moment.covers(past.epoch, past.thread, past.clock)
                    {
                        return true;
                    }
                    if block != self.block {
                        let theirs = lock(&released.acquired.0);
                        let before = released.acquired_len;
                        pending.extend(theirs.visible(|_, a| a.number < before));
                    }
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block of two threads that acquires and releases at one address `rounds` times, each thread in turn.
    fn lock_passed_on(rounds: u32, logs: &Logs, block: u32) -> (BlockOrder, Clocks) {
        let mut clocks = Clocks::new(2);
        clocks.everyone_met();
        let mut order = BlockOrder::default();
        order.begin(block, clocks.epoch(), 2);
        for round in 0..rounds {
            order.read(&mut clocks, logs, round % 2, 64, (true, Scope::Gpu));
            order.write(
                &mut clocks,
                logs,
                round % 2,
                64,
                (true, Scope::Gpu),
                Chain::Continues,
            );
        }
        (order, clocks)
    }

    #[test]
    fn a_long_chain_keeps_a_bounded_number_of_releases() {
        let logs = Logs::default();
        let (order, clocks) = lock_passed_on(10_000, &logs, 1);
        let log = logs.find(64).expect("it was released there");
        let kept: usize = lock(&log.0).by_block[&1]
            .by_thread
            .iter()
            .map(|releases| releases.kept.len())
            .sum();
        assert!(kept <= 4 * KEPT, "{kept}");
        assert_eq!(lock(&order.acquired.0).count, 0, "nobody else released");
        assert!(
            clocks.ordered(0, clocks.epoch(), 1, clocks.clock(1) - 2),
            "through the chain"
        );
    }

    #[test]
    fn another_block_learns_the_last_of_a_chain_and_no_more() {
        let logs = Logs::default();
        let (_, first) = lock_passed_on(10, &logs, 1);
        let (second, clocks) = lock_passed_on(1, &logs, 2);
        let past = |clock| Past {
            block: 1,
            epoch: 0,
            thread: 1,
            clock,
        };
        assert!(second.ordered(&clocks, 0, past(first.clock(1) - 1)));
        assert!(
            !second.ordered(&clocks, 0, past(first.clock(1))),
            "after its last release"
        );
        assert!(
            !second.ordered(&clocks, 1, past(1)),
            "thread 1 has learned nothing"
        );
    }
}
