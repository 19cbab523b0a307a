//! segmap: one thread per point, or per few that are neighbours (see [`crate::rows`]); in tiles where reads are marked
//! `staged` (see [`crate::transpose`]).
//!
//! Where points return arrays, each thread makes its own in a buffer that has the points side by side, so that neighbouring
//! threads write neighbouring elements; a transposition then brings the elements of a point together. Where iterations
//! make arrays of sizes that only they know, and return none, see [`crate::rounds`].

use crate::access::{element_type, flat, shaped, store};
use crate::function::Lowering;
use crate::kernel::Kernel;
use crate::launch::{Extent as SpaceExtent, Team};
use crate::recovery::Copies;
use crate::state::{Emitted, Extent, Lane, Memory};
use crate::wide::Wide;
use segra_ir::types::DYNAMIC;
use segra_ir::{InsertPoint, Op, OpView, Value};
use segra_kernel::access::Read;
use segra_kernel::level::Level;
use segra_kernel::mapping::{mapping_of, runs_in_rounds};
use segra_kernel::segop::{ReturnOp, SegMapOp};
use segra_kernel::vector::has_arrays;
use segra_std::arith::expr::linear_index;

/// The values that the points return at one position.
pub(crate) enum Returned {
    /// A scalar each, in a buffer of the host.
    Scalars(Value),
    /// An array each, element by element with the points side by side: the parameter, and the rows' extents.
    Arrays(Value, Vec<Extent>),
}

impl Lowering<'_> {
    /// Allocates the results, builds the kernel, launches it.
    pub(crate) fn segmap(&mut self, segmap: SegMapOp) -> Option<()> {
        let op = segmap.op();
        if segmap.schedule_attr(self.ir).is_some() {
            let message = "has a schedule that is not applied: `apply-schedules` does it";
            self.diags.op_error(self.ir, op, message);
            return None;
        }
        if let Some(transposed) = crate::transpose::transposed(self.ir, segmap) {
            return self.segmap_transposed(segmap, &transposed);
        }
        if let Some(wide) = Wide::of(self.ir, op) {
            return self.segmap_wide(segmap, &wide);
        }
        let arrays = has_arrays(self.ir, op);
        if mapping_of(self.ir, op).is_none() && runs_in_rounds(self.ir, op) {
            return self.segmap_in_rounds(segmap);
        }
        let sizes = segmap.sizes(self.ir);
        let space: Vec<SpaceExtent> = sizes.iter().map(|&size| SpaceExtent::Value(size)).collect();
        let how = self.how(op)?;
        let launch = self.launch(op, how, &space, Team::Thread)?;
        let points = crate::segmented::product(&mut self.builder(op), &sizes);
        let outputs = self.scalar_results(segmap, points);
        let mut kernel = self.kernel(op, "segmap");
        let body = segmap.body(kernel.ir);
        kernel.capture(&[body]);
        let outputs = kernel.outputs(&outputs);
        let thread = kernel.thread(&launch);
        let extents: Vec<Option<Value>> = sizes
            .iter()
            .enumerate()
            .map(|(dim, &size)| (dim > 0).then(|| kernel.scalar(size)))
            .collect();
        let stride = arrays.then(|| kernel.scalar(points));
        let copies = Copies::of(kernel.ir, op);
        let mut returned = Vec::new();
        kernel.points(
            &launch,
            thread,
            copies,
            &mut |kernel, point, indices, guard| {
                if let Some(stride) = stride {
                    let index = linear_index(&mut kernel.at(point), indices, &extents);
                    kernel.lane = Some(Lane {
                        index,
                        stride,
                        lanes: Some(points),
                    });
                }
                kernel.when(point, guard, |kernel, point| {
                    let values = kernel.inline_point(point, body, indices);
                    let linear = linear_index(&mut kernel.at(point), indices, &extents);
                    returned = kernel.keep_returned(point, op, values, &outputs, linear);
                });
            },
        );
        let own = kernel.finish(&launch);
        self.replace_returned(op, returned, &own, &sizes, points)
    }

    /// A buffer for each result of which points return scalars.
    pub(crate) fn scalar_results(&mut self, segmap: SegMapOp, points: Value) -> Vec<Option<Value>> {
        let op = segmap.op();
        let last = self.ir.last_op(segmap.body_block(self.ir));
        let values: Vec<Value> = last
            .map(|last| self.ir.operands(last).collect())
            .unwrap_or_default();
        let mut outputs = Vec::with_capacity(values.len());
        for (index, value) in values.into_iter().enumerate() {
            let scalar = self.ir.value_type(value).shaped(&self.ctx).is_none();
            let element = element_type(self.ir, self.ir.value_type(self.ir.result(op, index)));
            outputs
                .push(scalar.then(|| self.allocate(op, InsertPoint::Before(op), element, points)));
        }
        outputs
    }

    pub(crate) fn replace_returned(
        &mut self,
        op: Op,
        returned: Vec<Option<Returned>>,
        own: &[(Value, Value)],
        sizes: &[Value],
        points: Value,
    ) -> Option<()> {
        let mut results = Vec::new();
        let mut transpositions = Vec::new();
        for (index, returned) in returned.into_iter().enumerate() {
            let ty = self.ir.value_type(self.ir.result(op, index));
            match returned? {
                Returned::Scalars(buffer) if sizes.is_empty() => {
                    let mut b = self.builder(op);
                    let zero = crate::launch::constant(&mut b, 0);
                    results.push(crate::access::load(&mut b, buffer, &[zero]));
                }
                Returned::Scalars(buffer) => {
                    results.push(shaped(&mut self.builder(op), buffer, sizes, ty))
                }
                Returned::Arrays(param, rows) => {
                    let buffer = own.iter().find(|row| row.0 == param)?.1;
                    let mut all = sizes.to_vec();
                    for extent in rows {
                        let Extent::Host(value) = extent else {
                            return self.refuse_rows(op);
                        };
                        all.push(value);
                    }
                    let count =
                        crate::segmented::product(&mut self.builder(op), &all[sizes.len()..]);
                    let transposition = self.transposition(op, buffer, points, count);
                    let mut b = self.builder(op);
                    let matrix = transposition.results(b.ir)[0];
                    let elements = flat(&mut b, matrix);
                    results.push(shaped(&mut b, elements, &all, ty));
                    transpositions.push(transposition);
                }
            }
        }
        self.ir.replace_op(op, &results);
        for transposition in transpositions {
            self.own_segmap(transposition)?;
        }
        Some(())
    }

    /// Refuses an op whose points return rows of extents that only they know.
    pub(crate) fn refuse_rows(&mut self, op: Op) -> Option<()> {
        let message = "returns rows whose extent each point decides: an array has rows of one size, known before \
                       its points run";
        self.diags.op_error(self.ir, op, message);
        None
    }

    /// A segmap, yet to be lowered, of `points` by `rows` elements of a buffer that has them the other way round.
    fn transposition(&mut self, op: Op, buffer: Value, points: Value, rows: Value) -> SegMapOp {
        let ctx = self.ctx.clone();
        let element = element_type(self.ir, self.ir.value_type(buffer));
        let matrix = ctx.memref(&[DYNAMIC, DYNAMIC], element, None);
        let loc = self.ir.loc(op);
        let mut b = self.builder(op);
        let source = shaped(&mut b, buffer, &[rows, points], matrix);
        let level = Level::Thread.attr(&ctx);
        let segmap = SegMapOp::builder()
            .level(level)
            .sizes(&[points, rows])
            .results_types(&[matrix])
            .build(&mut b);
        let region = segmap.body(self.ir);
        let block = self.ir.add_block(region, &[ctx.index(), ctx.index()]);
        let args = self.ir.block_args(block).to_vec();
        let mut b = segra_ir::Builder::at_end(self.ir, block, loc);
        let value = Read::build(&mut b, source, &[args[1], args[0]]).result(b.ir);
        ReturnOp::build(&mut b, &[value]);
        segmap
    }
}

/// A buffer of a result on the host, and the kernel's parameter for it; none where points return arrays.
type Output = Option<(Value, Value)>;

impl Kernel<'_> {
    /// Buffers of results, with parameters for them.
    pub(crate) fn outputs(&mut self, buffers: &[Option<Value>]) -> Vec<Output> {
        let output = |&buffer: &Option<Value>| buffer.map(|host| (host, self.buffer(host)));
        buffers.iter().map(output).collect()
    }

    /// Stores the values of a point: scalars at `linear` of their outputs, arrays in the share of the present lane.
    pub(crate) fn keep_returned(
        &mut self,
        point: InsertPoint,
        op: Op,
        values: Vec<Emitted>,
        outputs: &[Output],
        linear: Value,
    ) -> Vec<Option<Returned>> {
        let values = values.into_iter().zip(outputs);
        values
            .map(|(value, &output)| match (value, output) {
                (Emitted::Scalar(value), Some((host, param))) => {
                    store(&mut self.at(point), value, param, linear);
                    Some(Returned::Scalars(host))
                }
                (Emitted::Array(array), _) => own_array(self, point, op, &array),
                _ => None,
            })
            .collect()
    }
}

/// The array in a buffer of the threads' own, where it may lie already.
fn own_array(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    op: Op,
    array: &crate::state::Array,
) -> Option<Returned> {
    if let Memory::Private(param) = array.memory
        && array.offset == kernel.lane.map(|lane| lane.index)
    {
        return Some(Returned::Arrays(param, array.extents.clone()));
    }
    let own = kernel.place(array.extents.clone(), array.element, op);
    kernel.copy(point, array, &own);
    Some(Returned::Arrays(own.memory.buffer()?, own.extents))
}
