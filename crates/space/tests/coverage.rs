//! Row 004-35: every index of a space is hit exactly once and nothing else is hit, whatever the space and the chain.

mod common;

use common::*;
use proptest::prelude::*;
use proptest::strategy::Strategy;
use segra_space::*;

/// Launches larger than this are not run.
const MOST_THREADS: i64 = 4000;

/// Spaces larger than this are not made.
const MOST_INDICES: i64 = 700;

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

/// The combinator that a random number stands for, at a given rank; often one that does not apply.
fn combinator(choice: u64, rank: usize) -> Combinator {
    let detail = choice / 15;
    let (dimension, size) = (
        (detail % 8) as usize % rank.max(1),
        1 + (detail / 8 % 5) as i64,
    );
    let bits = 1 + (detail / 8 % 2) as u32;
    match choice % 15 {
        0 => Combinator::ShiftLB,
        1 => Combinator::CompressGrid((0..rank).map(|d| detail >> d & 1 == 1).collect()),
        2 => Combinator::PruneGrid,
        3 => Combinator::FoldLast2,
        4 => Combinator::SplitLast(size),
        5 => Combinator::PadLast(size),
        6 => Combinator::Fold(dimension),
        7 => Combinator::Split(dimension, size),
        8 => Combinator::Stride(dimension, size),
        9 => Combinator::Column(size),
        10 => Combinator::Zigzag(size),
        11 => Combinator::Swizzle(dimension, size),
        12 => Combinator::Morton(dimension, bits),
        13 => Combinator::Hilbert(dimension, bits),
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

/// A legal chain: at most `most` random combinators as far as they apply, then what `GridBlock` needs.
fn legal_chain(
    arena: &mut Arena,
    space: &Descriptor,
    values: &Values,
    (choices, most): (&[u64], usize),
) -> Chain {
    let mut combinators = Vec::new();
    let mut last = space.clone();
    for &choice in choices {
        if combinators.len() == most {
            break;
        }
        let next = combinator(choice, last.rank());
        if let Ok(output) = next.apply(arena, &last) {
            let extents = output.extents(arena);
            let count: i64 = eval(arena, &extents, values).iter().product();
            if count <= MOST_THREADS && output.rank() <= 9 {
                combinators.push(next);
                last = output;
            }
        }
    }
    let serial = choices.last().map_or(0, |&c| c as usize % 4);
    let mut finish = vec![Combinator::ShiftLB];
    if last.rank() > 6 + serial {
        finish.push(Combinator::PruneGrid);
        finish.extend((6 + serial..last.rank()).map(|_| Combinator::FoldLast2));
    }
    let rank = last.rank().min(6 + serial);
    let serial = serial.min(rank);
    let parallel = rank - serial;
    combinators.extend(finish);
    let (least, most) = (parallel.saturating_sub(3), parallel.min(3));
    let block_rank = least + choices.first().map_or(0, |&c| c as usize) % (most - least + 1);
    Chain::new(combinators, block_rank).with_serial(serial)
}

/// The dimensions, with sizes of 1 in place of those that would make the space too large.
fn bounded(dimensions: &[RandomDimension]) -> Vec<RandomDimension> {
    let mut whole = 1;
    let bound = |&((lower, upper, step, width), symbolic): &RandomDimension| {
        let size = (upper - lower).max(1);
        if whole * size > MOST_INDICES {
            return ((lower, lower + 1, step, width), symbolic);
        }
        whole *= size;
        ((lower, upper, step, width), symbolic)
    };
    dimensions.iter().map(bound).collect()
}

/// Threads hit every index exactly once; every index goes through the chain forwards and comes back.
fn check(
    dimensions: &[RandomDimension],
    choices: (&[u64], usize),
    how: &[Recover],
) -> Result<(), TestCaseError> {
    let mut arena = Arena::new();
    let dimensions = bounded(dimensions);
    let (space, values) = space(&mut arena, &dimensions);
    let chain = legal_chain(&mut arena, &space, &values, choices);
    let mapping = Mapping::new(&mut arena, space, chain.clone());
    let mapping = mapping.map_err(|error| TestCaseError::fail(error.to_string()))?;
    let plain: Vec<_> = dimensions.iter().map(|(quadruple, _)| *quadruple).collect();
    let expected = index_set(&plain);
    let empty = mapping.is_empty(&mut arena);
    let is_empty = eval(&arena, &[empty], &values)[0] == 1;
    prop_assert_eq!(is_empty, positions(&arena, &mapping, &values) == 0);
    prop_assert!(!is_empty || expected.is_empty());
    let count = mapping.space().clone().count(&mut arena);
    prop_assert_eq!(eval(&arena, &[count], &values)[0], expected.len() as i64);
    round_trip(&mut arena, &mapping, &values, &expected)?;
    for &how in how {
        let mut found = hits(&mut arena, &mapping, &values, how);
        found.sort();
        prop_assert_eq!(&found, &expected, "{:?} under {}", how, chain);
    }
    Ok(())
}

/// Each index lies in the space of every stage, and every combinator's inverse gives back what it was given.
fn round_trip(
    arena: &mut Arena,
    mapping: &Mapping,
    values: &Values,
    indices: &[Vec<i64>],
) -> Result<(), TestCaseError> {
    let start: Vec<Expr> = (0..mapping.space().rank())
        .map(|_| arena.unnamed_symbol(Interval::ALL))
        .collect();
    let mut at = start.clone();
    let (mut tests, mut names) = (Vec::new(), Vec::new());
    let stages = mapping.stages().windows(2);
    for (combinator, stages) in mapping.chain().combinators.iter().zip(stages) {
        let fits = |error: CombinatorError| TestCaseError::fail(error.to_string());
        let after = combinator
            .map_indices(arena, &stages[0], &at)
            .map_err(fits)?;
        tests.push(stages[1].contains(arena, &after));
        names.push(format!("{combinator} stays in the space"));
        let back = combinator.invert(arena, &stages[0], &after).map_err(fits)?;
        for (&before, &back) in at.iter().zip(&back.indices) {
            tests.push(arena.equal(before, back));
            names.push(format!("{combinator} is undone"));
        }
        if let Some(guard) = back.guard {
            tests.push(guard);
            names.push(format!("{combinator} lets it pass"));
        }
        at = after;
    }
    let symbols: Vec<Symbol> = start.iter().filter_map(|&s| arena.as_symbol(s)).collect();
    let mut evaluator =
        Evaluator::new(arena, &tests).map_err(|error| TestCaseError::fail(error.to_string()))?;
    for index in indices.iter().take(200) {
        let environment = |symbol: Symbol| match symbols.iter().position(|&s| s == symbol) {
            Some(place) => Some(index[place]),
            None => values.get(&symbol).copied(),
        };
        let holds = evaluator
            .values(&environment)
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        for (&holds, name) in holds.iter().zip(&names) {
            prop_assert_eq!(holds, 1, "{}: not for {:?}", name, index);
        }
    }
    Ok(())
}

/// How many cases a property is tried on: `SEGRA_SEEDS` where it is set, 100,000 where `SEGRA_LONG=1`.
fn cases(usual: u32) -> ProptestConfig {
    let wanted = std::env::var("SEGRA_SEEDS").ok();
    let wanted = wanted.and_then(|text| text.parse().ok());
    let long = std::env::var("SEGRA_LONG").is_ok_and(|value| value == "1");
    let usual = if long { 100_000 } else { usual };
    ProptestConfig {
        cases: wanted.unwrap_or(usual),
        max_shrink_iters: 2000,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn compositions_of_up_to_six_hit_every_index_exactly_once_and_are_undone(
        dimensions in proptest::collection::vec(dimension(), 1..=8),
        choices in proptest::collection::vec(any::<u64>(), 0..24),
    ) {
        check(&dimensions, (&choices, 6), &[Recover::Plain])?;
    }

    #[test]
    fn every_combinator_alone_hits_every_index_exactly_once_and_is_undone(
        dimensions in proptest::collection::vec(dimension(), 1..=8),
        choice in any::<u64>(),
        serial in any::<u64>(),
    ) {
        // Made dense first, so that all apply.
        check(&dimensions, (&[0, 2, choice, serial], 3), &[Recover::Plain])?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, ..ProptestConfig::default() })]

    #[test]
    fn row_004_35_every_index_is_hit_exactly_once(
        dimensions in proptest::collection::vec(dimension(), 0..8),
        choices in proptest::collection::vec(any::<u64>(), 0..8),
    ) {
        check(&dimensions, (&choices, 8), &[Recover::Plain, Recover::Simplified])?;
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
            let chain = strategy.choose(&mut arena, &space, Group::Thread).expect("a chain");
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
        serial_rank in 0usize..4,
    ) {
        let combinators = choices.iter().map(|&(choice, rank)| combinator(choice, rank)).collect();
        let chain = Chain::new(combinators, block_rank).with_serial(serial_rank);
        prop_assert_eq!(chain.to_string().parse::<Chain>(), Ok(chain.clone()), "{}", chain);
        let strategy = segra_space::Strategy::Explicit(chain);
        prop_assert_eq!(strategy.to_string().parse::<segra_space::Strategy>(), Ok(strategy));
    }
}

/// The text of a chain that someone mistypes must never bring the reader down.
#[test]
fn any_cut_or_changed_text_is_read_or_refused() {
    let text = "GridBlock(2, Serial(1, Permute([2,0,3,1], Split(1, 32, CompressGrid([1,0], Hilbert(0, 3, ShiftLB(Gen)))))))";
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
