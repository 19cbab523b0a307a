//! Reductions and scans inside a point whose operators combine arrays: a thread of the block for each segment.
//!
//! A thread combines the elements of its segment in their order ([`crate::arrays`]), so that the threads of a block share
//! out segments, but not the elements of one.

use super::ops::Inner;
use crate::arrays::{Accumulators, ArrayOperator};
use crate::kernel::Kernel;
use crate::launch::constant;
use crate::segmented::Kind;
use crate::state::{Array, Emitted, Extent};
use segra_ir::{InsertPoint, Region, Value};
use segra_std::arith::expr::unfold;

/// The part of a combination that is kept: prefixes of a kind, or all elements combined.
pub(super) type Prefixes = Option<Kind>;

impl Kernel<'_> {
    /// A segred or segscan of `inner` with the operator `combine`; `results` are all of the op.
    pub(super) fn block_arrays(
        &mut self,
        point: InsertPoint,
        (combine, neutral): (Region, &[Value]),
        prefixes: Prefixes,
        results: &[Value],
        mut inner: Inner,
    ) {
        let operator = ArrayOperator::new(self, inner.op, combine, neutral);
        inner.place_all(self, point);
        let space = match prefixes {
            Some(_) => inner.extents.clone(),
            None => inner.outer().to_vec(),
        };
        let mut places: Vec<Array> = Vec::new();
        for (&result, &neutral) in results.iter().zip(neutral) {
            let mut extents: Vec<Extent> = space.clone();
            if let Emitted::Array(array) = self.emitted(neutral) {
                extents.extend(&array.extents);
            }
            places.push(self.place_result(point, result, extents, inner.op));
        }
        self.begin_step(point);
        let segments = self.count(point, inner.outer());
        self.for_threads(point, segments, false, |kernel, point, number| {
            let outer = inner.sizes.len() - 1;
            let segment = unfold(&mut kernel.at(point), &inner.sizes[..outer], number);
            combine_segment(
                kernel,
                point,
                (&operator, prefixes),
                &mut inner,
                &segment,
                &places,
            );
        });
        self.end_step(point);
        for (&result, place) in results.iter().zip(places) {
            if !self.is_array(self.ir.value_type(result)) {
                let zero = constant(&mut self.at(point), 0);
                let value = self.load_element(point, &place, zero);
                self.values.map(result, value);
                self.read_at_point(&place);
                continue;
            }
            self.arrays.insert(result, place);
        }
        inner.bind(self);
    }
}

/// Combines the elements of one segment in their order, by one thread.
fn combine_segment(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    (operator, prefixes): (&ArrayOperator, Prefixes),
    inner: &mut Inner,
    segment: &[Value],
    places: &[Array],
) {
    let store = |kernel: &mut Kernel<'_>,
                 point,
                 sums: &Accumulators,
                 scalars: &[Value],
                 index: &[Value]| {
        for (place, value) in places.iter().zip(sums.all(scalars)) {
            kernel.set_value_at(point, place, index, &value);
        }
    };
    let (sums, scalars) = operator.begin(kernel, point, None);
    let length = inner.sizes[inner.sizes.len() - 1];
    let mut b = kernel.at(point);
    let (zero, one) = (constant(&mut b, 0), constant(&mut b, 1));
    let end = kernel.for_loop(
        point,
        (zero, length, one),
        &scalars,
        |kernel, point, at, scalars| {
            let index: Vec<Value> = segment.iter().copied().chain([at]).collect();
            if prefixes == Some(Kind::Exclusive) {
                store(kernel, point, &sums, scalars, &index);
            }
            let element = inner.values(kernel, point, segment, at, places.len());
            let scalars = sums.add(kernel, point, operator, scalars, &element);
            if prefixes == Some(Kind::Inclusive) {
                store(kernel, point, &sums, &scalars, &index);
            }
            scalars
        },
    );
    if prefixes.is_none() {
        store(kernel, point, &sums, &end, segment);
    }
}
