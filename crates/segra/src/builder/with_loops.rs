//! With-loops: arrays made, changed or folded by index.

use super::{Bundle, Index, Kind, Val, extents, nodes};
use crate::graph::{Built, Graph, Node, Partition, Start};
use segra_ir::Loc;

/// An index space: from `lower` (0 where it is empty) to below `upper`, and of every `step` indices (1) the first `width` (1);
/// one entry per dimension.
#[derive(Clone, Debug, Default)]
pub struct Space<'g> {
    /// The first index.
    pub lower: Vec<Val<'g, Index>>,
    /// The bound.
    pub upper: Vec<Val<'g, Index>>,
    /// Distances.
    pub step: Vec<Val<'g, Index>>,
    /// Indices taken of each step.
    pub width: Vec<Val<'g, Index>>,
}

impl<'g> Space<'g> {
    /// All indices below bounds.
    pub fn below(upper: &[Val<'g, Index>]) -> Space<'g> {
        Space {
            upper: upper.to_vec(),
            ..Space::default()
        }
    }
}

/// The bounds of a space as the graph takes them.
struct Bounds {
    lower: Vec<Node>,
    upper: Vec<Node>,
    step: Vec<Node>,
    width: Vec<Node>,
}

impl Bounds {
    fn of(space: &Space<'_>) -> Bounds {
        Bounds {
            lower: nodes(&space.lower),
            upper: nodes(&space.upper),
            step: nodes(&space.step),
            width: nodes(&space.width),
        }
    }

    fn partition<'p, 'g: 'p, R: Bundle<'g>>(
        &'p self,
        (graph, loc): (&'g Graph, Loc),
        body: impl FnOnce(&[Val<'g, Index>]) -> R + 'p,
    ) -> Vec<Partition<'p>> {
        let body = move |index: &[Node]| -> Built<Vec<Node>> {
            let index = index.iter().map(|&index| Val::of_node(graph, loc, index));
            let index: Vec<Val<'g, Index>> = index.collect::<Built<_>>()?;
            Ok(body(&index).nodes())
        };
        let partition = Partition::below(&self.upper, body).from(&self.lower);
        vec![partition.every(&self.step, &self.width)]
    }
}

/// A new array with these sizes, which get `names`: at the indices of `space` the value of `body`, elsewhere `default`.
#[track_caller]
pub fn genarray<'g, E: Kind, K: Kind>(
    (sizes, names): (&[Val<'g, Index>], &[&str]),
    default: Val<'g, E>,
    space: &Space<'g>,
    body: impl FnOnce(&[Val<'g, Index>]) -> Val<'g, E>,
) -> Val<'g, K> {
    let graph = default.graph;
    let loc = graph.here();
    let bounds = Bounds::of(space);
    let (sizes, names) = (nodes(sizes), extents(names));
    let partitions = bounds.partition((graph, loc), body);
    graph.keep(
        loc,
        graph.genarray(loc, (&sizes, &names), &[default.node], partitions),
    )
}

/// The array with the value of `body` at the indices of `space`.
#[track_caller]
pub fn modarray<'g, E: Kind, K: Kind>(
    array: Val<'g, K>,
    space: &Space<'g>,
    body: impl FnOnce(&[Val<'g, Index>]) -> Val<'g, E>,
) -> Val<'g, K> {
    let graph = array.graph;
    let loc = graph.here();
    let bounds = Bounds::of(space);
    let partitions = bounds.partition((graph, loc), body);
    graph.keep(loc, graph.modarray(loc, &[array.node], partitions))
}

/// The values of `body` at the indices of `space` combined, in the order of indices, beginning with `from`.
#[track_caller]
pub fn fold<'g, R: Bundle<'g>>(
    from: R,
    neutral: Option<R>,
    space: &Space<'g>,
    body: impl FnOnce(&[Val<'g, Index>]) -> R,
    combine: impl FnOnce(R, R) -> R,
) -> R {
    let graph = from.graph();
    let loc = graph.here();
    let bounds = Bounds::of(space);
    let (values, neutral) = (from.nodes(), neutral.map(R::nodes).unwrap_or_default());
    let start = Start {
        values: &values,
        neutral: &neutral,
    };
    let partitions = bounds.partition((graph, loc), body);
    let made = graph.fold(loc, start, partitions, |left, right| {
        let bundle = |nodes: &[Node]| R::from_nodes(graph, loc, nodes);
        Ok(combine(bundle(left)?, bundle(right)?).nodes())
    });
    graph.keep(loc, made)
}
