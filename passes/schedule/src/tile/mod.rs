//! Block tiling: what several points of a nest read in a loop is copied to shared memory by their thread block.
//!
//! ```mlir
//! %c = kernel.segmap thread (%i < %n, %j < %m) {          %t = kernel.segmap block (%bi < ceildiv(%n, 16), %bj < ceildiv(%m, 16)) {
//!   %dot = scf.for %k = 0 to %u iter_args(%acc = %zero) {   %accs = scf.for %bk = 0 to ceildiv(%u, 16) iter_args(%accs = zeros) {
//!     %a[%i, %k] * %b[%k, %j] + %acc                          %as = kernel.segmap thread (16, 16) { %a[..] }
//!   }                                                 ==>     %bs = kernel.segmap thread (16, 16) { %b[..] }
//!   return %dot                                               kernel.segmap thread (%p < 16, %q < 16) {
//! }                                                             scf.for %k = 0 to 16 iter_args(%acc = %accs[%p, %q]) {
//!                                                                 %as[%p, %k] * %bs[%k, %q] + %acc } } }
//!                                                           return %accs
//!                                                         }
//!                                                         %c = kernel.untile %t to [%n, %m]
//! ```
//! "Regular flattening" (Henriksen 2021), "Block tiling", and "Teaching the Futhark compiler block and register tiled matrix
//! multiplication" (Cholewa-Madsen and Holst, bachelor's thesis, 2020, 2.1 to 2.4; "the thesis" in the modules): each
//! step is a function of its own that keeps what the program means, with its own legality:
//!
//! 1. [`strip_mine`] the segmap,
//! 2. [`chunk()`] the loop,
//! 3. [`distribute()`] and [`interchange()`],
//! 4. [`stage()`] what is read more than once,
//! 5. [`specialise()`] the loop for full tiles.
//!
//! A matrix product then reads `m n u / t` elements of each matrix instead of `m n u`.
//!
//! Legality of the pass `tile-blocks`: segmaps of level `thread` that nothing is around, whose points return scalars, with
//! a loop directly in their body that counts from 0 by ones, as often at all points of a tile, and carries scalars. Any
//! operator, any element types, any number of arrays, indices computed in any way (transposed, reversed, gathered); order
//! of operands is kept. What is read in a branch or an inner loop is not copied. Applied where it pays: some read of the loop is the same along
//! the second innermost dimension (tiles of two dimensions) or the innermost one (of one dimension), and no extent is a
//! constant below a tile's. Other loops stay as they are, with a remark that says why.
//! Limits: no register tiles (a thread computes one point).

pub mod chunk;
pub mod distribute;
pub mod interchange;
pub mod plan;
mod refusal;
pub mod specialise;
pub mod stage;
pub mod strip;
pub mod variance;

pub use chunk::chunk;
pub use distribute::distribute;
pub use interchange::interchange;
pub use plan::{Tiles, plan};
pub use refusal::Refusal;
pub use specialise::specialise;
pub use stage::stage;
pub use strip::strip_mine;

use segra_ir::OpView;
use segra_ir::{Ir, Op};
use segra_kernel::segop::{SegMapOp, SegmentedOp};
use segra_pass::{
    Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options,
};
use segra_space::Target;
use segra_std::builtin;
use segra_std::scf::ForOp;

pass_options! {
    /// The pass `tile-blocks`.
    pub struct TileBlocks {
        /// Points of a tile along the second innermost dimension, where two are tiled.
        pub tile_y: i64 = 16,
        /// Points of a tile along the innermost dimension, where two are tiled.
        pub tile_x: i64 = 16,
        /// Steps of the loop at a time, where two dimensions are tiled.
        pub tile_k: i64 = 32,
        /// Points of a tile and steps of the loop at a time, where one dimension is tiled.
        pub tile: i64 = 256,
    }
}

const INFO: PassInfo = PassInfo {
    name: "tile-blocks",
    summary: "copy what several points of a nest read in a loop to shared memory, tile by tile",
    reads: &["kernel", "scf"],
    writes: &["arith", "kernel", "scf"],
    anchors: Anchors::Ops(&[builtin::ModuleOp::DEF.name]),
};

impl Pass for TileBlocks {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, module: Op, cx: &mut PassContext<'_>) -> PassResult {
        let tiles = Tiles {
            plane: [self.tile_y, self.tile_x],
            depth: self.tile_k,
            line: self.tile,
        };
        for (what, extents) in [
            ("tile-y times tile-x", &tiles.plane[..]),
            ("tile", &[tiles.line]),
        ] {
            let threads = extents
                .iter()
                .try_fold(1i64, |all, &extent| all.checked_mul(extent.max(0)));
            if !threads.is_some_and(|all| Target::CUDA.has_block_of(all)) {
                let (warp, most) = (Target::CUDA.warp, Target::CUDA.launch.block_threads);
                let message = format!("option {what}: must be a multiple of {warp} up to {most}");
                return Err(cx.fail(ir, module, message));
            }
        }
        if tiles.depth < 1 {
            return Err(cx.fail(ir, module, "option tile-k: must be at least 1"));
        }
        let mut tiled = 0;
        for segmap in candidates(ir, module) {
            match tile(ir, segmap, &tiles) {
                Ok(copies) => {
                    tiled += 1;
                    cx.count("copies to shared memory", copies as u64);
                }
                Err(Refusal { op, reason }) => {
                    cx.remark(
                        ir,
                        op,
                        format!("stays untiled: the segmap around it {reason}"),
                    );
                }
            }
        }
        cx.count("segmaps tiled", tiled);
        Ok(Outcome::of(Changed::when(tiled > 0)))
    }
}

/// Segmaps with loops that are not inside of segmented ops.
fn candidates(ir: &Ir, module: Op) -> Vec<SegMapOp> {
    let mut found = Vec::new();
    for op in ir.walk(module) {
        let Some(segmap) = ir.cast::<SegMapOp>(op) else {
            continue;
        };
        let inside = ir
            .ancestors(op)
            .skip(1)
            .any(|around| ir.interface::<dyn SegmentedOp>(around).is_some());
        let body = ir.entry_block(segmap.body(ir));
        let loops = body.is_some_and(|body| ir.ops(body).any(|op| ir.isa::<ForOp>(op)));
        if !inside && loops {
            found.push(segmap);
        }
    }
    found
}

/// All steps, for all loops of a segmap that they apply to. How many copies to shared memory there are.
///
/// # Errors
/// Why nothing was done.
pub fn tile(ir: &mut Ir, segmap: SegMapOp, tiles: &Tiles) -> Result<usize, Refusal> {
    let dimensions = plan(ir, segmap, tiles)?;
    let steps = tiles.steps(dimensions);
    let mut thread = strip_mine(ir, segmap, tiles.extents(dimensions))?.thread;
    let mut copies = 0;
    while let Some(looped) = plan::next_loop(ir, thread) {
        let chunked = chunk(ir, looped, steps)?;
        let parts = distribute(ir, thread, chunked.tiles)?;
        let around = interchange(ir, parts.around)?;
        let body = around.segmap.body_block(ir);
        let elements = ir.ops(body).find_map(|op| ir.cast::<ForOp>(op));
        if let Some(elements) = elements {
            copies += stage(ir, around.segmap, elements, steps)?;
            specialise(ir, elements, steps);
        }
        match parts.after {
            Some(after) => thread = after,
            None => break,
        }
    }
    Ok(copies)
}
