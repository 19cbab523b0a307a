//! Ops without regions and successors: most ops of a program, and nearly all of them fine.
//!
//! One look at such an op shows whether layers 1 and 2 have nothing to say: the walk passed the definitions of its
//! operands in blocks that are still open, and an op of the same signature was found to be right. Only where that
//! cannot be shown the layers look at the op itself; they alone report.

use super::Findings;
use super::structure::Structure;
use crate::def::{OpInfo, Trait};
use crate::interfaces::RuleScope;
use crate::signature::{Signature, SignatureTable, Signing};
use crate::store::{Ir, Op};

/// What is still to be done about an op whose signature is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Remaining {
    /// It has a rule of its own that was not asked yet about the signature, or looks at more.
    rule: bool,
    /// It refers to symbols.
    user: bool,
    /// It must be the last op of its block.
    terminator: bool,
}

/// Signatures that were found to be right.
#[derive(Debug, Default)]
pub(super) struct KnownSignatures {
    table: SignatureTable<Remaining>,
}

impl KnownSignatures {
    /// Does what is to be done about a fine op. Whether it is one; the layers have to look at it where not.
    #[inline]
    pub(super) fn fine(&self, structure: &mut Structure<'_>, ir: &Ir, op: Op, found: &mut Findings) -> bool {
        let row = ir.row(op);
        if !row.is_plain || row.block.is_none() || !Signature::has_room(row.num_operands + row.num_results) {
            return false;
        }
        let mut signing = Signing::new(row.name, row.properties, row.attrs, row.num_operands);
        for value in ir.operands(op) {
            if !structure.sees(op, value) {
                return false;
            }
            signing.push(ir.value_type(value));
        }
        for ty in ir.result_types(op) {
            signing.push(ty);
        }
        let Some(&remaining) = self.table.get(&signing.done()) else { return false };
        let in_order = row.prev.is_none_or(|prev| ir.order(prev) < row.order);
        if !in_order || remaining.terminator && row.next.is_some() {
            return false;
        }
        if remaining.rule || remaining.user {
            self.note(ir, op, remaining, found);
        } else if cfg!(debug_assertions) {
            assert_settled(ir, op);
        }
        structure.define_results(op);
        true
    }

    fn note(&self, ir: &Ir, op: Op, remaining: Remaining, found: &mut Findings) {
        let Some(info) = ir.info(op) else { return };
        if remaining.rule {
            found.rules.extend(info.verify.map(|rule| (op, rule)));
        }
        if remaining.user {
            found.users.extend(info.symbol_user.map(|user| (op, user)));
        }
    }

    /// The op's signature is right by its definition and traits.
    pub(super) fn insert(&mut self, ir: &Ir, op: Op, info: Option<&OpInfo>) {
        self.put(ir, op, info, info.is_some_and(|info| info.verify.is_some()));
    }

    /// The op's own rule had nothing to say either.
    pub(super) fn settle(&mut self, ir: &Ir, op: Op, info: &OpInfo) {
        self.put(ir, op, Some(info), false);
    }

    fn put(&mut self, ir: &Ir, op: Op, info: Option<&OpInfo>, rule: bool) {
        let has = |which| info.is_some_and(|info| info.has(which));
        if has(Trait::Symbol) || has(Trait::SymbolTable) {
            return;
        }
        let user = info.is_some_and(|info| info.symbol_user.is_some());
        let remaining = Remaining { rule, user, terminator: has(Trait::Terminator) };
        if let Some(signature) = Signature::of(ir, op) {
            self.table.insert(signature, remaining);
        }
    }
}

/// In debug builds, holds rules to what they say they look at.
#[cold]
fn assert_settled(ir: &Ir, op: Op) {
    let Some(rule) = ir.info(op).and_then(|info| info.verify) else { return };
    let mut diags = crate::diag::Diagnostics::new();
    rule.verify(ir, op, &mut diags);
    debug_assert_eq!(rule.scope(), RuleScope::Signature);
    debug_assert!(!diags.has_errors(), "the rule of `{}` looks at more than it says", ir.op_name_str(op));
}
