//! `vector`: fixed vectors in registers; the parts that lowering needs.

mod canonical;
mod canonical_broadcast;
mod canonical_shuffle;
mod canonical_transfer;
mod contract;
mod element;
mod insert_chains;
mod masked;
mod memory;
mod reduction;
mod scalable;
mod shape;
mod syntax;
mod transfer;

use segra_interp::{
    ArrayValue, Cx, Datum, Elem, Elements, Eval, EvalResult, Fault, Flow, Inst, Lanes, Prepare,
    Prepared,
};
use segra_ir::constraint::{AnyType, AnyVector, FloatVector};
use segra_ir::def::Origin;
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{Canonicalize, Fold, Verify};
use segra_ir::{Context, Dialect, Ir, Op, OpDef, OpView, Type, TypeKind, op};

pub use contract::{
    ContractionOp, IteratorType, IteratorTypesAttr, MultiReductionOp, OuterProductOp, ScanOp,
};
pub use element::{ExtractOp, InsertOp};
pub use masked::{
    CompressStoreOp, ConstantMaskOp, CreateMaskOp, ExpandLoadOp, GatherOp, MaskOp, MaskedLoadOp,
    MaskedStoreOp, ScatterOp, YieldOp,
};
pub use memory::{LoadOp, StoreOp};
pub use reduction::{CombiningKind, CombiningKindAttr, ReductionOp};
pub use scalable::{
    PrintOp, Printable, Punctuation, PunctuationAttr, ScalableExtractOp, ScalableInsertOp,
    ScalableVectorOfRank1, StepOp, VectorScaleOp,
};
pub use shape::{
    BitCastOp, DeinterleaveOp, ExtractStridedSliceOp, FromElementsOp, InsertStridedSliceOp,
    InterleaveOp, ShapeCastOp, ShuffleOp, ToElementsOp, TransposeOp, TypeCastOp,
};
pub use transfer::{TransferReadOp, TransferWriteOp};

const OPS: &[&OpDef] = &[
    BroadcastOp::DEF,
    ExtractOp::DEF,
    FmaOp::DEF,
    InsertOp::DEF,
    LoadOp::DEF,
    ReductionOp::DEF,
    StoreOp::DEF,
];

/// The dialect.
pub fn dialect() -> Dialect {
    Dialect {
        name: "vector",
        origin: Origin::Upstream,
        doc: "Fixed vectors in registers.",
        ops: [
            OPS,
            contract::OPS,
            masked::OPS,
            scalable::OPS,
            shape::OPS,
            transfer::OPS,
        ]
        .concat(),
        attrs: segra_text::attr_parsers(&[
            ("iterator_type", contract::parse_iterator_type),
            ("kind", reduction::parse_kind),
            ("punctuation", scalable::parse_punctuation),
        ]),
        materialize_constant: Some(crate::arith::materialize_constant),
        ..Dialect::default()
    }
}

/// A scalar or a vector, repeated to the shape of the result: extents of 1 are broadcast, missing outer ones added.
#[op(
    "vector.broadcast",
    traits(Pure),
    interfaces(Fold, Canonicalize, Verify, Eval),
    format = "$source attr-dict `:` type($source) `to` type($vector)"
)]
pub struct BroadcastOp {
    source: Operand<AnyType>,
    vector: OpResult<AnyVector>,
}

/// `lhs * rhs + acc` for each element, rounded once.
#[op(
    "vector.fma",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Eval),
    format = "$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs)"
)]
pub struct FmaOp {
    lhs: Operand<FloatVector>,
    rhs: Operand<FloatVector>,
    acc: Operand<FloatVector>,
    result: OpResult<FloatVector>,
}

/// The shape of a vector type; other types look like a vector without dimensions.
#[derive(Clone, Copy, Debug)]
struct VectorShape<'a> {
    shape: &'a [i64],
    scalable: &'a [bool],
    element: Type,
}

impl<'a> VectorShape<'a> {
    fn of(ctx: &'a Context, ty: Type) -> VectorShape<'a> {
        match ctx.type_kind(ty) {
            TypeKind::Vector {
                shape,
                scalable,
                element,
            } => VectorShape {
                shape,
                scalable,
                element: *element,
            },
            _ => VectorShape {
                shape: &[],
                scalable: &[],
                element: ty,
            },
        }
    }
    /// Number of elements (of one vector length, if it is scalable).
    fn count(&self) -> i64 {
        self.shape
            .iter()
            .fold(1, |all, &extent| all.saturating_mul(extent))
    }
}

/// Static extents of a vector type.
fn extents(ctx: &Context, ty: Type) -> Option<Vec<usize>> {
    ty.shaped(ctx)?
        .0
        .iter()
        .map(|&extent| usize::try_from(extent).ok())
        .collect()
}

/// The extents of the result.
fn prepared_shape(p: &Prepare<'_>) -> Result<Prepared, Fault> {
    let shape = extents(p.ir.ctx(), p.ir.value_type(p.ir.result(p.op, 0)));
    let shape = shape.ok_or_else(|| Fault::new("has a result without a fixed shape"))?;
    Ok(Prepared::other(shape))
}

/// Whether a scalar or vector of type `from` may be repeated to `to`.
fn stretches_to(ctx: &Context, from: Type, to: Type) -> bool {
    let (inner, outer) = (VectorShape::of(ctx, from), VectorShape::of(ctx, to));
    let pairs = inner
        .shape
        .iter()
        .zip(inner.scalable)
        .rev()
        .zip(outer.shape.iter().zip(outer.scalable).rev());
    inner.element == outer.element
        && inner.shape.len() <= outer.shape.len()
        && pairs
            .into_iter()
            .all(|((&inner, &scales), (&outer, &wanted))| {
                (inner == 1 || inner == outer)
                    && !(inner == 1 && scales && outer != 1)
                    && (scales == wanted || inner == 1 && !scales)
            })
}

impl Verify for BroadcastOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let view = BroadcastOp::from_op(op);
        let (from, to) = (
            ir.value_type(view.source(ir)),
            ir.value_type(view.vector(ir)),
        );
        let (inner, outer) = (VectorShape::of(ctx, from), VectorShape::of(ctx, to));
        if outer.element != inner.element {
            diags.error("operand `source` and the result must have one element type");
        } else if !stretches_to(ctx, from, to) {
            diags.error("the shape of operand `source` must end the shape of the result");
        }
    }
}

impl Eval for BroadcastOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        prepared_shape(p)
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let (Some(shape), Some(elem)) = (inst.data::<Vec<usize>>(), inst.result_elem) else {
            return Err(cx.error(inst, "has a result of a format that is not computed with"));
        };
        for lane in lanes.iter() {
            let value = cx.check(inst, broadcast(cx.operand(inst, 0, lane), elem, shape))?;
            cx.set_result(inst, 0, lane, value);
        }
        Ok(Flow::Next)
    }
}

fn broadcast(source: &Datum, elem: Elem, shape: &[usize]) -> Result<Datum, Fault> {
    let unfit = || {
        Fault::new(format!(
            "cannot broadcast {} to {shape:?}",
            source.describe()
        ))
    };
    let Datum::Vector(vector) = source else {
        return ArrayValue::splat(elem, shape.to_vec(), source)
            .map(Datum::vector)
            .ok_or_else(unfit);
    };
    let missing = shape.len().checked_sub(vector.rank()).ok_or_else(unfit)?;
    let count: usize = shape.iter().product();
    let mut elements = Elements::with_capacity(elem, count);
    for position in 0..count {
        // The source's position: its extents of 1 stay at 0.
        let (mut rest, mut at, mut step) = (position, 0, 1);
        for dim in (missing..shape.len()).rev() {
            let index = rest % shape[dim];
            rest /= shape[dim];
            let extent = vector.shape()[dim - missing];
            at += if extent == 1 { 0 } else { index * step };
            step *= extent;
        }
        let value = vector.get(at).ok_or_else(unfit)?;
        elements.push(&value).ok_or_else(unfit)?;
    }
    ArrayValue::new(elem, shape.to_vec(), elements)
        .map(Datum::vector)
        .ok_or_else(unfit)
}

impl Eval for FmaOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        cx.map3(inst, lanes, crate::math::fused_multiply_add)
    }
}
