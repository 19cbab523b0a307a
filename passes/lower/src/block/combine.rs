//! Reductions and scans inside a point, by the threads of one thread block.
//!
//! One segment is combined by the whole block: lanes by shuffles, warps through a shared element each. Several segments
//! are shared out among the warps. Operands keep their order unless the operator is commutative. Where lanes hold an element
//! each of their warp's segment, neither memory nor a barrier is involved ([`super::own`]).

use super::ops::Inner;
use super::strides::Strides;
use crate::kernel::Kernel;
use crate::launch::{add, compare, constant, mul};
use crate::operator::{Operator, Order};
use crate::segmented::{
    Kind, WARP, load_all, reduce_lanes, scan_lanes, scan_row, shift_lanes, shuffle_all, shuffle_by,
    store_all, test,
};
use crate::state::Array;
use segra_gpu::attrs::ShuffleMode;
use segra_ir::{InsertPoint, Value};
use segra_kernel::segop::{Combiner, SegRedOp, SegScanOp};
use segra_std::arith::expr::unfold;
use segra_std::arith::{self, CmpIPredicate};

/// The block's numbers that loops here need.
#[derive(Clone, Copy)]
struct Threads {
    thread: Value,
    threads: Value,
    warp: Value,
    warps: Value,
    lane: Value,
}

/// `lower..upper`, and the lanes that combine it: a warp.
#[derive(Clone, Copy)]
struct Row {
    lower: Value,
    upper: Value,
    lane: Value,
}

impl Kernel<'_> {
    fn threads(&self) -> Option<Threads> {
        let block = self.block.as_ref()?;
        Some(Threads {
            thread: block.thread,
            threads: block.threads,
            warp: block.warp,
            warps: block.warps,
            lane: block.lane,
        })
    }

    pub(super) fn block_segred(&mut self, point: InsertPoint, segred: SegRedOp, mut inner: Inner) {
        let Some(threads) = self.threads() else {
            return;
        };
        let neutral = segred.neutral(self.ir);
        let combiner = Combiner::of(self.ir, inner.op);
        if combiner == Some(Combiner::Thread) {
            let (combine, results) = (segred.combine(self.ir), segred.results(self.ir));
            return self.block_arrays(point, (combine, &neutral), None, &results, inner);
        }
        let operator = Operator::new(self, segred.combine(self.ir), &neutral);
        let results = segred.results(self.ir);
        let by_lanes = self
            .own
            .as_ref()
            .is_some_and(|own| own.is_by_lanes(self.ir, inner.op));
        if by_lanes {
            return self.segred_by_lanes(point, &operator, &results, inner);
        }
        inner.place_all(self, point);
        self.begin_step(point);
        if combiner == Some(Combiner::Block) {
            let values = self
                .by_thread(|kernel| reduce_block(kernel, point, threads, &operator, &mut inner));
            for (&result, value) in results.iter().zip(values) {
                self.values.map(result, value);
            }
            // The warps' shared elements are read after the last barrier.
            self.enter_flow();
        } else {
            self.segred_by_warps(point, &operator, &results[..neutral.len()], &mut inner);
        }
        inner.bind(self);
    }

    /// Each warp combines a segment after the other; the results are stored for the others.
    fn segred_by_warps(
        &mut self,
        point: InsertPoint,
        operator: &Operator,
        results: &[Value],
        inner: &mut Inner,
    ) {
        let Some(threads) = self.threads() else {
            return;
        };
        let places: Vec<Array> = results
            .iter()
            .map(|&result| self.place_result(point, result, inner.outer().to_vec(), inner.op))
            .collect();
        self.for_segments(
            point,
            threads,
            inner,
            |kernel, point, inner, segment, number| {
                let upper = inner.sizes[inner.sizes.len() - 1];
                let lower = constant(&mut kernel.at(point), 0);
                let row = Row {
                    lower,
                    upper,
                    lane: threads.lane,
                };
                let values = reduce_row(kernel, point, row, operator, inner, segment);
                let first = test(kernel, point, CmpIPredicate::Eq, threads.lane, 0);
                kernel.when(point, Some(first), |kernel, point| {
                    for (place, &value) in places.iter().zip(&values) {
                        kernel.store_element(point, place, number, value);
                    }
                });
            },
        );
        self.end_step(point);
        for (&result, place) in results.iter().zip(places) {
            self.arrays.insert(result, place);
        }
    }

    /// Each warp combines what its lanes have; the result is a value of its threads, or stored for the others.
    fn segred_by_lanes(
        &mut self,
        point: InsertPoint,
        operator: &Operator,
        results: &[Value],
        mut inner: Inner,
    ) {
        let Some(threads) = self.threads() else {
            return;
        };
        let kept = results.iter().all(|&result| self.is_own(result));
        if !kept {
            self.begin_step(point);
        }
        let values = self.by_thread(|kernel| {
            let (warp, lane) = (threads.warp, threads.lane);
            let values = inner.element(kernel, point, &[warp], lane, operator.types.len());
            let first = reduce_lanes(kernel, point, operator, &values, WARP);
            shuffle_all(kernel, point, ShuffleMode::Idx, &first, 0)
        });
        if kept {
            for (&result, value) in results.iter().zip(values) {
                self.values.map(result, value);
            }
            return;
        }
        let mut places = Vec::new();
        for &result in results {
            places.push(self.place_result(point, result, inner.outer().to_vec(), inner.op));
        }
        let first = test(self, point, CmpIPredicate::Eq, threads.lane, 0);
        self.when(point, Some(first), |kernel, point| {
            for (place, &value) in places.iter().zip(&values) {
                kernel.store_element(point, place, threads.warp, value);
            }
        });
        self.end_step(point);
        self.arrays.extend(results.iter().copied().zip(places));
    }

    /// A loop over the segments, shared out among the warps: indices and number of the segment.
    fn for_segments(
        &mut self,
        point: InsertPoint,
        threads: Threads,
        inner: &mut Inner,
        body: impl FnOnce(&mut Self, InsertPoint, &mut Inner, &[Value], Value),
    ) {
        let segments = self.count(point, inner.outer());
        self.for_loop(
            point,
            (threads.warp, segments, threads.warps),
            &[],
            |kernel, point, number, _| {
                let outer = inner.sizes.len() - 1;
                let segment = unfold(&mut kernel.at(point), &inner.sizes[..outer], number);
                kernel.by_thread(|kernel| body(kernel, point, inner, &segment, number));
                Vec::new()
            },
        );
    }

    pub(super) fn block_segscan(
        &mut self,
        point: InsertPoint,
        segscan: SegScanOp,
        mut inner: Inner,
    ) {
        let Some(threads) = self.threads() else {
            return;
        };
        let neutral = segscan.neutral(self.ir);
        let kind = Kind::of(self.ir, segscan);
        let combiner = Combiner::of(self.ir, inner.op);
        if combiner == Some(Combiner::Thread) {
            let (combine, results) = (segscan.combine(self.ir), segscan.results(self.ir));
            return self.block_arrays(point, (combine, &neutral), Some(kind), &results, inner);
        }
        let operator = Operator::new(self, segscan.combine(self.ir), &neutral);
        let results = segscan.results(self.ir);
        inner.place_all(self, point);
        let places: Vec<Array> = results[..neutral.len()]
            .iter()
            .map(|&result| self.place_result(point, result, inner.extents.clone(), inner.op))
            .collect();
        self.begin_step(point);
        if combiner == Some(Combiner::Block) {
            self.by_thread(|kernel| {
                scan_block(
                    kernel,
                    point,
                    threads,
                    (&operator, kind),
                    &mut inner,
                    &places,
                );
            });
        } else {
            self.for_segments(
                point,
                threads,
                &mut inner,
                |kernel, point, inner, segment, _| {
                    scan_segment(
                        kernel,
                        point,
                        threads.lane,
                        (&operator, kind),
                        inner,
                        segment,
                        &places,
                    );
                },
            );
        }
        self.end_step(point);
        for (&result, place) in results.iter().zip(places) {
            self.arrays.insert(result, place);
        }
        inner.bind(self);
    }
}

/// Combines `lower..upper` of a segment by one warp; its first lane has the result.
fn reduce_row(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    row: Row,
    operator: &Operator,
    inner: &mut Inner,
    segment: &[Value],
) -> Vec<Value> {
    let combined = operator.types.len();
    let mut b = kernel.at(point);
    let step = constant(&mut b, WARP);
    if operator.order == Order::Any {
        let first = add(&mut b, row.lower, row.lane);
        let neutral = operator.neutral.clone();
        let own = kernel.for_loop(
            point,
            (first, row.upper, step),
            &neutral,
            |kernel, point, at, sums| {
                let values = inner.element(kernel, point, segment, at, combined);
                operator.apply(kernel, point, sums, &values)
            },
        );
        return reduce_lanes(kernel, point, operator, &own, WARP);
    }
    let neutral = operator.neutral.clone();
    kernel.for_loop(
        point,
        (row.lower, row.upper, step),
        &neutral,
        |kernel, point, base, sums| {
            let mut b = kernel.at(point);
            let at = add(&mut b, base, row.lane);
            let exists = compare(&mut b, CmpIPredicate::Slt, at, row.upper);
            let neutral = operator.neutral.clone();
            let values = kernel.if_else(
                point,
                exists,
                &operator.types,
                |kernel, point| inner.element(kernel, point, segment, at, combined),
                |_, _| neutral,
            );
            let tile = reduce_lanes(kernel, point, operator, &values, WARP);
            operator.apply(kernel, point, sums, &tile)
        },
    )
}

/// Combines one segment by the whole block; all threads have the result.
fn reduce_block(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    threads: Threads,
    operator: &Operator,
    inner: &mut Inner,
) -> Vec<Value> {
    let length = inner.sizes[0];
    let own = if operator.order == Order::Any {
        let combined = operator.types.len();
        let neutral = operator.neutral.clone();
        let Threads {
            thread, threads, ..
        } = threads;
        let strides = Strides {
            thread,
            threads,
            count: length,
            several: kernel.takes_several(inner),
        };
        let sums = kernel.for_strides(point, strides, &neutral, |kernel, point, at, sums| {
            let values = inner.element(kernel, point, &[], at, combined);
            operator.apply(kernel, point, sums, &values)
        });
        reduce_lanes(kernel, point, operator, &sums, WARP)
    } else {
        // Each warp takes consecutive elements, in whole rows.
        let mut b = kernel.at(point);
        let (one, width) = (constant(&mut b, 1), constant(&mut b, WARP));
        let last = arith::SubIOp::build(&mut b, threads.threads, one).result(b.ir);
        let up = add(&mut b, length, last);
        let rows = arith::DivUIOp::build(&mut b, up, threads.threads).result(b.ir);
        let part = mul(&mut b, rows, width);
        let lower = mul(&mut b, threads.warp, part);
        let end = add(&mut b, lower, part);
        let upper = arith::MinSIOp::build(&mut b, end, length).result(b.ir);
        let row = Row {
            lower,
            upper,
            lane: threads.lane,
        };
        reduce_row(kernel, point, row, operator, inner, &[])
    };
    let shared = publish(kernel, point, threads, operator, &own, 0);
    let totals = of_warps(kernel, point, threads, operator, &shared);
    let sum = reduce_lanes(kernel, point, operator, &totals, WARP);
    shuffle_all(kernel, point, ShuffleMode::Idx, &sum, 0)
}

/// Puts what one lane of each warp has into shared memory, for all threads to see.
fn publish(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    threads: Threads,
    operator: &Operator,
    values: &[Value],
    lane: i64,
) -> Vec<Value> {
    let shared = kernel.scratch_per_warp(&operator.types);
    let speaks = test(kernel, point, CmpIPredicate::Eq, threads.lane, lane);
    kernel.when(point, Some(speaks), |kernel, point| {
        store_all(kernel, point, &shared, values, threads.warp);
    });
    kernel.barrier(point);
    shared
}

/// In each warp, lane `i` gets what warp `i` has published.
fn of_warps(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    threads: Threads,
    operator: &Operator,
    shared: &[Value],
) -> Vec<Value> {
    let exists = compare(
        &mut kernel.at(point),
        CmpIPredicate::Ult,
        threads.lane,
        threads.warps,
    );
    let neutral = operator.neutral.clone();
    kernel.if_else(
        point,
        exists,
        &operator.types,
        |kernel, point| load_all(kernel, point, shared, threads.lane),
        |_, _| neutral,
    )
}

/// Scans one segment by the whole block, as many elements as it has threads at a time.
fn scan_block(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    threads: Threads,
    (operator, kind): (&Operator, Kind),
    inner: &mut Inner,
    places: &[Array],
) {
    let length = inner.sizes[0];
    let combined = operator.types.len();
    let zero = constant(&mut kernel.at(point), 0);
    let neutral = operator.neutral.clone();
    kernel.for_loop(
        point,
        (zero, length, threads.threads),
        &neutral,
        |kernel, point, base, carry| {
            let mut b = kernel.at(point);
            let at = add(&mut b, base, threads.thread);
            let exists = compare(&mut b, CmpIPredicate::Slt, at, length);
            let neutral = operator.neutral.clone();
            let values = kernel.if_else(
                point,
                exists,
                &operator.types,
                |kernel, point| inner.element(kernel, point, &[], at, combined),
                |_, _| neutral,
            );
            let scanned = scan_lanes(kernel, point, operator, &values, threads.lane);
            let own = match kind {
                Kind::Inclusive => scanned.clone(),
                Kind::Exclusive => {
                    shift_lanes(kernel, point, &scanned, threads.lane, &operator.neutral)
                }
            };
            let shared = publish(kernel, point, threads, operator, &scanned, WARP - 1);
            let totals = of_warps(kernel, point, threads, operator, &shared);
            let sums = scan_lanes(kernel, point, operator, &totals, threads.lane);
            let before = shift_lanes(kernel, point, &sums, threads.lane, &operator.neutral);
            let before = from_lane(kernel, point, &before, threads.warp);
            let all = shuffle_all(kernel, point, ShuffleMode::Idx, &sums, WARP as i32 - 1);
            let start = operator.apply(kernel, point, carry, &before);
            let prefixes = operator.apply(kernel, point, &start, &own);
            kernel.when(point, Some(exists), |kernel, point| {
                for (place, &value) in places.iter().zip(&prefixes) {
                    kernel.store_element(point, place, at, value);
                }
            });
            // The values that the warps have published are read before the next round overwrites it.
            kernel.barrier(point);
            operator.apply(kernel, point, carry, &all)
        },
    );
}

/// The values of the lane with this number.
fn from_lane(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    values: &[Value],
    lane: Value,
) -> Vec<Value> {
    let word = kernel.ir.ctx().i32();
    let mut b = kernel.at(point);
    let lane = arith::IndexCastOp::build(&mut b, lane, word).out(b.ir);
    values
        .iter()
        .map(|&value| shuffle_by(kernel, point, ShuffleMode::Idx, value, lane))
        .collect()
}

/// Scans one segment by one warp.
fn scan_segment(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    lane: Value,
    how: (&Operator, Kind),
    inner: &mut Inner,
    segment: &[Value],
    places: &[Array],
) {
    let upper = inner.sizes[inner.sizes.len() - 1];
    let combined = how.0.types.len();
    let mut b = kernel.at(point);
    let (zero, step) = (constant(&mut b, 0), constant(&mut b, WARP));
    let neutral = how.0.neutral.clone();
    kernel.for_loop(
        point,
        (zero, upper, step),
        &neutral,
        |kernel, point, base, carry| {
            let mut b = kernel.at(point);
            let at = add(&mut b, base, lane);
            let exists = compare(&mut b, CmpIPredicate::Slt, at, upper);
            let mut load = |kernel: &mut Kernel<'_>, point: InsertPoint| {
                inner.element(kernel, point, segment, at, combined)
            };
            let (prefixes, next) = scan_row(kernel, point, how, lane, carry, exists, &mut load);
            let mut index = segment.to_vec();
            index.push(at);
            let number = inner.number(kernel, point, &index);
            kernel.when(point, Some(exists), |kernel, point| {
                for (place, &value) in places.iter().zip(&prefixes) {
                    kernel.store_element(point, place, number, value);
                }
            });
            next
        },
    );
}
