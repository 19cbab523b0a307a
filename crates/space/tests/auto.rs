//! Strategy `auto`: never worse than the paper's strategies by its own score, right in all that it tries, and with the choices
//! that a programmer would make.

mod common;

use common::*;
use segra_space::*;

/// A space by its extents; 0 stands for one that only the run knows.
fn space(arena: &mut Arena, extents: &[i64]) -> Descriptor {
    let shape: Vec<Expr> = extents
        .iter()
        .enumerate()
        .map(|(dim, &extent)| match extent {
            0 => arena.symbol(&format!("n{dim}"), Interval::NON_NEGATIVE),
            extent => arena.int(extent),
        })
        .collect();
    Descriptor::of_shape(arena, &shape)
}

fn access(indices: &[Place]) -> Access {
    Access {
        indices: indices.to_vec(),
        bytes: 4,
        times: 1,
    }
}

fn along(dims: &[usize]) -> Access {
    let places: Vec<Place> = dims.iter().map(|&dim| Place::Dimension(dim)).collect();
    access(&places)
}

/// Spaces of known and unknown extents, with what bodies on them read and write.
fn cases() -> Vec<(Vec<i64>, Vec<Access>)> {
    vec![
        (vec![0], vec![along(&[0])]),
        (vec![1000], vec![along(&[0])]),
        (vec![0, 0], vec![along(&[0, 1]), along(&[0, 1])]),
        (vec![0, 0], vec![along(&[1, 0])]),
        (vec![1024, 1024], vec![along(&[1, 0]), along(&[1, 0])]),
        (vec![0, 3], vec![along(&[0, 1])]),
        (vec![64, 32, 32], vec![along(&[0, 1, 2])]),
        (
            vec![0, 0, 0],
            vec![along(&[0, 2]), access(&[Place::Scattered])],
        ),
        (vec![0, 4, 0, 2], vec![along(&[0, 1, 2, 3])]),
        (vec![0; 7], vec![along(&[0, 1, 2, 3, 4, 5, 6])]),
    ]
}

#[test]
fn auto_is_never_worse_than_the_best_of_the_papers_strategies_by_its_own_score() {
    for (extents, accesses) in cases() {
        for group in [Group::Thread, Group::Block, Group::Lanes(4)] {
            let mut arena = Arena::new();
            let space = space(&mut arena, &extents);
            let accesses = accesses.clone();
            let auto = Auto { accesses };
            let chosen = auto.choose(&mut arena, &space, group).expect("a chain");
            let mut cost = |chain: Chain| {
                let mapping = Mapping::new(&mut arena, space.clone(), chain).ok()?;
                mapping.check_group(&mut arena, group).ok()?;
                let found = score(&mut arena, &mapping, group, &auto.accesses)?;
                Some(found.cycles)
            };
            let own = cost(chosen.clone()).expect("it has a score");
            assert!(own.is_finite(), "{extents:?}: {chosen}");
            let mut arena = Arena::new();
            for strategy in [
                Strategy::FoldAll(BlockSize::Automatic),
                Strategy::Jing,
                Strategy::JingExt,
            ] {
                let other = self::space(&mut arena, &extents);
                let Ok(chain) = strategy.choose(&mut arena, &other, group) else {
                    continue;
                };
                if let Some(other) = cost(chain) {
                    assert!(
                        own <= other,
                        "{extents:?}: {chosen} {own}, {strategy} {other}"
                    );
                }
            }
        }
    }
}

#[test]
fn all_that_is_tried_hits_every_index_exactly_once() {
    for sizes in [
        vec![67],
        vec![5, 41],
        vec![41, 5],
        vec![3, 4, 7],
        vec![2, 3, 2, 5],
    ] {
        let plain: Vec<_> = sizes.iter().map(|&size| (0, size, 1, 1)).collect();
        let (mut arena, auto) = (
            Arena::new(),
            Auto {
                accesses: Vec::new(),
            },
        );
        let (space, values) = symbolic_shape(&mut arena, &sizes);
        let candidates = auto.candidates(&mut arena, &space, Group::Thread);
        assert!(candidates.len() > 4 && candidates.len() <= MOST_CANDIDATES);
        for candidate in candidates {
            let mapping =
                Mapping::new(&mut arena, space.clone(), candidate.chain).expect("it fits");
            let mut found = hits(&mut arena, &mapping, &values, Recover::Plain);
            found.sort();
            assert_eq!(found, index_set(&plain), "{}", mapping.chain());
        }
    }
}

#[test]
fn the_dimension_that_accesses_go_along_is_on_the_threads() {
    let mut arena = Arena::new();
    let space = space(&mut arena, &[1024, 1024]);
    for (dims, place) in [([0, 1], 1), ([1, 0], 0)] {
        let accesses = vec![along(&dims), along(&dims)];
        let chain = Auto { accesses }
            .choose(&mut arena, &space, Group::Thread)
            .expect("a chain");
        let mapping = Mapping::new(&mut arena, space.clone(), chain).expect("it fits");
        let ids = ThreadIds::declare(&mut arena, &HardwareLimits::CUDA);
        let recovery = mapping
            .recover(&mut arena, &ids)
            .expect("it can be recovered");
        let at = |x: i64| {
            let found = evaluate(&arena, &recovery.indices, &|symbol| {
                Some(i64::from(Some(symbol) == arena.as_symbol(ids.thread[0])) * x)
            });
            found.expect("it has a value")
        };
        let (first, second) = (at(0), at(1));
        assert_eq!(second[place] - first[place], 1, "{}", mapping.chain());
        assert_eq!(second[1 - place], first[1 - place], "{}", mapping.chain());
    }
}

#[test]
fn row_004_14_gaps_are_compressed_where_the_grid_is_sparse_enough() {
    let mut chosen = Vec::new();
    for step in [2, 64] {
        let mut arena = Arena::new();
        let space = constant_space(&mut arena, &[(0, 1 << 18, step, step - 1), (0, 8, 1, 1)]);
        let sparse = constant_space(&mut arena, &[(0, 1 << 18, step, 1), (0, 8, 1, 1)]);
        let auto = Auto {
            accesses: Vec::new(),
        };
        for space in [space, sparse] {
            let chain = auto
                .choose(&mut arena, &space, Group::Thread)
                .expect("a chain");
            chosen.push(chain.to_string().contains("CompressGrid"));
        }
    }
    // Every second index either way; 63 of 64; 1 of 64.
    assert_eq!(chosen[2..], [false, true]);
}

#[test]
fn a_launch_that_does_not_fit_some_shape_that_is_tried_is_never_chosen() {
    let mut arena = Arena::new();
    let space = space(&mut arena, &[0, 0, 0]);
    let auto = Auto {
        accesses: vec![along(&[0, 1, 2])],
    };
    let candidates = auto.candidates(&mut arena, &space, Group::Thread);
    // Thread blocks of two whole extents.
    let whole =
        |candidate: &&Candidate| candidate.chain.to_string() == "GridBlock(2, ShiftLB(Gen))";
    let jing = candidates.iter().find(whole).expect("jing is tried");
    assert_eq!(jing.score.cycles, f64::INFINITY);
    assert!(candidates[0].score.cycles.is_finite());
}

/// The place of the dimension that the innermost threads of a chain take.
fn on_threads(arena: &mut Arena, space: &Descriptor, chain: &Chain) -> usize {
    let mapping = Mapping::new(arena, space.clone(), chain.clone()).expect("it fits");
    let ids = ThreadIds::declare(arena, &HardwareLimits::CUDA);
    let recovery = mapping.recover(arena, &ids).expect("it can be recovered");
    let at = |x: i64| {
        let found = evaluate(arena, &recovery.indices, &|symbol| {
            Some(i64::from(Some(symbol) == arena.as_symbol(ids.thread[0])) * x)
        });
        found.expect("it has a value")
    };
    let (first, second) = (at(0), at(1));
    (0..space.rank())
        .find(|&dim| first[dim] != second[dim])
        .expect("an index differs")
}

#[test]
fn an_access_counts_as_often_as_loops_repeat_it() {
    for (repeated, dim) in [([0, 1], 1), ([1, 0], 0)] {
        let mut arena = Arena::new();
        let space = space(&mut arena, &[1024, 1024]);
        let often = Access {
            times: 64,
            ..along(&repeated)
        };
        let accesses = vec![along(&[repeated[1], repeated[0]]), often];
        let chain = Auto { accesses }
            .choose(&mut arena, &space, Group::Thread)
            .expect("a chain");
        assert_eq!(on_threads(&mut arena, &space, &chain), dim, "{chain}");
    }
}

#[test]
fn warps_of_a_thread_block_share_what_they_read() {
    let mut arena = Arena::new();
    let space = space(&mut arena, &[40, 40, 40]);
    // Of a batched product.
    let inner = |indices: &[Place]| Access {
        times: 40,
        ..access(indices)
    };
    let accesses = vec![
        inner(&[Place::Dimension(0), Place::Dimension(1), Place::Uniform]),
        inner(&[Place::Dimension(0), Place::Uniform, Place::Dimension(2)]),
        along(&[0, 1, 2]),
    ];
    let mut of = |threads: i64| {
        let strategy = Strategy::FoldAll(BlockSize::Threads(threads));
        let chain = strategy
            .choose(&mut arena, &space, Group::Thread)
            .expect("a chain");
        let mapping = Mapping::new(&mut arena, space.clone(), chain).expect("it fits");
        score(&mut arena, &mapping, Group::Thread, &accesses).expect("a score")
    };
    let (small, large) = (of(64), of(256));
    assert!(
        small.sectors > 1.3 * large.sectors,
        "{} {}",
        small.sectors,
        large.sectors
    );
}

#[test]
fn extents_that_are_one_symbol_are_tried_with_as_many_indices_as_others() {
    let mut arena = Arena::new();
    let n = arena.symbol("n", Interval::NON_NEGATIVE);
    let square = Descriptor::of_shape(&mut arena, &[n, n]);
    let auto = Auto {
        accesses: vec![along(&[0, 1])],
    };
    for candidate in auto.candidates(&mut arena, &square, Group::Thread) {
        assert!(candidate.score.cycles.is_finite(), "{}", candidate.chain);
    }
}

#[test]
fn recovering_an_index_costs_more_than_nothing_and_less_than_sectors() {
    let mut arena = Arena::new();
    let mut cycles = |extents: &[i64], chain: &str| {
        let space = space(&mut arena, extents);
        let chain: Chain = chain.parse().expect("a chain");
        let mapping = Mapping::new(&mut arena, space, chain).expect("it fits");
        let accesses = [along(&[0, 1])];
        let found = score(&mut arena, &mapping, Group::Thread, &accesses);
        found.expect("a score").cycles
    };
    let rows = "GridBlock(1, SplitLast(256, ShiftLB(Gen)))";
    let folded = "GridBlock(1, SplitLast(256, FoldLast2(ShiftLB(Gen))))";
    let columns = "GridBlock(1, SplitLast(256, Permute([1,0], ShiftLB(Gen))))";
    // The same accesses; the second divides by a constant.
    assert!(cycles(&[1024, 768], rows) < cycles(&[1024, 768], folded));
    // The first divides by what the host knows, the second touches a sector for each index.
    assert!(cycles(&[1024, 0], folded) < cycles(&[1024, 0], columns));
}
