//! Shapes of the largest tiles of a product, as `segra tune --tiles` searches them.
//!
//! "Teaching the Futhark compiler block and register tiled matrix multiplication" (2020), 4.2: tiles are searched among threads and
//! steps of {12, 16, 24, 32} and points of {4, 6, 8, 12}, 1024 in all, each of which is compiled and run. Here shapes that no device
//! runs, or whose sums do not fit registers, are left out, and the rest is ranked by [`TileShape::cost`], so that few are compiled.
//! The thesis' own optimum on a GTX 780 Ti, 2 by 2 points, lies outside of the space that it states: points of 2 are in this one.

use segra_space::Target;
use std::fmt;
use std::str::FromStr;

/// Extents of thread blocks, and steps at a time, of the space.
const EXTENTS: [i64; 4] = [12, 16, 24, 32];
/// Points of a thread along a dimension.
const POINTS: [i64; 5] = [2, 4, 6, 8, 12];

/// Registers of a thread.
const REGISTERS: i64 = 255;
/// Those of a thread beside its sums and what it reads of either matrix, which is there twice: 165 of 8 by 8 points are
/// used (ptxas 12.9), 64 of them for sums.
const OTHER_REGISTERS: i64 = 69;
/// Registers of a multiprocessor, and bytes of its shared memory that tiles take, sm_80 and sm_90.
const ALL_REGISTERS: i64 = 65536;
const ALL_SHARED: i64 = 160 << 10;
/// Warps of a multiprocessor that hide the latency of multiply-adds of several sums: 4 schedulers, 2 each.
const WARPS: f64 = 8.0;
/// Bytes of copies in the time of a multiply-add of all lanes of a multiprocessor: 5.5 TB/s of an H100's L2 cache, 33 T/s.
const BYTES: f64 = 0.16;
/// Multiprocessors of a large device.
const MULTIPROCESSORS: f64 = 128.0;
/// Instructions of a step of tiles beside multiply-adds, reads and copies.
const OF_STEP: f64 = 40.0;
/// Bytes of an element.
const ELEMENT: i64 = 4;

/// A shape of tiles: a thread block has `threads[0]` by `threads[1]` threads of `points[0]` by `points[1]` points each, and copies
/// so many steps of the loop at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileShape {
    /// Along the rows and the columns.
    pub threads: [i64; 2],
    /// Points of a thread along them.
    pub points: [i64; 2],
    /// Steps of the loop at a time, of elements of 4 bytes; twice as many of narrower ones.
    pub steps: i64,
}

impl TileShape {
    /// The shapes of the space that devices run, for nests of so many points, from the one of least [`Self::cost`] on.
    pub fn ranked(points: Option<i64>) -> Vec<TileShape> {
        let mut all: Vec<TileShape> = TileShape::space().filter(TileShape::runs).collect();
        // Equal ones in the order of the space.
        all.sort_by(|x, y| x.cost(points).total_cmp(&y.cost(points)));
        all
    }

    /// All shapes of the space.
    pub fn space() -> impl Iterator<Item = TileShape> {
        let pairs =
            |all: &'static [i64]| all.iter().flat_map(|&y| all.iter().map(move |&x| [y, x]));
        pairs(&EXTENTS).flat_map(move |threads| {
            pairs(&POINTS).flat_map(move |points| {
                EXTENTS.iter().map(move |&steps| TileShape {
                    threads,
                    points,
                    steps,
                })
            })
        })
    }

    /// Points of a tile along the rows and the columns.
    pub fn tile(&self) -> [i64; 2] {
        [0, 1].map(|dim| self.threads[dim].saturating_mul(self.points[dim]))
    }

    /// Why no nest has such tiles, if so.
    pub fn fault(&self) -> Option<String> {
        let most = Target::CUDA.launch.block_threads;
        let numbers = [self.threads, self.points].concat();
        if numbers.iter().any(|&it| it < 1) || self.steps < 1 {
            return Some("threads, points and steps are at least 1".to_owned());
        }
        let threads = self.threads[0].checked_mul(self.threads[1]);
        let sums = self.points[0].checked_mul(self.points[1]);
        if threads.is_none_or(|threads| threads > most) {
            return Some(format!("a thread block has at most {most} threads"));
        }
        if sums.is_none_or(|sums| sums > REGISTERS) {
            return Some(format!(
                "a thread has at most {REGISTERS} registers for its points"
            ));
        }
        (self.steps > most).then(|| format!("there are at most {most} steps at a time"))
    }

    /// Whether a device runs it: with two tiles of copies in the shared memory that a block gets without asking, and registers
    /// for all threads.
    fn runs(&self) -> bool {
        let threads = self.threads[0] * self.threads[1];
        self.fault().is_none()
            && self.registers() <= REGISTERS
            && self.registers() * threads <= ALL_REGISTERS
            && self.shared() <= Target::CUDA.shared_bytes
    }

    /// Registers of a thread, about.
    fn registers(&self) -> i64 {
        let [y, x] = self.points;
        y * x + 2 * (y + x) + OTHER_REGISTERS
    }

    /// Bytes of shared memory of a block: two slices of either matrix.
    fn shared(&self) -> i64 {
        let [y, x] = self.tile();
        2 * ELEMENT * self.steps * (y + x)
    }

    /// The time of a multiply-add, predicted, where one of nothing else is 1: instructions, or what is copied of either
    /// matrix, whichever takes longer; more where too few warps are there to hide latencies, and, of a nest of so many points,
    /// where multiprocessors have nothing to do. Lower is better.
    pub fn cost(&self, points: Option<i64>) -> f64 {
        let [[rows, columns], [y, x]] = [self.tile(), self.points];
        let threads = self.threads[0] * self.threads[1];
        let whole = (threads as u64).next_multiple_of(Target::CUDA.warp as u64) as f64;
        let sums = (y * x) as f64;
        // Four elements at a time; three instructions for a copy of four.
        let quarters = |count: i64| (count as u64).div_ceil(4) as f64;
        let read = quarters(y) + quarters(x);
        let copied = 3.0 * (rows + columns) as f64 / (4 * threads) as f64;
        let of_step = OF_STEP / self.steps as f64;
        let instructions = (sums + read + copied + of_step) / sums * whole / threads as f64;
        let bytes = ELEMENT as f64 * (1.0 / rows as f64 + 1.0 / columns as f64);
        let resident =
            (ALL_REGISTERS / (self.registers() * threads)).min(ALL_SHARED / self.shared());
        let (mut resident, mut idle) = (resident as f64, 1.0);
        if let Some(points) = points {
            let tiles = (points as f64 / (rows * columns) as f64).ceil().max(1.0);
            let each = (tiles / MULTIPROCESSORS).ceil();
            resident = each.min(resident);
            idle = each * MULTIPROCESSORS / tiles;
        }
        let warps = resident * whole / Target::CUDA.warp as f64;
        instructions.max(bytes / BYTES) * (WARPS / warps).max(1.0) * idle
    }
}

impl fmt::Display for TileShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([ty, tx], [ry, rx]) = (self.threads, self.points);
        write!(f, "{ty}x{tx}x{ry}x{rx}x{}", self.steps)
    }
}

impl FromStr for TileShape {
    type Err = String;
    /// `TYxTXxRYxRXxTK`: threads and points along rows and columns, and steps.
    fn from_str(text: &str) -> Result<TileShape, String> {
        let numbers: Option<Vec<i64>> = text.split('x').map(|it| it.trim().parse().ok()).collect();
        let Some(&[ty, tx, ry, rx, steps]) = numbers.as_deref() else {
            return Err(format!(
                "`{text}` is no shape of tiles, as `16x16x8x8x16`: threads and points along rows and columns, and steps"
            ));
        };
        let shape = TileShape {
            threads: [ty, tx],
            points: [ry, rx],
            steps,
        };
        match shape.fault() {
            None => Ok(shape),
            Some(fault) => Err(format!("`{text}`: {fault}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TileShape;

    #[test]
    fn the_space_has_the_shapes_of_the_thesis_and_points_of_two() {
        let all: Vec<TileShape> = TileShape::space().collect();
        assert_eq!(all.len(), 4 * 4 * 4 * 5 * 5);
        let of_thesis = all.iter().filter(|shape| !shape.points.contains(&2));
        assert_eq!(of_thesis.count(), 1024);
        for shape in &all {
            assert_eq!(shape.to_string().parse(), Ok(*shape));
        }
    }

    #[test]
    fn what_no_device_runs_is_not_ranked() {
        let ranked = TileShape::ranked(None);
        for shape in &ranked {
            let [rows, columns] = shape.tile();
            assert!(
                2 * 4 * shape.steps * (rows + columns) <= 48 << 10,
                "{shape}"
            );
            let threads = shape.threads[0] * shape.threads[1];
            let [y, x] = shape.points;
            assert!(threads <= 1024 && threads * y * x < 65536, "{shape}");
        }
        // 32 by 32 threads of 12 by 12 points have 147456 sums.
        let most: TileShape = "32x32x12x12x16".parse().expect("it is one");
        assert!(!ranked.contains(&most) && TileShape::space().any(|shape| shape == most));
        let least = ranked.first().expect("some run").cost(None);
        assert!(ranked.iter().all(|shape| shape.cost(None) >= least));
    }

    #[test]
    fn few_points_ask_for_small_tiles() {
        let tile = |points| {
            let [rows, columns] = TileShape::ranked(Some(points))[0].tile();
            rows * columns
        };
        let sizes = [1 << 16, 1 << 20, 1 << 24].map(tile);
        assert!(sizes.is_sorted() && 2 * sizes[0] < sizes[2], "{sizes:?}");
        // Those of the compiler's own choice for a product of 1024 by 1024, about.
        assert!((48 * 48..=96 * 96).contains(&sizes[1]), "{sizes:?}");
    }

    #[test]
    fn what_is_no_shape_is_said() {
        for (text, part) in [
            ("", "no shape of tiles"),
            ("16x16x8x8", "no shape of tiles"),
            ("16x16x8x8x16x1", "no shape of tiles"),
            ("16xax8x8x16", "no shape of tiles"),
            ("0x16x8x8x16", "at least 1"),
            ("16x16x8x-8x16", "at least 1"),
            ("64x32x1x1x16", "at most 1024 threads"),
            ("16x16x16x16x16", "at most 255 registers"),
            ("16x16x8x8x99999999999", "at most 1024 steps"),
            (
                "9223372036854775807x9223372036854775807x1x1x1",
                "at most 1024 threads",
            ),
        ] {
            let error = text.parse::<TileShape>().expect_err(text);
            assert!(error.contains(part), "{error}");
        }
    }
}
