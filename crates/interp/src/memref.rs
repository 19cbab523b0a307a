//! Mutable buffers and strided views of them.

use crate::array::{ArrayValue, Elements, element_count};
use crate::datum::Datum;
use crate::elem::Elem;
use crate::error::Fault;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

/// Memory that was allocated: typed elements that are read and written in place.
#[derive(Debug)]
pub struct Buffer {
    elem: Elem,
    elements: RefCell<Elements>,
    freed: Cell<bool>,
}

impl Buffer {
    /// `count` zeros.
    pub fn zeros(elem: Elem, count: usize) -> Rc<Buffer> {
        Buffer::from_elements(elem, Elements::zeros(elem, count))
    }
    /// A buffer that starts as these elements.
    pub fn from_elements(elem: Elem, elements: Elements) -> Rc<Buffer> {
        Rc::new(Buffer {
            elem,
            elements: RefCell::new(elements),
            freed: Cell::new(false),
        })
    }
    /// Format of the elements.
    pub fn elem(&self) -> Elem {
        self.elem
    }
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.elements.borrow().len()
    }
    /// Whether it has no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Marks the memory as given back: any later access is an error.
    pub fn free(&self) -> Result<(), Fault> {
        if self.freed.replace(true) {
            return Err(Fault::new("memory is freed twice"));
        }
        Ok(())
    }
    /// The element at a position.
    #[inline]
    pub fn load(&self, position: usize) -> Result<Datum, Fault> {
        if self.freed.get() {
            return Err(Fault::new("read of freed memory"));
        }
        self.elements
            .borrow()
            .get(position)
            .ok_or_else(|| self.outside(position))
    }
    /// Replaces the element at a position.
    #[inline]
    pub fn store(&self, position: usize, value: &Datum) -> Result<(), Fault> {
        if self.freed.get() {
            return Err(Fault::new("write to freed memory"));
        }
        self.elements
            .borrow_mut()
            .set(position, value)
            .ok_or_else(|| self.outside(position))
    }
    #[cold]
    fn outside(&self, position: usize) -> Fault {
        Fault::new(format!(
            "position {position} of a buffer of {} elements of {}",
            self.len(),
            self.elem
        ))
    }
}

/// A view: where each index of a memref lies in its buffer.
#[derive(Clone, Debug)]
pub struct MemRefValue {
    /// The memory.
    pub buffer: Rc<Buffer>,
    /// Position of the element with all indices 0.
    pub offset: i64,
    /// Extents.
    pub sizes: Vec<i64>,
    /// Distance between neighbours in each dimension, in elements.
    pub strides: Vec<i64>,
}

impl MemRefValue {
    /// The whole of a buffer, row-major; `None` if the extents are negative or do not fit the buffer.
    pub fn row_major(buffer: Rc<Buffer>, sizes: &[i64]) -> Option<MemRefValue> {
        let extents: Vec<usize> = sizes
            .iter()
            .map(|&size| size.try_into().ok())
            .collect::<Option<_>>()?;
        if element_count(&extents)? > buffer.len() {
            return None;
        }
        Some(MemRefValue {
            buffer,
            offset: 0,
            sizes: sizes.to_vec(),
            strides: row_major_strides(sizes),
        })
    }
    /// A fresh buffer with the elements of an array.
    pub fn from_array(array: &ArrayValue) -> MemRefValue {
        let (elements, offset) = array.storage();
        let mut copy = Elements::with_capacity(array.elem(), array.len());
        // Same storage and in range, because both come from one array.
        let _ = copy.extend(elements, offset..offset + array.len());
        let sizes: Vec<i64> = array.shape().iter().map(|&extent| extent as i64).collect();
        let strides = row_major_strides(&sizes);
        MemRefValue {
            buffer: Buffer::from_elements(array.elem(), copy),
            offset: 0,
            sizes,
            strides,
        }
    }
    /// Its present contents, as an array.
    pub fn to_array(&self) -> Result<ArrayValue, Fault> {
        let shape: Vec<usize> = self
            .sizes
            .iter()
            .map(|&size| {
                usize::try_from(size).map_err(|_| Fault::new("a memref has a negative extent"))
            })
            .collect::<Result<_, _>>()?;
        let count =
            element_count(&shape).ok_or_else(|| Fault::new("a memref has too many elements"))?;
        let mut elements = Elements::with_capacity(self.buffer.elem, count);
        for position in self.positions(count) {
            let value = self.buffer.load(self.checked(position)?)?;
            elements
                .push(&value)
                .ok_or_else(|| Fault::new("a buffer holds elements of another format"))?;
        }
        ArrayValue::new(self.buffer.elem, shape, elements)
            .ok_or_else(|| Fault::new("a buffer holds elements of another format"))
    }
    /// Buffer positions of all elements in row-major order.
    pub fn positions(&self, count: usize) -> impl Iterator<Item = i64> + '_ {
        let mut index = vec![0i64; self.sizes.len()];
        let mut position = self.offset;
        (0..count).map(move |_| {
            let here = position;
            for dim in (0..index.len()).rev() {
                index[dim] += 1;
                position = position.wrapping_add(self.strides[dim]);
                if index[dim] < self.sizes[dim] {
                    break;
                }
                position = position.wrapping_sub(self.strides[dim].wrapping_mul(self.sizes[dim]));
                index[dim] = 0;
            }
            here
        })
    }
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.sizes
            .iter()
            .map(|&size| usize::try_from(size).unwrap_or(0))
            .product()
    }
    /// Whether it has no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The buffer position of an index, checked against the extents.
    #[inline]
    pub fn position(&self, indices: &[i64]) -> Result<usize, Fault> {
        if indices.len() != self.sizes.len() {
            return Err(Fault::new(format!(
                "{} indices into a memref of rank {}",
                indices.len(),
                self.sizes.len()
            )));
        }
        let mut position = self.offset;
        for (dim, &index) in indices.iter().enumerate() {
            if index < 0 || index >= self.sizes[dim] {
                return Err(out_of_range(indices, &self.sizes));
            }
            position = position.wrapping_add(index.wrapping_mul(self.strides[dim]));
        }
        self.checked(position)
    }
    #[inline]
    fn checked(&self, position: i64) -> Result<usize, Fault> {
        usize::try_from(position)
            .map_err(|_| Fault::new(format!("position {position} before the start of a buffer")))
    }
    /// The element at an index.
    #[inline]
    pub fn load(&self, indices: &[i64]) -> Result<Datum, Fault> {
        self.buffer.load(self.position(indices)?)
    }
    /// Replaces the element at an index.
    #[inline]
    pub fn store(&self, indices: &[i64], value: &Datum) -> Result<(), Fault> {
        self.buffer.store(self.position(indices)?, value)
    }
    /// Writes all elements of `source`, a memref of the same extents, into this one.
    pub fn copy_from(&self, source: &MemRefValue) -> Result<(), Fault> {
        if self.sizes != source.sizes {
            return Err(Fault::new(format!(
                "copy of {:?} elements to {:?}",
                source.sizes, self.sizes
            )));
        }
        let count = self.len();
        let values: Vec<Datum> = source
            .positions(count)
            .map(|position| source.buffer.load(source.checked(position)?))
            .collect::<Result<_, Fault>>()?;
        for (position, value) in self.positions(count).zip(&values) {
            self.buffer.store(self.checked(position)?, value)?;
        }
        Ok(())
    }
    /// Whether both are the same window of the same buffer.
    pub fn same_view(&self, other: &MemRefValue) -> bool {
        Rc::ptr_eq(&self.buffer, &other.buffer)
            && self.offset == other.offset
            && self.sizes == other.sizes
            && self.strides == other.strides
    }
}

impl fmt::Display for MemRefValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_array() {
            Ok(array) => array.fmt(f),
            Err(_) => f.write_str("<freed memory>"),
        }
    }
}

/// Strides of a row-major array.
pub fn row_major_strides(sizes: &[i64]) -> Vec<i64> {
    let mut strides = vec![1i64; sizes.len()];
    for dim in (1..sizes.len()).rev() {
        strides[dim - 1] = strides[dim].wrapping_mul(sizes[dim]);
    }
    strides
}

/// The error of an index outside its extents.
#[cold]
pub fn out_of_range(indices: &[i64], sizes: &[i64]) -> Fault {
    Fault::new(format!(
        "index {indices:?} is out of range for extents {sizes:?}"
    ))
}
