//! The combinators, with bodies that take and return tuples of values.

use super::{ArrayBundle, Bundle, Index, IntoBundle, ItemBundle, Val, extent};
use crate::graph::{Built, Graph, Node, Prefixes, Start};
use segra_ir::Loc;

/// A body as the graph takes it.
fn body<'g, I: Bundle<'g>, R: Bundle<'g>>(
    graph: &'g Graph,
    loc: Loc,
    body: impl FnOnce(I) -> R,
) -> impl FnOnce(&[Node]) -> Built<Vec<Node>> {
    move |items| Ok(body(I::from_nodes(graph, loc, items)?).nodes())
}

/// An operator as the graph takes it.
fn operator<'g, R: Bundle<'g>>(
    graph: &'g Graph,
    loc: Loc,
    combine: impl FnOnce(R, R) -> R,
) -> impl FnOnce(&[Node], &[Node]) -> Built<Vec<Node>> {
    move |left, right| {
        let (left, right) = (
            R::from_nodes(graph, loc, left)?,
            R::from_nodes(graph, loc, right)?,
        );
        Ok(combine(left, right).nodes())
    }
}

/// The nodes of start values, and of neutral elements where they are given.
fn start<'g, R: Bundle<'g>>(
    graph: &'g Graph,
    start: impl IntoBundle<'g, R>,
) -> (Vec<Node>, Vec<Node>) {
    let (start, neutral) = start.into_start(graph);
    (start.nodes(), neutral.map(R::nodes).unwrap_or_default())
}

fn as_start(nodes: &(Vec<Node>, Vec<Node>)) -> Start<'_> {
    Start {
        values: &nodes.0,
        neutral: &nodes.1,
    }
}

/// Applies `body` to each tuple of elements of the arrays.
#[track_caller]
pub fn map<'g, A: ArrayBundle<'g>, R: ItemBundle<'g>>(
    arrays: A,
    apply: impl FnOnce(A::Items) -> R,
) -> R::Arrays {
    let graph = arrays.graph();
    let loc = graph.here();
    graph.keep(
        loc,
        graph.map(loc, &arrays.nodes(), body(graph, loc, apply)),
    )
}

/// Combines all elements with an associative operator, beginning with `from`; an empty array gives `from`. Where the
/// operator's neutral element cannot be derived from it, `from` is [`with_neutral`](super::with_neutral).
#[track_caller]
pub fn reduce<'g, A: ArrayBundle<'g>>(
    arrays: A,
    from: impl IntoBundle<'g, A::Items>,
    combine: impl FnOnce(A::Items, A::Items) -> A::Items,
) -> A::Items {
    let graph = arrays.graph();
    let loc = graph.here();
    let from = start(graph, from);
    let combine = operator(graph, loc, combine);
    graph.keep(
        loc,
        graph.reduce(loc, &arrays.nodes(), as_start(&from), combine),
    )
}

/// All prefixes of a reduction that begins with `from`, each including its own element.
#[track_caller]
pub fn scan<'g, A: ArrayBundle<'g>>(
    arrays: A,
    from: impl IntoBundle<'g, A::Items>,
    combine: impl FnOnce(A::Items, A::Items) -> A::Items,
) -> A {
    prefixes(Prefixes::Inclusive, arrays, from, combine)
}

/// All prefixes of a reduction, each without its own element: the first is `from`.
#[track_caller]
pub fn scan_before<'g, A: ArrayBundle<'g>>(
    arrays: A,
    from: impl IntoBundle<'g, A::Items>,
    combine: impl FnOnce(A::Items, A::Items) -> A::Items,
) -> A {
    prefixes(Prefixes::Exclusive, arrays, from, combine)
}

#[track_caller]
fn prefixes<'g, A: ArrayBundle<'g>>(
    prefixes: Prefixes,
    arrays: A,
    from: impl IntoBundle<'g, A::Items>,
    combine: impl FnOnce(A::Items, A::Items) -> A::Items,
) -> A {
    let graph = arrays.graph();
    let loc = graph.here();
    let from = start(graph, from);
    let combine = operator(graph, loc, combine);
    graph.keep(
        loc,
        graph.scan(loc, prefixes, &arrays.nodes(), as_start(&from), combine),
    )
}

/// A map whose results are reduced at once, beginning with `from`, and never stored.
#[track_caller]
pub fn map_reduce<'g, A: ArrayBundle<'g>, R: Bundle<'g>>(
    arrays: A,
    apply: impl FnOnce(A::Items) -> R,
    from: impl IntoBundle<'g, R>,
    combine: impl FnOnce(R, R) -> R,
) -> R {
    let graph = arrays.graph();
    let loc = graph.here();
    let from = start(graph, from);
    let (apply, combine) = (body(graph, loc, apply), operator(graph, loc, combine));
    let made = graph.map_reduce(loc, &arrays.nodes(), as_start(&from), apply, combine);
    graph.keep(loc, made)
}

/// A map whose results are scanned at once and never stored: all prefixes, each beginning with
/// `from` and including its own element.
#[track_caller]
pub fn map_scan<'g, A: ArrayBundle<'g>, R: ItemBundle<'g>>(
    arrays: A,
    apply: impl FnOnce(A::Items) -> R,
    from: impl IntoBundle<'g, R>,
    combine: impl FnOnce(R, R) -> R,
) -> R::Arrays {
    let graph = arrays.graph();
    let loc = graph.here();
    let (from, kind) = (start(graph, from), Prefixes::Inclusive);
    let (apply, combine) = (body(graph, loc, apply), operator(graph, loc, combine));
    let made = graph.map_scan(loc, kind, &arrays.nodes(), as_start(&from), apply, combine);
    graph.keep(loc, made)
}

/// The elements for which `keep` is true, in order; `size` is the name of how many they are. Not inside other bodies:
/// there the number would differ between elements, and [`build`](super::build) gives an error.
#[track_caller]
pub fn filter<'g, A: ArrayBundle<'g>>(
    arrays: A,
    size: &str,
    keep: impl FnOnce(A::Items) -> Val<'g, bool>,
) -> A {
    let graph = arrays.graph();
    let loc = graph.here();
    let keep = |items: &[Node]| Ok(keep(A::Items::from_nodes(graph, loc, items)?).node);
    graph.keep(loc, graph.filter(loc, &extent(size), &arrays.nodes(), keep))
}

/// The arrays `into` with some elements replaced: for each tuple of elements `apply` returns indices, outermost first, and one
/// value (an element, or a subarray where there are fewer indices than dimensions) per array of `into`. Indices out of range
/// are ignored; of several values at one index one is taken.
#[track_caller]
pub fn scatter<'g, A: ArrayBundle<'g>, D: Bundle<'g>, V: Bundle<'g>, const N: usize>(
    arrays: A,
    into: D,
    apply: impl FnOnce(A::Items) -> ([Val<'g, Index>; N], V),
) -> D {
    let graph = arrays.graph();
    let loc = graph.here();
    let apply = indexed(graph, loc, apply);
    graph.keep(
        loc,
        graph.scatter(loc, &arrays.nodes(), &into.nodes(), apply),
    )
}

/// The arrays `into` with values combined into them: `apply` returns indices and values as for [`scatter`]; `combine` gets
/// the value that is there, then the new one, in any order and grouping, with `neutral` as its neutral element.
#[track_caller]
pub fn hist<'g, A: ArrayBundle<'g>, D: Bundle<'g>, V: Bundle<'g>, const N: usize>(
    arrays: A,
    (into, neutral): (D, impl IntoBundle<'g, V>),
    apply: impl FnOnce(A::Items) -> ([Val<'g, Index>; N], V),
    combine: impl FnOnce(V, V) -> V,
) -> D {
    let graph = arrays.graph();
    let loc = graph.here();
    let neutral = neutral.into_bundle(graph).nodes();
    let (apply, combine) = (indexed(graph, loc, apply), operator(graph, loc, combine));
    let given = (&into.nodes()[..], &neutral[..]);
    graph.keep(loc, graph.hist(loc, &arrays.nodes(), given, apply, combine))
}

/// A body that returns indices and values.
fn indexed<'g, I: Bundle<'g>, V: Bundle<'g>, const N: usize>(
    graph: &'g Graph,
    loc: Loc,
    apply: impl FnOnce(I) -> ([Val<'g, Index>; N], V),
) -> impl FnOnce(&[Node]) -> Built<Vec<Node>> {
    move |items| {
        let (indices, values) = apply(I::from_nodes(graph, loc, items)?);
        Ok([super::nodes(&indices), values.nodes()].concat())
    }
}
