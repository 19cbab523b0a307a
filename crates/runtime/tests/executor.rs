//! The executor on a device whose kernels are Rust functions: control flow, memory, checks, errors, clean-up.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

mod support;

use segra_artifact::{
    Access, Artifact, BinaryOp, Compare, Dim, ElemType, Entry, EntryParam, EntryResult, KernelId,
    KernelParam, ParamType, PlanBuilder, ResultType, Scalar, SizeId, Slot, SlotType, Tunable,
};
use segra_runtime::{
    Array, Comparison, DeviceError, ErrorChecks, LoadError, Program, RunError, RunErrorKind,
    RunOptions, Value,
};
use std::sync::Arc;
use support::{CHECK, DOUBLE, HostDevice, SUM};

/// An artifact with the three kernels of the test device and no entries.
fn kernels() -> Artifact {
    support::kernels(Access::Write)
}

fn array(dims: Vec<Dim>) -> ParamType {
    ParamType::Array {
        elem: ElemType::F32,
        dims,
    }
}

fn add_entry(
    artifact: &mut Artifact,
    sizes: &[&str],
    params: Vec<ParamType>,
    results: Vec<ResultType>,
    plan: segra_artifact::Plan,
) {
    let plan = artifact.add_plan(plan);
    let name = |index: usize| format!("p{index}");
    artifact.entries.push(Entry {
        name: "main".to_owned(),
        sizes: sizes.iter().map(|name| (*name).to_owned()).collect(),
        params: params
            .into_iter()
            .enumerate()
            .map(|(index, ty)| EntryParam {
                name: name(index),
                ty,
            })
            .collect(),
        results: results
            .into_iter()
            .map(|ty| EntryResult {
                name: String::new(),
                ty,
            })
            .collect(),
        plan,
        location: None,
    });
}

fn vector_result() -> ResultType {
    ResultType::Array {
        elem: ElemType::F32,
        dims: vec![Dim::Size(SizeId(0))],
    }
}

fn launch_1d(b: &mut PlanBuilder, kernel: KernelId, n: Slot, args: &[Slot]) {
    let (one, width) = (b.index(1), b.index(128));
    let blocks = b.binary(BinaryOp::CeilDiv, n, width);
    b.launch(kernel, [blocks, one, one], [width, one, one], None, args);
}

/// `main(x: f32[n], times: i64) -> (f32[n], f32)`: doubles `times` times by swapping two buffers; the sum when it is
/// above 100, else -1.
fn doubling() -> Artifact {
    let mut artifact = kernels();
    let mut b = PlanBuilder::new("main");
    let n = b.index_param();
    let x = b.param(SlotType::Buffer(ElemType::F32));
    let times = b.index_param();
    let (zero, one) = (b.index(0), b.index(1));
    let (a, c) = (b.alloc(ElemType::F32, n), b.alloc(ElemType::F32, n));
    b.copy(a, x, n);
    let last = b.for_(zero, times, one, &[a, c], |b, _, carried| {
        launch_1d(b, DOUBLE, n, &[carried[0], carried[1], n]);
        vec![carried[1], carried[0]]
    });
    let total = b.alloc(ElemType::F32, one);
    b.launch(
        SUM,
        [one, one, one],
        [one, one, one],
        None,
        &[last[0], total, n],
    );
    let total = b.read_elem(total, zero);
    let hundred = b.constant(Scalar::f32(100.0));
    let large = b.compare(Compare::Gt, total, hundred);
    let chosen = b.if_(
        large,
        |_| vec![total],
        |b| vec![b.constant(Scalar::f32(-1.0))],
    );
    b.free(last[1]);
    let plan = b.finish(&[last[0], n, chosen[0]]).unwrap();
    let params = vec![
        array(vec![Dim::Size(SizeId(0))]),
        ParamType::Scalar(ElemType::I64),
    ];
    let results = vec![vector_result(), ResultType::Scalar(ElemType::F32)];
    add_entry(&mut artifact, &["n"], params, results, plan);
    artifact
}

fn load(artifact: Artifact) -> (Arc<HostDevice>, Program) {
    let device = HostDevice::new();
    let program = Program::load(artifact, device.clone()).unwrap();
    (device, program)
}

fn run(artifact: Artifact, args: &[Value]) -> Result<Vec<Value>, RunError> {
    let (device, program) = load(artifact);
    let result = program.entry("main").unwrap().run(args);
    assert_eq!(device.live(), 0, "a run leaks nothing");
    result
}

fn ones(n: usize) -> Value {
    Array::vector(&vec![1.0f32; n]).into()
}

#[test]
fn loops_branches_launches_and_reads_work_together() {
    let results = run(doubling(), &[ones(300), Scalar::i64(3).into()]).unwrap();
    assert_eq!(
        results,
        [
            Array::vector(&vec![8.0f32; 300]).into(),
            Scalar::f32(2400.0).into()
        ]
    );
    let results = run(doubling(), &[ones(5), Scalar::i64(0).into()]).unwrap();
    assert_eq!(results, [ones(5), Scalar::f32(-1.0).into()]);
}

#[test]
fn empty_arrays_launch_nothing() {
    let (device, program) = load(doubling());
    let entry = program.entry("main").unwrap();
    let output = entry
        .run_with(&[ones(0), Scalar::i64(2).into()], &RunOptions::default())
        .unwrap();
    assert_eq!(output.results[0], ones(0));
    assert_eq!(
        (output.report.empty_launches, output.report.launches.len()),
        (2, 1)
    );
    assert_eq!(device.live(), 0);
}

#[test]
fn the_report_says_what_happened() {
    let (_, program) = load(doubling());
    let entry = program.entry("main").unwrap();
    let report = entry
        .run_with(&[ones(300), Scalar::i64(1).into()], &RunOptions::default())
        .unwrap()
        .report;
    let launches: Vec<_> = report
        .launches
        .iter()
        .map(|l| (l.kernel.as_str(), l.grid, l.block))
        .collect();
    assert_eq!(
        launches,
        [
            ("double", [3, 1, 1], [128, 1, 1]),
            ("sum", [1, 1, 1], [1, 1, 1])
        ]
    );
    // x, two buffers of the loop, the total; the argument and the result are left. The plan does not free the total, but
    // nothing reads it any more.
    assert_eq!((report.allocations, report.released_at_end), (4, 2));
    assert_eq!(report.leaked, []);
    assert_eq!(
        (report.peak_bytes, report.uploaded_bytes),
        (3 * 1200 + 4, 1200)
    );
    assert_eq!((report.peak_held_bytes, report.launched), (3 * 1200 + 4, 2));
    assert_eq!(report.downloaded_bytes, 1204);
    assert!(
        serde_json::to_string(&report)
            .unwrap()
            .contains("\"kernel\":\"double\"")
    );
}

#[test]
fn buffers_of_a_loop_take_the_memory_that_earlier_steps_freed() {
    let mut artifact = kernels();
    let mut b = PlanBuilder::new("main");
    let n = b.index_param();
    let x = b.param(SlotType::Buffer(ElemType::F32));
    let times = b.index_param();
    let (zero, one) = (b.index(0), b.index(1));
    let first = b.alloc(ElemType::F32, n);
    b.copy(first, x, n);
    let last = b.for_(zero, times, one, &[first], |b, _, carried| {
        let next = b.alloc(ElemType::F32, n);
        launch_1d(b, DOUBLE, n, &[carried[0], next, n]);
        b.free(carried[0]);
        vec![next]
    });
    let plan = b.finish(&[last[0], n]).unwrap();
    let params = vec![
        array(vec![Dim::Size(SizeId(0))]),
        ParamType::Scalar(ElemType::I64),
    ];
    add_entry(&mut artifact, &["n"], params, vec![vector_result()], plan);
    let asked = |steps: i64| {
        let (device, program) = load(artifact.clone());
        let entry = program.entry("main").unwrap();
        let output = entry
            .run_with(
                &[ones(300), Scalar::i64(steps).into()],
                &RunOptions::default(),
            )
            .unwrap();
        assert_eq!(
            output.results,
            [Array::vector(&vec![2f32.powi(steps as i32); 300]).into()]
        );
        assert_eq!(output.report.leaked, []);
        assert_eq!(device.live(), 0, "the pool is given back");
        (output.report.allocations, output.report.device_allocations)
    };
    let ((few, some), (many, same)) = (asked(4), asked(40));
    assert!(few < many, "{few} {many}");
    assert_eq!(
        some, same,
        "memory asked of the device does not grow with the steps"
    );
}

#[test]
fn whatever_call_fails_nothing_leaks_and_the_error_is_the_cause() {
    let (device, program) = load(doubling());
    let entry = program.entry("main").unwrap();
    let args = [ones(300), Scalar::i64(2).into()];
    let mut failures = 0;
    for calls in 0.. {
        device.state().calls_left = Some(calls);
        let result = entry.run(&args);
        assert_eq!(device.live(), 0, "after a failure at call {calls}");
        match result {
            Ok(_) => break,
            Err(error) => assert!(error.to_string().contains("failure on demand"), "{error}"),
        }
        failures += 1;
    }
    assert!(failures >= 10, "{failures}");
}

#[test]
fn the_latest_ptx_that_runs_is_loaded_and_unloaded_with_the_program() {
    let (device, program) = load(doubling());
    assert_eq!(device.state().loaded_chip, "sm_80");
    drop(program);
    assert_eq!(device.state().unloaded, 1);
    let mut artifact = doubling();
    artifact.targets.remove(0);
    let error = Program::load(artifact, HostDevice::new()).err().unwrap();
    assert_eq!(
        error.to_string(),
        "the artifact has PTX for sm_90; none of it runs on host (sm_86)"
    );
}

#[test]
fn a_manifest_that_contradicts_the_ptx_is_refused() {
    let mut artifact = kernels();
    artifact.kernels[0].params[2] = KernelParam::Scalar(ElemType::I32);
    let error = Program::load(artifact, HostDevice::new()).err().unwrap();
    assert!(
        matches!(error, LoadError::Manifest { ref manifest, .. } if *manifest == [8, 8, 4]),
        "{error}"
    );
    let mut artifact = kernels();
    artifact.kernels[0].name = "triple".to_owned();
    let error = Program::load(artifact, HostDevice::new()).err().unwrap();
    assert!(
        matches!(error, LoadError::Device(DeviceError::MissingKernel { .. })),
        "{error}"
    );
}

/// An artifact whose entry takes `n: i64` and does what `body` says.
fn plan_of(body: impl FnOnce(&mut Artifact, &mut PlanBuilder, Slot) -> Slot) -> Artifact {
    let mut artifact = kernels();
    let mut b = PlanBuilder::new("main");
    let n = b.index_param();
    let place = artifact.source_map.add("main.mlir", 7, 3);
    b.set_location(Some(place));
    let result = body(&mut artifact, &mut b, n);
    let plan = b.finish(&[result]).unwrap();
    add_entry(
        &mut artifact,
        &[],
        vec![ParamType::Scalar(ElemType::I64)],
        vec![ResultType::Scalar(ElemType::I64)],
        plan,
    );
    artifact
}

fn run_plan(
    body: impl FnOnce(&mut Artifact, &mut PlanBuilder, Slot) -> Slot,
    n: i64,
) -> Result<i64, String> {
    match run(plan_of(body), &[Scalar::i64(n).into()]) {
        Ok(results) => Ok(results[0].as_scalar().unwrap().as_i64().unwrap()),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn while_loops_and_recursive_calls_compute() {
    // Collatz steps.
    let collatz = |_: &mut Artifact, b: &mut PlanBuilder, n: Slot| {
        let (zero, one, two, three) = (b.index(0), b.index(1), b.index(2), b.index(3));
        let out = b.while_(
            &[n, zero],
            |b, args| (b.compare(Compare::Ne, args[0], one), args.to_vec()),
            |b, args| {
                let odd = b.binary(BinaryOp::And, args[0], one);
                let odd = b.compare(Compare::Eq, odd, one);
                let next = b.if_(
                    odd,
                    |b| {
                        let tripled = b.binary(BinaryOp::Mul, args[0], three);
                        vec![b.binary(BinaryOp::Add, tripled, one)]
                    },
                    |b| vec![b.binary(BinaryOp::Div, args[0], two)],
                );
                vec![next[0], b.binary(BinaryOp::Add, args[1], one)]
            },
        );
        out[1]
    };
    assert_eq!(run_plan(collatz, 27), Ok(111));

    let factorial = |_: &mut Artifact, b: &mut PlanBuilder, n: Slot| {
        let one = b.index(1);
        let small = b.compare(Compare::Le, n, one);
        b.if_(
            small,
            |_| vec![one],
            |b| {
                let less = b.binary(BinaryOp::Sub, n, one);
                let below = b.call(segra_artifact::PlanId(0), &[less], &[SlotType::INDEX]);
                vec![b.binary(BinaryOp::Mul, n, below[0])]
            },
        )[0]
    };
    assert_eq!(run_plan(factorial, 20), Ok(2_432_902_008_176_640_000));
    let error = run_plan(factorial, 1_000_000).unwrap_err();
    assert_eq!(
        error,
        "main.mlir:7:3: the host plan nests more than 256 levels deep"
    );
}

#[test]
fn run_time_errors_name_the_place_in_the_program() {
    let divide =
        |_: &mut Artifact, b: &mut PlanBuilder, n: Slot| b.binary(BinaryOp::FloorDiv, n, n);
    assert_eq!(run_plan(divide, 3), Ok(1));
    assert_eq!(
        run_plan(divide, 0),
        Err("main.mlir:7:3: division by zero".to_owned())
    );

    let read = |_: &mut Artifact, b: &mut PlanBuilder, n: Slot| {
        let four = b.index(4);
        let buffer = b.alloc(ElemType::I64, four);
        let seven = b.index(7);
        b.fill(buffer, seven, four);
        b.read_elem(buffer, n)
    };
    assert_eq!(run_plan(read, 3), Ok(7));
    let out_of_range = |n: i64| {
        Err(format!(
            "main.mlir:7:3: index {n} is out of range for a buffer of 4 elements"
        ))
    };
    assert_eq!(run_plan(read, 4), out_of_range(4));
    assert_eq!(run_plan(read, -1), out_of_range(-1));

    let alloc = |_: &mut Artifact, b: &mut PlanBuilder, n: Slot| {
        b.alloc(ElemType::F64, n);
        n
    };
    assert_eq!(
        run_plan(alloc, -5),
        Err("main.mlir:7:3: a buffer of -5 elements of type f64 is impossible".to_owned())
    );
    assert!(
        run_plan(alloc, i64::MAX)
            .unwrap_err()
            .contains("is impossible")
    );

    let stepless = |_: &mut Artifact, b: &mut PlanBuilder, n: Slot| {
        let one = b.index(1);
        b.for_(n, one, n, &[n], |_, _, carried| carried.to_vec())[0]
    };
    assert_eq!(
        run_plan(stepless, 0),
        Err("main.mlir:7:3: loop step 0 is not positive".to_owned())
    );
    assert_eq!(run_plan(stepless, 1), Ok(1));
}

#[test]
fn freed_buffers_cannot_be_used_and_slices_not_freed() {
    let use_after_free = |_: &mut Artifact, b: &mut PlanBuilder, n: Slot| {
        let buffer = b.alloc(ElemType::I64, n);
        b.free(buffer);
        b.write_elem(buffer, n, n);
        n
    };
    assert_eq!(
        run_plan(use_after_free, 2),
        Err("main.mlir:7:3: host plan: a buffer is used after it was freed".to_owned())
    );
    let free_slice = |_: &mut Artifact, b: &mut PlanBuilder, n: Slot| {
        let (one, two) = (b.index(1), b.index(2));
        let buffer = b.alloc(ElemType::I64, n);
        b.write_elem(buffer, one, n);
        let slice = b.slice(buffer, one, two);
        let zero = b.index(0);
        let read = b.read_elem(slice, zero);
        b.free(slice);
        read
    };
    assert!(
        run_plan(free_slice, 3)
            .unwrap_err()
            .contains("only whole buffers")
    );
    assert_eq!(
        run_plan(free_slice, 2),
        Err("main.mlir:7:3: slice of 2 elements at 1 does not fit a buffer of 2".to_owned())
    );
}

#[test]
fn failed_checks_on_host_and_device_give_the_sites_message_and_place() {
    let host = |artifact: &mut Artifact, b: &mut PlanBuilder, n: Slot| {
        let place = artifact.source_map.add("program.mlir", 12, 5);
        let site = artifact.add_site("{0} is not below {1}", Some(place));
        let ten = b.index(10);
        let below = b.compare(Compare::Lt, n, ten);
        b.check(below, site, &[n, ten]);
        n
    };
    assert_eq!(run_plan(host, 9), Ok(9));
    assert_eq!(
        run_plan(host, 10),
        Err("program.mlir:12:5: 10 is not below 10".to_owned())
    );

    let kernel = |artifact: &mut Artifact, b: &mut PlanBuilder, n: Slot| {
        let place = artifact.source_map.add("program.mlir", 20, 9);
        artifact.add_site("index {0} is out of range for {1} elements", Some(place));
        launch_1d(b, CHECK, n, &[n]);
        let plenty = b.index(1000);
        launch_1d(b, CHECK, n, &[plenty]);
        n
    };
    assert_eq!(run_plan(kernel, 256), Ok(256));
    let message = "program.mlir:20:9: index 100 is out of range for 128 elements";
    assert_eq!(
        run_plan(kernel, 100),
        Err(format!("{message} (in kernel `check`)"))
    );
    // Looked for only at the end, the error is still found, though not whose it is.
    let (_, program) = load(plan_of(kernel));
    let options = RunOptions {
        error_checks: ErrorChecks::AtReads,
        ..RunOptions::default()
    };
    let error = program
        .entry("main")
        .unwrap()
        .run_with(&[Scalar::i64(100).into()], &options)
        .unwrap_err();
    assert_eq!(error.to_string(), message);
}

#[test]
fn launches_beyond_the_limits_are_refused_with_the_limit() {
    let launch = |_: &mut Artifact, b: &mut PlanBuilder, n: Slot| {
        let one = b.index(1);
        b.launch(CHECK, [one, n, one], [one, one, one], None, &[n]);
        b.launch(CHECK, [one, one, one], [n, one, one], Some(n), &[n]);
        n
    };
    assert_eq!(run_plan(launch, 256), Ok(256));
    let refused = |what: &str, value: i64, limit: i64| {
        Err(format!(
            "main.mlir:7:3: kernel `check` cannot be launched: {what} is {value}, at most {limit} is possible"
        ))
    };
    assert_eq!(
        run_plan(launch, 65536),
        refused("grid extent y", 65536, 65535)
    );
    assert_eq!(run_plan(launch, -1), refused("grid extent y", -1, 65535));
    assert_eq!(
        run_plan(launch, 2000),
        refused("block extent x", 2000, 1024)
    );
    assert_eq!(
        run_plan(launch, 300),
        refused("threads per block", 300, 256)
    );
    let shared = |_: &mut Artifact, b: &mut PlanBuilder, n: Slot| {
        let one = b.index(1);
        b.launch(CHECK, [one, one, one], [one, one, one], Some(n), &[n]);
        n
    };
    assert_eq!(
        run_plan(shared, 48 * 1024),
        refused("dynamic shared memory in bytes", 49152, 47 * 1024)
    );
}

#[test]
fn tunables_have_defaults_and_can_be_overridden_by_name() {
    let artifact = plan_of(|artifact, b, n| {
        let tunable = artifact.add_tunable(Tunable {
            name: "width".to_owned(),
            default: 5,
            min: 0,
            max: 10,
            compared: "n".to_owned(),
            under: None,
            location: None,
        });
        let (yes, no) = (b.index(1), b.index(0));
        let large = b.at_least(n, tunable);
        b.select(large, yes, no)
    });
    let (_, program) = load(artifact);
    let entry = program.entry("main").unwrap();
    let args = [Scalar::i64(7).into()];
    assert_eq!(entry.run(&args).unwrap(), [Scalar::i64(1).into()]);
    let mut options = RunOptions::default();
    options.tunables.insert("width".to_owned(), 9);
    let output = entry.run_with(&args, &options).unwrap();
    assert_eq!(output.results, [Scalar::i64(0).into()]);
    let comparison = Comparison {
        tunable: "width".to_owned(),
        value: 7,
        times: 1,
    };
    assert_eq!(
        output.report.comparisons,
        [comparison],
        "the report has what was compared"
    );
    options.tunables.insert("width".to_owned(), 11);
    let refused = |options: &RunOptions| entry.run_with(&args, options).unwrap_err().to_string();
    assert_eq!(refused(&options), "tunable `width`: 11 is not in 0..=10");
    options.tunables.insert("height".to_owned(), 9);
    assert_eq!(
        refused(&options),
        "there is no tunable `height`; there are: width"
    );
}

#[test]
fn unknown_entries_and_wrong_sizes_are_refused_before_anything_runs() {
    let (device, program) = load(doubling());
    let error = program.entry("mian").err().unwrap();
    assert_eq!(
        error.to_string(),
        "there is no entry `mian`; there are: main"
    );
    let error = program.entry("main").unwrap().run(&[ones(3)]).unwrap_err();
    assert!(
        matches!(
            *error.kind,
            RunErrorKind::ArgumentCount {
                expected: 2,
                found: 1,
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(device.live(), 0);
    assert_eq!(program.device().info().name, "host");
}

#[test]
fn a_result_shape_that_does_not_fit_its_buffer_is_refused() {
    let mut artifact = kernels();
    let mut b = PlanBuilder::new("main");
    let n = b.index_param();
    let x = b.param(SlotType::Buffer(ElemType::F32));
    let more = b.index(100);
    let plan = b.finish(&[x, more]).unwrap();
    let _ = n;
    add_entry(
        &mut artifact,
        &["n"],
        vec![array(vec![Dim::Size(SizeId(0))])],
        vec![vector_result()],
        plan,
    );
    let error = run(artifact, &[ones(99)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "result 0: shape [100] does not fit a buffer of 99 elements"
    );
}
