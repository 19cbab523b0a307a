//! The reference interpreter: one evaluation rule per op, on typed arrays.
//!
//! * [`elem`], [`datum`], [`mod@array`], [`memref`]: run-time values. Storage is typed: no element is boxed.
//! * [`eval`]: the [`Eval`] interface an op implements, lanes, and what a rule may prepare ahead of time.
//! * [`code`]: regions decoded once into instructions with value slots.
//! * [`cx`]: the state a rule works on; [`scalar`]: helpers that make a scalar rule one line.
//! * [`update`]: arrays under change. [`interpreter`]: the entry point; [`observe`]: being told what chosen ops
//!   compute. [`mod@compare`], [`random`]: comparing results, making inputs.
//!
//! Evaluation is *lane-vectorised*: a frame holds values as `[slot][lane]` and an op is evaluated for every active
//! lane before the next op runs. Host code has one lane. A thread block has one lane per thread, which makes a
//! barrier a check and a shuffle a read across lanes. A data-parallel loop runs its body as one batch of lanes.
//!
//! Integers wrap at their width. `f32` arithmetic is done in `f32`, `f64` in `f64`; `f16` and `bf16` operations are
//! done in `f32` and rounded once. Transcendental functions of `f32` are those of `f64`, rounded to `f32`.
//!
//! Deliberately absent: any dialect. Nothing here panics on what a program does; it returns an [`EvalError`].
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
//!     func.func @double(%x: f32) -> f32 {
//!       %y = arith.addf %x, %x : f32
//!       func.return %y : f32
//!     }";
//! let ir = parse_module(&ctx, "program", program, &ParseOptions::default()).expect("it is a program");
//! let inputs = [Datum::F32(1.5)];
//! let results = Interpreter::new(&ir).call("double", &inputs)?;
//! assert!(matches!(results[0], Datum::F32(3.0)));
//! # Ok::<(), segra_interp::EvalError>(())
//! ```

pub mod array;
pub mod code;
pub mod compare;
pub mod cx;
pub mod datum;
pub mod elem;
pub mod error;
pub mod eval;
mod frame;
pub mod interpreter;
pub mod memref;
pub mod observe;
pub mod random;
pub mod scalar;
mod tf32;
pub mod update;

pub use array::{ArrayBuilder, ArrayValue, Elements};
pub use code::{Inst, RegionCode, Slot};
pub use compare::{Mismatch, Tolerance, compare};
pub use cx::{Column, Cx, Parents};
pub use datum::Datum;
pub use elem::{Elem, IntWidth};
pub use error::{EvalError, Fault};
pub use eval::{Eval, EvalResult, Flow, Lanes, Prepare, Prepared, RegionKind};
pub use interpreter::{Interpreter, Limits};
pub use memref::{Buffer, MemRefValue};
pub use observe::{Observation, Observer};
pub use tf32::Tf32;
pub use update::ArrayUpdate;
