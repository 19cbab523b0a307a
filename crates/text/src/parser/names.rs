//! SSA names: what they stand for where, and uses before the definition.
//!
//! Every name has a slot that says what it means here (numbers by their value, others by a hash table); what a scope
//! changed is undone when it ends. A region of an isolated op
//! starts a name scope of its own: outer names are out of sight, and may be taken again. A use before the
//! definition gets a placeholder value (an argument of a block in no region) until the definition replaces it.

use super::{NameKeeping, ParseFailure, ParseResult, Parser, Pos};
use crate::lexer::Tok;
use rustc_hash::FxHashSet;
use segra_ir::context::Ident;
use segra_ir::entity::{EntityId, NearSet};
use segra_ir::intern::Positions;
use segra_ir::location::Loc;
use segra_ir::store::{Block, Value};
use segra_ir::types::Type;
use smallvec::SmallVec;

/// An operand as written, its type not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnresolvedOperand<'a> {
    /// Name without `%`.
    pub name: &'a str,
    /// Number after `#`, else 0.
    pub number: u32,
    /// Where it stands.
    pub pos: Pos,
}

/// A name left of `=`, for one or several results.
#[derive(Clone, Copy, Debug)]
pub(super) struct ResultName<'a> {
    pub(super) name: &'a str,
    pub(super) count: u32,
    pub(super) pos: Pos,
}

#[derive(Clone, Copy, Debug)]
enum Meaning {
    /// `count` consecutive values from `first` on.
    Defined { first: Value, count: u32 },
    /// Used only so far: the first of a chain of forward uses.
    Forward(u32),
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    meaning: Meaning,
    /// The isolated scope the name belongs to.
    scope: u32,
    pos: Pos,
}

#[derive(Debug)]
struct Forward<'a> {
    name: &'a str,
    number: u32,
    placeholder: Value,
    pos: Pos,
    next: Option<u32>,
    resolved: bool,
    /// The former meaning of the name, on the first of a chain.
    hidden: Option<(Name, Option<Entry>)>,
}

#[derive(Debug)]
struct Scope {
    log: usize,
    forwards: usize,
    /// The isolated scope around, if this one is isolated.
    outer: Option<u32>,
}

/// A name, wherever it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    /// A number without leading zeros that is not too large.
    Number(u32),
    /// Position among the other names.
    Word(u32),
}

/// The meaning of a name that is no number, and its text once that was interned.
#[derive(Clone, Copy, Debug)]
struct Word<'a> {
    name: &'a str,
    entry: Option<Entry>,
    ident: Option<Ident>,
}

#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    words: Positions,
    word_slots: Vec<Word<'a>>,
    number_slots: Vec<Option<Entry>>,
    /// Definitions, with what they hid, for undoing.
    log: Vec<(Name, Option<Entry>)>,
    forwards: Vec<Forward<'a>>,
    scopes: Vec<Scope>,
    current: u32,
    isolated_count: u32,
    holder: Option<Block>,
    free: Vec<Value>,
    /// Placeholders that were never defined.
    pub(super) undefined: Vec<Value>,
    /// Results of ops that could not be read: they have any type.
    pub(super) unreadable: FxHashSet<Value>,
}

/// Whether a name is just a number.
fn is_number(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit())
}

impl<'a> Parser<'a> {
    // ---- uses ----

    /// `%name` or `%name#1`.
    pub fn parse_operand(&mut self) -> ParseResult<UnresolvedOperand<'a>> {
        if !self.at(Tok::Percent) {
            return Err(self.expected("an SSA operand"));
        }
        let (name, pos) = (&self.spelling()[1..], self.pos());
        self.bump();
        let mut number = 0;
        // `#1`; anything else after a space is an attribute.
        if self.at(Tok::Hash)
            && (self.token.start == self.last_end || is_number(&self.spelling()[1..]))
        {
            let Ok(found) = self.spelling()[1..].parse() else {
                return Err(self.error("invalid SSA value result number"));
            };
            number = found;
            self.bump();
        }
        Ok(UnresolvedOperand { name, number, pos })
    }
    /// `%name`, if it stands here.
    pub fn parse_optional_operand(&mut self) -> ParseResult<Option<UnresolvedOperand<'a>>> {
        if self.at(Tok::Percent) {
            self.parse_operand().map(Some)
        } else {
            Ok(None)
        }
    }
    /// Operands separated by commas, possibly none.
    pub fn parse_operand_list(&mut self) -> ParseResult<SmallVec<[UnresolvedOperand<'a>; 4]>> {
        let mut operands = SmallVec::new();
        if !self.at(Tok::Percent) {
            return Ok(operands);
        }
        loop {
            operands.push(self.parse_operand()?);
            if !self.eat(Tok::Comma) {
                return Ok(operands);
            }
        }
    }
    /// The value an operand stands for; a placeholder where it is not defined yet.
    pub fn resolve_operand(
        &mut self,
        operand: UnresolvedOperand<'a>,
        ty: Type,
    ) -> ParseResult<Value> {
        let current = self.names.current;
        let UnresolvedOperand { name, number, pos } = operand;
        let slot = self.names.slot(name, self.text.len());
        match self
            .names
            .entry(slot)
            .filter(|entry| entry.scope == current)
        {
            Some(Entry {
                meaning: Meaning::Defined { first, count },
                pos: defined,
                ..
            }) => {
                if number >= count {
                    let message = format!("reference to invalid result number of '%{name}'");
                    return Err(self.error_with_note(pos, message, defined, "defined here"));
                }
                let value = Value::from_index(first.index() + number as usize);
                if self.ir.value_type(value) != ty {
                    return self.other_type(operand, value, ty, defined);
                }
                Ok(value)
            }
            Some(Entry {
                meaning: Meaning::Forward(first),
                ..
            }) => self.forward_again(operand, ty, first),
            None => {
                let placeholder = self.placeholder(ty);
                let index = self.names.forwards.len() as u32;
                let entry = Entry {
                    meaning: Meaning::Forward(index),
                    scope: current,
                    pos,
                };
                let hidden = Some((slot, self.names.set(slot, Some(entry))));
                self.names.forwards.push(Forward {
                    name,
                    number,
                    placeholder,
                    pos,
                    next: None,
                    resolved: false,
                    hidden,
                });
                Ok(placeholder)
            }
        }
    }
    /// Values of operands with one type each.
    pub fn resolve_operands(
        &mut self,
        operands: &[UnresolvedOperand<'a>],
        types: &[Type],
        out: &mut SmallVec<[Value; 4]>,
    ) -> ParseResult<()> {
        let mut result = Ok(());
        // Every operand is looked at, so that each undefined or ill-typed one is reported, but only once.
        let mut faulty = NearSet::default();
        for (&operand, &ty) in operands.iter().zip(types) {
            let key = (operand.name, operand.number, ty);
            if result.is_err() && faulty.contains(&key) {
                continue;
            }
            match self.resolve_operand(operand, ty) {
                Ok(value) => out.push(value),
                Err(failure) => {
                    faulty.insert(key);
                    result = Err(failure);
                }
            }
        }
        result
    }

    fn other_type(
        &mut self,
        operand: UnresolvedOperand<'a>,
        value: Value,
        ty: Type,
        defined: Pos,
    ) -> ParseResult<Value> {
        if self.names.unreadable.contains(&value) {
            self.ir.set_value_type(value, ty);
            return Ok(value);
        }
        let message = format!(
            "use of value '%{}' expects different type than prior uses: '{}' vs '{}'",
            operand.name,
            self.type_text(ty),
            self.type_text(self.ir.value_type(value)),
        );
        Err(self.error_with_note(operand.pos, message, defined, "prior use here"))
    }

    fn forward_again(
        &mut self,
        operand: UnresolvedOperand<'a>,
        ty: Type,
        first: u32,
    ) -> ParseResult<Value> {
        let mut at = first;
        loop {
            let forward = &self.names.forwards[at as usize];
            if forward.number == operand.number {
                let (value, pos) = (forward.placeholder, forward.pos);
                if self.ir.value_type(value) != ty {
                    return self.other_type(operand, value, ty, pos);
                }
                return Ok(value);
            }
            match forward.next {
                Some(next) => at = next,
                None => break,
            }
        }
        let placeholder = self.placeholder(ty);
        let index = self.names.forwards.len() as u32;
        // The new one comes second: chains are as long as one op has results used early.
        let next = self.names.forwards[first as usize].next.replace(index);
        let UnresolvedOperand { name, number, pos } = operand;
        self.names.forwards.push(Forward {
            name,
            number,
            placeholder,
            pos,
            next,
            resolved: false,
            hidden: None,
        });
        Ok(placeholder)
    }

    fn placeholder(&mut self, ty: Type) -> Value {
        if let Some(value) = self.names.free.pop() {
            self.ir.set_value_type(value, ty);
            return value;
        }
        let holder = match self.names.holder {
            Some(block) => block,
            None => {
                let block = self.ir.create_block(&[]);
                *self.names.holder.insert(block)
            }
        };
        self.ir.add_block_arg(holder, ty, Loc::UNKNOWN)
    }

    // ---- definitions ----

    /// Gives a name to `count` values from `first` on.
    pub(super) fn define(&mut self, name: ResultName<'a>, first: Value) -> ParseResult<()> {
        let ResultName { name, count, pos } = name;
        let scope = self.names.current;
        let entry = Entry {
            meaning: Meaning::Defined { first, count },
            scope,
            pos,
        };
        let mut result = Ok(());
        let slot = self.names.slot(name, self.text.len());
        let hidden = match self.names.set(slot, Some(entry)) {
            Some(old) if old.scope == scope => match old.meaning {
                Meaning::Defined { .. } => {
                    self.names.set(slot, Some(old));
                    let message = format!("redefinition of SSA value '%{name}'");
                    return Err(self.error_with_note(
                        pos,
                        message,
                        old.pos,
                        "previously defined here",
                    ));
                }
                Meaning::Forward(chain) => {
                    result = self.resolve_forwards(chain, first, count, pos);
                    None
                }
            },
            other => other,
        };
        self.names.log.push((slot, hidden));
        if self.options.names == NameKeeping::Keep {
            self.keep_name(slot, name, first);
        }
        result
    }

    fn keep_name(&mut self, slot: Name, name: &'a str, value: Value) {
        let Name::Word(index) = slot else { return };
        let known = self.names.word_slots[index as usize].ident;
        if known.is_none() && is_number(name) {
            return;
        }
        let ident = known.unwrap_or_else(|| self.ctx.ident(name));
        self.names.word_slots[index as usize].ident = Some(ident);
        self.ir.set_value_name(value, ident);
    }

    fn resolve_forwards(
        &mut self,
        chain: u32,
        first: Value,
        count: u32,
        pos: Pos,
    ) -> ParseResult<()> {
        let mut result = Ok(());
        let mut next = Some(chain);
        while let Some(index) = next {
            let forward = &mut self.names.forwards[index as usize];
            next = forward.next;
            forward.resolved = true;
            let (placeholder, number, name, used) = (
                forward.placeholder,
                forward.number,
                forward.name,
                forward.pos,
            );
            if number >= count {
                let message = format!("reference to invalid result number of '%{name}'");
                result = Err(self.error_with_note(used, message, pos, "defined here"));
                self.names.undefined.push(placeholder);
                continue;
            }
            let value = Value::from_index(first.index() + number as usize);
            let (wanted, found) = (self.ir.value_type(placeholder), self.ir.value_type(value));
            if wanted != found {
                if self.names.unreadable.contains(&value) {
                    self.ir.set_value_type(value, wanted);
                } else {
                    let message = format!(
                        "definition of SSA value '%{name}' has type '{}'",
                        self.type_text(found)
                    );
                    let note = format!(
                        "previously used here with type '{}'",
                        self.type_text(wanted)
                    );
                    result = Err(self.error_with_note(pos, message, used, note));
                }
            }
            self.ir.replace_all_uses(placeholder, value);
            self.names.free.push(placeholder);
        }
        result
    }

    // ---- scopes ----

    pub(super) fn push_names(&mut self, isolation: super::Isolation) {
        let names = &mut self.names;
        let outer = match isolation {
            super::Isolation::Shared => None,
            super::Isolation::Own => {
                names.isolated_count += 1;
                Some(std::mem::replace(&mut names.current, names.isolated_count))
            }
        };
        names.scopes.push(Scope {
            log: names.log.len(),
            forwards: names.forwards.len(),
            outer,
        });
    }

    pub(super) fn pop_names(&mut self) {
        let Some(scope) = self.names.scopes.pop() else {
            return;
        };
        while self.names.log.len() > scope.log {
            if let Some((slot, hidden)) = self.names.log.pop() {
                self.names.set(slot, hidden);
            }
        }
        if let Some(outer) = scope.outer {
            self.report_undefined(scope.forwards);
            self.names.current = outer;
        }
    }

    /// Reports forward uses (from the `from`-th on) that were never defined; forgets them.
    pub(super) fn report_undefined(&mut self, from: usize) {
        for index in from..self.names.forwards.len() {
            let forward = &self.names.forwards[index];
            if !forward.resolved {
                let message = match forward.number {
                    0 => format!("use of undeclared SSA value name '%{}'", forward.name),
                    number => format!(
                        "use of undeclared SSA value name '%{}#{number}'",
                        forward.name
                    ),
                };
                let (pos, placeholder) = (forward.pos, forward.placeholder);
                self.error_at(pos, message);
                self.names.undefined.push(placeholder);
            }
        }
        while self.names.forwards.len() > from {
            if let Some(Forward {
                hidden: Some((slot, hidden)),
                ..
            }) = self.names.forwards.pop()
            {
                self.names.set(slot, hidden);
            }
        }
    }

    /// A type as text, for messages.
    pub(super) fn type_text(&self, ty: Type) -> String {
        crate::print_type(self.ctx, ty)
    }

    pub(super) fn mismatch(
        &mut self,
        pos: Pos,
        what: &str,
        expected: usize,
        found: usize,
    ) -> ParseFailure {
        let plural = if expected == 1 { "" } else { "s" };
        self.error_at(
            pos,
            format!("expected {expected} {what}{plural} but had {found}"),
        )
    }
}

impl<'a> Names<'a> {
    /// The slot of a name in a text of so many bytes.
    #[inline]
    fn slot(&mut self, name: &'a str, text_length: usize) -> Name {
        let bytes = name.as_bytes();
        // Numbers count definitions, which take some bytes of the text each: a larger one is a word.
        if let Some(number) = small_number(bytes)
            && (number as usize) < text_length / 8
        {
            return Name::Number(number);
        }
        let hash = Positions::hash(name);
        let known = self
            .words
            .find(hash, |index| self.word_slots[index as usize].name == name);
        Name::Word(known.unwrap_or_else(|| {
            let index = self.word_slots.len() as u32;
            self.word_slots.push(Word {
                name,
                entry: None,
                ident: None,
            });
            self.words.insert(hash, index);
            index
        }))
    }

    #[inline]
    fn entry(&self, name: Name) -> Option<Entry> {
        match name {
            Name::Number(number) => self.number_slots.get(number as usize).copied().flatten(),
            Name::Word(index) => self.word_slots[index as usize].entry,
        }
    }

    /// Changes what a name means; gives what it meant before.
    #[inline]
    fn set(&mut self, name: Name, entry: Option<Entry>) -> Option<Entry> {
        let slot = match name {
            Name::Number(number) => {
                let index = number as usize;
                if index >= self.number_slots.len() {
                    self.number_slots.resize(index + 1, None);
                }
                &mut self.number_slots[index]
            }
            Name::Word(index) => &mut self.word_slots[index as usize].entry,
        };
        std::mem::replace(slot, entry)
    }
}

/// The value of digits without leading zeros, if it has at most eight of them.
#[inline]
fn small_number(digits: &[u8]) -> Option<u32> {
    if !digits.first()?.is_ascii_digit()
        || digits.len() > 8
        || (digits[0] == b'0' && digits.len() > 1)
    {
        return None;
    }
    digits.iter().try_fold(0u32, |value, byte| {
        byte.is_ascii_digit()
            .then(|| value * 10 + u32::from(byte - b'0'))
    })
}
