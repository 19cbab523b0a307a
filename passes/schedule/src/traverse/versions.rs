//! Which kernels of a block are compiled, and the sizes from which on each runs.
//!
//! The kernels are those of the combination that is predicted best where symbolic sizes are [`Wanted::extent`]. Which shape of tiles
//! a kernel has, if any, depends on sizes, so it gets the [`MOST_VERSIONS`] shapes that together are predicted to lose least at the
//! extents of [`LADDER`], each from the number of whole tiles on that there are at the least extent at which it is best; below
//! all of them nests are kernels of their own. Where extents are constants there is one size, and one version or none. Another
//! combination than the best is compiled as it is, from the extent on at which its kernels are predicted to be better than
//! nests alone.
//!
//! Limits: matrices are taken to be square; the nests of a kernel are the same at all sizes.

use crate::traverse::cost::Sizes;
use crate::traverse::figures::Figures;
use crate::traverse::search::{Exploration, Fusion, Kernel, MapBlock, Search};
use crate::traverse::tile::Shape;
use segra_ir::Ir;
use std::collections::BTreeMap;

/// Extents that symbolic sizes are taken to have, one after another.
const LADDER: [i64; 15] = [
    64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192,
];
/// Most shapes of tiles of a kernel: each is code.
const MOST_VERSIONS: usize = 2;

/// How several nests are one kernel.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form {
    /// In tiles of these shapes, from large sizes to small ones.
    Tiles(Vec<Version>),
    /// As one nest; of a map, its thread blocks where they are decided.
    Nest(Option<MapBlock>),
}

/// A shape of tiles, and when it is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Version {
    /// The last part of its threshold's name.
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    /// From how many whole tiles on.
    pub(super) tiles: i64,
}

/// Which combination of kernels is wanted.
pub(super) struct Wanted<'a> {
    pub(super) figures: &'a Figures,
    /// The extent of symbolic sizes.
    pub(super) extent: i64,
    /// Its number in the order of predicted time, from 1 on; 0: the best, with shapes by size.
    pub(super) rank: usize,
}

fn sizes(extent: i64) -> Sizes {
    Sizes {
        named: BTreeMap::new(),
        other: extent,
    }
}

/// The kernels of several tiles or nests, by number of the fusion.
pub(super) fn wanted(ir: &Ir, search: &Search, wanted: &Wanted<'_>) -> Vec<(usize, Form)> {
    if search.fusions.is_empty() {
        return Vec::new();
    }
    let at = sizes(wanted.extent);
    let mut space = search.priced(ir, &at).explore(wanted.figures);
    if wanted.rank == 0 {
        only_best(&mut space);
    }
    // The last one where there are fewer: of several blocks of a program, some may have few.
    let combination = space.combinations().take(wanted.rank.max(1)).last();
    let kernels: Vec<&Kernel> = match &combination {
        Some(combination) => combination
            .kernels
            .iter()
            .map(|&kernel| &space.kernels[kernel])
            .collect(),
        None => Vec::new(),
    };
    let mut found = Vec::new();
    for kernel in kernels {
        let nests = kernel.nests();
        if kernel.shape().is_none() && kernel.block.is_none() && nests.len() == 1 {
            continue;
        }
        let Some(number) = search
            .fusions
            .iter()
            .position(|fusion| fusion.nests == nests)
        else {
            continue;
        };
        let Some(shape) = kernel.shape() else {
            found.push((number, Form::Nest(kernel.block)));
            continue;
        };
        let ladder = Ladder::of(ir, search, number, wanted.figures);
        let versions = match wanted.rank {
            0 => ladder.versions(),
            _ => {
                let fusion = &search.fusions[number];
                let rung = Rung::of(ir, search, fusion, wanted.figures, wanted.extent);
                ladder.from(shape, &rung)
            }
        };
        found.push((number, Form::Tiles(versions)));
    }
    found
}

/// Of each set of nests the best kernel, which is all that the best combination may have.
fn only_best(space: &mut Exploration) {
    let mut best: BTreeMap<u64, f64> = BTreeMap::new();
    for kernel in &space.kernels {
        let time = best.entry(kernel.mask()).or_insert(f64::INFINITY);
        *time = time.min(kernel.time);
    }
    space
        .kernels
        .retain(|kernel| best.get(&kernel.mask()) == Some(&kernel.time));
    space.kernels.dedup_by_key(|kernel| kernel.mask());
}

/// The times of a fusion's kernels at several extents.
struct Ladder {
    rungs: Vec<Rung>,
}

struct Rung {
    extents: [f64; 3],
    /// Of the nests as kernels of their own.
    apart: f64,
    tiled: Vec<(Shape, f64)>,
}

impl Rung {
    fn of(ir: &Ir, search: &Search, fusion: &Fusion, figures: &Figures, extent: i64) -> Rung {
        let at = sizes(extent);
        let priced = search.priced(ir, &at);
        let tiled = priced.implementations(fusion, figures);
        let tiled = tiled
            .iter()
            .filter_map(|row| Some((row.1.shape()?, row.1.time)));
        Rung {
            extents: priced.extents(&fusion.group),
            apart: fusion
                .nests
                .iter()
                .map(|&nest| priced.alone(nest, figures).time)
                .sum(),
            tiled: tiled.collect(),
        }
    }

    /// The time of a shape, or of nests apart where it is worse than those.
    fn time(&self, shape: Shape) -> f64 {
        let time = self.tiled.iter().find(|row| row.0 == shape);
        time.map_or(self.apart, |row| row.1.min(self.apart))
    }

    /// Whole tiles of a shape; at least one.
    fn tiles(&self, shape: Shape) -> i64 {
        let [rows, columns, matrices] = self.extents;
        let of_rows = (rows / shape.rows() as f64).floor();
        let of_columns = (columns / shape.columns() as f64).floor();
        ((of_rows * of_columns * matrices) as i64).max(1)
    }
}

impl Ladder {
    fn of(ir: &Ir, search: &Search, number: usize, figures: &Figures) -> Ladder {
        let fusion = &search.fusions[number];
        let rung = |&extent: &i64| Rung::of(ir, search, fusion, figures, extent);
        let mut rungs: Vec<Rung> = LADDER.iter().map(rung).collect();
        // One is enough where sizes are constants.
        rungs.dedup_by(|next, rung| next.extents == rung.extents);
        Ladder { rungs }
    }

    /// The shapes that lose least against the best one at each extent, from large extents to small ones.
    fn versions(&self) -> Vec<Version> {
        let shapes: Vec<Shape> = self.rungs[0].tiled.iter().map(|row| row.0).collect();
        let loss = |taken: &[Shape]| -> f64 {
            let of = |rung: &Rung| {
                let least = |shapes: &[Shape]| {
                    let times = shapes.iter().map(|&shape| rung.time(shape));
                    times.fold(rung.apart, f64::min)
                };
                least(taken) / least(&shapes)
            };
            self.rungs.iter().map(of).sum()
        };
        let mut taken: Vec<Shape> = Vec::new();
        for _ in 0..MOST_VERSIONS {
            let with = |shape: Shape| loss(&[&taken[..], &[shape]].concat());
            let next = shapes.iter().map(|&shape| (with(shape), shape));
            let next = next.min_by(|x, y| x.0.total_cmp(&y.0));
            match next {
                // A version is worth its code where it spares a percent of a size's time.
                Some((with, shape)) if with + 0.01 < loss(&taken) => taken.push(shape),
                _ => break,
            }
        }
        let mut from: Vec<(usize, Version)> = Vec::new();
        for &shape in &taken {
            let is_best = |rung: &&Rung| {
                let time = rung.time(shape);
                time < rung.apart && taken.iter().all(|&other| time <= rung.time(other))
            };
            if let Some(at) = self.rungs.iter().position(|rung| is_best(&rung)) {
                let tiles = self.rungs[at].tiles(shape);
                from.push((
                    at,
                    Version {
                        name: "tiles",
                        shape,
                        tiles,
                    },
                ));
            }
        }
        from.sort_by_key(|row| std::cmp::Reverse(row.0));
        let several = from.len() > 1;
        let names = ["large", "small"]
            .into_iter()
            .map(|name| if several { name } else { "tiles" });
        from.iter()
            .zip(names)
            .map(|(row, name)| Version { name, ..row.1 })
            .collect()
    }

    /// A shape from the extent on at which it is better than nests apart; at the latest from one at which it is to run anyway.
    fn from(&self, shape: Shape, anyway: &Rung) -> Vec<Version> {
        let better = self.rungs.iter().find(|rung| rung.time(shape) < rung.apart);
        let tiles = better.map_or(i64::MAX, |rung| rung.tiles(shape));
        let tiles = tiles.min(anyway.tiles(shape));
        vec![Version {
            name: "tiles",
            shape,
            tiles,
        }]
    }
}
