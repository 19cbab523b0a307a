//! Numbers: spellings of integers and floats to the values of their types.

use super::{ParseResult, Parser};
use crate::lexer::Tok;
use num_bigint::{BigInt, BigUint};
use segra_ir::attrs::{Attr, AttrKind};
use segra_ir::types::{FloatKind, Signedness, Type, TypeKind};

/// The value of `42` or `0x2A`; `None`: more than 128 bits.
pub(super) fn magnitude(spelling: &str) -> Option<u128> {
    match spelling.strip_prefix("0x") {
        Some(hex) => u128::from_str_radix(hex, 16).ok(),
        None => spelling.parse().ok(),
    }
}

pub(super) fn is_hex(spelling: &str) -> bool {
    spelling.starts_with("0x")
}

/// A number of an integer or index type, as `AttrKind::Integer` keeps it; `None`: out of range.
///
/// Types of more than 128 bits are for [`wide_integer`]. As MLIR: a magnitude may use all bits of a signless type (255 is an `i8`), not the sign bit of `index` or a
/// signed type, and there is no `-0`.
pub(super) fn fit_integer(magnitude: u128, negative: bool, kind: &TypeKind) -> Option<i128> {
    let (width, signed) = match *kind {
        TypeKind::Integer { width, signedness } => (width, signedness == Signedness::Signed),
        TypeKind::Index => (64, true),
        _ => return None,
    };
    if width == 0 {
        return (magnitude == 0 && !negative).then_some(0);
    }
    let top = width - 1;
    if width < 128 && magnitude >> width != 0 {
        return None;
    }
    if negative {
        let fits = (1..=1u128 << top).contains(&magnitude);
        return fits.then(|| (magnitude as i128).wrapping_neg());
    }
    if signed && magnitude >> top != 0 {
        return None;
    }
    Some(magnitude as i128)
}

/// A number of an integer type of more than 128 bits; `None`: out of range. The rules are those of [`fit_integer`].
pub(super) fn wide_integer(
    spelling: &str,
    negative: bool,
    width: u32,
    signedness: Signedness,
) -> Option<BigInt> {
    let magnitude = match spelling.strip_prefix("0x") {
        Some(hex) => BigUint::parse_bytes(hex.as_bytes(), 16)?,
        None => BigUint::parse_bytes(spelling.as_bytes(), 10)?,
    };
    let bits = magnitude.bits();
    if bits > u64::from(width) {
        return None;
    }
    if negative {
        let fits =
            bits < u64::from(width) && bits > 0 || magnitude.trailing_zeros() == Some(bits - 1);
        return fits.then(|| -BigInt::from(magnitude));
    }
    if signedness == Signedness::Signed && bits == u64::from(width) {
        return None;
    }
    let value = BigInt::from(magnitude);
    // All bits of a signless type may be used: read as it is written, it is negative then.
    let wraps = signedness == Signedness::Signless && bits == u64::from(width);
    Some(if wraps {
        value - (BigInt::from(1) << width)
    } else {
        value
    })
}

/// The bits of a float literal (`1.5`, `2.0e3`), rounded to `f64` first as MLIR does.
pub(super) fn float_bits(spelling: &str, negative: bool, kind: FloatKind) -> u128 {
    let value: f64 = spelling.parse().unwrap_or(0.0);
    kind.encode(if negative { -value } else { value })
}

impl Parser<'_> {
    /// `42`, `-1.5`, `0x7FC00000`, each with an optional `: type`; the current token is the number.
    pub(super) fn parse_number_attr(&mut self, negative: bool) -> ParseResult<Attr> {
        let pos = self.pos();
        let spelling = self.spelling();
        let float = self.at(Tok::Float);
        self.bump();
        let ty = match self.eat(Tok::Colon) {
            true => self.parse_type()?,
            false if float => self.ctx.f64(),
            false => self.ctx.i64(),
        };
        if float {
            let Some(kind) = ty.float_kind(self.ctx) else {
                return Err(self.error_at(pos, "floating point value not valid for specified type"));
            };
            return Ok(self
                .ctx
                .float_bits_attr(float_bits(spelling, negative, kind), ty));
        }
        self.integer_attr(spelling, negative, ty, pos)
    }

    /// The attribute an integer literal stands for: the bits of a float where `ty` is one.
    pub(super) fn integer_attr(
        &mut self,
        spelling: &str,
        negative: bool,
        ty: Type,
        pos: super::Pos,
    ) -> ParseResult<Attr> {
        let ctx = self.ctx;
        match ctx.type_kind(ty) {
            TypeKind::Float(kind) => {
                let bits = self.float_from_hex(spelling, negative, *kind, pos)?;
                Ok(ctx.float_bits_attr(bits, ty))
            }
            TypeKind::Integer {
                signedness: Signedness::Unsigned,
                ..
            } if negative => Err(self.error_at(
                pos,
                "negative integer literal not valid for unsigned integer type",
            )),
            TypeKind::Integer {
                width: 129..,
                signedness,
            } => {
                let width = ty.integer_width(ctx).unwrap_or(0);
                match wide_integer(spelling, negative, width, *signedness) {
                    Some(value) => Ok(ctx.big_int_attr(&value, ty)),
                    None => Err(self.error_at(pos, "integer constant out of range for attribute")),
                }
            }
            kind @ (TypeKind::Integer { .. } | TypeKind::Index) => {
                match magnitude(spelling)
                    .and_then(|magnitude| fit_integer(magnitude, negative, kind))
                {
                    Some(value) => Ok(ctx.int_attr(value, ty)),
                    None => Err(self.error_at(pos, "integer constant out of range for attribute")),
                }
            }
            _ => Err(self.error_at(pos, "integer literal not valid for specified type")),
        }
    }

    /// The bits of a float written in hexadecimal.
    pub(super) fn float_from_hex(
        &mut self,
        spelling: &str,
        negative: bool,
        kind: FloatKind,
        pos: super::Pos,
    ) -> ParseResult<u128> {
        if !is_hex(spelling) {
            let message = "unexpected decimal integer literal for a floating point value \
                           (a trailing dot makes it a float)";
            return Err(self.error_at(pos, message));
        }
        if negative {
            return Err(self.error_at(
                pos,
                "hexadecimal float literal should not have a leading minus",
            ));
        }
        match magnitude(spelling).filter(|bits| bits.checked_shr(kind.width()).unwrap_or(0) == 0) {
            Some(bits) => Ok(bits),
            None => Err(self.error_at(pos, "hexadecimal float constant out of range for type")),
        }
    }

    /// `true` or `false` as an attribute.
    pub(super) fn bool_attr(&mut self, value: bool) -> ParseResult<Attr> {
        self.bump();
        Ok(self.ctx.attr(AttrKind::Integer {
            value: i128::from(value),
            ty: self.ctx.i1(),
        }))
    }
}
