//! Parts of random nested programs' rows: slices and filters whose extents each point decides, a chain of operations on them, and a
//! way back to a number or a row.

use super::{Env, OPERATORS, Shape, Writer, bare};
use crate::draft::{Draft, Drafting};

/// The type of a part: no size names its extent.
const PART: &str = "[?]i32";

impl Writer {
    /// A map over rows with parts of them.
    pub(super) fn parts_of_rows(&mut self, env: &mut Env, depth: usize) {
        let (row, x) = (self.name(), self.name());
        let mut inside = env.clone();
        inside.push((x.clone(), Vec::new()));
        inside.push((row.clone(), vec!["m"]));
        let mut yields = Env::new();
        let body = Draft::aside(self, |writer| {
            let before = writer.below(3);
            for _ in 0..before {
                writer.statement(&mut inside, depth - 1);
            }
            for _ in 0..1 + writer.below(2) {
                writer.part(&mut inside);
            }
            if writer.below(2) == 0 {
                writer.statement(&mut inside, depth - 1);
            }
            let last = inside.iter().rev().filter(|row| row.1.len() < 3);
            yields = last.take(2).cloned().collect();
        });
        let names: Vec<String> = yields.iter().map(|_| self.name()).collect();
        self.line(&format!(
            "{} = array.map ({row} in %xss : [n][m]i32, {x} in %xs : [n]i32) {{",
            names.join(", ")
        ));
        self.draft.text += &body;
        self.yielded(&yields);
        for (name, (_, shape)) in names.into_iter().zip(yields) {
            env.push((name, [&["n"], shape.as_slice()].concat()));
        }
    }

    /// A part of an array, what is done with it, and what comes of that.
    pub(super) fn part(&mut self, env: &mut Env) {
        let Some((array, shape)) = self.pick(env, |shape| shape.len() == 1) else {
            return;
        };
        let mut part = match self.below(4) {
            0 => self.kept(env, &array, &shape),
            _ => self.sliced(env, &array, &shape),
        };
        for _ in 0..self.below(4) {
            part = self.changed(env, part);
        }
        self.finished(env, &part, shape[0]);
    }

    /// The elements below a number.
    fn kept(&mut self, env: &Env, array: &str, shape: &[&str]) -> String {
        let limit = self.scalar(env);
        let (name, x, keep) = (self.name(), self.name(), self.name());
        self.line(&format!(
            "{name} = array.filter ({x} in {array} : {}) -> [?] {{\n\
             {keep} = arith.cmpi slt, {x}, {limit} : i32\narray.yield {keep} : i1\n}}",
            bare(shape)
        ));
        name
    }

    /// The first or last elements, as many as a number says, or every second of them.
    fn sliced(&mut self, env: &Env, array: &str, shape: &[&str]) -> String {
        let (value, size) = (self.scalar(env), shape[0]);
        let (number, most, count) = (self.name(), self.name(), self.name());
        self.line(&format!(
            "{number} = arith.index_cast {value} : i32 to index\n{most} = arith.addi %{size}, %c1 : index\n\
             {count} = arith.remui {number}, {most} : index"
        ));
        let (offset, some, step) = match self.below(4) {
            0 => {
                let offset = self.name();
                self.line(&format!("{offset} = arith.subi %{size}, {count} : index"));
                (offset, count, "%c1")
            }
            1 => {
                let half = self.name();
                self.line(&format!("{half} = arith.divui {count}, %c2 : index"));
                ("%c0".to_owned(), half, "%c2")
            }
            _ => ("%c0".to_owned(), count, "%c1"),
        };
        let name = self.name();
        self.line(&format!(
            "{name} = array.slice {array}[{offset}] sizes [{some}] strides [{step}] : {} -> {PART}",
            bare(shape)
        ));
        name
    }

    /// One operation on a part, which gives another one.
    fn changed(&mut self, env: &Env, of: String) -> String {
        let (name, x, y) = (self.name(), self.name(), self.name());
        let other = self.scalar(env);
        match self.below(12) {
            0 | 1 => self.line(&format!(
                "{name} = array.map ({x} in {of} : {PART}) {{\n{y} = arith.muli {x}, {other} : i32\narray.yield {y} : i32\n}}"
            )),
            2 | 3 => {
                let (op, unit) = OPERATORS[self.below(OPERATORS.len())];
                let kind = ["array.scan", "array.scan exclusive"][self.below(2)];
                let (start, sum) = (self.constant(unit), self.name());
                self.line(&format!(
                    "{name} = {kind} ({of} : {PART}) init ({start} : i32) combine ({x}, {y}) {{\n\
                     {sum} = {op} {x}, {y} : i32\narray.yield {sum} : i32\n}}"
                ));
            }
            4 => self.stencil_over(env, (&of, PART), 1, &name),
            5 => self.line(&format!("{name} = array.reverse {of}, 0 : {PART}")),
            6 => {
                let Some((row, shape)) = self.pick(env, |shape| shape.len() == 1) else {
                    return of;
                };
                let (a, b, sum, product) = (self.name(), self.name(), self.name(), self.name());
                self.line(&format!(
                    "{name} = array.map ({x} in {of} : {PART}) {{\n\
                     {y} = array.redomap ({a} in {row} : {}) init (%zero : i32) map {{\n\
                     {product} = arith.muli {a}, {x} : i32\narray.yield {product} : i32\n}} combine ({b}, {a}) {{\n\
                     {sum} = arith.addi {b}, {a} : i32\narray.yield {sum} : i32\n}}\narray.yield {y} : i32\n}}",
                    bare(&shape)
                ));
            }
            7 => {
                let (condition, limit) = (self.name(), self.scalar(env));
                self.line(&format!(
                    "{condition} = arith.cmpi slt, {other}, {limit} : i32\n\
                     {name} = scf.if {condition} -> (!array.array<{PART}>) {{\n\
                     {y} = array.reverse {of}, 0 : {PART}\nscf.yield {y} : !array.array<{PART}>\n}} else {{\n\
                     scf.yield {of} : !array.array<{PART}>\n}}"
                ));
            }
            8 => {
                let (few, count, i) = (self.name(), self.name(), self.name());
                let (carried, next) = (self.name(), self.name());
                self.line(&format!(
                    "{few} = arith.andi {other}, %three : i32\n{count} = arith.index_cast {few} : i32 to index\n\
                     {name} = scf.for {i} = %c0 to {count} step %c1 iter_args({carried} = {of}) -> (!array.array<{PART}>) {{\n\
                     {next} = array.map ({x} in {carried} : {PART}) {{\n\
                     {y} = arith.xori {x}, {other} : i32\narray.yield {y} : i32\n}}\n\
                     scf.yield {next} : !array.array<{PART}>\n}}"
                ));
            }
            9 | 10 => return self.thinned(env, &of),
            _ => {
                self.line(&format!(
                    "{name} = array.concat {of}, {of} : {PART}, {PART} -> {PART}"
                ));
            }
        }
        name
    }

    /// A part of which each round of a loop leaves less, or which it takes as it was before, as long as its elements say.
    fn thinned(&mut self, env: &Env, of: &str) -> String {
        let (name, count, carried, sum) = (self.name(), self.name(), self.name(), self.name());
        let (few, first, second, going) = (self.name(), self.name(), self.name(), self.name());
        let (counted, held, next, left) = (self.name(), self.name(), self.name(), self.name());
        let (other, limit, x, y) = (self.scalar(env), self.scalar(env), self.name(), self.name());
        let list = format!("!array.array<{PART}>");
        self.line(&format!(
            "{few} = arith.andi {other}, %three : i32\n\
             {name}:2 = scf.while ({count} = %zero, {carried} = {of}) : (i32, {list}) -> (i32, {list}) {{\n\
             {sum} = array.reduce ({carried} : {PART}) init (%zero : i32) combine arith.xori\n\
             {first} = arith.cmpi slt, {count}, {few} : i32\n{second} = arith.cmpi ne, {sum}, {limit} : i32\n\
             {going} = arith.andi {first}, {second} : i1\n\
             scf.condition({going}) {count}, {carried} : i32, {list}\n}} do {{\n^bb0({counted}: i32, {held}: {list}):\n\
             {next} = arith.addi {counted}, %one : i32"
        ));
        match self.below(3) {
            0 => self.line(&format!(
                "{left} = array.filter ({x} in {held} : {PART}) -> [?] {{\n\
                 {y} = arith.cmpi ne, {x}, {counted} : i32\narray.yield {y} : i1\n}}"
            )),
            1 => self.line(&format!(
                "{x} = array.dim {held}, 0 : {PART}\n{y} = arith.divui {x}, %c2 : index\n\
                 {left} = array.slice {held}[%c0] sizes [{y}] strides [%c1] : {PART} -> {PART}"
            )),
            _ => {
                let odd = self.name();
                self.line(&format!(
                    "{x} = arith.andi {counted}, %one : i32\n{odd} = arith.cmpi eq, {x}, %one : i32\n\
                     {left} = scf.if {odd} -> ({list}) {{\nscf.yield {of} : {list}\n}} else {{\n\
                     {y} = array.reverse {held}, 0 : {PART}\nscf.yield {y} : {list}\n}}"
                ));
            }
        }
        self.line(&format!("scf.yield {next}, {left} : i32, {list}\n}}"));
        format!("{name}#1")
    }

    /// A number or a row of a named size that comes of a part.
    fn finished(&mut self, env: &mut Env, of: &str, size: &'static str) {
        let name = self.name();
        if self.below(2) == 0 {
            let (op, unit) = OPERATORS[self.below(OPERATORS.len())];
            let (start, x, y, sum) = (self.constant(unit), self.name(), self.name(), self.name());
            self.line(&format!(
                "{name} = array.reduce ({of} : {PART}) init ({start} : i32) combine ({x}, {y}) {{\n\
                 {sum} = {op} {x}, {y} : i32\narray.yield {sum} : i32\n}}"
            ));
            env.push((name, Shape::new()));
            return;
        }
        let (count, rest, more, padded) = (self.name(), self.name(), self.name(), self.name());
        let fill = self.scalar(env);
        self.line(&format!(
            "{count} = array.dim {of}, 0 : {PART}\n{rest} = arith.subi %{size}, {count} : index\n\
             {more} = arith.maxsi {rest}, %c0 : index\n\
             {padded} = array.pad {of}, {fill} low [%c0] high [{more}] : {PART} -> {PART}\n\
             {name} = array.slice {padded}[%c0] sizes [%{size}] strides [%c1] : {PART} -> [{size}]i32"
        ));
        env.push((name, vec![size]));
    }
}
