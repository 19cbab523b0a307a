//! `arith.constant`.

use crate::constants::attr_to_datum;
use segra_interp::{Cx, Datum, Eval, EvalResult, Fault, Flow, Inst, Lanes};
use segra_ir::attrs::Splat;
use segra_ir::build::OpState;
use segra_ir::constraint::{AnyType, TypedAttr};
use segra_ir::diag::OpDiagnostics;
use segra_ir::int_range::InferIntRanges;
use segra_ir::interfaces::{AsmNames, InferTypes, RuleScope, Verify};
use segra_ir::types::Signedness;
use segra_ir::{Attr, AttrKind, Context, Ir, Op, OpDef, OpView, Type, TypeKind, Value, op};

/// The ops of this file.
pub(crate) const OPS: &[&OpDef] = &[ConstantOp::DEF];

/// A number, or a vector of numbers, known at compile time.
#[op(
    "arith.constant",
    traits(Pure, ConstantLike),
    interfaces(InferTypes, InferIntRanges, Verify, AsmNames, Eval),
    format = "attr-dict $value"
)]
pub struct ConstantOp {
    /// An integer, float or dense attribute; its type is the result's.
    value: Attr<TypedAttr>,
    result: OpResult<AnyType>,
}

impl ConstantOp {
    /// A constant of type `index`.
    pub fn index(b: &mut segra_ir::Builder<'_>, value: i64) -> Value {
        let attr = b.ctx().index_attr(value);
        ConstantOp::build(b, attr).result(b.ir)
    }
    /// A constant of an integer type or `index`; it wraps at the type's width.
    pub fn int(b: &mut segra_ir::Builder<'_>, value: i64, ty: Type) -> Value {
        let attr = b.ctx().int_attr(value.into(), ty);
        ConstantOp::build(b, attr).result(b.ir)
    }
}

impl InferTypes for ConstantOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        let value = state.attr(ir.ctx(), "value").ok_or("`value` is missing")?;
        value
            .ty(ir.ctx())
            .map(|ty| vec![ty])
            .ok_or_else(|| "`value` has no type".to_owned())
    }
}

impl Verify for ConstantOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let view = ConstantOp::from_op(op);
        let ty = ir.value_type(view.result(ir));
        let Some(value) = view.value_attr(ir) else {
            return;
        };
        if value.ty(ctx) != Some(ty) {
            diags.error("attribute `value` and result must have the same type");
        }
        if !matches!(
            ty.kind(ctx),
            TypeKind::Integer {
                signedness: Signedness::Signless,
                ..
            }
        ) && ty.integer_width(ctx).is_some()
        {
            diags.error("of an integer type must have a signless one");
        }
        let numeric = matches!(
            ctx.attr_kind(value),
            AttrKind::Integer { .. }
                | AttrKind::WideInteger { .. }
                | AttrKind::Float { .. }
                | AttrKind::DenseElements { .. }
                | AttrKind::DenseStrings { .. }
                | AttrKind::Sparse { .. }
                | AttrKind::DenseResource { .. }
                // Elements of a dialect that is not registered.
                | AttrKind::Opaque { .. }
        );
        if !numeric {
            diags.error("attribute `value` must be an integer, a float or elements");
        }
        let scalable =
            matches!(ty.kind(ctx), TypeKind::Vector { scalable, .. } if scalable.contains(&true));
        if scalable
            && !matches!(
                ctx.attr_kind(value),
                AttrKind::DenseElements {
                    splat: Splat::Yes,
                    ..
                }
            )
        {
            diags.error("of a scalable vector type must have one value for all elements");
        }
    }
    fn scope(&self) -> RuleScope {
        RuleScope::Signature
    }
}

impl AsmNames for ConstantOp {
    fn names(&self, ir: &Ir, op: Op, names: &mut Vec<(Value, String)>) {
        let ctx = ir.ctx();
        let view = ConstantOp::from_op(op);
        // Names are also given in messages about ops that are wrong.
        let Some(result) = ir.results(op).next() else {
            return;
        };
        let name = match view.value_attr(ir).map(|attr| ctx.attr_kind(attr)) {
            Some(AttrKind::Integer { value, ty }) if *ty == ctx.i1() => {
                if *value == 0 { "false" } else { "true" }.to_owned()
            }
            Some(AttrKind::Integer { value, ty }) if ty.is_index(ctx) => format!("c{value}"),
            Some(AttrKind::Integer { value, ty }) => {
                format!("c{value}_i{}", ty.integer_width(ctx).unwrap_or(0))
            }
            _ => "cst".to_owned(),
        };
        names.push((result, name));
    }
}

impl Eval for ConstantOp {
    fn constant(&self, ir: &Ir, op: Op) -> Option<Result<Datum, Fault>> {
        let value = ConstantOp::from_op(op).value_attr(ir);
        let datum = value.and_then(|value| attr_to_datum(ir.ctx(), value));
        Some(
            datum.ok_or_else(|| {
                Fault::new("holds a constant of a format that is not computed with")
            }),
        )
    }
    fn eval(&self, _cx: &mut Cx<'_>, _inst: &Inst, _lanes: &Lanes) -> EvalResult {
        Ok(Flow::Next)
    }
}

/// The attribute of 0 of a type of numbers, or of a vector of them.
pub fn zero(ctx: &Context, ty: Type) -> Option<Attr> {
    match ctx.type_kind(ty) {
        TypeKind::Integer { .. } | TypeKind::Index => Some(ctx.int_attr(0, ty)),
        TypeKind::Float(_) => Some(ctx.float_bits_attr(0, ty)),
        TypeKind::Vector { .. } => {
            let element = ty.element_or_self(ctx);
            let bits = element
                .integer_width(ctx)
                .or_else(|| Some(element.float_kind(ctx)?.width()));
            let data = vec![0; bits.unwrap_or(64).div_ceil(8) as usize];
            Some(ctx.attr(AttrKind::DenseElements {
                ty,
                data,
                splat: Splat::Yes,
            }))
        }
        _ => None,
    }
}
