//! Arrays of the host that no nest makes: scratch is memory, and a reshape the same memory under other extents.

use crate::access::{element_type, flat, shaped};
use crate::function::Lowering;
use segra_ir::clone::Mapping;
use segra_ir::{InsertPoint, Op, OpView};
use segra_std::tensor::{EmptyOp, ReshapeOp};

impl Lowering<'_> {
    /// Every use of an array without contents gets one of its own: equal ones have become one, and who changes an array that
    /// others use, too, copies it. Those that points use are made by the points.
    pub(crate) fn separate_scratch(&mut self, func: Op) {
        for op in self.ir.walk(func) {
            let Some(scratch) = self.ir.cast::<EmptyOp>(op).filter(|_| self.is_host(op)) else {
                continue;
            };
            let array = scratch.result(self.ir);
            let ir = &*self.ir;
            let uses = ir
                .uses(array)
                .map(|id| (ir.use_owner(id), ir.use_index(id)));
            let uses: Vec<(Op, usize)> = uses.collect();
            let stays = uses.iter().position(|&(user, _)| self.is_host(user));
            for (number, &(user, operand)) in uses.iter().enumerate() {
                if Some(number) != stays {
                    let copy = self.builder(user).clone_op(op, &mut Mapping::new());
                    let own = self.ir.result(copy, 0);
                    self.ir.set_operand(user, operand, own);
                }
            }
        }
    }

    /// The same memory under other extents.
    pub(crate) fn reshape_on_host(&mut self, reshape: ReshapeOp) {
        let op = reshape.op();
        let (memref, sizes) = (reshape.source(self.ir), reshape.sizes(self.ir));
        let ty = self.ir.value_type(reshape.result(self.ir));
        let mut b = self.builder(op);
        let elements = flat(&mut b, memref);
        let view = shaped(&mut b, elements, &sizes, ty);
        self.ir.replace_op(op, &[view]);
    }

    /// Memory of the host's.
    pub(crate) fn scratch_on_host(&mut self, scratch: EmptyOp) {
        let op = scratch.op();
        let sizes = scratch.sizes(&mut self.builder(op));
        let ty = self.ir.value_type(scratch.result(self.ir));
        let element = element_type(self.ir, ty);
        let count = crate::segmented::product(&mut self.builder(op), &sizes);
        let buffer = self.allocate(op, InsertPoint::Before(op), element, count);
        let array = shaped(&mut self.builder(op), buffer, &sizes, ty);
        self.ir.replace_op(op, &[array]);
    }
}
