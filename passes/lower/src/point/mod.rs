//! Code of points: a body of the kernel dialect emitted into a kernel.
//!
//! Scalars are copied; arrays become places in memory ([`array`]): reads are loads, updates are stores, in place where
//! nobody uses the old array ([`place`]); loops and branches carry scalars as values and arrays as places ([`flow`]).
//!
//! A point of level `thread` is run by one thread: what it makes lies in memory of its own. A point of level `block` is
//! run by all threads of a thread block: its scalar code by all of them alike, its arrays in shared memory, and the
//! segmented ops inside by [`crate::block`].
//!
//! Legality: extents of arrays that a point makes are known on the host, or the op says how large they may be
//! ([`BoundArraysOp`]); loops and branches with arrays are `scf.for`, `scf.if` and `scf.while`. Anything else is refused with
//! the place.

mod array;
mod flow;
mod place;
mod strided;

pub(crate) use place::{host_value, is_last_use};
pub(crate) use strided::lanes_of;

use crate::Checks;
use crate::access::load;
use crate::kernel::{Index, Kernel, checked_load};
use crate::state::{Array, Emitted, Extent, Memory, Unit};
use segra_ir::{Block, InsertPoint, Op, OpView, Region, Type, TypeKind, Value};
use segra_kernel::access::{Read, Update};
use segra_kernel::bound::BoundArraysOp;
use segra_kernel::contract::ContractOp;
use segra_kernel::local::ExtendOp;
use segra_kernel::registers::RegTileOp;
use segra_kernel::segop::SegmentedOp;
use segra_kernel::target::TargetSinceOp;
use segra_pass::analysis::operator::Slice;
use segra_std::builtin::{TARGET_SINCE, UnrealizedConversionCastOp};
use segra_std::check::RequireOp;
use segra_std::tensor::{DimOp, EmptyOp, FromElementsOp, ReshapeOp};

impl Kernel<'_> {
    /// Emits a body at `point`, its arguments standing for `args`; returns the scalars it returns. An array among them
    /// is an error.
    pub(crate) fn inline(
        &mut self,
        point: InsertPoint,
        body: Region,
        args: &[Value],
    ) -> Vec<Value> {
        let values = self.inline_point(point, body, args);
        self.scalars(body, point, values)
    }

    /// The values a body returned, where all of it must be scalars.
    pub(crate) fn scalars(
        &mut self,
        body: Region,
        point: InsertPoint,
        returned: Vec<Emitted>,
    ) -> Vec<Value> {
        let mut values = Vec::new();
        for emitted in returned {
            values.push(match emitted {
                Emitted::Scalar(value) => value,
                Emitted::Array(array) => {
                    if let Some(op) = self
                        .ir
                        .entry_block(body)
                        .and_then(|block| self.ir.last_op(block))
                    {
                        self.refuse(op, "returns an array where only scalars can be combined");
                    }
                    crate::access::zero(&mut self.at(point), array.element)
                }
            });
        }
        values
    }

    /// The scalars with these numbers that a body returns, by what they need of the body and no more.
    pub(crate) fn inline_some(
        &mut self,
        point: InsertPoint,
        body: Region,
        args: &[Value],
        which: &[usize],
    ) -> Vec<Value> {
        let Some(block) = self.ir.entry_block(body) else {
            return Vec::new();
        };
        let returned: Vec<Value> = self
            .ir
            .last_op(block)
            .map(|last| self.ir.operands(last).collect())
            .unwrap_or_default();
        let values: Vec<Value> = which.iter().map(|&index| returned[index]).collect();
        let slice = Slice::of(self.ir, block, &values);
        self.emit_slice(point, block, slice, args);
        values.into_iter().map(|value| self.inside(value)).collect()
    }

    /// Emits ops of a block, its arguments standing for `args`.
    pub(crate) fn emit_slice(
        &mut self,
        point: InsertPoint,
        block: Block,
        slice: Slice,
        args: &[Value],
    ) {
        for arg in slice.args {
            let formal = self.ir.block_args(block)[arg];
            self.values.map(formal, args[arg]);
        }
        for op in slice.ops {
            self.emit(point, op);
        }
    }

    /// As [`Self::inline`], with arrays.
    pub(crate) fn inline_point(
        &mut self,
        point: InsertPoint,
        body: Region,
        args: &[Value],
    ) -> Vec<Emitted> {
        let Some(block) = self.ir.entry_block(body) else {
            return Vec::new();
        };
        let formal = self.ir.block_args(block).to_vec();
        for (&arg, &value) in formal.iter().zip(args) {
            self.values.map(arg, value);
        }
        let Some(terminator) = self.emit_block(point, block) else {
            return Vec::new();
        };
        let returned: Vec<Value> = self.ir.operands(terminator).collect();
        returned
            .into_iter()
            .map(|value| self.emitted(value))
            .collect()
    }

    /// The new value for one of the program.
    pub(crate) fn emitted(&mut self, value: Value) -> Emitted {
        match self.arrays.get(&value) {
            Some(array) => Emitted::Array(array.clone()),
            None => Emitted::Scalar(self.inside(value)),
        }
    }

    /// The kernel's value for a scalar of the program: emitted before, or the host's as a parameter.
    pub(crate) fn inside(&mut self, value: Value) -> Value {
        let mapped = self.values.get(value);
        if mapped == value {
            self.scalar(value)
        } else {
            mapped
        }
    }

    /// Emits the ops of a block but its terminator, which is returned.
    pub(crate) fn emit_block(&mut self, point: InsertPoint, block: Block) -> Option<Op> {
        let ops: Vec<Op> = self.ir.ops(block).collect();
        let (&terminator, body) = ops.split_last()?;
        for &op in body {
            self.emit(point, op);
        }
        Some(terminator)
    }

    fn emit(&mut self, point: InsertPoint, op: Op) {
        let outside = std::mem::replace(&mut self.loc, self.ir.loc(op));
        self.emit_op(point, op);
        self.loc = outside;
    }

    fn emit_op(&mut self, point: InsertPoint, op: Op) {
        if let Some(read) = Read::of(self.ir, op) {
            self.read(point, read);
        } else if let Some(dim) = self.ir.cast::<DimOp>(op) {
            let at = dim.dim(self.ir).unwrap_or(usize::MAX);
            let extent = self.array(dim.source(self.ir), op).extents.get(at).copied();
            let Some(extent) = extent else {
                return self.refuse(op, "asks for an extent there is not");
            };
            let value = self.extent(extent);
            self.values.map(dim.result(self.ir), value);
        } else if let Some(scratch) = self.ir.cast::<EmptyOp>(op) {
            self.scratch(scratch);
        } else if let Some(update) = Update::of(self.ir, op) {
            self.update(point, update);
        } else if let Some(extend) = self.ir.cast::<ExtendOp>(op) {
            self.extend(point, extend);
        } else if let Some(reshape) = self.ir.cast::<ReshapeOp>(op) {
            let sizes = reshape.sizes(self.ir);
            let extents = self.extents_of(&sizes);
            let source = self.array(reshape.source(self.ir), op);
            self.arrays
                .insert(reshape.result(self.ir), Array { extents, ..source });
        } else if self.ir.isa::<FromElementsOp>(op) || self.ir.isa::<BoundArraysOp>(op) {
            // The extents of a reshape, which asks for them; a number of the host.
        } else if let Some(contract) = self.ir.cast::<ContractOp>(op) {
            self.contract(point, contract);
        } else if let Some(since) = self.ir.cast::<TargetSinceOp>(op) {
            self.target_since(point, since);
        } else if let Some(tile) = self.ir.cast::<RegTileOp>(op) {
            self.register_tile(point, tile);
        } else if self.ir.interface::<dyn SegmentedOp>(op).is_some() {
            self.inner(point, op);
        } else if self.ir.regions(op).is_empty() {
            let loc = self.loc;
            let mut b = segra_ir::Builder::new(self.ir, point, loc);
            b.clone_op(op, &mut self.values);
        } else {
            self.structured(point, op);
        }
    }

    /// A tile that threads hold in registers: in shared memory where others read it.
    fn register_tile(&mut self, point: InsertPoint, tile: RegTileOp) {
        let result = tile.result(self.ir);
        let read = self.ir.users(result).any(|user| {
            Read::is(self.ir, user) || Update::is(self.ir, user) && !self.is_piece(user)
        });
        if read && self.share_tile(point, tile).is_some() {
            return;
        }
        // Only what returns it asks for it, and for its parts.
        let Some(part) = tile
            .parts(self.ir)
            .first()
            .copied()
            .filter(|&part| self.is_own(part))
        else {
            return self.refuse(
                tile.op(),
                "is used for more than to be returned: threads hold its elements in registers",
            );
        };
        let part = self.inside(part);
        self.values.map(result, part);
    }

    /// A value that the exit to a target has.
    fn target_since(&mut self, point: InsertPoint, since: TargetSinceOp) {
        let capability = since.capability_attr(self.ir);
        let mut b = self.at(point);
        let bool = b.ctx().i1();
        let cast = UnrealizedConversionCastOp::builder()
            .inputs(&[])
            .outputs_types(&[bool])
            .build(&mut b);
        b.ir.set_attr_named(cast.op(), TARGET_SINCE, capability);
        let value = b.ir.result(cast.op(), 0);
        self.values.map(since.result(self.ir), value);
    }

    /// A segmented op inside a point.
    fn inner(&mut self, point: InsertPoint, op: Op) {
        match self.unit {
            Unit::Block => self.block_op(point, op),
            Unit::Thread => self.refuse(
                op,
                "is inside code of one thread, which runs nothing in parallel",
            ),
        }
    }

    /// Whether a type is an array's.
    pub(crate) fn is_array(&self, ty: Type) -> bool {
        matches!(
            self.ir.ctx().type_kind(ty),
            TypeKind::MemRef { .. } | TypeKind::Tensor { .. }
        )
    }

    /// The array a value of the program is.
    pub(crate) fn array(&mut self, value: Value, user: Op) -> Array {
        if let Some(array) = self.arrays.get(&value) {
            return array.clone();
        }
        self.refuse(user, "uses an array that has no place on the device");
        let element = crate::access::element_type(self.ir, self.ir.value_type(value));
        let rank = self
            .ir
            .value_type(value)
            .shaped(self.ir.ctx())
            .map_or(0, |shaped| shaped.0.len());
        let one = crate::launch::constant(&mut self.host_builder(), 1);
        Array::nothing(vec![Extent::Host(one); rank], element)
    }

    /// One element, or the array of what is left where there are fewer indices than dimensions.
    fn read(&mut self, point: InsertPoint, read: Read) {
        let result = read.result(self.ir);
        let given = self.given.iter().find(|row| row.0 == read).map(|row| row.1);
        if let Some(value) = given.or_else(|| self.read_staged(point, read)) {
            self.values.map(result, value);
            return;
        }
        let tensor = read.tensor(self.ir);
        if self.is_own(tensor) {
            let value = self.inside(tensor);
            self.values.map(result, value);
            return;
        }
        let array = self.array(tensor, read.op());
        self.before_read(point, &array);
        let old = read.indices(self.ir);
        let indices: Vec<Value> = old.iter().map(|&index| self.inside(index)).collect();
        if self.is_array(self.ir.value_type(result)) {
            let row = self.row(point, &array, &indices);
            self.arrays.insert(result, row);
            return;
        }
        let checked = self.checks() == Checks::On && read.is_checked(self.ir);
        let value = match (&array.memory, checked) {
            (Memory::Nothing, false) => crate::access::zero(&mut self.at(point), array.element),
            (_, true) => {
                let extents: Vec<Value> = array
                    .extents
                    .iter()
                    .map(|&extent| self.extent(extent))
                    .collect();
                let at = self.linear(point, &array, &indices);
                let position = self.position(point, &array, at);
                self.now_reads(&array);
                let indices = self.reported(&old, &indices);
                checked_load(
                    &mut self.at(point),
                    array.element,
                    (&array.memory, position),
                    &indices,
                    &extents,
                )
            }
            (_, false) => {
                let at = self.linear(point, &array, &indices);
                self.load_element(point, &array, at)
            }
        };
        if let Some(name) = self.ir.value_name(result) {
            self.ir.set_value_name(value, name);
        }
        self.values.map(result, value);
        self.read_at_point(&array);
    }

    /// Indices of the program, `old` in it: which have a check of their own.
    pub(crate) fn reported(&self, old: &[Value], indices: &[Value]) -> Vec<Index> {
        let index = |(&old, &value): (&Value, &Value)| Index {
            value,
            reported: self.ir.def_as::<RequireOp>(old).is_some(),
        };
        old.iter().zip(indices).map(index).collect()
    }

    fn read_staged(&mut self, point: InsertPoint, read: Read) -> Option<Value> {
        let shared = self.staged_for(read)?;
        let at = self.staged_at?;
        Some(load(&mut self.at(point), shared, &[at]))
    }
}
