//! Diagnostics as users see them.

use segra_ir::diag::render::{Style, render};
use segra_ir::location::FileRange;
use segra_ir::{Context, Diagnostic, Diagnostics, Loc, LocKind, Severity};
use std::sync::Arc;

const SOURCE: &str = "func.func @f(%x: i32) {\n  %sum = arith.addf %x, %x : i32\n\treturn\n}\n";

fn context() -> Context {
    let ctx = Context::new();
    ctx.add_source("dir/a.mlir", Arc::new(SOURCE.to_owned()));
    ctx
}

fn at(ctx: &Context, line: u32, column: u32) -> Loc {
    ctx.loc(LocKind::File {
        file: ctx.ident("dir/a.mlir"),
        line,
        column,
    })
}

fn plain(ctx: &Context, diagnostic: &Diagnostic) -> String {
    render(ctx, diagnostic, Style::Plain)
}

#[test]
fn an_error_shows_its_line_its_op_and_its_notes() {
    let ctx = context();
    let mut diagnostic = Diagnostic::new(
        Severity::Error,
        at(&ctx, 2, 10),
        "'arith.addf' op operand `lhs` must be a floating-point type, but is `i32`",
    );
    diagnostic.op_text = Some("%sum = \"arith.addf\"(%x, %x) : (i32, i32) -> i32".to_owned());
    diagnostic
        .note(at(&ctx, 1, 14), "defined here")
        .note(Loc::UNKNOWN, "integers are added by arith.addi");
    insta::assert_snapshot!("error_with_everything", plain(&ctx, &diagnostic));
    insta::assert_snapshot!("error_coloured", render(&ctx, &diagnostic, Style::Coloured));
}

#[test]
fn without_a_source_the_place_is_still_said() {
    let ctx = context();
    let elsewhere = ctx.loc(LocKind::File {
        file: ctx.ident("gone.mlir"),
        line: 7,
        column: 3,
    });
    let mut all = plain(
        &ctx,
        &Diagnostic::new(Severity::Warning, elsewhere, "not there"),
    );
    all += &plain(
        &ctx,
        &Diagnostic::new(Severity::Remark, Loc::UNKNOWN, "nowhere"),
    );
    all += &plain(
        &ctx,
        &Diagnostic::new(Severity::Error, at(&ctx, 99, 1), "beyond the end"),
    );
    all += &plain(
        &ctx,
        &Diagnostic::new(Severity::Error, at(&ctx, 3, 50), "beyond the line"),
    );
    insta::assert_snapshot!("without_source", all);
}

#[test]
fn ranges_and_calls_are_shown() {
    let ctx = context();
    let file = ctx.ident("dir/a.mlir");
    let range = FileRange {
        file,
        line: 2,
        column: 21,
        end_line: 2,
        end_column: 27,
    };
    let range = ctx.loc(LocKind::FileRange(Box::new(range)));
    let call = ctx.loc(LocKind::CallSite {
        callee: range,
        caller: at(&ctx, 1, 1),
    });
    insta::assert_snapshot!(
        "range_and_call",
        plain(&ctx, &Diagnostic::new(Severity::Error, call, "in a callee"))
    );
}

#[test]
fn a_line_of_a_megabyte_is_cut_around_the_place() {
    let ctx = Context::new();
    let mut text = "ä".repeat(500_000);
    text.push_str(" here ");
    text.push_str(&"b".repeat(500_000));
    let file = ctx.add_source("long.mlir", Arc::new(text));
    let loc = ctx.loc(LocKind::File {
        file,
        line: 1,
        column: 1_000_002,
    });
    let shown = plain(&ctx, &Diagnostic::new(Severity::Error, loc, "found"));
    assert!(shown.len() < 2000 && shown.contains("here"), "{shown}");
}

#[test]
fn diagnostics_sort_by_place_and_become_plain_fields() {
    let ctx = context();
    let mut diags = Diagnostics::new();
    diags
        .error(at(&ctx, 3, 2), "third")
        .note(at(&ctx, 1, 1), "see");
    diags.error(Loc::UNKNOWN, "after third");
    diags.error(at(&ctx, 2, 9), "second");
    diags.error(at(&ctx, 2, 1), "first");
    diags.sort_by_position(&ctx);
    let messages: Vec<&str> = diags
        .iter()
        .map(|diagnostic| diagnostic.message.as_str())
        .collect();
    assert_eq!(messages, ["first", "second", "third", "after third"]);
    let fields = diags.iter().nth(2).expect("four of them").fields(&ctx);
    let place = fields.place.expect("in a file");
    assert_eq!(
        (
            fields.severity,
            place.file.as_str(),
            place.line,
            place.column
        ),
        ("error", "dir/a.mlir", 3, 2)
    );
    assert_eq!(fields.notes[0].0, "see");
}
