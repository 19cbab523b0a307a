//! `separate-starts`: reductions and scans begin with neutral elements; what they began with is combined once beside them.
//!
//! ```mlir
//! %r = array.reduce (%xs : [n]i32) init (%s : i32) combine arith.addi
//!   // becomes
//! %zero = arith.constant 0 : i32
//! %t = array.reduce (%xs : [n]i32) init (%zero : i32) combine arith.addi
//! %r = arith.addi %s, %t : i32
//! ```
//!
//! Before passes that cut combinations into pieces, each of which begins anew: algebra and fusion leave other start
//! values alone, and flattening does this first itself. A scan takes its start value in at its first element; see
//! [`segra_array::start`], which also says why nothing goes over the results of a scan again. Start values that are
//! neutral, and constants that a reduction's operator takes in only once (`max`), stay where they are.

use segra_ir::{Ir, Op};
use segra_pass::{Anchors, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options};

pass_options! {
    /// The pass `separate-starts`.
    #[derive(Copy)]
    pub struct SeparateStarts {}
}

const INFO: PassInfo = PassInfo {
    name: "separate-starts",
    summary: "combine start values that are not neutral once, beside reductions and scans from neutral elements",
    reads: &["array"],
    writes: &["arith", "array", "scf"],
    anchors: Anchors::Any,
};

impl Pass for SeparateStarts {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let changed = segra_array::start::separate_all(ir, op);
        cx.count("combinations changed", changed as u64);
        Ok(if changed > 0 {
            Outcome::changed()
        } else {
            Outcome::unchanged()
        })
    }
}
