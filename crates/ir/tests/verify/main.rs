//! The verifier, layer by layer: each test breaks one rule and reads the message.

mod known;

use known::lenient;
use segra_ir::constraint::*;
use segra_ir::def::AttachedAttrRule;
use segra_ir::interfaces::{BranchLike, Forwarded, InferTypes, SymbolUser, Verify};
use segra_ir::symbol::SymbolTables;
use segra_ir::verify::{Unregistered, Verifier, VerifyOptions, is_well_formed, verify_op};
use segra_ir::*;
use segra_text::{ParseOptions, parse_source};
use std::sync::Arc;

/// Holds symbols.
#[op("v.module", traits(SymbolTable, NoTerminator, IsolatedFromAbove))]
pub struct ModuleOp {
    body: BlockRegion,
}

/// A function.
#[op("v.func", traits(Symbol, IsolatedFromAbove))]
pub struct FuncOp {
    sym_name: Attr<SymbolNameAttr>,
    body: AnyRegion,
}

/// Nested code.
#[op("v.nest")]
pub struct NestOp {
    bodies: VariadicRegion,
}

/// A graph.
#[op("v.graph", traits(GraphRegion))]
pub struct GraphOp {
    body: BlockRegion,
}

/// The end.
#[op("v.end", traits(Terminator))]
pub struct EndOp {}

/// A branch.
#[op("v.br", traits(Terminator), interfaces(BranchLike))]
pub struct BrOp {
    passed: VariadicOperand<AnyType>,
    dest: Successor,
}

impl BranchLike for BrOp {
    fn forwarded(&self, ir: &Ir, op: Op) -> Forwarded {
        std::iter::once(0..ir.num_operands(op)).collect()
    }
    fn set_forwarded(&self, ir: &mut Ir, op: Op, handed: &[Vec<Value>]) {
        ir.set_operands(op, &handed[0]);
    }
}

/// A number.
#[op("v.const", traits(Pure, ConstantLike))]
pub struct ConstOp {
    value: Attr<TypedAttr>,
    out: OpResult<AnyScalar>,
}

/// A sum.
#[op("v.add", traits(Pure, SameOperandsAndResultType))]
pub struct AddOp {
    lhs: Operand<AnyInteger>,
    rhs: Operand<AnyInteger>,
    out: OpResult<AnyInteger>,
}

/// Groups.
#[op("v.groups")]
pub struct GroupsOp {
    heads: VariadicOperand<AnyInteger>,
    at: Operand<Index>,
    mask: OptionalOperand<Bool>,
}

/// Its result is `i1`.
#[op("v.test", interfaces(InferTypes))]
pub struct TestOp {
    of: Operand<AnyType>,
    out: OpResult<AnyType>,
}

impl InferTypes for TestOp {
    fn infer_types(&self, ir: &Ir, _state: &OpState) -> Result<Vec<Type>, String> {
        Ok(vec![ir.ctx().i1()])
    }
}

/// Needs a size of at least 1.
#[op("v.sized", interfaces(Verify))]
pub struct SizedOp {
    size: Attr<I64Attr>,
}

impl Verify for SizedOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        if SizedOp::from_op(op).size(ir) < 1 {
            diags.error("has a size below 1");
        }
    }
}

/// A call.
#[op("v.call", interfaces(SymbolUser))]
pub struct CallOp {
    callee: Attr<FlatSymbolRefAttr>,
}

impl SymbolUser for CallOp {
    fn verify_symbol_uses(
        &self,
        ir: &Ir,
        op: Op,
        tables: &mut SymbolTables,
        diags: &mut OpDiagnostics<'_>,
    ) {
        let callee = CallOp::from_op(op).callee_attr(ir);
        match callee.and_then(|callee| tables.resolve(ir, op, callee)) {
            None => {
                diags.error("calls what does not exist");
            }
            Some(found) if !ir.isa::<FuncOp>(found) => {
                diags.error("calls what is no function");
            }
            Some(_) => {}
        }
    }
}

/// Takes a number along.
#[op("v.with", traits(NoTerminator))]
pub struct WithOp {
    of: Operand<AnyInteger>,
    body: BlockRegion,
}

/// A module with a function `f` whose only block `build` fills; a terminator is added.
fn function(build: impl FnOnce(&mut Builder<'_>)) -> Ir {
    module(|b| {
        func(b, "f", |b| {
            build(b);
            EndOp::build(b);
        });
    })
}

fn func(b: &mut Builder<'_>, name: &str, build: impl FnOnce(&mut Builder<'_>)) -> FuncOp {
    let name = b.ctx().str_attr(name);
    let func = FuncOp::build(b, name);
    let body = func.body(b.ir);
    b.build_block(body, &[], |b, _| build(b));
    func
}

/// Ops of `v`, and a dialect whose attributes no op may have.
fn context() -> Arc<Context> {
    let ctx = Arc::new(Context::new());
    ctx.set_text_form(segra_text::TEXT_FORM);
    let refuse: AttachedAttrRule = |_, _, name, _, diags| {
        diags.error(format!("must not have `{name}`"));
    };
    ctx.register(Dialect {
        name: "never",
        attached_attr: Some(refuse),
        ..Dialect::default()
    });
    let ops = vec![
        ModuleOp::DEF,
        FuncOp::DEF,
        NestOp::DEF,
        GraphOp::DEF,
        EndOp::DEF,
        BrOp::DEF,
        ConstOp::DEF,
        AddOp::DEF,
        GroupsOp::DEF,
        TestOp::DEF,
        SizedOp::DEF,
        CallOp::DEF,
        WithOp::DEF,
    ];
    ctx.register(Dialect {
        name: "v",
        ops,
        ..Dialect::default()
    });
    ctx
}

fn module(build: impl FnOnce(&mut Builder<'_>)) -> Ir {
    let ctx = context();
    let mut ir = Ir::new(ctx.clone());
    let mut state = OpState::new(ctx.op_name("v.module"), Loc::UNKNOWN);
    state.regions = 1;
    let root = ir.create_op(state);
    ir.set_root(root);
    let region = ir.region(root, 0);
    let block = ir.add_block(region, &[]);
    build(&mut Builder::at_end(&mut ir, block, Loc::UNKNOWN));
    ir
}

/// An op of this name, with whatever parts, unchecked.
fn raw(b: &mut Builder<'_>, name: &str, operands: &[Value], results: &[Type]) -> Op {
    let mut state = OpState::new(b.ctx().op_name(name), b.loc);
    state.operands.extend_from_slice(operands);
    state.result_types.extend_from_slice(results);
    b.insert(state)
}

fn constant(b: &mut Builder<'_>) -> Value {
    let (ty, attr) = (b.ctx().i32(), b.ctx().i32_attr(1));
    ConstOp::build(b, attr, ty).out(b.ir)
}

fn messages(ir: &Ir) -> Vec<String> {
    let mut diags = Diagnostics::new();
    verify::verify(ir, &mut diags);
    diags
        .iter()
        .map(|diagnostic| diagnostic.message.clone())
        .collect()
}

#[track_caller]
fn expect(ir: &Ir, wanted: &[&str]) {
    assert_eq!(messages(ir), wanted);
}

#[test]
fn a_sound_program_has_no_errors() {
    let ir = function(|b| {
        let x = constant(b);
        let y = AddOp::build(b, x, x).out(b.ir);
        let at = raw(b, "v.const", &[], &[b.ctx().index()]);
        let zero = b.ctx().index_attr(0);
        b.ir.set_attr_named(at, "value", Some(zero));
        let at = b.ir.result(at, 0);
        GroupsOp::build(b, &[x, y], at);
        TestOp::build(b, y);
        let callee = b.ctx().symbol_attr("f");
        CallOp::build(b, callee);
    });
    expect(&ir, &[]);
}

#[test]
fn definitions_come_before_uses() {
    let ir = function(|b| {
        let x = constant(b);
        let sum = AddOp::build(b, x, x).op();
        let late = constant(b);
        b.ir.set_operand(sum, 1, late);
    });
    expect(
        &ir,
        &["'v.add' op operand `rhs` is used before it is defined"],
    );
}

#[test]
fn values_of_sibling_and_inner_regions_are_not_visible() {
    let ir = function(|b| {
        let nest = raw(b, "v.nest", &[], &[]);
        let (first, second) = (b.ir.add_region(nest), b.ir.add_region(nest));
        let inner = b.build_block(first, &[], |b, _| {
            let inner = constant(b);
            EndOp::build(b);
            inner
        });
        b.build_block(second, &[], |b, _| {
            AddOp::build(b, inner, inner);
            EndOp::build(b);
        });
        raw(b, "v.test", &[inner], &[b.ctx().i1()]);
    });
    let add = ["lhs", "rhs"].map(|name| format!("'v.add' op operand `{name}` is not visible here"));
    expect(
        &ir,
        &[
            &add[0],
            &add[1],
            "'v.test' op operand `of` is not visible here",
        ],
    );
}

#[test]
fn an_isolated_op_does_not_see_out() {
    let ir = module(|b| {
        let x = constant(b);
        func(b, "f", |b| {
            let nest = raw(b, "v.nest", &[], &[]);
            let body = b.ir.add_region(nest);
            b.build_block(body, &[], |b, _| {
                TestOp::build(b, x);
                EndOp::build(b);
            });
            EndOp::build(b);
        });
    });
    let message =
        "'v.test' op operand `of` is defined outside of 'v.func', which must not use outer values";
    expect(&ir, &[message]);
}

#[test]
fn graphs_may_use_what_comes_later_and_blocks_may_not() {
    let build = |graph: bool| {
        function(|b| {
            let op = raw(b, if graph { "v.graph" } else { "v.nest" }, &[], &[]);
            let body = b.ir.add_region(op);
            b.build_block(body, &[], |b, _| {
                let x = constant(b);
                let sum = AddOp::build(b, x, x).op();
                let own = b.ir.result(sum, 0);
                b.ir.set_operand(sum, 0, own);
                EndOp::build(b);
            });
        })
    };
    expect(&build(true), &[]);
    expect(
        &build(false),
        &["'v.add' op operand `lhs` is used inside the op that defines it"],
    );
}

#[test]
fn dominance_between_blocks() {
    let ir = module(|b| {
        let f = func(b, "f", |_| {});
        let body = f.body(b.ir);
        let entry = b.ir.entry_block(body).expect("built above");
        let (left, right) = (b.ir.add_block(body, &[]), b.ir.add_block(body, &[]));
        b.point = InsertPoint::End(entry);
        let x = constant(b);
        BrOp::builder().dest(right).build(b);
        b.point = InsertPoint::End(left);
        let y = constant(b);
        BrOp::builder().dest(right).build(b);
        b.point = InsertPoint::End(right);
        AddOp::build(b, x, y);
        EndOp::build(b);
    });
    expect(
        &ir,
        &["'v.add' op operand `rhs` is used before it is defined"],
    );
}

#[test]
fn blocks_end_with_one_terminator() {
    let ir = module(|b| {
        func(b, "f", |b| {
            constant(b);
        });
        func(b, "g", |_| {});
        func(b, "h", |b| {
            EndOp::build(b);
            EndOp::build(b);
        });
    });
    expect(
        &ir,
        &[
            "'v.func' op region `body` has a block without a terminator",
            "'v.func' op region `body` has an empty block: it needs a terminator",
            "'v.end' op ends a block and so must be the last op of its block",
        ],
    );
}

#[test]
fn successors_take_arguments_and_stay_in_the_region() {
    let ir = module(|b| {
        let f = func(b, "f", |_| {});
        let body = f.body(b.ir);
        let entry = b.ir.entry_block(body).expect("built above");
        let next = b.ir.add_block(body, &[b.ctx().i64()]);
        b.point = InsertPoint::End(entry);
        let x = constant(b);
        BrOp::build(b, &[x], next);
        b.point = InsertPoint::End(next);
        BrOp::builder().dest(next).build(b);
    });
    expect(
        &ir,
        &[
            "'v.br' op passes `i32` as argument 0 of successor 0, which is `i64`",
            "'v.br' op passes 0 values to successor 0, which has 1 argument",
        ],
    );
    let ir = module(|b| {
        let f = func(b, "f", |b| {
            EndOp::build(b);
        });
        let entry = b.ir.entry_block(f.body(b.ir)).expect("built above");
        func(b, "g", |b| {
            BrOp::builder().dest(entry).build(b);
        });
        func(b, "h", |b| {
            let InsertPoint::End(own) = b.point else {
                return;
            };
            BrOp::builder().dest(own).build(b);
        });
    });
    expect(
        &ir,
        &[
            "'v.br' op has a successor in another region",
            "'v.func' op has a region whose entry block is a successor of another block",
        ],
    );
}

#[test]
fn operands_fit_their_fields() {
    let ir = function(|b| {
        let x = constant(b);
        raw(b, "v.add", &[x], &[b.ctx().i32()]);
        raw(b, "v.add", &[x, x], &[b.ctx().f32()]);
        let groups = raw(b, "v.groups", &[x, x, x], &[]);
        let sizes = |b: &Builder<'_>, sizes: &[i32]| Some(b.ctx().dense_i32_attr(sizes));
        let attr = sizes(b, &[1, 1, 1]);
        b.ir.set_attr_named(groups, "operandSegmentSizes", attr);
        let groups = raw(b, "v.groups", &[x, x, x], &[]);
        let attr = sizes(b, &[1, 0, 2]);
        b.ir.set_attr_named(groups, "operandSegmentSizes", attr);
        raw(b, "v.groups", &[x], &[]);
    });
    expect(
        &ir,
        &[
            "'v.add' op needs 2 operands (`lhs`, `rhs`), but has 1",
            "'v.add' op result `out` must be a signless integer, but is `f32`",
            "'v.groups' op operand `at` must be `index`, but is `i32`",
            "'v.groups' op operand `mask` must be `i1`, but is `i32`",
            "'v.groups' op `operandSegmentSizes` gives `at` 0 operands",
            "'v.groups' op `operandSegmentSizes` gives `at` 0 operands",
        ],
    );
}

#[test]
fn traits_and_inference_hold() {
    let ir = function(|b| {
        let x = constant(b);
        let wide = raw(b, "v.const", &[], &[b.ctx().i64()]);
        let one = b.ctx().i32_attr(1);
        b.ir.set_attr_named(wide, "value", Some(one));
        let wide = b.ir.result(wide, 0);
        raw(b, "v.add", &[x, wide], &[b.ctx().i32()]);
        raw(b, "v.test", &[x], &[b.ctx().i32()]);
    });
    expect(
        &ir,
        &[
            "'v.const' op attribute `value` has type `i32`, but the result has type `i64`",
            "'v.add' op operand `lhs` and operand `rhs` must have the same type, but these are `i32` and `i64`",
            "'v.test' op result `out` must be `i1`, as its operands and attributes say, but is `i32`",
        ],
    );
}

#[test]
fn own_rules_run_only_on_well_formed_ops() {
    let ir = function(|b| {
        let zero = b.ctx().i64_attr(0);
        SizedOp::build(b, zero);
        raw(b, "v.sized", &[], &[]);
        let text = b.ctx().str_attr("no");
        SizedOp::build(b, text);
    });
    expect(
        &ir,
        &[
            "'v.sized' op needs the attribute `size`, a 64-bit integer",
            "'v.sized' op attribute `size` must be a 64-bit integer, but is `\"no\"`",
            "'v.sized' op has a size below 1",
        ],
    );
    let sized: Vec<bool> = ir
        .walk(ir.root())
        .iter()
        .map(|&op| is_well_formed(&ir, op))
        .collect();
    assert_eq!(sized, [true, true, true, false, false, true]);
}

#[test]
fn symbols_are_unique_and_uses_resolve() {
    let ir = module(|b| {
        for name in ["f", "g", "f"] {
            func(b, name, |b| {
                let callee = b.ctx().symbol_attr("h");
                CallOp::build(b, callee);
                EndOp::build(b);
            });
        }
    });
    let call = "'v.call' op calls what does not exist";
    expect(
        &ir,
        &[
            "'v.func' op defines the symbol `@f` a second time",
            call,
            call,
            call,
        ],
    );
}

#[test]
fn unregistered_ops_are_errors_unless_allowed() {
    let ir = function(|b| {
        raw(b, "other.op", &[], &[]);
        raw(b, "v.unknown", &[], &[]);
    });
    expect(
        &ir,
        &[
            "'other.op' op is unknown: dialect `other` is not registered (--allow-unregistered-dialect keeps its ops)",
            "'v.unknown' op is unknown: dialect `v` has no such op",
        ],
    );
    let mut diags = Diagnostics::new();
    verify_op(
        &ir,
        ir.root(),
        &VerifyOptions {
            unregistered: Unregistered::Allow,
        },
        &mut diags,
    );
    // Only of upstream's dialects is it known that there is no such op; `v` may have more than is registered here.
    assert_eq!(diags.iter().count(), 0);
}

#[test]
fn names_are_unique_whatever_op_has_them() {
    // One signature each: that the first op is right says nothing about the others.
    for name in ["v.const", "x.unknown"] {
        let ir = module(|b| {
            for symbol in ["a", "a", "b", "a"] {
                let results: &[Type] = if name == "v.const" {
                    &[b.ctx().i32()]
                } else {
                    &[]
                };
                let op = raw(b, name, &[], results);
                let value = b.ctx().i32_attr(1);
                b.ir.set_attr_named(op, "value", Some(value));
                let symbol = b.ctx().str_attr(symbol);
                b.ir.set_attr_named(op, "sym_name", Some(symbol));
            }
        });
        let mut diags = Diagnostics::new();
        verify_op(
            &ir,
            ir.root(),
            &VerifyOptions {
                unregistered: Unregistered::Allow,
            },
            &mut diags,
        );
        let found: Vec<&str> = diags
            .iter()
            .map(|diagnostic| diagnostic.message.as_str())
            .collect();
        let wanted = format!("'{name}' op defines the symbol `@a` a second time");
        assert_eq!(found, [&wanted, &wanted]);
    }
}

#[test]
fn what_one_walk_saw_the_next_one_does_not_see() {
    let mut values = Vec::new();
    let mut ir = module(|b| {
        for name in ["f", "g"] {
            func(b, name, |b| {
                let x = constant(b);
                values.push((x, AddOp::build(b, x, x).op()));
                EndOp::build(b);
            });
        }
    });
    let [(first, _), (_, user)] = values[..] else {
        panic!("two functions")
    };
    ir.set_operand(user, 1, first);
    let block = ir
        .entry_block(ir.region(ir.root(), 0))
        .expect("the module's block");
    let funcs: Vec<Op> = ir.ops(block).collect();
    let mut verifier = Verifier::default();
    let errors = |verifier: &mut Verifier, op| {
        let mut diags = Diagnostics::new();
        verifier.verify_isolated(&ir, op, &mut diags);
        diags
            .iter()
            .map(|diagnostic| diagnostic.message.clone())
            .collect::<Vec<_>>()
    };
    for _ in 0..2 {
        assert_eq!(errors(&mut verifier, funcs[0]), Vec::<String>::new());
        assert_eq!(
            errors(&mut verifier, funcs[1]),
            ["'v.add' op operand `rhs` is not visible here"]
        );
    }
    assert_eq!(
        messages(&ir),
        ["'v.add' op operand `rhs` is not visible here"]
    );
}

#[test]
fn calls_reach_what_is_defined_before_and_after_them() {
    // The first function of a name counts, whenever it is asked for; inner tables come before outer ones.
    let text = r#""v.module"() ({
      "v.func"() <{sym_name = "early"}> ({ "v.call"() <{callee = @late}> : () -> ()
        "v.call"() <{callee = @early}> : () -> ()
        "v.end"() : () -> () }) : () -> ()
      "v.func"() <{sym_name = "hidden"}> ({ "v.end"() : () -> () }) : () -> ()
      "v.module"() ({
        "v.func"() <{sym_name = "inner"}> ({ "v.call"() <{callee = @early}> : () -> ()
          "v.call"() <{callee = @late}> : () -> ()
          "v.call"() <{callee = @nowhere}> : () -> ()
          "v.call"() <{callee = @after}> : () -> ()
          "v.call"() <{callee = @hidden}> : () -> ()
          "v.end"() : () -> () }) : () -> ()
        %hidden = "v.const"() <{value = 1 : i32}> {sym_name = "hidden"} : () -> i32
        "v.func"() <{sym_name = "after"}> ({ "v.end"() : () -> () }) : () -> ()
      }) : () -> ()
      "v.func"() <{sym_name = "late"}> ({ "v.call"() <{callee = @inner}> : () -> ()
        "v.call"() <{callee = @early}> : () -> ()
        "v.end"() : () -> () }) : () -> ()
    }) : () -> ()"#;
    let parsed = parse_source(&context(), "test", text, &ParseOptions::default());
    assert!(!parsed.diags.has_errors(), "{:?}", parsed.diags);
    let mut diags = Diagnostics::new();
    lenient().verify_op(&parsed.ir, parsed.ir.root(), &mut diags);
    let lines: Vec<_> = diags
        .iter()
        .map(|diagnostic| diagnostic.message.clone())
        .collect();
    let [missing, other] =
        ["does not exist", "is no function"].map(|what| format!("'v.call' op calls what {what}"));
    // The callee at the end of `inner` is the later op inside, not the earlier function outside.
    assert_eq!(lines, [missing.clone(), other, missing]);
}
