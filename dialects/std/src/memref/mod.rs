//! `memref`: memory that is allocated, viewed, read and written.
//!
//! Indices are checked when evaluated. Results that are views share the memory of their source.

mod access;
mod alloc;
mod global;
mod slot;
mod view;

use segra_interp::{Fault, MemRefValue};
use segra_ir::interfaces::{Effect, EffectKind};
use segra_ir::types::DYNAMIC;
use segra_ir::{AttrKind, Context, Dialect, OpDef, OpView, Type, TypeKind, Value};

pub use access::{
    AtomicRmwKind, AtomicRmwKindAttr, AtomicRmwOp, CopyOp, DimOp, LoadOp, MEMORY_ORDER, StoreOp,
};
pub use alloc::{AllocOp, AllocaOp, DeallocOp};
pub use global::{GetGlobalOp, GlobalOp};
pub use view::{CastOp, ReinterpretCastOp, SubViewOp};

const OPS: &[&OpDef] = &[
    AllocOp::DEF,
    AllocaOp::DEF,
    AtomicRmwOp::DEF,
    CastOp::DEF,
    CopyOp::DEF,
    DeallocOp::DEF,
    DimOp::DEF,
    GetGlobalOp::DEF,
    GlobalOp::DEF,
    LoadOp::DEF,
    ReinterpretCastOp::DEF,
    StoreOp::DEF,
    SubViewOp::DEF,
];

/// The dialect.
pub fn dialect() -> Dialect {
    Dialect {
        name: "memref",
        doc: "Memory that is allocated, viewed, read and written.",
        ops: OPS.to_vec(),
        ..Dialect::default()
    }
}

/// Rank of a ranked memref.
fn rank(ctx: &Context, ty: Type) -> usize {
    ty.shaped(ctx).map_or(0, |row| row.0.len())
}

/// Strides and offset of a memref's layout, [`DYNAMIC`] where only run time knows; `None` for layouts that are not strided.
pub fn strides_and_offset(ctx: &Context, ty: Type) -> Option<(Vec<i64>, i64)> {
    let TypeKind::MemRef { shape, layout, .. } = ctx.type_kind(ty) else { return None };
    match layout.map(|layout| ctx.attr_kind(layout)) {
        None => {
            let mut strides = vec![1i64; shape.len()];
            for dim in (1..shape.len()).rev() {
                let known = strides[dim] != DYNAMIC && shape[dim] != DYNAMIC;
                strides[dim - 1] = if known { strides[dim].checked_mul(shape[dim])? } else { DYNAMIC };
            }
            Some((strides, 0))
        }
        Some(AttrKind::Strided { strides, offset }) => Some((strides.clone(), *offset)),
        Some(_) => None,
    }
}

/// Checks that a value fits what its type says about extents.
fn check_extents(sizes: &[i64], shape: &[i64]) -> Result<(), Fault> {
    let fits = sizes.len() == shape.len()
        && sizes.iter().zip(shape).all(|(&size, &extent)| extent == DYNAMIC || extent == size);
    if fits {
        Ok(())
    } else {
        Err(Fault::new(format!("has extents {sizes:?}, which its type does not allow")))
    }
}

/// Checks that a view stays inside its buffer.
fn check_view(view: &MemRefValue) -> Result<(), Fault> {
    let (mut low, mut high) = (i128::from(view.offset), i128::from(view.offset));
    for (&size, &stride) in view.sizes.iter().zip(&view.strides) {
        if size < 0 {
            return Err(Fault::new(format!("has a negative extent: {:?}", view.sizes)));
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
        return Err(Fault::new(format!("reaches from {low} to {high} in a buffer of {len} elements")));
    }
    Ok(())
}

fn effect(kind: EffectKind, on: Value) -> Effect {
    Effect { kind, on: Some(on) }
}
