//! The generic form that `mlir-opt` prints is read and printed back as it was; texts that it refuses are refused.
//!
//! `data/parity.mlir` and `data/invalid.mlir` hold small inputs separated by `// -----`. Where `mlir-opt-22` is
//! installed it writes the generic form of each of the first at test time; where it is not, only inputs that are generic
//! themselves are compared with themselves. Each of the second was seen to be refused by `mlir-opt` 22.

use segra_ir::*;
use segra_text::printer::Locations;
use segra_text::{ParseOptions, Parsed, PrintOptions, parse_source, print};
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;

const VALID: &str = include_str!("data/parity.mlir");
const INVALID: &str = include_str!("data/invalid.mlir");

/// The output of `mlir-opt`, `Err` with its messages where it refuses; `None` where it is not installed.
fn mlir_opt(text: &str, flags: &[&str]) -> Option<Result<String, String>> {
    let mut child = Command::new("mlir-opt-22")
        .args(["--mlir-print-op-generic", "--allow-unregistered-dialect"])
        .args(flags)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    child
        .stdin
        .take()
        .expect("piped")
        .write_all(text.as_bytes())
        .expect("written");
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("mlir-opt writes UTF-8");
    Some(if output.status.success() {
        Ok(text(output.stdout))
    } else {
        Err(text(output.stderr))
    })
}

fn read(text: &str) -> Parsed {
    let ctx = Arc::new(Context::new());
    parse_source(&ctx, "-", text, &ParseOptions::allowing_unregistered())
}

fn messages(parsed: &Parsed) -> Vec<&str> {
    parsed
        .diags
        .iter()
        .map(|diagnostic| diagnostic.message.as_str())
        .collect()
}

fn round_trip(text: &str, options: &PrintOptions) -> String {
    let parsed = read(text);
    assert_eq!(messages(&parsed), Vec::<&str>::new(), "\n{text}");
    print(&parsed.ir, parsed.ir.root(), options)
}

fn check(flags: &[&str], options: &PrintOptions) {
    let inputs: Vec<&str> = VALID.split("// -----\n").collect();
    let expected: Vec<String> = match mlir_opt(VALID, &[flags, &["--split-input-file"]].concat()) {
        Some(Ok(text)) => text.split("// -----\n").map(str::to_owned).collect(),
        Some(Err(error)) => panic!("mlir-opt refuses:\n{error}"),
        None => {
            let generic = inputs
                .iter()
                .filter(|input| !read(input).diags.has_errors());
            generic.map(|input| round_trip(input, options)).collect()
        }
    };
    assert!(expected.len() > inputs.len() / 2);
    for text in expected {
        let ours = round_trip(&text, options);
        if ours.trim_end() == text.trim_end() {
            continue;
        }
        // Another text may still mean the same.
        assert_eq!(mlir_opt(&ours, flags), Some(Ok(text)));
    }
}

#[test]
fn the_generic_form_survives() {
    check(&[], &PrintOptions::mlir_generic());
}

#[test]
fn locations_survive() {
    let options = PrintOptions {
        locations: Locations::Aliased,
        ..PrintOptions::mlir_generic()
    };
    check(&["--mlir-print-debuginfo"], &options);
}

#[test]
fn what_mlir_opt_refuses_is_refused() {
    for chunk in INVALID.split("// -----\n") {
        assert!(read(chunk).diags.has_errors(), "accepted:\n{chunk}");
    }
}
