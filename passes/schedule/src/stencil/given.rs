//! Stencils in the tiles that a schedule says: `stripmine [32, 128] registers [4, 1], halo`.
//!
//! ```mlir
//! %r = kernel.segmap thread (%i < %n) schedule #kernel.schedule<stripmine [1024] registers [4], halo> -> (...) {...}
//! ```
//! becomes what stands in [`super::tile`], whatever the sizes: without a threshold, and without steps or stencils beside it in one kernel.
//!
//! Legality: that of tiles; the schedule tiles all dimensions along which points read their neighbours, and what is read around a tile
//! fits in shared memory. Dimensions before those may be tiled, too.

use super::find::Stencil;
use super::shape::Shape;
use super::tile;
use crate::tile::Refusal;
use segra_ir::{Ir, OpView, Value};
use segra_kernel::segop::SegMapOp;
use segra_space::Strips;

/// The stencil that a segmap is, and the shape of its tiles.
///
/// # Errors
/// Why it cannot have them.
pub(crate) fn fits(ir: &Ir, segmap: SegMapOp, strips: &Strips) -> Result<(), Refusal> {
    found(ir, segmap, strips).map(drop)
}

fn found(ir: &Ir, segmap: SegMapOp, strips: &Strips) -> Result<(Stencil, Shape), Refusal> {
    let refuse = |reason: &str| Refusal::new(segmap.op(), reason);
    let least = Stencil::outer_of(ir, segmap).map_err(refuse)?;
    let (rank, tiled) = (segmap.sizes(ir).len(), strips.tiles.len());
    let outer = rank.checked_sub(tiled).filter(|&outer| outer <= least);
    let Some(outer) = outer else {
        let wanted = match least {
            0 => format!("{rank}"),
            _ => format!("{} to {rank}", rank - least),
        };
        return Err(refuse(&format!(
            "reads neighbours along dimensions that are not tiled: the schedule has tiles of {tiled}, {wanted} are wanted"
        )));
    };
    let stencil = Stencil::with_outer(ir, segmap, outer);
    if stencil.groups.is_empty() {
        return Err(refuse("reads no element more than once"));
    }
    let shape = Shape::given(ir, &stencil, strips).map_err(|reason| refuse(&reason))?;
    Ok((stencil, shape))
}

/// Runs a segmap in tiles of that shape: the values in place of its results, and how many arrays are copied.
///
/// # Errors
/// Why it cannot be.
pub(crate) fn tile_as_given(
    ir: &mut Ir,
    segmap: SegMapOp,
    strips: &Strips,
) -> Result<(Vec<Value>, usize), Refusal> {
    let (stencil, shape) = found(ir, segmap, strips)?;
    let results = tile::tile(ir, &stencil, &shape);
    Ok((results, stencil.groups.len()))
}
