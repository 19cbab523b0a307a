//! Elements of matrix fragments, which pack several narrow numbers into one register.
//!
//! Deliberately absent: four- and six-bit floats and the scales of block-scaled products (Blackwell).

use crate::floats;
use half::{bf16, f16};
use segra_float::FloatKind;

/// The type of one element of a matrix operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    F16,
    Bf16,
    Tf32,
    F32,
    F64,
    E4m3,
    E5m2,
    S8,
    U8,
    S4,
    U4,
    /// Single bits, multiplied 32 at a time.
    B1,
    S32,
}

impl Element {
    /// Reads a type suffix without its leading dot.
    pub(crate) fn parse(text: &str) -> Option<Element> {
        Some(match text {
            "f16" => Element::F16,
            "bf16" => Element::Bf16,
            "tf32" => Element::Tf32,
            "f32" => Element::F32,
            "f64" => Element::F64,
            "e4m3" => Element::E4m3,
            "e5m2" => Element::E5m2,
            "s8" => Element::S8,
            "u8" => Element::U8,
            "s4" => Element::S4,
            "u4" => Element::U4,
            "b1" => Element::B1,
            "s32" => Element::S32,
            _ => return None,
        })
    }

    /// Width in memory and in registers.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Element::B1 => 1,
            Element::S4 | Element::U4 => 4,
            Element::S8 | Element::U8 | Element::E4m3 | Element::E5m2 => 8,
            Element::F16 | Element::Bf16 => 16,
            Element::Tf32 | Element::F32 | Element::S32 => 32,
            Element::F64 => 64,
        }
    }

    /// Elements in one register: 32 bits, or 64 for `f64`.
    pub(crate) fn per_register(self) -> u32 {
        if self == Element::F64 {
            1
        } else {
            32 / self.bits()
        }
    }

    pub(crate) fn is_integer(self) -> bool {
        matches!(
            self,
            Element::S8 | Element::U8 | Element::S4 | Element::U4 | Element::B1 | Element::S32
        )
    }

    /// The value of a floating-point pattern.
    pub(crate) fn float(self, bits: u64) -> f64 {
        match self {
            Element::F16 => f64::from(f16::from_bits(bits as u16).to_f32()),
            Element::Bf16 => f64::from(bf16::from_bits(bits as u16).to_f32()),
            // The low 13 bits of the register are not part of the number.
            Element::Tf32 => f64::from(f32::from_bits(bits as u32 & !0x1fff)),
            Element::F32 => f64::from(f32::from_bits(bits as u32)),
            Element::F64 => f64::from_bits(bits),
            Element::E4m3 => floats::to_f64(bits & 0xff, FloatKind::F8E4M3FN),
            Element::E5m2 => floats::to_f64(bits & 0xff, FloatKind::F8E5M2),
            _ => f64::from(self.integer(bits)),
        }
    }

    /// The value of an integer pattern; bits come as whole words.
    pub(crate) fn integer(self, bits: u64) -> i32 {
        match self {
            Element::S8 => i32::from(bits as i8),
            Element::U8 => i32::from(bits as u8),
            Element::S4 => (bits as i32) << 28 >> 28,
            Element::U4 => (bits & 0xf) as i32,
            _ => bits as i32,
        }
    }
}
