//! Pass `schedule-stencils`: how points that read their neighbours are run.
//!
//! * [`find`]: which segmaps are stencils; [`shape`]: how large tiles are;
//! * [`tile`]: the elements around a tile in shared memory, several points of a thread at once;
//! * [`given`]: tiles that a schedule of the program says;
//! * [`chain`]: stencils that feed one another by one kernel, and several steps of a loop of stencils [`steps`]; [`region`]: what lies
//!   around a tile in it; [`launch`]: the launches that it saves.
//!
//! Where there are fewer full tiles than option `blocks`, points are run one by one: which it is, a threshold decides when
//! the program runs (`NAME.stencilK`), or sizes that are known. Reads of neighbours that are left become reads at
//! indices that their rule gives.
//!
//! Legality and limits stand in the modules: a segmap that they do not apply to stays one of single points.

mod chain;
mod find;
pub(crate) mod given;
mod launch;
mod region;
mod shape;
mod tile;

use crate::choice::{Answer, Threshold, branch, full_tiles};
use chain::steps;
use find::{Stencil, candidates, outermost};
use rustc_hash::FxHashMap;
use segra_ir::interfaces::symbol_name;
use segra_ir::{Builder, Ir, Op, OpView};
use segra_kernel::near::NearOp;
use segra_kernel::segop::SegMapOp;
use segra_pass::{
    Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options,
};
use segra_std::builtin;
use segra_std::func::FuncOp;
use shape::Shape;

pass_options! {
    /// The pass `schedule-stencils`.
    pub struct ScheduleStencils {
        /// Full tiles from which on there are enough of them for all multiprocessors.
        pub blocks: i64 = 32,
        /// Steps of a loop, or stencils that feed one another, that one kernel does at most; 1: each is a kernel.
        pub steps: i64 = 16,
        /// Whether stencils run in tiles at all; without, all points are run one by one, in the order of their mapping.
        pub tiles: bool = true,
    }
}

const INFO: PassInfo = PassInfo {
    name: "schedule-stencils",
    summary: "decide how points that read their neighbours are run",
    reads: &["kernel", "scf"],
    writes: &["arith", "kernel", "scf"],
    anchors: Anchors::Ops(&[builtin::ModuleOp::DEF.name]),
};

impl Pass for ScheduleStencils {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, module: Op, cx: &mut PassContext<'_>) -> PassResult {
        if self.blocks < 1 || self.steps < 1 {
            return Err(cx.fail(ir, module, "options blocks and steps: must be at least 1"));
        }
        let mut names = Names::default();
        let (mut tiled, mut fused) = (0, 0);
        let sizes = (self.steps, self.blocks);
        let segmaps = |ir: &Ir, find: fn(&Ir, Op) -> Vec<SegMapOp>| match self.tiles {
            true => find(ir, module),
            false => Vec::new(),
        };
        let all = segmaps(ir, outermost);
        fused += chain::fuse_loops(ir, &all, sizes, |ir, op| names.next(ir, op));
        let (chains, near) = chain::fuse_all(ir, &all, sizes, |ir, op| names.next(ir, op));
        for segmap in segmaps(ir, candidates) {
            let found = Stencil::of(ir, segmap).and_then(|stencil| {
                let shape = Shape::of(ir, &stencil)?;
                Ok((stencil, shape))
            });
            let (stencil, shape) = match found {
                Ok(found) => found,
                Err(reason) => {
                    cx.remark(
                        ir,
                        segmap.op(),
                        format!("stays one of single points: it {reason}"),
                    );
                    continue;
                }
            };
            let name = names.next(ir, segmap.op());
            fused += u64::from(steps::fuse(ir, &[segmap], sizes, |_| name.clone()));
            tiled += u64::from(by_size(ir, &stencil, &shape, (name, self.blocks)));
        }
        let resolved = resolve(ir, module);
        cx.count("stencils tiled", tiled);
        cx.count("loops of stencils with several steps at once", fused);
        cx.count("chains of stencils by one kernel", chains);
        cx.count("reads of neighbours resolved", resolved);
        let changed = near || tiled + fused + chains + resolved > 0;
        Ok(Outcome::of(Changed::when(changed)))
    }
}

/// Names of thresholds, by function.
#[derive(Default)]
struct Names {
    numbers: FxHashMap<Op, usize>,
}

impl Names {
    fn next(&mut self, ir: &Ir, op: Op) -> String {
        let function = ir
            .ancestors(op)
            .find(|&op| ir.isa::<FuncOp>(op))
            .unwrap_or(op);
        let name = symbol_name(ir, function)
            .map(|name| ir.ctx().str(name).to_owned())
            .unwrap_or_default();
        let number = self.numbers.entry(function).or_insert(0);
        *number += 1;
        format!("{name}.stencil{}", *number - 1)
    }
}

/// Runs a stencil in tiles where there are enough of them; whether it may be.
fn by_size(ir: &mut Ir, stencil: &Stencil, shape: &Shape, (name, blocks): (String, i64)) -> bool {
    let op = stencil.segmap.op();
    let mut b = Builder::before(ir, op);
    let sizes = stencil.segmap.sizes(b.ir);
    let size = full_tiles(&mut b, &sizes, &shape.extents);
    let enough = Threshold {
        size,
        name,
        default: blocks,
    };
    match enough.answer(&mut b) {
        Answer::Known(false) => return false,
        Answer::Known(true) => {}
        Answer::Asked(condition) => {
            branch(ir, op, condition);
        }
    }
    tile::tile(ir, stencil, shape);
    true
}

/// Makes reads of neighbours plain reads. How many there are.
fn resolve(ir: &mut Ir, around: Op) -> u64 {
    let mut resolved = 0;
    for op in ir.walk(around) {
        let Some(near) = ir.cast::<NearOp>(op) else {
            continue;
        };
        let mut b = Builder::before(ir, op);
        let value = near.resolve(&mut b);
        ir.replace_op(near.op(), &[value]);
        resolved += 1;
    }
    resolved
}
