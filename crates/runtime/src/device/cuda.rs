//! The CUDA device: the driver API through cudarc, opened when asked for.
//!
//! Invariants:
//! - no function of the driver is called before the library was found ([`CudaDevice::open`]): cudarc panics otherwise;
//! - every call makes the device's context current first, so a `CudaDevice` works from any thread;
//! - addresses are compared with a table of live allocations before the driver sees them, and arguments with the sizes
//!   the PTX declares, so that a wrong plan cannot make the driver read beyond host memory.
//!
//! Everything is ordered with one stream ([`streams`]), so freed memory can be given out again at once: it is kept in a
//! pool by size until the driver has no more to give. A process has one `CudaDevice`, however often it is opened, so that
//! all of it shares the pool. Absent: several GPUs.
#![allow(
    unsafe_code,
    reason = "the CUDA driver is a C library; each block says why its call is sound"
)]

mod streams;

use super::{
    Device, DeviceError, DeviceInfo, DeviceKind, DevicePtr, KernelLaunch, LaunchOutcome, Mark,
    MemoryInfo, ModuleHandle, Signature, StreamDevice,
};
use crate::schedule::Batch;
use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys;
use segra_artifact::{SourceMap, Target};
use std::collections::{BTreeMap, HashMap};
use std::ffi::{CString, c_void};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use streams::Streams;

/// A GPU.
pub(super) struct CudaDevice {
    info: DeviceInfo,
    device: sys::CUdevice,
    context: Context,
    state: Mutex<State>,
}

struct Context(sys::CUcontext);

// SAFETY: a context is an opaque handle that the driver allows every thread to make current.
unsafe impl Send for Context {}
// SAFETY: as above; the driver synchronises access itself.
unsafe impl Sync for Context {}

struct State {
    streams: Streams,
    modules: HashMap<u64, Loaded>,
    next_module: u64,
    /// Live allocations: address to the bytes they hold (asked for, rounded up).
    allocations: BTreeMap<u64, u64>,
    /// Free memory by the bytes it holds.
    pool: BTreeMap<u64, Vec<u64>>,
    /// Events behind which everything given until then has run, by the numbers of their marks.
    marks: HashMap<u64, Event>,
    next_mark: u64,
    /// The kernel to blame when an asynchronous error shows up.
    last_kernel: String,
}

struct Loaded {
    module: sys::CUmodule,
    functions: Vec<Function>,
}

struct Function {
    name: String,
    handle: sys::CUfunction,
    signature: Signature,
    /// Dynamic shared memory the kernel may use so far.
    dynamic_shared: u32,
}

impl Function {
    /// Asks for as much dynamic shared memory as the launch needs: beyond 48 KiB with the static part the driver must
    /// have been told, and telling it always is simpler than knowing the static part.
    fn allow_dynamic_shared(&mut self, bytes: u32) -> Result<(), DeviceError> {
        if bytes <= self.dynamic_shared {
            return Ok(());
        }
        let attribute =
            sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: the function belongs to a module that is loaded as long as it is in the table.
        unsafe { result::function::set_function_attribute(self.handle, attribute, bytes as i32) }
            .map_err(failed("cuFuncSetAttribute"))?;
        self.dynamic_shared = bytes;
        Ok(())
    }
}

// SAFETY: module and function handles are opaque and usable from every thread with the context current.
unsafe impl Send for Loaded {}

fn describe(error: DriverError) -> String {
    let text = |text: Result<&std::ffi::CStr, DriverError>| {
        text.map(|text| text.to_string_lossy().into_owned())
            .unwrap_or_else(|_| format!("{:?}", error.0))
    };
    format!(
        "{} ({})",
        text(error.error_string()),
        text(error.error_name())
    )
}

fn failed(call: &'static str) -> impl Fn(DriverError) -> DeviceError {
    move |error| DeviceError::Driver {
        call,
        message: describe(error),
    }
}

/// Only one thread at a time makes a primary context or gives it back: the driver does not survive both at once.
fn alone() -> MutexGuard<'static, ()> {
    static CONTEXTS: Mutex<()> = Mutex::new(());
    CONTEXTS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl CudaDevice {
    /// The first GPU, as it is open in this process already, else opened.
    pub(super) fn shared() -> Result<Arc<CudaDevice>, DeviceError> {
        static OPEN: Mutex<Weak<CudaDevice>> = Mutex::new(Weak::new());
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(device) = open.upgrade() {
            return Ok(device);
        }
        let device = Arc::new(CudaDevice::open(0)?);
        *open = Arc::downgrade(&device);
        Ok(device)
    }

    /// Opens the GPU of that number.
    fn open(ordinal: i32) -> Result<CudaDevice, DeviceError> {
        // SAFETY: only loads the library (running its initialisers) and asks nothing of it.
        if !unsafe { sys::is_culib_present() } {
            return Err(DeviceError::NoDriver);
        }
        result::init().map_err(|error| DeviceError::NoGpu(describe(error)))?;
        let count = result::device::get_count().map_err(failed("cuDeviceGetCount"))?;
        if ordinal >= count {
            return Err(DeviceError::NoGpu(format!("{count} devices")));
        }
        let device = result::device::get(ordinal).map_err(failed("cuDeviceGet"))?;
        let info = device_info(device)?;
        let _alone = alone();
        // SAFETY: `device` was just given by the driver; released in `drop`.
        let context = unsafe { result::primary_ctx::retain(device) }
            .map_err(failed("cuDevicePrimaryCtxRetain"))?;
        // SAFETY: as retained above. Should anything fail from here on, the context stays retained until the process ends.
        unsafe { result::ctx::set_current(context) }.map_err(failed("cuCtxSetCurrent"))?;
        let state = State {
            streams: Streams::new()?,
            modules: HashMap::new(),
            next_module: 0,
            allocations: BTreeMap::new(),
            pool: BTreeMap::new(),
            marks: HashMap::new(),
            next_mark: 0,
            last_kernel: String::new(),
        };
        Ok(CudaDevice {
            info,
            device,
            context: Context(context),
            state: Mutex::new(state),
        })
    }

    /// The tables, which stay right even if a thread panicked while it held the lock.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the context current and locks the state.
    fn enter(&self) -> Result<MutexGuard<'_, State>, DeviceError> {
        // SAFETY: the context is retained as long as `self` lives.
        unsafe { result::ctx::set_current(self.context.0) }.map_err(failed("cuCtxSetCurrent"))?;
        Ok(self.lock())
    }

    /// Waits for everything given so far, while other threads go on: they may be recording a graph, so it is the main stream
    /// that is waited for and not the context.
    fn wait(&self, state: MutexGuard<'_, State>) -> Result<(), DeviceError> {
        let main = state.streams.main();
        drop(state);
        // SAFETY: the stream lives as long as `self`.
        let waited = unsafe { result::stream::synchronize(main) };
        waited.map_err(|error| blame(&self.lock(), "cuStreamSynchronize", error))
    }
}

/// The error of a call that may report what an earlier kernel did.
fn blame(state: &State, call: &'static str, error: DriverError) -> DeviceError {
    use sys::CUresult::*;
    let by_kernel = matches!(
        error.0,
        CUDA_ERROR_ILLEGAL_ADDRESS
            | CUDA_ERROR_MISALIGNED_ADDRESS
            | CUDA_ERROR_ILLEGAL_INSTRUCTION
            | CUDA_ERROR_INVALID_ADDRESS_SPACE
            | CUDA_ERROR_INVALID_PC
            | CUDA_ERROR_LAUNCH_FAILED
            | CUDA_ERROR_LAUNCH_TIMEOUT
            | CUDA_ERROR_ASSERT
            | CUDA_ERROR_HARDWARE_STACK_ERROR
    );
    if by_kernel && !state.last_kernel.is_empty() {
        let kernel = state.last_kernel.clone();
        let report = format!(
            "kernel `{kernel}`, or one launched before it: {}",
            describe(error)
        );
        return DeviceError::Fault { kernel, report };
    }
    failed(call)(error)
}

fn device_info(device: sys::CUdevice) -> Result<DeviceInfo, DeviceError> {
    use sys::CUdevice_attribute_enum::*;
    let attribute = |attribute| {
        // SAFETY: `device` was given by the driver.
        let value = unsafe { result::device::get_attribute(device, attribute) };
        value
            .map(|value| value.max(0) as u32)
            .map_err(failed("cuDeviceGetAttribute"))
    };
    Ok(DeviceInfo {
        kind: DeviceKind::Cuda,
        name: result::device::get_name(device).map_err(failed("cuDeviceGetName"))?,
        compute_capability: (
            attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        ),
        max_grid: [
            attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X)?,
            attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y)?,
            attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)?,
        ],
        max_block: [
            attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X)?,
            attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y)?,
            attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)?,
        ],
        max_threads_per_block: attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
        max_shared_bytes: attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
    })
}

impl State {
    /// Refuses a range that is not inside one live allocation.
    fn expect_live(&self, ptr: DevicePtr, bytes: u64) -> Result<(), DeviceError> {
        let found = self.allocations.range(..=ptr.0).next_back();
        let inside = found.is_some_and(|(start, size)| {
            ptr.0
                .checked_add(bytes)
                .is_some_and(|end| end <= start.saturating_add(*size))
        });
        if inside {
            return Ok(());
        }
        Err(DeviceError::Memory(format!(
            "{bytes} bytes at {:#x} are not within one allocation",
            ptr.0
        )))
    }
}

/// The size of an allocation of `bytes`: rounded so that similar sizes share the pool, by less than a quarter beyond 2 KiB.
fn rounded(bytes: u64) -> u64 {
    let step = (bytes.next_power_of_two() / 8).max(512);
    bytes.div_ceil(step).saturating_mul(step)
}

impl State {
    /// Gives the pool's memory back to the driver.
    fn empty_pool(&mut self) -> Result<(), DeviceError> {
        for ptr in std::mem::take(&mut self.pool).into_values().flatten() {
            // SAFETY: the pool holds what the driver gave and nobody uses; the driver waits for kernels that did.
            unsafe { result::free_sync(ptr) }.map_err(|error| blame(self, "cuMemFree", error))?;
        }
        Ok(())
    }

    fn pooled_bytes(&self) -> u64 {
        self.pool
            .iter()
            .map(|(bytes, list)| bytes * list.len() as u64)
            .sum()
    }
}

/// Memory from the driver; when it has none, once more after the pool was given back.
fn allocate(state: &mut State, bytes: u64) -> Result<u64, DeviceError> {
    // SAFETY (both): the address is only used through the tables of `State`.
    let mut allocated = unsafe { result::malloc_sync(bytes as usize) };
    let exhausted = |error: &DriverError| error.0 == sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY;
    if allocated.as_ref().is_err_and(exhausted) {
        state.empty_pool()?;
        allocated = unsafe { result::malloc_sync(bytes as usize) };
    }
    allocated.map_err(|error| {
        if !exhausted(&error) {
            return blame(state, "cuMemAlloc", error);
        }
        let (free, total) = result::mem_get_info().unwrap_or((0, 0));
        DeviceError::OutOfMemory {
            wanted: bytes,
            free: free as u64,
            total: total as u64,
        }
    })
}

/// Compiles PTX for the current device.
fn load_ptx(target: &Target) -> Result<sys::CUmodule, DeviceError> {
    let refused = |log: String| DeviceError::Load {
        chip: target.chip.to_string(),
        log,
    };
    let text = CString::new(target.ptx.as_str())
        .map_err(|_| refused("the text contains a zero byte".to_owned()))?;
    let mut log = vec![0u8; 16 * 1024];
    let mut options = [
        sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
        sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
    ];
    // By the driver's convention a number is passed in place of a pointer.
    let mut values = [log.as_mut_ptr().cast::<c_void>(), log.len() as *mut c_void];
    let mut module = std::ptr::null_mut();
    // SAFETY: the text ends in a zero byte, both option arrays have two entries, and the log buffer has the size stated;
    // all of them outlive the call.
    let code = unsafe {
        sys::cuModuleLoadDataEx(
            &mut module,
            text.as_ptr().cast(),
            options.len() as u32,
            options.as_mut_ptr(),
            values.as_mut_ptr(),
        )
    };
    code.result().map_err(|error| {
        let end = log.iter().position(|byte| *byte == 0).unwrap_or(log.len());
        let said = String::from_utf8_lossy(&log[..end]);
        refused(
            format!("{}\n{}", describe(error), said.trim_end())
                .trim_end()
                .to_owned(),
        )
    })?;
    Ok(module)
}

fn find_function(
    module: sys::CUmodule,
    target: &Target,
    name: &str,
) -> Result<Function, DeviceError> {
    let missing = || DeviceError::MissingKernel {
        chip: target.chip.to_string(),
        kernel: name.to_owned(),
    };
    let signature = Signature::of(&target.ptx, name).ok_or_else(missing)?;
    let symbol = CString::new(name).map_err(|_| missing())?;
    // SAFETY: the module was just loaded and is not unloaded yet.
    let handle = unsafe { result::module::get_function(module, symbol) }.map_err(|_| missing())?;
    Ok(Function {
        name: name.to_owned(),
        handle,
        signature,
        dynamic_shared: 0,
    })
}

impl Device for CudaDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn memory(&self) -> Result<MemoryInfo, DeviceError> {
        let state = self.enter()?;
        let (free, total) = result::mem_get_info().map_err(failed("cuMemGetInfo"))?;
        Ok(MemoryInfo {
            free: free as u64 + state.pooled_bytes(),
            total: total as u64,
        })
    }

    fn load(
        &self,
        target: &Target,
        kernels: &[&str],
        _sources: &SourceMap,
    ) -> Result<ModuleHandle, DeviceError> {
        // Under the lock, so that no thread records a graph meanwhile.
        let mut state = self.enter()?;
        let module = load_ptx(target)?;
        let functions = kernels
            .iter()
            .map(|name| find_function(module, target, name))
            .collect::<Result<Vec<_>, _>>();
        let functions = match functions {
            Ok(functions) => functions,
            Err(error) => {
                // SAFETY: loaded above, and nothing refers to it.
                let _ = unsafe { result::module::unload(module) };
                return Err(error);
            }
        };
        let handle = state.next_module;
        state.next_module += 1;
        state.modules.insert(handle, Loaded { module, functions });
        Ok(ModuleHandle(handle))
    }

    fn unload(&self, module: ModuleHandle) -> Result<(), DeviceError> {
        let mut state = self.enter()?;
        let Some(loaded) = state.modules.remove(&module.0) else {
            return Ok(());
        };
        // SAFETY: it was in the table, so it is loaded; no function of it can be found any more.
        unsafe { result::module::unload(loaded.module) }
            .map_err(|error| blame(&state, "cuModuleUnload", error))
    }

    fn alloc(&self, bytes: u64, _name: &str) -> Result<DevicePtr, DeviceError> {
        let mut state = self.enter()?;
        let size = rounded(bytes);
        let pooled = state.pool.get_mut(&size).and_then(Vec::pop);
        let ptr = match pooled {
            Some(ptr) => ptr,
            None => allocate(&mut state, size)?,
        };
        state.allocations.insert(ptr, size);
        Ok(DevicePtr(ptr))
    }

    fn free(&self, ptr: DevicePtr) -> Result<(), DeviceError> {
        let mut state = self.enter()?;
        let Some(size) = state.allocations.remove(&ptr.0) else {
            return Err(DeviceError::Memory(format!(
                "{:#x} is not an allocation",
                ptr.0
            )));
        };
        state.pool.entry(size).or_default().push(ptr.0);
        Ok(())
    }

    fn upload(&self, dst: DevicePtr, data: &[u8]) -> Result<(), DeviceError> {
        let state = self.enter()?;
        state.expect_live(dst, data.len() as u64)?;
        // SAFETY: the destination lies within a live allocation, and the data is borrowed until the stream has ended.
        unsafe { result::memcpy_htod_async(dst.0, data, state.streams.main()) }
            .map_err(|error| blame(&state, "cuMemcpyHtoDAsync", error))?;
        self.wait(state)
    }

    fn download(&self, src: DevicePtr, out: &mut [u8]) -> Result<(), DeviceError> {
        let state = self.enter()?;
        state.expect_live(src, out.len() as u64)?;
        // SAFETY: the source lies within a live allocation, and `out` is borrowed until the stream has ended.
        unsafe { result::memcpy_dtoh_async(out, src.0, state.streams.main()) }
            .map_err(|error| blame(&state, "cuMemcpyDtoHAsync", error))?;
        self.wait(state)
    }

    fn copy(&self, dst: DevicePtr, src: DevicePtr, bytes: u64) -> Result<(), DeviceError> {
        let state = self.enter()?;
        state.expect_live(dst, bytes)?;
        state.expect_live(src, bytes)?;
        state.issue_copy(dst, src, bytes, state.streams.main())
    }

    fn fill(&self, dst: DevicePtr, pattern: &[u8], count: u64) -> Result<(), DeviceError> {
        let state = self.enter()?;
        state.expect_live(dst, (pattern.len() as u64).saturating_mul(count))?;
        state.issue_fill(dst, pattern, count, state.streams.main())
    }

    fn launch(&self, launch: &KernelLaunch<'_>) -> Result<LaunchOutcome, DeviceError> {
        let mut state = self.enter()?;
        let main = state.streams.main();
        if !launch.timed {
            state.issue_launch(launch, main)?;
            return Ok(LaunchOutcome::default());
        }
        let start = Event::record(main)?;
        state.issue_launch(launch, main)?;
        let time = start
            .until(&Event::record(main)?)
            .map_err(|error| blame(&state, EVENT_WAIT, error))?;
        Ok(LaunchOutcome {
            time: Some(time),
            ..LaunchOutcome::default()
        })
    }

    fn synchronize(&self) -> Result<(), DeviceError> {
        let state = self.enter()?;
        self.wait(state)
    }

    fn mark(&self) -> Result<Option<Mark>, DeviceError> {
        let mut state = self.enter()?;
        let event = Event::record(state.streams.main())?;
        let number = state.next_mark;
        state.next_mark += 1;
        state.marks.insert(number, event);
        Ok(Some(Mark(number)))
    }

    fn between(&self, start: Mark, end: Mark) -> Result<Duration, DeviceError> {
        let mut state = self.enter()?;
        let (Some(start), Some(end)) = (state.marks.remove(&start.0), state.marks.remove(&end.0))
        else {
            return Err(DeviceError::Memory(
                "a mark that this device has not made".to_owned(),
            ));
        };
        start
            .until(&end)
            .map_err(|error| blame(&state, EVENT_WAIT, error))
    }

    fn as_streams(&self) -> Option<&dyn StreamDevice> {
        Some(self)
    }
}

impl StreamDevice for CudaDevice {
    fn submit(&self, run: u64, batch: &Batch<'_>) -> Result<(), (Option<usize>, DeviceError)> {
        let mut state = self.enter().map_err(|error| (None, error))?;
        streams::submit(&mut state, run, batch)
    }

    fn end_run(&self, run: u64) {
        if let Ok(mut state) = self.enter() {
            state.streams.end_run(run);
        }
    }
}

impl Drop for CudaDevice {
    fn drop(&mut self) {
        // The remaining memory goes back explicitly: others may hold the primary context.
        if let Ok(mut state) = self.enter() {
            let live: Vec<u64> = std::mem::take(&mut state.allocations).into_keys().collect();
            state.pool.entry(0).or_default().extend(live);
            let _ = state.empty_pool();
            state.marks.clear();
            state.streams.destroy();
        }
        let _alone = alone();
        // SAFETY: retained once in `open`; nothing can use it after this. Errors have nowhere to go.
        let _ = unsafe { result::primary_ctx::release(self.device) };
    }
}

/// The name of waiting for an event in messages.
const EVENT_WAIT: &str = "cuEventElapsedTime";

/// An event that measures time.
struct Event(sys::CUevent);

// SAFETY: an event is an opaque handle that the driver lets every thread use with the context current.
unsafe impl Send for Event {}

impl Event {
    /// Behind everything in the stream so far.
    fn record(stream: sys::CUstream) -> Result<Event, DeviceError> {
        let event = result::event::create(sys::CUevent_flags_enum::CU_EVENT_DEFAULT);
        let event = Event(event.map_err(failed("cuEventCreate"))?);
        // SAFETY: the event was just created in the current context, like the stream.
        unsafe { result::event::record(event.0, stream) }.map_err(failed("cuEventRecord"))?;
        Ok(event)
    }

    /// Waits for both; the time from this one to `end`.
    fn until(&self, end: &Event) -> Result<Duration, DriverError> {
        // SAFETY: both events live while they are borrowed and were recorded in the current context.
        let milliseconds = unsafe {
            result::event::synchronize(end.0).and_then(|()| result::event::elapsed(self.0, end.0))
        }?;
        Ok(Duration::from_secs_f64(
            f64::from(milliseconds.max(0.0)) / 1e3,
        ))
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: created in `record`, destroyed only here.
        let _ = unsafe { result::event::destroy(self.0) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_rounded_up_by_less_than_a_quarter() {
        assert_eq!(
            [1, 512, 513, 4096, 4097].map(rounded),
            [512, 512, 1024, 4096, 5120]
        );
        for bytes in (1..10_000_000u64).step_by(977) {
            let size = rounded(bytes);
            assert!(
                size >= bytes && (size - bytes) * 4 <= bytes.max(2048),
                "{bytes} {size}"
            );
            assert_eq!(rounded(size), size);
        }
    }

    #[test]
    fn a_machine_without_a_driver_gets_a_clear_error() {
        // SAFETY: only loads the library.
        if unsafe { sys::is_culib_present() } {
            return;
        }
        let error = CudaDevice::open(0)
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default();
        assert!(error.contains("no CUDA driver is installed"), "{error}");
    }
}
