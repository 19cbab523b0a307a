//! Rules on prose: comments, documentation and messages use the field's words, and sentences begin with their subject.
//!
//! The word list is the table in `CONTRIBUTING.md`. A sentence must not open with a free relative clause ("What the pass
//! reads is …"); a question may. Names in code are not looked at.

use crate::{assert_tidy, root};
use std::path::Path;
use std::process::Command;

/// Words that open a free relative clause.
const RELATIVE: [&str; 4] = ["What", "Whatever", "Whichever", "Whoever"];
/// Lines of `CONTRIBUTING.md` around the word list.
const LIST: [&str; 2] = ["<!-- words -->", "<!-- words end -->"];
/// Files whose text is not ours, and those that name the words.
const LEFT_OUT: [&str; 6] = [
    ".ci/",
    "CONTRIBUTING.md",
    "tests/tidy/prose.rs",
    "crates/text/tests/data/",
    "crates/text/tests/mlir/",
    "fuzz/seeds/",
];

/// A row of the word list: a word not to be used, and the words for it.
type Word = (String, String);

/// The word list of `CONTRIBUTING.md`: each quoted word of the first column, with the second.
fn word_list(text: &str) -> Vec<Word> {
    let [first, last] = LIST;
    let rows = text
        .lines()
        .skip_while(|line| *line != first)
        .take_while(|line| *line != last)
        .filter_map(|line| line.strip_prefix("| `"));
    rows.flat_map(|row| {
        let (not, but) = row.split_once("| ").unwrap_or((row, ""));
        let but = but.trim_end_matches('|').trim().to_owned();
        let words = not
            .split('`')
            .filter(|part| part.contains(char::is_alphabetic));
        let words: Vec<Word> = words.map(|word| (word.to_owned(), but.clone())).collect();
        words
    })
    .collect()
}

/// How a kind of file marks prose.
#[derive(Clone, Copy)]
enum Kind {
    /// All of it is prose.
    Text,
    /// Comments behind `//`, strings in double quotes; raw strings of Rust too.
    Slashes,
    /// Comments behind `#`, strings in double quotes.
    Hashes,
}

impl Kind {
    fn of(path: &str) -> Option<Kind> {
        match Path::new(path).extension().and_then(|end| end.to_str()) {
            Some("md") => Some(Kind::Text),
            Some("rs" | "mlir") => Some(Kind::Slashes),
            Some("py" | "sh" | "toml") => Some(Kind::Hashes),
            None if path.starts_with("tools/") || path.starts_with("fuzz/") => Some(Kind::Hashes),
            _ => None,
        }
    }
}

/// The prose of each line of a file: code is left out, in its place there is a space.
fn prose(text: &str, kind: Kind) -> Vec<String> {
    let comment = match kind {
        Kind::Text => return text.lines().map(str::to_owned).collect(),
        Kind::Slashes => "//",
        Kind::Hashes => "#",
    };
    let mut in_string = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut kept = String::new();
        let mut rest = line;
        while let Some(next) = rest.chars().next() {
            let quotes_in_char = rest.starts_with("'\"'") || rest.starts_with("'\\\"'");
            if !in_string && rest.starts_with(comment) {
                kept.push_str(rest);
                break;
            }
            if !in_string && quotes_in_char {
                rest = &rest[rest[1..].find('\'').map_or(1, |end| end + 2)..];
                continue;
            }
            if in_string && next == '\\' {
                kept.push(' ');
                rest = rest.get(2..).unwrap_or_default();
                continue;
            }
            if next == '"' {
                in_string = !in_string;
                kept.push(' ');
            } else if in_string {
                kept.push(next);
            }
            rest = &rest[next.len_utf8()..];
        }
        lines.push(kept);
    }
    lines
}

/// Where a word stands in a line, by itself.
fn find_word(line: &str, word: &str) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word)
        .map(|(at, _)| at)
        .find(|&at| !line[..at].ends_with(is_part) && !line[at + word.len()..].starts_with(is_part))
}

/// Whether the sentence that goes on in `lines` is a question.
fn is_question(lines: &[&str]) -> bool {
    let text = lines.join(" ");
    text.find(['.', '?', '!'])
        .is_some_and(|end| text[end..].starts_with('?'))
}

/// Complaints about a file.
fn complaints(path: &str, text: &str, kind: Kind, words: &[Word]) -> Vec<String> {
    let lines = prose(text, kind);
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let place = format!("{path}:{}", at + 1);
        let lower = line.to_lowercase();
        for (word, but) in words {
            if find_word(&lower, word).is_some() {
                found.push(format!("{place}: `{word}`; say: {but}"));
            }
        }
        for word in RELATIVE {
            let Some(start) = find_word(line, word) else {
                continue;
            };
            let next = lines.get(at + 1).map_or("", String::as_str);
            if !is_question(&[&line[start..], next]) {
                found.push(format!(
                    "{place}: a sentence begins with `{word}`, not with its subject"
                ));
            }
        }
    }
    found
}

#[test]
fn prose_uses_the_words_of_the_field() {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .expect("git runs");
    let contributing =
        std::fs::read_to_string(root().join("CONTRIBUTING.md")).expect("it is there");
    let words = word_list(&contributing);
    assert!(words.len() >= 10, "the word list has {} rows", words.len());
    let mut found = Vec::new();
    for path in String::from_utf8_lossy(&listed.stdout).lines() {
        let left_out = LEFT_OUT.iter().any(|start| path.starts_with(start));
        let Some(kind) = Kind::of(path).filter(|_| !left_out) else {
            continue;
        };
        // A file that git knows may be gone from the working tree.
        let Ok(text) = std::fs::read_to_string(root().join(path)) else {
            continue;
        };
        found.extend(complaints(path, &text, kind, &words));
    }
    assert_tidy(&found);
}

fn planted(text: &str, kind: Kind) -> Vec<String> {
    let words = word_list(
        "<!-- words -->\n| `isle`, `isles` | detached copy |\n<!-- words end -->\n| `b` | c |\n",
    );
    assert_eq!(words.len(), 2);
    complaints("f", text, kind, &words)
}

#[test]
fn listed_words_are_found_in_prose_and_not_in_names() {
    let wanted = ["f:2: `isle`; say: detached copy"];
    for comment in [
        "// The isle.",
        "/// Isle",
        "//! an isle, far",
        "let a = \"one isle\";",
    ] {
        assert_eq!(
            planted(&format!("let b;\n{comment}"), Kind::Slashes),
            wanted,
            "{comment}"
        );
    }
    assert_eq!(
        planted("let isle = isles(); // isle_of", Kind::Slashes),
        [""; 0]
    );
    assert_eq!(planted("a = 1\nb = 2 # an isle", Kind::Hashes), wanted);
    assert_eq!(planted("a\nisle", Kind::Text), wanted);
    assert_eq!(
        planted("a\n`isles`", Kind::Text),
        ["f:2: `isles`; say: detached copy"]
    );
    // A string may go on for several lines, and a quote in a character is none.
    assert_eq!(planted("let a = \"\nisle\";", Kind::Slashes), wanted);
    assert_eq!(
        planted("let a = '\"'; let\nisle = 1;", Kind::Slashes),
        [""; 0]
    );
}

#[test]
fn sentences_that_begin_with_a_relative_clause_are_found() {
    for word in RELATIVE {
        let wanted = [format!(
            "f:1: a sentence begins with `{word}`, not with its subject"
        )];
        for line in [
            format!("// {word} it reads."),
            format!("/// A pass. {word} it reads"),
        ] {
            assert_eq!(planted(&line, Kind::Slashes), wanted, "{line}");
        }
        let message = format!("error(\"{word} it is\");");
        assert_eq!(planted(&message, Kind::Slashes), wanted);
    }
    assert_eq!(
        planted("// The inputs, and what it reads.", Kind::Slashes),
        [""; 0]
    );
    assert_eq!(planted("## What is it?", Kind::Text), [""; 0]);
    assert_eq!(
        planted("// What is it that\n// it reads? It.", Kind::Slashes),
        [""; 0]
    );
}
