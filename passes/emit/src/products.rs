//! Products of warpgroups and copies of tiles, in a form that upstream reads.
//!
//! ```mlir
//! %d:64 = gpu.warpgroup_mma %as[%i], %bs[%j] add %c0, ..., %c63 {columns = 128 : i64, ...}
//!   ==>
//! %d:64 = builtin.unrealized_conversion_cast %as, %i, %bs, %j, %c0, ..., %c63 {segra.warpgroup_mma, segra.columns = 128 : i64, ...}
//! ```
//! of which `segra-ptx` makes instructions; so is `gpu.warpgroup_wait`, marked `segra.warpgroup_wait`, and so are copies of tiles
//! and barriers in shared memory ([`segra_gpu::bulk`]), each with a result that nobody uses, as upstream's cast has at least one.
//! Done on a copy of the program as the last step, behind which no pass of Segra takes the cast to do nothing.

use segra_gpu::bulk::{
    BulkCopyOp, MbarrierArriveOp, MbarrierInitOp, MbarrierWaitOp, WarpBarrierOp,
};
use segra_gpu::warpgroup::{WarpgroupMmaOp, WarpgroupWaitOp};
use segra_ir::{Builder, Ir, Op, OpView};
use segra_std::builtin::UnrealizedConversionCastOp;

/// Writes products and copies of tiles in upstream's ops.
pub(crate) fn for_upstream(ir: &mut Ir, modules: &[Op]) {
    for &module in modules {
        for op in ir.walk(module) {
            if let Some(mark) = mark(ir, op) {
                cast(ir, op, mark);
            }
        }
    }
}

/// Whether a module has products, or copies of tiles.
pub(crate) fn by_address(ir: &Ir, module: Op) -> bool {
    let mut ops = ir.walk(module).into_iter();
    ops.any(|op| ir.isa::<WarpgroupMmaOp>(op) || ir.isa::<BulkCopyOp>(op))
}

/// The mark of the cast that an op becomes, if it is one of them; other attributes of casts begin with `segra.`, too.
fn mark(ir: &Ir, op: Op) -> Option<&'static str> {
    let marks = [
        (ir.isa::<WarpgroupMmaOp>(op), "segra.warpgroup_mma"),
        (ir.isa::<WarpgroupWaitOp>(op), "segra.warpgroup_wait"),
        (ir.isa::<BulkCopyOp>(op), "segra.bulk_copy"),
        (ir.isa::<MbarrierInitOp>(op), "segra.mbarrier_init"),
        (ir.isa::<MbarrierArriveOp>(op), "segra.mbarrier_arrive"),
        (ir.isa::<MbarrierWaitOp>(op), "segra.mbarrier_wait"),
        (ir.isa::<WarpBarrierOp>(op), "segra.warp_barrier"),
    ];
    marks.into_iter().find(|row| row.0).map(|row| row.1)
}

fn cast(ir: &mut Ir, op: Op, mark: &str) {
    let operands: Vec<_> = ir.operands(op).collect();
    let mut types: Vec<_> = ir.results(op).map(|result| ir.value_type(result)).collect();
    let ctx = ir.context();
    if types.is_empty() {
        types.push(ctx.i1());
    }
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
    let all = b.ir.num_results(op);
    let results: Vec<_> = b.ir.results(cast).take(all).collect();
    ir.replace_op(op, &results);
}
