//! Transcripts in documentation: commands behind `$` with what they print, in blocks of the kind `console`.
//!
//! ````text
//! ```console
//! $ segra explain examples/softmax.mlir \
//!     --rewrites
//! ...
//! Decisions:
//!   examples/softmax.mlir:6:12: array.reduce becomes ...
//! ```
//! ````
//! In what is printed, `...` stands for any text, and alone on a line for any number of lines. A command under which
//! nothing is shown prints what it likes. Deliberately absent: running the commands (see `tools/segra/tests/transcripts.rs`).

use crate::case::difference;
use similar::TextDiff;

/// One command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// As it is typed; it may have several lines.
    pub command: String,
    /// The text shown below it.
    pub shown: Vec<String>,
}

/// A block of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    /// The line of its first command, from 1.
    pub line: usize,
    /// Its text, between the fences.
    pub text: String,
    /// Its commands, in order.
    pub steps: Vec<Step>,
}

const ANY: &str = "...";

/// The transcripts of a page.
pub fn transcripts(page: &str) -> Vec<Transcript> {
    let mut found = Vec::new();
    let mut lines = page.split_inclusive('\n').zip(1..);
    while let Some((line, number)) = lines.next() {
        if line.trim_end() == "```console" {
            let text: String = lines
                .by_ref()
                .map(|(line, _)| line)
                .take_while(|line| line.trim_end() != "```")
                .collect();
            found.push(Transcript {
                line: number + 1,
                steps: steps(&text),
                text,
            });
        }
    }
    found
}

fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => steps.push(Step {
                command: command.to_owned(),
                shown: Vec::new(),
            }),
            (None, Some(last)) if last.shown.is_empty() && last.command.ends_with('\\') => {
                last.command += "\n";
                last.command += line;
            }
            (None, Some(last)) => last.shown.push(line.to_owned()),
            (None, None) => {}
        }
    }
    steps
}

impl Step {
    /// Compares what the command printed with what is shown.
    ///
    /// # Errors
    /// The difference.
    pub fn compare(&self, printed: &str) -> Result<(), String> {
        let printed: Vec<&str> = printed.lines().collect();
        let shown: Vec<&str> = self.shown.iter().map(String::as_str).collect();
        if shown.is_empty() || lines_match(&shown, &printed) {
            return Ok(());
        }
        let text = |lines: Vec<&str>| {
            lines
                .iter()
                .map(|line| format!("{line}\n"))
                .collect::<String>()
        };
        let updated = self.updated(&printed);
        let updated = updated.shown.iter().map(String::as_str).collect();
        Err(format!(
            "$ {}\n{}",
            self.command,
            difference(&text(shown), &text(updated))
        ))
    }

    /// The step with what was printed in place of what is shown, where that differs: `...` stays, with the lines around
    /// it that are most alike.
    pub fn updated(&self, printed: &[&str]) -> Step {
        let groups: Vec<&[String]> = self.shown.split(|line| line == ANY).collect();
        let mut shown = Vec::new();
        let mut next = 0;
        for (index, group) in groups.iter().enumerate() {
            if index > 0 {
                shown.push(ANY.to_owned());
            }
            let last = printed.len().saturating_sub(group.len()).max(next);
            let start = match index {
                0 => 0,
                _ if index + 1 == groups.len() => last,
                _ => most_alike(group, printed, next..=last),
            };
            let whole = groups.len() == 1;
            let end = if whole {
                printed.len()
            } else {
                (start + group.len()).min(printed.len())
            };
            for (at, line) in printed[start.min(end)..end].iter().enumerate() {
                let kept = group.get(at).filter(|shown| line_matches(shown, line));
                shown.push(kept.map_or_else(|| (*line).to_owned(), Clone::clone));
            }
            next = end;
        }
        Step {
            command: self.command.clone(),
            shown,
        }
    }

    /// The text of a block that shows it.
    pub fn text(&self) -> String {
        let shown: String = self.shown.iter().map(|line| format!("{line}\n")).collect();
        format!("$ {}\n{shown}", self.command)
    }
}

/// Where a group of lines is most like those that were printed.
fn most_alike(
    group: &[String],
    printed: &[&str],
    starts: std::ops::RangeInclusive<usize>,
) -> usize {
    let first = *starts.start();
    let alike = |start: usize| -> f32 {
        let pairs = group.iter().zip(&printed[start..]);
        pairs
            .map(|(shown, line)| TextDiff::from_chars(shown.as_str(), line).ratio())
            .sum()
    };
    let mut best = (first, 0.0);
    for start in starts {
        let likeness = alike(start);
        if likeness > best.1 {
            best = (start, likeness);
        }
    }
    best.0
}

fn lines_match(shown: &[&str], printed: &[&str]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((&ANY, rest)) => {
            (0..=printed.len()).any(|skipped| lines_match(rest, &printed[skipped..]))
        }
        Some((first, rest)) => printed
            .split_first()
            .is_some_and(|(line, others)| line_matches(first, line) && lines_match(rest, others)),
    }
}

fn line_matches(shown: &str, printed: &str) -> bool {
    let mut parts = shown.split(ANY);
    let Some(mut rest) = printed.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, between)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in between {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "Text.\n\n```console\n$ first \\\n  --more\none\n...\nlast 12 ... of 20\n$ second\n```\n\n```sh\n$ third\n```\n";

    #[test]
    fn commands_and_what_they_print_are_taken_apart_and_put_together() {
        let found = transcripts(PAGE);
        let [block] = &found[..] else {
            panic!("{found:?}")
        };
        assert_eq!((block.line, block.steps.len()), (4, 2));
        assert_eq!(block.steps[0].command, "first \\\n  --more");
        assert_eq!(block.steps[0].shown, ["one", "...", "last 12 ... of 20"]);
        assert_eq!(
            block.steps.iter().map(Step::text).collect::<String>(),
            block.text
        );
    }

    #[test]
    fn dots_stand_for_any_text() {
        let block = transcripts(PAGE).remove(0);
        let agrees = |text: &str| block.steps[0].compare(text).is_ok();
        assert!(
            agrees("one\nlast 12 points of 20\n") && agrees("one\ntwo\nthree\nlast 12  of 20\n")
        );
        assert!(
            !agrees("one\ntwo\n")
                && !agrees("zero\nlast 12 x of 20\n")
                && !agrees("one\nlast 12 x of 200\n")
        );
        assert!(!agrees("one\nlast 12 x of 20\nmore\n") && !agrees(""));
        assert!(block.steps[1].compare("anything").is_ok());
    }

    #[test]
    fn an_update_keeps_the_dots() {
        let block = transcripts(PAGE).remove(0);
        let updated = |printed: &[&str]| block.steps[0].updated(printed).shown;
        assert_eq!(
            updated(&["two", "x", "y", "last 12 points of 20"]),
            ["two", "...", "last 12 ... of 20"]
        );
        assert_eq!(
            updated(&["one", "x", "first 12 points"]),
            ["one", "...", "first 12 points"]
        );
        let middle = Step {
            command: String::new(),
            shown: ["...", "Sum: 7", "..."].map(String::from).to_vec(),
        };
        assert_eq!(
            middle.updated(&["a", "Sum: 8", "b"]).shown,
            ["...", "Sum: 8", "..."]
        );
        let plain = Step {
            command: String::new(),
            shown: vec!["a".to_owned()],
        };
        assert_eq!(plain.updated(&["b", "c"]).shown, ["b", "c"]);
    }
}
