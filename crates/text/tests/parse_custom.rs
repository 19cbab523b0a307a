//! Reading custom forms: by format string, by hand-written syntax, and back through the printer.

use segra_ir::constraint::*;
use segra_ir::*;
use segra_text::*;
use std::sync::Arc;

enum_attr! {
    /// A mode.
    Mode, ModeAttr, "a mode", 32, { Fast = "fast" = 0, Slow = "slow" = 1 }
}

/// Everything a format can say.
#[op(
    "c.all",
    format = "$lhs (`,` $rest^ `:` type($rest))? `[` $at `]` `mode` $mode $size (`hot` $hot^)? $sym_name \
              $body attr-dict `:` type($lhs) `->` type($out)"
)]
pub struct AllOp {
    lhs: Operand<AnyType>,
    at: Operand<Index>,
    rest: VariadicOperand<AnyType>,
    mode: Attr<ModeAttr>,
    size: Attr<I64Attr>,
    hot: OptionalAttr<UnitAttr>,
    #[name("sym_name")]
    callee: Attr<SymbolNameAttr>,
    body: AnyRegion,
    out: OpResult<AnyType>,
}

/// Two loose operand fields and two loose result fields.
#[op(
    "c.groups",
    format = "`(` $heads `)` (`mask` $mask^)? attr-dict `:` type($heads) `->` functional-type($mask, $outs)"
)]
pub struct GroupsOp {
    heads: VariadicOperand<AnyType>,
    mask: OptionalOperand<AnyInteger>,
    outs: VariadicResult<AnyType>,
}

/// A sum.
#[op(
    "c.add",
    traits(Pure, SameOperandsAndResultType),
    format = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct AddOp {
    lhs: Operand<AnyType>,
    rhs: Operand<AnyType>,
    result: OpResult<AnyType>,
}

/// All operands at once.
#[op(
    "c.call",
    format = "$callee `(` operands `)` attr-dict `:` functional-type(operands, results)"
)]
pub struct CallOp {
    callee: Attr<FlatSymbolRefAttr>,
    operands: VariadicOperand<AnyType>,
    results: VariadicResult<AnyType>,
}

/// Branches.
#[op(
    "c.br",
    traits(Terminator),
    format = "$dest (`(` $operands^ `:` type($operands) `)`)? attr-dict"
)]
pub struct BrOp {
    operands: VariadicOperand<AnyType>,
    dest: Successor,
}

/// Ends a block.
#[op("c.end", traits(Terminator, ReturnLike), format = "attr-dict")]
pub struct EndOp {}

/// A function.
#[op("c.func", traits(IsolatedFromAbove, Symbol), interfaces(Syntax))]
pub struct FuncOp {
    sym_name: Attr<SymbolNameAttr>,
    function_type: Attr<TypeAttr>,
    body: AnyRegion,
}

impl Syntax for FuncOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let _ = (p, op);
    }
    fn parse(&self, p: &mut Parser<'_>, op: &mut ParsedOp) -> ParseResult<()> {
        let ctx = p.ctx();
        let name = p.parse_symbol_name()?;
        let signature = p.parse_function_signature()?;
        op.set_attr(ctx, ctx.ident("sym_name"), ctx.str_attr(ctx.str(name)));
        let ty = ctx.function(&signature.arg_types(), &signature.results);
        op.set_attr(ctx, ctx.ident("function_type"), ctx.type_attr(ty));
        let region = p.parse_region(&signature.args, Isolation::Own)?;
        p.ensure_terminator(region, "c.end", op.state.loc);
        op.regions.push(region);
        Ok(())
    }
}

fn context() -> Arc<Context> {
    let ctx = Arc::new(Context::new());
    let ops = vec![
        AllOp::DEF,
        GroupsOp::DEF,
        AddOp::DEF,
        CallOp::DEF,
        BrOp::DEF,
        EndOp::DEF,
        FuncOp::DEF,
    ];
    ctx.register(Dialect {
        name: "c",
        ops,
        ..Dialect::default()
    });
    assert_eq!(check_formats(&ctx), Vec::<String>::new());
    ctx
}

fn read(text: &str) -> Ir {
    match parse_module(
        &context(),
        "test.mlir",
        text,
        &ParseOptions::allowing_unregistered(),
    ) {
        Ok(ir) => ir,
        Err(diags) => panic!(
            "{:#?}",
            diags.iter().map(|d| &d.message).collect::<Vec<_>>()
        ),
    }
}

fn errors(text: &str) -> Vec<String> {
    let options = ParseOptions::default();
    match parse_module(&context(), "test.mlir", text, &options) {
        Ok(_) => Vec::new(),
        Err(diags) => diags.iter().map(|d| d.message.clone()).collect(),
    }
}

const CUSTOM: &str = r#""builtin.module"() ({
  %pair:2 = "x.source"() : () -> (f32, index)
  %pair_0 = "x.source"() : () -> i32
  %0 = c.all %pair#0, %pair_0, %pair_0 : i32, i32[%pair#1] mode slow 7 hot @f {
  ^bb0(%arg0: i32):
    c.br ^bb1(%arg0 : i32)
  ^bb1(%5: i32):  // 2 preds: ^bb0, ^bb1
    c.br ^bb1(%5 : i32)
  } {note = "a\22b\0A"} : f32 -> f32
  %1 = c.all %0[%pair#1] mode fast -1 @"g h" {
  } : f32 -> i8
  %2:2 = c.groups(%1, %0) mask %pair_0 : i8, f32 -> (i32) -> (f32, f64)
  c.groups() : -> () -> ()
  %3 = c.add %0, %2#0 : f32
  %4 = c.call @f(%3, %0) : (f32, f32) -> f32
  c.call @f() : () -> ()
}) : () -> ()
"#;

#[test]
fn custom_forms_survive_a_round_trip() {
    let ir = read(CUSTOM);
    assert_eq!(print(&ir, ir.root(), &PrintOptions::default()), CUSTOM);
    let generic = print(&ir, ir.root(), &PrintOptions::mlir_generic());
    let again = read(&generic);
    assert_eq!(
        print(&again, again.root(), &PrintOptions::mlir_generic()),
        generic
    );
    let groups = ir
        .walk(ir.root())
        .into_iter()
        .filter_map(|op| ir.cast::<GroupsOp>(op))
        .collect::<Vec<_>>();
    assert_eq!(groups[0].heads(&ir).len(), 2);
    assert!(groups[0].mask(&ir).is_some() && groups[1].mask(&ir).is_none());
}

#[test]
fn hand_written_syntax_reads_arguments_and_supplies_terminators() {
    let ir = read(
        "c.func @f(%a: f32 {x}, %b: f32) -> f32 {\n  %0 = c.add %a, %b : f32\n}\nc.func @g(%a: f32) {\n  c.end\n}\n",
    );
    let names: Vec<&str> = ir
        .walk(ir.root())
        .into_iter()
        .map(|op| ir.op_name_str(op))
        .collect();
    assert_eq!(
        names,
        [
            "builtin.module",
            "c.func",
            "c.add",
            "c.end",
            "c.func",
            "c.end"
        ]
    );
    let add = ir.walk(ir.root())[2];
    let operands: Vec<Option<&str>> = ir
        .operands(add)
        .map(|value| ir.value_name(value).map(|name| ir.ctx().str(name)))
        .collect();
    assert_eq!(operands, [Some("a"), Some("b")]);
}

#[test]
fn inherent_attributes_in_braces_become_properties() {
    let ir = read(
        "\"c.func\"() ({\n  \"c.end\"() : () -> ()\n}) {sym_name = \"f\", function_type = () -> (), other = 1 : i8} : () -> ()",
    );
    let func = ir.walk(ir.root())[1];
    let ctx = ir.ctx();
    assert_eq!(ctx.entries(ir.properties(func)).len(), 2);
    assert_eq!(ctx.entries(ir.discardable_attrs(func)).len(), 1);
}

#[test]
fn mistakes_in_custom_forms_have_messages() {
    let one = |text: &str| {
        let found = errors(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        found[0].clone()
    };
    assert!(one("c.nothing").contains("unknown op 'c.nothing' in dialect 'c'"));
    assert!(
        one("affine.for %i = 0 to 4 {\n  affine.yield\n}\n").contains("--mlir-print-op-generic")
    );
    assert!(one("\"d.op\"() : () -> ()").contains("--allow-unregistered-dialect"));
    assert!(one("%0 = c.add %x, %x : f32").contains("undeclared SSA value name '%x'"));
    assert!(
        one("c.func @f(%a: f32, %b: i32) {\n  %0 = c.add %a, %b : f32\n}")
            .contains("expects different type")
    );
    assert!(
        one("c.func @f(%a: f32) {\n  %0:2 = c.add %a, %a : f32\n}").contains("provided 2 to bind")
    );
    assert!(one("c.func @f(%a: f32) {\n  c.call f() : () -> ()\n}").contains("expected"));
    assert!(one("c.func @f(%a: f32, %a: f32) {\n}").contains("redefinition"));
    assert!(one("c.func @f(%a: f32 {\n}\n").contains("expected"));
}

#[test]
fn isolated_regions_do_not_see_outer_names_and_may_take_them_again() {
    let found = errors(
        "c.func @f(%a: f32) {\n  c.func @g(%b: f32) {\n    %a = c.add %b, %b : f32\n  }\n  c.end\n}",
    );
    assert_eq!(found, Vec::<String>::new());
    let found = errors(
        "c.func @f(%a: f32) {\n  c.func @g(%b: f32) {\n    %c = c.add %a, %b : f32\n  }\n  c.end\n}",
    );
    assert_eq!(found, ["use of undeclared SSA value name '%a'"]);
}
