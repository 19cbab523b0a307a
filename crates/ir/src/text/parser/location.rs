//! Locations: `loc("file":1:2)`, ranges, names, fused ones, call sites, aliases.

use super::{ParseResult, Parser, numbers};
use crate::context::Ident;
use crate::location::{FileRange, Loc, LocKind};
use crate::text::lexer::Tok;

impl Parser<'_> {
    /// `loc(...)`, if it stands here.
    pub fn parse_optional_loc(&mut self) -> ParseResult<Option<Loc>> {
        if !self.at_keyword("loc") {
            return Ok(None);
        }
        self.repeats.locations = true;
        self.parse_loc().map(Some)
    }

    /// `loc(...)`
    pub fn parse_loc(&mut self) -> ParseResult<Loc> {
        self.expect_keyword("loc")?;
        self.expect(Tok::LParen)?;
        let loc = self.parse_loc_body()?;
        self.expect(Tok::RParen)?;
        Ok(loc)
    }

    fn parse_loc_body(&mut self) -> ParseResult<Loc> {
        self.nested(|p| match p.token.kind {
            Tok::String => p.parse_file_or_name(),
            Tok::Hash => p.parse_loc_attr(),
            Tok::Bare => match p.spelling() {
                "unknown" => {
                    p.bump();
                    Ok(Loc::UNKNOWN)
                }
                "callsite" => p.parse_call_site(),
                "fused" => p.parse_fused(),
                _ => Err(p.expected("a location")),
            },
            _ => Err(p.expected("a location")),
        })
    }

    fn parse_file_or_name(&mut self) -> ParseResult<Loc> {
        let text = self.parse_string()?;
        let name = self.ctx.ident(&text);
        if self.eat(Tok::Colon) {
            return self.parse_file_place(name);
        }
        let child = if self.eat(Tok::LParen) {
            let child = self.parse_loc_body()?;
            self.expect(Tok::RParen)?;
            child
        } else {
            Loc::UNKNOWN
        };
        Ok(self.ctx.loc(LocKind::Name { name, child }))
    }

    /// After `"file":` : `line`, or `line:column`, perhaps ` to line:column` or ` to :column`.
    fn parse_file_place(&mut self, file: Ident) -> ParseResult<Loc> {
        let line = self.parse_place_number("line")?;
        if !self.eat(Tok::Colon) {
            return Ok(self.ctx.loc(LocKind::File { file, line, column: 0 }));
        }
        let column = self.parse_place_number("column")?;
        if !self.eat_keyword("to") {
            return Ok(self.ctx.loc(LocKind::File { file, line, column }));
        }
        let end_line = if self.at(Tok::Integer) { self.parse_place_number("line")? } else { line };
        self.expect(Tok::Colon)?;
        let end_column = self.parse_place_number("column")?;
        if (line, column) == (end_line, end_column) {
            return Ok(self.ctx.loc(LocKind::File { file, line, column }));
        }
        let range = FileRange { file, line, column, end_line, end_column };
        Ok(self.ctx.loc(LocKind::FileRange(Box::new(range))))
    }

    fn parse_place_number(&mut self, what: &str) -> ParseResult<u32> {
        if !self.at(Tok::Integer) {
            return Err(self.expected(&format!("integer {what} number")));
        }
        let number = numbers::magnitude(self.spelling()).and_then(|number| u32::try_from(number).ok());
        let pos = self.pos();
        self.bump();
        number.ok_or_else(|| self.error_at(pos, format!("expected integer {what} number of 32 bits")))
    }

    fn parse_call_site(&mut self) -> ParseResult<Loc> {
        self.bump();
        self.expect(Tok::LParen)?;
        let callee = self.parse_loc_body()?;
        self.expect_keyword("at")?;
        let caller = self.parse_loc_body()?;
        self.expect(Tok::RParen)?;
        Ok(self.ctx.loc(LocKind::CallSite { callee, caller }))
    }

    fn parse_fused(&mut self) -> ParseResult<Loc> {
        self.bump();
        let mut metadata = None;
        if self.eat(Tok::Less) {
            metadata = Some(self.parse_attr()?);
            self.expect(Tok::Greater)?;
        }
        let mut parts = Vec::new();
        self.parse_list(Tok::LSquare, Tok::RSquare, |p| {
            parts.push(p.parse_loc_body()?);
            Ok(())
        })?;
        Ok(self.fused(parts, metadata))
    }

    /// As MLIR: nested fused locations with the same metadata are flattened, unknown and repeated ones dropped.
    fn fused(&mut self, parts: Vec<Loc>, metadata: Option<crate::attrs::Attr>) -> Loc {
        let mut flat: Vec<Loc> = Vec::with_capacity(parts.len());
        let mut seen = rustc_hash::FxHashSet::default();
        let mut add = |loc: Loc| {
            if loc != Loc::UNKNOWN && seen.insert(loc) {
                flat.push(loc);
            }
        };
        for part in parts {
            match self.ctx.loc_kind(part) {
                LocKind::Fused(inner) if inner.1 == metadata => inner.0.iter().copied().for_each(&mut add),
                _ => add(part),
            }
        }
        match (flat.as_slice(), metadata) {
            ([], None) => Loc::UNKNOWN,
            ([only], None) => *only,
            ([], Some(_)) => self.ctx.loc(LocKind::Fused(Box::new((vec![Loc::UNKNOWN], metadata)))),
            _ => self.ctx.loc(LocKind::Fused(Box::new((flat, metadata)))),
        }
    }
}
