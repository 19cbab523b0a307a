//! Rules on source files: headers, sizes, reasons for lint exceptions, no panics and no printing in libraries.

use crate::rust::Facts;
use crate::{assert_tidy, root};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Lines a file may have.
const FILE_LINES: usize = 800;
/// Lines a function may have.
const FUNCTION_LINES: usize = 100;

/// A Rust file of the repository: path from the root, text.
type Source = (PathBuf, String);

/// All Rust files git knows or would add, in order.
fn sources() -> Vec<Source> {
    let listed = Command::new("git")
        .args([
            "ls-files",
            "--cached",
            "--others",
            "--exclude-standard",
            "*.rs",
        ])
        .current_dir(root())
        .output()
        .expect("git runs");
    let paths: BTreeSet<PathBuf> = String::from_utf8_lossy(&listed.stdout)
        .lines()
        .map(PathBuf::from)
        .collect();
    // A file that git knows may be gone from the working tree.
    paths
        .into_iter()
        .filter_map(|path| {
            Some((
                path.clone(),
                std::fs::read_to_string(root().join(&path)).ok()?,
            ))
        })
        .collect()
}

/// A complaint about a place.
fn complaint(path: &Path, line: usize, what: impl std::fmt::Display) -> String {
    format!("{}:{line}: {what}", path.display())
}

fn missing_header(path: &Path, text: &str) -> Option<String> {
    let first = text
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default();
    (!first.starts_with("//! ")).then(|| complaint(path, 1, "does not begin with a `//!` header"))
}

fn too_long(path: &Path, text: &str, facts: &Facts) -> Vec<String> {
    let lines = text.lines().count();
    let mut complaints = Vec::new();
    if lines > FILE_LINES {
        complaints.push(complaint(
            path,
            1,
            format!("{lines} lines, at most {FILE_LINES}"),
        ));
    }
    for function in facts
        .functions
        .iter()
        .filter(|function| function.lines > FUNCTION_LINES)
    {
        let what = format!(
            "`{}` has {} lines, at most {FUNCTION_LINES}",
            function.name, function.lines
        );
        complaints.push(complaint(path, function.line, what));
    }
    complaints
}

fn exceptions_without_reason(path: &Path, facts: &Facts) -> Vec<String> {
    facts
        .unreasoned
        .iter()
        .map(|&line| complaint(path, line, "a lint exception without a reason"))
        .collect()
}

/// Whether a file is library code: not a program's, not a test's, not an example's.
fn is_library(path: &Path) -> bool {
    let text = path.to_string_lossy();
    let layer = ["crates/", "dialects/", "passes/"]
        .iter()
        .any(|layer| text.starts_with(layer));
    layer && text.contains("/src/") && !text.ends_with("/main.rs") && !text.contains("/src/bin/")
}

/// Panics and printing in library code. A panic that the function's documentation announces is part of its contract.
fn offences(path: &Path, facts: &Facts) -> Vec<String> {
    let mut complaints = Vec::new();
    for function in facts.functions.iter().filter(|function| !function.is_test) {
        for (line, what) in &function.offences {
            if what != "panic!" || !function.documents_panics {
                complaints.push(complaint(
                    path,
                    *line,
                    format!("{what} in library code (`{}`)", function.name),
                ));
            }
        }
    }
    complaints
}

/// Where the file of a module may lie that `path` declares.
fn module_files(path: &Path, module: &str) -> [PathBuf; 2] {
    let folder = path.parent().unwrap_or(Path::new(""));
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let folder = match stem.as_ref() {
        "lib" | "main" | "mod" => folder.to_owned(),
        _ => folder.join(stem.as_ref()),
    };
    [
        folder.join(format!("{module}.rs")),
        folder.join(module).join("mod.rs"),
    ]
}

/// Complaints of all rules about all files.
fn check_all(sources: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut read = Vec::new();
    for (path, text) in sources {
        match Facts::of(text) {
            Some(facts) => read.push((path, text, facts)),
            None => complaints.push(complaint(path, 1, "is no Rust")),
        }
    }
    let tests: BTreeSet<PathBuf> = read
        .iter()
        .flat_map(|(path, _, facts)| {
            facts
                .test_modules
                .iter()
                .flat_map(|module| module_files(path, module))
        })
        .collect();
    for (path, text, facts) in &read {
        complaints.extend(missing_header(path, text));
        complaints.extend(too_long(path, text, facts));
        complaints.extend(exceptions_without_reason(path, facts));
        if is_library(path) && !tests.contains(*path) {
            complaints.extend(offences(path, facts));
        }
    }
    complaints
}

#[test]
fn files_have_headers_stay_small_and_neither_panic_nor_print() {
    let sources = sources();
    assert!(
        sources.len() > 100,
        "only {} files were found",
        sources.len()
    );
    assert_tidy(&check_all(&sources));
}

fn checked(path: &str, text: &str) -> Vec<String> {
    check_all(&[(PathBuf::from(path), text.to_owned())])
}

#[test]
fn a_missing_header_is_found() {
    assert_eq!(checked("crates/x/src/lib.rs", "//! A library.\n"), [""; 0]);
    let wanted = ["crates/x/src/lib.rs:1: does not begin with a `//!` header"];
    assert_eq!(
        checked("crates/x/src/lib.rs", "// A comment.\nfn f() {}\n"),
        wanted
    );
    assert_eq!(checked("crates/x/src/lib.rs", ""), wanted);
}

#[test]
fn long_files_and_functions_are_found() {
    let file = |lines: usize| format!("//! Long.\n{}", "//\n".repeat(lines - 1));
    assert_eq!(checked("tools/x/src/main.rs", &file(800)), [""; 0]);
    assert_eq!(
        checked("tools/x/src/main.rs", &file(801)),
        ["tools/x/src/main.rs:1: 801 lines, at most 800"]
    );
    let function = |lines: usize| {
        format!(
            "//! F.\n/// Doc.\nfn f() {{\n{}}}\n",
            "    g();\n".repeat(lines - 2)
        )
    };
    assert_eq!(checked("tests/x.rs", &function(100)), [""; 0]);
    assert_eq!(
        checked("tests/x.rs", &function(101)),
        ["tests/x.rs:3: `f` has 101 lines, at most 100"]
    );
    let method = format!(
        "//! M.\nstruct S;\nimpl S {{ {} }}\n",
        function(120).replace("//! F.\n", "")
    );
    assert_eq!(checked("tests/x.rs", &method).len(), 1);
}

#[test]
fn lint_exceptions_without_reasons_are_found() {
    let text = "//! A.\n#![allow(dead_code, reason = \"why\")]\n#[allow(dead_code)]\nfn f() {}\n#[expect(unused)]\nfn g() {}\n";
    let wanted = [
        "tests/x.rs:3: a lint exception without a reason",
        "tests/x.rs:5: a lint exception without a reason",
    ];
    assert_eq!(checked("tests/x.rs", text), wanted);
}

#[test]
fn panics_and_printing_in_libraries_are_found() {
    let text = "//! A.\nfn f() { g().unwrap(); vec![h().unwrap()]; }\nfn g() { println!(); }\nfn h() { panic!(\"no\") }\n\
        macro_rules! m { () => { todo!() } }\n";
    let wanted = [
        "crates/x/src/a.rs:2: .unwrap() in library code (`f`)",
        "crates/x/src/a.rs:2: .unwrap() in library code (`f`)",
        "crates/x/src/a.rs:3: println! in library code (`g`)",
        "crates/x/src/a.rs:4: panic! in library code (`h`)",
        "crates/x/src/a.rs:5: todo! in library code (`m`)",
    ];
    assert_eq!(checked("crates/x/src/a.rs", text), wanted);
    assert_eq!(checked("tools/x/src/main.rs", text), [""; 0]);
    assert_eq!(checked("crates/x/tests/a.rs", text), [""; 0]);
}

#[test]
fn tests_and_documented_panics_may_panic() {
    let text = "//! A.\n/// F.\n///\n/// # Panics\n/// Where the caller is wrong.\npub fn f() { panic!() }\n\
        #[cfg(test)]\nmod tests { fn h() { x().unwrap() } }\n#[test]\nfn t() { panic!() }\n\
        fn unwrap() { s.unwrap_or(1); unwrap(); }\n";
    assert_eq!(checked("crates/x/src/a.rs", text), [""; 0]);
    let root = (
        "crates/x/src/lib.rs",
        "//! A.\n#[cfg(test)]\nmod tests;\nmod other;\n",
    );
    let bad = "//! B.\nfn f() { x().unwrap() }\n";
    let files = [
        root,
        ("crates/x/src/tests.rs", bad),
        ("crates/x/src/other.rs", bad),
    ];
    let files = files.map(|(path, text)| (PathBuf::from(path), text.to_owned()));
    assert_eq!(
        check_all(&files),
        ["crates/x/src/other.rs:2: .unwrap() in library code (`f`)"]
    );
}
