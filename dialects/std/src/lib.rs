//! The parts of upstream MLIR that Segra lowers to: builtin, func, arith, math, scf, cf, ub, memref, tensor,
//! vector;
//! and one dialect of its own that every level uses, [`check`].
//!
//! Ops have upstream's names, attributes and meaning, so that what is printed here parses there and the other way
//! round. Ops are verified as upstream verifies them, and executable ([`segra_interp::Eval`])
//! but for a listed few. Where upstream leaves a result undefined (poison), evaluation
//! still gives a fixed one, stated at the op, and folding leaves the op alone.
//!
//! Deliberately absent: dialects nothing here produces (affine, linalg), and every pass.
//!
//! ```
//! use segra_interp::{Datum, Interpreter};
//! use segra_ir::Context;
//! use segra_text::{ParseOptions, parse_module};
//! use std::sync::Arc;
//!
//! let ctx = Arc::new(Context::new());
//! segra_std::register(&ctx);
//! let program = "
//!     func.func @power(%x: i64, %n: index) -> i64 {
//!       %one = arith.constant 1 : i64
//!       %c0 = arith.constant 0 : index
//!       %c1 = arith.constant 1 : index
//!       %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %one) -> (i64) {
//!         %q = arith.muli %p, %x : i64
//!         scf.yield %q : i64
//!       }
//!       func.return %r : i64
//!     }";
//! let ir = parse_module(&ctx, "program", program, &ParseOptions::default()).expect("it is a program");
//! let inputs = [Datum::Int(3), Datum::Int(4)];
//! let results = Interpreter::new(&ir).call("power", &inputs)?;
//! assert!(matches!(results[0], Datum::Int(81)));
//! # Ok::<(), segra_interp::EvalError>(())
//! ```

pub mod arith;
pub mod boundary;
pub mod builtin;
pub mod cf;
pub mod check;
pub mod constants;
mod elements;
pub mod func;
pub mod math;
pub mod memref;
mod mixed;
pub mod recorded;
pub mod rescaled;
pub mod scf;
pub mod sizes;
mod syntax;
pub mod tensor;
pub mod ub;
pub mod vector;
mod wide;
mod wide_float;

use segra_ir::{Context, Dialect};
pub use syntax::parse_operator_args;

/// All dialects of this crate, in alphabetic order.
pub fn dialects() -> Vec<Dialect> {
    vec![
        arith::dialect(),
        builtin::dialect(),
        cf::dialect(),
        check::dialect(),
        func::dialect(),
        math::dialect(),
        memref::dialect(),
        scf::dialect(),
        tensor::dialect(),
        ub::dialect(),
        vector::dialect(),
    ]
}

/// Registers all dialects of this crate.
pub fn register(ctx: &Context) {
    for dialect in dialects() {
        ctx.register(dialect);
    }
}
