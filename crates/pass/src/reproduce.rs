//! Reproducers: a program and the pipeline to run on it in one file, from right before what went wrong.
//!
//! The pipeline lies among the external resources of the file under `mlir_reproducer`, where `mlir-opt --run-reproducer`
//! looks for it too.

use crate::instrument::{Instrumentation, PassEvent};
use crate::pipeline::{ShowOptions, pass_text};
use segra_ir::Ir;
use segra_ir::resource::ResourceGroup;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const OWNER: &str = "mlir_reproducer";

/// A program with what is to be run on it.
#[derive(Clone, Debug)]
pub struct Reproducer {
    /// The program, with the pipeline among its resources.
    pub ir: Ir,
    /// The pipeline.
    pub pipeline: String,
}

impl Reproducer {
    /// The reproducer of running a pipeline on a program as it is now. `threading` and `verify` say how it is run.
    pub fn new(
        ir: &Ir,
        pipeline: String,
        threads: crate::Threads,
        verify: crate::VerifyEach,
    ) -> Reproducer {
        let mut ir = ir.clone();
        let ctx = ir.context();
        let quoted = format!(
            "\"{}\"",
            pipeline.replace('\\', "\\\\").replace('"', "\\\"")
        );
        let entry = |key: &str, value: String| (ctx.ident(key), value.into_boxed_str());
        let entries = vec![
            entry("pipeline", quoted),
            entry(
                "disable_threading",
                (threads == crate::Threads::Exactly(1)).to_string(),
            ),
            entry(
                "verify_each",
                (verify == crate::VerifyEach::Yes).to_string(),
            ),
        ];
        let owner = ctx.ident(OWNER);
        let external = &mut ir.resources_mut().external;
        external.retain(|group| group.owner != owner);
        external.push(ResourceGroup { owner, entries });
        Reproducer { ir, pipeline }
    }
}

/// Takes the pipeline out of a program that was read from a reproducer; `None`: there is none.
pub fn take_pipeline(ir: &mut Ir) -> Option<String> {
    let ctx = ir.context();
    let (owner, key) = (ctx.ident(OWNER), ctx.ident("pipeline"));
    let external = &mut ir.resources_mut().external;
    let at = external.iter().position(|group| group.owner == owner)?;
    let group = external.remove(at);
    let text = group.entries.iter().find(|entry| entry.0 == key)?.1.clone();
    let text = text.strip_prefix('"')?.strip_suffix('"')?;
    Some(text.replace("\\\"", "\"").replace("\\\\", "\\"))
}

/// Keeps the program as it was before the pass that is running, with that pass alone as pipeline.
#[derive(Clone, Debug, Default)]
pub struct LastPass(Arc<Mutex<Option<(Ir, String)>>>);

impl LastPass {
    /// Nothing ran yet.
    pub fn new() -> LastPass {
        LastPass::default()
    }
    fn kept(&self) -> MutexGuard<'_, Option<(Ir, String)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// The program before the pass that ran last, and the pipeline of that pass.
    pub fn take(&self) -> Option<(Ir, String)> {
        self.kept().take()
    }
    /// The instrumentation that keeps them; it sees one pass after another.
    pub fn instrumentation(&self) -> impl Instrumentation + use<> {
        KeepLast(self.clone())
    }
}

struct KeepLast(LastPass);

impl Instrumentation for KeepLast {
    fn before_pass(&mut self, event: PassEvent<'_>, ir: &Ir) {
        let mut text = pass_text(event.pass, ShowOptions::All);
        for op in ir.ancestors(event.op) {
            text = format!("{}({text})", ir.op_name_str(op));
        }
        *self.0.kept() = Some((ir.clone(), text));
    }
}
