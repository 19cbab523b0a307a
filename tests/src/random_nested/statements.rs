//! The rarer statements of random nested programs: fused scans, operators that choose between rows, scatter and
//! histograms, updates in loops, layout ops there and back.

use super::{Env, OPERATORS, Writer, bare, type_of};
use crate::draft::{Draft, Drafting};

impl Writer {
    /// A map fused into a scan, with an array beside.
    pub(super) fn scanomap(&mut self, env: &mut Env) {
        let Some((array, shape)) = self.pick(env, |shape| shape.len() == 1) else {
            return;
        };
        let (op, unit) = OPERATORS[self.below(OPERATORS.len())];
        let (start, other) = (self.start(env, unit, &[]), self.scalar(env));
        let kind = ["array.scanomap", "array.scanomap exclusive"][self.below(2)];
        let (name, kept, x, y) = (self.name(), self.name(), self.name(), self.name());
        let (a, b, c) = (self.name(), self.name(), self.name());
        self.line(&format!(
            "{name}, {kept} = {kind} ({x} in {array} : {}) init ({start} : i32) map {{\n\
             {y} = arith.xori {x}, {other} : i32\narray.yield {y}, {y} : i32, i32\n}} combine ({a}, {b}) {{\n\
             {c} = {op} {a}, {b} : i32\narray.yield {c} : i32\n}}",
            bare(&shape)
        ));
        env.push((kept, shape.clone()));
        env.push((name, shape));
    }

    /// A reduction, scan or histogram fused with a map that has statements of its own.
    pub(super) fn deep(&mut self, env: &mut Env, depth: usize) {
        let Some((array, shape)) = self.pick(env, |shape| !shape.is_empty()) else {
            return;
        };
        let (op, unit) = OPERATORS[self.below(OPERATORS.len())];
        let (neutral, element) = (self.constant(unit), self.name());
        let mut inside = env.clone();
        inside.push((element.clone(), shape[1..].to_vec()));
        let (mut value, mut beside) = (String::new(), None);
        let body = Draft::aside(self, |body| {
            let inside = body.block(&inside, depth);
            value = body.scalar(&inside);
            beside = inside.iter().rev().find(|row| row.1.len() < 2).cloned();
        });
        let (name, kept, a, b, c) = (
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
        );
        let head = format!("({element} in {array} : {})", bare(&shape));
        let operator =
            format!("combine ({a}, {b}) {{\n{c} = {op} {a}, {b} : i32\narray.yield {c} : i32\n}}");
        let kind = self.below(3);
        if kind == 2 {
            let (few, bin) = (self.name(), self.name());
            self.line(&format!(
                "{name} = array.hist {head} into (%xs : [n]i32) neutral ({neutral} : i32) map {{\n{}\
                 {few} = arith.andi {value}, %three : i32\n{bin} = arith.index_cast {few} : i32 to index\n\
                 array.yield {bin}, {value} : index, i32\n}} {operator}",
                body
            ));
            env.push((name, vec!["n"]));
            return;
        }
        let start = self.start(env, unit, &[]);
        let (other, row) = beside.unwrap_or((value.clone(), Vec::new()));
        let kind = ["array.redomap", "array.scanomap"][kind];
        self.line(&format!(
            "{name}, {kept} = {kind} {head} init ({start} : i32) map {{\n{}\
             array.yield {value}, {other} : i32, {}\n}} {operator}",
            body,
            type_of(&row)
        ));
        let whole: Vec<&'static str> = shape[..1].iter().chain(&row).copied().collect();
        env.push((kept, whole));
        env.push((
            name,
            if kind == "array.redomap" {
                Vec::new()
            } else {
                vec![shape[0]]
            },
        ));
    }

    /// The row with the largest maximum, the first of them: an operator over arrays with a reduction and a branch.
    pub(super) fn best_row(&mut self, env: &mut Env) {
        let Some((array, shape)) = self.pick(env, |shape| shape.len() == 2) else {
            return;
        };
        let (row, size) = (bare(&shape[1..]), shape[1]);
        let (low, units, name, x, acc) = (
            self.constant(-2_147_483_648),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
        );
        let ty = type_of(&shape[1..]);
        self.line(&format!(
            "{units} = array.replicate {low}, [%{size}] : i32 -> {row}"
        ));
        self.line(&format!(
            "{name} = array.reduce ({array} : {}) init ({units} : {row}) neutral ({units} : {row}) combine ({acc}, {x}) {{",
            bare(&shape)
        ));
        let (mine, theirs) = (self.largest(&acc, &row, &low), self.largest(&x, &row, &low));
        let (more, best) = (self.name(), self.name());
        self.line(&format!("{more} = arith.cmpi sge, {mine}, {theirs} : i32"));
        self.line(&format!(
            "{best} = scf.if {more} -> ({ty}) {{\nscf.yield {acc} : {ty}\n}} else {{\nscf.yield {x} : {ty}\n}}\n\
             array.yield {best} : {row}\n}}"
        ));
        env.push((name, shape[1..].to_vec()));
    }

    fn largest(&mut self, array: &str, ty: &str, low: &str) -> String {
        let (name, x, acc, y) = (self.name(), self.name(), self.name(), self.name());
        self.line(&format!(
            "{name} = array.reduce ({array} : {ty}) init ({low} : i32) combine ({acc}, {x}) {{\n\
             {y} = arith.maxsi {acc}, {x} : i32\narray.yield {y} : i32\n}}"
        ));
        name
    }

    /// Rows or numbers scattered to places of their own, some out of range.
    pub(super) fn scatter(&mut self, env: &mut Env) {
        let Some((target, shape)) = self.pick(env, |shape| matches!(shape.len(), 1 | 2)) else {
            return;
        };
        let row = shape[1..].to_vec();
        let source = self.pick(env, |other| !other.is_empty() && other[1..] == row);
        let Some((source, from)) = source else { return };
        let (offset, is, i, x, at) = (
            self.below(3),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
        );
        let (shift, back, name) = (self.name(), self.name(), self.name());
        let outer = from[0];
        self.line(&format!("{is} = array.iota %{outer} : [{outer}]index"));
        self.line(&format!("{shift} = arith.constant {offset} : index"));
        let place = match self.below(2) {
            0 => format!(
                "{back} = arith.subi %{outer}, {i} : index\n{at} = arith.subi {back}, {shift} : index"
            ),
            _ => format!("{at} = arith.addi {i}, {shift} : index"),
        };
        let ty = if row.is_empty() {
            "i32".to_owned()
        } else {
            bare(&row)
        };
        self.line(&format!(
            "{name} = array.scatter ({i} in {is} : [{outer}]index, {x} in {source} : {}) into ({target} : {}) {{\n\
             {place}\narray.yield {at}, {x} : index, {ty}\n}}",
            bare(&from),
            bare(&shape)
        ));
        env.push((name, shape));
    }

    /// A histogram of numbers or of rows; a quarter of what is counted is out of range.
    pub(super) fn hist(&mut self, env: &mut Env) {
        let Some((target, shape)) = self.pick(env, |shape| matches!(shape.len(), 1 | 2)) else {
            return;
        };
        let row = shape[1..].to_vec();
        let source = self.pick(env, |other| !other.is_empty() && other[1..] == row);
        let (Some((source, from)), Some((keys, _))) = (
            source,
            self.pick(env, |shape| shape.len() == 1 && shape[0] == "n"),
        ) else {
            return;
        };
        if from[0] != "n" {
            return;
        }
        let (op, unit) = OPERATORS[self.below(OPERATORS.len())];
        let (neutral, name, x, key) = (self.constant(unit), self.name(), self.name(), self.name());
        let units = self.units(&neutral, &row);
        let (few, less, bin, a, b) = (
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
        );
        let ty = if row.is_empty() {
            "i32".to_owned()
        } else {
            bare(&row)
        };
        let mut combined = String::new();
        let operator = Draft::aside(self, |body| combined = body.elementwise(op, &a, &b, &row));
        self.line(&format!(
            "{name} = array.hist ({x} in {source} : {}, {key} in {keys} : [n]i32) into ({target} : {}) neutral ({units} : {ty}) map {{\n\
             {few} = arith.andi {key}, %three : i32\n{less} = arith.subi {few}, %one : i32\n\
             {bin} = arith.index_cast {less} : i32 to index\narray.yield {bin}, {x} : index, {ty}\n}} combine ({a}, {b}) {{\n\
             {}array.yield {combined} : {ty}\n}}",
            bare(&from),
            bare(&shape),
            operator
        ));
        env.push((name, shape));
    }

    /// A loop over the elements of an array that reads one and updates it.
    pub(super) fn updates(&mut self, env: &mut Env) {
        let Some((array, shape)) = self.pick(env, |shape| shape.len() == 1) else {
            return;
        };
        let (outer, other, ty) = (shape[0], self.scalar(env), bare(&shape));
        let (name, i, carried, old, new, next) = (
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
        );
        let whole = type_of(&shape);
        self.line(&format!(
            "{name} = scf.for {i} = %c0 to %{outer} step %c1 iter_args({carried} = {array}) -> ({whole}) {{\n\
             {old} = array.index {carried}[{i}] : {ty}\n{new} = arith.subi {old}, {other} : i32\n\
             {next} = array.update {new}, {carried}[{i}] : i32, {ty}\nscf.yield {next} : {whole}\n}}"
        ));
        env.push((name, shape));
    }

    /// Layout ops that come back to the shape they started from.
    pub(super) fn moved(&mut self, env: &mut Env) {
        let Some((array, shape)) = self.pick(env, |shape| !shape.is_empty()) else {
            return;
        };
        let (first, name) = (self.name(), self.name());
        let (ty, outer) = (bare(&shape), shape[0]);
        match (shape.len(), self.below(2)) {
            (1, 0) => {
                let Some((other, second)) = self.pick(env, |shape| shape.len() == 1) else {
                    return;
                };
                self.line(&format!(
                    "{first} = array.concat {other}, {array} : {}, {ty} -> [?]i32",
                    bare(&second)
                ));
                self.line(&format!(
                    "{name} = array.slice {first}[%{}] sizes [%{outer}] strides [%c1] : [?]i32 -> {ty}",
                    second[0]
                ));
            }
            (1, _) => {
                let fill = self.scalar(env);
                let from = ["%c0", "%c1"][self.below(2)];
                self.line(&format!(
                    "{first} = array.pad {array}, {fill} low [%c1] high [%c1] : {ty} -> [?]i32"
                ));
                self.line(&format!(
                    "{name} = array.slice {first}[{from}] sizes [%{outer}] strides [%c1] : [?]i32 -> {ty}"
                ));
            }
            (2, _) => {
                let (count, turned) = (self.name(), self.name());
                let inner = shape[1];
                self.line(&format!("{count} = arith.muli %{outer}, %{inner} : index"));
                self.line(&format!(
                    "{first} = array.reshape {array}, [{count}] : {ty} -> [?]i32"
                ));
                self.line(&format!("{turned} = array.reverse {first}, 0 : [?]i32"));
                self.line(&format!(
                    "{name} = array.reshape {turned}, [%{outer}, %{inner}] : [?]i32 -> {ty}"
                ));
            }
            _ => return,
        }
        env.push((name, shape));
    }
}
