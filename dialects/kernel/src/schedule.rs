//! How a nest is rewritten before it runs: `#kernel.schedule<...>`, a list of steps with parameters.
//!
//! ```mlir
//! %c = kernel.segmap thread (%i < %m, %j < %n)
//!     schedule #kernel.schedule<stripmine [64, 64] registers [4, 4], peel 16, chunk 16, distribute, interchange, stage> -> ...
//! ```
//! [`segra_space::Schedule`] has the steps and their order. As a mapping, a schedule has no meaning for results, and the
//! interpreter ignores it: the pass `apply-schedules` does the steps one after another, each with its own legality, and
//! refuses a nest that one cannot be done to. A user writes it; passes that choose tiles apply theirs at once.

use crate::level::Level;
use crate::mapping::parse_in_angles;
use crate::segop::{SegMapOp, SegmentedOp};
use segra_ir::attrs::CustomAttr;
use segra_ir::constraint::{AttrAccess, AttrConstraint};
use segra_ir::{Attr, Context, Ir, OpView};
use segra_text::{ParseResult, Parser};

/// `#kernel.schedule<stripmine [16, 16], chunk 32, distribute, interchange, stage>`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Schedule(pub segra_space::Schedule);

impl Schedule {
    /// As an attribute.
    pub fn attr(self, ctx: &Context) -> Attr {
        ctx.custom_attr(self)
    }
}

impl CustomAttr for Schedule {
    const DIALECT: &'static str = "kernel";
    const MNEMONIC: &'static str = "schedule";
    fn print(&self, _: &Context, out: &mut String) {
        out.push_str(&format!("<{}>", self.0));
    }
}

/// The attribute constraint of [`Schedule`].
#[derive(Clone, Copy, Debug)]
pub struct ScheduleAttr;

impl AttrConstraint for ScheduleAttr {
    fn describe(&self) -> &'static str {
        "a schedule (`#kernel.schedule<stripmine [N], ...>`)"
    }
    fn accepts(&self, ctx: &Context, attr: Attr) -> bool {
        ScheduleAttr::read(ctx, attr).is_some()
    }
}

impl AttrAccess for ScheduleAttr {
    type Value<'a> = &'a segra_space::Schedule;
    fn read(ctx: &Context, attr: Attr) -> Option<&segra_space::Schedule> {
        attr.dialect::<Schedule>(ctx).map(|schedule| &schedule.0)
    }
}

/// Reads `<stripmine [N], ...>` after `#kernel.schedule`.
pub(crate) fn parse_schedule(p: &mut Parser<'_>) -> ParseResult<Attr> {
    let schedule: segra_space::Schedule = parse_in_angles(p, "schedule")?;
    Ok(Schedule(schedule).attr(p.ctx()))
}

/// The fault of a segmap's schedule.
pub(crate) fn fault(ir: &Ir, segmap: SegMapOp) -> Option<String> {
    let schedule = segmap.schedule(ir)?;
    let mut outside = ir.ancestors(segmap.op()).skip(1);
    if segmap.level(ir) != Level::Thread
        || outside.any(|around| ir.interface::<dyn SegmentedOp>(around).is_some())
    {
        return Some(
            "has a schedule, so it must be of level `thread` and inside of no other segmented op"
                .to_owned(),
        );
    }
    if segmap.mapping_attr(ir).is_some() {
        return Some(
            "has a schedule, which says what thread blocks run; attribute `mapping` has no place"
                .to_owned(),
        );
    }
    let rank = segmap.sizes(ir).len();
    let strips = schedule
        .strips()
        .filter(|strips| strips.tiles.len() > rank)?;
    Some(format!(
        "attribute `schedule`: tiles of {} dimensions for a space of {rank}",
        strips.tiles.len()
    ))
}
