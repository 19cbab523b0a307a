//! The rewrite rules: a table of named equations with their conditions and an example.
//!
//! Laws for a rule: both sides are the same value wherever the left one has one and the conditions hold, at every size; it
//! stops the program exactly where the left side does; it invents no leaf. A test saturates each rule's example by that
//! rule alone, takes what it made, and runs both in the interpreter: a new line of the table is tested without more.
//!
//! Files: `maps`, `views`, `reductions` have the functions. They look at members of classes, and build by substitution in
//! representatives (see `bind`).

pub(crate) mod maps;
mod reductions;
mod views;

use crate::term::{Graph, Node};
use egg::Id;

/// The context of a rule.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Settings {
    /// Whether floating-point sums and products may be regrouped.
    pub(crate) fast_math: bool,
    /// Whether maps stay apart from what reads them.
    pub(crate) apart: bool,
}

/// One rule.
#[derive(Clone, Copy)]
pub struct Rule {
    /// Unique.
    pub name: &'static str,
    /// The pattern.
    pub left: &'static str,
    /// The equal form.
    pub right: &'static str,
    /// When; empty: always.
    pub condition: &'static str,
    /// Statements that make `%r`, the left side, of `%xs, %ys : [n]i32`, `%xss : [n][m]i32`, `%k : i32`,
    /// `%f : f32`, `%fs : [n]f32` and constants.
    pub example: &'static str,
    /// Type of `%r` without `!array.array`.
    pub result: &'static str,
    /// The equal terms of a member of a class.
    pub(crate) apply: fn(&mut Graph, Id, &Node, Settings) -> Vec<Id>,
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {} = {}", self.name, self.left, self.right)
    }
}

macro_rules! rules {
    ($($name:literal: $left:literal = $right:literal, if $condition:literal, $apply:path, $result:literal, $example:literal;)*) => {
        &[$(Rule { name: $name, left: $left, right: $right, condition: $condition, example: $example, result: $result, apply: $apply }),*]
    };
}

/// All rules.
pub const RULES: &[Rule] = rules! {
    // Maps.
    "map-of-map": "map f (map g xs)" = "map (f . g) xs", if "nothing else uses map g xs", maps::of_map, "[n]i32",
        "%p = array.map (%x in %xs : [n]i32) {\n%y = arith.muli %x, %k : i32\narray.yield %y : i32\n}
         %r = array.map (%x in %p : [n]i32, %y in %ys : [n]i32) {\n%z = arith.addi %x, %y : i32\n%w = arith.muli %z, %x : i32\narray.yield %w : i32\n}";
    "map-identity": "map id xs" = "xs", if "", maps::identity, "[n]i32",
        "%r = array.map (%x in %xs : [n]i32) {\narray.yield %x : i32\n}";
    "map-invariant": "map (x -> e) xs" = "replicate n e", if "e does not use x", maps::invariant, "[n]i32",
        "%r = array.map (%x in %xs : [n]i32) {\n%y = arith.muli %k, %k : i32\narray.yield %y : i32\n}";
    "map-of-replicate": "map f (replicate n v) xs" = "map (f v) xs", if "the extents are one size by their types", maps::of_replicate, "[n]i32",
        "%p = array.replicate %k, [%n] : i32 -> [n]i32
         %r = array.map (%x in %xs : [n]i32, %y in %p : [n]i32) {\n%z = arith.subi %x, %y : i32\narray.yield %z : i32\n}";
    "map-of-only-replicate": "map f (replicate n v)" = "replicate n (f v)", if "", maps::of_only_replicate, "[n]i32",
        "%p = array.replicate %k, [%n] : i32 -> [n]i32
         %r = array.map (%x in %p : [n]i32) {\n%z = arith.muli %x, %x : i32\narray.yield %z : i32\n}";
    "map-unused-input": "map (x y -> e) xs ys" = "map (x -> e) xs", if "e does not use y; the extents are one size by their types", maps::unused, "[n]i32",
        "%r = array.map (%x in %xs : [n]i32, %y in %ys : [n]i32) {\n%z = arith.addi %x, %k : i32\narray.yield %z : i32\n}";
    "map-same-input": "map f xs xs" = "map (x -> f x x) xs", if "", maps::same, "[n]i32",
        "%r = array.map (%x in %xs : [n]i32, %y in %xs : [n]i32) {\n%z = arith.muli %x, %y : i32\narray.yield %z : i32\n}";
    "map-interchange": "rearrange [1, 0, ..] (map (xs -> map f xs) xss)" = "map (xs -> map f xs) (rearrange [1, 0, ..] xss)", if "all inputs of the inner map are elements of the outer's", maps::interchange, "[m][n]i32",
        "%p = array.map (%row in %xss : [n][m]i32) {\n%q = array.map (%x in %row : [m]i32) {\n%y = arith.addi %x, %k : i32\narray.yield %y : i32\n}\narray.yield %q : !array.array<[m]i32>\n}
         %r = array.rearrange %p, [1, 0] : [n][m]i32";
    // Views.
    "rearrange-rearrange": "rearrange p (rearrange q xs)" = "rearrange (q . p) xs", if "", views::rearrange_twice, "[n][m]i32",
        "%p = array.rearrange %xss, [1, 0] : [n][m]i32\n%r = array.rearrange %p, [1, 0] : [m][n]i32";
    "rearrange-identity": "rearrange id xs" = "xs", if "", views::rearrange_identity, "[n][m]i32",
        "%r = array.rearrange %xss, [0, 1] : [n][m]i32";
    "rearrange-replicate": "rearrange p (replicate ns v)" = "replicate (p ns) v", if "v is a scalar", views::rearrange_replicate, "[m][n]i32",
        "%p = array.replicate %k, [%n, %m] : i32 -> [n][m]i32\n%r = array.rearrange %p, [1, 0] : [n][m]i32";
    "reverse-reverse": "reverse d (reverse d xs)" = "xs", if "", views::reverse_twice, "[n]i32",
        "%p = array.reverse %xs, 0 : [n]i32\n%r = array.reverse %p, 0 : [n]i32";
    "reverse-replicate": "reverse d (replicate ns v)" = "replicate ns v", if "d is one of the replicated dimensions", views::reverse_replicate, "[n]i32",
        "%p = array.replicate %k, [%n] : i32 -> [n]i32\n%r = array.reverse %p, 0 : [n]i32";
    "reverse-map": "reverse 0 (map f xs)" = "map f (reverse 0 xs)", if "", views::reverse_map, "[n]i32",
        "%p = array.map (%x in %xs : [n]i32, %y in %ys : [n]i32) {\n%z = arith.subi %x, %y : i32\narray.yield %z : i32\n}
         %r = array.reverse %p, 0 : [n]i32";
    "reverse-map-back": "map f (reverse 0 xs)" = "reverse 0 (map f xs)", if "all inputs are reversed", views::reverse_map_back, "[n]i32",
        "%p = array.reverse %xs, 0 : [n]i32\n%q = array.reverse %ys, 0 : [n]i32
         %r = array.map (%x in %p : [n]i32, %y in %q : [n]i32) {\n%z = arith.subi %x, %y : i32\narray.yield %z : i32\n}";
    "replicate-replicate": "replicate ns (replicate ms v)" = "replicate (ns ++ ms) v", if "", views::replicate_twice, "[n][m]i32",
        "%p = array.replicate %k, [%m] : i32 -> [m]i32\n%r = array.replicate %p, [%n] : [m]i32 -> [n][m]i32";
    "gather-iota": "gather xs (iota n)" = "xs", if "the extents are one size by their types", views::gather_iota, "[n]i32",
        "%is = array.iota %n : [n]index\n%r = array.gather %xs[%is] : [n]i32, [n]index";
    "gather-backwards": "gather xs (reverse 0 (iota n))" = "reverse 0 xs", if "the extents are one size by their types", views::gather_backwards, "[n]i32",
        "%is = array.iota %n : [n]index\n%js = array.reverse %is, 0 : [n]index\n%r = array.gather %xs[%js] : [n]i32, [n]index";
    // Reductions.
    "reduce-of-map": "reduce o (map f xs)" = "redomap o f xs", if "nothing else uses map f xs; f has no combinator inside", reductions::of_map, "i32",
        "%p = array.map (%x in %xs : [n]i32) {\n%y = arith.muli %x, %k : i32\narray.yield %y : i32\n}
         %r = array.reduce (%p : [n]i32) init (%zero : i32) combine (%a, %x) {\n%y = arith.addi %a, %x : i32\narray.yield %y : i32\n}";
    "reduce-of-replicate": "redomap o f (replicate n v)" = "redomap o (x -> f v) (replicate n v)", if "f uses its argument", reductions::of_replicate, "i32",
        "%p = array.replicate %k, [%n] : i32 -> [n]i32
         %r = array.redomap (%x in %xs : [n]i32, %w in %p : [n]i32) init (%zero : i32) map {\n%y = arith.subi %x, %w : i32\narray.yield %y : i32\n} combine (%a, %b) {\n%s = arith.addi %a, %b : i32\narray.yield %s : i32\n}";
    "reduce-unused-input": "redomap o (x y -> e) xs ys" = "redomap o (x -> e) xs", if "e does not use y; the extents are one size by their types", reductions::unused, "i32",
        "%r = array.redomap (%x in %xs : [n]i32, %w in %ys : [n]i32) init (%zero : i32) map {\n%y = arith.muli %x, %k : i32\narray.yield %y : i32\n} combine (%a, %b) {\n%s = arith.addi %a, %b : i32\narray.yield %s : i32\n}";
    "reduce-of-reverse": "reduce o (reverse 0 xs)" = "reduce o xs", if "o is commutative; all inputs are reversed", reductions::of_reverse, "i32",
        "%p = array.reverse %xs, 0 : [n]i32
         %r = array.reduce (%p : [n]i32) init (%zero : i32) combine (%a, %x) {\n%y = arith.addi %a, %x : i32\narray.yield %y : i32\n}";
    "reduce-of-transpose": "reduce o (map (reduce o) (rearrange [1, 0] xss))" = "reduce o (map (reduce o) xss)", if "o is commutative", reductions::of_transpose, "i32",
        "%p = array.rearrange %xss, [1, 0] : [n][m]i32
         %q = array.map (%row in %p : [m][n]i32) {\n%s = array.reduce (%row : [n]i32) init (%zero : i32) combine (%a, %x) {\n%y = arith.addi %a, %x : i32\narray.yield %y : i32\n}\narray.yield %s : i32\n}
         %r = array.reduce (%q : [m]i32) init (%zero : i32) combine (%a, %x) {\n%y = arith.addi %a, %x : i32\narray.yield %y : i32\n}";
    "reduce-rows": "reduce (map o) (replicate m e) xss" = "map (reduce o e) (rearrange [1, 0] xss)", if "o uses nothing but its arguments", reductions::of_rows, "[m]i32",
        "%es = array.replicate %zero, [%m] : i32 -> [m]i32
         %r = array.reduce (%xss : [n][m]i32) init (%es : [m]i32) combine (%acc, %row) {\n%s = array.map (%a in %acc : [m]i32, %x in %row : [m]i32) {\n%y = arith.addi %a, %x : i32\narray.yield %y : i32\n}\narray.yield %s : [m]i32\n}";
    "sum-factor": "sum (map (x -> c * f x) xs)" = "c * sum (map f xs)", if "c does not use x; integers, or floats with fast-math", reductions::factor, "i32",
        "%r = array.redomap (%x in %xs : [n]i32) init (%zero : i32) map {\n%q = arith.muli %x, %x : i32\n%y = arith.muli %q, %k : i32\narray.yield %y : i32\n} combine (%a, %b) {\n%s = arith.addi %a, %b : i32\narray.yield %s : i32\n}";
    "sum-offset": "sum (map (x -> c + f x) xs)" = "n * c + sum (map f xs)", if "c does not use x; integers", reductions::offset, "i32",
        "%r = array.redomap (%x in %xs : [n]i32) init (%zero : i32) map {\n%y = arith.addi %k, %x : i32\narray.yield %y : i32\n} combine (%a, %b) {\n%s = arith.addi %a, %b : i32\narray.yield %s : i32\n}";
    "sum-split": "sum (map (x -> f x + g x) xs)" = "sum (map f xs) + sum (map g xs)", if "integers, or floats with fast-math", reductions::halves, "i32",
        "%r = array.redomap (%x in %xs : [n]i32, %w in %ys : [n]i32) init (%zero : i32) map {\n%q = arith.muli %x, %k : i32\n%p = arith.muli %w, %w : i32\n%y = arith.addi %q, %p : i32\narray.yield %y : i32\n} combine (%a, %b) {\n%s = arith.addi %a, %b : i32\narray.yield %s : i32\n}";
    "sum-invariant": "sum (map (x -> c) xs)" = "n * c", if "c does not use x; integers", reductions::of_invariant, "i32",
        "%r = array.redomap (%x in %xs : [n]i32) init (%zero : i32) map {\n%y = arith.muli %k, %k : i32\narray.yield %y : i32\n} combine (%a, %b) {\n%s = arith.addi %a, %b : i32\narray.yield %s : i32\n}";
    "extremum-invariant": "reduce max e (map (x -> c) xs)" = "select (n = 0) e c", if "c does not use x; max, min, and, or of integers with their neutral element", reductions::extremum, "i32",
        "%r = array.redomap (%x in %xs : [n]i32) init (%least : i32) map {\n%y = arith.muli %k, %k : i32\narray.yield %y : i32\n} combine (%a, %b) {\n%s = arith.maxsi %a, %b : i32\narray.yield %s : i32\n}";
};

/// How far a saturation went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// No rule has anything to add.
    Saturated,
    /// The bound on rounds was met.
    Rounds,
    /// The bound on nodes was met.
    Nodes,
}

/// Applies `rules` in rounds until nothing is new or a bound is met; to what each found something equal is added
/// to `fired`. The result depends on nothing but the graph and the bounds.
pub(crate) fn saturate(
    graph: &mut Graph,
    rules: &[Rule],
    settings: Settings,
    rounds: usize,
    nodes: usize,
    fired: &mut [Vec<Id>],
) -> Stopped {
    for _ in 0..rounds {
        let mut members: Vec<(Id, Node)> = graph
            .classes()
            .flat_map(|class| class.nodes.iter().map(|node| (class.id, node.clone())))
            .collect();
        members.sort();
        let mut changed = false;
        for (class, node) in members {
            for (rule, fired) in rules.iter().zip(fired.iter_mut()) {
                for new in (rule.apply)(graph, class, &node, settings) {
                    let (left, right) = (graph.find(class), graph.find(new));
                    if left != right && graph[left].data.ty == graph[right].data.ty {
                        graph.union(left, right);
                        fired.push(left);
                        changed = true;
                    }
                }
            }
            if graph.total_number_of_nodes() > nodes {
                graph.rebuild();
                return Stopped::Nodes;
            }
        }
        graph.rebuild();
        settle_shared(graph);
        if !changed {
            return Stopped::Saturated;
        }
    }
    Stopped::Rounds
}

/// Classes have merged: how often values are used is kept under their present names.
fn settle_shared(graph: &mut Graph) {
    let shared = std::mem::take(&mut graph.analysis.shared);
    for (class, uses) in shared {
        let class = graph.find(class);
        let known = graph.analysis.shared.entry(class).or_default();
        *known = (*known).max(uses);
    }
}
