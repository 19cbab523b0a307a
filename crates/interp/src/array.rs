//! Immutable typed arrays, row-major, and how to build and read them.

use crate::datum::Datum;
use crate::elem::Elem;
use crate::tf32::Tf32;
use half::{bf16, f16};
use std::fmt;
use std::rc::Rc;

/// Typed storage of elements. Integers of other widths live in the next wider one; `index` lives in `I64`.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the names are the storage formats")]
pub enum Elements {
    Bool(Vec<bool>),
    I8(Vec<i8>),
    I16(Vec<i16>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    F16(Vec<f16>),
    BF16(Vec<bf16>),
    TF32(Vec<Tf32>),
    F32(Vec<f32>),
    F64(Vec<f64>),
}

macro_rules! each_storage {
    ($elements:expr, $vec:ident => $body:expr) => {
        match $elements {
            Elements::Bool($vec) => $body,
            Elements::I8($vec) => $body,
            Elements::I16($vec) => $body,
            Elements::I32($vec) => $body,
            Elements::I64($vec) => $body,
            Elements::F16($vec) => $body,
            Elements::BF16($vec) => $body,
            Elements::TF32($vec) => $body,
            Elements::F32($vec) => $body,
            Elements::F64($vec) => $body,
        }
    };
}

impl Elements {
    /// No elements of a format yet, with space for `capacity`.
    pub fn with_capacity(elem: Elem, capacity: usize) -> Elements {
        match elem {
            Elem::F16 => Elements::F16(Vec::with_capacity(capacity)),
            Elem::BF16 => Elements::BF16(Vec::with_capacity(capacity)),
            Elem::TF32 => Elements::TF32(Vec::with_capacity(capacity)),
            Elem::F32 => Elements::F32(Vec::with_capacity(capacity)),
            Elem::F64 => Elements::F64(Vec::with_capacity(capacity)),
            Elem::Index => Elements::I64(Vec::with_capacity(capacity)),
            Elem::Int(width) => match width.bits() {
                1 => Elements::Bool(Vec::with_capacity(capacity)),
                2..=8 => Elements::I8(Vec::with_capacity(capacity)),
                9..=16 => Elements::I16(Vec::with_capacity(capacity)),
                17..=32 => Elements::I32(Vec::with_capacity(capacity)),
                _ => Elements::I64(Vec::with_capacity(capacity)),
            },
        }
    }
    /// `count` zeros of a format.
    pub fn zeros(elem: Elem, count: usize) -> Elements {
        let mut elements = Elements::with_capacity(elem, count);
        each_storage!(&mut elements, vec => vec.resize(count, Default::default()));
        elements
    }
    /// Number of elements.
    pub fn len(&self) -> usize {
        each_storage!(self, vec => vec.len())
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The element at `index`.
    #[inline]
    pub fn get(&self, index: usize) -> Option<Datum> {
        Some(match self {
            Elements::Bool(vec) => Datum::Int((*vec.get(index)?).into()),
            Elements::I8(vec) => Datum::Int((*vec.get(index)?).into()),
            Elements::I16(vec) => Datum::Int((*vec.get(index)?).into()),
            Elements::I32(vec) => Datum::Int((*vec.get(index)?).into()),
            Elements::I64(vec) => Datum::Int(*vec.get(index)?),
            Elements::F16(vec) => Datum::F16(*vec.get(index)?),
            Elements::BF16(vec) => Datum::BF16(*vec.get(index)?),
            Elements::TF32(vec) => Datum::TF32(*vec.get(index)?),
            Elements::F32(vec) => Datum::F32(*vec.get(index)?),
            Elements::F64(vec) => Datum::F64(*vec.get(index)?),
        })
    }
    /// Replaces the element at `index`; `None` if there is none or `value` has another format.
    #[inline]
    pub fn set(&mut self, index: usize, value: &Datum) -> Option<()> {
        match (self, value) {
            (Elements::Bool(vec), Datum::Int(value)) => *vec.get_mut(index)? = value & 1 != 0,
            (Elements::I8(vec), Datum::Int(value)) => *vec.get_mut(index)? = *value as i8,
            (Elements::I16(vec), Datum::Int(value)) => *vec.get_mut(index)? = *value as i16,
            (Elements::I32(vec), Datum::Int(value)) => *vec.get_mut(index)? = *value as i32,
            (Elements::I64(vec), Datum::Int(value)) => *vec.get_mut(index)? = *value,
            (Elements::F16(vec), Datum::F16(value)) => *vec.get_mut(index)? = *value,
            (Elements::BF16(vec), Datum::BF16(value)) => *vec.get_mut(index)? = *value,
            (Elements::TF32(vec), Datum::TF32(value)) => *vec.get_mut(index)? = *value,
            (Elements::F32(vec), Datum::F32(value)) => *vec.get_mut(index)? = *value,
            (Elements::F64(vec), Datum::F64(value)) => *vec.get_mut(index)? = *value,
            _ => return None,
        }
        Some(())
    }
    /// Adds an element; `None` if it has another format.
    #[inline]
    pub fn push(&mut self, value: &Datum) -> Option<()> {
        match (self, value) {
            (Elements::Bool(vec), Datum::Int(value)) => vec.push(value & 1 != 0),
            (Elements::I8(vec), Datum::Int(value)) => vec.push(*value as i8),
            (Elements::I16(vec), Datum::Int(value)) => vec.push(*value as i16),
            (Elements::I32(vec), Datum::Int(value)) => vec.push(*value as i32),
            (Elements::I64(vec), Datum::Int(value)) => vec.push(*value),
            (Elements::F16(vec), Datum::F16(value)) => vec.push(*value),
            (Elements::BF16(vec), Datum::BF16(value)) => vec.push(*value),
            (Elements::TF32(vec), Datum::TF32(value)) => vec.push(*value),
            (Elements::F32(vec), Datum::F32(value)) => vec.push(*value),
            (Elements::F64(vec), Datum::F64(value)) => vec.push(*value),
            _ => return None,
        }
        Some(())
    }
    /// Adds elements `range` of `other`; `None` if it has another storage format or fewer elements.
    pub fn extend(&mut self, other: &Elements, range: std::ops::Range<usize>) -> Option<()> {
        match (self, other) {
            (Elements::Bool(a), Elements::Bool(b)) => a.extend_from_slice(b.get(range)?),
            (Elements::I8(a), Elements::I8(b)) => a.extend_from_slice(b.get(range)?),
            (Elements::I16(a), Elements::I16(b)) => a.extend_from_slice(b.get(range)?),
            (Elements::I32(a), Elements::I32(b)) => a.extend_from_slice(b.get(range)?),
            (Elements::I64(a), Elements::I64(b)) => a.extend_from_slice(b.get(range)?),
            (Elements::F16(a), Elements::F16(b)) => a.extend_from_slice(b.get(range)?),
            (Elements::BF16(a), Elements::BF16(b)) => a.extend_from_slice(b.get(range)?),
            (Elements::TF32(a), Elements::TF32(b)) => a.extend_from_slice(b.get(range)?),
            (Elements::F32(a), Elements::F32(b)) => a.extend_from_slice(b.get(range)?),
            (Elements::F64(a), Elements::F64(b)) => a.extend_from_slice(b.get(range)?),
            _ => return None,
        }
        Some(())
    }
}

/// An immutable array: a row-major window into shared storage, so that a row of an array costs no copy.
#[derive(Clone)]
pub struct ArrayValue {
    elem: Elem,
    shape: Vec<usize>,
    elements: Rc<Elements>,
    offset: usize,
}

impl ArrayValue {
    /// An array of these elements; `None` if their number or storage does not fit.
    pub fn new(elem: Elem, shape: Vec<usize>, elements: Elements) -> Option<ArrayValue> {
        let count = element_count(&shape)?;
        let fits = std::mem::discriminant(&elements)
            == std::mem::discriminant(&Elements::with_capacity(elem, 0));
        (fits && elements.len() == count).then(|| ArrayValue {
            elem,
            shape,
            elements: Rc::new(elements),
            offset: 0,
        })
    }
    /// A one-dimensional `f32` array.
    pub fn f32s(values: &[f32]) -> ArrayValue {
        Self::flat(Elem::F32, Elements::F32(values.to_vec()))
    }
    /// A one-dimensional `f64` array.
    pub fn f64s(values: &[f64]) -> ArrayValue {
        Self::flat(Elem::F64, Elements::F64(values.to_vec()))
    }
    /// A one-dimensional `i32` array.
    pub fn i32s(values: &[i32]) -> ArrayValue {
        Self::flat(Elem::I32, Elements::I32(values.to_vec()))
    }
    /// A one-dimensional `index` array.
    pub fn indices(values: &[i64]) -> ArrayValue {
        Self::flat(Elem::Index, Elements::I64(values.to_vec()))
    }
    /// A one-dimensional `i1` array.
    pub fn bools(values: &[bool]) -> ArrayValue {
        Self::flat(Elem::BOOL, Elements::Bool(values.to_vec()))
    }
    fn flat(elem: Elem, elements: Elements) -> ArrayValue {
        ArrayValue {
            elem,
            shape: vec![elements.len()],
            elements: Rc::new(elements),
            offset: 0,
        }
    }
    /// An array whose every element is `value`; `None` if `value` has another format or the array is too large.
    pub fn splat(elem: Elem, shape: Vec<usize>, value: &Datum) -> Option<ArrayValue> {
        let count = element_count(&shape)?;
        let mut elements = Elements::with_capacity(elem, 1);
        elements.push(value)?;
        each_storage!(&mut elements, vec => {
            let first = *vec.first()?;
            vec.resize(count, first);
        });
        Some(ArrayValue {
            elem,
            shape,
            elements: Rc::new(elements),
            offset: 0,
        })
    }
    /// An array from little-endian bytes, [`Elem::bytes`] each (`i1`: any non-zero byte is true).
    pub fn from_bytes(elem: Elem, shape: Vec<usize>, bytes: &[u8]) -> Option<ArrayValue> {
        let count = element_count(&shape)?;
        let size = elem.bytes();
        if count.checked_mul(size)? != bytes.len() {
            return None;
        }
        let mut elements = Elements::with_capacity(elem, count);
        for chunk in bytes.chunks_exact(size) {
            let mut word = [0; 8];
            word[..size].copy_from_slice(chunk);
            let bits = u64::from_le_bytes(word);
            let bits = if elem == Elem::BOOL {
                (bits != 0).into()
            } else {
                bits
            };
            elements.push(&Datum::from_bits(bits, elem))?;
        }
        ArrayValue::new(elem, shape, elements)
    }
    /// Its elements as little-endian bytes, [`Elem::bytes`] each (`i1`: 0 or 1).
    pub fn to_bytes(&self) -> Vec<u8> {
        let size = self.elem.bytes();
        let mut bytes = Vec::with_capacity(self.len() * size);
        for value in self.iter() {
            bytes.extend_from_slice(&value.to_bits().unwrap_or(0).to_le_bytes()[..size]);
        }
        bytes
    }
    /// Format of the elements.
    pub fn elem(&self) -> Elem {
        self.elem
    }
    /// Extents, outermost first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }
    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }
    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The storage and where in it this array's elements start.
    pub fn storage(&self) -> (&Elements, usize) {
        (&self.elements, self.offset)
    }
    /// The element at a position in row-major order.
    #[inline]
    pub fn get(&self, position: usize) -> Option<Datum> {
        if position >= self.len() {
            return None;
        }
        self.elements.get(self.offset + position)
    }
    /// All elements in row-major order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Datum> + '_ {
        (0..self.len()).map(|position| {
            self.elements
                .get(self.offset + position)
                .unwrap_or_default()
        })
    }
    /// The part that leading indices select: an element, or a row that shares the storage. `None`: out of range.
    pub fn at(&self, indices: &[i64]) -> Option<Datum> {
        if indices.len() > self.rank() {
            return None;
        }
        let mut position = 0;
        for (&index, &extent) in indices.iter().zip(&self.shape) {
            let index = usize::try_from(index)
                .ok()
                .filter(|&index| index < extent)?;
            position = position * extent + index;
        }
        let rest = &self.shape[indices.len()..];
        if rest.is_empty() {
            return self.elements.get(self.offset + position);
        }
        let size: usize = rest.iter().product();
        Some(Datum::array(ArrayValue {
            elem: self.elem,
            shape: rest.to_vec(),
            elements: self.elements.clone(),
            offset: self.offset + position * size,
        }))
    }
    /// The `index`-th element or row along the outermost dimension.
    #[inline]
    pub fn row(&self, index: usize) -> Option<Datum> {
        match self.shape.as_slice() {
            [extent] if index < *extent => self.elements.get(self.offset + index),
            [_] | [] => None,
            _ => self.at(&[i64::try_from(index).ok()?]),
        }
    }
    /// The same elements under another shape of as many elements.
    pub fn reshaped(&self, shape: Vec<usize>) -> Option<ArrayValue> {
        (element_count(&shape)? == self.len()).then(|| ArrayValue {
            shape,
            ..self.clone()
        })
    }
    /// The elements `start..start + count` along the outermost dimension, sharing the storage.
    pub fn slice(&self, start: usize, count: usize) -> Option<ArrayValue> {
        let (&extent, rest) = self.shape.split_first()?;
        if start.checked_add(count)? > extent {
            return None;
        }
        let size: usize = rest.iter().product();
        let mut shape = self.shape.clone();
        shape[0] = count;
        Some(ArrayValue {
            shape,
            offset: self.offset + start * size,
            ..self.clone()
        })
    }
}

/// Number of elements of a shape; `None` if that overflows.
pub fn element_count(shape: &[usize]) -> Option<usize> {
    shape
        .iter()
        .try_fold(1usize, |count, &extent| count.checked_mul(extent))
}

impl PartialEq for ArrayValue {
    fn eq(&self, other: &ArrayValue) -> bool {
        self.elem == other.elem && self.shape == other.shape && self.iter().eq(other.iter())
    }
}

impl fmt::Display for ArrayValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn level(
            array: &ArrayValue,
            dim: usize,
            position: &mut usize,
            f: &mut fmt::Formatter<'_>,
        ) -> fmt::Result {
            if dim == array.rank() {
                let value = array.get(*position).unwrap_or_default();
                *position += 1;
                return value.fmt(f);
            }
            f.write_str("[")?;
            for index in 0..array.shape[dim] {
                if index > 0 {
                    f.write_str(", ")?;
                }
                level(array, dim + 1, position, f)?;
            }
            f.write_str("]")
        }
        level(self, 0, &mut 0, f)
    }
}
impl fmt::Debug for ArrayValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} : {:?}x{}", self.shape, self.elem)
    }
}

/// Collects the elements or rows of an array along its outermost dimension.
#[derive(Clone, Debug)]
pub struct ArrayBuilder {
    elem: Elem,
    row: Option<Vec<usize>>,
    elements: Elements,
    count: usize,
}

impl ArrayBuilder {
    /// A builder for elements of format `elem`; `capacity` elements are expected.
    pub fn new(elem: Elem, capacity: usize) -> ArrayBuilder {
        ArrayBuilder {
            elem,
            row: None,
            elements: Elements::with_capacity(elem, capacity),
            count: 0,
        }
    }
    /// Says what shape each row has before the first comes: an array without rows then has a shape, too.
    pub fn with_row_shape(mut self, shape: Vec<usize>) -> ArrayBuilder {
        self.row = Some(shape);
        self
    }
    /// Adds an element (rows without dimensions) or a row.
    pub fn push(&mut self, value: &Datum) -> Result<(), crate::Fault> {
        let shape: &[usize] = match value {
            Datum::Array(array) | Datum::Vector(array) => array.shape(),
            _ => &[],
        };
        match &self.row {
            None => self.row = Some(shape.to_vec()),
            Some(row) if row == shape => {}
            Some(row) => {
                return Err(crate::Fault::new(format!(
                    "rows of different shapes: {shape:?} after {row:?} (row {})",
                    self.count
                )));
            }
        }
        let pushed = match value {
            Datum::Array(array) | Datum::Vector(array) => {
                let (elements, offset) = array.storage();
                self.elements.extend(elements, offset..offset + array.len())
            }
            _ => self.elements.push(value),
        };
        self.count += 1;
        pushed.ok_or_else(|| {
            crate::Fault::new(format!(
                "{} is not an element of format {}",
                value.describe(),
                self.elem
            ))
        })
    }
    /// Number of rows so far.
    pub fn len(&self) -> usize {
        self.count
    }
    /// Whether there is no row yet.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
    /// The array of everything pushed.
    pub fn finish(self) -> ArrayValue {
        let mut shape = vec![self.count];
        shape.extend(self.row.unwrap_or_default());
        ArrayValue {
            elem: self.elem,
            shape,
            elements: Rc::new(self.elements),
            offset: 0,
        }
    }
}
