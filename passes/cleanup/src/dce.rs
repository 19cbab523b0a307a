//! `dce`: erases every op nothing observable depends on.
//!
//! ```text
//! %0 = memref.load %m[%i]                      memref.store %x, %m[%i]
//! %1 = arith.addf %0, %x            ->         func.return
//! scf.for ... { %2 = arith.mulf %x, %x }
//! memref.store %x, %m[%i]
//! func.return
//! ```
//! An op is live if its own effects can be observed (it writes, frees, orders, or they are unknown), if it is a symbol,
//! if a live op uses one of its results, if a live op is inside it, or if it ends a block of a live op. All others go,
//! also where they only use one another (which folding one op at a time never finds).
//! A block argument no live op uses goes, with what branches hand to it.
//! Limits: results of live ops and arguments of entry blocks stay, used or not; allocations that are only written stay.

use segra_ir::{Ir, Op};
use segra_pass::rewrite::{Swept, erase_dead};
use segra_pass::{Anchors, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options};

pass_options! {
    /// The pass `dce`.
    pub struct Dce {}
}

const INFO: PassInfo = PassInfo {
    name: "dce",
    summary: "erase ops nothing observable depends on",
    reads: &["*"],
    writes: &[],
    anchors: Anchors::Any,
};

impl Pass for Dce {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let swept = erase_dead(ir, op);
        cx.count("ops erased", swept.ops);
        cx.count("block arguments erased", swept.args);
        Ok(if swept == Swept::default() {
            Outcome::unchanged()
        } else {
            Outcome::changed()
        })
    }
}
