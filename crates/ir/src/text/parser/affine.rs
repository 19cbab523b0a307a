//! Affine maps and integer sets.
//!
//! As in MLIR, `a - b` is read as `a + b * -1` and constants are folded where both sides are known.

use super::{ParseResult, Parser, numbers};
use crate::attrs::{AffineExpr, AffineMap, Attr, AttrKind, IntegerSet};
use crate::text::lexer::Tok;
use rustc_hash::FxHashMap;

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

impl AffineMap {
    /// Whether it is `(d0, d1, ...) -> (d0, d1, ...)`, without symbols.
    pub fn is_identity(&self) -> bool {
        let ordered = |(index, expr): (usize, &AffineExpr)| *expr == AffineExpr::Dim(index as u32);
        self.symbols == 0
            && self.results.len() == self.dims as usize
            && self.results.iter().enumerate().all(ordered)
    }
}

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
        Ok(AffineMap { dims: space.dims, symbols: space.symbols, results })
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
        let (dims, symbols) = (space.dims, space.symbols);
        Ok(self.ctx.attr(AttrKind::IntegerSet(IntegerSet { dims, symbols, constraints })))
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
            return Err(
                self.expected("'== affine-expr', '>= affine-expr' or '<= affine-expr' in a constraint")
            );
        }
        self.bump();
        self.expect(Tok::Equal)?;
        let right = self.parse_affine_sum(space)?;
        Ok(match order {
            Tok::Less => (sub(right, left), false),
            other => (sub(left, right), other == Tok::Equal),
        })
    }

    fn parse_affine_sum(&mut self, space: &Space<'a>) -> ParseResult<AffineExpr> {
        self.nested(|p| {
            let mut sum = p.parse_affine_product(space)?;
            loop {
                if p.eat(Tok::Plus) {
                    sum = add(sum, p.parse_affine_product(space)?);
                } else if p.eat(Tok::Minus) {
                    sum = sub(sum, p.parse_affine_product(space)?);
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
                if !is_symbolic(&product) && !is_symbolic(&right) {
                    let message = "non-affine expression: at least one of the multiply operands has to be either a constant or symbolic";
                    return Err(self.error_at(pos, message));
                }
                product = mul(product, right);
                continue;
            }
            if !is_symbolic(&right) {
                let message = format!(
                    "non-affine expression: right operand of {op} has to be either a constant or symbolic"
                );
                return Err(self.error_at(pos, message));
            }
            product = divide(op, product, right);
        }
    }

    fn parse_affine_term(&mut self, space: &Space<'a>) -> ParseResult<AffineExpr> {
        space.terms.set(space.terms.get() + 1);
        if space.terms.get() > MAX_TERMS {
            return Err(self.error(format!("an affine map or set has at most {MAX_TERMS} terms")));
        }
        match self.token.kind {
            Tok::Bare => {
                let name = self.spelling();
                let Some(expr) = space.names.get(name).cloned() else {
                    return Err(self.error(format!("use of undeclared identifier '{name}'")));
                };
                self.bump();
                Ok(expr)
            }
            Tok::Integer => {
                let value = numbers::magnitude(self.spelling()).and_then(|value| i64::try_from(value).ok());
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
                Ok(mul(inner, AffineExpr::Constant(-1)))
            }
            _ => Err(self.expected("affine expression")),
        }
    }
}

fn is_symbolic(expr: &AffineExpr) -> bool {
    match expr {
        AffineExpr::Dim(_) => false,
        AffineExpr::Symbol(_) | AffineExpr::Constant(_) => true,
        AffineExpr::Add(pair) | AffineExpr::Mul(pair) | AffineExpr::Mod(pair) => {
            is_symbolic(&pair.0) && is_symbolic(&pair.1)
        }
        AffineExpr::FloorDiv(pair) | AffineExpr::CeilDiv(pair) => {
            is_symbolic(&pair.0) && is_symbolic(&pair.1)
        }
    }
}

fn add(left: AffineExpr, right: AffineExpr) -> AffineExpr {
    use AffineExpr::{Add, Constant};
    match (left, right) {
        (Constant(a), Constant(b)) => match a.checked_add(b) {
            Some(sum) => Constant(sum),
            None => Add(Box::new((Constant(a), Constant(b)))),
        },
        (other, Constant(0)) | (Constant(0), other) => other,
        // Constants stand on the right.
        (constant @ Constant(_), other) => Add(Box::new((other, constant))),
        (left, right) => Add(Box::new((left, right))),
    }
}

fn sub(left: AffineExpr, right: AffineExpr) -> AffineExpr {
    add(left, mul(right, AffineExpr::Constant(-1)))
}

fn mul(left: AffineExpr, right: AffineExpr) -> AffineExpr {
    use AffineExpr::{Constant, Mul};
    match (left, right) {
        (Constant(a), Constant(b)) => match a.checked_mul(b) {
            Some(product) => Constant(product),
            None => Mul(Box::new((Constant(a), Constant(b)))),
        },
        (other, Constant(1)) | (Constant(1), other) => other,
        (_, Constant(0)) | (Constant(0), _) => Constant(0),
        (Mul(inner), Constant(outer)) => match inner.1 {
            Constant(factor) if factor.checked_mul(outer).is_some() => mul(inner.0, Constant(factor * outer)),
            _ => Mul(Box::new((Mul(inner), Constant(outer)))),
        },
        (left, right) if is_symbolic(&left) && !is_symbolic(&right) => Mul(Box::new((right, left))),
        (constant @ Constant(_), other) => Mul(Box::new((other, constant))),
        (left, right) => Mul(Box::new((left, right))),
    }
}

fn divide(op: &str, left: AffineExpr, right: AffineExpr) -> AffineExpr {
    use AffineExpr::{CeilDiv, Constant, FloorDiv, Mod};
    if let (&Constant(a), &Constant(b)) = (&left, &right)
        && b > 0
    {
        let (floor, rest) = (a.div_euclid(b), a.rem_euclid(b));
        return Constant(match op {
            "floordiv" => floor,
            "ceildiv" => floor + i64::from(rest != 0),
            _ => rest,
        });
    }
    match (op, left, right) {
        ("floordiv" | "ceildiv", left, Constant(1)) => left,
        ("floordiv", left, right) => FloorDiv(Box::new((left, right))),
        ("ceildiv", left, right) => CeilDiv(Box::new((left, right))),
        (_, _, Constant(1)) => Constant(0),
        (_, left, right) => Mod(Box::new((left, right))),
    }
}
