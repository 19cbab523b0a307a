//! Overflow of 64 bits: proven absent by ranges, or conditions to test where the values are known.
//!
//! Values of expressions are exact, machines wrap. An operation whose range fits 64 bits cannot overflow; for each other
//! one there is a condition over its operands that does not overflow itself as long as those do not. In the order
//! given, a condition is only reached with operands for which the ones before it hold. Evaluated all together in wrapping
//! arithmetic their conjunction is right as well: where an operand has wrapped, its own condition is false.
//!
//! Conditions are exact, with two exceptions on the safe side: a product of which a factor may be negative is refused where
//! it or its second factor is -2^63, and a quotient rounded up where the sum that machines form of it overflows.

use crate::expr::{Arena, BinaryOp, Expr, Node};
use crate::facts::Facts;
use crate::interval::Interval;

/// Conditions under which no operation of `roots` overflows, operands before users; none where ranges and `facts` prove
/// that. Division by zero is another matter.
pub fn overflow_conditions(arena: &mut Arena, roots: &[Expr], facts: &Facts) -> Vec<Expr> {
    let order = arena.topological(roots);
    let ranges = facts.ranges(arena, &order);
    let known: rustc_hash::FxHashMap<Expr, Interval> =
        order.iter().copied().zip(ranges.iter().copied()).collect();
    let mut conditions: Vec<Expr> = Vec::new();
    for (expr, range) in order.into_iter().zip(ranges) {
        let Node::Binary(op, a, b) = arena.node(expr) else {
            continue;
        };
        let (ra, rb) = (known[&a], known[&b]);
        // A quotient rounded up is computed as one of a sum.
        let sum = ra.add(rb);
        let fits = match op {
            BinaryOp::CeilDiv => is_finite(sum),
            BinaryOp::Sub if ra.is_non_negative() && rb.is_non_negative() => true,
            _ => is_finite(range),
        };
        if fits {
            continue;
        }
        for condition in condition(arena, op, (a, ra), (b, rb)) {
            if arena.as_bool(condition) != Some(true) && !conditions.contains(&condition) {
                conditions.push(condition);
            }
        }
    }
    conditions
}

fn is_finite(range: Interval) -> bool {
    range.lower().is_some() && range.upper().is_some()
}

fn condition(
    arena: &mut Arena,
    op: BinaryOp,
    (a, ra): (Expr, Interval),
    (b, rb): (Expr, Interval),
) -> Vec<Expr> {
    match op {
        BinaryOp::Add => sum_fits(arena, a, b),
        BinaryOp::Sub => {
            let (above, below) = (
                raised(arena, b, i64::MAX, true),
                raised(arena, b, i64::MIN, false),
            );
            vec![arena.less_equal(a, above), arena.less_equal(below, a)]
        }
        BinaryOp::Mul if ra.is_non_negative() && rb.is_non_negative() => {
            let limit = limit_of_factor(arena, b);
            let zero = arena.int(0);
            let vanishes = arena.equal(b, zero);
            let fits = arena.less_equal(a, limit);
            vec![arena.or(vanishes, fits)]
        }
        BinaryOp::Mul => {
            let (zero, least) = (arena.int(0), arena.int(-i64::MAX));
            let bounded = arena.max(b, least);
            let negated = arena.sub(zero, bounded);
            let size = arena.max(bounded, negated);
            let limit = limit_of_factor(arena, size);
            let least = arena.sub(zero, limit);
            let vanishes = arena.equal(b, zero);
            let (below, above) = (arena.less_equal(a, limit), arena.less_equal(least, a));
            let least = arena.int(-i64::MAX);
            let bounded = arena.less_equal(least, b);
            let inside = arena.all(&[bounded, below, above]);
            vec![arena.or(vanishes, inside)]
        }
        BinaryOp::CeilDiv => {
            let mut conditions = sum_fits(arena, a, b);
            conditions.extend(quotient_fits(arena, a, b));
            conditions
        }
        BinaryOp::FloorDiv => quotient_fits(arena, a, b),
        _ => Vec::new(),
    }
}

/// `MAX / max(size, 1)`: the largest factor of a size whose product fits.
fn limit_of_factor(arena: &mut Arena, size: Expr) -> Expr {
    let (one, most) = (arena.int(1), arena.int(i64::MAX));
    let size = arena.max(size, one);
    arena.floor_div(most, size)
}

/// `a <= MAX - b` where b is positive, `MIN - b <= a` where it is negative.
fn sum_fits(arena: &mut Arena, a: Expr, b: Expr) -> Vec<Expr> {
    let zero = arena.int(0);
    let (most, least) = (arena.int(i64::MAX), arena.int(i64::MIN));
    let (positive, negative) = (arena.max(b, zero), arena.min(b, zero));
    let (above, below) = (arena.sub(most, positive), arena.sub(least, negative));
    vec![arena.less_equal(a, above), arena.less_equal(below, a)]
}

/// `bound + min(b, 0)` or, if not `negative`, `bound + max(b, 0)`.
fn raised(arena: &mut Arena, b: Expr, bound: i64, negative: bool) -> Expr {
    let (zero, bound) = (arena.int(0), arena.int(bound));
    let part = match negative {
        true => arena.min(b, zero),
        false => arena.max(b, zero),
    };
    arena.add(bound, part)
}

/// Not -2^63 by -1.
fn quotient_fits(arena: &mut Arena, a: Expr, b: Expr) -> Vec<Expr> {
    let (least, minus_one) = (arena.int(i64::MIN), arena.int(-1));
    let (above, other) = (arena.less(least, a), arena.not_equal(b, minus_one));
    vec![arena.or(above, other)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EvalError, Symbol, evaluate};
    use proptest::prelude::*;

    const OPS: [BinaryOp; 8] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::FloorDiv,
        BinaryOp::CeilDiv,
        BinaryOp::Mod,
        BinaryOp::Min,
        BinaryOp::Max,
    ];

    /// Whether all conditions hold, tested one after the other; an overflow in one is a failure.
    fn all_hold(
        arena: &Arena,
        conditions: &[Expr],
        values: &dyn Fn(Symbol) -> Option<i64>,
    ) -> Result<bool, EvalError> {
        for &condition in conditions {
            if evaluate(arena, &[condition], values)? == [0] {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn value() -> impl Strategy<Value = i64> {
        prop_oneof![
            -4i64..9,
            any::<i64>(),
            (0u32..63).prop_map(|bits| 1 << bits),
            Just(i64::MAX),
            Just(i64::MIN),
            Just((1 << 32) - 1),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

        #[test]
        fn what_passes_does_not_overflow(
            steps in proptest::collection::vec((0usize..8, any::<usize>(), any::<usize>()), 1..6),
            values in proptest::collection::vec(value(), 4),
            sizes in any::<bool>(),
        ) {
            let mut arena = Arena::new();
            let range = if sizes { Interval::NON_NEGATIVE } else { Interval::ALL };
            let values: Vec<i64> = match sizes {
                true => values.iter().map(|&v| v.max(0)).collect(),
                false => values,
            };
            let mut made: Vec<Expr> = (0..4).map(|_| arena.unnamed_symbol(range)).collect();
            for (op, a, b) in steps {
                let (a, b) = (made[a % made.len()], made[b % made.len()]);
                let next = arena.binary(OPS[op], a, b);
                made.push(next);
            }
            let root = made[made.len() - 1];
            let conditions = overflow_conditions(&mut arena, &[root], &Facts::new());
            let at = |symbol: Symbol| values.get(symbol.index()).copied();
            let result = evaluate(&arena, &[root], &at);
            match all_hold(&arena, &conditions, &at) {
                Ok(true) => prop_assert!(!matches!(result, Err(EvalError::Overflow { .. })), "{result:?}"),
                Ok(false) => {}
                // An operand that has no value because it divides by zero.
                Err(error) => prop_assert!(matches!(error, EvalError::DivisionByZero { .. }), "{error}"),
            }
        }

        #[test]
        fn sums_and_products_of_sizes_are_refused_only_where_they_overflow(a in value(), b in value()) {
            let mut arena = Arena::new();
            let (a, b) = (a.max(0), b.max(0));
            let [x, y] = ["x", "y"].map(|name| arena.symbol(name, Interval::NON_NEGATIVE));
            let at = |symbol: Symbol| Some(if symbol.index() == 0 { a } else { b });
            for (op, exact) in [(BinaryOp::Add, a.checked_add(b)), (BinaryOp::Mul, a.checked_mul(b))] {
                let root = arena.binary(op, x, y);
                let conditions = overflow_conditions(&mut arena, &[root], &Facts::new());
                prop_assert_eq!(all_hold(&arena, &conditions, &at), Ok(exact.is_some()));
            }
        }
    }

    #[test]
    fn what_ranges_prove_needs_no_test() {
        let mut arena = Arena::new();
        let row = arena.symbol("row", Interval::new(0, 1 << 31));
        let n = arena.symbol("n", Interval::new(0, 1 << 31));
        let product = arena.mul(row, n);
        assert_eq!(
            overflow_conditions(&mut arena, &[product], &Facts::new()),
            []
        );
        let m = arena.symbol("m", Interval::NON_NEGATIVE);
        let product = arena.mul(m, n);
        let conditions = overflow_conditions(&mut arena, &[product], &Facts::new());
        let text: Vec<String> = conditions
            .iter()
            .map(|&c| arena.display(c).to_string())
            .collect();
        assert_eq!(text, ["n == 0 || m <= 9223372036854775807 / max(n, 1)"]);
        let (limit, mut facts) = (arena.int(1000), Facts::new());
        let small = arena.less(m, limit);
        facts.assume(&arena, small);
        assert_eq!(overflow_conditions(&mut arena, &[product], &facts), []);
    }
}
