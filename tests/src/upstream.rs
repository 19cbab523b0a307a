//! Upstream's `mlir-opt` as an independent oracle: what Segra prints generically must be accepted by it and come back
//! the same.

use segra_text::printer::Form;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::{env, io, thread};

/// Dialects whose generic form Segra shares with upstream, op by op.
pub const DIALECTS: &[&str] = &[
    "arith", "builtin", "cf", "func", "math", "memref", "scf", "tensor", "ub", "vector",
];

/// Attributes that upstream writes out where they have their default and Segra leaves away.
const DEFAULTS: &[&str] = &[
    "fastmath = #arith.fastmath<none>",
    "overflowFlags = #arith.overflow<none>",
    "punctuation = #vector.punctuation<newline>",
];

/// A generic program without attributes that say what holds anyway, and without blank lines at the end.
pub fn without_defaults(text: &str) -> String {
    let mut text = text.to_owned();
    for default in DEFAULTS {
        text = text.replace(&format!(" <{{{default}}}>"), "");
        text = text
            .replace(&format!("{default}, "), "")
            .replace(&format!(", {default}"), "");
    }
    format!("{}\n", text.trim_end())
}

/// A program in custom forms without the names of values and without what each of the two tools may leave out before
/// names: `func.` and `builtin.`.
pub fn without_names(text: &str) -> String {
    let word = |c: char| c.is_ascii_alphanumeric() || "_$.-#".contains(c);
    let mut out = String::new();
    for line in text.lines() {
        // `%a, %b:2 = `: how results are grouped is a matter of their names.
        let results = line
            .split_once(" = ")
            .filter(|row| row.0.trim_start().starts_with('%') && !row.0.contains('('));
        let line = results.map_or(line, |row| row.1);
        let mut parts = line.trim_start().split('%');
        out.extend(parts.next());
        for part in parts {
            out.push('%');
            out.push_str(part.trim_start_matches(word));
        }
        out.push('\n');
    }
    for op in [
        "func.call",
        "func.constant",
        "func.return",
        "builtin.module",
    ] {
        let short = op.split_once('.').map_or(op, |parts| parts.1);
        out = out.replace(op, short);
    }
    // Upstream writes two spaces before the type of a loop's bounds.
    let out = out.replace("  : ", " : ");
    format!("{}\n", out.trim_end())
}

/// A program of upstream's on `PATH`.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
}

/// The `mlir-opt` of this machine.
#[derive(Clone, Debug)]
pub struct MlirOpt {
    path: PathBuf,
}

impl MlirOpt {
    /// Finds it: `SEGRA_MLIR_OPT`, then `mlir-opt-22` on `PATH`, where `tools/setup` puts it.
    pub fn find() -> Option<MlirOpt> {
        let given = env::var_os("SEGRA_MLIR_OPT").map(PathBuf::from);
        let path = given
            .filter(|path| path.is_file())
            .or_else(|| on_path("mlir-opt-22"))?;
        Some(MlirOpt { path })
    }

    /// The program as `mlir-opt` prints it generically.
    ///
    /// # Errors
    /// Its message about a program it does not accept.
    pub fn generic(&self, text: &str) -> Result<String, String> {
        self.transformed(text, &[])
    }
    /// The program as `mlir-opt` prints it: each op in its own form.
    ///
    /// # Errors
    /// Its message about a program it does not accept.
    pub fn custom(&self, text: &str) -> Result<String, String> {
        self.run(text, Form::Custom, &[])
            .map_err(|error| format!("{}: {error}", self.path.display()))?
    }
    /// The program after upstream's passes (`--canonicalize`), printed generically.
    ///
    /// # Errors
    /// Its message about a program it does not accept, or a pass that fails.
    pub fn transformed(&self, text: &str, flags: &[&str]) -> Result<String, String> {
        self.run(text, Form::Generic, flags)
            .map_err(|error| format!("{}: {error}", self.path.display()))?
    }

    /// The lines in which it finds errors. Parts separated by `// -----` are programs of their own.
    ///
    /// # Errors
    /// When it cannot be run, or does not come to an end.
    pub fn error_lines(&self, text: &str) -> Result<BTreeSet<usize>, String> {
        let Err(messages) = self.transformed(text, &["--split-input-file"]) else {
            return Ok(BTreeSet::new());
        };
        let line = |message: &str| message.split(':').nth(1)?.parse().ok();
        let errors = messages.lines().filter(|text| text.contains(": error: "));
        let lines: BTreeSet<usize> = errors.filter_map(line).collect();
        let broke_down = messages.contains("Stack dump:");
        if lines.is_empty() || broke_down {
            Err(messages)
        } else {
            Ok(lines)
        }
    }

    fn run(&self, text: &str, form: Form, flags: &[&str]) -> io::Result<Result<String, String>> {
        let generic = (form == Form::Generic).then_some("--mlir-print-op-generic");
        let mut child = Command::new(&self.path)
            .args(["--allow-unregistered-dialect", "-"])
            .args(generic)
            .args(flags)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut stdin = child.stdin.take();
        let output = thread::scope(|scope| {
            // It may stop reading at the first error: a broken pipe is then its answer, not ours.
            scope.spawn(move || stdin.as_mut().map(|stdin| stdin.write_all(text.as_bytes())));
            child.wait_with_output()
        })?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok(if output.status.success() {
            Ok(text(&output.stdout))
        } else {
            Err(text(&output.stderr))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_compared_without_names() {
        let text = "  %a, %b:2 = func.call @f(%x#1, %c0) : (i32) -> i32\n^bb1(%y: i32):\n";
        let short = "call @f(%, %) : (i32) -> i32\n^bb1(%: i32):\n";
        assert_eq!(without_names(text), short);
    }

    #[test]
    fn only_defaults_are_left_away() {
        let text = "a <{fastmath = #arith.fastmath<none>}> : b\nc <{fastmath = #arith.fastmath<none>, p = 1}>\n\
            d <{overflowFlags = #arith.overflow<nsw>}>\n\n";
        assert_eq!(
            without_defaults(text),
            "a : b\nc <{p = 1}>\nd <{overflowFlags = #arith.overflow<nsw>}>\n"
        );
    }
}
