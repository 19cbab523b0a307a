//! Loops and branches of a point: scalars are carried as values, arrays in buffers.
//!
//! A loop's array has one buffer for all steps: what it starts with is copied into it unless it is that buffer already
//! and nobody else needs it, and so is what each step yields. So a loop that updates one array per step copies nothing,
//! not even where it does so in a branch.
//!
//! An array that is resized ([`is_resized`]) has memory for the largest array of any point, and its extents wherever it is
//! used; what is forwarded is copied as large as it is.

use super::place::{owns, reshaped_from, users_of};
use crate::kernel::Kernel;
use crate::launch::compare;
use crate::state::{Array, Extent, Memory};
use segra_ir::{InsertPoint, Ir, Op, OpState, OpView, Value};
use segra_kernel::access::{Read, Update};
use segra_kernel::extent::is_resized;
use segra_kernel::local::ExtendOp;
use segra_std::arith::CmpIPredicate;
use segra_std::scf;
use segra_std::tensor::{DimOp, ReshapeOp};

impl Kernel<'_> {
    /// Emits an op with regions.
    pub(super) fn structured(&mut self, point: InsertPoint, op: Op) {
        self.flush(point);
        self.enter_flow();
        if let Some(looped) = self.ir.cast::<scf::ForOp>(op) {
            if !self.for_several(point, looped) {
                self.for_op(point, looped);
            }
        } else if let Some(looped) = self.ir.cast::<scf::WhileOp>(op) {
            self.while_op(point, looped);
        } else {
            self.branch(point, op);
        }
        self.enter_flow();
    }

    /// The same op without its arrays, its regions empty.
    pub(crate) fn shell(&mut self, point: InsertPoint, op: Op) -> Op {
        self.shell_with(point, op, &[])
    }

    /// As [`Self::shell`], of a loop that carries more values, from these on.
    fn shell_with(&mut self, point: InsertPoint, op: Op, more: &[Value]) -> Op {
        let mut state = OpState::new(self.ir.op_name(op), self.loc);
        let operands: Vec<Value> = self.ir.operands(op).collect();
        for value in operands {
            if !self.in_memory(value) {
                let value = self.inside(value);
                state.operands.push(value);
            }
        }
        let carried = self.ir.results(op).filter(|&value| !self.in_memory(value));
        state.result_types = carried.map(|value| self.carried_type(value)).collect();
        state.operands.extend_from_slice(more);
        let more = more.iter().map(|&value| self.ir.value_type(value));
        state.result_types.extend(more);
        state.regions = self.ir.regions(op).len();
        let new = self.at(point).insert(state);
        let (properties, attrs) = (self.ir.properties(op), self.ir.discardable_attrs(op));
        self.ir.set_properties(new, properties);
        self.ir.set_discardable_attrs(new, attrs);
        new
    }

    /// The new op's results stand for the old one's; arrays for its arrays, in order.
    fn bind_results(&mut self, old: Op, new: Op, arrays: &[Option<Array>]) {
        let mut results = self.ir.results(new).collect::<Vec<_>>().into_iter();
        for (index, value) in self
            .ir
            .results(old)
            .collect::<Vec<_>>()
            .into_iter()
            .enumerate()
        {
            match arrays.get(index).cloned().flatten() {
                Some(array) => {
                    self.arrays.insert(value, array);
                }
                None => {
                    let Some(result) = results.next() else { return };
                    if let Some(name) = self.ir.value_name(value) {
                        self.ir.set_value_name(result, name);
                    }
                    self.values.map(value, result);
                }
            }
        }
    }

    /// An empty block in a region of `new`; arguments of the old block stand for its arguments and for `arrays`.
    pub(crate) fn block_of(
        &mut self,
        old: Op,
        new: Op,
        region: usize,
        arrays: &[Option<Array>],
    ) -> InsertPoint {
        let target = self.ir.region(new, region);
        let block = self.ir.add_block(target, &[]);
        let entry = self.ir.entry_block(self.ir.region(old, region));
        let args = entry
            .map(|entry| self.ir.block_args(entry).to_vec())
            .unwrap_or_default();
        for (index, arg) in args.into_iter().enumerate() {
            match arrays.get(index).cloned().flatten() {
                Some(array) => {
                    self.arrays.insert(arg, array);
                }
                None => {
                    let ty = self.carried_type(arg);
                    let new = self.ir.add_block_arg(block, ty, self.loc);
                    if let Some(name) = self.ir.value_name(arg) {
                        self.ir.set_value_name(new, name);
                    }
                    self.values.map(arg, new);
                }
            }
        }
        InsertPoint::End(block)
    }

    /// Emits the body of a region; the terminator.
    fn region_body(&mut self, point: InsertPoint, old: Op, region: usize) -> Option<Op> {
        let entry = self.ir.entry_block(self.ir.region(old, region))?;
        self.enter_flow();
        self.emit_block(point, entry)
    }

    /// The buffer in which a loop carries what `init` is at first, as the loop's value `carried`.
    fn carried(
        &mut self,
        point: InsertPoint,
        init: Value,
        carried: Value,
        user: Op,
    ) -> Option<Array> {
        if !self.in_memory(init) {
            return None;
        }
        if !is_resized(self.ir, carried) {
            return Some(self.owned(point, init, user));
        }
        let from = self.array(init, user);
        let buffer = self.place_resized(from.element, user);
        self.copy(point, &from, &buffer.resized(&from.extents));
        Some(buffer)
    }

    /// Copies `values` (those that are arrays) into the buffers at the same positions.
    fn hand_on(
        &mut self,
        point: InsertPoint,
        user: Op,
        values: &[Value],
        buffers: &[Option<Array>],
    ) {
        let mut copies = Vec::new();
        for (index, (&value, buffer)) in values.iter().zip(buffers).enumerate() {
            let Some(buffer) = buffer else { continue };
            let from = self.array(value, user);
            let buffer = match buffer.is_resized() {
                true => &buffer.resized(&from.extents),
                false => {
                    self.check_extents(point, user, &from, buffer);
                    buffer
                }
            };
            // Elements that another copy overwrites are saved first.
            let overwritten = buffers.iter().enumerate().any(|(other, target)| {
                other != index
                    && target
                        .as_ref()
                        .is_some_and(|target| target.memory == from.memory)
            });
            let from = match overwritten && from.memory != Memory::Nothing {
                true => {
                    let saved = self.place(buffer.extents.clone(), buffer.element, user);
                    self.copy(point, &from, &saved);
                    saved
                }
                false => from,
            };
            copies.push((from, buffer.clone()));
        }
        for (from, to) in copies {
            self.copy(point, &from, &to);
        }
    }

    /// An array keeps its extents from step to step; where that is not known, it is checked.
    pub(crate) fn check_extents(&mut self, point: InsertPoint, user: Op, from: &Array, to: &Array) {
        for (&from, &to) in from.extents.iter().zip(&to.extents) {
            if from == to || self.same_on_host(from, to) {
                continue;
            }
            if self.never_equal(from, to) {
                self.refuse(
                    user,
                    "forwards an array that has grown or shrunk: in the code of a map's element, a loop or branch keeps \
                     the extents of its arrays",
                );
                continue;
            }
            let (a, b) = (self.extent(from), self.extent(to));
            let loc = self.ir.loc(user);
            let mut builder = segra_ir::Builder::new(self.ir, point, loc);
            let same = compare(&mut builder, CmpIPredicate::Eq, a, b);
            let message = builder
                .ctx()
                .str_attr("an array of extent {1} cannot become one of extent {0}");
            segra_gpu::device::CheckOp::build(&mut builder, same, &[a, b], message);
        }
    }

    /// Whether two extents differ by a constant, whatever they are.
    fn never_equal(&self, a: Extent, b: Extent) -> bool {
        let [(a, from), (b, to)] = [a, b].map(|extent| {
            let (Extent::Host(value) | Extent::Inside(value)) = extent;
            self.base_and_offset(value)
        });
        a == b && from != to
    }

    /// The value that another one is a constant more than, none for a constant, and that constant.
    fn base_and_offset(&self, value: Value) -> (Option<Value>, i64) {
        let known = |value: Value| {
            segra_ir::interfaces::constant_of(self.ir, value)
                .and_then(|attr| attr.as_i64(self.ir.ctx()))
        };
        let (mut value, mut offset) = (value, 0i64);
        loop {
            if let Some(constant) = known(value) {
                return (None, offset.wrapping_add(constant));
            }
            let sum = self
                .ir
                .defining_op(value)
                .filter(|&op| self.ir.op_name_str(op) == "arith.addi");
            let Some(sum) = sum else {
                return (Some(value), offset);
            };
            let (x, y) = (self.ir.operand(sum, 0), self.ir.operand(sum, 1));
            (value, offset) = match (known(x), known(y)) {
                (_, Some(constant)) => (x, offset.wrapping_add(constant)),
                (Some(constant), _) => (y, offset.wrapping_add(constant)),
                _ => return (Some(value), offset),
            };
        }
    }

    fn same_on_host(&self, a: Extent, b: Extent) -> bool {
        self.known_extent(a).is_some() && self.known_extent(a) == self.known_extent(b)
    }

    /// An extent that the program gives.
    pub(crate) fn known_extent(&self, extent: Extent) -> Option<i64> {
        match extent {
            Extent::Host(value) => {
                segra_ir::interfaces::constant_of(self.ir, value)?.as_i64(self.ir.ctx())
            }
            Extent::Inside(_) => None,
        }
    }

    /// The old terminator's scalars, yielded.
    fn yield_scalars(&mut self, point: InsertPoint, terminator: Op, more: &[Value]) {
        let mut state = OpState::new(self.ir.op_name(terminator), self.ir.loc(terminator));
        let operands: Vec<Value> = self.ir.operands(terminator).collect();
        for value in operands {
            if !self.in_memory(value) {
                let value = self.inside(value);
                state.operands.push(value);
            }
        }
        state.operands.extend_from_slice(more);
        self.flush(point);
        self.at(point).insert(state);
    }

    fn for_op(&mut self, point: InsertPoint, looped: scf::ForOp) {
        let op = looped.op();
        let inits = looped.init_args(self.ir);
        let turning = self.before_turns(point, op);
        let slots: Vec<Option<Array>> = inits.iter().map(|&init| self.slot_of(init)).collect();
        let carried = looped.iter_args(self.ir).to_vec();
        let buffers: Vec<Option<Array>> = inits
            .into_iter()
            .zip(&slots)
            .enumerate()
            .map(|(index, (init, slot))| match slot {
                Some(_) => None,
                None if self.is_in_pieces(op, index) => Some(self.array(init, op)),
                None => self.carried(point, init, carried[index], op),
            })
            .collect();
        let places: Vec<Option<Array>> = buffers
            .iter()
            .zip(slots)
            .map(|(buffer, slot)| buffer.clone().or(slot))
            .collect();
        let mut args = vec![None];
        args.extend(places.iter().cloned());
        let around = turning
            .as_ref()
            .and_then(|turning| self.around_turns(point, looped, turning, &args));
        let start = around.as_ref().map_or(point, |around| around.inside);
        let counters = match &turning {
            Some(turning) => self.counters(start, turning),
            None => Vec::new(),
        };
        let new = self.shell_with(start, op, &counters);
        if let Some(around) = &around {
            self.ir.set_operands(new, &around.operands);
        }
        let inside = self.block_of(op, new, 0, &args);
        let mut counted = Vec::new();
        if let Some(turning) = &turning {
            let step = self.ir.entry_block(looped.region(self.ir));
            let step = step.map(|block| self.ir.block_args(block)[0]);
            if let Some(step) = step.map(|step| self.inside(step)) {
                counted = self.count_on(inside, turning);
                self.begin_turn(inside, turning, step);
            }
        }
        if let Some(terminator) = self.region_body(inside, op, 0) {
            let yields: Vec<Value> = self.ir.operands(terminator).collect();
            self.hand_on(inside, terminator, &yields, &buffers);
            if let Some(turning) = &turning {
                self.end_turn(inside, turning);
            }
            self.yield_scalars(inside, terminator, &counted);
        }
        let whole = around.map_or(new, |around| self.end_around(&around, new));
        self.bind_results(op, whole, &places);
        if let Some(turning) = &turning {
            self.after_turns(point, turning);
        }
    }

    fn while_op(&mut self, point: InsertPoint, looped: scf::WhileOp) {
        let op = looped.op();
        let inits: Vec<Value> = self.ir.operands(op).collect();
        let carried = self.ir.block_args(looped.before_block(self.ir)).to_vec();
        let buffers: Vec<Option<Array>> = inits
            .into_iter()
            .zip(carried)
            .map(|(init, carried)| self.carried(point, init, carried, op))
            .collect();
        let new = self.shell(point, op);
        let inside = self.block_of(op, new, 0, &buffers);
        let Some(condition) = self.region_body(inside, op, 0) else {
            return;
        };
        let forwarded: Vec<Value> = self.ir.operands(condition).skip(1).collect();
        let mut results = Vec::new();
        for (index, &value) in forwarded.iter().enumerate() {
            let resized = is_resized(self.ir, self.ir.result(op, index));
            results.push(self.is_array(self.ir.value_type(value)).then(|| {
                let array = self.array(value, condition);
                let carried = buffers
                    .iter()
                    .flatten()
                    .any(|buffer| buffer.same_place(&array));
                match (carried, resized) {
                    (true, true) => array.resized(&[]),
                    (true, false) => array,
                    (false, true) => {
                        let kept = self.place_resized(array.element, condition);
                        self.copy(inside, &array, &kept.resized(&array.extents));
                        kept
                    }
                    (false, false) => {
                        let kept = self.place(array.extents.clone(), array.element, condition);
                        self.copy(inside, &array, &kept);
                        kept
                    }
                }
            }));
        }
        self.yield_scalars(inside, condition, &[]);
        let inside = self.block_of(op, new, 1, &results);
        if let Some(terminator) = self.region_body(inside, op, 1) {
            let yields: Vec<Value> = self.ir.operands(terminator).collect();
            self.hand_on(inside, terminator, &yields, &buffers);
            self.yield_scalars(inside, terminator, &[]);
        }
        self.bind_results(op, new, &results);
    }

    fn branch(&mut self, point: InsertPoint, op: Op) {
        self.before_copies(point, op);
        let new = self.shell(point, op);
        let made: Vec<Value> = self.ir.results(op).collect();
        let mut results: Vec<Option<Array>> = made.iter().map(|&made| self.slot_of(made)).collect();
        for (index, result) in results.iter_mut().enumerate() {
            let Some(changed) = changed_by(self.ir, op, index) else {
                continue;
            };
            let array = self.array(changed.array, op);
            let resized = is_resized(self.ir, made[index]);
            let fits = match resized {
                true => self.has_most(&array),
                false => !changed.reshapes && array.memory != Memory::Nothing,
            };
            if fits {
                *result = Some(match resized {
                    true => array.resized(&[]),
                    false => array,
                });
                self.in_place.extend(changed.updates);
            }
        }
        for region in 0..self.ir.regions(op).len() {
            if self.ir.entry_block(self.ir.region(op, region)).is_none() {
                continue;
            }
            let inside = self.block_of(op, new, region, &[]);
            let Some(terminator) = self.region_body(inside, op, region) else {
                continue;
            };
            let yields: Vec<Value> = self.ir.operands(terminator).collect();
            for (index, (result, &value)) in results.iter_mut().zip(&yields).enumerate() {
                if result.is_none() && self.is_array(self.ir.value_type(value)) {
                    let array = self.array(value, terminator);
                    *result = Some(match is_resized(self.ir, made[index]) {
                        true => self.place_resized(array.element, op),
                        false => self.place(array.extents, array.element, op),
                    });
                }
            }
            self.hand_on(inside, terminator, &yields, &results);
            self.yield_scalars(inside, terminator, &[]);
        }
        self.bind_results(op, new, &results);
    }
}

/// An array that a branch yields as it is or with elements replaced.
struct Changed {
    array: Value,
    /// The first update of it on each way that has one.
    updates: Vec<Op>,
    /// Whether a way gives it other extents.
    reshapes: bool,
}

/// The array of the block around that every way of a branch yields at a position, updated or not, where nobody else needs
/// it: the updates then are made in place, and nothing is copied.
fn changed_by(ir: &Ir, op: Op, index: usize) -> Option<Changed> {
    let mut updates = Vec::new();
    let mut array = None;
    let mut ends = Vec::new();
    let mut reshapes = false;
    for &way in ir.regions(op) {
        let block = ir.entry_block(way)?;
        let last = ir.last_op(block)?;
        let mut value = ir.operands(last).nth(index)?;
        let mut first = last;
        while let Some(made) = ir.defining_op(value)
            && ir.block_of(made) == Some(block)
            && ir.has_one_use(value)
        {
            if let Some(update) = Update::of(ir, made) {
                (first, value) = (made, update.tensor(ir));
            } else if let Some(extend) = ir.cast::<ExtendOp>(made) {
                (first, value) = (made, extend.tensor(ir));
                reshapes = true;
            } else if let Some(reshape) = ir.cast::<ReshapeOp>(made) {
                value = reshape.source(ir);
                reshapes = true;
            } else {
                break;
            }
        }
        let from = reshaped_from(ir, value);
        reshapes |= from != value;
        let value = from;
        if array.is_some_and(|array| array != value) {
            return None;
        }
        array = Some(value);
        ends.push((block, first));
        updates.extend((first != last).then_some(first));
    }
    let array =
        array.filter(|&array| ends.len() == 2 && ir.value_block(array) == ir.block_of(op))?;
    let mut taken = vec![0; ends.len()];
    let harmless = users_of(ir, array).into_iter().all(|user| {
        let read = match Read::of(ir, user) {
            Some(read) => ir.value_type(read.result(ir)).is_scalar(ir.ctx()),
            None => ir.isa::<DimOp>(user),
        };
        let way = ends
            .iter()
            .position(|&(block, _)| ir.ancestors(user).any(|op| ir.block_of(op) == Some(block)));
        let Some(way) = way else {
            let at = ir
                .ancestors(user)
                .find(|&around| ir.block_of(around) == ir.block_of(op));
            return read && at.is_some_and(|at| ir.is_before(at, op));
        };
        let (block, first) = ends[way];
        if user == first {
            taken[way] += 1;
            return taken[way] == 1;
        }
        let at = ir
            .ancestors(user)
            .find(|&around| ir.block_of(around) == Some(block));
        read && at.is_some_and(|at| ir.is_before(at, first))
    });
    let changed = Changed {
        array,
        updates,
        reshapes,
    };
    (harmless && owns(ir, array)).then_some(changed)
}
