//! Ids of interned names.

entity_id!(
    /// An interned string: a name of a dialect, an attribute, a symbol, a file.
    Ident, "ident"
);

entity_id!(
    /// An interned op name (`arith.addi`), with its definition where the dialect is registered.
    OpName, "opname"
);
