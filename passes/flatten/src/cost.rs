//! What flattening asks about ops of a nest: which are combinators, what holds parallelism, what is dear to repeat.

use segra_array::soac::{MapOp, RedomapOp, ReduceOp, ScanOp, ScanomapOp};
use segra_array::update::{HistOp, ScatterOp};
use segra_ir::interfaces::work_of;
use segra_ir::{Ir, Op, Region, Value};

/// Work up to which computing again is cheaper than a store, a load and a kernel: a handful of scalar ops.
const CHEAP: u64 = 8;

/// Whether `op` is a second-order combinator.
pub(crate) fn is_combinator(ir: &Ir, op: Op) -> bool {
    ir.isa::<MapOp>(op)
        || ir.isa::<ReduceOp>(op)
        || ir.isa::<RedomapOp>(op)
        || ir.isa::<ScanOp>(op)
        || ir.isa::<ScanomapOp>(op)
        || ir.isa::<ScatterOp>(op)
        || ir.isa::<HistOp>(op)
}

/// Whether `op` is, or has inside, a combinator.
pub(crate) fn has_parallelism(ir: &Ir, op: Op) -> bool {
    ir.walk(op).into_iter().any(|inner| is_combinator(ir, inner))
}

/// Whether a region has a combinator inside.
pub(crate) fn region_has_parallelism(ir: &Ir, region: Region) -> bool {
    ir.blocks(region).any(|block| ir.ops(block).any(|op| has_parallelism(ir, op)))
}

/// Whether computing `op` once more in another kernel costs more than reading a stored result.
pub(crate) fn is_dear(ir: &Ir, op: Op) -> bool {
    is_combinator(ir, op) || work_of(ir, op) > CHEAP
}

/// Values `op` uses from outside itself, its regions included.
pub(crate) fn free_values(ir: &Ir, op: Op, visit: &mut dyn FnMut(Value)) {
    for inner in ir.walk(op) {
        for value in ir.operands(inner) {
            let around = ir.value_block(value).and_then(|block| ir.block_parent(block));
            if !around.is_some_and(|parent| ir.is_inside(parent, op)) {
                visit(value);
            }
        }
    }
}
