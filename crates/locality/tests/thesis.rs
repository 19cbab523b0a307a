//! The worked examples and formulas of the column-based iteration thesis, row by row of the mission's list: closed forms against
//! simulations in the orders that the combinators of `segra-space` make, with the thesis' slips put right.

#[path = "../../space/tests/common/mod.rs"]
mod common;

use common::{Recover, chain, hits, symbolic_shape};
use segra_locality::forms::*;
use segra_locality::{Access, CacheShape, Counts, Replacement, Served, replay};
use segra_space::{Arena, Mapping};

/// The points of a box of rows in the order of a chain.
fn order(text: &str, [height, width]: [i64; 2]) -> Vec<[i64; 2]> {
    let mut arena = Arena::new();
    let (space, values) = symbolic_shape(&mut arena, &[height, width]);
    let mapping = Mapping::new(&mut arena, space, chain(text)).expect("it fits");
    let points = hits(&mut arena, &mapping, &values, Recover::Plain);
    points
        .into_iter()
        .map(|point| [point[0], point[1]])
        .collect()
}

const LINEAR: &str = "GridBlock(0, Gen)";

fn columns(width: u64) -> String {
    format!("GridBlock(0, Column({width}, Gen))")
}

fn tiles(width: u64, height: u64) -> String {
    format!(
        "GridBlock(0, FoldLast2(FoldLast2(FoldLast2(Permute([2,0,3,1], SplitLast({height}, Permute([1,2,0], SplitLast({width}, Gen))))))))"
    )
}

/// A cache of so many lines of so many elements of 4 bytes.
fn cache(lines: Lines) -> CacheShape {
    CacheShape::fully_associative(lines.held as u32, 4 * lines.elements as u32)
}

fn run(lines: Lines, tasks: Vec<Vec<Access>>) -> Counts {
    replay(cache(lines), tasks.into_iter(), 0).counts
}

fn element(number: i64) -> Access {
    Access {
        address: 4 * number as u64,
        bytes: 4,
    }
}

/// The reads of the tasks of a clamped stencil, in the given order.
fn stencil_tasks(of: Stencil, points: &[[i64; 2]]) -> Vec<Vec<Access>> {
    let (height, width) = (of.height as i64, of.width as i64);
    let reach = |side: u64| -(side as i64 / 2)..=(side as i64 - 1) / 2;
    let task = |&[y, x]: &[i64; 2]| {
        let rows = reach(of.down).map(|d| (y + d).clamp(0, height - 1));
        let across = |row: i64| {
            reach(of.across).map(move |d| element(row * width + (x + d).clamp(0, width - 1)))
        };
        rows.flat_map(across).collect()
    };
    points.iter().map(task).collect()
}

/// The reads of the tasks of a product, A first and B behind it.
fn product_tasks(of: Product, points: &[[i64; 2]]) -> Vec<Vec<Access>> {
    let (width, depth) = (of.width as i64, of.depth as i64);
    // B begins with a line of its own.
    let behind = (of.height * of.depth).next_multiple_of(64) as i64;
    let task = |&[y, x]: &[i64; 2]| {
        let pair = |k| [element(y * depth + k), element(behind + k * width + x)];
        (0..depth).flat_map(pair).collect()
    };
    points.iter().map(task).collect()
}

fn square(side: u64, neighbourhood: u64) -> Stencil {
    Stencil {
        width: side,
        height: side,
        across: neighbourhood,
        down: neighbourhood,
        inputs: 1,
    }
}

const TABLE_3_1: Lines = Lines {
    held: 24,
    elements: 4,
};
const TABLE_3_2: Lines = Lines {
    held: 32,
    elements: 4,
};

#[test]
fn row_002_15_table_3_1() {
    let stencil = square(16, 7);
    let fetched =
        |text: &str| run(TABLE_3_1, stencil_tasks(stencil, &order(text, [16, 16]))).fetches;
    assert_eq!(
        [
            fetched(LINEAR),
            fetched(&columns(8)),
            fetched(&columns(4)),
            fetched(&tiles(8, 8))
        ],
        [316, 96, 160, 132]
    );
    // Columns of 8 need the fewest lines: the array is 64, of which the halo of the second column comes again.
    assert_eq!(fetched(&columns(16)), fetched(LINEAR));
}

#[test]
fn row_002_18_table_3_2() {
    let product = Product {
        width: 16,
        height: 16,
        depth: 16,
    };
    for (text, form, fetched, needed) in [
        (LINEAR.to_owned(), Order::Linear, 1088, 68),
        // The width the table gives needs 36 of 32 lines: it is worse than none.
        (columns(8), Order::Column { width: 8 }, 1152, 36),
        // That of the captions.
        (columns(4), Order::Column { width: 4 }, 320, 20),
    ] {
        let counts = run(TABLE_3_2, product_tasks(product, &order(&text, [16, 16])));
        let cost = product.cost(TABLE_3_2, form);
        assert_eq!((counts.fetches, cost.fetches), (fetched, fetched), "{text}");
        assert_eq!(
            (cost.working_set, cost.fits),
            (needed, needed <= 32),
            "{text}"
        );
    }
}

#[test]
fn row_002_12_stencils_fetch_no_more_than_equation_3_2_says() {
    let mut tight = 0;
    for (height, width) in [(16, 16), (9, 40), (33, 7), (1, 50), (20, 64)] {
        for side in [1, 3, 5, 7] {
            let stencil = Stencil {
                width,
                height,
                across: side,
                down: side,
                inputs: 1,
            };
            let points = order(LINEAR, [height as i64, width as i64]);
            for held in [4, 8, 16, 24, 48, 96, 200] {
                let lines = Lines { held, elements: 4 };
                let cost = stencil.cost(lines, Order::Linear, 1);
                let counts = run(lines, stencil_tasks(stencil, &points));
                assert!(
                    counts.fetches <= cost.fetches,
                    "{stencil:?} {lines:?}: {counts:?} {cost:?}"
                );
                // A cache with space for the rows fetches each line once.
                let once = (height * width).div_ceil(4);
                if cost.fits {
                    assert_eq!(counts.fetches, once, "{stencil:?} {lines:?}");
                    tight += 1;
                }
            }
        }
    }
    assert!(tight > 40, "{tight}");
}

#[test]
fn row_002_13_lines_of_a_warp() {
    for side in [3, 5, 9] {
        let stencil = square(4096, side);
        for elements in [8, 32] {
            let touched = |points: &[[i64; 2]]| {
                let lines = Lines {
                    held: 4096,
                    elements,
                };
                run(lines, stencil_tasks(stencil, points)).fetches
            };
            let one: Vec<_> = (0..32).map(|lane| [100, 96 + lane]).collect();
            // 20 lanes end a column, 12 begin the next row of it.
            let two: Vec<_> = (0..32)
                .map(|lane| [100 + lane / 20, 160 + lane % 20])
                .collect();
            let bound = |rows| stencil.warp_lines(elements, rows);
            // The bound forgets that lines may begin in front of the neighbourhood: one more a row.
            assert!(touched(&one) <= bound(WarpRows::One) + side);
            assert!(touched(&two) <= bound(WarpRows::Two) + 2 * side);
            assert_eq!(bound(WarpRows::One), (32 + side).div_ceil(elements) * side);
            assert_eq!(
                bound(WarpRows::Two),
                (32 + 2 * side).div_ceil(elements) * side
            );
        }
    }
}

#[test]
fn row_002_14_tiles_fetch_no_more_than_equation_3_5_says() {
    for (width, height, side, t) in [
        (16, 16, 7, 8),
        (40, 24, 5, 8),
        (50, 21, 3, 16),
        (17, 33, 3, 5),
    ] {
        let stencil = Stencil {
            width,
            height,
            across: side,
            down: side,
            inputs: 1,
        };
        let points = order(&tiles(t, t), [height as i64, width as i64]);
        assert_eq!(points.len() as u64, width * height);
        let form = Order::Tiled {
            width: t,
            height: t,
        };
        for held in [8, 24, 40, 80] {
            let lines = Lines { held, elements: 4 };
            let cost = stencil.cost(lines, form, 1);
            let counts = run(lines, stencil_tasks(stencil, &points));
            // Columns of elements that no line begins with take one line more a row of a tile.
            let across = (t + side).div_ceil(4);
            let bound = cost.fetches * (across + 1) / across;
            assert!(
                counts.fetches <= bound,
                "{stencil:?} {held}: {counts:?} {cost:?}"
            );
        }
    }
    // 3.4, whose derivation the thesis leaves open: the widest tile fits, the next one does not by 3.3 in elements.
    let stencil = square(4096, 9);
    let lines = Lines {
        held: 2048,
        elements: 8,
    };
    let t = stencil.widest_tile(lines);
    assert_eq!(t, 8 * 2048 / 9 - 9);
    assert!((t + 9) * 9 <= 8 * 2048 && (t + 1 + 9) * 9 > 8 * 2048);
}

#[test]
fn row_002_17_products_fetch_what_their_regime_says() {
    let product = Product {
        width: 24,
        height: 10,
        depth: 20,
    };
    let points = order(LINEAR, [10, 24]);
    let row_of_a = 5;
    let all_of_b = 20 * 6;
    for (held, fetches) in [
        // Not even a row of A and a column of B: nothing is used again but by neighbours (3.8).
        (row_of_a + 20 - 1, None),
        // Those, but not all of B (3.7, with a column of B for L neighbours at once).
        (row_of_a + 20 + 4, Some(5 * 10 + 20 * 6 * 10)),
        (row_of_a + all_of_b - 1, Some(5 * 10 + 20 * 6 * 10)),
        // All of B and two rows of A (3.10, where one row of A is not enough for a cache of least recently used lines).
        (row_of_a + all_of_b, Some(5 * 10 + 20 * 6 * 10)),
        (2 * row_of_a + all_of_b, Some(5 * 10 + all_of_b)),
    ] {
        let lines = Lines { held, elements: 4 };
        let cost = product.cost(lines, Order::Linear);
        let counts = run(lines, product_tasks(product, &points));
        match fetches {
            Some(fetches) => {
                assert_eq!(cost.fetches, fetches, "{held} lines");
                // Lines of A stay a little too short where B fills the cache.
                assert!(
                    counts.fetches.abs_diff(fetches) * 10 <= fetches,
                    "{held} lines: {counts:?}"
                );
            }
            None => {
                assert_eq!(cost.fetches, (5 + 20) * 240);
                assert!(
                    counts.fetches <= cost.fetches && counts.fetches > 2 * 1250,
                    "{counts:?}"
                );
            }
        }
    }
    // As printed, (3.7) counts the column for each neighbour: four times as many lines as are fetched.
    let printed = 5 * 10 + 20 * 24 * 10;
    let lines = Lines {
        held: row_of_a + 20 + 4,
        elements: 4,
    };
    let counts = run(lines, product_tasks(product, &points));
    assert!(counts.fetches * 7 / 2 < printed, "{counts:?}");
}

#[test]
fn row_002_26_columns_of_stencils() {
    // The thesis' estimate in elements: (c + sw) (sh + ceil(t / c)); its asymptote, solved for c.
    let (sw, sh, t, elements) = (9u64, 9u64, 256u64, 16 * 1024u64);
    let stencil = square(4096, 9);
    let one = |held| Lines { held, elements: 1 };
    for c in [4, 30, 32, 64, 100, 512] {
        let cost = stencil.cost(one(1 << 30), Order::Column { width: c }, t);
        assert_eq!(cost.working_set, (c + sw) * (sh + t.div_ceil(c)));
    }
    let c = stencil.widest_column(one(elements), t);
    assert_eq!(c, (elements - (sh * sw + t)) / sh);
    let asymptote = |c: u64| t + sh * (c + sw);
    assert!(asymptote(c) <= elements && asymptote(c + 1) > elements);
    // 4.8, against simulations.
    for (height, width, side, c) in [
        (16, 16, 7, 8),
        (30, 40, 5, 8),
        (12, 50, 3, 16),
        (40, 33, 5, 12),
    ] {
        let stencil = Stencil {
            width,
            height,
            across: side,
            down: side,
            inputs: 1,
        };
        let points = order(&columns(c), [height as i64, width as i64]);
        for held in [12, 24, 48, 96] {
            let lines = Lines { held, elements: 4 };
            let cost = stencil.cost(lines, Order::Column { width: c }, 1);
            let counts = run(lines, stencil_tasks(stencil, &points));
            let across = (c + side).div_ceil(4);
            let bound = cost.fetches * (across + 1) / across;
            assert!(
                counts.fetches <= bound,
                "{stencil:?} {c} {held}: {counts:?} {cost:?}"
            );
        }
    }
}

#[test]
fn row_002_27_columns_of_products() {
    for (height, width, depth) in [(16, 16, 16), (9, 40, 12), (20, 33, 8)] {
        let product = Product {
            width,
            height,
            depth,
        };
        for c in [4, 8, 12, 40] {
            let points = order(&columns(c), [height as i64, width as i64]);
            let fits = depth.div_ceil(4) + depth * c.min(width).div_ceil(4);
            // Two lines of A may be there at once, where a new row begins.
            let lines = Lines {
                held: fits + depth.div_ceil(4),
                elements: 4,
            };
            let cost = product.cost(lines, Order::Column { width: c });
            assert!(cost.fits && cost.working_set == fits);
            // Lines of B's rows begin where columns do only if the width allows it.
            if width % 4 == 0 {
                let counts = run(lines, product_tasks(product, &points));
                // Beside a narrower last column there is space for a few lines of A that were there before.
                let spared = cost.fetches - counts.fetches;
                assert!(
                    spared <= u64::from(width % c > 0) * 2,
                    "{product:?} {c}: {spared}"
                );
            }
        }
    }
    // c = M / (u h), where h is the depth.
    let product = Product {
        width: 1024,
        height: 1024,
        depth: 1024,
    };
    let cache = Lines {
        held: 2048,
        elements: 8,
    };
    assert_eq!(product.widest_column(cache), 64 * 1024 / (4 * 1024));
}

#[test]
fn row_002_05_misses_by_reuse_and_displacement() {
    // Everything stays: as many misses as elements.
    assert_eq!(misses(1000.0, 10.0, 0.0), 100.0);
    // Nothing stays: every reference misses.
    assert_eq!(misses(1000.0, 10.0, 1.0), 1000.0);
    assert_eq!(displaced(0.0, &[]), 0.0);
    assert_eq!(displaced(0.25, &[]), 0.25);
    assert_eq!(displaced(0.5, &[0.5]), 0.75);
    assert_eq!(displaced(0.0, &[1.0, 0.1]), 1.0);
    // A stencil in a cache that holds all of its input: references by reuse.
    let stencil = square(20, 5);
    let points = order(LINEAR, [20, 20]);
    let counts = run(
        Lines {
            held: 1000,
            elements: 4,
        },
        stencil_tasks(stencil, &points),
    );
    let reuse = counts.accesses as f64 / 100.0;
    assert_eq!(
        misses(counts.accesses as f64, reuse, 0.0),
        counts.fetches as f64
    );
}

#[test]
fn row_002_06_the_critical_blocking_factor() {
    assert_eq!(lam_tile(16 * 1024), 90);
    assert_eq!(lam_tile(0), 0);
    // Rows as long as the cache: all rows of a block begin in the same set, so it has as many rows as there are ways.
    let shape = |ways| CacheShape {
        bytes: 4096,
        line_bytes: 64,
        sector_bytes: 64,
        ways,
        replacement: Replacement::Lru,
    };
    let associative = critical_block(shape(64), 1024, 4);
    let two_ways = critical_block(shape(2), 1024, 4);
    assert!(two_ways < associative, "{two_ways} {associative}");
    // Without sets, lines are what counts: 21 rows of at most three lines are 63 of 64, 22 rows are 66.
    assert!(critical_block(CacheShape::fully_associative(64, 32), 1000, 4) >= 16);
    // A block of that side can be read twice without a miss, a larger one cannot.
    for ways in [2, 4, 64] {
        let shape = shape(ways);
        let side = critical_block(shape, 1000, 4);
        let block = |side: u64| {
            let rows =
                (0..side as i64).map(|y| (0..side as i64).map(|x| element(y * 1000 + x)).collect());
            let rows: Vec<Vec<Access>> = rows.collect();
            replay(shape, [rows.clone(), rows].concat().into_iter(), 0)
                .counts
                .fetches
        };
        let once = |side: u64| {
            let lines = (0..side).map(|y| (4 * (y * 1000 + side - 1)) / 64 - 4 * y * 1000 / 64 + 1);
            lines.sum::<u64>()
        };
        assert_eq!(block(side), once(side), "{ways} ways, side {side}");
        assert!(block(side + 1) > once(side + 1), "{ways} ways, side {side}");
    }
}

#[test]
fn row_002_28_figure_3_1_shows_rows_that_come_again_and_figure_4_4_does_not() {
    let stencil = square(16, 7);
    let picture = |text: &str| {
        let tasks = stencil_tasks(stencil, &order(text, [16, 16]));
        replay(cache(TABLE_3_1), tasks.into_iter(), 256)
    };
    let fetched = |text: &str, row: usize| {
        let diagram = picture(text).diagram;
        (0..256)
            .filter(|&task| diagram.cell(row, task) == Some(Served::Memory))
            .count()
    };
    let diagram = picture(LINEAR).diagram;
    assert_eq!((diagram.rows(), diagram.columns()), (64, 256));
    // Line 33 is in row 8: seven rows of tasks read it, in the linear order each from memory; a column once, a halo aside.
    assert_eq!(fetched(LINEAR, 33), 7);
    assert_eq!(fetched(&columns(8), 33), 2);
    // The first task fetches its four rows, and nothing else is held.
    let first: Vec<usize> = (0..64)
        .filter(|&row| diagram.cell(row, 0).is_some())
        .collect();
    assert_eq!(first, [0, 4, 8, 12]);
}

#[test]
fn zigzags_fetch_no_more_than_columns_where_a_row_of_a_column_is_a_line() {
    let stencil = square(16, 7);
    let fetched =
        |text: &str| run(TABLE_3_1, stencil_tasks(stencil, &order(text, [16, 16]))).fetches;
    assert!(fetched("GridBlock(0, Zigzag(8, Gen))") <= fetched(&columns(8)));
}
