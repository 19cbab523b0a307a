//! Fused multiply-add with the host's vector instructions.
//!
//! The baseline x86-64 target has no fused multiply-add, so `mul_add` is a library call per lane; on hosts that
//! have the instruction the same loop compiled for it is many times faster. This module is the only place that
//! calls code compiled for optional CPU features.
#![allow(
    unsafe_code,
    reason = "calling a function compiled for CPU features that were detected at run time"
)]

use super::float::canonical;
use super::lanes::map3;
use crate::isa::{Alu, AluFn};
use crate::regs::Regs;

fn fma_f32_portable(regs: &mut Regs, i: &Alu, mask: u32) {
    map3::<f32, f32, f32, f32>(regs, i, mask, |a, b, c| canonical(a.mul_add(b, c)));
}

fn fma_f64_portable(regs: &mut Regs, i: &Alu, mask: u32) {
    map3::<f64, f64, f64, f64>(regs, i, mask, f64::mul_add);
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::*;
    use core::arch::x86_64::{
        _CMP_UNORD_Q, _mm256_blendv_ps, _mm256_castpd_si256, _mm256_castps_si256,
        _mm256_castsi256_pd, _mm256_castsi256_ps, _mm256_cmp_ps, _mm256_fmadd_pd, _mm256_fmadd_ps,
        _mm256_loadu_si256, _mm256_set1_epi32, _mm256_storeu_si256,
    };

    #[target_feature(enable = "avx,fma")]
    fn fma_f32_full(regs: &mut Regs, i: &Alu) {
        let [a, b, c] = [i.a, i.b, i.c].map(|slot| regs.words[slot as usize].as_ptr());
        let d = regs.words[i.d as usize].as_mut_ptr();
        for lane in (0..32).step_by(8) {
            // SAFETY: every pointer is to an array of 32 words, of which the eight from `lane` on are accessed;
            // the arrays are alive and not otherwise accessed while `regs` is borrowed. A destination that is
            // also a source is read before it is written.
            unsafe {
                let load =
                    |p: *const u32| _mm256_castsi256_ps(_mm256_loadu_si256(p.add(lane).cast()));
                let out = _mm256_fmadd_ps(load(a), load(b), load(c));
                let nan = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fff_ffff));
                let out = _mm256_blendv_ps(out, nan, _mm256_cmp_ps::<_CMP_UNORD_Q>(out, out));
                _mm256_storeu_si256(d.add(lane).cast(), _mm256_castps_si256(out));
            }
        }
    }

    #[target_feature(enable = "avx,fma")]
    fn fma_f64_full(regs: &mut Regs, i: &Alu) {
        let [a, b, c] = [i.a, i.b, i.c].map(|slot| regs.doubles[slot as usize].as_ptr());
        let d = regs.doubles[i.d as usize].as_mut_ptr();
        for lane in (0..32).step_by(4) {
            // SAFETY: as above, with arrays of 32 double words accessed four at a time.
            unsafe {
                let load =
                    |p: *const u64| _mm256_castsi256_pd(_mm256_loadu_si256(p.add(lane).cast()));
                let out = _mm256_fmadd_pd(load(a), load(b), load(c));
                _mm256_storeu_si256(d.add(lane).cast(), _mm256_castpd_si256(out));
            }
        }
    }

    pub(super) fn fma_f32(regs: &mut Regs, i: &Alu, mask: u32) {
        if mask == u32::MAX {
            // SAFETY: `select` hands this function out only where both features were detected.
            unsafe { fma_f32_full(regs, i) }
        } else {
            fma_f32_portable(regs, i, mask);
        }
    }

    pub(super) fn fma_f64(regs: &mut Regs, i: &Alu, mask: u32) {
        if mask == u32::MAX {
            // SAFETY: as above.
            unsafe { fma_f64_full(regs, i) }
        } else {
            fma_f64_portable(regs, i, mask);
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn has_fma() -> bool {
    std::arch::is_x86_feature_detected!("fma") && std::arch::is_x86_feature_detected!("avx")
}

/// Round-to-nearest `f32` fused multiply-add.
pub(crate) fn fma_f32() -> AluFn {
    #[cfg(target_arch = "x86_64")]
    if has_fma() {
        return x86::fma_f32;
    }
    fma_f32_portable
}

/// Round-to-nearest `f64` fused multiply-add.
pub(crate) fn fma_f64() -> AluFn {
    #[cfg(target_arch = "x86_64")]
    if has_fma() {
        return x86::fma_f64;
    }
    fma_f64_portable
}
