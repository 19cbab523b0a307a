//! Affine maps and integer sets.
//!
//! As in MLIR, `a - b` is read as `a + b * -1`; expressions are simplified as they are built (see [`segra_ir::affine`]).

use super::{ParseResult, Parser, numbers};
use crate::lexer::Tok;
use rustc_hash::FxHashMap;
use segra_ir::attrs::{AffineExpr, AffineMap, Attr, AttrKind, IntegerSet};

/// The names of dimensions and symbols in sight.
#[derive(Debug, Default)]
struct Space<'a> {
    names: FxHashMap<&'a str, AffineExpr>,
    dims: u32,
    symbols: u32,
    terms: std::cell::Cell<u32>,
}

/// Terms of one map or set: expressions are trees whose depth the number of terms bounds.
const MAX_TERMS: u32 = 4096;

impl<'a> Parser<'a> {
    /// `affine_map<(d0)[s0] -> (d0 + s0)>`
    pub(super) fn parse_affine_map_attr(&mut self) -> ParseResult<Attr> {
        self.bump();
        self.expect(Tok::Less)?;
        let map = self.parse_affine_map()?;
        self.expect(Tok::Greater)?;
        Ok(self.ctx.attr(AttrKind::AffineMap(map)))
    }

    /// `(d0)[s0] -> (d0 + s0)`
    pub fn parse_affine_map(&mut self) -> ParseResult<AffineMap> {
        let space = self.parse_affine_space()?;
        self.expect(Tok::Arrow)?;
        let mut results = Vec::new();
        self.parse_list(Tok::LParen, Tok::RParen, |p| {
            results.push(p.parse_affine_sum(&space)?);
            Ok(())
        })?;
        Ok(AffineMap {
            dims: space.dims,
            symbols: space.symbols,
            results,
        })
    }

    /// `affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 == 4)>`
    pub(super) fn parse_affine_set_attr(&mut self) -> ParseResult<Attr> {
        self.bump();
        self.expect(Tok::Less)?;
        let space = self.parse_affine_space()?;
        self.expect(Tok::Colon)?;
        let mut constraints = Vec::new();
        self.parse_list(Tok::LParen, Tok::RParen, |p| {
            constraints.push(p.parse_affine_constraint(&space)?);
            Ok(())
        })?;
        self.expect(Tok::Greater)?;
        if constraints.is_empty() {
            // Always true.
            constraints.push((AffineExpr::Constant(0), true));
        }
        let (dims, symbols) = (space.dims, space.symbols);
        Ok(self.ctx.attr(AttrKind::IntegerSet(IntegerSet {
            dims,
            symbols,
            constraints,
        })))
    }

    fn parse_affine_space(&mut self) -> ParseResult<Space<'a>> {
        let mut space = Space::default();
        self.parse_list(Tok::LParen, Tok::RParen, |p| {
            let expr = AffineExpr::Dim(space.dims);
            space.dims += 1;
            p.parse_affine_name(&mut space, expr)
        })?;
        if self.at(Tok::LSquare) {
            self.parse_list(Tok::LSquare, Tok::RSquare, |p| {
                let expr = AffineExpr::Symbol(space.symbols);
                space.symbols += 1;
                p.parse_affine_name(&mut space, expr)
            })?;
        }
        Ok(space)
    }

    fn parse_affine_name(&mut self, space: &mut Space<'a>, expr: AffineExpr) -> ParseResult<()> {
        let pos = self.pos();
        let Some(name) = self.parse_optional_keyword() else {
            return Err(self.expected("bare identifier"));
        };
        if space.names.insert(name, expr).is_some() {
            return Err(self.error_at(pos, format!("redefinition of identifier '{name}'")));
        }
        Ok(())
    }

    /// `a >= b`, `a <= b`, `a == b`, as a difference and whether it must be 0.
    fn parse_affine_constraint(&mut self, space: &Space<'a>) -> ParseResult<(AffineExpr, bool)> {
        let left = self.parse_affine_sum(space)?;
        let order = self.token.kind;
        if !matches!(order, Tok::Greater | Tok::Less | Tok::Equal) {
            return Err(self.expected(
                "'== affine-expr', '>= affine-expr' or '<= affine-expr' in a constraint",
            ));
        }
        self.bump();
        self.expect(Tok::Equal)?;
        let right = self.parse_affine_sum(space)?;
        Ok(match order {
            Tok::Less => (AffineExpr::difference(right, left), false),
            other => (AffineExpr::difference(left, right), other == Tok::Equal),
        })
    }

    fn parse_affine_sum(&mut self, space: &Space<'a>) -> ParseResult<AffineExpr> {
        self.nested(|p| {
            let mut sum = p.parse_affine_product(space)?;
            loop {
                if p.eat(Tok::Plus) {
                    sum = AffineExpr::sum(sum, p.parse_affine_product(space)?);
                } else if p.eat(Tok::Minus) {
                    sum = AffineExpr::difference(sum, p.parse_affine_product(space)?);
                } else {
                    return Ok(sum);
                }
            }
        })
    }

    fn parse_affine_product(&mut self, space: &Space<'a>) -> ParseResult<AffineExpr> {
        let mut product = self.parse_affine_term(space)?;
        loop {
            let pos = self.pos();
            let op = match self.token.kind {
                Tok::Star => "mul",
                Tok::Bare => match self.spelling() {
                    word @ ("floordiv" | "ceildiv" | "mod") => word,
                    _ => return Ok(product),
                },
                _ => return Ok(product),
            };
            self.bump();
            let right = self.parse_affine_term(space)?;
            if op == "mul" {
                if !product.is_symbolic() && !right.is_symbolic() {
                    let message = "non-affine expression: at least one of the multiply operands has to be either a constant or symbolic";
                    return Err(self.error_at(pos, message));
                }
                product = AffineExpr::product(product, right);
                continue;
            }
            if !right.is_symbolic() {
                let message = format!(
                    "non-affine expression: right operand of {op} has to be either a constant or symbolic"
                );
                return Err(self.error_at(pos, message));
            }
            product = match op {
                "floordiv" => AffineExpr::floor_div(product, right),
                "ceildiv" => AffineExpr::ceil_div(product, right),
                _ => AffineExpr::remainder(product, right),
            };
        }
    }

    fn parse_affine_term(&mut self, space: &Space<'a>) -> ParseResult<AffineExpr> {
        space.terms.set(space.terms.get() + 1);
        if space.terms.get() > MAX_TERMS {
            return Err(self.error(format!(
                "an affine map or set has at most {MAX_TERMS} terms"
            )));
        }
        match self.token.kind {
            // The word is set aside for maps over SSA values, which no attribute is.
            Tok::Bare if self.at_keyword("symbol") => Err(self.error("expected bare identifier")),
            Tok::Bare => {
                let name = self.spelling();
                let Some(expr) = space.names.get(name).cloned() else {
                    return Err(self.error(format!("use of undeclared identifier '{name}'")));
                };
                self.bump();
                Ok(expr)
            }
            Tok::Integer => {
                let value =
                    numbers::magnitude(self.spelling()).and_then(|value| i64::try_from(value).ok());
                let Some(value) = value else {
                    return Err(self.error("constant too large for index"));
                };
                self.bump();
                Ok(AffineExpr::Constant(value))
            }
            Tok::LParen => {
                self.bump();
                if self.at(Tok::RParen) {
                    return Err(self.error("no expression inside parentheses"));
                }
                let inner = self.parse_affine_sum(space)?;
                self.expect(Tok::RParen)?;
                Ok(inner)
            }
            Tok::Minus => {
                self.bump();
                let inner = self.nested(|p| p.parse_affine_term(space))?;
                Ok(AffineExpr::product(AffineExpr::Constant(-1), inner))
            }
            _ => Err(self.expected("affine expression")),
        }
    }
}
