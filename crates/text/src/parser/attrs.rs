//! Attributes: the builtin ones but dense data (`dense`) and affine maps (`affine`).

use super::dialect::Colon;
use super::{ParseResult, Parser, Pos};
use crate::lexer::{Tok, unescape};
use segra_ir::attrs::{Attr, AttrKind, Dict};
use segra_ir::context::Ident;
use segra_ir::def::OpInfo;
use segra_ir::types::DYNAMIC;
use smallvec::SmallVec;

/// Entries of a dictionary.
pub type Entries = SmallVec<[(Ident, Attr); 2]>;

impl<'a> Parser<'a> {
    /// An attribute.
    pub fn parse_attr(&mut self) -> ParseResult<Attr> {
        match self.token.kind {
            Tok::Integer | Tok::Float => self.parse_number_attr(false),
            Tok::Minus => {
                self.bump();
                if !matches!(self.token.kind, Tok::Integer | Tok::Float) {
                    return Err(self.expected("a constant integer or floating point value"));
                }
                self.parse_number_attr(true)
            }
            Tok::String => self.parse_string_attr(),
            Tok::At => self.parse_symbol_ref(),
            Tok::LSquare => self.nested(Parser::parse_array_attr),
            Tok::LBrace => self.nested(Parser::parse_dict_attr),
            Tok::Hash => self.nested(|parser| parser.parse_hash_attr(Colon::OfAttribute)),
            Tok::Bare => self.parse_keyword_attr(),
            Tok::LParen | Tok::Exclaim => self.parse_type_attr(),
            _ => Err(self.expected("an attribute value")),
        }
    }

    /// An attribute, if one starts here.
    pub fn parse_optional_attr(&mut self) -> ParseResult<Option<Attr>> {
        if self.at_attr() {
            self.parse_attr().map(Some)
        } else {
            Ok(None)
        }
    }

    /// Whether an attribute starts here.
    pub(super) fn at_attr(&self) -> bool {
        match self.token.kind {
            Tok::Integer | Tok::Float | Tok::Minus | Tok::String | Tok::At | Tok::LSquare => true,
            Tok::LBrace | Tok::Hash | Tok::LParen | Tok::Exclaim => true,
            Tok::Bare => match self.spelling() {
                "true" | "false" | "unit" | "affine_map" | "affine_set" | "dense"
                | "dense_resource" => true,
                "sparse" | "array" | "distinct" | "strided" | "loc" => true,
                word => super::types::starts_type(word),
            },
            _ => false,
        }
    }

    fn parse_type_attr(&mut self) -> ParseResult<Attr> {
        let ty = self.parse_type()?;
        Ok(self.ctx.type_attr(ty))
    }

    fn parse_keyword_attr(&mut self) -> ParseResult<Attr> {
        match self.spelling() {
            "true" => self.bool_attr(true),
            "false" => self.bool_attr(false),
            "unit" => {
                self.bump();
                Ok(self.ctx.unit())
            }
            "affine_map" => self.nested(Parser::parse_affine_map_attr),
            "affine_set" => self.nested(Parser::parse_affine_set_attr),
            "dense" => self.nested(Parser::parse_dense_attr),
            "dense_resource" => self.nested(Parser::parse_resource_attr),
            "sparse" => self.nested(Parser::parse_sparse_attr),
            "array" => self.parse_dense_array(),
            "distinct" => self.nested(Parser::parse_distinct_attr),
            "strided" => self.parse_strided_attr(),
            "loc" => {
                let loc = self.parse_loc()?;
                Ok(self.ctx.attr(AttrKind::Loc(loc)))
            }
            word if super::types::starts_type(word) => self.parse_type_attr(),
            _ => Err(self.expected("an attribute value")),
        }
    }

    fn parse_string_attr(&mut self) -> ParseResult<Attr> {
        let bytes = unescape(self.spelling());
        self.bump();
        let ty = if self.eat(Tok::Colon) {
            Some(self.parse_type()?)
        } else {
            None
        };
        // The type `none` is what a string without a type has.
        let ty =
            ty.filter(|&ty| !matches!(self.ctx.type_kind(ty), segra_ir::types::TypeKind::None));
        Ok(self.ctx.attr(AttrKind::String { bytes, ty }))
    }

    /// `@root::@nested`
    pub fn parse_symbol_ref(&mut self) -> ParseResult<Attr> {
        let root = self.parse_symbol_name()?;
        let mut nested = Vec::new();
        while self.at(Tok::Colon) && self.lexer.byte(self.token.end as usize) == b':' {
            self.bump();
            self.bump();
            nested.push(self.parse_symbol_name()?);
        }
        Ok(self.ctx.attr(AttrKind::SymbolRef { root, nested }))
    }

    fn parse_array_attr(&mut self) -> ParseResult<Attr> {
        let mut items = Vec::new();
        self.parse_list(Tok::LSquare, Tok::RSquare, |p| {
            items.push(p.parse_attr()?);
            Ok(())
        })?;
        Ok(self.ctx.attr(AttrKind::Array(items)))
    }

    fn parse_dict_attr(&mut self) -> ParseResult<Attr> {
        let mut entries = Entries::new();
        self.parse_attr_dict(&mut entries)?;
        Ok(self.ctx.attr(AttrKind::Dict(self.ctx.dict(&entries))))
    }

    /// `{name = attr, name, ...}`; a name without a value is `unit`. Adds to `entries`.
    pub fn parse_attr_dict(&mut self, entries: &mut Entries) -> ParseResult<()> {
        // Small dictionaries are checked for repetitions pair by pair, others by a set.
        const SMALL: usize = 16;
        let mut seen = rustc_hash::FxHashSet::default();
        self.parse_list(Tok::LBrace, Tok::RBrace, |p| {
            let pos = p.pos();
            let name = p.parse_attr_name()?;
            let repeated = if entries.len() < SMALL {
                entries.iter().any(|entry| entry.0 == name)
            } else {
                if seen.is_empty() {
                    seen.extend(entries.iter().map(|entry| entry.0));
                }
                !seen.insert(name)
            };
            if repeated {
                let message = format!(
                    "duplicate key '{}' in dictionary attribute",
                    p.ctx.str(name)
                );
                return Err(p.error_at(pos, message));
            }
            let value = if p.eat(Tok::Equal) {
                p.parse_attr()?
            } else {
                p.ctx.unit()
            };
            entries.push((name, value));
            Ok(())
        })
    }
    /// `{...}`, if there is one.
    pub fn parse_optional_attr_dict(&mut self, entries: &mut Entries) -> ParseResult<()> {
        if self.at(Tok::LBrace) {
            self.parse_attr_dict(entries)
        } else {
            Ok(())
        }
    }

    fn parse_attr_name(&mut self) -> ParseResult<Ident> {
        match self.token.kind {
            Tok::Bare => {
                let name = self.spelling();
                self.bump();
                Ok(self.ident(name))
            }
            Tok::String => {
                let pos = self.pos();
                let name = self.parse_string()?;
                if name.is_empty() {
                    return Err(self.error_at(pos, "expected valid attribute name"));
                }
                Ok(self.ctx.ident(&name))
            }
            _ => Err(self.expected("an attribute name")),
        }
    }

    /// `strided<[s, ?], offset: o>`
    fn parse_strided_attr(&mut self) -> ParseResult<Attr> {
        self.bump();
        self.expect(Tok::Less)?;
        let mut strides = Vec::new();
        self.parse_list(Tok::LSquare, Tok::RSquare, |p| {
            strides.push(p.parse_stride()?);
            Ok(())
        })?;
        let mut offset = 0;
        if self.eat(Tok::Comma) {
            self.expect_keyword("offset")?;
            self.expect(Tok::Colon)?;
            offset = self.parse_stride()?;
        }
        self.expect(Tok::Greater)?;
        Ok(self.ctx.attr(AttrKind::Strided { strides, offset }))
    }

    fn parse_stride(&mut self) -> ParseResult<i64> {
        if self.eat(Tok::Question) {
            return Ok(DYNAMIC);
        }
        let pos = self.pos();
        match self.parse_integer()? {
            DYNAMIC => Err(self.error_at(pos, "expected a 64-bit signed integer or '?'")),
            stride => Ok(stride),
        }
    }

    /// `distinct[0]<attr>`: the same number means the same attribute within one file.
    fn parse_distinct_attr(&mut self) -> ParseResult<Attr> {
        self.bump();
        self.expect(Tok::LSquare)?;
        let pos = self.pos();
        let number = u64::try_from(self.parse_integer()?)
            .map_err(|_| self.error_at(pos, "expected an unsigned 64-bit integer"))?;
        self.expect(Tok::RSquare)?;
        self.expect(Tok::Less)?;
        let inner = if self.at(Tok::Greater) {
            self.ctx.unit()
        } else {
            self.parse_attr()?
        };
        self.expect(Tok::Greater)?;
        if let Some(&known) = self.distinct.get(&number) {
            return match *self.ctx.attr_kind(known) {
                AttrKind::Distinct { inner: other, .. } if other == inner => Ok(known),
                _ => Err(self.error_at(
                    pos,
                    "referenced attribute does not match previous definition",
                )),
            };
        }
        let attr = self.ctx.distinct_attr(inner);
        self.distinct.insert(number, attr);
        Ok(attr)
    }

    /// After `<`: the properties of an op and `>`. Those of an op that is not registered may be any attribute; what
    /// is not a dictionary with entries becomes the only entry, without a name.
    pub(super) fn parse_properties(
        &mut self,
        entries: &mut Entries,
        info: Option<&OpInfo>,
    ) -> ParseResult<()> {
        let pos: Pos = self.pos();
        if self.at(Tok::LBrace) {
            self.parse_attr_dict(entries)?;
            if entries.is_empty() && info.is_none() {
                entries.push((
                    self.ctx.ident(""),
                    self.ctx.attr(AttrKind::Dict(Dict::EMPTY)),
                ));
            }
        } else {
            let attr = self.parse_attr()?;
            match *self.ctx.attr_kind(attr) {
                AttrKind::Dict(dict) if dict != Dict::EMPTY => {
                    entries.extend(self.ctx.entries(dict).iter().copied());
                }
                _ if info.is_none() => entries.push((self.ctx.ident(""), attr)),
                _ => return Err(self.error_at(pos, "expected a dictionary of properties")),
            }
        }
        self.expect(Tok::Greater)
    }
}
