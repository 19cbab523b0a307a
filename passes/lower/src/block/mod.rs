//! Points run by thread blocks: `kernel.segmap block`.
//!
//! ```mlir
//! %r = kernel.segmap block (%i < %n) -> (tensor<?x?xf32>) {         gpu.launch_func @kernels::@segmap_block blocks (%n)
//!   %m = kernel.segred thread (%j < %k) ...                   ==>       threads (%t) dynamic_shared_memory_size %bytes
//!   %e = kernel.segmap thread (%j < %k) ... %m ...
//! ```
//! "Regular flattening" (Henriksen 2021), "Multi-level parallelism", Option III: points are assigned to thread blocks, the
//! segmented ops inside run in the threads of one block and its shared memory.
//!
//! * Scalar code of the point is run by all threads alike, so its branches and loops are the same for all of them.
//! * Segmented ops inside share their points out among the threads ([`ops`], [`combine`]), in as many rounds as needed:
//!   the block has as many threads as the widest of them has points, and warps for the segments that they combine
//!   ([`warps_for_segments`]), a multiple of a warp up to option `block-size`.
//! * Arrays of the point lie in dynamic shared memory, whose size the host computes, one after another in the same place
//!   where they are not needed at one time ([`reuse`]), in rows a bank apart where threads go
//!   down columns ([`pitch`]); those that are only returned are written where they are returned to ([`tiles`]), and those
//!   of which each thread only touches its own element stay in registers ([`own`]).
//! * Sums of products are left to tensor cores where the program says so ([`contract`]).
//! * Copies for later steps of a loop go to buffers in turn, and are waited for when they are needed ([`ring`], [`turns`]);
//!   boxes of arrays are copied by one thread ([`boxes`]).
//! * Barriers stand where one op reads what another wrote, or writes what another may still read ([`steps`]).
//!
//! Operators that combine arrays are applied by a thread per segment ([`arrays`]).
//!
//! Legality: extents of arrays are known on the host. A launch that needs more shared memory
//! than the device has is an error when it runs: the predicate of flattening keeps it from being chosen.

mod ahead;
mod arrays;
mod boxes;
mod combine;
mod contract;
mod ops;
mod own;
mod pitch;
mod reuse;
pub(crate) mod ring;
mod steps;
mod strides;
mod tiles;
mod turns;
mod warpgroup;

use crate::access::{element_type, load, shaped, store};
use crate::function::Lowering;
use crate::kernel::Kernel;
use crate::launch::{Extent as SpaceExtent, Team, constant, mul};
use crate::point::host_value;
use crate::segmented::{Place, WARP, recover, split};
use crate::state::{
    Array, BlockState, Emitted, Extent, Memory, Output, OwnArrays, Rings, Unit, Untiled,
};
use rustc_hash::FxHashMap;
use segra_ir::interfaces::constant_of;
use segra_ir::{InsertPoint, Op, OpView, Type, Value};
use segra_kernel::segop::{Combiner, SegMapOp, SegmentedOp};
use segra_kernel::turns::warps_for_segments;
use segra_space::Target;
use segra_std::arith;
use segra_std::arith::expr::linear_index;
use strides::Strides;

impl Lowering<'_> {
    /// Allocates the results, builds the kernel, launches it.
    pub(crate) fn segmap_of_blocks(&mut self, segmap: SegMapOp) -> Option<()> {
        let op = segmap.op();
        let sizes = segmap.sizes(self.ir);
        let own = OwnArrays::of(self.ir, op);
        let untiled = own
            .as_ref()
            .map(|own| self.untiled(segmap, own))
            .unwrap_or_default();
        let points = crate::segmented::product(&mut self.builder(op), &sizes);
        let threads = match &own {
            Some(own) => constant(&mut self.builder(op), own.threads()),
            None => self.threads_for(op, points),
        };
        let team = Team::Block(match &own {
            Some(own) => SpaceExtent::Constant(own.threads()),
            None => SpaceExtent::Value(threads),
        });
        let how = self.how(op)?;
        let launch = self.team_launch(op, how, &sizes, team)?;
        let most = own
            .as_ref()
            .map_or(self.options.block_size, OwnArrays::threads);
        let mut kernel = self.kernel(op, "segmap_block");
        kernel.at_most_threads(most);
        let body = segmap.body(kernel.ir);
        kernel.capture(&[body]);
        let place = recover(&mut kernel, &launch);
        kernel.own = own;
        kernel.enter_block(segmap, &place, (threads, points), untiled.clone());
        let entry = InsertPoint::End(kernel.entry);
        let values = kernel.inline_point(entry, body, &place.segment);
        kernel.return_values(entry, segmap, values);
        let outputs = kernel
            .block
            .take()
            .map(|block| block.outputs)
            .unwrap_or_default();
        kernel.finish(&launch);
        let mut results = Vec::new();
        for (index, output) in outputs.into_iter().enumerate() {
            let output = output?;
            if let Some(untiled) = untiled.get(&index) {
                self.bind_untiled(untiled, output.host);
                results.push(output.host);
                continue;
            }
            let mut all = sizes.clone();
            for extent in output.extents {
                let Extent::Host(value) = extent else {
                    return self.refuse_rows(op);
                };
                all.push(value);
            }
            let ty = self.ir.value_type(self.ir.result(op, index));
            let mut b = self.builder(op);
            results.push(match all.is_empty() {
                true => {
                    let zero = constant(&mut b, 0);
                    load(&mut b, output.host, &[zero])
                }
                false => shaped(&mut b, output.host, &all, ty),
            });
        }
        self.ir.replace_op(op, &results);
        Some(())
    }

    /// Threads of each of so many blocks: as many as the widest op inside has points, and warps for the segments that one combines,
    /// in whole warps, up to option `block-size`.
    fn threads_for(&mut self, op: Op, blocks: Value) -> Value {
        let place = (InsertPoint::Before(op), self.ir.loc(op));
        let mut known = FxHashMap::default();
        let mut widest = constant(&mut self.builder(op), 1);
        for inner in self.ir.walk(op).into_iter().skip(1) {
            let Some(model) = self.ir.interface::<dyn SegmentedOp>(inner) else {
                continue;
            };
            let mut sizes = Vec::new();
            for size in model.sizes(self.ir, inner) {
                match host_value(self.ir, place, op, size, &mut known) {
                    Some(size) => sizes.push(size),
                    None => {
                        return constant(
                            &mut Builder::before(self.ir, op),
                            self.options.block_size,
                        );
                    }
                }
            }
            let by_warps = Combiner::of(self.ir, inner) == Some(Combiner::Warp);
            let mut b = self.builder(op);
            let points = crate::segmented::product(&mut b, &sizes);
            widest = arith::MaxSIOp::build(&mut b, widest, points).result(b.ir);
            if let Some((_, outer)) = sizes.split_last().filter(|_| by_warps) {
                let segments = crate::segmented::product(&mut b, outer);
                let warps = warps_for_segments(&mut b, segments, blocks);
                let width = constant(&mut b, WARP);
                let lanes = mul(&mut b, warps, width);
                widest = arith::MaxSIOp::build(&mut b, widest, lanes).result(b.ir);
            }
        }
        let most = self.options.block_size;
        let mut b = self.builder(op);
        let most = constant(&mut b, most);
        let fewer = arith::MinSIOp::build(&mut b, widest, most).result(b.ir);
        let warps = crate::launch::ceil_div(&mut b, fewer, WARP);
        let width = constant(&mut b, WARP);
        mul(&mut b, warps, width)
    }
}

use segra_ir::Builder;

/// Results of segmented ops directly in the point that it returns and does nothing else with.
fn only_returned(kernel: &Kernel<'_>, segmap: SegMapOp) -> FxHashMap<Value, usize> {
    let ir = &*kernel.ir;
    let block = segmap.body_block(ir);
    let Some(terminator) = ir.last_op(block) else {
        return FxHashMap::default();
    };
    let made_here = |value: Value| {
        ir.defining_op(value).is_some_and(|op| {
            ir.block_of(op) == Some(block) && ir.interface::<dyn SegmentedOp>(op).is_some()
        })
    };
    let operands = ir.operands(terminator).enumerate();
    operands
        .filter(|&(_, value)| {
            ir.has_one_use(value) && made_here(value) && kernel.is_array(ir.value_type(value))
        })
        .map(|(index, value)| (value, index))
        .collect()
}

impl Kernel<'_> {
    /// From here on a thread block runs a point: `threads` and all `points` are values of the host.
    fn enter_block(
        &mut self,
        segmap: SegMapOp,
        place: &Place,
        (threads, points): (Value, Value),
        untiled: FxHashMap<usize, Untiled>,
    ) {
        let sizes = segmap.sizes(self.ir);
        let extents: Vec<Option<Value>> =
            sizes.iter().map(|&size| Some(self.scalar(size))).collect();
        let point = linear_index(&mut self.builder(), &place.segment, &extents);
        let threads = self.scalar(threads);
        let (warp, lane) = split(&mut self.builder(), place.lane, WARP);
        let (warps, _) = split(&mut self.builder(), threads, WARP);
        let own = self.own.take();
        let own_point = own.as_ref().map(|own| {
            let numbers = [place.lane, warp, lane];
            own.point(&mut self.builder(), numbers)
        });
        let pieces = own.as_ref();
        let pieces = pieces.map(|own| tiles::pieces(self.ir, segmap, own));
        self.own = own;
        self.block = Some(BlockState {
            thread: place.lane,
            threads,
            warp,
            warps,
            lane,
            pending: false,
            unsynced: Vec::new(),
            touched: None,
            own_point: own_point.unwrap_or_default(),
            indices: place.segment.clone(),
            untiled,
            pieces: pieces.unwrap_or_default(),
            lent: Vec::new(),
            scratch: Vec::new(),
            rings: Rings::of(self.ir, segmap.op()),
            point,
            points,
            returned: only_returned(self, segmap),
            outputs: vec![None; segmap.results(self.ir).len()],
        });
        self.unit = Unit::Block;
    }

    /// Writes what a point returns.
    fn return_values(&mut self, point: InsertPoint, segmap: SegMapOp, values: Vec<Emitted>) {
        let terminator = self.ir.last_op(segmap.body_block(self.ir));
        let returned: Vec<Value> = terminator
            .map(|op| self.ir.operands(op).collect())
            .unwrap_or_default();
        for (index, (value, returned)) in values.into_iter().zip(returned).enumerate() {
            let block = self.block.as_ref();
            let stored = block.is_some_and(|block| {
                let mut pieces = block.pieces.values();
                block.untiled.contains_key(&index) && pieces.any(|piece| piece.position == index)
            });
            if stored {
                continue;
            }
            let own = self.own.as_ref();
            match own.and_then(|own| own.held(self.ir, returned)) {
                Some(held) => self.return_own(point, segmap.op(), index, &held),
                None => self.return_value(point, segmap.op(), index, value),
            }
        }
    }

    /// Writes what a point returns at a position.
    fn return_value(&mut self, point: InsertPoint, user: Op, index: usize, value: Emitted) {
        match value {
            Emitted::Scalar(value) => {
                let ty = self.ir.value_type(value);
                let Some(output) = self.output(index, Vec::new(), ty, user) else {
                    return;
                };
                let Some((thread, number)) =
                    self.block.as_ref().map(|block| (block.thread, block.point))
                else {
                    return;
                };
                let first =
                    crate::segmented::test(self, point, arith::CmpIPredicate::Eq, thread, 0);
                self.when(point, Some(first), |kernel, point| {
                    store(&mut kernel.at(point), value, output.inside, number);
                });
            }
            Emitted::Array(array) => {
                let place =
                    self.output_array(point, index, array.extents.clone(), array.element, user);
                let Some(place) = place else { return };
                if array.memory != place.memory {
                    self.copy_by_block(point, &array, &place);
                }
            }
        }
    }

    /// The buffer of one returned position.
    fn output(
        &mut self,
        index: usize,
        extents: Vec<Extent>,
        element: Type,
        user: Op,
    ) -> Option<Output> {
        if let Some(output) = self.block.as_ref()?.outputs.get(index)?.clone() {
            return Some(output);
        }
        let points = self.block.as_ref()?.points;
        let rows = self.host_count(&extents, user);
        let count = mul(&mut self.host_builder(), points, rows);
        self.output_of(index, count, extents, element)
    }

    /// This point's part of the buffer of one returned position.
    fn output_array(
        &mut self,
        point: InsertPoint,
        index: usize,
        extents: Vec<Extent>,
        element: Type,
        user: Op,
    ) -> Option<Array> {
        let output = self.output(index, extents, element, user)?;
        let rows = self.count(point, &output.extents);
        let number = self.block.as_ref()?.point;
        let offset = mul(&mut self.at(point), number, rows);
        Some(Array {
            memory: Memory::Global(output.inside),
            offset: Some(offset),
            stride: None,
            extents: output.extents,
            pitch: None,
            element,
        })
    }

    /// Memory for the array that is `result` of `user`.
    fn place_result(
        &mut self,
        point: InsertPoint,
        result: Value,
        extents: Vec<Extent>,
        user: Op,
    ) -> Array {
        if let Some(slot) = self.slot_of(result) {
            return slot;
        }
        let element = element_type(self.ir, self.ir.value_type(result));
        let returned = self
            .block
            .as_ref()
            .and_then(|block| block.returned.get(&result).copied());
        if let Some(place) = self.pitched(result, user, &extents, element) {
            return place;
        }
        let unit = std::mem::replace(&mut self.unit, Unit::Block);
        let place = returned
            .and_then(|index| self.output_array(point, index, extents.clone(), element, user));
        self.unit = unit;
        place.unwrap_or_else(|| {
            let count = self.host_count(&extents, user);
            let buffer = self.shared_for(result, user, count, element);
            Array::whole(Memory::Shared(buffer), extents, element)
        })
    }

    /// Runs `f` with code of single threads being emitted.
    fn by_thread<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let unit = std::mem::replace(&mut self.unit, Unit::Thread);
        let result = f(self);
        self.unit = unit;
        result
    }

    /// A loop over `0..count` shared out among the threads of the block; `several`: see [`strides`].
    fn for_threads(
        &mut self,
        point: InsertPoint,
        count: Value,
        several: bool,
        mut body: impl FnMut(&mut Self, InsertPoint, Value),
    ) {
        let Some((thread, threads)) = self
            .block
            .as_ref()
            .map(|block| (block.thread, block.threads))
        else {
            return;
        };
        let strides = Strides {
            thread,
            threads,
            count,
            several,
        };
        self.for_strides(point, strides, &[], |kernel, point, at, _| {
            kernel.by_thread(|kernel| body(kernel, point, at));
            Vec::new()
        });
    }

    /// Copies all elements, by all threads of the block.
    pub(crate) fn copy_by_block(&mut self, point: InsertPoint, from: &Array, to: &Array) {
        if from.memory == Memory::Nothing || from.same_place(to) {
            return;
        }
        let count = self.count(point, &to.extents);
        self.begin_step(point);
        let several =
            matches!(from.memory, Memory::Global(_)) && constant_of(self.ir, count).is_none();
        self.for_threads(point, count, several, |kernel, point, at| {
            let value = kernel.load_element(point, from, at);
            kernel.store_element(point, to, at, value);
        });
        self.end_step(point);
    }

    /// Sets one element, by the first thread of the block.
    pub(crate) fn store_by_block(
        &mut self,
        point: InsertPoint,
        array: &Array,
        at: Value,
        value: Value,
    ) {
        let Some(thread) = self.block.as_ref().map(|block| block.thread) else {
            return;
        };
        self.begin_step(point);
        let first = crate::segmented::test(self, point, arith::CmpIPredicate::Eq, thread, 0);
        self.when(point, Some(first), |kernel, point| {
            kernel.store_element(point, array, at, value)
        });
        self.end_step(point);
    }

    /// Shared buffers with an element per warp.
    fn scratch_per_warp(&mut self, types: &[Type]) -> Vec<Value> {
        let mut free = self
            .block
            .as_ref()
            .map(|block| block.scratch.clone())
            .unwrap_or_default();
        let mut buffers = Vec::new();
        for &ty in types {
            let buffer = match free.iter().position(|row| row.0 == ty) {
                Some(at) => free.swap_remove(at).1,
                None => {
                    let buffer = self.shared(Target::CUDA.most_warps(), ty);
                    if let Some(block) = &mut self.block {
                        block.scratch.push((ty, buffer));
                    }
                    buffer
                }
            };
            buffers.push(buffer);
        }
        buffers
    }
}
