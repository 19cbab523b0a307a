//! Constants as run-time values and back: what folding and `arith.constant` share.

use segra_interp::{ArrayValue, Datum, Elem, Elements};
use segra_ir::attrs::Splat;
use segra_ir::{Attr, AttrKind, Context, Type, TypeKind};

/// The value of a number or dense attribute: a scalar, a vector (vector type) or an array (tensor or memref type).
/// `None` for other attributes and formats the interpreter does not compute with.
pub fn attr_to_datum(ctx: &Context, attr: Attr) -> Option<Datum> {
    match ctx.attr_kind(attr) {
        AttrKind::Integer { value, ty } => {
            let width = Elem::of(ctx, *ty)?.int_width()?;
            Some(Datum::Int(width.wrap(*value as i64)))
        }
        AttrKind::Float { bits, ty } => Some(Datum::from_bits(*bits as u64, float_elem(ctx, *ty)?)),
        AttrKind::DenseElements { ty, data, splat } => {
            let (shape, element) = ty.shaped(ctx)?;
            let elem = Elem::of(ctx, element)?;
            let shape: Vec<usize> = shape
                .iter()
                .map(|&extent| usize::try_from(extent).ok())
                .collect::<Option<_>>()?;
            let array = dense_array(elem, shape, data, *splat)?;
            match ctx.type_kind(*ty) {
                TypeKind::Vector { .. } => Some(Datum::vector(array)),
                _ => Some(Datum::array(array)),
            }
        }
        _ => None,
    }
}

fn float_elem(ctx: &Context, ty: Type) -> Option<Elem> {
    Elem::of(ctx, ty).filter(|elem| elem.is_float())
}

fn dense_array(elem: Elem, shape: Vec<usize>, data: &[u8], splat: Splat) -> Option<ArrayValue> {
    let size = (elem.bits() as usize).div_ceil(8);
    let scalar = |chunk: &[u8]| {
        let mut word = [0; 8];
        word[..size].copy_from_slice(chunk);
        Datum::from_bits(u64::from_le_bytes(word), elem)
    };
    if splat == Splat::Yes {
        return ArrayValue::splat(elem, shape, &scalar(data.get(..size)?));
    }
    let mut elements = Elements::with_capacity(elem, data.len() / size);
    for chunk in data.chunks_exact(size) {
        elements.push(&scalar(chunk))?;
    }
    ArrayValue::new(elem, shape, elements)
}

/// The attribute of type `ty` that holds a scalar or a vector.
pub fn datum_to_attr(ctx: &Context, value: &Datum, ty: Type) -> Option<Attr> {
    match value {
        Datum::Int(value) if ty.is_integer_or_index(ctx) => Some(ctx.int_attr((*value).into(), ty)),
        Datum::F16(_) | Datum::BF16(_) | Datum::TF32(_) | Datum::F32(_) | Datum::F64(_)
            if ty.is_float(ctx) =>
        {
            Some(ctx.float_bits_attr(value.to_bits()?.into(), ty))
        }
        Datum::Vector(array) => {
            let elem = Elem::of_element(ctx, ty)?;
            let size = (elem.bits() as usize).div_ceil(8);
            // Bits beyond the width are 0 in elements.
            let mask = u64::MAX >> (64 - elem.bits());
            let bytes =
                |value: &Datum| Some((value.to_bits()? & mask).to_le_bytes()[..size].to_vec());
            let first = array.get(0);
            let same = first
                .as_ref()
                .is_some_and(|first| array.iter().all(|value| value == *first));
            let (data, splat) = match &first {
                Some(first) if same => (bytes(first)?, Splat::Yes),
                _ => {
                    let rows: Option<Vec<Vec<u8>>> =
                        array.iter().map(|value| bytes(&value)).collect();
                    (rows?.concat(), Splat::No)
                }
            };
            Some(ctx.attr(AttrKind::DenseElements { ty, data, splat }))
        }
        _ => None,
    }
}

/// The scalar that every element of a constant is: the constant itself, or the element of a splat.
pub fn splat_of(ctx: &Context, attr: Attr) -> Option<Datum> {
    match attr_to_datum(ctx, attr)? {
        Datum::Vector(array) | Datum::Array(array) => {
            let first = array.get(0)?;
            array.iter().all(|value| value == first).then_some(first)
        }
        scalar => Some(scalar),
    }
}

/// Applies a scalar rule to constants, element by element on vectors or tensors of one shape; of poison comes poison.
pub fn fold_scalars(
    ctx: &Context,
    operands: &[Option<Attr>],
    result: Type,
    rule: impl Fn(&[Datum]) -> Option<Datum>,
) -> Option<Attr> {
    if let Some(poison) = crate::arith::rules::poison_among(ctx, operands) {
        return Some(poison);
    }
    // There is one number of no bits.
    if result.integer_width(ctx) == Some(0) && operands.iter().all(Option::is_some) {
        return Some(ctx.int_attr(0, result));
    }
    let values: Vec<Datum> = operands
        .iter()
        .map(|attr| attr_to_datum(ctx, (*attr)?))
        .collect::<Option<_>>()?;
    let vectors: Vec<&ArrayValue> = values
        .iter()
        .filter_map(|value| value.as_vector().or(value.as_array()).map(|array| &**array))
        .collect();
    if vectors.is_empty() {
        return datum_to_attr(ctx, &rule(&values)?, result);
    }
    let first = vectors[0];
    if vectors.len() != values.len() || vectors.iter().any(|vector| vector.shape() != first.shape())
    {
        return None;
    }
    let elem = Elem::of_element(ctx, result)?;
    let mut elements = Elements::with_capacity(elem, first.len());
    for position in 0..first.len() {
        let row: Vec<Datum> = vectors
            .iter()
            .map(|vector| vector.get(position))
            .collect::<Option<_>>()?;
        elements.push(&rule(&row)?)?;
    }
    let folded = ArrayValue::new(elem, first.shape().to_vec(), elements)?;
    datum_to_attr(ctx, &Datum::vector(folded), result)
}
