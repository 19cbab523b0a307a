//! segmap with wide accesses: a thread for each few points that are neighbours.
//!
//! Which bodies, and what is aligned, is said in [`crate::wide`].

use crate::access::store;
use crate::function::Lowering;
use crate::kernel::Kernel;
use crate::launch::{Extent, Team, add, ceil_div, compare, constant, mul};
use crate::recovery::Copies;
use crate::segmented::product;
use crate::vectors::Elements;
use crate::wide::{Rows, Wide};
use segra_ir::{InsertPoint, OpView, Region, Value};
use segra_kernel::segop::SegMapOp;
use segra_kernel::vector::is_flat;
use segra_std::arith::expr::linear_index;
use segra_std::arith::{self, CmpIPredicate};

impl Lowering<'_> {
    /// A thread for each few neighbours along the innermost dimension, or in the whole space where indices play no part.
    pub(crate) fn segmap_wide(&mut self, segmap: SegMapOp, wide: &Wide) -> Option<()> {
        let op = segmap.op();
        let sizes = segmap.sizes(self.ir);
        let outputs = self.allocate_results(op, &sizes, segmap.results(self.ir).len(), 0);
        let flat = is_flat(self.ir, op);
        let (outer, inner) = match flat {
            true => (Vec::new(), product(&mut self.builder(op), &sizes)),
            false => (sizes[..sizes.len() - 1].to_vec(), sizes[sizes.len() - 1]),
        };
        let chunks = match wide.rows {
            Rows::Anywhere if !flat => {
                // A row that starts between aligned elements is divided into one chunk more, but an empty one into none.
                let more = constant(&mut self.builder(op), wide.lanes - 1);
                let most = add(&mut self.builder(op), inner, more);
                let most = ceil_div(&mut self.builder(op), most, wide.lanes);
                arith::MinSIOp::build(&mut self.builder(op), most, inner).result(self.ir)
            }
            _ => ceil_div(&mut self.builder(op), inner, wide.lanes),
        };
        let space: Vec<Extent> = outer
            .iter()
            .chain([&chunks])
            .map(|&size| Extent::Value(size))
            .collect();
        let how = self.how(op)?;
        let launch = self.launch(op, how, &space, Team::Thread)?;
        let mut kernel = self.kernel(op, "segmap");
        let body = segmap.body(kernel.ir);
        kernel.capture(&[body]);
        let buffers = kernel.buffers(&outputs);
        let thread = kernel.thread(&launch);
        let extents: Vec<Option<Value>> = outer
            .iter()
            .map(|&size| Some(kernel.scalar(size)))
            .collect();
        let inner = kernel.scalar(inner);
        kernel.points(
            &launch,
            thread,
            Copies::Allowed,
            &mut |kernel, point, indices, guard| {
                kernel.when(point, guard, |kernel, point| {
                    let Some((&chunk, outer)) = indices.split_last() else {
                        return;
                    };
                    let mut b = kernel.at(point);
                    let number = linear_index(&mut b, outer, &extents);
                    let start = if flat {
                        constant(&mut b, 0)
                    } else {
                        mul(&mut b, number, inner)
                    };
                    let row = Row {
                        start,
                        inner,
                        chunk,
                        outer: outer.to_vec(),
                        rank: sizes.len(),
                        flat,
                    };
                    row.elements(kernel, point, wide, body, &buffers);
                });
            },
        );
        kernel.finish(&launch);
        self.replace_results(op, &outputs, &sizes);
        Some(())
    }
}

/// A thread's place: a chunk of a row.
struct Row {
    /// Number of the row's first element, and how many it has.
    start: Value,
    inner: Value,
    /// Number of the chunk in the row.
    chunk: Value,
    /// Indices of the row.
    outer: Vec<Value>,
    /// Dimensions of the space.
    rank: usize,
    /// Whether the whole space is one row.
    flat: bool,
}

impl Row {
    /// Does the elements of the chunk: together where all are in the row, else one by one.
    fn elements(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        wide: &Wide,
        body: Region,
        buffers: &[Value],
    ) {
        let anywhere = wide.rows == Rows::Anywhere && !self.flat;
        let mut b = kernel.at(point);
        let lanes = constant(&mut b, wide.lanes);
        let first = if anywhere {
            let chunks_before = arith::DivUIOp::build(&mut b, self.start, lanes).result(b.ir);
            let chunk = add(&mut b, chunks_before, self.chunk);
            mul(&mut b, chunk, lanes)
        } else {
            let first = mul(&mut b, self.chunk, lanes);
            if self.flat {
                first
            } else {
                add(&mut b, self.start, first)
            }
        };
        let together = |kernel: &mut Kernel<'_>, point: InsertPoint| {
            let indices = self.indices(kernel, point, first);
            let values = wide.values(
                kernel,
                point,
                body,
                Elements {
                    indices: &indices,
                    number: first,
                },
            );
            wide.store(kernel, point, buffers, &values, first);
            Vec::new()
        };
        if wide.rows == (Rows::Aligned { ends: true }) {
            together(kernel, point);
            return;
        }
        let end = add(&mut b, self.start, self.inner);
        let last = add(&mut b, first, lanes);
        let mut inside = compare(&mut b, CmpIPredicate::Sle, last, end);
        if anywhere {
            let begun = compare(&mut b, CmpIPredicate::Sge, first, self.start);
            inside = arith::AndIOp::build(&mut b, inside, begun).result(b.ir);
        }
        kernel.if_else(point, inside, &[], together, |kernel, point| {
            let mut b = kernel.at(point);
            let one = constant(&mut b, 1);
            let from = match anywhere {
                true => arith::MaxSIOp::build(&mut b, first, self.start).result(b.ir),
                false => first,
            };
            let to = arith::MinSIOp::build(&mut b, last, end).result(b.ir);
            kernel.for_loop(point, (from, to, one), &[], |kernel, point, number, _| {
                let indices = self.indices(kernel, point, number);
                let values = wide.value(
                    kernel,
                    point,
                    body,
                    Elements {
                        indices: &indices,
                        number,
                    },
                );
                for (&buffer, value) in buffers.iter().zip(values) {
                    store(&mut kernel.at(point), value, buffer, number);
                }
                Vec::new()
            });
            Vec::new()
        });
    }

    /// The indices of the element with this number; in a flat space of several dimensions nobody asks for them.
    fn indices(&self, kernel: &mut Kernel<'_>, point: InsertPoint, number: Value) -> Vec<Value> {
        if self.flat {
            return vec![number; self.rank];
        }
        let mut indices = self.outer.clone();
        let last =
            arith::SubIOp::build(&mut kernel.at(point), number, self.start).result(kernel.ir);
        indices.push(last);
        indices
    }
}
