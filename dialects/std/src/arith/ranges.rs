//! Ranges of the results of integer ops, from those of their operands.
//!
//! Each rule looks at the corners of the operands' bounds, with numbers wide enough that nothing overflows; where a
//! result may not fit its width, nothing is known of that reading. Divisors: a sum is a multiple of what both terms are
//! multiples of, a product of the product; where values may wrap only powers of two survive.

use super::cast::{ExtSIOp, ExtUIOp, IndexCastOp, IndexCastUIOp, TruncIOp};
use super::cmp::{CmpIOp, CmpIPredicate, SelectOp};
use super::constant::ConstantOp;
use super::int::*;
use crate::constants::splat_of;
use segra_ir::int_range::{InferIntRanges, IntRange, Remainder, gcd};
use segra_ir::{Ir, Op, OpView};

type Corner = fn(i128, i128) -> i128;

/// The range of a monotone function of two operands, by the corners of their bounds in both readings.
fn by_corners(a: IntRange, b: IntRange, signed: Corner, unsigned: Corner) -> IntRange {
    let [al, ah, bl, bh] = [a.smin, a.smax, b.smin, b.smax].map(i128::from);
    let corners = [
        signed(al, bl),
        signed(al, bh),
        signed(ah, bl),
        signed(ah, bh),
    ];
    let by_sign = hull(corners, |low, high| IntRange::signed(a.width, low, high));
    let [al, ah, bl, bh] = [a.umin, a.umax, b.umin, b.umax].map(i128::from);
    let corners = [
        unsigned(al, bl),
        unsigned(al, bh),
        unsigned(ah, bl),
        unsigned(ah, bh),
    ];
    by_sign.intersected(hull(corners, |low, high| {
        IntRange::unsigned(a.width, low, high)
    }))
}

fn hull(corners: [i128; 4], make: impl Fn(i128, i128) -> IntRange) -> IntRange {
    let low = corners.into_iter().min().unwrap_or(0);
    let high = corners.into_iter().max().unwrap_or(0);
    make(low, high)
}

/// The divisor of a result, where the signed reading of the exact result lies between these.
fn divisor(width: u32, exact: u64, low: i128, high: i128) -> u64 {
    let full = IntRange::full(width);
    let fits = low >= full.smin.into() && high <= full.smax.into();
    // 2^k divides a number modulo 2^width as it divides the number.
    if fits || exact == 0 {
        exact
    } else {
        1 << exact.trailing_zeros().min(width - 1)
    }
}

fn add(a: IntRange, b: IntRange) -> IntRange {
    let (low, high) = (
        i128::from(a.smin) + i128::from(b.smin),
        i128::from(a.smax) + i128::from(b.smax),
    );
    let divisor = divisor(a.width, gcd(a.divisor, b.divisor), low, high);
    by_corners(a, b, |x, y| x + y, |x, y| x + y).with_divisor(divisor)
}
fn sub(a: IntRange, b: IntRange) -> IntRange {
    let (low, high) = (
        i128::from(a.smin) - i128::from(b.smax),
        i128::from(a.smax) - i128::from(b.smin),
    );
    let divisor = divisor(a.width, gcd(a.divisor, b.divisor), low, high);
    by_corners(a, b, |x, y| x - y, |x, y| x - y).with_divisor(divisor)
}
fn mul(a: IntRange, b: IntRange) -> IntRange {
    let corners = [a.smin, a.smax].map(|x| [b.smin, b.smax].map(|y| i128::from(x) * i128::from(y)));
    let all = [corners[0][0], corners[0][1], corners[1][0], corners[1][1]];
    let low = all.into_iter().min().unwrap_or(0);
    let high = all.into_iter().max().unwrap_or(0);
    // A product of divisors too large for a word still has the factors of one of them.
    let exact = a
        .divisor
        .checked_mul(b.divisor)
        .unwrap_or(a.divisor.max(b.divisor));
    // A product of unsigned words may need 129 bits; any limit says that it does not fit.
    by_corners(a, b, |x, y| x * y, i128::saturating_mul)
        .with_divisor(divisor(a.width, exact, low, high))
}

fn div_unsigned(a: IntRange, b: IntRange) -> Option<IntRange> {
    if b.umax == 0 {
        return None;
    }
    // Dividing by 0 is an error.
    Some(IntRange::unsigned(
        a.width,
        (a.umin / b.umax).into(),
        (a.umax / b.umin.max(1)).into(),
    ))
}
fn div_signed(a: IntRange, b: IntRange, divide: Corner) -> Option<IntRange> {
    if b.smin <= 0 && b.smax >= 0 {
        return None;
    }
    let [al, ah, bl, bh] = [a.smin, a.smax, b.smin, b.smax].map(i128::from);
    let corners = [
        divide(al, bl),
        divide(al, bh),
        divide(ah, bl),
        divide(ah, bh),
    ];
    Some(hull(corners, |low, high| {
        IntRange::signed(a.width, low, high)
    }))
}
fn rem_unsigned(a: IntRange, b: IntRange) -> Option<IntRange> {
    if b.umin > a.umax {
        return Some(a);
    }
    if b.umin == b.umax && b.umin != 0 && a.umin / b.umin == a.umax / b.umin {
        return Some(IntRange::unsigned(
            a.width,
            (a.umin % b.umin).into(),
            (a.umax % b.umin).into(),
        ));
    }
    Some(IntRange::unsigned(
        a.width,
        0,
        i128::from(a.umax).min(i128::from(b.umax).max(1) - 1),
    ))
}
fn rem_signed(a: IntRange, b: IntRange) -> Option<IntRange> {
    let least = if b.smin > 0 || b.smax < 0 {
        b.smin.unsigned_abs().min(b.smax.unsigned_abs())
    } else {
        0
    };
    if a.smin.unsigned_abs().max(a.smax.unsigned_abs()) < least {
        return Some(a);
    }
    let most = i128::from(b.smin.unsigned_abs().max(b.smax.unsigned_abs())).max(1) - 1;
    let low = if a.smin < 0 {
        (-most).max(a.smin.into())
    } else {
        0
    };
    let high = if a.smax > 0 {
        most.min(a.smax.into())
    } else {
        0
    };
    Some(IntRange::signed(a.width, low, high))
}
fn min_max(a: IntRange, b: IntRange, signed: bool, larger: bool) -> IntRange {
    let pick = |x: i128, y: i128| if larger { x.max(y) } else { x.min(y) };
    let range = if signed {
        IntRange::signed(
            a.width,
            pick(a.smin.into(), b.smin.into()),
            pick(a.smax.into(), b.smax.into()),
        )
    } else {
        IntRange::unsigned(
            a.width,
            pick(a.umin.into(), b.umin.into()),
            pick(a.umax.into(), b.umax.into()),
        )
    };
    // It is one of the two.
    range
        .intersected(IntRange {
            divisor: 1,
            ..a.joined(b)
        })
        .with_divisor(gcd(a.divisor, b.divisor))
}

/// All bits up to the highest one that may be set.
fn below_power(value: u64) -> u64 {
    if value == 0 {
        0
    } else {
        u64::MAX >> value.leading_zeros()
    }
}
/// The bits that are set in every number of a range, and those that may be: its bounds agree above the first bit in
/// which they differ.
fn known_bits(a: IntRange) -> (u64, u64) {
    let open = below_power(a.umin ^ a.umax);
    (a.umin & !open, a.umax | open)
}
fn and(a: IntRange, b: IntRange) -> IntRange {
    let ((set, may), (other_set, other_may)) = (known_bits(a), known_bits(b));
    let high = (may & other_may).min(a.umax).min(b.umax);
    IntRange::unsigned(a.width, (set & other_set).into(), high.into())
}
fn or(a: IntRange, b: IntRange) -> IntRange {
    let ((set, may), (other_set, other_may)) = (known_bits(a), known_bits(b));
    let low = (set | other_set).max(a.umin).max(b.umin);
    IntRange::unsigned(a.width, low.into(), (may | other_may).into())
}
fn xor(a: IntRange, b: IntRange) -> IntRange {
    let ((set, may), (other_set, other_may)) = (known_bits(a), known_bits(b));
    let open = (set ^ may) | (other_set ^ other_may);
    let low = (set ^ other_set) & !open;
    IntRange::unsigned(a.width, low.into(), (low | open).into())
}

/// Shift amounts as they stand, where none is too large for the width.
fn shifts(b: IntRange) -> Option<(u32, u32)> {
    (b.umax < b.width.into()).then_some((b.umin as u32, b.umax as u32))
}
fn shift_left(a: IntRange, b: IntRange) -> Option<IntRange> {
    let (least, most) = shifts(b)?;
    let (low, high) = (i128::from(a.umin) << least, i128::from(a.umax) << most);
    let exact = a
        .divisor
        .checked_shl(least)
        .filter(|&shifted| shifted >> least == a.divisor)
        .unwrap_or(1);
    let signed = [
        i128::from(a.smin) << most,
        i128::from(a.smax) << most,
        i128::from(a.smin) << least,
    ];
    let low_signed = signed.into_iter().min().unwrap_or(0);
    let high_signed = signed[1].max(i128::from(a.smax) << least);
    let divisor = divisor(a.width, exact, low_signed, high_signed);
    let by_sign = IntRange::signed(a.width, low_signed, high_signed);
    Some(
        by_sign
            .intersected(IntRange::unsigned(a.width, low, high))
            .with_divisor(divisor),
    )
}
fn shift_right_unsigned(a: IntRange, b: IntRange) -> Option<IntRange> {
    let (least, most) = shifts(b)?;
    Some(IntRange::unsigned(
        a.width,
        (a.umin >> most).into(),
        (a.umax >> least).into(),
    ))
}
fn shift_right_signed(a: IntRange, b: IntRange) -> Option<IntRange> {
    let (least, most) = shifts(b)?;
    let corners = [
        a.smin >> least,
        a.smin >> most,
        a.smax >> least,
        a.smax >> most,
    ]
    .map(i128::from);
    Some(hull(corners, |low, high| {
        IntRange::signed(a.width, low, high)
    }))
}

fn floor_div(x: i128, y: i128) -> i128 {
    let quotient = x / y;
    if x % y != 0 && (x < 0) != (y < 0) {
        quotient - 1
    } else {
        quotient
    }
}
fn ceil_div(x: i128, y: i128) -> i128 {
    -floor_div(-x, y)
}
fn ceil_div_unsigned(a: IntRange, b: IntRange) -> Option<IntRange> {
    let (most, least) = (i128::from(b.umax).max(1), i128::from(b.umin).max(1));
    Some(IntRange::unsigned(
        a.width,
        ceil_div(a.umin.into(), most),
        ceil_div(a.umax.into(), least),
    ))
}

macro_rules! binary_ranges {
    ($($op:ident: |$a:ident, $b:ident| $rule:expr;)*) => {$(
        impl InferIntRanges for $op {
            fn infer_int_range(&self, _ir: &Ir, _op: Op, operands: &[Option<IntRange>]) -> Option<IntRange> {
                let ($a, $b) = (operands.first().copied().flatten()?, operands.get(1).copied().flatten()?);
                $rule
            }
        }
    )*};
}
binary_ranges! {
    AddIOp: |a, b| Some(add(a, b));
    SubIOp: |a, b| Some(sub(a, b));
    MulIOp: |a, b| Some(mul(a, b));
    DivUIOp: |a, b| div_unsigned(a, b);
    DivSIOp: |a, b| div_signed(a, b, |x, y| x / y);
    FloorDivSIOp: |a, b| div_signed(a, b, floor_div);
    CeilDivSIOp: |a, b| div_signed(a, b, ceil_div);
    CeilDivUIOp: |a, b| ceil_div_unsigned(a, b);
    RemUIOp: |a, b| rem_unsigned(a, b);
    RemSIOp: |a, b| rem_signed(a, b);
    AndIOp: |a, b| Some(and(a, b));
    OrIOp: |a, b| Some(or(a, b));
    XOrIOp: |a, b| Some(xor(a, b));
    ShLIOp: |a, b| shift_left(a, b);
    ShRUIOp: |a, b| shift_right_unsigned(a, b);
    ShRSIOp: |a, b| shift_right_signed(a, b);
    MaxSIOp: |a, b| Some(min_max(a, b, true, true));
    MaxUIOp: |a, b| Some(min_max(a, b, false, true));
    MinSIOp: |a, b| Some(min_max(a, b, true, false));
    MinUIOp: |a, b| Some(min_max(a, b, false, false));
}

impl Remainder for RemUIOp {
    fn is_value(&self, value: IntRange, divisor: IntRange) -> bool {
        value.umax < divisor.umin
    }
}
impl Remainder for RemSIOp {
    fn is_value(&self, value: IntRange, divisor: IntRange) -> bool {
        value.smin >= 0 && value.smax < divisor.smin
    }
}

impl InferIntRanges for ConstantOp {
    fn infer_int_range(&self, ir: &Ir, op: Op, _operands: &[Option<IntRange>]) -> Option<IntRange> {
        let view = ConstantOp::from_op(op);
        let width = IntRange::width_of(ir.ctx(), ir.value_type(view.result(ir)))?;
        let value = splat_of(ir.ctx(), view.value_attr(ir)?)?.as_int()?;
        Some(IntRange::constant(width, value))
    }
}

/// Whether the comparison comes out the same for all values there may be.
fn compare(predicate: CmpIPredicate, a: IntRange, b: IntRange) -> Option<bool> {
    let always = |yes: bool, no: bool| {
        if yes {
            Some(true)
        } else if no {
            Some(false)
        } else {
            None
        }
    };
    match predicate {
        CmpIPredicate::Eq | CmpIPredicate::Ne => {
            let same = a.single().is_some() && a.single() == b.single();
            let apart = a.umax < b.umin || b.umax < a.umin || a.smax < b.smin || b.smax < a.smin;
            let equal = always(same, apart)?;
            Some(equal == (predicate == CmpIPredicate::Eq))
        }
        CmpIPredicate::Slt => always(a.smax < b.smin, a.smin >= b.smax),
        CmpIPredicate::Sle => always(a.smax <= b.smin, a.smin > b.smax),
        CmpIPredicate::Sgt => always(a.smin > b.smax, a.smax <= b.smin),
        CmpIPredicate::Sge => always(a.smin >= b.smax, a.smax < b.smin),
        CmpIPredicate::Ult => always(a.umax < b.umin, a.umin >= b.umax),
        CmpIPredicate::Ule => always(a.umax <= b.umin, a.umin > b.umax),
        CmpIPredicate::Ugt => always(a.umin > b.umax, a.umax <= b.umin),
        CmpIPredicate::Uge => always(a.umin >= b.umax, a.umax < b.umin),
    }
}

impl InferIntRanges for CmpIOp {
    fn infer_int_range(&self, ir: &Ir, op: Op, operands: &[Option<IntRange>]) -> Option<IntRange> {
        let (a, b) = (
            operands.first().copied().flatten()?,
            operands.get(1).copied().flatten()?,
        );
        let known = compare(CmpIOp::from_op(op).predicate(ir), a, b)?;
        Some(IntRange::constant(1, known.into()))
    }
}

impl InferIntRanges for SelectOp {
    fn infer_int_range(
        &self,
        _ir: &Ir,
        _op: Op,
        operands: &[Option<IntRange>],
    ) -> Option<IntRange> {
        let (yes, no) = (
            operands.get(1).copied().flatten()?,
            operands.get(2).copied().flatten()?,
        );
        match operands
            .first()
            .copied()
            .flatten()
            .and_then(IntRange::single)
        {
            Some(0) => Some(no),
            Some(_) => Some(yes),
            None => Some(yes.joined(no)),
        }
    }
}

/// How an integer of one width becomes one of another.
#[derive(Clone, Copy)]
enum Extension {
    Signed,
    Unsigned,
}

fn resize(
    ir: &Ir,
    op: Op,
    operands: &[Option<IntRange>],
    extension: Extension,
) -> Option<IntRange> {
    let a = operands.first().copied().flatten()?;
    let width = IntRange::width_of(ir.ctx(), ir.value_type(ir.result(op, 0)))?;
    if width < a.width {
        // Kept where no bit that counts is cut off; a power of two divides what is left as it divided the whole.
        let mut kept = IntRange::signed(width, a.smin.into(), a.smax.into())
            .intersected(IntRange::unsigned(width, a.umin.into(), a.umax.into()));
        // Where the bits that are cut off are always the same, the others keep their order.
        if a.umin >> width == a.umax >> width {
            let low_bits = |value: u64| i128::from(value & ((1 << width) - 1));
            kept = kept.intersected(IntRange::unsigned(
                width,
                low_bits(a.umin),
                low_bits(a.umax),
            ));
        }
        let fits = IntRange::full(width).smin <= a.smin && a.smax <= IntRange::full(width).smax;
        let exact = if fits {
            a.divisor
        } else {
            1 << a.divisor.max(1).trailing_zeros().min(width - 1)
        };
        return Some(kept.with_divisor(exact));
    }
    Some(match extension {
        Extension::Signed => {
            IntRange::signed(width, a.smin.into(), a.smax.into()).with_divisor(a.divisor)
        }
        Extension::Unsigned => {
            let divisor = if a.smin >= 0 {
                a.divisor
            } else {
                1 << a.divisor.max(1).trailing_zeros().min(63)
            };
            IntRange::unsigned(width, a.umin.into(), a.umax.into()).with_divisor(divisor)
        }
    })
}

macro_rules! cast_ranges {
    ($($op:ident: $extension:ident),*) => {$(
        impl InferIntRanges for $op {
            fn infer_int_range(&self, ir: &Ir, op: Op, operands: &[Option<IntRange>]) -> Option<IntRange> {
                resize(ir, op, operands, Extension::$extension)
            }
        }
    )*};
}
cast_ranges!(ExtSIOp: Signed, ExtUIOp: Unsigned, IndexCastOp: Signed, IndexCastUIOp: Unsigned, TruncIOp: Signed);

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pair of ranges of three bits, and every pair of values in them: the result is in the result's range.
    fn holds(
        rule: impl Fn(IntRange, IntRange) -> Option<IntRange>,
        exact: impl Fn(i64, i64) -> Option<i64>,
    ) {
        let mut ranges = vec![IntRange::full(3)];
        for low in -4..4i128 {
            for high in low..4 {
                ranges.push(IntRange::signed(3, low, high));
                ranges.push(
                    IntRange::constant(3, low as i64).joined(IntRange::constant(3, high as i64)),
                );
                ranges.push(IntRange::unsigned(3, low + 4, high + 4));
            }
        }
        for &a in &ranges {
            for &b in &ranges {
                let Some(result) = rule(a, b) else { continue };
                for x in (-4..4).filter(|&x| a.contains(x)) {
                    for y in (-4..4).filter(|&y| b.contains(y)) {
                        let Some(z) = exact(x, y) else { continue };
                        let z = IntRange::constant(3, z).smin;
                        assert!(
                            result.contains(z),
                            "{x} and {y} give {z}, not in {result:?} of {a:?} and {b:?}"
                        );
                    }
                }
            }
        }
    }
    fn unsigned(x: i64) -> i64 {
        x & 7
    }

    #[test]
    fn every_result_is_in_its_range() {
        holds(|a, b| Some(add(a, b)), |x, y| Some(x + y));
        holds(|a, b| Some(sub(a, b)), |x, y| Some(x - y));
        holds(|a, b| Some(mul(a, b)), |x, y| Some(x * y));
        holds(div_unsigned, |x, y| unsigned(x).checked_div(unsigned(y)));
        holds(|a, b| div_signed(a, b, |x, y| x / y), i64::checked_div);
        holds(
            |a, b| div_signed(a, b, floor_div),
            |x, y| (y != 0).then(|| floor_div(x.into(), y.into()) as i64),
        );
        holds(
            |a, b| div_signed(a, b, ceil_div),
            |x, y| (y != 0).then(|| ceil_div(x.into(), y.into()) as i64),
        );
        holds(ceil_div_unsigned, |x, y| {
            (y != 0).then(|| (unsigned(x) as u64).div_ceil(unsigned(y) as u64) as i64)
        });
        holds(rem_unsigned, |x, y| unsigned(x).checked_rem(unsigned(y)));
        holds(rem_signed, i64::checked_rem);
        holds(|a, b| Some(and(a, b)), |x, y| Some(x & y));
        holds(|a, b| Some(or(a, b)), |x, y| Some(x | y));
        holds(|a, b| Some(xor(a, b)), |x, y| Some(x ^ y));
        let amount = |y: i64| (unsigned(y) < 3).then(|| unsigned(y));
        holds(shift_left, |x, y| Some(x << amount(y)?));
        holds(shift_right_unsigned, |x, y| Some(unsigned(x) >> amount(y)?));
        holds(shift_right_signed, |x, y| Some(x >> amount(y)?));
        for larger in [false, true] {
            let pick = move |x: i64, y: i64| if larger { x.max(y) } else { x.min(y) };
            holds(
                |a, b| Some(min_max(a, b, true, larger)),
                |x, y| Some(pick(x, y)),
            );
            holds(
                |a, b| Some(min_max(a, b, false, larger)),
                |x, y| Some(pick(unsigned(x), unsigned(y))),
            );
        }
    }

    #[test]
    fn decided_comparisons_are_right() {
        for &predicate in CmpIPredicate::ALL {
            holds(
                |a, b| compare(predicate, a, b).map(|known| IntRange::constant(3, known.into())),
                |x, y| {
                    let (u, v) = (unsigned(x), unsigned(y));
                    Some(i64::from(match predicate {
                        CmpIPredicate::Eq => x == y,
                        CmpIPredicate::Ne => x != y,
                        CmpIPredicate::Slt => x < y,
                        CmpIPredicate::Sle => x <= y,
                        CmpIPredicate::Sgt => x > y,
                        CmpIPredicate::Sge => x >= y,
                        CmpIPredicate::Ult => u < v,
                        CmpIPredicate::Ule => u <= v,
                        CmpIPredicate::Ugt => u > v,
                        CmpIPredicate::Uge => u >= v,
                    }))
                },
            );
        }
    }
}
