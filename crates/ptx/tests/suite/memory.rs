//! Loads, stores and copies in every state space and width.

use crate::common::{Arg, Device, kernel, parse};

const PARAMS: &str = ".param .u64 in, .param .u64 out";
const HEAD: &str = "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x;";

fn run<I: crate::common::Element, O: crate::common::Element>(
    body: &str,
    input: &[I],
    out: &[O],
    threads: u32,
) -> Vec<O> {
    let module = parse(&kernel("k", PARAMS, &format!("{HEAD}\n{body}")));
    let mut device = Device::new();
    let (i, o) = (device.buffer("in", input), device.buffer("out", out));
    device.launch(&module, "k", 1, threads, &[Arg::U64(i), Arg::U64(o)]);
    device.read(o, out.len())
}

#[test]
fn narrow_loads_extend_and_narrow_stores_cut() {
    let input: Vec<u8> = (0..64u8)
        .map(|i| i.wrapping_mul(5).wrapping_add(120))
        .collect();
    let body = "cvt.u64.u32 %rd3, %r1; add.u64 %rd4, %rd1, %rd3; mul.wide.u32 %rd5, %r1, 16; add.u64 %rd6, %rd2, %rd5;
                ld.global.s8 %r2, [%rd4]; ld.global.u8 %rd7, [%rd4];
                st.global.u32 [%rd6], %r2; st.global.u8 [%rd6+4], %r2; st.global.u16 [%rd6+6], %r2; st.global.u64 [%rd6+8], %rd7;";
    let out = run(body, &input, &[0u32; 4 * 64], 64);
    for (i, &byte) in input.iter().enumerate() {
        let extended = byte as i8 as i32 as u32;
        assert_eq!(out[4 * i], extended);
        assert_eq!(out[4 * i + 1], u32::from(byte) | extended << 16);
        assert_eq!((out[4 * i + 2], out[4 * i + 3]), (u32::from(byte), 0));
    }
}

#[test]
fn vectors_of_every_width() {
    let input: Vec<u32> = (0..32 * 8).map(|i| i * 77).collect();
    let body = "mul.wide.u32 %rd3, %r1, 32; add.u64 %rd4, %rd1, %rd3; add.u64 %rd5, %rd2, %rd3;
                ld.global.nc.L1::no_allocate.L2::128B.v4.b32 {%r2, %r3, %r4, %r5}, [%rd4];
                ld.global.v2.u64 {%rd6, %rd7}, [%rd4+16];
                st.global.v2.b64 [%rd5], {%rd6, %rd7}; st.global.cs.v4.u32 [%rd5+16], {%r5, %r4, %r3, %r2};";
    let out = run(body, &input, &vec![0u32; input.len()], 32);
    for (i, o) in input.chunks(8).zip(out.chunks(8)) {
        assert_eq!(o, [i[4], i[5], i[6], i[7], i[3], i[2], i[1], i[0]]);
    }
}

#[test]
fn static_dynamic_and_local_memory_do_not_overlap() {
    let text = format!(
        ".version 7.8\n.target sm_80\n.address_size 64\n.extern .shared .align 16 .b8 dyn[];\n.shared .align 4 .u32 fixed[32];\n{}",
        kernel(
            "k",
            ".param .u64 out",
            ".local .align 8 .b8 depot[8]; .shared .align 4 .b8 own[128];
             ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;
             mov.u64 %rd3, fixed; add.u64 %rd3, %rd3, %rd2; st.shared.u32 [%rd3], %r1;
             mov.u64 %rd4, own; add.u64 %rd4, %rd4, %rd2; add.u32 %r2, %r1, 100; st.shared.u32 [%rd4], %r2;
             mov.u64 %rd5, dyn; add.u64 %rd5, %rd5, %rd2; add.u32 %r3, %r1, 200; st.shared.u32 [%rd5], %r3;
             add.u32 %r4, %r1, 300; st.local.u32 [depot+4], %r4;
             bar.sync 0;
             xor.b32 %r5, %r1, 1; mul.wide.u32 %rd6, %r5, 4;
             mov.u64 %rd7, fixed; add.u64 %rd7, %rd7, %rd6; ld.shared.u32 %r6, [%rd7];
             mov.u64 %rd8, own; add.u64 %rd8, %rd8, %rd6; cvta.shared.u64 %rd8, %rd8; ld.u32 %r7, [%rd8];
             mov.u64 %rd9, dyn; add.u64 %rd9, %rd9, %rd6; ld.shared.u32 %r8, [%rd9];
             mov.u64 %rd10, depot; cvta.local.u64 %rd10, %rd10; ld.u32 %r9, [%rd10+4];
             mul.wide.u32 %rd11, %r1, 16; add.u64 %rd1, %rd1, %rd11;
             st.global.v4.u32 [%rd1], {%r6, %r7, %r8, %r9};",
        )
        .split_once(".address_size 64\n")
        .expect("the helper writes a header")
        .1
    );
    let module = parse(&text);
    assert_eq!(module.kernels()[0].static_shared_bytes(), 256);
    let mut device = Device::new();
    let out = device.buffer("out", &[0u32; 128]);
    let config = segra_ptx::LaunchConfig {
        grid: [1, 1, 1],
        block: [32, 1, 1],
        dynamic_shared: 128,
    };
    let params = crate::common::params(&[Arg::U64(out)]);
    segra_ptx::launch(
        &module,
        "k",
        &config,
        &params,
        &device.memory,
        &device.options,
    )
    .unwrap();
    for (i, got) in device.read::<u32>(out, 128).chunks(4).enumerate() {
        let (i, other) = (i as u32, i as u32 ^ 1);
        assert_eq!(got, [other, other + 100, other + 200, i + 300]);
    }
}

#[test]
fn asynchronous_copies_fill_the_rest_with_zeros() {
    let input: Vec<u32> = (1..=128).collect();
    let body = ".shared .align 16 .b8 tile[512];
                mul.wide.u32 %rd3, %r1, 16; add.u64 %rd4, %rd1, %rd3; mov.u64 %rd5, tile; add.u64 %rd5, %rd5, %rd3;
                and.b32 %r2, %r1, 3; shl.b32 %r2, %r2, 2;
                cp.async.cg.shared.global [%rd5], [%rd4], 16, %r2;
                cp.async.commit_group; cp.async.wait_group 0; bar.sync 0;
                ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%rd5];
                add.u64 %rd6, %rd2, %rd3; st.global.v4.u32 [%rd6], {%r3, %r4, %r5, %r6};";
    let out = run(body, &input, &[9u32; 128], 32);
    for (i, &got) in out.iter().enumerate() {
        let (lane, part) = (i / 4, i % 4);
        assert_eq!(got, if part < lane % 4 { input[i] } else { 0 });
    }
}

#[test]
fn generic_loads_split_by_window_and_isspacep_tells_them_apart() {
    let body = ".shared .align 4 .u32 s[1]; .local .align 4 .b8 l[4];
                st.shared.u32 [s], 11; st.local.u32 [l], 22; bar.sync 0;
                mov.u64 %rd3, s; cvta.shared.u64 %rd3, %rd3; mov.u64 %rd4, l; cvta.local.u64 %rd4, %rd4;
                rem.u32 %r2, %r1, 3; setp.eq.u32 %p1, %r2, 1; selp.u64 %rd5, %rd3, %rd1, %p1;
                setp.eq.u32 %p2, %r2, 2; selp.u64 %rd5, %rd4, %rd5, %p2;
                ld.u32 %r3, [%rd5];
                isspacep.shared %p3, %rd5; selp.u32 %r4, 100, 0, %p3; add.u32 %r3, %r3, %r4;
                isspacep.global %p4, %rd5; selp.u32 %r4, 1000, 0, %p4; add.u32 %r3, %r3, %r4;
                mul.wide.u32 %rd6, %r1, 4; add.u64 %rd6, %rd2, %rd6; st.u32 [%rd6], %r3;";
    let out = run(body, &[33u32], &[0u32; 32], 32);
    for (i, got) in out.into_iter().enumerate() {
        assert_eq!(got, [1033, 111, 22][i % 3]);
    }
}

#[test]
fn parameters_may_be_arrays_read_by_a_computed_address() {
    let module = parse(&kernel(
        "k",
        ".param .align 8 .b8 table[32], .param .u64 out",
        "mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 7; mul.wide.u32 %rd1, %r2, 4; mov.b64 %rd2, table; add.u64 %rd3, %rd2, %rd1;
         ld.param.u32 %r3, [%rd3]; ld.param.u64 %rd4, [out]; mul.wide.u32 %rd5, %r1, 4; add.u64 %rd4, %rd4, %rd5;
         cvta.param.u64 %rd6, %rd2; ld.u32 %r4, [%rd6+4]; add.u32 %r3, %r3, %r4; st.global.u32 [%rd4], %r3;",
    ));
    let kernel = &module.kernels()[0];
    assert_eq!(
        (
            kernel.params()[0].size,
            kernel.params()[1].offset,
            kernel.param_bytes()
        ),
        (32, 32, 40)
    );
    let mut device = Device::new();
    let out = device.buffer("out", &[0u32; 32]);
    let mut args: Vec<Arg> = (0..8).map(|v| Arg::U32(v * v)).collect();
    args.push(Arg::U64(out));
    device.launch(&module, "k", 1, 32, &args);
    let got: Vec<u32> = device.read(out, 32);
    assert!(
        got.iter()
            .enumerate()
            .all(|(i, &v)| v == (i as u32 & 7).pow(2) + 1)
    );
}

#[test]
fn strided_access_counts_sectors() {
    for (stride, sectors) in [(4u32, 4u64), (8, 8), (16, 16), (32, 32), (64, 32)] {
        let module = parse(&kernel(
            "k",
            ".param .u64 in, .param .u32 stride",
            "ld.param.u64 %rd1, [in]; ld.param.u32 %r2, [stride]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, %r2;
             add.u64 %rd1, %rd1, %rd2; ld.global.u32 %r3, [%rd1]; st.global.u32 [%rd1], %r3;",
        ));
        let mut device = Device::new();
        let buffer = device.buffer("in", &[0u32; 1024]);
        let stats = device.launch(&module, "k", 1, 32, &[Arg::U64(buffer), Arg::U32(stride)]);
        assert_eq!(
            (stats.global_sectors_read, stats.global_sectors_written),
            (sectors, sectors),
            "stride {stride}"
        );
        assert_eq!((stats.global_bytes_read, stats.global_requests), (128, 2));
    }
}
