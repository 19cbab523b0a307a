//! Which kernels of a block are compiled, and the sizes from which on each runs.
//!
//! The kernels are those of the combination that is predicted best where symbolic sizes are [`Wanted::extent`]. Which shape of tiles
//! a kernel has, if any, depends on sizes, so it gets at most two shapes, each from a number of whole tiles on: those shapes and
//! numbers that together are predicted to lose least at the extents of [`LADDER`]. The extent at which a shape begins is then looked
//! for between its first rung and the one before. Below all of them nests are kernels of their own. Where extents are constants there
//! is one size, and one version or none. Another combination than the best is compiled as it is, from the extent on at which its
//! kernels are predicted to be better than nests alone.
//!
//! Limits: matrices are taken to be square; the nests of a kernel are the same at all sizes.

use crate::traverse::cost::Sizes;
use crate::traverse::figures::Figures;
use crate::traverse::member::Kind;
use crate::traverse::search::{Fusion, Kernel, MapBlock, Search};
use crate::traverse::tile::Shape;
use segra_ir::Ir;
use std::collections::BTreeMap;
use std::ops::Range;

/// Extents that symbolic sizes are taken to have, one after another.
const LADDER: [i64; 15] = [
    64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192,
];

/// How often the extents between two rungs are halved: to a sixteenth of what the two are apart.
const HALVINGS: usize = 4;

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

/// A kernel of the combination.
pub(super) struct WantedKernel {
    /// The number of the fusion.
    pub(super) fusion: usize,
    pub(super) form: Form,
    /// Maps of what tiles combine, by number of the nest.
    pub(super) followers: Vec<usize>,
}

/// The kernels of several tiles or nests.
pub(super) fn wanted(ir: &Ir, search: &Search, wanted: &Wanted<'_>) -> Vec<WantedKernel> {
    if search.fusions.is_empty() {
        return Vec::new();
    }
    let at = sizes(wanted.extent);
    let mut space = search.priced(ir, &at).explore(wanted.figures);
    if wanted.rank == 0 {
        space.retain_best();
    }
    // The last one where there are fewer: of several blocks of a program, some may have few.
    let combination = space.combinations().take(wanted.rank.max(1)).last();
    let Some(combination) = combination else {
        return Vec::new();
    };
    let joined = combination.joined.iter();
    let of_tiles: Vec<(usize, usize)> = joined
        .copied()
        .filter(|&(rows, _)| space.kernels[rows].tile.is_some())
        .collect();
    let mut found = Vec::new();
    for &number in &combination.kernels {
        if of_tiles.iter().any(|pair| pair.1 == number) {
            continue;
        }
        let kernel = &space.kernels[number];
        let nests = kernel.nests();
        if kernel.shape().is_none() && kernel.block.is_none() && nests.len() == 1 {
            continue;
        }
        let mut fusions = search.fusions.iter();
        let Some(fusion) = fusions.position(|fusion| fusion.nests == nests) else {
            continue;
        };
        let Some(shape) = kernel.shape() else {
            found.push(WantedKernel {
                fusion,
                form: Form::Nest(kernel.block),
                followers: Vec::new(),
            });
            continue;
        };
        let map = of_tiles.iter().find(|pair| pair.0 == number);
        let followers = map.map_or(Vec::new(), |pair| space.kernels[pair.1].nests());
        let mapped = map.and_then(|&pair| space.mapped(pair));
        let ladder = Ladder::of(ir, search, (fusion, mapped), wanted.figures);
        let versions = match wanted.rank {
            0 => ladder.versions(),
            _ => ladder.from(shape, &ladder.rung(wanted.extent)),
        };
        found.push(WantedKernel {
            fusion,
            form: Form::Tiles(versions),
            followers,
        });
    }
    found
}

/// Shapes of tiles, each from a rung on, the last rung first.
struct Taken {
    /// Times against the least of each extent, summed up.
    loss: f64,
    shapes: Vec<(usize, Shape)>,
}

impl Taken {
    /// Puts the one that loses less in the place of another.
    fn less(best: &mut Option<Taken>, other: Taken) {
        if best.as_ref().is_none_or(|best| other.loss < best.loss) {
            *best = Some(other);
        }
    }
}

/// The times of a fusion's kernels at several extents.
struct Ladder<'a> {
    ir: &'a Ir,
    search: &'a Search,
    fusion: &'a Fusion,
    /// The kind of results that a map becomes part of the kernel for, which combines their parts.
    mapped: Option<Kind>,
    figures: &'a Figures,
    rungs: Vec<Rung>,
}

struct Rung {
    /// Of symbolic sizes.
    extent: i64,
    extents: [f64; 3],
    /// Of the nests as kernels of their own.
    apart: f64,
    tiled: Vec<(Shape, f64)>,
}

impl Rung {
    fn of(ladder: &Ladder<'_>, extent: i64) -> Rung {
        let Ladder {
            ir,
            search,
            fusion,
            figures,
            ..
        } = *ladder;
        let at = sizes(extent);
        let priced = search.priced(ir, &at);
        let tiled = priced.implementations(fusion, figures);
        let spared = |kernel: &Kernel| match ladder.mapped {
            Some(kind) if kernel.in_blocks.contains(&kind) => figures.launch,
            _ => 0.0,
        };
        let tiled = tiled.iter().filter_map(|(_, kernel)| {
            let time = kernel.time - spared(kernel);
            Some((kernel.shape()?, time))
        });
        Rung {
            extent,
            extents: priced.extents(&fusion.group),
            apart: fusion
                .nests
                .iter()
                .map(|&nest| priced.alone(nest, figures).time)
                .sum(),
            tiled: tiled.collect(),
        }
    }

    /// The time of a shape; of nests apart where it is none here.
    fn time(&self, shape: Shape) -> f64 {
        let time = self.tiled.iter().find(|row| row.0 == shape);
        time.map_or(self.apart, |row| row.1)
    }

    /// The least time, of any shape or of nests apart.
    fn least(&self) -> f64 {
        let times = self.tiled.iter().map(|row| row.1);
        times.fold(self.apart, f64::min)
    }

    /// Whole tiles of a shape; at least one.
    fn tiles(&self, shape: Shape) -> i64 {
        whole_tiles(self.extents, shape)
    }
}

/// Whole tiles of a shape in matrices of some rows and columns; at least one.
fn whole_tiles([rows, columns, matrices]: [f64; 3], shape: Shape) -> i64 {
    let of_rows = (rows / shape.rows() as f64).floor();
    let of_columns = (columns / shape.columns() as f64).floor();
    ((of_rows * of_columns * matrices) as i64).max(1)
}

impl<'a> Ladder<'a> {
    fn of(
        ir: &'a Ir,
        search: &'a Search,
        (number, mapped): (usize, Option<Kind>),
        figures: &'a Figures,
    ) -> Ladder<'a> {
        let mut ladder = Ladder {
            ir,
            search,
            fusion: &search.fusions[number],
            mapped,
            figures,
            rungs: Vec::new(),
        };
        let rungs = LADDER.iter().map(|&extent| ladder.rung(extent));
        let mut rungs: Vec<Rung> = rungs.collect();
        // One is enough where sizes are constants.
        rungs.dedup_by(|next, rung| next.extents == rung.extents);
        ladder.rungs = rungs;
        ladder
    }

    fn rung(&self, extent: i64) -> Rung {
        Rung::of(self, extent)
    }

    /// From how many whole tiles on a shape runs that is taken from this rung on: the fewest, by halving, at which it is better than
    /// what runs below, another shape or nests apart.
    fn start(&self, at: usize, shape: Shape, below: Option<Shape>) -> i64 {
        let to = &self.rungs[at];
        let tiles = to.tiles(shape);
        let Some(before) = at.checked_sub(1) else {
            return tiles;
        };
        let is_better = |rung: &Rung| {
            let other = below.map_or(rung.apart, |below| rung.time(below));
            rung.time(shape) < other
        };
        let (mut from, mut to) = (self.rungs[before].extent, to.extent);
        for _ in 0..HALVINGS {
            let between = (from + to) / 2;
            match is_better(&self.rung(between)) {
                true => to = between,
                false => from = between,
            }
        }
        // The least extent of as many whole tiles.
        let tiles = self.rung(to).tiles(shape);
        let mut first = to;
        while first - from > 1 {
            let between = (from + first) / 2;
            match self.tiles(between, shape) < tiles {
                true => from = between,
                false => first = between,
            }
        }
        match first == to || is_better(&self.rung(first)) {
            true => tiles,
            false => tiles + 1,
        }
    }

    /// Whole tiles at an extent.
    fn tiles(&self, extent: i64, shape: Shape) -> i64 {
        let at = sizes(extent);
        let priced = self.search.priced(self.ir, &at);
        whole_tiles(priced.extents(&self.fusion.group), shape)
    }

    /// The shapes that lose least against the best one at each extent, from large extents to small ones: nests apart below the
    /// first extent of the small one, which runs up to the first one of the large one.
    fn versions(&self) -> Vec<Version> {
        let end = self.rungs.len();
        let apart = |range: Range<usize>| -> f64 {
            let rungs = self.rungs[range].iter();
            rungs.map(|rung| rung.apart / rung.least()).sum()
        };
        let mut best = Taken {
            loss: apart(0..end),
            shapes: Vec::new(),
        };
        let mut one: Option<Taken> = None;
        let mut two: Option<Taken> = None;
        for large in 0..end {
            let Some((of_large, shape)) = self.best(large..end) else {
                continue;
            };
            let alone = Taken {
                loss: apart(0..large) + of_large,
                shapes: vec![(large, shape)],
            };
            Taken::less(&mut one, alone);
            for small in 0..large {
                if let Some((of_small, other)) = self.best(small..large) {
                    let both = Taken {
                        loss: apart(0..small) + of_small + of_large,
                        shapes: vec![(large, shape), (small, other)],
                    };
                    Taken::less(&mut two, both);
                }
            }
        }
        // A version is worth its code where it spares a percent of a size's time.
        for more in [one, two].into_iter().flatten() {
            let price = 0.01 * (more.shapes.len() - best.shapes.len()) as f64;
            if more.loss + price < best.loss {
                best = more;
            }
        }
        let names: &[&str] = match best.shapes.len() {
            1 => &["tiles"],
            _ => &["large", "small"],
        };
        let below = |number: usize| best.shapes.get(number + 1).map(|row| row.1);
        let rows = best.shapes.iter().zip(names).enumerate();
        rows.map(|(number, (&(at, shape), &name))| Version {
            name,
            shape,
            tiles: self.start(at, shape, below(number)),
        })
        .collect()
    }

    /// The shape that loses least at some of the extents, with what it loses.
    fn best(&self, range: Range<usize>) -> Option<(f64, Shape)> {
        let rungs = &self.rungs[range];
        let shapes = self.rungs[0].tiled.iter().map(|row| row.0);
        let loss = |shape: Shape| -> f64 {
            let losses = rungs.iter().map(|rung| rung.time(shape) / rung.least());
            losses.sum()
        };
        let losses = shapes.map(|shape| (loss(shape), shape));
        losses.min_by(|x, y| x.0.total_cmp(&y.0))
    }

    /// A shape from the extent on at which it is better than nests apart; at the latest from one at which it is to run anyway.
    fn from(&self, shape: Shape, anyway: &Rung) -> Vec<Version> {
        let is_better = |rung: &Rung| rung.time(shape) < rung.apart;
        let better = self.rungs.iter().position(is_better);
        let tiles = better.map_or(i64::MAX, |at| self.start(at, shape, None));
        let tiles = tiles.min(anyway.tiles(shape));
        vec![Version {
            name: "tiles",
            shape,
            tiles,
        }]
    }
}
