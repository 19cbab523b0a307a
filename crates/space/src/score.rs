//! The cost of a mapping: an estimate of cycles per index, from the operations that recover it, the sectors that warps touch,
//! idle threads and occupancy.
//!
//! ```text
//! cycles = (issue * warps + lines * look-up + sectors * moved) / indices * idle multiprocessors * latency that is not hidden
//! ```
//! * *issue*: weighted operations of the recovery ([`OperationCounts`]) that are not the same for all threads;
//! * *lines*, *sectors*: a few warps of the launch are run on paper, and counted are the lines that each access of the body looks
//!   up, and the sectors that warps of one thread block do not share: those come from below the L1 cache. Which index is on
//!   `threadIdx.x` follows from the recovered indices, whatever the chain. Repeated by a loop of the body, it counts as often;
//! * idle threads, steps and partial warps: by the extents of the launch;
//! * occupancy: by the threads and thread blocks that a multiprocessor holds ([`Target`]).
//!
//! Extents that only the run knows take several values in turn: all alike, of many indices and of few, a short innermost one beside
//! a long outermost one, and the other way round; a mapping that the hardware refuses for one of them costs infinitely much.
//! Estimates compare mappings of one space with each other and mean nothing beside measured times. Deliberately absent: what thread
//! blocks share (the order in which they run), and the body's own operations, which no mapping changes.

use crate::descriptor::Descriptor;
use crate::eval::Evaluator;
use crate::expr::{Arena, Expr, Symbol};
use crate::group::Group;
use crate::limits::HardwareLimits;
use crate::mapping::{Mapping, Recovery, ThreadIds};
use crate::operations::OperationCounts;
use crate::target::Target;
use rustc_hash::{FxHashMap, FxHashSet};

/// The meaning of an array's index in the body of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The index of this dimension of the space, and a constant perhaps.
    Dimension(usize),
    /// The same for all threads at a time.
    Uniform,
    /// Another one for every thread.
    Scattered,
}

/// An access of an array at each index of a space.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// Indices of the array, outermost first.
    pub indices: Vec<Place>,
    /// Bytes of an element.
    pub bytes: i64,
    /// How often the body makes it: 1 outside of loops.
    pub times: u32,
}

/// The estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// Cycles of a multiprocessor per index, the mean of all shapes; infinite where the hardware refuses one.
    pub cycles: f64,
    /// Operations of a thread.
    pub operations: OperationCounts,
    /// Sectors that thread blocks ask for, per index.
    pub sectors: f64,
    /// Steps of threads per index: 1 where no thread is idle.
    pub steps: f64,
    /// Threads that a multiprocessor holds, of those it has space for.
    pub occupancy: f64,
}

/// The machine.
const TARGET: Target = Target::CUDA;
/// Extent of a dimension of an array that no dimension of the space iterates over, and trips of a loop, where they are not known.
pub const ASSUMED_EXTENT: u32 = 64;
/// Most warps of a thread block that are taken to find what the others have read: later ones run at another time.
const SHARING_WARPS: i64 = 8;
/// Cycles of a multiprocessor to issue an instruction of a warp: four at a time.
const ISSUE: f64 = 0.25;
/// Cycles of a multiprocessor to look up a line.
const LINE: f64 = 1.0;
/// Cycles of a multiprocessor's share of memory to move a sector.
const SECTOR: f64 = 2.0;

/// Estimates a mapping of `space`, whose indices are run by groups of threads; `None` where it cannot be evaluated.
pub fn score(
    arena: &mut Arena,
    mapping: &Mapping,
    group: Group,
    accesses: &[Access],
) -> Option<Score> {
    let ids = ThreadIds::declare(arena, &HardwareLimits::CUDA);
    let recovery = mapping.recover(arena, &ids).ok()?;
    let conditions = mapping
        .launch_conditions(arena, group, &HardwareLimits::CUDA)
        .ok()?;
    let operations = varying_operations(arena, &ids, &recovery);
    let within: Vec<Expr> = conditions
        .iter()
        .map(|condition| condition.within)
        .collect();
    let shapes = shapes(arena, mapping.space());
    let count = mapping.space().clone().count(arena);
    let mut all: Vec<Score> = Vec::new();
    for shape in &shapes {
        let count = values(arena, &[count], shape)?[0];
        let launch = Launch::of(arena, mapping, group, (shape, count))?;
        let fits = values(arena, &within, shape)?.iter().all(|&fits| fits == 1);
        let mut score = launch.score(arena, (&ids, &recovery), accesses, shape)?;
        score.cycles += f64::from(weight(operations)) * ISSUE * launch.warp_steps() / launch.points;
        score.cycles *= launch.factors();
        if !fits {
            score.cycles = f64::INFINITY;
        }
        all.push(score);
    }
    let count = all.len() as f64;
    let mean = |part: fn(&Score) -> f64| all.iter().map(part).sum::<f64>() / count;
    Some(Score {
        cycles: rounded(mean(|score| score.cycles)),
        operations,
        sectors: mean(|score| score.sectors),
        steps: mean(|score| score.steps),
        occupancy: mean(|score| score.occupancy),
    })
}

/// To seven bits: where a launch ends beside the last index makes no difference that an estimate could tell.
fn rounded(cycles: f64) -> f64 {
    if !cycles.is_normal() {
        return cycles;
    }
    let unit = (cycles.log2().floor() - 6.0).exp2();
    (cycles / unit).round() * unit
}

/// About how many instructions operations are.
fn weight(counts: OperationCounts) -> u32 {
    counts.sums
        + 3 * counts.products
        + counts.shifts
        + 6 * counts.constant_divisions
        + 20 * counts.divisions
        + counts.comparisons
        + 2 * counts.choices
        + counts.logic
}

/// The operations that are not the same for all threads: those are the host's.
fn varying_operations(arena: &Arena, ids: &ThreadIds, recovery: &Recovery) -> OperationCounts {
    let roots = recovery.roots();
    let mut varying: FxHashSet<Expr> = [ids.block, ids.thread, ids.step]
        .concat()
        .into_iter()
        .collect();
    let order = arena.topological(&roots);
    for &expr in &order {
        let operands = arena.node(expr).operands();
        if operands.iter().any(|operand| varying.contains(operand)) {
            varying.insert(expr);
        }
    }
    OperationCounts::of_those(arena, &roots, &|expr| varying.contains(&expr))
}

/// Values of the symbols of a space, and of its extents.
struct Shape {
    values: FxHashMap<Symbol, i64>,
    extents: Vec<i64>,
}

/// The symbols among the extents, each with the number of dimensions that it is the extent of.
fn occurrences(symbols: &[Option<Symbol>]) -> Vec<(Symbol, i32)> {
    let mut unknown: Vec<(Symbol, i32)> = Vec::new();
    for &symbol in symbols.iter().flatten() {
        match unknown.iter_mut().find(|(known, _)| *known == symbol) {
            Some((_, dims)) => *dims += 1,
            None => unknown.push((symbol, 1)),
        }
    }
    unknown
}

/// The shapes that a space is tried on.
fn shapes(arena: &Arena, space: &Descriptor) -> Vec<Shape> {
    let symbols: Vec<Option<Symbol>> = space
        .dimensions
        .iter()
        .map(|dimension| arena.as_symbol(dimension.upper))
        .collect();
    let known: Vec<Option<i64>> = space
        .dimensions
        .iter()
        .map(|dimension| arena.as_int(dimension.upper))
        .collect();
    let unknown = occurrences(&symbols);
    let product: i64 = known
        .iter()
        .flatten()
        .fold(1i64, |all, &extent| all.saturating_mul(extent.max(1)));
    let left = |indices: i64| (indices / product.max(1)).max(1) as f64;
    let shape = |size: &dyn Fn(usize) -> i64| {
        let values: FxHashMap<Symbol, i64> = unknown
            .iter()
            .enumerate()
            .map(|(at, &(symbol, _))| (symbol, size(at)))
            .collect();
        let extents = symbols.iter().zip(&known).map(|(symbol, known)| {
            known
                .or_else(|| values.get(&(*symbol)?).copied())
                .unwrap_or(1)
        });
        Shape {
            extents: extents.collect(),
            values,
        }
    };
    let last = unknown.len().saturating_sub(1);
    let dims: i32 = unknown.iter().map(|&(_, dims)| dims).sum();
    let alike = |indices: i64| left(indices).powf(1.0 / f64::from(dims.max(1))) as i64 + 1;
    let mut all = vec![shape(&|_| alike(1 << 20))];
    if !unknown.is_empty() {
        all.push(shape(&|_| alike(1 << 16)));
    }
    if unknown.len() > 1 {
        // With the ones between, no more indices than a grid has thread blocks.
        let between = (dims - unknown[0].1 - unknown[last].1).min(20);
        let long = |at: usize| {
            let extent = f64::from((1 << 22) >> between);
            extent.powf(1.0 / f64::from(unknown[at].1)) as i64 + 1
        };
        let extent = |at: usize, longest: usize| match at {
            at if at == longest => long(at),
            at if at == 0 || at == last => 5,
            _ => 2,
        };
        all.push(shape(&|at| extent(at, 0)));
        all.push(shape(&|at| extent(at, last)));
    }
    all
}

fn values(arena: &Arena, roots: &[Expr], shape: &Shape) -> Option<Vec<i64>> {
    let mut evaluator = Evaluator::new(arena, roots).ok()?;
    let found = evaluator.values(&|symbol| shape.values.get(&symbol).copied());
    found.ok().map(<[i64]>::to_vec)
}

/// Extents of a launch for a shape.
struct Launch {
    grid: [i64; 3],
    block: [i64; 3],
    /// Steps along each serial dimension, innermost first.
    steps: [i64; 3],
    /// Threads of a group.
    group: i64,
    points: f64,
}

impl Launch {
    fn of(
        arena: &Arena,
        mapping: &Mapping,
        group: Group,
        (shape, count): (&Shape, i64),
    ) -> Option<Launch> {
        let axes = |exprs: [Expr; 3]| {
            let values = values(arena, &exprs, shape)?;
            <[i64; 3]>::try_from(values).ok()
        };
        Some(Launch {
            grid: axes(mapping.grid())?,
            block: axes(mapping.block())?,
            steps: axes(mapping.steps())?,
            group: match group {
                Group::Thread => 1,
                Group::Lanes(lanes) => lanes,
                Group::Block => TARGET.block_threads,
            },
            points: (count as f64).max(1.0),
        })
    }

    fn blocks(&self) -> f64 {
        self.grid
            .iter()
            .map(|&extent| extent as f64)
            .product::<f64>()
            .max(1.0)
    }

    fn block_threads(&self) -> i64 {
        self.block
            .iter()
            .fold(self.group, |all, &extent| all.saturating_mul(extent))
            .max(1)
    }

    fn steps_of_thread(&self) -> f64 {
        self.steps.iter().map(|&extent| extent as f64).product()
    }

    /// Steps of all warps of the launch.
    fn warp_steps(&self) -> f64 {
        let warps = self.block_threads().div_euclid(TARGET.warp)
            + i64::from(self.block_threads() % TARGET.warp > 0);
        self.blocks() * warps as f64 * self.steps_of_thread()
    }

    /// Threads that a multiprocessor holds, of those it has space for.
    fn occupancy(&self) -> f64 {
        let threads = self.block_threads();
        let blocks = (TARGET.resident_threads / threads).min(TARGET.resident_blocks);
        (blocks * threads) as f64 / TARGET.resident_threads as f64
    }

    /// Multiprocessors left without work, and latency that too few threads do not hide.
    fn factors(&self) -> f64 {
        let spread = (self.points / TARGET.warp as f64)
            .ceil()
            .min(TARGET.busy_blocks as f64);
        let idle = (spread / self.blocks()).max(1.0);
        idle * (1.0 + 0.5 * (1.0 - self.occupancy()))
    }

    /// Runs a few warps on paper.
    fn score(
        &self,
        arena: &Arena,
        (ids, recovery): (&ThreadIds, &Recovery),
        accesses: &[Access],
        shape: &Shape,
    ) -> Option<Score> {
        let mut evaluator = Evaluator::new(arena, &recovery.roots()).ok()?;
        let threads = self.block_threads() / self.group;
        let warps = (threads / TARGET.warp).clamp(1, SHARING_WARPS);
        let blocks = self.blocks() as i64;
        let (mut lines, mut sectors) = (Mean::default(), Mean::default());
        for (block, warps) in [(0, 1), (blocks / 2, 1), (blocks / 3, warps)] {
            let mut shared: FxHashSet<(usize, i64)> = FxHashSet::default();
            let mut active = 0;
            for warp in 0..warps {
                let mut touched: FxHashSet<(usize, i64)> = FxHashSet::default();
                let first = warp * TARGET.warp;
                for thread in first..(first + TARGET.warp).min(threads) {
                    let known = self.ids(arena, ids, block, thread);
                    let environment = |symbol: Symbol| {
                        known
                            .get(&symbol)
                            .or_else(|| shape.values.get(&symbol))
                            .copied()
                    };
                    let found = evaluator.values(&environment).ok()?;
                    let (indices, guards) = found.split_at(recovery.indices.len());
                    if guards.contains(&0) {
                        continue;
                    }
                    active += 1;
                    for (number, access) in accesses.iter().enumerate() {
                        touched.insert((number, access.sector(indices, shape, thread)));
                    }
                }
                let looked_up: FxHashSet<(usize, i64)> = touched
                    .iter()
                    .map(|&(number, sector)| (number, sector.div_euclid(SECTORS_OF_LINE)))
                    .collect();
                lines.add(accesses, &looked_up);
                shared.extend(touched);
            }
            lines.points += active;
            sectors.add(accesses, &shared);
            sectors.points += active;
        }
        let (lines, sectors) = (lines.per_point(), sectors.per_point());
        Some(Score {
            cycles: lines * LINE + sectors * SECTOR,
            operations: OperationCounts::default(),
            sectors,
            steps: self.warp_steps() * TARGET.warp as f64 / self.group as f64 / self.points,
            occupancy: self.occupancy(),
        })
    }

    /// The ids of a thread with these numbers, at its first step.
    fn ids(
        &self,
        arena: &Arena,
        ids: &ThreadIds,
        block: i64,
        thread: i64,
    ) -> FxHashMap<Symbol, i64> {
        let mut known = FxHashMap::default();
        for (exprs, extents, number) in [
            (ids.block, self.grid, block),
            (ids.thread, self.block, thread),
        ] {
            let mut rest = number;
            for (expr, extent) in exprs.into_iter().zip(extents) {
                known.extend(
                    arena
                        .as_symbol(expr)
                        .map(|symbol| (symbol, rest % extent.max(1))),
                );
                rest /= extent.max(1);
            }
        }
        known.extend(
            ids.step
                .into_iter()
                .filter_map(|step| Some((arena.as_symbol(step)?, 0))),
        );
        known
    }
}

/// Sectors of a line.
const SECTORS_OF_LINE: i64 = TARGET.line_bytes / TARGET.sector_bytes;

/// The sectors or lines of accesses, each as often as the access is made.
#[derive(Default)]
struct Mean {
    touched: f64,
    points: u32,
}

impl Mean {
    fn add(&mut self, accesses: &[Access], touched: &FxHashSet<(usize, i64)>) {
        let times = touched
            .iter()
            .map(|&(number, _)| f64::from(accesses[number].times));
        self.touched += times.sum::<f64>();
    }

    fn per_point(&self) -> f64 {
        self.touched / f64::from(self.points.max(1))
    }
}

impl Access {
    /// The sector that a thread touches at an index.
    fn sector(&self, indices: &[i64], shape: &Shape, thread: i64) -> i64 {
        let mut at = 0i64;
        for &place in &self.indices {
            let (index, extent) = match place {
                Place::Dimension(dim) => (
                    indices.get(dim).copied().unwrap_or(0),
                    shape.extents.get(dim).copied().unwrap_or(1),
                ),
                Place::Uniform => (0, i64::from(ASSUMED_EXTENT)),
                // A line of its own.
                Place::Scattered => return i64::MIN + SECTORS_OF_LINE * thread,
            };
            at = at.wrapping_mul(extent).wrapping_add(index);
        }
        at.wrapping_mul(self.bytes).div_euclid(TARGET.sector_bytes)
    }
}
