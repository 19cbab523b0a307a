//! Which schedules `tile-blocks` tries for the nests of a function, which it takes, and why not the others.
//!
//! Nothing is changed but for lengths of loops, which are computed before a nest where they can be: the checks are those of
//! the pass, on nests that are as the pass finds them.

use super::dependence::Matrix;
use super::plan::Tiles;
use super::{Refusal, Shape, TileBlocks, candidates, given, schedule_of, versions};
use segra_ir::{Ir, Op, OpView};
use segra_kernel::segop::SegMapOp;
use segra_space::Schedule;

/// A nest that has a loop in its points.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The nest.
    pub op: Op,
    /// Its dependences.
    pub dependences: Matrix,
    /// The schedules tried, in order.
    pub tried: Vec<Tried>,
}

/// A schedule that was tried.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The shape of its tiles: `large` and so on, or where it comes from.
    pub shape: &'static str,
    /// The schedule; none where there is none for the nest.
    pub schedule: Option<Schedule>,
    /// The outcome.
    pub verdict: Verdict,
}

/// The outcome for a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is that of the program.
    Given,
    /// It is taken, under these conditions on sizes, if any.
    Taken(Vec<String>),
    /// It is not, and why.
    Declined(Refusal),
}

/// The nests of a function that have a schedule already.
pub fn given_schedules(ir: &Ir, function: Op) -> Vec<Explained> {
    let scheduled = |op: Op| {
        let segmap = ir.cast::<SegMapOp>(op)?;
        let schedule = segmap.schedule(ir)?.clone();
        Some(Explained {
            op,
            dependences: Matrix::of(ir, segmap),
            tried: vec![Tried {
                shape: "the program's",
                schedule: Some(schedule),
                verdict: Verdict::Given,
            }],
        })
    };
    ir.walk(function)
        .into_iter()
        .filter_map(scheduled)
        .collect()
}

/// The nests of a function that the pass looks at, with the schedules that it tries. `name` is the function's.
///
/// # Errors
/// The fault of the pass's options.
pub fn explained(
    ir: &mut Ir,
    function: Op,
    name: &str,
    pass: &TileBlocks,
) -> Result<Vec<Explained>, String> {
    let shape = pass.shape()?;
    let mut found = Vec::new();
    let mut number = 0;
    for segmap in candidates(ir, function) {
        let tried = match &shape {
            Shape::Given(schedule) => vec![Tried {
                shape: "the option's",
                schedule: Some(schedule.clone()),
                verdict: match given::fits(ir, segmap, schedule) {
                    Ok(()) => Verdict::Taken(Vec::new()),
                    Err(refusal) => Verdict::Declined(refusal),
                },
            }],
            Shape::One(tiles) => {
                vec![tried(ir, segmap, "the options'", tiles, Ok(Vec::new()))]
            }
            &Shape::BySize(products) => {
                let name = format!("{name}.tile{number}");
                versions::tried(ir, segmap, (&name, products))
            }
        };
        let taken = |tried: &Tried| matches!(tried.verdict, Verdict::Taken(_));
        number += usize::from(tried.iter().any(taken));
        found.push(Explained {
            op: segmap.op(),
            dependences: Matrix::of(ir, segmap),
            tried,
        });
    }
    Ok(found)
}

/// A shape of tiles that is tried; `conditions` under which it is taken, or why it is not, where it has a schedule.
pub(super) fn tried(
    ir: &mut Ir,
    segmap: SegMapOp,
    shape: &'static str,
    tiles: &Tiles,
    conditions: Result<Vec<String>, Refusal>,
) -> Tried {
    let (schedule, verdict) = match (schedule_of(ir, segmap, tiles), conditions) {
        (Err(refusal), _) => (None, Verdict::Declined(refusal)),
        (Ok(schedule), Ok(conditions)) => (Some(schedule), Verdict::Taken(conditions)),
        (Ok(schedule), Err(refusal)) => (Some(schedule), Verdict::Declined(refusal)),
    };
    Tried {
        shape,
        schedule,
        verdict,
    }
}
