//! Passes, their inputs and their results.
//!
//! A pass may change the op it runs on and everything inside, nothing outside. It reports through its context:
//! errors and remarks with locations, counts, analyses. It says what it changed and which analyses still hold.

use crate::analysis::{Analyses, Analysis, Preserved};
use crate::options::PassOptions;
use segra_ir::{Diagnostic, Diagnostics, Ir, Op};
use std::collections::BTreeMap;

/// The ops a pass may run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchors {
    /// Any op that is isolated from above.
    Any,
    /// Ops of these names.
    Ops(&'static [&'static str]),
}

impl Anchors {
    /// Whether the pass may run on ops of that name.
    pub fn accepts(self, op_name: &str) -> bool {
        match self {
            Anchors::Any => true,
            Anchors::Ops(names) => names.contains(&op_name),
        }
    }
}

/// A pass's description of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassInfo {
    /// Name in pipelines and on the command line.
    pub name: &'static str,
    /// One line: what it does.
    pub summary: &'static str,
    /// Dialects whose ops it looks for; `&["*"]`: any.
    pub reads: &'static [&'static str],
    /// Dialects whose ops it makes; they must be registered. `&["*"]`: only those it found.
    pub writes: &'static [&'static str],
    /// The ops it may run on.
    pub anchors: Anchors,
}

/// A pass. Its options are its fields, see [`pass_options!`](crate::pass_options).
pub trait Pass: PassOptions + Send + Sync + 'static {
    /// Its description of itself.
    fn info(&self) -> &'static PassInfo;
    /// Works on `op`. On failure at least one error lies in the context's diagnostics.
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult;
}

/// The result of a pass.
pub type PassResult = Result<Outcome, PassFailure>;

/// The pass could not do its work; why is among the diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassFailure;

/// Whether something was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// Nothing was.
    No,
    /// Something was.
    Yes,
}

impl Changed {
    /// `Yes` where the condition holds.
    pub fn when(condition: bool) -> Changed {
        if condition { Changed::Yes } else { Changed::No }
    }
    /// `Yes` if either is.
    pub fn or(self, other: Changed) -> Changed {
        if self == Changed::Yes { self } else { other }
    }
}

/// The outcome of a successful pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Whether it changed the program.
    pub changed: Changed,
    /// Which analyses still hold.
    pub preserved: Preserved,
}

impl Outcome {
    /// Nothing changed: every analysis holds.
    pub fn unchanged() -> Outcome {
        Outcome {
            changed: Changed::No,
            preserved: Preserved::All,
        }
    }
    /// The program changed; no analysis is known to hold.
    pub fn changed() -> Outcome {
        Outcome {
            changed: Changed::Yes,
            preserved: Preserved::Only(Vec::new()),
        }
    }
    /// One or the other.
    pub fn of(changed: Changed) -> Outcome {
        match changed {
            Changed::No => Outcome::unchanged(),
            Changed::Yes => Outcome::changed(),
        }
    }
    /// The analysis `A` still holds.
    pub fn preserving<A: Analysis>(mut self) -> Outcome {
        self.preserved.add::<A>();
        self
    }
}

/// Counts passes report, by step of the pipeline and what is counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    steps: BTreeMap<usize, StepCounts>,
}

/// The counts of one step of a pipeline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct StepCounts {
    pass: String,
    counts: BTreeMap<String, u64>,
}

impl Statistics {
    /// Adds to a count of the pass that is a step of the pipeline.
    pub fn add(&mut self, step: usize, pass: &str, what: &str, count: u64) {
        let counts = &mut self
            .steps
            .entry(step)
            .or_insert_with(|| StepCounts::of(pass))
            .counts;
        match counts.get_mut(what) {
            Some(known) => *known += count,
            None => {
                counts.insert(what.to_owned(), count);
            }
        }
    }
    /// Adds the counts of another run of the same pipeline.
    pub fn merge(&mut self, other: &Statistics) {
        for (&step, more) in &other.steps {
            for (what, &count) in &more.counts {
                self.add(step, &more.pass, what, count);
            }
        }
    }
    /// Rows (pass, what is counted, number), summed over the steps, in alphabetic order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str, u64)> {
        let mut sums: BTreeMap<(&str, &str), u64> = BTreeMap::new();
        for step in self.steps.values() {
            for (what, count) in &step.counts {
                *sums.entry((&step.pass, what)).or_default() += count;
            }
        }
        sums.into_iter()
            .map(|((pass, what), count)| (pass, what, count))
    }
    /// Rows (what is counted, number) of one step, in alphabetic order.
    pub fn of_step(&self, step: usize) -> impl Iterator<Item = (&str, u64)> {
        let counts = self.steps.get(&step).map(|step| &step.counts);
        counts
            .into_iter()
            .flatten()
            .map(|(what, &count)| (what.as_str(), count))
    }
    /// One count, summed over the steps; 0 if nothing was reported.
    pub fn get(&self, pass: &str, what: &str) -> u64 {
        let steps = self.steps.values().filter(|step| step.pass == pass);
        steps.filter_map(|step| step.counts.get(what)).sum()
    }
}

impl StepCounts {
    fn of(pass: &str) -> StepCounts {
        StepCounts {
            pass: pass.to_owned(),
            counts: BTreeMap::new(),
        }
    }
}

/// One of several rewrites that a pass is made of, each of which leaves a program that is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage<'a> {
    /// The op that was rewritten, as it is now.
    pub op: Op,
    /// The rewrite in words, for a heading.
    pub title: &'a str,
}

/// Sees the stages of a pass, and may end it.
pub(crate) trait WatchStages {
    fn after_stage(
        &mut self,
        ir: &Ir,
        stage: Stage<'_>,
        diags: &mut Diagnostics,
    ) -> Result<(), PassFailure>;
}

/// The context of a pass besides the program.
pub struct PassContext<'a> {
    pass: &'static str,
    step: usize,
    diags: &'a mut Diagnostics,
    analyses: &'a mut Analyses,
    statistics: &'a mut Statistics,
    watch: Option<&'a mut (dyn WatchStages + 'a)>,
}

impl std::fmt::Debug for PassContext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PassContext({}, step {})", self.pass, self.step)
    }
}

impl<'a> PassContext<'a> {
    /// A context for one run of the pass of that name.
    pub fn new(
        pass: &'static str,
        diags: &'a mut Diagnostics,
        analyses: &'a mut Analyses,
        statistics: &'a mut Statistics,
    ) -> PassContext<'a> {
        PassContext {
            pass,
            step: 0,
            diags,
            analyses,
            statistics,
            watch: None,
        }
    }
    /// Shows the pass's stages to a watcher.
    pub(crate) fn watched(mut self, watch: &'a mut (dyn WatchStages + 'a)) -> Self {
        self.watch = Some(watch);
        self
    }
    /// A stage of the pass is done, and the program is right as it stands: whoever watches the pipeline sees it, and a
    /// validator runs it.
    ///
    /// # Errors
    /// The program does not compute what it did; an error says so. The pass ends with that failure.
    pub fn stage(&mut self, ir: &Ir, stage: Stage<'_>) -> Result<(), PassFailure> {
        match &mut self.watch {
            Some(watch) => watch.after_stage(ir, stage, self.diags),
            None => Ok(()),
        }
    }
    /// Says which step of its pipeline the pass is; its counts are kept by step.
    pub fn at_step(mut self, step: usize) -> Self {
        self.step = step;
        self
    }
    /// The collected diagnostics.
    pub fn diags(&mut self) -> &mut Diagnostics {
        self.diags
    }
    /// Adds an error about an op; to be returned as `Err(cx.fail(...))`.
    pub fn fail(&mut self, ir: &Ir, op: Op, message: impl Into<String>) -> PassFailure {
        self.diags.op_error(ir, op, message);
        PassFailure
    }
    /// Adds a remark about an op, for notes.
    pub fn remark(&mut self, ir: &Ir, op: Op, message: impl Into<String>) -> &mut Diagnostic {
        self.diags.op_remark(ir, op, message)
    }
    /// Adds to a count of this pass.
    pub fn count(&mut self, what: &str, count: u64) {
        if count > 0 {
            self.statistics.add(self.step, self.pass, what, count);
        }
    }
    /// The analysis `A` of `op`: kept from an earlier pass, or made now. Valid until the program is changed.
    pub fn analysis<A: Analysis>(&mut self, ir: &Ir, op: Op) -> &mut A {
        self.analyses.get(ir, op)
    }
}
