//! The simplifier: equality saturation of index expressions with egg.
//!
//! [`simplify`] puts all roots and all facts into one e-graph, runs the rules of [`rules`] within fixed bounds on rounds
//! and nodes, and extracts what is cheapest on a GPU (divisions are expensive; see `cost.rs`). Never bounded by time: the same
//! input gives the same output on every machine.
//!
//! Promise: where every root has a value and the facts hold, the result has the same values (in exact arithmetic).
//! A root that does not become cheaper, or whose new form would make all roots together more expensive because it shares less
//! with them, is returned as it is, and so are all roots if the input is larger than [`SimplifyLimits::input_nodes`]:
//! the fallback is the input, which the arena's constructors have constant-folded.
//!
//! Absent: proofs (egg could explain them), and floating point.

mod cost;
mod language;
pub mod rules;

use crate::congruence::Congruence;
use crate::expr::{Arena, BinaryOp, Expr, Node, Symbol};
use crate::facts::{Facts, refine, residue};
use crate::interval::Interval;
use cost::{Cost, DIVISION, GpuCost, graph_cost, tree_costs};
use egg::{Extractor, Id, Language, RecExpr, Runner};
use language::{Index, IndexGraph, Ranges, SymbolNumber};
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Duration;

/// Bounds on the work of one [`simplify`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimplifyLimits {
    /// Rounds of all rules.
    pub rounds: usize,
    /// Nodes in the e-graph.
    pub nodes: usize,
    /// Distinct nodes of the input, roots and facts together, above which nothing is attempted.
    pub input_nodes: usize,
}

impl Default for SimplifyLimits {
    fn default() -> Self {
        Self {
            rounds: 8,
            nodes: 4000,
            input_nodes: 160,
        }
    }
}

/// Longer than any run; egg wants a bound, determinism wants none.
const NO_TIME_LIMIT: Duration = Duration::from_secs(u32::MAX as u64);

/// Cheaper expressions with the values of `roots` wherever `facts` hold, in the same order.
pub fn simplify(
    arena: &mut Arena,
    roots: &[Expr],
    facts: &Facts,
    limits: &SimplifyLimits,
) -> Vec<Expr> {
    let mut everything = roots.to_vec();
    everything.extend(facts.assumptions());
    let nodes = arena.topological(&everything);
    if nodes.len() > limits.input_nodes {
        return roots.to_vec();
    }
    let (egraph, classes) = load(arena, &nodes, facts);
    let egraph = saturate(egraph, limits);
    // Nodes that the input already computes are preferred among equally cheap forms, so that roots go on sharing it.
    let familiar = nodes
        .iter()
        .map(|&expr| index_node(arena, expr, &classes).map_children(|id| egraph.find(id)))
        .collect::<FxHashSet<Index>>();
    let wanted: Vec<Id> = roots.iter().map(|root| classes[root]).collect();
    let mut results = separately(arena, &egraph, &familiar, &wanted);
    keep_what_is_no_more_expensive(arena, roots, &mut results);
    share(arena, &egraph, &familiar, &wanted, &mut results);
    results
}

/// The cheapest form of each of the `wanted` classes by itself.
fn separately(
    arena: &mut Arena,
    egraph: &IndexGraph,
    familiar: &FxHashSet<Index>,
    wanted: &[Id],
) -> Vec<Expr> {
    let computed = FxHashSet::default();
    let extractor = Extractor::new(
        egraph,
        GpuCost {
            egraph,
            familiar,
            computed: &computed,
        },
    );
    wanted
        .iter()
        .map(|&id| import(arena, &extractor.find_best(id).1))
        .collect()
}

/// Replaces `results` by forms that are cheaper all together because they share more. Each root in turn is extracted
/// with what the ones before it compute for nothing: from the first to the last and from the last to the first.
/// Only where several roots divide: nothing else is worth it.
fn share(
    arena: &mut Arena,
    egraph: &IndexGraph,
    familiar: &FxHashSet<Index>,
    wanted: &[Id],
    results: &mut Vec<Expr>,
) {
    let dividing = tree_costs(arena, results);
    if dividing.iter().filter(|cost| cost.0 >= DIVISION).count() < 2 {
        return;
    }
    let forwards: Vec<usize> = (0..wanted.len()).collect();
    let backwards: Vec<usize> = forwards.iter().rev().copied().collect();
    for order in [forwards, backwards] {
        let shared = one_after_the_other(arena, egraph, familiar, wanted, &order);
        if graph_cost(arena, &shared).0 < graph_cost(arena, results).0 {
            *results = shared;
        }
    }
}

/// The `wanted` classes in the given order, each extracted with the classes of the ones before it for nothing.
fn one_after_the_other(
    arena: &mut Arena,
    egraph: &IndexGraph,
    familiar: &FxHashSet<Index>,
    wanted: &[Id],
    order: &[usize],
) -> Vec<Expr> {
    let mut built: FxHashMap<Id, Expr> = FxHashMap::default();
    let mut results: Vec<Option<Expr>> = vec![None; wanted.len()];
    for &place in order {
        let computed = built.keys().copied().collect();
        let extractor = Extractor::new(
            egraph,
            GpuCost {
                egraph,
                familiar,
                computed: &computed,
            },
        );
        results[place] = Some(build(arena, egraph, &extractor, wanted[place], &mut built));
    }
    results.into_iter().flatten().collect()
}

/// The cheapest form of a class in the arena, with classes that are `built` as they are.
fn build(
    arena: &mut Arena,
    egraph: &IndexGraph,
    extractor: &Extractor<'_, GpuCost<'_>, Index, Ranges>,
    id: Id,
    built: &mut FxHashMap<Id, Expr>,
) -> Expr {
    let id = egraph.find(id);
    if let Some(&known) = built.get(&id) {
        return known;
    }
    // Operands that are not built yet cost less than what uses them, so this ends.
    let node = extractor.find_best_node(id);
    let operands: Vec<Expr> = node
        .children()
        .iter()
        .map(|&operand| build(arena, egraph, extractor, operand, built))
        .collect();
    let expr = import_node(arena, node, &operands);
    built.insert(id, expr);
    expr
}

/// Replaces results that are no gain by their originals. If the results as a whole are more expensive than the originals
/// (each is cheaper by itself, but they share less), a result is kept only where it makes the whole no more expensive.
fn keep_what_is_no_more_expensive(arena: &Arena, roots: &[Expr], results: &mut Vec<Expr>) {
    let (before, after): (Vec<Cost>, Vec<Cost>) =
        (tree_costs(arena, roots), tree_costs(arena, results));
    for place in 0..roots.len() {
        if after[place] >= before[place] {
            results[place] = roots[place];
        }
    }
    let mut least = graph_cost(arena, roots);
    if graph_cost(arena, results) <= least {
        return;
    }
    let mut kept = roots.to_vec();
    for (place, &result) in results.iter().enumerate() {
        let original = std::mem::replace(&mut kept[place], result);
        let cost = graph_cost(arena, &kept);
        if cost <= least {
            least = cost;
        } else {
            kept[place] = original;
        }
    }
    *results = kept;
}

/// An e-graph of `nodes` (operands first) in which `facts` hold, and the class of each expression.
fn load(arena: &Arena, nodes: &[Expr], facts: &Facts) -> (IndexGraph, FxHashMap<Expr, Id>) {
    let symbols = nodes
        .iter()
        .filter_map(|&expr| arena.as_symbol(expr))
        .collect::<Vec<Symbol>>();
    let count = symbols
        .iter()
        .map(|symbol| symbol.index() + 1)
        .max()
        .unwrap_or(0);
    let mut ranges = vec![(Interval::ALL, Congruence::ALL); count];
    for symbol in symbols {
        ranges[symbol.index()] = (arena.symbol_range(symbol), arena.symbol_congruence(symbol));
    }
    let mut egraph = IndexGraph::new(Ranges { symbols: ranges });
    let mut classes: FxHashMap<Expr, Id> = FxHashMap::default();
    for &expr in nodes {
        let node = index_node(arena, expr, &classes);
        classes.insert(expr, egraph.add(node));
    }
    state(arena, &mut egraph, &classes, facts);
    (egraph, classes)
}

/// The e-graph's node for `expr`, whose operands have classes already.
fn index_node(arena: &Arena, expr: Expr, classes: &FxHashMap<Expr, Id>) -> Index {
    match arena.node(expr) {
        Node::Int(value) => Index::Int(value),
        Node::Bool(value) => Index::Bool(value),
        Node::Symbol(symbol) => Index::Symbol(SymbolNumber(symbol.0)),
        Node::Binary(op, a, b) => Index::Binary(op, [classes[&a], classes[&b]]),
        Node::Not(a) => Index::Not(classes[&a]),
        Node::Select {
            condition,
            then,
            otherwise,
        } => Index::Select([classes[&condition], classes[&then], classes[&otherwise]]),
    }
}

/// Makes `facts` true in the graph.
fn state(arena: &Arena, egraph: &mut IndexGraph, classes: &FxHashMap<Expr, Id>, facts: &Facts) {
    let mut refined = FxHashMap::default();
    for &predicate in facts.assumptions() {
        refine(arena, predicate, &mut refined);
        if let Node::Binary(BinaryOp::Equal, a, b) = arena.node(predicate) {
            egraph.union(classes[&a], classes[&b]);
        }
        if let Some((expr, congruence)) = residue(arena, predicate) {
            let id = egraph.find(classes[&expr]);
            let mut known = egraph[id].data;
            known.congruence = known.congruence.intersect(congruence);
            egraph.set_analysis_data(id, known);
        }
    }
    let mut refined: Vec<_> = refined.into_iter().collect();
    refined.sort_unstable_by_key(|(expr, _)| *expr);
    for (expr, range) in refined {
        let id = egraph.find(classes[&expr]);
        let mut known = egraph[id].data;
        known.range = known.range.intersect(range);
        egraph.set_analysis_data(id, known);
    }
    egraph.rebuild();
}

fn saturate(egraph: IndexGraph, limits: &SimplifyLimits) -> IndexGraph {
    let run = |egraph: IndexGraph, rules: &[egg::Rewrite<Index, Ranges>]| {
        Runner::<Index, Ranges>::new(Ranges::default())
            .with_egraph(egraph)
            .with_iter_limit(limits.rounds)
            .with_node_limit(limits.nodes)
            .with_time_limit(NO_TIME_LIMIT)
            .run(rules)
            .egraph
    };
    let settled = run(egraph, rules::directed());
    run(settled, rules::all())
}

/// Builds an extracted term in the arena.
fn import(arena: &mut Arena, term: &RecExpr<Index>) -> Expr {
    let mut exprs: Vec<Expr> = Vec::with_capacity(term.len());
    for node in term {
        let operands: Vec<Expr> = node
            .children()
            .iter()
            .map(|&id| exprs[usize::from(id)])
            .collect();
        exprs.push(import_node(arena, node, &operands));
    }
    exprs[exprs.len() - 1]
}

/// One node of a term in the arena.
fn import_node(arena: &mut Arena, node: &Index, operands: &[Expr]) -> Expr {
    match node {
        Index::Int(value) => arena.int(*value),
        Index::Bool(value) => arena.bool(*value),
        Index::Symbol(SymbolNumber(number)) => arena.symbol_expr(Symbol(*number)),
        Index::Binary(op, _) => arena.binary(*op, operands[0], operands[1]),
        Index::Not(_) => arena.not(operands[0]),
        Index::Select(_) => arena.select(operands[0], operands[1], operands[2]),
    }
}

#[cfg(test)]
mod tests;
