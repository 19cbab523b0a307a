//! Rewriting: patterns, folding with constants made and shared, and the greedy driver.
//!
//! A pattern sees the program through [`segra_ir::interfaces::Rewriter`], so the driver knows of every change and
//! looks again only at what may have become rewritable. Deliberately absent: any particular pattern.

mod blocks;
mod branches;
mod constants;
mod dead_values;
mod fold;
mod greedy;
mod pattern;
mod regions;
pub mod rules;
mod structured;
mod units;
mod walk;
mod worklist;

pub use branches::BranchEdits;
pub(crate) use branches::{Branches, add_branches};
pub use constants::{Adopted, ConstantPool, materialize_constant};
pub(crate) use dead_values::has_observable_effect;
pub use dead_values::{Swept, erase_dead};
pub use fold::{Folding, fold_op, move_constants_right};
pub use greedy::{Canonicalization, Folds, GreedyConfig, GreedyOutcome, Limit, Order, greedy};
pub use pattern::{Pattern, PatternFilter, PatternSet};
pub use regions::{RegionChanges, RegionSimplification, clean_regions, simplify_regions};
pub use structured::{REGION_BRANCH, simplify_structured};
pub use walk::{WalkOrder, walk_and_rewrite};

use segra_ir::{Builder, InsertPoint, Ir, Loc, Op};

/// Builds at a point. The first op made there, and the op behind the last one (`None`: the end of the block).
fn build_at(
    ir: &mut Ir,
    point: InsertPoint,
    loc: Loc,
    build: &mut dyn FnMut(&mut Builder<'_>),
) -> (Option<Op>, Option<Op>) {
    let (block, before, end) = match point {
        InsertPoint::Before(op) => (ir.block_of(op), ir.prev_op(op), Some(op)),
        InsertPoint::End(block) => (Some(block), ir.last_op(block), None),
    };
    build(&mut Builder::new(ir, point, loc));
    let first = match before {
        Some(before) => ir.next_op(before),
        None => block.and_then(|block| ir.first_op(block)),
    };
    (first, end)
}
