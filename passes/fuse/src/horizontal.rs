//! Neighbours: combinators of one block that share an input share one traversal.

use crate::soac::{Body, Soac, copy_operator};
use rustc_hash::FxHashMap;
use segra_ir::{Block, Ir, Op, Type, Value};

/// Fuses within a block; how many ops went.
pub(crate) fn fuse_block(ir: &mut Ir, block: Block) -> u64 {
    let mut fused = 0;
    // The latest combinator of each sort that reads an array.
    let mut latest: FxHashMap<(Value, bool), Op> = FxHashMap::default();
    let mut next = ir.first_op(block);
    while let Some(op) = next {
        next = ir.next_op(op);
        let Some(mut second) = Soac::of(ir, op) else { continue };
        let candidate =
            second.arrays.iter().find_map(|&array| latest.get(&(array, second.is_map())).copied());
        if let Some(first) = candidate.and_then(|first| Soac::of(ir, first))
            && independent(ir, &first, &second)
        {
            let new = fuse(ir, &first, &second);
            latest.retain(|_, op| *op != first.op);
            fused += 1;
            let Some(soac) = Soac::of(ir, new) else { continue };
            second = soac;
        }
        for &array in &second.arrays {
            latest.insert((array, second.is_map()), second.op);
        }
    }
    fused
}

/// Whether the two may run at the place of the second: all uses of the first's results come after it.
fn independent(ir: &Ir, first: &Soac, second: &Soac) -> bool {
    let block = ir.block_of(second.op);
    let parallel = first.has_parallelism(ir) || second.has_parallelism(ir);
    // A reduction's body is sequential: what is parallel in one of them would be lost.
    let keeps = first.is_map() || !parallel;
    keeps
        && first.is_map() == second.is_map()
        && ir.results(first.op).all(|result| {
            ir.users(result).all(|user| {
                let top = ir.ancestors(user).find(|&at| ir.block_of(at) == block);
                top.is_some_and(|top| top != second.op && ir.is_before(second.op, top))
            })
        })
}

fn fuse(ir: &mut Ir, first: &Soac, second: &Soac) -> Op {
    let inputs: Vec<Value> = first.arrays.iter().chain(&second.arrays).copied().collect();
    let body = Body::over(ir, inputs);
    let mut left = body.inline(ir, first, &|array| body.element(array));
    let mut right = body.inline(ir, second, &|array| body.element(array));
    let (stored_left, stored_right) =
        (left.split_off(first.neutral.len()), right.split_off(second.neutral.len()));
    let yields: Vec<Value> = left.into_iter().chain(right).chain(stored_left).chain(stored_right).collect();
    let reduced = |soac: &Soac| ir.results(soac.op).take(soac.neutral.len()).collect::<Vec<Value>>();
    let old: Vec<Value> = reduced(first)
        .into_iter()
        .chain(reduced(second))
        .chain(first.stored(ir))
        .chain(second.stored(ir))
        .collect();
    let types: Vec<Type> = old.iter().map(|&value| ir.value_type(value)).collect();
    let neutral: Vec<Value> = first.neutral.iter().chain(&second.neutral).copied().collect();
    let combine = match (first.combine, second.combine) {
        (Some(a), Some(b)) => Some(copy_operator(ir, &[a, b])),
        _ => None,
    };
    let combined = combine.map(|block| (neutral.as_slice(), block));
    let new = body.finish(ir, second.op, &yields, combined, &types);
    let results: Vec<Value> = ir.results(new).collect();
    for (&old, &new) in old.iter().zip(&results) {
        ir.replace_all_uses(old, new);
    }
    ir.erase_op(first.op);
    ir.erase_op(second.op);
    new
}
