//! Floating-point numbers of every builtin format as text, digit by digit what MLIR prints.
//!
//! A finite number is written with six digits (`1.000000e+00`) where reading that gives the same bits, else with
//! enough digits to be exact on reading, else as the hexadecimal of its bits; NaN, infinities and bits of `f80` that no
//! processor makes always as hexadecimal. Deliberately absent: reading, and arithmetic ([`segra_float::Decimal`]).

use segra_float::{Decimal, FloatKind, Number};
use std::fmt::Write;

/// Whether the text was written in hexadecimal, which says nothing about its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    Decimal,
    Hexadecimal,
}

/// Writes the number `bits` stand for in `kind`.
pub(super) fn write_float(out: &mut String, kind: FloatKind, bits: u128) -> Notation {
    let start = out.len();
    if let Number::Finite {
        negative,
        significand,
        exponent,
    } = kind.unpack::<u128>(bits)
        && kind.is_canonical(bits)
    {
        if negative {
            out.push('-');
        }
        if significand == 0 {
            out.push_str("0.000000e+00");
            return Notation::Decimal;
        }
        let short = Decimal::of(significand, exponent, SHORT_DIGITS);
        if short.reads_back(kind, significand, exponent) {
            write_scientific(out, &short);
            return Notation::Decimal;
        }
        // Enough digits for the format, by the formula of Steele and White.
        let enough = 2 + kind.precision() * 59 / 196;
        if write_natural(out, &Decimal::of(significand, exponent, enough), enough) {
            return Notation::Decimal;
        }
    }
    out.truncate(start);
    let _ = write!(out, "0x{bits:X}");
    Notation::Hexadecimal
}

const SHORT_DIGITS: u32 = 6;

/// `1.500000e+00`
fn write_scientific(out: &mut String, decimal: &Decimal) {
    let mut buffer = itoa::Buffer::new();
    let digits = buffer.format(decimal.digits());
    let power = decimal.exponent() + digits.len() as i32 - 1;
    push_mantissa(out, digits);
    out.extend((digits.len()..=SHORT_DIGITS as usize).map(|_| '0'));
    let sign = if power < 0 { '-' } else { '+' };
    let _ = write!(out, "e{sign}{:02}", power.unsigned_abs());
}

/// `3.14159274`, or `1.25E-7` where that is shorter. False where the text has no point (nothing is written then):
/// it would read as an integer.
fn write_natural(out: &mut String, decimal: &Decimal, precision: u32) -> bool {
    const MAX_PADDING: i32 = 3;
    let mut buffer = itoa::Buffer::new();
    let digits = buffer.format(decimal.digits());
    let (count, exponent) = (digits.len() as i32, decimal.exponent());
    let power = exponent + count - 1;
    let scientific = if exponent >= 0 {
        exponent > MAX_PADDING || count + exponent > precision as i32
    } else {
        power < -MAX_PADDING
    };
    if scientific {
        push_mantissa(out, digits);
        if count == 1 {
            out.push('0');
        }
        let sign = if power < 0 { '-' } else { '+' };
        let _ = write!(out, "E{sign}{}", power.unsigned_abs());
        return true;
    }
    if exponent >= 0 {
        return false;
    }
    let whole = usize::try_from(exponent + count).unwrap_or(0);
    let (whole, fraction) = digits.split_at(whole);
    out.push_str(if whole.is_empty() { "0" } else { whole });
    out.push('.');
    out.extend((exponent + count..0).map(|_| '0'));
    out.push_str(fraction);
    true
}

/// `1.25` of the digits `125`.
fn push_mantissa(out: &mut String, digits: &str) {
    let (first, others) = digits.split_at(1);
    out.push_str(first);
    out.push('.');
    out.push_str(others);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(kind: FloatKind, bits: u128) -> String {
        let mut out = String::new();
        write_float(&mut out, kind, bits);
        out
    }

    #[test]
    fn doubles_are_written_as_mlir_does() {
        let cases: [(f64, &str); 12] = [
            (1.0, "1.000000e+00"),
            (0.1, "1.000000e-01"),
            (0.7, "0.69999999999999996"),
            (-0.0, "-0.000000e+00"),
            (123_456_789.0, "0x419D6F3454000000"),
            (1.0e-3, "1.000000e-03"),
            (0.00012345678, "1.2345678000000001E-4"),
            (f64::INFINITY, "0x7FF0000000000000"),
            (f64::NEG_INFINITY, "0xFFF0000000000000"),
            (1e300, "1.000000e+300"),
            (5e-324, "4.940660e-324"),
            (std::f64::consts::PI, "3.1415926535897931"),
        ];
        for (value, expected) in cases {
            assert_eq!(text(FloatKind::F64, value.to_bits().into()), expected);
        }
    }

    #[test]
    fn bits_that_no_processor_makes_are_written_as_they_are() {
        for bits in [1 << 63, 1 << 64, 0x7FFF_0000_0000_0000_0000] {
            assert_eq!(text(FloatKind::F80, bits), format!("0x{bits:X}"));
        }
    }

    #[test]
    fn every_number_of_a_small_format_reads_back() {
        // Through f64, which holds every f16 exactly.
        for bits in 0..=u16::MAX {
            let value = half::f16::from_bits(bits);
            let written = text(FloatKind::F16, bits.into());
            match written.strip_prefix("0x") {
                Some(hex) => assert_eq!(u16::from_str_radix(hex, 16), Ok(bits)),
                None => {
                    let read: f64 = written.parse().expect("a number");
                    assert_eq!(
                        half::f16::from_f64(read).to_bits(),
                        bits,
                        "{written} {value}"
                    );
                }
            }
        }
    }
}
