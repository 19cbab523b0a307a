//! Cycles as sums of products of extents: those that are waited for one after another, and those of all instructions.

use crate::estimate::LANES;
use crate::point::{add, index_constant, multiply};
use segra_ir::{Builder, Value};
use segra_std::arith;

/// Cycles of instructions one after another that a GPU gets through in one: 132 processors issue 4 in each, and a warp's next one
/// comes 4 later.
const AT_ONCE: i64 = 132 * 4 * 4;

/// A sum of products.
#[derive(Default)]
struct Sum(Vec<(Vec<Value>, i64)>);

impl Sum {
    fn add(&mut self, extents: Vec<Value>, number: i64) {
        match self.0.iter_mut().find(|(of, _)| *of == extents) {
            Some((_, all)) => *all = all.saturating_add(number),
            None => self.0.push((extents, number)),
        }
    }

    fn emit(&self, b: &mut Builder<'_>) -> Value {
        let mut sum = None;
        for (extents, number) in &self.0 {
            let mut term = index_constant(b, *number);
            for &extent in extents {
                term = multiply(b, extent, term);
            }
            sum = Some(match sum {
                None => term,
                Some(before) => add(b, before, term),
            });
        }
        sum.unwrap_or_else(|| index_constant(b, 0))
    }
}

/// Cycles of a version.
#[derive(Default)]
pub(crate) struct Cycles {
    latency: Sum,
    /// Of the instructions of all warps, one after another.
    issued: Sum,
}

impl Cycles {
    /// Something is waited for.
    pub(crate) fn wait(&mut self, times: &Times, cycles: i64) {
        let cycles = cycles.saturating_mul(times.constant);
        self.latency.add(times.extents.clone(), cycles);
    }

    /// Instructions that take so long one after another.
    pub(crate) fn execute(&mut self, times: &Times, cycles: i64) {
        self.wait(times, cycles);
        self.issue(times, cycles);
    }

    /// Instructions that others wait for, or that are hidden behind them.
    pub(crate) fn issue(&mut self, times: &Times, cycles: i64) {
        let Some(warps) = times.warps else {
            return;
        };
        let mut extents = times.extents.clone();
        extents.push(warps);
        self.issued
            .add(extents, cycles.saturating_mul(times.constant));
    }

    /// Those of a warp or thread block.
    pub(crate) fn latency(&self, b: &mut Builder<'_>) -> Value {
        self.latency.emit(b)
    }

    /// Those for which the instructions of all warps keep a GPU busy.
    pub(crate) fn throughput(&self, b: &mut Builder<'_>) -> Value {
        if self.issued.0.is_empty() {
            return index_constant(b, 0);
        }
        let issued = self.issued.emit(b);
        let at_once = index_constant(b, AT_ONCE);
        arith::DivUIOp::build(b, issued, at_once).result(b.ir)
    }
}

/// How often something is done: a number times extents.
#[derive(Clone)]
pub(crate) struct Times {
    pub(crate) extents: Vec<Value>,
    pub(crate) constant: i64,
    /// Threads of a warp that have an element of a segment, where the warp takes turns for segments: short ones lie in a line
    /// of memory with the next ones.
    pub(crate) busy: Option<Value>,
    /// Thread blocks that do it at a time, where their number is known outside of the choice.
    pub(crate) blocks: Option<Value>,
    /// Warps that do it, where their number is.
    pub(crate) warps: Option<Value>,
}

impl Times {
    pub(crate) fn once() -> Times {
        Times {
            extents: Vec::new(),
            constant: 1,
            busy: None,
            blocks: None,
            warps: None,
        }
    }

    /// The same as often as there is a busy thread.
    pub(crate) fn for_each(&self, busy: Value) -> Times {
        let mut times = self.clone();
        times.extents.push(busy);
        times
    }
}

/// Warps of so many threads.
pub(crate) fn in_warps(b: &mut Builder<'_>, threads: Value) -> Value {
    let lanes = index_constant(b, LANES);
    arith::CeilDivSIOp::build(b, threads, lanes).result(b.ir)
}
