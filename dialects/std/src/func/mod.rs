//! `func`: functions, calls, returns.

mod calls;
mod indirect;
mod syntax;

use segra_interp::{
    Cx, Eval, EvalError, EvalResult, Fault, Flow, Inst, Lanes, Prepare, Prepared, RegionKind,
};
use segra_ir::constraint::{
    AnyType, AttrAccess, AttrConstraint, DictArrayAttr, FlatSymbolRefAttr, StrAttr, SymbolNameAttr,
    UnitAttr,
};
use segra_ir::def::Origin;
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{
    CallLike, Callable, InlineReturn, RuleScope, SymbolOp, SymbolUser, Verify,
};
use segra_ir::symbol::SymbolTables;
use segra_ir::type_arguments::{SizeClaim, TypeArguments, size_claims};
use segra_ir::{
    Attr, AttrKind, Block, Builder, Context, Dialect, Ident, Ir, Op, OpDef, OpView, Region, Type,
    TypeKind, Value, op,
};
use segra_text::Syntax;
use smallvec::SmallVec;

const OPS: &[&OpDef] = &[
    CallOp::DEF,
    CallIndirectOp::DEF,
    ConstantOp::DEF,
    FuncOp::DEF,
    ReturnOp::DEF,
];

pub use calls::Calls;
pub use indirect::{CallIndirectOp, ConstantOp};

/// The dialect.
pub fn dialect() -> Dialect {
    Dialect {
        name: "func",
        origin: Origin::Upstream,
        doc: "Functions, calls, returns.",
        ops: OPS.to_vec(),
        ..Dialect::default()
    }
}

/// The constraint of a function's type.
#[derive(Clone, Copy, Debug)]
pub struct FunctionTypeAttr;

impl AttrConstraint for FunctionTypeAttr {
    fn describe(&self) -> &'static str {
        "a function type"
    }
    fn accepts(&self, ctx: &Context, attr: Attr) -> bool {
        FunctionTypeAttr::read(ctx, attr).is_some()
    }
}

impl AttrAccess for FunctionTypeAttr {
    type Value<'a> = (&'a [Type], &'a [Type]);
    fn read(ctx: &Context, attr: Attr) -> Option<(&[Type], &[Type])> {
        match ctx.type_kind(attr.as_type(ctx)?) {
            TypeKind::Function { inputs, results } => Some((inputs, results)),
            _ => None,
        }
    }
}

/// A function: arguments in, results out, no value of the outside in sight. Without a body it is defined elsewhere.
#[op(
    "func.func",
    traits(IsolatedFromAbove, Symbol, AllocationScope),
    interfaces(SymbolOp, Callable, Verify, Syntax, Eval)
)]
pub struct FuncOp {
    sym_name: Attr<SymbolNameAttr>,
    /// Types of arguments and results.
    function_type: Attr<FunctionTypeAttr>,
    /// `private`: only the enclosing symbol table sees it.
    sym_visibility: OptionalAttr<StrAttr>,
    /// One dictionary per argument.
    arg_attrs: OptionalAttr<DictArrayAttr>,
    /// One dictionary per result.
    res_attrs: OptionalAttr<DictArrayAttr>,
    /// Its calls stay calls.
    no_inline: OptionalAttr<UnitAttr>,
    body: AnyRegion,
}

impl FuncOp {
    /// A public function with an entry block; `body` builds into it and gets the arguments.
    pub fn define(
        b: &mut Builder<'_>,
        name: &str,
        inputs: &[Type],
        results: &[Type],
        body: impl FnOnce(&mut Builder<'_>, &[Value]),
    ) -> FuncOp {
        let ctx = b.ir.context();
        let ty = ctx.type_attr(ctx.function(inputs, results));
        let func = FuncOp::build(b, ctx.str_attr(name), ty);
        let region = func.body(b.ir);
        b.build_block(region, inputs, body);
        func
    }
    /// The entry block; `None` for a declaration.
    pub fn entry(self, ir: &Ir) -> Option<Block> {
        ir.entry_block(self.body(ir))
    }
}

/// Whether the attribute `sym_visibility` says that only the enclosing symbol table sees the op.
pub(crate) fn has_private_visibility(ir: &Ir, op: Op) -> bool {
    ir.attr_named(op, "sym_visibility")
        .is_some_and(|attr| attr.as_str(ir.ctx()) == Some("private"))
}

/// Whether everybody sees the symbol: what the attribute `sym_visibility` says if it says nothing else.
fn is_public(ir: &Ir, op: Op) -> bool {
    let visibility = ir
        .attr_named(op, "sym_visibility")
        .and_then(|attr| attr.as_str(ir.ctx()));
    !matches!(visibility, Some("private" | "nested"))
}

/// Whether a dictionary has names without a dialect.
fn has_bare_names(ctx: &Context, dict: Attr) -> bool {
    match ctx.attr_kind(dict) {
        AttrKind::Dict(dict) => ctx
            .entries(*dict)
            .iter()
            .any(|row| !ctx.str(row.0).contains('.')),
        _ => false,
    }
}

impl SymbolOp for FuncOp {
    fn is_private(&self, ir: &Ir, op: Op) -> bool {
        has_private_visibility(ir, op)
    }
}

impl Callable for FuncOp {
    fn callable_region(&self, ir: &Ir, op: Op) -> Option<Region> {
        let region = FuncOp::from_op(op).body(ir);
        ir.entry_block(region).map(|_| region)
    }
    fn signature(&self, ir: &Ir, op: Op) -> (Vec<Type>, Vec<Type>) {
        let (inputs, results) = FuncOp::from_op(op).function_type(ir);
        (inputs.to_vec(), results.to_vec())
    }
}

impl Verify for FuncOp {
    fn scope(&self) -> RuleScope {
        RuleScope::Frame
    }
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = FuncOp::from_op(op);
        let (inputs, results) = view.function_type(ir);
        if let Some(entry) = view.entry(ir) {
            let args = ir.block_args(entry).iter().map(|&arg| ir.value_type(arg));
            if !args.eq(inputs.iter().copied()) {
                diags.error("arguments of the body must have the types of the signature");
            }
        } else if is_public(ir, op) {
            diags.error("without a body must be private or nested");
        }
        for (name, list, count) in [
            ("arg_attrs", view.arg_attrs(ir), inputs.len()),
            ("res_attrs", view.res_attrs(ir), results.len()),
        ] {
            let Some(list) = list else { continue };
            if list.len() != count {
                diags.error(format!("attribute `{name}` must have {count} entries"));
            }
            if list.iter().any(|&dict| has_bare_names(ir.ctx(), dict)) {
                diags.error(format!(
                    "attribute `{name}` must have names of the form `dialect.name`"
                ));
            }
        }
    }
}

impl Eval for FuncOp {
    fn eval(&self, _cx: &mut Cx<'_>, _inst: &Inst, _lanes: &Lanes) -> EvalResult {
        // A definition does nothing where it stands.
        Ok(Flow::Next)
    }
    fn region_kind(&self, _ir: &Ir, _op: Op, _index: usize) -> RegionKind {
        RegionKind::Never
    }
}

/// Calls a function.
#[op(
    "func.call",
    interfaces(CallLike, SymbolUser, Eval),
    format = "$callee `(` $operands `)` attr-dict `:` functional-type($operands, results)"
)]
pub struct CallOp {
    callee: Attr<FlatSymbolRefAttr>,
    arg_attrs: OptionalAttr<DictArrayAttr>,
    res_attrs: OptionalAttr<DictArrayAttr>,
    no_inline: OptionalAttr<UnitAttr>,
    operands: VariadicOperand<AnyType>,
    results: VariadicResult<AnyType>,
}

impl CallLike for CallOp {
    fn callee(&self, ir: &Ir, op: Op) -> Option<Ident> {
        CallOp::from_op(op).callee_attr(ir)?.as_symbol(ir.ctx())
    }
    fn arguments(&self, ir: &Ir, op: Op) -> Vec<Value> {
        ir.operands(op).collect()
    }
}

impl SymbolUser for CallOp {
    fn verify_symbol_uses(
        &self,
        ir: &Ir,
        op: Op,
        tables: &mut SymbolTables,
        diags: &mut OpDiagnostics<'_>,
    ) {
        let ctx = ir.ctx();
        let Some(reference) = CallOp::from_op(op).callee_attr(ir) else {
            return;
        };
        let name = || reference.as_symbol(ctx).map_or("", |name| ctx.str(name));
        let Some(callee) = tables.resolve_nearest(ir, op, reference) else {
            diags.error(format!("calls @{}, which is not defined", name()));
            return;
        };
        let Some(func) = ir.cast::<FuncOp>(callee) else {
            let message = format!("calls @{}, which is not a func.func", name());
            diags.error(message).note(ir.loc(callee), "defined here");
            return;
        };
        let (inputs, results) = func.function_type(ir);
        let ty = |value| ir.value_type(value);
        if ir.operands(op).map(ty).eq(inputs.iter().copied())
            && ir.results(op).map(ty).eq(results.iter().copied())
        {
            return;
        }
        let given: SmallVec<[Type; 6]> =
            ir.operands(op).map(|value| ir.value_type(value)).collect();
        let taken: SmallVec<[Type; 6]> = ir.results(op).map(|value| ir.value_type(value)).collect();
        let mut known = TypeArguments::default();
        for (what, one, expected, found) in [
            ("operands", "operand", inputs, given),
            ("results", "result", results, taken),
        ] {
            let mut learn = || {
                if expected.len() != found.len() {
                    return Err(String::new());
                }
                let pairs = expected.iter().zip(&found).enumerate();
                pairs
                    .into_iter()
                    .try_for_each(|(index, (&expected, &found))| {
                        known.learn(ctx, expected, found, format_args!("{one} #{index}"))
                    })
            };
            if let Err(reason) = learn() {
                let mut message = format!("{what} must have the types of @{}'s signature", name());
                if !reason.is_empty() {
                    message += &format!(": {reason}");
                }
                diags.error(message).note(ir.loc(callee), "defined here");
            }
        }
    }
}

impl CallOp {
    /// The relation of the operands' extents by the callee's signature.
    pub fn size_claims(&self, ir: &Ir) -> Vec<SizeClaim> {
        let mut tables = SymbolTables::new();
        let callee = self
            .callee_attr(ir)
            .and_then(|callee| tables.resolve_nearest(ir, self.op(), callee))
            .and_then(|callee| ir.cast::<FuncOp>(callee));
        callee.map_or_else(Vec::new, |callee| {
            size_claims(ir.ctx(), callee.function_type(ir).0)
        })
    }
}

/// Stops where arguments do not have the extents that the callee's signature says.
fn check_sizes(
    cx: &Cx<'_>,
    inst: &Inst,
    lanes: &Lanes,
    claims: &[SizeClaim],
) -> Result<(), EvalError> {
    for lane in lanes.iter() {
        let extent = |(operand, dim): (usize, usize)| {
            let array = cx.operand(inst, operand, lane).as_array()?;
            i64::try_from(*array.shape().get(dim)?).ok()
        };
        for claim in claims {
            let (Some(found), Some(wanted)) =
                (extent(claim.of), claim.is.map_or_else(Some, extent))
            else {
                continue;
            };
            if found != wanted {
                let message = crate::check::with_numbers(&claim.message, &[found, wanted]);
                return Err(cx.error(inst, message));
            }
        }
    }
    Ok(())
}

impl Eval for CallOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        let callee = p
            .attr("callee")
            .ok_or_else(|| Fault::new("has no callee"))?;
        p.function(callee)
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        match inst.function() {
            Some(function) => {
                if let Some(callee) = cx.ir().cast::<FuncOp>(function) {
                    let claims = size_claims(cx.ir().ctx(), callee.function_type(cx.ir()).0);
                    check_sizes(cx, inst, lanes, &claims)?;
                }
                cx.call(function, inst, 0, lanes)
            }
            None => Err(cx.error(inst, "has no callee")),
        }
    }
}

/// Ends a function and hands its results to the caller.
#[op(
    "func.return",
    traits(Pure, Terminator, ReturnLike),
    interfaces(InlineReturn, Verify, Eval),
    format = "attr-dict ($operands^ `:` type($operands))?"
)]
pub struct ReturnOp {
    operands: VariadicOperand<AnyType>,
}

impl InlineReturn for ReturnOp {
    fn build_jump(&self, b: &mut Builder<'_>, op: Op, dest: Block) {
        let values: Vec<Value> = b.ir.operands(op).collect();
        crate::cf::BranchOp::build(b, &values, dest);
    }
}

impl Verify for ReturnOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let Some(parent) = ir
            .parent_op(op)
            .and_then(|parent| ir.cast::<FuncOp>(parent))
        else {
            diags.error("must end the body of a func.func");
            return;
        };
        let (_, results) = parent.function_type(ir);
        let given: SmallVec<[Type; 6]> =
            ir.operands(op).map(|value| ir.value_type(value)).collect();
        if given.len() != results.len() {
            let message = format!(
                "returns {} values, but the function has {}",
                given.len(),
                results.len()
            );
            diags
                .error(message)
                .note(ir.loc(parent.op()), "the function");
        } else if let Some(index) = (0..given.len()).find(|&index| given[index] != results[index]) {
            let message =
                format!("type of returned value {index} is not the type of the function's result");
            diags
                .error(message)
                .note(ir.loc(parent.op()), "the function");
        }
    }
}

impl Eval for ReturnOp {
    fn eval(&self, _cx: &mut Cx<'_>, _inst: &Inst, _lanes: &Lanes) -> EvalResult {
        Ok(Flow::Yield)
    }
}
