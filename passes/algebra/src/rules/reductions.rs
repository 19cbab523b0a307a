//! Rules on reductions.

use super::Settings;
use super::maps::{compose, function_fits, lone_map, parameters, replicated, under};
use crate::bind::{shift, substitute, unshift, uses_first};
use crate::term::{
    Graph, Head, Node, Prim, add_dim, add_prim, add_same, lambda, members, prim, property,
    same_extent, sizes, visit, with_head,
};
use egg::Id;
use rustc_hash::FxHashSet;
use segra_array::types::{Size, array_or_scalar, sizes_and_element};

/// A reduction: operator, neutral element, function, arrays.
struct Reduction {
    combine: Id,
    neutral: Id,
    function: Id,
    arrays: Vec<Id>,
}

fn reduction(node: &Node) -> Option<Reduction> {
    (node.head == Head::Reduce).then(|| Reduction {
        combine: node.children[0],
        neutral: node.children[1],
        function: node.children[2],
        arrays: node.children[3..].to_vec(),
    })
}

fn reduce(graph: &mut Graph, combine: Id, neutral: Id, function: Id, arrays: &[Id]) -> Id {
    let mut children = vec![combine, neutral, function];
    children.extend(arrays);
    graph.add(Node::new(Head::Reduce, children))
}

/// The op that is all of an operator, over its two arguments in either order.
fn operator(graph: &Graph, combine: Id) -> Option<(Prim, &str)> {
    let (2, body) = lambda(graph, combine)? else {
        return None;
    };
    graph[body].nodes.iter().find_map(|node| {
        let (op, name) = prim(graph, node)?;
        let variable = |id: Id| match graph[id].data.best.head {
            Head::Var(index, _) => Some(index),
            _ => None,
        };
        let [a, b] = node.children[..] else {
            return None;
        };
        let both = matches!(
            (variable(a), variable(b)),
            (Some(0), Some(1)) | (Some(1), Some(0))
        );
        both.then_some((*op, name))
    })
}

const COMMUTATIVE: &[&str] = &[
    "arith.addi",
    "arith.muli",
    "arith.maxsi",
    "arith.minsi",
    "arith.maxui",
    "arith.minui",
    "arith.andi",
    "arith.ori",
    "arith.xori",
];

fn is_commutative(graph: &Graph, combine: Id) -> bool {
    operator(graph, combine).is_some_and(|(_, name)| COMMUTATIVE.contains(&name))
}

/// Whether the op says nothing about overflow: then wrapping sums can be regrouped.
fn wraps(graph: &Graph, op: &Prim) -> bool {
    let ctx = &graph.analysis.ctx;
    property(graph, op, "overflowFlags")
        .is_none_or(|flags| segra_text::print_attr(ctx, flags).contains("none"))
}

fn integer(graph: &Graph, class: Id, value: i64) -> bool {
    members(graph, class, "arith.constant")
        .iter()
        .any(|(op, _)| {
            property(graph, op, "value").and_then(|attr| attr.as_i64(&graph.analysis.ctx))
                == Some(value)
        })
}

fn is_integer(graph: &Graph, class: Id) -> bool {
    graph[class]
        .data
        .ty
        .is_integer_or_index(&graph.analysis.ctx)
}

pub(super) fn of_map(graph: &mut Graph, _: Id, node: &Node, settings: Settings) -> Vec<Id> {
    let Some(red) = reduction(node).filter(|_| !settings.apart) else {
        return Vec::new();
    };
    let Some(function) = lambda(graph, red.function) else {
        return Vec::new();
    };
    for (at, &array) in red.arrays.iter().enumerate() {
        if red.arrays.iter().filter(|&&other| other == array).count() > 1 {
            continue;
        }
        if let Some((made, inner)) = lone_map(graph, array)
            && !has_combinator(graph, made.1)
        {
            let (function, arrays) = compose(graph, function, &red.arrays, at, made, &inner);
            if function_fits(&arrays) {
                return vec![reduce(graph, red.combine, red.neutral, function, &arrays)];
            }
        }
    }
    Vec::new()
}

pub(super) fn of_replicate(graph: &mut Graph, _: Id, node: &Node, _: Settings) -> Vec<Id> {
    let Some(red) = reduction(node) else {
        return Vec::new();
    };
    let Some((params, body)) = lambda(graph, red.function) else {
        return Vec::new();
    };
    for (at, &array) in red.arrays.iter().enumerate() {
        if graph[body].data.free >> at & 1 == 0 {
            continue;
        }
        if let Some(value) = replicated(graph, array) {
            let mut args = parameters(graph, &red.arrays, 0);
            args[at] = shift(graph, value, params);
            return vec![over_arguments(
                graph,
                &red,
                &red.arrays,
                (params, body),
                &args,
            )];
        }
    }
    Vec::new()
}

pub(super) fn unused(graph: &mut Graph, _: Id, node: &Node, _: Settings) -> Vec<Id> {
    let Some(red) = reduction(node) else {
        return Vec::new();
    };
    let Some((params, body)) = lambda(graph, red.function) else {
        return Vec::new();
    };
    let free = graph[body].data.free;
    let at = (0..red.arrays.len()).find(|&at| free >> at & 1 == 0);
    let Some(at) = at.filter(|_| red.arrays.len() > 1 && same_extent(graph, &red.arrays)) else {
        return Vec::new();
    };
    let mut kept = red.arrays.clone();
    kept.remove(at);
    let mut args = parameters(graph, &kept, 0);
    args.insert(at, args[0]);
    vec![over_arguments(graph, &red, &kept, (params, body), &args)]
}

/// The reduction over `arrays`, its function applied to `args` under their elements.
fn over_arguments(
    graph: &mut Graph,
    red: &Reduction,
    arrays: &[Id],
    (params, body): (u32, Id),
    args: &[Id],
) -> Id {
    let all = arrays.len() as u32;
    let body = under(graph, body, params, all);
    let body = substitute(graph, body, args);
    let function = graph.add(Node::new(Head::Lam(all), [body]));
    reduce(graph, red.combine, red.neutral, function, arrays)
}

pub(super) fn of_reverse(graph: &mut Graph, _: Id, node: &Node, _: Settings) -> Vec<Id> {
    let Some(red) = reduction(node).filter(|red| is_commutative(graph, red.combine)) else {
        return Vec::new();
    };
    let mut arrays = Vec::new();
    for &array in &red.arrays {
        let reversed = members(graph, array, "array.reverse")
            .into_iter()
            .find(|(op, _)| {
                property(graph, op, "dim").and_then(|attr| attr.as_i64(&graph.analysis.ctx))
                    == Some(0)
            });
        let Some((_, children)) = reversed else {
            return Vec::new();
        };
        arrays.push(children[0]);
    }
    vec![reduce(
        graph,
        red.combine,
        red.neutral,
        red.function,
        &arrays,
    )]
}

/// Whether there is a combinator in a term: the body of a reduction is sequential, and it would be too.
fn has_combinator(graph: &Graph, term: Id) -> bool {
    let mut found = false;
    visit(graph, &[term], &mut FxHashSet::default(), |_, best| {
        found |= best.head.is_combinator();
        !found
    });
    found
}

/// Whether a function gives its only argument back.
fn is_identity(graph: &Graph, function: Id) -> bool {
    lambda(graph, function).is_some_and(|(params, body)| {
        params == 1 && matches!(graph[body].data.best.head, Head::Var(0, _))
    })
}

pub(super) fn of_transpose(graph: &mut Graph, _: Id, node: &Node, _: Settings) -> Vec<Id> {
    let Some(red) = reduction(node).filter(|red| is_commutative(graph, red.combine)) else {
        return Vec::new();
    };
    let [array] = red.arrays[..] else {
        return Vec::new();
    };
    // The rows' reductions are a map before, or in the function.
    if is_identity(graph, red.function) {
        let maps = with_head(graph, array, Head::Map);
        let [children] = &maps[..] else {
            return Vec::new();
        };
        let [function, rows] = children[..] else {
            return Vec::new();
        };
        let Some((function, straight)) = straightened(graph, &red, function, rows) else {
            return Vec::new();
        };
        let sums = graph.add(Node::new(Head::Map, [function, straight]));
        return vec![reduce(
            graph,
            red.combine,
            red.neutral,
            red.function,
            &[sums],
        )];
    }
    match straightened(graph, &red, red.function, array) {
        Some((function, straight)) => vec![reduce(
            graph,
            red.combine,
            red.neutral,
            function,
            &[straight],
        )],
        None => Vec::new(),
    }
}

/// A function that reduces rows as `red` reduces, over a transposed matrix: the same function for the rows of the matrix
/// as it was, and that.
fn straightened(graph: &mut Graph, red: &Reduction, function: Id, array: Id) -> Option<(Id, Id)> {
    let (1, body) = lambda(graph, function)? else {
        return None;
    };
    let ctx = graph.analysis.ctx.clone();
    let turned = |(op, children): (Prim, Vec<Id>)| {
        let permutation =
            property(graph, &op, "permutation").and_then(|attr| attr.as_dense_i64(&ctx));
        (permutation.as_deref() == Some(&[1, 0])).then(|| children[0])
    };
    let straight = members(graph, array, "array.rearrange")
        .into_iter()
        .find_map(turned)?;
    for inner in with_head(graph, body, Head::Reduce) {
        let Some(rows) = reduction(&Node::new(Head::Reduce, inner)) else {
            continue;
        };
        let [row] = rows.arrays[..] else { continue };
        let whole = matches!(graph[row].data.best.head, Head::Var(0, _))
            && is_identity(graph, rows.function);
        // Both are closed, and so the same seen from inside.
        let same = graph.find(rows.combine) == graph.find(red.combine)
            && graph.find(rows.neutral) == graph.find(red.neutral)
            && graph[rows.neutral].data.free == 0;
        if whole && same {
            let args = parameters(graph, &[straight], 0);
            let inner = reduce(graph, rows.combine, rows.neutral, rows.function, &args);
            return Some((graph.add(Node::new(Head::Lam(1), [inner])), straight));
        }
    }
    None
}

pub(super) fn of_rows(graph: &mut Graph, class: Id, node: &Node, _: Settings) -> Vec<Id> {
    let Some(red) = reduction(node).filter(|red| is_identity(graph, red.function)) else {
        return Vec::new();
    };
    let [array] = red.arrays[..] else {
        return Vec::new();
    };
    let Some((2, body)) = lambda(graph, red.combine) else {
        return Vec::new();
    };
    let ctx = graph.analysis.ctx.clone();
    let (sizes_, element) = sizes_and_element(&ctx, graph[array].data.ty);
    if sizes_.len() != 2 || sizes_.contains(&Size::Unknown) {
        return Vec::new();
    }
    let units = members(graph, red.neutral, "array.replicate");
    let unit = units
        .into_iter()
        .find(|(_, children)| children.len() == 2)
        .map(|row| row.1[0]);
    let Some(unit) = unit else { return Vec::new() };
    for inner in with_head(graph, body, Head::Map) {
        let Some((2, point)) = lambda(graph, inner[0]) else {
            continue;
        };
        let variable = |at: usize| match graph[inner[at]].data.best.head {
            Head::Var(index, _) => Some(index),
            _ => None,
        };
        if inner.len() != 3
            || variable(1) != Some(0)
            || variable(2) != Some(1)
            || graph[point].data.free >> 2 != 0
        {
            continue;
        }
        let turned_type = array_or_scalar(&ctx, &[sizes_[1], sizes_[0]], element);
        let attr = ctx.dense_i64_attr(&[1, 0]);
        let turned = add_prim(
            graph,
            "array.rearrange",
            &[("permutation", attr)],
            vec![array],
            turned_type,
        );
        let args = parameters(graph, &[turned], 0);
        let scalar = crate::bind::variable(graph, 0, element);
        let identity = graph.add(Node::new(Head::Lam(1), [scalar]));
        let seen = shift(graph, unit, 1);
        let column = reduce(graph, inner[0], seen, identity, &args);
        let function = graph.add(Node::new(Head::Lam(1), [column]));
        let new = graph.add(Node::new(Head::Map, [function, turned]));
        return if graph[new].data.ty == graph[class].data.ty {
            vec![new]
        } else {
            Vec::new()
        };
    }
    Vec::new()
}

/// A sum from zero: the operator, if the sum may be regrouped, and the function.
fn sum(graph: &Graph, node: &Node, settings: Settings) -> Option<(Reduction, Prim, u32, Id)> {
    let red = reduction(node)?;
    let (op, name) = operator(graph, red.combine)?;
    let exact = name == "arith.addi" && wraps(graph, &op) && integer(graph, red.neutral, 0);
    let loose = settings.fast_math && name == "arith.addf" && is_zero(graph, red.neutral);
    let (params, body) = lambda(graph, red.function)?;
    (exact || loose).then_some((red, op, params, body))
}

fn is_zero(graph: &Graph, class: Id) -> bool {
    members(graph, class, "arith.constant")
        .iter()
        .any(|(op, _)| {
            property(graph, op, "value").is_some_and(|value| {
                segra_text::print_attr(&graph.analysis.ctx, value).starts_with("0.0")
            })
        })
}

/// Operands of members `name` of a body of which one does not use the parameters: that one, the other, the op.
fn split(graph: &Graph, body: Id, params: u32, name: &str) -> Option<(Id, Id, Prim)> {
    for (op, children) in members(graph, body, name) {
        let [a, b] = children[..] else { continue };
        let usable = name.ends_with('f') || wraps(graph, &op);
        for (fixed, other) in [(a, b), (b, a)] {
            if usable && !uses_first(graph, fixed, params) && uses_first(graph, other, params) {
                return Some((fixed, other, op));
            }
        }
    }
    None
}

pub(super) fn factor(graph: &mut Graph, _: Id, node: &Node, settings: Settings) -> Vec<Id> {
    let Some((red, _, params, body)) = sum(graph, node, settings) else {
        return Vec::new();
    };
    let product = if is_integer(graph, body) {
        "arith.muli"
    } else {
        "arith.mulf"
    };
    let Some((fixed, other, op)) = split(graph, body, params, product) else {
        return Vec::new();
    };
    let function = graph.add(Node::new(Head::Lam(params), [other]));
    let rest = reduce(graph, red.combine, red.neutral, function, &red.arrays);
    let fixed = unshift(graph, fixed, params);
    vec![add_same(graph, op, vec![fixed, rest])]
}

pub(super) fn halves(graph: &mut Graph, _: Id, node: &Node, settings: Settings) -> Vec<Id> {
    let Some((red, op, params, body)) = sum(graph, node, settings) else {
        return Vec::new();
    };
    let plus = if is_integer(graph, body) {
        "arith.addi"
    } else {
        "arith.addf"
    };
    let mut found = Vec::new();
    for (inner, children) in members(graph, body, plus) {
        let both = children.iter().all(|&part| uses_first(graph, part, params));
        if !both || !(plus.ends_with('f') || wraps(graph, &inner)) {
            continue;
        }
        let mut sums = Vec::new();
        for part in children {
            let function = graph.add(Node::new(Head::Lam(params), [part]));
            sums.push(reduce(
                graph,
                red.combine,
                red.neutral,
                function,
                &red.arrays,
            ));
        }
        found.push(add_same(graph, op, sums));
    }
    found
}

/// The extent of the arrays as a number of the type of a class.
fn count(graph: &mut Graph, arrays: &[Id], like: Id) -> Id {
    let ty = graph[like].data.ty;
    let count = add_dim(graph, arrays[0], 0);
    if ty.is_index(&graph.analysis.ctx) {
        return count;
    }
    add_prim(graph, "arith.index_cast", &[], vec![count], ty)
}

pub(super) fn offset(graph: &mut Graph, _: Id, node: &Node, _: Settings) -> Vec<Id> {
    let Some((red, op, params, body)) = sum(graph, node, Settings::default()) else {
        return Vec::new();
    };
    let Some((fixed, other, _)) = split(graph, body, params, "arith.addi") else {
        return Vec::new();
    };
    let function = graph.add(Node::new(Head::Lam(params), [other]));
    let rest = reduce(graph, red.combine, red.neutral, function, &red.arrays);
    let fixed = unshift(graph, fixed, params);
    let times = times_count(graph, &red.arrays, fixed);
    vec![add_same(graph, op, vec![times, rest])]
}

fn times_count(graph: &mut Graph, arrays: &[Id], value: Id) -> Id {
    let ty = graph[value].data.ty;
    let count = count(graph, arrays, value);
    add_prim(graph, "arith.muli", &[], vec![count, value], ty)
}

pub(super) fn of_invariant(graph: &mut Graph, _: Id, node: &Node, _: Settings) -> Vec<Id> {
    let Some((red, _, params, body)) = sum(graph, node, Settings::default()) else {
        return Vec::new();
    };
    if uses_first(graph, body, params) || red.arrays.len() > 1 && !same_extent(graph, &red.arrays) {
        return Vec::new();
    }
    let value = unshift(graph, body, params);
    vec![times_count(graph, &red.arrays, value)]
}

pub(super) fn extremum(graph: &mut Graph, class: Id, node: &Node, _: Settings) -> Vec<Id> {
    let Some(red) = reduction(node) else {
        return Vec::new();
    };
    let Some((_, name)) = operator(graph, red.combine) else {
        return Vec::new();
    };
    let idempotent = matches!(
        name,
        "arith.maxsi" | "arith.minsi" | "arith.andi" | "arith.ori"
    );
    let neutral: Option<i64> = match name {
        "arith.maxsi" => Some(i64::from(i32::MIN)),
        "arith.minsi" => Some(i64::from(i32::MAX)),
        "arith.andi" => Some(-1),
        "arith.ori" => Some(0),
        _ => None,
    };
    let Some((params, body)) = lambda(graph, red.function) else {
        return Vec::new();
    };
    let thirty_two = graph[class].data.ty.integer_width(&graph.analysis.ctx) == Some(32);
    let unit = neutral.is_some_and(|neutral| integer(graph, red.neutral, neutral));
    if !idempotent || !thirty_two || !unit || uses_first(graph, body, params) {
        return Vec::new();
    }
    if red.arrays.len() > 1 && !same_extent(graph, &red.arrays)
        || sizes(graph, red.arrays[0]).is_empty()
    {
        return Vec::new();
    }
    let ctx = graph.analysis.ctx.clone();
    let value = unshift(graph, body, params);
    let count = add_dim(graph, red.arrays[0], 0);
    let zero = add_prim(
        graph,
        "arith.constant",
        &[("value", ctx.index_attr(0))],
        Vec::new(),
        ctx.index(),
    );
    let predicate = ctx.i64_attr(0);
    let empty = add_prim(
        graph,
        "arith.cmpi",
        &[("predicate", predicate)],
        vec![count, zero],
        ctx.i1(),
    );
    let ty = graph[class].data.ty;
    vec![add_prim(
        graph,
        "arith.select",
        &[],
        vec![empty, red.neutral, value],
        ty,
    )]
}
