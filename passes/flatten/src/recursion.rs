//! Calls that reach themselves: what combinators do becomes a kernel, and kernels cannot recurse.
//!
//! After inlining, calls are left in the bodies and operators of combinators where a function calls itself, perhaps by way
//! of others. Each such call is an error that says so.
//! Deliberately absent: calls of the host, which recurse as they like.

use rustc_hash::{FxHashMap, FxHashSet};
use segra_array::combinator::is_combinator;
use segra_ir::context::Ident;
use segra_ir::interfaces::symbol_name;
use segra_ir::{Diagnostics, Ir, Op, OpView};
use segra_std::func::CallOp;

/// The functions that each function calls, by name.
type Calls = FxHashMap<Ident, Vec<Ident>>;

/// Reports the calls inside of combinators that recurse; whether there are none.
pub(crate) fn check(ir: &Ir, functions: &[Op], diags: &mut Diagnostics) -> bool {
    let callees = |op: Op| -> Vec<(Op, Ident)> {
        let callee = |op: Op| Some((op, ir.cast::<CallOp>(op)?.callee(ir)));
        ir.walk(op).into_iter().filter_map(callee).collect()
    };
    let mut calls = Calls::default();
    let mut inside = Vec::new();
    for &func in functions {
        let found = callees(func);
        let is_inside = |call: Op| {
            let mut around = ir.ancestors(call).skip(1).take_while(|&op| op != func);
            around.any(|op| is_combinator(ir, op))
        };
        inside.extend(found.iter().filter(|row| is_inside(row.0)));
        if let Some(name) = symbol_name(ir, func) {
            calls.insert(name, found.iter().map(|row| row.1).collect());
        }
    }
    let before = diags.error_count();
    for (call, callee) in inside {
        let reached = reached_from(&calls, callee);
        let Some(&own) = reached.iter().find(|&&name| recurses(&calls, name)) else {
            continue;
        };
        let (callee, own_name) = (ir.ctx().str(callee), ir.ctx().str(own));
        let message = match callee == own_name {
            true => format!("calls @{callee}, which calls itself: a kernel has no recursion"),
            false => format!(
                "calls @{callee}, which reaches @{own_name}, which calls itself: a kernel has no recursion"
            ),
        };
        diags.op_error(ir, call, message);
    }
    diags.error_count() == before
}

/// The functions that a call of `first` may run, that one first.
fn reached_from(calls: &Calls, first: Ident) -> Vec<Ident> {
    let mut seen = FxHashSet::from_iter([first]);
    let mut order = vec![first];
    let mut next = 0;
    while let Some(&name) = order.get(next) {
        next += 1;
        let inner = calls.get(&name).into_iter().flatten().copied();
        order.extend(inner.filter(|&inner| seen.insert(inner)));
    }
    order
}

/// Whether a function may run itself.
fn recurses(calls: &Calls, name: Ident) -> bool {
    let inner = calls.get(&name).into_iter().flatten();
    inner
        .copied()
        .any(|inner| reached_from(calls, inner).contains(&name))
}
