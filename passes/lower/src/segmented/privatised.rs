//! Histograms of a thread block in shared memory.
//!
//! By atomics, all threads of the block take elements. Where values need locks it is one warp, and the locks are taken in
//! the order of the elements: lanes claim their bins by an atomic maximum; of the lanes with one bin the first wins, and the
//! others go again. Values of the same elements that atomics do do not wait for that.

use super::hist::{Hist, chosen};
use super::lanes::{WARP, any_lane, split, word};
use super::{load_all, store_all};
use crate::access::{atomic, load, store};
use crate::kernel::Kernel;
use crate::launch::{add, compare, constant, mul};
use crate::operator::Operator;
use segra_ir::{InsertPoint, Value};
use segra_std::arith::{self, CmpIPredicate};
use segra_std::memref::AtomicRmwKind;

/// A thread block's histogram of a range of bins in shared memory.
pub(super) struct Privatised<'a> {
    hist: &'a Hist,
    operator: &'a Operator,
    pub(super) histogram: Vec<Value>,
    /// Per bin the highest claim so far; of locked updates.
    claims: Option<Value>,
    /// First bin of the range, and how many there are at most.
    first: Value,
    capacity: i64,
    /// Bins of the segment.
    bins: Value,
    thread: Value,
    threads: i64,
}

impl<'a> Privatised<'a> {
    /// An empty histogram.
    pub(super) fn new(
        kernel: &mut Kernel<'_>,
        hist: &'a Hist,
        operator: &'a Operator,
        (range, capacity): (Value, i64),
        thread: Value,
        threads: i64,
    ) -> Privatised<'a> {
        let ctx = kernel.ir.context();
        let histogram: Vec<Value> = operator
            .types
            .iter()
            .map(|&ty| kernel.shared(capacity, ty))
            .collect();
        let claims = (!hist.shared.locked.is_empty()).then(|| kernel.shared(capacity, ctx.i32()));
        let bins = kernel.scalar(hist.bins);
        let mut b = kernel.builder();
        let width = constant(&mut b, capacity);
        let first = mul(&mut b, range, width);
        let block = Privatised {
            hist,
            operator,
            histogram,
            claims,
            first,
            capacity,
            bins,
            thread,
            threads,
        };
        block.for_bins(kernel, |kernel, point, at, _| {
            store_all(kernel, point, &block.histogram, &operator.neutral, at);
            if let Some(claims) = block.claims {
                let mut b = kernel.at(point);
                let none = word(&mut b, -1);
                store(&mut b, none, claims, at);
            }
        });
        let entry = InsertPoint::End(kernel.entry);
        kernel.barrier(entry);
        block
    }

    /// Shares the bins of the range out among the threads: place in the histogram, number of the bin.
    pub(super) fn for_bins(
        &self,
        kernel: &mut Kernel<'_>,
        body: impl FnOnce(&mut Kernel<'_>, InsertPoint, Value, Value),
    ) {
        let entry = InsertPoint::End(kernel.entry);
        let mut b = kernel.builder();
        let (capacity, step) = (
            constant(&mut b, self.capacity),
            constant(&mut b, self.threads),
        );
        let left = arith::SubIOp::build(&mut b, self.bins, self.first).result(b.ir);
        let upper = arith::MinSIOp::build(&mut b, left, capacity).result(b.ir);
        kernel.for_loop(
            entry,
            (self.thread, upper, step),
            &[],
            |kernel, point, at, _| {
                let bin = add(&mut kernel.at(point), self.first, at);
                body(kernel, point, at, bin);
                Vec::new()
            },
        );
    }

    /// Combines values into their bin where it is in this range. `round` counts the rounds of locking.
    pub(super) fn change(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        bin: Value,
        values: &[Value],
        round: Value,
    ) -> Value {
        let mut b = kernel.at(point);
        let at = arith::SubIOp::build(&mut b, bin, self.first).result(b.ir);
        let capacity = constant(&mut b, self.capacity);
        let (zero, inside) = (
            constant(&mut b, 0),
            compare(&mut b, CmpIPredicate::Ult, at, capacity),
        );
        let exists = compare(&mut b, CmpIPredicate::Sge, bin, zero);
        let here = arith::AndIOp::build(&mut b, inside, exists).result(b.ir);
        let Hist {
            atomics, shared, ..
        } = self.hist;
        if !shared.atomic.is_empty() {
            kernel.when(point, Some(here), |kernel, point| {
                for &index in &shared.atomic {
                    atomics.update(kernel, point, index, values, (self.histogram[index], at));
                }
            });
        }
        match self.claims {
            Some(claims) => self.change_locked(kernel, point, at, here, values, claims, round),
            None => round,
        }
    }

    /// Rounds until no lane is left. A claim is the number of the round, then the lane backwards, so that claims of
    /// earlier rounds need not be taken back and the first lane of a bin wins.
    #[expect(
        clippy::too_many_arguments,
        reason = "the state of one step; a struct for it would be used once"
    )]
    fn change_locked(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        at: Value,
        here: Value,
        values: &[Value],
        claims: Value,
        round: Value,
    ) -> Value {
        let ctx = kernel.ir.context();
        let mut b = kernel.at(point);
        let (_, lane) = split(&mut b, self.thread, WARP);
        let lane = arith::IndexCastOp::build(&mut b, lane, ctx.i32()).out(b.ir);
        let last = word(&mut b, WARP as i32 - 1);
        let backwards = arith::SubIOp::build(&mut b, last, lane).result(b.ir);
        let types = [ctx.i1(), ctx.i32()];
        let ended = kernel.while_loop(
            point,
            &[here, round],
            &types,
            |kernel, point, state| (any_lane(kernel, point, state[0]), state.to_vec()),
            |kernel, point, state| {
                let (pending, round) = (state[0], state[1]);
                let mut b = kernel.at(point);
                let width = word(&mut b, WARP as i32);
                let claim = arith::MulIOp::build(&mut b, round, width).result(b.ir);
                let claim = arith::AddIOp::build(&mut b, claim, backwards).result(b.ir);
                kernel.when(point, Some(pending), |kernel, point| {
                    atomic(
                        &mut kernel.at(point),
                        AtomicRmwKind::Maxs,
                        claim,
                        claims,
                        at,
                    );
                });
                kernel.barrier(point);
                let wins = kernel.if_else(
                    point,
                    pending,
                    &[ctx.i1()],
                    |kernel, point| {
                        let mut b = kernel.at(point);
                        let highest = load(&mut b, claims, &[at]);
                        vec![compare(&mut b, CmpIPredicate::Eq, highest, claim)]
                    },
                    |_, _| vec![pending],
                )[0];
                kernel.when(point, Some(wins), |kernel, point| {
                    let locked = &self.hist.shared.locked;
                    let bins = chosen(&self.histogram, locked);
                    let old = load_all(kernel, point, &bins, at);
                    let values = chosen(values, locked);
                    let new = self.operator.apply_to(kernel, point, locked, &old, &values);
                    store_all(kernel, point, &bins, &new, at);
                });
                kernel.barrier(point);
                let mut b = kernel.at(point);
                let left = arith::XOrIOp::build(&mut b, pending, wins).result(b.ir);
                let one = word(&mut b, 1);
                vec![left, arith::AddIOp::build(&mut b, round, one).result(b.ir)]
            },
        );
        ended[1]
    }
}
