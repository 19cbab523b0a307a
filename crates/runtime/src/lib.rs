//! Devices (CUDA, simulator), buffers, and the executor of host plans.
//!
//! ```text
//! Artifact ──Program::load──▶ Program ──entry──▶ EntryPoint ──run(values)──▶ values
//!                 ▲
//!              Device: the simulator (segra-ptx) or a GPU (cudarc)
//! ```
//! [`open`] gives a device, [`Input`] reads what people write on a command line, [`Array`] and [`Value`] hold data.
//!
//! Invariants: this is the only crate that opens a CUDA driver, and only when a CUDA device is asked for; nothing a
//! user, a file or a plan contains makes it panic; a run frees all device memory it allocated, also when it fails.
//! Deliberately absent: any knowledge of IR, compilation, tuning.
//!
//! ```
//! use segra_artifact::*;
//! use segra_runtime::{DeviceChoice, Program, Value, open};
//!
//! // A program of the host alone: main(n) is n + n.
//! let mut artifact = Artifact::new("segra 0.1.0");
//! let mut b = PlanBuilder::new("main");
//! let n = b.index_param();
//! let twice = b.binary(BinaryOp::Add, n, n);
//! let plan = artifact.add_plan(b.finish(&[twice])?);
//! artifact.entries.push(Entry {
//!     name: "main".into(),
//!     sizes: vec![],
//!     params: vec![EntryParam { name: "n".into(), ty: ParamType::Scalar(ElemType::I64) }],
//!     results: vec![EntryResult { name: "twice".into(), ty: ResultType::Scalar(ElemType::I64) }],
//!     plan,
//!     location: None,
//! });
//! let program = Program::load(artifact, open(DeviceChoice::Sim)?)?;
//! let results = program.entry("main")?.run(&[Value::Scalar(Scalar::i64(21))])?;
//! assert_eq!(results, [Value::Scalar(Scalar::i64(42))]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod device;
mod exec;
mod host;
mod schedule;

pub use device::{
    Allocation, Checks, Device, DeviceChoice, DeviceError, DeviceInfo, DeviceKind, DevicePtr,
    KernelArg, KernelLaunch, LaunchOutcome, Level, Machine, MapArg, MemoryInfo, ModuleHandle,
    Sample, SimDevice, SimOptions, StreamDevice, ThreadAccess, Timing, Touched, Trace,
    TraceOptions, TracedThreads, open,
};
pub use exec::{
    Comparison, EntryPoint, ErrorChecks, KnownInputs, LaunchRecord, LoadError, Program, Progress,
    Resident, RunControl, RunError, RunErrorKind, RunOptions, RunOutput, RunReport, Stop,
    there_are,
};
pub use host::array::{Array, ArrayError, Element, Value};
pub use host::input::{Input, InputError, Literal, abbreviated};
pub use host::npy::{NpyError, npy_bytes, parse_npy, read_npy, write_npy};
pub use host::print::{EDGE, ELIDE_ABOVE};
pub use host::random::{RANDOM_INTEGERS, random_array, random_scalar};
pub use schedule::{Batch, LaunchTask, Step, StepOrder, Task, Use};
pub use segra_ptx::{Profile, TimeEstimate, Totals};
