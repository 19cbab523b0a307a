//! Inputs made from a seed: the same on every machine.

use crate::array::{ArrayValue, Elements, element_count};
use crate::datum::Datum;
use crate::elem::Elem;
use crate::memref::MemRefValue;
use segra_ir::{Context, Type, TypeKind, types};

/// A reproducible stream of numbers (SplitMix64: Steele, Lea and Flood, OOPSLA 2014).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }
    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    /// A number in `0..bound` (0 where `bound` is 0).
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }
    /// A number in `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
    /// A scalar: floats in `[-1, 1)`, integers in `-100..100` (as far as the width goes), `index` in `0..100`.
    pub fn scalar(&mut self, elem: Elem) -> Datum {
        match elem {
            Elem::Index => Datum::Int(self.below(100) as i64),
            Elem::Int(width) => Datum::Int(width.wrap(self.below(200) as i64 - 100)),
            _ => Datum::from_f64(self.unit() * 2.0 - 1.0, elem),
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
