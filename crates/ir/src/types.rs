//! Types: MLIR's builtin types as one enum, dialect types behind a trait.

use crate::attrs::Attr;
use crate::context::{Context, Ident};
use crate::opaque::OpaqueBody;
pub use segra_float::FloatKind;
use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

entity_id!(
    /// An interned type: equal types have equal ids.
    Type, "type"
);

/// Extent of a dimension that is only known at run time (`?` in shapes), as in MLIR's `ShapedType`.
pub const DYNAMIC: i64 = i64::MIN;

/// Whether an integer type says how its bits are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Signedness {
    /// `i32`: the op decides.
    Signless,
    /// `si32`
    Signed,
    /// `ui32`
    Unsigned,
}

/// The kind and data of a type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypeKind {
    /// `i32`, `si8`, `ui64`
    Integer {
        /// Width in bits, 0 to 16777215.
        width: u32,
        /// How the bits are read.
        signedness: Signedness,
    },
    /// `index`: an integer wide enough for sizes and addresses (64 bits here).
    Index,
    /// A floating-point format.
    Float(FloatKind),
    /// `none`
    None,
    /// `complex<T>`
    Complex(Type),
    /// `tuple<...>`
    Tuple(Vec<Type>),
    /// `(inputs) -> results`
    Function {
        /// Parameter types.
        inputs: Vec<Type>,
        /// Result types.
        results: Vec<Type>,
    },
    /// `vector<4x[8]xf32>`
    Vector {
        /// Extents.
        shape: Vec<i64>,
        /// Which extents are multiples of the run-time vector length; as long as `shape`.
        scalable: Vec<bool>,
        /// Element type.
        element: Type,
    },
    /// `tensor<?x4xf32, #encoding>`
    Tensor {
        /// Extents, [`DYNAMIC`] for `?`.
        shape: Vec<i64>,
        /// Element type.
        element: Type,
        /// Encoding attribute.
        encoding: Option<Attr>,
    },
    /// `tensor<*xf32>`
    UnrankedTensor(Type),
    /// `memref<?x4xf32, layout, space>`
    MemRef {
        /// Extents, [`DYNAMIC`] for `?`.
        shape: Vec<i64>,
        /// Element type.
        element: Type,
        /// Layout attribute; `None` is row-major.
        layout: Option<Attr>,
        /// Memory space attribute; `None` is the default space.
        space: Option<Attr>,
    },
    /// `memref<*xf32, space>`
    UnrankedMemRef {
        /// Element type.
        element: Type,
        /// Memory space attribute.
        space: Option<Attr>,
    },
    /// A type of a dialect that is not registered, kept as text: `!dialect.body` or `!dialect<body>`.
    Opaque {
        /// Dialect name.
        dialect: Ident,
        /// Everything after the dialect name.
        body: OpaqueBody,
    },
    /// A type of a registered dialect.
    Dialect(DialectType),
}

crate::custom::custom_kind!(
    CustomType,
    AnyCustomType,
    DialectType,
    "a type",
    "type",
    "!"
);

/// Questions about a type.
impl Type {
    /// Its kind.
    pub fn kind(self, ctx: &Context) -> &TypeKind {
        ctx.type_kind(self)
    }
    /// The dialect type `T` it is, if any.
    pub fn dialect<T: CustomType>(self, ctx: &Context) -> Option<&T> {
        match ctx.type_kind(self) {
            TypeKind::Dialect(ty) => ty.downcast(),
            _ => None,
        }
    }
    /// Width of an integer type of any signedness.
    pub fn integer_width(self, ctx: &Context) -> Option<u32> {
        match *ctx.type_kind(self) {
            TypeKind::Integer { width, .. } => Some(width),
            _ => None,
        }
    }
    /// Format of a floating-point type.
    pub fn float_kind(self, ctx: &Context) -> Option<FloatKind> {
        match *ctx.type_kind(self) {
            TypeKind::Float(kind) => Some(kind),
            _ => None,
        }
    }
    /// Whether it is `index`.
    pub fn is_index(self, ctx: &Context) -> bool {
        matches!(ctx.type_kind(self), TypeKind::Index)
    }
    /// Whether it is an integer or `index`.
    pub fn is_integer_or_index(self, ctx: &Context) -> bool {
        matches!(
            ctx.type_kind(self),
            TypeKind::Index | TypeKind::Integer { .. }
        )
    }
    /// Whether it is a floating-point type.
    pub fn is_float(self, ctx: &Context) -> bool {
        matches!(ctx.type_kind(self), TypeKind::Float(_))
    }
    /// Integer, `index` or floating point.
    pub fn is_scalar(self, ctx: &Context) -> bool {
        self.is_integer_or_index(ctx) || self.is_float(ctx)
    }
    /// Extents and element type of a vector, ranked tensor or memref.
    pub fn shaped(self, ctx: &Context) -> Option<(&[i64], Type)> {
        match ctx.type_kind(self) {
            TypeKind::Vector { shape, element, .. }
            | TypeKind::Tensor { shape, element, .. }
            | TypeKind::MemRef { shape, element, .. } => Some((shape, *element)),
            _ => None,
        }
    }
    /// The element type of a shaped type, else the type itself.
    pub fn element_or_self(self, ctx: &Context) -> Type {
        match ctx.type_kind(self) {
            TypeKind::Vector { element, .. }
            | TypeKind::Tensor { element, .. }
            | TypeKind::MemRef { element, .. }
            | TypeKind::UnrankedMemRef { element, .. }
            | TypeKind::UnrankedTensor(element) => *element,
            _ => self,
        }
    }
}
