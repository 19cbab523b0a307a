//! Making, reshaping and reading arrays: iota, replicate, rearrange, dim, index, cast.

use crate::types::{
    AnyArray, ArrayOrScalar, ArrayType, Size, array_or_scalar, sizes_and_element, types_compatible,
};
use segra_interp::Eval;
use segra_ir::constraint::{AnyIntegerOrIndex, DenseI64Attr, I64Attr, Index};
use segra_ir::interfaces::{
    Canonicalize, Fold, FoldResult, InferTypes, ShapeOf, Verify, known_extent,
};
use segra_ir::{Ir, Op, OpDiagnostics, OpState, OpView, Type, Value, op};
use segra_text::Syntax;

/// The array `[0, 1, ..., n - 1]`. A negative size stops the program.
///
/// ```mlir
/// %is = array.iota %n : [n]i64
/// ```
#[op("array.iota", traits(Pure), interfaces(ShapeOf, Verify, Syntax, Eval))]
pub struct IotaOp {
    /// How many elements; not negative.
    count: Operand<Index>,
    result: OpResult<AnyArray>,
}

impl ShapeOf for IotaOp {
    fn extent(&self, ir: &Ir, op: Op, _: usize, dim: usize) -> Option<Value> {
        (dim == 0).then(|| IotaOp::from_op(op).count(ir))
    }
}

impl ShapeOf for ReplicateOp {
    fn extent(&self, ir: &Ir, op: Op, _: usize, dim: usize) -> Option<Value> {
        ReplicateOp::from_op(op).sizes(ir).get(dim).copied()
    }
}

impl Verify for IotaOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let (sizes, element) =
            sizes_and_element(ctx, ir.value_type(IotaOp::from_op(op).result(ir)));
        if sizes.len() != 1 {
            diags.error(format!(
                "result must have rank 1, but has rank {}",
                sizes.len()
            ));
        }
        if !segra_ir::constraint::TypeConstraint::accepts(&AnyIntegerOrIndex, ctx, element) {
            diags.error("result must have integer or index elements");
        }
    }
}

/// An array all of whose elements are one value; the sizes become the outer dimensions.
/// A negative size stops the program; so does a number of elements beyond 64 bits.
///
/// ```mlir
/// %zs = array.replicate %zero, [%n, %m] : f32 -> [n][m]f32
/// ```
#[op(
    "array.replicate",
    traits(Pure),
    interfaces(Canonicalize, ShapeOf, Verify, Syntax, Eval)
)]
pub struct ReplicateOp {
    /// A scalar or an array.
    value: Operand<ArrayOrScalar>,
    /// The outer sizes, at least one; not negative.
    sizes: VariadicOperand<Index>,
    result: OpResult<AnyArray>,
}

impl Verify for ReplicateOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let (replicate, ctx) = (ReplicateOp::from_op(op), ir.ctx());
        let (sizes, element) = sizes_and_element(ctx, ir.value_type(replicate.result(ir)));
        let outer = replicate.sizes(ir).len();
        if outer == 0 || outer > sizes.len() {
            diags.error(format!(
                "result of rank {} cannot have {outer} outer sizes",
                sizes.len()
            ));
            return;
        }
        let inner = array_or_scalar(ctx, &sizes[outer..], element);
        if !types_compatible(ctx, ir.value_type(replicate.value(ir)), inner) {
            let wanted = segra_text::print_type(ctx, inner);
            diags.error(format!(
                "operand `value` must be `{wanted}` for this result"
            ));
        }
    }
}

/// The array with its dimensions permuted: dimension `k` of the result is dimension `permutation[k]` of the input.
/// A view: nothing is copied.
///
/// ```mlir
/// %bt = array.rearrange %b, [1, 0] : [k][m]f32
/// ```
#[op(
    "array.rearrange",
    traits(Pure),
    interfaces(Canonicalize, Verify, InferTypes, Fold, Syntax, Eval)
)]
pub struct RearrangeOp {
    array: Operand<AnyArray>,
    /// Each dimension once.
    permutation: Attr<DenseI64Attr>,
    result: OpResult<AnyArray>,
}

pub(crate) fn is_permutation(permutation: &[i64], rank: usize) -> bool {
    let mut seen = vec![false; rank];
    permutation.len() == rank
        && permutation.iter().all(|&dim| {
            usize::try_from(dim)
                .ok()
                .and_then(|dim| seen.get_mut(dim))
                .is_some_and(|seen| !std::mem::replace(seen, true))
        })
}

impl Verify for RearrangeOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let rearrange = RearrangeOp::from_op(op);
        let rank = sizes_and_element(ir.ctx(), ir.value_type(rearrange.array(ir)))
            .0
            .len();
        if !is_permutation(&rearrange.permutation(ir), rank) {
            diags.error(format!(
                "attribute `permutation` must name each of the {rank} dimensions once"
            ));
        }
    }
}

impl InferTypes for RearrangeOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        let ctx = ir.ctx();
        let array = state.operands.first().ok_or("needs an array")?;
        let (sizes, element) = sizes_and_element(ctx, ir.value_type(*array));
        let permutation = state
            .attr(ctx, "permutation")
            .and_then(|attr| attr.as_dense_i64(ctx));
        let permutation = permutation.ok_or("needs the attribute `permutation`")?;
        if !is_permutation(&permutation, sizes.len()) {
            return Err(format!(
                "`permutation` must name each of the {} dimensions once",
                sizes.len()
            ));
        }
        let sizes: Vec<Size> = permutation.iter().map(|&dim| sizes[dim as usize]).collect();
        Ok(vec![array_or_scalar(ctx, &sizes, element)])
    }
}

impl Fold for RearrangeOp {
    fn fold(
        &self,
        ir: &Ir,
        op: Op,
        _: &[Option<segra_ir::Attr>],
    ) -> Option<smallvec::SmallVec<[FoldResult; 1]>> {
        let rearrange = RearrangeOp::from_op(op);
        let identity = rearrange
            .permutation(ir)
            .iter()
            .enumerate()
            .all(|(at, &dim)| at as i64 == dim);
        identity.then(|| smallvec::smallvec![FoldResult::Value(rearrange.array(ir))])
    }
}

/// The extent of one dimension, as a value.
///
/// ```mlir
/// %n = array.dim %xs, 0 : [n]f32
/// ```
#[op("array.dim", traits(Pure), interfaces(Verify, Fold, Syntax, Eval))]
pub struct DimOp {
    array: Operand<AnyArray>,
    /// Which dimension, from 0.
    dim: Attr<I64Attr>,
    result: OpResult<Index>,
}

impl Verify for DimOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let dim = DimOp::from_op(op);
        let rank = sizes_and_element(ir.ctx(), ir.value_type(dim.array(ir)))
            .0
            .len();
        if usize::try_from(dim.dim(ir)).is_ok_and(|at| at < rank) {
            return;
        }
        diags.error(format!(
            "attribute `dim` is {}, but the array has rank {rank}",
            dim.dim(ir)
        ));
    }
}

impl Fold for DimOp {
    fn fold(
        &self,
        ir: &Ir,
        op: Op,
        _: &[Option<segra_ir::Attr>],
    ) -> Option<smallvec::SmallVec<[FoldResult; 1]>> {
        let dim = DimOp::from_op(op);
        let at = usize::try_from(dim.dim(ir)).ok()?;
        if let Some(extent) = known_extent(ir, dim.array(ir), at) {
            return Some(smallvec::smallvec![FoldResult::Value(extent)]);
        }
        let ty = ir
            .value_type(dim.array(ir))
            .dialect::<ArrayType>(ir.ctx())?;
        let Size::Constant(extent) = *ty.sizes.get(at)? else {
            return None;
        };
        Some(smallvec::smallvec![FoldResult::Attr(
            ir.ctx().index_attr(extent)
        )])
    }
}

/// Attribute of an `array.index` whose indices are in range wherever it runs: nothing checks them again.
pub const IN_RANGE: &str = "array.in_range";

/// One element, or a subarray where there are fewer indices than dimensions. An index out of range stops the program.
///
/// ```mlir
/// %x = array.index %xss[%i, %j] : [n][m]f32
/// ```
#[op(
    "array.index",
    interfaces(
        Canonicalize,
        Fold,
        Verify,
        InferTypes,
        segra_ir::interfaces::Effects,
        Syntax,
        Eval
    )
)]
pub struct IndexOp {
    array: Operand<AnyArray>,
    /// One per dimension, outermost first; at least one.
    indices: VariadicOperand<Index>,
    result: OpResult<ArrayOrScalar>,
}

impl segra_ir::interfaces::Effects for IndexOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<segra_ir::interfaces::Effect>) {
        // It may stop the program: it can be merged or removed, but not be run where it was not.
        effects.push(segra_ir::interfaces::Effect::of(
            segra_ir::interfaces::EffectKind::Read,
        ));
    }
}

impl Verify for IndexOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let index = IndexOp::from_op(op);
        let rank = sizes_and_element(ir.ctx(), ir.value_type(index.array(ir)))
            .0
            .len();
        let count = index.indices(ir).len();
        if count == 0 || count > rank {
            diags.error(format!(
                "{count} indices do not fit an array of rank {rank}"
            ));
        }
    }
}

impl InferTypes for IndexOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        let ctx = ir.ctx();
        let array = state.operands.first().ok_or("needs an array")?;
        let (sizes, element) = sizes_and_element(ctx, ir.value_type(*array));
        let count = state.operands.len() - 1;
        if count == 0 || count > sizes.len() {
            return Err(format!(
                "{count} indices do not fit an array of rank {}",
                sizes.len()
            ));
        }
        Ok(vec![array_or_scalar(ctx, &sizes[count..], element)])
    }
}

/// The same array under another type with the same rank and element: a claim about sizes, checked when it runs.
///
/// ```mlir
/// %ys = array.cast %xs : [?]f32 -> [n]f32
/// ```
#[op(
    "array.cast",
    interfaces(
        Canonicalize,
        Fold,
        Verify,
        segra_ir::interfaces::Effects,
        Syntax,
        Eval
    )
)]
pub struct CastOp {
    array: Operand<AnyArray>,
    result: OpResult<AnyArray>,
}

impl segra_ir::interfaces::Effects for CastOp {
    /// None where nothing is claimed beyond what the type says already.
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<segra_ir::interfaces::Effect>) {
        let cast = CastOp::from_op(op);
        let (from, to) = (
            ir.value_type(cast.array(ir)),
            ir.value_type(cast.result(ir)),
        );
        if !crate::canonical::claims_nothing(ir, from, to) {
            let kind = segra_ir::interfaces::EffectKind::Control;
            effects.push(segra_ir::interfaces::Effect { kind, on: None });
        }
    }
}

impl Verify for CastOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let (cast, ctx) = (CastOp::from_op(op), ir.ctx());
        let (from, to) = (
            ir.value_type(cast.array(ir)),
            ir.value_type(cast.result(ir)),
        );
        let ((from_sizes, from_element), (to_sizes, to_element)) =
            (sizes_and_element(ctx, from), sizes_and_element(ctx, to));
        if from_sizes.len() != to_sizes.len() || from_element != to_element {
            diags.error("changes rank or element type, but may only change what is known of sizes");
        }
    }
}
