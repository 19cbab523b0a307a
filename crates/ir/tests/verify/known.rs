//! The reader tells the verifier which ops it knows to be right; changes end that knowledge.

use super::*;
use segra_ir::store::DetachedScratch;

/// A function in which each op is right and its line comes so often that the reader knows it.
fn read_program() -> Ir {
    let mut body = String::new();
    for i in 0..4 {
        body += &format!(
            r#"%c{i} = "v.const"() <{{value = 1 : i32}}> : () -> i32
            %l{i} = "v.const"() <{{value = 1 : i64}}> : () -> i64
            %a{i} = "v.add"(%c{i}, %c{i}) : (i32, i32) -> i32
            "v.sized"() <{{size = 1 : i64}}> : () -> ()
            "v.with"(%a{i}) ({{
              "v.sized"() <{{size = 1 : i64}}> : () -> ()
            }}) : (i32) -> ()
            "v.nest"() ({{
              "v.end"() : () -> ()
            }}) : () -> ()
            "#
        );
    }
    let text = format!(
        r#""v.module"() ({{ "v.func"() <{{sym_name = "f"}}> ({{ {body} "v.end"() : () -> () }}) : () -> () }}) : () -> ()"#
    );
    let parsed = parse_source(&context(), "test", &text, &ParseOptions::default());
    assert!(!parsed.diags.has_errors(), "{:?}", parsed.diags);
    parsed.ir
}

/// The module that the reader puts around a program is not registered here.
pub(crate) fn lenient() -> Verifier {
    Verifier::new(VerifyOptions {
        unregistered: Unregistered::Allow,
    })
}

/// The last op of that name.
fn last(ir: &Ir, name: &str) -> Op {
    let ops = ir.walk(ir.root());
    ops.into_iter()
        .rfind(|&op| ir.op_name_str(op) == name)
        .expect("the program has one")
}

/// A change to a program that was read, and what of it the verifier then says.
type Change = (fn(&mut Ir), &'static [&'static str]);

/// Changes the last `v.nest` while it is out of the program.
fn on_detached_copy(ir: &mut Ir, change: impl FnOnce(&mut Ir, Op)) {
    let op = last(ir, "v.nest");
    let mut detached = ir
        .copy_out(&[op], &mut DetachedScratch::default())
        .expect("it is isolated");
    let nest = detached.ops().next().expect("one op");
    change(&mut detached.ir, nest);
    ir.put_back(detached);
}

/// Makes each change to [`read_program`]; neither a verifier that knows the program as it was nor one that knows none may
/// trust what the reader found out about the ops.
#[track_caller]
fn expect_seen(changes: &[Change]) {
    for (index, (change, wanted)) in changes.iter().enumerate() {
        let mut ir = read_program();
        let mut before = lenient();
        let found = |ir: &Ir, verifier: &mut Verifier| {
            let mut diags = Diagnostics::new();
            verifier.verify_op(ir, ir.root(), &mut diags);
            diags
                .iter()
                .map(|diagnostic| diagnostic.message.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(found(&ir, &mut before), Vec::<String>::new());
        change(&mut ir);
        for verifier in [&mut before, &mut lenient()] {
            let found = found(&ir, verifier);
            let fits = found.len() == wanted.len()
                && found
                    .iter()
                    .zip(*wanted)
                    .all(|(found, wanted)| found.contains(wanted));
            assert!(fits, "case {index}: {found:#?}, wanted {wanted:#?}");
        }
    }
}

#[test]
fn what_is_known_of_an_op_that_was_read_ends_with_a_change_of_attributes_or_of_what_is_inside() {
    expect_seen(&[
        (|_| {}, &[]),
        (
            |ir| {
                let (op, size) = (last(ir, "v.sized"), ir.ctx().i64_attr(0));
                ir.set_attr_named(op, "size", Some(size));
            },
            &["'v.sized' op has a size below 1"],
        ),
        (
            |ir| {
                let op = last(ir, "v.sized");
                ir.set_properties(op, Dict::EMPTY);
            },
            &["'v.sized' op needs the attribute `size`, a 64-bit integer"],
        ),
        (
            |ir| {
                let op = last(ir, "v.sized");
                let dict = ir
                    .ctx()
                    .dict(&[(ir.ctx().ident("never.this"), ir.ctx().unit())]);
                ir.set_discardable_attrs(op, dict);
            },
            &["'v.sized' op must not have `never.this`"],
        ),
        (
            |ir| {
                let (op, unit) = (last(ir, "v.nest"), ir.ctx().unit());
                ir.set_attr_named(op, "never.this", Some(unit));
            },
            &["'v.nest' op must not have `never.this`"],
        ),
        (
            |ir| {
                let op = last(ir, "v.with");
                let value = ir.operand(op, 0);
                let body = ir.entry_block(ir.region(op, 0)).expect("a body");
                let mut b = Builder::at_end(ir, body, Loc::UNKNOWN);
                raw(&mut b, "v.add", &[value], &[]);
            },
            &[
                "needs 2 operands (`lhs`, `rhs`), but has 1",
                "needs 1 result (`out`), but has 0",
            ],
        ),
        (
            |ir| {
                let op = last(ir, "v.sized");
                let region = ir.add_region(op);
                let block = ir.add_block(region, &[]);
                raw(
                    &mut Builder::at_end(ir, block, Loc::UNKNOWN),
                    "v.end",
                    &[],
                    &[],
                );
            },
            &["'v.sized' op needs 0 regions, but has 1"],
        ),
        (
            |ir| {
                on_detached_copy(ir, |detached, nest| {
                    let unit = detached.ctx().unit();
                    detached.set_attr_named(nest, "never.this", Some(unit));
                });
            },
            &["'v.nest' op must not have `never.this`"],
        ),
        (
            |ir| {
                on_detached_copy(ir, |detached, _| {
                    let (end, unit) = (last(detached, "v.end"), detached.ctx().unit());
                    detached.set_attr_named(end, "never.this", Some(unit));
                });
            },
            &["'v.end' op must not have `never.this`"],
        ),
    ]);
}

#[test]
fn what_is_known_of_an_op_that_was_read_ends_with_a_change_of_values() {
    const SAME: &str = "must have the same type, but these are `i32` and `i64`";
    expect_seen(&[
        (
            |ir| {
                let (op, other) = (last(ir, "v.add"), ir.result(last(ir, "v.const"), 0));
                ir.set_operand(op, 1, other);
            },
            &[SAME],
        ),
        (
            |ir| {
                let op = last(ir, "v.add");
                let value = ir.operand(op, 0);
                ir.set_operands(op, &[value; 3]);
            },
            &["'v.add' op needs 2 operands (`lhs`, `rhs`), but has 3"],
        ),
        (
            |ir| {
                let (op, ty) = (last(ir, "v.add"), ir.ctx().i64());
                ir.set_value_type(ir.result(op, 0), ty);
            },
            &[SAME],
        ),
        (
            |ir| {
                let (op, ty) = (last(ir, "v.with"), ir.ctx().index());
                ir.set_value_type(ir.operand(op, 0), ty);
            },
            &[
                "'v.add' op result `out` must be",
                "'v.with' op operand `of` must be",
            ],
        ),
        (
            |ir| {
                let (from, to) = (last(ir, "v.add"), last(ir, "v.const"));
                let (from, to) = (ir.operand(from, 0), ir.result(to, 0));
                ir.replace_uses_if(from, to, |ir, id| ir.use_index(id) == 0);
            },
            &[
                "operand `rhs` must have the same type",
                "result `out` must have the same type",
            ],
        ),
        (
            |ir| {
                // The visible values are no part of the cached knowledge.
                let op = last(ir, "v.add");
                let first = ir.defining_op(ir.operand(op, 0)).expect("a constant");
                ir.move_before(op, first);
            },
            &[
                "operand `lhs` is used before it is defined",
                "operand `rhs` is used before it is defined",
            ],
        ),
    ]);
}

#[test]
fn attributes_of_an_op_with_regions_are_looked_at_though_its_types_are_known() {
    let nest =
        |attrs: &str| format!("\"v.nest\"() ({{\n\"v.end\"() : () -> ()\n}}){attrs} : () -> ()\n");
    let body = [
        nest(""),
        nest(""),
        nest(""),
        nest(""),
        nest(" {never.this}"),
    ]
    .concat();
    let parsed = parse_source(&context(), "test", &body, &ParseOptions::default());
    assert!(!parsed.diags.has_errors(), "{:?}", parsed.diags);
    let mut diags = Diagnostics::new();
    lenient().verify_op(&parsed.ir, parsed.ir.root(), &mut diags);
    let lines: Vec<_> = diags
        .iter()
        .map(|diagnostic| diagnostic.message.as_str())
        .collect();
    assert_eq!(lines, ["'v.nest' op must not have `never.this`"]);
}
