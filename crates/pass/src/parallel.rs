//! Nested pipelines on several threads, and on one.
//!
//! Ops that are isolated from above are copied out of the program in batches ([`segra_ir::store::Island`]) and worked on
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
//! * What is put back, counted and reported is what one thread would have left: batches go back in order, and where a
//!   pass fails on an op, the ops after it are as if no pass had run on them.
//! * How ops are dealt to batches depends on their number only, never on the number of threads.
//! * At most [`AHEAD`] batches for each thread wait for an earlier one to go back.
//!
//! Deliberately absent: anything for programs so small that starting a thread costs more than it saves.

use crate::analysis::{Analyses, Preserved};
use crate::instrument::Instrumentation;
use crate::manager::{Run, VerifyEach};
use crate::pass::{Changed, PassFailure, Statistics};
use crate::pipeline::Pipeline;
use segra_ir::store::{Island, IslandScratch};
use segra_ir::verify::Verifier;
use segra_ir::{Diagnostics, Ir, Op};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, RwLock};

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

/// What became of a batch.
struct BatchResult {
    island: Island,
    /// Whether a pass changed each of the ops the pipeline ran on: one entry per op that was finished.
    changed: Vec<Changed>,
    failed: bool,
    diags: Diagnostics,
    statistics: Statistics,
}

/// What the threads share.
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
    done: Mutex<Done>,
    /// Told of each change of `done`.
    turn: Condvar,
    most_ahead: usize,
}

/// What went back, and what waits for its turn.
#[derive(Default)]
struct Done {
    /// Batches that went back.
    count: usize,
    waiting: BTreeMap<usize, BatchResult>,
    changed: Vec<Op>,
    failed: bool,
    diags: Diagnostics,
    statistics: Statistics,
}

/// What a thread uses again from one batch to the next.
struct Tools {
    watchers: Vec<Box<dyn Instrumentation>>,
    scratch: IslandScratch,
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
        let crew: Option<Vec<Watchers>> = (0..threads).map(|_| fork(&self.instrumentations)).collect();
        let Some(crew) = crew else { return self.one_by_one(pipeline, ops, step) };
        let work = Work {
            ir: RwLock::new(&mut *self.ir),
            pipeline,
            step,
            verify: self.verify,
            batches: &batches,
            next: AtomicUsize::new(0),
            end: AtomicUsize::new(usize::MAX),
            done: Mutex::default(),
            turn: Condvar::new(),
            most_ahead: AHEAD * threads,
        };
        let options = self.verifier.options();
        work.run_on(crew, || Verifier::new(options));
        let done = work.done.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.diags.extend(done.diags);
        self.statistics.merge(&done.statistics);
        if done.failed || !done.changed.is_empty() {
            self.analyses.invalidate(&Preserved::Only(Vec::new()));
        }
        if done.failed {
            return Err(PassFailure);
        }
        let mut changed = done.changed;
        // What is not isolated after all, and everything after it, is done in place.
        changed.extend(self.one_by_one(pipeline, ops.get(done.count * size..).unwrap_or_default(), step)?);
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
            let watchers = watchers.into_iter().map(|each| -> Box<dyn Instrumentation> { each }).collect();
            self.run(&mut Tools { watchers, scratch: IslandScratch::default(), verifier: verifier() });
        };
        let mut crew = crew.into_iter();
        let Some(own) = crew.next() else { return };
        std::thread::scope(|scope| {
            let work = &work;
            let mut helpers = Vec::new();
            for watchers in crew {
                let thread = std::thread::Builder::new().name("pass".to_owned()).stack_size(STACK);
                // Where no thread is to be had, those there are do the work.
                helpers.extend(thread.spawn_scoped(scope, move || work(watchers)).ok());
            }
            work(own);
            for helper in helpers {
                helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            }
        });
    }

    /// Takes batches until there are none left.
    fn run(&self, tools: &mut Tools) {
        let leaving = Leaving(self);
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&ops) = self.batches.get(number) else { break };
            if !self.wait_for(number) {
                break;
            }
            let island = {
                let ir = self.ir.read().unwrap_or_else(PoisonError::into_inner);
                ir.copy_out(ops, &mut tools.scratch)
            };
            let Some(island) = island else {
                self.stop_before(number);
                break;
            };
            let result = self.batch(island, tools);
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
        // Under the lock: nobody is between looking and waiting.
        let _done = self.done();
        self.turn.notify_all();
    }

    fn done(&self) -> MutexGuard<'_, Done> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no more batches than may be are ahead of those that went back. False if this one does not matter.
    fn wait_for(&self, number: usize) -> bool {
        let mut done = self.done();
        while number < self.end.load(Ordering::Relaxed) {
            if number < done.count + self.most_ahead {
                return true;
            }
            done = self.turn.wait(done).unwrap_or_else(PoisonError::into_inner);
        }
        false
    }

    /// Puts back what is next in order, this batch or those that waited for it.
    fn finish(&self, number: usize, result: BatchResult) {
        let mut done = self.done();
        done.waiting.insert(number, result);
        while done.count < self.end.load(Ordering::Relaxed) {
            let number = done.count;
            let Some(result) = done.waiting.remove(&number) else { break };
            let before = done.changed.len();
            let own = self.batches[number].iter().zip(&result.changed);
            done.changed.extend(own.filter(|row| *row.1 == Changed::Yes).map(|row| *row.0));
            done.diags.extend(result.diags);
            done.statistics.merge(&result.statistics);
            if done.changed.len() > before || result.failed {
                self.ir.write().unwrap_or_else(PoisonError::into_inner).put_back(result.island);
            }
            done.failed |= result.failed;
            done.count += 1;
        }
        self.turn.notify_all();
    }

    fn batch(&self, mut island: Island, tools: &mut Tools) -> BatchResult {
        let ops = island.ops();
        let mut diags = Diagnostics::new();
        let mut run = Run {
            ir: &mut island.ir,
            diags: &mut diags,
            root: None,
            verify: self.verify,
            verifier: std::mem::take(&mut tools.verifier),
            threads: 1,
            instrumentations: std::mem::take(&mut tools.watchers),
            validator: None,
            analyses: Analyses::new(),
            statistics: Statistics::default(),
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
        let statistics = run.statistics;
        BatchResult { island, changed, failed, diags, statistics }
    }
}

/// Where a thread panics, the others must not wait for what it had taken.
struct Leaving<'a, 'b>(&'a Work<'b>);

impl Drop for Leaving<'_, '_> {
    fn drop(&mut self) {
        self.0.stop_before(0);
    }
}
