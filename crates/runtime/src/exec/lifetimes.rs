//! Where the buffer slots of a plan are read for the last time.
//!
//! Slots hold references to buffers, and the executor counts them: memory is freed when no slot that can still be read
//! holds it. That is what makes the memory of loops exact: carried buffers may change places, be returned, be yielded
//! twice or be kept by some iterations only, and none is copied for it. Which slots can still be read is known before a
//! plan runs: a slot is defined in one block, and dies behind the last statement of that block that reads it, itself or in
//! blocks nested there. A block's yielded values live until the instruction around it has taken it.
//!
//! Deliberately absent: scalars, and the counting itself (see [`super::memory`]).

use segra_artifact::{Artifact, BlockId, Instr, Plan, Slot};

/// The last uses of slots in one plan.
pub(super) struct Lifetimes {
    blocks: Vec<BlockLifetimes>,
}

/// The last uses of slots in one block.
#[derive(Default)]
pub(super) struct BlockLifetimes {
    /// Parameters that nothing in the block reads.
    pub(super) unread: Vec<Slot>,
    /// One per statement.
    pub(super) after: Vec<Dying>,
    /// Slots of the block that it yields: dead when what is around it has taken them.
    pub(super) yielded: Vec<Slot>,
}

/// The slots read for the last time by one statement.
#[derive(Clone, Debug, Default)]
pub(super) struct Dying {
    /// Read as operands only: dead as soon as they were read, while the blocks of a loop or the called plan run.
    pub(super) operands: Vec<Slot>,
    /// The others, results that nothing reads included.
    pub(super) others: Vec<Slot>,
}

/// Those of all plans.
pub(super) fn of(artifact: &Artifact) -> Vec<Lifetimes> {
    artifact
        .plans
        .iter()
        .map(|plan| Finder::new(plan).run())
        .collect()
}

impl Lifetimes {
    pub(super) fn block(&self, id: BlockId) -> Option<&BlockLifetimes> {
        self.blocks.get(id.index())
    }
}

/// Where a slot is read: the last statement of its block, and whether that is by nested blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Never,
    At {
        stmt: usize,
        nested: bool,
    },
    /// The block yields it.
    Yielded,
}

struct Finder<'a> {
    plan: &'a Plan,
    /// The block each slot is defined in.
    home: Vec<Option<BlockId>>,
    /// The statement each block belongs to.
    parent: Vec<Option<(BlockId, usize)>>,
    last: Vec<Last>,
}

impl<'a> Finder<'a> {
    fn new(plan: &'a Plan) -> Finder<'a> {
        let mut finder = Finder {
            plan,
            home: vec![None; plan.slots.len()],
            parent: vec![None; plan.blocks.len()],
            last: vec![Last::Never; plan.slots.len()],
        };
        finder.define(&plan.params, Plan::BODY);
        for (index, block) in plan.blocks.iter().enumerate() {
            let id = BlockId(index as u32);
            for (at, stmt) in block.stmts.iter().enumerate() {
                finder.define(stmt.instr.defs(), id);
                for (nested, params) in nested(&stmt.instr) {
                    finder.parent[nested.index()] = Some((id, at));
                    finder.define(params, nested);
                }
            }
        }
        finder
    }

    fn define(&mut self, slots: &[Slot], block: BlockId) {
        for slot in slots
            .iter()
            .filter(|slot| self.plan.slot_type(**slot).is_some_and(|ty| ty.is_buffer()))
        {
            self.home[slot.index()] = Some(block);
        }
    }

    fn run(mut self) -> Lifetimes {
        for (index, block) in self.plan.blocks.iter().enumerate() {
            let id = BlockId(index as u32);
            for (at, stmt) in block.stmts.iter().enumerate() {
                stmt.instr.for_each_use(&mut |slot| {
                    self.read(
                        slot,
                        id,
                        Last::At {
                            stmt: at,
                            nested: false,
                        },
                    )
                });
            }
            block
                .results
                .iter()
                .for_each(|&slot| self.read(slot, id, Last::Yielded));
        }
        let mut blocks: Vec<BlockLifetimes> = Vec::new();
        for block in &self.plan.blocks {
            let after = vec![Dying::default(); block.stmts.len()];
            blocks.push(BlockLifetimes {
                after,
                ..BlockLifetimes::default()
            });
        }
        let mut defined_by = vec![None; self.plan.slots.len()];
        for block in &self.plan.blocks {
            for (at, stmt) in block.stmts.iter().enumerate() {
                stmt.instr
                    .defs()
                    .iter()
                    .for_each(|slot| defined_by[slot.index()] = Some(at));
            }
        }
        for (index, (&home, &last)) in self.home.iter().zip(&self.last).enumerate() {
            let Some(home) = home else { continue };
            let (slot, block) = (Slot(index as u32), &mut blocks[home.index()]);
            match (last, defined_by[index]) {
                (Last::Yielded, _) => block.yielded.push(slot),
                (
                    Last::At {
                        stmt,
                        nested: false,
                    },
                    _,
                ) => block.after[stmt].operands.push(slot),
                (Last::At { stmt, nested: true }, _) | (Last::Never, Some(stmt)) => {
                    block.after[stmt].others.push(slot);
                }
                (Last::Never, None) => block.unread.push(slot),
            }
        }
        Lifetimes { blocks }
    }

    /// Notes that a slot is read at `at` of a block, which may be nested in the slot's own.
    fn read(&mut self, slot: Slot, block: BlockId, at: Last) {
        let Some(home) = self.home[slot.index()] else {
            return;
        };
        let (mut block, mut at) = (block, at);
        while block != home {
            let Some((outer, stmt)) = self.parent[block.index()] else {
                return;
            };
            (block, at) = (outer, Last::At { stmt, nested: true });
        }
        let known = &mut self.last[slot.index()];
        *known = match (*known, at) {
            (Last::Yielded, _) | (_, Last::Yielded) => Last::Yielded,
            (Last::At { stmt: a, nested: x }, Last::At { stmt: b, nested: y }) if a == b => {
                Last::At {
                    stmt: a,
                    nested: x || y,
                }
            }
            (Last::At { stmt: a, .. }, Last::At { stmt: b, .. }) if a > b => *known,
            (_, at) => at,
        };
    }
}

/// The blocks of an instruction, with the slots each has as parameters.
fn nested(instr: &Instr) -> Vec<(BlockId, &[Slot])> {
    match instr {
        Instr::If {
            then_block,
            else_block,
            ..
        } => vec![(*then_block, &[]), (*else_block, &[])],
        Instr::For(for_loop) => vec![(for_loop.body, &for_loop.carried)],
        Instr::While(while_loop) => {
            vec![
                (while_loop.before, &while_loop.before_args),
                (while_loop.after, &while_loop.after_args),
            ]
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use segra_artifact::{ElemType, PlanBuilder};

    /// A loop that carries two buffers and makes the second one anew.
    #[test]
    fn a_slot_dies_behind_the_last_statement_of_its_block_that_reads_it() {
        let mut b = PlanBuilder::new("main");
        let n = b.index_param();
        let (zero, one) = (b.index(0), b.index(1));
        let (x, y) = (b.alloc(ElemType::F32, n), b.alloc(ElemType::F32, n));
        let mut inside = Vec::new();
        let last = b.for_(zero, n, one, &[x, y], |b, _, carried| {
            let next = b.alloc(ElemType::F32, n);
            b.copy(next, carried[0], n);
            b.copy(next, x, n);
            inside = vec![carried[0], carried[1], next];
            vec![carried[1], next]
        });
        let plan = b.finish(&[last[0], n]).expect("the plan is whole");
        let found = Finder::new(&plan).run();
        let [body, looped] = found.blocks.as_slice() else {
            panic!("two blocks")
        };
        // `y` is handed to the loop, `x` is read inside again; nobody reads the loop's second result.
        let dying = body.after.last().expect("the loop is the last statement");
        assert_eq!(
            (dying.operands.as_slice(), dying.others.as_slice()),
            (&[y][..], &[x, last[1]][..])
        );
        assert_eq!(body.yielded, [last[0]]);
        assert_eq!(looped.yielded, [inside[1], inside[2]]);
        assert_eq!(looped.after[1].operands, [inside[0]]);
        assert!(looped.unread.is_empty() && body.unread.is_empty());
    }
}
