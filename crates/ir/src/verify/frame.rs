//! Ops with regions: what was found out about one holds for all that are equal in their signature and in the frames of
//! their regions (types of arguments, and what the ops that end them are and forward).
//!
//! Deliberately absent: ops with successors, regions of several blocks or that end in branches, symbols and their
//! tables, and ops with many values: the layers look at each of these.

use crate::def::{OpInfo, Trait};
use crate::entity::EntityId;
use crate::interfaces::RuleScope;
use crate::store::{Ir, Op, OpData};
use smallvec::SmallVec;

/// Takes in the words that stand for an op and its frames, in their order; `None` ends it.
trait Words {
    fn push(&mut self, word: u32) -> Option<()>;
    fn extend(&mut self, words: impl ExactSizeIterator<Item = u32>) -> Option<()>;
}

/// All that layers 1 and 2 say about an op, but for its position and operands, depends on this, and so does its own rule
/// if its scope is [`RuleScope::Frame`].
#[derive(Clone, Debug, Default)]
struct Frame {
    words: SmallVec<[u32; 30]>,
}

/// Ops with more are looked at one by one.
const MOST_WORDS: usize = 1000;

impl Words for Frame {
    fn push(&mut self, word: u32) -> Option<()> {
        self.extend([word].into_iter())
    }
    fn extend(&mut self, words: impl ExactSizeIterator<Item = u32>) -> Option<()> {
        self.words.extend(words);
        (self.words.len() < MOST_WORDS).then_some(())
    }
}

/// The words of a known frame that were not met yet.
struct Rest<'a>(&'a [u32]);

impl Words for Rest<'_> {
    #[inline]
    fn push(&mut self, word: u32) -> Option<()> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        (first == word).then_some(())
    }
    #[inline]
    fn extend(&mut self, words: impl ExactSizeIterator<Item = u32>) -> Option<()> {
        let (known, rest) = self.0.split_at_checked(words.len())?;
        self.0 = rest;
        words
            .zip(known)
            .all(|(word, &known)| word == known)
            .then_some(())
    }
}

/// Two counts in one word.
#[inline]
fn counts(first: usize, second: usize) -> Option<u32> {
    Some(u32::from(u16::try_from(first).ok()?) | u32::from(u16::try_from(second).ok()?) << 16)
}

/// Hands over the words of an op itself: the number of its signature, or all there is to that. An op that was read often has
/// the former, so a frame is known twice at most.
#[inline]
fn describe_one(ir: &Ir, row: &OpData, words: &mut impl Words) -> Option<()> {
    if let Some(signature) = row.signature {
        // No name is 0.
        return words.extend([0, signature.raw()].into_iter());
    }
    let counts = counts(row.num_operands as usize, row.num_results as usize)?;
    words.extend(
        [
            row.name.raw(),
            row.properties.raw(),
            row.attrs.raw(),
            counts,
        ]
        .into_iter(),
    )?;
    words.extend(ir.row_operands(row).map(|value| ir.value_type(value).raw()))?;
    words.extend(ir.row_result_types(row).map(|ty| ty.raw()))
}

/// Hands over the words of an op and its frames; `None` where it has none, or `words` ended it.
#[inline]
fn describe(ir: &Ir, op: Op, words: &mut impl Words) -> Option<()> {
    let row = ir.row(op);
    if row.is_plain() || !ir.successors(op).is_empty() {
        return None;
    }
    describe_one(ir, row, words)?;
    for &region in ir.row_regions(row) {
        let Some(block) = ir.entry_block(region) else {
            words.push(u32::MAX)?;
            continue;
        };
        let end = ir.row(ir.last_op(block)?);
        if ir.next_block(block).is_some() || !end.is_plain() {
            return None;
        }
        let args = ir.block_args(block);
        words.push(args.len() as u32)?;
        words.extend(args.iter().map(|&arg| ir.value_type(arg).raw()))?;
        describe_one(ir, end, words)?;
    }
    Some(())
}

/// Number of slots, a power of two; a new frame takes the place of the one in its slot.
const SLOTS: usize = 256;

/// The slot of an op, told by what distinguishes most: its signature, or its name, its attributes and the type of its last
/// operand.
#[inline]
fn slot(ir: &Ir, op: Op) -> usize {
    let row = ir.row(op);
    if let Some(signature) = row.signature {
        return signature.index() % SLOTS;
    }
    let ty = ir
        .row_operands(row)
        .next_back()
        .map_or(0, |value| ir.value_type(value).raw());
    let low = u64::from(row.name.raw()) | u64::from(row.attrs.raw()) << 32;
    let high = u64::from(row.properties.raw()) | u64::from(ty) << 32;
    let sum = low
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .wrapping_add(high.wrapping_mul(0xC2B2_AE3D_27D4_EB4F));
    (sum >> 48) as usize % SLOTS
}

/// Frames that were found to be right.
#[derive(Debug, Default)]
pub(super) struct KnownFrames {
    /// Empty until a frame is known.
    slots: Vec<Option<(Frame, Left)>>,
}

/// The checks left for an op whose frame is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// Nothing.
    Nothing,
    /// To ask its own rule.
    Rule,
}

impl KnownFrames {
    /// The checks left for an op; `None`: all of them.
    #[inline]
    pub(super) fn ask(&self, ir: &Ir, op: Op) -> Option<Left> {
        let (known, left) = self.slots.get(slot(ir, op))?.as_ref()?;
        let mut rest = Rest(&known.words);
        describe(ir, op, &mut rest)?;
        rest.0.is_empty().then_some(*left)
    }

    /// The op is right by its definition and traits, and so is each with the same frame.
    pub(super) fn insert(&mut self, ir: &Ir, op: Op, info: &OpInfo) {
        let stands_alone =
            !info.has(Trait::Symbol) && !info.has(Trait::SymbolTable) && info.symbol_user.is_none();
        if stands_alone {
            self.put(
                ir,
                op,
                if info.verify.is_some() {
                    Left::Rule
                } else {
                    Left::Nothing
                },
            );
        }
    }

    /// The op's own rule had nothing to say either.
    pub(super) fn settle(&mut self, ir: &Ir, op: Op) {
        if self.ask(ir, op) == Some(Left::Rule) {
            self.put(ir, op, Left::Nothing);
        }
    }

    fn put(&mut self, ir: &Ir, op: Op, left: Left) {
        let mut frame = Frame::default();
        if describe(ir, op, &mut frame).is_none() {
            return;
        }
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, None);
        }
        self.slots[slot(ir, op)] = Some((frame, left));
    }
}

/// In debug builds, holds rules to what they say they look at.
#[cold]
pub(super) fn assert_settled(ir: &Ir, op: Op) {
    let Some(rule) = ir.info(op).and_then(|info| info.verify) else {
        return;
    };
    let mut diags = crate::diag::Diagnostics::new();
    rule.verify(ir, op, &mut diags.about(ir, op));
    debug_assert_ne!(rule.scope(), RuleScope::Around);
    debug_assert!(
        !diags.has_errors(),
        "the rule of `{}` looks at more than it says",
        ir.op_name_str(op)
    );
}
