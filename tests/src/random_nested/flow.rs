//! Control flow of random nested programs: loops, branches, and what only one side of a branch can do.

use super::{Env, Writer, bare, type_of};
use crate::draft::Drafting;

/// The last value of a shape, else another one.
fn last_like(env: &Env, shape: &[&'static str], otherwise: &str) -> String {
    let last = env.iter().rev().find(|row| row.1 == shape);
    last.map_or_else(|| otherwise.to_owned(), |row| row.0.clone())
}

impl Writer {
    /// A counted loop that carries one value of any shape; in a map its bound may differ between points.
    pub(super) fn repeat(&mut self, env: &mut Env, depth: usize) {
        let Some((init, shape)) = self.pick(env, |shape| shape.len() < 3) else {
            return;
        };
        let bound = if self.below(2) == 0 {
            "%count".to_owned()
        } else {
            let (value, few, count) = (self.scalar(env), self.name(), self.name());
            self.line(&format!("{few} = arith.andi {value}, %three : i32"));
            self.line(&format!("{count} = arith.index_cast {few} : i32 to index"));
            count
        };
        let (name, i, carried) = (self.name(), self.name(), self.name());
        let ty = type_of(&shape);
        self.line(&format!(
            "{name} = scf.for {i} = %c0 to {bound} step %c1 iter_args({carried} = {init}) -> ({ty}) {{"
        ));
        let mut inside = env.clone();
        inside.push((carried, shape.clone()));
        let inside = self.block(&inside, depth);
        let last = last_like(&inside, &shape, &init);
        self.line(&format!("scf.yield {last} : {ty}\n}}"));
        env.push((name, shape));
    }

    /// A branch by a condition that in a map may differ between points.
    pub(super) fn branch(&mut self, env: &mut Env, depth: usize) {
        let Some((other, shape)) = self.pick(env, |shape| shape.len() < 3) else {
            return;
        };
        let (a, b, condition, name) =
            (self.scalar(env), self.scalar(env), self.name(), self.name());
        let ty = type_of(&shape);
        self.line(&format!("{condition} = arith.cmpi slt, {a}, {b} : i32"));
        self.line(&format!("{name} = scf.if {condition} -> ({ty}) {{"));
        let inside = self.block(env, depth);
        let last = last_like(&inside, &shape, &other);
        self.line(&format!("scf.yield {last} : {ty}\n}} else {{"));
        self.line(&format!("scf.yield {other} : {ty}\n}}"));
        env.push((name, shape));
    }

    /// A loop that goes on while a counter is below a bound, which in a map may differ between points.
    pub(super) fn repeat_while(&mut self, env: &mut Env, depth: usize) {
        let Some((init, shape)) = self.pick(env, |shape| shape.len() < 2) else {
            return;
        };
        let (value, few) = (self.scalar(env), self.name());
        self.line(&format!("{few} = arith.andi {value}, %three : i32"));
        let made = self.counts_while(env, &shape, &init, (&few, "%one"), depth);
        env.push((made, shape));
    }

    /// One of three blocks, by a number that in a map may differ between points.
    pub(super) fn switch(&mut self, env: &mut Env, depth: usize) {
        let Some((other, shape)) = self.pick(env, |shape| shape.len() < 3) else {
            return;
        };
        let (value, few, number, name) = (self.scalar(env), self.name(), self.name(), self.name());
        let ty = type_of(&shape);
        self.line(&format!(
            "{few} = arith.andi {value}, %three : i32\n{number} = arith.index_cast {few} : i32 to index\n\
             {name} = scf.index_switch {number} -> {ty}"
        ));
        for case in ["case 3", "case 0", "default"] {
            self.line(&format!("{case} {{"));
            let inside = self.block(env, depth);
            let last = last_like(&inside, &shape, &other);
            self.line(&format!("scf.yield {last} : {ty}\n}}"));
        }
        env.push((name, shape));
    }

    /// A map over rows with such a branch.
    pub(super) fn guarded_rows(&mut self, env: &mut Env, depth: usize) {
        let (name, row, x) = (self.name(), self.name(), self.name());
        let mut inside = env.clone();
        inside.push((x.clone(), Vec::new()));
        inside.push((row.clone(), vec!["m"]));
        self.line(&format!(
            "{name} = array.map ({row} in %xss : [n][m]i32, {x} in %xs : [n]i32) {{"
        ));
        self.guarded(&mut inside, depth);
        let (made, shape) = inside.pop().unwrap_or((row, vec!["m"]));
        self.line(&format!("array.yield {made} : {}\n}}", type_of(&shape)));
        let over = [&["n"], shape.as_slice()].concat();
        env.push((name, over));
    }

    /// A branch whose first side would not end, or fail, with the numbers of points that take the other: in it a number is
    /// divided by, an element read at it, and a loop goes on by it.
    pub(super) fn guarded(&mut self, env: &mut Env, depth: usize) {
        let Some((other, shape)) = self.pick(env, |shape| shape.len() < 2) else {
            return;
        };
        let Some((array, from)) = self.pick(env, |shape| shape.len() == 1) else {
            return;
        };
        let (value, few, step) = (self.scalar(env), self.name(), self.name());
        let (first, second, condition, name) = (self.name(), self.name(), self.name(), self.name());
        let (ty, size) = (type_of(&shape), from[0]);
        self.line(&format!(
            "{few} = arith.andi {value}, %three : i32\n{step} = arith.index_cast {few} : i32 to index\n\
             {first} = arith.cmpi sgt, {few}, %zero : i32\n{second} = arith.cmpi slt, {step}, %{size} : index\n\
             {condition} = arith.andi {first}, {second} : i1\n{name} = scf.if {condition} -> ({ty}) {{"
        ));
        let (part, element) = (self.name(), self.name());
        self.line(&format!(
            "{part} = arith.divsi {value}, {few} : i32\n{element} = array.index {array}[{step}] : {}",
            bare(&from)
        ));
        let mut inside = env.clone();
        inside.push((part.clone(), Vec::new()));
        inside.push((element.clone(), Vec::new()));
        let init = self.pick(&inside, |own| *own == shape);
        let init = init.map_or_else(|| other.clone(), |row| row.0);
        let made = match self.below(2) {
            0 => self.steps(&inside, &shape, (&init, &step), depth),
            _ => self.counts_while(&inside, &shape, &init, ("%three", &few), depth),
        };
        inside.push((made.clone(), shape.clone()));
        let third = match shape.is_empty() {
            true => made,
            false => self.scalar(&inside),
        };
        let sum = self.sum_with((&array, &from), [&part, &element, &third]);
        inside.push((sum, Vec::new()));
        let inside = self.block(&inside, depth);
        let last = last_like(&inside, &shape, &other);
        self.line(&format!(
            "scf.yield {last} : {ty}\n}} else {{\nscf.yield {other} : {ty}\n}}"
        ));
        env.push((name, shape));
    }

    /// The sum of an array's elements, each with three numbers.
    fn sum_with(&mut self, (array, shape): (&str, &[&'static str]), with: [&str; 3]) -> String {
        let (name, x, acc, all) = (self.name(), self.name(), self.name(), self.name());
        let [first, second, third] = with.map(|_| self.name());
        let [a, b, c] = with;
        self.line(&format!(
            "{name} = array.redomap ({x} in {array} : {}) init (%zero : i32) map {{\n\
             {first} = arith.xori {x}, {a} : i32\n{second} = arith.addi {first}, {b} : i32\n\
             {third} = arith.xori {second}, {c} : i32\narray.yield {third} : i32\n}} combine ({acc}, {x}) {{\n\
             {all} = arith.addi {acc}, {x} : i32\narray.yield {all} : i32\n}}",
            bare(shape)
        ));
        name
    }

    /// A loop that counts up to 3 by a step.
    fn steps(
        &mut self,
        env: &Env,
        shape: &[&'static str],
        (init, step): (&str, &str),
        depth: usize,
    ) -> String {
        let (name, at, upper, carried) = (self.name(), self.name(), self.name(), self.name());
        let ty = type_of(shape);
        let unsigned = ["", "unsigned "][self.below(2)];
        self.line(&format!(
            "{upper} = arith.addi %c1, %c2 : index\n\
             {name} = scf.for {unsigned}{at} = %c0 to {upper} step {step} iter_args({carried} = {init}) -> ({ty}) {{"
        ));
        let mut env = env.clone();
        env.push((carried.clone(), shape.to_vec()));
        let inside = self.block(&env, depth);
        let last = last_like(&inside, shape, &carried);
        self.line(&format!("scf.yield {last} : {ty}\n}}"));
        name
    }

    /// A loop that goes on while a counter is below a bound, which it comes to by a number above 0.
    fn counts_while(
        &mut self,
        env: &Env,
        shape: &[&'static str],
        init: &str,
        (bound, by): (&str, &str),
        depth: usize,
    ) -> String {
        let (name, count, carried) = (self.name(), self.name(), self.name());
        let (going, counted, held, next) = (self.name(), self.name(), self.name(), self.name());
        let ty = type_of(shape);
        self.line(&format!(
            "{name}:2 = scf.while ({count} = %zero, {carried} = {init}) : (i32, {ty}) -> (i32, {ty}) {{\n\
             {going} = arith.cmpi slt, {count}, {bound} : i32\n\
             scf.condition({going}) {count}, {carried} : i32, {ty}\n}} do {{\n^bb0({counted}: i32, {held}: {ty}):\n\
             {next} = arith.addi {counted}, {by} : i32"
        ));
        let mut env = env.clone();
        env.push((held.clone(), shape.to_vec()));
        let inside = self.block(&env, depth);
        let last = last_like(&inside, shape, &held);
        self.line(&format!("scf.yield {next}, {last} : i32, {ty}\n}}"));
        format!("{name}#1")
    }
}
