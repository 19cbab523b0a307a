//! Shapes of tiles, chosen by how many thread blocks they leave.
//!
//! ```mlir
//! %c = kernel.segmap thread (%i < %n, %j < %m) { scf.for ... }
//! ==>
//! %large = kernel.at_least %full128, "main.tile0.large" default 128, and %u at least "main.tile0.depth"
//! %c = scf.if %large { ... tiles of 128 by 128 ... } else { scf.if %small { ... of 64 by 64 ... } else { ... } }
//! ```
//! The larger a tile, the more often a thread uses what it reads: a thread with 8 by 8 points reads 16 elements for 64
//! multiplications, one with 4 by 4 reads 8 for 16. But large tiles are few, and a multiprocessor without one is idle. So
//! the largest shape of which there are enough full ones is taken, and none where the loop is shorter than a tile is deep. Tiles of
//! the smallest shape are enough where points fill a part of them only (a matrix of 12 columns, but not of one: [`Shape::part`]).
//! Where sizes are constants the defaults decide at once. A long loop ("main.tile0.split") makes up for few tiles of the smallest
//! shape, where it can be split: into as many parts as give the machine two thread blocks for each multiprocessor. With all points'
//! steps for a second kernel ("main.tile0.work"), it also makes up for few points in the choice around, as do points that are enough
//! for tiles ("main.tile0.area", [`also_by_tiles`]). Where rows or columns are known to be few, the smallest shape is as narrow
//! ([`Shape::slim`]).
//!
//! Legality: that of tiling. Applied where it pays whatever else the loop does: it reads arrays that differ along one of two
//! dimensions each, along both of them in all, and none that differs along both; or none that differs along one dimension
//! and from step to step, as where all bodies attract all others; and where what it carries at all points of a thread fits
//! its registers: of large tuples a thread has fewer points.

use super::apply::{Stopped, Watch, apply};
use super::explain::{Tried, Verdict};
use super::plan::{self, Line, Plan, SIXTH, Tiles};
use super::shape::TileShape;
use super::split::{can_split, split};
use super::variance::Variance;
use super::{Products, Refusal, join, scheduled};
use crate::choice::{Answer, Threshold, all_tiles, branch, full_tiles};
use crate::contract::{suit_warpgroups, suit_warps};
use segra_ir::{Builder, Ir, Op, OpView, TypeKind, Value};
use segra_kernel::access::Read;
use segra_kernel::contract::{LINE, warpgroup_points};
use segra_kernel::registers::Registers;
use segra_kernel::segop::SegMapOp;
use segra_kernel::threshold::AtLeastOp;
use segra_space::Schedule;
use segra_std::arith::{self, CmpIPredicate, index};
use segra_std::scf::{ForOp, IfOp};

/// A shape of tiles.
struct Shape {
    /// The last part of its threshold's name.
    name: &'static str,
    /// The last part of the name of that for the length of the loop.
    depth: &'static str,
    tiles: Tiles,
    /// How many dimensions are tiled.
    dimensions: &'static [usize],
    /// From how many thread blocks on it is taken.
    blocks: i64,
    /// Thread blocks that there shall be, where parts of a loop make more of fewer tiles.
    split: Option<i64>,
    /// Whether it is only for what no shape before it can have.
    instead: bool,
    /// Most registers of a thread for what a loop carries at all its points.
    words: i64,
}

/// Lines of this many points, of which a thread has so many.
const fn line(extent: i64, registers: i64) -> Line {
    Line {
        extent,
        registers,
        depth: 64,
    }
}

const fn square(extent: i64, registers: i64, depth: i64) -> Tiles {
    Tiles {
        plane: [extent, extent],
        registers: [registers, registers],
        depth,
        line: line(512, 4),
        stages: 2,
        exactly: false,
    }
}

/// Tiles of steps that are on their way or used, where warpgroups multiply: a step is a line ([`LINE`]).
const WARPGROUP_STAGES: i64 = 3;

impl Shape {
    /// The shape for numbers of 16 bits, of which twice as many steps take as much shared memory, or for wider ones; and for
    /// products that warpgroups make, where they have tiles like these.
    fn of(&self, narrow: bool, together: bool) -> Shape {
        let mut tiles = self.tiles;
        tiles.depth *= if narrow { 2 } else { 1 };
        let suits = |tiles: &Tiles| warpgroup_points(tiles.plane).is_some();
        if together && self.dimensions.contains(&2) && suits(&tiles) {
            tiles.depth = LINE;
            (tiles.stages, tiles.exactly) = (WARPGROUP_STAGES, true);
        }
        Shape { tiles, ..*self }
    }

    /// The shape with the tiles that someone asks for, of whom it is enough if there is one.
    fn given(&self, given: TileShape) -> Shape {
        let mut tiles = self.tiles;
        (tiles.plane, tiles.registers) = (given.tile(), given.points);
        tiles.depth = given.steps;
        Shape {
            tiles,
            // Another number of steps has another default.
            depth: "large-depth",
            blocks: 1,
            words: MOST_WORDS_AFTER,
            ..*self
        }
    }

    /// The shape with twice as many points of a thread along the columns, for products that warps make: each reads 8 + 16
    /// fragments for 128 multiplications of them, not 8 + 8 for 64, and carries what is left of its registers.
    fn for_warps(&self) -> Shape {
        let mut tiles = self.tiles;
        tiles.registers[1] *= 2;
        Shape {
            tiles,
            words: 2 * self.words,
            ..*self
        }
    }

    /// The shape for nests with few rows or columns, as far as sizes are constants: as many points, in fewer threads, which read
    /// 8 + 4 elements for 32 multiplications in place of 4 + 4 for 16.
    ///
    /// Estimated on an H100, 60,000 x 32 by 32 x 32, in us: 13.6 by tiles of 64 x 64, which are half full; of 128 x 32 with 4 x 4
    /// points of a thread 8.8, with 8 x 4 7.9; the matrices alone take 7.6 (from memory).
    fn slim(&self, ir: &Ir, segmap: SegMapOp) -> Option<Shape> {
        let plan = fitting(ir, segmap, self).ok()?;
        let [rows, columns] = *plan.dims else {
            return None;
        };
        let sizes = segmap.sizes(ir);
        let few = |dim: usize| {
            let size = sizes.get(dim).and_then(|&size| ir.constant_int(size));
            size.is_some_and(|size| size <= SLIM)
        };
        let mut tiles = self.tiles;
        let ([tall, wide], [more, less]) = ([4 * SLIM, SLIM], [8, 4]);
        (tiles.plane, tiles.registers) = match (few(rows), few(columns)) {
            (false, true) => ([tall, wide], [more, less]),
            (true, false) => ([wide, tall], [less, more]),
            _ => return None,
        };
        let slim = Shape { tiles, ..*self };
        fitting(ir, segmap, &slim).is_ok().then_some(slim)
    }

    /// Whether few tiles of a long loop are no hindrance.
    fn splits(&self, ir: &Ir, segmap: SegMapOp, plan: &Plan) -> bool {
        self.split.is_some() && can_split(ir, segmap, plan.looped)
    }

    /// Which part of the tiles' points a nest has at least where they pay, the inverse of it: 1, where only full tiles count.
    /// Where a point takes several registers, tiles spare less.
    ///
    /// Estimated on an H100, untiled and tiled, in us. A batch of 1,000 f32 products, by how full its tiles are: 26.7 and 14.2 at 39 %,
    /// 19.2 and 14.3 at 22 %, 14.1 and 16.3 at 10 %, 4.7 and 8.3 at 6 %; of f64 with a count, 39.0 and 42.9 at 61 %, 23.5 and 54.8
    /// at 22 %. A matrix of 1000 x 1000 by one of 30, 15, 8 and 4 columns: 131 and 14.2, 38.5 and 14.0, 14.3 and 13.9, 7.0 and 13.9.
    fn part(&self, ir: &Ir, plan: &Plan) -> i64 {
        match self.split {
            None => 1,
            Some(_) if words_of_point(ir, plan.looped) > 1 => HALF,
            Some(_) => SIXTH,
        }
    }

    /// Tiles of which there are so few that parts of the loop are for other multiprocessors.
    fn few(&self) -> i64 {
        self.split.unwrap_or_default() / 2
    }

    /// The conditions on sizes that are not known, in words, under which [`enough`] holds.
    fn conditions(
        &self,
        ir: &Ir,
        segmap: SegMapOp,
        (plan, name, splits): (&Plan, &str, bool),
    ) -> Result<Vec<String>, Refusal> {
        let sizes = segmap.sizes(ir).into_iter();
        let sizes: Vec<Option<i64>> = sizes.map(|size| ir.constant_int(size)).collect();
        let part = self.part(ir, plan);
        let tiles = known_tiles(&sizes, plan, part);
        let few_tiles = known_tiles(&sizes, plan, SIXTH).filter(|&tiles| tiles <= self.few());
        let of_parts = few_tiles.or(tiles);
        let rounds = ir.constant_int(plan.looped.upper_bound(ir));
        let few = |found: i64, least: i64, what: &str| {
            let reason = format!("has only {found} {what}, not {least}");
            Err(Refusal::new(segmap.op(), reason))
        };
        let (least, long) = (self.blocks, split_from(plan));
        let may_split = splits && rounds.is_none_or(|rounds| rounds >= long);
        let what = match part {
            1 => "full tiles",
            HALF => "tiles that are half full",
            _ => "tiles that are a sixth full",
        };
        let full = format!("at least {least} {what} ({name}.{})", self.name);
        let many = format!("at least {long} rounds of the loop ({name}.split)");
        let mut conditions = Vec::new();
        match tiles {
            Some(tiles) if tiles >= least => {}
            Some(tiles) if of_parts == Some(0) || !may_split => return few(tiles, least, what),
            // Each part of the loop has these tiles.
            Some(_) => conditions.extend(rounds.is_none().then_some(many)),
            None if !may_split => conditions.push(full),
            None if rounds.is_none() => conditions.push(format!("{full}, or 1 if {many}")),
            None => conditions.push(format!("{full} or 1, as the loop is long")),
        }
        match rounds {
            None => conditions.push(format!(
                "at least {} rounds of the loop ({name}.{})",
                plan.steps, self.depth
            )),
            Some(rounds) if rounds < plan.steps => {
                return few(rounds, plan.steps, "rounds of the loop");
            }
            Some(_) => {}
        }
        Ok(conditions)
    }
}

/// From which length on the loop of a plan is split, where there are few tiles.
fn split_from(plan: &Plan) -> i64 {
    SPLIT.max(plan.steps)
}

/// Whether a nest reads numbers of at most 16 bits only.
fn is_narrow(ir: &Ir, segmap: SegMapOp) -> bool {
    let reads = ir.walk(segmap.op()).into_iter();
    let mut bytes = reads.filter_map(|op| {
        let read = Read::of(ir, op)?;
        segra_kernel::vector::element_bytes(ir, ir.value_type(read.result(ir)))
    });
    bytes.all(|bytes| bytes <= 2)
}

/// From the largest on. An H100 has 132 multiprocessors, an A100 108. Sums for which no thread has registers at 4 by 4 points
/// have 2 by 2 of them, or one.
const SHAPES: [Shape; 5] = [
    Shape {
        name: "large",
        depth: "depth",
        tiles: square(128, 8, 16),
        dimensions: &[2],
        blocks: 128,
        split: None,
        instead: false,
        words: MOST_WORDS,
    },
    Shape {
        name: "small",
        depth: "depth",
        tiles: square(64, 4, 16),
        dimensions: &[2, 3],
        // Fewer multiprocessors with them are faster than all without: by 1.1 of 2 tiles and 40 steps, 3.3 of 16 and 512.
        blocks: 2,
        split: Some(264),
        instead: false,
        words: MOST_WORDS,
    },
    Shape {
        name: "pairs",
        depth: "depth",
        tiles: square(32, 2, 16),
        dimensions: &[2],
        blocks: 96,
        split: None,
        instead: true,
        words: MOST_WORDS,
    },
    Shape {
        name: "points",
        depth: "depth",
        tiles: square(16, 1, 16),
        dimensions: &[2],
        blocks: 96,
        split: None,
        instead: true,
        words: MOST_WORDS,
    },
    Shape {
        name: "line",
        depth: "depth",
        tiles: square(16, 1, 16),
        dimensions: &[1],
        blocks: 96,
        split: None,
        instead: true,
        words: MOST_WORDS,
    },
];

/// Rows or columns that are few: see [`Shape::slim`].
const SLIM: i64 = 32;

/// Most registers of a thread for what a loop carries at all its points: a quarter of the 255 there are. Elements
/// read for several steps, addresses and guards take about as many again.
const MOST_WORDS: i64 = 64;

/// Least steps of a part of a loop: less would not pay for writing and reading what it has summed up.
const LEAST_PART: i64 = 64;
/// From this length on, a loop of few tiles is split.
const SPLIT: i64 = 2 * LEAST_PART;

/// See [`Shape::part`].
const HALF: i64 = 2;

/// Steps of all points from which on parts of a loop pay for a second kernel, where all points without tiles are done by one:
/// products of 64 by 64 on an H100, estimated: 5.5 us untiled and 9.5 in parts of 128 steps, 10.2 and 10.8 of 384, 21.7 and
/// 11.7 of 1,000; of 100 by 100, 12.3 and 9.6 of 128.
const WORK: i64 = 1_200_000;

/// Points from which on tiles are faster than the version for fewer points, however long the loop is, where a point takes one
/// register: what either does takes time in proportion to the steps. Estimated on an H100, in us, of 17, 40 and 127 steps:
/// 512 by 20 points, 4.1 and 4.3, 5.0 and 5.0, 9.2 and 8.7; 500 by 40, 5.1 and 4.3, 7.6 and 5.0, 17.3 and 8.8; 170 by 190,
/// 5.7 and 4.3, 9.1 and 5.1, 22.0 and 9.0.
const AREA: i64 = 10_240;

/// Ops of a nest above which it is not looked at: code for several points of a thread would be many times as long, and
/// which op depends on which index takes rounds over all of them.
const MOST_OPS: usize = 200;
/// Most conditions that one is made of.
const MOST_REASONS: usize = 16;

/// Most of them with what is read of other arrays at all its points afterwards: such reads are made side by side.
const MOST_WORDS_AFTER: i64 = 160;

/// Registers of 32 bits for a value.
fn words(ir: &Ir, value: Value) -> i64 {
    let bits = match ir.ctx().type_kind(ir.value_type(value)) {
        TypeKind::Integer { width, .. } => *width,
        TypeKind::Float(kind) => kind.width(),
        _ => 64,
    };
    i64::from(bits.div_ceil(32))
}

/// Registers of 32 bits for what a loop carries at a point.
fn words_of_point(ir: &Ir, looped: ForOp) -> i64 {
    let carried = looped.init_args(ir).into_iter();
    carried.map(|value| words(ir, value)).sum()
}

/// Those for what is read after a loop of arrays that differ along all dimensions of a tile.
fn words_after(ir: &Ir, segmap: SegMapOp, plan: &Plan) -> i64 {
    let body = segmap.body_block(ir);
    let variance = Variance::of(ir, body, ir.block_args(body));
    let after = ir
        .ops(body)
        .filter(|&op| ir.is_before(plan.looped.op(), op))
        .filter_map(|op| Read::of(ir, op));
    let differs = |read: &Read| {
        let place = variance.get(read.result(ir));
        plan.dims.iter().all(|&dim| place.contains(dim))
    };
    after
        .filter(differs)
        .map(|read| words(ir, read.result(ir)))
        .sum()
}

/// Gives a segmap versions with tiles, of which thresholds choose whose names begin with `name`. How many there are.
///
/// # Errors
/// Why there are none.
pub(super) fn by_size(
    ir: &mut Ir,
    segmap: SegMapOp,
    (name, products): (&str, Products),
    watch: &mut Watch<'_>,
) -> Result<usize, Stopped> {
    also_by_tiles(ir, segmap, (name, products));
    let (mut rest, mut made) = (segmap, 0);
    let (mut fits, mut reason) = (false, None);
    for shape in shapes(ir, segmap, products) {
        if fits && shape.instead {
            continue;
        }
        let (asked, joined) = join::of_joined(ir, rest, |ir, joined| {
            let plan = fitting(ir, joined, &shape)?;
            // Parts are made of a nest as it is written.
            let splits = joined == rest && shape.splits(ir, joined, &plan);
            let answer = enough(ir, joined, &shape, (&plan, name, splits));
            Ok((plan, answer, splits))
        });
        let (plan, answer, splits) = match asked {
            Ok((_, Answer::Known(false), _)) => continue,
            Ok(found) => found,
            Err(refusal) => {
                reason.get_or_insert(refusal);
                continue;
            }
        };
        fits = true;
        let schedule = scheduled(rest, &plan, &shape.tiles, joined)?;
        let other = match answer {
            Answer::Known(_) => None,
            Answer::Asked(condition) => {
                let copy = branch(ir, rest.op(), condition);
                ir.cast::<SegMapOp>(copy)
            }
        };
        let parts = match splits {
            true => in_parts(ir, rest, &shape, &plan)?,
            false => None,
        };
        match parts {
            None => apply(ir, rest, &schedule, watch)?,
            Some(parts) => {
                let plan = plan::sure_plan(ir, parts, &shape.tiles)?;
                let schedule = scheduled(parts, &plan, &shape.tiles, false)?;
                apply(ir, parts, &schedule, watch)?
            }
        };
        made += 1;
        match other {
            Some(other) => rest = other,
            None => return Ok(made),
        }
    }
    match reason {
        Some(refusal) if made == 0 => Err(Stopped::Declined(refusal)),
        _ => Ok(made),
    }
}

/// The shapes for a nest, from the largest on.
fn shapes(ir: &Ir, segmap: SegMapOp, products: Products) -> Vec<Shape> {
    let narrow = is_narrow(ir, segmap);
    let together = products.warpgroups && suit_warpgroups(ir, segmap);
    let mut shapes: Vec<Shape> = SHAPES
        .iter()
        .map(|shape| match (shape.name, products.large) {
            ("large", Some(given)) => shape.given(given).of(narrow, together),
            _ => shape.of(narrow, together),
        })
        .collect();
    if products.large.is_none()
        && !together
        && suit_warps(ir, segmap, products.oldest, products.allow_tf32)
    {
        let wide = shapes[0].for_warps();
        shapes[0].instead = true;
        shapes.insert(0, wide);
    } else if !together
        && let Some(small) = shapes.iter_mut().find(|shape| shape.split.is_some())
        && let Some(slim) = small.slim(ir, segmap)
    {
        *small = slim;
    }
    shapes
}

/// The shapes that [`by_size`] tries, and under which conditions it takes them.
pub(super) fn tried(
    ir: &mut Ir,
    segmap: SegMapOp,
    (name, products): (&str, Products),
) -> Vec<Tried> {
    let (mut all, mut fits) = (Vec::new(), false);
    for shape in shapes(ir, segmap, products) {
        if fits && shape.instead {
            continue;
        }
        let (found, joined) = join::of_joined(ir, segmap, |ir, joined| {
            let plan = fitting(ir, joined, &shape)?;
            // As in [`by_size`]: joined loops are not split.
            let splits = joined == segmap && shape.splits(ir, joined, &plan);
            let conditions = shape.conditions(ir, joined, (&plan, name, splits));
            Ok((plan, conditions))
        });
        fits |= found
            .as_ref()
            .is_ok_and(|(_, conditions)| conditions.is_ok());
        let found = found.and_then(|(plan, conditions)| {
            Ok((scheduled(segmap, &plan, &shape.tiles, joined)?, conditions))
        });
        let (schedule, verdict): (Option<Schedule>, Verdict) = match found {
            Ok((schedule, Ok(conditions))) => (Some(schedule), Verdict::Taken(conditions)),
            Ok((schedule, Err(refusal))) => (Some(schedule), Verdict::Declined(refusal)),
            Err(refusal) => (None, Verdict::Declined(refusal)),
        };
        let always = verdict == Verdict::Taken(Vec::new());
        all.push(Tried {
            shape: shape.name,
            schedule,
            verdict,
        });
        if always {
            break;
        }
    }
    all
}

/// The tiles of a shape, where they pay and a thread has registers for them.
fn fitting(ir: &Ir, segmap: SegMapOp, shape: &Shape) -> Result<Plan, Refusal> {
    let refuse = |reason: &str| Err(Refusal::new(segmap.op(), reason));
    if ir.walk(segmap.op()).len() > MOST_OPS {
        return refuse("has a body too long for several points at once in a thread");
    }
    let plan = plan::sure_plan(ir, segmap, &shape.tiles)?;
    if !shape.dimensions.contains(&plan.dims.len()) {
        return refuse("is tiled along other dimensions");
    }
    let points = plan.registers.as_ref().map_or(1, Registers::points);
    let words = words_of_point(ir, plan.looped);
    if points > 1 && words * points > shape.words {
        return refuse("carries more than the registers of a thread hold at all its points");
    }
    if points > 1 && (words + words_after(ir, segmap, &plan)) * points > MOST_WORDS_AFTER {
        return refuse("reads more after its loop than the registers of a thread hold");
    }
    let length = plan.looped.upper_bound(ir);
    let inside = ir
        .defining_op(length)
        .is_some_and(|op| ir.ancestors(op).any(|around| around == segmap.op()));
    match inside {
        true => refuse("has a loop whose length is not known outside of it"),
        false => Ok(plan),
    }
}

/// Whether there are enough tiles of a shape for it to be taken.
fn enough(
    ir: &mut Ir,
    segmap: SegMapOp,
    shape: &Shape,
    (plan, name, splits): (&Plan, &str, bool),
) -> Answer {
    let mut b = Builder::before(ir, segmap.op());
    let mut answer = are_enough(&mut b, segmap, shape, (plan, name));
    if splits {
        let parts = are_split(&mut b, segmap, shape, (plan, name));
        answer = answer.or(parts, &mut b);
    }
    let deep = is_deep(&mut b, shape, (plan, name));
    answer.and(deep, &mut b)
}

/// Whether there are as many tiles as thread blocks are wanted.
fn are_enough(
    b: &mut Builder<'_>,
    segmap: SegMapOp,
    shape: &Shape,
    (plan, name): (&Plan, &str),
) -> Answer {
    let part = shape.part(b.ir, plan);
    let size = tiles(b, segmap, plan, part);
    let enough = Threshold {
        size,
        name: format!("{name}.{}", shape.name),
        default: shape.blocks,
    };
    enough.answer(b)
}

/// Whether the loop has as many steps as a tile.
fn is_deep(b: &mut Builder<'_>, shape: &Shape, (plan, name): (&Plan, &str)) -> Answer {
    let deep = Threshold {
        size: plan.looped.upper_bound(b.ir),
        name: format!("{name}.{}", shape.depth),
        default: plan.steps,
    };
    deep.answer(b)
}

/// How many tiles a nest has, if it has at least one of so many parts of their points; else 0. Of the whole, full tiles count.
fn tiles(b: &mut Builder<'_>, segmap: SegMapOp, plan: &Plan, part: i64) -> Value {
    let sizes = segmap.sizes(b.ir);
    if part == 1 {
        return full_tiles(b, &sizes, &plan.extents);
    }
    let all = all_tiles(b, &sizes, &plan.extents);
    let points = index::product(b, &sizes);
    let least = index::constant(b, least_points(plan, part));
    let least = index::mul(b, all, least);
    let filled = index::cmp(b, CmpIPredicate::Sge, points, least);
    let none = index::constant(b, 0);
    match b.ir.constant_int(filled) {
        Some(0) => none,
        Some(_) => all,
        None => arith::SelectOp::build(b, filled, all, none).result(b.ir),
    }
}

/// The same, of sizes as far as they are constants; none where the number is none.
fn known_tiles(sizes: &[Option<i64>], plan: &Plan, part: i64) -> Option<i64> {
    let outer = sizes.len() - plan.extents.len();
    let extents = std::iter::repeat_n(1, outer).chain(plan.extents.iter().copied());
    let dims = || sizes.iter().copied().zip(extents.clone());
    let none = |size: i64, extent: i64| size == 0 || (part == 1 && size < extent);
    if dims().any(|(size, extent)| size.is_some_and(|size| none(size, extent))) {
        return Some(0);
    }
    let of_dim = |(size, extent): (Option<i64>, i64)| match part {
        1 => Some(size? / extent),
        _ => Some(size? / extent + i64::from(size? % extent > 0)),
    };
    let product = |all: i64, one: Option<i64>| Some(all.saturating_mul(one?));
    let tiles = dims().map(of_dim).try_fold(1, product)?;
    let points = sizes.iter().copied().try_fold(1, product)?;
    let filled = points >= tiles.saturating_mul(least_points(plan, part));
    Some(if part == 1 || filled { tiles } else { 0 })
}

/// Points of a tile that are at least this part of them.
fn least_points(plan: &Plan, part: i64) -> i64 {
    plan.extents.iter().product::<i64>() / part
}

/// Whether the loop of a nest is long enough for parts to make up for there being few tiles; a nest that fills a small part
/// of each wastes the rest.
fn are_split(
    b: &mut Builder<'_>,
    segmap: SegMapOp,
    shape: &Shape,
    (plan, name): (&Plan, &str),
) -> Answer {
    let long = Threshold {
        size: plan.looped.upper_bound(b.ir),
        name: format!("{name}.split"),
        default: split_from(plan),
    };
    let any = |b: &mut Builder<'_>, tiles: Value| {
        let zero = index::constant(b, 0);
        let any = index::cmp(b, CmpIPredicate::Sgt, tiles, zero);
        Answer::of(b.ir, any)
    };
    let part = shape.part(b.ir, plan);
    let filled = tiles(b, segmap, plan, part);
    let mut filled = any(b, filled);
    if part != SIXTH {
        let less = tiles(b, segmap, plan, SIXTH);
        let few = index::constant(b, shape.few());
        let few = index::cmp(b, CmpIPredicate::Sle, less, few);
        let few = Answer::of(b.ir, few);
        let less = any(b, less).and(few, b);
        filled = filled.or(less, b);
    }
    long.answer(b).and(filled, b)
}

/// Further reasons for a nest that is the first version of a choice by its points, each of which a loop runs: that there are
/// enough points for tiles, which is earlier than enough for a loop each; and that tiles of a part of the loop each are enough,
/// however few points there are.
///
/// ```mlir
/// %many = kernel.at_least %points, "main.top.0" default 32768
/// scf.if %many { kernel.segmap thread (%i < %n, %j < %m) { scf.for %k = 0 to %u ... } } else { kernel.segred (..., %k < %u) ... }
/// ==>
/// scf.if (%many or (%tiles at least "main.tile0.small" and %u at least "main.tile0.depth" and %points at least "main.tile0.area")
///     or (%u at least "main.tile0.split" and %tiles > 0 and %points * %u at least "main.tile0.work")) ...
/// ```
fn also_by_tiles(ir: &mut Ir, segmap: SegMapOp, (name, products): (&str, Products)) {
    let alone = |ir: &Ir, choice: IfOp| {
        let first = ir.entry_block(choice.then_region(ir));
        let regions = |&op: &Op| !ir.regions(op).is_empty();
        first.is_some_and(|block| ir.ops(block).filter(regions).eq([segmap.op()]))
    };
    let choice = ir.ancestors(segmap.op()).nth(1);
    let choice = choice.and_then(|around| ir.cast::<IfOp>(around));
    let Some(choice) = choice.filter(|&choice| alone(ir, choice)) else {
        return;
    };
    let condition = choice.condition(ir);
    if !asks_points(ir, condition) {
        return;
    }
    let splitting = shapes(ir, segmap, products).into_iter().find_map(|shape| {
        let plan = fitting(ir, segmap, &shape).ok()?;
        shape.splits(ir, segmap, &plan).then_some((shape, plan))
    });
    let Some((shape, plan)) = splitting else {
        return;
    };
    let (sizes, length) = (segmap.sizes(ir), plan.looped.upper_bound(ir));
    let inside = |&size: &Value| ir.is_defined_inside(size, choice.op());
    if sizes.iter().any(&inside) || inside(&length) {
        return;
    }
    let words = words_of_point(ir, plan.looped);
    let mut b = Builder::before(ir, choice.op());
    let points = index::product(&mut b, &sizes);
    let area = Threshold {
        size: points,
        name: format!("{name}.area"),
        default: AREA.saturating_mul(words),
    };
    let tiled = are_enough(&mut b, segmap, &shape, (&plan, name));
    let deep = is_deep(&mut b, &shape, (&plan, name));
    let tiled = tiled.and(deep, &mut b);
    let area = area.answer(&mut b);
    let tiled = tiled.and(area, &mut b);
    let parts = are_split(&mut b, segmap, &shape, (&plan, name));
    let work = Threshold {
        size: index::mul(&mut b, points, length),
        name: format!("{name}.work"),
        default: WORK,
    };
    let work = work.answer(&mut b);
    let parts = parts.and(work, &mut b);
    let reasons = tiled.or(parts, &mut b);
    let either = Answer::Asked(condition).or(reasons, &mut b);
    let either = either.value(&mut b);
    ir.set_operand(choice.op(), 0, either);
}

/// Whether a condition holds where there are enough points, or for other reasons, too.
fn asks_points(ir: &Ir, condition: Value) -> bool {
    let mut pending = vec![condition];
    for _ in 0..MOST_REASONS {
        let Some(reason) = pending.pop() else {
            break;
        };
        if ir.def_as::<AtLeastOp>(reason).is_some() {
            return true;
        }
        if let Some(either) = ir.def_as::<arith::OrIOp>(reason) {
            pending.extend([either.rhs(ir), either.lhs(ir)]);
        }
    }
    false
}

/// The loop of a nest in parts, where there are few tiles of this shape: the nest over them. None where there is only one.
fn in_parts(
    ir: &mut Ir,
    segmap: SegMapOp,
    shape: &Shape,
    plan: &Plan,
) -> Result<Option<SegMapOp>, Refusal> {
    let Some(wanted) = shape.split else {
        return Ok(None);
    };
    let (sizes, length) = (segmap.sizes(ir), plan.looped.upper_bound(ir));
    let mut b = Builder::before(ir, segmap.op());
    let (one, wanted) = (index::constant(&mut b, 1), index::constant(&mut b, wanted));
    let blocks = all_tiles(&mut b, &sizes, &plan.extents);
    let blocks = index::max(&mut b, blocks, one);
    let missing = index::div(&mut b, wanted, blocks);
    let least = index::constant(&mut b, LEAST_PART);
    let most = index::div(&mut b, length, least);
    let at_most = |b: &mut Builder<'_>, most: Value| {
        let parts = index::min(b, missing, most);
        index::max(b, parts, one)
    };
    let parts = at_most(&mut b, most);
    // No more than have a step, when each is as many tiles long.
    let deep = index::constant(&mut b, plan.steps);
    let steps = index::ceil_div(&mut b, length, parts);
    let tiles = index::ceil_div(&mut b, steps, deep);
    let tiles = index::max(&mut b, tiles, one);
    let long = index::mul(&mut b, tiles, deep);
    let filled = index::ceil_div(&mut b, length, long);
    let most = index::min(&mut b, most, filled);
    let parts = at_most(&mut b, most);
    if b.ir.constant_int(parts) == Some(1) {
        return Ok(None);
    }
    split(ir, segmap, plan.looped, (parts, plan.steps)).map(Some)
}
