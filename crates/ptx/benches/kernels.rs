//! Speed of the simulator on one host thread, in thread instructions per second.
//!
//! `cargo bench -p segra-ptx`. The kernels are those of `tests/ptx/compute.c`.
//!
//! On 2026-11-21, one core of an AMD EPYC that others used too, median of 5 (fastest): fma_chains 1.6 (3.8),
//! mandelbrot 0.54 (0.55), matmul_tiled_128 0.37 (0.37), histogram 0.29 (0.58) billion thread instructions per
//! second; the reader takes 60 MB of PTX per second.

use divan::Bencher;
use divan::counter::ItemsCount;
use segra_ptx::{LaunchConfig, Memory, Module, Options, launch};

fn main() {
    divan::main();
}

const TEXT: &str = include_str!("../tests/ptx/compute.ptx");

/// A launch on zeroed buffers of the given sizes, with the scalars behind them in the parameter block.
fn bench(
    bencher: Bencher<'_, '_>,
    kernel: &str,
    shape: ([u32; 3], [u32; 3]),
    buffers: &[u64],
    scalars: &[u32],
) {
    let Ok(module) = Module::parse(TEXT) else { return };
    let mut memory = Memory::new(1 << 26);
    let mut params = Vec::new();
    for (number, &bytes) in buffers.iter().enumerate() {
        let Ok(address) = memory.alloc(bytes, &format!("buffer {number}")) else { return };
        if memory.write(address, &vec![0; bytes as usize]).is_err() {
            return;
        }
        params.extend(address.to_le_bytes());
    }
    params.extend(scalars.iter().flat_map(|value| value.to_le_bytes()));
    let config = LaunchConfig { grid: shape.0, block: shape.1, dynamic_shared: 0 };
    let options = Options { threads: Some(1), ..Options::default() };
    let run = || launch(&module, kernel, &config, &params, &memory, &options);
    let instructions = match run() {
        Ok(stats) => stats.thread_instructions,
        Err(_) => return,
    };
    bencher.counter(ItemsCount::new(instructions)).bench_local(run);
}

#[divan::bench(sample_count = 5)]
fn fma_chains(bencher: Bencher<'_, '_>) {
    let scalars = [0.99f32.to_bits(), 0.5f32.to_bits(), 1000];
    bench(bencher, "fma_chains", ([8, 1, 1], [128, 1, 1]), &[4096], &scalars);
}

#[divan::bench(sample_count = 5)]
fn matmul_tiled_128(bencher: Bencher<'_, '_>) {
    let bytes = 128 * 128 * 4;
    bench(bencher, "matmul_tiled", ([8, 8, 1], [16, 16, 1]), &[bytes; 3], &[128]);
}

#[divan::bench(sample_count = 5)]
fn mandelbrot(bencher: Bencher<'_, '_>) {
    bench(bencher, "mandelbrot", ([128, 1, 1], [128, 1, 1]), &[128 * 128 * 4], &[128, 128, 200]);
}

#[divan::bench(sample_count = 5)]
fn histogram(bencher: Bencher<'_, '_>) {
    bench(bencher, "histogram", ([8, 1, 1], [256, 1, 1]), &[1 << 20, 256], &[1 << 18]);
}

#[divan::bench(sample_count = 5)]
fn parse(bencher: Bencher<'_, '_>) {
    bencher.counter(divan::counter::BytesCount::of_str(TEXT)).bench_local(|| Module::parse(TEXT).is_ok());
}
