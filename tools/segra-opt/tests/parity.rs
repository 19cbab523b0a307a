//! Flags that `mlir-opt` has too, checked by it when the test runs: which expectations hold, and what is printed when.
//!
//! Where `mlir-opt-22` is not installed nothing is compared. Deliberately absent: what dumps look like and what messages
//! say, which are Segra's own.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn run(program: &str, args: &[&str], input: &str) -> Option<Output> {
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    // The program may end before it has read everything.
    let _ = child
        .stdin
        .take()
        .expect("it is piped")
        .write_all(input.as_bytes());
    Some(child.wait_with_output().expect("the program ends"))
}

/// The outcomes of `mlir-opt` and Segra.
fn both(args: &[&str], input: &str) -> Option<[Output; 2]> {
    let theirs = run("mlir-opt-22", args, input)?;
    let ours = run(env!("CARGO_BIN_EXE_segra-opt"), args, input).expect("the program starts");
    Some([theirs, ours])
}

/// A mistake that both find in line 1, with the same words.
const WRONG: &str = "\"x.a\"() {a = 99999 : i8} : () -> ()\n";
/// Another one, and a note in the line before it.
const TWICE: &str = "%0 = \"x.a\"() : () -> i32\n%0 = \"x.b\"() : () -> i32\n";

/// Expectations, met and not met: where the mistake is expected.
fn expected_lines() -> Vec<(&'static str, String)> {
    let behind = WRONG.trim_end();
    vec![
        (
            "the next line",
            format!("// expected-error@+1 {{{{out of range}}}}\n{WRONG}"),
        ),
        (
            "below",
            format!("// expected-error@below {{{{out of range}}}}\n{WRONG}"),
        ),
        (
            "below other expectations",
            format!(
                "// expected-error@below {{{{out of range}}}}\n// expected-note@below {{{{x}}}}\n{WRONG}"
            ),
        ),
        (
            "above",
            format!("{WRONG}// expected-error@above {{{{out of range}}}}\n"),
        ),
        (
            "its own line",
            format!("{behind} // expected-error {{{{out of range}}}}\n"),
        ),
        (
            "two lines on",
            format!("// expected-error@+2 {{{{out of range}}}}\n\n{WRONG}"),
        ),
        (
            "the line before",
            format!("{WRONG}// expected-error@-1 {{{{out of range}}}}\n"),
        ),
        (
            "the wrong line",
            format!("// expected-error@+2 {{{{out of range}}}}\n{WRONG}"),
        ),
        (
            "twice, met once",
            format!(
                "// expected-error@+1 {{{{out of range}}}}\n{WRONG}// expected-error {{{{out of range}}}}\n"
            ),
        ),
    ]
}

/// The same: which words are expected, of which kind.
fn expected_words() -> Vec<(&'static str, String)> {
    vec![
        (
            "a regex",
            format!("// expected-error-re@+1 {{{{out {{{{o[a-f]}}}} range}}}}\n{WRONG}"),
        ),
        (
            "a regex that does not match",
            format!("// expected-error-re@+1 {{{{out {{{{[0-9]+}}}} range}}}}\n{WRONG}"),
        ),
        (
            "other words",
            format!("// expected-error@+1 {{{{in range}}}}\n{WRONG}"),
        ),
        (
            "no words",
            format!("// expected-error@+1 {{{{}}}}\n{WRONG}"),
        ),
        (
            "a warning",
            format!("// expected-warning@+1 {{{{out of range}}}}\n{WRONG}"),
        ),
        (
            "a remark",
            format!("// expected-remark@+1 {{{{out of range}}}}\n{WRONG}"),
        ),
        (
            "a note",
            format!("// expected-note@+1 {{{{out of range}}}}\n{WRONG}"),
        ),
        ("nothing expected", WRONG.to_owned()),
        (
            "an error that does not come",
            "// expected-error {{x}}\n".to_owned(),
        ),
        (
            "a warning that does not come",
            "// expected-warning {{x}}\n".to_owned(),
        ),
        (
            "a remark that does not come",
            "// expected-remark {{x}}\n".to_owned(),
        ),
        (
            "a note that does not come",
            "// expected-note {{x}}\n".to_owned(),
        ),
        (
            "an error and its note",
            format!(
                "// expected-note@+1 {{{{previously}}}}\n{TWICE}// expected-error@-1 {{{{redefinition}}}}\n"
            ),
        ),
        (
            "an error without its note",
            format!("\n{TWICE}// expected-error@-1 {{{{redefinition}}}}\n"),
        ),
        (
            "parts",
            format!(
                "// expected-error@+1 {{{{range}}}}\n{WRONG}// -----\n// expected-error@+1 {{{{of range}}}}\n{WRONG}"
            ),
        ),
        (
            "parts, the second wrong",
            format!("// expected-error@+1 {{{{range}}}}\n{WRONG}// -----\n{WRONG}"),
        ),
        ("nothing wrong", "\"x.a\"() : () -> ()\n".to_owned()),
    ]
}

#[test]
fn expectations_hold_where_they_hold_for_mlir_opt() {
    let rows = [expected_lines(), expected_words()].concat();
    let args = [
        "--verify-diagnostics",
        "--split-input-file",
        "--allow-unregistered-dialect",
    ];
    let mut held = 0;
    for (name, input) in &rows {
        let Some([theirs, ours]) = both(&args, input) else {
            return;
        };
        let message = String::from_utf8_lossy(&ours.stderr);
        assert_eq!(
            ours.status.code(),
            theirs.status.code(),
            "{name}:\n{input}\n{message}"
        );
        held += usize::from(theirs.status.success());
    }
    assert!((10..=16).contains(&held), "{held} of {} hold", rows.len());
}

const FUNCTIONS: &str = r#""builtin.module"() ({
  "func.func"() <{function_type = (i32) -> i32, sym_name = "f"}> ({
  ^bb0(%a: i32):
    %0 = "arith.addi"(%a, %a) : (i32, i32) -> i32
    %1 = "arith.addi"(%a, %a) : (i32, i32) -> i32
    %2 = "arith.addi"(%0, %1) : (i32, i32) -> i32
    "func.return"(%2) : (i32) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "g"}> ({
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
"#;

/// A function that does something nothing is known about, and one that calls it.
const UNKNOWN: &str = r#""builtin.module"() ({
  "func.func"() <{function_type = (i32) -> i32, sym_name = "f"}> ({
  ^bb0(%a: i32):
    %0 = "x.unknown"(%a) : (i32) -> i32
    "func.return"(%0) : (i32) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (i32) -> i32, sym_name = "g"}> ({
  ^bb0(%a: i32):
    %0 = "func.call"(%a) <{callee = @f}> : (i32) -> i32
    "func.return"(%0) : (i32) -> ()
  }) : () -> ()
}) : () -> ()
"#;

#[test]
fn what_nothing_is_known_about_is_not_inlined() {
    for (input, calls) in [
        (UNKNOWN.to_owned(), 1),
        (UNKNOWN.replace("x.unknown", "math.absi"), 0),
    ] {
        let args = ["--allow-unregistered-dialect", "--mlir-print-op-generic"];
        let Some([theirs, ours]) = both(
            &[&args[..], &["--pass-pipeline=builtin.module(inline)"]].concat(),
            &input,
        ) else {
            return;
        };
        for output in [theirs, ours] {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(
                output.status.success(),
                "{}",
                String::from_utf8_lossy(&output.stderr)
            );
            assert_eq!(text.matches("func.call").count(), calls, "{text}");
        }
    }
}

/// `Before cse`, `After canonicalize`, one for each dump. Upstream writes a pass's class before its name.
fn dumps(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let titles = text
        .lines()
        .filter_map(|line| line.split_once("// IR Dump ").map(|row| row.1.to_owned()));
    titles
        .map(|title| {
            let moment = title.split(' ').next().unwrap_or_default();
            let named = ["cse", "canonicalize"].into_iter().find(|name| {
                title.contains(&format!("({name})")) || title.contains(&format!("{moment} {name} "))
            });
            let failed = if title.contains("Failed") {
                " Failed"
            } else {
                ""
            };
            format!("{moment} {}{failed}", named.unwrap_or(&title))
        })
        .collect()
}

#[test]
fn the_program_is_printed_when_mlir_opt_prints_it() {
    let pipeline = "--pass-pipeline=builtin.module(func.func(cse,canonicalize),cse)";
    let rows: &[&[&str]] = &[
        &[],
        &["--mlir-print-ir-before-all"],
        &["--mlir-print-ir-after-all"],
        &["--mlir-print-ir-before-all", "--mlir-print-ir-after-all"],
        &["--mlir-print-ir-before=cse"],
        &["--mlir-print-ir-after=canonicalize"],
        &[
            "--mlir-print-ir-before=canonicalize",
            "--mlir-print-ir-after=cse,canonicalize",
        ],
        &["--mlir-print-ir-after-all", "--mlir-print-ir-after-change"],
        &["--mlir-print-ir-after-all", "--mlir-print-ir-module-scope"],
        &["--mlir-print-ir-after-failure"],
    ];
    for row in rows {
        let args = [
            &[
                "--mlir-disable-threading",
                "--mlir-print-op-generic",
                pipeline,
            ],
            *row,
        ]
        .concat();
        let Some([theirs, ours]) = both(&args, FUNCTIONS) else {
            return;
        };
        assert_eq!(dumps(&ours), dumps(&theirs), "{row:?}");
        let [theirs, ours] =
            [theirs, ours].map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        assert!(theirs.contains("arith.addi"), "{row:?}");
        assert_eq!(
            ours.trim_end(),
            theirs
                .replace(" <{overflowFlags = #arith.overflow<none>}>", "")
                .trim_end(),
            "{row:?}"
        );
    }
}

#[test]
fn each_function_is_printed_alone_or_within_its_module_as_mlir_opt_does() {
    let pipeline = "--pass-pipeline=builtin.module(func.func(cse))";
    for (flag, whole) in [
        ("--mlir-print-ir-module-scope", true),
        ("--mlir-print-local-scope", false),
    ] {
        let args = [
            "--mlir-disable-threading",
            "--mlir-print-op-generic",
            "--mlir-print-ir-after-all",
            pipeline,
            flag,
        ];
        let Some(outputs) = both(&args, FUNCTIONS) else {
            return;
        };
        for output in &outputs {
            let text = String::from_utf8_lossy(&output.stderr);
            assert_eq!(
                text.matches("builtin.module\"()").count() > 0,
                whole,
                "{flag}: {text}"
            );
        }
    }
}

/// A loop of calls that carries a value, in upstream's affine dialect or in scf.
fn loop_of_calls(trips: u32, head: &str, end: &str) -> String {
    format!(
        "func.func private @use(index, i32) -> i32\n\
         func.func @f(%x: i32) -> i32 {{\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  \
         %cn = arith.constant {trips} : index\n  %r = {head} iter_args(%s = %x) -> (i32) {{\n    \
         %t = func.call @use(%i, %s) : (index, i32) -> i32\n    {end} %t : i32\n  }}\n  return %r : i32\n}}\n"
    )
}

/// The ops of a program without the names of values, in an order of their own.
fn ops_without_names(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stdout)
        .replace(" <{overflowFlags = #arith.overflow<none>}>", "");
    let without = |line: &str| -> String {
        let mut kept = String::new();
        let mut rest = line.trim();
        while let Some((before, name)) = rest.split_once('%') {
            kept += before;
            rest = name.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        }
        kept + rest
    };
    let mut lines: Vec<String> = text
        .lines()
        .filter(|line| !line.is_empty())
        .map(without)
        .collect();
    lines.sort();
    lines
}

#[test]
fn loops_are_unrolled_as_upstream_unrolls_affine_ones() {
    for (trips, factor) in [(4, 2), (5, 2), (7, 3), (9, 4), (8, 8), (1, 2), (6, 6)] {
        let affine = loop_of_calls(
            trips,
            &format!("affine.for %i = 0 to {trips}"),
            "affine.yield",
        );
        let structured = loop_of_calls(trips, "scf.for %i = %c0 to %cn step %c1", "scf.yield");
        let after = "canonicalize,cse)";
        let theirs = format!(
            "--pass-pipeline=builtin.module(func.func(affine-loop-unroll{{unroll-factor={factor}}}),lower-affine,{after}"
        );
        let ours =
            format!("--pass-pipeline=builtin.module(loop-unroll{{unroll-factor={factor}}},{after}");
        let Some(theirs) = run(
            "mlir-opt-22",
            &["--mlir-print-op-generic", &theirs],
            &affine,
        ) else {
            return;
        };
        let opt = env!("CARGO_BIN_EXE_segra-opt");
        let ours =
            run(opt, &["--mlir-print-op-generic", &ours], &structured).expect("the program starts");
        let wanted = ops_without_names(&theirs);
        assert!(
            wanted.iter().any(|line| line.contains("func.call")),
            "{trips} {factor}"
        );
        assert_eq!(
            ops_without_names(&ours),
            wanted,
            "{trips} iterations by {factor}"
        );
    }
}

#[test]
fn a_mapping_may_have_one_mask() {
    for masks in ["", ", #gpu.mask<0x1>", ", #gpu.mask<0x1>, #gpu.mask<0x2>"] {
        let input = format!(
            r#""func.func"() <{{function_type = (index) -> (), sym_name = "f"}}> ({{
^bb0(%n: index):
  "scf.forall"(%n) <{{mapping = [#gpu.thread<x>{masks}], operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}}> ({{
  ^bb0(%i: index):
    "scf.forall.in_parallel"() ({{
    ^bb0:
    }}) : () -> ()
  }}) : (index) -> ()
  "func.return"() : () -> ()
}}) : () -> ()
"#
        );
        let Some([theirs, ours]) = both(&["--allow-unregistered-dialect"], &input) else {
            return;
        };
        let message = String::from_utf8_lossy(&ours.stderr);
        assert_eq!(
            ours.status.code(),
            theirs.status.code(),
            "{masks}: {message}"
        );
    }
}
