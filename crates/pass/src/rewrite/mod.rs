//! Rewriting: patterns, folding with constants made and shared, and the greedy driver.
//!
//! A pattern sees the program through [`segra_ir::interfaces::Rewriter`], so the driver knows of every change and
//! looks again only at what may have become rewritable. Deliberately absent: any particular pattern.

mod blocks;
mod constants;
mod dead_values;
mod fold;
mod greedy;
mod pattern;
mod regions;
pub mod rules;
mod structured;
mod walk;
mod worklist;

pub use constants::{ConstantPool, materialize_constant};
pub(crate) use dead_values::has_observable_effect;
pub use dead_values::{LiveValues, Swept};
pub use fold::{Folding, fold_op, move_constants_right};
pub use greedy::{Canonicalization, GreedyConfig, GreedyOutcome, Limit, Order, greedy};
pub use pattern::{Pattern, PatternFilter, PatternSet};
pub use regions::{RegionChanges, RegionSimplification, erase_unreachable_blocks, simplify_regions};
pub use structured::{REGION_BRANCH, simplify_structured};
pub use walk::{WalkOrder, walk_and_rewrite};
