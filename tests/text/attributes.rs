//! Attributes of dialects, held against `mlir-opt`: what it accepts is read and printed as it prints it, the rest is
//! refused.
//!
//! `parity/attributes.txt` has one attribute a line, right and wrong ones mixed. The dialects are registered and what
//! is not known to them is refused, except in lines that start with `foreign: `, which name targets of devices:
//! attributes of upstream's dialects that Segra has not.

use super::{SPLIT, context};
use segra_ir::verify::{VerifyOptions, verify_op};
use segra_tests::case::{self, Failure};
use segra_tests::upstream::MlirOpt;
use segra_text::{ParseOptions, Parsed, PrintOptions, Unregistered, parse_source, print};

/// Checks every line of `parity/attributes.txt`.
pub(crate) fn attributes(oracle: Option<&MlirOpt>) -> Result<(), Failure> {
    let file = case::folder().join("text/parity/attributes.txt");
    let lines = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let cases: Vec<(Unregistered, &str)> = lines
        .lines()
        .map(|line| match line.strip_prefix("foreign: ") {
            Some(attr) => (Unregistered::Allow, attr),
            None => (Unregistered::Refuse, line),
        })
        .collect();
    let programs: Vec<String> = cases.iter().map(|row| program(row.1)).collect();
    let ours: Vec<Result<String, Failure>> = cases
        .iter()
        .zip(&programs)
        .map(|(row, text)| printed(text, row.0))
        .collect();
    for text in ours.iter().flatten() {
        super::same(
            "what is printed, read again",
            text,
            &printed(text, Unregistered::Allow)?,
        )?;
    }
    let Some(oracle) = oracle else { return Ok(()) };
    let theirs = verdicts(oracle, &programs)?;
    let mut complaints = Vec::new();
    for ((row, ours), theirs) in cases.iter().zip(ours).zip(theirs) {
        match (ours, theirs) {
            (Ok(ours), Some(theirs)) if attr_of(&ours) == attr_of(&theirs) => {}
            (Err(_), None) => {}
            (ours, theirs) => complaints.push(format!(
                "{}\n  mlir-opt: {theirs:?}\n  here: {ours:?}",
                row.1
            )),
        }
    }
    if complaints.is_empty() {
        Ok(())
    } else {
        Err(complaints.join("\n"))
    }
}

fn program(attr: &str) -> String {
    format!("%0 = \"arith.constant\"() <{{value = 1 : i32}}> {{a = {attr}}} : () -> i32\n")
}

/// The discardable attributes of the program's only op.
fn attr_of(program: &str) -> Option<&str> {
    program
        .lines()
        .find_map(|line| line.split_once("> {a = ")?.1.strip_suffix("} : () -> i32"))
}

/// The generic form, or an error.
fn printed(text: &str, unregistered: Unregistered) -> Result<String, Failure> {
    let ctx = context();
    let options = ParseOptions {
        allow_unregistered: unregistered,
        ..ParseOptions::default()
    };
    let Parsed { ir, mut diags } = parse_source(&ctx, "input", text, &options);
    verify_op(&ir, ir.root(), &VerifyOptions { unregistered }, &mut diags);
    if diags.has_errors() {
        return Err(super::rendered(&ctx, &diags));
    }
    Ok(print(&ir, ir.root(), &PrintOptions::mlir_generic()))
}

/// The output of `mlir-opt` for each program; `None`: it refuses it.
fn verdicts(oracle: &MlirOpt, programs: &[String]) -> Result<Vec<Option<String>>, Failure> {
    let wrong = oracle.error_lines(&programs.join(SPLIT))?;
    // A program is one line; the marker is another.
    let accepted: Vec<bool> = (0..programs.len())
        .map(|index| !wrong.contains(&(2 * index + 1)))
        .collect();
    let right: Vec<&str> = programs
        .iter()
        .zip(&accepted)
        .filter(|row| *row.1)
        .map(|row| row.0.as_str())
        .collect();
    let text = oracle.transformed(&right.join(SPLIT), &["--split-input-file"])?;
    let mut texts = text.split(SPLIT).map(str::to_owned);
    accepted
        .into_iter()
        .map(|accepted| match accepted {
            true => texts
                .next()
                .map(Some)
                .ok_or_else(|| "mlir-opt stopped early".to_owned()),
            false => Ok(None),
        })
        .collect()
}
