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

/// The product of numbers that are not negative, and whether it does not overflow; no condition where there is only one.
pub(crate) fn product(b: &mut Builder<'_>, factors: &[Value]) -> (Value, Option<Value>) {
    let Some((&first, rest)) = factors.split_first() else {
        return (index(b, 1), None);
    };
    let (mut product, mut fits) = (first, None);
    for &factor in rest {
        let (one, most) = (index(b, 1), index(b, i64::MAX));
        let divisor = arith::MaxSIOp::build(b, factor, one).result(b.ir);
        let bound = arith::DivUIOp::build(b, most, divisor).result(b.ir);
        let here = compare(b, CmpIPredicate::Ule, product, bound);
        fits = Some(match fits {
            Some(fits) => and(b, fits, here),
            None => here,
        });
        product = arith::MulIOp::build(b, product, factor).result(b.ir);
    }
    (product, fits)
}
