//! The rewrite rules: one named equation per line, over the integers, with the side conditions it needs.
//!
//! Laws for a rule: both sides are equal for all values that meet its conditions and for which the left side is
//! defined, and then the right side is defined too; it introduces no variable; every condition must be provable from
//! ranges or stated facts. A test evaluates each rule on random values. Division is floor division, see
//! [`crate::Arena`]. Overflow is not modelled: index values stay far below 2^63.
//!
//! Absent: what constant folding does (`2 + 3`), which the range analysis gives for free.

use super::language::{Index, IndexGraph, Ranges};
use crate::expr::BinaryOp;
use egg::{ConditionalApplier, Id, Pattern, Rewrite, Subst, Var};
use std::sync::LazyLock;

/// A side condition on the variables of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Not zero.
    NonZero(&'static str),
    /// Above zero.
    Positive(&'static str),
    /// The first is at least zero and below the second.
    InRange(&'static str, &'static str),
    /// The first is at most the second.
    AtMost(&'static str, &'static str),
    /// The first is a constant, not zero, and divides the second.
    Divides(&'static str, &'static str),
}

/// When a rule takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Makes expressions simpler; from the first round on.
    Directed,
    /// Exposes what directed rules need, and can go on for ever; only after those have run dry.
    Structural,
}

/// One rule.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Unique.
    pub name: &'static str,
    /// The pattern, as an s-expression; variables start with `?`.
    pub left: &'static str,
    /// The expression that it equals.
    pub right: &'static str,
    /// All must be proven before the rule fires.
    pub conditions: &'static [Condition],
    /// When it takes part.
    pub kind: Kind,
}

const fn rule(
    name: &'static str,
    left: &'static str,
    right: &'static str,
    conditions: &'static [Condition],
) -> Rule {
    Rule {
        name,
        left,
        right,
        conditions,
        kind: Kind::Directed,
    }
}

const fn structural(name: &'static str, left: &'static str, right: &'static str) -> Rule {
    Rule {
        name,
        left,
        right,
        conditions: &[],
        kind: Kind::Structural,
    }
}

use Condition::{AtMost, Divides, InRange, NonZero, Positive};

/// All rules.
#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    // Sums and products.
    rule("add-zero",                "(+ ?a 0)",                         "?a",                               &[]),
    rule("subtract-zero",           "(- ?a 0)",                         "?a",                               &[]),
    rule("subtract-itself",         "(- ?a ?a)",                        "0",                                &[]),
    rule("multiply-by-one",         "(* ?a 1)",                         "?a",                               &[]),
    rule("multiply-by-zero",        "(* ?a 0)",                         "0",                                &[]),
    rule("add-then-subtract",       "(- (+ ?a ?b) ?b)",                 "?a",                               &[]),
    rule("subtract-then-add",       "(+ (- ?a ?b) ?b)",                 "?a",                               &[]),
    rule("double",                  "(+ ?a ?a)",                        "(* ?a 2)",                         &[]),
    rule("factor",                  "(+ (* ?a ?c) (* ?b ?c))",          "(* (+ ?a ?b) ?c)",                 &[]),
    rule("factor-difference",       "(- (* ?a ?c) (* ?b ?c))",          "(* (- ?a ?b) ?c)",                 &[]),
    rule("factor-one",              "(+ (* ?a ?c) ?c)",                 "(* (+ ?a 1) ?c)",                  &[]),
    // Quotients.
    rule("divide-by-one",           "(/ ?a 1)",                         "?a",                               &[]),
    rule("divide-itself",           "(/ ?a ?a)",                        "1",                                &[NonZero("?a")]),
    rule("divide-small",            "(/ ?a ?k)",                        "0",                                &[InRange("?a", "?k")]),
    rule("divide-product",          "(/ (* ?a ?k) ?k)",                 "?a",                               &[NonZero("?k")]),
    rule("divide-sum",              "(/ (+ (* ?a ?k) ?b) ?k)",          "(+ ?a (/ ?b ?k))",                 &[NonZero("?k")]),
    rule("divide-sum-one",          "(/ (+ ?a ?k) ?k)",                 "(+ (/ ?a ?k) 1)",                  &[NonZero("?k")]),
    rule("divide-scaled",           "(/ (* ?a ?c) (* ?b ?c))",          "(/ ?a ?b)",                        &[NonZero("?b"), NonZero("?c")]),
    rule("divide-multiple",         "(/ (* ?a ?c) ?k)",                 "(* ?a (/ ?c ?k))",                 &[Divides("?k", "?c")]),
    rule("divide-sum-multiple",     "(/ (+ (* ?a ?c) ?b) ?k)",          "(+ (* ?a (/ ?c ?k)) (/ ?b ?k))",   &[Divides("?k", "?c")]),
    rule("divide-coarser",          "(/ (+ (* ?a ?c) ?b) ?k)",          "(/ ?a (/ ?k ?c))",                 &[Divides("?c", "?k"), Positive("?c"), Positive("?k"), InRange("?b", "?c")]),
    rule("divide-coarser-scaled",   "(/ (+ (* ?a ?c) ?b) (* ?d ?c))",   "(/ ?a ?d)",                        &[InRange("?b", "?c"), Positive("?d")]),
    rule("divide-twice",            "(/ (/ ?a ?b) ?c)",                 "(/ ?a (* ?b ?c))",                 &[NonZero("?b"), Positive("?c")]),
    rule("round-up-product",        "(ceildiv (* ?a ?k) ?k)",           "?a",                               &[NonZero("?k")]),
    rule("round-up-by-one",         "(ceildiv ?a 1)",                   "?a",                               &[]),
    // Remainders.
    rule("remainder-by-one",        "(% ?a 1)",                         "0",                                &[]),
    rule("remainder-itself",        "(% ?a ?a)",                        "0",                                &[NonZero("?a")]),
    rule("remainder-small",         "(% ?a ?k)",                        "?a",                               &[InRange("?a", "?k")]),
    rule("remainder-product",       "(% (* ?a ?k) ?k)",                 "0",                                &[NonZero("?k")]),
    rule("remainder-sum",           "(% (+ (* ?a ?k) ?b) ?k)",          "(% ?b ?k)",                        &[NonZero("?k")]),
    rule("remainder-sum-one",       "(% (+ ?a ?k) ?k)",                 "(% ?a ?k)",                        &[NonZero("?k")]),
    rule("remainder-scaled",        "(% (* ?a ?c) (* ?b ?c))",          "(* (% ?a ?b) ?c)",                 &[NonZero("?b"), NonZero("?c")]),
    rule("remainder-multiple",      "(% (* ?a ?c) ?k)",                 "0",                                &[Divides("?k", "?c")]),
    rule("remainder-sum-multiple",  "(% (+ (* ?a ?c) ?b) ?k)",          "(% ?b ?k)",                        &[Divides("?k", "?c")]),
    rule("remainder-coarser",       "(% (+ (* ?a ?c) ?b) ?k)",          "(+ (* (% ?a (/ ?k ?c)) ?c) ?b)",   &[Divides("?c", "?k"), Positive("?c"), Positive("?k"), InRange("?b", "?c")]),
    rule("remainder-twice",         "(% (% ?a ?k) ?k)",                 "(% ?a ?k)",                        &[NonZero("?k")]),
    rule("remainder-of-multiple",   "(% (% ?a ?c) ?k)",                 "(% ?a ?k)",                        &[NonZero("?c"), Divides("?k", "?c")]),
    rule("remainder-of-product",    "(% (% ?a (* ?b ?k)) ?k)",          "(% ?a ?k)",                        &[NonZero("?b"), NonZero("?k")]),
    // Quotients and remainders together.
    rule("recompose",               "(+ (* (/ ?a ?k) ?k) (% ?a ?k))",   "?a",                               &[NonZero("?k")]),
    rule("remainder-from-quotient", "(- ?a (* (/ ?a ?k) ?k))",          "(% ?a ?k)",                        &[NonZero("?k")]),
    rule("quotient-from-remainder", "(- ?a (% ?a ?k))",                 "(* (/ ?a ?k) ?k)",                 &[NonZero("?k")]),
    rule("recompose-remainder",     "(+ (* (% (/ ?a ?c) ?b) ?c) (% ?a ?c))", "(% ?a (* ?b ?c))",            &[Positive("?b"), Positive("?c")]),
    rule("divide-remainder",        "(/ (% ?a (* ?b ?c)) ?c)",          "(% (/ ?a ?c) ?b)",                 &[Positive("?b"), Positive("?c")]),
    rule("divide-remainder-const",  "(/ (% ?a ?m) ?c)",                 "(% (/ ?a ?c) (/ ?m ?c))",          &[Divides("?c", "?m"), Positive("?c"), Positive("?m")]),
    // Minimum and maximum.
    rule("min-itself",              "(min ?a ?a)",                      "?a",                               &[]),
    rule("max-itself",              "(max ?a ?a)",                      "?a",                               &[]),
    rule("min-ordered",             "(min ?a ?b)",                      "?a",                               &[AtMost("?a", "?b")]),
    rule("max-ordered",             "(max ?a ?b)",                      "?b",                               &[AtMost("?a", "?b")]),
    rule("min-absorbs",             "(min ?a (max ?a ?b))",             "?a",                               &[]),
    rule("max-absorbs",             "(max ?a (min ?a ?b))",             "?a",                               &[]),
    // Comparisons.
    rule("equal-itself",            "(== ?a ?a)",                       "true",                             &[]),
    rule("unequal-itself",          "(!= ?a ?a)",                       "false",                            &[]),
    rule("less-itself",             "(< ?a ?a)",                        "false",                            &[]),
    rule("at-most-itself",          "(<= ?a ?a)",                       "true",                             &[]),
    rule("less-sum",                "(< (+ ?a ?c) (+ ?b ?c))",          "(< ?a ?b)",                        &[]),
    rule("less-product",            "(< (* ?a ?k) (* ?b ?k))",          "(< ?a ?b)",                        &[Positive("?k")]),
    rule("less-block",              "(< (+ (* ?a ?k) ?r) (* ?b ?k))",   "(< ?a ?b)",                        &[InRange("?r", "?k")]),
    rule("less-quotient",           "(< (/ ?a ?k) ?b)",                 "(< ?a (* ?b ?k))",                 &[Positive("?k")]),
    rule("less-remainder",          "(< (% ?a ?k) ?k)",                 "true",                             &[Positive("?k")]),
    rule("at-most-reversed",        "(<= ?a ?b)",                       "(not (< ?b ?a))",                  &[]),
    rule("not-less",                "(not (< ?a ?b))",                  "(<= ?b ?a)",                       &[]),
    rule("not-at-most",             "(not (<= ?a ?b))",                 "(< ?b ?a)",                        &[]),
    rule("not-equal",               "(not (== ?a ?b))",                 "(!= ?a ?b)",                       &[]),
    rule("not-unequal",             "(not (!= ?a ?b))",                 "(== ?a ?b)",                       &[]),
    // Truth values.
    rule("and-true",                "(and ?p true)",                    "?p",                               &[]),
    rule("and-false",               "(and ?p false)",                   "false",                            &[]),
    rule("and-itself",              "(and ?p ?p)",                      "?p",                               &[]),
    rule("and-contradiction",       "(and ?p (not ?p))",                "false",                            &[]),
    rule("and-absorbs",             "(and ?p (or ?p ?q))",              "?p",                               &[]),
    rule("or-true",                 "(or ?p true)",                     "true",                             &[]),
    rule("or-false",                "(or ?p false)",                    "?p",                               &[]),
    rule("or-itself",               "(or ?p ?p)",                       "?p",                               &[]),
    rule("or-tautology",            "(or ?p (not ?p))",                 "true",                             &[]),
    rule("or-absorbs",              "(or ?p (and ?p ?q))",              "?p",                               &[]),
    rule("not-not",                 "(not (not ?p))",                   "?p",                               &[]),
    rule("not-and",                 "(or (not ?p) (not ?q))",           "(not (and ?p ?q))",                &[]),
    rule("not-or",                  "(and (not ?p) (not ?q))",          "(not (or ?p ?q))",                 &[]),
    // Selects.
    rule("select-true",             "(select true ?a ?b)",              "?a",                               &[]),
    rule("select-false",            "(select false ?a ?b)",             "?b",                               &[]),
    rule("select-same",             "(select ?p ?a ?a)",                "?a",                               &[]),
    rule("select-not",              "(select (not ?p) ?a ?b)",          "(select ?p ?b ?a)",                &[]),
    rule("select-min",              "(select (< ?a ?b) ?a ?b)",         "(min ?a ?b)",                      &[]),
    rule("select-max",              "(select (< ?a ?b) ?b ?a)",         "(max ?a ?b)",                      &[]),
    // Multiples of constants, by what is known of remainders.
    Rule { conditions: &[Divides("?k", "?a")], ..structural("divide-multiple-term",    "(/ (+ ?a ?b) ?k)",                 "(+ (/ ?a ?k) (/ ?b ?k))") },
    rule("multiply-quotient",       "(* (/ ?a ?k) ?k)",                 "?a",                               &[Divides("?k", "?a")]),
    rule("round-up-multiple",       "(ceildiv ?a ?k)",                  "(/ ?a ?k)",                        &[Divides("?k", "?a")]),
    Rule { conditions: &[Divides("?k", "?a")], ..structural("remainder-multiple-term", "(% (+ ?a ?b) ?k)",                 "(% ?b ?k)") },
    rule("less-block-multiple",     "(< (+ (* ?a ?k) ?r) ?n)",          "(< ?a (/ ?n ?k))",                 &[Divides("?k", "?n"), InRange("?r", "?k")]),
    // Structure.
    structural("add-commute",       "(+ ?a ?b)",                        "(+ ?b ?a)"),
    structural("add-associate",     "(+ (+ ?a ?b) ?c)",                 "(+ ?a (+ ?b ?c))"),
    structural("multiply-commute",  "(* ?a ?b)",                        "(* ?b ?a)"),
    structural("multiply-associate","(* (* ?a ?b) ?c)",                 "(* ?a (* ?b ?c))"),
    structural("subtract-as-add",   "(- ?a ?b)",                        "(+ ?a (* ?b -1))"),
    structural("add-as-subtract",   "(+ ?a (* ?b -1))",                 "(- ?a ?b)"),
    structural("distribute",        "(* (+ ?a ?b) ?c)",                 "(+ (* ?a ?c) (* ?b ?c))"),
    structural("min-commute",       "(min ?a ?b)",                      "(min ?b ?a)"),
    structural("min-associate",     "(min (min ?a ?b) ?c)",             "(min ?a (min ?b ?c))"),
    structural("max-commute",       "(max ?a ?b)",                      "(max ?b ?a)"),
    structural("max-associate",     "(max (max ?a ?b) ?c)",             "(max ?a (max ?b ?c))"),
    structural("equal-commute",     "(== ?a ?b)",                       "(== ?b ?a)"),
    structural("unequal-commute",   "(!= ?a ?b)",                       "(!= ?b ?a)"),
    structural("and-commute",       "(and ?p ?q)",                      "(and ?q ?p)"),
    structural("and-associate",     "(and (and ?p ?q) ?r)",             "(and ?p (and ?q ?r))"),
    structural("or-commute",        "(or ?p ?q)",                       "(or ?q ?p)"),
    structural("or-associate",      "(or (or ?p ?q) ?r)",               "(or ?p (or ?q ?r))"),
    Rule { conditions: &[Positive("?b"), NonZero("?c")], ..structural("divide-in-two-steps", "(/ ?a (* ?b ?c))",              "(/ (/ ?a ?c) ?b)") },
    Rule { conditions: &[Positive("?k")], ..structural("round-up-as-quotient", "(ceildiv ?a ?k)", "(/ (+ ?a (- ?k 1)) ?k)") },
];

/// The directed rules, ready to run: parsed once, for a program has many index spaces. A rule that does not parse is
/// left out; a test sees to it that there is none.
pub(super) fn directed() -> &'static [Rewrite<Index, Ranges>] {
    static DIRECTED: LazyLock<Vec<Rewrite<Index, Ranges>>> = LazyLock::new(|| {
        RULES
            .iter()
            .filter(|rule| rule.kind == Kind::Directed)
            .filter_map(|rule| rewrite(rule).ok())
            .collect()
    });
    &DIRECTED
}

/// All rules, as [`directed`].
pub(super) fn all() -> &'static [Rewrite<Index, Ranges>] {
    static ALL: LazyLock<Vec<Rewrite<Index, Ranges>>> =
        LazyLock::new(|| RULES.iter().filter_map(|rule| rewrite(rule).ok()).collect());
    &ALL
}

fn rewrite(rule: &Rule) -> Result<Rewrite<Index, Ranges>, String> {
    let pattern = |text: &str| {
        text.parse::<Pattern<Index>>()
            .map_err(|error| format!("{}: {error}", rule.name))
    };
    let conditions = rule
        .conditions
        .iter()
        .map(Proof::new)
        .collect::<Result<Vec<_>, _>>()?;
    let applier = ConditionalApplier {
        condition: move |egraph: &mut IndexGraph, _: Id, subst: &Subst| {
            conditions
                .iter()
                .all(|condition| condition.holds(egraph, subst))
        },
        applier: pattern(rule.right)?,
    };
    Rewrite::new(rule.name, pattern(rule.left)?, applier)
}

/// A condition with its variables resolved.
struct Proof {
    condition: Condition,
    first: Var,
    second: Var,
}

impl Proof {
    fn new(condition: &Condition) -> Result<Self, String> {
        let (first, second) = match *condition {
            NonZero(a) | Positive(a) => (a, a),
            InRange(a, b) | AtMost(a, b) | Divides(a, b) => (a, b),
        };
        let variable = |name: &str| name.parse::<Var>().map_err(|error| error.to_string());
        Ok(Self {
            condition: *condition,
            first: variable(first)?,
            second: variable(second)?,
        })
    }

    fn holds(&self, egraph: &IndexGraph, subst: &Subst) -> bool {
        let (Some(&a), Some(&b)) = (subst.get(self.first), subst.get(self.second)) else {
            return false;
        };
        let (ra, rb) = (egraph[a].data.range, egraph[b].data.range);
        match self.condition {
            NonZero(_) => ra.excludes_zero(),
            Positive(_) => ra.is_positive(),
            InRange(..) => {
                ra.is_non_negative() && (ra.is_below(rb) || is_known(egraph, BinaryOp::Less, a, b))
            }
            AtMost(..) => {
                ra.is_at_most(rb)
                    || is_known(egraph, BinaryOp::Less, a, b)
                    || is_known(egraph, BinaryOp::LessEqual, a, b)
            }
            Divides(..) => ra
                .single()
                .is_some_and(|factor| egraph[b].data.congruence.is_multiple_of(factor)),
        }
    }
}

/// `a op b` is in the graph and known to be true.
fn is_known(egraph: &IndexGraph, op: BinaryOp, a: Id, b: Id) -> bool {
    let predicate = egraph.lookup(Index::Binary(op, [a, b]));
    predicate.is_some_and(|id| egraph[id].data.range.single() == Some(1))
}

#[cfg(test)]
mod tests;
