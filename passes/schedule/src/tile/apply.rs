//! Schedules done to nests: the steps of a list, one after another.
//!
//! ```mlir
//! %c = kernel.segmap thread (%i < %m, %j < %n) schedule #kernel.schedule<stripmine [16, 16], chunk 32, distribute> -> ...
//! ==>
//! %t = kernel.segmap block (%bi < ceildiv(%m, 16), %bj < ceildiv(%n, 16)) -> ... {
//!   %accs0 = kernel.segmap thread (16, 16) { the accumulators' first values }
//!   %accs1 = kernel.segmap thread (16, 16) { scf.for over tiles of 32 { scf.for in a tile } }
//! }
//! %c = kernel.untile %t to [%m, %n]
//! ```
//! [`segra_space::Schedule`] says what a step is; each is a function of a module beside this one, which states its legality.
//! A step after another is done to what that one left: `chunk` to the first loop whose points read the same elements (else
//! the first), `distribute` and `interchange` to the loop over tiles, `stage` to the loop in one. The rest that `peel` leaves is
//! a further loop: `repeat` does to it what can be done to less than a tile, all but `peel` and `pipeline`.
//!
//! Legality: that of each step. A step that is refused ends the schedule; what was done before means what it did.

use super::{
    Chunked, Distributed, Interchanged, Refusal, chunk, distribute, interchange, join_loops, peel,
    pipeline, plan, stage, strip_mine,
};
use crate::contract::UseTensorCores;
use crate::registers::unroll_block;
use crate::stencil::given::tile_as_given;
use segra_ir::{Ir, Op, OpView};
use segra_kernel::registers::Registers;
use segra_kernel::segop::SegMapOp;
use segra_pass::PassFailure;
use segra_space::{Depth, Schedule, Step, Strips, SumOrder, Target};
use segra_std::scf::ForOp;

/// Sees each step that was done: the program, an op of the nest as it is now, the step in words.
pub type Watch<'w> = dyn FnMut(&Ir, Op, &str) -> Result<(), PassFailure> + 'w;

/// Why a schedule was not done, or not to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// There is none for the nest, which is as it was.
    Declined(Refusal),
    /// A step does not apply.
    Refused {
        /// Which step of the schedule, from 1 on.
        number: usize,
        /// The step.
        step: Step,
        /// Why it does not apply.
        refusal: Refusal,
    },
    /// The watcher ended it.
    Ended(PassFailure),
}

impl From<Refusal> for Stopped {
    fn from(refusal: Refusal) -> Stopped {
        Stopped::Declined(refusal)
    }
}

/// Does a schedule to a segmap of threads. How many copies to shared memory there are.
///
/// # Errors
/// A step is refused, or the watcher ends it.
pub fn apply(
    ir: &mut Ir,
    segmap: SegMapOp,
    schedule: &Schedule,
    watch: &mut Watch<'_>,
) -> Result<usize, Stopped> {
    if let Some(strips) = schedule.halo() {
        return in_tiles_with_halo(ir, segmap, strips, watch);
    }
    all_steps(ir, Nest::new(None, segmap), schedule.steps(), watch)
}

/// Does the steps of a schedule to a segmap of threads in a thread block, which is what `stripmine` would have made. How many
/// copies to shared memory there are.
///
/// # Errors
/// As for [`apply`].
pub(crate) fn apply_inside(
    ir: &mut Ir,
    (block, segmap): (SegMapOp, SegMapOp),
    steps: &[Step],
) -> Result<usize, Stopped> {
    let nest = Nest::new(Some(block), segmap);
    all_steps(ir, nest, steps, &mut |_, _, _| Ok(()))
}

fn all_steps(
    ir: &mut Ir,
    mut nest: Nest,
    steps: &[Step],
    watch: &mut Watch<'_>,
) -> Result<usize, Stopped> {
    let again = steps
        .iter()
        .position(|step| matches!(step, Step::Peel(_) | Step::Chunk(_)));
    let (mut at, mut round) = (0, 1);
    while let Some(step) = steps.get(at) {
        if let (Step::Repeat, Some(again)) = (step, again) {
            let further = nest.next_loop(ir);
            at = if further { again } else { at + 1 };
            round += usize::from(further);
            continue;
        }
        if nest.rest == Rest::Current && matches!(step, Step::Peel(_) | Step::Pipeline(_)) {
            at += 1;
            continue;
        }
        nest.step(ir, step).map_err(|refusal| Stopped::Refused {
            number: at + 1,
            step: step.clone(),
            refusal,
        })?;
        let title = match step {
            Step::Contract(_) | Step::Unroll => step.to_string(),
            _ if round == 1 => step.to_string(),
            _ => format!("{step}, of loop {round}"),
        };
        watch(ir, nest.shown(), &title).map_err(Stopped::Ended)?;
        at += 1;
    }
    Ok(nest.copies)
}

/// `stripmine` and `halo`, which are one rewrite.
fn in_tiles_with_halo(
    ir: &mut Ir,
    segmap: SegMapOp,
    strips: &Strips,
    watch: &mut Watch<'_>,
) -> Result<usize, Stopped> {
    let (results, copies) =
        tile_as_given(ir, segmap, strips).map_err(|refusal| Stopped::Refused {
            number: 2,
            step: Step::Halo,
            refusal,
        })?;
    if let Some(made) = results.first().and_then(|&result| ir.defining_op(result)) {
        watch(ir, made, Step::Halo.name()).map_err(Stopped::Ended)?;
    }
    Ok(copies)
}

/// A nest and the steps that were done to it.
struct Nest {
    block: Option<SegMapOp>,
    /// The segmap in whose points loops are.
    thread: SegMapOp,
    looped: Option<Loop>,
    rest: Rest,
    copies: usize,
}

/// Where the rest of a loop is whose full tiles have a loop of their own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    /// There is none.
    None,
    /// It is the loop after the one that steps are done to.
    Next,
    /// It is that loop.
    Current,
}

/// A loop of the points, and the steps that were done to it.
struct Loop {
    /// Rounds of a tile.
    steps: i64,
    chunked: Chunked,
    parts: Option<Distributed>,
    outside: Option<Interchanged>,
}

impl Nest {
    fn new(block: Option<SegMapOp>, thread: SegMapOp) -> Nest {
        Nest {
            block,
            thread,
            looped: None,
            rest: Rest::None,
            copies: 0,
        }
    }

    fn step(&mut self, ir: &mut Ir, step: &Step) -> Result<(), Refusal> {
        match step {
            Step::Join => join_loops(ir, self.thread),
            Step::Stripmine(strips) => self.stripmine(ir, strips),
            Step::Peel(steps) => {
                let looped = self.untiled_loop(ir)?;
                if peel(ir, looped, *steps)?.is_some() {
                    self.rest = Rest::Next;
                }
                Ok(())
            }
            Step::Chunk(steps) => self.chunk(ir, *steps),
            Step::Distribute => {
                let thread = self.thread;
                let (looped, _) = self.looped()?;
                looped.parts = Some(distribute(ir, thread, looped.chunked.tiles)?);
                Ok(())
            }
            Step::Interchange => {
                let (looped, nest) = self.looped()?;
                let around = looped.parts.map(|parts| parts.around);
                let around = around.ok_or_else(|| Refusal::new(nest, "is not distributed"))?;
                looped.outside = Some(interchange(ir, around)?);
                Ok(())
            }
            Step::Stage => {
                let (looped, nest) = self.looped()?;
                let (segmap, elements) = looped.innermost(ir, nest)?;
                let copies = stage(ir, segmap, elements, looped.steps)?;
                self.copies += copies;
                Ok(())
            }
            Step::Pipeline(depth) => self.pipeline(ir, *depth),
            // Halos are copied where tiles are made.
            Step::Repeat | Step::Halo => Ok(()),
            Step::Contract(order) => {
                let pass = UseTensorCores {
                    any_order: *order == SumOrder::Any,
                    ..UseTensorCores::default()
                };
                let block = self.block()?;
                let made = pass.mark(ir, block);
                some(
                    made,
                    block,
                    "has no sums of products that suit tensor cores",
                )
            }
            Step::Unroll => {
                let block = self.block()?;
                let made = unroll_block(ir, block);
                some(
                    made,
                    block,
                    "has no points that a thread holds in registers",
                )
            }
        }
    }

    fn stripmine(&mut self, ir: &mut Ir, strips: &Strips) -> Result<(), Refusal> {
        let runs = match strips.runs.is_empty() {
            true => plan::runs_for(ir, self.thread, &strips.registers),
            false => strips.runs.clone(),
        };
        let stripped = strip_mine(ir, self.thread, &strips.tiles)?;
        self.block = Some(stripped.block);
        self.thread = stripped.thread;
        if !strips.registers.is_empty() {
            let counts = strips.registers.clone();
            Registers {
                counts,
                runs,
                apart: None,
            }
            .assign(ir, self.thread);
        }
        Ok(())
    }

    /// The loop that is tiled next.
    fn untiled_loop(&self, ir: &Ir) -> Result<ForOp, Refusal> {
        let looped = plan::next_loop(ir, self.thread).or_else(|| first_loop(ir, self.thread));
        looped.ok_or_else(|| Refusal::new(self.thread.op(), "has no loop in its points"))
    }

    fn chunk(&mut self, ir: &mut Ir, steps: i64) -> Result<(), Refusal> {
        let looped = self.untiled_loop(ir)?;
        self.looped = Some(Loop {
            steps,
            chunked: chunk(ir, looped, steps)?,
            parts: None,
            outside: None,
        });
        Ok(())
    }

    fn pipeline(&mut self, ir: &mut Ir, depth: Depth) -> Result<(), Refusal> {
        let (looped, nest) = self.looped()?;
        let outside = looped
            .outside
            .as_mut()
            .ok_or_else(|| Refusal::new(nest, "has its loop inside of its points"))?;
        match depth {
            Depth::Exactly(stages) => {
                let limit = Target::CUDA.most_shared_bytes;
                pipeline(ir, outside.looped, stages, limit)?;
            }
            Depth::AtMost(most) => {
                // An array that cannot be copied ahead is copied in its own step.
                let limit = Target::CUDA.shared_bytes;
                for stages in (2..=most).rev() {
                    if pipeline(ir, outside.looped, stages, limit).is_ok() {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Goes on with what comes after the loop, if a loop is there whose points read the same elements.
    fn next_loop(&mut self, ir: &Ir) -> bool {
        let parts = self.looped.as_ref().and_then(|looped| looped.parts);
        let after = parts.and_then(|parts| parts.after);
        match after.filter(|&after| plan::next_loop(ir, after).is_some()) {
            Some(after) => {
                self.thread = after;
                self.looped = None;
                self.rest = match self.rest {
                    Rest::Next => Rest::Current,
                    Rest::None | Rest::Current => Rest::None,
                };
                true
            }
            None => false,
        }
    }

    /// The loop that steps are done to, and the op that a refusal is about.
    fn looped(&mut self) -> Result<(&mut Loop, Op), Refusal> {
        let nest = self.block.unwrap_or(self.thread).op();
        let looped = self.looped.as_mut();
        Ok((
            looped.ok_or_else(|| Refusal::new(nest, "has no loop in tiles"))?,
            nest,
        ))
    }

    fn block(&self) -> Result<SegMapOp, Refusal> {
        self.block
            .ok_or_else(|| Refusal::new(self.thread.op(), "is not run by thread blocks"))
    }

    /// An op of the nest as it is now.
    fn shown(&self) -> Op {
        if let Some(block) = self.block {
            return block.op();
        }
        let looped = self.looped.as_ref();
        let outside = looped.and_then(|looped| Some(looped.outside?.segmap));
        let parts = looped.and_then(|looped| Some(looped.parts?.around));
        outside.or(parts).unwrap_or(self.thread).op()
    }
}

impl Loop {
    /// The loop in a tile, and the segmap in whose points it is.
    fn innermost(&self, ir: &Ir, nest: Op) -> Result<(SegMapOp, ForOp), Refusal> {
        let segmap = self.outside.map(|outside| outside.segmap);
        let found = segmap.and_then(|segmap| Some((segmap, first_loop(ir, segmap)?)));
        found.ok_or_else(|| Refusal::new(nest, "has no loop in its points"))
    }
}

/// The first loop directly in the points of a segmap.
pub(crate) fn first_loop(ir: &Ir, segmap: SegMapOp) -> Option<ForOp> {
    ir.ops(segmap.body_block(ir))
        .find_map(|op| ir.cast::<ForOp>(op))
}

fn some(made: u64, nest: SegMapOp, otherwise: &str) -> Result<(), Refusal> {
    match made {
        0 => Err(Refusal::new(nest.op(), otherwise)),
        _ => Ok(()),
    }
}
