//! Reductions and scans of points that thread blocks do: the points first, then their values by threads.
//!
//! ```mlir
//! %r = kernel.segred block (%i < %n) init (%z : f32) -> (f32) {       %t = kernel.segmap block (%i < %n) -> (tensor<?xf32>) { A }
//!   A                                                         ==>   %r = kernel.segred thread (%i < %n) init (%z : f32) -> (f32) {
//! } combine (%a, %b) { B }                                              %x = tensor.extract %t[%i] ...
//!                                                                       kernel.return %x : f32
//!                                                                   } combine (%a, %b) { B }
//! ```
//!
//! Legality: any, as values are combined in the same order. Limits: points whose values are arrays stay as they are, and lowering says
//! so; the values of all points are in memory in between.

use segra_ir::{Builder, Ir, Op, Region, Type, Value};
use segra_kernel::access::Read;
use segra_kernel::level::Level;
use segra_kernel::segop::{ReturnOp, SegMapOp, SegRedOp, SegScanOp, SegmentedOp, tensor_over};

/// Splits the reductions and scans of a function that stand in no other op; says how many.
pub(super) fn split(ir: &mut Ir, function: Op) -> u64 {
    let mut split = 0;
    for op in super::outermost(ir, function) {
        if let Some((body, neutral)) = of_blocks(ir, op) {
            split_one(ir, op, body, &neutral);
            split += 1;
        }
    }
    split
}

/// The body of a reduction or a scan at level `block`, and the neutral values, all of them scalars.
fn of_blocks(ir: &Ir, op: Op) -> Option<(Region, Vec<Value>)> {
    let (level, body, neutral) = if let Some(red) = ir.cast::<SegRedOp>(op) {
        (red.level(ir), red.body(ir), red.neutral(ir))
    } else {
        let scan = ir.cast::<SegScanOp>(op)?;
        (scan.level(ir), scan.body(ir), scan.neutral(ir))
    };
    let scalars = neutral
        .iter()
        .all(|&value| ir.value_type(value).is_scalar(ir.ctx()));
    (level == Level::Block && scalars).then(|| (body, neutral.to_vec()))
}

fn split_one(ir: &mut Ir, op: Op, body: Region, neutral: &[Value]) {
    let ctx = ir.context();
    let sizes = ir
        .interface::<dyn SegmentedOp>(op)
        .map_or_else(Vec::new, |model| model.sizes(ir, op).to_vec());
    let types: Vec<Type> = neutral
        .iter()
        .map(|&value| tensor_over(&ctx, sizes.len(), ir.value_type(value)))
        .collect();
    let mut b = Builder::before(ir, op);
    let loc = b.loc;
    let points = SegMapOp::builder()
        .level(Level::Block.attr(&ctx))
        .sizes(&sizes)
        .results_types(&types)
        .build(&mut b);
    let moved = points.body(ir);
    ir.move_blocks(body, moved);
    let block = ir.add_block(body, &vec![ctx.index(); sizes.len()]);
    let indices = ir.block_args(block).to_vec();
    let mut b = Builder::at_end(ir, block, loc);
    let values: Vec<Value> = points
        .results(b.ir)
        .into_iter()
        .map(|tensor| Read::build(&mut b, tensor, &indices).result(b.ir))
        .collect();
    ReturnOp::build(&mut b, &values);
    let level = Level::Thread.attr(&ctx);
    ir.set_attr_named(op, "level", Some(level));
}
