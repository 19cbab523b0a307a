//! `--validate-passes`: the program runs before and after each pass.

use crate::{accepted, err, opt, rejected};

pub(crate) const ROW_SUMS: &str = "\
func.func @sums(%a: !array.array<[n][m]f32>, %b: !array.array<[n]f32>, %c: f32) -> !array.array<[n]f32> {
  %zero = arith.constant 0.0 : f32
  %r = array.map (%row in %a : [n][m]f32, %y in %b : [n]f32) {
    %s = array.redomap (%x in %row : [m]f32) init (%zero : f32) map {
      %p = arith.mulf %x, %c : f32
      %q = arith.mulf %x, %c : f32
      %pq = arith.addf %p, %q : f32
      array.yield %pq : f32
    } combine (%t, %u) {
      %v = arith.addf %t, %u : f32
      array.yield %v : f32
    }
    %w = arith.addf %s, %y : f32
    array.yield %w : f32
  }
  func.return %r : !array.array<[n]f32>
}
";

#[test]
fn passes_are_validated_by_running_the_program() {
    let once = accepted(
        &["--cleanup", "--validate-passes", "--validate-ulps=0"],
        ROW_SUMS,
    );
    assert_eq!(once.matches("arith.mulf").count(), 1, "{once}");
    accepted(
        &[
            "--cleanup",
            "--validate-passes",
            "--input=random:3x4",
            "--input=random:3",
            "--input=-1.5",
        ],
        ROW_SUMS,
    );
    let message = rejected(
        &[
            "--cse",
            "--validate-passes",
            "--input=random:3x4",
            "--input=random:5",
        ],
        ROW_SUMS,
    );
    assert!(
        message.contains("parameter 1: `random:5` does not fit type") && message.contains("n is 3"),
        "{message}"
    );
    let message = rejected(&["--cse", "--validate-passes", "--entry=other"], ROW_SUMS);
    assert!(
        message.contains("there is no function @other; there are: @sums"),
        "{message}"
    );
}

/// Each element that an element names.
const ELEMENTS: &str = "\
func.func @main(%xs: !array.array<[n]i32>, %from: i32) -> !array.array<[n]i32> {
  %r = array.map (%x in %xs : [n]i32) {
    %z = arith.xori %x, %x : i32
    %j = arith.addi %z, %from : i32
    %k = arith.index_cast %j : i32 to index
    %y = array.index %xs[%k] : [n]i32
    array.yield %y : i32
  }
  func.return %r : !array.array<[n]i32>
}
";

#[test]
fn a_program_that_stops_is_validated_where_its_checks_are_in_a_record() {
    let flags = ["--array-to-gpu", "--validate-passes", "--input=random:3"];
    for from in ["--input=1", "--input=7"] {
        accepted(&[&flags[..], &[from]].concat(), ELEMENTS);
    }
}

/// A product on kernels, with a schedule of its own.
const SCHEDULED: &str = include_str!("../../../../tests/text/passes/apply-schedules.mlir");

#[test]
fn schedules_are_printed_and_validated_after_each_step() {
    let program = SCHEDULED.split("// =====").next().unwrap_or_default();
    let args = [
        "--apply-schedules",
        "--print-schedule",
        "--validate-passes",
        "--validate-ulps=0",
        "--input=random:7x9",
        "--input=random:9x11",
    ];
    let output = opt(&args, program);
    let text = err(&output);
    assert!(output.status.success(), "{text}");
    let headings: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("// -----// apply-schedules "))
        .collect();
    let steps = [
        "stripmine [4, 8]",
        "peel 8",
        "chunk 8",
        "distribute",
        "interchange",
        "stage",
        "pipeline 2",
    ];
    let wanted: Vec<String> = steps
        .iter()
        .enumerate()
        .map(|(at, step)| format!("{} at 10:10: {step} //----- //", at + 1))
        .collect();
    assert_eq!(headings, wanted, "{text}");
    assert_eq!(text.matches("func.func @main").count(), 7, "{text}");
    // Every one of them is a program that computes the same.
    for part in text.split("// -----// ").skip(1) {
        let nest = part.split_once('\n').expect("a heading").1;
        accepted(&["--verify-roundtrip"], nest);
    }
}

#[test]
fn passes_that_change_the_types_of_parameters_are_validated_on_the_same_values() {
    // Once arrays are tensors and then buffers, nothing says that their sizes are equal; the arguments still are.
    let dot = include_str!("../../../../examples/dot.mlir");
    for pipeline in ["array-to-kernel", "array-to-gpu"] {
        accepted(
            &[
                &format!("--pass-pipeline=builtin.module({pipeline})"),
                "--validate-passes",
            ],
            dot,
        );
    }
}
