//! Order between threads through memory: what releases publish and acquires learn (PTX ISA, "Memory Consistency
//! Model": release and acquire patterns, observation through chains of atomics, causality).
//!
//! A strong write that releases (`st.release`, `atom.acq_rel`, or a strong write behind a fence) appends what its
//! thread has done to the [`Log`] of its address. A strong read that acquires (`ld.acquire`, or one with a fence
//! behind it) learns all of the log up to that moment: atomics continue the chain of releases, a plain strong store
//! begins a new one. Inside a block the knowledge goes into the vector clocks; between blocks it is kept as a list of
//! logs, and a question walks it, through the knowledge of those who released.
//!
//! A walk that gets longer than [`LONGEST_WALK`] answers "ordered": a race may then be missed, none is invented.

use super::clocks::{Clocks, Moment};
use crate::notes::Scope;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Releases a question may look at.
const LONGEST_WALK: usize = 256;
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

/// What a thread had done when it released, and what its block had acquired before.
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
    entries: Vec<Arc<Released>>,
    by_block: FxHashMap<u32, Vec<u32>>,
    /// Where the current chain of releases begins.
    chain: usize,
}

/// One acquisition of a block: a piece of a log, learned by a thread at a moment.
#[derive(Clone, Debug)]
struct Acquisition {
    log: Arc<Log>,
    from: usize,
    to: usize,
    epoch: u32,
    thread: u32,
    clock: u32,
}

/// What a block has acquired so far; read by others through what it released.
#[derive(Debug, Default)]
struct Acquired(Mutex<Vec<Acquisition>>);

/// The logs of a launch (or of one block's shared memory), by address.
pub(crate) struct Logs {
    shards: Vec<Mutex<FxHashMap<u64, Arc<Log>>>>,
}

impl Default for Logs {
    fn default() -> Logs {
        Logs { shards: (0..SHARDS).map(|_| Mutex::default()).collect() }
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
        self.shards
            .iter_mut()
            .for_each(|shard| shard.get_mut().unwrap_or_else(PoisonError::into_inner).clear());
    }
}

/// What one thread has fenced and may still learn.
#[derive(Default)]
struct ThreadOrder {
    fence: Option<Arc<Released>>,
    /// Strong reads that a later fence turns into acquires.
    pending: Vec<(Arc<Log>, usize, usize, Scope)>,
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
}

impl BlockOrder {
    /// Begins a block whose first epoch is given.
    pub(crate) fn begin(&mut self, block: u32, first_epoch: u32) {
        *self = BlockOrder { block, first_epoch, ..BlockOrder::default() };
    }

    fn released(&self, clocks: &mut Clocks, thread: u32, scope: Scope) -> Arc<Released> {
        let mut moment = clocks.release(thread);
        moment.epoch -= self.first_epoch;
        let acquired_len = lock(&self.acquired.0).len();
        Arc::new(Released { block: self.block, scope, moment, acquired: self.acquired.clone(), acquired_len })
    }

    /// A fence: everything before it is released by later strong writes, and strong reads before it acquire.
    pub(crate) fn fence(&mut self, clocks: &mut Clocks, thread: u32, scope: Scope) {
        let pending = self
            .threads
            .get_mut(&thread)
            .map(|state| core::mem::take(&mut state.pending))
            .unwrap_or_default();
        for (log, from, to, read_scope) in pending {
            self.learn(clocks, thread, &log, (from, to), scope.min(read_scope));
        }
        let released = self.released(clocks, thread, scope);
        self.threads.entry(thread).or_default().fence = Some(released);
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
            let fence = self.threads.get(&thread).and_then(|state| state.fence.clone());
            fence.map(|fence| {
                let narrower = scope.min(fence.scope);
                if narrower == fence.scope {
                    fence
                } else {
                    Arc::new(Released { scope: narrower, ..(*fence).clone() })
                }
            })
        };
        match released {
            Some(released) => {
                let log = logs.find_or_make(address);
                let mut releases = lock(&log.0);
                let at = releases.entries.len();
                if chain == Chain::Begins {
                    releases.chain = at;
                }
                releases.by_block.entry(released.block).or_default().push(at as u32);
                releases.entries.push(released);
            }
            None if chain == Chain::Begins => {
                if let Some(log) = logs.find(address) {
                    let mut releases = lock(&log.0);
                    releases.chain = releases.entries.len();
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
        let Some(log) = logs.find(address) else { return };
        let (from, to) = {
            let releases = lock(&log.0);
            (releases.chain, releases.entries.len())
        };
        if from == to {
            return;
        }
        if acquires {
            self.learn(clocks, thread, &log, (from, to), scope);
            return;
        }
        let pending = &mut self.threads.entry(thread).or_default().pending;
        pending.retain(|(other, ..)| !Arc::ptr_eq(other, &log));
        pending.push((log, from, to, scope));
    }

    fn learn(
        &mut self,
        clocks: &mut Clocks,
        thread: u32,
        log: &Arc<Log>,
        piece: (usize, usize),
        scope: Scope,
    ) {
        let (from, to) = piece;
        let mut others = false;
        {
            let releases = lock(&log.0);
            let own = releases.by_block.get(&self.block).map_or(&[][..], Vec::as_slice);
            let mut own_count = 0;
            for &at in own.iter().filter(|&&at| (from..to).contains(&(at as usize))) {
                own_count += 1;
                let mut moment = releases.entries[at as usize].moment.clone();
                moment.epoch += self.first_epoch;
                clocks.acquire(thread, &moment);
            }
            others |= own_count < to - from;
        }
        if others && scope > Scope::Block {
            let (epoch, clock) = (clocks.epoch(), clocks.clock(thread));
            let acquisition = Acquisition { log: log.clone(), from, to, epoch, thread, clock };
            lock(&self.acquired.0).push(acquisition);
        }
    }

    /// Whether an access of another block happened before what `thread` of this one does now.
    pub(crate) fn ordered(&self, clocks: &Clocks, thread: u32, past: Past) -> bool {
        let acquired = lock(&self.acquired.0);
        let visible = acquired.iter().rev().filter(|a| clocks.ordered(thread, a.epoch, a.thread, a.clock));
        let mut pending: Vec<Acquisition> = visible.cloned().collect();
        drop(acquired);
        let mut seen: FxHashSet<(usize, usize)> = FxHashSet::default();
        let mut looked_at = 0;
        while let Some(acquisition) = pending.pop() {
            if !seen.insert((Arc::as_ptr(&acquisition.log) as usize, acquisition.to)) {
                continue;
            }
            let releases = lock(&acquisition.log.0);
            let inside = |at: &u32| (acquisition.from..acquisition.to).contains(&(*at as usize));
            let direct = releases.by_block.get(&past.block).map_or(&[][..], Vec::as_slice);
            let covers = |at: &u32| {
                let released = &releases.entries[*at as usize];
                released.scope > Scope::Block && released.moment.covers(past.epoch, past.thread, past.clock)
            };
            if direct.iter().copied().filter(inside).any(|at| covers(&at)) {
                return true;
            }
            for released in &releases.entries[acquisition.from..acquisition.to] {
                looked_at += 1;
                if looked_at > LONGEST_WALK {
                    return true;
                }
                if released.scope > Scope::Block && released.block != self.block {
                    let theirs = lock(&released.acquired.0);
                    pending.extend(theirs[..released.acquired_len.min(theirs.len())].iter().cloned());
                }
            }
        }
        false
    }
}
