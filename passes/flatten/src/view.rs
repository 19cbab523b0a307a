//! Index functions: an array as a base with, per dimension of the base, where its index comes from.
//!
//! Rearranging, indexing and entering a map only change the index function; nothing is copied. A view of rank 0 is
//! one element.

use segra_ir::{Op, Type, Value};

/// A scalar that is either at hand in the new program or still to be computed from the old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    /// A value of the new program.
    New(Value),
    /// A value of the old program, computed where it is needed.
    Old(Value),
}

/// Where the index of one base dimension comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axis {
    /// The view's own dimension of that number.
    Dim(usize),
    /// The index of the map nest's level of that number.
    Level(usize),
    /// A fixed index.
    At(Scalar),
}

/// What a view reads from.
#[derive(Clone, Debug)]
pub(crate) enum Base {
    /// A tensor of the new program.
    Tensor(Value),
    /// The index itself, as a number of this type.
    Iota(Type),
    /// One value everywhere; its own dimensions come after the view's replicated ones.
    Replicate(Box<Lifted>, usize),
    /// The results of a map of the old program that is computed element by element where it is read.
    Map {
        /// The map.
        op: Op,
        /// Which result.
        result: usize,
        /// Its inputs.
        inputs: Vec<View>,
    },
}

/// An array, as a function from its indices to its elements.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) base: Base,
    /// One axis per dimension of the base.
    pub(crate) axes: Vec<Axis>,
    /// Extents of the view's own dimensions.
    pub(crate) sizes: Vec<Scalar>,
}

/// What stands for a value of the old program inside a map nest.
#[derive(Clone, Debug)]
pub(crate) enum Lifted {
    /// A scalar of the new program, the same for all points of the nest.
    Host(Value),
    /// An array or one of its elements.
    Array(View),
}

impl View {
    /// All of a tensor.
    pub(crate) fn whole(tensor: Value, sizes: Vec<Value>) -> View {
        let axes = (0..sizes.len()).map(Axis::Dim).collect();
        View { base: Base::Tensor(tensor), axes, sizes: sizes.into_iter().map(Scalar::New).collect() }
    }

    pub(crate) fn rank(&self) -> usize {
        self.sizes.len()
    }

    /// The view with its first dimension fixed.
    pub(crate) fn fix_first(&self, axis: Axis) -> View {
        let axes = self.axes.iter().map(|&old| match old {
            Axis::Dim(0) => axis,
            Axis::Dim(dim) => Axis::Dim(dim - 1),
            other => other,
        });
        View { base: self.base.clone(), axes: axes.collect(), sizes: self.sizes[1..].to_vec() }
    }

    /// The view with dimension `k` of the result being dimension `permutation[k]` of this one.
    pub(crate) fn permute(&self, permutation: &[i64]) -> View {
        let position = |dim: usize| permutation.iter().position(|&p| p as usize == dim).unwrap_or(dim);
        let axes = self.axes.iter().map(|&old| match old {
            Axis::Dim(dim) => Axis::Dim(position(dim)),
            other => other,
        });
        let sizes = permutation.iter().map(|&dim| self.sizes[dim as usize]).collect();
        View { base: self.base.clone(), axes: axes.collect(), sizes }
    }

    /// Leaves level `level` of the nest: what was indexed by it becomes the first dimension.
    pub(crate) fn leave_level(&self, level: usize, size: Value) -> View {
        let axes = self.axes.iter().map(|&old| match old {
            Axis::Level(at) if at == level => Axis::Dim(0),
            Axis::Dim(dim) => Axis::Dim(dim + 1),
            other => other,
        });
        let mut sizes = self.sizes.clone();
        sizes.insert(0, Scalar::New(size));
        View { base: self.base.clone(), axes: axes.collect(), sizes }
    }

    /// Whether it can outlive level `level`: it reads a tensor and needs nothing computed at a point of the nest.
    pub(crate) fn can_leave(&self) -> bool {
        matches!(self.base, Base::Tensor(_))
            && self.axes.iter().all(|axis| !matches!(axis, Axis::At(Scalar::Old(_))))
            && self.sizes.iter().all(|size| matches!(size, Scalar::New(_)))
    }

    /// The tensor it is, dimension by dimension, if it is all of one.
    pub(crate) fn as_tensor(&self) -> Option<Value> {
        let Base::Tensor(tensor) = self.base else { return None };
        let in_order = self.axes.iter().enumerate().all(|(at, &axis)| axis == Axis::Dim(at));
        (in_order && self.axes.len() == self.rank()).then_some(tensor)
    }
}
