//! When each op stops, and the checks that say so.

use crate::emit::{add, and, compare, extent, index, known, or, product, require, sub};
use crate::prove;
use rustc_hash::FxHashMap;
use segra_array::layout::{ConcatOp, GatherOp, PadOp, ReshapeOp, SliceOp, UpdateOp};
use segra_array::shape::{CastOp, IndexOp, IotaOp, ReplicateOp};
use segra_array::stencil::{NearOp, StencilOp};
use segra_array::stops;
use segra_array::types::{ArrayType, Size};
use segra_array::with_loop::WithLoopOp;
use segra_ir::{Block, Builder, Ident, Ir, Op, OpView, Trait, Value};
use segra_std::arith::{self, CmpIPredicate};
use segra_std::boundary::Boundary;
use segra_std::func::CallOp;
use segra_std::scf::ForOp;

/// Sizes that types name, by where they are bound: by parameters and results whose types have the name, in order.
#[derive(Default)]
struct Names {
    bound: FxHashMap<Ident, Vec<(Value, usize)>>,
}

impl Names {
    fn bind(&mut self, ir: &Ir, value: Value) {
        let Some(array) = ir.value_type(value).dialect::<ArrayType>(ir.ctx()) else {
            return;
        };
        for (dim, &size) in array.sizes.iter().enumerate() {
            if let Size::Symbol(name) = size {
                self.bound.entry(name).or_default().push((value, dim));
            }
        }
    }

    /// The sizes `op` is the first to name; a function starts anew.
    fn enter(&mut self, ir: &Ir, op: Op) {
        if ir.has_trait(op, Trait::IsolatedFromAbove) {
            self.bound.clear();
            let entry = ir
                .regions(op)
                .first()
                .and_then(|&region| ir.entry_block(region));
            for &parameter in entry.map(|entry| ir.block_args(entry)).unwrap_or_default() {
                self.bind(ir, parameter);
            }
        }
        for result in ir.results(op) {
            self.bind(ir, result);
        }
    }

    /// The dimension that binds a name, if it can be used by `op` and is not its own result's.
    fn binder(&self, ir: &Ir, op: Op, name: Ident) -> Option<(Value, usize)> {
        let visible = |&&(value, _): &&(Value, usize)| {
            ir.defining_op(value) != Some(op)
                && ir.value_block(value).is_some_and(|block: Block| {
                    ir.ancestors(op)
                        .any(|around| ir.block_of(around) == Some(block))
                })
        };
        self.bound.get(&name)?.iter().find(visible).copied()
    }
}

/// Makes the checks of one function after the other.
pub(crate) struct Checker<'a> {
    pub(crate) ir: &'a mut Ir,
    names: Names,
    /// Checks made.
    pub(crate) made: u64,
}

impl<'a> Checker<'a> {
    pub(crate) fn of(ir: &'a mut Ir) -> Checker<'a> {
        Checker {
            ir,
            names: Names::default(),
            made: 0,
        }
    }
}

impl Checker<'_> {
    /// Makes what may stop `op` checks of its own, before it.
    pub(crate) fn check(&mut self, op: Op) {
        self.names.enter(self.ir, op);
        self.inputs(op);
        if let Some(view) = self.ir.cast::<IndexOp>(op) {
            let (array, indices) = (view.array(self.ir), view.indices(self.ir));
            self.indices(op, array, &indices, 1);
        } else if let Some(view) = self.ir.cast::<NearOp>(op) {
            self.near(view);
        } else if let Some(stencil) = self.ir.cast::<StencilOp>(op) {
            self.stencil(stencil);
        } else if let Some(view) = self.ir.cast::<UpdateOp>(op) {
            let (array, indices) = (view.array(self.ir), view.indices(self.ir));
            self.indices(op, array, &indices, 2);
            self.value_of_update(view);
        } else if let Some(view) = self.ir.cast::<SliceOp>(op) {
            self.slice(view);
        } else if let Some(view) = self.ir.cast::<ReshapeOp>(op) {
            self.reshape(view);
        } else if let Some(view) = self.ir.cast::<PadOp>(op) {
            self.pad(view);
        } else if self.ir.isa::<IotaOp>(op) {
            self.sizes(op, 0);
        } else if let Some(replicate) = self.ir.cast::<ReplicateOp>(op) {
            self.sizes(op, 1);
            self.count(replicate);
        } else if let Some(concat) = self.ir.cast::<ConcatOp>(op) {
            self.concat(concat);
        } else if let Some(call) = self.ir.cast::<CallOp>(op) {
            self.call(call);
        } else if let Some(gather) = self.ir.cast::<GatherOp>(op) {
            self.gather(gather);
        } else if let Some(cast) = self.ir.cast::<CastOp>(op) {
            self.cast(cast);
        } else if let Some(with) = self.ir.cast::<WithLoopOp>(op) {
            self.with_loop(with);
        } else if let Some(looped) = self.ir.cast::<ForOp>(op) {
            self.step(looped);
        } else if let Some(divisor) = arith::integer_divisor(self.ir, op) {
            self.division(op, divisor);
        }
    }

    pub(crate) fn builder(&mut self, op: Op) -> Builder<'_> {
        Builder::before(self.ir, op)
    }

    /// Replaces operand `at` of `op` by itself under a condition. The message is the one the interpreter has for the op.
    pub(crate) fn guard(
        &mut self,
        op: Op,
        at: usize,
        condition: Value,
        otherwise: i64,
        message: &str,
        numbers: &[Value],
    ) -> Value {
        let value = self.ir.operand(op, at);
        let mut b = self.builder(op);
        let ty = b.type_of(value);
        let otherwise = arith::ConstantOp::int(&mut b, otherwise, ty);
        let message = format!("'{}' op {message}", b.ir.op_name_str(op));
        let checked = require(&mut b, condition, (value, otherwise), &message, numbers);
        self.ir.set_operand(op, at, checked);
        self.made += 1;
        checked
    }

    /// Indices of an array, operands from `first` on: each is within its extent.
    pub(crate) fn indices(&mut self, op: Op, array: Value, indices: &[Value], first: usize) {
        for (dim, &at) in indices.iter().enumerate() {
            let most = prove::extent_of(self.ir, array, dim);
            if prove::not_negative(self.ir, at) && prove::below(self.ir, at, most) {
                continue;
            }
            let mut b = self.builder(op);
            let extent = extent(&mut b, array, dim);
            // As unsigned numbers, negative indices are beyond every extent.
            let inside = compare(&mut b, CmpIPredicate::Ult, at, extent);
            let message = stops::index_out_of_range(self.ir, array, dim);
            self.guard(op, first + dim, inside, 0, &message, &[at, extent]);
        }
    }

    /// A neighbour's index, which is within the array, or of one that may be outside that of the element that it is near.
    fn near(&mut self, near: NearOp) {
        let op = near.op();
        let (array, indices) = (near.array(self.ir), near.indices(self.ir));
        if near.boundary(self.ir) != Boundary::Inside {
            return self.indices(op, array, &indices, 1);
        }
        for (dim, (&at, offset)) in indices.iter().zip(near.offsets(self.ir)).enumerate() {
            let most = prove::extent_of(self.ir, array, dim);
            if offset == 0 && prove::not_negative(self.ir, at) && prove::below(self.ir, at, most) {
                continue;
            }
            let mut b = self.builder(op);
            let (extent, offset) = (extent(&mut b, array, dim), index(&mut b, offset));
            let at = add(&mut b, at, offset);
            let inside = compare(&mut b, CmpIPredicate::Ult, at, extent);
            let message = stops::index_out_of_range(self.ir, array, dim);
            self.guard(op, 1 + dim, inside, 0, &message, &[at, extent]);
        }
    }

    /// A size that is not negative, operand `at` of `op`.
    pub(crate) fn size(&mut self, op: Op, at: usize) -> Value {
        let size = self.ir.operand(op, at);
        if prove::not_negative(self.ir, size) {
            return size;
        }
        let mut b = self.builder(op);
        let zero = index(&mut b, 0);
        let fits = compare(&mut b, CmpIPredicate::Sge, size, zero);
        self.guard(op, at, fits, 0, stops::negative_size(), &[size])
    }

    /// Sizes of what `op` makes, its operands from `first` on.
    fn sizes(&mut self, op: Op, first: usize) {
        for at in first..self.ir.num_operands(op) {
            self.size(op, at);
            self.claim(op, at, at - first);
        }
    }

    /// The size that the type of `op`'s result says dimension `dim` has is its operand `at`.
    pub(crate) fn claim(&mut self, op: Op, at: usize, dim: usize) {
        let value = self.ir.operand(op, at);
        let is = prove::extent(self.ir, value);
        let Some((wanted, text)) = self.claimed(op, dim, is) else {
            return;
        };
        let same = compare(&mut self.builder(op), CmpIPredicate::Eq, value, wanted);
        let message = stops::size_of_another_name(&text, dim);
        self.guard(op, at, same, 0, &message, &[value, wanted]);
    }

    /// The extent that the type of `op`'s result claims for a dimension, and how the type writes it; `None` where nothing
    /// is claimed, or it is known to be `is`.
    pub(crate) fn claimed(
        &mut self,
        op: Op,
        dim: usize,
        is: prove::Extent,
    ) -> Option<(Value, String)> {
        let result = self.ir.result(op, 0);
        let claimed = *self
            .ir
            .value_type(result)
            .dialect::<ArrayType>(self.ir.ctx())?
            .sizes
            .get(dim)?;
        let text = claimed.text(self.ir.ctx()).to_string();
        let binder = match claimed {
            Size::Unknown => return None,
            Size::Constant(extent) if is == prove::Extent::Constant(extent) => return None,
            Size::Constant(_) => None,
            Size::Symbol(name) if is == prove::Extent::Symbol(name) => return None,
            Size::Symbol(name) => match self.names.binder(self.ir, op, name)? {
                (array, dim) if prove::same(self.ir, is, prove::Extent::Dim(array, dim)) => {
                    return None;
                }
                binder => Some(binder),
            },
        };
        let mut b = self.builder(op);
        let wanted = match (binder, claimed) {
            (Some((array, dim)), _) => extent(&mut b, array, dim),
            (None, Size::Constant(extent)) => index(&mut b, extent),
            (None, _) => return None,
        };
        Some((wanted, text))
    }

    /// Nothing takes the check's value: a cast claims something of an array that is there already.
    fn cast(&mut self, cast: CastOp) {
        let op = cast.op();
        let array = cast.array(self.ir);
        let rank = self
            .ir
            .value_type(array)
            .dialect::<ArrayType>(self.ir.ctx())
            .map_or(0, |ty| ty.sizes.len());
        for dim in 0..rank {
            let is = prove::extent_of(self.ir, array, dim);
            let Some((wanted, _)) = self.claimed(op, dim, is) else {
                continue;
            };
            let mut b = self.builder(op);
            let (value, zero) = (extent(&mut b, array, dim), index(&mut b, 0));
            let same = compare(&mut b, CmpIPredicate::Eq, value, wanted);
            let message = format!("'{}' op {}", b.ir.op_name_str(op), stops::size_claimed(dim));
            require(&mut b, same, (zero, zero), &message, &[wanted, value]);
            self.made += 1;
        }
    }

    fn slice(&mut self, slice: SliceOp) {
        let op = slice.op();
        let array = slice.array(self.ir);
        let (offsets, strides) = (slice.offsets(self.ir), slice.strides(self.ir));
        let rank = offsets.len();
        for dim in 0..rank {
            let at = 1 + rank + dim;
            let size = self.size(op, at);
            self.claim(op, at, dim);
            let (offset, stride) = (offsets[dim], strides[dim]);
            if self.is_whole(array, dim, (offset, size, stride)) {
                continue;
            }
            let mut b = self.builder(op);
            let extent = extent(&mut b, array, dim);
            let fits = part_fits(&mut b, extent, (offset, size, stride));
            let message = stops::part_outside(self.ir, array, dim);
            // The size is often the same for all elements of a map while the offset is not; a constant stays one.
            let guarded = if prove::constant(self.ir, offset).is_some() {
                at
            } else {
                1 + dim
            };
            self.guard(op, guarded, fits, 0, &message, &[offset, size, extent]);
        }
    }

    /// Whether a part of a dimension is known to be inside.
    fn is_whole(
        &self,
        array: Value,
        dim: usize,
        (offset, size, stride): (Value, Value, Value),
    ) -> bool {
        let ir = &*self.ir;
        let most = prove::extent_of(ir, array, dim);
        let constant = |value| prove::constant(ir, value);
        if constant(stride) == Some(1)
            && constant(offset) == Some(0)
            && prove::extent(ir, size) == most
        {
            return true;
        }
        let (Some(offset), Some(size), Some(stride), prove::Extent::Constant(most)) =
            (constant(offset), constant(size), constant(stride), most)
        else {
            return constant(size) == Some(1)
                && prove::not_negative(ir, offset)
                && prove::below(ir, offset, most);
        };
        let last = (size - 1)
            .checked_mul(stride)
            .and_then(|far| far.checked_add(offset));
        let inside = |at: i64| (0..most).contains(&at);
        size == 0 || inside(offset) && last.is_some_and(inside)
    }

    fn reshape(&mut self, reshape: ReshapeOp) {
        let op = reshape.op();
        let array = reshape.array(self.ir);
        let rank = self
            .ir
            .value_type(array)
            .dialect::<ArrayType>(self.ir.ctx())
            .map_or(0, |ty| ty.sizes.len());
        let from: Vec<prove::Extent> = (0..rank)
            .map(|dim| prove::extent_of(self.ir, array, dim))
            .collect();
        let to: Vec<prove::Extent> = reshape
            .sizes(self.ir)
            .into_iter()
            .map(|size| prove::extent(self.ir, size))
            .collect();
        if prove::same_product(self.ir, &from, &to) {
            return;
        }
        let count = self.ir.num_operands(op);
        let sizes: Vec<Value> = (1..count).map(|at| self.size(op, at)).collect();
        let mut b = self.builder(op);
        let elements: Vec<Value> = (0..rank).map(|dim| extent(&mut b, array, dim)).collect();
        let (total, counted) = product(&mut b, &elements);
        let (wanted, fits) = product(&mut b, &sizes);
        let same = compare(&mut b, CmpIPredicate::Eq, total, wanted);
        let same = [counted, fits]
            .into_iter()
            .flatten()
            .fold(same, |same, fits| and(&mut b, fits, same));
        let message = stops::other_count(self.ir, array);
        self.guard(op, 1, same, 0, &message, &[total]);
        for at in 1..count {
            self.claim(op, at, at - 1);
        }
    }

    fn pad(&mut self, pad: PadOp) {
        let op = pad.op();
        let array = pad.array(self.ir);
        let rank = pad.low(self.ir).len();
        for dim in 0..rank {
            let (low, high) = (self.size(op, 2 + dim), self.size(op, 2 + rank + dim));
            let small =
                |value| prove::constant(self.ir, value).is_some_and(|value| value < 1 << 32);
            if small(low) && small(high) {
                continue;
            }
            let mut b = self.builder(op);
            let (extent, zero) = (extent(&mut b, array, dim), index(&mut b, 0));
            // A sum of two numbers that are not negative wraps to a negative one.
            let before = add(&mut b, low, extent);
            let whole = add(&mut b, before, high);
            let fits = compare(&mut b, CmpIPredicate::Sge, before, zero);
            let also = compare(&mut b, CmpIPredicate::Sge, whole, zero);
            let fits = and(&mut b, fits, also);
            let message = stops::padded_too_far(self.ir, array, dim);
            self.guard(op, 2 + rank + dim, fits, 0, &message, &[low, high]);
        }
    }

    /// A loop goes on by a positive step, or it would not end.
    fn step(&mut self, looped: ForOp) {
        let (op, step) = (looped.op(), looped.step(self.ir));
        let unsigned = looped.unsigned_cmp_attr(self.ir).is_some();
        let positive = |step: i64| step > 0 || unsigned && step != 0;
        if prove::constant(self.ir, step).is_some_and(positive) || prove::positive(self.ir, step) {
            return;
        }
        let ty = self.ir.value_type(step);
        let mut b = self.builder(op);
        let zero = arith::ConstantOp::int(&mut b, 0, ty);
        let predicate = match unsigned {
            true => CmpIPredicate::Ne,
            false => CmpIPredicate::Sgt,
        };
        let positive = compare(&mut b, predicate, step, zero);
        let index = b.ctx().index();
        let number = match ty == index {
            true => step,
            false => arith::IndexCastOp::build(&mut b, step, index).out(b.ir),
        };
        self.guard(op, 2, positive, 1, stops::step_not_positive(), &[number]);
    }

    fn division(&mut self, op: Op, divisor: Value) {
        let ty = self.ir.value_type(divisor);
        if !ty.is_scalar(self.ir.ctx()) || prove::not_zero_at(self.ir, op, divisor) {
            return;
        }
        let mut b = self.builder(op);
        let zero = arith::ConstantOp::int(&mut b, 0, ty);
        let divides = compare(&mut b, CmpIPredicate::Ne, divisor, zero);
        self.guard(op, 1, divides, 1, stops::division_by_zero(), &[]);
    }
}

/// Whether a part of a dimension with this extent has its first and its last element in it, or none.
///
/// There are as many elements behind the first as fit between it and the end that the stride leads to.
fn part_fits(
    b: &mut Builder<'_>,
    extent: Value,
    (offset, size, stride): (Value, Value, Value),
) -> Value {
    if known(b, stride) == Some(1) {
        // No difference of two numbers up to the extent wraps.
        let starts = compare(b, CmpIPredicate::Ule, offset, extent);
        let behind = sub(b, extent, offset);
        let ends = compare(b, CmpIPredicate::Ule, size, behind);
        let inside = and(b, starts, ends);
        return match known(b, size) {
            Some(1..) => inside,
            _ => {
                let zero = index(b, 0);
                let empty = compare(b, CmpIPredicate::Eq, size, zero);
                or(b, empty, inside)
            }
        };
    }
    let (zero, one) = (index(b, 0), index(b, 1));
    let empty = compare(b, CmpIPredicate::Eq, size, zero);
    let starts = compare(b, CmpIPredicate::Ult, offset, extent);
    let forward = compare(b, CmpIPredicate::Sge, stride, zero);
    let last = sub(b, extent, one);
    let behind = sub(b, last, offset);
    let free = arith::SelectOp::build(b, forward, behind, offset).result(b.ir);
    let back = sub(b, zero, stride);
    let step = arith::SelectOp::build(b, forward, stride, back).result(b.ir);
    let still = compare(b, CmpIPredicate::Eq, stride, zero);
    let step = arith::SelectOp::build(b, still, one, step).result(b.ir);
    let most = arith::DivUIOp::build(b, free, step).result(b.ir);
    let more = sub(b, size, one);
    let ends = compare(b, CmpIPredicate::Ule, more, most);
    let ends = or(b, still, ends);
    let inside = and(b, starts, ends);
    or(b, empty, inside)
}
