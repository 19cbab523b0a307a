//! Pass `choose-mapping`: which thread block and thread runs which index, by a strategy.
//!
//! ```mlir
//! %ys = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {...}
//! ==>
//! %ys = kernel.segmap thread (%i < %n, %j < %m)
//!     mapping #kernel.mapping<GridBlock(1, SplitLast(256, FoldLast2(ShiftLB(Gen))))> -> (tensor<?x?xf32>) {...}
//! ```
//! Source: index-space combinators paper (Janssen and Scholz 2021), section 7: strategies infer the pragmas that a program
//! does not have. [`segra_kernel::mapping`] says what is mapped of which op; [`segra_space::Strategy`] has the strategies.
//! Where a strategy has no mapping for a space, or one that the hardware provably cannot launch, all dimensions are
//! folded. A mapping that an op has is kept: it is the user's.
//!
//! Legality: a mapping runs every index once ([`segra_space::Mapping`]), so any that the op's verifier accepts is right. Ops
//! whose form says who runs what, and maps that run in rounds because the memory of their points is bounded, get none.

use crate::forms::outermost;
use segra_ir::{Ir, Op};
use segra_kernel::mapping::{choose, mapping_of};
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};
use segra_space::{BlockSize, Strategy};

segra_pass::pass_options! {
    /// The pass `choose-mapping`.
    pub struct ChooseMapping {
        /// How spaces are mapped that have no mapping: `fold-all`, `jing`, `jing-ext`, or a chain of combinators for those it
        /// fits.
        pub strategy: String = "fold-all".to_owned(),
    }
}

impl Pass for ChooseMapping {
    fn info(&self) -> &'static PassInfo {
        &PassInfo {
            name: "choose-mapping",
            summary: "choose which thread block and thread runs which index",
            reads: &["kernel"],
            writes: &["kernel"],
            anchors: Anchors::Ops(&["func.func"]),
        }
    }

    fn run(&self, ir: &mut Ir, function: Op, cx: &mut PassContext<'_>) -> PassResult {
        let strategy: Strategy = match self.strategy.parse() {
            Ok(strategy) => strategy,
            Err(error) => return Err(cx.fail(ir, function, format!("option strategy: {error}"))),
        };
        let fold = Strategy::FoldAll(BlockSize::Automatic);
        let mut changed = Changed::No;
        for op in outermost(ir, function) {
            if mapping_of(ir, op).is_some() {
                continue;
            }
            match choose(ir, op, &[&strategy, &fold]) {
                Ok(None) => {}
                Ok(Some(mapping)) => {
                    let attr = mapping.attr(ir.ctx());
                    ir.set_attr_named(op, "mapping", Some(attr));
                    cx.count("ops mapped", 1);
                    changed = Changed::Yes;
                }
                Err(error) => {
                    return Err(cx.fail(ir, op, format!("cannot be mapped to a grid: {error}")));
                }
            }
        }
        Ok(Outcome::of(changed))
    }
}
