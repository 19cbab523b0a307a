//! The kind of a constraint.

use crate::attrs::Attr;
use crate::context::Context;
use crate::types::Type;
use std::fmt::Debug;

/// A rule a type must obey.
pub trait TypeConstraint: Debug + Sync {
    /// In words, for messages: "a floating-point type".
    fn describe(&self) -> &'static str;
    /// Whether the type obeys.
    fn accepts(&self, ctx: &Context, ty: Type) -> bool;
    /// The only type that obeys, where there is just one (lets text forms leave it out).
    fn only(&self, _ctx: &Context) -> Option<Type> {
        None
    }
}

/// A rule an attribute must obey.
pub trait AttrConstraint: Debug + Sync {
    /// In words, for messages: "a 64-bit integer".
    fn describe(&self) -> &'static str;
    /// Whether the attribute obeys.
    fn accepts(&self, ctx: &Context, attr: Attr) -> bool;
    /// The attribute a keyword of an enumeration stands for in custom text forms.
    fn keyword_attr(&self, _ctx: &Context, _keyword: &str) -> Option<Attr> {
        None
    }
    /// The keyword of an enumeration's attribute.
    fn keyword_of(&self, _ctx: &Context, _attr: Attr) -> Option<&'static str> {
        None
    }
    /// How the attribute is written where a format string names it.
    fn text(&self) -> AttrText {
        AttrText::Full
    }
    /// The attribute that says no more than its absence: custom text forms leave it out.
    fn default_value(&self, _ctx: &Context) -> Option<Attr> {
        None
    }
}

/// How an attribute is written where a format string of an op names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttrText {
    /// As everywhere else: `4 : i64`.
    Full,
    /// A keyword of an enumeration ([`AttrConstraint::keyword_of`], [`AttrConstraint::keyword_attr`]).
    Keyword,
    /// A string written `@name`.
    SymbolName,
    /// An integer without its type, which the constraint fixes: `4`.
    Integer(IntegerText),
    /// A dense array of integers without their type, which the constraint fixes: `[4, 2]`.
    Integers(IntegerText),
    /// `unit`: its presence is all there is to say.
    Unit,
    /// A dialect attribute without `#dialect.mnemonic`, which the constraint fixes: `<contract>`. Read by the
    /// dialect's parser of that mnemonic.
    Body {
        /// The dialect.
        dialect: &'static str,
        /// The mnemonic within it.
        mnemonic: &'static str,
    },
}

/// The type of an integer that is written without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerText {
    /// `i64`
    I64,
    /// `i32`
    I32,
    /// `index`
    Index,
}

impl IntegerText {
    /// The type.
    pub fn ty(self, ctx: &Context) -> Type {
        match self {
            IntegerText::I64 => ctx.i64(),
            IntegerText::I32 => ctx.i32(),
            IntegerText::Index => ctx.index(),
        }
    }
}

/// An attribute constraint that says what accessors return.
pub trait AttrAccess: AttrConstraint {
    /// The type that the accessor returns.
    type Value<'a>;
    /// Reads the attribute; `None` where it does not obey the constraint.
    fn read(ctx: &Context, attr: Attr) -> Option<Self::Value<'_>>;
}
