//! `scf.forall`: a parallel loop whose iterations put their parts of tensors together.

use super::types;
use segra_ir::constraint::{AnyType, ArrayAttr, DenseI64Attr, Index, RankedTensor};
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{Canonicalize, LoopLike, Verify};
use segra_ir::types::DYNAMIC;
use segra_ir::{Attr, Context, Ir, Op, OpView, Region, Value, op};
use smallvec::{SmallVec, smallvec};

/// A loop nest whose iterations may run in any order; each may insert into the outputs, at its end. It has no evaluation
/// rule here: tensors are not computed with.
#[op(
    "scf.forall",
    traits(RecursiveEffects, AllocationScope),
    interfaces(LoopLike, Canonicalize, Verify)
)]
pub struct ForallOp {
    dynamic_lower_bound: VariadicOperand<Index>,
    dynamic_upper_bound: VariadicOperand<Index>,
    dynamic_step: VariadicOperand<Index>,
    outputs: VariadicOperand<RankedTensor>,
    #[name("staticLowerBound")]
    static_lower_bound: Attr<DenseI64Attr>,
    #[name("staticUpperBound")]
    static_upper_bound: Attr<DenseI64Attr>,
    #[name("staticStep")]
    static_step: Attr<DenseI64Attr>,
    /// Which unit of the machine runs which dimension.
    mapping: OptionalAttr<ArrayAttr>,
    /// Arguments: one index per dimension, then the outputs.
    region: BlockRegion,
    results: VariadicResult<AnyType>,
}

/// The device unit that an entry of a mapping names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MappingRole {
    /// Which unit, or which memory.
    Unit,
    /// Which of the units.
    Mask,
}

impl MappingRole {
    /// Told by name, since the dialect of devices is not known here and need not be registered.
    fn of(ctx: &Context, attr: Attr) -> Option<MappingRole> {
        match attr.dialect_name(ctx)? {
            ("gpu", "mask") => Some(MappingRole::Mask),
            ("gpu", "block" | "lane" | "memory_space" | "thread" | "warp" | "warpgroup") => {
                Some(MappingRole::Unit)
            }
            _ => None,
        }
    }
}

impl LoopLike for ForallOp {
    fn loop_regions(&self, ir: &Ir, op: Op) -> SmallVec<[Region; 2]> {
        smallvec![ForallOp::from_op(op).region(ir)]
    }
    fn induction_vars(&self, ir: &Ir, op: Op) -> Vec<Value> {
        let view = ForallOp::from_op(op);
        let rank = view.static_upper_bound(ir).len();
        ir.block_args(view.region_block(ir))
            .iter()
            .copied()
            .take(rank)
            .collect()
    }
}

impl Verify for ForallOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = ForallOp::from_op(op);
        let rank = view.static_upper_bound(ir).len();
        let outputs = types(ir, view.outputs(ir));
        if types(ir, view.results(ir)) != outputs {
            diags.error("results must have the types of operands `outputs`");
        }
        let args = types(ir, ir.block_args(view.region_block(ir)).iter().copied());
        if args.len() != rank + outputs.len() {
            diags.error("the body needs an argument per dimension and per output");
        } else {
            if args[..rank].iter().any(|ty| !ty.is_index(ir.ctx())) {
                diags.error("the body's first arguments must be of type index");
            }
            if args[rank..] != outputs[..] {
                diags.error("the body's other arguments must have the types of operands `outputs`");
            }
        }
        let mapping = view.mapping(ir).unwrap_or_default();
        let roles: Vec<Option<MappingRole>> = mapping
            .iter()
            .map(|&attr| MappingRole::of(ir.ctx(), attr))
            .collect();
        if roles.contains(&None) {
            diags.error("attribute `mapping` must say of a device what runs a dimension");
        }
        // One more entry may say which units take part: a mask.
        let mask = Some(MappingRole::Mask);
        let masks = roles.iter().filter(|&&role| role == mask).count();
        if masks > 1 {
            diags.error("attribute `mapping` may have one mask, not more");
        }
        if !mapping.is_empty() && mapping.len() - masks != rank {
            diags.error("attribute `mapping` needs one entry per dimension");
        }
        for (name, fixed, given) in [
            (
                "lower bound",
                view.static_lower_bound(ir),
                view.dynamic_lower_bound(ir),
            ),
            (
                "upper bound",
                view.static_upper_bound(ir),
                view.dynamic_upper_bound(ir),
            ),
            ("step", view.static_step(ir), view.dynamic_step(ir)),
        ] {
            let open = fixed.iter().filter(|&&value| value == DYNAMIC).count();
            if fixed.len() != rank || open != given.len() {
                diags.error(format!(
                    "needs one {name} per dimension, fixed or as an operand"
                ));
            }
        }
        let last = ir.last_op(view.region_block(ir));
        if !last.is_some_and(|last| ir.isa::<InParallelOp>(last)) {
            diags.error("the body must end with scf.forall.in_parallel");
        }
    }
}

/// Ends the body of `scf.forall`: what each iteration inserts into the outputs.
#[op(
    "scf.forall.in_parallel",
    traits(Pure, Terminator, NoTerminator, GraphRegion),
    interfaces(Verify)
)]
pub struct InParallelOp {
    region: BlockRegion,
}

impl Verify for InParallelOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        if !ir
            .parent_op(op)
            .is_some_and(|parent| ir.isa::<ForallOp>(parent))
        {
            diags.error("must end the body of scf.forall");
        }
        let view = InParallelOp::from_op(op);
        // Ops that are not registered may be combining ones.
        if let Some(other) = ir
            .ops(view.region_block(ir))
            .find(|&inner| ir.info(inner).is_some())
        {
            diags
                .error("may only hold ops that combine results of iterations")
                .note(ir.loc(other), "this one does not");
        }
    }
}
