//! Array → kernel; sees no device. Flattening: from nested array programs to perfect segmented nests (kernel dialect).
//!
//! Source: "Regular flattening" (lecture of Troels Henriksen, DIKU 2021): a map-nest context is pushed through the
//! program; what is inside a map is distributed over it; a reduction or scan inside becomes a segmented one over the
//! whole context.
//!
//! ```mlir
//! %r = array.map (%row in %m : [n][k]f32) {                     %r = kernel.segred thread (%i < %n, %j < %k)
//!   %s = array.reduce (%row : [k]f32) init (...) combine ... =>        init (%zero : f32) -> (tensor<?xf32>) {
//!   array.yield %s : f32                                             %x = tensor.extract %m[%i, %j] ... } combine {...}
//! }
//! ```
//!
//! Rules, in the order they are tried at each op of a map's body in a context of depth d > 0 (files in brackets):
//! * map, reduce, redomap, scan, scatter, hist with an extent that is the same for all points: the context grows by it [`nest`],
//!   [`combine`], [`update`]. Before that, what the op needs and is expensive to compute again is stored once, by a segmap over the
//!   context: map distribution, where the lecture's side condition (sizes invariant) decides what can be stored.
//!   A reduction or scan whose operator is a map over arrays is interchanged with it [`columns`].
//! * rearrange, iota, replicate, index, slice, ...: index functions ([`view_ops`], [`layout`]), no code.
//! * near: a read of a neighbour [`near`]; stencils become maps of those first.
//! * code that is the same for all points is done once, outside the nest.
//! * a counted loop with parallelism inside and bounds that are the same for all points: the nest moves into the loop;
//!   loop-carried values become arrays over the context (invariant ones are replicated) [`interchange`]. So does a
//!   branch on a condition that is the same for all points; of others both sides are made [`either`], and a loop that points
//!   leave at different times has rounds until the last point is done [`rounds`]. Arrays that grow alike at all points are one that grows [`uniform`].
//! * anything else stays in the code of a point: irregular extents, operators that differ between points, loops with
//!   other bounds. It is executed sequentially by each thread, with a remark that says why [`point`], [`sequential`],
//!   [`sequential_update`]. Loops and branches there carry the extents of arrays that grow or shrink [`resized`].
//! * host code (depth 0): loops and branches stay, with tensors for arrays [`function`]; filters are expanded; a scatter or hist that writes rows of several shapes is one per shape [`split`].
//!
//! * an explicit with-loop on the host is one scatter per partition into one array [`with_loop`]; others are expanded.
//! * checks are made where the program makes them, and none is lost [`stops`].
//! * extents that types fix are part of the types of tensors in the end ([`segra_kernel::refine`]).
//!
//! With `versions=incremental`, a map of the host with a reduction of rows of many lengths gets a flattened version beside, by
//! segment descriptors [`irregular`]; and a map with parallelism inside becomes a choice when the program runs: only its own
//! parallelism; one thread block per point and the inner parallelism inside it; everything flattened [`versions`].
//!
//! Legality: operators are associative (by definition of the array ops; `check-operators` tries them); start values are made
//! neutral first (`separate-starts`); effects inside maps are refused.
//! Not here: fusion; more than one block level.
//!
//! ```
//! use segra_ir::{Context, Diagnostics};
//! use segra_pass::{PassManager, Pipeline};
//! use segra_text::{ParseOptions, PrintOptions, parse_module, print};
//! use std::sync::Arc;
//!
//! let ctx = Arc::new(Context::new());
//! segra_std::register(&ctx);
//! ctx.register(segra_array::dialect());
//! ctx.register(segra_kernel::dialect());
//! let program = "
//!     func.func @main(%rows: !array.array<[n][m]f32>) -> !array.array<[n]f32> {
//!       %zero = arith.constant 0.0 : f32
//!       %sums = array.map (%row in %rows : [n][m]f32) {
//!         %sum = array.reduce (%row : [m]f32) init (%zero : f32) combine (%s, %t) {
//!           %u = arith.addf %s, %t : f32
//!           array.yield %u : f32
//!         }
//!         array.yield %sum : f32
//!       }
//!       func.return %sums : !array.array<[n]f32>
//!     }";
//! let mut ir = parse_module(&ctx, "program", program, &ParseOptions::default()).expect("it is a program");
//! let mut pipeline = Pipeline::on("builtin.module");
//! pipeline.add(Box::new(segra_flatten::Flatten::default()));
//! let done = PassManager::new(&pipeline).run(&mut ir, &mut Diagnostics::new());
//! assert!(done.is_ok());
//! let after = print(&ir, ir.root(), &PrintOptions::default());
//! assert!(after.contains("kernel.seg") && !after.contains("array."), "{after}");
//! ```

mod active;
mod append;
mod bounded;
mod columns;
mod combine;
mod continued;
mod cost;
mod cycles;
mod either;
mod env;
mod estimate;
mod extents;
mod function;
mod growth;
mod interchange;
mod irregular;
mod layout;
mod lines;
mod near;
mod nest;
mod point;
mod questions;
mod recursion;
mod remarks;
mod resized;
mod rounds;
mod sequential;
mod sequential_update;
mod split;
mod stops;
mod uniform;
mod update;
mod versions;
mod view;
mod view_ops;
mod with_loop;

use rustc_hash::FxHashSet;
use segra_ir::interfaces::symbol_name;
use segra_ir::{Ident, Ir, Op};
use segra_pass::{
    Anchors, Outcome, Pass, PassContext, PassFailure, PassInfo, PassResult, option_enum,
    pass_options,
};
use segra_space::Target;
use segra_std::func::{Calls, FuncOp};

option_enum! {
    /// The treatment of a reduction inside a map nest.
    pub enum InnerReduce {
        /// Sequential in two or more enclosing maps, else parallel.
        Auto = "auto",
        /// Always a segmented reduction.
        Parallel = "parallel",
        /// Always sequential in an enclosing map.
        Sequential = "sequential",
    }
}

option_enum! {
    /// How many versions of a map with parallelism inside there are.
    pub enum Versions {
        /// One: as much parallelism as `inner-reduce` says.
        One = "one",
        /// Three, chosen when the program runs: outer parallelism only, inner parallelism inside a thread block, all.
        Incremental = "incremental",
    }
}

pass_options! {
    /// The pass `flatten`.
    #[derive(Copy)]
    pub struct Flatten {
        /// The treatment of a reduction inside a map nest.
        pub inner_reduce: InnerReduce = InnerReduce::Auto,
        /// How many versions of a map with parallelism inside there are.
        pub versions: Versions = Versions::One,
        /// Parallelism from which only the outer maps are parallel, where no tuning says otherwise.
        pub threshold_top: i64 = 1 << 15,
        /// Parallelism of a point (a warp's threads) from which it is kept inside a thread block, where no tuning says
        /// otherwise; eight times that where an estimate decides below it.
        pub threshold_intra: i64 = 32,
        /// Hundredths of a version's estimate that the others take from which it is taken, where the flat version has several
        /// launches.
        pub threshold_estimate: i64 = 100,
        /// Threads of a thread block: inner extents above it do not fit one.
        pub block_limit: i64 = Target::CUDA.launch.block_threads,
        /// Shared memory of a thread block in bytes: points whose arrays need more do not fit one.
        pub shared_limit: i64 = Target::CUDA.shared_bytes,
        /// Inside nests, combinators over fewer elements (a constant) are executed sequentially.
        pub sequential_below: i64 = 2,
    }
}

const INFO: PassInfo = PassInfo {
    name: "flatten",
    summary: "turn nested array programs into perfect segmented nests",
    reads: &["array", "func"],
    writes: &["arith", "cf", "func", "kernel", "scf"],
    anchors: Anchors::Ops(&["builtin.module"]),
};

impl Pass for Flatten {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let body = ir
            .regions(op)
            .first()
            .and_then(|&region| ir.entry_block(region));
        let functions: Vec<Op> = body
            .map(|body| ir.ops(body).filter(|&op| ir.isa::<FuncOp>(op)).collect())
            .unwrap_or_default();
        if !recursion::check(ir, &functions, cx.diags()) {
            return Err(PassFailure);
        }
        let callees: FxHashSet<Ident> = functions
            .iter()
            .flat_map(|&func| Calls::inside(ir, func))
            .map(|(_, callee)| callee)
            .collect();
        for func in functions {
            if ir
                .regions(func)
                .first()
                .and_then(|&region| ir.entry_block(region))
                .is_none()
            {
                continue;
            }
            let called = symbol_name(ir, func).is_some_and(|name| callees.contains(&name));
            // First: what expands may be a reduction that starts with something.
            segra_array::combinator::expand_all(ir, func);
            segra_array::start::separate_all(ir, func);
            either::branches_for_switches(ir, func);
            if self.versions == Versions::Incremental {
                irregular::flatten_rows(ir, func);
            }
            if function::flatten_function(ir, func, called, *self, cx.diags()).is_none() {
                return Err(PassFailure);
            }
            cx.count("functions flattened", 1);
        }
        Ok(Outcome::changed())
    }
}
