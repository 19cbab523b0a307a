//! Random well-typed programs over `arith`, `scf` and `array`, as text, from a seed: the same on every machine.
//!
//! Every program is one function `@main` on two arrays of one size and a scalar. It cannot fail at run time (no
//! division, no index out of range), has operators that are associative, and uses integers only, so that any two
//! correct ways to run it give the same result bit for bit.
//!
//! Deliberately absent: running anything (the property tests do).

use crate::draft::{Draft, Drafting};

/// The text of a program of about `size` statements on arrays of `i32`.
pub fn program(seed: u64, size: usize) -> String {
    let mut writer = Writer {
        draft: Draft::new(seed, 1),
    };
    writer.draft.text += "func.func @main(%xs: !array.array<[n]i32>, %ys: !array.array<[n]i32>, %k: i32) -> \
        (!array.array<[n]i32>, i32) {\n";
    let mut scalars = vec!["%k".to_owned()];
    let mut arrays = vec!["%xs".to_owned(), "%ys".to_owned()];
    for value in [0, 1, -7] {
        let name = writer.name();
        writer.line(&format!("{name} = arith.constant {value} : i32"));
        scalars.push(name);
    }
    for _ in 0..size {
        writer.statement(&mut scalars, &mut arrays);
    }
    let (array, scalar) = (
        arrays.last().cloned().unwrap_or_default(),
        scalars.last().cloned().unwrap_or_default(),
    );
    writer.line(&format!(
        "func.return {array}, {scalar} : !array.array<[n]i32>, i32"
    ));
    writer.draft.text += "}\n";
    writer.draft.text
}

/// Associative operators with their neutral elements.
const OPERATORS: &[(&str, i64)] = &[
    ("arith.addi", 0),
    ("arith.muli", 1),
    ("arith.maxsi", -2_147_483_648),
    ("arith.xori", 0),
    ("arith.andi", -1),
];

struct Writer {
    draft: Draft,
}

impl Drafting for Writer {
    fn draft(&mut self) -> &mut Draft {
        &mut self.draft
    }
}

impl Writer {
    /// One statement at the top: scalar code, or a combinator on arrays.
    fn statement(&mut self, scalars: &mut Vec<String>, arrays: &mut Vec<String>) {
        match self.below(6) {
            0 => self.scalar_op(scalars),
            1 => self.branch(scalars),
            2 => self.reduction(scalars, arrays),
            3 => self.scan(arrays),
            _ => self.map(scalars, arrays),
        }
    }
    fn scalar_op(&mut self, scalars: &mut Vec<String>) {
        let name = self.name();
        let (a, b) = (
            self.draft.choices.pick(scalars).clone(),
            self.draft.choices.pick(scalars).clone(),
        );
        let ops = [
            "arith.addi",
            "arith.subi",
            "arith.muli",
            "arith.minsi",
            "arith.ori",
            "arith.xori",
        ];
        let op = *self.draft.choices.pick(&ops);
        self.line(&format!("{name} = {op} {a}, {b} : i32"));
        scalars.push(name);
    }
    /// `if a < b` with a value from each side.
    fn branch(&mut self, scalars: &mut Vec<String>) {
        let (condition, name) = (self.name(), self.name());
        let (a, b) = (
            self.draft.choices.pick(scalars).clone(),
            self.draft.choices.pick(scalars).clone(),
        );
        self.line(&format!("{condition} = arith.cmpi slt, {a}, {b} : i32"));
        self.line(&format!("{name} = scf.if {condition} -> (i32) {{"));
        for side in 0..2 {
            self.draft.depth += 1;
            let mut inside = scalars.clone();
            self.scalar_op(&mut inside);
            let last = inside.last().cloned().unwrap_or_default();
            self.line(&format!("scf.yield {last} : i32"));
            self.draft.depth -= 1;
            self.line(if side == 0 { "} else {" } else { "}" });
        }
        scalars.push(name);
    }
    fn map(&mut self, scalars: &[String], arrays: &mut Vec<String>) {
        let (name, x, y) = (self.name(), self.name(), self.name());
        let (a, b) = (
            self.draft.choices.pick(arrays).clone(),
            self.draft.choices.pick(arrays).clone(),
        );
        self.line(&format!(
            "{name} = array.map ({x} in {a} : [n]i32, {y} in {b} : [n]i32) {{"
        ));
        self.draft.depth += 1;
        let mut inside = scalars.to_vec();
        inside.extend([x, y]);
        for _ in 0..1 + self.below(4) {
            match self.below(5) {
                0 => self.branch(&mut inside),
                1 => self.inner_reduction(&mut inside, arrays),
                _ => self.scalar_op(&mut inside),
            }
        }
        let last = inside.last().cloned().unwrap_or_default();
        self.line(&format!("array.yield {last} : i32"));
        self.draft.depth -= 1;
        self.line("}");
        arrays.push(name);
    }
    /// A reduction in every iteration of a map, over an array from outside and the map's own values.
    fn inner_reduction(&mut self, inside: &mut Vec<String>, arrays: &[String]) {
        let (neutral, name, z) = (self.name(), self.name(), self.name());
        let (op, unit) = *self.draft.choices.pick(OPERATORS);
        let array = self.draft.choices.pick(arrays).clone();
        let other = self.draft.choices.pick(inside).clone();
        self.line(&format!("{neutral} = arith.constant {unit} : i32"));
        self.line(&format!(
            "{name} = array.redomap ({z} in {array} : [n]i32) init ({neutral} : i32) map {{"
        ));
        let (product, s, t, u) = (self.name(), self.name(), self.name(), self.name());
        self.line(&format!("  {product} = arith.muli {z}, {other} : i32"));
        self.line(&format!("  array.yield {product} : i32"));
        self.line(&format!("}} combine ({s}, {t}) {{"));
        self.line(&format!("  {u} = {op} {s}, {t} : i32"));
        self.line(&format!("  array.yield {u} : i32"));
        self.line("}");
        inside.push(name);
    }
    fn reduction(&mut self, scalars: &mut Vec<String>, arrays: &[String]) {
        let name = self.gather("array.reduce", arrays);
        scalars.push(name);
    }
    fn scan(&mut self, arrays: &mut Vec<String>) {
        let name = self.gather("array.scan", arrays);
        arrays.push(name);
    }
    fn gather(&mut self, combinator: &str, arrays: &[String]) -> String {
        let (neutral, name, x, acc, sum) = (
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
        );
        let (op, unit) = *self.draft.choices.pick(OPERATORS);
        let array = self.draft.choices.pick(arrays).clone();
        self.line(&format!("{neutral} = arith.constant {unit} : i32"));
        self.line(&format!(
            "{name} = {combinator} ({array} : [n]i32) init ({neutral} : i32) combine ({acc}, {x}) {{"
        ));
        self.line(&format!("  {sum} = {op} {acc}, {x} : i32"));
        self.line(&format!("  array.yield {sum} : i32"));
        self.line("}");
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_decides_the_program() {
        assert_eq!(program(7, 5), program(7, 5));
        assert_ne!(program(7, 5), program(8, 5));
    }
}
