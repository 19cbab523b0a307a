//! Copies that the threads of a thread block make ahead: asynchronously, and 16 bytes at a time, where that can be.
//!
//! ```text
//! kernel.segmap thread async (%r < 16, %e < 32) { %x[min(%i + %r, %n), %t + min(%e, %last)] }
//!   ==>  thread: %r, %e = its number, four elements each; a, b = the last index at %e, at %e + 3;  p = the element's place
//!        if b - a == 3 and p mod 4 == 0, in all rounds of the threads { nvgpu.device_async_copy %x[p], %slot[..], 4 {bypassL1} }
//!        else { four copies of one element }
//! ```
//! Buffers start at multiples of 256 bytes, so an element is aligned where its number is a multiple of the lanes. Indices
//! that stop at an end are in a row as long as they do not, so tiles of any size take few instructions but at the edges.
//! [`super::turns`] finds out before a loop, where that is the same for all steps.
//!
//! Where elements go one by one in all steps (rows of odd extents), neighbours of a warp copy neighbours of a row: of an element per
//! thread and row, the places of later rows are the first one's and a number of rows, but at most that of the last row.
//!
//! Legality: a value that is one read, without a check, of an array in global memory. Several elements at a time: one value;
//! all indices but the last are the same along the innermost dimension, and the last grows by 0 or 1 with it (sums,
//! differences and least or greatest of the point's index and what does not depend on it); rows of the slot start aligned.
//! Elements of less than 4 bytes are copied asynchronously only so; all others are loaded and stored.

use super::ops::Inner;
use crate::Checks;
use crate::access::bit_width;
use crate::kernel::Kernel;
use crate::launch::{add, compare, constant, mul};
use crate::state::{Array, Copies, Emitted, Memory};
use segra_gpu::nvgpu::DeviceAsyncCopyOp;
use segra_ir::interfaces::constant_of;
use segra_ir::{Block, InsertPoint, Ir, Op, Type, Value};
use segra_kernel::access::Read;
use segra_kernel::growth::{Along, Growth};
use segra_pass::analysis::operator::Slice;
use segra_space::Target;
use segra_std::arith::expr::unfold;
use segra_std::arith::{self, CmpIPredicate};

/// Rounds of the threads that are written one after another.
const MOST_ROUNDS: i64 = 16;

/// Bytes of an element that asynchronous copies can have.
pub(super) fn bytes(ir: &Ir, element: Type) -> Option<i64> {
    let bits = i64::from(bit_width(ir.ctx(), element)?);
    [8, 16, 32, 64].contains(&bits).then_some(bits / 8)
}

/// A value that is copied as it is.
#[derive(Clone)]
pub(super) struct Plain {
    pub(super) read: Read,
    pub(super) source: Array,
    pub(super) target: Array,
}

/// A place to copy to: the point's indices, and its number.
type At<'a> = (&'a [Value], Value);

impl Kernel<'_> {
    /// Whether a segmap copies to a slot.
    pub(super) fn copies_ahead(&self, op: Op) -> bool {
        let mut results = self.ir.results(op);
        results.len() > 0 && results.all(|result| self.is_in_ring(result))
    }

    /// All points of a segmap that copies to slots.
    pub(super) fn copy_ahead(&mut self, point: InsertPoint, inner: &mut Inner) {
        let Some(block) = self.ir.entry_block(inner.body) else {
            return;
        };
        let returned: Vec<Value> = match self.ir.last_op(block) {
            Some(last) => self.ir.operands(last).collect(),
            None => return,
        };
        let plain: Vec<Option<Plain>> = returned
            .iter()
            .enumerate()
            .map(|(index, &value)| self.plain(value, inner.place(index)?))
            .collect();
        let singly = matches!(self.how_to_copy(), Copies::Single);
        let lanes = match &plain[..] {
            [Some(plain)] => self.lanes_ahead(block, plain).unwrap_or(1),
            _ => 1,
        };
        let mut sizes = inner.sizes.clone();
        let count = self.count(point, &inner.extents.clone());
        if let ([Some(plain)], true, Some(rounds)) = (&plain[..], singly, self.whole_rounds(count))
            && self.copy_neighbours(point, inner, (block, plain), (&sizes, &rounds))
        {
            return;
        }
        let count = match (sizes.last_mut(), lanes) {
            (Some(last), 2..) => {
                let mut b = self.at(point);
                let lanes = constant(&mut b, lanes);
                *last = quotient(&mut b, *last, lanes);
                quotient(&mut b, count, lanes)
            }
            _ => count,
        };
        let place = |kernel: &mut Self, point, number| {
            let mut indices = unfold(&mut kernel.at(point), &sizes, number);
            let mut b = kernel.at(point);
            let factor = constant(&mut b, lanes);
            if let (Some(last), 2..) = (indices.last_mut(), lanes) {
                *last = mul(&mut b, *last, factor);
                return (indices, mul(&mut b, number, factor));
            }
            (indices, number)
        };
        if let ([Some(plain)], 2.., Some(rounds)) = (&plain[..], lanes, self.whole_rounds(count)) {
            let rows: Vec<(Vec<Value>, Value)> = rounds
                .into_iter()
                .filter_map(|first| {
                    let thread = self.block.as_ref()?.thread;
                    let down = self.rows_down(&sizes, first);
                    let mut b = self.at(point);
                    let first = constant(&mut b, first);
                    let number = add(&mut b, thread, first);
                    let Some(down) = down else {
                        return Some(place(self, point, number));
                    };
                    let (mut indices, _) = place(self, point, thread);
                    let mut b = self.at(point);
                    let [down, lanes] = [down, lanes].map(|it| constant(&mut b, it));
                    indices[0] = add(&mut b, indices[0], down);
                    Some((indices, mul(&mut b, number, lanes)))
                })
                .collect();
            return self.by_thread(|kernel| kernel.copy_rows(point, inner, (plain, lanes), &rows));
        }
        self.for_rounds(point, count, |kernel, point, number| {
            let (indices, number) = place(kernel, point, number);
            match &plain[..] {
                [Some(plain)] if lanes > 1 => {
                    kernel.copy_rows(point, inner, (plain, lanes), &[(indices, number)]);
                }
                _ => {
                    for (index, plain) in plain.iter().enumerate() {
                        kernel.copy_one(point, inner, (index, plain.as_ref()), (&indices, number));
                    }
                }
            }
        });
    }

    /// Copies element by element, so that neighbours of a warp ask for neighbours of a row; false, and nothing done, where
    /// places of a thread's elements are not known to be rows apart.
    ///
    /// The place of a later row is the first one's and a constant number of rows, but at most that of the last row: two
    /// numbers for all rows of a matrix, which loops advance (`advance-copies`), instead of one for each.
    fn copy_neighbours(
        &mut self,
        point: InsertPoint,
        inner: &mut Inner,
        (block, plain): (Block, &Plain),
        (sizes, rounds): (&[Value], &[i64]),
    ) -> bool {
        let down: Option<Vec<i64>> = rounds
            .iter()
            .map(|&first| self.rows_down(sizes, first))
            .collect();
        let wanted = plain.read.indices(self.ir);
        let thread = self.block.as_ref().map(|block| block.thread);
        let known = bytes(self.ir, plain.source.element) >= Some(4) && plain.source.pitch.is_none();
        let rows = self.ir.block_args(block).first().copied();
        let rows = rows.and_then(|row| Along::of(self.ir, block, &wanted, row));
        let (Some(down), Some(thread), Some(rows), true) = (down, thread, rows, known) else {
            return false;
        };
        self.by_thread(|kernel| {
            let indices = unfold(&mut kernel.at(point), sizes, thread);
            let mut first = wanted.clone();
            first[rows.dim] = rows.index;
            let mut at = kernel.values_of(point, inner, &first, &indices);
            let first = kernel.linear(point, &plain.source, &at);
            let last = rows.last.map(|last| {
                at[rows.dim] = kernel.values_of(point, inner, &[last], &indices)[0];
                kernel.linear(point, &plain.source, &at)
            });
            let row = kernel.count(point, &plain.source.extents[rows.dim + 1..]);
            for (&down, &round) in down.iter().zip(rounds) {
                let mut b = kernel.at(point);
                let [rows, round] = [down, round].map(|it| constant(&mut b, it));
                let number = add(&mut b, thread, round);
                let below = add(&mut b, indices[0], rows);
                let place = match down {
                    0 => first,
                    _ => {
                        let further = mul(&mut b, row, rows);
                        add(&mut b, first, further)
                    }
                };
                let place = match last {
                    Some(last) => arith::MinSIOp::build(&mut b, place, last).result(b.ir),
                    None => place,
                };
                let from = kernel.position(point, &plain.source, place);
                let mut indices = indices.clone();
                indices[0] = below;
                kernel.issue(point, plain, from, (&indices, number), 1);
            }
        });
        true
    }

    /// The first number of each round of the threads, where all of them take part in all rounds, which are few.
    fn whole_rounds(&self, count: Value) -> Option<Vec<i64>> {
        let known = |value| constant_of(self.ir, value)?.as_i64(self.ir.ctx());
        let (count, threads) = (known(count)?, known(self.block.as_ref()?.threads)?);
        let fits = threads > 0 && count % threads == 0 && count <= MOST_ROUNDS * threads;
        fits.then(|| (0..count / threads).map(|round| round * threads).collect())
    }

    /// How many rows a thread's element of a round lies below its first one, in the same column: of rows that so many elements
    /// are a whole number of. Addresses of all rounds are then a constant apart.
    fn rows_down(&self, sizes: &[Value], first: i64) -> Option<i64> {
        let &[_, columns] = sizes else { return None };
        let columns = self.ir.constant_int(columns).filter(|&it| it > 0)?;
        (first % columns == 0).then_some(first / columns)
    }

    /// As [`Self::for_threads`], where few rounds are written out if their number is known.
    fn for_rounds(
        &mut self,
        point: InsertPoint,
        count: Value,
        mut body: impl FnMut(&mut Self, InsertPoint, Value),
    ) {
        let Some((thread, threads)) = self.block.as_ref().map(|it| (it.thread, it.threads)) else {
            return;
        };
        let known = |value| constant_of(self.ir, value)?.as_i64(self.ir.ctx());
        let Some((number, step)) = known(count)
            .zip(known(threads))
            .filter(|&(count, step)| step > 0 && count <= MOST_ROUNDS * step)
        else {
            return self.for_threads(point, count, false, body);
        };
        for first in (0..number).step_by(usize::try_from(step).unwrap_or(usize::MAX)) {
            let mut b = self.at(point);
            let before = constant(&mut b, first);
            let at = add(&mut b, thread, before);
            let inside =
                (first + step > number).then(|| compare(&mut b, CmpIPredicate::Slt, at, count));
            self.when(point, inside, |kernel, point| {
                kernel.by_thread(|kernel| body(kernel, point, at));
            });
        }
    }

    /// The part of a value that is copied, where it is loaded from global memory as it is.
    pub(super) fn plain(&self, value: Value, target: Array) -> Option<Plain> {
        let read = Read::of(self.ir, self.ir.defining_op(value)?)?;
        let checked = self.checks() == Checks::On && read.is_checked(self.ir);
        let source = self.arrays.get(&read.tensor(self.ir))?;
        let global = matches!(source.memory, Memory::Global(_));
        let fits = global && !checked && bytes(self.ir, source.element).is_some();
        fits.then(|| Plain {
            read,
            source: source.clone(),
            target,
        })
    }

    /// How many elements go at a time.
    pub(super) fn lanes_ahead(&self, block: Block, plain: &Plain) -> Option<i64> {
        let lanes = Target::CUDA.vector_bytes / bytes(self.ir, plain.source.element)?;
        let extent = plain.target.extents.last().copied()?;
        let row = self.known_extent(extent)?;
        let pitch = plain.target.pitch;
        let aligned = row % lanes == 0 && pitch.is_none_or(|pitch| pitch.keeps_together(lanes));
        let source = &plain.source;
        let whole = source.offset.is_none() && source.stride.is_none() && source.pitch.is_none();
        let innermost = *self.ir.block_args(block).last()?;
        let indices = plain.read.indices(self.ir);
        let (&last, others) = indices.split_last()?;
        let growth = |index| Growth::of(self.ir, block, index, innermost);
        let along = growth(last).is_some_and(|it| it != Growth::Still)
            && others
                .iter()
                .all(|&index| growth(index) == Some(Growth::Still));
        (lanes > 1 && aligned && whole && along).then_some(lanes)
    }

    /// Copies elements in rows, of each of these points and those behind it: together where all of them are in a row at
    /// their source, else one by one. One branch for all of them, as it is for the edges of arrays alone.
    fn copy_rows(
        &mut self,
        point: InsertPoint,
        inner: &mut Inner,
        (plain, lanes): (&Plain, i64),
        rows: &[(Vec<Value>, Value)],
    ) {
        match self.how_to_copy() {
            Copies::Tested => {}
            Copies::Single => return self.copy_singly(point, inner, (plain, lanes), rows),
            Copies::Together(known) => {
                return self.when(point, Some(known), |kernel, point| {
                    for (indices, number) in rows {
                        let from = kernel.source_of(point, inner, plain, indices);
                        kernel.issue(point, plain, from, (indices, *number), lanes);
                    }
                });
            }
        }
        let mut all_together = None;
        let mut sources = Vec::new();
        for (indices, _) in rows {
            let from = self.source_of(point, inner, plain, indices);
            let together = self.are_in_a_row(point, inner, (plain, lanes), indices, from);
            sources.push(from);
            all_together = Some(match all_together {
                None => together,
                Some(all) => {
                    let mut b = self.at(point);
                    arith::AndIOp::build(&mut b, all, together).result(b.ir)
                }
            });
        }
        let Some(together) = all_together else { return };
        self.if_else(
            point,
            together,
            &[],
            |kernel, point| {
                for ((indices, number), from) in rows.iter().zip(sources) {
                    kernel.issue(point, plain, from, (indices, *number), lanes);
                }
                Vec::new()
            },
            |kernel, point| {
                kernel.copy_singly(point, inner, (plain, lanes), rows);
                Vec::new()
            },
        );
    }

    fn copy_singly(
        &mut self,
        point: InsertPoint,
        inner: &mut Inner,
        (plain, lanes): (&Plain, i64),
        rows: &[(Vec<Value>, Value)],
    ) {
        for (indices, number) in rows {
            for lane in 0..lanes {
                let indices = self.in_row(point, indices, lane);
                let mut b = self.at(point);
                let lane = constant(&mut b, lane);
                let number = add(&mut b, *number, lane);
                self.copy_one(point, inner, (0, Some(plain)), (&indices, number));
            }
        }
    }

    /// Whether the elements of a point and of those behind it lie in a row that starts aligned, `from` on.
    fn are_in_a_row(
        &mut self,
        point: InsertPoint,
        inner: &Inner,
        (plain, lanes): (&Plain, i64),
        indices: &[Value],
        from: Value,
    ) -> Value {
        let last: Vec<Value> = plain
            .read
            .indices(self.ir)
            .last()
            .copied()
            .into_iter()
            .collect();
        let first = self.values_of(point, inner, &last, indices)[0];
        let end = self.in_row(point, indices, lanes - 1);
        let end = self.values_of(point, inner, &last, &end)[0];
        let mut b = self.at(point);
        let (beyond, width) = (constant(&mut b, lanes - 1), constant(&mut b, lanes));
        let zero = constant(&mut b, 0);
        let steps = arith::SubIOp::build(&mut b, end, first).result(b.ir);
        let neighbours = compare(&mut b, CmpIPredicate::Eq, steps, beyond);
        let rest = arith::RemUIOp::build(&mut b, from, width).result(b.ir);
        let aligned = compare(&mut b, CmpIPredicate::Eq, rest, zero);
        arith::AndIOp::build(&mut b, neighbours, aligned).result(b.ir)
    }

    /// The indices of a point so many behind another one in its row.
    fn in_row(&mut self, point: InsertPoint, indices: &[Value], lane: i64) -> Vec<Value> {
        let mut indices = indices.to_vec();
        if let Some(last) = indices.last_mut() {
            let mut b = self.at(point);
            let lane = constant(&mut b, lane);
            *last = add(&mut b, *last, lane);
        }
        indices
    }

    /// Copies one value of a point.
    fn copy_one(
        &mut self,
        point: InsertPoint,
        inner: &mut Inner,
        (index, plain): (usize, Option<&Plain>),
        (indices, number): At<'_>,
    ) {
        let single = |plain: &&Plain| bytes(self.ir, plain.source.element) >= Some(4);
        if let Some(plain) = plain.filter(single) {
            let from = self.source_of(point, inner, plain, indices);
            return self.issue(point, plain, from, (indices, number), 1);
        }
        let values = self.inline_some(point, inner.body, indices, &[index]);
        for value in values {
            let value = Emitted::Scalar(value);
            inner.store_at(self, point, index, &value, (indices, number));
        }
    }

    /// Where the element lies that a point copies.
    fn source_of(
        &mut self,
        point: InsertPoint,
        inner: &Inner,
        plain: &Plain,
        indices: &[Value],
    ) -> Value {
        let wanted = plain.read.indices(self.ir);
        let at = self.values_of(point, inner, &wanted, indices);
        let linear = self.linear(point, &plain.source, &at);
        self.position(point, &plain.source, linear)
    }

    /// Values of a body at a point.
    pub(super) fn values_of(
        &mut self,
        point: InsertPoint,
        inner: &Inner,
        wanted: &[Value],
        indices: &[Value],
    ) -> Vec<Value> {
        let Some(block) = self.ir.entry_block(inner.body) else {
            return wanted.to_vec();
        };
        let slice = Slice::of(self.ir, block, wanted);
        self.emit_slice(point, block, slice, indices);
        wanted.iter().map(|&value| self.inside(value)).collect()
    }

    /// Issues a copy of elements in a row.
    fn issue(
        &mut self,
        point: InsertPoint,
        plain: &Plain,
        from: Value,
        (indices, number): At<'_>,
        lanes: i64,
    ) {
        let target = &plain.target;
        let to = match target.pitch {
            Some(_) => self.linear(point, target, indices),
            None => number,
        };
        let to = self.position(point, target, to);
        let (Some(src), Some(dst)) = (plain.source.memory.buffer(), target.memory.buffer()) else {
            return;
        };
        let mut b = self.at(point);
        let whole = (lanes > 1).then(|| b.ctx().unit());
        let lanes = b.ctx().index_attr(lanes);
        DeviceAsyncCopyOp::builder()
            .dst(dst)
            .dst_indices(&[to])
            .src(src)
            .src_indices(&[from])
            .dst_elements(lanes)
            .bypass_l1(whole)
            .build(&mut b);
    }
}

fn quotient(b: &mut segra_ir::Builder<'_>, value: Value, divisor: Value) -> Value {
    let known = |b: &segra_ir::Builder<'_>, value| constant_of(b.ir, value)?.as_i64(b.ctx());
    match (known(b, value), known(b, divisor)) {
        (Some(value), Some(divisor)) if divisor > 0 => constant(b, value / divisor),
        _ => arith::DivUIOp::build(b, value, divisor).result(b.ir),
    }
}
