//! Stencils that feed one another by one kernel. They stand one behind the other, or are the steps of a loop ([`steps`]).
//!
//! ```mlir
//! %ys = kernel.segmap thread (%i < %n) {              %zs = kernel.segmap block (%b < ceildiv(%n, 1024)) {
//!   f(%xs[%i - 1], %xs[%i + 1], clamped)                %s0 = 1024 + 2 * (1 + 2) elements of %xs
//! }                                                     %s1 = f at 1024 + 2 * 2 places of %s0
//! %zs = kernel.segmap thread (%i < %n) {        ==>     g at 1024 places of %s1
//!   g(%ys[%i - 2], %ys[%i + 2], mirrored)             }
//! }
//! ```
//! Results between that something else reads are written, too. The kernel stands in a branch beside the stencils as they were, with a
//! threshold as loops have (`NAME.stencilK.chain`): from one tile on where a tile's stencils take less time than their launches.
//!
//! Of the stencils of a block that feed one another, those parts become one kernel by which they take the fewest cycles; a part moves
//! clearly fewer bytes than its stencils one by one, which is the rule of loops, and takes clearly less time than those take for theirs:
//! stencils of many neighbours read them from shared memory, one point at a time, so that two of 5 by 5 stay apart.
//!
//! Legality: stencils ([`super::find`]) in one block over one space, and maps, which are stencils of no reach; some read others' results
//! near their points, by one rule, beside reads at no distance. A stencil whose result is read by `wrap` reads by `wrap` itself what it reads near a point:
//! its elements outside are computed there, and arrays have the extents of the space (which is asked when the program runs).
//! Other readers of a result come behind the last stencil.

mod kernel;
mod plan;
pub(super) mod steps;

use super::find::{Group, Rules, Stencil};
use kernel::fuse;
use plan::{MEMORY_BYTES, POINTS, alone};
use rustc_hash::FxHashMap;
use segra_ir::{Builder, Ir, Op, OpView, Value};
use segra_kernel::access::Read;
use segra_kernel::near::NearOp;
use segra_kernel::segop::SegMapOp;
use segra_std::boundary::Boundary;
use segra_std::scf::ForOp;
use std::ops::Range;

/// Stencils of a block that feed one another, at most: others stay apart.
const MOST_STAGES: usize = 64;

/// A result of a stage: the number of the stage, and that of the result.
type Source = (usize, usize);

/// Stencils in the order of their block, each but the first fed by others before it.
struct Chain {
    stages: Vec<Stencil>,
    /// By stage and group: the result that is read, where it is one of the chain.
    sources: Vec<Vec<Option<Source>>>,
    /// By stage: the rule by which its results are read outside of the space.
    rules: Vec<Boundary>,
    /// The results that something behind the chain reads.
    outputs: Vec<Source>,
}

impl Chain {
    /// The chain of some segmaps, if they are one.
    fn of(ir: &Ir, segmaps: &[SegMapOp]) -> Option<Chain> {
        let moved: Vec<Option<usize>> = segmaps
            .iter()
            .map(|&segmap| Stencil::moved_from(ir, segmap).ok())
            .collect::<Option<_>>()?;
        let outer = moved.into_iter().flatten().min()?;
        let mut chain = Chain {
            stages: Vec::new(),
            sources: Vec::new(),
            rules: vec![Boundary::Clamp; segmaps.len()],
            outputs: Vec::new(),
        };
        for &segmap in segmaps {
            let mut stencil = Stencil::with_outer(ir, segmap, outer);
            let source = |tensor: Value| chain.source(ir, tensor);
            let single = std::mem::take(&mut stencil.single).into_iter();
            let (own, single): (Vec<Group>, Vec<Group>) =
                single.partition(|group| source(group.tensor).is_some());
            stencil.single = single;
            stencil.groups.extend(own);
            let sources: Vec<Option<Source>> = (stencil.groups.iter())
                .map(|group| source(group.tensor))
                .collect();
            chain.stages.push(stencil);
            chain.sources.push(sources);
        }
        chain.find_outputs(ir)?;
        for stage in (0..segmaps.len() - 1).rev() {
            chain.rules[stage] = chain.rule(ir, stage)?;
        }
        Some(chain)
    }

    fn source(&self, ir: &Ir, tensor: Value) -> Option<Source> {
        let made = ir.defining_op(tensor)?;
        let stage = self
            .stages
            .iter()
            .position(|stage| stage.segmap.op() == made)?;
        let result = ir.results(made).position(|result| result == tensor)?;
        Some((stage, result))
    }

    /// Finds what is read behind the chain; `None`: something else reads a result before the last stage has it.
    fn find_outputs(&mut self, ir: &Ir) -> Option<()> {
        let last = self.stages.last()?.segmap.op();
        for (at, stage) in self.stages.iter().enumerate() {
            let is_last = stage.segmap.op() == last;
            for (number, result) in ir.results(stage.segmap.op()).enumerate() {
                let mut outside = false;
                for user in ir.users(result) {
                    if self.reads(user) {
                        continue;
                    }
                    let block = ir.block_of(last);
                    let above = ir.ancestors(user).find(|&op| ir.block_of(op) == block)?;
                    if !ir.is_before(last, above) {
                        return None;
                    }
                    outside = true;
                }
                if outside || is_last {
                    self.outputs.push((at, number));
                }
            }
        }
        Some(())
    }

    /// Whether an op is a read by a group of the chain.
    fn reads(&self, op: Op) -> bool {
        let mut groups = self.stages.iter().flat_map(|stage| &stage.groups);
        groups.any(|group| group.reads.iter().any(|read| read.op() == op))
    }

    /// The groups that read a stage's results, with the stage that they are of and the result.
    fn readers(&self, stage: usize) -> impl Iterator<Item = (usize, usize, &Group)> {
        let later = (stage + 1..self.stages.len()).flat_map(|reader| {
            let groups = self.stages[reader].groups.iter().zip(&self.sources[reader]);
            groups.map(move |(group, source)| (reader, source, group))
        });
        later.filter_map(move |(reader, source, group)| match source {
            Some((of, result)) if *of == stage => Some((reader, *result, group)),
            _ => None,
        })
    }

    /// The rule by which a stage's results are read outside, if it is one; those of later stages are known.
    fn rule(&self, ir: &Ir, stage: usize) -> Option<Boundary> {
        let mut rules = Rules::default();
        let mut known: Vec<(usize, Boundary, Option<Value>)> = Vec::new();
        for (reader, result, group) in self.readers(stage) {
            if !self.is_own(ir, reader, group) {
                return None;
            }
            if self.rules[reader] == Boundary::Wrap {
                rules.add(Boundary::Wrap)?;
            }
            if group.is_still() {
                continue;
            }
            let by = (result, group.rule, group.otherwise);
            if known.iter().any(|known| known.0 == result && *known != by) {
                return None;
            }
            known.push(by);
            rules.add(group.rule)?;
        }
        match rules.total {
            // The surroundings of a place outside are those of the place that it stands for.
            Some(Boundary::Wrap) => {
                let near = self.stages[stage]
                    .groups
                    .iter()
                    .filter(|group| !group.is_still());
                let all = near.clone().all(|group| group.rule == Boundary::Wrap);
                (all && !rules.outside).then_some(Boundary::Wrap)
            }
            Some(rule) => Some(rule),
            None => Some(Boundary::Clamp),
        }
    }

    /// Whether a group of a stage reads at the stage's own indices of dimensions before the tiled ones.
    fn is_own(&self, ir: &Ir, stage: usize, group: &Group) -> bool {
        let stencil = &self.stages[stage];
        let args = ir.block_args(stencil.segmap.body_block(ir));
        group.lead == args[..stencil.outer]
    }

    /// Whether a stage reads another's results near its points, which fusion of arrays leaves to chains.
    fn is_near(&self) -> bool {
        let mut groups = self
            .stages
            .iter()
            .zip(&self.sources)
            .flat_map(|(stage, sources)| stage.groups.iter().zip(sources));
        groups.any(|(group, source)| source.is_some() && !group.is_still())
    }

    fn last(&self) -> &Stencil {
        &self.stages[self.stages.len() - 1]
    }
}

/// Lets several steps of loops with several stencils run by one kernel, where that pays. How many loops there are.
pub(super) fn fuse_loops(
    ir: &mut Ir,
    segmaps: &[SegMapOp],
    sizes: (i64, i64),
    mut name: impl FnMut(&Ir, Op) -> String,
) -> u64 {
    let mut bodies: Vec<Vec<SegMapOp>> = Vec::new();
    let mut body_of: FxHashMap<Op, usize> = FxHashMap::default();
    for &segmap in segmaps {
        let looped = ir.parent_op(segmap.op());
        let Some(looped) = looped.filter(|&looped| ir.isa::<ForOp>(looped)) else {
            continue;
        };
        let body = *body_of.entry(looped).or_insert(bodies.len());
        if body == bodies.len() {
            bodies.push(Vec::new());
        }
        bodies[body].push(segmap);
    }
    let mut fused = 0;
    for body in bodies {
        if body.len() > 1 && body.iter().any(|&segmap| reads_neighbours(ir, segmap)) {
            let last = body[body.len() - 1].op();
            fused += u64::from(steps::fuse(ir, &body, sizes, |ir| name(ir, last)));
        }
    }
    fused
}

fn reads_neighbours(ir: &Ir, segmap: SegMapOp) -> bool {
    matches!(Stencil::moved_from(ir, segmap), Ok(Some(_)))
}

/// Lets the stencils of blocks that feed one another run by one kernel, where that pays. How many kernels there are.
pub(super) fn fuse_all(
    ir: &mut Ir,
    segmaps: &[SegMapOp],
    (most, enough): (i64, i64),
    mut name: impl FnMut(&Ir, Op) -> String,
) -> (u64, bool) {
    let (mut fused, mut changed) = (0, false);
    for set in sets(ir, segmaps) {
        changed |= near_reads(ir, &set);
        // From the last on: those before are as they were.
        for range in parts(ir, &set, most).into_iter().rev() {
            let Some(chain) = Chain::of(ir, &set[range]) else {
                continue;
            };
            let Some(plan) = chain.plan(ir) else {
                continue;
            };
            let name = name(ir, chain.last().segmap.op());
            fused += u64::from(fuse(ir, &chain, &plan, (name, enough)));
        }
    }
    (fused, changed)
}

/// Stencils of a block over one space that feed one another, with maps before and between them, in order.
fn sets(ir: &Ir, segmaps: &[SegMapOp]) -> Vec<Vec<SegMapOp>> {
    // By number in the order of the program.
    let mut sets: Vec<Vec<usize>> = Vec::new();
    let mut set_of: FxHashMap<Op, usize> = FxHashMap::default();
    for (number, &segmap) in segmaps.iter().enumerate() {
        if Stencil::moved_from(ir, segmap).is_err() {
            continue;
        }
        let op = segmap.op();
        let mut own = vec![number];
        let mut home: Option<usize> = None;
        let inside = ir.walk(op).into_iter();
        for made in inside.flat_map(|inner| ir.operands(inner)) {
            let Some(&set) = ir.defining_op(made).and_then(|made| set_of.get(&made)) else {
                continue;
            };
            let Some(&first) = sets[set].first() else {
                continue;
            };
            let first = segmaps[first];
            let alike =
                ir.block_of(first.op()) == ir.block_of(op) && first.sizes(ir) == segmap.sizes(ir);
            if home == Some(set) || !alike || sets[set].len() + own.len() > MOST_STAGES {
                continue;
            }
            own.append(&mut sets[set]);
            home = home.or(Some(set));
        }
        own.sort_unstable();
        let home = home.unwrap_or_else(|| {
            sets.push(Vec::new());
            sets.len() - 1
        });
        for &member in &own {
            set_of.insert(segmaps[member].op(), home);
        }
        sets[home] = own;
    }
    let sets = sets.into_iter().filter(|set| set.len() > 1);
    let sets = sets.map(|set| set.into_iter().map(|number| segmaps[number]).collect());
    let mut sets: Vec<Vec<SegMapOp>> = sets.collect();
    sets.retain(|set| set.iter().any(|&segmap| reads_neighbours(ir, segmap)));
    sets
}

/// Makes reads of each other's results at a stencil's own point reads near it, at no distance. Whether there were any.
fn near_reads(ir: &mut Ir, set: &[SegMapOp]) -> bool {
    let mut changed = false;
    for &segmap in set {
        let args = ir.block_args(segmap.body_block(ir)).to_vec();
        for op in ir.walk(segmap.op()) {
            let Some(read) = Read::of(ir, op) else {
                continue;
            };
            let tensor = read.tensor(ir);
            let made = ir.defining_op(tensor);
            let own = set.iter().any(|other| made == Some(other.op()));
            if !own || read.is_checked(ir) || read.indices(ir) != args {
                continue;
            }
            let mut b = Builder::before(ir, op);
            let offsets = b.ctx().dense_i64_attr(&vec![0; args.len()]);
            let boundary = Boundary::Inside.attr(b.ctx());
            let near = NearOp::builder()
                .tensor(tensor)
                .indices(&args)
                .offsets(offsets)
                .boundary(boundary)
                .build(&mut b);
            let value = near.result(b.ir);
            ir.replace_op(op, &[value]);
            changed = true;
        }
    }
    changed
}

/// The parts of a set that become one kernel each: those by which the set takes the fewest cycles.
fn parts(ir: &Ir, set: &[SegMapOp], most: i64) -> Vec<Range<usize>> {
    let most = usize::try_from(most).unwrap_or(1).max(1);
    let single = |&segmap: &SegMapOp| {
        let moved = Stencil::moved_from(ir, segmap).ok()?;
        let outer = moved.unwrap_or(segmap.sizes(ir).len());
        alone(ir, &Stencil::with_outer(ir, segmap, outer))
    };
    let alone: Vec<Option<i64>> = set.iter().map(single).collect();
    // Up to each stencil: cycles for as many points as a tile has, and where its part begins.
    let mut best: Vec<(i64, usize)> = vec![(0, 0)];
    for end in 1..=set.len() {
        let of_last = alone[end - 1].unwrap_or(0);
        let mut found: Option<(i64, usize)> = None;
        for start in end.saturating_sub(most)..end - 1 {
            let moved: Option<i64> = alone[start..end].iter().copied().sum();
            let chain = Chain::of(ir, &set[start..end]).filter(Chain::is_near);
            let plan = chain.and_then(|chain| chain.plan(ir));
            let (Some(plan), Some(moved)) = (plan, moved) else {
                continue;
            };
            let total = best[start].0 + plan.cost;
            if plan.pays(moved) && found.is_none_or(|(known, _)| total < known) {
                found = Some((total, start));
            }
        }
        let apart = (best[end - 1].0 + of_last * POINTS / MEMORY_BYTES, end - 1);
        best.push(found.filter(|found| found.0 < apart.0).unwrap_or(apart));
    }
    let mut parts = Vec::new();
    let mut end = set.len();
    while end > 0 {
        let start = best[end].1;
        if end - start > 1 {
            parts.push(start..end);
        }
        end = start;
    }
    parts.reverse();
    parts
}
