//! Facts: predicates over index expressions that hold where an expression is used, and the ranges they imply.
//!
//! Ranges of single symbols are declared with the symbol; facts say what holds in one place only (inside a
//! kernel every extent is positive, because a thread exists) or relates expressions (`block_id.x < ceildiv(n, 256)`).
//! Absent: inference over chains of inequalities; the simplifier uses a fact as it stands, and what intervals imply.

use crate::congruence::Congruence;
use crate::expr::{Arena, BinaryOp, Expr, Node};
use crate::interval::Interval;
use rustc_hash::FxHashMap;

/// Predicates that hold.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    assumptions: Vec<Expr>,
}

impl Facts {
    /// Nothing but the declared ranges of symbols.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a predicate that holds. Conjunctions are taken apart.
    pub fn assume(&mut self, arena: &Arena, predicate: Expr) {
        let mut pending = vec![predicate];
        while let Some(predicate) = pending.pop() {
            match arena.node(predicate) {
                Node::Bool(_) => {}
                Node::Binary(BinaryOp::And, a, b) => pending.extend([b, a]),
                _ if self.assumptions.contains(&predicate) => {}
                _ => self.assumptions.push(predicate),
            }
        }
    }

    /// The predicates, in the order they were added.
    #[must_use]
    pub fn assumptions(&self) -> &[Expr] {
        &self.assumptions
    }

    /// The ranges of `roots`: what the symbols' declarations and these facts imply.
    #[must_use]
    pub fn ranges(&self, arena: &Arena, roots: &[Expr]) -> Vec<Interval> {
        let mut refined = FxHashMap::default();
        for &predicate in &self.assumptions {
            refine(arena, predicate, &mut refined);
        }
        let mut ranges: FxHashMap<Expr, Interval> = FxHashMap::default();
        for expr in arena.topological(roots) {
            let derived = match arena.node(expr) {
                Node::Int(_) | Node::Bool(_) | Node::Symbol(_) => arena.range(expr),
                Node::Binary(op, a, b) => op.range(ranges[&a], ranges[&b]),
                Node::Not(a) => ranges[&a].not(),
                Node::Select {
                    then, otherwise, ..
                } => ranges[&then].hull(ranges[&otherwise]),
            };
            let known = refined
                .get(&expr)
                .map_or(derived, |&fact| derived.intersect(fact));
            ranges.insert(expr, known.intersect(arena.range(expr)));
        }
        roots.iter().map(|root| ranges[root]).collect()
    }
}

/// Notes what `predicate` says about its operands.
pub(crate) fn refine(arena: &Arena, predicate: Expr, refined: &mut FxHashMap<Expr, Interval>) {
    let mut learn = |expr: Expr, interval: Interval| {
        let known = refined.entry(expr).or_insert_with(|| arena.range(expr));
        *known = known.intersect(interval);
    };
    learn(predicate, Interval::point(1));
    let Node::Binary(op, a, b) = arena.node(predicate) else {
        return;
    };
    let (ra, rb) = (arena.range(a), arena.range(b));
    let gap = match op {
        BinaryOp::Less => 1,
        BinaryOp::LessEqual => 0,
        BinaryOp::Equal => {
            learn(a, rb);
            learn(b, ra);
            return;
        }
        _ => return,
    };
    if let Some(upper) = rb.upper().and_then(|upper| upper.checked_sub(gap)) {
        learn(a, Interval::at_most(upper));
    }
    if let Some(lower) = ra.lower().and_then(|lower| lower.checked_add(gap)) {
        learn(b, Interval::at_least(lower));
    }
}

/// The fact that `x % k == r` states about x, for constants k and r.
pub(crate) fn residue(arena: &Arena, predicate: Expr) -> Option<(Expr, Congruence)> {
    let Node::Binary(BinaryOp::Equal, a, b) = arena.node(predicate) else {
        return None;
    };
    let (remainder, value) = match arena.as_int(b) {
        Some(value) => (a, value),
        None => (b, arena.as_int(a)?),
    };
    let Node::Binary(BinaryOp::Mod, x, k) = arena.node(remainder) else {
        return None;
    };
    let k = arena.as_int(k)?;
    let possible = (0..k).contains(&value);
    possible.then(|| (x, Congruence::new(k, value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_narrow_ranges_of_what_contains_them() {
        let mut arena = Arena::new();
        let n = arena.symbol("n", Interval::NON_NEGATIVE);
        let i = arena.symbol("i", Interval::NON_NEGATIVE);
        let limit = arena.int(32);
        let below = arena.less(i, limit);
        let one = arena.int(1);
        let exists = arena.less_equal(one, n);
        let both = arena.and(below, exists);
        let mut facts = Facts::new();
        facts.assume(&arena, both);
        let sum = arena.add(i, n);
        let ranges = facts.ranges(&arena, &[i, n, sum]);
        assert_eq!(
            ranges,
            [Interval::new(0, 31), Interval::POSITIVE, Interval::POSITIVE]
        );
        assert_eq!(arena.range(sum), Interval::NON_NEGATIVE);
    }
}
