//! `dce`: erases every op nothing observable depends on.
//!
//! ```text
//! %0 = memref.load %m[%i]                      memref.store %x, %m[%i]
//! %1 = arith.addf %0, %x            ->         func.return
//! scf.for ... { %2 = arith.mulf %x, %x }
//! memref.store %x, %m[%i]
//! func.return
//! ```
//! An op is live if its own effects can be observed (it writes, frees, orders, or they are unknown), if it is a symbol,
//! if a live op uses one of its results, if a live op is inside it, or if it ends a block of a live op. All others go,
//! also where they only use one another (which folding one op at a time never finds).
//! Limits: results of live ops and block arguments stay, used or not; allocations that are only written stay.

use segra_ir::interfaces::{effect_is_removable, own_effects};
use segra_ir::{Ir, Op, SecondaryMap, Trait};
use segra_pass::{Anchors, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options};

pass_options! {
    /// The pass `dce`.
    pub struct Dce {}
}

const INFO: PassInfo = PassInfo {
    name: "dce",
    summary: "erase ops nothing observable depends on",
    reads: &["*"],
    writes: &[],
    anchors: Anchors::Any,
};

impl Pass for Dce {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let live = live_ops(ir, op);
        let erased = sweep(ir, op, &live);
        cx.count("ops erased", erased);
        Ok(if erased == 0 { Outcome::unchanged() } else { Outcome::changed() })
    }
}

/// The ops inside `root` (and `root`) something observable depends on.
fn live_ops(ir: &Ir, root: Op) -> SecondaryMap<Op, bool> {
    let mut live: SecondaryMap<Op, bool> = SecondaryMap::default();
    let mut pending = vec![root];
    live[root] = true;
    ir.walk_with(root, &mut |op| {
        if op != root && has_observable_effect(ir, op) {
            live[op] = true;
            pending.push(op);
        }
    });
    while let Some(op) = pending.pop() {
        let mut mark = |other: Op| {
            if !std::mem::replace(&mut live[other], true) {
                pending.push(other);
            }
        };
        ir.operands(op).filter_map(|value| ir.defining_op(value)).for_each(&mut mark);
        if op != root
            && let Some(parent) = ir.parent_op(op)
        {
            mark(parent);
        }
        for &region in ir.regions(op) {
            for last in ir.blocks(region).filter_map(|block| ir.last_op(block)) {
                if ir.info(last).is_none_or(|info| info.has(Trait::Terminator)) {
                    mark(last);
                }
            }
        }
    }
    live
}

/// Whether the op itself, not what is inside it, does something that can be observed.
fn has_observable_effect(ir: &Ir, op: Op) -> bool {
    let Some(info) = ir.info(op) else { return true };
    if info.has(Trait::Symbol) {
        return true;
    }
    // A terminator matters as much as the op it is in.
    let Some(effects) = own_effects(ir, op) else { return !info.has(Trait::Terminator) };
    !effects.into_iter().all(|effect| effect_is_removable(ir, op, effect))
}

fn sweep(ir: &mut Ir, root: Op, live: &SecondaryMap<Op, bool>) -> u64 {
    // The outermost dead ops; what is inside them goes along.
    let mut dead: Vec<Op> = Vec::new();
    let mut pending = vec![root];
    while let Some(op) = pending.pop() {
        for &region in ir.regions(op) {
            for nested in ir.blocks(region).flat_map(|block| ir.ops(block)) {
                if live[nested] {
                    pending.push(nested);
                } else {
                    dead.push(nested);
                }
            }
        }
    }
    // Dead ops may use one another in any order: first drop all their uses.
    for &op in &dead {
        for nested in ir.walk(op) {
            ir.set_operands(nested, &[]);
        }
    }
    for &op in &dead {
        ir.erase_op(op);
    }
    dead.len() as u64
}
