//! `mem2reg`: memory that only ever holds one value at a time, read and written directly, becomes that value.
//!
//! ```text
//! %m = memref.alloca() : memref<i32>              %r = scf.if %c -> (i32) {
//! memref.store %x, %m[] : memref<i32>               scf.yield %y : i32
//! scf.if %c {                                     } else {
//!   memref.store %y, %m[] : memref<i32>    ->       scf.yield %x : i32
//! }                                               }
//! %v = memref.load %m[] : memref<i32>             "use"(%r)
//! "use"(%v)
//! ```
//! Between blocks values go through block arguments, where different stores meet (on the iterated dominance frontier of
//! the stores, as far as a load is reached: Cytron et al., Efficiently computing static single assignment form, 1991).
//! Through structured ops (`RegionBranch`) they are carried like the values the op carries already.
//! Legality: every use of the slot is an access that says it needs no memory (`PromotableAccess`); branches where values
//! meet say what they forward; structured ops that store can carry a further value.
//! Limits: slots of one element; memory that is passed on, viewed or compared stays.

mod promote;

use segra_ir::interfaces::{MemorySlot, PromotableAllocation};
use segra_ir::{Ir, Op};
use segra_pass::rewrite::{RegionSimplification, simplify_regions};
use segra_pass::{Anchors, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options};

pass_options! {
    /// The pass `mem2reg`; options are named as upstream's.
    pub struct Mem2Reg {
        /// Whether regions are simplified where something became a value.
        pub region_simplify: bool = false,
    }
}

const INFO: PassInfo = PassInfo {
    name: "mem2reg",
    summary: "turn memory that only holds one value at a time into values",
    reads: &["*"],
    writes: &["*"],
    anchors: Anchors::Any,
};

impl Pass for Mem2Reg {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let mut slots: Vec<(Op, MemorySlot)> = Vec::new();
        ir.walk_with(op, &mut |inner| {
            if let Some(model) = ir.interface::<dyn PromotableAllocation>(inner) {
                slots.extend(model.slots(ir, inner).into_iter().map(|slot| (inner, slot)));
            }
        });
        let mut promoted = 0;
        let mut cfgs = promote::Cfgs::default();
        // Memory whose address lay in a slot that is a value now may be a slot, too.
        let mut found = true;
        while std::mem::take(&mut found) {
            slots.retain(|&(allocation, slot)| {
                let done = promote::promote(ir, &mut cfgs, allocation, slot);
                promoted += u64::from(done);
                found |= done;
                !done
            });
        }
        cx.count("slots promoted", promoted);
        if promoted == 0 {
            return Ok(Outcome::unchanged());
        }
        if self.region_simplify {
            simplify_regions(ir, op, RegionSimplification::Normal);
        }
        Ok(Outcome::changed())
    }
}
