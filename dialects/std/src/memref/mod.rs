//! `memref`: memory that is allocated, viewed, read and written.
//!
//! Indices are checked when evaluated. Results that are views share the memory of their source.

mod access;
mod alloc;
mod canonical;
mod expand_collapse;
mod extent;
mod global;
mod hints;
mod reshape;
mod scope;
mod slot;
mod static_types;
mod syntax;
mod view;

use segra_interp::{Fault, MemRefValue};
use segra_ir::def::Origin;
use segra_ir::diag::OpDiagnostics;
use segra_ir::types::DYNAMIC;
use segra_ir::{Attr, Context, Dialect, Ir, OpDef, OpView, Type, TypeKind};

pub use canonical::look_through_casts;
pub use segra_ir::layout::strides_and_offset;

pub use access::{
    AtomicRmwKind, AtomicRmwKindAttr, AtomicRmwOp, CopyOp, DimOp, LOAD_HINT, LoadHint, LoadOp,
    MEMORY_ORDER, StoreOp,
};
pub(crate) use access::{fold_dim, verify_hint};
pub use alloc::{AllocOp, AllocaOp, DeallocOp};
pub use extent::{Stated, dim_of, extent_of, stated_extent};
pub use global::{GetGlobalOp, GlobalOp};
pub use hints::{
    AssumeAlignmentOp, DistinctObjectsOp, DmaStartOp, DmaWaitOp, ExtractAlignedPointerAsIndexOp,
    ExtractStridedMetadataOp, LocalityAttr, PrefetchOp, RankOp, ReallocOp,
};
pub use reshape::{
    CollapseShapeOp, ExpandShapeOp, MemorySpaceCastOp, ReshapeOp, TransposeOp, ViewOp,
};
pub use scope::{AllocaScopeOp, AllocaScopeReturnOp, AtomicYieldOp, GenericAtomicRmwOp};
pub use view::{CastOp, ReinterpretCastOp, SubViewOp};

const OPS: &[&OpDef] = &[
    AllocOp::DEF,
    AllocaOp::DEF,
    AllocaScopeOp::DEF,
    AllocaScopeReturnOp::DEF,
    AssumeAlignmentOp::DEF,
    AtomicRmwOp::DEF,
    AtomicYieldOp::DEF,
    CastOp::DEF,
    CollapseShapeOp::DEF,
    CopyOp::DEF,
    DeallocOp::DEF,
    DimOp::DEF,
    DistinctObjectsOp::DEF,
    DmaStartOp::DEF,
    DmaWaitOp::DEF,
    ExpandShapeOp::DEF,
    ExtractAlignedPointerAsIndexOp::DEF,
    ExtractStridedMetadataOp::DEF,
    GenericAtomicRmwOp::DEF,
    GetGlobalOp::DEF,
    GlobalOp::DEF,
    LoadOp::DEF,
    MemorySpaceCastOp::DEF,
    PrefetchOp::DEF,
    RankOp::DEF,
    ReallocOp::DEF,
    ReinterpretCastOp::DEF,
    ReshapeOp::DEF,
    StoreOp::DEF,
    SubViewOp::DEF,
    TransposeOp::DEF,
    ViewOp::DEF,
];

/// The dialect.
pub fn dialect() -> Dialect {
    Dialect {
        name: "memref",
        origin: Origin::Upstream,
        doc: "Memory that is allocated, viewed, read and written.",
        ops: OPS.to_vec(),
        ..Dialect::default()
    }
}

/// Rank of a ranked memref.
fn rank(ctx: &Context, ty: Type) -> usize {
    ty.shaped(ctx).map_or(0, |row| row.0.len())
}

/// The memory space of a memref.
pub(crate) fn space(ctx: &Context, ty: Type) -> Option<Attr> {
    match ctx.type_kind(ty) {
        TypeKind::MemRef { space, .. } | TypeKind::UnrankedMemRef { space, .. } => *space,
        _ => None,
    }
}

fn verify_same_space(ir: &Ir, from: Type, to: Type, diags: &mut OpDiagnostics<'_>) {
    if space(ir.ctx(), from) != space(ir.ctx(), to) {
        diags.error("operand `source` and the result must be in one memory space");
    }
}

fn verify_same_space_and_element(ir: &Ir, from: Type, to: Type, diags: &mut OpDiagnostics<'_>) {
    verify_same_space(ir, from, to, diags);
    if from.element_or_self(ir.ctx()) != to.element_or_self(ir.ctx()) {
        diags.error("operand `source` and the result must have one element type");
    }
}

/// Checks that a value fits what its type says about extents.
fn check_extents(sizes: &[i64], shape: &[i64]) -> Result<(), Fault> {
    let fits = sizes.len() == shape.len()
        && sizes
            .iter()
            .zip(shape)
            .all(|(&size, &extent)| extent == DYNAMIC || extent == size);
    if fits {
        Ok(())
    } else {
        Err(Fault::new(format!(
            "has extents {sizes:?}, which its type does not allow"
        )))
    }
}

/// Checks that a view stays inside its buffer.
fn check_view(view: &MemRefValue) -> Result<(), Fault> {
    let (mut low, mut high) = (i128::from(view.offset), i128::from(view.offset));
    for (&size, &stride) in view.sizes.iter().zip(&view.strides) {
        if size < 0 {
            return Err(Fault::new(format!(
                "has a negative extent: {:?}",
                view.sizes
            )));
        }
        if size == 0 {
            return Ok(());
        }
        let reach = i128::from(size - 1) * i128::from(stride);
        low += reach.min(0);
        high += reach.max(0);
    }
    let len = view.buffer.len();
    if low < 0 || high >= len as i128 {
        return Err(Fault::new(format!(
            "reaches from {low} to {high} in a buffer of {len} elements"
        )));
    }
    Ok(())
}
