//! Extents that a combinator's body gives its arrays, computed before the combinator.
//!
//! Legality: the extent comes, through ops that keep extents and pure arithmetic, from what is there before the
//! combinator: scalars, and extents of arrays. Then it is the same for all elements.

use crate::function::{Flattener, Outcome};
use crate::view::Scalar;
use segra_array::extent::{Origin, origin_of};
use segra_array::shape::DimOp;
use segra_ir::{Op, OpState, Trait, Value, ValueDef};

/// Most ops of arithmetic between what is there and an extent, one after the other.
const DEEPEST: usize = 12;

impl Flattener<'_> {
    /// The extent of a dimension of a result of `op`, where what is there before `op` tells it.
    pub(crate) fn extent_from_outside(
        &mut self,
        op: Op,
        result: Value,
        dim: usize,
    ) -> Outcome<Option<Value>> {
        let origin = origin_of(self.ir, result, dim);
        if !self.tells(origin, op, DEEPEST) {
            return Ok(None);
        }
        self.told(origin, op).map(Some)
    }

    /// Whether an extent is known without running `op`.
    fn tells(&self, origin: Origin, op: Op, deepest: usize) -> bool {
        match origin {
            Origin::Dim(array, dim) => self.view(array).is_some_and(|view| {
                matches!(view.sizes.get(dim), Some(Scalar::New(_))) && !self.is_within(array, op)
            }),
            Origin::Value(value) if !self.is_within(value, op) => self.env.get(value).is_some(),
            Origin::Value(value) => match self.ir.value_def(value) {
                ValueDef::Argument { .. } => false,
                ValueDef::Result { op: inner, .. } => {
                    let pure = self.ir.has_trait(inner, Trait::Pure) && self.ir.regions(inner).is_empty();
                    deepest > 0
                        && pure
                        && self.ir.operands(inner).all(|operand| {
                            let ty = self.ir.value_type(operand);
                            ty.is_scalar(&self.ctx) && self.tells(self.origin(operand), op, deepest - 1)
                        })
                }
            },
        }
    }

    /// A number of the old program: the extent it asks for, or itself.
    fn origin(&self, value: Value) -> Origin {
        match self.ir.defining_op(value).and_then(|op| self.ir.cast::<DimOp>(op)) {
            Some(dim) => usize::try_from(dim.dim(self.ir))
                .map_or(Origin::Value(value), |at| origin_of(self.ir, dim.array(self.ir), at)),
            None => Origin::Value(value),
        }
    }

    /// The value of what [`Self::tells`].
    fn told(&mut self, origin: Origin, op: Op) -> Outcome<Value> {
        let value = match origin {
            Origin::Dim(array, dim) => {
                let Some(&size) = self.view(array).as_ref().and_then(|view| view.sizes.get(dim)) else {
                    return self.fail(op, "has an extent that is not available here");
                };
                return Ok(self.resolve_all(&[size], op)?[0]);
            }
            Origin::Value(value) => value,
        };
        let inner = match self.ir.value_def(value) {
            ValueDef::Result { op: inner, .. } if self.is_within(value, op) => inner,
            _ => return self.value_of(value, op),
        };
        let mut state = OpState::new(self.ir.op_name(inner), self.ir.loc(inner));
        for operand in self.ir.operands(inner).collect::<Vec<_>>() {
            let origin = self.origin(operand);
            state.operands.push(self.told(origin, op)?);
        }
        state.result_types = self.ir.results(inner).map(|result| self.ir.value_type(result)).collect();
        let at = self.ir.results(inner).position(|result| result == value).unwrap_or_default();
        let new = self.builder(self.ir.loc(inner)).insert(state);
        let properties = self.ir.properties(inner);
        self.ir.set_properties(new, properties);
        Ok(self.ir.result(new, at))
    }

    /// Whether a value is made inside an op's regions.
    fn is_within(&self, value: Value, op: Op) -> bool {
        self.ir
            .value_block(value)
            .and_then(|block| self.ir.block_parent(block))
            .is_some_and(|parent| parent == op || self.ir.is_inside(parent, op))
    }
}
