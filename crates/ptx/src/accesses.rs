//! How a kernel uses its buffers, read off its text: which parameters' memory it may load and store.
//!
//! Pointers are followed through registers, whatever the order of instructions: a register that is computed from one
//! pointer points into the same buffer; one that is computed from several says nothing. A value loaded from memory counts
//! as a number. Deliberately absent: pointers that are stored, or handed to functions; such a parameter is unknown.

use crate::ast::{Function, Instruction, Operand};
use crate::parse;
use rustc_hash::FxHashMap;

/// A kernel's accesses to the memory of one parameter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BufferUse {
    /// Some instruction loads from it, atomic ones included.
    pub loads: bool,
    /// Some instruction stores to it, atomic ones included.
    pub stores: bool,
    /// The pointer goes where it is not followed: there may be more than that.
    pub escapes: bool,
}

/// Where the pointer in a register comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    Param(usize),
    Several,
}

impl Origin {
    fn join(self, other: Origin) -> Origin {
        if self == other { self } else { Origin::Several }
    }
}

/// How kernels of a module use their parameters; `pointers` says which of them are buffers. `None` where the text
/// has no such kernel that can be read.
pub fn buffer_uses(text: &str, kernels: &[(&str, Vec<bool>)]) -> Vec<Option<Vec<BufferUse>>> {
    let tree = parse::parse(text).module;
    let uses = kernels.iter().map(|(name, pointers)| {
        let function = tree
            .functions
            .iter()
            .find(|function| function.is_entry && function.name == *name)?;
        (function.params.len() == pointers.len()).then(|| of_kernel(function, pointers))
    });
    uses.collect()
}

fn of_kernel(function: &Function<'_>, pointers: &[bool]) -> Vec<BufferUse> {
    let mut origins: FxHashMap<&str, Origin> = FxHashMap::default();
    for (index, param) in function
        .params
        .iter()
        .enumerate()
        .filter(|row| pointers[row.0])
    {
        origins.insert(param.variable.name, Origin::Param(index));
    }
    // Each register's origin changes twice at most, so this ends.
    let mut changed = true;
    while changed {
        changed = false;
        for instruction in &function.instructions {
            changed |= follow(instruction, &mut origins);
        }
    }
    let mut uses = vec![BufferUse::default(); pointers.len()];
    for instruction in &function.instructions {
        note(instruction, &origins, &mut uses);
    }
    uses
}

/// The effect of an opcode on pointers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    LoadParam,
    Load,
    Store,
    /// Loads and stores.
    Atomic,
    /// From its second operand to its first.
    Copy,
    /// Computes its first operand from the others.
    Compute,
    /// Does nothing with memory: control, barriers, hints.
    Nothing,
    /// Hands pointers on.
    Unknown,
}

fn kind(opcode: &str) -> Kind {
    let mut words = opcode.split('.');
    let (first, second) = (
        words.next().unwrap_or_default(),
        words.next().unwrap_or_default(),
    );
    match (first, second) {
        ("ld", "param") => Kind::LoadParam,
        ("ld" | "ldu", _) => Kind::Load,
        ("st", "param") => Kind::Unknown,
        ("st", _) => Kind::Store,
        ("atom" | "red", _) => Kind::Atomic,
        ("cp", "async") => Kind::Copy,
        ("wmma", "load") => Kind::Load,
        ("wmma", "store") => Kind::Store,
        (
            "prefetch" | "prefetchu" | "bar" | "barrier" | "bra" | "brx" | "ret" | "exit"
            | "membar" | "fence",
            _,
        ) => Kind::Nothing,
        ("call" | "mbarrier" | "multimem" | "discard" | "applypriority", _) => Kind::Unknown,
        _ => Kind::Compute,
    }
}

fn names<'a>(operand: &Operand<'a>, found: &mut Vec<&'a str>) {
    match operand {
        Operand::Name(name) | Operand::Offset(name, _) => found.push(name),
        Operand::Pair(one, other) => found.extend([*one, *other]),
        Operand::Vector(list) | Operand::List(list) | Operand::Compound(list) => {
            list.iter().for_each(|operand| names(operand, found));
        }
        Operand::Address { base, .. } => found.extend(*base),
        Operand::Not(_) | Operand::Int(_) | Operand::F32(_) | Operand::F64(_) => {}
    }
}

fn origin(operand: &Operand<'_>, origins: &FxHashMap<&str, Origin>) -> Option<Origin> {
    let mut found = Vec::new();
    names(operand, &mut found);
    found
        .into_iter()
        .filter_map(|name| origins.get(name).copied())
        .reduce(Origin::join)
}

/// Notes where the registers that an instruction sets point; whether that is new.
fn follow<'a>(instruction: &Instruction<'a>, origins: &mut FxHashMap<&'a str, Origin>) -> bool {
    let Some((to, from)) = instruction.operands.split_first() else {
        return false;
    };
    if !matches!(kind(instruction.opcode), Kind::LoadParam | Kind::Compute) {
        return false;
    }
    let Some(new) = from
        .iter()
        .filter_map(|operand| origin(operand, origins))
        .reduce(Origin::join)
    else {
        return false;
    };
    let mut set = Vec::new();
    names(to, &mut set);
    let mut changed = false;
    for register in set {
        let old = origins.get(register).copied();
        let joined = old.map_or(new, |old| old.join(new));
        changed |= old != Some(joined);
        origins.insert(register, joined);
    }
    changed
}

/// Notes what an instruction does with memory.
fn note(instruction: &Instruction<'_>, origins: &FxHashMap<&str, Origin>, uses: &mut [BufferUse]) {
    let operands = instruction.operands.as_slice();
    let mut mark = |operand: Option<&Operand<'_>>, set: fn(&mut BufferUse)| {
        match operand.and_then(|operand| origin(operand, origins)) {
            Some(Origin::Param(index)) => set(&mut uses[index]),
            // One of them, or all.
            Some(Origin::Several) => uses.iter_mut().for_each(|each| each.escapes = true),
            None => {}
        }
    };
    let is_address = |operand: &&Operand<'_>| matches!(operand, Operand::Address { .. });
    let address = operands.iter().find(is_address);
    match kind(instruction.opcode) {
        Kind::Load => mark(address, |found| found.loads = true),
        Kind::Store | Kind::Atomic => {
            let atomic = kind(instruction.opcode) == Kind::Atomic;
            mark(
                address,
                if atomic {
                    |found| (found.loads, found.stores) = (true, true)
                } else {
                    |found| found.stores = true
                },
            );
            // A pointer that is stored itself may come back from anywhere.
            operands
                .iter()
                .filter(|operand| !is_address(operand))
                .for_each(|operand| mark(Some(operand), |found| found.escapes = true));
        }
        Kind::Copy => {
            mark(operands.first(), |found| found.stores = true);
            mark(operands.get(1), |found| found.loads = true);
        }
        Kind::Unknown => operands
            .iter()
            .for_each(|operand| mark(Some(operand), |found| found.escapes = true)),
        Kind::LoadParam | Kind::Compute | Kind::Nothing => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(body: &str) -> Vec<BufferUse> {
        let text = format!(
            ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n) {{
            .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<2>;
            ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u32 %r1, [n];
            {body}
            ret;\n}}"
        );
        let found = buffer_uses(&text, &[("k", vec![true, true, false]), ("none", vec![])]);
        assert_eq!(found[1], None);
        found[0].clone().expect("the kernel is there")
    }

    const LOADS: BufferUse = BufferUse {
        loads: true,
        stores: false,
        escapes: false,
    };
    const STORES: BufferUse = BufferUse {
        loads: false,
        stores: true,
        escapes: false,
    };

    #[test]
    fn pointers_are_followed_through_address_arithmetic() {
        let body =
            "cvta.to.global.u64 %rd3, %rd1; mul.wide.u32 %rd4, %r1, 4; add.s64 %rd5, %rd3, %rd4;
            ld.global.u32 %r2, [%rd5+4]; cvta.to.global.u64 %rd6, %rd2; mul.wide.u32 %rd7, %r2, 4;
            add.s64 %rd8, %rd6, %rd7; st.global.u32 [%rd8], %r2;";
        assert_eq!(uses(body), [LOADS, STORES, BufferUse::default()]);
    }

    #[test]
    fn loops_that_move_pointers_are_followed() {
        let body = "bra.uni TEST;\nLOOP: st.global.u32 [%rd4], %r1;\nTEST: add.s64 %rd4, %rd3, 4;
            mov.u64 %rd3, %rd1; setp.eq.u64 %p1, %rd4, 0; @%p1 bra LOOP;";
        assert_eq!(uses(body)[0], STORES);
    }

    #[test]
    fn atomic_instructions_and_asynchronous_copies_count() {
        let body =
            "atom.global.add.u32 %r2, [%rd1], %r1; cp.async.ca.shared.global [%r3], [%rd2], 4;";
        assert_eq!(
            uses(body)[..2],
            [
                BufferUse {
                    loads: true,
                    stores: true,
                    escapes: false
                },
                LOADS
            ]
        );
    }

    #[test]
    fn pointers_that_are_mixed_or_stored_are_unknown() {
        assert!(
            uses("selp.b64 %rd3, %rd1, %rd2, %p1; st.global.u32 [%rd3], %r1;")
                .iter()
                .all(|found| found.escapes)
        );
        assert!(uses("st.global.u64 [%rd1], %rd2;")[1].escapes);
        assert!(!uses("st.global.u64 [%rd1], %rd2;")[0].escapes);
    }
}
