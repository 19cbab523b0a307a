//! Random chains of combinators of every kind, as text, from a seed: maps, reductions, scans, scatters and histograms that
//! feed each other, with views, loops and branches between them.
//!
//! Every program is one function `@main(%xs: [n], %ys: [n], %zs: [m], %xss: [n][m], %k: i32)`. Elements are `i32`,
//! indices are in range or ignored by definition, operators are associative: any two correct ways to run a program give
//! the same bits, at every size.
//!
//! Deliberately absent: running anything (the tests of passes do, which include this file).

use crate::draft::{Draft, Drafting};

/// Size classes: `n` and `m` are symbols of the program, `h` is half of `n`, written `?`.
type Shape = Vec<char>;
/// The inputs of a combinator: its head, the elements, the outer size.
type Inputs = (Vec<String>, Vec<(String, Shape)>, char);

struct Writer {
    draft: Draft,
    values: Vec<(String, Shape)>,
    /// How deep it is in maps, loops and branches.
    depth: usize,
}

impl Drafting for Writer {
    fn draft(&mut self) -> &mut Draft {
        &mut self.draft
    }
}

const OPERATORS: &[(&str, &str)] = &[
    ("arith.addi", "%zero"),
    ("arith.muli", "%one"),
    ("arith.maxsi", "%least"),
    ("arith.xori", "%zero"),
];
const SCALAR: &[&str] = &[
    "arith.addi",
    "arith.subi",
    "arith.muli",
    "arith.minsi",
    "arith.xori",
];

fn bare(shape: &[char]) -> String {
    let size = |size: &char| {
        if *size == 'h' {
            "[?]".to_owned()
        } else {
            format!("[{size}]")
        }
    };
    shape.iter().map(size).collect::<String>() + "i32"
}

fn type_of(shape: &[char]) -> String {
    if shape.is_empty() {
        "i32".to_owned()
    } else {
        format!("!array.array<{}>", bare(shape))
    }
}

impl Writer {
    /// A value that fits, a late one more often.
    fn pick(&mut self, fits: impl Fn(&Shape) -> bool) -> Option<(String, Shape)> {
        let found: Vec<(String, Shape)> = self
            .values
            .iter()
            .filter(|row| fits(&row.1))
            .cloned()
            .collect();
        if found.is_empty() {
            return None;
        }
        let from = if self.below(3) == 0 {
            0
        } else {
            found.len().saturating_sub(4)
        };
        let at = from + self.below(found.len() - from);
        Some(found[at].clone())
    }
    fn scalar(&mut self) -> String {
        self.pick(|shape| shape.is_empty())
            .map_or_else(|| "%zero".to_owned(), |row| row.0)
    }
    /// Inputs of one outer size: names, elements, element shapes.
    fn inputs(&mut self, outer_rank: usize) -> Option<Inputs> {
        let (first, shape) = self.pick(|shape| shape.len() == outer_rank)?;
        let outer = shape[0];
        let mut rows = vec![(first, shape)];
        if self.below(2) == 0 {
            rows.extend(
                self.pick(|shape| shape.first() == Some(&outer) && shape.len() <= outer_rank),
            );
        }
        let mut heads = Vec::new();
        let mut elements = Vec::new();
        for (array, shape) in rows {
            let element = self.name();
            heads.push(format!("{element} in {array} : {}", bare(&shape)));
            elements.push((element, shape[1..].to_vec()));
        }
        Some((heads, elements, outer))
    }
    /// Scalar code on elements; the values made.
    fn scalar_body(&mut self, elements: &[(String, Shape)], count: usize) -> Vec<String> {
        let mut scalars: Vec<String> = elements
            .iter()
            .filter(|row| row.1.is_empty())
            .map(|row| row.0.clone())
            .collect();
        scalars.push(self.scalar());
        let mut made = Vec::new();
        for _ in 0..count {
            let (a, b) = (self.below(scalars.len()), self.below(scalars.len()));
            let (name, op) = (self.name(), SCALAR[self.below(SCALAR.len())]);
            self.line(&format!(
                "{name} = {op} {}, {} : i32",
                scalars[a], scalars[b]
            ));
            scalars.push(name.clone());
            made.push(name);
        }
        made
    }
    fn combine(&mut self, operator: &str) {
        let (a, b, c) = (self.name(), self.name(), self.name());
        self.line(&format!(
            "}} combine ({a}, {b}) {{\n{c} = {operator} {a}, {b} : i32\narray.yield {c} : i32\n}}"
        ));
    }
    fn map(&mut self) {
        let Some((heads, elements, outer)) = self.inputs(1) else {
            return;
        };
        let count = 1 + self.below(2);
        let names: Vec<String> = (0..count).map(|_| self.name()).collect();
        self.line(&format!(
            "{} = array.map ({}) {{",
            names.join(", "),
            heads.join(", ")
        ));
        let made = self.scalar_body(&elements, count);
        let types = vec!["i32"; count].join(", ");
        self.line(&format!("array.yield {} : {types}\n}}", made.join(", ")));
        self.values
            .extend(names.into_iter().map(|name| (name, vec![outer])));
    }
    /// A map or fused form whose results share more work than is done twice.
    fn expensive(&mut self) {
        let Some((heads, elements, outer)) = self.inputs(1) else {
            return;
        };
        let (fused, count) = (self.below(2) == 0, 2 + self.below(2));
        let names: Vec<String> = (0..count).map(|_| self.name()).collect();
        let (keyword, head) = if fused {
            ("redomap", " init (%zero : i32) map")
        } else {
            ("map", "")
        };
        self.line(&format!(
            "{} = array.{keyword} ({}){head} {{",
            names.join(", "),
            heads.join(", ")
        ));
        let shared = self.scalar_body(&elements, 12);
        let mut all = elements.clone();
        // Most of it hangs on the last value.
        let mut last = shared[0].clone();
        for other in &shared[1..] {
            let name = self.name();
            self.line(&format!("{name} = arith.xori {last}, {other} : i32"));
            last = name;
        }
        all.push((last, Shape::new()));
        let mut made = Vec::new();
        for _ in 0..count {
            made.extend(self.scalar_body(&all, 2).pop());
        }
        let yielded = format!(
            "array.yield {} : {}",
            made.join(", "),
            vec!["i32"; count].join(", ")
        );
        self.line(&yielded);
        if fused {
            self.combine("arith.addi");
        } else {
            self.line("}");
        }
        for (at, name) in names.into_iter().enumerate() {
            self.values.push((
                name,
                if fused && at == 0 {
                    Shape::new()
                } else {
                    vec![outer]
                },
            ));
        }
    }
    /// A map over rows with combinators inside.
    fn rows(&mut self) {
        let Some((heads, elements, outer)) = self.inputs(2) else {
            return;
        };
        if self.depth > 1 {
            return;
        }
        let name = self.name();
        let before = self.values.len();
        let outside = std::mem::take(&mut self.draft.text);
        self.values.extend(elements);
        self.depth += 1;
        for _ in 0..1 + self.below(3) {
            self.statement();
        }
        self.depth -= 1;
        let wanted = self.values[before..]
            .iter()
            .rev()
            .find(|row| row.1.len() < 2)
            .cloned();
        let (value, shape) = wanted.unwrap_or_else(|| ("%zero".to_owned(), Shape::new()));
        self.values.truncate(before);
        let inside = std::mem::replace(&mut self.draft.text, outside);
        self.line(&format!(
            "{name} = array.map ({}) {{\n{inside}array.yield {value} : {}\n}}",
            heads.join(", "),
            type_of(&shape)
        ));
        let mut whole = vec![outer];
        whole.extend(shape);
        self.values.push((name, whole));
    }
    fn fused_form(&mut self) {
        let Some((heads, elements, outer)) = self.inputs(1) else {
            return;
        };
        let (operator, unit) = OPERATORS[self.below(OPERATORS.len())];
        let stored = self.below(2);
        let scan = self.below(2) == 0;
        let keyword = match (scan, self.below(3)) {
            (true, 0) => "array.scanomap exclusive",
            (true, _) => "array.scanomap",
            _ => "array.redomap",
        };
        let names: Vec<String> = (0..1 + stored).map(|_| self.name()).collect();
        self.line(&format!(
            "{} = {keyword} ({}) init ({unit} : i32) map {{",
            names.join(", "),
            heads.join(", ")
        ));
        let made = self.scalar_body(&elements, 1 + stored);
        self.line(&format!(
            "array.yield {} : {}",
            made.join(", "),
            vec!["i32"; made.len()].join(", ")
        ));
        self.combine(operator);
        for (at, name) in names.into_iter().enumerate() {
            let shape = if scan || at > 0 {
                vec![outer]
            } else {
                Shape::new()
            };
            self.values.push((name, shape));
        }
    }
    fn plain_form(&mut self) {
        let Some((array, shape)) = self.pick(|shape| shape.len() == 1) else {
            return;
        };
        let (operator, unit) = OPERATORS[self.below(OPERATORS.len())];
        let kinds = ["array.reduce", "array.scan", "array.scan exclusive"];
        let at = self.below(kinds.len());
        let (name, x, acc, r) = (self.name(), self.name(), self.name(), self.name());
        self.line(&format!(
            "{name} = {} ({array} : {}) init ({unit} : i32) combine ({acc}, {x}) {{\n{r} = {operator} {acc}, {x} : i32\narray.yield {r} : i32\n}}",
            kinds[at],
            bare(&shape)
        ));
        self.values
            .push((name, if at == 0 { Shape::new() } else { shape }));
    }
    /// A scatter or hist into an array, at indices made of elements: some are out of range.
    fn update(&mut self) {
        let Some((heads, elements, _)) = self.inputs(1) else {
            return;
        };
        let Some((into, shape)) = self.pick(|shape| shape.len() == 1) else {
            return;
        };
        let name = self.name();
        let hist = self.below(2) == 0;
        let head = heads.join(", ");
        let ty = bare(&shape);
        if hist {
            self.line(&format!(
                "{name} = array.hist ({head}) into ({into} : {ty}) neutral (%zero : i32) map {{"
            ));
        } else {
            self.line(&format!(
                "{name} = array.scatter ({head}) into ({into} : {ty}) {{"
            ));
        }
        let made = self.scalar_body(&elements, 2);
        let (few, index) = (self.name(), self.name());
        self.line(&format!(
            "{few} = arith.andi {}, %seven : i32\n{index} = arith.index_cast {few} : i32 to index",
            made[0]
        ));
        self.line(&format!("array.yield {index}, {} : index, i32", made[1]));
        if hist {
            self.combine("arith.addi");
        } else {
            self.line("}");
        }
        self.values.push((name, shape));
    }
    fn view(&mut self) {
        let Some((array, shape)) = self.pick(|shape| !shape.is_empty()) else {
            return;
        };
        let (name, ty) = (self.name(), bare(&shape));
        match self.below(6) {
            0 if shape.len() == 2 => {
                self.line(&format!("{name} = array.rearrange {array}, [1, 0] : {ty}"));
                self.values.push((name, vec![shape[1], shape[0]]));
            }
            1 if shape == ['n'] => {
                self.line(&format!(
                    "{name} = array.slice {array}[%c0] sizes [%h] strides [%c2] : {ty} -> [?]i32"
                ));
                self.values.push((name, vec!['h']));
            }
            2 if shape[0] == 'n' => {
                self.line(&format!(
                    "{name} = array.gather {array}[%order] : {ty}, [n]index"
                ));
                self.values.push((name, shape));
            }
            3 if shape == ['n'] => {
                self.line(&format!(
                    "{name} = array.reshape {array}, [%n, %c1] : {ty} -> [n][1]i32"
                ));
                self.values.push((name, vec!['n', '1']));
            }
            4 => {
                let value = self.scalar();
                self.line(&format!(
                    "{name} = array.replicate {value}, [%n, %m] : i32 -> [n][m]i32"
                ));
                self.values.push((name, vec!['n', 'm']));
            }
            _ => {
                let dim = self.below(shape.len());
                self.line(&format!("{name} = array.reverse {array}, {dim} : {ty}"));
                self.values.push((name, shape));
            }
        }
    }
    /// A loop that carries an array, or a branch that gives one.
    fn control(&mut self) {
        let Some((init, shape)) = self.pick(|shape| shape.len() == 1) else {
            return;
        };
        if self.depth > 0 {
            return;
        }
        let (name, i, carried) = (self.name(), self.name(), self.name());
        let ty = type_of(&shape);
        let branch = self.below(2) == 0;
        let (before, outside) = (self.values.len(), std::mem::take(&mut self.draft.text));
        if !branch {
            self.values.push((carried.clone(), shape.clone()));
        }
        self.depth += 1;
        for _ in 0..1 + self.below(3) {
            self.statement();
        }
        self.depth -= 1;
        let found = self.values[before..]
            .iter()
            .rev()
            .find(|row| row.1 == shape)
            .map(|row| row.0.clone());
        let value = found.unwrap_or_else(|| init.clone());
        self.values.truncate(before);
        let inside = std::mem::replace(&mut self.draft.text, outside);
        if branch {
            let (a, b) = (self.scalar(), self.scalar());
            self.line(&format!("{i} = arith.cmpi slt, {a}, {b} : i32\n{name} = scf.if {i} -> ({ty}) {{\n{inside}scf.yield {value} : {ty}\n}} else {{\nscf.yield {init} : {ty}\n}}"));
        } else {
            self.line(&format!("{name} = scf.for {i} = %c0 to %c2 step %c1 iter_args({carried} = {init}) -> ({ty}) {{\n{inside}scf.yield {value} : {ty}\n}}"));
        }
        self.values.push((name, shape));
    }
    fn statement(&mut self) {
        match self.below(15) {
            0..=3 => self.map(),
            4 | 5 => self.fused_form(),
            6 | 7 => self.plain_form(),
            8 => self.update(),
            9 | 10 => self.view(),
            11 => self.rows(),
            12 => self.control(),
            13 => self.expensive(),
            _ => {
                let (name, a, b) = (self.name(), self.scalar(), self.scalar());
                self.line(&format!("{name} = arith.addi {a}, {b} : i32"));
                self.values.push((name, Shape::new()));
            }
        }
    }
}

/// The text of a program of so many statements.
pub fn program(seed: u64, statements: usize) -> String {
    let start = [
        ("%k", ""),
        ("%xs", "n"),
        ("%ys", "n"),
        ("%zs", "m"),
        ("%xss", "nm"),
    ];
    let values = start
        .map(|(name, shape)| (name.to_owned(), shape.chars().collect()))
        .to_vec();
    let mut writer = Writer {
        draft: Draft::new(seed, 0),
        values,
        depth: 0,
    };
    for _ in 0..statements {
        writer.statement();
    }
    let results: Vec<(String, Shape)> = writer.values.iter().rev().take(4).cloned().collect();
    let names: Vec<&str> = results.iter().map(|row| row.0.as_str()).collect();
    let types: Vec<String> = results.iter().map(|row| type_of(&row.1)).collect();
    format!(
        "func.func @main(%xs: !array.array<[n]i32>, %ys: !array.array<[n]i32>, %zs: !array.array<[m]i32>, \
         %xss: !array.array<[n][m]i32>, %k: i32) -> ({types}) {{
         %zero = arith.constant 0 : i32\n%one = arith.constant 1 : i32\n%seven = arith.constant 7 : i32
         %least = arith.constant -2147483648 : i32\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index
         %c2 = arith.constant 2 : index\n%n = array.dim %xs, 0 : [n]i32\n%m = array.dim %zs, 0 : [m]i32
         %up = arith.addi %n, %c1 : index\n%h = arith.divui %up, %c2 : index
         %is = array.iota %n : [n]index\n%order = array.reverse %is, 0 : [n]index
         {body}func.return {names} : {types}\n}}",
        types = types.join(", "),
        body = writer.draft.text,
        names = names.join(", "),
    )
}
