//! The pass manager: runs a pipeline on a program.
//!
//! After every pass the op it ran on is verified (unless told otherwise); what does not verify is reported with the
//! guilty pass. Printing, timing, skipping and bisecting belong to [`crate::instrument`]; validation by execution
//! to a [`PassValidator`]. A pass that fails ends the pipeline; the program is then as the pass left it.
//!
//! Nested pipelines run on several threads, see `parallel`; the outcome is that of one thread: the same program, and
//! the same diagnostics in the same order. Symbols used in nested ops are checked when the outermost nested pipeline
//! is done on all of them, because what they refer to stands outside.
//!
//! A pass that panics is caught: that is reported as an internal error, and the program must not be used any more.

use crate::analysis::{Analyses, Preserved};
use crate::instrument::{Decision, Instrumentation, PassEvent, PassValidator, PipelineEvent};
use crate::pass::{
    Anchors, Changed, Pass, PassContext, PassFailure, Stage, Statistics, WatchStages,
};
use crate::pipeline::{Pipeline, PipelineAnchor, PipelineItem};
use segra_ir::symbol::SymbolTables;
use segra_ir::verify::{Verifier, VerifyOptions, verify_symbol_uses};
use segra_ir::{Diagnostic, Diagnostics, Ir, Op, Severity, Trait};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Whether every pass's result is verified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VerifyEach {
    /// After every pass.
    #[default]
    Yes,
    /// Never: for measurements, and for finding where a wrong program comes from.
    No,
}

/// How many threads run nested pipelines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// As many as the machine runs at once.
    #[default]
    Available,
    /// That many; 0 counts as 1.
    Exactly(usize),
}

impl Threads {
    fn count(self) -> usize {
        match self {
            Threads::Available => std::thread::available_parallelism().map_or(1, usize::from),
            Threads::Exactly(count) => count.max(1),
        }
    }
}

/// Runs a pipeline.
pub struct PassManager<'a> {
    pipeline: &'a Pipeline,
    verify: VerifyEach,
    verify_options: VerifyOptions,
    threads: Threads,
    instrumentations: Vec<Box<dyn Instrumentation + 'a>>,
    validator: Option<Box<dyn PassValidator + 'a>>,
}

impl std::fmt::Debug for PassManager<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PassManager({:?})", self.pipeline)
    }
}

impl<'a> PassManager<'a> {
    /// A manager that verifies after every pass and does nothing else.
    pub fn new(pipeline: &'a Pipeline) -> PassManager<'a> {
        PassManager {
            pipeline,
            verify: VerifyEach::Yes,
            verify_options: VerifyOptions::default(),
            threads: Threads::default(),
            instrumentations: Vec::new(),
            validator: None,
        }
    }
    /// Says whether every pass's result is verified.
    pub fn verify_each(mut self, verify: VerifyEach) -> Self {
        self.verify = verify;
        self
    }
    /// Says how results are verified.
    pub fn verify_options(mut self, options: VerifyOptions) -> Self {
        self.verify_options = options;
        self
    }
    /// Says how many threads run nested pipelines. One thread does where something must see passes one after another:
    /// a validator, or an instrumentation that cannot fork.
    pub fn threads(mut self, threads: Threads) -> Self {
        self.threads = threads;
        self
    }
    /// Adds an instrumentation.
    pub fn instrument(mut self, instrumentation: impl Instrumentation + 'a) -> Self {
        self.instrumentations.push(Box::new(instrumentation));
        self
    }
    /// Compares what the program computes after every pass with what it computed before the pipeline.
    pub fn validate(mut self, validator: impl PassValidator + 'a) -> Self {
        self.validator = Some(Box::new(validator));
        self
    }
    /// Runs the pipeline on the program's root op. Diagnostics gets errors and remarks; on failure at least one error.
    ///
    /// # Errors
    /// A pass fails, or the pipeline does not fit the program.
    pub fn run(self, ir: &mut Ir, diags: &mut Diagnostics) -> Result<Statistics, PipelineFailure> {
        let root = ir.root();
        let threads = if self.validator.is_some() {
            1
        } else {
            self.threads.count()
        };
        let log = tracing::enabled!(tracing::Level::DEBUG).then(PassLog::default);
        let mut run = Run {
            ir,
            diags,
            root: Some(root),
            verify: self.verify,
            verifier: Verifier::new(self.verify_options),
            threads,
            instrumentations: self.instrumentations,
            validator: self.validator,
            analyses: Analyses::new(),
            statistics: Statistics::default(),
            failed: None,
            log: log.as_ref(),
        };
        let done = run.whole(self.pipeline, root);
        if let Some(log) = &log {
            log.tell();
        }
        match done {
            Ok(_) => Ok(run.statistics),
            Err(PassFailure) => Err(PipelineFailure { pass: run.failed }),
        }
    }
}

/// Why a pipeline ended early; more is among the diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PipelineFailure {
    /// The pass that failed, or whose result is wrong; `None`: the pipeline does not fit the program.
    pub pass: Option<&'static str>,
}

/// Times of passes on all threads, for the log of those that change nothing.
#[derive(Default)]
pub(crate) struct PassLog(Mutex<BTreeMap<&'static str, PassTotal>>);

#[derive(Default)]
struct PassTotal {
    changed: bool,
    micros: u64,
}

impl PassLog {
    fn add(&self, pass: &'static str, changed: Changed, micros: u64) {
        let mut totals = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let total = totals.entry(pass).or_default();
        total.changed |= changed == Changed::Yes;
        total.micros += micros;
    }
    /// One line for all passes that changed nothing: most runs of most passes find nothing.
    fn tell(&self) {
        let totals = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let unchanged: Vec<_> = totals.iter().filter(|(_, total)| !total.changed).collect();
        if unchanged.is_empty() {
            return;
        }
        let micros: u64 = unchanged.iter().map(|(_, total)| total.micros).sum();
        let names: Vec<&str> = unchanged.into_iter().map(|(name, _)| *name).collect();
        tracing::debug!(passes = names.join(", "), micros, "changed nothing");
    }
}

/// A pipeline that is running on one thread.
pub(crate) struct Run<'a, 'r> {
    pub(crate) ir: &'r mut Ir,
    pub(crate) diags: &'r mut Diagnostics,
    /// The program's root; `None` on a thread that has only part of the program.
    pub(crate) root: Option<Op>,
    pub(crate) verify: VerifyEach,
    pub(crate) verifier: Verifier,
    pub(crate) threads: usize,
    pub(crate) instrumentations: Vec<Box<dyn Instrumentation + 'a>>,
    pub(crate) validator: Option<Box<dyn PassValidator + 'a>>,
    pub(crate) analyses: Analyses,
    pub(crate) statistics: Statistics,
    /// The pass that failed.
    pub(crate) failed: Option<&'static str>,
    /// Where passes are logged.
    pub(crate) log: Option<&'r PassLog>,
}

impl Run<'_, '_> {
    fn whole(&mut self, pipeline: &Pipeline, root: Op) -> Result<Changed, PassFailure> {
        self.check(pipeline)?;
        if let Some(validator) = &mut self.validator
            && let Err(why) = validator.before_pipeline(self.ir, root)
        {
            self.diags.error(
                self.ir.loc(root),
                format!("the program cannot be validated: {why}"),
            );
            return Err(PassFailure);
        }
        self.pipeline(pipeline, root, 0)
    }

    /// Does the pipeline fit the program: the root's name, and the dialects the passes write.
    fn check(&mut self, pipeline: &Pipeline) -> Result<(), PassFailure> {
        let root = self.ir.root();
        let loc = self.ir.loc(root);
        let before = self.diags.error_count();
        if let PipelineAnchor::Op(name) = &pipeline.anchor
            && name != self.ir.op_name_str(root)
        {
            let message = format!(
                "the pipeline runs on '{name}', the program is a '{}'",
                self.ir.op_name_str(root)
            );
            self.diags.error(loc, message);
        }
        let ctx = self.ir.context();
        pipeline.for_each_pass(&mut |pass| {
            let info = pass.info();
            for dialect in info
                .writes
                .iter()
                .filter(|name| **name != "*" && ctx.dialect(name).is_none())
            {
                let message = format!(
                    "pass `{}` writes dialect '{dialect}', which is not registered",
                    info.name
                );
                self.diags.error(loc, message);
            }
        });
        if self.diags.error_count() > before {
            Err(PassFailure)
        } else {
            Ok(())
        }
    }

    /// Runs a pipeline on an op; `step` is the number of the pipeline's first step. Returns whether a pass changed
    /// something.
    fn pipeline(
        &mut self,
        pipeline: &Pipeline,
        op: Op,
        mut step: usize,
    ) -> Result<Changed, PassFailure> {
        let mut changed = Changed::No;
        for item in &pipeline.items {
            changed = changed.or(match item {
                PipelineItem::Pass(pass) => {
                    let done = self.pass(&**pass, op, step);
                    done.inspect_err(|_| self.failed = Some(pass.info().name))?
                }
                PipelineItem::Nested(nested) => self.nested(nested, op, step)?,
            });
            step += item.steps();
        }
        Ok(changed)
    }

    fn nested(
        &mut self,
        pipeline: &Pipeline,
        parent: Op,
        step: usize,
    ) -> Result<Changed, PassFailure> {
        let inside = self
            .ir
            .regions(parent)
            .iter()
            .flat_map(|&region| self.ir.blocks(region));
        let inside: Vec<Op> = inside.flat_map(|block| self.ir.ops(block)).collect();
        // Which ops the pipeline runs on cannot change while it runs: it changes nothing around an op.
        let mut ops = Vec::new();
        let mut refused = None;
        for op in inside {
            match self.applies(pipeline, op) {
                Ok(true) => ops.push(op),
                Ok(false) => {}
                Err(why) => {
                    refused = Some((op, why));
                    break;
                }
            }
        }
        let changed = self.on_ops(pipeline, &ops, step)?;
        if let Some((op, why)) = refused {
            self.diags.op_error(self.ir, op, why);
            return Err(PassFailure);
        }
        if self.root == Some(parent) && self.verify == VerifyEach::Yes {
            self.check_symbol_uses(pipeline, &changed)?;
        }
        Ok(Changed::when(!changed.is_empty()))
    }

    /// Runs a nested pipeline on ops in place, one after the other. Returns those that were changed.
    pub(crate) fn one_by_one(
        &mut self,
        pipeline: &Pipeline,
        ops: &[Op],
        step: usize,
    ) -> Result<Vec<Op>, PassFailure> {
        let mut changed = Vec::new();
        for &op in ops {
            if self.nested_op(pipeline, op, step)? == Changed::Yes {
                changed.push(op);
            }
        }
        Ok(changed)
    }

    /// Runs a nested pipeline on one op.
    pub(crate) fn nested_op(
        &mut self,
        pipeline: &Pipeline,
        op: Op,
        step: usize,
    ) -> Result<Changed, PassFailure> {
        let event = PipelineEvent {
            anchor: &pipeline.anchor,
            step,
        };
        self.instrumentations
            .iter_mut()
            .for_each(|each| each.before_pipeline(event));
        // How a diagnostic shows its op depends on those before it; they are the op's own on every thread.
        let before = std::mem::take(self.diags);
        let done = self.pipeline(pipeline, op, step + 1);
        let own = std::mem::replace(self.diags, before);
        self.diags.extend(own);
        self.instrumentations
            .iter_mut()
            .rev()
            .for_each(|each| each.after_pipeline(event));
        done
    }

    /// Checks the symbols used in ops that nested pipelines changed.
    fn check_symbol_uses(
        &mut self,
        pipeline: &Pipeline,
        changed: &[Op],
    ) -> Result<(), PassFailure> {
        let mut tables = SymbolTables::new();
        let mut found = Diagnostics::new();
        for &op in changed {
            verify_symbol_uses(self.ir, op, &mut tables, &mut found);
        }
        let about = format!(
            "this is what the passes of the pipeline on '{}' left",
            pipeline.anchor
        );
        self.report_unverified(found, self.ir.root(), about, || {
            format!(
                "the pipeline on '{}' left symbol uses that do not verify",
                pipeline.anchor
            )
        })
    }

    /// Reports what is wrong after a pass, and that the pass is guilty.
    fn report_unverified(
        &mut self,
        found: Diagnostics,
        op: Op,
        about: String,
        verdict: impl FnOnce() -> String,
    ) -> Result<(), PassFailure> {
        if !found.has_errors() {
            return Ok(());
        }
        let loc = self.ir.loc(op);
        for mut diagnostic in found.iter().cloned() {
            if diagnostic.severity == Severity::Error {
                diagnostic.note(loc, about.clone());
            }
            self.diags.push(diagnostic);
        }
        self.diags
            .push(Diagnostic::new(Severity::Error, loc, verdict()));
        Err(PassFailure)
    }

    /// Whether a nested pipeline runs on an op; `Err`: it would have to, but cannot, and why.
    fn applies(&self, pipeline: &Pipeline, op: Op) -> Result<bool, &'static str> {
        let isolated = self.ir.has_trait(op, Trait::IsolatedFromAbove);
        match &pipeline.anchor {
            PipelineAnchor::Any => {
                let name = self.ir.op_name_str(op);
                Ok(isolated
                    && pipeline.items.iter().all(|item| match item {
                        PipelineItem::Pass(pass) => pass.info().anchors.accepts(name),
                        PipelineItem::Nested(_) => true,
                    }))
            }
            PipelineAnchor::Op(name) if name != self.ir.op_name_str(op) => Ok(false),
            PipelineAnchor::Op(_) if isolated => Ok(true),
            // A pass must not see, nor change, what lies around its op.
            PipelineAnchor::Op(_) if self.ir.info(op).is_some() => {
                Err("is not isolated from above: no pipeline can run on it")
            }
            PipelineAnchor::Op(_) => Err("is not registered: no pipeline can run on it"),
        }
    }

    fn pass(&mut self, pass: &dyn Pass, op: Op, step: usize) -> Result<Changed, PassFailure> {
        let event = PassEvent { pass, op, step };
        let ir = &*self.ir;
        let decisions = self
            .instrumentations
            .iter_mut()
            .map(|each| each.decide(event, ir));
        if decisions.fold(
            Decision::Run,
            |all, one| if one == Decision::Skip { one } else { all },
        ) == Decision::Skip
        {
            return Ok(Changed::No);
        }
        self.instrumentations
            .iter_mut()
            .for_each(|each| each.before_pass(event, ir));
        let result = match self.guarded(event) {
            Ok(result) => result,
            Err(Panicked) => {
                // Nobody may look at the program any more.
                self.instrumentations
                    .iter_mut()
                    .rev()
                    .for_each(|each| each.after_panic(event));
                return Err(PassFailure);
            }
        };
        let ir = &*self.ir;
        // The watchers see success before the checks, so that timing a pass does not time its verification.
        if let Ok(changed) = result {
            self.instrumentations
                .iter_mut()
                .rev()
                .for_each(|each| each.after_pass(event, ir, changed));
        }
        let checked = match result {
            // The parts that a pass did not touch need no check.
            Ok(Changed::No) => Ok(()),
            Ok(Changed::Yes) => self.check_result(event),
            Err(failure) => Err(failure),
        };
        if checked.is_err() {
            let ir = &*self.ir;
            self.instrumentations
                .iter_mut()
                .rev()
                .for_each(|each| each.after_failed_pass(event, ir));
        }
        checked.and(result)
    }

    /// Runs a pass, which may panic.
    fn guarded(&mut self, event: PassEvent<'_>) -> Result<Result<Changed, PassFailure>, Panicked> {
        let loc = self.ir.loc(event.op);
        catch_unwind(AssertUnwindSafe(|| self.run_pass(event))).map_err(|payload| {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text
                .or_else(|| payload.downcast_ref::<&str>().copied())
                .unwrap_or("no message");
            self.diags.error(
                loc,
                format!("internal error: pass `{}` panicked: {text}", event.name()),
            );
            Panicked
        })
    }

    fn run_pass(&mut self, event: PassEvent<'_>) -> Result<Changed, PassFailure> {
        let name = event.name();
        let op = self.ir.op_name_str(event.op);
        let _span = tracing::debug_span!("pass", name, op).entered();
        let started = Instant::now();
        if let Anchors::Ops(names) = event.pass.info().anchors
            && !names.contains(&self.ir.op_name_str(event.op))
        {
            let message = format!("is not what pass `{name}` runs on: {}", names.join(", "));
            self.diags.op_error(self.ir, event.op, message);
            return Err(PassFailure);
        }
        let errors = self.diags.error_count();
        let mut watch = Watch {
            event,
            root: self.root.filter(|_| self.verify == VerifyEach::Yes),
            verifier: &mut self.verifier,
            instrumentations: &mut self.instrumentations,
            validator: self.validator.as_deref_mut(),
        };
        let mut cx = PassContext::new(name, self.diags, &mut self.analyses, &mut self.statistics)
            .at_step(event.step)
            .watched(&mut watch);
        let outcome = event.pass.run(self.ir, event.op, &mut cx);
        match outcome {
            Ok(outcome) if self.diags.error_count() == errors => {
                self.analyses.invalidate(&outcome.preserved);
                let micros = started.elapsed().as_micros() as u64;
                if let Some(log) = self.log {
                    log.add(name, outcome.changed, micros);
                }
                match outcome.changed {
                    Changed::Yes => tracing::debug!(micros, "changed"),
                    Changed::No => tracing::trace!(micros, "unchanged"),
                }
                Ok(outcome.changed)
            }
            _ => {
                self.analyses.invalidate(&Preserved::Only(Vec::new()));
                if self.diags.error_count() == errors {
                    self.diags
                        .op_error(self.ir, event.op, format!("made pass `{name}` fail"));
                }
                Err(PassFailure)
            }
        }
    }

    fn check_result(&mut self, event: PassEvent<'_>) -> Result<(), PassFailure> {
        let name = event.name();
        if self.verify == VerifyEach::Yes {
            let mut found = Diagnostics::new();
            // A pass changes nothing outside its op.
            if self.root == Some(event.op) {
                self.verifier.verify_op(self.ir, event.op, &mut found);
            } else {
                self.verifier.verify_isolated(self.ir, event.op, &mut found);
            }
            let about = format!("this is what pass `{name}` left");
            self.report_unverified(found, event.op, about, || {
                format!("pass `{name}` left a program that does not verify")
            })?;
        }
        if let (Some(validator), Some(root)) = (&mut self.validator, self.root)
            && let Err(difference) = validator.after_pass(name, self.ir, root)
        {
            let message = format!("pass `{name}` changed what the program computes: {difference}");
            self.diags.error(self.ir.loc(event.op), message);
            return Err(PassFailure);
        }
        Ok(())
    }
}

/// A pass panicked.
struct Panicked;

/// The watchers of a pass that is running.
struct Watch<'w, 'a> {
    event: PassEvent<'w>,
    root: Option<Op>,
    verifier: &'w mut Verifier,
    instrumentations: &'w mut [Box<dyn Instrumentation + 'a>],
    validator: Option<&'w mut (dyn PassValidator + 'a)>,
}

impl WatchStages for Watch<'_, '_> {
    fn after_stage(
        &mut self,
        ir: &Ir,
        stage: Stage<'_>,
        diags: &mut Diagnostics,
    ) -> Result<(), PassFailure> {
        let event = self.event;
        self.instrumentations
            .iter_mut()
            .rev()
            .for_each(|each| each.after_stage(event, ir, stage));
        let Some(validator) = &mut self.validator else {
            return Ok(());
        };
        let (name, title) = (event.name(), stage.title);
        if let Some(root) = self.root {
            let mut found = Diagnostics::new();
            self.verifier.verify_op(ir, root, &mut found);
            if found.has_errors() {
                diags.extend(found);
                let message =
                    format!("`{title}` of pass `{name}` left a program that does not verify");
                diags.error(ir.loc(stage.op), message);
                return Err(PassFailure);
            }
        }
        let root = ir.root();
        if let Err(difference) = validator.after_pass(name, ir, root) {
            let message = format!(
                "`{title}` of pass `{name}` changed what the program computes: {difference}"
            );
            diags.error(ir.loc(stage.op), message);
            return Err(PassFailure);
        }
        Ok(())
    }
}
