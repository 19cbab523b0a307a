//! segmap in rounds: iterations whose arrays are as large as only they know, with memory for some of them at a time.
//!
//! Each thread's arrays are as large as the largest of all, so memory for every iteration would be the number of iterations
//! times the largest array, however small the others are. So there are only as many threads as fit in a bounded number of
//! bytes, and each runs iteration after iteration in the same memory:
//!
//! ```text
//! lanes = min(iterations, max(1, scratch-bytes / bytes of a thread))
//! thread `lane`:  for i = lane to iterations step lanes { ... }
//! ```
//! The bytes that a thread needs are known when its code is made, which needs the number of threads: until then another
//! value stands for it.
//!
//! An array that an iteration returns is copied from there to the result, which has space for the rows of all.
//!
//! Legality: rows of results have one size, known before.

use crate::access::bit_width;
use crate::function::Lowering;
use crate::kernel::Kernel;
use crate::launch::{Extent, How, Team, add, constant, mul};
use crate::state::Lane;
use segra_ir::{Builder, InsertPoint, Op, OpView, Value};
use segra_kernel::segop::SegMapOp;
use segra_std::arith;
use segra_std::arith::expr::{linear_index, unfold};

impl Lowering<'_> {
    /// Allocates the results, builds the kernel, launches it with as many threads as fit.
    pub(crate) fn segmap_in_rounds(&mut self, segmap: SegMapOp) -> Option<()> {
        let op = segmap.op();
        let sizes = segmap.sizes(self.ir);
        let points = crate::segmented::product(&mut self.builder(op), &sizes);
        let lanes = self.stand_in(op, points);
        let launch = self.launch(op, How::Folded, &[Extent::Value(lanes)], Team::Thread)?;
        let outputs = self.scalar_results(segmap, points);
        let limit = self.options.scratch_bytes;
        let mut kernel = self.kernel(op, "segmap");
        let body = segmap.body(kernel.ir);
        kernel.capture(&[body]);
        let outputs = kernel.outputs(&outputs);
        let thread = kernel.thread(&launch);
        let (indices, guard) = kernel.point_of(&launch, &thread);
        let &[lane] = indices.as_slice() else {
            return None;
        };
        let all: Vec<Value> = sizes.iter().map(|&size| kernel.scalar(size)).collect();
        let extents: Vec<Option<Value>> = all
            .iter()
            .enumerate()
            .map(|(dim, &size)| (dim > 0).then_some(size))
            .collect();
        let (count, stride) = (kernel.scalar(points), kernel.scalar(lanes));
        let own = Lane {
            index: lane,
            stride,
            lanes: Some(lanes),
        };
        let mut returned = Vec::new();
        let entry = InsertPoint::End(kernel.entry);
        kernel.when(entry, guard, |kernel, point| {
            kernel.for_loop(
                point,
                (lane, count, stride),
                &[],
                |kernel, point, number, _| {
                    let indices = unfold(&mut kernel.at(point), &all, number);
                    kernel.lane = Some(own);
                    let values = kernel.inline_point(point, body, &indices);
                    let index = linear_index(&mut kernel.at(point), &indices, &extents);
                    kernel.lane = Some(Lane {
                        index,
                        stride: count,
                        lanes: Some(points),
                    });
                    returned = kernel.keep_returned(point, op, values, &outputs, index);
                    Vec::new()
                },
            );
        });
        let bytes = kernel.private_bytes(lanes);
        let mut b = kernel.host_builder();
        let fitting = lanes_within(&mut b, limit, bytes, points);
        let buffers = kernel.finish(&launch);
        self.replace_stand_in(lanes, fitting);
        self.replace_returned(op, returned, &buffers, &sizes, points)
    }

    /// Gives the number of threads, now that it is known, to all that [`Self::stand_in`] stood for.
    fn replace_stand_in(&mut self, lanes: Value, fitting: Value) {
        self.ir.replace_all_uses(lanes, fitting);
        if let Some(stand_in) = self.ir.defining_op(lanes) {
            self.ir.erase_op(stand_in);
        }
    }

    /// A value of its own, no constant, that stands for the number of threads until that is known.
    fn stand_in(&mut self, op: Op, points: Value) -> Value {
        let mut b = self.builder(op);
        let zero = constant(&mut b, 0);
        // Not `launch::add`, which would give `points` itself.
        arith::AddIOp::build(&mut b, points, zero).result(b.ir)
    }
}

impl Kernel<'_> {
    /// Bytes of all shares of one thread, on the host: of the buffers that have `lanes` of them.
    fn private_bytes(&mut self, lanes: Value) -> Value {
        let ctx = self.ir.context();
        let shares: Vec<(Value, i64)> = self
            .private
            .iter()
            .filter(|share| share.lanes == Some(lanes))
            .map(|share| {
                (
                    share.count,
                    i64::from(bit_width(&ctx, share.element).unwrap_or(64).max(8)) / 8,
                )
            })
            .collect();
        let mut b = self.host_builder();
        let mut all = constant(&mut b, 0);
        for (count, width) in shares {
            let width = constant(&mut b, width);
            let bytes = mul(&mut b, count, width);
            all = add(&mut b, all, bytes);
        }
        all
    }
}

/// As many threads as fit in `limit` bytes, at least one; no more than there are iterations.
fn lanes_within(b: &mut Builder<'_>, limit: i64, bytes: Value, points: Value) -> Value {
    let (one, limit) = (constant(b, 1), constant(b, limit));
    let some = arith::MaxSIOp::build(b, bytes, one).result(b.ir);
    let fitting = arith::DivUIOp::build(b, limit, some).result(b.ir);
    let fitting = arith::MaxSIOp::build(b, fitting, one).result(b.ir);
    arith::MinSIOp::build(b, fitting, points).result(b.ir)
}
