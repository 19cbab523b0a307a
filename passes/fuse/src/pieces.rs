//! Joined arrays by index: a concatenation or padding of what maps make becomes one map over indices, which meets every
//! reader.
//!
//! ```text
//! %p = array.map (%x in %xs) { f }            %is = array.iota n + m
//! %c = array.concat %p, %ys              =>   %c = array.map (%i in %is) { if %i < n { f(%xs[%i]) } else { %ys[%i - n] } }
//! array.scan (%e in %c) { o }                 array.scan (%e in %c) { o }
//! ```
//!
//! For readers that [`joined`](crate::joined) cannot take apart: scans, scatters, histograms, readers of more than the
//! joined array. Conditions: a combinator reads the joined array, and nothing else does; its elements are numbers; one of
//! the parts is made by a map of the block for nobody else, which has no combinator inside and cannot stop the program.
//! Every element is computed once, as before. Absent: joined rows, padding of matrices.

use crate::build::{move_ops, types_agree};
use crate::soac::{Behaviour, Flavour, Parts, Soac, end_block};
use segra_array::layout::{ConcatOp, PadOp};
use segra_array::shape::{DimOp, IndexOp, IotaOp};
use segra_array::types::{Size, array_or_scalar, sizes_and_element};
use segra_ir::{Builder, Ir, Loc, Op, OpView, Type, Value};
use segra_std::{arith, scf};

/// Parts, at most: each is a branch around the next.
const MOST_PARTS: usize = 4;

/// Where elements of a stretch of the joined array come from.
enum Piece {
    /// An array.
    Array(Value),
    /// A map, which goes.
    Map(Soac),
    /// One value.
    Value(Value),
}

/// Makes a map of the joined array that `op` makes, if a combinator of the block reads it; whether it did.
pub(crate) fn by_index(ir: &mut Ir, op: Op) -> bool {
    let Some(joined) = joined_of(ir, op) else { return false };
    let result = ir.result(op, 0);
    let (sizes, element) = sizes_and_element(ir.ctx(), ir.value_type(result));
    let read = ir.users(result).next().is_some_and(|user| reads_elements(ir, user, result));
    let gains = joined.iter().any(|(piece, _)| matches!(piece, Piece::Map(_)));
    if sizes.len() != 1 || !read || !gains || !ir.has_one_use(result) || joined.len() > MOST_PARTS {
        return false;
    }
    let loc = ir.loc(op);
    let (mut bounds, mut total) = (Vec::new(), None);
    for (piece, extent) in &joined {
        let extent = extent_of(ir, op, piece, *extent);
        let mut b = Builder::before(ir, op);
        let end = match total {
            Some(before) => arith::AddIOp::build(&mut b, before, extent, None).result(b.ir),
            None => extent,
        };
        bounds.push(total.replace(end));
    }
    let Some(total) = total else { return false };
    let outer = sizes[0];
    let index = ir.ctx().index();
    let ty = array_or_scalar(ir.ctx(), &[outer], index);
    let mut b = Builder::before(ir, op);
    let indices = IotaOp::build(&mut b, total, ty).result(b.ir);
    let (body, at) = Parts::body_over(ir, &[indices]);
    let pieces: Vec<(Piece, Option<Value>)> =
        joined.into_iter().zip(bounds).map(|((piece, _), start)| (piece, start)).collect();
    end_block(ir, body, &[], loc);
    let Some(last) = ir.last_op(body) else { return false };
    let value = element_at(ir, last, &pieces, at[0], element, loc);
    ir.set_operands(last, &[value]);
    let parts = Parts {
        flavour: Flavour::Map,
        arrays: vec![indices],
        neutral: Vec::new(),
        destinations: Vec::new(),
        body,
        combine: None,
        results: vec![ir.value_type(result)],
    };
    let map = parts.finish(ir, op);
    let made = ir.result(map, 0);
    if let Some(name) = ir.value_name(result) {
        ir.set_value_name(made, name);
    }
    ir.replace_op(op, &[made]);
    for (piece, _) in pieces {
        if let Piece::Map(map) = piece {
            ir.erase_op(map.op);
        }
    }
    true
}

/// The parts of a concatenation or padding, with their extents where those are values.
fn joined_of(ir: &Ir, op: Op) -> Option<Vec<(Piece, Option<Value>)>> {
    if let Some(concat) = ir.cast::<ConcatOp>(op) {
        let arrays = concat.arrays(ir);
        return Some(arrays.into_iter().map(|array| (piece(ir, op, array), None)).collect());
    }
    let pad = ir.cast::<PadOp>(op)?;
    let (low, high) = (pad.low(ir), pad.high(ir));
    let fill = |size: &Value| (Piece::Value(pad.value(ir)), Some(*size));
    Some(vec![fill(low.first()?), (piece(ir, op, pad.array(ir)), None), fill(high.first()?)])
}

/// A map that makes an array for one use, of numbers; otherwise the array.
fn piece(ir: &Ir, op: Op, array: Value) -> Piece {
    let maker = ir.defining_op(array).filter(|&maker| ir.block_of(maker) == ir.block_of(op));
    let maker = maker.and_then(|maker| Soac::of(ir, maker)).filter(|maker| {
        let numbers = |array: Value| sizes_and_element(ir.ctx(), ir.value_type(array)).0.len() == 1;
        maker.flavour == Flavour::Map
            && ir.num_results(maker.op) == 1
            && ir.has_one_use(array)
            && maker.arrays.iter().all(|&array| numbers(array))
            && types_agree(ir, maker)
            && maker.behaviour(ir) == Behaviour::Total
            && !maker.has_parallelism(ir)
    });
    maker.map_or(Piece::Array(array), Piece::Map)
}

/// Whether an op is a combinator without others inside that goes over an array.
fn reads_elements(ir: &Ir, user: Op, array: Value) -> bool {
    Soac::of(ir, user).is_some_and(|reader| {
        reader.arrays.contains(&array) && !reader.has_parallelism(ir) && types_agree(ir, &reader)
    })
}

fn extent_of(ir: &mut Ir, op: Op, piece: &Piece, known: Option<Value>) -> Value {
    let array = match piece {
        Piece::Array(array) => *array,
        Piece::Map(map) => map.arrays[0],
        Piece::Value(value) => return known.unwrap_or(*value),
    };
    let size = sizes_and_element(ir.ctx(), ir.value_type(array)).0[0];
    let mut b = Builder::before(ir, op);
    if let Size::Constant(extent) = size {
        let attr = b.ctx().index_attr(extent);
        return arith::ConstantOp::build(&mut b, attr).result(b.ir);
    }
    let (dim, index) = (b.ctx().i64_attr(0), b.ctx().index());
    DimOp::build(&mut b, array, dim, index).result(b.ir)
}

/// The element at an index, made before `place`: of the first piece, or in a branch of a later one.
fn element_at(
    ir: &mut Ir,
    place: Op,
    pieces: &[(Piece, Option<Value>)],
    index: Value,
    ty: Type,
    loc: Loc,
) -> Value {
    let [(piece, start), rest @ ..] = pieces else { return index };
    let Some((_, Some(end))) = rest.first() else { return element_of(ir, place, piece, *start, index, loc) };
    let mut b = Builder::before(ir, place);
    b.loc = loc;
    let predicate = arith::CmpIPredicate::Slt.attr(b.ctx());
    let here = arith::CmpIOp::build(&mut b, predicate, index, *end).result(b.ir);
    let branch = scf::IfOp::with_bodies(&mut b, here, &[ty], |_| Vec::new(), |_| Vec::new());
    let last_of = |ir: &Ir, region| ir.entry_block(region).and_then(|block| ir.last_op(block));
    if let Some(last) = last_of(ir, branch.then_region(ir)) {
        let value = element_of(ir, last, piece, *start, index, loc);
        ir.set_operands(last, &[value]);
    }
    if let Some(last) = last_of(ir, branch.else_region(ir)) {
        let value = element_at(ir, last, rest, index, ty, loc);
        ir.set_operands(last, &[value]);
    }
    ir.result(branch.op(), 0)
}

/// The element of a piece that starts at `start` (none: at 0) at an index of the whole.
fn element_of(ir: &mut Ir, place: Op, piece: &Piece, start: Option<Value>, index: Value, loc: Loc) -> Value {
    let mut b = Builder::before(ir, place);
    b.loc = loc;
    let own = |b: &mut Builder<'_>| match start {
        Some(start) => arith::SubIOp::build(b, index, start, None).result(b.ir),
        None => index,
    };
    match piece {
        Piece::Value(value) => *value,
        Piece::Array(array) => {
            let at = own(&mut b);
            IndexOp::build(&mut b, *array, &[at]).result(b.ir)
        }
        Piece::Map(map) => {
            let at = own(&mut b);
            let elements: Vec<Value> =
                map.arrays.iter().map(|&array| IndexOp::build(&mut b, array, &[at]).result(b.ir)).collect();
            let Some(body) = map.body else { return index };
            let yields = move_ops(ir, body, &elements, |ir, op| ir.move_before(op, place));
            yields[0]
        }
    }
}
