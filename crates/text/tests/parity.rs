//! Every construct of the generic form, each checked by `mlir-opt-22` at test time: what it accepts is read here and
//! means the same afterwards, what it refuses is refused here, at the same line.
//!
//! `data/parity/*.txt` hold one case a line: attributes, types, and whole programs (with `\n` for a new line), right
//! and wrong ones mixed; `constructs.txt` has one line for every construct that the project promises to read, which
//! `mlir-opt` must accept and print byte for byte as Segra does, with locations too. Nothing is expected in the files themselves. Where `mlir-opt-22` is not installed, the cases are
//! read, printed and read again, so that at least nothing panics and what is written can be read. Deliberately absent:
//! cases in which the two differ on purpose (uses of aliases before their definition, types of dialects that are not
//! registered as elements of vectors).

use segra_ir::verify::{VerifyOptions, verify_op};
use segra_ir::{Context, Diagnostics, diag};
use segra_text::printer::Locations;
use segra_text::{ParseOptions, PrintOptions, Unregistered, parse_source, print};
use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;

const MARKER: &str = "// -----\n";

/// The generic form, or the lines of the errors.
type Verdict = Result<String, BTreeSet<u32>>;

fn segra(text: &str) -> Verdict {
    segra_prints(text, &PrintOptions::mlir_generic())
}

fn segra_prints(text: &str, options: &PrintOptions) -> Verdict {
    let ctx = Arc::new(Context::new());
    let parsed = parse_source(
        &ctx,
        "<stdin>",
        text,
        &ParseOptions::allowing_unregistered(),
    );
    let mut diags = Diagnostics::new();
    diags.extend(parsed.diags);
    let ir = parsed.ir;
    verify_op(
        &ir,
        ir.root(),
        &VerifyOptions {
            unregistered: Unregistered::Allow,
        },
        &mut diags,
    );
    if !diags.has_errors() {
        return Ok(print(&ir, ir.root(), options));
    }
    Err(diags
        .iter()
        .filter_map(|row| diag::file_position(&ctx, row.loc))
        .map(|place| place.1)
        .collect())
}

/// The answer of `mlir-opt` to each text, all in one run; `None` where it is not installed.
fn mlir_opt(texts: &[String]) -> Option<Vec<Verdict>> {
    mlir_opt_with(&[], texts)
}

fn mlir_opt_with(flags: &[&str], texts: &[String]) -> Option<Vec<Verdict>> {
    let mut child = Command::new("mlir-opt-22")
        .args([
            "--mlir-print-op-generic",
            "--allow-unregistered-dialect",
            "--split-input-file",
        ])
        .args(flags)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let mut stdin = child.stdin.take().expect("piped");
    let input = texts.join(MARKER);
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("no panic").expect("written");
    let errors = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<u32> = errors
        .lines()
        .filter(|line| line.contains(": error: "))
        .filter_map(|line| {
            line.strip_prefix("<stdin>:")?
                .split(':')
                .next()?
                .parse()
                .ok()
        })
        .collect();
    let results = String::from_utf8(output.stdout).expect("mlir-opt writes UTF-8");
    let results: Vec<&str> = results.split(MARKER).collect();
    assert_eq!(
        results.len(),
        texts.len(),
        "mlir-opt stopped early:\n{errors}"
    );
    // The first line of a text but the first is what follows the marker on its line: nothing.
    let mut first = 1;
    let mut verdicts = Vec::new();
    for (text, result) in texts.iter().zip(results) {
        let count = text.matches('\n').count() as u32;
        let own = lines
            .iter()
            .filter(|&&line| (first..=first + count).contains(&line));
        let own: BTreeSet<u32> = own.map(|line| line - first + 1).collect();
        verdicts.push(if own.is_empty() {
            Ok(result.to_owned())
        } else {
            Err(own)
        });
        first += count + 1;
    }
    Some(verdicts)
}

fn check(cases: Vec<String>) {
    assert!(cases.len() > 100);
    let ours: Vec<Verdict> = cases.iter().map(|case| segra(case)).collect();
    for (case, verdict) in cases.iter().zip(&ours) {
        if let Ok(text) = verdict {
            assert_eq!(segra(text).as_ref(), Ok(text), "{case}");
        }
    }
    let Some(theirs) = mlir_opt(&cases) else {
        return;
    };
    let mut wrong = Vec::new();
    let mut rewritten = Vec::new();
    for ((case, ours), theirs) in cases.iter().zip(ours).zip(theirs) {
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) if ours.trim_end() == theirs.trim_end() => {}
            // Another text may mean the same.
            (Ok(ours), Ok(theirs)) => rewritten.push((case, ours, theirs)),
            (Err(ours), Err(theirs)) if ours.first() == theirs.first() => {}
            (ours, theirs) => {
                wrong.push(format!("{case}  mlir-opt: {theirs:?}\n  segra: {ours:?}"))
            }
        }
    }
    let texts: Vec<String> = rewritten.iter().map(|row| row.1.clone()).collect();
    let again = if texts.is_empty() {
        Vec::new()
    } else {
        mlir_opt(&texts).expect("installed")
    };
    for ((case, ours, theirs), again) in rewritten.into_iter().zip(again) {
        if again.as_deref().map(str::trim_end) != Ok(theirs.trim_end()) {
            wrong.push(format!(
                "{case}  mlir-opt: {theirs:?}\n  segra: {ours:?}, then {again:?}"
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} cases differ:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
}

#[test]
fn attributes_are_read_as_mlir_opt_reads_them() {
    let cases = include_str!("data/parity/attributes.txt").lines();
    check(
        cases
            .map(|line| format!("\"f\"() {{a = {line}}} : () -> ()\n"))
            .collect(),
    );
}

#[test]
fn types_are_read_as_mlir_opt_reads_them() {
    let cases = include_str!("data/parity/types.txt").lines();
    check(
        cases
            .map(|line| format!("\"f\"() {{a = {line}}} : () -> ()\n"))
            .collect(),
    );
}

#[test]
fn programs_are_read_as_mlir_opt_reads_them() {
    let cases = include_str!("data/parity/programs.txt").lines();
    check(cases.map(|line| line.replace("\\n", "\n") + "\n").collect());
}

#[test]
fn every_construct_is_printed_byte_for_byte_as_mlir_opt_prints_it() {
    let rows: Vec<(&str, String)> = include_str!("data/parity/constructs.txt")
        .lines()
        .map(|line| {
            let (name, program) = line.split_once(" | ").expect("a name and a program");
            (name, program.replace('⏎', "\n") + "\n")
        })
        .collect();
    assert!(rows.len() > 60);
    let programs: Vec<String> = rows.iter().map(|row| row.1.clone()).collect();
    let Some(theirs) = mlir_opt(&programs) else {
        return;
    };
    let located = mlir_opt_with(&["--mlir-print-debuginfo"], &programs).expect("installed");
    let with_locations = PrintOptions {
        locations: Locations::Aliased,
        ..PrintOptions::mlir_generic()
    };
    let mut wrong = Vec::new();
    for (((name, program), theirs), located) in rows.iter().zip(theirs).zip(located) {
        let (Ok(plain), Ok(located)) = (theirs, located) else {
            wrong.push(format!("{name}: mlir-opt refuses {program}"));
            continue;
        };
        let cases = [
            (program, plain.clone(), segra(program)),
            (&plain, plain.clone(), segra(&plain)),
            (
                &located,
                located.clone(),
                segra_prints(&located, &with_locations),
            ),
        ];
        for (text, theirs, ours) in cases {
            if ours.as_deref().map(str::trim) != Ok(theirs.trim()) {
                wrong.push(format!(
                    "{name}: {text}\n-- mlir-opt:\n{theirs}\n-- segra:\n{ours:?}"
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
}
