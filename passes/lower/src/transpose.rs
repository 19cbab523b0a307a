//! segmap with transposed reads: both sides coalesced, by way of shared memory.
//!
//! Where a point `(.., q, .., k)` reads an element at indices that are the point's own in another order, `q` innermost,
//! threads that are neighbours along `k` read far apart. So a thread block takes 32 by 32 points: it reads them with
//! neighbours along `q`, puts them into shared memory, and takes them out with neighbours along `k`. Rows in shared
//! memory are 33 elements apart, so that neither side has bank conflicts.
//!
//! Legality: reads directly in the body (not in a branch or loop), one index per dimension of the space, all with the
//! same innermost index. The rest of the body may be anything.

use crate::function::{Lowering, MODULE};
use crate::kernel::{Kernel, linear_index, store};
use crate::launch::{add, ceil_div, compare, constant, mul};
use crate::segmented::{recover, split};
use segra_ir::{InsertPoint, Ir, OpView, Value};
use segra_kernel::access::ReadOp;
use segra_kernel::segop::SegMapOp;
use segra_std::arith::{self, CmpIPredicate};

/// Side of a tile.
const SIDE: i64 = 32;
/// Elements between rows in shared memory.
const PITCH: i64 = SIDE + 1;
/// Threads of a block: eight rows of a tile at a time.
const THREADS: i64 = 256;
/// Rows of a tile that the threads of a block take at a time.
const ROWS: i64 = THREADS / SIDE;

/// Reads that are worth staging, and which dimension of the space is their innermost index.
pub(crate) struct Transposed {
    dim: usize,
    reads: Vec<ReadOp>,
}

/// The transposed reads of a segmap, if there are any.
pub(crate) fn transposed(ir: &Ir, segmap: SegMapOp) -> Option<Transposed> {
    let block = ir.entry_block(segmap.body(ir))?;
    let args = ir.block_args(block);
    let last = *args.last()?;
    let mut found: Option<Transposed> = None;
    for op in ir.ops(block) {
        let Some(read) = ir.cast::<ReadOp>(op) else { continue };
        let indices = read.indices(ir);
        let scalar = ir.value_type(read.result(ir)).is_scalar(ir.ctx()) && read.checked_attr(ir).is_none();
        let permuted = indices.len() == args.len() && args.iter().all(|arg| indices.contains(arg));
        let (true, true, Some(&innermost)) = (scalar, permuted, indices.last()) else { continue };
        let dim = args.iter().position(|&arg| arg == innermost)?;
        match &mut found {
            _ if innermost == last => {}
            None => found = Some(Transposed { dim, reads: vec![read] }),
            Some(known) if known.dim == dim => known.reads.push(read),
            Some(_) => {}
        }
    }
    found
}

/// A thread's place in the tile of its block.
struct Tile<'a> {
    transposed: &'a Transposed,
    /// First point of the tile along the staged dimension and the innermost one; the other indices.
    start: [Value; 2],
    point: Vec<Value>,
    sizes: Vec<Value>,
    row: Value,
    column: Value,
}

impl Tile<'_> {
    /// The point with these places in the tile along the staged dimension and the innermost one, and whether it exists.
    fn at(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        staged: Value,
        inner: Value,
    ) -> (Vec<Value>, Value) {
        let mut b = kernel.at(point);
        let last = self.sizes.len() - 1;
        let staged = add(&mut b, self.start[0], staged);
        let inner = add(&mut b, self.start[1], inner);
        let in_staged = compare(&mut b, CmpIPredicate::Slt, staged, self.sizes[self.transposed.dim]);
        let in_inner = compare(&mut b, CmpIPredicate::Slt, inner, self.sizes[last]);
        let exists = arith::AndIOp::build(&mut b, in_staged, in_inner).result(b.ir);
        let mut indices = self.point.clone();
        indices[self.transposed.dim] = staged;
        indices[last] = inner;
        (indices, exists)
    }

    /// Runs `body` for each of the thread's rows: the row's number in the tile.
    fn for_rows(&self, kernel: &mut Kernel<'_>, body: impl FnOnce(&mut Kernel<'_>, InsertPoint, Value)) {
        let entry = InsertPoint::End(kernel.entry);
        let mut b = kernel.builder();
        let (side, step) = (constant(&mut b, SIDE), constant(&mut b, ROWS));
        kernel.for_loop(entry, (self.row, side, step), &[], |kernel, point, row, _| {
            body(kernel, point, row);
            Vec::new()
        });
    }
}

fn in_shared(kernel: &mut Kernel<'_>, point: InsertPoint, row: Value, column: Value) -> Value {
    let mut b = kernel.at(point);
    let pitch = constant(&mut b, PITCH);
    let first = mul(&mut b, row, pitch);
    add(&mut b, first, column)
}

impl Lowering<'_> {
    /// Allocates the results, builds the kernel, launches it.
    pub(crate) fn segmap_transposed(&mut self, segmap: SegMapOp, transposed: &Transposed) -> Option<()> {
        let op = segmap.op();
        let sizes = segmap.sizes(self.ir);
        let last = sizes.len() - 1;
        let outputs = self.allocate_results(op, &sizes, segmap.results(self.ir).len(), 0);
        let mut b = self.builder(op);
        let tiles = [transposed.dim, last].map(|dim| ceil_div(&mut b, sizes[dim], SIDE));
        let others: Vec<usize> = (0..last).filter(|&dim| dim != transposed.dim).collect();
        let mut space: Vec<Value> = others.iter().map(|&dim| sizes[dim]).collect();
        space.extend(tiles);
        let launch = self.group_launch(op, &space, THREADS, THREADS)?;
        let mut kernel = self.kernel(op, "segmap_transposed");
        let body = segmap.body(kernel.ir);
        kernel.capture(&[body]);
        let buffers: Vec<Value> = outputs.iter().map(|&output| kernel.buffer(output)).collect();
        let sizes_inside: Vec<Value> = sizes.iter().map(|&size| kernel.scalar(size)).collect();
        let place = recover(&mut kernel, &launch);
        let mut b = kernel.builder();
        let (row, column) = split(&mut b, place.lane, SIDE);
        let side = constant(&mut b, SIDE);
        let tile_at = |at: usize| place.segment[others.len() + at];
        let start = [mul(&mut b, tile_at(0), side), mul(&mut b, tile_at(1), side)];
        let mut point = vec![start[0]; sizes.len()];
        others.iter().zip(&place.segment).for_each(|(&dim, &index)| point[dim] = index);
        let tile = Tile { transposed, start, point, sizes: sizes_inside.clone(), row, column };
        stage(&mut kernel, &tile, segmap);
        kernel.barrier(InsertPoint::End(kernel.entry));
        tile.for_rows(&mut kernel, |kernel, point, row| {
            let (indices, exists) = tile.at(kernel, point, row, tile.column);
            kernel.when(point, Some(exists), |kernel, point| {
                kernel.staged_at = Some(in_shared(kernel, point, tile.column, row));
                let values = kernel.inline(point, body, &indices);
                let extents: Vec<Option<Value>> = sizes_inside.iter().map(|&size| Some(size)).collect();
                let linear = linear_index(&mut kernel.at(point), &indices, &extents);
                for (&buffer, value) in buffers.iter().zip(values) {
                    store(&mut kernel.at(point), value, buffer, linear);
                }
            });
        });
        kernel.finish(&launch, MODULE);
        self.replace_results(op, &outputs, &sizes);
        Some(())
    }
}

/// Reads the tile with neighbours along the staged dimension into shared memory; the body's reads will find it there.
fn stage(kernel: &mut Kernel<'_>, tile: &Tile<'_>, segmap: SegMapOp) {
    let reads = &tile.transposed.reads;
    for &read in reads {
        let ty = kernel.ir.value_type(read.result(kernel.ir));
        let shared = kernel.shared(SIDE * PITCH, ty);
        kernel.stage(read, shared);
    }
    let block = segmap.body_block(kernel.ir);
    let args = kernel.ir.block_args(block).to_vec();
    tile.for_rows(kernel, |kernel, point, row| {
        let (indices, exists) = tile.at(kernel, point, tile.column, row);
        let place = in_shared(kernel, point, row, tile.column);
        kernel.when(point, Some(exists), |kernel, point| {
            for (number, &read) in reads.iter().enumerate() {
                let own = |index: &Value| args.iter().position(|arg| arg == index).map(|dim| indices[dim]);
                let places: Option<Vec<Value>> = read.indices(kernel.ir).iter().map(own).collect();
                let Some(places) = places else { continue };
                let Some(value) = kernel.load_captured(point, read, &places) else { continue };
                let shared = kernel.staged[number].1;
                store(&mut kernel.at(point), value, shared, place);
            }
        });
    });
}
