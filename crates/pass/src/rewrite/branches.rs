//! Branches: which lead where, with what, and changes to that.

use segra_ir::entity::NearMap;
use segra_ir::interfaces::BranchLike;
use segra_ir::{Block, Ir, Op, Region, Value};
use smallvec::SmallVec;
use std::collections::hash_map::Entry;
use std::ops::Range;

/// One way into a block.
#[derive(Clone, Debug)]
pub(crate) struct BranchInto {
    /// The terminator.
    pub(crate) branch: Op,
    /// Which of its successors the block is.
    pub(crate) successor: usize,
    /// Positions of the operands it forwards, while nothing changes what it forwards.
    pub(crate) operands: Range<usize>,
}

/// Branches into each block.
pub(crate) type Branches = NearMap<Block, SmallVec<[BranchInto; 2]>>;

/// Adds the ways out of a terminator. Whether it says what it forwards.
pub(crate) fn add_branches(ir: &Ir, last: Op, branches: &mut Branches) -> bool {
    if ir.successors(last).is_empty() {
        return true;
    }
    let Some(model) = ir.interface::<dyn BranchLike>(last) else {
        return false;
    };
    let rows = ir
        .successors(last)
        .iter()
        .zip(model.forwarded(ir, last))
        .enumerate();
    for (successor, (&to, operands)) in rows {
        branches.entry(to).or_default().push(BranchInto {
            branch: last,
            successor,
            operands,
        });
    }
    true
}

/// All branches of a region; `None`: one of them does not say what it forwards.
pub(crate) fn branches_of(ir: &Ir, region: Region) -> Option<Branches> {
    let mut branches = Branches::default();
    let mut lasts = ir.blocks(region).filter_map(|block| ir.last_op(block));
    lasts
        .all(|last| add_branches(ir, last, &mut branches))
        .then_some(branches)
}

/// Changes to where branches lead and what they forward, gathered: a branch is read once and written once, however many
/// of its ways change.
#[derive(Debug, Default)]
pub struct BranchEdits {
    edits: NearMap<Op, Edit>,
    /// In the order they were first asked for.
    order: Vec<Op>,
}

#[derive(Debug)]
struct Edit {
    successors: Vec<Block>,
    handed: Vec<Vec<Value>>,
}

impl BranchEdits {
    /// The operands `branch` forwards to its `successor`-th block, to be changed; `None`: it does not say.
    pub fn handed(&mut self, ir: &Ir, branch: Op, successor: usize) -> Option<&mut Vec<Value>> {
        self.edit(ir, branch)?.handed.get_mut(successor)
    }
    /// Makes the `successor`-th way of `branch` lead to `to`. Whether it could.
    pub fn redirect(&mut self, ir: &Ir, branch: Op, successor: usize, to: Block) -> bool {
        let slot = self
            .edit(ir, branch)
            .and_then(|edit| edit.successors.get_mut(successor));
        slot.map(|slot| *slot = to).is_some()
    }
    /// Makes the changes.
    pub fn write(mut self, ir: &mut Ir) {
        for branch in std::mem::take(&mut self.order) {
            self.write_one(ir, branch);
        }
    }
    /// Makes the changes of one branch, if there are any.
    pub fn write_one(&mut self, ir: &mut Ir, branch: Op) {
        let Some(edit) = self.edits.remove(&branch) else {
            return;
        };
        let Some(model) = ir.interface::<dyn BranchLike>(branch) else {
            return;
        };
        model.set_forwarded(ir, branch, &edit.handed);
        ir.set_successors(branch, &edit.successors);
    }

    fn edit(&mut self, ir: &Ir, branch: Op) -> Option<&mut Edit> {
        match self.edits.entry(branch) {
            Entry::Occupied(entry) => Some(entry.into_mut()),
            Entry::Vacant(entry) => {
                let handed = ir
                    .interface::<dyn BranchLike>(branch)?
                    .successor_operands(ir, branch);
                self.order.push(branch);
                Some(entry.insert(Edit {
                    successors: ir.successors(branch).to_vec(),
                    handed,
                }))
            }
        }
    }
}
