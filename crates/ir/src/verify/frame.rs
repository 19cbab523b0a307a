//! Ops with regions: what was found out about one holds for all that are equal in their signature and in the frames of
//! their regions (types of arguments, and what the ops that end them are and hand on).
//!
//! Deliberately absent: ops with successors, regions of several blocks or that end in branches, symbols and their
//! tables, and ops with many values: the layers look at each of these.

use crate::context::OpName;
use crate::def::{OpInfo, Trait};
use crate::interfaces::RuleScope;
use crate::store::{Ir, Op};
use crate::types::Type;

const WORDS: usize = 30;

/// All that layers 1 and 2 say about an op, but for its position and operands, depends on this, and so does its own rule
/// if its scope is [`RuleScope::Frame`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    name: OpName,
    /// 0 behind the last.
    words: [u32; WORDS],
}

/// A frame in the making.
struct Framing {
    words: [u32; WORDS],
    length: usize,
}

impl Framing {
    fn push(&mut self, word: u32) -> Option<()> {
        *self.words.get_mut(self.length)? = word;
        self.length += 1;
        Some(())
    }
    fn types(&mut self, mut types: impl Iterator<Item = Type>) -> Option<()> {
        types.try_for_each(|ty| self.push(ty.raw()))
    }
}

/// Two counts in one word.
fn counts(first: usize, second: usize) -> Option<u32> {
    Some(u32::from(u16::try_from(first).ok()?) | u32::from(u16::try_from(second).ok()?) << 16)
}

impl Frame {
    /// The frame of an op, if it is one that has one.
    pub(super) fn of(ir: &Ir, op: Op) -> Option<Frame> {
        let row = ir.row(op);
        if row.is_plain || !ir.successors(op).is_empty() {
            return None;
        }
        let mut frame = Framing { words: [0; WORDS], length: 0 };
        frame.push(row.properties.raw())?;
        frame.push(row.attrs.raw())?;
        frame.push(counts(row.num_operands, row.num_results)?)?;
        frame.types(ir.operands(op).map(|value| ir.value_type(value)))?;
        frame.types(ir.result_types(op))?;
        for &region in ir.regions(op) {
            let Some(block) = ir.entry_block(region) else {
                // No name is 0, so this is no block's.
                frame.push(0)?;
                continue;
            };
            let last = ir.last_op(block)?;
            let end = ir.row(last);
            if ir.next_block(block).is_some() || !end.is_plain {
                return None;
            }
            frame.push(end.name.raw())?;
            frame.push(counts(ir.block_args(block).len(), end.num_operands)?)?;
            frame.types(ir.block_args(block).iter().map(|&arg| ir.value_type(arg)))?;
            frame.types(ir.operands(last).map(|value| ir.value_type(value)))?;
        }
        Some(Frame { name: row.name, words: frame.words })
    }

    fn slot(&self) -> usize {
        let mut hash = u64::from(self.name.raw());
        for pair in self.words.chunks_exact(2) {
            let wide = u64::from(pair[0]) | u64::from(pair[1]) << 32;
            hash = (hash.rotate_left(23) ^ wide).wrapping_mul(0x9E37_79B9_7F4A_7C15);
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
    /// What is left to be done about an op with that frame; `None`: everything.
    pub(super) fn get(&self, frame: &Frame) -> Option<Left> {
        match self.slots.get(frame.slot()) {
            Some(Some((known, left))) if known == frame => Some(*left),
            _ => None,
        }
    }

    /// The frame of an op is right by the op's definition and traits.
    pub(super) fn insert(&mut self, frame: Option<Frame>, info: &OpInfo) {
        if let Some(frame) = frame
            && !info.has(Trait::Symbol)
            && !info.has(Trait::SymbolTable)
            && info.symbol_user.is_none()
        {
            self.put(frame, if info.verify.is_some() { Left::Rule } else { Left::Nothing });
        }
    }

    /// The op's own rule had nothing to say either.
    pub(super) fn settle(&mut self, ir: &Ir, op: Op) {
        if let Some(frame) = Frame::of(ir, op).filter(|frame| self.get(frame) == Some(Left::Rule)) {
            self.put(frame, Left::Nothing);
        }
    }

    fn put(&mut self, frame: Frame, left: Left) {
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, None);
        }
        self.slots[frame.slot()] = Some((frame, left));
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
