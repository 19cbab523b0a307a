//! Attributes: compile-time data on ops. MLIR's builtin attributes as one enum, dialect attributes behind a trait.

use crate::context::{Context, Ident};
use crate::location::Loc;
use crate::opaque::OpaqueBody;
use crate::types::Type;
use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

entity_id!(
    /// An interned attribute: equal attributes have equal ids.
    Attr, "attr"
);

entity_id!(
    /// An interned dictionary: names in alphabetic order, each once.
    Dict, "dict"
);

impl Dict {
    /// The dictionary without entries; the first one every context has.
    pub const EMPTY: Dict = match Dict::from_raw(1) {
        Some(dict) => dict,
        None => Dict::PLACEHOLDER,
    };
}

/// The kind and data of an attribute.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AttrKind {
    /// `unit`
    Unit,
    /// `42 : i32`, `true` (an `i1`), `7 : index`. Sign-extended for signless and signed types, zero-extended for unsigned.
    Integer {
        /// Integer or index type.
        ty: Type,
        /// The value; last, so that neighbours have neighbouring hashes.
        value: i128,
    },
    /// An integer that does not fit 128 bits, of a type that is wider.
    WideInteger {
        /// The value in two's complement, little-endian, as many bytes as the type takes; unused bits as the type
        /// reads them.
        bytes: Box<[u8]>,
        /// Integer type of more than 128 bits.
        ty: Type,
    },
    /// `1.5 : f32`, kept as the bits of its own format.
    Float {
        /// A floating-point type.
        ty: Type,
        /// The bits, in the low end.
        bits: u128,
    },
    /// `"text"`, optionally with a type. Bytes need not be UTF-8.
    String {
        /// The bytes.
        bytes: Vec<u8>,
        /// Type, if one is given.
        ty: Option<Type>,
    },
    /// `[a, b]`
    Array(Vec<Attr>),
    /// `{a = 1, b}`
    Dict(Dict),
    /// A type as an attribute.
    Type(Type),
    /// `@root::@nested`
    SymbolRef {
        /// First component.
        root: Ident,
        /// Further components.
        nested: Vec<Ident>,
    },
    /// `array<i64: 1, 2>`: integers or floats, each stored little-endian in whole bytes (`i1` as one byte).
    DenseArray {
        /// Element type.
        element: Type,
        /// Elements, little-endian.
        data: Vec<u8>,
    },
    /// `dense<...> : tensor<4xf32>`: one element (a splat) or all of them, each little-endian in whole bytes.
    DenseElements {
        /// A shaped type with static shape.
        ty: Type,
        /// Elements, little-endian.
        data: Vec<u8>,
        /// Whether `data` holds a single element that stands for all.
        splat: Splat,
    },
    /// `dense<["a", "b"]> : tensor<2x!string>`
    DenseStrings {
        /// A shaped type.
        ty: Type,
        /// One string (a splat) or all of them.
        strings: Vec<Vec<u8>>,
    },
    /// `dense<...> : !dialect.array<...>`: the literal of a type that is not known to have a shape, as text.
    DenseLiteral {
        /// The type.
        ty: Type,
        /// The text between the angle brackets.
        literal: Ident,
    },
    /// `sparse<indices, values> : type`, both dense.
    Sparse {
        /// The whole type.
        ty: Type,
        /// Positions, one row each.
        indices: Attr,
        /// Values at these positions.
        values: Attr,
    },
    /// `dense_resource<key> : type`
    DenseResource {
        /// A shaped type.
        ty: Type,
        /// Key into the file's resource section.
        key: Ident,
    },
    /// `strided<[s0, s1], offset: o>`, [`crate::types::DYNAMIC`] for `?`.
    Strided {
        /// Strides in elements.
        strides: Vec<i64>,
        /// Offset in elements.
        offset: i64,
    },
    /// `affine_map<(d0)[s0] -> (d0 + s0)>`
    AffineMap(AffineMap),
    /// `affine_set<(d0) : (d0 >= 0)>`
    IntegerSet(IntegerSet),
    /// A location as an attribute.
    Loc(Loc),
    /// `distinct[0]<attr>`: equal only to itself.
    Distinct {
        /// Number within the context.
        id: u64,
        /// Its payload.
        inner: Attr,
    },
    /// An attribute of a dialect that is not registered, kept as text.
    Opaque {
        /// Dialect name.
        dialect: Ident,
        /// Everything after the dialect name.
        body: OpaqueBody,
        /// Trailing type, if one is given.
        ty: Option<Type>,
    },
    /// An attribute of a registered dialect.
    Dialect(DialectAttr),
}

/// Whether dense elements hold one element for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Splat {
    /// One element stands for all.
    Yes,
    /// Every element is stored.
    No,
}

/// An affine expression over dimensions and symbols.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AffineExpr {
    /// `d0`
    Dim(u32),
    /// `s0`
    Symbol(u32),
    /// An integer.
    Constant(i64),
    /// Sum.
    Add(Box<(AffineExpr, AffineExpr)>),
    /// Product.
    Mul(Box<(AffineExpr, AffineExpr)>),
    /// Quotient rounded down.
    FloorDiv(Box<(AffineExpr, AffineExpr)>),
    /// Quotient rounded up.
    CeilDiv(Box<(AffineExpr, AffineExpr)>),
    /// Remainder, never negative.
    Mod(Box<(AffineExpr, AffineExpr)>),
}

/// A map from dimensions and symbols to index expressions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AffineMap {
    /// Number of dimensions.
    pub dims: u32,
    /// Number of symbols.
    pub symbols: u32,
    /// The results.
    pub results: Vec<AffineExpr>,
}

/// A conjunction of affine constraints.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IntegerSet {
    /// Number of dimensions.
    pub dims: u32,
    /// Number of symbols.
    pub symbols: u32,
    /// Each expression with whether it must equal 0 (`true`) or be at least 0.
    pub constraints: Vec<(AffineExpr, bool)>,
}

crate::custom::custom_kind!(
    CustomAttr,
    AnyCustomAttr,
    DialectAttr,
    "an attribute",
    "attribute",
    "#"
);

/// Questions about an attribute.
impl Attr {
    /// Its kind.
    pub fn kind(self, ctx: &Context) -> &AttrKind {
        ctx.attr_kind(self)
    }
    /// The dialect attribute `T` it is, if any.
    pub fn dialect<T: CustomAttr>(self, ctx: &Context) -> Option<&T> {
        match ctx.attr_kind(self) {
            AttrKind::Dialect(attr) => attr.downcast(),
            _ => None,
        }
    }
    /// The value of an integer attribute.
    pub fn as_integer(self, ctx: &Context) -> Option<i128> {
        match *ctx.attr_kind(self) {
            AttrKind::Integer { value, .. } => Some(value),
            _ => None,
        }
    }
    /// The value of an integer attribute that fits 64 bits.
    pub fn as_i64(self, ctx: &Context) -> Option<i64> {
        self.as_integer(ctx)
            .and_then(|value| i64::try_from(value).ok())
    }
    /// The text of a string attribute that is UTF-8.
    pub fn as_str(self, ctx: &Context) -> Option<&str> {
        match ctx.attr_kind(self) {
            AttrKind::String { bytes, .. } => std::str::from_utf8(bytes).ok(),
            _ => None,
        }
    }
    /// The elements of an array attribute.
    pub fn as_array(self, ctx: &Context) -> Option<&[Attr]> {
        match ctx.attr_kind(self) {
            AttrKind::Array(items) => Some(items),
            _ => None,
        }
    }
    /// The type of a type attribute.
    pub fn as_type(self, ctx: &Context) -> Option<Type> {
        match *ctx.attr_kind(self) {
            AttrKind::Type(ty) => Some(ty),
            _ => None,
        }
    }
    /// The last component of a symbol reference.
    pub fn as_symbol(self, ctx: &Context) -> Option<Ident> {
        match ctx.attr_kind(self) {
            AttrKind::SymbolRef { root, nested } => Some(nested.last().copied().unwrap_or(*root)),
            _ => None,
        }
    }
    /// The dialect and the mnemonic of a dialect's own attribute, also of one that is kept as text.
    pub fn dialect_name(self, ctx: &Context) -> Option<(&str, &str)> {
        match ctx.attr_kind(self) {
            AttrKind::Dialect(own) => Some((own.dialect(), own.mnemonic())),
            AttrKind::Opaque { dialect, body, .. } => {
                let body = ctx.str(body.text).trim_start_matches(['.', '<']);
                let end = body.find(['<', ' ', '>']).unwrap_or(body.len());
                Some((ctx.str(*dialect), &body[..end]))
            }
            _ => None,
        }
    }
    /// The elements of a dense array of integers, sign-extended.
    pub fn as_dense_i64(self, ctx: &Context) -> Option<Vec<i64>> {
        let AttrKind::DenseArray { element, data } = ctx.attr_kind(self) else {
            return None;
        };
        let bytes = (element.integer_width(ctx)? as usize).div_ceil(8);
        if bytes > 8 {
            return None;
        }
        let values = data.chunks_exact(bytes.max(1));
        crate::steps::count(values.len());
        Some(values.map(sign_extend).collect())
    }
}

fn sign_extend(chunk: &[u8]) -> i64 {
    let fill = if chunk.last().is_some_and(|byte| byte & 0x80 != 0) {
        0xFF
    } else {
        0
    };
    let mut all = [fill; 8];
    all[..chunk.len()].copy_from_slice(chunk);
    i64::from_le_bytes(all)
}
