//! Matrix instructions against products computed element by element, with the fragment layouts of the PTX ISA
//! written out shape by shape (the simulator derives them from one rule).

use crate::common::{Arg, Device, kernel, parse};
use half::{bf16, f16};

/// Row and column of element `i` of a lane with group `g = lane / 4` and thread-in-group `t = lane % 4`.
type Place = fn(g: usize, t: usize, i: usize) -> (usize, usize);

/// A shape of `mma.sync` as the ISA tabulates it.
struct Shape {
    opcode: &'static str,
    m: usize,
    k: usize,
    /// Bits of an element of A and B.
    bits: u32,
    a: Place,
    b: Place,
}

fn c_place(m: usize, g: usize, t: usize, i: usize) -> (usize, usize) {
    if m == 8 {
        (g, 2 * t + i)
    } else {
        (if i < 2 { g } else { g + 8 }, 2 * t + (i & 1))
    }
}

fn low(i: usize, cut: usize, base: usize, add: usize) -> usize {
    if i < cut { base } else { base + add }
}

const A16_HALF: Place = |g, t, i| {
    (
        if i < 2 || (4..6).contains(&i) {
            g
        } else {
            g + 8
        },
        low(i, 4, 2 * t + (i & 1), 8),
    )
};
const B16_HALF: Place = |g, t, i| (low(i, 2, 2 * t + (i & 1), 8), g);
const A8_HALF: Place = |g, t, i| (low(i, 2, g, 8), 2 * t + (i & 1));
const B8_HALF: Place = |g, t, i| (2 * t + i, g);
const A8_WORD: Place = |g, t, i| {
    (
        if i == 0 || i == 2 { g } else { g + 8 },
        if i < 2 { t } else { t + 4 },
    )
};
const B8_WORD: Place = |g, t, i| (low(i, 1, t, 4), g);
const A32_BYTE: Place = |g, t, i| {
    (
        if i < 4 || (8..12).contains(&i) {
            g
        } else {
            g + 8
        },
        low(i, 8, 4 * t + (i & 3), 16),
    )
};
const B32_BYTE: Place = |g, t, i| (low(i, 4, 4 * t + (i & 3), 16), g);

const fn shape(opcode: &'static str, m: usize, k: usize, bits: u32, a: Place, b: Place) -> Shape {
    Shape {
        opcode,
        m,
        k,
        bits,
        a,
        b,
    }
}

const SHAPES: &[Shape] = &[
    shape(
        "m16n8k16.row.col.f32.f16.f16.f32",
        16,
        16,
        16,
        A16_HALF,
        B16_HALF,
    ),
    shape(
        "m16n8k16.row.col.f16.f16.f16.f16",
        16,
        16,
        16,
        A16_HALF,
        B16_HALF,
    ),
    shape(
        "m16n8k16.row.col.f32.bf16.bf16.f32",
        16,
        16,
        16,
        A16_HALF,
        B16_HALF,
    ),
    shape(
        "m16n8k8.row.col.f32.f16.f16.f32",
        16,
        8,
        16,
        A8_HALF,
        B8_HALF,
    ),
    shape(
        "m16n8k8.row.col.f32.bf16.bf16.f32",
        16,
        8,
        16,
        A8_HALF,
        B8_HALF,
    ),
    shape(
        "m16n8k8.row.col.f32.tf32.tf32.f32",
        16,
        8,
        32,
        A8_WORD,
        B8_WORD,
    ),
    shape(
        "m16n8k4.row.col.f32.tf32.tf32.f32",
        16,
        4,
        32,
        |g, t, i| (g + 8 * i, t),
        |g, t, _| (t, g),
    ),
    shape(
        "m8n8k4.row.col.f64.f64.f64.f64",
        8,
        4,
        64,
        |g, t, _| (g, t),
        |g, t, _| (t, g),
    ),
    shape(
        "m16n8k4.row.col.f64.f64.f64.f64",
        16,
        4,
        64,
        |g, t, i| (g + 8 * i, t),
        |g, t, _| (t, g),
    ),
    shape(
        "m16n8k8.row.col.f64.f64.f64.f64",
        16,
        8,
        64,
        A8_WORD,
        B8_WORD,
    ),
    shape(
        "m16n8k16.row.col.f64.f64.f64.f64",
        16,
        16,
        64,
        |g, t, i| (g + 8 * (i % 2), t + 4 * (i / 2)),
        |g, t, i| (t + 4 * i, g),
    ),
    shape(
        "m16n8k32.row.col.s32.s8.s8.s32",
        16,
        32,
        8,
        A32_BYTE,
        B32_BYTE,
    ),
    shape(
        "m16n8k32.row.col.s32.u8.s8.s32",
        16,
        32,
        8,
        A32_BYTE,
        B32_BYTE,
    ),
    shape(
        "m16n8k32.row.col.f32.e4m3.e5m2.f32",
        16,
        32,
        8,
        A32_BYTE,
        B32_BYTE,
    ),
    shape(
        "m16n8k16.row.col.s32.s8.u8.s32",
        16,
        16,
        8,
        |g, t, i| (low(i, 4, g, 8), 4 * t + (i & 3)),
        |g, t, i| (4 * t + i, g),
    ),
    shape(
        "m8n8k16.row.col.s32.u8.u8.s32",
        8,
        16,
        8,
        |g, t, i| (g, 4 * t + i),
        |g, t, i| (4 * t + i, g),
    ),
    shape(
        "m8n8k32.row.col.s32.s4.s4.s32",
        8,
        32,
        4,
        |g, t, i| (g, 8 * t + i),
        |g, t, i| (8 * t + i, g),
    ),
    shape(
        "m16n8k64.row.col.s32.s4.u4.s32",
        16,
        64,
        4,
        |g, t, i| {
            (
                if i < 8 || (16..24).contains(&i) {
                    g
                } else {
                    g + 8
                },
                low(i, 16, 8 * t + (i & 7), 32),
            )
        },
        |g, t, i| (low(i, 8, 8 * t + (i & 7), 32), g),
    ),
    shape(
        "m16n8k32.row.col.s32.u4.s4.s32",
        16,
        32,
        4,
        |g, t, i| (low(i, 8, g, 8), 8 * t + (i & 7)),
        |g, t, i| (8 * t + i, g),
    ),
    shape(
        "m16n8k256.row.col.s32.b1.b1.s32.and.popc",
        16,
        256,
        1,
        |g, t, i| {
            (
                if i < 32 || (64..96).contains(&i) {
                    g
                } else {
                    g + 8
                },
                low(i, 64, 32 * t + (i & 31), 128),
            )
        },
        |g, t, i| (low(i, 32, 32 * t + (i & 31), 128), g),
    ),
    shape(
        "m8n8k128.row.col.s32.b1.b1.s32.xor.popc",
        8,
        128,
        1,
        |g, t, i| (g, 32 * t + i),
        |g, t, i| (32 * t + i, g),
    ),
];

/// The pattern of a small number in an element type.
fn encode(kind: &str, value: i64) -> u64 {
    let float = value as f32 / 4.0;
    match kind {
        "f16" => u64::from(f16::from_f32(float).to_bits()),
        "bf16" => u64::from(bf16::from_f32(float).to_bits()),
        // Hardware ignores the low 13 bits, so they hold noise.
        "tf32" => u64::from(float.to_bits() | 0x1555),
        "f32" => u64::from(float.to_bits()),
        "f64" => f64::from(float).to_bits(),
        // Powers of two: sign, exponent with bias 7 or 15, no fraction.
        "e4m3" => u64::from((value < 0) as u8) << 7 | ((value.unsigned_abs() % 5) + 4) << 3,
        "e5m2" => u64::from((value < 0) as u8) << 7 | ((value.unsigned_abs() % 5) + 12) << 2,
        _ => value as u64,
    }
}

/// The number a pattern from [`encode`] stands for, times 4 for floats.
fn decode(kind: &str, bits: u64, width: u32) -> f64 {
    let bits = if width == 64 {
        bits
    } else {
        bits & ((1 << width) - 1)
    };
    match kind {
        "f16" => f64::from(f16::from_bits(bits as u16)),
        "bf16" => f64::from(bf16::from_bits(bits as u16)),
        "tf32" => f64::from(f32::from_bits(bits as u32 & !0x1fff)),
        "f32" => f64::from(f32::from_bits(bits as u32)),
        "f64" => f64::from_bits(bits),
        "e4m3" => (1.0 - 2.0 * (bits >> 7) as f64) * f64::exp2((bits >> 3 & 15) as f64 - 7.0),
        "e5m2" => (1.0 - 2.0 * (bits >> 7) as f64) * f64::exp2((bits >> 2 & 31) as f64 - 15.0),
        "s8" => f64::from(bits as i8),
        "s4" => f64::from((bits as i32) << 28 >> 28),
        "s32" => f64::from(bits as i32),
        _ => bits as f64,
    }
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// Packs lane elements into registers of 32 bits, or leaves doubles whole.
fn pack(elements: &[u64], bits: u32) -> Vec<u64> {
    if bits == 64 {
        return elements.to_vec();
    }
    let per = (32 / bits) as usize;
    let mask = (1u64 << bits) - 1;
    let word = |part: &[u64]| {
        part.iter().enumerate().fold(0, |word, (e, &value)| {
            word | (value & mask) << (e as u32 * bits)
        })
    };
    elements.chunks(per).map(word).collect()
}

/// Runs an instruction `d, a, b, c` with per-lane registers; returns each lane's destination registers.
fn run(
    instruction: &str,
    a: &[Vec<u64>],
    b: &[Vec<u64>],
    c: &[Vec<u64>],
    kinds: [&str; 4],
) -> Vec<Vec<u64>> {
    let mut body = String::from(
        "ld.param.u64 %rd60, [io]; mov.u32 %r60, %laneid; mul.wide.u32 %rd61, %r60, 1024; add.u64 %rd60, %rd60, %rd61;\n",
    );
    let (mut at, mut lists) = (0, Vec::new());
    let mut input = vec![0u64; 32 * 128];
    for (letter, (data, kind)) in [
        ('b', (a, kinds[1])),
        ('c', (b, kinds[2])),
        ('d', (c, kinds[3])),
    ] {
        let mut names = Vec::new();
        for r in 0..data[0].len() {
            let name = format!("%v{letter}{r}");
            let ty = if kind == "f64" { "f64" } else { "b32" };
            body += &format!(
                ".reg .{ty} {name}; ld.global.{ty} {name}, [%rd60+{}];\n",
                8 * at
            );
            for (lane, registers) in data.iter().enumerate() {
                input[lane * 128 + at] = registers[r];
            }
            names.push(name);
            at += 1;
        }
        lists.push(names.join(", "));
    }
    let d_count = c[0].len();
    let d_type = if kinds[0] == "f64" { "f64" } else { "b32" };
    let d: Vec<String> = (0..d_count).map(|r| format!("%va{r}")).collect();
    body += &d
        .iter()
        .map(|name| format!(".reg .{d_type} {name};\n"))
        .collect::<String>();
    body += &format!(
        "{instruction} {{{}}}, {{{}}}, {{{}}}, {{{}}};\n",
        d.join(", "),
        lists[0],
        lists[1],
        lists[2]
    );
    for (r, name) in d.iter().enumerate() {
        body += &format!("st.global.{d_type} [%rd60+{}], {name};\n", 8 * (100 + r));
    }
    let module = parse(&kernel("k", ".param .u64 io", &body));
    let mut device = Device::new();
    let io = device.buffer("io", &input);
    device.launch(&module, "k", 1, 32, &[Arg::U64(io)]);
    let out: Vec<u64> = device.read(io, input.len());
    let mask = if d_type == "f64" {
        u64::MAX
    } else {
        0xffff_ffff
    };
    (0..32)
        .map(|lane| {
            (0..d_count)
                .map(|r| out[lane * 128 + 100 + r] & mask)
                .collect()
        })
        .collect()
}

#[test]
fn products_of_every_shape() {
    for &Shape {
        opcode,
        m,
        k,
        bits,
        a,
        b,
    } in SHAPES
    {
        let kinds: Vec<&str> = opcode.split('.').skip(3).take(4).collect();
        let kinds: [&str; 4] = kinds.try_into().unwrap();
        let mut random = Random(0x1234_5678_9abc_def1);
        let mut values = |rows: usize, columns: usize, kind: &str, span: i64| -> Vec<Vec<u64>> {
            let one = |bits: u64| encode(kind, (bits % (2 * span as u64 + 1)) as i64 - span);
            (0..rows)
                .map(|_| (0..columns).map(|_| one(random.next() >> 20)).collect())
                .collect()
        };
        let span = if bits == 1 {
            1
        } else if bits == 4 {
            8
        } else {
            20
        };
        let (left, right) = (values(m, k, kinds[1], span), values(k, 8, kinds[2], span));
        let start = values(m, 8, kinds[3], 100);
        let lane_registers =
            |matrix: &[Vec<u64>], place: Place, count: usize, bits: u32| -> Vec<Vec<u64>> {
                let of = |lane: usize| {
                    let elements: Vec<u64> = (0..count)
                        .map(|i| {
                            let (row, column) = place(lane / 4, lane % 4, i);
                            matrix[row][column]
                        })
                        .collect();
                    pack(&elements, bits)
                };
                (0..32).map(of).collect()
            };
        let c_bits = match kinds[3] {
            "f16" => 16,
            "f64" => 64,
            _ => 32,
        };
        let c_of: Place = if m == 8 {
            |g, t, i| c_place(8, g, t, i)
        } else {
            |g, t, i| c_place(16, g, t, i)
        };
        let out = run(
            &format!("mma.sync.aligned.{opcode}"),
            &lane_registers(&left, a, m * k / 32, bits),
            &lane_registers(&right, b, k * 8 / 32, bits),
            &lane_registers(&start, c_of, m * 8 / 32, c_bits),
            kinds,
        );
        for (lane, registers) in out.iter().enumerate() {
            for i in 0..m * 8 / 32 {
                let (row, column) = c_of(lane / 4, lane % 4, i);
                let mut wanted = decode(kinds[3], start[row][column], c_bits);
                for at in 0..k {
                    let x = decode(kinds[1], left[row][at], bits);
                    let y = decode(kinds[2], right[at][column], bits);
                    wanted += match opcode.split('.').nth(7) {
                        Some("and") => x * y,
                        Some("xor") => f64::from(u8::from(x != y)),
                        _ => x * y,
                    };
                }
                let per = (if c_bits == 16 { 2 } else { 1 }) as usize;
                let got = decode(kinds[0], registers[i / per] >> (16 * (i % per)), c_bits);
                assert_eq!(got, wanted, "{opcode}: row {row}, column {column}");
            }
        }
    }
}

#[test]
fn integer_accumulators_wrap_or_saturate() {
    let lanes = |value: u64, count: usize| vec![vec![value; count]; 32];
    for (opcode, wanted) in [
        (
            "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32",
            (i32::MAX as u32).wrapping_add(32 * 127 * 127),
        ),
        (
            "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32",
            i32::MAX as u32,
        ),
    ] {
        let (a, b, c) = (
            lanes(0x7f7f_7f7f, 4),
            lanes(0x7f7f_7f7f, 2),
            lanes(0x7fff_ffff, 4),
        );
        let out = run(opcode, &a, &b, &c, ["s32", "s8", "s8", "s32"]);
        assert!(
            out.iter().flatten().all(|&word| word == u64::from(wanted)),
            "{opcode}"
        );
    }
}

#[test]
fn a_product_is_rounded_once() {
    // 2048 + sixteen products of 2^-6 · 2^-6 with halves: each alone is lost next to 2048, their sum is not.
    let small = u64::from(f16::from_f32(1.0 / 64.0).to_bits()) * 0x1_0001;
    let lanes = |value: u64, count: usize| vec![vec![value; count]; 32];
    let big = u64::from(f16::from_f32(2048.0).to_bits()) * 0x1_0001;
    let half = "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16";
    let out = run(
        half,
        &lanes(small, 4),
        &lanes(small, 2),
        &lanes(big, 2),
        ["f16"; 4],
    );
    assert!(out.iter().flatten().all(|&word| word == big));
    let single = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    let start = u64::from(2048f32.to_bits());
    let out = run(
        single,
        &lanes(small, 4),
        &lanes(small, 2),
        &lanes(start, 4),
        ["f32", "f16", "f16", "f32"],
    );
    assert!(
        out.iter()
            .flatten()
            .all(|&word| f32::from_bits(word as u32) == 2048.0 + 1.0 / 256.0)
    );
}

/// Lane `l` holds 16-bit elements `2 (l % 4)` and the next of row `l / 4`; the element at (row, column) of matrix
/// `m` is `64 m + 8 row + column`.
fn fragment(matrix: u32, lane: u32, transposed: bool) -> u32 {
    let (line, along) = (lane / 4, 2 * (lane % 4));
    let element = |along: u32| {
        64 * matrix
            + if transposed {
                8 * along + line
            } else {
                8 * line + along
            }
    };
    element(along) | element(along + 1) << 16
}

#[test]
fn matrices_are_loaded_and_stored_by_rows_and_columns() {
    for (count, trans) in [
        (1, ""),
        (2, ""),
        (4, ""),
        (1, ".trans"),
        (2, ".trans"),
        (4, ".trans"),
    ] {
        let list: Vec<String> = (10..10 + count).map(|r| format!("%r{r}")).collect();
        let list = list.join(", ");
        // Lane l stores row l of four matrices; rows lie in reversed order, so addresses matter.
        let body = format!(
            ".shared .align 16 .b8 s[1024];
             ld.param.u64 %rd1, [out]; mov.u32 %r1, %laneid; mov.u32 %r2, s;
             xor.b32 %r3, %r1, 31; mad.lo.u32 %r4, %r3, 16, %r2; mul.lo.u32 %r5, %r1, 8; mov.u32 %r6, 0;
             L: add.u32 %r7, %r5, %r6; cvt.u16.u32 %rs1, %r7; mad.lo.u32 %r8, %r6, 2, %r4; st.shared.u16 [%r8], %rs1;
             add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 8; @%p1 bra L;
             bar.warp.sync -1;
             ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 {{{list}}}, [%r4];
             stmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 [%r4+512], {{{list}}};
             bar.warp.sync -1;
             mul.wide.u32 %rd2, %r1, 32; add.u64 %rd1, %rd1, %rd2;
             {}",
            (0..count)
                .map(|r| format!(
                    "st.global.u32 [%rd1+{}], %r{}; ld.shared.u32 %r40, [%r4+{}]; st.global.u32 [%rd1+{}], %r40;\n",
                    4 * r,
                    10 + r,
                    512 + 4 * r,
                    16 + 4 * r
                ))
                .collect::<String>()
        );
        let module = parse(&kernel("k", ".param .u64 out", &body));
        let mut device = Device::new();
        // Lanes beyond the stored rows read what nobody wrote, and nothing is said of their values.
        device.options.checks = segra_ptx::Checks::FAULTS;
        let out = device.buffer("out", &[0u32; 256]);
        device.launch(&module, "k", 1, 32, &[Arg::U64(out)]);
        let got: Vec<u32> = device.read(out, 256);
        for lane in 0..32u32 {
            for r in 0..count {
                let word = got[(8 * lane + r) as usize];
                assert_eq!(
                    word,
                    fragment(r, lane, !trans.is_empty()),
                    "x{count}{trans}, lane {lane}, {r}"
                );
                // The rows of the stored matrices are the rows of the loaded ones again.
                let back = got[(8 * lane + 4 + r) as usize];
                let (stored, row) = (lane / 8 < count, 64 * (lane / 8) + 8 * (lane % 8));
                if stored {
                    assert_eq!(
                        back,
                        (row + 2 * r) | (row + 2 * r + 1) << 16,
                        "x{count}{trans}, lane {lane}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_matrix_in_registers_is_transposed() {
    let body = "ld.param.u64 %rd1, [out]; mov.u32 %r1, %laneid; shr.u32 %r2, %r1, 2; and.b32 %r3, %r1, 3;
         shl.b32 %r4, %r2, 3; shl.b32 %r5, %r3, 1; add.u32 %r6, %r4, %r5; add.u32 %r7, %r6, 1; shl.b32 %r8, %r7, 16; or.b32 %r9, %r6, %r8;
         movmatrix.sync.aligned.m8n8.trans.b16 %r10, %r9;
         mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r10;";
    let module = parse(&kernel("k", ".param .u64 out", body));
    let mut device = Device::new();
    let out = device.buffer("out", &[0u32; 32]);
    device.launch(&module, "k", 1, 32, &[Arg::U64(out)]);
    let wanted: Vec<u32> = (0..32).map(|lane| fragment(0, lane, true)).collect();
    assert_eq!(device.read::<u32>(out, 32), wanted);
}

#[test]
fn a_product_by_part_of_a_warp_is_a_fault() {
    let product = "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd0, %fd1}, {%fd2}, {%fd3}, {%fd4, %fd5};";
    let body = format!("mov.u32 %r1, %laneid; setp.eq.u32 %p1, %r1, 5; @%p1 exit;\n{product}");
    let module = parse(&kernel("k", "", &body));
    let fault = Device::new()
        .try_launch(&module, "k", [1; 3], [32, 1, 1], &[])
        .expect_err("must fail");
    assert!(
        fault
            .to_string()
            .contains("needs all 32 threads of the warp, but 31 execute it"),
        "{fault}"
    );
    assert_eq!(fault.text, product);
}

/// Shared memory of 64 rows of 128 bytes in the 128-byte swizzle, as a tensor copy lays it out.
fn swizzled(row: usize, byte: usize) -> usize {
    let at = 128 * row + byte;
    at ^ (at >> 7 & 7) << 4
}

#[test]
fn a_warpgroup_product_reads_swizzled_tiles() {
    // A is 64 × 64, B is 16 × 64 (stored along the depth), both bf16; four steps of depth 16.
    let value =
        |row: usize, column: usize, step: usize| ((row * step + column * 3) % 13) as f32 - 6.0;
    let mut tile = vec![0u16; (64 + 16) * 64];
    for (rows, base, step) in [(64, 0, 5), (16, 64, 7)] {
        for row in 0..rows {
            for column in 0..64 {
                tile[base * 64 + swizzled(row, 2 * column) / 2] =
                    bf16::from_f32(value(row, column, step)).to_bits();
            }
        }
    }
    let words: Vec<u32> = tile
        .chunks(2)
        .map(|pair| u32::from(pair[0]) | u32::from(pair[1]) << 16)
        .collect();
    let d = "%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7";
    let mut body = String::from(
        ".shared .align 1024 .b8 s[10240];
         ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, s; mov.u32 %r3, %r1;
         L: mul.wide.u32 %rd3, %r3, 4; add.u64 %rd4, %rd1, %rd3; ld.global.u32 %r4, [%rd4]; mad.lo.u32 %r5, %r3, 4, %r2; st.shared.u32 [%r5], %r4;
         add.u32 %r3, %r3, 128; setp.lt.u32 %p1, %r3, 2560; @%p1 bra L;
         fence.proxy.async.shared::cta; bar.sync 0; wgmma.fence.sync.aligned;
         shr.u32 %r6, %r2, 4; cvt.u64.u32 %rd5, %r6; or.b64 %rd6, %rd5, 0x4000004000010000; add.u64 %rd7, %rd6, 512;\n",
    );
    for step in 0..4 {
        body += &format!(
            "setp.ne.u32 %p2, {step}, 0; add.u64 %rd8, %rd6, {0}; add.u64 %rd9, %rd7, {0};
             wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {{{d}}}, %rd8, %rd9, %p2, 1, 1, 0, 0;\n",
            2 * step
        );
    }
    body += "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; mul.wide.u32 %rd10, %r1, 32; add.u64 %rd2, %rd2, %rd10;\n";
    for r in 0..8 {
        body += &format!("st.global.f32 [%rd2+{}], %f{r};\n", 4 * r);
    }
    let module = parse(&kernel("k", ".param .u64 in, .param .u64 out", &body));
    let mut device = Device::new();
    let (input, out) = (
        device.buffer("in", &words),
        device.buffer("out", &[0f32; 1024]),
    );
    device.launch(&module, "k", 1, 128, &[Arg::U64(input), Arg::U64(out)]);
    let got: Vec<f32> = device.read(out, 1024);
    for thread in 0..128 {
        for i in 0..8 {
            let row = 16 * (thread / 32) + thread % 32 / 4 + 8 * (i / 2 % 2);
            let column = 8 * (i / 4) + 2 * (thread % 4) + i % 2;
            let wanted: f32 = (0..64)
                .map(|at| value(row, at, 5) * value(column, at, 7))
                .sum();
            assert_eq!(got[8 * thread + i], wanted, "row {row}, column {column}");
        }
    }
}
