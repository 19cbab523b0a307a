//! Speed of the simulator on one host thread, in thread instructions per second.
//!
//! `cargo bench -p segra-ptx`. The kernels are those of `tests/ptx/compute.c`.
//!
//! "plain" has no checkers, "checked" has all, "profiled" models an A100. Figures are in `benches/README.md`.

use divan::Bencher;
use divan::counter::ItemsCount;
use segra_ptx::{
    Checks, LaunchConfig, Machine, Memory, Module, Options, ProfileOptions, Sample, launch,
};

fn main() {
    divan::main();
}

const TEXT: &str = include_str!("../tests/ptx/compute.ptx");

/// One host thread, with no more checks than hardware has.
fn plain() -> Options {
    Options {
        threads: Some(1),
        checks: Checks::FAULTS,
        ..Options::default()
    }
}

/// One host thread, all checkers.
fn checked() -> Options {
    Options {
        checks: Checks::ALL,
        ..plain()
    }
}

/// One host thread, with a profile for an A100.
fn profiled() -> Options {
    Options {
        profile: Some(ProfileOptions {
            machine: Machine::A100,
            registers: None,
            sample: Sample::All,
            trace: None,
        }),
        ..plain()
    }
}

/// A launch on zeroed buffers of the given sizes, with the scalars behind them in the parameter block.
fn bench(
    bencher: Bencher<'_, '_>,
    options: &Options,
    kernel: &str,
    shape: ([u32; 3], [u32; 3]),
    buffers: &[u64],
    scalars: &[u32],
) {
    let Ok(module) = Module::parse(TEXT) else {
        return;
    };
    let mut memory = Memory::new(1 << 26);
    let mut params = Vec::new();
    for (number, &bytes) in buffers.iter().enumerate() {
        let Ok(address) = memory.alloc(bytes, &format!("buffer {number}")) else {
            return;
        };
        if memory.write(address, &vec![0; bytes as usize]).is_err() {
            return;
        }
        params.extend(address.to_le_bytes());
    }
    params.extend(scalars.iter().flat_map(|value| value.to_le_bytes()));
    let config = LaunchConfig {
        grid: shape.0,
        block: shape.1,
        dynamic_shared: 0,
    };
    let run = || launch(&module, kernel, &config, &params, &memory, options);
    let instructions = match run() {
        Ok(stats) => stats.thread_instructions,
        Err(_) => return,
    };
    bencher
        .counter(ItemsCount::new(instructions))
        .bench_local(run);
}

const SETTINGS: [&str; 3] = ["plain", "checked", "profiled"];

fn options(setting: &str) -> Options {
    match setting {
        "checked" => checked(),
        "profiled" => profiled(),
        _ => plain(),
    }
}

#[divan::bench(sample_count = 5, args = SETTINGS)]
fn fma_chains(bencher: Bencher<'_, '_>, setting: &str) {
    let scalars = [0.99f32.to_bits(), 0.5f32.to_bits(), 1000];
    bench(
        bencher,
        &options(setting),
        "fma_chains",
        ([8, 1, 1], [128, 1, 1]),
        &[4096],
        &scalars,
    );
}

#[divan::bench(sample_count = 5, args = SETTINGS)]
fn matmul_tiled_128(bencher: Bencher<'_, '_>, setting: &str) {
    let bytes = 128 * 128 * 4;
    bench(
        bencher,
        &options(setting),
        "matmul_tiled",
        ([8, 8, 1], [16, 16, 1]),
        &[bytes; 3],
        &[128],
    );
}

#[divan::bench(sample_count = 1, args = SETTINGS)]
fn matmul_tiled_512(bencher: Bencher<'_, '_>, setting: &str) {
    let bytes = 512 * 512 * 4;
    bench(
        bencher,
        &options(setting),
        "matmul_tiled",
        ([32, 32, 1], [16, 16, 1]),
        &[bytes; 3],
        &[512],
    );
}

#[divan::bench(sample_count = 1, args = [1, 2, 4, 8, 16])]
fn matmul_tiled_512_on_host_threads(bencher: Bencher<'_, '_>, threads: usize) {
    let bytes = 512 * 512 * 4;
    let options = Options {
        threads: Some(threads),
        ..plain()
    };
    bench(
        bencher,
        &options,
        "matmul_tiled",
        ([32, 32, 1], [16, 16, 1]),
        &[bytes; 3],
        &[512],
    );
}

#[divan::bench(sample_count = 5, args = SETTINGS)]
fn mandelbrot(bencher: Bencher<'_, '_>, setting: &str) {
    bench(
        bencher,
        &options(setting),
        "mandelbrot",
        ([128, 1, 1], [128, 1, 1]),
        &[128 * 128 * 4],
        &[128, 128, 200],
    );
}

#[divan::bench(sample_count = 5, args = SETTINGS)]
fn histogram(bencher: Bencher<'_, '_>, setting: &str) {
    bench(
        bencher,
        &options(setting),
        "histogram",
        ([8, 1, 1], [256, 1, 1]),
        &[1 << 20, 256],
        &[1 << 18],
    );
}

#[divan::bench(sample_count = 5)]
fn parse(bencher: Bencher<'_, '_>) {
    bencher
        .counter(divan::counter::BytesCount::of_str(TEXT))
        .bench_local(|| Module::parse(TEXT).is_ok());
}
