//! How the instructions of a warp follow each other: when each is issued, and which loads are on their way together.
//!
//! ```text
//! ld.global %a           0  on its way with the next one: neither needs the other
//! ld.global %b           1  waited for, and %a with it
//! fma %x, %a, %b, %x     2
//! fma %y, %a, %b, %y     3  a cycle later: it does not need %x
//! add %z, %x, %y         7  4 cycles after %y
//! ```
//! In a basic block instructions are issued in order, one a cycle, each when what it reads is there: 4 cycles after it was
//! computed. A block that is a loop of its own begins with what its last round left. ptxas moves loads up in a basic block, so those
//! whose places do not depend on each other are on their way together, if nothing in between orders them.
//!
//! Deliberately absent: what is left of one basic block when the next one begins; functional units, which the profile counts.

use crate::isa::{Code, Op};
use crate::notes::Register;
use crate::types::{Bank, Space};
use rustc_hash::{FxHashMap, FxHashSet};

/// Cycles from when an instruction is issued to when its result can be used.
pub(crate) const LATENCY: u32 = 4;
/// Loads on their way together: ptxas has no registers for more.
const MOST_TOGETHER: u32 = 64;

/// Fills in [`Code::issue`] and [`crate::notes::Note::together`].
pub(crate) fn annotate(code: &mut Code) {
    let starts = starts(code);
    code.issue = vec![1; code.insts.len()];
    for (number, &start) in starts.iter().enumerate() {
        let end = starts.get(number + 1).map_or(code.insts.len(), |&it| it);
        issue(code, start, end);
        together(code, start, end);
    }
}

/// Where basic blocks begin.
fn starts(code: &Code) -> Vec<usize> {
    let mut starts = vec![0];
    for (pc, inst) in code.insts.iter().enumerate() {
        match &inst.op {
            Op::Branch { target } | Op::Call { target, .. } => {
                starts.extend([*target as usize, pc + 1]);
            }
            Op::BranchTable { table, .. } => {
                starts.extend(table.iter().map(|&it| it as usize));
                starts.push(pc + 1);
            }
            Op::Return { .. } | Op::Exit | Op::Trap | Op::TooDeep { .. } => starts.push(pc + 1),
            _ => {}
        }
    }
    starts.sort_unstable();
    starts.dedup();
    starts.retain(|&start| start < code.insts.len());
    starts
}

/// The registers that an instruction reads, its guard included.
fn reads(code: &Code, pc: usize) -> impl Iterator<Item = Register> + '_ {
    let guard = (Bank::Predicate, code.insts[pc].guard);
    let read = code.notes[pc].reads.iter().copied();
    read.chain([guard])
}

/// Cycles from instruction to instruction.
fn issue(code: &mut Code, start: usize, end: usize) {
    let repeats = match code.insts[end - 1].op {
        Op::Branch { target } => target as usize == start,
        _ => false,
    };
    let mut ready: FxHashMap<Register, u32> = FxHashMap::default();
    let mut time = 0;
    for _ in 0..=u32::from(repeats) {
        for pc in start..end {
            let needed = reads(code, pc).filter_map(|register| ready.get(&register));
            let begin = needed.fold(time + 1, |begin, &ready| begin.max(ready));
            code.issue[pc] = (begin - time).min(LATENCY) as u8;
            time = begin;
            for register in &code.notes[pc].writes {
                ready.insert(*register, begin + LATENCY);
            }
        }
    }
}

/// The kind of memory that an op loads from or writes, and whether it loads.
fn access(op: &Op) -> Option<(bool, bool)> {
    let (access, loads) = match op {
        Op::Load(access) => (access, true),
        Op::Store(access) => (access, false),
        _ => return None,
    };
    match access.space {
        Space::Const | Space::Param => None,
        space => Some((space == Space::Shared, loads)),
    }
}

/// Marks loads that are on their way when the next one of their kind of memory begins.
fn together(code: &mut Code, start: usize, end: usize) {
    for shared in [false, true] {
        let mut depends: FxHashSet<Register> = FxHashSet::default();
        let (mut last, mut count): (Option<usize>, u32) = (None, 0);
        for pc in start..end {
            let tainted = reads(code, pc).any(|register| depends.contains(&register));
            match access(&code.insts[pc].op) {
                Some((kind, true)) if kind == shared => {
                    if let Some(before) = last.filter(|_| !tainted && count < MOST_TOGETHER) {
                        code.notes[before].together = true;
                    } else {
                        depends.clear();
                        count = 0;
                    }
                    (last, count) = (Some(pc), count + 1);
                    depends.extend(code.notes[pc].writes.iter().copied());
                    continue;
                }
                // Loads stay behind stores to the same kind of memory, but for memory that nobody writes.
                Some((kind, false)) if kind == shared => last = None,
                Some(_) => {}
                None => match code.insts[pc].op {
                    Op::Alu(_) | Op::Load(_) | Op::Branch { .. } | Op::Nothing => {}
                    _ => last = None,
                },
            }
            if tainted {
                depends.extend(code.notes[pc].writes.iter().copied());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::module::Module;

    /// Cycles of issue of a body's instructions, and whether each is a load that the next one does not wait for.
    fn annotated(body: &str) -> (Vec<u8>, Vec<bool>) {
        let text = format!(
            ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n\
             .reg .b64 %d<4>;\n.reg .b32 %r<4>;\n.reg .f32 %f<9>;\n.reg .pred %p;\n.shared .align 4 .f32 s[64];\n{body}ret;\n}}\n"
        );
        let module = Module::parse(&text).expect("it is PTX");
        let code = module.kernels()[0].code();
        let together = code.notes.iter().map(|note| note.together);
        (code.issue.clone(), together.collect())
    }

    #[test]
    fn instructions_wait_for_what_they_read_alone() {
        let (issue, _) = annotated(
            "add.f32 %f1, %f2, %f3;\n\
             add.f32 %f4, %f2, %f3;\n\
             add.f32 %f5, %f1, %f4;\n\
             add.f32 %f6, %f5, %f5;\n",
        );
        // The third needs the second, which is one cycle behind the first.
        assert_eq!(issue[..4], [1, 1, 4, 4]);
    }

    #[test]
    fn a_loop_begins_with_what_its_last_round_left() {
        let sums = |count: usize| {
            let sums = (0..count).map(|it| format!("add.f32 %f{it}, %f{it}, %f8;\n"));
            let body = sums.collect::<String>();
            let (issue, _) = annotated(&format!("LOOP:\n{body}@%p bra LOOP;\n"));
            issue[..=count].iter().map(|&it| u32::from(it)).sum::<u32>()
        };
        // A chain takes 4 cycles a round, however few instructions it has; enough chains hide that.
        assert_eq!([1, 3, 8].map(sums), [4, 4, 9]);
    }

    #[test]
    fn loads_are_together_unless_something_orders_them() {
        let together = |body: &str| annotated(body).1.iter().filter(|&&it| it).count();
        let load = |to: usize, from: &str| format!("ld.global.f32 %f{to}, [{from}];\n");
        let two = [load(1, "%d1"), load(2, "%d2")];
        assert_eq!(together(&two.concat()), 1);
        assert_eq!(together(&two.join("add.f32 %f4, %f1, %f1;\n")), 1);
        // A store elsewhere orders nothing, one to what is loaded does; so do barriers and the ends of blocks.
        assert_eq!(together(&two.join("st.shared.f32 [s], %f1;\n")), 1);
        assert_eq!(together(&two.join("st.global.f32 [%d3], %f1;\n")), 0);
        assert_eq!(together(&two.join("bar.sync 0;\n")), 0);
        assert_eq!(together(&two.join("L:\n@%p bra L;\n")), 0);
        // A place that depends on the first.
        let place = "cvt.u64.u32 %d2, %r1;\nadd.u64 %d2, %d2, %d1;\n";
        let chain = format!("ld.global.u32 %r1, [%d1];\n{place}{}", two[1]);
        assert_eq!(together(&chain), 0);
        // Each kind of memory by itself.
        let mixed = format!("{}ld.shared.f32 %f3, [s];\n{}", two[0], two[1]);
        assert_eq!(together(&mixed), 1);
        // So many as there are registers for.
        assert_eq!(together(&load(1, "%d1").repeat(130)), 127);
    }
}
