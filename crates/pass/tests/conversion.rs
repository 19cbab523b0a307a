//! Dialect conversion: legality, types one by one and one by several, what is taken back, what a failure says.

use segra_ir::constraint::*;
use segra_ir::diag::render::{Style, render};
use segra_ir::*;
use segra_pass::conversion::*;
use segra_pass::rewrite::PatternFilter;
use segra_text::{ParseOptions, PrintOptions, Unregistered, parse_module, print};
use std::sync::Arc;

/// A module.
#[op("c.module", traits(SymbolTable, IsolatedFromAbove, NoTerminator))]
pub struct ModuleOp {
    body: BlockRegion,
}

/// The module that the reader puts around a file.
#[op("builtin.module", traits(SymbolTable, IsolatedFromAbove, NoTerminator))]
pub struct FileOp {
    body: BlockRegion,
}

/// The image of a value in another type, where nothing better is known.
#[op("builtin.unrealized_conversion_cast", traits(Pure))]
pub struct CastOp {
    inputs: VariadicOperand<AnyType>,
    outputs: VariadicResult<AnyType>,
}

fn context() -> Arc<Context> {
    let ctx = Arc::new(Context::new());
    ctx.register(Dialect {
        name: "c",
        ops: vec![ModuleOp::DEF],
        ..Dialect::default()
    });
    ctx.register(Dialect {
        name: "builtin",
        ops: vec![CastOp::DEF, FileOp::DEF],
        ..Dialect::default()
    });
    ctx
}

fn read(ctx: &Arc<Context>, body: &str) -> Ir {
    let text = format!("\"c.module\"() ({{\n{body}\n}}) : () -> ()");
    parse_module(
        ctx,
        "test.mlir",
        &text,
        &ParseOptions::allowing_unregistered(),
    )
    .unwrap_or_else(|diags| panic!("{}", shown(ctx, &diags)))
}

fn shown(ctx: &Context, diags: &Diagnostics) -> String {
    diags
        .iter()
        .map(|diagnostic| render(ctx, diagnostic, Style::Plain))
        .collect()
}

/// Lines inside the module.
fn text(ir: &Ir) -> Vec<String> {
    let text = print(ir, ir.root(), &PrintOptions::mlir_generic());
    let lines: Vec<String> = text.lines().map(|line| line.trim().to_owned()).collect();
    let start = lines
        .iter()
        .position(|line| line.contains("c.module"))
        .expect("the module")
        + 1;
    lines[start..]
        .iter()
        .take_while(|line| !line.starts_with("})"))
        .cloned()
        .collect()
}

type Body = fn(&mut ConversionRewriter<'_>, Op, &[Vec<Value>]) -> Result<(), Decline>;

/// A pattern made of a function.
struct Rule {
    name: &'static str,
    root: &'static str,
    benefit: u16,
    body: Body,
}

impl ConversionPattern for Rule {
    fn name(&self) -> &str {
        self.name
    }
    fn root(&self) -> Option<&str> {
        Some(self.root)
    }
    fn benefit(&self) -> u16 {
        self.benefit
    }
    fn convert(
        &self,
        rewriter: &mut ConversionRewriter<'_>,
        op: Op,
        operands: &[Vec<Value>],
    ) -> Result<(), Decline> {
        (self.body)(rewriter, op, operands)
    }
}

fn rule(name: &'static str, root: &'static str, body: Body) -> Rule {
    Rule {
        name,
        root,
        benefit: 1,
        body,
    }
}

/// Replaces an op by one of another name, of the types its results become.
fn rename(
    rewriter: &mut ConversionRewriter<'_>,
    op: Op,
    operands: &[Vec<Value>],
    to: &str,
) -> Result<(), Decline> {
    let types = rewriter.result_types(op)?;
    let made = rewriter.build(op, |b| {
        let mut state = OpState::new(b.ctx().op_name(to), b.loc);
        state.operands = operands.concat().into();
        state.result_types = types.concat().into();
        b.insert(state)
    });
    let results: Vec<Value> = rewriter.ir().results(made).collect();
    let mut rest = &results[..];
    let values: Vec<Vec<Value>> = types
        .iter()
        .map(|types| {
            let (own, others) = rest.split_at(types.len());
            rest = others;
            own.to_vec()
        })
        .collect();
    rewriter.replace(op, &values);
    Ok(())
}

fn run(
    ir: &mut Ir,
    target: &ConversionTarget,
    patterns: &ConversionPatterns,
    mode: ConversionMode,
) -> (Result<ConversionOutcome, segra_pass::PassFailure>, String) {
    let mut diags = Diagnostics::new();
    let root = ir.root();
    let config = ConversionConfig {
        mode,
        ..ConversionConfig::default()
    };
    let done = convert(
        ir,
        root,
        &Conversion {
            target,
            patterns,
            config,
        },
        &mut diags,
    );
    let ctx = ir.context();
    let options = verify::VerifyOptions {
        unregistered: Unregistered::Allow,
    };
    let mut broken = Diagnostics::new();
    verify::verify_op(ir, root, &options, &mut broken);
    assert!(!broken.has_errors(), "{}", shown(&ctx, &broken));
    (done, shown(&ctx, &diags))
}

fn target(ctx: &Context) -> ConversionTarget {
    ConversionTarget::new()
        .illegal_dialects(&["a"])
        .legal_dialects(&["b", "c"])
        .legal_ops(ctx, &["a.keep", "builtin.module"])
}

#[test]
fn chains_of_patterns_lead_to_what_is_legal_and_rules_for_ops_go_before_those_for_dialects() {
    let ctx = context();
    let mut ir = read(
        &ctx,
        "%0 = \"a.one\"() : () -> i32\n\"a.keep\"(%0) : (i32) -> ()\n\"x.other\"(%0) : (i32) -> ()",
    );
    let mut patterns = ConversionPatterns::new();
    patterns.add(
        &ctx,
        rule("one-two", "a.one", |r, op, v| rename(r, op, v, "a.two")),
    );
    patterns.add(
        &ctx,
        rule("two-b", "a.two", |r, op, v| rename(r, op, v, "b.two")),
    );
    let (done, said) = run(&mut ir, &target(&ctx), &patterns, ConversionMode::Partial);
    assert!(done.is_ok(), "{said}");
    assert_eq!(
        text(&ir),
        [
            "%0 = \"b.two\"() : () -> i32",
            "\"a.keep\"(%0) : (i32) -> ()",
            "\"x.other\"(%0) : (i32) -> ()"
        ]
    );
}

#[test]
fn a_failure_names_the_op_the_rule_and_every_pattern_and_leaves_the_program_as_it_was() {
    let ctx = context();
    let mut ir = read(
        &ctx,
        "%0 = \"a.good\"() : () -> i32\n%1 = \"a.bad\"(%0) {k = 1 : i32} : (i32) -> i32\n\"b.use\"(%1) : (i32) -> ()",
    );
    let before = text(&ir);
    let mut patterns = ConversionPatterns::new();
    patterns.add(
        &ctx,
        rule("good", "a.good", |r, op, v| rename(r, op, v, "b.good")),
    );
    patterns.add(
        &ctx,
        Rule {
            benefit: 3,
            ..rule("picky", "a.bad", |_, _, _| {
                Err("it wants two operands".into())
            })
        },
    );
    patterns.add(
        &ctx,
        Rule {
            benefit: 2,
            ..rule("dead-end", "a.bad", |r, op, v| {
                // Changes in place, too, which must be taken back.
                r.modify(op, |ir| ir.set_attr_named(op, "k", None));
                rename(r, op, v, "a.worse")
            })
        },
    );
    let (done, said) = run(&mut ir, &target(&ctx), &patterns, ConversionMode::Partial);
    assert!(done.is_err());
    assert_eq!(text(&ir), before);
    for part in [
        "'a.bad' op could not be converted: dialect `a` is illegal",
        "pattern `picky` declined: it wants two operands",
        "pattern `dead-end` declined: it made `a.worse`, which is not legal: dialect `a` is illegal, and no pattern converts it",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
}

#[test]
fn full_conversion_wants_every_op_legal_and_analysis_changes_nothing() {
    let ctx = context();
    let source = "%0 = \"a.one\"() : () -> i32\n\"x.other\"(%0) : (i32) -> ()";
    let mut patterns = ConversionPatterns::new();
    patterns.add(
        &ctx,
        rule("one", "a.one", |r, op, v| rename(r, op, v, "b.one")),
    );
    let mut ir = read(&ctx, source);
    let before = text(&ir);
    let (done, said) = run(&mut ir, &target(&ctx), &patterns, ConversionMode::Full);
    assert!(
        done.is_err()
            && said.contains("'x.other' op could not be converted: no rule makes it legal"),
        "{said}"
    );
    assert_eq!(text(&ir), before);
    let (done, _) = run(&mut ir, &target(&ctx), &patterns, ConversionMode::Analysis);
    let outcome = done.expect("analysis does not fail");
    let names: Vec<&str> = outcome
        .legalizable
        .iter()
        .map(|&op| ir.op_name_str(op))
        .collect();
    assert_eq!(names, ["builtin.module", "c.module", "a.one"]);
    assert_eq!(text(&ir), before);
}

#[test]
fn legality_can_be_asked_of_a_function_and_hold_for_everything_inside() {
    let ctx = context();
    let mut ir = read(
        &ctx,
        "\"a.box\"() ({\n\"a.one\"() {done} : () -> ()\n\"a.one\"() : () -> ()\n}) : () -> ()\n\"a.one\"() {done} : () -> ()\n\"a.one\"() : () -> ()",
    );
    let mut patterns = ConversionPatterns::new();
    patterns.add(
        &ctx,
        rule("mark", "a.one", |r, op, _| {
            let unit = r.ir().ctx().unit();
            r.modify(op, |ir| ir.set_attr_named(op, "done", Some(unit)));
            Ok(())
        }),
    );
    let done = |ir: &Ir, op: Op| Some(ir.attr_named(op, "done").is_some());
    let marked = ConversionTarget::new()
        .legal_dialects(&["c"])
        .legal_ops(&ctx, &["a.box", "builtin.module"])
        .dynamic_dialects(&["a"], done);
    let (outcome, said) = run(
        &mut ir,
        &marked.clone().recursively_legal(&ctx, &["a.box"]),
        &patterns,
        ConversionMode::Full,
    );
    assert_eq!(outcome.expect(&said).converted, 1);
    let (outcome, said) = run(&mut ir, &marked, &patterns, ConversionMode::Full);
    assert_eq!(outcome.expect(&said).converted, 1);
    assert_eq!(
        text(&ir)
            .iter()
            .filter(|line| line.contains("done"))
            .count(),
        2
    );
}

fn wide_to_pairs() -> TypeConverter {
    // Rules added later are asked first: i64 becomes two i32, f32 becomes f64, i1 cannot be converted.
    TypeConverter::new()
        .rule(|_, ty| Converted::To(vec![ty]))
        .rule(|ctx, ty| {
            if ty == ctx.i64() {
                Converted::To(vec![ctx.i32(), ctx.i32()])
            } else {
                Converted::Skip
            }
        })
        .rule(|ctx, ty| {
            if ty == ctx.f32() {
                Converted::To(vec![ctx.f64()])
            } else {
                Converted::Skip
            }
        })
        .rule(|ctx, ty| {
            if ty == ctx.i1() {
                Converted::Fail
            } else {
                Converted::Skip
            }
        })
}

#[test]
fn values_become_several_and_casts_between_them_dissolve() {
    let ctx = context();
    let mut ir = read(
        &ctx,
        "%0 = \"a.make\"() : () -> i64\n%1 = \"a.both\"(%0, %0) : (i64, i64) -> f32\n\"a.use\"(%1, %0) : (f32, i64) -> ()",
    );
    let mut patterns = ConversionPatterns::with_types(wide_to_pairs());
    for root in ["a.make", "a.both", "a.use"] {
        patterns.add(
            &ctx,
            rule(root, root, |r, op, v| {
                let name = format!("b{}", &r.ir().op_name_str(op)[1..]);
                rename(r, op, v, &name)
            }),
        );
    }
    let (done, said) = run(&mut ir, &target(&ctx), &patterns, ConversionMode::Full);
    assert!(done.is_ok(), "{said}");
    assert_eq!(
        text(&ir),
        [
            "%0:2 = \"b.make\"() : () -> (i32, i32)",
            "%1 = \"b.both\"(%0#0, %0#1, %0#0, %0#1) : (i32, i32, i32, i32) -> f64",
            "\"b.use\"(%1, %0#0, %0#1) : (f64, i32, i32) -> ()",
        ]
    );
}

#[test]
fn what_stays_gets_old_types_by_the_converters_rules_or_not_at_all() {
    let ctx = context();
    let source = "%0 = \"a.make\"() : () -> f32\n\"x.old\"(%0) : (f32) -> ()";
    let make = || rule("make", "a.make", |r, op, v| rename(r, op, v, "b.make"));
    // No rule builds an f32 from an f64.
    let mut ir = read(&ctx, source);
    let before = text(&ir);
    let mut patterns = ConversionPatterns::with_types(wide_to_pairs());
    patterns.add(&ctx, make());
    let (done, said) = run(&mut ir, &target(&ctx), &patterns, ConversionMode::Partial);
    assert!(
        done.is_err()
            && said
                .contains("'x.old' op needs a value of type `f32` and there is one of type `f64`"),
        "{said}"
    );
    assert_eq!(text(&ir), before);
    // With one there is.
    let types = wide_to_pairs().source_materialization(|b, types, values| {
        let mut state = OpState::new(b.ctx().op_name("b.narrow"), b.loc);
        state.operands.extend_from_slice(values);
        state.result_types.extend_from_slice(types);
        let op = b.insert(state);
        Some(b.ir.results(op).collect())
    });
    let mut patterns = ConversionPatterns::with_types(types);
    patterns.add(&ctx, make());
    let (done, said) = run(&mut ir, &target(&ctx), &patterns, ConversionMode::Partial);
    assert!(done.is_ok(), "{said}");
    assert_eq!(
        text(&ir),
        [
            "%0 = \"b.make\"() : () -> f64",
            "%1 = \"b.narrow\"(%0) : (f64) -> f32",
            "\"x.old\"(%1) : (f32) -> ()"
        ]
    );
}

/// Builds an op of that name from all values.
fn through(
    name: &'static str,
) -> impl Fn(&mut Builder<'_>, &[Type], &[Value]) -> Option<Vec<Value>> {
    move |b, types, values| {
        let mut state = OpState::new(b.ctx().op_name(name), b.loc);
        state.operands.extend_from_slice(values);
        state.result_types.extend_from_slice(types);
        let op = b.insert(state);
        Some(b.ir.results(op).collect())
    }
}

/// Replaces an op by `b.make` of the type it has, whatever the converter says.
fn keep_type(
    rewriter: &mut ConversionRewriter<'_>,
    op: Op,
    _: &[Vec<Value>],
) -> Result<(), Decline> {
    let ty = rewriter.ir().value_type(rewriter.ir().result(op, 0));
    let made = rewriter.build(op, |b| {
        let mut state = OpState::new(b.ctx().op_name("b.make"), b.loc);
        state.result_types.push(ty);
        b.insert(state)
    });
    let value = rewriter.ir().result(made, 0);
    rewriter.replace_with(op, &[value]);
    Ok(())
}

#[test]
fn of_several_materializations_the_one_added_last_that_can_is_taken() {
    let ctx = context();
    let nothing = |_: &mut Builder<'_>, _: &[Type], _: &[Value]| None;
    // To old types, for an op that stays.
    let mut ir = read(
        &ctx,
        "%0 = \"a.make\"() : () -> f32\n\"x.old\"(%0) : (f32) -> ()",
    );
    let types = wide_to_pairs()
        .source_materialization(through("b.first"))
        .source_materialization(through("b.second"))
        .source_materialization(nothing)
        .target_materialization(through("b.wrong"));
    let mut patterns = ConversionPatterns::with_types(types);
    patterns.add(
        &ctx,
        rule("make", "a.make", |r, op, v| rename(r, op, v, "b.make")),
    );
    let (done, said) = run(&mut ir, &target(&ctx), &patterns, ConversionMode::Partial);
    assert!(done.is_ok(), "{said}");
    assert_eq!(text(&ir)[1], "%1 = \"b.second\"(%0) : (f64) -> f32");
    // To new types, for what replaced an op but kept its type.
    let mut ir = read(
        &ctx,
        "%0 = \"a.make\"() : () -> f32\n\"a.use\"(%0) : (f32) -> ()",
    );
    let types = wide_to_pairs()
        .target_materialization(through("b.first"))
        .target_materialization(through("b.second"))
        .target_materialization(nothing)
        .source_materialization(through("b.wrong"));
    let mut patterns = ConversionPatterns::with_types(types);
    patterns.add(&ctx, rule("make", "a.make", keep_type));
    patterns.add(
        &ctx,
        rule("use", "a.use", |r, op, v| rename(r, op, v, "b.use")),
    );
    let (done, said) = run(&mut ir, &target(&ctx), &patterns, ConversionMode::Full);
    assert!(done.is_ok(), "{said}");
    assert_eq!(
        text(&ir),
        [
            "%0 = \"b.make\"() : () -> f32",
            "%1 = \"b.second\"(%0) : (f32) -> f64",
            "\"b.use\"(%1) : (f64) -> ()"
        ]
    );
}

#[test]
fn a_materialization_that_gives_another_number_of_values_is_none() {
    let ctx = context();
    let mut ir = read(
        &ctx,
        "%0 = \"a.make\"() : () -> f32\n\"x.old\"(%0) : (f32) -> ()",
    );
    let before = text(&ir);
    let twice = |_: &mut Builder<'_>, _: &[Type], values: &[Value]| Some(values.repeat(2));
    let mut patterns =
        ConversionPatterns::with_types(wide_to_pairs().source_materialization(twice));
    patterns.add(
        &ctx,
        rule("make", "a.make", |r, op, v| rename(r, op, v, "b.make")),
    );
    let (done, said) = run(&mut ir, &target(&ctx), &patterns, ConversionMode::Partial);
    assert!(
        done.is_err() && said.contains("which no rule of the type converter makes it of"),
        "{said}"
    );
    assert_eq!(text(&ir), before);
}

#[test]
fn arguments_get_their_old_types_by_rules_of_their_own_results_by_those_for_all() {
    let ctx = context();
    let source = "\"a.body\"() ({\n^bb0(%x: i64):\n%0 = \"a.make\"() : () -> i64\n\
                  \"x.old\"(%x, %0) : (i64, i64) -> ()\n}) : () -> ()";
    let types = || wide_to_pairs().source_materialization(through("b.join"));
    let convert = |types: TypeConverter| {
        let mut ir = read(&ctx, source);
        let mut patterns = ConversionPatterns::with_types(types);
        patterns.add(
            &ctx,
            rule("body", "a.body", |r, op, _| {
                let (loc, region) = (r.ir().loc(op), r.ir().region(op, 0));
                let new = r.build_at(InsertPoint::Before(op), loc, |b| {
                    b.insert(OpState {
                        regions: 1,
                        ..OpState::new(b.ctx().op_name("b.body"), b.loc)
                    })
                });
                let to = r.ir().region(new, 0);
                r.move_blocks(region, to);
                r.convert_region(to)?;
                r.erase(op);
                Ok(())
            }),
        );
        patterns.add(
            &ctx,
            rule("make", "a.make", |r, op, v| rename(r, op, v, "b.make")),
        );
        let (done, said) = run(&mut ir, &target(&ctx), &patterns, ConversionMode::Partial);
        assert!(done.is_ok(), "{said}");
        text(&ir)
    };
    let of_arguments = |lines: Vec<String>| -> Vec<bool> {
        let made = lines
            .iter()
            .filter(|line| line.contains("(i32, i32) -> i64"));
        made.map(|line| line.contains("b.join_argument")).collect()
    };
    let mut found = of_arguments(convert(
        types().argument_materialization(through("b.join_argument")),
    ));
    found.sort_unstable();
    assert_eq!(found, [false, true]);
    assert_eq!(
        of_arguments(convert(types())),
        [false, false],
        "without one the rule for all is taken"
    );
}

#[test]
fn types_that_cannot_be_converted_are_a_reason() {
    let ctx = context();
    let mut ir = read(
        &ctx,
        "%0 = \"a.make\"() : () -> i1\n\"b.use\"(%0) : (i1) -> ()",
    );
    let mut patterns = ConversionPatterns::with_types(wide_to_pairs());
    patterns.add(
        &ctx,
        rule("make", "a.make", |r, op, v| rename(r, op, v, "b.make")),
    );
    let (done, said) = run(&mut ir, &target(&ctx), &patterns, ConversionMode::Partial);
    assert!(
        done.is_err() && said.contains("pattern `make` declined: type `i1` cannot be converted"),
        "{said}"
    );
}

#[test]
fn block_arguments_are_converted_and_taken_back() {
    let ctx = context();
    let source = "\"a.loop\"() ({\n^bb0(%x: i64, %y: i32):\n\"a.use\"(%x, %y) : (i64, i32) -> ()\n\"b.br\"(%x)[^bb1] : (i64) -> ()\n^bb1(%z: i64):\n\"a.use\"(%z, %z) : (i64, i64) -> ()\n}) : () -> ()";
    let mut patterns = ConversionPatterns::with_types(wide_to_pairs());
    patterns.add(
        &ctx,
        rule("loop", "a.loop", |r, op, _| {
            let (loc, region) = (r.ir().loc(op), r.ir().region(op, 0));
            let new = r.build_at(InsertPoint::Before(op), loc, |b| {
                let state = OpState {
                    regions: 1,
                    ..OpState::new(b.ctx().op_name("b.loop"), b.loc)
                };
                b.insert(state)
            });
            let to = r.ir().region(new, 0);
            r.move_blocks(region, to);
            r.convert_region(to)?;
            r.erase(op);
            Ok(())
        }),
    );
    patterns.add(
        &ctx,
        rule("use", "a.use", |r, op, v| rename(r, op, v, "b.use")),
    );
    patterns.add(
        &ctx,
        rule("br", "b.br", |r, op, v| {
            let flat = v.concat();
            r.modify(op, |ir| ir.set_operands(op, &flat));
            Ok(())
        }),
    );
    let dynamic = |ir: &Ir, op: Op| {
        Some(
            ir.operands(op)
                .all(|value| ir.value_type(value) != ir.ctx().i64()),
        )
    };
    let with_branches = target(&ctx).dynamic_ops(&ctx, &["b.br"], dynamic);
    let mut ir = read(&ctx, source);
    let before = text(&ir);
    let (done, said) = run(&mut ir, &with_branches, &patterns, ConversionMode::Full);
    assert!(done.is_ok(), "{said}");
    assert_eq!(
        text(&ir),
        [
            "\"b.loop\"() ({",
            "^bb0(%arg0: i32, %arg1: i32, %arg2: i32):",
            "\"b.use\"(%arg0, %arg1, %arg2) : (i32, i32, i32) -> ()",
            "\"b.br\"(%arg0, %arg1)[^bb1] : (i32, i32) -> ()",
            "^bb1(%0: i32, %1: i32):  // pred: ^bb0",
            "\"b.use\"(%0, %1, %0, %1) : (i32, i32, i32, i32) -> ()",
        ]
    );
    // The same with an op that cannot be converted inside: blocks and arguments are back.
    let mut ir = read(
        &ctx,
        &source.replace("\"a.use\"(%z, %z)", "\"a.other\"(%z, %z)"),
    );
    let broken: Vec<String> = before
        .iter()
        .map(|line| line.replace("\"a.use\"(%0, %0)", "\"a.other\"(%0, %0)"))
        .collect();
    let (done, said) = run(&mut ir, &with_branches, &patterns, ConversionMode::Full);
    assert!(
        done.is_err() && said.contains("'a.other' op could not be converted"),
        "{said}"
    );
    assert_eq!(text(&ir), broken);
}

#[test]
fn converters_can_be_chained_and_patterns_left_out() {
    let ctx = context();
    let chained = wide_to_pairs().then(
        TypeConverter::new()
            .rule(|_, ty| Converted::To(vec![ty]))
            .rule(|ctx, ty| {
                if ty == ctx.i32() {
                    Converted::To(vec![ctx.index()])
                } else {
                    Converted::Skip
                }
            }),
    );
    assert_eq!(
        chained.convert(&ctx, ctx.i64()),
        Some(vec![ctx.index(), ctx.index()])
    );
    assert_eq!(chained.convert_one(&ctx, ctx.i32()), Some(ctx.index()));
    assert_eq!(chained.convert(&ctx, ctx.i1()), None);
    assert!(chained.is_legal(&ctx, ctx.f64()));
    let mut ir = read(&ctx, "\"a.one\"() : () -> ()");
    let mut patterns = ConversionPatterns::new();
    patterns.add(
        &ctx,
        rule("one", "a.one", |r, op, v| rename(r, op, v, "b.one")),
    );
    let filter = PatternFilter {
        disabled: vec!["one".to_owned()],
        ..PatternFilter::default()
    };
    let config = ConversionConfig {
        filter,
        ..ConversionConfig::default()
    };
    let mut diags = Diagnostics::new();
    let root = ir.root();
    let target = target(&ctx);
    let done = convert(
        &mut ir,
        root,
        &Conversion {
            target: &target,
            patterns: &patterns,
            config,
        },
        &mut diags,
    );
    assert!(
        done.is_err() && shown(&ctx, &diags).contains("pattern `one` declined: it is disabled")
    );
}
