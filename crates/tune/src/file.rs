//! Tuning files: `name=value` lines, as Futhark's.
//!
//! ```text
//! # Thresholds of matmul.mlir, found by segra tune
//! main.top.0=512
//! main.intra.0=16384
//! ```
//! A `#` begins a comment; blank lines and spaces around names and values do not count.

use segra_artifact::Artifact;
use std::collections::BTreeMap;

/// Values of thresholds, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tuning {
    /// Not negative.
    pub values: BTreeMap<String, i64>,
}

/// An error in a tuning file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct TuningError {
    /// From 1.
    pub line: usize,
    /// In words.
    pub problem: String,
}

/// `NAME=VALUE`, as a line of a file or an argument of a command.
///
/// # Errors
/// In words, what is missing or is no number.
pub fn parse_setting(text: &str) -> Result<(String, i64), String> {
    let Some((name, value)) = text.split_once('=') else {
        return Err(format!("`{text}` is not of the form name=value"));
    };
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() || name.contains(char::is_whitespace) {
        return Err(format!("`{name}` is no name of a threshold"));
    }
    match value.parse::<i64>() {
        Ok(value) if value >= 0 => Ok((name.to_owned(), value)),
        Ok(value) => Err(format!("`{name}` cannot be {value}: it is never negative")),
        Err(_) => Err(format!(
            "`{value}` is not a whole number from 0 to {}",
            i64::MAX
        )),
    }
}

impl Tuning {
    /// Reads a tuning file.
    ///
    /// # Errors
    /// The first line that is neither a setting nor a comment, or gives a name a second value.
    pub fn parse(text: &str) -> Result<Tuning, TuningError> {
        let mut values = BTreeMap::new();
        for (index, line) in text.lines().enumerate() {
            let error = |problem| TuningError {
                line: index + 1,
                problem,
            };
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let (name, value) = parse_setting(line).map_err(error)?;
            if values.insert(name.clone(), value).is_some() {
                return Err(error(format!("`{name}` has a value already")));
            }
        }
        Ok(Tuning { values })
    }

    /// The text of a tuning file, with comments before the values.
    pub fn to_text(&self, comments: &[String]) -> String {
        let mut text = String::new();
        for comment in comments.iter().flat_map(|comment| comment.lines()) {
            text += &format!("# {comment}\n");
        }
        for (name, value) in &self.values {
            text += &format!("{name}={value}\n");
        }
        text
    }

    /// The values of thresholds that a program has, and the names of those it has not.
    pub fn split(&self, artifact: &Artifact) -> (BTreeMap<String, i64>, Vec<String>) {
        let known = |name: &str| artifact.tunables.iter().any(|tunable| tunable.name == name);
        let (kept, stale): (Vec<_>, Vec<_>) = self
            .values
            .iter()
            .map(|(name, &value)| (name.clone(), value))
            .partition(|row| known(&row.0));
        (
            kept.into_iter().collect(),
            stale.into_iter().map(|row| row.0).collect(),
        )
    }
}
