//! The search space of fusions: which nests may be one kernel, how each such kernel may be made, and which kernels cover a
//! program, best first.
//!
//! Filipovič et al., 4.2: fusions are the fusible subgraphs of the graph of dependences; each has implementations, of which
//! those are left out that save no transfer, or that need more shared memory than another one for no fewer bytes and no
//! less time; combinations cover each nest once. [`Exploration::combinations`] finds the combinations in the order of their
//! predicted time ([`super::cost`]): a search from the first nest on that is not covered, by the time so far and the least
//! that the rest can take.
//!
//! Limits: 64 nests of a block, [`MOST_FUSIONS`] subgraphs. Tiles have the shapes of [`shapes`].

use crate::equal::Equal;
use crate::traverse::cost::{Elements, Figures, Sizes, Tiled, Time, Work};
use crate::traverse::group::Group;
use crate::traverse::host_blocks;
use crate::traverse::member::{Kind, Member};
use crate::traverse::sequence::Sequence;
use crate::traverse::tile::Shape;
use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::{Block, Ir, Loc, Op, Value};
use segra_kernel::segop::SegmentedOp;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Most subgraphs that are looked at.
const MOST_FUSIONS: usize = 4096;

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
    /// Tiles: warps, rows and columns at once of a thread, steps; none: the nest as it is.
    pub tile: Option<[i64; 4]>,
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
}

impl Kernel {
    /// The nests, by number.
    pub fn nests(&self) -> Vec<usize> {
        (0..64).filter(|nest| self.nests >> nest & 1 == 1).collect()
    }
}

/// Kernels that cover the program.
#[derive(Clone, Debug)]
pub struct Combination {
    /// Which, by number.
    pub kernels: Vec<usize>,
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
}

/// The search spaces of a function's blocks, with extents and a device that times are predicted for.
pub fn explore(ir: &Ir, function: Op, sizes: &Sizes, figures: &Figures) -> Vec<Exploration> {
    let equal = Equal::of(ir, function);
    host_blocks(ir, function)
        .into_iter()
        .map(|block| Search::of(ir, block, sizes).explore(&equal, figures))
        .collect()
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

/// A block whose space is searched.
struct Search<'a> {
    ir: &'a Ir,
    block: Block,
    sizes: &'a Sizes,
    sequence: Sequence,
    /// Numbers of the items that are nests.
    items: Vec<usize>,
    members: Vec<Option<Member>>,
    works: Vec<Work>,
    /// The items that use a value.
    users: FxHashMap<Value, Vec<usize>>,
}

impl<'a> Search<'a> {
    fn of(ir: &'a Ir, block: Block, sizes: &'a Sizes) -> Search<'a> {
        let sequence = Sequence::of(ir, block);
        let mut users: FxHashMap<Value, Vec<usize>> = FxHashMap::default();
        let (mut items, mut members, mut works) = (Vec::new(), Vec::new(), Vec::new());
        for (number, item) in sequence.items.iter().enumerate() {
            for value in sequence.uses(ir, item.op) {
                users.entry(value).or_default().push(number);
            }
            let member = Member::of(ir, item.op);
            let resolve = |value: Value| sequence.resolve(value);
            let work = Work::of(ir, item.op, member.as_ref(), &resolve, sizes);
            if let (Some(work), true) = (work, items.len() < 64) {
                items.push(number);
                members.push(member);
                works.push(work);
            }
        }
        Search {
            ir,
            block,
            sizes,
            sequence,
            items,
            members,
            works,
            users,
        }
    }

    fn explore(&self, equal: &Equal, figures: &Figures) -> Exploration {
        let mut found = Exploration {
            nests: self.nests(),
            kernels: Vec::new(),
            fusions: 0,
            pruned: 0,
        };
        for nest in 0..self.items.len() {
            found.kernels.push(self.alone(nest, figures));
        }
        for (nests, group) in self.groups(equal) {
            let apart: f64 = nests.iter().map(|&nest| self.bytes(&[nest])).sum();
            found.fusions += usize::from(nests.len() > 1);
            let whole = self.bytes(&nests);
            if !group.has(Kind::Columns) || nests.len() > 1 && whole >= apart {
                found.pruned += shapes().count();
                continue;
            }
            self.implement(&nests, &group, figures, &mut found);
        }
        found
    }

    fn nests(&self) -> Vec<Nest> {
        let place = |number: usize| self.items.iter().position(|&item| item == number);
        let mut reached: Vec<Vec<usize>> = Vec::new();
        for number in 0..self.sequence.items.len() {
            let mut needs: Vec<usize> = Vec::new();
            for &needed in self.sequence.needs(number) {
                match place(needed) {
                    Some(nest) => needs.push(nest),
                    None => needs.extend(&reached[needed]),
                }
            }
            needs.sort_unstable();
            needs.dedup();
            reached.push(needs);
        }
        let nest = |&number: &usize| {
            let op = self.sequence.items[number].op;
            let model = self.ir.interface::<dyn SegmentedOp>(op);
            let sizes = model
                .map(|model| model.sizes(self.ir, op))
                .unwrap_or_default();
            let extents: Vec<String> = sizes
                .into_iter()
                .map(|size| self.sizes.value(self.ir, size).to_string())
                .collect();
            let name = self
                .ir
                .op_name_str(op)
                .trim_start_matches("kernel.")
                .to_owned();
            let kind = match Member::of(self.ir, op).map(|member| member.kind) {
                Some(Kind::Columns) => " of columns",
                Some(Kind::Rows) => " of rows",
                _ => "",
            };
            Nest {
                what: format!("{name}{kind} {}", extents.join("x")),
                loc: self.ir.loc(op),
                needs: reached[number].clone(),
            }
        };
        self.items.iter().map(nest).collect()
    }

    /// The fusible subgraphs, single nests that combine columns among them.
    fn groups(&self, equal: &Equal) -> Vec<(Vec<usize>, Group)> {
        let mut seen: FxHashSet<u64> = FxHashSet::default();
        let mut found: Vec<(Vec<usize>, Group)> = Vec::new();
        for (nest, member) in self.members.iter().enumerate() {
            if let Some(member) = member {
                seen.insert(1 << nest);
                let members = vec![member.clone()];
                found.push((vec![nest], Group { members }));
            }
        }
        let mut at = 0;
        while at < found.len() && found.len() < MOST_FUSIONS {
            let (nests, group) = found[at].clone();
            at += 1;
            for (nest, member) in self.members.iter().enumerate() {
                let Some(member) = member.as_ref().filter(|_| !nests.contains(&nest)) else {
                    continue;
                };
                let mask = nests
                    .iter()
                    .fold(1u64 << nest, |mask, nest| mask | 1 << nest);
                let first = &group.members[0];
                let fits = first.space.is_like(self.ir, &member.space, equal)
                    && group.shares(self.ir, &self.sequence, member);
                if !fits || !seen.insert(mask) {
                    continue;
                }
                let mut larger: Vec<usize> = nests.iter().copied().chain([nest]).collect();
                larger.sort_unstable();
                let members = larger.iter().filter_map(|&nest| self.members[nest].clone());
                let group = Group {
                    members: members.collect(),
                };
                if group.place(self.ir, &self.sequence, self.block).is_some() {
                    found.push((larger, group));
                }
            }
        }
        found
    }

    /// Bytes that nests move at least as one kernel: what they read of others, each element once, and what others need.
    fn bytes(&self, nests: &[usize]) -> f64 {
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
            for &(value, count) in &self.works[nest].writes {
                let users = self.users.get(&value).map_or(&[][..], Vec::as_slice);
                let inside = |user: &usize| nests.iter().any(|&nest| self.items[nest] == *user);
                if users.is_empty() || !users.iter().all(inside) {
                    bytes += count;
                }
            }
        }
        bytes
    }

    fn alone(&self, nest: usize, figures: &Figures) -> Kernel {
        let bytes = self.bytes(&[nest]);
        let kind = self.members[nest].as_ref().map(|member| member.kind);
        let (parts, launches) = self.works[nest].alone(figures, bytes, kind);
        Kernel {
            nests: 1 << nest,
            tile: None,
            launches,
            bytes,
            least: bytes,
            parts,
            time: parts.with(launches, figures),
        }
    }

    /// Adds the implementations of a fusion.
    fn implement(&self, nests: &[usize], group: &Group, figures: &Figures, to: &mut Exploration) {
        let space = &group.members[0].space;
        let value = |size: &Value| self.sizes.value(self.ir, *size);
        let extents = [
            value(&space.rows),
            value(&space.columns),
            space.outer.iter().map(value).product(),
        ];
        let of_kind = |kind: Kind| {
            let members = group
                .members
                .iter()
                .filter(move |member| member.kind == kind);
            (
                members.clone().count(),
                members.map(|member| member.neutral.len()).sum::<usize>(),
            )
        };
        let ((columns, of_column), (rows, of_row)) = (of_kind(Kind::Columns), of_kind(Kind::Rows));
        let widest = group.widest(self.ir);
        let least = self.bytes(nests);
        let points: f64 = extents.iter().product();
        let launches = (1 + columns + rows) as f64;
        let mut made: Vec<(f64, Kernel)> = Vec::new();
        for shape in shapes() {
            let tiled = Tiled {
                works: nests.iter().map(|&nest| &self.works[nest]).collect(),
                shape: shape.for_elements(widest),
                extents,
                of_column: (of_column as i64 * widest) as f64,
                of_row: (of_row as i64 * widest) as f64,
                at_points: least / (points * widest as f64).max(1.0),
            };
            let bytes = least + tiled.parts();
            let parts = tiled.time(figures, bytes);
            let kernel = Kernel {
                nests: nests.iter().fold(0, |mask, nest| mask | 1 << nest),
                tile: Some([
                    shape.warps,
                    shape.at_once,
                    tiled.shape.per_thread,
                    shape.steps,
                ]),
                launches,
                bytes,
                least,
                parts,
                time: parts.with(launches, figures),
            };
            made.push((tiled.shared_bytes(), kernel));
        }
        let worse = |(shared, kernel): &(f64, Kernel)| {
            made.iter().any(|(other_shared, other)| {
                other_shared < shared && other.bytes <= kernel.bytes && other.time <= kernel.time
            })
        };
        let kept: Vec<Kernel> = made
            .iter()
            .filter(|row| !worse(row))
            .map(|row| row.1.clone())
            .collect();
        to.pruned += made.len() - kept.len();
        to.kernels.extend(kept);
    }
}

/// Part of a combination: what is covered, by which kernels.
struct Partial {
    /// The time so far, and the least that the rest takes.
    bound: f64,
    time: f64,
    covered: u64,
    kernels: Vec<usize>,
}

impl PartialEq for Partial {
    fn eq(&self, other: &Partial) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Partial {}
impl PartialOrd for Partial {
    fn partial_cmp(&self, other: &Partial) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Partial {
    /// The greatest is the one with the least bound; of those the first by its kernels.
    fn cmp(&self, other: &Partial) -> Ordering {
        let bound = other.bound.total_cmp(&self.bound);
        bound.then_with(|| other.kernels.cmp(&self.kernels))
    }
}

/// The combinations of a space, in the order of their predicted time.
pub struct Combinations<'a> {
    space: &'a Exploration,
    /// The least share of a kernel's time for each nest.
    least: Vec<f64>,
    heap: BinaryHeap<Partial>,
}

impl Exploration {
    /// The combinations, best first.
    pub fn combinations(&self) -> Combinations<'_> {
        let mut least = vec![f64::INFINITY; self.nests.len()];
        for kernel in &self.kernels {
            let nests = kernel.nests();
            for &nest in &nests {
                least[nest] = least[nest].min(kernel.time / nests.len() as f64);
            }
        }
        let start = Partial {
            bound: 0.0,
            time: 0.0,
            covered: 0,
            kernels: Vec::new(),
        };
        Combinations {
            space: self,
            least,
            heap: BinaryHeap::from([start]),
        }
    }

    /// Whether kernels can run one after another: none needs, by way of others, its own results.
    fn in_order(&self, kernels: &[usize]) -> bool {
        let mut done = 0u64;
        let mut left: Vec<u64> = kernels
            .iter()
            .map(|&kernel| self.kernels[kernel].nests)
            .collect();
        loop {
            let before = left.len();
            left.retain(|&nests| {
                let ready = (0..self.nests.len())
                    .filter(|nest| nests >> nest & 1 == 1)
                    .flat_map(|nest| &self.nests[nest].needs)
                    .all(|&needed| (done | nests) >> needed & 1 == 1);
                done |= if ready { nests } else { 0 };
                !ready
            });
            if left.is_empty() || left.len() == before {
                return left.is_empty();
            }
        }
    }
}

impl Iterator for Combinations<'_> {
    type Item = Combination;

    fn next(&mut self) -> Option<Combination> {
        while let Some(partial) = self.heap.pop() {
            let open = (0..self.space.nests.len()).find(|nest| partial.covered >> nest & 1 == 0);
            let Some(open) = open else {
                if !self.space.in_order(&partial.kernels) {
                    continue;
                }
                let bytes = partial
                    .kernels
                    .iter()
                    .map(|&kernel| self.space.kernels[kernel].bytes);
                return Some(Combination {
                    bytes: bytes.sum(),
                    time: partial.time,
                    kernels: partial.kernels,
                });
            };
            for (number, kernel) in self.space.kernels.iter().enumerate() {
                if kernel.nests >> open & 1 == 0 || kernel.nests & partial.covered != 0 {
                    continue;
                }
                let (covered, time) = (partial.covered | kernel.nests, partial.time + kernel.time);
                let rest = (0..self.least.len()).filter(|nest| covered >> nest & 1 == 0);
                let mut kernels = partial.kernels.clone();
                kernels.push(number);
                self.heap.push(Partial {
                    bound: time + rest.map(|nest| self.least[nest]).sum::<f64>(),
                    time,
                    covered,
                    kernels,
                });
            }
        }
        None
    }
}
