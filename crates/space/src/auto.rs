//! Strategy `auto`: the cheapest of some compositions by the estimate of [`crate::score()`].
//!
//! Tried are, in this order, the strategies of the paper, so that `auto` is never worse than the best of them by its own
//! score; then, for spaces that threads run:
//! - everything folded, with thread blocks of other sizes;
//! - each dimension in turn on `threadIdx.x`, the others folded, or left to the grid as they are;
//! - tiles of the two innermost dimensions, either one on `threadIdx.x`;
//! - all of these with compressed dimensions first, where the space has gaps, then with pruned ones.
//!
//! All of it within a budget ([`MOST_CANDIDATES`]). Equal scores leave the choice to the one that comes first. The cost of
//! a mapping depends on what the body reads and writes ([`Access`]); without that, a row-major array is taken to be written.

use crate::chain::Chain;
use crate::combinator::Combinator::{
    self, CompressGrid, Fold, Permute, PruneGrid, ShiftLB, SplitLast,
};
use crate::descriptor::Descriptor;
use crate::expr::Arena;
use crate::group::Group;
use crate::limits::HardwareLimits;
use crate::mapping::Mapping;
use crate::score::{Access, Place, Score, score};
use crate::strategy::{BlockSize, ChooseChain, Strategy, StrategyError};

/// Most compositions that are scored for a space.
pub const MOST_CANDIDATES: usize = 40;

/// A composition and what it costs.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The composition.
    pub chain: Chain,
    /// The strategies that choose it, by name; none: a composition of the search.
    pub strategy: Option<Strategy>,
    /// Its cost.
    pub score: Score,
}

/// The strategy, for a body with these accesses.
#[derive(Clone, Debug)]
pub struct Auto {
    /// The arrays that are read and written at each index.
    pub accesses: Vec<Access>,
}

impl Auto {
    /// The compositions that fit `space`, the cheapest first.
    pub fn candidates(
        &self,
        arena: &mut Arena,
        space: &Descriptor,
        group: Group,
    ) -> Vec<Candidate> {
        let own = [
            Strategy::FoldAll(BlockSize::Automatic),
            Strategy::Jing,
            Strategy::JingExt,
        ];
        let mut chains: Vec<(Chain, Option<Strategy>)> = Vec::new();
        for strategy in own {
            if let Ok(chain) = strategy.choose(arena, space, group) {
                chains.push((chain, Some(strategy)));
            }
        }
        if group == Group::Thread && space.rank() > 0 {
            chains.extend(
                searched(arena, space)
                    .into_iter()
                    .map(|chain| (chain, None)),
            );
        }
        let mut found: Vec<Candidate> = Vec::new();
        for (chain, strategy) in chains {
            if found.len() == MOST_CANDIDATES {
                break;
            }
            if found.iter().any(|known| known.chain == chain) {
                continue;
            }
            let Ok(mapping) = Mapping::new(arena, space.clone(), chain.clone()) else {
                continue;
            };
            if mapping.check_group(arena, group).is_err()
                || mapping
                    .launch_conditions(arena, group, &HardwareLimits::CUDA)
                    .is_err()
            {
                continue;
            }
            if let Some(score) = score(arena, &mapping, group, &self.accesses) {
                found.push(Candidate {
                    chain,
                    strategy,
                    score,
                });
            }
        }
        // Stable: of equal ones the first stays first.
        found.sort_by(|a, b| a.score.cycles.total_cmp(&b.score.cycles));
        found
    }
}

impl ChooseChain for Auto {
    fn choose(
        &self,
        arena: &mut Arena,
        space: &Descriptor,
        group: Group,
    ) -> Result<Chain, StrategyError> {
        let cheapest = self.candidates(arena, space, group).into_iter().next();
        cheapest
            .map(|candidate| candidate.chain)
            .ok_or(StrategyError::NoStrategy)
    }
}

/// A row-major array as large as a space of this rank.
pub(crate) fn row_major(rank: usize) -> Access {
    Access {
        indices: (0..rank).map(Place::Dimension).collect(),
        bytes: 4,
        times: 1,
    }
}

/// Compositions beyond the paper's strategies.
fn searched(arena: &Arena, space: &Descriptor) -> Vec<Chain> {
    if space.is_dense(arena) {
        return compositions(&[ShiftLB], space.rank());
    }
    let compressed = CompressGrid(vec![true; space.rank()]);
    let mut all = compositions(&[ShiftLB, compressed], space.rank());
    all.extend(compositions(&[ShiftLB, PruneGrid], space.rank()));
    all
}

/// Those that begin with some combinators.
fn compositions(start: &[Combinator], rank: usize) -> Vec<Chain> {
    let chain = |steps: Vec<Combinator>, block_rank: usize| {
        Chain::new(start.iter().cloned().chain(steps).collect(), block_rank)
    };
    let mut found = Vec::new();
    for threads in [128, 512, 64] {
        let mut steps = vec![Fold(0); rank - 1];
        steps.push(SplitLast(threads));
        found.push(chain(steps, 1));
    }
    for dim in (0..rank).rev().take(5) {
        for threads in [256, 128, 32] {
            let order: Vec<usize> = (0..rank).filter(|&d| d != dim).chain([dim]).collect();
            let mut steps = Vec::new();
            if dim + 1 < rank {
                steps.push(Permute(order));
            }
            steps.extend(vec![Fold(0); rank.saturating_sub(2)]);
            steps.push(SplitLast(threads));
            if rank > 1 {
                found.push(chain(steps.clone(), 1));
                steps.push(Fold(0));
            }
            found.push(chain(steps, 1));
        }
    }
    if rank >= 2 {
        for [x, y] in [[32, 8], [32, 4], [16, 16], [64, 4]] {
            found.push(chain(tiles(rank, x, y, Inner::OnX), 2));
            found.push(chain(tiles(rank, x, y, Inner::OnY), 2));
        }
    }
    found
}

/// Which axis of the block the innermost dimension is on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inner {
    OnX,
    OnY,
}

/// Tiles of the two innermost dimensions, all else folded into one dimension of the grid.
fn tiles(rank: usize, x: i64, y: i64, inner: Inner) -> Vec<Combinator> {
    let before = rank - 2;
    let outer: Vec<usize> = (0..before).collect();
    let order = |rest: &[usize]| {
        Permute(
            outer
                .iter()
                .copied()
                .chain(rest.iter().map(|at| before + at))
                .collect(),
        )
    };
    let mut steps = Vec::new();
    if inner == Inner::OnY {
        steps.push(order(&[1, 0]));
    }
    // e, d; e, D, x; D, x, e; D, x, E, y; E, D, y, x.
    steps.extend([
        SplitLast(x),
        order(&[1, 2, 0]),
        SplitLast(y),
        order(&[2, 0, 3, 1]),
    ]);
    steps.extend(vec![Fold(0); before + 1]);
    steps
}
