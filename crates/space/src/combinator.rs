//! The combinators between `Gen` and `GridBlock`: each maps a descriptor to a descriptor and can be undone on indices.
//!
//! Source: index-space combinators paper, sections 4.1 to 4.6 and 6.3. What each does, on (L, U, T, W):
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
    /// A split or padding size below 1.
    #[error("{combinator} needs a size of at least 1")]
    Size {
        /// As text.
        combinator: String,
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
            Self::FoldLast2 => {
                let inner = output.dimensions.split_off(input.rank() - 2);
                let extents = inner.iter().map(|dimension| dimension.extent(arena));
                let extents: Vec<Expr> = extents.collect();
                let size = arena.product(&extents);
                output.dimensions.push(Dimension::of_size(arena, size));
            }
            Self::SplitLast(k) => {
                let k = arena.int(*k);
                for dimension in output.dimensions.split_off(input.rank() - 1) {
                    let extent = dimension.extent(arena);
                    let blocks = arena.ceil_div(extent, k);
                    output.dimensions.push(Dimension::of_size(arena, blocks));
                    output.dimensions.push(Dimension::of_size(arena, k));
                }
            }
            Self::PadLast(k) => {
                let k = arena.int(*k);
                if let Some(dimension) = output.dimensions.last_mut() {
                    let extent = dimension.extent(arena);
                    let blocks = arena.ceil_div(extent, k);
                    let padded = arena.mul(blocks, k);
                    dimension.upper = arena.add(dimension.lower, padded);
                }
            }
            Self::Permute(order) => {
                output.dimensions = order.iter().map(|&old| input.dimensions[old]).collect();
            }
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
        let mut recovered = indices.to_vec();
        let mut guard = None;
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
            Self::FoldLast2 => {
                let inner = input.dimensions[input.rank() - 1].extent(arena);
                let folded = indices[input.rank() - 2];
                recovered.pop();
                recovered.push(arena.floor_div(folded, inner));
                recovered.push(arena.modulo(folded, inner));
            }
            Self::SplitLast(k) => {
                let k = arena.int(*k);
                let (block, rest) = (indices[input.rank() - 1], indices[input.rank()]);
                let start = arena.mul(block, k);
                let index = arena.add(start, rest);
                recovered.truncate(input.rank() - 1);
                recovered.push(index);
                guard = Some(arena.less(index, input.dimensions[input.rank() - 1].upper));
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
        }
        let guard = guard.filter(|&test| arena.as_bool(test) != Some(true));
        Ok(Inverse {
            indices: recovered,
            guard,
        })
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
        match self {
            Self::ShiftLB => {
                for (index, dimension) in mapped.iter_mut().zip(&input.dimensions) {
                    *index = arena.sub(*index, dimension.lower);
                }
            }
            Self::CompressGrid(compressed) => {
                for (place, dimension) in input.dimensions.iter().enumerate() {
                    if compressed[place] && !dimension.is_dense(arena) {
                        let width = dimension.effective_width(arena);
                        let period = arena.floor_div(indices[place], dimension.step);
                        let phase = arena.modulo(indices[place], dimension.step);
                        let start = arena.mul(period, width);
                        mapped[place] = arena.add(start, phase);
                    }
                }
            }
            Self::PruneGrid | Self::PadLast(_) => {}
            Self::FoldLast2 => {
                let inner = input.dimensions[input.rank() - 1].extent(arena);
                mapped.truncate(input.rank() - 2);
                let row = arena.mul(indices[input.rank() - 2], inner);
                mapped.push(arena.add(row, indices[input.rank() - 1]));
            }
            Self::SplitLast(k) => {
                let k = arena.int(*k);
                let index = indices[input.rank() - 1];
                mapped.truncate(input.rank() - 1);
                mapped.push(arena.floor_div(index, k));
                mapped.push(arena.modulo(index, k));
            }
            Self::Permute(order) => mapped = order.iter().map(|&old| indices[old]).collect(),
        }
        Ok(mapped)
    }

    /// Rank after the combinator, given the rank before it.
    #[must_use]
    pub fn output_rank(&self, rank: usize) -> usize {
        match self {
            Self::FoldLast2 => rank.saturating_sub(1),
            Self::SplitLast(_) => rank + 1,
            _ => rank,
        }
    }

    fn check(&self, arena: &Arena, input: &Descriptor) -> Result<(), CombinatorError> {
        let rank = input.rank();
        match self {
            Self::ShiftLB => Ok(()),
            Self::CompressGrid(compressed) => {
                self.check_length(compressed.len(), rank)?;
                (0..rank).filter(|&d| compressed[d]).try_for_each(|d| {
                    self.check_step(arena, input, d)?;
                    self.check_lower(arena, input, d)
                })
            }
            Self::PruneGrid => (0..rank).try_for_each(|d| self.check_step(arena, input, d)),
            Self::FoldLast2 => {
                self.check_rank(2, rank)?;
                self.check_normal(arena, input, rank - 2)?;
                self.check_normal(arena, input, rank - 1)
            }
            Self::SplitLast(k) => {
                self.check_rank(1, rank)?;
                self.check_size(*k)?;
                self.check_normal(arena, input, rank - 1)
            }
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

/// `(t / W) * T + t % W`.
fn uncompress(arena: &mut Arena, dimension: &Dimension, thread: Expr) -> Expr {
    let width = dimension.effective_width(arena);
    let period = arena.floor_div(thread, width);
    let start = arena.mul(period, dimension.step);
    let phase = arena.modulo(thread, width);
    arena.add(start, phase)
}
