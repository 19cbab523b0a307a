//! Memory that is there for the whole run.

use super::alloc::Allocation;
use crate::constants::attr_to_datum;
use segra_interp::{
    Cx, Datum, Eval, EvalResult, Fault, Flow, Inst, Lanes, MemRefValue, Prepare, Prepared,
};
use segra_ir::constraint::{
    AlignmentAttr, AnyAttr, FlatSymbolRefAttr, StaticMemRef, StrAttr, SymbolNameAttr, TypeAttr,
    TypeConstraint, UnitAttr,
};
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{SymbolOp, SymbolUser, Verify};
use segra_ir::symbol::SymbolTables;
use segra_ir::{Attr, AttrKind, Context, Ir, Op, OpView, Type, TypeKind, op};
use segra_text::lexer::Tok;
use segra_text::{ParseResult, ParsedOp, Parser, Printer, Syntax};

/// Named memory of a module, with what it holds at the start.
#[op(
    "memref.global",
    traits(Symbol),
    interfaces(SymbolOp, Verify, Syntax, Eval)
)]
pub struct GlobalOp {
    sym_name: Attr<SymbolNameAttr>,
    sym_visibility: OptionalAttr<StrAttr>,
    /// Type of the memory.
    r#type: Attr<TypeAttr>,
    /// Dense elements; `unit`: not initialised; absent: defined elsewhere.
    initial_value: OptionalAttr<AnyAttr>,
    /// Never written.
    constant: OptionalAttr<UnitAttr>,
    /// In bytes.
    alignment: OptionalAttr<AlignmentAttr>,
}

/// The memory of a `memref.global`.
#[op(
    "memref.get_global",
    traits(Pure),
    interfaces(SymbolUser, Eval),
    format = "$name `:` type($result) attr-dict"
)]
pub struct GetGlobalOp {
    name: Attr<FlatSymbolRefAttr>,
    result: OpResult<StaticMemRef>,
}

impl SymbolOp for GlobalOp {
    fn is_private(&self, ir: &Ir, op: Op) -> bool {
        crate::func::has_private_visibility(ir, op)
    }
}

/// The tensor type of a memref's initial value.
fn tensor_of(ctx: &Context, ty: Type) -> Option<Type> {
    let (shape, element) = ty.shaped(ctx)?;
    Some(ctx.ty(TypeKind::Tensor {
        shape: shape.to_vec(),
        element,
        encoding: None,
    }))
}

impl Verify for GlobalOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let view = GlobalOp::from_op(op);
        let ty = view.r#type(ir);
        if !StaticMemRef.accepts(ctx, ty) {
            diags.error("attribute `type` must be a ranked memref with known extents");
            return;
        }
        let Some(value) = view.initial_value(ir) else {
            return;
        };
        let uninitialised = matches!(ctx.attr_kind(value), AttrKind::Unit);
        let elements = matches!(
            ctx.attr_kind(value),
            AttrKind::DenseElements { .. }
                | AttrKind::DenseStrings { .. }
                | AttrKind::DenseResource { .. }
                | AttrKind::Sparse { .. }
        );
        if !uninitialised && (!elements || value.ty(ctx) != tensor_of(ctx, ty)) {
            diags.error("attribute `initial_value` must be a tensor of the shape of `type`");
        }
    }
}

impl SymbolUser for GetGlobalOp {
    fn verify_symbol_uses(
        &self,
        ir: &Ir,
        op: Op,
        tables: &mut SymbolTables,
        diags: &mut OpDiagnostics<'_>,
    ) {
        let view = GetGlobalOp::from_op(op);
        let Some(reference) = view.name_attr(ir) else {
            return;
        };
        let name = reference
            .as_symbol(ir.ctx())
            .map_or("", |name| ir.ctx().str(name));
        match tables
            .resolve_nearest(ir, op, reference)
            .and_then(|found| ir.cast::<GlobalOp>(found))
        {
            None => {
                diags.error(format!("names @{name}, which is no memref.global"));
            }
            Some(global) if global.r#type(ir) != ir.value_type(view.result(ir)) => {
                let message = format!("the result must have the type of @{name}");
                diags
                    .error(message)
                    .note(ir.loc(global.op()), "defined here");
            }
            Some(_) => {}
        }
    }
}

impl Eval for GlobalOp {
    fn eval(&self, _cx: &mut Cx<'_>, _inst: &Inst, _lanes: &Lanes) -> EvalResult {
        // A definition does nothing where it stands.
        Ok(Flow::Next)
    }
}

/// The memory a global starts as: its initial value, else zeros.
fn initial(cx: &Cx<'_>, global: GlobalOp) -> Result<Datum, Fault> {
    let ir = cx.ir();
    match global
        .initial_value(ir)
        .and_then(|attr| attr_to_datum(ir.ctx(), attr))
    {
        Some(Datum::Array(array)) => Ok(Datum::memref(MemRefValue::from_array(&array))),
        _ => Allocation::of(ir.ctx(), global.r#type(ir))?
            .make(cx, &[])
            .map(Datum::memref),
    }
}

impl Eval for GetGlobalOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        let global = p.attr("name").and_then(|name| p.resolve(name));
        global
            .map(Prepared::Function)
            .ok_or_else(|| Fault::new("names a global that is not defined"))
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let Some(global) = inst.function().and_then(|op| cx.ir().cast::<GlobalOp>(op)) else {
            return Err(cx.error(inst, "does not name a memref.global"));
        };
        let memory = cx.global(global.op(), |cx| initial(cx, global));
        let memory = cx.check(inst, memory)?;
        for lane in lanes.iter() {
            cx.set_result(inst, 0, lane, memory.clone());
        }
        Ok(Flow::Next)
    }
}

impl Syntax for GlobalOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = GlobalOp::from_op(op);
        let (ir, ctx) = (p.ir(), p.ctx());
        if let Some(visibility) = view.sym_visibility_attr(ir) {
            p.text(" ");
            p.attr(visibility);
        }
        if view.constant(ir).is_some() {
            p.text(" constant");
        }
        p.text(" ");
        p.symbol(view.sym_name(ir));
        p.text(" : ");
        p.ty(view.r#type(ir));
        match view.initial_value(ir) {
            None => {}
            Some(value) if matches!(ctx.attr_kind(value), AttrKind::Unit) => {
                p.text(" = uninitialized")
            }
            Some(value) => {
                p.text(" = ");
                p.attr_without_type(value);
            }
        }
        p.attr_dict(
            op,
            &[
                "sym_name",
                "sym_visibility",
                "type",
                "initial_value",
                "constant",
            ],
        );
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let ctx = p.ctx();
        let mut set = |name: &str, attr: Attr| state.set_attr(ctx, ctx.ident(name), attr);
        if p.at(Tok::String) {
            let visibility = p.parse_string()?;
            set("sym_visibility", ctx.str_attr(&visibility));
        }
        if p.eat_keyword("constant") {
            set("constant", ctx.unit());
        }
        let name = p.parse_symbol_name()?;
        set("sym_name", ctx.str_attr(ctx.str(name)));
        let ty = p.parse_colon_type()?;
        set("type", ctx.type_attr(ty));
        if p.eat(Tok::Equal) {
            if p.eat_keyword("uninitialized") {
                set("initial_value", ctx.unit());
            } else {
                let Some(tensor) = tensor_of(ctx, ty) else {
                    return Err(p.error("an initial value needs a ranked memref"));
                };
                let value = p.parse_dense_of_type(tensor)?;
                set("initial_value", value);
            }
        }
        p.parse_attr_dict_into(state)
    }
}
