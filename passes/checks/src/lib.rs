//! Array → array, before anything is rewritten: what array programs say implicitly becomes ops. Passes read `array` with
//! `arith` and `scf`, write these and `check`, and see the program as its user wrote it.
//!
//! * [`ExplicitChecks`], below: conditions under which a program stops;
//! * [`record`]: pass `record-source`: sizes in signatures and which op stands where, for what comes after lowering;
//! * [`starts`]: pass `separate-starts`: start values of reductions and scans that are not neutral;
//! * [`operators`]: pass `check-operators`: operators tried on random values; it changes nothing.
//!
//! `explicit-checks`: conditions under which array programs stop become ops, before any pass changes the program.
//!
//! ```mlir
//! %x = array.index %xs[%i] : [n]f32     =>     %n = array.dim %xs, 0
//!                                              %inside = arith.cmpi ult, %i, %n
//!                                              %j = check.require %inside, %i else %c0, "... {0} ... {1}" (%i, %n)
//!                                              %x = array.index %xs[%j] : [n]f32
//! ```
//! The op takes the value of its check, so it cannot be run without it, whatever becomes of it: folded away, read at
//! another index, moved into another kernel. The message has the program's numbers, operation and place, because they
//! are written down while the program is still the user's. An interpreter that meets the op without its check stops at
//! the same place by itself.
//!
//! Which op stops when is said at the ops; in short ([`conditions`]):
//! * `array.index`, `array.update`: an index that is negative, or not below its extent.
//! * `array.slice`: a negative size; in a dimension with elements, a first or last one outside of the array.
//! * `array.reshape`: a negative size; a product of sizes that overflows or is not the number of elements.
//! * `array.iota`, `array.replicate`, `array.pad`: a negative size; a padded extent or a number of elements beyond 64 bits.
//! * `array.gather`: an index out of range, be its element read or not.
//! * combinators: inputs of different outer sizes; `array.concat`, `array.update`: rows of different shapes.
//! * sizes that a result's type names, where they are not the operand's; `array.cast`: sizes that are not those claimed.
//! * integer division and remainder: a divisor of 0; `scf.for`: a step that is not positive.
//! * `array.with_loop`: a step or width below 1, a width above its step, bounds outside of the array ([`with_loops`]).
//!
//! Loops whose counter may wrap before it reaches its end are made such that count their iterations ([`counters`]).
//!
//! Parallel code evaluates an operator on neutral elements, too, even where there is nothing to combine: checks of an
//! operator hold where its combinator has no elements ([`operator_runs`]).
//!
//! No check is made where types, loops and maps show that it holds ([`prove`]): kernels that index by a map's own index
//! have none. Not here: `array.scatter` and `array.hist` ignore what is out of range by definition.
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
//! let program = "
//!     func.func @main(%xs: !array.array<[n]f32>, %i: index) -> f32 {
//!       %x = array.index %xs[%i] : [n]f32
//!       func.return %x : f32
//!     }";
//! let mut ir = parse_module(&ctx, "program", program, &ParseOptions::default()).expect("it is a program");
//! let mut pipeline = Pipeline::on("builtin.module");
//! pipeline.add(Box::new(segra_checks::ExplicitChecks::default()));
//! let done = PassManager::new(&pipeline).run(&mut ir, &mut Diagnostics::new());
//! assert!(done.is_ok());
//! let after = print(&ir, ir.root(), &PrintOptions::default());
//! assert!(after.contains("check.require"), "{after}");
//! ```

mod arrays;
mod conditions;
mod counters;
mod emit;
mod operator_runs;
pub mod operators;
mod prove;
pub mod record;
pub mod starts;
mod with_loops;

pub use operators::CheckOperators;
pub use record::RecordSource;
pub use starts::SeparateStarts;

use conditions::Checker;
use segra_ir::{Ir, Op};
use segra_pass::{
    Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options,
};

pass_options! {
    /// The pass `explicit-checks`.
    pub struct ExplicitChecks {}
}

const INFO: PassInfo = PassInfo {
    name: "explicit-checks",
    summary: "turn conditions under which array programs stop into checks of their own, and count loops that may wrap",
    reads: &["array", "arith"],
    writes: &["arith", "array", "check"],
    anchors: Anchors::Any,
};

impl Pass for ExplicitChecks {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, root: Op, cx: &mut PassContext<'_>) -> PassResult {
        let ops = ir.walk(root);
        let mut checker = Checker::of(ir);
        ops.iter().for_each(|&op| checker.check(op));
        let made = checker.made;
        if made > 0 {
            operator_runs::excuse(ir, root, &ops);
        }
        cx.count("checks made", made);
        let counted = counters::count(ir, &ops);
        cx.count("loops counted", counted);
        Ok(Outcome::of(Changed::when(made + counted > 0)))
    }
}
