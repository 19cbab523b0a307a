//! Random with-loops, as text, from a seed, with what they must give: computed here index by index, by nothing but the
//! definition.
//!
//! Ranks 1 to 4, extents from 0 on, up to three partitions that may overlap or be empty, bounds as constants or as values of
//! the run, steps and widths; genarrays, modarrays, and folds by an operator that is not commutative.
//!
//! Deliberately absent: with-loops inside of others, which [`crate::random_nested`] makes.

use crate::draft::Choices;
use std::fmt::Write;

/// One range of an index space: lower bound, upper bound, step, width.
type Range = [i64; 4];

/// The kind of a with-loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A new array.
    Genarray,
    /// The first argument, changed.
    Modarray,
    /// Two numbers: an affine map.
    Fold,
}

/// A program and its results.
#[derive(Clone, Debug)]
pub struct Case {
    /// A function `@main`.
    pub text: String,
    /// Its kind.
    pub kind: Kind,
    /// Extents of its array.
    pub shape: Vec<usize>,
    /// Elements of the array that a modarray gets.
    pub old: Vec<i32>,
    /// Index arguments, after the array.
    pub arguments: Vec<i64>,
    /// Elements of the result, or the two numbers.
    pub expected: Vec<i32>,
}

struct Writer {
    choices: Choices,
    arguments: Vec<i64>,
}

impl Writer {
    /// A number as a constant, or as an argument of the function.
    fn number(&mut self, number: i64) -> String {
        if self.choices.below(2) == 0 {
            return number.to_string();
        }
        self.arguments.push(number);
        format!("%a{}", self.arguments.len() - 1)
    }

    fn range(&mut self, extent: i64) -> Range {
        let below = |choices: &mut Choices, bound: i64| choices.below(bound as usize + 1) as i64;
        let (mut lower, mut upper) = (0, extent);
        if self.choices.below(2) == 0 {
            lower = below(&mut self.choices, extent);
            upper = below(&mut self.choices, extent);
            if self.choices.below(4) > 0 && upper < lower {
                (lower, upper) = (upper, lower);
            }
        }
        let step = [1, 1, 2, 3, 4][self.choices.below(5)];
        let width = 1 + self.choices.below(step as usize) as i64;
        [lower, upper, step, width]
    }

    fn list(&mut self, numbers: impl Iterator<Item = i64>) -> String {
        let numbers: Vec<String> = numbers.map(|number| self.number(number)).collect();
        format!("[{}]", numbers.join(", "))
    }

    fn space(&mut self, space: &[Range]) -> String {
        let names: Vec<String> = (0..space.len()).map(|dim| format!("%i{dim}")).collect();
        let mut text = String::from("(");
        let all = |part: usize| space.iter().map(move |range| range[part]);
        if all(0).any(|lower| lower != 0) {
            text += &format!("{} <= ", self.list(all(0)));
        }
        text += &format!("({}) < {}", names.join(", "), self.list(all(1)));
        if all(2).any(|step| step != 1) {
            text += &format!(" step {}", self.list(all(2)));
            if all(3).any(|width| width != 1) {
                text += &format!(" width {}", self.list(all(3)));
            }
        }
        text + ")"
    }
}

/// All indices of a shape, in row-major order.
fn indices(shape: &[usize]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for &extent in shape {
        let longer =
            |index: Vec<i64>| (0..extent as i64).map(move |at| [index.clone(), vec![at]].concat());
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

fn has(space: &[Range], index: &[i64]) -> bool {
    space
        .iter()
        .zip(index)
        .all(|(&[lower, upper, step, width], &at)| {
            lower <= at && at < upper && (at - lower) % step < width
        })
}

/// The number a partition gives at an index.
fn value(partition: usize, index: &[i64]) -> i32 {
    let mixed = index
        .iter()
        .fold(partition as i64 + 1, |sum, &at| sum * 11 + at);
    mixed as i32
}

/// The same as code.
fn body(partition: usize, rank: usize) -> String {
    let mut text = format!("    %v = arith.constant {} : index\n", partition + 1);
    let mut last = "%v".to_owned();
    for dim in 0..rank {
        let _ = writeln!(text, "    %p{dim} = arith.muli {last}, %eleven : index");
        let _ = writeln!(text, "    %s{dim} = arith.addi %p{dim}, %i{dim} : index");
        last = format!("%s{dim}");
    }
    let _ = writeln!(text, "    %x = arith.index_cast {last} : index to i32");
    text
}

/// The with-loop of a seed.
pub fn case(seed: u64) -> Case {
    let mut writer = Writer {
        choices: Choices::new(seed),
        arguments: Vec::new(),
    };
    let kind =
        [Kind::Genarray, Kind::Genarray, Kind::Modarray, Kind::Fold][writer.choices.below(4)];
    let rank = 1 + writer.choices.below(4);
    let most = [12, 7, 5, 4][rank - 1];
    let shape: Vec<usize> = (0..rank).map(|_| writer.choices.below(most)).collect();
    let count = writer.choices.below(4);
    let spaces: Vec<Vec<Range>> = (0..count)
        .map(|_| {
            shape
                .iter()
                .map(|&extent| writer.range(extent as i64))
                .collect()
        })
        .collect();
    let all = indices(&shape);
    let old: Vec<i32> = (0..all.len()).map(|at| -(at as i32) - 1).collect();
    let expected = match kind {
        Kind::Fold => folded(&spaces, &all),
        Kind::Genarray | Kind::Modarray => {
            let element = |(at, index): (usize, &Vec<i64>)| {
                let last = spaces.iter().rposition(|space| has(space, index));
                match (last, kind) {
                    (Some(partition), _) => value(partition, index),
                    (None, Kind::Modarray) => old[at],
                    (None, _) => -7,
                }
            };
            all.iter().enumerate().map(element).collect()
        }
    };
    let text = text(&mut writer, kind, &shape, &spaces);
    Case {
        text,
        kind,
        shape,
        old,
        arguments: writer.arguments,
        expected,
    }
}

/// Affine maps `x -> a x + b` composed in order.
fn folded(spaces: &[Vec<Range>], all: &[Vec<i64>]) -> Vec<i32> {
    let mut sum = (3i32, 5i32);
    for (partition, space) in spaces.iter().enumerate() {
        for index in all.iter().filter(|index| has(space, index)) {
            let x = value(partition, index);
            sum = (sum.0.wrapping_mul(x), sum.1.wrapping_mul(x).wrapping_add(x));
        }
    }
    vec![sum.0, sum.1]
}

fn text(writer: &mut Writer, kind: Kind, shape: &[usize], spaces: &[Vec<Range>]) -> String {
    let rank = shape.len();
    let named: String = (0..rank).map(|dim| format!("[n{dim}]")).collect();
    let head = match kind {
        Kind::Genarray => {
            let sizes = writer.list(shape.iter().map(|&extent| extent as i64));
            format!("%r = array.with_loop genarray {sizes} default (%none : i32)")
        }
        Kind::Modarray => format!("%r = array.with_loop modarray (%old : {named}i32)"),
        Kind::Fold => {
            "%r, %q = array.with_loop fold init (%three : i32, %five : i32) neutral (%one : i32, \
                       %zero : i32)"
                .to_owned()
        }
    };
    let mut loops = String::new();
    for (partition, space) in spaces.iter().enumerate() {
        let yields = match kind {
            Kind::Fold => "array.yield %x, %x : i32, i32",
            Kind::Genarray | Kind::Modarray => "array.yield %x : i32",
        };
        let space = writer.space(space);
        let body = body(partition, rank);
        let _ = write!(loops, " partition {space} {{\n{body}    {yields}\n  }}");
    }
    let (end, result) = match kind {
        Kind::Genarray => (format!(" : {}i32", "[?]".repeat(rank)), format!("{}i32", "[?]".repeat(rank))),
        Kind::Modarray => (String::new(), format!("{named}i32")),
        Kind::Fold => (
            " combine (%a, %b, %c, %d) {\n    %ac = arith.muli %a, %c : i32\n    %bc = arith.muli %b, %c : i32\n    \
             %bcd = arith.addi %bc, %d : i32\n    array.yield %ac, %bcd : i32, i32\n  }"
                .to_owned(),
            String::new(),
        ),
    };
    let (types, results) = match kind {
        Kind::Fold => ("i32, i32".to_owned(), "%r, %q"),
        Kind::Genarray | Kind::Modarray => (format!("!array.array<{result}>"), "%r"),
    };
    let mut parameters = Vec::new();
    if kind == Kind::Modarray {
        parameters.push(format!("%old: !array.array<{named}i32>"));
    }
    let numbers = (0..writer.arguments.len()).map(|at| format!("%a{at}: index"));
    parameters.extend(numbers);
    format!(
        "func.func @main({}) -> ({types}) {{\n  %none = arith.constant -7 : i32\n  %zero = arith.constant 0 : i32\n  \
         %one = arith.constant 1 : i32\n  %three = arith.constant 3 : i32\n  %five = arith.constant 5 : i32\n  \
         %eleven = arith.constant 11 : index\n  {head}{loops}{end}\n  func.return {results} : {types}\n}}\n",
        parameters.join(", ")
    )
}
