//! Products by `wmma`: loaded, multiplied and stored by one warp, in every shape, order and type.

use crate::common::{Arg, Device, kernel, parse};
use half::{bf16, f16};
use segra_ptx::FaultKind;

/// Shape, types of factors and accumulator, and how many registers they have in a lane.
const PRODUCTS: &[([usize; 3], &str, &str, [usize; 3])] = &[
    ([16, 16, 16], "f16", "f32", [8, 8, 8]),
    ([16, 16, 16], "f16", "f16", [8, 8, 4]),
    ([32, 8, 16], "f16", "f32", [8, 8, 8]),
    ([8, 32, 16], "f16", "f32", [8, 8, 8]),
    ([16, 16, 16], "bf16", "f32", [4, 4, 8]),
    ([8, 32, 16], "bf16", "f32", [2, 8, 8]),
    ([16, 16, 8], "tf32", "f32", [4, 4, 8]),
    ([8, 8, 4], "f64", "f64", [1, 1, 2]),
    ([16, 16, 16], "s8", "s32", [2, 2, 8]),
    ([32, 8, 16], "u8", "s32", [4, 1, 8]),
    ([8, 8, 32], "s4", "s32", [1, 1, 2]),
    ([8, 8, 128], "b1", "s32", [1, 1, 2]),
];

/// Bits of an element.
fn bits(ty: &str) -> usize {
    match ty {
        "b1" => 1,
        "s4" => 4,
        "s8" | "u8" => 8,
        "f16" | "bf16" => 16,
        "f64" => 64,
        _ => 32,
    }
}

fn encode(ty: &str, value: i64) -> u64 {
    match ty {
        "f16" => u64::from(f16::from_f32(value as f32).to_bits()),
        "bf16" => u64::from(bf16::from_f32(value as f32).to_bits()),
        "f32" | "tf32" => u64::from((value as f32).to_bits()),
        "f64" => (value as f64).to_bits(),
        _ => value as u64 & (u64::MAX >> (64 - bits(ty))),
    }
}

/// A matrix in memory, in rows or columns that are `stride` elements apart.
struct Stored {
    ty: &'static str,
    rows: usize,
    columns: usize,
    order: &'static str,
    stride: usize,
}

impl Stored {
    fn at(&self, row: usize, column: usize) -> usize {
        if self.order == "row" {
            row * self.stride + column
        } else {
            column * self.stride + row
        }
    }

    fn elements(&self) -> usize {
        self.stride
            * if self.order == "row" {
                self.rows
            } else {
                self.columns
            }
    }

    fn bytes(&self, value: impl Fn(usize, usize) -> i64) -> Vec<u8> {
        let bits = bits(self.ty);
        let mut bytes = vec![0; self.elements() * bits / 8];
        for row in 0..self.rows {
            for column in 0..self.columns {
                let (at, pattern) = (
                    self.at(row, column) * bits,
                    encode(self.ty, value(row, column)),
                );
                for (i, byte) in pattern
                    .to_le_bytes()
                    .iter()
                    .enumerate()
                    .take(bits.div_ceil(8))
                {
                    bytes[at / 8 + i] |= byte << (at % 8);
                }
            }
        }
        bytes
    }
}

fn registers(ty: &str, from: usize, count: usize) -> String {
    let bank = match ty {
        "f64" => "fd",
        "f32" => "f",
        _ => "r",
    };
    let list: Vec<String> = (from..from + count)
        .map(|i| format!("%{bank}{i}"))
        .collect();
    format!("{{{}}}", list.join(", "))
}

/// The matrices A, B, C, and the result of the kernel that multiplies them.
fn product(
    ([m, n, k], ty, acc, counts): ([usize; 3], &'static str, &'static str, [usize; 3]),
    [a_order, b_order, c_order]: [&'static str; 3],
    space: &str,
    value: fn(usize, usize) -> i64,
) -> (Vec<u8>, Vec<u8>) {
    let pad = if bits(ty) < 8 { 128 } else { 8 };
    let stored = |ty, rows, columns, order| Stored {
        ty,
        rows,
        columns,
        order,
        stride: if order == "row" { columns } else { rows } + pad,
    };
    let (a, b) = (stored(ty, m, k, a_order), stored(ty, k, n, b_order));
    let c = stored(acc, m, n, c_order);
    let shape = format!("m{m}n{n}k{k}");
    let [ra, rb, rc, rd] = [
        registers(ty, 0, counts[0]),
        registers(ty, 10, counts[1]),
        registers(acc, 20, counts[2]),
        registers(acc, 30, counts[2]),
    ];
    let (op, types) = match ty {
        "f16" => ("", format!("{acc}.{acc}")),
        "b1" => (".and.popc", format!("{acc}.{ty}.{ty}.{acc}")),
        _ => ("", format!("{acc}.{ty}.{ty}.{acc}")),
    };
    let body = format!(
        "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c];
         mov.u32 %r40, {};
         wmma.load.a.sync.aligned.{a_order}.{shape}{space}.{ty} {ra}, [%rd1], %r40;
         wmma.load.b.sync.aligned.{b_order}.{shape}{space}.{ty} {rb}, [%rd2], {};
         wmma.load.c.sync.aligned.{c_order}.{shape}{space}.{acc} {rc}, [%rd3], {};
         wmma.mma{op}.sync.aligned.{a_order}.{b_order}.{shape}.{types} {rd}, {ra}, {rb}, {rc};
         wmma.store.d.sync.aligned.{c_order}.{shape}{space}.{acc} [%rd3], {rd}, {};",
        a.stride, b.stride, c.stride, c.stride
    );
    let module = parse(&kernel(
        "k",
        ".param .u64 a, .param .u64 b, .param .u64 c",
        &body,
    ));
    let mut device = Device::new();
    let other = |row, column| value(column + 3, row);
    let start = |row: usize, column: usize| (row + 2 * column) as i64 % 7;
    let buffers = [
        ("a", a.bytes(value)),
        ("b", b.bytes(other)),
        ("c", c.bytes(start)),
    ];
    let [pa, pb, pc] = buffers.map(|(name, bytes)| device.buffer(name, &bytes));
    device.launch(&module, "k", 1, 32, &[pa, pb, pc].map(Arg::U64));
    let sum = |row: usize, column: usize| {
        let products = (0..k).map(|at| value(row, at) * other(at, column));
        start(row, column) + products.sum::<i64>()
    };
    (device.read(pc, c.bytes(start).len()), c.bytes(sum))
}

#[test]
fn fragments_of_every_shape_and_order_are_multiplied() {
    for &wanted in PRODUCTS {
        let small: fn(usize, usize) -> i64 = match wanted.1 {
            "b1" => |row, column| (row * 5 + column * 3) as i64 % 2,
            "u8" => |row, column| (row * 5 + column * 3) as i64 % 11,
            _ => |row, column| (row * 5 + column * 3) as i64 % 11 - 5,
        };
        for orders in 0..8 {
            let [a, b, c] = [1, 2, 4].map(|bit| if orders & bit == 0 { "row" } else { "col" });
            if bits(wanted.1) < 8 && (a, b) != ("row", "col") {
                continue;
            }
            for space in ["", ".global"] {
                let (found, right) = product(wanted, [a, b, c], space, small);
                assert_eq!(found, right, "{wanted:?} {a} {b} {c} {space}");
            }
        }
    }
}

#[test]
fn fragments_of_shared_memory_have_the_least_distance_where_none_is_written() {
    let body = ".shared .align 32 .b8 s[1024]; ld.param.u64 %rd1, [a]; mov.u32 %r30, s; mov.u32 %r31, %laneid;
         mad.lo.u32 %r32, %r31, 32, %r30; cvt.rn.f32.u32 %f20, %r31; mov.u32 %r33, 0;
         L: st.shared.f32 [%r32], %f20; add.u32 %r32, %r32, 4; add.f32 %f20, %f20, 0f42000000; add.u32 %r33, %r33, 1;
         setp.lt.u32 %p1, %r33, 8; @%p1 bra L; bar.warp.sync -1;
         wmma.load.c.sync.aligned.row.m16n16k16.shared.f32 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, [s];
         wmma.store.d.sync.aligned.col.m16n16k16.global.f32 [%rd1], {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7};";
    let module = parse(&kernel("k", ".param .u64 a", body));
    let mut device = Device::new();
    let out = device.buffer("a", &[0f32; 256]);
    device.launch(&module, "k", 1, 32, &[Arg::U64(out)]);
    let found: Vec<f32> = device.read(out, 256);
    for (at, &found) in found.iter().enumerate() {
        // Columns of the result are rows of what was loaded.
        let word = 16 * (at % 16) + at / 16;
        assert_eq!(found, (word / 8 + 32 * (word % 8)) as f32, "element {at}");
    }
}

#[test]
fn fragments_outside_of_a_buffer_or_of_part_of_a_warp_are_faults() {
    let load = "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%rd1], 16;";
    let cases = [
        (load.to_owned(), 255, FaultKind::OutOfBounds),
        (
            format!("mov.u32 %r20, %laneid; setp.eq.u32 %p1, %r20, 3;\n@!%p1 {load}"),
            256,
            FaultKind::Synchronisation,
        ),
    ];
    for (body, halves, kind) in cases {
        let module = parse(&kernel(
            "k",
            ".param .u64 a",
            &format!("ld.param.u64 %rd1, [a];\n{body}"),
        ));
        let mut device = Device::new();
        let a = device.buffer("a", &vec![0u16; halves]);
        let fault = device
            .try_launch(&module, "k", [1; 3], [32, 1, 1], &[Arg::U64(a)])
            .expect_err("must fail");
        assert_eq!(fault.reason.kind(), kind, "{fault}");
    }
}
