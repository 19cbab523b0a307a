//! Builders of the combinators: bodies and operators are closures over a [`Builder`] inside the region. Operators are
//! such that their neutral elements can be derived.

use crate::combinator::{Flavour, Parts};
use crate::soac::{MapOp, RedomapOp, ReduceOp, ScanOp, ScanomapOp, YieldOp, row_types, types_of};
use segra_ir::{Block, Builder, Op, OpView, Type, Value};

/// Builds `array.map`: `body` gets one element of each array and returns the values to yield.
pub fn map(
    b: &mut Builder<'_>,
    arrays: &[Value],
    body: impl FnOnce(&mut Builder<'_>, &[Value]) -> Vec<Value>,
) -> MapOp {
    let block = region_block(b, &row_types(b.ir, arrays), body);
    let parts = Parts::new(Flavour::Map, arrays.to_vec(), Some(block));
    MapOp::from_op(parts.build(b))
}

/// Parts of a combination of what `body` gives; `combine` is the operator over the start values' types.
fn combination(
    b: &mut Builder<'_>,
    flavour: Flavour,
    (arrays, start): (&[Value], &[Value]),
    body: Option<Block>,
    combine: impl FnOnce(&mut Builder<'_>, &[Value], &[Value]) -> Vec<Value>,
) -> Op {
    let types = types_of(b.ir, start);
    let combine = operator_block(b, &types, combine);
    let parts = Parts {
        start: start.to_vec(),
        combine: Some(combine),
        ..Parts::new(flavour, arrays.to_vec(), body)
    };
    parts.build(b)
}

/// Builds `array.reduce`: `combine` gets accumulators, then elements.
pub fn reduce(
    b: &mut Builder<'_>,
    arrays: &[Value],
    start: &[Value],
    combine: impl FnOnce(&mut Builder<'_>, &[Value], &[Value]) -> Vec<Value>,
) -> ReduceOp {
    let op = combination(b, Flavour::Reduce, (arrays, start), None, combine);
    ReduceOp::from_op(op)
}

const INCLUSIVE: Flavour = Flavour::Scan { exclusive: false };

/// Builds `array.scan`: `combine` gets accumulators, then elements.
pub fn scan(
    b: &mut Builder<'_>,
    arrays: &[Value],
    start: &[Value],
    combine: impl FnOnce(&mut Builder<'_>, &[Value], &[Value]) -> Vec<Value>,
) -> ScanOp {
    ScanOp::from_op(combination(b, INCLUSIVE, (arrays, start), None, combine))
}

/// Builds `array.redomap`: `body` returns the values to reduce, then those to store; `combine` is the operator.
pub fn redomap(
    b: &mut Builder<'_>,
    arrays: &[Value],
    start: &[Value],
    body: impl FnOnce(&mut Builder<'_>, &[Value]) -> Vec<Value>,
    combine: impl FnOnce(&mut Builder<'_>, &[Value], &[Value]) -> Vec<Value>,
) -> RedomapOp {
    let body = region_block(b, &row_types(b.ir, arrays), body);
    let (flavour, values) = (Flavour::Reduce, (arrays, start));
    RedomapOp::from_op(combination(b, flavour, values, Some(body), combine))
}

/// Builds `array.scanomap`: `body` returns the values to scan, then those to store; `combine` is the operator.
pub fn scanomap(
    b: &mut Builder<'_>,
    arrays: &[Value],
    start: &[Value],
    body: impl FnOnce(&mut Builder<'_>, &[Value]) -> Vec<Value>,
    combine: impl FnOnce(&mut Builder<'_>, &[Value], &[Value]) -> Vec<Value>,
) -> ScanomapOp {
    let body = region_block(b, &row_types(b.ir, arrays), body);
    let values = (arrays, start);
    ScanomapOp::from_op(combination(b, INCLUSIVE, values, Some(body), combine))
}

pub(crate) fn region_block(
    b: &mut Builder<'_>,
    arg_types: &[Type],
    body: impl FnOnce(&mut Builder<'_>, &[Value]) -> Vec<Value>,
) -> Block {
    let block = b.ir.create_block(arg_types);
    let args = b.ir.block_args(block).to_vec();
    let mut inner = Builder::at_end(b.ir, block, b.loc);
    let values = body(&mut inner, &args);
    YieldOp::build(&mut inner, &values);
    block
}

pub(crate) fn operator_block(
    b: &mut Builder<'_>,
    types: &[Type],
    combine: impl FnOnce(&mut Builder<'_>, &[Value], &[Value]) -> Vec<Value>,
) -> Block {
    let doubled: Vec<Type> = types.iter().chain(types).copied().collect();
    region_block(b, &doubled, |b, args| {
        let (acc, element) = args.split_at(types.len());
        combine(b, acc, element)
    })
}
