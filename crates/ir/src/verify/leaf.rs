//! Ops without regions and successors: most ops of a program, and nearly all of them fine.
//!
//! One look at such an op shows whether layers 1 and 2 have nothing to say: the walk passed the definitions of its
//! operands in blocks that are still open, and an op of the same signature was found to be right. Signatures that have a
//! number are told by it, the others are compared. Only where nothing is known the layers look at the op itself; they
//! alone report.

use super::Findings;
use super::structure::Structure;
use crate::context::OpName;
use crate::def::{OpInfo, Trait};
use crate::entity::EntityId;
use crate::signature::{Signature, SignatureId, SignatureTable};
use crate::store::{Ir, Op, OpData};

/// The checks left for an op whose signature is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Remaining {
    /// It has a rule of its own that was not asked yet about the signature, or looks at more.
    rule: bool,
    /// It refers to symbols.
    user: bool,
}

/// Slots for ops that end a block, a power of two; a new one takes the place of the one in its slot.
const ENDS: usize = 256;

/// An op that ends a block, and the name of the op around it.
type End = (SignatureId, OpName);

/// Signatures that were found to be right. Those of ops that end a block go with the name of the op around it.
#[derive(Debug, Default)]
pub(super) struct KnownSignatures {
    /// By number, of ops that others follow.
    numbered: Vec<Option<Remaining>>,
    /// Of ops that end a block; empty until one is known.
    ends: Vec<Option<(End, Remaining)>>,
    /// Those without a number.
    others: SignatureTable<Remaining>,
}

#[inline]
fn slot_of_end((signature, around): End) -> usize {
    (signature.index() ^ around.index().wrapping_mul(0x9E5)) % ENDS
}

impl KnownSignatures {
    /// Does what is to be done about ops of a block from one on, as long as they are fine. The first that is not: the
    /// layers have to look at it.
    pub(super) fn pass_over(
        &mut self,
        structure: &mut Structure<'_>,
        ir: &Ir,
        first: Op,
        found: &mut Findings,
    ) -> Option<Op> {
        let mut op = first;
        loop {
            op = self.pass_over_numbered(structure, ir, op, found)?;
            if !self.fine(structure, ir, op, found) {
                return Some(op);
            }
            op = ir.next_op(op)?;
        }
    }

    /// The same for those whose signature has a number and whose operands are seen at once.
    fn pass_over_numbered(
        &mut self,
        structure: &mut Structure<'_>,
        ir: &Ir,
        first: Op,
        found: &mut Findings,
    ) -> Option<Op> {
        let around = structure.parent_name();
        let mut scopes = structure.scopes();
        let mut op = first;
        let mut row = ir.row(op);
        let mut least = row.prev.map_or(0, |prev| u64::from(ir.order(prev)) + 1);
        loop {
            let Some(signature) = row.signature else {
                return Some(op);
            };
            let at_end = if row.next.is_none() { around } else { None };
            let Some(remaining) = self.of_number(signature, at_end) else {
                return Some(op);
            };
            if !row.is_plain()
                || u64::from(row.order) < least
                || !ir.row_operands(row).all(|value| scopes.sees(value))
            {
                return Some(op);
            }
            keep_remaining(ir, op, remaining, found);
            scopes.define_run(row.first_result, row.num_results);
            least = u64::from(row.order) + 1;
            op = row.next?;
            row = ir.row(op);
            ir.fetch_ahead(op);
        }
    }

    /// The cached knowledge of an op whose signature has a number; `around` where it ends a block.
    #[inline]
    fn of_number(&self, signature: SignatureId, around: Option<OpName>) -> Option<Remaining> {
        let Some(around) = around else {
            return self.numbered.get(signature.index()).copied().flatten();
        };
        let end = (signature, around);
        match self.ends.get(slot_of_end(end)) {
            Some(&Some((known, remaining))) if known == end => Some(remaining),
            _ => None,
        }
    }

    /// Does what is to be done about a fine op. Whether it is one; the layers have to look at it where not.
    fn fine(
        &mut self,
        structure: &mut Structure<'_>,
        ir: &Ir,
        op: Op,
        found: &mut Findings,
    ) -> bool {
        let row = ir.row(op);
        let in_order = row.prev.is_none_or(|prev| ir.order(prev) < row.order);
        if !row.is_plain() || row.block.is_none() || !in_order {
            return false;
        }
        let around = if row.next.is_none() {
            structure.parent_name()
        } else {
            None
        };
        let Some(remaining) = self.look_up(ir, (op, row), around) else {
            return false;
        };
        if !ir.row_operands(row).all(|value| structure.sees(op, value)) {
            return false;
        }
        keep_remaining(ir, op, remaining, found);
        structure.define_results(op);
        true
    }

    fn look_up(
        &mut self,
        ir: &Ir,
        (op, row): (Op, &OpData),
        around: Option<OpName>,
    ) -> Option<Remaining> {
        match row.signature {
            Some(signature) => self.of_number(signature, around),
            None => self
                .others
                .get(&placed(Signature::of(ir, op)?, around)?)
                .copied(),
        }
    }

    /// The op's signature is right by its definition and traits.
    pub(super) fn insert(
        &mut self,
        ir: &Ir,
        op: Op,
        info: Option<&OpInfo>,
        signature: Option<Signature>,
    ) {
        let rule = info.is_some_and(|info| info.verify.is_some());
        self.put(ir, op, info, signature, rule);
    }

    /// The op's own rule had nothing to say either.
    pub(super) fn settle(&mut self, ir: &Ir, op: Op, info: &OpInfo) {
        // Each op with a name is looked at: it may be the name's second.
        if ir.attr_named(op, "sym_name").is_none() {
            self.put(ir, op, Some(info), Signature::of(ir, op), false);
        }
    }

    fn put(
        &mut self,
        ir: &Ir,
        op: Op,
        info: Option<&OpInfo>,
        signature: Option<Signature>,
        rule: bool,
    ) {
        let has = |which| info.is_some_and(|info| info.has(which));
        let row = ir.row(op);
        if !row.is_plain() || has(Trait::Symbol) || has(Trait::SymbolTable) {
            return;
        }
        let user = info.is_some_and(|info| info.symbol_user.is_some());
        let remaining = Remaining { rule, user };
        let is_last = row.next.is_none();
        let around = ir
            .parent_op(op)
            .filter(|_| is_last)
            .map(|parent| ir.op_name(parent));
        match (row.signature, around) {
            (Some(number), Some(around)) => {
                self.ends.resize(ENDS, None);
                self.ends[slot_of_end((number, around))] = Some(((number, around), remaining));
            }
            (Some(number), None) => {
                if self.numbered.len() <= number.index() {
                    self.numbered.resize(number.index() + 1, None);
                }
                self.numbered[number.index()] = Some(remaining);
            }
            (None, _) => {
                if let Some(key) = signature.and_then(|signature| placed(signature, around)) {
                    self.others.insert(key, remaining);
                }
            }
        }
    }
}

/// The key of an op without a number: its signature and, where it ends a block, the name of the op around it.
fn placed(signature: Signature, around: Option<OpName>) -> Option<Signature> {
    match around {
        Some(around) => signature.under(around),
        None => Some(signature),
    }
}

#[inline]
fn keep_remaining(ir: &Ir, op: Op, remaining: Remaining, found: &mut Findings) {
    if remaining.rule || remaining.user {
        note(ir, op, remaining, found);
    } else if cfg!(debug_assertions) {
        super::frame::assert_settled(ir, op);
    }
}

#[cold]
fn note(ir: &Ir, op: Op, remaining: Remaining, found: &mut Findings) {
    let Some(info) = ir.info(op) else { return };
    if remaining.rule {
        found.rules.extend(info.verify.map(|rule| (op, rule)));
    }
    if remaining.user {
        found.users.extend(info.symbol_user.map(|user| (op, user)));
    }
}
