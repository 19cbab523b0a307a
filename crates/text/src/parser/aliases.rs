//! Aliases: `!t = type` and `#a = attribute` at the top level, used before or after their definition.
//!
//! The first use of an alias that is not known yet looks for definitions in the whole text (lines that start with
//! `#name =` or `!name =`), once; a definition found so is read where it stands, when it is needed.

use super::{ParseResult, Parser};
use crate::lexer::{Lexer, Tok, Token};
use segra_ir::attrs::{Attr, AttrKind};
use segra_ir::intern::Positions;
use segra_ir::location::{Loc, LocKind};
use segra_ir::opaque::TypeOrAttr;
use segra_ir::types::{Type, TypeKind};

/// How many parts of a fused location are copied at most into one that is made of it, however deep such aliases nest.
const COPIED_PARTS: usize = 256;

/// The expansion of an alias.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    Type(Type),
    Attr(Attr),
    /// Not read yet.
    Unread,
    /// Being read: using it now would never end.
    Reading,
}

#[derive(Clone, Copy, Debug)]
struct Alias {
    meaning: Meaning,
    /// Where its definition starts.
    start: u32,
    /// Where its definition ends, once it is read.
    end: u32,
    /// How deep it nests: a chain of aliases nests as what it stands for does.
    depth: u32,
}

/// The aliases of a file; keys are spelled with their `#` or `!`.
#[derive(Debug, Default)]
pub(super) struct Aliases<'a> {
    names: Positions,
    table: Vec<(&'a str, Alias)>,
    searched: bool,
    /// Names of locations and where they are defined, in the order of the text; how many have been looked at.
    locations: Vec<(&'a str, u32)>,
    next_location: usize,
    /// Names of opaque types and attributes.
    noted: Vec<(&'a str, TypeOrAttr)>,
}

impl<'a> Aliases<'a> {
    fn find(&self, hash: u32, name: &str) -> Option<u32> {
        self.names
            .find(hash, |index| self.table[index as usize].0 == name)
    }
    fn get(&self, name: &str) -> Option<Alias> {
        let index = self.find(Positions::hash(name), name)?;
        Some(self.table[index as usize].1)
    }
    /// The position of an alias, a new one where there was none.
    fn index(&mut self, name: &'a str) -> usize {
        let hash = Positions::hash(name);
        let index = self.find(hash, name).unwrap_or_else(|| {
            let index = self.table.len() as u32;
            self.table.push((
                name,
                Alias {
                    meaning: Meaning::Unread,
                    start: 0,
                    end: 0,
                    depth: 0,
                },
            ));
            self.names.insert(hash, index);
            index
        });
        index as usize
    }
}

impl<'a> Parser<'a> {
    /// `!name = type` or `#name = attribute` at the top level; the current token is the name.
    pub(super) fn parse_alias_definition(&mut self) -> ParseResult<()> {
        let (name, pos) = (self.spelling(), self.pos());
        if name.contains('.') {
            let message = "names with a '.' are reserved for dialect-defined names";
            return Err(self.error_at(pos, message));
        }
        match self.aliases.get(name) {
            Some(alias) if alias.start != pos.0 => {
                let what = if name.starts_with('!') {
                    "type"
                } else {
                    "attribute"
                };
                let message = format!("redefinition of {what} alias id '{}'", &name[1..]);
                Err(self.error_with_note(pos, message, super::Pos(alias.start), "defined here"))
            }
            // Read already, for a use before it.
            Some(Alias {
                meaning: Meaning::Type(_) | Meaning::Attr(_),
                end,
                ..
            }) => {
                self.seek(end);
                self.last_end = end;
                Ok(())
            }
            _ => self.read_alias(name).map(drop),
        }
    }

    /// Reads the definition that starts at the current token.
    fn read_alias(&mut self, name: &'a str) -> ParseResult<Meaning> {
        let start = self.token.start;
        let is_type = self.at(Tok::Exclaim);
        self.bump();
        self.expect(Tok::Equal)?;
        let index = self.aliases.index(name);
        self.aliases.table[index].1 = Alias {
            meaning: Meaning::Reading,
            start,
            end: start,
            depth: 0,
        };
        let outer = std::mem::replace(&mut self.deepest, self.depth);
        let result = match is_type {
            true => self.parse_type().map(Meaning::Type),
            false => self.parse_attr().map(Meaning::Attr),
        };
        let result = result.map(|meaning| self.note_alias(name, meaning));
        let meaning = result.unwrap_or(Meaning::Unread);
        let depth = if self.is_chain(meaning) {
            0
        } else {
            self.deepest - self.depth
        };
        self.deepest = outer.max(self.deepest);
        self.aliases.table[index].1 = Alias {
            meaning,
            start,
            end: self.last_end,
            depth,
        };
        result
    }

    /// Whether it is a location that may nest as deep as the input has lines: nothing goes into locations level by level.
    /// Of fused ones only those of few parts, for they are copied into one another.
    fn is_chain(&self, meaning: Meaning) -> bool {
        let Meaning::Attr(attr) = meaning else {
            return false;
        };
        let AttrKind::Loc(loc) = *self.ctx.attr_kind(attr) else {
            return false;
        };
        match self.ctx.loc_kind(loc) {
            LocKind::CallSite { .. } | LocKind::Name { .. } => true,
            LocKind::Fused(parts) => parts.0.len() <= COPIED_PARTS,
            _ => false,
        }
    }

    /// Reads the definitions of locations that stand before `start`: later ones use them, and one at a time none goes
    /// deep.
    fn read_earlier_locations(&mut self, start: u32) {
        while let Some(&(name, at)) = self.aliases.locations.get(self.aliases.next_location) {
            if at >= start {
                return;
            }
            self.aliases.next_location += 1;
            let is_unread = |alias: Alias| matches!(alias.meaning, Meaning::Unread);
            if self.aliases.get(name).is_some_and(is_unread) {
                self.seek(at);
                // Its errors are reported where the alias is needed or stands.
                let _ = self.read_alias(name);
            }
        }
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

    /// `#name` or `#dialect.location<...>` where a location is wanted.
    pub(super) fn parse_loc_attr(&mut self) -> ParseResult<Loc> {
        let (name, pos) = (self.spelling(), self.pos());
        let attr = self.parse_hash_attr(super::dialect::Colon::OfAttribute)?;
        match *self.ctx.attr_kind(attr) {
            AttrKind::Loc(loc) => Ok(loc),
            AttrKind::Opaque { .. } | AttrKind::Dialect(_) => Ok(self.ctx.loc(LocKind::Attr(attr))),
            _ => Err(self.error_at(pos, format!("expected location, but found '{name}'"))),
        }
    }

    /// Remembers the name of what only has one because its dialect, which is not registered, gave it one; `#loc`
    /// names locations.
    fn note_alias(&mut self, name: &'a str, meaning: Meaning) -> Meaning {
        let ctx = self.ctx;
        let entity = match meaning {
            Meaning::Type(ty) if matches!(ctx.type_kind(ty), TypeKind::Opaque { .. }) => {
                TypeOrAttr::Type(ty)
            }
            Meaning::Attr(attr) if matches!(ctx.attr_kind(attr), AttrKind::Opaque { .. }) => {
                if name[1..].trim_end_matches(|c: char| c.is_ascii_digit()) == "loc" {
                    return Meaning::Attr(ctx.attr(AttrKind::Loc(ctx.loc(LocKind::Attr(attr)))));
                }
                TypeOrAttr::Attr(attr)
            }
            _ => return meaning,
        };
        self.aliases.noted.push((name, entity));
        meaning
    }

    /// Hands the names of aliases to the program: without the number that tells several of one name apart.
    pub(super) fn keep_alias_names(&mut self) {
        for (name, entity) in std::mem::take(&mut self.aliases.noted) {
            let full = &name[1..];
            let stem = full.trim_end_matches(|c: char| c.is_ascii_digit());
            let taken = |sigil: char| self.aliases.get(&format!("{sigil}{stem}")).is_some();
            let numbered = !stem.is_empty() && (taken('#') || taken('!'));
            let name = self.ident(if numbered { stem } else { full });
            self.ir.alias_names_mut().entry(entity).or_insert(name);
        }
    }

    /// The alias at the current token, inside the body of an opaque type or attribute; `None` where it is none.
    pub(super) fn alias_in_body(&mut self) -> ParseResult<Option<TypeOrAttr>> {
        let name = self.spelling();
        if let Some(Alias {
            meaning: Meaning::Reading,
            ..
        }) = self.aliases.get(name)
        {
            return Ok(None);
        }
        Ok(match self.nested(Parser::resolve_alias)? {
            Meaning::Type(ty) => Some(TypeOrAttr::Type(ty)),
            Meaning::Attr(attr) => Some(TypeOrAttr::Attr(attr)),
            Meaning::Unread | Meaning::Reading => None,
        })
    }

    fn undefined_alias(&mut self, what: &str) -> super::ParseFailure {
        let name = &self.spelling()[1..];
        self.error(format!(
            "undefined symbol alias id '{name}' for {what} alias"
        ))
    }

    /// The expansion of the alias at the current token; `Unread` where it is not defined.
    fn resolve_alias(&mut self) -> ParseResult<Meaning> {
        let name = self.spelling();
        let mut found = self.aliases.get(name);
        if found.is_none() && !self.aliases.searched {
            self.find_definitions();
            found = self.aliases.get(name);
        }
        match found {
            Some(Alias {
                meaning: Meaning::Unread,
                start,
                ..
            }) => {
                let (back, last_end): (Token, u32) = (self.token, self.last_end);
                if name.starts_with("#loc") {
                    self.read_earlier_locations(start);
                }
                self.seek(start);
                let result = self.read_alias(name);
                self.lexer.seek(back.end as usize);
                (self.token, self.last_end) = (back, last_end);
                result
            }
            Some(Alias {
                meaning: Meaning::Reading,
                ..
            }) => Err(self.error(format!("alias '{name}' is defined by itself"))),
            Some(Alias { meaning, depth, .. }) => {
                // The use itself counts as a level already.
                self.go_deeper(depth.saturating_sub(1))?;
                Ok(meaning)
            }
            None => Ok(Meaning::Unread),
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
                if matches!(name.kind, Tok::Hash | Tok::Exclaim)
                    && lexer.next_token().kind == Tok::Equal
                {
                    let spelling = self.text_of(name.start, name.end);
                    let alias = Alias {
                        meaning: Meaning::Unread,
                        start: name.start,
                        end: name.start,
                        depth: 0,
                    };
                    if spelling.starts_with("#loc") {
                        self.aliases.locations.push((spelling, name.start));
                    }
                    if self.aliases.get(spelling).is_none() {
                        let index = self.aliases.index(spelling);
                        self.aliases.table[index].1 = alias;
                    }
                }
            }
            line = memchr::memchr(b'\n', &bytes[line..])
                .map_or(bytes.len(), |distance| line + distance + 1);
        }
    }
}
