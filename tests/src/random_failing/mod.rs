//! Random nested programs that may fail when they run, from a seed: indices, sizes, offsets, steps, divisors and shift
//! amounts come from any values, arrays may be empty, some uses are guarded by conditions; at every depth of maps, loops, branches.
//!
//! A program is a tree of statements. Each knows its stand-in: ops that define the same names and cannot fail.
//! That serves twice: a test that finds a difference makes the program smaller by it, and a test that wants to know where
//! else a program fails puts it in place of what failed first. There it stands in only where the statement fails, if the
//! statement has a condition for that: a division whose divisor is zero for one element has a quotient for all others,
//! and what is computed from those may fail, too.
//!
//! Every program has a function `@main(%xss: [n][m], %xs: [n], %ys: [m], %k: i32)`. Its results do not depend on an
//! order: operators are associative and commutative, and what is scattered is one value.
//!
//! Deliberately absent: running anything; programs that cannot fail (see [`crate::random_nested`]).

mod arrays;
mod scalars;

use crate::draft::Choices;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The type of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Type {
    /// `i32`
    Number,
    /// `index`, any.
    Index,
    /// `index`, small, so that it can be a size.
    Size,
    /// An array of `i32` with these sizes, outermost first; `?` is one that only running tells.
    Array(Vec<&'static str>),
    /// An array of `index` with this size.
    Indices(&'static str),
}

impl Type {
    fn rank(&self) -> usize {
        if let Type::Array(sizes) = self {
            sizes.len()
        } else {
            0
        }
    }
    /// As ops of arrays write it.
    fn bare(&self) -> String {
        let sizes = |sizes: &[&str]| {
            sizes
                .iter()
                .map(|size| format!("[{size}]"))
                .collect::<String>()
        };
        match self {
            Type::Number => "i32".to_owned(),
            Type::Index | Type::Size => "index".to_owned(),
            Type::Array(dims) => sizes(dims) + "i32",
            Type::Indices(size) => sizes(&[size]) + "index",
        }
    }
    fn text(&self) -> String {
        match self {
            Type::Array(_) | Type::Indices(_) => format!("!array.array<{}>", self.bare()),
            _ => self.bare(),
        }
    }
    /// The op that defines a value of this type and cannot fail.
    fn plain(&self, name: &str) -> String {
        let extents = |sizes: &[&str]| {
            let extent = |size: &&str| {
                if *size == "?" {
                    "%c2".to_owned()
                } else {
                    format!("%{size}")
                }
            };
            sizes.iter().map(extent).collect::<Vec<_>>().join(", ")
        };
        match self {
            Type::Number => format!("{name} = arith.constant 1 : i32"),
            Type::Index | Type::Size => format!("{name} = arith.constant 0 : index"),
            Type::Array(sizes) => {
                format!(
                    "{name} = array.replicate %one, [{}] : i32 -> {}",
                    extents(sizes),
                    self.bare()
                )
            }
            Type::Indices(size) => {
                format!(
                    "{name} = array.replicate %c0, [{}] : index -> {}",
                    extents(&[size]),
                    self.bare()
                )
            }
        }
    }
}

type Named = (String, Type);

/// The visible values.
type Env = Vec<Named>;

/// Some lines of a program that define values.
#[derive(Clone, Debug)]
struct Statement {
    parts: Vec<Part>,
    defines: Vec<Named>,
    /// The same with stand-ins where it fails.
    guarded: Option<String>,
}

#[derive(Clone, Debug)]
enum Part {
    Line(String),
    Block(Vec<Statement>),
}

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    statements: Vec<Statement>,
    results: Vec<Named>,
}

/// A statement of a program: its number in the order of the text.
pub type Place = usize;

/// The text written instead of statements.
#[derive(Clone, Debug, Default)]
pub struct StandIns {
    /// Statements that are their stand-ins.
    pub plain: BTreeSet<Place>,
    /// Statements that are their stand-ins where they fail, if they have a condition for that.
    pub guarded: BTreeSet<Place>,
}

/// A program as text.
#[derive(Clone, Debug)]
pub struct Written {
    /// The text.
    pub text: String,
    /// The statement each line belongs to, from line 1 on; none for the frame around them.
    pub places: Vec<Option<Place>>,
}

impl Written {
    /// The statement of a line, counted from 1.
    pub fn place(&self, line: usize) -> Option<Place> {
        self.places.get(line.checked_sub(1)?).copied().flatten()
    }
}

impl Program {
    /// The program of a seed.
    pub fn of(seed: u64) -> Program {
        let size = 3 + (seed % 3) as usize;
        let mut writer = Writer {
            choices: Choices::new(seed ^ 0xFA11),
            next: 0,
            size,
            nesting: 0,
        };
        let array = |sizes: &[&'static str]| Type::Array(sizes.to_vec());
        let mut env: Env = vec![
            ("%one".to_owned(), Type::Number),
            ("%c1".to_owned(), Type::Size),
            ("%n".to_owned(), Type::Size),
            ("%m".to_owned(), Type::Size),
            ("%k".to_owned(), Type::Number),
            ("%ys".to_owned(), array(&["m"])),
            ("%xs".to_owned(), array(&["n"])),
            ("%xss".to_owned(), array(&["n", "m"])),
        ];
        let mut statements = Vec::new();
        for _ in 0..size {
            let (depth, before) = (2 + (seed % 2) as usize, env.len());
            // A statement that found nothing to work on gives way to another.
            while env.len() == before {
                statements.extend(writer.statement(&mut env, depth));
            }
        }
        let outside = |ty: &Type| matches!(ty, Type::Number | Type::Array(_));
        let results = env
            .iter()
            .rev()
            .filter(|row| outside(&row.1))
            .take(3)
            .cloned()
            .collect();
        Program {
            statements,
            results,
        }
    }

    /// The text, with stand-ins in some places.
    pub fn written(&self, instead: &StandIns) -> Written {
        let types: Vec<String> = self.results.iter().map(|row| row.1.text()).collect();
        let names: Vec<&str> = self.results.iter().map(|row| row.0.as_str()).collect();
        let mut out = Written {
            text: String::new(),
            places: Vec::new(),
        };
        let head = format!(
            "func.func @main(%xss: !array.array<[n][m]i32>, %xs: !array.array<[n]i32>, %ys: !array.array<[m]i32>, \
             %k: i32) -> ({}) {{",
            types.join(", ")
        );
        out.line(&head, None);
        for (name, value) in [("%zero", 0), ("%one", 1), ("%three", 3)] {
            out.line(&format!("{name} = arith.constant {value} : i32"), None);
        }
        for (name, value) in [
            ("%c0", 0i64),
            ("%c1", 1),
            ("%c2", 2),
            ("%c4", 4),
            ("%back", -1),
            ("%vast", 1 << 62),
        ] {
            out.line(&format!("{name} = arith.constant {value} : index"), None);
        }
        out.line("%true = arith.constant true", None);
        for (name, dim) in [("%n", 0), ("%m", 1)] {
            out.line(&format!("{name} = array.dim %xss, {dim} : [n][m]i32"), None);
        }
        let mut next = 0;
        write_all(&self.statements, instead, &mut next, &mut out);
        out.line(
            &format!("func.return {} : {}", names.join(", "), types.join(", ")),
            None,
        );
        out.line("}", None);
        out
    }

    /// How many statements there are.
    pub fn count(&self) -> usize {
        fn within(statements: &[Statement]) -> usize {
            let blocks = |statement: &Statement| -> usize {
                let parts = statement.parts.iter();
                parts
                    .map(|part| {
                        if let Part::Block(block) = part {
                            within(block)
                        } else {
                            0
                        }
                    })
                    .sum()
            };
            statements
                .iter()
                .map(|statement| 1 + blocks(statement))
                .sum()
        }
        within(&self.statements)
    }
}

impl Written {
    fn line(&mut self, text: &str, place: Option<Place>) {
        for line in text.lines() {
            let _ = writeln!(self.text, "{line}");
            self.places.push(place);
        }
    }
}

/// Writes statements; those within one that is plain have numbers, too.
fn write_all(statements: &[Statement], instead: &StandIns, next: &mut Place, out: &mut Written) {
    for statement in statements {
        let place = *next;
        *next += 1;
        let is_plain = instead.plain.contains(&place);
        if is_plain {
            for (name, ty) in &statement.defines {
                out.line(&ty.plain(name), Some(place));
            }
        } else if let Some(guarded) = &statement.guarded
            && instead.guarded.contains(&place)
        {
            out.line(guarded, Some(place));
            continue;
        }
        let mut hidden = Written {
            text: String::new(),
            places: Vec::new(),
        };
        let out = if is_plain { &mut hidden } else { &mut *out };
        for part in &statement.parts {
            match part {
                Part::Line(text) => out.line(text, Some(place)),
                Part::Block(block) => write_all(block, instead, next, out),
            }
        }
    }
}

struct Writer {
    choices: Choices,
    next: usize,
    /// The most statements of a block.
    size: usize,
    /// How many blocks are open.
    nesting: usize,
}

impl Writer {
    fn below(&mut self, bound: usize) -> usize {
        self.choices.below(bound)
    }
    fn name(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }
    fn pick(&mut self, env: &Env, fits: impl Fn(&Type) -> bool) -> Option<Named> {
        let found: Vec<&Named> = env.iter().filter(|row| fits(&row.1)).collect();
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
    fn number(&mut self, env: &Env) -> String {
        self.pick(env, |ty| *ty == Type::Number)
            .map_or_else(|| "%one".to_owned(), |row| row.0)
    }
    fn size(&mut self, env: &Env) -> String {
        self.pick(env, |ty| *ty == Type::Size)
            .map_or_else(|| "%c1".to_owned(), |row| row.0)
    }
    /// Anything that can be an index: mostly a small one.
    fn index(&mut self, env: &Env) -> String {
        let any = self.below(4) == 0;
        let found = self.pick(env, |ty| *ty == Type::Size || any && *ty == Type::Index);
        found.map_or_else(|| "%c0".to_owned(), |row| row.0)
    }
    fn array(&mut self, env: &Env, ranks: &[usize]) -> Option<(String, Vec<&'static str>)> {
        let (name, ty) = self.pick(env, |ty| ranks.contains(&ty.rank()))?;
        if let Type::Array(sizes) = ty {
            Some((name, sizes))
        } else {
            None
        }
    }

    /// A statement; none where there is nothing to work on.
    fn statement(&mut self, env: &mut Env, depth: usize) -> Option<Statement> {
        let made = match self.below(34) {
            0 | 1 => self.arithmetic(env),
            2 | 3 => self.division(env),
            4 => self.shift(env),
            5 => self.conversion(env),
            6 | 7 => self.small(env),
            8 => self.raw(env),
            9 | 10 => self.element(env),
            11 => self.row(env),
            12 => self.guarded_element(env),
            13 => self.guarded_division(env),
            14 => self.update(env),
            15 | 16 => self.slice(env),
            17 => self.reshape(env),
            18 => self.made(env),
            19 => self.pad(env),
            20 => self.cast(env),
            21 => self.rearranged(env),
            22 => self.gather(env),
            23 => self.indices(env),
            24 => self.scatter(env),
            25 => self.hist(env),
            26 => self.total(env),
            27 => self.scan(env),
            28 if depth > 0 => self.repeat(env, depth),
            29 if depth > 0 => self.branch(env, depth),
            30 if depth > 0 => self.fused(env, depth),
            _ if depth > 0 => self.map(env, depth),
            _ => self.arithmetic(env),
        }?;
        env.extend(made.defines.iter().cloned());
        Some(made)
    }

    /// Statements of a nested block; the names it makes end with it.
    fn block(&mut self, env: &Env, depth: usize) -> (Vec<Statement>, Env) {
        let mut inside = env.clone();
        let count = 1 + self.below(self.size);
        self.nesting += 1;
        let statements = (0..count)
            .filter_map(|_| self.statement(&mut inside, depth - 1))
            .collect();
        self.nesting -= 1;
        (statements, inside)
    }

    /// One op that defines one value.
    fn one(&mut self, ty: Type, op: impl FnOnce(&str) -> String) -> Option<Statement> {
        let name = self.name();
        let parts = vec![Part::Line(op(&name))];
        Some(Statement {
            parts,
            defines: vec![(name, ty)],
            guarded: None,
        })
    }

    /// The same, where it fails unless all conditions hold: the lines that compute each and its name.
    fn guarded(
        &mut self,
        ty: Type,
        conditions: Vec<(String, String)>,
        op: impl Fn(&str) -> String,
    ) -> Option<Statement> {
        let (inner, outer) = (self.name(), self.name());
        let (mut lines, mut all) = (String::new(), "%true".to_owned());
        for (computed, condition) in conditions {
            let both = self.name();
            let _ = write!(
                lines,
                "{computed}\n{both} = arith.andi {all}, {condition} : i1\n"
            );
            all = both;
        }
        let (made, plain, text) = (op(&inner), ty.plain(&outer), ty.text());
        let mut statement = self.one(ty, op)?;
        let (name, _) = &statement.defines[0];
        statement.guarded = Some(format!(
            "{lines}{name} = scf.if {all} -> ({text}) {{\n{made}\nscf.yield {inner} : {text}\n}} else {{\n\
             {plain}\nscf.yield {outer} : {text}\n}}"
        ));
        Some(statement)
    }

    /// `a PREDICATE b` on indices, as [`Writer::guarded`] takes it.
    fn compared(&mut self, predicate: &str, a: &str, b: &str) -> (String, String) {
        let name = self.name();
        (
            format!("{name} = arith.cmpi {predicate}, {a}, {b} : index"),
            name,
        )
    }

    /// That indices are within the outer dimensions of an array.
    fn within(&mut self, array: &str, bare: &str, indices: &[String]) -> Vec<(String, String)> {
        let mut conditions = Vec::new();
        for (dim, index) in indices.iter().enumerate() {
            let extent = self.name();
            let (compared, name) = self.compared("ult", index, &extent);
            conditions.push((
                format!("{extent} = array.dim {array}, {dim} : {bare}\n{compared}"),
                name,
            ));
        }
        conditions
    }

    /// That sizes are not negative.
    fn not_negative(&mut self, sizes: &[String]) -> Vec<(String, String)> {
        sizes
            .iter()
            .map(|size| self.compared("sge", size, "%c0"))
            .collect()
    }

    /// Some elements, rows, or numbers computed for each of an array's.
    fn map(&mut self, env: &Env, depth: usize) -> Option<Statement> {
        let (array, sizes) = self.array(env, &[1, 2, 3])?;
        let mut inputs = vec![(array, sizes.clone())];
        let beside =
            |ty: &Type| matches!(ty, Type::Array(other) if other[0] == sizes[0] && other[0] != "?");
        if self.below(2) == 0
            && let Some((other, Type::Array(of))) = self.pick(env, beside)
        {
            inputs.push((other, of));
        }
        let (mut inside, mut heads) = (env.clone(), Vec::new());
        for (array, sizes) in inputs {
            let element = self.name();
            heads.push(format!(
                "{element} in {array} : {}",
                Type::Array(sizes.clone()).bare()
            ));
            inside.push((element, row_of(&sizes)));
        }
        let (statements, inside) = self.block(&inside, depth);
        let fits = |ty: &Type| match ty {
            Type::Number => true,
            Type::Array(sizes) => sizes.len() < 3 && !sizes.contains(&"?"),
            _ => false,
        };
        let results = 1 + self.below(2);
        let yields: Env = inside
            .iter()
            .rev()
            .filter(|row| fits(&row.1))
            .take(results)
            .cloned()
            .collect();
        let defines: Env = yields
            .iter()
            .map(|row| (self.name(), whole(sizes[0], &row.1)))
            .collect();
        let names: Vec<&str> = defines.iter().map(|row| row.0.as_str()).collect();
        let values: Vec<&str> = yields.iter().map(|row| row.0.as_str()).collect();
        let types: Vec<String> = yields.iter().map(|row| row.1.text()).collect();

        let parts = vec![
            Part::Line(format!(
                "{} = array.map ({}) {{",
                names.join(", "),
                heads.join(", ")
            )),
            Part::Block(statements),
            Part::Line(format!(
                "array.yield {} : {}\n}}",
                values.join(", "),
                types.join(", ")
            )),
        ];
        Some(Statement {
            parts,
            defines,
            guarded: None,
        })
    }

    /// A reduction of numbers that are computed, with statements of their own, for each element.
    fn fused(&mut self, env: &Env, depth: usize) -> Option<Statement> {
        let (array, sizes) = self.array(env, &[1, 2])?;
        let (element, name, start) = (self.name(), self.name(), self.number(env));
        let mut inside = env.clone();
        inside.push((element.clone(), row_of(&sizes)));
        let (statements, inside) = self.block(&inside, depth);
        let value = self.number(&inside);
        let (a, b, c) = (self.name(), self.name(), self.name());
        let parts = vec![
            Part::Line(format!(
                "{name} = array.redomap ({element} in {array} : {}) init ({start} : i32) map {{",
                Type::Array(sizes).bare()
            )),
            Part::Block(statements),
            Part::Line(format!(
                "array.yield {value} : i32\n}} combine ({a}, {b}) {{\n{c} = arith.addi {a}, {b} : i32\n\
                 array.yield {c} : i32\n}}"
            )),
        ];
        Some(Statement {
            parts,
            defines: vec![(name, Type::Number)],
            guarded: None,
        })
    }

    /// A loop that carries a number or an array whose sizes are known; some steps are not positive.
    fn repeat(&mut self, env: &Env, depth: usize) -> Option<Statement> {
        let (init, ty) = self.pick(env, can_be_carried)?;
        let (bound, name, i, carried) = (self.size(env), self.name(), self.name(), self.name());
        let step = match self.below(4) {
            0 => self.size(env),
            _ => "%c1".to_owned(),
        };
        let mut inside = env.clone();
        inside.push((i.clone(), Type::Size));
        inside.push((carried.clone(), ty.clone()));
        let (statements, inside) = self.block(&inside, depth);
        let last = inside
            .iter()
            .rev()
            .find(|row| row.1 == ty)
            .map_or(init.clone(), |row| row.0.clone());
        let text = ty.text();
        let parts = vec![
            Part::Line(format!(
                "{name} = scf.for {i} = %c0 to {bound} step {step} iter_args({carried} = {init}) -> ({text}) {{"
            )),
            Part::Block(statements),
            Part::Line(format!("scf.yield {last} : {text}\n}}")),
        ];
        Some(Statement {
            parts,
            defines: vec![(name, ty)],
            guarded: None,
        })
    }

    fn branch(&mut self, env: &Env, depth: usize) -> Option<Statement> {
        let (other, ty) = self.pick(env, can_be_carried)?;
        let (a, b, condition, name) =
            (self.number(env), self.number(env), self.name(), self.name());
        let (statements, inside) = self.block(env, depth);
        let last = inside
            .iter()
            .rev()
            .find(|row| row.1 == ty)
            .map_or(other.clone(), |row| row.0.clone());
        let text = ty.text();
        let parts = vec![
            Part::Line(format!(
                "{condition} = arith.cmpi slt, {a}, {b} : i32\n{name} = scf.if {condition} -> ({text}) {{"
            )),
            Part::Block(statements),
            Part::Line(format!(
                "scf.yield {last} : {text}\n}} else {{\nscf.yield {other} : {text}\n}}"
            )),
        ];
        Some(Statement {
            parts,
            defines: vec![(name, ty)],
            guarded: None,
        })
    }
}

/// The part left of an array at one index.
fn row_of(sizes: &[&'static str]) -> Type {
    if sizes.len() == 1 {
        Type::Number
    } else {
        Type::Array(sizes[1..].to_vec())
    }
}

/// An array of as many of these.
fn whole(size: &'static str, row: &Type) -> Type {
    let rows: &[&'static str] = if let Type::Array(sizes) = row {
        sizes
    } else {
        &[]
    };
    Type::Array([&[size], rows].concat())
}

fn can_be_carried(ty: &Type) -> bool {
    match ty {
        Type::Number => true,
        Type::Array(sizes) => sizes.len() < 3 && !sizes.contains(&"?"),
        _ => false,
    }
}
