//! segred and segscan whose operators combine arrays: a thread for each segment, or for each part of one.
//!
//! | form | reduction | scan |
//! |---|---|---|
//! | `thread` | one thread each | one thread each |
//! | `threads` | parts, then parts of the parts' results, then those | sums of parts, the sums before each part, then the parts again from there |
//!
//! Each thread combines consecutive elements in their order ([`crate::arrays`]). A reduction reads each element once, a
//! scan of several parts twice.

use super::reduce::product;
use super::scan::Kind;
use super::{Body, Segmented};
use crate::access::{element_type, extent_of};
use crate::arrays::{Accumulators, ArrayOperator};
use crate::function::Lowering;
use crate::kernel::Kernel;
use crate::launch::{Extent as SpaceExtent, How, Team, constant, mul};
use crate::state::{Array, Emitted, Extent, Memory};
use segra_ir::{InsertPoint, Value};
use segra_kernel::turns::Parts;

/// The combined values: the elements that the body gives, or the results of parts.
#[derive(Clone, Copy)]
enum Source<'a> {
    Body,
    /// A buffer for each value, of so many for each segment.
    Parts(&'a [Value], Value),
}

/// The stored value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    /// The result of each part.
    Whole,
    /// The prefix before each element, or up to it.
    Prefixes(Kind),
}

/// One launch.
#[derive(Clone, Copy)]
struct Stage<'a> {
    name: &'static str,
    source: Source<'a>,
    keep: Keep,
    /// How segments are divided; none: a thread does all of one.
    parts: Option<&'a Parts>,
    /// The prefix before each part; `None`: nothing.
    before: Option<&'a [Value]>,
    /// Where combined values go, and what the body gives beyond them.
    outputs: &'a [Value],
    stored: &'a [Value],
}

impl<'a> Stage<'a> {
    /// A thread for each segment; allocated are one buffer per combined value, then one per stored value.
    fn whole(name: &'static str, keep: Keep, seg: &Segmented, outputs: &'a [Value]) -> Stage<'a> {
        let (outputs, stored) = outputs.split_at(seg.neutral.len());
        Stage {
            name,
            source: Source::Body,
            keep,
            parts: None,
            before: None,
            outputs,
            stored,
        }
    }
}

impl Lowering<'_> {
    /// A thread for each segment. Allocated before: one buffer per combined value, then per stored one.
    pub(super) fn reduce_arrays(
        &mut self,
        seg: &Segmented,
        host: InsertPoint,
        outputs: &[Value],
    ) -> Option<()> {
        let whole = Stage::whole("segred_arrays", Keep::Whole, seg, outputs);
        self.array_stage(seg, host, whole)
    }

    /// The same by threads for parts of segments, fewer for the results of those, and one for the results of these.
    pub(super) fn reduce_arrays_in_parts(
        &mut self,
        seg: &Segmented,
        host: InsertPoint,
        outputs: &[Value],
    ) -> Option<()> {
        let whole = Stage::whole("segred_arrays", Keep::Whole, seg, outputs);
        let parts = self.thread_parts(seg, host, seg.inner());
        let first = self.part_buffers(seg, host, parts.count);
        let of_elements = Stage {
            parts: Some(&parts),
            outputs: &first,
            ..whole
        };
        self.array_stage(seg, host, of_elements)?;
        let fewer = self.thread_parts(seg, host, parts.count);
        let second = self.part_buffers(seg, host, fewer.count);
        let again = Stage {
            source: Source::Parts(&first, parts.count),
            stored: &[],
            ..whole
        };
        let of_parts = Stage {
            parts: Some(&fewer),
            outputs: &second,
            ..again
        };
        self.array_stage(seg, host, of_parts)?;
        let of_fewer = Stage {
            source: Source::Parts(&second, fewer.count),
            ..again
        };
        self.array_stage(seg, host, of_fewer)
    }

    /// As [`Self::reduce_arrays`], for a scan.
    pub(super) fn scan_arrays(
        &mut self,
        (seg, kind): (&Segmented, Kind),
        host: InsertPoint,
        outputs: &[Value],
    ) -> Option<()> {
        let whole = Stage::whole("segscan_arrays", Keep::Prefixes(kind), seg, outputs);
        self.array_stage(seg, host, whole)
    }

    /// As [`Self::reduce_arrays_in_parts`], for a scan.
    pub(super) fn scan_arrays_in_parts(
        &mut self,
        (seg, kind): (&Segmented, Kind),
        host: InsertPoint,
        outputs: &[Value],
    ) -> Option<()> {
        let whole = Stage::whole("segscan_arrays", Keep::Prefixes(kind), seg, outputs);
        let parts = self.thread_parts(seg, host, seg.inner());
        let sums = self.part_buffers(seg, host, parts.count);
        let of_parts = Stage {
            name: "segscan_arrays_sums",
            keep: Keep::Whole,
            parts: Some(&parts),
            outputs: &sums,
            stored: &[],
            ..whole
        };
        self.array_stage(seg, host, of_parts)?;
        let before = self.part_buffers(seg, host, parts.count);
        let of_sums = Stage {
            name: "segscan_arrays_before",
            source: Source::Parts(&sums, parts.count),
            keep: Keep::Prefixes(Kind::Exclusive),
            outputs: &before,
            stored: &[],
            ..whole
        };
        self.array_stage(seg, host, of_sums)?;
        self.array_stage(
            seg,
            host,
            Stage {
                parts: Some(&parts),
                before: Some(&before),
                ..whole
            },
        )
    }

    /// Divides `count` elements of each segment among threads.
    fn thread_parts(&mut self, seg: &Segmented, host: InsertPoint, count: Value) -> Parts {
        Parts::of_threads(&mut self.host(seg.op, host), count, seg.outer())
    }

    /// Extents of the combined values, on the host: none of scalars.
    fn combined_rows(&mut self, seg: &Segmented, host: InsertPoint) -> Vec<Vec<Value>> {
        let rank = |value: &Value| {
            self.ir
                .value_type(*value)
                .shaped(&self.ctx)
                .map_or(0, |shaped| shaped.0.len())
        };
        let ranks: Vec<usize> = seg.neutral.iter().map(rank).collect();
        let mut b = self.host(seg.op, host);
        let pairs = seg.neutral.iter().zip(ranks);
        pairs
            .map(|(&value, rank)| (0..rank).map(|dim| extent_of(&mut b, value, dim)).collect())
            .collect()
    }

    /// Buffers for `count` combined values of each segment.
    fn part_buffers(&mut self, seg: &Segmented, host: InsertPoint, count: Value) -> Vec<Value> {
        let rows = self.combined_rows(seg, host);
        let mut b = self.host(seg.op, host);
        let segments = product(&mut b, seg.outer());
        let all = mul(&mut b, segments, count);
        let mut buffers = Vec::new();
        for (row, &value) in rows.iter().zip(&seg.neutral) {
            let mut b = self.host(seg.op, host);
            let elements = row
                .iter()
                .fold(all, |all, &extent| mul(&mut b, all, extent));
            let element = element_type(self.ir, self.ir.value_type(value));
            buffers.push(self.allocate(seg.op, host, element, elements));
        }
        buffers
    }

    /// A thread for each part of each segment.
    fn array_stage(&mut self, seg: &Segmented, host: InsertPoint, stage: Stage<'_>) -> Option<()> {
        let rows = self.combined_rows(seg, host);
        let one = constant(&mut self.host(seg.op, host), 1);
        let count = stage.parts.map_or(one, |parts| parts.count);
        let mut space: Vec<SpaceExtent> = seg
            .outer()
            .iter()
            .map(|&size| SpaceExtent::Value(size))
            .collect();
        space.push(match stage.parts {
            Some(parts) => SpaceExtent::Value(parts.count),
            None => SpaceExtent::Constant(1),
        });
        let launch = self.launch(seg.op, How::Folded, &space, Team::Thread)?;
        let mut kernel = self.kernel_at(seg.op, stage.name, host);
        match stage.source {
            Source::Body => kernel.capture(&[seg.body, seg.combine]),
            Source::Parts(..) => kernel.capture(&[seg.combine]),
        }
        let operator = ArrayOperator::new(&mut kernel, seg.op, seg.combine, &seg.neutral);
        let inner = match stage.source {
            Source::Body => seg.inner(),
            Source::Parts(_, count) => count,
        };
        let along = match stage.keep {
            Keep::Whole => count,
            Keep::Prefixes(_) => inner,
        };
        let body = Body::new(&mut kernel, seg, stage.stored);
        let work = Work {
            operator,
            keep: stage.keep,
            source: match stage.source {
                Source::Body => None,
                Source::Parts(buffers, count) => {
                    Some(values_of(&mut kernel, seg, buffers, count, &rows))
                }
            },
            body,
            before: stage
                .before
                .map(|buffers| values_of(&mut kernel, seg, buffers, count, &rows)),
            targets: values_of(&mut kernel, seg, stage.outputs, along, &rows),
        };
        let thread = kernel.thread(&launch);
        let (mut segment, guard) = kernel.point_of(&launch, &thread);
        let part = segment.pop()?;
        let (lower, upper) = match stage.parts {
            Some(parts) => super::reduce::part_bounds(&mut kernel, parts, part, inner),
            None => (constant(&mut kernel.builder(), 0), kernel.scalar(inner)),
        };
        let entry = InsertPoint::End(kernel.entry);
        kernel.when(entry, guard, |kernel, point| {
            work.run(kernel, point, &segment, part, (lower, upper))
        });
        kernel.finish(&launch);
        Some(())
    }
}

/// Buffers of the host with `along` values for each segment, as arrays of a kernel.
fn values_of(
    kernel: &mut Kernel<'_>,
    seg: &Segmented,
    buffers: &[Value],
    along: Value,
    rows: &[Vec<Value>],
) -> Vec<Array> {
    let mut arrays = Vec::new();
    for (&buffer, row) in buffers.iter().zip(rows) {
        let extents = seg
            .outer()
            .iter()
            .chain([&along])
            .chain(row)
            .map(|&size| Extent::Host(size))
            .collect();
        let element = element_type(kernel.ir, kernel.ir.value_type(buffer));
        arrays.push(Array::whole(
            Memory::Global(kernel.buffer(buffer)),
            extents,
            element,
        ));
    }
    arrays
}

/// The work of a thread of a stage.
struct Work {
    operator: ArrayOperator,
    keep: Keep,
    /// Results of parts to combine; none: what the body gives.
    source: Option<Vec<Array>>,
    body: Body,
    before: Option<Vec<Array>>,
    targets: Vec<Array>,
}

impl Work {
    /// Combines the elements `lower..upper` of a segment.
    fn run(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        segment: &[Value],
        part: Value,
        (lower, upper): (Value, Value),
    ) {
        let indices = |at: Value| segment.iter().copied().chain([at]).collect::<Vec<_>>();
        let start = self.before.as_ref().map(|before| {
            before
                .iter()
                .map(|array| kernel.value_at(point, array, &indices(part)))
                .collect()
        });
        let (sums, scalars) = self.operator.begin(kernel, point, start);
        let one = constant(&mut kernel.at(point), 1);
        let end = kernel.for_loop(
            point,
            (lower, upper, one),
            &scalars,
            |kernel, point, at, scalars| {
                let index = indices(at);
                if self.keep == Keep::Prefixes(Kind::Exclusive) {
                    self.store(kernel, point, &sums, scalars, &index);
                }
                let element = match &self.source {
                    None => self.body.load_point(kernel, point, segment, at),
                    Some(parts) => parts
                        .iter()
                        .map(|array| kernel.value_at(point, array, &index))
                        .collect(),
                };
                let scalars = sums.add(kernel, point, &self.operator, scalars, &element);
                if self.keep == Keep::Prefixes(Kind::Inclusive) {
                    self.store(kernel, point, &sums, &scalars, &index);
                }
                scalars
            },
        );
        if self.keep == Keep::Whole {
            self.store(kernel, point, &sums, &end, &indices(part));
        }
    }

    fn store(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        sums: &Accumulators,
        scalars: &[Value],
        index: &[Value],
    ) {
        let values: Vec<Emitted> = sums.all(scalars);
        for (target, value) in self.targets.iter().zip(&values) {
            kernel.set_value_at(point, target, index, value);
        }
    }
}
