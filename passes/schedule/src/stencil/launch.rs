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
//! That is latency, of tiles that run all at the same time; of more, `s` is as many times as long (`s` with `t` tiles, of which `m`
//! keep the device busy: `s max(t, m) / m`). Where that does not pay, full tiles are counted: of those, single steps take as long.

use super::find::Stencil;
use crate::choice::{Answer, Threshold, all_tiles, full_tiles, is_in_loop};
use segra_ir::{Builder, Op, OpView, Value};
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
        let sizes = stencil.segmap.sizes(b.ir);
        Tiles {
            full: full_tiles(b, &sizes, tile),
            all: all_tiles(b, &sizes, tile),
        }
    }

    /// Whether there are `enough` tiles, a threshold of this name: full ones; but where their launches `pay`, each counts as `enough`.
    pub(super) fn threshold(
        &self,
        b: &mut Builder<'_>,
        pays: &Answer,
        (name, enough): (String, i64),
    ) -> Threshold {
        Threshold {
            size: self.compared(b, pays, enough),
            name,
            default: enough,
        }
    }

    fn compared(&self, b: &mut Builder<'_>, pays: &Answer, enough: i64) -> Value {
        if let Answer::Known(false) = pays {
            return self.full;
        }
        let enough = index::constant(b, enough);
        let weighed = index::mul(b, self.all, enough);
        match *pays {
            Answer::Asked(condition) => {
                SelectOp::build(b, condition, weighed, self.full).result(b.ir)
            }
            Answer::Known(_) => weighed,
        }
    }

    /// Cycles of all tiles together where one alone takes so many.
    fn cycles(&self, b: &mut Builder<'_>, of_one: i64) -> Value {
        let [of_one, at_once] =
            [of_one, Target::CUDA.busy_blocks].map(|value| index::constant(b, value));
        let all = index::max(b, self.all, at_once);
        let cycles = index::mul(b, all, of_one);
        index::div(b, cycles, at_once)
    }

    /// Whether a loop's steps, of so many cycles in a tile and so many in a kernel, take less time than the launches of single ones.
    pub(super) fn steps_pay(
        &self,
        b: &mut Builder<'_>,
        (looped, count): (ForOp, Value),
        (cycles, at_once): (i64, i64),
    ) -> Answer {
        let each = self.cycles(b, cycles);
        let launch = index::constant(b, ALONE / at_once);
        let each = index::add(b, each, launch);
        let [alone, in_graph] = [ALONE, IN_GRAPH].map(|value| index::constant(b, value));
        if is_in_loop(b.ir, looped.op()) {
            let pays = index::cmp(b, CmpIPredicate::Sle, each, in_graph);
            return Answer::of(b.ir, pays);
        }
        let [batch, twice] = [BATCH, 2 * BATCH].map(|value| index::constant(b, value));
        let fewer = index::sub(b, count, batch);
        let few = index::cmp(b, CmpIPredicate::Slt, count, twice);
        let graphs = index::mul(b, fewer, in_graph);
        let before = index::mul(b, batch, alone);
        let (single, batches) = (index::mul(b, count, alone), index::add(b, graphs, before));
        let single = match Answer::of(b.ir, few) {
            Answer::Known(true) => single,
            Answer::Known(false) => batches,
            Answer::Asked(few) => SelectOp::build(b, few, single, batches).result(b.ir),
        };
        let all = index::mul(b, count, each);
        let pays = index::cmp(b, CmpIPredicate::Slt, all, single);
        Answer::of(b.ir, pays)
    }

    /// Whether stencils that feed one another, so many and of so many cycles each in a tile, take less time than a launch for each.
    pub(super) fn chain_pays(
        &self,
        b: &mut Builder<'_>,
        last: Op,
        (cycles, stages): (i64, usize),
    ) -> Answer {
        let launch = match is_in_loop(b.ir, last) {
            true => IN_GRAPH,
            false => ALONE,
        };
        let stages = stages as i64;
        let all = self.cycles(b, stages * cycles);
        let saved = index::constant(b, (stages - 1) * launch);
        let pays = index::cmp(b, CmpIPredicate::Sle, all, saved);
        Answer::of(b.ir, pays)
    }
}

/// So many tiles are enough for a kernel with so many cycles for a step of one: any where a step takes less than a launch in a graph.
pub(super) fn default(cycles: i64, enough: i64) -> i64 {
    match cycles < IN_GRAPH {
        true => enough.min(1),
        false => enough,
    }
}
