//! Upstream's `mlir-opt` as an independent oracle: what Segra prints generically must be accepted by it and come back
//! the same.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::{env, io, thread};

/// Dialects whose generic form Segra shares with upstream, op by op.
pub const DIALECTS: &[&str] = &[
    "arith", "builtin", "cf", "func", "math", "memref", "scf", "vector",
];

/// Attributes that upstream writes out where they have their default and Segra leaves away.
const DEFAULTS: &[&str] = &[
    "fastmath = #arith.fastmath<none>",
    "overflowFlags = #arith.overflow<none>",
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
    /// The program after upstream's passes (`--canonicalize`), printed generically.
    ///
    /// # Errors
    /// Its message about a program it does not accept, or a pass that fails.
    pub fn transformed(&self, text: &str, flags: &[&str]) -> Result<String, String> {
        self.run(text, flags)
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

    fn run(&self, text: &str, flags: &[&str]) -> io::Result<Result<String, String>> {
        let mut child = Command::new(&self.path)
            .args([
                "--mlir-print-op-generic",
                "--allow-unregistered-dialect",
                "-",
            ])
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
    fn only_defaults_are_left_away() {
        let text = "a <{fastmath = #arith.fastmath<none>}> : b\nc <{fastmath = #arith.fastmath<none>, p = 1}>\n\
            d <{overflowFlags = #arith.overflow<nsw>}>\n\n";
        assert_eq!(
            without_defaults(text),
            "a : b\nc <{p = 1}>\nd <{overflowFlags = #arith.overflow<nsw>}>\n"
        );
    }
}
