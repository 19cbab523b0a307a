//! Filters by a scan and a scatter: where each kept element goes, then all of them there at once.
//!
//! ```mlir
//! %ys = array.filter (%x in %xs : [n]f32) -> [k] {...}                                                            =>
//! %at, %kept = array.scanomap exclusive (%x in %xs : [n]f32) init (%c0 : index) map {... yield 0 or 1, %keep} ...
//! %count = the last offset, and one more if the last element is kept
//! %none = array.replicate %zero, [%count] : f32 -> [k]f32
//! %ys = array.scatter (%i in %at, %keep in %kept, %x in %xs) into (%none) { yield %keep ? %i : -1, %x }
//! ```
//!
//! Legality: none needed, the verifier keeps filters out of combinators. The name of the size (`k`) is bound by the
//! host code that makes arrays of it.

use segra_array::filter::FilterOp;
use segra_array::shape::{DimOp, IndexOp, ReplicateOp};
use segra_array::soac::scanomap;
use segra_array::types::{ArrayType, sizes_and_element};
use segra_array::update::scatter;
use segra_ir::clone::Mapping;
use segra_ir::{AttrKind, Builder, Ir, Op, OpView, Type, Value};
use segra_std::{arith, scf};

/// Replaces all filters inside a function.
pub(crate) fn expand_filters(ir: &mut Ir, func: Op) {
    for op in ir.walk(func) {
        if let Some(filter) = ir.cast::<FilterOp>(op) {
            expand(ir, filter);
        }
    }
}

fn expand(ir: &mut Ir, filter: FilterOp) {
    let (op, arrays) = (filter.op(), filter.arrays(ir));
    let (body, results) = (filter.body_block(ir), filter.results(ir));
    let types: Vec<Type> = results.iter().map(|&value| ir.value_type(value)).collect();
    let mut b = Builder::before(ir, op);
    let (zero, one) = (
        crate::point::index_constant(&mut b, 0),
        crate::point::index_constant(&mut b, 1),
    );
    let marks = scanomap(
        &mut b,
        &arrays,
        &[zero],
        |b, elements| {
            let kept = b.clone_block_body(body, elements, &mut Mapping::new())[0];
            let count = arith::SelectOp::build(b, kept, one, zero).result(b.ir);
            vec![count, kept]
        },
        |b, sums, counts| vec![arith::AddIOp::build(b, sums[0], counts[0]).result(b.ir)],
    );
    let exclusive = b.ctx().unit();
    b.ir.set_attr_named(marks.op(), "exclusive", Some(exclusive));
    let (offsets, kept) = (b.ir.result(marks.op(), 0), b.ir.result(marks.op(), 1));
    let count = count(&mut b, arrays[0], offsets, kept, (zero, one));
    let none: Vec<Value> = arrays
        .iter()
        .zip(&types)
        .map(|(&array, &ty)| zeros(&mut b, array, count, ty))
        .collect();
    let outside = crate::point::index_constant(&mut b, -1);
    let mut inputs = vec![offsets, kept];
    inputs.extend(&arrays);
    let scattered = scatter(&mut b, &inputs, &none, |b, elements| {
        let mut values =
            vec![arith::SelectOp::build(b, elements[1], elements[0], outside).result(b.ir)];
        values.extend(&elements[2..]);
        values
    });
    let new: Vec<Value> = b.ir.results(scattered.op()).collect();
    ir.replace_op(op, &new);
}

/// How many elements are kept.
fn count(
    b: &mut Builder<'_>,
    array: Value,
    offsets: Value,
    kept: Value,
    (zero, one): (Value, Value),
) -> Value {
    let ctx = b.ir.context();
    let size = DimOp::build(b, array, ctx.i64_attr(0), ctx.index()).result(b.ir);
    let any = crate::point::compare(b, arith::CmpIPredicate::Sgt, size, zero);
    let branch = scf::IfOp::build(b, any, &[ctx.index()]);
    let (then, otherwise) = (branch.then_region(b.ir), branch.else_region(b.ir));
    let block = b.ir.add_block(then, &[]);
    let mut inner = Builder::at_end(b.ir, block, b.loc);
    let last = arith::SubIOp::build(&mut inner, size, one).result(inner.ir);
    let before = IndexOp::build(&mut inner, offsets, &[last]).result(inner.ir);
    let is_kept = IndexOp::build(&mut inner, kept, &[last]).result(inner.ir);
    let own = arith::SelectOp::build(&mut inner, is_kept, one, zero).result(inner.ir);
    let total = arith::AddIOp::build(&mut inner, before, own).result(inner.ir);
    scf::YieldOp::build(&mut inner, &[total]);
    let block = b.ir.add_block(otherwise, &[]);
    scf::YieldOp::build(&mut Builder::at_end(b.ir, block, b.loc), &[zero]);
    b.ir.result(branch.op(), 0)
}

/// An array of type `ty` with `count` rows like those of `array`, nobody cares what is in it.
fn zeros(b: &mut Builder<'_>, array: Value, count: Value, ty: Type) -> Value {
    let ctx = b.ir.context();
    let (_, element) = sizes_and_element(&ctx, ty);
    let rank =
        b.ir.value_type(array)
            .dialect::<ArrayType>(&ctx)
            .map_or(1, |ty| ty.sizes.len());
    let mut sizes = vec![count];
    for dim in 1..rank {
        sizes.push(DimOp::build(b, array, ctx.i64_attr(dim as i64), ctx.index()).result(b.ir));
    }
    let zero = match element.is_float(&ctx) {
        true => ctx.attr(AttrKind::Float {
            bits: 0,
            ty: element,
        }),
        false => ctx.int_attr(0, element),
    };
    let zero = arith::ConstantOp::build(b, zero).result(b.ir);
    ReplicateOp::build(b, zero, &sizes, ty).result(b.ir)
}
