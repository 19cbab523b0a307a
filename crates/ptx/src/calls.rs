//! Which functions of a module call which: recursion, and an order in which to decode them. Linear in the number of
//! calls.
//!
//! Functions that can reach themselves are decoded once for each call that may be open, with registers and local memory of its
//! own: so there are as many as [`Recursion::frames`] says.

use crate::ast::{ModuleAst, Operand};
use crate::flow::components;
use crate::types::Space;
use rustc_hash::{FxHashMap, FxHashSet};

/// Most and fewest calls of functions of a group that may be open at once, and what they may have together: instructions, and
/// bytes of local memory.
const MOST_FRAMES: u64 = 128;
const FEWEST_FRAMES: u64 = 4;
const MOST_INSTRUCTIONS: u64 = 1 << 18;
const MOST_BYTES: u64 = 128 << 10;

/// The limits of calls of a function that can reach itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recursion {
    /// The number of the functions that can all reach each other.
    pub(crate) group: u32,
    /// Their calls that may be open at once.
    pub(crate) frames: u32,
}

/// The calls between functions with a body.
pub(crate) struct Calls {
    /// By function: the functions it calls, and the line of the call.
    callees: Vec<Vec<(usize, u32)>>,
    /// By function: the number of its group of functions that can all reach each other. Callees have lower numbers.
    group: Vec<u32>,
}

/// Functions with a body, by name.
pub(crate) fn functions_by_name<'a>(tree: &ModuleAst<'a>) -> FxHashMap<&'a str, usize> {
    let mut by_name = FxHashMap::default();
    for (index, function) in tree
        .functions
        .iter()
        .enumerate()
        .filter(|(_, function)| function.has_body)
    {
        by_name.entry(function.name).or_insert(index);
    }
    by_name
}

impl Calls {
    pub(crate) fn of(tree: &ModuleAst<'_>) -> Calls {
        let by_name = functions_by_name(tree);
        let declared: FxHashSet<&str> = tree
            .functions
            .iter()
            .map(|function| function.name)
            .collect();
        let mut callees = Vec::with_capacity(tree.functions.len());
        for function in &tree.functions {
            let mut called = Vec::new();
            for inst in function
                .instructions
                .iter()
                .filter(|inst| inst.opcode.starts_with("call"))
            {
                let target = inst.operands.iter().find_map(|operand| match operand {
                    Operand::Name(name) => Some(*name),
                    _ => None,
                });
                if target.is_some_and(|name| declared.contains(name)) {
                    called.extend(
                        target
                            .and_then(|name| by_name.get(name))
                            .map(|&at| (at, inst.line)),
                    );
                } else {
                    // A call through a register may reach every function whose address is taken.
                    called.extend(tree.addressed.iter().map(|&at| (at, inst.line)));
                }
            }
            callees.push(called);
        }
        let edges: Vec<Vec<usize>> = callees
            .iter()
            .map(|called| called.iter().map(|&(callee, _)| callee).collect())
            .collect();
        let group = components(&edges);
        Calls { callees, group }
    }

    /// By function that can reach itself: its group, and how many calls of functions of that group may be open at once.
    pub(crate) fn recursion(&self, tree: &ModuleAst<'_>) -> Vec<Option<Recursion>> {
        let mut costs: FxHashMap<u32, (u64, u64)> = FxHashMap::default();
        for (caller, callees) in self.callees.iter().enumerate() {
            let group = self.group[caller];
            if callees
                .iter()
                .any(|&(callee, _)| self.group[callee] == group)
            {
                let function = &tree.functions[caller];
                let kept = function.variables.values();
                let kept = kept.filter(|it| matches!(it.space, Space::Local | Space::Param));
                let (instructions, bytes) = costs.entry(group).or_default();
                *instructions += function.instructions.len() as u64;
                *bytes += kept.map(|variable| variable.bytes).sum::<u64>();
            }
        }
        let of_group = |&group: &u32| {
            let &(instructions, bytes) = costs.get(&group)?;
            let frames = (MOST_INSTRUCTIONS / instructions.max(1)).min(MOST_BYTES / bytes.max(1));
            let frames = frames.clamp(FEWEST_FRAMES, MOST_FRAMES) as u32;
            Some(Recursion { group, frames })
        };
        self.group.iter().map(of_group).collect()
    }

    /// Functions in an order in which callers come before those they call.
    pub(crate) fn callers_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.callees.len()).collect();
        order.sort_by_key(|&function| core::cmp::Reverse(self.group[function]));
        order
    }
}
