//! Bodies of types and attributes whose dialect is not registered: text with holes for what it refers to.
//!
//! The text is kept as it stands, but a use of an alias in it, and a distinct attribute, is a part of its own: so a
//! body means the same after aliases were renamed and distinct attributes renumbered. Deliberately absent: any other
//! understanding of the text.

use crate::attrs::Attr;
use crate::context::Ident;
use crate::types::Type;

/// A type or an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TypeOrAttr {
    /// A type.
    Type(Type),
    /// An attribute.
    Attr(Attr),
}

/// The text behind the dialect's name in an opaque type or attribute, delimiters included.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OpaqueBody {
    /// The text without its parts.
    pub text: Ident,
    /// The items at these bytes of the text, in their order.
    pub parts: Box<[(u32, TypeOrAttr)]>,
}

impl OpaqueBody {
    /// A body without parts.
    pub fn plain(text: Ident) -> OpaqueBody {
        OpaqueBody {
            text,
            parts: Box::default(),
        }
    }
}
