//! Extents and elements.

use super::rank;
use super::shape::CastOp;
use crate::arith::index;
use crate::memref;
use segra_interp::{Cx, Datum, Eval, EvalResult, Flow, Inst, Lanes};
use segra_ir::constraint::{AnyType, Index, RankedTensor, TensorWithDimensions};
use segra_ir::int_range::{InferIntRanges, IntRange};
use segra_ir::interfaces::{
    Canonicalize, Effect, EffectKind, Effects, Fold, Folded, InferTypes, Rewriter, ShapeOf,
    Speculation, Verify, known_extent,
};
use segra_ir::types::DYNAMIC;
use segra_ir::{Attr, Builder, Ir, Op, OpDiagnostics, OpState, OpView, Type, Value, op};
use segra_text::{ParseResult, ParsedOp, Parser, Printer, Syntax};

/// The extent of a dimension.
///
/// ```mlir
/// %n = tensor.dim %xs, %c0 : tensor<?xf32>
/// ```
#[op(
    "tensor.dim",
    traits(Pure),
    interfaces(Fold, InferIntRanges, Speculation, Canonicalize, Eval),
    format = "attr-dict $source `,` $index `:` type($source)"
)]
pub struct DimOp {
    source: Operand<TensorWithDimensions>,
    /// Which dimension, from 0.
    index: Operand<Index>,
    result: OpResult<Index>,
}

impl DimOp {
    /// The extent of a dimension of a tensor: a constant where its type says it.
    pub fn of(b: &mut Builder<'_>, tensor: Value, dim: usize) -> Value {
        let shaped = b.ir.value_type(tensor).shaped(b.ctx());
        match shaped.and_then(|(shape, _)| shape.get(dim).copied()) {
            Some(extent) if extent != DYNAMIC => index::constant(b, extent),
            _ => {
                let (dim, ty) = (index::constant(b, dim as i64), b.ctx().index());
                DimOp::build(b, tensor, dim, ty).result(b.ir)
            }
        }
    }
    /// Which dimension is asked for, where that is known and the tensor has it.
    pub fn dim(self, ir: &Ir) -> Option<usize> {
        let dim = usize::try_from(ir.constant_int(self.index(ir))?).ok()?;
        (dim < rank(ir, self.source(ir))).then_some(dim)
    }
}

impl Speculation for DimOp {
    /// A dimension there is not is an error.
    fn is_speculatable(&self, ir: &Ir, op: Op) -> bool {
        DimOp::from_op(op).dim(ir).is_some()
    }
}

impl Fold for DimOp {
    fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
        memref::fold_dim(ir, DimOp::from_op(op).source(ir), operands)
    }
}

impl InferIntRanges for DimOp {
    fn infer_int_range(&self, _: &Ir, _: Op, _: &[Option<IntRange>]) -> Option<IntRange> {
        Some(IntRange::signed(64, 0, i64::MAX.into()))
    }
}

impl Canonicalize for DimOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        look_through_cast(rewriter, op, 0)
    }
}

impl Eval for DimOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let dim = cx.int(inst, 1, lane)?;
            let shape = cx.array(inst, 0, lane)?.shape();
            let extent = usize::try_from(dim)
                .ok()
                .and_then(|dim| shape.get(dim).copied());
            let extent = extent.ok_or_else(|| {
                let rank = shape.len();
                cx.error(
                    inst,
                    format!("asks for dimension {dim} of a tensor of rank {rank}"),
                )
            })?;
            cx.set_result(inst, 0, lane, Datum::Int(extent as i64));
        }
        Ok(Flow::Next)
    }
}

/// The element at an index.
///
/// ```mlir
/// %x = tensor.extract %xs[%i, %j] : tensor<?x?xf32>
/// ```
#[op(
    "tensor.extract",
    interfaces(Verify, InferTypes, Effects, Canonicalize, Eval),
    format = "$tensor `[` $indices `]` attr-dict `:` type($tensor)"
)]
pub struct ExtractOp {
    tensor: Operand<RankedTensor>,
    /// One per dimension, outermost first, each within the extent.
    indices: VariadicOperand<Index>,
    result: OpResult<AnyType>,
}

/// The tensor with the element at an index replaced.
///
/// ```mlir
/// %u = tensor.insert %x into %t[%i, %j] : tensor<?x?xf32>
/// ```
#[op(
    "tensor.insert",
    interfaces(Verify, InferTypes, Effects, ShapeOf, Syntax, Eval)
)]
pub struct InsertOp {
    /// The new element.
    scalar: Operand<AnyType>,
    dest: Operand<RankedTensor>,
    /// One per dimension, outermost first, each within the extent.
    indices: VariadicOperand<Index>,
    /// Of the tensor's type.
    result: OpResult<RankedTensor>,
}

impl Syntax for InsertOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let insert = InsertOp::from_op(op);
        let ir = p.ir();
        p.text(" ");
        p.values([insert.scalar(ir)]);
        p.text(" into ");
        crate::syntax::print_access(p, insert.dest(ir), &insert.indices(ir));
        p.attr_dict(op, &[]);
        p.text(" : ");
        p.types_of([insert.dest(ir)]);
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let ctx = p.ctx();
        let scalar = p.parse_operand()?;
        p.expect_keyword("into")?;
        let dest = p.parse_operand()?;
        let indices = crate::syntax::parse_indices(p)?;
        p.parse_attr_dict_into(state)?;
        let ty = p.parse_colon_type()?;
        crate::syntax::resolve(p, state, &[scalar, dest], &[ty.element_or_self(ctx), ty])?;
        crate::syntax::resolve_indices(p, state, &indices)?;
        state.state.result_types.push(ty);
        Ok(())
    }
}

impl Effects for ExtractOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        // Tensors are values, so nothing can come between; but it must not run where its index is out of range.
        effects.push(Effect::of(EffectKind::Read));
    }
}
impl Effects for InsertOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        // As of an extraction.
        effects.push(Effect::of(EffectKind::Read));
    }
}

impl InferTypes for ExtractOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        let tensor = *state.operands.first().ok_or("needs a tensor")?;
        let shaped = ir.value_type(tensor).shaped(ir.ctx());
        let (_, element) = shaped.ok_or("needs a ranked tensor")?;
        Ok(vec![element])
    }
}
impl InferTypes for InsertOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        let dest = *state.operands.get(1).ok_or("needs a tensor")?;
        Ok(vec![ir.value_type(dest)])
    }
}

impl ShapeOf for InsertOp {
    fn extent(&self, ir: &Ir, op: Op, _: usize, dim: usize) -> Option<Value> {
        known_extent(ir, InsertOp::from_op(op).dest(ir), dim)
    }
}

fn one_index_per_dimension(ir: &Ir, count: usize, tensor: Value, diags: &mut OpDiagnostics<'_>) {
    let rank = rank(ir, tensor);
    if count != rank {
        diags.error(format!(
            "{count} indices do not fit a tensor of rank {rank}"
        ));
    }
}

impl Verify for ExtractOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let extract = ExtractOp::from_op(op);
        one_index_per_dimension(ir, extract.indices(ir).len(), extract.tensor(ir), diags);
    }
}
impl Verify for InsertOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let insert = InsertOp::from_op(op);
        let dest = ir.value_type(insert.dest(ir));
        one_index_per_dimension(ir, insert.indices(ir).len(), insert.dest(ir), diags);
        if ir.value_type(insert.scalar(ir)) != dest.element_or_self(ir.ctx()) {
            diags.error("operand `scalar` must be an element of operand `dest`");
        }
    }
}

/// Lets an op use what is behind the cast that defines an operand.
pub(super) fn look_through_cast(rewriter: &mut dyn Rewriter, op: Op, operand: usize) -> bool {
    let ir = rewriter.ir();
    let cast = ir.def_as::<CastOp>(ir.operand(op, operand));
    let Some(source) = cast
        .map(|cast| cast.source(ir))
        .filter(|&source| ir.value_type(source).shaped(ir.ctx()).is_some())
    else {
        return false;
    };
    rewriter.modify(op, &mut |ir| ir.set_operand(op, operand, source));
    true
}

impl Canonicalize for ExtractOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        look_through_cast(rewriter, op, 0)
    }
}

impl Eval for ExtractOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let indices = cx.ints(inst, 1..inst.operands.len(), lane)?;
            let tensor = cx.array(inst, 0, lane)?;
            let element = tensor.at(&indices).ok_or_else(|| {
                let (indices, shape) = (&indices[..], tensor.shape());
                cx.error(
                    inst,
                    format!("index {indices:?} is out of range for shape {shape:?}"),
                )
            })?;
            cx.set_result(inst, 0, lane, element);
        }
        Ok(Flow::Next)
    }
}

impl Eval for InsertOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let indices = cx.ints(inst, 2..inst.operands.len(), lane)?;
            let array = cx.array(inst, 1, lane)?;
            let new = array.replaced(&indices, cx.operand(inst, 0, lane));
            let new = new.ok_or_else(|| {
                let (indices, shape) = (&indices[..], array.shape());
                cx.error(
                    inst,
                    format!("cannot update at {indices:?} a tensor of shape {shape:?}"),
                )
            })?;
            cx.set_result(inst, 0, lane, Datum::array(new));
        }
        Ok(Flow::Next)
    }
}
