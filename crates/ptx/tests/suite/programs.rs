//! Kernels compiled from C by clang (see `tests/ptx/*.c`), against the same computation in Rust.

use crate::common::{Arg, Device, parse};
use segra_ptx::Module;
use segra_random::SplitMix64;

fn compute() -> Module {
    parse(include_str!("../ptx/compute.ptx"))
}

/// The same kernels optimised, and unoptimised with everything in local memory.
fn controls() -> [Module; 2] {
    [
        parse(include_str!("../ptx/control.ptx")),
        parse(include_str!("../ptx/control_debug.ptx")),
    ]
}

fn noise(count: usize) -> Vec<u32> {
    let mut stream = SplitMix64::new(0x2545_f491);
    (0..count).map(|_| stream.next_u64() as u32).collect()
}

fn floats(count: usize) -> Vec<f32> {
    noise(count)
        .iter()
        .map(|v| (v >> 8) as f32 / (1 << 24) as f32 - 0.5)
        .collect()
}

#[test]
fn fma_chains_round_like_the_host() {
    let mut device = Device::new();
    let out = device.buffer("out", &[0f32; 256]);
    device.launch(
        &compute(),
        "fma_chains",
        4,
        64,
        &[Arg::U64(out), Arg::F32(0.99), Arg::F32(0.1), Arg::U32(50)],
    );
    for (i, got) in device.read::<f32>(out, 256).into_iter().enumerate() {
        let mut chains: [f32; 8] = core::array::from_fn(|k| (i + k) as f32);
        for _ in 0..50 {
            chains = chains.map(|x| x.mul_add(0.99, 0.1));
        }
        assert_eq!(got, chains.iter().fold(0.0, |sum, x| sum + x), "thread {i}");
    }
}

#[test]
fn matmul_with_tiles_in_shared_memory() {
    let n = 64;
    let (a, b) = (floats(n * n), floats(2 * n * n)[n * n..].to_vec());
    let mut device = Device::new();
    let (da, db, dc) = (
        device.buffer("a", &a),
        device.buffer("b", &b),
        device.buffer("c", &vec![0f32; n * n]),
    );
    let args = [Arg::U64(da), Arg::U64(db), Arg::U64(dc), Arg::U32(n as u32)];
    let stats = device
        .try_launch(&compute(), "matmul_tiled", [4, 4, 1], [16, 16, 1], &args)
        .unwrap();
    let c: Vec<f32> = device.read(dc, n * n);
    for row in 0..n {
        for col in 0..n {
            let expected = (0..n).fold(0f32, |sum, k| a[row * n + k].mul_add(b[k * n + col], sum));
            assert_eq!(c[row * n + col], expected, "({row}, {col})");
        }
    }
    assert_eq!(stats.barriers, 16 * 4 * 2);
    assert_eq!(stats.divergent_branches, 0);
    assert_eq!(stats.global_bytes_read, (2 * n * n * (n / 16) * 4) as u64);
}

#[test]
fn lanes_leave_a_loop_at_different_times() {
    let (width, height, limit) = (61, 33, 200);
    let mut device = Device::new();
    let out = device.buffer("out", &vec![0i32; width * height]);
    let args = [
        Arg::U64(out),
        Arg::U32(width as u32),
        Arg::U32(height as u32),
        Arg::U32(limit),
    ];
    let stats = device.launch(&compute(), "mandelbrot", 32, 64, &args);
    let got: Vec<i32> = device.read(out, width * height);
    for (i, &got) in got.iter().enumerate() {
        let cx = (i % width) as f32 * 3.0 / width as f32 - 2.0;
        let cy = (i / width) as f32 * 2.0 / height as f32 - 1.0;
        let (mut x, mut y, mut n) = (0f32, 0f32, 0);
        // Which products clang fuses is its choice; only points far from the border are compared exactly.
        while n < limit as i32 && x * x + y * y <= 4.0 {
            (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
            n += 1;
        }
        if n < 20 || n == limit as i32 {
            assert!(
                (got - n).abs() <= 1 || n == limit as i32,
                "point {i}: {got}, expected {n}"
            );
        }
    }
    assert!(stats.divergent_branches > 0);
}

#[test]
fn histogram_in_shared_memory_is_merged_by_atomics() {
    let values = noise(10_000);
    let mut device = Device::new();
    let (input, out) = (
        device.buffer("in", &values),
        device.buffer("out", &[0u32; 64]),
    );
    device.launch(
        &compute(),
        "histogram",
        7,
        96,
        &[Arg::U64(input), Arg::U64(out), Arg::U32(10_000)],
    );
    let mut expected = [0u32; 64];
    for value in values {
        expected[value as usize & 63] += 1;
    }
    assert_eq!(device.read::<u32>(out, 64), expected);
}

fn pick(k: u32, x: u32) -> u32 {
    match k {
        0 => x.wrapping_mul(3),
        1 => x ^ 0x55,
        2 => x / 7,
        3 => (0..x & 15).fold(0, |sum: u32, i| sum.wrapping_add(i.wrapping_mul(x))),
        4 => !x,
        5 => x.rotate_left(3),
        6 => x % 13 + 100,
        _ => 0xdead,
    }
}

#[test]
fn a_switch_jumps_through_a_table_in_a_called_function() {
    for module in controls() {
        let values = noise(256);
        let mut device = Device::new();
        let (input, out) = (
            device.buffer("in", &values),
            device.buffer("out", &[0u32; 256]),
        );
        device.launch(
            &module,
            "switches",
            4,
            64,
            &[Arg::U64(input), Arg::U64(out)],
        );
        for (&x, got) in values.iter().zip(device.read::<u32>(out, 256)) {
            assert_eq!(
                got,
                pick(x % 9, x).wrapping_add(pick(x % 7, x.wrapping_add(1))),
                "{x}"
            );
        }
    }
}

#[test]
fn nested_loops_break_continue_and_return_early() {
    for module in controls() {
        let mut values = noise(200)
            .into_iter()
            .map(|v| v % 100_000)
            .collect::<Vec<_>>();
        values[7] = 0;
        let mut device = Device::new();
        let (input, out) = (
            device.buffer("in", &values),
            device.buffer("out", &[7u32; 256]),
        );
        device.launch(
            &module,
            "collatz",
            2,
            128,
            &[Arg::U64(input), Arg::U64(out), Arg::U32(200)],
        );
        let got: Vec<u32> = device.read(out, 256);
        for (i, &x) in values.iter().enumerate() {
            let (mut x, mut steps) = (x, 0);
            if x == 0 {
                assert_eq!(got[i], u32::MAX);
                continue;
            }
            while x != 1 && steps <= 500 {
                if x & 1 == 1 {
                    x = x.wrapping_mul(3).wrapping_add(1);
                    steps += 1;
                    continue;
                }
                while x & 1 == 0 {
                    x >>= 1;
                    steps += 1;
                }
            }
            assert_eq!(got[i], steps, "start {}", values[i]);
        }
        assert!(got[200..].iter().all(|&v| v == 7));
    }
}

#[test]
fn arrays_in_local_memory_belong_to_their_thread() {
    for module in controls() {
        let values = noise(64);
        let mut device = Device::new();
        let (input, out) = (
            device.buffer("in", &values),
            device.buffer("out", &[0u32; 96]),
        );
        device.launch(
            &module,
            "local_array",
            2,
            48,
            &[Arg::U64(input), Arg::U64(out)],
        );
        for (i, got) in device.read::<u32>(out, 96).into_iter().enumerate() {
            let mut table: [u32; 16] = core::array::from_fn(|k| values[(i + k) % 64]);
            for k in 0..32u32 {
                let a = table[k as usize & 15] as usize & 15;
                table[a] = table[a].wrapping_mul(5).wrapping_add(k);
            }
            assert_eq!(
                got,
                table
                    .iter()
                    .fold(0u32, |sum, &v| sum.wrapping_mul(31).wrapping_add(v)),
                "thread {i}"
            );
        }
    }
}

#[test]
fn structures_pass_through_parameter_space() {
    for module in controls() {
        let up = |(_, b, c): (i64, i32, i16), a: i64, by: i32| {
            (i64::from(b) + i64::from(by), (a >> 1) as i32, c + 1)
        };
        let mut device = Device::new();
        let out = device.buffer("out", &[0i64; 64]);
        device.launch(&module, "structures", 1, 64, &[Arg::U64(out)]);
        for (i, got) in device.read::<i64>(out, 64).into_iter().enumerate() {
            let mut p = ((i as i64) << 33, i as i32 * 7, i as i16);
            if i & 1 == 1 {
                p = up(p, p.0, 5);
            }
            p = up(p, p.0, i as i32);
            assert_eq!(
                got,
                p.0 + i64::from(p.1) * 1_000_003 + i64::from(p.2),
                "thread {i}"
            );
        }
    }
}

#[test]
fn module_variables_have_their_initial_values_and_persist() {
    for module in controls() {
        let mut device = Device::new();
        let out = device.buffer("out", &[0i32; 32]);
        for expected in [42, 43] {
            device.launch(&module, "variables", 1, 32, &[Arg::U64(out)]);
            let got: Vec<i32> = device.read(out, 32);
            assert_eq!(got[0], expected);
            assert_eq!(got[1..9], [3, 5, 7, 11, 13, 17, 19, 2]);
        }
    }
}

#[test]
fn a_spinning_lane_lets_the_lock_holder_go_on() {
    for module in controls() {
        let mut device = Device::new();
        let (lock, count) = (
            device.buffer("lock", &[0i32]),
            device.buffer("count", &[0i32]),
        );
        device.launch(
            &module,
            "spin_lock",
            2,
            96,
            &[Arg::U64(lock), Arg::U64(count)],
        );
        assert_eq!(device.read::<i32>(count, 1), [192]);
    }
}

#[test]
fn a_block_may_wait_for_an_earlier_one() {
    for module in controls() {
        let mut device = Device::new();
        let flags = device.buffer("flags", &[0i32; 100]);
        device.launch(&module, "chained", 100, 32, &[Arg::U64(flags)]);
        assert_eq!(device.read::<i32>(flags, 100)[99], 100 * 101 / 2);
    }
}

/// One source, unoptimised for an old target and optimised for a new one: different instructions, same values.
#[test]
fn code_for_different_targets_and_levels_agrees() {
    const COUNT: usize = 2048;
    let run = |text: &str| {
        let mut device = Device::new();
        // Random patterns, small numbers, and floats of ordinary size.
        let values: Vec<u64> = noise(COUNT * 6)
            .chunks(2)
            .enumerate()
            .map(|(i, pair)| {
                let bits = u64::from(pair[0]) << 32 | u64::from(pair[1]);
                match i % 4 {
                    0 => bits,
                    1 => bits % 200,
                    2 => u64::from((pair[0] as f32 / 65_536.0 - 30_000.0).to_bits()) | bits << 32,
                    _ => (f64::from(pair[0]) / 65_536.0 - 30_000.0).to_bits(),
                }
            })
            .collect();
        let (input, out) = (
            device.buffer("in", &values),
            device.buffer("out", &vec![0u64; COUNT * OPERATIONS]),
        );
        device.launch(
            &parse(text),
            "operations",
            COUNT as u32 / 128,
            128,
            &[Arg::U64(input), Arg::U64(out)],
        );
        device.read::<u64>(out, COUNT * OPERATIONS)
    };
    const OPERATIONS: usize = 72;
    let plain = run(include_str!("../ptx/operations_sm75_o0.ptx"));
    let optimised = run(include_str!("../ptx/operations_sm90_o3.ptx"));
    for (at, (a, b)) in plain.iter().zip(&optimised).enumerate() {
        assert_eq!(
            a,
            b,
            "operation {} of input {}",
            at % OPERATIONS,
            at / OPERATIONS
        );
    }
    // Something was computed: no column is the same for every input.
    for operation in 0..OPERATIONS {
        assert!(
            (0..COUNT).any(|i| plain[i * OPERATIONS + operation] != plain[operation]),
            "operation {operation}"
        );
    }
}
