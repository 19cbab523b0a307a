//! Atomics and reductions in memory, from many threads on one location.

use crate::common::{Arg, Device, Element, kernel, parse};

/// Runs `body` on 4 blocks of 64 threads with `%rd1` the address of a cell and `%r1` the thread's number.
fn run<T: Element>(body: &str, start: T) -> T {
    let head = "ld.param.u64 %rd1, [cell]; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r1, %r2, 64, %r3;";
    let module = parse(&kernel("k", ".param .u64 cell", &format!("{head}\n{body}")));
    let mut device = Device::new();
    let cell = device.buffer("cell", &[start]);
    device.launch(&module, "k", 4, 64, &[Arg::U64(cell)]);
    device.read::<T>(cell, 1)[0]
}

#[test]
fn integer_operations_on_global_memory() {
    let all = 0..256u32;
    assert_eq!(
        run("atom.global.add.u32 %r4, [%rd1], %r1;", 5u32),
        5 + all.clone().sum::<u32>()
    );
    assert_eq!(
        run("red.relaxed.gpu.global.max.s32 [%rd1], %r1;", -5i32),
        255
    );
    assert_eq!(
        run("neg.s32 %r1, %r1; red.global.min.s32 [%rd1], %r1;", 7i32),
        -255
    );
    assert_eq!(run("atom.global.min.u32 %r4, [%rd1], %r1;", 7u32), 0);
    assert_eq!(
        run("red.global.xor.b32 [%rd1], %r1;", 9u32),
        all.clone().fold(9, |a, b| a ^ b)
    );
    assert_eq!(run("red.global.or.b32 [%rd1], %r1;", 0x100u32), 0x1ff);
    assert_eq!(
        run(
            "not.b32 %r1, %r1; red.global.and.b32 [%rd1], %r1;",
            u32::MAX
        ),
        !0xff
    );
    assert_eq!(run("atom.global.inc.u32 %r4, [%rd1], 99;", 0u32), 56);
    assert_eq!(run("atom.global.dec.u32 %r4, [%rd1], 99;", 10u32), 54);
    assert_eq!(
        run(
            "cvt.u64.u32 %rd2, %r1; red.global.add.u64 [%rd1], %rd2;",
            1u64 << 40
        ),
        (1 << 40) + 32_640
    );
    assert_eq!(
        run(
            "cvt.s64.s32 %rd2, %r1; atom.global.max.s64 %rd3, [%rd1], %rd2;",
            -1i64
        ),
        255
    );
    assert_eq!(
        run(
            "cvta.to.global.u64 %rd1, %rd1; atom.add.u32 %r4, [%rd1], 1;",
            0u32
        ),
        256
    );
}

#[test]
fn float_operations_on_global_memory() {
    // Small integers sum exactly in any order.
    assert_eq!(
        run(
            "cvt.rn.f32.u32 %f1, %r1; atom.global.add.f32 %f2, [%rd1], %f1;",
            0.5f32
        ),
        32_640.5
    );
    assert_eq!(
        run(
            "cvt.rn.f64.u32 %fd1, %r1; red.global.add.f64 [%rd1], %fd1;",
            0.25f64
        ),
        32_640.25
    );
    // Two halves of 256 ones each.
    assert_eq!(
        run(
            "mov.u32 %r4, 0x3C003C00; red.global.add.noftz.f16x2 [%rd1], %r4;",
            0u32
        ),
        0x5c00_5c00
    );
}

#[test]
fn old_values_of_exchange_and_add_are_a_permutation() {
    let body = "ld.param.u64 %rd1, [cell]; mov.u32 %r1, %tid.x;
                atom.global.add.u32 %r2, [%rd1], 1; mul.wide.u32 %rd2, %r2, 4; add.u64 %rd2, %rd1, %rd2;
                atom.global.exch.b32 %r3, [%rd2+4], %r1;";
    let module = parse(&kernel("k", ".param .u64 cell", body));
    let mut device = Device::new();
    let cells = device.buffer("cells", &[0u32; 129]);
    device.launch(&module, "k", 1, 128, &[Arg::U64(cells)]);
    let mut got = device.read::<u32>(cells, 129)[1..].to_vec();
    got.sort_unstable();
    assert_eq!(got, (0..128).collect::<Vec<u32>>());
}

#[test]
fn compare_and_swap_loops_add_floats() {
    let body = "cvt.rn.f32.u32 %f1, %r1; ld.global.b32 %r5, [%rd1];
                $again: mov.b32 %f2, %r5; add.f32 %f3, %f2, %f1; mov.b32 %r6, %f3;
                atom.relaxed.gpu.global.cas.b32 %r7, [%rd1], %r5, %r6;
                setp.ne.u32 %p1, %r7, %r5; mov.u32 %r5, %r7; @%p1 bra $again;";
    assert_eq!(run(body, 0f32), 32_640.0);
}

#[test]
fn shared_memory_atomics_stay_in_their_block() {
    let body = ".shared .align 8 .b8 s[16];
                setp.eq.u32 %p1, %r3, 0; @%p1 st.shared.u32 [s], 0; @%p1 st.shared.u64 [s+8], 0; bar.sync 0;
                atom.shared.add.u32 %r4, [s], 1; cvt.u64.u32 %rd5, %r3; red.shared.max.u64 [s+8], %rd5;
                bar.sync 0; ld.shared.u32 %r5, [s]; ld.shared.u32 %r6, [s+8]; mad.lo.u32 %r5, %r5, 1000, %r6;
                @%p1 red.global.add.u32 [%rd1], %r5;";
    assert_eq!(run(body, 0u32), 4 * (64 * 1000 + 63));
}

#[test]
fn vector_reductions_update_each_element() {
    let body = "ld.param.u64 %rd1, [cell]; mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f40000000;
                red.global.add.v2.f32 [%rd1], {%f1, %f2};";
    let module = parse(&kernel("k", ".param .u64 cell", body));
    let mut device = Device::new();
    let cells = device.buffer("cells", &[0f32; 2]);
    device.launch(&module, "k", 2, 32, &[Arg::U64(cells)]);
    assert_eq!(device.read::<f32>(cells, 2), [64.0, 128.0]);
}
