//! seghist, by its form:
//!
//! | form | how |
//! |---|---|
//! | `shared` | each thread block has a histogram of its own for a part of a segment's elements, one for each range of bins where not all have space (elements are then read once per range); values of exact atomics are added to the results by atomics, for the others a second kernel combines the destinations with the parts |
//! | `atomics` | atomics on the results |
//! | `locks` | a lock per bin in global memory ([`super::locked`]) |
//!
//! Atomics are those of the hardware, and loops of compare-and-swap for any other operator whose values are single words
//! ([`segra_kernel::atomic`] says which); they are exact where they round no float: all of integers, maxima and minima of
//! floats. So atomics and locks in global memory read each element once, however many bins there are.
//!
//! An operator of several values (several histograms of one index) is done value by value: those that atomics do are done so
//! by the thread that has the element, in the kernel of the others, which take locks.
//!
//! In shared memory, values that are exact atomics are done by them. Any other (sums and products of floats, values that
//! depend on each other, elements of 8 bits) are done by a warp for each part, under locks that are taken in the order of the
//! elements ([`super::privatised`]). Where code without branches computes elements, a thread reads several before it changes the
//! first bin, so that what they read is on its way together. Where there is one part, its warp combines the destinations with
//! it, and the second kernel is not launched. So results in shared memory are the same in every run: the order in which floats
//! are combined depends on the sizes alone. In global memory the order, and with it the last bits of sums of floats, differs
//! from run to run.

use super::atomic::Atomics;
use super::lanes::{WARP, reduce_lanes_by, test, word};
use super::privatised::{Places, Privatised};
use super::reduce::{part_bounds, product};
use super::{Segmented, is_first, load_all, recover, store_all};
use crate::function::Lowering;
use crate::kernel::Kernel;
use crate::launch::{Extent, How, Team, add, ceil_div, compare, constant, mul};
use crate::operator::Operator;
use crate::recovery::Copies;
use crate::update::{destination_extents, in_range};
use segra_ir::{Block, Builder, InsertPoint, Ir, Op, OpView, Value};
use segra_kernel::atomic::Ways;
use segra_kernel::form::Form;
use segra_kernel::turns::Parts;
use segra_kernel::update::{SegHistOp, num_indices};
use segra_pass::analysis::operator;
use segra_std::arith::expr::linear_index;
use segra_std::arith::{self, CmpIPredicate};

/// Most parts a segment is divided among.
const MOST_PARTS: i64 = 512;
/// The same where a part is done by a warp.
const MOST_PARTS_OF_WARPS: i64 = 2048;
/// Elements of such a part, at least.
const OF_WARP: i64 = 1024;
/// So many parts, of all segments, are made of fewer elements: one for each multiprocessor. They have as many as their threads
/// read at once, or at least these.
const FEW_PARTS: i64 = 128;
const OF_FEW: i64 = 256;
/// Elements that a thread reads at once, before it changes a bin for the first of them.
const AT_ONCE: i64 = 4;

/// A seghist and what the host knows of it.
pub(super) struct Hist {
    pub(super) seg: Segmented,
    destinations: Vec<Value>,
    /// How many indices the body returns.
    pub(super) indices: usize,
    /// Extents of the destinations: segments, then bins, then those of values that are arrays.
    pub(super) extents: Vec<Value>,
    /// Bins per segment.
    pub(super) bins: Value,
    pub(super) atomics: Atomics,
    /// How values are combined in shared memory, and in global memory.
    pub(super) shared: Ways,
    pub(super) global: Ways,
}

impl Hist {
    fn bin_extents(&self) -> &[Value] {
        &self.extents[self.seg.outer().len()..][..self.indices]
    }

    /// Whether some values are combined under locks in shared memory, which one warp takes in the order of the elements.
    pub(super) fn in_order(&self) -> bool {
        !self.shared.locked.is_empty()
    }

    /// How many elements a thread of a part reads before it changes a bin: several where code without branches computes them. It
    /// runs for the last element again in place of one that does not exist.
    fn at_once(&self, ir: &Ir) -> i64 {
        let simple = |op: Op| ir.regions(op).is_empty();
        let body = ir.entry_block(self.seg.body);
        let straight = body.is_some_and(|body| ir.ops(body).all(simple));
        match straight {
            true => AT_ONCE,
            false => 1,
        }
    }

    /// Threads of a block that changes bins in shared memory.
    fn threads(&self, options: i64) -> i64 {
        match self.in_order() {
            true => WARP,
            false => options,
        }
    }
}

/// The destination of the parts' histograms.
struct Merge<'a> {
    /// The results, to which values of atomics are added.
    outputs: &'a [Value],
    /// Where those of locked values are stored one after another, for a second kernel.
    partial: &'a [Value],
    /// The destinations of locked values, which the only part is combined with.
    sources: &'a [Value],
}

impl Lowering<'_> {
    pub(crate) fn seghist(&mut self, hist: SegHistOp) -> Option<()> {
        let op = hist.op();
        let (form, capacity) = (hist.form(self.ir), hist.capacity(self.ir));
        let seg = Segmented {
            op,
            sizes: hist.sizes(self.ir),
            neutral: hist.neutral(self.ir),
            body: hist.body(self.ir),
            combine: hist.combine(self.ir),
            rows: Vec::new(),
            wide: None,
        };
        let destinations = hist.destinations(self.ir);
        let extents = destination_extents(self, op, *destinations.first()?);
        let outer = seg.outer().len();
        let indices = num_indices(self.ir, op);
        let bins = product(&mut self.builder(op), &extents[outer..][..indices]);
        let atomics = Atomics::of(self.ir, seg.combine);
        let shared = Ways::same_in_any_order(self.ir, seg.combine);
        let global = Ways::any_order(self.ir, seg.combine);
        let hist = Hist {
            seg,
            destinations,
            indices,
            extents,
            bins,
            atomics,
            shared,
            global,
        };
        let count = product(&mut self.builder(op), &hist.extents);
        let host = InsertPoint::Before(op);
        let outputs = self.allocate_like(op, host, &hist.seg.neutral, count);
        match (form, capacity) {
            (Some(Form::Shared), Some(capacity)) => {
                self.hist_in_shared(&hist, host, &outputs, capacity)?
            }
            (Some(Form::Atomics), _) => self.hist_in_global(&hist, host, &outputs)?,
            (Some(Form::Locks), _) => self.hist_locked(&hist, host, &outputs)?,
            _ => return self.refuse_unscheduled(op),
        }
        self.replace_results(op, &outputs, &hist.extents);
        Some(())
    }

    /// Histograms of parts in shared memory, `capacity` bins at a time.
    fn hist_in_shared(
        &mut self,
        hist: &Hist,
        host: InsertPoint,
        outputs: &[Value],
        capacity: i64,
    ) -> Option<()> {
        let op = hist.seg.op;
        let (elements, of_bins, most) = match hist.in_order() {
            true => (self.options.chunk.min(OF_WARP), 2, MOST_PARTS_OF_WARPS),
            false => (self.options.chunk, 1, MOST_PARTS),
        };
        let of_few = hist.threads(self.options.block_size) * hist.at_once(self.ir);
        let mut b = self.host(op, host);
        let elements = constant(&mut b, elements);
        let of_bins = constant(&mut b, of_bins);
        let of_bins = mul(&mut b, hist.bins, of_bins);
        let least = arith::MaxSIOp::build(&mut b, elements, of_bins).result(b.ir);
        let few_parts = constant(&mut b, FEW_PARTS);
        let of_few = constant(&mut b, of_few.max(OF_FEW));
        let all = product(&mut b, &hist.seg.sizes);
        let shared_out = arith::DivUIOp::build(&mut b, all, few_parts).result(b.ir);
        let few = arith::MaxSIOp::build(&mut b, of_few, shared_out).result(b.ir);
        let least = arith::MinSIOp::build(&mut b, least, few).result(b.ir);
        let mut parts = self.parts(&hist.seg, host, least, most);
        let body = self.ir.entry_block(hist.seg.body)?;
        let may_stop = !operator::only_computes(self.ir, body);
        let mut b = self.host(op, host);
        // Nothing is launched without elements, or without bins, unless what is computed of elements may stop the program.
        parts.count = arith::MinSIOp::build(&mut b, parts.count, hist.seg.inner()).result(b.ir);
        let mut ranges = ceil_div(&mut b, hist.bins, capacity);
        if may_stop {
            let one = constant(&mut b, 1);
            ranges = arith::MaxSIOp::build(&mut b, ranges, one).result(b.ir);
        }
        self.copy_destinations(hist, host, outputs, &hist.shared.atomic);
        let locked: Vec<Value> = chosen(&hist.seg.neutral, &hist.shared.locked);
        let (mut partial, mut sources) = (Vec::new(), Vec::new());
        if !locked.is_empty() {
            for destination in chosen(&hist.destinations, &hist.shared.locked) {
                sources.push(crate::access::flat(&mut self.host(op, host), destination));
            }
            let mut b = self.host(op, host);
            let segments = product(&mut b, hist.seg.outer());
            let histograms = mul(&mut b, segments, parts.count);
            let count = mul(&mut b, histograms, hist.bins);
            partial = self.allocate_like(op, host, &locked, count);
        }
        self.hist_parts(
            hist,
            host,
            &parts,
            (ranges, capacity),
            &Merge {
                outputs,
                partial: &partial,
                sources: &sources,
            },
        )?;
        match partial.is_empty() {
            true => Some(()),
            false => self.hist_last(hist, host, (&partial, parts.count), (&sources, outputs)),
        }
    }

    /// The results of some values begin as their destinations.
    pub(super) fn copy_destinations(
        &mut self,
        hist: &Hist,
        host: InsertPoint,
        outputs: &[Value],
        which: &[usize],
    ) {
        for &index in which {
            self.copy_into(hist.seg.op, host, outputs[index], hist.destinations[index]);
        }
    }

    /// One histogram per segment, part and range of bins.
    fn hist_parts(
        &mut self,
        hist: &Hist,
        host: InsertPoint,
        parts: &Parts,
        (ranges, capacity): (Value, i64),
        merge: &Merge<'_>,
    ) -> Option<()> {
        let (seg, threads) = (&hist.seg, hist.threads(self.options.block_size));
        let mut space = seg.outer().to_vec();
        space.extend([parts.count, ranges]);
        let how = self.how(seg.op)?;
        let launch = self.block_launch(seg.op, how, &space, threads)?;
        let places = hist.in_order().then(|| {
            let b = &mut self.host(seg.op, host);
            let two = constant(b, 2);
            let most = mul(b, parts.length, two);
            Places::log(b, hist.bins, capacity, most)
        });
        let mut kernel = self.kernel_at(seg.op, "seghist_parts", host);
        kernel.capture(&[seg.body, seg.combine]);
        let operator = Operator::new(&mut kernel, seg.combine, &seg.neutral);
        let mut buffer = |&buffer: &Value| kernel.buffer(buffer);
        let partial: Vec<Value> = merge.partial.iter().map(&mut buffer).collect();
        let sources: Vec<Value> = merge.sources.iter().map(&mut buffer).collect();
        let [outputs, merged] = [&hist.shared.atomic, &hist.shared.locked].map(|which| {
            let outputs = chosen(merge.outputs, which);
            outputs.iter().map(&mut buffer).collect::<Vec<Value>>()
        });
        let mut place = recover(&mut kernel, &launch);
        let (range, part) = (place.segment.pop()?, place.segment.pop()?);
        let (lower, upper) = part_bounds(&mut kernel, parts, part, seg.inner());
        let block = Privatised::new(
            &mut kernel,
            hist,
            &operator,
            (range, capacity),
            places,
            (place.lane, threads),
        );
        let entry = InsertPoint::End(kernel.entry);
        let of_part = (&place.segment[..], place.lane, (lower, upper));
        take_elements(&mut kernel, entry, &block, of_part, threads);
        kernel.barrier(entry);
        let extents: Vec<Option<Value>> = seg
            .sizes
            .iter()
            .map(|&size| Some(kernel.scalar(size)))
            .collect();
        let (count, bins) = (kernel.scalar(parts.count), kernel.scalar(hist.bins));
        let mut b = kernel.builder();
        let number = linear_index(&mut b, &place.segment, &extents);
        let in_outputs = mul(&mut b, number, bins);
        let before = mul(&mut b, number, count);
        let number = add(&mut b, before, part);
        let in_partial = mul(&mut b, number, bins);
        let one = constant(&mut b, 1);
        let is_only = compare(&mut b, CmpIPredicate::Eq, count, one);
        block.for_bins(&mut kernel, |kernel, point, at, bin| {
            let values = block.values(kernel, point, at);
            let at = add(&mut kernel.at(point), in_outputs, bin);
            for (&index, &output) in hist.shared.atomic.iter().zip(&outputs) {
                hist.atomics
                    .update(kernel, point, index, &values, (output, at));
            }
            let locked = &hist.shared.locked;
            if locked.is_empty() {
                return;
            }
            let values = chosen(&values, locked);
            kernel.if_else(
                point,
                is_only,
                &[],
                |kernel, point| {
                    let start = load_all(kernel, point, &sources, at);
                    let merges = operator.apply_to(kernel, point, locked, &start, &values);
                    store_all(kernel, point, &merged, &merges, at);
                    Vec::new()
                },
                |kernel, point| {
                    let at = add(&mut kernel.at(point), in_partial, bin);
                    store_all(kernel, point, &partial, &values, at);
                    Vec::new()
                },
            );
        });
        kernel.finish(&launch);
        Some(())
    }

    /// A warp per segment and bin: the destination, then the parts. None where there is one part.
    fn hist_last(
        &mut self,
        hist: &Hist,
        host: InsertPoint,
        (partial, count): (&[Value], Value),
        (sources, outputs): (&[Value], &[Value]),
    ) -> Option<()> {
        let op = hist.seg.op;
        let mut b = self.host(op, host);
        let segments = product(&mut b, hist.seg.outer());
        let (zero, one) = (constant(&mut b, 0), constant(&mut b, 1));
        let is_only = compare(&mut b, CmpIPredicate::Eq, count, one);
        let segments = arith::SelectOp::build(&mut b, is_only, zero, segments).result(b.ir);
        let locked = &hist.shared.locked;
        let space = [segments, hist.bins];
        let launch = self.team_launch(op, How::Folded, &space, Team::Lanes(WARP))?;
        let mut kernel = self.kernel_at(op, "seghist_last", host);
        kernel.capture(&[hist.seg.combine]);
        let operator = Operator::new(&mut kernel, hist.seg.combine, &hist.seg.neutral);
        let sources = kernel.buffers(sources);
        let inputs = kernel.buffers(partial);
        let outputs = kernel.buffers(&chosen(outputs, locked));
        let (bins, count) = (kernel.scalar(hist.bins), kernel.scalar(count));
        let place = recover(&mut kernel, &launch);
        let entry = InsertPoint::End(kernel.entry);
        let mut b = kernel.builder();
        let (segment, bin) = (place.segment[0], place.segment[1]);
        let row = mul(&mut b, segment, bins);
        let result_at = add(&mut b, row, bin);
        let before = mul(&mut b, segment, count);
        let step = constant(&mut b, WARP * AT_ONCE);
        let upper = match place.guard {
            Some(guard) => {
                let zero = constant(&mut b, 0);
                arith::SelectOp::build(&mut b, guard, count, zero).result(b.ir)
            }
            None => count,
        };
        let neutral = chosen(&operator.neutral, locked);
        let own = kernel.for_loop(
            entry,
            (place.lane, upper, step),
            &neutral,
            |kernel, point, part, sums| {
                let parts = parts_from(kernel, point, (part, upper), &neutral, |b, part| {
                    let number = add(b, before, part);
                    let row = mul(b, number, bins);
                    (&inputs[..], add(b, row, bin))
                });
                let mut sums = sums.to_vec();
                for values in parts {
                    sums = operator.apply_to(kernel, point, locked, &sums, &values);
                }
                sums
            },
        );
        let all = reduce_lanes_by(&mut kernel, entry, &own, WARP, |kernel, left, right| {
            operator.apply_to(kernel, entry, locked, left, right)
        });
        let first = is_first(&mut kernel, entry, &place);
        kernel.when(entry, Some(first), |kernel, point| {
            let start = load_all(kernel, point, &sources, result_at);
            let result = operator.apply_to(kernel, point, locked, &start, &all);
            store_all(kernel, point, &outputs, &result, result_at);
        });
        kernel.finish(&launch);
        Some(())
    }

    /// The space of all elements: none without bins, unless the code of elements may stop the program.
    fn elements_if_bins(
        &mut self,
        hist: &Hist,
        host: InsertPoint,
        body: Block,
    ) -> Option<Vec<Extent>> {
        let mut sizes = hist.seg.sizes.clone();
        if operator::only_computes(self.ir, body) {
            let last = sizes.pop()?;
            let mut b = self.host(hist.seg.op, host);
            let one = constant(&mut b, 1);
            let any = arith::MinSIOp::build(&mut b, hist.bins, one).result(b.ir);
            sizes.push(mul(&mut b, last, any));
        }
        Some(sizes.into_iter().map(Extent::Value).collect())
    }

    /// One thread per element, atomics on copies of the destinations.
    fn hist_in_global(&mut self, hist: &Hist, host: InsertPoint, outputs: &[Value]) -> Option<()> {
        let seg = &hist.seg;
        self.copy_destinations(hist, host, outputs, &hist.global.atomic);
        let body = self.ir.entry_block(seg.body)?;
        let space = self.elements_if_bins(hist, host, body)?;
        let how = self.how(seg.op)?;
        let launch = self.launch(seg.op, how, &space, Team::Thread)?;
        let mut kernel = self.kernel_at(seg.op, "seghist_global", host);
        kernel.capture(&[seg.body, seg.combine]);
        let operator = Operator::new(&mut kernel, seg.combine, &seg.neutral);
        let buffers = kernel.buffers(outputs);
        let extents: Vec<Option<Value>> = seg
            .sizes
            .iter()
            .map(|&size| Some(kernel.scalar(size)))
            .collect();
        let bins = kernel.scalar(hist.bins);
        for &extent in hist.bin_extents() {
            kernel.scalar(extent);
        }
        let thread = kernel.thread(&launch);
        let copies = Copies::of(kernel.ir, seg.op);
        kernel.points(
            &launch,
            thread,
            copies,
            &mut |kernel, point, indices, guard| {
                let Some((&at, segment)) = indices.split_last() else {
                    return;
                };
                let exists = guard.unwrap_or_else(|| {
                    let mut b = kernel.at(point);
                    let attr = b.ctx().bool_attr(true);
                    arith::ConstantOp::build(&mut b, attr).result(b.ir)
                });
                let (bin, values) = element(kernel, point, hist, &operator, (segment, at, exists));
                let inside = test(kernel, point, CmpIPredicate::Sge, bin, 0);
                kernel.when(point, Some(inside), |kernel, point| {
                    let mut b = kernel.at(point);
                    let number = linear_index(&mut b, segment, &extents);
                    let row = mul(&mut b, number, bins);
                    let at = add(&mut b, row, bin);
                    for (index, &buffer) in buffers.iter().enumerate() {
                        hist.atomics
                            .update(kernel, point, index, &values, (buffer, at));
                    }
                });
            },
        );
        kernel.finish(&launch);
        Some(())
    }
}

/// Those of `all` with these numbers.
pub(super) fn chosen(all: &[Value], which: &[usize]) -> Vec<Value> {
    which.iter().map(|&index| all[index]).collect()
}

/// The threads of a block take the elements of a part of a segment, from a first one to a last one.
fn take_elements(
    kernel: &mut Kernel<'_>,
    entry: InsertPoint,
    block: &Privatised<'_>,
    (segment, lane, (lower, upper)): (&[Value], Value, (Value, Value)),
    threads: i64,
) {
    let at_once = block.hist.at_once(kernel.ir);
    let b = &mut kernel.builder();
    let (step, round) = (constant(b, threads * at_once), word(b, 0));
    kernel.for_loop(
        entry,
        (lower, upper, step),
        &[round],
        |kernel, point, base, rounds| {
            let first = add(&mut kernel.at(point), base, lane);
            let mut elements = Vec::new();
            for number in 0..at_once {
                let b = &mut kernel.at(point);
                let ahead = constant(b, number * threads);
                let at = add(b, first, ahead);
                elements.push(match at_once {
                    1 => {
                        let exists = compare(b, CmpIPredicate::Slt, at, upper);
                        let found = (segment, at, exists);
                        element(kernel, point, block.hist, block.operator, found)
                    }
                    _ => element_below(kernel, point, block.hist, (segment, at, upper)),
                });
            }
            let change = |round, (bin, values): (Value, Vec<Value>)| {
                block.change(kernel, point, bin, &values, round)
            };
            vec![elements.into_iter().fold(rounds[0], change)]
        },
    );
}

/// Whether a number is below `upper`, and the number, or the last one below.
fn or_last(b: &mut Builder<'_>, number: Value, upper: Value) -> (Value, Value) {
    let exists = compare(b, CmpIPredicate::Slt, number, upper);
    let one = constant(b, 1);
    let last = arith::SubIOp::build(b, upper, one).result(b.ir);
    (exists, arith::MinSIOp::build(b, number, last).result(b.ir))
}

/// The values of some parts for one bin, from a lane's next part on, which is below `upper`; those from there on have
/// neutral ones. All are on their way together.
fn parts_from<'a>(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    (first, upper): (Value, Value),
    neutral: &[Value],
    place: impl Fn(&mut Builder<'_>, Value) -> (&'a [Value], Value),
) -> Vec<Vec<Value>> {
    let mut read = Vec::new();
    for number in 0..AT_ONCE {
        let b = &mut kernel.at(point);
        let ahead = constant(b, number * WARP);
        let part = add(b, first, ahead);
        let (exists, near) = or_last(b, part, upper);
        let (buffers, at) = place(b, near);
        read.push((exists, load_all(kernel, point, buffers, at)));
    }
    let b = &mut kernel.at(point);
    let or_neutral = |(exists, values): (Value, Vec<Value>)| {
        let pairs = values.into_iter().zip(neutral);
        let chosen =
            pairs.map(|(value, &none)| arith::SelectOp::build(b, exists, value, none).result(b.ir));
        chosen.collect()
    };
    read.into_iter().map(or_neutral).collect()
}

/// The bin of an element that exists within its segment, -1 where it has none, and its values.
fn computed(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    hist: &Hist,
    segment: &[Value],
    at: Value,
) -> (Value, Vec<Value>) {
    let extents: Vec<Value> = hist
        .bin_extents()
        .iter()
        .map(|&extent| kernel.scalar(extent))
        .collect();
    let mut index = segment.to_vec();
    index.push(at);
    let mut values = kernel.inline(point, hist.seg.body, &index);
    let updates = values.split_off(hist.indices);
    let inside = in_range(kernel, point, &values, &extents);
    let known: Vec<Option<Value>> = extents.iter().map(|&extent| Some(extent)).collect();
    let mut b = kernel.at(point);
    let bin = linear_index(&mut b, &values, &known);
    let none = constant(&mut b, -1);
    let bin = arith::SelectOp::build(&mut b, inside, bin, none).result(b.ir);
    (bin, updates)
}

/// The same of an element below `upper`, which is above 0; those from there on have no bin. Without a branch, so that
/// what several elements read is on its way together.
fn element_below(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    hist: &Hist,
    (segment, at, upper): (&[Value], Value, Value),
) -> (Value, Vec<Value>) {
    let mut b = kernel.at(point);
    let (exists, near) = or_last(&mut b, at, upper);
    let (bin, values) = computed(kernel, point, hist, segment, near);
    let mut b = kernel.at(point);
    let none = constant(&mut b, -1);
    let bin = arith::SelectOp::build(&mut b, exists, bin, none).result(b.ir);
    (bin, values)
}

/// The same of an element that exists or not.
fn element(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    hist: &Hist,
    operator: &Operator,
    (segment, at, exists): (&[Value], Value, Value),
) -> (Value, Vec<Value>) {
    let mut types = vec![kernel.ir.ctx().index()];
    types.extend(&operator.types);
    let neutral = operator.neutral.clone();
    let found = kernel.if_else(
        point,
        exists,
        &types,
        |kernel, point| {
            let (bin, values) = computed(kernel, point, hist, segment, at);
            let mut all = vec![bin];
            all.extend(values);
            all
        },
        |kernel, point| {
            let mut all = vec![constant(&mut kernel.at(point), -1)];
            all.extend(neutral);
            all
        },
    );
    (found[0], found[1..].to_vec())
}
