//! Lines read before: programs have many ops and few ways to end an op's line.
//!
//! The text behind the operands of an op without regions and successors (`<{...}> {...} : (...) -> ...`, the location
//! aside) means the same wherever it stands in a text, for one op name: values are named before it, and aliases and
//! the numbers of distinct attributes mean one thing in one text. So it is looked up by its bytes first, and read
//! only where it is new. A line is remembered when it is met for the second time. The table has a fixed
//! size; a new line takes the place of the one in its slot.
//! Deliberately absent: lines that gave an error (they are never noted), and those that go on after the op.

use super::names::ResultName;
use super::{ParsedOp, Parser, Types, UnresolvedOperand};
use crate::lexer::{Tok, Token};
use rustc_hash::FxBuildHasher;
use segra_ir::attrs::Dict;
use segra_ir::context::OpName;
use segra_ir::signature::{Signature, SignatureId};
use segra_ir::store::Ir;
use segra_ir::types::Type;
use smallvec::SmallVec;
use std::hash::BuildHasher;

/// Number of slots, a power of two. Each costs one pointer, and a line of some 150 bytes once it is filled.
const SLOTS: usize = 4096;

/// Longer lines are read each time: they hardly ever repeat, and looking for their end costs.
const LONGEST: usize = 256;

/// The rest of a line, by which it is looked up.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineKey<'a> {
    name: OpName,
    text: &'a [u8],
    /// Its first byte.
    start: u32,
    hash: u32,
}

/// The meaning of the rest of a line.
#[derive(Debug)]
pub(super) struct KnownLine<'a> {
    key: LineKey<'a>,
    /// The token it starts with, and where its last one ends, where it was looked up last.
    start: (Token, u32),
    /// Bytes from its start to the end of its last token.
    length: u32,
    pub(super) properties: Dict,
    pub(super) attrs: Dict,
    pub(super) inputs: Types,
    pub(super) results: SmallVec<[Type; 2]>,
    /// The number of what all this is with the name.
    pub(super) signature: Option<SignatureId>,
}

impl LineKey<'_> {
    fn slot(self) -> usize {
        self.hash as usize % SLOTS
    }
}

impl KnownLine<'_> {
    /// Whether it has as many types as the op has operands and names of results.
    pub(super) fn fits(
        &self,
        operands: &[UnresolvedOperand<'_>],
        names: &[ResultName<'_>],
    ) -> bool {
        let named: u64 = names.iter().map(|name| u64::from(name.count)).sum();
        self.inputs.len() == operands.len()
            && (names.is_empty() || named == self.results.len() as u64)
    }
}

/// The lines read before.
#[derive(Debug, Default)]
pub(super) struct Repeats<'a> {
    /// Empty until the first line is noted.
    slots: Vec<Option<Box<KnownLine<'a>>>>,
    /// The hash of the line that was new in each slot last: what is never seen again is not worth keeping.
    seen: Vec<u32>,
    /// Whether any op said where it comes from: then lines end before that.
    pub(super) locations: bool,
}

impl<'a> Repeats<'a> {
    /// Whether a line that is not known was here before.
    fn is_seen(&mut self, key: LineKey<'a>) -> bool {
        self.seen.resize(SLOTS, 0);
        std::mem::replace(&mut self.seen[key.slot()], key.hash) == key.hash
    }
    pub(super) fn put_back(&mut self, line: Box<KnownLine<'a>>) {
        let slot = line.key.slot();
        self.slots[slot] = Some(line);
    }
}

impl<'a> Parser<'a> {
    /// The line from the current token on, where it may be one that repeats.
    #[inline]
    pub(super) fn line_to_repeat(&self, name: OpName) -> Option<LineKey<'a>> {
        if !matches!(self.token.kind, Tok::Less | Tok::LBrace | Tok::Colon) {
            return None;
        }
        let rest = &self.text.as_bytes()[self.token.start as usize..];
        let window = &rest[..rest.len().min(LONGEST)];
        let mut text = &window[..memchr::memchr(b'\n', window)?];
        if self.repeats.locations
            && text.ends_with(b")")
            && let Some(end) = memchr::memmem::rfind(text, b" loc(")
        {
            text = &text[..end];
        }
        let hash = FxBuildHasher.hash_one((name, text));
        let hash = (hash ^ hash >> 32) as u32;
        Some(LineKey {
            name,
            text,
            start: self.token.start,
            hash,
        })
    }

    /// Steps over the line if it is known. The caller puts it back.
    #[inline]
    pub(super) fn take_repeated(&mut self, key: LineKey<'a>) -> Option<Box<KnownLine<'a>>> {
        let slot = self.repeats.slots.get_mut(key.slot())?;
        let mut line =
            slot.take_if(|line| line.key.name == key.name && line.key.text == key.text)?;
        line.start = (self.token, self.last_end);
        let start = self.token.start;
        self.lexer.seek(start as usize + key.text.len());
        self.token = self.lexer.next_token();
        self.last_end = start + line.length;
        Some(line)
    }

    /// Goes back to the start of the line that was stepped over.
    pub(super) fn step_back(&mut self, line: &KnownLine<'a>) {
        (self.token, self.last_end) = line.start;
        self.lexer.seek(self.token.end as usize);
    }

    /// Remembers what a line means that was read to its end.
    pub(super) fn note_line(&mut self, key: LineKey<'a>, op: &ParsedOp, inputs: Types) {
        if !self.repeats.is_seen(key) {
            return;
        }
        let ctx = Ir::ctx(&self.ir);
        let dicts = (ctx.dict(&op.state.properties), ctx.dict(&op.state.attrs));
        self.note(key, dicts, inputs, &op.state.result_types);
    }

    /// Remembers a line that is nothing but a signature.
    pub(super) fn note_signature(&mut self, key: LineKey<'a>, results: &[Type], inputs: Types) {
        if self.repeats.is_seen(key) {
            self.note(key, (Dict::EMPTY, Dict::EMPTY), inputs, results);
        }
    }

    fn note(
        &mut self,
        key: LineKey<'a>,
        (properties, attrs): (Dict, Dict),
        inputs: Types,
        results: &[Type],
    ) {
        let end = key.start + key.text.len() as u32;
        if self.last_end > end || self.token.start < end {
            return;
        }
        if self.repeats.slots.is_empty() {
            self.repeats.slots.resize_with(SLOTS, || None);
        }
        let signature = Signature::from_parts(key.name, (properties, attrs), &inputs, results);
        let line = KnownLine {
            key,
            start: (self.token, self.last_end),
            length: self.last_end - key.start,
            properties,
            attrs,
            inputs,
            results: SmallVec::from_slice(results),
            signature: signature.map(|signature| self.ctx.signature(signature)),
        };
        self.repeats.slots[key.slot()] = Some(Box::new(line));
    }
}
