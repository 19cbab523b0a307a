//! Streams, events and graphs of the CUDA device: how a batch reaches the GPU.
//!
//! Everything runs in streams of the device's own. The first, [`Streams::main`], orders all: the others of a batch start
//! behind it and it waits for them in the end, so whatever is given to it later comes after the whole batch. Events are
//! recorded behind steps that another stream waits for. A batch whose shape came before is recorded in the same way by
//! stream capture, once for each of [`VARIANTS`] sets of arguments (buffers that swap roles in a loop give two); any other
//! arguments update the graph that was made first.
//!
//! Invariants: no call between the start and the end of a capture touches the main stream otherwise (the device's lock is
//! held); a graph is destroyed only by [`Streams`]. Absent: priorities, graphs that outlive a run.

use super::{DeviceError, Function, State, blame, failed, sys};
use crate::device::{DevicePtr, KernelArg, KernelLaunch};
use crate::schedule::{Batch, MAX_STREAMS, Task};
use cudarc::driver::result::{self, DriverError};
use segra_ptx::{Swizzle, TensorMap};
use std::collections::HashMap;
use std::ffi::c_void;

/// Graphs kept of one shape.
const VARIANTS: usize = 2;

pub(super) struct Streams {
    /// The first is the main one.
    streams: Vec<sys::CUstream>,
    /// Where batches are recorded: nothing ever runs here, so that waiting for the others is no matter of what is recorded.
    recorder: sys::CUstream,
    /// Events that nobody waits for any more.
    spare: Vec<sys::CUevent>,
    /// By run and shape.
    graphs: HashMap<(u64, usize), Vec<Graph>>,
}

/// A graph ready for launch, and what it does.
struct Graph {
    tasks: Vec<Task>,
    exec: sys::CUgraphExec,
}

// SAFETY: all are opaque handles that the driver lets every thread use with the context current.
unsafe impl Send for Streams {}

fn new_stream() -> Result<sys::CUstream, DeviceError> {
    result::stream::create(result::stream::StreamKind::NonBlocking)
        .map_err(failed("cuStreamCreate"))
}

impl Streams {
    /// With the main stream; the context must be current, here and wherever streams are used.
    pub(super) fn new() -> Result<Streams, DeviceError> {
        let streams = vec![new_stream()?];
        Ok(Streams {
            streams,
            recorder: new_stream()?,
            spare: Vec::new(),
            graphs: HashMap::new(),
        })
    }

    /// The stream that everything is ordered with.
    pub(super) fn main(&self) -> sys::CUstream {
        self.streams
            .first()
            .copied()
            .unwrap_or(result::stream::null())
    }

    /// Makes sure that there are so many streams.
    fn reserve(&mut self, count: usize) -> Result<(), DeviceError> {
        while self.streams.len() < count.min(MAX_STREAMS) {
            self.streams.push(new_stream()?);
        }
        Ok(())
    }

    /// An event behind everything in `stream` so far.
    fn mark(&mut self, stream: sys::CUstream) -> Result<sys::CUevent, DeviceError> {
        let flags = sys::CUevent_flags_enum::CU_EVENT_DISABLE_TIMING;
        let event = match self.spare.pop() {
            Some(event) => event,
            None => result::event::create(flags).map_err(failed("cuEventCreate"))?,
        };
        // SAFETY: both were made by the driver and live until `self` is dropped. Waits for an earlier record of the same event
        // have been issued, and keep that record.
        unsafe { result::event::record(event, stream) }.map_err(failed("cuEventRecord"))?;
        Ok(event)
    }

    /// Forgets the graphs of a run.
    pub(super) fn end_run(&mut self, run: u64) {
        let ended: Vec<(u64, usize)> = self
            .graphs
            .keys()
            .copied()
            .filter(|key| key.0 == run)
            .collect();
        for graph in ended
            .iter()
            .filter_map(|key| self.graphs.remove(key))
            .flatten()
        {
            graph.destroy();
        }
    }

    /// Gives everything back; the context is current.
    pub(super) fn destroy(&mut self) {
        self.graphs
            .drain()
            .flat_map(|(_, graphs)| graphs)
            .for_each(Graph::destroy);
        for event in self.spare.drain(..) {
            // SAFETY: made by `mark`, in no other list.
            let _ = unsafe { result::event::destroy(event) };
        }
        for stream in self.streams.drain(..).chain([self.recorder]) {
            // SAFETY: made by `new_stream`; the driver finishes what is in it first.
            let _ = unsafe { result::stream::destroy(stream) };
        }
    }
}

impl Graph {
    fn destroy(self) {
        // SAFETY: instantiated by `instantiate`, owned by `self`; the driver lets a running graph end first.
        let _ = unsafe { sys::cuGraphExecDestroy(self.exec) };
    }
}

fn wait(stream: sys::CUstream, event: sys::CUevent) -> Result<(), DeviceError> {
    let flags = sys::CUevent_wait_flags_enum::CU_EVENT_WAIT_DEFAULT;
    // SAFETY: both were made by the driver and are not destroyed yet.
    unsafe { result::stream::wait_event(stream, event, flags) }.map_err(failed("cuStreamWaitEvent"))
}

type Submitted<T = ()> = Result<T, (Option<usize>, DeviceError)>;

fn of_none(error: DeviceError) -> (Option<usize>, DeviceError) {
    (None, error)
}

/// Hands over a batch; see [`crate::device::StreamDevice::submit`].
pub(super) fn submit(state: &mut State, run: u64, batch: &Batch<'_>) -> Submitted {
    for (index, step) in batch.steps.iter().enumerate() {
        state
            .prepare(&step.task)
            .map_err(|error| (Some(index), error))?;
    }
    state.streams.reserve(batch.streams).map_err(of_none)?;
    match batch.graph {
        Some(shape) => launch_graph(state, (run, shape), batch),
        None => issue(state, batch, state.streams.main()),
    }
}

/// Puts every step into its stream; those of the first into `main`, which the others wait for and which waits for them.
fn issue(state: &mut State, batch: &Batch<'_>, main: sys::CUstream) -> Submitted {
    let mut events = Vec::new();
    let others = state.streams.streams.iter().copied().skip(1);
    let used: Vec<sys::CUstream> = std::iter::once(main)
        .chain(others)
        .take(batch.streams)
        .collect();
    if used.len() > 1 {
        let start = state.streams.mark(main).map_err(of_none)?;
        events.push(start);
        used.iter()
            .skip(1)
            .try_for_each(|&stream| wait(stream, start))
            .map_err(of_none)?;
    }
    let mut awaited = vec![false; batch.steps.len()];
    batch
        .steps
        .iter()
        .flat_map(|step| &step.waits)
        .for_each(|&step| awaited[step] = true);
    let mut ended: Vec<Option<sys::CUevent>> = vec![None; batch.steps.len()];
    for (index, step) in batch.steps.iter().enumerate() {
        let at_step = |error| (Some(index), error);
        let stream = used.get(step.stream).copied().unwrap_or(main);
        for event in step.waits.iter().filter_map(|&before| ended[before]) {
            wait(stream, event).map_err(at_step)?;
        }
        state.issue(&step.task, stream).map_err(at_step)?;
        if awaited[index] {
            let event = state.streams.mark(stream).map_err(at_step)?;
            ended[index] = Some(event);
            events.push(event);
        }
    }
    for &stream in used.iter().skip(1) {
        let end = state.streams.mark(stream).map_err(of_none)?;
        events.push(end);
        wait(main, end).map_err(of_none)?;
    }
    state.streams.spare.extend(events);
    Ok(())
}

/// Launches the graph of a shape with the arguments of this batch: one that has them, else one made or changed for them.
fn launch_graph(state: &mut State, key: (u64, usize), batch: &Batch<'_>) -> Submitted {
    let same = |graph: &Graph| {
        graph
            .tasks
            .iter()
            .eq(batch.steps.iter().map(|step| &step.task))
    };
    let known = state
        .streams
        .graphs
        .get(&key)
        .and_then(|graphs| graphs.iter().find(|graph| same(graph)));
    let exec = match known {
        Some(graph) => graph.exec,
        None => {
            let recorded = capture(state, batch)?;
            let exec = keep(state, key, batch, recorded);
            // SAFETY: ended by `capture`, not used after this; what was instantiated of it does not need it.
            let _ = unsafe { sys::cuGraphDestroy(recorded) };
            exec.map_err(of_none)?
        }
    };
    // SAFETY: the graph is in the table, the stream lives as long as `state`.
    unsafe { sys::cuGraphLaunch(exec, state.streams.main()) }
        .result()
        .map_err(|error| (None, blame(state, "cuGraphLaunch", error)))
}

/// Records a batch without running it.
fn capture(state: &mut State, batch: &Batch<'_>) -> Submitted<sys::CUgraph> {
    let recorder = state.streams.recorder;
    let mode = sys::CUstreamCaptureMode_enum::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
    // SAFETY: the stream lives as long as `state`.
    unsafe { sys::cuStreamBeginCapture_v2(recorder, mode) }
        .result()
        .map_err(|error| (None, failed("cuStreamBeginCapture")(error)))?;
    let issued = issue(state, batch, recorder);
    let mut graph = std::ptr::null_mut();
    // SAFETY: the capture was begun above, in this thread; the pointer is to a local.
    let ended = unsafe { sys::cuStreamEndCapture(recorder, &mut graph) }.result();
    if issued.is_err() && ended.is_ok() {
        // SAFETY: it was just made, and nothing refers to it.
        let _ = unsafe { sys::cuGraphDestroy(graph) };
    }
    issued?;
    ended.map_err(|error| (None, failed("cuStreamEndCapture")(error)))?;
    Ok(graph)
}

/// Makes what was recorded launchable: as one more graph of its shape, or by changing the one that was made first.
fn keep(
    state: &mut State,
    key: (u64, usize),
    batch: &Batch<'_>,
    recorded: sys::CUgraph,
) -> Result<sys::CUgraphExec, DeviceError> {
    let tasks = batch.steps.iter().map(|step| step.task.clone()).collect();
    let graphs = state.streams.graphs.entry(key).or_default();
    let mut exec = None;
    if graphs.len() == VARIANTS {
        let oldest = graphs.remove(0);
        if update(oldest.exec, recorded).is_ok() {
            exec = Some(oldest.exec);
        } else {
            oldest.destroy();
        }
    }
    let exec = match exec {
        Some(exec) => exec,
        None => instantiate(recorded).map_err(failed("cuGraphInstantiate"))?,
    };
    graphs.push(Graph { tasks, exec });
    Ok(exec)
}

fn instantiate(recorded: sys::CUgraph) -> Result<sys::CUgraphExec, DriverError> {
    let mut exec = std::ptr::null_mut();
    // SAFETY: the graph was just recorded; the pointer is to a local.
    unsafe { sys::cuGraphInstantiateWithFlags(&mut exec, recorded, 0) }.result()?;
    Ok(exec)
}

fn update(exec: sys::CUgraphExec, recorded: sys::CUgraph) -> Result<(), DriverError> {
    let mut info = std::mem::MaybeUninit::<sys::CUgraphExecUpdateResultInfo>::zeroed();
    // SAFETY: both graphs are live; the driver writes the info, which nobody reads. Launches before keep their arguments.
    unsafe { sys::cuGraphExecUpdate_v2(exec, recorded, info.as_mut_ptr()) }.result()
}

impl State {
    /// Everything about a task that can be refused, and what may not happen during a capture.
    fn prepare(&mut self, task: &Task) -> Result<(), DeviceError> {
        match task {
            Task::Copy { dst, src, bytes } => {
                self.expect_live(*dst, *bytes)?;
                self.expect_live(*src, *bytes)
            }
            Task::Fill {
                dst,
                pattern,
                count,
            } => self.expect_live(*dst, (pattern.len() as u64).saturating_mul(*count)),
            Task::Renew { .. } => Ok(()),
            Task::Launch(launch) => self.function(&launch.request(false)).map(|_| ()),
        }
    }

    /// Puts a task that [`State::prepare`] accepted into a stream.
    fn issue(&mut self, task: &Task, stream: sys::CUstream) -> Result<(), DeviceError> {
        match task {
            Task::Renew { .. } => Ok(()),
            Task::Launch(launch) => self.issue_launch(&launch.request(false), stream),
            Task::Copy { dst, src, bytes } => self.issue_copy(*dst, *src, *bytes, stream),
            Task::Fill {
                dst,
                pattern,
                count,
            } => self.issue_fill(*dst, pattern, *count, stream),
        }
    }

    /// The function of a launch, whose arguments have the sizes the PTX declares.
    fn function(&mut self, launch: &KernelLaunch<'_>) -> Result<&Function, DeviceError> {
        let function = self
            .modules
            .get_mut(&launch.module.0)
            .and_then(|loaded| loaded.functions.get_mut(launch.kernel))
            .ok_or_else(|| {
                DeviceError::Memory("launch of a kernel that is not loaded".to_owned())
            })?;
        let given: Vec<usize> = launch.args.iter().map(|arg| arg.size()).collect();
        if given != function.signature.sizes {
            let (kernel, declared) = (function.name.clone(), function.signature.sizes.clone());
            return Err(DeviceError::Signature {
                kernel,
                declared,
                given,
            });
        }
        function.allow_dynamic_shared(launch.dynamic_shared)?;
        Ok(function)
    }

    pub(super) fn issue_launch(
        &mut self,
        launch: &KernelLaunch<'_>,
        stream: sys::CUstream,
    ) -> Result<(), DeviceError> {
        let function = self.function(launch)?;
        let (handle, name) = (function.handle, function.name.clone());
        let mut storage = Vec::with_capacity(launch.args.len());
        for arg in launch.args {
            storage.push(Passed::of(*arg)?);
        }
        self.last_kernel = name;
        let mut pointers: Vec<*mut c_void> = storage.iter_mut().map(Passed::pointer).collect();
        let ([gx, gy, gz], [bx, by, bz]) = (launch.grid, launch.block);
        // SAFETY: the function belongs to a loaded module; there are as many pointers as the PTX declares parameters and each
        // points to at least the declared bytes (compared by `function`); the driver copies them before it returns, into the
        // graph when it captures.
        unsafe {
            result::launch_kernel(
                handle,
                (gx, gy, gz),
                (bx, by, bz),
                launch.dynamic_shared,
                stream,
                &mut pointers,
            )
        }
        .map_err(|error| blame(self, "cuLaunchKernel", error))
    }

    pub(super) fn issue_copy(
        &self,
        dst: DevicePtr,
        src: DevicePtr,
        bytes: u64,
        stream: sys::CUstream,
    ) -> Result<(), DeviceError> {
        // SAFETY: both ranges lie within live allocations, as the caller checked.
        unsafe { result::memcpy_dtod_async(dst.0, src.0, bytes as usize, stream) }
            .map_err(|error| blame(self, "cuMemcpyDtoDAsync", error))
    }

    pub(super) fn issue_fill(
        &self,
        dst: DevicePtr,
        pattern: &[u8],
        count: u64,
        stream: sys::CUstream,
    ) -> Result<(), DeviceError> {
        let elements = count as usize;
        // SAFETY (all): the range lies within a live allocation, as the caller checked, and starts at a multiple of the element's
        // size, as allocations do.
        let set32 = |at: u64, value: [u8; 4], count: usize| {
            unsafe { sys::cuMemsetD32Async(at, u32::from_le_bytes(value), count, stream) }.result()
        };
        let filled = match *pattern {
            [byte] => unsafe { result::memset_d8_async(dst.0, byte, elements, stream) },
            [a, b] => {
                let value = u16::from_le_bytes([a, b]);
                unsafe { sys::cuMemsetD16Async(dst.0, value, elements, stream) }.result()
            }
            [a, b, c, d] => set32(dst.0, [a, b, c, d], elements),
            [a, b, c, d, e, f, g, h] if [a, b, c, d] == [e, f, g, h] => {
                set32(dst.0, [a, b, c, d], elements * 2)
            }
            [a, b, c, d, e, f, g, h] => {
                set32(dst.0, [a, b, c, d], 1).and_then(|()| set32(dst.0 + 4, [e, f, g, h], 1))
            }
            _ => {
                return Err(DeviceError::Memory(format!(
                    "a fill with {} bytes",
                    pattern.len()
                )));
            }
        };
        filled.map_err(|error| blame(self, "cuMemsetAsync", error))?;
        let whole = matches!(*pattern, [a, b, c, d, e, f, g, h] if [a, b, c, d] != [e, f, g, h]);
        if whole {
            // No memset sets 64 bits: what is there is doubled.
            let (mut done, bytes) = (8, count * 8);
            while done < bytes {
                let step = done.min(bytes - done);
                self.issue_copy(dst.offset(done), dst, step, stream)?;
                done += step;
            }
        }
        Ok(())
    }
}

/// An argument where the driver reads it: a pointer to it is aligned for its type.
enum Passed {
    Plain([u64; 1]),
    Map(Box<sys::CUtensorMap>),
}

impl Passed {
    fn of(arg: KernelArg) -> Result<Passed, DeviceError> {
        if let KernelArg::TensorMap(map) = arg {
            return Ok(Passed::Map(Box::new(encoded(&map.map()?)?)));
        }
        let bytes = arg.bytes()?;
        let mut word = [0u8; 8];
        word[..bytes.len()].copy_from_slice(&bytes);
        Ok(Passed::Plain([u64::from_ne_bytes(word)]))
    }

    fn pointer(&mut self) -> *mut c_void {
        match self {
            Passed::Plain(word) => word.as_mut_ptr().cast(),
            Passed::Map(map) => (&raw mut **map).cast(),
        }
    }
}

/// The driver's form of a tensor map, of which the rules are checked.
fn encoded(map: &TensorMap) -> Result<sys::CUtensorMap, DeviceError> {
    use sys::CUtensorMapDataType_enum as Type;
    let element = match map.element_bytes {
        1 => Type::CU_TENSOR_MAP_DATA_TYPE_UINT8,
        2 => Type::CU_TENSOR_MAP_DATA_TYPE_UINT16,
        4 => Type::CU_TENSOR_MAP_DATA_TYPE_UINT32,
        _ => Type::CU_TENSOR_MAP_DATA_TYPE_UINT64,
    };
    let swizzle = match map.swizzle {
        Swizzle::None => sys::CUtensorMapSwizzle_enum::CU_TENSOR_MAP_SWIZZLE_NONE,
        Swizzle::Bytes32 => sys::CUtensorMapSwizzle_enum::CU_TENSOR_MAP_SWIZZLE_32B,
        Swizzle::Bytes64 => sys::CUtensorMapSwizzle_enum::CU_TENSOR_MAP_SWIZZLE_64B,
        Swizzle::Bytes128 => sys::CUtensorMapSwizzle_enum::CU_TENSOR_MAP_SWIZZLE_128B,
    };
    let mut made = sys::CUtensorMap { opaque: [0; 16] };
    // SAFETY: lists have as many numbers as there are extents, strides one less; `made` is aligned by its type, and the driver
    // only computes with the address.
    let done = unsafe {
        sys::cuTensorMapEncodeTiled(
            &raw mut made,
            element,
            map.extents.len() as u32,
            map.address as *mut c_void,
            map.extents.as_ptr(),
            map.strides.as_ptr(),
            map.box_extents.as_ptr(),
            map.element_strides.as_ptr(),
            sys::CUtensorMapInterleave_enum::CU_TENSOR_MAP_INTERLEAVE_NONE,
            swizzle,
            sys::CUtensorMapL2promotion_enum::CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
            sys::CUtensorMapFloatOOBfill_enum::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
        )
    };
    done.result()
        .map_err(|error| DeviceError::TensorMap(format!("cuTensorMapEncodeTiled: {error}")))?;
    Ok(made)
}
