//! The driver as its users run it.

use std::process::{Command, Output};

const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/text/lower.mlir");

fn opt(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fixed-opt")).args(args).output().expect("the driver starts")
}

fn out(args: &[&str]) -> String {
    let output = opt(args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text is UTF-8")
}

#[test]
fn both_text_forms_read_back() {
    let text = std::fs::read_to_string(PROGRAM).expect("the program is there");
    let written = out(&[PROGRAM, "--verify-roundtrip"]);
    let lines = |text: &str| text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
    let inside = lines(&written);
    assert_eq!(inside[1..inside.len() - 1], lines(&text));
    let generic = out(&[PROGRAM, "--mlir-print-op-generic"]);
    let wanted = r#"<{rounding = #fixed.rounding<nearest>}> : (!fixed.number<8>, !fixed.number<8>) -> !fixed.number<8>"#;
    assert!(generic.contains(wanted), "{generic}");
}

#[test]
fn numbers_become_integers_and_mean_the_same() {
    let text = out(&[PROGRAM, "--pass-pipeline=builtin.module(func.func(fixed-to-arith,canonicalize,cse))"]);
    assert!(!text.contains("fixed.") && text.contains("arith.muli") && text.contains("128 : i64"), "{text}");
    // 3.0 * 5.0 + 3.0, on the reference interpreter: what is lowered runs.
    let lowered = std::env::temp_dir().join(format!("fixed-{}.mlir", std::process::id()));
    std::fs::write(&lowered, text).expect("it can be written");
    let run = ["--canonicalize", "--validate-passes", "--input=3", "--input=5"];
    let args: Vec<&str> = [lowered.to_str().expect("a plain path")].into_iter().chain(run).collect();
    out(&args);
    std::fs::remove_file(lowered).expect("it is there");
}

#[test]
fn mistakes_are_told_in_the_words_of_the_dialect() {
    let path = std::env::temp_dir().join(format!("fixed-wrong-{}.mlir", std::process::id()));
    let text = "%a = \"x.number\"() : () -> !fixed.number<4>\n%b = fixed.add %a, %a : i64\n";
    std::fs::write(&path, text).expect("it can be written");
    let output = opt(&[path.to_str().expect("a plain path"), "--allow-unregistered-dialect"]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    std::fs::remove_file(path).expect("it is there");
    assert!(!output.status.success());
    assert!(message.contains("fixed-point number") || message.contains("type"), "{message}");
}

#[test]
fn the_driver_knows_the_dialect_and_the_pass() {
    assert!(out(&["--show-dialects"]).contains("fixed.mul"));
    let help = out(&["--help"]);
    assert!(help.contains("fixed-opt") && help.contains("--fixed-to-arith") && help.contains("--canonicalize"));
}
