//! Arithmetic on indices, built with constants folded: the one builder of it that passes use.
//!
//! ```
//! use segra_ir::{Builder, Value};
//! use segra_std::arith::index;
//! /// `i * columns + 4`, or less where `columns` is a constant.
//! fn position(b: &mut Builder<'_>, i: Value, columns: Value) -> Value {
//!     let (row, four) = (index::mul(b, i, columns), index::constant(b, 4));
//!     index::add(b, row, four)
//! }
//! ```
//! Operands may be of any one integer type; [`constant`] is of type `index`. An op is built only where its value is not
//! known and is no operand. Division takes operands that are not negative and a divisor that is not 0.

use super::{
    AddIOp, CmpIOp, CmpIPredicate, ConstantOp, DivUIOp, MaxSIOp, MinSIOp, MulIOp, RemUIOp, SubIOp,
};
use segra_ir::{Builder, Type, TypeKind, Value};

/// A constant of type `index`.
pub fn constant(b: &mut Builder<'_>, value: i64) -> Value {
    ConstantOp::index(b, value)
}

/// The constants two values are.
fn known(b: &Builder<'_>, x: Value, y: Value) -> (Option<i64>, Option<i64>) {
    (b.ir.constant_int(x), b.ir.constant_int(y))
}

/// A result that is known, where it is within the values of the type read as signed; others are left to an op.
fn folded(b: &mut Builder<'_>, value: Option<i64>, ty: Type) -> Option<Value> {
    let value = value?;
    let width = match *b.ctx().type_kind(ty) {
        TypeKind::Integer { width, .. } => width.min(64),
        TypeKind::Index => 64,
        _ => return None,
    };
    let unused = 64 - width;
    (width > 1 && value << unused >> unused == value).then(|| ConstantOp::int(b, value, ty))
}

/// `x + y`
pub fn add(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    let ty = b.ir.value_type(x);
    match known(b, x, y) {
        (Some(0), _) => return y,
        (_, Some(0)) => return x,
        (Some(c), Some(d)) => folded(b, c.checked_add(d), ty),
        _ => None,
    }
    .unwrap_or_else(|| AddIOp::build(b, x, y).result(b.ir))
}

/// `x - y`
pub fn sub(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    let ty = b.ir.value_type(x);
    match known(b, x, y) {
        (_, Some(0)) => return x,
        (Some(c), Some(d)) => folded(b, c.checked_sub(d), ty),
        _ => None,
    }
    .unwrap_or_else(|| SubIOp::build(b, x, y).result(b.ir))
}

/// `x * y`
pub fn mul(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    let ty = b.ir.value_type(x);
    match known(b, x, y) {
        (Some(1), _) | (_, Some(0)) => return y,
        (_, Some(1)) | (Some(0), _) => return x,
        (Some(c), Some(d)) => folded(b, c.checked_mul(d), ty),
        _ => None,
    }
    .unwrap_or_else(|| MulIOp::build(b, x, y).result(b.ir))
}

/// `x / y`, rounded down.
pub fn div(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    let ty = b.ir.value_type(x);
    match known(b, x, y) {
        (_, Some(1)) => return x,
        (Some(c), Some(d)) if c >= 0 && d > 0 => folded(b, Some(c / d), ty),
        _ => None,
    }
    .unwrap_or_else(|| DivUIOp::build(b, x, y).result(b.ir))
}

/// The remainder of `x / y`.
pub fn rem(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    let ty = b.ir.value_type(x);
    match known(b, x, y) {
        (_, Some(1)) => folded(b, Some(0), ty),
        (Some(c), Some(d)) if c >= 0 && d > 0 => folded(b, Some(c % d), ty),
        _ => None,
    }
    .unwrap_or_else(|| RemUIOp::build(b, x, y).result(b.ir))
}

/// `x / y`, rounded up; `x + y - 1` must not overflow.
pub fn ceil_div(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    let ty = b.ir.value_type(y);
    if b.ir.constant_int(y) == Some(1) {
        return x;
    }
    let one = ConstantOp::int(b, 1, ty);
    let last = sub(b, y, one);
    let up = add(b, x, last);
    div(b, up, y)
}

/// The smaller of two values read as signed.
pub fn min(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    match known(b, x, y) {
        _ if x == y => x,
        (Some(c), Some(d)) => [x, y][usize::from(d < c)],
        _ => MinSIOp::build(b, x, y).result(b.ir),
    }
}

/// The larger of two values read as signed.
pub fn max(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    match known(b, x, y) {
        _ if x == y => x,
        (Some(c), Some(d)) => [x, y][usize::from(d > c)],
        _ => MaxSIOp::build(b, x, y).result(b.ir),
    }
}

/// A comparison; where both are constants of type `index`, a constant.
pub fn cmp(b: &mut Builder<'_>, predicate: CmpIPredicate, x: Value, y: Value) -> Value {
    let is_index = matches!(b.ctx().type_kind(b.ir.value_type(x)), TypeKind::Index);
    if let (true, (Some(c), Some(d))) = (is_index, known(b, x, y)) {
        let holds = predicate.holds(segra_interp::IntWidth::INDEX, c, d);
        return ConstantOp::int(b, i64::from(holds), b.ctx().i1());
    }
    let predicate = predicate.attr(b.ctx());
    CmpIOp::build(b, predicate, x, y).result(b.ir)
}

/// The product of some values; 1 of none.
pub fn product(b: &mut Builder<'_>, factors: &[Value]) -> Value {
    match factors {
        [] => constant(b, 1),
        [first, rest @ ..] => rest.iter().fold(*first, |all, &next| mul(b, all, next)),
    }
}
