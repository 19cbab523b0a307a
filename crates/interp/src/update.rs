//! A copy of an array whose elements or rows are changed one after another: what scatters and histograms are made of.

use crate::array::{ArrayValue, Elements};
use crate::code::Inst;
use crate::cx::Cx;
use crate::datum::Datum;
use crate::elem::Elem;
use crate::error::{EvalError, Fault};
use crate::eval::Lanes;

/// An array under change. Its first `outer` dimensions are indexed; what an index stands for is a scalar, or a row
/// with the remaining dimensions.
#[derive(Clone, Debug)]
pub struct ArrayUpdate {
    elem: Elem,
    shape: Vec<usize>,
    outer: usize,
    elements: Elements,
}

impl ArrayUpdate {
    /// A copy of `array` indexed in its first `outer` dimensions; `None` where it has fewer.
    pub fn new(array: &ArrayValue, outer: usize) -> Option<ArrayUpdate> {
        if outer > array.rank() {
            return None;
        }
        let (source, offset) = array.storage();
        let mut elements = Elements::with_capacity(array.elem(), array.len());
        elements.extend(source, offset..offset + array.len())?;
        Some(ArrayUpdate {
            elem: array.elem(),
            shape: array.shape().to_vec(),
            outer,
            elements,
        })
    }
    /// Number of the row at these indices, one per indexed dimension; `None` where one is out of range.
    pub fn position(&self, indices: &[i64]) -> Option<usize> {
        let extents = &self.shape[..self.outer];
        if indices.len() != extents.len() {
            return None;
        }
        indices
            .iter()
            .zip(extents)
            .try_fold(0usize, |position, (&index, &extent)| {
                let index = usize::try_from(index)
                    .ok()
                    .filter(|&index| index < extent)?;
                Some(position * extent + index)
            })
    }
    fn row_shape(&self) -> &[usize] {
        &self.shape[self.outer..]
    }
    /// The scalar or row of that number.
    pub fn get(&self, position: usize) -> Result<Datum, Fault> {
        let shape = self.row_shape();
        let length: usize = shape.iter().product();
        let outside = || Fault::new("a row is out of range");
        if shape.is_empty() {
            return self.elements.get(position).ok_or_else(outside);
        }
        let mut row = Elements::with_capacity(self.elem, length);
        row.extend(&self.elements, position * length..(position + 1) * length)
            .ok_or_else(outside)?;
        ArrayValue::new(self.elem, shape.to_vec(), row)
            .map(Datum::array)
            .ok_or_else(outside)
    }
    /// Replaces the scalar or row of that number.
    pub fn set(&mut self, position: usize, value: &Datum) -> Result<(), Fault> {
        let outside = || Fault::new(format!("{} does not fit the array", value.describe()));
        if self.row_shape().is_empty() {
            return self.elements.set(position, value).ok_or_else(outside);
        }
        let row = value
            .as_array()
            .filter(|row| row.shape() == self.row_shape())
            .ok_or_else(outside)?;
        let first = position * row.len();
        for (at, element) in row.iter().enumerate() {
            self.elements
                .set(first + at, &element)
                .ok_or_else(outside)?;
        }
        Ok(())
    }
    /// Replaces a row of each of several copies: what a scatter does at one point.
    pub fn set_all(
        copies: &mut [ArrayUpdate],
        cx: &Cx<'_>,
        inst: &Inst,
        position: usize,
        values: &[Datum],
    ) -> Result<(), EvalError> {
        copies
            .iter_mut()
            .zip(values)
            .try_for_each(|(copy, value)| cx.check(inst, copy.set(position, value)))
    }
    /// Combines a row of each of several copies with new values, by the operator in the op's region 1 (old values, then
    /// new ones): what a histogram does at one point.
    pub fn combine_all(
        copies: &mut [ArrayUpdate],
        cx: &mut Cx<'_>,
        inst: &Inst,
        lane: usize,
        position: usize,
        values: Vec<Datum>,
    ) -> Result<(), EvalError> {
        let combine = &inst.regions[1];
        let width = copies.len();
        for (index, value) in values.into_iter().enumerate() {
            let old = cx.check(inst, copies[index].get(position))?;
            cx.set_arg(combine, index, lane, old);
            cx.set_arg(combine, width + index, lane, value);
        }
        cx.run_region(combine, &Lanes::Some(vec![lane as u32]))?;
        for (copy, &slot) in copies.iter_mut().zip(&combine.yields) {
            let set = copy.set(position, cx.get(slot, lane));
            cx.check(inst, set)?;
        }
        Ok(())
    }
    /// Makes the copies the results of the op in a lane.
    pub fn finish_all(
        copies: Vec<ArrayUpdate>,
        cx: &mut Cx<'_>,
        inst: &Inst,
        lane: usize,
    ) -> Result<(), EvalError> {
        for (index, copy) in copies.into_iter().enumerate() {
            let array = copy
                .finish()
                .ok_or_else(|| cx.error(inst, "made an array of the wrong size"))?;
            cx.set_result(inst, index, lane, Datum::array(array));
        }
        Ok(())
    }
    /// The array as it is now.
    pub fn finish(self) -> Option<ArrayValue> {
        ArrayValue::new(self.elem, self.shape, self.elements)
    }
}

impl ArrayValue {
    /// The array with what `indices` select (a scalar or a row) replaced; `None`: out of range, or the value does not fit.
    pub fn replaced(&self, indices: &[i64], value: &Datum) -> Option<ArrayValue> {
        let mut copy = ArrayUpdate::new(self, indices.len())?;
        let position = copy.position(indices)?;
        copy.set(position, value).ok()?;
        copy.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_replaced_and_indices_outside_have_no_row() {
        let array = ArrayValue::i32s(&[1, 2, 3, 4, 5, 6])
            .reshaped(vec![3, 2])
            .unwrap();
        let mut update = ArrayUpdate::new(&array, 1).unwrap();
        assert_eq!(update.position(&[3]), None);
        assert_eq!(update.position(&[-1]), None);
        let row = update.get(2).unwrap();
        update.set(update.position(&[0]).unwrap(), &row).unwrap();
        assert_eq!(
            format!("{}", update.finish().unwrap()),
            "[[5, 6], [3, 4], [5, 6]]"
        );
        assert!(ArrayUpdate::new(&array, 3).is_none());
    }
}
