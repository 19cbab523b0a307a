//! Steps on their way to the device: collected, ordered by the memory they use, handed over in batches.
//!
//! A batch ends when the host needs a result, after the iteration of a loop that fills [`BATCH`] steps (so that the batches
//! of a loop have one shape and become graphs), and when there is no more space. Launches that are checked or measured one
//! by one are batches of their own. A device without streams gets the steps of a batch one at a time, in the order that
//! [`RunOptions::order`](super::RunOptions) says.
//!
//! Invariants: everything the host reads or gives back to the device is flushed before; errors have the place of the step
//! that failed, not of the one that flushed; no error of a later instruction hides one of an earlier step.

use super::ErrorChecks;
use super::control::RunControl;
use super::error::{RunError, RunErrorKind};
use super::machine::{Machine, Run};
use super::memory::{Buffer, Memory};
use super::report::{LaunchRecord, RunReport};
use crate::device::{DeviceError, DeviceKind, DevicePtr, KernelLaunch, LaunchOutcome, Timing};
use crate::schedule::{
    Batch, Graphs, LaunchTask, Schedule, Step, StepOrder, Task, Use, check, draw,
};
use segra_artifact::{ElemType, Kernel, LocationId};
use segra_random::SplitMix64;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// After an iteration with so many steps collected, they are handed over.
const BATCH: usize = 32;

/// Numbers runs, so that devices keep their graphs apart.
static RUNS: AtomicU64 = AtomicU64::new(0);

/// The executor's knowledge of a step that the device does not need.
#[derive(Clone, Copy)]
struct Origin {
    location: Option<LocationId>,
    /// The kernel, when it may write the error record.
    checked: Option<usize>,
}

/// Steps that have not been handed over.
pub(super) struct Queue {
    schedule: Schedule,
    origins: Vec<Origin>,
    graphs: Graphs,
    run: u64,
    /// The choice of orders.
    random: SplitMix64,
    /// Of each kernel, by its number, where they are logged.
    launches: BTreeMap<usize, Launches>,
}

/// Launches of one kernel, for the log.
#[derive(Clone, Copy, Default)]
struct Launches {
    count: u64,
    micros: u64,
}

impl Launches {
    /// The log has so many launches of each kernel one by one, and the rest in one line: loops launch a kernel a thousand times.
    const LOGGED: u64 = 4;
}

impl Queue {
    pub(super) fn new(order: StepOrder) -> Queue {
        let seed = match order {
            StepOrder::Program => 0,
            StepOrder::Shuffled(seed) => seed,
        };
        let run = RUNS.fetch_add(1, Ordering::Relaxed);
        Queue {
            schedule: Schedule::default(),
            origins: Vec::new(),
            graphs: Graphs::default(),
            run,
            random: SplitMix64::new(seed),
            launches: BTreeMap::new(),
        }
    }
}

impl Machine<'_> {
    /// Adds a step; `checked` is its kernel when that may write the error record.
    pub(super) fn enqueue(&mut self, task: Task, uses: Vec<Use>, checked: Option<usize>) -> Run {
        if self.queue.schedule.is_full() {
            self.flush()?;
        }
        let origin = Origin {
            location: self.at,
            checked,
        };
        let alone = matches!(task, Task::Launch(_)) && self.launches_alone();
        self.queue.schedule.push(task, uses);
        self.queue.origins.push(origin);
        if alone { self.flush() } else { Ok(()) }
    }

    /// True when each launch is waited for. On the simulator a launch has ended anyhow.
    fn launches_alone(&self) -> bool {
        self.device.info().kind == DeviceKind::Cuda
            && (self.options.timing == Timing::Launches
                || self.options.error_checks == ErrorChecks::EachLaunch)
    }

    /// To be called after each iteration of a loop.
    pub(super) fn end_iteration(&mut self) -> Run {
        let large = self.buffers.has_large_pool();
        if self.queue.schedule.len() >= BATCH || large {
            self.flush()?;
        }
        if large {
            self.buffers.trim().map_err(RunErrorKind::from)?;
        }
        Ok(())
    }

    /// Allocates, from the pool if it has such memory; when the device has none left, once more after all steps have run
    /// and the pool was given back.
    pub(super) fn alloc(&mut self, elem: ElemType, count: i64, name: &str) -> Run<Buffer> {
        let schedule = &self.queue.schedule;
        let busy = |ptr: DevicePtr, bytes| schedule.uses(ptr, bytes);
        let (buffer, memory) = match self
            .buffers
            .alloc(elem, count, name, &mut self.report, &busy)
        {
            Err(RunErrorKind::Device(error @ DeviceError::OutOfMemory { .. })) => {
                self.flush()?;
                if !self.buffers.give_back().map_err(RunErrorKind::from)? {
                    return Err(RunErrorKind::from(error).into());
                }
                self.buffers
                    .alloc(elem, count, name, &mut self.report, &|_, _| false)?
            }
            allocated => allocated?,
        };
        if let Memory::Reused { ptr, bytes } = memory {
            let all = Use {
                start: ptr.0,
                bytes,
                writes: true,
            };
            self.enqueue(
                Task::Renew {
                    ptr,
                    bytes,
                    name: name.to_owned(),
                },
                vec![all],
                None,
            )?;
        }
        Ok(buffer)
    }

    /// Hands over what was collected. A device that works asynchronously may still be at it afterwards.
    pub(super) fn flush(&mut self) -> Run {
        let (steps, streams) = self.queue.schedule.take();
        let origins = std::mem::take(&mut self.queue.origins);
        if steps.is_empty() {
            return Ok(());
        }
        let graph = if self.launches_alone() {
            None
        } else {
            self.queue.graphs.number(&steps)
        };
        self.report.batches += 1;
        self.report.streams = self.report.streams.max(streams);
        self.report.graph_launches += usize::from(graph.is_some());
        let batch = Batch {
            steps: &steps,
            streams,
            graph,
        };
        let (records, result) = if self.launches_alone() || self.device.as_streams().is_none() {
            self.one_by_one(&batch, &origins)
        } else {
            self.submit(&batch, &origins)
        };
        for record in records.into_iter().flatten() {
            self.keep(record);
        }
        result
    }

    /// Counts a launch; its record is kept if it was measured, or one of the first.
    fn keep(&mut self, record: LaunchRecord) {
        let measured = self.options.timing == Timing::Launches || record.profile.is_some();
        self.report.launched += 1;
        if measured || self.report.launches.len() < RunReport::RECORDS {
            self.report.launches.push(record);
        }
    }

    /// Forgets what was not handed over, and what the device kept for this run.
    pub(super) fn close(&mut self) {
        self.queue.schedule.take();
        for (index, launches) in std::mem::take(&mut self.queue.launches) {
            let Launches { count, micros } = launches;
            if count > Launches::LOGGED {
                let kernel = self.artifact.kernels.get(index);
                let kernel = kernel.map_or("", |kernel| kernel.name.as_str());
                tracing::debug!(kernel, launches = count, micros, "launched in all");
            }
        }
        if let Some(device) = self.device.as_streams() {
            device.end_run(self.queue.run);
        }
    }

    fn submit(
        &mut self,
        batch: &Batch<'_>,
        origins: &[Origin],
    ) -> (Vec<Option<LaunchRecord>>, Run) {
        let Some(device) = self.device.as_streams() else {
            return (Vec::new(), Ok(()));
        };
        let result = device
            .submit(self.queue.run, batch)
            .map_err(|(step, error)| {
                // The program's own error explains a fault better than the device can.
                let own = self.check_record(None).err();
                let location = step
                    .and_then(|step| origins.get(step))
                    .and_then(|origin| origin.location);
                own.unwrap_or_else(|| self.locate(RunErrorKind::from(error).into(), location))
            });
        let records = batch
            .steps
            .iter()
            .map(|step| self.record_of(batch, step, LaunchOutcome::default()));
        (records.collect(), result)
    }

    fn one_by_one(
        &mut self,
        batch: &Batch<'_>,
        origins: &[Origin],
    ) -> (Vec<Option<LaunchRecord>>, Run) {
        let order = match self.options.order {
            StepOrder::Program => (0..batch.steps.len()).collect(),
            StepOrder::Shuffled(_) => {
                if let Err(pair) = check::ordered(batch.steps) {
                    tracing::error!(?pair, "steps that use the same memory are not ordered");
                    let error =
                        RunErrorKind::Internal("steps that use the same memory are not ordered");
                    return (Vec::new(), Err(error.into()));
                }
                draw(batch.steps, &mut self.queue.random)
            }
        };
        let mut records: Vec<Option<LaunchRecord>> = batch.steps.iter().map(|_| None).collect();
        for index in order {
            let (step, origin) = (&batch.steps[index], origins[index]);
            match self.step(step, origin) {
                Ok(outcome) => records[index] = self.record_of(batch, step, outcome),
                Err(error) => return (records, Err(self.locate(error, origin.location))),
            }
        }
        (records, Ok(()))
    }

    /// Runs one step on a device that takes one at a time.
    fn step(&mut self, step: &Step, origin: Origin) -> Run<LaunchOutcome> {
        let device = self.device;
        match &step.task {
            Task::Copy { dst, src, bytes } => device.copy(*dst, *src, *bytes)?,
            Task::Fill {
                dst,
                pattern,
                count,
            } => device.fill(*dst, pattern, *count)?,
            Task::Renew { ptr, bytes, name } => device.renew(*ptr, *bytes, name)?,
            Task::Launch(launch) => return self.launch_step(launch, origin),
        }
        Ok(LaunchOutcome::default())
    }

    fn launch_step(&mut self, launch: &LaunchTask, origin: Origin) -> Run<LaunchOutcome> {
        let kernel = self.artifact.kernels.get(launch.kernel);
        let name = kernel.map_or("", |kernel| kernel.name.as_str());
        let LaunchTask {
            grid,
            block,
            dynamic_shared,
            ..
        } = launch;
        let span = tracing::debug_span!("launch", kernel = name, ?grid, ?block, dynamic_shared);
        let _entered = span.enter();
        let in_kernel = |kernel| {
            if let Some(control) = &self.options.control {
                control.at(origin.location);
                control.in_kernel(kernel);
            }
        };
        in_kernel(Some(launch.kernel));
        let request = KernelLaunch {
            cancel: self.options.control.as_deref().map(RunControl::cancel),
            ..launch.request(self.options.timing == Timing::Launches)
        };
        let started = Instant::now();
        let result = self.device.launch(&request);
        if tracing::enabled!(tracing::Level::DEBUG) {
            let micros = started.elapsed().as_micros() as u64;
            let launches = self.queue.launches.entry(launch.kernel).or_default();
            launches.count += 1;
            launches.micros += micros;
            match launches.count <= Launches::LOGGED {
                true => tracing::debug!(micros, "launched"),
                false => tracing::trace!(micros, "launched"),
            }
        }
        in_kernel(None);
        if let (Err(DeviceError::Cancelled { .. }), Some(control)) =
            (&result, &self.options.control)
            && let Some(why) = control.stopped()
        {
            return Err(RunErrorKind::Stopped(why).into());
        }
        if result.is_err() || (self.checks_each_launch() && origin.checked.is_some()) {
            // The program's own error explains a fault better than the device can.
            self.check_record(origin.checked)?;
        }
        result.map_err(|error| with_summary(error, kernel))
    }

    fn record_of(
        &self,
        batch: &Batch<'_>,
        step: &Step,
        mut outcome: LaunchOutcome,
    ) -> Option<LaunchRecord> {
        let Task::Launch(launch) = &step.task else {
            return None;
        };
        let kernel = self.artifact.kernels.get(launch.kernel)?;
        if let (Some(_), Some(profile)) = (batch.graph, &mut outcome.profile) {
            profile.estimate = profile.estimate.in_graph();
        }
        Some(LaunchRecord {
            kernel: kernel.name.clone(),
            grid: launch.grid,
            block: launch.block,
            dynamic_shared: launch.dynamic_shared,
            stream: step.stream,
            in_graph: batch.graph.is_some(),
            time: outcome.time,
            counters: outcome.counters,
            profile: outcome.profile,
        })
    }
}

/// A kernel's fault, with what the kernel does for the program.
fn with_summary(error: DeviceError, kernel: Option<&Kernel>) -> RunError {
    let summary = kernel.map_or("", |kernel| kernel.summary.as_str());
    RunErrorKind::from(match error {
        DeviceError::Fault {
            kernel: name,
            report,
        } if !summary.is_empty() => DeviceError::Fault {
            kernel: name,
            report: format!("{report}\n  the kernel: {summary}"),
        },
        other => other,
    })
    .into()
}
