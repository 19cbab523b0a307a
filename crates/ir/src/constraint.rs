//! Constraints: what the type of an operand or result, or an attribute, must be.
//!
//! A constraint is a unit struct, named in op definitions (`lhs: Operand<AnyFloat>`). Dialects add their own.

use crate::attrs::{Attr, AttrKind};
use crate::context::{Context, Ident};
use crate::types::{Signedness, Type, TypeKind};

pub(crate) mod rule;
pub use rule::{AttrAccess, AttrConstraint, AttrText, IntegerText, TypeConstraint};

macro_rules! type_constraints {
    ($($(#[$doc:meta])* $name:ident, $words:literal, |$ctx:ident, $ty:ident| $test:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name;
        impl TypeConstraint for $name {
            fn describe(&self) -> &'static str { $words }
            fn accepts(&self, $ctx: &Context, $ty: Type) -> bool { $test }
        }
    )*};
}

type_constraints! {
    /// Any type.
    AnyType, "any type", |_ctx, _ty| true;
    /// A signless integer.
    AnyInteger, "a signless integer", |ctx, ty| is_signless(ctx, ty);
    /// A signless integer or index.
    AnyIntegerOrIndex, "a signless integer or index", |ctx, ty| is_signless(ctx, ty) || ty.is_index(ctx);
    /// A floating-point type.
    AnyFloat, "a floating-point type", |ctx, ty| ty.is_float(ctx);
    /// Integer, index or floating point.
    AnyScalar, "an integer, index or floating-point type", |ctx, ty| ty.is_scalar(ctx);
    /// Signless integer or index, or a vector or tensor of them.
    IntegerLike, "a signless integer or index, or a vector or tensor of them", |ctx, ty| {
        let element = elementwise(ctx, ty);
        is_signless(ctx, element) || element.is_index(ctx)
    };
    /// `i1`, or a vector or tensor of it.
    BoolLike, "i1, or a vector or tensor of it", |ctx, ty| elementwise(ctx, ty) == ctx.i1();
    /// Floating point, or a vector or tensor of it.
    FloatLike, "a floating-point type, or a vector or tensor of it", |ctx, ty| elementwise(ctx, ty).is_float(ctx);
    /// A vector.
    AnyVector, "a vector", |ctx, ty| matches!(ctx.type_kind(ty), TypeKind::Vector { .. });
    /// A ranked memref.
    AnyMemRef, "a ranked memref", |ctx, ty| matches!(ctx.type_kind(ty), TypeKind::MemRef { .. });
    /// A function type.
    AnyFunction, "a function type", |ctx, ty| matches!(ctx.type_kind(ty), TypeKind::Function { .. });
}

mod shaped;
pub use shaped::*;

fn is_signless(ctx: &Context, ty: Type) -> bool {
    matches!(
        ctx.type_kind(ty),
        TypeKind::Integer {
            signedness: Signedness::Signless,
            ..
        }
    )
}

fn elementwise(ctx: &Context, ty: Type) -> Type {
    match ctx.type_kind(ty) {
        TypeKind::MemRef { .. } | TypeKind::UnrankedMemRef { .. } => ty,
        _ => ty.element_or_self(ctx),
    }
}

fn elementwise_or_memref(ctx: &Context, ty: Type) -> Type {
    match ctx.type_kind(ty) {
        TypeKind::UnrankedMemRef { .. } => ty,
        _ => ty.element_or_self(ctx),
    }
}

macro_rules! only_types {
    ($($(#[$doc:meta])* $name:ident, $words:literal, |$ctx:ident| $ty:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name;
        impl TypeConstraint for $name {
            fn describe(&self) -> &'static str { $words }
            fn accepts(&self, $ctx: &Context, ty: Type) -> bool { ty == $ty }
            fn only(&self, $ctx: &Context) -> Option<Type> { Some($ty) }
        }
    )*};
}

only_types! {
    /// `index`
    Index, "index", |ctx| ctx.index();
    /// `i1`
    Bool, "i1", |ctx| ctx.i1();
    /// `i32`
    I32, "i32", |ctx| ctx.i32();
    /// `i64`
    I64, "i64", |ctx| ctx.i64();
}

/// A symbol's own name: a string.
#[derive(Debug, Clone, Copy)]
pub struct SymbolNameAttr;

impl AttrConstraint for SymbolNameAttr {
    fn describe(&self) -> &'static str {
        "a symbol name"
    }
    fn accepts(&self, ctx: &Context, attr: Attr) -> bool {
        attr.as_str(ctx).is_some()
    }
    fn text(&self) -> AttrText {
        AttrText::SymbolName
    }
}
impl AttrAccess for SymbolNameAttr {
    type Value<'a> = Ident;
    fn read(ctx: &Context, attr: Attr) -> Option<Ident> {
        attr.as_str(ctx).map(|text| ctx.ident(text))
    }
}

/// A boolean that is `false` where it is absent.
#[derive(Debug, Clone, Copy)]
pub struct FlagAttr;

impl AttrConstraint for FlagAttr {
    fn describe(&self) -> &'static str {
        BoolAttr.describe()
    }
    fn accepts(&self, ctx: &Context, attr: Attr) -> bool {
        BoolAttr.accepts(ctx, attr)
    }
    fn default_value(&self, ctx: &Context) -> Option<Attr> {
        Some(ctx.bool_attr(false))
    }
}
impl AttrAccess for FlagAttr {
    type Value<'a> = bool;
    fn read(ctx: &Context, attr: Attr) -> Option<bool> {
        BoolAttr::read(ctx, attr)
    }
}

macro_rules! attr_constraints {
    ($($(#[$doc:meta])* $name:ident, $words:literal, $text:expr, $value:ty, |$ctx:ident, $attr:ident| $read:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name;
        impl AttrConstraint for $name {
            fn describe(&self) -> &'static str { $words }
            fn accepts(&self, ctx: &Context, attr: Attr) -> bool { <$name as AttrAccess>::read(ctx, attr).is_some() }
            fn text(&self) -> AttrText { $text }
        }
        impl AttrAccess for $name {
            type Value<'a> = $value;
            fn read<'a>($ctx: &'a Context, $attr: Attr) -> Option<Self::Value<'a>> { $read }
        }
    )*};
}

attr_constraints! {
    /// Any attribute.
    AnyAttr, "any attribute", AttrText::Full, Attr, |_ctx, attr| Some(attr);
    /// A typed number, `unit`-free: what constants hold.
    TypedAttr, "a typed attribute", AttrText::Full, Attr, |ctx, attr| attr.ty(ctx).map(|_| attr);
    /// `unit`
    UnitAttr, "unit", AttrText::Unit, (), |ctx, attr| matches!(ctx.attr_kind(attr), AttrKind::Unit).then_some(());
    /// `true` or `false`
    BoolAttr, "a boolean", AttrText::Full, bool, |ctx, attr| match *ctx.attr_kind(attr) {
        AttrKind::Integer { value, ty } if ty == ctx.i1() => Some(value != 0),
        _ => None,
    };
    /// An `i64` integer.
    I64Attr, "a 64-bit integer", AttrText::Integer(IntegerText::I64), i64, |ctx, attr| match *ctx.attr_kind(attr) {
        AttrKind::Integer { value, ty } if ty == ctx.i64() => i64::try_from(value).ok(),
        _ => None,
    };
    /// An `i32` integer.
    I32Attr, "a 32-bit integer", AttrText::Integer(IntegerText::I32), i32, |ctx, attr| match *ctx.attr_kind(attr) {
        AttrKind::Integer { value, ty } if ty == ctx.i32() => i32::try_from(value).ok(),
        _ => None,
    };
    /// An `index` integer.
    IndexAttr, "an index integer", AttrText::Integer(IntegerText::Index), i64, |ctx, attr| match *ctx.attr_kind(attr) {
        AttrKind::Integer { value, ty } if ty == ctx.index() => i64::try_from(value).ok(),
        _ => None,
    };
    /// A string.
    StrAttr, "a string", AttrText::Full, Attr, |ctx, attr| attr.as_str(ctx).map(|_| attr);
    /// A type.
    TypeAttr, "a type", AttrText::Full, Type, |ctx, attr| attr.as_type(ctx);
    /// A reference to a symbol (its last component).
    SymbolRefAttr, "a symbol reference", AttrText::Full, Ident, |ctx, attr| attr.as_symbol(ctx);
    /// A flat reference to a symbol.
    FlatSymbolRefAttr, "a flat symbol reference", AttrText::Full, Ident, |ctx, attr| match ctx.attr_kind(attr) {
        AttrKind::SymbolRef { root, nested } if nested.is_empty() => Some(*root),
        _ => None,
    };
    /// An array of attributes.
    ArrayAttr, "an array", AttrText::Full, Vec<Attr>, |ctx, attr| attr.as_array(ctx).map(<[Attr]>::to_vec);
    /// A dictionary.
    DictAttr, "a dictionary", AttrText::Full, crate::attrs::Dict, |ctx, attr| match *ctx.attr_kind(attr) {
        AttrKind::Dict(dict) => Some(dict),
        _ => None,
    };
    /// An `i64` integer that is a power of two: an alignment in bytes.
    AlignmentAttr, "a power of two of type i64", AttrText::Integer(IntegerText::I64), i64, |ctx, attr| {
        I64Attr::read(ctx, attr).filter(|&value| value > 0 && value & (value - 1) == 0)
    };
    /// An array of `i64` integers.
    I64ArrayAttr, "an array of 64-bit integers", AttrText::Full, Vec<i64>, |ctx, attr| {
        attr.as_array(ctx)?.iter().map(|&item| I64Attr::read(ctx, item)).collect()
    };
    /// An array of booleans.
    BoolArrayAttr, "an array of booleans", AttrText::Full, Vec<bool>, |ctx, attr| {
        attr.as_array(ctx)?.iter().map(|&item| BoolAttr::read(ctx, item)).collect()
    };
    /// An array of arrays of `i64` integers.
    I64ArraysAttr, "an array of arrays of 64-bit integers", AttrText::Full, Vec<Vec<i64>>, |ctx, attr| {
        attr.as_array(ctx)?.iter().map(|&item| I64ArrayAttr::read(ctx, item)).collect()
    };
    /// An array of `array<i64: ...>`.
    DenseI64ArraysAttr, "an array of dense arrays of 64-bit integers", AttrText::Full, Vec<Vec<i64>>, |ctx, attr| {
        attr.as_array(ctx)?.iter().map(|&item| DenseI64Attr::read(ctx, item)).collect()
    };
    /// An array of dictionaries.
    DictArrayAttr, "an array of dictionaries", AttrText::Full, Vec<Attr>, |ctx, attr| {
        let items = attr.as_array(ctx)?;
        let dicts = items.iter().all(|&item| matches!(ctx.attr_kind(item), AttrKind::Dict(_)));
        dicts.then(|| items.to_vec())
    };
    /// `affine_map<...>`
    AffineMapAttr, "an affine map", AttrText::Full, &'a crate::attrs::AffineMap, |ctx, attr| match ctx.attr_kind(attr) {
        AttrKind::AffineMap(map) => Some(map),
        _ => None,
    };
    /// `array<i64: ...>`
    DenseI64Attr, "a dense array of 64-bit integers", AttrText::Integers(IntegerText::I64), Vec<i64>, |ctx, attr| match ctx.attr_kind(attr) {
        AttrKind::DenseArray { element, .. } if *element == ctx.i64() => attr.as_dense_i64(ctx),
        _ => None,
    };
    /// `array<i32: ...>`
    DenseI32Attr, "a dense array of 32-bit integers", AttrText::Integers(IntegerText::I32), Vec<i64>, |ctx, attr| match ctx.attr_kind(attr) {
        AttrKind::DenseArray { element, .. } if *element == ctx.i32() => attr.as_dense_i64(ctx),
        _ => None,
    };
}

impl Attr {
    /// The type a number, string, dense or sparse attribute carries.
    pub fn ty(self, ctx: &Context) -> Option<Type> {
        match *ctx.attr_kind(self) {
            AttrKind::Integer { ty, .. }
            | AttrKind::WideInteger { ty, .. }
            | AttrKind::Float { ty, .. } => Some(ty),
            AttrKind::DenseElements { ty, .. } | AttrKind::DenseStrings { ty, .. } => Some(ty),
            AttrKind::Sparse { ty, .. } | AttrKind::DenseResource { ty, .. } => Some(ty),
            AttrKind::DenseLiteral { ty, .. } => Some(ty),
            AttrKind::String { ty, .. } | AttrKind::Opaque { ty, .. } => ty,
            _ => None,
        }
    }
}

/// Declares an enumeration stored as an integer attribute, with its keywords: the enum and the constraint.
///
/// `enum_attr! { /// doc  CmpPredicate, CmpPredicateAttr, "a comparison predicate", 64, { Eq = "eq" = 0, ... } }`
#[macro_export]
macro_rules! enum_attr {
    ($(#[$doc:meta])* $name:ident, $constraint:ident, $words:literal, $width:literal,
     { $($(#[$case_doc:meta])* $case:ident = $keyword:literal = $value:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$case_doc])* #[doc = concat!("`", $keyword, "`")] $case),* }
        impl $name {
            /// Every case.
            pub const ALL: &'static [$name] = &[$($name::$case),*];
            /// The keyword in text.
            pub fn keyword(self) -> &'static str { match self { $($name::$case => $keyword),* } }
            /// The integer it is stored as.
            pub fn value(self) -> i64 { match self { $($name::$case => $value),* } }
            /// The case a keyword names.
            pub fn from_keyword(keyword: &str) -> Option<$name> { Self::ALL.iter().copied().find(|case| case.keyword() == keyword) }
            /// The case an integer stands for.
            pub fn from_value(value: i64) -> Option<$name> { Self::ALL.iter().copied().find(|case| case.value() == value) }
            /// As an attribute.
            pub fn attr(self, ctx: &$crate::Context) -> $crate::Attr { ctx.int_attr(self.value().into(), ctx.integer($width)) }
        }
        #[doc = concat!("The attribute constraint of [`", stringify!($name), "`].")]
        #[derive(Debug, Clone, Copy)]
        pub struct $constraint;
        impl $crate::constraint::AttrConstraint for $constraint {
            fn describe(&self) -> &'static str { $words }
            fn accepts(&self, ctx: &$crate::Context, attr: $crate::Attr) -> bool {
                <$constraint as $crate::constraint::AttrAccess>::read(ctx, attr).is_some()
            }
            fn text(&self) -> $crate::constraint::AttrText { $crate::constraint::AttrText::Keyword }
            fn keyword_attr(&self, ctx: &$crate::Context, keyword: &str) -> Option<$crate::Attr> {
                $name::from_keyword(keyword).map(|case| case.attr(ctx))
            }
            fn keyword_of(&self, ctx: &$crate::Context, attr: $crate::Attr) -> Option<&'static str> {
                <$constraint as $crate::constraint::AttrAccess>::read(ctx, attr).map($name::keyword)
            }
        }
        impl $crate::constraint::AttrAccess for $constraint {
            type Value<'a> = $name;
            fn read(ctx: &$crate::Context, attr: $crate::Attr) -> Option<$name> {
                attr.as_i64(ctx).filter(|_| attr.ty(ctx) == Some(ctx.integer($width))).and_then($name::from_value)
            }
        }
    };
}

/// Constraints of `i32` attributes: a name, what it is in words, and which numbers it allows.
#[macro_export]
macro_rules! bounded_i32_attrs {
    ($($(#[$doc:meta])* $name:ident, $words:literal, |$value:ident| $test:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;
        impl $crate::constraint::AttrConstraint for $name {
            fn describe(&self) -> &'static str { $words }
            fn accepts(&self, ctx: &$crate::Context, attr: $crate::Attr) -> bool {
                <$name as $crate::constraint::AttrAccess>::read(ctx, attr).is_some()
            }
            fn text(&self) -> $crate::constraint::AttrText {
                $crate::constraint::AttrText::Integer($crate::constraint::IntegerText::I32)
            }
        }
        impl $crate::constraint::AttrAccess for $name {
            type Value<'a> = i32;
            fn read(ctx: &$crate::Context, attr: $crate::Attr) -> Option<i32> {
                <$crate::constraint::I32Attr as $crate::constraint::AttrAccess>::read(ctx, attr)
                    .filter(|&$value| $test)
            }
        }
    )*};
}

bounded_i32_attrs! {
    /// An `i32` that is a power of two.
    PowerOfTwoI32Attr, "a power of two of type i32", |value| value > 0 && value & (value - 1) == 0;
}
