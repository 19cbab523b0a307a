//! segmap with transposed reads: both sides coalesced, by way of shared memory.
//!
//! Where a point `(.., q, .., k)` reads an element at indices that are the point's own in another order, `q` innermost,
//! threads that are neighbours along `k` read far apart. So a thread block takes 32 by 32 points: it reads them with
//! neighbours along `q`, puts them into shared memory, and takes them out with neighbours along `k`. Rows in shared
//! memory are 33 elements apart, so that neither side has bank conflicts.
//!
//! Where rows of the source and of the results start at multiples of four elements, which the host sees from the extents,
//! a thread takes four neighbours from global memory at once, and stores four at once: accesses of 128 bits for elements of
//! 32 bits, of 64 and 32 bits for shorter ones. Rows of a tile in shared memory are an odd number of elements apart, so most
//! start at no multiple of four, and accesses there are of one element: in vectors they would have to be 36 apart, and one
//! side would take each bank four times.
//!
//! Legality: reads directly in the body (not in a branch or loop), one index per dimension of the space, all with the
//! same innermost index. The rest of the body may be anything; four at a time, no more than a few ops without regions and
//! checks. Deliberately absent: vectors of elements of 64 bits, of which a warp's request is 256 bytes already, and of rows
//! that start anywhere, whose aligned parts differ from row to row, so that no tile has the same on both sides.

use crate::access::{extent_of, linear_index, store};
use crate::function::Lowering;
use crate::kernel::Kernel;
use crate::launch::{add, ceil_div, compare, constant, mul};
use crate::segmented::{recover, split};
use crate::wide::{Rows, Wide};
use segra_ir::interfaces::constant_of;
use segra_ir::{InsertPoint, Ir, OpView, Value};
use segra_kernel::access::ReadOp;
use segra_kernel::segop::SegMapOp;
use segra_kernel::vector::{marked, transposed_dim};
use segra_std::arith::{self, CmpIPredicate};

/// Side of a tile.
const SIDE: i64 = 32;
/// Elements between rows in shared memory.
const PITCH: i64 = SIDE + 1;
/// Threads of a block: eight rows of a tile at a time, or all of it where each takes four elements.
const THREADS: i64 = 256;

/// The reads that are staged, and which dimension of the space is their innermost index.
pub(crate) struct Transposed {
    dim: usize,
    reads: Vec<ReadOp>,
}

/// The staged reads of a segmap, if there are any.
pub(crate) fn transposed(ir: &Ir, segmap: SegMapOp) -> Option<Transposed> {
    let reads = marked(ir, segmap.op(), |read| read.staged_attr(ir).is_some());
    let args = ir.block_args(segmap.body_block(ir));
    let dim = transposed_dim(ir, args, *reads.first()?)?;
    Some(Transposed { dim, reads })
}

/// A thread's place in the tile of its block.
struct Tile<'a> {
    transposed: &'a Transposed,
    /// First point of the tile along the staged dimension and the innermost one; the other indices.
    start: [Value; 2],
    point: Vec<Value>,
    sizes: Vec<Value>,
    row: Value,
    /// The first of the thread's elements in a row, and how many they are.
    column: Value,
    lanes: i64,
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
        let in_staged = compare(
            &mut b,
            CmpIPredicate::Slt,
            staged,
            self.sizes[self.transposed.dim],
        );
        let in_inner = compare(&mut b, CmpIPredicate::Slt, inner, self.sizes[last]);
        let exists = arith::AndIOp::build(&mut b, in_staged, in_inner).result(b.ir);
        let mut indices = self.point.clone();
        indices[self.transposed.dim] = staged;
        indices[last] = inner;
        (indices, exists)
    }

    /// Runs `body` for each of the thread's rows: the row's number in the tile.
    fn for_rows(
        &self,
        kernel: &mut Kernel<'_>,
        body: impl FnOnce(&mut Kernel<'_>, InsertPoint, Value),
    ) {
        let entry = InsertPoint::End(kernel.entry);
        let rows = THREADS / (SIDE / self.lanes);
        if rows == SIDE {
            return body(kernel, entry, self.row);
        }
        let mut b = kernel.builder();
        let (side, step) = (constant(&mut b, SIDE), constant(&mut b, rows));
        kernel.for_loop(
            entry,
            (self.row, side, step),
            &[],
            |kernel, point, row, _| {
                body(kernel, point, row);
                Vec::new()
            },
        );
    }
}

/// The next numbers from one on, one for each of the thread's elements.
fn lanes_from(kernel: &mut Kernel<'_>, point: InsertPoint, first: Value, lanes: i64) -> Vec<Value> {
    let mut b = kernel.at(point);
    let mut following = vec![first];
    for lane in 1..lanes {
        let lane = constant(&mut b, lane);
        following.push(add(&mut b, first, lane));
    }
    following
}

/// Accesses of that many elements.
fn vectors(lanes: i64) -> Wide {
    let rows = Rows::Aligned { ends: true };
    Wide {
        lanes,
        whole: Vec::new(),
        partial: Vec::new(),
        rows,
    }
}

fn in_shared(kernel: &mut Kernel<'_>, point: InsertPoint, row: Value, column: Value) -> Value {
    let mut b = kernel.at(point);
    let pitch = constant(&mut b, PITCH);
    let first = mul(&mut b, row, pitch);
    add(&mut b, first, column)
}

impl Lowering<'_> {
    /// Allocates the results, builds the kernels, launches one.
    pub(crate) fn segmap_transposed(
        &mut self,
        segmap: SegMapOp,
        transposed: &Transposed,
    ) -> Option<()> {
        let op = segmap.op();
        let sizes = segmap.sizes(self.ir);
        let outputs = self.allocate_results(op, &sizes, segmap.results(self.ir).len(), 0);
        let host = InsertPoint::Before(op);
        let lanes = segmap.vector(self.ir).unwrap_or(1);
        match self.rows_are_aligned(segmap, transposed, lanes) {
            Some(aligned) => self.choose(
                op,
                host,
                aligned,
                |this, host| this.transposed_by((segmap, transposed), host, &outputs, lanes),
                |this, host| this.transposed_by((segmap, transposed), host, &outputs, 1),
            )?,
            None => self.transposed_by((segmap, transposed), host, &outputs, 1)?,
        }
        self.replace_results(op, &outputs, &sizes);
        Some(())
    }

    /// Whether rows start at multiples of `lanes` elements, as the host sees it; `None` where they do not.
    fn rows_are_aligned(
        &mut self,
        segmap: SegMapOp,
        transposed: &Transposed,
        lanes: i64,
    ) -> Option<Value> {
        let (op, sizes) = (segmap.op(), segmap.sizes(self.ir));
        if lanes == 1 {
            return None;
        }
        let tensors: Vec<Value> = transposed
            .reads
            .iter()
            .map(|read| read.tensor(self.ir))
            .collect();
        let mut b = self.builder(op);
        let mut extents = vec![sizes[transposed.dim], sizes[sizes.len() - 1]];
        extents.extend(
            tensors
                .into_iter()
                .map(|tensor| extent_of(&mut b, tensor, sizes.len() - 1)),
        );
        let mut odd = constant(&mut b, 0);
        for extent in extents {
            match constant_of(b.ir, extent).and_then(|known| known.as_i64(b.ir.ctx())) {
                Some(known) if known % lanes == 0 => {}
                Some(_) => return None,
                None => odd = arith::OrIOp::build(&mut b, odd, extent).result(b.ir),
            }
        }
        let zero = constant(&mut b, 0);
        if constant_of(b.ir, odd).is_none() {
            let below = constant(&mut b, lanes - 1);
            odd = arith::AndIOp::build(&mut b, odd, below).result(b.ir);
        }
        Some(crate::function::folded_compare(
            &mut b,
            CmpIPredicate::Sle,
            odd,
            zero,
        ))
    }

    /// The kernel in which a thread takes `lanes` elements at a time.
    fn transposed_by(
        &mut self,
        (segmap, transposed): (SegMapOp, &Transposed),
        host: InsertPoint,
        outputs: &[Value],
        lanes: i64,
    ) -> Option<()> {
        let op = segmap.op();
        let sizes = segmap.sizes(self.ir);
        let last = sizes.len() - 1;
        let mut b = self.host(op, host);
        let tiles = [transposed.dim, last].map(|dim| ceil_div(&mut b, sizes[dim], SIDE));
        let others: Vec<usize> = (0..last).filter(|&dim| dim != transposed.dim).collect();
        let mut space: Vec<Value> = others.iter().map(|&dim| sizes[dim]).collect();
        space.extend(tiles);
        let how = self.how(op)?;
        let launch = self.block_launch(op, how, &space, THREADS)?;
        let mut kernel = self.kernel_at(op, "segmap_transposed", host);
        if lanes > 1 {
            kernel.keep_registers();
        }
        let body = segmap.body(kernel.ir);
        kernel.capture(&[body]);
        let buffers: Vec<Value> = outputs
            .iter()
            .map(|&output| kernel.buffer(output))
            .collect();
        let sizes_inside: Vec<Value> = sizes.iter().map(|&size| kernel.scalar(size)).collect();
        let place = recover(&mut kernel, &launch);
        let mut b = kernel.builder();
        let (row, column) = split(&mut b, place.lane, SIDE / lanes);
        let width = constant(&mut b, lanes);
        let column = mul(&mut b, column, width);
        let side = constant(&mut b, SIDE);
        let tile_at = |at: usize| place.segment[others.len() + at];
        let start = [mul(&mut b, tile_at(0), side), mul(&mut b, tile_at(1), side)];
        let mut point = vec![start[0]; sizes.len()];
        others
            .iter()
            .zip(&place.segment)
            .for_each(|(&dim, &index)| point[dim] = index);
        let tile = Tile {
            transposed,
            start,
            point,
            sizes: sizes_inside.clone(),
            row,
            column,
            lanes,
        };
        stage(&mut kernel, &tile, segmap);
        kernel.barrier(InsertPoint::End(kernel.entry));
        tile.for_rows(&mut kernel, |kernel, point, row| {
            let (indices, exists) = tile.at(kernel, point, row, tile.column);
            kernel.when(point, Some(exists), |kernel, point| {
                let extents: Vec<Option<Value>> =
                    sizes_inside.iter().map(|&size| Some(size)).collect();
                let mut values = Vec::new();
                let columns = lanes_from(kernel, point, tile.column, lanes);
                let inner = lanes_from(kernel, point, indices[last], lanes);
                for (column, inner) in columns.into_iter().zip(inner) {
                    kernel.staged_at = Some(in_shared(kernel, point, column, row));
                    let mut at = indices.clone();
                    at[last] = inner;
                    values.push(kernel.inline(point, body, &at));
                }
                let linear = linear_index(&mut kernel.at(point), &indices, &extents);
                if lanes > 1 {
                    return vectors(lanes).store(kernel, point, &buffers, &values, linear);
                }
                for (&buffer, value) in buffers.iter().zip(values.into_iter().flatten()) {
                    store(&mut kernel.at(point), value, buffer, linear);
                }
            });
        });
        kernel.finish(&launch);
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
        let columns = lanes_from(kernel, point, tile.column, tile.lanes);
        let places_in_shared: Vec<Value> = columns
            .into_iter()
            .map(|column| in_shared(kernel, point, row, column))
            .collect();
        kernel.when(point, Some(exists), |kernel, point| {
            for (number, &read) in reads.iter().enumerate() {
                let own = |index: &Value| {
                    args.iter()
                        .position(|arg| arg == index)
                        .map(|dim| indices[dim])
                };
                let places: Option<Vec<Value>> = read.indices(kernel.ir).iter().map(own).collect();
                let Some(places) = places else { continue };
                let shared = kernel.staged[number].1;
                let values = match tile.lanes {
                    1 => kernel
                        .load_captured(point, read, &places)
                        .into_iter()
                        .collect(),
                    lanes => {
                        let Some(number) = kernel.number_in(point, read, &places) else {
                            continue;
                        };
                        vectors(lanes).load(kernel, point, read, number)
                    }
                };
                for (value, &place) in values.into_iter().zip(&places_in_shared) {
                    store(&mut kernel.at(point), value, shared, place);
                }
            }
        });
    });
}
