//! Stencils: arrays made from the elements around each index of another.

use super::{Index, Kind, Number, Val, nodes};
use crate::graph::{Around, Built, Node, Outside, Results};

/// The value taken for elements outside of an array.
#[derive(Clone, Copy, Debug)]
pub enum Beyond<'g, E> {
    /// The nearest element.
    Clamp,
    /// The element as far inside; the edge is not repeated.
    Mirror,
    /// The element as far inside; the edge is repeated.
    Symmetric,
    /// The element at the index modulo the extent.
    Wrap,
    /// A value.
    Constant(Val<'g, E>),
}

impl<E: Number> Beyond<'_, E> {
    fn outside(&self) -> Outside<'static> {
        match self {
            Beyond::Clamp => Outside::Clamp,
            Beyond::Mirror => Outside::Mirror,
            Beyond::Symmetric => Outside::Symmetric,
            Beyond::Wrap => Outside::Wrap,
            Beyond::Constant(value) => Outside::Constant(value.node),
        }
    }
}

/// At each index of an array of numbers, the value of `body` for the elements at these offsets from it, one number per
/// dimension each, in the same order.
#[track_caller]
pub fn stencil<'g, E: Number, K: Kind>(
    array: Val<'g, K>,
    offsets: &[&[i64]],
    beyond: Beyond<'g, E>,
    body: impl FnOnce(&[Val<'g, E>]) -> Val<'g, E>,
) -> Val<'g, K> {
    let graph = array.graph;
    let loc = graph.here();
    let around = Around {
        array: array.node,
        offsets: offsets.iter().map(|offset| offset.to_vec()).collect(),
        outside: beyond.outside(),
    };
    let body = |elements: &[Node]| -> Built<Vec<Node>> {
        let elements = elements.iter().map(|&node| Val::of_node(graph, loc, node));
        let elements: Vec<Val<'g, E>> = elements.collect::<Built<_>>()?;
        Ok(vec![body(&elements).node])
    };
    graph.keep(loc, graph.stencil(loc, &[around], Results::OfInputs, body))
}

impl<'g, K: Kind> Val<'g, K> {
    /// The element of an array of numbers at an index plus constant offsets. The index itself is one of the array's: others
    /// stop the program.
    #[track_caller]
    pub fn near<E: Number>(
        self,
        indices: &[Val<'g, Index>],
        offsets: &[i64],
        beyond: Beyond<'g, E>,
    ) -> Val<'g, E> {
        let (graph, loc) = (self.graph, self.graph.here());
        let made = graph.near(loc, self.node, (&nodes(indices), offsets), beyond.outside());
        graph.keep_one(loc, made)
    }
}
