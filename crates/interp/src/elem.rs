//! Element kinds: which scalar formats the interpreter computes with, and how integers wrap.

use segra_ir::{Context, FloatKind, Type, TypeKind};

/// Width of an integer in bits, 1 to 64. `index` has 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntWidth(u8);

impl IntWidth {
    /// The width of `index`.
    pub const INDEX: IntWidth = IntWidth(64);
    /// The width of `i1`.
    pub const BOOL: IntWidth = IntWidth(1);

    /// A width, if the interpreter has integers that wide.
    pub fn new(bits: u32) -> Option<IntWidth> {
        (1..=64).contains(&bits).then_some(IntWidth(bits as u8))
    }
    /// Number of bits.
    #[inline]
    pub fn bits(self) -> u32 {
        u32::from(self.0)
    }
    /// The normal form of a result: modulo 2^width, sign-extended; `i1` is 0 or 1.
    #[inline]
    pub fn wrap(self, value: i64) -> i64 {
        if self.0 == 1 {
            value & 1
        } else {
            self.signed(value)
        }
    }
    /// The value read as a signed integer (`i1` is 0 or -1).
    #[inline]
    pub fn signed(self, value: i64) -> i64 {
        let shift = 64 - u32::from(self.0);
        value << shift >> shift
    }
    /// The value read as an unsigned integer.
    #[inline]
    pub fn unsigned(self, value: i64) -> u64 {
        let shift = 64 - u32::from(self.0);
        (value as u64) << shift >> shift
    }
    /// The smallest signed value.
    #[inline]
    pub fn min_signed(self) -> i64 {
        self.signed(1 << (self.bits() - 1))
    }
}

/// The format of a scalar or of an array's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the formats")]
pub enum Elem {
    Int(IntWidth),
    Index,
    F16,
    BF16,
    TF32,
    F32,
    F64,
}

impl Elem {
    /// `i1`
    pub const BOOL: Elem = Elem::Int(IntWidth::BOOL);
    /// `i8`
    pub const I8: Elem = Elem::Int(IntWidth(8));
    /// `i16`
    pub const I16: Elem = Elem::Int(IntWidth(16));
    /// `i32`
    pub const I32: Elem = Elem::Int(IntWidth(32));
    /// `i64`
    pub const I64: Elem = Elem::Int(IntWidth(64));

    /// The format of a scalar type the interpreter computes with.
    pub fn of(ctx: &Context, ty: Type) -> Option<Elem> {
        match *ctx.type_kind(ty) {
            TypeKind::Integer { width, .. } => IntWidth::new(width).map(Elem::Int),
            TypeKind::Index => Some(Elem::Index),
            TypeKind::Float(FloatKind::F16) => Some(Elem::F16),
            TypeKind::Float(FloatKind::BF16) => Some(Elem::BF16),
            TypeKind::Float(FloatKind::TF32) => Some(Elem::TF32),
            TypeKind::Float(FloatKind::F32) => Some(Elem::F32),
            TypeKind::Float(FloatKind::F64) => Some(Elem::F64),
            _ => None,
        }
    }
    /// The format of a scalar type, or of the elements of a vector, tensor or memref.
    pub fn of_element(ctx: &Context, ty: Type) -> Option<Elem> {
        Elem::of(ctx, ty.element_or_self(ctx))
    }
    /// Its layout, if it is a float.
    pub fn float_kind(self) -> Option<FloatKind> {
        Some(match self {
            Elem::F16 => FloatKind::F16,
            Elem::BF16 => FloatKind::BF16,
            Elem::TF32 => FloatKind::TF32,
            Elem::F32 => FloatKind::F32,
            Elem::F64 => FloatKind::F64,
            Elem::Index | Elem::Int(_) => return None,
        })
    }
    /// Its width, if it is an integer or `index`.
    #[inline]
    pub fn int_width(self) -> Option<IntWidth> {
        match self {
            Elem::Int(width) => Some(width),
            Elem::Index => Some(IntWidth::INDEX),
            _ => None,
        }
    }
    /// Whether it is a floating-point format.
    pub fn is_float(self) -> bool {
        self.int_width().is_none()
    }
    /// Width in bits.
    pub fn bits(self) -> u32 {
        match self {
            Elem::Int(width) => width.bits(),
            Elem::F16 | Elem::BF16 => 16,
            Elem::TF32 => 19,
            Elem::F32 => 32,
            Elem::Index | Elem::F64 => 64,
        }
    }
    /// Bytes one element takes in arrays handed in and out.
    pub fn bytes(self) -> usize {
        (self.bits() as usize).div_ceil(8).next_power_of_two()
    }
}

impl std::fmt::Display for Elem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Elem::Int(width) => write!(f, "i{}", width.bits()),
            Elem::Index => f.write_str("index"),
            Elem::F16 => f.write_str("f16"),
            Elem::BF16 => f.write_str("bf16"),
            Elem::TF32 => f.write_str("tf32"),
            Elem::F32 => f.write_str("f32"),
            Elem::F64 => f.write_str("f64"),
        }
    }
}
