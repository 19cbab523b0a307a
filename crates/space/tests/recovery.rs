//! The operations that recover an index of seven dimensions with steps and widths, beside index code written by hand.
//!
//! Counted are those that a thread executes: the host computes what depends on bounds alone, in both. The code by hand takes a
//! linear number apart from the innermost dimension outwards, as one writes it, with the host's extents.
//! The spaces are the two partitions of `tests/run/with-loops/with-loop-seven-in-place.mlir`: bounds of the run, constant steps.

mod common;

use common::*;
use segra_space::*;

/// Lower bound, step and width of each dimension.
type Grid = [(i64, i64, i64); 7];

const FIRST: Grid = [
    (0, 2, 1),
    (0, 2, 1),
    (0, 2, 1),
    (0, 2, 1),
    (0, 3, 2),
    (0, 2, 1),
    (0, 3, 2),
];

const SECOND: Grid = [
    (1, 2, 1),
    (0, 2, 1),
    (0, 4, 3),
    (0, 2, 1),
    (0, 2, 1),
    (0, 3, 2),
    (0, 4, 3),
];

/// The space of a partition, whose upper bounds are symbols with the values `sizes`.
fn space(arena: &mut Arena, grid: &Grid, sizes: [i64; 7]) -> (Descriptor, Values) {
    let (mut dimensions, mut values) = (Vec::new(), Values::new());
    for (place, &(lower, step, width)) in grid.iter().enumerate() {
        let upper = arena.symbol(&format!("d{place}"), Interval::NON_NEGATIVE);
        values.insert(arena.as_symbol(upper).expect("a symbol"), sizes[place]);
        dimensions.push(Dimension {
            lower: arena.int(lower),
            upper,
            step: arena.int(step),
            width: arena.int(width),
        });
    }
    (Descriptor::new(dimensions), values)
}

/// How the code by hand meets the steps and widths of a space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Gaps {
    /// Threads stand on all indices from the lower bound on, those in gaps do nothing.
    Tested,
    /// Threads stand on the indices of the space alone.
    Skipped,
}

/// Index code written by hand, and what the host passes to it: symbols with their values.
struct ByHand {
    roots: Vec<Expr>,
    values: Values,
}

impl ByHand {
    /// A number that the host computes.
    fn passed(&mut self, arena: &mut Arena, value: i64) -> Expr {
        let symbol = arena.unnamed_symbol(Interval::NON_NEGATIVE);
        self.values
            .insert(arena.as_symbol(symbol).expect("a symbol"), value);
        symbol
    }

    /// A number taken apart into one per extent.
    fn apart(&mut self, arena: &mut Arena, number: Expr, extents: &[i64]) -> Vec<Expr> {
        let (mut rest, mut parts) = (number, Vec::new());
        for &extent in extents[1..].iter().rev() {
            let extent = self.passed(arena, extent);
            parts.push(arena.modulo(rest, extent));
            rest = arena.floor_div(rest, extent);
        }
        parts.push(rest);
        parts.reverse();
        parts
    }

    /// The indices that numbers from 0 on stand for, then the tests of those that may stand for none.
    fn finish(&mut self, arena: &mut Arena, numbers: &[Expr], (grid, gaps): (&Grid, Gaps)) {
        let mut tests = Vec::new();
        for (&number, &(lower, step, width)) in numbers.iter().zip(grid) {
            let [lower, step, wide] = [lower, step, width].map(|value| arena.int(value));
            let from_zero = match gaps {
                Gaps::Tested => {
                    let place = arena.modulo(number, step);
                    tests.push(arena.less(place, wide));
                    number
                }
                Gaps::Skipped => {
                    let cell = arena.floor_div(number, wide);
                    let start = arena.mul(cell, step);
                    let place = arena.modulo(number, wide);
                    arena.add(start, place)
                }
            };
            self.roots.push(arena.add(lower, from_zero));
        }
        if !tests.is_empty() {
            self.roots.push(arena.all(&tests));
        }
    }
}

/// Code for a line of threads in blocks of `block`.
fn line(
    arena: &mut Arena,
    ids: &ThreadIds,
    grid: (&Grid, Gaps),
    (extents, block): (&[i64], i64),
) -> ByHand {
    let mut hand = ByHand {
        roots: Vec::new(),
        values: Values::new(),
    };
    let block = arena.int(block);
    let start = arena.mul(ids.block[0], block);
    let number = arena.add(start, ids.thread[0]);
    let numbers = hand.apart(arena, number, extents);
    hand.finish(arena, &numbers, grid);
    let count = hand.passed(arena, extents.iter().product());
    hand.roots.push(arena.less(number, count));
    hand
}

/// Code for neighbours in pairs on `blockIdx.y`, `blockIdx.x` and `threadIdx.y`, the innermost dimension on `threadIdx.x`.
fn pairs(arena: &mut Arena, ids: &ThreadIds, grid: (&Grid, Gaps), extents: &[i64]) -> ByHand {
    let mut hand = ByHand {
        roots: Vec::new(),
        values: Values::new(),
    };
    let mut numbers = Vec::new();
    for (pair, id) in [ids.block[1], ids.block[0], ids.thread[1]]
        .into_iter()
        .enumerate()
    {
        numbers.extend(hand.apart(arena, id, &extents[2 * pair..2 * pair + 2]));
    }
    numbers.push(ids.thread[0]);
    hand.finish(arena, &numbers, grid);
    hand
}

/// Number of indices below `upper`, with those in gaps or without.
fn extent((lower, step, width): (i64, i64, i64), upper: i64, gaps: Gaps) -> i64 {
    let indices = lower..upper;
    indices
        .filter(|i| gaps == Gaps::Tested || (i - lower) % step < width)
        .count() as i64
}

/// The operations of `roots` that depend on a thread.
fn of_threads(arena: &Arena, ids: &ThreadIds, roots: &[Expr]) -> OperationCounts {
    let ids = [ids.step, ids.thread, ids.block].concat();
    let of_a_thread = |expr: Expr| {
        arena
            .topological(&[expr])
            .iter()
            .any(|part| ids.contains(part))
    };
    OperationCounts::of_those(arena, roots, &of_a_thread)
}

/// The index that a thread of a launch finds, if any.
fn found(arena: &Arena, (roots, rank): (&[Expr], usize), at: &Values) -> Option<Vec<i64>> {
    let values = eval(arena, roots, at);
    let (index, tests) = values.split_at(rank);
    tests.iter().all(|&test| test == 1).then(|| index.to_vec())
}

/// The operations of a strategy's recovery and of the code by hand, which do the same in every thread.
fn compared(grid: &Grid, strategy: &Strategy, sizes: [i64; 7]) -> [OperationCounts; 2] {
    let mut arena = Arena::new();
    let (space, mut values) = space(&mut arena, grid, sizes);
    // As the compiler does where a strategy has no mapping for a rank.
    let chain = strategy
        .choose(&mut arena, &space, Group::Thread)
        .or_else(|_| {
            Strategy::FoldAll(BlockSize::Automatic).choose(&mut arena, &space, Group::Thread)
        })
        .expect("a chain");
    let mapping = Mapping::new(&mut arena, space, chain).expect("it fits");
    let (ids, recovery) = recovered(&mut arena, &mapping);
    let gaps = if mapping.chain().to_string().contains("CompressGrid") {
        Gaps::Skipped
    } else {
        Gaps::Tested
    };
    let extents: Vec<i64> = (0..7).map(|d| extent(grid[d], sizes[d], gaps)).collect();
    let (blocks, threads) = common::extents(&arena, &mapping, &values);
    let hand = match mapping.chain().block_rank {
        1 => line(&mut arena, &ids, (grid, gaps), (&extents, threads[0])),
        _ => pairs(&mut arena, &ids, (grid, gaps), &extents),
    };
    values.extend(&hand.values);
    let axes = [threads, blocks].concat();
    let all_ids = [ids.thread, ids.block].concat();
    let recovered = recovery.roots();
    for thread in 0..axes.iter().product::<i64>() {
        let mut rest = thread;
        for (&id, axis) in all_ids.iter().zip(&axes) {
            if let Some(symbol) = arena.as_symbol(id) {
                values.insert(symbol, rest % axis);
            }
            rest /= axis;
        }
        let [ours, theirs] = [&recovered, &hand.roots].map(|r| found(&arena, (r, 7), &values));
        assert_eq!(ours, theirs, "{strategy}, thread {thread}");
    }
    [&recovered, &hand.roots].map(|roots| of_threads(&arena, &ids, roots))
}

/// Strategy, partition, operations of the recovery. `jing` ends at five dimensions: all are folded.
const TABLE: &[(&str, &Grid, &str)] = &[
    (
        "jing",
        &FIRST,
        "7 sums, 6 products, 6 shifts, 2 divisions by constants, 6 divisions, 8 comparisons, 6 logic",
    ),
    (
        "jing-ext",
        &FIRST,
        "3 sums, 3 products, 5 shifts, 2 divisions by constants, 3 divisions, 7 comparisons, 6 logic",
    ),
    (
        "fold-all",
        &FIRST,
        "7 sums, 6 products, 6 shifts, 2 divisions by constants, 6 divisions, 8 comparisons, 6 logic",
    ),
    (
        "auto",
        &FIRST,
        "9 sums, 8 products, 10 shifts, 6 divisions, 1 comparisons",
    ),
    (
        "jing",
        &SECOND,
        "8 sums, 6 products, 7 shifts, 1 divisions by constants, 6 divisions, 8 comparisons, 6 logic",
    ),
    (
        "jing-ext",
        &SECOND,
        "4 sums, 3 products, 6 shifts, 1 divisions by constants, 3 divisions, 7 comparisons, 6 logic",
    ),
    (
        "fold-all",
        &SECOND,
        "8 sums, 6 products, 7 shifts, 1 divisions by constants, 6 divisions, 8 comparisons, 6 logic",
    ),
    (
        "auto",
        &SECOND,
        "13 sums, 9 products, 9 shifts, 2 divisions by constants, 6 divisions, 1 comparisons",
    ),
];

#[test]
fn recovery_of_seven_dimensions_costs_at_most_what_code_by_hand_does() {
    for &(strategy, grid, expected) in TABLE {
        let strategy: Strategy = strategy.parse().expect("a strategy");
        let [ours, theirs] = compared(grid, &strategy, [3, 2, 4, 3, 4, 3, 5]);
        let divisions = |counts: OperationCounts| counts.divisions + counts.constant_divisions;
        assert!(
            ours.total() <= theirs.total(),
            "{strategy}: {ours}; by hand {theirs}"
        );
        assert!(
            divisions(ours) <= divisions(theirs),
            "{strategy}: {ours}; by hand {theirs}"
        );
        assert_eq!(ours.to_string(), expected, "{strategy}");
    }
}
