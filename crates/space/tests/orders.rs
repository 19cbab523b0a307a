//! Orders, strides and steps of threads: against reference code written from their sources, and what they cost.

mod common;

use common::*;
use segra_space::*;

/// The index vectors of a dense space in the order in which a chain that ends in one dimension visits them.
fn visits(text: &str, sizes: &[i64]) -> Vec<Vec<i64>> {
    let mut arena = Arena::new();
    let (space, values) = symbolic_shape(&mut arena, sizes);
    let mapping = Mapping::new(&mut arena, space, chain(text)).expect("it fits");
    hits(&mut arena, &mapping, &values, Recover::Plain)
}

/// Listing 5 of the column thesis, line by line.
fn listing_5(tid: i64, (height, width): (i64, i64), col_w: i64) -> Vec<i64> {
    let col_size = height * col_w;
    let (col_id, col_tid) = (tid / col_size, tid % col_size);
    let col_off = col_id * col_w;
    let col_tw = (width - col_id * col_w).min(col_w);
    vec![col_tid / col_tw, col_tid % col_tw + col_off]
}

fn refusal(text: &str, space: &[(i64, i64, i64, i64)]) -> String {
    let mut arena = Arena::new();
    let space = constant_space(&mut arena, space);
    Mapping::new(&mut arena, space, chain(text))
        .expect_err("the chain does not fit")
        .to_string()
}

fn cost(combinator: &Combinator, rank: usize) -> String {
    let mut arena = Arena::new();
    let (space, _) = symbolic_shape(&mut arena, &vec![1; rank]);
    let cost = combinator.recovery_cost(&mut arena, &space);
    cost.expect("it applies").to_string()
}

#[test]
fn columns_are_those_of_listing_5() {
    for (height, width) in [(1, 1), (5, 11), (4, 12), (7, 3), (3, 8), (16, 16)] {
        for w in [1, 3, 4, 8, 32] {
            let expected: Vec<_> = (0..height * width)
                .map(|tid| listing_5(tid, (height, width), w))
                .collect();
            let text = format!("GridBlock(0, Column({w}, Gen))");
            assert_eq!(visits(&text, &[height, width]), expected, "{text}");
        }
    }
}

#[test]
fn the_last_column_is_narrower_where_the_width_is_no_multiple() {
    // 2 rows of 5 in columns of 2: two whole ones, and one that is 1 wide.
    assert_eq!(
        visits("GridBlock(0, Column(2, Gen))", &[2, 5]),
        [
            [0, 0],
            [0, 1],
            [1, 0],
            [1, 1],
            [0, 2],
            [0, 3],
            [1, 2],
            [1, 3],
            [0, 4],
            [1, 4]
        ]
    );
}

#[test]
fn equation_4_3_as_printed_starts_the_last_column_in_its_middle() {
    let (height, width, w) = (2, 11, 4);
    let printed = |i: i64| {
        let o = i / (height * w) * w;
        let narrow = w.min(width - o);
        let within = i % (height * narrow);
        vec![within / narrow, within % narrow + o]
    };
    let ours = visits("GridBlock(0, Column(4, Gen))", &[height, width]);
    assert_eq!((printed(15), &ours[15]), (vec![1, 7], &vec![1, 7]));
    assert_eq!((printed(16), &ours[16]), (vec![1, 9], &vec![0, 8]));
}

#[test]
fn a_zigzag_runs_odd_rows_of_a_column_backwards() {
    assert_eq!(
        visits("GridBlock(0, Zigzag(3, Gen))", &[3, 5]),
        [
            [0, 0],
            [0, 1],
            [0, 2],
            [1, 2],
            [1, 1],
            [1, 0],
            [2, 0],
            [2, 1],
            [2, 2],
            [0, 3],
            [0, 4],
            [1, 4],
            [1, 3],
            [2, 3],
            [2, 4]
        ]
    );
}

#[test]
fn equation_4_7_as_printed_leaves_the_row() {
    // w' - x for x from 0: the first cell of a backwards row lies one to the right of its column.
    let (height, width, w) = (2, 8, 4);
    let printed = |i: i64| {
        let (column, within) = (i / (height * w), i % (height * w));
        let (y, x) = (within / w, within % w);
        // Printed the other way round, too: odd rows forwards.
        let x = if y % 2 == 1 { x } else { w - x };
        vec![y, x + column * w]
    };
    assert_eq!(printed(0), [0, 4], "the second column's cell");
    assert!(
        (0..height * width).any(|i| printed(i)[1] == width),
        "or none at all"
    );
    let mut ours = visits("GridBlock(0, Zigzag(4, Gen))", &[height, width]);
    assert_eq!(ours[..5], [[0, 0], [0, 1], [0, 2], [0, 3], [1, 3]]);
    ours.sort();
    assert_eq!(ours, visits("GridBlock(0, Gen)", &[height, width]));
}

#[test]
fn the_branch_of_listing_5_divides_by_nothing_where_columns_are_whole_and_the_minimum_does_not() {
    let (height, width, w) = (3i64, 8i64, 4i64);
    // As the comment of the listing has it: the last column is number width / w.
    let branch = |column: i64| {
        if column == width / w {
            width - column * w
        } else {
            w
        }
    };
    let minimum = |column: i64| (width - column * w).min(w);
    // There is no such column where w divides the width: a grid that is rounded up gets there, and divides by 0.
    assert_eq!((branch(2), branch(1), minimum(1)), (0, 4, 4));
    // Ours keeps at least 1, so a thread behind the end divides by that.
    let mut arena = Arena::new();
    let (space, values) = symbolic_shape(&mut arena, &[height, width]);
    let chain = chain("GridBlock(1, SplitLast(32, Column(4, Gen)))");
    let mapping = Mapping::new(&mut arena, space, chain).expect("it fits");
    assert_eq!(threads(&arena, &mapping, &values), 32);
    assert_eq!(
        hits(&mut arena, &mapping, &values, Recover::Simplified).len(),
        24
    );
}

#[test]
fn strategies_of_orders_are_functions_from_a_shape_to_a_chain() {
    for (text, sizes, expected) in [
        (
            "columns(32,128)",
            &[5, 7][..],
            "GridBlock(1, SplitLast(128, Column(32, ShiftLB(Gen))))",
        ),
        (
            "zigzag(8,64)",
            &[2, 5, 7],
            "GridBlock(1, SplitLast(64, Zigzag(8, ShiftLB(Gen))))",
        ),
        (
            "columns(32,64)",
            &[100],
            "GridBlock(1, SplitLast(64, ShiftLB(Gen)))",
        ),
        ("tiles(4x2,32)", &[], "GridBlock(0, Gen)"),
    ] {
        let strategy: Strategy = text.parse().expect("a strategy");
        assert_eq!(strategy.to_string(), text);
        let mut arena = Arena::new();
        let (space, _) = symbolic_shape(&mut arena, sizes);
        let chain = strategy
            .choose(&mut arena, &space, Group::Thread)
            .expect("a chain");
        assert_eq!(chain.to_string(), expected);
    }
    // Tiles of 3 by 2 in a box of 3 by 4, of any rank: row by row, in each row by row, narrower at the edges.
    let strategy: Strategy = "tiles(3x2,1)".parse().expect("a strategy");
    let tiled = |sizes: &[i64]| {
        let mut arena = Arena::new();
        let (space, values) = symbolic_shape(&mut arena, sizes);
        let chain = strategy
            .choose(&mut arena, &space, Group::Thread)
            .expect("a chain");
        let mapping = Mapping::new(&mut arena, space, chain).expect("it fits");
        hits(&mut arena, &mapping, &values, Recover::Simplified)
    };
    assert_eq!(
        tiled(&[3, 4]),
        [
            [0, 0],
            [0, 1],
            [0, 2],
            [1, 0],
            [1, 1],
            [1, 2],
            [0, 3],
            [1, 3],
            [2, 0],
            [2, 1],
            [2, 2],
            [2, 3]
        ]
    );
    let deep: Vec<_> = tiled(&[2, 2, 4])
        .iter()
        .map(|i| vec![i[0] * 2 + i[1], i[2]])
        .collect();
    assert_eq!(deep, tiled(&[4, 4]));
    assert_eq!(tiled(&[0, 4]), Vec::<Vec<i64>>::new());
    for (text, part) in [
        ("columns(0)", "needs a width and a height of at least 1"),
        ("tiles(4x0)", "needs a width and a height of at least 1"),
        ("zigzag(4,2000)", "needs a block size of 1 to 1024"),
    ] {
        let strategy: Strategy = text.parse().expect("a strategy");
        let mut arena = Arena::new();
        let (space, _) = symbolic_shape(&mut arena, &[4, 4]);
        let error = strategy
            .choose(&mut arena, &space, Group::Thread)
            .expect_err("refused");
        assert!(error.to_string().contains(part), "{error}");
    }
    for text in [
        "columns",
        "columns()",
        "tiles(4)",
        "columns(4x4)",
        "zigzag(4,)",
        "columns(4",
    ] {
        assert!(text.parse::<Strategy>().is_err(), "{text}");
    }
}

#[test]
fn a_grid_stride_loop_over_columns_computes_what_no_step_changes_once() {
    // Listing 9: size and number of columns, and all that depends on sizes alone, before the loop.
    let text = "GridBlock(1, Serial(1, Split(0, 64, Stride(0, 256, Column(32, Gen)))))";
    let mut arena = Arena::new();
    let (space, values) = symbolic_shape(&mut arena, &[37, 70]);
    let mapping = Mapping::new(&mut arena, space, chain(text)).expect("it fits");
    let (ids, recovery) = recovered(&mut arena, &mapping);
    let step = ids.step[0];
    let nodes = arena.topological(&recovery.roots());
    let inner = |expr: &&Expr| {
        let below = arena.topological(&[**expr]);
        let is_operation = !matches!(
            arena.node(**expr),
            Node::Int(_) | Node::Symbol(_) | Node::Bool(_)
        );
        is_operation && below.contains(&step)
    };
    let outer = |expr: &&Expr| {
        let below = arena.topological(&[**expr]);
        let is_operation = !matches!(
            arena.node(**expr),
            Node::Int(_) | Node::Symbol(_) | Node::Bool(_)
        );
        is_operation && !below.contains(&step)
    };
    let (in_loop, before) = (
        nodes.iter().filter(inner).count(),
        nodes.iter().filter(outer).count(),
    );
    assert!(
        before >= 3,
        "the size of a column, the thread's number: {before} before, {in_loop} in the loop"
    );
    let product = |expr: &Expr| matches!(arena.node(*expr), Node::Binary(BinaryOp::Mul, ..));
    assert!(
        nodes.iter().filter(outer).any(product),
        "h * w is computed before the loop"
    );
    let mut found = hits(&mut arena, &mapping, &values, Recover::Simplified);
    found.sort();
    assert_eq!(found, visits("GridBlock(0, Gen)", &[37, 70]));
}

#[test]
fn columns_of_any_rank_fold_all_but_the_innermost_dimension() {
    let flat = visits("GridBlock(0, Column(4, Gen))", &[6, 10]);
    let deep = visits("GridBlock(0, Column(4, Gen))", &[2, 3, 10]);
    let folded: Vec<_> = deep.iter().map(|i| vec![i[0] * 3 + i[1], i[2]]).collect();
    assert_eq!(flat, folded);
    assert_eq!(
        visits("GridBlock(0, Column(4, Gen))", &[7]),
        visits("GridBlock(0, Gen)", &[7])
    );
}

#[test]
fn groups_of_rows_are_the_swizzle_of_block_schedulers() {
    // As programs of the tutorial on matrix products in Triton number their blocks.
    for (rows, columns, group) in [(9, 9, 3), (7, 4, 3), (2, 5, 8), (1, 1, 1)] {
        let expected: Vec<_> = (0..rows * columns)
            .map(|pid| {
                let in_group = group * columns;
                let first = pid / in_group * group;
                let size = group.min(rows - first);
                vec![first + pid % in_group % size, pid % in_group / size]
            })
            .collect();
        let text = format!("GridBlock(0, Swizzle(0, {group}, Gen))");
        assert_eq!(visits(&text, &[rows, columns]), expected);
    }
}

#[test]
fn a_hilbert_curve_goes_from_each_cell_to_a_neighbour() {
    for bits in 1..=4u32 {
        let side = 1 << bits;
        let path = visits(
            &format!("GridBlock(0, Hilbert(0, {bits}, Gen))"),
            &[side, side],
        );
        assert_eq!((path.len() as i64, &path[0]), (side * side, &vec![0, 0]));
        for pair in path.windows(2) {
            let step = (pair[0][0] - pair[1][0]).abs() + (pair[0][1] - pair[1][1]).abs();
            assert_eq!(step, 1, "{pair:?} of side {side}");
        }
    }
}

#[test]
fn morton_numbers_interleave_the_bits_of_row_and_column() {
    for (number, index) in visits("GridBlock(0, Morton(0, 3, Gen))", &[8, 8])
        .iter()
        .enumerate()
    {
        let interleaved = (0..3).fold(0, |sum, bit| {
            sum | (index[0] >> bit & 1) << (2 * bit + 1) | (index[1] >> bit & 1) << (2 * bit)
        });
        assert_eq!(number as i64, interleaved);
    }
    // Tiles of 2 by 2 in a box of 3 by 3: row by row, cells beyond the box left out.
    assert_eq!(
        visits("GridBlock(0, Morton(0, 1, Gen))", &[3, 3]),
        [
            [0, 0],
            [0, 1],
            [1, 0],
            [1, 1],
            [0, 2],
            [1, 2],
            [2, 0],
            [2, 1],
            [2, 2]
        ]
    );
}

#[test]
fn a_grid_stride_loop_gives_few_threads_many_indices() {
    let text = "GridBlock(1, Serial(1, Split(0, 4, Stride(0, 8, Gen))))";
    let mut arena = Arena::new();
    let (space, values) = symbolic_shape(&mut arena, &[19]);
    let mapping = Mapping::new(&mut arena, space, chain(text)).expect("it fits");
    assert_eq!(extents(&arena, &mapping, &values), ([2, 1, 1], [4, 1, 1]));
    assert_eq!(eval(&arena, &mapping.steps(), &values), [3, 1, 1]);
    assert_eq!(mapping.chain().to_string(), text);
    // Thread 0 has 0, 8, 16, thread 1 has 1, 9, 17; thread 3 has no third.
    let found = hits(&mut arena, &mapping, &values, Recover::Simplified);
    assert_eq!(found[..8], [[0], [8], [16], [1], [9], [17], [2], [10]]);
    assert_eq!(found.len(), 19);
    let (_, recovery) = recovered(&mut arena, &mapping);
    assert_eq!(
        arena.display(recovery.indices[0]).to_string(),
        "step.x * 8 + block_id.x * 4 + thread_id.x"
    );
}

#[test]
fn several_elements_of_a_thread_are_neighbours() {
    let text = "GridBlock(1, Serial(1, Split(0, 2, SplitLast(3, Gen))))";
    assert_eq!(
        visits(text, &[8]),
        (0..8).map(|i| vec![i]).collect::<Vec<_>>()
    );
    let mut arena = Arena::new();
    let (space, values) = symbolic_shape(&mut arena, &[8]);
    let mapping = Mapping::new(&mut arena, space, chain(text)).expect("it fits");
    assert_eq!(threads(&arena, &mapping, &values), 4);
    assert_eq!(positions(&arena, &mapping, &values), 12);
}

type Quadruple = (i64, i64, i64, i64);

const DENSE: Quadruple = (0, 6, 1, 1);

/// Chains, spaces that they do not fit, and what is said of them.
const REFUSED: &[(&str, &[Quadruple], &str)] = &[
    (
        "GridBlock(0, Fold(1, Gen))",
        &[DENSE, DENSE],
        "Fold(1) needs at least 3 dimensions, found 2",
    ),
    (
        "GridBlock(0, Split(2, 4, Gen))",
        &[DENSE],
        "Split(2, 4) needs at least 3 dimensions, found 1",
    ),
    (
        "GridBlock(0, Stride(0, 0, Gen))",
        &[DENSE],
        "Stride(0, 0) needs a size of at least 1",
    ),
    (
        "GridBlock(0, Column(0, Gen))",
        &[DENSE],
        "Column(0) needs a size of at least 1",
    ),
    (
        "GridBlock(0, Column(4, Gen))",
        &[],
        "Column(4) needs at least 1 dimensions, found 0",
    ),
    (
        "GridBlock(0, Column(4, Gen))",
        &[(1, 6, 1, 1), DENSE],
        "Column(4) needs lower bound 0 in dimension 0, found `1`; apply ShiftLB first",
    ),
    (
        "GridBlock(0, Zigzag(4, Gen))",
        &[(0, 6, 2, 1), DENSE],
        "Zigzag(4) needs a dense dimension 0, found step `2` and width `1`",
    ),
    (
        "GridBlock(0, Swizzle(0, 0, Gen))",
        &[DENSE, DENSE],
        "Swizzle(0, 0) needs a size of at least 1",
    ),
    (
        "GridBlock(0, Morton(0, 0, Gen))",
        &[DENSE, DENSE],
        "Morton(0, 0) needs tiles with a side of 2^1 to 2^15",
    ),
    (
        "GridBlock(0, Hilbert(0, 16, Gen))",
        &[DENSE, DENSE],
        "Hilbert(0, 16) needs tiles with a side of 2^1 to 2^15",
    ),
    (
        "GridBlock(1, Serial(1, Gen))",
        &[DENSE],
        "wants 1 block and 1 serial dimensions, the space has 1 in the end",
    ),
    (
        "GridBlock(0, Serial(4, Gen))",
        &[DENSE; 4],
        "makes 4 dimensions steps of a thread, there may be at most 3",
    ),
];

#[test]
fn preconditions_are_refused_with_what_is_wrong() {
    for (text, space, wrong) in REFUSED {
        let message = refusal(text, space);
        assert!(message.contains(wrong), "{message}");
    }
}

#[test]
fn mistakes_in_the_text_are_placed() {
    for (text, message) in [
        (
            "GridBlock(1, Serial(0, Gen))",
            "at column 21: Serial needs at least one dimension",
        ),
        (
            "GridBlock(1, ShiftLB(Serial(1, Gen)))",
            "at column 22: `Serial` stands directly inside `GridBlock`",
        ),
        (
            "GridBlock(1, Split(4, Gen))",
            "at column 23: expected the size of a split, a number, found `Gen`",
        ),
        (
            "GridBlock(1, Hilbrt(0, 4, Gen))",
            "at column 14: unknown combinator `Hilbrt`, did you mean `Hilbert`?",
        ),
        (
            "GridBlock(1, Morton(0, 99999999999, Gen))",
            "at column 24: the logarithm of the side of a tile, `99999999999`, is too large",
        ),
    ] {
        let error = text.parse::<Chain>().expect_err("a mistake");
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn recovery_costs_what_a_hand_written_inverse_costs() {
    for (combinator, rank, expected) in [
        (Combinator::ShiftLB, 2, "none"),
        (Combinator::Permute(vec![1, 0]), 2, "none"),
        (Combinator::PadLast(4), 2, "1 comparisons"),
        (
            Combinator::SplitLast(32),
            1,
            "1 sums, 1 shifts, 1 comparisons",
        ),
        (
            Combinator::Stride(0, 100),
            1,
            "1 sums, 1 products, 1 comparisons",
        ),
        // A quotient; the remainder is what is left of it.
        (Combinator::Fold(0), 2, "1 sums, 1 products, 1 divisions"),
        // Listing 5: two quotients with their remainders, the size and start of the column, its width, the offset.
        (
            Combinator::Column(32),
            2,
            "4 sums, 2 products, 2 shifts, 2 divisions, 2 choices",
        ),
        (
            Combinator::Zigzag(32),
            2,
            "6 sums, 2 products, 3 shifts, 2 divisions, 1 comparisons, 3 choices",
        ),
        (
            Combinator::Swizzle(0, 8),
            2,
            "4 sums, 2 products, 2 shifts, 2 divisions, 2 choices",
        ),
    ] {
        assert_eq!(cost(&combinator, rank), expected, "{combinator}");
    }
    // Per level of a curve: bits of a Morton number are shifts and masks, a Hilbert curve chooses as well.
    let total = |combinator: Combinator| {
        let mut arena = Arena::new();
        let (space, _) = symbolic_shape(&mut arena, &[1, 1]);
        let cost = combinator.recovery_cost(&mut arena, &space);
        cost.expect("it applies").total()
    };
    let per_level = |of: &dyn Fn(u32) -> Combinator| total(of(6)) - total(of(5));
    assert_eq!(per_level(&|bits| Combinator::Morton(0, bits)), 8);
    assert_eq!(per_level(&|bits| Combinator::Hilbert(0, bits)), 18);
}
