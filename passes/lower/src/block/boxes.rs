//! Copies of boxes of arrays to slots of a ring, by one thread: `kernel.segmap thread async boxes`.
//!
//! ```text
//! if thread < slots { gpu.mbarrier_init %full[thread], copies of a step;  gpu.mbarrier_init %empty[thread], warps };  gpu.barrier
//! copies of the first steps, as below, without a wait
//! for %t = 0 to %n {
//!   gpu.mbarrier_wait %full[%t mod slots] parity %t / slots
//!   if more and thread == 0 {                                         %u = %t + slots - 1, goal = %u mod slots
//!     gpu.mbarrier_wait %empty[goal] parity %u / slots + 1
//!     gpu.mbarrier_arrive %full[goal] expecting bytes of the box;  gpu.bulk_copy %x[..] of [..] to %buffer[goal * stride] at %full[goal] }
//!   use(slot %t mod slots)
//!   gpu.warp_barrier;  if lane == 0 { gpu.mbarrier_arrive %empty[%t mod slots] } }
//! ```
//! Bytes arrive at the barrier of their slot, whose phase is over when those of all copies of the step have. A slot is written again
//! when all threads have read it; nobody else waits for all threads, so that warps may be a step apart.
//!
//! Rows of slots are lines of 128 bytes ([`crate::state::Lines`]); a box of longer ones is as many boxes.
//!
//! Legality: that of [`BoxCopy`]; the array is a whole one in global memory. The loop is in no other one: the barriers' phases
//! are counted from its start. Threads copy to other rings ([`super::ahead`]).

use super::ops::Inner;
use super::ring::Turning;
use crate::kernel::Kernel;
use crate::launch::{add, compare, constant};
use crate::segmented::WARP;
use crate::state::{Array, Boxes, Counted, Memory, Slot};
use segra_gpu::bulk::{
    BulkCopyOp, MbarrierArriveOp, MbarrierInitOp, MbarrierWaitOp, WarpBarrierOp,
};
use segra_ir::{InsertPoint, Op, Value};
use segra_kernel::boxes::BoxCopy;
use segra_kernel::contract::LINE;
use segra_kernel::segop::SegMapOp;
use segra_space::Target;
use segra_std::arith::{self, CmpIPredicate, index};

/// A box that is copied to a slot.
struct Copied {
    copy: BoxCopy,
    ring: usize,
    source: Array,
    target: Array,
    /// Elements from one line of a row to the next.
    apart: i64,
    barriers: Value,
    slot: Value,
    /// Where the slot's readers arrive, and in which phase, if they are to be waited for.
    read: Option<[Value; 2]>,
}

impl Kernel<'_> {
    /// Before the first copies to a ring: barriers of its loop's slots.
    pub(super) fn before_boxes(&mut self, point: InsertPoint, ring: usize) {
        let thread = self.block.as_ref().map(|block| block.thread);
        let turns = self.rings().and_then(|rings| rings.turns_of(ring));
        let boxes = turns.and_then(|turns| Some((turns.slots, turns.boxes.as_ref()?)));
        let boxes = boxes.filter(|(_, boxes)| boxes.barriers.is_none());
        let (Some((slots, &Boxes { copies, .. })), Some(thread)) = (boxes, thread) else {
            return;
        };
        let Some(readers) = self.own.as_ref().map(|own| own.threads() / WARP) else {
            return;
        };
        let word = self.ir.ctx().i64();
        let count = constant(&mut self.host_builder(), 2 * slots);
        let barriers = self.dynamic_shared_at(count, word, Target::CUDA.shared_alignment);
        let mut b = self.at(point);
        let slots = constant(&mut b, slots);
        let one_each = compare(&mut b, CmpIPredicate::Ult, thread, slots);
        self.when(point, Some(one_each), |kernel, point| {
            let mut b = kernel.at(point);
            let [copies, readers] = [copies, readers].map(|count| b.ctx().i64_attr(count));
            MbarrierInitOp::build(&mut b, barriers, thread, copies);
            let empty = add(&mut b, thread, slots);
            MbarrierInitOp::build(&mut b, barriers, empty, readers);
        });
        self.barrier(point);
        let turns = self.rings().and_then(|rings| rings.turns_of(ring));
        if let Some(boxes) = turns.and_then(|turns| turns.boxes.as_mut()) {
            boxes.barriers = Some(barriers);
        }
    }

    fn boxes_of(&mut self, turning: &Turning) -> Option<(i64, &mut Boxes)> {
        let turns = self.rings()?.loops.get_mut(&turning.looped)?;
        Some((turns.slots, turns.boxes.as_mut()?))
    }

    /// The counters of a loop whose copies are of boxes: the slot of the step's tile, and the parity of its barrier's phase. Other
    /// loops have none.
    pub(crate) fn counters(&mut self, point: InsertPoint, turning: &Turning) -> Vec<Value> {
        match self.boxes_of(turning).is_some() {
            true => {
                let mut b = self.at(point);
                let word = b.ctx().i32();
                vec![arith::ConstantOp::int(&mut b, 0, word); 2]
            }
            false => Vec::new(),
        }
    }

    /// Adds the counters of a loop ([`Self::counters`]) to its body's arguments; what they are in the next step. They count to few,
    /// whatever the width of indices.
    pub(crate) fn count_on(&mut self, point: InsertPoint, turning: &Turning) -> Vec<Value> {
        let slots = self.boxes_of(turning).map(|(slots, _)| slots);
        let (InsertPoint::End(block), Some(slots)) = (point, slots) else {
            return Vec::new();
        };
        let word = self.ir.ctx().i32();
        let [slot, parity] = [(); 2].map(|()| self.ir.add_block_arg(block, word, self.loc));
        let mut b = self.at(point);
        let [zero, one, last] =
            [0, 1, slots - 1].map(|it| arith::ConstantOp::int(&mut b, it, word));
        let is_first = compare(&mut b, CmpIPredicate::Eq, slot, zero);
        let before = index::sub(&mut b, slot, one);
        let before = arith::SelectOp::build(&mut b, is_first, last, before).result(b.ir);
        let is_last = compare(&mut b, CmpIPredicate::Eq, slot, last);
        let behind = index::add(&mut b, slot, one);
        let behind = arith::SelectOp::build(&mut b, is_last, zero, behind).result(b.ir);
        let flipped = arith::XOrIOp::build(&mut b, parity, one).result(b.ir);
        let other = arith::SelectOp::build(&mut b, is_last, flipped, parity).result(b.ir);
        // The slot before this one was read in the step before: in the same phase, but where slots begin anew.
        let read = arith::SelectOp::build(&mut b, is_first, flipped, parity).result(b.ir);
        let ty = b.ctx().index();
        let [slot, parity, goal, read] = [slot, parity, before, read]
            .map(|word| arith::IndexCastUIOp::build(&mut b, word, ty).out(b.ir));
        let now = Counted {
            slot,
            parity,
            goal,
            read,
        };
        if let Some((_, boxes)) = self.boxes_of(turning) {
            boxes.now = Some(now);
            boxes.awaited = None;
        }
        vec![behind, other]
    }

    /// At the start of a step: its boxes are there. False, and nothing done, where copies are of no boxes.
    pub(super) fn await_boxes(&mut self, point: InsertPoint, turning: &Turning) -> bool {
        let boxes = self.boxes_of(turning).map(|(_, boxes)| boxes);
        let Some((barriers, now)) = boxes.and_then(|it| it.barriers.zip(it.now)) else {
            return false;
        };
        MbarrierWaitOp::build(&mut self.at(point), barriers, now.slot, now.parity);
        true
    }

    /// At the end of a step: this warp has read its boxes.
    pub(super) fn release_slot(&mut self, point: InsertPoint, turning: &Turning) {
        let boxes = self.boxes_of(turning);
        let found = boxes.and_then(|(slots, it)| Some((slots, it.barriers?, it.now?)));
        let Some((slots, barriers, now)) = found else {
            return;
        };
        let Some(lane) = self.block.as_ref().map(|block| block.lane) else {
            return;
        };
        let mut b = self.at(point);
        let slots = constant(&mut b, slots);
        let empty = add(&mut b, now.slot, slots);
        WarpBarrierOp::build(&mut b);
        let first = crate::segmented::test(self, point, CmpIPredicate::Eq, lane, 0);
        self.when(point, Some(first), |kernel, point| {
            MbarrierArriveOp::builder()
                .barriers(barriers)
                .index(empty)
                .build(&mut kernel.at(point));
        });
    }

    /// Whether a segmap copies a box to a ring of boxes.
    pub(super) fn is_box(&mut self, op: Op) -> bool {
        let result = self.ir.results(op).next();
        let turns = self.rings().and_then(|rings| {
            let ring = rings.places.get(&result?)?.ring;
            rings.turns_of(ring)
        });
        turns.is_some_and(|turns| turns.boxes.is_some())
    }

    /// Copies a box to a slot.
    pub(super) fn copy_box(&mut self, point: InsertPoint, inner: &Inner) {
        if self.issue_box(point, inner).is_none() {
            self.refuse(
                inner.op,
                "copies no box of a whole array in global memory to lines of 128 bytes",
            );
        }
    }

    fn issue_box(&mut self, point: InsertPoint, inner: &Inner) -> Option<()> {
        let copied = self.copied_box(point, inner)?;
        let Copied {
            copy,
            ring,
            source,
            target,
            apart,
            barriers,
            slot,
            read,
        } = copied;
        let extents: Vec<Value> = source.extents.iter().map(|&it| self.extent(it)).collect();
        let map = self.map_of(ring, copy)?;
        let (thread, buffer) = (self.block.as_ref()?.thread, target.memory.buffer()?);
        let mut of_box = vec![1; extents.len()];
        of_box[copy.along[0].dim] = copy.extents[0];
        of_box[copy.along[1].dim] = LINE;
        let bytes: i64 =
            copy.extents.iter().product::<i64>() * super::ahead::bytes(self.ir, source.element)?;
        let mut wanted = copy.read.indices(self.ir);
        for along in copy.along {
            wanted[along.dim] = along.index;
        }
        let first = crate::segmented::test(self, point, CmpIPredicate::Eq, thread, 0);
        self.when(point, Some(first), |kernel, point| {
            kernel.by_thread(|kernel| {
                let mut b = kernel.at(point);
                if let Some([empty, parity]) = read {
                    MbarrierWaitOp::build(&mut b, barriers, empty, parity);
                }
                let bytes = b.ctx().i64_attr(bytes);
                MbarrierArriveOp::builder()
                    .barriers(barriers)
                    .index(slot)
                    .bytes(bytes)
                    .build(&mut b);
                let zero = constant(&mut b, 0);
                let at = kernel.values_of(point, inner, &wanted, &[zero, zero]);
                let start = kernel.position(point, &target, zero);
                for line in 0..copy.extents[1] / LINE {
                    let mut at = at.clone();
                    let mut b = kernel.at(point);
                    let [right, behind] =
                        [line * LINE, line * apart].map(|it| constant(&mut b, it));
                    at[copy.along[1].dim] = add(&mut b, at[copy.along[1].dim], right);
                    let start = add(&mut b, start, behind);
                    let ctx = b.ir.context();
                    BulkCopyOp::builder()
                        .array(map)
                        .indices(&at)
                        .extents(&extents)
                        .target(buffer)
                        .start(start)
                        .barriers(barriers)
                        .index(slot)
                        .extents_of_box(ctx.dense_i64_attr(&of_box))
                        .in_lines(ctx.unit())
                        .build(&mut b);
                }
            });
        });
        Some(())
    }

    /// The box that a segmap copies, and where to.
    fn copied_box(&mut self, point: InsertPoint, inner: &Inner) -> Option<Copied> {
        let segmap = self.ir.cast::<SegMapOp>(inner.op)?;
        let copy = BoxCopy::of(self.ir, segmap)?;
        let source = self.arrays.get(&copy.read.tensor(self.ir))?.clone();
        let target = inner.place(0)?;
        let apart = target.pitch?.lines?.apart;
        let whole = source.offset.is_none() && source.stride.is_none() && source.pitch.is_none();
        let global = matches!(source.memory, Memory::Global(_));
        if !whole || !global || source.extents.len() != copy.read.indices(self.ir).len() {
            return None;
        }
        let result = segmap.results(self.ir)[0];
        let place = *self.rings()?.places.get(&result)?;
        let around = self.ir.block_of(inner.op)?;
        let turns = self.rings()?.turns_of(place.ring)?;
        let (slots, boxes) = (turns.slots, turns.boxes.as_mut()?);
        let barriers = boxes.barriers?;
        let (slot, read) = match place.slot {
            Slot::Fixed(slot) => (constant(&mut self.at(point), slot), None),
            Slot::Moving => {
                let now = boxes.now?;
                let waits = boxes.awaited.replace(around) != Some(around);
                let mut b = self.at(point);
                let slots = constant(&mut b, slots);
                let empty = add(&mut b, now.goal, slots);
                (now.goal, waits.then_some([empty, now.read]))
            }
        };
        Some(Copied {
            copy,
            ring: place.ring,
            source,
            target,
            apart,
            barriers,
            slot,
            read,
        })
    }

    /// The parameter that boxes of a ring are copied from: it is passed as a tensor map, so nobody else may use it.
    fn map_of(&mut self, ring: usize, copy: BoxCopy) -> Option<Value> {
        if let Some(map) = self.rings()?.rings[ring].map {
            return Some(map);
        }
        let array = copy.read.tensor(self.ir);
        let host = crate::access::flat(&mut self.host_builder(), array);
        let map = self.buffer(host);
        self.rings()?.rings[ring].map = Some(map);
        Some(map)
    }
}
