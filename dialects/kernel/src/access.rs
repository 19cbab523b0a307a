//! Reading arrays: elements and extents of tensors, as values.

use crate::segop::{AnyTensor, SegMapOp, SegmentedOp, TensorOrScalar};
use crate::vector::{element_bytes, marked, transposed_dim, vector_of};
use segra_interp::Eval;
use segra_ir::constraint::{I64Attr, Index, UnitAttr};
use segra_ir::interfaces::{
    Effect, EffectKind, Effects, Fold, FoldResult, InferTypes, Verify, known_extent,
};
use segra_ir::types::DYNAMIC;
use segra_ir::{Builder, Ir, Op, OpDiagnostics, OpState, OpView, Type, TypeKind, Value, op};
use segra_pass::option_enum;
use segra_std::arith::index;

option_enum! {
    /// Whether kernels check indices that may be out of range.
    pub enum Checks {
        /// They do, and report the first that is.
        On = "on",
        /// The program promises that none is.
        Off = "off",
    }
}

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
    /// Several neighbouring points are read at once, as many as the op around says: see [`crate::vector`].
    vector: OptionalAttr<UnitAttr>,
    /// The segmap around reads it in tiles, by way of shared memory: see [`crate::vector`].
    staged: OptionalAttr<UnitAttr>,
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
        if read.vector_attr(ir).is_some() {
            verify_vector(ir, read, diags);
        }
        if read.staged_attr(ir).is_some() {
            verify_staged(ir, read, diags);
        }
    }
}

/// The segmented op whose body a read stands in, directly; and the indices of its point.
fn directly_in(ir: &Ir, read: ReadOp) -> Option<(Op, &[Value])> {
    let (op, around) = (read.op(), ir.parent_op(read.op())?);
    let model = ir.interface::<dyn SegmentedOp>(around)?;
    let body = ir.entry_block(model.body(ir, around))?;
    (ir.block_of(op) == Some(body)).then(|| (around, ir.block_args(body)))
}

/// A read of several points at once has neighbouring elements for neighbouring points, and starts where rows are aligned.
fn verify_vector(ir: &Ir, read: ReadOp, diags: &mut OpDiagnostics<'_>) {
    let lanes = |(around, args)| Some((around, args, vector_of(ir, around)?));
    let Some((around, args, lanes)) = directly_in(ir, read).and_then(lanes) else {
        diags.error(
            "marked `vector` must stand directly in an op that takes several points at once",
        );
        return;
    };
    let indices = read.indices(ir);
    if !args.ends_with(&indices) || element_bytes(ir, ir.value_type(read.result(ir))).is_none() {
        diags.error(
            "marked `vector` must read a number of 8 to 64 bits at the last indices of its point",
        );
    } else if indices.len() < args.len() {
        let sizes = ir
            .interface::<dyn SegmentedOp>(around)
            .map(|model| model.sizes(ir, around));
        let inner = sizes.and_then(|sizes| ir.constant_int(*sizes.last()?));
        if inner.is_none_or(|inner| inner % lanes != 0) {
            diags.error(format!(
                "marked `vector` has fewer indices than its point, whose rows are no multiple of {lanes}"
            ));
        }
    }
}

/// Staged reads of a segmap have the same innermost index, which is not that of the segmap.
fn verify_staged(ir: &Ir, read: ReadOp, diags: &mut OpDiagnostics<'_>) {
    let Some((segmap, args)) = directly_in(ir, read).filter(|row| ir.isa::<SegMapOp>(row.0)) else {
        diags.error("marked `staged` must stand directly in a segmap");
        return;
    };
    let dim = transposed_dim(ir, args, read);
    let others = marked(ir, segmap, |read| read.staged_attr(ir).is_some());
    if dim.is_none()
        || others
            .iter()
            .any(|&other| transposed_dim(ir, args, other) != dim)
    {
        diags.error(
            "marked `staged` must read a number at all indices of its point, the innermost one not last, and the same as \
             in other reads so marked",
        );
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

impl DimOp {
    /// The extent of a dimension of a tensor: a constant where its type says it.
    pub fn of(b: &mut Builder<'_>, tensor: Value, dim: usize) -> Value {
        let shaped = b.ir.value_type(tensor).shaped(b.ctx());
        match shaped.and_then(|(shape, _)| shape.get(dim).copied()) {
            Some(extent) if extent != DYNAMIC => index::constant(b, extent),
            _ => {
                let (dim, ty) = (b.ctx().i64_attr(dim as i64), b.ctx().index());
                DimOp::build(b, tensor, dim, ty).result(b.ir)
            }
        }
    }
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
