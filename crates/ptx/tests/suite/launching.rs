//! Whole kernels: grids, parameters, loops, shared memory, calls, module variables.

use crate::common::{Arg, Device, kernel, parse};

#[test]
fn saxpy_over_several_blocks_leaves_the_tail_alone() {
    let module = parse(&kernel(
        "saxpy",
        ".param .u64 x, .param .u64 y, .param .f32 a, .param .u32 n",
        "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.param.f32 %f1, [a]; ld.param.u32 %r1, [n];
         cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;
         mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
         mad.lo.s32 %r5, %r2, %r3, %r4;
         setp.ge.u32 %p1, %r5, %r1;
         @%p1 bra $done;
         mul.wide.u32 %rd3, %r5, 4;
         add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;
         ld.global.f32 %f2, [%rd4]; ld.global.f32 %f3, [%rd5];
         fma.rn.f32 %f3, %f1, %f2, %f3;
         st.global.f32 [%rd5], %f3;
         $done:",
    ));
    let mut device = Device::new();
    let n = 1000;
    let x: Vec<f32> = (0..n).map(|i| i as f32 * 0.5).collect();
    let y: Vec<f32> = (0..n).map(|i| 1000.0 - i as f32).collect();
    let (dx, dy) = (device.buffer("x", &x), device.buffer("y", &y));
    let stats = device.launch(
        &module,
        "saxpy",
        8,
        128,
        &[Arg::U64(dx), Arg::U64(dy), Arg::F32(3.0), Arg::U32(n - 1)],
    );
    let out: Vec<f32> = device.read(dy, n as usize);
    for i in 0..n as usize - 1 {
        assert_eq!(out[i], 3.0f32.mul_add(x[i], y[i]));
    }
    assert_eq!(out[n as usize - 1], y[n as usize - 1]);
    assert_eq!(stats.threads, 1024);
    assert_eq!(stats.global_bytes_written, 4 * (u64::from(n) - 1));
    assert_eq!(stats.warp_instructions.float32, 32);
    assert_eq!(stats.divergent_branches, 1);
}

#[test]
fn host_threads_change_neither_results_nor_counts() {
    let module = parse(include_str!("../ptx/compute.ptx"));
    let run = |threads| {
        let mut device = Device::new();
        device.options.threads = Some(threads);
        let values: Vec<f32> = (0..64 * 64).map(|i| (i % 97) as f32 / 7.0).collect();
        let (a, c) = (device.buffer("a", &values), device.buffer("c", &values));
        let args = [Arg::U64(a), Arg::U64(a), Arg::U64(c), Arg::U32(64)];
        let stats = device
            .try_launch(&module, "matmul_tiled", [4, 4, 1], [16, 16, 1], &args)
            .expect("runs");
        (stats, device.read::<u32>(c, 64 * 64))
    };
    assert_eq!(run(1), run(5));
}

#[test]
fn grids_and_blocks_have_three_dimensions() {
    let module = parse(&kernel(
        "ids",
        ".param .u64 out",
        "ld.param.u64 %rd1, [out];
         mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z; mov.u32 %r4, %ntid.x; mov.u32 %r5, %ntid.y;
         mov.u32 %r6, %ctaid.x; mov.u32 %r7, %ctaid.y; mov.u32 %r8, %ctaid.z; mov.u32 %r9, %nctaid.x; mov.u32 %r10, %nctaid.y;
         mad.lo.u32 %r11, %r8, %r10, %r7; mad.lo.u32 %r11, %r11, %r9, %r6;
         mov.u32 %r12, %ntid.z; mad.lo.u32 %r13, %r11, %r12, %r3; mad.lo.u32 %r13, %r13, %r5, %r2; mad.lo.u32 %r13, %r13, %r4, %r1;
         mul.wide.u32 %rd2, %r13, 4; add.u64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r13;",
    ));
    let mut device = Device::new();
    let (grid, block) = ([3, 2, 2], [5, 4, 3]);
    let out = device.buffer("out", &[0u32; 720]);
    device
        .try_launch(&module, "ids", grid, block, &[Arg::U64(out)])
        .expect("runs");
    assert_eq!(device.read::<u32>(out, 720), (0..720).collect::<Vec<u32>>());
}

#[test]
fn lines_count_their_executions() {
    let module = parse(&kernel(
        "k",
        "",
        "mov.u32 %r1, %tid.x;\n$l:\nadd.s32 %r2, %r1, 1;\nsetp.lt.u32 %p1, %r1, 7;\n@%p1 add.s32 %r3, %r2, 1;",
    ));
    let stats = Device::new().launch(&module, "k", 2, 40, &[]);
    let guarded = stats.lines[stats.lines.len() - 2];
    assert_eq!(
        (guarded.warp_instructions, guarded.thread_instructions),
        (4, 14)
    );
    assert_eq!(stats.warp_instructions.total(), 4 * 5);
    assert_eq!(stats.warp_instructions.integer, 8);
}

/// Every block stores a word, then all wait for each other, then each reads the next one's; twice.
const GRID_BARRIER: &str = "ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [count]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x; mov.u32 %r3, %tid.x;
    mov.u32 %r4, 0; mov.u32 %r9, %r1; mul.wide.u32 %rd3, %r1, 4; add.u64 %rd4, %rd1, %rd3;
    add.u32 %r5, %r1, 1; rem.u32 %r5, %r5, %r2; mul.wide.u32 %rd5, %r5, 4; add.u64 %rd6, %rd1, %rd5; setp.ne.u32 %p1, %r3, 0;
    ROUND: @!%p1 st.global.u32 [%rd4], %r9; add.u32 %r4, %r4, %r2;
    bar.sync 0; @%p1 bra BEHIND; fence.acq_rel.gpu; atom.global.add.u32 %r6, [%rd2], 1;
    SPIN: ld.relaxed.gpu.global.u32 %r6, [%rd2]; setp.lt.u32 %p2, %r6, %r4; @%p2 bra SPIN; fence.acq_rel.gpu;
    BEHIND: bar.sync 0; ld.global.u32 %r9, [%rd6];
    add.u32 %r4, %r4, %r2; bar.sync 0; @%p1 bra AGAIN; fence.acq_rel.gpu; atom.global.add.u32 %r6, [%rd2], 1;
    WAIT: ld.relaxed.gpu.global.u32 %r6, [%rd2]; setp.lt.u32 %p2, %r6, %r4; @%p2 bra WAIT; fence.acq_rel.gpu;
    AGAIN: bar.sync 0; mul.lo.u32 %r7, %r2, 4; setp.lt.u32 %p3, %r4, %r7; @%p3 bra ROUND;
    @!%p1 st.global.u32 [%rd4], %r9;";

#[test]
fn blocks_may_wait_for_blocks_behind_them() {
    let module = parse(&kernel(
        "k",
        ".param .u64 out, .param .u64 count",
        GRID_BARRIER,
    ));
    for threads in [1, 3] {
        let mut device = Device::new();
        device.options.threads = Some(threads);
        let out = device.buffer("out", &[0u32; 7]);
        let count = device.buffer("count", &[0u32]);
        let stats = device.launch(&module, "k", 7, 64, &[Arg::U64(out), Arg::U64(count)]);
        assert!(stats.findings.is_empty(), "{:#?}", stats.findings);
        // Two places further on, round the grid.
        assert_eq!(device.read::<u32>(out, 7), [2, 3, 4, 5, 6, 0, 1]);
    }
}

#[test]
fn a_barrier_of_the_grid_without_a_fence_is_a_race() {
    let body = GRID_BARRIER.replace("BEHIND; fence.acq_rel.gpu;", "BEHIND;");
    let module = parse(&kernel("k", ".param .u64 out, .param .u64 count", &body));
    let mut device = Device::new();
    device.options.threads = Some(1);
    let out = device.buffer("out", &[0u32; 3]);
    let count = device.buffer("count", &[0u32]);
    let args = [Arg::U64(out), Arg::U64(count)];
    let stats = device
        .try_launch(&module, "k", [3, 1, 1], [64, 1, 1], &args)
        .expect("it ends");
    let races = stats
        .findings
        .iter()
        .any(|found| found.to_string().contains("nothing orders them"));
    assert!(races, "{:#?}", stats.findings);
}

#[test]
fn a_fault_ends_blocks_that_wait_for_the_faulty_one() {
    let body = GRID_BARRIER.replace("ROUND: ", "setp.eq.u32 %p4, %r1, 2; @%p4 trap;\nROUND: ");
    let module = parse(&kernel("k", ".param .u64 out, .param .u64 count", &body));
    for threads in [1, 2] {
        let mut device = Device::new();
        device.options.threads = Some(threads);
        let out = device.buffer("out", &[0u32; 3]);
        let count = device.buffer("count", &[0u32]);
        let args = [Arg::U64(out), Arg::U64(count)];
        let fault = device.try_launch(&module, "k", [3, 1, 1], [64, 1, 1], &args);
        assert_eq!(fault.expect_err("it traps").block, [2, 0, 0]);
    }
}
