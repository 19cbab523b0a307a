//! Every function against the host's f64 library, in units in the last place, over all magnitudes.
#![allow(
    clippy::print_stderr,
    reason = "the errors found are shown with --nocapture"
)]

use segra_device::expand::eval::{Evaluator, Number};
use segra_device::expand::{f32_binary, f32_unary, f64_binary, f64_unary, formula};
use segra_ir::OpView;
use segra_std::math::{Atan2Op, PowFOp};
use std::sync::atomic::{AtomicU64, Ordering};

/// Distance in units in the last place of the f32 nearest to `exact`; 0 where both are the same special value.
fn ulps(found: f32, exact: f64) -> f64 {
    let nearest = exact as f32;
    if nearest.is_nan() || found.is_nan() {
        return if nearest.is_nan() && found.is_nan() {
            0.0
        } else {
            f64::INFINITY
        };
    }
    if found.to_bits() == nearest.to_bits() {
        return 0.0;
    }
    if nearest.is_infinite() || found.is_infinite() {
        // The largest finite number and infinity are neighbours.
        let exact = exact.clamp(-f64::from(f32::MAX) * 2.0, f64::from(f32::MAX) * 2.0);
        let found = f64::from(found).clamp(-2f64.powi(128), 2f64.powi(128));
        return (found - exact).abs() / 2f64.powi(104);
    }
    if nearest == 0.0 && found == 0.0 {
        return f64::INFINITY;
    }
    let exponent = (nearest.abs().to_bits() >> 23).max(1) as i32;
    (f64::from(found) - exact).abs() / 2f64.powi(exponent - 150)
}

/// f32 bit patterns spread over all of them, with every special value.
fn sweep(count: u64) -> impl Iterator<Item = f32> {
    let special = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        2.0,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        f32::MAX,
        f32::MIN,
        f32::MIN_POSITIVE,
        1e-45,
        -1e-45,
        0.6,
        0.95,
        88.72284,
        89.0,
        -87.4,
        -103.9,
        -104.5,
        128.0,
        -149.0,
        -150.0,
    ];
    let step = ((1u64 << 32) / count) | 1;
    let spread = (0..count).map(move |i| f32::from_bits((i * step) as u32));
    // Where most functions do their work, more densely.
    let dense = (0..count).map(move |i| (i as f32 / count as f32 - 0.5) * 40.0);
    special.into_iter().chain(spread).chain(dense)
}

fn reference(name: &str) -> fn(f64) -> f64 {
    match name {
        "acos" => f64::acos,
        "asin" => f64::asin,
        "atan" => f64::atan,
        "cbrt" => f64::cbrt,
        "cos" => f64::cos,
        "cosh" => f64::cosh,
        "erf" => erf,
        "exp" => f64::exp,
        "exp2" => f64::exp2,
        "expm1" => f64::exp_m1,
        "log" => f64::ln,
        "log10" => f64::log10,
        "log1p" => f64::ln_1p,
        "log2" => f64::log2,
        "sin" => f64::sin,
        "sinh" => f64::sinh,
        "tan" => f64::tan,
        "tanh" => f64::tanh,
        _ => panic!("no reference for {name}"),
    }
}

/// erf by its series where that converges well, else by the continued fraction of erfc.
fn erf(x: f64) -> f64 {
    let a = x.abs();
    if a.is_nan() || x == 0.0 {
        return x;
    }
    let value = if a < 3.0 {
        let (mut term, mut sum, mut n) = (a, a, 0.0);
        while term.abs() > 1e-18 * sum {
            n += 1.0;
            term *= -a * a / n;
            sum += term / (2.0 * n + 1.0);
        }
        sum * std::f64::consts::FRAC_2_SQRT_PI
    } else if a > 6.0 {
        1.0
    } else {
        let mut fraction = 0.0;
        for n in (1..60).rev() {
            fraction = f64::from(n) / 2.0 / (a + fraction);
        }
        1.0 - (-a * a).exp() / (a + fraction) / std::f64::consts::PI.sqrt()
    };
    value.copysign(x)
}

/// The worst error of a function over some numbers, and where it is.
fn worst_of(name: &str, numbers: impl Iterator<Item = f32>) -> (f64, f32) {
    let exact = reference(name);
    let function = formula(&f32_unary(), &format!("math.{name}")).expect("in the table");
    let (mut worst, mut at) = (0.0, 0.0);
    for x in numbers {
        let found = function(&Evaluator, Number::F32(x)).f32();
        let error = ulps(found, exact(x.into()));
        if error > worst {
            (worst, at) = (error, x);
        }
    }
    (worst, at)
}

/// The worst error over all numbers there are, by as many threads as the machine has cores.
fn worst_of_all(name: &str) -> (f64, f32) {
    const PARTS: u64 = 256;
    let next = AtomicU64::new(0);
    let part = |number: u64| {
        let length = (1 << 32) / PARTS;
        let numbers = number * length..(number + 1) * length;
        worst_of(name, numbers.map(|bits| f32::from_bits(bits as u32)))
    };
    let thread = || {
        let numbers = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
        numbers
            .take_while(|&number| number < PARTS)
            .map(part)
            .fold((0.0, 0.0), larger)
    };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(thread)).collect();
        let found = running
            .into_iter()
            .map(|thread| thread.join().expect("no function panics"));
        found.fold((0.0, 0.0), larger)
    })
}

fn larger(a: (f64, f32), b: (f64, f32)) -> (f64, f32) {
    if b.0 > a.0 { b } else { a }
}

/// The complaint, if the worst error is above the bound.
fn compared(name: &str, bound: f64, (worst, at): (f64, f32)) -> Option<String> {
    let exact = reference(name);
    let function = formula(&f32_unary(), &format!("math.{name}"));
    let found = function.map(|function| function(&Evaluator, Number::F32(at)).f32());
    (worst > bound).then(|| {
        format!(
            "{name}({at:e}): {worst} ulp, found {found:?}, exact {:e}",
            exact(at.into())
        )
    })
}

/// Name, bound, and where the error is largest of all f32: `tests/gpu/accuracy.py` found them, on a GPU.
const BOUNDS: &[(&str, f64, f32)] = &[
    ("acos", 1.25, -0.5348808),
    ("asin", 1.88, -0.52812403),
    ("atan", 1.37, -1.7848859),
    ("cbrt", 0.51, -3.78e-43),
    ("cos", 1.5, -3.3460615e26),
    ("cosh", 2.39, -89.3896),
    ("erf", 1.21, -0.9500767),
    ("exp", 0.99, 59.275005),
    ("exp2", 0.87, -126.47623),
    ("expm1", 1.44, 17.001972),
    ("log", 0.89, 1.3360668),
    ("log10", 1.27, 1.3334446),
    ("log1p", 1.15, 0.3336484),
    ("log2", 1.09, 1.3417097),
    ("sin", 1.5, -4.1335034e36),
    ("sinh", 2.39, -89.3896),
    ("tan", 3.21, -1.7060118e9),
    ("tanh", 1.35, -0.6054001),
];

#[test]
fn functions_of_one_f32_stay_within_their_bounds() {
    let all = f32_unary::<Evaluator>();
    assert!(
        all.iter()
            .map(|row| row.0.name)
            .eq(BOUNDS.iter().map(|row| format!("math.{}", row.0)))
    );
    let failures: Vec<String> = BOUNDS
        .iter()
        .filter_map(|&(name, bound, at)| {
            compared(name, bound, worst_of(name, sweep(400_000).chain([at])))
        })
        .collect();
    assert!(failures.is_empty(), "{failures:#?}");
}

/// The GPU's results with the largest errors are what is computed here: bounds are no wider than they must be.
#[test]
fn bounds_are_reached() {
    for &(name, bound, at) in BOUNDS {
        let (error, _) = worst_of(name, [at].into_iter());
        assert!(
            error <= bound && error > bound - 0.011,
            "{name}({at:e}): {error} ulp, stated: {bound}"
        );
    }
}

/// `SEGRA_FUNCTIONS=sin,cos` takes these alone. Made faster by `--config 'profile.dev.package.segra-device.opt-level=3'`.
#[test]
#[ignore = "all f32 values: an hour of processor time per five functions"]
fn functions_of_one_f32_stay_within_their_bounds_everywhere() {
    let wanted = std::env::var("SEGRA_FUNCTIONS").ok();
    let is_wanted = |name: &str| {
        wanted
            .as_ref()
            .is_none_or(|list| list.split(',').any(|one| one == name))
    };
    let mut failures = Vec::new();
    for &(name, bound, _) in BOUNDS.iter().filter(|row| is_wanted(row.0)) {
        let worst = worst_of_all(name);
        eprintln!(
            "{name}: at most {:.4} ulp, at {:e}; stated: {bound}",
            worst.0, worst.1
        );
        failures.extend(compared(name, bound, worst));
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn powers_stay_within_their_bound() {
    let mut worst = (0.0, 0.0, 0.0);
    let special = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        2.0,
        -2.0,
        0.5,
        -0.5,
        3.0,
        -3.0,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        1e-45,
        -1e-45,
        1e30,
        -1e30,
        1.5,
        8_388_609.0,
        16_777_216.0,
    ];
    let bases = sweep(1500);
    let mut pairs: Vec<(f32, f32)> = special
        .iter()
        .flat_map(|&x| special.iter().map(move |&y| (x, y)))
        .collect();
    for (i, x) in bases.enumerate() {
        for j in 0..60 {
            let y = ((i * 37 + j * 101) % 4001) as f32 / 100.0 - 20.0;
            pairs.push((x, y));
            pairs.push((x.abs(), y / 17.0));
        }
    }
    let powf = formula(&f32_binary(), PowFOp::DEF.name).expect("in the table");
    for (x, y) in pairs {
        let found = powf(&Evaluator, Number::F32(x), Number::F32(y)).f32();
        let error = ulps(found, f64::from(x).powf(y.into()));
        if error > worst.0 {
            worst = (error, x, y);
        }
    }
    assert!(worst.0 <= 1.0, "{worst:?}");
}

#[test]
fn angles_stay_within_their_bound() {
    let mut worst = (0.0, 0.0, 0.0);
    let values: Vec<f32> = sweep(700).collect();
    let atan2 = formula(&f32_binary(), Atan2Op::DEF.name).expect("in the table");
    for &y in &values {
        for &x in &values {
            let found = atan2(&Evaluator, Number::F32(y), Number::F32(x)).f32();
            let error = ulps(found, f64::from(y).atan2(x.into()));
            if error > worst.0 {
                worst = (error, y, x);
            }
        }
    }
    assert!(worst.0 <= 2.5, "{worst:?}");
}

#[test]
fn functions_of_one_f64_stay_within_their_bounds() {
    type Case = (&'static str, fn(f64) -> f64, f64);
    let cases: [Case; 8] = [
        ("cos", f64::cos, 2.0),
        ("exp", f64::exp, 1.0),
        ("exp2", f64::exp2, 1.0),
        ("log", f64::ln, 1.0),
        ("log10", f64::log10, 2.0),
        ("log2", f64::log2, 2.0),
        ("sin", f64::sin, 2.0),
        ("tanh", f64::tanh, 3.0),
    ];
    let all = f64_unary::<Evaluator>();
    assert!(
        all.iter()
            .map(|row| row.0.name)
            .eq(cases.map(|case| format!("math.{}", case.0)))
    );
    for (&(_, function), (name, exact, bound)) in all.iter().zip(cases) {
        let spread = (0..300_000u64).map(|i| f64::from_bits(i.wrapping_mul(0x0000_D1B5_4A32_D192)));
        let dense = (0..300_000).map(|i| (f64::from(i) / 300_000.0 - 0.5) * 1500.0);
        let near_one = (0..300_000).map(|i| f64::from(i) / 100_000.0);
        let special = [
            0.0,
            -0.0,
            1.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            5e-324,
            f64::MAX,
            -745.1,
            709.78,
        ];
        let mut worst = (0.0, 0.0);
        for x in special
            .into_iter()
            .chain(spread)
            .chain(dense)
            .chain(near_one)
        {
            let found = function(&Evaluator, Number::F64(x)).f64();
            let wanted = exact(x);
            let error = units(found, wanted);
            if error > worst.0 {
                worst = (error, x);
            }
        }
        eprintln!("f64 {name}: {worst:?}");
        assert!(worst.0 <= bound, "{name}: {worst:?}");
    }
}

/// Distance of two f64 in units in the last place. The reference is itself within one, so whole ones are counted.
fn units(found: f64, wanted: f64) -> f64 {
    if found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan() {
        return 0.0;
    }
    (found.to_bits() as i64)
        .wrapping_sub(wanted.to_bits() as i64)
        .unsigned_abs() as f64
}

#[test]
fn powers_of_f64_stay_within_their_bound() {
    let special = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        2.0,
        -2.0,
        0.5,
        3.0,
        -3.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        5e-324,
        -5e-324,
        1e300,
        -1e300,
        1.5,
        9_007_199_254_740_993.0,
        1.000_000_000_000_000_2,
        0.999_999_999_999_999_9,
    ];
    let mut pairs: Vec<(f64, f64)> = special
        .iter()
        .flat_map(|&x| special.iter().map(move |&y| (x, y)))
        .collect();
    for i in 0..200_000u64 {
        let x = f64::from_bits(i.wrapping_mul(0x0000_D1B5_4A32_D192 << 3));
        if x.is_nan() {
            // The reference makes NaN of a signalling NaN to the power 0.
            continue;
        }
        pairs.push((x, (i % 4001) as f64 / 100.0 - 20.0));
        pairs.push((x.abs(), (i % 1999) as f64 / 1000.0 - 1.0));
        pairs.push((
            1.0 + (i as f64 - 100_000.0) / 3e7,
            (i % 7919) as f64 * 3.7 - 15_000.0,
        ));
    }
    let mut worst = (0.0, 0.0, 0.0);
    let powf = formula(&f64_binary(), PowFOp::DEF.name).expect("in the table");
    for (x, y) in pairs {
        let found = powf(&Evaluator, Number::F64(x), Number::F64(y)).f64();
        let error = units(found, x.powf(y));
        if error > worst.0 {
            worst = (error, x, y);
        }
    }
    assert!(worst.0 <= 1.0, "{worst:?}");
}
