//! Quotients and remainders by constants as products and shifts.
//!
//! For `0 <= n <= most` and a divisor d that is no power of two, `n / d = (n * m) / 2^s` with `m = ceil(2^s / d)`, if s is large
//! enough. Proof: let `e = m * d - 2^s`, so `0 <= e < d`, and `n = q * d + r`. Then `n * m / 2^s = q + (r + n * e / 2^s) / d`, which
//! rounds down to q iff `r + n * e / 2^s < d`. Let c be the largest n with `r = d - 1`. At c that says `c * e < 2^s` (1), which
//! is necessary; it is sufficient: below c because both terms are smaller; above c, where `n <= c + d - 1` and `r <= d - 2`,
//! because `n * e <= c * e + (d - 1) * e < 2 * 2^s`, as `d - 1 <= c`. Where `most < d - 1` there is no such c and the quotient is 0.
//!
//! Products stay below 2^63, so ordinary 64-bit multiplication will do: no high halves. That bounds the range: for every
//! divisor there is a multiplier where `most` is below 2^31, for many there is one beyond. Other quotients stay quotients. A
//! dividend that may be negative is first raised by a multiple of the divisor.
//! Powers of two stay quotients and remainders: what lowers them knows shifts and masks.
//!
//! Source of the idea: Granlund and Montgomery, "Division by invariant integers using multiplication" (PLDI 1994).

use crate::expr::{Arena, BinaryOp, Expr, Node};
use crate::facts::Facts;
use crate::interval::Interval;
use rustc_hash::FxHashMap;

/// A multiplier and a shift that stand for a divisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Magic {
    /// m.
    pub multiplier: i64,
    /// s.
    pub shift: u32,
}

impl Magic {
    /// The smallest one for dividends from 0 to `most` whose products stay below 2^63; `None` where there is none, for a
    /// divisor below 2 and for a dividend that is always below the divisor less 1.
    #[must_use]
    pub fn new(divisor: i64, most: i64) -> Option<Self> {
        if divisor < 2 || most < divisor - 1 {
            return None;
        }
        let (d, most) = (i128::from(divisor), i128::from(most));
        let largest = most - (most + 1) % d;
        (0..=62).find_map(|shift| {
            let power = 1i128 << shift;
            let multiplier = (power + d - 1) / d;
            let excess = multiplier * d - power;
            let fits = multiplier * most <= i128::from(i64::MAX);
            (largest * excess < power && fits).then_some(Self {
                multiplier: i64::try_from(multiplier).ok()?,
                shift,
            })
        })
    }

    /// The quotient of `dividend`, which is in the range the numbers were made for.
    #[must_use]
    pub fn quotient(self, dividend: i64) -> i64 {
        dividend.wrapping_mul(self.multiplier) >> self.shift
    }
}

/// `roots` with quotients and remainders by constants turned into products and shifts where the ranges that `facts` imply
/// allow it. Values stay, on all values for which `facts` hold. Not to be simplified afterwards: costs there are
/// those of divisions before this.
pub fn reduce_divisions(arena: &mut Arena, roots: &[Expr], facts: &Facts) -> Vec<Expr> {
    let order = arena.topological(roots);
    let ranges = facts.ranges(arena, &order);
    let range_of: FxHashMap<Expr, Interval> = order.iter().copied().zip(ranges).collect();
    let mut new: FxHashMap<Expr, Expr> = FxHashMap::default();
    for expr in order {
        let image = match arena.node(expr) {
            Node::Int(_) | Node::Bool(_) | Node::Symbol(_) => expr,
            Node::Not(a) => arena.not(new[&a]),
            Node::Select {
                condition,
                then,
                otherwise,
            } => arena.select(new[&condition], new[&then], new[&otherwise]),
            Node::Binary(op, a, b) => {
                let reduced = match arena.as_int(b) {
                    Some(d) => reduced(arena, op, (new[&a], range_of[&a]), d),
                    None => None,
                };
                reduced.unwrap_or_else(|| arena.binary(op, new[&a], new[&b]))
            }
        };
        new.insert(expr, image);
    }
    roots.iter().map(|root| new[root]).collect()
}

/// `a op d` without a division; `None` where that is no gain or not possible.
fn reduced(arena: &mut Arena, op: BinaryOp, (a, range): (Expr, Interval), d: i64) -> Option<Expr> {
    if d < 2 {
        return None;
    }
    let power_of_two = d & (d - 1) == 0;
    match op {
        BinaryOp::FloorDiv if !power_of_two => quotient(arena, a, range, d),
        BinaryOp::Mod if !power_of_two => {
            let quotient = quotient(arena, a, range, d)?;
            let d = arena.int(d);
            let whole = arena.mul(quotient, d);
            Some(arena.sub(a, whole))
        }
        BinaryOp::CeilDiv => {
            let range = Interval::new(
                range.lower()?.checked_add(d - 1)?,
                range.upper()?.checked_add(d - 1)?,
            );
            let last = arena.int(d - 1);
            let raised = arena.add(a, last);
            match power_of_two {
                true => {
                    let d = arena.int(d);
                    Some(arena.floor_div(raised, d))
                }
                false => quotient(arena, raised, range, d),
            }
        }
        _ => None,
    }
}

/// `a / d` for a divisor that is no power of two.
fn quotient(arena: &mut Arena, a: Expr, range: Interval, d: i64) -> Option<Expr> {
    let (lower, upper) = (range.lower()?, range.upper()?);
    // How many divisors bring every dividend to 0 or above.
    let raises = match lower {
        0.. => 0,
        _ => lower.checked_neg()?.checked_add(d - 1)? / d,
    };
    let raise = raises.checked_mul(d)?;
    let most = upper.checked_add(raise)?;
    let raised = match raise {
        0 => a,
        _ => {
            let raise = arena.int(raise);
            arena.add(a, raise)
        }
    };
    let quotient = if most < d {
        arena.int(0)
    } else {
        let magic = Magic::new(d, most)?;
        let multiplier = arena.int(magic.multiplier);
        let power = arena.int(1i64.checked_shl(magic.shift)?);
        let product = arena.mul(raised, multiplier);
        arena.floor_div(product, power)
    };
    let raises = arena.int(raises);
    Some(arena.sub(quotient, raises))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Congruence, OperationCounts, evaluate};
    use proptest::prelude::*;

    #[test]
    fn every_small_divisor_and_bound_divides_exactly() {
        for d in 2..=130 {
            for most in d - 1..=400 {
                let magic = Magic::new(d, most).expect("small ones have one");
                for n in 0..=most {
                    assert_eq!(magic.quotient(n), n / d, "{n} / {d} below {most}");
                }
            }
        }
    }

    #[test]
    fn a_shift_is_no_larger_than_needed() {
        for d in 3..=60 {
            for most in d - 1..=200 {
                let Magic { shift, .. } = Magic::new(d, most).expect("small ones have one");
                for smaller in 0..shift {
                    let magic = Magic {
                        multiplier: ((1 << smaller) + d - 1) / d,
                        shift: smaller,
                    };
                    let wrong = (0..=most).any(|n| magic.quotient(n) != n / d);
                    assert!(wrong, "{d} up to {most}: {smaller} bits do");
                }
            }
        }
    }

    #[test]
    fn sixteen_bits_are_divided_exactly_by_every_divisor_of_eight_bits() {
        for d in 2..256 {
            let magic = Magic::new(d, 0xffff).expect("it has one");
            assert!((0..=0xffff).all(|n| magic.quotient(n) == n / d), "{d}");
        }
    }

    #[test]
    fn every_divisor_has_one_for_dividends_below_two_to_the_31() {
        let below = (1i64 << 31) - 1;
        for d in (2..100_000).chain((1..2000).map(|i| (i64::from(i32::MAX) - i * 7919).abs())) {
            assert!(d < 2 || Magic::new(d, below).is_some(), "{d}");
        }
        assert_eq!(Magic::new(7, i64::MAX), None);
        assert_eq!(Magic::new(7, 5), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

        #[test]
        fn large_dividends_are_divided_exactly(
            d in prop_oneof![2i64..1000, 2i64..1 << 31],
            most in prop_oneof![0i64..1 << 20, 0i64..1 << 31, 0i64..1 << 40],
            at in proptest::collection::vec(any::<u64>(), 8),
        ) {
            let Some(magic) = Magic::new(d, most) else {
                prop_assert!(most < d - 1 || most >= 1 << 31);
                return Ok(());
            };
            let near = at.iter().flat_map(|&at| {
                let n = (at % (most as u64 + 1)) as i64;
                [n, n / d * d, n / d * d - 1, most, most / d * d, most / d * d - 1]
            });
            for n in near.filter(|&n| n >= 0) {
                prop_assert!(n.checked_mul(magic.multiplier).is_some());
                prop_assert_eq!(magic.quotient(n), n / d);
            }
        }

        #[test]
        fn reduced_expressions_keep_their_values(
            d in 1i64..70,
            (lower, length) in (-300i64..300, 0i64..500),
            at in proptest::collection::vec(0i64..500, 6),
        ) {
            let mut arena = Arena::new();
            let n = arena.symbol("n", Interval::new(lower, lower + length));
            let divisor = arena.int(d);
            let roots = [BinaryOp::FloorDiv, BinaryOp::Mod, BinaryOp::CeilDiv]
                .map(|op| arena.binary(op, n, divisor));
            let reduced = reduce_divisions(&mut arena, &roots, &Facts::new());
            let counts = OperationCounts::of(&arena, &reduced);
            prop_assert_eq!(counts.constant_divisions, 0);
            for at in at {
                let value = |_| Some(lower + at % (length + 1));
                prop_assert_eq!(
                    evaluate(&arena, &roots, &value),
                    evaluate(&arena, &reduced, &value)
                );
            }
        }
    }

    #[test]
    fn quotient_and_remainder_share_the_product() {
        let mut arena = Arena::new();
        let n = arena.symbol("n", Interval::new(0, 99_999));
        let d = arena.int(24);
        let roots = [arena.floor_div(n, d), arena.modulo(n, d)];
        let before = OperationCounts::of(&arena, &roots).to_string();
        let reduced = reduce_divisions(&mut arena, &roots, &Facts::new());
        let after = OperationCounts::of(&arena, &reduced).to_string();
        assert_eq!(before, "1 sums, 1 products, 1 divisions by constants");
        assert_eq!(after, "1 sums, 2 products, 1 shifts");
        let unbounded = arena.symbol("m", Interval::NON_NEGATIVE);
        let quotient = arena.floor_div(unbounded, d);
        assert_eq!(
            reduce_divisions(&mut arena, &[quotient], &Facts::new()),
            [quotient]
        );
        let even = arena.congruent_symbol("e", Interval::NON_NEGATIVE, Congruence::multiple_of(24));
        let rest = arena.modulo(even, d);
        assert_eq!(arena.as_int(rest), Some(0));
    }
}
