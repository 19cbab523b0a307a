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
//! Where the body is short, the rows of a tile that lies inside the space whole, which is most of them, ask nothing and are
//! written out one after another, all loads of a thread before its stores. Of other tiles a thread asks once whether its
//! column exists, and takes the rows that do.
//!
//! Legality: reads directly in the body (not in a branch or loop), one index per dimension of the space, all with the
//! same innermost index. The rest of the body may be anything; four at a time, no more than a few ops without regions and
//! checks. Deliberately absent: vectors of elements of 64 bits, of which a warp's request is 256 bytes already, and of rows
//! that start anywhere, whose aligned parts differ from row to row, so that no tile has the same on both sides.

use crate::access::{extent_of, store};
use crate::function::Lowering;
use crate::kernel::Kernel;
use crate::launch::{add, ceil_div, compare, constant, mul};
use crate::segmented::{recover, split};
use crate::wide::{self, Wide};
use segra_ir::interfaces::constant_of;
use segra_ir::{InsertPoint, Ir, OpView, Region, Value};
use segra_kernel::access::Read;
use segra_kernel::segop::SegMapOp;
use segra_kernel::vector::{marked, transposed_dim};
use segra_std::arith::expr::linear_index;
use segra_std::arith::{self, CmpIPredicate};

/// Side of a tile.
const SIDE: i64 = 32;
/// Elements between rows in shared memory.
const PITCH: i64 = SIDE + 1;
/// Ops of a body that is written out for each row of a thread, at most.
const SHORT: usize = 12;
/// Threads of a block: eight rows of a tile at a time, or all of it where each takes four elements.
const THREADS: i64 = 256;

/// The reads that are staged, and which dimension of the space is their innermost index.
pub(crate) struct Transposed {
    dim: usize,
    reads: Vec<Read>,
}

/// The staged reads of a segmap, if there are any.
pub(crate) fn transposed(ir: &Ir, segmap: SegMapOp) -> Option<Transposed> {
    let reads = marked(ir, segmap.op(), |read| read.is_staged(ir));
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
    /// Runs `body` for the thread's rows that exist, with their numbers in the tile. Rows follow each other along the staged
    /// dimension (0) or the innermost one (1), columns along the other: whether the column exists is the same for all rows.
    fn for_rows(
        &self,
        kernel: &mut Kernel<'_>,
        (point, along): (InsertPoint, usize),
        mut body: impl FnMut(&mut Kernel<'_>, InsertPoint, Value),
    ) {
        let dims = [self.transposed.dim, self.sizes.len() - 1];
        let across = 1 - along;
        let mut b = kernel.at(point);
        let column = add(&mut b, self.start[across], self.column);
        let exists = compare(&mut b, CmpIPredicate::Slt, column, self.sizes[dims[across]]);
        if self.has_one_row() {
            let row = add(&mut b, self.start[along], self.row);
            let inside = compare(&mut b, CmpIPredicate::Slt, row, self.sizes[dims[along]]);
            let exists = arith::AndIOp::build(&mut b, inside, exists).result(b.ir);
            return kernel.when(point, Some(exists), |kernel, point| {
                body(kernel, point, self.row);
            });
        }
        let (side, step) = (constant(&mut b, SIDE), constant(&mut b, self.step()));
        let left = arith::SubIOp::build(&mut b, self.sizes[dims[along]], self.start[along]);
        let left = left.result(b.ir);
        let end = arith::MinSIOp::build(&mut b, left, side).result(b.ir);
        kernel.when(point, Some(exists), |kernel, point| {
            kernel.for_loop(
                point,
                (self.row, end, step),
                &[],
                |kernel, point, row, _| {
                    body(kernel, point, row);
                    Vec::new()
                },
            );
        });
    }

    /// Rows of a tile that a thread block takes at a time.
    fn step(&self) -> i64 {
        THREADS / (SIDE / self.lanes)
    }

    fn has_one_row(&self) -> bool {
        self.step() == SIDE
    }

    /// The numbers of the thread's rows in the tile.
    fn rows(&self, kernel: &mut Kernel<'_>, point: InsertPoint) -> Vec<Value> {
        let step = self.step();
        let mut b = kernel.at(point);
        let rows = (0..SIDE / step).map(|at| {
            let below = constant(&mut b, at * step);
            add(&mut b, self.row, below)
        });
        rows.collect()
    }

    /// The thread's first point in a row of the tile; rows follow each other along the staged dimension (0) or the innermost
    /// one (1).
    fn point_in(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        (along, row): (usize, Value),
    ) -> Vec<Value> {
        let mut b = kernel.at(point);
        let mut places = [self.column; 2];
        places[along] = row;
        let mut indices = self.point.clone();
        indices[self.transposed.dim] = add(&mut b, self.start[0], places[0]);
        indices[self.sizes.len() - 1] = add(&mut b, self.start[1], places[1]);
        indices
    }

    /// The thread's first point in the first row of the tile; where it has one row, in that.
    fn first(&self, kernel: &mut Kernel<'_>, along: usize) -> Vec<Value> {
        let zero = constant(&mut kernel.builder(), 0);
        let entry = InsertPoint::End(kernel.entry);
        let row = if self.has_one_row() { self.row } else { zero };
        self.point_in(kernel, entry, (along, row))
    }

    /// The numbers of the thread's elements of an array, of which the first has number `first`; `behind` are the array's
    /// extents behind the dimension that rows follow each other along.
    fn numbers(&self, kernel: &mut Kernel<'_>, first: Value, behind: &[Value]) -> Rows {
        let stride = (!self.has_one_row()).then(|| {
            let stride = kernel.host_product(behind);
            kernel.scalar(stride)
        });
        Rows { first, stride }
    }

    /// Whether all of the tile lies inside the space, and whether it does not.
    fn is_whole(&self, kernel: &mut Kernel<'_>) -> [Value; 2] {
        let mut b = kernel.builder();
        let sizes = [self.transposed.dim, self.sizes.len() - 1].map(|dim| self.sizes[dim]);
        let (side, ty) = (constant(&mut b, SIDE), b.ctx().i1());
        let mut whole = None;
        for (start, size) in self.start.into_iter().zip(sizes) {
            let end = add(&mut b, start, side);
            let inside = compare(&mut b, CmpIPredicate::Sle, end, size);
            whole = Some(match whole {
                Some(other) => arith::AndIOp::build(&mut b, other, inside).result(b.ir),
                None => inside,
            });
        }
        let yes = arith::ConstantOp::int(&mut b, 1, ty);
        let whole = whole.unwrap_or(yes);
        [whole, arith::XOrIOp::build(&mut b, whole, yes).result(b.ir)]
    }
}

/// Numbers, in an array, of the thread's first elements in the rows of a tile.
struct Rows {
    /// In the first row.
    first: Value,
    /// From one row to the next; none: the thread has one row.
    stride: Option<Value>,
}

impl Rows {
    /// The number in a row.
    fn at(&self, kernel: &mut Kernel<'_>, point: InsertPoint, row: Value) -> Value {
        let Some(stride) = self.stride else {
            return self.first;
        };
        let mut b = kernel.at(point);
        let below = mul(&mut b, row, stride);
        add(&mut b, self.first, below)
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
    let rows = wide::Rows::Aligned { ends: true };
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
        let buffers = kernel.buffers(outputs);
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
        let extents: Vec<Option<Value>> = sizes_inside.iter().map(|&size| Some(size)).collect();
        let first = tile.first(&mut kernel, 0);
        let first = linear_index(&mut kernel.builder(), &first, &extents);
        let writer = Writer {
            tile: &tile,
            body,
            buffers: &buffers,
            rows: tile.numbers(&mut kernel, first, &sizes[transposed.dim + 1..]),
        };
        let short = lanes == 1 && is_short(kernel.ir, segmap);
        let whole = short.then(|| tile.is_whole(&mut kernel));
        stage(&mut kernel, &tile, segmap, whole)?;
        let entry = InsertPoint::End(kernel.entry);
        kernel.barrier(entry);
        if let Some([whole, _]) = whole {
            kernel.when(entry, Some(whole), |kernel, point| {
                for row in tile.rows(kernel, point) {
                    writer.write(kernel, point, row);
                }
            });
        }
        kernel.when(entry, whole.map(|[_, part]| part), |kernel, point| {
            tile.for_rows(kernel, (point, 0), |kernel, point, row| {
                writer.write(kernel, point, row);
            });
        });
        kernel.finish(&launch);
        Some(())
    }
}

/// Whether a body is written out for each row.
fn is_short(ir: &Ir, segmap: SegMapOp) -> bool {
    let ops: Vec<_> = ir.ops(segmap.body_block(ir)).take(SHORT + 1).collect();
    ops.len() <= SHORT && ops.into_iter().all(|op| ir.regions(op).is_empty())
}

/// Computes points of a tile and stores what they return.
struct Writer<'a> {
    tile: &'a Tile<'a>,
    body: Region,
    buffers: &'a [Value],
    rows: Rows,
}

impl Writer<'_> {
    /// The thread's points in a row of the tile.
    fn write(&self, kernel: &mut Kernel<'_>, point: InsertPoint, row: Value) {
        let (tile, lanes) = (self.tile, self.tile.lanes);
        let last = tile.sizes.len() - 1;
        let indices = tile.point_in(kernel, point, (0, row));
        let mut values = Vec::new();
        let columns = lanes_from(kernel, point, tile.column, lanes);
        let inner = lanes_from(kernel, point, indices[last], lanes);
        for (column, inner) in columns.into_iter().zip(inner) {
            kernel.staged_at = Some(in_shared(kernel, point, column, row));
            let mut at = indices.clone();
            at[last] = inner;
            values.push(kernel.inline(point, self.body, &at));
        }
        let number = self.rows.at(kernel, point, row);
        if lanes > 1 {
            return vectors(lanes).store(kernel, point, self.buffers, &values, number);
        }
        for (&buffer, value) in self.buffers.iter().zip(values.into_iter().flatten()) {
            store(&mut kernel.at(point), value, buffer, number);
        }
    }
}

/// Reads the tile with neighbours along the staged dimension into shared memory; the body's reads will find it there.
/// `whole` says whether the tile lies inside the space whole, and whether it does not, where rows are written out then.
fn stage(
    kernel: &mut Kernel<'_>,
    tile: &Tile<'_>,
    segmap: SegMapOp,
    whole: Option<[Value; 2]>,
) -> Option<()> {
    let first = tile.first(kernel, 1);
    let args = kernel.ir.block_args(segmap.body_block(kernel.ir)).to_vec();
    let mut sources = Vec::new();
    for &read in &tile.transposed.reads {
        let ty = kernel.ir.value_type(read.result(kernel.ir));
        let shared = kernel.shared(SIDE * PITCH, ty);
        kernel.stage(read, shared);
        sources.push((read, source(kernel, tile, read, (&args, &first))?));
    }
    let entry = InsertPoint::End(kernel.entry);
    if let Some([whole, _]) = whole {
        kernel.when(entry, Some(whole), |kernel, point| {
            let mut loaded = Vec::new();
            for row in tile.rows(kernel, point) {
                loaded.push((row, load_row(kernel, point, (tile, &sources), row)));
            }
            for (row, values) in loaded {
                put_row(kernel, point, tile, row, values);
            }
        });
    }
    kernel.when(entry, whole.map(|[_, part]| part), |kernel, point| {
        tile.for_rows(kernel, (point, 1), |kernel, point, row| {
            let values = load_row(kernel, point, (tile, &sources), row);
            put_row(kernel, point, tile, row, values);
        });
    });
    Some(())
}

/// Where a staged read finds the rows of a tile; `first` is the thread's first point in the first of them, `args` name the
/// indices of points.
fn source(
    kernel: &mut Kernel<'_>,
    tile: &Tile<'_>,
    read: Read,
    (args, first): (&[Value], &[Value]),
) -> Option<Rows> {
    let indices = read.indices(kernel.ir);
    let dims: Option<Vec<usize>> = indices
        .iter()
        .map(|index| args.iter().position(|arg| arg == index))
        .collect();
    let dims = dims?;
    let places: Vec<Value> = dims.iter().map(|&dim| first[dim]).collect();
    let entry = InsertPoint::End(kernel.entry);
    let number = kernel.number_in(entry, read, &places)?;
    let along = dims.iter().position(|&dim| dim + 1 == args.len())?;
    let behind = kernel.extents_behind(read, along)?;
    Some(tile.numbers(kernel, number, &behind))
}

/// The thread's elements of a row, for each staged read.
fn load_row(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    (tile, sources): (&Tile<'_>, &[(Read, Rows)]),
    row: Value,
) -> Vec<Vec<Value>> {
    let mut loaded = Vec::new();
    for (read, rows) in sources {
        let number = rows.at(kernel, point, row);
        loaded.push(match tile.lanes {
            1 => kernel
                .load_numbered(point, *read, number)
                .into_iter()
                .collect(),
            lanes => vectors(lanes).load(kernel, point, *read, number),
        });
    }
    loaded
}

/// Puts what [`load_row`] gave into shared memory.
fn put_row(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    tile: &Tile<'_>,
    row: Value,
    values: Vec<Vec<Value>>,
) {
    let columns = lanes_from(kernel, point, tile.column, tile.lanes);
    let places: Vec<Value> = columns
        .into_iter()
        .map(|column| in_shared(kernel, point, row, column))
        .collect();
    for (number, values) in values.into_iter().enumerate() {
        let shared = kernel.staged[number].1;
        for (value, &place) in values.into_iter().zip(&places) {
            store(&mut kernel.at(point), value, shared, place);
        }
    }
}
