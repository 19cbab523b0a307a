//! Arrays whose extents differ between points: how large the largest of them is.
//!
//! A thread's arrays lie in buffers that the host allocates before the launch. Where an extent is only known at a point,
//! a reduction over all points finds the largest number of elements first: a slice of the point's code, with its counted
//! loops and branches, that computes extents and nothing else.
//!
//! ```mlir
//! %most = kernel.segred thread (%p < %points) init (%zero : index) -> (index) {
//!   %k = ... the code of the point that extents need ...
//!   kernel.return %k : index
//! } combine (%a, %b) { arith.maxsi }
//! ```
//! Legality: extents come from what is known before the point runs, or are at most as large as something that is ([`Needed`]).
//! Otherwise it is an error, with the place.

use super::needed::{Needed, is_loop};
use super::slice::Slice;
use crate::function::Lowering;
use crate::launch::constant;
use segra_ir::clone::Mapping;
use segra_ir::types::DYNAMIC;
use segra_ir::{Block, Builder, InsertPoint, Ir, Loc, Op, OpView, Region, Value};
use segra_kernel::access::Read;
use segra_kernel::extent::irregular_arrays;
use segra_kernel::form::Form;
use segra_kernel::level::Level;
use segra_kernel::segop::{ReturnOp, SegMapOp, SegRedOp, SegmentedOp};
use segra_std::arith::expr::unfold;
use segra_std::{arith, scf};

/// Whether the arrays at the points of an op have extents that are known before those run, or numbers that bound them.
pub(crate) fn is_bounded(ir: &Ir, op: Op) -> bool {
    let irregular = irregular_arrays(ir, op);
    irregular.is_empty() || Needed::of(ir, op, &irregular).is_ok()
}

impl Lowering<'_> {
    /// The most elements that an array of a point of `op` has whose extents the host cannot know; `None` where there is
    /// no such array.
    pub(crate) fn bound(&mut self, op: Op) -> Option<Value> {
        let irregular = irregular_arrays(self.ir, op);
        let model = self.ir.interface::<dyn SegmentedOp>(op)?;
        let body = model.body(self.ir, op);
        let beside = irregular.iter().find(|&&scratch| {
            let mut blocks = self
                .ir
                .ancestors(scratch)
                .filter_map(|inner| self.ir.block_of(inner));
            !blocks.any(|block| self.ir.block_region(block) == Some(body))
        });
        if let Some(&scratch) = beside {
            let message = "is as large as only each application of the operator knows";
            self.diags.op_error(self.ir, scratch, message);
            return None;
        }
        if irregular.is_empty() {
            return None;
        }
        let needed = match Needed::of(self.ir, op, &irregular) {
            Ok(needed) => needed,
            Err(at) => {
                let message = if irregular.contains(&at) {
                    "gives an array an extent that nothing bounds before the point of the nest runs"
                } else if is_loop(self.ir, at) {
                    "may give an array more elements in each round, and runs as often as only the point of the nest knows"
                } else {
                    "decides how large an array at a point of a nest is, which is only known when the point runs"
                };
                self.diags.op_error(self.ir, at, message);
                // It stands for the bound where nothing is made of the program any more.
                return Some(constant(&mut self.builder(op), 0));
            }
        };
        let sizes = model.sizes(self.ir, op);
        let by_blocks = needed.needs_parallel_ops(self.ir);
        let slice = Slice {
            needed,
            values: Mapping::new(),
            by_block: by_blocks,
        };
        let search = match by_blocks {
            true => self.search_by_blocks(op, &sizes, body, slice)?,
            false => self.search(op, &sizes, body, slice)?,
        };
        let found = search.results(self.ir)[0];
        // Something has to hold the result while the search is replaced by it.
        let loc = self.ir.loc(op);
        let zero = constant(&mut self.builder(op), 0);
        let kept = arith::MaxSIOp::build(
            &mut Builder::new(self.ir, InsertPoint::Before(op), loc),
            found,
            zero,
        );
        self.scheduled_search(search)?;
        Some(kept.result(self.ir))
    }

    /// Lowers the search in the form that suits the number of points: parts from `NAME.boundN.parts` on.
    fn scheduled_search(&mut self, search: SegRedOp) -> Option<()> {
        let op = search.op();
        self.mark_own(op);
        let most = self.options.chunk;
        let count = search.sizes(self.ir)[0];
        let form = |form: Form| Some(form.attr(&self.ctx));
        let [block, parts] = [form(Form::Block), form(Form::Parts)];
        let many = self.asked(op, InsertPoint::Before(op), count, ("bound", most + 1));
        if let Some(known) = crate::function::known_bool(self.ir, many) {
            self.ir
                .set_attr_named(op, "form", if known { parts } else { block });
            self.map_own(op);
            return self.segred(search);
        }
        let loc = self.ir.loc(op);
        let ty = self.ctx.index();
        let choice = scf::IfOp::build(&mut Builder::before(self.ir, op), many, &[ty]).op();
        let (found, chosen) = (self.ir.result(op, 0), self.ir.result(choice, 0));
        self.ir.replace_all_uses(found, chosen);
        let [then, otherwise] = [0, 1].map(|index| {
            let region = self.ir.region(choice, index);
            self.ir.add_block(region, &[])
        });
        let copy = Builder::at_end(self.ir, otherwise, loc).clone_op(op, &mut Mapping::new());
        self.ir.move_to_end(op, then);
        for (block, op, form) in [(then, op, parts), (otherwise, copy, block)] {
            let value = self.ir.result(op, 0);
            scf::YieldOp::build(&mut Builder::at_end(self.ir, block, loc), &[value]);
            self.ir.set_attr_named(op, "form", form);
            self.map_own(op);
            self.segred(SegRedOp::from_op(op))?;
        }
        Some(())
    }

    fn search(
        &mut self,
        op: Op,
        sizes: &[Value],
        body: Region,
        mut slice: Slice,
    ) -> Option<SegRedOp> {
        let old = self.ir.entry_block(body)?;
        let (point, loc) = (InsertPoint::Before(op), self.ir.loc(op));
        Some(largest(
            self.ir,
            (point, loc),
            sizes,
            |ir, block, indices| slice.emit_all(ir, (block, loc), old, indices),
        ))
    }

    /// The search where what extents need is computed by thread blocks: the largest array of each point, and the largest of
    /// those.
    fn search_by_blocks(
        &mut self,
        op: Op,
        sizes: &[Value],
        body: Region,
        mut slice: Slice,
    ) -> Option<SegRedOp> {
        let (ctx, loc) = (self.ctx.clone(), self.ir.loc(op));
        let old = self.ir.entry_block(body)?;
        let counts = ctx.memref(&vec![DYNAMIC; sizes.len()], ctx.index(), None);
        let level = Level::Block.attr(&ctx);
        let segmap = SegMapOp::builder()
            .level(level)
            .sizes(sizes)
            .results_types(&[counts])
            .build(&mut self.builder(op));
        let mapping = self.ir.attr_named(op, "mapping");
        self.ir.set_attr_named(segmap.op(), "mapping", mapping);
        let region = segmap.body(self.ir);
        let block = self.ir.add_block(region, &vec![ctx.index(); sizes.len()]);
        let indices = self.ir.block_args(block).to_vec();
        let most = slice.emit_all(self.ir, (block, loc), old, &indices);
        ReturnOp::build(&mut Builder::at_end(self.ir, block, loc), &[most]);
        let counted = segmap.results(self.ir)[0];
        let place = (InsertPoint::Before(op), loc);
        let search = largest(self.ir, place, sizes, |ir, block, indices| {
            Read::build(&mut Builder::at_end(ir, block, loc), counted, indices).result(ir)
        });
        self.segmap_of_blocks(segmap)?;
        Some(search)
    }
}

/// The largest of the numbers that `number` computes at the end of a block for all points of a space.
pub(super) fn largest(
    ir: &mut Ir,
    (point, loc): (InsertPoint, Loc),
    sizes: &[Value],
    number: impl FnOnce(&mut Ir, Block, &[Value]) -> Value,
) -> SegRedOp {
    let ctx = ir.context();
    let mut b = Builder::new(ir, point, loc);
    let points = crate::segmented::product(&mut b, sizes);
    let zero = constant(&mut b, 0);
    let search = SegRedOp::builder()
        .level(Level::Thread.attr(&ctx))
        .sizes(&[points])
        .neutral(&[zero])
        .results_types(&[ctx.index()])
        .build(&mut b);
    let region = search.body(ir);
    let block = ir.add_block(region, &[ctx.index()]);
    let at = ir.block_args(block)[0];
    let indices = unfold(&mut Builder::at_end(ir, block, loc), sizes, at);
    let found = number(ir, block, &indices);
    ReturnOp::build(&mut Builder::at_end(ir, block, loc), &[found]);
    let region = search.combine(ir);
    let block = ir.add_block(region, &[ctx.index(), ctx.index()]);
    let args = ir.block_args(block).to_vec();
    let mut b = Builder::at_end(ir, block, loc);
    let larger = arith::MaxSIOp::build(&mut b, args[0], args[1]).result(b.ir);
    ReturnOp::build(&mut b, &[larger]);
    search
}
