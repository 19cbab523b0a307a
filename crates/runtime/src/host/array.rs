//! Arrays on the host: element type, shape, and little-endian bytes in row-major order.
//!
//! Invariant of [`Array`]: `bytes.len()` = product of the shape × element size, and a [`ElemType::Bool`] byte is 0 or 1.

use half::{bf16, f16};
use segra_artifact::{ElemType, Scalar};

/// A Rust type that is an array element.
pub trait Element: Copy {
    /// Its element type.
    const ELEM: ElemType;
    /// The value as a scalar.
    fn to_scalar(self) -> Scalar;
    /// The value of a scalar of type [`Element::ELEM`].
    fn from_bits(bits: u64) -> Self;
}

macro_rules! element {
    ($($ty:ty, $elem:ident, $to_bits:expr, $from_bits:expr;)*) => {
        $(impl Element for $ty {
            const ELEM: ElemType = ElemType::$elem;
            fn to_scalar(self) -> Scalar {
                let to_bits: fn($ty) -> u64 = $to_bits;
                Scalar::from_bits(ElemType::$elem, to_bits(self))
            }
            fn from_bits(bits: u64) -> Self {
                let from_bits: fn(u64) -> $ty = $from_bits;
                from_bits(bits)
            }
        })*
    };
}

element! {
    bool, Bool, u64::from, |bits| bits != 0;
    i8, I8, |value| value as u64, |bits| bits as i8;
    i16, I16, |value| value as u64, |bits| bits as i16;
    i32, I32, |value| value as u64, |bits| bits as i32;
    i64, I64, |value| value as u64, |bits| bits as i64;
    f16, F16, |value| u64::from(value.to_bits()), |bits| f16::from_bits(bits as u16);
    bf16, BF16, |value| u64::from(value.to_bits()), |bits| bf16::from_bits(bits as u16);
    f32, F32, |value| u64::from(value.to_bits()), |bits| f32::from_bits(bits as u32);
    f64, F64, f64::to_bits, f64::from_bits;
}

/// Why an [`Array`] could not be made or viewed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArrayError {
    /// The data do not fill the shape.
    #[error("an array of shape {shape:?} holds {expected}, {found} given")]
    Length {
        /// The shape.
        shape: Vec<usize>,
        /// The requirement of the shape, in words.
        expected: String,
        /// The number of elements present.
        found: usize,
    },
    /// The elements are of another type.
    #[error("the array holds {found}, not {expected}")]
    Type {
        /// Asked for.
        expected: ElemType,
        /// There.
        found: ElemType,
    },
    /// The shape has more elements than memory has space for.
    #[error("an array of shape {0:?} does not fit in memory")]
    TooLarge(Vec<usize>),
}

/// An array on the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    elem: ElemType,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

/// Bytes of an array; `None` when that is more than memory can address.
pub(crate) fn byte_count(elem: ElemType, shape: &[usize]) -> Option<usize> {
    // Extents are signed on devices.
    if shape.iter().any(|&extent| i64::try_from(extent).is_err()) {
        return None;
    }
    if shape.contains(&0) {
        return Some(0);
    }
    let count = shape
        .iter()
        .try_fold(elem.size(), |count, extent| count.checked_mul(*extent))?;
    (count <= isize::MAX as usize).then_some(count)
}

/// Space for the bytes of an array, and how many those are.
pub(crate) fn room_for(elem: ElemType, shape: &[usize]) -> Result<(Vec<u8>, usize), ArrayError> {
    let too_large = || ArrayError::TooLarge(shape.to_vec());
    let count = byte_count(elem, shape).ok_or_else(too_large)?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(count).map_err(|_| too_large())?;
    Ok((bytes, count))
}

impl Array {
    /// An array of these row-major, little-endian bytes. A bool byte that is neither 0 nor 1 becomes 1.
    pub fn from_bytes(
        elem: ElemType,
        shape: &[usize],
        mut bytes: Vec<u8>,
    ) -> Result<Array, ArrayError> {
        let expected =
            byte_count(elem, shape).ok_or_else(|| ArrayError::TooLarge(shape.to_vec()))?;
        if expected != bytes.len() {
            let (shape, expected) = (shape.to_vec(), format!("{expected} bytes"));
            return Err(ArrayError::Length {
                shape,
                expected,
                found: bytes.len(),
            });
        }
        if elem == ElemType::Bool {
            bytes
                .iter_mut()
                .for_each(|byte| *byte = u8::from(*byte != 0));
        }
        Ok(Array {
            elem,
            shape: shape.to_vec(),
            bytes,
        })
    }

    /// An array of these values in row-major order.
    pub fn new<T: Element>(shape: &[usize], values: &[T]) -> Result<Array, ArrayError> {
        let count =
            byte_count(T::ELEM, shape).ok_or_else(|| ArrayError::TooLarge(shape.to_vec()))?;
        let expected = count / T::ELEM.size();
        if expected != values.len() {
            let (shape, expected) = (shape.to_vec(), format!("{expected} elements"));
            return Err(ArrayError::Length {
                shape,
                expected,
                found: values.len(),
            });
        }
        let size = T::ELEM.size();
        let mut bytes = Vec::with_capacity(count);
        for value in values {
            bytes.extend_from_slice(&value.to_scalar().bits().to_le_bytes()[..size]);
        }
        Ok(Array {
            elem: T::ELEM,
            shape: shape.to_vec(),
            bytes,
        })
    }

    /// A one-dimensional array.
    pub fn vector<T: Element>(values: &[T]) -> Array {
        let bytes = values
            .iter()
            .flat_map(|value| value.to_scalar().to_le_bytes())
            .collect();
        Array {
            elem: T::ELEM,
            shape: vec![values.len()],
            bytes,
        }
    }

    /// An array of these scalars in row-major order; they must have type `elem`.
    pub fn from_scalars(
        elem: ElemType,
        shape: &[usize],
        values: &[Scalar],
    ) -> Result<Array, ArrayError> {
        if let Some(other) = values.iter().find(|value| value.elem() != elem) {
            return Err(ArrayError::Type {
                expected: elem,
                found: other.elem(),
            });
        }
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        Array::from_bytes(elem, shape, bytes)
    }

    /// An array of zeros (`false` for bool).
    pub fn zeros(elem: ElemType, shape: &[usize]) -> Result<Array, ArrayError> {
        let (mut bytes, count) = room_for(elem, shape)?;
        bytes.resize(count, 0);
        Ok(Array {
            elem,
            shape: shape.to_vec(),
            bytes,
        })
    }

    /// The element type.
    pub fn elem(&self) -> ElemType {
        self.elem
    }

    /// Extents, outermost first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.bytes.len() / self.elem.size()
    }

    /// True when there are no elements.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The elements' bytes, little endian, row-major.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes themselves.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The element at a row-major position.
    pub fn get(&self, position: usize) -> Option<Scalar> {
        let start = position.checked_mul(self.elem.size())?;
        Scalar::from_le_bytes(self.elem, self.bytes.get(start..)?)
    }

    /// The elements in row-major order.
    pub fn scalars(&self) -> impl ExactSizeIterator<Item = Scalar> + '_ {
        self.bytes
            .chunks_exact(self.elem.size())
            .map(|bytes| scalar_of(self.elem, bytes))
    }

    /// The elements in row-major order, as Rust values.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>, ArrayError> {
        if self.elem != T::ELEM {
            return Err(ArrayError::Type {
                expected: T::ELEM,
                found: self.elem,
            });
        }
        Ok(self
            .scalars()
            .map(|scalar| T::from_bits(scalar.bits()))
            .collect())
    }

    /// The same elements in another shape.
    pub fn reshape(self, shape: &[usize]) -> Result<Array, ArrayError> {
        Array::from_bytes(self.elem, shape, self.bytes)
    }
}

/// The scalar of a chunk of exactly one element.
fn scalar_of(elem: ElemType, bytes: &[u8]) -> Scalar {
    Scalar::from_le_bytes(elem, bytes).unwrap_or(Scalar::from_bits(elem, 0))
}

/// The parameters and results of entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A scalar.
    Scalar(Scalar),
    /// An array.
    Array(Array),
}

impl Value {
    /// The scalar, when it is one.
    pub fn as_scalar(&self) -> Option<Scalar> {
        match self {
            Value::Scalar(scalar) => Some(*scalar),
            Value::Array(_) => None,
        }
    }

    /// The array, when it is one.
    pub fn as_array(&self) -> Option<&Array> {
        match self {
            Value::Scalar(_) => None,
            Value::Array(array) => Some(array),
        }
    }

    /// The value as an array; a scalar becomes one of rank 0.
    pub fn to_array(&self) -> Array {
        match self {
            Value::Scalar(scalar) => Array {
                elem: scalar.elem(),
                shape: Vec::new(),
                bytes: scalar.to_le_bytes(),
            },
            Value::Array(array) => array.clone(),
        }
    }

    /// Element type and shape, e.g. `f32[4, 3]` or `i64`.
    pub fn type_text(&self) -> String {
        match self {
            Value::Scalar(scalar) => scalar.elem().to_string(),
            Value::Array(array) => format!("{}{:?}", array.elem, array.shape),
        }
    }
}

impl From<Array> for Value {
    fn from(array: Array) -> Value {
        Value::Array(array)
    }
}

impl From<Scalar> for Value {
    fn from(scalar: Scalar) -> Value {
        Value::Scalar(scalar)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_as_they_went_in() {
        let array = Array::new(&[2, 2], &[1.5f32, -0.0, f32::INFINITY, 4.0]).unwrap();
        assert_eq!(
            array.to_vec::<f32>().unwrap(),
            [1.5, -0.0, f32::INFINITY, 4.0]
        );
        assert_eq!(array.get(3), Some(Scalar::f32(4.0)));
        assert_eq!(array.get(4), None);
        assert_eq!(
            array.to_vec::<i32>(),
            Err(ArrayError::Type {
                expected: ElemType::I32,
                found: ElemType::F32
            })
        );
        assert_eq!(Array::vector(&[true, false]).bytes(), [1, 0]);
        assert_eq!(
            Array::vector(&[i16::MIN, -1]).to_vec::<i16>().unwrap(),
            [i16::MIN, -1]
        );
    }

    #[test]
    fn shapes_that_do_not_fit_are_refused() {
        assert!(
            Array::new(&[2], &[1i32])
                .unwrap_err()
                .to_string()
                .contains("2 elements, 1 given")
        );
        assert!(matches!(
            Array::zeros(ElemType::F64, &[usize::MAX, 2]),
            Err(ArrayError::TooLarge(_))
        ));
        assert!(matches!(
            Array::zeros(ElemType::F64, &[usize::MAX, 2, 0]),
            Err(ArrayError::TooLarge(_))
        ));
        assert_eq!(
            Array::zeros(ElemType::F64, &[i64::MAX as usize, 2, 0])
                .unwrap()
                .len(),
            0
        );
    }
}
