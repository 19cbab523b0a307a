//! Strategies: which chain to use for a space. Ordinary functions of the descriptor, replaceable by a chain as text.
//!
//! Source: index-space combinators paper, section 7 and table 1.
//! - `jing`: 1-D in blocks of 32, 2-D in blocks of 32x32, 3-D to 5-D with the two innermost dimensions as block. The 2-D chain
//!   ends in `Permute([2,0,3,1])`: the printed `[0,2,1,3]` puts d0 on `threadIdx.x`, against the paper's own table.
//!   Table 1's grids of `d/32 + 1` launch an idle block where 32 divides d; `SplitLast` rounds up instead.
//!   Above rank 5 there is no chain.
//! - `jing-ext`: above rank 5, folds neighbouring dimensions pairwise (odd: the innermost stays alone) until 5 are left.
//! - `columns`, `zigzag`, `tiles`: as `fold-all`, in the orders of column-based iteration (thesis of Prasetya, chapter 4);
//!   `columns(auto)` has the width that is best for what is read ([`crate::column_width`]).
//! - `fold-all`: folds everything and splits one block size off. The size of the block depends on how many indices there
//!   are, where the ranges of the sizes or the caller tell, not on the rank as in the paper.
//! - `auto`: searched ([`crate::auto`]).
//!
//! Where a thread block runs an index, `jing` leaves up to three dimensions as they are and `fold-all` makes one of all; where
//! a few lanes do, both fold. Rank 0 is one group under every strategy. Stepped spaces are pruned (idle threads), as in the paper's section 5;
//! only `auto` compresses them where its estimate says so. Blocks of 3-D to 5-D `jing` may exceed the
//! hardware: [`first_fitting`] refuses what provably does and takes the next strategy.

use crate::auto::{Auto, row_major};
use crate::chain::Chain;
use crate::columns::{COLUMN_THREADS, COLUMN_WIDTH};
use crate::combinator::Combinator::{
    self, Column, Fold, FoldLast2, Permute, PruneGrid, ShiftLB, SplitLast, Zigzag,
};
use crate::descriptor::Descriptor;
use crate::expr::Arena;
use crate::group::Group;
use crate::limits::{HardwareLimits, LaunchCondition, LimitError};
use crate::mapping::{Mapping, MappingError};
use crate::target::Target;
use crate::text::TextError;
use std::fmt;
use std::str::FromStr;

/// A way to choose a chain for a space. Implement it to add strategies of your own.
pub trait ChooseChain {
    /// The chain for `space`, whose indices are run by groups of threads.
    ///
    /// # Errors
    /// The strategy has none for it.
    fn choose(
        &self,
        arena: &mut Arena,
        space: &Descriptor,
        group: Group,
    ) -> Result<Chain, StrategyError>;
}

/// Why there is no mapping.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrategyError {
    /// More dimensions than the strategy handles.
    #[error("strategy `{strategy}` maps at most {most} dimensions, the space has {rank}")]
    Rank {
        /// As text.
        strategy: String,
        /// The most it maps.
        most: usize,
        /// Rank of the space.
        rank: usize,
    },
    /// The block size is not possible.
    #[error("strategy `{strategy}` needs a block size of 1 to 1024")]
    BlockSize {
        /// As text.
        strategy: String,
    },
    /// The width or height is not possible.
    #[error("strategy `{strategy}` needs a width and a height of at least 1")]
    Width {
        /// As text.
        strategy: String,
    },
    /// The chain does not fit the space.
    #[error(transparent)]
    Mapping(#[from] MappingError),
    /// The launch provably exceeds the hardware.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// No strategy was given.
    #[error("no mapping strategy to choose from")]
    NoStrategy,
}

/// The strategies that come with the crate. As text: `auto`, `jing`, `jing-ext`, `fold-all`, `fold-all(128)`,
/// `columns(32)`, `columns(auto)`, `zigzag(32,128)`, `tiles(16x8)`, or a chain.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// The original compiler's table, up to rank 5.
    Jing,
    /// The same with neighbours folded above rank 5.
    JingExt,
    /// One dimension, split into blocks.
    FoldAll(BlockSize),
    /// The same, numbered in an order of its own: columns, zigzags or tiles over the innermost dimension and all others.
    Ordered(VisitOrder, BlockSize),
    /// The cheapest of some compositions by estimate ([`crate::Auto`]); of the body it knows nothing.
    Auto,
    /// A chain written by the user.
    Explicit(Chain),
}

/// The order in which blocks of [`Strategy::Ordered`] take the points of a space. All but the innermost dimension are one, of
/// rows (column-based iteration thesis, 4.1.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VisitOrder {
    /// Columns of so many points, one after the other.
    Columns(i64),
    /// Columns as wide as is best for what the body reads ([`crate::column_width`]); of the body it knows nothing here.
    BestColumns,
    /// As columns, with odd rows backwards.
    Zigzag(i64),
    /// Tiles of so many points across and down, row by row.
    Tiles(i64, i64),
}

impl VisitOrder {
    /// Whether a column or tile would have no points.
    fn is_empty(self) -> bool {
        match self {
            Self::Columns(width) | Self::Zigzag(width) => width < 1,
            Self::BestColumns => false,
            Self::Tiles(width, height) => width < 1 || height < 1,
        }
    }
}

/// Threads per block of [`Strategy::FoldAll`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BlockSize {
    /// 256, less where the space is known to be too small to occupy a device with blocks that large.
    #[default]
    Automatic,
    /// As given.
    Threads(i64),
}

/// The machine that spaces are laid out for.
const TARGET: Target = Target::CUDA;

impl ChooseChain for Strategy {
    fn choose(
        &self,
        arena: &mut Arena,
        space: &Descriptor,
        group: Group,
    ) -> Result<Chain, StrategyError> {
        if let Self::Explicit(chain) = self {
            return Ok(chain.clone());
        }
        if *self == Self::Auto {
            let accesses = vec![row_major(space.rank())];
            return Auto { accesses }.choose(arena, space, group);
        }
        match group {
            Group::Block => self.of_blocks(arena, space),
            _ if space.rank() == 0 && group == Group::Thread => Ok(Chain::new(Vec::new(), 0)),
            Group::Lanes(lanes) => {
                let threads = self.threads(arena, space)?.max(TARGET.warp);
                Ok(fold_all(arena, space, (threads / lanes.max(1)).max(1)))
            }
            Group::Thread => self.of_threads(arena, space),
        }
    }
}

impl Strategy {
    fn of_threads(&self, arena: &mut Arena, space: &Descriptor) -> Result<Chain, StrategyError> {
        match self {
            Self::Explicit(chain) => Ok(chain.clone()),
            Self::Jing if space.rank() > MOST_OF_JING => {
                Err(self.too_many(MOST_OF_JING, space.rank()))
            }
            Self::Jing | Self::JingExt => Ok(jing_ext(arena, space)),
            Self::Auto => Err(StrategyError::NoStrategy),
            Self::FoldAll(_) => {
                let threads = self.threads(arena, space)?;
                Ok(fold_all(arena, space, threads))
            }
            Self::Ordered(order, _) => {
                let threads = self.threads(arena, space)?;
                if order.is_empty() {
                    return Err(StrategyError::Width {
                        strategy: self.to_string(),
                    });
                }
                Ok(ordered(arena, space, *order, threads))
            }
        }
    }

    /// A thread block for each index: the paper's strategies without the dimensions that it gives to the block.
    fn of_blocks(&self, arena: &mut Arena, space: &Descriptor) -> Result<Chain, StrategyError> {
        let mut combinators = normalised(arena, space);
        let mut rank = space.rank();
        match self {
            Self::Explicit(chain) => return Ok(chain.clone()),
            Self::Auto => return Err(StrategyError::NoStrategy),
            Self::Jing if rank > AXES => return Err(self.too_many(AXES, rank)),
            Self::Jing | Self::JingExt => {
                while rank > AXES {
                    combinators.extend(fold_neighbours(rank));
                    rank = rank.div_ceil(2);
                }
            }
            Self::FoldAll(_) | Self::Ordered(..) => {
                combinators.extend((1..rank).map(|_| FoldLast2));
            }
        }
        Ok(Chain::new(combinators, 0))
    }

    /// Threads of a block.
    fn threads(&self, arena: &mut Arena, space: &Descriptor) -> Result<i64, StrategyError> {
        match self {
            Self::FoldAll(BlockSize::Threads(threads))
            | Self::Ordered(_, BlockSize::Threads(threads))
                if !(1..=TARGET.launch.block_threads).contains(threads) =>
            {
                Err(StrategyError::BlockSize {
                    strategy: self.to_string(),
                })
            }
            Self::FoldAll(BlockSize::Threads(threads))
            | Self::Ordered(_, BlockSize::Threads(threads)) => Ok(*threads),
            Self::Ordered(VisitOrder::BestColumns, BlockSize::Automatic) => Ok(COLUMN_THREADS),
            Self::FoldAll(BlockSize::Automatic) | Self::Ordered(_, BlockSize::Automatic) => {
                let count = space.count(arena);
                Ok(block_for(arena.range(count).upper()))
            }
            _ => Ok(TARGET.block_threads),
        }
    }

    fn too_many(&self, most: usize, rank: usize) -> StrategyError {
        StrategyError::Rank {
            strategy: self.to_string(),
            most,
            rank,
        }
    }
}

/// Dimensions of the paper's table 1.
const MOST_OF_JING: usize = 5;
/// Dimensions of a grid.
const AXES: usize = 3;

/// Brings lower bounds to 0 and, for a stepped space, steps to 1: what folding and splitting need.
fn normalised(arena: &Arena, space: &Descriptor) -> Vec<Combinator> {
    if space.is_dense(arena) {
        vec![ShiftLB]
    } else {
        vec![ShiftLB, PruneGrid]
    }
}

/// The paper's `JingExt`, which is `Jing` up to rank 5.
fn jing_ext(arena: &Arena, space: &Descriptor) -> Chain {
    let mut combinators = normalised(arena, space);
    let mut rank = space.rank();
    while rank > MOST_OF_JING {
        combinators.extend(fold_neighbours(rank));
        rank = rank.div_ceil(2);
    }
    match rank {
        0 => {}
        1 => combinators.push(SplitLast(TARGET.warp)),
        2 => combinators.extend([
            SplitLast(TARGET.warp),
            Permute(vec![1, 2, 0]),
            SplitLast(TARGET.warp),
            Permute(vec![2, 0, 3, 1]),
        ]),
        _ => {}
    }
    Chain::new(combinators, rank.min(2))
}

/// Folds dimensions 0 and 1, 2 and 3, and so on; the innermost of an odd number stays as it is.
///
/// Each pair is brought last, folded there and stays there, so after all pairs they are in order again, behind
/// the one left alone.
fn fold_neighbours(rank: usize) -> Vec<Combinator> {
    let mut combinators = Vec::new();
    for folded in 0..rank / 2 {
        let current = rank - folded;
        combinators.push(Permute((2..current).chain([0, 1]).collect()));
        combinators.push(FoldLast2);
    }
    if rank % 2 == 1 {
        combinators.push(Permute((1..=rank / 2).chain([0]).collect()));
    }
    combinators
}

fn fold_all(arena: &Arena, space: &Descriptor, threads: i64) -> Chain {
    let mut combinators = normalised(arena, space);
    combinators.extend((1..space.rank()).map(|_| FoldLast2));
    combinators.push(SplitLast(threads));
    Chain::new(combinators, 1)
}

fn ordered(arena: &Arena, space: &Descriptor, order: VisitOrder, threads: i64) -> Chain {
    if space.rank() < 2 {
        return fold_all(arena, space, threads);
    }
    let mut combinators = normalised(arena, space);
    match order {
        VisitOrder::Columns(width) => combinators.push(Column(width)),
        VisitOrder::BestColumns => combinators.push(Column(COLUMN_WIDTH)),
        VisitOrder::Zigzag(width) => combinators.push(Zigzag(width)),
        VisitOrder::Tiles(width, height) => {
            combinators.extend((2..space.rank()).map(|_| Fold(0)));
            combinators.extend([
                SplitLast(width),
                Permute(vec![1, 2, 0]),
                SplitLast(height),
                Permute(vec![2, 0, 3, 1]),
                FoldLast2,
                FoldLast2,
                FoldLast2,
            ]);
        }
    }
    combinators.push(SplitLast(threads));
    Chain::new(combinators, 1)
}

/// The largest power of two from 32 to 256 that still makes enough blocks for at most `count` indices.
fn block_for(count: Option<i64>) -> i64 {
    let Some(count) = count else {
        return TARGET.block_threads;
    };
    std::iter::successors(Some(TARGET.block_threads), |threads| Some(threads / 2))
        .take_while(|&threads| threads > TARGET.warp)
        .find(|threads| count / threads >= TARGET.busy_blocks)
        .unwrap_or(TARGET.warp)
}

/// A mapping, with what to test before the launch.
#[derive(Clone, Debug)]
pub struct Fitting {
    /// The mapping.
    pub mapping: Mapping,
    /// Conditions on a launch that is not empty, not decided by the ranges.
    pub conditions: Vec<LaunchCondition>,
    /// Which of the strategies made it.
    pub strategy: usize,
}

/// The mapping of the first strategy that has one for `space`, run by such groups, and that is not known to exceed `limits`.
///
/// # Errors
/// The fault of the last one, if none is possible.
pub fn first_fitting(
    arena: &mut Arena,
    space: &Descriptor,
    group: Group,
    strategies: &[&dyn ChooseChain],
    limits: &HardwareLimits,
) -> Result<Fitting, StrategyError> {
    let mut last = StrategyError::NoStrategy;
    for (strategy, choice) in strategies.iter().enumerate() {
        match fit(arena, (space, group), *choice, limits) {
            Ok((mapping, conditions)) => {
                return Ok(Fitting {
                    mapping,
                    conditions,
                    strategy,
                });
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

fn fit(
    arena: &mut Arena,
    (space, group): (&Descriptor, Group),
    choice: &dyn ChooseChain,
    limits: &HardwareLimits,
) -> Result<(Mapping, Vec<LaunchCondition>), StrategyError> {
    let chain = choice.choose(arena, space, group)?;
    let mapping = Mapping::new(arena, space.clone(), chain)?;
    mapping.check_group(arena, group)?;
    let conditions = mapping.launch_conditions(arena, group, limits)?;
    Ok((mapping, conditions))
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Jing => f.write_str("jing"),
            Self::JingExt => f.write_str("jing-ext"),
            Self::FoldAll(BlockSize::Automatic) => f.write_str("fold-all"),
            Self::FoldAll(BlockSize::Threads(threads)) => write!(f, "fold-all({threads})"),
            Self::Ordered(order, BlockSize::Automatic) => write!(f, "{order})"),
            Self::Ordered(order, BlockSize::Threads(threads)) => write!(f, "{order},{threads})"),
            Self::Auto => f.write_str("auto"),
            Self::Explicit(chain) => chain.fmt(f),
        }
    }
}

impl fmt::Display for VisitOrder {
    /// Without the parenthesis at the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Columns(width) => write!(f, "columns({width}"),
            Self::BestColumns => f.write_str("columns(auto"),
            Self::Zigzag(width) => write!(f, "zigzag({width}"),
            Self::Tiles(width, height) => write!(f, "tiles({width}x{height}"),
        }
    }
}

/// Why a text is no strategy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseStrategyError {
    /// It starts like a chain and is none.
    #[error("{0}")]
    Chain(#[from] TextError),
    /// It is no known name.
    #[error(
        "unknown strategy `{0}`; there are auto, jing, jing-ext, fold-all, fold-all(THREADS), columns(WIDTH), columns(auto), zigzag(WIDTH), \
         tiles(WIDTHxHEIGHT), the last four with `,THREADS`, too, and chains GridBlock(N, ...)"
    )]
    Unknown(String),
}

impl FromStr for Strategy {
    type Err = ParseStrategyError;

    fn from_str(text: &str) -> Result<Self, ParseStrategyError> {
        let name = text.trim();
        match name {
            "jing" => return Ok(Self::Jing),
            "jing-ext" => return Ok(Self::JingExt),
            "auto" => return Ok(Self::Auto),
            "fold-all" => return Ok(Self::FoldAll(BlockSize::Automatic)),
            _ if name.starts_with("GridBlock") => return Ok(Self::Explicit(text.parse()?)),
            _ => {}
        }
        let unknown = || ParseStrategyError::Unknown(name.to_owned());
        let (kind, rest) = name.split_once('(').ok_or_else(unknown)?;
        let rest = rest.strip_suffix(')').ok_or_else(unknown)?;
        let number = |text: &str| text.trim().parse::<i64>().map_err(|_| unknown());
        if kind == "fold-all" {
            return Ok(Self::FoldAll(BlockSize::Threads(number(rest)?)));
        }
        let (extent, size) = match rest.split_once(',') {
            Some((extent, threads)) => (extent, BlockSize::Threads(number(threads)?)),
            None => (rest, BlockSize::Automatic),
        };
        let order = match (kind, extent.split_once('x')) {
            ("columns", None) if extent.trim() == "auto" => VisitOrder::BestColumns,
            ("columns", None) => VisitOrder::Columns(number(extent)?),
            ("zigzag", None) => VisitOrder::Zigzag(number(extent)?),
            ("tiles", Some((width, height))) => VisitOrder::Tiles(number(width)?, number(height)?),
            _ => return Err(unknown()),
        };
        Ok(Self::Ordered(order, size))
    }
}
