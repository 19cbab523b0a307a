//! Regions: scopes of allocations, and atomic updates by any pure computation.

use super::{AllocaOp, rank};
use segra_interp::{Cx, Eval, EvalResult, Flow, Inst, Lanes};
use segra_ir::constraint::{AnyType, Index, NumberMemRef, SignlessIntegerOrFloat};
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{
    Canonicalize, Effect, EffectKind, Effects, RegionBranch, RegionSuccessor, Rewriter, Verify,
    own_effects,
};
use segra_ir::{Ir, Op, OpView, Region, Trait, Type, op};
use segra_text::Syntax;
use std::ops::Range;

/// Memory allocated inside by `memref.alloca` ends with the region; what the region returns are the results.
#[op(
    "memref.alloca_scope",
    traits(RecursiveEffects, AllocationScope, NoRegionArguments),
    interfaces(RegionBranch, Canonicalize, Verify, Syntax, Eval)
)]
pub struct AllocaScopeOp {
    body_region: BlockRegion,
    results: VariadicResult<AnyType>,
}

impl RegionBranch for AllocaScopeOp {
    fn successors(&self, ir: &Ir, op: Op, from: Option<Region>) -> Vec<RegionSuccessor> {
        match from {
            Some(_) => vec![RegionSuccessor::Parent],
            None => vec![RegionSuccessor::Region(ir.region(op, 0))],
        }
    }
    fn entry_forwarded(&self, _ir: &Ir, _op: Op, _to: RegionSuccessor) -> Range<usize> {
        0..0
    }
    /// Memory allocated inside would live longer, unless the op around ends it right after.
    fn is_kept(&self, ir: &Ir, op: Op) -> bool {
        let ends = ir
            .parent_op(op)
            .is_some_and(|parent| ir.has_trait(parent, Trait::AllocationScope));
        may_allocate(ir, op) && !(ends && is_last(ir, op))
    }
}

/// Whether an op in the scope, and in no scope of its own, may allocate on the stack.
fn may_allocate(ir: &Ir, scope: Op) -> bool {
    let mut pending = vec![scope];
    while let Some(around) = pending.pop() {
        for op in ir
            .regions(around)
            .iter()
            .flat_map(|&region| ir.blocks(region))
            .flat_map(|block| ir.ops(block))
        {
            let recursive = ir.has_trait(op, Trait::RecursiveEffects);
            if ir.isa::<AllocaOp>(op) || !recursive && own_effects(ir, op).is_none() {
                return true;
            }
            if !ir.has_trait(op, Trait::AllocationScope) {
                pending.push(op);
            }
        }
    }
    false
}

/// Whether only a terminator follows in the only block of a region.
fn is_last(ir: &Ir, op: Op) -> bool {
    let Some(block) = ir.block_of(op) else {
        return false;
    };
    let Some(last) = ir
        .next_op(op)
        .filter(|&next| Some(next) == ir.last_op(block))
    else {
        return false;
    };
    let only = ir
        .block_region(block)
        .is_some_and(|region| ir.blocks(region).count() == 1);
    only && ir.info(last).is_none_or(|info| info.has(Trait::Terminator))
}

impl Canonicalize for AllocaScopeOp {
    /// Where everything around the scope ends with it, memory is allocated before all of it, in the next scope.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let mut outermost: Option<Op> = None;
        for around in ir.ancestors(op).skip(1) {
            if ir.has_trait(around, Trait::AllocationScope) {
                break;
            }
            if !is_last(ir, around) {
                return false;
            }
            outermost = Some(around);
        }
        let Some(outermost) = outermost.filter(|_| is_last(ir, op)) else {
            return false;
        };
        let has_scope = ir.ancestors(outermost).nth(1);
        if !has_scope.is_some_and(|around| ir.has_trait(around, Trait::AllocationScope)) {
            return false;
        }
        let is_inside = |value| {
            let owner = ir
                .value_block(value)
                .and_then(|block| ir.block_parent(block));
            owner.is_some_and(|owner| owner == outermost || ir.is_inside(owner, outermost))
        };
        let moved: Vec<Op> = ir
            .walk(op)
            .into_iter()
            .filter(|&inner| ir.isa::<AllocaOp>(inner) && !ir.operands(inner).any(is_inside))
            .collect();
        for &allocation in &moved {
            rewriter.modify(allocation, &mut |ir| ir.move_before(allocation, outermost));
        }
        !moved.is_empty()
    }
}

fn types(ir: &Ir, values: impl Iterator<Item = segra_ir::Value>) -> Vec<Type> {
    values.map(|value| ir.value_type(value)).collect()
}

impl Verify for AllocaScopeOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let last = ir.last_op(AllocaScopeOp::from_op(op).body_region_block(ir));
        let Some(last) = last.filter(|&last| ir.isa::<AllocaScopeReturnOp>(last)) else {
            diags.error("its region must end with memref.alloca_scope.return");
            return;
        };
        if types(ir, ir.operands(last)) != types(ir, ir.results(op)) {
            diags
                .error("results must have the types of what the region returns")
                .note(ir.loc(last), "the region ends here");
        }
    }
}

impl Eval for AllocaScopeOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        cx.run_region_with(&inst.regions[0], &[], &inst.results, lanes)?;
        Ok(Flow::Next)
    }
}

/// Ends `memref.alloca_scope`.
#[op(
    "memref.alloca_scope.return",
    traits(Pure, Terminator, ReturnLike),
    interfaces(Verify, Eval),
    format = "attr-dict ($results^ `:` type($results))?"
)]
pub struct AllocaScopeReturnOp {
    results: VariadicOperand<AnyType>,
}

impl Verify for AllocaScopeReturnOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        if !ir
            .parent_op(op)
            .is_some_and(|parent| ir.isa::<AllocaScopeOp>(parent))
        {
            diags.error("must end memref.alloca_scope");
        }
    }
}

impl Eval for AllocaScopeReturnOp {
    fn eval(&self, _cx: &mut Cx<'_>, _inst: &Inst, _lanes: &Lanes) -> EvalResult {
        Ok(Flow::Yield)
    }
}

/// Replaces an element by what the region computes from it, in one indivisible step; the result is the element before.
#[op("memref.generic_atomic_rmw", interfaces(Effects, Verify, Syntax, Eval))]
pub struct GenericAtomicRmwOp {
    memref: Operand<NumberMemRef>,
    indices: VariadicOperand<Index>,
    /// Its argument: the element before.
    atomic_body: BlockRegion,
    result: OpResult<SignlessIntegerOrFloat>,
}

impl Effects for GenericAtomicRmwOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::on(EffectKind::Read, ir.operand(op, 0)));
        effects.push(Effect::on(EffectKind::Write, ir.operand(op, 0)));
    }
}

impl Verify for GenericAtomicRmwOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = GenericAtomicRmwOp::from_op(op);
        let memref = ir.value_type(view.memref(ir));
        let result = ir.value_type(view.result(ir));
        if memref.element_or_self(ir.ctx()) != result {
            diags.error("the result must have the element type of `memref`");
        }
        let block = view.atomic_body_block(ir);
        if types(ir, ir.block_args(block).iter().copied()) != [result] {
            diags.error("its region must have one argument, of the type of the result");
        }
        if !ir
            .last_op(block)
            .is_some_and(|last| ir.isa::<AtomicYieldOp>(last))
        {
            diags.error("its region must end with memref.atomic_yield");
        }
        let mut pending: Vec<Op> = ir.ops(block).collect();
        while let Some(inner) = pending.pop() {
            let pure = own_effects(ir, inner).is_some_and(|effects| effects.is_empty());
            if !pure {
                diags
                    .error("its region may only hold ops without side effects")
                    .note(ir.loc(inner), "this one may have some");
                return;
            }
            let nested = ir
                .regions(inner)
                .iter()
                .flat_map(|&region| ir.blocks(region));
            pending.extend(nested.flat_map(|block| ir.ops(block)));
        }
    }
}

impl Eval for GenericAtomicRmwOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let region = &inst.regions[0];
        for lane in lanes.iter() {
            let one = Lanes::Some(vec![lane as u32]);
            let indices = cx.ints(inst, 1..inst.operands.len(), lane)?;
            let old = cx.memref(inst, 0, lane)?.load(&indices);
            let old = cx.check(inst, old)?;
            cx.set_arg(region, 0, lane, old.clone());
            cx.run_region(region, &one)?;
            let Some(&new) = region.yields.first() else {
                return Err(cx.error(inst, "yields nothing"));
            };
            let stored = cx.memref(inst, 0, lane)?.store(&indices, cx.get(new, lane));
            cx.check(inst, stored)?;
            cx.set_result(inst, 0, lane, old);
        }
        Ok(Flow::Next)
    }
}

/// Ends the region of `memref.generic_atomic_rmw`: the new element.
#[op(
    "memref.atomic_yield",
    traits(Pure, Terminator, ReturnLike),
    interfaces(Verify, Eval),
    format = "$result attr-dict `:` type($result)"
)]
pub struct AtomicYieldOp {
    result: Operand<AnyType>,
}

impl Verify for AtomicYieldOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let parent = ir
            .parent_op(op)
            .and_then(|parent| ir.cast::<GenericAtomicRmwOp>(parent));
        let Some(parent) = parent else {
            diags.error("must end the region of memref.generic_atomic_rmw");
            return;
        };
        if ir.value_type(ir.operand(op, 0)) != ir.value_type(parent.result(ir)) {
            diags.error("operand `result` must have the type of the op's result");
        }
    }
}

impl Eval for AtomicYieldOp {
    fn eval(&self, _cx: &mut Cx<'_>, _inst: &Inst, _lanes: &Lanes) -> EvalResult {
        Ok(Flow::Yield)
    }
}

/// Whether memory that ends with a region may be allocated here: some op around says when it ends. One that is not
/// registered may.
pub(super) fn is_in_scope(ir: &Ir, op: Op) -> bool {
    let mut around = ir.ancestors(op).skip(1);
    around.any(|op| {
        ir.info(op)
            .is_none_or(|info| info.has(Trait::AllocationScope))
    })
}

/// Checks the number of indices against the rank.
pub(super) fn verify_indices(ir: &Ir, memref: Type, indices: usize, diags: &mut OpDiagnostics<'_>) {
    let rank = rank(ir.ctx(), memref);
    if indices != rank {
        diags.error(format!(
            "needs {rank} `indices` by the type of `memref`, not {indices}"
        ));
    }
}
