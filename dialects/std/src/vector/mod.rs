//! `vector`: fixed vectors in registers; the parts that lowering needs.

mod element;
mod memory;
mod reduction;

use segra_interp::{ArrayValue, Cx, Datum, Elem, Elements, Eval, EvalResult, Fault, Flow, Inst, Lanes};
use segra_interp::{Prepare, Prepared};
use segra_ir::constraint::{AnyType, AnyVector};
use segra_ir::diag::Diagnostics;
use segra_ir::interfaces::Verify;
use segra_ir::{Context, Dialect, Ir, Op, OpDef, OpView, Type, op};

pub use element::{ExtractOp, InsertOp};
pub use memory::{LoadOp, StoreOp};
pub use reduction::{CombiningKind, CombiningKindAttr, ReductionOp};

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
        doc: "Fixed vectors in registers.",
        ops: OPS.to_vec(),
        attrs: vec![("kind", reduction::parse_kind)],
        materialize_constant: Some(crate::arith::materialize_constant),
        ..Dialect::default()
    }
}

/// A scalar or a vector, repeated to the shape of the result: extents of 1 are stretched, missing outer ones added.
#[op(
    "vector.broadcast",
    traits(Pure),
    interfaces(Verify, Eval),
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
    lhs: Operand<AnyVector>,
    rhs: Operand<AnyVector>,
    acc: Operand<AnyVector>,
    result: OpResult<AnyVector>,
}

/// Static extents of a vector type.
fn extents(ctx: &Context, ty: Type) -> Option<Vec<usize>> {
    ty.shaped(ctx)?.0.iter().map(|&extent| usize::try_from(extent).ok()).collect()
}

impl Verify for BroadcastOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut Diagnostics) {
        let ctx = ir.ctx();
        let view = BroadcastOp::from_op(op);
        let (from, to) = (ir.value_type(view.source(ir)), ir.value_type(view.vector(ir)));
        let inner = from.shaped(ctx).map_or(&[][..], |row| row.0);
        let Some((outer, element)) = to.shaped(ctx) else { return };
        let fits = inner.len() <= outer.len()
            && inner
                .iter()
                .rev()
                .zip(outer.iter().rev())
                .all(|(&inner, &outer)| inner == outer || inner == 1);
        if element != from.element_or_self(ctx) {
            diags.op_error(ir, op, "operand `source` and the result must have one element type");
        } else if !fits {
            diags.op_error(ir, op, "the shape of operand `source` must end the shape of the result");
        }
    }
}

impl Eval for BroadcastOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        let shape = extents(p.ir.ctx(), p.ir.value_type(p.ir.result(p.op, 0)));
        shape.map(Prepared::other).ok_or_else(|| Fault::new("has a result without a fixed shape"))
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
    let unfit = || Fault::new(format!("cannot broadcast {} to {shape:?}", source.describe()));
    let Datum::Vector(vector) = source else {
        return ArrayValue::splat(elem, shape.to_vec(), source).map(Datum::vector).ok_or_else(unfit);
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
    ArrayValue::new(elem, shape.to_vec(), elements).map(Datum::vector).ok_or_else(unfit)
}

impl Eval for FmaOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        cx.map3(inst, lanes, crate::math::fused_multiply_add)
    }
}
