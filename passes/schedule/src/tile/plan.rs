//! Which segmaps are tiled, and along how many dimensions.

use crate::tile::Refusal;
use crate::tile::distribute::check_parts;
use crate::tile::stage::{shared_read, variance, wide};
use crate::tile::variance::{Indices, Variance};
use segra_ir::interfaces::is_pure;
use segra_ir::{Ir, Op, OpView, TypeKind, Value};
use segra_kernel::access::Read;
use segra_kernel::level::Level;
use segra_kernel::registers::Registers;
use segra_kernel::segop::SegMapOp;
use segra_space::{Depth, Schedule, ScheduleFault, Step, Strips, Target};
use segra_std::scf::ForOp;

/// Extents of tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiles {
    /// Points of a tile along the two dimensions, outer one first, where two are tiled.
    pub plane: [i64; 2],
    /// Points of them that a thread has, where two are tiled.
    pub registers: [i64; 2],
    /// Steps of a loop at a time, where two or three are.
    pub depth: i64,
    /// Points of a tile, and steps of a loop at a time, where one dimension is tiled.
    pub line: Line,
    /// Tiles of what is copied that are there at a time.
    pub stages: i64,
    /// Whether there are so many however much shared memory a block must ask for; else fewer where they do not fit what it
    /// gets without asking.
    pub exactly: bool,
}

/// Extents of tiles of one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Points of a tile.
    pub extent: i64,
    /// Points of them that a thread has.
    pub registers: i64,
    /// Steps of a loop at a time.
    pub depth: i64,
}

/// Points of a tile where three dimensions are tiled, and those of a thread.
const CUBE: [[i64; 3]; 2] = [[16, 16, 16], [2, 4, 4]];

impl Tiles {
    /// The fault of the options: the option's name and what it must be.
    pub fn fault(&self) -> Option<String> {
        let divided = self.plane.iter().zip(&self.registers);
        for (name, (&tile, &points)) in ["registers-y", "registers-x"].into_iter().zip(divided) {
            if points < 1 || tile % points != 0 {
                return Some(format!(
                    "option {name}: must divide the tile's {tile} points"
                ));
            }
        }
        let threads = self
            .plane
            .iter()
            .zip(&self.registers)
            .map(|row| row.0 / row.1);
        let threads = threads.collect::<Vec<_>>();
        let most = Target::CUDA.launch.block_threads;
        for (what, extents) in [
            (
                "tile-y times tile-x, by the points of a thread",
                &threads[..],
            ),
            ("tile", &[self.line.extent]),
        ] {
            let all = extents
                .iter()
                .try_fold(1i64, |all, &extent| all.checked_mul(extent.max(0)));
            if !all.is_some_and(|all| (1..=most).contains(&all)) {
                return Some(format!(
                    "option {what}: must be from 1 to {most}, the threads of a block"
                ));
            }
        }
        (self.depth < 1).then(|| "option tile-k: must be at least 1".to_owned())
    }
    /// Extents along so many tiled dimensions, outermost first.
    pub fn extents(&self, dimensions: usize) -> &[i64] {
        match dimensions {
            1 => std::slice::from_ref(&self.line.extent),
            2 => &self.plane,
            _ => &CUBE[0],
        }
    }
    /// Points of a thread along them.
    pub fn points(&self, dimensions: usize) -> &[i64] {
        match dimensions {
            1 => std::slice::from_ref(&self.line.registers),
            2 => &self.registers,
            _ => &CUBE[1],
        }
    }
    /// Steps of a loop at a time.
    pub fn steps(&self, dimensions: usize) -> i64 {
        match dimensions {
            1 => self.line.depth,
            _ => self.depth,
        }
    }
}

/// The dimensions of a nest that are tiled, how, and for which of its loops.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The dimensions that are tiled, outermost first.
    pub dims: Vec<usize>,
    /// Extents of a tile along the dimensions from the first of them on: 1 along those between that are not tiled.
    pub extents: Vec<i64>,
    /// Points of a thread along the same, where there are several.
    pub registers: Option<Registers>,
    /// Steps of a loop at a time.
    pub steps: i64,
    /// The loop that this was decided for.
    pub looped: ForOp,
}

/// How dimensions are chosen, from what is reused most on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Two dimensions: each read differs along one of them at most, and there is one for either. A thread with several
    /// points along both reads what is in shared memory once for each row and each column of them.
    Plane,
    /// Three dimensions of which each read differs along two at most.
    Cube,
    /// The two innermost dimensions, of which something is the same along the outer one.
    Rows,
    /// The innermost dimension, along which nothing differs that changes with the loop.
    Line,
    /// The innermost dimension, along which something is the same.
    Something,
}

impl Kind {
    const ALL: [Kind; 5] = [
        Kind::Plane,
        Kind::Cube,
        Kind::Rows,
        Kind::Line,
        Kind::Something,
    ];
    /// Those that pay whatever else the loop does.
    const SURE: [Kind; 3] = [Kind::Plane, Kind::Cube, Kind::Line];

    /// The sets of dimensions that come into question in a nest of so many, innermost first.
    fn candidates(self, rank: usize) -> Vec<Vec<usize>> {
        let first = rank.saturating_sub(MOST_DIMENSIONS);
        let all = || (first..rank).rev();
        match self {
            Kind::Plane => all()
                .flat_map(|q| (first..q).rev().map(move |p| vec![p, q]))
                .collect(),
            Kind::Cube => all()
                .flat_map(|r| (first..r).rev().map(move |q| (q, r)))
                .flat_map(|(q, r)| (first..q).rev().map(move |p| vec![p, q, r]))
                .collect(),
            Kind::Rows if rank > 1 => vec![vec![rank - 2, rank - 1]],
            Kind::Line | Kind::Something if rank > 0 => vec![vec![rank - 1]],
            Kind::Rows | Kind::Line | Kind::Something => Vec::new(),
        }
    }

    /// Whether tiles along these dimensions are of this kind.
    fn fits(self, reads: &Reads, dims: &[usize]) -> bool {
        let misses = |read: &Indices| dims.iter().any(|&dim| !read.contains(dim));
        let shared = || reads.shared.iter().filter(|read| misses(read));
        match self {
            Kind::Plane | Kind::Cube => {
                let differs = |dim: usize| shared().any(|read| read.contains(dim));
                let is_same = |dim: usize| shared().any(|read| !read.contains(dim));
                reads.all.iter().all(misses) && dims.iter().all(|&dim| differs(dim) && is_same(dim))
            }
            Kind::Line => {
                let moves = |read: &&Indices| read.contains(reads.counter);
                shared().next().is_some() && reads.all.iter().filter(moves).all(misses)
            }
            Kind::Rows | Kind::Something => shared().any(|read| !read.contains(dims[0])),
        }
    }
}

/// Dimensions of a nest that come into question, the innermost.
const MOST_DIMENSIONS: usize = 8;

/// The dependences of a loop's reads: which indices of the nest, and the loop's counter.
struct Reads {
    /// Those in whatever depth.
    all: Vec<Indices>,
    /// Those that can be copied for several points, if they do not differ between these.
    shared: Vec<Indices>,
    counter: usize,
}

impl Reads {
    fn of(ir: &Ir, segmap: SegMapOp, looped: ForOp) -> Reads {
        let variance = variance(ir, segmap.body_block(ir), looped);
        let counter = segmap.sizes(ir).len();
        let of = |read: Op| {
            let all = ir.operands(read).map(|value| variance.get(value));
            all.fold(Indices::default(), Indices::union)
        };
        let inside = ir.walk(looped.op()).into_iter();
        let all = inside.filter(|&op| Read::is(ir, op)).map(of).collect();
        Reads {
            all,
            shared: shared(ir, segmap, looped),
            counter,
        }
    }
}

/// The loops directly in the body of a segmap.
fn loops(ir: &Ir, segmap: SegMapOp) -> Vec<ForOp> {
    ir.ops(segmap.body_block(ir))
        .filter_map(|op| ir.cast::<ForOp>(op))
        .collect()
}

/// The next loop directly in a segmap of a thread block's that reads what several of its points read.
pub(crate) fn next_loop(ir: &Ir, segmap: SegMapOp) -> Option<ForOp> {
    loops(ir, segmap).into_iter().find(|&looped| {
        check_loop(ir, segmap, looped, 0).is_ok() && !shared(ir, segmap, looped).is_empty()
    })
}

/// On which of the segmap's indices the reads of a loop depend that not all of its points do by themselves.
fn shared(ir: &Ir, segmap: SegMapOp, looped: ForOp) -> Vec<Indices> {
    let body = segmap.body_block(ir);
    let variance = variance(ir, body, looped);
    let wide = wide(ir, segmap);
    let reads = ir
        .ops(looped.region_block(ir))
        .filter_map(|op| Read::of(ir, op));
    reads
        .filter_map(|read| shared_read(ir, &variance, &wide, read))
        .collect()
}

/// The tiles of a nest, of any kind.
///
/// # Errors
/// Why it is not tiled.
pub fn plan(ir: &Ir, segmap: SegMapOp, tiles: &Tiles) -> Result<Plan, Refusal> {
    plan_of(ir, segmap, tiles, &Kind::ALL)
}

/// The tiles of a nest, of the kinds that pay whatever else it does.
///
/// # Errors
/// Why it is not tiled.
pub(crate) fn sure_plan(ir: &Ir, segmap: SegMapOp, tiles: &Tiles) -> Result<Plan, Refusal> {
    plan_of(ir, segmap, tiles, &Kind::SURE)
}

fn plan_of(ir: &Ir, segmap: SegMapOp, tiles: &Tiles, kinds: &[Kind]) -> Result<Plan, Refusal> {
    let refuse = |reason: &str| Err(Refusal::new(segmap.op(), reason));
    if segmap.level(ir) != Level::Thread || segmap.mapping_attr(ir).is_some() {
        return refuse("is not run by threads, or has a mapping of its own");
    }
    let returned = crate::tile::strip::returned(ir, segmap);
    if returned.is_empty()
        || returned
            .iter()
            .any(|&value| !ir.value_type(value).is_scalar(ir.ctx()))
    {
        return refuse("returns arrays, or nothing");
    }
    let loops = loops(ir, segmap);
    let innermost = segmap.sizes(ir).len().saturating_sub(1);
    let cannot = loops
        .iter()
        .find_map(|&looped| check_loop(ir, segmap, looped, innermost).err());
    let nothing = "has no loop in which several points read the same elements";
    let mut reason = cannot.unwrap_or_else(|| Refusal::new(segmap.op(), nothing));
    let reads: Vec<Reads> = loops
        .iter()
        .map(|&looped| Reads::of(ir, segmap, looped))
        .collect();
    for &kind in kinds {
        for (&looped, reads) in loops.iter().zip(&reads) {
            for dims in kind.candidates(segmap.sizes(ir).len()) {
                if !kind.fits(reads, &dims) {
                    continue;
                }
                match check(ir, segmap, looped, (tiles, &dims)) {
                    Ok(()) => return Ok(tiles.plan(ir, segmap, looped, dims)),
                    Err(refusal) => reason = refusal,
                }
            }
        }
    }
    Err(reason)
}

/// Of a tile, the inverse of the least part that points must fill for it to pay anywhere: `Shape::part` has the figures.
pub(super) const SIXTH: i64 = 6;

/// Whether tiles along these dimensions can be made for a loop, and have points for a sixth of their extents.
fn check(
    ir: &Ir,
    segmap: SegMapOp,
    looped: ForOp,
    (tiles, dims): (&Tiles, &[usize]),
) -> Result<(), Refusal> {
    check_loop(ir, segmap, looped, dims[0])?;
    let sizes = segmap.sizes(ir);
    let tiled: Vec<Value> = dims.iter().map(|&dim| sizes[dim]).collect();
    let extents = tiles.extents(dims.len()).iter();
    let least: Vec<i64> = extents.map(|extent| extent / SIXTH).collect();
    if let Some(at) = too_small(ir, &tiled, &least) {
        let reason = format!("has only {at} points along a dimension of tiles");
        return Err(Refusal::new(segmap.op(), reason));
    }
    if let Some(steps) = too_small(ir, &[looped.upper_bound(ir)], &[tiles.steps(dims.len())]) {
        let reason = format!("has a loop of only {steps} steps");
        return Err(Refusal::new(looped.op(), reason));
    }
    match copied_bytes(ir, segmap, looped, (tiles, dims)) {
        Some(bytes) if bytes <= Target::CUDA.shared_bytes => Ok(()),
        _ => Err(Refusal::new(
            looped.op(),
            "has a loop that copies more than shared memory holds",
        )),
    }
}

/// Bytes of what the points of a tile copy for the steps of a loop at a time: the thesis' `Tk (szA Ty Ry + szB Tx Rx)`.
fn copied_bytes(
    ir: &Ir,
    segmap: SegMapOp,
    looped: ForOp,
    (tiles, dims): (&Tiles, &[usize]),
) -> Option<i64> {
    let body = segmap.body_block(ir);
    let (variance, wide) = (variance(ir, body, looped), wide(ir, segmap));
    let mut all = 0i64;
    for read in ir.ops(looped.region_block(ir)) {
        let Some(read) = Read::of(ir, read) else {
            continue;
        };
        let Some(indices) = shared_read(ir, &variance, &wide, read) else {
            continue;
        };
        if dims.iter().all(|&dim| indices.contains(dim)) {
            continue;
        }
        let element = ir.value_type(read.result(ir));
        let bits = match ir.ctx().type_kind(element) {
            TypeKind::Integer { width, .. } => i64::from(*width),
            TypeKind::Float(kind) => i64::from(kind.width()),
            _ => 64,
        };
        let mut bytes = (bits.max(8) / 8).checked_mul(tiles.steps(dims.len()))?;
        for (&dim, &extent) in dims.iter().zip(tiles.extents(dims.len())) {
            if indices.contains(dim) {
                bytes = bytes.checked_mul(extent)?;
            }
        }
        all = all.checked_add(bytes)?;
    }
    Some(all)
}

impl Tiles {
    /// Tiles of a nest along these dimensions.
    fn plan(&self, ir: &Ir, segmap: SegMapOp, looped: ForOp, dims: Vec<usize>) -> Plan {
        let rank = segmap.sizes(ir).len();
        let over_all = |of: &[i64]| {
            let mut all = vec![1; rank - dims[0]];
            for (&dim, &number) in dims.iter().zip(of) {
                all[dim - dims[0]] = number;
            }
            all
        };
        let counts = over_all(self.points(dims.len()));
        let along = rows_along(ir, segmap, looped);
        let runs = runs(&counts, &along[dims[0]..]);
        let several = counts.iter().any(|&count| count > 1);
        Plan {
            extents: over_all(self.extents(dims.len())),
            registers: several.then_some(Registers {
                counts,
                runs,
                apart: None,
            }),
            steps: self.steps(dims.len()),
            looped,
            dims,
        }
    }
}

impl Plan {
    /// The steps that make the tiles; `joined`: whether loops in loops are joined before.
    ///
    /// # Errors
    /// The extents are those of no schedule.
    pub fn schedule(&self, tiles: &Tiles, joined: bool) -> Result<Schedule, ScheduleFault> {
        let mut steps = Vec::new();
        if joined {
            steps.push(Step::Join);
        }
        let registers = self.registers.clone().map(|held| (held.counts, held.runs));
        let (registers, runs) = registers.unwrap_or_default();
        steps.extend([
            Step::Stripmine(Strips {
                tiles: self.extents.clone(),
                registers,
                runs,
            }),
            Step::Peel(self.steps),
            Step::Chunk(self.steps),
            Step::Distribute,
            Step::Interchange,
            Step::Stage,
        ]);
        if tiles.stages > 1 {
            steps.push(Step::Pipeline(match tiles.exactly {
                true => Depth::Exactly(tiles.stages),
                false => Depth::AtMost(tiles.stages),
            }));
        }
        steps.push(Step::Repeat);
        Schedule::new(steps)
    }
}

/// Whether a schedule with tiles pays for a nest that it was not written for: it has a loop whose points read the same along
/// the tiled dimensions, and no extent is less than a tile's.
///
/// # Errors
/// Why not.
pub(crate) fn suits(ir: &Ir, segmap: SegMapOp, strips: &Strips, depth: i64) -> Result<(), Refusal> {
    let nothing = "has no loop in which several points read the same elements";
    let mut reason = Refusal::new(segmap.op(), nothing);
    let sizes = segmap.sizes(ir);
    let first = sizes.len() - strips.tiles.len();
    for looped in loops(ir, segmap) {
        if let Err(refusal) = check_loop(ir, segmap, looped, first) {
            reason = refusal;
            continue;
        }
        let shared = shared(ir, segmap, looped);
        if !shared.iter().any(|read| !read.contains(first)) {
            continue;
        }
        let length = looped.upper_bound(ir);
        if let Some(at) = too_small(ir, &sizes[first..], &strips.tiles) {
            let few = format!("has only {at} points along a dimension of tiles");
            reason = Refusal::new(segmap.op(), few);
        } else if let Some(steps) = too_small(ir, &[length], &[depth]) {
            reason = Refusal::new(looped.op(), format!("has a loop of only {steps} steps"));
        } else {
            return Ok(());
        }
    }
    Err(reason)
}

/// Runs of the points of a thread: neighbouring points along a dimension that rows of arrays lie along are one access, of
/// up to four.
fn runs(counts: &[i64], along: &[bool]) -> Vec<i64> {
    let run = |count: i64| [4, 2, 1].into_iter().find(|run| count % run == 0);
    let rows = counts.iter().zip(along);
    rows.map(|(&count, &along)| run(count).filter(|_| along).unwrap_or(1))
        .collect()
}

/// As [`runs`], for a segmap whose innermost dimensions are to be tiled.
pub(crate) fn runs_for(ir: &Ir, segmap: SegMapOp, counts: &[i64]) -> Vec<i64> {
    let first = segmap.sizes(ir).len().checked_sub(counts.len());
    match next_loop(ir, segmap).zip(first) {
        Some((looped, first)) => runs(counts, &rows_along(ir, segmap, looped)[first..]),
        None => vec![1; counts.len()],
    }
}

/// Along which dimensions of a nest neighbouring points read neighbouring elements of what the loop's points share: those
/// that the last index of a read depends on, and the loop's counter does not. There a thread's points are runs, which are
/// one access.
fn rows_along(ir: &Ir, segmap: SegMapOp, looped: ForOp) -> Vec<bool> {
    let body = segmap.body_block(ir);
    let variance = variance(ir, body, looped);
    let (points, wide) = (ir.block_args(body).len(), wide(ir, segmap));
    let reads = ir
        .ops(looped.region_block(ir))
        .filter_map(|op| Read::of(ir, op))
        .filter(|&read| shared_read(ir, &variance, &wide, read).is_some());
    let mut along = vec![false; points];
    for read in reads {
        let last = read.indices(ir).last().map(|&last| variance.get(last));
        let Some(last) = last.filter(|last| !last.contains(points)) else {
            continue;
        };
        for (dim, along) in along.iter_mut().enumerate() {
            *along |= last.contains(dim);
        }
    }
    along
}

/// An extent that is a constant, and less than a tile.
fn too_small(ir: &Ir, sizes: &[Value], tiles: &[i64]) -> Option<i64> {
    let known = |size: Value| ir.constant_int(size);
    sizes
        .iter()
        .zip(tiles)
        .find_map(|(&size, &tile)| known(size).filter(|&known| known < tile))
}

/// Whether the steps of tiling apply to a loop, the dimensions from `first` on being those of a tile.
fn check_loop(ir: &Ir, segmap: SegMapOp, looped: ForOp, first: usize) -> Result<(), Refusal> {
    if !looped.counts_from_zero(ir) {
        return Err(Refusal::new(
            looped.op(),
            "has a loop that does not count from 0 by ones",
        ));
    }
    let body = segmap.body_block(ir);
    check_parts(ir, body, looped)?;
    let tiled = &ir.block_args(body)[first..];
    let variance = Variance::of(ir, body, tiled);
    if !variance.get(looped.upper_bound(ir)).is_empty() {
        return Err(Refusal::new(
            looped.op(),
            "has a loop whose bounds differ between points",
        ));
    }
    let mut pending = vec![looped.upper_bound(ir)];
    while let Some(value) = pending.pop() {
        let Some(op) = ir
            .defining_op(value)
            .filter(|&op| ir.block_of(op) == Some(body))
        else {
            continue;
        };
        if !is_pure(ir, op) || !ir.regions(op).is_empty() {
            return Err(Refusal::new(
                op,
                "has a loop whose bounds are read at each point",
            ));
        }
        pending.extend(ir.operands(op));
    }
    Ok(())
}
