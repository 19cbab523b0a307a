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
//! the largest shape of which there are enough full ones is taken (of a matrix of one row, most of a tile is wasted), and none where the loop is shorter than a tile is deep. Where
//! sizes are constants the defaults decide at once.
//!
//! Legality: that of tiling. Applied where it pays whatever else the loop does: it reads arrays that differ along one of two
//! dimensions each, along both of them in all, and none that differs along both; or none that differs along one dimension
//! and from step to step, as where all bodies attract all others; and where what it carries at all points of a thread fits
//! its registers: of large tuples a thread has fewer points.

use super::apply::{Stopped, Watch, apply};
use super::explain::{Tried, Verdict};
use super::plan::{self, Line, Plan, Tiles};
use super::variance::Variance;
use super::{Refusal, join, scheduled};
use crate::choice::{Answer, Threshold, branch};
use segra_ir::{Builder, Ir, OpView, TypeKind, Value};
use segra_kernel::access::ReadOp;
use segra_kernel::registers::Registers;
use segra_kernel::segop::SegMapOp;
use segra_space::Schedule;
use segra_std::arith::{self, index};
use segra_std::scf::ForOp;

/// A shape of tiles.
struct Shape {
    /// The last part of its threshold's name.
    name: &'static str,
    tiles: Tiles,
    /// How many dimensions are tiled.
    dimensions: &'static [usize],
    /// From how many thread blocks on it is taken.
    blocks: i64,
    /// Whether it is only for what no shape before it can have.
    instead: bool,
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
    }
}

impl Shape {
    /// The shape for numbers of 16 bits, of which twice as many steps take as much shared memory, or for wider ones.
    fn of(&self, narrow: bool) -> Shape {
        let mut tiles = self.tiles;
        tiles.depth *= if narrow { 2 } else { 1 };
        Shape { tiles, ..*self }
    }
}

impl Shape {
    /// The conditions on sizes that are not known, in words, under which [`enough`] holds.
    fn conditions(
        &self,
        ir: &Ir,
        segmap: SegMapOp,
        plan: &Plan,
        name: &str,
    ) -> Result<Vec<String>, Refusal> {
        let sizes = segmap.sizes(ir);
        let (outer, inner) = sizes.split_at(sizes.len() - plan.extents.len());
        let known = |&size: &Value| ir.constant_int(size);
        let inner = inner.iter().zip(&plan.extents);
        let tiles = outer
            .iter()
            .map(known)
            .chain(inner.map(|(size, extent)| Some(known(size)? / extent)))
            .try_fold(1i64, |all, tiles| all.checked_mul(tiles?));
        let rounds = known(&plan.looped.upper_bound(ir));
        let mut conditions = Vec::new();
        for (found, least, what, part) in [
            (tiles, self.blocks, "full tiles", self.name),
            (rounds, plan.steps, "rounds of the loop", "depth"),
        ] {
            match found {
                None => conditions.push(format!("at least {least} {what} ({name}.{part})")),
                Some(found) if found < least => {
                    let reason = format!("has only {found} {what}, not {least}");
                    return Err(Refusal::new(segmap.op(), reason));
                }
                Some(_) => {}
            }
        }
        Ok(conditions)
    }
}

/// Whether a nest reads numbers of at most 16 bits only.
fn is_narrow(ir: &Ir, segmap: SegMapOp) -> bool {
    let reads = ir.walk(segmap.op()).into_iter();
    let mut bytes = reads.filter_map(|op| {
        let read = ir.cast::<ReadOp>(op)?;
        segra_kernel::vector::element_bytes(ir, ir.value_type(read.result(ir)))
    });
    bytes.all(|bytes| bytes <= 2)
}

/// From the largest on. An H100 has 132 multiprocessors, an A100 108. Sums for which no thread has registers at 4 by 4 points
/// have 2 by 2 of them, or one.
const SHAPES: [Shape; 5] = [
    Shape {
        name: "large",
        tiles: square(128, 8, 16),
        dimensions: &[2],
        blocks: 128,
        instead: false,
    },
    Shape {
        name: "small",
        tiles: square(64, 4, 16),
        dimensions: &[2, 3],
        blocks: 48,
        instead: false,
    },
    Shape {
        name: "pairs",
        tiles: square(32, 2, 16),
        dimensions: &[2],
        blocks: 96,
        instead: true,
    },
    Shape {
        name: "points",
        tiles: square(16, 1, 16),
        dimensions: &[2],
        blocks: 96,
        instead: true,
    },
    Shape {
        name: "line",
        tiles: square(16, 1, 16),
        dimensions: &[1],
        blocks: 96,
        instead: true,
    },
];

/// Most registers of a thread for what a loop carries at all its points: a quarter of the 255 there are. Elements
/// read for several steps, addresses and guards take about as many again.
const MOST_WORDS: i64 = 64;

/// Ops of a nest above which it is not looked at: code for several points of a thread would be many times as long, and
/// which op depends on which index takes rounds over all of them.
const MOST_OPS: usize = 200;

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
        .filter_map(|op| ir.cast::<ReadOp>(op));
    let differs = |read: &ReadOp| {
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
    name: &str,
    watch: &mut Watch<'_>,
) -> Result<usize, Stopped> {
    let (mut rest, mut made) = (segmap, 0);
    let (mut fits, mut reason) = (false, None);
    for shape in shapes(ir, segmap) {
        if fits && shape.instead {
            continue;
        }
        let (asked, joined) = join::of_joined(ir, rest, |ir, joined| {
            let plan = fitting(ir, joined, &shape)?;
            let answer = enough(ir, joined, &shape, (&plan, name));
            Ok((plan, answer))
        });
        let (plan, answer) = match asked {
            Ok(found) => found,
            Err(refusal) => {
                reason.get_or_insert(refusal);
                continue;
            }
        };
        fits = true;
        let schedule = scheduled(rest, &plan, &shape.tiles, joined)?;
        let (this, other) = match answer {
            Answer::Known(false) => continue,
            Answer::Known(true) => (rest, None),
            Answer::Asked(condition) => {
                let copy = branch(ir, rest.op(), condition);
                (rest, ir.cast::<SegMapOp>(copy))
            }
        };
        apply(ir, this, &schedule, watch)?;
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
fn shapes(ir: &Ir, segmap: SegMapOp) -> Vec<Shape> {
    let narrow = is_narrow(ir, segmap);
    SHAPES.iter().map(|shape| shape.of(narrow)).collect()
}

/// The shapes that [`by_size`] tries, and under which conditions it takes them.
pub(super) fn tried(ir: &mut Ir, segmap: SegMapOp, name: &str) -> Vec<Tried> {
    let (mut all, mut fits) = (Vec::new(), false);
    for shape in shapes(ir, segmap) {
        if fits && shape.instead {
            continue;
        }
        let (found, joined) = join::of_joined(ir, segmap, |ir, joined| {
            let plan = fitting(ir, joined, &shape)?;
            let conditions = shape.conditions(ir, joined, &plan, name);
            Ok((plan, conditions))
        });
        fits |= found.is_ok();
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
    if points > 1 && words * points > MOST_WORDS {
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
fn enough(ir: &mut Ir, segmap: SegMapOp, shape: &Shape, (plan, name): (&Plan, &str)) -> Answer {
    let (sizes, length) = (segmap.sizes(ir), plan.looped.upper_bound(ir));
    let outer = sizes.len() - plan.extents.len();
    let mut b = Builder::before(ir, segmap.op());
    let mut blocks = sizes[..outer].to_vec();
    for (&size, &extent) in sizes[outer..].iter().zip(&plan.extents) {
        blocks.push(match b.ir.constant_int(size) {
            _ if extent == 1 => size,
            Some(size) => arith::ConstantOp::index(&mut b, size / extent),
            None => {
                let extent = arith::ConstantOp::index(&mut b, extent);
                arith::DivUIOp::build(&mut b, size, extent).result(b.ir)
            }
        });
    }
    let size = index::product(&mut b, &blocks);
    let enough = Threshold {
        size,
        name: format!("{name}.{}", shape.name),
        default: shape.blocks,
    };
    let deep = Threshold {
        size: length,
        name: format!("{name}.depth"),
        default: plan.steps,
    };
    let enough = enough.answer(&mut b);
    let deep = deep.answer(&mut b);
    enough.and(deep, &mut b)
}
