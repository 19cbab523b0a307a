//! Updates of arrays whose rows differ in shape: one op per shape.
//!
//! ```mlir
//! %a, %b = array.scatter (%i in %is, %x in %xs, %y in %ys) into (%p : [m][k]f32, %q : [m][l]f32) {
//!   array.yield %i, %x, %y : ...
//! }                                                                                                             =>
//! %a = array.scatter (%i in %is, %x in %xs, %y in %ys) into (%p : [m][k]f32) { array.yield %i, %x : ... }
//! %b = array.scatter (%i in %is, %x in %xs, %y in %ys) into (%q : [m][l]f32) { array.yield %i, %y : ... }
//! ```
//! The points of an update are all elements of all rows that are written (see [`crate::update`]), so rows of two shapes
//! have no points in common. Scalars have those of the elements. An op that is not split stays one op and has its points once.
//!
//! Legality: what becomes of one destination does not depend on another one, except through the operator of a histogram:
//! values of it that need each other's operands stay one op, which is a loop where their rows differ. Extents without a
//! name may differ, and are taken to.
//!
//! A body with parallelism inside is made first, by a map, so that it is done once. Any other is repeated in each op: its
//! code of a point, which the ops would read back from memory otherwise.

use crate::cost::block_has_parallelism;
use segra_array::combinator::Soac;
use segra_array::soac::map;
use segra_array::types::{Size, sizes_and_element};
use segra_array::update::{hist, scatter};
use segra_ir::clone::Mapping;
use segra_ir::{Block, Builder, Ir, Op, OpView, Value};
use segra_pass::analysis::operator::{Slice, grouped, independent_values, join};

/// Splits all updates inside a function that write rows of several shapes.
pub(crate) fn split_updates(ir: &mut Ir, func: Op) {
    // Updates inside the body of another one come first: what becomes of that one has copies of them.
    for op in ir.walk(func).into_iter().rev() {
        let Some(update) = Soac::of(ir, op).filter(|soac| !soac.flavour.stores()) else {
            continue;
        };
        if update.destinations.len() > 1 {
            split(ir, &update);
        }
    }
}

/// Splits a scatter or histogram, if it writes rows of several shapes.
fn split(ir: &mut Ir, update: &Soac) -> Option<()> {
    let body = update.body?;
    let indexed = ir
        .num_operands(ir.last_op(body)?)
        .checked_sub(update.destinations.len())?;
    let groups = groups(ir, update, indexed);
    if groups.len() < 2 {
        return None;
    }
    let mut b = Builder::before(ir, update.op);
    let mut arrays = update.arrays.clone();
    let made_first = block_has_parallelism(b.ir, body);
    if made_first {
        let all: Vec<usize> = (0..indexed + update.destinations.len()).collect();
        let made = map(&mut b, &arrays, |b, elements| {
            clone_part(b, body, elements, &all)
        });
        arrays = made.results(b.ir);
    }
    let mut results = update.destinations.clone();
    for group in groups {
        let written: Vec<Value> = group
            .iter()
            .map(|&index| update.destinations[index])
            .collect();
        let part = |b: &mut Builder<'_>, elements: &[Value]| {
            let values = group.iter().map(|&index| indexed + index);
            let which: Vec<usize> = (0..indexed).chain(values).collect();
            match made_first {
                true => which.iter().map(|&index| elements[index]).collect(),
                false => clone_part(b, body, elements, &which),
            }
        };
        let new = match update.combine {
            None => scatter(&mut b, &arrays, &written, part).op(),
            Some(combine) => {
                let neutral = &update.start;
                let units: Vec<Value> = group.iter().map(|&index| neutral[index]).collect();
                let operator = |b: &mut Builder<'_>, left: &[Value], right: &[Value]| {
                    combined_part(b, combine, neutral, &group, [left, right])
                };
                hist(&mut b, &arrays, &written, &units, part, operator).op()
            }
        };
        for (&index, result) in group.iter().zip(b.ir.results(new).collect::<Vec<_>>()) {
            results[index] = result;
        }
    }
    ir.replace_op(update.op, &results);
    Some(())
}

/// Which destinations can be one op.
fn groups(ir: &Ir, update: &Soac, indexed: usize) -> Vec<Vec<usize>> {
    let rows: Vec<Vec<Size>> = update
        .destinations
        .iter()
        .map(|&array| {
            sizes_and_element(ir.ctx(), ir.value_type(array))
                .0
                .split_off(indexed)
        })
        .collect();
    let alike = |a: usize, b: usize| rows[a] == rows[b] && !rows[a].contains(&Size::Unknown);
    let mut group: Vec<usize> = (0..rows.len())
        .map(|index| {
            (0..index)
                .find(|&before| alike(before, index))
                .unwrap_or(index)
        })
        .collect();
    for together in update
        .combine
        .iter()
        .flat_map(|&combine| independent_values(ir, combine))
    {
        join(&mut group, &together);
    }
    grouped(&group)
}

/// An operator's results for some of its values. The others are not needed for these: units stand for them.
fn combined_part(
    b: &mut Builder<'_>,
    combine: Block,
    neutral: &[Value],
    group: &[usize],
    sides: [&[Value]; 2],
) -> Vec<Value> {
    let mut args = [neutral, neutral].concat();
    for (side, values) in sides.into_iter().enumerate() {
        for (&index, &value) in group.iter().zip(values) {
            args[side * neutral.len() + index] = value;
        }
    }
    clone_part(b, combine, &args, group)
}

/// The values with these numbers that a block ends with, for other arguments; with the ops that they need and no more.
fn clone_part(b: &mut Builder<'_>, block: Block, args: &[Value], which: &[usize]) -> Vec<Value> {
    let ends: Vec<Value> =
        b.ir.last_op(block)
            .map(|last| b.ir.operands(last).collect())
            .unwrap_or_default();
    let values: Vec<Value> = which.iter().map(|&index| ends[index]).collect();
    let mut mapping = Mapping::new();
    mapping.map_all(b.ir.block_args(block), args);
    for op in Slice::of(b.ir, block, &values).ops {
        b.clone_op(op, &mut mapping);
    }
    mapping.get_all(values)
}
