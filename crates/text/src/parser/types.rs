//! Types: MLIR's builtin ones, aliases, and the way to those of dialects.

use super::{ParseResult, Parser, Pos};
use crate::lexer::Tok;
use segra_ir::attrs::{Attr, AttrKind};
use segra_ir::types::{DYNAMIC, FloatKind, Signedness, Type, TypeKind};
use smallvec::SmallVec;

/// Types of operands or results.
pub type Types = SmallVec<[Type; 4]>;

const MAX_INTEGER_WIDTH: u32 = (1 << 24) - 1;

impl<'a> Parser<'a> {
    /// A type.
    pub fn parse_type(&mut self) -> ParseResult<Type> {
        if self.at(Tok::LParen) {
            return self.parse_function_type();
        }
        self.parse_non_function_type()
    }
    /// A type, if one starts here.
    pub fn parse_optional_type(&mut self) -> ParseResult<Option<Type>> {
        match self.token.kind {
            Tok::LParen | Tok::Exclaim => self.parse_type().map(Some),
            Tok::Bare if starts_type(self.spelling()) => self.parse_type().map(Some),
            _ => Ok(None),
        }
    }
    /// `: type`
    pub fn parse_colon_type(&mut self) -> ParseResult<Type> {
        self.expect(Tok::Colon)?;
        self.parse_type()
    }
    /// `: type, type, ...`
    pub fn parse_colon_type_list(&mut self) -> ParseResult<Types> {
        self.expect(Tok::Colon)?;
        self.parse_type_list()
    }
    /// Types separated by commas, at least one.
    pub fn parse_type_list(&mut self) -> ParseResult<Types> {
        let mut types = Types::new();
        loop {
            types.push(self.parse_type()?);
            if !self.eat(Tok::Comma) {
                return Ok(types);
            }
        }
    }
    /// `(types)`, possibly none.
    pub fn parse_type_list_in_parens(&mut self) -> ParseResult<Types> {
        let mut types = Types::new();
        self.parse_list(Tok::LParen, Tok::RParen, |p| {
            types.push(p.parse_type()?);
            Ok(())
        })?;
        Ok(types)
    }
    /// Results after `->`: `type` or `(types)`.
    pub fn parse_result_types(&mut self) -> ParseResult<Types> {
        if self.at(Tok::LParen) {
            return self.parse_type_list_in_parens();
        }
        let ty = self.parse_non_function_type()?;
        Ok(SmallVec::from_elem(ty, 1))
    }
    /// `(inputs) -> results`, as two lists.
    pub fn parse_function_type_like(&mut self) -> ParseResult<(Types, Types)> {
        self.nested(|p| {
            let inputs = p.parse_type_list_in_parens()?;
            p.expect(Tok::Arrow)?;
            Ok((inputs, p.parse_result_types()?))
        })
    }
    fn parse_function_type(&mut self) -> ParseResult<Type> {
        let (inputs, results) = self.parse_function_type_like()?;
        Ok(self.ctx.function(&inputs, &results))
    }

    fn parse_non_function_type(&mut self) -> ParseResult<Type> {
        match self.token.kind {
            Tok::Bare => {
                let word = self.spelling();
                if let Some(&ty) = self.types.get(word) {
                    self.bump();
                    return Ok(ty);
                }
                self.parse_builtin_type(word)
            }
            Tok::Exclaim => self.nested(Parser::parse_exclaim_type),
            _ => Err(self.expected("a type")),
        }
    }

    fn parse_builtin_type(&mut self, word: &'a str) -> ParseResult<Type> {
        if let Some(ty) = self.simple_type(word)? {
            self.types.insert(word, ty);
            self.bump();
            return Ok(ty);
        }
        let step = match word {
            "vector" => Parser::parse_vector,
            "tensor" => Parser::parse_tensor,
            "memref" => Parser::parse_memref,
            "complex" => Parser::parse_complex,
            "tuple" => Parser::parse_tuple,
            _ => return Err(self.expected("a type")),
        };
        if let Some(ty) = self.known_type_text() {
            return Ok(ty);
        }
        let start = self.token.start;
        let ty = self.nested(|p| {
            p.bump();
            step(p)
        })?;
        self.types.insert(self.text_of(start, self.last_end), ty);
        Ok(ty)
    }

    /// A type whose text up to its closing `>` was read before; steps over it.
    fn known_type_text(&mut self) -> Option<Type> {
        // Only texts without nested quotes, arrows or lists are looked for: their end is found by counting.
        const LONGEST: usize = 96;
        let start = self.token.start as usize;
        let bytes = self.text.as_bytes();
        let window = &bytes[start..bytes.len().min(start + LONGEST)];
        let mut depth = 0u32;
        for (index, byte) in window.iter().enumerate() {
            match byte {
                b'<' => depth += 1,
                b'>' if depth == 1 => {
                    let end = (start + index + 1) as u32;
                    let ty = *self.types.get(self.text_of(start as u32, end))?;
                    self.seek(end);
                    self.last_end = end;
                    return Some(ty);
                }
                b'>' => depth = depth.checked_sub(1)?,
                b'"' | b'-' | b'\n' | b'/' => return None,
                _ => {}
            }
        }
        None
    }

    fn simple_type(&mut self, word: &str) -> ParseResult<Option<Type>> {
        let ctx = self.ctx;
        let (signedness, digits) = match word.as_bytes() {
            [b'i', digits @ ..] => (Signedness::Signless, digits),
            [b's', b'i', digits @ ..] => (Signedness::Signed, digits),
            [b'u', b'i', digits @ ..] => (Signedness::Unsigned, digits),
            _ => (Signedness::Signless, &[][..]),
        };
        if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) {
            let digits = &word[word.len() - digits.len()..];
            let width = digits
                .parse()
                .ok()
                .filter(|&width: &u32| width <= MAX_INTEGER_WIDTH);
            let Some(width) = width else {
                return Err(self.error(format!(
                    "integer bitwidth is limited to {MAX_INTEGER_WIDTH} bits"
                )));
            };
            return Ok(Some(ctx.ty(TypeKind::Integer { width, signedness })));
        }
        Ok(match word {
            "index" => Some(ctx.index()),
            "none" => Some(ctx.ty(TypeKind::None)),
            _ => FloatKind::from_keyword(word).map(|kind| ctx.float(kind)),
        })
    }

    fn parse_complex(&mut self) -> ParseResult<Type> {
        self.expect(Tok::Less)?;
        let pos = self.pos();
        let element = self.parse_type()?;
        if !matches!(
            self.ctx.type_kind(element),
            TypeKind::Integer { .. } | TypeKind::Float(_)
        ) {
            return Err(self.error_at(pos, "invalid element type for complex"));
        }
        self.expect(Tok::Greater)?;
        Ok(self.ctx.ty(TypeKind::Complex(element)))
    }

    fn parse_tuple(&mut self) -> ParseResult<Type> {
        let mut types = Vec::new();
        self.parse_list(Tok::Less, Tok::Greater, |p| {
            types.push(p.parse_type()?);
            Ok(())
        })?;
        Ok(self.ctx.ty(TypeKind::Tuple(types)))
    }

    fn parse_vector(&mut self) -> ParseResult<Type> {
        self.expect(Tok::Less)?;
        let pos = self.pos();
        let mut shape = Vec::new();
        let mut scalable = Vec::new();
        loop {
            if self.at(Tok::LSquare) {
                self.bump();
                shape.push(self.parse_extent()?);
                scalable.push(true);
                if !self.at(Tok::RSquare) {
                    return Err(self.expected("']' closing a scalable dimension"));
                }
                self.bump();
            } else if self.at(Tok::Integer) {
                shape.push(self.parse_extent()?);
                scalable.push(false);
            } else {
                break;
            }
            self.parse_dimension_x()?;
        }
        if self.at(Tok::Question) {
            return Err(self.error("vector types must have static shape"));
        }
        if shape.contains(&0) {
            return Err(self.error_at(pos, "vector types must have positive constant sizes"));
        }
        let (element, _) = self.parse_element(is_vector_element, "invalid vector element type")?;
        self.expect(Tok::Greater)?;
        Ok(self.ctx.ty(TypeKind::Vector {
            shape,
            scalable,
            element,
        }))
    }

    fn parse_tensor(&mut self) -> ParseResult<Type> {
        self.expect(Tok::Less)?;
        let unranked = self.eat(Tok::Star);
        let mut shape = Vec::new();
        if unranked {
            self.parse_dimension_x()?;
        } else {
            self.parse_dimensions(&mut shape)?;
        }
        let (element, _) = self.parse_element(is_tensor_element, "invalid tensor element type")?;
        let pos = self.pos();
        let encoding = if self.eat(Tok::Comma) && !self.at(Tok::Greater) {
            Some(self.parse_attr()?)
        } else {
            None
        };
        self.expect(Tok::Greater)?;
        match (unranked, encoding) {
            (true, Some(_)) => Err(self.error_at(pos, "cannot apply encoding to unranked tensor")),
            (true, None) => Ok(self.ctx.ty(TypeKind::UnrankedTensor(element))),
            (false, encoding) => Ok(self.ctx.ty(TypeKind::Tensor {
                shape,
                element,
                encoding,
            })),
        }
    }

    fn parse_memref(&mut self) -> ParseResult<Type> {
        self.expect(Tok::Less)?;
        let pos = self.pos();
        let unranked = self.eat(Tok::Star);
        let mut shape = Vec::new();
        if unranked {
            self.parse_dimension_x()?;
        } else {
            self.parse_dimensions(&mut shape)?;
        }
        let (element, _) = self.parse_element(is_memref_element, "invalid memref element type")?;
        let (mut layout, mut space) = (None, None);
        while self.eat(Tok::Comma) {
            let attr_pos = self.pos();
            let attr = self.parse_attr()?;
            let kind = self.ctx.attr_kind(attr);
            if matches!(kind, AttrKind::AffineMap(_) | AttrKind::Strided { .. }) {
                if unranked {
                    return Err(
                        self.error_at(attr_pos, "cannot have affine map for unranked memref type")
                    );
                }
                if space.is_some() {
                    return Err(
                        self.error_at(attr_pos, "expected memory space to be last in memref type")
                    );
                }
                self.check_layout(attr, shape.len(), attr_pos)?;
                layout = Some(attr);
            } else {
                if space.is_some() {
                    return Err(
                        self.error_at(attr_pos, "multiple memory spaces specified in memref type")
                    );
                }
                self.check_space(attr, pos)?;
                space = Some(attr);
            }
        }
        self.expect(Tok::Greater)?;
        let layout = layout.filter(|&layout| !self.is_identity(layout));
        let space = space.filter(|&space| !self.is_default_space(space));
        Ok(self.ctx.ty(match unranked {
            true => TypeKind::UnrankedMemRef { element, space },
            false => TypeKind::MemRef {
                shape,
                element,
                layout,
                space,
            },
        }))
    }

    fn check_layout(&mut self, layout: Attr, rank: usize, pos: Pos) -> ParseResult<()> {
        let found = match self.ctx.attr_kind(layout) {
            AttrKind::AffineMap(map) => map.dims as usize,
            AttrKind::Strided { strides, .. } => strides.len(),
            _ => rank,
        };
        if found == rank {
            return Ok(());
        }
        let strided = matches!(self.ctx.attr_kind(layout), AttrKind::Strided { .. });
        Err(self.error_at(
            pos,
            match strided {
                true => "expected the number of strides to match the rank".to_owned(),
                false => {
                    format!("memref layout mismatch between rank and affine map: {rank} != {found}")
                }
            },
        ))
    }

    fn check_space(&mut self, space: Attr, pos: Pos) -> ParseResult<()> {
        let fits = matches!(
            self.ctx.attr_kind(space),
            AttrKind::Integer { .. }
                | AttrKind::String { .. }
                | AttrKind::Dict(_)
                | AttrKind::Opaque { .. }
                | AttrKind::Dialect(_)
        );
        if fits {
            Ok(())
        } else {
            Err(self.error_at(pos, "unsupported memory space Attribute"))
        }
    }

    fn is_identity(&self, layout: Attr) -> bool {
        match self.ctx.attr_kind(layout) {
            AttrKind::AffineMap(map) => map.is_identity(),
            _ => false,
        }
    }

    fn is_default_space(&self, space: Attr) -> bool {
        matches!(
            self.ctx.attr_kind(space),
            AttrKind::Integer { value: 0, .. }
        )
    }

    fn parse_element(
        &mut self,
        fits: fn(&TypeKind) -> bool,
        message: &str,
    ) -> ParseResult<(Type, Pos)> {
        let pos = self.pos();
        let element = self.parse_type()?;
        if !fits(self.ctx.type_kind(element)) {
            return Err(self.error_at(pos, message));
        }
        Ok((element, pos))
    }

    /// `4x?x`: extents, each followed by `x`.
    pub fn parse_dimensions(&mut self, shape: &mut Vec<i64>) -> ParseResult<()> {
        loop {
            if self.eat(Tok::Question) {
                shape.push(DYNAMIC);
            } else if self.at(Tok::Integer) {
                shape.push(self.parse_extent()?);
            } else {
                return Ok(());
            }
            self.parse_dimension_x()?;
        }
    }

    /// One extent. `0x` starts a number in other places; here it is the extent 0 and the `x` after it.
    fn parse_extent(&mut self) -> ParseResult<i64> {
        let spelling = self.spelling();
        if !self.at(Tok::Integer) {
            return Err(self.expected("an extent"));
        }
        if spelling.starts_with("0x") {
            self.seek_after(1);
            return Ok(0);
        }
        let Ok(extent) = spelling.parse::<i64>() else {
            return Err(self.error("invalid dimension"));
        };
        self.seek_after(spelling.len() as u32);
        Ok(extent)
    }

    /// Goes on `bytes` after the start of the current token.
    fn seek_after(&mut self, bytes: u32) {
        let end = self.token.start + bytes;
        self.seek(end);
        self.last_end = end;
    }

    /// The `x` after an extent; what follows it may belong to the same identifier.
    fn parse_dimension_x(&mut self) -> ParseResult<()> {
        if !self.at(Tok::Bare) || !self.spelling().starts_with('x') {
            return Err(self.expected("'x' in dimension list"));
        }
        self.seek_after(1);
        Ok(())
    }
}

pub(super) fn starts_type(word: &str) -> bool {
    matches!(
        word,
        "index" | "none" | "vector" | "tensor" | "memref" | "complex" | "tuple"
    ) || FloatKind::from_keyword(word).is_some()
        || is_integer_type(word)
}

/// Whether a word is `i32`, `si8`, `ui1` or the like.
pub(super) fn is_integer_type(word: &str) -> bool {
    let number =
        |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    ["i", "si", "ui"]
        .iter()
        .any(|prefix| word.strip_prefix(prefix).is_some_and(number))
}

fn is_vector_element(kind: &TypeKind) -> bool {
    matches!(
        kind,
        TypeKind::Integer { .. }
            | TypeKind::Index
            | TypeKind::Float(_)
            | TypeKind::Opaque { .. }
            | TypeKind::Dialect(_)
    )
}

fn is_tensor_element(kind: &TypeKind) -> bool {
    is_vector_element(kind) || matches!(kind, TypeKind::Complex(_) | TypeKind::Vector { .. })
}

fn is_memref_element(kind: &TypeKind) -> bool {
    is_tensor_element(kind)
        || matches!(
            kind,
            TypeKind::MemRef { .. } | TypeKind::UnrankedMemRef { .. }
        )
}
