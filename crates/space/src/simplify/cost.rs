//! The cost of an index expression on a GPU, in units of one simple integer instruction.
//!
//! Integer units have no divider: a division by a constant power of two is a shift or a mask, by another constant a
//! multiplication by its reciprocal with corrections, by anything else a routine of some tens of instructions. Figures
//! are relative and for 64-bit operands; their order is what matters. Ties go to fewer nodes, then to nodes of the
//! input, then to constants on the right. Sharing does not count while roots are extracted by themselves, where costs are of
//! trees; it does where they are extracted one after the other, and when the result is compared.

use super::language::{Index, IndexGraph};
use crate::expr::{Arena, BinaryOp, Expr, Node};
use egg::{CostFunction, Id, Language};
use rustc_hash::{FxHashMap, FxHashSet};

/// Instructions, then nodes, then nodes that the input lacks, then constants on the left of commutative operators.
pub(super) type Cost = (u64, u64, u64, u64);

const LEAF: Cost = (0, 1, 0, 0);

/// The least cost of a division that is no shift.
pub(super) const DIVISION: u64 = 16;

/// Cost of one operator by itself. `right` is the value of the right operand where that is a constant.
fn operator_cost(op: BinaryOp, right: Option<i64>) -> u64 {
    let power_of_two = right.is_some_and(|value| value > 0 && value & (value - 1) == 0);
    match op {
        BinaryOp::Mul if power_of_two => 2,
        BinaryOp::Mul => 4,
        BinaryOp::FloorDiv | BinaryOp::Mod if power_of_two => 2,
        BinaryOp::CeilDiv if power_of_two => 4,
        BinaryOp::FloorDiv | BinaryOp::Mod if right.is_some() => DIVISION,
        BinaryOp::CeilDiv if right.is_some() => 18,
        BinaryOp::FloorDiv | BinaryOp::Mod => 70,
        BinaryOp::CeilDiv => 72,
        _ => 2,
    }
}

fn add(a: Cost, b: Cost) -> Cost {
    (
        a.0.saturating_add(b.0),
        a.1.saturating_add(b.1),
        a.2.saturating_add(b.2),
        a.3.saturating_add(b.3),
    )
}

fn is_commutative(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Add
            | BinaryOp::Mul
            | BinaryOp::Min
            | BinaryOp::Max
            | BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::And
            | BinaryOp::Or
    )
}

/// Cost of a node without its operands. `constant` tells the value of an operand that is one.
fn node_cost(op: BinaryOp, left: Option<i64>, right: Option<i64>) -> Cost {
    let misplaced = u64::from(left.is_some() && right.is_none() && is_commutative(op));
    // Either order of a product is the same instruction.
    let factor = if op == BinaryOp::Mul {
        right.or(left)
    } else {
        right
    };
    (operator_cost(op, factor), 1, 0, misplaced)
}

/// Tree cost over classes of an e-graph.
pub(super) struct GpuCost<'a> {
    pub(super) egraph: &'a IndexGraph,
    /// Nodes of the input, operands canonical.
    pub(super) familiar: &'a FxHashSet<Index>,
    /// Classes, by canonical id, that cost nothing as operands.
    pub(super) computed: &'a FxHashSet<Id>,
}

impl GpuCost<'_> {
    /// Cost of a remainder where the quotient is computed, or the other way round: a product and a difference.
    fn beside_its_other_half(&self, op: BinaryOp, a: Id, b: Id) -> u64 {
        let other = match op {
            BinaryOp::Mod => BinaryOp::FloorDiv,
            BinaryOp::FloorDiv => BinaryOp::Mod,
            _ => return u64::MAX,
        };
        let other = self.egraph.lookup(Index::Binary(other, [a, b]));
        match other {
            Some(id) if self.computed.contains(&self.egraph.find(id)) => {
                let factor = self.egraph[b].data.range.single();
                operator_cost(BinaryOp::Mul, factor) + operator_cost(BinaryOp::Sub, None)
            }
            _ => u64::MAX,
        }
    }
}

impl CostFunction<Index> for GpuCost<'_> {
    type Cost = Cost;

    fn cost<C: FnMut(Id) -> Cost>(&mut self, node: &Index, mut costs: C) -> Cost {
        let constant = |id: Id| self.egraph[id].data.range.single();
        let mut own = match node {
            Index::Int(_) | Index::Bool(_) | Index::Symbol(_) => LEAF,
            Index::Binary(op, [a, b]) => node_cost(*op, constant(*a), constant(*b)),
            Index::Not(_) => (2, 1, 0, 0),
            Index::Select(_) => (2, 1, 0, 0),
        };
        if let Index::Binary(op, [a, b]) = node {
            own.0 = own.0.min(self.beside_its_other_half(*op, *a, *b));
        }
        own.2 = u64::from(!self.familiar.contains(node));
        // Whether an operand is computed or not, it must have a form.
        let operands = node.children().iter().map(|&id| {
            let cost = costs(id);
            match self.computed.contains(&self.egraph.find(id)) {
                true => (0, 0, 0, 0),
                false => cost,
            }
        });
        operands.fold(own, add)
    }
}

/// Cost of one node of an arena without its operands.
fn arena_node_cost(arena: &Arena, expr: Expr) -> Cost {
    match arena.node(expr) {
        Node::Int(_) | Node::Bool(_) | Node::Symbol(_) => LEAF,
        Node::Binary(op, a, b) => node_cost(op, arena.range(a).single(), arena.range(b).single()),
        Node::Not(_) | Node::Select { .. } => (2, 1, 0, 0),
    }
}

/// Tree cost of each root.
pub(super) fn tree_costs(arena: &Arena, roots: &[Expr]) -> Vec<Cost> {
    let mut costs: FxHashMap<Expr, Cost> = FxHashMap::default();
    for expr in arena.topological(roots) {
        let own = arena_node_cost(arena, expr);
        let total = arena
            .node(expr)
            .operands()
            .iter()
            .map(|operand| costs[operand])
            .fold(own, add);
        costs.insert(expr, total);
    }
    roots.iter().map(|root| costs[root]).collect()
}

/// Cost of computing all roots with every shared node computed once. A remainder beside the quotient of the same
/// operands costs a product and a difference: LLVM computes it so.
pub(super) fn graph_cost(arena: &Arena, roots: &[Expr]) -> Cost {
    let nodes = arena.topological(roots);
    let divisions: FxHashSet<(Expr, Expr)> = nodes
        .iter()
        .filter_map(|&expr| match arena.node(expr) {
            Node::Binary(BinaryOp::FloorDiv, a, b) => Some((a, b)),
            _ => None,
        })
        .collect();
    let cost = |expr: Expr| {
        let own = arena_node_cost(arena, expr);
        match arena.node(expr) {
            Node::Binary(BinaryOp::Mod, a, b) if divisions.contains(&(a, b)) => {
                let product = arena_node_product(arena, b);
                (
                    own.0.min(product + operator_cost(BinaryOp::Sub, None)),
                    own.1,
                    own.2,
                    own.3,
                )
            }
            _ => own,
        }
    };
    nodes.into_iter().map(cost).fold((0, 0, 0, 0), add)
}

/// Instructions of a product with `factor`.
fn arena_node_product(arena: &Arena, factor: Expr) -> u64 {
    operator_cost(BinaryOp::Mul, arena.range(factor).single())
}
