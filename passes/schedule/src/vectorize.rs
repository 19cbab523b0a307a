//! Pass `vectorize`: where one thread takes several consecutive elements, and which reads go through shared memory.
//!
//! ```mlir
//! %ys = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
//!   %x = tensor.extract %xs[%i] : tensor<?xf32>
//! ==>
//! %ys = kernel.segmap thread vector 4 (%i < %n) -> (tensor<?xf32>) {
//!   %x = tensor.extract %xs[%i] {kernel.vector} : tensor<?xf32>
//! ```
//! [`segra_kernel::vector`] says which ops and reads are marked. This pass adds a function's knowledge of extents:
//! what arrays are made as large as, and which sizes its asserts prove equal. An innermost extent that is known so is
//! written as a constant.
//!
//! Legality: ops that are no part of another segmented op. Marks that are there stay; maps that are to take single points (`single`)
//! get none.

use crate::equal::Equal;
use crate::forms::outermost;
use segra_ir::{Builder, Ir, Op, Value};
use segra_kernel::access::Checks;
use segra_kernel::level::Level;
use segra_kernel::segop::SegmentedOp;
use segra_kernel::vector::{Accesses, Policy, SINGLE, mark_accesses};
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};
use segra_std::arith::index;

segra_pass::pass_options! {
    /// The pass `vectorize`.
    pub struct Vectorize {
        /// Whether a thread takes several consecutive elements at once.
        pub accesses: Accesses = Accesses::Wide,
        /// Whether kernels check the indices that the program gives: bodies that do are done one element at a time.
        pub checks: Checks = Checks::On,
    }
}

impl Pass for Vectorize {
    fn info(&self) -> &'static PassInfo {
        &PassInfo {
            name: "vectorize",
            summary: "choose where a thread takes several elements at once, and what is read by way of shared memory",
            reads: &["kernel"],
            writes: &["arith", "kernel"],
            anchors: Anchors::Ops(&["func.func"]),
        }
    }

    fn run(&self, ir: &mut Ir, function: Op, cx: &mut PassContext<'_>) -> PassResult {
        let equal = Equal::of(ir, function);
        let mut changed = Changed::No;
        for op in outermost(ir, function) {
            let Some(model) = ir.interface::<dyn SegmentedOp>(op) else {
                continue;
            };
            if model.level(ir, op) != Level::Thread || ir.attr_named(op, SINGLE).is_some() {
                continue;
            }
            let sizes = model.sizes(ir, op);
            write_innermost(ir, op, &sizes, &equal);
            let policy = Policy {
                are_equal: &|ir, array, dim, size| equal.has(ir, array, dim, size),
                checks: self.checks,
                accesses: self.accesses,
            };
            if mark_accesses(ir, op, &policy) {
                cx.count("ops with several elements at once", 1);
                changed = Changed::Yes;
            }
        }
        Ok(Outcome::of(changed))
    }
}

/// The innermost extent as a constant, where it is known.
fn write_innermost(ir: &mut Ir, op: Op, sizes: &[Value], equal: &Equal) {
    let Some((&inner, outer)) = sizes.split_last() else {
        return;
    };
    if ir.constant_int(inner).is_none()
        && let Some(known) = equal.constant(ir, inner)
    {
        let constant = index::constant(&mut Builder::before(ir, op), known);
        ir.set_operand(op, outer.len(), constant);
    }
}
