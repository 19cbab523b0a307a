//! Nested pipelines on several threads, and on one.
//!
//! Ops that are isolated from above are copied out of the program in batches ([`segra_ir::store::DetachedCopy`]) and worked on
//! by whichever thread is free, which puts back what is done and is next in order. No thread ever sees what another
//! changes: the program is behind a lock, shared for copying and exclusive for putting back, so nothing here is unsafe,
//! and a pass cannot tell whether it runs alone. Threads live as long as the pipeline, and a batch goes back while it is
//! in the caches of the core that worked on it.
//!
//! One thread does the same: a batch is small and lies together, so all passes of the pipeline find it in the processor's
//! caches, and tables over ids are as long as the batch, not as the program. In place, 7,500 functions of a program of
//! 600,000 ops made of every pass with such tables one that takes quadratic time.
//!
//! Invariants:
//! * The ops put back, the counts and the reports are those of one thread: batches go back in order, and where a
//!   pass fails on an op, the ops after it are as if no pass had run on them.
//! * How ops are dealt to batches depends on their number only, never on the number of threads.
//! * At most [`AHEAD`] batches for each thread wait for an earlier one to go back.
//!
//! Deliberately absent: anything for programs so small that starting a thread costs more than it saves.

use crate::analysis::{Analyses, Preserved};
use crate::instrument::Instrumentation;
use crate::manager::{PassLog, Run, VerifyEach};
use crate::pass::{Changed, PassFailure, Statistics};
use crate::pipeline::Pipeline;
use segra_ir::store::{DetachedCopy, DetachedScratch};
use segra_ir::verify::Verifier;
use segra_ir::{Diagnostics, Ir, Op};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, RwLock, TryLockError};

/// Programs with fewer ops stay on one thread.
const FEWEST_OPS: usize = 500;
/// Ops in a batch, at most; fewer where there are few, so that every thread gets some.
const LARGEST_BATCH: usize = 32;
/// Batches to aim for.
const BATCHES: usize = 64;
/// Batches for each thread that may be done, or under way, before the first that is not put back: they take memory.
const AHEAD: usize = 8;
/// Stack of a thread, in bytes: as much as a main thread usually has.
const STACK: usize = 8 << 20;

/// The outcome of a batch.
struct BatchResult {
    detached: DetachedCopy,
    /// Whether a pass changed each of the ops the pipeline ran on: one entry per op that was finished.
    changed: Vec<Changed>,
    failed: bool,
    /// The pass that failed.
    culprit: Option<&'static str>,
    diags: Diagnostics,
    statistics: Statistics,
}

/// The state shared by the threads.
struct Work<'a> {
    ir: RwLock<&'a mut Ir>,
    pipeline: &'a Pipeline,
    step: usize,
    verify: VerifyEach,
    batches: &'a [&'a [Op]],
    /// The next batch to take.
    next: AtomicUsize,
    /// Batches from this one on do not matter: an earlier one failed or cannot be copied out.
    end: AtomicUsize,
    /// Finished batches that have not gone back, by number. Locked only for a moment.
    waiting: Mutex<BTreeMap<usize, BatchResult>>,
    /// Told of each change of `returned` and `end`, under the lock of `waiting`.
    turn: Condvar,
    /// Batches that went back.
    returned: AtomicUsize,
    /// Locked by the thread that puts back.
    done: Mutex<Done>,
    most_ahead: usize,
    log: Option<&'a PassLog>,
}

/// The reports of the batches that went back.
#[derive(Default)]
struct Done {
    changed: Vec<Op>,
    failed: bool,
    /// The pass that failed.
    culprit: Option<&'static str>,
    diags: Diagnostics,
    statistics: Statistics,
}

/// The buffers a thread uses again from one batch to the next.
struct Tools {
    watchers: Vec<Box<dyn Instrumentation>>,
    scratch: DetachedScratch,
    verifier: Verifier,
}

impl Run<'_, '_> {
    /// Runs a nested pipeline on ops. Returns those that were changed.
    pub(crate) fn on_ops(
        &mut self,
        pipeline: &Pipeline,
        ops: &[Op],
        step: usize,
    ) -> Result<Vec<Op>, PassFailure> {
        if self.validator.is_some() || ops.len() < 2 || self.ir.op_capacity() < FEWEST_OPS {
            return self.one_by_one(pipeline, ops, step);
        }
        let size = (ops.len() / BATCHES).clamp(1, LARGEST_BATCH);
        let batches: Vec<&[Op]> = ops.chunks(size).collect();
        let threads = self.threads.min(batches.len());
        let crew: Option<Vec<Watchers>> =
            (0..threads).map(|_| fork(&self.instrumentations)).collect();
        let Some(crew) = crew else {
            return self.one_by_one(pipeline, ops, step);
        };
        let work = Work {
            ir: RwLock::new(&mut *self.ir),
            pipeline,
            step,
            verify: self.verify,
            batches: &batches,
            next: AtomicUsize::new(0),
            end: AtomicUsize::new(usize::MAX),
            waiting: Mutex::default(),
            turn: Condvar::new(),
            returned: AtomicUsize::new(0),
            done: Mutex::default(),
            most_ahead: AHEAD * threads,
            log: self.log,
        };
        let options = self.verifier.options();
        work.run_on(crew, || Verifier::new(options));
        let returned = work.returned.into_inner();
        let done = work
            .done
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        self.diags.extend(done.diags);
        self.statistics.merge(&done.statistics);
        if done.failed || !done.changed.is_empty() {
            self.analyses.invalidate(&Preserved::Only(Vec::new()));
        }
        if done.failed {
            self.failed = done.culprit;
            return Err(PassFailure);
        }
        let mut changed = done.changed;
        // An op that is not isolated after all, and everything after it, is done in place.
        changed.extend(self.one_by_one(
            pipeline,
            ops.get(returned * size..).unwrap_or_default(),
            step,
        )?);
        Ok(changed)
    }
}

/// Watchers for another thread; `None` if one of them has to see passes one after another.
fn fork<'a>(instrumentations: &[Box<dyn Instrumentation + 'a>]) -> Option<Watchers> {
    instrumentations.iter().map(|each| each.fork()).collect()
}

/// Watchers for a thread.
type Watchers = Vec<Box<dyn Instrumentation + Send>>;

impl Work<'_> {
    /// Runs the batches, with one thread per set of watchers, until all are put back or one cannot be.
    fn run_on(&self, crew: Vec<Watchers>, verifier: impl Fn() -> Verifier + Sync) {
        let work = |watchers: Watchers| {
            let watchers = watchers
                .into_iter()
                .map(|each| -> Box<dyn Instrumentation> { each })
                .collect();
            self.run(&mut Tools {
                watchers,
                scratch: DetachedScratch::default(),
                verifier: verifier(),
            });
        };
        let mut crew = crew.into_iter();
        let Some(own) = crew.next() else { return };
        std::thread::scope(|scope| {
            let work = &work;
            let mut helpers = Vec::new();
            for watchers in crew {
                let thread = std::thread::Builder::new()
                    .name("pass".to_owned())
                    .stack_size(STACK);
                // Where no thread is to be had, those there are do the work.
                helpers.extend(thread.spawn_scoped(scope, move || work(watchers)).ok());
            }
            work(own);
            for helper in helpers {
                helper
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            }
        });
    }

    /// Takes batches until there are none left.
    fn run(&self, tools: &mut Tools) {
        let leaving = Leaving(self);
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&ops) = self.batches.get(number) else {
                break;
            };
            if !self.wait_for(number) {
                break;
            }
            let detached = {
                let ir = self.ir.read().unwrap_or_else(PoisonError::into_inner);
                ir.copy_out(ops, &mut tools.scratch)
            };
            let Some(detached) = detached else {
                self.stop_before(number);
                break;
            };
            let result = self.batch(detached, tools);
            if result.failed {
                self.stop_before(number + 1);
            }
            self.finish(number, result);
        }
        std::mem::forget(leaving);
    }

    /// Batches from this one on do not matter.
    fn stop_before(&self, number: usize) {
        self.end.fetch_min(number, Ordering::Relaxed);
        self.tell();
    }

    /// Wakes who waits for a change of `returned` or `end`.
    fn tell(&self) {
        // Under the lock: nobody is between looking and waiting.
        let _waiting = self.waiting();
        self.turn.notify_all();
    }

    fn waiting(&self) -> MutexGuard<'_, BTreeMap<usize, BatchResult>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no more batches than may be are ahead of those that went back. False if this one does not matter.
    fn wait_for(&self, number: usize) -> bool {
        let matters = || number < self.end.load(Ordering::Relaxed);
        let may_start = || number < self.returned.load(Ordering::Acquire) + self.most_ahead;
        if may_start() {
            return matters();
        }
        let mut waiting = self.waiting();
        while matters() && !may_start() {
            waiting = self
                .turn
                .wait(waiting)
                .unwrap_or_else(PoisonError::into_inner);
        }
        matters()
    }

    /// Leaves a result for its turn, and puts back what is next in order unless another thread is at it: that one looks
    /// again before it stops.
    fn finish(&self, number: usize, result: BatchResult) {
        self.waiting().insert(number, result);
        while self.next_is_there()
            && let Some(mut done) = self.try_done()
        {
            self.put_back(&mut done);
        }
    }

    fn next_is_there(&self) -> bool {
        let number = self.returned.load(Ordering::Acquire);
        number < self.end.load(Ordering::Relaxed) && self.waiting().contains_key(&number)
    }

    fn try_done(&self) -> Option<MutexGuard<'_, Done>> {
        match self.done.try_lock() {
            Ok(done) => Some(done),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// Puts back batches in order while the next one is done.
    fn put_back(&self, done: &mut Done) {
        loop {
            let number = self.returned.load(Ordering::Acquire);
            if number >= self.end.load(Ordering::Relaxed) {
                return;
            }
            let Some(result) = self.waiting().remove(&number) else {
                return;
            };
            let before = done.changed.len();
            let own = self.batches[number].iter().zip(&result.changed);
            done.changed
                .extend(own.filter(|row| *row.1 == Changed::Yes).map(|row| *row.0));
            done.diags.extend(result.diags);
            done.statistics.merge(&result.statistics);
            done.failed |= result.failed;
            done.culprit = done.culprit.or(result.culprit);
            if done.changed.len() > before || result.failed {
                self.ir
                    .write()
                    .unwrap_or_else(PoisonError::into_inner)
                    .put_back(result.detached);
            }
            self.returned.store(number + 1, Ordering::Release);
            self.tell();
        }
    }

    fn batch(&self, mut detached: DetachedCopy, tools: &mut Tools) -> BatchResult {
        let ops = detached.ops();
        let mut diags = Diagnostics::new();
        let mut run = Run {
            ir: &mut detached.ir,
            diags: &mut diags,
            root: None,
            verify: self.verify,
            verifier: std::mem::take(&mut tools.verifier),
            threads: 1,
            instrumentations: std::mem::take(&mut tools.watchers),
            validator: None,
            analyses: Analyses::new(),
            statistics: Statistics::default(),
            failed: None,
            log: self.log,
        };
        let mut changed = Vec::with_capacity(ops.len());
        let mut failed = false;
        for op in ops {
            match run.nested_op(self.pipeline, op, self.step) {
                Ok(outcome) => changed.push(outcome),
                Err(PassFailure) => {
                    failed = true;
                    break;
                }
            }
        }
        tools.watchers = run.instrumentations;
        tools.verifier = run.verifier;
        let (statistics, culprit) = (run.statistics, run.failed);
        BatchResult {
            detached,
            changed,
            failed,
            culprit,
            diags,
            statistics,
        }
    }
}

/// Where a thread panics, the others must not wait for what it had taken.
struct Leaving<'a, 'b>(&'a Work<'b>);

impl Drop for Leaving<'_, '_> {
    fn drop(&mut self) {
        self.0.stop_before(0);
    }
}
