//! Liveness: which values are still used where a block begins and ends, and after an op.
//!
//! Along control flow between blocks; what an op with regions uses inside counts as used by the op. Computed per region
//! with several blocks when first asked for; valid until ops, operands or blocks change.

use super::Analysis;
use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::dominance::block_successors;
use segra_ir::{Block, Ir, Op, Region, Value};

/// Values alive at the edges of one block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockLiveness {
    /// Values defined elsewhere that are used in the block or after it.
    pub live_in: FxHashSet<Value>,
    /// Values that are used after the block.
    pub live_out: FxHashSet<Value>,
}

/// Liveness of values, region by region.
#[derive(Clone, Debug, Default)]
pub struct Liveness {
    blocks: FxHashMap<Block, BlockLiveness>,
    done: FxHashSet<Region>,
}

impl Analysis for Liveness {
    fn compute(_: &Ir, _: Op) -> Liveness {
        Liveness::default()
    }
}

impl Liveness {
    /// The values live at the edges of a block.
    pub fn block(&mut self, ir: &Ir, block: Block) -> &BlockLiveness {
        if let Some(region) = ir.block_region(block)
            && self.done.insert(region)
        {
            self.solve(ir, region);
        }
        self.blocks.entry(block).or_default()
    }
    /// Whether nothing uses `value` after `op`, which is in the block that defines it or behind that.
    pub fn is_dead_after(&mut self, ir: &Ir, value: Value, op: Op) -> bool {
        let Some(block) = ir.block_of(op) else {
            return true;
        };
        if self.block(ir, block).live_out.contains(&value) {
            return false;
        }
        // The last use in this block, seen from the ops directly in it.
        ir.users(value).all(|user| {
            let at = ir
                .ancestors(user)
                .find(|&above| ir.block_of(above) == Some(block));
            at.is_none_or(|at| at == op || ir.is_before(at, op))
        })
    }

    fn solve(&mut self, ir: &Ir, region: Region) {
        let mut defined: FxHashMap<Block, FxHashSet<Value>> = FxHashMap::default();
        let mut preds: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
        let mut pending: Vec<Block> = Vec::new();
        for block in ir.blocks(region) {
            let (own, used) = (definitions(ir, block), uses(ir, block));
            let live_in: FxHashSet<Value> = used
                .into_iter()
                .filter(|value| !own.contains(value))
                .collect();
            for &to in block_successors(ir, block) {
                preds.entry(to).or_default().push(block);
            }
            defined.insert(block, own);
            self.blocks.insert(
                block,
                BlockLiveness {
                    live_in,
                    live_out: FxHashSet::default(),
                },
            );
            pending.push(block);
        }
        // Backwards from uses to definitions until nothing changes.
        while let Some(block) = pending.pop() {
            let live: Vec<Value> = self.blocks[&block].live_in.iter().copied().collect();
            for &pred in preds.get(&block).map_or(&[][..], Vec::as_slice) {
                let Some(row) = self.blocks.get_mut(&pred) else {
                    continue;
                };
                let mut changed = false;
                for &value in &live {
                    row.live_out.insert(value);
                    changed |= !defined[&pred].contains(&value) && row.live_in.insert(value);
                }
                if changed {
                    pending.push(pred);
                }
            }
        }
    }
}

/// Values defined in a block, inside its ops too.
fn definitions(ir: &Ir, block: Block) -> FxHashSet<Value> {
    let mut defined: FxHashSet<Value> = ir.block_args(block).iter().copied().collect();
    for op in ir.ops(block) {
        ir.walk_with(op, &mut |inner| {
            defined.extend(ir.results(inner));
            let blocks = ir
                .regions(inner)
                .iter()
                .flat_map(|&region| ir.blocks(region));
            defined.extend(blocks.flat_map(|block| ir.block_args(block).iter().copied()));
        });
    }
    defined
}

fn uses(ir: &Ir, block: Block) -> FxHashSet<Value> {
    let mut used = FxHashSet::default();
    for op in ir.ops(block) {
        ir.walk_with(op, &mut |inner| used.extend(ir.operands(inner)));
    }
    used
}
