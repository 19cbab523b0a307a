//! Simplification of regions, as far as one likes: unreachable blocks, dead values, chains of blocks, equal blocks.

use super::blocks::{
    drop_redundant_args, join_successors, merge_identical, merge_into_predecessors,
    propagate_decisions, skip_pass_through,
};
use super::dead_values::LiveValues;
use super::units::{for_each_unit, walk_unit};
use segra_ir::dominance::reverse_post_order;
use segra_ir::entity::NearSet;
use segra_ir::{Block, Ir, Op, Region};

crate::option_enum! {
    /// How far regions are simplified between rounds of rewriting.
    pub enum RegionSimplification {
        /// Not at all.
        Disabled = "disabled",
        /// Unreachable blocks, dead values and chains of blocks go.
        Normal = "normal",
        /// Also equal blocks become one, and arguments that always get the same value go.
        Aggressive = "aggressive",
    }
}

/// The changes of regions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegionChanges {
    /// Unreachable blocks erased.
    pub unreachable: u64,
    /// Blocks merged, into a predecessor or an equal one, and branches redirected.
    pub merged: u64,
    /// Blocks in which what a branch decided on became a constant.
    pub decided: u64,
    /// Block arguments dropped.
    pub args: u64,
    /// Dead ops erased.
    pub dead_ops: u64,
}

impl RegionChanges {
    /// Counts these changes too.
    pub fn add(&mut self, other: RegionChanges) {
        self.unreachable += other.unreachable;
        self.merged += other.merged;
        self.decided += other.decided;
        self.args += other.args;
        self.dead_ops += other.dead_ops;
    }
    /// All of them.
    pub fn total(&self) -> u64 {
        self.unreachable + self.merged + self.decided + self.args + self.dead_ops
    }
}

/// Simplifies all regions inside `root`, inner ones first.
pub fn simplify_regions(ir: &mut Ir, root: Op, how: RegionSimplification) -> RegionChanges {
    let (mut live, mut changes) = (LiveValues::new(ir), RegionChanges::default());
    for_each_unit(ir, root, &mut |ir, unit| {
        changes.add(simplify_unit(ir, unit, how, &mut live));
    });
    changes
}

/// As [`simplify_regions`], for the regions of one unit.
pub(crate) fn simplify_unit(
    ir: &mut Ir,
    unit: Op,
    how: RegionSimplification,
    live: &mut LiveValues,
) -> RegionChanges {
    let mut changes = RegionChanges::default();
    if how == RegionSimplification::Disabled {
        return changes;
    }
    let mut regions = regions_with_branches(ir, unit);
    changes.unreachable = erase_unreachable(ir, &regions);
    if changes.unreachable > 0 {
        // Regions may have gone along.
        regions = regions_with_branches(ir, unit);
    }
    for region in regions {
        changes.decided += propagate_decisions(ir, region);
        changes.merged += skip_pass_through(ir, region);
        changes.unreachable += erase_unreachable_in(ir, region);
        changes.merged += join_successors(ir, region);
        changes.merged += merge_into_predecessors(ir, region);
    }
    let swept = live.sweep(ir, unit);
    changes.dead_ops += swept.ops;
    changes.args += swept.args;
    if how == RegionSimplification::Aggressive {
        changes.add(merge_equal(ir, unit));
    }
    changes
}

fn merge_equal(ir: &mut Ir, unit: Op) -> RegionChanges {
    let mut changes = RegionChanges::default();
    for region in regions_with_branches(ir, unit) {
        changes.merged += merge_identical(ir, region);
        changes.args += drop_redundant_args(ir, region);
    }
    changes
}

/// Does away with what is superfluous in the regions inside `root`, all branches left as they are: unreachable blocks,
/// dead values, equal blocks, arguments that always get the same value.
pub fn clean_regions(ir: &mut Ir, root: Op) -> RegionChanges {
    let (mut live, mut changes) = (LiveValues::new(ir), RegionChanges::default());
    for_each_unit(ir, root, &mut |ir, unit| {
        changes.unreachable += erase_unreachable_of(ir, unit);
        let swept = live.sweep(ir, unit);
        changes.dead_ops += swept.ops;
        changes.args += swept.args;
        changes.add(merge_equal(ir, unit));
    });
    changes
}

/// Regions of a unit with several blocks, inner ones first.
fn regions_with_branches(ir: &Ir, unit: Op) -> Vec<Region> {
    let mut regions: Vec<Region> = Vec::new();
    walk_unit(ir, unit, &mut |op, inner| {
        if !inner {
            let several = |region: &&Region| ir.blocks(**region).nth(1).is_some();
            regions.extend(ir.regions(op).iter().filter(several));
        }
    });
    regions.reverse();
    regions
}

/// Erases the blocks of all regions of a unit that control cannot reach. How many there were.
pub(crate) fn erase_unreachable_of(ir: &mut Ir, unit: Op) -> u64 {
    let regions = regions_with_branches(ir, unit);
    erase_unreachable(ir, &regions)
}

/// Inner regions first: an outer block that goes takes the inner ones along.
fn erase_unreachable(ir: &mut Ir, regions: &[Region]) -> u64 {
    let erase = |&region| erase_unreachable_in(ir, region);
    regions.iter().map(erase).sum()
}

fn erase_unreachable_in(ir: &mut Ir, region: Region) -> u64 {
    let Some(entry) = ir.entry_block(region) else {
        return 0;
    };
    let reached: NearSet<Block> = reverse_post_order(ir, entry).into_iter().collect();
    let dead: Vec<Block> = ir
        .blocks(region)
        .filter(|block| !reached.contains(block))
        .collect();
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
    dead.len() as u64
}
