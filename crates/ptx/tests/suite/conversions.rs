//! Values of `cvt`, packing moves and address conversions.

use crate::single::{Out, check, doubles, floats, words};

fn f(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

#[test]
fn integers_extend_cut_and_saturate() {
    check("cvt.u64.u32 %rd0, %r1;", Out::Double, |a, _, _| {
        u64::from(a as u32)
    });
    check("cvt.s64.s32 %rd0, %r1;", Out::Double, |a, _, _| {
        a as i32 as i64 as u64
    });
    check("cvt.s64.s16 %rd0, %rs1;", Out::Double, |a, _, _| {
        a as i16 as i64 as u64
    });
    check("cvt.u32.u64 %r0, %rd1;", Out::Word, |a, _, _| {
        u64::from(a as u32)
    });
    check("cvt.s32.s8 %r0, %r1;", Out::Word, |a, _, _| {
        u64::from(a as i8 as i32 as u32)
    });
    check("cvt.u32.u8 %r0, %r1;", Out::Word, |a, _, _| {
        u64::from(a as u8)
    });
    check("cvt.u16.u32 %rs0, %r1;", Out::Half, |a, _, _| {
        u64::from(a as u16)
    });
    check("cvt.u8.u32 %rs0, %r1;", Out::Half, |a, _, _| {
        u64::from(a as u8)
    });
    check("cvt.s8.s32 %rs0, %r1;", Out::Half, |a, _, _| {
        u64::from(a as i8 as i16 as u16)
    });
    check("cvt.sat.s8.s32 %r0, %r1;", Out::Word, |a, _, _| {
        u64::from((a as i32).clamp(-128, 127) as u32)
    });
    check("cvt.sat.u16.s32 %rs0, %r1;", Out::Half, |a, _, _| {
        (a as i32).clamp(0, 0xffff) as u64
    });
    check("cvt.sat.u32.s64 %r0, %rd1;", Out::Word, |a, _, _| {
        (a as i64).clamp(0, 0xffff_ffff) as u64
    });
    check("cvt.u32.u16 %r0, %rs1;", Out::Word, |a, _, _| {
        u64::from(a as u16)
    });
    // A register wider than the type: the low bits are the source.
    check("cvt.u32.u8 %r0, %rd1;", Out::Word, |a, _, _| {
        u64::from(a as u8)
    });
    check("cvt.s64.s8 %rd0, %rd1;", Out::Double, |a, _, _| {
        a as i8 as i64 as u64
    });
}

#[test]
fn floats_to_integers_in_every_direction() {
    let clamp = |v: f64, low: f64, high: f64| if v.is_nan() { 0.0 } else { v.clamp(low, high) };
    let signed = move |v: f64| clamp(v, -2147483648.0, 2147483647.0) as i32 as u32;
    for (mode, round) in [
        ("rni", f64::round_ties_even as fn(f64) -> f64),
        ("rzi", f64::trunc),
        ("rmi", f64::floor),
        ("rpi", f64::ceil),
    ] {
        check(
            &format!("cvt.{mode}.s32.f32 %r0, %f1;"),
            Out::Word,
            move |a, _, _| u64::from(signed(round(f64::from(f(a))))),
        );
        check(
            &format!("cvt.{mode}.s32.f64 %r0, %fd1;"),
            Out::Word,
            move |a, _, _| {
                let value = f64::from_bits(a);
                if value.is_nan() {
                    0x8000_0000
                } else {
                    u64::from(signed(round(value)))
                }
            },
        );
        floats(&format!("cvt.{mode}.f32.f32 %f0, %f1;"), move |a, _, _| {
            round(f64::from(a)) as f32
        });
    }
    check("cvt.rzi.u32.f32 %r0, %f1;", Out::Word, |a, _, _| {
        u64::from(f(a) as u32)
    });
    check("cvt.rzi.u64.f32 %rd0, %f1;", Out::Double, |a, _, _| {
        if f(a).is_nan() { 1 << 63 } else { f(a) as u64 }
    });
    check("cvt.rzi.s64.f64 %rd0, %fd1;", Out::Double, |a, _, _| {
        let value = f64::from_bits(a);
        if value.is_nan() {
            1 << 63
        } else {
            value as i64 as u64
        }
    });
    check("cvt.rzi.s16.f32 %rs0, %f1;", Out::Half, |a, _, _| {
        u64::from(f(a) as i16 as u16)
    });
}

#[test]
fn integers_to_floats() {
    check("cvt.rn.f32.s32 %f0, %r1;", Out::Float, |a, _, _| {
        u64::from((a as i32 as f32).to_bits())
    });
    check("cvt.rn.f32.u64 %f0, %rd1;", Out::Float, |a, _, _| {
        u64::from((a as f32).to_bits())
    });
    check("cvt.rn.f64.s64 %fd0, %rd1;", Out::FloatDouble, |a, _, _| {
        (a as i64 as f64).to_bits()
    });
    check("cvt.rn.f64.u32 %fd0, %r1;", Out::FloatDouble, |a, _, _| {
        f64::from(a as u32).to_bits()
    });
    check("cvt.rz.f32.u32 %f0, %r1;", Out::Float, |a, _, _| {
        let near = a as u32 as f32;
        u64::from(
            if f64::from(near) > f64::from(a as u32) {
                near.next_down()
            } else {
                near
            }
            .to_bits(),
        )
    });
    check("cvt.rn.f16.s16 %rs0, %rs1;", Out::Half, |a, _, _| {
        u64::from(half::f16::from_f32(f32::from(a as i16)).to_bits())
    });
}

#[test]
fn between_float_formats() {
    check("cvt.f64.f32 %fd0, %f1;", Out::FloatDouble, |a, _, _| {
        f64::from(f(a)).to_bits()
    });
    check("cvt.rn.f32.f64 %f0, %fd1;", Out::Float, |a, _, _| {
        u64::from((f64::from_bits(a) as f32).to_bits())
    });
    check("cvt.rp.f32.f64 %f0, %fd1;", Out::Float, |a, _, _| {
        let (exact, near) = (f64::from_bits(a), f64::from_bits(a) as f32);
        u64::from(
            if f64::from(near) < exact {
                near.next_up()
            } else {
                near
            }
            .to_bits(),
        )
    });
    check("cvt.f32.f16 %f0, %rs1;", Out::Float, |a, _, _| {
        u64::from(half::f16::from_bits(a as u16).to_f32().to_bits())
    });
    check("cvt.f32.bf16 %f0, %rs1;", Out::Float, |a, _, _| {
        u64::from((a as u16 as u32) << 16)
    });
    let f16 = |v: f32| {
        if v.is_nan() {
            0x7fff
        } else {
            u64::from(half::f16::from_f32(v).to_bits())
        }
    };
    let bf16 = |v: f32| {
        if v.is_nan() {
            0x7fff
        } else {
            u64::from(half::bf16::from_f32(v).to_bits())
        }
    };
    check("cvt.rn.f16.f32 %rs0, %f1;", Out::Half, move |a, _, _| {
        f16(f(a))
    });
    check("cvt.rn.bf16.f32 %rs0, %f1;", Out::Half, move |a, _, _| {
        bf16(f(a))
    });
    check(
        "cvt.rn.bf16x2.f32 %r0, %f1, %f2;",
        Out::Word,
        move |a, b, _| bf16(f(a)) << 16 | bf16(f(b)),
    );
    check(
        "cvt.rn.f16x2.f32 %r0, %f1, %f2;",
        Out::Word,
        move |a, b, _| f16(f(a)) << 16 | f16(f(b)),
    );
    check(
        "cvt.rn.relu.bf16.f32 %rs0, %f1;",
        Out::Half,
        move |a, _, _| {
            let value = bf16(f(a));
            if f(a) < 0.0 && value != 0x8000 {
                0
            } else {
                value
            }
        },
    );
    floats("cvt.sat.f32.f32 %f0, %f1;", |a, _, _| {
        if a.is_nan() {
            0.0
        } else {
            a.clamp(0.0, 1.0) + 0.0
        }
    });
    // tf32 keeps ten bits of the significand; ties go away from zero.
    check(
        "cvt.rna.tf32.f32 %r0, %f1; mov.b32 %f0, %r0;",
        Out::Float,
        |a, _, _| {
            let bits = a as u32;
            u64::from(if f(a).is_nan() || f(a).is_infinite() {
                bits
            } else {
                bits.wrapping_add(0x1000) & !0x1fff
            })
        },
    );
}

#[test]
fn moves_pack_and_unpack() {
    check("mov.b64 %rd0, {%r1, %r2};", Out::Double, |a, b, _| {
        u64::from(a as u32) | u64::from(b as u32) << 32
    });
    check("mov.b64 {%r0, _}, %rd1;", Out::Word, |a, _, _| {
        u64::from(a as u32)
    });
    check("mov.b64 {_, %r0}, %rd1;", Out::Word, |a, _, _| a >> 32);
    check("mov.b32 %r0, {%rs1, %rs2};", Out::Word, |a, b, _| {
        a & 0xffff | (b & 0xffff) << 16
    });
    check("mov.b32 {%rs5, %rs0}, %r1;", Out::Half, |a, _, _| {
        a >> 16 & 0xffff
    });
    check(
        "mov.b64 {%rs5, %rs6, %rs0, %rs7}, %rd1;",
        Out::Half,
        |a, _, _| a >> 32 & 0xffff,
    );
    check(
        "mov.b64 %rd0, {%rs1, %rs2, %rs3, %rs1};",
        Out::Double,
        |a, b, c| a & 0xffff | (b & 0xffff) << 16 | (c & 0xffff) << 32 | a << 48,
    );
    words("mov.b32 %f5, %r1; mov.b32 %r0, %f5;", |a, _, _| a);
    doubles(
        "cvta.shared.u64 %rd5, %rd1; cvta.to.shared.u64 %rd0, %rd5;",
        |a, _, _| a,
    );
    words("mov.u32 %r0, WARP_SZ;", |_, _, _| 32);
    words("mov.u32 %r0, 0xFFFFFFFFU;", |_, _, _| u32::MAX);
}
