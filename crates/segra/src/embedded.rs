//! Inputs that a program's text carries along: the attribute `segra.inputs` of a function, one number or dense array
//! for each parameter. Files made by [`crate::bisect`] have it, and a run takes them where no inputs are given.
//!
//! Deliberately absent: sizes as text (`random:64x64`); that is the command line's.

use segra_artifact::{ElemType, Scalar};
use segra_ir::attrs::Splat;
use segra_ir::types::DYNAMIC;
use segra_ir::{Attr, AttrKind, Context, Ir, OpView, Type, TypeKind};
use segra_runtime::{Array, Value};
use segra_std::func::FuncOp;

/// The attribute's name.
pub const INPUTS: &str = "segra.inputs";

/// Gives a function its inputs, one for each parameter.
pub(crate) fn attach(ir: &mut Ir, function: FuncOp, inputs: &[Value]) {
    let ctx = ir.context();
    let (types, _) = function.function_type(ir);
    let attrs: Option<Vec<Attr>> = inputs
        .iter()
        .zip(types.to_vec())
        .map(|(value, ty)| attr(&ctx, value, ty))
        .collect();
    if let Some(attrs) = attrs {
        let list = ctx.attr(AttrKind::Array(attrs));
        ir.set_attr_named(function.op(), INPUTS, Some(list));
    }
}

/// The inputs a function carries: `None` if it has none, an error if they are no numbers and arrays.
pub fn inputs(ir: &Ir, entry: &str) -> Option<Result<Vec<Value>, String>> {
    let ctx = ir.ctx();
    let body = ir
        .regions(ir.root())
        .first()
        .and_then(|&region| ir.entry_block(region))?;
    let function = ir.ops(body).find(|&op| {
        segra_ir::interfaces::symbol_name(ir, op).is_some_and(|name| ctx.str(name) == entry)
    })?;
    let list = ir.attr_named(function, INPUTS)?;
    let AttrKind::Array(attrs) = ctx.attr_kind(list) else {
        return Some(Err(format!(
            "`{INPUTS}` of @{entry} must be an array of numbers and dense arrays"
        )));
    };
    let values = attrs.iter().enumerate().map(|(index, &attr)| {
        value(ctx, attr).ok_or_else(|| {
            format!(
                "`{INPUTS}` of @{entry}: element {index} is neither a number nor a dense array of numbers"
            )
        })
    });
    Some(values.collect())
}

/// The attribute that holds a value for a parameter of type `ty`.
fn attr(ctx: &Context, value: &Value, ty: Type) -> Option<Attr> {
    match value {
        Value::Scalar(scalar) if ty.is_float(ctx) => {
            Some(ctx.float_bits_attr(scalar.bits().into(), ty))
        }
        Value::Scalar(scalar) => Some(ctx.int_attr(scalar.as_i64()?.into(), ty)),
        Value::Array(array) => {
            let element = ty.element_or_self(ctx);
            let shape = array
                .shape()
                .iter()
                .map(|&extent| i64::try_from(extent).ok());
            let shape = shape.collect::<Option<Vec<i64>>>()?;
            let ty = ctx.ty(TypeKind::Tensor {
                shape,
                element,
                encoding: None,
            });
            Some(ctx.attr(AttrKind::DenseElements {
                ty,
                data: array.bytes().to_vec(),
                splat: Splat::No,
            }))
        }
    }
}

fn value(ctx: &Context, attr: Attr) -> Option<Value> {
    match ctx.attr_kind(attr) {
        AttrKind::Integer { value, ty } => {
            let elem = segra_emit::signature::element_type(ctx, *ty)?;
            Some(Value::Scalar(Scalar::from_bits(
                elem,
                *value as u64 & mask(elem),
            )))
        }
        AttrKind::Float { bits, ty } => {
            let elem = segra_emit::signature::element_type(ctx, *ty)?;
            Some(Value::Scalar(Scalar::from_bits(elem, *bits as u64)))
        }
        AttrKind::DenseElements { ty, data, splat } => {
            let TypeKind::Tensor { shape, element, .. } = ctx.type_kind(*ty) else {
                return None;
            };
            if shape.contains(&DYNAMIC) {
                return None;
            }
            let elem = segra_emit::signature::element_type(ctx, *element)?;
            let shape: Vec<usize> = shape
                .iter()
                .map(|&extent| usize::try_from(extent).ok())
                .collect::<Option<_>>()?;
            let count: usize = shape.iter().product();
            let bytes = if *splat == Splat::Yes {
                data.repeat(count)
            } else {
                data.clone()
            };
            Array::from_bytes(elem, &shape, bytes)
                .ok()
                .map(Value::Array)
        }
        _ => None,
    }
}

fn mask(elem: ElemType) -> u64 {
    u64::MAX >> (64 - 8 * elem.size() as u32)
}
