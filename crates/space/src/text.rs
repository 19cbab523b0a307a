//! Reading the small languages of schedules: words, numbers and lists, and errors with the place they are at.
//!
//! Deliberately absent: the languages ([`crate::Chain`], [`crate::Schedule`]).

use std::str::FromStr;

/// Why a text is not a chain, or not a schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at column {}: {message}", .offset + 1)]
pub struct TextError {
    /// Byte offset into the text.
    pub offset: usize,
    /// The expectation there, and what was found.
    pub message: String,
}

/// A text that is being read.
pub(crate) struct Reader<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> Reader<'a> {
    /// At the start of a text.
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, offset: 0 }
    }

    /// Reads on from an offset that was read before.
    pub(crate) fn go_back(&mut self, offset: usize) {
        self.offset = offset;
    }

    /// Nothing may follow; `what` names what was read.
    pub(crate) fn end(&mut self, what: &str) -> Result<(), TextError> {
        let end = self.position();
        if end < self.text.len() {
            return Err(self.error(end, format!("expected the end of {what}")));
        }
        Ok(())
    }

    /// `[a, b, ...]`, each entry with its offset.
    pub(crate) fn list<T: FromStr>(&mut self) -> Result<Vec<(usize, T)>, TextError> {
        self.expect('[')?;
        let mut entries = Vec::new();
        if self.peek() == Some(']') {
            self.expect(']')?;
            return Ok(entries);
        }
        loop {
            let at = self.position();
            entries.push((at, self.number("a list entry")?));
            if self.peek() != Some(',') {
                break;
            }
            self.expect(',')?;
        }
        self.expect(']')?;
        Ok(entries)
    }

    pub(crate) fn number<T: FromStr>(&mut self, what: &str) -> Result<T, TextError> {
        let at = self.position();
        let digits = self.word();
        if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return digits
                .parse()
                .map_err(|_| self.error(at, format!("{what}, `{digits}`, is too large")));
        }
        Err(self.error(
            at,
            format!(
                "expected {what}, a number, found {}",
                self.shown(digits, at)
            ),
        ))
    }

    pub(crate) fn word(&mut self) -> &'a str {
        let start = self.position();
        let rest = &self.text[start..];
        let length = rest
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(rest.len());
        self.offset = start + length;
        &rest[..length]
    }

    pub(crate) fn expect(&mut self, wanted: char) -> Result<(), TextError> {
        let at = self.position();
        if self.peek() == Some(wanted) {
            self.offset = at + wanted.len_utf8();
            return Ok(());
        }
        Err(self.error(
            at,
            format!("expected `{wanted}`, found {}", self.shown("", at)),
        ))
    }

    pub(crate) fn peek(&mut self) -> Option<char> {
        let at = self.position();
        self.text[at..].chars().next()
    }

    /// Offset of the next character that is not white space.
    pub(crate) fn position(&mut self) -> usize {
        let rest = &self.text[self.offset..];
        self.offset += rest.len() - rest.trim_start().len();
        self.offset
    }

    /// `word`, or if that is empty the character at `at`, quoted for a message.
    pub(crate) fn shown(&self, word: &str, at: usize) -> String {
        match (word, self.text[at..].chars().next()) {
            ("", None) => "the end of the text".to_owned(),
            ("", Some(found)) => format!("`{found}`"),
            (word, _) => format!("`{word}`"),
        }
    }

    pub(crate) fn error(&self, offset: usize, message: String) -> TextError {
        TextError { offset, message }
    }
}

/// Equal but for case, or for one missing, added or changed letter.
pub(crate) fn is_near(known: &str, found: &str) -> bool {
    if known.eq_ignore_ascii_case(found) {
        return true;
    }
    let (known, found) = (known.as_bytes(), found.as_bytes());
    let prefix = known.iter().zip(found).take_while(|(a, b)| a == b).count();
    let suffix = known
        .iter()
        .rev()
        .zip(found.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    known.len().abs_diff(found.len()) <= 1 && prefix + suffix + 1 >= known.len().max(found.len())
}
