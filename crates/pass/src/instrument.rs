//! What may watch (and veto) the passes of a pipeline: timing, IR printing and bisection plug in here.

use crate::pass::{Changed, Pass};
use crate::pipeline::PipelineAnchor;
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
    /// Which run this is, counted from 0 over the whole pipeline.
    pub number: usize,
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
    /// A pass failed, or what it left does not verify, or not mean the same.
    fn after_failed_pass(&mut self, _event: PassEvent<'_>, _ir: &Ir) {}
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
        if self.0.chooses(event.name()) { Decision::Skip } else { Decision::Run }
    }
}

/// Runs only the first `limit` pass runs: halving the limit finds the run that breaks a program.
#[derive(Clone, Copy, Debug)]
pub struct BisectLimit {
    /// How many pass runs to let through.
    pub limit: usize,
}

impl Instrumentation for BisectLimit {
    fn decide(&mut self, event: PassEvent<'_>, _: &Ir) -> Decision {
        if event.number < self.limit { Decision::Run } else { Decision::Skip }
    }
}

/// Compares what a program computes before and after passes.
pub trait PassValidator {
    /// Runs the program as it is before the pipeline; `Err`: it cannot be run, and why.
    fn before_pipeline(&mut self, ir: &Ir, root: Op) -> Result<(), String>;
    /// Runs it after a pass; `Err`: the first difference in words.
    fn after_pass(&mut self, pass: &str, ir: &Ir, root: Op) -> Result<(), String>;
}
