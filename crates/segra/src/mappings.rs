//! The choices there were when spaces of kernels were mapped to thread blocks and threads.
//!
//! Deliberately absent: the compositions and their estimate (`segra-space`), and what they are told of a body
//! (`segra-schedule`).

use crate::compile::{Compiler, DEFAULT_PIPELINE, default_pipeline_with};
use crate::failure::Failure;
use crate::program::Program;
use segra_ir::diag::file_position;
use segra_ir::{Ir, Op};
use segra_kernel::segop::SegmentedOp;
use segra_pipeline::named::KERNEL_TO_GPU;
pub use segra_space::Candidate;
use segra_std::func::FuncOp;

/// The pass that chooses.
const STEP: &str = "func.func(choose-mapping)";

/// A mapped op.
#[derive(Clone, Debug)]
pub struct MappedOp {
    /// `kernel.segmap` and so on, with the extents of its space where they are constants.
    pub what: String,
    /// `file:line:column`; empty where unknown.
    pub place: String,
    /// The mapping that the program gives it.
    pub own: Option<String>,
    /// Compositions that fit, with their scores, the cheapest first.
    pub candidates: Vec<Candidate>,
    /// Of its own mapping, or else of the cheapest composition: grid, block, indices, guards.
    pub code: Vec<String>,
}

/// The mapped ops of a program after the default pipeline up to where mappings are chosen; of a program of the kernel level,
/// of those steps of `kernel-to-gpu` that come before.
///
/// # Errors
/// A pass before fails.
pub fn mappings(compiler: &Compiler, program: Program) -> Result<Vec<MappedOp>, Failure> {
    let pipeline = &compiler.options().pipeline;
    let steps = match pipeline.as_str() {
        DEFAULT_PIPELINE => default_pipeline_with(STEP, STEP),
        name if name == KERNEL_TO_GPU.name => KERNEL_TO_GPU.steps.join(","),
        other => other.to_owned(),
    };
    let before = steps.split(STEP).next().unwrap_or_default();
    let ir = compiler
        .lower(program, before.trim_end_matches(','), None)?
        .ir;
    let functions: Vec<Op> = ir
        .walk(ir.root())
        .into_iter()
        .filter(|&op| ir.isa::<FuncOp>(op))
        .collect();
    let mut found = Vec::new();
    for function in functions {
        for explained in segra_schedule::explained(&ir, function) {
            found.push(MappedOp {
                what: described(&ir, explained.op),
                place: place(&ir, explained.op),
                own: explained.own.map(|chain| chain.to_string()),
                candidates: explained.candidates,
                code: explained.code,
            });
        }
    }
    Ok(found)
}

fn described(ir: &Ir, op: Op) -> String {
    let sizes = ir
        .interface::<dyn SegmentedOp>(op)
        .map(|model| model.sizes(ir, op))
        .unwrap_or_default();
    let sizes: Vec<String> = sizes
        .into_iter()
        .map(|size| {
            ir.constant_int(size)
                .map_or_else(|| "?".to_owned(), |size| size.to_string())
        })
        .collect();
    format!("{} over {}", ir.op_name_str(op), sizes.join(" x "))
}

fn place(ir: &Ir, op: Op) -> String {
    file_position(ir.ctx(), ir.loc(op)).map_or(String::new(), |(file, line, column)| {
        format!("{}:{line}:{column}", ir.ctx().str(file))
    })
}
