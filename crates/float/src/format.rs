//! The formats: one row each.
//!
//! Beyond the largest finite number, and in which bits are NaN, formats follow their definitions: IEEE 754, x87, OCP's
//! 8-bit and microscaling formats, and the variants without infinities and negative zero (FNUZ).

/// The floating-point formats of MLIR's builtin dialect.
///
/// ```
/// use segra_float::FloatKind;
/// assert_eq!(FloatKind::from_keyword("bf16"), Some(FloatKind::BF16));
/// assert_eq!(FloatKind::F80.width(), 80);
/// assert!(FloatKind::F16.fits_in(FloatKind::F32));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are the formats")]
pub enum FloatKind {
    BF16,
    F16,
    TF32,
    F32,
    F64,
    F80,
    F128,
    F8E5M2,
    F8E4M3,
    F8E4M3FN,
    F8E5M2FNUZ,
    F8E4M3FNUZ,
    F8E4M3B11FNUZ,
    F8E3M4,
    F8E8M0FNU,
    F4E2M1FN,
    F6E2M3FN,
    F6E3M2FN,
}

/// The meaning of a format's largest exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    /// Infinities and NaNs, as IEEE 754.
    Ieee,
    /// No infinities; all ones is NaN.
    OnesNan,
    /// No infinities, no negative zero: its bits are NaN.
    NegativeZeroNan,
    /// Numbers only.
    Finite,
    /// Powers of two without sign or zero; all ones is NaN.
    PowersOfTwo,
    /// IEEE 754 with the leading one of the significand stored (x87).
    ExplicitOne,
}
use Special::{ExplicitOne, Finite, Ieee, NegativeZeroNan, OnesNan, PowersOfTwo};

/// How the bits of a format are divided, and what follows from that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// Bits after the leading one.
    pub(crate) mantissa: u32,
    /// Bits behind the exponent.
    stored: u32,
    pub(crate) sign_bit: u32,
    pub(crate) bias: i32,
    /// The exponent of the least normal number.
    pub(crate) least: i32,
    /// The largest exponent as it is stored.
    pub(crate) ones: u32,
    pub(crate) special: Special,
    /// The magnitude of the largest finite number, without a leading one.
    pub(crate) largest: u128,
}

/// Each format with its keyword, bits of exponent and mantissa, and bias, in the order of [`FloatKind`].
type Row = (FloatKind, &'static str, u32, u32, i32, Special);
static ROWS: [Row; 18] = [
    (FloatKind::BF16, "bf16", 8, 7, 127, Ieee),
    (FloatKind::F16, "f16", 5, 10, 15, Ieee),
    (FloatKind::TF32, "tf32", 8, 10, 127, Ieee),
    (FloatKind::F32, "f32", 8, 23, 127, Ieee),
    (FloatKind::F64, "f64", 11, 52, 1023, Ieee),
    (FloatKind::F80, "f80", 15, 63, 16383, ExplicitOne),
    (FloatKind::F128, "f128", 15, 112, 16383, Ieee),
    (FloatKind::F8E5M2, "f8E5M2", 5, 2, 15, Ieee),
    (FloatKind::F8E4M3, "f8E4M3", 4, 3, 7, Ieee),
    (FloatKind::F8E4M3FN, "f8E4M3FN", 4, 3, 7, OnesNan),
    (
        FloatKind::F8E5M2FNUZ,
        "f8E5M2FNUZ",
        5,
        2,
        16,
        NegativeZeroNan,
    ),
    (
        FloatKind::F8E4M3FNUZ,
        "f8E4M3FNUZ",
        4,
        3,
        8,
        NegativeZeroNan,
    ),
    (
        FloatKind::F8E4M3B11FNUZ,
        "f8E4M3B11FNUZ",
        4,
        3,
        11,
        NegativeZeroNan,
    ),
    (FloatKind::F8E3M4, "f8E3M4", 3, 4, 3, Ieee),
    (FloatKind::F8E8M0FNU, "f8E8M0FNU", 8, 0, 127, PowersOfTwo),
    (FloatKind::F4E2M1FN, "f4E2M1FN", 2, 1, 1, Finite),
    (FloatKind::F6E2M3FN, "f6E2M3FN", 2, 3, 1, Finite),
    (FloatKind::F6E3M2FN, "f6E3M2FN", 3, 2, 3, Finite),
];

impl FloatKind {
    /// Every format.
    pub fn all() -> impl Iterator<Item = FloatKind> {
        ROWS.iter().map(|row| row.0)
    }
    /// The keyword in MLIR's text form.
    pub fn keyword(self) -> &'static str {
        ROWS[self as usize].1
    }
    /// The format a keyword names.
    pub fn from_keyword(keyword: &str) -> Option<FloatKind> {
        ROWS.iter().find(|row| row.1 == keyword).map(|row| row.0)
    }
    #[inline]
    pub(crate) fn layout(self) -> &'static Layout {
        &LAYOUTS[self as usize]
    }
    /// Width in bits.
    #[inline]
    pub fn width(self) -> u32 {
        let layout = self.layout();
        layout.sign_bit + u32::from(layout.special != PowersOfTwo)
    }
    /// Bytes an element of this format takes in dense data.
    pub fn storage_bytes(self) -> usize {
        (self.width() as usize).div_ceil(8)
    }
    /// Bits of precision, the leading one included.
    pub fn precision(self) -> u32 {
        self.layout().mantissa + 1
    }
    /// The largest number lies between two to the power of this and its double.
    pub fn largest_exponent(self) -> i32 {
        let layout = self.layout();
        layout.ones as i32 - i32::from(self.is_ieee()) - layout.bias
    }
    /// Whether `other` has every number of this format.
    pub fn fits_in(self, other: FloatKind) -> bool {
        let (own, others) = (self.layout(), other.layout());
        if own.special == PowersOfTwo || others.special == PowersOfTwo {
            return self == other;
        }
        own.mantissa <= others.mantissa
            && self.largest_exponent() <= other.largest_exponent()
            && own.bias <= others.bias
    }
    /// The bits of the sign: 0 where the format has none.
    #[inline]
    pub fn sign_mask(self) -> u128 {
        let layout = self.layout();
        u128::from(layout.special != PowersOfTwo) << layout.sign_bit
    }
    /// Whether NaNs have payloads, and infinities are there, as in IEEE 754.
    pub fn is_ieee(self) -> bool {
        matches!(self.layout().special, Ieee | ExplicitOne)
    }
    /// Whether a processor makes these bits: in `f80`, the leading one is there where the exponent says so.
    pub fn is_canonical(self, bits: u128) -> bool {
        let layout = self.layout();
        let leading = bits >> layout.mantissa & 1 == 1;
        layout.special != ExplicitOne || leading == (layout.fields(bits).1 != 0)
    }
}

static LAYOUTS: [Layout; 18] = {
    let mut layouts = [Layout::of(&ROWS[0]); 18];
    let mut at = 0;
    while at < layouts.len() {
        layouts[at] = Layout::of(&ROWS[at]);
        at += 1;
    }
    layouts
};

impl Layout {
    const fn of(&(_, _, exponent, mantissa, bias, special): &Row) -> Layout {
        let stored = mantissa + matches!(special, ExplicitOne) as u32;
        let all = (1 << (exponent + mantissa)) - 1;
        let ones = (1 << exponent) - 1;
        Layout {
            mantissa,
            stored,
            sign_bit: exponent + stored,
            bias,
            least: 1 - bias,
            ones,
            special,
            largest: match special {
                Ieee | ExplicitOne => ((ones as u128) << mantissa) - 1,
                OnesNan | PowersOfTwo => all - 1,
                NegativeZeroNan | Finite => all,
            },
        }
    }
    /// Whether 64 bits suffice: shifts of 128 take several instructions.
    #[inline]
    pub(crate) fn is_narrow(&self) -> bool {
        self.sign_bit < 64
    }
    /// Sign, exponent and what is stored behind it.
    #[inline]
    pub(crate) fn fields(&self, bits: u128) -> (bool, u32, u128) {
        if self.is_narrow() {
            let bits = bits as u64;
            let power = (bits >> self.stored) as u32 & self.ones;
            let negative = bits >> self.sign_bit & 1 == 1;
            return (negative, power, (bits & ((1 << self.stored) - 1)).into());
        }
        let power = (bits >> self.stored) as u32 & self.ones;
        let negative = bits >> self.sign_bit & 1 == 1;
        (negative, power, bits & ((1 << self.stored) - 1))
    }
    /// The bits of a sign and a magnitude, which has no leading one.
    #[inline]
    pub(crate) fn assembled(&self, negative: bool, magnitude: u128) -> u128 {
        if self.is_narrow() {
            return (magnitude as u64 | u64::from(negative) << self.sign_bit).into();
        }
        let sign = u128::from(negative) << self.sign_bit;
        if self.special != ExplicitOne {
            return magnitude | sign;
        }
        let (power, fraction) = (magnitude >> 63, magnitude & ((1 << 63) - 1));
        sign | power << 64 | u128::from(power != 0) << 63 | fraction
    }
    /// The bits of NaN, with as much of a payload as there is space for.
    pub(crate) fn nan(&self, negative: bool, payload: u128) -> u128 {
        match self.special {
            OnesNan => self.assembled(negative, self.largest + 1),
            PowersOfTwo => self.largest + 1,
            NegativeZeroNan => self.assembled(true, 0),
            // There is none: zero is as wrong as anything.
            Finite => 0,
            Ieee | ExplicitOne => {
                let fraction = match payload >> (u128::BITS - self.mantissa) {
                    // Without a payload it would be infinite.
                    0 => 1 << (self.mantissa - 1),
                    fraction => fraction,
                };
                self.assembled(negative, (self.largest + 1) | fraction)
            }
        }
    }
    /// The bits of a result beyond the largest number.
    #[inline]
    pub(crate) fn overflow(&self, negative: bool) -> u128 {
        match self.special {
            Ieee | ExplicitOne => self.assembled(negative, self.largest + 1),
            Finite => self.assembled(negative, self.largest),
            OnesNan | NegativeZeroNan | PowersOfTwo => self.nan(negative, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_formats() {
        for (at, kind) in FloatKind::all().enumerate() {
            assert_eq!(kind as usize, at, "{kind:?}");
            assert_eq!(FloatKind::from_keyword(kind.keyword()), Some(kind));
        }
    }

    #[test]
    fn widths_are_those_of_the_keywords() {
        for kind in FloatKind::all() {
            let digits: String = kind
                .keyword()
                .chars()
                .skip_while(|c| !c.is_ascii_digit())
                .take_while(char::is_ascii_digit)
                .collect();
            let wanted = if kind == FloatKind::TF32 {
                19
            } else {
                digits.parse().unwrap_or(0)
            };
            assert_eq!(kind.width(), wanted, "{kind:?}");
        }
    }
}
