//! Who runs an index: a thread, a few lanes of a warp, or a thread block.
//!
//! The paper (section 6.1) knows threads only: `GridBlock(n, ..)` gives `n` dimensions to the block. Where several threads
//! run an index together, the same chains say which *group* runs it: the groups of a thread block stand side by side
//! along its x axis, and a group that is a thread block leaves `GridBlock(0, ..)` nothing to divide.

use crate::expr::{Arena, Expr};
use crate::limits::{HardwareLimits, LaunchCondition, LimitError};
use crate::mapping::{Mapping, MappingError, ThreadIds};
use crate::target::Target;

/// How many threads run an index together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// One.
    Thread,
    /// So many neighbouring lanes of a warp: a power of two, up to a warp.
    Lanes(i64),
    /// A thread block.
    Block,
}

impl Mapping {
    /// Whether groups can run what is mapped.
    ///
    /// # Errors
    /// See [`MappingError::Group`].
    pub fn check_group(&self, arena: &mut Arena, group: Group) -> Result<(), MappingError> {
        let chain = self.chain();
        let fault = |needs: &str| {
            Err(MappingError::Group {
                chain: chain.to_string(),
                needs: needs.to_owned(),
            })
        };
        match group {
            Group::Thread => Ok(()),
            Group::Lanes(_) | Group::Block if chain.serial_rank > 0 => {
                fault("several threads run an index together, so they have no steps (Serial)")
            }
            Group::Lanes(lanes) => {
                let groups: Option<Vec<i64>> = self
                    .block()
                    .iter()
                    .map(|&extent| arena.as_int(extent))
                    .collect();
                let whole = groups.is_some_and(|groups| {
                    let threads = groups
                        .iter()
                        .try_fold(lanes, |product, &extent| product.checked_mul(extent));
                    threads.is_some_and(|threads| threads % Target::CUDA.warp == 0)
                });
                match whole {
                    true => Ok(()),
                    false => fault(&format!(
                        "{lanes} lanes run an index, so a thread block must have a constant number of whole warps"
                    )),
                }
            }
            Group::Block if chain.block_rank > 0 => fault(
                "a thread block runs an index, so GridBlock must give the block no dimension: GridBlock(0, ..)",
            ),
            Group::Block => {
                let ids = ThreadIds::declare(arena, &HardwareLimits::CUDA);
                match self.recover(arena, &ids) {
                    Ok(recovery) if recovery.guards.is_empty() => Ok(()),
                    _ => fault(
                        "a thread block runs an index, so each must have one: no Split, PadLast, PruneGrid, Morton, Hilbert",
                    ),
                }
            }
        }
    }

    /// Extents of a block in threads where groups run the indices, in the order x, y, z; a group that is a thread block
    /// counts as one.
    pub fn block_of(&self, arena: &mut Arena, group: Group) -> [Expr; 3] {
        let [x, y, z] = self.block();
        match group {
            Group::Lanes(lanes) => {
                let lanes = arena.int(lanes);
                [arena.mul(x, lanes), y, z]
            }
            Group::Thread | Group::Block => [x, y, z],
        }
    }

    /// The conditions to test before a launch that is not empty; no conditions if it always fits.
    ///
    /// # Errors
    /// The ranges prove that it never fits.
    pub fn launch_conditions(
        &self,
        arena: &mut Arena,
        group: Group,
        limits: &HardwareLimits,
    ) -> Result<Vec<LaunchCondition>, LimitError> {
        let block = self.block_of(arena, group);
        limits.check(arena, &self.grid(), &block)
    }
}
