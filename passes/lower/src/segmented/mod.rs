//! Segmented ops whose innermost dimension is combined: one module per op, and what their kernels share.
//!
//! * [`lanes`]: shuffles, reductions and scans of groups of threads;
//! * [`reduce`], [`scan`], [`hist`]: the kernels of segred, segscan, seghist and the host code that chooses among them;
//! * [`atomic`]: operators done by atomics; [`privatised`]: histograms of thread blocks in shared memory; [`locked`]:
//!   histograms in global memory under locks;
//! * [`arrays`]: segred and segscan whose operators combine arrays.
//!
//! Which kernels run is said by the ops' forms.

mod arrays;
mod atomic;
mod hist;
mod lanes;
mod locked;
mod privatised;
mod reduce;
mod scan;

use crate::access::{element_type, load, store};
use crate::function::Lowering;
use crate::kernel::Kernel;
use crate::launch::{Extent as SpaceExtent, How, Launch, Team, compare, constant};
use crate::operator::Operator;
use crate::state::{Array, Emitted, Extent, Memory};
use crate::vectors::Elements;
use crate::wide::Wide;
use segra_ir::{InsertPoint, Op, OpView, Region, Value};
use segra_std::arith::CmpIPredicate;
use segra_std::arith::expr::linear_index;
use segra_std::{arith, scf};

pub(crate) use atomic::Atomics;
pub(crate) use lanes::{
    WARP, reduce_lanes, scan_lanes, shift_lanes, shuffle_all, shuffle_by, split, test,
};
pub(crate) use reduce::product;
pub(crate) use scan::{Kind, scan_row};

/// The common parts of the ops.
#[derive(Clone)]
struct Segmented {
    op: Op,
    sizes: Vec<Value>,
    neutral: Vec<Value>,
    body: Region,
    combine: Region,
    /// Extents of the rows that points store, on the host, one list per result that is stored.
    rows: Vec<Vec<Value>>,
    /// How the body is done several elements at a time, where the order of elements does not matter.
    wide: Option<Wide>,
}

impl Segmented {
    /// Extents of the segments' dimensions.
    fn outer(&self) -> &[Value] {
        &self.sizes[..self.sizes.len() - 1]
    }
    /// Length of a segment.
    fn inner(&self) -> Value {
        self.sizes[self.sizes.len() - 1]
    }
}

/// Gives the values of an element: kernel, where to emit, which element of the segment.
type Load<'a> = dyn FnMut(&mut Kernel<'_>, InsertPoint, Value) -> Vec<Value> + 'a;

/// The body of a segmented op in a kernel: values to combine are returned, the others stored at once.
struct Body {
    region: Region,
    combined: usize,
    /// The values that are stored, over the whole space.
    stored: Vec<Array>,
    extents: Vec<Option<Value>>,
    wide: Option<Wide>,
}

impl Body {
    /// The body of `seg`; results from the `combined`-th on go to `outputs` of the host.
    fn new(kernel: &mut Kernel<'_>, seg: &Segmented, outputs: &[Value]) -> Body {
        let results: Vec<Value> = kernel.ir.results(seg.op).collect();
        let combined = seg.neutral.len();
        let mut stored = Vec::new();
        for ((&output, result), rows) in outputs
            .iter()
            .zip(results.into_iter().skip(combined))
            .zip(&seg.rows)
        {
            let extents = seg
                .sizes
                .iter()
                .chain(rows)
                .map(|&size| Extent::Host(size))
                .collect();
            let element = element_type(kernel.ir, kernel.ir.value_type(result));
            stored.push(Array::whole(
                Memory::Global(kernel.buffer(output)),
                extents,
                element,
            ));
        }
        let extents = seg
            .sizes
            .iter()
            .map(|&size| Some(kernel.scalar(size)))
            .collect();
        let wide = seg.wide.clone();
        Body {
            region: seg.body,
            combined,
            stored,
            extents,
            wide,
        }
    }

    /// The values of the elements of a segment from `at` on, by lane of the wide accesses there are.
    fn load_wide(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        segment: &[Value],
        at: Value,
    ) -> Vec<Vec<Value>> {
        let Some(wide) = &self.wide else {
            return Vec::new();
        };
        let number = self.place(kernel, point, segment, at);
        let mut indices = segment.to_vec();
        indices.push(at);
        let mut values = wide.values(
            kernel,
            point,
            self.region,
            Elements {
                indices: &indices,
                number,
            },
        );
        let stored: Vec<Vec<Value>> = values
            .iter_mut()
            .map(|lane| lane.split_off(self.combined))
            .collect();
        let buffers: Vec<Value> = self
            .stored
            .iter()
            .filter_map(|array| array.memory.buffer())
            .collect();
        wide.store(kernel, point, &buffers, &stored, number);
        values
    }

    /// The values of element `at` of the segment with these indices.
    fn load(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        segment: &[Value],
        at: Value,
    ) -> Vec<Value> {
        let values = self.load_point(kernel, point, segment, at);
        kernel.scalars(self.region, point, values)
    }

    /// As [`Self::load`], where values may be arrays.
    fn load_point(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        segment: &[Value],
        at: Value,
    ) -> Vec<Emitted> {
        let mut index = segment.to_vec();
        index.push(at);
        let mut values = kernel.inline_point(point, self.region, &index);
        let extra = values.split_off(self.combined.min(values.len()));
        for (value, array) in extra.iter().zip(&self.stored) {
            let row = kernel.row(point, array, &index);
            match value {
                Emitted::Scalar(value) => {
                    let zero = constant(&mut kernel.at(point), 0);
                    kernel.store_element(point, &row, zero, *value);
                }
                Emitted::Array(from) => kernel.copy_by_thread(point, from, &row),
            }
        }
        values
    }

    /// Where element `at` of a segment lies in a buffer over the whole space.
    fn place(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        segment: &[Value],
        at: Value,
    ) -> Value {
        let mut index = segment.to_vec();
        index.push(at);
        linear_index(&mut kernel.at(point), &index, &self.extents)
    }

    /// The number of a segment.
    fn number(&self, kernel: &mut Kernel<'_>, point: InsertPoint, segment: &[Value]) -> Value {
        linear_index(&mut kernel.at(point), segment, &self.extents)
    }
}

/// The position of a thread in a group per segment.
pub(crate) struct Place {
    pub(crate) segment: Vec<Value>,
    /// Number of the thread in its group.
    pub(crate) lane: Value,
    /// Whether there is such a segment; none: always.
    guard: Option<Value>,
}

impl Lowering<'_> {
    /// Extents of the rows that points of an op over `outer` dimensions store for results from the `first` on.
    fn stored_rows(&mut self, op: Op, first: usize, outer: usize) -> Vec<Vec<Value>> {
        (first..self.ir.num_results(op))
            .map(|result| self.rows_of(op, result, outer))
            .collect()
    }

    /// A thread block of so many threads for each point of `space`.
    pub(crate) fn block_launch(
        &mut self,
        op: Op,
        how: How,
        space: &[Value],
        threads: i64,
    ) -> Option<Launch> {
        self.team_launch(op, how, space, Team::Block(SpaceExtent::Constant(threads)))
    }

    /// A team for each point of `space`.
    pub(crate) fn team_launch(
        &mut self,
        op: Op,
        how: How,
        space: &[Value],
        team: Team,
    ) -> Option<Launch> {
        let space: Vec<SpaceExtent> = space.iter().map(|&size| SpaceExtent::Value(size)).collect();
        self.launch(op, how, &space, team)
    }

    /// Host code that runs `then` where `condition` holds, else `otherwise`; each gets its place and emits launches.
    pub(crate) fn choose(
        &mut self,
        op: Op,
        host: InsertPoint,
        condition: Value,
        then: impl FnOnce(&mut Self, InsertPoint) -> Option<()>,
        otherwise: impl FnOnce(&mut Self, InsertPoint) -> Option<()>,
    ) -> Option<()> {
        if let Some(known) = crate::function::known_bool(self.ir, condition) {
            return if known {
                then(self, host)
            } else {
                otherwise(self, host)
            };
        }
        let branch = scf::IfOp::builder()
            .condition(condition)
            .build(&mut self.host(op, host))
            .op();
        let block = |this: &mut Self, index| {
            let region = this.ir.region(branch, index);
            InsertPoint::End(this.ir.add_block(region, &[]))
        };
        let place = block(self, 0);
        then(self, place)?;
        scf::YieldOp::build(&mut self.host(op, place), &[]);
        let place = block(self, 1);
        otherwise(self, place)?;
        scf::YieldOp::build(&mut self.host(op, place), &[]);
        Some(())
    }
}

/// A kernel whose teams combine the elements of a segment each, at its beginning.
struct Combining {
    operator: Operator,
    /// The kernel's buffers of combined results.
    combined: Vec<Value>,
    body: Body,
    place: Place,
    /// The number of elements of a segment.
    upper: Value,
}

impl Combining {
    /// Of `seg`; results go to `outputs` of the host.
    fn begin(
        kernel: &mut Kernel<'_>,
        seg: &Segmented,
        outputs: &[Value],
        launch: &Launch,
    ) -> Combining {
        kernel.capture(&[seg.body, seg.combine]);
        let operator = Operator::new(kernel, seg.combine, &seg.neutral);
        let (combined, stored) = outputs.split_at(seg.neutral.len());
        Combining {
            operator,
            combined: kernel.buffers(combined),
            body: Body::new(kernel, seg, stored),
            place: recover(kernel, launch),
            upper: kernel.scalar(seg.inner()),
        }
    }
}

/// The thread's place in a launch of teams.
pub(crate) fn recover(kernel: &mut Kernel<'_>, launch: &Launch) -> Place {
    let thread = kernel.thread(launch);
    let (segment, guard) = kernel.point_of(launch, &thread);
    let lane = thread
        .lane
        .unwrap_or_else(|| constant(&mut kernel.builder(), 0));
    Place {
        segment,
        lane,
        guard,
    }
}

pub(crate) fn load_all(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    buffers: &[Value],
    at: Value,
) -> Vec<Value> {
    let mut b = kernel.at(point);
    buffers
        .iter()
        .map(|&buffer| load(&mut b, buffer, &[at]))
        .collect()
}

pub(crate) fn store_all(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    buffers: &[Value],
    values: &[Value],
    at: Value,
) {
    let mut b = kernel.at(point);
    for (&buffer, &value) in buffers.iter().zip(values) {
        store(&mut b, value, buffer, at);
    }
}

/// Whether a thread is the first of its group, and its group has a segment.
fn is_first(kernel: &mut Kernel<'_>, point: InsertPoint, place: &Place) -> Value {
    let mut b = kernel.at(point);
    let zero = constant(&mut b, 0);
    let first = compare(&mut b, CmpIPredicate::Eq, place.lane, zero);
    match place.guard {
        Some(guard) => arith::AndIOp::build(&mut b, guard, first).result(b.ir),
        None => first,
    }
}
