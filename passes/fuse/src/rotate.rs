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
//! comes from outside of the loop; a combinator that it may be fused with makes what it goes over; it cannot stop the
//! program; the loop stands in no combinator and is not known to run once at most. The first combinator runs once more
//! than before (for the last round's array, which nobody asks), so it must be cheap.
//!
//! Of an `scf.while` the second region is such a round, as far as `scf.condition` forwards what the first region was handed. The work that
//! the first region itself does with an array (a norm that decides whether to go on) moves the same way:
//!
//! ```text
//! scf.while (%a = %xs) {                               %t = redomap (%x in %xs) { f }
//!   %s = array.redomap (%x in %a) { f }                scf.while (%a = %xs, %s = %t) {
//!   scf.condition(%s > 0) %a                               scf.condition(%s > 0) %a
//! } do { (%b)                                      =>  } do { (%b)
//!   %c = array.map (%x in %b) { g }                      %u, %c = array.redomap (%x in %b) { g, f }
//!   scf.yield %c }                                       scf.yield %c, %u }
//! ```
//!
//! It runs exactly as often as before, so it may be expensive.

use crate::build::types_agree;
use crate::cost::is_cheap;
use crate::soac::{Behaviour, Soac, behaviour, fusible, has_parallelism};
use segra_array::combinator::is_combinator;
use segra_ir::clone::Mapping;
use segra_ir::interfaces::LoopLike;
use segra_ir::{Block, Builder, Ir, Op, OpView, Type, Value};
use segra_std::scf::{ConditionOp, ForOp, WhileOp, YieldOp};

/// Combinators that go to the round before, at most.
const MOST_ROTATED: usize = 4;

/// Rotates a loop as often as that brings combinators together; the loop that it is then, if it was.
pub(crate) fn rotate(ir: &mut Ir, looped: Op) -> Option<Op> {
    if ir.ancestors(looped).any(|around| is_combinator(ir, around)) {
        return None;
    }
    let mut at = looped;
    for _ in 0..MOST_ROTATED {
        let rotated = match (ir.cast::<ForOp>(at), ir.cast::<WhileOp>(at)) {
            (Some(counted), _) => rotate_for(ir, counted),
            (_, Some(tested)) => rotate_while(ir, tested),
            _ => None,
        };
        let Some(rotated) = rotated else { break };
        at = rotated;
    }
    (at != looped).then_some(at)
}

/// A stretch of a loop that begins with values it is handed.
struct Round<'a> {
    looped: Op,
    /// Where it begins.
    block: Block,
    /// Its inputs, each with the next one's input in its position.
    handed: &'a [(Value, Value)],
    /// Where that is made.
    made_in: Block,
    /// Whether a next one begins wherever this one ends; else the last one's is too much.
    always: bool,
}

impl Round<'_> {
    /// A combinator that needs nothing of the round, and goes over what the round before made by another.
    fn first_combinator(&self, ir: &Ir) -> Option<Op> {
        ir.ops(self.block).find(|&op| {
            let Some(first) =
                fusible(ir, op).filter(|soac| soac.flavour.stores() && types_agree(ir, soac))
            else {
                return false;
            };
            let inside = |value: Value| match ir.defining_op(value) {
                Some(def) => ir.is_inside(def, self.looped) && !ir.is_inside(def, op),
                None => {
                    ir.value_block(value) == Some(self.block)
                        && self.handed.iter().all(|&(arg, _)| arg != value)
                }
            };
            let cheap = [first.body, first.combine]
                .into_iter()
                .flatten()
                .all(|block| is_cheap(ir, block));
            let meets = first.arrays.iter().any(|&array| {
                let next = self.handed.iter().find(|&&(arg, _)| arg == array);
                next.is_some_and(|&(_, next)| makes(ir, &first, self.made_in, next))
            });
            meets
                && (cheap || self.always)
                && !has_parallelism(ir, &first)
                && behaviour(ir, &first) == Behaviour::Total
                && !ir.operands(op).chain(ir.free_values(op)).any(inside)
        })
    }
}

/// Whether a later combinator of the body makes an array that `first` may go over in the same traversal.
fn makes(ir: &Ir, first: &Soac, body: Block, array: Value) -> bool {
    let producer = ir
        .defining_op(array)
        .filter(|&producer| ir.block_of(producer) == Some(body) && producer != first.op);
    producer
        .and_then(|producer| fusible(ir, producer))
        .is_some_and(|producer| {
            producer.stored(ir).any(|made| made == array)
                && producer.flavour.stores()
                && producer.flavour.join(first.flavour).is_some()
                && types_agree(ir, &producer)
                && !has_parallelism(ir, &producer)
        })
}

/// A copy before an op that goes over what stands for what a round is handed.
fn copy_over(ir: &mut Ir, first: Op, handed: &[Value], instead: &[Value], before: Op) -> Op {
    let mut mapping = Mapping::new();
    mapping.map_all(handed, instead);
    Builder::before(ir, before).clone_op(first, &mut mapping)
}

/// Adds what an op gives to what a block is handed, and takes it from there.
fn take_from_args(ir: &mut Ir, first: Op, block: Block) {
    let loc = ir.loc(first);
    for result in ir.results(first).collect::<Vec<_>>() {
        let ty = ir.value_type(result);
        let arg = ir.add_block_arg(block, ty, loc);
        if let Some(name) = ir.value_name(result) {
            ir.set_value_name(arg, name);
        }
        ir.replace_all_uses(result, arg);
    }
}

/// Ends a block anew: what an op gives is forwarded, too.
fn hand_on(ir: &mut Ir, last: Op, next: Op) {
    let values: Vec<Value> = ir.operands(last).chain(ir.results(next)).collect();
    YieldOp::build(&mut Builder::before(ir, last), &values);
    ir.erase_op(last);
}

/// A loop stands for another, which has no regions any more and the first of its results.
fn replace_loop(ir: &mut Ir, old: Op, new: Op) {
    for (result, fresh) in ir.results(old).zip(ir.results(new)).collect::<Vec<_>>() {
        if let Some(name) = ir.value_name(result) {
            ir.set_value_name(fresh, name);
        }
        ir.replace_all_uses(result, fresh);
    }
    ir.erase_op(old);
}

fn types_of(ir: &Ir, values: &[Value]) -> Vec<Type> {
    values.iter().map(|&value| ir.value_type(value)).collect()
}

fn rotate_for(ir: &mut Ir, looped: ForOp) -> Option<Op> {
    let (body, old) = (looped.region_block(ir), looped.op());
    if looped.trip_count(ir, old).is_some_and(|trips| trips < 2) {
        return None;
    }
    let last = ir.last_op(body)?;
    let carried = looped.iter_args(ir).to_vec();
    let yielded: Vec<Value> = ir.operands(last).collect();
    let handed: Vec<(Value, Value)> = carried
        .iter()
        .copied()
        .zip(yielded.iter().copied())
        .collect();
    let round = Round {
        looped: old,
        block: body,
        handed: &handed,
        made_in: body,
        always: false,
    };
    let first = round.first_combinator(ir)?;
    let inits = looped.init_args(ir);
    let before = copy_over(ir, first, &carried, &inits, old);
    let inits: Vec<Value> = inits.into_iter().chain(ir.results(before)).collect();
    let types = types_of(ir, &inits);
    let (lower, upper, step) = (
        looped.lower_bound(ir),
        looped.upper_bound(ir),
        looped.step(ir),
    );
    let unsigned = looped.unsigned_cmp_attr(ir);
    let new = ForOp::builder()
        .lower_bound(lower)
        .upper_bound(upper)
        .step(step)
        .init_args(&inits)
        .unsigned_cmp(unsigned)
        .results_types(&types)
        .build(&mut Builder::before(ir, old));
    ir.detach_block(body);
    let region = new.region(ir);
    ir.append_block(region, body);
    // At the end of a round the first combinator goes over what the round forwards.
    let next = copy_over(ir, first, &carried, &yielded, last);
    // A value forwarded may have been one of the first combinator's own: by then it is what was handed to the round.
    take_from_args(ir, first, body);
    hand_on(ir, last, next);
    ir.erase_op(first);
    replace_loop(ir, old, new.op());
    Some(new.op())
}

fn rotate_while(ir: &mut Ir, looped: WhileOp) -> Option<Op> {
    let old = looped.op();
    let (test, body) = (looped.before_block(ir), looped.after_block(ir));
    let (condition, last) = (ir.last_op(test)?, ir.last_op(body)?);
    ir.cast::<ConditionOp>(condition)?;
    let (tested, passed) = (ir.block_args(test).to_vec(), ir.block_args(body).to_vec());
    let inits: Vec<Value> = looped.inits(ir).into_iter().collect();
    let yielded: Vec<Value> = ir.operands(last).collect();
    let handed: Vec<(Value, Value)> = tested
        .iter()
        .copied()
        .zip(yielded.iter().copied())
        .collect();
    // The second region's inputs, as far as they are those of the first.
    let through: Vec<(Value, usize)> = passed
        .iter()
        .zip(ir.operands(condition).skip(1))
        .filter_map(|(&arg, value)| Some((arg, tested.iter().position(|&from| from == value)?)))
        .collect();
    let again: Vec<(Value, Value)> = through
        .iter()
        .map(|&(arg, at)| (arg, yielded[at]))
        .collect();
    let in_test = Round {
        looped: old,
        block: test,
        handed: &handed,
        made_in: body,
        always: true,
    };
    let in_body = Round {
        looped: old,
        block: body,
        handed: &again,
        made_in: body,
        always: false,
    };
    let decides = in_test.first_combinator(ir);
    let first = decides.or_else(|| in_body.first_combinator(ir))?;
    let (args, starts, ends): (Vec<Value>, Vec<Value>, Vec<Value>) = match decides {
        Some(_) => (tested, inits.clone(), yielded),
        None => (
            again.iter().map(|row| row.0).collect(),
            through.iter().map(|&(_, at)| inits[at]).collect(),
            again.iter().map(|row| row.1).collect(),
        ),
    };
    let before = copy_over(ir, first, &args, &starts, old);
    let next = copy_over(ir, first, &args, &ends, last);
    let inits: Vec<Value> = inits.into_iter().chain(ir.results(before)).collect();
    let mut types: Vec<Type> = ir
        .results(old)
        .map(|result| ir.value_type(result))
        .collect();
    take_from_args(ir, first, if decides.is_some() { test } else { body });
    if decides.is_none() {
        // Through the first region.
        let loc = ir.loc(first);
        for result in ir.results(next).collect::<Vec<_>>() {
            let ty = ir.value_type(result);
            types.push(ty);
            let arg = ir.add_block_arg(test, ty, loc);
            let all: Vec<Value> = ir.operands(condition).chain([arg]).collect();
            ir.set_operands(condition, &all);
        }
    }
    let new = WhileOp::builder()
        .inits(&inits)
        .results_types(&types)
        .build(&mut Builder::before(ir, old));
    for (block, region) in [(test, new.before(ir)), (body, new.after(ir))] {
        ir.detach_block(block);
        ir.append_block(region, block);
    }
    hand_on(ir, last, next);
    ir.erase_op(first);
    replace_loop(ir, old, new.op());
    Some(new.op())
}
