//! The pass manager: runs a pipeline on a program.
//!
//! After every pass the op it ran on is verified (unless told otherwise); what does not verify is reported with the
//! guilty pass. Printing, timing, skipping and bisecting belong to [`crate::instrument`]; validation by execution
//! to a [`PassValidator`]. A pass that fails ends the pipeline; the program is then as the pass left it.

use crate::analysis::{Analyses, Preserved};
use crate::instrument::{Decision, Instrumentation, PassEvent, PassValidator, PipelineEvent};
use crate::pass::{Anchors, Changed, Pass, PassContext, PassFailure, Statistics};
use crate::pipeline::{Pipeline, PipelineAnchor, PipelineItem};
use segra_ir::verify::{VerifyOptions, verify_op};
use segra_ir::{Diagnostic, Diagnostics, Ir, Op, Severity, Trait};

/// Whether every pass's result is verified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VerifyEach {
    /// After every pass.
    #[default]
    Yes,
    /// Never: for measurements, and for finding where a wrong program comes from.
    No,
}

/// Runs a pipeline.
pub struct PassManager<'a> {
    pipeline: &'a Pipeline,
    verify: VerifyEach,
    verify_options: VerifyOptions,
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
    pub fn run(self, ir: &mut Ir, diags: &mut Diagnostics) -> Result<Statistics, PassFailure> {
        let root = ir.root();
        let mut run = Run {
            ir,
            diags,
            root,
            verify: self.verify,
            verify_options: self.verify_options,
            instrumentations: self.instrumentations,
            validator: self.validator,
            analyses: Analyses::new(),
            statistics: Statistics::default(),
            number: 0,
        };
        run.check(self.pipeline)?;
        if let Some(validator) = &mut run.validator
            && let Err(why) = validator.before_pipeline(run.ir, root)
        {
            run.diags.error(run.ir.loc(root), format!("the program cannot be validated: {why}"));
            return Err(PassFailure);
        }
        run.pipeline(self.pipeline, root, 0)?;
        Ok(run.statistics)
    }
}

struct Run<'a, 'r> {
    ir: &'r mut Ir,
    diags: &'r mut Diagnostics,
    root: Op,
    verify: VerifyEach,
    verify_options: VerifyOptions,
    instrumentations: Vec<Box<dyn Instrumentation + 'a>>,
    validator: Option<Box<dyn PassValidator + 'a>>,
    analyses: Analyses,
    statistics: Statistics,
    number: usize,
}

impl Run<'_, '_> {
    /// Does the pipeline fit the program: the root's name, and the dialects the passes write.
    fn check(&mut self, pipeline: &Pipeline) -> Result<(), PassFailure> {
        let loc = self.ir.loc(self.root);
        let before = self.diags.error_count();
        if let PipelineAnchor::Op(name) = &pipeline.anchor
            && name != self.ir.op_name_str(self.root)
        {
            let message = format!(
                "the pipeline runs on '{name}', the program is a '{}'",
                self.ir.op_name_str(self.root)
            );
            self.diags.error(loc, message);
        }
        let ctx = self.ir.context();
        pipeline.for_each_pass(&mut |pass| {
            let info = pass.info();
            for dialect in info.writes.iter().filter(|name| **name != "*" && ctx.dialect(name).is_none()) {
                let message =
                    format!("pass `{}` writes dialect '{dialect}', which is not registered", info.name);
                self.diags.error(loc, message);
            }
        });
        if self.diags.error_count() > before { Err(PassFailure) } else { Ok(()) }
    }

    /// `step` is the number of the pipeline's first step.
    fn pipeline(&mut self, pipeline: &Pipeline, op: Op, mut step: usize) -> Result<(), PassFailure> {
        for item in &pipeline.items {
            match item {
                PipelineItem::Pass(pass) => self.pass(&**pass, op, step)?,
                PipelineItem::Nested(nested) => self.nested(nested, op, step)?,
            }
            step += item.steps();
        }
        Ok(())
    }

    fn nested(&mut self, pipeline: &Pipeline, parent: Op, step: usize) -> Result<(), PassFailure> {
        let inside: Vec<Op> = self
            .ir
            .regions(parent)
            .iter()
            .flat_map(|&region| self.ir.blocks(region))
            .flat_map(|block| self.ir.ops(block))
            .collect();
        for op in inside {
            if !self.applies(pipeline, op)? {
                continue;
            }
            let event = PipelineEvent { anchor: &pipeline.anchor, step };
            self.instrumentations.iter_mut().for_each(|each| each.before_pipeline(event));
            let done = self.pipeline(pipeline, op, step + 1);
            self.instrumentations.iter_mut().rev().for_each(|each| each.after_pipeline(event));
            done?;
        }
        Ok(())
    }

    /// Whether a nested pipeline runs on an op.
    fn applies(&mut self, pipeline: &Pipeline, op: Op) -> Result<bool, PassFailure> {
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
            PipelineAnchor::Op(_) => {
                // A pass must not see, nor change, what lies around its op.
                let message = if self.ir.info(op).is_some() {
                    "is not isolated from above: no pipeline can run on it"
                } else {
                    "is not registered: no pipeline can run on it"
                };
                self.diags.op_error(self.ir, op, message);
                Err(PassFailure)
            }
        }
    }

    fn pass(&mut self, pass: &dyn Pass, op: Op, step: usize) -> Result<(), PassFailure> {
        let event = PassEvent { pass, op, step, number: self.number };
        self.number += 1;
        let ir = &*self.ir;
        let decisions = self.instrumentations.iter_mut().map(|each| each.decide(event, ir));
        if decisions.fold(Decision::Run, |all, one| if one == Decision::Skip { one } else { all })
            == Decision::Skip
        {
            return Ok(());
        }
        self.instrumentations.iter_mut().for_each(|each| each.before_pass(event, ir));
        let result = self.run_pass(event);
        let ir = &*self.ir;
        // The watchers see success before the checks, so that timing a pass does not time its verification.
        if let Ok(changed) = result {
            self.instrumentations.iter_mut().rev().for_each(|each| each.after_pass(event, ir, changed));
        }
        let checked = match result {
            // What a pass did not touch needs no check.
            Ok(Changed::No) => Ok(()),
            Ok(Changed::Yes) => self.check_result(event),
            Err(failure) => Err(failure),
        };
        if checked.is_err() {
            let ir = &*self.ir;
            self.instrumentations.iter_mut().rev().for_each(|each| each.after_failed_pass(event, ir));
        }
        checked
    }

    fn run_pass(&mut self, event: PassEvent<'_>) -> Result<Changed, PassFailure> {
        let name = event.name();
        let _span =
            tracing::debug_span!("pass", name, op = self.ir.op_name_str(event.op), number = event.number)
                .entered();
        if let Anchors::Ops(names) = event.pass.info().anchors
            && !names.contains(&self.ir.op_name_str(event.op))
        {
            let message = format!("is not what pass `{name}` runs on: {}", names.join(", "));
            self.diags.op_error(self.ir, event.op, message);
            return Err(PassFailure);
        }
        let errors = self.diags.error_count();
        let mut cx = PassContext::new(name, self.diags, &mut self.analyses, &mut self.statistics);
        let outcome = event.pass.run(self.ir, event.op, &mut cx);
        match outcome {
            Ok(outcome) if self.diags.error_count() == errors => {
                self.analyses.invalidate(&outcome.preserved);
                tracing::debug!(changed = ?outcome.changed);
                Ok(outcome.changed)
            }
            _ => {
                self.analyses.invalidate(&Preserved::Only(Vec::new()));
                if self.diags.error_count() == errors {
                    self.diags.op_error(self.ir, event.op, format!("made pass `{name}` fail"));
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
            verify_op(self.ir, event.op, &self.verify_options, &mut found);
            if found.has_errors() {
                let loc = self.ir.loc(event.op);
                let about = format!("this is what pass `{name}` left");
                for mut diagnostic in found.iter().cloned() {
                    if diagnostic.severity == Severity::Error {
                        diagnostic.note(loc, about.clone());
                    }
                    self.diags.push(diagnostic);
                }
                let message = format!("pass `{name}` left a program that does not verify");
                self.diags.push(Diagnostic::new(Severity::Error, loc, message));
                return Err(PassFailure);
            }
        }
        if let Some(validator) = &mut self.validator
            && let Err(difference) = validator.after_pass(name, self.ir, self.root)
        {
            let message = format!("pass `{name}` changed what the program computes: {difference}");
            self.diags.error(self.ir.loc(event.op), message);
            return Err(PassFailure);
        }
        Ok(())
    }
}
