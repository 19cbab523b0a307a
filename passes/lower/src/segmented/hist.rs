//! seghist. By operator and number of bins:
//!
//! | operator | bins | how |
//! |---|---|---|
//! | integer atomics of the hardware | fit shared memory | each thread block has a histogram of its own for a part of a segment's elements, and adds it to the results by atomics |
//! | integer atomics of the hardware | more | atomics on the results |
//! | any other | at most 8 times as many as fit shared memory | histograms of parts as above, one for each range of bins where not all fit (elements are then read once per range); a second kernel combines the destinations with them in order |
//! | sums, maxima, minima of `f32` or `f64` | more | atomics on the results, where the hardware has none by compare-and-swap |
//! | any other | more, or of arrays | a lock per bin in global memory ([`super::locked`]) |
//!
//! So atomics and locks in global memory read each element once, however many bins there are.
//!
//! In shared memory, operators that are integer atomics of the hardware are done by them. Any other operator (floats,
//! several values, narrow integers) is done under locks that are taken in the order of the elements: a warp per thread
//! block, whose lanes claim their bins by an atomic maximum; of the lanes with one bin the first wins, and the others go
//! again. So results in shared memory are the same in every run, and floats are combined in the order of elements within a
//! part; in global memory the order, and with it the last bits of sums of floats, differs from run to run.

use super::lanes::{WARP, shuffle, split, test, word};
use super::reduce::{Parts, part_bounds, product};
use super::{Segmented, load_all, recover, store_all};
use crate::arrays::any_array;
use crate::function::{Lowering, MODULE};
use crate::kernel::{Kernel, atomic, bit_width, byte_width, linear_index, load, store};
use crate::launch::{Extent, Launch, add, ceil_div, compare, constant, mul};
use crate::operator::Operator;
use crate::update::{destination_extents, in_range};
use segra_gpu::attrs::ShuffleMode;
use segra_ir::{InsertPoint, Ir, Op, OpView, Region, Value};
use segra_kernel::segop::SegmentedOp;
use segra_kernel::update::{SegHistOp, num_indices};
use segra_std::arith::{self, CmpIPredicate};
use segra_std::memref::AtomicRmwKind;

/// Shared memory of a histogram, in bytes.
const SHARED_BYTES: i64 = 32 * 1024;
/// Most bins in shared memory, however narrow.
const MOST_BINS: i64 = 8192;
/// Room of the version for few bins.
const FEW_BINS: i64 = 512;
/// Most ranges of bins in shared memory: elements are read once for each.
const MOST_RANGES: i64 = 8;
/// Most parts a segment is divided among.
const MOST_PARTS: i64 = 512;

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
    update: Update,
}

impl Hist {
    fn bin_extents(&self) -> &[Value] {
        &self.extents[self.seg.outer().len()..][..self.indices]
    }
}

/// How a bin is changed.
#[derive(Clone)]
enum Update {
    /// One atomic per value.
    Atomics(Vec<AtomicRmwKind>),
    /// Under a lock per bin.
    Locks,
}

/// What becomes of the parts' histograms.
#[derive(Clone, Copy)]
enum Merge<'a> {
    /// They are added to the results by these atomics.
    Atomics(&'a [AtomicRmwKind], &'a [Value]),
    /// They are stored one after another, for a second kernel.
    Later(&'a [Value]),
}

impl<'a> Merge<'a> {
    fn buffers(self) -> &'a [Value] {
        match self {
            Merge::Atomics(_, buffers) | Merge::Later(buffers) => buffers,
        }
    }
}

impl Update {
    /// Threads of a block that changes bins so.
    fn threads(&self, options: i64) -> i64 {
        match self {
            Update::Atomics(_) => options,
            Update::Locks => WARP,
        }
    }
}

impl Lowering<'_> {
    pub(crate) fn seghist(&mut self, hist: SegHistOp) -> Option<()> {
        let op = hist.op();
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
        let update = atomic_kinds(self.ir, seg.combine).map_or(Update::Locks, Update::Atomics);
        let hist = Hist { seg, destinations, indices, extents, bins, update };
        let count = product(&mut self.builder(op), &hist.extents);
        let host = InsertPoint::Before(op);
        let outputs = self.allocate_like(op, host, &hist.seg.neutral, count);
        match &hist.update {
            Update::Locks if any_array(self.ir, &hist.seg.neutral) => {
                self.hist_locked(&hist, host, &outputs)?
            }
            Update::Locks => {
                let most = self.shared_bins(&hist) * MOST_RANGES;
                let few = self.host_test(op, host, hist.bins, most);
                let kinds = float_atomic_kinds(self.ir, hist.seg.combine);
                self.choose(
                    op,
                    host,
                    few,
                    |this, host| this.hist_in_shared(&hist, host, &outputs),
                    |this, host| match &kinds {
                        Some(kinds) => this.hist_in_global(&hist, kinds, host, &outputs),
                        None => this.hist_locked(&hist, host, &outputs),
                    },
                )?;
            }
            Update::Atomics(kinds) => {
                let most = self.shared_bins(&hist);
                let fit = self.host_test(op, host, hist.bins, most);
                self.choose(
                    op,
                    host,
                    fit,
                    |this, host| this.hist_in_shared(&hist, host, &outputs),
                    |this, host| this.hist_in_global(&hist, kinds, host, &outputs),
                )?;
            }
        }
        self.replace_results(op, &outputs, &hist.extents);
        Some(())
    }

    /// Bins of one thread block in shared memory.
    fn shared_bins(&self, hist: &Hist) -> i64 {
        let values: i64 = hist.seg.neutral.iter().map(|&value| byte_width(self.ir, value)).sum();
        let locks = if matches!(hist.update, Update::Locks) { 4 } else { 0 };
        let fitting = (SHARED_BYTES / (values + locks)).max(1);
        // A power of two.
        let fitting = 1 << (63 - fitting.leading_zeros());
        self.options.hist_bins(MOST_BINS.min(fitting))
    }

    /// With room for few bins where they fit, so that more thread blocks do; else for as many as possible.
    fn hist_in_shared(&mut self, hist: &Hist, host: InsertPoint, outputs: &[Value]) -> Option<()> {
        let most = self.shared_bins(hist);
        if most <= FEW_BINS {
            return self.hist_with_room(hist, host, outputs, most);
        }
        let few = self.host_test(hist.seg.op, host, hist.bins, FEW_BINS);
        self.choose(
            hist.seg.op,
            host,
            few,
            |this, host| this.hist_with_room(hist, host, outputs, FEW_BINS),
            |this, host| this.hist_with_room(hist, host, outputs, most),
        )
    }

    fn hist_with_room(&mut self, hist: &Hist, host: InsertPoint, outputs: &[Value], room: i64) -> Option<()> {
        let op = hist.seg.op;
        let chunk = self.options.chunk;
        let mut b = self.host(op, host);
        let chunk = constant(&mut b, chunk);
        let least = arith::MaxSIOp::build(&mut b, chunk, hist.bins).result(b.ir);
        let parts = self.parts(&hist.seg, host, least, MOST_PARTS);
        let mut b = self.host(op, host);
        let ranges = ceil_div(&mut b, hist.bins, room);
        if let Update::Atomics(kinds) = &hist.update {
            self.copy_destinations(hist, host, outputs);
            return self.hist_parts(hist, host, &parts, (ranges, room), Merge::Atomics(kinds, outputs));
        }
        let mut b = self.host(op, host);
        let segments = product(&mut b, hist.seg.outer());
        let histograms = mul(&mut b, segments, parts.count);
        let count = mul(&mut b, histograms, hist.bins);
        let partial = self.allocate_like(op, host, &hist.seg.neutral, count);
        self.hist_parts(hist, host, &parts, (ranges, room), Merge::Later(&partial))?;
        self.hist_last(hist, host, (&partial, parts.count), outputs)
    }

    /// The results begin as the destinations.
    pub(super) fn copy_destinations(&mut self, hist: &Hist, host: InsertPoint, outputs: &[Value]) {
        for (&output, &destination) in outputs.iter().zip(&hist.destinations) {
            self.copy_into(hist.seg.op, host, output, destination);
        }
    }

    /// One histogram per segment, part and range of bins.
    fn hist_parts(
        &mut self,
        hist: &Hist,
        host: InsertPoint,
        parts: &Parts,
        (ranges, room): (Value, i64),
        merge: Merge<'_>,
    ) -> Option<()> {
        let (seg, threads) = (&hist.seg, hist.update.threads(self.options.block_size));
        let mut space = seg.outer().to_vec();
        space.extend([parts.count, ranges]);
        let launch = self.group_launch(seg.op, &space, threads, threads)?;
        let mut kernel = self.kernel_at(seg.op, "seghist_parts", host);
        kernel.capture(&[seg.body, seg.combine]);
        let operator = Operator::new(&mut kernel, seg.combine, &seg.neutral);
        let buffers: Vec<Value> = merge.buffers().iter().map(|&buffer| kernel.buffer(buffer)).collect();
        let mut place = recover(&mut kernel, &launch);
        let (range, part) = (place.segment.pop()?, place.segment.pop()?);
        let (lower, upper) = part_bounds(&mut kernel, parts, part, seg.inner());
        let block = Privatised::new(&mut kernel, hist, &operator, (range, room), place.lane, threads);
        let entry = InsertPoint::End(kernel.entry);
        let step = constant(&mut kernel.builder(), threads);
        let round = word(&mut kernel.builder(), 0);
        kernel.for_loop(entry, (lower, upper, step), &[round], |kernel, point, base, rounds| {
            let mut b = kernel.at(point);
            let at = add(&mut b, base, place.lane);
            let exists = compare(&mut b, CmpIPredicate::Slt, at, upper);
            let (bin, values) = element(kernel, point, hist, &operator, &place.segment, at, exists);
            vec![block.change(kernel, point, bin, &values, rounds[0])]
        });
        kernel.barrier(entry);
        let extents: Vec<Option<Value>> = seg.sizes.iter().map(|&size| Some(kernel.scalar(size))).collect();
        let (count, bins) = (kernel.scalar(parts.count), kernel.scalar(hist.bins));
        let mut b = kernel.builder();
        let number = linear_index(&mut b, &place.segment, &extents);
        let number = match merge {
            Merge::Atomics(..) => number,
            Merge::Later(_) => {
                let before = mul(&mut b, number, count);
                add(&mut b, before, part)
            }
        };
        let first = mul(&mut b, number, bins);
        block.for_bins(&mut kernel, |kernel, point, at, bin| {
            let values = load_all(kernel, point, &block.histogram, at);
            let at = add(&mut kernel.at(point), first, bin);
            match merge {
                Merge::Atomics(kinds, _) => atomic_all(kernel, point, kinds, &buffers, &values, at),
                Merge::Later(_) => store_all(kernel, point, &buffers, &values, at),
            }
        });
        kernel.finish(&launch, MODULE);
        Some(())
    }

    /// One thread per segment and bin: the destination, then the parts in order.
    fn hist_last(
        &mut self,
        hist: &Hist,
        host: InsertPoint,
        (partial, count): (&[Value], Value),
        outputs: &[Value],
    ) -> Option<()> {
        let op = hist.seg.op;
        let mut b = self.host(op, host);
        let segments = product(&mut b, hist.seg.outer());
        let mut sources = Vec::new();
        for &destination in &hist.destinations {
            sources.push(crate::kernel::flat(&mut self.host(op, host), destination));
        }
        let space = [Extent::Value(segments), Extent::Value(hist.bins)];
        let chosen = self.strategy(op, None)?;
        let launch = self.launch(op, &space, &chosen)?;
        let mut kernel = self.kernel_at(op, "seghist_last", host);
        kernel.capture(&[hist.seg.combine]);
        let operator = Operator::new(&mut kernel, hist.seg.combine, &hist.seg.neutral);
        let sources: Vec<Value> = sources.iter().map(|&buffer| kernel.buffer(buffer)).collect();
        let inputs: Vec<Value> = partial.iter().map(|&buffer| kernel.buffer(buffer)).collect();
        let outputs: Vec<Value> = outputs.iter().map(|&buffer| kernel.buffer(buffer)).collect();
        let (bins, count) = (kernel.scalar(hist.bins), kernel.scalar(count));
        let (indices, guard) = recover_point(&mut kernel, &launch);
        let entry = InsertPoint::End(kernel.entry);
        kernel.when(entry, guard, |kernel, point| {
            let mut b = kernel.at(point);
            let row = mul(&mut b, indices[0], bins);
            let at = add(&mut b, row, indices[1]);
            let before = mul(&mut b, indices[0], count);
            let (zero, one) = (constant(&mut b, 0), constant(&mut b, 1));
            let start = load_all(kernel, point, &sources, at);
            let result = kernel.for_loop(point, (zero, count, one), &start, |kernel, point, part, sums| {
                let mut b = kernel.at(point);
                let number = add(&mut b, before, part);
                let row = mul(&mut b, number, bins);
                let at = add(&mut b, row, indices[1]);
                let values = load_all(kernel, point, &inputs, at);
                operator.apply(kernel, point, sums, &values)
            });
            store_all(kernel, point, &outputs, &result, at);
        });
        kernel.finish(&launch, MODULE);
        Some(())
    }

    /// One thread per element, atomics on copies of the destinations.
    fn hist_in_global(
        &mut self,
        hist: &Hist,
        kinds: &[AtomicRmwKind],
        host: InsertPoint,
        outputs: &[Value],
    ) -> Option<()> {
        let seg = &hist.seg;
        self.copy_destinations(hist, host, outputs);
        let space: Vec<Extent> = seg.sizes.iter().map(|&size| Extent::Value(size)).collect();
        let chosen = self.strategy(seg.op, self.mapping_of(seg.op))?;
        let launch = self.launch(seg.op, &space, &chosen)?;
        let mut kernel = self.kernel_at(seg.op, "seghist_global", host);
        kernel.capture(&[seg.body]);
        let operator = Operator::new(&mut kernel, seg.combine, &seg.neutral);
        let buffers: Vec<Value> = outputs.iter().map(|&buffer| kernel.buffer(buffer)).collect();
        let extents: Vec<Option<Value>> = seg.sizes.iter().map(|&size| Some(kernel.scalar(size))).collect();
        let bins = kernel.scalar(hist.bins);
        for &extent in hist.bin_extents() {
            kernel.scalar(extent);
        }
        let (indices, guard) = recover_point(&mut kernel, &launch);
        let (&at, segment) = indices.split_last()?;
        let entry = InsertPoint::End(kernel.entry);
        let exists = guard.unwrap_or_else(|| {
            let mut b = kernel.builder();
            let attr = b.ctx().bool_attr(true);
            arith::ConstantOp::build(&mut b, attr).result(b.ir)
        });
        let (bin, values) = element(&mut kernel, entry, hist, &operator, segment, at, exists);
        let inside = test(&mut kernel, entry, CmpIPredicate::Sge, bin, 0);
        kernel.when(entry, Some(inside), |kernel, point| {
            let mut b = kernel.at(point);
            let number = linear_index(&mut b, segment, &extents);
            let row = mul(&mut b, number, bins);
            let at = add(&mut b, row, bin);
            atomic_all(kernel, point, kinds, &buffers, &values, at);
        });
        kernel.finish(&launch, MODULE);
        Some(())
    }

    pub(super) fn mapping_of(&self, op: Op) -> Option<segra_ir::Attr> {
        debug_assert!(self.ir.interface::<dyn SegmentedOp>(op).is_some(), "the op is segmented");
        self.ir.attr_named(op, "mapping")
    }
}

/// The thread's indices in a launch over a space.
pub(super) fn recover_point(kernel: &mut Kernel<'_>, launch: &Launch) -> (Vec<Value>, Option<Value>) {
    let inputs: Vec<Value> = launch.kernel_inputs().into_iter().map(|value| kernel.scalar(value)).collect();
    launch.recover(&mut kernel.builder(), &inputs)
}

/// The atomics of the hardware an operator is made of, where it is.
pub(crate) fn atomic_kinds(ir: &Ir, combine: Region) -> Option<Vec<AtomicRmwKind>> {
    kinds_of(ir, combine, atomic_kind)
}

/// As [`atomic_kinds`], with those of floats, whose order shows in the last bits of sums, and some of which are loops of
/// compare-and-swap.
fn float_atomic_kinds(ir: &Ir, combine: Region) -> Option<Vec<AtomicRmwKind>> {
    kinds_of(ir, combine, |name| atomic_kind(name).or_else(|| float_atomic_kind(name)))
}

fn kinds_of(
    ir: &Ir,
    combine: Region,
    known: impl Fn(&str) -> Option<AtomicRmwKind>,
) -> Option<Vec<AtomicRmwKind>> {
    let block = ir.entry_block(combine)?;
    let args = ir.block_args(block);
    let half = args.len() / 2;
    let last = ir.last_op(block)?;
    let kind = |(index, value): (usize, Value)| {
        let op = ir.defining_op(value)?;
        let operands: Vec<Value> = ir.operands(op).collect();
        let (a, b) = (args[index], args[half + index]);
        let wide = matches!(bit_width(ir.ctx(), ir.value_type(value)), Some(32 | 64));
        let own = operands == [a, b] || operands == [b, a];
        known(ir.op_name_str(op)).filter(|_| own && wide)
    };
    ir.operands(last).enumerate().map(kind).collect()
}

fn atomic_kind(name: &str) -> Option<AtomicRmwKind> {
    Some(match name {
        "arith.addi" => AtomicRmwKind::Addi,
        "arith.andi" => AtomicRmwKind::Andi,
        "arith.maxsi" => AtomicRmwKind::Maxs,
        "arith.maxui" => AtomicRmwKind::Maxu,
        "arith.minsi" => AtomicRmwKind::Mins,
        "arith.minui" => AtomicRmwKind::Minu,
        "arith.ori" => AtomicRmwKind::Ori,
        _ => return None,
    })
}

fn float_atomic_kind(name: &str) -> Option<AtomicRmwKind> {
    Some(match name {
        "arith.addf" => AtomicRmwKind::Addf,
        "arith.maximumf" => AtomicRmwKind::Maximumf,
        "arith.minimumf" => AtomicRmwKind::Minimumf,
        "arith.maxnumf" => AtomicRmwKind::Maxnumf,
        "arith.minnumf" => AtomicRmwKind::Minnumf,
        _ => return None,
    })
}

/// Combines values into elements, each by its atomic.
fn atomic_all(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    kinds: &[AtomicRmwKind],
    buffers: &[Value],
    values: &[Value],
    at: Value,
) {
    let mut b = kernel.at(point);
    for ((&buffer, &value), &kind) in buffers.iter().zip(values).zip(kinds) {
        atomic(&mut b, kind, value, buffer, at);
    }
}

/// The bin of an element within its segment, -1 where it has none, and its values.
fn element(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    hist: &Hist,
    operator: &Operator,
    segment: &[Value],
    at: Value,
    exists: Value,
) -> (Value, Vec<Value>) {
    let mut types = vec![kernel.ir.ctx().index()];
    types.extend(&operator.types);
    let extents: Vec<Value> = hist.bin_extents().iter().map(|&extent| kernel.scalar(extent)).collect();
    let neutral = operator.neutral.clone();
    let found = kernel.if_else(
        point,
        exists,
        &types,
        |kernel, point| {
            let mut index = segment.to_vec();
            index.push(at);
            let mut values = kernel.inline(point, hist.seg.body, &index);
            let updates = values.split_off(hist.indices);
            let inside = in_range(kernel, point, &values, &extents);
            let known: Vec<Option<Value>> = extents.iter().map(|&extent| Some(extent)).collect();
            let mut b = kernel.at(point);
            let bin = linear_index(&mut b, &values, &known);
            let none = constant(&mut b, -1);
            let mut all = vec![arith::SelectOp::build(&mut b, inside, bin, none).result(b.ir)];
            all.extend(updates);
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

/// A thread block's histogram of a range of bins in shared memory.
struct Privatised<'a> {
    update: &'a Update,
    operator: &'a Operator,
    histogram: Vec<Value>,
    /// Per bin the highest claim so far; of locked updates.
    claims: Option<Value>,
    /// First bin of the range, and how many there are at most.
    first: Value,
    room: i64,
    /// Bins of the segment.
    bins: Value,
    thread: Value,
    threads: i64,
}

impl<'a> Privatised<'a> {
    /// An empty histogram.
    fn new(
        kernel: &mut Kernel<'_>,
        hist: &'a Hist,
        operator: &'a Operator,
        (range, room): (Value, i64),
        thread: Value,
        threads: i64,
    ) -> Privatised<'a> {
        let ctx = kernel.ir.context();
        let histogram: Vec<Value> = operator.types.iter().map(|&ty| kernel.shared(room, ty)).collect();
        let claims = matches!(hist.update, Update::Locks).then(|| kernel.shared(room, ctx.i32()));
        let bins = kernel.scalar(hist.bins);
        let mut b = kernel.builder();
        let width = constant(&mut b, room);
        let first = mul(&mut b, range, width);
        let block = Privatised {
            update: &hist.update,
            operator,
            histogram,
            claims,
            first,
            room,
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
    fn for_bins(
        &self,
        kernel: &mut Kernel<'_>,
        body: impl FnOnce(&mut Kernel<'_>, InsertPoint, Value, Value),
    ) {
        let entry = InsertPoint::End(kernel.entry);
        let mut b = kernel.builder();
        let (room, step) = (constant(&mut b, self.room), constant(&mut b, self.threads));
        let left = arith::SubIOp::build(&mut b, self.bins, self.first, None).result(b.ir);
        let upper = arith::MinSIOp::build(&mut b, left, room).result(b.ir);
        kernel.for_loop(entry, (self.thread, upper, step), &[], |kernel, point, at, _| {
            let bin = add(&mut kernel.at(point), self.first, at);
            body(kernel, point, at, bin);
            Vec::new()
        });
    }

    /// Combines values into their bin where it is in this range. `round` counts the rounds of locking.
    fn change(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        bin: Value,
        values: &[Value],
        round: Value,
    ) -> Value {
        let mut b = kernel.at(point);
        let at = arith::SubIOp::build(&mut b, bin, self.first, None).result(b.ir);
        let room = constant(&mut b, self.room);
        let (zero, inside) = (constant(&mut b, 0), compare(&mut b, CmpIPredicate::Ult, at, room));
        let exists = compare(&mut b, CmpIPredicate::Sge, bin, zero);
        let here = arith::AndIOp::build(&mut b, inside, exists).result(b.ir);
        match (self.update, self.claims) {
            (Update::Atomics(kinds), _) => {
                kernel.when(point, Some(here), |kernel, point| {
                    atomic_all(kernel, point, kinds, &self.histogram, values, at);
                });
                round
            }
            (Update::Locks, Some(claims)) => {
                self.change_locked(kernel, point, at, here, values, claims, round)
            }
            (Update::Locks, None) => round,
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
        let backwards = arith::SubIOp::build(&mut b, last, lane, None).result(b.ir);
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
                let claim = arith::MulIOp::build(&mut b, round, width, None).result(b.ir);
                let claim = arith::AddIOp::build(&mut b, claim, backwards, None).result(b.ir);
                kernel.when(point, Some(pending), |kernel, point| {
                    atomic(&mut kernel.at(point), AtomicRmwKind::Maxs, claim, claims, at);
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
                    let old = load_all(kernel, point, &self.histogram, at);
                    let new = self.operator.apply(kernel, point, &old, values);
                    store_all(kernel, point, &self.histogram, &new, at);
                });
                kernel.barrier(point);
                let mut b = kernel.at(point);
                let left = arith::XOrIOp::build(&mut b, pending, wins).result(b.ir);
                let one = word(&mut b, 1);
                vec![left, arith::AddIOp::build(&mut b, round, one, None).result(b.ir)]
            },
        );
        ended[1]
    }
}

/// Whether a condition holds in any lane of the warp; all lanes get the answer.
pub(super) fn any_lane(kernel: &mut Kernel<'_>, point: InsertPoint, condition: Value) -> Value {
    let ctx = kernel.ir.context();
    let mut b = kernel.at(point);
    let mut any = arith::ExtUIOp::build(&mut b, condition, ctx.i32()).out(b.ir);
    let mut offset = 1;
    while i64::from(offset) < WARP {
        let other = shuffle(kernel, point, ShuffleMode::Xor, any, offset);
        let mut b = kernel.at(point);
        any = arith::OrIOp::build(&mut b, any, other).result(b.ir);
        offset *= 2;
    }
    let mut b = kernel.at(point);
    let zero = word(&mut b, 0);
    compare(&mut b, CmpIPredicate::Ne, any, zero)
}
