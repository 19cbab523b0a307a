//! `builtin`: the module and the cast between type systems.

use segra_interp::{Cx, Datum, Eval, EvalResult, Flow, Inst, Lanes, RegionKind};
use segra_ir::constraint::{AnyType, SymbolNameAttr};
use segra_ir::def::Origin;
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{SymbolOp, Verify};
use segra_ir::{Dialect, Ir, Op, OpDef, OpView, op};
use segra_text::lexer::Tok;
use segra_text::{Isolation, ParseResult, ParsedOp, Parser, Printer, Syntax};

const OPS: &[&OpDef] = &[ModuleOp::DEF, UnrealizedConversionCastOp::DEF];

/// The dialect. Its types and attributes are those of the IR itself.
pub fn dialect() -> Dialect {
    Dialect {
        name: "builtin",
        origin: Origin::Upstream,
        doc: "The module, and casts between type systems.",
        ops: OPS.to_vec(),
        text_form: Some(segra_text::TEXT_FORM),
        ..Dialect::default()
    }
}

/// A unit of compilation: symbols in one block.
#[op(
    "builtin.module",
    traits(
        IsolatedFromAbove,
        SymbolTable,
        Symbol,
        NoTerminator,
        GraphRegion,
        NoRegionArguments
    ),
    interfaces(SymbolOp, Verify, Syntax, Eval)
)]
pub struct ModuleOp {
    /// Its own name, for modules inside modules.
    sym_name: OptionalAttr<SymbolNameAttr>,
    sym_visibility: OptionalAttr<segra_ir::constraint::StrAttr>,
    body: BlockRegion,
}

impl ModuleOp {
    /// A module with an empty block, as the root of a program.
    pub fn root(ir: &mut Ir, loc: segra_ir::Loc) -> ModuleOp {
        let ctx = ir.context();
        let mut state = segra_ir::OpState::new(ctx.op_name(ModuleOp::DEF.name), loc);
        state.regions = 1;
        let op = ir.create_op(state);
        let body = ir.region(op, 0);
        ir.add_block(body, &[]);
        ir.set_root(op);
        ModuleOp::from_op(op)
    }
}

impl SymbolOp for ModuleOp {
    fn is_private(&self, ir: &Ir, op: Op) -> bool {
        crate::func::has_private_visibility(ir, op)
    }
}

impl Verify for ModuleOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        for &(name, _) in ctx
            .entries(ir.discardable_attrs(op))
            .iter()
            .chain(ctx.entries(ir.properties(op)))
        {
            let name = ctx.str(name);
            if !name.contains('.') && !matches!(name, "sym_name" | "sym_visibility") {
                diags.error(format!(
                    "attribute `{name}` must have a name of the form `dialect.name`"
                ));
            }
        }
    }
}

impl Eval for ModuleOp {
    fn eval(&self, _cx: &mut Cx<'_>, _inst: &Inst, _lanes: &Lanes) -> EvalResult {
        // A module only holds functions.
        Ok(Flow::Next)
    }
    fn region_kind(&self, _ir: &Ir, _op: Op, _index: usize) -> RegionKind {
        RegionKind::Never
    }
}

impl Syntax for ModuleOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = ModuleOp::from_op(op);
        let ir = p.ir();
        if let Some(name) = view.sym_name(ir) {
            p.text(" ");
            p.symbol(name);
        }
        p.attr_dict_with_keyword(op, &["sym_name"]);
        p.text(" ");
        p.region_without_label(view.body(ir));
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let ctx = p.ctx();
        if p.at(Tok::At) {
            let name = p.parse_symbol_name()?;
            state.set_attr(ctx, ctx.ident("sym_name"), ctx.str_attr(ctx.str(name)));
        }
        crate::syntax::parse_attributes_keyword(p, state)?;
        let region = p.parse_region(&[], Isolation::Own)?;
        if p.ir().entry_block(region).is_none() {
            p.ir_mut().add_block(region, &[]);
        }
        state.regions.push(region);
        Ok(())
    }
}

/// On a cast of nothing to `i1`: whether the target has at least this compute capability, times ten. The exit to
/// a target has the value, and the interpreter has all capabilities.
pub const TARGET_SINCE: &str = "segra.target_since";

/// Values seen as other types, between two lowerings; the two must cancel out. Runs only where it changes nothing, or with
/// the attribute [`TARGET_SINCE`].
#[op(
    "builtin.unrealized_conversion_cast",
    traits(Pure),
    interfaces(Verify, Syntax, Eval)
)]
pub struct UnrealizedConversionCastOp {
    inputs: VariadicOperand<AnyType>,
    outputs: VariadicResult<AnyType>,
}

impl Verify for UnrealizedConversionCastOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        if ir.num_results(op) == 0 {
            diags.error("needs at least one result");
        }
    }
}

impl Eval for UnrealizedConversionCastOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        if inst.operands.len() != inst.results.len() {
            if cx.ir().attr_named(inst.op, TARGET_SINCE).is_some() && inst.results.len() == 1 {
                for lane in lanes.iter() {
                    cx.set_result(inst, 0, lane, Datum::bool(true));
                }
                return Ok(Flow::Next);
            }
            return Err(cx.error(
                inst,
                "has no meaning of its own with other numbers of inputs and outputs",
            ));
        }
        cx.copy(&inst.operands, &inst.results, lanes);
        Ok(Flow::Next)
    }
}

impl Syntax for UnrealizedConversionCastOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = UnrealizedConversionCastOp::from_op(op);
        let ir = p.ir();
        if ir.num_operands(op) > 0 {
            p.text(" ");
            p.values(view.inputs(ir));
            p.text(" : ");
            p.types_of(view.inputs(ir));
        }
        p.text(" to ");
        p.types_of(view.outputs(ir));
        p.attr_dict(op, &[]);
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let operands = p.parse_operand_list()?;
        if !operands.is_empty() {
            let types = p.parse_colon_type_list()?;
            crate::syntax::resolve(p, state, &operands, &types)?;
        }
        p.expect_keyword("to")?;
        state.state.result_types.extend(p.parse_type_list()?);
        p.parse_attr_dict_into(state)
    }
}
