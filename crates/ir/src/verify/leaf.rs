//! Ops without regions and successors: most ops of a program, and nearly all of them fine.
//!
//! One look at such an op shows whether layers 1 and 2 have nothing to say: its operands were made before it in its
//! block or are visible from outside, and an op of the same signature was found to be right. Only where that cannot be
//! shown the layers look at the op itself; they alone report.

use super::structure::{Structure, is_earlier_in_block};
use crate::def::{OpInfo, Trait};
use crate::interfaces::{SymbolUser, Verify};
use crate::signature::{Signature, SignatureTable};
use crate::store::{Ir, Op};

/// What there is to know of ops whose signature is right.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) rule: Option<&'static dyn Verify>,
    pub(super) user: Option<&'static dyn SymbolUser>,
    terminator: bool,
}

/// Signatures that were found to be right.
#[derive(Default)]
pub(super) struct KnownSignatures {
    table: SignatureTable<Known>,
}

impl KnownSignatures {
    /// What is known of a fine op; `None` where the layers have to look at it.
    #[inline]
    pub(super) fn fine(&self, structure: &mut Structure<'_>, ir: &Ir, op: Op) -> Option<Known> {
        let row = ir.row(op);
        let block = row.block?;
        if !row.is_plain || !Signature::has_room(row.num_operands + row.num_results) {
            return None;
        }
        let mut signature = Signature::new(row.name, row.properties, row.attrs, row.num_operands);
        let mut in_place = false;
        for value in ir.operands(op) {
            signature.push(ir.value_type(value));
            if !is_earlier_in_block(ir, value, op, block) {
                if !std::mem::replace(&mut in_place, true) {
                    structure.set_current(block, op);
                }
                if !structure.sees(value) {
                    return None;
                }
            }
        }
        for value in ir.results(op) {
            signature.push(ir.value_type(value));
        }
        let known = *self.table.get(&signature)?;
        let in_order = row.prev.is_none_or(|prev| ir.is_before(prev, op));
        (in_order && !(known.terminator && row.next.is_some())).then_some(known)
    }

    /// The op's signature is right, and nothing else is to be checked about ops that have it.
    pub(super) fn insert(&mut self, ir: &Ir, op: Op, info: Option<&OpInfo>) {
        if info.is_some_and(|info| info.has(Trait::Symbol) || info.has(Trait::SymbolTable)) {
            return;
        }
        let known = Known {
            rule: info.and_then(|info| info.verify),
            user: info.and_then(|info| info.symbol_user),
            terminator: info.is_some_and(|info| info.has(Trait::Terminator)),
        };
        if let Some(signature) = Signature::of(ir, op) {
            self.table.insert(signature, known);
        }
    }
}
