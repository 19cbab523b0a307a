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
