//! Rules on views.

use super::Settings;
use crate::term::{
    Graph, Head, Node, Prim, add_prim, add_same, members, prim, property, same_extent, with_head,
};
use egg::Id;

fn permutation(graph: &Graph, prim: &Prim) -> Option<Vec<i64>> {
    let ctx = graph.analysis.ctx.clone();
    property(graph, prim, "permutation")?.as_dense_i64(&ctx)
}

fn dim(graph: &Graph, prim: &Prim) -> Option<i64> {
    property(graph, prim, "dim")?.as_i64(&graph.analysis.ctx)
}

/// The op, if the node is one of that name.
fn op(graph: &Graph, node: &Node, name: &str) -> Option<Prim> {
    prim(graph, node)
        .filter(|row| row.1 == name)
        .map(|row| *row.0)
}

pub(super) fn rearrange_twice(graph: &mut Graph, class: Id, node: &Node, _: Settings) -> Vec<Id> {
    let Some(outer) = op(graph, node, "array.rearrange") else {
        return Vec::new();
    };
    let ty = graph[class].data.ty;
    let mut found = Vec::new();
    for (inner, children) in members(graph, node.children[0], "array.rearrange") {
        let (Some(outer), Some(inner)) = (permutation(graph, &outer), permutation(graph, &inner))
        else {
            continue;
        };
        let both: Option<Vec<i64>> = outer
            .iter()
            .map(|&dim| inner.get(dim as usize).copied())
            .collect();
        let Some(both) = both else { continue };
        // The identity is no op at all.
        if both.iter().enumerate().all(|(at, &dim)| at as i64 == dim) {
            found.push(children[0]);
        } else {
            let attr = graph.analysis.ctx.dense_i64_attr(&both);
            found.push(add_prim(
                graph,
                "array.rearrange",
                &[("permutation", attr)],
                children,
                ty,
            ));
        }
    }
    found
}

pub(super) fn rearrange_identity(graph: &mut Graph, _: Id, node: &Node, _: Settings) -> Vec<Id> {
    let Some(op) = op(graph, node, "array.rearrange") else {
        return Vec::new();
    };
    let identity = permutation(graph, &op).is_some_and(|permutation| {
        permutation
            .iter()
            .enumerate()
            .all(|(at, &dim)| at as i64 == dim)
    });
    if identity {
        vec![node.children[0]]
    } else {
        Vec::new()
    }
}

pub(super) fn rearrange_replicate(
    graph: &mut Graph,
    class: Id,
    node: &Node,
    _: Settings,
) -> Vec<Id> {
    let Some(rearrange) = op(graph, node, "array.rearrange") else {
        return Vec::new();
    };
    let Some(permutation) = permutation(graph, &rearrange) else {
        return Vec::new();
    };
    let ty = graph[class].data.ty;
    let mut found = Vec::new();
    for (_, children) in members(graph, node.children[0], "array.replicate") {
        if children.len() == permutation.len() + 1 {
            let mut turned = vec![children[0]];
            turned.extend(permutation.iter().map(|&dim| children[1 + dim as usize]));
            found.push(add_prim(graph, "array.replicate", &[], turned, ty));
        }
    }
    found
}

pub(super) fn reverse_twice(graph: &mut Graph, _: Id, node: &Node, _: Settings) -> Vec<Id> {
    let Some(outer) = op(graph, node, "array.reverse") else {
        return Vec::new();
    };
    let inner = members(graph, node.children[0], "array.reverse");
    inner
        .into_iter()
        .filter(|(inner, _)| dim(graph, inner) == dim(graph, &outer))
        .map(|(_, kids)| kids[0])
        .collect()
}

pub(super) fn reverse_replicate(graph: &mut Graph, _: Id, node: &Node, _: Settings) -> Vec<Id> {
    let Some(reverse) = op(graph, node, "array.reverse") else {
        return Vec::new();
    };
    let Some(dim) = dim(graph, &reverse) else {
        return Vec::new();
    };
    let replicates = members(graph, node.children[0], "array.replicate");
    let found = replicates
        .iter()
        .any(|(_, children)| dim + 1 < children.len() as i64);
    if found {
        vec![node.children[0]]
    } else {
        Vec::new()
    }
}

pub(super) fn reverse_map(graph: &mut Graph, _: Id, node: &Node, _: Settings) -> Vec<Id> {
    let Some(reverse) = op(graph, node, "array.reverse") else {
        return Vec::new();
    };
    if dim(graph, &reverse) != Some(0) {
        return Vec::new();
    }
    let Some(children) = with_head(graph, node.children[0], Head::Map)
        .into_iter()
        .next()
    else {
        return Vec::new();
    };
    let mut new = vec![children[0]];
    for &array in &children[1..] {
        let ty = graph[array].data.ty;
        new.push(add_same(
            graph,
            Prim {
                result: ty,
                ..reverse
            },
            vec![array],
        ));
    }
    vec![graph.add(Node::new(Head::Map, new))]
}

pub(super) fn reverse_map_back(graph: &mut Graph, class: Id, node: &Node, _: Settings) -> Vec<Id> {
    if node.head != Head::Map || !same_extent(graph, &node.children[1..]) {
        return Vec::new();
    }
    let mut new = vec![node.children[0]];
    let mut reverse = None;
    for &array in &node.children[1..] {
        let found = members(graph, array, "array.reverse");
        let Some((prim, children)) = found.into_iter().find(|row| dim(graph, &row.0) == Some(0))
        else {
            return Vec::new();
        };
        reverse = Some(prim);
        new.push(children[0]);
    }
    let Some(reverse) = reverse else {
        return Vec::new();
    };
    let result = graph[class].data.ty;
    let inner = graph.add(Node::new(Head::Map, new));
    vec![add_same(graph, Prim { result, ..reverse }, vec![inner])]
}

pub(super) fn replicate_twice(graph: &mut Graph, class: Id, node: &Node, _: Settings) -> Vec<Id> {
    if op(graph, node, "array.replicate").is_none() {
        return Vec::new();
    }
    let ty = graph[class].data.ty;
    let mut found = Vec::new();
    for (_, inner) in members(graph, node.children[0], "array.replicate") {
        let mut all = vec![inner[0]];
        all.extend(&node.children[1..]);
        all.extend(&inner[1..]);
        found.push(add_prim(graph, "array.replicate", &[], all, ty));
    }
    found
}

/// Array and indices of a gather over as many indices as the array has elements.
fn whole_gather(graph: &Graph, node: &Node) -> Option<(Id, Id)> {
    op(graph, node, "array.gather")?;
    let [array, indices] = node.children[..] else {
        return None;
    };
    same_extent(graph, &[array, indices]).then_some((array, indices))
}

pub(super) fn gather_iota(graph: &mut Graph, _: Id, node: &Node, _: Settings) -> Vec<Id> {
    match whole_gather(graph, node) {
        Some((array, indices)) if !members(graph, indices, "array.iota").is_empty() => vec![array],
        _ => Vec::new(),
    }
}

pub(super) fn gather_backwards(graph: &mut Graph, class: Id, node: &Node, _: Settings) -> Vec<Id> {
    let Some((array, indices)) = whole_gather(graph, node) else {
        return Vec::new();
    };
    let result = graph[class].data.ty;
    let backwards = members(graph, indices, "array.reverse")
        .into_iter()
        .find(|(_, children)| members(graph, children[0], "array.iota").len() == 1);
    match backwards {
        Some((reverse, _)) => vec![add_same(graph, Prim { result, ..reverse }, vec![array])],
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Facts;
    use segra_array::types::{Size, array_of};
    use segra_ir::Context;
    use std::sync::Arc;

    /// Loading takes no other gathers than those of a whole array; the rules ask for themselves, whoever made the graph.
    #[test]
    fn a_gather_of_another_extent_is_not_the_array() {
        let extents = |ctx: &Context| {
            [
                Size::Constant(7),
                Size::Constant(5),
                Size::Symbol(ctx.ident("n")),
                Size::Unknown,
            ]
        };
        for (of, by) in (0..4).flat_map(|of| (0..4).map(move |by| (of, by))) {
            let ctx = Arc::new(Context::new());
            ctx.register(segra_array::dialect());
            let extents = extents(&ctx);
            let [ty, counts] = [(of, ctx.i32()), (by, ctx.index())]
                .map(|(at, row)| array_of(&ctx, extents[at], row));
            let (index, result) = (ctx.index(), array_of(&ctx, extents[by], ctx.i32()));
            let mut graph = Graph::new(Facts::new(ctx));
            graph.analysis.leaves = vec![ty, index];
            let [array, count] = [0, 1].map(|leaf| graph.add(Node::new(Head::Leaf(leaf), [])));
            let iota = add_prim(&mut graph, "array.iota", &[], vec![count], counts);
            let zero = graph.analysis.ctx.i64_attr(0);
            let back = add_prim(
                &mut graph,
                "array.reverse",
                &[("dim", zero)],
                vec![iota],
                counts,
            );
            for (indices, rule) in [
                (
                    iota,
                    gather_iota as fn(&mut Graph, Id, &Node, Settings) -> Vec<Id>,
                ),
                (back, gather_backwards),
            ] {
                let gather = add_prim(
                    &mut graph,
                    "array.gather",
                    &[],
                    vec![array, indices],
                    result,
                );
                let node = graph[gather].nodes[0].clone();
                let settings = Settings::default();
                let found = rule(&mut graph, gather, &node, settings);
                let whole = of == by && extents[of] != Size::Unknown;
                assert_eq!(
                    found.len(),
                    usize::from(whole),
                    "{:?} by {:?}",
                    extents[of],
                    extents[by]
                );
            }
        }
    }
}
