//! Lowering: from segmented ops on values to device functions and launches on memory.
//!
//! ```mlir
//! %r = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {...}
//! ```
//! becomes an allocation and a `gpu.launch_func` of a `gpu.func` whose threads recover `%i`, test its guard, run the
//! body and store:
//! * grid, thread blocks, index recovery and guards come from an index-space mapping ([`launch`], `segra-space`) and
//!   from nowhere else;
//! * a segred runs one thread block per segment ([`segmented`]): its threads combine elements in a loop, then a tree in
//!   shared memory; where there is just one segment, several blocks make partial results and a last one combines them;
//! * a segscan runs one thread block per segment, tile by tile with a carry; a single long segment is cut into chunks
//!   whose sums are scanned first.
//!
//! Tensors become memrefs of the same shape; kernels see them flat, with the extents they need as arguments.
//! Order of operands is kept unless every component of the operator is marked commutative.
//! Legality: segmented ops at level `thread`, not nested; bodies return scalars. Anything else is refused with an error.

mod function;
mod kernel;
mod launch;
mod operator;
mod segmap;
mod segmented;

use segra_ir::{Ir, Op};
use segra_pass::{Anchors, Outcome, Pass, PassContext, PassFailure, PassInfo, PassResult, pass_options};
use segra_space::Strategy;

pass_options! {
    /// The pass `lower-to-gpu`.
    pub struct LowerToGpu {
        /// Mapping of segmaps that do not carry their own: `fold-all`, `jing`, `jing-ext` or a chain of combinators.
        pub strategy: String = "fold-all".to_owned(),
        /// Threads per block of reductions and scans: a power of two, 32 to 1024.
        pub block_size: i64 = 256,
        /// Elements per thread block of a reduction or scan with a single segment.
        pub chunk: i64 = 4096,
    }
}

const INFO: PassInfo = PassInfo {
    name: "lower-to-gpu",
    summary: "turn segmented ops on values into device functions and launches on memory",
    reads: &["func", "kernel"],
    writes: &["arith", "cf", "gpu", "memref", "scf"],
    anchors: Anchors::Ops(&["builtin.module"]),
};

impl Pass for LowerToGpu {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let strategy: Strategy = match self.strategy.parse() {
            Ok(strategy) => strategy,
            Err(error) => return Err(cx.fail(ir, op, format!("option strategy: {error}"))),
        };
        if !(32..=1024).contains(&self.block_size) || self.block_size.count_ones() != 1 {
            return Err(cx.fail(ir, op, "option block-size: must be a power of two from 32 to 1024"));
        }
        if self.chunk < 1 {
            return Err(cx.fail(ir, op, "option chunk: must be at least 1"));
        }
        let options = function::Options { strategy, block_size: self.block_size, chunk: self.chunk };
        match function::lower_module(ir, op, options, cx.diags()) {
            true => Ok(Outcome::changed()),
            false => Err(PassFailure),
        }
    }
}
