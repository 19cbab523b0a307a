//! The executor's interface of a device, and the choice of one.
//!
//! A [`Device`] owns memory and loaded kernels; everything is addressed by handles it gave out. Launches run in the
//! order they were made and may run asynchronously; [`Device::download`] and [`Device::synchronize`] wait.
//! A device checks what keeps the host safe (kernel signatures), not what keeps a program right.
//! A device that has streams takes whole batches of steps, too ([`StreamDevice`]).
//!
//! Absent: several devices at once, events other than for timing.

mod cuda;
mod signature;
mod sim;
mod tensor_map;

use crate::schedule::Batch;
use segra_artifact::{Scalar, SourceMap, Target};
use segra_ptx::{Cancel, Profile};
use serde::Serialize;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

pub use segra_ptx::{
    Allocation, Checks, Level, Machine, Sample, ThreadAccess, Touched, Trace, TraceOptions,
    TracedThreads,
};
pub(crate) use signature::Signature;
pub use sim::{SimDevice, SimOptions};
pub use tensor_map::MapArg;

/// Which device to use, as on the command line: `sim`, `cuda`, `auto`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeviceChoice {
    /// The simulator.
    Sim,
    /// The first CUDA GPU; an error when there is none.
    Cuda,
    /// The first CUDA GPU when there is one, else the simulator.
    #[default]
    Auto,
}

impl FromStr for DeviceChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<DeviceChoice, String> {
        match text {
            "sim" => Ok(DeviceChoice::Sim),
            "cuda" => Ok(DeviceChoice::Cuda),
            "auto" => Ok(DeviceChoice::Auto),
            _ => Err(format!("`{text}` is no device; choose sim, cuda or auto")),
        }
    }
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DeviceChoice::Sim => "sim",
            DeviceChoice::Cuda => "cuda",
            DeviceChoice::Auto => "auto",
        })
    }
}

/// How a device works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum DeviceKind {
    /// Executes PTX on the host; a launch has ended when it returns.
    Simulator,
    /// A GPU behind the CUDA driver; launches run asynchronously.
    Cuda,
}

/// A description of a device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeviceInfo {
    /// How it works.
    pub kind: DeviceKind,
    /// For people.
    pub name: String,
    /// Compute capability: PTX for this chip and earlier ones loads.
    pub compute_capability: (u32, u32),
    /// Most thread blocks in x, y, z.
    pub max_grid: [u32; 3],
    /// Most threads per block in x, y, z.
    pub max_block: [u32; 3],
    /// Most threads per block altogether.
    pub max_threads_per_block: u32,
    /// Most shared memory per block, static and dynamic together, in bytes.
    pub max_shared_bytes: u32,
}

impl DeviceInfo {
    /// `sm_MAJORMINOR`.
    pub fn chip(&self) -> String {
        let (major, minor) = self.compute_capability;
        format!("sm_{major}{minor}")
    }
}

impl fmt::Display for DeviceInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.chip())
    }
}

/// Device memory, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MemoryInfo {
    /// Still free.
    pub free: u64,
    /// Altogether.
    pub total: u64,
}

/// An address in device memory; 0 is no memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DevicePtr(pub u64);

impl DevicePtr {
    /// No memory.
    pub const NULL: DevicePtr = DevicePtr(0);

    /// The address `bytes` further.
    pub fn offset(self, bytes: u64) -> DevicePtr {
        DevicePtr(self.0.wrapping_add(bytes))
    }
}

/// A loaded PTX module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ModuleHandle(pub u64);

/// An argument of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelArg {
    /// A device address.
    Pointer(DevicePtr),
    /// A value, passed in its own size.
    Scalar(Scalar),
    /// A tensor map of 128 bytes, which the device makes.
    TensorMap(MapArg),
}

impl KernelArg {
    /// The bytes passed, little endian; of a tensor map, those that the simulator has of it.
    pub(crate) fn bytes(self) -> Result<Vec<u8>, DeviceError> {
        Ok(match self {
            KernelArg::Pointer(ptr) => ptr.0.to_le_bytes().to_vec(),
            KernelArg::Scalar(scalar) => scalar.to_le_bytes(),
            KernelArg::TensorMap(map) => {
                let bytes = map.map()?.to_bytes();
                bytes
                    .map_err(|error| DeviceError::TensorMap(error.to_string()))?
                    .to_vec()
            }
        })
    }

    /// How many bytes are passed.
    pub(crate) fn size(self) -> usize {
        match self {
            KernelArg::Pointer(_) => size_of::<u64>(),
            KernelArg::Scalar(scalar) => scalar.elem().size(),
            KernelArg::TensorMap(_) => segra_ptx::TENSOR_MAP_BYTES,
        }
    }
}

/// The quantities the device measures in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Timing {
    /// Nothing.
    #[default]
    Off,
    /// Each launch by itself: the next one waits until it has run.
    Launches,
    /// The plan, from its first step to its last, with everything between them: launches beside each other, copies, gaps
    /// in which the device waits for the host. Not the copies of arguments and results.
    Plan,
}

/// A moment in a device's work, until it is used up by [`Device::between`].
#[derive(Debug, PartialEq, Eq)]
pub struct Mark(u64);

/// One launch. No extent is zero and all are within [`DeviceInfo`]'s limits.
#[derive(Clone, Copy, Debug)]
pub struct KernelLaunch<'a> {
    /// The module.
    pub module: ModuleHandle,
    /// The kernel, as a position in the list of names given to [`Device::load`].
    pub kernel: usize,
    /// Thread blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads per block in x, y, z.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// One per parameter.
    pub args: &'a [KernelArg],
    /// Whether to measure it; such a launch returns when the kernel has run.
    pub timed: bool,
    /// Ends the launch from another thread, where the device can: it then fails with [`DeviceError::Cancelled`].
    pub cancel: Option<&'a Cancel>,
}

/// The report of a launch.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LaunchOutcome {
    /// Time on the device; for the simulator, time it took to simulate. Only when measured or at hand anyway.
    pub time: Option<Duration>,
    /// The simulator's counters, by name; empty on hardware.
    pub counters: Vec<(&'static str, u64)>,
    /// The simulator's profile, when it was asked for one.
    pub profile: Option<Box<Profile>>,
}

/// Why a device could not do something.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// There is no CUDA driver on this machine.
    #[error("no CUDA driver is installed (libcuda was not found); `--device sim` runs without one")]
    NoDriver,
    /// There is a driver, but no GPU.
    #[error("the CUDA driver finds no GPU ({0}); `--device sim` runs without one")]
    NoGpu(String),
    /// A call of the driver failed.
    #[error("CUDA driver: {call} failed: {message}")]
    Driver {
        /// The function called.
        call: &'static str,
        /// The driver's name and description of the error.
        message: String,
    },
    /// The PTX could not be loaded.
    #[error("the PTX for {chip} cannot be loaded: {log}")]
    Load {
        /// The target.
        chip: String,
        /// The loader's message.
        log: String,
    },
    /// The PTX does not define a kernel.
    #[error("the PTX for {chip} defines no kernel `{kernel}`")]
    MissingKernel {
        /// The target.
        chip: String,
        /// The kernel.
        kernel: String,
    },
    /// Arguments that are not what the kernel's PTX declares.
    #[error("kernel `{kernel}` takes parameters of {declared:?} bytes, {given:?} given")]
    Signature {
        /// The kernel.
        kernel: String,
        /// Sizes in the PTX.
        declared: Vec<usize>,
        /// Sizes given.
        given: Vec<usize>,
    },
    /// Not enough device memory.
    #[error("out of device memory: {wanted} bytes wanted, {free} of {total} free")]
    OutOfMemory {
        /// Bytes asked for.
        wanted: u64,
        /// Bytes free.
        free: u64,
        /// Bytes altogether.
        total: u64,
    },
    /// An address that is no (longer) allocated memory, or too small a piece of it.
    #[error("invalid use of device memory: {0}")]
    Memory(String),
    /// An array that cannot be copied by boxes.
    #[error("an array cannot be copied by boxes: {0}")]
    TensorMap(String),
    /// The launch was ended from another thread ([`KernelLaunch::cancel`]).
    #[error("kernel `{kernel}` was cancelled")]
    Cancelled {
        /// The kernel.
        kernel: String,
    },
    /// A kernel did something forbidden; the report names it.
    #[error("{report}")]
    Fault {
        /// The kernel.
        kernel: String,
        /// The problem, its location, the thread.
        report: String,
    },
}

/// Executes kernels.
pub trait Device: Send + Sync {
    /// Its description.
    fn info(&self) -> &DeviceInfo;

    /// Its memory.
    fn memory(&self) -> Result<MemoryInfo, DeviceError>;

    /// Loads PTX that defines all of `kernels`; `sources` names the ops its source lines stand for.
    fn load(
        &self,
        target: &Target,
        kernels: &[&str],
        sources: &SourceMap,
    ) -> Result<ModuleHandle, DeviceError>;

    /// Forgets a module.
    fn unload(&self, module: ModuleHandle) -> Result<(), DeviceError>;

    /// Allocates `bytes` (more than 0), aligned to 256; contents are undefined. `name` appears in reports.
    fn alloc(&self, bytes: u64, name: &str) -> Result<DevicePtr, DeviceError>;

    /// Says that a whole allocation is used for something else from now on: its contents are undefined again.
    fn renew(&self, _ptr: DevicePtr, _bytes: u64, _name: &str) -> Result<(), DeviceError> {
        Ok(())
    }

    /// Releases what [`Device::alloc`] gave, after all launches made before.
    fn free(&self, ptr: DevicePtr) -> Result<(), DeviceError>;

    /// Copies from the host.
    fn upload(&self, dst: DevicePtr, data: &[u8]) -> Result<(), DeviceError>;

    /// Copies to the host, after all launches made before.
    fn download(&self, src: DevicePtr, out: &mut [u8]) -> Result<(), DeviceError>;

    /// Copies within the device; the two must not overlap.
    fn copy(&self, dst: DevicePtr, src: DevicePtr, bytes: u64) -> Result<(), DeviceError>;

    /// Repeats `pattern` (1, 2, 4 or 8 bytes) `count` times.
    fn fill(&self, dst: DevicePtr, pattern: &[u8], count: u64) -> Result<(), DeviceError>;

    /// Launches a kernel.
    fn launch(&self, launch: &KernelLaunch<'_>) -> Result<LaunchOutcome, DeviceError>;

    /// Waits for everything; reports what failed meanwhile.
    fn synchronize(&self) -> Result<(), DeviceError>;

    /// Marks the moment when all given so far has run; `None` where a device has no clock of its own.
    fn mark(&self) -> Result<Option<Mark>, DeviceError> {
        Ok(None)
    }

    /// Waits for both marks; the time between them.
    fn between(&self, _start: Mark, _end: Mark) -> Result<Duration, DeviceError> {
        Err(DeviceError::Memory(
            "a mark that no device has made".to_owned(),
        ))
    }

    /// The device as one with streams; `None` when it runs one step at a time.
    fn as_streams(&self) -> Option<&dyn StreamDevice> {
        None
    }
}

/// A device that runs the streams of a batch beside each other.
pub trait StreamDevice {
    /// Hands over a batch of the run of that number: it runs after all work given before, and before all given later,
    /// [`Device::download`] included. The error is of the step named, or of none when only later work shows it.
    fn submit(&self, run: u64, batch: &Batch<'_>) -> Result<(), (Option<usize>, DeviceError)>;

    /// Forgets the graphs of a run.
    fn end_run(&self, run: u64);
}

/// Opens a device. Those of a GPU share what this process has opened of it, with its memory pool and its streams.
pub fn open(choice: DeviceChoice) -> Result<Arc<dyn Device>, DeviceError> {
    match choice {
        DeviceChoice::Cuda => open_cuda(),
        DeviceChoice::Sim => open_sim(),
        DeviceChoice::Auto => match open_cuda() {
            Ok(device) => Ok(device),
            Err(reason) => {
                tracing::debug!(%reason, "no CUDA device, using the simulator");
                open_sim()
            }
        },
    }
}

fn open_cuda() -> Result<Arc<dyn Device>, DeviceError> {
    Ok(cuda::CudaDevice::shared()?)
}

fn open_sim() -> Result<Arc<dyn Device>, DeviceError> {
    Ok(Arc::new(SimDevice::new(&SimOptions::default())))
}
