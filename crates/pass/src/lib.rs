//! Passes, pipelines, the pass manager, analyses and rewrite drivers.
//!
//! * [`pass`]: what a pass is; [`options`]: its options as struct fields; [`analysis`]: facts it may ask for.
//! * [`conversion`]: dialect conversion.
//! * [`dataflow`]: what is known of values: constants, ranges, liveness.
//! * [`registry`]: the list of passes a tool knows; [`pipeline`]: pipelines as trees and as text.
//! * [`manager`]: runs a pipeline; [`instrument`]: what may watch it ([`timing`], [`trace`],
//!   [`print_ir`]); [`reproduce`]: files that repeat what went wrong.
//! * [`rewrite`]: patterns and the greedy driver that folds, canonicalizes and applies them.
//!
//! A pass is one file: the struct by [`pass_options!`], a [`PassInfo`], [`Pass::run`]; plus one line in the registry.
//! Deliberately absent: any pass, any dialect, any output (tools render diagnostics and tables).
//!
//! ```
//! use segra_ir::{Context, Diagnostics, Ir, Op};
//! use segra_pass::{Anchors, Outcome, Pass, PassContext, PassEntry, PassInfo, PassManager, PassRegistry};
//! use segra_pass::{PassResult, Pipeline, pass_options};
//! use segra_text::{ParseOptions, parse_module};
//! use std::sync::Arc;
//!
//! pass_options! {
//!     /// The pass `count-ops`.
//!     pub struct CountOps {}
//! }
//!
//! impl Pass for CountOps {
//!     fn info(&self) -> &'static PassInfo {
//!         &PassInfo {
//!             name: "count-ops",
//!             summary: "count ops",
//!             reads: &["*"],
//!             writes: &[],
//!             anchors: Anchors::Any,
//!         }
//!     }
//!     fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
//!         cx.count("ops", ir.walk(op).len() as u64);
//!         Ok(Outcome::unchanged())
//!     }
//! }
//!
//! # fn main() {
//! let ctx = Arc::new(Context::new());
//! let options = ParseOptions::allowing_unregistered();
//! let mut ir = parse_module(&ctx, "program", "\"t.a\"() : () -> ()", &options).expect("it is a program");
//! let registry = PassRegistry::new(vec![PassEntry::of::<CountOps>()], vec![]);
//! let pipeline = Pipeline::parse("builtin.module(count-ops)", &registry).expect("it is a pipeline");
//! let statistics = PassManager::new(&pipeline).run(&mut ir, &mut Diagnostics::new()).expect("nothing fails");
//! assert_eq!(statistics.get("count-ops", "ops"), 2); // the module and the op in it
//! # }
//! ```

pub mod analysis;
pub mod conversion;
pub mod dataflow;
pub mod instrument;
pub mod manager;
pub mod options;
mod parallel;
pub mod pass;
pub mod pipeline;
mod pipeline_parse;
pub mod print_ir;
mod quote;
pub mod registry;
pub mod reproduce;
pub mod rewrite;
pub mod timing;
pub mod trace;

pub use analysis::{Analyses, Analysis, Preserved};
pub use instrument::{Instrumentation, PassEvent, PassFilter, PassValidator, same_outcome};
pub use manager::{PassManager, PipelineFailure, Threads, VerifyEach};
pub use options::{OptionError, OptionSpec, OptionValue, PassOptions};
pub use pass::{
    Anchors, Changed, Outcome, Pass, PassContext, PassFailure, PassInfo, PassResult, Stage,
    Statistics,
};
pub use pipeline::{Pipeline, PipelineAnchor, PipelineError, PipelineItem, ShowOptions};
pub use registry::{NamedPipeline, PassEntry, PassRegistry, PipelineOption};
