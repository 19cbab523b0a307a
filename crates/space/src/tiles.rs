//! Tiles that stencils run in: the points of a thread and the threads of a block, largest first.
//!
//! A tile's points read their neighbours from shared memory, and a thread's points read what they share once, so both are as
//! large as what is read around them fits. Which one it is, `schedule-stencils` decides; fusion asks before it how often a
//! tile's thread computes an element that several of its points read.
//!
//! Deliberately absent: bytes of shared memory, which depend on the arrays.

/// Ops of a thread's code at most: longer ones take compilers seconds.
pub const MOST_TILE_OPS: usize = 8192;

/// Elements that a point shares with others, at least: fewer are as cheap to read where they are.
pub const FEWEST_SHARED: usize = 3;

/// A tile, by dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StencilTile {
    /// Points of a thread.
    pub points: Vec<i64>,
    /// Threads of a block.
    pub threads: Vec<i64>,
}

impl StencilTile {
    /// Points of a block.
    pub fn extents(&self) -> Vec<i64> {
        let both = self.points.iter().zip(&self.threads);
        both.map(|(points, threads)| points * threads).collect()
    }

    /// Points of a thread, of all dimensions.
    pub fn count(&self) -> usize {
        usize::try_from(self.points.iter().product::<i64>()).unwrap_or(usize::MAX)
    }

    /// Whether a thread's code for bodies of so many ops, with elements of 8 bytes or none, is short enough.
    pub fn is_short(&self, ops: usize, wide: bool) -> bool {
        let count = self.count();
        count == 1 || count.saturating_mul(ops) <= MOST_TILE_OPS && !(wide && count > 16)
    }
}

/// The tiles of so many dimensions, largest first; none without dimensions.
///
/// ```
/// # use segra_space::stencil_tiles;
/// assert_eq!(stencil_tiles(2)[0].extents(), [64, 128]);
/// ```
pub fn stencil_tiles(rank: usize) -> Vec<StencilTile> {
    let tile = |points: &[i64], threads: &[i64]| StencilTile {
        points: points.to_vec(),
        threads: threads.to_vec(),
    };
    match rank {
        0 => Vec::new(),
        1 => [8, 4, 2, 1]
            .iter()
            .map(|&points| tile(&[points], &[256]))
            .collect(),
        2 => [[8, 4], [4, 4], [4, 2], [2, 1], [1, 1]]
            .iter()
            .map(|points| tile(points, &[8, 32]))
            .collect(),
        3 => [[8, 1, 1], [4, 1, 1], [2, 1, 1], [1, 1, 1]]
            .iter()
            .map(|points| tile(points, &[1, 8, 32]))
            .collect(),
        _ => {
            let (mut points, mut threads) = (vec![2; rank], vec![1; rank]);
            points[rank - 1] = 1;
            threads[rank - 1] = 32;
            threads[rank - 2] = 4;
            threads[rank - 3] = 2;
            vec![tile(&points, &threads)]
        }
    }
}
