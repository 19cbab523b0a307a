//! A chain applied to a descriptor: launch extents for the host, index recovery for the kernel.
//!
//! Source: index-space combinators paper, sections 5.2, 5.3, 6.1 to 6.3. [`Mapping::new`] walks the chain forwards and keeps
//! the descriptor of every stage, so that inverse and guard of each combinator see the bounds from before it
//! (6.3, "non-destructive upper bounds"): they are expressions over the space's own symbols, recomputed in the kernel or
//! passed to it, as the lowering likes. [`Mapping::recover`] walks it backwards.
//!
//! `GridBlock(n)` gives the `n` innermost dimensions (of those that are not serial) to the block and the others to the grid, innermost first: the
//! innermost block dimension is `threadIdx.x`, the innermost grid dimension `blockIdx.x`. Unused extents are 1.
//! (Listing 10 of the paper has zeros there, the order x, y, z reversed, and `gridIdx`.) It needs lower bound 0 and spawns
//! a thread for every position between the bounds; positions a step skips are disabled by a guard before lower
//! bounds are added back, and bounds are tested after (listing 8, whose `% st > 0` is right for width 1 only).
//!
//! Empty spaces: some extent is 0. Such a launch must be skipped, as drivers refuse it; [`Mapping::is_empty`] says when.
//! A space of rank 0 is one thread: grid 1, block 1, no indices.
//!
//! Every index of the space is recovered by exactly one thread whose guards hold, and no thread whose guards hold
//! recovers anything else. Guards may be evaluated in any order and all together: none divides by an expression that
//! is 0 in a thread that exists.

use crate::chain::Chain;
use crate::combinator::CombinatorError;
use crate::descriptor::Descriptor;
use crate::expr::{Arena, Expr, Sort};
use crate::facts::Facts;
use crate::interval::Interval;
use crate::limits::HardwareLimits;
use crate::operations::OperationCounts;
use crate::overflow::overflow_conditions;
use crate::simplify::{SimplifyLimits, simplify};
use rustc_hash::FxHashSet;

/// How many dimensions a grid, and a block, has.
const AXES: usize = 3;

/// Why a chain does not map a space.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MappingError {
    /// A combinator does not apply.
    #[error("stage {stage} of `{chain}`: {source}")]
    Combinator {
        /// The combinator's place in the chain, counted from `Gen`, 0.
        stage: usize,
        /// As text.
        chain: String,
        /// The fault.
        source: CombinatorError,
    },
    /// `GridBlock` meets a lower bound that is not known to be 0.
    #[error(
        "GridBlock of `{chain}` needs lower bound 0 in dimension {dimension}, found `{lower}`; apply ShiftLB"
    )]
    LowerBound {
        /// As text.
        chain: String,
        /// Counted from the outermost, 0.
        dimension: usize,
        /// The bound as text.
        lower: String,
    },
    /// `GridBlock` meets a step that is not known to be positive.
    #[error(
        "GridBlock of `{chain}` needs a positive step in dimension {dimension}, found `{step}`"
    )]
    Step {
        /// As text.
        chain: String,
        /// Counted from the outermost, 0.
        dimension: usize,
        /// The step as text.
        step: String,
    },
    /// More dimensions than a grid and a block have, or than a thread may have steps.
    #[error("`{chain}` makes {grid} grid and {block} block dimensions, the hardware has 3 and 3")]
    TooManyDimensions {
        /// As text.
        chain: String,
        /// Grid dimensions.
        grid: usize,
        /// Block dimensions.
        block: usize,
    },
    /// More dimensions that are steps of a thread than there may be.
    #[error("`{chain}` makes {serial} dimensions steps of a thread, there may be at most 3")]
    TooManySteps {
        /// As text.
        chain: String,
        /// Serial dimensions.
        serial: usize,
    },
    /// Fewer dimensions than the block, or the steps of a thread and the block, should get.
    #[error("GridBlock of `{chain}` wants {needed}, the space has {rank} in the end")]
    TooFewDimensions {
        /// As text.
        chain: String,
        /// Its precondition.
        needed: String,
        /// Dimensions there are.
        rank: usize,
    },
    /// The threads that run an index together cannot run what is mapped.
    #[error("`{chain}` does not fit: {needs}")]
    Group {
        /// As text.
        chain: String,
        /// The number that they need.
        needs: String,
    },
}

/// The six ids of a thread, each in the order x, y, z, and its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadIds {
    /// Which thread block of the grid (`blockIdx`).
    pub block: [Expr; AXES],
    /// Which thread of the block (`threadIdx`).
    pub thread: [Expr; AXES],
    /// Which of the steps a thread takes, innermost first; of use where a chain has serial dimensions.
    pub step: [Expr; AXES],
}

impl ThreadIds {
    /// Declares symbols `block_id.x` … `thread_id.z` whose ranges are what `limits` allow, and `step.x` … `step.z`.
    pub fn declare(arena: &mut Arena, limits: &HardwareLimits) -> Self {
        let mut axis = |level: &str, axis: usize, extents: &[i64; AXES]| {
            let name = format!("{level}.{}", ["x", "y", "z"][axis]);
            arena.symbol(&name, Interval::new(0, extents[axis] - 1))
        };
        Self {
            block: [0, 1, 2].map(|place| axis("block_id", place, &limits.grid)),
            thread: [0, 1, 2].map(|place| axis("thread_id", place, &limits.block)),
            step: ["step.x", "step.y", "step.z"]
                .map(|name| arena.symbol(name, Interval::NON_NEGATIVE)),
        }
    }
}

/// The computation of a thread before its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovery {
    /// The index vector of the original space, outermost first.
    pub indices: Vec<Expr>,
    /// All must hold for the thread to have an index; empty if every thread has one. Outermost combinator first.
    pub guards: Vec<Expr>,
}

impl Recovery {
    /// Indices, then guards.
    #[must_use]
    pub fn roots(&self) -> Vec<Expr> {
        self.indices.iter().chain(&self.guards).copied().collect()
    }
}

/// A space, a chain that fits it, and what follows for a launch.
#[derive(Clone, Debug)]
pub struct Mapping {
    chain: Chain,
    stages: Vec<Descriptor>,
    grid: [Expr; AXES],
    block: [Expr; AXES],
    steps: [Expr; AXES],
}

impl Mapping {
    /// Applies `chain` to `space`.
    ///
    /// # Errors
    /// The chain does not fit; see [`MappingError`]. Limits on extents are checked by [`Self::launch_conditions`].
    pub fn new(arena: &mut Arena, space: Descriptor, chain: Chain) -> Result<Self, MappingError> {
        let mut stages = Vec::with_capacity(chain.combinators.len() + 1);
        let mut last = space;
        for (stage, combinator) in chain.combinators.iter().enumerate() {
            let next =
                combinator
                    .apply(arena, &last)
                    .map_err(|source| MappingError::Combinator {
                        stage,
                        chain: chain.to_string(),
                        source,
                    })?;
            stages.push(std::mem::replace(&mut last, next));
        }
        check_launch(arena, &last, &chain)?;
        let extents = last.extents(arena);
        stages.push(last);
        let (parallel, serial) = extents.split_at(extents.len() - chain.serial_rank);
        let (outer, inner) = parallel.split_at(parallel.len() - chain.block_rank);
        let one = arena.int(1);
        let [grid, block, steps] = [outer, inner, serial].map(|extents| to_axes(extents, one));
        Ok(Self {
            chain,
            stages,
            grid,
            block,
            steps,
        })
    }

    /// Applies `chain` to a space of so many dimensions, of any extents.
    ///
    /// # Errors
    /// As with [`Self::new`].
    pub fn of_rank(rank: usize, chain: Chain) -> Result<Self, MappingError> {
        let mut arena = Arena::new();
        let extents = (0..rank).map(|_| arena.unnamed_symbol(Interval::NON_NEGATIVE));
        let extents: Vec<Expr> = extents.collect();
        let space = Descriptor::of_shape(&mut arena, &extents);
        Self::new(&mut arena, space, chain)
    }

    /// The chain.
    #[must_use]
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// The space, then the descriptor after each combinator.
    #[must_use]
    pub fn stages(&self) -> &[Descriptor] {
        &self.stages
    }

    /// The space that is mapped.
    #[must_use]
    pub fn space(&self) -> &Descriptor {
        &self.stages[0]
    }

    /// Extents of the grid in thread blocks, in the order x, y, z.
    #[must_use]
    pub fn grid(&self) -> [Expr; AXES] {
        self.grid
    }

    /// Extents of a block in threads, in the order x, y, z.
    #[must_use]
    pub fn block(&self) -> [Expr; AXES] {
        self.block
    }

    /// How many steps each thread takes, innermost dimension first; 1, 1, 1 without serial dimensions. Guards depend on
    /// the step: a thread goes on after one that is disabled.
    #[must_use]
    pub fn steps(&self) -> [Expr; AXES] {
        self.steps
    }

    /// Whether there is nothing to launch: some extent is 0.
    pub fn is_empty(&self, arena: &mut Arena) -> Expr {
        let one = arena.int(1);
        let mut empty = arena.bool(false);
        for extent in self.grid.into_iter().chain(self.block).chain(self.steps) {
            let none = arena.less(extent, one);
            empty = arena.or(empty, none);
        }
        empty
    }

    /// The tests before a launch, so that neither host nor threads overflow 64 bits: on the extents of all stages, on the
    /// number of steps of all threads together, and on what threads compute from sizes alone. Indices of threads stay
    /// below that number. See [`overflow_conditions`]; test them in order, up to the first that fails.
    ///
    /// # Errors
    /// As [`Self::recover`].
    pub fn overflow_conditions(
        &self,
        arena: &mut Arena,
        ids: &ThreadIds,
    ) -> Result<Vec<Expr>, CombinatorError> {
        let mut roots = Vec::new();
        for stage in &self.stages {
            roots.extend(stage.extents(arena));
        }
        let last = self.stages[self.stages.len() - 1].extents(arena);
        roots.push(arena.product(&last));
        let recovery = self.recover(arena, ids)?;
        let mut of_threads: FxHashSet<Expr> = ids
            .block
            .iter()
            .chain(&ids.thread)
            .chain(&ids.step)
            .copied()
            .collect();
        for expr in arena.topological(&recovery.roots()) {
            let operands = arena.node(expr).operands();
            if of_threads.contains(&expr) || operands.iter().any(|o| of_threads.contains(o)) {
                of_threads.insert(expr);
            } else if arena.sort(expr) == Sort::Index {
                roots.push(expr);
            }
        }
        Ok(overflow_conditions(arena, &roots, &Facts::new()))
    }

    /// The index vector of the thread with the given ids, and the guards that say whether it has one.
    ///
    /// # Errors
    /// None for a mapping made in this arena: the chain was checked when it was applied.
    pub fn recover(&self, arena: &mut Arena, ids: &ThreadIds) -> Result<Recovery, CombinatorError> {
        let last = &self.stages[self.stages.len() - 1];
        let mut indices = self.place_ids(last.rank(), ids);
        let mut guards = Vec::new();
        for (dimension, &index) in last.dimensions.iter().zip(&indices) {
            guards.push(dimension.on_grid(arena, index));
        }
        for (stage, combinator) in self.chain.combinators.iter().enumerate().rev() {
            let [input, output] = [&self.stages[stage], &self.stages[stage + 1]];
            // A split's own guard, index < U, implies that of its parts, index / k < ceil(U / k).
            if let Some(parts) = combinator.parts_dimension(input.rank()) {
                let implied = arena.less(indices[parts], output.dimensions[parts].upper);
                guards.retain(|&guard| guard != implied);
            }
            let inverse = combinator.invert(arena, input, &indices)?;
            indices = inverse.indices;
            guards.extend(inverse.guard);
        }
        guards.retain(|&guard| arena.as_bool(guard) != Some(true));
        Ok(Recovery { indices, guards })
    }

    /// As [`Self::recover`], simplified under [`Self::thread_facts`] and `context`.
    ///
    /// # Errors
    /// As [`Self::recover`].
    pub fn recover_simplified(
        &self,
        arena: &mut Arena,
        ids: &ThreadIds,
        context: &Facts,
        limits: &SimplifyLimits,
    ) -> Result<Recovery, CombinatorError> {
        let recovery = self.recover(arena, ids)?;
        let mut facts = self.thread_facts(arena, ids);
        for &assumption in context.assumptions() {
            facts.assume(arena, assumption);
        }
        let rank = recovery.indices.len();
        let mut roots = recovery.indices;
        roots.extend(recovery.guards);
        let mut indices = simplify(arena, &roots, &facts, limits);
        let mut guards = indices.split_off(rank);
        guards.retain(|&guard| arena.as_bool(guard) != Some(true));
        Ok(Recovery { indices, guards })
    }

    /// How many operations of each kind a thread takes to find its indices and guards, unsimplified.
    ///
    /// # Errors
    /// As [`Self::recover`].
    pub fn recovery_cost(
        &self,
        arena: &mut Arena,
        ids: &ThreadIds,
    ) -> Result<OperationCounts, CombinatorError> {
        let recovery = self.recover(arena, ids)?;
        Ok(OperationCounts::of(arena, &recovery.roots()))
    }

    /// Facts that hold in every thread that exists: each id is below its extent, and every extent of every stage is
    /// positive.
    pub fn thread_facts(&self, arena: &mut Arena, ids: &ThreadIds) -> Facts {
        let mut facts = Facts::new();
        let zero = arena.int(0);
        for stage in &self.stages {
            for dimension in &stage.dimensions {
                let extent = dimension.extent(arena);
                let exists = arena.less(zero, extent);
                facts.assume(arena, exists);
            }
        }
        let steps = ids.step.into_iter().zip(self.steps);
        let pairs = ids
            .block
            .into_iter()
            .zip(self.grid)
            .chain(ids.thread.into_iter().zip(self.block))
            .chain(steps.take(self.chain.serial_rank));
        for (id, extent) in pairs {
            let (from, below) = (arena.less_equal(zero, id), arena.less(id, extent));
            facts.assume(arena, from);
            facts.assume(arena, below);
        }
        facts
    }

    /// The ids as an index vector of the last stage.
    fn place_ids(&self, rank: usize, ids: &ThreadIds) -> Vec<Expr> {
        let innermost_first = ids
            .step
            .iter()
            .take(self.chain.serial_rank)
            .chain(ids.thread.iter().take(self.chain.block_rank))
            .chain(&ids.block);
        let mut indices: Vec<Expr> = innermost_first.take(rank).copied().collect();
        indices.reverse();
        indices
    }
}

/// Extents given outermost first, in the order x, y, z.
fn to_axes(extents: &[Expr], one: Expr) -> [Expr; AXES] {
    let mut axes = [one; AXES];
    for (axis, &extent) in axes.iter_mut().zip(extents.iter().rev()) {
        *axis = extent;
    }
    axes
}

fn check_launch(arena: &Arena, last: &Descriptor, chain: &Chain) -> Result<(), MappingError> {
    let (block, serial, rank) = (chain.block_rank, chain.serial_rank, last.rank());
    if block.saturating_add(serial) > rank {
        let needed = match serial {
            0 => format!("{block} block dimensions"),
            _ => format!("{block} block and {serial} serial dimensions"),
        };
        return Err(MappingError::TooFewDimensions {
            chain: chain.to_string(),
            needed,
            rank,
        });
    }
    if serial > AXES {
        return Err(MappingError::TooManySteps {
            chain: chain.to_string(),
            serial,
        });
    }
    let grid = rank - block - serial;
    if block > AXES || grid > AXES {
        return Err(MappingError::TooManyDimensions {
            chain: chain.to_string(),
            grid,
            block,
        });
    }
    for (place, dimension) in last.dimensions.iter().enumerate() {
        if !dimension.starts_at_zero(arena) {
            let lower = arena.display(dimension.lower).to_string();
            return Err(MappingError::LowerBound {
                chain: chain.to_string(),
                dimension: place,
                lower,
            });
        }
        if !arena.range(dimension.step).is_positive() {
            let step = arena.display(dimension.step).to_string();
            return Err(MappingError::Step {
                chain: chain.to_string(),
                dimension: place,
                step,
            });
        }
    }
    Ok(())
}
