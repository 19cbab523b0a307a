//! Random well-typed nested programs, as text, from a seed: every combinator in maps in loops in maps, with operators on
//! numbers, pairs and rows, all element types, calls, filters, views, updates, branches, loops, irregular extents.
//!
//! Every program has a function `@main(%xss: [n][m], %xs: [n], %ys: [m], %k: i32, %count: index)` and functions it calls.
//! It cannot fail at run time, and has associative operators; floating-point numbers are whole and small enough to be
//! exact. So any two correct ways to run it give the same result bit for bit. Both sizes may be 0.
//!
//! Deliberately absent: running anything (the property tests do); flat programs (see [`crate::random_ir`]).

mod flow;
mod layouts;
mod parts;
mod statements;
mod stencils;
mod typed;
mod with_loops;

use crate::draft::{Draft, Drafting};

/// Symbolic sizes, outermost first; none: a scalar. Elements are `i32`.
type Shape = Vec<&'static str>;

/// Associative operators with their neutral elements.
const OPERATORS: &[(&str, i64)] = &[
    ("arith.addi", 0),
    ("arith.muli", 1),
    ("arith.maxsi", -2_147_483_648),
    ("arith.xori", 0),
    ("arith.andi", -1),
];

/// Functions that programs call, with symbolic sizes, which every call infers.
const CALLED: &str = "\
func.func private @shifted(%as: !array.array<[p]i32>, %b: i32) -> !array.array<[p]i32> {
%r = array.map (%a in %as : [p]i32) {\n%c = arith.subi %a, %b : i32\narray.yield %c : i32\n}
func.return %r : !array.array<[p]i32>\n}
func.func private @total(%as: !array.array<[q]i32>, %b: i32) -> i32 {
%z = arith.constant 0 : i32
%t = array.reduce (%as : [q]i32) init (%z : i32) combine (%s, %a) {\n%c = arith.xori %s, %a : i32\narray.yield %c : i32\n}
%r = arith.subi %t, %b : i32\nfunc.return %r : i32\n}
func.func private @turned(%as: !array.array<[p][q]i32>, %b: i32) -> !array.array<[q][p]i32> {
%t = array.rearrange %as, [1, 0] : [p][q]i32
%r = array.map (%l in %t : [q][p]i32) {\n%s = func.call @shifted(%l, %b) : (!array.array<[p]i32>, i32) -> !array.array<[p]i32>
array.yield %s : !array.array<[p]i32>\n}
func.return %r : !array.array<[q][p]i32>\n}
func.func private @prefixes(%as: !array.array<[p]i32>, %b: i32) -> !array.array<[p]i32> {
%low = arith.constant -2147483648 : i32
%cs = func.call @shifted(%as, %b) : (!array.array<[p]i32>, i32) -> !array.array<[p]i32>
%r = array.scan (%cs : [p]i32) init (%low : i32) combine (%s, %c) {\n%d = arith.maxsi %s, %c : i32\narray.yield %d : i32\n}
func.return %r : !array.array<[p]i32>\n}
";

/// The program of a seed, as tests take them: half of them wide, half of them deep.
pub fn any(seed: u64) -> String {
    if seed.is_multiple_of(2) {
        program(seed, 3, 3)
    } else {
        program(seed, 2, 4)
    }
}

/// The text of a program; `size` bounds the statements of each block, `depth` how deep they nest.
pub fn program(seed: u64, size: usize, depth: usize) -> String {
    whole(seed, size, |writer, env| {
        for _ in 0..size {
            writer.statement(env, depth);
            if writer.below(6) == 0 {
                // A size that only running tells: at this level only.
                writer.filtered(env);
            }
        }
    })
}

/// A program with a map whose points each take a side of a branch, the first of which would not end, or fail, at points
/// that take the other.
pub fn guarded(seed: u64) -> String {
    whole(seed, 2, |writer, env| writer.guarded_rows(env, 2))
}

/// A program with maps over rows whose points each take parts of them, as long as the point says.
pub fn parts(seed: u64) -> String {
    whole(seed, 2, |writer, env| {
        for _ in 0..2 {
            writer.parts_of_rows(env, 2);
        }
    })
}

/// A program with the statements that `write` adds.
fn whole(seed: u64, size: usize, write: impl FnOnce(&mut Writer, &mut Env)) -> String {
    let mut writer = Writer {
        draft: Draft::new(seed, 0),
        size,
    };
    let mut env = vec![
        ("%k".to_owned(), Shape::new()),
        ("%zero".to_owned(), Shape::new()),
        ("%ys".to_owned(), vec!["m"]),
        ("%xs".to_owned(), vec!["n"]),
        ("%xss".to_owned(), vec!["n", "m"]),
    ];
    write(&mut writer, &mut env);
    let results: Vec<(String, Shape)> = env.iter().rev().take(3).cloned().collect();
    let types: Vec<String> = results.iter().map(|row| type_of(&row.1)).collect();
    let names: Vec<String> = results.into_iter().map(|row| row.0).collect();
    let types = types.join(", ");
    format!(
        "{CALLED}func.func @main(%xss: !array.array<[n][m]i32>, %xs: !array.array<[n]i32>, %ys: !array.array<[m]i32>, \
         %k: i32, %count: index) -> ({types}) {{\n%zero = arith.constant 0 : i32\n\
         %three = arith.constant 3 : i32\n%one = arith.constant 1 : i32\n\
         %c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c2 = arith.constant 2 : index\n\
         %back = arith.constant -1 : index\n\
         %n = array.dim %xss, 0 : [n][m]i32\n%m = array.dim %xss, 1 : [n][m]i32\n\
         {}func.return {} : {types}\n}}\n",
        writer.draft.text,
        names.join(", "),
    )
}

fn bare(shape: &[&str]) -> String {
    shape
        .iter()
        .map(|size| format!("[{size}]"))
        .collect::<String>()
        + "i32"
}

fn type_of(shape: &[&str]) -> String {
    if shape.is_empty() {
        "i32".to_owned()
    } else {
        format!("!array.array<{}>", bare(shape))
    }
}

type Env = Vec<(String, Shape)>;

struct Writer {
    draft: Draft,
    size: usize,
}

impl Drafting for Writer {
    fn draft(&mut self) -> &mut Draft {
        &mut self.draft
    }
}

impl Writer {
    /// A value with a shape that `fits`.
    fn pick(&mut self, env: &Env, fits: impl Fn(&Shape) -> bool) -> Option<(String, Shape)> {
        let found: Vec<&(String, Shape)> = env.iter().filter(|row| fits(&row.1)).collect();
        // Later values are used more often: programs have chains.
        let from = if self.below(3) == 0 {
            0
        } else {
            found.len() / 2
        };
        let found = found.get(from..)?;
        if found.is_empty() {
            None
        } else {
            Some(found[self.below(found.len())].clone())
        }
    }
    fn scalar(&mut self, env: &Env) -> String {
        self.pick(env, Vec::is_empty)
            .map_or_else(|| "%zero".to_owned(), |row| row.0)
    }
    fn statement(&mut self, env: &mut Env, depth: usize) {
        let nested = depth > 0;
        match self.below(46) {
            0 | 1 => self.scalar_op(env),
            2 | 3 => self.reduction(env),
            4 => self.scan(env),
            5 => self.scanomap(env),
            6 => self.view(env),
            7 => self.moved(env),
            8 => self.irregular(env),
            9 if nested => self.repeat(env, depth),
            10 if nested => self.repeat_while(env, depth),
            11 if nested => self.branch(env, depth),
            41 if nested => self.guarded(env, depth),
            42 if nested => self.switch(env, depth),
            12 => self.columns(env),
            13 => self.best_row(env),
            14 => self.scatter(env),
            15 => self.hist(env),
            16 | 32 => self.updates(env),
            17 if nested => self.deep(env, depth),
            18 | 21 => self.typed(env),
            22 => self.moved(env),
            23 => self.view(env),
            19 => self.called(env),
            20 => self.furthest(env),
            24 | 37 => self.literal(env),
            25 => self.affine(env),
            26 => self.strided(env),
            27 => self.framed(env),
            28 => self.forgotten(env),
            29 => self.counted(env),
            30 => self.turned(env),
            31 => self.several(env),
            33 => self.with_loop(env),
            35 => self.stencil(env),
            36 => self.near(env),
            34 => self.view(env),
            _ if nested => self.map(env, depth),
            _ => self.scalar_op(env),
        }
    }
    fn scalar_op(&mut self, env: &mut Env) {
        let name = self.name();
        let (a, b) = (self.scalar(env), self.scalar(env));
        let ops = [
            "arith.addi",
            "arith.subi",
            "arith.muli",
            "arith.minsi",
            "arith.xori",
        ];
        let op = ops[self.below(ops.len())];
        self.line(&format!("{name} = {op} {a}, {b} : i32"));
        env.push((name, Shape::new()));
    }
    /// Statements of a nested block over what is visible; what it makes ends with it.
    fn block(&mut self, env: &Env, depth: usize) -> Env {
        let mut inside = env.clone();
        for _ in 0..1 + self.below(self.size) {
            self.statement(&mut inside, depth - 1);
        }
        inside
    }
    fn map(&mut self, env: &mut Env, depth: usize) {
        let Some((array, shape)) = self.pick(env, |shape| !shape.is_empty()) else {
            return;
        };
        let mut inputs = vec![(array, shape.clone())];
        if self.below(2) == 0
            && let Some(other) = self.pick(env, |other| other.first() == shape.first())
        {
            inputs.push(other);
        }
        let mut inside = env.clone();
        let mut heads = Vec::new();
        for (array, shape) in inputs {
            let element = self.name();
            heads.push(format!("{element} in {array} : {}", bare(&shape)));
            inside.push((element, shape[1..].to_vec()));
        }
        let mut yields = Env::new();
        let body = Draft::aside(self, |body| {
            let inside = body.block(&inside, depth);
            let results = 1 + body.below(2);
            yields = inside
                .iter()
                .rev()
                .filter(|row| row.1.len() < 3)
                .take(results)
                .cloned()
                .collect();
        });
        let names: Vec<String> = yields.iter().map(|_| self.name()).collect();
        self.line(&format!(
            "{} = array.map ({}) {{",
            names.join(", "),
            heads.join(", ")
        ));
        self.draft.text += &body;
        self.yielded(&yields);
        for (name, (_, row)) in names.into_iter().zip(&yields) {
            let mut whole = vec![shape[0]];
            whole.extend(row);
            env.push((name, whole));
        }
    }
    /// The end of a map's body.
    fn yielded(&mut self, yields: &Env) {
        let values: Vec<&str> = yields.iter().map(|row| row.0.as_str()).collect();
        let types: Vec<String> = yields.iter().map(|row| type_of(&row.1)).collect();
        self.line(&format!(
            "array.yield {} : {}\n}}",
            values.join(", "),
            types.join(", ")
        ));
    }
    fn constant(&mut self, value: i64) -> String {
        let name = self.name();
        self.line(&format!("{name} = arith.constant {value} : i32"));
        name
    }
    fn reduction(&mut self, env: &mut Env) {
        let Some((array, shape)) = self.pick(env, |shape| shape.len() == 1) else {
            return;
        };
        let (op, unit) = OPERATORS[self.below(OPERATORS.len())];
        let (start, name, kept) = (self.start(env, unit, &[]), self.name(), self.name());
        let (x, y, a, b, c) = (
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
        );
        let other = self.scalar(env);
        let beside = self.below(3) == 0;
        let results = if beside {
            format!("{name}, {kept}")
        } else {
            name.clone()
        };
        let yields = if beside {
            format!("{y}, {y} : i32, i32")
        } else {
            format!("{y} : i32")
        };
        self.line(&format!(
            "{results} = array.redomap ({x} in {array} : {}) init ({start} : i32) map {{\n{y} = arith.addi {x}, {other} : i32\n\
             array.yield {yields}\n}} combine ({a}, {b}) {{\n{c} = {op} {a}, {b} : i32\narray.yield {c} : i32\n}}",
            bare(&shape)
        ));
        if beside {
            env.push((kept, shape));
        }
        env.push((name, Shape::new()));
    }
    /// A reduction of rows: its operator is a map.
    fn columns(&mut self, env: &mut Env) {
        let Some((array, shape)) = self.pick(env, |shape| shape.len() == 2) else {
            return;
        };
        let (op, unit) = OPERATORS[self.below(OPERATORS.len())];
        let (start, name) = (self.start(env, unit, &shape[1..]), self.name());
        let (row, acc, s, a, b, c) = (
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
        );
        let rows = bare(&shape[1..]);
        self.line(&format!(
            "{name} = array.reduce ({array} : {}) init ({start} : {rows}) combine ({acc}, {row}) {{\n\
             {s} = array.map ({a} in {acc} : {rows}, {b} in {row} : {rows}) {{\n{c} = {op} {a}, {b} : i32\n\
             array.yield {c} : i32\n}}\narray.yield {s} : {}\n}}",
            bare(&shape),
            type_of(&shape[1..])
        ));
        env.push((name, shape[1..].to_vec()));
    }
    /// A scan of numbers, or of rows element by element.
    fn scan(&mut self, env: &mut Env) {
        let Some((array, shape)) = self.pick(env, |shape| matches!(shape.len(), 1 | 2)) else {
            return;
        };
        let (op, unit) = OPERATORS[self.below(OPERATORS.len())];
        let (start, name, x, acc) = (
            self.start(env, unit, &shape[1..]),
            self.name(),
            self.name(),
            self.name(),
        );
        let kind = ["array.scan", "array.scan exclusive"][self.below(2)];
        let mut combined = String::new();
        let body = Draft::aside(self, |body| {
            combined = body.elementwise(op, &acc, &x, &shape[1..])
        });
        let row = if shape.len() == 1 {
            "i32".to_owned()
        } else {
            bare(&shape[1..])
        };
        self.line(&format!(
            "{name} = {kind} ({array} : {}) init ({start} : {row}) combine ({acc}, {x}) {{",
            bare(&shape)
        ));
        self.draft.text += &body;
        self.line(&format!("array.yield {combined} : {row}\n}}"));
        env.push((name, shape));
    }
    /// The start value of a reduction or scan of numbers or rows: half of the time an operator's neutral element, else a
    /// number, or a row where there is one.
    fn start(&mut self, env: &Env, unit: i64, row: &[&'static str]) -> String {
        let value = match self.below(4) {
            0 | 1 => self.constant(unit),
            2 => self.scalar(env),
            _ => match self.pick(env, |shape| !row.is_empty() && shape == row) {
                Some((whole, _)) => return whole,
                None => self.constant(42),
            },
        };
        self.units(&value, row)
    }
    /// The neutral element for rows of this shape.
    fn units(&mut self, neutral: &str, row: &[&str]) -> String {
        let [size] = row else {
            return neutral.to_owned();
        };
        let name = self.name();
        self.line(&format!(
            "{name} = array.replicate {neutral}, [%{size}] : i32 -> [{size}]i32"
        ));
        name
    }
    /// `op` on two numbers, or on all elements of two rows.
    fn elementwise(&mut self, op: &str, a: &str, b: &str, row: &[&str]) -> String {
        let name = self.name();
        if row.is_empty() {
            self.line(&format!("{name} = {op} {a}, {b} : i32"));
            return name;
        }
        let (x, y, z, ty) = (self.name(), self.name(), self.name(), bare(row));
        self.line(&format!(
            "{name} = array.map ({x} in {a} : {ty}, {y} in {b} : {ty}) {{\n{z} = {op} {x}, {y} : i32\n\
             array.yield {z} : i32\n}}"
        ));
        name
    }
    fn view(&mut self, env: &mut Env) {
        let Some((array, shape)) = self.pick(env, |shape| !shape.is_empty()) else {
            return;
        };
        let name = self.name();
        let ty = bare(&shape);
        match self.below(4) {
            0 if shape.len() == 2 => {
                self.line(&format!("{name} = array.rearrange {array}, [1, 0] : {ty}"));
                env.push((name, vec![shape[1], shape[0]]));
            }
            1 => {
                let dim = self.below(shape.len());
                self.line(&format!("{name} = array.reverse {array}, {dim} : {ty}"));
                env.push((name, shape));
            }
            2 => {
                let (is, order) = (self.name(), self.name());
                let outer = shape[0];
                self.line(&format!("{is} = array.iota %{outer} : [{outer}]index"));
                self.line(&format!("{order} = array.reverse {is}, 0 : [{outer}]index"));
                self.line(&format!(
                    "{name} = array.gather {array}[{order}] : {ty}, [{outer}]index"
                ));
                env.push((name, shape));
            }
            _ => {
                let value = self.scalar(env);
                let outer = shape[0];
                self.line(&format!(
                    "{name} = array.replicate {value}, [%{outer}] : i32 -> [{outer}]i32"
                ));
                env.push((name, vec![outer]));
            }
        }
    }
    /// Everything over as many elements as a value says: in a map, as many as differ between its points.
    fn irregular(&mut self, env: &mut Env) {
        let value = self.scalar(env);
        let (few, count, is, js) = (self.name(), self.name(), self.name(), self.name());
        let (x, y, name, z, acc, s) = (
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
        );
        let combinator = ["array.map", "array.scan"][self.below(2)];
        self.line(&format!("{few} = arith.andi {value}, %three : i32"));
        self.line(&format!("{count} = arith.index_cast {few} : i32 to index"));
        self.line(&format!("{is} = array.iota {count} : [?]i32"));
        if combinator == "array.map" {
            self.line(&format!(
                "{js} = array.map ({x} in {is} : [?]i32) {{\n{y} = arith.muli {x}, {value} : i32\narray.yield {y} : i32\n}}"
            ));
        } else {
            self.line(&format!(
                "{js} = array.scan ({is} : [?]i32) init (%zero : i32) combine ({y}a, {x}) {{\n{y} = arith.addi {y}a, {x} : i32\narray.yield {y} : i32\n}}"
            ));
        }
        self.line(&format!(
            "{name} = array.reduce ({js} : [?]i32) init (%zero : i32) combine ({acc}, {z}) {{\n{s} = arith.addi {acc}, {z} : i32\narray.yield {s} : i32\n}}"
        ));
        env.push((name, Shape::new()));
    }
}
