//! Scatter and hist as loops: what one thread does with them, and what the host does where they cannot be parallel.
//!
//! The destinations are copied to scratch space and updated element by element; what is out of range is skipped.

use crate::function::{Execution, Flattener, Outcome};
use crate::point::{compare, index_constant};
use crate::view::View;
use segra_array::combinator::Soac;
use segra_array::types::sizes_and_element;
use segra_array::update::STORES_ALL;
use segra_ir::{OpView, Type, Value};
use segra_kernel::access::{Read, Update};
use segra_std::arith::{self, CmpIPredicate};
use segra_std::scf;
use segra_std::tensor::DimOp;

impl Flattener<'_> {
    /// Emits a scatter or hist as a loop.
    pub(crate) fn update_in_order(&mut self, updates: &Soac) -> Outcome<()> {
        let op = updates.op;
        let loc = self.ir.loc(op);
        let elements = self.elements(op, &updates.arrays)?;
        let stores_all = self.ir.attr_named(op, STORES_ALL).is_some();
        let mut tensors = Vec::new();
        for &destination in &updates.destinations {
            tensors.push(match (self.execution, self.view(destination)) {
                (Execution::Sequential, Some(view)) if stores_all => self.space_for(&view, op)?,
                // An array a thread is given is not private.
                (Execution::Sequential, Some(view)) => self.fill_from(&view, op)?,
                _ => self.value_of(destination, op)?,
            });
        }
        let Some(body) = updates.body else {
            return self.fail(op, "has no body");
        };
        let yielded = self
            .ir
            .last_op(body)
            .map_or(0, |last| self.ir.num_operands(last));
        let Some(indexed) = yielded.checked_sub(tensors.len()) else {
            return self.fail(op, "has no index");
        };
        let _ctx = self.ctx.clone();
        let mut b = self.builder(loc);
        let dim = |dim| DimOp::of(&mut b, tensors[0], dim);
        let extents: Vec<Value> = (0..indexed).map(dim).collect();
        let made = self.counted_loop(elements.size, &tensors, loc, |this, at, carried| {
            let rows: Vec<View> = elements.views.iter().map(|view| view.at(&[at])).collect();
            let mut values = Vec::new();
            for value in this.body(body, &rows)? {
                values.push(this.value_of(value, op)?);
            }
            let new = values.split_off(indexed);
            this.update_inside(updates, &extents, &values, &new, carried)
        })?;
        let results: Vec<Value> = self.ir.results(op).collect();
        for (result, tensor) in results.into_iter().zip(made) {
            self.bind_value(result, tensor, loc);
        }
        Ok(())
    }

    /// The destinations after one element: updated where the indices are in range.
    fn update_inside(
        &mut self,
        updates: &Soac,
        extents: &[Value],
        indices: &[Value],
        values: &[Value],
        carried: &[Value],
    ) -> Outcome<Vec<Value>> {
        let op = updates.op;
        let loc = self.ir.loc(op);
        let types: Vec<Type> = carried
            .iter()
            .map(|&tensor| self.ir.value_type(tensor))
            .collect();
        let mut b = self.builder(loc);
        let zero = index_constant(&mut b, 0);
        let mut inside = None;
        for (&index, &extent) in indices.iter().zip(extents) {
            let above = compare(&mut b, CmpIPredicate::Sge, index, zero);
            let below = compare(&mut b, CmpIPredicate::Slt, index, extent);
            let here = arith::AndIOp::build(&mut b, above, below).result(b.ir);
            inside = Some(inside.map_or(here, |before| {
                arith::AndIOp::build(&mut b, before, here).result(b.ir)
            }));
        }
        let Some(inside) = inside else {
            return self.fail(op, "has no index");
        };
        let branch = scf::IfOp::build(&mut self.builder(loc), inside, &types);
        let (then, otherwise) = (branch.then_region(self.ir), branch.else_region(self.ir));
        let block = self.ir.add_block(then, &[]);
        self.scope(block, |this| -> Outcome<()> {
            let new = this.combined(updates, indices, values, carried)?;
            let mut b = this.builder(loc);
            let updated = carried
                .iter()
                .zip(new)
                .map(|(&tensor, value)| Update::build(&mut b, value, tensor, indices).result(b.ir));
            let updated: Vec<Value> = updated.collect();
            scf::YieldOp::build(&mut b, &updated);
            Ok(())
        })?;
        let block = self.ir.add_block(otherwise, &[]);
        self.inside(block, |this| {
            scf::YieldOp::build(&mut this.builder(loc), carried)
        });
        Ok(self.ir.results(branch.op()).collect())
    }

    /// The values stored to the destinations: those given, or the operator's combination of them with the old contents.
    fn combined(
        &mut self,
        updates: &Soac,
        indices: &[Value],
        values: &[Value],
        carried: &[Value],
    ) -> Outcome<Vec<Value>> {
        let op = updates.op;
        if updates.combine.is_none() {
            return Ok(values.to_vec());
        }
        let loc = self.ir.loc(op);
        let mut operands = Vec::new();
        for (&tensor, &destination) in carried.iter().zip(&updates.destinations) {
            let (sizes, _) = sizes_and_element(&self.ctx, self.ir.value_type(destination));
            operands.push(if sizes.len() == indices.len() {
                let mut b = self.builder(loc);
                Read::build(&mut b, tensor, indices).result(b.ir)
            } else {
                let row = self.whole(tensor, loc).at(indices);
                self.fill_from(&row, op)?
            });
        }
        operands.extend(values);
        self.operator(op, updates.combine, &operands)
    }
}
