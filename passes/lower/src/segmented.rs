//! segred and segscan: one thread block per segment, or per chunk of a single segment.
//!
//! In a thread block of T threads: a reduction first combines in registers (each thread every T-th element where the
//! operator is commutative, else T-th part of consecutive elements), then as a tree in shared memory, neighbours first
//! where order counts. A scan goes tile by tile of T elements (Hillis and Steele in shared memory) with a carry.
//! Barriers stand only in code all threads of a block run the same number of times.
//!
//! A reduction without outer dimensions runs in two kernels (chunks, then their results), a scan in three (sums of
//! chunks, their scan, chunks with what comes before them).

use crate::function::{Lowering, MODULE};
use crate::kernel::{Kernel, linear_index, load, store};
use crate::launch::{Chunks, Extent, Launch, add, compare, constant, mul};
use crate::operator::{Operator, Order};
use segra_ir::{InsertPoint, Op, OpView, Region, Value};
use segra_kernel::segop::{SegRedOp, SegScanOp};
use segra_space::{Chain, Combinator, Strategy};
use segra_std::arith::CmpIPredicate;

/// What both ops say.
struct Segmented {
    op: Op,
    sizes: Vec<Value>,
    neutral: Vec<Value>,
    body: Region,
    combine: Region,
    name: &'static str,
}

/// Where a thread block's elements come from.
struct Elements<'a> {
    /// How many.
    count: Value,
    /// Values of the `at`-th element; also stores what is stored per element.
    load: &'a mut dyn FnMut(&mut Kernel<'_>, InsertPoint, Value) -> Vec<Value>,
}

/// One thread block per segment: outer dimensions folded into the grid, the innermost dimension its threads.
fn block_per_segment(outer: usize) -> Strategy {
    let mut chain = Vec::new();
    if outer > 1 {
        let mut threads_first = vec![outer];
        threads_first.extend(0..outer);
        chain.push(Combinator::Permute(threads_first));
        chain.extend(std::iter::repeat_n(Combinator::FoldLast2, outer - 1));
        chain.push(Combinator::Permute(vec![1, 0]));
    }
    Strategy::Explicit(Chain::new(chain, 1))
}

impl Lowering<'_> {
    pub(crate) fn segred(&mut self, segred: SegRedOp) -> Option<()> {
        let segmented = Segmented {
            op: segred.op(),
            sizes: segred.sizes(self.ir),
            neutral: segred.neutral(self.ir),
            body: segred.body(self.ir),
            combine: segred.combine(self.ir),
            name: "segred",
        };
        let op = segmented.op;
        let (&inner, outer) = segmented.sizes.split_last()?;
        let reduced = segmented.neutral.len();
        let results = self.ir.num_results(op);
        let mut outputs = self.allocate_results(op, outer, reduced, 0);
        outputs.extend(self.allocate_results(op, &segmented.sizes, results - reduced, reduced));
        if outer.is_empty() && results == reduced {
            let partial = self.chunk_sums(&segmented, inner)?;
            self.combine_partials(&segmented, &partial, &outputs)?;
        } else {
            self.reduce_segments(&segmented, inner, outer, &outputs)?;
        }
        self.replace_reduced(op, &outputs, &segmented.sizes, reduced);
        Some(())
    }

    /// Each thread block reduces one segment.
    fn reduce_segments(
        &mut self,
        seg: &Segmented,
        inner: Value,
        outer: &[Value],
        outputs: &[Value],
    ) -> Option<()> {
        let threads = self.options.block_size;
        let launch = self.segment_launch(seg.op, outer, threads)?;
        let mut kernel = self.kernel(seg.op, seg.name);
        kernel.capture(&[seg.body, seg.combine]);
        let operator = Operator::new(&mut kernel, seg.combine, &seg.neutral);
        let buffers: Vec<Value> = outputs.iter().map(|&output| kernel.buffer(output)).collect();
        let (indices, thread) = recover_segment(&mut kernel, &launch);
        let extents: Vec<Option<Value>> = seg.sizes.iter().map(|&size| Some(kernel.scalar(size))).collect();
        let count = kernel.scalar(inner);
        let (reduced, stored) = buffers.split_at(operator.types.len());
        let mut load = |kernel: &mut Kernel<'_>, point: InsertPoint, at: Value| {
            let mut index = indices.clone();
            index.push(at);
            let mut values = kernel.inline(point, seg.body, &index);
            let extra = values.split_off(reduced.len());
            if !extra.is_empty() {
                let linear = linear_index(&mut kernel.at(point), &index, &extents);
                store_all(kernel, point, stored, &extra, linear);
            }
            values
        };
        let mut elements = Elements { count, load: &mut load };
        let result = block_reduce(&mut kernel, &operator, threads, thread, &mut elements);
        let entry = InsertPoint::End(kernel.entry);
        let segment = linear_index(&mut kernel.builder(), &indices, &extents);
        store_by_first(&mut kernel, entry, thread, reduced, &result, segment);
        kernel.finish(&launch, MODULE);
        Some(())
    }

    /// Each thread block reduces one chunk of the only segment; the buffers of their results, flat.
    fn chunk_sums(&mut self, seg: &Segmented, inner: Value) -> Option<(Vec<Value>, Value)> {
        let threads = self.options.block_size;
        let mut chunks = Chunks::new(self.options.chunk);
        let count = chunks.count(&mut self.builder(seg.op), inner);
        let partial = self.allocate_like(seg.op, &seg.neutral, count);
        let launch = self.segment_launch(seg.op, &[count], threads)?;
        let mut kernel = self.kernel(seg.op, &format!("{}_chunks", seg.name));
        kernel.capture(&[seg.body, seg.combine]);
        let operator = Operator::new(&mut kernel, seg.combine, &seg.neutral);
        let buffers: Vec<Value> = partial.iter().map(|&buffer| kernel.buffer(buffer)).collect();
        let (indices, thread) = recover_segment(&mut kernel, &launch);
        let chunk = indices[0];
        let whole = kernel.scalar(inner);
        let length = chunks.length(&mut kernel.builder(), chunk, whole);
        let mut load = |kernel: &mut Kernel<'_>, point: InsertPoint, at: Value| {
            let index = chunks.index(&mut kernel.at(point), chunk, at);
            let mut values = kernel.inline(point, seg.body, &[index]);
            values.truncate(partial.len());
            values
        };
        let mut elements = Elements { count: length, load: &mut load };
        let result = block_reduce(&mut kernel, &operator, threads, thread, &mut elements);
        let entry = InsertPoint::End(kernel.entry);
        store_by_first(&mut kernel, entry, thread, &buffers, &result, chunk);
        kernel.finish(&launch, MODULE);
        Some((partial, count))
    }

    /// One thread block combines the chunks' results.
    fn combine_partials(
        &mut self,
        seg: &Segmented,
        partial: &(Vec<Value>, Value),
        outputs: &[Value],
    ) -> Option<()> {
        let threads = self.options.block_size;
        let launch = self.segment_launch(seg.op, &[], threads)?;
        let mut kernel = self.kernel(seg.op, &format!("{}_last", seg.name));
        kernel.capture(&[seg.combine]);
        let operator = Operator::new(&mut kernel, seg.combine, &seg.neutral);
        let inputs: Vec<Value> = partial.0.iter().map(|&buffer| kernel.buffer(buffer)).collect();
        let buffers: Vec<Value> = outputs.iter().map(|&output| kernel.buffer(output)).collect();
        let (_, thread) = recover_segment(&mut kernel, &launch);
        let count = kernel.scalar(partial.1);
        let mut load =
            |kernel: &mut Kernel<'_>, point: InsertPoint, at: Value| load_all(kernel, point, &inputs, at);
        let mut elements = Elements { count, load: &mut load };
        let result = block_reduce(&mut kernel, &operator, threads, thread, &mut elements);
        let entry = InsertPoint::End(kernel.entry);
        let first = constant(&mut kernel.builder(), 0);
        store_by_first(&mut kernel, entry, thread, &buffers, &result, first);
        kernel.finish(&launch, MODULE);
        Some(())
    }

    pub(crate) fn segscan(&mut self, segscan: SegScanOp) -> Option<()> {
        let seg = Segmented {
            op: segscan.op(),
            sizes: segscan.sizes(self.ir),
            neutral: segscan.neutral(self.ir),
            body: segscan.body(self.ir),
            combine: segscan.combine(self.ir),
            name: "segscan",
        };
        let (&inner, outer) = seg.sizes.split_last()?;
        let outputs = self.allocate_results(seg.op, &seg.sizes, self.ir.num_results(seg.op), 0);
        if outer.is_empty() {
            let partial = self.chunk_sums(&seg, inner)?;
            self.scan_partials(&seg, &partial)?;
            self.scan_chunks(&seg, inner, &partial, &outputs)?;
        } else {
            self.scan_segments(&seg, inner, outer, &outputs)?;
        }
        self.replace_results(seg.op, &outputs, &seg.sizes);
        Some(())
    }

    /// Each thread block scans one segment.
    fn scan_segments(
        &mut self,
        seg: &Segmented,
        inner: Value,
        outer: &[Value],
        outputs: &[Value],
    ) -> Option<()> {
        let threads = self.options.block_size;
        let launch = self.segment_launch(seg.op, outer, threads)?;
        let mut kernel = self.kernel(seg.op, seg.name);
        kernel.capture(&[seg.body, seg.combine]);
        let operator = Operator::new(&mut kernel, seg.combine, &seg.neutral);
        let buffers: Vec<Value> = outputs.iter().map(|&output| kernel.buffer(output)).collect();
        let (indices, thread) = recover_segment(&mut kernel, &launch);
        let extents: Vec<Option<Value>> = seg.sizes.iter().map(|&size| Some(kernel.scalar(size))).collect();
        let count = kernel.scalar(inner);
        let (scanned, stored) = buffers.split_at(operator.types.len());
        let place = |kernel: &mut Kernel<'_>, point: InsertPoint, at: Value| {
            let mut index = indices.clone();
            index.push(at);
            let linear = linear_index(&mut kernel.at(point), &index, &extents);
            (index, linear)
        };
        let mut load = |kernel: &mut Kernel<'_>, point: InsertPoint, at: Value| {
            let (index, linear) = place(kernel, point, at);
            let mut values = kernel.inline(point, seg.body, &index);
            let extra = values.split_off(scanned.len());
            store_all(kernel, point, stored, &extra, linear);
            values
        };
        let mut elements = Elements { count, load: &mut load };
        block_scan(
            &mut kernel,
            &operator,
            threads,
            thread,
            &mut elements,
            &mut |kernel, point, at, values| {
                let (_, linear) = place(kernel, point, at);
                store_all(kernel, point, scanned, values, linear);
            },
        );
        kernel.finish(&launch, MODULE);
        Some(())
    }

    /// One thread block scans the chunks' sums in place.
    fn scan_partials(&mut self, seg: &Segmented, partial: &(Vec<Value>, Value)) -> Option<()> {
        let threads = self.options.block_size;
        let launch = self.segment_launch(seg.op, &[], threads)?;
        let mut kernel = self.kernel(seg.op, "segscan_sums");
        kernel.capture(&[seg.combine]);
        let operator = Operator::new(&mut kernel, seg.combine, &seg.neutral);
        let buffers: Vec<Value> = partial.0.iter().map(|&buffer| kernel.buffer(buffer)).collect();
        let (_, thread) = recover_segment(&mut kernel, &launch);
        let count = kernel.scalar(partial.1);
        let mut load =
            |kernel: &mut Kernel<'_>, point: InsertPoint, at: Value| load_all(kernel, point, &buffers, at);
        let mut elements = Elements { count, load: &mut load };
        block_scan(
            &mut kernel,
            &operator,
            threads,
            thread,
            &mut elements,
            &mut |kernel, point, at, values| {
                store_all(kernel, point, &buffers, values, at);
            },
        );
        kernel.finish(&launch, MODULE);
        Some(())
    }

    /// Each thread block scans one chunk, starting from the sum of all chunks before it.
    fn scan_chunks(
        &mut self,
        seg: &Segmented,
        inner: Value,
        partial: &(Vec<Value>, Value),
        outputs: &[Value],
    ) -> Option<()> {
        let threads = self.options.block_size;
        let mut chunks = Chunks::new(self.options.chunk);
        let launch = self.segment_launch(seg.op, &[partial.1], threads)?;
        let mut kernel = self.kernel(seg.op, "segscan_chunks");
        kernel.capture(&[seg.body, seg.combine]);
        let operator = Operator::new(&mut kernel, seg.combine, &seg.neutral);
        let sums: Vec<Value> = partial.0.iter().map(|&buffer| kernel.buffer(buffer)).collect();
        let buffers: Vec<Value> = outputs.iter().map(|&output| kernel.buffer(output)).collect();
        let (indices, thread) = recover_segment(&mut kernel, &launch);
        let chunk = indices[0];
        let whole = kernel.scalar(inner);
        let length = chunks.length(&mut kernel.builder(), chunk, whole);
        let (scanned, stored) = buffers.split_at(operator.types.len());
        let entry = InsertPoint::End(kernel.entry);
        let zero = constant(&mut kernel.builder(), 0);
        let later = compare(&mut kernel.builder(), CmpIPredicate::Sgt, chunk, zero);
        let neutral = operator.neutral.clone();
        let before = kernel.if_else(
            entry,
            later,
            &operator.types,
            |kernel, point| {
                let minus_one = constant(&mut kernel.at(point), -1);
                let previous = add(&mut kernel.at(point), chunk, minus_one);
                load_all(kernel, point, &sums, previous)
            },
            |_, _| neutral,
        );
        let chunks = std::cell::RefCell::new(chunks);
        let mut load = |kernel: &mut Kernel<'_>, point: InsertPoint, at: Value| {
            let index = chunks.borrow_mut().index(&mut kernel.at(point), chunk, at);
            let mut values = kernel.inline(point, seg.body, &[index]);
            let extra = values.split_off(scanned.len());
            store_all(kernel, point, stored, &extra, index);
            values
        };
        let mut elements = Elements { count: length, load: &mut load };
        let operator_ref = &operator;
        block_scan(
            &mut kernel,
            &operator,
            threads,
            thread,
            &mut elements,
            &mut |kernel, point, at, values| {
                let index = chunks.borrow_mut().index(&mut kernel.at(point), chunk, at);
                let total = operator_ref.apply(kernel, point, &before, values);
                store_all(kernel, point, scanned, &total, index);
            },
        );
        kernel.finish(&launch, MODULE);
        Some(())
    }

    fn segment_launch(&mut self, op: Op, outer: &[Value], threads: i64) -> Option<Launch> {
        let mut space: Vec<Extent> = outer.iter().map(|&size| Extent::Value(size)).collect();
        space.push(Extent::Constant(threads));
        self.launch(op, &space, &[block_per_segment(outer.len())])
    }
}

/// Indices of the segment, and the thread's number in its block.
fn recover_segment(kernel: &mut Kernel<'_>, launch: &Launch) -> (Vec<Value>, Value) {
    let inputs: Vec<Value> = launch.kernel_inputs().into_iter().map(|value| kernel.scalar(value)).collect();
    let (mut indices, guard) = launch.recover(&mut kernel.builder(), &inputs);
    assert!(guard.is_none(), "every thread of a block per segment has a place");
    let thread = indices.pop().expect("the innermost dimension is the threads");
    (indices, thread)
}

fn load_all(kernel: &mut Kernel<'_>, point: InsertPoint, buffers: &[Value], at: Value) -> Vec<Value> {
    let mut b = kernel.at(point);
    buffers.iter().map(|&buffer| load(&mut b, buffer, &[at])).collect()
}

fn store_all(kernel: &mut Kernel<'_>, point: InsertPoint, buffers: &[Value], values: &[Value], at: Value) {
    let mut b = kernel.at(point);
    for (&buffer, &value) in buffers.iter().zip(values) {
        store(&mut b, value, buffer, at);
    }
}

fn store_by_first(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    thread: Value,
    buffers: &[Value],
    values: &[Value],
    at: Value,
) {
    let zero = constant(&mut kernel.at(point), 0);
    let first = compare(&mut kernel.at(point), CmpIPredicate::Eq, thread, zero);
    kernel.when(point, Some(first), |kernel, point| store_all(kernel, point, buffers, values, at));
}

/// Combines all elements of a thread block; every thread gets the result.
fn block_reduce(
    kernel: &mut Kernel<'_>,
    operator: &Operator,
    threads: i64,
    thread: Value,
    elements: &mut Elements<'_>,
) -> Vec<Value> {
    let entry = InsertPoint::End(kernel.entry);
    let mut b = kernel.builder();
    let (one, width) = (constant(&mut b, 1), constant(&mut b, threads));
    let bounds = match operator.order {
        Order::Any => (thread, elements.count, width),
        Order::Kept => {
            // Consecutive parts of equal length, in the order of the threads.
            let mut parts = Chunks::new(threads);
            let part = parts.count(&mut b, elements.count);
            let lower = mul(&mut b, thread, part);
            let end = add(&mut b, lower, part);
            let upper = segra_std::arith::MinSIOp::build(&mut b, end, elements.count).result(b.ir);
            (lower, upper, one)
        }
    };
    let accumulated = kernel.for_loop(entry, bounds, &operator.neutral, |kernel, point, at, accumulators| {
        let values = (elements.load)(kernel, point, at);
        operator.apply(kernel, point, accumulators, &values)
    });
    let shared: Vec<Value> = operator.types.iter().map(|&ty| kernel.shared(threads, ty)).collect();
    store_all(kernel, entry, &shared, &accumulated, thread);
    kernel.barrier(entry);
    let mut stride = match operator.order {
        Order::Any => threads / 2,
        Order::Kept => 1,
    };
    while stride >= 1 && stride < threads {
        let takes_part = tree_condition(kernel, entry, operator.order, stride, thread);
        kernel.when(entry, Some(takes_part), |kernel, point| {
            let distance = constant(&mut kernel.at(point), stride);
            let partner = add(&mut kernel.at(point), thread, distance);
            let left = load_all(kernel, point, &shared, thread);
            let right = load_all(kernel, point, &shared, partner);
            let combined = operator.apply(kernel, point, &left, &right);
            store_all(kernel, point, &shared, &combined, thread);
        });
        kernel.barrier(entry);
        stride = match operator.order {
            Order::Any => stride / 2,
            Order::Kept => stride * 2,
        };
    }
    let zero = constant(&mut kernel.builder(), 0);
    load_all(kernel, entry, &shared, zero)
}

/// Which threads combine with the one `stride` further on.
fn tree_condition(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    order: Order,
    stride: i64,
    thread: Value,
) -> Value {
    let mut b = kernel.at(point);
    match order {
        Order::Any => {
            let stride = constant(&mut b, stride);
            compare(&mut b, CmpIPredicate::Ult, thread, stride)
        }
        Order::Kept => {
            let (group, zero) = (constant(&mut b, 2 * stride), constant(&mut b, 0));
            let place = segra_std::arith::RemUIOp::build(&mut b, thread, group).result(b.ir);
            compare(&mut b, CmpIPredicate::Eq, place, zero)
        }
    }
}

/// Where a scan's results go: kernel, point, element, values.
type StoreElement<'a> = dyn FnMut(&mut Kernel<'_>, InsertPoint, Value, &[Value]) + 'a;

/// Inclusive scan of a thread block's elements, tile by tile with a carry.
fn block_scan(
    kernel: &mut Kernel<'_>,
    operator: &Operator,
    threads: i64,
    thread: Value,
    elements: &mut Elements<'_>,
    store: &mut StoreElement<'_>,
) {
    let entry = InsertPoint::End(kernel.entry);
    let shared: Vec<Value> = operator.types.iter().map(|&ty| kernel.shared(threads, ty)).collect();
    let mut tiles = Chunks::new(threads);
    let mut b = kernel.builder();
    let (zero, one, last) = (constant(&mut b, 0), constant(&mut b, 1), constant(&mut b, threads - 1));
    let count = tiles.count(&mut b, elements.count);
    kernel.for_loop(entry, (zero, count, one), &operator.neutral, |kernel, point, tile, carry| {
        let at = tiles.index(&mut kernel.at(point), tile, thread);
        let exists = compare(&mut kernel.at(point), CmpIPredicate::Slt, at, elements.count);
        let neutral = operator.neutral.clone();
        let mut values = kernel.if_else(
            point,
            exists,
            &operator.types,
            |kernel, point| (elements.load)(kernel, point, at),
            |_, _| neutral,
        );
        store_all(kernel, point, &shared, &values, thread);
        kernel.barrier(point);
        let mut stride = 1;
        while stride < threads {
            let distance = constant(&mut kernel.at(point), stride);
            let has_left = compare(&mut kernel.at(point), CmpIPredicate::Uge, thread, distance);
            let own = values.clone();
            values = kernel.if_else(
                point,
                has_left,
                &operator.types,
                |kernel, point| {
                    let minus = constant(&mut kernel.at(point), -stride);
                    let partner = add(&mut kernel.at(point), thread, minus);
                    let left = load_all(kernel, point, &shared, partner);
                    operator.apply(kernel, point, &left, &own)
                },
                |_, _| own.clone(),
            );
            kernel.barrier(point);
            store_all(kernel, point, &shared, &values, thread);
            kernel.barrier(point);
            stride *= 2;
        }
        let total = operator.apply(kernel, point, carry, &values);
        kernel.when(point, Some(exists), |kernel, point| store(kernel, point, at, &total));
        let tile_total = load_all(kernel, point, &shared, last);
        // The next tile must not overwrite the last element before all have read it.
        kernel.barrier(point);
        operator.apply(kernel, point, carry, &tile_total)
    });
}
