//! Tuples of values: what bodies take and return.

use super::number::Number;
use super::{Arr, Kind, Val};
use crate::graph::{Built, Graph, Node};
use segra_ir::Loc;

/// A value or a tuple of values.
pub trait Bundle<'g>: Copy {
    /// The values in order.
    fn nodes(self) -> Vec<Node>;
    /// The bundle of these values.
    ///
    /// # Errors
    /// Another number of values, or values of other types, at `loc`.
    fn from_nodes(graph: &'g Graph, loc: Loc, nodes: &[Node]) -> Built<Self>;
    /// Values that stand for ones that could not be made: the program they are in is never finished.
    fn poison(graph: &'g Graph, loc: Loc) -> Self;
    /// The program they are in.
    fn graph(self) -> &'g Graph;
}

/// A bundle of arrays.
pub trait ArrayBundle<'g>: Bundle<'g> {
    /// One element of each.
    type Items: Bundle<'g>;
}

/// A bundle that a map may return.
pub trait ItemBundle<'g>: Bundle<'g> {
    /// One array of each.
    type Arrays: Bundle<'g>;
}

/// Accepted where a bundle of numbers is wanted: the bundle, or constants.
pub trait IntoBundle<'g, B> {
    /// The bundle.
    fn into_bundle(self, graph: &'g Graph) -> B;
    /// As what a reduction or scan begins with: start values, and the operator's neutral elements where they are given
    /// ([`with_neutral`]).
    fn into_start(self, graph: &'g Graph) -> (B, Option<B>)
    where
        Self: Sized,
    {
        (self.into_bundle(graph), None)
    }
}

/// A start value with the operator's neutral element.
#[derive(Clone, Copy, Debug)]
pub struct WithNeutral<S, E> {
    start: S,
    neutral: E,
}

/// A start value for an operator whose neutral element cannot be derived: `e` with `combine(e, x) = x = combine(x, e)`
/// for every `x`.
pub fn with_neutral<S, E>(start: S, neutral: E) -> WithNeutral<S, E> {
    WithNeutral { start, neutral }
}

impl<'g, B, S: IntoBundle<'g, B>, E: IntoBundle<'g, B>> IntoBundle<'g, B> for WithNeutral<S, E> {
    fn into_bundle(self, graph: &'g Graph) -> B {
        self.start.into_bundle(graph)
    }
    fn into_start(self, graph: &'g Graph) -> (B, Option<B>) {
        (
            self.start.into_bundle(graph),
            Some(self.neutral.into_bundle(graph)),
        )
    }
}

/// Whether as many values were made as a bundle has.
fn counted(graph: &Graph, loc: Loc, nodes: &[Node], wanted: usize) -> Built<()> {
    if nodes.len() == wanted {
        return Ok(());
    }
    let message = format!("{} values where {wanted} are wanted", nodes.len());
    Err(graph.error(loc, message))
}

impl<'g, K: Kind> Bundle<'g> for Val<'g, K> {
    fn nodes(self) -> Vec<Node> {
        vec![self.node]
    }
    fn from_nodes(graph: &'g Graph, loc: Loc, nodes: &[Node]) -> Built<Self> {
        counted(graph, loc, nodes, 1)?;
        Val::of_node(graph, loc, nodes[0])
    }
    fn poison(graph: &'g Graph, loc: Loc) -> Self {
        graph.poison(loc)
    }
    fn graph(self) -> &'g Graph {
        self.graph
    }
}

impl<'g, K: Kind> ArrayBundle<'g> for Val<'g, Arr<K>> {
    type Items = Val<'g, K>;
}

impl<'g, K: Kind> ItemBundle<'g> for Val<'g, K> {
    type Arrays = Val<'g, Arr<K>>;
}

impl<'g, K> IntoBundle<'g, Val<'g, K>> for Val<'g, K> {
    fn into_bundle(self, _: &'g Graph) -> Val<'g, K> {
        self
    }
}

impl<'g, T: Number> IntoBundle<'g, Val<'g, T>> for T {
    fn into_bundle(self, graph: &'g Graph) -> Val<'g, T> {
        graph.typed_constant(self)
    }
}

macro_rules! tuples {
    ($($count:literal ($($kind:ident $from:ident $index:tt),*))*) => {$(
        impl<'g, $($kind: Kind),*> Bundle<'g> for ($(Val<'g, $kind>,)*) {
            fn nodes(self) -> Vec<Node> {
                vec![$(self.$index.node),*]
            }
            fn from_nodes(graph: &'g Graph, loc: Loc, nodes: &[Node]) -> Built<Self> {
                counted(graph, loc, nodes, $count)?;
                Ok(($(Val::<$kind>::of_node(graph, loc, nodes[$index])?,)*))
            }
            fn poison(graph: &'g Graph, loc: Loc) -> Self {
                ($(graph.poison::<$kind>(loc),)*)
            }
            fn graph(self) -> &'g Graph {
                self.0.graph
            }
        }
        impl<'g, $($kind: Kind),*> ArrayBundle<'g> for ($(Val<'g, Arr<$kind>>,)*) {
            type Items = ($(Val<'g, $kind>,)*);
        }
        impl<'g, $($kind: Kind),*> ItemBundle<'g> for ($(Val<'g, $kind>,)*) {
            type Arrays = ($(Val<'g, Arr<$kind>>,)*);
        }
        impl<'g, $($kind, $from: IntoBundle<'g, Val<'g, $kind>>),*> IntoBundle<'g, ($(Val<'g, $kind>,)*)> for ($($from,)*) {
            fn into_bundle(self, graph: &'g Graph) -> ($(Val<'g, $kind>,)*) {
                ($(self.$index.into_bundle(graph),)*)
            }
        }
    )*};
}

tuples! {
    2 (A FromA 0, B FromB 1)
    3 (A FromA 0, B FromB 1, C FromC 2)
    4 (A FromA 0, B FromB 1, C FromC 2, D FromD 3)
    5 (A FromA 0, B FromB 1, C FromC 2, D FromD 3, E FromE 4)
    6 (A FromA 0, B FromB 1, C FromC 2, D FromD 3, E FromE 4, F FromF 5)
}
