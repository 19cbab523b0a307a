//! Floating-point numbers of every builtin format as text, digit by digit what MLIR prints.
//!
//! A finite number is written with six digits (`1.000000e+00`) where reading that gives the same bits, else with
//! enough digits to be exact on reading, else as the hexadecimal of its bits; NaN and infinities always as
//! hexadecimal. All arithmetic is exact (a number is an integer times a power of two), so every format takes the
//! same path. Deliberately absent: reading.

use segra_ir::float::Magnitude;
use segra_ir::types::FloatKind;
use std::cmp::Ordering;
use std::fmt::Write;

/// Whether the text was written in hexadecimal, which says nothing about its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    Decimal,
    Hexadecimal,
}

/// Writes the number `bits` stand for in `kind`.
pub(super) fn write_float(out: &mut String, kind: FloatKind, bits: u128) -> Notation {
    let (negative, magnitude) = kind.exact(bits);
    let start = out.len();
    if negative {
        out.push('-');
    }
    match magnitude {
        Magnitude::Special => {}
        Magnitude::Zero => {
            out.push_str("0.000000e+00");
            return Notation::Decimal;
        }
        Magnitude::Finite {
            significand,
            exponent,
            half_gap_below,
        } => {
            let exact = Exact::new(significand, exponent);
            let short = exact.digits(SHORT_DIGITS);
            if short.reads_back(significand, exponent, half_gap_below) {
                short.write_scientific(out);
                return Notation::Decimal;
            }
            // Enough digits for the format, by the formula of Steele and White.
            let enough = 2 + kind.precision() * 59 / 196;
            if exact.digits(enough).write_natural(out, enough) {
                return Notation::Decimal;
            }
        }
    }
    out.truncate(start);
    let _ = write!(out, "0x{bits:X}");
    Notation::Hexadecimal
}

const SHORT_DIGITS: u32 = 6;

/// A positive number as an odd integer times a power of two.
struct Exact {
    significand: u128,
    exponent: i32,
}

impl Exact {
    fn new(significand: u128, exponent: i32) -> Exact {
        let zeros = significand.trailing_zeros();
        Exact {
            significand: significand >> zeros,
            exponent: exponent + zeros as i32,
        }
    }

    /// The number as an integer times a power of ten: exactly, but digits that do not matter for `needed` bits are cut
    /// off, the same number of them as MLIR cuts.
    fn scaled(&self, needed: u32) -> (Big, i32) {
        let removable = |bits: u32| bits.saturating_sub(needed) * 59 / 196;
        let mut integer = Big::from(self.significand);
        if self.exponent >= 0 {
            let power = self.exponent.unsigned_abs();
            let cut = removable(integer.bits() + power);
            // N * 2^s / 10^r = N * 2^(s - r) / 5^r
            if cut <= power {
                integer.shift_left(power - cut);
                integer.div_power_of_five(cut);
            } else {
                integer.shift_left(power);
                integer.div_power_of_ten(cut);
            }
            return (integer, cut as i32);
        }
        // N * 2^-e = (N * 5^e) * 10^-e
        let power = self.exponent.unsigned_abs();
        if let Some(cut) = bits_with_power_of_five(self.significand, power).map(removable)
            && cut <= power
        {
            // N * 5^e / 10^r = N * 5^(e - r) / 2^r: no division of long numbers.
            integer.mul_power_of_five(power - cut);
            integer.shift_right(cut);
            return (integer, self.exponent + cut as i32);
        }
        integer.mul_power_of_five(power);
        let cut = removable(integer.bits());
        integer.div_power_of_ten(cut);
        (integer, self.exponent + cut as i32)
    }

    /// At most `count` significant digits, rounded half up. As MLIR does, digits far beyond the last one are cut off
    /// before rounding, which now and then rounds down what lies just below a half.
    fn digits(&self, count: u32) -> Decimal {
        let (integer, mut exponent) = self.scaled((count * 196).div_ceil(59));
        let mut digits = integer.decimal_digits();
        let zeros = digits.iter().rev().take_while(|&&digit| digit == 0).count();
        digits.truncate(digits.len() - zeros);
        exponent += zeros as i32;
        let mut decimal = Decimal { digits, exponent };
        decimal.round(count as usize);
        decimal
    }
}

/// Bits of `significand * 5^power`, where an estimate is beyond doubt.
fn bits_with_power_of_five(significand: u128, power: u32) -> Option<u32> {
    const DOUBT: f64 = 1e-6;
    let log = (significand as f64).log2() + f64::from(power) * 5f64.log2();
    let (below, above) = ((log - DOUBT).floor(), (log + DOUBT).floor());
    (below == above).then_some(below as u32 + 1)
}

/// Decimal digits (most significant first, last one not 0) times a power of ten.
struct Decimal {
    digits: Vec<u8>,
    exponent: i32,
}

impl Decimal {
    fn round(&mut self, count: usize) {
        if self.digits.len() <= count {
            return;
        }
        let up = self.digits[count] >= 5;
        self.exponent += (self.digits.len() - count) as i32;
        self.digits.truncate(count);
        if up {
            while self.digits.last() == Some(&9) {
                self.digits.pop();
                self.exponent += 1;
            }
            match self.digits.last_mut() {
                Some(last) => *last += 1,
                None => self.digits.push(1),
            }
        }
        while self.digits.last() == Some(&0) {
            self.digits.pop();
            self.exponent += 1;
        }
    }

    /// Whether rounding to nearest (ties to even) gives `significand * 2^exponent` again.
    fn reads_back(&self, significand: u128, exponent: i32, half_gap_below: bool) -> bool {
        let mut mine = Big::default();
        for &digit in &self.digits {
            mine.mul_small(10);
            mine.add_small(digit.into());
        }
        // In quarters of the distance to the next number: half-way points are whole.
        let (below, above) = (if half_gap_below { 1 } else { 2 }, 2);
        let mut low = Big::from(significand);
        low.shift_left(2);
        let mut high = low.clone();
        low.sub_small(below);
        high.add_small(above);
        let quarter = exponent - 2;
        // Bring all to integers: multiply by the powers that are negative.
        if self.exponent >= 0 {
            mine.mul_power_of_five(self.exponent as u32);
            mine.shift_left(self.exponent as u32);
        } else {
            let power = self.exponent.unsigned_abs();
            for big in [&mut low, &mut high] {
                big.mul_power_of_five(power);
                big.shift_left(power);
            }
        }
        if quarter >= 0 {
            low.shift_left(quarter as u32);
            high.shift_left(quarter as u32);
        } else {
            mine.shift_left(quarter.unsigned_abs());
        }
        let even = significand & 1 == 0;
        let fits =
            |order: Ordering, wanted: Ordering| order == wanted || even && order == Ordering::Equal;
        fits(mine.compare(&low), Ordering::Greater) && fits(mine.compare(&high), Ordering::Less)
    }

    /// `1.500000e+00`
    fn write_scientific(&self, out: &mut String) {
        let power = self.exponent + self.digits.len() as i32 - 1;
        self.push_digits(out, 0..1);
        out.push('.');
        self.push_digits(out, 1..self.digits.len());
        for _ in self.digits.len()..=SHORT_DIGITS as usize {
            out.push('0');
        }
        let sign = if power < 0 { '-' } else { '+' };
        let _ = write!(out, "e{sign}{:02}", power.unsigned_abs());
    }

    /// `3.14159274`, or `1.25E-7` where that is shorter. False where the text has no point (nothing is written then):
    /// it would read as an integer.
    fn write_natural(&self, out: &mut String, precision: u32) -> bool {
        const MAX_PADDING: i32 = 3;
        let count = self.digits.len() as i32;
        let power = self.exponent + count - 1;
        let scientific = if self.exponent >= 0 {
            self.exponent > MAX_PADDING || count + self.exponent > precision as i32
        } else {
            power < -MAX_PADDING
        };
        if scientific {
            self.push_digits(out, 0..1);
            out.push('.');
            if count == 1 {
                out.push('0');
            }
            self.push_digits(out, 1..self.digits.len());
            let sign = if power < 0 { '-' } else { '+' };
            let _ = write!(out, "E{sign}{}", power.unsigned_abs());
            return true;
        }
        if self.exponent >= 0 {
            return false;
        }
        let whole = self.exponent + count;
        if whole > 0 {
            self.push_digits(out, 0..whole as usize);
            out.push('.');
            self.push_digits(out, whole as usize..self.digits.len());
        } else {
            out.push_str("0.");
            for _ in whole..0 {
                out.push('0');
            }
            self.push_digits(out, 0..self.digits.len());
        }
        true
    }

    fn push_digits(&self, out: &mut String, range: std::ops::Range<usize>) {
        out.extend(
            self.digits[range]
                .iter()
                .map(|&digit| char::from(b'0' + digit)),
        );
    }
}

/// The largest power of five that is a limb.
const FIVE_TO_13: u32 = 1_220_703_125;

/// A natural number of any size: 32-bit limbs, least significant first, no leading zeros.
#[derive(Clone, Default)]
struct Big {
    limbs: Vec<u32>,
}

impl From<u128> for Big {
    fn from(mut value: u128) -> Big {
        let mut limbs = Vec::with_capacity(8);
        while value != 0 {
            limbs.push(value as u32);
            value >>= 32;
        }
        Big { limbs }
    }
}

impl Big {
    fn bits(&self) -> u32 {
        self.limbs.last().map_or(0, |last| {
            self.limbs.len() as u32 * 32 - last.leading_zeros()
        })
    }
    fn trim(&mut self) {
        while self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
    }
    fn mul_small(&mut self, factor: u32) {
        let mut carry = 0u64;
        for limb in &mut self.limbs {
            let product = u64::from(*limb) * u64::from(factor) + carry;
            *limb = product as u32;
            carry = product >> 32;
        }
        if carry != 0 {
            self.limbs.push(carry as u32);
        }
    }
    fn mul_power_of_five(&mut self, power: u32) {
        for _ in 0..power / 13 {
            self.mul_small(FIVE_TO_13);
        }
        self.mul_small(5u32.pow(power % 13));
    }
    fn shift_left(&mut self, count: u32) {
        if self.limbs.is_empty() {
            return;
        }
        self.mul_small(1 << (count % 32));
        self.limbs
            .splice(0..0, std::iter::repeat_n(0, count as usize / 32));
    }
    fn shift_right(&mut self, count: u32) {
        let whole = (count as usize / 32).min(self.limbs.len());
        self.limbs.drain(..whole);
        let bits = count % 32;
        let mut carry = 0u64;
        for limb in self.limbs.iter_mut().rev() {
            let value = carry << 32 | u64::from(*limb);
            carry = value & ((1 << bits) - 1);
            *limb = (value >> bits) as u32;
        }
        self.trim();
    }
    fn add_small(&mut self, value: u32) {
        let mut carry = value;
        for limb in &mut self.limbs {
            let (sum, overflow) = limb.overflowing_add(carry);
            *limb = sum;
            carry = u32::from(overflow);
        }
        if carry != 0 {
            self.limbs.push(carry);
        }
    }
    /// The number is at least `value`.
    fn sub_small(&mut self, value: u32) {
        let mut borrow = value;
        for limb in &mut self.limbs {
            let (difference, underflow) = limb.overflowing_sub(borrow);
            *limb = difference;
            borrow = u32::from(underflow);
        }
        self.trim();
    }
    /// Divides and returns the remainder.
    fn div_small(&mut self, divisor: u32) -> u32 {
        let mut rest = 0u64;
        for limb in self.limbs.iter_mut().rev() {
            let value = rest << 32 | u64::from(*limb);
            *limb = (value / u64::from(divisor)) as u32;
            rest = value % u64::from(divisor);
        }
        self.trim();
        rest as u32
    }
    fn div_power_of_five(&mut self, power: u32) {
        for _ in 0..power / 13 {
            self.div_small(FIVE_TO_13);
        }
        self.div_small(5u32.pow(power % 13));
    }
    fn div_power_of_ten(&mut self, power: u32) {
        for _ in 0..power / 9 {
            self.div_small(1_000_000_000);
        }
        self.div_small(10u32.pow(power % 9));
    }
    /// Most significant digit first.
    fn decimal_digits(mut self) -> Vec<u8> {
        let mut digits = Vec::new();
        while !self.limbs.is_empty() {
            let mut chunk = self.div_small(1_000_000_000);
            for _ in 0..9 {
                digits.push((chunk % 10) as u8);
                chunk /= 10;
            }
        }
        while digits.last() == Some(&0) {
            digits.pop();
        }
        digits.reverse();
        digits
    }
    fn compare(&self, other: &Big) -> Ordering {
        let length = self.limbs.len().cmp(&other.limbs.len());
        length.then_with(|| self.limbs.iter().rev().cmp(other.limbs.iter().rev()))
    }
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
