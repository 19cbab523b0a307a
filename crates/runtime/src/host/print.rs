//! Printing of values the way numpy lays arrays out.
//!
//! Rows are aligned, more than [`ELIDE_ABOVE`] elements are shortened to the first and last [`EDGE`] of each
//! dimension, and every number is printed with the fewest digits that read back to it, so a short array printed can be
//! given as an input again.

use crate::{Array, Value};
use std::fmt;

/// Arrays with more elements are elided.
pub const ELIDE_ABOVE: usize = 1000;
/// Elements kept at each end of an elided dimension.
pub const EDGE: usize = 3;

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Scalar(scalar) => scalar.fmt(f),
            Value::Array(array) => array.fmt(f),
        }
    }
}

impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = self.shape();
        let elide = self.len() > ELIDE_ABOVE;
        let mut width = 0;
        self.for_each_shown(elide, 0, 0, &mut |position| {
            width = width.max(
                self.get(position)
                    .map_or(0, |scalar| scalar.to_string().len()),
            );
        });
        if shape.is_empty() {
            return self.get(0).map_or(Ok(()), |scalar| scalar.fmt(f));
        }
        self.write_dim(f, Layout { elide, width }, 0, 0)
    }
}

#[derive(Clone, Copy)]
struct Layout {
    elide: bool,
    width: usize,
}

impl Array {
    /// Elements per step of the dimension.
    fn stride(&self, dim: usize) -> usize {
        self.shape()[dim + 1..].iter().product()
    }

    fn for_each_shown(&self, elide: bool, dim: usize, start: usize, visit: &mut dyn FnMut(usize)) {
        if dim == self.shape().len() {
            return visit(start);
        }
        if self.is_empty() {
            return;
        }
        for index in shown(self.shape()[dim], elide).flatten() {
            self.for_each_shown(elide, dim + 1, start + index * self.stride(dim), visit);
        }
    }

    fn write_dim(
        &self,
        f: &mut fmt::Formatter<'_>,
        layout: Layout,
        dim: usize,
        start: usize,
    ) -> fmt::Result {
        let last = dim + 1 == self.shape().len();
        // Numbers stand on one line; rows are separated as numpy does, by one empty line more per outer dimension.
        let separator = if last {
            ", ".to_owned()
        } else {
            let lines = self.shape().len() - dim - 1;
            format!(",{}{}", "\n".repeat(lines), " ".repeat(dim + 1))
        };
        f.write_str("[")?;
        let mut first = true;
        for part in shown(self.shape()[dim], layout.elide) {
            if !std::mem::take(&mut first) {
                f.write_str(&separator)?;
            }
            match part {
                None => f.write_str("...")?,
                Some(index) if last => {
                    let text = self
                        .get(start + index)
                        .map_or_else(String::new, |scalar| scalar.to_string());
                    write!(f, "{text:>width$}", width = layout.width)?;
                }
                Some(index) => {
                    self.write_dim(f, layout, dim + 1, start + index * self.stride(dim))?
                }
            }
        }
        f.write_str("]")
    }
}

/// The indices to show; `None` stands for those left out.
fn shown(extent: usize, elide: bool) -> impl Iterator<Item = Option<usize>> {
    let (head, gap, tail) = if elide && extent > 2 * EDGE {
        (0..EDGE, Some(None), extent - EDGE..extent)
    } else {
        (0..extent, None, extent..extent)
    };
    head.map(Some).chain(gap).chain(tail.map(Some))
}

#[cfg(test)]
mod tests {
    use super::*;
    use segra_artifact::{ElemType, Scalar};

    #[test]
    fn small_arrays_are_printed_whole_and_aligned() {
        let array = Array::new(&[2, 3], &[1i32, -20, 3, 4, 5, 600]).unwrap();
        assert_eq!(array.to_string(), "[[  1, -20,   3],\n [  4,   5, 600]]");
        let array = Array::new(&[2, 1, 2], &[0.1f32, 1e-10, 2.0, f32::NAN]).unwrap();
        assert_eq!(
            array.to_string(),
            "[[[  0.1, 1e-10]],\n\n [[  2.0,   nan]]]"
        );
        assert_eq!(Array::vector::<i64>(&[]).to_string(), "[]");
        assert_eq!(
            Array::zeros(ElemType::F32, &[2, 0]).unwrap().to_string(),
            "[[],\n []]"
        );
        assert_eq!(Value::from(Scalar::f32(0.1)).to_string(), "0.1");
        assert_eq!(
            Value::from(Scalar::bool(true)).to_array().to_string(),
            "true"
        );
    }

    #[test]
    fn large_arrays_keep_their_corners() {
        let array = Array::vector(&(0..1001).collect::<Vec<i32>>());
        assert_eq!(
            array.to_string(),
            "[   0,    1,    2, ...,  998,  999, 1000]"
        );
        let array = Array::zeros(ElemType::I8, &[100, 100]).unwrap();
        assert_eq!(array.to_string().lines().count(), 7);
        assert_eq!(array.to_string().lines().nth(3), Some(" ...,"));
    }
}
