//! Ops without regions and successors: most ops of a program, and nearly all of them fine.
//!
//! One look at such an op shows whether layers 1 and 2 have nothing to say: the walk passed the definitions of its
//! operands in blocks that are still open, and an op of the same signature was found to be right. Only where that
//! cannot be shown the layers look at the op itself; they alone report.

use super::Findings;
use super::structure::Structure;
use crate::context::OpName;
use crate::def::{OpInfo, Trait};
use crate::signature::{Search, Signature, SignatureTable, Trace};
use crate::store::{Ir, Op, OpRow};

/// What is still to be done about an op whose signature is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Remaining {
    /// It has a rule of its own that was not asked yet about the signature, or looks at more.
    rule: bool,
    /// It refers to symbols.
    user: bool,
}

/// Signatures that were found to be right. Those of ops that end a block go with the name of the op around it.
#[derive(Debug, Default)]
pub(super) struct KnownSignatures {
    table: SignatureTable<Remaining>,
    trace: Trace,
}

impl KnownSignatures {
    /// Does what is to be done about a fine op. Whether it is one; the layers have to look at it where not.
    #[inline]
    pub(super) fn fine(
        &mut self,
        structure: &mut Structure<'_>,
        ir: &Ir,
        op: Op,
        found: &mut Findings,
    ) -> bool {
        let row = ir.row(op);
        let in_order = row.prev.is_none_or(|prev| ir.order(prev) < row.order);
        if !row.is_plain || row.block.is_none() || !in_order {
            return false;
        }
        let around = if row.next.is_none() { structure.parent_name() } else { None };
        let (slot, remaining, search) = match self.foreseen(structure, ir, op, &row, around) {
            Some((slot, remaining)) => (slot, remaining, Search::Spared),
            None => {
                let Some((slot, remaining)) = self.look_up(ir, op, around) else { return false };
                if !ir.row_operands(&row).all(|value| structure.sees(op, value)) {
                    return false;
                }
                (slot, remaining, Search::Needed)
            }
        };
        self.table.follow(&mut self.trace, slot, search);
        if remaining.rule || remaining.user {
            note(ir, op, remaining, found);
        } else if cfg!(debug_assertions) {
            super::frame::assert_settled(ir, op);
        }
        structure.define_run(row.first_result, row.num_results);
        true
    }

    /// The likely signature, where the op has that and sees all its operands.
    #[inline]
    fn foreseen(
        &self,
        structure: &mut Structure<'_>,
        ir: &Ir,
        op: Op,
        row: &OpRow,
        around: Option<OpName>,
    ) -> Option<(u32, Remaining)> {
        let (slot, signature, &remaining) = self.table.likely(&self.trace)?;
        if !signature.has_head(row, around) {
            return None;
        }
        let (of_operands, of_results) = signature.types().split_at_checked(row.num_operands)?;
        for (value, &ty) in ir.row_operands(row).zip(of_operands) {
            if ir.value_type(value).raw() != ty || !structure.sees(op, value) {
                return None;
            }
        }
        ir.row_result_types(row)
            .zip(of_results)
            .all(|(ty, &known)| ty.raw() == known)
            .then_some((slot, remaining))
    }

    #[inline(never)]
    fn look_up(&self, ir: &Ir, op: Op, around: Option<OpName>) -> Option<(u32, Remaining)> {
        let (slot, &remaining) = self.table.find(&key(ir, op, around)?)?;
        Some((slot, remaining))
    }

    /// The op's signature is right by its definition and traits.
    pub(super) fn insert(&mut self, ir: &Ir, op: Op, info: Option<&OpInfo>) {
        self.put(ir, op, info, info.is_some_and(|info| info.verify.is_some()));
    }

    /// The op's own rule had nothing to say either.
    pub(super) fn settle(&mut self, ir: &Ir, op: Op, info: &OpInfo) {
        // Each op with a name is looked at: it may be the name's second.
        if ir.attr_named(op, "sym_name").is_none() {
            self.put(ir, op, Some(info), false);
        }
    }

    fn put(&mut self, ir: &Ir, op: Op, info: Option<&OpInfo>, rule: bool) {
        let has = |which| info.is_some_and(|info| info.has(which));
        if has(Trait::Symbol) || has(Trait::SymbolTable) {
            return;
        }
        let user = info.is_some_and(|info| info.symbol_user.is_some());
        let is_last = ir.next_op(op).is_none();
        let around = ir.parent_op(op).filter(|_| is_last).map(|parent| ir.op_name(parent));
        if let Some(signature) = key(ir, op, around) {
            self.table.insert(signature, Remaining { rule, user });
        }
    }
}

/// What an op without regions and successors is known by.
fn key(ir: &Ir, op: Op, around: Option<OpName>) -> Option<Signature> {
    let signature = Signature::of(ir, op)?;
    match around {
        Some(around) => signature.under(around),
        None => Some(signature),
    }
}

fn note(ir: &Ir, op: Op, remaining: Remaining, found: &mut Findings) {
    let Some(info) = ir.info(op) else { return };
    if remaining.rule {
        found.rules.extend(info.verify.map(|rule| (op, rule)));
    }
    if remaining.user {
        found.users.extend(info.symbol_user.map(|user| (op, user)));
    }
}
