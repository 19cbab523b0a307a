//! Rules on maps.

use super::Settings;
use crate::bind::{rewrite, shift, substitute, unshift, uses_first, variable};
use crate::term::{
    Graph, Head, Node, add_dim, add_prim, lambda, members, property, same_extent, sizes, with_head,
};
use egg::Id;
use segra_array::types::{Size, array_or_scalar, sizes_and_element};

/// A map's or fused reduction's function over other arrays: with `at`-th input's elements made by `made`, a body over
/// `inner` arrays of its own.
pub(super) fn compose(
    graph: &mut Graph,
    function: (u32, Id),
    arrays: &[Id],
    at: usize,
    made: (u32, Id),
    inner: &[Id],
) -> (Id, Vec<Id>) {
    let ((params, body), (inner_params, inner_body)) = (function, made);
    // New parameters: all but the replaced one, then those of the producer.
    let kept = params - 1;
    let all = kept + inner_params;
    // The producer's parameters come after the kept ones; where there are none, it reads as it is.
    let element = if kept == 0 {
        inner_body
    } else {
        let args = parameters(graph, inner, kept);
        let inner_body = under(graph, inner_body, inner_params, all);
        substitute(graph, inner_body, &args)
    };
    let mut args = Vec::new();
    let mut next = 0;
    for (index, &array) in arrays.iter().enumerate() {
        if index == at {
            args.push(element);
        } else {
            let ty = row(graph, array);
            args.push(variable(graph, next, ty));
            next += 1;
        }
    }
    let body = under(graph, body, params, all);
    let body = substitute(graph, body, &args);
    let function = graph.add(Node::new(Head::Lam(all), [body]));
    let kept_arrays = arrays
        .iter()
        .enumerate()
        .filter(|&(index, _)| index != at)
        .map(|(_, &array)| array);
    (function, kept_arrays.chain(inner.iter().copied()).collect())
}

/// A body under `params` parameters as it reads when what is free in it is under `all` parameters more, ready for
/// substitution of its own.
pub(crate) fn under(graph: &mut Graph, body: Id, params: u32, all: u32) -> Id {
    rewrite(graph, body, &mut |graph, index, ty, depth| {
        let index = if index < params { index } else { index + all };
        graph.add(Node::new(Head::Var(index + depth, ty), []))
    })
}

pub(super) fn row(graph: &Graph, array: Id) -> segra_ir::Type {
    let ctx = &graph.analysis.ctx;
    let (sizes, element) = sizes_and_element(ctx, graph[array].data.ty);
    array_or_scalar(ctx, sizes.get(1..).unwrap_or_default(), element)
}

/// Variables for the elements of arrays, from index `first` on.
pub(crate) fn parameters(graph: &mut Graph, arrays: &[Id], first: u32) -> Vec<Id> {
    let rows: Vec<_> = arrays.iter().map(|&array| row(graph, array)).collect();
    rows.into_iter()
        .enumerate()
        .map(|(index, ty)| variable(graph, first + index as u32, ty))
        .collect()
}

/// The map that is a class's representative, if nothing else uses it, nor its work: function and arrays.
pub(super) fn lone_map(graph: &Graph, class: Id) -> Option<((u32, Id), Vec<Id>)> {
    let used = graph
        .analysis
        .shared
        .get(&graph.find(class))
        .is_some_and(|&uses| uses > 1);
    if used || graph[class].data.family.is_some() {
        return None;
    }
    let best = &graph[class].data.best;
    (best.head == Head::Map).then_some(())?;
    Some((
        lambda(graph, best.children[0])?,
        best.children[1..].to_vec(),
    ))
}

/// The function and arrays of a map.
fn parts(graph: &Graph, node: &Node) -> Option<((u32, Id), Vec<Id>)> {
    (node.head == Head::Map).then_some(())?;
    Some((
        lambda(graph, node.children[0])?,
        node.children[1..].to_vec(),
    ))
}

fn map(graph: &mut Graph, function: Id, arrays: Vec<Id>) -> Id {
    let mut children = vec![function];
    children.extend(arrays);
    graph.add(Node::new(Head::Map, children))
}

pub(super) fn of_map(graph: &mut Graph, _: Id, node: &Node, settings: Settings) -> Vec<Id> {
    let Some((function, arrays)) = parts(graph, node).filter(|_| !settings.apart) else {
        return Vec::new();
    };
    for (at, &array) in arrays.iter().enumerate() {
        // The same array twice is another rule's.
        if arrays.iter().filter(|&&other| other == array).count() > 1 {
            continue;
        }
        if let Some((made, inner)) = lone_map(graph, array) {
            let (function, arrays) = compose(graph, function, &arrays, at, made, &inner);
            if function_fits(&arrays) {
                return vec![map(graph, function, arrays)];
            }
        }
    }
    Vec::new()
}

/// Parameters of one function are bounded, so that all variables have a place in the sets of free ones.
pub(crate) fn function_fits(arrays: &[Id]) -> bool {
    arrays.len() <= 16
}

pub(super) fn identity(graph: &mut Graph, _: Id, node: &Node, _: Settings) -> Vec<Id> {
    let Some(((params, body), arrays)) = parts(graph, node) else {
        return Vec::new();
    };
    if arrays.len() > 1 && !same_extent(graph, &arrays) {
        return Vec::new();
    }
    let index = graph[body].nodes.iter().find_map(|node| match node.head {
        Head::Var(index, _) if index < params => Some(index),
        _ => None,
    });
    index
        .map(|index| arrays[index as usize])
        .into_iter()
        .collect()
}

pub(super) fn invariant(graph: &mut Graph, class: Id, node: &Node, _: Settings) -> Vec<Id> {
    let Some(((params, body), arrays)) = parts(graph, node) else {
        return Vec::new();
    };
    if uses_first(graph, body, params) || arrays.len() > 1 && !same_extent(graph, &arrays) {
        return Vec::new();
    }
    let value = unshift(graph, body, params);
    let count = add_dim(graph, arrays[0], 0);
    let ty = graph[class].data.ty;
    vec![add_prim(
        graph,
        "array.replicate",
        &[],
        vec![value, count],
        ty,
    )]
}

/// The value of every element of an array, if that is replicated.
pub(super) fn replicated(graph: &mut Graph, array: Id) -> Option<Id> {
    let (_, children) = members(graph, array, "array.replicate")
        .into_iter()
        .next()?;
    let ty = row(graph, array);
    match children[..] {
        [value, _] if graph[value].data.ty == ty => Some(value),
        [value, _, _, ..] => {
            let mut inner = vec![value];
            inner.extend(&children[2..]);
            Some(add_prim(graph, "array.replicate", &[], inner, ty))
        }
        _ => None,
    }
}

pub(super) fn of_replicate(graph: &mut Graph, _: Id, node: &Node, _: Settings) -> Vec<Id> {
    let Some(((params, body), arrays)) = parts(graph, node) else {
        return Vec::new();
    };
    if arrays.len() < 2 || !same_extent(graph, &arrays) {
        return Vec::new();
    }
    for (at, &array) in arrays.iter().enumerate() {
        if let Some(value) = replicated(graph, array) {
            return vec![without_input(
                graph,
                (params, body),
                &arrays,
                at,
                Some(value),
            )];
        }
    }
    Vec::new()
}

pub(super) fn of_only_replicate(graph: &mut Graph, class: Id, node: &Node, _: Settings) -> Vec<Id> {
    let Some(((1, body), arrays)) = parts(graph, node) else {
        return Vec::new();
    };
    let sizes = members(graph, arrays[0], "array.replicate");
    let Some(count) = sizes
        .first()
        .and_then(|(_, children)| children.get(1).copied())
    else {
        return Vec::new();
    };
    let Some(value) = replicated(graph, arrays[0]) else {
        return Vec::new();
    };
    let made = substitute(graph, body, &[value]);
    let ty = graph[class].data.ty;
    vec![add_prim(
        graph,
        "array.replicate",
        &[],
        vec![made, count],
        ty,
    )]
}

/// The map without one input, whose element is a value from outside, or is not used.
fn without_input(
    graph: &mut Graph,
    (params, body): (u32, Id),
    arrays: &[Id],
    at: usize,
    value: Option<Id>,
) -> Id {
    let kept: Vec<Id> = arrays
        .iter()
        .enumerate()
        .filter(|&(index, _)| index != at)
        .map(|(_, &array)| array)
        .collect();
    let mut args = parameters(graph, &kept, 0);
    let element = match value {
        Some(value) => shift(graph, value, params - 1),
        None => args[0],
    };
    args.insert(at, element);
    let body = under(graph, body, params, params - 1);
    let body = substitute(graph, body, &args);
    let function = graph.add(Node::new(Head::Lam(params - 1), [body]));
    map(graph, function, kept)
}

pub(super) fn unused(graph: &mut Graph, _: Id, node: &Node, _: Settings) -> Vec<Id> {
    let Some(((params, body), arrays)) = parts(graph, node) else {
        return Vec::new();
    };
    let free = graph[body].data.free;
    let at = (0..arrays.len()).find(|&at| free >> at & 1 == 0);
    match at.filter(|_| arrays.len() > 1 && same_extent(graph, &arrays)) {
        Some(at) => vec![without_input(graph, (params, body), &arrays, at, None)],
        None => Vec::new(),
    }
}

pub(super) fn same(graph: &mut Graph, _: Id, node: &Node, _: Settings) -> Vec<Id> {
    let Some(((params, body), arrays)) = parts(graph, node) else {
        return Vec::new();
    };
    let twice = (1..arrays.len()).find_map(|at| {
        let first = arrays[..at]
            .iter()
            .position(|&other| graph.find(other) == graph.find(arrays[at]))?;
        Some((first, at))
    });
    let Some((first, at)) = twice else {
        return Vec::new();
    };
    let kept: Vec<Id> = arrays
        .iter()
        .enumerate()
        .filter(|&(index, _)| index != at)
        .map(|(_, &array)| array)
        .collect();
    let mut args = parameters(graph, &kept, 0);
    args.insert(at, args[first]);
    let body = under(graph, body, params, params - 1);
    let body = substitute(graph, body, &args);
    let function = graph.add(Node::new(Head::Lam(params - 1), [body]));
    vec![map(graph, function, kept)]
}

pub(super) fn interchange(graph: &mut Graph, class: Id, node: &Node, _: Settings) -> Vec<Id> {
    let Some((prim, "array.rearrange")) = crate::term::prim(graph, node) else {
        return Vec::new();
    };
    let prim = *prim;
    let ctx = graph.analysis.ctx.clone();
    let permutation =
        property(graph, &prim, "permutation").and_then(|attr| attr.as_dense_i64(&ctx));
    let Some(permutation) = permutation else {
        return Vec::new();
    };
    if permutation.len() != 2 || permutation != [1, 0] {
        return Vec::new();
    }
    for outer in with_head(graph, node.children[0], Head::Map) {
        let Some((params, body)) = lambda(graph, outer[0]) else {
            continue;
        };
        let arrays = outer[1..].to_vec();
        for inner in with_head(graph, body, Head::Map) {
            let Some((inner_params, inner_body)) = lambda(graph, inner[0]) else {
                continue;
            };
            // Each inner input is an element of an outer one, which is a matrix.
            let index_of = |input: &Id| {
                graph[*input].nodes.iter().find_map(|node| match node.head {
                    Head::Var(index, _) if index < params => Some(index as usize),
                    _ => None,
                })
            };
            let indices: Option<Vec<usize>> = inner[1..].iter().map(index_of).collect();
            let Some(indices) = indices else { continue };
            let plain = indices.len() == arrays.len()
                && indices.iter().enumerate().all(|(at, &index)| at == index);
            // The function uses neither the outer elements nor, then, anything but its own.
            let free = graph[inner_body].data.free >> inner_params & ((1u64 << params) - 1);
            let known = arrays.iter().all(|&array| {
                let sizes = sizes(graph, array);
                sizes.len() == 2 && !sizes.contains(&Size::Unknown)
            });
            if !plain || free != 0 || !known || !same_extent(graph, &arrays) {
                continue;
            }
            return vec![transposed(graph, class, &arrays, inner[0], &permutation)];
        }
    }
    Vec::new()
}

fn transposed(graph: &mut Graph, _: Id, arrays: &[Id], function: Id, permutation: &[i64]) -> Id {
    let ctx = graph.analysis.ctx.clone();
    let turned: Vec<Id> = arrays
        .iter()
        .map(|&array| {
            let (mut sizes, element) = sizes_and_element(&ctx, graph[array].data.ty);
            sizes.swap(0, 1);
            let ty = array_or_scalar(&ctx, &sizes, element);
            let attr = ctx.dense_i64_attr(permutation);
            add_prim(
                graph,
                "array.rearrange",
                &[("permutation", attr)],
                vec![array],
                ty,
            )
        })
        .collect();
    let rows = parameters(graph, &turned, 0);
    let inner = map(graph, function, rows);
    let outer = graph.add(Node::new(Head::Lam(turned.len() as u32), [inner]));
    map(graph, outer, turned)
}
