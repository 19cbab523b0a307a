//! Branches and loops.

use super::{Bundle, Integer, Val};
use crate::graph::{Count, Node};

/// The values that `then` returns where `condition` holds, else those of `otherwise`.
#[track_caller]
pub fn branch<'g, R: Bundle<'g>>(
    condition: Val<'g, bool>,
    then: impl FnOnce() -> R,
    otherwise: impl FnOnce() -> R,
) -> R {
    let graph = condition.graph;
    let loc = graph.here();
    let made = graph.branch(
        loc,
        condition.node,
        || Ok(then().nodes()),
        || Ok(otherwise().nodes()),
    );
    graph.keep(loc, made)
}

/// Runs `body` for each value of a counter that goes from `from` by `step` and stays below `to`; it gets the counter and the
/// carried values and returns the next ones. The values after the last iteration.
#[track_caller]
pub fn count<'g, T: Integer, R: Bundle<'g>>(
    (from, to, step): (Val<'g, T>, Val<'g, T>, Val<'g, T>),
    carried: R,
    body: impl FnOnce(Val<'g, T>, R) -> R,
) -> R {
    let graph = from.graph;
    let loc = graph.here();
    let bounds = Count {
        from: from.node,
        to: to.node,
        step: step.node,
    };
    let made = graph.count(loc, bounds, &carried.nodes(), |counter, carried| {
        let counter = Val::of_node(graph, loc, counter)?;
        Ok(body(counter, R::from_nodes(graph, loc, carried)?).nodes())
    });
    graph.keep(loc, made)
}

/// Runs `next` on the carried values while `goes_on` holds of them. The first values of which it does not.
#[track_caller]
pub fn repeat<'g, R: Bundle<'g>>(
    carried: R,
    goes_on: impl FnOnce(R) -> Val<'g, bool>,
    next: impl FnOnce(R) -> R,
) -> R {
    let graph = carried.graph();
    let loc = graph.here();
    let bundle = |nodes: &[Node]| R::from_nodes(graph, loc, nodes);
    let made = graph.repeat(
        loc,
        &carried.nodes(),
        |carried| Ok((goes_on(bundle(carried)?).node, carried.to_vec())),
        |carried| Ok(next(bundle(carried)?).nodes()),
    );
    graph.keep(loc, made)
}
