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
        let mut choices = self.ir.walk(func);
        choices.retain(|&op| {
            let branch = self.ir.cast::<IfOp>(op).filter(|_| self.is_host(op));
            branch.is_some_and(|branch| asks_threshold(self.ir, branch.condition(self.ir)))
        });
        // Choices inside of others first.
        for op in choices.into_iter().rev() {
            let &[then, otherwise] = self.ir.regions(op) else {
                continue;
            };
            let unbounded = [then, otherwise].map(|way| self.unbounded(way));
            let (left, nest) = match unbounded {
                [Some(nest), None] => (otherwise, nest),
                [None, Some(nest)] => (then, nest),
                _ => continue,
            };
            let message = "is left out with its version: nothing bounds an array at its points";
            self.diags.op_remark(self.ir, nest, message);
            let Some(block) = self.ir.entry_block(left) else {
                continue;
            };
            let Some(end) = self.ir.last_op(block) else {
                continue;
            };
            let values: Vec<Value> = self.ir.operands(end).collect();
            self.ir.inline_block_before(block, op, &[]);
            self.ir.erase_op(end);
            self.ir.replace_op(op, &values);
        }
    }

    /// The first nest of a region of the host that cannot run.
    fn unbounded(&self, region: Region) -> Option<Op> {
        let blocks = self.ir.blocks(region);
        let mut ops = blocks.flat_map(|block| self.ir.ops(block).collect::<Vec<_>>());
        ops.find_map(|op| match self.ir.interface::<dyn SegmentedOp>(op) {
            Some(_) => (!is_bounded(self.ir, op)).then_some(op),
            None => {
                let mut regions = self.ir.regions(op).iter();
                regions.find_map(|&region| self.unbounded(region))
            }
        })
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
