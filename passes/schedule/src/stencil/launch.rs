//! The launches that one kernel for several steps, or for several stencils, saves, in cycles of the simulator's H100
//! (`crates/ptx/src/profile/machine.rs`: 3 us for a launch and 1 us for one of a graph at 1830 MHz; a first read and a last write of 260
//! cycles each in L2 cache).
//!
//! The runtime makes a graph only of a batch of [`BATCH`] steps that comes again (`crates/runtime`, `exec/queue.rs` and
//! `schedule/graphs.rs`). So the steps of a loop that stands alone cost, with `s` cycles for a step in a tile and `k` steps in a kernel:
//!
//! ```text
//! n steps, n < 2 BATCH    one by one: n ALONE                              by k: n (s + ALONE / k)
//! more of them            one by one: BATCH ALONE + (n - BATCH) IN_GRAPH   by k: n (s + ALONE / k)
//! ```
//! A loop in a loop of the host has only the cost in a graph, since its batches come again. Stencils that feed one another cost `ALONE` each one by
//! one, or `IN_GRAPH` in a loop, and together that once and `s` each.
//!
//! That is latency: of tiles that run all at the same time. Where there are more of them, full ones are counted.

use super::find::Stencil;
use super::{all_tiles, full_tiles};
use crate::choice::{Answer, Threshold};
use segra_ir::interfaces::LoopLike;
use segra_ir::{Builder, Ir, Op, OpView, Value};
use segra_space::Target;
use segra_std::arith::{CmpIPredicate, SelectOp, index};
use segra_std::scf::ForOp;

/// Cycles of a launch by itself, and as part of a graph.
const ALONE: i64 = 3 * 1_830 + 2 * 260;
const IN_GRAPH: i64 = 1_830 + 2 * 260;
/// Steps that the runtime hands to the device at once.
const BATCH: i64 = 32;

/// How many tiles there are.
pub(super) struct Tiles {
    full: Value,
    /// With those that are not full.
    all: Value,
}

impl Tiles {
    pub(super) fn of(b: &mut Builder<'_>, stencil: &Stencil, tile: &[i64]) -> Tiles {
        Tiles {
            full: full_tiles(b, stencil, tile),
            all: all_tiles(b, stencil, tile),
        }
    }

    /// Whether there are `enough` tiles, a threshold of this name, or any where a step of a tile takes less than a launch in a graph:
    /// full ones; but where one tile pays and all of them run at the same time, each counts as `enough`.
    pub(super) fn threshold(
        &self,
        b: &mut Builder<'_>,
        (pays, cycles): (&Answer, i64),
        (name, enough): (String, i64),
    ) -> Threshold {
        let default = match cycles < IN_GRAPH {
            true => enough.min(1),
            false => enough,
        };
        Threshold {
            size: self.compared(b, pays, default),
            name,
            default,
        }
    }

    fn compared(&self, b: &mut Builder<'_>, pays: &Answer, enough: i64) -> Value {
        let pays = match *pays {
            Answer::Known(false) => return self.full,
            Answer::Known(true) => None,
            Answer::Asked(condition) => Some(condition),
        };
        let most = index::constant(b, Target::CUDA.busy_blocks);
        let together = index::cmp(b, CmpIPredicate::Sle, self.all, most);
        let mut answer = Answer::of(b.ir, together);
        if let Some(condition) = pays {
            answer = answer.and(Answer::Asked(condition), b);
        }
        let enough = index::constant(b, enough);
        let weighed = index::mul(b, self.all, enough);
        match answer {
            Answer::Known(true) => weighed,
            Answer::Known(false) => self.full,
            Answer::Asked(condition) => {
                SelectOp::build(b, condition, weighed, self.full).result(b.ir)
            }
        }
    }
}

/// Whether an op is in a loop of the host.
fn is_in_loop(ir: &Ir, op: Op) -> bool {
    ir.ancestors(op)
        .filter(|&around| around != op)
        .any(|around| ir.interface::<dyn LoopLike>(around).is_some())
}

/// Whether a tile's steps, of so many cycles and so many in a kernel, take less time than the launches of single ones.
pub(super) fn steps_pay(
    b: &mut Builder<'_>,
    looped: ForOp,
    count: Value,
    (cycles, at_once): (i64, i64),
) -> Answer {
    let each = cycles + ALONE / at_once;
    if each <= IN_GRAPH {
        return Answer::Known(true);
    }
    if each >= ALONE || is_in_loop(b.ir, looped.op()) {
        return Answer::Known(false);
    }
    let until = BATCH * (ALONE - IN_GRAPH) / (each - IN_GRAPH);
    let until = index::constant(b, until.max(2 * BATCH));
    let few = index::cmp(b, CmpIPredicate::Slt, count, until);
    Answer::of(b.ir, few)
}

/// Whether a tile's stencils that feed one another, so many and of so many cycles each, take less time than a launch for each.
pub(super) fn chain_pays(ir: &Ir, last: Op, (cycles, stages): (i64, usize)) -> bool {
    let launch = match is_in_loop(ir, last) {
        true => IN_GRAPH,
        false => ALONE,
    };
    let stages = stages as i64;
    stages * cycles + launch <= stages * launch
}
