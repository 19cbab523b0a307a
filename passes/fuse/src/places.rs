//! Whether two updates go to the same places: two scatters, or two histograms, whose bodies compute one index.
//!
//! An op of either kind has one index per element for all its destinations. So two become one only where the index is
//! the same arithmetic on elements of the same arrays, and the destinations have the same extents by their types: the indexed
//! ones, and those of the rows that are written. (A kernel's points are the elements of all rows. Rows of two shapes have none
//! in common: one op would be taken apart again, with the producers that went into its body repeated in each part.)
//! A histogram whose operator is one operation on integers per value, which atomics mostly do, is not put together with
//! another one: if that needs locks, each is still done its own way, but by one warp of a block, and in ranges of as many
//! bins as fit shared memory for both. That goes by the operator's form: what the lowering chooses depends on widths too.

use crate::soac::{Flavour, Soac};
use segra_array::types::{Size, sizes_and_element};
use segra_ir::interfaces::is_pure;
use segra_ir::{Block, Ir, Value, ValueDef};

/// Operations that compute indices, at most, when two are compared.
const MOST_OPS: usize = 24;

/// Whether two scatters or two histograms may be one op.
pub(crate) fn same_places(ir: &Ir, a: &Soac, b: &Soac) -> bool {
    let indices = |soac: &Soac| -> Option<Vec<Value>> {
        let yielded: Vec<Value> = ir.operands(ir.last_op(soac.body?)?).collect();
        let count = yielded.len().checked_sub(soac.destinations.len())?;
        Some(yielded[..count].to_vec())
    };
    let (Some(of_a), Some(of_b)) = (indices(a), indices(b)) else {
        return false;
    };
    let extents = |soac: &Soac| sizes_and_element(ir.ctx(), ir.value_type(soac.destinations[0])).0;
    let one_shape = |soac: &Soac| {
        let sizes = |array| sizes_and_element(ir.ctx(), ir.value_type(array)).0;
        soac.destinations
            .iter()
            .all(|&array| sizes(array) == sizes(soac.destinations[0]))
    };
    let mut left = MOST_OPS;
    a.flavour == b.flavour
        && of_a.len() == of_b.len()
        && extents(a) == extents(b)
        && !extents(a).contains(&Size::Unknown)
        && one_shape(a)
        && one_shape(b)
        && (a.flavour == Flavour::Scatter || is_simple(ir, a) == is_simple(ir, b))
        && of_a
            .iter()
            .zip(&of_b)
            .all(|(&x, &y)| same(ir, (a, x), (b, y), &mut left))
}

/// Whether an operator is one operation on integers per value, as hardware atomics are.
fn is_simple(ir: &Ir, hist: &Soac) -> bool {
    let integers = hist
        .start
        .iter()
        .all(|&unit| ir.value_type(unit).integer_width(ir.ctx()).is_some());
    integers
        && hist
            .combine
            .is_some_and(|combine| ir.ops(combine).count() == hist.start.len() + 1)
}

/// Whether two values of two bodies are the same for the same elements.
fn same(ir: &Ir, (a, x): (&Soac, Value), (b, y): (&Soac, Value), left: &mut usize) -> bool {
    if x == y {
        return true;
    }
    let argument = |soac: &Soac, block: Block, index: u32| {
        soac.arrays
            .get(index as usize)
            .copied()
            .filter(|_| Some(block) == soac.body)
    };
    match (ir.value_def(x), ir.value_def(y)) {
        (ValueDef::Argument { block: p, index: i }, ValueDef::Argument { block: q, index: j }) => {
            let array = argument(a, p, i);
            array.is_some() && array == argument(b, q, j)
        }
        (ValueDef::Result { op: p, index: i }, ValueDef::Result { op: q, index: j }) => {
            let Some(rest) = left.checked_sub(1) else {
                return false;
            };
            *left = rest;
            i == j
                && ir.block_of(p) == a.body
                && ir.block_of(q) == b.body
                && ir.op_name(p) == ir.op_name(q)
                && ir.properties(p) == ir.properties(q)
                && ir.value_type(x) == ir.value_type(y)
                && ir.regions(p).is_empty()
                && is_pure(ir, p)
                && ir.operands(p).count() == ir.operands(q).count()
                && ir
                    .operands(p)
                    .zip(ir.operands(q))
                    .all(|(x, y)| same(ir, (a, x), (b, y), left))
        }
        _ => false,
    }
}
