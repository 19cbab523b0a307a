//! Vectors from and to memory: consecutive elements along the last dimensions.

use super::prepared_shape;
use segra_interp::{
    ArrayValue, Cx, Datum, Elements, Eval, EvalResult, Fault, Flow, Inst, Lanes, MemRefValue,
    Prepare, Prepared,
};
use segra_ir::constraint::{AlignmentAttr, AnyMemRef, AnyVector, FlagAttr, Index};
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{Canonicalize, Effect, EffectKind, Effects, Verify};
use segra_ir::{Ir, Op, OpView, Type, TypeKind, op};

/// The elements at an index and, along the last dimensions, after it, as a vector.
#[op(
    "vector.load",
    interfaces(Effects, Canonicalize, Verify, Eval),
    format = "$base `[` $indices `]` attr-dict `:` type($base) `,` type($result)"
)]
pub struct LoadOp {
    base: Operand<AnyMemRef>,
    indices: VariadicOperand<Index>,
    nontemporal: OptionalAttr<FlagAttr>,
    /// In bytes.
    alignment: OptionalAttr<AlignmentAttr>,
    result: OpResult<AnyVector>,
}

/// Writes a vector to the elements at an index and, along the last dimensions, after it.
#[op(
    "vector.store",
    interfaces(Effects, Canonicalize, Verify, Eval),
    format = "$value_to_store `,` $base `[` $indices `]` attr-dict `:` type($base) `,` type($value_to_store)"
)]
pub struct StoreOp {
    value_to_store: Operand<AnyVector>,
    base: Operand<AnyMemRef>,
    indices: VariadicOperand<Index>,
    nontemporal: OptionalAttr<FlagAttr>,
    /// In bytes.
    alignment: OptionalAttr<AlignmentAttr>,
}

impl Effects for LoadOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::on(EffectKind::Read, LoadOp::from_op(op).base(ir)));
    }
}
impl Effects for StoreOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::on(EffectKind::Write, StoreOp::from_op(op).base(ir)));
    }
}

fn verify_access(ir: &Ir, base: Type, indices: usize, vector: Type, diags: &mut OpDiagnostics<'_>) {
    let ctx = ir.ctx();
    let (Some((shape, element)), Some((inner, other))) = (base.shaped(ctx), vector.shaped(ctx))
    else {
        return;
    };
    if indices != shape.len() {
        let rank = shape.len();
        diags.error(format!(
            "needs {rank} `indices` by the type of `base`, not {indices}"
        ));
    }
    // Memory may hold vectors: then one of them is accessed.
    let same = if element.shaped(ctx).is_some() {
        element == vector
    } else {
        element == other
    };
    if !same {
        diags.error("operand `base` and the vector must have one element type");
    }
    if inner.len() > shape.len() {
        diags.error("the vector must not have a higher rank than operand `base`");
    }
    let single = inner.iter().all(|&extent| extent == 1)
        && !matches!(ctx.type_kind(vector), TypeKind::Vector { scalable, .. } if scalable.contains(&true));
    if !single && !segra_ir::layout::has_unit_last_stride(ctx, base) {
        diags.error("neighbours along the last dimension of `base` must be neighbours in memory");
    }
}

impl Verify for LoadOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = LoadOp::from_op(op);
        let (base, vector) = (ir.value_type(view.base(ir)), ir.value_type(view.result(ir)));
        verify_access(ir, base, view.indices(ir).len(), vector, diags);
        crate::memref::verify_hint(ir, op, diags);
    }
}
impl Verify for StoreOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = StoreOp::from_op(op);
        let (base, vector) = (
            ir.value_type(view.base(ir)),
            ir.value_type(view.value_to_store(ir)),
        );
        verify_access(ir, base, view.indices(ir).len(), vector, diags);
    }
}

/// Calls `visit` with each position in the vector and the index in memory it stands for.
fn each_index(
    shape: &[usize],
    start: &[i64],
    mut visit: impl FnMut(usize, &[i64]) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let outer = start.len().checked_sub(shape.len());
    let outer =
        outer.ok_or_else(|| Fault::new("accesses memory of a lower rank than the vector"))?;
    let mut index = start.to_vec();
    for position in 0..shape.iter().product() {
        let mut rest = position;
        for dim in (0..shape.len()).rev() {
            index[outer + dim] = start[outer + dim].wrapping_add((rest % shape[dim]) as i64);
            rest /= shape[dim];
        }
        visit(position, &index)?;
    }
    Ok(())
}

fn load(memref: &MemRefValue, start: &[i64], shape: &[usize]) -> Result<Datum, Fault> {
    let elem = memref.buffer.elem();
    let mut elements = Elements::with_capacity(elem, shape.iter().product());
    let unfit = || Fault::new("reads elements of another format");
    each_index(shape, start, |_, index| {
        let value = memref.load(index)?;
        elements.push(&value).ok_or_else(unfit)
    })?;
    ArrayValue::new(elem, shape.to_vec(), elements)
        .map(Datum::vector)
        .ok_or_else(unfit)
}

fn store(memref: &MemRefValue, start: &[i64], vector: &ArrayValue) -> Result<(), Fault> {
    each_index(vector.shape(), start, |position, index| {
        let value = vector
            .get(position)
            .ok_or_else(|| Fault::new("writes a vector without elements"))?;
        memref.store(index, &value)
    })
}

impl Eval for LoadOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        prepared_shape(p)
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let Some(shape) = inst.data::<Vec<usize>>() else {
            return Err(cx.error(inst, "is not prepared"));
        };
        for lane in lanes.iter() {
            let start = cx.ints(inst, 1..inst.operands.len(), lane)?;
            let loaded = load(cx.memref(inst, 0, lane)?, &start, shape);
            let value = cx.check(inst, loaded)?;
            cx.set_result(inst, 0, lane, value);
        }
        Ok(Flow::Next)
    }
}

impl Eval for StoreOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let start = cx.ints(inst, 2..inst.operands.len(), lane)?;
            let Some(vector) = cx.operand(inst, 0, lane).as_vector() else {
                return Err(cx.error(inst, "needs a vector"));
            };
            let stored = store(cx.memref(inst, 1, lane)?, &start, vector);
            cx.check(inst, stored)?;
        }
        Ok(Flow::Next)
    }
}
