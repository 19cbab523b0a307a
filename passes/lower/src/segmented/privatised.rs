//! Histograms of a thread block in shared memory.
//!
//! By atomics, all threads of the block take elements. Where values need locks it is one warp, and the locks are taken in
//! the order of the elements: lanes claim their bins by an atomic maximum; of the lanes with one bin the first wins, and the
//! others go again. Values of the same elements that atomics do do not wait for that. Few bins have several places each, as
//! many as there is space for, one for every so many lanes: of 2 bins a warp would go 16 times. The values at the
//! places of a bin are combined at the end, in their order.

use super::hist::{Hist, chosen};
use super::lanes::{WARP, any_lane, split, word};
use super::{load_all, store_all};
use crate::access::{atomic, load, store};
use crate::kernel::Kernel;
use crate::launch::{add, compare, constant, mul};
use crate::operator::Operator;
use segra_ir::{Builder, InsertPoint, Value};
use segra_std::arith::{self, CmpIPredicate};
use segra_std::memref::AtomicRmwKind;

/// A thread block's histogram of a range of bins in shared memory.
pub(super) struct Privatised<'a> {
    pub(super) hist: &'a Hist,
    pub(super) operator: &'a Operator,
    histogram: Vec<Value>,
    /// Per place the highest claim so far; of locked updates.
    claims: Option<Value>,
    /// Of locked updates: how many places a bin has.
    places: Option<Places>,
    /// First bin of the range, and how many there are at most.
    first: Value,
    capacity: i64,
    /// Bins of the segment.
    bins: Value,
    thread: Value,
    threads: i64,
}

/// The places of a bin.
pub(super) struct Places {
    /// Their number is 2 to this power, as an index.
    log: Value,
    count: Value,
    /// Which of them is the lane's.
    own: Value,
}

impl Places {
    /// How many places bins have, of `capacity`, for a part of so many elements, which are no fewer than the places: the
    /// logarithm of their number, on the host.
    pub(super) fn log(b: &mut Builder<'_>, bins: Value, capacity: i64, elements: Value) -> Value {
        let mut log = constant(b, 0);
        let space = constant(b, capacity);
        let space = arith::MinSIOp::build(b, space, elements).result(b.ir);
        for more in 1..=WARP.ilog2() {
            let more = constant(b, more.into());
            let fitting = arith::ShRUIOp::build(b, space, more).result(b.ir);
            let fits = compare(b, CmpIPredicate::Sle, bins, fitting);
            log = arith::SelectOp::build(b, fits, more, log).result(b.ir);
        }
        log
    }

    /// Of the kernel's threads; `log` is on the host.
    fn of(kernel: &mut Kernel<'_>, log: Value, thread: Value) -> Places {
        let log = kernel.scalar(log);
        let mut b = kernel.builder();
        let (one, lanes) = (constant(&mut b, 1), constant(&mut b, WARP));
        let count = arith::ShLIOp::build(&mut b, one, log).result(b.ir);
        let lane = arith::RemUIOp::build(&mut b, thread, lanes).result(b.ir);
        let last = arith::SubIOp::build(&mut b, count, one).result(b.ir);
        let own = arith::AndIOp::build(&mut b, lane, last).result(b.ir);
        Places { log, count, own }
    }

    /// The first place of a bin.
    fn first(&self, b: &mut Builder<'_>, bin: Value) -> Value {
        arith::ShLIOp::build(b, bin, self.log).result(b.ir)
    }
}

impl<'a> Privatised<'a> {
    /// An empty histogram.
    pub(super) fn new(
        kernel: &mut Kernel<'_>,
        hist: &'a Hist,
        operator: &'a Operator,
        (range, capacity): (Value, i64),
        places: Option<Value>,
        (thread, threads): (Value, i64),
    ) -> Privatised<'a> {
        let ctx = kernel.ir.context();
        let histogram: Vec<Value> = operator
            .types
            .iter()
            .map(|&ty| kernel.shared(capacity, ty))
            .collect();
        let claims = hist.in_order().then(|| kernel.shared(capacity, ctx.i32()));
        let bins = kernel.scalar(hist.bins);
        let places = places.map(|log| Places::of(kernel, log, thread));
        let mut b = kernel.builder();
        let width = constant(&mut b, capacity);
        let first = mul(&mut b, range, width);
        let block = Privatised {
            hist,
            operator,
            histogram,
            claims,
            places,
            first,
            capacity,
            bins,
            thread,
            threads,
        };
        block.for_places(kernel, |kernel, point, at| {
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

    /// Shares the bins of the range out among the threads: number in the range, number of the bin.
    pub(super) fn for_bins(
        &self,
        kernel: &mut Kernel<'_>,
        body: impl FnOnce(&mut Kernel<'_>, InsertPoint, Value, Value),
    ) {
        let upper = self.in_range(kernel);
        self.shared_out(kernel, upper, |kernel, point, at| {
            let bin = add(&mut kernel.at(point), self.first, at);
            body(kernel, point, at, bin);
        });
    }

    /// The same of the places of the bins.
    fn for_places(
        &self,
        kernel: &mut Kernel<'_>,
        body: impl FnOnce(&mut Kernel<'_>, InsertPoint, Value),
    ) {
        let mut upper = self.in_range(kernel);
        if let Some(places) = &self.places {
            upper = places.first(&mut kernel.builder(), upper);
        }
        self.shared_out(kernel, upper, body);
    }

    /// How many bins the range has.
    fn in_range(&self, kernel: &mut Kernel<'_>) -> Value {
        let mut b = kernel.builder();
        let capacity = constant(&mut b, self.capacity);
        let left = arith::SubIOp::build(&mut b, self.bins, self.first).result(b.ir);
        arith::MinSIOp::build(&mut b, left, capacity).result(b.ir)
    }

    fn shared_out(
        &self,
        kernel: &mut Kernel<'_>,
        upper: Value,
        body: impl FnOnce(&mut Kernel<'_>, InsertPoint, Value),
    ) {
        let entry = InsertPoint::End(kernel.entry);
        let step = constant(&mut kernel.builder(), self.threads);
        kernel.for_loop(
            entry,
            (self.thread, upper, step),
            &[],
            |kernel, point, at, _| {
                body(kernel, point, at);
                Vec::new()
            },
        );
    }

    /// The values of a bin, by its number in the range.
    pub(super) fn values(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        at: Value,
    ) -> Vec<Value> {
        let Some(places) = &self.places else {
            return load_all(kernel, point, &self.histogram, at);
        };
        let mut b = kernel.at(point);
        let first = places.first(&mut b, at);
        let one = constant(&mut b, 1);
        let lower = add(&mut b, first, one);
        let upper = add(&mut b, first, places.count);
        let start = load_all(kernel, point, &self.histogram, first);
        kernel.for_loop(
            point,
            (lower, upper, one),
            &start,
            |kernel, point, place, sums| {
                let values = load_all(kernel, point, &self.histogram, place);
                self.operator.apply(kernel, point, sums, &values)
            },
        )
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
        let at = match &self.places {
            Some(places) => {
                let first = places.first(&mut b, at);
                add(&mut b, first, places.own)
            }
            None => at,
        };
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
