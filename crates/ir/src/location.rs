//! Source locations: where an op, a block argument or a diagnostic comes from.
//!
//! The same kinds as MLIR: a place in a file (or a range), a name, several fused into one, a call site, unknown.

use crate::attrs::Attr;
use crate::context::Ident;

entity_id!(
    /// An interned location.
    Loc, "loc"
);

impl Loc {
    /// The unknown location; the first one every context has.
    pub const UNKNOWN: Loc = match Loc::from_raw(1) {
        Some(loc) => loc,
        None => Loc::PLACEHOLDER,
    };
}

/// The kind and data of a location.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LocKind {
    /// Nothing is known.
    Unknown,
    /// A place in a file: line and column count from 1 (0: not known).
    File {
        /// File name as given to the reader.
        file: Ident,
        /// Line, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
    },
    /// A range in a file.
    FileRange(Box<FileRange>),
    /// A name, and where the named thing is.
    Name {
        /// The name.
        name: Ident,
        /// Where it is, `Loc::UNKNOWN` if not said.
        child: Loc,
    },
    /// A dialect's own kind of location, an attribute.
    Attr(Attr),
    /// Several locations at once (the op was made of several).
    Fused(Box<(Vec<Loc>, Option<Attr>)>),
    /// Code of a callee that was inlined into a caller.
    CallSite {
        /// Location in the callee.
        callee: Loc,
        /// Location of the call.
        caller: Loc,
    },
}

/// A range in a file; ends are those of MLIR's range syntax.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileRange {
    /// File name as given to the reader.
    pub file: Ident,
    /// First line, from 1.
    pub line: u32,
    /// First column, from 1.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// Column after the last one.
    pub end_column: u32,
}
