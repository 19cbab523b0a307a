//! Copies for later steps of a loop: buffers in turn, and threads that do not wait before they need the elements.
//!
//! ```mlir
//! %xs0 = scf.if %any { kernel.segmap thread async {copy of tile 0} }       copy(0) to slot 0; commit
//! scf.for %t = 0 to %n iter_args(%xs = %xs0) {                             scf.for %t = 0 to %n {
//!   %xs1 = scf.if %more { kernel.segmap thread async {copy of %t + 1} } ==>  wait for all groups but slots - 2; barrier
//!   use(%xs)                                                                 if %more { copy(%t + 1) to slot (%t + 1) mod 2 }
//!   yield %xs1                                                               use(slot %t mod 2)
//! }                                                                          commit }
//! ```
//! Tile `t` lies in slot `t mod slots` of one buffer, so nothing is copied from slot to slot. The one barrier of a step
//! orders the copy of tile `t + slots - 1` behind the last use of that slot, in the step before, and what all threads have
//! copied before what they read. Each step commits one group, copies or not, so that a step waits by number.
//!
//! Where copies are of boxes ([`super::boxes`]), a step waits at a barrier of its slot instead of for a group.
//! [`super::ahead`] says which elements go by asynchronous copies; other elements are loaded and stored where the copy stands,
//! ordered by the same barrier.
//!
//! Legality: a loop in the point of a thread block whose carried values are copies ([`CarriedCopies`]) of constant extents, of
//! as many steps each, those before the loop in the order of steps. Other loops copy what they carry ([`crate::point`]).

use crate::access::bit_width;
use crate::kernel::Kernel;
use crate::launch::{add, constant, mul};
use crate::state::{
    Array, Boxes, Extent, Memory, Pitch, Ring, RingPlace as Place, Rings, Slot, Turns, Unit,
};
use rustc_hash::FxHashMap;
use segra_gpu::nvgpu::{DeviceAsyncCreateGroupOp, DeviceAsyncWaitOp};
use segra_ir::interfaces::constant_of;
use segra_ir::{InsertPoint, Ir, Op, OpView, Type, Value};
use segra_kernel::access::Read;
use segra_kernel::carried::CarriedCopies;
use segra_kernel::contract::ContractOp;
use segra_kernel::segop::SegmentedOp;
use segra_space::Target;
use segra_std::{arith, scf};

/// A loop with rings, being emitted.
pub(crate) struct Turning {
    pub(super) looped: Op,
    token: Option<Value>,
}

impl Rings {
    /// The rings of a point.
    pub(super) fn of(ir: &Ir, segmap: Op) -> Rings {
        let mut rings = Rings::default();
        for op in ir.walk(segmap).into_iter().skip(1) {
            let Some(looped) = ir.cast::<scf::ForOp>(op) else {
                continue;
            };
            let mut around = ir.ancestors(op).skip(1);
            let of_block = around.find(|&op| ir.interface::<dyn SegmentedOp>(op).is_some());
            if of_block == Some(segmap) {
                rings.add(ir, looped, segmap);
            }
        }
        rings
    }

    /// The loop whose copies are in a ring.
    pub(super) fn turns_of(&mut self, ring: usize) -> Option<&mut Turns> {
        self.loops.get_mut(&self.rings.get(ring)?.looped)
    }

    fn add(&mut self, ir: &Ir, looped: scf::ForOp, segmap: Op) {
        let chains = CarriedCopies::of(ir, looped);
        let stages = match chains.first() {
            Some(chain) => chain.args.len(),
            None => return,
        };
        if chains.iter().any(|chain| chain.args.len() != stages) || !are_in_order(ir, &chains) {
            return;
        }
        let slots = stages as i64 + 1;
        let again = ir.parent_op(looped.op()) != Some(segmap);
        let boxes = chains.iter().all(|chain| chain.segmap.boxes(ir).is_some());
        let boxes = (boxes && !again).then_some(Boxes {
            copies: 0,
            barriers: None,
            now: None,
            awaited: None,
        });
        let mut turns = Turns {
            slots,
            moving: Vec::new(),
            groups: false,
            boxes,
            committed: 0,
            again,
        };
        for chain in chains {
            let Some(ring) = Ring::of(ir, looped.op(), (&chain, slots)) else {
                continue;
            };
            let number = self.rings.len();
            match &mut turns.boxes {
                Some(boxes) => boxes.copies += 1,
                None => turns.groups |= super::ahead::bytes(ir, ring.element).is_some(),
            }
            self.rings.push(ring);
            for (stage, values) in chain.first.iter().enumerate() {
                let slot = Slot::Fixed(stage as i64);
                let place = Place { ring: number, slot };
                self.places
                    .extend(values.iter().map(|&value| (value, place)));
            }
            let args = chain.args.iter().enumerate();
            let args = args.map(|(ahead, &arg)| (arg, ahead as i64));
            let later = chain.later.iter().map(|&value| (value, slots - 1));
            for (value, ahead) in args.chain(later) {
                let slot = Slot::Moving;
                self.places.insert(value, Place { ring: number, slot });
                turns.moving.push((value, number, ahead));
            }
        }
        self.loops.insert(looped.op(), turns);
    }
}

impl Ring {
    fn of(ir: &Ir, looped: Op, (chain, slots): (&CarriedCopies, i64)) -> Option<Ring> {
        let known = |size: Value| constant_of(ir, size)?.as_i64(ir.ctx());
        let sizes = chain.segmap.sizes(ir).into_iter();
        let extents: Vec<i64> = sizes.map(known).collect::<Option<_>>()?;
        let &last = extents.last()?;
        let element = crate::access::element_type(ir, ir.value_type(chain.args[0]));
        let bytes = i64::from(bit_width(ir.ctx(), element).unwrap_or(64).max(8)) / 8;
        let args = chain.args.iter();
        let users = args.flat_map(|&arg| ir.users(arg).map(move |user| (user, arg)));
        let reads = users.filter(|&(user, _)| Read::is(ir, user) || ir.isa::<ContractOp>(user));
        let pitch = super::pitch::pitch_of(ir, (chain.segmap, element), reads);
        let rows: i64 = extents[..extents.len() - 1].iter().product();
        let count = match pitch {
            Some(pitch) => pitch.count(rows, last)?,
            None => rows * last,
        };
        let aligned = (alignment(pitch) / bytes).max(1);
        Some(Ring {
            slots,
            pitch,
            stride: count
                .max(0)
                .unsigned_abs()
                .next_multiple_of(aligned.unsigned_abs()) as i64,
            extents,
            element,
            looped,
            buffer: None,
            map: None,
        })
    }
}

/// Whether copies for one step come before those for the next one, whatever the ring.
fn are_in_order(ir: &Ir, chains: &[CarriedCopies]) -> bool {
    let stages = chains.first().map_or(0, |chain| chain.first.len());
    let made = |chain: &CarriedCopies, stage: usize| ir.defining_op(chain.first[stage][0]);
    (1..stages).all(|stage| {
        chains.iter().all(|before| {
            chains.iter().all(|after| {
                let ops = made(before, stage - 1).zip(made(after, stage));
                ops.is_some_and(|(before, after)| ir.is_before(before, after))
            })
        })
    })
}

impl Kernel<'_> {
    pub(super) fn rings(&mut self) -> Option<&mut Rings> {
        Some(&mut self.block.as_mut()?.rings)
    }

    /// Whether a buffer's slots are taken in turn: its barriers are those of the loop.
    pub(super) fn is_ring(&self, buffer: Value) -> bool {
        let rings = self.block.as_ref().map(|block| &block.rings.rings);
        rings.is_some_and(|rings| rings.iter().any(|ring| ring.buffer == Some(buffer)))
    }

    /// The buffer of a ring that nobody needs any more, if it has space for so many elements: it is no ring from here on.
    pub(super) fn ring_over(
        &mut self,
        user: Op,
        (count, element): (i64, Type),
    ) -> Option<(Value, i64)> {
        let rings = &self.block.as_ref()?.rings;
        let is_over = |number: usize, ring: &Ring| {
            let turns = rings.loops.get(&ring.looped);
            let mut values = rings.places.iter().filter(|row| row.1.ring == number);
            turns.is_some_and(|turns| !turns.again)
                && values.all(|row| super::reuse::is_over(self.ir, *row.0, user))
        };
        let fits = |ring: &Ring| {
            ring.buffer.is_some() && ring.element == element && ring.slots * ring.stride >= count
        };
        let mut all = rings.rings.iter().enumerate();
        let (number, _) = all.find(|row| fits(row.1) && is_over(row.0, row.1))?;
        let block = self.block.as_mut()?;
        // Slots of the last step may still be read: barriers are found for the buffer as for any other.
        block.pending = true;
        let ring = &mut block.rings.rings[number];
        let space = ring.slots * ring.stride;
        Some((ring.buffer.take()?, space))
    }

    /// Whether an array is in a slot: it starts aligned.
    pub(crate) fn is_in_ring(&self, value: Value) -> bool {
        let block = self.block.as_ref();
        block.is_some_and(|block| block.rings.places.contains_key(&value))
    }

    /// The slot that a copy goes to, or that stands for a branch with one.
    pub(crate) fn slot_of(&mut self, value: Value) -> Option<Array> {
        let place = *self.rings()?.places.get(&value)?;
        let Slot::Fixed(slot) = place.slot else {
            return self.arrays.get(&value).cloned();
        };
        if let Some(array) = self.rings()?.fixed.get(&(place.ring, slot)) {
            return Some(array.clone());
        }
        let stride = self.rings()?.rings[place.ring].stride;
        let entry = self.entry_start();
        let offset = constant(&mut self.at(entry), slot * stride);
        let array = self.array_at(place.ring, offset)?;
        let fixed = &mut self.rings()?.fixed;
        fixed.insert((place.ring, slot), array.clone());
        Some(array)
    }

    /// The array that lies `offset` elements behind the start of a ring.
    pub(super) fn array_at(&mut self, ring: usize, offset: Value) -> Option<Array> {
        let found = &self.rings()?.rings[ring];
        let (element, pitch, extents) = (found.element, found.pitch, found.extents.clone());
        let (buffer, count) = (found.buffer, found.slots * found.stride);
        let buffer = match buffer {
            Some(buffer) => buffer,
            None => {
                let count = constant(&mut self.host_builder(), count);
                let buffer = self.dynamic_shared_at(count, element, alignment(pitch));
                self.rings()?.rings[ring].buffer = Some(buffer);
                buffer
            }
        };
        let mut b = self.host_builder();
        let extents = extents
            .into_iter()
            .map(|extent| Extent::Host(constant(&mut b, extent)))
            .collect();
        Some(Array {
            offset: Some(offset),
            pitch,
            ..Array::whole(Memory::Shared(buffer), extents, element)
        })
    }

    /// Before an op that copies for a step: what was copied for earlier ones is a group.
    pub(crate) fn before_copies(&mut self, point: InsertPoint, op: Op) {
        if self.unit != Unit::Block {
            return;
        }
        let results: Vec<Value> = self.ir.results(op).collect();
        let Some(rings) = self.rings() else { return };
        let place = results.iter().find_map(|result| rings.places.get(result));
        let Some(&Place {
            ring,
            slot: Slot::Fixed(stage),
        }) = place
        else {
            return;
        };
        let Some(turns) = rings.turns_of(ring) else {
            return;
        };
        if turns.boxes.is_some() {
            return self.before_boxes(point, ring);
        }
        if turns.groups && turns.committed < stage {
            turns.committed = stage;
            DeviceAsyncCreateGroupOp::build(&mut self.at(point), &[]);
        }
    }

    /// Before a loop with rings.
    pub(crate) fn before_turns(&mut self, point: InsertPoint, looped: Op) -> Option<Turning> {
        let turns = self.rings()?.loops.get_mut(&looped)?;
        turns.committed = 0;
        let (groups, boxes) = (turns.groups, turns.boxes.is_some());
        if boxes {
            // No barrier of the thread block is in the loop.
            self.begin_step(point);
        }
        let token = groups.then(|| {
            let group = DeviceAsyncCreateGroupOp::build(&mut self.at(point), &[]);
            group.async_token(self.ir)
        });
        Some(Turning { looped, token })
    }

    /// From here on, the arrays of a loop are those of the step with this number.
    pub(crate) fn turn_to(&mut self, point: InsertPoint, turning: &Turning, step: Value) {
        let found = self.rings().and_then(|rings| {
            let turns = rings.loops.get(&turning.looped)?;
            let counted = turns.boxes.as_ref().and_then(|boxes| boxes.now);
            Some((turns.slots, turns.moving.clone(), counted))
        });
        let Some((slots, moving, counted)) = found else {
            return;
        };
        let mut offsets: FxHashMap<(usize, i64), Value> = FxHashMap::default();
        for (value, ring, ahead) in moving {
            let Some(stride) = self.rings().map(|rings| rings.rings[ring].stride) else {
                return;
            };
            let mut b = self.at(point);
            let offset = *offsets.entry((ring, ahead)).or_insert_with(|| {
                let slot = match counted {
                    Some(counted) if ahead == 0 => counted.slot,
                    Some(counted) if ahead + 1 == slots => counted.goal,
                    _ => {
                        let [ahead, slots] = [ahead, slots].map(|it| constant(&mut b, it));
                        let number = add(&mut b, step, ahead);
                        arith::RemUIOp::build(&mut b, number, slots).result(b.ir)
                    }
                };
                let stride = constant(&mut b, stride);
                mul(&mut b, slot, stride)
            });
            if let Some(array) = self.array_at(ring, offset) {
                self.arrays.insert(value, array);
            }
        }
    }

    /// At the start of a step, whose number is `step`: what it reads is there, and what it overwrites is not read any more.
    pub(crate) fn begin_turn(&mut self, point: InsertPoint, turning: &Turning, step: Value) {
        self.turn_to(point, turning, step);
        let turns = self
            .rings()
            .and_then(|rings| rings.loops.get(&turning.looped));
        let Some(slots) = turns.map(|turns| turns.slots) else {
            return;
        };
        if let Some(token) = turning.token {
            let left = i32::try_from(slots - 2).unwrap_or(0);
            let mut b = self.at(point);
            let left = b.ctx().int_attr(left.into(), b.ctx().i32());
            DeviceAsyncWaitOp::builder()
                .async_dependencies(token)
                .num_groups(left)
                .build(&mut b);
        }
        if !self.await_boxes(point, turning) {
            self.end_step(point);
        }
    }

    /// At the end of a step.
    pub(crate) fn end_turn(&mut self, point: InsertPoint, turning: &Turning) {
        self.release_slot(point, turning);
        if turning.token.is_some() {
            DeviceAsyncCreateGroupOp::build(&mut self.at(point), &[]);
        }
    }

    /// After the loop.
    pub(crate) fn after_turns(&mut self, point: InsertPoint, turning: &Turning) {
        let again = self
            .rings()
            .and_then(|rings| rings.loops.get(&turning.looped))
            .is_some_and(|turns| turns.again);
        if again {
            // The next run of the loop begins with the slots that the last step reads.
            self.end_step(point);
        }
    }
}

/// Bytes that slots begin at multiples of.
fn alignment(pitch: Option<Pitch>) -> i64 {
    pitch.map_or(Target::CUDA.shared_alignment, Pitch::alignment)
}
