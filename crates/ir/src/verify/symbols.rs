//! Symbols: where they may stand, that names are unique, and (layer 4) that uses resolve. Tables are collected on the
//! walk, where each symbol is looked at anyway, and serve layer 4.

use super::Findings;
use crate::attrs::{Attr, AttrKind};
use crate::context::Ident;
use crate::def::Trait;
use crate::diag::Diagnostics;
use crate::store::{Ir, Op};
use crate::symbol::SymbolTables;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// The symbols that the walk has passed.
pub(super) struct Symbols {
    /// Names of attributes looked up on every symbol.
    name: Ident,
    visibility: Ident,
    /// The op the walk began at: what is beside it is not walked, so the table around it is not collected.
    root: Op,
    tables: SymbolTables,
    /// Names that are no text, which no reference can have.
    others: FxHashMap<(Op, Attr), Op>,
    /// How many of the users that were found were asked early, in vain.
    asked: usize,
}

impl Symbols {
    pub(super) fn new(ir: &Ir, root: Op) -> Symbols {
        let name = |text: &str| ir.ctx().ident(text);
        Symbols {
            name: name("sym_name"),
            visibility: name("sym_visibility"),
            root,
            tables: SymbolTables::growing(),
            others: FxHashMap::default(),
            asked: 0,
        }
    }

    /// The tables of all ops inside the root, once the walk is done.
    pub(super) fn into_tables(mut self) -> SymbolTables {
        self.tables.complete();
        self.tables
    }

    /// Layer 4 as far as it can be told now, for uses that were not asked about yet: what is used was mostly defined
    /// before, and is likely still in a cache. All else is left to [`check_uses`], which alone reports.
    pub(super) fn check_settled_uses(&mut self, ir: &Ir, found: &mut Findings) {
        if !found.malformed.is_empty() {
            return;
        }
        let mut left = self.asked;
        for index in self.asked..found.users.len() {
            let (op, user) = found.users[index];
            let mut diags = Diagnostics::unread();
            user.verify_symbol_uses(ir, op, &mut self.tables, &mut diags.about(ir, op));
            if !self.tables.take_certain() || !diags.is_empty() {
                found.users[left] = (op, user);
                left += 1;
            }
        }
        found.users.truncate(left);
        self.asked = left;
    }

    /// Enters an op into the table around it, if it has a name; reports one that is taken. The name.
    #[inline]
    pub(super) fn enter(&mut self, ir: &Ir, op: Op, found: &mut Findings) -> Option<Attr> {
        let name = ir.attr(op, self.name)?;
        self.enter_named(ir, op, name, found);
        Some(name)
    }

    fn enter_named(&mut self, ir: &Ir, op: Op, attr: Attr, found: &mut Findings) {
        let ctx = ir.ctx();
        let AttrKind::String { bytes, .. } = ctx.attr_kind(attr) else {
            return;
        };
        let Some(table) = ir.parent_op(op).filter(|_| op != self.root) else {
            return;
        };
        let earlier = match std::str::from_utf8(bytes) {
            Ok(text) => self.tables.collected(table).define(ctx.ident(text), op),
            Err(_) => {
                let bare = ctx.attr(AttrKind::String {
                    bytes: bytes.clone(),
                    ty: None,
                });
                match self.others.entry((table, bare)) {
                    Entry::Vacant(entry) => {
                        entry.insert(op);
                        None
                    }
                    Entry::Occupied(entry) => Some(*entry.get()),
                }
            }
        };
        let Some(earlier) = earlier.filter(|_| ir.has_trait(table, Trait::SymbolTable)) else {
            return;
        };
        let name = String::from_utf8_lossy(bytes);
        found
            .diags
            .op_error(
                ir,
                op,
                format!("defines the symbol `@{name}` a second time"),
            )
            .note(ir.loc(earlier), "defined here first");
    }

    /// Layer 2 for an op with a name: what a symbol must be. Without a name, which some may leave out, it is none.
    pub(super) fn check(&self, ir: &Ir, op: Op, name: Attr, found: &mut Findings) {
        if !ir.has_trait(op, Trait::Symbol) {
            return;
        }
        if !matches!(ir.ctx().attr_kind(name), AttrKind::String { .. }) {
            found
                .diags
                .op_error(ir, op, "attribute `sym_name` must be a string");
            return;
        }
        if let Some(parent) = ir.parent_op(op)
            && ir
                .info(parent)
                .is_some_and(|info| !info.has(Trait::SymbolTable))
        {
            let message = format!(
                "is a symbol, but stands in '{}', which holds no symbols",
                ir.op_name_str(parent)
            );
            found
                .diags
                .op_error(ir, op, message)
                .note(ir.loc(parent), "directly inside this op");
        }
        let ctx = ir.ctx();
        if let Some(attr) = ir.attr(op, self.visibility)
            && !matches!(attr.as_str(ctx), Some("public" | "private" | "nested"))
        {
            let given = ctx.attr_text(attr);
            let message = format!(
                "attribute `sym_visibility` must be \"public\", \"private\" or \"nested\", but is {given}"
            );
            found.diags.op_error(ir, op, message);
        }
    }
}

/// Layer 4. A use may look at any symbol, so nothing is done where some symbol is not as its definition says.
pub(super) fn check_uses(ir: &Ir, found: &mut Findings) {
    if found
        .malformed
        .iter()
        .any(|&op| ir.has_trait(op, Trait::Symbol))
    {
        return;
    }
    let mut tables = std::mem::take(&mut found.tables);
    for (op, user) in std::mem::take(&mut found.users) {
        if !found.is_accessible(op)
            || (found.has_stand_ins && uses_stand_in(ir, op, &mut tables, found))
        {
            continue;
        }
        user.verify_symbol_uses(ir, op, &mut tables, &mut found.diags.about(ir, op));
    }
}

/// Whether an attribute of the op names a symbol whose definition could not be read.
fn uses_stand_in(ir: &Ir, op: Op, tables: &mut SymbolTables, found: &Findings) -> bool {
    let ctx = ir.ctx();
    let entries = ctx
        .entries(ir.properties(op))
        .iter()
        .chain(ctx.entries(ir.discardable_attrs(op)));
    let mut symbols = entries
        .map(|row| row.1)
        .filter(|attr| attr.as_symbol(ctx).is_some());
    symbols.any(|attr| {
        tables
            .resolve(ir, op, attr)
            .is_some_and(|def| ir.op_name(def) == found.stand_in)
    })
}
