//! Expressions come out simple, and values stay.

use super::*;
use crate::interval::Interval;
use crate::{BinaryOp, OperationCounts, evaluate};
use proptest::prelude::*;

fn simple(arena: &mut Arena, root: Expr, facts: &Facts) -> String {
    let result = simplify(arena, &[root], facts, &SimplifyLimits::default())[0];
    arena.display(result).to_string()
}

#[test]
fn quotient_and_remainder_recompose() {
    let mut arena = Arena::new();
    let t = arena.symbol("t", Interval::NON_NEGATIVE);
    let k = arena.int(32);
    let (quotient, remainder) = (arena.floor_div(t, k), arena.modulo(t, k));
    let blocks = arena.mul(quotient, k);
    let sum = arena.add(blocks, remainder);
    assert_eq!(simple(&mut arena, sum, &Facts::new()), "t");
}

#[test]
fn quotient_by_a_symbol_recomposes_where_it_is_known_not_to_be_zero() {
    let mut arena = Arena::new();
    let t = arena.symbol("t", Interval::NON_NEGATIVE);
    let n = arena.symbol("n", Interval::NON_NEGATIVE);
    let (quotient, remainder) = (arena.floor_div(t, n), arena.modulo(t, n));
    let rows = arena.mul(quotient, n);
    let sum = arena.add(rows, remainder);
    assert_eq!(simple(&mut arena, sum, &Facts::new()), "t / n * n + t % n");
    let zero = arena.int(0);
    let exists = arena.less(zero, n);
    let mut facts = Facts::new();
    facts.assume(&arena, exists);
    assert_eq!(simple(&mut arena, sum, &facts), "t");
}

#[test]
fn a_quotient_of_a_multiple_and_a_small_rest_is_the_factor() {
    let mut arena = Arena::new();
    let a = arena.symbol("a", Interval::NON_NEGATIVE);
    let b = arena.symbol("b", Interval::NON_NEGATIVE);
    let k = arena.symbol("k", Interval::POSITIVE);
    let multiple = arena.mul(k, a);
    let sum = arena.add(b, multiple);
    let (quotient, remainder) = (arena.floor_div(sum, k), arena.modulo(sum, k));
    let mut facts = Facts::new();
    let small = arena.less(b, k);
    facts.assume(&arena, small);
    assert_eq!(simple(&mut arena, quotient, &facts), "a");
    assert_eq!(simple(&mut arena, remainder, &facts), "b");
}

#[test]
fn a_multiple_of_the_divisor_leaves_a_cheaper_quotient() {
    let mut arena = Arena::new();
    let a = arena.symbol("a", Interval::NON_NEGATIVE);
    let b = arena.symbol("b", Interval::new(0, 95));
    let (big, small) = (arena.int(96), arena.int(24));
    let multiple = arena.mul(a, big);
    let sum = arena.add(multiple, b);
    let quotient = arena.floor_div(sum, small);
    assert_eq!(
        simple(&mut arena, quotient, &Facts::new()),
        "a * 4 + b / 24"
    );
}

#[test]
fn what_is_already_simple_stays_as_it_is() {
    let mut arena = Arena::new();
    let [a, b] = ["a", "b"].map(|name| arena.symbol(name, Interval::ALL));
    let sum = arena.add(b, a);
    assert_eq!(
        simplify(
            &mut arena,
            &[sum],
            &Facts::new(),
            &SimplifyLimits::default()
        ),
        [sum]
    );
}

#[test]
fn quotients_and_remainders_are_chosen_so_that_they_share_divisions() {
    let mut arena = Arena::new();
    let t = arena.symbol("t", Interval::NON_NEGATIVE);
    let sizes = ["a", "b", "c"].map(|name| arena.symbol(name, Interval::POSITIVE));
    let inner = arena.mul(sizes[1], sizes[2]);
    let (outer, rest) = (arena.floor_div(t, inner), arena.modulo(t, inner));
    let (middle, last) = (
        arena.floor_div(rest, sizes[2]),
        arena.modulo(rest, sizes[2]),
    );
    assert_eq!(simple(&mut arena, outer, &Facts::new()), "t / (b * c)");
    // Alone, each is one division; together, two divisions do for three, and the product of the sizes is not needed.
    let roots = [outer, middle, last];
    let limits = SimplifyLimits::default();
    let together = simplify(&mut arena, &roots, &Facts::new(), &limits);
    let text: Vec<String> = together
        .iter()
        .map(|&e| arena.display(e).to_string())
        .collect();
    assert_eq!(text, ["t / c / b", "t / c % b", "t % c"]);
    let counts = [&roots[..], &together].map(|r| OperationCounts::of(&arena, r).to_string());
    assert_eq!(
        counts,
        [
            "2 sums, 3 products, 2 divisions",
            "2 sums, 2 products, 2 divisions"
        ]
    );
}

#[test]
fn sizes_that_are_multiples_need_neither_remainder_nor_test() {
    let mut arena = Arena::new();
    let (block, thread) = (
        arena.symbol("block", Interval::NON_NEGATIVE),
        arena.symbol("thread", Interval::new(0, 31)),
    );
    let (n, k) = (arena.symbol("n", Interval::NON_NEGATIVE), arena.int(32));
    let start = arena.mul(block, k);
    let index = arena.add(start, thread);
    let guard = arena.less(index, n);
    let blocks = arena.ceil_div(n, k);
    let mut facts = Facts::new();
    let exists = arena.less(block, blocks);
    facts.assume(&arena, exists);
    assert_eq!(simple(&mut arena, guard, &facts), "block * 32 + thread < n");
    let (rest, zero) = (arena.modulo(n, k), arena.int(0));
    let divides = arena.equal(rest, zero);
    facts.assume(&arena, divides);
    assert_eq!(simple(&mut arena, guard, &facts), "true");
    let sum = arena.add(n, thread);
    let [quotient, remainder] =
        [BinaryOp::FloorDiv, BinaryOp::Mod].map(|op| arena.binary(op, sum, k));
    assert_eq!(simple(&mut arena, quotient, &facts), "n / 32");
    assert_eq!(simple(&mut arena, remainder, &facts), "thread");
}

#[test]
fn an_input_beyond_the_bound_comes_back_unchanged() {
    let mut arena = Arena::new();
    let t = arena.symbol("t", Interval::ALL);
    let doubled = arena.add(t, t);
    let zero = arena.sub(doubled, t);
    let limits = SimplifyLimits {
        input_nodes: 2,
        ..SimplifyLimits::default()
    };
    assert_eq!(
        simplify(&mut arena, &[zero], &Facts::new(), &limits),
        [zero]
    );
    assert_eq!(
        simplify(
            &mut arena,
            &[zero],
            &Facts::new(),
            &SimplifyLimits::default()
        ),
        [t]
    );
}

#[test]
fn contradicting_facts_are_survived() {
    let mut arena = Arena::new();
    let n = arena.symbol("n", Interval::ALL);
    let (three, five) = (arena.int(3), arena.int(5));
    let mut facts = Facts::new();
    for fact in [arena.less(n, three), arena.less(five, n)] {
        facts.assume(&arena, fact);
    }
    let rest = arena.modulo(n, five);
    assert_eq!(
        simplify(&mut arena, &[rest], &facts, &SimplifyLimits::default()).len(),
        1
    );
}

#[test]
fn a_fact_that_narrows_a_range_for_ever_is_survived() {
    let mut arena = Arena::new();
    let n = arena.symbol("n", Interval::NON_NEGATIVE);
    let three = arena.int(3);
    let more = arena.add(n, three);
    let mut facts = Facts::new();
    let same = arena.equal(n, more);
    facts.assume(&arena, same);
    assert_eq!(
        simplify(&mut arena, &[more], &facts, &SimplifyLimits::default()).len(),
        1
    );
}

/// A random expression: each step combines two earlier ones.
fn expression(steps: &[(u8, usize, usize)]) -> (Arena, Expr, Vec<Symbol>) {
    let mut arena = Arena::new();
    let leaves = [
        arena.symbol("a", Interval::ALL),
        arena.symbol("b", Interval::NON_NEGATIVE),
        arena.symbol("c", Interval::new(0, 7)),
        arena.symbol("d", Interval::POSITIVE),
    ];
    let symbols = leaves
        .iter()
        .filter_map(|&leaf| arena.as_symbol(leaf))
        .collect();
    let mut made = leaves.to_vec();
    for constant in [0, 1, 2, 4, 8, 12] {
        made.push(arena.int(constant));
    }
    let ops = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::FloorDiv,
        BinaryOp::Mod,
        BinaryOp::CeilDiv,
        BinaryOp::Min,
        BinaryOp::Max,
    ];
    for &(op, a, b) in steps {
        let (a, b) = (made[a % made.len()], made[b % made.len()]);
        let next = if op == 8 {
            let test = arena.less(a, b);
            arena.select(test, b, a)
        } else {
            arena.binary(ops[usize::from(op)], a, b)
        };
        made.push(next);
    }
    (arena, made[made.len() - 1], symbols)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, ..ProptestConfig::default() })]

    #[test]
    fn values_stay_and_costs_do_not_rise(
        steps in proptest::collection::vec((0u8..9, any::<usize>(), any::<usize>()), 1..9),
        values in proptest::collection::vec((-9i64..9, 0i64..20, 0i64..8, 1i64..20), 12),
    ) {
        let (mut arena, root, symbols) = expression(&steps);
        let limits = SimplifyLimits { nodes: 1500, ..SimplifyLimits::default() };
        let result = simplify(&mut arena, &[root], &Facts::new(), &limits)[0];
        prop_assert!(tree_costs(&arena, &[result]) <= tree_costs(&arena, &[root]));
        for (a, b, c, d) in values {
            let at = |symbol: Symbol| symbols.iter().position(|&s| s == symbol).map(|place| [a, b, c, d][place]);
            if let Ok(expected) = evaluate(&arena, &[root], &at) {
                let found = evaluate(&arena, &[result], &at);
                prop_assert_eq!(Ok(expected), found, "{} became {}", arena.display(root), arena.display(result));
            }
        }
        let (mut again, root, _) = expression(&steps);
        let second = simplify(&mut again, &[root], &Facts::new(), &limits)[0];
        prop_assert_eq!(arena.display(result).to_string(), again.display(second).to_string());
    }
}
