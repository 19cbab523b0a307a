//! Segmented ops inside a point whose elements do not meet (segmap), or meet in memory (scatter, seghist).

use crate::arrays::{ArrayOperator, combine_at};
use crate::kernel::Kernel;
use crate::launch::constant;
use crate::point::is_last_use;
use crate::segmented::Atomics;
use crate::state::{Array, Emitted, Extent, Unit};
use crate::update::in_range;
use segra_ir::{InsertPoint, Op, Region, Value};
use segra_kernel::atomic::Ways;
use segra_kernel::segop::{SegMapOp, SegRedOp, SegScanOp, SegmentedOp};
use segra_kernel::update::{ScatterOp, SegHistOp, num_indices, segment_dims};
use segra_std::arith::expr::{linear_index, unfold};

/// A segmented op inside a point.
pub(super) struct Inner {
    pub(super) op: Op,
    pub(super) body: Region,
    /// Extents of the space.
    pub(super) extents: Vec<Extent>,
    pub(super) sizes: Vec<Value>,
    /// Results that points store, in order, and where, once that is known.
    results: Vec<Value>,
    places: Vec<Option<Array>>,
}

impl Inner {
    /// `first`: number of the first result that points store.
    fn new(kernel: &mut Kernel<'_>, op: Op, first: usize) -> Option<Inner> {
        let model = kernel.ir.interface::<dyn SegmentedOp>(op)?;
        let (old, body) = (model.sizes(kernel.ir, op), model.body(kernel.ir, op));
        let extents = kernel.extents_of(&old);
        let sizes = extents
            .iter()
            .map(|&extent| kernel.extent(extent))
            .collect();
        let results: Vec<Value> = kernel.ir.results(op).skip(first).collect();
        let places = vec![None; results.len()];
        Some(Inner {
            op,
            body,
            extents,
            sizes,
            results,
            places,
        })
    }

    /// Extents of the segments' dimensions.
    pub(super) fn outer(&self) -> &[Extent] {
        &self.extents[..self.extents.len().saturating_sub(1)]
    }

    /// Stores what a point returns for the `index`-th stored result, as its value number `linear`.
    fn store(
        &mut self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        index: usize,
        value: &Emitted,
        linear: Value,
    ) {
        let Some(&result) = self.results.get(index) else {
            return;
        };
        let place = match &self.places[index] {
            Some(place) => place.clone(),
            None => {
                let mut extents = self.extents.clone();
                if let Emitted::Array(array) = value {
                    extents.extend(&array.extents);
                }
                let place = kernel.place_result(point, result, extents, self.op);
                self.places[index] = Some(place.clone());
                place
            }
        };
        match value {
            Emitted::Scalar(value) => kernel.store_element(point, &place, linear, *value),
            Emitted::Array(array) => {
                let rows = kernel.count(point, &array.extents);
                let first = crate::launch::mul(&mut kernel.at(point), linear, rows);
                let row = kernel.part(point, &place, first, array.extents.clone());
                kernel.copy_by_thread(point, array, &row);
            }
        }
    }

    /// As [`Self::store`], for the point with these indices and this number.
    pub(super) fn store_at(
        &mut self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        index: usize,
        value: &Emitted,
        (indices, number): (&[Value], Value),
    ) {
        let place = self
            .places
            .get(index)
            .cloned()
            .flatten()
            .filter(|place| place.pitch.is_some());
        let linear = place.map_or(number, |place| kernel.linear(point, &place, indices));
        self.store(kernel, point, index, value, linear);
    }

    /// Memory for the scalars of the space's points (or segments, where `outer` is given), before any is stored.
    pub(super) fn place_all(&mut self, kernel: &mut Kernel<'_>, point: InsertPoint) {
        for index in 0..self.results.len() {
            let result = self.results[index];
            let rank = kernel
                .ir
                .value_type(result)
                .shaped(kernel.ir.ctx())
                .map_or(0, |shaped| shaped.0.len());
            if rank == self.extents.len() && rank > 0 && !kernel.is_own(result) {
                let place = kernel.place_result(point, result, self.extents.clone(), self.op);
                self.places[index] = Some(place);
            }
        }
    }

    /// The values of element `at` of a segment: those to combine are returned, the others stored.
    pub(super) fn element(
        &mut self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        segment: &[Value],
        at: Value,
        combined: usize,
    ) -> Vec<Value> {
        let mut found = Vec::new();
        for value in self.values(kernel, point, segment, at, combined) {
            match value {
                Emitted::Scalar(value) => found.push(value),
                Emitted::Array(array) => {
                    kernel.refuse(self.op, "combines arrays with the operator of scalars");
                    found.push(crate::access::zero(&mut kernel.at(point), array.element));
                }
            }
        }
        found
    }

    /// As [`Self::element`], where values to combine may be arrays.
    pub(super) fn values(
        &mut self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        segment: &[Value],
        at: Value,
        combined: usize,
    ) -> Vec<Emitted> {
        let mut index = segment.to_vec();
        index.push(at);
        let mut values = kernel.inline_point(point, self.body, &index);
        let stored = values.split_off(combined.min(values.len()));
        if !stored.is_empty() {
            let linear = self.number(kernel, point, &index);
            for (position, value) in stored.iter().enumerate() {
                self.store(kernel, point, position, value, linear);
            }
        }
        values
    }

    /// Where a stored result lies, once that is known.
    pub(super) fn place(&self, index: usize) -> Option<Array> {
        self.places.get(index).cloned().flatten()
    }

    /// Row-major number of the point with these indices.
    pub(super) fn number(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        indices: &[Value],
    ) -> Value {
        let known: Vec<Option<Value>> = self.sizes.iter().map(|&size| Some(size)).collect();
        linear_index(&mut kernel.at(point), indices, &known)
    }

    /// The results are where they were placed. An op without points has its places all the same.
    pub(super) fn bind(self, kernel: &mut Kernel<'_>) {
        for (result, place) in self.results.into_iter().zip(self.places) {
            if let Some(place) = place {
                kernel.arrays.insert(result, place);
            }
        }
    }
}

impl Kernel<'_> {
    /// Emits a segmented op of a point that a thread block runs.
    pub(crate) fn block_op(&mut self, point: InsertPoint, op: Op) {
        if self.ir.isa::<SegMapOp>(op) {
            self.block_segmap(point, op);
        } else if let Some(segred) = self.ir.cast::<SegRedOp>(op) {
            let first = segred.neutral(self.ir).len();
            if let Some(inner) = Inner::new(self, op, first) {
                self.block_segred(point, segred, inner);
            }
        } else if let Some(segscan) = self.ir.cast::<SegScanOp>(op) {
            let first = segscan.neutral(self.ir).len();
            if let Some(inner) = Inner::new(self, op, first) {
                self.block_segscan(point, segscan, inner);
            }
        } else if let Some(scatter) = self.ir.cast::<ScatterOp>(op) {
            let destinations = scatter.destinations(self.ir);
            self.block_update(point, op, &destinations, None);
        } else if let Some(hist) = self.ir.cast::<SegHistOp>(op) {
            let destinations = hist.destinations(self.ir);
            let (combine, neutral) = (hist.combine(self.ir), hist.neutral(self.ir));
            let operator = ArrayOperator::new(self, op, combine, &neutral);
            self.block_update(point, op, &destinations, Some(&operator));
        } else {
            self.refuse(op, "has no form inside a thread block");
        }
    }

    fn block_segmap(&mut self, point: InsertPoint, op: Op) {
        let Some(mut inner) = Inner::new(self, op, 0) else {
            return;
        };
        if inner.sizes.is_empty() {
            // One point: all threads run it alike.
            let values = self.inline_point(point, inner.body, &[]);
            for (result, value) in inner.results.into_iter().zip(values) {
                match value {
                    Emitted::Scalar(value) => self.values.map(result, value),
                    Emitted::Array(array) => {
                        self.arrays.insert(result, array);
                    }
                }
            }
            return;
        }
        self.before_copies(point, op);
        inner.place_all(self, point);
        if self.copies_ahead(op) {
            self.step(point, |kernel| match kernel.is_box(op) {
                true => kernel.copy_box(point, &inner),
                false => kernel.copy_ahead(point, &mut inner),
            });
            return inner.bind(self);
        }
        let own = self
            .own
            .as_ref()
            .is_some_and(|own| own.is_over(self.ir, op));
        let count = self.count(point, &inner.extents.clone());
        let several = self.takes_several(&inner);
        self.step(point, |kernel| match own {
            true => kernel.by_thread(|kernel| kernel.own_step(point, &mut inner)),
            false => kernel.for_threads(point, count, several, |kernel, point, at| {
                let indices = unfold(&mut kernel.at(point), &inner.sizes, at);
                let values = kernel.inline_point(point, inner.body, &indices);
                for (index, value) in values.iter().enumerate() {
                    inner.store_at(kernel, point, index, value, (&indices, at));
                }
            }),
        });
        inner.bind(self);
    }

    /// A segmap with one point for each thread: what threads keep stays with them, the rest is stored.
    fn own_step(&mut self, point: InsertPoint, inner: &mut Inner) {
        let Some((indices, thread)) = self
            .block
            .as_ref()
            .map(|block| (block.own_point.clone(), block.thread))
        else {
            return;
        };
        let values = self.inline_point(point, inner.body, &indices);
        let in_warps = self.own.as_ref().is_some_and(|own| own.in_warps);
        let number = match in_warps {
            true => inner.number(self, point, &indices),
            false => thread,
        };
        for (index, value) in values.iter().enumerate() {
            match (value, inner.results[index]) {
                (Emitted::Scalar(value), result) if self.is_own(result) => {
                    self.values.map(result, *value)
                }
                (value, _) => inner.store_at(self, point, index, value, (&indices, number)),
            }
        }
    }

    /// scatter, and seghist where there is an operator: destinations are changed in place where nobody else needs
    /// them, else copies of them. Bins of values that are exact atomics are changed by all threads at once; others in the
    /// order of the elements, segments side by side.
    fn block_update(
        &mut self,
        point: InsertPoint,
        op: Op,
        destinations: &[Value],
        operator: Option<&ArrayOperator>,
    ) {
        let Some(inner) = Inner::new(self, op, 0) else {
            return;
        };
        let targets: Vec<Array> = destinations
            .iter()
            .zip(&inner.results)
            .map(|(&destination, &result)| self.destination(point, destination, result, op))
            .collect();
        let atomics = operator.map(|operator| Atomics::of(self.ir, operator.region()));
        let ways = operator
            .map(|operator| Ways::same_in_any_order(self.ir, operator.region()))
            .unwrap_or_default();
        let update = match (operator, &atomics) {
            (Some(operator), Some(atomics)) => Some(Combined {
                operator,
                atomics,
                ways: &ways,
            }),
            _ => None,
        };
        let indices = num_indices(self.ir, op);
        let step = Step {
            inner: &inner,
            targets: &targets,
            segments: segment_dims(self.ir, op),
            indices,
            update,
        };
        self.begin_step(point);
        if update.is_none() || !ways.atomic.is_empty() {
            let count = self.count(point, &inner.extents);
            self.for_threads(point, count, false, |kernel, point, at| {
                let indices = unfold(&mut kernel.at(point), &inner.sizes, at);
                step.change(kernel, point, &indices, Turn::AtOnce);
            });
        }
        if !ways.locked.is_empty() {
            let segments = self.count(point, inner.outer());
            self.for_threads(point, segments, false, |kernel, point, number| {
                let outer = inner.sizes.len() - 1;
                let segment = unfold(&mut kernel.at(point), &inner.sizes[..outer], number);
                let mut b = kernel.at(point);
                let (zero, one) = (constant(&mut b, 0), constant(&mut b, 1));
                kernel.for_loop(
                    point,
                    (zero, inner.sizes[outer], one),
                    &[],
                    |kernel, point, at, _| {
                        let mut indices = segment.clone();
                        indices.push(at);
                        step.change(kernel, point, &indices, Turn::InOrder);
                        Vec::new()
                    },
                );
            });
        }
        self.end_step(point);
        for (&result, target) in inner.results.iter().zip(targets) {
            self.arrays.insert(result, target);
        }
    }

    /// The value that an update of `destination` changes.
    fn destination(
        &mut self,
        point: InsertPoint,
        destination: Value,
        result: Value,
        user: Op,
    ) -> Array {
        let array = self.array(destination, user);
        if array.memory.buffer().is_some() && is_last_use(self.ir, destination, user) {
            return array;
        }
        debug_assert_eq!(self.unit, Unit::Block, "threads run no updates");
        let target = self.place_result(point, result, array.extents.clone(), user);
        self.copy_by_block(point, &array, &target);
        target
    }
}

/// One element of a scatter or seghist.
struct Step<'a> {
    inner: &'a Inner,
    targets: &'a [Array],
    /// How many dimensions of the space are segments.
    segments: usize,
    /// How many indices the body returns.
    indices: usize,
    /// How values are combined with what is there; none: they replace it.
    update: Option<Combined<'a>>,
}

/// The operator of a seghist, and how its values are combined.
#[derive(Clone, Copy)]
struct Combined<'a> {
    operator: &'a ArrayOperator,
    atomics: &'a Atomics,
    ways: &'a Ways,
}

/// Which values of an element are combined.
#[derive(Clone, Copy)]
enum Turn {
    /// Those of atomics, by all threads at once.
    AtOnce,
    /// The others, element after element.
    InOrder,
}

impl Step<'_> {
    fn change(&self, kernel: &mut Kernel<'_>, point: InsertPoint, at: &[Value], turn: Turn) {
        let mut values = kernel.inline_point(point, self.inner.body, at);
        let stored = values.split_off(self.indices.min(values.len()));
        let found: Vec<Value> = values
            .into_iter()
            .filter_map(|value| match value {
                Emitted::Scalar(value) => Some(value),
                Emitted::Array(_) => None,
            })
            .collect();
        let Some(first) = self.targets.first() else {
            return;
        };
        let segment = &at[..self.segments];
        let extents: Vec<Value> = first.extents[segment.len()..][..found.len()]
            .iter()
            .map(|&extent| kernel.extent(extent))
            .collect();
        let inside = in_range(kernel, point, &found, &extents);
        let mut all = segment.to_vec();
        all.extend(found);
        kernel.when(point, Some(inside), |kernel, point| match self.update {
            None => {
                for (target, value) in self.targets.iter().zip(&stored) {
                    let row = kernel.row(point, target, &all);
                    match value {
                        Emitted::Scalar(value) => {
                            let zero = constant(&mut kernel.at(point), 0);
                            kernel.store_element(point, &row, zero, *value);
                        }
                        Emitted::Array(array) => kernel.copy_by_thread(point, array, &row),
                    }
                }
            }
            Some(update) => self.combine(kernel, point, &all, &stored, (update, turn)),
        });
    }

    fn combine(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        at: &[Value],
        stored: &[Emitted],
        (update, turn): (Combined<'_>, Turn),
    ) {
        let Combined {
            operator,
            atomics,
            ways,
        } = update;
        if let Turn::InOrder = turn {
            return combine_at(
                kernel,
                point,
                (operator, &ways.locked),
                self.targets,
                at,
                stored,
            );
        }
        let scalars = Emitted::scalars(stored);
        for &index in &ways.atomic {
            let target = &self.targets[index];
            let linear = kernel.linear(point, target, at);
            let position = kernel.position(point, target, linear);
            if let Some(buffer) = target.memory.buffer() {
                atomics.update(kernel, point, index, &scalars, (buffer, position));
            }
        }
    }
}
