//! `vector.transfer_read` and `vector.transfer_write`: blocks of memory or tensors, dimensions permuted, with bounds.

use super::VectorShape;
use super::shape::bits;
use segra_ir::attrs::{AffineExpr, AffineMap};
use segra_ir::constraint::{
    AffineMapAttr, AnyShaped, AnyType, AnyVector, BoolArrayAttr, BoolVector, Index, RankedTensor,
};
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{Canonicalize, Effect, EffectKind, Effects, Speculation, Verify};
use segra_ir::{Context, Ir, Op, OpDef, OpView, Type, TypeKind, Value, op};
use segra_text::Syntax;

/// The ops of this file.
pub(super) const OPS: &[&OpDef] = &[TransferReadOp::DEF, TransferWriteOp::DEF];

/// A vector of the elements from an index on; `padding` where they are out of bounds or masked.
#[op(
    "vector.transfer_read",
    interfaces(Effects, Speculation, Canonicalize, Verify, Syntax)
)]
pub struct TransferReadOp {
    base: Operand<AnyShaped>,
    indices: VariadicOperand<Index>,
    padding: Operand<AnyType>,
    mask: OptionalOperand<BoolVector>,
    /// The dimension of `base` for each dimension of the vector; 0 for one that is repeated.
    permutation_map: Attr<AffineMapAttr>,
    /// For each dimension of the vector, whether it certainly stays in bounds.
    in_bounds: Attr<BoolArrayAttr>,
    vector: OpResult<AnyVector>,
}

/// Writes a vector to the elements from an index on.
#[op(
    "vector.transfer_write",
    interfaces(Effects, Speculation, Canonicalize, Verify, Syntax)
)]
pub struct TransferWriteOp {
    value_to_store: Operand<AnyVector>,
    base: Operand<AnyShaped>,
    indices: VariadicOperand<Index>,
    mask: OptionalOperand<BoolVector>,
    /// The dimension of `base` for each dimension of the vector.
    permutation_map: Attr<AffineMapAttr>,
    /// For each dimension of the vector, whether it certainly stays in bounds.
    in_bounds: Attr<BoolArrayAttr>,
    /// The tensor with the block replaced.
    result: OptionalResult<RankedTensor>,
}

/// The mask of a transfer: extents of the vector in the order of the dimensions of `base` it covers.
pub(super) fn mask_of_transfer(ctx: &Context, vector: Type, map: &AffineMap) -> Option<Type> {
    let vector = VectorShape::of(ctx, vector);
    let mut used: Vec<(u32, usize)> = map
        .results
        .iter()
        .enumerate()
        .filter_map(|(position, result)| match result {
            AffineExpr::Dim(dim) => Some((*dim, position)),
            _ => None,
        })
        .collect();
    used.sort_unstable();
    let mut shape = Vec::new();
    let mut scalable = Vec::new();
    for (_, position) in used {
        shape.push(*vector.shape.get(position)?);
        scalable.push(*vector.scalable.get(position)?);
    }
    if shape.is_empty() {
        shape.push(1);
        scalable.push(false);
    }
    Some(ctx.ty(TypeKind::Vector {
        shape,
        scalable,
        element: ctx.i1(),
    }))
}

/// Both kinds of transfer.
struct Transfer<'a> {
    base: Type,
    indices: usize,
    vector: Type,
    mask: Option<Type>,
    map: &'a AffineMap,
    in_bounds: usize,
}

impl Transfer<'_> {
    /// Checks the map against the ranks of `base` and of the vector.
    fn check_map(&self, rank: usize, outer: usize) -> Result<(), &'static str> {
        if self.map.symbols != 0
            || self.map.dims as usize != rank
            || self.map.results.len() != outer
        {
            return Err(
                "attribute `permutation_map` must go from the dimensions of `base` to those of the vector",
            );
        }
        let mut seen = vec![false; self.map.dims as usize];
        for result in &self.map.results {
            let fits = match result {
                AffineExpr::Constant(0) => true,
                AffineExpr::Dim(dim) => seen
                    .get_mut(*dim as usize)
                    .is_some_and(|seen| !std::mem::replace(seen, true)),
                _ => false,
            };
            if !fits {
                return Err("attribute `permutation_map` may name each dimension once, and 0");
            }
        }
        Ok(())
    }
    fn check(&self, ctx: &Context) -> Result<(), String> {
        let (TypeKind::MemRef { shape, element, .. } | TypeKind::Tensor { shape, element, .. }) =
            ctx.type_kind(self.base)
        else {
            return Err("operand `base` must be a memref or tensor of known rank".to_owned());
        };
        if self.indices != shape.len() {
            return Err(format!(
                "needs {} `indices` by the type of `base`, not {}",
                shape.len(),
                self.indices
            ));
        }
        let vector = VectorShape::of(ctx, self.vector);
        let row = |shape: &[i64], element: Type| {
            Some(bits(ctx, element)?.saturating_mul(shape.last().copied().unwrap_or(1)))
        };
        let (outer, unit) = match ctx.type_kind(*element) {
            TypeKind::Vector {
                shape: inner,
                element: scalar,
                ..
            } => {
                if self.mask.is_some() {
                    return Err("cannot have a mask where `base` holds vectors".to_owned());
                }
                let outer = vector.shape.len().checked_sub(inner.len());
                let outer = outer
                    .ok_or("the vector must not have a lower rank than the vectors of `base`")?;
                (outer, row(inner, *scalar))
            }
            _ => (vector.shape.len(), bits(ctx, *element)),
        };
        if let (Some(whole), Some(unit)) = (row(vector.shape, vector.element), unit)
            && unit != 0
            && whole % unit != 0
        {
            return Err("rows of the vector must be whole elements of `base`".to_owned());
        }
        self.check_map(shape.len(), outer)?;
        if self.mask.is_some() && self.mask != mask_of_transfer(ctx, self.vector, self.map) {
            return Err(
                "operand `mask` must have the extents of the vector in the order of `base`"
                    .to_owned(),
            );
        }
        if self.in_bounds != outer {
            return Err(
                "attribute `in_bounds` needs an entry per result of `permutation_map`".to_owned(),
            );
        }
        Ok(())
    }
}

impl Verify for TransferReadOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let view = TransferReadOp::from_op(op);
        let base = ir.value_type(view.base(ir));
        let transfer = Transfer {
            base,
            indices: view.indices(ir).len(),
            vector: ir.value_type(view.vector(ir)),
            mask: view.mask(ir).map(|mask| ir.value_type(mask)),
            map: view.permutation_map(ir),
            in_bounds: view.in_bounds(ir).len(),
        };
        if let Err(message) = transfer.check(ctx) {
            diags.error(message);
        } else if ir.value_type(view.padding(ir)) != base.element_or_self(ctx) {
            diags.error("operand `padding` must have the element type of `base`");
        }
    }
}

impl Verify for TransferWriteOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let view = TransferWriteOp::from_op(op);
        let base = ir.value_type(view.base(ir));
        let transfer = Transfer {
            base,
            indices: view.indices(ir).len(),
            vector: ir.value_type(view.value_to_store(ir)),
            mask: view.mask(ir).map(|mask| ir.value_type(mask)),
            map: view.permutation_map(ir),
            in_bounds: view.in_bounds(ir).len(),
        };
        if let Err(message) = transfer.check(ctx) {
            diags.error(message);
        } else if transfer
            .map
            .results
            .iter()
            .any(|result| !matches!(result, AffineExpr::Dim(_)))
        {
            diags.error("attribute `permutation_map` must not repeat dimensions");
        }
        let is_tensor = matches!(ctx.type_kind(base), TypeKind::Tensor { .. });
        let result = view.result(ir).map(|result| ir.value_type(result));
        if result != is_tensor.then_some(base) {
            diags.error("has a result just where `base` is a tensor, and of its type");
        }
    }
}

fn on_memory(ir: &Ir, base: Value) -> bool {
    matches!(
        ir.ctx().type_kind(ir.value_type(base)),
        TypeKind::MemRef { .. }
    )
}

impl Speculation for TransferReadOp {
    /// Tensors have no memory that could not be there.
    fn is_speculatable(&self, ir: &Ir, op: Op) -> bool {
        !on_memory(ir, TransferReadOp::from_op(op).base(ir))
    }
}
impl Speculation for TransferWriteOp {
    fn is_speculatable(&self, ir: &Ir, op: Op) -> bool {
        !on_memory(ir, TransferWriteOp::from_op(op).base(ir))
    }
}

impl Effects for TransferReadOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        let base = TransferReadOp::from_op(op).base(ir);
        if on_memory(ir, base) {
            effects.push(Effect::on(EffectKind::Read, base));
        }
    }
}
impl Effects for TransferWriteOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        let base = TransferWriteOp::from_op(op).base(ir);
        if on_memory(ir, base) {
            effects.push(Effect::on(EffectKind::Write, base));
        }
    }
}
