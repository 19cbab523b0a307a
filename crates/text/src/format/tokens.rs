//! The words and marks of format strings.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Literal(&'static str),
    Field(&'static str),
    Word(&'static str),
    Punct(char),
}

pub(super) fn tokenize(text: &'static str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let used = match first {
            '`' => {
                let end = rest[1..]
                    .find('`')
                    .ok_or("a literal lacks its closing backtick")?;
                tokens.push(Token::Literal(&rest[1..=end]));
                end + 2
            }
            '$' => {
                let length = word_length(&rest[1..]);
                tokens.push(Token::Field(&rest[1..=length]));
                length + 1
            }
            _ if first.is_whitespace() => first.len_utf8(),
            _ if first.is_ascii_alphabetic() => {
                let length = word_length(rest);
                tokens.push(Token::Word(&rest[..length]));
                length
            }
            '(' | ')' | ',' | '?' | '^' | '<' | '>' | '|' => {
                tokens.push(Token::Punct(first));
                1
            }
            _ => return Err(format!("`{first}` means nothing in a format string")),
        };
        rest = &rest[used..];
    }
    Ok(tokens)
}

fn word_length(text: &str) -> usize {
    text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-'))
        .unwrap_or(text.len())
}

/// Whether a literal is something the lexer of the text form yields as one token.
pub(super) fn is_literal(text: &str) -> bool {
    const PUNCTUATION: [&str; 16] = [
        "->", ":", ",", "=", "<", ">", "(", ")", "{", "}", "[", "]", "?", "+", "*", "...",
    ];
    PUNCTUATION.contains(&text) || is_bare_keyword(text)
}

/// Whether a word can stand in the text form without quotes.
pub(crate) fn is_bare_keyword(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes
        .first()
        .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.'))
}
