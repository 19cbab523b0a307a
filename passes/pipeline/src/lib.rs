//! All pipelines and the registry of passes, in one place: command lines, help and docs of every tool come from here.
//!
//! To add a pass: one line in [`registry`]. To add a pipeline: one list in [`named`]. To add a dialect: one line in
//! [`register_all_dialects`]. Lists are alphabetic; a test checks it.
//!
//! Deliberately absent: passes. And no back end assembles a pipeline of its own.
//!
//! ```
//! use segra_ir::{Context, Diagnostics};
//! use segra_pass::{PassManager, Pipeline};
//! use segra_text::{ParseOptions, PrintOptions, parse_module, print};
//! use std::sync::Arc;
//!
//! let ctx = Arc::new(Context::new());
//! segra_pipeline::register_all_dialects(&ctx);
//! let program = "
//!     func.func @main(%xs: !array.array<[n]f32>) -> f32 {
//!       %zero = arith.constant 0.0 : f32
//!       %squares = array.map (%x in %xs : [n]f32) {
//!         %y = arith.mulf %x, %x : f32
//!         array.yield %y : f32
//!       }
//!       %sum = array.reduce (%squares : [n]f32) init (%zero : f32) combine (%s, %t) {
//!         %u = arith.addf %s, %t : f32
//!         array.yield %u : f32
//!       }
//!       func.return %sum : f32
//!     }";
//! let mut ir = parse_module(&ctx, "program", program, &ParseOptions::default()).expect("it is a program");
//! let registry = segra_pipeline::registry();
//! let pipeline = Pipeline::parse("builtin.module(array-to-gpu)", &registry).expect("it is a pipeline");
//! let done = PassManager::new(&pipeline).run(&mut ir, &mut Diagnostics::new());
//! assert!(done.is_ok());
//! assert!(print(&ir, ir.root(), &PrintOptions::default()).contains("gpu.launch_func"));
//! ```

pub mod named;

use segra_ir::Context;
use segra_pass::{PassEntry, PassRegistry};

/// Every pass and every named pipeline.
pub fn registry() -> PassRegistry {
    PassRegistry::new(
        vec![
            PassEntry::of::<segra_device::AdvanceCopies>(),
            PassEntry::of::<segra_algebra::Algebra>(),
            PassEntry::of::<segra_device::AnnotateKernels>(),
            PassEntry::of::<segra_cleanup::ApplyRules>(),
            PassEntry::of::<segra_schedule::ApplySchedules>(),
            PassEntry::of::<segra_schedule::BoundArrays>(),
            PassEntry::of::<segra_cleanup::Canonicalize>(),
            PassEntry::of::<segra_checks::CheckOperators>(),
            PassEntry::of::<segra_schedule::ChooseForms>(),
            PassEntry::of::<segra_schedule::ChooseMapping>(),
            PassEntry::of::<segra_schedule::CoalesceInputs>(),
            PassEntry::of::<segra_device::ContractFma>(),
            PassEntry::of::<segra_schedule::CopyBoxes>(),
            PassEntry::of::<segra_cleanup::Cse>(),
            PassEntry::of::<segra_cleanup::Dce>(),
            PassEntry::of::<segra_device::DropPromises>(),
            PassEntry::of::<segra_cleanup::DuplicateFunctionElimination>(),
            PassEntry::of::<segra_device::ExpandMath>(),
            PassEntry::of::<segra_device::ExpandTf32>(),
            PassEntry::of::<segra_schedule::ExpandWindows>(),
            PassEntry::of::<segra_checks::ExplicitChecks>(),
            PassEntry::of::<segra_fuse::partitions::ExplicitPartitions>(),
            PassEntry::of::<segra_flatten::Flatten>(),
            PassEntry::of::<segra_device::FreeMemory>(),
            PassEntry::of::<segra_fuse::Fuse>(),
            PassEntry::of::<segra_schedule::FuseLoops>(),
            PassEntry::of::<segra_schedule::FuseTraversals>(),
            PassEntry::of::<segra_device::HintLoads>(),
            PassEntry::of::<segra_cleanup::Inline>(),
            PassEntry::of::<segra_cleanup::IntRangeOptimizations>(),
            PassEntry::of::<segra_cleanup::LoopInvariantCodeMotion>(),
            PassEntry::of::<segra_cleanup::LoopUnroll>(),
            PassEntry::of::<segra_device::LowerChecks>(),
            PassEntry::of::<segra_lower::LowerToGpu>(),
            PassEntry::of::<segra_cleanup::Mem2Reg>(),
            PassEntry::of::<segra_device::NarrowIndices>(),
            PassEntry::of::<segra_fuse::RecogniseStencils>(),
            PassEntry::of::<segra_checks::RecordSource>(),
            PassEntry::of::<segra_cleanup::RemoveDeadValues>(),
            PassEntry::of::<segra_device::ReuseMemory>(),
            PassEntry::of::<segra_schedule::RowsInBlocks>(),
            PassEntry::of::<segra_cleanup::Sccp>(),
            PassEntry::of::<segra_schedule::ScheduleStencils>(),
            PassEntry::of::<segra_checks::SeparateStarts>(),
            PassEntry::of::<segra_cleanup::SymbolDce>(),
            PassEntry::of::<segra_schedule::TileBlocks>(),
            PassEntry::of::<segra_schedule::TileChains>(),
            PassEntry::of::<segra_schedule::UnrollRegisters>(),
            PassEntry::of::<segra_device::UpdateInPlace>(),
            PassEntry::of::<segra_schedule::UseTensorCores>(),
            PassEntry::of::<segra_schedule::Vectorize>(),
            PassEntry::of::<segra_device::WidenLoads>(),
        ],
        named::pipelines(),
    )
}

/// Registers every dialect.
pub fn register_all_dialects(ctx: &Context) {
    for dialect in [
        segra_array::dialect(),
        segra_gpu::dialect(),
        segra_gpu::nvgpu::dialect(),
        segra_kernel::dialect(),
    ] {
        ctx.register(dialect);
    }
    segra_std::register(ctx);
}
