//! Output of `mlir-opt-22` is read and printed again, byte for byte.
//!
//! `mlir/NAME.mlir` is an input, `NAME.generic` and `NAME.debuginfo` are what `mlir-opt-22 --allow-unregistered-dialect
//! --mlir-print-op-generic` (and `--mlir-print-debuginfo`) made of it; where the tool is installed, that is checked too.

use segra_ir::Context;
use segra_text::parser::{ParseOptions, parse_module};
use segra_text::printer::Locations;
use segra_text::{PrintOptions, print};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

fn path(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "mlir", name]
        .iter()
        .collect()
}

fn text(name: &str) -> String {
    std::fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn options(locations: Locations) -> PrintOptions {
    PrintOptions {
        locations,
        ..PrintOptions::mlir_generic()
    }
}

fn reprint(text: &str, options: &PrintOptions) -> String {
    let ctx = Arc::new(Context::new());
    let ir =
        parse_module(&ctx, "input", text, &ParseOptions::allowing_unregistered()).expect("valid");
    print(&ir, ir.root(), options)
}

#[track_caller]
fn same(printed: &str, golden: &str) {
    let differ = printed
        .lines()
        .zip(golden.lines())
        .find(|(mine, theirs)| mine != theirs);
    assert_eq!(differ, None, "first different line (ours, mlir-opt's)");
    assert_eq!(printed.len(), golden.len());
}

#[test]
fn structure_types_and_attributes_survive() {
    for name in ["structure_and_locations", "types_and_attributes"] {
        let golden = text(&format!("{name}.generic"));
        same(&reprint(&golden, &options(Locations::Hidden)), &golden);
        let golden = text(&format!("{name}.debuginfo"));
        same(&reprint(&golden, &options(Locations::Aliased)), &golden);
    }
}

#[test]
fn numbers_of_every_float_format_are_written_as_mlir_writes_them() {
    // From the input, which gives bits: MLIR itself reads the widest formats through doubles.
    same(
        &reprint(&text("floats.mlir"), &options(Locations::Hidden)),
        &text("floats.generic"),
    );
}

#[test]
fn inline_locations_mean_the_same_as_aliases() {
    let golden = text("structure_and_locations.debuginfo");
    let inline = reprint(&golden, &options(Locations::Inline));
    assert!(!inline.contains("loc(#"));
    same(&reprint(&inline, &options(Locations::Aliased)), &golden);
}

#[test]
fn what_is_compared_with_came_from_mlir_opt() {
    const TOOL: &str = "mlir-opt-22";
    if Command::new(TOOL).arg("--version").output().is_err() {
        return;
    }
    let cases = [
        ("structure_and_locations", "generic", None),
        (
            "structure_and_locations",
            "debuginfo",
            Some("--mlir-print-debuginfo"),
        ),
        ("types_and_attributes", "generic", None),
        (
            "types_and_attributes",
            "debuginfo",
            Some("--mlir-print-debuginfo"),
        ),
        ("floats", "generic", None),
    ];
    for (name, ending, flag) in cases {
        let mut command = Command::new(TOOL);
        command.current_dir(path(""));
        command
            .args(["--allow-unregistered-dialect", "--mlir-print-op-generic"])
            .args(flag);
        let output = command
            .arg(format!("{name}.mlir"))
            .output()
            .expect("it was there just now");
        let printed = String::from_utf8(output.stdout).expect("text");
        // The tool adds an empty line.
        same(
            printed.trim_end_matches('\n'),
            text(&format!("{name}.{ending}")).trim_end_matches('\n'),
        );
    }
}
