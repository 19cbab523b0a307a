//! Places for the arrays that points make: memory of a thread or of a thread block, in place where the old array is dead.
//!
//! Sizes of buffers are values of the host. An extent that a body computes is computed on the host where that takes no
//! more than pure ops of values from outside of the body ([`host_value`]).

use crate::Checks;
use crate::access::extent_of;
use crate::kernel::Kernel;
use crate::launch::{add, constant, mul};
use crate::state::{Array, Extent, Lane, Memory, Unit};
use rustc_hash::FxHashMap;
use segra_gpu::attrs::Dimension;
use segra_gpu::device::{BlockDimOp, BlockIdOp, GridDimOp, ThreadIdOp};
use segra_ir::clone::Mapping;
use segra_ir::{Builder, InsertPoint, Ir, Loc, Op, OpView, Trait, Type, Value, ValueDef};
use segra_kernel::access::{Read, Update};
use segra_kernel::extent::{checked, origin_of, resolved};
use segra_kernel::local::ExtendOp;
use segra_kernel::segop::SegmentedOp;
use segra_std::arith;
use segra_std::check::RequireOp;
use segra_std::tensor::{DimOp, EmptyOp, ReshapeOp};

/// A value of a body as one of the host, computed at `host`; `None` where it depends on the point.
pub(crate) fn host_value(
    ir: &mut Ir,
    (host, loc): (InsertPoint, Loc),
    root: Op,
    value: Value,
    known: &mut FxHashMap<Value, Option<Value>>,
) -> Option<Value> {
    let value = resolved(ir, value);
    if !ir.is_defined_inside(value, root) {
        return Some(value);
    }
    if let Some(&found) = known.get(&value) {
        return found;
    }
    known.insert(value, None);
    let found = (|| {
        let op = ir.defining_op(value)?;
        if let Some(dim) = ir.cast::<DimOp>(op) {
            let (tensor, at) = origin_of(ir, dim.source(ir), dim.dim(ir)?);
            let outside = !ir.is_defined_inside(tensor, root);
            return outside.then(|| extent_of(&mut Builder::new(ir, host, loc), tensor, at));
        }
        if let Some(check) = ir.cast::<RequireOp>(op) {
            return checked_on_host(ir, (host, loc), root, check, known);
        }
        if !ir.has_trait(op, Trait::Pure) || !ir.regions(op).is_empty() {
            return None;
        }
        let mut mapping = Mapping::new();
        for operand in ir.operands(op).collect::<Vec<_>>() {
            if ir.value_type(operand).shaped(ir.ctx()).is_some() {
                return None;
            }
            mapping.map(operand, host_value(ir, (host, loc), root, operand, known)?);
        }
        let result = ir.results(op).position(|result| result == value)?;
        let copy = Builder::new(ir, host, loc).clone_op(op, &mut mapping);
        Some(ir.result(copy, result))
    })();
    known.insert(value, found);
    found
}

/// The result of a body's check, on the host: the points report that it fails, if there are any.
fn checked_on_host(
    ir: &mut Ir,
    place: (InsertPoint, Loc),
    root: Op,
    check: RequireOp,
    known: &mut FxHashMap<Value, Option<Value>>,
) -> Option<Value> {
    let (condition, value, otherwise) = (check.condition(ir), check.value(ir), check.otherwise(ir));
    let condition = host_value(ir, place, root, condition, known)?;
    let value = host_value(ir, place, root, value, known)?;
    let otherwise = host_value(ir, place, root, otherwise, known)?;
    let mut b = Builder::new(ir, place.0, place.1);
    Some(arith::SelectOp::build(&mut b, condition, value, otherwise).result(b.ir))
}

impl Kernel<'_> {
    /// A value of the body on the host, where it does not depend on the point.
    pub(crate) fn hosted(&mut self, value: Value) -> Option<Value> {
        let root = self.root?;
        let place = self.host_place();
        let mut known = std::mem::take(&mut self.hosted);
        let found = host_value(self.ir, place, root, value, &mut known);
        self.hosted = known;
        found
    }

    /// Sizes of the program as extents: of the host where they are known there.
    pub(crate) fn extents_of(&mut self, sizes: &[Value]) -> Vec<Extent> {
        let mut extents = Vec::new();
        for &size in sizes {
            extents.push(match self.hosted(size).or_else(|| self.most(size)) {
                Some(value) => Extent::Host(value),
                None => Extent::Inside(self.inside(size)),
            });
        }
        extents
    }

    /// The largest that a size of the program is, whether its checks hold, which only the point knows, or not: where one fails
    /// the run does, and nobody sees the array.
    fn most(&mut self, size: Value) -> Option<Value> {
        let (number, otherwise) = checked(self.ir, size)?;
        let mut most = self.hosted(number)?;
        for number in otherwise {
            let other = self.hosted(number)?;
            let constants = [most, other].map(|value| self.ir.constant_int(value));
            most = match constants {
                [Some(x), Some(y)] => [most, other][usize::from(y > x)],
                _ => arith::MaxSIOp::build(&mut self.host_builder(), most, other).result(self.ir),
            };
        }
        Some(most)
    }

    /// The product of constants.
    pub(super) fn known_product(&self, values: &[Value]) -> Option<i64> {
        let known = |&value: &Value| {
            segra_ir::interfaces::constant_of(self.ir, value)
                .and_then(|attr| attr.as_i64(self.ir.ctx()))
        };
        values
            .iter()
            .map(known)
            .try_fold(1i64, |product, value| product.checked_mul(value?))
    }

    /// The product of host values, computed once.
    pub(crate) fn host_product(&mut self, values: &[Value]) -> Value {
        if let [value] = values {
            return *value;
        }
        if let Some(&product) = self.products.get(values) {
            return product;
        }
        let mut b = self.host_builder();
        let product = match values.split_first() {
            None => constant(&mut b, 1),
            Some((&first, rest)) => rest
                .iter()
                .fold(first, |product, &value| mul(&mut b, product, value)),
        };
        self.products.insert(values.to_vec(), product);
        product
    }

    /// The number of elements on the host; an error where an extent is only known at the point.
    pub(crate) fn host_count(&mut self, extents: &[Extent], user: Op) -> Value {
        let mut values = Vec::new();
        for extent in extents {
            match extent {
                Extent::Host(value) => values.push(*value),
                Extent::Inside(_) => {
                    self.refuse(
                        user,
                        "makes an array whose extent is only known at each point of a nest",
                    );
                    return constant(&mut self.host_builder(), 0);
                }
            }
        }
        self.host_product(&values)
    }

    /// Memory for an array that the code at hand makes.
    pub(crate) fn place(&mut self, extents: Vec<Extent>, element: Type, user: Op) -> Array {
        let irregular = extents
            .iter()
            .any(|extent| matches!(extent, Extent::Inside(_)));
        let bound = self
            .bound
            .filter(|_| irregular && self.unit == Unit::Thread);
        let count = bound.unwrap_or_else(|| self.host_count(&extents, user));
        self.place_of(count, extents, element)
    }

    /// Memory for an array that is resized, as large as the largest one.
    pub(super) fn place_resized(&mut self, element: Type, user: Op) -> Array {
        let bound = self.bound.filter(|_| self.unit == Unit::Thread);
        let count = bound.unwrap_or_else(|| {
            self.refuse(user, "resizes an array, which only code of one thread can");
            constant(&mut self.host_builder(), 0)
        });
        self.place_of(count, Vec::new(), element)
    }

    fn place_of(&mut self, count: Value, extents: Vec<Extent>, element: Type) -> Array {
        match self.unit {
            Unit::Thread => {
                let lane = self.lane();
                let buffer = self.private(count, element);
                let (offset, stride) = (Some(lane.index), Some(lane.stride));
                Array {
                    memory: Memory::Private(buffer),
                    offset,
                    stride,
                    extents,
                    pitch: None,
                    element,
                }
            }
            Unit::Block => {
                let buffer = self.dynamic_shared(count, element);
                Array::whole(Memory::Shared(buffer), extents, element)
            }
        }
    }

    /// The thread's share of private buffers: that of its number in the launch where nothing else was said.
    fn lane(&mut self) -> Lane {
        if let Some(lane) = self.lane {
            return lane;
        }
        let point = self.entry_start();
        let mut b = self.at(point);
        let mut numbers = [constant(&mut b, 0); 4];
        // Numbers and counts of thread blocks, then of threads: x first.
        for (at, of_blocks) in [(0, true), (2, false)] {
            let (mut number, mut count): (Option<Value>, Option<Value>) = (None, None);
            for dimension in Dimension::ALL.iter().rev() {
                let attr = dimension.attr(b.ctx());
                let (id, extent) = match of_blocks {
                    true => {
                        let id = BlockIdOp::build(&mut b, attr).result(b.ir);
                        (id, GridDimOp::build(&mut b, attr).result(b.ir))
                    }
                    false => {
                        let id = ThreadIdOp::build(&mut b, attr).result(b.ir);
                        (id, BlockDimOp::build(&mut b, attr).result(b.ir))
                    }
                };
                number = Some(match number {
                    None => id,
                    Some(outer) => {
                        let scaled = mul(&mut b, outer, extent);
                        add(&mut b, scaled, id)
                    }
                });
                count = Some(count.map_or(extent, |before| mul(&mut b, before, extent)));
            }
            numbers[at] = number.unwrap_or(numbers[at]);
            numbers[at + 1] = count.unwrap_or(numbers[at + 1]);
        }
        let [block, blocks, thread, threads] = numbers;
        let before = mul(&mut b, block, threads);
        let index = add(&mut b, before, thread);
        let stride = mul(&mut b, blocks, threads);
        let lane = Lane {
            index,
            stride,
            lanes: None,
        };
        self.lane = Some(lane);
        lane
    }

    pub(super) fn scratch(&mut self, scratch: EmptyOp) {
        let sizes = scratch.sizes(&mut self.host_builder());
        let result = scratch.result(self.ir);
        let element = crate::access::element_type(self.ir, self.ir.value_type(result));
        let extents = self.extents_of(&sizes);
        self.arrays.insert(result, Array::nothing(extents, element));
    }

    /// More elements behind those of an array: in its memory where that is as large as the largest array of any point, and
    /// nobody else needs it.
    pub(super) fn extend(&mut self, point: InsertPoint, extend: ExtendOp) {
        let op = extend.op();
        let sizes = extend.sizes(self.ir);
        let extents = self.extents_of(&sizes);
        let tensor = extend.tensor(self.ir);
        let from = self.array(tensor, op);
        let own = self.in_place.contains(&op) || is_last_use(self.ir, tensor, op);
        let made = match own && self.has_most(&from) {
            true => from.resized(&extents),
            false => {
                let made = self.place(extents, from.element, op);
                self.copy(point, &from, &made.resized(&from.extents));
                made
            }
        };
        self.arrays.insert(extend.result(self.ir), made);
    }

    /// Whether an array's memory is as large as the largest array of any point.
    pub(super) fn has_most(&self, array: &Array) -> bool {
        let buffer = array.memory.buffer();
        let share = self
            .private
            .iter()
            .find(|share| Some(share.param) == buffer);
        share.is_some_and(|share| Some(share.count) == self.bound)
    }

    pub(super) fn update(&mut self, point: InsertPoint, update: Update) {
        if self.store_piece(point, update) {
            return;
        }
        let op = update.op();
        let (tensor, value) = (update.tensor(self.ir), update.value(self.ir));
        let target = self.owned(point, tensor, op);
        let old = update.indices(self.ir);
        let indices: Vec<Value> = old.into_iter().map(|index| self.inside(index)).collect();
        if self.is_array(self.ir.value_type(value)) {
            let from = self.array(value, op);
            let row = self.row(point, &target, &indices);
            self.copy(point, &from, &row);
        } else {
            let value = self.inside(value);
            let inside = self.checked_update(point, update, &target, &indices);
            let guarded = inside.is_some();
            self.when(point, inside, |kernel, point| {
                let at = kernel.linear(point, &target, &indices);
                kernel.store_at_point(point, &target, at, value);
            });
            if guarded {
                // The store's barriers are not met where the index is out of range.
                self.enter_flow();
            }
        }
        self.arrays.insert(update.result(self.ir), target);
    }

    /// Reports the indices of an update that are out of range, where it says that they may be; whether none is.
    fn checked_update(
        &mut self,
        point: InsertPoint,
        update: Update,
        target: &Array,
        indices: &[Value],
    ) -> Option<Value> {
        if self.checks() == Checks::Off || !update.is_checked(self.ir) {
            return None;
        }
        let extents: Vec<Value> = target
            .extents
            .iter()
            .map(|&extent| self.extent(extent))
            .collect();
        let indices = self.reported(&update.indices(self.ir), indices);
        crate::kernel::check_indices(&mut self.at(point), &indices, &extents)
    }

    /// An array that `user` may change: `tensor` itself where nobody else needs it, else a copy.
    pub(crate) fn owned(&mut self, point: InsertPoint, tensor: Value, user: Op) -> Array {
        let array = self.array(tensor, user);
        let own = self.in_place.contains(&user) || is_last_use(self.ir, tensor, user);
        if array.memory != Memory::Nothing && own {
            return array;
        }
        let target = self.place(array.extents.clone(), array.element, user);
        self.copy(point, &array, &target);
        target
    }

    /// Copies all elements: by the thread, or by all threads of the block.
    pub(crate) fn copy(&mut self, point: InsertPoint, from: &Array, to: &Array) {
        match self.unit {
            Unit::Thread => self.copy_by_thread(point, from, to),
            Unit::Block => self.copy_by_block(point, from, to),
        }
    }

    fn store_at_point(&mut self, point: InsertPoint, array: &Array, at: Value, value: Value) {
        match self.unit {
            Unit::Thread => self.store_element(point, array, at, value),
            Unit::Block => self.store_by_block(point, array, at, value),
        }
    }
}

/// Whether `value` has memory of its own: made by an op that gives its result a place.
pub(super) fn owns(ir: &Ir, value: Value) -> bool {
    match ir.value_def(value) {
        ValueDef::Result { op, .. } => {
            Update::is(ir, op)
                || ir.isa::<ExtendOp>(op)
                || ir.op_name_str(op).starts_with("scf.")
                || ir.interface::<dyn SegmentedOp>(op).is_some()
        }
        ValueDef::Argument { block, .. } => ir
            .block_parent(block)
            .is_some_and(|parent| ir.op_name_str(parent).starts_with("scf.")),
    }
}

/// The array whose memory a value has under other extents.
pub(super) fn reshaped_from(ir: &Ir, value: Value) -> Value {
    let mut value = value;
    while let Some(reshape) = ir.def_as::<ReshapeOp>(value) {
        value = reshape.source(ir);
    }
    value
}

/// The ops that use an array, under whatever extents, each as often as it does.
pub(super) fn users_of(ir: &Ir, array: Value) -> Vec<Op> {
    let (mut users, mut pending) = (Vec::new(), vec![array]);
    while let Some(array) = pending.pop() {
        for user in ir.users(array) {
            match ir.cast::<ReshapeOp>(user) {
                Some(reshape) => pending.push(reshape.result(ir)),
                None => users.push(user),
            }
        }
    }
    users
}

/// Whether `value` has memory of its own that nobody needs once `user` has run: made by an op that gives its result a
/// place, used by `user` once, and besides only read before it.
pub(crate) fn is_last_use(ir: &Ir, value: Value, user: Op) -> bool {
    let value = reshaped_from(ir, value);
    let block = ir.value_block(value);
    if !owns(ir, value) || ir.block_of(user) != block {
        return false;
    }
    let mut own = 0;
    users_of(ir, value).into_iter().all(|used| {
        if used == user {
            own += 1;
            return own == 1;
        }
        let read = match Read::of(ir, used) {
            Some(read) => ir.value_type(read.result(ir)).is_scalar(ir.ctx()),
            None => ir.isa::<DimOp>(used),
        };
        let at = ir.ancestors(used).find(|&op| ir.block_of(op) == block);
        (read || ir.isa::<DimOp>(used)) && at.is_some_and(|at| ir.is_before(at, user))
    })
}
