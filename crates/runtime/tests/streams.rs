//! Host plans whose steps run in streams: results do not depend on the order that a device chooses, and orders that leave a
//! dependence out are found.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

mod support;

use segra_artifact::{
    Access, Artifact, BinaryOp, Dim, ElemType, Entry, EntryParam, EntryResult, KernelId, ParamType,
    PlanBuilder, ResultType, Scalar, SizeId, Slot, SlotType, SourceMap, Target,
};
use segra_runtime::{
    Array, Batch, Device, DeviceError, DeviceInfo, DeviceKind, DevicePtr, KernelLaunch,
    LaunchOutcome, MemoryInfo, ModuleHandle, Program, RunError, RunOptions, RunOutput, StepOrder,
    StreamDevice, Task, Value,
};
use std::sync::{Arc, Mutex};
use support::{CHECK, DOUBLE, HostDevice, SUM, kernels};

fn launch(b: &mut PlanBuilder, kernel: KernelId, n: Slot, from: Slot, to: Slot) {
    let (one, width) = (b.index(1), b.index(128));
    let blocks = b.binary(BinaryOp::CeilDiv, n, width);
    b.launch(
        kernel,
        [blocks, one, one],
        [width, one, one],
        None,
        &[from, to, n],
    );
}

/// `main(x: f32[n], times: i64) -> f32[1]`: two buffers, each doubled `times` times through memory that is allocated and
/// freed in every iteration, a constant in the last element of the second; the sum of both.
fn two_chains(output: Access) -> Artifact {
    let mut artifact = kernels(output);
    let mut b = PlanBuilder::new("main");
    let n = b.index_param();
    let x = b.param(SlotType::Buffer(ElemType::F32));
    let times = b.index_param();
    let (zero, one, two) = (b.index(0), b.index(1), b.index(2));
    let (first, second) = (b.alloc(ElemType::F32, n), b.alloc(ElemType::F32, n));
    b.copy(first, x, n);
    let half = b.constant(Scalar::f32(0.5));
    b.fill(second, half, n);
    let last = b.for_(zero, times, one, &[first, second], |b, _, carried| {
        let next: Vec<Slot> = carried.iter().map(|_| b.alloc(ElemType::F32, n)).collect();
        for (&from, &to) in carried.iter().zip(&next) {
            launch(b, DOUBLE, n, from, to);
            b.free(from);
        }
        next
    });
    let at = b.binary(BinaryOp::Sub, n, one);
    b.write_elem(last[1], at, half);
    let sums = b.alloc(ElemType::F32, two);
    for (index, &from) in [zero, one].iter().zip(&last) {
        let to = b.slice(sums, *index, one);
        launch(&mut b, SUM, n, from, to);
    }
    let total = b.alloc(ElemType::F32, one);
    launch(&mut b, SUM, two, sums, total);
    for buffer in [last[0], last[1], sums] {
        b.free(buffer);
    }
    let plan = artifact.add_plan(b.finish(&[total, one]).unwrap());
    let x = ParamType::Array {
        elem: ElemType::F32,
        dims: vec![Dim::Size(SizeId(0))],
    };
    let params = [("x", x), ("times", ParamType::Scalar(ElemType::I64))];
    let total = ResultType::Array {
        elem: ElemType::F32,
        dims: vec![Dim::Const(1)],
    };
    artifact.entries.push(Entry {
        name: "main".to_owned(),
        sizes: vec!["n".to_owned()],
        params: params
            .into_iter()
            .map(|(name, ty)| EntryParam {
                name: name.to_owned(),
                ty,
            })
            .collect(),
        results: vec![EntryResult {
            name: String::new(),
            ty: total,
        }],
        plan,
        location: None,
    });
    artifact
}

fn run(
    artifact: Artifact,
    device: Arc<dyn Device>,
    times: i64,
    order: StepOrder,
) -> Result<RunOutput, RunError> {
    let program = Program::load(artifact, device).unwrap();
    let x = Array::vector(&[1.0f32; 100]);
    let options = RunOptions {
        order,
        ..RunOptions::default()
    };
    program
        .entry("main")
        .unwrap()
        .run_with(&[x.into(), Scalar::i64(times).into()], &options)
}

fn value(output: &RunOutput) -> f32 {
    let Value::Array(array) = &output.results[0] else {
        panic!("an array")
    };
    array.to_vec::<f32>().unwrap()[0]
}

/// 100 ones and 99 halves, doubled so often; and a half.
fn expected(times: i32) -> f32 {
    2f32.powi(times) * (100.0 + 49.5) + 0.5
}

#[test]
fn results_do_not_depend_on_the_order_of_independent_steps() {
    for seed in 0..20 {
        let device = HostDevice::new();
        let output = run(
            two_chains(Access::Write),
            device.clone(),
            5,
            StepOrder::Shuffled(seed),
        )
        .unwrap();
        assert_eq!(value(&output), expected(5), "seed {seed}");
        assert_eq!(
            (
                output.report.streams,
                output.report.leaked.len(),
                device.live()
            ),
            (2, 0, 0)
        );
    }
}

#[test]
fn a_kernel_that_hides_a_write_is_found_by_a_drawn_order() {
    let wrong = |seed| {
        let output = run(
            two_chains(Access::Read),
            HostDevice::new(),
            5,
            StepOrder::Shuffled(seed),
        )
        .unwrap();
        value(&output) != expected(5)
    };
    assert!((0..20).any(wrong));
    let in_order = run(
        two_chains(Access::Read),
        HostDevice::new(),
        5,
        StepOrder::Program,
    )
    .unwrap();
    assert_eq!(value(&in_order), expected(5));
}

#[test]
fn the_batches_of_a_loop_are_graphs_from_the_second_of_a_shape_on() {
    let launches = |times: i64| {
        run(
            two_chains(Access::Write),
            HostDevice::new(),
            times,
            StepOrder::Program,
        )
    };
    let few = launches(5).unwrap().report;
    assert_eq!((few.batches, few.graph_launches), (1, 0));
    // Two launches in an iteration and, once the pool has memory, two steps that tell its new use: four steps, and a batch
    // ends after 32.
    let many = launches(100).unwrap();
    assert_eq!(value(&many), expected(100));
    let report = many.report;
    assert_eq!((report.launches.len(), report.device_allocations), (203, 7));
    assert_eq!((report.batches, report.graph_launches), (13, 10));
    assert_eq!(
        report
            .launches
            .iter()
            .filter(|launch| launch.in_graph)
            .count(),
        160
    );
}

/// The test device with streams: it takes batches, and runs their steps in the order of its choice.
struct Streaming {
    host: Arc<HostDevice>,
    info: DeviceInfo,
    /// Of each batch: its steps, and its graph.
    batches: Mutex<Vec<(usize, Option<usize>)>>,
    runs_ended: Mutex<Vec<u64>>,
    /// The launch of this number in a batch fails.
    fails_at: Option<usize>,
}

impl Streaming {
    fn new(fails_at: Option<usize>) -> Arc<Streaming> {
        let host = HostDevice::new();
        let info = DeviceInfo {
            kind: DeviceKind::Cuda,
            ..host.info().clone()
        };
        let (batches, runs_ended) = (Mutex::default(), Mutex::default());
        Arc::new(Streaming {
            host,
            info,
            batches,
            runs_ended,
            fails_at,
        })
    }
}

impl StreamDevice for Streaming {
    fn submit(&self, _run: u64, batch: &Batch<'_>) -> Result<(), (Option<usize>, DeviceError)> {
        self.batches
            .lock()
            .unwrap()
            .push((batch.steps.len(), batch.graph));
        // The last stream as far as it can go, then the one before, and so on.
        let mut done = vec![false; batch.steps.len()];
        while let Some(next) = (0..batch.streams).rev().find_map(|stream| {
            let next =
                (0..batch.steps.len()).find(|&at| batch.steps[at].stream == stream && !done[at])?;
            batch.steps[next]
                .waits
                .iter()
                .all(|&wait| done[wait])
                .then_some(next)
        }) {
            let result = match &batch.steps[next].task {
                Task::Launch(_) if self.fails_at == Some(next) => {
                    Err(DeviceError::Memory("failure on demand".to_owned()))
                }
                Task::Launch(launch) => self.host.launch(&launch.request(false)).map(|_| ()),
                Task::Copy { dst, src, bytes } => self.host.copy(*dst, *src, *bytes),
                Task::Fill {
                    dst,
                    pattern,
                    count,
                } => self.host.fill(*dst, pattern, *count),
                Task::Renew { .. } => Ok(()),
            };
            result.map_err(|error| (Some(next), error))?;
            done[next] = true;
        }
        assert!(done.iter().all(|done| *done), "steps wait for each other");
        Ok(())
    }
    fn end_run(&self, run: u64) {
        self.runs_ended.lock().unwrap().push(run);
    }
}

impl Device for Streaming {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }
    fn memory(&self) -> Result<MemoryInfo, DeviceError> {
        self.host.memory()
    }
    fn load(
        &self,
        target: &Target,
        kernels: &[&str],
        sources: &SourceMap,
    ) -> Result<ModuleHandle, DeviceError> {
        self.host.load(target, kernels, sources)
    }
    fn unload(&self, module: ModuleHandle) -> Result<(), DeviceError> {
        self.host.unload(module)
    }
    fn alloc(&self, bytes: u64, name: &str) -> Result<DevicePtr, DeviceError> {
        self.host.alloc(bytes, name)
    }
    fn free(&self, ptr: DevicePtr) -> Result<(), DeviceError> {
        self.host.free(ptr)
    }
    fn upload(&self, dst: DevicePtr, data: &[u8]) -> Result<(), DeviceError> {
        self.host.upload(dst, data)
    }
    fn download(&self, src: DevicePtr, out: &mut [u8]) -> Result<(), DeviceError> {
        self.host.download(src, out)
    }
    fn copy(&self, dst: DevicePtr, src: DevicePtr, bytes: u64) -> Result<(), DeviceError> {
        self.host.copy(dst, src, bytes)
    }
    fn fill(&self, dst: DevicePtr, pattern: &[u8], count: u64) -> Result<(), DeviceError> {
        self.host.fill(dst, pattern, count)
    }
    fn launch(&self, launch: &KernelLaunch<'_>) -> Result<LaunchOutcome, DeviceError> {
        self.host.launch(launch)
    }
    fn synchronize(&self) -> Result<(), DeviceError> {
        self.host.synchronize()
    }
    fn as_streams(&self) -> Option<&dyn StreamDevice> {
        Some(self)
    }
}

#[test]
fn a_device_with_streams_gets_batches_graphs_and_the_end_of_the_run() {
    let device = Streaming::new(None);
    let output = run(
        two_chains(Access::Write),
        device.clone(),
        100,
        StepOrder::Program,
    )
    .unwrap();
    assert_eq!(value(&output), expected(100));
    let batches = device.batches.lock().unwrap();
    assert_eq!(batches.len(), output.report.batches);
    assert_eq!(
        batches.iter().filter(|batch| batch.1 == Some(0)).count(),
        output.report.graph_launches
    );
    assert_eq!(device.runs_ended.lock().unwrap().len(), 1);
    assert_eq!(device.host.live(), 0);
}

#[test]
fn an_error_of_a_batch_is_at_the_statement_of_its_step_and_comes_before_what_the_host_found_later()
{
    let mut artifact = kernels(Access::Write);
    let mut b = PlanBuilder::new("main");
    let (_, n) = (b.index_param(), b.index_param());
    let (zero, one) = (b.index(0), b.index(1));
    for line in [3, 4] {
        b.set_location(Some(artifact.source_map.add("main.mlir", line, 1)));
        b.launch(CHECK, [one, one, one], [one, one, one], None, &[n]);
    }
    b.set_location(Some(artifact.source_map.add("main.mlir", 5, 1)));
    b.binary(BinaryOp::Div, one, zero);
    let plan = artifact.add_plan(b.finish(&[]).unwrap());
    let params = vec![EntryParam {
        name: "n".to_owned(),
        ty: ParamType::Size(SizeId(0)),
    }];
    let (name, sizes) = ("main".to_owned(), vec!["n".to_owned()]);
    artifact.entries.push(Entry {
        name,
        sizes,
        params,
        results: vec![],
        plan,
        location: None,
    });
    let place = artifact.source_map.add("main.mlir", 4, 7);
    artifact.add_site("index {0} is out of range", Some(place));
    let run = |device: Arc<Streaming>, n: i64| {
        let program = Program::load(artifact.clone(), device).unwrap();
        program
            .entry("main")
            .unwrap()
            .run(&[Scalar::i64(n).into()])
            .unwrap_err()
            .to_string()
    };
    let failure = "main.mlir:4:1: invalid use of device memory: failure on demand";
    assert_eq!(run(Streaming::new(Some(1)), 9), failure);
    assert_eq!(
        run(Streaming::new(None), 9),
        "main.mlir:5:1: division by zero"
    );
    // The kernel's own check has failed before the host divides: it is what is wrong.
    assert_eq!(
        run(Streaming::new(None), 0),
        "main.mlir:4:7: index 0 is out of range"
    );
}
