//! Row 004-35: every index of a space is hit exactly once and nothing else is hit, whatever the space and the chain.

mod common;

use common::*;
use proptest::prelude::*;
use proptest::strategy::Strategy;
use segra_space::*;

/// Launches larger than this are not run.
const MOST_THREADS: i64 = 6000;

/// One dimension of a random space, and whether its bounds are symbols.
type RandomDimension = ((i64, i64, i64, i64), bool);

fn dimension() -> impl Strategy<Value = RandomDimension> {
    let size = prop_oneof![
        1 => Just(0i64), 3 => Just(1), 4 => Just(2), 3 => Just(3), 2 => Just(5), 2 => Just(7), 1 => Just(13)
    ];
    (
        -3i64..4,
        size,
        1i64..5,
        1i64..5,
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(lower, size, step, width, dense, symbolic)| {
            let (step, width) = if dense { (1, 1) } else { (step, width) };
            // An empty dimension sometimes has its upper bound below its lower one.
            let upper = if size == 0 {
                lower - (width - 1)
            } else {
                lower + size
            };
            ((lower, upper, step, width), symbolic)
        })
}

fn space(arena: &mut Arena, dimensions: &[RandomDimension]) -> (Descriptor, Values) {
    let mut values = Values::new();
    let mut made = Vec::new();
    for &((lower, upper, step, width), symbolic) in dimensions {
        let mut bound = |value: i64, range: Interval| {
            if !symbolic {
                return arena.int(value);
            }
            let symbol = arena.unnamed_symbol(range);
            values.insert(arena.as_symbol(symbol).expect("a symbol"), value);
            symbol
        };
        made.push(Dimension {
            lower: bound(lower, Interval::ALL),
            upper: bound(upper, Interval::ALL),
            step: bound(step, Interval::POSITIVE),
            width: bound(width, Interval::NON_NEGATIVE),
        });
    }
    (Descriptor::new(made), values)
}

/// The combinator that a random number stands for, at a given rank.
fn combinator(choice: u64, rank: usize) -> Combinator {
    let detail = choice / 7;
    match choice % 7 {
        0 => Combinator::ShiftLB,
        1 => Combinator::CompressGrid((0..rank).map(|d| detail >> d & 1 == 1).collect()),
        2 => Combinator::PruneGrid,
        3 => Combinator::FoldLast2,
        4 => Combinator::SplitLast(1 + (detail % 5) as i64),
        5 => Combinator::PadLast(1 + (detail % 4) as i64),
        _ => {
            let mut order: Vec<usize> = (0..rank).collect();
            let mut left = detail;
            for place in (1..rank).rev() {
                order.swap(place, (left % (place as u64 + 1)) as usize);
                left /= place as u64 + 1;
            }
            Combinator::Permute(order)
        }
    }
}

/// A legal chain: random combinators as far as they apply, then what `GridBlock` needs.
fn legal_chain(arena: &mut Arena, space: &Descriptor, values: &Values, choices: &[u64]) -> Chain {
    let mut combinators = Vec::new();
    let mut last = space.clone();
    for &choice in choices {
        let next = combinator(choice, last.rank());
        if let Ok(output) = next.apply(arena, &last) {
            let count: i64 = output
                .extents(arena)
                .iter()
                .map(|&e| eval(arena, &[e], values)[0])
                .product();
            if count <= MOST_THREADS && output.rank() <= 9 {
                combinators.push(next);
                last = output;
            }
        }
    }
    let mut finish = vec![Combinator::ShiftLB];
    if last.rank() > 6 {
        finish.push(Combinator::PruneGrid);
        finish.extend((6..last.rank()).map(|_| Combinator::FoldLast2));
    }
    let rank = last.rank().min(6);
    combinators.extend(finish);
    let (least, most) = (rank.saturating_sub(3), rank.min(3));
    let block_rank = least + choices.first().map_or(0, |&c| c as usize) % (most - least + 1);
    Chain::new(combinators, block_rank)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, ..ProptestConfig::default() })]

    #[test]
    fn row_004_35_every_index_is_hit_exactly_once(
        dimensions in proptest::collection::vec(dimension(), 0..8),
        choices in proptest::collection::vec(any::<u64>(), 0..8),
    ) {
        let mut arena = Arena::new();
        let (space, values) = space(&mut arena, &dimensions);
        let whole: i64 = dimensions.iter().map(|((l, u, ..), _)| (u - l).max(0)).product();
        prop_assume!(whole <= MOST_THREADS);
        let chain = legal_chain(&mut arena, &space, &values, &choices);
        let mapping = Mapping::new(&mut arena, space, chain.clone());
        let mapping = mapping.map_err(|error| TestCaseError::fail(error.to_string()))?;
        let plain: Vec<_> = dimensions.iter().map(|(quadruple, _)| *quadruple).collect();
        let expected = index_set(&plain);
        for how in [Recover::Plain, Recover::Simplified] {
            let mut found = hits(&mut arena, &mapping, &values, how);
            found.sort();
            prop_assert_eq!(&found, &expected, "{:?} under {}", how, chain);
        }
        let empty = mapping.is_empty(&mut arena);
        let is_empty = eval(&arena, &[empty], &values)[0] == 1;
        prop_assert_eq!(is_empty, threads(&arena, &mapping, &values) == 0);
        prop_assert!(!is_empty || expected.is_empty());
        let count = mapping.space().clone().count(&mut arena);
        prop_assert_eq!(eval(&arena, &[count], &values)[0], expected.len() as i64);
    }

    #[test]
    fn forward_and_inverse_agree_at_every_stage(
        dimensions in proptest::collection::vec(dimension(), 0..6),
        choices in proptest::collection::vec(any::<u64>(), 0..8),
    ) {
        let mut arena = Arena::new();
        let (space, values) = space(&mut arena, &dimensions);
        let chain = legal_chain(&mut arena, &space, &values, &choices);
        let mapping = Mapping::new(&mut arena, space, chain.clone());
        let mapping = mapping.map_err(|error| TestCaseError::fail(error.to_string()))?;
        let plain: Vec<_> = dimensions.iter().map(|(quadruple, _)| *quadruple).collect();
        for index in index_set(&plain).iter().take(60) {
            let mut at: Vec<Expr> = index.iter().map(|&i| arena.int(i)).collect();
            for (combinator, stages) in chain.combinators.iter().zip(mapping.stages().windows(2)) {
                let after = combinator.map_indices(&mut arena, &stages[0], &at).expect("the chain is legal");
                let inside = stages[1].contains(&mut arena, &after);
                prop_assert_eq!(eval(&arena, &[inside], &values)[0], 1, "{} left the space", combinator);
                let back = combinator.invert(&mut arena, &stages[0], &after).expect("the chain is legal");
                prop_assert_eq!(eval(&arena, &at, &values), eval(&arena, &back.indices, &values));
                let guard: Vec<Expr> = back.guard.into_iter().collect();
                prop_assert!(eval(&arena, &guard, &values).iter().all(|&holds| holds == 1));
                at = after;
            }
        }
    }

    #[test]
    fn strategies_hit_every_index_exactly_once(
        sizes in proptest::collection::vec(prop_oneof![Just(0i64), Just(1), Just(2), Just(3)], 0..9),
        threads in prop_oneof![Just(1i64), Just(32), Just(48)],
    ) {
        let plain: Vec<_> = sizes.iter().map(|&size| (0, size, 1, 1)).collect();
        for strategy in [segra_space::Strategy::Jing, segra_space::Strategy::JingExt, segra_space::Strategy::FoldAll(BlockSize::Threads(threads))] {
            if strategy == segra_space::Strategy::Jing && sizes.len() > 5 {
                continue;
            }
            let mut arena = Arena::new();
            let (space, values) = symbolic_shape(&mut arena, &sizes);
            let chain = strategy.choose(&mut arena, &space).expect("a chain");
            let mapping = Mapping::new(&mut arena, space, chain).expect("the chain fits");
            let mut found = hits(&mut arena, &mapping, &values, Recover::Simplified);
            found.sort();
            prop_assert_eq!(found, index_set(&plain), "{}", strategy);
        }
    }

    #[test]
    fn chains_print_and_read_back_the_same(
        choices in proptest::collection::vec((any::<u64>(), 0usize..7), 0..8),
        block_rank in 0usize..4,
    ) {
        let combinators = choices.iter().map(|&(choice, rank)| combinator(choice, rank)).collect();
        let chain = Chain::new(combinators, block_rank);
        prop_assert_eq!(chain.to_string().parse::<Chain>(), Ok(chain.clone()), "{}", chain);
        let strategy = segra_space::Strategy::Explicit(chain);
        prop_assert_eq!(strategy.to_string().parse::<segra_space::Strategy>(), Ok(strategy));
    }
}

/// The text of a chain that someone mistypes must never bring the reader down.
#[test]
fn any_cut_or_changed_text_is_read_or_refused() {
    let text = "GridBlock(2, Permute([2,0,3,1], SplitLast(32, CompressGrid([1,0], ShiftLB(Gen)))))";
    for cut in 0..text.len() {
        assert!(text[..cut].parse::<Chain>().is_err(), "{}", &text[..cut]);
        for letter in ["é", "(", ",", "9", "]"] {
            let changed = format!("{}{letter}{}", &text[..cut], &text[cut + 1..]);
            if let Ok(chain) = changed.parse::<Chain>() {
                assert_eq!(chain.to_string().parse(), Ok(chain));
            }
        }
    }
}
