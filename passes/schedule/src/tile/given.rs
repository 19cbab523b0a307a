//! Pass `apply-schedules`: the schedules that nests of a program have are done to them.
//!
//! ```mlir
//! %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<stripmine [16, 16], chunk 32, ...> -> (...) {...}
//! ==>
//! %t = kernel.segmap block (%bi < ceildiv(%m, 16), %bj < ceildiv(%n, 16)) -> (...) {...}
//! %c = kernel.untile %t to [%m, %n]
//! ```
//! The steps are those that `tile-blocks` makes its tiles of ([`crate::tile::apply()`]); here the program says which.
//!
//! Legality: that of each step. Nothing is chosen, so nothing is declined: a step that is refused is an error that names
//! it, the op that stands in its way, and why.

use super::apply::{Stopped, apply};
use super::{Refusal, join, plan, strip};
use crate::stencil;
use segra_ir::{Ir, Op, OpView};
use segra_kernel::segop::SegMapOp;
use segra_pass::{
    Anchors, Changed, Outcome, Pass, PassContext, PassFailure, PassInfo, PassResult, Stage,
    pass_options,
};
use segra_space::{Schedule, Step};
use segra_std::builtin;

pass_options! {
    /// The pass `apply-schedules`.
    pub struct ApplySchedules {}
}

const INFO: PassInfo = PassInfo {
    name: "apply-schedules",
    summary: "rewrite nests as the schedules say that the program gives them",
    reads: &["kernel", "scf"],
    writes: &["arith", "kernel", "scf"],
    anchors: Anchors::Ops(&[builtin::ModuleOp::DEF.name]),
};

impl Pass for ApplySchedules {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, module: Op, cx: &mut PassContext<'_>) -> PassResult {
        let scheduled = |op: &Op| {
            let segmap = ir.cast::<SegMapOp>(*op)?;
            Some((segmap, segmap.schedule(ir)?.clone()))
        };
        let found: Vec<(SegMapOp, Schedule)> =
            ir.walk(module).iter().filter_map(scheduled).collect();
        for (segmap, schedule) in &found {
            let loc = ir.loc(segmap.op());
            ir.set_attr_named(segmap.op(), "schedule", None);
            let mut watch = |ir: &Ir, op: Op, title: &str| cx.stage(ir, Stage { op, title });
            match apply(ir, *segmap, schedule, &mut watch) {
                Ok(copies) => cx.count("copies to shared memory", copies as u64),
                Err(Stopped::Ended(failure)) => return Err(failure),
                Err(Stopped::Declined(Refusal { op, reason })) => {
                    return Err(cx.fail(ir, op, format!("has a schedule, but {reason}")));
                }
                Err(Stopped::Refused {
                    number,
                    step,
                    refusal,
                }) => {
                    let message = format!(
                        "stops step {number} of the schedule, `{step}`: the nest {}",
                        refusal.reason
                    );
                    let error = cx.diags().op_error(ir, refusal.op, message);
                    error.note(loc, "the nest with the schedule");
                    return Err(PassFailure);
                }
            }
        }
        cx.count("schedules applied", found.len() as u64);
        Ok(Outcome::of(Changed::when(!found.is_empty())))
    }
}

/// Whether a schedule that was not written for a nest pays for it: it has a loop whose points read the same along the tiled
/// dimensions.
///
/// # Errors
/// Why not.
pub(super) fn fits(ir: &mut Ir, segmap: SegMapOp, schedule: &Schedule) -> Result<(), Refusal> {
    match schedule.steps().contains(&Step::Join) {
        true => join::of_joined(ir, segmap, |ir, joined| fits_joined(ir, joined, schedule)).0,
        false => fits_joined(ir, segmap, schedule),
    }
}

fn fits_joined(ir: &Ir, segmap: SegMapOp, schedule: &Schedule) -> Result<(), Refusal> {
    let refuse = |reason: &str| Err(Refusal::new(segmap.op(), reason));
    if segmap.mapping_attr(ir).is_some() {
        return refuse("has a mapping of its own");
    }
    if let Some(strips) = schedule.halo() {
        return stencil::given::fits(ir, segmap, strips);
    }
    let scalars = strip::returned(ir, segmap)
        .iter()
        .all(|&value| ir.value_type(value).is_scalar(ir.ctx()));
    let Some(strips) = schedule.strips() else {
        return Ok(());
    };
    let dimensions = strips.tiles.len();
    if !scalars || dimensions > segmap.sizes(ir).len() {
        return refuse("returns arrays, or has fewer dimensions than the schedule's tiles");
    }
    plan::suits(ir, segmap, strips, schedule.depth().unwrap_or(1))
}
