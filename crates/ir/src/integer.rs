//! Integers of any width: as attributes, and as the bytes dense attributes keep of an element.
//!
//! In elements, bits beyond the width are 0, as upstream keeps them: equal elements have equal bytes.

use crate::attrs::{Attr, AttrKind};
use crate::context::Context;
use crate::types::{Signedness, Type, TypeKind};
use num_bigint::{BigInt, Sign};

/// The low `width` bits of a number as an element of a dense attribute, little-endian in whole bytes.
pub fn element_bytes(value: &BigInt, width: u32) -> Vec<u8> {
    let mut bytes = signed_bytes(value, width);
    if let (Some(last), used @ 1..) = (bytes.last_mut(), width % 8) {
        *last &= (1 << used) - 1;
    }
    bytes
}

/// The signed number that the low `width` bits of an element are.
pub fn signed_element(bytes: &[u8], width: u32) -> BigInt {
    wrapped(
        &BigInt::from_bytes_le(Sign::Plus, bytes),
        width,
        Signedness::Signed,
    )
}

/// The number modulo 2^`width`, as a type of that width reads it.
pub fn wrapped(value: &BigInt, width: u32, signedness: Signedness) -> BigInt {
    let power = BigInt::from(1) << width;
    let low: BigInt = value & (&power - 1);
    let negative = signedness != Signedness::Unsigned && width > 0 && low.bit(u64::from(width) - 1);
    if negative { low - power } else { low }
}

/// The low bytes of a number, little-endian in two's complement.
fn signed_bytes(value: &BigInt, width: u32) -> Vec<u8> {
    let fill = if value.sign() == Sign::Minus { 0xFF } else { 0 };
    let mut bytes = value.to_signed_bytes_le();
    bytes.resize((width as usize).div_ceil(8), fill);
    bytes
}

impl Context {
    /// `value : ty` of any width; the value is wrapped to the width of `ty`.
    pub fn big_int_attr(&self, value: &BigInt, ty: Type) -> Attr {
        let TypeKind::Integer { width, signedness } = *self.type_kind(ty) else {
            return self.int_attr(low_bits(value), ty);
        };
        if width <= 128 {
            return self.int_attr(low_bits(value), ty);
        }
        let value = wrapped(value, width, signedness);
        match i128::try_from(&value) {
            Ok(value) => self.attr(AttrKind::Integer { value, ty }),
            Err(_) => self.attr(AttrKind::WideInteger {
                bytes: signed_bytes(&value, width).into(),
                ty,
            }),
        }
    }
}

fn low_bits(value: &BigInt) -> i128 {
    let mut bytes = [if value.sign() == Sign::Minus { 0xFF } else { 0 }; 16];
    let all = value.to_signed_bytes_le();
    let count = all.len().min(16);
    bytes[..count].copy_from_slice(&all[..count]);
    i128::from_le_bytes(bytes)
}

impl Attr {
    /// The value of an integer attribute of any width.
    pub fn as_big_integer(self, ctx: &Context) -> Option<BigInt> {
        match ctx.attr_kind(self) {
            AttrKind::Integer { value, .. } => Some((*value).into()),
            AttrKind::WideInteger { bytes, ty } => Some(match ctx.type_kind(*ty) {
                TypeKind::Integer {
                    signedness: Signedness::Unsigned,
                    ..
                } => BigInt::from_bytes_le(Sign::Plus, bytes),
                _ => BigInt::from_signed_bytes_le(bytes),
            }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_width_wrap_and_come_back() {
        let ctx = Context::new();
        let ty = ctx.integer(200);
        for (value, kept) in [
            (BigInt::from(1) << 199, -(BigInt::from(1) << 199_u32)),
            (BigInt::from(-1), BigInt::from(-1)),
            ((BigInt::from(1) << 200) + 5, BigInt::from(5)),
            (BigInt::from(3) << 150, BigInt::from(3) << 150),
        ] {
            assert_eq!(
                ctx.big_int_attr(&value, ty).as_big_integer(&ctx),
                Some(kept.clone())
            );
            assert_eq!(signed_element(&element_bytes(&value, 200), 200), kept);
        }
        assert_eq!(
            ctx.big_int_attr(&(BigInt::from(1) << 130), ctx.index()),
            ctx.index_attr(0)
        );
        assert_eq!(
            ctx.big_int_attr(&BigInt::from(200), ctx.integer(8)),
            ctx.int_attr(-56, ctx.integer(8))
        );
    }

    #[test]
    fn bits_beyond_the_width_are_zero() {
        assert_eq!(element_bytes(&BigInt::from(-1), 3), [7]);
        assert_eq!(
            element_bytes(&BigInt::from(-1), 130),
            [[0xFF; 16].as_slice(), &[3]].concat()
        );
        assert_eq!(signed_element(&[7], 3), BigInt::from(-1));
    }
}
