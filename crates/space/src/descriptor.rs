//! Index-space descriptors: the (L, U, T, W) quadruple of a with-loop partition, one entry per dimension.
//!
//! An index vector `i` is in the space iff in every dimension `L <= i < U` and `(i - L) mod T < W`.
//! Source: index-space combinators paper, section 2.1. The paper prints `iv % T < W`; its own picture (listing 3,
//! the 9x9 result) needs the offset from the lower bound, which is what is used here.
//!
//! Bounds may be in any relation at run time: `U <= L` is an empty dimension, `W >= T` a dense one, `W <= 0` empty.
//! `T` must be positive. A descriptor of rank 0 has exactly one index, the empty vector.

use crate::expr::{Arena, Expr};

/// One dimension of a [`Descriptor`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// Inclusive lower bound L.
    pub lower: Expr,
    /// Exclusive upper bound U.
    pub upper: Expr,
    /// Step T, positive.
    pub step: Expr,
    /// Width W: how many indices of each step belong to the space.
    pub width: Expr,
}

impl Dimension {
    /// All indices from `lower` to below `upper`.
    pub fn dense(arena: &mut Arena, lower: Expr, upper: Expr) -> Self {
        let one = arena.int(1);
        Self {
            lower,
            upper,
            step: one,
            width: one,
        }
    }

    /// All indices from 0 to below `size`.
    pub fn of_size(arena: &mut Arena, size: Expr) -> Self {
        let zero = arena.int(0);
        Self::dense(arena, zero, size)
    }

    /// `max(0, U - L)`: how many positions lie between the bounds, those skipped by the step included.
    pub fn extent(&self, arena: &mut Arena) -> Expr {
        let zero = arena.int(0);
        let length = arena.sub(self.upper, self.lower);
        arena.max(length, zero)
    }

    /// How many indices the dimension has: `(e / T) * w + min(e % T, w)` for extent `e` and `w = min(T, max(W, 0))`.
    pub fn count(&self, arena: &mut Arena) -> Expr {
        let extent = self.extent(arena);
        if self.is_dense(arena) {
            return extent;
        }
        let width = self.effective_width(arena);
        let periods = arena.floor_div(extent, self.step);
        let whole = arena.mul(periods, width);
        let rest = arena.modulo(extent, self.step);
        let rest = arena.min(rest, width);
        arena.add(whole, rest)
    }

    /// The width brought into `0 ..= T`, beyond which it has no effect.
    pub(crate) fn effective_width(&self, arena: &mut Arena) -> Expr {
        let zero = arena.int(0);
        let width = arena.max(self.width, zero);
        arena.min(width, self.step)
    }

    /// The lower bound is known to be 0.
    #[must_use]
    pub fn starts_at_zero(&self, arena: &Arena) -> bool {
        arena.range(self.lower).single() == Some(0)
    }

    /// No index between the bounds is skipped, as far as the ranges tell.
    #[must_use]
    pub fn is_dense(&self, arena: &Arena) -> bool {
        self.step == self.width || arena.range(self.step).is_at_most(arena.range(self.width))
    }

    /// `(i - L) mod T < W`; true for a dense dimension.
    pub fn on_grid(&self, arena: &mut Arena, index: Expr) -> Expr {
        if self.is_dense(arena) {
            return arena.bool(true);
        }
        let offset = arena.sub(index, self.lower);
        let phase = arena.modulo(offset, self.step);
        arena.less(phase, self.width)
    }
}

/// A symbolic index space, outermost dimension first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Descriptor {
    /// Outermost first; the last one is the innermost.
    pub dimensions: Vec<Dimension>,
}

impl Descriptor {
    /// A space with the given dimensions, outermost first.
    #[must_use]
    pub fn new(dimensions: Vec<Dimension>) -> Self {
        Self { dimensions }
    }

    /// The dense space of an array of the given shape.
    pub fn of_shape(arena: &mut Arena, shape: &[Expr]) -> Self {
        Self::new(
            shape
                .iter()
                .map(|&size| Dimension::of_size(arena, size))
                .collect(),
        )
    }

    /// Number of dimensions.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.dimensions.len()
    }

    /// The extent of each dimension, outermost first; see [`Dimension::extent`].
    pub fn extents(&self, arena: &mut Arena) -> Vec<Expr> {
        self.dimensions
            .iter()
            .map(|dimension| dimension.extent(arena))
            .collect()
    }

    /// Number of indices in the space; 1 for rank 0.
    pub fn count(&self, arena: &mut Arena) -> Expr {
        let counts: Vec<Expr> = self
            .dimensions
            .iter()
            .map(|dimension| dimension.count(arena))
            .collect();
        arena.product(&counts)
    }

    /// Whether the index vector (outermost first, one entry per dimension) is in the space.
    pub fn contains(&self, arena: &mut Arena, index: &[Expr]) -> Expr {
        let mut tests = Vec::new();
        for (dimension, &i) in self.dimensions.iter().zip(index) {
            tests.push(arena.less_equal(dimension.lower, i));
            tests.push(arena.less(i, dimension.upper));
            tests.push(dimension.on_grid(arena, i));
        }
        arena.all(&tests)
    }

    /// Every dimension starts at 0, as far as the ranges tell.
    #[must_use]
    pub fn starts_at_zero(&self, arena: &Arena) -> bool {
        self.dimensions
            .iter()
            .all(|dimension| dimension.starts_at_zero(arena))
    }

    /// Every dimension is dense, as far as the ranges tell.
    #[must_use]
    pub fn is_dense(&self, arena: &Arena) -> bool {
        self.dimensions
            .iter()
            .all(|dimension| dimension.is_dense(arena))
    }
}
