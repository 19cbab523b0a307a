//! One instruction at a time: runs it on many operand triples and compares each result with a Rust function.

use crate::common::{Arg, Device, kernel, parse};
use segra_random::SplitMix64;

/// The register class an instruction writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Out {
    /// `%rs0`
    Half,
    /// `%r0`
    Word,
    /// `%rd0`
    Double,
    /// `%f0`: where a NaN is expected, PTX's canonical one will do.
    Float,
    /// `%fd0`
    FloatDouble,
    /// `%p0` as 0 or 1
    Predicate,
}

const EDGES: [u64; 40] = [
    0,
    1,
    2,
    3,
    7,
    15,
    16,
    31,
    32,
    33,
    63,
    64,
    65,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    0xffff_ffff_ffff_ffff,
    0x3f80_0000,           // 1.0f
    0xbf80_0000,           // -1.0f
    0x4020_0000,           // 2.5f
    0x7f80_0000,           // infinity
    0xff80_0000,           // -infinity
    0x7fc0_0000,           // NaN
    0x0000_0fff,           // subnormal f32
    0x7f7f_ffff,           // largest f32
    0x4f00_0000,           // 2^31
    0x3ff0_0000_0000_0000, // 1.0
    0xbfe0_0000_0000_0000, // -0.5
    0x7ff0_0000_0000_0000, // infinity
    0x7ff8_0000_0000_0000, // NaN
    0x4330_0000_0000_0001, // 2^52 + 1
    0x3c00_c000_3e01_7bff, // halves: 65504, 1.5…, -2, 1
];

/// Operand triples: all pairs of edges, then random patterns and random small values.
fn operands() -> Vec<[u64; 3]> {
    let mut stream = SplitMix64::new(0x9e37_79b9_7f4a_7c15);
    let mut random = move || stream.next_u64();
    let mut all = Vec::new();
    for (i, &a) in EDGES.iter().enumerate() {
        for (j, &b) in EDGES.iter().enumerate() {
            all.push([a, b, EDGES[(7 * i + 3 * j) % EDGES.len()]]);
        }
    }
    for _ in 0..800 {
        all.push([random(), random(), random()]);
        all.push([random(), random(), random()].map(|v| v % 100));
        // Floats of ordinary size in the low word.
        all.push(
            [random(), random(), random()]
                .map(|v| u64::from((v as u32 as f32 / 65_536.0 - 32_768.0).to_bits())),
        );
        all.push(
            [random(), random(), random()]
                .map(|v| (v as u32 as f64 / 65_536.0 - 32_768.0).to_bits()),
        );
    }
    all
}

/// Runs `instruction` with the operands in `%rs1-3`, `%r1-3`, `%rd1-3`, `%f1-3`, `%fd1-3` (the same bits, cut to
/// width) and `%p1-3` (their lowest bits); compares what it writes to register 0 with `expected`.
pub(crate) fn check(instruction: &str, out: Out, expected: impl Fn(u64, u64, u64) -> u64) {
    let mut body = String::from(
        "ld.param.u64 %rd10, [in]; ld.param.u64 %rd11, [out]; ld.param.u32 %r10, [n];
         mov.u32 %r11, %ctaid.x; mov.u32 %r12, %ntid.x; mov.u32 %r13, %tid.x; mad.lo.u32 %r14, %r11, %r12, %r13;
         setp.ge.u32 %p9, %r14, %r10; @%p9 ret;
         mul.wide.u32 %rd12, %r14, 24; add.u64 %rd10, %rd10, %rd12; mul.wide.u32 %rd13, %r14, 8; add.u64 %rd11, %rd11, %rd13;
         mov.u64 %rd0, 0; mov.u32 %r0, 0; mov.u16 %rs0, 0; mov.f32 %f0, 0f00000000; mov.f64 %fd0, 0d0000000000000000;\n",
    );
    for k in 1..=3 {
        body += &format!(
            "ld.global.u64 %rd{k}, [%rd10+{offset}]; cvt.u32.u64 %r{k}, %rd{k}; cvt.u16.u64 %rs{k}, %rd{k};
             mov.b32 %f{k}, %r{k}; mov.b64 %fd{k}, %rd{k}; and.b32 %r20, %r{k}, 1; setp.ne.u32 %p{k}, %r20, 0;\n",
            offset = 8 * (k - 1)
        );
    }
    body += instruction;
    body += match out {
        Out::Half => "\ncvt.u64.u16 %rd20, %rs0;",
        Out::Word => "\ncvt.u64.u32 %rd20, %r0;",
        Out::Double => "\nmov.u64 %rd20, %rd0;",
        Out::Float => "\nmov.b32 %r21, %f0; cvt.u64.u32 %rd20, %r21;",
        Out::FloatDouble => "\nmov.b64 %rd20, %fd0;",
        Out::Predicate => "\nselp.u64 %rd20, 1, 0, %p0;",
    };
    body += " st.global.u64 [%rd11], %rd20;";
    let params = ".param .u64 in, .param .u64 out, .param .u32 n";
    // Some of these instructions are newer than what the others are for.
    let module = parse(&kernel("k", params, &body).replace("sm_90a", "sm_100a"));
    let operands = operands();
    let flat: Vec<u64> = operands.iter().flatten().copied().collect();
    let mut device = Device::new();
    let (input, output) = (
        device.buffer("in", &flat),
        device.buffer("out", &vec![0u64; operands.len()]),
    );
    let blocks = operands.len().div_ceil(128) as u32;
    device.launch(
        &module,
        "k",
        blocks,
        128,
        &[
            Arg::U64(input),
            Arg::U64(output),
            Arg::U32(operands.len() as u32),
        ],
    );
    for (&[a, b, c], got) in operands
        .iter()
        .zip(device.read::<u64>(output, operands.len()))
    {
        let wanted = expected(a, b, c);
        let same = match out {
            Out::Float => {
                // PTX has one NaN for results of single precision.
                got == wanted || got == 0x7fff_ffff && f32::from_bits(wanted as u32).is_nan()
            }
            Out::FloatDouble => {
                got == wanted || f64::from_bits(got).is_nan() && f64::from_bits(wanted).is_nan()
            }
            _ => got == wanted,
        };
        assert!(
            same,
            "`{instruction}` of {a:#x}, {b:#x}, {c:#x}: got {got:#x}, expected {wanted:#x}"
        );
    }
}

/// A check of an instruction over `u32` operands and result.
pub(crate) fn words(instruction: &str, f: impl Fn(u32, u32, u32) -> u32) {
    check(instruction, Out::Word, |a, b, c| {
        u64::from(f(a as u32, b as u32, c as u32))
    });
}

/// A check over `u64`.
pub(crate) fn doubles(instruction: &str, f: impl Fn(u64, u64, u64) -> u64) {
    check(instruction, Out::Double, f);
}

/// A check over `u16`.
pub(crate) fn halves(instruction: &str, f: impl Fn(u16, u16, u16) -> u16) {
    check(instruction, Out::Half, |a, b, c| {
        u64::from(f(a as u16, b as u16, c as u16))
    });
}

/// A check over `f32`.
pub(crate) fn floats(instruction: &str, f: impl Fn(f32, f32, f32) -> f32) {
    let of = |bits: u64| f32::from_bits(bits as u32);
    check(instruction, Out::Float, |a, b, c| {
        u64::from(f(of(a), of(b), of(c)).to_bits())
    });
}

/// A check over `f64`.
pub(crate) fn float_doubles(instruction: &str, f: impl Fn(f64, f64, f64) -> f64) {
    let of = f64::from_bits;
    check(instruction, Out::FloatDouble, |a, b, c| {
        f(of(a), of(b), of(c)).to_bits()
    });
}
