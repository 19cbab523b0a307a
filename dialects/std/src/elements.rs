//! Constants of every format as bytes, and rules on bytes applied to constants element by element.
//!
//! Bytes are those of dense attributes: little-endian, whole bytes to an element, bits beyond the width 0.

use segra_ir::attrs::Splat;
use segra_ir::integer::{element_bytes, signed_element};
use segra_ir::{Attr, AttrKind, Context, FloatKind, Type, TypeKind};
use std::borrow::Cow;

/// Bits of a scalar: of an integer, `index` or a float.
pub(crate) fn width(ctx: &Context, element: Type) -> Option<u32> {
    match ctx.type_kind(element) {
        TypeKind::Index => Some(64),
        TypeKind::Integer { width, .. } => Some(*width),
        TypeKind::Float(kind) => Some(kind.width()),
        _ => None,
    }
}

/// Bytes an element takes.
pub(crate) fn size(ctx: &Context, element: Type) -> Option<usize> {
    match element.float_kind(ctx) {
        Some(kind) => Some(kind.storage_bytes()),
        None => Some((width(ctx, element)? as usize).div_ceil(8).max(1)),
    }
}

/// A scalar constant as an element.
pub(crate) fn bytes_of_scalar(ctx: &Context, attr: Attr) -> Option<Vec<u8>> {
    match *ctx.attr_kind(attr) {
        AttrKind::Float { bits, ty } => Some(float_bytes(ty.float_kind(ctx)?, bits)),
        AttrKind::Integer { value, ty } => {
            let width = width(ctx, ty)?;
            if width > 128 {
                return Some(element_bytes(&value.into(), width));
            }
            let kept = if width == 128 {
                value
            } else {
                value & ((1u128 << width) - 1) as i128
            };
            Some(kept.to_le_bytes()[..size(ctx, ty)?].to_vec())
        }
        AttrKind::WideInteger { ty, .. } => {
            Some(element_bytes(&attr.as_big_integer(ctx)?, width(ctx, ty)?))
        }
        _ => None,
    }
}

/// The scalar constant of a type that an element is.
pub(crate) fn scalar_of_bytes(ctx: &Context, ty: Type, bytes: &[u8]) -> Option<Attr> {
    let bits = || {
        let mut word = [0; 16];
        word.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(u128::from_le_bytes(word))
    };
    match ctx.type_kind(ty) {
        TypeKind::Float(_) => Some(ctx.float_bits_attr(bits()?, ty)),
        TypeKind::Integer {
            width: width @ 129..,
            ..
        } => Some(ctx.big_int_attr(&signed_element(bytes, *width), ty)),
        TypeKind::Integer { .. } | TypeKind::Index => Some(ctx.int_attr(bits()? as i128, ty)),
        _ => None,
    }
}

/// A constant taken apart.
pub(crate) struct Elements<'a> {
    bytes: Cow<'a, [u8]>,
    size: usize,
    splat: Splat,
    is_scalar: bool,
}

impl<'a> Elements<'a> {
    /// The elements of a dense constant, or the one that a scalar is.
    pub(crate) fn of(ctx: &'a Context, attr: Attr) -> Option<Elements<'a>> {
        match ctx.attr_kind(attr) {
            AttrKind::DenseElements { ty, data, splat } => {
                let size = size(ctx, ty.element_or_self(ctx))?;
                Some(Elements {
                    bytes: Cow::Borrowed(data),
                    size,
                    splat: *splat,
                    is_scalar: false,
                })
            }
            _ => {
                let bytes = bytes_of_scalar(ctx, attr)?;
                let size = bytes.len();
                Some(Elements {
                    bytes: Cow::Owned(bytes),
                    size,
                    splat: Splat::Yes,
                    is_scalar: true,
                })
            }
        }
    }
    /// How many are stored.
    fn stored(&self) -> usize {
        self.bytes.len() / self.size.max(1)
    }
    fn get(&self, index: usize) -> Option<&[u8]> {
        let index = if self.splat == Splat::Yes { 0 } else { index };
        self.bytes.get(index * self.size..(index + 1) * self.size)
    }
    /// The element all of them are.
    pub(crate) fn uniform(&self) -> Option<&[u8]> {
        let first = self.get(0)?;
        self.bytes
            .chunks(self.size)
            .all(|element| element == first)
            .then_some(first)
    }
}

/// Applies a rule on elements to constants, element by element; of poison comes poison.
pub(crate) fn fold(
    ctx: &Context,
    operands: &[Option<Attr>],
    result: Type,
    rule: impl Fn(&[&[u8]]) -> Option<Vec<u8>>,
) -> Option<Attr> {
    if let Some(poison) = crate::arith::rules::poison_among(ctx, operands) {
        return Some(poison);
    }
    let operands: Vec<Elements<'_>> = operands
        .iter()
        .map(|attr| Elements::of(ctx, (*attr)?))
        .collect::<Option<_>>()?;
    let listed = operands
        .iter()
        .filter(|constant| constant.splat == Splat::No);
    let count = listed.map(Elements::stored).max().unwrap_or(1);
    let folded: Vec<Vec<u8>> = (0..count)
        .map(|index| {
            let row: Vec<&[u8]> = operands
                .iter()
                .map(|constant| constant.get(index))
                .collect::<Option<_>>()?;
            rule(&row)
        })
        .collect::<Option<_>>()?;
    if operands.iter().all(|constant| constant.is_scalar) {
        return scalar_of_bytes(ctx, result, folded.first()?);
    }
    dense(ctx, result, &folded)
}

/// Dense elements of these bytes each.
pub(crate) fn dense<T: AsRef<[u8]> + PartialEq>(
    ctx: &Context,
    ty: Type,
    elements: &[T],
) -> Option<Attr> {
    let first = elements.first()?;
    let (data, splat) = match elements.iter().all(|element| element == first) {
        true => (first.as_ref().to_vec(), Splat::Yes),
        false => (
            elements
                .iter()
                .flat_map(|element| element.as_ref())
                .copied()
                .collect(),
            Splat::No,
        ),
    };
    Some(ctx.attr(AttrKind::DenseElements { ty, data, splat }))
}

/// The bits of an element of at most 128 bits.
pub(crate) fn bits(element: &[u8]) -> u128 {
    element
        .iter()
        .take(16)
        .rev()
        .fold(0, |bits, &byte| bits << 8 | u128::from(byte))
}

/// The element of a float format that has these bits.
pub(crate) fn float_bytes(kind: FloatKind, bits: u128) -> Vec<u8> {
    bits.to_le_bytes()[..kind.storage_bytes()].to_vec()
}
