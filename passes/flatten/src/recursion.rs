//! Calls that reach themselves: what combinators do becomes a kernel, and kernels cannot recurse.
//!
//! After inlining, calls are left in the bodies and operators of combinators where a function calls itself, perhaps by way
//! of others. Each such call is an error that says so.
//! Deliberately absent: calls of the host, which recurse as they like.

use segra_array::combinator::is_combinator;
use segra_ir::{Diagnostics, Ir, Op};
use segra_std::func::Calls;

/// Reports the calls inside of combinators that recurse; whether there are none.
pub(crate) fn check(ir: &Ir, functions: &[Op], diags: &mut Diagnostics) -> bool {
    let calls = Calls::of(ir, functions.iter().copied());
    let before = diags.error_count();
    for &function in functions {
        for (call, callee) in Calls::inside(ir, function) {
            let mut around = ir.ancestors(call).skip(1).take_while(|&op| op != function);
            if !around.any(|op| is_combinator(ir, op)) {
                continue;
            }
            if let Some(recursion) = calls.recursion(ir, callee) {
                diags.op_error(ir, call, format!("{recursion}: a kernel has no recursion"));
            }
        }
    }
    diags.error_count() == before
}
