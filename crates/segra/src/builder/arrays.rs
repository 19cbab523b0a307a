//! Making arrays, reading them, and other arrays of the same elements.

use super::{Arr, FunctionBuilder, Index, Integer, Kind, Number, Val, extent, extents, nodes};
use crate::graph::{Elements, Slice};

impl<'g> FunctionBuilder<'g> {
    /// `[0, 1, ..., count - 1]`, its size called `size`.
    #[track_caller]
    pub fn iota<T: Integer>(&self, count: Val<'g, Index>, size: &str) -> Val<'g, Arr<T>> {
        let (graph, loc) = (self.graph, self.graph.here());
        let element = T::element(&graph.ctx);
        graph.keep_one(loc, graph.iota(loc, count.node, &extent(size), element))
    }

    /// An array of numbers that are known now.
    #[track_caller]
    pub fn literal<T: Number + Into<f64>>(&self, elements: &[T]) -> Val<'g, Arr<T>> {
        let (graph, loc) = (self.graph, self.graph.here());
        let element = T::element(&graph.ctx);
        let wide: Vec<f64> = elements.iter().map(|&element| element.into()).collect();
        let whole: Vec<i64> = wide.iter().map(|&element| element as i64).collect();
        let elements = match element.float_kind(&graph.ctx) {
            Some(_) => Elements::Floats(&wide),
            None => Elements::Integers(&whole),
        };
        let extent = [u32::try_from(wide.len()).unwrap_or(u32::MAX)];
        graph.keep_one(loc, graph.literal(loc, &extent, elements, element))
    }
}

impl<'g, K: Kind> Val<'g, K> {
    /// An array all of whose `count` elements are this value; its size is called `size`.
    #[track_caller]
    pub fn replicate(self, count: Val<'g, Index>, size: &str) -> Val<'g, Arr<K>> {
        let (graph, loc) = (self.graph, self.graph.here());
        let made = graph.replicate(loc, self.node, &[count.node], &[extent(size)]);
        graph.keep_one(loc, made)
    }
}

impl<'g, T: Kind> Val<'g, Arr<T>> {
    /// Number of elements of the outermost dimension.
    #[track_caller]
    pub fn len(self) -> Val<'g, Index> {
        self.dim(0)
    }

    /// The extent of a dimension, counted from the outermost.
    #[track_caller]
    pub fn dim(self, dim: usize) -> Val<'g, Index> {
        let (graph, loc) = (self.graph, self.graph.here());
        graph.keep_one(loc, graph.dim(loc, self.node, dim))
    }

    /// An element; an index out of range stops the program.
    #[track_caller]
    pub fn at(self, index: Val<'g, Index>) -> Val<'g, T> {
        let (graph, loc) = (self.graph, self.graph.here());
        graph.keep_one(loc, graph.element(loc, self.node, &[index.node]))
    }

    /// The elements at the given indices; an index out of range stops the program.
    #[track_caller]
    pub fn gather(self, indices: Val<'g, Arr<Index>>) -> Self {
        let (graph, loc) = (self.graph, self.graph.here());
        graph.keep_one(loc, graph.gather(loc, self.node, indices.node))
    }

    /// The array with the element, or subarray, at some indices replaced; an index out of range stops the program.
    #[track_caller]
    pub fn update<V: Kind, const N: usize>(
        self,
        indices: [Val<'g, Index>; N],
        value: Val<'g, V>,
    ) -> Self {
        let (graph, loc) = (self.graph, self.graph.here());
        let made = graph.update(loc, self.node, &nodes(&indices), value.node);
        graph.keep_one(loc, made)
    }

    /// A regular part: along each dimension `sizes` elements from `offsets` on, `strides` apart. Its sizes get `names`.
    #[track_caller]
    pub fn slice(
        self,
        offsets: &[Val<'g, Index>],
        sizes: &[Val<'g, Index>],
        strides: &[Val<'g, Index>],
        names: &[&str],
    ) -> Self {
        let (graph, loc) = (self.graph, self.graph.here());
        let part = Slice {
            offsets: &nodes(offsets),
            sizes: &nodes(sizes),
            strides: &nodes(strides),
        };
        let made = graph.slice(loc, self.node, part, &extents(names));
        graph.keep_one(loc, made)
    }

    /// The array with elements `value` added before and after it along each dimension. Its sizes get `names`.
    #[track_caller]
    pub fn pad<V: Number>(
        self,
        value: Val<'g, V>,
        low: &[Val<'g, Index>],
        high: &[Val<'g, Index>],
        names: &[&str],
    ) -> Self {
        let (graph, loc) = (self.graph, self.graph.here());
        let (low, high) = (nodes(low), nodes(high));
        let made = graph.pad(loc, (self.node, value.node), (&low, &high), &extents(names));
        graph.keep_one(loc, made)
    }

    /// This array and others behind it, along the outermost dimension, whose size gets a name.
    #[track_caller]
    pub fn concat(self, others: &[Self], size: &str) -> Self {
        let (graph, loc) = (self.graph, self.graph.here());
        let all = [vec![self.node], nodes(others)].concat();
        graph.keep_one(loc, graph.concat(loc, &all, &extent(size)))
    }

    /// The same elements in row-major order under other sizes, which get `names`.
    #[track_caller]
    pub fn reshape<To: Kind>(self, sizes: &[Val<'g, Index>], names: &[&str]) -> Val<'g, To> {
        let (graph, loc) = (self.graph, self.graph.here());
        let made = graph.reshape(loc, self.node, &nodes(sizes), &extents(names));
        graph.keep_one(loc, made)
    }

    /// The dimensions permuted: dimension `k` of the result is dimension `permutation[k]` of this array.
    #[track_caller]
    pub fn rearrange(self, permutation: &[i64]) -> Self {
        let (graph, loc) = (self.graph, self.graph.here());
        graph.keep_one(loc, graph.rearrange(loc, self.node, permutation))
    }

    /// The elements in reverse order along a dimension, counted from the outermost.
    #[track_caller]
    pub fn reverse(self, dim: usize) -> Self {
        let (graph, loc) = (self.graph, self.graph.here());
        graph.keep_one(loc, graph.reverse(loc, self.node, dim))
    }

    /// The same array with other names for its sizes: a claim that is checked when the program runs.
    #[track_caller]
    pub fn claim(self, names: &[&str]) -> Self {
        let (graph, loc) = (self.graph, self.graph.here());
        graph.keep_one(loc, graph.claim(loc, self.node, &extents(names)))
    }
}

impl<T: Kind> Val<'_, Arr<Arr<T>>> {
    /// Rows become columns.
    #[track_caller]
    pub fn transpose(self) -> Self {
        let rank = <Arr<Arr<T>>>::RANK as i64;
        let permutation: Vec<i64> = [1, 0].into_iter().chain(2..rank).collect();
        self.rearrange(&permutation)
    }
}
