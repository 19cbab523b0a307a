//! Arrays that get more elements in sequential code.
//!
//! Values as everywhere: the op gives a new tensor. Loops carry the tensor from one step to the next, so that a back end may
//! extend it in place wherever the old tensor is not used again.

use segra_interp::array::element_count;
use segra_interp::{
    ArrayValue, Cx, Datum, Elements, Eval, EvalError, EvalResult, Flow, Inst, Lanes,
};
use segra_ir::constraint::{Index, RankedTensor};
use segra_ir::interfaces::{Effect, EffectKind, Effects, InferTypes, ShapeOf, Verify};
use segra_ir::{Ir, Op, OpDiagnostics, OpState, OpView, Type, Value, op};

/// Attribute of a loop that is a reduction of the program: its operator is associative, so its steps may be regrouped.
pub const REDUCTION: &str = "kernel.reduction";

fn rank(ir: &Ir, value: Value) -> usize {
    ir.value_type(value)
        .shaped(ir.ctx())
        .map_or(0, |(shape, _)| shape.len())
}

fn one_extent_per_dimension(ir: &Ir, sizes: usize, result: Value, diags: &mut OpDiagnostics<'_>) {
    let rank = rank(ir, result);
    if sizes != rank {
        diags.error(format!(
            "has {sizes} extents, but the result has rank {rank}"
        ));
    }
}

/// The extents given by operands `from` on.
fn extents(cx: &Cx<'_>, inst: &Inst, from: usize, lane: usize) -> Result<Vec<usize>, EvalError> {
    let sizes = cx.ints(inst, from..inst.operands.len(), lane)?;
    let sizes: Result<Vec<usize>, _> = sizes.iter().map(|&size| usize::try_from(size)).collect();
    let sizes = sizes.map_err(|_| cx.error(inst, "has a negative extent"))?;
    cx.check(inst, cx.check_allocation(element_count(&sizes)))?;
    Ok(sizes)
}

/// The tensor with an outermost extent that is as large or larger. Nobody reads what it has more before it is updated.
///
/// ```mlir
/// %u = kernel.extend %t to [%n, %m] : tensor<?x?xf32>
/// ```
/// Its memory is the old tensor's where that has space and nobody else needs it: so a list gets an element without a copy
/// of those before.
#[op(
    "kernel.extend",
    interfaces(Effects, InferTypes, ShapeOf, Verify, Eval),
    format = "$tensor `to` ` ` `[` $sizes `]` attr-dict `:` type($tensor)"
)]
pub struct ExtendOp {
    tensor: Operand<RankedTensor>,
    /// Extents of the result, outermost first: but for the first, those of the tensor.
    sizes: VariadicOperand<Index>,
    /// Of the tensor's type.
    result: OpResult<RankedTensor>,
}

impl Effects for ExtendOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        // It stops the program where the extents do not fit.
        effects.push(Effect::of(EffectKind::Read));
    }
}

impl InferTypes for ExtendOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        let tensor = state.operands.first().ok_or("needs a tensor")?;
        Ok(vec![ir.value_type(*tensor)])
    }
}

impl ShapeOf for ExtendOp {
    fn extent(&self, ir: &Ir, op: Op, _: usize, dim: usize) -> Option<Value> {
        ExtendOp::from_op(op).sizes(ir).get(dim).copied()
    }
}

impl Verify for ExtendOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let extend = ExtendOp::from_op(op);
        one_extent_per_dimension(ir, extend.sizes(ir).len(), extend.result(ir), diags);
    }
}

impl Eval for ExtendOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let sizes = extents(cx, inst, 1, lane)?;
            let array = cx.array(inst, 0, lane)?;
            let fits = array.shape().get(1..) == sizes.get(1..) && array.shape() <= &sizes[..];
            let mut elements = Elements::zeros(array.elem(), 0);
            let (old, start) = array.storage();
            let added = element_count(&sizes).and_then(|count| count.checked_sub(array.len()));
            let new = added.filter(|_| fits).and_then(|added| {
                elements.extend(old, start..start + array.len())?;
                let zeros = Elements::zeros(array.elem(), added);
                elements.extend(&zeros, 0..added)?;
                ArrayValue::new(array.elem(), sizes.clone(), elements)
            });
            let new = new.ok_or_else(|| {
                let shape = array.shape();
                cx.error(inst, format!("cannot extend shape {shape:?} to {sizes:?}"))
            })?;
            cx.set_result(inst, 0, lane, Datum::array(new));
        }
        Ok(Flow::Next)
    }
}
