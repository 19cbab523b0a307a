//! Layouts of memrefs: strides and offset, where a layout has them.
//!
//! Deliberately absent: making layouts simpler; types are compared as they were written.

use crate::attrs::{AffineExpr, AffineMap, AttrKind};
use crate::context::Context;
use crate::types::{DYNAMIC, Type, TypeKind};

/// Strides (in elements, outermost first) and offset of a ranked memref, [`DYNAMIC`] where only run time knows;
/// `None` for other types and for layouts that are not strided.
pub fn strides_and_offset(ctx: &Context, ty: Type) -> Option<(Vec<i64>, i64)> {
    let TypeKind::MemRef { shape, layout, .. } = ctx.type_kind(ty) else {
        return None;
    };
    match layout.map(|layout| ctx.attr_kind(layout)) {
        None => Some((row_major_strides(shape), 0)),
        Some(AttrKind::Strided { strides, offset }) => Some((strides.clone(), *offset)),
        Some(AttrKind::AffineMap(map)) if map.is_identity() => Some((row_major_strides(shape), 0)),
        Some(AttrKind::AffineMap(map)) => strides_of_map(map),
        Some(_) => None,
    }
}

/// Strides of elements that lie one after the other, the last dimension fastest.
pub fn row_major_strides(shape: &[i64]) -> Vec<i64> {
    let mut strides = vec![1i64; shape.len()];
    for dim in (1..shape.len()).rev() {
        strides[dim - 1] = saturating_mul(strides[dim], shape[dim]);
    }
    strides
}

/// The product, [`DYNAMIC`] if a factor is and none is 0 (or if it does not fit).
pub fn saturating_mul(a: i64, b: i64) -> i64 {
    if a == 0 || b == 0 {
        return 0;
    }
    if a == DYNAMIC || b == DYNAMIC {
        DYNAMIC
    } else {
        a.checked_mul(b).unwrap_or(DYNAMIC)
    }
}

/// The sum, [`DYNAMIC`] if a summand is (or if it does not fit).
pub fn saturating_add(a: i64, b: i64) -> i64 {
    if a == DYNAMIC || b == DYNAMIC {
        DYNAMIC
    } else {
        a.checked_add(b).unwrap_or(DYNAMIC)
    }
}

/// Whether a ranked memref's elements lie where a row-major layout without offset puts them, by the layout's form.
pub fn has_identity_layout(ctx: &Context, ty: Type) -> bool {
    let TypeKind::MemRef { layout, .. } = ctx.type_kind(ty) else {
        return false;
    };
    match layout.map(|layout| ctx.attr_kind(layout)) {
        None => true,
        Some(AttrKind::Strided { strides, offset }) => *offset == 0 && strides[..] == [1],
        Some(AttrKind::AffineMap(map)) => map.is_identity(),
        Some(_) => false,
    }
}

/// How many numbers of the layout only run time knows: what allocations take as symbol operands.
pub fn num_symbols(ctx: &Context, ty: Type) -> usize {
    let TypeKind::MemRef {
        layout: Some(layout),
        ..
    } = ctx.type_kind(ty)
    else {
        return 0;
    };
    match ctx.attr_kind(*layout) {
        AttrKind::Strided { strides, offset } => strides
            .iter()
            .chain([offset])
            .filter(|&&number| number == DYNAMIC)
            .count(),
        AttrKind::AffineMap(map) => map.symbols as usize,
        _ => 0,
    }
}

/// Whether neighbours along the last dimension are neighbours in memory.
pub fn has_unit_last_stride(ctx: &Context, ty: Type) -> bool {
    let TypeKind::MemRef { shape, .. } = ctx.type_kind(ty) else {
        return false;
    };
    if has_identity_layout(ctx, ty) || shape.is_empty() {
        return true;
    }
    let Some((strides, _)) = strides_and_offset(ctx, ty) else {
        return false;
    };
    shape.last() == Some(&1) || strides.last() == Some(&1)
}

/// Where one elements lies, as a linear form over the indices.
struct LinearForm {
    strides: Vec<i64>,
    offset: i64,
}

fn strides_of_map(map: &AffineMap) -> Option<(Vec<i64>, i64)> {
    let [result] = &map.results[..] else {
        return None;
    };
    let mut form = LinearForm {
        strides: vec![0; map.dims as usize],
        offset: 0,
    };
    form.add(result, 1)?;
    Some((form.strides, form.offset))
}

impl LinearForm {
    /// Adds `factor * expr`; `None` if that is not linear in the indices.
    fn add(&mut self, expr: &AffineExpr, factor: i64) -> Option<()> {
        if let Some(value) = constant_part(expr) {
            self.offset = saturating_add(self.offset, saturating_mul(factor, value));
            return Some(());
        }
        match expr {
            AffineExpr::Dim(dim) => {
                let stride = self.strides.get_mut(*dim as usize)?;
                *stride = saturating_add(*stride, factor);
                Some(())
            }
            AffineExpr::Add(sides) => {
                self.add(&sides.0, factor)?;
                self.add(&sides.1, factor)
            }
            AffineExpr::Mul(sides) => match (constant_part(&sides.0), constant_part(&sides.1)) {
                (_, Some(value)) => self.add(&sides.0, saturating_mul(factor, value)),
                (Some(value), None) => self.add(&sides.1, saturating_mul(factor, value)),
                (None, None) => None,
            },
            _ => None,
        }
    }
}

/// The value of an expression without dimensions, [`DYNAMIC`] if it has symbols; `None` if it has dimensions.
fn constant_part(expr: &AffineExpr) -> Option<i64> {
    match expr {
        AffineExpr::Dim(_) => None,
        AffineExpr::Symbol(_) => Some(DYNAMIC),
        AffineExpr::Constant(value) => Some(*value),
        AffineExpr::Add(sides) => Some(saturating_add(
            constant_part(&sides.0)?,
            constant_part(&sides.1)?,
        )),
        AffineExpr::Mul(sides) => Some(saturating_mul(
            constant_part(&sides.0)?,
            constant_part(&sides.1)?,
        )),
        AffineExpr::FloorDiv(sides) | AffineExpr::CeilDiv(sides) | AffineExpr::Mod(sides) => {
            constant_part(&sides.0)?;
            constant_part(&sides.1)?;
            Some(DYNAMIC)
        }
    }
}
