//! Builders of the combinators: bodies and operators are closures over a [`Builder`] inside the region. Operators are
//! such that their neutral elements can be derived.

use crate::soac::{
    MapOp, RedomapOp, ReduceOp, ScanOp, ScanomapOp, YieldOp, arrays_of, outer_size, row_types,
    types_of, yielded_types,
};
use segra_ir::{Block, Builder, OpView, Type, Value};

/// Builds `array.map`: `body` gets one element of each array and returns the values to yield.
pub fn map(
    b: &mut Builder<'_>,
    arrays: &[Value],
    body: impl FnOnce(&mut Builder<'_>, &[Value]) -> Vec<Value>,
) -> MapOp {
    let outer = outer_size(b.ir, arrays);
    let rows = row_types(b.ir, arrays);
    with_regions(b, |b| {
        let block = region_block(b, &rows, body);
        let types = arrays_of(&b.ir.context(), outer, &yielded_types(b.ir, block));
        (
            MapOp::builder()
                .arrays(arrays)
                .results_types(&types)
                .build(b),
            vec![block],
        )
    })
}

/// Builds `array.reduce`: `combine` gets accumulators, then elements.
pub fn reduce(
    b: &mut Builder<'_>,
    arrays: &[Value],
    start: &[Value],
    combine: impl FnOnce(&mut Builder<'_>, &[Value], &[Value]) -> Vec<Value>,
) -> ReduceOp {
    let types = types_of(b.ir, start);
    with_regions(b, |b| {
        let block = operator_block(b, &types, combine);
        (
            ReduceOp::builder()
                .arrays(arrays)
                .start(start)
                .results_types(&types)
                .build(b),
            vec![block],
        )
    })
}

/// Builds `array.scan`: `combine` gets accumulators, then elements.
pub fn scan(
    b: &mut Builder<'_>,
    arrays: &[Value],
    start: &[Value],
    combine: impl FnOnce(&mut Builder<'_>, &[Value], &[Value]) -> Vec<Value>,
) -> ScanOp {
    let types = types_of(b.ir, start);
    let results = arrays_of(&b.ir.context(), outer_size(b.ir, arrays), &types);
    with_regions(b, |b| {
        let block = operator_block(b, &types, combine);
        (
            ScanOp::builder()
                .arrays(arrays)
                .start(start)
                .results_types(&results)
                .build(b),
            vec![block],
        )
    })
}

/// Builds `array.redomap`: `body` returns the values to reduce, then those to store; `combine` is the operator.
pub fn redomap(
    b: &mut Builder<'_>,
    arrays: &[Value],
    start: &[Value],
    body: impl FnOnce(&mut Builder<'_>, &[Value]) -> Vec<Value>,
    combine: impl FnOnce(&mut Builder<'_>, &[Value], &[Value]) -> Vec<Value>,
) -> RedomapOp {
    let (outer, rows, types) = (
        outer_size(b.ir, arrays),
        row_types(b.ir, arrays),
        types_of(b.ir, start),
    );
    with_regions(b, |b| {
        let body = region_block(b, &rows, body);
        let combine = operator_block(b, &types, combine);
        let stored = yielded_types(b.ir, body).split_off(types.len());
        let mut results = types.clone();
        results.extend(arrays_of(&b.ir.context(), outer, &stored));
        (
            RedomapOp::builder()
                .arrays(arrays)
                .start(start)
                .results_types(&results)
                .build(b),
            vec![body, combine],
        )
    })
}

/// Builds `array.scanomap`: `body` returns the values to scan, then those to store; `combine` is the operator.
pub fn scanomap(
    b: &mut Builder<'_>,
    arrays: &[Value],
    start: &[Value],
    body: impl FnOnce(&mut Builder<'_>, &[Value]) -> Vec<Value>,
    combine: impl FnOnce(&mut Builder<'_>, &[Value], &[Value]) -> Vec<Value>,
) -> ScanomapOp {
    let (outer, rows, types) = (
        outer_size(b.ir, arrays),
        row_types(b.ir, arrays),
        types_of(b.ir, start),
    );
    with_regions(b, |b| {
        let body = region_block(b, &rows, body);
        let combine = operator_block(b, &types, combine);
        let stored = yielded_types(b.ir, body).split_off(types.len());
        let results = arrays_of(&b.ir.context(), outer, &[types, stored].concat());
        (
            ScanomapOp::builder()
                .arrays(arrays)
                .start(start)
                .results_types(&results)
                .build(b),
            vec![body, combine],
        )
    })
}

/// Puts detached blocks into the regions of the op made from them.
pub(crate) fn with_regions<V: OpView>(
    b: &mut Builder<'_>,
    make: impl FnOnce(&mut Builder<'_>) -> (V, Vec<Block>),
) -> V {
    let (view, blocks) = make(b);
    for (index, block) in blocks.into_iter().enumerate() {
        let region = b.ir.region(view.op(), index);
        b.ir.append_block(region, block);
    }
    view
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
