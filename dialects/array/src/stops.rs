//! Messages where an op stops the program: by the interpreter, and by the checks that devices make of it.
//!
//! `{0}`, `{1}`, `{2}` stand for numbers of the program, in the order given with each message.

use crate::types::ArrayType;
use segra_ir::{Ir, Value};

/// The type of an array as programs write it: `[n][4]f32`.
fn written(ir: &Ir, array: Value) -> String {
    ir.value_type(array)
        .dialect::<ArrayType>(ir.ctx())
        .map(|ty| ty.bare(ir.ctx()))
        .unwrap_or_default()
}

/// An index that is negative or not below its extent: the index, the extent.
pub fn index_out_of_range(ir: &Ir, array: Value, dim: usize) -> String {
    format!(
        "index {{0}} is out of range for dimension {dim} of {}, which has {{1}}",
        written(ir, array)
    )
}

/// A size that is negative: the size.
pub fn negative_size() -> &'static str {
    "a size cannot be {0}"
}

/// A size that is not what the result's type calls it: the size, what it must be.
pub fn size_of_another_name(name: &str, dim: usize) -> String {
    format!("size {{0}} of dimension {dim} is not `{name}`, which is {{1}}")
}

/// A cast to a size that the array does not have: the size claimed, the extent.
pub fn size_claimed(dim: usize) -> String {
    format!("claims size {{0}} for dimension {dim}, but it is {{1}}")
}

/// A part of an array that is not inside: where it starts, how many elements it has, the extent.
pub fn part_outside(ir: &Ir, array: Value, dim: usize) -> String {
    let array = written(ir, array);
    format!(
        "{{1}} elements from index {{0}} on reach outside of dimension {dim} of {array}, which has {{2}}"
    )
}

/// Sizes for another number of elements: those there are.
pub fn other_count(ir: &Ir, array: Value) -> String {
    format!(
        "the {{0}} elements of {} are not as many as the new sizes have",
        written(ir, array)
    )
}

/// An extent beyond 64 bits: how many elements are added before and behind.
pub fn padded_too_far(ir: &Ir, array: Value, dim: usize) -> String {
    format!(
        "{{0}} elements before and {{1}} behind are too many for dimension {dim} of {}",
        written(ir, array)
    )
}

/// A number of elements beyond 64 bits.
pub fn too_many_elements() -> &'static str {
    "the sizes are those of more elements than can be counted"
}

/// Inputs of a combinator that are not of one outer size: that of the first, that of another one.
pub fn other_outer_size(input: usize) -> String {
    format!("input #0 has outer size {{0}}, but input #{input} has {{1}}")
}

/// Inputs of a stencil that are not of one shape: the extent of the first, that of another one.
pub fn other_extent(input: usize, dim: usize) -> String {
    format!("input #0 has extent {{0}} in dimension {dim}, but input #{input} has {{1}}")
}

/// Neighbours that are not inside: how many elements of the dimension there are results for, the extent.
pub fn neighbours_outside(input: usize, dim: usize, far: i64) -> String {
    format!(
        "{{0}} results need elements up to {far} behind theirs, but dimension {dim} of input #{input} has {{1}}"
    )
}

/// Arrays that cannot be joined: the extent of the first, that of another one.
pub fn other_rows(array: usize, dim: usize) -> String {
    format!("array #0 has extent {{0}} in dimension {dim}, but array #{array} has {{1}}")
}

/// A value that is no row of the array: its extent, that of the array.
pub fn other_value(dim: usize, of_array: usize) -> String {
    format!(
        "the value has extent {{0}} in dimension {dim}, but the array has {{1}} in dimension {of_array}"
    )
}

/// A divisor that is 0.
pub fn division_by_zero() -> &'static str {
    "divides by zero"
}

/// A loop whose step is not positive: the step. `scf.for` has the same message.
pub fn step_not_positive() -> &'static str {
    "needs a positive step, not {0}"
}
