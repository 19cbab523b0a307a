//! Canonical forms: waits for nothing vanish, copies that nobody sees go, ids of launches of extent 1 are 0, values that
//! all threads agree on already are not exchanged again.
//!
//! Deliberately absent: moving waits and barriers across other ops.

use crate::device::BarrierOp;
use crate::host::{MemcpyOp, MemsetOp};
use crate::launch::{LaunchOp, WaitOp};
use crate::subgroup::{AllReduceOp, SubgroupBroadcastOp, SubgroupReduceOp};
use segra_ir::interfaces::{Canonicalize, EffectKind, Rewriter, own_effects};
use segra_ir::{AttrKind, Ir, Op, OpView, Value};
use segra_std::arith::ConstantOp;
use segra_std::memref::look_through_casts;

impl Canonicalize for WaitOp {
    /// Tokens of waits that wait for nothing need no waiting; a wait for one token stands for that token.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = WaitOp::from_op(op);
        let dependencies = view.async_dependencies(ir);
        let at_once = |value: Value| {
            ir.def_as::<WaitOp>(value)
                .is_some_and(|wait| ir.num_operands(wait.op()) == 0)
        };
        let kept: Vec<Value> = dependencies
            .iter()
            .copied()
            .filter(|&value| !at_once(value))
            .collect();
        if kept.len() < dependencies.len() {
            rewriter.modify(op, &mut |ir| ir.set_operand_group(op, 0, &kept));
            return true;
        }
        match (&kept[..], view.async_token(ir)) {
            ([], None) => rewriter.erase_op(op),
            ([only], Some(_)) => rewriter.replace_op(op, &[*only]),
            (_, Some(token)) if !ir.has_uses(token) => rewriter.erase_op(op),
            _ => return false,
        }
        true
    }
}

impl Canonicalize for BarrierOp {
    /// Of two barriers in a row one is enough.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let twice = ir.next_op(op).is_some_and(|next| ir.isa::<BarrierOp>(next));
        if twice {
            rewriter.erase_op(op);
        }
        twice
    }
}

/// Whether all that `op` does to `memory` is of one kind.
fn only_does(ir: &Ir, op: Op, memory: Value, kind: EffectKind) -> bool {
    let Some(effects) = own_effects(ir, op) else {
        return false;
    };
    let mut on_memory = effects.iter().filter(|effect| effect.on == Some(memory));
    on_memory.next().is_some_and(|effect| effect.kind == kind) && on_memory.next().is_none()
}

impl Canonicalize for MemcpyOp {
    /// Casts do not matter to a copy; one into memory that is only given back afterwards goes.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        if look_through_casts(rewriter, op) {
            return true;
        }
        let ir = rewriter.ir();
        let view = MemcpyOp::from_op(op);
        let (dst, dependencies) = (view.dst(ir), view.async_dependencies(ir));
        let is_own = ir
            .defining_op(dst)
            .is_some_and(|def| only_does(ir, def, dst, EffectKind::Allocate));
        let unseen = is_own
            && ir
                .users(dst)
                .all(|user| user == op || only_does(ir, user, dst, EffectKind::Free));
        let tokens = usize::from(view.async_token(ir).is_some());
        if !unseen || dependencies.len() != tokens {
            return false;
        }
        let tokens: Vec<Value> = dependencies.to_vec();
        rewriter.replace_op(op, &tokens);
        true
    }
}

impl Canonicalize for MemsetOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        look_through_casts(rewriter, op)
    }
}

impl Canonicalize for LaunchOp {
    /// Along a dimension of extent 1 the only id is 0.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = LaunchOp::from_op(op);
        let extents = [
            view.grid_x(ir),
            view.grid_y(ir),
            view.grid_z(ir),
            view.block_x(ir),
            view.block_y(ir),
            view.block_z(ir),
        ];
        let Some(entry) = ir.entry_block(view.body(ir)) else {
            return false;
        };
        let is_one = |extent: Value| ir.constant_int(extent) == Some(1);
        // The first six arguments are the ids of the thread block and of the thread.
        let ids: Vec<Value> = ir
            .block_args(entry)
            .iter()
            .zip(extents)
            .filter(|&(&id, extent)| ir.has_uses(id) && is_one(extent))
            .map(|row| *row.0)
            .collect();
        let Some(first) = ir.first_op(entry).filter(|_| !ids.is_empty()) else {
            return false;
        };
        let zero = rewriter.build(first, |b| ConstantOp::index(b, 0));
        for id in ids {
            rewriter.replace_value(id, zero);
        }
        true
    }
}

/// Whether all threads get to an op together: it stands in the first block of a launch's body.
fn is_uniform(ir: &Ir, op: Op) -> bool {
    let launch = ir
        .parent_op(op)
        .and_then(|parent| ir.cast::<LaunchOp>(parent));
    launch.is_some_and(|launch| ir.entry_block(launch.body(ir)) == ir.block_of(op))
}

/// Marks a reduction that all threads get to together.
fn mark_uniform(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    if ir.attr_named(op, "uniform").is_some() || !is_uniform(ir, op) {
        return false;
    }
    let unit = ir.ctx().attr(AttrKind::Unit);
    rewriter.modify(op, &mut |ir| ir.set_attr_named(op, "uniform", Some(unit)));
    true
}

impl Canonicalize for AllReduceOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        mark_uniform(rewriter, op)
    }
}

impl Canonicalize for SubgroupReduceOp {
    /// One lane alone has its own value.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = SubgroupReduceOp::from_op(op);
        if view.cluster_size(ir) == Some(1) {
            let value = view.value(ir);
            rewriter.replace_op(op, &[value]);
            return true;
        }
        mark_uniform(rewriter, op)
    }
}

impl Canonicalize for SubgroupBroadcastOp {
    /// A value that came from one lane is the same in all of them.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let source = SubgroupBroadcastOp::from_op(op).src(ir);
        let agreed = ir.def_as::<SubgroupBroadcastOp>(source).is_some();
        if agreed {
            rewriter.replace_op(op, &[source]);
        }
        agreed
    }
}
