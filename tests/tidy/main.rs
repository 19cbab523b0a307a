//! The tidy test: house rules that no compiler checks, each in one place and each shown to be able to fail.
//!
//! * `examples`: examples in the documentation of the array dialect.
//! * `front_pages`: an example on the front page of every library.
//! * `ladder`: the plot of the ladder of products is that of its table, with what the thesis measured.
//! * `layers`: which crate may depend on which, on `cargo metadata`; dependencies and their reasons.
//! * `levels`: passes lie in the folder of the level they work on.
//! * `sources`: headers, sizes, lint exceptions, panics and printing in libraries.
//! * `registered`: what is registered is listed in order, documented and tested.
//! * `mission`: the lecture's rows each have a test, or say what is missing.
//! * `prose`: words of the field, sentences that begin with their subject.
//! * `tiling`: the programs in the documentation of tiling are what schedules make.
//! * `rust`: what those rules need to know about a Rust file.
//!
//! Every rule is a function from data to a list of complaints, so that its test can hand it something bad.

mod examples;
mod front_pages;
mod ladder;
mod layers;
mod levels;
mod mission;
mod prose;
mod registered;
mod rust;
mod sources;
mod tiling;

use std::path::{Path, PathBuf};

/// The repository's root folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .expect("the tests lie in the repository")
}

/// Fails with all complaints at once, one a line.
fn assert_tidy(complaints: &[String]) {
    assert!(
        complaints.is_empty(),
        "{} complaint(s):\n{}",
        complaints.len(),
        complaints.join("\n")
    );
}
