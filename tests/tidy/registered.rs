//! Completeness: what is registered is listed in order, documented, and shown in tests.

use crate::{assert_tidy, root};
use segra_ir::{Context, Dialect, OpDef};
use segra_tests::case;
use segra_text::check_formats;
use segra_text::docs::docs;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn context() -> Context {
    let ctx = Context::new();
    segra_pipeline::register_all_dialects(&ctx);
    ctx
}

/// All `.mlir` text below these folders of the repository.
fn texts(folders: &[&str]) -> String {
    let read = |path: &Path| fs::read_to_string(path).unwrap_or_default();
    let files = folders
        .iter()
        .flat_map(|folder| case::files(&root().join(folder), "mlir").expect("the folder is there"));
    files.map(|path| read(&path)).collect()
}

/// Whether `text` has `name` as a word of its own.
fn mentions(text: &str, name: &str) -> bool {
    let inside = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(inside) && !text[at + name.len()..].starts_with(inside)
    })
}

/// Ops listed twice, without documentation, or in no text. (Their order is that of the documentation: by theme.)
fn op_complaints(dialect: &Dialect, texts: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut seen = BTreeSet::new();
    for op in dialect.ops.iter().filter(|op| !seen.insert(op.name)) {
        complaints.push(format!("{}: `{}` is listed twice", dialect.name, op.name));
    }
    if dialect.doc.trim().is_empty() {
        complaints.push(format!(
            "{}: the dialect has no documentation",
            dialect.name
        ));
    }
    for &OpDef { name, doc, .. } in &dialect.ops {
        if doc.trim().is_empty() && !name.ends_with(".yield") && !name.ends_with(".return") {
            complaints.push(format!("{name}: has no documentation"));
        }
        if !name.starts_with(&format!("{}.", dialect.name)) {
            complaints.push(format!(
                "{name}: is listed in the dialect `{}`",
                dialect.name
            ));
        }
        if !mentions(texts, name) {
            complaints.push(format!("{name}: is in no text test"));
        }
    }
    complaints
}

#[test]
fn every_op_is_listed_once_documented_and_in_a_text_test() {
    let ctx = context();
    let texts = texts(&["tests/text"]);
    let complaints: Vec<String> = ctx
        .dialects()
        .flat_map(|dialect| op_complaints(dialect, &texts))
        .collect();
    assert!(ctx.dialects().count() >= 11, "dialects are registered");
    assert_tidy(&complaints);
}

/// The documentation pages, made from the definitions; `BLESS=1` writes them anew.
#[test]
fn documentation_pages_are_in_step_with_the_definitions() {
    let ctx = context();
    let mut stale = Vec::new();
    let mut pages: Vec<(String, String)> = ctx
        .dialects()
        .filter_map(|dialect| {
            Some((
                format!("docs/dialects/{}.md", dialect.name),
                docs(&ctx, dialect.name)?,
            ))
        })
        .collect();
    pages.push((
        "docs/passes.md".to_owned(),
        segra_pipeline::registry().documentation(),
    ));
    pages.push((
        "docs/blas.md".to_owned(),
        segra_blas::library::documentation(),
    ));
    for (name, text) in pages {
        let path = root().join(&name);
        if fs::read_to_string(&path).is_ok_and(|found| found == text) {
            continue;
        }
        if case::blessing() {
            fs::create_dir_all(path.parent().expect("pages lie in a folder"))
                .expect("the folder can be made");
            fs::write(&path, text).expect("the page can be written");
        } else {
            stale.push(format!(
                "{name} is stale: BLESS=1 tools/test writes it anew"
            ));
        }
    }
    assert_tidy(&stale);
}

#[test]
fn every_op_of_the_array_dialect_is_in_a_program_that_runs() {
    let ctx = context();
    let texts = texts(&["examples", "tests/run"]);
    let array = ctx.dialect("array").expect("it is registered");
    let missing = array.ops.iter().filter(|op| !mentions(&texts, op.name));
    assert_tidy(
        &missing
            .map(|op| format!("{}: is in no example and no run test", op.name))
            .collect::<Vec<_>>(),
    );
}

/// From the map over rows to the end of its body.
#[test]
fn a_matrix_product_is_five_lines() {
    let text = fs::read_to_string(root().join("tests/run/programs/product-in-five-lines.mlir"));
    let text = text.expect("the program is there");
    let nest = text.lines().skip_while(|line| !line.contains("array.map"));
    let nest: Vec<&str> = nest
        .take_while(|line| !line.contains("func.return"))
        .collect();
    assert_eq!(nest.len(), 5, "{nest:#?}");
}

#[test]
fn every_format_string_can_be_read_and_written() {
    assert_tidy(
        &check_formats(&context())
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>(),
    );
}

/// Names that no pipeline of a text test has.
fn untested<'a>(names: impl Iterator<Item = &'a str>, pipelines: &str) -> Vec<String> {
    names
        .filter(|name| !mentions(pipelines, name))
        .map(|name| format!("`{name}` is in no text test"))
        .collect()
}

#[test]
fn every_pass_and_pipeline_is_listed_in_order_and_has_a_text_test() {
    let registry = segra_pipeline::registry();
    assert_tidy(&registry.problems());
    let files = case::files(&root().join("tests/text"), "mlir").expect("the folder is there");
    let cases = files
        .iter()
        .filter_map(|path| case::Case::read(path).ok())
        .filter(|case| case.kind == "pass");
    let pipelines: String = cases
        .map(|case| case.argument.replace('-', "_") + "\n")
        .collect();
    let names: Vec<String> = registry
        .names()
        .map(|name| name.replace('-', "_"))
        .collect();
    assert_tidy(&untested(names.iter().map(String::as_str), &pipelines));
}

#[test]
fn incomplete_registrations_are_found() {
    let ctx = context();
    let array = ctx.dialect("array").expect("it is registered");
    let all = texts(&["tests/text"]);
    let mut dialect = Dialect {
        name: "array",
        doc: "",
        ops: array.ops.clone(),
        ..Dialect::default()
    };
    dialect.ops.truncate(1);
    dialect.ops.push(dialect.ops[0]);
    let first = dialect.ops[0].name;
    let complaints = op_complaints(&dialect, &all.replace(first, "gone"));
    let twice = format!("array: `{first}` is listed twice");
    let wanted = [
        twice,
        "array: the dialect has no documentation".to_owned(),
        format!("{first}: is in no text test"),
    ];
    assert_eq!(complaints[..3], wanted);
    assert!(
        mentions("(cse,dce)", "dce")
            && !mentions("symbol_dce", "dce")
            && !mentions("array.mapper", "array.map")
    );
    assert_eq!(
        untested(["cse", "dce"].into_iter(), "builtin.module(cse)\n"),
        ["`dce` is in no text test"]
    );
}
