//! Locations: `loc("file":1:2)`, ranges, names, fused ones, call sites, aliases.

use super::{ParseResult, Parser, numbers};
use crate::lexer::Tok;
use segra_ir::attrs::Attr;
use segra_ir::context::Ident;
use segra_ir::location::{FileRange, Loc, LocKind};

/// A location whose parts are being read.
enum Open {
    /// `"name"(`
    Name(Ident),
    /// `callsite(`
    Callee,
    /// `callsite(callee at`
    Caller(Loc),
    /// `fused<metadata>[`
    Fused(Fused),
}

/// A fused location, and those of its kind directly inside it.
struct Fused {
    metadata: Option<Attr>,
    parts: Vec<Loc>,
    /// How many brackets are open.
    brackets: usize,
}

/// Whether all brackets of a fused location are closed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Closed {
    Yes,
    No,
}

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

    /// The text between the parentheses of `loc(...)`. Locations nest as deep as memory allows: what is still open lies
    /// on a stack of its own.
    fn parse_loc_body(&mut self) -> ParseResult<Loc> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let Some(mut done) = self.start_loc(&mut open)? else {
                continue;
            };
            // Closes what ends here.
            loop {
                done = match open.pop() {
                    None => return Ok(done),
                    Some(Open::Name(name)) => {
                        self.expect(Tok::RParen)?;
                        self.ctx.loc(LocKind::Name { name, child: done })
                    }
                    Some(Open::Callee) => {
                        self.expect_keyword("at")?;
                        open.push(Open::Caller(done));
                        break;
                    }
                    Some(Open::Caller(callee)) => {
                        self.expect(Tok::RParen)?;
                        self.ctx.loc(LocKind::CallSite {
                            callee,
                            caller: done,
                        })
                    }
                    Some(Open::Fused(mut fused)) => {
                        fused.parts.push(done);
                        match self.close_fused(&mut fused)? {
                            Closed::Yes => self.fused(fused.parts, fused.metadata),
                            Closed::No => {
                                open.push(Open::Fused(fused));
                                break;
                            }
                        }
                    }
                };
            }
        }
    }

    /// Reads a location without parts, or the start of one with parts, which goes to `open`.
    fn start_loc(&mut self, open: &mut Vec<Open>) -> ParseResult<Option<Loc>> {
        match self.token.kind {
            Tok::String => {
                let text = self.parse_string()?;
                let name = self.ctx.ident(&text);
                if self.eat(Tok::Colon) {
                    return self.parse_file_place(name).map(Some);
                }
                if self.eat(Tok::LParen) {
                    open.push(Open::Name(name));
                    return Ok(None);
                }
                Ok(Some(self.ctx.loc(LocKind::Name {
                    name,
                    child: Loc::UNKNOWN,
                })))
            }
            Tok::Hash => self.nested(Parser::parse_loc_attr).map(Some),
            Tok::Bare => match self.spelling() {
                "unknown" => {
                    self.bump();
                    Ok(Some(Loc::UNKNOWN))
                }
                "callsite" => {
                    self.bump();
                    self.expect(Tok::LParen)?;
                    open.push(Open::Callee);
                    Ok(None)
                }
                "fused" => self.start_fused(open),
                _ => Err(self.expected("a location")),
            },
            _ => Err(self.expected("a location")),
        }
    }

    /// `fused<metadata>[`; one right inside another with the same metadata only adds to its parts.
    fn start_fused(&mut self, open: &mut Vec<Open>) -> ParseResult<Option<Loc>> {
        self.bump();
        let mut metadata = None;
        if self.eat(Tok::Less) {
            metadata = Some(self.parse_attr()?);
            self.expect(Tok::Greater)?;
        }
        self.expect(Tok::LSquare)?;
        match open.last_mut() {
            Some(Open::Fused(around)) if around.metadata == metadata => around.brackets += 1,
            _ => open.push(Open::Fused(Fused {
                metadata,
                parts: Vec::new(),
                brackets: 1,
            })),
        }
        if !self.at(Tok::RSquare) {
            return Ok(None);
        }
        let Some(Open::Fused(mut fused)) = open.pop() else {
            return Ok(None);
        };
        match self.close_fused(&mut fused)? {
            Closed::Yes => Ok(Some(self.fused(fused.parts, fused.metadata))),
            Closed::No => {
                open.push(Open::Fused(fused));
                Ok(None)
            }
        }
    }

    /// After a part: the brackets that close here; `No`: another part follows.
    fn close_fused(&mut self, fused: &mut Fused) -> ParseResult<Closed> {
        while fused.brackets > 0 {
            if self.eat(Tok::Comma) {
                return Ok(Closed::No);
            }
            if !self.eat(Tok::RSquare) {
                return Err(self.expected(&format!("',' or {}", Tok::RSquare.describe())));
            }
            fused.brackets -= 1;
        }
        Ok(Closed::Yes)
    }

    /// After `"file":` : `line`, or `line:column`, perhaps ` to line:column` or ` to :column`.
    fn parse_file_place(&mut self, file: Ident) -> ParseResult<Loc> {
        let line = self.parse_place_number("line")?;
        if !self.eat(Tok::Colon) {
            return Ok(self.ctx.loc(LocKind::File {
                file,
                line,
                column: 0,
            }));
        }
        let column = self.parse_place_number("column")?;
        if !self.eat_keyword("to") {
            return Ok(self.ctx.loc(LocKind::File { file, line, column }));
        }
        let end_line = if self.at(Tok::Integer) {
            self.parse_place_number("line")?
        } else {
            line
        };
        self.expect(Tok::Colon)?;
        let end_column = self.parse_place_number("column")?;
        if (line, column) == (end_line, end_column) {
            return Ok(self.ctx.loc(LocKind::File { file, line, column }));
        }
        let range = FileRange {
            file,
            line,
            column,
            end_line,
            end_column,
        };
        Ok(self.ctx.loc(LocKind::FileRange(Box::new(range))))
    }

    fn parse_place_number(&mut self, what: &str) -> ParseResult<u32> {
        if !self.at(Tok::Integer) {
            return Err(self.expected(&format!("integer {what} number")));
        }
        let number =
            numbers::magnitude(self.spelling()).and_then(|number| u32::try_from(number).ok());
        let pos = self.pos();
        self.bump();
        number
            .ok_or_else(|| self.error_at(pos, format!("expected integer {what} number of 32 bits")))
    }

    /// As MLIR: nested fused locations with the same metadata are flattened, unknown and repeated ones dropped.
    fn fused(&mut self, parts: Vec<Loc>, metadata: Option<Attr>) -> Loc {
        let mut flat: Vec<Loc> = Vec::with_capacity(parts.len());
        let mut seen = rustc_hash::FxHashSet::default();
        let mut add = |loc: Loc| {
            if loc != Loc::UNKNOWN && seen.insert(loc) {
                flat.push(loc);
            }
        };
        for part in parts {
            match self.ctx.loc_kind(part) {
                LocKind::Fused(inner) if inner.1 == metadata => {
                    inner.0.iter().copied().for_each(&mut add)
                }
                _ => add(part),
            }
        }
        match (flat.as_slice(), metadata) {
            ([], None) => Loc::UNKNOWN,
            ([only], None) => *only,
            ([], Some(_)) => self
                .ctx
                .loc(LocKind::Fused(Box::new((vec![Loc::UNKNOWN], metadata)))),
            _ => self.ctx.loc(LocKind::Fused(Box::new((flat, metadata)))),
        }
    }
}
