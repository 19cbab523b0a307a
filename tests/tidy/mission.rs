//! The lists of what papers ask for: every row names tests that exist, or says what is missing.

use crate::{assert_tidy, root};
use std::path::Path;

/// Rows of the lecture's list.
const ROWS: usize = 42;

/// Rows of the list on tiling, of which those are there that have a test.
const TILING_ROWS: usize = 48;

/// Rows of the list on columns.
const COLUMN_ROWS: usize = 36;
/// Rows of the list on index spaces, of which those are there that have a test.
const SPACE_ROWS: usize = 35;
/// Rows of the list on BLAS sequences, of which those are there that have a test.
const BLAS_ROWS: usize = 41;

/// Whether a list has all of its rows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Coverage {
    Whole,
    Part,
}

/// Faults of a list of at most `count` rows; `text_of` gives a file of the repository.
fn complaints(
    list: &str,
    (count, coverage): (usize, Coverage),
    text_of: &dyn Fn(&str) -> Option<String>,
) -> Vec<String> {
    let rows: Vec<Vec<&str>> = list
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| row"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let mut complaints = Vec::new();
    for number in 1..=count {
        let found = rows
            .iter()
            .filter(|row| row[0] == format!("{number:02}"))
            .count();
        if found > 1 || (found == 0 && coverage == Coverage::Whole) {
            complaints.push(format!("row {number:02} is there {found} times"));
        }
    }
    for row in &rows {
        let [number, _, tests] = row[..] else {
            complaints.push(format!("a row must have three columns: {row:?}"));
            continue;
        };
        if tests
            .strip_prefix("open:")
            .is_some_and(|reason| !reason.trim().is_empty())
        {
            continue;
        }
        for test in tests.split(',').map(str::trim) {
            let (file, function) = test.split_once("::").unwrap_or((test, ""));
            match text_of(file) {
                None => complaints.push(format!("row {number}: there is no {file}")),
                Some(text) if !function.is_empty() && !is_test(&text, function) => {
                    complaints.push(format!("row {number}: {file} has no test {function}"));
                }
                Some(_) => {}
            }
        }
    }
    complaints
}

/// Whether a Rust file has a test function of that name, or one that a trial calls.
fn is_test(text: &str, function: &str) -> bool {
    let call = format!(" {function}(");
    let lines: Vec<&str> = text.lines().collect();
    // In the line of the trial, or in the one below.
    let called = |pair: &[&str]| {
        pair[0].contains("Trial::test(") && pair.iter().any(|line| line.contains(&call))
    };
    if lines.windows(2).any(called) || lines.last().is_some_and(|last| called(&[last])) {
        return true;
    }
    let head = format!("fn {function}()");
    let lines: Vec<&str> = lines.into_iter().map(str::trim).collect();
    let Some(at) = lines.iter().position(|line| line.starts_with(&head)) else {
        return false;
    };
    lines[..at]
        .iter()
        .rev()
        .take_while(|line| line.starts_with("#["))
        .any(|line| line.starts_with("#[test"))
}

#[test]
fn every_row_of_the_lists_has_a_test_or_says_what_is_missing() {
    let read = |file: &Path| std::fs::read_to_string(file).ok();
    let list = read(&root().join("tests/mission-001.md")).expect("the list is there");
    assert_tidy(&complaints(&list, (ROWS, Coverage::Whole), &|file| {
        read(&root().join(file))
    }));
    let list = read(&root().join("tests/mission-002.md")).expect("the list is there");
    assert_tidy(&complaints(
        &list,
        (COLUMN_ROWS, Coverage::Whole),
        &|file| read(&root().join(file)),
    ));
    for (name, rows) in [
        ("000", TILING_ROWS),
        ("003", BLAS_ROWS),
        ("004", SPACE_ROWS),
    ] {
        let path = format!("tests/mission-{name}.md");
        let list = read(&root().join(path)).expect("the list is there");
        assert_tidy(&complaints(&list, (rows, Coverage::Part), &|file| {
            read(&root().join(file))
        }));
    }
}

#[test]
fn rows_without_tests_are_found() {
    let rows: String = (2..=ROWS)
        .map(|row| format!("| {row:02} | what | open: why |\n"))
        .collect();
    let text = "#[test]\nfn right() {}\nfn helper() {}\nTrial::test(\"tried\", || tried().map_err(Into::into))\n";
    let file = |name: &str| (name == "a.rs").then(|| text.to_owned());
    let whole = (ROWS, Coverage::Whole);
    let complaints = |first: &str| complaints(&format!("{first}\n{rows}"), whole, &file);
    assert_eq!(
        complaints("| 01 | what | a.rs::right, a.rs::tried, a.rs |"),
        Vec::<String>::new()
    );
    assert_eq!(complaints("| 01 | what | a.rs::wrong |").len(), 1);
    assert_eq!(complaints("| 01 | what | a.rs::helper |").len(), 1);
    assert_eq!(complaints("| 01 | what | b.mlir |").len(), 1);
    assert_eq!(complaints("| 01 | what | open: |").len(), 1);
    assert_eq!(complaints("| 42 | what | open: why |").len(), 2);
}
