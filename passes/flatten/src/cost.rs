//! Questions of flattening about ops of a nest: which are combinators, hold parallelism, are expensive to repeat.

use segra_array::combinator::{Flavour, Soac, is_combinator};
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

/// Whether a block is scalar code, or nothing but a map and cheap ops beside: the two maps are a perfect nest. Then one
/// context over both has every parallelism there is, without an array between, and no version is better: fewer threads
/// would do the same work, each reading a row. The inside of the inner map has versions of its own.
pub(crate) fn is_perfect_nest(ir: &Ir, block: Block) -> bool {
    let ops: Vec<Op> = ir.ops(block).collect();
    let (inner, beside): (Vec<Op>, Vec<Op>) = ops.iter().partition(|&&op| is_combinator(ir, op));
    if beside.iter().any(|&op| has_parallelism(ir, op)) {
        return false;
    }
    let &[op] = inner.as_slice() else {
        return inner.is_empty();
    };
    let is_map = Soac::of(ir, op).is_some_and(|map| map.flavour == Flavour::Map);
    let yields = ops.last().map(|&last| ir.operands(last));
    let only = yields.is_some_and(|mut all| all.all(|value| ir.defining_op(value) == Some(op)));
    is_map && only && !beside.iter().any(|&op| is_expensive(ir, op))
}

/// How many combinators lie in one another, at most, in a block.
pub(crate) fn levels_inside(ir: &Ir, block: Block) -> usize {
    // An explicit stack: nesting depth is the input's, not the host stack's.
    let (mut most, mut pending) = (0, vec![(block, 0)]);
    while let Some((block, levels)) = pending.pop() {
        most = most.max(levels);
        for op in ir.ops(block) {
            let levels = levels + usize::from(is_combinator(ir, op));
            let regions = ir.regions(op).iter();
            pending.extend(regions.flat_map(|&at| ir.blocks(at)).map(|at| (at, levels)));
        }
    }
    most
}

/// Whether computing `op` once more in another kernel costs more than reading a stored result.
pub(crate) fn is_expensive(ir: &Ir, op: Op) -> bool {
    is_combinator(ir, op) || work_of(ir, op) > CHEAP
}
