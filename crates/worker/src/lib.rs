//! The client of `segra-ptx`, the worker program that turns upstream MLIR into PTX.
//!
//! Text in, text out: [`compile`] takes one upstream module and a [`Target`], and returns PTX or an earlier [`Stage`].
//! MLIR and LLVM are linked into the worker alone (`crates/mlir`), which runs as a child process. So everything that
//! depends on this crate builds without LLVM, and LLVM ending its process is an error here, with
//! [`ErrorCode::Aborted`].
//!
//! * [`compile`], [`start`], [`WorkerProgram`]: where the program is found, and its processes;
//! * [`Target`], [`Chip`], [`Stage`], [`Output`]: requests and replies; [`MlirError`], [`Diagnostic`]: refusals;
//! * [`NATIVE_MATH`], [`LIBDEVICE_MATH`], [`find_libdevice`]: which ops of the `math` dialect the worker takes.
//!
//! # Input
//! One `builtin.module`, generic or custom form, with `gpu.module`s of kernels (`gpu.func` with the unit
//! attribute `gpu.kernel`) and helpers (`func.func`), in upstream's dialects `arith cf func gpu llvm math memref
//! nvvm scf vector`. The contract of a kernel:
//! - A scalar parameter is `i1` (one byte), `i8`–`i64`, `f16` or `bf16` (two bytes), `f32`, `f64` or `index` (`i64`).
//! - An array parameter is a `memref` with identity layout, dynamic in its first dimension at most, in memory
//!   space `#gpu.address_space<global>`, `1`, or none. It becomes exactly one 8-byte pointer parameter and keeps
//!   `llvm.noalias`, `llvm.readonly`, `llvm.align`. Without `llvm.noalias` and `llvm.readonly` loads are not
//!   `ld.global.nc`. Its size is not known inside: `memref.dim` is refused, pass sizes as scalars.
//! - Workgroup memory is a workgroup attribution or a `memref.global` in space 3, of static shape; private memory
//!   is `memref.alloca` in the default space, which becomes registers where its indices are constant after unrolling.
//! - `fastmath<contract>` on both mul and add makes an fma; `known_block_size` becomes `.maxntid`.
//! - A `memref.load` or `memref.store` with the discardable attribute `segra.memory_order` ("acquire", "release") is
//!   atomic at the scope of the device; `memref.atomic_rmw` is relaxed there, and so is `memref.generic_atomic_rmw`,
//!   which becomes a loop of compare-and-swap (elements of 16, 32 or 64 bits, in one dimension).
//! - Shifts by the width or more, `MIN / -1`, and floats that no integer holds have the values that Segra's `arith` gives
//!   them. Division by zero has none, and must not happen. Flags (`nsw`, `nuw`, `exact`, `nnan`, `ninf`) are promises
//!   that LLVM relies on.
//! - Of the `math` dialect, [`NATIVE_MATH`]; the rest must have been expanded into arithmetic, but for
//!   [`LIBDEVICE_MATH`] where [`Target::libdevice`] is given.
//!
//! ```mlir
//! "builtin.module"() ({
//!   "gpu.module"() <{sym_name = "m"}> ({
//!     "gpu.func"() <{arg_attrs = [{}, {llvm.noalias, llvm.readonly}, {llvm.noalias}, {}],
//!                    function_type = (index, memref<?xf32, #gpu.address_space<global>>,
//!                                     memref<?xf32, #gpu.address_space<global>>) -> (),
//!                    known_block_size = array<i32: 32, 1, 1>}> ({
//!     ^bb0(%n: index, %x: memref<?xf32, #gpu.address_space<global>>, %y: memref<?xf32, #gpu.address_space<global>>,
//!          %tile: memref<32xf32, #gpu.address_space<workgroup>>):
//!       …
//!       "gpu.return"() : () -> ()
//!     }) {gpu.kernel, sym_name = "k", workgroup_attributions = 1 : i64} : () -> ()
//!   }) : () -> ()
//! }) {gpu.container_module} : () -> ()
//! ```
//!
//! # Invariants
//! - The same text and target give the same output, byte for byte, from a worker that is new or has served before.
//! - A refusal is an [`MlirError`] with every diagnostic and its location.
//! - Client and worker are of the same version and know the same requests, or nothing is asked (see `protocol`).
//!
//! Deliberately absent: time limits, ptxas, cubin output, and any knowledge of Segra's own IR.
//!
//! ```
//! use segra_worker::{Chip, Target};
//!
//! let target = Target::new("sm_80".parse::<Chip>()?);
//! target.check()?;
//! assert_eq!(target.effective_ptx_version().to_string(), "7.0");
//! assert!("sm_81".parse::<Chip>().is_err()); // LLVM would warn and take its oldest chip
//! # Ok::<(), segra_worker::MlirError>(())
//! ```

mod client;
mod error;
mod libdevice;
mod locate;
mod math;
pub mod protocol;
mod target;

pub use client::{Starting, WorkerProgram, compile, start};
pub use error::{Diagnostic, ErrorCode, MlirError, Position, Severity, SourceLocation};
pub use libdevice::find_libdevice;
pub use math::{LIBDEVICE_MATH, NATIVE_MATH};
pub use protocol::{Output, Stage, Unit};
pub use target::{Chip, PtxVersion, Target};
