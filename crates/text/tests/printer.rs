//! The printer on programs built here; programs read from text are compared with `mlir-opt` elsewhere.

use segra_ir::constraint::*;
use segra_ir::*;
use segra_text::printer::{AliasPolicy, Form, Locations, NamePolicy};
use segra_text::{ParseOptions, PrintOptions, parse_module, print, print_op_line, print_type};
use std::sync::Arc;

enum_attr! {
    /// A mode.
    Mode, ModeAttr, "a mode", 32, { Fast = "fast" = 0, Slow = "slow" = 1 }
}

/// Everything a format can say.
#[op(
    "p.all",
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

/// Branches.
#[op(
    "p.br",
    traits(Terminator),
    format = "$dest (`(` $operands^ `:` type($operands) `)`)? attr-dict"
)]
pub struct BrOp {
    operands: VariadicOperand<AnyType>,
    dest: Successor,
}

fn setup() -> (Ir, Block) {
    let ctx = Arc::new(Context::new());
    ctx.register(Dialect {
        name: "p",
        ops: vec![AllOp::DEF, BrOp::DEF],
        ..Dialect::default()
    });
    let mut ir = Ir::new(ctx.clone());
    let mut state = OpState::new(ctx.op_name("builtin.module"), Loc::UNKNOWN);
    state.regions = 1;
    let root = ir.create_op(state);
    ir.set_root(root);
    let region = ir.region(root, 0);
    let block = ir.add_block(region, &[]);
    (ir, block)
}

fn source(b: &mut Builder<'_>, types: &[Type]) -> Op {
    let mut state = OpState::new(b.ctx().op_name("x.source"), b.loc);
    state.result_types.extend_from_slice(types);
    b.insert(state)
}

fn program() -> Ir {
    let (mut ir, block) = setup();
    let ctx = ir.context();
    let mut b = Builder::at_end(&mut ir, block, Loc::UNKNOWN);
    let first = source(&mut b, &[ctx.f32(), ctx.index()]);
    let name = ctx.ident("pair");
    b.ir.set_value_name(b.ir.result(first, 0), name);
    let (x, at) = (b.ir.result(first, 0), b.ir.result(first, 1));
    let other = source(&mut b, &[ctx.i32()]);
    let other = b.ir.result(other, 0);
    b.ir.set_value_name(other, name);
    let unit = ctx.unit();
    let all = AllOp::builder()
        .lhs(x)
        .at(at)
        .rest(&[other, other])
        .mode(Mode::Slow.attr(&ctx))
        .size(ctx.i64_attr(7))
        .hot(unit)
        .callee(ctx.str_attr("f"))
        .out_type(ctx.f32())
        .build(&mut b);
    let note = ctx.ident("note");
    b.ir.set_attr(all.op(), note, Some(ctx.str_attr("a\"b\n")));
    let body = all.body(b.ir);
    let target = b.ir.create_block(&[ctx.i32()]);
    b.build_block(body, &[ctx.i32()], |b, args| {
        BrOp::build(b, &[args[0]], target);
    });
    b.ir.append_block(body, target);
    let arg = b.ir.block_args(target)[0];
    b.point = InsertPoint::End(target);
    BrOp::build(&mut b, &[arg], target);
    ir
}

const CUSTOM: &str = r#""builtin.module"() ({
  %pair:2 = "x.source"() : () -> (f32, index)
  %pair_0 = "x.source"() : () -> i32
  %0 = p.all %pair#0, %pair_0, %pair_0 : i32, i32[%pair#1] mode slow 7 hot @f {
  ^bb0(%arg0: i32):
    p.br ^bb1(%arg0 : i32)
  ^bb1(%1: i32):  // 2 preds: ^bb0, ^bb1
    p.br ^bb1(%1 : i32)
  } {note = "a\22b\0A"} : f32 -> f32
}) : () -> ()
"#;

const GENERIC: &str = r#""builtin.module"() ({
  %0:2 = "x.source"() : () -> (f32, index)
  %1 = "x.source"() : () -> i32
  %2 = "p.all"(%0#0, %0#1, %1, %1) <{hot, mode = 1 : i32, size = 7 : i64, sym_name = "f"}> ({
  ^bb0(%arg0: i32):
    "p.br"(%arg0)[^bb1] : (i32) -> ()
  ^bb1(%3: i32):  // 2 preds: ^bb0, ^bb1
    "p.br"(%3)[^bb1] : (i32) -> ()
  }) {note = "a\22b\0A"} : (f32, index, i32, i32) -> f32
}) : () -> ()
"#;

#[test]
fn custom_forms_follow_the_format_string() {
    let ir = program();
    assert_eq!(print(&ir, ir.root(), &PrintOptions::default()), CUSTOM);
}

#[test]
fn the_generic_form_is_that_of_mlir() {
    let ir = program();
    assert_eq!(
        print(&ir, ir.root(), &PrintOptions::mlir_generic()),
        GENERIC
    );
}

#[test]
fn an_op_line_shows_no_region_and_names_as_in_the_program() {
    let ir = program();
    let all = ir
        .walk(ir.root())
        .into_iter()
        .find(|&op| ir.isa::<AllOp>(op))
        .expect("it was built");
    let line = r#"%0 = p.all %pair#0, %pair_0, %pair_0 : i32, i32[%pair#1] mode slow 7 hot @f {...} {note = "a\22b\0A"} : f32 -> f32"#;
    assert_eq!(print_op_line(&ir, all), line);
}

#[test]
fn locations_are_aliases_after_the_program_or_written_in_place() {
    let (mut ir, block) = setup();
    let ctx = ir.context();
    let file = ctx.ident("a.mlir");
    let place = ctx.loc(LocKind::File {
        file,
        line: 1,
        column: 2,
    });
    let named = ctx.loc(LocKind::Name {
        name: ctx.ident("n"),
        child: place,
    });
    let mut b = Builder::at_end(&mut ir, block, named);
    source(&mut b, &[ctx.i32()]);
    b.loc = place;
    source(&mut b, &[]);
    let aliased = PrintOptions {
        locations: Locations::Aliased,
        ..PrintOptions::mlir_generic()
    };
    let expected = r#""builtin.module"() ({
  %0 = "x.source"() : () -> i32 loc(#loc2)
  "x.source"() : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc(unknown)
#loc1 = loc("a.mlir":1:2)
#loc2 = loc("n"(#loc1))
"#;
    assert_eq!(print(&ir, ir.root(), &aliased), expected);
    let inline = PrintOptions {
        form: Form::Generic,
        names: NamePolicy::Numbered,
        locations: Locations::Inline,
        ..PrintOptions::default()
    };
    assert!(print(&ir, ir.root(), &inline).contains(r#"() -> i32 loc("n"("a.mlir":1:2))"#));
}

#[test]
fn a_first_block_whose_label_is_not_written_goes_by_its_number() {
    let text = "\"x.op\"() ({\n^start:\n  \"x.br\"()[^next] : () -> ()\n^next:\n  \"x.end\"() : () -> ()\n}) : () -> ()\n";
    let options = ParseOptions::allowing_unregistered();
    let printed = |text: &str| {
        let ctx = Arc::new(Context::new());
        let ir = parse_module(&ctx, "input", text, &options).expect("valid");
        print(&ir, ir.root(), &PrintOptions::default())
    };
    let written = printed(text);
    assert!(
        written.contains("^next:  // pred: ^bb0\n") && !written.contains("^start"),
        "{written}"
    );
    assert_eq!(printed(&written), written);
}

#[test]
fn a_dialect_documents_itself() {
    let (ir, _) = setup();
    assert_eq!(segra_text::docs::docs(ir.ctx(), "absent"), None);
    insta::assert_snapshot!(
        "documentation_page",
        segra_text::docs::docs(ir.ctx(), "p").expect("registered")
    );
}

#[test]
fn nesting_without_end_is_cut_and_does_not_overflow_the_stack() {
    let (mut ir, mut block) = setup();
    let ctx = ir.context();
    let mut ty = ctx.i32();
    let mut loc = Loc::UNKNOWN;
    for _ in 0..20_000 {
        ty = ctx.ty(TypeKind::Tuple(vec![ty]));
        loc = ctx.loc(LocKind::Name {
            name: ctx.ident("n"),
            child: loc,
        });
        let mut state = OpState::new(ctx.op_name("x.nest"), loc);
        state.regions = 1;
        let op = Builder::at_end(&mut ir, block, Loc::UNKNOWN).insert(state);
        let region = ir.region(op, 0);
        block = ir.add_block(region, &[ty]);
    }
    let options = PrintOptions {
        locations: Locations::Aliased,
        ..PrintOptions::default()
    };
    let text = print(&ir, ir.root(), &options);
    assert!(text.contains("({...})"));
    assert!(print_type(&ctx, ty).contains("<<nested too deep>>"));
    let mut diags = Diagnostics::new();
    verify::verify(&ir, &mut diags);
    assert_eq!(diags.error_count(), 20_001);
}

/// Types, attributes and locations of which each is made of the one before, twice, 64 times: as text in place, more than
/// there is memory for.
const DOUBLED: usize = 64;

fn doubled() -> String {
    let mut text = String::from("!t0 = tuple<i32>\n#a0 = [1, 2]\n#l0 = loc(\"x\":1:1)\n");
    for at in 1..DOUBLED {
        let from = at - 1;
        text +=
            &format!("!t{at} = tuple<!t{from}, !t{from}>\n#a{at} = [#a{from}, {{k = #a{from}}}]\n");
        text += &format!("#l{at} = loc(fused[#l{from}, #l{from}])\n");
    }
    let last = DOUBLED - 1;
    text + &format!("\"x.op\"() {{a = #a{last}, l = #l{last}}} : () -> !t{last} loc(#l{last})\n")
}

#[test]
fn what_is_doubled_again_and_again_is_written_in_linear_space() {
    let ctx = Arc::new(Context::new());
    let read = ParseOptions::allowing_unregistered();
    let ir = parse_module(&ctx, "doubled", &doubled(), &read).expect("it is a program");
    for locations in [Locations::Hidden, Locations::Aliased, Locations::Inline] {
        for aliases in [AliasPolicy::Defined, AliasPolicy::Inline] {
            let options = PrintOptions {
                locations,
                aliases,
                ..PrintOptions::default()
            };
            let text = print(&ir, ir.root(), &options);
            assert!(
                text.len() < 1000 * DOUBLED,
                "{locations:?}, {aliases:?}: {} bytes",
                text.len()
            );
            let again = parse_module(&ctx, "again", &text, &read).expect("it reads back");
            assert_eq!(
                print(&again, again.root(), &options),
                text,
                "{locations:?}, {aliases:?}"
            );
        }
    }
    // Output without a place for definitions is cut, and says so.
    let op = *ir.walk(ir.root()).last().expect("an op");
    assert!(print_op_line(&ir, op).len() < 10_000);
    let ty = print_type(&ctx, ir.value_type(ir.result(op, 0)));
    assert!(
        ty.len() < 10_000 * DOUBLED && ty.contains("<<written before>>"),
        "{} bytes",
        ty.len()
    );
}

#[test]
fn entries_of_dictionaries_in_any_order_are_sorted_in_few_comparisons() {
    let ctx = Context::new();
    let count: i64 = 10_007;
    // The count is prime, so each number comes once.
    let entries: Vec<_> = (0..count)
        .map(|at| {
            (
                ctx.ident(&format!("k{}", at * 7_919 % count)),
                ctx.i64_attr(at),
            )
        })
        .collect();
    let before = steps::taken();
    let dict = ctx.dict(&[&entries[..], &[(ctx.ident("k5"), ctx.i64_attr(-1))]].concat());
    let steps = steps::taken() - before;
    assert!(steps < 20 * count as u64, "{steps} steps");
    assert_eq!(ctx.entries(dict).len(), count as usize);
    assert!(
        ctx.entries(dict)
            .windows(2)
            .all(|pair| ctx.str(pair[0].0) < ctx.str(pair[1].0))
    );
    // Of those with one name the last counts.
    assert_eq!(ctx.lookup(dict, ctx.ident("k5")), Some(ctx.i64_attr(-1)));
}

/// Each alias names the one before twice: written out, the last one would be longer than any memory.
#[test]
fn aliases_that_double_are_printed_as_aliases() {
    const LINKS: usize = 64;
    let mut text = String::from("!a0 = tuple<i32>\n");
    for at in 1..LINKS {
        text += &format!("!a{at} = tuple<!a{0}, !a{0}>\n", at - 1);
    }
    text += &format!("\"t.r\"() : () -> !a{}\n", LINKS - 1);
    let ctx = Arc::new(Context::new());
    let options = ParseOptions::allowing_unregistered();
    let ir = parse_module(&ctx, "t.mlir", &text, &options).expect("it is well formed");
    let printed = print(&ir, ir.root(), &PrintOptions::default());
    assert!(printed.len() < 1 << 16, "{} bytes", printed.len());
    let again = parse_module(&ctx, "t.mlir", &printed, &options).expect("it is well formed");
    assert_eq!(
        print(&again, again.root(), &PrintOptions::default()),
        printed
    );
}
