//! The reader: text to a program, by recursive descent.
//!
//! * here: the parser's state, its entry points, tokens and errors;
//! * `location`: `loc(...)`; `aliases`: `#a = ...`, `!t = ...`;
//! * `metadata`: the section `{-# ... #-}`;
//! * `types`, `attrs`, `dense`, `numbers`, `affine`, `dialect`: types and attributes;
//! * `names`: SSA names and forward references; `ops`, `regions`: ops, blocks, regions; `repeat`: lines read before; `custom`: format strings; `function`: signatures;
//! * `module`: files, and going on after an error.
//!
//! Invariants: no input makes it panic; recursion is bounded by [`MAX_DEPTH`], on as much stack as that takes; every failure has pushed a
//! diagnostic before [`ParseFailure`] is returned. Deliberately absent: checks of what ops mean (the verifier's).

mod affine;
mod aliases;
mod attrs;
mod custom;
mod dense;
mod dialect;
mod function;
mod location;
mod metadata;
mod module;
mod names;
mod numbers;
mod ops;
mod regions;
mod repeat;
mod types;

use crate::lexer::{Lexer, Tok, Token, unescape};
use rustc_hash::FxHashMap;
use segra_ir::attrs::Attr;
use segra_ir::context::{Context, Ident, OpName};
use segra_ir::diag::{Diagnostic, Diagnostics, Severity};
use segra_ir::entity::NearMap;
use segra_ir::location::Loc;
use segra_ir::source::{Lines, TextStart};
use segra_ir::stack::deep;
use segra_ir::store::Ir;
use segra_ir::types::Type;
use segra_ir::verify::Unregistered;
use std::borrow::Cow;
use std::sync::Arc;

pub use attrs::Entries;
pub use custom::IndexList;
pub use function::FunctionSignature;
pub use module::{Parsed, parse_attr, parse_module, parse_shared, parse_source, parse_type};
pub use names::UnresolvedOperand;
pub use ops::ParsedOp;
pub use regions::{BlockArg, Isolation};
pub use types::Types;

/// How deep types, attributes, expressions and regions may nest, all together.
pub const MAX_DEPTH: u32 = 1200;

/// After so many errors the reader stops looking for more.
pub const MAX_ERRORS: usize = 100;

/// A reading step failed; the diagnostic is with the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseFailure;

/// Result of a reading step.
pub type ParseResult<T> = Result<T, ParseFailure>;

/// The treatment of the names of values and blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NameKeeping {
    /// Names that are not just numbers are recorded in the program.
    #[default]
    Keep,
    /// Names are forgotten.
    Drop,
}

/// How to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParseOptions {
    /// Ops, types and attributes of dialects that are not registered.
    pub allow_unregistered: Unregistered,
    /// Names of values and blocks.
    pub names: NameKeeping,
    /// Where in its file the text starts.
    pub start: TextStart,
}

impl ParseOptions {
    /// Accepts dialects that are not registered.
    pub fn allowing_unregistered() -> ParseOptions {
        ParseOptions {
            allow_unregistered: Unregistered::Allow,
            ..ParseOptions::default()
        }
    }
}

/// A place in the text being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pos(pub(crate) u32);

/// Reads text; what [`Syntax`](crate::Syntax) and the parsers of dialect types and attributes work with.
#[derive(Debug)]
pub struct Parser<'a> {
    ctx: &'a Context,
    text: &'a str,
    file: Ident,
    options: ParseOptions,
    lexer: Lexer<'a>,
    token: Token,
    /// Where the token before the current one ended.
    last_end: u32,
    ir: Ir,
    diags: Diagnostics,
    /// Where the latest syntax error was: a second one at the same place adds nothing.
    last_error: Option<Pos>,
    depth: u32,
    /// The largest `depth` since an alias's definition began, what aliases stand for counted in.
    deepest: u32,
    /// The number of the location of the first byte; `None`: locations are made one by one.
    base: Option<u32>,
    lines: Lines,
    repeats: repeat::Repeats<'a>,
    names: names::Names<'a>,
    blocks: Vec<regions::BlockNames<'a>>,
    aliases: aliases::Aliases<'a>,
    distinct: FxHashMap<u64, Attr>,
    op_names: FxHashMap<&'a str, OpName>,
    /// Names without a custom form that were reported.
    without_form: rustc_hash::FxHashSet<&'a str>,
    idents: NearMap<&'a str, Ident>,
    types: FxHashMap<&'a str, Type>,
}

impl<'a> Parser<'a> {
    /// A parser at the start of `text`, which belongs to `file` and whose locations start at `base`.
    pub(crate) fn new(
        ctx: &'a Arc<Context>,
        file: Ident,
        base: Option<u32>,
        text: &'a str,
        options: &ParseOptions,
    ) -> Parser<'a> {
        let mut lexer = Lexer::new(text);
        let token = lexer.next_token();
        let mut ir = Ir::new(ctx.clone());
        // An op takes some 84 bytes of text and more; a guess too low would double the arenas at the end.
        ir.reserve(text.len() / 80);
        Parser {
            ctx,
            text,
            file,
            options: options.clone(),
            lexer,
            token,
            last_end: 0,
            ir,
            diags: Diagnostics::new(),
            last_error: None,
            depth: 0,
            deepest: 0,
            base,
            lines: Lines::from(options.start),
            repeats: repeat::Repeats::default(),
            names: names::Names::default(),
            blocks: Vec::new(),
            aliases: aliases::Aliases::default(),
            distinct: FxHashMap::default(),
            op_names: FxHashMap::default(),
            without_form: rustc_hash::FxHashSet::default(),
            idents: NearMap::default(),
            types: FxHashMap::default(),
        }
    }

    /// The context.
    pub fn ctx(&self) -> &'a Context {
        self.ctx
    }
    /// The program read so far.
    pub fn ir(&self) -> &Ir {
        &self.ir
    }
    /// The program read so far, for hooks that build into it (implicit terminators, entry arguments).
    pub fn ir_mut(&mut self) -> &mut Ir {
        &mut self.ir
    }

    // ---- places and errors ----

    /// The place of the current token.
    pub fn pos(&self) -> Pos {
        Pos(self.token.start)
    }
    /// The location of the current token.
    pub fn loc(&mut self) -> Loc {
        self.loc_at(self.pos())
    }
    /// The location of a place.
    pub fn loc_at(&mut self, pos: Pos) -> Loc {
        if let Some(loc) = self.base.and_then(|base| Loc::from_raw(base + pos.0)) {
            return loc;
        }
        let (line, column) = self.lines.line_column(self.text, pos.0);
        self.ctx.loc(segra_ir::location::LocKind::File {
            file: self.file,
            line,
            column,
        })
    }
    /// Reports an error at the current token.
    pub fn error(&mut self, message: impl Into<String>) -> ParseFailure {
        if self.token.kind == Tok::Error {
            let problem = self.lexer.problem();
            return self.error_at(self.pos(), problem);
        }
        self.error_at(self.pos(), message)
    }
    /// Reports an error at a place.
    pub fn error_at(&mut self, pos: Pos, message: impl Into<String>) -> ParseFailure {
        if self.last_error != Some(pos) && !self.too_many_errors() {
            let loc = self.loc_at(pos);
            self.diags.error(loc, message);
        }
        self.last_error = Some(pos);
        ParseFailure
    }
    /// Reports an error at a place, with a note at another one.
    pub fn error_with_note(
        &mut self,
        pos: Pos,
        message: impl Into<String>,
        note_pos: Pos,
        note: impl Into<String>,
    ) -> ParseFailure {
        if self.last_error != Some(pos) && !self.too_many_errors() {
            let (loc, note_loc) = (self.loc_at(pos), self.loc_at(note_pos));
            self.diags.error(loc, message).note(note_loc, note);
        }
        self.last_error = Some(pos);
        ParseFailure
    }
    /// Reports a warning at a place.
    pub fn warning_at(&mut self, pos: Pos, message: impl Into<String>) {
        let loc = self.loc_at(pos);
        self.diags
            .push(Diagnostic::new(Severity::Warning, loc, message));
    }
    fn too_many_errors(&self) -> bool {
        self.diags.error_count() >= MAX_ERRORS
    }
    /// Runs `step` one nesting level deeper; refuses where the input nests too deep.
    fn nested<T>(&mut self, step: impl FnOnce(&mut Self) -> ParseResult<T>) -> ParseResult<T> {
        self.go_deeper(1)?;
        self.depth += 1;
        let result = deep(|| step(self));
        self.depth -= 1;
        result
    }

    /// Refuses what lies `levels` deeper than the current place where that is too deep.
    fn go_deeper(&mut self, levels: u32) -> ParseResult<()> {
        if self.depth + levels > MAX_DEPTH {
            return Err(self.error(format!("nesting is deeper than {MAX_DEPTH} levels")));
        }
        self.deepest = self.deepest.max(self.depth + levels);
        Ok(())
    }

    // ---- tokens ----

    /// Whether the current token is a `kind`.
    #[inline]
    pub fn at(&self, kind: Tok) -> bool {
        self.token.kind == kind
    }
    /// The text of the current token.
    #[inline]
    pub fn spelling(&self) -> &'a str {
        self.text_of(self.token.start, self.token.end)
    }
    #[inline]
    fn text_of(&self, start: u32, end: u32) -> &'a str {
        self.text.get(start as usize..end as usize).unwrap_or("")
    }
    /// Goes to the next token.
    #[inline]
    pub fn bump(&mut self) {
        self.last_end = self.token.end;
        self.token = self.lexer.next_token();
    }
    /// Goes back (or forward) to the token that starts at `pos`.
    fn seek(&mut self, pos: u32) {
        self.lexer.seek(pos as usize);
        self.token = self.lexer.next_token();
    }
    /// Steps over the current token if it is a `kind`.
    #[inline]
    pub fn eat(&mut self, kind: Tok) -> bool {
        let found = self.token.kind == kind;
        if found {
            self.bump();
        }
        found
    }
    /// Steps over a token that must be a `kind`.
    #[inline]
    pub fn expect(&mut self, kind: Tok) -> ParseResult<()> {
        if self.eat(kind) {
            Ok(())
        } else {
            Err(self.expected(kind.describe()))
        }
    }
    /// Whether a line ends between the token before and the current one.
    fn begins_line(&self) -> bool {
        let between = self.text_of(self.last_end, self.token.start);
        between.contains(['\n', '\r'])
    }
    /// Where to say that something is missing before the current token.
    fn expected_at(&self) -> Pos {
        match self.begins_line() && self.last_end > 0 {
            true => Pos(self.last_end),
            false => self.pos(),
        }
    }
    /// Reports that something else was expected here; where a new line begins here, it is missing at the end of the
    /// line before.
    pub fn expected(&mut self, what: &str) -> ParseFailure {
        if self.at(Tok::Error) {
            return self.error("");
        }
        let pos = self.expected_at();
        if self.at(Tok::Eof) {
            return self.error_at(pos, format!("expected {what}, found the end of the file"));
        }
        self.error_at(pos, format!("expected {what}"))
    }
    /// Whether the current token is this keyword.
    #[inline]
    pub fn at_keyword(&self, keyword: &str) -> bool {
        self.token.kind == Tok::Bare && self.spelling() == keyword
    }
    /// Steps over the current token if it is this keyword.
    #[inline]
    pub fn eat_keyword(&mut self, keyword: &str) -> bool {
        let found = self.at_keyword(keyword);
        if found {
            self.bump();
        }
        found
    }
    /// Steps over a token that must be this keyword.
    pub fn expect_keyword(&mut self, keyword: &str) -> ParseResult<()> {
        if self.eat_keyword(keyword) {
            Ok(())
        } else {
            Err(self.expected(&format!("'{keyword}'")))
        }
    }
    /// Any identifier, if there is one.
    pub fn parse_optional_keyword(&mut self) -> Option<&'a str> {
        if !self.at(Tok::Bare) {
            return None;
        }
        let text = self.spelling();
        self.bump();
        Some(text)
    }
    /// Any identifier.
    pub fn parse_keyword(&mut self) -> ParseResult<&'a str> {
        self.parse_optional_keyword()
            .ok_or_else(|| self.expected("a keyword"))
    }
    /// Any identifier, or a string: the names of the cases of enumerations may be written so.
    pub fn parse_keyword_or_string(&mut self) -> ParseResult<Cow<'a, str>> {
        match self.parse_optional_keyword() {
            Some(word) => Ok(Cow::Borrowed(word)),
            None if self.at(Tok::String) => self.parse_string().map(Cow::Owned),
            None => Err(self.expected("a keyword or a string")),
        }
    }
    /// `,`
    pub fn parse_comma(&mut self) -> ParseResult<()> {
        self.expect(Tok::Comma)
    }
    /// The bytes of a string.
    pub fn parse_string_bytes(&mut self) -> ParseResult<Vec<u8>> {
        if !self.at(Tok::String) {
            return Err(self.expected("a string"));
        }
        let bytes = unescape(self.spelling());
        self.bump();
        Ok(bytes)
    }
    /// The text of a string; its bytes must be UTF-8.
    pub fn parse_string(&mut self) -> ParseResult<String> {
        let pos = self.pos();
        let bytes = self.parse_string_bytes()?;
        String::from_utf8(bytes).map_err(|_| self.error_at(pos, "this string must be UTF-8"))
    }
    /// `@name` or `@"any name"`: the name.
    pub fn parse_symbol_name(&mut self) -> ParseResult<Ident> {
        if !self.at(Tok::At) {
            return Err(self.expected("a symbol name"));
        }
        let pos = self.pos();
        let name = &self.spelling()[1..];
        self.bump();
        if !name.starts_with('"') {
            return Ok(self.ident(name));
        }
        match String::from_utf8(unescape(name)) {
            Ok(text) if !text.is_empty() => Ok(self.ctx.ident(&text)),
            Ok(_) => Err(self.error_at(pos, "a symbol name must not be empty")),
            Err(_) => Err(self.error_at(pos, "a symbol name must be UTF-8")),
        }
    }
    /// An integer with an optional sign, decimal or hexadecimal.
    pub fn parse_integer(&mut self) -> ParseResult<i64> {
        self.parse_optional_integer()?
            .ok_or_else(|| self.expected("an integer"))
    }
    /// An integer with an optional sign, if there is one.
    pub fn parse_optional_integer(&mut self) -> ParseResult<Option<i64>> {
        let pos = self.pos();
        let negative = self.eat(Tok::Minus);
        if !self.at(Tok::Integer) {
            return if negative {
                Err(self.expected("an integer"))
            } else {
                Ok(None)
            };
        }
        let magnitude =
            numbers::magnitude(self.spelling()).and_then(|value| i128::try_from(value).ok());
        self.bump();
        let value = magnitude.map(|value| if negative { -value } else { value });
        match value.and_then(|value| i64::try_from(value).ok()) {
            Some(value) => Ok(Some(value)),
            None => Err(self.error_at(pos, "integer too large for 64 bits")),
        }
    }
    /// The bits of an integer of at most 64: a negative one is as large as what its bits are without a sign.
    pub fn parse_bits64(&mut self) -> ParseResult<u64> {
        let pos = self.pos();
        let negative = self.eat(Tok::Minus);
        if !self.at(Tok::Integer) {
            return Err(self.expected("an integer"));
        }
        let magnitude =
            numbers::magnitude(self.spelling()).and_then(|value| u64::try_from(value).ok());
        self.bump();
        let bits = match magnitude {
            Some(value) if negative => i64::try_from(value).ok().map(|value| (-value) as u64),
            other => other,
        };
        bits.ok_or_else(|| self.error_at(pos, "integer too large for 64 bits"))
    }
    /// Items between `open` and `close`, separated by commas; possibly none.
    pub fn parse_list(
        &mut self,
        open: Tok,
        close: Tok,
        mut item: impl FnMut(&mut Self) -> ParseResult<()>,
    ) -> ParseResult<()> {
        self.expect(open)?;
        if self.eat(close) {
            return Ok(());
        }
        loop {
            item(self)?;
            if self.eat(close) {
                return Ok(());
            }
            if !self.eat(Tok::Comma) {
                return Err(self.expected(&format!("',' or {}", close.describe())));
            }
        }
    }
    /// Interns an identifier of the text; repeated ones take no lock.
    #[inline]
    fn ident(&mut self, name: &'a str) -> Ident {
        if let Some(&ident) = self.idents.get(name) {
            return ident;
        }
        let ident = self.ctx.ident(name);
        self.idents.insert(name, ident);
        ident
    }
}
