//! Allocation.

use super::check_extents;
use segra_interp::array::element_count;
use segra_interp::{
    Buffer, Cx, Datum, Elem, Eval, EvalResult, Fault, Flow, Inst, Lanes, MemRefValue, Prepare,
    Prepared,
};
use segra_ir::constraint::{AlignmentAttr, AnyMemRef, Index, RankedOrUnrankedMemRef};
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{
    Canonicalize, Effect, EffectKind, Effects, PromotableAllocation, ShapeOf, Verify,
};
use segra_ir::types::DYNAMIC;
use segra_ir::{Context, Ir, Op, OpView, Type, op};

/// Memory that lives until `memref.dealloc`. It starts as zeros when evaluated (upstream: undefined).
#[op(
    "memref.alloc",
    interfaces(Effects, ShapeOf, Canonicalize, Verify, Eval),
    format = "`(` $dynamic_sizes `)` (`` `[` $symbol_operands^ `]`)? attr-dict `:` type($memref)"
)]
pub struct AllocOp {
    /// One per extent the type leaves open.
    dynamic_sizes: VariadicOperand<Index>,
    symbol_operands: VariadicOperand<Index>,
    /// In bytes.
    alignment: OptionalAttr<AlignmentAttr>,
    memref: OpResult<AnyMemRef>,
}

/// Memory that lives until the region around it ends. It starts as zeros when evaluated (upstream: undefined).
#[op(
    "memref.alloca",
    interfaces(Effects, PromotableAllocation, ShapeOf, Canonicalize, Verify, Eval),
    format = "`(` $dynamic_sizes `)` (`` `[` $symbol_operands^ `]`)? attr-dict `:` type($memref)"
)]
pub struct AllocaOp {
    /// One per extent the type leaves open.
    dynamic_sizes: VariadicOperand<Index>,
    symbol_operands: VariadicOperand<Index>,
    /// In bytes.
    alignment: OptionalAttr<AlignmentAttr>,
    memref: OpResult<AnyMemRef>,
}

/// Gives memory of `memref.alloc` back.
#[op(
    "memref.dealloc",
    interfaces(Effects, Canonicalize, Eval),
    format = "$memref attr-dict `:` type($memref)"
)]
pub struct DeallocOp {
    memref: Operand<RankedOrUnrankedMemRef>,
}

impl Effects for AllocOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::on(EffectKind::Allocate, ir.result(op, 0)));
    }
}
impl Effects for AllocaOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::on(EffectKind::Allocate, ir.result(op, 0)));
    }
}
impl Effects for DeallocOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::on(EffectKind::Free, ir.operand(op, 0)));
    }
}

impl Verify for AllocOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = AllocOp::from_op(op);
        verify_sizes(
            ir,
            op,
            view.dynamic_sizes(ir).len(),
            view.symbol_operands(ir).len(),
            diags,
        );
    }
}
impl Verify for AllocaOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = AllocaOp::from_op(op);
        verify_sizes(
            ir,
            op,
            view.dynamic_sizes(ir).len(),
            view.symbol_operands(ir).len(),
            diags,
        );
        if !super::scope::is_in_scope(ir, op) {
            diags.error("needs an op around it that ends the memory: a function, a loop, memref.alloca_scope",
            );
        }
    }
}

fn verify_sizes(ir: &Ir, op: Op, given: usize, symbols: usize, diags: &mut OpDiagnostics<'_>) {
    let shape = ir.value_type(ir.result(op, 0)).shaped(ir.ctx());
    let open = shape.map_or(0, |(shape, _)| {
        shape.iter().filter(|&&extent| extent == DYNAMIC).count()
    });
    if given != open {
        diags.error(format!(
            "needs {open} `dynamic_sizes` by its type, not {given}"
        ));
    }
    let wanted = segra_ir::layout::num_symbols(ir.ctx(), ir.value_type(ir.result(op, 0)));
    if symbols != wanted {
        diags.error(format!(
            "needs {wanted} `symbol_operands` by its layout, not {symbols}"
        ));
    }
}

/// The facts about a type that an allocation needs.
pub(super) struct Allocation {
    elem: Elem,
    shape: Vec<i64>,
}

impl Allocation {
    pub(super) fn of(ctx: &Context, ty: Type) -> Result<Allocation, Fault> {
        let (shape, element) = ty
            .shaped(ctx)
            .ok_or_else(|| Fault::new("allocates no ranked memref"))?;
        let elem = Elem::of(ctx, element);
        let elem = elem.ok_or_else(|| {
            Fault::new("allocates elements of a format that is not computed with")
        })?;
        Ok(Allocation {
            elem,
            shape: shape.to_vec(),
        })
    }
    /// Fresh zeros; `dynamic` are the extents the type leaves open.
    pub(super) fn make(&self, cx: &Cx<'_>, dynamic: &[i64]) -> Result<MemRefValue, Fault> {
        let mut dynamic = dynamic.iter();
        let sizes: Vec<i64> = self
            .shape
            .iter()
            .map(|&extent| {
                if extent == DYNAMIC {
                    dynamic.next().copied().unwrap_or(0)
                } else {
                    extent
                }
            })
            .collect();
        check_extents(&sizes, &self.shape)?;
        let extents: Option<Vec<usize>> = sizes.iter().map(|&size| size.try_into().ok()).collect();
        let extents =
            extents.ok_or_else(|| Fault::new(format!("has a negative extent: {sizes:?}")))?;
        let count = cx.check_allocation(element_count(&extents))?;
        MemRefValue::row_major(Buffer::zeros(self.elem, count), &sizes)
            .ok_or_else(|| Fault::new("has extents that do not fit its memory"))
    }
}

fn prepare_allocation(p: &Prepare<'_>) -> Result<Prepared, Fault> {
    let ty = p.ir.value_type(p.ir.result(p.op, 0));
    Allocation::of(p.ir.ctx(), ty).map(Prepared::other)
}

fn eval_allocation(cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
    let Some(allocation) = inst.data::<Allocation>() else {
        return Err(cx.error(inst, "is not prepared"));
    };
    let open = allocation
        .shape
        .iter()
        .filter(|&&extent| extent == DYNAMIC)
        .count();
    for lane in lanes.iter() {
        let dynamic = cx.ints(inst, 0..open.min(inst.operands.len()), lane)?;
        let memref = cx.check(inst, allocation.make(cx, &dynamic))?;
        cx.set_result(inst, 0, lane, Datum::memref(memref));
    }
    Ok(Flow::Next)
}

impl Eval for AllocOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        prepare_allocation(p)
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        eval_allocation(cx, inst, lanes)
    }
}
impl Eval for AllocaOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        prepare_allocation(p)
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        eval_allocation(cx, inst, lanes)
    }
}

impl Eval for DeallocOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let freed = cx.memref(inst, 0, lane)?.buffer.free();
            cx.check(inst, freed)?;
        }
        Ok(Flow::Next)
    }
}
