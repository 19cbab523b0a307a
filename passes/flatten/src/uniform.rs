//! Extents of what control flow in a nest carries: whether they are the same for all points at each step.
//!
//! ```text
//! map (\x -> loop a = [x] for i < n do a ++ a) xs      all points have 2^i elements after i steps
//! ```
//! Such a nest can move into the loop: the arrays of all points are one array, which grows.
//!
//! Legality: supposed that what the loop carries has such extents, what it yields has them: they are extents of arrays from
//! outside, or of joined ones, or numbers that are made on the host once the nest is in the loop.

use crate::function::Flattener;
use crate::view::{Lifted, Scalar};
use rustc_hash::FxHashSet;
use segra_array::extent::straight;
use segra_array::layout::ConcatOp;
use segra_array::shape::DimOp;
use segra_ir::interfaces::{all_handed_on, is_pure, is_speculatable, known_extent};
use segra_ir::{Op, Value, ValueDef};
use segra_std::check::RequireOp;
use segra_std::scf;

/// Most values looked at for one answer.
const MOST: usize = 1000;

/// Suppositions about a loop, and what was found so far.
#[derive(Default)]
struct Supposed {
    /// Extents that loops and branches forward.
    extents: FxHashSet<(Value, usize)>,
    /// Loops whose bounds are the same for all points.
    loops: FxHashSet<Op>,
    asked: usize,
}

impl Flattener<'_> {
    /// Whether all arrays among `values`, which `op` gives its regions or results, have the same extents for all points.
    pub(crate) fn is_uniform_flow(&self, op: Op, values: &[Value]) -> bool {
        let mut supposed = Supposed::default();
        self.bounds_are_uniform(op, &mut supposed)
            && values.iter().all(|&value| {
                let rank = self.array_rank(value);
                (0..rank).all(|dim| self.extent_is_uniform(value, dim, &mut supposed))
            })
    }

    fn array_rank(&self, value: Value) -> usize {
        segra_array::types::sizes_and_element(&self.ctx, self.ir.value_type(value))
            .0
            .len()
    }

    /// Whether all points take the same way through an op of control flow.
    fn bounds_are_uniform(&self, op: Op, supposed: &mut Supposed) -> bool {
        if supposed.loops.contains(&op) {
            return true;
        }
        let uniform = if let Some(looped) = self.ir.cast::<scf::ForOp>(op) {
            let bounds = [
                looped.lower_bound(self.ir),
                looped.upper_bound(self.ir),
                looped.step(self.ir),
            ];
            bounds
                .into_iter()
                .all(|bound| self.number_is_uniform(bound, supposed))
        } else if let Some(branch) = self.ir.cast::<scf::IfOp>(op) {
            self.number_is_uniform(branch.condition(self.ir), supposed)
        } else {
            false
        };
        if uniform {
            supposed.loops.insert(op);
        }
        uniform
    }

    fn extent_is_uniform(&self, array: Value, dim: usize, supposed: &mut Supposed) -> bool {
        supposed.asked += 1;
        if supposed.asked > MOST {
            return false;
        }
        if let Some(view) = self.view(array) {
            return match view.sizes.get(dim) {
                Some(Scalar::New(_)) => true,
                Some(&Scalar::Old(number)) => self.number_is_uniform(number, supposed),
                None => false,
            };
        }
        if let Some(number) = known_extent(self.ir, array, dim) {
            return self.number_is_uniform(number, supposed);
        }
        let handed = all_handed_on(self.ir, array);
        if !handed.is_empty() {
            let Some(op) = self.op_of(array) else {
                return false;
            };
            if !supposed.extents.insert((array, dim)) {
                return true;
            }
            return self.bounds_are_uniform(op, supposed)
                && handed
                    .into_iter()
                    .all(|value| self.extent_is_uniform(value, dim, supposed));
        }
        if let Some((array, dim)) = straight(self.ir, array, dim) {
            return self.extent_is_uniform(array, dim, supposed);
        }
        let Some(op) = self.ir.defining_op(array).filter(|_| dim == 0) else {
            return false;
        };
        if let Some(concat) = self.ir.cast::<ConcatOp>(op) {
            let arrays = concat.arrays(self.ir);
            return arrays
                .into_iter()
                .all(|part| self.extent_is_uniform(part, 0, supposed));
        }
        false
    }

    /// The op of control flow that gives a value.
    fn op_of(&self, value: Value) -> Option<Op> {
        match self.ir.value_def(value) {
            ValueDef::Result { op, .. } => Some(op),
            ValueDef::Argument { block, .. } => self.ir.block_parent(block),
        }
    }

    /// Whether a number is made on the host once the nest is inside of the loops that are supposed to be there.
    fn number_is_uniform(&self, number: Value, supposed: &mut Supposed) -> bool {
        supposed.asked += 1;
        if supposed.asked > MOST {
            return false;
        }
        if let Some(lifted) = self.env.get(number) {
            return matches!(lifted, Lifted::Host(_));
        }
        let op = match self.ir.value_def(number) {
            ValueDef::Argument { block, index } => {
                let looped = self.ir.block_parent(block);
                return index == 0 && looped.is_some_and(|looped| supposed.loops.contains(&looped));
            }
            ValueDef::Result { op, .. } => op,
        };
        if let Some(dim) = self.ir.cast::<DimOp>(op) {
            let at = usize::try_from(dim.dim(self.ir)).unwrap_or(usize::MAX);
            return self.extent_is_uniform(dim.array(self.ir), at, supposed);
        }
        let made = self.ir.isa::<RequireOp>(op)
            || self.ir.regions(op).is_empty()
                && is_pure(self.ir, op)
                && is_speculatable(self.ir, op);
        made && self.ir.operands(op).all(|operand| {
            self.ir.value_type(operand).is_scalar(&self.ctx)
                && self.number_is_uniform(operand, supposed)
        })
    }
}
