//! Buffers are freed when the last slot that can be read holds them no more: whatever loops and branches do with them,
//! memory does not depend on the number of rounds.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

mod support;

use segra_artifact::{
    Access, Artifact, BinaryOp, Compare, Dim, ElemType, Entry, EntryParam, EntryResult, ParamType,
    PlanBuilder, ResultType, Scalar, SizeId, Slot, SlotType,
};
use segra_runtime::{Array, Program, RunOptions, RunReport};
use support::{DOUBLE, HostDevice};

/// The slots a plan under test is made of: the extent, the argument, the number of rounds, 0 and 1.
#[derive(Clone, Copy)]
struct Given {
    n: Slot,
    x: Slot,
    rounds: Slot,
    zero: Slot,
    one: Slot,
}

/// `main(x: f32[n], rounds: i64) -> (f32[n], ...)`, whose body is `body`; it returns the arrays.
fn program(results: usize, body: impl FnOnce(&mut PlanBuilder, Given) -> Vec<Slot>) -> Artifact {
    let mut artifact = support::kernels(Access::Write);
    let mut b = PlanBuilder::new("main");
    let n = b.index_param();
    let x = b.param(SlotType::Buffer(ElemType::F32));
    let rounds = b.index_param();
    let (zero, one) = (b.index(0), b.index(1));
    let returned = body(
        &mut b,
        Given {
            n,
            x,
            rounds,
            zero,
            one,
        },
    );
    assert_eq!(returned.len(), results);
    let returned: Vec<Slot> = returned.into_iter().flat_map(|array| [array, n]).collect();
    let plan = artifact.add_plan(b.finish(&returned).unwrap());
    let dims = vec![Dim::Size(SizeId(0))];
    let param = |name: &str, ty| EntryParam {
        name: name.to_owned(),
        ty,
    };
    let result = || EntryResult {
        name: String::new(),
        ty: ResultType::Array {
            elem: ElemType::F32,
            dims: dims.clone(),
        },
    };
    artifact.entries.push(Entry {
        name: "main".to_owned(),
        sizes: vec!["n".to_owned()],
        params: vec![
            param(
                "x",
                ParamType::Array {
                    elem: ElemType::F32,
                    dims: dims.clone(),
                },
            ),
            param("rounds", ParamType::Scalar(ElemType::I64)),
        ],
        results: (0..results).map(|_| result()).collect(),
        plan,
        location: None,
    });
    artifact
}

/// A new array of doubled elements.
fn doubled(b: &mut PlanBuilder, given: Given, x: Slot) -> Slot {
    let next = b.alloc(ElemType::F32, given.n);
    let width = b.index(128);
    let blocks = b.binary(BinaryOp::CeilDiv, given.n, width);
    b.launch(
        DOUBLE,
        [blocks, given.one, given.one],
        [width, given.one, given.one],
        None,
        &[x, next, given.n],
    );
    next
}

/// The first elements of the results, and the report.
fn run(artifact: &Artifact, rounds: i64) -> (Vec<f32>, RunReport) {
    let device = HostDevice::new();
    let program = Program::load(artifact.clone(), device.clone()).unwrap();
    let args = [
        Array::vector(&[1.0f32; 300]).into(),
        Scalar::i64(rounds).into(),
    ];
    let output = program
        .entry("main")
        .unwrap()
        .run_with(&args, &RunOptions::default())
        .unwrap();
    assert_eq!(
        (output.report.leaked.as_slice(), device.live()),
        (&[][..], 0)
    );
    let first = output
        .results
        .iter()
        .map(|value| value.to_array().to_vec::<f32>().unwrap()[0])
        .collect();
    (first, output.report)
}

/// Runs few rounds and many, which must take the same memory. The outcome of few rounds.
#[track_caller]
fn flat(artifact: &Artifact) -> Vec<f32> {
    let ((few, a), (_, b)) = (run(artifact, 8), run(artifact, 80));
    assert!(a.allocations < b.allocations, "rounds allocate");
    assert_eq!(
        (a.peak_bytes, a.device_allocations),
        (b.peak_bytes, b.device_allocations)
    );
    assert_eq!(a.peak_held_bytes, b.peak_held_bytes);
    few
}

#[test]
fn two_arrays_that_change_places() {
    let artifact = program(2, |b, given| {
        b.for_(
            given.zero,
            given.rounds,
            given.one,
            &[given.x, given.x],
            |b, _, carried| vec![carried[1], doubled(b, given, carried[0])],
        )
    });
    assert_eq!(flat(&artifact), [16.0, 16.0]);
    // The argument and three: two that are carried, and the next one.
    assert_eq!(run(&artifact, 80).1.peak_bytes, 4 * 1200);
}

#[test]
fn three_arrays_that_change_places() {
    let artifact = program(3, |b, given| {
        b.for_(
            given.zero,
            given.rounds,
            given.one,
            &[given.x; 3],
            |b, _, carried| vec![carried[1], carried[2], doubled(b, given, carried[0])],
        )
    });
    assert_eq!(flat(&artifact), [4.0, 8.0, 8.0]);
}

#[test]
fn one_array_carried_twice() {
    let artifact = program(2, |b, given| {
        b.for_(
            given.zero,
            given.rounds,
            given.one,
            &[given.x, given.x],
            |b, _, carried| {
                let next = doubled(b, given, carried[0]);
                // Overwritten in one round, still held by the other carried value.
                vec![next, next]
            },
        )
    });
    assert_eq!(flat(&artifact), [256.0, 256.0]);
}

#[test]
fn an_array_dropped_by_one_carried_value_lives_on_in_another() {
    let artifact = program(2, |b, given| {
        b.for_(
            given.zero,
            given.rounds,
            given.one,
            &[given.x, given.x],
            |b, _, carried| vec![doubled(b, given, carried[1]), carried[0]],
        )
    });
    assert_eq!(flat(&artifact), [16.0, 16.0]);
}

#[test]
fn a_loop_with_a_condition() {
    let artifact = program(1, |b, given| {
        let last = b.while_(
            &[given.zero, given.x, given.x],
            |b, args| {
                let more = b.compare(Compare::Lt, args[0], given.rounds);
                (more, args.to_vec())
            },
            |b, args| {
                let next = doubled(b, given, args[1]);
                vec![b.binary(BinaryOp::Add, args[0], given.one), args[2], next]
            },
        );
        vec![last[1]]
    });
    assert_eq!(flat(&artifact), [16.0]);
}

#[test]
fn a_branch_that_keeps_an_array_or_makes_one() {
    let artifact = program(1, |b, given| {
        let two = b.index(2);
        b.for_(
            given.zero,
            given.rounds,
            given.one,
            &[given.x],
            |b, index, carried| {
                let parity = b.binary(BinaryOp::Rem, index, two);
                let odd = b.compare(Compare::Eq, parity, given.one);
                let kept = carried[0];
                b.if_(odd, |b| vec![doubled(b, given, kept)], |_| vec![kept])
            },
        )
    });
    assert_eq!(flat(&artifact), [16.0]);
}

#[test]
fn loops_in_loops() {
    let artifact = program(1, |b, given| {
        let two = b.index(2);
        b.for_(
            given.zero,
            given.rounds,
            given.one,
            &[given.x],
            |b, _, outer| {
                let inner = b.for_(
                    given.zero,
                    two,
                    given.one,
                    &[outer[0], given.x],
                    |b, _, inner| vec![doubled(b, given, inner[0]), inner[0]],
                );
                vec![inner[1]]
            },
        )
    });
    assert_eq!(flat(&artifact), [256.0]);
}

#[test]
fn an_array_that_grows_does_not_keep_its_earlier_sizes() {
    let artifact = program(1, |b, given| {
        let last = b.for_(
            given.zero,
            given.rounds,
            given.one,
            &[given.x],
            |b, index, _| {
                let grown = b.binary(BinaryOp::Add, given.n, index);
                let other = b.alloc(ElemType::F32, grown);
                let one = b.constant(Scalar::f32(1.0));
                b.fill(other, one, grown);
                vec![other]
            },
        );
        vec![last[0]]
    });
    let report = run(&artifact, 1000).1;
    // The argument and the last array. As much again may wait in the pool, and what was freed in the last round.
    assert_eq!(report.peak_bytes, 4 * (300 + 1299));
    assert!(
        report.peak_held_bytes <= 3 * report.peak_bytes,
        "{}",
        report.peak_held_bytes
    );
}

#[test]
fn the_report_of_many_rounds_is_bounded() {
    let artifact = program(1, |b, given| {
        b.for_(
            given.zero,
            given.rounds,
            given.one,
            &[given.x],
            |b, _, carried| vec![doubled(b, given, carried[0])],
        )
    });
    let report = run(&artifact, 3000).1;
    assert_eq!(
        (report.launched, report.launches.len()),
        (3000, RunReport::RECORDS)
    );
}
