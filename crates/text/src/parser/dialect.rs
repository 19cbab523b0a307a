//! Types and attributes of dialects (`!dialect.name<...>`, `#dialect<...>`) and uses of aliases.
//!
//! A registered dialect reads its own; what is not registered is kept as text, its body read to the closing
//! delimiter.

use super::{ParseResult, Parser};
use crate::lexer::Tok;
use crate::{AttrParser, TypeParser};
use segra_ir::attrs::{Attr, AttrKind};
use segra_ir::def::Hook;
use segra_ir::opaque::{OpaqueBody, TypeOrAttr};
use segra_ir::types::{Type, TypeKind};
use segra_ir::verify::Unregistered;

/// The owner of a colon after an attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Colon {
    /// The attribute: a type follows.
    OfAttribute,
    /// The format of the op that the attribute stands in.
    OfFormat,
}

impl<'a> Parser<'a> {
    /// `!alias` or `!dialect...`; the current token starts with `!`.
    pub(super) fn parse_exclaim_type(&mut self) -> ParseResult<Type> {
        let name = &self.spelling()[1..];
        let (dialect, mnemonic) = split_name(name);
        if mnemonic.is_none() && !self.opens_body() {
            return self.parse_type_alias_use();
        }
        let ctx = self.ctx;
        if let (Some(definition), Some(mnemonic)) = (ctx.dialect(dialect), mnemonic)
            && let Some(&parse) = hook::<TypeParser>(&definition.types, mnemonic)
        {
            return self.parse_after_name(parse);
        }
        if let (Some(definition), None) = (ctx.dialect(dialect), mnemonic)
            && let Some(&parse) = hook::<TypeParser>(&definition.types, self.word_in_body())
        {
            return self.parse_in_body(parse);
        }
        self.check_unregistered(dialect, mnemonic, "type")?;
        let body = self.parse_opaque_body(dialect)?;
        let dialect = self.ident(dialect);
        Ok(ctx.ty(TypeKind::Opaque { dialect, body }))
    }

    /// `#alias` or `#dialect...`; the current token starts with `#`. `: type` after an attribute of a registered dialect is
    /// read where it belongs to the attribute, as upstream offers it to the reader; none has a use for it.
    pub(super) fn parse_hash_attr(&mut self, colon: Colon) -> ParseResult<Attr> {
        let name = &self.spelling()[1..];
        let (dialect, mnemonic) = split_name(name);
        if mnemonic.is_none() && !self.opens_body() {
            return self.parse_attr_alias_use();
        }
        let ctx = self.ctx;
        if let (Some(definition), Some(mnemonic)) = (ctx.dialect(dialect), mnemonic)
            && let Some(&parse) = hook::<AttrParser>(&definition.attrs, mnemonic)
        {
            let read = self.parse_after_name(parse)?;
            self.skip_trailing_type(colon)?;
            return Ok(read);
        }
        if let (Some(definition), None) = (ctx.dialect(dialect), mnemonic)
            && let Some(&parse) = hook::<AttrParser>(&definition.attrs, self.word_in_body())
        {
            let read = self.parse_in_body(parse)?;
            self.skip_trailing_type(colon)?;
            return Ok(read);
        }
        self.check_unregistered(dialect, mnemonic, "attribute")?;
        let body = self.parse_opaque_body(dialect)?;
        let dialect = self.ident(dialect);
        let ty = if self.eat(Tok::Colon) {
            Some(self.parse_type()?)
        } else {
            None
        };
        Ok(ctx.attr(AttrKind::Opaque { dialect, body, ty }))
    }

    /// `.name<...>` of a registered dialect, from its name on. As upstream, a body that its reader has no use for is
    /// only balanced.
    fn parse_after_name<T>(
        &mut self,
        parse: fn(&mut Parser<'_>) -> ParseResult<T>,
    ) -> ParseResult<T> {
        let end = self.token.end;
        let opens = self.opens_body();
        self.bump();
        let read = parse(self)?;
        if opens && self.last_end == end {
            self.skip_body(end)?;
        }
        Ok(read)
    }

    /// `<name ...>` of a registered dialect, from before the bracket on. As upstream, what its reader leaves of the body
    /// is only balanced.
    fn parse_in_body<T>(&mut self, parse: fn(&mut Parser<'_>) -> ParseResult<T>) -> ParseResult<T> {
        let start = self.token.end;
        self.bump();
        self.bump();
        self.bump();
        let read = parse(self)?;
        if !self.eat(Tok::Greater) {
            self.skip_body(start)?;
        }
        Ok(read)
    }

    /// Steps over a body whose `<` is at `start`.
    fn skip_body(&mut self, start: u32) -> ParseResult<()> {
        let end = self.skip_balanced(start)?;
        self.seek(end);
        self.last_end = end;
        Ok(())
    }

    fn skip_trailing_type(&mut self, colon: Colon) -> ParseResult<()> {
        if colon == Colon::OfAttribute && self.eat(Tok::Colon) {
            self.parse_type()?;
        }
        Ok(())
    }

    /// The word right after the `<` that follows the current token: `dim` in `#gpu<dim x>`.
    fn word_in_body(&self) -> &'a str {
        let rest = self
            .text
            .get(self.token.end as usize + 1..)
            .unwrap_or_default();
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.')))
            .unwrap_or(rest.len());
        &rest[..end]
    }

    /// Whether `<` follows the current token at once.
    fn opens_body(&self) -> bool {
        self.lexer.byte(self.token.end as usize) == b'<'
    }

    fn check_unregistered(
        &mut self,
        dialect: &str,
        mnemonic: Option<&str>,
        what: &str,
    ) -> ParseResult<()> {
        if dialect == "builtin" {
            // Its own are written without a name before them; nobody may add others.
            return Err(self.error(format!("dialect 'builtin' provides no {what} parsing hook")));
        }
        if self.options.allow_unregistered == Unregistered::Allow {
            return Ok(());
        }
        let message = match (self.ctx.dialect(dialect), mnemonic) {
            (Some(_), Some(mnemonic)) => {
                format!("unknown {what} `{mnemonic}` in dialect `{dialect}`")
            }
            (Some(_), None) => format!("dialect `{dialect}` has no {what} of this form"),
            (None, _) => format!(
                "{what} of the dialect `{dialect}`, which is not registered; \
                 `segra-opt --allow-unregistered-dialect` keeps it as it stands"
            ),
        };
        Err(self.error(message))
    }

    /// The text behind the dialect's name: `.name`, `.name<...>` or `<...>`. Steps over it.
    fn parse_opaque_body(&mut self, dialect: &str) -> ParseResult<OpaqueBody> {
        let valid = dialect.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && dialect
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'));
        if !valid {
            return Err(self.error(format!("invalid dialect namespace '{dialect}'")));
        }
        let start = self.token.start + 1 + dialect.len() as u32;
        let end = match self.opens_body() {
            true => self.skip_balanced(self.token.end)?,
            false => self.token.end,
        };
        let body = self.text_of(start, end);
        let parts = self.parts_of_body(start, end)?;
        self.seek(end);
        self.last_end = end;
        let (mut text, parts) = without_parts(body, start, &parts);
        // `<name...>` and `.name...` mean the same: the second is written where that is possible.
        match body
            .strip_prefix('<')
            .and_then(|body| body.strip_suffix('>'))
        {
            Some(inner) if fits_after_dot(inner) => {
                text.pop();
                text.replace_range(..1, ".");
            }
            None if body
                .strip_prefix('.')
                .is_some_and(|name| !fits_after_dot(name)) =>
            {
                text.replace_range(..1, "<");
                text.push('>');
            }
            _ => {}
        }
        Ok(OpaqueBody {
            text: self.ctx.ident(&text),
            parts,
        })
    }

    /// The uses of aliases and the distinct attributes between two places of the text: from, to, what it is.
    fn parts_of_body(&mut self, start: u32, end: u32) -> ParseResult<Vec<(u32, u32, TypeOrAttr)>> {
        let mut parts = Vec::new();
        let bytes = self.text.as_bytes();
        let mut pos = start as usize;
        while pos < end as usize {
            let word = |byte: u8| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'-')
            };
            match bytes[pos] {
                b'"' | b'#' | b'!' => {
                    self.seek(pos as u32);
                    let token = self.token;
                    pos = (token.end as usize).max(pos + 1);
                    let opens = self.opens_body();
                    if matches!(token.kind, Tok::Hash | Tok::Exclaim) && !opens {
                        parts.extend(
                            self.alias_in_body()?
                                .map(|part| (token.start, token.end, part)),
                        );
                    }
                }
                b'd' if !word(bytes[pos - 1]) && is_distinct(&bytes[pos..end as usize]) => {
                    self.seek(pos as u32);
                    let attr = self.parse_attr()?;
                    parts.push((pos as u32, self.last_end, TypeOrAttr::Attr(attr)));
                    pos = self.last_end as usize;
                }
                _ => pos += 1,
            }
        }
        Ok(parts)
    }

    /// The end of a body whose `<` is at `start`: brackets balance, `->` and strings do not count.
    fn skip_balanced(&mut self, start: u32) -> ParseResult<u32> {
        let mut open: Vec<u8> = Vec::new();
        let mut pos = start as usize;
        loop {
            let Some(&byte) = self.text.as_bytes().get(pos) else {
                let name = self.pos();
                return Err(self.error_at(name, "unbalanced '<' in a dialect type or attribute"));
            };
            pos += 1;
            let closes = match byte {
                b'<' | b'(' | b'[' | b'{' => {
                    open.push(byte);
                    continue;
                }
                b'-' if self.lexer.byte(pos) == b'>' => {
                    pos += 1;
                    continue;
                }
                b'"' => {
                    self.seek(pos as u32 - 1);
                    if self.at(Tok::Error) {
                        return Err(self.error("unterminated string"));
                    }
                    pos = self.token.end as usize;
                    continue;
                }
                b'>' => b'<',
                b')' => b'(',
                b']' => b'[',
                b'}' => b'{',
                _ => continue,
            };
            if open.pop() != Some(closes) {
                let at = super::Pos(pos as u32 - 1);
                return Err(
                    self.error_at(at, "unbalanced delimiter in a dialect type or attribute")
                );
            }
            if open.is_empty() {
                return Ok(pos as u32);
            }
        }
    }
}

/// Whether `distinct[7]<` stands here.
fn is_distinct(bytes: &[u8]) -> bool {
    let Some(rest) = bytes.strip_prefix(b"distinct[") else {
        return false;
    };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && rest[digits..].starts_with(b"]<")
}

/// A body, which starts at `start` in the text, without its parts, and where they go.
fn without_parts(
    body: &str,
    start: u32,
    parts: &[(u32, u32, TypeOrAttr)],
) -> (String, Box<[(u32, TypeOrAttr)]>) {
    let mut text = String::with_capacity(body.len());
    let mut from = start;
    let mut places = Vec::with_capacity(parts.len());
    for &(part_start, part_end, part) in parts {
        text.push_str(&body[(from - start) as usize..(part_start - start) as usize]);
        places.push((text.len() as u32, part));
        from = part_end;
    }
    text.push_str(&body[(from - start) as usize..]);
    (text, places.into())
}

fn split_name(name: &str) -> (&str, Option<&str>) {
    match name.split_once('.') {
        Some((dialect, mnemonic)) => (dialect, Some(mnemonic)),
        None => (name, None),
    }
}

/// Whether a body can be written after a dot: a letter, identifier characters, then nothing or `<...>`.
fn fits_after_dot(body: &str) -> bool {
    if !body.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return false;
    }
    let rest = body.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_');
    rest.is_empty() || (rest.starts_with('<') && rest.ends_with('>'))
}

/// How a dialect's own type or attribute of that mnemonic is read.
pub(super) fn hook<'d, F: 'static>(
    rows: &'d [(&'static str, Hook)],
    mnemonic: &str,
) -> Option<&'d F> {
    rows.iter().find(|row| row.0 == mnemonic)?.1.get()
}
