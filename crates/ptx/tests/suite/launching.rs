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
