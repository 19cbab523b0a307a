//! Aliases: `!t = type` and `#a = attribute` at the top level, used before or after their definition.
//!
//! The first use of an alias that is not known yet looks for definitions in the whole text (lines that start with
//! `#name =` or `!name =`), once; a definition found so is read where it stands, when it is needed.

use super::{ParseResult, Parser};
use crate::attrs::{Attr, AttrKind};
use crate::location::Loc;
use crate::text::lexer::{Lexer, Tok, Token};
use crate::types::Type;
use rustc_hash::FxHashMap;

/// What an alias stands for.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    Type(Type),
    Attr(Attr),
    /// Defined at this byte, not read yet.
    At(u32),
    /// Being read: using it now would never end.
    Reading,
}

/// The aliases of a file; keys are spelled with their `#` or `!`.
#[derive(Debug, Default)]
pub(super) struct Aliases<'a> {
    known: FxHashMap<&'a str, Meaning>,
    /// Where the definition of a known alias starts, to find redefinitions.
    starts: FxHashMap<&'a str, u32>,
    searched: bool,
}

impl<'a> Parser<'a> {
    /// `!name = type` or `#name = attribute` at the top level; the current token is the name.
    pub(super) fn parse_alias_definition(&mut self) -> ParseResult<()> {
        let (name, pos) = (self.spelling(), self.pos());
        if name.contains('.') {
            let message = "names with a '.' are reserved for dialect-defined names";
            return Err(self.error_at(pos, message));
        }
        let earlier = self.aliases.starts.insert(name, pos.0);
        if let Some(earlier) = earlier.filter(|&earlier| earlier != pos.0) {
            self.aliases.starts.insert(name, earlier);
            let what = if name.starts_with('!') { "type" } else { "attribute" };
            let message = format!("redefinition of {what} alias id '{}'", &name[1..]);
            return Err(self.error_with_note(pos, message, super::Pos(earlier), "defined here"));
        }
        self.read_alias(name)
    }

    /// Reads the definition that starts at the current token.
    fn read_alias(&mut self, name: &'a str) -> ParseResult<()> {
        let is_type = self.at(Tok::Exclaim);
        self.bump();
        self.expect(Tok::Equal)?;
        self.aliases.known.insert(name, Meaning::Reading);
        let meaning = match is_type {
            true => Meaning::Type(self.parse_type()?),
            false => Meaning::Attr(self.parse_attr()?),
        };
        self.aliases.known.insert(name, meaning);
        Ok(())
    }

    pub(super) fn parse_type_alias_use(&mut self) -> ParseResult<Type> {
        match self.resolve_alias()? {
            Meaning::Type(ty) => {
                self.bump();
                Ok(ty)
            }
            _ => Err(self.undefined_alias("type")),
        }
    }

    pub(super) fn parse_attr_alias_use(&mut self) -> ParseResult<Attr> {
        match self.resolve_alias()? {
            Meaning::Attr(attr) => {
                self.bump();
                Ok(attr)
            }
            _ => Err(self.undefined_alias("attribute")),
        }
    }

    /// `#name` where a location is wanted.
    pub(super) fn parse_loc_alias_use(&mut self) -> ParseResult<Loc> {
        let (name, pos) = (self.spelling(), self.pos());
        let attr = self.parse_attr()?;
        match *self.ctx.attr_kind(attr) {
            AttrKind::Loc(loc) => Ok(loc),
            _ => Err(self.error_at(pos, format!("expected location, but found '{name}'"))),
        }
    }

    fn undefined_alias(&mut self, what: &str) -> super::ParseFailure {
        let name = &self.spelling()[1..];
        self.error(format!("undefined symbol alias id '{name}' for {what} alias"))
    }

    /// What the alias at the current token stands for; `At` where it is not defined.
    fn resolve_alias(&mut self) -> ParseResult<Meaning> {
        let name = self.spelling();
        if !self.aliases.known.contains_key(name) && !self.aliases.searched {
            self.find_definitions();
        }
        match self.aliases.known.get(name).copied() {
            Some(Meaning::At(start)) => {
                let back: Token = self.token;
                let (last_end, depth) = (self.last_end, self.depth);
                self.seek(start);
                self.aliases.starts.insert(name, start);
                let result = self.read_alias(name);
                self.seek(back.start);
                (self.last_end, self.depth) = (last_end, depth);
                result?;
                Ok(self.aliases.known.get(name).copied().unwrap_or(Meaning::Reading))
            }
            Some(Meaning::Reading) => Err(self.error(format!("alias '{name}' is defined by itself"))),
            Some(meaning) => Ok(meaning),
            None => Ok(Meaning::At(0)),
        }
    }

    /// Looks for lines that define an alias; the first definition of a name counts.
    fn find_definitions(&mut self) {
        self.aliases.searched = true;
        let bytes = self.text.as_bytes();
        let mut line = 0;
        while line < bytes.len() {
            let mut pos = line;
            while matches!(bytes.get(pos), Some(b' ' | b'\t')) {
                pos += 1;
            }
            if matches!(bytes.get(pos), Some(b'#' | b'!')) {
                let mut lexer = Lexer::new(self.text);
                lexer.seek(pos);
                let name = lexer.next_token();
                if matches!(name.kind, Tok::Hash | Tok::Exclaim) && lexer.next_token().kind == Tok::Equal {
                    let spelling = self.text_of(name.start, name.end);
                    self.aliases.known.entry(spelling).or_insert(Meaning::At(name.start));
                }
            }
            line = memchr::memchr(b'\n', &bytes[line..]).map_or(bytes.len(), |distance| line + distance + 1);
        }
    }
}
