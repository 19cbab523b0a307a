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
//! 2. [`peel()`] off what is no full tile of the loop, and [`chunk()`] it,
//! 3. [`distribute()`] and [`interchange()`],
//! 4. [`stage()`] what is read more than once,
//! 5. [`pipeline()`] the copies of full tiles, with option `stages` of 2 or more.
//!
//! Threads may have several points of a tile each, whose values stay in their registers: the steps are the same, the
//! segmaps over the tile say so ([`segra_kernel::registers`]), and [`crate::registers`] writes it out.
//!
//! A matrix product then reads `m n u / t` elements of each matrix instead of `m n u`.
//!
//! Legality of the pass `tile-blocks`: segmaps of level `thread` that nothing is around, whose points return scalars, with
//! a loop directly in their body that counts from 0 by ones, as often at all points of a tile, and carries scalars. Any
//! operator, any element types, any number of arrays, indices computed in any way (transposed, reversed, gathered); order
//! of operands is kept. Arrays that are read in a branch or an inner loop are not copied. Applied where it pays: some read of
//! the loop is the same along the second innermost dimension (tiles of two dimensions) or the innermost one (of one
//! dimension), and no extent is a constant below a tile's. Other loops stay as they are, with a remark that says why.
//! With `versions=by-size`, tiles are a choice when the program runs ([`versions`]), and few tiles of a long loop share it out
//! among several thread blocks each ([`split()`]).

pub mod chunk;
pub mod distribute;
pub mod interchange;
pub mod peel;
pub mod pipeline;
pub mod plan;
mod refusal;
pub mod split;
pub mod stage;
pub mod strip;
pub mod variance;
mod versions;

pub use chunk::chunk;
pub use distribute::distribute;
pub use interchange::interchange;
pub use peel::peel;
pub use pipeline::pipeline;
pub use plan::{Tiles, plan};
pub use refusal::Refusal;
pub use split::split;
pub use stage::stage;
pub use strip::strip_mine;

use rustc_hash::FxHashMap;
use segra_ir::interfaces::symbol_name;
use segra_ir::{Ir, Op, OpView};
use segra_kernel::segop::{SegMapOp, SegmentedOp};
use segra_pass::{
    Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult, option_enum, pass_options,
};
use segra_std::builtin;
use segra_std::func::FuncOp;
use segra_std::scf::ForOp;

option_enum! {
    /// Which shapes of tiles there are.
    pub enum Versions {
        /// That of the options, for all sizes.
        One = "one",
        /// Several, and none, of which the number of tiles chooses.
        BySize = "by-size",
    }
}

pass_options! {
    /// The pass `tile-blocks`.
    pub struct TileBlocks {
        /// Whether tiles have the shape that other options say, or one that sizes choose.
        pub versions: Versions = Versions::One,
        /// Points of a tile along the second innermost dimension, where two are tiled.
        pub tile_y: i64 = 16,
        /// Points of a tile along the innermost dimension, where two are tiled.
        pub tile_x: i64 = 16,
        /// Points of a thread along the second innermost dimension, where two are tiled; a divisor of the tile's.
        pub registers_y: i64 = 1,
        /// Points of a thread along the innermost dimension, where two are tiled.
        pub registers_x: i64 = 1,
        /// Steps of the loop at a time, where two dimensions are tiled.
        pub tile_k: i64 = 32,
        /// Points of a tile and steps of the loop at a time, where one dimension is tiled.
        pub tile: i64 = 256,
        /// Tiles of what is copied that are there at a time, if they fit: 1, or more to copy the next ones while one is used.
        pub stages: i64 = 1,
    }
}

/// More tiles than any shared memory holds at a time.
const MOST_STAGES: i64 = 8;

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
            registers: [self.registers_y, self.registers_x],
            depth: self.tile_k,
            line: self.tile,
            stages: self.stages,
        };
        if let Some(fault) = tiles.fault() {
            return Err(cx.fail(ir, module, fault));
        }
        if !(1..=MOST_STAGES).contains(&tiles.stages) {
            let message = format!("option stages: must be from 1 to {MOST_STAGES}");
            return Err(cx.fail(ir, module, message));
        }
        let mut tiled = 0;
        let mut numbers: FxHashMap<Op, usize> = FxHashMap::default();
        for segmap in candidates(ir, module) {
            let result = match self.versions {
                Versions::One => tile(ir, segmap, &tiles).map(|copies| {
                    cx.count("copies to shared memory", copies as u64);
                    1
                }),
                Versions::BySize => {
                    let (function, name) = function_of(ir, segmap);
                    let number = numbers.entry(function).or_insert(0);
                    let made = versions::by_size(ir, segmap, &format!("{name}.tile{number}"));
                    *number += usize::from(made.is_ok());
                    made
                }
            };
            match result {
                Ok(versions) => tiled += versions as u64,
                // Most loops have nothing to tile for, and a remark writes the op out.
                Err(_) if self.versions == Versions::BySize => {}
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

/// The function around a segmap, and its name.
fn function_of(ir: &Ir, segmap: SegMapOp) -> (Op, String) {
    let function = ir.ancestors(segmap.op()).find(|&op| ir.isa::<FuncOp>(op));
    let name = function
        .and_then(|function| symbol_name(ir, function))
        .map_or(String::new(), |name| ir.ctx().str(name).to_owned());
    (function.unwrap_or(segmap.op()), name)
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
    let along = match (dimensions, plan::tiled_loop(ir, segmap, tiles, dimensions)?) {
        (2, Some(looped)) => plan::rows_along(ir, segmap, looped),
        _ => [false; 2],
    };
    let mut thread = strip_mine(ir, segmap, tiles.extents(dimensions))?.thread;
    if let Some(registers) = tiles.registers(dimensions, along) {
        registers.assign(ir, thread);
    }
    let mut copies = 0;
    // Whether the next loop is what is left of the one before.
    let mut is_rest = false;
    while let Some(looped) = plan::next_loop(ir, thread) {
        let parts = if is_rest {
            None
        } else {
            peel(ir, looped, steps)?
        };
        let looped = parts.map_or(looped, |[full, _]| full);
        let chunked = chunk(ir, looped, steps)?;
        let around_loop = distribute(ir, thread, chunked.tiles)?;
        let around = interchange(ir, around_loop.around)?;
        let body = around.segmap.body_block(ir);
        let elements = ir.ops(body).find_map(|op| ir.cast::<ForOp>(op));
        if let Some(elements) = elements {
            copies += stage(ir, around.segmap, elements, steps)?;
        }
        // An array that cannot be copied ahead is copied in its own step.
        for stages in (2..=tiles.stages).rev() {
            if is_rest || pipeline(ir, around.looped, stages).is_ok() {
                break;
            }
        }
        is_rest = parts.is_some();
        match around_loop.after {
            Some(after) => thread = after,
            None => break,
        }
    }
    Ok(copies)
}
