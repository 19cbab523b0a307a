//! Pass `contract-fma`: products that are added to something may be rounded once, with the sum.
//!
//! ```mlir
//! %p = arith.mulf %a, %b : f32                  %p = arith.mulf %a, %b fastmath<contract> : f32
//! %s = arith.addf %p, %c : f32          ==>     %s = arith.addf %p, %c fastmath<contract> : f32
//! ```
//! Upstream makes `fma.rn` of a product and a sum only where both say so. The result is then the exact product plus the
//! addend, rounded once: at least as near to the true value as two roundings.
//!
//! These become fused multiply-adds:
//! * by default, products that are added to or subtracted from what a loop accumulates, on either side of the sum and
//!   anywhere in a chain of sums (reductions may be rounded in any way);
//! * where the program itself says `fastmath<contract>` on a product and on every sum that uses it: anywhere;
//! * with `sums=all`: every product that is only added.
//!
//! Legality: products whose every use is a sum or difference, so that none is computed twice. Elsewhere a program may
//! decide by a difference in the last place, and would no longer do what the interpreter does. To be run before
//! `expand-math`, whose expansions rely on every rounding.

use segra_gpu::{device, host};
use segra_ir::{Attr, Ir, Op, OpView, ValueDef};
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};
use segra_std::{arith, scf};

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

const INFO: PassInfo = PassInfo {
    name: "contract-fma",
    summary: "let products and sums of floats become fused multiply-adds",
    reads: &["arith", "gpu"],
    writes: &["arith"],
    anchors: Anchors::Ops(&[device::GpuFuncOp::DEF.name, host::GpuModuleOp::DEF.name]),
};

impl Pass for ContractFma {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, module: Op, cx: &mut PassContext<'_>) -> PassResult {
        let mut changed = Changed::No;
        for product in ir.walk(module) {
            if !ir.isa::<arith::MulFOp>(product) || ir.attr_named(product, FLAGS).is_some() {
                continue;
            }
            let sums: Vec<Op> = ir.users(ir.result(product, 0)).collect();
            let is_sum = |&op: &Op| {
                (ir.isa::<arith::AddFOp>(op) || ir.isa::<arith::SubFOp>(op))
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

/// Most sums of a chain that are followed to what a loop carries.
const LONGEST_CHAIN: usize = 64;

/// Whether a sum adds to what a loop carries, by itself or at the end of a chain of sums: `((carried + a) + b) + c`.
fn accumulates(ir: &Ir, op: Op) -> bool {
    let block = ir.block_of(op);
    let is_sum = |op: Op| ir.isa::<arith::AddFOp>(op) || ir.isa::<arith::SubFOp>(op);
    let mut chain = vec![op];
    let mut followed = 0;
    while let Some(sum) = chain.pop() {
        followed += 1;
        if followed > LONGEST_CHAIN {
            return false;
        }
        for value in ir.operands(sum) {
            match ir.value_def(value) {
                ValueDef::Argument { block: of, .. } => {
                    let is_loop = |op: Op| ir.isa::<scf::ForOp>(op) || ir.isa::<scf::WhileOp>(op);
                    if ir.block_parent(of).is_some_and(is_loop) {
                        return true;
                    }
                }
                ValueDef::Result { op, .. } if ir.block_of(op) == block && is_sum(op) => {
                    chain.push(op)
                }
                ValueDef::Result { .. } => {}
            }
        }
    }
    false
}

/// Whether a sum has no flags but those of this pass.
fn flags_allow(ir: &Ir, op: Op) -> bool {
    ir.attr_named(op, FLAGS)
        .is_none_or(|flags| flags == contract(ir))
}

fn contract(ir: &Ir) -> Attr {
    arith::FastMath::CONTRACT.attr(ir.ctx())
}
