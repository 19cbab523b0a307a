//! Turns PTX text into tokens with line numbers.
//!
//! A word is a maximal run of name characters, dots and `::`, so `ld.global.nc.L2::128B.v4.f32` is one word;
//! the parser splits opcodes. A directive ends at the next dot: `.reg.b16` is two words. Comments vanish here.

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TokenKind<'a> {
    Word(&'a str),
    /// Starts with a digit; still text because its meaning depends on the operand type.
    Number(&'a str),
    Text(&'a str),
    Punct(u8),
    /// A byte no PTX token starts with, or an unterminated string.
    Bad,
    End,
}

/// One token and the line it starts on (from 1).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    pub(crate) kind: TokenKind<'a>,
    pub(crate) line: u32,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'%' | b'.') || byte >= 0x80
}

/// Tokenises all of `text`; the last token is [`TokenKind::End`].
pub(crate) fn tokenize(text: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        at: 0,
        line: 1,
    };
    let mut tokens = Vec::with_capacity(text.len() / 5);
    loop {
        let token = lexer.next();
        tokens.push(token);
        if token.kind == TokenKind::End {
            return tokens;
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    line: u32,
}

impl<'a> Lexer<'a> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn next(&mut self) -> Token<'a> {
        self.skip_blank();
        let (start, line) = (self.at, self.line);
        let kind = if self.at >= self.bytes.len() {
            TokenKind::End
        } else {
            self.token()
        };
        Token {
            kind,
            line,
            start,
            end: self.at,
        }
    }

    fn token(&mut self) -> TokenKind<'a> {
        let (start, byte) = (self.at, self.peek(0));
        if byte.is_ascii_digit() {
            self.number();
            return TokenKind::Number(&self.text[start..self.at]);
        }
        if is_word(byte) {
            self.at += 1;
            let ends = |next: u8| byte == b'.' && next == b'.';
            while is_word(self.peek(0)) && !ends(self.peek(0)) || self.double_colon() {
                self.at += if self.peek(0) == b':' { 2 } else { 1 };
            }
            return TokenKind::Word(&self.text[start..self.at]);
        }
        self.at += 1;
        match byte {
            b'"' => self.string(),
            b',' | b';' | b':' | b'{' | b'}' | b'(' | b')' | b'[' | b']' | b'<' | b'>' | b'@'
            | b'!' | b'|' | b'+' | b'-' | b'=' | b'~' | b'*' | b'/' | b'&' | b'^' => {
                TokenKind::Punct(byte)
            }
            _ => TokenKind::Bad,
        }
    }

    /// A `::` that joins two word parts, as in `shared::cta`.
    fn double_colon(&self) -> bool {
        self.peek(0) == b':' && self.peek(1) == b':' && is_word(self.peek(2))
    }

    fn number(&mut self) {
        let start = self.at;
        let prefixed = self.peek(0) == b'0' && self.peek(1).is_ascii_alphabetic();
        loop {
            let byte = self.peek(0);
            let exponent_sign = !prefixed
                && matches!(byte, b'+' | b'-')
                && self.at > start
                && matches!(self.bytes[self.at - 1], b'e' | b'E');
            if !(byte.is_ascii_alphanumeric() || byte == b'.' || exponent_sign) {
                return;
            }
            self.at += 1;
        }
    }

    fn string(&mut self) -> TokenKind<'a> {
        let start = self.at;
        while self.at < self.bytes.len() && self.peek(0) != b'"' {
            if self.peek(0) == b'\n' {
                return TokenKind::Bad;
            }
            // An escaped character may be a quote.
            self.at += if self.peek(0) == b'\\' { 2 } else { 1 };
        }
        if self.at >= self.bytes.len() {
            return TokenKind::Bad;
        }
        self.at += 1;
        TokenKind::Text(&self.text[start..self.at - 1])
    }

    fn skip_blank(&mut self) {
        loop {
            match self.peek(0) {
                b'\n' => {
                    self.line += 1;
                    self.at += 1;
                }
                b'/' if self.peek(1) == b'/' => {
                    while self.at < self.bytes.len() && self.peek(0) != b'\n' {
                        self.at += 1;
                    }
                }
                b'/' if self.peek(1) == b'*' => self.skip_block_comment(),
                byte if byte.is_ascii_whitespace() => self.at += 1,
                // LLVM's escaped listing ends in a NUL; elsewhere a NUL is a bad token.
                0 if self.at < self.bytes.len() && self.at + 1 == self.bytes.len() => self.at += 1,
                _ => return,
            }
        }
    }

    fn skip_block_comment(&mut self) {
        self.at += 2;
        while self.at < self.bytes.len() && !(self.peek(0) == b'*' && self.peek(1) == b'/') {
            if self.peek(0) == b'\n' {
                self.line += 1;
            }
            self.at += 1;
        }
        self.at = (self.at + 2).min(self.bytes.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opcode_with_its_suffixes_is_one_word() {
        let kinds: Vec<_> = tokenize("ld.L2::128B.f32 %r1, [%rd1+-4]; // x\nL:")
            .iter()
            .map(|t| t.kind)
            .collect();
        assert_eq!(kinds[0], TokenKind::Word("ld.L2::128B.f32"));
        assert_eq!(kinds[1], TokenKind::Word("%r1"));
        assert_eq!(kinds[7], TokenKind::Number("4"));
        assert_eq!(kinds[10], TokenKind::Word("L"));
        assert_eq!(kinds[11], TokenKind::Punct(b':'));
    }

    #[test]
    fn directives_and_types_need_no_blank_between_them() {
        let words = [".param", ".u64", ".ptr", ".global"].map(TokenKind::Word);
        let tokens = tokenize(".param.u64.ptr.global");
        let kinds: Vec<_> = tokens.iter().map(|t| t.kind).collect();
        assert_eq!(kinds[..4], words);
    }

    #[test]
    fn lines_are_counted_through_comments() {
        let tokens = tokenize("/* a\n b */ x\n// y\nz");
        assert_eq!((tokens[0].line, tokens[1].line), (2, 4));
    }
}
