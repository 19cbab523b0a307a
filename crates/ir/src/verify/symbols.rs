//! Symbols: where they may stand, that names are unique, and (layer 4) that uses resolve.

use super::Findings;
use crate::attrs::{Attr, AttrKind};
use crate::context::Ident;
use crate::def::{OpInfo, Trait};
use crate::entity::NearMap;
use crate::store::{Ir, Op};
use crate::symbol::SymbolTables;
use std::collections::hash_map::Entry;

/// Names looked up on every symbol.
pub(super) struct Symbols {
    name: Ident,
    visibility: Ident,
}

impl Symbols {
    pub(super) fn new(ir: &Ir) -> Symbols {
        Symbols { name: ir.ctx().ident("sym_name"), visibility: ir.ctx().ident("sym_visibility") }
    }

    /// Layer 2 for one op.
    pub(super) fn check(&self, ir: &Ir, op: Op, info: &OpInfo, found: &mut Findings) {
        if info.has(Trait::Symbol) {
            self.check_symbol(ir, op, found);
        }
        if info.has(Trait::SymbolTable) {
            self.check_table(ir, op, found);
        }
    }

    fn check_symbol(&self, ir: &Ir, op: Op, found: &mut Findings) {
        // A symbol whose name may be left out is none without it.
        let Some(name) = ir.attr(op, self.name) else { return };
        if !matches!(ir.ctx().attr_kind(name), AttrKind::String { .. }) {
            found.diags.op_error(ir, op, "attribute `sym_name` must be a string");
            return;
        }
        if let Some(parent) = ir.parent_op(op)
            && ir.info(parent).is_some_and(|info| !info.has(Trait::SymbolTable))
        {
            let message =
                format!("is a symbol, but stands in '{}', which holds no symbols", ir.op_name_str(parent));
            found.diags.op_error(ir, op, message).note(ir.loc(parent), "directly inside this op");
        }
        let ctx = ir.ctx();
        if let Some(attr) = ir.attr(op, self.visibility)
            && !matches!(attr.as_str(ctx), Some("public" | "private" | "nested"))
        {
            let given = crate::text::print_attr(ctx, attr);
            let message = format!(
                "attribute `sym_visibility` must be \"public\", \"private\" or \"nested\", but is {given}"
            );
            found.diags.op_error(ir, op, message);
        }
    }

    fn check_table(&self, ir: &Ir, table: Op, found: &mut Findings) {
        let ctx = ir.ctx();
        // Equal strings are one attribute, so the first op of each name is found by its number.
        let mut first: NearMap<Attr, Op> = NearMap::default();
        let blocks = ir.regions(table).iter().flat_map(|&region| ir.blocks(region));
        for op in blocks.flat_map(|block| ir.ops(block)) {
            let Some(attr) = ir.attr(op, self.name) else { continue };
            let AttrKind::String { bytes, ty } = ctx.attr_kind(attr) else { continue };
            let bare = || ctx.attr(AttrKind::String { bytes: bytes.clone(), ty: None });
            match first.entry(if ty.is_none() { attr } else { bare() }) {
                Entry::Vacant(entry) => {
                    entry.insert(op);
                }
                Entry::Occupied(entry) => {
                    let name = String::from_utf8_lossy(bytes);
                    found
                        .diags
                        .op_error(ir, op, format!("defines the symbol `@{name}` a second time"))
                        .note(ir.loc(*entry.get()), "defined here first");
                }
            }
        }
    }
}

/// Layer 4. A use may look at any symbol, so nothing is done where some symbol is not as its definition says.
pub(super) fn check_uses(ir: &Ir, found: &mut Findings) {
    if found.malformed.iter().any(|&op| ir.has_trait(op, Trait::Symbol)) {
        return;
    }
    let mut tables = SymbolTables::new();
    for (op, user) in std::mem::take(&mut found.users) {
        if !found.is_accessible(op) || (found.has_stand_ins && uses_stand_in(ir, op, &mut tables, found)) {
            continue;
        }
        user.verify_symbol_uses(ir, op, &mut tables, &mut found.diags);
    }
}

/// Whether an attribute of the op names a symbol whose definition could not be read.
fn uses_stand_in(ir: &Ir, op: Op, tables: &mut SymbolTables, found: &Findings) -> bool {
    let ctx = ir.ctx();
    let entries = ctx.entries(ir.properties(op)).iter().chain(ctx.entries(ir.discardable_attrs(op)));
    let mut symbols = entries.map(|row| row.1).filter(|attr| attr.as_symbol(ctx).is_some());
    symbols.any(|attr| tables.resolve(ir, op, attr).is_some_and(|def| ir.op_name(def) == found.stand_in))
}
