//! Instructions and calls beyond the common core: dot products of bytes, packing, sixteen-byte registers and atomics,
//! calls through registers, `printf`, `assert`.

use crate::common::{Arg, Device, kernel, parse};
use crate::single::{Out, check, words};
use segra_ptx::FaultReason;

#[test]
fn dot_products_of_halves_and_bytes() {
    let byte = |v: u32, at: u32| (v >> (8 * at)) as u8;
    words("dp2a.lo.u32.u32 %r0, %r1, %r2, %r3;", |a, b, c| {
        c.wrapping_add((a & 0xffff) * u32::from(byte(b, 0)))
            .wrapping_add((a >> 16) * u32::from(byte(b, 1)))
    });
    words("dp2a.hi.s32.s32 %r0, %r1, %r2, %r3;", |a, b, c| {
        let product =
            |half: u32, at: u32| (i32::from(half as i16) * i32::from(byte(b, at) as i8)) as u32;
        c.wrapping_add(product(a, 2))
            .wrapping_add(product(a >> 16, 3))
    });
    words("dp2a.lo.s32.u32 %r0, %r1, %r2, %r3;", |a, b, c| {
        let product = |half: u32, at: u32| (i32::from(half as i16) * i32::from(byte(b, at))) as u32;
        c.wrapping_add(product(a, 0))
            .wrapping_add(product(a >> 16, 1))
    });
}

#[test]
fn packing_with_saturation() {
    words("cvt.pack.sat.u16.s32 %r0, %r1, %r2;", |a, b, _| {
        let one = |v: u32| (v as i32).clamp(0, 0xffff) as u32;
        one(b) | one(a) << 16
    });
    words("cvt.pack.sat.s8.s32.b32 %r0, %r1, %r2, %r3;", |a, b, c| {
        let one = |v: u32| u32::from((v as i32).clamp(-128, 127) as u8);
        one(b) | one(a) << 8 | c << 16
    });
    words("min.relu.s32 %r0, %r1, %r2;", |a, b, _| {
        (a as i32).min(b as i32).max(0) as u32
    });
    words("max.relu.s16x2 %r0, %r1, %r2;", |a, b, _| {
        let one = |s: u32| u32::from((((a >> s) as i16).max((b >> s) as i16)).max(0) as u16);
        one(0) | one(16) << 16
    });
    words("mad24.hi.u32 %r0, %r1, %r2, %r3;", |a, b, c| {
        (((u64::from(a & 0xff_ffff) * u64::from(b & 0xff_ffff)) >> 16) as u32).wrapping_add(c)
    });
    words("mad24.hi.sat.s32 %r0, %r1, %r2, %r3;", |a, b, c| {
        let low = |v: u32| i64::from((v as i32) << 8 >> 8);
        (((low(a) * low(b)) >> 16) as i32).saturating_add(c as i32) as u32
    });
}

/// The comparison of each half of the words, with `ones` where it holds.
fn each_half(ones: u16, holds: impl Fn(u16, u16) -> bool) -> impl Fn(u64, u64, u64) -> u64 {
    let of = move |a: u64, b: u64| u64::from(ones) * u64::from(holds(a as u16, b as u16));
    move |a, b, _| of(a, b) | of(a >> 16, b >> 16) << 16
}

#[test]
fn packed_comparisons_write_each_half_by_itself() {
    let f = |v| half::f16::from_bits(v);
    let b = |v| half::bf16::from_bits(v);
    let flushed = |v: u16| f(if v & 0x7c00 == 0 { v & 0x8000 } else { v });
    check(
        "set.gt.f16x2.f16x2 %r0, %r1, %r2;",
        Out::Word,
        each_half(0x3c00, |x, y| f(x) > f(y)),
    );
    check(
        "set.leu.u32.f16x2 %r0, %r1, %r2;",
        Out::Word,
        each_half(0xffff, |x, y| {
            f(x) <= f(y) || f(x).is_nan() || f(y).is_nan()
        }),
    );
    check(
        "set.eq.ftz.f16x2.f16x2 %r0, %r1, %r2;",
        Out::Word,
        each_half(0x3c00, |x, y| flushed(x) == flushed(y)),
    );
    check(
        "set.lt.bf16x2.bf16x2 %r0, %r1, %r2;",
        Out::Word,
        each_half(0x3f80, |x, y| b(x) < b(y)),
    );
    check(
        "set.lt.u32.bf16x2 %r0, %r1, %r2;",
        Out::Word,
        each_half(0xffff, |x, y| b(x) < b(y)),
    );
    // Bits 0x0001 and 0x0002 are subnormal numbers, equal once both are flushed.
    check(
        "mov.b32 %r1, 0x00010002; mov.b32 %r2, 0x00020002; setp.eq.ftz.f16x2 %p1|%p0, %r1, %r2;",
        Out::Predicate,
        |_, _, _| 1,
    );
    check(
        "mov.b32 %r1, 0x00010002; mov.b32 %r2, 0x00020002; setp.eq.f16x2 %p1|%p0, %r1, %r2;",
        Out::Predicate,
        |_, _, _| 0,
    );
}

#[test]
fn comparisons_write_ones_of_the_destination_type() {
    words("set.lt.u32.s32 %r0, %r1, %r2;", |a, b, _| {
        if (a as i32) < b as i32 { u32::MAX } else { 0 }
    });
    check("set.gt.f16.f16 %rs0, %rs1, %rs2;", Out::Half, |a, b, _| {
        let f = |v: u64| half::f16::from_bits(v as u16);
        if f(a) > f(b) { 0x3c00 } else { 0 }
    });
    check("set.le.u16.f16 %rs0, %rs1, %rs2;", Out::Half, |a, b, _| {
        let f = |v: u64| half::f16::from_bits(v as u16);
        if f(a) <= f(b) { 0xffff } else { 0 }
    });
    check(
        "setp.eq.ftz.f16 %p0, %rs1, %rs2;",
        Out::Predicate,
        |a, b, _| {
            let f = |v: u64| {
                half::f16::from_bits(if v & 0x7c00 == 0 {
                    v as u16 & 0x8000
                } else {
                    v as u16
                })
            };
            u64::from(f(a) == f(b))
        },
    );
}

#[test]
fn sixteen_bytes_move_as_one() {
    check(
        ".reg .b128 %q; mov.b128 %q, {%rd1, %rd2}; mov.b128 {%rd5, %rd0}, %q;",
        Out::Double,
        |_, b, _| b,
    );
    check(
        ".reg .b128 %q, %s; mov.b128 %q, {%rd1, %rd2}; mov.b128 %s, %q; mov.b128 {%rd0, _}, %s;",
        Out::Double,
        |a, _, _| a,
    );
    let body = ".reg .b128 %a, %b, %c; ld.param.u64 %rd1, [io]; mov.u64 %rd2, 7; mov.u64 %rd3, 9; ld.global.b128 %a, [%rd1];
         mov.b128 %b, {%rd2, %rd3}; atom.global.cas.b128 %c, [%rd1], %a, %b; st.global.b128 [%rd1+16], %c;
         atom.global.cas.b128 %c, [%rd1], %a, %a; st.global.b128 [%rd1+32], %c; atom.global.exch.b128 %c, [%rd1+48], %b;
         .shared .align 16 .b8 s[16]; mov.u32 %r1, s; st.shared.b128 [%r1], %c; atom.shared.exch.b128 %c, [%r1], %a; st.global.b128 [%rd1+64], %c;";
    let module = parse(&kernel("k", ".param .u64 io", body));
    let mut device = Device::new();
    let io = device.buffer("io", &[1u64, 2, 0, 0, 0, 0, 5, 6, 0, 0]);
    device.launch(&module, "k", 1, 1, &[Arg::U64(io)]);
    // The first exchange succeeds and returns the old value; the second finds another value than it compares with.
    assert_eq!(device.read::<u64>(io, 10), [7, 9, 1, 2, 7, 9, 7, 9, 5, 6]);
}

const FUNCTIONS: &str = "
.func (.param .b32 r) twice (.param .b32 x) { .reg .b32 %r<3>; ld.param.b32 %r1, [x]; add.u32 %r2, %r1, %r1; st.param.b32 [r], %r2; ret; }
.func (.param .b32 r) square (.param .b32 x) { .reg .b32 %r<3>; ld.param.b32 %r1, [x]; mul.lo.u32 %r2, %r1, %r1; st.param.b32 [r], %r2; ret; }
.func (.param .b32 r) unused (.param .b32 x) { st.param.b32 [r], 0; ret; }
.global .u64 table[2] = { twice, square };
";

fn with_head(head: &str, text: &str) -> String {
    text.replace(".visible", &format!("{head}\n.visible"))
}

#[test]
fn calls_through_registers_reach_each_lanes_function() {
    let body = "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1; mul.wide.u32 %rd2, %r2, 8; mov.u64 %rd3, table; add.u64 %rd3, %rd3, %rd2;
         ld.global.u64 %rd4, [%rd3];
         { .param .b32 p; .param .b32 q; st.param.b32 [p], %r1; proto: .callprototype (.param .b32 _) _ (.param .b32 _); call (q), %rd4, (p), proto; ld.param.b32 %r3, [q]; }
         mul.wide.u32 %rd5, %r1, 4; add.u64 %rd5, %rd1, %rd5; st.global.u32 [%rd5], %r3;";
    let module = parse(&with_head(FUNCTIONS, &kernel("k", ".param .u64 out", body)));
    let mut device = Device::new();
    let out = device.buffer("out", &[0u32; 32]);
    device.launch(&module, "k", 1, 32, &[Arg::U64(out)]);
    let wanted: Vec<u32> = (0..32)
        .map(|l| if l % 2 == 0 { 2 * l } else { l * l })
        .collect();
    assert_eq!(device.read::<u32>(out, 32), wanted);
    // An address that is no function's stops the program.
    let lost = parse(&with_head(
        FUNCTIONS,
        &kernel(
            "k",
            ".param .u64 out",
            &body.replace("ld.global.u64 %rd4, [%rd3];", "mov.u64 %rd4, 5;"),
        ),
    ));
    let fault = device
        .try_launch(&lost, "k", [1; 3], [32, 1, 1], &[Arg::U64(out)])
        .expect_err("no function");
    assert!(matches!(fault.reason, FaultReason::Trap), "{fault}");
}

/// Fibonacci numbers by calls that keep what they need behind a call in a register and in local memory; whether a number is even
/// by two functions that call each other; the sum of a list that callers keep for those they call.
const RECURSIVE: &str = "
.func (.param .b32 r) fib (.param .b32 x) { .reg .b32 %r<9>; .reg .pred %p<2>; .local .align 4 .b8 kept[8];
  ld.param.b32 %r1, [x]; setp.lt.u32 %p1, %r1, 2; @%p1 st.param.b32 [r], %r1; @%p1 ret; st.local.u32 [kept], %r1;
  { .param .b32 p; .param .b32 q; sub.u32 %r2, %r1, 1; st.param.b32 [p], %r2; call.uni (q), fib, (p); ld.param.b32 %r3, [q]; }
  { .param .b32 p; .param .b32 q; ld.local.u32 %r4, [kept]; sub.u32 %r5, %r4, 2; st.param.b32 [p], %r5; call.uni (q), fib, (p); ld.param.b32 %r6, [q]; }
  add.u32 %r7, %r3, %r6; st.param.b32 [r], %r7; ret; }
.func (.param .b32 r) odd (.param .b32 x);
.func (.param .b32 r) even (.param .b32 x) { .reg .b32 %r<9>; .reg .pred %p<2>;
  ld.param.b32 %r1, [x]; setp.eq.u32 %p1, %r1, 0; @%p1 st.param.b32 [r], 1; @%p1 ret;
  { .param .b32 p; .param .b32 q; sub.u32 %r2, %r1, 1; st.param.b32 [p], %r2; call.uni (q), odd, (p); ld.param.b32 %r3, [q]; }
  st.param.b32 [r], %r3; ret; }
.func (.param .b32 r) odd (.param .b32 x) { .reg .b32 %r<9>; .reg .pred %p<2>;
  ld.param.b32 %r1, [x]; setp.eq.u32 %p1, %r1, 0; @%p1 st.param.b32 [r], 0; @%p1 ret;
  { .param .b32 p; .param .b32 q; sub.u32 %r2, %r1, 1; st.param.b32 [p], %r2; call.uni (q), even, (p); ld.param.b32 %r3, [q]; }
  st.param.b32 [r], %r3; ret; }
.func (.param .b32 r) listed (.param .b64 list, .param .b32 x) { .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<2>; .local .align 8 .b8 own[16];
  ld.param.b64 %rd1, [list]; ld.param.b32 %r1, [x]; mov.u32 %r2, 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra $L;
  mov.u64 %rd2, own; cvta.local.u64 %rd2, %rd2; st.u64 [%rd2], %rd1; st.u32 [%rd2+8], %r1;
  { .param .b64 p; .param .b32 n; .param .b32 q; st.param.b64 [p], %rd2; sub.u32 %r3, %r1, 1; st.param.b32 [n], %r3; call.uni (q), listed, (p, n); ld.param.b32 %r2, [q]; }
  st.param.b32 [r], %r2; ret;
  $L: setp.eq.u64 %p1, %rd1, 0; @%p1 bra $E; ld.u32 %r4, [%rd1+8]; ld.u64 %rd1, [%rd1]; add.u32 %r2, %r2, %r4; bra $L;
  $E: st.param.b32 [r], %r2; ret; }
";

/// The results of a recursive function for the argument `%r2` of each of 32 lanes.
fn recursive(call: &str) -> Result<Vec<u32>, FaultReason> {
    let body = format!(
        "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 15;
         {{ .param .b64 l; .param .b32 p; .param .b32 q; st.param.b64 [l], 0; {call} ld.param.b32 %r3, [q]; }}
         mul.wide.u32 %rd5, %r1, 4; add.u64 %rd5, %rd1, %rd5; st.global.u32 [%rd5], %r3;"
    );
    let module = parse(&with_head(
        RECURSIVE,
        &kernel("k", ".param .u64 out", &body),
    ));
    let mut device = Device::new();
    let out = device.buffer("out", &[0u32; 32]);
    let stats = device
        .try_launch(&module, "k", [1; 3], [32, 1, 1], &[Arg::U64(out)])
        .map_err(|fault| fault.reason.clone())?;
    assert_eq!(stats.findings, []);
    Ok(device.read::<u32>(out, 32))
}

#[test]
fn functions_call_themselves_and_each_other() {
    let lanes = |f: fn(u32) -> u32| Ok((0..32).map(|lane| f(lane % 16)).collect::<Vec<u32>>());
    let fib = |n: u32| (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0;
    let call = "st.param.b32 [p], %r2; call.uni (q),";
    assert_eq!(recursive(&format!("{call} fib, (p);")), lanes(fib));
    assert_eq!(
        recursive(&format!("{call} even, (p);")),
        lanes(|n| 1 - n % 2)
    );
    assert_eq!(
        recursive(&format!("{call} listed, (l, p);")),
        lanes(|n| n * (n + 1) / 2)
    );
}

#[test]
fn recursion_is_as_deep_as_there_are_frames() {
    let deep = |depth: u32| {
        recursive(&format!(
            "st.param.b32 [p], {depth}; call.uni (q), even, (p);"
        ))
    };
    assert_eq!(deep(126), Ok(vec![1; 32]));
    assert_eq!(deep(128), Err(FaultReason::CallDepth { limit: 128 }));
}

#[test]
fn printed_text_comes_back_in_the_order_of_blocks() {
    let head = ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
         .global .align 1 .b8 text[34] = {98, 108, 111, 99, 107, 32, 37, 100, 44, 32, 37, 53, 46, 50, 102, 44, 32, 37, 108, 108, 120, 44, 32, 37, 45, 51, 117, 124, 37, 115, 37, 37, 10, 0};
         .global .align 1 .b8 word[3] = {104, 105, 0};";
    let body = ".local .align 8 .b8 args[40]; ld.param.u64 %rd9, [out]; mov.u32 %r1, %ctaid.x;
         st.local.u32 [args], %r1; mov.f64 %fd1, 0dC004CCCCCCCCCCCD; st.local.f64 [args+8], %fd1; mov.u64 %rd1, 0xabcdef0123; st.local.u64 [args+16], %rd1; st.local.u32 [args+24], 7;
         mov.u64 %rd2, word; cvta.global.u64 %rd2, %rd2; st.local.u64 [args+32], %rd2;
         mov.u64 %rd3, text; cvta.global.u64 %rd3, %rd3; mov.u64 %rd4, args; cvta.local.u64 %rd4, %rd4;
         { .param .b64 p0; .param .b64 p1; .param .b32 q; st.param.b64 [p0], %rd3; st.param.b64 [p1], %rd4; call.uni (q), vprintf, (p0, p1); ld.param.b32 %r2, [q]; }
         st.global.u32 [%rd9], %r2;";
    let module = parse(&with_head(head, &kernel("k", ".param .u64 out", body)));
    let mut device = Device::new();
    let out = device.buffer("out", &[0u32; 1]);
    let stats = device.launch(&module, "k", 3, 1, &[Arg::U64(out)]);
    let line = |block: u32| format!("block {block}, -2.60, abcdef0123, 7  |hi%\n");
    assert_eq!(stats.printed, [line(0), line(1), line(2)].concat());
    assert_eq!(device.read::<u32>(out, 1), [5]);
}

#[test]
fn a_failed_assertion_says_what_and_where() {
    let head = ".extern .func __assertfail (.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s) .noreturn;
         .global .align 1 .b8 text[6] = {110, 32, 62, 32, 48, 0}; .global .align 1 .b8 file[5] = {97, 46, 99, 117, 0};";
    let body = "mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 3; @%p1 bra END; mov.u64 %rd1, text; cvta.global.u64 %rd1, %rd1; mov.u64 %rd2, file; cvta.global.u64 %rd2, %rd2;
         { .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;
         st.param.b64 [a], %rd1; st.param.b64 [b], %rd2; st.param.b32 [c], 17; st.param.b64 [d], %rd1; st.param.b64 [e], 1;
         call.uni __assertfail, (a, b, c, d, e); }
         END:";
    let module = parse(&with_head(head, &kernel("k", "", body)));
    let fault = Device::new()
        .try_launch(&module, "k", [1; 3], [32, 1, 1], &[])
        .expect_err("asserts");
    assert_eq!(fault.thread, [3, 0, 0]);
    assert!(
        fault
            .to_string()
            .contains("assertion failed: n > 0 (a.cu:17, in `n > 0`)"),
        "{fault}"
    );
}

#[test]
fn a_cluster_is_one_block() {
    words("mapa.shared::cluster.u32 %r0, %r1, 0;", |a, _, _| a);
    words("getctarank.shared::cluster.u32 %r0, %r1;", |_, _, _| 0);
    words(
        "createpolicy.fractional.L2::evict_first.b64 %rd5, 1.0; cvt.u32.u64 %r0, %rd5;",
        |_, _, _| 0,
    );
}

#[test]
fn video_instructions_of_words() {
    let signed = |v: u32| i64::from(v as i32);
    words("vadd.s32.s32.s32.sat %r0, %r1, %r2;", |a, b, _| {
        (a as i32).saturating_add(b as i32) as u32
    });
    words("vadd.u32.s32.u32.sat %r0, %r1, %r2;", |a, b, _| {
        (signed(a) + i64::from(b)).clamp(0, i64::from(u32::MAX)) as u32
    });
    words("vsub.u32.u32.u32 %r0, %r1, %r2;", |a, b, _| {
        a.wrapping_sub(b)
    });
    words("vsub.s32.u32.u32.sat.min %r0, %r1, %r2, %r3;", |a, b, c| {
        let bound = i64::from(i32::MAX);
        let found = (i64::from(a) - i64::from(b)).clamp(-bound - 1, bound);
        found.min(signed(c)) as u32
    });
    words("vabsdiff.u32.s32.s32.add %r0, %r1, %r2, %r3;", |a, b, c| {
        (a as i32).abs_diff(b as i32).wrapping_add(c)
    });
    words("vmax.u32.u32.u32.sat.max %r0, %r1, %r2, %r3;", |a, b, c| {
        a.max(b).max(c)
    });
    words("vmin.s32.s32.s32 %r0, %r1, %r2;", |a, b, _| {
        (a as i32).min(b as i32) as u32
    });
}

#[test]
fn video_instructions_of_bytes_and_halves() {
    let bytes = |a: u32, b: u32, f: fn(u8, u8) -> u8| {
        let (a, b) = (a.to_le_bytes(), b.to_le_bytes());
        u32::from_le_bytes(core::array::from_fn(|at| f(a[at], b[at])))
    };
    let halves = |a: u32, b: u32, f: fn(i16, i16) -> i16| {
        let one = |at: u32| u32::from(f((a >> at) as i16, (b >> at) as i16) as u16) << at;
        one(0) | one(16)
    };
    words("vadd4.u32.u32.u32.sat %r0, %r1, %r2, %r3;", |a, b, _| {
        bytes(a, b, u8::saturating_add)
    });
    words("vadd4.u32.u32.u32 %r0, %r1, %r2, %r3;", |a, b, _| {
        bytes(a, b, u8::wrapping_add)
    });
    words("vsub4.u32.u32.u32.sat %r0, %r1, %r2, %r3;", |a, b, _| {
        bytes(a, b, u8::saturating_sub)
    });
    words("vmin4.s32.s32.s32 %r0, %r1, %r2, %r3;", |a, b, _| {
        bytes(a, b, |a, b| (a as i8).min(b as i8) as u8)
    });
    words("vsub2.s32.s32.s32.sat %r0, %r1, %r2, %r3;", |a, b, _| {
        halves(a, b, i16::saturating_sub)
    });
    words("vmax2.s32.s32.s32 %r0, %r1, %r2, %r3;", |a, b, _| {
        halves(a, b, i16::max)
    });
    words("vabsdiff4.u32.u32.u32 %r0, %r1, %r2, %r3;", |a, b, _| {
        bytes(a, b, u8::abs_diff)
    });
    words(
        "vabsdiff4.u32.u32.u32.add %r0, %r1, %r2, %r3;",
        |a, b, c| {
            let parts = bytes(a, b, u8::abs_diff).to_le_bytes();
            parts.into_iter().map(u32::from).fold(c, u32::wrapping_add)
        },
    );
    words(
        "vabsdiff2.u32.s32.s32.add %r0, %r1, %r2, %r3;",
        |a, b, c| {
            let one = |at: u32| u32::from(((a >> at) as i16).abs_diff((b >> at) as i16));
            c.wrapping_add(one(0)).wrapping_add(one(16))
        },
    );
}

#[test]
fn sums_and_products_of_narrow_floats_are_rounded_to_f32_once() {
    let f = |v: u64| f32::from_bits(v as u32);
    let h = |v: u64| half::f16::from_bits(v as u16).to_f32();
    let b = |v: u64| half::bf16::from_bits(v as u16).to_f32();
    let bits = |v: f32| u64::from(v.to_bits());
    check("add.f32.f16 %f0, %rs1, %f2;", Out::Float, |x, y, _| {
        bits(h(x) + f(y))
    });
    check("sub.rn.f32.bf16 %f0, %rs1, %f2;", Out::Float, |x, y, _| {
        bits(b(x) - f(y))
    });
    check("add.sat.f32.bf16 %f0, %rs1, %f2;", Out::Float, |x, y, _| {
        let sum = b(x) + f(y);
        bits(if sum > 0.0 { sum.min(1.0) } else { 0.0 })
    });
    check(
        "fma.rn.f32.f16 %f0, %rs1, %rs2, %f3;",
        Out::Float,
        |x, y, z| bits(h(x).mul_add(h(y), f(z))),
    );
    check(
        "fma.rn.f32.bf16 %f0, %rs1, %rs2, %f3;",
        Out::Float,
        |x, y, z| bits(b(x).mul_add(b(y), f(z))),
    );
}
