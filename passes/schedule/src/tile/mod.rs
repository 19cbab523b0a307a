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
//! 0. [`join()`] loops in loops,
//! 1. [`strip_mine`] the segmap,
//! 2. [`peel()`] off what is no full tile of the loop, and [`chunk()`] it,
//! 3. [`distribute()`] and [`interchange()`],
//! 4. [`stage()`] what is read more than once,
//! 5. [`pipeline()`] the copies of full tiles, with option `stages` of 2 or more.
//!
//! A [`segra_space::Schedule`] is a list of them, and [`apply()`] does it to a nest: the pass `tile-blocks` chooses schedules,
//! the pass `apply-schedules` ([`given`]) does those that the program has. `docs/tiling.md` shows a product after each step.
//!
//! Threads may have several points of a tile each, whose values stay in their registers: the steps are the same, the
//! segmaps over the tile say so ([`segra_kernel::registers`]), and [`crate::registers`] writes it out.
//!
//! A matrix product then reads `m n u / t` elements of each matrix instead of `m n u`.
//!
//! Legality of the pass `tile-blocks`: segmaps of level `thread` that nothing is around, whose points return scalars, with
//! a loop directly in their body that counts from 0 by ones, as often at all points of a tile, and carries scalars. Any
//! operator, any element types, any number of arrays, indices computed in any way (transposed, reversed, gathered); order
//! of operands is kept. Arrays that are read in a branch or an inner loop are not copied. Applied where it pays: any two
//! dimensions of a nest are tiled of which each read of the loop differs along one at most, the innermost ones before others;
//! else three of which each differs along two at most; else the two innermost, or the innermost one, where some
//! read is the same along the outer of them; and no extent is a constant below a tile's. Other loops stay as they are,
//! with a remark that says why.
//! With `versions=by-size`, tiles are a choice when the program runs ([`versions`]), and few tiles of a long loop share it out
//! among several thread blocks each ([`split()`]). Nests that have a schedule are left alone.

pub mod apply;
pub mod chunk;
pub mod dependence;
pub mod distribute;
mod explain;
pub mod given;
pub mod interchange;
pub mod join;
pub mod peel;
pub mod pipeline;
pub mod plan;
mod refusal;
pub mod shape;
pub mod split;
pub mod stage;
pub mod strip;
pub mod variance;
mod versions;

pub(crate) use apply::apply_inside;
pub use apply::{Stopped, apply};
pub use chunk::{Chunked, chunk};
pub use distribute::{Distributed, distribute};
pub use explain::{Explained, Tried, Verdict, explained, given_schedules};
pub use given::ApplySchedules;
pub use interchange::{Interchanged, interchange};
pub use join::{join, join_loops};
pub use peel::peel;
pub use pipeline::pipeline;
pub use plan::{Line, Plan, Tiles, plan};
pub use refusal::Refusal;
pub use shape::TileShape;
pub use split::split;
pub use stage::stage;
pub use strip::strip_mine;

use apply::Watch;
use rustc_hash::FxHashMap;
use segra_ir::interfaces::symbol_name;
use segra_ir::{Ir, Op, OpView};
use segra_kernel::segop::{SegMapOp, SegmentedOp};
use segra_pass::{
    Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult, Stage, option_enum,
    pass_options,
};
use segra_space::Schedule;
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
        /// All targets have products of warpgroups, sm_90a: tiles of numbers of 16 bits whose products are added have lines of
        /// 128 bytes along the loop, and a block asks for as much shared memory as its copies take.
        pub warpgroups: bool = false,
        /// Compute capability, times ten, of the oldest target: where it has products of warps, threads that make them have
        /// twice as many points.
        pub oldest: i64 = 75,
        /// Factors of f32 may be rounded to tf32: products of them are some of those that warps make.
        pub allow_tf32: bool = false,
        /// The largest tiles with versions=by-size, in place of 16x16x8x8x16: threads and points of a thread along rows and
        /// columns, and steps; from one full tile on.
        pub large: Option<String> = None,
        /// The schedule of all nests that are tiled, in place of the one that other options say.
        pub schedule: Option<String> = None,
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
        let shape = match self.shape() {
            Ok(shape) => shape,
            Err(fault) => return Err(cx.fail(ir, module, fault)),
        };
        let mut tiled = 0;
        let mut numbers: FxHashMap<Op, usize> = FxHashMap::default();
        for segmap in candidates(ir, module) {
            let mut watch = |ir: &Ir, op: Op, title: &str| cx.stage(ir, Stage { op, title });
            let result = match &shape {
                Shape::Given(schedule) => given::fits(ir, segmap, schedule)
                    .map_err(Stopped::from)
                    .and_then(|()| {
                        apply(ir, segmap, schedule, &mut watch).map(|copies| (copies, 1))
                    }),
                Shape::One(tiles) => tile(ir, segmap, tiles, &mut watch).map(|copies| (copies, 1)),
                &Shape::BySize(products) => {
                    let (function, name) = function_of(ir, segmap);
                    let number = numbers.entry(function).or_insert(0);
                    let name = format!("{name}.tile{number}");
                    let made = versions::by_size(ir, segmap, (&name, products), &mut watch);
                    *number += usize::from(matches!(made, Ok(1..)));
                    made.map(|versions| (0, versions))
                }
            };
            match result {
                Ok((copies, versions)) => {
                    cx.count("copies to shared memory", copies as u64);
                    tiled += versions as u64;
                }
                Err(Stopped::Ended(failure)) => return Err(failure),
                // Most loops have nothing to tile for, and a remark writes the op out.
                Err(_) if self.versions == Versions::BySize => {}
                Err(Stopped::Declined(Refusal { op, reason })) => {
                    let message = format!("stays untiled: the segmap around it {reason}");
                    cx.remark(ir, op, message);
                }
                Err(Stopped::Refused {
                    number,
                    step,
                    refusal: Refusal { op, reason },
                }) => {
                    let message = format!(
                        "ends the schedule at step {number}, `{step}`: the segmap around it {reason}"
                    );
                    cx.remark(ir, op, message);
                    tiled += u64::from(number > 1);
                }
            }
        }
        cx.count("segmaps tiled", tiled);
        Ok(Outcome::of(Changed::when(tiled > 0)))
    }
}

/// How nests are tiled.
enum Shape {
    Given(Schedule),
    One(Tiles),
    /// Those of the default, for these products where they can be.
    BySize(Products),
}

/// The products of matrices that all targets have.
#[derive(Clone, Copy)]
struct Products {
    warpgroups: bool,
    /// Compute capability, times ten, of the oldest target.
    oldest: i64,
    /// Factors of `f32` may be rounded to `tf32`.
    allow_tf32: bool,
    /// The largest tiles.
    large: Option<TileShape>,
}

impl TileBlocks {
    /// The shape of tiles that the options say, or the fault of them.
    fn shape(&self) -> Result<Shape, String> {
        let tiles = self.tiles();
        if let Some(fault) = tiles.fault() {
            return Err(fault);
        }
        if !(1..=MOST_STAGES).contains(&tiles.stages) {
            return Err(format!("option stages: must be from 1 to {MOST_STAGES}"));
        }
        let large = self.large.as_deref().map(str::parse).transpose();
        let large = large.map_err(|error| format!("option large: {error}"))?;
        if large.is_some() && self.versions == Versions::One {
            return Err("option large: is for versions=by-size".to_owned());
        }
        match (&self.schedule, self.versions) {
            (None, Versions::One) => Ok(Shape::One(tiles)),
            (None, Versions::BySize) => Ok(Shape::BySize(Products {
                warpgroups: self.warpgroups,
                oldest: self.oldest,
                allow_tf32: self.allow_tf32,
                large,
            })),
            (Some(_), Versions::BySize) => {
                Err("option schedule: is for versions=one, where sizes choose nothing".to_owned())
            }
            (Some(text), Versions::One) => match text.parse() {
                Ok(schedule) => Ok(Shape::Given(schedule)),
                Err(error) => Err(format!("option schedule: {error}")),
            },
        }
    }

    fn tiles(&self) -> Tiles {
        Tiles {
            plane: [self.tile_y, self.tile_x],
            registers: [self.registers_y, self.registers_x],
            depth: self.tile_k,
            line: Line {
                extent: self.tile,
                registers: 1,
                depth: self.tile,
            },
            stages: self.stages,
            exactly: self.warpgroups,
        }
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
        if !inside && loops && segmap.schedule_attr(ir).is_none() {
            found.push(segmap);
        }
    }
    found
}

/// The schedule of tiles for a segmap.
///
/// # Errors
/// Why there is none.
pub fn schedule_of(ir: &mut Ir, segmap: SegMapOp, tiles: &Tiles) -> Result<Schedule, Refusal> {
    let (plan, joined) = join::of_joined(ir, segmap, |ir, segmap| plan(ir, segmap, tiles));
    scheduled(segmap, &plan?, tiles, joined)
}

/// The schedule of tiles; `joined`: whether loops in loops are joined before.
fn scheduled(
    segmap: SegMapOp,
    plan: &Plan,
    tiles: &Tiles,
    joined: bool,
) -> Result<Schedule, Refusal> {
    let schedule = plan.schedule(tiles, joined);
    schedule.map_err(|fault| Refusal::new(segmap.op(), format!("has no schedule: {fault}")))
}

/// All steps, for all loops of a segmap that they apply to. How many copies to shared memory there are.
///
/// # Errors
/// Why it was not done, or not to its end.
pub fn tile(
    ir: &mut Ir,
    segmap: SegMapOp,
    tiles: &Tiles,
    watch: &mut Watch<'_>,
) -> Result<usize, Stopped> {
    let schedule = schedule_of(ir, segmap, tiles)?;
    apply(ir, segmap, &schedule, watch)
}
