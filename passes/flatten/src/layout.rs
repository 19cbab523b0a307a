//! Index functions of the layout ops: reshape, reverse, slice, concat, pad, update, gather, from_tensor.
//!
//! Inside a nest they are bound where their extents are the same for all points, else left to the points. Checks that
//! stop the program are made on the host; inside nests the reads check their indices.

use crate::function::{Flattener, Outcome};
use crate::point::{add, compare, compare_equal, index_constant, multiply};
use crate::view::{Base, Choice, Indexing, Lifted, Scalar, View};
use segra_array::layout::{ConcatOp, FromTensorOp, GatherOp, PadOp, ReshapeOp, ReverseOp, SliceOp, UpdateOp};
use segra_array::types::{ArrayType, sizes_and_element};
use segra_ir::attrs::{AttrKind, Splat};
use segra_ir::{Attr, Builder, Op, OpView, Trait, Type, TypeKind, Value};
use segra_kernel::local::UpdateOp as KernelUpdateOp;
use segra_std::arith::{self, CmpIPredicate};
use segra_std::cf;
use segra_std::check::RequireOp;

/// Literals up to this many elements become selections in the code that reads them.
const FEW_NUMBERS: usize = 64;

impl Flattener<'_> {
    /// Binds the result of a layout op. Tells whether `op` was one.
    pub(crate) fn layout_op(&mut self, op: Op) -> Outcome<bool> {
        if let Some(reshape) = self.ir.cast::<ReshapeOp>(op) {
            self.reshape(reshape)
        } else if let Some(reverse) = self.ir.cast::<ReverseOp>(op) {
            self.reverse(reverse)
        } else if let Some(slice) = self.ir.cast::<SliceOp>(op) {
            self.slice(slice)
        } else if let Some(concat) = self.ir.cast::<ConcatOp>(op) {
            self.concat(concat)
        } else if let Some(pad) = self.ir.cast::<PadOp>(op) {
            self.pad(pad)
        } else if let Some(update) = self.ir.cast::<UpdateOp>(op) {
            self.update_op(update)
        } else if let Some(gather) = self.ir.cast::<GatherOp>(op) {
            self.gather(gather)
        } else if let Some(from) = self.ir.cast::<FromTensorOp>(op) {
            self.array_of_tensor(from)
        } else {
            Ok(false)
        }
    }

    fn element_type(&self, array: Value) -> Type {
        sizes_and_element(&self.ctx, self.ir.value_type(array)).1
    }

    /// All scalars at hand in the new program; `None` where one is computed at points.
    fn all_new(scalars: &[Scalar]) -> Option<Vec<Value>> {
        scalars
            .iter()
            .map(|scalar| if let Scalar::New(value) = scalar { Some(*value) } else { None })
            .collect()
    }

    /// The same; at a point, those it computes are at hand too.
    fn at_hand(&mut self, scalars: &[Scalar], op: Op) -> Outcome<Option<Vec<Value>>> {
        if self.at_point() { self.resolve_all(scalars, op).map(Some) } else { Ok(Self::all_new(scalars)) }
    }

    /// Stops the program where `condition` does not hold; only on the host.
    fn assert(&mut self, op: Op, condition: Value, message: &str) {
        let (loc, message) = (self.ir.loc(op), self.ctx.str_attr(message));
        cf::AssertOp::build(&mut self.builder(loc), condition, message);
    }

    /// `op`, where a check of its operands is made by points: others may run on, and read through what it gives. A check
    /// on the host comes before all points.
    fn checked_by_points(&self, op: Op, operands: &[Scalar]) -> Option<Op> {
        let checks = self.ir.operands(op).any(|value| self.ir.def_as::<RequireOp>(value).is_some());
        let inside = !self.fixed.is_empty() || !operands.iter().all(Scalar::is_new);
        (checks && inside).then_some(op)
    }

    fn reshape(&mut self, reshape: ReshapeOp) -> Outcome<bool> {
        let op = reshape.op();
        let to = self.scalars(&reshape.sizes(self.ir), op)?;
        let Some(view) = self.view(reshape.array(self.ir)) else { return self.left_to_points(op) };
        let result = reshape.result(self.ir);
        let loc = self.ir.loc(op);
        if let (Some(from), Some(to)) = (Self::all_new(&view.sizes), Self::all_new(&to))
            && self.levels.is_empty()
        {
            let mut b = self.builder(loc);
            let (from, to) = (product(&mut b, &from), product(&mut b, &to));
            let same = compare_equal(&mut b, from, to);
            self.assert(op, same, "array.reshape: the numbers of elements differ");
        }
        let indexing = Indexing::Reshaped(to.clone(), view.sizes.clone());
