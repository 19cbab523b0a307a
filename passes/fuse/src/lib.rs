//! `fuse`: array combinators that feed each other, or read the same arrays, become one.
//!
//! ```text
//! %ys = array.map (%x in %xs) { f }                  %s = array.redomap (%x in %xs) init (...) map { f }
//! %s = array.reduce (%y in %ys) init (...) {op}  =>      combine (...) {op}
//! ```
//!
//! Rules, for combinators of one block:
//! * producer and consumer [`vertical`]: a map into a map, reduce or redomap that reads its results; a redomap into one
//!   that reads the arrays it returns beside. The producer goes where the consumer is. If its results are used elsewhere too, and only after the consumer, the fused op returns them as
//!   well; otherwise (a use before the consumer, or in its body) nothing is fused: no work is ever done twice.
//! * views between them [`views`]: an input that is a replicated value is the value itself; a rearrange that keeps the
//!   outermost dimension moves into the body, so that what is behind it can be fused.
//! * neighbours [`horizontal`]: two maps, or two reductions, that share an input and do not depend on each other share
//!   one traversal.
//!
//! Legality: combinators are pure, so moving one to a later place in its block keeps its value. Not done: what has
//! parallelism inside is not fused with a reduction, where that parallelism would be lost; scans as consumers; moving
//! producers into loops and branches.
//!
//! Linear: every fusion removes one op of the block.

mod horizontal;
mod soac;
mod vertical;
mod views;

use segra_ir::{Block, Ir, Op};
use segra_pass::{Anchors, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options};

pass_options! {
    /// The pass `fuse`.
    #[derive(Copy)]
    pub struct Fuse {
        /// Whether neighbours that read the same arrays become one.
        pub horizontal: bool = true,
    }
}

const INFO: PassInfo = PassInfo {
    name: "fuse",
    summary: "make one of array combinators that feed or neighbour each other",
    reads: &["array"],
    writes: &["array"],
    anchors: Anchors::Any,
};

impl Pass for Fuse {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let mut fused = 0;
        // Outer blocks first: what is fused there brings bodies together.
        let mut pending = vec![op];
        while let Some(op) = pending.pop() {
            let blocks: Vec<Block> = ir
                .regions(op)
                .to_vec()
                .into_iter()
                .flat_map(|region| ir.blocks(region).collect::<Vec<_>>())
                .collect();
            for block in blocks {
                fused += vertical::fuse_block(ir, block);
                if self.horizontal {
                    fused += horizontal::fuse_block(ir, block);
                }
                pending.extend(ir.ops(block).filter(|&inner| !ir.regions(inner).is_empty()));
            }
        }
        cx.count("combinators fused", fused);
        Ok(if fused == 0 { Outcome::unchanged() } else { Outcome::changed() })
    }
}
