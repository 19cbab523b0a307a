//! segscan of form `columns`: segments that are columns of what they read are turned in shared memory.
//!
//! ```text
//! for first in 0, 128, .. < n {                             8 neighbouring segments q.. of a thread block
//!   tile[t % 8][row] = body(q + t % 8, first + row)         for rows t / 8, t / 8 + 32, ..: whole sectors of the read array
//!   barrier
//!   prefixes of tile[warp][row + lane], after the carry     a warp a column, 32 elements at a time
//!   result[q + warp][first + row + lane] = prefix           as the result lies in memory
//!   barrier
//! }
//! ```
//! A warp for each segment would read elements that are as far apart as rows of the array are long: a sector for each
//! element. A copy of the array with its dimensions exchanged would move every element twice more. Here each is read and
//! written once, in whole sectors where elements have 32 bits or more. Columns of the tile are 132 elements apart, so that
//! neither side meets a bank twice.
//!
//! Legality: any body whose values are scalars; points are computed in another order than that of segments. Deliberately
//! absent: look-back along segments, so that few long ones are better off as `tiles`.

use super::{Scan, scan_row};
use crate::function::Lowering;
use crate::kernel::Kernel;
use crate::launch::{How, add, ceil_div, compare, constant, mul};
use crate::operator::Operator;
use crate::segmented::lanes::{WARP, split};
use crate::segmented::{Body, Combining, load_all, store_all};
use segra_ir::{InsertPoint, Value};
use segra_kernel::segop::SegScanOp;
use segra_kernel::vector::column_dim;
use segra_std::arith::{self, CmpIPredicate};

/// Columns of a tile, and warps of a thread block.
const WIDTH: i64 = 8;
/// Threads of a block.
const THREADS: i64 = WIDTH * WARP;
/// Elements of a thread.
const EACH: i64 = 4;
/// Rows of a tile.
const HEIGHT: i64 = WARP * EACH;
/// Elements between columns of a tile in shared memory.
const PITCH: i64 = HEIGHT + WARP / WIDTH;

/// The thread block's segments, and what is done to them.
struct Columns<'a> {
    scan: &'a Scan,
    operator: Operator,
    body: Body,
    scanned: Vec<Value>,
    shared: Vec<Value>,
    /// Indices of the first segment.
    segment: Vec<Value>,
    /// The dimension that they are neighbours along, and its extent.
    dim: usize,
    extent: Value,
    /// Length of a segment.
    upper: Value,
    thread: Value,
}

impl Lowering<'_> {
    /// A thread block for a few neighbouring segments.
    pub(super) fn scan_by_columns(
        &mut self,
        segscan: SegScanOp,
        scan: &Scan,
        host: InsertPoint,
        outputs: &[Value],
    ) -> Option<()> {
        let seg = &scan.seg;
        let dim = column_dim(self.ir, segscan).unwrap_or(seg.outer().len().saturating_sub(1));
        let mut space = seg.outer().to_vec();
        let mut b = self.host(seg.op, host);
        space[dim] = ceil_div(&mut b, space[dim], WIDTH);
        let launch = self.block_launch(seg.op, How::Folded, &space, THREADS)?;
        let launch = launch.of_elements(seg.inner());
        let mut kernel = self.kernel_at(seg.op, "segscan_columns", host);
        let Combining {
            operator,
            combined: scanned,
            body,
            place,
            upper,
        } = Combining::begin(&mut kernel, seg, outputs, &launch);
        let extent = kernel.scalar(seg.outer()[dim]);
        let mut b = kernel.builder();
        let mut segment = place.segment;
        let width = constant(&mut b, WIDTH);
        segment[dim] = mul(&mut b, segment[dim], width);
        let shared: Vec<Value> = operator
            .types
            .iter()
            .map(|&ty| kernel.shared(WIDTH * PITCH, ty))
            .collect();
        let neutral = operator.neutral.clone();
        let columns = Columns {
            scan,
            operator,
            body,
            scanned,
            shared,
            segment,
            dim,
            extent,
            upper,
            thread: place.lane,
        };
        let mut b = kernel.builder();
        let (zero, height) = (constant(&mut b, 0), constant(&mut b, HEIGHT));
        let entry = InsertPoint::End(kernel.entry);
        kernel.for_loop(
            entry,
            (zero, upper, height),
            &neutral,
            |kernel, point, first, carry| {
                columns.fill(kernel, point, first);
                kernel.barrier(point);
                let next = columns.scan(kernel, point, first, carry);
                kernel.barrier(point);
                next
            },
        );
        kernel.finish(&launch);
        Some(())
    }
}

impl Columns<'_> {
    /// The segment of a column of the tile, and whether there is one.
    fn at(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        column: Value,
    ) -> (Vec<Value>, Value) {
        let mut b = kernel.at(point);
        let mut segment = self.segment.clone();
        segment[self.dim] = add(&mut b, segment[self.dim], column);
        let exists = compare(&mut b, CmpIPredicate::Slt, segment[self.dim], self.extent);
        (segment, exists)
    }

    /// Which element of a segment a row of the tile is, and whether it and the segment exist.
    fn element(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        [first, row]: [Value; 2],
        exists: Value,
    ) -> (Value, Value) {
        let mut b = kernel.at(point);
        let at = add(&mut b, first, row);
        let inside = compare(&mut b, CmpIPredicate::Slt, at, self.upper);
        let both = arith::AndIOp::build(&mut b, inside, exists).result(b.ir);
        (at, both)
    }

    /// Computes the tile's elements, all of a thread before it stores the first.
    fn fill(&self, kernel: &mut Kernel<'_>, point: InsertPoint, first: Value) {
        let (row, column) = split(&mut kernel.at(point), self.thread, WIDTH);
        let (segment, exists) = self.at(kernel, point, column);
        let mut all = Vec::new();
        for part in 0..EACH {
            let mut b = kernel.at(point);
            let below = constant(&mut b, part * WARP);
            let row = add(&mut b, row, below);
            let (at, exists) = self.element(kernel, point, [first, row], exists);
            let neutral = self.operator.neutral.clone();
            let values = kernel.if_else(
                point,
                exists,
                &self.operator.types,
                |kernel, point| self.body.load(kernel, point, &segment, at),
                |_, _| neutral,
            );
            all.push((row, values));
        }
        for (row, values) in all {
            let number = in_tile(kernel, point, [column, row]);
            store_all(kernel, point, &self.shared, &values, number);
        }
    }

    /// Scans the warp's column; the next tile's carry.
    fn scan(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        first: Value,
        carry: &[Value],
    ) -> Vec<Value> {
        let (warp, lane) = split(&mut kernel.at(point), self.thread, WARP);
        let (segment, exists) = self.at(kernel, point, warp);
        let mut carry = carry.to_vec();
        for part in 0..EACH {
            let mut b = kernel.at(point);
            let below = constant(&mut b, part * WARP);
            let row = add(&mut b, lane, below);
            let (at, exists) = self.element(kernel, point, [first, row], exists);
            let number = in_tile(kernel, point, [warp, row]);
            let (prefixes, next) = scan_row(
                kernel,
                point,
                (&self.operator, self.scan.kind),
                lane,
                &carry,
                exists,
                &mut |kernel, point| load_all(kernel, point, &self.shared, number),
            );
            kernel.when(point, Some(exists), |kernel, point| {
                let linear = self.body.place(kernel, point, &segment, at);
                store_all(kernel, point, &self.scanned, &prefixes, linear);
            });
            carry = next;
        }
        carry
    }
}

/// The number of an element of the tile in shared memory.
fn in_tile(kernel: &mut Kernel<'_>, point: InsertPoint, [column, row]: [Value; 2]) -> Value {
    let mut b = kernel.at(point);
    let pitch = constant(&mut b, PITCH);
    let before = mul(&mut b, column, pitch);
    add(&mut b, before, row)
}
