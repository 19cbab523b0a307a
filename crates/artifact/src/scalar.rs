//! Scalar values: an element type and its bits.
//!
//! Invariant: bits above the type's width are zero, so equality of [`Scalar`]s is equality of bit patterns
//! (two NaNs with the same payload are equal, 0.0 and -0.0 are not).

use crate::ElemType;
use half::{bf16, f16};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// A value of one [`ElemType`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Scalar {
    elem: ElemType,
    bits: u64,
}

// Written by hand so that no file can bring in bits above the type's width.
impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename = "Scalar")]
        struct Raw {
            elem: ElemType,
            bits: u64,
        }
        let raw = Raw::deserialize(deserializer)?;
        Ok(Scalar::from_bits(raw.elem, raw.bits))
    }
}

/// The neighbour in `f32` with an odd last bit where a number does not fit: rounded to fewer bits, it gives what the number
/// gives, as if it was not rounded before. (The `half` crate drops the lower half of an `f64` unseen.)
fn to_f32_odd(value: f64) -> f32 {
    let nearest = value as f32;
    let bits = nearest.to_bits();
    if value.is_nan() || f64::from(nearest) == value || bits & 1 == 1 {
        return nearest;
    }
    let away = f64::from(nearest).abs() > value.abs();
    f32::from_bits(if away { bits - 1 } else { bits + 1 })
}

/// A float of 53 bits beside an integer of 64, odd where it is not the same: rounded to fewer bits, it gives what the
/// integer gives, as if it was not rounded before.
fn rounded_to_odd(value: i128) -> f64 {
    const LOST: i128 = (1 << 11) - 1;
    let fits = value.unsigned_abs() <= 1 << 53;
    (if fits {
        value
    } else {
        (value | ((value & LOST) + LOST)) & !LOST
    }) as f64
}

impl Scalar {
    /// The value with these bits; bits above the type's width are dropped.
    pub const fn from_bits(elem: ElemType, bits: u64) -> Scalar {
        let width = elem.bits();
        let mask = if width == 64 {
            u64::MAX
        } else {
            (1u64 << width) - 1
        };
        Scalar {
            elem,
            bits: bits & mask,
        }
    }

    /// Integer of type `elem` that `value` wraps to, or the float nearest to `value`.
    pub fn from_i64(elem: ElemType, value: i64) -> Scalar {
        match elem {
            ElemType::F32 => Scalar::f32(value as f32),
            ElemType::F64 => Scalar::f64(value as f64),
            ElemType::F16 | ElemType::BF16 => Scalar::from_f64(elem, rounded_to_odd(value.into())),
            _ => Scalar::from_bits(elem, value as u64),
        }
    }

    /// As [`Scalar::from_i64`] for an unsigned integer.
    pub fn from_u64(elem: ElemType, value: u64) -> Scalar {
        match elem {
            ElemType::F32 => Scalar::f32(value as f32),
            ElemType::F64 => Scalar::f64(value as f64),
            ElemType::F16 | ElemType::BF16 => Scalar::from_f64(elem, rounded_to_odd(value.into())),
            _ => Scalar::from_bits(elem, value),
        }
    }

    /// The float of type `elem` nearest to `value`; for integers the value truncated towards zero and saturated.
    pub fn from_f64(elem: ElemType, value: f64) -> Scalar {
        let bits = match elem {
            ElemType::Bool => u64::from(value != 0.0),
            ElemType::I8 => value as i8 as u64,
            ElemType::I16 => value as i16 as u64,
            ElemType::I32 => value as i32 as u64,
            ElemType::I64 => value as i64 as u64,
            ElemType::F16 => u64::from(f16::from_f32(to_f32_odd(value)).to_bits()),
            ElemType::BF16 => u64::from(bf16::from_f32(to_f32_odd(value)).to_bits()),
            ElemType::F32 => u64::from((value as f32).to_bits()),
            ElemType::F64 => value.to_bits(),
        };
        Scalar::from_bits(elem, bits)
    }

    /// A truth value.
    pub const fn bool(value: bool) -> Scalar {
        Scalar {
            elem: ElemType::Bool,
            bits: value as u64,
        }
    }

    /// A 32-bit integer.
    pub const fn i32(value: i32) -> Scalar {
        Scalar::from_bits(ElemType::I32, value as u64)
    }

    /// A 64-bit integer (also `index`).
    pub const fn i64(value: i64) -> Scalar {
        Scalar {
            elem: ElemType::I64,
            bits: value as u64,
        }
    }

    /// A 32-bit float.
    pub const fn f32(value: f32) -> Scalar {
        Scalar {
            elem: ElemType::F32,
            bits: value.to_bits() as u64,
        }
    }

    /// A 64-bit float.
    pub const fn f64(value: f64) -> Scalar {
        Scalar {
            elem: ElemType::F64,
            bits: value.to_bits(),
        }
    }

    /// The type.
    pub const fn elem(self) -> ElemType {
        self.elem
    }

    /// The bit pattern, zero above the type's width.
    pub const fn bits(self) -> u64 {
        self.bits
    }

    /// The integer sign-extended from its width; `None` for floats. A true [`ElemType::Bool`] is 1.
    pub fn as_i64(self) -> Option<i64> {
        match self.elem {
            ElemType::Bool => Some(self.bits as i64),
            ElemType::I8 => Some(i64::from(self.bits as i8)),
            ElemType::I16 => Some(i64::from(self.bits as i16)),
            ElemType::I32 => Some(i64::from(self.bits as i32)),
            ElemType::I64 => Some(self.bits as i64),
            _ => None,
        }
    }

    /// The truth value; `None` for other types.
    pub fn as_bool(self) -> Option<bool> {
        (self.elem == ElemType::Bool).then_some(self.bits != 0)
    }

    /// The value as `f64`, exact for every float type, rounded to nearest for large 64-bit integers.
    pub fn to_f64(self) -> f64 {
        match self.elem {
            ElemType::F16 => f16::from_bits(self.bits as u16).to_f64(),
            ElemType::BF16 => bf16::from_bits(self.bits as u16).to_f64(),
            ElemType::F32 => f64::from(f32::from_bits(self.bits as u32)),
            ElemType::F64 => f64::from_bits(self.bits),
            _ => self.as_i64().map_or(0.0, |value| value as f64),
        }
    }

    /// The bytes in memory, little endian, [`ElemType::size`] of them.
    pub fn to_le_bytes(self) -> Vec<u8> {
        self.bits.to_le_bytes()[..self.elem.size()].to_vec()
    }

    /// The value of the first [`ElemType::size`] bytes, little endian; `None` when there are fewer.
    /// A [`ElemType::Bool`] is true when its byte is not zero.
    pub fn from_le_bytes(elem: ElemType, bytes: &[u8]) -> Option<Scalar> {
        let bytes = bytes.get(..elem.size())?;
        let mut wide = [0u8; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        let bits = u64::from_le_bytes(wide);
        Some(if elem == ElemType::Bool {
            Scalar::bool(bits != 0)
        } else {
            Scalar::from_bits(elem, bits)
        })
    }
}

/// Prints the value alone; floats with the fewest digits that read back to the same value.
impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self.elem {
            ElemType::Bool => (self.bits != 0).to_string(),
            ElemType::F16 => float_text(f16::from_bits(self.bits as u16).to_f32(), |text| {
                text.parse::<f32>()
                    .is_ok_and(|v| u64::from(f16::from_f32(v).to_bits()) == self.bits)
            }),
            ElemType::BF16 => float_text(bf16::from_bits(self.bits as u16).to_f32(), |text| {
                text.parse::<f32>()
                    .is_ok_and(|v| u64::from(bf16::from_f32(v).to_bits()) == self.bits)
            }),
            ElemType::F32 => format!("{:?}", f32::from_bits(self.bits as u32)),
            ElemType::F64 => format!("{:?}", f64::from_bits(self.bits)),
            _ => self.as_i64().unwrap_or(0).to_string(),
        };
        f.pad(if text == "NaN" { "nan" } else { &text })
    }
}

/// The shortest decimal of a value from a format narrower than `f32`: fewer digits than `f32` needs often suffice.
fn float_text(value: f32, reads_back: impl Fn(&str) -> bool) -> String {
    let full = format!("{value:?}");
    if !value.is_finite() || value == 0.0 {
        return full;
    }
    for digits in 0..=8 {
        let text = format!("{value:.digits$e}");
        if reads_back(&text)
            && let Ok(short) = text.parse::<f32>()
        {
            return format!("{short:?}");
        }
    }
    full
}

impl fmt::Debug for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} : {}", self.elem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap_to_their_width_and_read_back_signed() {
        assert_eq!(Scalar::from_i64(ElemType::I8, 300).as_i64(), Some(44));
        assert_eq!(Scalar::from_i64(ElemType::I16, -1).as_i64(), Some(-1));
        assert_eq!(Scalar::from_i64(ElemType::I16, -1).bits(), 0xffff);
        assert_eq!(Scalar::from_i64(ElemType::Bool, 3).as_bool(), Some(true));
    }

    #[test]
    fn narrow_floats_print_the_fewest_digits_that_read_back() {
        assert_eq!(Scalar::from_f64(ElemType::F16, 0.1).to_string(), "0.1");
        assert_eq!(Scalar::from_f64(ElemType::BF16, 0.3).to_string(), "0.3");
        assert_eq!(Scalar::from_f64(ElemType::F16, f64::NAN).to_string(), "nan");
        assert_eq!(Scalar::f32(0.1).to_string(), "0.1");
        assert_eq!(Scalar::f64(1.0).to_string(), "1.0");
    }

    #[test]
    fn every_f16_prints_to_text_that_reads_back() {
        for bits in 0..=u16::MAX {
            let scalar = Scalar::from_bits(ElemType::F16, u64::from(bits));
            let value: f32 = scalar.to_string().parse().unwrap();
            let back = f16::from_f32(value);
            assert!(back.to_bits() == bits || back.is_nan(), "{scalar}");
        }
    }
}
