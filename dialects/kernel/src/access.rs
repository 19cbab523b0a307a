//! Reading arrays: elements and extents of tensors, as values.

use crate::segop::{AnyTensor, TensorOrScalar};
use segra_interp::Eval;
use segra_ir::constraint::{I64Attr, Index, UnitAttr};
use segra_ir::interfaces::{
    Effect, EffectKind, Effects, Fold, FoldResult, InferTypes, Verify, known_extent,
};
use segra_ir::types::DYNAMIC;
use segra_ir::{Ir, Op, OpDiagnostics, OpState, OpView, Type, TypeKind, op};

/// One element of a tensor, or a subtensor where there are fewer indices than dimensions.
///
/// ```mlir
/// %x = kernel.read %xs[%i, %j] : tensor<?x?xf32>
/// ```
#[op(
    "kernel.read",
    interfaces(Verify, InferTypes, Effects, Eval),
    format = "$tensor `[` $indices `]` attr-dict `:` type($tensor)"
)]
pub struct ReadOp {
    tensor: Operand<AnyTensor>,
    /// One per dimension, outermost first, each within the extent; at least one.
    indices: VariadicOperand<Index>,
    /// The program gives an index that may be out of range: running it checks, on every device.
    checked: OptionalAttr<UnitAttr>,
    result: OpResult<TensorOrScalar>,
}

impl Effects for ReadOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        // Tensors are values, so nothing can come between; but it must not run where its index is out of range.
        effects.push(Effect::of(EffectKind::Read));
    }
}

impl Verify for ReadOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let read = ReadOp::from_op(op);
        let rank = ir
            .value_type(read.tensor(ir))
            .shaped(ir.ctx())
            .map_or(0, |(shape, _)| shape.len());
        let count = read.indices(ir).len();
        if count == 0 || count > rank {
            diags.error(format!(
                "{count} indices do not fit a tensor of rank {rank}"
            ));
        }
    }
}

impl InferTypes for ReadOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        let ctx = ir.ctx();
        let tensor = state.operands.first().ok_or("needs a tensor")?;
        let (shape, element) = ir
            .value_type(*tensor)
            .shaped(ctx)
            .ok_or("needs a ranked tensor")?;
        let count = state.operands.len() - 1;
        let rest = shape.get(count..).filter(|_| count > 0);
        let rest = rest.ok_or_else(|| {
            format!(
                "{count} indices do not fit a tensor of rank {}",
                shape.len()
            )
        })?;
        if rest.is_empty() {
            return Ok(vec![element]);
        }
        Ok(vec![ctx.ty(TypeKind::Tensor {
            shape: rest.to_vec(),
            element,
            encoding: None,
        })])
    }
}

/// The extent of one dimension of a tensor, as a value.
///
/// ```mlir
/// %n = kernel.dim %xs, 0 : tensor<?xf32>
/// ```
#[op(
    "kernel.dim",
    traits(Pure),
    interfaces(Verify, Fold, Eval),
    format = "$tensor `,` $dim attr-dict `:` type($tensor)"
)]
pub struct DimOp {
    tensor: Operand<AnyTensor>,
    /// Which dimension, from 0.
    dim: Attr<I64Attr>,
    result: OpResult<Index>,
}

impl Verify for DimOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let dim = DimOp::from_op(op);
        let rank = ir
            .value_type(dim.tensor(ir))
            .shaped(ir.ctx())
            .map_or(0, |(shape, _)| shape.len());
        if !usize::try_from(dim.dim(ir)).is_ok_and(|at| at < rank) {
            diags.error(format!(
                "attribute `dim` is {}, but the tensor has rank {rank}",
                dim.dim(ir)
            ));
        }
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
        if let Some(extent) = known_extent(ir, dim.tensor(ir), at) {
            return Some(smallvec::smallvec![FoldResult::Value(extent)]);
        }
        let (shape, _) = ir.value_type(dim.tensor(ir)).shaped(ir.ctx())?;
        let extent = *shape.get(at)?;
        (extent != DYNAMIC)
            .then(|| smallvec::smallvec![FoldResult::Attr(ir.ctx().index_attr(extent))])
    }
}
