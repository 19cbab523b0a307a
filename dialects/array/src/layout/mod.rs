//! Other arrays of the same elements: reshape, reverse, slice, concat, pad, update, gather, from_tensor.
//!
//! All are values: nothing is copied by definition, and a pass may turn any of them into index arithmetic. An index
//! out of range stops the program.
//!
//! * `eval`: execution; `syntax`: the custom text forms.

mod eval;
mod syntax;

use crate::types::{
    AnyArray, ArrayOrScalar, ArrayType, Size, array_or_scalar, sizes_and_element, types_compatible,
};
use segra_interp::Eval;
use segra_ir::constraint::{AnyType, I64Attr, Index};
use segra_ir::interfaces::{
    Canonicalize, Effect, EffectKind, Effects, Fold, FoldResult, InferTypes, ShapeOf, Verify,
    known_extent,
};
use segra_ir::types::DYNAMIC;
use segra_ir::{Attr, Ir, Op, OpDiagnostics, OpState, OpView, Type, TypeKind, Value, op};
use segra_text::Syntax;

/// The same elements, in row-major order, under other sizes with the same product.
///
/// A negative size stops the program; so does a product that is not the number of elements, or beyond 64 bits.
///
/// ```mlir
/// %yss = array.reshape %xs, [%n, %m] : [k]f32 -> [n][m]f32
/// ```
#[op(
    "array.reshape",
    interfaces(Canonicalize, Effects, Fold, ShapeOf, Verify, Syntax, Eval)
)]
pub struct ReshapeOp {
    array: Operand<AnyArray>,
    /// The new sizes, one per dimension of the result; not negative.
    sizes: VariadicOperand<Index>,
    result: OpResult<AnyArray>,
}

/// The elements in reverse order along one dimension.
///
/// ```mlir
/// %ys = array.reverse %xs, 0 : [n]f32
/// ```
#[op(
    "array.reverse",
    traits(Pure),
    interfaces(Fold, InferTypes, ShapeOf, Verify, Syntax, Eval)
)]
pub struct ReverseOp {
    array: Operand<AnyArray>,
    /// Which dimension, from 0.
    dim: Attr<I64Attr>,
    result: OpResult<AnyArray>,
}

/// A regular part: along each dimension `sizes` elements, from `offsets` on, `strides` apart (negative: backwards).
///
/// A negative size stops the program; so does a first or last element outside of the array, in each dimension that has
/// elements.
///
/// ```mlir
/// %odd = array.slice %xs[%one] sizes [%half] strides [%two] : [n]f32 -> [h]f32
/// ```
#[op(
    "array.slice",
    interfaces(Canonicalize, Effects, Fold, ShapeOf, Verify, Syntax, Eval)
)]
pub struct SliceOp {
    array: Operand<AnyArray>,
    /// Index of the first element, one per dimension.
    offsets: VariadicOperand<Index>,
    /// How many elements, one per dimension; not negative.
    sizes: VariadicOperand<Index>,
    /// Distance of neighbours, one per dimension.
    strides: VariadicOperand<Index>,
    result: OpResult<AnyArray>,
}

/// One array after the other, along the outermost dimension. Rows of different extents stop the program.
///
/// ```mlir
/// %zs = array.concat %xs, %ys : [n]f32, [m]f32 -> [?]f32
/// ```
#[op(
    "array.concat",
    traits(Pure),
    interfaces(Canonicalize, Fold, Verify, Syntax, Eval)
)]
pub struct ConcatOp {
    /// At least one; all with the same inner sizes.
    arrays: VariadicOperand<AnyArray>,
    result: OpResult<AnyArray>,
}

/// The array with elements of one value added before and after it, along each dimension.
///
/// A negative number of added elements stops the program; so does an extent beyond 64 bits.
///
/// ```mlir
/// %ys = array.pad %xs, %zero low [%one] high [%two] : [n]f32 -> [?]f32
/// ```
#[op(
    "array.pad",
    traits(Pure),
    interfaces(Canonicalize, Verify, Syntax, Eval)
)]
pub struct PadOp {
    array: Operand<AnyArray>,
    /// The value of the added elements.
    value: Operand<ArrayOrScalar>,
    /// How many are added before, one per dimension; not negative.
    low: VariadicOperand<Index>,
    /// How many are added after, one per dimension; not negative.
    high: VariadicOperand<Index>,
    result: OpResult<AnyArray>,
}

/// The array with one element (or subarray, where there are fewer indices than dimensions) replaced. Where the old
/// array is not used again, later passes update it in place.
/// An index out of range stops the program; so does a value of other extents than the subarray.
///
/// ```mlir
/// %ys = array.update %x, %xs[%i] : f32, [n]f32
/// ```
#[op(
    "array.update",
    interfaces(Canonicalize, Effects, Fold, InferTypes, ShapeOf, Verify, Syntax, Eval)
)]
pub struct UpdateOp {
    /// The value put there.
    value: Operand<ArrayOrScalar>,
    array: Operand<AnyArray>,
    /// Where, outermost first; at least one.
    indices: VariadicOperand<Index>,
    result: OpResult<AnyArray>,
}

/// The elements (or rows) of the array at the given indices. An index out of range stops the program.
///
/// ```mlir
/// %ys = array.gather %xs[%is] : [n]f32, [m]index
/// ```
#[op(
    "array.gather",
    interfaces(Canonicalize, Effects, Fold, InferTypes, ShapeOf, Verify, Syntax, Eval)
)]
pub struct GatherOp {
    array: Operand<AnyArray>,
    /// Indices into the outermost dimension; of rank 1 with elements of type index.
    indices: Operand<AnyArray>,
    result: OpResult<AnyArray>,
}

/// The elements of a tensor as an array: with a constant tensor, a literal.
///
/// ```mlir
/// %t = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
/// %xs = array.from_tensor %t : tensor<3xi32>
/// ```
#[op(
    "array.from_tensor",
    traits(Pure),
    interfaces(InferTypes, Verify, Syntax, Eval)
)]
pub struct FromTensorOp {
    /// A ranked tensor of rank 1 or more.
    tensor: Operand<AnyType>,
    result: OpResult<AnyArray>,
}

macro_rules! may_stop {
    ($($op:ident),*) => {$(
        impl Effects for $op {
            fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
                // It may stop the program: it can be merged or removed, but not be run where it was not.
                effects.push(Effect::of(EffectKind::Read));
            }
        }
    )*};
}
may_stop!(ReshapeOp, SliceOp, UpdateOp, GatherOp);

fn sizes_of(ir: &Ir, value: Value) -> Vec<Size> {
    sizes_and_element(ir.ctx(), ir.value_type(value)).0
}

fn element_of(ir: &Ir, value: Value) -> Type {
    sizes_and_element(ir.ctx(), ir.value_type(value)).1
}

fn same_elements(ir: &Ir, from: Value, to: Value, diags: &mut OpDiagnostics<'_>) {
    if element_of(ir, from) != element_of(ir, to) {
        diags.error("result must have the element type of operand `array`");
    }
}

/// Each list must have as many entries as the array has dimensions.
fn one_per_dimension(rank: usize, lists: &[(&str, usize)], diags: &mut OpDiagnostics<'_>) -> bool {
    for (name, count) in lists {
        if *count != rank {
            diags.error(format!(
                "operand `{name}` has {count} entries for rank {rank}"
            ));
            return false;
        }
    }
    true
}

impl ShapeOf for ReshapeOp {
    fn extent(&self, ir: &Ir, op: Op, _: usize, dim: usize) -> Option<Value> {
        ReshapeOp::from_op(op).sizes(ir).get(dim).copied()
    }
}

impl ShapeOf for ReverseOp {
    fn extent(&self, ir: &Ir, op: Op, _: usize, dim: usize) -> Option<Value> {
        known_extent(ir, ReverseOp::from_op(op).array(ir), dim)
    }
}

impl ShapeOf for SliceOp {
    fn extent(&self, ir: &Ir, op: Op, _: usize, dim: usize) -> Option<Value> {
        SliceOp::from_op(op).sizes(ir).get(dim).copied()
    }
}

impl ShapeOf for UpdateOp {
    fn extent(&self, ir: &Ir, op: Op, _: usize, dim: usize) -> Option<Value> {
        known_extent(ir, UpdateOp::from_op(op).array(ir), dim)
    }
}

impl ShapeOf for GatherOp {
    fn extent(&self, ir: &Ir, op: Op, _: usize, dim: usize) -> Option<Value> {
        let gather = GatherOp::from_op(op);
        known_extent(
            ir,
            if dim == 0 {
                gather.indices(ir)
            } else {
                gather.array(ir)
            },
            dim,
        )
    }
}

impl Verify for ReshapeOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let reshape = ReshapeOp::from_op(op);
        let (from, to) = (
            sizes_of(ir, reshape.array(ir)),
            sizes_of(ir, reshape.result(ir)),
        );
        same_elements(ir, reshape.array(ir), reshape.result(ir), diags);
        if !one_per_dimension(to.len(), &[("sizes", reshape.sizes(ir).len())], diags) {
            return;
        }
        let product = |sizes: &[Size]| {
            sizes.iter().try_fold(1i64, |product, size| match size {
                Size::Constant(extent) => product.checked_mul(*extent),
                _ => None,
            })
        };
        if let (Some(from), Some(to)) = (product(&from), product(&to))
            && from != to
        {
            diags.error(format!("makes {to} elements of {from}"));
        }
    }
}

impl Verify for ReverseOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let reverse = ReverseOp::from_op(op);
        let rank = sizes_of(ir, reverse.array(ir)).len();
        if !usize::try_from(reverse.dim(ir)).is_ok_and(|dim| dim < rank) {
            let message = format!(
                "attribute `dim` is {}, but the array has rank {rank}",
                reverse.dim(ir)
            );
            diags.error(message);
        }
    }
}

impl InferTypes for ReverseOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        Ok(vec![ir.value_type(
            *state.operands.first().ok_or("needs an array")?,
        )])
    }
}

impl Verify for SliceOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let slice = SliceOp::from_op(op);
        let rank = sizes_of(ir, slice.array(ir)).len();
        let lists = [
            ("offsets", slice.offsets(ir).len()),
            ("sizes", slice.sizes(ir).len()),
            ("strides", slice.strides(ir).len()),
        ];
        if one_per_dimension(rank, &lists, diags) && sizes_of(ir, slice.result(ir)).len() != rank {
            diags.error(format!("result must have rank {rank}"));
        }
        same_elements(ir, slice.array(ir), slice.result(ir), diags);
    }
}

impl Verify for ConcatOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let concat = ConcatOp::from_op(op);
        let ctx = ir.ctx();
        let (sizes, element) = sizes_and_element(ctx, ir.value_type(concat.result(ir)));
        let row = array_or_scalar(ctx, &sizes[1..], element);
        let arrays = concat.arrays(ir);
        if arrays.is_empty() {
            diags.error("needs at least one array");
        }
        let mut total = Some(0i64);
        for (index, &array) in arrays.iter().enumerate() {
            let (sizes, element) = sizes_and_element(ctx, ir.value_type(array));
            if !types_compatible(ctx, array_or_scalar(ctx, &sizes[1..], element), row) {
                let wanted = segra_text::print_type(ctx, row);
                diags.error(format!(
                    "operand `arrays` #{index} must have rows `{wanted}`"
                ));
            }
            total = match (total, sizes[0]) {
                (Some(total), Size::Constant(extent)) => total.checked_add(extent),
                _ => None,
            };
        }
        if let (Some(total), Size::Constant(extent)) = (total, sizes[0])
            && total != extent
        {
            diags.error(format!(
                "result has outer size {extent}, but the arrays have {total}"
            ));
        }
    }
}

impl Fold for ConcatOp {
    fn fold(
        &self,
        ir: &Ir,
        op: Op,
        _: &[Option<Attr>],
    ) -> Option<smallvec::SmallVec<[FoldResult; 1]>> {
        let concat = ConcatOp::from_op(op);
        let [only] = concat.arrays(ir)[..] else {
            return None;
        };
        (ir.value_type(only) == ir.value_type(concat.result(ir)))
            .then(|| smallvec::smallvec![FoldResult::Value(only)])
    }
}

impl Verify for PadOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let pad = PadOp::from_op(op);
        let rank = sizes_of(ir, pad.array(ir)).len();
        let lists = [("low", pad.low(ir).len()), ("high", pad.high(ir).len())];
        if one_per_dimension(rank, &lists, diags) && sizes_of(ir, pad.result(ir)).len() != rank {
            diags.error(format!("result must have rank {rank}"));
        }
        same_elements(ir, pad.array(ir), pad.result(ir), diags);
        if ir.value_type(pad.value(ir)) != element_of(ir, pad.array(ir)) {
            diags.error("operand `value` must be an element of operand `array`");
        }
    }
}

impl InferTypes for UpdateOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        Ok(vec![ir.value_type(
            *state.operands.get(1).ok_or("needs an array")?,
        )])
    }
}

impl Verify for UpdateOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let (update, ctx) = (UpdateOp::from_op(op), ir.ctx());
        let (sizes, element) = sizes_and_element(ctx, ir.value_type(update.array(ir)));
        let count = update.indices(ir).len();
        if count == 0 || count > sizes.len() {
            let message = format!(
                "{count} indices do not fit an array of rank {}",
                sizes.len()
            );
            diags.error(message);
            return;
        }
        let row = array_or_scalar(ctx, &sizes[count..], element);
        if !types_compatible(ctx, ir.value_type(update.value(ir)), row) {
            let wanted = segra_text::print_type(ctx, row);
            diags.error(format!("operand `value` must be `{wanted}`"));
        }
    }
}

impl InferTypes for GatherOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        let ctx = ir.ctx();
        let [array, indices] = state.operands[..] else {
            return Err("needs an array and indices".into());
        };
        let (mut sizes, element) = sizes_and_element(ctx, ir.value_type(array));
        let (count, _) = sizes_and_element(ctx, ir.value_type(indices));
        match (sizes.first_mut(), count.first()) {
            (Some(outer), Some(count)) => *outer = *count,
            _ => return Err("needs arrays".into()),
        }
        Ok(vec![array_or_scalar(ctx, &sizes, element)])
    }
}

impl Verify for GatherOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let gather = GatherOp::from_op(op);
        let ty = ir.value_type(gather.indices(ir));
        let fits = ty
            .dialect::<ArrayType>(ir.ctx())
            .is_some_and(|array| array.sizes.len() == 1 && array.element.is_index(ir.ctx()));
        if !fits {
            diags.error("operand `indices` must be an array of rank 1 with elements of type index");
        }
    }
}

/// The array type with a tensor's extents and elements.
fn array_of_tensor(ir: &Ir, ty: Type) -> Option<Type> {
    let TypeKind::Tensor { shape, element, .. } = ir.ctx().type_kind(ty) else {
        return None;
    };
    let size = |&extent: &i64| {
        if extent == DYNAMIC {
            Size::Unknown
        } else {
            Size::Constant(extent)
        }
    };
    let sizes: Vec<Size> = shape.iter().map(size).collect();
    (!sizes.is_empty() && element.is_scalar(ir.ctx()))
        .then(|| array_or_scalar(ir.ctx(), &sizes, *element))
}

impl InferTypes for FromTensorOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        let tensor = state.operands.first().ok_or("needs a tensor")?;
        array_of_tensor(ir, ir.value_type(*tensor))
            .map(|ty| vec![ty])
            .ok_or_else(|| "needs a ranked tensor of rank 1 or more, of scalars".into())
    }
}

impl Verify for FromTensorOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let from = FromTensorOp::from_op(op);
        if array_of_tensor(ir, ir.value_type(from.tensor(ir)))
            != Some(ir.value_type(from.result(ir)))
        {
            diags.error("result must have the extents and elements of operand `tensor`");
        }
    }
}
