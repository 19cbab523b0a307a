//! Observers that may watch (and veto) the passes of a pipeline: timing, IR printing and bisection plug in here.

use crate::pass::{Changed, Pass, Stage};
use crate::pipeline::PipelineAnchor;
use segra_ir::interfaces::symbol_name;
use segra_ir::{Ir, Op};

/// One run of one pass on one op.
#[derive(Clone, Copy)]
pub struct PassEvent<'a> {
    /// The pass.
    pub pass: &'a dyn Pass,
    /// The op it runs on.
    pub op: Op,
    /// Which step of the pipeline this is: steps are counted from 0 in the order of the pipeline's text.
    pub step: usize,
}

impl PassEvent<'_> {
    /// Name of the pass.
    pub fn name(&self) -> &'static str {
        self.pass.info().name
    }
}

/// One run of a nested pipeline on one op.
#[derive(Clone, Copy, Debug)]
pub struct PipelineEvent<'a> {
    /// The ops it runs on.
    pub anchor: &'a PipelineAnchor,
    /// Which step of the pipeline this is, counted like those of passes.
    pub step: usize,
}

/// Whether a pass is to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It runs.
    Run,
    /// It is left out.
    Skip,
}

/// Watches a pipeline. Calls nest: what is called `before` comes first in order of registration, `after` last.
pub trait Instrumentation {
    /// A nested pipeline starts on an op.
    fn before_pipeline(&mut self, _event: PipelineEvent<'_>) {}
    /// It ends.
    fn after_pipeline(&mut self, _event: PipelineEvent<'_>) {}
    /// Whether a pass is to run; one `Skip` suffices.
    fn decide(&mut self, _event: PassEvent<'_>, _ir: &Ir) -> Decision {
        Decision::Run
    }
    /// A pass is about to run.
    fn before_pass(&mut self, _event: PassEvent<'_>, _ir: &Ir) {}
    /// A pass succeeded; the result is not verified yet.
    fn after_pass(&mut self, _event: PassEvent<'_>, _ir: &Ir, _changed: Changed) {}
    /// A pass that is made of several rewrites did one of them.
    fn after_stage(&mut self, _event: PassEvent<'_>, _ir: &Ir, _stage: Stage<'_>) {}
    /// A pass failed, or what it left does not verify, or not mean the same.
    fn after_failed_pass(&mut self, _event: PassEvent<'_>, _ir: &Ir) {}
    /// A pass panicked: nobody may look at the program any more.
    fn after_panic(&mut self, _event: PassEvent<'_>) {}
    /// A watcher for another thread, which sees passes on ops this one does not see. `None`: this watcher has to see all
    /// passes one after another, and so the pipeline runs on one thread.
    fn fork(&self) -> Option<Box<dyn Instrumentation + Send>> {
        None
    }
}

/// Chooses passes by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PassFilter {
    /// No pass.
    #[default]
    None,
    /// Passes of these names.
    Names(Vec<String>),
    /// Every pass.
    All,
}

impl PassFilter {
    /// Whether it chooses passes of that name.
    pub fn chooses(&self, name: &str) -> bool {
        match self {
            PassFilter::None => false,
            PassFilter::Names(names) => names.iter().any(|chosen| chosen == name),
            PassFilter::All => true,
        }
    }
}

/// Leaves out the passes a filter chooses.
#[derive(Clone, Debug)]
pub struct SkipPasses(pub PassFilter);

impl Instrumentation for SkipPasses {
    fn decide(&mut self, event: PassEvent<'_>, _: &Ir) -> Decision {
        if self.0.chooses(event.name()) {
            Decision::Skip
        } else {
            Decision::Run
        }
    }
    fn fork(&self) -> Option<Box<dyn Instrumentation + Send>> {
        Some(Box::new(self.clone()))
    }
}

/// Runs only the first so many pass runs: halving the limit finds the run that breaks a program.
pub struct BisectLimit<S> {
    limit: usize,
    /// Only these count; all others run.
    counted: PassFilter,
    count: usize,
    sink: S,
}

impl<S> std::fmt::Debug for BisectLimit<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BisectLimit({} of {:?})", self.limit, self.counted)
    }
}

impl<S: FnMut(&str)> BisectLimit<S> {
    /// Lets the first `limit` runs of the passes `counted` chooses through and tells `sink` about each, one line a run,
    /// counted from 1.
    pub fn new(limit: usize, counted: PassFilter, sink: S) -> BisectLimit<S> {
        BisectLimit {
            limit,
            counted,
            count: 0,
            sink,
        }
    }
}

impl<S: FnMut(&str)> Instrumentation for BisectLimit<S> {
    fn decide(&mut self, event: PassEvent<'_>, ir: &Ir) -> Decision {
        if !self.counted.chooses(event.name()) {
            return Decision::Run;
        }
        self.count += 1;
        let (word, decision) = if self.count <= self.limit {
            ("", Decision::Run)
        } else {
            ("NOT ", Decision::Skip)
        };
        let line = format!(
            "BISECT: {word}running pass ({}) {} on {}\n",
            self.count,
            event.name(),
            op_title(ir, event.op)
        );
        (self.sink)(&line);
        decision
    }
}

/// How watchers call an op: its name, and its symbol's.
pub fn op_title(ir: &Ir, op: Op) -> String {
    let symbol = symbol_name(ir, op).map(|name| format!(" @{}", ir.ctx().str(name)));
    format!("'{}'{}", ir.op_name_str(op), symbol.unwrap_or_default())
}

/// Compares what a program computes before and after passes.
pub trait PassValidator {
    /// Runs the program as it is before the pipeline; `Err`: it cannot be run, and why.
    fn before_pipeline(&mut self, ir: &Ir, root: Op) -> Result<(), String>;
    /// Runs it after a pass; `Err`: the first difference in words.
    fn after_pass(&mut self, pass: &str, ir: &Ir, root: Op) -> Result<(), String>;
}

/// Whether a run after a pass ends as the one before the pipeline did: both fail, or neither, and then with results between which
/// `difference` finds none.
///
/// # Errors
/// How they differ, in words.
///
/// ```
/// use segra_pass::same_outcome;
///
/// let difference = |first: &i32, now: &i32| (first != now).then(|| format!("{now} is not {first}"));
/// assert!(same_outcome(&Ok(1), &Ok(1), difference).is_ok());
/// assert!(same_outcome(&Ok(1), &Ok(2), difference).is_err());
/// assert!(same_outcome(&Ok(1), &Err("out of range".to_owned()), difference).is_err());
/// ```
pub fn same_outcome<T>(
    first: &Result<T, String>,
    now: &Result<T, String>,
    difference: impl FnOnce(&T, &T) -> Option<String>,
) -> Result<(), String> {
    match (first, now) {
        (Ok(first), Ok(now)) => difference(first, now).map_or(Ok(()), Err),
        (Err(_), Err(_)) => Ok(()),
        (Ok(_), Err(error)) => Err(format!(
            "it ran before the pipeline and fails after the pass: {error}"
        )),
        (Err(error), Ok(_)) => Err(format!(
            "it failed before the pipeline ({error}) and runs after the pass"
        )),
    }
}
