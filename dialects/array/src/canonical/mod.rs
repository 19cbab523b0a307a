//! Canonical forms: views of views are one view, what a program puts somewhere is what it reads there.
//!
//! * Of views: a reshape of a reshape, a rearrange of a rearrange, a slice of a slice (where it is known to stay inside),
//!   a padding of a padding with the same value, a replication of a replication, a gather of a gather, a concatenation of
//!   concatenations; neighbouring slices of one array, joined, are one slice.
//! * Of elements: an index into an index, a rearrange, a reverse or a gather is an index into the array behind; an element
//!   that was updated is what was put there; of two updates of one place the last counts.
//! * Of combinators: what a map forwards as it is, is its input; a redomap or scanomap that only forwards is a reduce or
//!   scan; a filter of a filter is one filter, and one that keeps everything is none.
//!
//! Files by these three: `views`, `elements`, `combinators`.
//!
//! Where a rewritten op stops the program, so does what it becomes; an op that nobody needs any more may be dropped with
//! the check it makes, as everywhere. Identities that make no op are the ops' own folders.

mod combinators;
mod elements;
mod views;

use crate::shape::{CastOp, DimOp};
use crate::types::{Size, sizes_and_element};
use segra_ir::interfaces::constant_of;
use segra_ir::{Builder, Ir, Type, Value};
use segra_std::arith::{AddIOp, ConstantOp, MulIOp};

pub(super) fn constant(ir: &Ir, value: Value) -> Option<i64> {
    constant_of(ir, value)?.as_i64(ir.ctx())
}

pub(super) fn index_constant(b: &mut Builder<'_>, value: i64) -> Value {
    let attr = b.ctx().index_attr(value);
    ConstantOp::build(b, attr).result(b.ir)
}

pub(super) fn add(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    match (constant(b.ir, x), constant(b.ir, y)) {
        (Some(0), _) => y,
        (_, Some(0)) => x,
        (Some(x), Some(y)) => index_constant(b, x.wrapping_add(y)),
        _ => AddIOp::build(b, x, y).result(b.ir),
    }
}

pub(super) fn multiply(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    match (constant(b.ir, x), constant(b.ir, y)) {
        (Some(1), _) => y,
        (_, Some(1)) => x,
        (Some(x), Some(y)) => index_constant(b, x.wrapping_mul(y)),
        _ => MulIOp::build(b, x, y).result(b.ir),
    }
}

/// The extent of a dimension, as a value.
pub(crate) fn extent(b: &mut Builder<'_>, array: Value, dim: usize) -> Value {
    let (dim, index) = (b.ctx().i64_attr(dim as i64), b.ctx().index());
    DimOp::build(b, array, dim, index).result(b.ir)
}

/// Whether a claim that arrays of one type have another says nothing: what it names is named already, or unknown.
pub(crate) fn claims_nothing(ir: &Ir, from: Type, to: Type) -> bool {
    let sizes = |ty: Type| sizes_and_element(ir.ctx(), ty).0;
    sizes(from)
        .iter()
        .zip(sizes(to))
        .all(|(&from, to)| to == Size::Unknown || from == to)
}

/// A value under a type with the same or fewer claims.
pub(crate) fn forget(b: &mut Builder<'_>, value: Value, ty: Type) -> Value {
    if b.type_of(value) == ty {
        value
    } else {
        CastOp::build(b, value, ty).result(b.ir)
    }
}

/// Whether two types are one, with no unknown size: arrays of both are of one shape.
fn same_shape(ir: &Ir, a: Value, b: Value) -> bool {
    let ty = ir.value_type(a);
    ty == ir.value_type(b) && !sizes_and_element(ir.ctx(), ty).0.contains(&Size::Unknown)
}
