//! Which segmaps are tiled, and along how many dimensions.

use crate::tile::Refusal;
use crate::tile::chunk::counts_from_zero;
use crate::tile::distribute::check_parts;
use crate::tile::stage::{shared_read, variance};
use crate::tile::variance::{Indices, Variance};
use segra_ir::interfaces::is_pure;
use segra_ir::{Ir, Op, OpView, Value};
use segra_kernel::access::ReadOp;
use segra_kernel::level::Level;
use segra_kernel::segop::SegMapOp;
use segra_space::{Depth, Schedule, ScheduleFault, Step, Strips, Target};
use segra_std::scf::ForOp;

/// Extents of tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiles {
    /// Points of a tile along the second innermost and the innermost dimension, where both are tiled.
    pub plane: [i64; 2],
    /// Points of them that a thread has, where both are tiled.
    pub registers: [i64; 2],
    /// Steps of a loop at a time, where both are.
    pub depth: i64,
    /// Points of a tile, and steps of a loop at a time, where only the innermost dimension is tiled.
    pub line: i64,
    /// Tiles of what is copied that are there at a time.
    pub stages: i64,
}

impl Tiles {
    /// The fault of the options: the option's name and what it must be.
    pub fn fault(&self) -> Option<String> {
        let (warp, most) = (Target::CUDA.warp, Target::CUDA.launch.block_threads);
        let divided = self.plane.iter().zip(&self.registers);
        for (name, (&tile, &points)) in ["registers-y", "registers-x"].into_iter().zip(divided) {
            if points < 1 || tile % points != 0 {
                return Some(format!(
                    "option {name}: must divide the tile's {tile} points"
                ));
            }
        }
        let threads = self
            .plane
            .iter()
            .zip(&self.registers)
            .map(|row| row.0 / row.1);
        let threads = threads.collect::<Vec<_>>();
        for (what, extents) in [
            (
                "tile-y times tile-x, by the points of a thread",
                &threads[..],
            ),
            ("tile", &[self.line]),
        ] {
            let all = extents
                .iter()
                .try_fold(1i64, |all, &extent| all.checked_mul(extent.max(0)));
            if !all.is_some_and(|all| Target::CUDA.has_block_of(all)) {
                return Some(format!(
                    "option {what}: must be a multiple of {warp} up to {most}"
                ));
            }
        }
        (self.depth < 1).then(|| "option tile-k: must be at least 1".to_owned())
    }
    /// Extents along the tiled dimensions, outermost first.
    pub fn extents(&self, dimensions: usize) -> &[i64] {
        if dimensions == 2 {
            &self.plane
        } else {
            std::slice::from_ref(&self.line)
        }
    }
    /// The schedule for nests of which so many of the innermost dimensions are tiled. `along`: along which of them rows of
    /// the arrays that are read lie.
    ///
    /// # Errors
    /// The extents are those of no schedule.
    pub fn schedule(&self, dimensions: usize, along: [bool; 2]) -> Result<Schedule, ScheduleFault> {
        let held = dimensions == 2 && self.registers.iter().any(|&count| count > 1);
        let registers = if held {
            self.registers.to_vec()
        } else {
            Vec::new()
        };
        let mut steps = vec![
            Step::Stripmine(Strips {
                tiles: self.extents(dimensions).to_vec(),
                runs: runs(&registers, along),
                registers,
            }),
            Step::Peel(self.steps(dimensions)),
            Step::Chunk(self.steps(dimensions)),
            Step::Distribute,
            Step::Interchange,
            Step::Stage,
        ];
        if self.stages > 1 {
            steps.push(Step::Pipeline(Depth::AtMost(self.stages)));
        }
        steps.push(Step::Repeat);
        Schedule::new(steps)
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

/// Runs of the points of a thread, along two dimensions: neighbouring points along a dimension that rows of arrays lie
/// along are one access, of up to four.
fn runs(counts: &[i64], along: [bool; 2]) -> Vec<i64> {
    let run = |count: i64| [4, 2, 1].into_iter().find(|run| count % run == 0);
    let rows = counts.iter().zip(along);
    rows.map(|(&count, along)| run(count).filter(|_| along).unwrap_or(1))
        .collect()
}

/// As [`runs`], for a segmap whose innermost dimensions are to be tiled; where those are not two, all points lie apart.
pub(crate) fn runs_for(ir: &Ir, segmap: SegMapOp, counts: &[i64]) -> Vec<i64> {
    let looped = (counts.len() == 2).then(|| next_loop(ir, segmap)).flatten();
    match looped {
        Some(looped) => runs(counts, rows_along(ir, segmap, looped)),
        None => vec![1; counts.len()],
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
    let points = segmap.sizes(ir).len();
    let mut reason = Refusal::new(
        segmap.op(),
        "has no loop in which several points read the same elements",
    );
    for dimensions in (1..=points.min(2)).rev() {
        match tiled_loop(ir, segmap, tiles, dimensions) {
            Ok(Some(_)) => return Ok(dimensions),
            Ok(None) => {}
            Err(refusal) => reason = refusal,
        }
    }
    Err(reason)
}

/// The first loop that is tiled, along the innermost `dimensions`; none where no points read the same in any.
///
/// # Errors
/// Why one in which points do so is not.
pub(crate) fn tiled_loop(
    ir: &Ir,
    segmap: SegMapOp,
    tiles: &Tiles,
    dimensions: usize,
) -> Result<Option<ForOp>, Refusal> {
    let sizes = segmap.sizes(ir);
    // The outermost of the tiled dimensions has to have something that is the same along it.
    let along = sizes.len() - dimensions;
    let mut refused = None;
    for looped in loops(ir, segmap) {
        if let Err(refusal) = check_loop(ir, segmap, looped, dimensions) {
            refused = Some(refusal);
            continue;
        }
        let shared = shared(ir, segmap, looped);
        if !shared.iter().any(|read| !read.contains(along)) {
            continue;
        }
        if let Some(at) = too_small(ir, &sizes[along..], tiles.extents(dimensions)) {
            refused = Some(Refusal::new(
                segmap.op(),
                format!("has only {at} points along a dimension of tiles"),
            ));
            continue;
        }
        if let Some(steps) = too_small(ir, &[looped.upper_bound(ir)], &[tiles.steps(dimensions)]) {
            refused = Some(Refusal::new(
                looped.op(),
                format!("has a loop of only {steps} steps"),
            ));
            continue;
        }
        return Ok(Some(looped));
    }
    refused.map_or(Ok(None), Err)
}

/// Along which of the two innermost dimensions neighbouring points read neighbouring elements of what the loop's points
/// share: those that the last index of a read depends on, and the loop's counter does not.
pub(crate) fn rows_along(ir: &Ir, segmap: SegMapOp, looped: ForOp) -> [bool; 2] {
    let body = segmap.body_block(ir);
    let variance = variance(ir, body, looped);
    let points = ir.block_args(body).len();
    let reads = ir
        .ops(looped.region_block(ir))
        .filter_map(|op| ir.cast::<ReadOp>(op))
        .filter(|&read| shared_read(ir, &variance, points, read).is_some());
    let mut along = [false; 2];
    for read in reads {
        let last = read.indices(ir).last().map(|&last| variance.get(last));
        let Some(last) = last.filter(|last| !last.contains(points)) else {
            continue;
        };
        for (dim, along) in along.iter_mut().enumerate() {
            *along |= last.contains(points + dim - 2);
        }
    }
    along
}

/// Whether registers pay for a loop: it reads nothing that differs along both of the two innermost dimensions, and
/// something that differs along either. A thread that has several points along both reads what is in shared memory once
/// for each row and each column of them.
pub(crate) fn shared_along_both(ir: &Ir, segmap: SegMapOp, looped: ForOp) -> bool {
    let Some(outer) = segmap.sizes(ir).len().checked_sub(2) else {
        return false;
    };
    let variance = variance(ir, segmap.body_block(ir), looped);
    let along = |read: Op| {
        let all = ir.operands(read).map(|value| variance.get(value));
        let all = all.fold(Indices::default(), Indices::union);
        [all.contains(outer), all.contains(outer + 1)]
    };
    let reads = || {
        let all = ir.walk(looped.op()).into_iter();
        all.filter(|&op| ir.isa::<ReadOp>(op)).map(along)
    };
    let shared = shared(ir, segmap, looped);
    let only = |dim: usize, other: usize| {
        shared
            .iter()
            .any(|read| read.contains(outer + dim) && !read.contains(outer + other))
    };
    !reads().any(|along| along == [true, true]) && only(0, 1) && only(1, 0)
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
