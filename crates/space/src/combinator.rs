//! The combinators between `Gen` and `GridBlock`: each maps a descriptor to a descriptor and can be undone on indices.
//!
//! Source: index-space combinators paper, sections 4.1 to 4.6 and 6.3. The effect of each on (L, U, T, W):
//!
//! | combinator | needs, of the dimensions it touches | forward | inverse | guard |
//! |---|---|---|---|---|
//! | `ShiftLB` | - | U' = U - L, L' = 0 | i + L | - |
//! | `CompressGrid(z)` | L = 0 where z is 1 | U' = (U/T)*W + min(U%T, W), T' = W' = 1 | (t/W)*T + t%W | - |
//! | `PruneGrid` | - | T' = W' = 1 | t | (t - L) % T < W |
//! | `FoldLast2` | L = 0, dense | U' = U1 * U2 | t/U2, t%U2 | - |
//! | `SplitLast(k)` | L = 0, dense | U' = ceil(U/k), k | a*k + b | a*k + b < U |
//! | `PadLast(k)` | - | extent rounded up to a multiple of k | t | t < U |
//! | `Permute(p)` | p is a permutation | new dimension d is old `p[d]` | placed back | - |
//!
//! Beyond the paper, in the same form; `d` counts from the outermost dimension, 0:
//!
//! | combinator | needs, of the dimensions it touches | forward | inverse | guard |
//! |---|---|---|---|---|
//! | `Fold(d)` | d and d + 1: L = 0, dense | U' = U1 * U2 | t/U2, t%U2 | - |
//! | `Split(d, k)` | L = 0, dense | U' = ceil(U/k), k | a*k + b | a*k + b < U |
//! | `Stride(d, k)` | L = 0, dense | U' = k, ceil(U/k) | b*k + a | b*k + a < U |
//! | `Column(w)`, `Zigzag(w)` | all: L = 0, dense | one dimension, the product | see [`crate::order`] | - |
//! | `Swizzle(d, g)` | d and d + 1: L = 0, dense | U' = U1 * U2, groups of g rows, column by column in each | see there | - |
//! | `Morton(d, b)`, `Hilbert(d, b)` | d and d + 1: L = 0, dense | U' = ceil(U1/B) * ceil(U2/B) * B * B, B = 2^b | see there | t1 < U1, t2 < U2 |
//!
//! Several elements per thread are a split whose inner part is `Serial` ([`crate::Chain`]): `SplitLast(e)` gives a thread
//! e neighbours; `Stride(d, k)` is the grid-stride loop, k threads for more indices, k apart.
//!
//! Where the paper is corrected: `ShiftLB` keeps T (its example prints T = \[2,2\] for \[1,2\]) and its inverse adds L (printed
//! "subtracting"); the inverse of `CompressGrid` uses `thread % width` (printed `id_i % width_i`) and its bound, not
//! given there, is the one above; `SplitLast` divides rounding up (listing 10 rounds down and tests no bound);
//! `Permute([1,0])` of \[5,7\] is \[7,5\] (printed \[8,5\]). The paper asks L = 0 and density of *all* dimensions; since
//! dimensions are independent, only those touched are asked here. `PruneGrid` is the later compiler's combinator for
//! what the paper's listing 8 does by hand: idle threads instead of costlier indices.
//!
//! Bounds are never overwritten (paper, 6.3): a combinator takes the descriptor before it by reference, and inverse and
//! guard refer to that one. A negative `U - L` counts as 0 throughout, so empty spaces stay empty.

use crate::descriptor::{Descriptor, Dimension};
use crate::expr::{Arena, Expr};
use crate::interval::Interval;
use crate::operations::OperationCounts;
use crate::order::{MOST_BITS, Order};
use std::ops::Range;

/// One step from an index space towards a thread space.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Combinator {
    /// Moves every lower bound to 0.
    ShiftLB,
    /// Closes the gaps of stepped dimensions whose entry is true, at the price of a division per index.
    CompressGrid(Vec<bool>),
    /// Spawns a thread for the gaps of stepped dimensions as well and disables it.
    PruneGrid,
    /// Makes one dimension of the two innermost.
    FoldLast2,
    /// Makes two dimensions of the innermost; the new innermost has the given extent.
    SplitLast(i64),
    /// Rounds the extent of the innermost dimension up to a multiple.
    PadLast(i64),
    /// Reorders dimensions: entry `d` says which old dimension becomes dimension `d`.
    Permute(Vec<usize>),
    /// Makes one dimension, in row-major order, of the given one and the next.
    Fold(usize),
    /// Makes two dimensions of the given one; the inner one has the given extent.
    Split(usize, i64),
    /// Makes two dimensions of the given one: threads, as many as given, and steps; neighbours in the first are
    /// neighbouring indices.
    Stride(usize, i64),
    /// Makes one dimension of all: columns of the given width over the innermost, one after the other, the last one
    /// narrower; in each, the rows that the other dimensions make.
    Column(i64),
    /// As [`Self::Column`], with odd rows of a column backwards.
    Zigzag(i64),
    /// Makes one dimension of the given one and the next: groups of so many rows one after the other, column by column
    /// in each, the last group smaller.
    Swizzle(usize, i64),
    /// Makes one dimension of the given one and the next: square tiles of side 2 to the given power row by row, in Morton
    /// order in each.
    Morton(usize, u32),
    /// As [`Self::Morton`], along a Hilbert curve in each tile.
    Hilbert(usize, u32),
}

/// Several neighbouring dimensions numbered in an order.
struct Ordered {
    /// The outermost of them.
    first: usize,
    /// How many.
    count: usize,
    order: Order,
}

/// A dimension cut into parts of the same extent.
struct Cut {
    dimension: usize,
    size: i64,
    /// Whether the parts are interleaved: the new outer dimension has the size and counts neighbouring indices.
    strided: bool,
}

/// Why a combinator does not apply to a descriptor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CombinatorError {
    /// A lower bound is not known to be 0.
    #[error(
        "{combinator} needs lower bound 0 in dimension {dimension}, found `{lower}`; apply ShiftLB first"
    )]
    LowerBound {
        /// As text.
        combinator: String,
        /// Counted from the outermost, 0.
        dimension: usize,
        /// The bound as text.
        lower: String,
    },
    /// A dimension is not known to be dense.
    #[error(
        "{combinator} needs a dense dimension {dimension}, found step `{step}` and width `{width}`; \
         apply CompressGrid or PruneGrid first"
    )]
    NotDense {
        /// As text.
        combinator: String,
        /// Counted from the outermost, 0.
        dimension: usize,
        /// The step as text.
        step: String,
        /// The width as text.
        width: String,
    },
    /// A step is not known to be positive.
    #[error("{combinator} needs a positive step in dimension {dimension}, found `{step}`")]
    Step {
        /// As text.
        combinator: String,
        /// Counted from the outermost, 0.
        dimension: usize,
        /// The step as text.
        step: String,
    },
    /// The space has too few dimensions.
    #[error("{combinator} needs at least {needed} dimensions, found {rank}")]
    Rank {
        /// As text.
        combinator: String,
        /// How many it needs.
        needed: usize,
        /// How many there are.
        rank: usize,
    },
    /// A split, padding, column or group size below 1.
    #[error("{combinator} needs a size of at least 1")]
    Size {
        /// As text.
        combinator: String,
    },
    /// Tiles of a curve with a side of 1 or too large a side.
    #[error("{combinator} needs tiles with a side of 2^1 to 2^{most}")]
    Bits {
        /// As text.
        combinator: String,
        /// The largest exponent.
        most: u32,
    },
    /// The argument of a permutation or compression has the wrong length.
    #[error("{combinator} lists {found} dimensions, the space has {rank}")]
    Length {
        /// As text.
        combinator: String,
        /// Length of the argument.
        found: usize,
        /// Rank of the space.
        rank: usize,
    },
    /// Not every dimension occurs exactly once.
    #[error("{combinator} is no permutation: each of 0 to {last} must occur exactly once")]
    Permutation {
        /// As text.
        combinator: String,
        /// The largest entry it should have.
        last: usize,
    },
}

/// Indices before a combinator, recovered from indices after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inverse {
    /// One per dimension of the space before the combinator.
    pub indices: Vec<Expr>,
    /// Must hold for the indices to exist; `None` where they always do.
    pub guard: Option<Expr>,
}

impl Combinator {
    /// Descriptor after the combinator. `input` is left as it is.
    ///
    /// # Errors
    /// A precondition does not provably hold; see [`CombinatorError`].
    pub fn apply(
        &self,
        arena: &mut Arena,
        input: &Descriptor,
    ) -> Result<Descriptor, CombinatorError> {
        self.check(arena, input)?;
        let mut output = input.clone();
        if let Some(ordered) = self.ordered(input.rank()) {
            let extents = ordered.extents(arena, input);
            let size = ordered.order.extent(arena, &extents);
            let folded = Dimension::of_size(arena, size);
            output.dimensions.splice(ordered.range(), [folded]);
            return Ok(output);
        }
        if let Some(cut) = self.cut(input.rank()) {
            let k = arena.int(cut.size);
            let extent = input.dimensions[cut.dimension].extent(arena);
            let parts = arena.ceil_div(extent, k);
            let (outer, inner) = if cut.strided { (k, parts) } else { (parts, k) };
            let parts = [outer, inner].map(|size| Dimension::of_size(arena, size));
            output
                .dimensions
                .splice(cut.dimension..=cut.dimension, parts);
            return Ok(output);
        }
        match self {
            Self::ShiftLB => {
                let zero = arena.int(0);
                for dimension in &mut output.dimensions {
                    dimension.upper = dimension.extent(arena);
                    dimension.lower = zero;
                }
            }
            Self::CompressGrid(compressed) => {
                let rows = output.dimensions.iter_mut().zip(compressed);
                for (dimension, _) in rows.filter(|row| *row.1) {
                    let count = dimension.count(arena);
                    *dimension = Dimension::of_size(arena, count);
                }
            }
            Self::PruneGrid => {
                let one = arena.int(1);
                for dimension in &mut output.dimensions {
                    (dimension.step, dimension.width) = (one, one);
                }
            }
            Self::PadLast(k) => pad_last(arena, &mut output, *k),
            Self::Permute(order) => {
                output.dimensions = order.iter().map(|&old| input.dimensions[old]).collect();
            }
            _ => {}
        }
        Ok(output)
    }

    /// Recovers the indices before the combinator from those after it. `input` is the descriptor the combinator was
    /// applied to, `indices` has one entry per dimension of its result.
    ///
    /// # Errors
    /// As [`Self::apply`], and [`CombinatorError::Length`] if `indices` does not fit.
    pub fn invert(
        &self,
        arena: &mut Arena,
        input: &Descriptor,
        indices: &[Expr],
    ) -> Result<Inverse, CombinatorError> {
        self.check(arena, input)?;
        self.check_length(indices.len(), self.output_rank(input.rank()))?;
        let (mut recovered, mut guard) = self.reshape_back(arena, input, indices);
        match self {
            Self::ShiftLB => {
                for (index, dimension) in recovered.iter_mut().zip(&input.dimensions) {
                    *index = arena.add(*index, dimension.lower);
                }
            }
            Self::CompressGrid(compressed) => {
                for (place, dimension) in input.dimensions.iter().enumerate() {
                    if compressed[place] && !dimension.is_dense(arena) {
                        recovered[place] = uncompress(arena, dimension, indices[place]);
                    }
                }
            }
            Self::PruneGrid => {
                let rows = input.dimensions.iter().zip(indices);
                let tests: Vec<Expr> = rows.map(|(d, &i)| d.on_grid(arena, i)).collect();
                guard = Some(arena.all(&tests));
            }
            Self::PadLast(_) => {
                let last = input.rank() - 1;
                guard = Some(arena.less(indices[last], input.dimensions[last].upper));
            }
            Self::Permute(order) => {
                for (new, &old) in order.iter().enumerate() {
                    recovered[old] = indices[new];
                }
            }
            _ => {}
        }
        let guard = guard.filter(|&test| arena.as_bool(test) != Some(true));
        Ok(Inverse {
            indices: recovered,
            guard,
        })
    }

    /// The inverse of a fold or a split of any kind; the indices as they are for other combinators.
    fn reshape_back(
        &self,
        arena: &mut Arena,
        input: &Descriptor,
        indices: &[Expr],
    ) -> (Vec<Expr>, Option<Expr>) {
        let mut recovered = indices.to_vec();
        if let Some(ordered) = self.ordered(input.rank()) {
            let extents = ordered.extents(arena, input);
            let number = indices[ordered.first];
            let (position, inside) = ordered.order.position(arena, &extents, number);
            recovered.splice(ordered.first..=ordered.first, position);
            return (recovered, inside);
        }
        let Some(cut) = self.cut(input.rank()) else {
            return (recovered, None);
        };
        let (outer, inner) = (indices[cut.dimension], indices[cut.dimension + 1]);
        let (part, rest) = match cut.strided {
            true => (inner, outer),
            false => (outer, inner),
        };
        let k = arena.int(cut.size);
        let start = arena.mul(part, k);
        let index = arena.add(start, rest);
        recovered.splice(cut.dimension..cut.dimension + 2, [index]);
        let upper = input.dimensions[cut.dimension].upper;
        (recovered, Some(arena.less(index, upper)))
    }

    /// Where an index vector of the space before the combinator lies after it.
    ///
    /// # Errors
    /// As [`Self::apply`], and [`CombinatorError::Length`] if `indices` does not fit.
    pub fn map_indices(
        &self,
        arena: &mut Arena,
        input: &Descriptor,
        indices: &[Expr],
    ) -> Result<Vec<Expr>, CombinatorError> {
        self.check(arena, input)?;
        self.check_length(indices.len(), input.rank())?;
        let mut mapped = indices.to_vec();
        if let Some(ordered) = self.ordered(input.rank()) {
            let extents = ordered.extents(arena, input);
            let position = &indices[ordered.range()];
            let number = ordered.order.number(arena, &extents, position);
            mapped.splice(ordered.range(), [number]);
            return Ok(mapped);
        }
        if let Some(cut) = self.cut(input.rank()) {
            let k = arena.int(cut.size);
            let index = indices[cut.dimension];
            let (part, rest) = (arena.floor_div(index, k), arena.modulo(index, k));
            let parts = if cut.strided {
                [rest, part]
            } else {
                [part, rest]
            };
            mapped.splice(cut.dimension..=cut.dimension, parts);
            return Ok(mapped);
        }
        match self {
            Self::ShiftLB => {
                for (index, dimension) in mapped.iter_mut().zip(&input.dimensions) {
                    *index = arena.sub(*index, dimension.lower);
                }
            }
            Self::CompressGrid(compressed) => {
                for (place, dimension) in input.dimensions.iter().enumerate() {
                    if compressed[place] && !dimension.is_dense(arena) {
                        mapped[place] = compress(arena, dimension, indices[place]);
                    }
                }
            }
            Self::Permute(order) => mapped = order.iter().map(|&old| indices[old]).collect(),
            _ => {}
        }
        Ok(mapped)
    }

    /// How many operations of each kind [`Self::invert`] costs a thread.
    ///
    /// # Errors
    /// As [`Self::apply`].
    pub fn recovery_cost(
        &self,
        arena: &mut Arena,
        input: &Descriptor,
    ) -> Result<OperationCounts, CombinatorError> {
        let output = self.apply(arena, input)?;
        let indices: Vec<Expr> = output
            .dimensions
            .iter()
            .map(|_| arena.unnamed_symbol(Interval::NON_NEGATIVE))
            .collect();
        let inverse = self.invert(arena, input, &indices)?;
        let mut roots = inverse.indices;
        roots.extend(inverse.guard);
        Ok(OperationCounts::of(arena, &roots))
    }

    /// Rank after the combinator, given the rank before it.
    #[must_use]
    pub fn output_rank(&self, rank: usize) -> usize {
        match (self.ordered(rank), self.cut(rank)) {
            (Some(ordered), _) => (rank + 1).saturating_sub(ordered.count),
            (None, Some(_)) => rank + 1,
            (None, None) => rank,
        }
    }

    /// Of a split of any kind, which dimension of the result numbers the parts.
    pub(crate) fn parts_dimension(&self, rank: usize) -> Option<usize> {
        let cut = self.cut(rank)?;
        Some(cut.dimension + usize::from(cut.strided))
    }

    /// The dimensions that a fold of any kind makes one of, in a space of this rank (which may be too small).
    fn ordered(&self, rank: usize) -> Option<Ordered> {
        let (first, count, order) = match *self {
            Self::FoldLast2 => (rank.saturating_sub(2), 2, Order::Rows),
            Self::Fold(d) => (d, 2, Order::Rows),
            Self::Column(width) | Self::Zigzag(width) => {
                let zigzag = matches!(self, Self::Zigzag(_));
                (0, rank.max(1), Order::Columns { width, zigzag })
            }
            Self::Swizzle(d, rows) => (d, 2, Order::Groups { rows }),
            Self::Morton(d, bits) => (d, 2, Order::Morton { bits }),
            Self::Hilbert(d, bits) => (d, 2, Order::Hilbert { bits }),
            _ => return None,
        };
        Some(Ordered {
            first,
            count,
            order,
        })
    }

    /// The dimension that a split of any kind cuts, in a space of this rank (which may be too small).
    fn cut(&self, rank: usize) -> Option<Cut> {
        let (dimension, size, strided) = match *self {
            Self::SplitLast(k) => (rank.saturating_sub(1), k, false),
            Self::Split(d, k) => (d, k, false),
            Self::Stride(d, k) => (d, k, true),
            _ => return None,
        };
        Some(Cut {
            dimension,
            size,
            strided,
        })
    }

    fn check(&self, arena: &Arena, input: &Descriptor) -> Result<(), CombinatorError> {
        let rank = input.rank();
        if let Some(ordered) = self.ordered(rank) {
            self.check_order(ordered.order)?;
            self.check_rank(ordered.range().end, rank)?;
            return ordered
                .range()
                .try_for_each(|d| self.check_normal(arena, input, d));
        }
        if let Some(cut) = self.cut(rank) {
            self.check_rank(cut.dimension.saturating_add(1), rank)?;
            self.check_size(cut.size)?;
            return self.check_normal(arena, input, cut.dimension);
        }
        match self {
            Self::CompressGrid(compressed) => {
                self.check_length(compressed.len(), rank)?;
                (0..rank).filter(|&d| compressed[d]).try_for_each(|d| {
                    self.check_step(arena, input, d)?;
                    self.check_lower(arena, input, d)
                })
            }
            Self::PruneGrid => (0..rank).try_for_each(|d| self.check_step(arena, input, d)),
            Self::PadLast(k) => {
                self.check_rank(1, rank)?;
                self.check_size(*k)
            }
            Self::Permute(order) => {
                self.check_length(order.len(), rank)?;
                let mut sorted = order.clone();
                sorted.sort_unstable();
                if sorted.iter().copied().eq(0..rank) {
                    return Ok(());
                }
                Err(CombinatorError::Permutation {
                    combinator: self.to_string(),
                    last: rank.saturating_sub(1),
                })
            }
            _ => Ok(()),
        }
    }

    fn check_order(&self, order: Order) -> Result<(), CombinatorError> {
        match order {
            Order::Rows => Ok(()),
            Order::Columns { width: size, .. } | Order::Groups { rows: size } => {
                self.check_size(size)
            }
            Order::Morton { bits } | Order::Hilbert { bits } if (1..=MOST_BITS).contains(&bits) => {
                Ok(())
            }
            Order::Morton { .. } | Order::Hilbert { .. } => Err(CombinatorError::Bits {
                combinator: self.to_string(),
                most: MOST_BITS,
            }),
        }
    }

    fn check_length(&self, found: usize, rank: usize) -> Result<(), CombinatorError> {
        if found == rank {
            return Ok(());
        }
        Err(CombinatorError::Length {
            combinator: self.to_string(),
            found,
            rank,
        })
    }

    fn check_rank(&self, needed: usize, rank: usize) -> Result<(), CombinatorError> {
        if rank >= needed {
            return Ok(());
        }
        Err(CombinatorError::Rank {
            combinator: self.to_string(),
            needed,
            rank,
        })
    }

    fn check_size(&self, size: i64) -> Result<(), CombinatorError> {
        if size >= 1 {
            Ok(())
        } else {
            Err(CombinatorError::Size {
                combinator: self.to_string(),
            })
        }
    }

    fn check_normal(
        &self,
        arena: &Arena,
        input: &Descriptor,
        d: usize,
    ) -> Result<(), CombinatorError> {
        self.check_lower(arena, input, d)?;
        let Dimension { step, width, .. } = input.dimensions[d];
        if input.dimensions[d].is_dense(arena) {
            return Ok(());
        }
        Err(CombinatorError::NotDense {
            combinator: self.to_string(),
            dimension: d,
            step: arena.display(step).to_string(),
            width: arena.display(width).to_string(),
        })
    }

    fn check_lower(
        &self,
        arena: &Arena,
        input: &Descriptor,
        d: usize,
    ) -> Result<(), CombinatorError> {
        if input.dimensions[d].starts_at_zero(arena) {
            return Ok(());
        }
        Err(CombinatorError::LowerBound {
            combinator: self.to_string(),
            dimension: d,
            lower: arena.display(input.dimensions[d].lower).to_string(),
        })
    }

    fn check_step(
        &self,
        arena: &Arena,
        input: &Descriptor,
        d: usize,
    ) -> Result<(), CombinatorError> {
        let step = input.dimensions[d].step;
        if arena.range(step).is_positive() {
            return Ok(());
        }
        Err(CombinatorError::Step {
            combinator: self.to_string(),
            dimension: d,
            step: arena.display(step).to_string(),
        })
    }
}

impl Ordered {
    fn range(&self) -> Range<usize> {
        self.first..self.first.saturating_add(self.count)
    }

    fn extents(&self, arena: &mut Arena, input: &Descriptor) -> Vec<Expr> {
        let dimensions = &input.dimensions[self.range()];
        dimensions.iter().map(|d| d.extent(arena)).collect()
    }
}

/// Rounds the extent of the last dimension up to a multiple of `k`.
fn pad_last(arena: &mut Arena, space: &mut Descriptor, k: i64) {
    let k = arena.int(k);
    if let Some(dimension) = space.dimensions.last_mut() {
        let extent = dimension.extent(arena);
        let blocks = arena.ceil_div(extent, k);
        let padded = arena.mul(blocks, k);
        dimension.upper = arena.add(dimension.lower, padded);
    }
}

/// `(i / T) * W + i % T`.
fn compress(arena: &mut Arena, dimension: &Dimension, index: Expr) -> Expr {
    let width = dimension.effective_width(arena);
    let period = arena.floor_div(index, dimension.step);
    let phase = arena.modulo(index, dimension.step);
    let start = arena.mul(period, width);
    arena.add(start, phase)
}

/// `(t / W) * T + t % W`.
fn uncompress(arena: &mut Arena, dimension: &Dimension, thread: Expr) -> Expr {
    let width = dimension.effective_width(arena);
    let period = arena.floor_div(thread, width);
    let start = arena.mul(period, dimension.step);
    let phase = arena.modulo(thread, width);
    arena.add(start, phase)
}
