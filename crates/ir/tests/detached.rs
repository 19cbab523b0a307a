//! Detached copies: isolated ops copied out of a program, changed there, and put back.

use segra_ir::store::DetachedScratch;
use segra_ir::verify::{VerifyOptions, verify_op};
use segra_ir::*;
use segra_text::{ParseOptions, PrintOptions, Unregistered, parse_source, print};
use std::sync::Arc;

/// A module.
#[op("t.module", traits(SymbolTable, IsolatedFromAbove, NoTerminator))]
pub struct ModuleOp {
    body: BlockRegion,
}

/// A function.
#[op("t.func", traits(IsolatedFromAbove, NoTerminator))]
pub struct FuncOp {
    body: AnyRegion,
}

const PROGRAM: &str = r#""t.module"() ({
  "t.func"() ({
  ^bb0(%x: i32, %y: i32):
    %a, %b = "u.two"(%x, %y) {k = 1 : i32} : (i32, i32) -> (i32, i64)
    "u.if"(%b) ({
      %c = "u.one"(%a) : (i32) -> i32
      "u.br"(%c)[^next] : (i32) -> ()
    ^next(%d: i32):
      "u.use"(%d, %a, %x) : (i32, i32, i32) -> ()
    }, {
      "u.nothing"() : () -> ()
    }) : (i64) -> ()
    "u.use"(%a, %a) : (i32, i32) -> ()
  }) {first} : () -> ()
  "u.between"() : () -> ()
  "t.func"() ({
    %a = "u.one"() : () -> i32
    "u.use"(%a) : (i32) -> ()
  }) {second} : () -> ()
}) {tag = "outer"} : () -> ()
"#;

fn program(text: &str) -> Ir {
    let ctx = Arc::new(Context::new());
    ctx.register(Dialect {
        name: "t",
        ops: vec![ModuleOp::DEF, FuncOp::DEF],
        ..Dialect::default()
    });
    let parsed = parse_source(&ctx, "test", text, &ParseOptions::allowing_unregistered());
    assert!(!parsed.diags.has_errors());
    parsed.ir
}

fn functions(ir: &Ir) -> Vec<Op> {
    ir.walk(ir.root())
        .into_iter()
        .filter(|&op| ir.isa::<FuncOp>(op))
        .collect()
}

fn text(ir: &Ir) -> String {
    let options = VerifyOptions {
        unregistered: Unregistered::Allow,
    };
    let mut diags = Diagnostics::new();
    verify_op(ir, ir.root(), &options, &mut diags);
    assert!(diags.is_empty(), "{diags:?}");
    print(ir, ir.root(), &PrintOptions::default())
}

fn op_named(ir: &Ir, name: &str) -> Op {
    ir.walk(ir.root())
        .into_iter()
        .find(|&op| ir.op_name_str(op) == name)
        .expect("there is one")
}

#[test]
fn a_copy_that_comes_back_unchanged_changes_nothing() {
    let mut ir = program(PROGRAM);
    let before = text(&ir);
    let ids = ir.walk(ir.root());
    let mut scratch = DetachedScratch::default();
    for _ in 0..3 {
        let detached = ir
            .copy_out(&functions(&ir), &mut scratch)
            .expect("functions are isolated");
        assert_eq!(detached.ops().len(), 2);
        ir.put_back(detached);
        assert_eq!(text(&ir), before);
        assert_eq!(ir.walk(ir.root()), ids);
    }
}

#[test]
fn an_detached_copy_has_the_ops_and_the_shells_around_them() {
    let ir = program(PROGRAM);
    let detached = ir
        .copy_out(&functions(&ir)[..1], &mut DetachedScratch::default())
        .expect("it is isolated");
    let inner = &detached.ir;
    let func = detached.ops().next().expect("one op");
    let around = inner.parent_op(func).expect("a shell");
    assert!(inner.isa::<ModuleOp>(around) && inner.attr_named(around, "tag").is_some());
    // The reader put a module around the program.
    assert_eq!(inner.parent_op(around), Some(inner.root()));
    let all = text(inner);
    assert!(
        !all.contains("between") && !all.contains("second") && all.contains("first"),
        "{all}"
    );
    // The order of uses is kept: passes may depend on it.
    let uses = |ir: &Ir| {
        let two = op_named(ir, "u.two");
        ir.users(ir.result(two, 0))
            .map(|op| ir.op_name_str(op).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(uses(inner), uses(&ir));
}

#[test]
fn what_is_changed_on_detached_copies_is_there_when_they_are_back() {
    let mut ir = program(PROGRAM);
    let mut scratch = DetachedScratch::default();
    let functions = functions(&ir);
    let mut copies: Vec<_> = functions
        .iter()
        .map(|&op| {
            ir.copy_out(&[op], &mut scratch)
                .expect("functions are isolated")
        })
        .collect();
    // The first function loses ops and blocks and gains some; the second gains an attribute and an op.
    let first = &mut copies[0].ir;
    let branch = op_named(first, "u.if");
    first.erase_op(branch);
    let two = op_named(first, "u.two");
    let ctx = first.context();
    let mut b = Builder::before(first, op_named(first, "u.use"));
    let mut state = OpState::new(ctx.op_name("u.new"), Loc::UNKNOWN);
    state
        .operands
        .extend([b.ir.result(two, 1), b.ir.result(two, 0)]);
    state.result_types.extend([ctx.i32(), ctx.i32(), ctx.i32()]);
    state.regions = 1;
    let new = b.insert(state);
    let region = first.region(new, 0);
    let block = first.add_block(region, &[ctx.i64()]);
    let arg = first.block_args(block)[0];
    let mut state = OpState::new(ctx.op_name("u.inner"), Loc::UNKNOWN);
    state.operands.push(arg);
    Builder::at_end(first, block, Loc::UNKNOWN).insert(state);
    first.replace_uses_if(first.result(two, 0), first.result(new, 2), |ir, id| {
        ir.op_name_str(ir.use_owner(id)) == "u.use"
    });
    let func = copies[1].ops().next().expect("one op");
    copies[1].ir.set_attr_named(func, "done", Some(ctx.unit()));
    for detached in copies {
        ir.put_back(detached);
    }
    let after = r#""t.module"() ({
  "t.func"() ({
  ^bb0(%x: i32, %y: i32):
    %a, %b = "u.two"(%x, %y) {k = 1 : i32} : (i32, i32) -> (i32, i64)
    %0:3 = "u.new"(%b, %a) ({
    ^bb0(%arg0: i64):
      "u.inner"(%arg0) : (i64) -> ()
    }) : (i64, i32) -> (i32, i32, i32)
    "u.use"(%0#2, %0#2) : (i32, i32) -> ()
  }) {first} : () -> ()
  "u.between"() : () -> ()
  "t.func"() ({
    %a = "u.one"() : () -> i32
    "u.use"(%a) : (i32) -> ()
  }) {done, second} : () -> ()
}) {tag = "outer"} : () -> ()
"#;
    let same = program(after);
    assert_eq!(text(&ir), text(&same));
    // Slots of what was erased are used again.
    let capacity = ir.op_capacity();
    let mut state = OpState::new(ctx.op_name("u.more"), Loc::UNKNOWN);
    state.operands.push(ir.result(op_named(&ir, "u.one"), 0));
    Builder::before(&mut ir, functions[0])
        .insert(OpState::new(ctx.op_name("u.between"), Loc::UNKNOWN));
    assert_eq!(ir.op_capacity(), capacity);
}

#[test]
fn what_is_not_isolated_stays() {
    let ir = program(PROGRAM);
    let mut scratch = DetachedScratch::default();
    assert!(
        ir.copy_out(&[op_named(&ir, "u.if")], &mut scratch)
            .is_none(),
        "it has operands"
    );
    let func = functions(&ir)[0];
    assert!(
        ir.copy_out(&[func, func], &mut scratch).is_none(),
        "given twice"
    );
    assert!(
        ir.copy_out(&[func, ir.root()], &mut scratch).is_none(),
        "one inside the other"
    );
    // A region without operands that looks out all the same.
    let looks_out = program(
        r#""t.module"() ({
  %a = "u.one"() : () -> i32
  "u.region"() ({
    "u.use"(%a) : (i32) -> ()
  }) : () -> ()
}) : () -> ()"#,
    );
    assert!(
        looks_out
            .copy_out(&[op_named(&looks_out, "u.region")], &mut scratch)
            .is_none()
    );
    assert!(ir.copy_out(&[func], &mut scratch).is_some());
}

#[test]
fn nothing_is_left_of_earlier_detached_copies() {
    let ir = program(PROGRAM);
    let mut scratch = DetachedScratch::default();
    assert!(
        ir.copy_out(&[op_named(&ir, "u.if")], &mut scratch)
            .is_none(),
        "refused at once"
    );
    assert!(
        ir.copy_out(&[functions(&ir)[0], ir.root()], &mut scratch)
            .is_none(),
        "refused in the middle"
    );
    // A program with more of everything.
    let functions_more = r#""t.func"() ({
    %a = "u.one"() : () -> i32
    "u.use"(%a) : (i32) -> ()
  }) : () -> ()
"#;
    let larger = program(&format!(
        "\"t.module\"() ({{\n{}}}) : () -> ()\n",
        functions_more.repeat(40)
    ));
    for ir in [&ir, &larger, &ir] {
        let again = ir
            .copy_out(&functions(ir), &mut scratch)
            .expect("functions are isolated");
        let fresh = ir
            .copy_out(&functions(ir), &mut DetachedScratch::default())
            .expect("functions are isolated");
        assert_eq!(again.ir.op_capacity(), fresh.ir.op_capacity());
        assert_eq!(text(&again.ir), text(&fresh.ir));
    }
}
