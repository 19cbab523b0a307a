//! Text to statements: tokens, and a reader by recursive descent that goes on after errors.
//!
//! Values are lists of nodes, children first, so that nobody walks them recursively: a sum of a million terms is no deep
//! tree. Only parentheses and calls nest, at most [`MAX_DEPTH`] deep.

use segra::Failure;
use segra::graph::{File, Graph};
use segra::ir::{Diagnostics, Loc};

/// How deep parentheses and calls may nest.
const MAX_DEPTH: u32 = 256;
/// After so many errors the reader stops looking for more.
const MAX_ERRORS: usize = 100;

/// A script's text, and the program that is made of it.
pub(crate) struct Source<'a> {
    pub(crate) graph: &'a Graph,
    text: &'a str,
    file: File,
    /// Where lines start.
    lines: Vec<usize>,
}

impl<'a> Source<'a> {
    /// Keeps a text, which must be shorter than 4 GiB: places are counted in 32 bits.
    pub(crate) fn new(graph: &'a Graph, name: &str, text: &'a str) -> Result<Source<'a>, Failure> {
        if u32::try_from(text.len()).is_err() {
            return Err(graph.error(Loc::UNKNOWN, format!("{name} has 4 GiB or more")));
        }
        let starts = text.match_indices('\n').map(|(at, _)| at + 1);
        Ok(Source {
            graph,
            text,
            file: graph.add_source(name, text),
            lines: std::iter::once(0).chain(starts).collect(),
        })
    }
    /// The place of a byte.
    pub(crate) fn place(&self, at: usize) -> Loc {
        let line = self.lines.partition_point(|&start| start <= at);
        let start = line.checked_sub(1).and_then(|line| self.lines.get(line));
        let column = at - start.copied().unwrap_or(0) + 1;
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        self.graph.place(self.file, count(line), count(column))
    }
}

/// A word of the script, and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
}

/// The type of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    F32,
    F64,
    I64,
}

impl Element {
    const ALL: [Element; 3] = [Element::F32, Element::F64, Element::I64];

    pub(crate) fn text(self) -> &'static str {
        match self {
            Element::F32 => "f32",
            Element::F64 => "f64",
            Element::I64 => "i64",
        }
    }
    fn of(text: &str) -> Option<Element> {
        Element::ALL
            .into_iter()
            .find(|element| element.text() == text)
    }
}

/// A size in a declaration.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Size<'a> {
    Named(Name<'a>),
    Fixed(u32, usize),
}

/// A declared name.
#[derive(Clone, Debug)]
pub(crate) struct Declared<'a> {
    pub(crate) name: Name<'a>,
    /// None where they are not said.
    pub(crate) sizes: Option<Vec<Size<'a>>>,
}

/// A statement.
#[derive(Clone, Debug)]
pub(crate) enum Statement<'a> {
    Declare {
        rank: usize,
        element: Element,
        names: Vec<Declared<'a>>,
    },
    Input(Vec<Name<'a>>),
    Assign {
        targets: Vec<Name<'a>>,
        value: Vec<Node<'a>>,
    },
    Return(usize, Vec<Name<'a>>),
}

/// A part of a value: the last node is the whole.
#[derive(Clone, Debug)]
pub(crate) struct Node<'a> {
    pub(crate) at: usize,
    pub(crate) kind: NodeKind<'a>,
}

/// The parts of values; indices are those of earlier nodes.
#[derive(Clone, Debug)]
pub(crate) enum NodeKind<'a> {
    Number(f64),
    Variable(&'a str),
    Call(&'a str, Vec<usize>),
    Arithmetic(Operator, usize, usize),
    Negate(usize),
}

/// An operator between numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl Operator {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
        }
    }
}

/// A script that could be read.
#[derive(Clone, Debug)]
pub(crate) struct Script<'a> {
    pub(crate) statements: Vec<Statement<'a>>,
    /// Where the text of the last token ends.
    pub(crate) end: usize,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Name,
    Number,
    Sign(char),
    /// A character that no script has.
    Unknown,
    End,
}

#[derive(Clone, Copy, Debug)]
struct Token<'a> {
    kind: Kind,
    text: &'a str,
    at: usize,
}

/// Words with a meaning of their own.
const KINDS: [(&str, usize); 5] = [
    ("matrix", 2),
    ("vector", 1),
    ("scalar", 0),
    ("TILE32x32", 2),
    ("subvector32", 1),
];
const STATEMENTS: [&str; 2] = ["input", "return"];

/// The token at or behind `at`.
fn token(text: &str, mut at: usize) -> Token<'_> {
    loop {
        let rest = &text[at..];
        let blank = rest.len() - rest.trim_start().len();
        let comment = rest.trim_start();
        at += blank;
        if !comment.starts_with("//") && !comment.starts_with('#') {
            break;
        }
        at += comment.find('\n').unwrap_or(comment.len());
    }
    let rest = &text[at..];
    let Some(first) = rest.chars().next() else {
        return Token {
            kind: Kind::End,
            text: "",
            at,
        };
    };
    let run = |part: &dyn Fn(char) -> bool| rest.find(|c| !part(c)).unwrap_or(rest.len());
    let (kind, length) = match first {
        'A'..='Z' | 'a'..='z' | '_' => {
            (Kind::Name, run(&|c| c.is_ascii_alphanumeric() || c == '_'))
        }
        '0'..='9' | '.' => (Kind::Number, number_length(rest)),
        ';' | ',' | '=' | '(' | ')' | '[' | ']' | '+' | '-' | '*' | '/' => (Kind::Sign(first), 1),
        _ => (Kind::Unknown, first.len_utf8()),
    };
    Token {
        kind,
        text: &rest[..length],
        at,
    }
}

/// Digits, a point, digits, an exponent with a sign; letters that follow belong to it, so that `2x` is one wrong number.
fn number_length(rest: &str) -> usize {
    let mut after_exponent = false;
    let part = |c: char| {
        let is_part = c.is_ascii_alphanumeric()
            || c == '.'
            || c == '_'
            || after_exponent && matches!(c, '+' | '-');
        after_exponent = matches!(c, 'e' | 'E');
        is_part
    };
    let mut part = part;
    rest.find(|c| !part(c)).unwrap_or(rest.len())
}

/// A reading step failed; the diagnostic is with the reader.
struct Stopped;

type Step<T> = Result<T, Stopped>;

struct Reader<'s, 'a> {
    source: &'s Source<'a>,
    token: Token<'a>,
    /// Where the token before ended.
    last_end: usize,
    depth: u32,
    diagnostics: Diagnostics,
}

/// Reads a script.
///
/// # Errors
/// Everything that is no script.
pub(crate) fn read<'a>(source: &Source<'a>) -> Result<Script<'a>, Failure> {
    let mut reader = Reader {
        source,
        token: token(source.text, 0),
        last_end: 0,
        depth: 0,
        diagnostics: Diagnostics::new(),
    };
    let mut statements = Vec::new();
    while reader.token.kind != Kind::End && reader.diagnostics.error_count() < MAX_ERRORS {
        match reader.statement() {
            Ok(statement) => statements.push(statement),
            Err(Stopped) => reader.skip(),
        }
    }
    if reader.diagnostics.has_errors() {
        return Err(source.graph.failure(reader.diagnostics));
    }
    Ok(Script {
        statements,
        end: reader.last_end,
    })
}

impl<'a> Reader<'_, 'a> {
    fn bump(&mut self) -> Token<'a> {
        let before = self.token;
        self.last_end = before.at + before.text.len();
        self.token = token(self.source.text, self.last_end);
        before
    }
    fn at(&self, sign: char) -> bool {
        self.token.kind == Kind::Sign(sign)
    }
    fn take(&mut self, sign: char) -> bool {
        let found = self.at(sign);
        if found {
            self.bump();
        }
        found
    }
    fn at_word(&self, word: &str) -> bool {
        self.token.kind == Kind::Name && self.token.text == word
    }

    fn error<T>(&mut self, at: usize, message: String) -> Step<T> {
        self.diagnostics.error(self.source.place(at), message);
        Err(Stopped)
    }
    /// Something else was wanted than the current token.
    fn expected<T>(&mut self, wanted: &str) -> Step<T> {
        let Token { kind, text, at } = self.token;
        match kind {
            // The mistake is where the text ends, not behind blank lines and comments.
            Kind::End => {
                let at = self.last_end.saturating_sub(1);
                self.error(
                    at,
                    format!("expected {wanted} behind this, but the script ends"),
                )
            }
            Kind::Unknown => self.error(at, format!("no script has the character {text:?}")),
            _ => self.error(at, format!("expected {wanted}, found `{text}`")),
        }
    }
    fn expect(&mut self, sign: char, why: &str) -> Step<()> {
        match self.take(sign) {
            true => Ok(()),
            false => self.expected(&format!("`{sign}`{why}")),
        }
    }

    /// To behind the next semicolon.
    fn skip(&mut self) {
        self.depth = 0;
        while self.token.kind != Kind::End && !self.at(';') {
            self.bump();
        }
        self.take(';');
    }

    fn statement(&mut self) -> Step<Statement<'a>> {
        let kind = KINDS.into_iter().find(|kind| self.at_word(kind.0));
        let statement = match kind {
            Some((_, rank)) => self.declaration(rank)?,
            None if self.at_word("input") => {
                self.bump();
                Statement::Input(self.names("an input")?)
            }
            None if self.at_word("return") => {
                let at = self.bump().at;
                Statement::Return(at, self.names("a result")?)
            }
            None => {
                let targets = self.names("a statement")?;
                self.expect('=', " and a value")?;
                let mut value = Vec::new();
                self.sum(&mut value)?;
                Statement::Assign { targets, value }
            }
        };
        self.expect(';', " at the end of the statement")?;
        Ok(statement)
    }

    fn declaration(&mut self, rank: usize) -> Step<Statement<'a>> {
        let word = self.bump().text;
        let fixed = word.contains("32");
        let element = Element::of(self.token.text).filter(|_| !fixed);
        if element.is_some() {
            self.bump();
        }
        let mut names = Vec::new();
        loop {
            let name = self.name("a name to declare")?;
            let sizes = self.at('[').then(|| self.sizes()).transpose()?;
            names.push(Declared { name, sizes });
            if !self.take(',') {
                break;
            }
        }
        let element = element.unwrap_or(Element::F32);
        Ok(Statement::Declare {
            rank,
            element,
            names,
        })
    }

    fn sizes(&mut self) -> Step<Vec<Size<'a>>> {
        self.bump();
        let mut sizes = Vec::new();
        loop {
            sizes.push(match self.token.kind {
                Kind::Number => {
                    let Token { text, at, .. } = self.token;
                    match text.parse() {
                        Ok(extent) => Size::Fixed(extent, at),
                        Err(_) => return self.error(at, format!("`{text}` is no size")),
                    }
                }
                Kind::Name => Size::Named(Name {
                    text: self.token.text,
                    at: self.token.at,
                }),
                _ => return self.expected("a size: a name or a number"),
            });
            self.bump();
            if !self.take(',') {
                break;
            }
        }
        self.expect(']', " behind the sizes")?;
        Ok(sizes)
    }

    fn names(&mut self, what: &str) -> Step<Vec<Name<'a>>> {
        let mut names = vec![self.name(what)?];
        while self.take(',') {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    fn name(&mut self, what: &str) -> Step<Name<'a>> {
        let Token { kind, text, at } = self.token;
        if kind != Kind::Name {
            return self.expected(what);
        }
        let reserved = KINDS.iter().any(|kind| kind.0 == text)
            || STATEMENTS.contains(&text)
            || Element::of(text).is_some();
        if reserved {
            return self.error(
                at,
                format!("`{text}` has a meaning of its own and is no name"),
            );
        }
        self.bump();
        Ok(Name { text, at })
    }

    fn sum(&mut self, nodes: &mut Vec<Node<'a>>) -> Step<usize> {
        let signs = [('+', Operator::Add), ('-', Operator::Subtract)];
        self.chain(nodes, signs, Reader::product)
    }
    fn product(&mut self, nodes: &mut Vec<Node<'a>>) -> Step<usize> {
        let signs = [('*', Operator::Multiply), ('/', Operator::Divide)];
        self.chain(nodes, signs, Reader::negated)
    }
    /// Operands with operators of one level between them, from left to right.
    fn chain(
        &mut self,
        nodes: &mut Vec<Node<'a>>,
        signs: [(char, Operator); 2],
        operand: fn(&mut Self, &mut Vec<Node<'a>>) -> Step<usize>,
    ) -> Step<usize> {
        let mut left = operand(self, nodes)?;
        while let Some((_, operator)) = signs.into_iter().find(|sign| self.at(sign.0)) {
            let at = self.bump().at;
            let right = operand(self, nodes)?;
            left = push(nodes, at, NodeKind::Arithmetic(operator, left, right));
        }
        Ok(left)
    }
    fn negated(&mut self, nodes: &mut Vec<Node<'a>>) -> Step<usize> {
        let mut signs = Vec::new();
        while self.at('-') {
            signs.push(self.bump().at);
        }
        let mut value = self.primary(nodes)?;
        for at in signs.into_iter().rev() {
            value = push(nodes, at, NodeKind::Negate(value));
        }
        Ok(value)
    }

    fn primary(&mut self, nodes: &mut Vec<Node<'a>>) -> Step<usize> {
        let Token { kind, text, at } = self.token;
        if self.take('(') {
            let value = self.nested(nodes)?;
            self.expect(')', "")?;
            return Ok(value);
        }
        if kind == Kind::Number {
            let Some(number) = text.parse().ok().filter(|number: &f64| number.is_finite()) else {
                return self.error(at, format!("`{text}` is no number"));
            };
            self.bump();
            return Ok(push(nodes, at, NodeKind::Number(number)));
        }
        let name = self.name("a value")?;
        if !self.take('(') {
            return Ok(push(nodes, at, NodeKind::Variable(name.text)));
        }
        let mut arguments = Vec::new();
        while !self.at(')') {
            arguments.push(self.nested(nodes)?);
            if !self.take(',') {
                break;
            }
        }
        self.expect(')', " behind the arguments")?;
        Ok(push(nodes, at, NodeKind::Call(name.text, arguments)))
    }

    fn nested(&mut self, nodes: &mut Vec<Node<'a>>) -> Step<usize> {
        if self.depth == MAX_DEPTH {
            return self.error(
                self.token.at,
                format!("values nest deeper than {MAX_DEPTH} levels"),
            );
        }
        self.depth += 1;
        let value = self.sum(nodes)?;
        self.depth -= 1;
        Ok(value)
    }
}

fn push<'a>(nodes: &mut Vec<Node<'a>>, at: usize, kind: NodeKind<'a>) -> usize {
    nodes.push(Node { at, kind });
    nodes.len() - 1
}
