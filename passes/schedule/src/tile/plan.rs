//! Which segmaps are tiled, and along how many dimensions.

use crate::tile::Refusal;
use crate::tile::chunk::counts_from_zero;
use crate::tile::distribute::check_parts;
use crate::tile::stage::{shared_read, variance};
use crate::tile::variance::{Indices, Variance};
use segra_ir::interfaces::is_pure;
use segra_ir::{Ir, OpView, Value};
use segra_kernel::access::ReadOp;
use segra_kernel::level::Level;
use segra_kernel::segop::SegMapOp;
use segra_std::scf::ForOp;

/// Extents of tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiles {
    /// Points of a tile along the second innermost and the innermost dimension, where both are tiled.
    pub plane: [i64; 2],
    /// Steps of a loop at a time, where both are.
    pub depth: i64,
    /// Points of a tile, and steps of a loop at a time, where only the innermost dimension is tiled.
    pub line: i64,
}

impl Tiles {
    /// Extents along the tiled dimensions, outermost first.
    pub fn extents(&self, dimensions: usize) -> &[i64] {
        if dimensions == 2 {
            &self.plane
        } else {
            std::slice::from_ref(&self.line)
        }
    }
    /// Steps of a loop at a time.
    pub fn steps(&self, dimensions: usize) -> i64 {
        if dimensions == 2 {
            self.depth
        } else {
            self.line
        }
    }
}

/// The loops directly in the body of a segmap.
fn loops(ir: &Ir, segmap: SegMapOp) -> Vec<ForOp> {
    ir.ops(segmap.body_block(ir))
        .filter_map(|op| ir.cast::<ForOp>(op))
        .collect()
}

/// The next loop directly in a segmap of a thread block's that reads what several of its points read.
pub(crate) fn next_loop(ir: &Ir, segmap: SegMapOp) -> Option<ForOp> {
    let points = segmap.sizes(ir).len();
    loops(ir, segmap).into_iter().find(|&looped| {
        check_loop(ir, segmap, looped, points).is_ok() && !shared(ir, segmap, looped).is_empty()
    })
}

/// On which of the segmap's indices the reads of a loop depend that not all of its points do by themselves.
fn shared(ir: &Ir, segmap: SegMapOp, looped: ForOp) -> Vec<Indices> {
    let body = segmap.body_block(ir);
    let variance = variance(ir, body, looped);
    let points = ir.block_args(body).len();
    let reads = ir
        .ops(looped.region_block(ir))
        .filter_map(|op| ir.cast::<ReadOp>(op));
    reads
        .filter_map(|read| shared_read(ir, &variance, points, read))
        .collect()
}

/// How many of the innermost dimensions are tiled: two, or one.
///
/// # Errors
/// Why the segmap is not tiled.
pub fn plan(ir: &Ir, segmap: SegMapOp, tiles: &Tiles) -> Result<usize, Refusal> {
    let refuse = |reason: &str| Err(Refusal::new(segmap.op(), reason));
    if segmap.level(ir) != Level::Thread || segmap.mapping_attr(ir).is_some() {
        return refuse("is not run by threads, or has a mapping of its own");
    }
    let returned = crate::tile::strip::returned(ir, segmap);
    if returned.is_empty()
        || returned
            .iter()
            .any(|&value| !ir.value_type(value).is_scalar(ir.ctx()))
    {
        return refuse("returns arrays, or nothing");
    }
    let sizes = segmap.sizes(ir);
    let points = sizes.len();
    let mut reason = Refusal::new(
        segmap.op(),
        "has no loop in which several points read the same elements",
    );
    for dimensions in [2, 1] {
        if dimensions > points {
            continue;
        }
        // The outermost of the tiled dimensions has to have something that is the same along it.
        let along = points - dimensions;
        for looped in loops(ir, segmap) {
            if let Err(refusal) = check_loop(ir, segmap, looped, dimensions) {
                reason = refusal;
                continue;
            }
            if !shared(ir, segmap, looped)
                .iter()
                .any(|read| !read.contains(along))
            {
                continue;
            }
            if let Some(at) = too_small(ir, &sizes[along..], tiles.extents(dimensions)) {
                reason = Refusal::new(
                    segmap.op(),
                    format!("has only {at} points along a dimension of tiles"),
                );
                continue;
            }
            if let Some(steps) =
                too_small(ir, &[looped.upper_bound(ir)], &[tiles.steps(dimensions)])
            {
                reason = Refusal::new(looped.op(), format!("has a loop of only {steps} steps"));
                continue;
            }
            return Ok(dimensions);
        }
    }
    Err(reason)
}

/// An extent that is a constant, and less than a tile.
fn too_small(ir: &Ir, sizes: &[Value], tiles: &[i64]) -> Option<i64> {
    let known = |size: Value| ir.constant_int(size);
    sizes
        .iter()
        .zip(tiles)
        .find_map(|(&size, &tile)| known(size).filter(|&known| known < tile))
}

/// Whether the steps of tiling apply to a loop, its innermost `dimensions` being those of a tile.
fn check_loop(ir: &Ir, segmap: SegMapOp, looped: ForOp, dimensions: usize) -> Result<(), Refusal> {
    if !counts_from_zero(ir, looped) {
        return Err(Refusal::new(
            looped.op(),
            "has a loop that does not count from 0 by ones",
        ));
    }
    let body = segmap.body_block(ir);
    check_parts(ir, body, looped)?;
    let args = ir.block_args(body);
    let tiled = &args[args.len() - dimensions..];
    let variance = Variance::of(ir, body, tiled);
    if !variance.get(looped.upper_bound(ir)).is_empty() {
        return Err(Refusal::new(
            looped.op(),
            "has a loop whose bounds differ between points",
        ));
    }
    let mut pending = vec![looped.upper_bound(ir)];
    while let Some(value) = pending.pop() {
        let Some(op) = ir
            .defining_op(value)
            .filter(|&op| ir.block_of(op) == Some(body))
        else {
            continue;
        };
        if !is_pure(ir, op) || !ir.regions(op).is_empty() {
            return Err(Refusal::new(
                op,
                "has a loop whose bounds are read at each point",
            ));
        }
        pending.extend(ir.operands(op));
    }
    Ok(())
}
