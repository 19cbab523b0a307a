//! The lexer: bytes to tokens, without allocation and without lookahead beyond a few bytes.
//!
//! Tokens are byte ranges of the text; what they spell is read from there. Invariants: a token never splits a
//! UTF-8 character; the lexer always makes progress until [`Tok::Eof`]; a file has less than 2^32 - 1 bytes (the
//! reader refuses longer ones). Deliberately absent: keywords (they are identifiers whose spelling the parser
//! looks at) and lines (see `parser::position`).

/// Kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tok {
    /// End of the text.
    Eof,
    /// Something no token starts with, or an ill-formed token; [`Lexer::problem`] says what.
    Error,
    /// `name`, `arith.addi`, `i32`
    Bare,
    /// `@name` or `@"any name"`
    At,
    /// `#name`
    Hash,
    /// `%name`
    Percent,
    /// `^name`
    Caret,
    /// `!name`
    Exclaim,
    /// `1.5e3`
    Float,
    /// `42` or `0x2A`
    Integer,
    /// `"text"`
    String,
    /// `->`
    Arrow,
    /// `:`
    Colon,
    /// `,`
    Comma,
    /// `...`
    Ellipsis,
    /// `=`
    Equal,
    /// `>`
    Greater,
    /// `<`
    Less,
    /// `-`
    Minus,
    /// `+`
    Plus,
    /// `?`
    Question,
    /// `/`
    Slash,
    /// `*`
    Star,
    /// `|`
    Bar,
    /// `{`
    LBrace,
    /// `}`
    RBrace,
    /// `(`
    LParen,
    /// `)`
    RParen,
    /// `[`
    LSquare,
    /// `]`
    RSquare,
    /// `{-#`
    MetadataBegin,
    /// `#-}`
    MetadataEnd,
}

impl Tok {
    /// The token as messages name it.
    pub fn describe(self) -> &'static str {
        match self {
            Tok::Eof => "end of file",
            Tok::Error => "an ill-formed token",
            Tok::Bare => "an identifier",
            Tok::At => "a symbol name",
            Tok::Hash => "an attribute name",
            Tok::Percent => "an SSA value",
            Tok::Caret => "a block name",
            Tok::Exclaim => "a type name",
            Tok::Float => "a floating-point number",
            Tok::Integer => "an integer",
            Tok::String => "a string",
            Tok::Arrow => "'->'",
            Tok::Colon => "':'",
            Tok::Comma => "','",
            Tok::Ellipsis => "'...'",
            Tok::Equal => "'='",
            Tok::Greater => "'>'",
            Tok::Less => "'<'",
            Tok::Minus => "'-'",
            Tok::Plus => "'+'",
            Tok::Question => "'?'",
            Tok::Slash => "'/'",
            Tok::Star => "'*'",
            Tok::Bar => "'|'",
            Tok::LBrace => "'{'",
            Tok::RBrace => "'}'",
            Tok::LParen => "'('",
            Tok::RParen => "')'",
            Tok::LSquare => "'['",
            Tok::RSquare => "']'",
            Tok::MetadataBegin => "'{-#'",
            Tok::MetadataEnd => "'#-}'",
        }
    }
}

/// A token: its kind and its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Kind.
    pub kind: Tok,
    /// First byte.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
}

/// Reads tokens off a text.
#[derive(Clone, Debug)]
pub struct Lexer<'a> {
    bytes: &'a [u8],
    pos: usize,
    problem: &'static str,
}

const LETTER: u8 = 1;
const DIGIT: u8 = 2;
/// `_`, `$`, `.`: inside identifiers.
const INNER: u8 = 4;
/// `-`: inside identifiers with a prefix.
const DASH: u8 = 8;
const SPACE: u8 = 16;

const CLASSES: [u8; 256] = {
    let mut table = [0u8; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        table[byte] = if b.is_ascii_alphabetic() {
            LETTER
        } else if b.is_ascii_digit() {
            DIGIT
        } else {
            match b {
                b'_' | b'$' | b'.' => INNER,
                b'-' => DASH,
                b' ' | b'\t' | b'\n' | b'\r' | 0 => SPACE,
                _ => 0,
            }
        };
        byte += 1;
    }
    table
};

#[inline]
fn is(byte: u8, classes: u8) -> bool {
    CLASSES[byte as usize] & classes != 0
}

impl<'a> Lexer<'a> {
    /// A lexer at the start of `text`, which has less than 2^32 - 1 bytes.
    pub fn new(text: &'a str) -> Lexer<'a> {
        Lexer {
            bytes: text.as_bytes(),
            // A mark of the byte order says nothing in UTF-8.
            pos: if text.starts_with('\u{feff}') { 3 } else { 0 },
            problem: "",
        }
    }
    /// The error of the latest [`Tok::Error`].
    pub fn problem(&self) -> &'static str {
        self.problem
    }
    /// Goes on reading at byte `pos`, which starts a character.
    pub fn seek(&mut self, pos: usize) {
        self.pos = pos;
    }
    /// The byte at `pos`, 0 past the end.
    #[inline]
    pub fn byte(&self, pos: usize) -> u8 {
        self.bytes.get(pos).copied().unwrap_or(0)
    }

    /// The next token.
    #[inline]
    pub fn next_token(&mut self) -> Token {
        segra_ir::steps::count(1);
        self.skip_space();
        let start = self.pos;
        let Some(&first) = self.bytes.get(start) else {
            return Token {
                kind: Tok::Eof,
                start: start as u32,
                end: start as u32,
            };
        };
        self.pos += 1;
        let kind = match first {
            b'%' => self.prefixed(Tok::Percent),
            b',' => Tok::Comma,
            b':' => Tok::Colon,
            b'(' => Tok::LParen,
            b')' => Tok::RParen,
            b'"' => self.string(Tok::String),
            b'=' => Tok::Equal,
            b'>' => Tok::Greater,
            b'<' => Tok::Less,
            b'0'..=b'9' => self.number(first),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                self.skip_class(LETTER | DIGIT | INNER);
                Tok::Bare
            }
            b'{' if self.byte(start + 1) == b'-' && self.byte(start + 2) == b'#' => {
                self.pos += 2;
                Tok::MetadataBegin
            }
            b'{' => Tok::LBrace,
            b'}' => Tok::RBrace,
            b'[' => Tok::LSquare,
            b']' => Tok::RSquare,
            b'-' if self.byte(start + 1) == b'>' => {
                self.pos += 1;
                Tok::Arrow
            }
            b'-' => Tok::Minus,
            b'+' => Tok::Plus,
            b'?' => Tok::Question,
            b'*' => Tok::Star,
            b'|' => Tok::Bar,
            b'/' => Tok::Slash,
            b'.' if self.byte(start + 1) == b'.' && self.byte(start + 2) == b'.' => {
                self.pos += 2;
                Tok::Ellipsis
            }
            b'#' if self.byte(start + 1) == b'-' && self.byte(start + 2) == b'}' => {
                self.pos += 2;
                Tok::MetadataEnd
            }
            b'#' => self.prefixed(Tok::Hash),
            b'!' => self.prefixed(Tok::Exclaim),
            b'^' => self.prefixed(Tok::Caret),
            b'@' => self.symbol(),
            _ => self.unexpected(),
        };
        Token {
            kind,
            start: start as u32,
            end: self.pos as u32,
        }
    }

    #[inline]
    fn skip_class(&mut self, classes: u8) {
        while let Some(&byte) = self.bytes.get(self.pos)
            && is(byte, classes)
        {
            self.pos += 1;
        }
    }

    #[inline]
    fn skip_space(&mut self) {
        loop {
            self.skip_class(SPACE);
            if self.byte(self.pos) != b'/' || self.byte(self.pos + 1) != b'/' {
                return;
            }
            while let Some(&byte) = self.bytes.get(self.pos)
                && byte != b'\n'
                && byte != b'\r'
            {
                self.pos += 1;
            }
        }
    }

    fn unexpected(&mut self) -> Tok {
        self.problem = "unexpected character";
        self.finish_character();
        Tok::Error
    }

    /// Steps over the rest of a character of several bytes.
    fn finish_character(&mut self) {
        while self.byte(self.pos) & 0xC0 == 0x80 {
            self.pos += 1;
        }
    }

    /// After `%`, `#`, `!` or `^`: digits, or a letter or punctuation followed by any of them.
    #[inline]
    fn prefixed(&mut self, kind: Tok) -> Tok {
        let byte = self.byte(self.pos);
        if is(byte, DIGIT) {
            self.skip_class(DIGIT);
            kind
        } else if is(byte, LETTER | INNER | DASH) {
            self.skip_class(LETTER | DIGIT | INNER | DASH);
            kind
        } else {
            self.problem = match kind {
                Tok::Percent => "invalid SSA name",
                Tok::Caret => "invalid block name",
                Tok::Hash => "invalid attribute name",
                _ => "invalid type identifier",
            };
            Tok::Error
        }
    }

    fn symbol(&mut self) -> Tok {
        let byte = self.byte(self.pos);
        if byte == b'"' {
            self.pos += 1;
            return self.string(Tok::At);
        }
        if is(byte, LETTER) || byte == b'_' {
            self.skip_class(LETTER | DIGIT | INNER);
            return Tok::At;
        }
        self.problem = "@ identifier expected to start with letter or '_'";
        Tok::Error
    }

    #[inline]
    fn number(&mut self, first: u8) -> Tok {
        if first == b'0'
            && self.byte(self.pos) == b'x'
            && self.byte(self.pos + 1).is_ascii_hexdigit()
        {
            self.pos += 1;
            while self.byte(self.pos).is_ascii_hexdigit() {
                self.pos += 1;
            }
            return Tok::Integer;
        }
        self.skip_class(DIGIT);
        if self.byte(self.pos) != b'.' {
            return Tok::Integer;
        }
        self.pos += 1;
        self.skip_class(DIGIT);
        if matches!(self.byte(self.pos), b'e' | b'E') {
            let sign = usize::from(matches!(self.byte(self.pos + 1), b'+' | b'-'));
            if is(self.byte(self.pos + 1 + sign), DIGIT) {
                self.pos += 1 + sign;
                self.skip_class(DIGIT);
            }
        }
        Tok::Float
    }

    #[inline]
    fn string(&mut self, kind: Tok) -> Tok {
        loop {
            match self.bytes.get(self.pos) {
                Some(b'"') => {
                    self.pos += 1;
                    return kind;
                }
                None | Some(b'\n' | 0x0B | 0x0C) => {
                    self.problem = "expected '\"' in string literal";
                    return Tok::Error;
                }
                Some(b'\\') => {
                    let (a, b) = (self.byte(self.pos + 1), self.byte(self.pos + 2));
                    if matches!(a, b'"' | b'\\' | b'n' | b't') {
                        self.pos += 2;
                    } else if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() {
                        self.pos += 3;
                    } else {
                        self.pos += 1;
                        self.problem = "unknown escape in string literal";
                        return Tok::Error;
                    }
                }
                Some(_) => self.pos += 1,
            }
        }
    }
}

/// The bytes a string token (quotes included) stands for.
pub fn unescape(spelling: &str) -> Vec<u8> {
    let inner = spelling.strip_prefix('"').unwrap_or(spelling);
    let inner = inner.strip_suffix('"').unwrap_or(inner).as_bytes();
    let mut out = Vec::with_capacity(inner.len());
    let mut rest = inner.iter().copied();
    let hex = |byte: u8| (byte as char).to_digit(16).unwrap_or(0) as u8;
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'n') => out.push(b'\n'),
            Some(b't') => out.push(b'\t'),
            Some(plain @ (b'"' | b'\\')) => out.push(plain),
            Some(high) => out.push(hex(high) << 4 | rest.next().map_or(0, hex)),
            None => {}
        }
    }
    out
}
