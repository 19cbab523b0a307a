//! Extents that a combinator's body gives its arrays, computed before the combinator.
//!
//! Legality: the extent comes, through ops that keep extents and pure arithmetic, from what is there before the
//! combinator: scalars, and extents of arrays. Then it is the same for all elements.

use crate::function::{Flattener, Outcome};
use crate::view::Scalar;
use segra_array::extent::{Origin, is_uniform, origin_of, origin_of_number};
use segra_array::types::{Size, sizes_and_element};
use segra_ir::{Ident, Op, OpState, Trait, Value, ValueDef};

/// Most ops of arithmetic between what is there and an extent, one after the other.
const DEEPEST: usize = 12;

impl Flattener<'_> {
    /// Before a combinator of the host: names that arrays in its bodies give to extents that are the same for all elements
    /// are sizes like those of the function while it is flattened. The names that are new.
    pub(crate) fn name_uniform_extents(&mut self, op: Op) -> Outcome<Vec<Ident>> {
        let mut names = Vec::new();
        for inner in self.ir.walk(op).into_iter().skip(1) {
            for result in self.ir.results(inner).collect::<Vec<_>>() {
                let (sizes, _) = sizes_and_element(&self.ctx, self.ir.value_type(result));
                for (dim, size) in sizes.into_iter().enumerate() {
                    let Size::Symbol(name) = size else { continue };
                    let origin = origin_of(self.ir, result, dim);
                    if self.symbols.contains_key(&name) || !is_uniform(self.ir, op, origin) {
                        continue;
                    }
                    if let Some(extent) = self.extent_from_outside(op, result, dim)? {
                        let place = format!(
                            "dimension {dim} of a result of {}",
                            self.ir.op_name_str(inner)
                        );
                        self.symbols.insert(name, (extent, place));
                        names.push(name);
                    }
                }
            }
        }
        Ok(names)
    }

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
            // An array inside is bound only while the loop over its elements is made, which is not now.
            Origin::Dim(array, dim) => self.view(array).is_some_and(|view| {
                debug_assert!(
                    !self.ir.is_defined_inside(array, op),
                    "what is inside an op is not bound around it"
                );
                matches!(view.sizes.get(dim), Some(Scalar::New(_)))
            }),
            Origin::Value(value) if !self.ir.is_defined_inside(value, op) => {
                self.env.get(value).is_some()
            }
            Origin::Value(value) => match self.ir.value_def(value) {
                ValueDef::Argument { .. } => false,
                ValueDef::Result { op: inner, .. } => {
                    let pure =
                        self.ir.has_trait(inner, Trait::Pure) && self.ir.regions(inner).is_empty();
                    deepest > 0
                        && pure
                        && self.ir.operands(inner).all(|operand| {
                            let ty = self.ir.value_type(operand);
                            ty.is_scalar(&self.ctx)
                                && self.tells(origin_of_number(self.ir, operand), op, deepest - 1)
                        })
                }
            },
        }
    }

    /// The value of what [`Self::tells`].
    fn told(&mut self, origin: Origin, op: Op) -> Outcome<Value> {
        let value = match origin {
            Origin::Dim(array, dim) => {
                let Some(&size) = self
                    .view(array)
                    .as_ref()
                    .and_then(|view| view.sizes.get(dim))
                else {
                    return self.fail(op, "has an extent that is not available here");
                };
                return Ok(self.resolve_all(&[size], op)?[0]);
            }
            Origin::Value(value) => value,
        };
        let inner = match self.ir.value_def(value) {
            ValueDef::Result { op: inner, .. } if self.ir.is_defined_inside(value, op) => inner,
            _ => return self.value_of(value, op),
        };
        let mut state = OpState::new(self.ir.op_name(inner), self.ir.loc(inner));
        for operand in self.ir.operands(inner).collect::<Vec<_>>() {
            let origin = origin_of_number(self.ir, operand);
            state.operands.push(self.told(origin, op)?);
        }
        state.result_types = self
            .ir
            .results(inner)
            .map(|result| self.ir.value_type(result))
            .collect();
        let at = self
            .ir
            .results(inner)
            .position(|result| result == value)
            .unwrap_or_default();
        let new = self.builder(self.ir.loc(inner)).insert(state);
        let properties = self.ir.properties(inner);
        self.ir.set_properties(new, properties);
        Ok(self.ir.result(new, at))
    }
}
