//! Symbol tables: ops with the `SymbolTable` trait hold ops named by `sym_name`; references resolve through them.

use crate::attrs::{Attr, AttrKind};
use crate::context::Ident;
use crate::def::Trait;
use crate::entity::NearMap;
use crate::interfaces::symbol_name;
use crate::store::{Ir, Op};
use std::collections::hash_map::Entry;

/// The symbols directly inside one symbol table, hashed by name.
#[derive(Clone, Debug, Default)]
pub struct SymbolTable {
    symbols: NearMap<Ident, Op>,
}

impl SymbolTable {
    /// Collects the symbols directly inside `table`; of equal names the first counts.
    pub fn of(ir: &Ir, table: Op) -> SymbolTable {
        let ctx = ir.ctx();
        let key = ctx.ident("sym_name");
        let mut symbols = NearMap::default();
        for &region in ir.regions(table) {
            for block in ir.blocks(region) {
                for op in ir.ops(block) {
                    if let Some(name) = ir.attr(op, key).and_then(|attr| attr.as_str(ctx)) {
                        symbols.entry(ctx.ident(name)).or_insert(op);
                    }
                }
            }
        }
        SymbolTable { symbols }
    }
    /// Adds a symbol; the op that has the name already, if one does, keeps it.
    pub(crate) fn define(&mut self, name: Ident, op: Op) -> Option<Op> {
        match self.symbols.entry(name) {
            Entry::Vacant(entry) => {
                entry.insert(op);
                None
            }
            Entry::Occupied(entry) => Some(*entry.get()),
        }
    }
    /// The op of that name.
    pub fn get(&self, name: Ident) -> Option<Op> {
        self.symbols.get(&name).copied()
    }
    /// Adds a symbol, renaming it (`name_0`, `name_1`, ...) where the name is taken. Returns the name it got.
    pub fn insert(&mut self, ir: &mut Ir, op: Op) -> Option<Ident> {
        let ctx = ir.context();
        let wanted = symbol_name(ir, op)?;
        let mut name = wanted;
        let mut count = 0;
        while self.symbols.contains_key(&name) {
            name = ctx.ident(&format!("{}_{count}", ctx.str(wanted)));
            count += 1;
        }
        if name != wanted {
            let attr = ctx.str_attr(ctx.str(name));
            ir.set_attr_named(op, "sym_name", Some(attr));
        }
        self.symbols.insert(name, op);
        Some(name)
    }
}

/// Whether references outside of the symbol table around it may use a symbol only from inside the op around that table.
pub fn is_nested(ir: &Ir, op: Op) -> bool {
    ir.attr_named(op, "sym_visibility")
        .and_then(|attr| attr.as_str(ir.ctx()))
        == Some("nested")
}

/// The nearest op around `op` (not `op` itself) that holds symbols.
pub fn nearest_table(ir: &Ir, op: Op) -> Option<Op> {
    ir.ancestors(op)
        .skip(1)
        .find(|&ancestor| ir.has_trait(ancestor, Trait::SymbolTable))
}

/// Tables by op, built when first asked for: resolving many references costs one walk per table.
#[derive(Clone, Debug, Default)]
pub struct SymbolTables {
    tables: NearMap<Op, SymbolTable>,
    collection: Collection,
}

/// Whether an op holds symbols, as upstream's look-up sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TableKind {
    Table,
    None,
    /// An op of a dialect that nobody knows, with one region as tables have: upstream looks no further.
    Unknown,
    /// An op of a dialect that upstream knows and that is not registered here: it may be a table or not.
    Undecided,
}

impl TableKind {
    fn of(ir: &Ir, op: Op) -> TableKind {
        if let Some(info) = ir.info(op) {
            return if info.has(Trait::SymbolTable) {
                TableKind::Table
            } else {
                TableKind::None
            };
        }
        let dialect = ir.op_name_str(op).split('.').next().unwrap_or_default();
        match () {
            () if OF_UPSTREAM.contains(&dialect) => TableKind::Undecided,
            () if ir.ctx().dialect(dialect).is_none() && ir.regions(op).len() == 1 => {
                TableKind::Unknown
            }
            () => TableKind::None,
        }
    }
}

/// The dialects of `mlir-opt` 22 (`--show-dialects`), its tests' aside.
const OF_UPSTREAM: [&str; 48] = [
    "acc",
    "affine",
    "amdgpu",
    "amx",
    "arith",
    "arm_neon",
    "arm_sme",
    "arm_sve",
    "async",
    "bufferization",
    "builtin",
    "cf",
    "complex",
    "dlti",
    "emitc",
    "func",
    "gpu",
    "index",
    "irdl",
    "linalg",
    "llvm",
    "math",
    "memref",
    "ml_program",
    "mpi",
    "nvgpu",
    "nvvm",
    "omp",
    "pdl",
    "pdl_interp",
    "ptr",
    "quant",
    "rocdl",
    "scf",
    "shape",
    "shard",
    "smt",
    "sparse_tensor",
    "spirv",
    "tensor",
    "tosa",
    "transform",
    "ub",
    "vector",
    "wasmssa",
    "x86vector",
    "xegpu",
    "xevm",
];

/// How much of the tables is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Collection {
    /// Each is, once it is asked for.
    #[default]
    Whole,
    /// A missing symbol may still come; no name of that kind was asked for.
    Growing,
    /// Such a name was asked for, so what was found out may turn out to be wrong.
    Missed,
}

impl SymbolTables {
    /// No table yet.
    pub fn new() -> SymbolTables {
        SymbolTables::default()
    }
    /// The table of `op` as far as it was collected by [`SymbolTable::define`].
    pub(crate) fn collected(&mut self, op: Op) -> &mut SymbolTable {
        self.tables.entry(op).or_default()
    }
    /// Tables that are only collected by and by, by [`SymbolTables::collected`].
    pub(crate) fn growing() -> SymbolTables {
        SymbolTables {
            collection: Collection::Growing,
            ..SymbolTables::default()
        }
    }
    /// Nothing more will be collected: tables that are missing are made from the program.
    pub(crate) fn complete(&mut self) {
        self.collection = Collection::Whole;
    }
    /// Whether every name that was asked for since this was asked last was there, so that later definitions change
    /// nothing: the first of a name counts.
    pub(crate) fn take_certain(&mut self) -> bool {
        let certain = self.collection != Collection::Missed;
        if !certain {
            self.collection = Collection::Growing;
        }
        certain
    }
    /// The op of that name in the table of `op`.
    pub fn get(&mut self, ir: &Ir, op: Op, name: Ident) -> Option<Op> {
        if self.collection == Collection::Whole {
            return self
                .tables
                .entry(op)
                .or_insert_with(|| SymbolTable::of(ir, op))
                .get(name);
        }
        let found = self.tables.get(&op).and_then(|table| table.get(name));
        if found.is_none() {
            self.collection = Collection::Missed;
        }
        found
    }
    /// Resolves a symbol reference used at `from` as upstream's ops do: the root in the nearest table around, then
    /// inwards. Where upstream does not look past an op around `from`, because it might be a table, nothing is found.
    pub fn resolve_nearest(&mut self, ir: &Ir, from: Op, reference: Attr) -> Option<Op> {
        let AttrKind::SymbolRef { root, nested } = ir.ctx().attr_kind(reference) else {
            return None;
        };
        for op in ir.ancestors(from).skip(1) {
            let kind = TableKind::of(ir, op);
            match kind {
                TableKind::Unknown => return None,
                TableKind::None => continue,
                TableKind::Table | TableKind::Undecided => {}
            }
            if let Some(mut found) = self.get(ir, op, *root) {
                for &name in nested {
                    found = self.get(ir, found, name)?;
                }
                return Some(found);
            }
            if kind == TableKind::Table {
                return None;
            }
        }
        None
    }
    /// Resolves a symbol reference used at `from`: the root in the nearest table that has it, then inwards.
    pub fn resolve(&mut self, ir: &Ir, from: Op, reference: Attr) -> Option<Op> {
        let AttrKind::SymbolRef { root, nested } = ir.ctx().attr_kind(reference) else {
            return None;
        };
        let mut table = nearest_table(ir, from);
        while let Some(at) = table {
            if let Some(mut found) = self.get(ir, at, *root) {
                for &name in nested {
                    found = self.get(ir, found, name)?;
                }
                return Some(found);
            }
            table = nearest_table(ir, at);
        }
        None
    }
}

/// Resolves one reference without keeping tables.
pub fn resolve(ir: &Ir, from: Op, reference: Attr) -> Option<Op> {
    SymbolTables::new().resolve(ir, from, reference)
}

/// The op a flat name used at `from` refers to.
pub fn lookup(ir: &Ir, from: Op, name: Ident) -> Option<Op> {
    let reference = ir.ctx().attr(AttrKind::SymbolRef {
        root: name,
        nested: Vec::new(),
    });
    resolve(ir, from, reference)
}

/// A name that every assembler takes for a symbol: letters, digits and underscores stay; every other byte, and a digit at
/// the start, becomes `$` and two hexadecimal digits. Different names stay different.
pub fn mangled(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for (at, byte) in name.bytes().enumerate() {
        match byte {
            b'0'..=b'9' if at > 0 => out.push(char::from(byte)),
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => out.push(char::from(byte)),
            _ => out.push_str(&format!("${byte:02x}")),
        }
    }
    out
}

/// The name that [`mangled`] made this of; `None`: it did not.
pub fn unmangled(symbol: &str) -> Option<String> {
    let mut parts = symbol.split('$');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        bytes.extend_from_slice(part.get(2..)?.as_bytes());
    }
    String::from_utf8(bytes)
        .ok()
        .filter(|name| mangled(name) == symbol)
}

#[cfg(test)]
mod tests {
    use super::{mangled, unmangled};

    #[test]
    fn names_are_mangled_reversibly() {
        for (name, symbol) in [
            ("main_2", "main_2"),
            ("a.b-c%e", "a$2eb$2dc$25e"),
            ("2$", "$32$24"),
            ("\u{e9}\"", "$c3$a9$22"),
        ] {
            assert_eq!(mangled(name), symbol);
            assert_eq!(unmangled(symbol).as_deref(), Some(name));
        }
        for other in ["2", "a.b", "a$", "a$2", "a$2E", "a$61", "$ff"] {
            assert_eq!(unmangled(other), None, "{other}");
        }
    }
}
