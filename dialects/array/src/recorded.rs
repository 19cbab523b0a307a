//! Properties of array programs that lower levels have no types for, as attributes that passes keep: sizes of parameters and
//! results.
//!
//! ```mlir
//! func.func @main(%xs: !array.array<[n][4]f32>)     // as it is written
//! func.func @main(%xs: memref<?x?xf32> {array.sizes = ["n", 4]})     // when lowered
//! ```

use crate::types::{ArrayType, Size};
use segra_ir::{Attr, AttrKind, Context, Ir, OpView, Type};
use segra_std::func::FuncOp;
pub use segra_std::recorded::{SIZES, Side};
use segra_std::recorded::{dictionary, sizes};

/// Writes down the sizes in the types of a function's parameters and results; whether there are any.
pub fn record_sizes(ir: &mut Ir, func: FuncOp) -> bool {
    let ctx = ir.context();
    let (inputs, results) = func.function_type(ir);
    let sides = [(Side::Parameters, inputs), (Side::Results, results)];
    let written = sides.map(|(side, types)| {
        let sized = |ty: &Type| {
            let array = ty.dialect::<ArrayType>(&ctx);
            array.filter(|array| array.sizes.iter().any(|size| *size != Size::Unknown))
        };
        let known = types.iter().any(|ty| sized(ty).is_some());
        let dicts = types.iter().enumerate().map(|(index, ty)| {
            let old = dictionary(ir, func, side, index);
            match (sized(ty), old) {
                (Some(array), old) => {
                    let sizes: Vec<Attr> =
                        array.sizes.iter().map(|size| size.to_attr(&ctx)).collect();
                    with_entry(&ctx, old, ctx.array_attr(&sizes))
                }
                (None, Some(old)) => old,
                (None, None) => ctx.attr(AttrKind::Dict(ctx.dict(&[]))),
            }
        });
        known.then(|| (side, ctx.array_attr(&dicts.collect::<Vec<_>>())))
    });
    let known = written.iter().any(Option::is_some);
    for (side, attr) in written.into_iter().flatten() {
        ir.set_attr_named(func.op(), side.attribute(), Some(attr));
    }
    known
}

/// The sizes of a parameter or result that [`record_sizes`] wrote down.
pub fn recorded_sizes(ir: &Ir, func: FuncOp, side: Side, index: usize) -> Option<Vec<Size>> {
    let sizes = sizes(ir, func, side, index)?;
    Some(
        sizes
            .iter()
            .map(|&size| Size::of_attr(ir.ctx(), size))
            .collect(),
    )
}

/// A dictionary with the sizes.
fn with_entry(ctx: &Context, old: Option<Attr>, sizes: Attr) -> Attr {
    let name = ctx.ident(SIZES);
    let mut entries = match old.map(|old| ctx.attr_kind(old)) {
        Some(AttrKind::Dict(dict)) => ctx.entries(*dict).to_vec(),
        _ => Vec::new(),
    };
    entries.retain(|entry| entry.0 != name);
    entries.push((name, sizes));
    ctx.attr(AttrKind::Dict(ctx.dict(&entries)))
}
