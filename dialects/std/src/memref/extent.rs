//! The extents that a program states of its memory, seen through casts: more than folding `memref.dim` does, which goes
//! as far as upstream's.

use super::canonical::dynamic_extent;
use super::{CastOp, ReinterpretCastOp};
use crate::arith::index;
use crate::recorded::{self, Extent};
use segra_ir::interfaces::known_extent;
use segra_ir::types::DYNAMIC;
use segra_ir::{Builder, Ir, OpView, Value};

/// An extent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stated {
    /// A number.
    Constant(i64),
    /// A value, which is there where the memory is.
    Value(Value),
    /// That of another value's dimension: the first parameter with the same size.
    Of(Value, usize),
}

/// The extent that the program states of one dimension of a memref.
pub fn stated_extent(ir: &Ir, memref: Value, dim: usize) -> Option<Stated> {
    let mut memref = memref;
    loop {
        let extent = *ir.value_type(memref).shaped(ir.ctx())?.0.get(dim)?;
        if extent != DYNAMIC {
            return Some(Stated::Constant(extent));
        }
        if let Some(cast) = ir.def_as::<CastOp>(memref) {
            memref = cast.source(ir);
        } else if let Some(view) = ir.def_as::<ReinterpretCastOp>(memref) {
            return dynamic_extent(ir, view.op(), &view.sizes(ir), dim).map(Stated::Value);
        } else if let Some(extent) = known_extent(ir, memref, dim) {
            return Some(Stated::Value(extent));
        } else {
            return match recorded::extent(ir, memref, dim)? {
                Extent::Known(extent) => Some(Stated::Constant(extent)),
                Extent::Named(_) => {
                    let (first, at) = recorded::first_named(ir, memref, dim)?;
                    Some(Stated::Of(first, at))
                }
            };
        }
    }
}

/// One dimension of a memref: as the program states it, else asked for when the program runs.
pub fn extent_of(b: &mut Builder<'_>, memref: Value, dim: usize) -> Value {
    match stated_extent(b.ir, memref, dim) {
        Some(Stated::Constant(extent)) => index::constant(b, extent),
        Some(Stated::Value(extent)) => extent,
        Some(Stated::Of(memref, dim)) => dim_of(b, memref, dim),
        None => dim_of(b, memref, dim),
    }
}

/// One dimension of a memref when the program runs, whatever it states.
pub fn dim_of(b: &mut Builder<'_>, memref: Value, dim: usize) -> Value {
    let (dim, ty) = (index::constant(b, dim as i64), b.ctx().index());
    super::DimOp::build(b, memref, dim, ty).result(b.ir)
}
