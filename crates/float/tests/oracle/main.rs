//! Every operation, in every rounding direction, against LLVM's soft floats (`rustc_apfloat`).
//!
//! Exhaustive for pairs of 8-bit formats and for what is done to one 16-bit operand; edges and random operands for wider
//! formats. NaNs are compared as such here: which one a result is, the last test says.

mod operands;

use num_bigint::BigUint;
use operands::{KINDS, Operands, all, edges};
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::ieee::{Float8E4M3FN, Float8E5M2};
use rustc_apfloat::{Float, FloatConvert};
use segra_float::{Decimal, FloatKind, Number, Round, Significand};
use segra_random::SplitMix64;
use std::cmp::Ordering;

/// Evaluates an expression with `$t` as the oracle's type of a format.
macro_rules! with_format {
    ($kind:expr, $t:ident => $body:expr) => {
        with_format!(
            $kind, $t => $body;
            F8E5M2: Float8E5M2, F8E4M3FN: Float8E4M3FN, F16: Half, BF16: BFloat, F32: Single, F64: Double,
            F80: X87DoubleExtended, F128: Quad
        )
    };
    ($kind:expr, $t:ident => $body:expr; $($name:ident: $oracle:ty),+) => {
        match $kind {
            $(FloatKind::$name => {
                type $t = $oracle;
                $body
            })+
            other => panic!("the oracle has no {other:?}"),
        }
    };
}

fn direction(round: Round) -> rustc_apfloat::Round {
    match round {
        Round::NearestEven => rustc_apfloat::Round::NearestTiesToEven,
        Round::NearestAway => rustc_apfloat::Round::NearestTiesToAway,
        Round::Zero => rustc_apfloat::Round::TowardZero,
        Round::Down => rustc_apfloat::Round::TowardNegative,
        Round::Up => rustc_apfloat::Round::TowardPositive,
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Op {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    MultiplyAdd,
}
const BINARY: [Op; 5] = [
    Op::Add,
    Op::Subtract,
    Op::Multiply,
    Op::Divide,
    Op::Remainder,
];

/// The direction in which the opposite is rounded. The oracle forgets the sign where a result overflows (LLVM does not), so it
/// is only asked for positive ones in directed rounding.
fn mirrored(round: Round) -> Option<Round> {
    match round {
        Round::Down => Some(Round::Up),
        Round::Up => Some(Round::Down),
        _ => None,
    }
}

fn theirs(kind: FloatKind, op: Op, [a, b, c]: [u128; 3], round: Round) -> u128 {
    let sign = kind.sign_mask();
    if let Some(mirrored) = mirrored(round)
        && result(kind, op, [a, b, c], Round::Zero) & sign != 0
    {
        let both = matches!(op, Op::Add | Op::Subtract);
        let opposite = [a ^ sign, if both { b ^ sign } else { b }, c ^ sign];
        return result(kind, op, opposite, mirrored) ^ sign;
    }
    result(kind, op, [a, b, c], round)
}

fn result(kind: FloatKind, op: Op, [a, b, c]: [u128; 3], round: Round) -> u128 {
    with_format!(kind, F => {
        let [a, b, c] = [a, b, c].map(F::from_bits);
        let round = direction(round);
        let result = match op {
            Op::Add => a.add_r(b, round),
            Op::Subtract => a.sub_r(b, round),
            Op::Multiply => a.mul_r(b, round),
            Op::Divide => a.div_r(b, round),
            Op::Remainder => a.c_fmod(b),
            Op::MultiplyAdd => a.mul_add_r(b, c, round),
        };
        result.value.to_bits()
    })
}

fn ours<S: Significand>(kind: FloatKind, op: Op, operands: [u128; 3], round: Round) -> u128 {
    let [a, b, c] = operands.map(|bits| kind.unpack::<S>(bits));
    let result = match op {
        Op::Add => a.add(b, round),
        Op::Subtract => a.subtract(b, round),
        Op::Multiply => a.multiply(b),
        Op::Divide => a.divide(b),
        Op::Remainder => a.remainder(b),
        Op::MultiplyAdd => a.multiply(b).add(c, round),
    };
    kind.pack(&result, round)
}

fn is_nan(kind: FloatKind, bits: u128) -> bool {
    kind.unpack::<u128>(bits).is_nan()
}

fn same(kind: FloatKind, a: u128, b: u128) -> bool {
    a == b || is_nan(kind, a) && is_nan(kind, b)
}

#[track_caller]
fn check(kind: FloatKind, op: Op, operands: [u128; 3], round: Round) {
    let wanted = theirs(kind, op, operands, round);
    let got = ours::<BigUint>(kind, op, operands, round);
    let what = || format!("{kind:?} {op:?} {operands:x?} {round:?}: {wanted:#x}");
    assert!(same(kind, got, wanted), "{}, got {got:#x}", what());
    if kind.width() <= 64 {
        let narrow = ours::<u128>(kind, op, operands, round);
        assert_eq!(narrow, got, "in 128 bits: {}", what());
    }
}

#[test]
fn pairs_of_8_bit_floats_are_combined_as_the_oracle_does() {
    for kind in [FloatKind::F8E5M2, FloatKind::F8E4M3FN] {
        for (a, b) in all(kind).flat_map(|a| all(kind).map(move |b| (a, b))) {
            for op in BINARY {
                // Directions other than that of IEEE's default take turns.
                check(kind, op, [a, b, 0], Round::NearestEven);
                let other = Round::ALL[1 + (a + b) as usize % 4];
                check(kind, op, [a, b, 0], other);
                let [a, b] = [a, b].map(|bits| kind.unpack::<u128>(bits));
                if op == Op::Add && !a.is_nan() && !b.is_nan() {
                    let values =
                        [a, b].map(|n| f64::from_bits(FloatKind::F64.pack(&n, Round::Zero) as u64));
                    assert_eq!(a.compare(&b), values[0].partial_cmp(&values[1]));
                }
            }
        }
    }
}

#[test]
fn operands_of_every_format_are_combined_as_the_oracle_does() {
    for kind in KINDS {
        let edges = edges(kind);
        for (at, &a) in edges.iter().enumerate() {
            for (also, &b) in edges.iter().enumerate() {
                let c = edges[(at * 7 + also * 3) % edges.len()];
                for op in BINARY {
                    check(kind, op, [a, b, 0], Round::ALL[(at + also) % 5]);
                    check(kind, op, [a, b, 0], Round::NearestEven);
                }
                check(
                    kind,
                    Op::MultiplyAdd,
                    [a, b, c],
                    Round::ALL[(at + also) % 5],
                );
            }
        }
        let mut random = Operands::new(kind, kind as u64);
        for step in 0..6000 {
            let a = random.next(0);
            let b = random.next(a);
            for round in Round::ALL {
                check(kind, BINARY[step % 5], [a, b, 0], round);
            }
            let product = theirs(kind, Op::Multiply, [a, b, 0], Round::Zero);
            let c = random.next(product ^ kind.sign_mask());
            check(kind, Op::MultiplyAdd, [a, b, c], Round::ALL[step % 5]);
        }
    }
}

#[test]
fn orders_are_the_oracle_s() {
    for kind in KINDS {
        let mut random = Operands::new(kind, 1);
        let edges = edges(kind);
        let pairs = edges
            .iter()
            .flat_map(|&a| edges.iter().map(move |&b| (a, b)));
        let pairs: Vec<(u128, u128)> = pairs
            .chain((0..2000).map(|_| {
                let a = random.next(0);
                (a, random.next(a))
            }))
            .collect();
        for (a, b) in pairs {
            let wanted = with_format!(kind, F => F::from_bits(a).partial_cmp(&F::from_bits(b)));
            let [x, y] = [a, b].map(|bits| kind.unpack::<u128>(bits));
            assert_eq!(x.compare(&y), wanted, "{kind:?} {a:#x} {b:#x}");
        }
    }
}

/// Compares a conversion in all directions, and a saturating one.
fn check_conversions(from: FloatKind, to: FloatKind, bits: u128) {
    for round in Round::ALL {
        let converted = |bits, round| {
            with_format!(from, F => with_format!(to, T => {
                let converted: rustc_apfloat::StatusAnd<T> =
                    F::from_bits(bits).convert_r(direction(round), &mut false);
                converted.value.to_bits()
            }))
        };
        let wanted = match mirrored(round) {
            Some(mirrored) if bits & from.sign_mask() != 0 => {
                converted(bits ^ from.sign_mask(), mirrored) ^ to.sign_mask()
            }
            _ => converted(bits, round),
        };
        let number = from.unpack::<u128>(bits);
        let got = to.pack(&number, round);
        assert!(
            same(to, got, wanted),
            "{from:?} {bits:#x} to {to:?}, {round:?}: {wanted:#x}, got {got:#x}"
        );
        let wide = to.pack(&from.unpack::<BigUint>(bits), round);
        assert_eq!(wide, got, "{from:?} {bits:#x} to {to:?}, {round:?}");
        let saturated = to.pack_saturating(&number, round);
        let finite = to.unpack::<u128>(saturated);
        assert_eq!(number.is_nan(), !matches!(finite, Number::Finite { .. }));
        if matches!(to.unpack::<u128>(got), Number::Finite { .. }) {
            assert_eq!(saturated, got);
        } else if !number.is_nan() {
            let next = to.unpack::<u128>(saturated + 1);
            assert!(
                !matches!(next, Number::Finite { .. }),
                "{saturated:#x} is the largest {to:?}"
            );
        }
    }
}

#[test]
fn narrow_floats_are_converted_to_every_format_as_the_oracle_does() {
    for from in KINDS.into_iter().filter(|kind| kind.width() <= 16) {
        for to in KINDS {
            all(from).for_each(|bits| check_conversions(from, to, bits));
        }
    }
}

#[test]
fn wide_floats_are_converted_to_every_format_as_the_oracle_does() {
    for from in KINDS {
        for to in KINDS {
            edges(from)
                .into_iter()
                .for_each(|bits| check_conversions(from, to, bits));
            let (mut random, mut near) = (Operands::new(from, 2), Operands::new(to, 3));
            for _ in 0..1000 {
                check_conversions(from, to, random.next(0));
                // Half way between two numbers of the narrower format, and beside that.
                let kept = near.next(0);
                let middle: u128 = with_format!(to, T => with_format!(from, F => {
                    let converted: rustc_apfloat::StatusAnd<F> = T::from_bits(kept).convert(&mut false);
                    converted.value.to_bits()
                }));
                let lost = from.precision().saturating_sub(to.precision());
                let tie = middle | 1 << lost >> 1;
                for bits in [middle, tie, tie + 1, tie.saturating_sub(1)] {
                    if from.is_canonical(bits) && bits.checked_shr(from.width()).unwrap_or(0) == 0 {
                        check_conversions(from, to, bits);
                    }
                }
            }
        }
    }
}

#[test]
fn integers_come_and_go_as_the_oracle_has_it() {
    for kind in KINDS {
        let narrow = kind.width() <= 16;
        let mut random = Operands::new(kind, 4);
        let operands: Vec<u128> = match narrow {
            true => all(kind).collect(),
            false => edges(kind)
                .into_iter()
                .chain((0..3000).map(|_| random.next(kind.encode(100.5))))
                .collect(),
        };
        for bits in operands {
            let number = kind.unpack::<u128>(bits);
            for round in Round::ALL {
                let wanted = with_format!(kind, F => F::from_bits(bits).round_to_integral(direction(round)).value.to_bits());
                let wide = kind.unpack::<BigUint>(bits).to_integer(round);
                let Some(magnitude) = wide else {
                    assert!(!matches!(number, Number::Finite { .. }));
                    continue;
                };
                let integer = Number::integer(number.is_negative(), magnitude.clone());
                assert_eq!(
                    kind.pack(&integer, Round::Zero),
                    wanted,
                    "{kind:?} {bits:#x} {round:?}"
                );
                let fits = magnitude.bits() <= 128;
                assert_eq!(number.to_integer(round), fits.then(|| magnitude.low()));
            }
        }
        let mut random = SplitMix64::new(5);
        for _ in 0..5000 {
            let value = u128::from(random.next_u64()) << 64 | u128::from(random.next_u64());
            let value = value >> random.below(128);
            let value = if random.below(2) == 0 {
                value
            } else {
                value >> 9 << 9 | 1 << 8
            };
            for round in Round::ALL {
                let wanted = with_format!(kind, F => F::from_u128_r(value, direction(round)).value.to_bits());
                assert_eq!(
                    kind.pack(&Number::integer(false, value), round),
                    wanted,
                    "{kind:?} {value} {round:?}"
                );
                let wide = Number::integer(false, BigUint::from(value));
                assert_eq!(
                    kind.pack(&wide, round),
                    wanted,
                    "{kind:?} {value} {round:?}"
                );
            }
        }
    }
}

/// Whether `root` is the square root of `a` in one direction, by exact squares of it and its neighbours.
fn is_root(kind: FloatKind, a: u128, root: u128, round: Round) -> bool {
    use Ordering::{Equal, Greater, Less};
    let [below, above] = [root - 1, root + 1];
    if !kind.is_canonical(below) || !kind.is_canonical(above) {
        return true;
    }
    let number = |bits| kind.unpack::<BigUint>(bits);
    // Twice the middle between two numbers: its square is compared with four times `a`.
    let order = |x: u128, y: u128| {
        let twice = number(x).add(number(y), Round::Zero);
        let four = Number::integer(false, BigUint::from(4u32));
        twice
            .clone()
            .multiply(twice)
            .compare(&number(a).multiply(four))
    };
    let ordered = |x, y, wanted| order(x, y) == Some(wanted);
    match round {
        _ if ordered(root, root, Equal) => true,
        Round::Zero | Round::Down => ordered(root, root, Less) && ordered(above, above, Greater),
        Round::Up => ordered(root, root, Greater) && ordered(below, below, Less),
        Round::NearestEven | Round::NearestAway => {
            ordered(root, below, Less) && ordered(root, above, Greater)
        }
    }
}

#[test]
fn square_roots_have_the_squares_asked_for() {
    for kind in KINDS {
        let mut random = Operands::new(kind, 6);
        let operands: Vec<u128> = match kind.width() {
            ..=16 => all(kind).collect(),
            _ => edges(kind)
                .into_iter()
                .chain((0..3000).map(|_| random.next(0)))
                .collect(),
        };
        for bits in operands {
            let number = kind.unpack::<BigUint>(bits);
            for round in Round::ALL {
                let root = kind.pack(&number.clone().square_root(), round);
                if kind.width() <= 64 {
                    assert_eq!(
                        kind.pack(&kind.unpack::<u128>(bits).square_root(), round),
                        root
                    );
                }
                match number {
                    _ if number.is_zero() => assert_eq!(root, bits),
                    Number::Infinite { negative: false } => assert_eq!(root, bits),
                    Number::Finite {
                        negative: false, ..
                    } => {
                        assert!(
                            is_root(kind, bits, root, round),
                            "{kind:?} {bits:#x} {round:?}: {root:#x}"
                        );
                    }
                    _ => assert!(is_nan(kind, root), "{kind:?} {bits:#x}"),
                }
            }
        }
    }
    let mut random = Operands::new(FloatKind::F64, 7);
    for _ in 0..5000 {
        let bits = random.next(0);
        let root = FloatKind::F64.unpack::<u128>(bits).square_root();
        let root = FloatKind::F64.pack(&root, Round::NearestEven);
        let wanted = f64::from_bits(bits as u64).sqrt().to_bits().into();
        assert!(same(FloatKind::F64, root, wanted), "{bits:#x}");
    }
}

/// Digits and exponent of a text such as `1.25E-7` or `0.5`.
fn digits_of(text: &str) -> (u128, i32) {
    let (mantissa, exponent) = text.split_once('E').unwrap_or((text, "0"));
    let mut exponent: i32 = exponent.parse().expect("the oracle writes an exponent");
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    exponent -= fraction.len() as i32;
    let mut digits: u128 = format!("{whole}{fraction}")
        .parse()
        .expect("the oracle writes digits");
    while digits != 0 && digits.is_multiple_of(10) {
        digits /= 10;
        exponent += 1;
    }
    (digits, exponent)
}

#[test]
fn decimals_have_the_oracle_s_digits_and_are_read_as_it_reads_them() {
    for kind in KINDS {
        let mut random = Operands::new(kind, 8);
        let operands: Vec<u128> = match kind.width() {
            ..=16 => all(kind).collect(),
            _ => edges(kind)
                .into_iter()
                .chain((0..3000).map(|_| random.next(kind.encode(0.3))))
                .collect(),
        };
        for bits in operands
            .into_iter()
            .filter(|bits| bits & kind.sign_mask() == 0)
        {
            let Number::Finite {
                significand: significand @ 1..,
                exponent,
                ..
            } = kind.unpack::<u128>(bits)
            else {
                continue;
            };
            for count in [6, 2 + kind.precision() * 59 / 196] {
                let decimal = Decimal::of(significand, exponent, count);
                with_format!(kind, F => {
                    let text = format!("{:.*}", count as usize, F::from_bits(bits));
                    assert_eq!((decimal.digits(), decimal.exponent()), digits_of(&text), "{kind:?} {bits:#x} {text}");
                    let text = format!("{}e{}", decimal.digits(), decimal.exponent());
                    let read = F::from_str_r(&text, rustc_apfloat::Round::NearestTiesToEven).expect("digits are read").value;
                    assert_eq!(decimal.reads_back(kind, significand, exponent), read.to_bits() == bits, "{kind:?} {bits:#x} {text}");
                });
            }
        }
    }
}

#[test]
fn the_first_nan_is_kept_and_made_quiet() {
    let kind = FloatKind::F32;
    let (signalling, quiet) = (0xFFA0_0001u128, 0x7FC1_2345u128);
    for op in [
        Op::Add,
        Op::Subtract,
        Op::Multiply,
        Op::Divide,
        Op::Remainder,
    ] {
        let of = |a, b| ours::<u128>(kind, op, [a, b, 0], Round::NearestEven);
        assert_eq!(of(signalling, quiet), 0xFFE0_0001, "{op:?}");
        assert_eq!(of(quiet, signalling), quiet, "{op:?}");
        assert_eq!(of(0x3F80_0000, signalling), 0xFFE0_0001, "{op:?}");
    }
    let invalid = ours::<u128>(kind, Op::Multiply, [0, 0x7F80_0000, 0], Round::NearestEven);
    assert_eq!(
        invalid, 0x7FC0_0000,
        "without an operand that is NaN it has no payload"
    );
}
