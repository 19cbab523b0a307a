//! Producer and consumer: a map goes into the map or reduction that reads its results.

use crate::soac::{Body, Soac, copy_operator};
use crate::views;
use rustc_hash::FxHashMap;
use segra_ir::{Block, Ir, Op, Type, Value};

/// Fuses within a block, consumers in order; how many ops went.
pub(crate) fn fuse_block(ir: &mut Ir, block: Block) -> u64 {
    let mut fused = 0;
    let mut next = ir.first_op(block);
    while let Some(op) = next {
        let after = ir.next_op(op);
        let mut consumer = op;
        if let Some(simpler) = views::absorb(ir, consumer) {
            consumer = simpler;
        }
        while let Some(new) = fuse_into(ir, consumer) {
            consumer = views::absorb(ir, new).unwrap_or(new);
            fused += 1;
        }
        next = after;
    }
    fused
}

/// Fuses one producer into `consumer`; the op that takes its place.
fn fuse_into(ir: &mut Ir, consumer: Op) -> Option<Op> {
    let consumer = Soac::of(ir, consumer)?;
    let producer = consumer.arrays.iter().find_map(|&array| {
        let producer = Soac::of(ir, ir.defining_op(array)?)?;
        allowed(ir, &producer, &consumer).then_some(producer)
    })?;
    Some(fuse(ir, &producer, &consumer))
}

/// Whether `producer` may and should go into `consumer`, one of whose inputs it makes.
fn allowed(ir: &Ir, producer: &Soac, consumer: &Soac) -> bool {
    let same_block = ir.block_of(producer.op) == ir.block_of(consumer.op);
    if !producer.is_map() || !same_block || (!consumer.is_map() && producer.has_parallelism(ir)) {
        return false;
    }
    // Other uses must see what the fused op returns: they come after the consumer.
    ir.results(producer.op).all(|result| {
        ir.uses(result).all(|id| {
            let (user, index) = (ir.use_owner(id), ir.use_index(id));
            if user == consumer.op {
                return index < consumer.arrays.len();
            }
            let block = ir.block_of(consumer.op);
            let top = ir.ancestors(user).find(|&at| ir.block_of(at) == block);
            top.is_some_and(|top| top != consumer.op && ir.is_before(consumer.op, top))
        })
    })
}

fn fuse(ir: &mut Ir, producer: &Soac, consumer: &Soac) -> Op {
    let made: Vec<Value> = ir.results(producer.op).collect();
    let others = consumer.arrays.iter().copied().filter(|array| !made.contains(array));
    let inputs: Vec<Value> = producer.arrays.iter().copied().chain(others).collect();
    let body = Body::over(ir, inputs);
    let values = body.inline(ir, producer, &|array| body.element(array));
    let elements: FxHashMap<Value, Value> = made.iter().copied().zip(values.iter().copied()).collect();
    let mut yields = body
        .inline(ir, consumer, &|array| elements.get(&array).copied().unwrap_or_else(|| body.element(array)));
    let mut types: Vec<Type> = ir.results(consumer.op).map(|value| ir.value_type(value)).collect();
    // What others use of the producer is returned beside.
    let mut kept = Vec::new();
    for (&result, &value) in made.iter().zip(&values) {
        if ir.users(result).any(|user| user != consumer.op) {
            kept.push(result);
            yields.push(value);
            types.push(ir.value_type(result));
        }
    }
    let combine = consumer.combine.map(|block| copy_operator(ir, &[block]));
    let combined = combine.map(|block| (consumer.neutral.as_slice(), block));
    let new = body.finish(ir, consumer.op, &yields, combined, &types);
    let results: Vec<Value> = ir.results(new).collect();
    let (own, beside) = results.split_at(ir.num_results(consumer.op));
    for (&old, &new) in kept.iter().zip(beside) {
        ir.replace_all_uses(old, new);
    }
    ir.replace_op(consumer.op, own);
    ir.erase_op(producer.op);
    new
}
