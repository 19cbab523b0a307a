//! The search space of fusions: which nests may be one kernel, and how each such kernel may be made.
//!
//! Filipovič et al., 4.2: fusions are the fusible subgraphs of the graph of dependences; each has implementations, of which
//! those are left out that save no transfer, or that need more shared memory than another one for no fewer bytes and no
//! less time. [`super::combine`] covers the program with them. The subgraphs of a block are found once, and priced
//! ([`super::cost`]) for as many sizes as are asked for.
//!
//! A fusion that combines columns is implemented in tiles of several shapes ([`super::tile`]), another one as one nest
//! ([`super::merge`]); those are fusions of arrays where these were left apart, as [`Scope::All`] asks. With [`Scope::Blocks`] maps are
//! implemented in thread blocks of several sizes, whose threads take one point or several.
//!
//! Alternatives of a library's function, other orders of the same sums, are no implementations of their own. Those that traverse a
//! matrix in the other order are the same nests, as the fusion of arrays turns reductions of rows and arrays that are made turned. One
//! that reads its input once more (a norm in two passes) is left out by the rule above: no fewer bytes and no less time, whatever
//! kernels are around it. The tests take each call of the example scripts in each of its forms.
//!
//! Budget: [`MOST_NESTS`] nests of a block are looked at, those that iterate over matrices and those that do not; of
//! subgraphs [`MOST_FUSIONS`], found from small to large, and beside them what is had by joining nests one after another to the
//! first subgraph that they fit, so that large ones are not missed. Implementations are those of [`shapes`], 16 for each.

use crate::equal::Equal;
use crate::traverse::cost::{Elements, Sizes, Tiled, Time, Work};
use crate::traverse::figures::{Alone, Figures};
use crate::traverse::group::Group;
use crate::traverse::host_blocks;
use crate::traverse::join::Joins;
use crate::traverse::member::{Kind, Member};
use crate::traverse::merge;
use crate::traverse::plan::in_nests;
use crate::traverse::sequence::{Item, Sequence, take_apart};
use crate::traverse::tile::Shape;
use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::{Block, Ir, Loc, Op, Value};
use segra_kernel::segop::SegmentedOp;
use segra_space::Target;

/// Most nests of a block that are looked at: kernels are sets of them, as bits.
pub(super) const MOST_NESTS: usize = 64;
/// Most nests over matrices: each is compared with all others.
pub(super) const MOST_MEMBERS: usize = 40;
/// Most bytes of shared memory of a tile.
const MOST_SHARED: i64 = Target::CUDA.portable_shared_bytes;
/// Most subgraphs that are looked at.
pub(super) const MOST_FUSIONS: usize = 512;

/// The nests whose fusions are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those over matrices that combine columns somewhere: the fusion of arrays has brought together all others that it could.
    Tiles,
    /// All over matrices or vectors.
    All,
    /// The same, and thread blocks of maps in several sizes.
    Blocks,
}

/// The thread blocks of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapBlock {
    /// Threads.
    pub threads: i64,
    /// Whether a thread takes one point, not as many neighbours as one access holds.
    pub single: bool,
}

impl MapBlock {
    /// Those that are looked at, beside what later passes choose: 256 threads that take several points.
    pub(super) fn all() -> impl Iterator<Item = MapBlock> {
        let threads = [128, 256, 512, 1024].into_iter();
        let all =
            threads.flat_map(|threads| [false, true].map(|single| MapBlock { threads, single }));
        all.filter(|block| block.single || block.threads != 256)
    }
}

/// A nest of the program.
#[derive(Clone, Debug)]
pub struct Nest {
    /// The op and its extents.
    pub what: String,
    /// Where it comes from.
    pub loc: Loc,
    /// The nests whose results it needs, by number.
    pub needs: Vec<usize>,
}

/// A way to run some nests as one kernel, and those that combine its parts.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The nests, by number, as bits.
    nests: u64,
    /// Tiles: warps, rows and columns at once of a thread, steps; none: the nest as it is, or several as one.
    pub tile: Option<[i64; 4]>,
    /// The thread blocks of a map; none: those that later passes choose.
    pub block: Option<MapBlock>,
    /// Launches.
    pub launches: f64,
    /// Bytes that it moves, and the least that these nests can.
    pub bytes: f64,
    /// The least that any kernel of these nests moves.
    pub least: f64,
    /// Transfers and computation.
    pub parts: Time,
    /// Predicted microseconds.
    pub time: f64,
    /// The kernels that it becomes part of, as a map of what they make.
    pub(super) joins: Joins,
    /// Of tiles: the kinds of results whose parts a thread block each combines.
    pub(super) in_blocks: Vec<Kind>,
}

impl Kernel {
    /// The nests, by number.
    pub fn nests(&self) -> Vec<usize> {
        of_bits(self.nests).collect()
    }

    /// The same as bits.
    pub(super) fn mask(&self) -> u64 {
        self.nests
    }

    pub(super) fn shape(&self) -> Option<Shape> {
        let [warps, at_once, per_thread, steps] = self.tile?;
        Some(Shape {
            warps,
            per_thread,
            at_once,
            steps,
        })
    }
}

/// Kernels that cover the program.
#[derive(Clone, Debug)]
pub struct Combination {
    /// Which, by number.
    pub kernels: Vec<usize>,
    /// Pairs of them that are one kernel in the end: reductions of rows, and what maps their results.
    pub joined: Vec<(usize, usize)>,
    /// Predicted microseconds.
    pub time: f64,
    /// Bytes.
    pub bytes: f64,
}

/// The search space of a block.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// Its nests, in order.
    pub nests: Vec<Nest>,
    /// The implementations of all fusions.
    pub kernels: Vec<Kernel>,
    /// Fusible subgraphs of more than one nest.
    pub fusions: usize,
    /// Implementations that were left out.
    pub pruned: usize,
    /// Sets of several nests, as bits, that share a choice of versions: they run one right after another.
    pub(super) shared: Vec<u64>,
}

/// The search spaces of a function's blocks, with extents and a device that times are predicted for.
pub fn explore(
    ir: &mut Ir,
    function: Op,
    scope: Scope,
    (sizes, figures): (&Sizes, &Figures),
) -> Vec<Exploration> {
    let equal = Equal::of(ir, function);
    host_blocks(ir, function)
        .into_iter()
        .map(|block| {
            let search = Search::of(ir, block, &equal, scope);
            search.priced(ir, sizes).explore(figures)
        })
        .collect()
}

/// Nests as bits.
pub(super) fn bits(nests: &[usize]) -> u64 {
    nests.iter().fold(0, |all, nest| all | 1 << nest)
}

/// The nests of bits, by number.
pub(super) fn of_bits(bits: u64) -> impl Iterator<Item = usize> {
    (0..MOST_NESTS).filter(move |nest| bits >> nest & 1 == 1)
}

/// The shapes of tiles that are looked at.
fn shapes() -> impl Iterator<Item = Shape> {
    let warps = [8, 16].into_iter();
    warps.flat_map(|warps| {
        [4, 8].into_iter().flat_map(move |per_thread| {
            [(2, 2), (2, 4), (4, 4), (4, 8)].map(|(at_once, steps)| Shape {
                warps,
                per_thread,
                at_once,
                steps,
            })
        })
    })
}

/// Whether tiles of any shape have memory for what a group combines of columns.
fn has_tiles(ir: &Ir, group: &Group) -> bool {
    let widest = group.widest(ir);
    let of_column = group.combined(Kind::Columns) as i64 * widest;
    shapes().any(|shape| shape.for_elements(widest).shared_bytes(of_column) <= MOST_SHARED)
}

/// A fusible subgraph, or a nest that may have tiles of its own.
pub(super) struct Fusion {
    /// By number, in order.
    pub(super) nests: Vec<usize>,
    pub(super) group: Group,
}

/// A block whose space is searched.
pub(super) struct Search {
    scope: Scope,
    /// Whether the search changed the block.
    pub(super) changed: bool,
    pub(super) sequence: Sequence,
    /// Numbers of the items that are nests.
    pub(super) items: Vec<usize>,
    members: Vec<Option<Member>>,
    /// The items that use a value.
    users: FxHashMap<Value, Vec<usize>>,
    pub(super) fusions: Vec<Fusion>,
}

impl Search {
    /// With another scope than [`Scope::Tiles`] nests no longer share a choice of versions: see [`take_apart`].
    pub(super) fn of(ir: &mut Ir, block: Block, equal: &Equal, scope: Scope) -> Search {
        let changed = scope != Scope::Tiles && take_apart(ir, block);
        let ir = &*ir;
        let sequence = Sequence::of(ir, block, equal);
        let mut users: FxHashMap<Value, Vec<usize>> = FxHashMap::default();
        let (mut items, mut members) = (Vec::new(), Vec::new());
        let items_with_work = sequence.items.iter().enumerate();
        for (number, item) in items_with_work.filter(|row| !row.1.is_alias) {
            for value in sequence.uses(ir, item.op) {
                users.entry(value).or_default().push(number);
            }
            if Work::is_of(ir, item.op) && items.len() < MOST_NESTS {
                items.push(number);
                let in_scope = |member: &Member| scope != Scope::Tiles || !member.is_of_vector();
                members.push(Member::of(ir, item.op).filter(in_scope));
            }
        }
        let mut search = Search {
            scope,
            changed,
            sequence,
            items,
            members,
            users,
            fusions: Vec::new(),
        };
        if search.members.iter().flatten().count() <= MOST_MEMBERS {
            search.fusions = search.subgraphs(ir, equal);
        }
        search
    }

    /// Whether nests may be one kernel, in tiles or, where none combines columns, as one nest; the group that they are then.
    fn group(&self, ir: &Ir, nests: &[usize]) -> Option<Group> {
        let members = nests.iter().map(|&nest| self.members[nest].clone());
        let group = Group {
            members: members.collect::<Option<_>>()?,
            followers: Vec::new(),
        };
        group.place(ir, &self.sequence)?;
        let is_possible = match group.has(Kind::Columns) {
            true => has_tiles(ir, &group),
            false => nests.len() == 1 || merge::is_possible(ir, &group, &self.sequence),
        };
        is_possible.then_some(group)
    }

    /// Whether a nest has the space of a group and shares a matrix with it.
    fn fits(&self, ir: &Ir, equal: &Equal, group: &Group, member: &Member) -> bool {
        let first = &group.members[0];
        let shares = group.shares(ir, &self.sequence, member)
            || self.scope != Scope::Tiles && group.spares(ir, &self.sequence, member);
        shares && first.space.is_like(ir, &member.space, equal)
    }

    /// The fusible subgraphs, and each nest over matrices.
    fn subgraphs(&self, ir: &Ir, equal: &Equal) -> Vec<Fusion> {
        let mut seen: FxHashSet<u64> = FxHashSet::default();
        let mut found: Vec<Fusion> = Vec::new();
        let mut add = |found: &mut Vec<Fusion>, nests: Vec<usize>| {
            if seen.insert(bits(&nests))
                && let Some(group) = self.group(ir, &nests)
            {
                found.push(Fusion { nests, group });
            }
        };
        let members = || self.members.iter().enumerate();
        for (nest, _) in members().filter(|row| row.1.is_some()) {
            add(&mut found, vec![nest]);
        }
        for (nests, _) in self.joined(ir, equal) {
            add(&mut found, nests);
        }
        let mut at = 0;
        while at < found.len() && found.len() < MOST_FUSIONS {
            for (nest, member) in members() {
                let Fusion { nests, group } = &found[at];
                let Some(member) = member.as_ref().filter(|_| !nests.contains(&nest)) else {
                    continue;
                };
                if self.fits(ir, equal, group, member) {
                    let mut larger: Vec<usize> = nests.iter().copied().chain([nest]).collect();
                    larger.sort_unstable();
                    add(&mut found, larger);
                }
            }
            at += 1;
        }
        found
    }

    /// A fusion's group, followed by maps of its results: where no nest outside of the group is in the same op of the block.
    pub(super) fn followed(&self, fusion: usize, maps: &[usize]) -> Group {
        let mut group = self.fusions[fusion].group.clone();
        let item = |nest: usize| self.sequence.items[self.items[nest]];
        let is_of_group = |op: Op| group.members.iter().any(|member| member.op == op);
        let is_free = |map: &Item| {
            let mut others = self.items.iter().map(|&item| self.sequence.items[item]);
            others.all(|other| other.top != map.top || other.op == map.op || is_of_group(other.op))
        };
        let maps = maps.iter().map(|&nest| item(nest)).filter(is_free);
        group.followers = maps.map(|item| item.op).collect();
        group
    }

    /// Groups that each nest joins in turn: the first one that it fits.
    pub(super) fn joined(&self, ir: &Ir, equal: &Equal) -> Vec<(Vec<usize>, Group)> {
        let mut groups: Vec<(Vec<usize>, Group)> = Vec::new();
        for (nest, member) in self.members.iter().enumerate() {
            let Some(member) = member else { continue };
            let joined = groups.iter_mut().find_map(|row| {
                if !self.fits(ir, equal, &row.1, member) {
                    return None;
                }
                let nests = [&row.0[..], &[nest]].concat();
                let group = self.group(ir, &nests)?;
                Some((row, (nests, group)))
            });
            if let Some((row, larger)) = joined {
                *row = larger;
            } else if let Some(group) = self.group(ir, &[nest]) {
                groups.push((vec![nest], group));
            }
        }
        groups
    }

    /// The space, for sizes that symbolic extents have.
    pub(super) fn priced<'a>(&'a self, ir: &'a Ir, sizes: &'a Sizes) -> Priced<'a> {
        let resolve = |value: Value| self.sequence.resolve(value);
        let work = |(&item, member): (&usize, &Option<Member>)| {
            let op = self.sequence.items[item].op;
            Work::of(ir, op, member.as_ref(), &resolve, sizes)
        };
        Priced {
            ir,
            search: self,
            sizes,
            works: self
                .items
                .iter()
                .zip(&self.members)
                .filter_map(work)
                .collect(),
        }
    }
}

/// A block's search space at certain sizes.
pub(super) struct Priced<'a> {
    pub(super) ir: &'a Ir,
    pub(super) search: &'a Search,
    pub(super) sizes: &'a Sizes,
    pub(super) works: Vec<Work>,
}

impl Priced<'_> {
    pub(super) fn explore(&self, figures: &Figures) -> Exploration {
        let mut found = Exploration {
            nests: self.nests(),
            kernels: Vec::new(),
            fusions: 0,
            pruned: 0,
            shared: self.shared(),
        };
        for nest in 0..self.works.len() {
            found.kernels.push(self.alone(nest, figures));
        }
        for fusion in &self.search.fusions {
            let nests = &fusion.nests;
            found.fusions += usize::from(nests.len() > 1);
            let of_columns = fusion.group.has(Kind::Columns);
            if !self.pays(fusion) {
                // A nest of its own is there as it is.
                found.pruned += if of_columns {
                    shapes().count()
                } else {
                    usize::from(nests.len() > 1)
                };
                continue;
            }
            if !of_columns {
                found.kernels.extend(self.together(fusion, figures));
                continue;
            }
            let made = self.implementations(fusion, figures);
            let kept = undominated(&made);
            found.pruned += made.len() - kept.len();
            found.kernels.extend(kept);
        }
        self.find_joins(&mut found, figures);
        if self.search.scope == Scope::Blocks {
            let maps = found
                .kernels
                .iter()
                .filter(|kernel| self.has_blocks(kernel));
            let sized =
                maps.flat_map(|map| MapBlock::all().map(|block| self.sized(map, block, figures)));
            let sized: Vec<Kernel> = sized.collect();
            found.kernels.extend(sized);
        }
        found
    }

    /// Whether thread blocks of a kernel may have several sizes: it is a map, and remains one.
    fn has_blocks(&self, kernel: &Kernel) -> bool {
        let nests = kernel.nests();
        let mut fusions = self.search.fusions.iter();
        self.is_of_kind(kernel, Alone::Map)
            && kernel.joins.keys().all(|rows| rows.of_tiles.is_some())
            && fusions.any(|fusion| fusion.nests == nests)
    }

    /// A map with thread blocks of this size.
    fn sized(&self, map: &Kernel, block: MapBlock, figures: &Figures) -> Kernel {
        let works = map.nests().into_iter().map(|nest| &self.works[nest]);
        let work = Work::together(&works.collect::<Vec<_>>());
        let parts = work.map_or(map.parts, |work| work.in_blocks(figures, map.parts, block));
        Kernel {
            block: Some(block),
            parts,
            time: parts.with(map.launches, figures),
            joins: Joins::default(),
            ..map.clone()
        }
    }

    /// Whether a kernel is nests of this kind without tiles.
    pub(super) fn is_of_kind(&self, kernel: &Kernel, kind: Alone) -> bool {
        let works = kernel.nests().into_iter().map(|nest| &self.works[nest]);
        let together = Work::together(&works.collect::<Vec<_>>());
        kernel.tile.is_none() && together.is_some_and(|work| work.is(kind))
    }

    /// Whether a fusion may spare something: nests together move less than apart, or one combines columns in tiles.
    fn pays(&self, Fusion { nests, group }: &Fusion) -> bool {
        let apart: f64 = nests.iter().map(|&nest| self.bytes(&[nest])).sum();
        let less = self.bytes(nests) < apart;
        match group.has(Kind::Columns) {
            true => nests.len() == 1 || less,
            false => less && nests.len() > 1 && self.search.scope != Scope::Tiles,
        }
    }

    fn nests(&self) -> Vec<Nest> {
        let place = |number: usize| self.search.items.iter().position(|&item| item == number);
        let top = |item: usize| self.search.sequence.items[item].top;
        let mut reached: Vec<Vec<usize>> = Vec::new();
        for number in 0..self.search.sequence.items.len() {
            let mut needs: Vec<usize> = Vec::new();
            for &needed in self.search.sequence.needs(number) {
                match place(needed) {
                    Some(nest) => needs.push(nest),
                    None => needs.extend(&reached[needed]),
                }
            }
            needs.sort_unstable();
            needs.dedup();
            reached.push(needs);
        }
        // A choice of versions runs when all that its versions need is there.
        let with_its_choice = |number: usize| {
            let beside = (0..reached.len()).filter(|&item| top(item) == top(number));
            let outside = |needed: &usize| top(self.search.items[*needed]) != top(number);
            let of_choice = beside.flat_map(|item| reached[item].iter().copied().filter(outside));
            let mut needs: Vec<usize> = of_choice.chain(reached[number].iter().copied()).collect();
            needs.sort_unstable();
            needs.dedup();
            needs
        };
        let nest = |&number: &usize| {
            let op = self.search.sequence.items[number].op;
            let model = self.ir.interface::<dyn SegmentedOp>(op);
            let sizes = model
                .map(|model| model.sizes(self.ir, op))
                .unwrap_or_default();
            let extents: Vec<String> = sizes
                .into_iter()
                .map(|size| self.sizes.value(self.ir, size).to_string())
                .collect();
            let sizes_of = extents.len();
            let name = self
                .ir
                .op_name_str(op)
                .trim_start_matches("kernel.")
                .to_owned();
            let kind = match Member::of(self.ir, op).map(|member| member.kind) {
                Some(Kind::Columns) => " of columns",
                Some(Kind::Rows) if sizes_of > 1 => " of rows",
                _ => "",
            };
            Nest {
                what: format!("{name}{kind} {}", extents.join("x")),
                loc: self.ir.loc(op),
                needs: with_its_choice(number),
            }
        };
        self.search.items.iter().map(nest).collect()
    }

    /// The nests of each choice of versions that has several.
    fn shared(&self) -> Vec<u64> {
        let mut of: FxHashMap<Op, u64> = FxHashMap::default();
        for (nest, &item) in self.search.items.iter().enumerate() {
            *of.entry(self.search.sequence.items[item].top).or_default() |= 1 << nest;
        }
        of.into_values()
            .filter(|nests| nests.count_ones() > 1)
            .collect()
    }

    /// Bytes that nests move at least as one kernel: what they read of others, each element once, and what others need.
    pub(super) fn bytes(&self, nests: &[usize]) -> f64 {
        let mut read: Vec<&Elements> = Vec::new();
        let mut bytes = 0.0;
        let made: Vec<Value> = nests
            .iter()
            .flat_map(|&nest| self.works[nest].writes.iter().map(|row| row.0))
            .collect();
        for &nest in nests {
            for (elements, count) in &self.works[nest].reads {
                if !made.contains(&elements.0) && !read.contains(&elements) {
                    read.push(elements);
                    bytes += count;
                }
            }
            let needed = self.works[nest]
                .writes
                .iter()
                .filter(|row| self.is_needed(nests, row.0));
            bytes += needed.map(|row| row.1).sum::<f64>();
        }
        bytes
    }

    /// Whether something beside these nests needs a value that one of them makes.
    fn is_needed(&self, nests: &[usize], value: Value) -> bool {
        let users = self.search.users.get(&value).map_or(&[][..], Vec::as_slice);
        let inside = |user: &usize| nests.iter().any(|&nest| self.search.items[nest] == *user);
        users.is_empty() || !users.iter().all(inside)
    }

    /// A nest as a kernel of its own.
    pub(super) fn alone(&self, nest: usize, figures: &Figures) -> Kernel {
        self.untiled(&[nest], &self.works[nest], figures)
    }

    /// The nests of a fusion as one nest.
    fn together(&self, Fusion { nests, .. }: &Fusion, figures: &Figures) -> Option<Kernel> {
        let works: Vec<&Work> = nests.iter().map(|&nest| &self.works[nest]).collect();
        Some(self.untiled(nests, &Work::together(&works)?, figures))
    }

    /// The kernel of nests that have this work as one.
    pub(super) fn untiled(&self, nests: &[usize], work: &Work, figures: &Figures) -> Kernel {
        let bytes = self.bytes(nests);
        let (parts, launches) = work.alone(figures, bytes);
        Kernel {
            nests: bits(nests),
            tile: None,
            block: None,
            launches,
            bytes,
            least: bytes,
            parts,
            time: parts.with(launches, figures),
            joins: Joins::default(),
            in_blocks: Vec::new(),
        }
    }

    /// Extents of a fusion's matrices: rows, columns, and how many there are.
    pub(super) fn extents(&self, group: &Group) -> [f64; 3] {
        let space = &group.members[0].space;
        let value = |size: &Value| self.sizes.value(self.ir, *size);
        [
            space.rows.as_ref().map_or(1.0, value),
            value(&space.columns),
            space.outer.iter().map(value).product(),
        ]
    }

    /// The implementations of a fusion, with the shared memory they need.
    pub(super) fn implementations(
        &self,
        Fusion { nests, group }: &Fusion,
        figures: &Figures,
    ) -> Vec<(f64, Kernel)> {
        let extents = self.extents(group);
        let nests_of = |kind: Kind| {
            let states = group.of_kind(kind).map(|member| member.state(self.ir));
            in_nests(&states.collect::<Vec<i64>>())
        };
        let [columns, rows] = [Kind::Columns, Kind::Rows].map(nests_of);
        let [of_column, of_row] = [Kind::Columns, Kind::Rows].map(|kind| group.combined(kind));
        let widest = group.widest(self.ir);
        let least = self.bytes(nests);
        let [loads, stores] = self.elements(nests, extents.iter().product());
        let implementation = |shape: Shape| {
            let tiled = Tiled {
                works: nests.iter().map(|&nest| &self.works[nest]).collect(),
                shape: shape.for_elements(widest),
                extents,
                of_column: (of_column as i64 * widest) as f64,
                of_row: (of_row as i64 * widest) as f64,
                combined: [of_column as f64, of_row as f64],
                loads,
                stores,
                widest,
            };
            let parts = tiled.time(figures, least + tiled.parts() / 2.0);
            let (finish, launches) = tiled.finish(figures, [&columns, &rows]);
            let launches = launches + 1.0;
            let kernel = Kernel {
                nests: bits(nests),
                tile: Some([
                    shape.warps,
                    shape.at_once,
                    tiled.shape.per_thread,
                    shape.steps,
                ]),
                block: None,
                launches,
                bytes: least + tiled.parts(),
                least,
                parts,
                time: parts.with(launches, figures) + finish,
                joins: Joins::default(),
                in_blocks: tiled.in_blocks(),
            };
            (tiled.shared_bytes(), kernel)
        };
        let made = shapes().map(implementation);
        made.filter(|(shared, _)| *shared <= MOST_SHARED as f64)
            .collect()
    }

    /// How many elements of matrices nests read and store at each point.
    fn elements(&self, nests: &[usize], points: f64) -> [f64; 2] {
        let made = |value: Value| {
            let mut writes = nests.iter().flat_map(|&nest| &self.works[nest].writes);
            writes.any(|row| row.0 == value)
        };
        let mut read: Vec<&Elements> = Vec::new();
        let mut stores = 0;
        for work in nests.iter().map(|&nest| &self.works[nest]) {
            for (elements, bytes) in &work.reads {
                if *bytes >= points && !made(elements.0) && !read.contains(&elements) {
                    read.push(elements);
                }
            }
            let stored = |row: &&(Value, f64)| row.1 >= points && self.is_needed(nests, row.0);
            stores += work.writes.iter().filter(stored).count();
        }
        [read.len() as f64, stores as f64]
    }
}

/// Those that no other one with less shared memory equals in bytes and time.
fn undominated(made: &[(f64, Kernel)]) -> Vec<Kernel> {
    let worse = |(shared, kernel): &(f64, Kernel)| {
        made.iter().any(|(other_shared, other)| {
            other_shared < shared && other.bytes <= kernel.bytes && other.time <= kernel.time
        })
    };
    let kept = made.iter().filter(|row| !worse(row));
    kept.map(|row| row.1.clone()).collect()
}
