//! Small pieces of arithmetic on sizes, folded where they are trivial, and the check itself.

use segra_array::shape::DimOp;
use segra_ir::{Builder, Value};
use segra_std::arith::{self, CmpIPredicate};
use segra_std::check::RequireOp;

/// The constant a value is.
pub(crate) fn known(b: &Builder<'_>, value: Value) -> Option<i64> {
    b.ir.constant_int(value)
}

/// `value : index`
pub(crate) fn index(b: &mut Builder<'_>, value: i64) -> Value {
    let attr = b.ctx().index_attr(value);
    arith::ConstantOp::build(b, attr).result(b.ir)
}

/// The extent of one dimension of an array.
pub(crate) fn extent(b: &mut Builder<'_>, array: Value, dim: usize) -> Value {
    let (dim, ty) = (b.ctx().i64_attr(dim as i64), b.ctx().index());
    DimOp::build(b, array, dim, ty).result(b.ir)
}

pub(crate) fn compare(b: &mut Builder<'_>, predicate: CmpIPredicate, x: Value, y: Value) -> Value {
    let predicate = predicate.attr(b.ctx());
    arith::CmpIOp::build(b, predicate, x, y).result(b.ir)
}

pub(crate) fn add(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    arith::AddIOp::build(b, x, y).result(b.ir)
}

pub(crate) fn sub(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    arith::SubIOp::build(b, x, y).result(b.ir)
}

pub(crate) fn and(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    arith::AndIOp::build(b, x, y).result(b.ir)
}

pub(crate) fn or(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    arith::OrIOp::build(b, x, y).result(b.ir)
}

/// `value`, where `condition` holds; else the program stops with the message.
pub(crate) fn require(
    b: &mut Builder<'_>,
    condition: Value,
    (value, otherwise): (Value, Value),
    message: &str,
    numbers: &[Value],
) -> Value {
    let message = b.ctx().str_attr(message);
    RequireOp::builder()
        .condition(condition)
        .value(value)
        .otherwise(otherwise)
        .numbers(numbers)
        .message(message)
        .build(b)
        .result(b.ir)
}
