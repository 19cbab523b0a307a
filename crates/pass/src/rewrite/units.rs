//! Units of rewriting: an op with everything inside it, but for what is inside isolated symbols (functions, modules),
//! which are units of their own.
//!
//! Nothing inside an isolated symbol uses a value from outside, and a symbol is live whatever is inside it, so facts about
//! values end where a unit ends. One unit after the other is worked on while it is in the processor's caches, and a unit
//! that takes many rounds costs the others nothing. Tables over ids are kept from one unit to the next and cleared by
//! what was entered: made anew for each of many units, each as long as the program, they would take quadratic time.

use segra_ir::{Ir, Op, Trait};

/// Whether `op` is a unit inside the one it stands in.
pub(crate) fn is_unit(ir: &Ir, op: Op) -> bool {
    let isolated = |op: Op| {
        ir.info(op)
            .is_some_and(|info| info.has(Trait::IsolatedFromAbove) && info.has(Trait::Symbol))
    };
    !ir.regions(op).is_empty() && isolated(op)
}

/// Calls `visit` on `unit` and the ops of it, each before what is inside it. The units inside it are visited as ops, with
/// true.
pub(crate) fn walk_unit(ir: &Ir, unit: Op, visit: &mut impl FnMut(Op, bool)) {
    ir.walk_into(unit, &mut |op| {
        let inner = op != unit && is_unit(ir, op);
        visit(op, inner);
        !inner
    });
}

/// Calls `work` on `root` and every unit inside it, outer ones first. It must erase none.
pub(crate) fn for_each_unit(ir: &mut Ir, root: Op, work: &mut impl FnMut(&mut Ir, Op)) {
    let mut pending = vec![root];
    while let Some(unit) = pending.pop() {
        work(ir, unit);
        let start = pending.len();
        walk_unit(ir, unit, &mut |op, inner| {
            pending.extend(inner.then_some(op))
        });
        pending[start..].reverse();
    }
}
