//! Rounding against exact arithmetic: every sum, product, quotient and root below is known exactly (as a sum of two
//! doubles, or by comparing a candidate's product), so the right neighbour is found by comparison, not by rounding.

use crate::single::{Out, check, floats};
use core::cmp::Ordering;
use half::{bf16, f16};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Nearest,
    Zero,
    Down,
    Up,
}

const MODES: [(&str, Mode); 4] = [
    ("rn", Mode::Nearest),
    ("rz", Mode::Zero),
    ("rm", Mode::Down),
    ("rp", Mode::Up),
];

/// The order of two numbers, none of them a NaN; zeros of both signs are equal.
fn order(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).expect("no NaN is compared")
}

/// A sum of two doubles that is exact: `s` rounded, and what rounding lost (Knuth's two-sum).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

/// The exact value `s + e` compared with a candidate.
fn compare_sum((s, e): (f64, f64), candidate: f64) -> Ordering {
    let by_s = order(s, candidate);
    by_s.then(order(e, 0.0))
}

/// The `f32` a finite nonzero value rounds to, given a value near it and its exact comparison with candidates.
fn round(near: f64, exact: impl Fn(f64) -> Ordering, mode: Mode) -> f32 {
    let mut low = near.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32;
    while low > f32::MIN && exact(f64::from(low)) == Ordering::Less {
        low = low.next_down();
    }
    while low < f32::MAX && exact(f64::from(low.next_up())) != Ordering::Less {
        low = low.next_up();
    }
    if exact(f64::from(low)) == Ordering::Equal {
        return low;
    }
    // Beyond the largest number on either side lies an infinity, at 2^128 for comparisons.
    let (low, high) = if exact(f64::from(low)) == Ordering::Less {
        (f32::NEG_INFINITY, low)
    } else {
        (low, low.next_up())
    };
    let place = |v: f32| {
        if v.is_infinite() {
            f64::exp2(128.0).copysign(f64::from(v))
        } else {
            f64::from(v)
        }
    };
    match mode {
        Mode::Down => low,
        Mode::Up => high,
        Mode::Zero => {
            if high <= 0.0 {
                high
            } else {
                low
            }
        }
        Mode::Nearest => match exact((place(low) + place(high)) / 2.0) {
            Ordering::Less => low,
            Ordering::Greater => high,
            Ordering::Equal => {
                if low.to_bits() & 1 == 0 {
                    low
                } else {
                    high
                }
            }
        },
    }
}

/// The sign of an exact zero sum.
fn zero(a: f32, b: f32, mode: Mode) -> f32 {
    if a.is_sign_negative() && b.is_sign_negative()
        || a.is_sign_negative() != b.is_sign_negative() && mode == Mode::Down
    {
        -0.0
    } else {
        0.0
    }
}

fn add(a: f32, b: f32, mode: Mode) -> f32 {
    let sum = two_sum(f64::from(a), f64::from(b));
    if !sum.0.is_finite() {
        return a + b;
    }
    if sum == (0.0, 0.0) {
        return zero(a, b, mode);
    }
    round(sum.0, |candidate| compare_sum(sum, candidate), mode)
}

fn multiply(a: f32, b: f32, mode: Mode) -> f32 {
    let product = f64::from(a) * f64::from(b);
    if !product.is_finite() || product == 0.0 {
        return a * b;
    }
    round(product, |candidate| order(product, candidate), mode)
}

fn fused(a: f32, b: f32, c: f32, mode: Mode) -> f32 {
    let product = f64::from(a) * f64::from(b);
    let sum = two_sum(product, f64::from(c));
    if !sum.0.is_finite() {
        return a.mul_add(b, c);
    }
    if sum == (0.0, 0.0) {
        let sign = if product == 0.0 && product.is_sign_negative() || product < 0.0 {
            -0.0
        } else {
            0.0
        };
        return zero(sign, c, mode);
    }
    round(sum.0, |candidate| compare_sum(sum, candidate), mode)
}

fn divide(a: f32, b: f32, mode: Mode) -> f32 {
    let quotient = f64::from(a) / f64::from(b);
    if !quotient.is_finite() || quotient == 0.0 || b.is_infinite() {
        return a / b;
    }
    // a / b against c is a against c b, turned round where b is negative.
    let exact = |candidate: f64| {
        let found = order(f64::from(a), candidate * f64::from(b));
        if b < 0.0 { found.reverse() } else { found }
    };
    round(quotient, exact, mode)
}

fn root(a: f32, mode: Mode) -> f32 {
    if !(a > 0.0 && a.is_finite()) {
        return a.sqrt();
    }
    let exact = |candidate: f64| {
        if candidate < 0.0 {
            Ordering::Greater
        } else {
            order(f64::from(a), candidate * candidate)
        }
    };
    round(f64::from(a).sqrt(), exact, mode)
}

fn flush(a: f32) -> f32 {
    if a.is_subnormal() {
        0.0f32.copysign(a)
    } else {
        a
    }
}

fn saturate(a: f32) -> f32 {
    if a > 0.0 { a.min(1.0) } else { 0.0 }
}

#[test]
fn single_precision_in_every_mode() {
    for (name, mode) in MODES {
        floats(&format!("add.{name}.f32 %f0, %f1, %f2;"), |a, b, _| {
            add(a, b, mode)
        });
        floats(&format!("sub.{name}.f32 %f0, %f1, %f2;"), |a, b, _| {
            add(a, -b, mode)
        });
        floats(&format!("mul.{name}.f32 %f0, %f1, %f2;"), |a, b, _| {
            multiply(a, b, mode)
        });
        floats(&format!("div.{name}.f32 %f0, %f1, %f2;"), |a, b, _| {
            divide(a, b, mode)
        });
        floats(&format!("fma.{name}.f32 %f0, %f1, %f2, %f3;"), |a, b, c| {
            fused(a, b, c, mode)
        });
        floats(&format!("sqrt.{name}.f32 %f0, %f1;"), |a, _, _| {
            root(a, mode)
        });
        floats(&format!("rcp.{name}.f32 %f0, %f1;"), |a, _, _| {
            divide(1.0, a, mode)
        });
    }
}

#[test]
fn subnormals_are_flushed_and_results_saturated() {
    for (name, mode) in MODES {
        floats(&format!("add.{name}.ftz.f32 %f0, %f1, %f2;"), |a, b, _| {
            flush(add(flush(a), flush(b), mode))
        });
        floats(&format!("mul.{name}.ftz.f32 %f0, %f1, %f2;"), |a, b, _| {
            flush(multiply(flush(a), flush(b), mode))
        });
        floats(&format!("div.{name}.ftz.f32 %f0, %f1, %f2;"), |a, b, _| {
            flush(divide(flush(a), flush(b), mode))
        });
        floats(
            &format!("fma.{name}.ftz.f32 %f0, %f1, %f2, %f3;"),
            |a, b, c| flush(fused(flush(a), flush(b), flush(c), mode)),
        );
        floats(&format!("add.{name}.sat.f32 %f0, %f1, %f2;"), |a, b, _| {
            saturate(add(a, b, mode))
        });
        floats(&format!("mul.{name}.sat.f32 %f0, %f1, %f2;"), |a, b, _| {
            saturate(multiply(a, b, mode))
        });
        floats(
            &format!("fma.{name}.ftz.sat.f32 %f0, %f1, %f2, %f3;"),
            |a, b, c| saturate(flush(fused(flush(a), flush(b), flush(c), mode))),
        );
        floats(&format!("sqrt.{name}.ftz.f32 %f0, %f1;"), |a, _, _| {
            root(flush(a), mode)
        });
        floats(&format!("rcp.{name}.ftz.f32 %f0, %f1;"), |a, _, _| {
            flush(divide(1.0, flush(a), mode))
        });
    }
}

/// The double a rounded value becomes in a mode, given the sign of what rounding to nearest lost.
fn step(nearest: f64, lost: f64, mode: Mode) -> f64 {
    match mode {
        Mode::Nearest => nearest,
        Mode::Down if lost < 0.0 => nearest.next_down(),
        Mode::Up if lost > 0.0 => nearest.next_up(),
        Mode::Zero if nearest > 0.0 && lost < 0.0 => nearest.next_down(),
        Mode::Zero if nearest < 0.0 && lost > 0.0 => nearest.next_up(),
        _ => nearest,
    }
}

#[test]
fn double_precision_in_every_mode() {
    let ordinary = |v: f64| v == 0.0 || v.is_finite() && v.abs() > 1e-100 && v.abs() < 1e100;
    let in_range = |values: &[u64], f: &dyn Fn() -> f64, plain: f64| {
        let all = values.iter().all(|&bits| ordinary(f64::from_bits(bits)));
        if all && plain.is_finite() {
            f()
        } else {
            f64::NAN
        }
    };
    for (name, mode) in MODES {
        // Operands outside the range where the lost part is exact are not compared: both sides are made NaN.
        let guard = "abs.f64 %fd9, %fd1; setp.lt.f64 %p4, %fd9, 0d54B249AD2594C37D; setp.gt.f64 %p5, %fd9, 0d2B2BFF2EE48E0530; setp.eq.f64 %p6, %fd1, 0d0000000000000000; and.pred %p4, %p4, %p5; or.pred %p4, %p4, %p6;
             abs.f64 %fd9, %fd2; setp.lt.f64 %p7, %fd9, 0d54B249AD2594C37D; setp.gt.f64 %p5, %fd9, 0d2B2BFF2EE48E0530; setp.eq.f64 %p6, %fd2, 0d0000000000000000; and.pred %p7, %p7, %p5; or.pred %p7, %p7, %p6; and.pred %p4, %p4, %p7;";
        let end = "abs.f64 %fd9, %fd0; setp.lt.and.f64 %p4, %fd9, 0d7FF0000000000000, %p4; selp.f64 %fd0, %fd0, 0d7FF8000000000000, %p4;";
        let run = |op: &str, f: &dyn Fn(f64, f64) -> f64| {
            check(
                &format!("{guard} {op}.{name}.f64 %fd0, %fd1, %fd2; {end}"),
                Out::FloatDouble,
                |a, b, _| {
                    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
                    in_range(&[a, b], &|| f(x, y), f(x, y)).to_bits()
                },
            );
        };
        run("add", &|a, b| {
            let (s, e) = two_sum(a, b);
            if s == 0.0 && e == 0.0 && a.is_sign_negative() != b.is_sign_negative() {
                if mode == Mode::Down { -0.0 } else { 0.0 }
            } else {
                step(s, e, mode)
            }
        });
        run("mul", &|a, b| step(a * b, a.mul_add(b, -(a * b)), mode));
        run("div", &|a, b| {
            let q = a / b;
            let rest = (-q).mul_add(b, a);
            step(q, if b < 0.0 { -rest } else { rest }, mode)
        });
    }
}

/// The half pattern nearest to the exact value `s + e`, ties to even; `value` decodes a pattern.
fn nearest_half(exact: (f64, f64), start: u16, value: impl Fn(u16) -> f64) -> u16 {
    if !exact.0.is_finite() || exact == (0.0, 0.0) {
        return start;
    }
    // Patterns of one sign are ordered like their values; the right one is next to the start.
    let sign = start & 0x8000;
    let flip = |order: Ordering| if sign != 0 { order.reverse() } else { order };
    let mut at = start & 0x7fff;
    let midpoint = |low: u16| {
        let (a, b) = (value(sign | low), value(sign | (low + 1)));
        // Above the largest number the next one would be as far again.
        if b.is_infinite() {
            a + (a - value(sign | (low - 1))) / 2.0
        } else {
            (a + b) / 2.0
        }
    };
    let infinity = (0..=0x7fff)
        .rev()
        .find(|&bits| value(bits).is_infinite())
        .unwrap_or(0x7c00);
    loop {
        if at < infinity {
            let order = flip(compare_sum(exact, midpoint(at)));
            if order == Ordering::Greater || order == Ordering::Equal && at & 1 == 1 {
                at += 1;
                continue;
            }
        }
        if at > 0 {
            let order = flip(compare_sum(exact, midpoint(at - 1)));
            if order == Ordering::Less || order == Ordering::Equal && at & 1 == 1 {
                at -= 1;
                continue;
            }
        }
        return sign | at;
    }
}

#[test]
fn half_precision_is_rounded_once() {
    let h = |bits: u16| f16::from_bits(bits).to_f64();
    let b = |bits: u16| bf16::from_bits(bits).to_f64();
    let fused = |x: f64, y: f64, z: f64, bfloat: bool| -> u64 {
        let exact = two_sum(x * y, z);
        if exact.0.is_nan() {
            return 0x7fff;
        }
        u64::from(if bfloat {
            nearest_half(exact, bf16::from_f64(exact.0).to_bits(), b)
        } else {
            nearest_half(exact, f16::from_f64(exact.0).to_bits(), h)
        })
    };
    check(
        "fma.rn.f16 %rs0, %rs1, %rs2, %rs3;",
        Out::Half,
        |x, y, z| fused(h(x as u16), h(y as u16), h(z as u16), false),
    );
    check("add.rn.f16 %rs0, %rs1, %rs2;", Out::Half, |x, y, _| {
        fused(h(x as u16), 1.0, h(y as u16), false)
    });
    check("mul.rn.f16 %rs0, %rs1, %rs2;", Out::Half, |x, y, _| {
        let product = h(x as u16) * h(y as u16);
        if product == 0.0 {
            u64::from((x ^ y) as u16 & 0x8000)
        } else {
            fused(h(x as u16), h(y as u16), 0.0, false)
        }
    });
    check("fma.rn.f16x2 %r0, %r1, %r2, %r3;", Out::Word, |x, y, z| {
        let one = |s: u32| {
            fused(
                h((x >> s) as u16),
                h((y >> s) as u16),
                h((z >> s) as u16),
                false,
            )
        };
        one(0) | one(16) << 16
    });
    // The product of two bfloat16 and a third may differ by more bits than two doubles hold; ordinary sizes do not.
    check(
        "and.b16 %rs1, %rs1, 0xbfff; or.b16 %rs1, %rs1, 0x3000; and.b16 %rs2, %rs2, 0xbfff; or.b16 %rs2, %rs2, 0x3000; and.b16 %rs3, %rs3, 0xbfff; or.b16 %rs3, %rs3, 0x3000; fma.rn.bf16 %rs0, %rs1, %rs2, %rs3;",
        Out::Half,
        |x, y, z| {
            let [x, y, z] = [x, y, z].map(|v| b((v as u16) & 0xbfff | 0x3000));
            fused(x, y, z, true)
        },
    );
    check(
        "fma.rn.relu.f16 %rs0, %rs1, %rs2, %rs3;",
        Out::Half,
        |x, y, z| {
            let bits = fused(h(x as u16), h(y as u16), h(z as u16), false);
            if bits > 0x8000 { 0 } else { bits }
        },
    );
    check(
        "fma.rn.sat.f16 %rs0, %rs1, %rs2, %rs3;",
        Out::Half,
        |x, y, z| {
            let value = h(fused(h(x as u16), h(y as u16), h(z as u16), false) as u16);
            u64::from(f16::from_f64(if value > 0.0 { value.min(1.0) } else { 0.0 }).to_bits())
        },
    );
}

/// Value of an 8-bit float pattern without its sign, by the formats' definition.
fn eight(bits: u8, exponent_bits: u32, infinities: bool) -> f64 {
    let fraction_bits = 7 - exponent_bits;
    let bias = (1 << (exponent_bits - 1)) - 1;
    let (exponent, fraction) = (
        i32::from(bits >> fraction_bits),
        f64::from(bits & ((1 << fraction_bits) - 1)),
    );
    let scale = f64::exp2(f64::from(fraction_bits));
    let top = (1 << exponent_bits) - 1;
    if !infinities && bits == 0x7f || infinities && exponent == top && fraction != 0.0 {
        return f64::NAN;
    }
    if infinities && exponent == top {
        return f64::INFINITY;
    }
    if exponent == 0 {
        return fraction / scale * f64::exp2(f64::from(1 - bias));
    }
    (1.0 + fraction / scale) * f64::exp2(f64::from(exponent - bias))
}

/// The nearest finite pattern, ties to even, by looking at all of them.
fn to_eight(value: f64, exponent_bits: u32, infinities: bool) -> u64 {
    if value.is_nan() {
        return 0x7f;
    }
    let magnitude = value.abs();
    let finite = (0..0x80u8).filter(|&bits| eight(bits, exponent_bits, infinities).is_finite());
    let best = finite.min_by(|&a, &b| {
        let distance =
            |bits: u8| (eight(bits, exponent_bits, infinities) - magnitude.min(1e6)).abs();
        distance(a)
            .total_cmp(&distance(b))
            .then((a & 1).cmp(&(b & 1)))
    });
    u64::from(best.unwrap_or(0)) | if value.is_sign_negative() { 0x80 } else { 0 }
}

#[test]
fn eight_bit_floats_narrow_and_widen() {
    let f = |bits: u64| f64::from(f32::from_bits(bits as u32));
    for (name, exponent_bits, infinities) in [("e4m3", 4, false), ("e5m2", 5, true)] {
        let narrow = move |value: f64| to_eight(value, exponent_bits, infinities);
        check(
            &format!("cvt.rn.satfinite.{name}x2.f32 %rs0, %f1, %f2;"),
            Out::Half,
            |a, b, _| narrow(f(a)) << 8 | narrow(f(b)),
        );
        check(
            &format!("cvt.rn.satfinite.relu.{name}x2.f32 %rs0, %f1, %f2;"),
            Out::Half,
            |a, b, _| {
                let relu = |v: u64| if v > 0x80 { 0 } else { v };
                relu(narrow(f(a))) << 8 | relu(narrow(f(b)))
            },
        );
        check(
            &format!("cvt.rn.satfinite.{name}x2.f16x2 %rs0, %r1;"),
            Out::Half,
            |a, _, _| {
                let half = |shift: u32| narrow(f16::from_bits((a >> shift) as u16).to_f64());
                half(16) << 8 | half(0)
            },
        );
        check(
            &format!("cvt.rn.f16x2.{name}x2 %r0, %rs1;"),
            Out::Word,
            |a, _, _| {
                let widen = |bits: u64| {
                    let value = eight(bits as u8 & 0x7f, exponent_bits, infinities);
                    if value.is_nan() {
                        return 0x7fff;
                    }
                    u64::from(
                        f16::from_f64(if bits & 0x80 != 0 { -value } else { value }).to_bits(),
                    )
                };
                widen(a) | widen(a >> 8) << 16
            },
        );
    }
}

#[test]
fn results_that_are_no_number_have_one_pattern() {
    let nan = |_: u64, _: u64, _: u64| 0x7fff_ffff;
    let make = "mov.b32 %f5, 0xffc12345; mov.b32 %f6, 0x7f812345; mov.b32 %f7, 0xff800000; mov.b32 %f8, 0;";
    for body in [
        "add.f32 %f0, %f5, %f6;",
        "sub.rz.f32 %f0, %f6, %f5;",
        "mul.f32 %f0, %f5, %f1;",
        "mul.f32 %f0, %f7, %f8;",
        "fma.rn.f32 %f0, %f6, %f1, %f2;",
        "fma.rm.f32 %f0, %f5, %f1, %f2;",
        "sub.f32 %f0, %f7, %f7;",
        "sqrt.rn.f32 %f0, %f7;",
        "rcp.rn.f32 %f0, %f5;",
        "div.rn.f32 %f0, %f8, %f8;",
        "min.f32 %f0, %f5, %f6;",
        "max.NaN.f32 %f0, %f5, %f1;",
        "ex2.approx.f32 %f0, %f6;",
        "lg2.approx.ftz.f32 %f0, %f7;",
        "sin.approx.f32 %f0, %f7;",
        "cvt.f64.f32 %fd5, %f5; cvt.rn.f32.f64 %f0, %fd5;",
        "cvt.rni.f32.f32 %f0, %f5;",
        "fma.rn.ftz.f32 %f0, %f6, %f8, %f8;",
        "rsqrt.approx.f32 %f0, %f7;",
    ] {
        check(&format!("{make} {body} mov.b32 %r0, %f0;"), Out::Word, nan);
    }
}
