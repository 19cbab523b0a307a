//! Discardable attributes that belong to a dialect (`dialect.name = ...`): the dialect checks what it knows of them,
//! whatever op they are attached to.

use crate::attrs::{Attr, Dict};
use crate::context::Ident;
use crate::def::AttachedAttrRule;
use crate::diag::Diagnostics;
use crate::store::{Ir, Op};
use rustc_hash::FxHashMap;

/// Rules for dictionaries seen so far: most ops have none, and those that have share few.
#[derive(Default)]
pub(super) struct Attached {
    rules: FxHashMap<Dict, Vec<(AttachedAttrRule, Ident, Attr)>>,
}

impl Attached {
    /// Adds an error for every attribute of `op` that its dialect does not accept there. Whether there is none.
    pub(super) fn check(&mut self, ir: &Ir, op: Op, diags: &mut Diagnostics) -> bool {
        let dict = ir.discardable_attrs(op);
        if dict == Dict::EMPTY {
            return true;
        }
        let ctx = ir.ctx();
        let rules = self.rules.entry(dict).or_insert_with(|| {
            let rule = |&(name, attr): &(Ident, Attr)| {
                let dialect = ctx.dialect(ctx.str(name).split_once('.')?.0)?;
                dialect.attached_attr.map(|rule| (rule, name, attr))
            };
            ctx.entries(dict).iter().filter_map(rule).collect()
        });
        if rules.is_empty() {
            return true;
        }
        let before = diags.error_count();
        for &(rule, name, attr) in rules.iter() {
            rule(ir, op, ctx.str(name), attr, diags);
        }
        diags.error_count() == before
    }
}
