//! The metadata section `{-# ... #-}`: resources of dialects and tools, kept as they are spelled.

use super::{ParseResult, Parser};
use crate::lexer::{Tok, unescape};
use segra_ir::context::Ident;
use segra_ir::resource::ResourceGroup;

impl Parser<'_> {
    /// `{-# dialect_resources: {...}, external_resources: {...} #-}`
    pub(super) fn parse_metadata(&mut self) -> ParseResult<()> {
        self.parse_list(Tok::MetadataBegin, Tok::MetadataEnd, |p| {
            let pos = p.pos();
            let section = p.parse_keyword()?;
            p.expect(Tok::Colon)?;
            match section {
                "dialect_resources" => {
                    let groups = p.parse_resource_groups(Parser::parse_dialect_resource)?;
                    p.ir.resources_mut().dialect.extend(groups);
                }
                "external_resources" => {
                    let groups = p.parse_resource_groups(Parser::parse_resource_value)?;
                    p.ir.resources_mut().external.extend(groups);
                }
                _ => {
                    let message = format!("unknown key '{section}' in file metadata dictionary");
                    return Err(p.error_at(pos, message));
                }
            }
            Ok(())
        })
    }

    fn parse_resource_groups(
        &mut self,
        value: fn(&mut Self, Ident, Ident) -> ParseResult<Box<str>>,
    ) -> ParseResult<Vec<ResourceGroup>> {
        let mut groups = Vec::new();
        self.parse_list(Tok::LBrace, Tok::RBrace, |p| {
            let owner = p.parse_resource_name()?;
            p.expect(Tok::Colon)?;
            let mut entries = Vec::new();
            p.parse_list(Tok::LBrace, Tok::RBrace, |p| {
                let key = p.parse_resource_name()?;
                p.expect(Tok::Colon)?;
                entries.push((key, value(p, owner, key)?));
                Ok(())
            })?;
            groups.push(ResourceGroup { owner, entries });
            Ok(())
        })?;
        Ok(groups)
    }

    /// An identifier or a string.
    pub(super) fn parse_resource_name(&mut self) -> ParseResult<Ident> {
        if self.at(Tok::String) {
            let text = self.parse_string()?;
            return Ok(self.ctx.ident(&text));
        }
        let word = self.parse_keyword()?;
        Ok(self.ident(word))
    }

    /// A value of a dialect; `builtin` has blobs only: hexadecimal, four bytes of alignment first.
    fn parse_dialect_resource(&mut self, owner: Ident, key: Ident) -> ParseResult<Box<str>> {
        let pos = self.pos();
        if self.ctx.str(owner) == "builtin" {
            let problem = match self.at(Tok::String) {
                true => blob_problem(&unescape(self.spelling())),
                false => Some(""),
            };
            if let Some(problem) = problem {
                let message = format!(
                    "expected hex string blob for key '{}'{problem}",
                    self.ctx.str(key)
                );
                return Err(self.error_at(pos, message));
            }
        }
        self.parse_resource_value(owner, key)
    }

    fn parse_resource_value(&mut self, _owner: Ident, key: Ident) -> ParseResult<Box<str>> {
        let fits = self.at(Tok::String) || self.at_keyword("true") || self.at_keyword("false");
        if !fits {
            let message = format!(
                "expected a string, 'true' or 'false' for key '{}'",
                self.ctx.str(key)
            );
            return Err(self.error(message));
        }
        let spelling = self.spelling();
        self.bump();
        Ok(spelling.into())
    }
}

/// The check of a blob: it starts with its alignment, four bytes, lowest first.
fn blob_problem(text: &[u8]) -> Option<&'static str> {
    const ALIGNMENT_DIGITS: usize = 8;
    let Some(digits) = text.strip_prefix(b"0x") else {
        return Some("");
    };
    if !digits.len().is_multiple_of(2) || !digits.iter().all(u8::is_ascii_hexdigit) {
        return Some("");
    }
    let Some(alignment) = digits.get(..ALIGNMENT_DIGITS) else {
        return Some(" to encode alignment in first 4 bytes");
    };
    let bits = |digit: &u8| (*digit as char).to_digit(16).unwrap_or(0).count_ones();
    match alignment.iter().map(bits).sum() {
        0 | 1 => None,
        _ => Some(" to encode alignment in first 4 bytes, but it is not a power of two"),
    }
}
