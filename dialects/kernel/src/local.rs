//! Arrays made step by step by sequential code: scratch space, replacing one element, more elements, another shape.
//!
//! Values as everywhere: an update gives a new tensor. Loops carry the tensor from one update to the next, so that a
//! back end may update in place wherever the old tensor is not used again.

use crate::segop::{AnyTensor, TensorOrScalar};
use segra_interp::array::element_count;
use segra_interp::{
    ArrayValue, Cx, Datum, Elem, Elements, Eval, EvalError, EvalResult, Flow, Inst, Lanes,
};
use segra_ir::constraint::{Index, UnitAttr};
use segra_ir::interfaces::{Effect, EffectKind, Effects, InferTypes, ShapeOf, Verify};
use segra_ir::{Ir, Op, OpDiagnostics, OpState, OpView, Type, TypeKind, Value, op};

/// Attribute of a loop that is a reduction of the program: its operator is associative, so its steps may be regrouped.
pub const REDUCTION: &str = "kernel.reduction";

/// A tensor whose elements nobody reads before they are updated.
///
/// The interpreter fills it with zeros, but no program may depend on that.
///
/// ```mlir
/// %t = kernel.scratch [%n, %m] : tensor<?x?xf32>
/// ```
#[op(
    "kernel.scratch",
    traits(Pure),
    interfaces(ShapeOf, Verify, Eval),
    format = "` ` `[` $sizes `]` attr-dict `:` type($result)"
)]
pub struct ScratchOp {
    /// Extents, outermost first; not negative.
    sizes: VariadicOperand<Index>,
    result: OpResult<AnyTensor>,
}

impl ShapeOf for ScratchOp {
    fn extent(&self, ir: &Ir, op: Op, _: usize, dim: usize) -> Option<Value> {
        ScratchOp::from_op(op).sizes(ir).get(dim).copied()
    }
}

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

impl Verify for ScratchOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let scratch = ScratchOp::from_op(op);
        one_extent_per_dimension(ir, scratch.sizes(ir).len(), scratch.result(ir), diags);
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

impl Eval for ScratchOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let ctx = cx.ir().ctx();
        let element = match ctx.type_kind(cx.ir().value_type(cx.ir().result(inst.op, 0))) {
            TypeKind::Tensor { element, .. } => Elem::of(ctx, *element),
            _ => None,
        };
        let elem =
            element.ok_or_else(|| cx.error(inst, "has elements the interpreter cannot hold"))?;
        for lane in lanes.iter() {
            let sizes = extents(cx, inst, 0, lane)?;
            let zeros = Elements::zeros(elem, element_count(&sizes).unwrap_or(0));
            let array = ArrayValue::new(elem, sizes, zeros);
            let array = array.ok_or_else(|| cx.error(inst, "is too large"))?;
            cx.set_result(inst, 0, lane, Datum::array(array));
        }
        Ok(Flow::Next)
    }
}

/// The tensor with one element (or subtensor, where there are fewer indices than dimensions) replaced.
///
/// ```mlir
/// %u = kernel.update %x, %t[%i, %j] : f32, tensor<?x?xf32>
/// ```
#[op(
    "kernel.update",
    interfaces(Effects, InferTypes, ShapeOf, Verify, Eval),
    format = "$value `,` $tensor `[` $indices `]` attr-dict `:` type($value) `,` type($tensor)"
)]
pub struct UpdateOp {
    /// The stored value.
    value: Operand<TensorOrScalar>,
    tensor: Operand<AnyTensor>,
    /// Where, outermost first, each within the extent; at least one.
    indices: VariadicOperand<Index>,
    /// The program gives an index that may be out of range: running it checks, on every device.
    checked: OptionalAttr<UnitAttr>,
    /// Of the tensor's type.
    result: OpResult<AnyTensor>,
}

impl Effects for UpdateOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        // Tensors are values; but it must not run where its index is out of range.
        effects.push(Effect::of(EffectKind::Read));
    }
}

impl InferTypes for UpdateOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        let tensor = state.operands.get(1).ok_or("needs a tensor")?;
        Ok(vec![ir.value_type(*tensor)])
    }
}

impl ShapeOf for UpdateOp {
    fn extent(&self, ir: &Ir, op: Op, _: usize, dim: usize) -> Option<Value> {
        segra_ir::interfaces::known_extent(ir, UpdateOp::from_op(op).tensor(ir), dim)
    }
}

impl Verify for UpdateOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let update = UpdateOp::from_op(op);
        let (count, value) = (update.indices(ir).len(), rank(ir, update.value(ir)));
        let whole = rank(ir, update.tensor(ir));
        if count == 0 || count + value != whole {
            let message = format!(
                "{count} indices and a value of rank {value} do not fit a tensor of rank {whole}"
            );
            diags.error(message);
        }
    }
}

impl Eval for UpdateOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let indices = cx.ints(inst, 2..inst.operands.len(), lane)?;
            let array = cx.array(inst, 1, lane)?;
            let new = array.replaced(&indices, cx.operand(inst, 0, lane));
            let new = new.ok_or_else(|| {
                let shape = array.shape();
                cx.error(
                    inst,
                    format!(
                        "cannot update at {:?} a tensor of shape {shape:?}",
                        &indices[..]
                    ),
                )
            })?;
            cx.set_result(inst, 0, lane, Datum::array(new));
        }
        Ok(Flow::Next)
    }
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
    tensor: Operand<AnyTensor>,
    /// Extents of the result, outermost first: but for the first, those of the tensor.
    sizes: VariadicOperand<Index>,
    /// Of the tensor's type.
    result: OpResult<AnyTensor>,
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

/// The same elements, in row-major order, under other extents with the same product.
///
/// ```mlir
/// %u = kernel.reshape %t to [%n, %m] : tensor<?xf32> -> tensor<?x?xf32>
/// ```
#[op(
    "kernel.reshape",
    interfaces(Effects, ShapeOf, Verify, Eval),
    format = "$tensor `to` ` ` `[` $sizes `]` attr-dict `:` type($tensor) `->` type($result)"
)]
pub struct ReshapeOp {
    tensor: Operand<AnyTensor>,
    /// New extents, outermost first; not negative.
    sizes: VariadicOperand<Index>,
    result: OpResult<AnyTensor>,
}

impl Effects for ReshapeOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        // It stops the program where the product differs.
        effects.push(Effect::of(EffectKind::Read));
    }
}

impl ShapeOf for ReshapeOp {
    fn extent(&self, ir: &Ir, op: Op, _: usize, dim: usize) -> Option<Value> {
        ReshapeOp::from_op(op).sizes(ir).get(dim).copied()
    }
}

impl Verify for ReshapeOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let reshape = ReshapeOp::from_op(op);
        one_extent_per_dimension(ir, reshape.sizes(ir).len(), reshape.result(ir), diags);
        let element = |value| {
            ir.value_type(value)
                .shaped(ir.ctx())
                .map(|(_, element)| element)
        };
        if element(reshape.tensor(ir)) != element(reshape.result(ir)) {
            diags.error("result must have the element type of operand `tensor`");
        }
    }
}

impl Eval for ReshapeOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let sizes = extents(cx, inst, 1, lane)?;
            let array = cx.array(inst, 0, lane)?;
            let new = array.reshaped(sizes.clone()).ok_or_else(|| {
                cx.error(
                    inst,
                    format!("cannot give shape {sizes:?} to {} elements", array.len()),
                )
            })?;
            cx.set_result(inst, 0, lane, Datum::array(new));
        }
        Ok(Flow::Next)
    }
}
