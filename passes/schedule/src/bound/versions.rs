//! Versions of nests that cannot run: nothing bounds an array at their points.
//!
//! ```mlir
//! %r = scf.if %large {
//!   kernel.segmap thread (%i < %n) { lists as long as sums of other lists }       ==>     scf.for .. { .. kernel.segmap .. }
//! } else { scf.for .. { .. kernel.segmap .. } }
//! ```
//! Flattening makes versions before anybody knows where arrays lie. One with an array whose extent follows from nothing that is
//! known before its points run ([`super::needed`]) goes where the other one has none such.
//!
//! Legality: both ways of a choice by a threshold compute the same. Where neither can run, the op stays and is refused.

use super::Nest;
use crate::choice::is_choice;
use crate::rows::in_segmented;
use segra_ir::{Ir, Op, Region, Value};
use segra_pass::PassContext;

/// Replaces each choice of a function of which one way cannot run by the other one, whose nests go; says how many.
pub(super) fn leave_out_unbounded(
    ir: &mut Ir,
    function: Op,
    nests: &mut Vec<Nest>,
    cx: &mut PassContext<'_>,
) -> u64 {
    if nests.iter().all(|nest| nest.needed.is_ok()) {
        return 0;
    }
    let choices = ir.walk(function).into_iter();
    let choices: Vec<Op> = choices
        .filter(|&op| is_choice(ir, op) && !in_segmented(ir, op))
        .collect();
    let mut left_out = 0;
    // Choices inside of others first.
    for op in choices.into_iter().rev() {
        let &[then, otherwise] = ir.regions(op) else {
            continue;
        };
        let inside = |ir: &Ir, nest: &Nest, way: Region| {
            let mut blocks = ir.ancestors(nest.op).filter_map(|op| ir.block_of(op));
            blocks.any(|block| ir.block_region(block) == Some(way))
        };
        let first = |way: Region| {
            let mut unbounded = nests.iter().filter(|nest| nest.needed.is_err());
            let nest = unbounded.find(|nest| inside(ir, nest, way))?;
            Some(nest.op)
        };
        let (gone, left, nest) = match [first(then), first(otherwise)] {
            [Some(nest), None] => (then, otherwise, nest),
            [None, Some(nest)] => (otherwise, then, nest),
            _ => continue,
        };
        let end = ir
            .entry_block(left)
            .and_then(|block| Some((block, ir.last_op(block)?)));
        let Some((block, end)) = end else {
            continue;
        };
        nests.retain(|nest| !inside(ir, nest, gone));
        let message = "is left out with its version: nothing bounds an array at its points";
        cx.remark(ir, nest, message);
        let values: Vec<Value> = ir.operands(end).collect();
        ir.inline_block_before(block, op, &[]);
        ir.erase_op(end);
        ir.replace_op(op, &values);
        left_out += 1;
    }
    left_out
}
