//! One run-time value: 16 bytes, cheap to clone.

use crate::array::ArrayValue;
use crate::elem::Elem;
use crate::memref::MemRefValue;
use crate::tf32::Tf32;
use half::{bf16, f16};
use std::any::Any;
use std::fmt;
use std::rc::Rc;

/// One run-time value.
#[derive(Clone, Default)]
pub enum Datum {
    /// No value: what a slot holds before its op ran.
    #[default]
    Unit,
    /// An integer of any width up to 64, or `index`, in its normal form ([`crate::IntWidth::wrap`]).
    Int(i64),
    /// `f16`
    F16(f16),
    /// `bf16`
    BF16(bf16),
    /// `tf32`
    TF32(Tf32),
    /// `f32`
    F32(f32),
    /// `f64`
    F64(f64),
    /// An immutable array.
    Array(Rc<ArrayValue>),
    /// A vector: as an array, but ops on scalars work on its elements.
    Vector(Rc<ArrayValue>),
    /// A view of a mutable buffer.
    MemRef(Rc<MemRefValue>),
    /// A value only its dialect understands.
    Custom(Rc<Box<dyn Any>>),
}

impl Datum {
    /// `true` or `false` as an `i1`.
    #[inline]
    pub fn bool(value: bool) -> Datum {
        Datum::Int(value.into())
    }
    /// An array.
    pub fn array(array: ArrayValue) -> Datum {
        Datum::Array(Rc::new(array))
    }
    /// A vector.
    pub fn vector(array: ArrayValue) -> Datum {
        Datum::Vector(Rc::new(array))
    }
    /// A memref.
    pub fn memref(memref: MemRefValue) -> Datum {
        Datum::MemRef(Rc::new(memref))
    }
    /// The floating-point number of format `elem` nearest to `value`; integers are truncated and wrapped.
    pub fn from_f64(value: f64, elem: Elem) -> Datum {
        match elem {
            Elem::F16 => Datum::F16(f16::from_f32(to_f32_odd(value))),
            Elem::BF16 => Datum::BF16(bf16::from_f32(to_f32_odd(value))),
            Elem::TF32 => Datum::TF32(Tf32::from_f32(to_f32_odd(value))),
            Elem::F32 => Datum::F32(value as f32),
            Elem::F64 => Datum::F64(value),
            Elem::Index => Datum::Int(value as i64),
            Elem::Int(width) => Datum::Int(width.wrap(value as i64)),
        }
    }
    /// A scalar from the low bits of its format.
    pub fn from_bits(bits: u64, elem: Elem) -> Datum {
        match elem {
            Elem::F16 => Datum::F16(f16::from_bits(bits as u16)),
            Elem::BF16 => Datum::BF16(bf16::from_bits(bits as u16)),
            Elem::TF32 => Datum::TF32(Tf32::from_bits(bits as u32)),
            Elem::F32 => Datum::F32(f32::from_bits(bits as u32)),
            Elem::F64 => Datum::F64(f64::from_bits(bits)),
            Elem::Index => Datum::Int(bits as i64),
            Elem::Int(width) => Datum::Int(width.wrap(bits as i64)),
        }
    }
    /// The bits of a scalar in the low end (integers sign-extended); `None` for anything else.
    pub fn to_bits(&self) -> Option<u64> {
        Some(match self {
            Datum::Int(value) => *value as u64,
            Datum::F16(value) => value.to_bits().into(),
            Datum::BF16(value) => value.to_bits().into(),
            Datum::TF32(value) => value.to_bits().into(),
            Datum::F32(value) => value.to_bits().into(),
            Datum::F64(value) => value.to_bits(),
            _ => return None,
        })
    }
    /// The zero of a format.
    pub fn zero(elem: Elem) -> Datum {
        Datum::from_bits(0, elem)
    }
    /// The integer it is.
    #[inline]
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Datum::Int(value) => Some(*value),
            _ => None,
        }
    }
    /// The `i1` it is.
    #[inline]
    pub fn as_bool(&self) -> Option<bool> {
        self.as_int().map(|value| value & 1 != 0)
    }
    /// The floating-point number it is, exactly.
    pub fn as_f64(&self) -> Option<f64> {
        Some(match self {
            Datum::F16(value) => value.to_f64(),
            Datum::BF16(value) => value.to_f64(),
            Datum::TF32(value) => value.to_f32().into(),
            Datum::F32(value) => (*value).into(),
            Datum::F64(value) => *value,
            _ => return None,
        })
    }
    /// The array it is.
    #[inline]
    pub fn as_array(&self) -> Option<&Rc<ArrayValue>> {
        match self {
            Datum::Array(array) => Some(array),
            _ => None,
        }
    }
    /// The vector it is.
    #[inline]
    pub fn as_vector(&self) -> Option<&Rc<ArrayValue>> {
        match self {
            Datum::Vector(array) => Some(array),
            _ => None,
        }
    }
    /// The memref it is.
    #[inline]
    pub fn as_memref(&self) -> Option<&Rc<MemRefValue>> {
        match self {
            Datum::MemRef(memref) => Some(memref),
            _ => None,
        }
    }
    /// Its kind, in a word or two, for messages.
    pub fn describe(&self) -> &'static str {
        match self {
            Datum::Unit => "no value",
            Datum::Int(_) => "an integer",
            Datum::F16(_) => "an f16",
            Datum::BF16(_) => "a bf16",
            Datum::TF32(_) => "a tf32",
            Datum::F32(_) => "an f32",
            Datum::F64(_) => "an f64",
            Datum::Array(_) => "an array",
            Datum::Vector(_) => "a vector",
            Datum::MemRef(_) => "a memref",
            Datum::Custom(_) => "a value of its dialect",
        }
    }
}

/// Rounds to `f32` such that a later rounding to a narrower format gives what one rounding would have given: what does
/// not fit goes to the neighbour with an odd last bit (Boldo and Melquiond, "When double rounding is odd", 2005).
fn to_f32_odd(value: f64) -> f32 {
    let nearest = value as f32;
    let bits = nearest.to_bits();
    if value.is_nan() || f64::from(nearest) == value || bits & 1 == 1 {
        return nearest;
    }
    let away = f64::from(nearest).abs() > value.abs();
    f32::from_bits(if away { bits - 1 } else { bits + 1 })
}

impl From<i64> for Datum {
    fn from(value: i64) -> Datum {
        Datum::Int(value)
    }
}
impl From<bool> for Datum {
    fn from(value: bool) -> Datum {
        Datum::bool(value)
    }
}
impl From<f32> for Datum {
    fn from(value: f32) -> Datum {
        Datum::F32(value)
    }
}
impl From<f64> for Datum {
    fn from(value: f64) -> Datum {
        Datum::F64(value)
    }
}
impl From<ArrayValue> for Datum {
    fn from(value: ArrayValue) -> Datum {
        Datum::array(value)
    }
}

/// Equality of meaning: floats by bits (a NaN equals itself), arrays by shape and elements, memrefs by identity.
impl PartialEq for Datum {
    fn eq(&self, other: &Datum) -> bool {
        match (self, other) {
            (Datum::Unit, Datum::Unit) => true,
            (Datum::Array(a), Datum::Array(b)) | (Datum::Vector(a), Datum::Vector(b)) => a == b,
            (Datum::MemRef(a), Datum::MemRef(b)) => Rc::ptr_eq(a, b) || a.same_view(b),
            (Datum::Custom(a), Datum::Custom(b)) => Rc::ptr_eq(a, b),
            _ => {
                std::mem::discriminant(self) == std::mem::discriminant(other)
                    && self
                        .to_bits()
                        .is_some_and(|bits| Some(bits) == other.to_bits())
            }
        }
    }
}

impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Datum::Unit => f.write_str("()"),
            Datum::Int(value) => value.fmt(f),
            Datum::F16(value) => write!(f, "{value:?}"),
            Datum::BF16(value) => write!(f, "{value:?}"),
            Datum::TF32(value) => write!(f, "{value:?}"),
            Datum::F32(value) => write!(f, "{value:?}"),
            Datum::F64(value) => write!(f, "{value:?}"),
            Datum::Array(array) | Datum::Vector(array) => array.fmt(f),
            Datum::MemRef(memref) => memref.fmt(f),
            Datum::Custom(_) => f.write_str("<dialect value>"),
        }
    }
}
impl fmt::Debug for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
