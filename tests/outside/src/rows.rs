//! Rows, a small array language outside of Segra: a parser of its own, and programs made by Segra's dynamic builder.
//!
//! ```text
//! def norm(x: f32[n]) = sqrt(sum(x * x));
//! def main(a: f32[n][m], x: f32[m]) =
//!   let y = map row in a: sum(row * x) in
//!   if norm(y) > 0.0 then y / norm(y) else y;
//! ```
//! Functions have one result. Operators work on numbers and, element by element, on arrays; a number goes with every element.
//! `2.5` is an f32, `2` an index. Beside functions of the program there are `sqrt`, `float` (of an index), `sum`, `largest`,
//! `iota`, `length`, `transpose`, and `x[i]`; `loop x = a for i < n: e` gives x the value of e n times.
//!
//! It names no crate but `segra`. Mistakes that this file finds and those that Segra finds are shown in the program's own text.

use segra::dialects::{arith, math};
use segra::graph::{Built, Count, Extent, File, Function, Graph, Node, Parameter, With};
use segra::ir::Loc;
use segra::{Failure, Program};

/// How deep expressions may nest.
const MAX_DEPTH: usize = 100;

/// Reads a program.
pub fn read(name: &str, text: &str) -> Result<Program, Failure> {
    let graph = Graph::new();
    let file = graph.add_source(name, text);
    let mut reader = Reader { graph: &graph, file, text, at: 0, depth: 0 };
    let mut functions = Vec::new();
    while !reader.peek().is_empty() {
        let definition = reader.definition()?;
        let made = Scope { graph: &graph, functions: &functions, reader: &reader }.define(&definition)?;
        functions.push(made);
    }
    graph.finish()
}

/// An expression, and where it begins.
struct Expr {
    at: usize,
    kind: ExprKind,
}

enum ExprKind {
    Float(f64),
    Index(i64),
    Name(String),
    Call(String, Vec<Expr>),
    Operator(String, Box<[Expr; 2]>),
    Element(Box<[Expr; 2]>),
    Let(String, Box<[Expr; 2]>),
    If(Box<[Expr; 3]>),
    Map(Vec<(String, Expr)>, Box<Expr>),
    /// The carried name and value, the counter and its bound, the next value.
    Loop(String, String, Box<[Expr; 3]>),
}

struct Definition {
    at: usize,
    name: String,
    /// Name, place, sizes.
    parameters: Vec<(String, usize, Vec<String>)>,
    body: Expr,
}

struct Reader<'a> {
    graph: &'a Graph,
    file: File,
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn place(&self, at: usize) -> Loc {
        let before = &self.text[..at];
        let line = before.matches('\n').count() + 1;
        let column = at - before.rfind('\n').map_or(0, |end| end + 1) + 1;
        self.graph.place(self.file, line as u32, column as u32)
    }
    fn error<T>(&self, at: usize, message: impl Into<String>) -> Built<T> {
        Err(self.graph.error(self.place(at), message))
    }

    /// The next token: a word, a number, or one character.
    fn peek(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        let rest = rest.trim_start();
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let length = match rest.chars().next() {
            None => 0,
            Some(first) if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            Some(first) => first.len_utf8(),
        };
        &rest[..length]
    }
    fn next(&mut self) -> &'a str {
        let token = self.peek();
        self.at += token.len();
        token
    }
    fn take(&mut self, token: &str) -> bool {
        self.peek() == token && !self.next().is_empty()
    }
    fn expect(&mut self, token: &str) -> Built<()> {
        if self.take(token) {
            return Ok(());
        }
        let found = self.peek();
        self.error(self.at, format!("expected `{token}`, found `{found}`"))
    }
    fn name(&mut self) -> Built<String> {
        const WORDS: [&str; 9] = ["def", "let", "in", "if", "then", "else", "map", "loop", "for"];
        let word = self.peek();
        let is_name = word.starts_with(|c: char| c.is_ascii_alphabetic()) && !WORDS.contains(&word);
        match is_name && !word.contains('.') {
            true => Ok(self.next().to_owned()),
            false => self.error(self.at, format!("expected a name, found `{word}`")),
        }
    }

    fn definition(&mut self) -> Built<Definition> {
        self.expect("def")?;
        self.peek();
        let (at, name) = (self.at, self.name()?);
        self.expect("(")?;
        let mut parameters = Vec::new();
        while !self.take(")") {
            if !parameters.is_empty() {
                self.expect(",")?;
            }
            self.peek();
            let (at, name) = (self.at, self.name()?);
            self.expect(":")?;
            self.expect("f32")?;
            let mut sizes = Vec::new();
            while self.take("[") {
                sizes.push((self.name()?, self.expect("]")?).0);
            }
            parameters.push((name, at, sizes));
        }
        self.expect("=")?;
        let body = self.expr()?;
        self.expect(";")?;
        Ok(Definition { at, name, parameters, body })
    }

    fn expr(&mut self) -> Built<Expr> {
        if self.depth == MAX_DEPTH {
            return self.error(self.at, "expressions nest too deep");
        }
        self.depth += 1;
        let expr = self.open_expr();
        self.depth -= 1;
        expr
    }

    /// An expression that extends as far as it can: `let`, `if`, `map`, `loop`, a comparison.
    fn open_expr(&mut self) -> Built<Expr> {
        self.peek();
        let at = self.at;
        let kind = if self.take("let") {
            let name = (self.name()?, self.expect("=")?).0;
            let value = (self.expr()?, self.expect("in")?).0;
            ExprKind::Let(name, Box::new([value, self.expr()?]))
        } else if self.take("if") {
            let condition = (self.expr()?, self.expect("then")?).0;
            let then = (self.expr()?, self.expect("else")?).0;
            ExprKind::If(Box::new([condition, then, self.expr()?]))
        } else if self.take("map") {
            let mut arrays = Vec::new();
            while arrays.is_empty() || self.take(",") {
                let name = (self.name()?, self.expect("in")?).0;
                arrays.push((name, self.expr()?));
            }
            self.expect(":")?;
            ExprKind::Map(arrays, Box::new(self.expr()?))
        } else if self.take("loop") {
            let name = (self.name()?, self.expect("=")?).0;
            let value = (self.expr()?, self.expect("for")?).0;
            let counter = (self.name()?, self.expect("<")?).0;
            let bound = (self.expr()?, self.expect(":")?).0;
            ExprKind::Loop(name, counter, Box::new([value, bound, self.expr()?]))
        } else {
            return self.operators(&[&["<", ">"], &["+", "-"], &["*", "/"]]);
        };
        Ok(Expr { at, kind })
    }

    /// Operators, loosest first.
    fn operators(&mut self, levels: &[&[&str]]) -> Built<Expr> {
        let Some((signs, tighter)) = levels.split_first() else {
            return self.element();
        };
        let mut left = self.operators(tighter)?;
        while signs.contains(&self.peek()) {
            let at = self.at;
            let sign = self.next().to_owned();
            let right = self.operators(tighter)?;
            left = Expr { at, kind: ExprKind::Operator(sign, Box::new([left, right])) };
        }
        Ok(left)
    }

    fn element(&mut self) -> Built<Expr> {
        let mut array = self.primary()?;
        while self.peek() == "[" {
            let at = self.at;
            self.next();
            let index = (self.expr()?, self.expect("]")?).0;
            array = Expr { at, kind: ExprKind::Element(Box::new([array, index])) };
        }
        Ok(array)
    }

    fn primary(&mut self) -> Built<Expr> {
        let word = self.peek();
        let at = self.at;
        if self.take("(") {
            return Ok((self.expr()?, self.expect(")")?).0);
        }
        let kind = if word.starts_with(|c: char| c.is_ascii_digit()) {
            self.next();
            match (word.parse(), word.parse()) {
                (Ok(index), _) => ExprKind::Index(index),
                (_, Ok(number)) => ExprKind::Float(number),
                _ => return self.error(at, format!("`{word}` is no number")),
            }
        } else {
            let name = self.name()?;
            if !self.take("(") {
                return Ok(Expr { at, kind: ExprKind::Name(name) });
            }
            let mut arguments = Vec::new();
            while !self.take(")") {
                if !arguments.is_empty() {
                    self.expect(",")?;
                }
                arguments.push(self.expr()?);
            }
            ExprKind::Call(name, arguments)
        };
        Ok(Expr { at, kind })
    }
}

/// Names and their values, innermost last.
type Names = Vec<(String, Node)>;

/// The surroundings of a definition.
struct Scope<'a> {
    graph: &'a Graph,
    functions: &'a [Function],
    reader: &'a Reader<'a>,
}

impl Scope<'_> {
    fn define(&self, definition: &Definition) -> Built<Function> {
        let (graph, f32) = (self.graph, self.graph.ctx().f32());
        let parameters = definition.parameters.iter().map(|(name, at, sizes)| {
            let extents: Vec<Extent> = sizes.iter().map(|size| Extent::named(size)).collect();
            Parameter::new(name, graph.array_type(&extents, f32), self.reader.place(*at))
        });
        let parameters: Vec<Parameter> = parameters.collect();
        let loc = self.reader.place(definition.at);
        graph.function(loc, &definition.name, &parameters, |arguments| {
            let names = parameters.iter().map(|parameter| parameter.name.clone());
            let names: Names = names.zip(arguments.iter().copied()).collect();
            Ok(vec![self.value(&definition.body, &names)?])
        })
    }

    fn value(&self, expr: &Expr, names: &Names) -> Built<Node> {
        let (g, loc) = (self.graph, self.reader.place(expr.at));
        let with = |name: &str, node: Node| {
            let mut names = names.clone();
            names.push((name.to_owned(), node));
            names
        };
        match &expr.kind {
            ExprKind::Float(value) => g.number(loc, *value, g.ctx().f32()),
            ExprKind::Index(value) => g.index(loc, *value),
            ExprKind::Name(name) => match names.iter().rfind(|known| known.0 == *name) {
                Some(&(_, node)) => Ok(node),
                None => self.reader.error(expr.at, format!("`{name}` is not known here")),
            },
            ExprKind::Operator(sign, sides) => {
                let sides = [self.value(&sides[0], names)?, self.value(&sides[1], names)?];
                self.each(loc, &sides, &|sides| self.operator(loc, sign, sides))
            }
            ExprKind::Element(parts) => {
                let (array, index) = (self.value(&parts[0], names)?, self.value(&parts[1], names)?);
                g.element(loc, array, &[index])
            }
            ExprKind::Let(name, parts) => {
                let value = self.value(&parts[0], names)?;
                self.value(&parts[1], &with(name, value))
            }
            ExprKind::If(parts) => {
                let side = |part: &Expr| Ok(vec![self.value(part, names)?]);
                let condition = self.value(&parts[0], names)?;
                one(g.branch(loc, condition, || side(&parts[1]), || side(&parts[2])))
            }
            ExprKind::Map(arrays, body) => {
                let values = arrays.iter().map(|array| self.value(&array.1, names));
                let values: Vec<Node> = values.collect::<Built<_>>()?;
                one(g.map(loc, &values, |elements| {
                    let mut inside = names.clone();
                    let new = arrays.iter().map(|array| array.0.clone());
                    inside.extend(new.zip(elements.iter().copied()));
                    Ok(vec![self.value(body, &inside)?])
                }))
            }
            ExprKind::Loop(name, counter, parts) => {
                let (start, bound) = (self.value(&parts[0], names)?, self.value(&parts[1], names)?);
                let (from, step) = (g.index(loc, 0)?, g.index(loc, 1)?);
                let count = Count { from, to: bound, step };
                one(g.count(loc, count, &[start], |index, carried| {
                    let mut inside = with(counter, index);
                    inside.push((name.clone(), carried[0]));
                    Ok(vec![self.value(&parts[2], &inside)?])
                }))
            }
            ExprKind::Call(name, arguments) => {
                let values = arguments.iter().map(|argument| self.value(argument, names));
                self.call(loc, name, &values.collect::<Built<Vec<Node>>>()?)
            }
        }
    }

    fn call(&self, loc: Loc, name: &str, arguments: &[Node]) -> Built<Node> {
        let (g, f32) = (self.graph, self.graph.ctx().f32());
        if let Some(function) = self.functions.iter().find(|function| function.name() == name) {
            return one(g.call(loc, function, arguments));
        }
        let &[only] = arguments else {
            return Err(g.error(loc, format!("there is no function `{name}` of {} arguments", arguments.len())));
        };
        let reduced = |start: f64, sign: &str| {
            let start = [g.number(loc, start, f32)?];
            let combine = |a: &[Node], b: &[Node]| Ok(vec![self.operator(loc, sign, &[a[0], b[0]])?]);
            one(g.reduce(loc, &[only], &start, combine))
        };
        match name {
            "sqrt" => self.each(loc, &[only], &|x| g.apply::<math::SqrtOp>(loc, x)),
            "sum" => reduced(0.0, "+"),
            "largest" => reduced(f64::NEG_INFINITY, "max"),
            "iota" => g.iota(loc, only, &g.extent_of(only), g.ctx().index()),
            "length" => g.dim(loc, only, 0),
            "transpose" => g.rearrange(loc, only, &[1, 0]),
            "float" => self.each(loc, &[only], &|x| {
                let types = [[g.ctx().i64()], [f32]];
                let with = |index: usize| With { attrs: &[], results: Some(&types[index]) };
                let wide = g.apply_with::<arith::IndexCastOp>(loc, x, with(0))?;
                g.apply_with::<arith::SIToFPOp>(loc, &[wide], with(1))
            }),
            _ => Err(g.error(loc, format!("there is no function `{name}`"))),
        }
    }

    fn operator(&self, loc: Loc, sign: &str, sides: &[Node]) -> Built<Node> {
        let g = self.graph;
        let compared = |predicate: arith::CmpFPredicate| {
            let attrs = [("predicate", predicate.attr(g.ctx()))];
            g.apply_with::<arith::CmpFOp>(loc, sides, With { attrs: &attrs, results: None })
        };
        match sign {
            "+" => g.apply::<arith::AddFOp>(loc, sides),
            "-" => g.apply::<arith::SubFOp>(loc, sides),
            "*" => g.apply::<arith::MulFOp>(loc, sides),
            "/" => g.apply::<arith::DivFOp>(loc, sides),
            "max" => g.apply::<arith::MaximumFOp>(loc, sides),
            "<" => compared(arith::CmpFPredicate::Olt),
            _ => compared(arith::CmpFPredicate::Ogt),
        }
    }

    /// Applies something to the elements of those values that have the most dimensions, and to the others as they are.
    fn each(&self, loc: Loc, values: &[Node], apply: &dyn Fn(&[Node]) -> Built<Node>) -> Built<Node> {
        let rank = |value: &Node| self.graph.extents(*value).len();
        let most = values.iter().map(rank).max().unwrap_or(0);
        if most == 0 {
            return apply(values);
        }
        let arrays: Vec<Node> = values.iter().copied().filter(|value| rank(value) == most).collect();
        one(self.graph.map(loc, &arrays, |elements| {
            let mut elements = elements.iter().copied();
            let inside = values.iter().map(|&value| match rank(&value) == most {
                true => elements.next().unwrap_or(value),
                false => value,
            });
            Ok(vec![self.each(loc, &inside.collect::<Vec<Node>>(), apply)?])
        }))
    }
}

/// The only value.
fn one(built: Built<Vec<Node>>) -> Built<Node> {
    built.map(|values| values[0])
}
