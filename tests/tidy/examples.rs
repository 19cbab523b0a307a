//! Every example in the documentation of the array dialect is read and verified, between parameters that have the types
//! of what it uses.

use segra_ir::{Context, Diagnostics};
use segra_text::{ParseOptions, parse_module};
use std::sync::Arc;

/// The values the examples of an op use, as parameters of a function.
const USED: &[(&str, &str)] = &[
    (
        "array.cast",
        "%xs: !array.array<[?]f32>, %ns: !array.array<[n]f32>",
    ),
    (
        "array.concat",
        "%xs: !array.array<[n]f32>, %ys: !array.array<[m]f32>",
    ),
    ("array.dim", "%xs: !array.array<[n]f32>"),
    ("array.filter", "%xs: !array.array<[n]f32>, %limit: f32"),
    ("array.from_tensor", ""),
    (
        "array.gather",
        "%xs: !array.array<[n]f32>, %is: !array.array<[m]index>",
    ),
    (
        "array.hist",
        "%xs: !array.array<[n]i32>, %zeros: !array.array<[m]i32>, %zero: i32, %one: i32",
    ),
    (
        "array.index",
        "%xss: !array.array<[n][m]f32>, %i: index, %j: index",
    ),
    ("array.iota", "%n: index, %xs: !array.array<[n]f32>"),
    (
        "array.map",
        "%xs: !array.array<[n]f32>, %ys: !array.array<[n]f32>",
    ),
    (
        "array.pad",
        "%xs: !array.array<[n]f32>, %zero: f32, %one: index, %two: index",
    ),
    ("array.rearrange", "%b: !array.array<[k][m]f32>"),
    (
        "array.redomap",
        "%xs: !array.array<[n]f32>, %ys: !array.array<[n]f32>, %zero: f32",
    ),
    (
        "array.reduce",
        "%xs: !array.array<[n]f32>, %ns: !array.array<[n]i32>, %fs: !array.array<[n]f32>, %gs: !array.array<[n]f32>, \
         %start: f32, %limit: i32, %f0: f32, %g0: f32, %zero: f32, %one: f32",
    ),
    (
        "array.replicate",
        "%zero: f32, %n: index, %m: index, %xss: !array.array<[n][m]f32>",
    ),
    (
        "array.reshape",
        "%xs: !array.array<[k]f32>, %n: index, %m: index, %xss: !array.array<[n][m]f32>",
    ),
    ("array.reverse", "%xs: !array.array<[n]f32>"),
    (
        "array.scan",
        "%xs: !array.array<[n]i32>, %zero: i32, %base: i32",
    ),
    (
        "array.scanomap",
        "%xs: !array.array<[n]f32>, %ys: !array.array<[n]f32>, %zero: f32",
    ),
    (
        "array.scatter",
        "%is: !array.array<[n]index>, %vs: !array.array<[n]f32>, %xs: !array.array<[m]f32>",
    ),
    (
        "array.slice",
        "%xs: !array.array<[n]f32>, %one: index, %half: index, %two: index, %hs: !array.array<[h]f32>",
    ),
    (
        "array.update",
        "%x: f32, %xs: !array.array<[n]f32>, %i: index",
    ),
    (
        "array.with_loop",
        "%zero: i32, %three: i32, %seven: i32, %n: index, %m: index, %ns: !array.array<[n]i32>",
    ),
];

/// The examples in an op's documentation.
fn examples(doc: &str) -> Vec<&str> {
    doc.split("```mlir\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect()
}

/// The problem with an example.
fn complaint(name: &str, example: &str, used: &str) -> Option<String> {
    let ctx = Context::new();
    segra_pipeline::register_all_dialects(&ctx);
    let ctx = Arc::new(ctx);
    let text = format!("func.func @example({used}) {{\n{example}\nfunc.return\n}}");
    let mut diags = match parse_module(&ctx, name, &text, &ParseOptions::default()) {
        Err(diags) => diags,
        Ok(ir) => {
            let mut diags = Diagnostics::new();
            segra_ir::verify::verify(&ir, &mut diags);
            diags
        }
    };
    let errors = std::mem::take(&mut diags);
    let style = segra_ir::diag::render::Style::Plain;
    let rendered: String = errors
        .iter()
        .map(|it| segra_ir::diag::render::render(&ctx, it, style))
        .collect();
    (!rendered.is_empty()).then(|| format!("the example of {name} is wrong:\n{rendered}"))
}

#[test]
fn every_op_of_the_array_dialect_has_an_example_that_is_right() {
    let ctx = Context::new();
    segra_pipeline::register_all_dialects(&ctx);
    let dialect = ctx.dialect("array").expect("it is registered");
    let mut complaints = Vec::new();
    for op in dialect.ops.iter().filter(|op| !op.name.ends_with(".yield")) {
        let used = USED.iter().find(|row| row.0 == op.name).map(|row| row.1);
        let examples = examples(op.doc);
        match used {
            Some(used) if !examples.is_empty() => {
                complaints.extend(
                    examples
                        .iter()
                        .filter_map(|text| complaint(op.name, text, used)),
                );
            }
            _ => complaints.push(format!(
                "{}: has no example, or nobody says what it uses",
                op.name
            )),
        }
    }
    crate::assert_tidy(&complaints);
}

#[test]
fn wrong_examples_are_found() {
    assert_eq!(
        examples("text\n\n```mlir\na\n```\nmore\n```mlir\nb\n```"),
        ["a\n", "b\n"]
    );
    let right = "%n = array.dim %xs, 0 : [n]f32";
    assert_eq!(
        complaint("array.dim", right, "%xs: !array.array<[n]f32>"),
        None
    );
    assert!(
        complaint(
            "array.dim",
            "%n = array.dim %xs, 1 : [n]f32",
            "%xs: !array.array<[n]f32>"
        )
        .is_some()
    );
    assert!(complaint("array.dim", right, "").is_some());
}
