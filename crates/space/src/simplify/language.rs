//! The e-graph's view of index expressions: one node type, with range and residues of every class as its analysis.
//!
//! Invariant: a class whose range is a single value contains that constant.

use crate::congruence::Congruence;
use crate::expr::{BinaryOp, Sort};
use crate::interval::Interval;
use egg::{Analysis, DidMerge, EGraph, Id, define_language};
use std::fmt;
use std::str::FromStr;

pub(super) type IndexGraph = EGraph<Index, Ranges>;

/// A symbol of the arena, written `s` and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SymbolNumber(pub(super) u32);

impl fmt::Display for SymbolNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}

impl FromStr for SymbolNumber {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text
            .strip_prefix('s')
            .and_then(|digits| digits.parse().ok());
        number
            .map(Self)
            .ok_or_else(|| format!("`{text}` is no symbol"))
    }
}

/// Operators as rules write them.
const OPERATORS: [(BinaryOp, &str); 14] = [
    (BinaryOp::Add, "+"),
    (BinaryOp::Sub, "-"),
    (BinaryOp::Mul, "*"),
    (BinaryOp::FloorDiv, "/"),
    (BinaryOp::CeilDiv, "ceildiv"),
    (BinaryOp::Mod, "%"),
    (BinaryOp::Min, "min"),
    (BinaryOp::Max, "max"),
    (BinaryOp::Equal, "=="),
    (BinaryOp::NotEqual, "!="),
    (BinaryOp::Less, "<"),
    (BinaryOp::LessEqual, "<="),
    (BinaryOp::And, "and"),
    (BinaryOp::Or, "or"),
];

impl fmt::Display for BinaryOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = OPERATORS
            .iter()
            .find(|(op, _)| op == self)
            .map_or("?", |(_, text)| text);
        f.write_str(text)
    }
}

impl FromStr for BinaryOp {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = OPERATORS.iter().find(|(_, name)| *name == text);
        found
            .map(|(op, _)| *op)
            .ok_or_else(|| format!("`{text}` is no operator"))
    }
}

define_language! {
    /// A node of the e-graph.
    pub(super) enum Index {
        Int(i64),
        Bool(bool),
        Symbol(SymbolNumber),
        Binary(BinaryOp, [Id; 2]),
        "not" = Not(Id),
        "select" = Select([Id; 3]),
    }
}

/// Facts about all members of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Knowledge {
    /// Contains the value.
    pub(super) range: Interval,
    /// Contains the value.
    pub(super) congruence: Congruence,
    /// Decides how a constant is written.
    pub(super) sort: Sort,
    /// How often they became narrower since the class was made.
    pub(super) narrowed: u8,
}

/// How often a range or residue class may become narrower. Facts that contradict each other (`x == x + 1`) narrow it for ever.
const MOST_NARROWINGS: u8 = 16;

/// The analysis; holds the declared ranges of the arena's symbols.
#[derive(Default)]
pub(super) struct Ranges {
    pub(super) symbols: Vec<(Interval, Congruence)>,
}

/// The range, or the only value that the residue class leaves.
fn narrowed(range: Interval, congruence: Congruence) -> Interval {
    match congruence.single() {
        Some(value) => range.intersect(Interval::point(value)),
        None => range,
    }
}

impl Analysis<Index> for Ranges {
    type Data = Knowledge;

    fn make(egraph: &mut IndexGraph, node: &Index, _: Id) -> Knowledge {
        let of = |id: &Id| egraph[*id].data;
        let fresh = |range, congruence, sort| Knowledge {
            range,
            congruence,
            sort,
            narrowed: 0,
        };
        match node {
            Index::Int(value) => fresh(
                Interval::point(*value),
                Congruence::point(*value),
                Sort::Index,
            ),
            Index::Bool(value) => {
                let value = i64::from(*value);
                fresh(Interval::point(value), Congruence::point(value), Sort::Bool)
            }
            Index::Symbol(SymbolNumber(number)) => {
                let known = egraph.analysis.symbols.get(*number as usize).copied();
                let (range, congruence) = known.unwrap_or((Interval::ALL, Congruence::ALL));
                fresh(range, congruence, Sort::Index)
            }
            Index::Binary(op, [a, b]) => {
                let (a, b) = (of(a), of(b));
                let congruence = op.congruence(a.congruence, b.congruence);
                let range = op.range(a.range, b.range);
                fresh(narrowed(range, congruence), congruence, op.result_sort())
            }
            Index::Not(a) => fresh(of(a).range.not(), Congruence::ALL, Sort::Bool),
            Index::Select([_, then, otherwise]) => {
                let (then, otherwise) = (of(then), of(otherwise));
                fresh(
                    then.range.hull(otherwise.range),
                    then.congruence.hull(otherwise.congruence),
                    then.sort,
                )
            }
        }
    }

    fn merge(&mut self, known: &mut Knowledge, new: Knowledge) -> DidMerge {
        let congruence = known.congruence.intersect(new.congruence);
        let range = narrowed(known.range.intersect(new.range), congruence);
        let times = known.narrowed.max(new.narrowed);
        let differs = |from: &Knowledge| from.range != range || from.congruence != congruence;
        let changed = DidMerge(differs(known), differs(&new));
        if changed.0 && times >= MOST_NARROWINGS {
            return DidMerge(false, false);
        }
        *known = Knowledge {
            range,
            congruence,
            sort: known.sort,
            narrowed: times + u8::from(changed.0),
        };
        changed
    }

    fn modify(egraph: &mut IndexGraph, id: Id) {
        let Knowledge { range, sort, .. } = egraph[id].data;
        let Some(value) = range.single() else { return };
        let constant = match sort {
            Sort::Index => Index::Int(value),
            Sort::Bool => Index::Bool(value != 0),
        };
        let constant = egraph.add(constant);
        egraph.union(id, constant);
    }
}
