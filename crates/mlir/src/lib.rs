//! The exit to upstream MLIR, LLVM and PTX; the only crate that links LLVM.
//!
//! Text in, text out: [`compile`] takes one upstream module and a [`Target`] and returns PTX (or an earlier
//! stage); [`verify`] asks upstream's parser and verifier about any module. Nothing of melior or LLVM shows in
//! the interface, so nothing outside this crate depends on their versions.
//!
//! # What goes in
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
//! - Of the `math` dialect, [`native_math_ops`]; the rest must have been expanded into arithmetic, but for
//!   [`libdevice_math_ops`] where [`Target::libdevice`] is given.
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
//! # The way down
//! `target` checks the chip, `session` parses, `gate` refuses what would abort, `abi`, `math`, `order` and `swap` rewrite
//! kernels, math ops, ordered accesses and atomic updates, `pipeline` runs upstream's passes, `ptx` takes the text out and refuses unresolved calls.
//!
//! # Invariants
//! - The same text and target give the same PTX, byte for byte: one fresh, single-threaded context per call.
//! - A refusal is an [`MlirError`] with every diagnostic and its location. LLVM itself aborts the process on an
//!   instruction it cannot select: `gate` lists what is known to be safe, and [`compile_isolated`] contains the rest.
//!
//! # Cost
//! Debian's shared `libMLIR` and `libLLVM` are linked, and the C interface from archives (`build.rs`): a binary that
//! links this crate links in 2 s on 2 cores. With `MLIR_SYS_LINK_SHARED=0` everything is linked statically, which makes
//! each such binary 240 MB. Tests are therefore unit tests in one binary, and doctests are off.
//!
//! Deliberately absent: ptxas, cubin output, and any knowledge of Segra's own IR. CUDA's libdevice is linked where
//! [`Target::libdevice`] names it, and not needed.

mod abi;
mod error;
mod gate;
mod libdevice;
mod math;
mod order;
mod pipeline;
mod pointer;
mod ptx;
mod session;
mod swap;
mod target;
#[cfg(test)]
mod tests;
mod worker;

use melior::ir::Module;
use melior::ir::operation::OperationLike;
use serde::{Deserialize, Serialize};

pub use error::{Diagnostic, ErrorCode, MlirError, Position, Severity, SourceLocation};
pub use libdevice::find_libdevice;
pub use target::{Chip, PtxVersion, Target};
pub use worker::{compile_isolated, serve_if_worker};

use session::{Session, collect_ops, op_name, symbol_name, top_level};

/// What to return from [`compile`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Stage {
    /// The module as upstream MLIR understood it, after its verifier.
    Mlir,
    /// The module in the LLVM dialect, after all conversions.
    Llvm,
    /// PTX text.
    Ptx,
}

/// The text of one `gpu.module`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// The name of the `gpu.module`.
    pub name: String,
    /// Its PTX: one loadable CUDA module.
    pub text: String,
}

/// What [`compile`] made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// The text of the stage asked for. With several GPU modules at [`Stage::Ptx`], their texts one after the
    /// other; load [`Output::units`] then.
    pub text: String,
    /// At [`Stage::Ptx`], one unit per `gpu.module`, in order; empty otherwise.
    pub units: Vec<Unit>,
    /// What upstream said although it succeeded.
    pub diagnostics: Vec<Diagnostic>,
}

/// Compiles MLIR text for `target` down to `stage`.
///
/// `module_text` is one `builtin.module`, in MLIR's generic or custom form, with one or more `gpu.module`s that
/// hold kernels as the crate's documentation describes them. The same text and target give the same output,
/// byte for byte.
///
/// # Errors
/// Every refusal is an [`MlirError`] with upstream's or this crate's diagnostics; see [`ErrorCode`].
pub fn compile(module_text: &str, target: &Target, stage: Stage) -> Result<Output, MlirError> {
    target.check()?;
    let session = Session::new();
    let mut module = session.parse(module_text)?;
    if stage == Stage::Mlir {
        return Ok(output(&session, module.as_operation().to_string(), Vec::new()));
    }
    gate::check(&module, target)?;
    prepare(&session, &module, target)?;
    pipeline::attach_target(&session, &module, target)?;
    pipeline::run(&session, &mut module, &pipeline::to_llvm(target))?;
    gate::check_converted(&module, target)?;
    if stage == Stage::Llvm {
        return Ok(output(&session, module.as_operation().to_string(), Vec::new()));
    }
    let calls = libdevice::calls(&module);
    pipeline::run(&session, &mut module, pipeline::to_ptx())?;

    let mut units = Vec::new();
    for binary in top_level(&module, "gpu.binary") {
        let text = ptx::text_of_binary(binary)?;
        ptx::check_resolved(&text, &calls, binary)?;
        units.push(Unit { name: symbol_name(binary).unwrap_or_default().to_owned(), text });
    }
    if units.is_empty() {
        return Err(MlirError::new(ErrorCode::KernelContract, "the module has no gpu.module"));
    }
    let text = units.iter().map(|unit| unit.text.as_str()).collect::<Vec<_>>().join("\n");
    Ok(output(&session, text, units))
}

/// Asks upstream's parser and verifier whether `module_text` is well formed.
///
/// # Errors
/// [`ErrorCode::Parse`] or [`ErrorCode::Verify`], with everything upstream had to say.
pub fn verify(module_text: &str) -> Result<(), MlirError> {
    let session = Session::new();
    session.parse(module_text).map(drop)
}

/// The math ops that [`compile`] accepts; every other op of that dialect must be expanded before.
pub fn native_math_ops() -> impl Iterator<Item = &'static str> {
    math::routed_ops()
}

/// The math ops that [`compile`] accepts besides where [`Target::libdevice`] is given.
pub fn libdevice_math_ops() -> impl Iterator<Item = &'static str> {
    libdevice::functions()
}

fn output(session: &Session, text: String, units: Vec<Unit>) -> Output {
    Output { text, units, diagnostics: session.take_diagnostics() }
}

/// Rewrites kernels and math ops into what the upstream pipeline lowers well.
fn prepare<'c>(session: &'c Session, module: &Module<'c>, target: &Target) -> Result<(), MlirError> {
    for gpu_module in top_level(module, "gpu.module") {
        // First, since some of the ops collected go.
        for op in
            collect_ops(gpu_module).into_iter().filter(|&op| op_name(op) == swap::OP).collect::<Vec<_>>()
        {
            swap::rewrite(&session.context, op)?;
        }
        for op in collect_ops(gpu_module) {
            if op_name(op) == "gpu.func" && op.has_attribute("gpu.kernel") {
                abi::rewrite_kernel(&session.context, op)?;
            } else {
                math::rewrite(&session.context, op, target)?;
                order::rewrite(&session.context, op)?;
            }
        }
    }
    Ok(())
}
