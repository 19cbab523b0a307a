//! A sample artifact that uses every kind of instruction, for the artifact's tests.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses a part of it"
)]

use segra_artifact::{
    Access, Artifact, BinaryOp, Chip, Compare, Convert, Dim, ElemType, Entry, EntryParam,
    EntryResult, Kernel, KernelParam, LocationId, ParamType, PlanBuilder, PlanId, ResultType,
    Scalar, SizeId, SlotType, Tunable, UnaryOp,
};

/// `repeat(n, times, x: f32[n]) -> (f32[n], f32)`: launches a kernel in loops and branches.
pub fn sample() -> Artifact {
    let mut artifact = Artifact::new("segra test");
    artifact.add_target(Chip::sm(7, 5), ".version 6.3\n.target sm_75\n");
    artifact.add_target(Chip::sm(9, 0), ".version 7.8\n.target sm_90\n");
    let place = artifact.source_map.add("repeat.mlir", 3, 7);
    let kernel = artifact.add_kernel(step_kernel(place));
    let threshold = artifact.add_tunable(Tunable {
        name: "repeat.threshold".to_owned(),
        default: 1 << 15,
        min: 0,
        max: i64::MAX,
        compared: "n".to_owned(),
        under: None,
        location: Some(place),
    });
    let site = artifact.add_site(
        "{0} repetitions asked for, at least 1 is needed",
        Some(place),
    );
    let helper = artifact.add_plan(helper_plan());

    let mut b = PlanBuilder::new("repeat");
    let n = b.index_param();
    let times = b.param(SlotType::Scalar(ElemType::I32));
    let x = b.param(SlotType::Buffer(ElemType::F32));
    b.set_location(Some(place));
    let times = b.convert(Convert::Signed, times, ElemType::I64);
    let (zero, one, width) = (b.index(0), b.index(1), b.index(256));
    let enough = b.compare(Compare::Ge, times, one);
    b.check(enough, site, &[times]);
    let (current, next) = (b.alloc(ElemType::F32, n), b.alloc(ElemType::F32, n));
    b.copy(current, x, n);
    let nothing = b.constant(Scalar::f32(0.0));
    b.fill(next, nothing, n);
    let large = b.at_least(n, threshold);
    let blocks = b.call(helper, &[n, width], &[SlotType::INDEX])[0];
    let grid = b.if_(large, |_| vec![blocks], |_| vec![one])[0];
    let both = b.for_(zero, times, one, &[current, next], |b, _, carried| {
        b.launch(
            kernel,
            [grid, one, one],
            [width, one, one],
            Some(zero),
            &[carried[0], carried[1], n],
        );
        vec![carried[1], carried[0]]
    });
    let count = b.while_(
        &[n],
        |b, args| (b.compare(Compare::Gt, args[0], one), vec![args[0]]),
        |b, args| {
            let two = b.index(2);
            vec![b.binary(BinaryOp::Div, args[0], two)]
        },
    )[0];
    let tail = b.slice(both[0], zero, count);
    let first = b.read_elem(tail, zero);
    let first = b.unary(UnaryOp::Neg, first);
    let chosen = b.select(large, nothing, first);
    b.write_elem(both[1], zero, chosen);
    b.free(both[1]);
    let plan = b.finish(&[both[0], n, chosen]).expect("a well-formed plan");
    let plan = artifact.add_plan(plan);

    artifact.entries.push(entry(plan, place));
    artifact
}

fn helper_plan() -> segra_artifact::Plan {
    let mut b = PlanBuilder::new("blocks");
    let (n, width) = (b.index_param(), b.index_param());
    let blocks = b.binary(BinaryOp::CeilDiv, n, width);
    b.finish(&[blocks]).expect("a well-formed plan")
}

fn step_kernel(place: LocationId) -> Kernel {
    Kernel {
        name: "step".to_owned(),
        params: vec![
            KernelParam::Buffer {
                elem: ElemType::F32,
                access: Access::Read,
            },
            KernelParam::Buffer {
                elem: ElemType::F32,
                access: Access::Write,
            },
            KernelParam::Scalar(ElemType::I64),
            KernelParam::ErrorRecord,
        ],
        static_shared_bytes: 128,
        max_threads_per_block: 256,
        summary: "segmap over n".to_owned(),
        location: Some(place),
    }
}

fn entry(plan: PlanId, place: LocationId) -> Entry {
    let size = SizeId(0);
    let array = |dims| ParamType::Array {
        elem: ElemType::F32,
        dims,
    };
    Entry {
        name: "repeat".to_owned(),
        sizes: vec!["n".to_owned()],
        params: vec![
            EntryParam {
                name: "times".to_owned(),
                ty: ParamType::Scalar(ElemType::I32),
            },
            EntryParam {
                name: "x".to_owned(),
                ty: array(vec![Dim::Size(size)]),
            },
        ],
        results: vec![
            EntryResult {
                name: String::new(),
                ty: ResultType::Array {
                    elem: ElemType::F32,
                    dims: vec![Dim::Size(size)],
                },
            },
            EntryResult {
                name: "first".to_owned(),
                ty: ResultType::Scalar(ElemType::F32),
            },
        ],
        plan,
        location: Some(place),
    }
}
