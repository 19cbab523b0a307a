//! Traces: the accesses of a profiled launch in the order in which they were made, with the level that served each.
//!
//! A trace has two parts. The sectors that one multiprocessor asked for, as its warps took turns ([`Touched`]): what
//! the hardware sees. And what each thread accessed, for itself and without the others ([`ThreadAccess`]): the
//! program's own order, from which an analysis may make any other. Only global memory is recorded. Both stop at a number
//! of entries; [`Trace::cut`] says so.

use crate::memory::Allocation;

/// How much of a launch is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceOptions {
    /// The multiprocessor whose sectors are recorded.
    pub multiprocessor: u32,
    /// Most sectors.
    pub sectors: usize,
    /// The threads whose accesses are recorded.
    pub threads: TracedThreads,
    /// Most accesses of threads, over all multiprocessors.
    pub thread_accesses: usize,
}

/// Threads whose accesses are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TracedThreads {
    /// All.
    All,
    /// Those of one thread block, in the middle of those that run at once.
    MiddleBlock,
}

/// The level that served an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The L1 cache of the multiprocessor.
    L1,
    /// The L2 cache.
    L2,
    /// Device memory.
    Memory,
}

/// A sector that a multiprocessor asked for, or stored to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touched {
    /// Number of the request among those of the multiprocessor: sectors of one request are asked for together.
    pub request: u32,
    /// First address.
    pub address: u64,
    /// Whether it is a store or an atomic.
    pub writes: bool,
    /// Where it was found; stores are said to be served by the L2 cache.
    pub level: Level,
}

/// An access of one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadAccess {
    /// Linear number of the thread in the launch.
    pub thread: u64,
    /// Address.
    pub address: u64,
    /// Bytes.
    pub bytes: u32,
    /// Whether it is a store or an atomic.
    pub writes: bool,
}

/// The record of a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Sectors of the multiprocessor, in order.
    pub touched: Vec<Touched>,
    /// Accesses by ascending thread, in each thread's own order.
    pub accesses: Vec<ThreadAccess>,
    /// Whether more came than was recorded.
    pub cut: bool,
    /// Device memory that was allocated when the kernel ran.
    pub buffers: Vec<Allocation>,
}

impl Trace {
    /// The buffer an address lies in.
    pub fn buffer_of(&self, address: u64) -> Option<&Allocation> {
        let inside = |buffer: &&Allocation| {
            (buffer.address..buffer.address + buffer.bytes).contains(&address)
        };
        self.buffers.iter().find(inside)
    }
}

/// Records a multiprocessor's part of a trace.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    pub(crate) trace: Trace,
    sectors: usize,
    accesses: usize,
    requests: u32,
    /// Threads of a block.
    threads: u64,
    /// The only block whose threads are recorded.
    only: Option<u64>,
}

impl Recorder {
    /// Of multiprocessor `index` of `count`, with blocks of so many threads, of which `at_once` run at once on all of them.
    pub(crate) fn new(
        options: TraceOptions,
        (index, count): (u64, u64),
        threads: u32,
        at_once: u64,
    ) -> Recorder {
        let mine = index == u64::from(options.multiprocessor).min(count.saturating_sub(1));
        let all = options.threads == TracedThreads::All;
        let share = if all { count.max(1) as usize } else { 1 };
        Recorder {
            sectors: if mine { options.sectors } else { 0 },
            accesses: options.thread_accesses / share,
            only: (!all).then_some(at_once / 2),
            threads: u64::from(threads),
            ..Recorder::default()
        }
    }

    /// A request begins.
    pub(crate) fn request(&mut self) {
        self.requests = self.requests.saturating_add(1);
    }

    /// A sector of the request that began last; gives its number in the trace, where it is recorded.
    pub(crate) fn sector(&mut self, address: u64, writes: bool, level: Level) -> Option<u32> {
        if self.trace.touched.len() == self.sectors {
            self.trace.cut |= self.sectors > 0;
            return None;
        }
        self.trace.touched.push(Touched {
            request: self.requests.saturating_sub(1),
            address,
            writes,
            level,
        });
        u32::try_from(self.trace.touched.len() - 1).ok()
    }

    /// The level that served the sector with this number.
    pub(crate) fn served(&mut self, number: u32, level: Level) {
        if let Some(touched) = self.trace.touched.get_mut(number as usize) {
            touched.level = level;
        }
    }

    /// An access of a thread, which is numbered in its block.
    pub(crate) fn thread(&mut self, block: u64, access: ThreadAccess) {
        if self.only.is_some_and(|only| only != block) {
            return;
        }
        let thread = block * self.threads + access.thread;
        let access = ThreadAccess { thread, ..access };
        if self.trace.accesses.len() == self.accesses {
            self.trace.cut |= self.accesses > 0;
        } else {
            self.trace.accesses.push(access);
        }
    }
}

/// The trace of a launch from those of its multiprocessors.
pub(crate) fn join(parts: impl Iterator<Item = Trace>, buffers: &[Allocation]) -> Trace {
    let mut whole = Trace {
        buffers: buffers.to_vec(),
        ..Trace::default()
    };
    for part in parts {
        whole.touched.extend(part.touched);
        whole.accesses.extend(part.accesses);
        whole.cut |= part.cut;
    }
    // Stable: each thread's accesses keep their order.
    whole.accesses.sort_by_key(|access| access.thread);
    whole
}
