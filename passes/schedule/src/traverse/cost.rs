//! How long kernels take, predicted from a device's figures.
//!
//! Filipovič et al., 4.2: the time of a kernel is the larger one of what its transfers take and what its computation takes,
//! summed over its parts; here a launch is added for each kernel, whose absence the paper names as its cause of error
//! (5.3). Transfers are elements that arguments have or results, each once in a kernel, over the bandwidth; where threads
//! read down columns, sectors over that of the L2 cache, too. Computation is the larger one of instructions over those the
//! device issues, and of requests over those that its warps have under way.

use crate::traverse::member::{Kind, Member};
use crate::traverse::tile::{LANES, Shape};
use segra_ir::interfaces::known_extent;
use segra_ir::{AttrKind, Ir, Op, TypeKind, Value, ValueDef};
use segra_kernel::access::{DimOp, ReadOp};
use segra_kernel::segop::{SegRedOp, SegmentedOp};
use segra_kernel::vector;
use segra_space::Target;
use segra_std::arith;
use std::collections::BTreeMap;

/// Bytes that move from the L2 cache for one element where neighbours are apart.
const SECTOR: f64 = Target::CUDA.sector_bytes as f64;
/// Instructions of a point beside its body: indices, the loop.
const AROUND: f64 = 6.0;
/// Instructions of a body that has loops.
const MUCH: i64 = 60;
/// Elements of a reduction that one thread block combines; more of them take two kernels.
const ONE_BLOCK: f64 = 4096.0;

/// The rates of a device.
#[derive(Clone, Debug)]
pub struct Figures {
    /// Its name.
    pub name: String,
    /// Bytes that its memory moves in a microsecond.
    pub bytes: f64,
    /// The same of its L2 cache.
    pub l2_bytes: f64,
    /// Instructions of warps that it issues in a microsecond.
    pub instructions: f64,
    /// Warps that it holds at a time.
    pub warps: f64,
    /// Multiprocessors.
    pub multiprocessors: f64,
    /// Microseconds that a request to memory takes.
    pub latency: f64,
    /// Microseconds that a launch takes.
    pub launch: f64,
}

/// Extents that symbolic sizes have.
#[derive(Clone, Debug)]
pub struct Sizes {
    /// Those with a name in the program.
    pub named: BTreeMap<String, i64>,
    /// All others.
    pub other: i64,
}

impl Sizes {
    /// The number that an index value is.
    pub(super) fn value(&self, ir: &Ir, value: Value) -> f64 {
        self.known(ir, value, 0).unwrap_or(self.other as f64)
    }

    fn known(&self, ir: &Ir, value: Value, depth: usize) -> Option<f64> {
        if let Some(known) = ir.constant_int(value) {
            return Some(known as f64);
        }
        if depth > 16 {
            return None;
        }
        let op = ir.defining_op(value)?;
        if let Some(dim) = ir.cast::<DimOp>(op) {
            return self.dimension(ir, dim.tensor(ir), dim.dim(ir), depth);
        }
        let mut operands = ir
            .operands(op)
            .map(|value| self.known(ir, value, depth + 1));
        let (x, y) = (operands.next()??, operands.next()??);
        match () {
            () if ir.isa::<arith::AddIOp>(op) => Some(x + y),
            () if ir.isa::<arith::SubIOp>(op) => Some(x - y),
            () if ir.isa::<arith::MulIOp>(op) => Some(x * y),
            () if ir.isa::<arith::DivUIOp>(op) && y > 0.0 => Some((x / y).floor()),
            () => None,
        }
    }

    fn dimension(&self, ir: &Ir, tensor: Value, dim: i64, depth: usize) -> Option<f64> {
        let at = usize::try_from(dim).ok()?;
        if let Some(size) = known_extent(ir, tensor, at) {
            return self.known(ir, size, depth + 1);
        }
        let ValueDef::Argument { block, index } = ir.value_def(tensor) else {
            return None;
        };
        let ctx = ir.ctx();
        let dicts = ir.attr_named(ir.block_parent(block)?, "arg_attrs")?;
        let dict = *dicts.as_array(ctx)?.get(usize::try_from(index).ok()?)?;
        let AttrKind::Dict(dict) = *ctx.attr_kind(dict) else {
            return None;
        };
        let names = ctx.lookup(dict, ctx.ident("array.sizes"))?.as_array(ctx)?;
        let name = names.get(at)?.as_str(ctx)?;
        self.named.get(name).map(|&size| size as f64)
    }
}

/// A dimension of a nest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Axis {
    Row,
    Column,
    /// Another one, by number.
    Other(usize),
}

/// Elements of an array that a nest reads: by which dimensions each index goes, none where it is computed.
pub(super) type Elements = (Value, Vec<Option<usize>>);

/// The reads, writes and computation of a nest, as far as time goes.
#[derive(Clone, Debug)]
pub(super) struct Work {
    pub(super) points: f64,
    /// Bytes of what it reads of arrays from outside, each element once.
    pub(super) reads: Vec<(Elements, f64)>,
    /// How many of them there are for each point.
    at_points: f64,
    /// Bytes of its results.
    pub(super) writes: Vec<(Value, f64)>,
    instructions: f64,
    /// Whether it is a reduction to one value.
    is_total: bool,
}

fn bytes_of(ir: &Ir, value: Value) -> f64 {
    let element = ir.value_type(value).element_or_self(ir.ctx());
    let bits = match ir.ctx().type_kind(element) {
        TypeKind::Integer { width, .. } => width.next_multiple_of(8),
        TypeKind::Float(kind) => kind.width(),
        _ => 64,
    };
    f64::from(bits) / 8.0
}

impl Work {
    /// Of a segmented op; `member`: the op as a nest over matrices.
    pub(super) fn of(
        ir: &Ir,
        op: Op,
        member: Option<&Member>,
        resolve: &dyn Fn(Value) -> Value,
        sizes: &Sizes,
    ) -> Option<Work> {
        let model = ir.interface::<dyn SegmentedOp>(op)?;
        let body = ir.entry_block(model.body(ir, op))?;
        let extents: Vec<f64> = model
            .sizes(ir, op)
            .into_iter()
            .map(|size| sizes.value(ir, size))
            .collect();
        let args = ir.block_args(body).to_vec();
        // Rows and columns of members have the same numbers whatever their order.
        let number = |index: Value| {
            let at = args.iter().position(|&arg| arg == index)?;
            let axis = match member {
                Some(member) if member.row == index => Axis::Row,
                Some(member) if member.column == index => Axis::Column,
                _ => Axis::Other(at),
            };
            Some(match axis {
                Axis::Row => usize::MAX - 1,
                Axis::Column => usize::MAX,
                Axis::Other(at) => at,
            })
        };
        let points: f64 = extents.iter().product();
        let mut reads: Vec<(Elements, f64)> = Vec::new();
        let mut at_points = 0.0;
        for read in ir
            .walk(op)
            .into_iter()
            .filter_map(|op| ir.cast::<ReadOp>(op))
        {
            let tensor = read.tensor(ir);
            if ir.is_defined_inside(tensor, op) {
                continue;
            }
            let indices = read.indices(ir);
            let numbers: Vec<Option<usize>> = indices.iter().map(|&index| number(index)).collect();
            let along = args
                .iter()
                .zip(&extents)
                .filter(|(arg, _)| indices.contains(arg));
            let mut count: f64 = along.map(|(_, extent)| extent).product();
            if numbers.iter().any(Option::is_none) {
                count = points;
            }
            let elements = (resolve(tensor), numbers);
            if reads.iter().all(|known| known.0 != elements) {
                at_points += f64::from(u8::from(count >= points));
                reads.push((elements, count * bytes_of(ir, read.result(ir))));
            }
        }
        let combined = ir
            .cast::<SegRedOp>(op)
            .map_or(0, |segred| segred.neutral(ir).len());
        let segments: f64 = extents[..extents.len().saturating_sub(1)].iter().product();
        let mut writes = Vec::new();
        for (index, result) in ir.results(op).enumerate() {
            let count = if index < combined { segments } else { points };
            writes.push((result, count * bytes_of(ir, result)));
        }
        Some(Work {
            points,
            reads,
            at_points,
            writes,
            instructions: vector::work(ir, body).unwrap_or(MUCH) as f64 + AROUND,
            is_total: combined > 0 && extents.len() == 1,
        })
    }

    /// The time of a kernel of its own, without the launch, and how many launches it takes.
    pub(super) fn alone(&self, figures: &Figures, bytes: f64, kind: Option<Kind>) -> (Time, f64) {
        let requests = self.points / LANES as f64;
        let warps = requests.clamp(1.0, figures.warps);
        let sectors = match kind {
            Some(Kind::Columns) => self.points * SECTOR / figures.l2_bytes,
            _ => 0.0,
        };
        let time = Time {
            transfer: (bytes / figures.bytes).max(sectors),
            computation: (requests * self.instructions / figures.instructions)
                .max(requests * self.at_points * figures.latency / warps),
        };
        let launches = if self.is_total && self.points > ONE_BLOCK {
            2.0
        } else {
            1.0
        };
        (time, launches)
    }
}

/// The times of the transfers and of the computation of a kernel, in microseconds.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    /// Moving bytes.
    pub transfer: f64,
    /// Instructions, or requests that are waited for.
    pub computation: f64,
}

impl Time {
    /// With launches: the larger one, as both go on at the same time.
    pub fn with(self, launches: f64, figures: &Figures) -> f64 {
        launches * figures.launch + self.transfer.max(self.computation)
    }
}

/// A kernel of tiles.
pub(super) struct Tiled<'a> {
    pub(super) works: Vec<&'a Work>,
    pub(super) shape: Shape,
    /// Rows, columns, and matrices.
    pub(super) extents: [f64; 3],
    /// Bytes of what is combined of a column, and of a row.
    pub(super) of_column: f64,
    pub(super) of_row: f64,
    /// Elements that are read and stored at each point.
    pub(super) at_points: f64,
}

impl Tiled<'_> {
    fn tiles(&self) -> [f64; 2] {
        let [rows, columns, _] = self.extents;
        let of_tile = [self.shape.rows(), self.shape.columns()];
        [
            (rows / of_tile[0] as f64).ceil(),
            (columns / of_tile[1] as f64).ceil(),
        ]
    }

    /// Bytes of parts, written by the tiles and read by what combines them.
    pub(super) fn parts(&self) -> f64 {
        let ([rows, columns, matrices], [down, across]) = (self.extents, self.tiles());
        2.0 * matrices * (columns * down * self.of_column + rows * across * self.of_row)
    }

    pub(super) fn shared_bytes(&self) -> f64 {
        (self.shape.warps * self.shape.columns()) as f64 * self.of_column
    }

    pub(super) fn time(&self, figures: &Figures, bytes: f64) -> Time {
        let [rows, columns, matrices] = self.extents;
        let [down, across] = self.tiles();
        let requests = rows * columns * matrices / LANES as f64;
        // Tiles are whole, whatever the matrix.
        let blocks = matrices * down * across;
        let busy = blocks.clamp(1.0, figures.multiprocessors);
        let warps =
            (blocks * self.shape.warps as f64).min(figures.warps * busy / figures.multiprocessors);
        let shuffles = if self.of_row > 0.0 {
            10.0 / self.shape.per_thread as f64
        } else {
            0.0
        };
        let instructions: f64 = self
            .works
            .iter()
            .map(|work| work.instructions - AROUND)
            .sum();
        let instructions = instructions + shuffles + 2.0;
        Time {
            transfer: bytes / figures.bytes,
            computation: (requests * instructions / figures.instructions * figures.multiprocessors
                / busy)
                .max(requests * self.at_points * figures.latency / warps.max(1.0)),
        }
    }
}
