//! Pass `fuse-traversals`: nests that iterate over the same matrices become one kernel, which reads each element once, even
//! where one of them combines rows and another one columns.
//!
//! ```mlir
//! %q = kernel.segred thread (%i < %n, %j < %m) init (%z : f32) { return %a[%i, %j] * %p[%j] } combine ...
//! %s = kernel.segred thread (%j < %m, %i < %n) init (%z : f32) { return %a[%i, %j] * %r[%i] } combine ...
//! ==>
//! %large = kernel.at_least %tiles, "main.traverse0.large" default 256
//! %q, %s = scf.if %large {
//!   %qs, %ss = kernel.segmap block (%bi < ceildiv(%n, 128), %bj < ceildiv(%m, 256)) {
//!     scf.for %k = 0 to 4 iter_args(columns' sums, rows' sums) {
//!       kernel.segmap thread (%w < 16, %l < 32) { 2 rows of 8 columns: read once, added to both }
//!       kernel.segred thread (%w < 16, %l < 32) { the 2 rows, across the lanes } } ... }
//!   %q1 = kernel.segred thread (%i < %n, %bj < ..) { %qs[..] }, %s1 = kernel.segred thread (%j < %m, %bi < ..) { %ss[..] }
//! } else { the nests as they were }
//! ```
//! Filipovič, Madzin, Fousek and Matyska, "Optimizing CUDA code by kernel fusion: application on BLAS", 3.2 and 4.3: a
//! reduction needs a global barrier, so its result is used by no nest of the same kernel, but partial reductions need
//! none; what is invariant over a block's serial iterations is loaded before them, what accumulates is stored after them
//! (their Algorithms 1 and 3). Theirs needs sizes that are multiples of the tile, hand-written routines for it, and adds
//! parts up by atomics, in no order; here any size goes, any operator, in order ([`tile`]).
//!
//! A map of what tiles combine is made where their parts are combined, so that it becomes part of that kernel ([`join`]).
//!
//! Which nests become kernels, and in tiles of which shape, is searched for ([`search`]): the fusible subgraphs with all shapes are
//! priced for a device ([`cost`], [`figures`]), and the combination of kernels that is predicted to be best is compiled, in
//! versions where sizes are symbolic ([`versions`]); `segra explain --fusion` lists them all.
//!
//! Legality: segmaps and segreds of level `thread` over spaces with the same extents, of scalars, whose bodies have no
//! regions; what one needs of another is the element that the other makes for the same point; nothing that is made of
//! their results is needed by another of them; ops between them can be moved. Versions of a nest compute the same, so its
//! flat one is looked at ([`sequence`]). Nests that share a choice of versions run one right after another; kernels that take some of
//! them each are made side by side ([`shared`]). With a number of a combination nests share none: they are taken apart before.
//!
//! Without a number of a combination, the best one is compiled of those that have tiles: nests over other than common matrices
//! are brought together by the fusion of arrays before. With one, that has left the program's nests apart
//! (`fuse{apart}`), and the combination says which of them are one nest ([`merge`]), too.
//!
//! Limits: of a block with more than [`search::MOST_MEMBERS`] nests over matrices none is fused, as each is compared with all others;
//! [`search::MOST_FUSIONS`] subgraphs and [`combine::MOST_STEPS`] parts of combinations are looked at, so the search takes a time that is bounded
//! by the size of the block times these. Where it ends early, nests join one after another the first kernel that they fit.
//! Tiles are for kernels that combine columns: single rows and elements have passes of their own, and what several nests of those
//! become is one nest.

mod combine;
mod cost;
mod element;
mod figures;
mod group;
mod join;
mod member;
mod merge;
mod plan;
mod search;
mod sequence;
mod shared;
mod step;
mod tile;
mod versions;

pub use combine::{Combinations, Count};
pub use cost::{Sizes, Time};
pub use figures::{Figures, FiguresError};
pub use search::{Combination, Exploration, Kernel, MapBlock, Nest, Scope, explore};

use crate::choice::{Answer, Threshold, beside};
use crate::equal::Equal;
use crate::tile::Versions;
use group::{Group, Place};
use member::Kind;
use plan::Plan;
use rustc_hash::FxHashSet;
use search::Search;
use segra_ir::clone::Mapping;
use segra_ir::interfaces::symbol_name;
use segra_ir::{Block, Builder, Ir, Op, OpView, Value};
use segra_kernel::mapping::THREADS;
use segra_kernel::segop::SegmentedOp;
use segra_kernel::vector::SINGLE;
use segra_pass::{
    Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options,
};
use segra_std::arith::{CmpIPredicate, index};
use segra_std::func::FuncOp;
use sequence::Sequence;
use tile::Shape;
use versions::{Form, Version, Wanted, WantedKernel, wanted};

/// Elements of a matrix beyond which the first version runs: below it, 32 bits do for all indices of the other versions, also
/// those of tiles of which a matrix with one row or column has only a part, and of threads that have up to eight columns.
const HUGE: i64 = 1 << 27;

/// The device that times are predicted for, unless another one is asked for.
pub const DEVICE: &str = "H100";

pass_options! {
    /// The pass `fuse-traversals`.
    pub struct FuseTraversals {
        /// Whether tiles have the shape that other options say, for all nests that one kernel may run, or kernels and shapes are
        /// those that are predicted to be best.
        pub versions: Versions = Versions::BySize,
        /// The device that times are predicted for.
        pub device: String = DEVICE.to_owned(),
        /// The extent of symbolic sizes where kernels are chosen.
        pub extent: i64 = 4096,
        /// The combination of kernels, by its number in the order of predicted time; 0: the best one, with shapes by size.
        pub combination: usize = 0,
        /// Whether combinations differ in thread blocks of maps, too.
        pub blocks: bool = false,
        /// Warps of a thread block.
        pub warps: i64 = 16,
        /// Columns of a thread.
        pub columns: i64 = 8,
        /// Rows that a thread has at once.
        pub rows: i64 = 2,
        /// How often it takes so many.
        pub steps: i64 = 4,
        /// From how many whole tiles on there is a kernel for all.
        pub tiles: i64 = 16,
    }
}

const INFO: PassInfo = PassInfo {
    name: "fuse-traversals",
    summary: "let one kernel do what iterates over the same matrices, along rows and along columns",
    reads: &["arith", "kernel", "scf"],
    writes: &["arith", "kernel", "scf"],
    anchors: Anchors::Ops(&[FuncOp::DEF.name]),
};

impl Pass for FuseTraversals {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, function: Op, cx: &mut PassContext<'_>) -> PassResult {
        let one = Version {
            name: "tiles",
            shape: Shape {
                warps: self.warps,
                per_thread: self.columns,
                at_once: self.rows,
                steps: self.steps,
            },
            tiles: self.tiles,
        };
        if let Some(fault) = one.fault() {
            return Err(cx.fail(ir, function, fault));
        }
        if self.extent < 1 {
            return Err(cx.fail(ir, function, "option extent: must be at least 1"));
        }
        let Some(figures) = Figures::named(&self.device) else {
            let names: Vec<&str> = Figures::all().iter().map(|one| one.name.as_str()).collect();
            let fault = format!("option device: must be one of {}", names.join(", "));
            return Err(cx.fail(ir, function, fault));
        };
        let name = symbol_name(ir, function)
            .map(|name| ir.ctx().str(name).to_owned())
            .unwrap_or_default();
        let equal = Equal::of(ir, function);
        let best = Wanted {
            figures,
            extent: self.extent,
            rank: self.combination,
        };
        let scope = match (self.versions, self.combination) {
            (Versions::BySize, 1..) if self.blocks => Scope::Blocks,
            (Versions::BySize, 1..) => Scope::All,
            _ => Scope::Tiles,
        };
        let (mut fused, mut changed) = (0, false);
        for block in host_blocks(ir, function) {
            let mut search = Search::of(ir, block, &equal, scope);
            changed |= search.changed;
            cx.count("fusions looked at", search.fusions.len() as u64);
            let kernels = match self.versions {
                Versions::One => all_with(ir, &search, &equal, one),
                Versions::BySize => best_of(ir, &search, &best),
            };
            for kernels in shared::clusters(&search.sequence, kernels) {
                let named = |number: usize| format!("{name}.traverse{}", fused + number);
                let made = shared::fuse(ir, &mut search.sequence, &kernels, &named);
                if !made.is_empty() {
                    fused += kernels.len();
                }
                cx.count("traversals", made.len() as u64);
                cx.count("nests in them", made.iter().sum::<usize>() as u64);
            }
        }
        Ok(Outcome::of(Changed::when(fused > 0 || changed)))
    }
}

/// Kernels of a block.
type Kernels = Vec<(Group, Form)>;

/// Those that are predicted to be best.
fn best_of(ir: &Ir, search: &Search, best: &Wanted<'_>) -> Kernels {
    let of_wanted = |kernel: WantedKernel| {
        let group = search.followed(kernel.fusion, &kernel.followers);
        (group, kernel.form)
    };
    wanted(ir, search, best)
        .into_iter()
        .map(of_wanted)
        .collect()
}

/// All that combine columns, in one version.
fn all_with(ir: &Ir, search: &Search, equal: &Equal, version: Version) -> Kernels {
    let groups = search.joined(ir, equal).into_iter();
    let groups = groups
        .map(|row| row.1)
        .filter(|group| group.has(Kind::Columns));
    groups
        .map(|group| {
            let shape = version.shape.for_elements(group.widest(ir));
            (group, Form::Tiles(vec![Version { shape, ..version }]))
        })
        .collect()
}

/// Blocks of a function that the host runs and no version of a nest is: those with segmented ops, or choices.
fn host_blocks(ir: &Ir, function: Op) -> Vec<Block> {
    let mut found = Vec::new();
    let mut pending: Vec<_> = ir.regions(function).to_vec();
    while let Some(region) = pending.pop() {
        for block in ir.blocks(region) {
            let mut any = false;
            for op in ir.ops(block) {
                let nest = sequence::is_nest(ir, op);
                any |= nest;
                if !nest && ir.interface::<dyn SegmentedOp>(op).is_none() {
                    pending.extend(ir.regions(op).iter().rev());
                }
            }
            if any {
                found.push(block);
            }
        }
    }
    found
}

impl Version {
    fn fault(&self) -> Option<String> {
        let negative = self.tiles < 0;
        let tiles = negative.then(|| "option tiles: must not be negative".to_owned());
        self.shape.fault().or(tiles)
    }

    /// Whether there are enough whole tiles, asked before an op.
    fn answer(&self, ir: &mut Ir, before: Op, group: &Group, name: String) -> Answer {
        let space = &group.members[0].space;
        let mut b = Builder::before(ir, before);
        let mut counts = space.outer.clone();
        let rows = space.rows.map(|rows| (rows, self.shape.rows()));
        let columns = (space.columns, self.shape.columns());
        for (extent, of_tile) in rows.into_iter().chain([columns]) {
            let of_tile = index::constant(&mut b, of_tile);
            counts.push(index::div(&mut b, extent, of_tile));
        }
        let enough = Threshold {
            size: index::product(&mut b, &counts),
            name,
            default: self.tiles,
        };
        enough.answer(&mut b)
    }

    /// Whether it runs, asked before an op; the first of several versions also where matrices are huge.
    fn asked(&self, ir: &mut Ir, before: Op, (group, name): (&Group, &str), first: bool) -> Answer {
        let enough = self.answer(ir, before, group, format!("{name}.{}", self.name));
        match enough {
            Answer::Asked(_) if first => {
                let huge = is_huge(ir, before, group);
                enough.or(huge, &mut Builder::before(ir, before))
            }
            _ => enough,
        }
    }
}

/// Whether any version of a group's kernel runs, asked before an op.
fn asked(ir: &mut Ir, before: Op, (group, form): (&Group, &Form), name: &str) -> Answer {
    let Form::Tiles(versions) = form else {
        return Answer::Known(true);
    };
    let mut any = Answer::Known(false);
    for version in versions {
        let first = matches!(any, Answer::Known(false));
        let answer = version.asked(ir, before, (group, name), first);
        any = any.or(answer, &mut Builder::before(ir, before));
    }
    any
}

/// Whether the matrices are so large that their indices may need 64 bits, asked before an op: then the first of the versions
/// runs, however few whole tiles there are, and all others need no kernels for such sizes.
fn is_huge(ir: &mut Ir, before: Op, group: &Group) -> Answer {
    let space = &group.members[0].space;
    let mut b = Builder::before(ir, before);
    let elements = index::product(&mut b, &space.sizes());
    let most = index::constant(&mut b, HUGE);
    let huge = index::cmp(&mut b, CmpIPredicate::Sgt, elements, most);
    Answer::of(b.ir, huge)
}

/// Adds the kernel of a group in this form, between whose versions thresholds choose, with names that begin with `name`; how
/// many versions there are.
fn fuse_all(ir: &mut Ir, sequence: &mut Sequence, group: &Group, form: &Form, name: &str) -> u64 {
    let Some(mut place) = group.place(ir, sequence) else {
        let alone = group.alone();
        return alone.map_or(0, |group| fuse_all(ir, sequence, &group, form, name));
    };
    let mut outermost = None;
    let mut made = 0;
    let (versions, map): (Vec<Option<&Version>>, _) = match form {
        Form::Tiles(versions) => (versions.iter().map(Some).collect(), None),
        Form::Nest(map) => (vec![None], *map),
    };
    for version in versions {
        let Some(&before) = place.tops.last() else {
            break;
        };
        let answer = match version {
            Some(version) => version.asked(ir, before, (group, name), made == 0),
            None => Answer::Known(true),
        };
        if matches!(answer, Answer::Known(false)) {
            continue;
        }
        let is_last = matches!(answer, Answer::Known(true));
        let condition = answer.value(&mut Builder::before(ir, before));
        let Some((choice, results)) = fuse(
            ir,
            (&*sequence, &mut place),
            (group, version.map(|version| version.shape), map),
            condition,
        ) else {
            break;
        };
        outermost.get_or_insert((choice, results));
        made += 1;
        if is_last {
            break;
        }
    }
    if let Some((choice, old)) = outermost {
        let new = (0..old.len()).map(|number| ir.result(choice, number));
        sequence.put_into(choice, &place.tops, new.zip(old.iter().copied()));
    }
    made
}

/// The results of some ops of the block that others use.
fn used_behind(ir: &Ir, tops: &[Op]) -> Vec<Value> {
    let is_used_behind = |value: Value| {
        ir.users(value)
            .any(|user| !ir.ancestors(user).any(|op| tops.contains(&op)))
    };
    tops.iter()
        .flat_map(|&top| ir.results(top))
        .filter(|&value| is_used_behind(value))
        .collect()
}

/// Puts a choice between the kernel of a group and its nests in the place of the last of those. The choice, and the values of
/// the nests that its results stand for.
fn fuse(
    ir: &mut Ir,
    (sequence, place): (&Sequence, &mut Place),
    (group, shape, map): (&Group, Option<Shape>, Option<MapBlock>),
    condition: Value,
) -> Option<(Op, Vec<Value>)> {
    let &last = place.tops.last()?;
    let next = ir.next_op(last)?;
    // Once the nests are in a choice, nothing is between them.
    for op in std::mem::take(&mut place.later) {
        ir.move_before(op, next);
    }
    let place = &*place;
    // A value that only other nests of the group use need not be there: their kernel has its elements at hand.
    let results = used_behind(ir, &place.tops);
    let loc = ir.loc(last);
    let (choice, _) = beside(
        ir,
        (last, condition),
        (&place.tops, &results),
        |ir, then| {
            let mut b = Builder::at_end(ir, then, loc);
            flat(&mut b, (group, shape), (sequence, place), &results, map)
        },
    )?;
    Some((choice, results))
}

/// Decides the thread blocks of the map that makes a value.
fn in_blocks(ir: &mut Ir, result: Value, map: MapBlock) {
    let ctx = ir.context();
    if let Some(op) = ir.defining_op(result) {
        ir.set_attr_named(op, THREADS, Some(ctx.i64_attr(map.threads)));
        ir.set_attr_named(op, SINGLE, map.single.then(|| ctx.unit()));
    }
}

/// The flat versions of a group's ops with its kernel among them, in tiles or as one nest: what stands for `results`.
fn flat(
    b: &mut Builder<'_>,
    (group, shape): (&Group, Option<Shape>),
    (sequence, place): (&Sequence, &Place),
    results: &[Value],
    map: Option<MapBlock>,
) -> Option<Vec<Value>> {
    let items: Vec<(usize, Op)> = sequence
        .items
        .iter()
        .enumerate()
        .filter(|(_, item)| place.tops.contains(&item.top) && !item.is_alias)
        .filter(|(number, _)| !place.numbers.contains(number))
        .map(|(number, item)| (number, item.op))
        .collect();
    let mut mapping = Mapping::new();
    let aliases = |mapping: &mut Mapping| sequence.map_aliases(mapping);
    for &(_, op) in items.iter().filter(|row| !place.dependents[row.0]) {
        b.clone_op(op, &mut mapping);
        aliases(&mut mapping);
    }
    // Other versions of nests, which read the members' results as well, are not part of this one.
    let behind = results.iter().map(|&value| sequence.resolve(value));
    let beside = items.iter().flat_map(|row| sequence.uses(b.ir, row.1));
    let needed: FxHashSet<Value> = behind.chain(beside).collect();
    let needed = |value: Value| needed.contains(&value);
    let around = mapping.clone();
    let made = match shape {
        Some(shape) => {
            let plan = Plan::new(b.ir, (group, sequence), shape, &around, &needed)?;
            tile::emit(b, &plan)
        }
        None => {
            let made = merge::emit(b, (group, sequence), &around, &needed)?;
            if let (Some(map), Some(&(_, result))) = (map, made.first()) {
                in_blocks(b.ir, result, map);
            }
            made
        }
    };
    for (old, new) in made {
        mapping.map(old, new);
    }
    aliases(&mut mapping);
    for &(_, op) in items.iter().filter(|row| place.dependents[row.0]) {
        b.clone_op(op, &mut mapping);
        aliases(&mut mapping);
    }
    Some(
        results
            .iter()
            .map(|&value| mapping.get(sequence.resolve(value)))
            .collect(),
    )
}
