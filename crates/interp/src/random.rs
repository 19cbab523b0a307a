//! Inputs made from a seed: the same on every machine.

use crate::array::{ArrayValue, Elements, element_count};
use crate::datum::Datum;
use crate::elem::Elem;
use crate::memref::MemRefValue;
use segra_ir::{Context, Type, TypeKind, types};
use segra_random::SplitMix64;

/// A reproducible stream of values.
#[derive(Clone, Debug)]
pub struct Rng(SplitMix64);

impl Rng {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Rng {
        Rng(SplitMix64::new(seed))
    }
    /// A number in `0..bound` (0 where `bound` is 0).
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0.below(bound)
    }
    /// A scalar: floats in `[-1, 1)`, integers in `-100..100` (as far as the width goes), `index` in `0..100`.
    pub fn scalar(&mut self, elem: Elem) -> Datum {
        match elem {
            Elem::Index => Datum::Int(self.below(100) as i64),
            Elem::Int(width) => Datum::Int(width.wrap(self.below(200) as i64 - 100)),
            _ => Datum::from_f64(self.0.unit() * 2.0 - 1.0, elem),
        }
    }
    /// An array of such scalars; `None` if the shape has too many elements.
    pub fn array(&mut self, elem: Elem, shape: &[usize]) -> Option<ArrayValue> {
        let count = element_count(shape)?;
        let mut elements = Elements::with_capacity(elem, count);
        for _ in 0..count {
            elements.push(&self.scalar(elem))?;
        }
        ArrayValue::new(elem, shape.to_vec(), elements)
    }
    /// A value of a builtin type: a scalar, vector, tensor or memref; `extent` decides each extent that the type leaves
    /// open. `None` for other types (a dialect makes values of its own).
    pub fn value(
        &mut self,
        ctx: &Context,
        ty: Type,
        mut extent: impl FnMut(&mut Rng) -> usize,
    ) -> Option<Datum> {
        if let Some(elem) = Elem::of(ctx, ty) {
            return Some(self.scalar(elem));
        }
        let (shape, element) = ty.shaped(ctx)?;
        let elem = Elem::of(ctx, element)?;
        let shape: Vec<usize> = shape
            .iter()
            .map(|&size| match size {
                types::DYNAMIC => Some(extent(self)),
                size => usize::try_from(size).ok(),
            })
            .collect::<Option<_>>()?;
        let array = self.array(elem, &shape)?;
        Some(match ctx.type_kind(ty) {
            TypeKind::Vector { .. } => Datum::vector(array),
            TypeKind::MemRef { .. } => Datum::memref(MemRefValue::from_array(&array)),
            _ => Datum::array(array),
        })
    }
}
