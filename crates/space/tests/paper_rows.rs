//! The figures, listings and tables of the index-space combinators paper, row by row of the mission's list, with its
//! printing errors put right.

mod common;

use common::*;
use segra_space::*;

/// Sets `value` in a picture wherever the space is hit.
fn paint(picture: &mut [[u8; 9]; 9], space: &[(i64, i64, i64, i64)], value: u8) {
    let mut arena = Arena::new();
    let descriptor = constant_space(&mut arena, space);
    let strategy = Strategy::FoldAll(BlockSize::Threads(32));
    let chain = strategy
        .choose(&mut arena, &descriptor, Group::Thread)
        .expect("a chain");
    let mapping = Mapping::new(&mut arena, descriptor, chain).expect("it fits");
    for index in hits(&mut arena, &mapping, &Values::new(), Recover::Simplified) {
        picture[index[0] as usize][index[1] as usize] = value;
    }
}

/// Grid and block extents, x first, of a strategy on a shape.
fn launch(strategy: &Strategy, sizes: &[i64]) -> ([i64; 3], [i64; 3]) {
    let mut arena = Arena::new();
    let (space, values) = symbolic_shape(&mut arena, sizes);
    let chain = strategy
        .choose(&mut arena, &space, Group::Thread)
        .expect("a chain");
    let mapping = Mapping::new(&mut arena, space, chain).expect("it fits");
    extents(&arena, &mapping, &values)
}

/// The image of a constant space under a chain, and its descriptor as (L, U, T, W).
fn forward(text: &str, space: &[(i64, i64, i64, i64)]) -> Vec<(i64, i64, i64, i64)> {
    let mut arena = Arena::new();
    let space = constant_space(&mut arena, space);
    let mapping = Mapping::new(&mut arena, space, chain(text)).expect("the chain fits");
    quadruples(
        &arena,
        &mapping.stages()[mapping.stages().len() - 1],
        &Values::new(),
    )
}

fn dense(sizes: &[i64]) -> Vec<(i64, i64, i64, i64)> {
    sizes.iter().map(|&size| (0, size, 1, 1)).collect()
}

/// The error of mapping a constant space.
fn refusal(text: &str, space: &[(i64, i64, i64, i64)]) -> String {
    let mut arena = Arena::new();
    let space = constant_space(&mut arena, space);
    Mapping::new(&mut arena, space, chain(text))
        .expect_err("the chain does not fit")
        .to_string()
}

#[test]
fn row_004_03_steps_count_from_the_lower_bound() {
    let mut arena = Arena::new();
    let space = constant_space(&mut arena, &[(1, 9, 3, 2)]);
    let members: Vec<i64> = (0..10)
        .filter(|&i| {
            let index = arena.int(i);
            let inside = space.contains(&mut arena, &[index]);
            eval(&arena, &[inside], &Values::new())[0] == 1
        })
        .collect();
    assert_eq!(members, [1, 2, 4, 5, 7, 8]);
}

#[test]
fn row_004_05_listing_3_gives_the_printed_array() {
    let mut picture = [[0; 9]; 9];
    paint(&mut picture, &[(0, 9, 2, 1), (1, 8, 3, 2)], 3);
    paint(&mut picture, &[(1, 8, 3, 2), (0, 9, 2, 1)], 7);
    let rows: Vec<String> = picture
        .iter()
        .map(|row| row.iter().map(u8::to_string).collect())
        .collect();
    let printed = [
        "033033030",
        "707070707",
        "737073737",
        "000000000",
        "737073737",
        "707070707",
        "033033030",
        "707070707",
        "033033030",
    ];
    assert_eq!(rows, printed);
}

#[test]
fn row_004_10_limits_of_the_old_scheme_are_those_of_jing_and_the_others_lift_them() {
    let mut arena = Arena::new();
    let block_tests = |arena: &mut Arena, space: &Descriptor, strategy: &Strategy| {
        let chain = strategy.choose(arena, space, Group::Thread).ok()?;
        let mapping = Mapping::new(arena, space.clone(), chain).expect("it fits");
        let limits = &HardwareLimits::CUDA;
        let conditions = mapping
            .launch_conditions(arena, Group::Thread, limits)
            .expect("only the run knows");
        let block = |c: &&LaunchCondition| arena.display(c.within).to_string().ends_with("<= 1024");
        Some(conditions.iter().filter(block).count())
    };
    let folded = Strategy::FoldAll(BlockSize::Automatic);
    for rank in 1..=8 {
        let (space, _) = symbolic_shape(&mut arena, &vec![1; rank]);
        // More than five dimensions: none. From three on, a block is two extents, which may be more than 1024 threads.
        let jing = block_tests(&mut arena, &space, &Strategy::Jing);
        assert_eq!(jing.is_none(), rank > 5, "{rank} dimensions");
        assert_eq!(jing.is_some_and(|tests| tests > 0), (3..=5).contains(&rank));
        assert_eq!(block_tests(&mut arena, &space, &folded), Some(0));
    }
    let compressed = "GridBlock(2, Permute([2,0,3,1], SplitLast(32, Permute([1,2,0], SplitLast(32, CompressGrid([1,0], ShiftLB(Gen)))))))";
    let compressed: Strategy = compressed.parse().expect("a chain");
    // Steps and widths leave the launch as large as the space without them; compressed, it is as large as the grid.
    let space = constant_space(&mut arena, &[(0, 4096, 8, 1), (0, 64, 1, 1)]);
    for (strategy, launched) in [(Strategy::Jing, 4096 * 64), (compressed, 512 * 64)] {
        let chain = strategy
            .choose(&mut arena, &space, Group::Thread)
            .expect("a chain");
        let mapping = Mapping::new(&mut arena, space.clone(), chain).expect("it fits");
        assert_eq!(
            threads(&arena, &mapping, &Values::new()),
            launched,
            "{strategy}"
        );
    }
}

#[test]
fn row_004_11_shift_lb_keeps_the_step_and_its_inverse_adds_the_bound() {
    let space = [(1, 6, 1, 1), (1, 6, 2, 1)];
    assert_eq!(
        forward("GridBlock(2, ShiftLB(Gen))", &space),
        [(0, 5, 1, 1), (0, 5, 2, 1)]
    );
    let mut arena = Arena::new();
    let space = constant_space(&mut arena, &space);
    let index = [arena.int(2), arena.int(4)];
    let back = Combinator::ShiftLB
        .invert(&mut arena, &space, &index)
        .expect("it always applies");
    assert_eq!(eval(&arena, &back.indices, &Values::new()), [3, 5]);
    assert_eq!(back.guard, None);
}

#[test]
fn row_004_12_compress_grid_bounds() {
    let space = [(0, 5, 2, 1), (0, 5, 2, 1)];
    assert_eq!(
        forward("GridBlock(2, CompressGrid([1,0], Gen))", &space),
        [(0, 3, 1, 1), (0, 5, 2, 1)]
    );
    assert_eq!(
        forward("GridBlock(2, CompressGrid([1,1], Gen))", &space),
        [(0, 3, 1, 1), (0, 3, 1, 1)]
    );
    // The bound that the paper leaves out, with a partial last period: 0 1 . 3 4.
    assert_eq!(
        forward("GridBlock(1, CompressGrid([1], Gen))", &[(0, 5, 3, 2)]),
        dense(&[4])
    );
    assert_eq!(
        forward("GridBlock(1, CompressGrid([1], Gen))", &[(0, 4, 3, 2)]),
        dense(&[3])
    );
    let shifted = refusal("GridBlock(1, CompressGrid([1], Gen))", &[(1, 5, 3, 2)]);
    assert!(
        shifted.ends_with("needs lower bound 0 in dimension 0, found `1`; apply ShiftLB first"),
        "{shifted}"
    );
    let wrong = refusal("GridBlock(1, CompressGrid([1,1], Gen))", &[(0, 5, 3, 2)]);
    assert!(
        wrong.ends_with("CompressGrid([1,1]) lists 2 dimensions, the space has 1"),
        "{wrong}"
    );
}

#[test]
fn row_004_13_compress_grid_inverse_with_width() {
    let mut arena = Arena::new();
    let space = constant_space(&mut arena, &[(0, 5, 3, 2), (0, 5, 1, 1)]);
    let (thread, column) = (arena.int(2), arena.int(4));
    let compress = Combinator::CompressGrid(vec![true, false]);
    let back = compress
        .invert(&mut arena, &space, &[thread, column])
        .expect("it applies");
    assert_eq!(eval(&arena, &back.indices, &Values::new()), [3, 4]);
}

#[test]
fn row_004_14_compression_launches_the_cells_of_the_grid_and_no_more() {
    let space = [(0, 60, 2, 1), (0, 60, 3, 2)];
    let count = |text: &str| {
        let mut arena = Arena::new();
        let space = constant_space(&mut arena, &space);
        let mapping = Mapping::new(&mut arena, space, chain(text)).expect("the chain fits");
        let hit = hits(&mut arena, &mapping, &Values::new(), Recover::Simplified).len();
        (hit, threads(&arena, &mapping, &Values::new()))
    };
    assert_eq!(
        count("GridBlock(1, CompressGrid([1,1], Gen))"),
        (1200, 1200)
    );
    assert_eq!(count("GridBlock(1, PruneGrid(Gen))"), (1200, 3600));
    assert_eq!(count("GridBlock(1, Gen)"), (1200, 3600));
}

#[test]
fn row_004_15_fold_last_2_is_quotient_and_remainder_by_the_inner_size() {
    assert_eq!(
        forward("GridBlock(1, FoldLast2(Gen))", &dense(&[2, 5])),
        dense(&[10])
    );
    let mut arena = Arena::new();
    let (space, _) = symbolic_shape(&mut arena, &[2, 5]);
    let thread = arena.symbol("t", Interval::NON_NEGATIVE);
    let back = Combinator::FoldLast2
        .invert(&mut arena, &space, &[thread])
        .expect("it applies");
    let text: Vec<String> = back
        .indices
        .iter()
        .map(|&index| arena.display(index).to_string())
        .collect();
    assert_eq!(
        (text, back.guard),
        (vec!["t / d1".to_owned(), "t % d1".to_owned()], None)
    );
    let shifted = refusal(
        "GridBlock(1, FoldLast2(Gen))",
        &[(0, 2, 1, 1), (1, 5, 1, 1)],
    );
    assert!(
        shifted.contains("FoldLast2 needs lower bound 0 in dimension 1, found `1`"),
        "{shifted}"
    );
    let stepped = refusal(
        "GridBlock(1, FoldLast2(Gen))",
        &[(0, 2, 2, 1), (0, 5, 1, 1)],
    );
    assert!(
        stepped.contains("needs a dense dimension 0, found step `2` and width `1`"),
        "{stepped}"
    );
    let short = refusal("GridBlock(1, FoldLast2(Gen))", &dense(&[4]));
    assert!(
        short.contains("FoldLast2 needs at least 2 dimensions, found 1"),
        "{short}"
    );
}

#[test]
fn row_004_16_split_last_of_10_by_4() {
    assert_eq!(
        forward("GridBlock(1, SplitLast(4, Gen))", &dense(&[10])),
        dense(&[3, 4])
    );
    let mut arena = Arena::new();
    let (space, values) = symbolic_shape(&mut arena, &[10]);
    let mapping =
        Mapping::new(&mut arena, space, chain("GridBlock(1, SplitLast(4, Gen))")).expect("it fits");
    assert_eq!(extents(&arena, &mapping, &values), ([3, 1, 1], [4, 1, 1]));
    assert_eq!(threads(&arena, &mapping, &values), 12);
    let found = hits(&mut arena, &mapping, &values, Recover::Plain);
    assert_eq!(found, (0..10).map(|i| vec![i]).collect::<Vec<_>>());
    assert!(
        refusal("GridBlock(1, SplitLast(0, Gen))", &dense(&[10]))
            .contains("needs a size of at least 1")
    );
}

#[test]
fn row_004_17_pad_last_of_5_by_7_to_4_needs_nothing() {
    assert_eq!(
        forward("GridBlock(1, PadLast(4, Gen))", &dense(&[5, 7])),
        dense(&[5, 8])
    );
    // For any bounds and steps, the extent becomes a multiple, the lower bound stays.
    assert_eq!(
        forward("GridBlock(1, ShiftLB(PadLast(4, Gen)))", &[(3, 8, 2, 1)]),
        [(0, 8, 2, 1)]
    );
    let mut arena = Arena::new();
    let (space, values) = symbolic_shape(&mut arena, &[5, 7]);
    let mapping =
        Mapping::new(&mut arena, space, chain("GridBlock(1, PadLast(4, Gen))")).expect("it fits");
    assert_eq!(threads(&arena, &mapping, &values), 40);
    assert_eq!(
        hits(&mut arena, &mapping, &values, Recover::Plain),
        index_set(&dense(&[5, 7]))
    );
}

#[test]
fn row_004_18_permute_of_5_by_7_is_7_by_5_and_free() {
    assert_eq!(
        forward("GridBlock(1, Permute([1,0], Gen))", &dense(&[5, 7])),
        dense(&[7, 5])
    );
    let mut arena = Arena::new();
    let (space, _) = symbolic_shape(&mut arena, &[2, 3, 4]);
    let permute = Combinator::Permute(vec![2, 0, 1]);
    let after = permute.apply(&mut arena, &space).expect("a permutation");
    assert_eq!(after.dimensions[0], space.dimensions[2]);
    let ids = ["a", "b", "c"].map(|name| arena.symbol(name, Interval::NON_NEGATIVE));
    let before = arena.len();
    let back = permute
        .invert(&mut arena, &space, &ids)
        .expect("a permutation");
    assert_eq!(
        (back.indices, back.guard, arena.len()),
        (vec![ids[1], ids[2], ids[0]], None, before)
    );
    assert!(
        refusal("GridBlock(1, Permute([0,0], Gen))", &dense(&[2, 3]))
            .contains("0 to 1 must occur exactly once")
    );
}

#[test]
fn row_004_19_limits_are_refused_where_known_and_tested_where_not() {
    let mut arena = Arena::new();
    let space = constant_space(&mut arena, &dense(&[4, 40, 40]));
    let jing =
        Mapping::new(&mut arena, space.clone(), chain("GridBlock(2, Gen)")).expect("it fits");
    let error = jing
        .launch_conditions(&mut arena, Group::Thread, &HardwareLimits::CUDA)
        .expect_err("1600 threads");
    assert_eq!(
        error.to_string(),
        "block size is `1600`, the hardware allows at most 1024"
    );
    // Re-mapped by the next strategy.
    let choices: [&dyn ChooseChain; 2] =
        [&Strategy::Jing, &Strategy::FoldAll(BlockSize::Automatic)];
    let fitting = first_fitting(
        &mut arena,
        &space,
        Group::Thread,
        &choices,
        &HardwareLimits::CUDA,
    )
    .expect("folded it fits");
    assert_eq!((fitting.strategy, fitting.conditions.len()), (1, 0));

    let (space, _) = symbolic_shape(&mut arena, &[1, 1]);
    let text =
        "GridBlock(2, Permute([2,0,3,1], SplitLast(32, Permute([1,2,0], SplitLast(32, Gen)))))";
    let tiles = Mapping::new(&mut arena, space, chain(text)).expect("it fits");
    let conditions = tiles
        .launch_conditions(&mut arena, Group::Thread, &HardwareLimits::CUDA)
        .expect("unknown");
    let text: Vec<String> = conditions
        .iter()
        .map(|c| arena.display(c.within).to_string())
        .collect();
    assert_eq!(
        text,
        ["ceildiv(d1, 32) <= 2147483647", "ceildiv(d0, 32) <= 65535"]
    );

    let (space, _) = symbolic_shape(&mut arena, &[1; 7]);
    let error =
        Mapping::new(&mut arena, space, chain("GridBlock(3, Gen)")).expect_err("7 dimensions");
    assert_eq!(
        error.to_string(),
        "`GridBlock(3, Gen)` makes 4 grid and 3 block dimensions, the hardware has 3 and 3"
    );
}

#[test]
fn row_004_21_partitions_of_listing_8() {
    // 1.000 and 1.500 are thousands; the first partition starts at 0, not at the 1 that listing 6 passes.
    for space in [
        (0, 1000, 2, 1),
        (1, 1000, 2, 1),
        (1000, 1500, 1, 1),
        (0, 1000, 5, 3),
    ] {
        let mut arena = Arena::new();
        let descriptor = constant_space(&mut arena, &[space]);
        let chain = Strategy::Jing
            .choose(&mut arena, &descriptor, Group::Thread)
            .expect("a chain");
        let mapping = Mapping::new(&mut arena, descriptor, chain).expect("it fits");
        let found = hits(&mut arena, &mapping, &Values::new(), Recover::Simplified);
        assert_eq!(found, index_set(&[space]), "{space:?}");
    }
    // The grid is tested on the shifted index, before the lower bound is added.
    let mut arena = Arena::new();
    let names = ["l", "u", "t", "w"];
    let [lower, upper, step, width] = names.map(|name| arena.symbol(name, Interval::POSITIVE));
    let space = Descriptor::new(vec![Dimension {
        lower,
        upper,
        step,
        width,
    }]);
    let text = "GridBlock(1, SplitLast(32, PruneGrid(ShiftLB(Gen))))";
    let mapping = Mapping::new(&mut arena, space, chain(text)).expect("it fits");
    let ids = ThreadIds::declare(&mut arena, &HardwareLimits::CUDA);
    let recovery = mapping.recover(&mut arena, &ids).expect("it fits");
    let guards: Vec<String> = recovery
        .guards
        .iter()
        .map(|&g| arena.display(g).to_string())
        .collect();
    assert_eq!(
        guards,
        [
            "block_id.x * 32 + thread_id.x < max(u - l, 0)",
            "(block_id.x * 32 + thread_id.x) % t < w",
        ]
    );
    assert_eq!(
        arena.display(recovery.indices[0]).to_string(),
        "block_id.x * 32 + thread_id.x + l"
    );
}

#[test]
fn row_004_22_table_1() {
    assert_eq!(launch(&Strategy::Jing, &[100]), ([4, 1, 1], [32, 1, 1]));
    assert_eq!(
        launch(&Strategy::Jing, &[70, 100]),
        ([4, 3, 1], [32, 32, 1])
    );
    assert_eq!(launch(&Strategy::Jing, &[2, 3, 4]), ([2, 1, 1], [4, 3, 1]));
    assert_eq!(
        launch(&Strategy::Jing, &[2, 3, 4, 5]),
        ([3, 2, 1], [5, 4, 1])
    );
    assert_eq!(
        launch(&Strategy::Jing, &[2, 3, 4, 5, 6]),
        ([4, 3, 2], [6, 5, 1])
    );
    // No idle block where 32 divides the size, unlike the printed d/32 + 1.
    assert_eq!(launch(&Strategy::Jing, &[96]), ([3, 1, 1], [32, 1, 1]));
}

#[test]
fn row_004_23_grid_block_counts_block_dimensions() {
    let mut arena = Arena::new();
    let (space, values) = symbolic_shape(&mut arena, &[2, 3, 4, 5]);
    let mapping =
        Mapping::new(&mut arena, space.clone(), chain("GridBlock(1, Gen)")).expect("it fits");
    assert_eq!(extents(&arena, &mapping, &values), ([4, 3, 2], [5, 1, 1]));
    let mapping =
        Mapping::new(&mut arena, space.clone(), chain("GridBlock(3, Gen)")).expect("it fits");
    assert_eq!(extents(&arena, &mapping, &values), ([2, 1, 1], [5, 4, 3]));
    let error =
        Mapping::new(&mut arena, space, chain("GridBlock(5, Gen)")).expect_err("4 dimensions");
    assert!(
        error
            .to_string()
            .contains("wants 5 block dimensions, the space has 4"),
        "{error}"
    );
    let shifted = refusal("GridBlock(1, Gen)", &[(1, 5, 1, 1)]);
    assert!(
        shifted.contains("needs lower bound 0 in dimension 0"),
        "{shifted}"
    );
}

#[test]
fn row_004_25_the_pragma_text_is_read_and_its_mistakes_are_placed() {
    let message = |text: &str| text.parse::<Chain>().expect_err("a mistake").to_string();
    assert_eq!(
        chain(" GridBlock ( 1,\n SplitLast(32,\n ShiftLB (\n Gen))) ").to_string(),
        "GridBlock(1, SplitLast(32, ShiftLB(Gen)))"
    );
    assert_eq!(
        message("GridBlock(1, SplitLst(32, Gen))"),
        "at column 14: unknown combinator `SplitLst`, did you mean `SplitLast`?"
    );
    assert_eq!(
        message("GridBlock(1, SplitLast(Gen))"),
        "at column 24: expected the size of a split, a number, found `Gen`"
    );
    assert_eq!(
        message("ShiftLB(Gen)"),
        "at column 1: expected `GridBlock`, found `ShiftLB`"
    );
    assert_eq!(
        message("GridBlock(1, ShiftLB(Gen)"),
        "at column 26: expected `)`, found the end of the text"
    );
    assert_eq!(
        message("GridBlock(1, Gen))"),
        "at column 18: expected the end of the chain"
    );
    assert_eq!(
        message("GridBlock(1, CompressGrid([1,2], Gen))"),
        "at column 30: entries of CompressGrid are 0 or 1, found 2"
    );
    assert!(message("GridBlock(1, Tile(4, Gen))").contains("expected a combinator, found `Tile`"));
}

#[test]
fn row_004_26_listing_10_put_right() {
    let mut arena = Arena::new();
    let names = ["lb1", "lb0", "ub1", "ub0"];
    let [lb1, lb0, ub1, ub0] = names.map(|name| arena.symbol(name, Interval::NON_NEGATIVE));
    let outer = Dimension::dense(&mut arena, lb1, ub1);
    let inner = Dimension::dense(&mut arena, lb0, ub0);
    let text = "GridBlock(1, SplitLast(32, ShiftLB(Gen)))";
    let mapping = Mapping::new(&mut arena, Descriptor::new(vec![outer, inner]), chain(text))
        .expect("it fits");
    let shown = |arena: &Arena, exprs: &[Expr]| -> Vec<String> {
        exprs
            .iter()
            .map(|&expr| arena.display(expr).to_string())
            .collect()
    };
    assert_eq!(
        shown(&arena, &mapping.grid()),
        ["ceildiv(max(ub0 - lb0, 0), 32)", "max(ub1 - lb1, 0)", "1"]
    );
    assert_eq!(shown(&arena, &mapping.block()), ["32", "1", "1"]);
    let (_, recovery) = recovered(&mut arena, &mapping);
    assert_eq!(
        shown(&arena, &recovery.indices),
        ["block_id.y + lb1", "block_id.x * 32 + thread_id.x + lb0"]
    );
    assert_eq!(recovery.guards.len(), 1);
}

#[test]
fn row_004_27_bounds_before_padding_stay_available() {
    let mut arena = Arena::new();
    let lower = arena.symbol("l", Interval::NON_NEGATIVE);
    let upper = arena.symbol("u", Interval::NON_NEGATIVE);
    let space = Descriptor::new(vec![Dimension::dense(&mut arena, lower, upper)]);
    let mapping = Mapping::new(
        &mut arena,
        space,
        chain("GridBlock(1, PadLast(64, ShiftLB(Gen)))"),
    )
    .expect("it fits");
    let uppers: Vec<String> = mapping
        .stages()
        .iter()
        .map(|stage| arena.display(stage.dimensions[0].upper).to_string())
        .collect();
    assert_eq!(
        uppers,
        ["u", "max(u - l, 0)", "ceildiv(max(u - l, 0), 64) * 64"]
    );
    let ids = ThreadIds::declare(&mut arena, &HardwareLimits::CUDA);
    let recovery = mapping.recover(&mut arena, &ids).expect("it fits");
    let guards: Vec<String> = recovery
        .guards
        .iter()
        .map(|&g| arena.display(g).to_string())
        .collect();
    assert_eq!(guards, ["thread_id.x < max(u - l, 0)"]);
    assert_eq!(
        arena.display(recovery.indices[0]).to_string(),
        "thread_id.x + l"
    );
}

#[test]
fn row_004_29_jing_1d_needs_no_division() {
    let mut arena = Arena::new();
    let (space, _) = symbolic_shape(&mut arena, &[1]);
    let chain = Strategy::Jing
        .choose(&mut arena, &space, Group::Thread)
        .expect("a chain");
    assert_eq!(
        chain.to_string(),
        "GridBlock(1, SplitLast(32, ShiftLB(Gen)))"
    );
}

#[test]
fn row_004_30_jing_2d_puts_the_innermost_dimension_on_x() {
    let mut arena = Arena::new();
    let (space, _) = symbolic_shape(&mut arena, &[1, 1]);
    let chain = Strategy::Jing
        .choose(&mut arena, &space, Group::Thread)
        .expect("a chain");
    assert_eq!(
        chain.to_string(),
        "GridBlock(2, Permute([2,0,3,1], SplitLast(32, Permute([1,2,0], SplitLast(32, ShiftLB(Gen))))))"
    );
    let mapping = Mapping::new(&mut arena, space, chain).expect("it fits");
    let (_, recovery) = recovered(&mut arena, &mapping);
    let text: Vec<String> = recovery
        .indices
        .iter()
        .map(|&index| arena.display(index).to_string())
        .collect();
    assert_eq!(
        text,
        [
            "block_id.y * 32 + thread_id.y",
            "block_id.x * 32 + thread_id.x"
        ]
    );
    assert_eq!(recovery.guards.len(), 2);
}

#[test]
fn row_004_31_jing_stops_at_rank_5() {
    let mut arena = Arena::new();
    let (space, _) = symbolic_shape(&mut arena, &[1; 6]);
    let error = Strategy::Jing
        .choose(&mut arena, &space, Group::Thread)
        .expect_err("6 dimensions");
    assert_eq!(
        error.to_string(),
        "strategy `jing` maps at most 5 dimensions, the space has 6"
    );
}

#[test]
fn row_004_32_jing_ext_folds_neighbours() {
    // 6-D becomes 3-D, 7-D 4-D with the innermost dimension alone, 11-D folds twice.
    assert_eq!(
        launch(&Strategy::JingExt, &[2, 3, 5, 7, 11, 13]),
        ([6, 1, 1], [143, 35, 1])
    );
    assert_eq!(
        launch(&Strategy::JingExt, &[2, 3, 5, 7, 11, 13, 17]),
        ([35, 6, 1], [17, 143, 1])
    );
    assert_eq!(
        launch(&Strategy::JingExt, &[2, 3, 2, 2, 2, 2, 2, 2, 3, 1, 5]),
        ([24, 1, 1], [15, 16, 1])
    );
    assert_eq!(
        launch(&Strategy::JingExt, &[2, 3, 2, 2, 2, 2, 2, 2, 3, 5]),
        ([4, 4, 6], [15, 4, 1])
    );
    assert_eq!(
        launch(&Strategy::JingExt, &[2, 3, 4]),
        launch(&Strategy::Jing, &[2, 3, 4])
    );
}

#[test]
fn row_004_33_fold_all_looks_at_the_size_and_not_at_the_rank() {
    let automatic = Strategy::FoldAll(BlockSize::Automatic);
    assert_eq!(
        launch(&automatic, &[10, 10, 10, 10]),
        ([40, 1, 1], [256, 1, 1])
    );
    let mut arena = Arena::new();
    let block = |arena: &mut Arena, size: i64| {
        let space = constant_space(arena, &dense(&[size / 100, 100]));
        let chain = automatic
            .choose(arena, &space, Group::Thread)
            .expect("a chain");
        chain.to_string()
    };
    assert_eq!(
        block(&mut arena, 1_000_000),
        "GridBlock(1, SplitLast(256, FoldLast2(ShiftLB(Gen))))"
    );
    assert_eq!(
        block(&mut arena, 40_000),
        "GridBlock(1, SplitLast(128, FoldLast2(ShiftLB(Gen))))"
    );
    assert_eq!(
        block(&mut arena, 1_000),
        "GridBlock(1, SplitLast(32, FoldLast2(ShiftLB(Gen))))"
    );
}

#[test]
fn row_004_34_strategies_have_names_and_can_be_replaced() {
    for text in [
        "auto",
        "jing",
        "jing-ext",
        "fold-all",
        "fold-all(128)",
        "GridBlock(1, SplitLast(32, ShiftLB(Gen)))",
    ] {
        assert_eq!(
            text.parse::<Strategy>()
                .map(|strategy| strategy.to_string()),
            Ok(text.to_owned())
        );
    }
    assert!(
        "jong"
            .parse::<Strategy>()
            .expect_err("unknown")
            .to_string()
            .contains("unknown strategy `jong`")
    );

    struct RowPerBlock;
    impl ChooseChain for RowPerBlock {
        fn choose(&self, _: &mut Arena, _: &Descriptor, _: Group) -> Result<Chain, StrategyError> {
            Ok(Chain::new(
                vec![Combinator::ShiftLB, Combinator::PadLast(32)],
                1,
            ))
        }
    }
    let mut arena = Arena::new();
    let (space, values) = symbolic_shape(&mut arena, &[4, 40]);
    let limits = HardwareLimits::CUDA;
    let fitting = first_fitting(&mut arena, &space, Group::Thread, &[&RowPerBlock], &limits)
        .expect("it fits");
    assert_eq!(
        extents(&arena, &fitting.mapping, &values),
        ([4, 1, 1], [64, 1, 1])
    );
}

#[test]
fn rank_0_is_one_thread() {
    for strategy in [
        Strategy::Jing,
        Strategy::JingExt,
        Strategy::FoldAll(BlockSize::Automatic),
    ] {
        assert_eq!(launch(&strategy, &[]), ([1, 1, 1], [1, 1, 1]));
    }
}

#[test]
fn an_empty_size_makes_an_empty_launch() {
    let mut arena = Arena::new();
    let (space, values) = symbolic_shape(&mut arena, &[3, 0]);
    let chain = Strategy::Jing
        .choose(&mut arena, &space, Group::Thread)
        .expect("a chain");
    let mapping = Mapping::new(&mut arena, space, chain).expect("it fits");
    assert_eq!(extents(&arena, &mapping, &values), ([0, 1, 1], [32, 32, 1]));
    let empty = mapping.is_empty(&mut arena);
    assert_eq!(eval(&arena, &[empty], &values), [1]);
}

#[test]
fn folded_matrix_addressed_in_row_major_order_needs_no_division() {
    let mut arena = Arena::new();
    let (space, _) = symbolic_shape(&mut arena, &[1, 1]);
    let columns = space.dimensions[1].upper;
    let chain = Strategy::FoldAll(BlockSize::Threads(256))
        .choose(&mut arena, &space, Group::Thread)
        .expect("a chain");
    let mapping = Mapping::new(&mut arena, space, chain).expect("it fits");
    let ids = ThreadIds::declare(&mut arena, &HardwareLimits::CUDA);
    let recovery = mapping.recover(&mut arena, &ids).expect("it fits");
    let row = arena.mul(recovery.indices[0], columns);
    let address = arena.add(row, recovery.indices[1]);
    let facts = mapping.thread_facts(&mut arena, &ids);
    let limits = SimplifyLimits::default();
    let mut roots = vec![address];
    roots.extend(&recovery.guards);
    let simple = simplify(&mut arena, &roots, &facts, &limits);
    let text: Vec<String> = simple
        .iter()
        .map(|&expr| arena.display(expr).to_string())
        .collect();
    assert_eq!(
        text,
        [
            "block_id.x * 256 + thread_id.x",
            "block_id.x * 256 + thread_id.x < d0 * d1"
        ]
    );
}
