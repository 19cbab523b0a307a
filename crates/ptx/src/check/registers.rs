//! Reads of registers no instruction has written.
//!
//! Almost every read is proved initialised once per kernel, by a forward data-flow analysis over the control-flow
//! graph: a register is definitely written where every path from the entry writes it unguarded. The rest — a
//! register written under a guard, or on some paths only — is tracked per lane while the kernel runs. Copies hand
//! uninitialised values on without complaint, as compilers move values around that no path uses. Shuffles do where no lane
//! has a value: one lane's may be for all, and nobody then takes those of the others. So do stores to a thread's
//! local memory, and loads of what they left there: unoptimised code keeps all its variables in it. Registers loaded from
//! local memory are tracked in kernels with such a store only.

use crate::flow::Blocks;
use crate::isa::{ALWAYS, Access, Base, Code, Op};
use crate::notes::{Note, Register};
use crate::regs::{FULL, Slot};
use crate::types::{Bank, Space};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// The actions at an instruction that touches a tracked register. Numbers are those of tracked registers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tracked {
    guard: Option<u32>,
    reads: SmallVec<[u32; 4]>,
    writes: SmallVec<[u32; 2]>,
    /// Of a load that may be one of local memory the parts that go to tracked registers, and of such a store those that come
    /// from them.
    pub(super) moved: SmallVec<[Moved; 4]>,
    /// The instruction copies, and all its sources are tracked: the result is as initialised as they are.
    copies: bool,
    /// It copies between lanes.
    shuffles: bool,
}

/// Bytes of an access, from an offset on, that a tracked register has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moved {
    register: u32,
    pub(super) offset: u32,
    pub(super) bytes: u32,
}

/// The tracked registers of a kernel.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tracking {
    /// By instruction; empty when nothing is tracked.
    pub(crate) at: Vec<Option<Box<Tracked>>>,
    names: Vec<Register>,
    /// By loads: the bytes that no instruction takes, a bit for each. Compilers load a word for three bytes of it.
    untaken: FxHashMap<u32, u32>,
}

impl Tracking {
    /// Number of tracked registers.
    pub(crate) fn registers(&self) -> usize {
        self.names.len()
    }

    /// Analyses a kernel.
    pub(crate) fn of(code: &Code) -> Tracking {
        let mut flow = Flow::new(code);
        let mut entries = flow.solve(code);
        let mut tracked = flow.maybe_uninitialised(code, &entries);
        let untaken = untaken(code);
        if tracked.is_empty() {
            return Tracking {
                untaken,
                ..Tracking::default()
            };
        }
        let kept = code
            .insts
            .iter()
            .filter(|inst| matches!(inst.op, Op::Store(_)));
        let mut kept = kept.filter_map(|inst| local_access(&inst.op));
        if kept.any(|access| data(access).any(|(_, register)| tracked.contains(&flow.id(register))))
        {
            flow.loads_may_not_define = true;
            entries = flow.solve(code);
            tracked = flow.maybe_uninitialised(code, &entries);
        }
        flow.close_over_copies(code, &entries, &mut tracked);
        let mut names: Vec<Register> = tracked
            .iter()
            .map(|&id| flow.registers[id as usize])
            .collect();
        names.sort_unstable_by_key(|&(bank, slot)| (bank as u8, slot));
        let numbers: FxHashMap<Register, u32> = names
            .iter()
            .enumerate()
            .map(|(number, &register)| (register, number as u32))
            .collect();
        let at = (0..code.insts.len())
            .map(|pc| actions(code, pc, &numbers))
            .collect();
        Tracking { at, names, untaken }
    }

    /// The bytes that a load fetches and no instruction takes, a bit for each.
    pub(super) fn untaken(&self, load: u32) -> u32 {
        self.untaken.get(&load).copied().unwrap_or(0)
    }
}

/// The bytes that loads fetch and no instruction takes, where some take parts of registers.
fn untaken(code: &Code) -> FxHashMap<u32, u32> {
    const ALL: u8 = 0xf;
    if code.notes.iter().all(|note| note.takes.is_empty()) {
        return FxHashMap::default();
    }
    let mut taken: FxHashMap<Register, u8> = FxHashMap::default();
    for note in &code.notes {
        for read in &note.reads {
            let part = note.takes.iter().find(|(register, _)| register == read);
            *taken.entry(*read).or_default() |= part.map_or(ALL, |(_, bytes)| *bytes);
        }
    }
    let loads = code.insts.iter().enumerate().filter_map(|(pc, inst)| {
        let Op::Load(access) = &inst.op else {
            return None;
        };
        let bytes = access.ty.bytes();
        if bytes > 4 {
            return None;
        }
        let untaken = data(access).fold(0, |all, (at, register)| {
            let taken = taken.get(&register).copied().unwrap_or(ALL);
            all | (u32::from(!taken) & ((1 << bytes) - 1)) << (at as u32 * bytes)
        });
        (untaken != 0).then_some((pc as u32, untaken))
    });
    loads.collect()
}

/// An access that may be one of the thread's local memory.
fn local_access(op: &Op) -> Option<&Access> {
    let (Op::Load(access) | Op::Store(access)) = op else {
        return None;
    };
    matches!(access.space, Space::Local | Space::Generic).then_some(access)
}

/// The registers of the elements that are loaded or stored, in order, with their numbers.
fn data(access: &Access) -> impl Iterator<Item = (usize, Register)> + '_ {
    access
        .slots
        .iter()
        .enumerate()
        .map(|(at, slot)| match *slot {
            Slot::Word(slot) => (at, (Bank::Word, slot)),
            Slot::Double(slot) => (at, (Bank::Double, slot)),
        })
}

/// The register that an address is in.
fn base(access: &Access) -> Option<Register> {
    match access.address.base {
        Base::None => None,
        Base::Word(slot) => Some((Bank::Word, slot)),
        Base::Double(slot) => Some((Bank::Double, slot)),
    }
}

/// Whether an instruction forwards what nobody has written, without using it.
fn forwards(note: &Note) -> bool {
    note.copies || note.shuffles
}

/// The effect of an instruction on tracked registers.
fn actions(code: &Code, pc: usize, numbers: &FxHashMap<Register, u32>) -> Option<Box<Tracked>> {
    let note = &code.notes[pc];
    let number = |register: &Register| numbers.get(register).copied();
    let local = local_access(&code.insts[pc].op);
    let bytes = local.map_or(0, |access| access.ty.bytes());
    let moved = local
        .into_iter()
        .flat_map(data)
        .filter_map(|(at, register)| {
            Some(Moved {
                register: number(&register)?,
                offset: at as u32 * bytes,
                bytes,
            })
        });
    // A value stored in local memory is not used yet.
    let address = local
        .filter(|_| matches!(code.insts[pc].op, Op::Store(_)))
        .map(base);
    let reads = |register: &&Register| address.is_none_or(|base| base == Some(**register));
    let tracked = Tracked {
        moved: moved.collect(),
        guard: number(&(Bank::Predicate, code.insts[pc].guard))
            .filter(|_| code.insts[pc].guard != ALWAYS),
        reads: note.reads.iter().filter(reads).filter_map(number).collect(),
        writes: note.writes.iter().filter_map(number).collect(),
        copies: forwards(note)
            && !note.reads.is_empty()
            && note.reads.iter().all(|r| number(r).is_some()),
        shuffles: note.shuffles,
    };
    let checks = !tracked.reads.is_empty() && !forwards(note);
    let acts = checks || tracked.guard.is_some() || !tracked.writes.is_empty();
    (acts || !tracked.moved.is_empty()).then(|| {
        let mut tracked = tracked;
        if forwards(note) && !tracked.copies {
            tracked.reads.clear();
        }
        Box::new(tracked)
    })
}

/// Executes the bookkeeping of one instruction on the lanes' bits; gives the lanes that read what nobody wrote.
#[inline]
pub(crate) fn step(tracked: &Tracked, written: &mut [u32], mask: u32, active: u32) -> u32 {
    let of = |written: &[u32], id: u32| written.get(id as usize).copied().unwrap_or(FULL);
    let mut missing = tracked.guard.map_or(0, |guard| mask & !of(written, guard));
    let mut gives = FULL;
    if tracked.copies {
        gives = tracked
            .reads
            .iter()
            .fold(0, |any, &id| any | of(written, id));
        if tracked.shuffles && gives & active != 0 {
            gives = FULL;
        }
    } else {
        for &id in &tracked.reads {
            missing |= active & !of(written, id);
        }
    }
    for &id in tracked.writes.iter().chain(if tracked.copies {
        &[][..]
    } else {
        &tracked.reads[..]
    }) {
        // Read once, an uninitialised register is reported once.
        if let Some(bits) = written.get_mut(id as usize) {
            *bits = *bits & !active | gives & active;
        }
    }
    if missing != 0
        && let Some(bits) = tracked
            .guard
            .and_then(|guard| written.get_mut(guard as usize))
    {
        *bits |= mask;
    }
    missing
}

/// The lanes in which nobody has written what part of a store comes from.
pub(super) fn missing(moved: Moved, written: &[u32], active: u32) -> u32 {
    active
        & !written
            .get(moved.register as usize)
            .copied()
            .unwrap_or(FULL)
}

/// Lanes have loaded what nobody has written, or have been told of it.
pub(super) fn set(moved: Moved, written: &mut [u32], lanes: u32, defined: bool) {
    if let Some(bits) = written.get_mut(moved.register as usize) {
        *bits = if defined {
            *bits | lanes
        } else {
            *bits & !lanes
        };
    }
}

/// A set of registers, one bit each.
type Set = Vec<u64>;

fn has(set: &Set, id: u32) -> bool {
    set[id as usize / 64] >> (id % 64) & 1 != 0
}

fn add(set: &mut Set, id: u32) {
    set[id as usize / 64] |= 1 << (id % 64);
}

/// A kernel as the analysis sees it.
struct Flow {
    registers: Vec<Register>,
    ids: FxHashMap<Register, u32>,
    blocks: Blocks,
    /// Loads that may be of local memory may give what nobody has written.
    loads_may_not_define: bool,
}

impl Flow {
    fn new(code: &Code) -> Flow {
        let mut ids = FxHashMap::default();
        let mut registers = Vec::new();
        for (note, inst) in code.notes.iter().zip(&code.insts) {
            let guard = (Bank::Predicate, inst.guard);
            for &register in note.reads.iter().chain(&note.writes).chain([&guard]) {
                ids.entry(register).or_insert_with(|| {
                    registers.push(register);
                    registers.len() as u32 - 1
                });
            }
        }
        Flow {
            registers,
            ids,
            blocks: Blocks::of(&code.insts),
            loads_may_not_define: false,
        }
    }

    fn id(&self, register: Register) -> u32 {
        self.ids.get(&register).copied().unwrap_or(0)
    }

    /// Adds what an instruction definitely writes.
    fn transfer(&self, code: &Code, pc: usize, set: &mut Set) {
        let note = &code.notes[pc];
        if note.writes.is_empty() || code.insts[pc].guard != ALWAYS {
            return;
        }
        let op = &code.insts[pc].op;
        if self.loads_may_not_define && matches!(op, Op::Load(_)) && local_access(op).is_some() {
            return;
        }
        let defines = !forwards(note)
            || note.reads.is_empty()
            || note.reads.iter().any(|&r| has(set, self.id(r)));
        if defines {
            note.writes
                .iter()
                .for_each(|&register| add(set, self.id(register)));
        }
    }

    /// The registers definitely written at the entry of each basic block.
    fn solve(&self, code: &Code) -> Vec<Option<Set>> {
        let words = self.registers.len().div_ceil(64).max(1);
        let mut entries: Vec<Option<Set>> = vec![None; self.blocks.len()];
        let Some(first) = entries.first_mut() else {
            return entries;
        };
        *first = Some(vec![0; words]);
        let mut pending = std::collections::BTreeSet::from([0]);
        while let Some(block) = pending.pop_first() {
            let Some(mut set) = entries[block].clone() else {
                continue;
            };
            for pc in self.blocks.range(block) {
                self.transfer(code, pc, &mut set);
            }
            for &next in self.blocks.successors(block) {
                let changed = match &mut entries[next as usize] {
                    Some(old) => old
                        .iter_mut()
                        .zip(&set)
                        .fold(false, |changed, (old, &new)| {
                            let met = *old & new;
                            let differs = met != *old;
                            *old = met;
                            changed | differs
                        }),
                    none => {
                        *none = Some(set.clone());
                        true
                    }
                };
                if changed {
                    pending.insert(next as usize);
                }
            }
        }
        entries
    }

    /// Calls `f` at every reachable instruction with what is definitely written before it.
    fn walk(&self, code: &Code, entries: &[Option<Set>], mut f: impl FnMut(usize, &Set)) {
        for (block, entry) in entries.iter().enumerate() {
            let Some(mut set) = entry.clone() else {
                continue;
            };
            for pc in self.blocks.range(block) {
                f(pc, &set);
                self.transfer(code, pc, &mut set);
            }
        }
    }

    fn maybe_uninitialised(&self, code: &Code, entries: &[Option<Set>]) -> FxHashSet<u32> {
        let mut found = FxHashSet::default();
        self.walk(code, entries, |pc, set| {
            let note = &code.notes[pc];
            let guard = (Bank::Predicate, code.insts[pc].guard);
            let guard = self
                .ids
                .get(&guard)
                .filter(|_| code.insts[pc].guard != ALWAYS);
            let reads = note
                .reads
                .iter()
                .filter(|_| !forwards(note))
                .map(|&register| self.id(register));
            found.extend(reads.chain(guard.copied()).filter(|&id| !has(set, id)));
        });
        found
    }

    /// The source of a copy to a tracked register is tracked too, unless it is certain there.
    fn close_over_copies(
        &self,
        code: &Code,
        entries: &[Option<Set>],
        tracked: &mut FxHashSet<u32>,
    ) {
        let mut copies: Vec<(u32, u32)> = Vec::new();
        self.walk(code, entries, |pc, set| {
            let note = &code.notes[pc];
            if forwards(note) {
                let sources = note
                    .reads
                    .iter()
                    .map(|&r| self.id(r))
                    .filter(|&id| !has(set, id));
                for source in sources {
                    copies.extend(note.writes.iter().map(|&to| (self.id(to), source)));
                }
            }
        });
        loop {
            let before = tracked.len();
            for &(to, source) in &copies {
                if tracked.contains(&to) {
                    tracked.insert(source);
                }
            }
            if tracked.len() == before {
                return;
            }
        }
    }
}
