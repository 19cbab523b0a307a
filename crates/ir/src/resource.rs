//! Resources: data that a program's file carries beside the program, in its metadata section `{-# ... #-}`.
//!
//! `dense_resource<key>` refers to a blob of the `builtin` group of the dialect resources. Resources are kept as
//! they are spelled and written back; deliberately absent: any use of their contents.

use crate::ident::Ident;

/// The resources of a file, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resources {
    /// Resources of dialects.
    pub dialect: Vec<ResourceGroup>,
    /// Resources of tools.
    pub external: Vec<ResourceGroup>,
}

/// The resources of one dialect or tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceGroup {
    /// The dialect or tool.
    pub owner: Ident,
    /// Keys and values; a value is spelled as in the text: a string in quotes (blobs: `"0x..."`), `true` or `false`.
    pub entries: Vec<(Ident, Box<str>)>,
}

impl Resources {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.dialect.is_empty() && self.external.is_empty()
    }
}
