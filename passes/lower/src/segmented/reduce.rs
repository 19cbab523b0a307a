//! segred, by its form:
//!
//! | form | kernel |
//! |---|---|
//! | `lanes` | 4 lanes for each segment |
//! | `warp` | a warp for each |
//! | `block` | a thread block for each |
//! | `parts` | several thread blocks for each, whose results a second kernel combines |
//! | `last` | several for each, whose results the last one to end combines: a counter for each segment says which that is |
//! | `atomics` | several for each, which combine theirs into the segment's by atomics, in any order |
//! | `threads` | see [`super::arrays`] |
//!
//! Each element is read once. Lanes combine by shuffles, warps through shared memory.

use super::atomic::Atomics;
use super::lanes::{Group, WARP, WideLoad, reduce_group, word};
use super::{Body, Combining, Place, Segmented, is_first, load_all, recover, store_all};
use crate::access::{atomic_add, load, load_acquire, store, store_release};
use crate::function::Lowering;
use crate::kernel::Kernel;
use crate::launch::{Extent, How, Team, add, ceil_div, compare, constant, mul};
use crate::operator::Operator;
use crate::wide::{Rows, Wide};
use segra_gpu::host::MemsetOp;
use segra_ir::{InsertPoint, OpView, Value};
use segra_kernel::form::{FEW_LANES, Form};
use segra_kernel::segop::SegRedOp;
use segra_kernel::turns::Parts;
use segra_std::arith::{self, CmpIPredicate};

/// Most thread blocks a segment is divided among.
const MOST_PARTS: i64 = 1024;

/// How the results of a segment's thread blocks meet: Filipovič et al., "Optimizing CUDA code by kernel fusion", 3.2.2.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Finish {
    Kernel,
    LastBlock,
    Atomics,
}

impl Lowering<'_> {
    pub(crate) fn segred(&mut self, segred: SegRedOp) -> Option<()> {
        let seg = Segmented {
            op: segred.op(),
            sizes: segred.sizes(self.ir),
            neutral: segred.neutral(self.ir),
            body: segred.body(self.ir),
            combine: segred.combine(self.ir),
            rows: Vec::new(),
            wide: None,
        };
        let (op, reduced) = (seg.op, seg.neutral.len());
        let wide = Wide::of(self.ir, op);
        let rows = self.stored_rows(op, reduced, seg.sizes.len());
        let seg = Segmented { wide, rows, ..seg };
        let stored = self.ir.num_results(op) - reduced;
        let mut outputs = self.allocate_results(op, seg.outer(), reduced, 0);
        outputs.extend(self.allocate_results(op, &seg.sizes, stored, reduced));
        let host = InsertPoint::Before(op);
        match segred.form(self.ir) {
            Some(Form::Lanes) => {
                self.reduce_by_groups(&seg, host, &outputs, Team::Lanes(FEW_LANES))?;
            }
            Some(Form::Warp) => self.reduce_by_groups(&seg, host, &outputs, Team::Lanes(WARP))?,
            Some(Form::Block) => {
                let block = Team::Block(Extent::Constant(self.options.block_size));
                self.reduce_by_groups(&seg, host, &outputs, block)?;
            }
            Some(Form::Parts) => self.reduce_by_parts(&seg, host, &outputs, Finish::Kernel)?,
            Some(Form::Last) => self.reduce_by_parts(&seg, host, &outputs, Finish::LastBlock)?,
            Some(Form::Atomics) => self.reduce_by_parts(&seg, host, &outputs, Finish::Atomics)?,
            Some(Form::Thread) => self.reduce_arrays(&seg, host, &outputs)?,
            Some(Form::Threads) => self.reduce_arrays_in_parts(&seg, host, &outputs)?,
            _ => return self.refuse_unscheduled(op),
        }
        self.replace_reduced(op, &outputs, &seg.sizes, reduced);
        Some(())
    }

    /// A team per segment.
    fn reduce_by_groups(
        &mut self,
        seg: &Segmented,
        host: InsertPoint,
        outputs: &[Value],
        team: Team,
    ) -> Option<()> {
        let how = self.how(seg.op)?;
        let launch = self.team_launch(seg.op, how, seg.outer(), team)?;
        let (kind, lanes) = match team {
            Team::Lanes(FEW_LANES) => ("segred_lanes", FEW_LANES),
            Team::Lanes(lanes) => ("segred_warp", lanes),
            Team::Thread | Team::Block(_) => ("segred_block", self.options.block_size),
        };
        let mut kernel = self.kernel_at(seg.op, kind, host);
        let Combining {
            operator,
            combined: reduced,
            body,
            place,
            upper,
        } = Combining::begin(&mut kernel, seg, outputs, &launch);
        let lower = constant(&mut kernel.builder(), 0);
        let group = Group {
            size: lanes,
            lane: place.lane,
            guard: place.guard,
            lower,
            upper,
        };
        let result = reduce_body(&mut kernel, &operator, &group, &body, &place.segment);
        let entry = InsertPoint::End(kernel.entry);
        let first = is_first(&mut kernel, entry, &place);
        kernel.when(entry, Some(first), |kernel, point| {
            let number = body.number(kernel, point, &place.segment);
            store_all(kernel, point, &reduced, &result, number);
        });
        kernel.finish(&launch);
        Some(())
    }

    /// Several thread blocks per segment, whose results meet as `finish` says.
    fn reduce_by_parts(
        &mut self,
        seg: &Segmented,
        host: InsertPoint,
        outputs: &[Value],
        finish: Finish,
    ) -> Option<()> {
        let threads = self.options.block_size;
        let chunk = self.options.chunk;
        let least = constant(&mut self.host(seg.op, host), chunk);
        let parts = self.parts(seg, host, least, MOST_PARTS);
        let (reduced, stored) = outputs.split_at(seg.neutral.len());
        let partial = match finish {
            Finish::Atomics => self.begin_with_neutral(seg, host, reduced),
            Finish::Kernel | Finish::LastBlock => {
                let mut b = self.host(seg.op, host);
                let segments = product(&mut b, seg.outer());
                let count = mul(&mut b, segments, parts.count);
                self.allocate_like(seg.op, host, &seg.neutral, count)
            }
        };
        let ended = (finish == Finish::LastBlock).then(|| self.ended(seg, host, parts.count));
        let atomics = Atomics::of(self.ir, seg.combine);
        let mut space = seg.outer().to_vec();
        space.push(parts.count);
        let how = self.how(seg.op)?;
        let launch = self.block_launch(seg.op, how, &space, threads)?;
        let kind = match finish {
            Finish::Kernel => "segred_parts",
            Finish::LastBlock => "segred_until_last",
            Finish::Atomics => "segred_atomics",
        };
        let mut kernel = self.kernel_at(seg.op, kind, host);
        kernel.capture(&[seg.body, seg.combine]);
        let operator = Operator::new(&mut kernel, seg.combine, &seg.neutral);
        let buffers = kernel.buffers(&partial);
        let body = Body::new(&mut kernel, seg, stored);
        let mut place = recover(&mut kernel, &launch);
        let part = place.segment.pop()?;
        let (lower, upper) = part_bounds(&mut kernel, &parts, part, seg.inner());
        let group = Group {
            size: threads,
            lane: place.lane,
            guard: place.guard,
            lower,
            upper,
        };
        let result = reduce_body(&mut kernel, &operator, &group, &body, &place.segment);
        let entry = InsertPoint::End(kernel.entry);
        let first = is_first(&mut kernel, entry, &place);
        let parts_count = kernel.scalar(parts.count);
        let ended = ended.map(|ended| ended.in_kernel(&mut kernel));
        if finish == Finish::Atomics {
            kernel.when(entry, Some(first), |kernel, point| {
                let number = body.number(kernel, point, &place.segment);
                for (index, &buffer) in buffers.iter().enumerate() {
                    atomics.update(kernel, point, index, &result, (buffer, number));
                }
            });
            kernel.finish(&launch);
            return Some(());
        }
        kernel.when(entry, Some(first), |kernel, point| {
            let number = body.number(kernel, point, &place.segment);
            let mut b = kernel.at(point);
            let before = mul(&mut b, number, parts_count);
            let at = add(&mut b, before, part);
            store_all(kernel, point, &buffers, &result, at);
            if let Some(ended) = &ended {
                let mut b = kernel.at(point);
                let stored = word(&mut b, 1);
                store_release(&mut b, stored, ended.stored, at);
            }
        });
        let Some(ended) = ended else {
            kernel.finish(&launch);
            return self.combine_parts(seg, host, (&partial, parts.count), reduced);
        };
        let reduced = kernel.buffers(reduced);
        let last = Last {
            ended,
            first,
            place,
            parts: parts_count,
        };
        last.combine(&mut kernel, (&operator, &group, &body), &buffers, &reduced);
        kernel.finish(&launch);
        Some(())
    }

    /// Results that atomics are to combine into.
    fn begin_with_neutral(
        &mut self,
        seg: &Segmented,
        host: InsertPoint,
        reduced: &[Value],
    ) -> Vec<Value> {
        for (&output, &neutral) in reduced.iter().zip(&seg.neutral) {
            let mut b = self.host(seg.op, host);
            MemsetOp::builder().dst(output).value(neutral).build(&mut b);
        }
        reduced.to_vec()
    }

    /// Counters and marks of thread blocks that have ended; none have.
    fn ended(&mut self, seg: &Segmented, host: InsertPoint, parts: Value) -> Ended {
        let ctx = self.ctx.clone();
        let mut b = self.host(seg.op, host);
        let segments = product(&mut b, seg.outer());
        let all = mul(&mut b, segments, parts);
        let [counters, stored] = [segments, all].map(|count| {
            let buffer = self.allocate(seg.op, host, ctx.i32(), count);
            let mut b = self.host(seg.op, host);
            let none = word(&mut b, 0);
            MemsetOp::builder().dst(buffer).value(none).build(&mut b);
            buffer
        });
        Ended { counters, stored }
    }

    /// One thread block per segment combines the results of its parts.
    fn combine_parts(
        &mut self,
        seg: &Segmented,
        host: InsertPoint,
        (partial, count): (&[Value], Value),
        outputs: &[Value],
    ) -> Option<()> {
        let threads = self.options.block_size;
        let launch = self.block_launch(seg.op, How::Folded, seg.outer(), threads)?;
        let mut kernel = self.kernel_at(seg.op, "segred_last", host);
        kernel.capture(&[seg.combine]);
        let operator = Operator::new(&mut kernel, seg.combine, &seg.neutral);
        let inputs = kernel.buffers(partial);
        let reduced = kernel.buffers(outputs);
        let body = Body::new(&mut kernel, seg, &[]);
        let place = recover(&mut kernel, &launch);
        let upper = kernel.scalar(count);
        let entry = InsertPoint::End(kernel.entry);
        let number = body.number(&mut kernel, entry, &place.segment);
        let mut b = kernel.builder();
        let lower = constant(&mut b, 0);
        let first_part = mul(&mut b, number, upper);
        let group = Group {
            size: threads,
            lane: place.lane,
            guard: place.guard,
            lower,
            upper,
        };
        let result = reduce_group(
            &mut kernel,
            &operator,
            &group,
            &mut |kernel, point, at| {
                let at = add(&mut kernel.at(point), first_part, at);
                load_all(kernel, point, &inputs, at)
            },
            None,
        );
        let first = is_first(&mut kernel, entry, &place);
        kernel.when(entry, Some(first), |kernel, point| {
            store_all(kernel, point, &reduced, &result, number);
        });
        kernel.finish(&launch);
        Some(())
    }

    /// Divides segments into parts of at least about `least` elements, at most `most` of them; at least one.
    pub(super) fn parts(
        &mut self,
        seg: &Segmented,
        host: InsertPoint,
        least: Value,
        most: i64,
    ) -> Parts {
        let threads = self.options.block_size;
        let mut b = self.host(seg.op, host);
        let (one, most) = (constant(&mut b, 1), constant(&mut b, most));
        let wanted = arith::CeilDivSIOp::build(&mut b, seg.inner(), least).result(b.ir);
        let few = arith::MinSIOp::build(&mut b, wanted, most).result(b.ir);
        let few = arith::MaxSIOp::build(&mut b, few, one).result(b.ir);
        let length = arith::CeilDivSIOp::build(&mut b, seg.inner(), few).result(b.ir);
        let rows = ceil_div(&mut b, length, threads);
        let rows = arith::MaxSIOp::build(&mut b, rows, one).result(b.ir);
        let width = constant(&mut b, threads);
        let length = mul(&mut b, rows, width);
        let count = arith::CeilDivSIOp::build(&mut b, seg.inner(), length).result(b.ir);
        let count = arith::MaxSIOp::build(&mut b, count, one).result(b.ir);
        Parts { count, length }
    }
}

/// The thread blocks of segments that have stored their results.
struct Ended {
    /// How many, for each segment.
    counters: Value,
    /// Whether it has, for each part of each segment. Counting orders nothing, so that what a count says may be seen before the
    /// result itself: the mark is released after the result, and whoever reads the result acquires the mark.
    stored: Value,
}

/// The last thread block of a segment, as its threads see it.
struct Last {
    ended: Ended,
    /// Whether this is the first thread of a block that has a part.
    first: Value,
    place: Place,
    parts: Value,
}

impl Last {
    /// Combines the results of all parts, in order, where this is the last block.
    fn combine(
        &self,
        kernel: &mut Kernel<'_>,
        (operator, group, body): (&Operator, &Group, &Body),
        parts: &[Value],
        reduced: &[Value],
    ) {
        let is_last = self
            .ended
            .is_last(kernel, (self.first, &self.place), body, self.parts);
        let entry = InsertPoint::End(kernel.entry);
        let number = body.number(kernel, entry, &self.place.segment);
        let mut b = kernel.builder();
        let lower = constant(&mut b, 0);
        // Others have no part to combine.
        let upper = arith::SelectOp::build(&mut b, is_last, self.parts, lower).result(b.ir);
        let first_part = mul(&mut b, number, self.parts);
        let group = Group {
            size: group.size,
            lane: group.lane,
            guard: group.guard,
            lower,
            upper,
        };
        let mut of_part = |kernel: &mut Kernel<'_>, point: InsertPoint, at: Value| {
            let at = add(&mut kernel.at(point), first_part, at);
            self.ended.wait(kernel, point, at);
            load_all(kernel, point, parts, at)
        };
        let total = reduce_group(kernel, operator, &group, &mut of_part, None);
        let mut b = kernel.builder();
        let stores = arith::AndIOp::build(&mut b, self.first, is_last).result(b.ir);
        kernel.when(entry, Some(stores), |kernel, point| {
            store_all(kernel, point, reduced, &total, number);
        });
    }
}

impl Ended {
    fn in_kernel(self, kernel: &mut Kernel<'_>) -> Ended {
        let [counters, stored] = [self.counters, self.stored].map(|buffer| kernel.buffer(buffer));
        Ended { counters, stored }
    }

    /// Whether the thread block is the last one of its segment to end, of which all threads learn.
    fn is_last(
        &self,
        kernel: &mut Kernel<'_>,
        (first, place): (Value, &Place),
        body: &Body,
        parts: Value,
    ) -> Value {
        let ctx = kernel.ir.context();
        let entry = InsertPoint::End(kernel.entry);
        let shared = kernel.shared(1, ctx.i32());
        let mut b = kernel.builder();
        let zero = constant(&mut b, 0);
        let leads = compare(&mut b, CmpIPredicate::Eq, place.lane, zero);
        kernel.when(entry, Some(leads), |kernel, point| {
            // Of a thread block beyond the space, which counts for none.
            let mut b = kernel.at(point);
            let nothing = word(&mut b, -1);
            store(&mut b, nothing, shared, zero);
        });
        kernel.when(entry, Some(first), |kernel, point| {
            let number = body.number(kernel, point, &place.segment);
            let mut b = kernel.at(point);
            let one = word(&mut b, 1);
            let before = atomic_add(&mut b, one, self.counters, number);
            store(&mut b, before, shared, zero);
        });
        kernel.barrier(entry);
        let mut b = kernel.builder();
        let before = load(&mut b, shared, &[zero]);
        let before = arith::IndexCastOp::build(&mut b, before, ctx.index()).out(b.ir);
        let one = constant(&mut b, 1);
        let ended = add(&mut b, before, one);
        compare(&mut b, CmpIPredicate::Eq, ended, parts)
    }

    /// Waits for the mark of a part whose thread block has counted, so that its result can be read.
    fn wait(&self, kernel: &mut Kernel<'_>, point: InsertPoint, at: Value) {
        let before = |kernel: &mut Kernel<'_>, point: InsertPoint, _: &[Value]| {
            let mut b = kernel.at(point);
            let mark = load_acquire(&mut b, self.stored, at);
            let none = word(&mut b, 0);
            (compare(&mut b, CmpIPredicate::Eq, mark, none), Vec::new())
        };
        kernel.while_loop(point, &[], &[], before, |_, _, _| Vec::new());
    }
}

/// Combines the elements of a segment that a group has, several at a time where the body can be done so.
fn reduce_body(
    kernel: &mut Kernel<'_>,
    operator: &Operator,
    group: &Group,
    body: &Body,
    segment: &[Value],
) -> Vec<Value> {
    let mut load = |kernel: &mut Kernel<'_>, point: InsertPoint, at: Value| {
        body.load(kernel, point, segment, at)
    };
    let mut load_wide = |kernel: &mut Kernel<'_>, point: InsertPoint, at: Value| {
        body.load_wide(kernel, point, segment, at)
    };
    let wide = body
        .wide
        .as_ref()
        .filter(|_| group.size > FEW_LANES)
        .map(|wide| {
            let entry = InsertPoint::End(kernel.entry);
            let zero = constant(&mut kernel.builder(), 0);
            let row =
                (wide.rows == Rows::Anywhere).then(|| body.place(kernel, entry, segment, zero));
            WideLoad {
                lanes: wide.lanes,
                row,
                load: &mut load_wide,
            }
        });
    reduce_group(kernel, operator, group, &mut load, wide)
}

/// First element of a part, and the end of it.
pub(super) fn part_bounds(
    kernel: &mut Kernel<'_>,
    parts: &Parts,
    part: Value,
    inner: Value,
) -> (Value, Value) {
    let (length, inner) = (kernel.scalar(parts.length), kernel.scalar(inner));
    let mut b = kernel.builder();
    let lower = mul(&mut b, part, length);
    let end = add(&mut b, lower, length);
    (
        lower,
        arith::MinSIOp::build(&mut b, end, inner).result(b.ir),
    )
}

/// The product of host values; 1 for none.
pub(crate) fn product(b: &mut segra_ir::Builder<'_>, values: &[Value]) -> Value {
    match values.split_first() {
        None => constant(b, 1),
        Some((&first, rest)) => rest
            .iter()
            .fold(first, |product, &value| mul(b, product, value)),
    }
}
