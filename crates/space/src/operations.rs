//! How many operations of each kind expressions take, each shared one counted once.
//!
//! Quotients and remainders by a power of two, and products with one, are shifts or masks. A remainder beside the
//! quotient of the same operands is a product and a difference: that is how compilers compute it. A quotient rounded up
//! of operands that are not negative counts as a sum with the divisor less one, and a quotient.

use crate::expr::{Arena, BinaryOp, Expr, Node};
use rustc_hash::FxHashSet;
use std::fmt;

/// Number of operations by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OperationCounts {
    /// Sums and differences.
    pub sums: u32,
    /// Products with anything but a power of two.
    pub products: u32,
    /// Shifts and masks.
    pub shifts: u32,
    /// Quotients and remainders by constants that are no powers of two.
    pub constant_divisions: u32,
    /// Quotients and remainders by what only the run knows.
    pub divisions: u32,
    /// Comparisons.
    pub comparisons: u32,
    /// Minima, maxima, selects.
    pub choices: u32,
    /// Conjunctions, disjunctions, negations.
    pub logic: u32,
}

impl OperationCounts {
    /// The operations that compute all of `roots`.
    #[must_use]
    pub fn of(arena: &Arena, roots: &[Expr]) -> Self {
        Self::of_those(arena, roots, &|_| true)
    }

    /// Those of the operations that compute `roots` for which `counted` holds.
    #[must_use]
    pub fn of_those(arena: &Arena, roots: &[Expr], counted: &dyn Fn(Expr) -> bool) -> Self {
        let nodes = arena.topological(roots);
        let quotients: FxHashSet<(Expr, Expr)> = nodes
            .iter()
            .filter_map(|&expr| match arena.node(expr) {
                Node::Binary(BinaryOp::FloorDiv, a, b) => Some((a, b)),
                _ => None,
            })
            .collect();
        let mut counts = Self::default();
        for expr in nodes.into_iter().filter(|&expr| counted(expr)) {
            match arena.node(expr) {
                Node::Int(_) | Node::Bool(_) | Node::Symbol(_) => {}
                Node::Not(_) => counts.logic += 1,
                Node::Select { .. } => counts.choices += 1,
                Node::Binary(BinaryOp::Mod, a, b)
                    if quotients.contains(&(a, b)) && !is_power_of_two(arena, b) =>
                {
                    counts.products += 1;
                    counts.sums += 1;
                }
                Node::Binary(op, a, b) => counts.add(arena, op, a, b),
            }
        }
        counts
    }

    fn add(&mut self, arena: &Arena, op: BinaryOp, a: Expr, b: Expr) {
        let shifted = is_power_of_two(arena, b);
        match op {
            BinaryOp::Add | BinaryOp::Sub => self.sums += 1,
            BinaryOp::Mul if shifted || is_power_of_two(arena, a) => self.shifts += 1,
            BinaryOp::Mul => self.products += 1,
            BinaryOp::FloorDiv | BinaryOp::CeilDiv | BinaryOp::Mod => {
                let constant = arena.range(b).single().is_some();
                if op == BinaryOp::CeilDiv {
                    self.sums += if constant { 1 } else { 2 };
                }
                match (shifted, constant) {
                    (true, _) => self.shifts += 1,
                    (false, true) => self.constant_divisions += 1,
                    (false, false) => self.divisions += 1,
                }
            }
            BinaryOp::Min | BinaryOp::Max => self.choices += 1,
            BinaryOp::Equal | BinaryOp::NotEqual | BinaryOp::Less | BinaryOp::LessEqual => {
                self.comparisons += 1;
            }
            BinaryOp::And | BinaryOp::Or => self.logic += 1,
        }
    }

    /// All operations together.
    #[must_use]
    pub fn total(self) -> u32 {
        self.sums
            + self.products
            + self.shifts
            + self.constant_divisions
            + self.divisions
            + self.comparisons
            + self.choices
            + self.logic
    }
}

impl fmt::Display for OperationCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [
            (self.sums, "sums"),
            (self.products, "products"),
            (self.shifts, "shifts"),
            (self.constant_divisions, "divisions by constants"),
            (self.divisions, "divisions"),
            (self.comparisons, "comparisons"),
            (self.choices, "choices"),
            (self.logic, "logic"),
        ];
        let mut first = true;
        for (count, kind) in kinds.into_iter().filter(|kind| kind.0 > 0) {
            let separator = if std::mem::take(&mut first) { "" } else { ", " };
            write!(f, "{separator}{count} {kind}")?;
        }
        if first { f.write_str("none") } else { Ok(()) }
    }
}

fn is_power_of_two(arena: &Arena, expr: Expr) -> bool {
    arena
        .range(expr)
        .single()
        .is_some_and(|value| value > 0 && value & (value - 1) == 0)
}
