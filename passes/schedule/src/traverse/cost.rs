//! How long kernels take, predicted from a device's figures.
//!
//! Filipovič et al., 4.2: the time of a kernel is the larger one of what its transfers take and what its computation takes,
//! each summed over its routines as they were measured in the environment of the fusion ([`super::figures`]); here a launch is
//! added for each kernel, whose absence the paper names as its cause of error (5.3), and a routine's share grows where thread
//! blocks do not fill the device, or its last wave. Transfers are elements that arguments have or results, each once in a
//! kernel, over the bandwidth of the memory, and what routines move from the L2 cache over that of the cache. Computation is
//! the larger one of cycles that keep multiprocessors busy, and of those that their warps wait.

use crate::traverse::figures::{Alone, Environment, Figures, Routine, Whole};
use crate::traverse::member::{Kind, Member, bytes_of};
use crate::traverse::search::MapBlock;
use crate::traverse::tile::{LANES, Shape};
use segra_ir::interfaces::known_extent;
use segra_ir::{Ir, Op, Value};
use segra_kernel::access::Read;
use segra_kernel::segop::{SegRedOp, SegmentedOp};
use segra_kernel::vector;
use segra_std::arith;
use segra_std::recorded::{self, Extent};
use segra_std::tensor::DimOp;
use std::collections::BTreeMap;

/// Instructions of a body that has loops.
const MUCH: i64 = 60;
/// Instructions of the bodies that were measured: one operation, and what returns it.
const MEASURED: i64 = 2;
/// Instructions of lanes that a multiprocessor issues in a cycle.
const ISSUE: f64 = 4.0 * LANES as f64;

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
            return self.dimension(ir, dim.source(ir), dim.dim(ir)?, depth);
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

    fn dimension(&self, ir: &Ir, tensor: Value, dim: usize, depth: usize) -> Option<f64> {
        if let Some(size) = known_extent(ir, tensor, dim) {
            return self.known(ir, size, depth + 1);
        }
        match recorded::extent(ir, tensor, dim)? {
            Extent::Known(size) => Some(size as f64),
            Extent::Named(name) => {
                let name = ir.ctx().str(name);
                self.named.get(name).map(|&size| size as f64)
            }
        }
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
    /// Bytes of its results.
    pub(super) writes: Vec<(Value, f64)>,
    /// Bytes of the widest element that it reads or returns.
    widest: i64,
    /// Instructions of a point beyond those of the bodies that were measured.
    more: f64,
    alone: Alone,
}

impl Work {
    /// Whether an op is one that has work.
    pub(super) fn is_of(ir: &Ir, op: Op) -> bool {
        let model = ir.interface::<dyn SegmentedOp>(op);
        model.is_some_and(|model| ir.entry_block(model.body(ir, op)).is_some())
    }

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
                Some(member) if member.row == Some(index) => Axis::Row,
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
        let mut widest: f64 = 1.0;
        let mut read_ops = 0;
        for read in ir.walk(op).into_iter().filter_map(|op| Read::of(ir, op)) {
            let tensor = read.tensor(ir);
            read_ops += 1;
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
                let bytes = bytes_of(ir, read.result(ir)) as f64;
                widest = widest.max(bytes);
                reads.push((elements, count * bytes));
            }
        }
        let combined = ir
            .cast::<SegRedOp>(op)
            .map_or(0, |segred| segred.neutral(ir).len());
        let segments: f64 = extents[..extents.len().saturating_sub(1)].iter().product();
        let mut writes = Vec::new();
        for (index, result) in ir.results(op).enumerate() {
            let count = if index < combined { segments } else { points };
            let bytes = bytes_of(ir, result) as f64;
            widest = widest.max(bytes);
            writes.push((result, count * bytes));
        }
        let instructions = vector::work(ir, body).unwrap_or(MUCH) - read_ops - MEASURED;
        Some(Work {
            points,
            reads,
            writes,
            widest: widest as i64,
            more: instructions.max(0) as f64,
            alone: match member.map(|member| member.kind) {
                _ if combined > 0 && extents.len() == 1 => Alone::Total,
                Some(Kind::Columns) => Alone::Columns,
                Some(Kind::Rows) => Alone::Rows,
                _ if combined > 0 => Alone::Rows,
                _ => Alone::Map,
            },
        })
    }

    /// The time of a map in thread blocks of this size, given that in those of later passes.
    pub(super) fn in_blocks(&self, figures: &Figures, usual: Time, block: MapBlock) -> Time {
        let [transfer, computation] = figures.of_block(self.widest, self.points, block);
        Time {
            transfer: usual.transfer * transfer,
            computation: usual.computation * computation,
        }
    }

    /// Whether it is work of this kind.
    pub(super) fn is(&self, kind: Alone) -> bool {
        self.alone == kind
    }

    /// Of nests as one, each of whose points has the work of all; none of no nest. Reads and results are for who knows the needs
    /// of others.
    pub(super) fn together(works: &[&Work]) -> Option<Work> {
        let first = works.first()?;
        let any = |alone: Alone| works.iter().any(|work| work.alone == alone);
        let others = works.len() as i64 - 1;
        Some(Work {
            points: first.points,
            reads: Vec::new(),
            writes: Vec::new(),
            widest: works.iter().map(|work| work.widest).max()?,
            more: works.iter().map(|work| work.more).sum::<f64>() + (others * MEASURED) as f64,
            alone: [Alone::Total, Alone::Rows]
                .into_iter()
                .find(|&alone| any(alone))
                .unwrap_or(Alone::Map),
        })
    }

    /// The time of a kernel of its own, without the launch, and how many launches it takes.
    pub(super) fn alone(&self, figures: &Figures, bytes: f64) -> (Time, f64) {
        let whole = figures.alone(self.widest, self.alone, (self.points, bytes));
        let busy = figures.multiprocessors * figures.cycles * ISSUE;
        let time = Time {
            transfer: whole.transfer,
            computation: whole.computation + self.points * self.more / busy,
        };
        (time, whole.launches)
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
    /// Values that are combined of a column, and of a row.
    pub(super) combined: [f64; 2],
    /// Elements that are read, and stored, at each point.
    pub(super) loads: f64,
    pub(super) stores: f64,
    /// Bytes of the widest element.
    pub(super) widest: i64,
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

    /// The kinds of results whose parts a thread block each combines.
    pub(super) fn in_blocks(&self) -> Vec<Kind> {
        let ([rows, columns, matrices], [down, across]) = (self.extents, self.tiles());
        let kinds = [
            (Kind::Columns, self.of_column, down, columns),
            (Kind::Rows, self.of_row, across, rows),
        ];
        let kinds = kinds.into_iter();
        let in_blocks =
            kinds.filter(|kind| kind.1 > 0.0 && segra_kernel::rows::pay(kind.2, kind.3 * matrices));
        in_blocks.map(|kind| kind.0).collect()
    }

    pub(super) fn shared_bytes(&self) -> f64 {
        self.shape.shared_bytes(self.of_column as i64) as f64
    }

    /// The time of the kernel, without the launch.
    pub(super) fn time(&self, figures: &Figures, bytes: f64) -> Time {
        let shape = self.shape;
        let environment = Environment {
            bytes: if self.widest > 4 { 8 } else { 4 },
            warps: shape.warps,
            columns: shape.per_thread,
            rows: shape.at_once,
            steps: shape.steps,
        };
        let [of_column, of_row] = self.combined;
        let routines = [
            (Routine::Load, self.loads.max(1.0)),
            (Routine::Rows, of_row),
            (Routine::Columns, of_column),
            (Routine::Store, self.stores),
        ];
        let (mut cycles, mut waited, mut l2_bytes) = (0.0, 0.0, 0.0);
        for (routine, times) in routines {
            let taken = figures.taken(&environment, routine);
            cycles += times * taken.cycles;
            waited += times * taken.waited;
            l2_bytes += times * taken.l2_bytes;
        }
        cycles += self.works.iter().map(|work| work.more).sum::<f64>() / ISSUE;
        // Tiles are whole, whatever the matrix.
        let [down, across] = self.tiles();
        let blocks = (self.extents[2] * down * across).max(1.0);
        let elements = blocks * (shape.rows() * shape.columns()) as f64;
        let busy = blocks.min(figures.multiprocessors);
        let warps = figures.resident(&environment, self.shared_bytes());
        let resident = (warps / shape.warps as f64).floor().max(1.0);
        let waves = (blocks / (busy * resident)).max(1.0);
        let on_each = elements / busy * waves.ceil() / waves;
        let waiting = shape.warps as f64 * resident.min(blocks / busy);
        Time {
            transfer: (bytes / figures.bytes).max(elements * l2_bytes / figures.l2_bytes),
            computation: (on_each * cycles).max(on_each * waited / waiting) / figures.cycles,
        }
    }

    /// The time of what combines the parts, without launches, and how many launches it takes; `sums`: how many members that combine
    /// columns, and rows, each nest has that does it.
    pub(super) fn finish(&self, figures: &Figures, sums: [&[usize]; 2]) -> (f64, f64) {
        let ([rows, columns, matrices], [down, across]) = (self.extents, self.tiles());
        let parts = [
            (sums[0], columns * down, self.of_column),
            (sums[1], rows * across, self.of_row),
        ];
        let (mut time, mut launches) = (0.0, 0.0);
        for (nests, elements, bytes) in parts {
            let members: usize = nests.iter().sum();
            for &of_nest in nests {
                let elements = matrices * elements * of_nest as f64;
                let moved = elements * bytes / members as f64;
                let Whole {
                    transfer,
                    computation,
                    launches: of_each,
                    ..
                } = figures.alone(self.widest, Alone::Finish, (elements, moved));
                time += transfer.max(computation);
                launches += of_each;
            }
        }
        (time, launches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a kernel that reads matrices of these extents and combines so many values of a column.
    fn tiled(extents: [f64; 3], shape: Shape, columns: f64) -> Tiled<'static> {
        Tiled {
            works: Vec::new(),
            shape,
            extents,
            of_column: 4.0 * columns,
            of_row: 0.0,
            combined: [columns, 0.0],
            loads: 1.0,
            stores: 0.0,
            widest: 4,
        }
    }

    const SHAPE: Shape = Shape {
        warps: 16,
        per_thread: 8,
        at_once: 2,
        steps: 4,
    };

    #[test]
    fn idle_multiprocessors_and_few_warps_make_computation_slower() {
        let figures = Figures::named("H100").expect("is stored");
        let each = |extent: f64, shape: Shape| {
            let time = tiled([extent, extent, 1.0], shape, 1.0).time(figures, 0.0);
            time.computation / (extent * extent)
        };
        // 32 thread blocks leave a hundred of the multiprocessors without work.
        assert!(each(1024.0, SHAPE) > 2.0 * each(8192.0, SHAPE));
        // A tile of rows that are not there is computed all the same.
        let ragged = tiled([4097.0, 4096.0, 1.0], SHAPE, 1.0).time(figures, 0.0);
        let whole = tiled([4096.0, 4096.0, 1.0], SHAPE, 1.0).time(figures, 0.0);
        assert!(ragged.computation >= whole.computation);
    }

    #[test]
    fn shared_memory_that_leaves_fewer_warps_makes_waiting_longer() {
        let table = "device X\nrate bytes 1000\nrate l2-bytes 2000\nrate cycles 1\nrate multiprocessors 2\n\
            tile 4 16 8 2 4 load 1 100 4\nresident 4 16 8 2 4 16384 64\nresident 4 16 8 2 4 65536 16\nalone 4 map 1 1 1 1 1";
        let figures = Figures::parse(table).expect("a table");
        let waited = |columns: f64| {
            tiled([8192.0, 8192.0, 1.0], SHAPE, columns)
                .time(&figures, 0.0)
                .computation
        };
        assert_eq!(tiled([1.0; 3], SHAPE, 4.0).shared_bytes(), 65536.0);
        // A quarter of the warps, so all wait four times as long.
        assert!(
            (waited(4.0) / waited(1.0) - 4.0).abs() < 0.1,
            "{} {}",
            waited(4.0),
            waited(1.0)
        );
    }

    #[test]
    fn time_is_the_larger_one_of_transfers_and_computation_and_launches() {
        let figures = Figures::parse(
            "device X\nrate bytes 1000\nrate l2-bytes 1000\nrate cycles 1\nrate multiprocessors 1\nrate launch 3\n\
             tile 4 16 8 2 4 load 1 1 0\nresident 4 16 8 2 4 16384 64\nalone 4 map 1 1 1 1 1",
        )
        .expect("a table");
        let time = Time {
            transfer: 5.0,
            computation: 2.0,
        };
        assert_eq!(time.with(2.0, &figures), 11.0);
        let time = Time {
            computation: 9.0,
            ..time
        };
        assert_eq!(time.with(1.0, &figures), 12.0);
    }
}
