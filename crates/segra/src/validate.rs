//! `--validate-passes`: the program runs in the reference interpreter before the pipeline and after every pass that
//! changed something, on the same arguments.

use crate::check::{Tolerance, compare_results};
use crate::interpret::{Stopped, run};
use segra_artifact::EntryResult;
use segra_emit::Signatures;
use segra_gpu::record::Records;
use segra_interp::Interpreter;
use segra_ir::{Diagnostics, Ir, Op};
use segra_pass::{PassValidator, same_outcome};
use segra_runtime::Value;

/// Compares what a function computes with what it computed at first. A program that fails must go on failing.
#[derive(Clone, Debug)]
pub struct Validator {
    entry: String,
    args: Vec<Value>,
    tolerance: Tolerance,
    first: Result<Vec<Value>, String>,
    /// The results of the function, as it was then.
    results: Vec<EntryResult>,
}

impl Validator {
    /// A validator that runs `entry` on `args`.
    pub fn new(entry: impl Into<String>, args: Vec<Value>, tolerance: Tolerance) -> Validator {
        Validator {
            entry: entry.into(),
            args,
            tolerance,
            first: Ok(Vec::new()),
            results: Vec::new(),
        }
    }

    fn run(&self, ir: &Ir) -> Result<Result<Vec<Value>, String>, String> {
        let records = Records::default();
        let interpreter = Interpreter::new(ir).with_observer(&records);
        let function = interpreter
            .entry(&self.entry)
            .ok_or_else(|| format!("there is no function @{}", self.entry))?;
        match run(&interpreter, function, &self.args) {
            Ok(results) => Ok(records.failure(ir, ir.root()).map_or(Ok(results), Err)),
            Err(Stopped::Program(error)) => Ok(Err(error.message().to_owned())),
            Err(Stopped::Argument(message)) => Err(message),
        }
    }
}

impl PassValidator for Validator {
    fn before_pipeline(&mut self, ir: &Ir, _: Op) -> Result<(), String> {
        self.first = self.run(ir)?;
        let signatures = Signatures::of(ir, ir.root(), &mut Diagnostics::new());
        let results = signatures.get(&self.entry);
        self.results = results.map_or(Vec::new(), |known| known.entry.results.clone());
        Ok(())
    }
    fn after_pass(&mut self, _: &str, ir: &Ir, _: Op) -> Result<(), String> {
        let now = self.run(ir)?;
        same_outcome(&self.first, &now, |first, now| {
            let difference = compare_results(now, first, &self.results, self.tolerance)?;
            Some(format!(
                "after the pass, {difference} as before the pipeline"
            ))
        })
    }
}
