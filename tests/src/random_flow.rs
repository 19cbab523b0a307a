//! Random programs with control flow, memory and calls, as text, from a seed: the same on every machine.
//!
//! Every program has a function `@main` of two `i32` that returns two, and functions it calls. It ends, cannot fail at
//! run time (indices are in range, divisors are not zero), and uses integers only: any two correct ways to run it give
//! the same result bit for bit. Inside are structured loops and branches, blocks with loops and diamonds, blocks no
//! control reaches, memory on the stack, recursion, constants enough for something to be known.
//!
//! Deliberately absent: running anything (the property tests do).

use crate::draft::{Draft, Drafting};
use std::fmt::Write;

/// The text of a program whose functions have about `size` statements each.
pub fn flow_program(seed: u64, size: usize) -> String {
    let mut writer = Writer {
        draft: Draft::new(seed, 1),
        helpers: 0,
    };
    for helper in 0..2 {
        let name = format!("helper{helper}");
        match helper {
            0 => writer.blocks_function(&name, size),
            _ => writer.structured_function(&name, "private ", size / 2 + 1),
        }
        writer.helpers += 1;
    }
    writer.recursive_function();
    writer.structured_function("inner", "private ", size);
    writer.main();
    writer.draft.text
}

struct Writer {
    draft: Draft,
    /// How many of the helper functions may be called.
    helpers: usize,
}

const OPS: &[&str] = &[
    "arith.addi",
    "arith.subi",
    "arith.muli",
    "arith.minsi",
    "arith.maxui",
    "arith.ori",
    "arith.xori",
    "arith.andi",
];
const PREDICATES: &[&str] = &["eq", "ne", "slt", "sle", "ugt", "uge"];
const CONSTANTS: &[i64] = &[0, 1, 2, -1, 7, 255];

impl Drafting for Writer {
    fn draft(&mut self) -> &mut Draft {
        &mut self.draft
    }
}

impl Writer {
    fn label(&mut self) -> String {
        format!("^b{}", self.draft.number())
    }
    fn pick(&mut self, scalars: &[String]) -> String {
        // Later values more often, so that much of what is computed matters.
        let near = scalars.len().min(4);
        let from = if self.below(3) > 0 {
            scalars.len() - near
        } else {
            0
        };
        scalars[from + self.below(scalars.len() - from)].clone()
    }
    fn constant(&mut self) -> String {
        let name = self.name();
        let value = CONSTANTS[self.below(CONSTANTS.len())];
        self.line(&format!("{name} = arith.constant {value} : i32"));
        name
    }
    fn index(&mut self, value: usize) -> String {
        let name = self.name();
        self.line(&format!("{name} = arith.constant {value} : index"));
        name
    }
    fn scalar(&mut self, scalars: &[String]) -> String {
        match self.below(8) {
            0 => self.constant(),
            1 => {
                let (three, name, a) = (self.name(), self.name(), self.pick(scalars));
                self.line(&format!("{three} = arith.constant 3 : i32"));
                let op =
                    ["arith.divui", "arith.divsi", "arith.remui", "arith.shrsi"][self.below(4)];
                self.line(&format!("{name} = {op} {a}, {three} : i32"));
                name
            }
            2 => {
                let (condition, name) = (self.condition(scalars), self.name());
                let (a, b) = (self.pick(scalars), self.pick(scalars));
                self.line(&format!(
                    "{name} = arith.select {condition}, {a}, {b} : i32"
                ));
                name
            }
            _ => {
                let (name, a, b) = (self.name(), self.pick(scalars), self.pick(scalars));
                let op = OPS[self.below(OPS.len())];
                self.line(&format!("{name} = {op} {a}, {b} : i32"));
                name
            }
        }
    }
    fn condition(&mut self, scalars: &[String]) -> String {
        let (name, a, b) = (self.name(), self.pick(scalars), self.pick(scalars));
        let predicate = PREDICATES[self.below(PREDICATES.len())];
        self.line(&format!("{name} = arith.cmpi {predicate}, {a}, {b} : i32"));
        name
    }
    /// Slots on the stack, some of them with a first value.
    fn slots(&mut self, scalars: &[String]) -> Vec<String> {
        let mut slots = Vec::new();
        for _ in 0..self.below(3) {
            let name = self.name();
            self.line(&format!("{name} = memref.alloca() : memref<i32>"));
            if self.below(3) > 0 {
                let value = self.pick(scalars);
                self.line(&format!("memref.store {value}, {name}[] : memref<i32>"));
            }
            slots.push(name);
        }
        slots
    }
    fn statement(&mut self, scalars: &mut Vec<String>, slots: &[String], nesting: usize) {
        let value = match self.below(12) {
            0 | 1 if !slots.is_empty() => {
                let (name, slot) = (self.name(), slots[self.below(slots.len())].clone());
                self.line(&format!("{name} = memref.load {slot}[] : memref<i32>"));
                name
            }
            2 | 3 if !slots.is_empty() => {
                let (value, slot) = (self.pick(scalars), slots[self.below(slots.len())].clone());
                self.line(&format!("memref.store {value}, {slot}[] : memref<i32>"));
                return;
            }
            4 if nesting > 0 => self.branch(scalars, slots, nesting - 1),
            5 if nesting > 0 => self.counted(scalars, slots, nesting - 1),
            6 if nesting > 0 => self.repeated(scalars, slots, nesting - 1),
            7 if self.helpers > 0 => {
                let callee = self.below(self.helpers);
                let (name, a, b) = (self.name(), self.pick(scalars), self.pick(scalars));
                self.line(&format!(
                    "{name} = func.call @helper{callee}({a}, {b}) : (i32, i32) -> i32"
                ));
                name
            }
            _ => self.scalar(scalars),
        };
        scalars.push(value);
    }
    fn body(&mut self, scalars: &[String], slots: &[String], nesting: usize) -> Vec<String> {
        let mut inside = scalars.to_vec();
        for _ in 0..1 + self.below(4) {
            self.statement(&mut inside, slots, nesting);
        }
        inside
    }
    fn branch(&mut self, scalars: &[String], slots: &[String], nesting: usize) -> String {
        let (condition, name) = (self.condition(scalars), self.name());
        self.line(&format!("{name} = scf.if {condition} -> (i32) {{"));
        for side in 0..2 {
            self.draft.depth += 1;
            let inside = self.body(scalars, slots, nesting);
            let last = self.pick(&inside);
            self.line(&format!("scf.yield {last} : i32"));
            self.draft.depth -= 1;
            self.line(if side == 0 { "} else {" } else { "}" });
        }
        if self.below(2) == 0 && !slots.is_empty() {
            // One without results, that may store.
            let condition = self.condition(scalars);
            self.line(&format!("scf.if {condition} {{"));
            self.draft.depth += 1;
            self.body(scalars, slots, 0);
            self.draft.depth -= 1;
            self.line("}");
        }
        name
    }
    fn counted(&mut self, scalars: &[String], slots: &[String], nesting: usize) -> String {
        let (from, trips, by) = (self.below(3), self.below(6), 1 + self.below(3));
        let (lower, upper, step) = (self.index(from), self.index(from + trips), self.index(by));
        let (name, iv, carried, number) = (self.name(), self.name(), self.name(), self.name());
        let (start, other) = (self.pick(scalars), self.pick(scalars));
        let kept = self.name();
        self.line(&format!(
            "{name}:2 = scf.for {iv} = {lower} to {upper} step {step} iter_args({carried} = {start}, {kept} = {other}) \
             -> (i32, i32) {{"
        ));
        self.draft.depth += 1;
        self.line(&format!("{number} = arith.index_cast {iv} : index to i32"));
        let mut inside = scalars.to_vec();
        inside.extend([kept.clone(), number, carried]);
        let inside = self.body(&inside, slots, nesting);
        let (next, also) = (
            self.pick(&inside),
            if self.below(2) == 0 {
                kept
            } else {
                self.pick(&inside)
            },
        );
        self.line(&format!("scf.yield {next}, {also} : i32, i32"));
        self.draft.depth -= 1;
        self.line("}");
        format!("{name}#{}", self.below(2))
    }
    fn repeated(&mut self, scalars: &[String], slots: &[String], nesting: usize) -> String {
        let (zero, most, one, name) = (self.name(), self.name(), self.name(), self.name());
        let (count, value, again, condition) = (self.name(), self.name(), self.name(), self.name());
        let start = self.pick(scalars);
        let limit = self.below(4);
        self.line(&format!("{zero} = arith.constant 0 : i32"));
        self.line(&format!("{one} = arith.constant 1 : i32"));
        self.line(&format!("{most} = arith.constant {limit} : i32"));
        self.line(&format!(
            "{name}:2 = scf.while ({count} = {zero}, {value} = {start}) : (i32, i32) -> (i32, i32) {{"
        ));
        self.draft.depth += 1;
        self.line(&format!(
            "{condition} = arith.cmpi slt, {count}, {most} : i32"
        ));
        let mut inside = scalars.to_vec();
        inside.extend([count.clone(), value]);
        let inside = self.body(&inside, slots, nesting);
        let passed = self.pick(&inside);
        self.line(&format!(
            "scf.condition({condition}) {count}, {passed} : i32, i32"
        ));
        self.draft.depth -= 1;
        self.line("} do {");
        let (counted, held) = (self.name(), self.name());
        self.line(&format!("^bb0({counted}: i32, {held}: i32):"));
        self.draft.depth += 1;
        self.line(&format!("{again} = arith.addi {counted}, {one} : i32"));
        let mut inside = scalars.to_vec();
        inside.extend([counted, held]);
        let inside = self.body(&inside, slots, 0);
        let next = self.pick(&inside);
        self.line(&format!("scf.yield {again}, {next} : i32, i32"));
        self.draft.depth -= 1;
        self.line("}");
        format!("{name}#1")
    }
    fn structured_function(&mut self, name: &str, visibility: &str, size: usize) {
        let _ = writeln!(
            self.draft.text,
            "func.func {visibility}@{name}(%a: i32, %b: i32) -> i32 {{"
        );
        let mut scalars = vec!["%a".to_owned(), "%b".to_owned()];
        let first = self.constant();
        scalars.push(first);
        let slots = self.slots(&scalars);
        for _ in 0..size {
            self.statement(&mut scalars, &slots, 2);
        }
        let last = self.pick(&scalars);
        self.line(&format!("func.return {last} : i32"));
        self.draft.text += "}\n";
    }
    /// A function of blocks: straight pieces, diamonds and counted loops, in a row; and blocks nobody goes to.
    fn blocks_function(&mut self, name: &str, size: usize) {
        let _ = writeln!(
            self.draft.text,
            "func.func private @{name}(%a: i32, %b: i32) -> i32 {{"
        );
        let mut scalars = vec!["%a".to_owned(), "%b".to_owned()];
        let (zero, one) = (self.name(), self.name());
        self.line(&format!("{zero} = arith.constant 0 : i32"));
        self.line(&format!("{one} = arith.constant 1 : i32"));
        scalars.extend([zero.clone(), one.clone()]);
        let slots = self.slots(&scalars);
        for _ in 0..1 + size / 3 {
            match self.below(4) {
                0 => self.statement(&mut scalars, &slots, 1),
                1 => self.block_loop(&mut scalars, &slots, &zero, &one),
                _ => self.diamond(&mut scalars, &slots),
            }
        }
        let last = self.pick(&scalars);
        self.line(&format!("func.return {last} : i32"));
        if self.below(3) == 0 {
            let (label, value) = (self.label(), self.name());
            self.line(&format!("{label}:"));
            self.line(&format!("{value} = arith.addi {last}, {last} : i32"));
            self.line(&format!("cf.br {label}"));
        }
        self.draft.text += "}\n";
    }
    fn diamond(&mut self, scalars: &mut Vec<String>, slots: &[String]) {
        let (left, right, join) = (self.label(), self.label(), self.label());
        let condition = match self.below(4) {
            0 => {
                let name = self.name();
                self.line(&format!("{name} = arith.constant true"));
                name
            }
            _ => self.condition(scalars),
        };
        self.line(&format!("cf.cond_br {condition}, {left}, {right}"));
        for label in [&left, &right] {
            self.line(&format!("{label}:"));
            let inside = self.body(scalars, slots, 0);
            let (x, y) = (self.pick(&inside), self.pick(&inside));
            self.line(&format!("cf.br {join}({x}, {y} : i32, i32)"));
        }
        let (x, y) = (self.name(), self.name());
        self.line(&format!("{join}({x}: i32, {y}: i32):"));
        scalars.extend([x, y]);
    }
    fn block_loop(&mut self, scalars: &mut Vec<String>, slots: &[String], zero: &str, one: &str) {
        let (head, body, exit) = (self.label(), self.label(), self.label());
        let (count, value, most, going, next) = (
            self.name(),
            self.name(),
            self.name(),
            self.name(),
            self.name(),
        );
        let start = self.pick(scalars);
        let limit = self.below(4);
        self.line(&format!("{most} = arith.constant {limit} : i32"));
        self.line(&format!("cf.br {head}({zero}, {start} : i32, i32)"));
        self.line(&format!("{head}({count}: i32, {value}: i32):"));
        self.line(&format!("{going} = arith.cmpi slt, {count}, {most} : i32"));
        self.line(&format!("cf.cond_br {going}, {body}, {exit}"));
        self.line(&format!("{body}:"));
        let mut inside = scalars.clone();
        inside.extend([count.clone(), value.clone()]);
        let inside = self.body(&inside, slots, 1);
        let carried = self.pick(&inside);
        self.line(&format!("{next} = arith.addi {count}, {one} : i32"));
        self.line(&format!("cf.br {head}({next}, {carried} : i32, i32)"));
        self.line(&format!("{exit}:"));
        scalars.extend([count, value]);
    }
    fn recursive_function(&mut self) {
        self.draft.text += "func.func private @recursive(%n: i32, %s: i32) -> i32 {\n  \
            %zero = arith.constant 0 : i32\n  %one = arith.constant 1 : i32\n  \
            %done = arith.cmpi sle, %n, %zero : i32\n  cf.cond_br %done, ^exit(%s : i32), ^again\n\
            ^again:\n  %m = arith.subi %n, %one : i32\n  %t = arith.addi %s, %n : i32\n  \
            %r = func.call @recursive(%m, %t) : (i32, i32) -> i32\n  cf.br ^exit(%r : i32)\n\
            ^exit(%x: i32):\n  func.return %x : i32\n}\n";
    }
    fn main(&mut self) {
        let depth = self.below(5);
        let _ = write!(
            self.draft.text,
            "func.func @main(%k: i32, %n: i32) -> (i32, i32) {{\n  %depth = arith.constant {depth} : i32\n  \
             %a = func.call @inner(%k, %n) : (i32, i32) -> i32\n  \
             %b = func.call @recursive(%depth, %a) : (i32, i32) -> i32\n  \
             %c = func.call @inner(%depth, %b) : (i32, i32) -> i32\n  \
             func.return %b, %c : i32, i32\n}}\n"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_decides_the_program() {
        assert_eq!(flow_program(7, 5), flow_program(7, 5));
        assert_ne!(flow_program(7, 5), flow_program(8, 5));
    }
}
