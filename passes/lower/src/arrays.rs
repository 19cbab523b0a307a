//! Operators that combine arrays, or arrays and scalars: what a thread that applies one keeps between two elements.
//!
//! Scalars are carried as values. An array is accumulated in memory of the thread's own, into which each result of the
//! operator is copied (unless it is there already); its elements lie side by side with those of the other threads, so
//! that neighbours access neighbouring elements. Operands keep their order. Deliberately absent: lanes that share the
//! work of one application; the thread that combines two arrays does all of it.

use crate::kernel::Kernel;
use crate::state::{Array, Emitted, Memory};
use segra_ir::{InsertPoint, Op, Region, Value};

/// An operator some of whose values are arrays, in a kernel.
pub(crate) struct ArrayOperator {
    /// The segmented op.
    op: Op,
    region: Region,
    neutral: Vec<Emitted>,
}

/// The values a thread has combined so far, but for the scalars, which loops carry.
pub(crate) struct Accumulators {
    /// The arrays, by position among the operator's values.
    arrays: Vec<Option<Array>>,
}

impl ArrayOperator {
    /// The operator `region` of `op`; its neutral elements become parameters where they are the host's.
    pub(crate) fn new(
        kernel: &mut Kernel<'_>,
        op: Op,
        region: Region,
        neutral: &[Value],
    ) -> ArrayOperator {
        for &value in neutral {
            kernel.capture_array(value);
        }
        let neutral = neutral.iter().map(|&value| kernel.emitted(value)).collect();
        ArrayOperator {
            op,
            region,
            neutral,
        }
    }

    /// The operator's region.
    pub(crate) fn region(&self) -> Region {
        self.region
    }

    /// `left op right` at `point`.
    pub(crate) fn apply(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        left: &[Emitted],
        right: &[Emitted],
    ) -> Vec<Emitted> {
        let Some(block) = kernel.ir.entry_block(self.region) else {
            return Vec::new();
        };
        let formal = kernel.ir.block_args(block).to_vec();
        for (arg, value) in formal.into_iter().zip(left.iter().chain(right)) {
            match value {
                Emitted::Scalar(value) => kernel.values.map(arg, *value),
                Emitted::Array(array) => {
                    kernel.arrays.insert(arg, array.clone());
                }
            }
        }
        let Some(terminator) = kernel.emit_block(point, block) else {
            return Vec::new();
        };
        let returned: Vec<Value> = kernel.ir.operands(terminator).collect();
        returned
            .into_iter()
            .map(|value| kernel.emitted(value))
            .collect()
    }

    /// Accumulators that start as `start` (the neutral elements where there is none), and their scalars.
    pub(crate) fn begin(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        start: Option<Vec<Emitted>>,
    ) -> (Accumulators, Vec<Value>) {
        let (mut arrays, mut scalars) = (Vec::new(), Vec::new());
        for value in start.unwrap_or_else(|| self.neutral.clone()) {
            arrays.push(match value {
                Emitted::Scalar(value) => {
                    scalars.push(value);
                    None
                }
                Emitted::Array(array) => {
                    let own = kernel.place(array.extents.clone(), array.element, self.op);
                    kernel.copy_by_thread(point, &array, &own);
                    Some(own)
                }
            });
        }
        (Accumulators { arrays }, scalars)
    }
}

impl Accumulators {
    /// All of what is accumulated; `scalars` are the carried ones.
    pub(crate) fn all(&self, scalars: &[Value]) -> Vec<Emitted> {
        let mut scalars = scalars.iter();
        let value = |array: &Option<Array>| match array {
            Some(array) => Some(Emitted::Array(array.clone())),
            None => scalars.next().map(|&value| Emitted::Scalar(value)),
        };
        self.arrays.iter().filter_map(value).collect()
    }

    /// Combines with the values of the next element; the scalars from here on.
    pub(crate) fn add(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        operator: &ArrayOperator,
        scalars: &[Value],
        element: &[Emitted],
    ) -> Vec<Value> {
        let combined = operator.apply(kernel, point, &self.all(scalars), element);
        assign(kernel, point, operator.op, &combined, &self.arrays);
        let scalar = |value| match value {
            Emitted::Scalar(value) => Some(value),
            Emitted::Array(_) => None,
        };
        combined.into_iter().filter_map(scalar).collect()
    }
}

/// Copies the arrays among `values` to their targets, all as if at once.
fn assign(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    user: Op,
    values: &[Emitted],
    targets: &[Option<Array>],
) {
    let mut copies = Vec::new();
    for (index, (value, target)) in values.iter().zip(targets).enumerate() {
        let (Emitted::Array(from), Some(to)) = (value, target) else {
            continue;
        };
        if from.same_place(to) {
            continue;
        }
        kernel.check_extents(point, user, from, to);
        // Elements that another copy overwrites are saved first.
        let overwritten = from.memory != Memory::Nothing
            && targets.iter().enumerate().any(|(other, target)| {
                other != index
                    && target
                        .as_ref()
                        .is_some_and(|target| target.memory == from.memory)
            });
        let from = match overwritten || from.memory == to.memory {
            true => {
                let saved = kernel.place(to.extents.clone(), to.element, user);
                kernel.copy_by_thread(point, from, &saved);
                saved
            }
            false => from.clone(),
        };
        copies.push((from, to));
    }
    for (from, to) in copies {
        kernel.copy_by_thread(point, &from, to);
    }
}

/// Combines values into those that `targets` have at an index, which become what the operator gives: the values with
/// these numbers, which need no others.
pub(crate) fn combine_at(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    (operator, which): (&ArrayOperator, &[usize]),
    targets: &[Array],
    index: &[Value],
    values: &[Emitted],
) {
    // Where others are, anything will do.
    let mut old = values.to_vec();
    for &at in which {
        old[at] = kernel.value_at(point, &targets[at], index);
    }
    let row = |value: &Emitted| match value {
        Emitted::Array(row) => Some(row.clone()),
        Emitted::Scalar(_) => None,
    };
    let rows: Vec<Option<Array>> = old.iter().map(row).collect();
    let new = operator.apply(kernel, point, &old, values);
    assign(kernel, point, operator.op, &new, &rows);
    for &at in which {
        if let Emitted::Scalar(_) = new[at] {
            kernel.set_value_at(point, &targets[at], index, &new[at]);
        }
    }
}

impl Kernel<'_> {
    /// The value that a point has in a buffer with a value for each point of a space.
    pub(crate) fn value_at(&mut self, point: InsertPoint, all: &Array, index: &[Value]) -> Emitted {
        let row = self.row(point, all, index);
        if !row.extents.is_empty() {
            return Emitted::Array(row);
        }
        let zero = crate::launch::constant(&mut self.at(point), 0);
        Emitted::Scalar(self.load_element(point, &row, zero))
    }

    /// Sets what a point of a buffer with a value for each point of a space has there.
    pub(crate) fn set_value_at(
        &mut self,
        point: InsertPoint,
        all: &Array,
        index: &[Value],
        value: &Emitted,
    ) {
        let row = self.row(point, all, index);
        match value {
            Emitted::Scalar(value) => {
                let zero = crate::launch::constant(&mut self.at(point), 0);
                self.store_element(point, &row, zero, *value);
            }
            Emitted::Array(from) => self.copy_by_thread(point, from, &row),
        }
    }
}
