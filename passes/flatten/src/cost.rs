//! What flattening asks about ops of a nest: which are combinators, what holds parallelism, what is dear to repeat.

use segra_array::combinator::is_combinator;
use segra_ir::interfaces::work_of;
use segra_ir::{Block, Ir, Op, Region};

/// Work up to which computing again is cheaper than a store, a load and a kernel: a handful of scalar ops.
const CHEAP: u64 = 8;

/// Whether `op` is, or has inside, a combinator.
pub(crate) fn has_parallelism(ir: &Ir, op: Op) -> bool {
    ir.walk(op)
        .into_iter()
        .any(|inner| is_combinator(ir, inner))
}

/// Whether a block has a combinator inside.
pub(crate) fn block_has_parallelism(ir: &Ir, block: Block) -> bool {
    ir.ops(block).any(|op| has_parallelism(ir, op))
}

/// Whether a region has a combinator inside.
pub(crate) fn region_has_parallelism(ir: &Ir, region: Region) -> bool {
    ir.blocks(region)
        .any(|block| block_has_parallelism(ir, block))
}

/// Whether computing `op` once more in another kernel costs more than reading a stored result.
pub(crate) fn is_dear(ir: &Ir, op: Op) -> bool {
    is_combinator(ir, op) || work_of(ir, op) > CHEAP
}
