//! Reads of neighbours at a point: `kernel.near` where the array is a tensor, else its index arithmetic, and a read of the
//! view.

use crate::function::{Flattener, Outcome};
use crate::point::index_constant;
use crate::view::{Axis, Base, Lifted, View};
use segra_array::stencil::NearOp;
use segra_ir::{Builder, Op, OpView, Value};
use segra_kernel::near::NearOp as KernelNearOp;
use segra_std::arith::{SelectOp, index};
use segra_std::boundary::{self, Boundary};
use segra_std::check::RequireOp;

impl Flattener<'_> {
    /// Emits a read of a neighbour.
    pub(crate) fn near(&mut self, near: NearOp) -> Outcome<()> {
        let op = near.op();
        let Some(view) = self.view(near.array(self.ir)) else {
            return self.fail(op, "uses an array that is not available here");
        };
        let mut indices = Vec::new();
        for old in near.indices(self.ir) {
            indices.push(self.value_of(old, op)?);
        }
        let otherwise = match near.otherwise(self.ir) {
            Some(old) => Some(self.value_of(old, op)?),
            None => None,
        };
        let asks = self.asks_by(&view).is_some() || self.is_checked(near) && self.is_asked(op);
        let value = match &view.base {
            Base::Tensor(tensor) if !asks => {
                self.near_in(near, &view, *tensor, (&indices, otherwise))?
            }
            _ => self.near_in_view(near, &view, (&indices, otherwise))?,
        };
        if let Some(name) = self.ir.value_name(near.result(self.ir)) {
            self.ir.set_value_name(value, name);
        }
        self.env.bind(near.result(self.ir), Lifted::Host(value));
        Ok(())
    }

    /// Whether an index is one that the program checks here.
    fn is_checked(&self, near: NearOp) -> bool {
        let indices = near.indices(self.ir);
        indices
            .into_iter()
            .any(|index| self.ir.def_as::<RequireOp>(index).is_some())
    }

    fn near_in(
        &mut self,
        near: NearOp,
        view: &View,
        tensor: Value,
        (indices, otherwise): (&[Value], Option<Value>),
    ) -> Outcome<Value> {
        let op = near.op();
        let offsets = near.offsets(self.ir);
        let (mut at, mut by) = (Vec::new(), Vec::new());
        for &axis in &view.axes {
            let (index, offset) = match axis {
                Axis::Dim(dim) => (indices[dim], offsets[dim]),
                Axis::At(scalar) | Axis::Indexed(scalar, _) => {
                    (self.resolve_all(&[scalar], op)?[0], 0)
                }
                Axis::Level(level) => match self.fixed.get(level) {
                    Some(&index) => (index, 0),
                    None => {
                        return self.fail(op, "reads an element that differs between points here");
                    }
                },
            };
            at.push(index);
            by.push(offset);
        }
        let checked = view
            .axes
            .iter()
            .any(|axis| matches!(axis, Axis::Indexed(..)));
        let checked = checked || self.is_checked(near);
        let (offsets, boundary) = (
            self.ctx.dense_i64_attr(&by),
            near.boundary(self.ir).attr(&self.ctx),
        );
        let checked = checked.then(|| self.ctx.unit());
        let mut b = self.builder(self.ir.loc(op));
        let new = KernelNearOp::builder()
            .tensor(tensor)
            .indices(&at)
            .otherwise(otherwise)
            .offsets(offsets)
            .boundary(boundary)
            .checked(checked)
            .build(&mut b);
        let element = new.result(b.ir);
        // All elements along a dimension that the tensor does not have are one, but the array ends there nevertheless.
        let (mut moved, mut extents) = (Vec::new(), Vec::new());
        for (dim, (&at, offset)) in indices.iter().zip(near.offsets(self.ir)).enumerate() {
            if otherwise.is_none() || offset == 0 || view.axes.contains(&Axis::Dim(dim)) {
                continue;
            }
            extents.push(self.resolve_all(&[view.sizes[dim]], op)?[0]);
            let mut b = self.builder(self.ir.loc(op));
            let offset = index_constant(&mut b, offset);
            moved.push(index::add(&mut b, at, offset));
        }
        let mut b = self.builder(self.ir.loc(op));
        Ok(inside_or(&mut b, element, otherwise, (&moved, &extents)))
    }

    /// Of a view that computes its elements or indices.
    fn near_in_view(
        &mut self,
        near: NearOp,
        view: &View,
        (indices, otherwise): (&[Value], Option<Value>),
    ) -> Outcome<Value> {
        let op = near.op();
        let extents = self.resolve_all(&view.sizes.clone(), op)?;
        let (offsets, rule) = (near.offsets(self.ir), near.boundary(self.ir));
        let loc = self.ir.loc(op);
        let mut b = self.builder(loc);
        let (mut moved, mut places) = (Vec::new(), Vec::new());
        for ((&at, &offset), &extent) in indices.iter().zip(&offsets).zip(&extents) {
            let offset = index_constant(&mut b, offset);
            let at = index::add(&mut b, at, offset);
            moved.push(at);
            places.push(match rule {
                Boundary::Inside => at,
                rule => rule.emit(&mut b, at, extent),
            });
        }
        let by: Option<Op> = self.is_checked(near).then_some(op);
        let element = self.read(&view.at_by(&places, by), op)?;
        let mut b = self.builder(loc);
        Ok(inside_or(&mut b, element, otherwise, (&moved, &extents)))
    }
}

/// The element where its indices are those of an array of these extents, else `otherwise`; without that, they are.
fn inside_or(
    b: &mut Builder<'_>,
    element: Value,
    otherwise: Option<Value>,
    (indices, extents): (&[Value], &[Value]),
) -> Value {
    match otherwise {
        Some(otherwise) if !indices.is_empty() => {
            let inside = boundary::inside(b, indices, extents);
            SelectOp::build(b, inside, element, otherwise).result(b.ir)
        }
        _ => element,
    }
}
