//! Hardware limits on the extents of a launch.
//!
//! Source: index-space combinators paper, sections 1 and 5.2 (3 + 3 dimensions, a maximal block), with the figures of
//! NVIDIA's programming guide for compute capability 3.0 and later. The paper's compiler runs into a run-time error
//! where a limit is exceeded; here a violation that the ranges prove is an error, and what only run time can tell
//! comes back as conditions to test before the launch.

use crate::expr::{Arena, Expr};
use std::fmt;

/// Which part of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// Thread blocks of the grid.
    Grid,
    /// Threads of a block.
    Block,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Grid { "grid" } else { "block" })
    }
}

/// Largest extents of a launch, in the order x, y, z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HardwareLimits {
    /// Thread blocks per grid dimension.
    pub grid: [i64; 3],
    /// Threads per block dimension.
    pub block: [i64; 3],
    /// Threads per block.
    pub block_threads: i64,
}

impl HardwareLimits {
    /// Every CUDA device since compute capability 3.0.
    pub const CUDA: Self = Self {
        grid: [(1 << 31) - 1, 65535, 65535],
        block: [1024, 1024, 64],
        block_threads: 1024,
    };

    /// Conditions under which a launch of these extents (order x, y, z) is within the limits; empty if it always is.
    /// They concern a launch that is performed; one without threads is not (see [`crate::Mapping::is_empty`]).
    ///
    /// # Errors
    /// The ranges prove that an extent is too large.
    pub fn check(
        &self,
        arena: &mut Arena,
        grid: &[Expr; 3],
        block: &[Expr; 3],
    ) -> Result<Vec<LaunchCondition>, LimitError> {
        let mut conditions = Vec::new();
        for axis in 0..3 {
            let name = ["x", "y", "z"][axis];
            require(
                arena,
                grid[axis],
                self.grid[axis],
                (Level::Grid, name),
                &mut conditions,
            )?;
            require(
                arena,
                block[axis],
                self.block[axis],
                (Level::Block, name),
                &mut conditions,
            )?;
        }
        let threads = arena.product(block);
        require(
            arena,
            threads,
            self.block_threads,
            (Level::Block, "size"),
            &mut conditions,
        )?;
        Ok(conditions)
    }
}

fn require(
    arena: &mut Arena,
    extent: Expr,
    limit: i64,
    (level, axis): (Level, &'static str),
    conditions: &mut Vec<LaunchCondition>,
) -> Result<(), LimitError> {
    let bound = arena.int(limit);
    let within = arena.less_equal(extent, bound);
    match arena.as_bool(within) {
        Some(true) => {}
        Some(false) => {
            return Err(LimitError {
                level,
                axis,
                extent: arena.display(extent).to_string(),
                limit,
            });
        }
        None if conditions.iter().any(|known| known.within == within) => {}
        None => conditions.push(LaunchCondition {
            within,
            level,
            axis,
            extent,
            limit,
        }),
    }
    Ok(())
}

/// A condition that only run time can decide of a launch: an extent must be within a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchCondition {
    /// Holds where the extent is within the limit.
    pub within: Expr,
    /// Grid or block.
    pub level: Level,
    /// `x`, `y`, `z`, or `size` for the product.
    pub axis: &'static str,
    /// The extent.
    pub extent: Expr,
    /// Largest allowed value.
    pub limit: i64,
}

/// A launch that the hardware refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{level} {axis} is `{extent}`, the hardware allows at most {limit}")]
pub struct LimitError {
    /// Grid or block.
    pub level: Level,
    /// `x`, `y`, `z`, or `size` for the product.
    pub axis: &'static str,
    /// As text.
    pub extent: String,
    /// Largest allowed value.
    pub limit: i64,
}
