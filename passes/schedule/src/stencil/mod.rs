//! Pass `schedule-stencils`: how points that read their neighbours are run.
//!
//! Reads of neighbours become reads and index arithmetic by their rule.
//!
//! Legality: always.

use segra_ir::{Builder, Ir, Op, OpView};
use segra_kernel::near::NearOp;
use segra_pass::{
    Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options,
};
use segra_std::builtin;

pass_options! {
    /// The pass `schedule-stencils`.
    pub struct ScheduleStencils {}
}

const INFO: PassInfo = PassInfo {
    name: "schedule-stencils",
    summary: "decide how points that read their neighbours are run",
    reads: &["kernel", "scf"],
    writes: &["arith", "kernel", "scf"],
    anchors: Anchors::Ops(&[builtin::ModuleOp::DEF.name]),
};

impl Pass for ScheduleStencils {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, module: Op, cx: &mut PassContext<'_>) -> PassResult {
        let resolved = resolve(ir, module);
        cx.count("reads of neighbours", resolved);
        Ok(Outcome::of(Changed::when(resolved > 0)))
    }
}

/// Makes reads of neighbours plain reads. How many there are.
fn resolve(ir: &mut Ir, around: Op) -> u64 {
    let mut resolved = 0;
    for op in ir.walk(around) {
        let Some(near) = ir.cast::<NearOp>(op) else {
            continue;
        };
        let mut b = Builder::before(ir, op);
        let value = near.resolve(&mut b);
        ir.replace_op(near.op(), &[value]);
        resolved += 1;
    }
    resolved
}
