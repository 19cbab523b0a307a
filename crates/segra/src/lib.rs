//! Segra for frontends: build or read an array program, compile it, run it.
//!
//! ```
//! use segra::builder::{build, map, map_reduce};
//! use segra::{Array, Scalar, Value};
//!
//! let program = build(|p| {
//!     p.function("main", |f| {
//!         let a = f.scalar::<f32>("a");
//!         let (x, y) = (f.array::<f32>("x", ["n"]), f.array::<f32>("y", ["n"]));
//!         let z = map((x, y), |(x, y)| a * x + y);
//!         (z, map_reduce((z, y), |(z, y)| z * y, 0.0, |s, t| s + t))
//!     });
//! })?;
//! let x = Value::Array(Array::vector(&[1.0f32, 2.0]));
//! let inputs = [Value::Scalar(Scalar::f32(2.0)), x.clone(), x];
//! let results = segra::interpret(program.ir(), "main", &inputs)?;
//! assert_eq!(results[1], Value::Scalar(Scalar::f32(15.0)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! With `segra-ptx`, it is compiled and runs on a GPU or the simulator:
//! ```no_run
//! # fn compiled(program: segra::Program, inputs: &[segra::Value]) -> Result<(), Box<dyn std::error::Error>> {
//! use segra::{Compiler, DeviceChoice, load};
//!
//! let compiled = Compiler::default().compile(program)?;
//! let loaded = load(compiled.artifact, DeviceChoice::Auto)?;
//! let results = loaded.entry("main")?.run(inputs)?;
//! # Ok(())
//! # }
//! ```
//!
//! * [`program`]: programs from text or IR; [`graph`]: array programs built at run time, for frontends; [`builder`]: array
//!   programs built in Rust;
//! * [`compile`]: pipelines, targets, the text of every stage; [`kernels`]: which kernels came out, and why;
//!   [`choices`]: which of them run under which conditions;
//! * [`fusion`]: which nests may be one kernel, and what is predicted for it;
//! * [`rewrites`]: what the algebra of arrays makes of a program;
//! * [`interpret()`]: the reference interpreter on the runtime's values; [`check`]: comparing two runs;
//! * [`bisect`]: finding the wrong kernel; [`embedded`]: inputs in a program's text;
//! * [`failure`]: what went wrong, with places in the source.
//!
//! Passes that change something, loads of kernels and the first launches of each are reported with their times to the crate
//! `tracing`, at the level `DEBUG` and by targets that start with `segra`, all other passes and launches in one line each time
//! (one by one at `TRACE`); nothing shows them by default. Segra's tools do where the
//! environment says `SEGRA_LOG=debug`; a program that uses `tracing-subscriber` by
//! `registry().with(fmt::layer().with_filter(Targets::new().with_target("segra", LevelFilter::DEBUG))).init()`.
//!
//! Invariant: the same program and options give the same artifact, byte for byte.
//!
//! LLVM is not linked: the last step, to PTX, is taken by the program `segra-ptx` (`segra-worker` says where it is looked
//! for). Without it everything else works: reading, [`Compiler::plan`], [`Compiler::emit`] down to [`Stage::Mlir`],
//! [`interpret`](fn@interpret), and running artifacts made elsewhere.
//! Deliberately absent: anything that can be said in the crates re-exported here.

pub mod bisect;
pub mod builder;
pub mod check;
pub mod choices;
pub mod compile;
pub mod embedded;
pub mod failure;
pub mod fusion;
pub mod graph;
pub mod interpret;
pub mod kernels;
pub mod mappings;
pub mod program;
mod ptx;
pub mod rewrites;
pub mod tilings;
pub mod validate;

pub use builder::{Arr, FunctionBuilder, ProgramBuilder, Val, build};
pub use check::{Difference, Tolerance, compare, compare_results};
pub use compile::{
    CompileOptions, Compiled, Compiler, DEFAULT_PIPELINE, FusionChoice, Libdevice, Stage,
    default_pipeline_with, default_targets, one_version_pipeline, unchecked_pipeline,
};
pub use failure::Failure;
pub use interpret::{interpret, interpret_within};
pub use program::{Program, context};

pub use segra_artifact::{
    Artifact, Chip, ChipReach, ElemType, Entry, ParamType, ResultType, Scalar,
};
pub use segra_ir as ir;
pub use segra_runtime::{
    Array, Device, DeviceChoice, DeviceInfo, DeviceKind, Input, KnownInputs, Program as Loaded,
    RunOptions, RunOutput, Timing, Value,
};
pub use segra_schedule::tile::TileShape;
pub use segra_text as text;

/// The dialects that programs of [`graph`] are made of: their ops, by type.
pub mod dialects {
    pub use segra_array as array;
    pub use segra_std::{arith, func, math, scf};
}

/// Opens a device and loads an artifact on it.
///
/// # Errors
/// The device cannot be opened, or the artifact has no PTX for it, or the device refuses the PTX.
pub fn load(artifact: Artifact, device: DeviceChoice) -> Result<Loaded, LoadFailure> {
    load_on(
        artifact,
        segra_runtime::open(device).map_err(LoadFailure::Device)?,
    )
}

/// Loads an artifact on a device, such as a simulator with checkers.
///
/// # Errors
/// The artifact has no PTX for the device, or the device refuses the PTX.
pub fn load_on(
    artifact: Artifact,
    device: std::sync::Arc<dyn Device>,
) -> Result<Loaded, LoadFailure> {
    Loaded::load(artifact, device).map_err(LoadFailure::Load)
}

/// Why an artifact is not ready to run.
#[derive(Debug)]
pub enum LoadFailure {
    /// The device cannot be opened.
    Device(segra_runtime::DeviceError),
    /// The artifact cannot be loaded on it.
    Load(segra_runtime::LoadError),
}

impl std::fmt::Display for LoadFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LoadFailure::Device(error) => write!(f, "the device cannot be opened: {error}"),
            LoadFailure::Load(error) => write!(f, "the program cannot be loaded: {error}"),
        }
    }
}

impl std::error::Error for LoadFailure {}
