//! Arrays that the host makes step by step: a loop over what cannot be parallel, with a kernel per array it touches.
//!
//! A subarray that is read is a copy of it (a segmap); an update is a scatter into the old array, which is changed in
//! place where nobody needs it (pass `update-in-place`); scratch is memory.

use crate::access::{element_type, extent_of, flat, shaped};
use crate::function::Lowering;
use crate::launch::constant;
use segra_ir::clone::Mapping;
use segra_ir::{Builder, InsertPoint, Op, OpView, Value};
use segra_kernel::access::{Read, Update};
use segra_kernel::level::Level;
use segra_kernel::segop::{ReturnOp, SegMapOp};
use segra_kernel::update::ScatterOp;
use segra_std::arith::expr::unfold;
use segra_std::tensor::{EmptyOp, ReshapeOp};

impl Lowering<'_> {
    /// A copy of the subarray that begins with these indices.
    pub(crate) fn read_subarray(&mut self, read: Read) -> Option<()> {
        let op = read.op();
        let (ctx, loc) = (self.ctx.clone(), self.ir.loc(op));
        let (array, indices) = (read.tensor(self.ir), read.indices(self.ir));
        let ty = self.ir.value_type(read.result(self.ir));
        let extents = self.extents_from(op, array, indices.len());
        let level = Level::Thread.attr(&ctx);
        let copy = SegMapOp::builder()
            .level(level)
            .sizes(&extents)
            .results_types(&[ty])
            .build(&mut self.builder(op));
        let region = copy.body(self.ir);
        let block = self.ir.add_block(region, &vec![ctx.index(); extents.len()]);
        let mut all = indices;
        all.extend(self.ir.block_args(block));
        let mut b = Builder::at_end(self.ir, block, loc);
        let value = Read::build(&mut b, array, &all).result(b.ir);
        ReturnOp::build(&mut b, &[value]);
        let result = copy.results(self.ir)[0];
        self.ir.replace_op(op, &[result]);
        self.own_segmap(copy)
    }

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

    /// A scatter of one element, or of all elements of a subarray.
    pub(crate) fn update_on_host(&mut self, update: Update) -> Option<()> {
        let op = update.op();
        let (ctx, loc) = (self.ctx.clone(), self.ir.loc(op));
        let (array, value) = (update.tensor(self.ir), update.value(self.ir));
        let ty = self.ir.value_type(array);
        let extents = match self.ir.value_type(value).shaped(&ctx) {
            Some(_) => self.extents_from(op, value, 0),
            None => Vec::new(),
        };
        let count = crate::segmented::product(&mut self.builder(op), &extents);
        let level = Level::Thread.attr(&ctx);
        let scatter = ScatterOp::builder()
            .level(level)
            .sizes(&[count])
            .destinations(&[array])
            .results_types(&[ty])
            .build(&mut self.builder(op));
        let region = scatter.body(self.ir);
        let block = self.ir.add_block(region, &[ctx.index()]);
        let number = self.ir.block_args(block)[0];
        let mut returned = update.indices(self.ir);
        let mut b = Builder::at_end(self.ir, block, loc);
        let mut element = value;
        if !extents.is_empty() {
            let own = unfold(&mut b, &extents, number);
            element = Read::build(&mut b, value, &own).result(b.ir);
            returned.extend(own);
        }
        returned.push(element);
        ReturnOp::build(&mut b, &returned);
        let result = scatter.results(self.ir)[0];
        self.ir.replace_op(op, &[result]);
        self.map_own(scatter.op());
        self.scatter(scatter)
    }

    /// Extents of an array's dimensions from number `first` on.
    fn extents_from(&mut self, op: Op, array: Value, first: usize) -> Vec<Value> {
        let rank = self
            .ir
            .value_type(array)
            .shaped(&self.ctx)
            .map_or(0, |shaped| shaped.0.len());
        let mut b = self.builder(op);
        let extents: Vec<Value> = (first..rank)
            .map(|dim| extent_of(&mut b, array, dim))
            .collect();
        if extents.is_empty() {
            vec![constant(&mut b, 1)]
        } else {
            extents
        }
    }
}
