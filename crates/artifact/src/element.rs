//! Element types of arrays, buffers and scalars.
//!
//! Integers carry no signedness, as in MLIR: operations say how they read the bits. Where a person sees a value
//! (printing, `.npy` files) integers are signed. `index` is [`ElemType::I64`].

use serde::{Deserialize, Serialize};
use std::fmt;

/// The type of one array element or scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ElemType {
    /// `i1`, stored as one byte, 0 or 1.
    Bool,
    /// 8-bit integer.
    I8,
    /// 16-bit integer.
    I16,
    /// 32-bit integer.
    I32,
    /// 64-bit integer; also `index`.
    I64,
    /// IEEE 754 binary16.
    F16,
    /// bfloat16: the upper half of a binary32.
    BF16,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
}

impl ElemType {
    /// Every element type, in declaration order.
    pub const ALL: [ElemType; 9] = [
        ElemType::Bool,
        ElemType::I8,
        ElemType::I16,
        ElemType::I32,
        ElemType::I64,
        ElemType::F16,
        ElemType::BF16,
        ElemType::F32,
        ElemType::F64,
    ];

    /// Bytes of one element in memory.
    pub const fn size(self) -> usize {
        match self {
            ElemType::Bool | ElemType::I8 => 1,
            ElemType::I16 | ElemType::F16 | ElemType::BF16 => 2,
            ElemType::I32 | ElemType::F32 => 4,
            ElemType::I64 | ElemType::F64 => 8,
        }
    }

    /// Bits that carry the value: 1 for [`ElemType::Bool`], else eight times [`ElemType::size`].
    pub const fn bits(self) -> u32 {
        match self {
            ElemType::Bool => 1,
            _ => self.size() as u32 * 8,
        }
    }

    /// True for the integer types, [`ElemType::Bool`] included.
    pub const fn is_integer(self) -> bool {
        matches!(
            self,
            ElemType::Bool | ElemType::I8 | ElemType::I16 | ElemType::I32 | ElemType::I64
        )
    }

    /// True for the floating-point types.
    pub const fn is_float(self) -> bool {
        !self.is_integer()
    }

    /// The name MLIR uses: `i1`, `i8`, ..., `f16`, `bf16`, `f32`, `f64`.
    pub const fn name(self) -> &'static str {
        match self {
            ElemType::Bool => "i1",
            ElemType::I8 => "i8",
            ElemType::I16 => "i16",
            ElemType::I32 => "i32",
            ElemType::I64 => "i64",
            ElemType::F16 => "f16",
            ElemType::BF16 => "bf16",
            ElemType::F32 => "f32",
            ElemType::F64 => "f64",
        }
    }

    /// The type of that name (`index` is [`ElemType::I64`], `bool` is [`ElemType::Bool`]).
    pub fn from_name(name: &str) -> Option<ElemType> {
        match name {
            "index" => Some(ElemType::I64),
            "bool" => Some(ElemType::Bool),
            _ => ElemType::ALL.into_iter().find(|elem| elem.name() == name),
        }
    }
}

impl fmt::Display for ElemType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
