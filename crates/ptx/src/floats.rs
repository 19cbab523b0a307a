//! Floats as PTX instructions make them: numbers and rounding are those of `segra-float`, NaN is always the same one.

use segra_float::{FloatKind, Number, Round};

/// The NaN that PTX instructions produce: all bits but the sign.
#[inline]
pub(crate) fn nan(format: FloatKind) -> u64 {
    format.sign_mask() as u64 - 1
}

/// Takes a bit pattern apart.
#[inline]
pub(crate) fn unpack(bits: u64, format: FloatKind) -> Number {
    format.unpack(bits.into())
}

/// Rounds once to `format`.
#[inline]
pub(crate) fn pack(number: Number, format: FloatKind, round: Round) -> u64 {
    if number.is_nan() {
        nan(format)
    } else {
        format.pack(&number, round) as u64
    }
}

/// As [`pack`], but numbers beyond the largest, infinities included, become the largest.
pub(crate) fn pack_saturating(number: Number, format: FloatKind, round: Round) -> u64 {
    if number.is_nan() {
        nan(format)
    } else {
        format.pack_saturating(&number, round) as u64
    }
}

/// Rounds an `f64` to another format.
pub(crate) fn from_f64(value: f64, format: FloatKind, round: Round) -> u64 {
    pack(unpack(value.to_bits(), FloatKind::F64), format, round)
}

/// The `f64` with the value of a pattern of a narrower format: always exact.
pub(crate) fn to_f64(bits: u64, format: FloatKind) -> f64 {
    f64::from_bits(pack(
        unpack(bits, format),
        FloatKind::F64,
        Round::NearestEven,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_has_all_bits_but_the_sign_whatever_it_came_from() {
        let kinds = [
            FloatKind::F16,
            FloatKind::BF16,
            FloatKind::F32,
            FloatKind::F64,
        ];
        for (kind, nan) in kinds
            .into_iter()
            .zip([0x7fff, 0x7fff, 0x7fff_ffff, i64::MAX as u64])
        {
            assert_eq!(from_f64(-f64::NAN, kind, Round::Zero), nan);
        }
        let number = unpack(0xff, FloatKind::F8E4M3FN);
        assert_eq!(
            pack_saturating(number, FloatKind::F8E4M3FN, Round::NearestEven),
            0x7f
        );
    }

    #[test]
    fn every_half_value_survives_the_way_through_f64() {
        for bits in 0..=u16::MAX {
            let value = to_f64(u64::from(bits), FloatKind::F16);
            let expected = half::f16::from_bits(bits).to_f64();
            assert!(value == expected || value.is_nan() && expected.is_nan());
            if !value.is_nan() {
                let back = from_f64(value, FloatKind::F16, Round::NearestEven);
                assert_eq!(back, u64::from(bits));
            }
        }
    }
}
