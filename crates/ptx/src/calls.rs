//! Which functions of a module call which: recursion, and an order in which to decode them. Linear in the number of
//! calls.

use crate::ast::{ModuleAst, Operand};
use crate::parse::ParseErrorKind;
use rustc_hash::{FxHashMap, FxHashSet};

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
        let group = groups(&callees);
        Calls { callees, group }
    }

    /// For each function that can reach itself, the error at a call of it on the way.
    pub(crate) fn recursion(
        &self,
        tree: &ModuleAst<'_>,
    ) -> FxHashMap<usize, (u32, ParseErrorKind)> {
        let mut found = FxHashMap::default();
        for (caller, callees) in self.callees.iter().enumerate() {
            for &(callee, line) in callees
                .iter()
                .filter(|(callee, _)| self.group[*callee] == self.group[caller])
            {
                let text = format!("recursive call of `{}`", tree.functions[callee].name);
                found
                    .entry(callee)
                    .or_insert((line, ParseErrorKind::Unsupported(text)));
            }
        }
        found
    }

    /// By function: one of some functions that it is or reaches by calls. Linear in the number of calls.
    pub(crate) fn reaching(&self, wanted: impl Fn(usize) -> bool) -> Vec<Option<usize>> {
        let mut found = vec![None; self.callees.len()];
        for at in self.callers_first().into_iter().rev() {
            let called = self.callees[at].iter().map(|&(callee, _)| callee);
            found[at] = if wanted(at) {
                Some(at)
            } else {
                called.filter_map(|callee| found[callee]).next()
            };
        }
        found
    }

    /// Functions in an order in which callers come before those they call.
    pub(crate) fn callers_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.callees.len()).collect();
        order.sort_by_key(|&function| core::cmp::Reverse(self.group[function]));
        order
    }
}

/// Numbers the strongly connected components of a graph, callees first (Tarjan, SIAM J. Comput. 1972), without
/// recursion.
fn groups(callees: &[Vec<(usize, u32)>]) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let count = callees.len();
    let (mut group, mut found, mut low) = (vec![NONE; count], vec![NONE; count], vec![0; count]);
    let (mut stack, mut groups, mut time) = (Vec::new(), 0, 0);
    for start in 0..count {
        if found[start] != NONE {
            continue;
        }
        let mut path = vec![(start, 0)];
        while let Some((at, next)) = path.last_mut() {
            let at = *at;
            if *next == 0 {
                (found[at], low[at]) = (time, time);
                time += 1;
                stack.push(at);
            }
            if let Some(&(callee, _)) = callees[at].get(*next) {
                *next += 1;
                if found[callee] == NONE {
                    path.push((callee, 0));
                } else if group[callee] == NONE {
                    low[at] = low[at].min(found[callee]);
                }
                continue;
            }
            path.pop();
            if let Some(&(caller, _)) = path.last() {
                low[caller] = low[caller].min(low[at]);
            }
            if low[at] == found[at] {
                while let Some(member) = stack.pop() {
                    group[member] = groups;
                    if member == at {
                        break;
                    }
                }
                groups += 1;
            }
        }
    }
    group
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_groups_and_callees_come_first() {
        // 0 -> 1 -> 2 -> 1, 2 -> 3, 4 -> 0, 4 -> 4.
        let edges = [vec![1], vec![2], vec![1, 3], vec![], vec![0, 4]];
        let callees: Vec<Vec<(usize, u32)>> = edges
            .iter()
            .map(|to| to.iter().map(|&to| (to, 1)).collect())
            .collect();
        assert_eq!(groups(&callees), [2, 1, 1, 0, 3]);
    }
}
