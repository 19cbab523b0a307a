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
//! sizes are constants the defaults decide at once. A long loop ("main.tile0.split") makes up for few tiles of the smallest
//! shape, where it can be split: into as many parts as give the machine two thread blocks for each multiprocessor.
//!
//! Legality: that of tiling. Applied where the loop reads arrays that differ along one of the two innermost dimensions
//! each, along both of them in all, and none that differs along both; and where what it carries at all points of a thread
//! fits its registers.

use super::plan::{self, Tiles};
use super::split::{can_split, split};
use super::{Refusal, tile};
use crate::choice::{Answer, Threshold, branch};
use segra_ir::{Builder, Ir, OpView, TypeKind, Value};
use segra_kernel::access::ReadOp;
use segra_kernel::segop::SegMapOp;
use segra_std::arith::{self, CmpIPredicate, index};
use segra_std::scf::ForOp;

/// A shape of tiles.
struct Shape {
    /// The last part of its threshold's name.
    name: &'static str,
    tiles: Tiles,
    /// From how many thread blocks on it is taken.
    blocks: i64,
    /// Thread blocks that there shall be, where parts of a loop make more of fewer tiles.
    split: Option<i64>,
}

const fn square(extent: i64, registers: i64, depth: i64) -> Tiles {
    Tiles {
        plane: [extent, extent],
        registers: [registers, registers],
        depth,
        line: 256,
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

/// Whether a nest reads numbers of at most 16 bits only.
fn is_narrow(ir: &Ir, segmap: SegMapOp) -> bool {
    let reads = ir.walk(segmap.op()).into_iter();
    let mut bytes = reads.filter_map(|op| {
        let read = ir.cast::<ReadOp>(op)?;
        segra_kernel::vector::element_bytes(ir, ir.value_type(read.result(ir)))
    });
    bytes.all(|bytes| bytes <= 2)
}

/// From the largest on. An H100 has 132 multiprocessors, an A100 108.
const SHAPES: [Shape; 2] = [
    Shape {
        name: "large",
        tiles: square(128, 8, 16),
        blocks: 128,
        split: None,
    },
    Shape {
        name: "small",
        tiles: square(64, 4, 16),
        blocks: 48,
        split: Some(264),
    },
];

/// Most registers of a thread for what a loop carries at all its points: a quarter of the 255 there are. Elements
/// read for several steps, addresses and guards take about as many again.
const MOST_WORDS: i64 = 64;

/// Least steps of a part of a loop: less would not pay for writing and reading what it has summed up.
const LEAST_PART: i64 = 256;
/// From this length on, a loop of few tiles is split.
const SPLIT: i64 = 1024;

/// Ops of a nest above which it is not looked at: code for several points of a thread would be many times as long, and
/// which op depends on which index takes rounds over all of them.
const MOST_OPS: usize = 200;

/// Registers of 32 bits for what a loop carries at a point.
fn words_of_point(ir: &Ir, looped: ForOp) -> i64 {
    let words = |value: Value| {
        let bits = match ir.ctx().type_kind(ir.value_type(value)) {
            TypeKind::Integer { width, .. } => *width,
            TypeKind::Float(kind) => kind.width(),
            _ => 64,
        };
        i64::from(bits.div_ceil(32))
    };
    looped.init_args(ir).into_iter().map(words).sum()
}

/// Gives a segmap versions with tiles, of which thresholds choose whose names begin with `name`. How many there are.
///
/// # Errors
/// Why there are none.
pub(super) fn by_size(ir: &mut Ir, segmap: SegMapOp, name: &str) -> Result<usize, Refusal> {
    let mut rest = segmap;
    let mut made = 0;
    let mut reason = None;
    let narrow = is_narrow(ir, segmap);
    for shape in SHAPES.iter().map(|shape| shape.of(narrow)) {
        let answer = match enough(ir, rest, &shape, name) {
            Ok(answer) => answer,
            Err(refusal) => {
                reason = Some(refusal);
                continue;
            }
        };
        let (this, other) = match answer {
            Answer::Known(false) => continue,
            Answer::Known(true) => (rest, None),
            Answer::Asked(condition) => {
                let copy = branch(ir, rest.op(), condition);
                (rest, ir.cast::<SegMapOp>(copy))
            }
        };
        tile_in_parts(ir, this, &shape)?;
        made += 1;
        match other {
            Some(other) => rest = other,
            None => return Ok(made),
        }
    }
    match reason {
        Some(refusal) if made == 0 => Err(refusal),
        _ => Ok(made),
    }
}

/// Whether there are enough tiles of a shape for it to be taken.
fn enough(ir: &mut Ir, segmap: SegMapOp, shape: &Shape, name: &str) -> Result<Answer, Refusal> {
    let refuse = |reason: &str| Err(Refusal::new(segmap.op(), reason));
    let tiles = &shape.tiles;
    if ir.walk(segmap.op()).len() > MOST_OPS {
        return refuse("has a body too long for several points at once in a thread");
    }
    if plan::plan(ir, segmap, tiles)? != 2 {
        return refuse("reads nothing that is the same along two dimensions");
    }
    let looped = plan::tiled_loop(ir, segmap, tiles, 2)?;
    let Some(looped) = looped.filter(|&looped| plan::shared_along_both(ir, segmap, looped)) else {
        return refuse("reads nothing that is the same along either of two dimensions");
    };
    let words = words_of_point(ir, looped);
    if words * tiles.registers.iter().product::<i64>() > MOST_WORDS {
        return refuse("carries more than the registers of a thread hold at all its points");
    }
    let length = looped.upper_bound(ir);
    let inside = ir
        .defining_op(length)
        .is_some_and(|op| ir.ancestors(op).any(|around| around == segmap.op()));
    if inside {
        return refuse("has a loop whose length is not known outside of it");
    }
    let sizes = segmap.sizes(ir);
    let mut b = Builder::before(ir, segmap.op());
    let mut blocks = sizes[..sizes.len() - 2].to_vec();
    for (&size, &extent) in sizes[sizes.len() - 2..].iter().zip(&tiles.plane) {
        blocks.push(match b.ir.constant_int(size) {
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
    let at_least = |part: &str, default: i64| Threshold {
        size: length,
        name: format!("{name}.{part}"),
        default,
    };
    let (deep, long) = (
        at_least("depth", tiles.depth),
        at_least("split", SPLIT.max(tiles.depth)),
    );
    let mut answer = enough.answer(&mut b);
    if shape.split.is_some() && can_split(b.ir, segmap, looped) {
        let any = match b.ir.constant_int(size) {
            Some(tiles) => Answer::Known(tiles > 0),
            None => {
                let zero = index::constant(&mut b, 0);
                Answer::Asked(index::cmp(&mut b, CmpIPredicate::Sgt, size, zero))
            }
        };
        let long = long.answer(&mut b).and(any, &mut b);
        answer = answer.or(long, &mut b);
    }
    let deep = deep.answer(&mut b);
    Ok(answer.and(deep, &mut b))
}

/// Tiles a nest, its loop in parts where there are few tiles of this shape.
fn tile_in_parts(ir: &mut Ir, segmap: SegMapOp, shape: &Shape) -> Result<usize, Refusal> {
    let tiles = &shape.tiles;
    let looped = plan::tiled_loop(ir, segmap, tiles, 2)?;
    let looped = looped.filter(|&looped| can_split(ir, segmap, looped));
    let (Some(wanted), Some(looped)) = (shape.split, looped) else {
        return tile(ir, segmap, tiles);
    };
    let sizes = segmap.sizes(ir);
    let length = looped.upper_bound(ir);
    let mut b = Builder::before(ir, segmap.op());
    let (outer, plane) = sizes.split_at(sizes.len() - 2);
    let mut blocks = outer.to_vec();
    for (&size, &extent) in plane.iter().zip(&tiles.plane) {
        let extent = index::constant(&mut b, extent);
        blocks.push(index::ceil_div(&mut b, size, extent));
    }
    let (one, wanted) = (index::constant(&mut b, 1), index::constant(&mut b, wanted));
    let blocks = index::product(&mut b, &blocks);
    let blocks = index::max(&mut b, blocks, one);
    let missing = index::div(&mut b, wanted, blocks);
    let least = index::constant(&mut b, LEAST_PART);
    let most = index::div(&mut b, length, least);
    let parts = index::min(&mut b, missing, most);
    let parts = index::max(&mut b, parts, one);
    if b.ir.constant_int(parts) == Some(1) {
        return tile(ir, segmap, tiles);
    }
    let first = split(ir, segmap, looped, (parts, tiles.depth))?;
    tile(ir, first, tiles)
}
