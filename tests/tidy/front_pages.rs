//! The front page of every library (`//!` of its `src/lib.rs`) has an example that `cargo test` compiles and runs.

use crate::{assert_tidy, root};
use cargo_metadata::MetadataCommand;
use std::fs;

/// Words behind the opening fence of a code block that rustdoc compiles and runs.
const RUN: [&str; 3] = ["", "rust", "should_panic"];

/// Whether the `//!` lines of a file hold a code block that is compiled and run.
fn has_example(text: &str) -> bool {
    let mut inside = false;
    for line in text.lines().filter_map(|line| line.strip_prefix("//!")) {
        if let Some(words) = line.trim_start().strip_prefix("```") {
            if !inside && RUN.contains(&words.trim()) {
                return true;
            }
            inside = !inside;
        }
    }
    false
}

/// A complaint about a library, where its front page has no example or its examples are not run.
fn complaint(folder: &str, text: &str, are_run: bool) -> Option<String> {
    if !are_run {
        return Some(format!("{folder}: doctest = false, examples are not run"));
    }
    (!has_example(text)).then(|| format!("{folder}: no example on the front page is run"))
}

#[test]
fn every_front_page_has_an_example_that_is_run() {
    let root = root();
    let metadata = MetadataCommand::new()
        .manifest_path(root.join("Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo metadata runs");
    let mut complaints = Vec::new();
    let mut libraries = 0;
    for package in &metadata.packages {
        // The library of the tests is published nowhere.
        let is_library =
            |target: &&cargo_metadata::Target| target.is_lib() || target.is_proc_macro();
        if package.publish.as_ref().is_some_and(Vec::is_empty) {
            continue;
        }
        for target in package.targets.iter().filter(is_library) {
            let text = fs::read_to_string(&target.src_path).expect("a library has a root file");
            complaints.extend(complaint(&package.name, &text, target.doctest));
            libraries += 1;
        }
    }
    assert!(libraries > 20, "only {libraries} libraries were found");
    assert_tidy(&complaints);
}

#[test]
fn a_front_page_without_an_example_is_found() {
    let run = "//! A.\n//!\n//! ```\n//! assert!(true);\n//! ```\n";
    assert_eq!(complaint("a", run, true), None);
    let wanted = Some("a: no example on the front page is run".to_owned());
    for other in ["text", "mlir", "ignore", "no_run", "compile_fail"] {
        let text = run.replacen("```", &format!("```{other}"), 1);
        assert_eq!(complaint("a", &text, true), wanted, "{other}");
    }
    // A block in the documentation of an item is not on the front page.
    assert_eq!(complaint("a", &run.replace("//!", "///"), true), wanted);
    assert!(complaint("a", run, false).is_some());
}
