//! Simplification of regions with several blocks: blocks control cannot reach are erased.

use segra_ir::dominance::reverse_post_order;
use segra_ir::{Block, Ir, Op, Region};

crate::option_enum! {
    /// How far regions are simplified between rounds of rewriting.
    pub enum RegionSimplification {
        /// Not at all.
        Disabled = "disabled",
        /// Unreachable blocks are erased.
        Normal = "normal",
    }
}

/// Erases the blocks of all regions inside `root` that control cannot reach. How many there were.
pub fn erase_unreachable_blocks(ir: &mut Ir, root: Op) -> usize {
    let mut regions: Vec<Region> = Vec::new();
    ir.walk_with(root, &mut |op| {
        let several = |region: &&Region| ir.blocks(**region).nth(1).is_some();
        regions.extend(ir.regions(op).iter().filter(several));
    });
    let mut erased = 0;
    // Inner regions first: an outer block that goes takes the inner ones along.
    for region in regions.into_iter().rev() {
        erased += erase_unreachable_in(ir, region);
    }
    erased
}

fn erase_unreachable_in(ir: &mut Ir, region: Region) -> usize {
    let Some(entry) = ir.entry_block(region) else { return 0 };
    let reached: rustc_hash::FxHashSet<Block> = reverse_post_order(ir, entry).into_iter().collect();
    let dead: Vec<Block> = ir.blocks(region).filter(|block| !reached.contains(block)).collect();
    // Dead blocks may use one another's values in any order: first drop all their uses.
    for &block in &dead {
        let ops: Vec<Op> = ir.ops(block).flat_map(|op| ir.walk(op)).collect();
        for op in ops {
            ir.set_operands(op, &[]);
        }
    }
    for &block in &dead {
        ir.erase_block(block);
    }
    dead.len()
}
