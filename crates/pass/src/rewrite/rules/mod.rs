//! Rewrite rules as data: one named rule a line.
//!
//! ```text
//! # after `# `: a comment
//! sub-self:                 arith.subi(x, x) => 0
//! add-of-sub:               arith.addi(d = arith.subi(x, y), y) => x where one-use(d)
//! less-than-swapped [2]:    arith.cmpi{predicate = sgt}(x, y) => arith.cmpi{predicate = slt}(y, x)
//! mul-two:                  arith.muli(x: int, 2) => arith.shli(x, 1: x)
//! ```
//! `rule ::= name ("[" benefit "]")? ":" pattern "=>" result ("where" condition ("," condition)*)?`
//!
//! * A pattern is an op with patterns for its operands, in any order where the op commutes and has two. `d = op(...)`
//!   names what the op gives. Attributes in braces must be equal; others may be anything.
//! * A name stands for any value, the same one wherever it stands; `x: int`, `x: float`, `x: index` or `x: i32` only for
//!   values of such types (or vectors of them). A number stands for that constant, also in every element of a vector.
//! * The result is a name, a number, or an op on results. A number has the type of what is replaced, with `: x` that of
//!   `x`. Ops get their types as their definition infers them, else that of what is replaced.
//! * An attribute of an op in the result may be that of a matched op: `{fastmath = of(d)}`; `{overflowFlags = both(d, e)}`
//!   is what the two agree on. Where there is none, the new op has none.
//! * Conditions: `one-use(d)`, `constant(x)`, `not-constant(x)`, `uniform(x)` (a constant that is one number, maybe in
//!   every element), `scalar(x)`, `same-type(x, y)`, `wider(x, y)` (elements of `x` are wider than those of `y`),
//!   `not-narrower(x, y)` (elements of `x` have as many bits or more; an index has 64).
//!
//! Names that are not bound, ops that are not known, wrong numbers of operands and unknown attributes are refused when
//! rules are read, with line and column. A [`RuleBook`] is rules that come with a pass, read once for each context.
//! Deliberately absent: rules that need code (see [`Pattern`](super::Pattern)).

mod apply;
mod book;
mod read;

use segra_ir::{Attr, Ident, OpName, Type};
use std::fmt;

pub use apply::RulePattern;
pub use book::RuleBook;
pub use read::{UnknownOps, read_rules, read_rules_about};

/// A rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Name.
    pub name: String,
    /// Rules with more benefit are tried first.
    pub benefit: u16,
    /// Line in the text, from 1.
    pub line: usize,
    /// The pattern it matches: an op.
    pub pattern: Node,
    /// The replacement.
    pub result: Node,
    /// Its further conditions.
    pub conditions: Vec<Condition>,
}

/// A part of a pattern or of a result.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A value, by the number of its name in the rule.
    Name(usize, Class),
    /// A number of an integer type; in results with the type of a name, if one is given.
    Int(i64, Option<usize>),
    /// A number of a floating-point type.
    Float(f64, Option<usize>),
    /// An op, and the number of the name it gives what it results in.
    Op(Box<OpNode>),
}

/// An op in a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct OpNode {
    /// Name.
    pub name: OpName,
    /// Number of the name for what it gives.
    pub bound: Option<usize>,
    /// Attributes it has.
    pub attrs: Vec<(Ident, Attr)>,
    /// Attributes it takes over from matched ops; only in results.
    pub taken: Vec<(Ident, Taken)>,
    /// Its operands.
    pub operands: Vec<Node>,
}

/// Where an attribute of a new op comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// The op of this name.
    Of(usize),
    /// Both ops: what they agree on.
    Both(usize, usize),
}

/// Which values a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Any.
    Any,
    /// Integers, `index` not among them, or vectors of them.
    Int,
    /// Floats, or vectors of them.
    Float,
    /// `index`, or vectors of it.
    Index,
    /// Values of this type, or vectors of it.
    Type(Type),
}

/// The conditions of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Only one operand uses the value.
    OneUse(usize),
    /// The value is a constant.
    Constant(usize),
    /// The value is no constant.
    NotConstant(usize),
    /// The value is a constant that is one number, in every element if it is no scalar.
    Uniform(usize),
    /// The value is no vector, tensor or memref.
    Scalar(usize),
    /// Both values have one type.
    SameType(usize, usize),
    /// Elements of the first have more bits than those of the second.
    Wider(usize, usize),
    /// Elements of the first name's type have at least as many bits as the second's; an index has 64.
    NotNarrower(usize, usize),
}

/// Why rules cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// The problem.
    pub message: String,
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}
impl std::error::Error for RuleError {}
