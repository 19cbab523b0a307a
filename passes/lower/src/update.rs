//! scatter: one thread per point of the space; copies of the destinations are changed in place.

use crate::access::{extent_of, flat};
use crate::function::Lowering;
use crate::kernel::Kernel;
use crate::launch::{Extent, Team, compare};
use crate::recovery::Copies;
use crate::state::Extent as HostExtent;
use crate::state::{Array, Memory};
use segra_gpu::host::MemcpyOp;
use segra_ir::{InsertPoint, Op, OpView, Value};
use segra_kernel::update::{ScatterOp, num_indices, segment_dims};
use segra_std::arith::{self, CmpIPredicate};

/// A destination's extents: those of the segments, then the indexed ones, as host values.
pub(crate) fn destination_extents(
    lowering: &mut Lowering<'_>,
    op: Op,
    destination: Value,
) -> Vec<Value> {
    let ctx = lowering.ctx.clone();
    let rank = lowering
        .ir
        .value_type(destination)
        .shaped(&ctx)
        .map_or(0, |shaped| shaped.0.len());
    let mut b = lowering.builder(op);
    (0..rank)
        .map(|dim| extent_of(&mut b, destination, dim))
        .collect()
}

/// Whether all indices are within their extents.
pub(crate) fn in_range(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    indices: &[Value],
    extents: &[Value],
) -> Value {
    let mut b = kernel.at(point);
    let mut all = None;
    for (&index, &extent) in indices.iter().zip(extents) {
        // As unsigned numbers, negative indices are beyond every extent.
        let inside = compare(&mut b, CmpIPredicate::Ult, index, extent);
        all = Some(match all {
            None => inside,
            Some(all) => arith::AndIOp::build(&mut b, all, inside).result(b.ir),
        });
    }
    all.unwrap_or_else(|| {
        let attr = b.ctx().bool_attr(true);
        arith::ConstantOp::build(&mut b, attr).result(b.ir)
    })
}

impl Lowering<'_> {
    /// Flat copies of the destinations of an op.
    pub(crate) fn copies(
        &mut self,
        op: Op,
        host: InsertPoint,
        destinations: &[Value],
        count: Value,
    ) -> Vec<Value> {
        let mut copies = Vec::new();
        for &destination in destinations {
            let element = crate::access::element_type(self.ir, self.ir.value_type(destination));
            let copy = self.allocate(op, host, element, count);
            self.copy_into(op, host, copy, destination);
            copies.push(copy);
        }
        copies
    }

    pub(crate) fn copy_into(&mut self, op: Op, host: InsertPoint, to: Value, from: Value) {
        let mut b = self.host(op, host);
        let from = flat(&mut b, from);
        MemcpyOp::builder().dst(to).src(from).build(&mut b);
    }

    pub(crate) fn scatter(&mut self, scatter: ScatterOp) -> Option<()> {
        let op = scatter.op();
        let (sizes, destinations) = (scatter.sizes(self.ir), scatter.destinations(self.ir));
        let indices = num_indices(self.ir, op);
        let extents = destination_extents(self, op, *destinations.first()?);
        let host = InsertPoint::Before(op);
        let count = crate::segmented::product(&mut self.builder(op), &extents);
        let copies = self.copies(op, host, &destinations, count);
        let space: Vec<Extent> = sizes.iter().map(|&size| Extent::Value(size)).collect();
        let how = self.how(op)?;
        let launch = self.launch(op, how, &space, Team::Thread)?;
        let mut kernel = self.kernel_at(op, "scatter", host);
        let body = scatter.body(kernel.ir);
        kernel.capture(&[body]);
        let targets = targets(&mut kernel, &copies, &extents);
        let thread = kernel.thread(&launch);
        let inner: Vec<Value> = extents
            .iter()
            .map(|&extent| kernel.scalar(extent))
            .collect();
        let may_copy = Copies::of(kernel.ir, op);
        let segments = segment_dims(kernel.ir, op);
        let distinct = scatter.distinct(kernel.ir).is_some();
        kernel.points(
            &launch,
            thread,
            may_copy,
            &mut |kernel, point, at, guard| {
                let segment = &at[..segments];
                kernel.when(point, guard, |kernel, point| {
                    let mut values = kernel.inline_point(point, body, at);
                    let stored = values.split_off(indices.min(values.len()));
                    let values = kernel.scalars(body, point, values);
                    let inside = (!distinct).then(|| {
                        in_range(kernel, point, &values, &inner[segment.len()..][..indices])
                    });
                    kernel.when(point, inside, |kernel, point| {
                        let mut all = segment.to_vec();
                        all.extend(values);
                        for (target, value) in targets.iter().zip(&stored) {
                            kernel.set_value_at(point, target, &all, value);
                        }
                    });
                });
            },
        );
        kernel.finish(&launch);
        self.replace_results(op, &copies, &extents);
        Some(())
    }
}

/// The arrays of a kernel in which these buffers of the host's are, all with these extents.
fn targets(kernel: &mut Kernel<'_>, copies: &[Value], extents: &[Value]) -> Vec<Array> {
    let mut targets = Vec::new();
    for &copy in copies {
        let extents = extents
            .iter()
            .map(|&extent| HostExtent::Host(extent))
            .collect();
        let element = crate::access::element_type(kernel.ir, kernel.ir.value_type(copy));
        let memory = Memory::Global(kernel.buffer(copy));
        targets.push(Array::whole(memory, extents, element));
    }
    targets
}
