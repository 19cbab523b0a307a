//! Values of arithmetic, logic, comparison and selection instructions.

use crate::single::{Out, check, doubles, float_doubles, floats, halves, words};

#[test]
fn integer_addition_subtraction_multiplication() {
    words("add.s32 %r0, %r1, %r2;", |a, b, _| a.wrapping_add(b));
    words("sub.u32 %r0, %r1, %r2;", |a, b, _| a.wrapping_sub(b));
    doubles("add.s64 %rd0, %rd1, %rd2;", |a, b, _| a.wrapping_add(b));
    doubles("sub.s64 %rd0, %rd1, -7;", |a, _, _| a.wrapping_add(7));
    halves("add.u16 %rs0, %rs1, %rs2;", |a, b, _| a.wrapping_add(b));
    words("add.sat.s32 %r0, %r1, %r2;", |a, b, _| {
        (a as i32).saturating_add(b as i32) as u32
    });
    words("sub.sat.s32 %r0, %r1, %r2;", |a, b, _| {
        (a as i32).saturating_sub(b as i32) as u32
    });
    words("mul.lo.s32 %r0, %r1, %r2;", |a, b, _| a.wrapping_mul(b));
    words("mul.hi.u32 %r0, %r1, %r2;", |a, b, _| {
        ((u64::from(a) * u64::from(b)) >> 32) as u32
    });
    words("mul.hi.s32 %r0, %r1, %r2;", |a, b, _| {
        ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32
    });
    doubles("mul.lo.u64 %rd0, %rd1, %rd2;", |a, b, _| a.wrapping_mul(b));
    doubles("mul.hi.u64 %rd0, %rd1, %rd2;", |a, b, _| {
        ((u128::from(a) * u128::from(b)) >> 64) as u64
    });
    doubles("mul.hi.s64 %rd0, %rd1, %rd2;", |a, b, _| {
        ((i128::from(a as i64) * i128::from(b as i64)) >> 64) as u64
    });
    halves("mul.lo.s16 %rs0, %rs1, %rs2;", |a, b, _| a.wrapping_mul(b));
    check("mul.wide.u32 %rd0, %r1, %r2;", Out::Double, |a, b, _| {
        u64::from(a as u32) * u64::from(b as u32)
    });
    check("mul.wide.s32 %rd0, %r1, %r2;", Out::Double, |a, b, _| {
        (i64::from(a as i32) * i64::from(b as i32)) as u64
    });
    check("mul.wide.s16 %r0, %rs1, %rs2;", Out::Word, |a, b, _| {
        u64::from((i32::from(a as i16) * i32::from(b as i16)) as u32)
    });
    check("mul.wide.u16 %r0, %rs1, %rs2;", Out::Word, |a, b, _| {
        u64::from(u32::from(a as u16) * u32::from(b as u16))
    });
}

#[test]
fn multiply_add() {
    words("mad.lo.s32 %r0, %r1, %r2, %r3;", |a, b, c| {
        a.wrapping_mul(b).wrapping_add(c)
    });
    words("mad.hi.u32 %r0, %r1, %r2, %r3;", |a, b, c| {
        (((u64::from(a) * u64::from(b)) >> 32) as u32).wrapping_add(c)
    });
    words("mad.hi.sat.s32 %r0, %r1, %r2, %r3;", |a, b, c| {
        (((i64::from(a as i32) * i64::from(b as i32)) >> 32) as i32).saturating_add(c as i32) as u32
    });
    doubles("mad.lo.s64 %rd0, %rd1, %rd2, %rd3;", |a, b, c| {
        a.wrapping_mul(b).wrapping_add(c)
    });
    check(
        "mad.wide.u32 %rd0, %r1, %r2, %rd3;",
        Out::Double,
        |a, b, c| (u64::from(a as u32) * u64::from(b as u32)).wrapping_add(c),
    );
    check(
        "mad.wide.s32 %rd0, %r1, %r2, %rd3;",
        Out::Double,
        |a, b, c| ((i64::from(a as i32) * i64::from(b as i32)) as u64).wrapping_add(c),
    );
    let low24 = |v: u32| u64::from(v & 0xff_ffff);
    words("mul24.lo.u32 %r0, %r1, %r2;", move |a, b, _| {
        (low24(a) * low24(b)) as u32
    });
    words("mul24.hi.u32 %r0, %r1, %r2;", move |a, b, _| {
        ((low24(a) * low24(b)) >> 16) as u32
    });
    words("mad24.lo.s32 %r0, %r1, %r2, %r3;", |a, b, c| {
        let low = |v: u32| i64::from((v as i32) << 8 >> 8);
        ((low(a) * low(b)) as u32).wrapping_add(c)
    });
    words("sad.u32 %r0, %r1, %r2, %r3;", |a, b, c| {
        a.abs_diff(b).wrapping_add(c)
    });
    words("sad.s32 %r0, %r1, %r2, %r3;", |a, b, c| {
        (a as i32).abs_diff(b as i32).wrapping_add(c)
    });
    words("dp4a.s32.u32 %r0, %r1, %r2, %r3;", |a, b, c| {
        let products = a.to_le_bytes().into_iter().zip(b.to_le_bytes());
        products.fold(c, |sum, (a, b)| {
            sum.wrapping_add((i32::from(a as i8) * i32::from(b)) as u32)
        })
    });
}

#[test]
fn division_and_remainder_even_by_zero() {
    let div = |a: u32, b: u32| a.checked_div(b).unwrap_or(u32::MAX);
    words("div.u32 %r0, %r1, %r2;", move |a, b, _| div(a, b));
    words("rem.u32 %r0, %r1, %r2;", |a, b, _| {
        a.checked_rem(b).unwrap_or(a)
    });
    words("div.s32 %r0, %r1, %r2;", |a, b, _| {
        if b == 0 {
            u32::MAX
        } else {
            (a as i32).wrapping_div(b as i32) as u32
        }
    });
    words("rem.s32 %r0, %r1, %r2;", |a, b, _| {
        if b == 0 {
            a
        } else {
            (a as i32).wrapping_rem(b as i32) as u32
        }
    });
    doubles("div.s64 %rd0, %rd1, %rd2;", |a, b, _| {
        if b == 0 {
            u64::MAX
        } else {
            (a as i64).wrapping_div(b as i64) as u64
        }
    });
    doubles("rem.u64 %rd0, %rd1, %rd2;", |a, b, _| {
        a.checked_rem(b).unwrap_or(a)
    });
    halves("div.u16 %rs0, %rs1, %rs2;", |a, b, _| {
        a.checked_div(b).unwrap_or(u16::MAX)
    });
}

#[test]
fn minimum_maximum_sign() {
    words("min.s32 %r0, %r1, %r2;", |a, b, _| {
        (a as i32).min(b as i32) as u32
    });
    words("max.u32 %r0, %r1, %r2;", |a, b, _| a.max(b));
    doubles("min.u64 %rd0, %rd1, %rd2;", |a, b, _| a.min(b));
    doubles("max.s64 %rd0, %rd1, %rd2;", |a, b, _| {
        (a as i64).max(b as i64) as u64
    });
    halves("max.s16 %rs0, %rs1, %rs2;", |a, b, _| {
        (a as i16).max(b as i16) as u16
    });
    words("min.s16x2 %r0, %r1, %r2;", |a, b, _| {
        let low = (a as i16).min(b as i16) as u16;
        let high = ((a >> 16) as i16).min((b >> 16) as i16) as u16;
        u32::from(low) | u32::from(high) << 16
    });
    words("abs.s32 %r0, %r1;", |a, _, _| {
        (a as i32).wrapping_abs() as u32
    });
    doubles("abs.s64 %rd0, %rd1;", |a, _, _| {
        (a as i64).wrapping_abs() as u64
    });
    words("neg.s32 %r0, %r1;", |a, _, _| a.wrapping_neg());
    doubles("neg.s64 %rd0, %rd1;", |a, _, _| a.wrapping_neg());
}

#[test]
fn shifts_clamp_or_wrap() {
    words("shl.b32 %r0, %r1, %r2;", |a, b, _| {
        a.checked_shl(b).unwrap_or(0)
    });
    words("shr.u32 %r0, %r1, %r2;", |a, b, _| {
        a.checked_shr(b).unwrap_or(0)
    });
    words("shr.s32 %r0, %r1, %r2;", |a, b, _| {
        ((a as i32) >> b.min(31)) as u32
    });
    check("shl.b64 %rd0, %rd1, %r2;", Out::Double, |a, b, _| {
        a.checked_shl(b as u32).unwrap_or(0)
    });
    check("shr.s64 %rd0, %rd1, %r2;", Out::Double, |a, b, _| {
        ((a as i64) >> (b as u32).min(63)) as u64
    });
    check("shl.b16 %rs0, %rs1, %r2;", Out::Half, |a, b, _| {
        u64::from((a as u16).checked_shl(b as u32).unwrap_or(0))
    });
    check("shr.s16 %rs0, %rs1, %r2;", Out::Half, |a, b, _| {
        u64::from(((a as i16) >> (b as u32).min(15)) as u16)
    });
    let join = |a: u32, b: u32| u64::from(b) << 32 | u64::from(a);
    words("shf.l.wrap.b32 %r0, %r1, %r2, %r3;", move |a, b, c| {
        (join(a, b) << (c & 31) >> 32) as u32
    });
    words("shf.r.wrap.b32 %r0, %r1, %r2, %r3;", move |a, b, c| {
        (join(a, b) >> (c & 31)) as u32
    });
    words("shf.l.clamp.b32 %r0, %r1, %r2, %r3;", move |a, b, c| {
        (join(a, b) << c.min(32) >> 32) as u32
    });
    words("shf.r.clamp.b32 %r0, %r1, %r2, %r3;", move |a, b, c| {
        (join(a, b) >> c.min(32)) as u32
    });
}

#[test]
fn logic_and_lookup() {
    words("and.b32 %r0, %r1, %r2;", |a, b, _| a & b);
    words("or.b32 %r0, %r1, %r2;", |a, b, _| a | b);
    doubles("xor.b64 %rd0, %rd1, %rd2;", |a, b, _| a ^ b);
    words("not.b32 %r0, %r1;", |a, _, _| !a);
    halves("not.b16 %rs0, %rs1;", |a, _, _| !a);
    words("cnot.b32 %r0, %r1;", |a, _, _| u32::from(a == 0));
    words("lop3.b32 %r0, %r1, %r2, %r3, 0x96;", |a, b, c| a ^ b ^ c);
    words("lop3.b32 %r0, %r1, %r2, %r3, 0xca;", |a, b, c| {
        a & b | !a & c
    });
    words("lop3.b32 %r0, %r1, %r2, %r3, 0x12;", |a, b, c| {
        !a & !b & c | a & !b & !c
    });
    let all = |a: u64, b: u64, c: u64| u64::from((a & b & c) as u32 != 0);
    check(
        "lop3.and.b32 %r0|%p0, %r1, %r2, %r3, 0x80, %p1;",
        Out::Predicate,
        move |a, b, c| all(a, b, c) & a,
    );
    check(
        "lop3.or.b32 _|%p0, %r1, %r2, %r3, 0x80, !%p1;",
        Out::Predicate,
        move |a, b, c| all(a, b, c) | !a & 1,
    );
    words(
        "lop3.or.b32 %r0|%p0, %r1, %r2, %r3, 0x96, %p1;",
        |a, b, c| a ^ b ^ c,
    );
    check("and.pred %p0, %p1, !%p2;", Out::Predicate, |a, b, _| {
        a & !b & 1
    });
    check("xor.pred %p0, %p1, %p2;", Out::Predicate, |a, b, _| {
        (a ^ b) & 1
    });
    check("not.pred %p0, %p1;", Out::Predicate, |a, _, _| !a & 1);
    check("mov.pred %p0, %p1;", Out::Predicate, |a, _, _| a & 1);
}

#[test]
fn bit_counting_and_fields() {
    words("popc.b32 %r0, %r1;", |a, _, _| a.count_ones());
    check("popc.b64 %r0, %rd1;", Out::Word, |a, _, _| {
        u64::from(a.count_ones())
    });
    words("clz.b32 %r0, %r1;", |a, _, _| a.leading_zeros());
    check("clz.b64 %r0, %rd1;", Out::Word, |a, _, _| {
        u64::from(a.leading_zeros())
    });
    words("brev.b32 %r0, %r1;", |a, _, _| a.reverse_bits());
    doubles("brev.b64 %rd0, %rd1;", |a, _, _| a.reverse_bits());
    words("bfind.u32 %r0, %r1;", |a, _, _| {
        a.checked_ilog2().unwrap_or(u32::MAX)
    });
    words("bfind.s32 %r0, %r1;", |a, _, _| {
        let a = if (a as i32) < 0 { !a } else { a };
        a.checked_ilog2().unwrap_or(u32::MAX)
    });
    words("bfind.shiftamt.u32 %r0, %r1;", |a, _, _| {
        if a == 0 { u32::MAX } else { a.leading_zeros() }
    });
    words("bfe.u32 %r0, %r1, %r2, %r3;", |a, b, c| {
        let (position, length) = (b & 0xff, c & 0xff);
        let shifted = u64::from(a).checked_shr(position).unwrap_or(0);
        if length >= 32 {
            shifted as u32
        } else {
            shifted as u32 & ((1 << length) - 1)
        }
    });
    // The signed form by the ISA's pseudocode, bit by bit.
    words("bfe.s32 %r0, %r1, %r2, %r3;", |a, b, c| {
        let (position, length) = (b & 0xff, c & 0xff);
        let bit = |at: u32| if at > 31 { 0 } else { a >> at & 1 };
        let sign = if length == 0 {
            0
        } else {
            bit((position + length - 1).min(31))
        };
        (0..32).fold(0, |out, at| {
            let value = if at < length && position + at <= 31 {
                bit(position + at)
            } else {
                sign
            };
            out | value << at
        })
    });
    check("bfe.u64 %rd0, %rd1, %r2, 9;", Out::Double, |a, b, _| {
        a.checked_shr(b as u32 & 0xff).unwrap_or(0) & 0x1ff
    });
    words("bfi.b32 %r0, %r1, %r2, %r3, 11;", |a, b, c| {
        let position = c & 0xff;
        let mask = (0x7ffu64.checked_shl(position).unwrap_or(0)) as u32;
        b & !mask | (u64::from(a).checked_shl(position).unwrap_or(0)) as u32 & mask
    });
    words("szext.clamp.s32 %r0, %r1, 12;", |a, _, _| {
        ((a as i32) << 20 >> 20) as u32
    });
    words("bmsk.clamp.b32 %r0, 4, %r2;", |_, b, _| {
        (((1u64 << b.min(32)) - 1) << 4) as u32
    });
    words("fns.b32 %r0, %r1, 0, 3;", |a, _, _| {
        (0..32)
            .filter(|&bit| a >> bit & 1 == 1)
            .nth(2)
            .unwrap_or(u32::MAX)
    });
}

#[test]
fn permute_bytes() {
    let byte = |a: u32, b: u32, n: u32| (u64::from(b) << 32 | u64::from(a)) >> (8 * (n & 7)) & 0xff;
    words("prmt.b32 %r0, %r1, %r2, %r3;", move |a, b, c| {
        (0..4).fold(0, |out, n| {
            let select = c >> (4 * n) & 0xf;
            let mut value = byte(a, b, select) as u32;
            if select & 8 != 0 {
                value = if value & 0x80 != 0 { 0xff } else { 0 };
            }
            out | value << (8 * n)
        })
    });
    words("prmt.b32 %r0, %r1, %r2, 0x5410;", |a, b, _| {
        a & 0xffff | b << 16
    });
    words("prmt.b32.f4e %r0, %r1, %r2, %r3;", move |a, b, c| {
        (0..4).fold(0, |out, n| {
            out | (byte(a, b, (c & 3) + n) as u32) << (8 * n)
        })
    });
    words("prmt.b32.rc16 %r0, %r1, %r2, %r3;", |a, _, c| {
        let half = a >> (16 * (c & 1)) & 0xffff;
        half | half << 16
    });
}

#[test]
fn carries_chain_through_wide_arithmetic() {
    // A 64-bit sum from two words, and its carry out.
    check(
        "mov.b64 {%r31, %r32}, %rd1; mov.b64 {%r33, %r34}, %rd2;
         add.cc.u32 %r35, %r31, %r33; addc.cc.u32 %r36, %r32, %r34; addc.u32 %r37, 0, 0;
         mov.b64 %rd0, {%r35, %r36};",
        Out::Double,
        |a, b, _| a.wrapping_add(b),
    );
    check(
        "add.cc.u64 %rd31, %rd1, %rd2; addc.u64 %rd0, 0, 0;",
        Out::Double,
        |a, b, _| u64::from(a.checked_add(b).is_none()),
    );
    check(
        "mov.b64 {%r31, %r32}, %rd1; mov.b64 {%r33, %r34}, %rd2;
         sub.cc.u32 %r35, %r31, %r33; subc.u32 %r36, %r32, %r34; mov.b64 %rd0, {%r35, %r36};",
        Out::Double,
        |a, b, _| a.wrapping_sub(b),
    );
    check(
        "mad.lo.cc.u32 %r35, %r1, %r2, %r3; madc.hi.u32 %r36, %r1, %r2, 0; mov.b64 %rd0, {%r35, %r36};",
        Out::Double,
        |a, b, c| (u64::from(a as u32) * u64::from(b as u32)).wrapping_add(u64::from(c as u32)),
    );
}

#[test]
fn float_arithmetic_rounds_to_nearest() {
    floats("add.rn.f32 %f0, %f1, %f2;", |a, b, _| a + b);
    floats("sub.f32 %f0, %f1, %f2;", |a, b, _| a - b);
    floats("mul.f32 %f0, %f1, %f2;", |a, b, _| a * b);
    floats("div.rn.f32 %f0, %f1, %f2;", |a, b, _| a / b);
    floats("fma.rn.f32 %f0, %f1, %f2, %f3;", f32::mul_add);
    floats("sqrt.rn.f32 %f0, %f1;", |a, _, _| a.sqrt());
    floats("rcp.rn.f32 %f0, %f1;", |a, _, _| 1.0 / a);
    floats("neg.f32 %f0, %f1;", |a, _, _| -a);
    floats("abs.f32 %f0, %f1;", |a, _, _| a.abs());
    floats("copysign.f32 %f0, %f1, %f2;", |a, b, _| b.copysign(a));
    float_doubles("add.f64 %fd0, %fd1, %fd2;", |a, b, _| a + b);
    float_doubles("sub.rn.f64 %fd0, %fd1, %fd2;", |a, b, _| a - b);
    float_doubles("mul.f64 %fd0, %fd1, %fd2;", |a, b, _| a * b);
    float_doubles("div.rn.f64 %fd0, %fd1, %fd2;", |a, b, _| a / b);
    float_doubles("fma.rn.f64 %fd0, %fd1, %fd2, %fd3;", f64::mul_add);
    float_doubles("sqrt.rn.f64 %fd0, %fd1;", |a, _, _| a.sqrt());
    floats("add.f32 %f0, %f1, 0f3F800000;", |a, _, _| a + 1.0);
    float_doubles("mul.f64 %fd0, %fd1, 0d4000000000000000;", |a, _, _| a * 2.0);
}

/// Rounds the exact result given as an `f64` with no error (or a sticky tail below it) downwards.
fn down(exact: f64) -> f32 {
    let near = exact as f32;
    if f64::from(near) > exact {
        near.next_down()
    } else {
        near
    }
}

#[test]
fn directed_rounding_and_saturation_and_flushing() {
    // Products of two f32 are exact in f64.
    let product = |a: f32, b: f32| f64::from(a) * f64::from(b);
    floats("mul.rm.f32 %f0, %f1, %f2;", move |a, b, _| {
        down(product(a, b))
    });
    floats("mul.rp.f32 %f0, %f1, %f2;", move |a, b, _| {
        -down(-product(a, b))
    });
    floats("mul.rz.f32 %f0, %f1, %f2;", move |a, b, _| {
        let exact = product(a, b);
        if exact < 0.0 {
            -down(-exact)
        } else {
            down(exact)
        }
    });
    let saturate = |v: f32| {
        if v.is_nan() {
            0.0
        } else {
            v.clamp(0.0, 1.0) + 0.0
        }
    };
    floats("add.sat.f32 %f0, %f1, %f2;", move |a, b, _| saturate(a + b));
    floats("fma.rn.sat.f32 %f0, %f1, %f2, %f3;", move |a, b, c| {
        saturate(a.mul_add(b, c))
    });
    let flush = |v: f32| {
        if v.is_subnormal() {
            0.0f32.copysign(v)
        } else {
            v
        }
    };
    floats("add.ftz.f32 %f0, %f1, %f2;", move |a, b, _| {
        flush(flush(a) + flush(b))
    });
    floats("mul.rn.ftz.f32 %f0, %f1, %f2;", move |a, b, _| {
        flush(flush(a) * flush(b))
    });
    floats("fma.rn.ftz.f32 %f0, %f1, %f2, %f3;", move |a, b, c| {
        flush(flush(a).mul_add(flush(b), flush(c)))
    });
    floats("abs.ftz.f32 %f0, %f1;", move |a, _, _| flush(a).abs());
}

#[test]
fn float_minimum_and_maximum_with_nan_and_zeros() {
    let minimum = |a: f32, b: f32| match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ if a == b => {
            if a.is_sign_negative() {
                a
            } else {
                b
            }
        }
        _ => a.min(b),
    };
    floats("min.f32 %f0, %f1, %f2;", move |a, b, _| minimum(a, b));
    floats("max.f32 %f0, %f1, %f2;", move |a, b, _| -minimum(-a, -b));
    floats("min.NaN.f32 %f0, %f1, %f2;", move |a, b, _| {
        if a.is_nan() || b.is_nan() {
            f32::NAN
        } else {
            minimum(a, b)
        }
    });
    floats("max.NaN.f32 %f0, %f1, %f2;", move |a, b, _| {
        if a.is_nan() || b.is_nan() {
            f32::NAN
        } else {
            -minimum(-a, -b)
        }
    });
    float_doubles("max.f64 %fd0, %fd1, %fd2;", |a, b, _| {
        if a == b && a.is_sign_negative() {
            b
        } else if a == b {
            a
        } else {
            a.max(b)
        }
    });
    // A canonical NaN, not an operand's payload.
    check(
        "max.f32 %f0, %f1, %f1; mov.b32 %r0, %f0;",
        Out::Word,
        |a, _, _| {
            let a = f32::from_bits(a as u32);
            u64::from(if a.is_nan() { 0x7fff_ffff } else { a.to_bits() })
        },
    );
}

#[test]
fn approximate_functions_are_within_their_bounds() {
    for (name, f) in [
        ("ex2.approx.f32", f64::exp2 as fn(f64) -> f64),
        ("tanh.approx.f32", f64::tanh),
    ] {
        floats(&format!("{name} %f0, %f1;"), move |a, _, _| {
            f(f64::from(a)) as f32
        });
    }
    floats("lg2.approx.f32 %f0, %f1;", |a, _, _| {
        f64::from(a).log2() as f32
    });
    floats("sin.approx.f32 %f0, %f1;", |a, _, _| {
        f64::from(a).sin() as f32
    });
    floats("cos.approx.f32 %f0, %f1;", |a, _, _| {
        f64::from(a).cos() as f32
    });
    floats("rsqrt.approx.f32 %f0, %f1;", |a, _, _| {
        (1.0 / f64::from(a).sqrt()) as f32
    });
    floats("sqrt.approx.f32 %f0, %f1;", |a, _, _| a.sqrt());
    floats("div.full.f32 %f0, %f1, %f2;", |a, b, _| a / b);
    floats("div.approx.f32 %f0, %f1, %f2;", |a, b, _| a / b);
    let flush = |v: f32| {
        if v.is_subnormal() {
            0.0f32.copysign(v)
        } else {
            v
        }
    };
    floats("rcp.approx.ftz.f32 %f0, %f1;", move |a, _, _| {
        flush(1.0 / flush(a))
    });
    floats("ex2.approx.ftz.f32 %f0, %f1;", move |a, _, _| {
        flush(f64::from(flush(a)).exp2() as f32)
    });
}

#[test]
fn half_precision_arithmetic() {
    use half::{bf16, f16};
    let f = |bits: u64| f16::from_bits(bits as u16).to_f64();
    let b = |bits: u64| bf16::from_bits(bits as u16).to_f64();
    // Sums and products of two halves are exact in f64, except for far apart exponents of bf16, where the small
    // operand is below half a unit anyway.
    let same16 = |v: f64| {
        if v.is_nan() {
            0x7fff
        } else {
            u64::from(f16::from_f64(v).to_bits())
        }
    };
    check("add.rn.f16 %rs0, %rs1, %rs2;", Out::Half, |x, y, _| {
        same16(f(x) + f(y))
    });
    check("mul.rn.f16 %rs0, %rs1, %rs2;", Out::Half, |x, y, _| {
        same16(f(x) * f(y))
    });
    check("sub.rn.f16 %rs0, %rs1, %rs2;", Out::Half, |x, y, _| {
        same16(f(x) - f(y))
    });
    check(
        "fma.rn.f16 %rs0, %rs1, %rs2, %rs3;",
        Out::Half,
        |x, y, z| same16(f(x).mul_add(f(y), f(z))),
    );
    check("neg.f16 %rs0, %rs1;", Out::Half, |x, _, _| {
        (x ^ 0x8000) & 0xffff
    });
    check("abs.bf16 %rs0, %rs1;", Out::Half, |x, _, _| x & 0x7fff);
    let low = |v: f64| {
        if v.is_nan() {
            0x7fff
        } else {
            u64::from(bf16::from_f32(v as f32).to_bits())
        }
    };
    check("mul.rn.bf16 %rs0, %rs1, %rs2;", Out::Half, |x, y, _| {
        let exact = b(x) * b(y);
        // The f32 step of the reference rounds only subnormals and overflows twice.
        low(exact)
    });
    check("add.rn.f16x2 %r0, %r1, %r2;", Out::Word, |x, y, _| {
        same16(f(x) + f(y)) | same16(f(x >> 16) + f(y >> 16)) << 16
    });
    check(
        "fma.rn.relu.f16 %rs0, %rs1, %rs2, %rs3;",
        Out::Half,
        |x, y, z| {
            let value = f(x).mul_add(f(y), f(z));
            if value < 0.0 && same16(value) != 0x8000 {
                0
            } else {
                same16(value)
            }
        },
    );
    check("max.f16 %rs0, %rs1, %rs2;", Out::Half, |x, y, _| {
        let (a, b) = (f(x), f(y));
        same16(if a == b {
            if a.is_sign_negative() { b } else { a }
        } else {
            a.max(b)
        })
    });
    check("setp.lt.f16 %p0, %rs1, %rs2;", Out::Predicate, |x, y, _| {
        u64::from(f(x) < f(y))
    });
}

#[test]
fn comparisons_of_integers_and_floats() {
    check("setp.lt.s32 %p0, %r1, %r2;", Out::Predicate, |a, b, _| {
        u64::from((a as i32) < b as i32)
    });
    check("setp.lo.u32 %p0, %r1, %r2;", Out::Predicate, |a, b, _| {
        u64::from((a as u32) < b as u32)
    });
    check("setp.hs.u64 %p0, %rd1, %rd2;", Out::Predicate, |a, b, _| {
        u64::from(a >= b)
    });
    check("setp.ge.s64 %p0, %rd1, %rd2;", Out::Predicate, |a, b, _| {
        u64::from(a as i64 >= b as i64)
    });
    check("setp.eq.b16 %p0, %rs1, %rs2;", Out::Predicate, |a, b, _| {
        u64::from(a as u16 == b as u16)
    });
    check("setp.gt.s16 %p0, %rs1, %rs2;", Out::Predicate, |a, b, _| {
        u64::from(a as i16 > b as i16)
    });
    let f = |bits: u64| f32::from_bits(bits as u32);
    for (name, holds, unordered) in [
        ("eq", (|a, b| a == b) as fn(f32, f32) -> bool, false),
        ("ne", |a, b| a != b && !a.is_nan() && !b.is_nan(), false),
        ("lt", |a, b| a < b, false),
        ("ge", |a, b| a >= b, false),
        ("equ", |a, b| a == b, true),
        ("neu", |a, b| a != b, true),
        ("leu", |a, b| a <= b, true),
        ("gtu", |a, b| a > b, true),
        ("num", |a, b| !a.is_nan() && !b.is_nan(), false),
        ("nan", |a, b| a.is_nan() || b.is_nan(), true),
    ] {
        check(
            &format!("setp.{name}.f32 %p0, %f1, %f2;"),
            Out::Predicate,
            move |a, b, _| {
                let (a, b) = (f(a), f(b));
                u64::from(holds(a, b) || unordered && (a.is_nan() || b.is_nan()))
            },
        );
    }
    check(
        "setp.ltu.f64 %p0, %fd1, %fd2;",
        Out::Predicate,
        |a, b, _| {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            u64::from(a < b || a.is_nan() || b.is_nan())
        },
    );
    check(
        "setp.lt.and.s32 %p0|%p4, %r1, %r2, !%p3;",
        Out::Predicate,
        |a, b, c| u64::from((a as i32) < b as i32 && c & 1 == 0),
    );
    check(
        "setp.lt.or.s32 %p4|%p0, %r1, %r2, %p3;",
        Out::Predicate,
        |a, b, c| u64::from(a as i32 >= b as i32 || c & 1 == 1),
    );
    words("set.gt.u32.s32 %r0, %r1, %r2;", |a, b, _| {
        if a as i32 > b as i32 { u32::MAX } else { 0 }
    });
    floats("set.lt.f32.f32 %f0, %f1, %f2;", |a, b, _| {
        if a < b { 1.0 } else { 0.0 }
    });
}

#[test]
fn selections_and_classes() {
    words("selp.b32 %r0, %r1, %r2, %p3;", |a, b, c| {
        if c & 1 == 1 { a } else { b }
    });
    doubles("selp.b64 %rd0, %rd1, 5, %p3;", |a, _, c| {
        if c & 1 == 1 { a } else { 5 }
    });
    check(
        "selp.f32 %f0, %f1, 0f3F800000, %p2;",
        Out::Float,
        |a, b, _| {
            if b & 1 == 1 {
                a & 0xffff_ffff
            } else {
                0x3f80_0000
            }
        },
    );
    words("slct.u32.s32 %r0, %r1, %r2, %r3;", |a, b, c| {
        if c as i32 >= 0 { a } else { b }
    });
    words("slct.b32.f32 %r0, %r1, %r2, %f3;", |a, b, c| {
        if f32::from_bits(c) >= 0.0 { a } else { b }
    });
    let f = |bits: u64| f32::from_bits(bits as u32);
    check(
        "testp.finite.f32 %p0, %f1;",
        Out::Predicate,
        move |a, _, _| u64::from(f(a).is_finite()),
    );
    check(
        "testp.subnormal.f32 %p0, %f1;",
        Out::Predicate,
        move |a, _, _| u64::from(f(a).is_subnormal()),
    );
    check(
        "testp.notanumber.f64 %p0, %fd1;",
        Out::Predicate,
        |a, _, _| u64::from(f64::from_bits(a).is_nan()),
    );
}

#[test]
fn a_false_guard_leaves_the_destination() {
    words("mov.u32 %r0, 7; @%p3 add.s32 %r0, %r1, %r2;", |a, b, c| {
        if c & 1 == 1 { a.wrapping_add(b) } else { 7 }
    });
    words("mov.u32 %r0, 7; @!%p3 div.u32 %r0, %r1, 3;", |a, _, c| {
        if c & 1 == 0 { a / 3 } else { 7 }
    });
    check(
        "mov.u64 %rd0, 7; @%p3 mul.wide.u32 %rd0, %r1, %r2;",
        Out::Double,
        |a, b, c| {
            if c & 1 == 1 {
                u64::from(a as u32) * u64::from(b as u32)
            } else {
                7
            }
        },
    );
}
