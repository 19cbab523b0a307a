//! Accumulators of `wgmma` that are read before their group is waited for.
//!
//! A product writes its accumulators some time until `wgmma.wait_group` says that its group is done; until then only other
//! products may have them. Copies hand the state on without complaint: compilers move accumulators from register to
//! register between the rounds of a loop, and the assembler makes one register of them.

use crate::isa::tensor::{Fragment, Left, ProductGroup};
use crate::isa::{Code, Op, WarpOp};
use crate::notes::Register;
use crate::regs::Slot;
use crate::types::Bank;
use rustc_hash::{FxHashMap, FxHashSet};

/// The actions of an instruction on accumulators.
#[derive(Clone, Debug)]
enum Act {
    Multiply,
    Commit,
    Wait { most: u32 },
    Copy,
    Use,
}

/// An instruction that has to do with accumulators, and which of them it reads and writes.
#[derive(Clone, Debug)]
struct Touching {
    act: Act,
    reads: Vec<Register>,
    writes: Vec<Register>,
}

/// A kernel's instructions that have to do with accumulators.
#[derive(Clone, Debug, Default)]
pub(crate) struct Products {
    /// By instruction; empty where there are no such products.
    at: Vec<Option<Box<Touching>>>,
}

fn registers(fragment: &Fragment) -> impl Iterator<Item = Register> + '_ {
    fragment.iter().map(|slot| match *slot {
        Slot::Word(slot) => (Bank::Word, slot),
        Slot::Double(slot) => (Bank::Double, slot),
    })
}

impl Products {
    pub(crate) fn of(code: &Code) -> Products {
        let mut accumulators: FxHashSet<Register> = FxHashSet::default();
        for inst in &code.insts {
            if let Op::Warp { op, .. } = &inst.op
                && let WarpOp::Wgmma(product) = &**op
            {
                accumulators.extend(registers(&product.d));
            }
        }
        if accumulators.is_empty() {
            return Products::default();
        }
        loop {
            let before = accumulators.len();
            for note in code.notes.iter().filter(|note| note.copies) {
                if note.reads.iter().any(|read| accumulators.contains(read)) {
                    accumulators.extend(&note.writes);
                }
            }
            if accumulators.len() == before {
                break;
            }
        }
        let touching = |(inst, note): (&crate::isa::Inst, &crate::notes::Note)| {
            let of = |list: &[Register]| -> Vec<Register> {
                let all = list.iter().copied();
                all.filter(|register| accumulators.contains(register))
                    .collect()
            };
            let (mut reads, mut writes) = (of(&note.reads), of(&note.writes));
            let act = match &inst.op {
                Op::ProductGroup(ProductGroup::Commit) => Act::Commit,
                &Op::ProductGroup(ProductGroup::Wait { most }) => Act::Wait { most },
                Op::Warp { op, .. } if matches!(**op, WarpOp::Wgmma(_)) => {
                    if let WarpOp::Wgmma(product) = &**op {
                        writes = registers(&product.d).collect();
                        reads = match &product.a {
                            Left::Registers(a) => of(&registers(a).collect::<Vec<_>>()),
                            Left::Shared(..) => Vec::new(),
                        };
                    }
                    Act::Multiply
                }
                _ if reads.is_empty() && writes.is_empty() => return None,
                _ if note.copies => Act::Copy,
                _ => Act::Use,
            };
            Some(Box::new(Touching { act, reads, writes }))
        };
        Products {
            at: code.insts.iter().zip(&code.notes).map(touching).collect(),
        }
    }

    /// Whether there are any.
    pub(crate) fn any(&self) -> bool {
        !self.at.is_empty()
    }

    /// Whether an instruction has to do with accumulators.
    pub(crate) fn follows(&self, pc: u32) -> bool {
        self.at.get(pc as usize).is_some_and(Option::is_some)
    }
}

/// The accumulators of one warp that are in flight.
#[derive(Clone, Debug, Default)]
pub(crate) struct InFlight {
    /// The number of the group whose product writes a register last.
    groups: FxHashMap<Register, u32>,
    committed: u32,
}

impl InFlight {
    /// The number of the group that takes the warp's next product: all before it are committed.
    pub(crate) fn open_group(&self) -> u32 {
        self.committed
    }

    /// A warp executes an instruction; whether it reads what is in flight.
    pub(crate) fn step(&mut self, products: &Products, pc: u32) -> bool {
        let Some(Some(touching)) = products.at.get(pc as usize) else {
            return false;
        };
        let mut read = touching.reads.iter().filter_map(|r| self.groups.get(r));
        match touching.act {
            Act::Multiply => {
                let wrong = read.next().is_some();
                let group = self.committed;
                let writes = touching.writes.iter();
                self.groups
                    .extend(writes.map(|&register| (register, group)));
                wrong
            }
            Act::Commit => {
                self.committed += 1;
                false
            }
            Act::Wait { most } => {
                let done = self.committed.saturating_sub(most);
                self.groups.retain(|_, group| *group >= done);
                false
            }
            Act::Copy => {
                let last = read.max().copied();
                for register in &touching.writes {
                    match last {
                        Some(group) => self.groups.insert(*register, group),
                        None => self.groups.remove(register),
                    };
                }
                false
            }
            Act::Use => {
                let wrong = read.next().is_some();
                touching.writes.iter().for_each(|register| {
                    self.groups.remove(register);
                });
                wrong
            }
        }
    }
}
