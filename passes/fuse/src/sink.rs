//! Into branches: what only one branch uses is computed there, and so only where that branch is taken.
//!
//! ```text
//! %ys = array.map (%x in %xs) { f }              scf.if %c {
//! scf.if %c { array.reduce (%ys) }          =>     %ys = array.map (%x in %xs) { f }
//!                                                  array.reduce (%ys) }
//! ```
//!
//! Conditions: the op is one of the array dialect, has no effect and cannot stop the program; all its uses are inside one
//! region of one op of its block that runs each region at most once. Loops and bodies of combinators, which run more
//! often, never take anything in: what they use and does not change is computed once, before them.

use segra_ir::interfaces::{is_pure, is_speculatable, region_edges};
use segra_ir::{Block, Ir, Op, Region};

/// Moves ops of a block into branches; how many.
pub(crate) fn sink_block(ir: &mut Ir, block: Block) -> u64 {
    let mut moved = 0;
    let mut next = ir.last_op(block);
    // Backwards: what feeds a moved op follows it.
    while let Some(op) = next {
        next = ir.prev_op(op);
        if let Some(first) = target(ir, block, op) {
            ir.move_before(op, first);
            moved += 1;
        }
    }
    moved
}

/// The first op of the only region that uses `op`'s results.
fn target(ir: &Ir, block: Block, op: Op) -> Option<Op> {
    if !ir.op_name_str(op).starts_with("array.") || ir.num_results(op) == 0 {
        return None;
    }
    let mut only: Option<Region> = None;
    for user in ir.results(op).flat_map(|result| ir.users(result)) {
        let region = branch_around(ir, block, user)?;
        if only.is_some_and(|only| only != region) {
            return None;
        }
        only = Some(region);
    }
    let region = only.filter(|_| is_pure(ir, op) && is_speculatable(ir, op))?;
    let branch = ir.region_parent(region)?;
    if !runs_once(ir, branch) || ir.blocks(region).count() != 1 {
        return None;
    }
    ir.first_op(ir.entry_block(region)?)
}

/// The region of an op of `block` that `user` is in.
fn branch_around(ir: &Ir, block: Block, user: Op) -> Option<Region> {
    let mut inner = ir.block_of(user)?;
    while inner != block {
        let region = ir.block_region(inner)?;
        let parent = ir.region_parent(region)?;
        inner = ir.block_of(parent)?;
        if inner == block {
            return Some(region);
        }
    }
    None
}

/// Whether an op runs each of its regions at most once.
fn runs_once(ir: &Ir, op: Op) -> bool {
    let Some(edges) = region_edges(ir, op) else {
        return false;
    };
    edges.iter().all(|edge| {
        edge.from == op || matches!(edge.to, segra_ir::interfaces::RegionSuccessor::Parent)
    })
}
