//! Products of warpgroups, in a form that upstream reads.
//!
//! ```mlir
//! %d:64 = gpu.warpgroup_mma %as[%i], %bs[%j] add %c0, ..., %c63 {columns = 128 : i64, ...}
//!   ==>
//! %d:64 = builtin.unrealized_conversion_cast %as, %i, %bs, %j, %c0, ..., %c63 {segra.warpgroup_mma, segra.columns = 128 : i64, ...}
//! ```
//! of which `segra-ptx` makes instructions; so is `gpu.warpgroup_wait`, marked `segra.warpgroup_wait`. Done on a copy of the program as the last step, behind which no pass of Segra takes
//! the cast to do nothing.

use segra_gpu::warpgroup::{WarpgroupMmaOp, WarpgroupWaitOp};
use segra_ir::{Builder, Ir, Op, OpView};
use segra_std::builtin::UnrealizedConversionCastOp;

/// Marks of such casts, of products and of waits; their other attributes begin with `segra.`, too.
const PRODUCT: &str = "segra.warpgroup_mma";
const WAIT: &str = "segra.warpgroup_wait";

/// Writes products in upstream's ops.
pub(crate) fn for_upstream(ir: &mut Ir, modules: &[Op]) {
    for &module in modules {
        let waits: Vec<Op> = ir
            .walk(module)
            .into_iter()
            .filter(|&op| ir.isa::<WarpgroupWaitOp>(op))
            .collect();
        for op in waits {
            cast(ir, op, WAIT);
        }
        for op in found(ir, module) {
            cast(ir, op, PRODUCT);
        }
    }
}

/// The products of a module.
pub(crate) fn found(ir: &Ir, module: Op) -> Vec<Op> {
    let mut ops = ir.walk(module);
    ops.retain(|&op| ir.isa::<WarpgroupMmaOp>(op));
    ops
}

fn cast(ir: &mut Ir, op: Op, mark: &str) {
    let operands: Vec<_> = ir.operands(op).collect();
    let types: Vec<_> = ir.results(op).map(|result| ir.value_type(result)).collect();
    let ctx = ir.context();
    let attributes: Vec<_> = ctx
        .entries(ir.properties(op))
        .iter()
        .map(|(name, value)| (format!("segra.{}", ctx.str(*name)), *value))
        .collect();
    let mut b = Builder::before(ir, op);
    let cast = UnrealizedConversionCastOp::builder()
        .inputs(&operands)
        .outputs_types(&types)
        .build(&mut b)
        .op();
    let unit = b.ctx().unit();
    b.ir.set_attr_named(cast, mark, Some(unit));
    for (name, value) in attributes {
        b.ir.set_attr_named(cast, &name, Some(value));
    }
    let results: Vec<_> = b.ir.results(cast).collect();
    ir.replace_op(op, &results);
}
