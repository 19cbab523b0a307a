//! Producer and consumer: a map, or a reduction that stores what it maps, goes into the map or reduction that reads it.

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
        // A reduced value that is an array is not there element by element.
        let by_element = producer.stored(ir).contains(&array)
            && consumer.arrays.iter().all(|other| {
                !ir.results(producer.op).take(producer.neutral.len()).any(|reduced| reduced == *other)
            });
        (by_element && allowed(ir, &producer, &consumer)).then_some(producer)
    })?;
    Some(fuse(ir, &producer, &consumer))
}

/// Whether `producer` may and should go into `consumer`, one of whose inputs it makes.
fn allowed(ir: &Ir, producer: &Soac, consumer: &Soac) -> bool {
    let same_block = ir.block_of(producer.op) == ir.block_of(consumer.op);
    // The body of a reduction is sequential: what is parallel inside either would be lost.
    let reduces = !consumer.is_map() || !producer.is_map();
    if !same_block || (reduces && (producer.has_parallelism(ir) || consumer.has_parallelism(ir))) {
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
    let made = producer.stored(ir);
    let others = consumer.arrays.iter().copied().filter(|array| !made.contains(array));
    let inputs: Vec<Value> = producer.arrays.iter().copied().chain(others).collect();
    let body = Body::over(ir, inputs);
    let mut reduced = body.inline(ir, producer, &|array| body.element(array));
    let values = reduced.split_off(producer.neutral.len());
    let elements: FxHashMap<Value, Value> = made.iter().copied().zip(values.iter().copied()).collect();
    let mut own = body
        .inline(ir, consumer, &|array| elements.get(&array).copied().unwrap_or_else(|| body.element(array)));
    let stored = own.split_off(consumer.neutral.len());
    let results = |soac: &Soac| ir.results(soac.op).collect::<Vec<Value>>();
    let (before, after) = (results(producer), results(consumer));
    // What is reduced by either, then what the consumer stores, then what others use of the producer.
    let mut old: Vec<Value> = before[..producer.neutral.len()].to_vec();
    old.extend(&after);
    let mut yields: Vec<Value> = reduced.into_iter().chain(own).chain(stored).collect();
    for (&result, &value) in made.iter().zip(&values) {
        if ir.users(result).any(|user| user != consumer.op) {
            old.push(result);
            yields.push(value);
        }
    }
    let types: Vec<Type> = old.iter().map(|&value| ir.value_type(value)).collect();
    let operators: Vec<Block> = [producer.combine, consumer.combine].into_iter().flatten().collect();
    let combine = if operators.is_empty() { None } else { Some(copy_operator(ir, &operators)) };
    let neutral: Vec<Value> = producer.neutral.iter().chain(&consumer.neutral).copied().collect();
    let new = body.finish(ir, consumer.op, &yields, combine.map(|block| (neutral.as_slice(), block)), &types);
    let results: Vec<Value> = ir.results(new).collect();
    for (&old, &new) in old.iter().zip(&results) {
        ir.replace_all_uses(old, new);
    }
    ir.erase_op(consumer.op);
    ir.erase_op(producer.op);
    new
}
