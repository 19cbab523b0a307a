//! Variables under binders: shifting and substitution, on representatives of classes.
//!
//! Law: for every term `t` and arguments `a`, `substitute(t, a)` is `t` with its first `a.len()` variables replaced by
//! `a`, and the others counted down by as many. Nothing is captured: arguments are shifted on their way under lambdas.

use crate::term::{Graph, Head, Node};
use egg::Id;
use rustc_hash::FxHashMap;
use segra_ir::stack::deep;

/// The new index of a free variable: its index and type number; how many binders it is under.
type Replace<'a> = dyn FnMut(&mut Graph, u32, u32, u32) -> Id + 'a;

/// The term with its first variables, those of the lambda it was the body of, replaced by `args`.
pub(crate) fn substitute(graph: &mut Graph, body: Id, args: &[Id]) -> Id {
    let count = args.len() as u32;
    rewrite(
        graph,
        body,
        &mut |graph, index, ty, depth| match args.get(index as usize) {
            Some(&arg) => shift(graph, arg, depth),
            None => graph.add(Node::new(Head::Var(index - count + depth, ty), [])),
        },
    )
}

/// The term as it reads under `by` more parameters.
pub(crate) fn shift(graph: &mut Graph, term: Id, by: u32) -> Id {
    if by == 0 {
        return term;
    }
    rewrite(graph, term, &mut |graph, index, ty, depth| {
        graph.add(Node::new(Head::Var(index + by + depth, ty), []))
    })
}

/// The term, which uses none of them, without the `by` innermost parameters.
pub(crate) fn unshift(graph: &mut Graph, term: Id, by: u32) -> Id {
    rewrite(graph, term, &mut |graph, index, ty, depth| {
        graph.add(Node::new(
            Head::Var(index.saturating_sub(by) + depth, ty),
            [],
        ))
    })
}

/// Whether a term uses one of the `count` innermost parameters.
pub(crate) fn uses_first(graph: &Graph, term: Id, count: u32) -> bool {
    graph[term].data.free & ((1u64 << count.min(63)) - 1) != 0
}

/// Adds parameter `index` of a type number.
pub(crate) fn variable(graph: &mut Graph, index: u32, ty: segra_ir::Type) -> Id {
    let ty = graph.analysis.type_number(ty);
    graph.add(Node::new(Head::Var(index, ty), []))
}

/// Replaces every free variable.
pub(crate) fn rewrite(graph: &mut Graph, term: Id, replace: &mut Replace<'_>) -> Id {
    rewrite_at(graph, term, 0, &mut FxHashMap::default(), replace)
}

fn rewrite_at(
    graph: &mut Graph,
    term: Id,
    depth: u32,
    done: &mut FxHashMap<(Id, u32), Id>,
    replace: &mut Replace<'_>,
) -> Id {
    let term = graph.find(term);
    let known = &graph[term].data;
    if known.free >> depth.min(63) == 0 {
        return term;
    }
    if let Some(&new) = done.get(&(term, depth)) {
        return new;
    }
    let family = known.family;
    let Node { head, children } = known.best.clone();
    let new = match head {
        Head::Var(index, ty) if index >= depth => replace(graph, index - depth, ty, depth),
        _ => {
            let inner = if let Head::Lam(params) = head {
                depth + params
            } else {
                depth
            };
            let mut of_child = |child| deep(|| rewrite_at(graph, child, inner, done, replace));
            let children: Vec<Id> = children.into_iter().map(&mut of_child).collect();
            graph.add(Node::new(head, children))
        }
    };
    // Results that share expensive work share it in other places, too.
    if family.is_some() && graph[new].data.family.is_none() {
        graph[new].data.family = family;
    }
    done.insert((term, depth), new);
    new
}
