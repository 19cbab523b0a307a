//! `loop-invariant-code-motion`: what a loop computes anew each time from values of the outside is computed once.
//!
//! ```text
//! scf.for %i = %lo to %hi step %s {            %p = arith.muli %a, %b : i32
//!   %p = arith.muli %a, %b : i32        ->     scf.for %i = %lo to %hi step %s {
//!   "use"(%p, %i)                                "use"(%p, %i)
//! }                                            }
//! ```
//! Legality: the op uses only values from outside the loop, has no effect, and may run although the loop may not
//! (`is_speculatable`: a division by something unknown stays). Inner loops first, so that an op leaves as many loops as
//! it can. Ops with regions move as a whole.
//! Limits: loads stay, whatever is stored; loops made of branches between blocks are not seen.

use segra_ir::dominance::Dominance;
use segra_ir::interfaces::{LoopLike, is_pure, is_speculatable};
use segra_ir::{Ir, Op, Region, Trait, Value};
use segra_pass::{Anchors, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options};

pass_options! {
    /// The pass `loop-invariant-code-motion`.
    pub struct LoopInvariantCodeMotion {}
}

const INFO: PassInfo = PassInfo {
    name: "loop-invariant-code-motion",
    summary: "move what a loop computes the same each time before it",
    reads: &["*"],
    writes: &[],
    anchors: Anchors::Any,
};

impl Pass for LoopInvariantCodeMotion {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let mut loops: Vec<Op> = Vec::new();
        ir.walk_with(op, &mut |inner| {
            if inner != op && ir.interface::<dyn LoopLike>(inner).is_some() {
                loops.push(inner);
            }
        });
        let mut moved = 0;
        // Each op stands before what is inside it: backwards, inner loops come first.
        for looped in loops.into_iter().rev() {
            moved += hoist(ir, looped);
        }
        cx.count("ops moved", moved);
        // Ops move, blocks and branches stay.
        Ok(if moved == 0 {
            Outcome::unchanged()
        } else {
            Outcome::changed().preserving::<Dominance>()
        })
    }
}

/// Moves what it can out of one loop. How many ops moved.
fn hoist(ir: &mut Ir, looped: Op) -> u64 {
    let Some(model) = ir.interface::<dyn LoopLike>(looped) else {
        return 0;
    };
    let mut moved = 0;
    for region in model.loop_regions(ir, looped) {
        // Ops directly in the region; what is inside them moves with them or stays. An op that leaves makes others
        // movable only if they come after it in the order of dominance, which the order of blocks need not be: only
        // blocks that are reached before others are looked at first.
        for block in segra_ir::dominance::reverse_post_order_of(ir, region) {
            let mut at = ir.first_op(block);
            while let Some(op) = at {
                at = ir.next_op(op);
                if may_leave(ir, op, region) {
                    ir.move_before(op, looped);
                    moved += 1;
                }
            }
        }
    }
    moved
}

fn may_leave(ir: &Ir, op: Op, region: Region) -> bool {
    !ir.has_trait(op, Trait::Terminator)
        && uses_only_outside(ir, op, region)
        && is_pure(ir, op)
        && is_speculatable(ir, op)
}

/// Whether all values used by `op` and inside it come from outside `region` or from inside `op`.
fn uses_only_outside(ir: &Ir, op: Op, region: Region) -> bool {
    if ir.regions(op).is_empty() {
        return ir
            .operands(op)
            .all(|value| !is_inside(ir, value, region, None));
    }
    ir.walk(op).into_iter().all(|inner| {
        ir.operands(inner)
            .all(|value| !is_inside(ir, value, region, Some(op)))
    })
}

/// Whether a value is defined in `region` (however deep), but not inside `except`.
fn is_inside(ir: &Ir, value: Value, region: Region, except: Option<Op>) -> bool {
    let mut at = ir
        .value_block(value)
        .and_then(|block| ir.block_region(block));
    while let Some(around) = at {
        if around == region {
            return true;
        }
        let Some(parent) = ir.region_parent(around) else {
            return false;
        };
        if Some(parent) == except {
            return false;
        }
        at = ir.block_of(parent).and_then(|block| ir.block_region(block));
    }
    false
}
