//! Dense data: `dense<...>`, `sparse<...>`, `array<...>`, `dense_resource<...>`.
//!
//! A literal is read before its type is known, so its elements are kept as tokens and turned into bytes at the end.
//! As in MLIR, data whose elements are all equal become a splat.

use super::{ParseResult, Parser, Pos, numbers};
use crate::lexer::{Tok, Token, unescape};
use segra_ir::attrs::{Attr, AttrKind, Splat};
use segra_ir::types::{DYNAMIC, FloatKind, Signedness, Type, TypeKind};

#[derive(Clone, Copy, Debug)]
struct Element {
    token: Token,
    negative: bool,
}

/// A tensor literal as written.
#[derive(Debug, Default)]
struct Literal {
    /// Extents of the nested lists; empty for a single element.
    shape: Vec<i64>,
    elements: Vec<Element>,
    /// Whether the elements of complex numbers are in parentheses.
    pairs: bool,
    pos: u32,
}

/// How an element becomes bytes.
#[derive(Clone, Copy, Debug)]
enum Scalar {
    Integer { width: u32, signedness: Signedness },
    Index,
    Float(FloatKind),
}

impl Scalar {
    fn of(kind: &TypeKind) -> Option<Scalar> {
        match *kind {
            TypeKind::Integer { width, signedness } => Some(Scalar::Integer { width, signedness }),
            TypeKind::Index => Some(Scalar::Index),
            TypeKind::Float(kind) => Some(Scalar::Float(kind)),
            _ => None,
        }
    }
    fn bytes(self) -> usize {
        match self {
            Scalar::Integer { width, .. } => (width as usize).div_ceil(8).max(1),
            Scalar::Index => 8,
            Scalar::Float(kind) => kind.storage_bytes(),
        }
    }
    fn kind(self) -> TypeKind {
        match self {
            Scalar::Integer { width, signedness } => TypeKind::Integer { width, signedness },
            Scalar::Index => TypeKind::Index,
            Scalar::Float(kind) => TypeKind::Float(kind),
        }
    }
    fn is_bool(self) -> bool {
        matches!(self, Scalar::Integer { width: 1, .. })
    }
}

/// Appends the low `bytes` bytes of `value`, sign-extended.
fn push_bytes(data: &mut Vec<u8>, value: i128, bytes: usize) {
    let all = value.to_le_bytes();
    let fill = if value < 0 { 0xFF } else { 0 };
    data.extend((0..bytes).map(|index| all.get(index).copied().unwrap_or(fill)));
}

impl Parser<'_> {
    /// `dense<literal> : type`
    pub(super) fn parse_dense_attr(&mut self) -> ParseResult<Attr> {
        let pos = self.pos();
        let start = self.token.end + 1;
        let literal = self.parse_dense_literal()?;
        let end = self.last_end - 1;
        self.expect(Tok::Colon)?;
        let ty = self.parse_type()?;
        if matches!(self.ctx.type_kind(ty), TypeKind::Opaque { .. }) {
            // Only the type's dialect knows its shape.
            let literal = self.ctx.ident(self.text_of(start, end));
            return Ok(self.ctx.attr(AttrKind::DenseLiteral { ty, literal }));
        }
        let (shape, element) = self.check_literal_type(ty, pos)?;
        self.dense_of(&literal, ty, &shape, element)
    }

    /// `dense<literal>` where its type, a shaped one, is known otherwise.
    pub fn parse_dense_of_type(&mut self, ty: Type) -> ParseResult<Attr> {
        if !self.at_keyword("dense") {
            return Err(self.expected("dense elements"));
        }
        let ctx = self.ctx;
        let Some((shape, element)) = ty.shaped(ctx) else {
            return Err(self.error("dense elements need a shaped type"));
        };
        let literal = self.parse_dense_literal()?;
        self.dense_of(&literal, ty, shape, element)
    }

    /// `dense<literal>`
    fn parse_dense_literal(&mut self) -> ParseResult<Literal> {
        self.bump();
        self.expect(Tok::Less)?;
        let literal = match self.at(Tok::Greater) {
            true => Literal {
                shape: vec![0],
                pos: self.token.start,
                ..Literal::default()
            },
            false => self.parse_literal()?,
        };
        self.expect(Tok::Greater)?;
        Ok(literal)
    }

    fn dense_of(
        &mut self,
        literal: &Literal,
        ty: Type,
        shape: &[i64],
        element: Type,
    ) -> ParseResult<Attr> {
        let empty = literal.elements.is_empty() && literal.shape == [0];
        let count = count_elements(shape);
        if empty && count == 0 {
            return Ok(self.ctx.attr(AttrKind::DenseElements {
                ty,
                data: Vec::new(),
                splat: Splat::No,
            }));
        }
        self.dense_from(literal, ty, shape, element, count)
    }

    /// `sparse<indices, values> : type`
    pub(super) fn parse_sparse_attr(&mut self) -> ParseResult<Attr> {
        let pos = self.pos();
        self.bump();
        self.expect(Tok::Less)?;
        if self.eat(Tok::Greater) {
            let (ty, shape, element) = self.parse_literal_type(pos)?;
            let indices = self.empty_dense(vec![0, shape.len() as i64], self.ctx.i64());
            let values = self.empty_dense(vec![0], element);
            return Ok(self.ctx.attr(AttrKind::Sparse {
                ty,
                indices,
                values,
            }));
        }
        let positions = self.parse_literal()?;
        self.expect(Tok::Comma)?;
        let literal = self.parse_literal()?;
        self.expect(Tok::Greater)?;
        let (ty, shape, element) = self.parse_literal_type(pos)?;
        let rank = shape.len() as i64;
        if positions
            .elements
            .iter()
            .any(|element| element.token.kind == Tok::String)
        {
            return Err(self.error_at(pos, "expected integers as the indices of sparse elements"));
        }
        let rows = if positions.shape.is_empty() {
            vec![1, rank]
        } else {
            positions.shape.clone()
        };
        // Positions in one dimension need no lists of their own.
        if !(rows.len() == 2 && rows[1] == rank || rows.len() == 1 && rank == 1) {
            return Err(self.error_at(
                pos,
                "expected one position of the type's rank per row of the indices",
            ));
        }
        let count = count_elements(&rows);
        let indices_ty = self.tensor(&rows, self.ctx.i64());
        let indices = self.dense_from(&positions, indices_ty, &rows, self.ctx.i64(), count)?;
        self.check_positions(indices, &shape, pos)?;
        let length = if literal.shape.is_empty() {
            vec![rows[0]]
        } else {
            literal.shape.clone()
        };
        if length.len() != 1 || length[0] != rows[0] {
            return Err(self.error_at(pos, "expected as many values as indices"));
        }
        let count = count_elements(&length);
        let values_ty = self.tensor(&length, element);
        let values = self.dense_from(&literal, values_ty, &length, element, count)?;
        Ok(self.ctx.attr(AttrKind::Sparse {
            ty,
            indices,
            values,
        }))
    }

    /// Every position of a sparse literal lies within the shape.
    fn check_positions(&mut self, indices: Attr, shape: &[i64], pos: Pos) -> ParseResult<()> {
        let AttrKind::DenseElements { data, splat, .. } = self.ctx.attr_kind(indices) else {
            return Ok(());
        };
        let position = |chunk: &[u8]| chunk.try_into().map_or(-1, i64::from_le_bytes);
        let within =
            |index: usize, chunk: &[u8]| (0..shape[index % shape.len()]).contains(&position(chunk));
        let fits = match splat {
            Splat::Yes => (0..shape.len()).all(|index| within(index, data)),
            Splat::No => data
                .chunks_exact(8)
                .enumerate()
                .all(|(index, chunk)| within(index, chunk)),
        };
        if fits {
            Ok(())
        } else {
            Err(self.error_at(pos, "sparse index is not contained within the value shape"))
        }
    }

    /// `dense_resource<key> : type`
    pub(super) fn parse_resource_attr(&mut self) -> ParseResult<Attr> {
        self.bump();
        self.expect(Tok::Less)?;
        let key = self.parse_resource_name()?;
        self.expect(Tok::Greater)?;
        let pos = self.pos();
        let ty = self.parse_colon_type()?;
        if ty.shaped(self.ctx).is_none() && ty.element_or_self(self.ctx) == ty {
            return Err(self.error_at(pos, "`dense_resource` expected a shaped type"));
        }
        Ok(self.ctx.attr(AttrKind::DenseResource { ty, key }))
    }

    /// `array<i64: 1, 2>`
    pub(super) fn parse_dense_array(&mut self) -> ParseResult<Attr> {
        self.bump();
        self.expect(Tok::Less)?;
        let pos = self.pos();
        let element = self.parse_type()?;
        let scalar = match self.ctx.type_kind(element) {
            TypeKind::Index => None,
            kind => Scalar::of(kind),
        };
        let Some(scalar) = scalar else {
            return Err(self.error_at(pos, "'array' requires integer or float element type"));
        };
        let width = match scalar {
            Scalar::Integer { width: 1, .. } | Scalar::Index => 8,
            Scalar::Integer { width, .. } => width,
            Scalar::Float(kind) => kind.width(),
        };
        if width % 8 != 0 {
            return Err(self.error_at(pos, "element type bitwidth must be a multiple of 8"));
        }
        let mut data = Vec::new();
        if self.eat(Tok::Colon) {
            loop {
                if scalar.is_bool() && self.at(Tok::Integer) {
                    return Err(self.expected("'true' or 'false' for a value of type i1"));
                }
                let element = self.parse_element_token()?;
                self.element_bytes(element, scalar, &mut data)?;
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        self.expect(Tok::Greater)?;
        Ok(self.ctx.attr(AttrKind::DenseArray { element, data }))
    }

    // ---- literals ----

    fn parse_literal(&mut self) -> ParseResult<Literal> {
        let mut literal = Literal {
            pos: self.token.start,
            ..Literal::default()
        };
        if self.at(Tok::LSquare) {
            let mut shape = Vec::new();
            self.parse_literal_list(&mut literal, &mut shape)?;
            shape.reverse();
            literal.shape = shape;
        } else {
            self.parse_literal_element(&mut literal)?;
        }
        Ok(literal)
    }

    /// A nested list; `shape` gets its extents, innermost first.
    fn parse_literal_list(
        &mut self,
        literal: &mut Literal,
        shape: &mut Vec<i64>,
    ) -> ParseResult<()> {
        self.nested(|p| {
            let mut count = 0;
            let mut inner: Option<Vec<i64>> = None;
            p.parse_list(Tok::LSquare, Tok::RSquare, |p| {
                let pos = p.pos();
                let mut own = Vec::new();
                if p.at(Tok::LSquare) {
                    p.parse_literal_list(literal, &mut own)?;
                } else {
                    p.parse_literal_element(literal)?;
                }
                count += 1;
                match &inner {
                    Some(first) if *first != own => {
                        let message =
                            "tensor literal is invalid; ranks are not consistent between elements";
                        return Err(p.error_at(pos, message));
                    }
                    Some(_) => {}
                    None => inner = Some(own),
                }
                Ok(())
            })?;
            *shape = inner.unwrap_or_default();
            shape.push(count);
            Ok(())
        })
    }

    fn parse_literal_element(&mut self, literal: &mut Literal) -> ParseResult<()> {
        if !self.eat(Tok::LParen) {
            literal.elements.push(self.parse_element_token()?);
            return Ok(());
        }
        literal.pairs = true;
        literal.elements.push(self.parse_element_token()?);
        self.expect(Tok::Comma)?;
        literal.elements.push(self.parse_element_token()?);
        self.expect(Tok::RParen)
    }

    fn parse_element_token(&mut self) -> ParseResult<Element> {
        let negative = self.eat(Tok::Minus);
        let fits = match self.token.kind {
            Tok::Integer | Tok::Float => true,
            Tok::String => !negative,
            Tok::Bare => !negative && matches!(self.spelling(), "true" | "false"),
            _ => false,
        };
        if !fits {
            return Err(self.expected("element literal of primitive type"));
        }
        let token = self.token;
        self.bump();
        Ok(Element { token, negative })
    }

    /// `: type` of a literal, which starts at `pos`: ranked tensor or vector with static shape.
    fn parse_literal_type(&mut self, pos: Pos) -> ParseResult<(Type, Vec<i64>, Type)> {
        self.expect(Tok::Colon)?;
        let ty = self.parse_type()?;
        let (shape, element) = self.check_literal_type(ty, pos)?;
        Ok((ty, shape, element))
    }

    fn check_literal_type(&mut self, ty: Type, pos: Pos) -> ParseResult<(Vec<i64>, Type)> {
        let Some((shape, element)) = ty.shaped(self.ctx) else {
            return Err(self.error_at(pos, "elements literal must have a ranked shaped type"));
        };
        if shape.contains(&DYNAMIC) {
            return Err(self.error_at(pos, "elements literal type must have static shape"));
        }
        Ok((shape.to_vec(), element))
    }

    fn tensor(&self, shape: &[i64], element: Type) -> Type {
        self.ctx.ty(TypeKind::Tensor {
            shape: shape.to_vec(),
            element,
            encoding: None,
        })
    }

    fn empty_dense(&self, shape: Vec<i64>, element: Type) -> Attr {
        let ty = self.tensor(&shape, element);
        self.ctx.attr(AttrKind::DenseElements {
            ty,
            data: Vec::new(),
            splat: Splat::No,
        })
    }

    fn dense_from(
        &mut self,
        literal: &Literal,
        ty: Type,
        shape: &[i64],
        element: Type,
        count: u64,
    ) -> ParseResult<Attr> {
        let pos = Pos(literal.pos);
        let kind = self.ctx.type_kind(element);
        let (scalar, parts) = match kind {
            TypeKind::Complex(part) => (Scalar::of(self.ctx.type_kind(*part)), 2),
            kind => (Scalar::of(kind), 1),
        };
        let Some(scalar) = scalar else {
            return self.dense_strings(literal, ty, shape, count);
        };
        if let [Element { token, .. }] = literal.elements[..]
            && token.kind == Tok::String
            && literal.shape.is_empty()
        {
            return self.dense_from_hex(token, ty, scalar, parts, count);
        }
        if literal.elements.is_empty() && count > 0 {
            return Err(self.error_at(pos, "parsed zero elements, but the type has at least one"));
        }
        self.check_literal_shape(literal, shape)?;
        if literal.pairs != (parts == 2) {
            let message = match parts {
                2 => "expected complex elements in parentheses",
                _ => "expected elements that are not complex",
            };
            return Err(self.error_at(pos, message));
        }
        let mut data = Vec::with_capacity(literal.elements.len() * scalar.bytes());
        for &element in &literal.elements {
            self.element_bytes(element, scalar, &mut data)?;
        }
        if !literal.elements.len().is_multiple_of(parts)
            || (!literal.shape.is_empty() && literal.elements.len() as u64 / parts as u64 != count)
        {
            return Err(self.error_at(pos, "the number of elements does not match the type"));
        }
        Ok(self.finish_dense(ty, data, scalar.bytes() * parts, literal.shape.is_empty()))
    }

    fn check_literal_shape(&mut self, literal: &Literal, shape: &[i64]) -> ParseResult<()> {
        if literal.shape.is_empty() || literal.shape == shape {
            return Ok(());
        }
        let message = format!(
            "inferred shape of elements literal ({:?}) does not match type ({shape:?})",
            literal.shape
        );
        Err(self.error_at(Pos(literal.pos), message))
    }

    /// Equal elements become a splat.
    fn finish_dense(&self, ty: Type, mut data: Vec<u8>, size: usize, single: bool) -> Attr {
        let splat = single
            || (!data.is_empty() && data.chunks_exact(size).all(|chunk| *chunk == data[..size]));
        if splat {
            data.truncate(size);
        }
        let splat = if splat { Splat::Yes } else { Splat::No };
        self.ctx.attr(AttrKind::DenseElements { ty, data, splat })
    }

    fn element_bytes(
        &mut self,
        element: Element,
        scalar: Scalar,
        data: &mut Vec<u8>,
    ) -> ParseResult<()> {
        let Element { token, negative } = element;
        let (pos, spelling) = (Pos(token.start), self.text_of(token.start, token.end));
        match (token.kind, scalar) {
            (Tok::Integer, Scalar::Float(kind)) => {
                let bits = self.float_from_hex(spelling, negative, kind, pos)?;
                push_bytes(data, bits as i128, scalar.bytes());
            }
            (Tok::Float, Scalar::Float(kind)) => {
                let bits = numbers::float_bits(spelling, negative, kind);
                push_bytes(data, bits as i128, scalar.bytes());
            }
            (
                Tok::Integer,
                Scalar::Integer {
                    width: width @ 129..,
                    signedness,
                },
            ) if !(negative && signedness == Signedness::Unsigned) => {
                let Some(value) = numbers::wide_integer(spelling, negative, width, signedness)
                else {
                    return Err(self.error_at(pos, "integer constant out of range for type"));
                };
                data.extend(segra_ir::integer::element_bytes(&value, width));
            }
            (Tok::Integer, _) => {
                if negative
                    && matches!(
                        scalar,
                        Scalar::Integer {
                            signedness: Signedness::Unsigned,
                            ..
                        }
                    )
                {
                    let message = "expected unsigned integer elements, but parsed negative value";
                    return Err(self.error_at(pos, message));
                }
                let value = numbers::magnitude(spelling).and_then(|magnitude| {
                    numbers::fit_integer(magnitude, negative, &scalar.kind())
                });
                let Some(value) = value else {
                    return Err(self.error_at(pos, "integer constant out of range for type"));
                };
                match scalar {
                    Scalar::Integer { width: 1, .. } => data.push((value & 1) as u8),
                    // Within their bytes, elements are kept as MLIR does: no bits beyond the width.
                    Scalar::Integer { width, .. } if width < 128 => {
                        push_bytes(data, value & ((1u128 << width) - 1) as i128, scalar.bytes());
                    }
                    _ => push_bytes(data, value, scalar.bytes()),
                }
            }
            (Tok::Bare, scalar) if scalar.is_bool() => data.push(u8::from(spelling == "true")),
            (Tok::Bare, _) => {
                return Err(self.error_at(pos, "expected i1 type for 'true' or 'false' values"));
            }
            (Tok::Float, _) => {
                return Err(
                    self.error_at(pos, "expected integer elements, but parsed floating-point")
                );
            }
            _ => return Err(self.error_at(pos, "expected a number, but parsed a string")),
        }
        Ok(())
    }

    fn dense_from_hex(
        &mut self,
        token: Token,
        ty: Type,
        scalar: Scalar,
        parts: usize,
        count: u64,
    ) -> ParseResult<Attr> {
        let (pos, spelling) = (Pos(token.start), self.text_of(token.start, token.end));
        let raw = unescape(spelling);
        let Some(data) = raw.strip_prefix(b"0x").and_then(decode_hex) else {
            return Err(self.error_at(
                pos,
                "elements hex string should only contain hex digits after '0x'",
            ));
        };
        if scalar.is_bool() {
            return self.bools_from_hex(&data, ty, count, pos);
        }
        let size = scalar.bytes() * parts;
        let length = data.len() as u64;
        if length != size as u64 && count.checked_mul(size as u64) != Some(length) {
            return Err(self.error_at(pos, "elements hex data size is invalid for provided type"));
        }
        let single = length == size as u64 && count != 0;
        Ok(self.finish_dense(ty, data, size, single))
    }

    /// Booleans come packed into bits or one a byte.
    fn bools_from_hex(&mut self, data: &[u8], ty: Type, count: u64, pos: Pos) -> ParseResult<Attr> {
        let length = data.len() as u64;
        let values: Vec<u8> = if length == count {
            data.iter().map(|&byte| u8::from(byte != 0)).collect()
        } else if length == 1 && matches!(data, [0 | 0xFF]) {
            return Ok(self.finish_dense(ty, vec![data[0] & 1], 1, true));
        } else if length == count.div_ceil(8) {
            (0..count as usize)
                .map(|index| data[index / 8] >> (index % 8) & 1)
                .collect()
        } else if length == 1 {
            return Ok(self.finish_dense(ty, vec![data[0] & 1], 1, true));
        } else {
            return Err(self.error_at(pos, "elements hex data size is invalid for provided type"));
        };
        Ok(self.finish_dense(ty, values, 1, false))
    }

    fn dense_strings(
        &mut self,
        literal: &Literal,
        ty: Type,
        shape: &[i64],
        count: u64,
    ) -> ParseResult<Attr> {
        self.check_literal_shape(literal, shape)?;
        let mut strings = Vec::with_capacity(literal.elements.len());
        for element in &literal.elements {
            let token = element.token;
            if token.kind != Tok::String {
                let message = "expected string elements for a type whose elements are not numbers";
                return Err(self.error_at(Pos(token.start), message));
            }
            strings.push(unescape(self.text_of(token.start, token.end)));
        }
        if strings.is_empty() && count > 0 {
            let message = "parsed zero elements, but the type has at least one";
            return Err(self.error_at(Pos(literal.pos), message));
        }
        if strings.windows(2).all(|pair| pair[0] == pair[1]) {
            strings.truncate(1);
        }
        Ok(self.ctx.attr(AttrKind::DenseStrings { ty, strings }))
    }
}

/// The product of extents; as many as can be counted where there are more (one may stand for all of them).
fn count_elements(shape: &[i64]) -> u64 {
    if shape.contains(&0) {
        return 0;
    }
    shape.iter().fold(1, |count: u64, &extent| {
        count.saturating_mul(u64::try_from(extent).unwrap_or(0))
    })
}

fn decode_hex(digits: &[u8]) -> Option<Vec<u8>> {
    let value = |digit: u8| (digit as char).to_digit(16).map(|value| value as u8);
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    digits
        .chunks_exact(2)
        .map(|pair| Some(value(pair[0])? << 4 | value(pair[1])?))
        .collect()
}
