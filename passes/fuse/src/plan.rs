//! Deciding: which combinators of a block become one op, and where it goes.
//!
//! Ops are looked at in order, once. A cluster is a set of combinators of one extent that will be one op in the place of
//! its anchor, a member. It is *open* as long as nothing outside of it that came so far uses what it makes: it may then
//! still move down to a later op. A combinator joins a cluster
//! * by moving the cluster down to itself, if the cluster is open, or
//! * by moving up to the cluster's anchor, if all it uses is there already.
//!
//! Either way every use of a result comes after the op that makes it, and no work is done twice. Where one can join its
//! producers' clusters, and these can be merged, they are. A cluster that may stop the program stays among the same
//! effects: it does not move past an op that writes, or that may stop the program for reasons of its own.
//!
//! Work is linear in the number of uses: each op asks at most [`MOST_CANDIDATES`] clusters beside its producers'.

use crate::build::types_agree;
use crate::cost::bytes;
use crate::places::same_places;
use crate::soac::{Behaviour, Flavour, Soac, behaviour, depth, fusible, has_parallelism};
use rustc_hash::{FxHashMap, FxHashSet};
use segra_array::types::Size;
use segra_ir::interfaces::{EffectKind, is_pure, is_speculatable, visit_effects};
use segra_ir::{Block, Ir, Op, Value, ValueDef};
use segra_space::Target;

/// How many clusters of the same extent a combinator is tried with.
const MOST_CANDIDATES: usize = 4;

/// The rewrites that bring combinators together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// One reads what the other makes.
    Vertical,
    /// They have the same extent.
    Horizontal,
}

/// Combinators that become one.
#[derive(Clone, Debug)]
pub(crate) struct Cluster {
    /// In the order of the program.
    pub(crate) members: Vec<Soac>,
    pub(crate) flavour: Flavour,
    /// The member in whose place the op goes.
    pub(crate) anchor: Op,
    /// Ops without operands from later places that must stand before the anchor.
    pub(crate) hoisted: Vec<Op>,
    /// Position of the anchor.
    at: usize,
    open: bool,
    /// Has a map with combinators inside.
    nested: bool,
    /// The depths of its members, as bits, where all are nests of maps and reductions of scalars, and such nests stay apart.
    depths: Option<u64>,
    /// Bytes of what is combined.
    state: u64,
    /// Where among effects it must stay; `None`: anywhere.
    epoch: Option<usize>,
    /// Arrays it reads and does not make.
    inputs: FxHashSet<Value>,
    /// How often what it makes is used, other than as inputs of members; results not used so are absent.
    outputs: FxHashMap<Value, usize>,
}

/// The plan for a block's combinators: clusters in order, those of one member included. With `apart`, two nests of maps and
/// reductions of scalars do not come together where they have one depth.
pub(crate) fn plan(ir: &Ir, block: Block, direction: Direction, apart: bool) -> Vec<Cluster> {
    let mut planner = Planner::new(ir, block, direction, apart);
    for (position, op) in ir.ops(block).enumerate() {
        planner.visit(position, op);
    }
    let mut clusters: Vec<Cluster> = planner.clusters.into_iter().flatten().collect();
    for cluster in &mut clusters {
        cluster
            .members
            .sort_by_key(|member| planner.position[&member.op]);
    }
    clusters
}

struct Planner<'a> {
    ir: &'a Ir,
    block: Block,
    direction: Direction,
    /// Whether nests of scalars stay apart.
    apart: bool,
    /// `None`: merged into another.
    clusters: Vec<Option<Cluster>>,
    /// Which cluster a combinator is in.
    cluster_of: FxHashMap<Op, usize>,
    /// Where a merged cluster went.
    merged: FxHashMap<usize, usize>,
    /// Places of ops in the block, as it is.
    position: FxHashMap<Op, usize>,
    by_extent: FxHashMap<Size, Vec<usize>>,
    by_input: FxHashMap<Value, Vec<usize>>,
    /// Number of effects so far.
    epoch: usize,
}

/// The values an op uses of its own block.
struct Needs {
    /// Ops, each once.
    ops: Vec<Op>,
    /// Values used otherwise than as input arrays of the op itself.
    inner: FxHashSet<Value>,
}

impl<'a> Planner<'a> {
    fn new(ir: &'a Ir, block: Block, direction: Direction, apart: bool) -> Planner<'a> {
        Planner {
            ir,
            block,
            direction,
            apart,
            clusters: Vec::new(),
            cluster_of: FxHashMap::default(),
            merged: FxHashMap::default(),
            position: FxHashMap::default(),
            by_extent: FxHashMap::default(),
            by_input: FxHashMap::default(),
            epoch: 0,
        }
    }

    fn visit(&mut self, position: usize, op: Op) {
        self.position.insert(op, position);
        let soac = fusible(self.ir, op).filter(|soac| types_agree(self.ir, soac));
        let behaviour = soac.as_ref().map(|soac| behaviour(self.ir, soac));
        let needs = self.needs(op, soac.as_ref());
        let home = match (soac, behaviour) {
            (Some(soac), Some(behaviour)) if behaviour != Behaviour::Effects => {
                Some(self.place(soac, behaviour, position, &needs))
            }
            _ => {
                self.epoch += usize::from(has_effects(self.ir, op));
                None
            }
        };
        // An op that others use by now stays where it is.
        for &needed in &needs.ops {
            if let Some(cluster) = self.find(needed)
                && Some(cluster) != home
                && let Some(cluster) = &mut self.clusters[cluster]
            {
                cluster.open = false;
            }
        }
    }

    fn needs(&self, op: Op, soac: Option<&Soac>) -> Needs {
        let (mut ops, mut inner) = (Vec::new(), FxHashSet::default());
        let mut seen = FxHashSet::default();
        let mut add = |value: Value, inner: Option<&mut FxHashSet<Value>>| {
            let ValueDef::Result { op: def, .. } = self.ir.value_def(value) else {
                return;
            };
            if self.ir.block_of(def) != Some(self.block) {
                return;
            }
            if let Some(inner) = inner {
                inner.insert(value);
            }
            if seen.insert(def) {
                ops.push(def);
            }
        };
        let arrays = soac.map_or(0, |soac| soac.arrays.len());
        for (index, value) in self.ir.operands(op).enumerate() {
            add(value, (index >= arrays).then_some(&mut inner));
        }
        if !self.ir.regions(op).is_empty() {
            self.ir.walk_with(op, &mut |user| {
                if user != op {
                    self.ir
                        .operands(user)
                        .for_each(|value| add(value, Some(&mut inner)));
                }
            });
        }
        Needs { ops, inner }
    }

    /// The cluster a combinator is in now.
    fn find(&self, op: Op) -> Option<usize> {
        let mut at = *self.cluster_of.get(&op)?;
        while let Some(&next) = self.merged.get(&at) {
            at = next;
        }
        Some(at)
    }

    /// Puts a combinator into a cluster of others, or one of its own.
    fn place(&mut self, soac: Soac, behaviour: Behaviour, position: usize, needs: &Needs) -> usize {
        let (op, arrays, extent) = (soac.op, soac.arrays.clone(), soac.extent(self.ir));
        let single = self.single(soac, behaviour, position);
        let producers = self.producers(&single.members[0], needs);
        let candidates = match self.direction {
            Direction::Vertical => producers.clone(),
            Direction::Horizontal => self.neighbours(&single),
        };
        let found = candidates
            .into_iter()
            .find_map(|candidate| Some((candidate, self.joins(candidate, &single, needs)?)));
        let home = match found {
            Some((home, movement)) => {
                self.absorb(home, single, movement, needs);
                home
            }
            None => {
                self.clusters.push(Some(single));
                self.clusters.len() - 1
            }
        };
        self.cluster_of.insert(op, home);
        match self.direction {
            Direction::Vertical => {
                for other in producers {
                    if other != home && self.merges(other, home, op, &arrays, needs) {
                        self.merge(other, home, &arrays);
                    }
                }
            }
            Direction::Horizontal => {
                if extent != Size::Unknown {
                    remember(self.by_extent.entry(extent).or_default(), home);
                }
                for array in arrays {
                    remember(self.by_input.entry(array).or_default(), home);
                }
            }
        }
        home
    }

    fn single(&self, soac: Soac, behaviour: Behaviour, position: usize) -> Cluster {
        let used =
            |value: Value| Some((value, self.ir.uses(value).count())).filter(|row| row.1 > 0);
        Cluster {
            flavour: soac.flavour,
            anchor: soac.op,
            hoisted: Vec::new(),
            at: position,
            open: true,
            nested: has_parallelism(self.ir, &soac),
            depths: depth(self.ir, soac.op)
                .filter(|_| self.apart)
                .map(|depth| 1 << depth.min(63)),
            state: soac
                .start
                .iter()
                .map(|&value| bytes(self.ir, self.ir.value_type(value)))
                .sum(),
            epoch: (behaviour == Behaviour::MayStop).then_some(self.epoch),
            inputs: soac.arrays.iter().copied().collect(),
            outputs: soac.stored(self.ir).filter_map(used).collect(),
            members: vec![soac],
        }
    }

    /// Which cluster makes an array.
    fn producer(&self, array: Value) -> Option<usize> {
        self.ir.defining_op(array).and_then(|def| self.find(def))
    }

    /// Clusters that make an input of the combinator element by element, and nothing else of what it uses.
    fn producers(&self, soac: &Soac, needs: &Needs) -> Vec<usize> {
        let mut found = Vec::new();
        for &array in &soac.arrays {
            let Some(cluster) = self.producer(array) else {
                continue;
            };
            if !found.contains(&cluster)
                && found.len() < Target::CUDA.most_arrays
                && self.only_elements(cluster, soac, needs)
            {
                found.push(cluster);
            }
        }
        found
    }

    /// Whether all that a combinator uses of a cluster are stored results, as inputs.
    fn only_elements(&self, cluster: usize, soac: &Soac, needs: &Needs) -> bool {
        let of_cluster = |value: Value| self.producer(value) == Some(cluster);
        let combined = |value: Value| {
            let ValueDef::Result { op, index } = self.ir.value_def(value) else {
                return false;
            };
            fusible(self.ir, op).is_some_and(|soac| (index as usize) < soac.combined())
        };
        !needs.inner.iter().any(|&value| of_cluster(value))
            && !soac
                .arrays
                .iter()
                .any(|&array| of_cluster(array) && combined(array))
    }

    /// Clusters of the same extent, those with a common input first.
    fn neighbours(&self, single: &Cluster) -> Vec<usize> {
        let soac = &single.members[0];
        let mut found: Vec<usize> = Vec::new();
        let by_input = soac
            .arrays
            .iter()
            .filter_map(|array| self.by_input.get(array))
            .flatten();
        for &cluster in by_input.take(2 * MOST_CANDIDATES) {
            if !found.contains(&cluster) {
                found.push(cluster);
            }
        }
        // Maps with parallelism inside meet only where they read the same.
        if !single.nested {
            for &cluster in self
                .by_extent
                .get(&soac.extent(self.ir))
                .into_iter()
                .flatten()
            {
                let nested = self.clusters[cluster]
                    .as_ref()
                    .is_none_or(|cluster| cluster.nested);
                if !nested && !found.contains(&cluster) {
                    found.push(cluster);
                }
            }
        }
        found
    }

    /// How a combinator goes into a cluster; `None`: it may not, or should not.
    fn joins(&self, candidate: usize, single: &Cluster, needs: &Needs) -> Option<Movement> {
        let cluster = self.clusters[candidate].as_ref()?;
        let soac = &single.members[0];
        // Scattered values are not available to others; but two scatters may be one.
        let meets = match cluster.flavour.stores() {
            true => single.flavour.stores() || self.direction == Direction::Vertical,
            false => {
                self.direction == Direction::Horizontal
                    && cluster
                        .members
                        .iter()
                        .all(|member| same_places(self.ir, member, soac))
            }
        };
        if !meets
            || !self.compatible(candidate, cluster, single)
            || !self.only_elements(candidate, soac, needs)
            || !self.all_read(cluster, candidate, single.flavour, &soac.arrays)
        {
            return None;
        }
        if cluster.open && (cluster.epoch.is_none() || cluster.epoch == Some(self.epoch)) {
            return Some(Movement::Down);
        }
        let stays_put = single.epoch.is_none() || single.epoch == cluster.epoch;
        let there = |&op: &Op| {
            self.is_there(op, candidate, cluster.at) || self.floats(op, candidate, cluster.at)
        };
        (stays_put && needs.ops.iter().all(there)).then_some(Movement::Up)
    }

    /// Whether nothing but a combinator over `arrays` uses what a cluster makes, if that is of a flavour that cannot
    /// return it beside.
    fn all_read(&self, cluster: &Cluster, id: usize, flavour: Flavour, arrays: &[Value]) -> bool {
        let reads = arrays
            .iter()
            .filter(|&&array| self.producer(array) == Some(id))
            .count();
        flavour.stores()
            || !cluster.flavour.stores()
            || reads == cluster.outputs.values().sum::<usize>()
    }

    /// Whether what `op` makes is there at position `at`, the place of a cluster.
    fn is_there(&self, op: Op, cluster: usize, at: usize) -> bool {
        match self.find(op) {
            Some(own) if own == cluster => true,
            Some(other) => self.clusters[other]
                .as_ref()
                .is_some_and(|other| other.at < at),
            None => self
                .position
                .get(&op)
                .is_some_and(|&position| position < at),
        }
    }

    /// Whether an op that comes later can be moved to `at`: a constant, or an extent.
    fn floats(&self, op: Op, cluster: usize, at: usize) -> bool {
        let there = |value: Value| match self.ir.defining_op(value) {
            Some(def) if self.ir.block_of(def) == Some(self.block) => {
                self.find(def) != Some(cluster) && self.is_there(def, cluster, at)
            }
            _ => true,
        };
        self.ir.regions(op).is_empty()
            && self.find(op).is_none()
            && is_pure(self.ir, op)
            && is_speculatable(self.ir, op)
            && self.ir.operands(op).all(there)
    }

    fn absorb(&mut self, home: usize, single: Cluster, movement: Movement, needs: &Needs) {
        let own: Vec<Value> = self.made_by(home, &single.members[0].arrays);
        let Some(cluster) = &mut self.clusters[home] else {
            return;
        };
        match movement {
            Movement::Down => (cluster.anchor, cluster.at) = (single.anchor, single.at),
            Movement::Up => {
                let later = |op: &Op| {
                    !self.cluster_of.contains_key(op)
                        && self
                            .position
                            .get(op)
                            .is_some_and(|&position| position > cluster.at)
                };
                cluster
                    .hoisted
                    .extend(needs.ops.iter().copied().filter(later));
            }
        }
        take_in(cluster, single, &own);
    }

    /// Those of `arrays` that a cluster makes.
    fn made_by(&self, cluster: usize, arrays: &[Value]) -> Vec<Value> {
        arrays
            .iter()
            .copied()
            .filter(|&array| self.producer(array) == Some(cluster))
            .collect()
    }

    /// Whether an open cluster that makes inputs of `op`, which is in `home`, may become part of that.
    fn merges(&self, other: usize, home: usize, op: Op, arrays: &[Value], needs: &Needs) -> bool {
        let (Some(from), Some(to)) = (&self.clusters[other], &self.clusters[home]) else {
            return false;
        };
        let Some(reader) = to.members.iter().find(|member| member.op == op) else {
            return false;
        };
        let effects_fit = from.epoch.is_none() || from.epoch == Some(self.epoch) && to.anchor == op;
        from.open
            && from.at <= to.at
            && effects_fit
            && self.compatible(home, to, from)
            && self.only_elements(other, reader, needs)
            && self.all_read(from, other, to.flavour, arrays)
    }

    fn merge(&mut self, other: usize, home: usize, arrays: &[Value]) {
        let own = self.made_by(other, arrays);
        let Some(from) = self.clusters[other].take() else {
            return;
        };
        self.merged.insert(other, home);
        if let Some(to) = &mut self.clusters[home] {
            take_in(to, from, &own);
        }
    }

    /// Whether two clusters may be one op as far as what they do goes.
    fn compatible(&self, id: usize, a: &Cluster, b: &Cluster) -> bool {
        let Some(flavour) = a.flavour.join(b.flavour) else {
            return false;
        };
        if a.depths.zip(b.depths).is_some_and(|(a, b)| a & b != 0) {
            return false;
        }
        // Parallel ops inside a map would be sequential in the body of anything else.
        let keeps_parallelism = flavour == Flavour::Map || !(a.nested || b.nested);
        let most = match flavour {
            Flavour::Scan { .. } => Target::CUDA.most_scanned_bytes,
            _ => Target::CUDA.most_reduced_bytes,
        };
        if a.state > 0 && b.state > 0 && a.state + b.state > most.unsigned_abs() {
            return false;
        }
        let added = b
            .inputs
            .iter()
            .filter(|&array| !a.inputs.contains(array) && self.producer(*array) != Some(id));
        keeps_parallelism
            && a.inputs.len() + added.count() + a.outputs.len() + b.outputs.len()
                <= Target::CUDA.most_arrays
    }
}

/// How a combinator and a cluster come together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Movement {
    /// The cluster moves to the combinator.
    Down,
    /// The combinator moves to the cluster.
    Up,
}

/// Joins clusters; `own` are the inputs that one makes for the other.
fn take_in(to: &mut Cluster, mut from: Cluster, own: &[Value]) {
    if to.members.len() + to.outputs.len() < from.members.len() + from.outputs.len() {
        // The smaller is moved, so that many merges are not more than linear.
        std::mem::swap(&mut to.members, &mut from.members);
        std::mem::swap(&mut to.outputs, &mut from.outputs);
    }
    to.flavour = to.flavour.join(from.flavour).unwrap_or(to.flavour);
    to.nested |= from.nested;
    to.depths = to.depths.zip(from.depths).map(|(to, from)| to | from);
    to.state += from.state;
    to.epoch = to.epoch.or(from.epoch);
    to.members.append(&mut from.members);
    to.hoisted.append(&mut from.hoisted);
    to.inputs.extend(from.inputs);
    to.outputs.extend(from.outputs);
    for array in own {
        to.inputs.remove(array);
        if let Some(uses) = to.outputs.get_mut(array) {
            *uses -= 1;
            if *uses == 0 {
                to.outputs.remove(array);
            }
        }
    }
}

/// The latest few.
fn remember(list: &mut Vec<usize>, cluster: usize) {
    if !list.contains(&cluster) {
        if list.len() == MOST_CANDIDATES {
            list.remove(0);
        }
        list.push(cluster);
    }
}

/// Whether a combinator that may stop the program must not move past `op`.
fn has_effects(ir: &Ir, op: Op) -> bool {
    let harmless = visit_effects(ir, op, &mut |(_, effect)| {
        matches!(effect.kind, EffectKind::Read | EffectKind::Stop)
    });
    !harmless
}
