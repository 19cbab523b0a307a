//! Kernels at the level hand-tuned code reaches, as LLVM's NVPTX back end emits them from MLIR: a row softmax held in
//! registers; a product through `cp.async`, `ldmatrix` and `mma.sync`; one through tensor copies and `wgmma`.

use crate::common::{Arg, Device, params, parse};
use half::bf16;
use segra_ptx::{LaunchConfig, LaunchStats, Swizzle, TensorMap, launch};

fn run(
    device: &Device,
    text: &str,
    grid: [u32; 3],
    threads: u32,
    shared: u32,
    block: &[u8],
) -> LaunchStats {
    let module = parse(text);
    let config = LaunchConfig {
        grid,
        block: [threads, 1, 1],
        dynamic_shared: shared,
    };
    let name = module.kernels()[0].name();
    launch(
        &module,
        name,
        &config,
        block,
        &device.memory,
        &device.options,
    )
    .unwrap_or_else(|fault| panic!("{fault}"))
}

/// A matrix of small multiples of 1/8, exact in bfloat16, as patterns and as values.
fn matrix(rows: usize, columns: usize, seed: usize) -> (Vec<u16>, Vec<f32>) {
    let value = |at: usize| ((at * 37 + at / columns * 11 + seed) % 33) as f32 / 8.0 - 2.0;
    let values: Vec<f32> = (0..rows * columns).map(value).collect();
    (
        values
            .iter()
            .map(|&v| bf16::from_f32(v).to_bits())
            .collect(),
        values,
    )
}

fn check_product(got: &[f32], a: &[f32], b: impl Fn(usize, usize) -> f32, n: usize, k: usize) {
    for (at, &got) in got.iter().enumerate() {
        let (row, column) = (at / n, at % n);
        // Every partial sum is exact, so the order does not matter.
        let wanted: f32 = (0..k)
            .map(|depth| a[row * k + depth] * b(depth, column))
            .sum();
        assert_eq!(got, wanted, "row {row}, column {column}");
    }
}

#[test]
fn a_softmax_with_the_row_in_registers() {
    let x: Vec<f32> = (0..2 * 4096)
        .map(|at| ((at * 7919) % 1000) as f32 / 125.0 - 4.0)
        .collect();
    let mut device = Device::new();
    let (input, out) = (
        device.buffer("x", &x),
        device.buffer("y", &vec![0f32; x.len()]),
    );
    let text = include_str!("../ptx/llvm_softmax_row.ptx");
    run(
        &device,
        text,
        [2, 1, 1],
        256,
        0,
        &params(&[Arg::U64(input), Arg::U64(out)]),
    );
    for (row, got) in x
        .chunks(4096)
        .zip(device.read::<f32>(out, x.len()).chunks(4096))
    {
        let top = row.iter().fold(f32::MIN, |top, &v| top.max(v));
        let sum: f64 = row.iter().map(|&v| f64::from(v - top).exp()).sum();
        for (&v, &got) in row.iter().zip(got) {
            let wanted = f64::from(v - top).exp() / sum;
            assert!(
                (f64::from(got) - wanted).abs() <= 2e-6 * wanted,
                "{got} is not {wanted}"
            );
        }
    }
}

#[test]
fn a_product_through_ldmatrix_and_four_stages_of_copies() {
    let (m, n, k) = (128, 256, 160);
    let ((a_bits, a), (b_bits, b)) = (matrix(m, k, 1), matrix(k, n, 5));
    let mut device = Device::new();
    let (pa, pb) = (device.buffer("a", &a_bits), device.buffer("b", &b_bits));
    let c = device.buffer("c", &vec![0f32; m * n]);
    let block = params(&[
        Arg::U64(pa),
        Arg::U64(pb),
        Arg::U64(c),
        Arg::U32(m as u32),
        Arg::U32(n as u32),
        Arg::U32(k as u32),
    ]);
    let text = include_str!("../ptx/llvm_hgemm_bf16.ptx");
    let stats = run(
        &device,
        text,
        [(n / 128) as u32, (m / 128) as u32, 1],
        128,
        65_536,
        &block,
    );
    check_product(
        &device.read(c, m * n),
        &a,
        |depth, column| b[depth * n + column],
        n,
        k,
    );
    // Two blocks of four warps multiply 64 × 64 × 160 elements a warp, 16 × 8 × 16 at a time; per 16 of the depth each
    // loads 64 × 16 elements of A and of B, 16 × 16 at a time.
    assert_eq!(stats.warp_instructions.tensor, 8 * (10 * 32 + 10 * 8));
}

#[test]
fn a_product_of_warpgroups_fed_by_tensor_copies() {
    let (m, n, k) = (128, 256, 320);
    let ((a_bits, a), (b_bits, b)) = (matrix(m, k, 3), matrix(n, k, 8));
    let mut device = Device::new();
    let (pa, pb) = (device.buffer("a", &a_bits), device.buffer("b", &b_bits));
    let c = device.buffer("c", &vec![0f32; m * n]);
    let map = |address: u64, rows: usize, tile: u32| TensorMap {
        address,
        element_bytes: 2,
        extents: vec![k as u64, rows as u64],
        strides: vec![2 * k as u64],
        box_extents: vec![64, tile],
        swizzle: Swizzle::Bytes128,
        ..TensorMap::default()
    };
    let mut block = map(pa, m, 128).to_bytes().expect("a legal map").to_vec();
    block.extend(map(pb, n, 256).to_bytes().expect("a legal map"));
    block.extend(params(&[
        Arg::U64(c),
        Arg::U32(m as u32),
        Arg::U32(n as u32),
        Arg::U32(k as u32),
    ]));
    let text = include_str!("../ptx/llvm_hgemm_wgmma.ptx");
    run(&device, text, [1, 1, 1], 384, 196_608, &block);
    check_product(
        &device.read(c, m * n),
        &a,
        |depth, column| b[column * k + depth],
        n,
        k,
    );
}
