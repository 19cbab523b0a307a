//! Which functions call which: calls that reach themselves.

use super::CallOp;
use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::context::Ident;
use segra_ir::interfaces::symbol_name;
use segra_ir::{Ir, Op};

/// The functions that each function of a module calls, by name.
pub struct Calls {
    callees: FxHashMap<Ident, Vec<Ident>>,
    /// The functions that reach one that calls itself.
    recursive: FxHashSet<Ident>,
}

impl Calls {
    /// Of these functions, in time linear in their ops.
    pub fn of(ir: &Ir, functions: impl IntoIterator<Item = Op>) -> Calls {
        let named = functions.into_iter().filter_map(|function| {
            let called = Calls::inside(ir, function).into_iter().map(|row| row.1);
            Some((symbol_name(ir, function)?, called.collect()))
        });
        let callees: FxHashMap<Ident, Vec<Ident>> = named.collect();
        let recursive = recursive(&callees);
        Calls { callees, recursive }
    }

    /// The calls inside of an op, and whom they call.
    pub fn inside(ir: &Ir, op: Op) -> Vec<(Op, Ident)> {
        let callee = |op: Op| Some((op, ir.cast::<CallOp>(op)?.callee(ir)));
        ir.walk(op).into_iter().filter_map(callee).collect()
    }

    /// Why a call of a function cannot be replaced by its code: a function that it reaches calls itself, in words.
    pub fn recursion(&self, ir: &Ir, callee: Ident) -> Option<String> {
        let own = self.repeated_from(callee)?;
        let (callee, own) = (ir.ctx().str(callee), ir.ctx().str(own));
        Some(match callee == own {
            true => format!("calls @{callee}, which calls itself"),
            false => format!("calls @{callee}, which reaches @{own}, which calls itself"),
        })
    }

    /// A function that calls itself and that a call of `first` may run.
    fn repeated_from(&self, first: Ident) -> Option<Ident> {
        let mut seen = FxHashSet::default();
        let mut name = first;
        while seen.insert(name) {
            let mut inner = self.callees.get(&name)?.iter();
            name = *inner.find(|inner| self.recursive.contains(inner))?;
        }
        Some(name)
    }
}

/// The functions that reach one that calls itself: what is left when those that call none that is left are taken away.
fn recursive(callees: &FxHashMap<Ident, Vec<Ident>>) -> FxHashSet<Ident> {
    let mut callers: FxHashMap<Ident, Vec<Ident>> = FxHashMap::default();
    let mut open: FxHashMap<Ident, usize> = FxHashMap::default();
    for (&caller, called) in callees {
        let known = called.iter().filter(|&name| callees.contains_key(name));
        open.insert(caller, known.clone().count());
        for &name in known {
            callers.entry(name).or_default().push(caller);
        }
    }
    let mut done: Vec<Ident> = open
        .iter()
        .filter(|row| *row.1 == 0)
        .map(|row| *row.0)
        .collect();
    while let Some(name) = done.pop() {
        open.remove(&name);
        for caller in callers.get(&name).into_iter().flatten() {
            if let Some(left) = open.get_mut(caller) {
                *left -= 1;
                if *left == 0 {
                    done.push(*caller);
                }
            }
        }
    }
    open.into_keys().collect()
}
