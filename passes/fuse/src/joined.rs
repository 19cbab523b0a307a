//! Concat and pad between combinators: what reads the joined array reads its parts, so that it meets what makes them.
//!
//! ```text
//! %c = array.concat %a, %b                      %p = array.map (%x in %a) { g }
//! %r = array.map (%x in %c) { g }          =>   %q = array.map (%x in %b) { g }
//!                                               %r = array.concat %p, %q
//! %r = array.reduce (%c) {o}              =>   %r = (array.reduce (%a) {o}) o (array.reduce (%b) {o})
//! %c = array.pad %a, %v                    =>   %p = array.map (%x in %a) { g }
//! %r = array.map (%x in %c) { g }               %r = array.pad %p, g(%v)
//! ```
//!
//! Conditions: the joined array has no other use and is the only input; one of the parts is made by a combinator here for
//! nobody else; the reader has no combinator inside, stores nothing beside a reduction, and is small: code is written
//! once per part, but runs once per element as before. A map over a padded array computes one more element, so it must
//! be unable to stop the program. Absent: several joined inputs, padding along inner dimensions, scans (see
//! [`pieces`](crate::pieces)).

use crate::soac::{
    Behaviour, Flavour, Parts, Soac, behaviour, end_block, finish, fusible, has_parallelism,
};
use crate::views::{detached_copy, erase_dead};
use segra_array::layout::{ConcatOp, PadOp};
use segra_array::types::{Size, array_of, sizes_and_element};
use segra_ir::clone::Mapping;
use segra_ir::{Block, Builder, Ir, Op, Type, Value};

/// Parts of a concatenation, at most.
const MOST_PARTS: usize = 4;
/// Operations of the reader, at most.
const MOST_OPS: usize = 40;

/// Makes the reader `op` of a joined array one of its parts; whether it was.
pub(crate) fn separate(ir: &mut Ir, op: Op) -> bool {
    let Some(reader) = fusible(ir, op) else {
        return false;
    };
    let [array] = reader.arrays[..] else {
        return false;
    };
    let Some(joined) = ir
        .defining_op(array)
        .filter(|&joined| ir.block_of(joined) == ir.block_of(op))
    else {
        return false;
    };
    let small = ir.walk(op).len() <= MOST_OPS && !has_parallelism(ir, &reader);
    if !ir.has_one_use(array) || !small || behaviour(ir, &reader) == Behaviour::Effects {
        return false;
    }
    let new = if let Some(concat) = ir.cast::<ConcatOp>(joined) {
        let parts = concat.arrays(ir);
        if parts.len() > MOST_PARTS || !parts.iter().any(|&part| is_made_for_this(ir, op, part)) {
            return false;
        }
        match reader.flavour {
            Flavour::Map => mapped_parts(ir, &reader, &parts),
            Flavour::Reduce if reader.stored(ir).next().is_none() => {
                reduced_parts(ir, &reader, &parts)
            }
            _ => None,
        }
    } else if let Some(pad) = ir.cast::<PadOp>(joined) {
        let flat = sizes_and_element(ir.ctx(), ir.value_type(array)).0.len() == 1;
        let total = behaviour(ir, &reader) == Behaviour::Total;
        match flat
            && total
            && reader.flavour == Flavour::Map
            && is_made_for_this(ir, op, pad.array(ir))
        {
            true => padded(ir, &reader, pad),
            false => None,
        }
    } else {
        None
    };
    let Some(new) = new else { return false };
    ir.replace_op(op, &new);
    erase_dead(ir, vec![array]);
    true
}

/// Whether a combinator of the block makes an array for one use only.
fn is_made_for_this(ir: &Ir, op: Op, part: Value) -> bool {
    let producer = ir
        .defining_op(part)
        .filter(|&producer| ir.block_of(producer) == ir.block_of(op));
    let producer = producer.and_then(|producer| fusible(ir, producer));
    producer.is_some_and(|producer| producer.stored(ir).any(|made| made == part))
        && ir.has_one_use(part)
}

/// The reader over one part.
fn over(ir: &mut Ir, reader: &Soac, part: Value, results: Vec<Type>) -> Op {
    let body: Block = match reader.body {
        Some(body) => detached_copy(ir, body),
        None => {
            let (body, elements) = Parts::body_over(ir, &[part]);
            let loc = ir.loc(reader.op);
            end_block(ir, body, &elements, loc);
            body
        }
    };
    let combine = reader.combine.map(|combine| detached_copy(ir, combine));
    let parts = Parts {
        start: reader.start.clone(),
        combine,
        ..Parts::new(reader.flavour, vec![part], Some(body))
    };
    finish(ir, &parts, &results, reader.op)
}

/// Types of what a map makes of a part.
fn result_types(ir: &Ir, reader: &Soac, part: Value) -> Vec<Type> {
    let ctx = ir.ctx();
    let outer = sizes_and_element(ctx, ir.value_type(part))
        .0
        .first()
        .copied()
        .unwrap_or(Size::Unknown);
    ir.results(reader.op)
        .map(|result| array_of(ctx, outer, crate::soac::row_type(ir, result)))
        .collect()
}

fn mapped_parts(ir: &mut Ir, reader: &Soac, parts: &[Value]) -> Option<Vec<Value>> {
    let mut maps = Vec::new();
    for &part in parts {
        let types = result_types(ir, reader, part);
        maps.push(over(ir, reader, part, types));
    }
    let results: Vec<Value> = ir.results(reader.op).collect();
    let mut joined = Vec::new();
    for (index, result) in results.into_iter().enumerate() {
        let made: Vec<Value> = maps.iter().map(|&map| ir.result(map, index)).collect();
        let ty = ir.value_type(result);
        let mut b = Builder::before(ir, reader.op);
        joined.push(ConcatOp::build(&mut b, &made, ty).result(b.ir));
    }
    Some(joined)
}

fn reduced_parts(ir: &mut Ir, reader: &Soac, parts: &[Value]) -> Option<Vec<Value>> {
    let combine = reader.combine?;
    let types: Vec<Type> = ir
        .results(reader.op)
        .map(|result| ir.value_type(result))
        .collect();
    let mut so_far: Vec<Value> = Vec::new();
    for &part in parts {
        let reduced = over(ir, reader, part, types.clone());
        let found: Vec<Value> = ir.results(reduced).collect();
        so_far = if so_far.is_empty() {
            found
        } else {
            let args: Vec<Value> = so_far.into_iter().chain(found).collect();
            Builder::before(ir, reader.op).clone_block_body(combine, &args, &mut Mapping::new())
        };
    }
    Some(so_far)
}

fn padded(ir: &mut Ir, reader: &Soac, pad: PadOp) -> Option<Vec<Value>> {
    let (array, value, low, high) = (pad.array(ir), pad.value(ir), pad.low(ir), pad.high(ir));
    let types = result_types(ir, reader, array);
    let scalars = types
        .iter()
        .all(|&ty| sizes_and_element(ir.ctx(), ty).0.len() == 1);
    if !scalars {
        return None;
    }
    let map = over(ir, reader, array, types);
    let mut b = Builder::before(ir, reader.op);
    let fills = b.clone_block_body(reader.body?, &[value], &mut Mapping::new());
    let mut joined = Vec::new();
    for (index, fill) in fills.into_iter().enumerate() {
        let (made, ty) = (
            ir.result(map, index),
            ir.value_type(ir.result(reader.op, index)),
        );
        let mut b = Builder::before(ir, reader.op);
        joined.push(
            PadOp::builder()
                .array(made)
                .value(fill)
                .low(&low)
                .high(&high)
                .result_type(ty)
                .build(&mut b)
                .result(b.ir),
        );
    }
    Some(joined)
}
