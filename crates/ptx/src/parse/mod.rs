//! Recursive-descent reader of PTX text into the syntax tree.
//!
//! Every error is collected: after one, reading goes on behind the next `;` or brace. `module` reads what stands
//! at module level, `body` what stands between the braces of a function; this file holds the shared cursor.

mod body;
mod module;

use crate::ast::ModuleAst;
use crate::lexer::{Token, TokenKind, tokenize};
use thiserror::Error;

/// An error in a piece of PTX text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseErrorKind {
    /// The text does not follow the grammar.
    #[error("{0}")]
    Syntax(String),
    /// A name that is declared nowhere, or declared twice.
    #[error("{0}")]
    Name(String),
    /// An instruction the simulator does not execute; see the crate's list of supported instructions.
    #[error("unsupported instruction `{0}`")]
    Unsupported(String),
    /// An instruction or target that is newer than the `.version` or the `.target` of the module.
    #[error("{0}")]
    Newer(String),
    /// An operand whose kind or width does not fit the instruction.
    #[error("{0}")]
    Operand(String),
}

/// One error, with the line (from 1) it was found on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {kind}: `{text}`")]
pub struct ParseError {
    /// Line in the PTX text, from 1.
    pub line: u32,
    /// That line, trimmed, with spaces for tabs.
    pub text: String,
    /// The problem.
    pub kind: ParseErrorKind,
}

/// The result of reading: a tree as complete as the errors allow.
pub(crate) struct Parsed<'a> {
    pub(crate) module: ModuleAst<'a>,
    pub(crate) errors: Vec<(u32, ParseErrorKind)>,
    /// Whether the text ends too early, which one of the errors says.
    pub(crate) truncated: bool,
}

/// Reads a whole module.
pub(crate) fn parse(text: &str) -> Parsed<'_> {
    let mut parser = Parser {
        tokens: tokenize(text),
        at: 0,
        errors: Vec::new(),
        truncated: false,
        text,
    };
    let module = parser.module();
    Parsed {
        module,
        errors: parser.errors,
        truncated: parser.truncated,
    }
}

/// Marks that an error was recorded and the caller should recover.
pub(crate) struct Failed;

type Parse<T> = Result<T, Failed>;

pub(crate) struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    errors: Vec<(u32, ParseErrorKind)>,
    truncated: bool,
    text: &'a str,
}

impl<'a> Parser<'a> {
    fn token(&self) -> Token<'a> {
        self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn kind(&self) -> TokenKind<'a> {
        self.token().kind
    }

    fn line(&self) -> u32 {
        self.token().line
    }

    fn bump(&mut self) -> Token<'a> {
        let token = self.token();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    fn at_end(&self) -> bool {
        self.kind() == TokenKind::End
    }

    fn is(&self, punct: u8) -> bool {
        self.kind() == TokenKind::Punct(punct)
    }

    fn eat(&mut self, punct: u8) -> bool {
        let found = self.is(punct);
        if found {
            self.bump();
        }
        found
    }

    fn error<T>(&mut self, message: impl Into<String>) -> Parse<T> {
        let mut message = message.into();
        if self.at_end() {
            message.push_str(": the text is truncated");
            self.truncated = true;
        }
        self.errors
            .push((self.line(), ParseErrorKind::Syntax(message)));
        Err(Failed)
    }

    fn expect(&mut self, punct: u8) -> Parse<()> {
        if self.eat(punct) {
            return Ok(());
        }
        let found = self.describe();
        self.error(format!("expected `{}`, found {found}", char::from(punct)))
    }

    fn describe(&self) -> String {
        let token = self.token();
        match token.kind {
            TokenKind::End => "the end of the text".into(),
            _ => format!("`{}`", &self.text[token.start..token.end]),
        }
    }

    fn word(&mut self) -> Parse<&'a str> {
        if let TokenKind::Word(word) = self.kind() {
            self.bump();
            return Ok(word);
        }
        let found = self.describe();
        self.error(format!("expected a name, found {found}"))
    }

    /// A word if the next token is one.
    fn peek_word(&self) -> Option<&'a str> {
        match self.kind() {
            TokenKind::Word(word) => Some(word),
            _ => None,
        }
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == Some(word);
        if found {
            self.bump();
        }
        found
    }

    /// An unsigned integer such as a size, count or line number.
    fn unsigned(&mut self) -> Parse<u64> {
        if let TokenKind::Number(text) = self.kind()
            && let Some(Number::Int(value)) = parse_number(text)
        {
            self.bump();
            return Ok(value as u64);
        }
        let found = self.describe();
        self.error(format!("expected an integer, found {found}"))
    }

    fn unsigned32(&mut self) -> Parse<u32> {
        let value = self.unsigned()?;
        match u32::try_from(value) {
            Ok(value) => Ok(value),
            Err(_) => self.error(format!("{value} is too large")),
        }
    }

    /// An integer with an optional sign.
    fn signed(&mut self) -> Parse<i64> {
        let mut negative = false;
        while self.is(b'-') || self.is(b'+') {
            negative ^= self.is(b'-');
            self.bump();
        }
        let value = self.unsigned()? as i64;
        Ok(if negative {
            value.wrapping_neg()
        } else {
            value
        })
    }

    /// Skips to behind the next `;`, or to before a brace.
    fn recover(&mut self) {
        while !self.at_end() && !self.is(b'{') && !self.is(b'}') {
            if self.eat(b';') {
                return;
            }
            self.bump();
        }
    }

    /// With the cursor on `{`: skips the balanced group.
    fn skip_braces(&mut self) {
        let mut depth = 0usize;
        while !self.at_end() {
            if self.is(b'{') {
                depth += 1;
            } else if self.is(b'}') {
                depth = depth.saturating_sub(1);
            }
            self.bump();
            if depth == 0 {
                return;
            }
        }
    }
}

/// A literal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Int(i64),
    F32(u32),
    F64(u64),
}

/// Reads an unsigned literal: decimal, `0x`, `0b`, octal, `0f`, `0d`, decimal floating point, optional `U`.
pub(crate) fn parse_number(text: &str) -> Option<Number> {
    let lower = text.to_ascii_lowercase();
    if let Some(hex) = lower.strip_prefix("0f") {
        return (hex.len() == 8)
            .then(|| u32::from_str_radix(hex, 16).ok().map(Number::F32))
            .flatten();
    }
    if let Some(hex) = lower.strip_prefix("0d") {
        return (hex.len() == 16)
            .then(|| u64::from_str_radix(hex, 16).ok().map(Number::F64))
            .flatten();
    }
    let is_hex = lower.starts_with("0x");
    let digits = lower.strip_suffix('u').unwrap_or(&lower);
    let parsed = if let Some(hex) = digits.strip_prefix("0x") {
        u64::from_str_radix(hex, 16)
    } else if let Some(bits) = digits.strip_prefix("0b") {
        u64::from_str_radix(bits, 2)
    } else if digits.len() > 1
        && digits.starts_with('0')
        && digits.bytes().all(|b| b.is_ascii_digit())
    {
        u64::from_str_radix(digits, 8)
    } else {
        digits.parse()
    };
    match parsed {
        Ok(value) => Some(Number::Int(value as i64)),
        Err(_) if is_hex => None,
        Err(_) if digits.bytes().next().is_some_and(|b| b.is_ascii_digit()) => lower
            .parse::<f64>()
            .ok()
            .filter(|_| lower.contains(['.', 'e']))
            .map(|v| Number::F64(v.to_bits())),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_of_every_form() {
        assert_eq!(parse_number("42"), Some(Number::Int(42)));
        assert_eq!(parse_number("0x1F"), Some(Number::Int(31)));
        assert_eq!(parse_number("0xFFFFFFFFFFFFFFFFU"), Some(Number::Int(-1)));
        assert_eq!(parse_number("017"), Some(Number::Int(15)));
        assert_eq!(parse_number("0b101"), Some(Number::Int(5)));
        assert_eq!(
            parse_number("0f3F800000"),
            Some(Number::F32(1.0f32.to_bits()))
        );
        assert_eq!(
            parse_number("0d3FF0000000000000"),
            Some(Number::F64(1.0f64.to_bits()))
        );
        assert_eq!(
            parse_number("1.5e-3"),
            Some(Number::F64(1.5e-3f64.to_bits()))
        );
        assert_eq!(parse_number("12monkeys"), None);
        assert_eq!(parse_number("0f3F80"), None);
    }
}
