//! The ops of the `tensor` dialect that are lowered: `dim` of a constant dimension; `reshape` to extents that a `from_elements` of
//! its own block lists; at points, insertions, and slices that are whole ([`segra_kernel::access::is_whole`]). Others are errors:
//! the pass `expand-windows` makes elements of other windows, nests of what the host copies, and reshapes of casts.

use crate::function::Lowering;
use segra_ir::Op;
use segra_ir::OpView;
use segra_ir::clone::Mapping;
use segra_kernel::access::is_whole;
use segra_std::tensor::{
    CastOp, DimOp, ExtractSliceOp, FromElementsOp, InsertOp, InsertSliceOp, ReshapeOp,
};

impl Lowering<'_> {
    /// Brings the ops of a function on tensors in the form that is lowered.
    pub(crate) fn prepare_tensors(&mut self, func: Op) {
        for op in self.ir.walk(func) {
            let ir = &*self.ir;
            let slice = ir.isa::<ExtractSliceOp>(op) || ir.isa::<InsertSliceOp>(op);
            let of_host = (slice || ir.isa::<InsertOp>(op)) && self.is_host(op);
            let fault = if let Some(dim) = ir.cast::<DimOp>(op) {
                let known = dim.dim(ir).is_some();
                (!known).then_some("must ask for a dimension that is a constant")
            } else if let Some(reshape) = ir.cast::<ReshapeOp>(op) {
                self.own_shape(reshape)
            } else if ir.isa::<CastOp>(op) {
                Some("says extents that nothing before it does, which is not lowered")
            } else if of_host && self.is_without_dimensions(op) {
                Some("copies a tensor without dimensions on the host, which is not lowered")
            } else if of_host {
                Some("copies on the host: `expand-windows` makes it a nest")
            } else if slice && !is_whole(ir, op) {
                Some("is no whole part at leading indices: `expand-windows` makes it elements")
            } else {
                None
            };
            if let Some(fault) = fault {
                self.diags.op_error(self.ir, op, fault);
            }
        }
    }

    /// Whether an op has a tensor of rank 0 among its operands and results.
    fn is_without_dimensions(&self, op: Op) -> bool {
        let mut values = self.ir.operands(op).chain(self.ir.results(op));
        values.any(|value| {
            let shaped = self.ir.value_type(value).shaped(&self.ctx);
            shaped.is_some_and(|(shape, _)| shape.is_empty())
        })
    }

    /// Erases the lists of extents that reshapes had.
    pub(crate) fn erase_shapes(&mut self, func: Op) {
        for op in self.ir.walk(func) {
            let listed = self.ir.cast::<FromElementsOp>(op);
            if listed.is_some_and(|listed| !self.ir.has_uses(listed.result(self.ir))) {
                self.ir.erase_op(op);
            }
        }
    }

    /// Gives a reshape a list of its extents of its own: an array that no memory is for. The fault, if there is no list.
    fn own_shape(&mut self, reshape: ReshapeOp) -> Option<&'static str> {
        let (op, ir) = (reshape.op(), &*self.ir);
        let listed = ir.def_as::<FromElementsOp>(reshape.shape(ir));
        let Some(listed) = listed.filter(|_| !reshape.sizes(ir).is_empty()) else {
            return Some("must have extents that a tensor.from_elements lists, as indices");
        };
        if self.ir.block_of(listed.op()) != self.ir.block_of(op) {
            let copy = self.builder(op).clone_op(listed.op(), &mut Mapping::new());
            let own = self.ir.result(copy, 0);
            self.ir.set_operand(op, 1, own);
        }
        None
    }
}
