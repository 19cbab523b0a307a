//! Sizes of a function's parameters and results, kept as attributes where its types have none.
//!
//! ```mlir
//! func.func @main(%xs: memref<?x?xf32> {array.sizes = ["n", 4]})
//! ```
//! A number is an extent that every call has, which whoever makes the attribute also checks at the start of the
//! function; a name is the same extent wherever it stands among the parameters, checked likewise.

use crate::func::FuncOp;
use segra_ir::{Attr, AttrKind, Ident, Ir, OpView, Value, ValueDef};

/// Attribute of a parameter or result: its sizes, outermost first. A number, a name, or anything else for neither.
pub const SIZES: &str = "array.sizes";

/// Which values of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Its parameters.
    Parameters,
    /// Its results.
    Results,
}

impl Side {
    /// The function's attribute with a dictionary for each of them.
    pub fn attribute(self) -> &'static str {
        match self {
            Side::Parameters => "arg_attrs",
            Side::Results => "res_attrs",
        }
    }
}

/// One of the attributes of a parameter or result, as they are kept: a dictionary.
pub fn dictionary(ir: &Ir, func: FuncOp, side: Side, index: usize) -> Option<Attr> {
    let list = ir.attr_named(func.op(), side.attribute())?;
    list.as_array(ir.ctx())?.get(index).copied()
}

/// The sizes of a parameter or result, as attributes.
pub fn sizes(ir: &Ir, func: FuncOp, side: Side, index: usize) -> Option<&[Attr]> {
    let ctx = ir.ctx();
    let AttrKind::Dict(dict) = *ctx.attr_kind(dictionary(ir, func, side, index)?) else {
        return None;
    };
    ctx.lookup(dict, ctx.ident(SIZES))?.as_array(ctx)
}

/// The extent of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// A number.
    Known(i64),
    /// A size with this name.
    Named(Ident),
}

/// The extent that attributes give one dimension of a function's parameter; `None` for other values, too.
pub fn extent(ir: &Ir, parameter: Value, dim: usize) -> Option<Extent> {
    let ValueDef::Argument { block, index } = ir.value_def(parameter) else {
        return None;
    };
    let func = ir.cast::<FuncOp>(ir.block_parent(block)?)?;
    if func.entry(ir) != Some(block) {
        return None;
    }
    let index = usize::try_from(index).ok()?;
    let size = *sizes(ir, func, Side::Parameters, index)?.get(dim)?;
    let ctx = ir.ctx();
    match (size.as_i64(ctx), size.as_str(ctx)) {
        (Some(extent), _) => Some(Extent::Known(extent)),
        (None, Some(name)) => Some(Extent::Named(ctx.ident(name))),
        (None, None) => None,
    }
}

/// The first parameter, and its dimension, that has the named extent which a parameter has in `dim`.
pub fn first_named(ir: &Ir, parameter: Value, dim: usize) -> Option<(Value, usize)> {
    let name = match extent(ir, parameter, dim)? {
        Extent::Named(name) => name,
        Extent::Known(_) => return None,
    };
    let ValueDef::Argument { block, .. } = ir.value_def(parameter) else {
        return None;
    };
    let mut dims = ir.block_args(block).iter().flat_map(|&param| {
        let rank = ir
            .value_type(param)
            .shaped(ir.ctx())
            .map_or(0, |(shape, _)| shape.len());
        (0..rank).map(move |dim| (param, dim))
    });
    dims.find(|&(param, dim)| extent(ir, param, dim) == Some(Extent::Named(name)))
}
