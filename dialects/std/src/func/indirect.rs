//! Functions as values: `func.constant` and `func.call_indirect`.

use super::FuncOp;
use crate::syntax::resolve;
use segra_ir::build::OpState;
use segra_ir::constraint::{AnyFunction, AnyType, DictArrayAttr, FlatSymbolRefAttr};
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{
    Canonicalize, Effect, EffectKind, Effects, Rewriter, SymbolUser, Verify,
};
use segra_ir::symbol::SymbolTables;
use segra_ir::{Ir, Op, OpView, Type, TypeKind, Value, op};
use segra_text::lexer::Tok;
use segra_text::{ParseResult, ParsedOp, Parser, Printer, Syntax};

/// A function as a value.
#[op(
    "func.constant",
    traits(Pure),
    interfaces(SymbolUser),
    format = "attr-dict $value `:` type(results)"
)]
pub struct ConstantOp {
    value: Attr<FlatSymbolRefAttr>,
    result: OpResult<AnyType>,
}

impl SymbolUser for ConstantOp {
    fn verify_symbol_uses(
        &self,
        ir: &Ir,
        op: Op,
        tables: &mut SymbolTables,
        diags: &mut OpDiagnostics<'_>,
    ) {
        let view = ConstantOp::from_op(op);
        let Some(reference) = view.value_attr(ir) else {
            return;
        };
        let name = reference
            .as_symbol(ir.ctx())
            .map_or("", |name| ir.ctx().str(name));
        let func = tables
            .resolve_nearest(ir, op, reference)
            .and_then(|found| ir.cast::<FuncOp>(found));
        let Some(func) = func else {
            diags.error(format!("names @{name}, which is no func.func"));
            return;
        };
        let (inputs, results) = func.function_type(ir);
        if ir.ctx().function(inputs, results) != ir.value_type(view.result(ir)) {
            let message = format!("the result must have the type of @{name}");
            diags.error(message).note(ir.loc(func.op()), "defined here");
        }
    }
}

/// Calls a function that is a value.
#[op(
    "func.call_indirect",
    interfaces(Effects, Canonicalize, Verify, Syntax)
)]
pub struct CallIndirectOp {
    callee: Operand<AnyFunction>,
    callee_operands: VariadicOperand<AnyType>,
    arg_attrs: OptionalAttr<DictArrayAttr>,
    res_attrs: OptionalAttr<DictArrayAttr>,
    results: VariadicResult<AnyType>,
}

impl Effects for CallIndirectOp {
    fn effects(&self, _ir: &Ir, _op: Op, effects: &mut Vec<Effect>) {
        for kind in [EffectKind::Read, EffectKind::Write, EffectKind::Control] {
            effects.push(Effect { kind, on: None });
        }
    }
}

impl Canonicalize for CallIndirectOp {
    /// A call of a function that is known is a direct one.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = CallIndirectOp::from_op(op);
        let Some(constant) = ir.def_as::<ConstantOp>(view.callee(ir)) else {
            return false;
        };
        let Some(callee) = constant.value_attr(ir) else {
            return false;
        };
        let operands = view.callee_operands(ir);
        let types: Vec<Type> = ir.results(op).map(|value| ir.value_type(value)).collect();
        let attrs = ["arg_attrs", "res_attrs"].map(|name| (name, ir.attr_named(op, name)));
        rewriter.replace_with(op, |b| {
            let mut state = OpState::new(b.ir.ctx().op_name(super::CallOp::DEF.name), b.loc);
            state.operands = operands.into();
            state.result_types = types.into();
            let call = b.insert(state);
            for (name, attr) in attrs.into_iter().chain([("callee", Some(callee))]) {
                b.ir.set_attr_named(call, name, attr);
            }
            b.ir.results(call).collect::<Vec<Value>>()
        });
        true
    }
}

impl Verify for CallIndirectOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = CallIndirectOp::from_op(op);
        let TypeKind::Function { inputs, results } =
            ir.ctx().type_kind(ir.value_type(view.callee(ir)))
        else {
            return;
        };
        let given: Vec<Type> = ir
            .operands(op)
            .skip(1)
            .map(|value| ir.value_type(value))
            .collect();
        let taken: Vec<Type> = ir.results(op).map(|value| ir.value_type(value)).collect();
        if given != *inputs {
            diags.error("operands must have the types of the callee's inputs");
        }
        if taken != *results {
            diags.error("results must have the types of the callee's results");
        }
    }
}

impl Syntax for CallIndirectOp {
    fn applies(&self, ir: &Ir, op: Op) -> bool {
        let callee = ir.value_type(CallIndirectOp::from_op(op).callee(ir));
        let given = ir.operands(op).skip(1).map(|value| ir.value_type(value));
        let taken = ir.results(op).map(|value| ir.value_type(value));
        match ir.ctx().type_kind(callee) {
            TypeKind::Function { inputs, results } => {
                given.eq(inputs.iter().copied()) && taken.eq(results.iter().copied())
            }
            _ => false,
        }
    }
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = CallIndirectOp::from_op(op);
        let ir = p.ir();
        p.text(" ");
        p.value(view.callee(ir));
        p.text("(");
        p.values(view.callee_operands(ir));
        p.text(")");
        p.attr_dict(op, &[]);
        p.text(" : ");
        p.types_of([view.callee(ir)]);
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let ctx = p.ctx();
        let callee = p.parse_operand()?;
        let mut operands = crate::syntax::Names::new();
        let at = p.pos();
        p.parse_list(Tok::LParen, Tok::RParen, |p| {
            operands.push(p.parse_operand()?);
            Ok(())
        })?;
        p.parse_attr_dict_into(state)?;
        p.expect(Tok::Colon)?;
        let type_at = p.pos();
        let ty = p.parse_type()?;
        let TypeKind::Function { inputs, results } = ctx.type_kind(ty) else {
            return Err(p.error_at(type_at, "expected the type of a function"));
        };
        if inputs.len() != operands.len() {
            let (takes, given) = (inputs.len(), operands.len());
            let message = format!("the function takes {takes} operands, {given} are given");
            return Err(p.error_at(at, message));
        }
        resolve(p, state, &[callee], &[ty])?;
        resolve(p, state, &operands, inputs)?;
        state.state.result_types.extend(results.iter().copied());
        Ok(())
    }
}
