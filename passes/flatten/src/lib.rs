//! Flattening: from nested array programs to perfect segmented nests (kernel dialect).
//!
//! Source: Futhark's regular flattening (lecture of Henriksen and Oancea, "Regular flattening"): a map-nest context is
//! pushed through the program; what is inside a map is distributed over it; a reduction or scan inside becomes a
//! segmented one over the whole context.
//!
//! ```mlir
//! %r = array.map (%row in %m : [n][k]f32) {                     %r = kernel.segred thread (%i < %n, %j < %k)
//!   %s = array.reduce (%x in %row : [k]f32) init (...) {...} =>        init (%zero : f32) -> (tensor<?xf32>) {
//!   array.yield %s : f32                                             %x = kernel.read %m[%i, %j] ... } combine {...}
//! }
//! ```
//!
//! Rules, in the order they are tried at each op of a map's body in context of depth d:
//! * rearrange, iota, replicate, index, dim, cast: index functions ([`view`]), no code.
//! * map with an extent the same for all points: the context grows by it (rule "map with inner operators"); what its
//!   body yields as scalars becomes one segmap over the context; arrays keep their nests' results.
//! * reduce and redomap: a segred over context and own extent, or, with `inner-reduce`, sequential code of the
//!   enclosing nest; scan: a segscan.
//! * anything else is scalar code: recomputed in each nest that needs it when cheap, else stored by a segmap of its own.
//! * host code (depth 0): loops and branches stay, with tensors for arrays.
//!
//! Legality: operators are associative (by definition of the array ops). Extents that differ between points of a nest
//! (irregular) are executed sequentially inside the nest, with a remark. Refused with an error: reductions with
//! array-valued operators, sequential scans, array results of sequential maps, effects inside maps. Not here: fusion,
//! map-loop interchange, several versions with thresholds.

mod emit;
mod function;
mod nest;
mod view;

use segra_ir::{Ir, Op};
use segra_pass::{
    Anchors, Outcome, Pass, PassContext, PassFailure, PassInfo, PassResult, option_enum, pass_options,
};
use segra_std::func::FuncOp;

option_enum! {
    /// What to do with a reduction inside a map nest.
    pub enum InnerReduce {
        /// Sequential in two or more enclosing maps, else parallel.
        Auto = "auto",
        /// Always a segmented reduction.
        Parallel = "parallel",
        /// Always sequential in an enclosing map.
        Sequential = "sequential",
    }
}

pass_options! {
    /// The pass `flatten`.
    #[derive(Copy)]
    pub struct Flatten {
        /// What to do with a reduction inside a map nest.
        pub inner_reduce: InnerReduce = InnerReduce::Auto,
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
        let body = ir.regions(op).first().and_then(|&region| ir.entry_block(region));
        let functions: Vec<Op> =
            body.map(|body| ir.ops(body).filter(|&op| ir.isa::<FuncOp>(op)).collect()).unwrap_or_default();
        for func in functions {
            if ir.regions(func).first().and_then(|&region| ir.entry_block(region)).is_none() {
                continue;
            }
            if function::flatten_function(ir, func, *self, cx.diags()).is_none() {
                return Err(PassFailure);
            }
            cx.count("functions flattened", 1);
        }
        Ok(Outcome::changed())
    }
}
