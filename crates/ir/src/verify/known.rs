//! Signatures that were found to be right: programs have many ops and few signatures.
//!
//! Whether an op without regions and successors passes layer 2 depends on its name, its attributes and the types of its
//! operands and results alone: all of them ids of interned data, compared in no time. Deliberately absent: ops with
//! regions or successors, for which that is not so.

use crate::store::{Ir, Op};
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// One op for every signature that was found to be right.
#[derive(Debug, Default)]
pub(super) struct KnownSignatures {
    ops: HashTable<Op>,
    /// Hash of the op that was asked for last, if it is not known.
    asked: Option<(Op, u64)>,
}

impl KnownSignatures {
    /// Whether an op of the same signature is known.
    pub(super) fn contains(&mut self, ir: &Ir, op: Op) -> bool {
        self.asked = None;
        if !ir.regions(op).is_empty() || !ir.successors(op).is_empty() {
            return false;
        }
        let hash = hash(ir, op);
        if self.ops.find(hash, |&other| same(ir, op, other)).is_some() {
            return true;
        }
        self.asked = Some((op, hash));
        false
    }

    /// The op asked for last has a right signature.
    pub(super) fn insert(&mut self, ir: &Ir, op: Op) {
        if let Some((asked, key)) = self.asked.take()
            && asked == op
        {
            self.ops.insert_unique(key, op, |&other| hash(ir, other));
        }
    }
}

fn hash(ir: &Ir, op: Op) -> u64 {
    let mut state = FxHasher::default();
    (ir.op_name(op), ir.properties(op), ir.discardable_attrs(op)).hash(&mut state);
    for value in ir.operands(op) {
        ir.value_type(value).hash(&mut state);
    }
    // Tells operands from results.
    state.write_u8(0xff);
    for value in ir.results(op) {
        ir.value_type(value).hash(&mut state);
    }
    state.finish()
}

fn same(ir: &Ir, a: Op, b: Op) -> bool {
    ir.op_name(a) == ir.op_name(b)
        && ir.properties(a) == ir.properties(b)
        && ir.discardable_attrs(a) == ir.discardable_attrs(b)
        && ir
            .operands(a)
            .map(|value| ir.value_type(value))
            .eq(ir.operands(b).map(|value| ir.value_type(value)))
        && ir.results(a).map(|value| ir.value_type(value)).eq(ir.results(b).map(|value| ir.value_type(value)))
}
