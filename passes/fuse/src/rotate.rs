//! Around loops: what a round does first with an array it was handed is done at the end of the round before, which makes
//! that array.
//!
//! ```text
//! %r = scf.for iter_args(%a = %xs) {                   %t = redomap (%x in %xs) { f }
//!   %s = array.redomap (%x in %a) { f }                %r, %_ = scf.for iter_args(%a = %xs, %s = %t) {
//!   %c = array.map (%x in %a) { g(%s) }            =>    %u, %c = array.redomap (%x in %a) { g(%s), f }
//!   scf.yield %c }                                       scf.yield %c, %u }
//! ```
//!
//! One traversal per round instead of two. Conditions: all that the first combinator uses is handed to the round, or
//! comes from outside of the loop; a combinator that it may be fused with makes what it goes over; the loop stands in no
//! combinator and is not known to run once at most. The first combinator runs once more than before (for the last round's
//! array, which nobody asks), so it must be cheap, and unable to stop the program. Absent: `scf.while`.

use crate::build::types_agree;
use crate::cost::is_cheap;
use crate::soac::{Behaviour, Soac};
use segra_array::soac::is_combinator;
use segra_ir::clone::Mapping;
use segra_ir::interfaces::LoopLike;
use segra_ir::{Block, Builder, Ir, Op, OpView, Type, Value};
use segra_std::scf::{ForOp, YieldOp};

/// Combinators that go to the round before, at most.
const MOST_ROTATED: usize = 4;

/// Rotates a loop as often as that brings combinators together; the loop that it is then, if it was.
pub(crate) fn rotate(ir: &mut Ir, looped: Op) -> Option<Op> {
    let mut looped = ir.cast::<ForOp>(looped)?;
    if ir.ancestors(looped.op()).any(|around| is_combinator(ir, around)) {
        return None;
    }
    if looped.trip_count(ir, looped.op()).is_some_and(|trips| trips < 2) {
        return None;
    }
    let mut changed = None;
    for _ in 0..MOST_ROTATED {
        let Some(first) = first_combinator(ir, looped) else { break };
        looped = rotate_one(ir, looped, first)?;
        changed = Some(looped.op());
    }
    changed
}

/// A combinator of the body that needs nothing of the round, and goes over what the round before made by another.
fn first_combinator(ir: &Ir, looped: ForOp) -> Option<Op> {
    let body = looped.region_block(ir);
    let carried = looped.iter_args(ir);
    let last = ir.last_op(body)?;
    ir.ops(body).find(|&op| {
        let Some(first) = Soac::of(ir, op).filter(|soac| soac.flavour.stores() && types_agree(ir, soac))
        else {
            return false;
        };
        let inside = |value: Value| match ir.defining_op(value) {
            Some(def) => ir.is_inside(def, looped.op()) && !ir.is_inside(def, op),
            None => ir.value_block(value) == Some(body) && !carried.contains(&value),
        };
        let cheap = [first.body, first.combine].into_iter().flatten().all(|block| is_cheap(ir, block));
        let meets = first.arrays.iter().any(|array| {
            let Some(at) = carried.iter().position(|arg| arg == array) else { return false };
            makes(ir, &first, body, ir.operand(last, at))
        });
        meets
            && cheap
            && !first.has_parallelism(ir)
            && first.behaviour(ir) == Behaviour::Total
            && !ir.operands(op).chain(ir.free_values(op)).any(inside)
    })
}

/// Whether a later combinator of the body makes an array that `first` may go over in the same traversal.
fn makes(ir: &Ir, first: &Soac, body: Block, array: Value) -> bool {
    let maker = ir.defining_op(array).filter(|&maker| ir.block_of(maker) == Some(body) && maker != first.op);
    maker.and_then(|maker| Soac::of(ir, maker)).is_some_and(|maker| {
        maker.stored(ir).any(|made| made == array)
            && maker.flavour.stores()
            && maker.flavour.join(first.flavour).is_some()
            && types_agree(ir, &maker)
            && !maker.has_parallelism(ir)
    })
}

fn rotate_one(ir: &mut Ir, looped: ForOp, first: Op) -> Option<ForOp> {
    let (body, old) = (looped.region_block(ir), looped.op());
    let last = ir.last_op(body)?;
    let carried = looped.iter_args(ir).to_vec();
    let (inits, yielded) = (looped.init_args(ir), ir.operands(last).collect::<Vec<Value>>());
    let loc = ir.loc(first);
    let mut mapping = Mapping::new();
    mapping.map_all(&carried, &inits);
    let before = Builder::before(ir, old).clone_op(first, &mut mapping);
    let inits: Vec<Value> = inits.into_iter().chain(ir.results(before)).collect();
    let types: Vec<Type> = inits.iter().map(|&init| ir.value_type(init)).collect();
    let (lower, upper, step) = (looped.lower_bound(ir), looped.upper_bound(ir), looped.step(ir));
    let unsigned = looped.unsigned_cmp_attr(ir);
    let new = ForOp::build(&mut Builder::before(ir, old), lower, upper, step, &inits, unsigned, &types);
    ir.detach_block(body);
    let region = new.region(ir);
    ir.append_block(region, body);
    // At the end of a round the first combinator goes over what the round hands on.
    let mut mapping = Mapping::new();
    mapping.map_all(&carried, &yielded);
    let next = Builder::before(ir, last).clone_op(first, &mut mapping);
    for result in ir.results(first).collect::<Vec<_>>() {
        let ty = ir.value_type(result);
        let arg = ir.add_block_arg(body, ty, loc);
        if let Some(name) = ir.value_name(result) {
            ir.set_value_name(arg, name);
        }
        ir.replace_all_uses(result, arg);
    }
    // A value handed on may have been one of the first combinator's own: by now it is what was handed to the round.
    let values: Vec<Value> = ir.operands(last).chain(ir.results(next)).collect();
    YieldOp::build(&mut Builder::before(ir, last), &values);
    ir.erase_op(last);
    ir.erase_op(first);
    for (result, fresh) in ir.results(old).zip(ir.results(new.op()).collect::<Vec<_>>()) {
        if let Some(name) = ir.value_name(result) {
            ir.set_value_name(fresh, name);
        }
        ir.replace_all_uses(result, fresh);
    }
    ir.erase_op(old);
    Some(new)
}
