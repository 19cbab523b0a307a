//! Discardable attributes that belong to a dialect (`dialect.name = ...`): the dialect checks what it knows of them,
//! whatever op they are attached to.

use crate::attrs::Dict;
use crate::context::Ident;
use crate::def::AttachedAttrRule;
use crate::diag::Diagnostics;
use crate::store::{Ir, Op};
use rustc_hash::FxHashMap;

/// Rules of attribute names seen so far: programs have many dictionaries and few names.
#[derive(Debug, Default)]
pub(super) struct Attached {
    rules: FxHashMap<Ident, Option<AttachedAttrRule>>,
}

impl Attached {
    /// Adds an error for every attribute of `op` that its dialect does not accept there. Whether there is none.
    pub(super) fn check(&mut self, ir: &Ir, op: Op, diags: &mut Diagnostics) -> bool {
        let dict = ir.discardable_attrs(op);
        if dict == Dict::EMPTY {
            return true;
        }
        let ctx = ir.ctx();
        let before = diags.error_count();
        for &(name, attr) in ctx.entries(dict) {
            let rule = *self.rules.entry(name).or_insert_with(|| {
                let (dialect, _) = ctx.str(name).split_once('.')?;
                ctx.dialect(dialect)?.attached_attr
            });
            if let Some(rule) = rule {
                rule(ir, op, ctx.str(name), attr, &mut diags.about(ir, op));
            }
        }
        diags.error_count() == before
    }
}
