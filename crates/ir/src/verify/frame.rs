//! Ops with regions: what was found out about one holds for all that are equal in their signature and in the frames of
//! their regions (types of arguments, and what the ops that end them are and hand on).
//!
//! Deliberately absent: ops with successors, regions of several blocks or that end in branches, symbols and their
//! tables, and ops with many values: the layers look at each of these.

use crate::def::{OpInfo, Trait};
use crate::interfaces::RuleScope;
use crate::store::{Ir, Op};
use crate::types::Type;

const WORDS: usize = 30;

/// All that layers 1 and 2 say about an op, but for its position and operands, depends on this, and so does its own rule
/// if its scope is [`RuleScope::Frame`].
#[derive(Clone, Debug)]
struct Frame {
    length: usize,
    words: [u32; WORDS],
}

impl Default for Frame {
    fn default() -> Frame {
        Frame { length: 0, words: [0; WORDS] }
    }
}

/// Two counts in one word.
fn counts(first: usize, second: usize) -> Option<u32> {
    Some(u32::from(u16::try_from(first).ok()?) | u32::from(u16::try_from(second).ok()?) << 16)
}

impl Frame {
    fn push(&mut self, word: u32) -> Option<()> {
        *self.words.get_mut(self.length)? = word;
        self.length += 1;
        Some(())
    }
    fn types(&mut self, types: impl Iterator<Item = Type>) -> Option<()> {
        for ty in types {
            self.push(ty.raw())?;
        }
        Some(())
    }

    /// Makes it the frame of an op; `None` where the op has none.
    fn fill(&mut self, ir: &Ir, op: Op) -> Option<()> {
        let row = ir.row(op);
        self.length = 0;
        if row.is_plain || !ir.successors(op).is_empty() {
            return None;
        }
        self.push(row.name.raw())?;
        self.push(row.properties.raw())?;
        self.push(row.attrs.raw())?;
        self.push(counts(row.num_operands, row.num_results)?)?;
        self.types(ir.row_operands(&row).map(|value| ir.value_type(value)))?;
        self.types(ir.row_result_types(&row))?;
        for &region in ir.regions(op) {
            let Some(block) = ir.entry_block(region) else {
                // No name is 0, so this is no block's.
                self.push(0)?;
                continue;
            };
            let end = ir.row(ir.last_op(block)?);
            if ir.next_block(block).is_some() || !end.is_plain {
                return None;
            }
            let args = ir.block_args(block);
            self.push(end.name.raw())?;
            self.push(counts(args.len(), end.num_operands)?)?;
            self.types(args.iter().map(|&arg| ir.value_type(arg)))?;
            self.types(ir.row_operands(&end).map(|value| ir.value_type(value)))?;
        }
        Some(())
    }

    fn words(&self) -> &[u32] {
        &self.words[..self.length]
    }

    fn slot(&self) -> usize {
        let mut hash = self.length as u64;
        for &word in self.words() {
            hash = (hash.rotate_left(23) ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
        (hash >> 48) as usize % SLOTS
    }
}

/// Number of slots, a power of two; a new frame takes the place of the one in its slot.
const SLOTS: usize = 256;

/// Frames that were found to be right.
#[derive(Debug, Default)]
pub(super) struct KnownFrames {
    /// Empty until a frame is known.
    slots: Vec<Option<(Frame, Left)>>,
    /// The frame of the op that was asked about last, and its slot.
    asked: Frame,
    slot: Option<usize>,
}

/// What is left to be done about an op whose frame is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// Nothing.
    Nothing,
    /// To ask its own rule.
    Rule,
}

impl KnownFrames {
    /// What is left to be done about an op; `None`: everything.
    pub(super) fn ask(&mut self, ir: &Ir, op: Op) -> Option<Left> {
        self.slot = self.asked.fill(ir, op).map(|()| self.asked.slot());
        match self.slots.get(self.slot?)? {
            Some((known, left)) if known.words() == self.asked.words() => Some(*left),
            _ => None,
        }
    }

    /// The frame that was asked about is right by its op's definition and traits.
    pub(super) fn insert(&mut self, info: &OpInfo) {
        let stands_alone =
            !info.has(Trait::Symbol) && !info.has(Trait::SymbolTable) && info.symbol_user.is_none();
        if stands_alone {
            self.put(if info.verify.is_some() { Left::Rule } else { Left::Nothing });
        }
    }

    /// The op's own rule had nothing to say either.
    pub(super) fn settle(&mut self, ir: &Ir, op: Op) {
        if self.ask(ir, op) == Some(Left::Rule) {
            self.put(Left::Nothing);
        }
    }

    fn put(&mut self, left: Left) {
        let Some(slot) = self.slot else { return };
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, None);
        }
        self.slots[slot] = Some((self.asked.clone(), left));
    }
}

/// In debug builds, holds rules to what they say they look at.
#[cold]
pub(super) fn assert_settled(ir: &Ir, op: Op) {
    let Some(rule) = ir.info(op).and_then(|info| info.verify) else { return };
    let mut diags = crate::diag::Diagnostics::new();
    rule.verify(ir, op, &mut diags);
    debug_assert_ne!(rule.scope(), RuleScope::Around);
    debug_assert!(!diags.has_errors(), "the rule of `{}` looks at more than it says", ir.op_name_str(op));
}
