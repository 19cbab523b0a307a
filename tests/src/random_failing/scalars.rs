//! Statements on numbers.

use super::{Env, Part, Statement, Type, Writer};

impl Writer {
    pub(super) fn arithmetic(&mut self, env: &Env) -> Option<Statement> {
        let (a, b) = (self.number(env), self.number(env));
        let ops = [
            "arith.addi",
            "arith.subi",
            "arith.muli",
            "arith.minsi",
            "arith.xori",
        ];
        let op = ops[self.below(ops.len())];
        self.one(Type::Number, |name| format!("{name} = {op} {a}, {b} : i32"))
    }

    pub(super) fn division(&mut self, env: &Env) -> Option<Statement> {
        let (a, b) = (self.number(env), self.number(env));
        let (op, divides) = (self.divided(), self.name());
        let compared = format!("{divides} = arith.cmpi ne, {b}, %zero : i32");
        self.guarded(Type::Number, vec![(compared, divides)], |name| {
            format!("{name} = {op} {a}, {b} : i32")
        })
    }

    pub(super) fn divided(&mut self) -> &'static str {
        let ops = [
            "arith.divsi",
            "arith.divui",
            "arith.remsi",
            "arith.remui",
            "arith.floordivsi",
            "arith.ceildivsi",
            "arith.ceildivui",
        ];
        ops[self.below(ops.len())]
    }

    pub(super) fn shift(&mut self, env: &Env) -> Option<Statement> {
        let (a, b) = (self.number(env), self.number(env));
        let ops = ["arith.shli", "arith.shrui", "arith.shrsi"];
        let op = ops[self.below(ops.len())];
        self.one(Type::Number, |name| format!("{name} = {op} {a}, {b} : i32"))
    }

    /// There and back by a type that does not hold every number.
    pub(super) fn conversion(&mut self, env: &Env) -> Option<Statement> {
        let value = self.number(env);
        let via = [
            ("arith.trunci", "i8", "arith.extsi"),
            ("arith.trunci", "i1", "arith.extui"),
            ("arith.sitofp", "f32", "arith.fptosi"),
            ("arith.uitofp", "f16", "arith.fptoui"),
            ("arith.sitofp", "bf16", "arith.fptosi"),
        ];
        let (there, ty, back) = via[self.below(via.len())];
        let between = self.name();
        self.one(Type::Number, |name| {
            format!(
                "{between} = {there} {value} : i32 to {ty}\n{name} = {back} {between} : {ty} to i32"
            )
        })
    }

    /// A number that is mostly an index of small arrays, sometimes -1.
    pub(super) fn small(&mut self, env: &Env) -> Option<Statement> {
        let (value, few, less) = (self.number(env), self.name(), self.name());
        let from = ["%zero", "%zero", "%zero", "%one"][self.below(4)];
        self.one(Type::Size, |name| {
            format!(
                "{few} = arith.andi {value}, %three : i32\n{less} = arith.subi {few}, {from} : i32\n\
                 {name} = arith.index_cast {less} : i32 to index"
            )
        })
    }

    /// Any number as an index.
    pub(super) fn raw(&mut self, env: &Env) -> Option<Statement> {
        let value = self.number(env);
        self.one(Type::Index, |name| {
            format!("{name} = arith.index_cast {value} : i32 to index")
        })
    }

    /// A quotient where the divisor is not zero.
    pub(super) fn guarded_division(&mut self, env: &Env) -> Option<Statement> {
        let (a, b, op) = (self.number(env), self.number(env), self.divided());
        let (condition, quotient, name) = (self.name(), self.name(), self.name());
        let inner = Statement {
            parts: vec![Part::Line(format!("{quotient} = {op} {a}, {b} : i32"))],
            defines: vec![(quotient.clone(), Type::Number)],
            guarded: None,
        };
        let parts = vec![
            Part::Line(format!(
                "{condition} = arith.cmpi ne, {b}, %zero : i32\n{name} = scf.if {condition} -> (i32) {{"
            )),
            Part::Block(vec![inner]),
            Part::Line(format!(
                "scf.yield {quotient} : i32\n}} else {{\nscf.yield {a} : i32\n}}"
            )),
        ];
        Some(Statement {
            parts,
            defines: vec![(name, Type::Number)],
            guarded: None,
        })
    }

    /// An element where there is one.
    pub(super) fn guarded_element(&mut self, env: &Env) -> Option<Statement> {
        let (array, sizes) = self.array(env, &[1])?;
        let (index, other, extent) = (self.index(env), self.number(env), self.name());
        let (condition, element, name, ty) = (
            self.name(),
            self.name(),
            self.name(),
            Type::Array(sizes).bare(),
        );
        let inner = Statement {
            parts: vec![Part::Line(format!(
                "{element} = array.index {array}[{index}] : {ty}"
            ))],
            defines: vec![(element.clone(), Type::Number)],
            guarded: None,
        };
        let parts = vec![
            Part::Line(format!(
                "{extent} = array.dim {array}, 0 : {ty}\n{condition} = arith.cmpi ult, {index}, {extent} : index\n\
                 {name} = scf.if {condition} -> (i32) {{"
            )),
            Part::Block(vec![inner]),
            Part::Line(format!(
                "scf.yield {element} : i32\n}} else {{\nscf.yield {other} : i32\n}}"
            )),
        ];
        Some(Statement {
            parts,
            defines: vec![(name, Type::Number)],
            guarded: None,
        })
    }
}
