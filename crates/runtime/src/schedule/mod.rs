//! Which steps of a run must wait for which, and the stream each runs in.
//!
//! The executor does not hand work to the device at once: it collects [`Step`]s, each with the memory it uses, and
//! hands over a [`Batch`] when the host needs a result or enough is collected. Two steps conflict when they use a
//! common byte and one of them writes it. Conflicts are found by address, so memory that the pool gives out again is
//! ordered after its last use like any other. Steps run in streams: within a stream in order, between streams only as
//! [`Step::waits`] says. A step goes behind one it waits for where it can, so chains stay in one stream.
//!
//! Invariants: any two conflicting steps of a batch are ordered by streams and waits ([`check`] proves it of a batch,
//! without what was used to make it); batches run one after the other; every wait is for an earlier step.
//! Deliberately absent: moving steps, splitting them, priorities.

pub(crate) mod check;
mod graphs;
mod order;
mod set;

pub(crate) use graphs::Graphs;
pub use order::StepOrder;
pub(crate) use order::draw;

use crate::device::{DevicePtr, KernelArg, KernelLaunch, ModuleHandle};
use set::StepSet;

/// Most steps of a batch.
pub(crate) const MAX_STEPS: usize = set::CAPACITY;
/// Most streams of a batch: hardware runs more kernels at once than programs have independent ones.
pub(crate) const MAX_STREAMS: usize = 4;

/// Bytes of device memory that a step uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// Address of the first byte.
    pub start: u64,
    /// How many.
    pub bytes: u64,
    /// Whether the step may change them.
    pub writes: bool,
}

impl Use {
    /// True when the two must stay in order: they share a byte, and one of them writes.
    pub fn conflicts(&self, other: &Use) -> bool {
        (self.writes || other.writes)
            && self.start < other.start.saturating_add(other.bytes)
            && other.start < self.start.saturating_add(self.bytes)
    }
}

/// A launch that owns its arguments; fields as in [`KernelLaunch`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchTask {
    /// The module.
    pub module: ModuleHandle,
    /// The kernel, as a position in the list of names given to [`crate::Device::load`].
    pub kernel: usize,
    /// Thread blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads per block in x, y, z.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// One per parameter.
    pub args: Vec<KernelArg>,
}

impl LaunchTask {
    /// As the device takes it.
    pub fn request(&self, timed: bool) -> KernelLaunch<'_> {
        let LaunchTask {
            module,
            kernel,
            grid,
            block,
            dynamic_shared,
            ref args,
        } = *self;
        KernelLaunch {
            module,
            kernel,
            grid,
            block,
            dynamic_shared,
            args,
            timed,
            cancel: None,
        }
    }
}

/// The work of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// Runs a kernel.
    Launch(LaunchTask),
    /// [`crate::Device::copy`].
    Copy {
        /// To.
        dst: DevicePtr,
        /// From.
        src: DevicePtr,
        /// How many.
        bytes: u64,
    },
    /// [`crate::Device::fill`].
    Fill {
        /// Where.
        dst: DevicePtr,
        /// 1, 2, 4 or 8 bytes.
        pattern: Vec<u8>,
        /// Repeated so often.
        count: u64,
    },
    /// [`crate::Device::renew`]: costs nothing on hardware, but contents are undefined from here on.
    Renew {
        /// The allocation.
        ptr: DevicePtr,
        /// Its size.
        bytes: u64,
        /// Its name from now on.
        name: String,
    },
}

/// One step and when it may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The kind of effect.
    pub task: Task,
    /// The memory it uses. Error records are left out: kernels write them atomically, hosts read them between batches.
    pub uses: Vec<Use>,
    /// Its stream, below [`Batch::streams`]: it runs after all earlier steps of that stream.
    pub stream: usize,
    /// Earlier steps of other streams that it also runs after.
    pub waits: Vec<usize>,
}

/// Steps for the device, after everything handed over before.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// In the order of the program, which is one of the orders they may run in.
    pub steps: &'a [Step],
    /// How many streams they use.
    pub streams: usize,
    /// A number for batches of this shape (tasks, kernels, streams, waits; not arguments and grids), when the shape came
    /// before in this run: such a batch is worth a graph.
    pub graph: Option<usize>,
}

/// Collects steps, and orders them.
#[derive(Default)]
pub(crate) struct Schedule {
    steps: Vec<Step>,
    /// For each step, those that have ended when it starts.
    before: Vec<StepSet>,
    streams: Vec<Stream>,
}

/// The end of a stream.
#[derive(Clone, Copy)]
struct Stream {
    last: usize,
    /// Steps that have ended when the last one has.
    ended: StepSet,
}

impl Schedule {
    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    pub(crate) fn is_full(&self) -> bool {
        self.steps.len() == MAX_STEPS
    }

    /// Whether a step that was collected uses some of these bytes.
    pub(crate) fn uses(&self, start: DevicePtr, bytes: u64) -> bool {
        let all = Use {
            start: start.0,
            bytes,
            writes: true,
        };
        self.steps
            .iter()
            .any(|step| step.uses.iter().any(|used| used.conflicts(&all)))
    }

    /// Adds a step; there must be space ([`Schedule::is_full`]).
    pub(crate) fn push(&mut self, task: Task, uses: Vec<Use>) {
        let needed = self.needed(&uses);
        let index = self.steps.len();
        let stream = self.stream_for(&needed);
        let mut before = self
            .streams
            .get(stream)
            .map_or(StepSet::default(), |stream| stream.ended);
        let mut waits = Vec::new();
        for &step in &needed {
            // Latest first: what one wait implies is not waited for again.
            if !before.contains(step) {
                waits.push(step);
                before.insert(step);
                before.extend(self.before[step]);
            }
        }
        let mut ended = before;
        ended.insert(index);
        let end = Stream { last: index, ended };
        match self.streams.get_mut(stream) {
            Some(old) => *old = end,
            None => self.streams.push(end),
        }
        self.before.push(before);
        self.steps.push(Step {
            task,
            uses,
            stream,
            waits,
        });
    }

    /// The latest steps that a step with these uses conflicts with: others it conflicts with come before one of them.
    fn needed(&self, uses: &[Use]) -> Vec<usize> {
        let (mut needed, mut implied) = (Vec::new(), StepSet::default());
        for (index, step) in self.steps.iter().enumerate().rev() {
            let conflict = || {
                uses.iter()
                    .any(|mine| step.uses.iter().any(|other| mine.conflicts(other)))
            };
            if !implied.contains(index) && conflict() {
                needed.push(index);
                implied.extend(self.before[index]);
            }
        }
        needed
    }

    /// Behind the latest step it needs if that ends a stream, else a stream that is free or that it needs anyhow.
    fn stream_for(&self, needed: &[usize]) -> usize {
        let ending = |step: &usize| self.streams.iter().position(|stream| stream.last == *step);
        if let Some(stream) = needed.iter().find_map(ending) {
            return stream;
        }
        let passed = needed.iter().fold(StepSet::default(), |mut passed, &step| {
            passed.insert(step);
            passed.extend(self.before[step]);
            passed
        });
        if let Some(stream) = self
            .streams
            .iter()
            .position(|stream| passed.contains(stream.last))
        {
            return stream;
        }
        if self.streams.len() < MAX_STREAMS {
            return self.streams.len();
        }
        // All are busy with something else: the one that has waited longest for work.
        let oldest = self
            .streams
            .iter()
            .enumerate()
            .min_by_key(|(_, stream)| stream.last);
        oldest.map_or(0, |(index, _)| index)
    }

    /// The collected steps, and the number of its streams; the schedule is empty after it.
    pub(crate) fn take(&mut self) -> (Vec<Step>, usize) {
        let streams = self.streams.len();
        self.before.clear();
        self.streams.clear();
        (std::mem::take(&mut self.steps), streams)
    }
}

#[cfg(test)]
mod tests;
