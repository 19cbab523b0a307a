//! Index functions of the layout ops: reshape, reverse, slice, concat, pad, update, gather, from_tensor.
//!
//! Inside a nest they are bound where their extents are the same for all points, else left to the points. Deliberately
//! absent: checks of sizes and indices, which are ops of the program by now (`passes/checks`).

use crate::function::{Flattener, Outcome, tensor_type};
use crate::point::{add, index_constant};
use crate::view::{Base, Choice, Indexing, Lifted, Scalar, View};
use segra_array::layout::{
    ConcatOp, FromTensorOp, GatherOp, PadOp, ReshapeOp, ReverseOp, SliceOp, UpdateOp,
};
use segra_array::types::{ArrayType, sizes_and_element};
use segra_ir::attrs::{AttrKind, Splat};
use segra_ir::{Attr, Op, OpView, Trait, Type, TypeKind, Value};
use segra_kernel::access::Update;
use segra_std::check::RequireOp;
use segra_std::tensor;

/// Literals up to this many elements become selections in the code that reads them.
const FEW_NUMBERS: usize = 64;

/// Arrays that an element of a concatenation is read from, at most.
const MOST_READS: usize = 64;

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
            .map(|scalar| {
                if let Scalar::New(value) = scalar {
                    Some(*value)
                } else {
                    None
                }
            })
            .collect()
    }

    /// The same; at a point, those it computes are at hand too.
    fn at_hand(&mut self, scalars: &[Scalar], op: Op) -> Outcome<Option<Vec<Value>>> {
        if self.at_point() {
            self.resolve_all(scalars, op).map(Some)
        } else {
            Ok(Self::all_new(scalars))
        }
    }

    /// `op`, where a check of its operands is made by points: others may run on, and read through what it gives. A check
    /// on the host comes before all points.
    fn checked_by_points(&self, op: Op, operands: &[Scalar]) -> Option<Op> {
        let checks = self
            .ir
            .operands(op)
            .any(|value| self.ir.def_as::<RequireOp>(value).is_some());
        let inside = !self.fixed.is_empty() || !operands.iter().all(Scalar::is_new);
        (checks && inside).then_some(op)
    }

    fn reshape(&mut self, reshape: ReshapeOp) -> Outcome<bool> {
        let op = reshape.op();
        let to = self.scalars(&reshape.sizes(self.ir), op)?;
        let Some(view) = self.view(reshape.array(self.ir)) else {
            return self.left_to_points(op);
        };
        let result = reshape.result(self.ir);
        // On the host an array in memory is the same one under other extents.
        if self.levels.is_empty()
            && let (Some(tensor), Some(sizes)) = (view.as_tensor(), Self::all_new(&to))
        {
            let loc = self.ir.loc(op);
            let ty = tensor_type(&self.ctx, self.ir.value_type(result));
            let mut b = self.builder(loc);
            let reshaped = tensor::ReshapeOp::to(&mut b, tensor, &sizes, ty);
            self.bind_view(result, View::whole(reshaped, sizes));
            return Ok(true);
        }
        let indexing = Indexing::Reshaped(to.clone(), view.sizes.clone());
        let by = self.checked_by_points(op, &to);
        self.bind_derived(
            op,
            result,
            View::derived(
                Base::Moved {
                    source: Box::new(view),
                    indexing,
                    by,
                },
                to,
            ),
        )
    }

    fn reverse(&mut self, reverse: ReverseOp) -> Outcome<bool> {
        let op = reverse.op();
        let Some(view) = self.view(reverse.array(self.ir)) else {
            return self.left_to_points(op);
        };
        let dim = usize::try_from(reverse.dim(self.ir)).unwrap_or(0);
        let Some(size) = view.sizes.get(dim).copied() else {
            return self.fail(op, "names no dimension");
        };
        let Some(size) = self.at_hand(&[size], op)? else {
            return self.left_to_points(op);
        };
        let size = size[0];
        let loc = self.ir.loc(op);
        let mut b = self.builder(loc);
        let back = index_constant(&mut b, -1);
        let last = add(&mut b, size, back);
        let mut dims = vec![None; view.rank()];
        dims[dim] = Some((Scalar::New(last), Scalar::New(back)));
        let sizes = view.sizes.clone();
        let base = Base::Moved {
            source: Box::new(view),
            indexing: Indexing::Affine(dims),
            by: None,
        };
        self.bind_derived(op, reverse.result(self.ir), View::derived(base, sizes))
    }

    fn slice(&mut self, slice: SliceOp) -> Outcome<bool> {
        let op = slice.op();
        let offsets = self.scalars(&slice.offsets(self.ir), op)?;
        let sizes = self.scalars(&slice.sizes(self.ir), op)?;
        let strides = self.scalars(&slice.strides(self.ir), op)?;
        let Some(view) = self.view(slice.array(self.ir)) else {
            return self.left_to_points(op);
        };
        let operands: Vec<Scalar> = sizes.iter().chain(&offsets).copied().collect();
        let by = self.checked_by_points(op, &operands);
        let dims = offsets.into_iter().zip(strides).map(Some).collect();
        let base = Base::Moved {
            source: Box::new(view),
            indexing: Indexing::Affine(dims),
            by,
        };
        self.bind_derived(op, slice.result(self.ir), View::derived(base, sizes))
    }

    fn concat(&mut self, concat: ConcatOp) -> Outcome<bool> {
        let op = concat.op();
        let mut views = Vec::new();
        for array in concat.arrays(self.ir) {
            let Some(view) = self.view(array) else {
                return self.left_to_points(op);
            };
            views.push(view);
        }
        self.store_joined(&concat.arrays(self.ir), &mut views, op)?;
        let outer: Vec<Scalar> = views
            .iter()
            .filter_map(|view| view.sizes.first().copied())
            .collect();
        let Some(outer) = self.at_hand(&outer, op)? else {
            return self.left_to_points(op);
        };
        let (loc, result) = (self.ir.loc(op), concat.result(self.ir));
        let mut b = self.builder(loc);
        let total = outer
            .iter()
            .copied()
            .reduce(|sum, size| add(&mut b, sum, size));
        let (Some(total), Some(first)) = (total, views.first()) else {
            return self.fail(op, "joins nothing");
        };
        let mut sizes = first.sizes.clone();
        sizes[0] = Scalar::New(total);
        let element = self.element_type(result);
        let base = Base::Chosen {
            choice: Choice::Concat(views),
            element,
        };
        self.bind_derived(op, result, View::derived(base, sizes))
    }

    /// Stores what a concatenation joins where an element would be a choice of too many: arrays joined of joined ones
    /// would be exponentially many.
    fn store_joined(&mut self, arrays: &[Value], views: &mut [View], user: Op) -> Outcome<()> {
        let reads: usize = views.iter().map(View::reads).sum();
        if reads <= MOST_READS || !self.at_point() {
            return Ok(());
        }
        let mut stored: Vec<(Value, View)> = Vec::new();
        for (&array, view) in arrays.iter().zip(views) {
            if view.reads() <= 1 {
                continue;
            }
            if let Some((_, whole)) = stored.iter().find(|(known, _)| *known == array) {
                *view = whole.clone();
                continue;
            }
            let tensor = self.materialise(view, user)?;
            *view = self.whole(tensor, self.ir.loc(user));
            self.bind_view(array, view.clone());
            stored.push((array, view.clone()));
        }
        Ok(())
    }

    fn pad(&mut self, pad: PadOp) -> Outcome<bool> {
        let op = pad.op();
        let low = self.scalars(&pad.low(self.ir), op)?;
        let high = self.scalars(&pad.high(self.ir), op)?;
        let value = self.scalar(pad.value(self.ir), op)?;
        let Some(view) = self.view(pad.array(self.ir)) else {
            return self.left_to_points(op);
        };
        let parts = (
            self.at_hand(&low, op)?,
            self.at_hand(&view.sizes, op)?,
            self.at_hand(&high, op)?,
        );
        let (Some(before), Some(inner), Some(after)) = parts else {
            return self.left_to_points(op);
        };
        let (loc, result) = (self.ir.loc(op), pad.result(self.ir));
        let mut b = self.builder(loc);
        let mut sizes = Vec::new();
        for ((&before, &inner), &after) in before.iter().zip(&inner).zip(&after) {
            let sum = add(&mut b, before, inner);
            sizes.push(Scalar::New(add(&mut b, sum, after)));
        }
        let element = self.element_type(result);
        let choice = Choice::Pad {
            source: Box::new(view),
            low,
            value,
        };
        self.bind_derived(
            op,
            result,
            View::derived(Base::Chosen { choice, element }, sizes),
        )
    }

    fn update_op(&mut self, update: UpdateOp) -> Outcome<bool> {
        let op = update.op();
        let indices = self.scalars(&update.indices(self.ir), op)?;
        let (array, value) = (update.array(self.ir), update.value(self.ir));
        let Some(view) = self.view(array) else {
            return self.left_to_points(op);
        };
        let is_scalar = self
            .ir
            .value_type(value)
            .dialect::<ArrayType>(&self.ctx)
            .is_none();
        let lifted = match self.env.get(value).cloned() {
            Some(lifted) => lifted,
            None if is_scalar && !self.at_point() => Lifted::Later(value),
            None => return self.left_to_points(op),
        };
        if let Some(at) = Self::all_new(&indices)
            && self.levels.is_empty()
        {
            let loc = self.ir.loc(op);
            if let Some(tensor) = view.as_tensor().filter(|_| self.is_stored(op)) {
                let value = self.value_of(value, op)?;
                let updated =
                    Update::build(&mut self.builder(loc), value, tensor, &at).result(self.ir);
                self.bind_value(update.result(self.ir), updated, loc);
                return Ok(true);
            }
        } else if let Some(at) = Self::all_new(&indices)
            && let Some(tensor) = view
                .as_tensor()
                .filter(|_| is_scalar && self.at_point() && self.is_stored(op))
        {
            let loc = self.ir.loc(op);
            let value = self.value_of(value, op)?;
            let mut b = self.builder(loc);
            let updated = Update::build_checked(&mut b, value, tensor, &at).result(b.ir);
            self.bind_value(update.result(self.ir), updated, loc);
            return Ok(true);
        }
        let element = self.element_type(array);
        let sizes = view.sizes.clone();
        let choice = Choice::Update {
            source: Box::new(view),
            indices,
            value: Box::new(lifted),
        };
        let result = update.result(self.ir);
        self.bind_derived(
            op,
            result,
            View::derived(Base::Chosen { choice, element }, sizes),
        )
    }

    /// Whether the result of an update is carried, yielded or returned: it needs memory then, and the update costs one
    /// element where the old array is not needed any more. Elsewhere those who read it choose between array and value.
    fn is_stored(&self, update: Op) -> bool {
        self.ir
            .users(self.ir.result(update, 0))
            .any(|user| self.ir.has_trait(user, Trait::Terminator))
    }

    fn gather(&mut self, gather: GatherOp) -> Outcome<bool> {
        let op = gather.op();
        let (Some(view), Some(indices)) = (
            self.view(gather.array(self.ir)),
            self.view(gather.indices(self.ir)),
        ) else {
            return self.left_to_points(op);
        };
        let mut sizes = view.sizes.clone();
        sizes[0] = indices.sizes[0];
        let indexing = Indexing::Gathered(Box::new(indices), op);
        let base = Base::Moved {
            source: Box::new(view),
            indexing,
            by: Some(op),
        };
        self.bind_derived(op, gather.result(self.ir), View::derived(base, sizes))
    }

    /// The elements of a constant tensor, and its extents, where there are few: kernels then need no memory for them.
    fn numbers(&self, tensor: Value) -> Option<(Vec<Attr>, Vec<i64>)> {
        let constant = segra_ir::interfaces::constant_of(self.ir, tensor)?;
        let AttrKind::DenseElements { ty, data, splat } = self.ctx.attr_kind(constant) else {
            return None;
        };
        let (shape, element) = ty.shaped(&self.ctx)?;
        let count = shape
            .iter()
            .try_fold(1i64, |count, &extent| count.checked_mul(extent))?;
        let count = usize::try_from(count)
            .ok()
            .filter(|&count| (1..=FEW_NUMBERS).contains(&count))?;
        let width = if *splat == Splat::Yes {
            data.len()
        } else {
            data.len().checked_div(count)?
        };
        let number = |at: usize| -> Option<Attr> {
            let at = if *splat == Splat::Yes { 0 } else { at };
            let bytes = data
                .get(at * width..(at + 1) * width)
                .filter(|bytes| bytes.len() <= 8)?;
            let mut word = [0u8; 8];
            word[..width].copy_from_slice(bytes);
            let bits = u64::from_le_bytes(word);
            Some(match self.ctx.type_kind(element) {
                TypeKind::Float(_) => self.ctx.attr(AttrKind::Float {
                    bits: bits.into(),
                    ty: element,
                }),
                _ => self.ctx.int_attr(bits.into(), element),
            })
        };
        Some((
            (0..count).map(number).collect::<Option<_>>()?,
            shape.to_vec(),
        ))
    }

    fn array_of_tensor(&mut self, from: FromTensorOp) -> Outcome<bool> {
        let op = from.op();
        if let Some((numbers, extents)) = self.numbers(from.tensor(self.ir)) {
            let loc = self.ir.loc(op);
            let mut b = self.builder(loc);
            let sizes = extents
                .iter()
                .map(|&extent| Scalar::New(index_constant(&mut b, extent)))
                .collect();
            let view = View::derived(Base::Literal(numbers, extents), sizes);
            self.bind_view(from.result(self.ir), view);
            return Ok(true);
        }
        let Some(Lifted::Host(tensor)) = self.env.get(from.tensor(self.ir)).cloned() else {
            return self.left_to_points(op);
        };
        let loc = self.ir.loc(op);
        let view = self.whole(tensor, loc);
        self.bind_view(from.result(self.ir), view);
        Ok(true)
    }
}
