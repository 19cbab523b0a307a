//! seghist in global memory under a lock per bin.
//!
//! Values that atomics do ([`segra_kernel::atomic`]) are done so first, by the thread that has the element. For the others, a
//! thread per element takes its bin's lock by an atomic exchange, combines, and gives the lock back; lanes that found
//! it taken go again. All lanes of a warp go around together until none is left, so that a lane that waits never keeps
//! the one that it waits for from going on. Each element is read once; bins are read and written once per element. The
//! order of elements in a bin differs from run to run: results of operators that are only nearly associative, as sums of
//! floats are, differ in their last bits.

use super::hist::Hist;
use super::lanes::{any_lane, test, word};
use crate::access::{atomic, element_type, load_acquire, store_release};
use crate::arrays::{ArrayOperator, combine_at};
use crate::function::Lowering;
use crate::kernel::Kernel;
use crate::launch::{Extent as SpaceExtent, Team, compare, constant, mul};
use crate::recovery::Copies;
use crate::segmented::reduce::product;
use crate::state::{Array, Emitted, Extent, Memory};
use crate::update::in_range;
use segra_gpu::host::MemsetOp;
use segra_ir::{InsertPoint, Value};
use segra_std::arith::expr::linear_index;
use segra_std::arith::{self, CmpIPredicate};
use segra_std::memref::AtomicRmwKind;

impl Lowering<'_> {
    /// One thread per element; the results begin as the destinations.
    pub(super) fn hist_locked(
        &mut self,
        hist: &Hist,
        host: InsertPoint,
        outputs: &[Value],
    ) -> Option<()> {
        let seg = &hist.seg;
        let all: Vec<usize> = (0..outputs.len()).collect();
        self.copy_destinations(hist, host, outputs, &all);
        let word_type = self.ctx.i32();
        let mut b = self.host(seg.op, host);
        let segments = product(&mut b, seg.outer());
        let count = mul(&mut b, segments, hist.bins);
        let locks = self.allocate(seg.op, host, word_type, count);
        let mut b = self.host(seg.op, host);
        let free = word(&mut b, 0);
        MemsetOp::builder().dst(locks).value(free).build(&mut b);
        let space: Vec<SpaceExtent> = seg
            .sizes
            .iter()
            .map(|&size| SpaceExtent::Value(size))
            .collect();
        let how = self.how(seg.op)?;
        let launch = self.launch(seg.op, how, &space, Team::Thread)?;
        let mut kernel = self.kernel_at(seg.op, "seghist_locks", host);
        kernel.capture(&[seg.body, seg.combine]);
        let operator = ArrayOperator::new(&mut kernel, seg.op, seg.combine, &seg.neutral);
        let mut targets = Vec::new();
        for &output in outputs {
            let extents = hist
                .extents
                .iter()
                .map(|&extent| Extent::Host(extent))
                .collect();
            let element = element_type(kernel.ir, kernel.ir.value_type(output));
            targets.push(Array::whole(
                Memory::Global(kernel.buffer(output)),
                extents,
                element,
            ));
        }
        let locks = kernel.buffer(locks);
        let indexed = &hist.extents[..seg.outer().len() + hist.indices];
        let indexed = indexed
            .iter()
            .map(|&extent| kernel.scalar(extent))
            .collect();
        let thread = kernel.thread(&launch);
        let bins = Bins {
            hist,
            operator,
            targets,
            indexed,
            locks,
        };
        kernel.points(
            &launch,
            thread,
            Copies::One,
            &mut |kernel, point, at, guard| {
                bins.change(kernel, point, at, guard);
            },
        );
        kernel.finish(&launch);
        Some(())
    }
}

/// The bins of a histogram in global memory.
struct Bins<'a> {
    hist: &'a Hist,
    operator: ArrayOperator,
    targets: Vec<Array>,
    /// Extents of the segments, then of the bins.
    indexed: Vec<Value>,
    locks: Value,
}

impl Bins<'_> {
    /// Combines the values of the element at `at` into its bin, if there is such an element and it has one.
    fn change(
        &self,
        kernel: &mut Kernel<'_>,
        entry: InsertPoint,
        at: &[Value],
        guard: Option<Value>,
    ) {
        let bin = self.bin_of(kernel, entry, at, guard);
        let has_bin = test(kernel, entry, CmpIPredicate::Sge, bin, 0);
        let bit = kernel.ir.ctx().i1();
        kernel.while_loop(
            entry,
            &[has_bin],
            &[bit],
            |kernel, point, state| (any_lane(kernel, point, state[0]), state.to_vec()),
            |kernel, point, state| {
                let waits = state[0];
                let holds = kernel.if_else(
                    point,
                    waits,
                    &[bit],
                    |kernel, point| {
                        let mut b = kernel.at(point);
                        let (taken, free) = (word(&mut b, 1), word(&mut b, 0));
                        let before = atomic(&mut b, AtomicRmwKind::Assign, taken, self.locks, bin);
                        vec![compare(&mut b, CmpIPredicate::Eq, before, free)]
                    },
                    |_, _| vec![waits],
                )[0];
                kernel.when(point, Some(holds), |kernel, point| {
                    // Writes of the lock's last holder are seen from here on.
                    load_acquire(&mut kernel.at(point), self.locks, bin);
                    self.combine(kernel, point, at);
                    let mut b = kernel.at(point);
                    let free = word(&mut b, 0);
                    store_release(&mut b, free, self.locks, bin);
                });
                vec![arith::XOrIOp::build(&mut kernel.at(point), waits, holds).result(kernel.ir)]
            },
        );
    }

    /// Number of the element's bin over all segments; -1 where it has none. Values that atomics do are combined into it.
    fn bin_of(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        at: &[Value],
        guard: Option<Value>,
    ) -> Value {
        let exists = guard.unwrap_or_else(|| {
            let mut b = kernel.at(point);
            let attr = b.ctx().bool_attr(true);
            arith::ConstantOp::build(&mut b, attr).result(b.ir)
        });
        let index = kernel.ir.ctx().index();
        let found = kernel.if_else(
            point,
            exists,
            &[index],
            |kernel, point| {
                let (indices, values) = self.element(kernel, point, at);
                let segment = at.len() - 1;
                let inside = in_range(kernel, point, &indices[segment..], &self.indexed[segment..]);
                let known: Vec<Option<Value>> =
                    self.indexed.iter().map(|&extent| Some(extent)).collect();
                let mut b = kernel.at(point);
                let bin = linear_index(&mut b, &indices, &known);
                self.combine_atomic(kernel, point, (inside, bin), &values);
                let mut b = kernel.at(point);
                let none = constant(&mut b, -1);
                vec![arith::SelectOp::build(&mut b, inside, bin, none).result(b.ir)]
            },
            |kernel, point| vec![constant(&mut kernel.at(point), -1)],
        );
        found[0]
    }

    /// Indices of the element's bin, those of the segment first, and its values.
    fn element(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        at: &[Value],
    ) -> (Vec<Value>, Vec<Emitted>) {
        let mut values = kernel.inline_point(point, self.hist.seg.body, at);
        let rest = values.split_off(self.hist.indices.min(values.len()));
        let mut indices = at[..at.len() - 1].to_vec();
        indices.extend(kernel.scalars(self.hist.seg.body, point, values));
        (indices, rest)
    }

    /// Combines the values that need no lock into the bin with this number, if it is one.
    fn combine_atomic(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        (inside, bin): (Value, Value),
        values: &[Emitted],
    ) {
        let Hist {
            atomics, global, ..
        } = self.hist;
        if global.atomic.is_empty() {
            return;
        }
        let values = Emitted::scalars(values);
        kernel.when(point, Some(inside), |kernel, point| {
            for &index in &global.atomic {
                if let Some(buffer) = self.targets[index].memory.buffer() {
                    atomics.update(kernel, point, index, &values, (buffer, bin));
                }
            }
        });
    }

    fn combine(&self, kernel: &mut Kernel<'_>, point: InsertPoint, at: &[Value]) {
        let (indices, values) = self.element(kernel, point, at);
        let locked = &self.hist.global.locked;
        combine_at(
            kernel,
            point,
            (&self.operator, locked),
            &self.targets,
            &indices,
            &values,
        );
    }
}
