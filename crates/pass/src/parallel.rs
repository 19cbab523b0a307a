//! Nested pipelines on several threads, and on one.
//!
//! Ops that are isolated from above are copied out of the program in batches ([`segra_ir::store::Island`]), worked on
//! by whichever thread is free, and put back in order. No thread ever sees what another changes, so nothing here is
//! unsafe, and a pass cannot tell whether it runs alone.
//!
//! One thread does the same: a batch is small and lies together, so all passes of the pipeline find it in the processor's
//! caches, and tables over ids are as long as the batch, not as the program. In place, 7,500 functions of a program of
//! 600,000 ops made of every pass with such tables one that takes quadratic time.
//!
//! Invariants:
//! * What is put back, counted and reported is what one thread would have left: where a pass fails on an op, the ops
//!   after it are as if no pass had run on them.
//! * How ops are dealt to batches depends on their number only, never on the number of threads.
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
use std::sync::atomic::{AtomicUsize, Ordering};

/// Programs with fewer ops stay on one thread.
const FEWEST_OPS: usize = 500;
/// Ops in a batch, at most; fewer where there are few, so that every thread gets some.
const LARGEST_BATCH: usize = 32;
/// Batches to aim for.
const BATCHES: usize = 64;
/// Batches for each of several threads before what is done is put back: what waits for that takes memory.
const BATCHES_IN_ROUND: usize = 8;
/// Stack of a thread, in bytes: as much as a main thread usually has.
const STACK: usize = 8 << 20;

/// What became of a batch.
struct BatchResult {
    number: usize,
    island: Island,
    /// Whether a pass changed each of the ops the pipeline ran on: one entry per op that was finished.
    changed: Vec<Changed>,
    failed: bool,
    diags: Diagnostics,
    statistics: Statistics,
}

/// What the threads share in a round.
struct Work<'a> {
    ir: &'a Ir,
    pipeline: &'a Pipeline,
    step: usize,
    verify: VerifyEach,
    batches: &'a [&'a [Op]],
    next: AtomicUsize,
    /// The first batch that is known to have failed: later ones do not matter.
    failed: AtomicUsize,
}

/// What a thread needs and the next round can use again.
struct Tools {
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
        let batch = (ops.len() / BATCHES).clamp(1, LARGEST_BATCH);
        let batches: Vec<&[Op]> = ops.chunks(batch).collect();
        let tools =
            || Tools { scratch: IslandScratch::default(), verifier: Verifier::new(self.verifier.options()) };
        let mut crew: Vec<Tools> = (0..self.threads.min(batches.len())).map(|_| tools()).collect();
        let round = if crew.len() == 1 { 1 } else { crew.len() * BATCHES_IN_ROUND };
        let mut changed = Vec::new();
        for (number, batches) in batches.chunks(round).enumerate() {
            let rest = &ops[number * round * batch..];
            let Some(results) = self.round(pipeline, batches, step, &mut crew) else {
                changed.extend(self.one_by_one(pipeline, rest, step)?);
                break;
            };
            changed.extend(self.collect(results, batch, rest)?);
        }
        Ok(changed)
    }

    /// Runs a nested pipeline on some batches. `None`: that has to be done in place, and nothing was.
    fn round(
        &self,
        pipeline: &Pipeline,
        batches: &[&[Op]],
        step: usize,
        crew: &mut [Tools],
    ) -> Option<Vec<BatchResult>> {
        let forks: Option<Vec<_>> = crew.iter().map(|_| fork(&self.instrumentations)).collect();
        let work = Work {
            ir: self.ir,
            pipeline,
            step,
            verify: self.verify,
            batches,
            next: AtomicUsize::new(0),
            failed: AtomicUsize::new(usize::MAX),
        };
        let mut results = run_on(&work, forks?.into_iter().zip(crew).collect())?;
        results.sort_by_key(|result| result.number);
        Some(results)
    }

    /// Puts back what would have been done by one thread, in order.
    fn collect(
        &mut self,
        results: Vec<BatchResult>,
        batch: usize,
        ops: &[Op],
    ) -> Result<Vec<Op>, PassFailure> {
        let mut changed = Vec::new();
        let mut outcome = Ok(());
        for result in results {
            let own = ops.iter().skip(result.number * batch);
            let before = changed.len();
            changed.extend(own.zip(&result.changed).filter(|row| *row.1 == Changed::Yes).map(|row| *row.0));
            self.diags.extend(result.diags);
            self.statistics.merge(&result.statistics);
            if changed.len() > before || result.failed {
                self.ir.put_back(result.island);
            }
            if result.failed {
                outcome = Err(PassFailure);
                break;
            }
        }
        if outcome.is_err() || !changed.is_empty() {
            self.analyses.invalidate(&Preserved::Only(Vec::new()));
        }
        outcome.map(|()| changed)
    }
}

/// Watchers for another thread; `None` if one of them has to see passes one after another.
fn fork<'a>(instrumentations: &[Box<dyn Instrumentation + 'a>]) -> Option<Watchers> {
    instrumentations.iter().map(|each| each.fork()).collect()
}

/// Watchers for a thread.
type Watchers = Vec<Box<dyn Instrumentation + Send>>;

/// Runs all batches, one thread per set of watchers. `None`: some op is not isolated after all.
fn run_on(work: &Work<'_>, crew: Vec<(Watchers, &mut Tools)>) -> Option<Vec<BatchResult>> {
    let mut crew = crew.into_iter();
    let own = crew.next()?;
    std::thread::scope(|scope| {
        let mut helpers = Vec::new();
        for (watchers, tools) in crew {
            let thread = std::thread::Builder::new().name("pass".to_owned()).stack_size(STACK);
            // Where no thread is to be had, those there are do the work.
            helpers.extend(thread.spawn_scoped(scope, move || work.run(watchers, tools)).ok());
        }
        let mut results = work.run(own.0, own.1);
        for helper in helpers {
            let more = helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            results = results.zip(more).map(|(mut all, more)| {
                all.extend(more);
                all
            });
        }
        results
    })
}

impl Work<'_> {
    /// Takes batches until there are none left. `None`: some op is not isolated after all.
    fn run(&self, watchers: Watchers, tools: &mut Tools) -> Option<Vec<BatchResult>> {
        let mut watchers: Vec<Box<dyn Instrumentation>> =
            watchers.into_iter().map(|each| -> Box<dyn Instrumentation> { each }).collect();
        let mut results = Vec::new();
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&ops) = self.batches.get(number) else { return Some(results) };
            if number > self.failed.load(Ordering::Relaxed) {
                return Some(results);
            }
            let Some(island) = self.ir.copy_out(ops, &mut tools.scratch) else {
                self.next.store(self.batches.len(), Ordering::Relaxed);
                return None;
            };
            let result = self.batch(number, island, &mut watchers, &mut tools.verifier);
            if result.failed {
                self.failed.fetch_min(number, Ordering::Relaxed);
            }
            results.push(result);
        }
    }

    fn batch(
        &self,
        number: usize,
        mut island: Island,
        watchers: &mut Vec<Box<dyn Instrumentation>>,
        verifier: &mut Verifier,
    ) -> BatchResult {
        let ops = island.ops();
        let mut diags = Diagnostics::new();
        let mut run = Run {
            ir: &mut island.ir,
            diags: &mut diags,
            root: None,
            verify: self.verify,
            verifier: std::mem::take(verifier),
            threads: 1,
            instrumentations: std::mem::take(watchers),
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
        *watchers = run.instrumentations;
        *verifier = run.verifier;
        let statistics = run.statistics;
        BatchResult { number, island, changed, failed, diags, statistics }
    }
}
