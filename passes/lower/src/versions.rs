//! Versions of nests that cannot run: nothing bounds an array at their points.
//!
//! ```mlir
//! %r = scf.if %large {
//!   kernel.segmap thread (%i < %n) { lists as long as sums of other lists }       ==>     scf.for .. { .. kernel.segmap .. }
//! } else { scf.for .. { .. kernel.segmap .. } }
//! ```
//! Flattening makes versions before anybody knows where arrays lie. One with an array whose extent follows from nothing that is
//! known before its points run ([`crate::point`]) goes where the other one has none such.
//!
//! Legality: both ways of a choice by a threshold compute the same. Where neither can run, the op stays and is refused later.

use crate::function::Lowering;
use crate::point::is_bounded;
use segra_ir::{Ir, Op, Region, Value};
use segra_kernel::segop::SegmentedOp;
use segra_kernel::threshold::AtLeastOp;
use segra_std::arith;
use segra_std::scf::IfOp;

/// Most ops that a condition is made of.
const MOST_CONDITIONS: usize = 16;

impl Lowering<'_> {
    /// Replaces each choice of a function of which one way cannot run by the other one.
    pub(crate) fn leave_out_unbounded(&mut self, func: Op) {
        let ops = self.ir.walk(func);
        let (mut choices, mut unbounded) = (Vec::new(), Vec::new());
        for op in ops {
            if let Some(branch) = self.ir.cast::<IfOp>(op) {
                let chosen = asks_threshold(self.ir, branch.condition(self.ir)) && self.is_host(op);
                choices.extend(chosen.then_some(op));
            } else if self.ir.interface::<dyn SegmentedOp>(op).is_some()
                && self.is_host(op)
                && !is_bounded(self.ir, op)
            {
                unbounded.push(op);
            }
        }
        // Choices inside of others first.
        for op in choices.into_iter().rev() {
            let &[then, otherwise] = self.ir.regions(op) else {
                continue;
            };
            let inside = |nest: Op, way: Region| {
                let mut blocks = self
                    .ir
                    .ancestors(nest)
                    .filter_map(|op| self.ir.block_of(op));
                blocks.any(|block| self.ir.block_region(block) == Some(way))
            };
            let first = |way: Region| unbounded.iter().copied().find(|&nest| inside(nest, way));
            let (gone, left, nest) = match [first(then), first(otherwise)] {
                [Some(nest), None] => (then, otherwise, nest),
                [None, Some(nest)] => (otherwise, then, nest),
                _ => continue,
            };
            let end = self
                .ir
                .entry_block(left)
                .and_then(|block| Some((block, self.ir.last_op(block)?)));
            let Some((block, end)) = end else {
                continue;
            };
            unbounded.retain(|&nest| !inside(nest, gone));
            let message = "is left out with its version: nothing bounds an array at its points";
            self.diags.op_remark(self.ir, nest, message);
            let values: Vec<Value> = self.ir.operands(end).collect();
            self.ir.inline_block_before(block, op, &[]);
            self.ir.erase_op(end);
            self.ir.replace_op(op, &values);
        }
    }
}

/// Whether a condition asks a threshold.
fn asks_threshold(ir: &Ir, condition: Value) -> bool {
    let mut pending = vec![condition];
    for _ in 0..MOST_CONDITIONS {
        let Some(value) = pending.pop() else {
            break;
        };
        if ir.def_as::<AtLeastOp>(value).is_some() {
            return true;
        }
        let both = ir
            .def_as::<arith::AndIOp>(value)
            .map(|op| [op.lhs(ir), op.rhs(ir)]);
        let either = ir
            .def_as::<arith::OrIOp>(value)
            .map(|op| [op.lhs(ir), op.rhs(ir)]);
        pending.extend(both.or(either).into_iter().flatten());
    }
    false
}
