//! Test files: what to do in the first line, then a program, then what is expected.
//!
//! ```text
//! // pass: builtin.module(canonicalize)
//! // The subject of the test, in any number of comment lines.
//! ...program...
//! // ===== expected
//! ...text...
//! ```
//!
//! `BLESS=1 tools/test` writes what came out into the files in place of what was expected; `git diff` shows it.
//! Deliberately absent: what the kinds of tests mean (the test binaries decide).

use similar::{ChangeTag, TextDiff};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The line between the program and what is expected.
pub const MARKER: &str = "// ===== expected\n";

/// Why a test failed, for people.
pub type Failure = String;

/// A test file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Where it lies.
    pub path: PathBuf,
    /// First word of the first line: what to do.
    pub kind: String,
    /// The text behind the colon in the first line.
    pub argument: String,
    /// The comment lines at the start, the first one included, each with its newline.
    pub header: String,
    /// The program.
    pub program: String,
    /// The expected output; `None`: the file has no such part.
    pub expected: Option<String>,
}

impl Case {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read or its first line is no comment.
    pub fn read(path: &Path) -> Result<Case, Failure> {
        let text =
            fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Case::parse(path, &text)
    }

    /// Takes the text of a file apart.
    ///
    /// # Errors
    /// When the first line is no comment.
    pub fn parse(path: &Path, text: &str) -> Result<Case, Failure> {
        let (source, expected) = match text.split_once(MARKER) {
            Some((source, expected)) => (source, Some(expected.to_owned())),
            None => (text, None),
        };
        let header_end = source
            .split_inclusive('\n')
            .take_while(|line| line.starts_with("//"))
            .map(str::len)
            .sum();
        let (header, program) = source.split_at(header_end);
        let first = header
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("// "));
        let first = first
            .ok_or_else(|| format!("{}: the first line must say what to do", path.display()))?;
        let (kind, argument) = first.split_once(':').unwrap_or((first, ""));
        Ok(Case {
            path: path.to_owned(),
            kind: kind.trim().to_owned(),
            argument: argument.trim().to_owned(),
            header: header.to_owned(),
            program: program.to_owned(),
            expected,
        })
    }

    /// Header and program: what diagnostics about the file count lines in.
    pub fn source(&self) -> String {
        format!("{}{}", self.header, self.program)
    }

    /// Comment lines of the header of the form `// KEY: VALUE`, values only.
    pub fn values<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> + 'a {
        let lines = self
            .header
            .lines()
            .filter_map(|line| line.strip_prefix("// ")?.split_once(':'));
        lines
            .filter(move |(name, _)| name.trim() == key)
            .map(|(_, value)| value.trim())
    }

    /// Checks what came out against the expected part, or blesses it.
    ///
    /// # Errors
    /// The difference.
    pub fn expect(&self, found: &str) -> Result<(), Failure> {
        if self.expected.as_deref() == Some(found) {
            return Ok(());
        }
        if blessing() {
            let separator = if self.source().ends_with('\n') {
                ""
            } else {
                "\n"
            };
            return self.write(&format!("{}{separator}{MARKER}{found}", self.source()));
        }
        let wanted = self.expected.as_deref().unwrap_or_default();
        Err(format!(
            "{}\n{}{ADVICE}",
            self.path.display(),
            difference(wanted, found)
        ))
    }

    /// Checks what came out against the program itself, or blesses it.
    ///
    /// # Errors
    /// The difference.
    pub fn expect_program(&self, found: &str) -> Result<(), Failure> {
        if self.program == found {
            return Ok(());
        }
        if blessing() {
            return self.write(&format!("{}{found}", self.header));
        }
        Err(format!(
            "{}\n{}{ADVICE}",
            self.path.display(),
            difference(&self.program, found)
        ))
    }

    fn write(&self, text: &str) -> Result<(), Failure> {
        fs::write(&self.path, text).map_err(|error| format!("{}: {error}", self.path.display()))
    }
}

const ADVICE: &str = "(- expected, + found; BLESS=1 tools/test accepts what was found)\n";

/// Whether what comes out is to be accepted.
pub fn blessing() -> bool {
    env::var_os("BLESS").is_some_and(|value| !value.is_empty() && value != "0")
}

/// The lines that differ, with some around them.
pub fn difference(wanted: &str, found: &str) -> String {
    let diff = TextDiff::from_lines(wanted, found);
    let mut out = String::new();
    for (index, group) in diff.grouped_ops(3).iter().enumerate() {
        if index > 0 {
            out += "  ...\n";
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let sign = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            let line = change.value();
            out += &format!(
                "{sign} {line}{}",
                if line.ends_with('\n') { "" } else { "\n" }
            );
        }
    }
    out
}

/// All files below `folder` with this extension, in order.
///
/// # Errors
/// When a folder cannot be read.
pub fn files(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path, extension)?);
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The folder of all tests.
pub fn folder() -> PathBuf {
    // As cargo says it when it runs tests, so that they run where the repository lies elsewhere than where they were built.
    let folder = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    folder
        .filter(|folder| folder.ends_with("tests"))
        .unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into())
}

/// The Python that has numpy: that of `tools/setup`, or `SEGRA_PYTHON`.
pub fn python() -> PathBuf {
    let own = || folder().join("../.tools/bin/python");
    env::var_os("SEGRA_PYTHON").map_or_else(own, PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_taken_apart_and_put_together() {
        let text = "// pass: builtin.module(cse)\n// input: 3\n// About.\nprogram\n// inside\n// ===== expected\nout\n";
        let case = Case::parse(Path::new("a.mlir"), text).unwrap();
        assert_eq!(
            (case.kind.as_str(), case.argument.as_str()),
            ("pass", "builtin.module(cse)")
        );
        assert_eq!(case.program, "program\n// inside\n");
        assert_eq!(case.expected.as_deref(), Some("out\n"));
        assert_eq!(case.values("input").collect::<Vec<_>>(), ["3"]);
        assert_eq!(format!("{}{MARKER}out\n", case.source()), text);
        assert!(Case::parse(Path::new("a.mlir"), "program\n").is_err());
    }

    #[test]
    fn a_difference_is_shown_line_by_line() {
        let case =
            Case::parse(Path::new("a.mlir"), "// x\np\n// ===== expected\na\nb\nc\n").unwrap();
        assert!(case.expect("a\nb\nc\n").is_ok());
        if !blessing() {
            let failure = case.expect("a\nd\nc\n").unwrap_err();
            assert!(failure.contains("  a\n- b\n+ d\n  c\n"), "{failure}");
            assert!(
                case.expect_program("q\n")
                    .unwrap_err()
                    .contains("- p\n+ q\n")
            );
        }
    }
}
