//! Arrays that grow or shrink in loops and branches at a point of a nest: their extents are carried beside them.
//!
//! ```text
//! loop a = iota 1 for i < n do a ++ [i]
//! ==>
//! loop (a, m) = (iota 1, 1) for i < n do let a = reshape a to [m] in let b = a ++ [i] in (reshape b to [dim b], dim b)
//! ```
//! `segra_kernel::extent::is_resized` is how later passes see such arrays.
//!
//! Legality: none; extents that the type of an array names, or that all that is forwarded has, are not carried
//! ([`segra_array::extent::varies`]). On the host, arrays have their extents with them.

use crate::function::Flattener;
use crate::view::{Lifted, View};
use segra_array::extent::varies;
use segra_array::types::{ArrayType, Size, sizes_and_element};
use segra_ir::interfaces::{RegionBranch, RegionSuccessor};
use segra_ir::{Block, InsertPoint, Ir, Loc, Op, OpState, Region, Type, Value};
use segra_std::tensor::{DimOp, ReshapeOp};

/// Arrays that an op of control flow resizes.
#[derive(Default)]
pub(crate) struct Resized {
    /// Positions among what is forwarded to a region or to the results.
    to: Vec<(RegionSuccessor, Vec<usize>)>,
}

impl Resized {
    fn of(ir: &Ir, op: Op) -> Resized {
        let Some(model) = ir
            .interface::<dyn RegionBranch>(op)
            .filter(|model| model.can_carry(ir, op))
        else {
            return Resized::default();
        };
        let regions = ir
            .regions(op)
            .iter()
            .map(|&region| RegionSuccessor::Region(region));
        let to = regions.chain([RegionSuccessor::Parent]).map(|to| {
            let inputs = model.inputs(ir, op, to).into_iter().enumerate();
            let resized = inputs.filter(|&(_, value)| is_resized(ir, value));
            (to, resized.map(|(at, _)| at).collect())
        });
        Resized { to: to.collect() }
    }

    /// Positions of arrays that are resized among what is forwarded there.
    pub(crate) fn at(&self, to: RegionSuccessor) -> &[usize] {
        let found = self.to.iter().find(|(other, _)| *other == to);
        found.map_or(&[], |(_, positions)| positions)
    }
}

/// Whether the extents of an array that control flow carries may change.
pub(crate) fn is_resized(ir: &Ir, value: Value) -> bool {
    let ty = ir.value_type(value);
    let rank = sizes_and_element(ir.ctx(), ty).0.len();
    ty.dialect::<ArrayType>(ir.ctx()).is_some() && (0..rank).any(|dim| varies(ir, value, dim))
}

/// The number of arguments of a region that its op does not forward but gives itself: a counter.
pub(crate) fn arguments_of_op(ir: &Ir, op: Op, region: Region) -> usize {
    let all = ir
        .entry_block(region)
        .map_or(0, |block| ir.block_args(block).len());
    let model = ir.interface::<dyn RegionBranch>(op);
    model.map_or(0, |model| {
        all - model.inputs(ir, op, RegionSuccessor::Region(region)).len()
    })
}

impl Flattener<'_> {
    /// The arrays that an op of a point resizes; none on the host.
    pub(crate) fn resized(&self, op: Op) -> Resized {
        match self.fixed.is_empty() {
            true => Resized::default(),
            false => Resized::of(self.ir, op),
        }
    }

    /// Extents of an array that its type tells, and none for those that are carried.
    fn told_by_type(&mut self, ty: Type, loc: Loc) -> Vec<Option<Value>> {
        let (sizes, _) = sizes_and_element(&self.ctx, ty);
        let sizes = sizes.into_iter().map(|size| match size {
            Size::Unknown => None,
            size => self.extent(size, loc),
        });
        sizes.collect()
    }

    /// The number of extents that are carried for an array.
    pub(crate) fn carried_extents(&mut self, old: Value) -> usize {
        let told = self.told_by_type(self.ir.value_type(old), Loc::UNKNOWN);
        told.into_iter().filter(Option::is_none).count()
    }

    /// Operands of an op's copy, `state`, say the extents of what is resized, which are forwarded, too; and there are results for
    /// them.
    pub(crate) fn forward_in(&mut self, op: Op, state: &mut OpState, resized: &Resized) {
        let Some(model) = self.ir.interface::<dyn RegionBranch>(op) else {
            return;
        };
        if let Some(&to) = model.successors(self.ir, op, None).first() {
            let inputs = model.inputs(self.ir, op, to);
            let start = model.entry_forwarded(self.ir, op, to).start;
            let mut operands = state.operands.to_vec();
            self.forward(op, &mut operands, start, (&inputs, resized.at(to)));
            state.operands = operands.into();
        }
        for &position in resized.at(RegionSuccessor::Parent) {
            let count = self.carried_extents(self.ir.result(op, position));
            let index = self.ctx.index();
            state.result_types.extend(vec![index; count]);
        }
    }

    /// The same for what the last op of a region's block forwards, whose copy is at the end of a new block.
    pub(crate) fn forward_out(
        &mut self,
        op: Op,
        region: Region,
        (old, new): (Block, Block),
        resized: &Resized,
    ) {
        let Some(model) = self.ir.interface::<dyn RegionBranch>(op) else {
            return;
        };
        let successors = model.successors(self.ir, op, Some(region));
        let (Some(&to), Some(end)) = (successors.first(), self.ir.last_op(old)) else {
            return;
        };
        let copy = self.ir.last_op(new).filter(|_| !resized.at(to).is_empty());
        let Some(copy) = copy else { return };
        let inputs = model.inputs(self.ir, op, to);
        let start = model.exit_forwarded(self.ir, op, end, to).start;
        let mut values: Vec<Value> = self.ir.operands(copy).collect();
        let outside = std::mem::replace(&mut self.point, InsertPoint::Before(copy));
        self.forward(end, &mut values, start, (&inputs, resized.at(to)));
        self.point = outside;
        self.ir.set_operands(copy, &values);
    }

    /// Of `values`, those from `start` on that are forwarded to inputs that are resized say their extents, which follow behind.
    fn forward(
        &mut self,
        op: Op,
        values: &mut Vec<Value>,
        start: usize,
        (inputs, positions): (&[Value], &[usize]),
    ) {
        let loc = self.ir.loc(op);
        let (_ctx, _index) = (self.ctx.clone(), self.ctx.index());
        for &position in positions {
            let told = self.told_by_type(self.ir.value_type(inputs[position]), loc);
            let value = values[start + position];
            let mut sizes = Vec::new();
            for (dim, extent) in told.into_iter().enumerate() {
                sizes.push(extent.unwrap_or_else(|| {
                    let mut b = self.builder(loc);
                    let extent = DimOp::of(&mut b, value, dim);
                    values.push(extent);
                    extent
                }));
            }
            values[start + position] = self.reshaped(value, &sizes, loc);
        }
    }

    fn reshaped(&mut self, array: Value, sizes: &[Value], loc: Loc) -> Value {
        let ty = self.ir.value_type(array);
        ReshapeOp::to(&mut self.builder(loc), array, sizes, ty)
    }

    /// Values of the old program are bound to new ones: those from `first` on at `positions` to arrays with extents `carried`.
    pub(crate) fn bind_forwarded(
        &mut self,
        old: &[Value],
        (new, carried): (&[Value], &[Value]),
        (first, positions): (usize, &[usize]),
        loc: Loc,
    ) {
        let mut carried = carried.iter().copied();
        for (at, (&old, &new)) in old.iter().zip(new).enumerate() {
            let resized = at
                .checked_sub(first)
                .is_some_and(|at| positions.contains(&at));
            match resized {
                true => self.bind_resized(old, new, &mut carried, loc),
                false => self.bind_value(old, new, loc),
            }
        }
    }

    /// `new`, whose extents `carried` begins with, stands for `old`.
    fn bind_resized(
        &mut self,
        old: Value,
        new: Value,
        carried: &mut impl Iterator<Item = Value>,
        loc: Loc,
    ) {
        if let Some(name) = self.ir.value_name(old) {
            self.ir.set_value_name(new, name);
        }
        let mut sizes = Vec::new();
        for extent in self.told_by_type(self.ir.value_type(old), loc) {
            sizes.extend(extent.or_else(|| carried.next()));
        }
        let array = self.reshaped(new, &sizes, loc);
        self.env.bind(old, Lifted::Array(View::whole(array, sizes)));
    }
}
