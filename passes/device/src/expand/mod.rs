//! Math functions the hardware has no exact instruction for, as arithmetic: pass `expand-math`.
//!
//! ```mlir
//! %y = math.exp %x : f32
//! ```
//! becomes a range reduction, a polynomial in `math.fma` and a scaling by powers of two made of integer ops. The same
//! ops run on every device, so results are the same bit for bit on the simulator and on hardware.
//!
//! * [`functions`] (private): one formula per function, written once against [`emit::Emit`];
//! * [`ir`]: emits a formula as ops; [`eval`]: computes it on the host, so accuracy is tested without any IR;
//! * [`pass`]: the pass; [`promises`]: the pass `drop-promises`, to be run before it; [`tf32`]: the pass `expand-tf32`.
//!
//! Accuracy, largest error in units in the last place of the result. Functions of one f32 were compared with f64 on all
//! 2^32 values, on a GPU (`tests/gpu/accuracy.py`, `tests/gpu/RESULTS.md`); those of two, and of f64, in dense sweeps
//! against the host's f64 library (`tests/accuracy.rs`, which holds all bounds):
//!
//! | f32 | ulp | f32 | ulp | f32 | ulp | f64 | ulp |
//! |---|---|---|---|---|---|---|---|
//! | exp | 0.99 | log | 0.89 | tan | 3.21 | exp | 1 |
//! | exp2 | 0.87 | log1p | 1.15 | atan (atan2) | 1.37 (2.5) | exp2 | 1 |
//! | expm1 | 1.44 | log2 | 1.09 | tanh | 1.35 | log | 1 |
//! | sin, cos | 1.5 | log10 | 1.27 | sinh, cosh | 2.39 | log2 | 1 |
//! | powf | 0.88 | erf | 1.21 | asin | 1.88 | log10 | 2 |
//! | cbrt | 0.51 | | | acos | 1.25 | powf (sin, cos) | 1 (2) |
//! | | | | | | | tanh | 3 |
//!
//! Subnormal inputs and results, infinities, NaN and signed zeros are as IEEE 754 and C's Annex F have them.
//! f16 and bf16 are computed in f32 and rounded. Legality: scalars only. Functions that are neither here nor
//! among the functions devices have ([`segra_std::math::Provided`]) are refused with an error at the op.

pub mod emit;
pub mod eval;
mod functions;
pub mod ir;
pub mod pass;
pub mod promises;
pub mod tf32;

pub use functions::{OfOne, OfTwo, Table, f32_binary, f32_unary, f64_binary, f64_unary, formula};
pub use pass::ExpandMath;
pub use promises::DropPromises;
pub use tf32::ExpandTf32;
