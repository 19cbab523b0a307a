//! Artifacts with hand-written PTX, from file to results on the simulator.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

use segra_artifact::{
    Access, Artifact, BinaryOp, Chip, Compare, Dim, ElemType, Entry, EntryParam, EntryResult,
    Kernel, KernelId, KernelParam, ParamType, PlanBuilder, ResultType, Scalar, SizeId, Slot,
    SlotType,
};
use segra_runtime::{
    Array, DeviceChoice, Machine, Program, RunControl, RunError, RunErrorKind, RunOptions,
    SimDevice, SimOptions, Stop, Value, open, random_array,
};
use std::sync::Arc;

const PTX: &str = include_str!("ptx/kernels.ptx");
const SAXPY: KernelId = KernelId(0);
const BLOCK_SUM: KernelId = KernelId(1);
const GATHER: KernelId = KernelId(2);
const WIDTH: i64 = 256;

fn buffer(elem: ElemType, access: Access) -> KernelParam {
    KernelParam::Buffer { elem, access }
}

fn kernels() -> Artifact {
    let mut artifact = Artifact::new("hand");
    artifact.add_target(Chip::sm(7, 5), PTX);
    let index = KernelParam::Scalar(ElemType::I64);
    let (read, both, write) = (
        buffer(ElemType::F32, Access::Read),
        buffer(ElemType::F32, Access::ReadWrite),
        buffer(ElemType::F32, Access::Write),
    );
    let indices = buffer(ElemType::I32, Access::Read);
    for (name, params, shared) in [
        (
            "saxpy",
            vec![read, both, KernelParam::Scalar(ElemType::F32), index],
            0,
        ),
        ("block_sum", vec![read, write, index], 1024),
        (
            "gather",
            vec![read, indices, write, index, index, KernelParam::ErrorRecord],
            0,
        ),
    ] {
        artifact.add_kernel(Kernel {
            name: name.to_owned(),
            params,
            static_shared_bytes: shared,
            max_threads_per_block: 256,
            summary: String::new(),
            location: None,
        });
    }
    artifact
}

fn launch(b: &mut PlanBuilder, kernel: KernelId, n: Slot, args: &[Slot]) -> Slot {
    let (one, width) = (b.index(1), b.index(WIDTH));
    let blocks = b.binary(BinaryOp::CeilDiv, n, width);
    b.launch(kernel, [blocks, one, one], [width, one, one], None, args);
    blocks
}

fn vector(size: u32) -> Vec<Dim> {
    vec![Dim::Size(SizeId(size))]
}

fn params(list: Vec<(&str, ParamType)>) -> Vec<EntryParam> {
    list.into_iter()
        .map(|(name, ty)| EntryParam {
            name: name.to_owned(),
            ty,
        })
        .collect()
}

fn results(list: Vec<ResultType>) -> Vec<EntryResult> {
    list.into_iter()
        .map(|ty| EntryResult {
            name: String::new(),
            ty,
        })
        .collect()
}

fn array(elem: ElemType, size: u32) -> ParamType {
    ParamType::Array {
        elem,
        dims: vector(size),
    }
}

/// `main(a: f32, x: f32[n], y: f32[n], times: i64) -> (f32[n], f32)`: y += a x, `times` times; and the sum of y, reduced
/// in shared memory until one value is left.
fn saxpy_and_sum() -> Artifact {
    let mut artifact = kernels();
    let mut b = PlanBuilder::new("main");
    let n = b.index_param();
    let a = b.param(SlotType::Scalar(ElemType::F32));
    let x = b.param(SlotType::Buffer(ElemType::F32));
    let y = b.param(SlotType::Buffer(ElemType::F32));
    let times = b.index_param();
    let (zero, one) = (b.index(0), b.index(1));
    b.for_(zero, times, one, &[], |b, _, _| {
        launch(b, SAXPY, n, &[x, y, a, n]);
        vec![]
    });
    let empty = b.compare(Compare::Eq, n, zero);
    let total = b.if_(
        empty,
        |b| vec![b.constant(Scalar::f32(0.0))],
        |b| {
            let first = b.alloc(ElemType::F32, n);
            b.copy(first, y, n);
            let last = b.while_(
                &[first, n],
                |b, args| (b.compare(Compare::Gt, args[1], one), args.to_vec()),
                |b, args| {
                    let width = b.index(WIDTH);
                    let count = b.binary(BinaryOp::CeilDiv, args[1], width);
                    let sums = b.alloc(ElemType::F32, count);
                    launch(b, BLOCK_SUM, args[1], &[args[0], sums, args[1]]);
                    b.free(args[0]);
                    vec![sums, count]
                },
            );
            vec![b.read_elem(last[0], zero)]
        },
    );
    let plan = b.finish(&[y, n, total[0]]).unwrap();
    let plan = artifact.add_plan(plan);
    artifact.entries.push(Entry {
        name: "main".to_owned(),
        sizes: vec!["n".to_owned()],
        params: params(vec![
            ("a", ParamType::Scalar(ElemType::F32)),
            ("x", array(ElemType::F32, 0)),
            ("y", array(ElemType::F32, 0)),
            ("times", ParamType::Scalar(ElemType::I64)),
        ]),
        results: results(vec![
            ResultType::Array {
                elem: ElemType::F32,
                dims: vector(0),
            },
            ResultType::Scalar(ElemType::F32),
        ]),
        plan,
        location: None,
    });
    artifact
}

/// `main(x: f32[n], i: i32[m]) -> f32[m]`: gathers, with checked indices.
fn gather() -> Artifact {
    let mut artifact = kernels();
    let place = artifact.source_map.add("gather.mlir", 4, 11);
    artifact.add_site(
        "index {0} is out of range for an array of {1} elements",
        Some(place),
    );
    let mut b = PlanBuilder::new("main");
    let (n, m) = (b.index_param(), b.index_param());
    let x = b.param(SlotType::Buffer(ElemType::F32));
    let i = b.param(SlotType::Buffer(ElemType::I32));
    let out = b.alloc(ElemType::F32, m);
    launch(&mut b, GATHER, m, &[x, i, out, n, m]);
    let plan = b.finish(&[out, m]).unwrap();
    let plan = artifact.add_plan(plan);
    artifact.entries.push(Entry {
        name: "main".to_owned(),
        sizes: vec!["n".to_owned(), "m".to_owned()],
        params: params(vec![
            ("x", array(ElemType::F32, 0)),
            ("i", array(ElemType::I32, 1)),
        ]),
        results: results(vec![ResultType::Array {
            elem: ElemType::F32,
            dims: vector(1),
        }]),
        plan,
        location: None,
    });
    artifact
}

/// Through a file, as every real artifact comes.
fn load(artifact: &Artifact) -> (Arc<SimDevice>, Program) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("program.segra");
    artifact.write(&path).unwrap();
    let device = Arc::new(SimDevice::new(&SimOptions::checked()));
    let program = Program::load(Artifact::read(&path).unwrap(), device.clone()).unwrap();
    (device, program)
}

fn run(artifact: &Artifact, args: &[Value]) -> Result<Vec<Value>, RunError> {
    let (device, program) = load(artifact);
    let result = program.entry("main").unwrap().run(args);
    assert_eq!(device.live_allocations(), [], "a run leaks nothing");
    result
}

#[test]
fn saxpy_and_a_sum_in_shared_memory_are_exact_at_all_sizes() {
    for n in [0usize, 1, 31, 32, 33, 255, 256, 257, 70_000] {
        // Small integers: every sum is exact in f32, whatever the order.
        let x: Vec<f32> = (0..n).map(|i| (i % 7) as f32).collect();
        let y: Vec<f32> = (0..n).map(|i| (i % 5) as f32).collect();
        let args = [
            Scalar::f32(2.0).into(),
            Array::vector(&x).into(),
            Array::vector(&y).into(),
            Scalar::i64(3).into(),
        ];
        let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| y + 6.0 * x).collect();
        // Not `sum`, whose neutral element is -0.0.
        let total = expected.iter().fold(0f32, |total, value| total + value);
        let results = run(&saxpy_and_sum(), &args).unwrap();
        assert_eq!(
            results,
            [Array::vector(&expected).into(), Scalar::f32(total).into()],
            "n = {n}"
        );
    }
}

#[test]
fn a_run_reports_its_launches_with_the_simulators_counters() {
    let (_, program) = load(&saxpy_and_sum());
    let x = random_array(ElemType::F32, &[1024], 1, 0).unwrap();
    let args = [
        Scalar::f32(1.0).into(),
        x.clone().into(),
        x.into(),
        Scalar::i64(1).into(),
    ];
    let report = program
        .entry("main")
        .unwrap()
        .run_with(&args, &RunOptions::default())
        .unwrap()
        .report;
    let kernels: Vec<&str> = report
        .launches
        .iter()
        .map(|launch| launch.kernel.as_str())
        .collect();
    assert_eq!(kernels, ["saxpy", "block_sum", "block_sum"]);
    let counter = |launch: usize, name: &str| {
        report.launches[launch]
            .counters
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| *value)
    };
    assert_eq!(counter(0, "threads"), Some(1024));
    assert_eq!(counter(0, "global_bytes_read"), Some(2 * 4096));
    assert_eq!(counter(0, "global_bytes_written"), Some(4096));
    assert!(counter(1, "barriers").unwrap() > 0);
    assert!(report.launches.iter().all(|launch| launch.time.is_some()));
}

#[test]
fn checked_indices_are_reported_with_the_place_in_the_program() {
    let x = Array::vector(&[10f32, 20.0, 30.0]);
    let good = run(
        &gather(),
        &[x.clone().into(), Array::vector(&[2i32, 0, 1, 2]).into()],
    )
    .unwrap();
    assert_eq!(good, [Array::vector(&[30f32, 10.0, 20.0, 30.0]).into()]);
    for bad in [3i32, -1, i32::MIN] {
        let error = run(
            &gather(),
            &[x.clone().into(), Array::vector(&[0i32, bad]).into()],
        )
        .unwrap_err();
        let expected = format!(
            "gather.mlir:4:11: index {bad} is out of range for an array of 3 elements (in kernel `gather`)"
        );
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn a_fault_of_a_kernel_is_reported_and_nothing_leaks() {
    let mut artifact = saxpy_and_sum();
    // The launch claims one more element than there is.
    let mut b = PlanBuilder::new("main");
    let n = b.index_param();
    let a = b.param(SlotType::Scalar(ElemType::F32));
    let x = b.param(SlotType::Buffer(ElemType::F32));
    let y = b.param(SlotType::Buffer(ElemType::F32));
    let _times = b.index_param();
    let one = b.index(1);
    let more = b.binary(BinaryOp::Add, n, one);
    launch(&mut b, SAXPY, more, &[x, y, a, more]);
    artifact.plans[0] = b.finish(&[y, n, a]).unwrap();
    let x: Value = Array::vector(&[1f32; 8]).into();
    let error = run(
        &artifact,
        &[Scalar::f32(1.0).into(), x.clone(), x, Scalar::i64(1).into()],
    )
    .unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("kernel `saxpy`") && text.contains("out of bounds") && text.contains("`x`"),
        "{text}"
    );
}

#[test]
fn several_threads_may_run_one_program() {
    let (device, program) = load(&saxpy_and_sum());
    std::thread::scope(|scope| {
        for thread in 0..4u16 {
            let program = &program;
            scope.spawn(move || {
                let x: Value = Array::vector(&vec![f32::from(thread); 500]).into();
                let args = [Scalar::f32(1.0).into(), x.clone(), x, Scalar::i64(1).into()];
                for _ in 0..5 {
                    let results = program.entry("main").unwrap().run(&args).unwrap();
                    assert_eq!(results[1], Scalar::f32(1000.0 * f32::from(thread)).into());
                }
            });
        }
    });
    assert_eq!(device.live_allocations(), []);
}

#[test]
fn unreadable_ptx_is_refused_with_its_line() {
    let mut artifact = saxpy_and_sum();
    artifact.targets[0].ptx = PTX.replacen("ret;", "frobnicate.u32 %r1, %r2;\n    ret;", 1);
    let device = Arc::new(SimDevice::new(&SimOptions::default()));
    let error = Program::load(artifact, device).err().unwrap().to_string();
    assert!(
        error.contains("sm_75") && error.contains("line ") && error.contains("frobnicate"),
        "{error}"
    );
}

#[test]
fn device_memory_that_is_too_small_is_an_error_and_leaks_nothing() {
    let device = Arc::new(SimDevice::new(&SimOptions {
        memory_bytes: 1 << 16,
        ..SimOptions::default()
    }));
    let program = Program::load(saxpy_and_sum(), device.clone()).unwrap();
    let x: Value = Array::zeros(ElemType::F32, &[10_000]).unwrap().into();
    let args = [Scalar::f32(1.0).into(), x.clone(), x, Scalar::i64(1).into()];
    let error = program.entry("main").unwrap().run(&args).unwrap_err();
    assert!(
        error.to_string().contains("out of device memory"),
        "{error}"
    );
    assert_eq!(device.live_allocations(), []);
}

#[test]
fn auto_finds_a_device_and_cuda_without_a_driver_says_so() {
    assert!(open(DeviceChoice::Auto).is_ok());
    assert_eq!(
        open(DeviceChoice::Sim).unwrap().info().name,
        "PTX simulator"
    );
    match open(DeviceChoice::Cuda) {
        // Here is a GPU: it must run the same program to the same result.
        Ok(device) => {
            let program = Program::load(saxpy_and_sum(), device).unwrap();
            let x: Value = Array::vector(&[1f32; 1000]).into();
            let args = [Scalar::f32(2.0).into(), x.clone(), x, Scalar::i64(1).into()];
            assert_eq!(
                program.entry("main").unwrap().run(&args).unwrap()[1],
                Scalar::f32(3000.0).into()
            );
        }
        Err(error) => assert!(
            error
                .to_string()
                .contains("`--device sim` runs without one"),
            "{error}"
        ),
    }
    assert!(
        "gpu"
            .parse::<DeviceChoice>()
            .unwrap_err()
            .contains("choose sim, cuda or auto")
    );
}

#[test]
fn a_missing_barrier_fails_the_run_and_names_the_line_and_the_buffer() {
    let mut artifact = saxpy_and_sum();
    artifact.targets[0].ptx = PTX.replacen("bar.sync 0;", "", 1);
    artifact.kernels[BLOCK_SUM.index()].summary = "segred over n".to_owned();
    let device = Arc::new(SimDevice::new(&SimOptions::checked()));
    let program = Program::load(artifact.clone(), device.clone()).unwrap();
    let x: Value = Array::vector(&[1f32; 1000]).into();
    let args = [Scalar::f32(2.0).into(), x.clone(), x, Scalar::i64(1).into()];
    let error = program
        .entry("main")
        .unwrap()
        .run(&args)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("race on shared memory") && error.contains("of `tile`"),
        "{error}"
    );
    assert!(
        error.contains("kernel `block_sum`") && error.contains("PTX line"),
        "{error}"
    );
    assert!(error.contains("the kernel: segred over n"), "{error}");
    assert_eq!(
        device.live_allocations(),
        [],
        "the failed run leaks nothing"
    );
    // Without the checkers nobody notices.
    let program =
        Program::load(artifact, Arc::new(SimDevice::new(&SimOptions::default()))).unwrap();
    assert!(program.entry("main").unwrap().run(&args).is_ok());
}

#[test]
fn a_profile_comes_with_each_launch() {
    let options = SimOptions {
        profile: Some(Machine::T4),
        ..SimOptions::default()
    };
    let program = Program::load(saxpy_and_sum(), Arc::new(SimDevice::new(&options))).unwrap();
    let x: Value = Array::vector(&vec![1f32; 25_600]).into();
    let args = [Scalar::f32(2.0).into(), x.clone(), x, Scalar::i64(1).into()];
    let ran = program
        .entry("main")
        .unwrap()
        .run_with(&args, &RunOptions::default())
        .unwrap();
    let profile = ran.report.launches[0].profile.as_deref().unwrap();
    assert_eq!((profile.kernel.as_str(), profile.machine), ("saxpy", "T4"));
    // Two arrays are read and one is written.
    assert_eq!(profile.traffic.memory_read_bytes, 2 * 4 * 25_600);
    assert_eq!(profile.traffic.memory_written_bytes, 4 * 25_600);
    assert_eq!(profile.traffic.sectors_per_request(), 4.0);
    assert!(
        serde_json::to_string(&ran.report)
            .unwrap()
            .contains("\"l1_hits\"")
    );
}

#[test]
fn a_kernel_without_end_stops_with_its_run() {
    let mut artifact = Artifact::new("endless");
    let text = ".version 7.0\n.target sm_75\n.address_size 64\n
        .visible .entry endless() { L: bra.uni L; }";
    artifact.add_target(Chip::sm(7, 5), text);
    artifact.add_kernel(Kernel {
        name: "endless".to_owned(),
        params: vec![],
        static_shared_bytes: 0,
        max_threads_per_block: 32,
        summary: String::new(),
        location: None,
    });
    let mut b = PlanBuilder::new("main");
    let one = b.index(1);
    b.launch(KernelId(0), [one; 3], [one; 3], None, &[]);
    let plan = artifact.add_plan(b.finish(&[]).unwrap());
    artifact.entries.push(Entry {
        name: "main".to_owned(),
        sizes: vec![],
        params: vec![],
        results: vec![],
        plan,
        location: None,
    });
    let device = SimDevice::new(&SimOptions {
        instruction_limit: None,
        ..SimOptions::default()
    });
    let program = Program::load(artifact, Arc::new(device)).unwrap();
    let control = Arc::new(RunControl::new());
    let options = RunOptions {
        control: Some(control.clone()),
        ..RunOptions::default()
    };
    let stopper = std::thread::spawn(move || {
        while control.progress().kernel.is_none() {
            std::thread::yield_now();
        }
        control.stop(Stop::TimeLimit);
    });
    let error = program
        .entry("main")
        .unwrap()
        .run_with(&[], &options)
        .unwrap_err();
    stopper.join().unwrap();
    assert_eq!(*error.kind, RunErrorKind::Stopped(Stop::TimeLimit));
}
