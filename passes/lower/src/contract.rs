//! Pass `contract-fma`: products that are added to something may be rounded once, with the sum.
//!
//! ```mlir
//! %p = arith.mulf %a, %b : f32                  %p = arith.mulf %a, %b fastmath<contract> : f32
//! %s = arith.addf %p, %c : f32          ==>     %s = arith.addf %p, %c fastmath<contract> : f32
//! ```
//! Upstream makes `fma.rn` of a product and a sum only where both say so. The result is then the exact product plus the
//! addend, rounded once: at least as near to the true value as two roundings.
//!
//! Legality: products whose every use is a sum or difference, so that none is computed twice. By default only sums that a
//! loop accumulates (reductions may be rounded in any way); elsewhere a program may decide by a difference in the last
//! place, and would no longer do what the interpreter does. To be run before `expand-math`, whose expansions rely on
//! every rounding.

use segra_ir::{Attr, Ir, Op, ValueDef};
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};

segra_pass::option_enum! {
    /// Which sums may be contracted with products.
    pub enum Sums {
        /// Those that a loop accumulates.
        Accumulated = "accumulated",
        /// All of them.
        All = "all",
    }
}

segra_pass::pass_options! {
    /// The pass `contract-fma`.
    #[derive(Copy)]
    pub struct ContractFma {
        /// Which sums may be contracted with products.
        pub sums: Sums = Sums::Accumulated,
    }
}

impl Pass for ContractFma {
    fn info(&self) -> &'static PassInfo {
        &PassInfo {
            name: "contract-fma",
            summary: "let products and sums of floats become fused multiply-adds",
            reads: &["arith", "gpu"],
            writes: &["arith"],
            anchors: Anchors::Ops(&["gpu.module"]),
        }
    }
    fn run(&self, ir: &mut Ir, module: Op, cx: &mut PassContext<'_>) -> PassResult {
        let mut changed = Changed::No;
        for product in ir.walk(module) {
            if ir.op_name_str(product) != "arith.mulf" || ir.attr_named(product, FLAGS).is_some() {
                continue;
            }
            let sums: Vec<Op> = ir.users(ir.result(product, 0)).collect();
            let is_sum = |&op: &Op| {
                matches!(ir.op_name_str(op), "arith.addf" | "arith.subf")
                    && flags_allow(ir, op)
                    && (self.sums == Sums::All || accumulates(ir, op))
            };
            if sums.is_empty() || !sums.iter().all(is_sum) {
                continue;
            }
            let flags = contract(ir);
            for op in sums.into_iter().chain([product]) {
                ir.set_attr_named(op, FLAGS, Some(flags));
            }
            cx.count("products contracted", 1);
            changed = Changed::Yes;
        }
        Ok(Outcome::of(changed))
    }
}

const FLAGS: &str = "fastmath";

/// Whether a sum adds to what a loop carries.
fn accumulates(ir: &Ir, op: Op) -> bool {
    ir.operands(op).next().is_some_and(|first| match ir.value_def(first) {
        ValueDef::Argument { block, .. } => {
            ir.block_parent(block).is_some_and(|parent| ir.op_name_str(parent) == "scf.for")
        }
        ValueDef::Result { .. } => false,
    })
}

/// Whether a sum has no flags but those of this pass.
fn flags_allow(ir: &Ir, op: Op) -> bool {
    ir.attr_named(op, FLAGS).is_none_or(|flags| flags == contract(ir))
}

fn contract(ir: &Ir) -> Attr {
    segra_std::arith::FastMath::CONTRACT.attr(ir.ctx())
}
