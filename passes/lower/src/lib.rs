//! Kernel → device; sees no array program. Lowering: from segmented ops on values to device functions and launches on memory.
//!
//! ```mlir
//! %r = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {...}
//! ```
//! becomes an allocation and a `gpu.launch_func` of a `gpu.func` whose threads recover `%i`, test its guard, run the
//! body and store:
//! * grid, thread blocks, index recovery and guards come from the op's index-space mapping ([`launch`], [`recovery`],
//!   `segra-space`) and from nowhere else;
//! * segred, segscan and seghist are done as their forms say ([`segmented`]): a few lanes, a warp, a thread block or
//!   several of them for each segment;
//! * where elements are consecutive, one thread takes several by accesses of up to 128 bits ([`wide`], [`vectors`]), also
//!   along rows in shared memory ([`point`]);
//! * a segmap that reads elements transposed goes by way of shared memory ([`transpose`]);
//! * scatter and seghist change copies of their destinations ([`update`]).
//!
//! Tensors become memrefs of the same shape; kernels see them flat, with the extents they need as arguments.
//! Order of operands is kept unless every component of the operator is marked commutative.
//! * a segmap of level `block` runs each point in a thread block, what is inside in its threads, and arrays in its shared
//!   memory ([`block`]); arrays that a thread makes for itself lie in a buffer with a share for each ([`point`]).
//!
//! Legality: segmented ops at level `thread`, and segmaps of level `block` around them; operators may combine arrays ([`arrays`]).
//! Anything else is refused with an error.
//!
//! ```
//! use segra_ir::{Context, Diagnostics};
//! use segra_pass::{PassManager, Pipeline};
//! use segra_text::{ParseOptions, PrintOptions, parse_module, print};
//! use std::sync::Arc;
//!
//! let ctx = Arc::new(Context::new());
//! segra_std::register(&ctx);
//! ctx.register(segra_kernel::dialect());
//! ctx.register(segra_gpu::dialect());
//! ctx.register(segra_gpu::nvgpu::dialect());
//! let program = "
//!     func.func @main(%xs: tensor<?xf32>) -> tensor<?xf32> {
//!       %c0 = arith.constant 0 : index
//!       %n = tensor.dim %xs, %c0 : tensor<?xf32>
//!       %ys = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
//!         %x = tensor.extract %xs[%i] : tensor<?xf32>
//!         %y = arith.addf %x, %x : f32
//!         kernel.return %y : f32
//!       }
//!       func.return %ys : tensor<?xf32>
//!     }";
//! let mut ir = parse_module(&ctx, "program", program, &ParseOptions::default()).expect("it is a program");
//! let mut pipeline = Pipeline::on("builtin.module");
//! pipeline.add(Box::new(segra_schedule::Vectorize::default())); // which accesses are wide
//! pipeline.add(Box::new(segra_schedule::ChooseMapping::default())); // which thread has which points
//! pipeline.add(Box::new(segra_lower::LowerToGpu::default()));
//! let done = PassManager::new(&pipeline).run(&mut ir, &mut Diagnostics::new());
//! assert!(done.is_ok());
//! let after = print(&ir, ir.root(), &PrintOptions::default());
//! assert!(after.contains("gpu.func") && after.contains("gpu.launch_func"), "{after}");
//! ```

mod access;
mod arrays;
mod block;
mod function;
mod host;
mod kernel;
mod launch;
mod operator;
mod point;
mod recovery;
mod rounds;
mod rows;
mod segmap;
mod segmented;
mod state;
mod tensors;
mod transpose;
mod update;
mod vectors;
mod wide;

pub use segra_kernel::access::Checks;

use segra_ir::{Ir, Op};
use segra_kernel::local::REDUCTION;
use segra_pass::{
    Anchors, Outcome, Pass, PassContext, PassFailure, PassInfo, PassResult, pass_options,
};
use segra_space::Target;

pass_options! {
    /// The pass `lower-to-gpu`.
    pub struct LowerToGpu {
        /// Threads per block of reductions and scans: a power of two, 32 to 1024.
        pub block_size: i64 = 256,
        /// Least elements per thread block where several share a segment of a reduction or histogram.
        pub chunk: i64 = 4096,
        /// Whether kernels check the indices that the program gives.
        pub checks: Checks = Checks::On,
        /// Bytes of memory for arrays that threads make for themselves, where only they know how large these are: as many
        /// threads run as it is enough for, at least one.
        pub scratch_bytes: i64 = 1 << 30,
    }
}

const INFO: PassInfo = PassInfo {
    name: "lower-to-gpu",
    summary: "turn segmented ops on values into device functions and launches on memory",
    reads: &["func", "kernel"],
    writes: &["arith", "cf", "gpu", "memref", "nvgpu", "scf", "vector"],
    anchors: Anchors::Ops(&["builtin.module"]),
};

impl Pass for LowerToGpu {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let target = Target::CUDA;
        if !target.has_block_of(self.block_size) || self.block_size.count_ones() != 1 {
            return Err(cx.fail(
                ir,
                op,
                "option block-size: must be a power of two from 32 to 1024",
            ));
        }
        if self.scratch_bytes < 1 {
            return Err(cx.fail(ir, op, "option scratch-bytes: must be at least 1"));
        }
        if self.chunk < 1 {
            return Err(cx.fail(ir, op, "option chunk: must be at least 1"));
        }
        let options = function::Options {
            block_size: self.block_size,
            chunk: self.chunk,
            scratch_bytes: self.scratch_bytes,
            checks: self.checks,
        };
        // Nobody regroups steps of a loop below this level.
        for looped in ir.walk(op) {
            if ir.attr_named(looped, REDUCTION).is_some() {
                ir.set_attr_named(looped, REDUCTION, None);
            }
        }
        match function::lower_module(ir, op, options, cx.diags()) {
            true => Ok(Outcome::changed()),
            false => Err(PassFailure),
        }
    }
}
